// SPDX-License-Identifier: GPL-2.0
/*
 * fcport: endpoints (VIs) of FC-VI, and the counters of FC-VI.
 *
 * Uses the generic netlink family "fcvi" (Documentation/netlink/specs/fcvi.yaml).
 */
#include <assert.h>
#include <string.h>

#include <linux/fcvi_netlink.h>

#include "fcport.h"

/* put_port() names ports for both families */
static_assert((int)FCVI_A_PORT_IFINDEX == (int)FC2_A_PORT_IFINDEX &&
	      (int)FCVI_A_PORT_WWPN == (int)FC2_A_PORT_WWPN, "ports");
/* counter_fields and counter_rows() show counters of both */
static_assert((int)FCVI_A_COUNTER_NAME == (int)FC2_A_COUNTER_NAME &&
	      (int)FCVI_A_COUNTER_VALUE == (int)FC2_A_COUNTER_VALUE, "counters");

#define DISCRIM_MAX	128	/* bytes, FC-VI 7.2 */

static const char *const state_names[] = {
	[FCVI_VI_STATE_IDLE]		= "idle",
	[FCVI_VI_STATE_PENDING]		= "pending",
	[FCVI_VI_STATE_PENDING_RETRY]	= "pending-retry",
	[FCVI_VI_STATE_CONNECTED]	= "connected",
	[FCVI_VI_STATE_ERROR]		= "error",
	NULL
};

static const char *const role_names[] = {
	[FCVI_VI_ROLE_CLIENT]		= "client",
	[FCVI_VI_ROLE_SERVER]		= "server",
	[FCVI_VI_ROLE_PEER]		= "peer",
	NULL
};

static const char *const level_names[] = {
	"?",
	[FCVI_VI_LEVEL_UNRELIABLE_DELIVERY]	= "UD",
	[FCVI_VI_LEVEL_RELIABLE_DELIVERY]	= "RD",
	[FCVI_VI_LEVEL_RELIABLE_RECEPTION]	= "RR",
	NULL
};

static const struct field vi_fields[] = {
	PLAIN(FCVI_A_VI_IFINDEX, "ifindex", NUMBER),
	PLAIN(FCVI_A_VI_WWPN, "wwpn", WWN),
	NAMED(FCVI_A_VI_STATE, "state", NAME, state_names),
	NAMED(FCVI_A_VI_ROLE, "role", NAME, role_names),
	NAMED(FCVI_A_VI_LEVEL, "level", NAME, level_names),
	PLAIN(FCVI_A_VI_HANDLE, "handle", NUMBER),
	PLAIN(FCVI_A_VI_REMOTE_HANDLE, "remote_handle", NUMBER),
	PLAIN(FCVI_A_VI_LOCAL_HOST, "local_host", IP),
	PLAIN(FCVI_A_VI_LOCAL_DISCRIMINATOR, "local_discriminator", HEX),
	PLAIN(FCVI_A_VI_REMOTE_HOST, "remote_host", IP),
	PLAIN(FCVI_A_VI_REMOTE_DISCRIMINATOR, "remote_discriminator", HEX),
	PLAIN(FCVI_A_VI_REMOTE_ID, "remote_id", PORT_ID),
	PLAIN(FCVI_A_VI_REMOTE_WWPN, "remote_wwpn", WWN),
	PLAIN(FCVI_A_VI_MAX_TRANS_SIZE, "max_trans_size", NUMBER),
	PLAIN(FCVI_A_VI_PIPELINE_DEPTH, "pipeline_depth", NUMBER),
	PLAIN(FCVI_A_VI_SENDS, "sends", NUMBER),
	PLAIN(FCVI_A_VI_RECEIVES, "receives", NUMBER),
	PLAIN(FCVI_A_VI_RDMA_WRITE, "rdma_write", YES),
	PLAIN(FCVI_A_VI_RDMA_READ, "rdma_read", YES),
	PLAIN(FCVI_A_VI_PREF, "pref", YES),
	NESTED(FCVI_A_VI_COUNTER, "counter", VALUES, counter_fields),
	{ 0 }
};

static const struct field vi_counters_fields[] = {
	PLAIN(FCVI_A_PORT_IFINDEX, "ifindex", NUMBER),
	PLAIN(FCVI_A_PORT_IFNAME, "ifname", TEXT),
	PLAIN(FCVI_A_PORT_WWPN, "wwpn", WWN),
	NESTED(FCVI_A_PORT_COUNTER, "counter", VALUES, counter_fields),
	{ 0 }
};

void open_fcvi(void)
{
	nl_open(FCVI_FAMILY_NAME, "fcvi");
}

/* A counter of an endpoint by its name. */
static __u64 counter_of(const struct attrs *a, const char *name)
{
	const struct nlattr *attr;
	struct attrs nest;

	mnl_attr_for_each(attr, a->nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != FCVI_A_VI_COUNTER)
			continue;
		parse_nest(&nest, attr);
		if (!strcmp(text_of(nest.tb[FCVI_A_COUNTER_NAME]), name))
			return number_of(nest.tb[FCVI_A_COUNTER_VALUE]);
	}
	return 0;
}

static const char *handle_of(const struct nlattr *attr, char *text, size_t size)
{
	snprintf(text, size, attr ? "%08llx" : "-", number_of(attr));
	return text;
}

static void vi_row(struct table *t, const struct attrs *a)
{
	const struct nlattr *here = a->tb[FCVI_A_VI_LOCAL_HOST];
	const struct nlattr *there = a->tb[FCVI_A_VI_REMOTE_HOST];
	char text[64];

	table_cell(t, "%s", device_of(a->tb[FCVI_A_VI_IFINDEX], text));
	table_cell(t, "%s", name_of(vi_fields, FCVI_A_VI_STATE, a));
	table_cell(t, "%s", name_of(vi_fields, FCVI_A_VI_LEVEL, a));
	table_cell(t, "%s", handle_of(a->tb[FCVI_A_VI_HANDLE], text, sizeof(text)));
	table_cell(t, "%s", here ? ip_of(here, text, sizeof(text)) : "-");
	table_cell(t, "%s", there ? ip_of(there, text, sizeof(text)) : "-");
	table_cell(t, "%s", port_id_of(a->tb[FCVI_A_VI_REMOTE_ID], text, sizeof(text)));
	table_cell(t, "%s", handle_of(a->tb[FCVI_A_VI_REMOTE_HANDLE], text, sizeof(text)));
	table_cell(t, "%llu", counter_of(a, "tx_messages"));
	table_cell(t, "%llu", counter_of(a, "rx_messages"));
}

static void vi_more(struct table *t, const struct attrs *a)
{
	char text[64], there[64], hex[2 * DISCRIM_MAX + 1];
	const struct nlattr *attr;
	struct attrs nest;

	table_note(t, "    wwpn %s  remote %s  role %s",
		   wwn_of(a->tb[FCVI_A_VI_WWPN], text, sizeof(text)),
		   wwn_of(a->tb[FCVI_A_VI_REMOTE_WWPN], there, sizeof(there)),
		   name_of(vi_fields, FCVI_A_VI_ROLE, a));
	table_note(t, "    max_trans_size %llu  pipeline_depth %llu%s%s%s",
		   number_of(a->tb[FCVI_A_VI_MAX_TRANS_SIZE]),
		   number_of(a->tb[FCVI_A_VI_PIPELINE_DEPTH]),
		   a->tb[FCVI_A_VI_RDMA_WRITE] ? "  rdma_write" : "",
		   a->tb[FCVI_A_VI_RDMA_READ] ? "  rdma_read" : "",
		   a->tb[FCVI_A_VI_PREF] ? "  pref" : "");
	table_note(t, "    sends %llu  receives %llu", number_of(a->tb[FCVI_A_VI_SENDS]),
		   number_of(a->tb[FCVI_A_VI_RECEIVES]));
	if (a->tb[FCVI_A_VI_LOCAL_DISCRIMINATOR])
		table_note(t, "    local discriminator %s",
			   hex_of(a->tb[FCVI_A_VI_LOCAL_DISCRIMINATOR], hex, sizeof(hex)));
	if (a->tb[FCVI_A_VI_REMOTE_DISCRIMINATOR])
		table_note(t, "    remote discriminator %s",
			   hex_of(a->tb[FCVI_A_VI_REMOTE_DISCRIMINATOR], hex, sizeof(hex)));
	mnl_attr_for_each(attr, a->nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != FCVI_A_VI_COUNTER)
			continue;
		parse_nest(&nest, attr);
		if (number_of(nest.tb[FCVI_A_COUNTER_VALUE]))
			table_note(t, "    %s %llu", text_of(nest.tb[FCVI_A_COUNTER_NAME]),
				   number_of(nest.tb[FCVI_A_COUNTER_VALUE]));
	}
}

static void vi_counters_row(struct table *t, const struct attrs *a)
{
	counter_rows(t, a, FCVI_A_PORT_IFNAME, FCVI_A_PORT_COUNTER);
}

const struct kind vi_kind = {
	.word = "vis", .cmd = FCVI_CMD_VI_GET, .fields = vi_fields, .row = vi_row, .more = vi_more,
	TITLES("DEVICE", "STATE", "LEVEL", "HANDLE", "LOCAL", "REMOTE", "ID", "REMOTE_HANDLE",
	       "SENT", "RECEIVED"),
};

const struct kind vi_counters_kind = {
	.word = "vi-counters", .cmd = FCVI_CMD_COUNTERS_GET, .fields = vi_counters_fields,
	.row = vi_counters_row,
	TITLES("DEVICE", "WWPN", "COUNTER", "VALUE"),
};
