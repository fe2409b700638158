/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of a port.
 */
#ifndef _FC2_STATS_H
#define _FC2_STATS_H

#include <linux/types.h>
#include <linux/u64_stats_sync.h>

/**
 * enum fc2_stat - what a port counts
 * @FC2_STAT_RX_FRAMES: good FC frames for the port; some may be dropped later, and count again
 * @FC2_STAT_RX_BYTES: bytes of their data fields
 * @FC2_STAT_TX_FRAMES: FC frames that were sent, those that are dropped on their way included
 * @FC2_STAT_TX_BYTES: bytes of their data fields
 * @FC2_STAT_TX_DROPPED: frames that the device did not take
 * @FC2_STAT_TX_NO_MEMORY: frames for which there was no memory
 * @FC2_STAT_LOCAL_FRAMES: frames and FIP frames between ports of one device, or of a port to itself
 * @FC2_STAT_LOCAL_FULL: those that were lost because too many waited
 * @FC2_STAT_RX_SHORT: frames that are shorter than their headers
 * @FC2_STAT_RX_VERSION: frames of another version of FCoE
 * @FC2_STAT_RX_DELIMITER: frames with an unknown or invalid SOF or EOF, EOFa and EOFni included
 * @FC2_STAT_RX_CLASS: frames of another class of service than 3
 * @FC2_STAT_RX_CRC: frames with a wrong CRC
 * @FC2_STAT_RX_LENGTH: frames whose data field is too long, or no multiple of 4, or has less than
 *	its fill bytes and optional headers
 * @FC2_STAT_RX_DOWN: frames that came while the port had no N_Port ID, and FIP frames while its
 *	device was down
 * @FC2_STAT_RX_D_ID: frames for another N_Port ID
 * @FC2_STAT_RX_S_ID: frames whose MAC address does not go with their S_ID
 * @FC2_STAT_RX_TYPE: frames of a TYPE without a user
 * @FC2_STAT_RX_R_CTL: frames with a reserved or wrong R_CTL
 * @FC2_STAT_RX_NO_LOGIN: frames of a port that is not logged in
 * @FC2_STAT_RX_XID: frames of an Exchange that is not known, or over
 * @FC2_STAT_RX_SEQ_CNT: frames with another SEQ_CNT than expected, and those that follow
 * @FC2_STAT_RX_DOUBLE: frames that came twice
 * @FC2_STAT_RX_EXCH_FULL: frames that would open an Exchange when there are too many
 * @FC2_STAT_RX_REFUSED: frames that the FC-4 refused
 * @FC2_STAT_RX_NO_MEMORY: received frames for which there was no memory
 * @FC2_STAT_EXCH_OPENED: Exchanges that were originated
 * @FC2_STAT_EXCH_ACCEPTED: Exchanges that remote ports originated
 * @FC2_STAT_EXCH_TIMEOUT: Exchanges that ended because of a timeout
 * @FC2_STAT_EXCH_EVICTED: Exchanges that were given up early, as the remote port had too many
 * @FC2_STAT_ABTS_SENT: ABTS that were sent
 * @FC2_STAT_ABTS_RECEIVED: ABTS that came
 * @FC2_STAT_BA_ACC_RECEIVED: BA_ACC that came
 * @FC2_STAT_BA_RJT_RECEIVED: BA_RJT that came
 * @FC2_STAT_BA_RJT_SENT: BA_RJT that were sent
 * @FC2_STAT_ELS_RECEIVED: ELS requests that came
 * @FC2_STAT_ELS_FULL: ELS frames that were lost because too many waited
 * @FC2_STAT_ELS_BAD: ELS frames that are malformed
 * @FC2_STAT_ELS_REJECTED: LS_RJT that were sent
 * @FC2_STAT_ELS_UNANSWERED: ELS requests that got no answer in time
 * @FC2_STAT_FIP_RECEIVED: FIP frames that came
 * @FC2_STAT_FIP_SENT: FIP frames that were sent
 * @FC2_STAT_FIP_FULL: FIP frames that were lost because too many waited
 * @FC2_STAT_FIP_BAD: FIP frames that are malformed
 * @FC2_STAT_FIP_OTHER: FIP frames with an operation that does not belong to the mode
 * @FC2_STAT_FIP_SIZE: FIP claims of ports to which frames as long as theirs do not get
 * @FC2_STAT_FIP_COLLISION: FIP frames that claim our N_Port ID
 * @FC2_STAT_NEIGHBOURS_FULL: neighbours for which there was no room
 * @FC2_STAT_NEIGHBOUR_NEW: neighbours that came
 * @FC2_STAT_NEIGHBOUR_GONE: neighbours that were silent for too long, have changed, or were known
 *	when the port went down
 * @FC2_STAT_LOGIN: remote ports that logged in
 * @FC2_STAT_LOGIN_REFUSED: PLOGI that were refused, by either side, FLOGI that were refused here,
 *	and those that had no success with an FCF
 * @FC2_STAT_LOGOUT: remote ports that logged out, or were logged out
 * @FC2_STAT_FARP_ASKED: FARP-REQ that were sent
 * @FC2_STAT_FARP_ANSWERED: FARP-REPLY that were sent
 * @FC2_STAT_FARP_LEARNT: FARP-REPLY that were used
 * @FC2_STAT_FARP_IGNORED: FARP-REQ and FARP-REPLY that did not match
 * @FC2_STATS: how many there are
 */
enum fc2_stat {
	FC2_STAT_RX_FRAMES,
	FC2_STAT_RX_BYTES,
	FC2_STAT_TX_FRAMES,
	FC2_STAT_TX_BYTES,
	FC2_STAT_TX_DROPPED,
	FC2_STAT_TX_NO_MEMORY,
	FC2_STAT_LOCAL_FRAMES,
	FC2_STAT_LOCAL_FULL,
	FC2_STAT_RX_SHORT,
	FC2_STAT_RX_VERSION,
	FC2_STAT_RX_DELIMITER,
	FC2_STAT_RX_CLASS,
	FC2_STAT_RX_CRC,
	FC2_STAT_RX_LENGTH,
	FC2_STAT_RX_DOWN,
	FC2_STAT_RX_D_ID,
	FC2_STAT_RX_S_ID,
	FC2_STAT_RX_TYPE,
	FC2_STAT_RX_R_CTL,
	FC2_STAT_RX_NO_LOGIN,
	FC2_STAT_RX_XID,
	FC2_STAT_RX_SEQ_CNT,
	FC2_STAT_RX_DOUBLE,
	FC2_STAT_RX_EXCH_FULL,
	FC2_STAT_RX_REFUSED,
	FC2_STAT_RX_NO_MEMORY,
	FC2_STAT_EXCH_OPENED,
	FC2_STAT_EXCH_ACCEPTED,
	FC2_STAT_EXCH_TIMEOUT,
	FC2_STAT_EXCH_EVICTED,
	FC2_STAT_ABTS_SENT,
	FC2_STAT_ABTS_RECEIVED,
	FC2_STAT_BA_ACC_RECEIVED,
	FC2_STAT_BA_RJT_RECEIVED,
	FC2_STAT_BA_RJT_SENT,
	FC2_STAT_ELS_RECEIVED,
	FC2_STAT_ELS_FULL,
	FC2_STAT_ELS_BAD,
	FC2_STAT_ELS_REJECTED,
	FC2_STAT_ELS_UNANSWERED,
	FC2_STAT_FIP_RECEIVED,
	FC2_STAT_FIP_SENT,
	FC2_STAT_FIP_FULL,
	FC2_STAT_FIP_BAD,
	FC2_STAT_FIP_OTHER,
	FC2_STAT_FIP_SIZE,
	FC2_STAT_FIP_COLLISION,
	FC2_STAT_NEIGHBOURS_FULL,
	FC2_STAT_NEIGHBOUR_NEW,
	FC2_STAT_NEIGHBOUR_GONE,
	FC2_STAT_LOGIN,
	FC2_STAT_LOGIN_REFUSED,
	FC2_STAT_LOGOUT,
	FC2_STAT_FARP_ASKED,
	FC2_STAT_FARP_ANSWERED,
	FC2_STAT_FARP_LEARNT,
	FC2_STAT_FARP_IGNORED,
	FC2_STATS,
};

/**
 * struct fc2_stats - the counters of one CPU
 * @v: by enum fc2_stat
 * @syncp: of 32-bit machines
 */
struct fc2_stats {
	u64_stats_t		v[FC2_STATS];
	struct u64_stats_sync	syncp;
};

struct fc2_port;

void fc2_stat_add(struct fc2_port *port, enum fc2_stat stat, unsigned int n);
u64 fc2_stat_read(const struct fc2_port *port, enum fc2_stat stat);
const char *fc2_stat_name(enum fc2_stat stat);

static inline void fc2_stat_inc(struct fc2_port *port, enum fc2_stat stat)
{
	fc2_stat_add(port, stat, 1);
}

#endif
