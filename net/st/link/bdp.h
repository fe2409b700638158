/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many bytes have to be on their way for a full rate.
 */
#ifndef _NET_ST_BDP_H
#define _NET_ST_BDP_H

#include <linux/types.h>

/**
 * struct st_flow - bytes that are on their way at full rate: rate times round trip
 * @sum: bytes of Blocks that have come since @since, each times its round trip in
 *	microseconds
 * @blocks: how many these are
 * @since: microseconds; 0: nothing has come yet
 * @need: bytes, the most that @sum over the time was lately
 */
struct st_flow {
	u64		sum;
	unsigned int	blocks;
	u64		since;
	u32		need;
};

/* link/bdp.c */
void st_flow_arrived(struct st_flow *flow, u64 now, u64 bytes, u32 rtt);
u64 st_flow_room(const struct st_flow *flow, unsigned int times, u64 min);

#endif
