// SPDX-License-Identifier: GPL-2.0
/*
 * Functions for Data over a path that depend on the traits of its LLP.
 *
 * Any LLP loses STUs: in a queue of either host, in a full ring, with an aborted Message.  If it
 * keeps the order of a Data Channel, a gap in a Block reveals a loss at once.  The loss of earlier
 * Blocks is then revealed by complete Blocks, not by STUs, as the Source may interleave the STUs of
 * several Blocks.  For LLPs that do not keep the order see unordered.c and rx_ooo.c.
 *
 * If the medium has flow control, as much is cleared as there is room for, in Blocks of maximum
 * length.  Otherwise see window.c.
 */
#include <linux/bitops.h>

#include "link/link.h"
#include "xfer/delivery.h"
#include "xfer/rx_block.h"
#include "xfer/window.h"

/* There is no order between Data Channels, ST 8.2. */
static bool st_ordered_overtook(const struct st_block *blk, const struct st_op *op,
				const struct st_block *before)
{
	return (op->flags & ST_F_LAST) && blk->rx->channel == before->rx->channel;
}

/* Every STU counts. */
static bool st_unordered_overtook(const struct st_block *blk, const struct st_op *op,
				  const struct st_block *before)
{
	return true;
}

/* STUs after a loss are sent again with the lost one, ST 10.7.4. */
static bool st_ordered_takes(const struct st_block *blk, const struct st_op *op)
{
	return false;
}

/* An STU is lost.  If the peer cannot send a Block again, Op_timeout ends the Transfer. */
static void st_ordered_gap(struct st_sock *st, struct st_block *blk, const struct st_op *op)
{
	if (st->vc.out_of_order)
		st_block_retry(st, blk, true);
}

static void st_unordered_gap(struct st_sock *st, struct st_block *blk, const struct st_op *op)
{
	st_ooo_again(blk, op);
	st_loss_gap(st, blk, op);
}

/* An LLP that places STUs as they arrive cannot skip those that are there already. */
static bool st_ordered_keeps(const struct st_block *blk)
{
	return !st_block_begun(blk);
}

static bool st_unordered_keeps(const struct st_block *blk)
{
	return true;
}

/* Later Blocks indicate a loss, though too few to be sure. */
static bool st_ordered_missed(const struct st_block *blk)
{
	return blk->later;
}

/* The STUs of the oldest Block will show what else is missing. */
static bool st_unordered_missed(const struct st_block *blk)
{
	return false;
}

/* All STUs take the same path through the medium. */
static bool st_ordered_twice(struct st_tx *tx)
{
	return false;
}

/*
 * If a link loses every other frame, such as a bond of two paths with a dead one, the same STUs
 * would be lost again and again: after an even number of frames each takes the same path.  A
 * Thue-Morse sequence has no period, so it breaks any rhythm in the long run, and it is
 * reproducible in tests.
 */
static bool st_unordered_twice(struct st_tx *tx)
{
	return hweight32(tx->again++) & 1;
}

/* Round trips and rates are meaningless if Data waits for credit. */
static void st_credited_begun(const struct st_block *blk)
{
}

static void st_credited_arrived(const struct st_block *blk)
{
}

static bool st_credited_open(const struct st_path *path, const struct st_rx *rx,
			     unsigned int blocks)
{
	return true;
}

/*
 * A port may have become unable to receive STUs as long as those this end has offered; the STUs of
 * a Block are no longer than the Block.
 */
static unsigned int st_credited_blocksize(struct st_path *path)
{
	unsigned int stu = st_link_recv_max_stu(path->link);

	return stu && stu < path->st->vc.local_max_stu ? stu : ST_BUFSIZE;
}

#define ST_DELIVERY_ORDERED				\
	.overtook	= st_ordered_overtook,		\
	.takes		= st_ordered_takes,		\
	.gap		= st_ordered_gap,		\
	.keeps		= st_ordered_keeps,		\
	.missed		= st_ordered_missed,		\
	.twice		= st_ordered_twice

#define ST_DELIVERY_UNORDERED				\
	.overtook	= st_unordered_overtook,	\
	.takes		= st_ooo_fits,		\
	.gap		= st_unordered_gap,		\
	.keeps		= st_unordered_keeps,		\
	.missed		= st_unordered_missed,		\
	.twice		= st_unordered_twice

#define ST_DELIVERY_CREDITED				\
	.begun		= st_credited_begun,		\
	.arrived	= st_credited_arrived,		\
	.open		= st_credited_open,		\
	.blocksize	= st_credited_blocksize

#define ST_DELIVERY_PACED				\
	.begun		= st_window_begun,		\
	.arrived	= st_window_measure,		\
	.open		= st_window_open,		\
	.blocksize	= st_path_blocksize

#define ST_DELIVERY_TRAITS	(ST_ORDERED | ST_CREDITED)

static const struct st_delivery st_deliveries[ST_DELIVERY_TRAITS + 1] = {
	[0]				= { ST_DELIVERY_UNORDERED, ST_DELIVERY_PACED },
	[ST_ORDERED]			= { ST_DELIVERY_ORDERED, ST_DELIVERY_PACED },
	[ST_CREDITED]			= { ST_DELIVERY_UNORDERED, ST_DELIVERY_CREDITED },
	[ST_ORDERED | ST_CREDITED]	= { ST_DELIVERY_ORDERED, ST_DELIVERY_CREDITED },
};

/**
 * st_delivery_join - choose the functions of a new path
 * @path: the path, with its link, over which nothing has arrived
 *
 * The traits of a link are constant, and so is st_path.delivery as long as the path uses the link.
 */
void st_delivery_join(struct st_path *path)
{
	st_assert_locked(path->st);
	path->delivery = &st_deliveries[path->link->traits & ST_DELIVERY_TRAITS];
	st_window_join(path);
}
