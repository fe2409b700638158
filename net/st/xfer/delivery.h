/* SPDX-License-Identifier: GPL-2.0 */
/* Consequences of the traits of an LLP for Data over a path: loss detection and the window. */
#ifndef _NET_ST_DELIVERY_H
#define _NET_ST_DELIVERY_H

#include "conn/conn.h"
#include "xfer/xfer.h"

/**
 * struct st_delivery - functions that depend on the traits of the LLP of a path
 * @overtook: whether an STU indicates that a Block sent before its own Block is late
 * @takes: whether an STU that is not the next of its Block is accepted
 * @gap: an STU that @takes rejects has arrived before a missing one
 * @keeps: whether a Block that is asked for again keeps the STUs that have arrived
 * @missed: whether a late Block is asked for early, together with the oldest
 * @twice: whether the first STU of a Block that the data Source sends again is sent twice
 * @begun: the first STU of a Block has arrived
 * @arrived: all of a Block has arrived
 * @open: whether one more Block of a Transfer, with Block boundaries, may be cleared over a path
 *	with so many Blocks under way
 * @blocksize: log2 of the longest Blocks for a path
 *
 * The first six depend on whether the LLP keeps the order (%ST_ORDERED), the others on whether the
 * medium has flow control (%ST_CREDITED).  A reliable LLP (%ST_RELIABLE) makes no difference here:
 * it only lengthens two timeouts, which query it themselves, st_retrans_wait() and
 * st_block_timeout().
 *
 * As long as all STUs arrive in order, a Block takes three or four of these calls, and an STU none.
 *
 * Context: under st_sock.lock.
 */
struct st_delivery {
	bool (*overtook)(const struct st_block *blk, const struct st_op *op,
			 const struct st_block *before);
	bool (*takes)(const struct st_block *blk, const struct st_op *op);
	void (*gap)(struct st_sock *st, struct st_block *blk, const struct st_op *op);
	bool (*keeps)(const struct st_block *blk);
	bool (*missed)(const struct st_block *blk);
	bool (*twice)(struct st_tx *tx);

	void (*begun)(const struct st_block *blk);
	void (*arrived)(const struct st_block *blk);
	bool (*open)(const struct st_path *path, const struct st_rx *rx, unsigned int blocks);
	unsigned int (*blocksize)(struct st_path *path);
};

/* xfer/delivery.c */
void st_delivery_join(struct st_path *path);

#endif
