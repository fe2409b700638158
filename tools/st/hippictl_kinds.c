// SPDX-License-Identifier: GPL-2.0
/*
 * hippictl: the objects that are shown in tables.
 */
#include "hippictl.h"

static const char *const carrier_names[] = {
	[HIPPI_CARRIER_ETHERNET]	= "ethernet",
	[HIPPI_CARRIER_HIPPI6400]	= "hippi6400",
	NULL
};

static const struct field counter_fields[] = {
	PLAIN(HIPPI_A_COUNTER_NAME, "name", TEXT),
	PLAIN(HIPPI_A_COUNTER_VALUE, "value", NUMBER),
	{ 0 }
};

static const struct field port_fields[] = {
	PLAIN(HIPPI_A_PORT_IFINDEX, "ifindex", NUMBER),
	PLAIN(HIPPI_A_PORT_IFNAME, "ifname", TEXT),
	PLAIN(HIPPI_A_PORT_LOWER_IFINDEX, "lower_ifindex", NUMBER),
	PLAIN(HIPPI_A_PORT_LOWER_IFNAME, "lower_ifname", TEXT),
	NAMED(HIPPI_A_PORT_CARRIER, "carrier", NAME, carrier_names),
	PLAIN(HIPPI_A_PORT_ADDRESS, "address", ADDRESS),
	PLAIN(HIPPI_A_PORT_PACKET_MAX, "packet_max", NUMBER),
	PLAIN(HIPPI_A_PORT_MTU, "mtu", NUMBER),
	PLAIN(HIPPI_A_PORT_UP, "up", YES),
	{ 0 }
};

static const struct field counters_fields[] = {
	PLAIN(HIPPI_A_PORT_IFINDEX, "ifindex", NUMBER),
	PLAIN(HIPPI_A_PORT_IFNAME, "ifname", TEXT),
	NESTED(HIPPI_A_PORT_COUNTER, "counter", VALUES, counter_fields),
	{ 0 }
};

static void port_row(struct table *t, const struct attrs *a)
{
	char text[64];

	table_cell(t, "%s", text_of(a->tb[HIPPI_A_PORT_IFNAME]));
	table_cell(t, "%s", text_of(a->tb[HIPPI_A_PORT_LOWER_IFNAME]));
	table_cell(t, "%s", name_of(port_fields, HIPPI_A_PORT_CARRIER, a));
	table_cell(t, "%s", address_of(a->tb[HIPPI_A_PORT_ADDRESS], text, sizeof(text)));
	table_cell(t, "%llu", number_of(a->tb[HIPPI_A_PORT_PACKET_MAX]));
	table_cell(t, "%llu", number_of(a->tb[HIPPI_A_PORT_MTU]));
	table_cell(t, "%s", a->tb[HIPPI_A_PORT_UP] ? "up" : "down");
}

/* A row for each counter. */
static void counters_row(struct table *t, const struct attrs *a)
{
	const struct nlattr *attr;
	struct attrs nest;

	mnl_attr_for_each(attr, a->nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != HIPPI_A_PORT_COUNTER)
			continue;
		parse_nest(&nest, attr);
		table_cell(t, "%s", text_of(a->tb[HIPPI_A_PORT_IFNAME]));
		table_cell(t, "%s", text_of(nest.tb[HIPPI_A_COUNTER_NAME]));
		table_cell(t, "%llu", number_of(nest.tb[HIPPI_A_COUNTER_VALUE]));
	}
}

const struct kind port_kind = {
	.word = "show", .cmd = HIPPI_CMD_PORT_GET, .fields = port_fields, .row = port_row,
	TITLES("DEVICE", "LOWER", "CARRIER", "ADDRESS", "PACKET_MAX", "MTU", "STATE"),
};

const struct kind counters_kind = {
	.word = "counters", .cmd = HIPPI_CMD_COUNTERS_GET, .fields = counters_fields,
	.row = counters_row,
	TITLES("DEVICE", "COUNTER", "VALUE"),
};
