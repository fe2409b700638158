// SPDX-License-Identifier: GPL-2.0
/*
 * fcport: the objects that are shown in tables.
 */
#include "fcport.h"

const char *const mode_names[] = {
	[FC2_PORT_MODE_VN2VN]		= "vn2vn",
	[FC2_PORT_MODE_FABRIC]		= "fabric",
	NULL
};

static const char *const state_names[] = {
	[FC2_PORT_STATE_DOWN]		= "down",
	[FC2_PORT_STATE_START]		= "start",
	[FC2_PORT_STATE_PROBE1]		= "probe1",
	[FC2_PORT_STATE_PROBE2]		= "probe2",
	[FC2_PORT_STATE_CLAIM]		= "claim",
	[FC2_PORT_STATE_UP]		= "up",
	[FC2_PORT_STATE_SOLICIT]	= "solicit",
	[FC2_PORT_STATE_FLOGI]		= "flogi",
	NULL
};

/* Of counters of families whose names of them are as fc2's */
const struct field counter_fields[] = {
	PLAIN(FC2_A_COUNTER_NAME, "name", TEXT),
	PLAIN(FC2_A_COUNTER_VALUE, "value", NUMBER),
	{ 0 }
};

static const struct field port_fields[] = {
	PLAIN(FC2_A_PORT_IFINDEX, "ifindex", NUMBER),
	PLAIN(FC2_A_PORT_IFNAME, "ifname", TEXT),
	PLAIN(FC2_A_PORT_WWPN, "wwpn", WWN),
	PLAIN(FC2_A_PORT_WWNN, "wwnn", WWN),
	NAMED(FC2_A_PORT_MODE, "mode", NAME, mode_names),
	NAMED(FC2_A_PORT_STATE, "state", NAME, state_names),
	PLAIN(FC2_A_PORT_ID, "id", PORT_ID),
	PLAIN(FC2_A_PORT_MAC, "mac", ADDRESS),
	PLAIN(FC2_A_PORT_MFS, "mfs", NUMBER),
	PLAIN(FC2_A_PORT_R_A_TOV, "r_a_tov", NUMBER),
	PLAIN(FC2_A_PORT_E_D_TOV, "e_d_tov", NUMBER),
	PLAIN(FC2_A_PORT_ORDERED, "ordered", BOOLEAN),
	PLAIN(FC2_A_PORT_NEIGHBOURS, "neighbours", NUMBER),
	PLAIN(FC2_A_PORT_REMOTE_PORTS, "remote_ports", NUMBER),
	{ 0 }
};

static const char *const login_names[] = {
	[FC2_LOGIN_STATE_OUT]		= "out",
	[FC2_LOGIN_STATE_FLOGI]		= "flogi",
	[FC2_LOGIN_STATE_WAIT]		= "wait",
	[FC2_LOGIN_STATE_PLOGI]		= "plogi",
	[FC2_LOGIN_STATE_UP]		= "up",
	[FC2_LOGIN_STATE_RETRY]		= "retry",
	NULL
};

static const struct field neighbour_fields[] = {
	PLAIN(FC2_A_REMOTE_IFINDEX, "ifindex", NUMBER),
	PLAIN(FC2_A_REMOTE_WWPN, "wwpn", WWN),
	PLAIN(FC2_A_REMOTE_ID, "id", PORT_ID),
	PLAIN(FC2_A_REMOTE_REMOTE_WWPN, "remote_wwpn", WWN),
	PLAIN(FC2_A_REMOTE_REMOTE_WWNN, "remote_wwnn", WWN),
	PLAIN(FC2_A_REMOTE_MAC, "mac", ADDRESS),
	PLAIN(FC2_A_REMOTE_ENODE_MAC, "enode_mac", ADDRESS),
	PLAIN(FC2_A_REMOTE_FCOE_SIZE, "fcoe_size", NUMBER),
	PLAIN(FC2_A_REMOTE_AGE, "age", NUMBER),
	{ 0 }
};

static const struct field remote_fields[] = {
	PLAIN(FC2_A_REMOTE_IFINDEX, "ifindex", NUMBER),
	PLAIN(FC2_A_REMOTE_WWPN, "wwpn", WWN),
	PLAIN(FC2_A_REMOTE_ID, "id", PORT_ID),
	PLAIN(FC2_A_REMOTE_REMOTE_WWPN, "remote_wwpn", WWN),
	PLAIN(FC2_A_REMOTE_REMOTE_WWNN, "remote_wwnn", WWN),
	PLAIN(FC2_A_REMOTE_MAC, "mac", ADDRESS),
	NAMED(FC2_A_REMOTE_LOGIN, "login", NAME, login_names),
	PLAIN(FC2_A_REMOTE_MFS, "mfs", NUMBER),
	PLAIN(FC2_A_REMOTE_SEQ_CNT, "seq_cnt", YES),
	PLAIN(FC2_A_REMOTE_REL_OFF, "rel_off", YES),
	{ 0 }
};

static const struct field errors_fields[] = {
	PLAIN(FC2_A_ASK_IFINDEX, "ifindex", NUMBER),
	PLAIN(FC2_A_ASK_WWPN, "wwpn", WWN),
	PLAIN(FC2_A_ASK_ID, "id", PORT_ID),
	PLAIN(FC2_A_ASK_LINK_FAILURES, "link_failures", NUMBER),
	PLAIN(FC2_A_ASK_VLINK_FAILURES, "vlink_failures", NUMBER),
	PLAIN(FC2_A_ASK_MISSED_KEEP_ALIVES, "missed_keep_alives", NUMBER),
	PLAIN(FC2_A_ASK_SYMBOL_ERRORS, "symbol_errors", NUMBER),
	PLAIN(FC2_A_ASK_BLOCK_ERRORS, "block_errors", NUMBER),
	PLAIN(FC2_A_ASK_FCS_ERRORS, "fcs_errors", NUMBER),
	{ 0 }
};

static const struct field farp_fields[] = {
	PLAIN(FC2_A_FARP_IFINDEX, "ifindex", NUMBER),
	PLAIN(FC2_A_FARP_WWPN, "wwpn", WWN),
	PLAIN(FC2_A_FARP_IP, "ip", IP),
	PLAIN(FC2_A_FARP_ID, "id", PORT_ID),
	PLAIN(FC2_A_FARP_REMOTE_WWPN, "remote_wwpn", WWN),
	{ 0 }
};

static const struct field fcf_fields[] = {
	PLAIN(FC2_A_FCF_IFINDEX, "ifindex", NUMBER),
	PLAIN(FC2_A_FCF_WWPN, "wwpn", WWN),
	PLAIN(FC2_A_FCF_MAC, "mac", ADDRESS),
	PLAIN(FC2_A_FCF_SWITCH_NAME, "switch_name", WWN),
	PLAIN(FC2_A_FCF_FABRIC_NAME, "fabric_name", WWN),
	PLAIN(FC2_A_FCF_VFID, "vfid", NUMBER),
	PLAIN(FC2_A_FCF_PRIORITY, "priority", NUMBER),
	PLAIN(FC2_A_FCF_INTERVAL, "interval", NUMBER),
	PLAIN(FC2_A_FCF_USABLE, "usable", YES),
	PLAIN(FC2_A_FCF_REFUSED, "refused", YES),
	PLAIN(FC2_A_FCF_CHOSEN, "chosen", YES),
	{ 0 }
};

static const struct field counters_fields[] = {
	PLAIN(FC2_A_PORT_IFINDEX, "ifindex", NUMBER),
	PLAIN(FC2_A_PORT_IFNAME, "ifname", TEXT),
	PLAIN(FC2_A_PORT_WWPN, "wwpn", WWN),
	NESTED(FC2_A_PORT_COUNTER, "counter", VALUES, counter_fields),
	{ 0 }
};

static void port_row(struct table *t, const struct attrs *a)
{
	char text[64];

	table_cell(t, "%s", text_of(a->tb[FC2_A_PORT_IFNAME]));
	table_cell(t, "%s", wwn_of(a->tb[FC2_A_PORT_WWPN], text, sizeof(text)));
	table_cell(t, "%s", name_of(port_fields, FC2_A_PORT_STATE, a));
	table_cell(t, "%s", port_id_of(a->tb[FC2_A_PORT_ID], text, sizeof(text)));
	table_cell(t, "%llu", number_of(a->tb[FC2_A_PORT_MFS]));
	table_cell(t, "%llu", number_of(a->tb[FC2_A_PORT_NEIGHBOURS]));
	table_cell(t, "%llu", number_of(a->tb[FC2_A_PORT_REMOTE_PORTS]));
}

static void port_more(struct table *t, const struct attrs *a)
{
	char wwnn[64], mac[64] = "-";

	if (a->tb[FC2_A_PORT_MAC])
		address_of(a->tb[FC2_A_PORT_MAC], mac, sizeof(mac));
	table_note(t, "    wwnn %s  mac %s  mode %s  r_a_tov %llu  e_d_tov %llu  order %s",
		   wwn_of(a->tb[FC2_A_PORT_WWNN], wwnn, sizeof(wwnn)), mac,
		   name_of(port_fields, FC2_A_PORT_MODE, a),
		   number_of(a->tb[FC2_A_PORT_R_A_TOV]), number_of(a->tb[FC2_A_PORT_E_D_TOV]),
		   number_of(a->tb[FC2_A_PORT_ORDERED]) ? "in" : "out");
}

/* A row for each counter of a port: of a family whose names of ports and counters are as fc2's. */
void counter_rows(struct table *t, const struct attrs *a, int ifname, int counter)
{
	const struct nlattr *attr;
	struct attrs nest;
	char text[64];

	mnl_attr_for_each(attr, a->nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != counter)
			continue;
		parse_nest(&nest, attr);
		table_cell(t, "%s", text_of(a->tb[ifname]));
		table_cell(t, "%s", wwn_of(a->tb[FC2_A_PORT_WWPN], text, sizeof(text)));
		table_cell(t, "%s", text_of(nest.tb[FC2_A_COUNTER_NAME]));
		table_cell(t, "%llu", number_of(nest.tb[FC2_A_COUNTER_VALUE]));
	}
}

static void counters_row(struct table *t, const struct attrs *a)
{
	counter_rows(t, a, FC2_A_PORT_IFNAME, FC2_A_PORT_COUNTER);
}

static void remote_names(struct table *t, const struct attrs *a)
{
	char text[64];

	table_cell(t, "%s", device_of(a->tb[FC2_A_REMOTE_IFINDEX], text));
	table_cell(t, "%s", port_id_of(a->tb[FC2_A_REMOTE_ID], text, sizeof(text)));
	table_cell(t, "%s", wwn_of(a->tb[FC2_A_REMOTE_REMOTE_WWPN], text, sizeof(text)));
}

/* Which of several ports knows it, and its other names. */
static void remote_more(struct table *t, const struct attrs *a)
{
	char wwpn[64], wwnn[64], mac[64];

	table_note(t, "    wwnn %s  mac %s  known to %s",
		   wwn_of(a->tb[FC2_A_REMOTE_REMOTE_WWNN], wwnn, sizeof(wwnn)),
		   address_of(a->tb[FC2_A_REMOTE_MAC], mac, sizeof(mac)),
		   wwn_of(a->tb[FC2_A_REMOTE_WWPN], wwpn, sizeof(wwpn)));
}

static void neighbour_row(struct table *t, const struct attrs *a)
{
	char text[64];

	remote_names(t, a);
	table_cell(t, "%s", address_of(a->tb[FC2_A_REMOTE_ENODE_MAC], text, sizeof(text)));
	table_cell(t, "%llu", number_of(a->tb[FC2_A_REMOTE_FCOE_SIZE]));
	table_cell(t, "%llu", number_of(a->tb[FC2_A_REMOTE_AGE]));
}

/* Events have no state of the login: they say it. */
static void remote_row(struct table *t, const struct attrs *a)
{
	char text[64];

	remote_names(t, a);
	table_cell(t, "%s", name_of(remote_fields, FC2_A_REMOTE_LOGIN, a));
	table_cell(t, "%s", number_or_dash(a->tb[FC2_A_REMOTE_MFS], text, sizeof(text)));
	table_cell(t, "%s%s%s", a->tb[FC2_A_REMOTE_SEQ_CNT] ? "S" : "",
		   a->tb[FC2_A_REMOTE_REL_OFF] ? "C" : "",
		   a->tb[FC2_A_REMOTE_SEQ_CNT] || a->tb[FC2_A_REMOTE_REL_OFF] ? "" : "-");
}

static void farp_row(struct table *t, const struct attrs *a)
{
	char text[64];

	table_cell(t, "%s", device_of(a->tb[FC2_A_FARP_IFINDEX], text));
	table_cell(t, "%s", ip_of(a->tb[FC2_A_FARP_IP], text, sizeof(text)));
	table_cell(t, "%s", port_id_of(a->tb[FC2_A_FARP_ID], text, sizeof(text)));
	table_cell(t, "%s", wwn_of(a->tb[FC2_A_FARP_REMOTE_WWPN], text, sizeof(text)));
}

static const char *fcf_state(const struct attrs *a)
{
	if (a->tb[FC2_A_FCF_CHOSEN])
		return "chosen";
	if (a->tb[FC2_A_FCF_REFUSED])
		return "refused";
	return a->tb[FC2_A_FCF_USABLE] ? "usable" : "-";
}

static void fcf_row(struct table *t, const struct attrs *a)
{
	char text[64];

	table_cell(t, "%s", device_of(a->tb[FC2_A_FCF_IFINDEX], text));
	table_cell(t, "%s", address_of(a->tb[FC2_A_FCF_MAC], text, sizeof(text)));
	table_cell(t, "%s", wwn_of(a->tb[FC2_A_FCF_SWITCH_NAME], text, sizeof(text)));
	table_cell(t, "%s", wwn_of(a->tb[FC2_A_FCF_FABRIC_NAME], text, sizeof(text)));
	table_cell(t, "%llu", number_of(a->tb[FC2_A_FCF_VFID]));
	table_cell(t, "%llu", number_of(a->tb[FC2_A_FCF_PRIORITY]));
	table_cell(t, "%llu", number_of(a->tb[FC2_A_FCF_INTERVAL]));
	table_cell(t, "%s", fcf_state(a));
}

static void errors_row(struct table *t, const struct attrs *a)
{
	char text[64];
	int i;

	table_cell(t, "%s", port_id_of(a->tb[FC2_A_ASK_ID], text, sizeof(text)));
	for (i = FC2_A_ASK_LINK_FAILURES; i <= FC2_A_ASK_FCS_ERRORS; i++)
		table_cell(t, "%llu", number_of(a->tb[i]));
}

const struct kind port_kind = {
	.word = "port", .cmd = FC2_CMD_PORT_GET, .fields = port_fields, .row = port_row,
	.more = port_more,
	TITLES("DEVICE", "WWPN", "STATE", "ID", "MFS", "NEIGHBOURS", "LOGGED_IN"),
};

const struct kind counters_kind = {
	.word = "counters", .cmd = FC2_CMD_COUNTERS_GET, .fields = counters_fields,
	.row = counters_row,
	TITLES("DEVICE", "WWPN", "COUNTER", "VALUE"),
};

const struct kind neighbour_kind = {
	.word = "neighbours", .cmd = FC2_CMD_NEIGHBOUR_GET, .fields = neighbour_fields,
	.row = neighbour_row, .more = remote_more,
	TITLES("DEVICE", "ID", "WWPN", "ENODE", "FCOE_SIZE", "AGE"),
};

const struct kind remote_kind = {
	.word = "remote", .cmd = FC2_CMD_REMOTE_GET, .fields = remote_fields, .row = remote_row,
	.more = remote_more,
	TITLES("DEVICE", "ID", "WWPN", "LOGIN", "MFS", "BITS"),
};

const struct kind farp_kind = {
	.word = "farp", .cmd = FC2_CMD_FARP_GET, .fields = farp_fields, .row = farp_row,
	TITLES("DEVICE", "IP", "ID", "WWPN"),
};

const struct kind fcf_kind = {
	.word = "switches", .cmd = FC2_CMD_FCF_GET, .fields = fcf_fields, .row = fcf_row,
	TITLES("DEVICE", "MAC", "SWITCH", "FABRIC", "VFID", "PRIORITY", "INTERVAL", "STATE"),
};

/* Of one remote port */
const struct kind errors_kind = {
	.word = "errors", .cmd = FC2_CMD_LINK_ERRORS_GET, .fields = errors_fields,
	.row = errors_row,
	TITLES("ID", "LINK", "VLINK", "KEEP_ALIVE", "SYMBOL", "BLOCK", "FCS"),
};
