/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sequence identifiers, ST 6.2.1.
 */
#ifndef _NET_ST_ID_H
#define _NET_ST_ID_H

#include <linux/types.h>
#include <linux/xarray.h>

struct st_sock;
struct st_xfer;

/**
 * struct st_ids - sequence identifiers of a Virtual Connection
 * @next: the next to try
 * @again: @next has wrapped around; identifiers may still be in use
 * @xa: struct st_xfer by sequence identifier, except short records
 *
 * All of it is protected by st_sock.lock.
 */
struct st_ids {
	u32		next;
	bool		again;
	struct xarray	xa;
};

/* conn/id.c */
struct st_xfer *st_xfer_find(struct st_sock *st, u32 id);
struct st_xfer *st_xfer_next(struct st_sock *st, unsigned long from);
u32 st_new_id(struct st_sock *st);
int st_xfer_list(struct st_sock *st, struct st_xfer *x);
int st_xfer_id(struct st_sock *st, struct st_xfer *x);

#endif
