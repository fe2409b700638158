// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of a port.
 */
#include <kunit/visibility.h>
#include <linux/kernel.h>
#include <linux/percpu.h>

#include "port.h"
#include "stats.h"

static const char * const fc2_stat_names[] = {
	[FC2_STAT_RX_FRAMES] = "rx_frames",
	[FC2_STAT_RX_BYTES] = "rx_bytes",
	[FC2_STAT_TX_FRAMES] = "tx_frames",
	[FC2_STAT_TX_BYTES] = "tx_bytes",
	[FC2_STAT_TX_DROPPED] = "tx_dropped",
	[FC2_STAT_TX_NO_MEMORY] = "tx_no_memory",
	[FC2_STAT_LOCAL_FRAMES] = "local_frames",
	[FC2_STAT_LOCAL_FULL] = "local_full",
	[FC2_STAT_RX_SHORT] = "rx_short",
	[FC2_STAT_RX_VERSION] = "rx_version",
	[FC2_STAT_RX_DELIMITER] = "rx_delimiter",
	[FC2_STAT_RX_CLASS] = "rx_class",
	[FC2_STAT_RX_CRC] = "rx_crc",
	[FC2_STAT_RX_LENGTH] = "rx_length",
	[FC2_STAT_RX_DOWN] = "rx_down",
	[FC2_STAT_RX_D_ID] = "rx_d_id",
	[FC2_STAT_RX_S_ID] = "rx_s_id",
	[FC2_STAT_RX_TYPE] = "rx_type",
	[FC2_STAT_RX_R_CTL] = "rx_r_ctl",
	[FC2_STAT_RX_NO_LOGIN] = "rx_no_login",
	[FC2_STAT_RX_XID] = "rx_xid",
	[FC2_STAT_RX_SEQ_CNT] = "rx_seq_cnt",
	[FC2_STAT_RX_DOUBLE] = "rx_double",
	[FC2_STAT_RX_EXCH_FULL] = "rx_exch_full",
	[FC2_STAT_RX_REFUSED] = "rx_refused",
	[FC2_STAT_RX_NO_MEMORY] = "rx_no_memory",
	[FC2_STAT_EXCH_OPENED] = "exch_opened",
	[FC2_STAT_EXCH_ACCEPTED] = "exch_accepted",
	[FC2_STAT_EXCH_TIMEOUT] = "exch_timeout",
	[FC2_STAT_EXCH_EVICTED] = "exch_evicted",
	[FC2_STAT_ABTS_SENT] = "abts_sent",
	[FC2_STAT_ABTS_RECEIVED] = "abts_received",
	[FC2_STAT_BA_ACC_RECEIVED] = "ba_acc_received",
	[FC2_STAT_BA_RJT_RECEIVED] = "ba_rjt_received",
	[FC2_STAT_BA_RJT_SENT] = "ba_rjt_sent",
	[FC2_STAT_ELS_RECEIVED] = "els_received",
	[FC2_STAT_ELS_FULL] = "els_full",
	[FC2_STAT_ELS_BAD] = "els_bad",
	[FC2_STAT_ELS_REJECTED] = "els_rejected",
	[FC2_STAT_ELS_UNANSWERED] = "els_unanswered",
	[FC2_STAT_FIP_RECEIVED] = "fip_received",
	[FC2_STAT_FIP_SENT] = "fip_sent",
	[FC2_STAT_FIP_FULL] = "fip_full",
	[FC2_STAT_FIP_BAD] = "fip_bad",
	[FC2_STAT_FIP_OTHER] = "fip_other",
	[FC2_STAT_FIP_SIZE] = "fip_size",
	[FC2_STAT_FIP_COLLISION] = "fip_collision",
	[FC2_STAT_NEIGHBOURS_FULL] = "neighbours_full",
	[FC2_STAT_NEIGHBOUR_NEW] = "neighbour_new",
	[FC2_STAT_NEIGHBOUR_GONE] = "neighbour_gone",
	[FC2_STAT_LOGIN] = "login",
	[FC2_STAT_LOGIN_REFUSED] = "login_refused",
	[FC2_STAT_LOGOUT] = "logout",
	[FC2_STAT_FARP_ASKED] = "farp_asked",
	[FC2_STAT_FARP_ANSWERED] = "farp_answered",
	[FC2_STAT_FARP_LEARNT] = "farp_learnt",
	[FC2_STAT_FARP_IGNORED] = "farp_ignored",
};

static_assert(ARRAY_SIZE(fc2_stat_names) == FC2_STATS);

/**
 * fc2_stat_add - count
 * @port: the port
 * @stat: what
 * @n: how many
 *
 * Context: any but hard interrupts.
 */
void fc2_stat_add(struct fc2_port *port, enum fc2_stat stat, unsigned int n)
{
	struct fc2_stats *stats;

	local_bh_disable();
	stats = this_cpu_ptr(port->stats);
	u64_stats_update_begin(&stats->syncp);
	u64_stats_add(&stats->v[stat], n);
	u64_stats_update_end(&stats->syncp);
	local_bh_enable();
}
EXPORT_SYMBOL_IF_KUNIT(fc2_stat_add);

/**
 * fc2_stat_read - a counter of a port
 * @port: the port
 * @stat: which
 *
 * Return: its value.
 */
u64 fc2_stat_read(const struct fc2_port *port, enum fc2_stat stat)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct fc2_stats *stats = per_cpu_ptr(port->stats, cpu);
		unsigned int start;
		u64 v;

		do {
			start = u64_stats_fetch_begin(&stats->syncp);
			v = u64_stats_read(&stats->v[stat]);
		} while (u64_stats_fetch_retry(&stats->syncp, start));
		sum += v;
	}
	return sum;
}
EXPORT_SYMBOL_IF_KUNIT(fc2_stat_read);

/**
 * fc2_stat_name - name of a counter
 * @stat: which
 *
 * Return: its name, for tools.
 */
const char *fc2_stat_name(enum fc2_stat stat)
{
	return fc2_stat_names[stat];
}
EXPORT_SYMBOL_IF_KUNIT(fc2_stat_name);
