/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers of frames.
 */
#ifndef _RIO9_ETH_SEQUENCE_H
#define _RIO9_ETH_SEQUENCE_H

#include <linux/types.h>

/* A frame whose number is further away is believed only with its successor */
#define RIO9_ETH_FAR	65536

/**
 * struct rio9_eth_sequence - what has come of one channel of a peer
 * @begun: something has
 * @next: the number after the highest
 * @seen: which of the 64 numbers before @next have come, the last of them in bit 0
 * @lost: how many frames the last new one has skipped
 * @far: a number that would be believed although it is far away
 * @far_valid: there is one
 */
struct rio9_eth_sequence {
	bool begun;
	bool far_valid;
	u32 next;
	u32 far;
	u32 lost;
	u64 seen;
};

/**
 * enum rio9_eth_order - where a frame belongs
 * @RIO9_ETH_NEW: behind all that have come
 * @RIO9_ETH_LATE: before one that has come
 * @RIO9_ETH_DOUBLE: it has come before
 * @RIO9_ETH_JUMP: far away from all that have come
 */
enum rio9_eth_order {
	RIO9_ETH_NEW,
	RIO9_ETH_LATE,
	RIO9_ETH_DOUBLE,
	RIO9_ETH_JUMP,
};

enum rio9_eth_order rio9_eth_sequence(struct rio9_eth_sequence *s, u32 number);

#endif
