// SPDX-License-Identifier: GPL-2.0
/*
 * Names of the counters, and what "ip -s link" makes of them.
 */
#include <kunit/visibility.h>
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/stddef.h>

#include "port.h"
#include "stats.h"

/**
 * struct rio9_stat_row - a counter
 * @name: as ethtool has it
 * @errors: counted as an error of what was received
 * @link: offset in struct rtnl_link_stats64 of what it is counted as, too; 0 of nothing, as
 *	that is the number of packets, which the device counts
 */
struct rio9_stat_row {
	const char *name;
	bool errors;
	size_t link;
};

#define RIO9_TX(n)		{ .name = "tx_" n }
#define RIO9_PLAIN(n)		{ .name = "rx_" n }
#define RIO9_ERROR(n)		{ .name = "rx_" n, .errors = true }
#define RIO9_LINK(n, member)	{ .name = "rx_" n,					\
				  .link = offsetof(struct rtnl_link_stats64, member) }
#define RIO9_ERROR_LINK(n, member)							\
				{ .name = "rx_" n, .errors = true,			\
				  .link = offsetof(struct rtnl_link_stats64, member) }

static const struct rio9_stat_row rio9_stat_rows[] = {
	[RIO9_STAT_PDUS] = RIO9_PLAIN("pdus"),
	[RIO9_STAT_BYTES] = RIO9_PLAIN("bytes"),
	[RIO9_STAT_TM] = RIO9_PLAIN("tm"),
	[RIO9_STAT_TM_RESERVED] = RIO9_ERROR_LINK("tm_reserved", rx_frame_errors),
	[RIO9_STAT_ABORTED] = RIO9_ERROR("aborted"),
	[RIO9_STAT_MALFORMED] = RIO9_ERROR_LINK("malformed", rx_length_errors),
	[RIO9_STAT_BAD_TT] = RIO9_ERROR_LINK("bad_tt", rx_frame_errors),
	[RIO9_STAT_OTHER_FTYPE] = RIO9_LINK("other_ftype", rx_dropped),
	[RIO9_STAT_BAD_XTYPE] = RIO9_ERROR_LINK("bad_xtype", rx_frame_errors),
	[RIO9_STAT_NOT_OURS] = RIO9_LINK("not_ours", rx_dropped),
	[RIO9_STAT_BAD_MODE] = RIO9_PLAIN("bad_mode"),
	[RIO9_STAT_BAD_MTU] = RIO9_PLAIN("bad_mtu"),
	[RIO9_STAT_SINGLE_OVER_MTU] = RIO9_ERROR_LINK("single_over_mtu", rx_length_errors),
	[RIO9_STAT_START_NOT_MTU] = RIO9_ERROR_LINK("start_not_mtu", rx_length_errors),
	[RIO9_STAT_CONT_NOT_MTU] = RIO9_ERROR_LINK("cont_not_mtu", rx_length_errors),
	[RIO9_STAT_END_OVER_MTU] = RIO9_ERROR_LINK("end_over_mtu", rx_length_errors),
	[RIO9_STAT_LENGTH] = RIO9_ERROR_LINK("length", rx_length_errors),
	[RIO9_STAT_NO_START] = RIO9_ERROR("no_start"),
	[RIO9_STAT_NO_END] = RIO9_ERROR("no_end"),
	[RIO9_STAT_COS_CHANGED] = RIO9_ERROR_LINK("cos_changed", rx_frame_errors),
	[RIO9_STAT_OVER_MAX_PDU] = RIO9_ERROR_LINK("over_max_pdu", rx_length_errors),
	[RIO9_STAT_NO_CONTEXT] = RIO9_LINK("no_context", rx_missed_errors),
	[RIO9_STAT_OVER_SHARE] = RIO9_LINK("over_share", rx_missed_errors),
	[RIO9_STAT_UNKNOWN_SOURCE] = RIO9_LINK("unknown_source", rx_dropped),
	[RIO9_STAT_NO_MEMORY] = RIO9_LINK("no_memory", rx_missed_errors),
	[RIO9_STAT_TIMEOUT] = RIO9_ERROR("timeout"),
	[RIO9_STAT_MTU_CHANGED] = RIO9_ERROR("mtu_changed"),
	[RIO9_STAT_SOURCE_GONE] = RIO9_ERROR("source_gone"),
	[RIO9_STAT_GAP] = RIO9_ERROR("gap"),
	[RIO9_STAT_NO_ROOM] = RIO9_LINK("no_room", rx_missed_errors),
	[RIO9_STAT_TM_XOFF] = RIO9_PLAIN("tm_xoff"),
	[RIO9_STAT_TM_XON] = RIO9_PLAIN("tm_xon"),
	[RIO9_STAT_TM_RATE] = RIO9_PLAIN("tm_rate"),
	[RIO9_STAT_TM_ALLOCATE] = RIO9_PLAIN("tm_allocate"),
	[RIO9_STAT_TM_CREDIT_STATUS] = RIO9_PLAIN("tm_credit_status"),
	[RIO9_STAT_TM_Q_STATUS] = RIO9_PLAIN("tm_q_status"),
	[RIO9_STAT_TM_USER] = RIO9_PLAIN("tm_user"),
	[RIO9_STAT_TM_OTHER_MODE] = RIO9_PLAIN("tm_other_mode"),
	[RIO9_STAT_TM_UNKNOWN_SOURCE] = RIO9_PLAIN("tm_unknown_source"),
	[RIO9_STAT_TM_NOT_ALLOWED] = RIO9_PLAIN("tm_not_allowed"),
	[RIO9_STAT_TM_OPERANDS] = RIO9_PLAIN("tm_operands"),
	[RIO9_STAT_TM_SPANS] = RIO9_PLAIN("tm_spans"),
	[RIO9_STAT_TM_REPLACED] = RIO9_PLAIN("tm_replaced"),
	[RIO9_STAT_TM_STALE] = RIO9_PLAIN("tm_stale"),
	[RIO9_STAT_TM_NO_USER] = RIO9_PLAIN("tm_no_user"),
	[RIO9_STAT_TM_EVENTS_LOST] = RIO9_PLAIN("tm_events_lost"),
	[RIO9_STAT_TM_SENT] = RIO9_TX("tm"),
	[RIO9_STAT_TM_UNSENT] = RIO9_TX("tm_lost"),
	[RIO9_STAT_TM_RETURNED] = RIO9_TX("tm_returned"),
	[RIO9_STAT_USER_NO_ROOM] = RIO9_LINK("user_no_room", rx_missed_errors),
	[RIO9_STAT_TX_QUEUE_FULL] = RIO9_TX("queue_full"),
	[RIO9_STAT_TX_OVER_MAX_PDU] = RIO9_TX("over_max_pdu"),
	[RIO9_STAT_TX_ABORTED] = RIO9_TX("aborted"),
	[RIO9_STAT_TX_HELD] = RIO9_TX("held"),
};

static_assert(ARRAY_SIZE(rio9_stat_rows) == RIO9_STATS);
static_assert(!offsetof(struct rtnl_link_stats64, rx_packets));

/**
 * rio9_stat_name - name of a counter
 * @stat: the counter
 *
 * Return: it, as ethtool has it.
 */
const char *rio9_stat_name(enum rio9_stat stat)
{
	return rio9_stat_rows[stat].name;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_stat_name);

/**
 * rio9_stats_link - what was wrong at a port
 * @port: the port
 * @link: what its device has counted; what the port has is added
 *
 * Context: any but hard interrupts.
 */
void rio9_stats_link(struct rio9_port *port, struct rtnl_link_stats64 *link)
{
	u64 stats[RIO9_STATS];
	unsigned int i;

	rio9_port_stats(port, stats);
	for (i = 0; i < RIO9_STATS; i++) {
		const struct rio9_stat_row *row = &rio9_stat_rows[i];

		if (row->errors)
			link->rx_errors += stats[i];
		if (row->link)
			*(u64 *)((void *)link + row->link) += stats[i];
	}
}
