// SPDX-License-Identifier: GPL-2.0
/*
 * The window and the length of Blocks over a medium without flow control.
 *
 * The window is four times the bandwidth-delay product at the present rate, see link/bdp.c.  Twice
 * would do for a single sender; with the rest a sender with a small share of a link can get a
 * larger one.
 *
 * A lost STU costs about a Block (ST A.3), so Blocks have few STUs if many are lost.  If hardly any
 * is lost they have many: more can be cleared with the limited number of Blocks, and with fewer
 * operations.  If none was lost for long, and a Block takes little time, Blocks have even more STUs
 * than can be accepted before a missing one: a loss then costs the rest of the Block.  The
 * Blocksize of a Transfer is constant (ST 6.2.6); that of the next Transfer is adapted, and another
 * Virtual Connection over the link begins with what was last learnt there.
 */
#include <linux/bitops.h>

#include "link/link.h"
#include "xfer/delivery.h"
#include "xfer/window.h"

#define ST_WINDOW_MIN	BIT(15)		/* bytes */
#define ST_WINDOW_RTT	BIT(18)		/* us, limit of the round trip */
#define ST_STUS_FIRST	3		/* log2, initial STUs in a Block */
#define ST_STUS_MAX	5		/* log2, no more than ST_OOO */
#define ST_LOSSY_MAX	15		/* log2, longest Blocks, unless STUs are longer */
#define ST_CLEAN_MAX	17		/* log2, longest Blocks without losses */
#define ST_CLEAN_TIME	1000		/* us, limit of the time of such a Block */
#define ST_CLEAN	512		/* Blocks without loss to conclude that nothing is lost */
#define ST_SEEN		16		/* Blocks to conclude whether STUs are lost */

/**
 * st_window_begun - st_delivery.begun of a paced link
 * @blk: the Block
 *
 * Measures the round trip, if the STU answers the last Clear_To_Send.  That of a stream includes
 * the time without anything to send.  A peer may delay its answer at will: no more than
 * ST_WINDOW_RTT counts for the window.
 */
void st_window_begun(const struct st_block *blk)
{
	struct st_path_stats *stats = &blk->path->stats;
	struct st_sock *st = blk->path->st;
	u32 us;

	st_assert_locked(st);
	if (!blk->cleared)
		return;
	us = clamp_t(s64, ktime_us_delta(ktime_get(), blk->cleared), 1, U32_MAX);
	if (blk->rx->tiling.t_len)
		st_rtt_sample(&st->timers.rtt, us);
	stats->rtt_min = min_not_zero(stats->rtt_min, min_t(u32, us, ST_WINDOW_RTT));
}

/**
 * st_window_measure - st_delivery.arrived of a paced link
 * @blk: the Block
 */
void st_window_measure(const struct st_block *blk)
{
	struct st_path_stats *stats = &blk->path->stats;

	st_assert_locked(blk->path->st);
	stats->seen++;
	stats->clean = min(stats->clean + 1, ST_CLEAN);
	st_flow_arrived(&stats->flow, ktime_to_us(ktime_get()) ?: 1, blk->got, stats->rtt_min);
}

/**
 * st_window_arrived - all of a Block has arrived
 * @blk: the Block
 *
 * Measures the time of the Block, as st_window_begun() measures the round trip.
 *
 * Return: whether it was measured: then the next one may be asked for early.
 */
bool st_window_arrived(const struct st_block *blk)
{
	struct st_path *path = blk->path;

	st_assert_locked(path->st);
	path->delivery->arrived(blk);
	if (!blk->cleared || !blk->rx->tiling.t_len)
		return false;
	st_rtt_sample(&path->stats.block, ktime_us_delta(ktime_get(), blk->cleared));
	return true;
}

/**
 * st_window_lost - a Block has to be asked for again
 * @blk: the Block
 */
void st_window_lost(const struct st_block *blk)
{
	st_assert_locked(blk->path->st);
	blk->path->stats.lost++;
	blk->path->stats.clean = 0;
}

/**
 * st_window_open - st_delivery.open of a paced link
 * @path: the path
 * @rx: the Transfer, with Block boundaries
 * @blocks: number of Blocks under way
 *
 * Return: false when the window is full.
 */
bool st_window_open(const struct st_path *path, const struct st_rx *rx, unsigned int blocks)
{
	u64 room = st_flow_room(&path->stats.flow, 4, ST_WINDOW_MIN) >> rx->tiling.blocksize;

	st_assert_locked(path->st);
	return blocks < max_t(u64, room, 2);
}

/**
 * st_window_join - initialize the window of a new path
 * @path: the path, with its link, over which nothing has arrived
 */
void st_window_join(struct st_path *path)
{
	const struct st_pace *pace = st_link_core(path->link)->pace;

	st_assert_locked(path->st);
	if (pace)
		path->stats.stus = READ_ONCE(pace->stus);
}

/* Whether Blocks of 2^ST_CLEAN_MAX bytes are useful, at the present rate. */
static bool st_stats_clean(const struct st_path_stats *stats)
{
	return stats->clean >= ST_CLEAN &&
	       (u64)stats->flow.need * ST_CLEAN_TIME >= (u64)stats->rtt_min << ST_CLEAN_MAX;
}

/**
 * st_path_blocksize - st_delivery.blocksize of a paced link
 * @path: the path
 *
 * Return: log2.
 */
unsigned int st_path_blocksize(struct st_path *path)
{
	unsigned int stu = min(path->st->vc.local_max_stu, st_link_recv_max_stu(path->link));
	unsigned int max = ST_LOSSY_MAX, stus = ST_STUS_MAX;
	struct st_path_stats *stats = &path->stats;

	st_assert_locked(path->st);
	if (st_stats_clean(stats)) {
		max = ST_CLEAN_MAX;
		stus = max_t(int, ST_CLEAN_MAX - stu, ST_STUS_MAX);
	}
	if (stats->lost >= ST_SEEN / 4 && stats->lost > stats->seen / 4) {
		stats->stus = max(stats->stus - 1, -ST_STUS_FIRST);
		stats->seen = 0;
		stats->lost = 0;
	} else if (stats->seen >= ST_SEEN) {
		if (stats->lost <= stats->seen / 32)
			stats->stus++;
		stats->seen = 0;
		stats->lost = 0;
	}
	stats->stus = min_t(int, stats->stus, stus - ST_STUS_FIRST);
	WRITE_ONCE(st_link_core(path->link)->pace->stus,
		   min(stats->stus, ST_STUS_MAX - ST_STUS_FIRST));
	return min(max(max, stu), stu + ST_STUS_FIRST + stats->stus);
}

/* With a Block of one STU as a rule of the medium, ST A.5: log2 of the STU that is received */
static unsigned int st_path_stu_blocksize(const struct st_path *path, unsigned int size)
{
	if (!st_link_has(path->link, ST_BLOCK_IS_STU))
		return size;
	return min3(size, (unsigned int)path->st->vc.local_max_stu,
		    st_link_recv_max_stu(path->link));
}

/**
 * st_window_blocksize - limit the Blocksize of a new Transfer
 * @st: the Virtual Connection
 * @size: log2, the Blocksize without this limit
 *
 * Return: log2.
 */
unsigned int st_window_blocksize(struct st_sock *st, unsigned int size)
{
	struct st_path *path;

	st_assert_locked(st);
	for (path = &st->paths.first; path; path = st_path_next(path))
		if (st_path_works(path))
			size = min(st_path_stu_blocksize(path, size),
				   path->delivery->blocksize(path));
	return max_t(unsigned int, size, ST_BLOCK_MIN);
}
