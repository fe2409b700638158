/* SPDX-License-Identifier: GPL-2.0 */
/* Choice of a path for a Block, ST annex B. */
#ifndef _NET_ST_STRIPE_H
#define _NET_ST_STRIPE_H

#include "xfer/xfer.h"

/* xfer/stripe.c */
struct st_path *st_stripe_choose(struct st_sock *st, const struct st_rx *rx, u64 len);
struct st_path *st_stripe_elsewhere(struct st_sock *st, struct st_path *path);
void st_stripe_stalled(struct st_sock *st, const struct st_rx *rx);
void st_stripe_arrived(struct st_path *path, u64 len);
unsigned int st_stripe_blocks(struct st_sock *st, unsigned int limit);
unsigned int st_stripe_blocksize(struct st_sock *st, u64 t_len, unsigned int size);

#endif
