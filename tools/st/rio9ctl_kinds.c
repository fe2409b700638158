// SPDX-License-Identifier: GPL-2.0
/*
 * rio9ctl: the objects that are shown in tables.
 */
#include "rio9ctl.h"

const char *const mode_names[] = {
	"disabled", "basic", "rate", "credit", "credit-rate", "reserved-5", "reserved-6",
	"reserved-7", "user-8", "user-9", "user-10", "user-11", "user-12", "user-13", "user-14",
	"user-15", NULL
};

static const char *const type_names[] = { "basic", "rate", "credit", NULL };

/* Flows on virtual channel 0; the others have their numbers */
const char *const channel_names[] = {
	"A", "B", "C", "D", "E", "F", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", NULL
};

static const struct field counter_fields[] = {
	PLAIN(RIO9_A_COUNTER_NAME, "name", TEXT),
	PLAIN(RIO9_A_COUNTER_VALUE, "value", NUMBER),
	{ 0 }
};

static const struct field port_fields[] = {
	PLAIN(RIO9_A_PORT_IFINDEX, "ifindex", NUMBER),
	PLAIN(RIO9_A_PORT_IFNAME, "ifname", TEXT),
	PLAIN(RIO9_A_PORT_ID, "id", NUMBER),
	PLAIN(RIO9_A_PORT_ID_BITS, "id_bits", NUMBER),
	PLAIN(RIO9_A_PORT_PORT_OK, "port_ok", YES),
	PLAIN(RIO9_A_PORT_CARRIER, "carrier", YES),
	PLAIN(RIO9_A_PORT_MAX_PDU, "max_pdu", NUMBER),
	PLAIN(RIO9_A_PORT_CONTEXTS, "contexts", NUMBER),
	PLAIN(RIO9_A_PORT_OPEN, "open", NUMBER),
	PLAIN(RIO9_A_PORT_SHARE, "share", NUMBER),
	PLAIN(RIO9_A_PORT_PEERS, "peers", NUMBER),
	NAMED(RIO9_A_PORT_CHANNELS, "channels", FLAGS, channel_names),
	NAMED(RIO9_A_PORT_MAP, "map", BYTES, channel_names),
	PLAIN(RIO9_A_PORT_MTU, "mtu", NUMBER),
	NAMED(RIO9_A_PORT_TM_TYPES, "tm_types", FLAGS, type_names),
	NAMED(RIO9_A_PORT_TM_MODE, "tm_mode", NAME, mode_names),
	PLAIN(RIO9_A_PORT_OBEY_ANY, "obey_any", BOOLEAN),
	PLAIN(RIO9_A_PORT_QUEUE_MAX, "queue_max", NUMBER),
	PLAIN(RIO9_A_PORT_QUEUES_MAX, "queues_max", NUMBER),
	NESTED(RIO9_A_PORT_COUNTER, "counter", VALUES, counter_fields),
	{ 0 }
};

static const struct field stats_fields[] = {
	PLAIN(RIO9_A_PORT_IFINDEX, "ifindex", NUMBER),
	PLAIN(RIO9_A_PORT_IFNAME, "ifname", TEXT),
	NESTED(RIO9_A_PORT_COUNTER, "counter", VALUES, counter_fields),
	{ 0 }
};

static const struct field peer_fields[] = {
	PLAIN(RIO9_A_PEER_IFINDEX, "ifindex", NUMBER),
	PLAIN(RIO9_A_PEER_ID, "id", NUMBER),
	PLAIN(RIO9_A_PEER_OPEN, "open", NUMBER),
	PLAIN(RIO9_A_PEER_SHARE, "share", NUMBER),
	{ 0 }
};

static const struct field context_fields[] = {
	PLAIN(RIO9_A_CONTEXT_IFINDEX, "ifindex", NUMBER),
	PLAIN(RIO9_A_CONTEXT_SOURCE, "source", NUMBER),
	PLAIN(RIO9_A_CONTEXT_DESTINATION, "destination", NUMBER),
	NAMED(RIO9_A_CONTEXT_CHANNEL, "channel", NAME, channel_names),
	PLAIN(RIO9_A_CONTEXT_COS, "cos", NUMBER),
	PLAIN(RIO9_A_CONTEXT_STREAM, "stream", NUMBER),
	PLAIN(RIO9_A_CONTEXT_BYTES, "bytes", NUMBER),
	PLAIN(RIO9_A_CONTEXT_DISCARDED, "discarded", YES),
	PLAIN(RIO9_A_CONTEXT_IDLE, "idle", NUMBER),
	{ 0 }
};

static const char *const direction_names[] = { "out", "in", NULL };

static const struct field queue_fields[] = {
	PLAIN(RIO9_A_QUEUE_IFINDEX, "ifindex", NUMBER),
	NAMED(RIO9_A_QUEUE_DIRECTION, "direction", NAME, direction_names),
	PLAIN(RIO9_A_QUEUE_PEER, "peer", NUMBER),
	PLAIN(RIO9_A_QUEUE_COS, "cos", NUMBER),
	PLAIN(RIO9_A_QUEUE_STREAM, "stream", NUMBER),
	NAMED(RIO9_A_QUEUE_CHANNEL, "channel", NAME, channel_names),
	PLAIN(RIO9_A_QUEUE_PDUS, "pdus", NUMBER),
	PLAIN(RIO9_A_QUEUE_BYTES, "bytes", NUMBER),
	PLAIN(RIO9_A_QUEUE_LEVEL, "level", NUMBER),
	PLAIN(RIO9_A_QUEUE_HELD, "held", YES),
	{ 0 }
};

static const char *const state_names[] = { "operand", "class", "stopped", "grant", NULL };

static const struct field state_fields[] = {
	PLAIN(RIO9_A_STATE_IFINDEX, "ifindex", NUMBER),
	PLAIN(RIO9_A_STATE_PEER, "peer", NUMBER),
	NAMED(RIO9_A_STATE_KIND, "kind", NAME, state_names),
	PLAIN(RIO9_A_STATE_WILDCARD, "wildcard", NUMBER),
	PLAIN(RIO9_A_STATE_MASK, "mask", NUMBER),
	PLAIN(RIO9_A_STATE_COS, "cos", NUMBER),
	PLAIN(RIO9_A_STATE_STREAM, "stream", NUMBER),
	PLAIN(RIO9_A_STATE_XOFF, "xoff", YES),
	PLAIN(RIO9_A_STATE_AVERAGE, "average", NUMBER),
	PLAIN(RIO9_A_STATE_PEAK, "peak", NUMBER),
	PLAIN(RIO9_A_STATE_UNITS, "units", NUMBER),
	PLAIN(RIO9_A_STATE_CREDITS, "credits", NUMBER),
	PLAIN(RIO9_A_STATE_LEVEL, "level", NUMBER),
	PLAIN(RIO9_A_STATE_SLOW, "slow", YES),
	{ 0 }
};

static const struct field message_fields[] = {
	PLAIN(RIO9_A_MESSAGE_IFINDEX, "ifindex", NUMBER),
	PLAIN(RIO9_A_MESSAGE_PEER, "peer", NUMBER),
	PLAIN(RIO9_A_MESSAGE_STREAM, "stream", NUMBER),
	PLAIN(RIO9_A_MESSAGE_COS, "cos", NUMBER),
	PLAIN(RIO9_A_MESSAGE_OP, "op", NUMBER),
	PLAIN(RIO9_A_MESSAGE_WILDCARD, "wildcard", NUMBER),
	PLAIN(RIO9_A_MESSAGE_MASK, "mask", NUMBER),
	PLAIN(RIO9_A_MESSAGE_PARAM1, "param1", NUMBER),
	PLAIN(RIO9_A_MESSAGE_PARAM2, "param2", NUMBER),
	{ 0 }
};

/* The flows of a map, such as ABCE, with commas if there are numbers. */
static void map_of(const struct nlattr *attr, char *text, size_t size)
{
	const unsigned char *byte;
	unsigned int i, len;
	size_t at = 0;

	snprintf(text, size, "-");
	if (!attr)
		return;
	byte = mnl_attr_get_payload(attr);
	len = mnl_attr_get_payload_len(attr);
	for (i = 0; i < len && at < size; i++)
		at += snprintf(text + at, size - at, "%s%s", i ? "," : "",
			       byte[i] < 16 ? channel_names[byte[i]] : "?");
}

static const char *link_of(const struct attrs *a)
{
	if (!a->tb[RIO9_A_PORT_PORT_OK])
		return "down";
	return a->tb[RIO9_A_PORT_CARRIER] ? "up" : "no-id";
}

static void port_row(struct table *t, const struct attrs *a)
{
	char text[64];

	table_cell(t, "%s", text_of(a->tb[RIO9_A_PORT_IFNAME]));
	table_cell(t, "%s", number_or_dash(a->tb[RIO9_A_PORT_ID], text, sizeof(text)));
	table_cell(t, "%s", link_of(a));
	table_cell(t, "%llu", number_of(a->tb[RIO9_A_PORT_MTU]));
	table_cell(t, "%llu", number_of(a->tb[RIO9_A_PORT_MAX_PDU]));
	table_cell(t, "%llu", number_of(a->tb[RIO9_A_PORT_PEERS]));
	table_cell(t, "%llu/%llu", number_of(a->tb[RIO9_A_PORT_OPEN]),
		   number_of(a->tb[RIO9_A_PORT_CONTEXTS]));
	table_cell(t, "%s", name_of(port_fields, RIO9_A_PORT_TM_MODE, a));
	table_cell(t, "%s", number_of(a->tb[RIO9_A_PORT_OBEY_ANY]) ? "on" : "off");
	map_of(a->tb[RIO9_A_PORT_MAP], text, sizeof(text));
	table_cell(t, "%s", text);
}

static void port_more(struct table *t, const struct attrs *a)
{
	char types[64], channels[64];

	table_note(t,
		   "    id_bits %llu  share %llu  queue_max %llu  queues_max %llu  tm_types %s  channels %s",
		   number_of(a->tb[RIO9_A_PORT_ID_BITS]), number_of(a->tb[RIO9_A_PORT_SHARE]),
		   number_of(a->tb[RIO9_A_PORT_QUEUE_MAX]),
		   number_of(a->tb[RIO9_A_PORT_QUEUES_MAX]),
		   flags_of(port_fields, RIO9_A_PORT_TM_TYPES, a, ",", types, sizeof(types)),
		   flags_of(port_fields, RIO9_A_PORT_CHANNELS, a, ",", channels,
			    sizeof(channels)));
}

/* A row for each counter. */
static void stats_row(struct table *t, const struct attrs *a)
{
	const struct nlattr *attr;
	struct attrs nest;

	mnl_attr_for_each(attr, a->nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != RIO9_A_PORT_COUNTER)
			continue;
		parse_nest(&nest, attr);
		table_cell(t, "%s", text_of(a->tb[RIO9_A_PORT_IFNAME]));
		table_cell(t, "%s", text_of(nest.tb[RIO9_A_COUNTER_NAME]));
		table_cell(t, "%llu", number_of(nest.tb[RIO9_A_COUNTER_VALUE]));
	}
}

static void peer_row(struct table *t, const struct attrs *a)
{
	char text[IF_NAMESIZE];

	table_cell(t, "%s", device_of(a->tb[RIO9_A_PEER_IFINDEX], text));
	table_cell(t, "%llu", number_of(a->tb[RIO9_A_PEER_ID]));
	table_cell(t, "%llu", number_of(a->tb[RIO9_A_PEER_OPEN]));
	table_cell(t, "%llu", number_of(a->tb[RIO9_A_PEER_SHARE]));
}

static void context_row(struct table *t, const struct attrs *a)
{
	char text[64];

	table_cell(t, "%s", device_of(a->tb[RIO9_A_CONTEXT_IFINDEX], text));
	table_cell(t, "%llu", number_of(a->tb[RIO9_A_CONTEXT_SOURCE]));
	table_cell(t, "%llu", number_of(a->tb[RIO9_A_CONTEXT_DESTINATION]));
	table_cell(t, "%s", name_of(context_fields, RIO9_A_CONTEXT_CHANNEL, a));
	table_cell(t, "0x%02llx", number_of(a->tb[RIO9_A_CONTEXT_COS]));
	if (a->tb[RIO9_A_CONTEXT_STREAM])
		table_cell(t, "0x%04llx", number_of(a->tb[RIO9_A_CONTEXT_STREAM]));
	else
		table_cell(t, "-");
	table_cell(t, "%s", a->tb[RIO9_A_CONTEXT_DISCARDED] ? "discarded" :
		   number_or_dash(a->tb[RIO9_A_CONTEXT_BYTES], text, sizeof(text)));
	table_cell(t, "%llu", number_of(a->tb[RIO9_A_CONTEXT_IDLE]));
}

static void queue_row(struct table *t, const struct attrs *a)
{
	char text[IF_NAMESIZE];

	table_cell(t, "%s", device_of(a->tb[RIO9_A_QUEUE_IFINDEX], text));
	table_cell(t, "%s", name_of(queue_fields, RIO9_A_QUEUE_DIRECTION, a));
	table_cell(t, "%llu", number_of(a->tb[RIO9_A_QUEUE_PEER]));
	table_cell(t, "0x%02llx", number_of(a->tb[RIO9_A_QUEUE_COS]));
	if (a->tb[RIO9_A_QUEUE_STREAM])
		table_cell(t, "0x%04llx", number_of(a->tb[RIO9_A_QUEUE_STREAM]));
	else
		table_cell(t, "-");
	table_cell(t, "%s", name_of(queue_fields, RIO9_A_QUEUE_CHANNEL, a));
	table_cell(t, "%llu", number_of(a->tb[RIO9_A_QUEUE_PDUS]));
	table_cell(t, "%llu", number_of(a->tb[RIO9_A_QUEUE_BYTES]));
	table_cell(t, "%llu", number_of(a->tb[RIO9_A_QUEUE_LEVEL]));
	table_cell(t, "%s", a->tb[RIO9_A_QUEUE_HELD] ? "held" : "-");
}

/* What a state is about, such as cos 0x2b/00 stream 0x1234, with * for what it leaves open. */
static void operand_of(const struct attrs *a, char *text, size_t size)
{
	__u64 wildcard = number_of(a->tb[RIO9_A_STATE_WILDCARD]);
	char cos[24] = "*", stream[24] = "*";

	if (!(wildcard & 2))
		snprintf(cos, sizeof(cos), "0x%02llx/%02llx",
			 number_of(a->tb[RIO9_A_STATE_COS]), number_of(a->tb[RIO9_A_STATE_MASK]));
	if (!(wildcard & 1))
		snprintf(stream, sizeof(stream), "0x%04llx",
			 number_of(a->tb[RIO9_A_STATE_STREAM]));
	snprintf(text, size, "%s %s%s", cos, stream, wildcard & 4 ? " to all" : "");
}

static void state_row(struct table *t, const struct attrs *a)
{
	char text[64];

	table_cell(t, "%s", device_of(a->tb[RIO9_A_STATE_IFINDEX], text));
	table_cell(t, "%llu", number_of(a->tb[RIO9_A_STATE_PEER]));
	table_cell(t, "%s", name_of(state_fields, RIO9_A_STATE_KIND, a));
	operand_of(a, text, sizeof(text));
	table_cell(t, "%s", text);
	table_cell(t, "%s%s", a->tb[RIO9_A_STATE_XOFF] ? "off" : "on",
		   a->tb[RIO9_A_STATE_SLOW] ? ",slow" : "");
	table_cell(t, "%s", number_or_dash(a->tb[RIO9_A_STATE_AVERAGE], text, sizeof(text)));
	table_cell(t, "%s", number_or_dash(a->tb[RIO9_A_STATE_PEAK], text, sizeof(text)));
	table_cell(t, "%s", number_or_dash(a->tb[RIO9_A_STATE_CREDITS], text, sizeof(text)));
	table_cell(t, "%s", number_or_dash(a->tb[RIO9_A_STATE_LEVEL], text, sizeof(text)));
}

static void message_row(struct table *t, const struct attrs *a)
{
	char text[IF_NAMESIZE];

	table_cell(t, "%s", device_of(a->tb[RIO9_A_MESSAGE_IFINDEX], text));
	table_cell(t, "%llu", number_of(a->tb[RIO9_A_MESSAGE_PEER]));
	table_cell(t, "0x%04llx", number_of(a->tb[RIO9_A_MESSAGE_STREAM]));
	table_cell(t, "0x%02llx", number_of(a->tb[RIO9_A_MESSAGE_COS]));
	table_cell(t, "%llu", number_of(a->tb[RIO9_A_MESSAGE_OP]));
	table_cell(t, "%llu", number_of(a->tb[RIO9_A_MESSAGE_WILDCARD]));
	table_cell(t, "0x%02llx", number_of(a->tb[RIO9_A_MESSAGE_MASK]));
	table_cell(t, "0x%02llx", number_of(a->tb[RIO9_A_MESSAGE_PARAM1]));
	table_cell(t, "0x%02llx", number_of(a->tb[RIO9_A_MESSAGE_PARAM2]));
}

const struct kind port_kind = {
	.word = "port", .cmd = RIO9_CMD_PORT_GET, .fields = port_fields, .row = port_row,
	.more = port_more,
	TITLES("DEVICE", "ID", "LINK", "MTU", "MAX_PDU", "PEERS", "CONTEXTS", "TM_MODE",
	       "OBEY_ANY", "MAP"),
};

const struct kind stats_kind = {
	.word = "stats", .cmd = RIO9_CMD_PORT_GET, .fields = stats_fields, .row = stats_row,
	TITLES("DEVICE", "COUNTER", "VALUE"),
};

const struct kind peer_kind = {
	.word = "peer", .cmd = RIO9_CMD_PEER_GET, .fields = peer_fields, .row = peer_row,
	TITLES("DEVICE", "ID", "OPEN", "SHARE"),
};

const struct kind context_kind = {
	.word = "context", .cmd = RIO9_CMD_CONTEXT_GET, .fields = context_fields,
	.row = context_row,
	TITLES("DEVICE", "SOURCE", "DESTINATION", "CHANNEL", "COS", "STREAM", "BYTES", "IDLE"),
};

const struct kind queue_kind = {
	.word = "queue", .cmd = RIO9_CMD_QUEUE_GET, .fields = queue_fields, .row = queue_row,
	TITLES("DEVICE", "WAY", "PEER", "COS", "STREAM", "CHANNEL", "PDUS", "BYTES", "LEVEL",
	       "HELD"),
};

const struct kind state_kind = {
	.word = "tm", .cmd = RIO9_CMD_STATE_GET, .fields = state_fields, .row = state_row,
	TITLES("DEVICE", "PEER", "KIND", "COS/MASK STREAM", "STATE", "AVERAGE", "PEAK", "CREDITS",
	       "LEVEL"),
};

/* Events, not a command */
const struct kind message_kind = {
	.word = "message", .fields = message_fields, .row = message_row,
	TITLES("DEVICE", "PEER", "STREAM", "COS", "OP", "WILDCARD", "MASK", "PARAM1", "PARAM2"),
};
