/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random faults on the cables of emulated ports.
 */
#ifndef SELFTESTS_HIPPI6400_FAULT_H
#define SELFTESTS_HIPPI6400_FAULT_H

#include <stdbool.h>

#include <linux/types.h>

/**
 * enum fault_stat - the emulator's counters of faults
 * @FAULT_FLIPPED: bits
 * @FAULT_HIT: micropackets with a bit error
 * @FAULT_DROPPED: micropackets
 * @FAULT_DOUBLED: micropackets
 * @FAULT_TRUNCATED: micropackets
 * @FAULT_DELAYED: micropackets
 * @FAULT_STUCK: micropackets
 * @FAULT_LOST: micropackets sent into an unplugged or undriven line
 * @FAULT_STATS: number of counters
 */
enum fault_stat {
	FAULT_FLIPPED,
	FAULT_HIT,
	FAULT_DROPPED,
	FAULT_DOUBLED,
	FAULT_TRUNCATED,
	FAULT_DELAYED,
	FAULT_STUCK,
	FAULT_LOST,
	FAULT_STATS,
};

extern const char * const fault_names[FAULT_STATS];

/* A file of a port, for the arriving or the leaving direction */
bool fault_set(unsigned int port, bool rx, const char *name, const char *value);
bool fault_seed(__u64 seed);
/* Sets the same bit error rate in both directions on all ports */
bool fault_ber(unsigned int ports, const char *rate);
/* Removes all faults and plugs in all cables */
bool fault_clear(unsigned int ports);
/* Adds or removes a random fault from which a link recovers */
bool fault_change(unsigned int ports, __u64 *rnd);
/* Sum of a counter over all ports of all switches */
__u64 fault_switch_stat(const char *name);
/* Messages that switches did not forward completely and unchanged */
__u64 fault_switch_losses(void);
/* Sums over both directions of all ports */
bool fault_stats(unsigned int ports, __u64 *sums);

#endif
