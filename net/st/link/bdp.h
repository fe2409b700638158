/* SPDX-License-Identifier: GPL-2.0 */
/* The bandwidth-delay product. */
#ifndef _NET_ST_BDP_H
#define _NET_ST_BDP_H

#include <linux/types.h>

/**
 * struct st_flow - measurement of the bandwidth-delay product
 * @sum: bytes of the Blocks that have arrived since @since, each multiplied by its round trip in
 *	microseconds
 * @blocks: how many Blocks that are
 * @since: microseconds; 0: no Block yet
 * @need: bytes, the recent maximum of @sum divided by the time
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
