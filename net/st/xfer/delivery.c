// SPDX-License-Identifier: GPL-2.0
/*
 * What depends on the LLP of a path.
 *
 * Whether the LLP keeps the order of a Data Channel: it loses STUs in any case, in a queue of
 * either host, in a full ring, with a Message that was aborted.  Where none can overtake, a gap in
 * a Block tells that at once.  Of what was sent before whole Blocks tell then, not STUs, as the
 * Source may interleave those of several.  Elsewhere see unordered.c and rx_ooo.c.
 *
 * Whether the medium holds a sender back: where it does, as much is cleared as there is room for,
 * in Blocks as long as they can be.  Elsewhere see window.c.
 */
#include <linux/bitops.h>

#include "link/link.h"
#include "xfer/delivery.h"
#include "xfer/rx_block.h"
#include "xfer/window.h"

/* Data Channels keep no order between them, ST 8.2. */
static bool st_ordered_overtook(const struct st_block *blk, const struct st_op *op,
				const struct st_block *before)
{
	return (op->flags & ST_F_LAST) && blk->rx->channel == before->rx->channel;
}

/* Each STU tells. */
static bool st_unordered_overtook(const struct st_block *blk, const struct st_op *op,
				  const struct st_block *before)
{
	return true;
}

/* What follows a loss comes again with it, ST 10.7.4. */
static bool st_ordered_takes(const struct st_block *blk, const struct st_op *op)
{
	return false;
}

/* One was lost.  Where the peer can't send a Block again, Op_timeout ends the Transfer. */
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

/* An LLP that places STUs as they arrive has no place for one that is there. */
static bool st_ordered_keeps(const struct st_block *blk)
{
	return !st_block_begun(blk);
}

static bool st_unordered_keeps(const struct st_block *blk)
{
	return true;
}

/* Later Blocks have told that it may be lost, if too few to be sure. */
static bool st_ordered_missed(const struct st_block *blk)
{
	return blk->later;
}

/* The STUs of the oldest Block will tell. */
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
 * Where a link loses every other frame, as a bond of two paths of which one is dead, the same STUs
 * would get lost again and again: an even number of frames later each goes the same path.  A
 * Thue-Morse sequence, which has no period, meets any rhythm in the long run, and repeats itself
 * in tests.
 */
static bool st_unordered_twice(struct st_tx *tx)
{
	return hweight32(tx->again++) & 1;
}

/* Round trips and rates say nothing where Data waits for credit. */
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
 * A port may receive no STUs any more that are as long as this end has promised to take; that of
 * a Block is no longer than it.
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
 * st_delivery_join - a Virtual Connection begins to use a path
 * @path: the path, with its link, over which nothing has come
 *
 * The traits of a link stay, and so does st_path.delivery as long as the path is over it.
 */
void st_delivery_join(struct st_path *path)
{
	st_assert_locked(path->st);
	path->delivery = &st_deliveries[path->link->traits & ST_DELIVERY_TRAITS];
	st_window_join(path);
}
