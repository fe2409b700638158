// SPDX-License-Identifier: GPL-2.0
/*
 * The bandwidth-delay product, as measured: the rate at which Blocks arrive times their minimum
 * round trip, from Clear_To_Send to Data.
 *
 * With twice as many bytes cleared the rate doubles every round trip until it is the bandwidth;
 * from then on the second half waits in the queue of the bottleneck of the path, which so is never
 * empty and never long.
 */
#include <kunit/visibility.h>
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "link/bdp.h"

#define ST_FLOW_BLOCKS	8		/* least number of Blocks to measure */
#define ST_FLOW_TIME	2000		/* us, and least time */
#define ST_FLOW_MAX	BIT(24)		/* bytes */

/**
 * st_flow_arrived - a Block has arrived
 * @flow: the measurement
 * @now: time in microseconds, not 0
 * @bytes: length of the Block
 * @rtt: minimum round trip of such Blocks, microseconds
 *
 * Keeps the maximum of the measurements, which decays by an eighth with each measurement.
 *
 * Context: under the lock that protects @flow.
 */
void st_flow_arrived(struct st_flow *flow, u64 now, u64 bytes, u32 rtt)
{
	u64 elapsed = now - flow->since, need;

	if (!flow->since) {
		flow->since = now;
		return;
	}
	flow->sum += bytes * rtt;
	flow->blocks++;
	if (flow->blocks < ST_FLOW_BLOCKS || elapsed < max_t(u64, rtt, ST_FLOW_TIME))
		return;
	need = min_t(u64, div64_u64(flow->sum, elapsed), ST_FLOW_MAX);
	flow->need = max_t(u64, need, flow->need - flow->need / 8);
	flow->sum = 0;
	flow->blocks = 0;
	flow->since = now;
}
EXPORT_SYMBOL_IF_KUNIT(st_flow_arrived);

/**
 * st_flow_room - how many bytes may be under way
 * @flow: the measurement
 * @times: multiple of the bandwidth-delay product
 * @min: least result, bytes
 *
 * Context: under the lock that protects @flow.
 * Return: bytes.
 */
u64 st_flow_room(const struct st_flow *flow, unsigned int times, u64 min)
{
	return max_t(u64, (u64)flow->need * times, min);
}
EXPORT_SYMBOL_IF_KUNIT(st_flow_room);
