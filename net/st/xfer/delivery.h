/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the promises of an LLP mean for Data over a path: how a loss shows itself, and how much is
 * cleared to send.
 */
#ifndef _NET_ST_DELIVERY_H
#define _NET_ST_DELIVERY_H

#include "conn/conn.h"
#include "xfer/xfer.h"

/**
 * struct st_delivery - what depends on the LLP of a path
 * @overtook: whether an STU tells that a Block which was sent before its own is late
 * @takes: whether an STU that is not the next of its Block is taken
 * @gap: an STU that @takes refuses has come before one that is missing
 * @keeps: whether a Block that is asked for again keeps what has come of it
 * @missed: whether a Block that is late is asked for early, together with the oldest
 * @twice: whether the first STU of a Block that the data Source sends again goes twice
 * @begun: the first STU of a Block has come
 * @arrived: all of a Block has come
 * @open: whether one more Block of a Transfer, with Block boundaries, may be cleared over a path
 *	that has so many
 * @blocksize: the longest Blocks for a path, log2
 *
 * The first six depend on whether the LLP keeps the order (%ST_ORDERED), the others on whether the
 * medium holds a sender back (%ST_CREDITED).  That hardly anything is lost (%ST_RELIABLE) changes
 * nothing here: it makes two timeouts longer, which ask for it themselves, st_retrans_wait() and
 * st_block_timeout().
 *
 * While all arrives in order, a Block takes three or four of these calls, and an STU none.
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
