/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What goes wrong on the cables of emulated ports, at random.
 */
#ifndef SELFTESTS_HIPPI6400_FAULT_H
#define SELFTESTS_HIPPI6400_FAULT_H

#include <stdbool.h>

#include <linux/types.h>

/**
 * enum fault_stat - what the emulator counts of faults
 * @FAULT_FLIPPED: bits
 * @FAULT_HIT: micropackets with a bit error
 * @FAULT_DROPPED: micropackets
 * @FAULT_DOUBLED: micropackets
 * @FAULT_TRUNCATED: micropackets
 * @FAULT_DELAYED: micropackets
 * @FAULT_STUCK: micropackets
 * @FAULT_LOST: micropackets sent into an unplugged or undriven line
 * @FAULT_STATS: how many of these there are
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

/* A file of a port, about what arrives there or about what leaves */
bool fault_set(unsigned int port, bool rx, const char *name, const char *value);
bool fault_seed(__u64 seed);
/* The same bit error rate both ways on all ports */
bool fault_ber(unsigned int ports, const char *rate);
/* No faults at all, and all cables in */
bool fault_clear(unsigned int ports);
/* One fault more or less, of any kind that a link gets over */
bool fault_change(unsigned int ports, __u64 *rnd);
/* Sum of a counter over all ports of all switches */
__u64 fault_switch_stat(const char *name);
/* Messages that switches did not bring over, whole and as they were */
__u64 fault_switch_losses(void);
/* Sums over both directions of all ports */
bool fault_stats(unsigned int ports, __u64 *sums);

#endif
