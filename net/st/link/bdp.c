// SPDX-License-Identifier: GPL-2.0
/*
 * How many bytes have to be on their way for a full rate, as measured: the rate at
 * which Blocks come times their round trip from Clear_To_Send to Data, the shortest that
 * there was.
 *
 * With twice as many cleared the rate doubles with every round trip until it grows no
 * more; from there on the second half waits in the queue of the slowest place on the
 * path, which so is never empty and never long.
 */
#include <kunit/visibility.h>
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "link/bdp.h"

#define ST_FLOW_BLOCKS	8		/* measured over so many at least */
#define ST_FLOW_TIME	2000		/* us, and over as long */
#define ST_FLOW_MAX	BIT(24)		/* bytes */

/**
 * st_flow_arrived - a Block has come
 * @flow: what is measured
 * @now: microseconds, not 0
 * @bytes: of the Block
 * @rtt: microseconds, the shortest round trip of such Blocks
 *
 * Keeps the most that was needed, and forgets an eighth of it with each measurement.
 *
 * Context: under what protects @flow.
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
 * st_flow_room - how much may be on its way
 * @flow: what was measured
 * @times: so often what is needed
 * @min: bytes, the least
 *
 * Context: under what protects @flow.
 * Return: bytes.
 */
u64 st_flow_room(const struct st_flow *flow, unsigned int times, u64 min)
{
	return max_t(u64, (u64)flow->need * times, min);
}
EXPORT_SYMBOL_IF_KUNIT(st_flow_room);
