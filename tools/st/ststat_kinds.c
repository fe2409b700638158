// SPDX-License-Identifier: GPL-2.0
/*
 * ststat: the objects that are shown in tables.
 */
#include <stdio.h>

#include "ststat.h"

/* Filters of Virtual Connections and of their objects */
#define FILTERS(what)							\
	.filters = {							\
		[FILTER_COOKIE] = ST_A_##what##_COOKIE,			\
		[FILTER_PORT] = ST_A_##what##_LOCAL_PORT,		\
		[FILTER_REMOTE_PORT] = ST_A_##what##_REMOTE_PORT,	\
		[FILTER_DEVICE] = ST_A_##what##_IFINDEX,		\
		[FILTER_REMOTE] = ST_A_##what##_REMOTE_ADDRESS,		\
		[FILTER_UID] = ST_A_##what##_UID,			\
	}

/* Largest STUs by channel, such as 1:128K,3:1M. */
static void channels_of(const struct nlmsghdr *nlh, char *text, size_t size)
{
	const struct nlattr *attr;
	struct attrs nest;
	char stu[24];
	size_t at = 0;

	snprintf(text, size, "-");
	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != ST_A_LINK_CHANNEL || at >= size)
			continue;
		parse_nest(&nest, attr);
		bytes_of(number_of(nest.tb[ST_A_CHANNEL_MAX_STU]), stu, sizeof(stu));
		at += snprintf(text + at, size - at, "%s%llu:%s", at ? "," : "",
			       number_of(nest.tb[ST_A_CHANNEL_INDEX]), stu);
	}
}

static void link_row(struct table *t, const struct attrs *a)
{
	char text[128];

	table_cell(t, "%s", text_of(a->tb[ST_A_LINK_IFNAME]));
	table_cell(t, "%s", text_of(a->tb[ST_A_LINK_LLP]));
	table_cell(t, "%s", name_of(link_fields, ST_A_LINK_STATE, a));
	table_cell(t, "%s", address_or_text(a, ST_A_LINK_ADDRESS, ST_A_LINK_ADDRESS_TEXT,
					    text, sizeof(text)));
	channels_of(a->nlh, text, sizeof(text));
	table_cell(t, "%s", text);
	table_cell(t, "%llu", number_of(a->tb[ST_A_LINK_VCS]));
	table_cell(t, "%s", text_of(a->tb[ST_A_LINK_REASON]));
}

static __u64 sum_of(const struct field *fields, const struct nlattr *nest)
{
	__u64 sum = 0;
	struct attrs a;

	parse_nest(&a, nest);
	for (; fields->name; fields++)
		sum += number_of(a.tb[fields->attr]);
	return sum;
}

/* The device of a listener; not the name of another device with the same index. */
static const char *port_device(const struct attrs *a, char name[IF_NAMESIZE])
{
	if (!a->tb[ST_A_PORT_LISTENING])
		return "-";
	return a->tb[ST_A_PORT_DEVICE_GONE] ? "gone" : device_of(a->tb[ST_A_PORT_IFINDEX], name);
}

static void port_row(struct table *t, const struct attrs *a)
{
	bool listening = a->tb[ST_A_PORT_LISTENING];
	char text[64];

	table_cell(t, "%llu", number_of(a->tb[ST_A_PORT_PORT]));
	table_cell(t, "%s", listening ? "listening" : "-");
	table_cell(t, "%s", port_device(a, text));
	table_cell(t, "%s", listening ? address_of(a->tb[ST_A_PORT_ADDRESS], text,
						   sizeof(text)) : "-");
	if (listening)
		table_cell(t, "%llu/%llu", number_of(a->tb[ST_A_PORT_BACKLOG]),
			   number_of(a->tb[ST_A_PORT_MAX_BACKLOG]));
	else
		table_cell(t, "-");
	table_cell(t, "%llu", number_of(a->tb[ST_A_PORT_SOCKETS]));
	table_cell(t, "%s", number_or_dash(a->tb[ST_A_PORT_UID], text, sizeof(text)));
	table_cell(t, "%s", number_or_dash(a->tb[ST_A_PORT_INODE], text, sizeof(text)));
	table_cell(t, "%llu", sum_of(error_fields, a->tb[ST_A_PORT_ERRORS]));
}

/* Logged errors, and for some the Op of the last one. */
static void port_more(struct table *t, const struct attrs *a)
{
	const struct field *f;
	struct attrs errors;

	parse_nest(&errors, a->tb[ST_A_PORT_ERRORS]);
	for (f = error_fields; f->name; f++) {
		if (!number_of(errors.tb[f->attr]))
			continue;
		if (f->attr == ST_A_ERRORS_UNDEFINED_OPCODE)
			table_note(t, "    %s %llu (last Op 0x%02llx)", f->name,
				   number_of(errors.tb[f->attr]),
				   number_of(a->tb[ST_A_PORT_UNDEFINED_OPCODE_VALUE]));
		else if (f->attr == ST_A_ERRORS_UNEXPECTED_OPCODE)
			table_note(t, "    %s %llu (last Op 0x%02llx)", f->name,
				   number_of(errors.tb[f->attr]),
				   number_of(a->tb[ST_A_PORT_UNEXPECTED_OPCODE_VALUE]));
		else
			table_note(t, "    %s %llu", f->name, number_of(errors.tb[f->attr]));
	}
}

static void vc_row(struct table *t, const struct attrs *a)
{
	char text[64];

	table_cell(t, "%s", name_of(vc_fields, ST_A_VC_STATE, a));
	table_cell(t, "%s", device_of(a->tb[ST_A_VC_IFINDEX], text));
	table_cell(t, "%llu", number_of(a->tb[ST_A_VC_RX_QUEUED]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_VC_TX_QUEUED]));
	table_cell(t, "%s %llu",
		   address_or_text(a, ST_A_VC_LOCAL_ADDRESS, ST_A_VC_LOCAL_ADDRESS_TEXT, text,
				   sizeof(text)),
		   number_of(a->tb[ST_A_VC_LOCAL_PORT]));
	table_cell(t, "%s %llu",
		   address_or_text(a, ST_A_VC_REMOTE_ADDRESS, ST_A_VC_REMOTE_ADDRESS_TEXT, text,
				   sizeof(text)),
		   number_of(a->tb[ST_A_VC_REMOTE_PORT]));
	table_cell(t, "%s", number_or_dash(a->tb[ST_A_VC_UID], text, sizeof(text)));
	table_cell(t, "%s", number_or_dash(a->tb[ST_A_VC_INODE], text, sizeof(text)));
	table_cell(t, "%s", text_of(a->tb[ST_A_VC_LLP]));
	table_cell(t, "%s", bytes_or_dash(a->tb[ST_A_VC_TX_STU], text, sizeof(text)));
	table_cell(t, "%s", bytes_or_dash(a->tb[ST_A_VC_LOCAL_MAX_STU], text, sizeof(text)));
}

/* The offers of both ends: this end's, then the other's. */
static void vc_setup(struct table *t, const struct attrs *a)
{
	char slots[24], size[2][24], stu[2][24], keys[64] = "";

	if (a->tb[ST_A_VC_LOCAL_KEY])
		snprintf(keys, sizeof(keys), "  keys 0x%08llx/0x%08llx",
			 number_of(a->tb[ST_A_VC_LOCAL_KEY]), number_of(a->tb[ST_A_VC_REMOTE_KEY]));
	table_note(t, "    slots %llu/%s  bufsize %s/%s  max_stu %s/%s%s",
		   number_of(a->tb[ST_A_VC_LOCAL_SLOTS]),
		   number_or_dash(a->tb[ST_A_VC_REMOTE_SLOTS], slots, sizeof(slots)),
		   bytes_or_dash(a->tb[ST_A_VC_LOCAL_BUFSIZE], size[0], sizeof(size[0])),
		   bytes_or_dash(a->tb[ST_A_VC_REMOTE_BUFSIZE], size[1], sizeof(size[1])),
		   bytes_or_dash(a->tb[ST_A_VC_LOCAL_MAX_STU], stu[0], sizeof(stu[0])),
		   bytes_or_dash(a->tb[ST_A_VC_REMOTE_MAX_STU], stu[1], sizeof(stu[1])), keys);
}

/* The paths of a striped Virtual Connection. */
static void vc_paths(struct table *t, const struct nlmsghdr *nlh)
{
	const struct nlattr *attr;
	char text[64], device[IF_NAMESIZE];
	struct attrs a;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != ST_A_VC_PATH)
			continue;
		parse_nest(&a, attr);
		table_note(t,
			   "    path %s %s %s %s  blocks %llu/%llu  tx_bytes %llu  rx_bytes %llu",
			   device_of(a.tb[ST_A_PATH_IFINDEX], device),
			   text_of(a.tb[ST_A_PATH_LLP]),
			   address_or_text(&a, ST_A_PATH_REMOTE_ADDRESS,
					   ST_A_PATH_REMOTE_ADDRESS_TEXT, text, sizeof(text)),
			   name_of(path_fields, ST_A_PATH_STATE, &a),
			   number_of(a.tb[ST_A_PATH_BLOCKS]), number_of(a.tb[ST_A_PATH_QUOTA]),
			   number_of(a.tb[ST_A_PATH_TX_BYTES]),
			   number_of(a.tb[ST_A_PATH_RX_BYTES]));
	}
}

static void vc_more(struct table *t, const struct attrs *a)
{
	struct attrs counters;
	const struct field *f;
	char line[512], idle[24], rtt[2][24];
	size_t at = 0;

	vc_setup(t, a);
	table_note(t, "    cookie %llu  rtt %s us  rtt_var %s us  op_timeout %llu us",
		   number_of(a->tb[ST_A_VC_COOKIE]),
		   number_or_dash(a->tb[ST_A_VC_RTT], rtt[0], sizeof(rtt[0])),
		   number_or_dash(a->tb[ST_A_VC_RTT_VAR], rtt[1], sizeof(rtt[1])),
		   number_of(a->tb[ST_A_VC_OP_TIMEOUT]));
	table_note(t, "    flags %s  idle %s ms  memory %llu",
		   flags_of(vc_fields, ST_A_VC_FLAGS, a, " ", line, sizeof(line)),
		   number_or_dash(a->tb[ST_A_VC_IDLE], idle, sizeof(idle)),
		   number_of(a->tb[ST_A_VC_RX_MEMORY]));

	parse_nest(&counters, a->tb[ST_A_VC_COUNTERS]);
	for (f = vc_counter_fields; f->name && at < sizeof(line); f++)
		at += snprintf(line + at, sizeof(line) - at, "  %s %llu", f->name,
			       number_of(counters.tb[f->attr]));
	table_note(t, "  %s", line);
	vc_paths(t, a->nlh);
}

static void transfer_row(struct table *t, const struct attrs *a)
{
	char text[64];

	table_cell(t, "%s", name_of(transfer_fields, ST_A_TRANSFER_DIRECTION, a));
	table_cell(t, "%s", name_of(transfer_fields, ST_A_TRANSFER_STATE, a));
	table_cell(t, "%s", device_of(a->tb[ST_A_TRANSFER_IFINDEX], text));
	table_cell(t, "%llu", number_of(a->tb[ST_A_TRANSFER_LOCAL_PORT]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_TRANSFER_REMOTE_PORT]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_TRANSFER_ID]));
	table_cell(t, "%s", number_or_dash(a->tb[ST_A_TRANSFER_REMOTE_ID], text, sizeof(text)));
	table_cell(t, "%s", number_or_dash(a->tb[ST_A_TRANSFER_LENGTH], text, sizeof(text)));
	table_cell(t, "%s", number_or_dash(a->tb[ST_A_TRANSFER_DONE], text, sizeof(text)));
	table_cell(t, "%s", bytes_or_dash(a->tb[ST_A_TRANSFER_BLOCKSIZE], text, sizeof(text)));
	table_cell(t, "%llu", number_of(a->tb[ST_A_TRANSFER_BLOCKS]));
}

static void region_row(struct table *t, const struct attrs *a)
{
	char text[64];

	table_cell(t, "%s", name_of(region_fields, ST_A_REGION_KIND, a));
	table_cell(t, "%s", name_of(region_fields, ST_A_REGION_STATE, a));
	table_cell(t, "%s", device_of(a->tb[ST_A_REGION_IFINDEX], text));
	table_cell(t, "%llu", number_of(a->tb[ST_A_REGION_LOCAL_PORT]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_REGION_REMOTE_PORT]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_REGION_ID]));
	table_cell(t, "%s", number_or_dash(a->tb[ST_A_REGION_REMOTE_ID], text, sizeof(text)));
	table_cell(t, "%s", flags_of(region_fields, ST_A_REGION_ACCESS, a, ",", text,
				     sizeof(text)));
	table_cell(t, "%llu", number_of(a->tb[ST_A_REGION_LENGTH]));
	table_cell(t, "%s", number_or_dash(a->tb[ST_A_REGION_SIZE], text, sizeof(text)));
	table_cell(t, "%llu", number_of(a->tb[ST_A_REGION_PUTS]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_REGION_GETS]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_REGION_FETCHOPS]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_REGION_OUTSTANDING]));
}

const struct kind link_kind = {
	.word = "link", .cmd = ST_CMD_LINK_GET, .filters[FILTER_DEVICE] = ST_A_LINK_IFINDEX,
	.fields = link_fields, .row = link_row,
	TITLES("DEVICE", "LLP", "STATE", "ADDRESS", "MAX_STU", "VCS", "REASON"),
};

const struct kind port_kind = {
	.word = "port", .cmd = ST_CMD_PORT_GET,
	.filters = {
		[FILTER_PORT] = ST_A_PORT_PORT,
		[FILTER_DEVICE] = ST_A_PORT_IFINDEX,
		[FILTER_UID] = ST_A_PORT_UID,
	},
	.fields = port_fields, .row = port_row, .more = port_more,
	TITLES("PORT", "STATE", "DEVICE", "ADDRESS", "BACKLOG", "SOCKETS", "UID",
	       "INODE", "ERRORS"),
};

const struct kind vc_kind = {
	.word = "vc", .cmd = ST_CMD_VC_GET, FILTERS(VC),
	.fields = vc_fields, .row = vc_row, .more = vc_more,
	TITLES("STATE", "DEVICE", "RX_QUEUED", "TX_QUEUED", "LOCAL", "REMOTE", "UID", "INODE",
	       "LLP", "TX_STU", "RX_STU"),
};

const struct kind transfer_kind = {
	.word = "transfer", .cmd = ST_CMD_TRANSFER_GET, FILTERS(TRANSFER),
	.fields = transfer_fields, .row = transfer_row,
	TITLES("DIRECTION", "STATE", "DEVICE", "LOCAL", "REMOTE", "ID", "REMOTE_ID", "LENGTH",
	       "DONE", "BLOCKSIZE", "BLOCKS"),
};

const struct kind region_kind = {
	.word = "region", .cmd = ST_CMD_REGION_GET, FILTERS(REGION),
	.fields = region_fields, .row = region_row,
	TITLES("KIND", "STATE", "DEVICE", "LOCAL", "REMOTE", "ID", "REMOTE_ID", "ACCESS",
	       "LENGTH", "SIZE", "PUTS", "GETS", "FETCHOPS", "OUTSTANDING"),
};

/* A row for each address; hosts have no names, so they are numbered. */
static void stripe_row(struct table *t, const struct attrs *a)
{
	static unsigned int host;
	const struct nlattr *attr;
	struct attrs nest;
	char text[64];

	host++;
	mnl_attr_for_each(attr, a->nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != ST_A_STRIPE_ADDRESS)
			continue;
		parse_nest(&nest, attr);
		table_cell(t, "%u", host);
		table_cell(t, "%s", device_of(nest.tb[ST_A_HOST_ADDRESS_IFINDEX], text));
		table_cell(t, "%s", text_of(nest.tb[ST_A_HOST_ADDRESS_LLP]));
		table_cell(t, "%s", address_or_text(&nest, ST_A_HOST_ADDRESS_ADDRESS,
						    ST_A_HOST_ADDRESS_ADDRESS_TEXT, text,
						    sizeof(text)));
	}
}

const struct kind stripe_kind = {
	.word = "stripe", .cmd = ST_CMD_STRIPE_GET, .fields = stripe_fields, .row = stripe_row,
	TITLES("HOST", "DEVICE", "LLP", "ADDRESS"),
};
