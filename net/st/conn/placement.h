/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Direct placement: payload that an LLP writes to its final memory.
 */
#ifndef _NET_ST_PLACEMENT_H
#define _NET_ST_PLACEMENT_H

#include <linux/refcount.h>
#include <net/st_llp.h>

struct st_buf;
struct st_sock;

/**
 * struct st_placement_core - a placement, with the part that the LLP does not see
 * @placement: the part that the LLP sees
 * @done: the LLP has finished
 * @refcnt: one for the LLP, one for @list
 * @list: in st_sock.placements
 * @mx: Memory Index of the Block
 * @len: bytes of payload
 * @ubuf: pages of a pending recvmsg(), a region or a Get, for the first @ulen bytes.
 *	Holds no reference: taking the pages back cancels the placement.  Not used
 *	once @done.
 * @upos: first byte in @ubuf
 * @ulen: bytes that go to @ubuf
 * @kbuf: kernel pages for the rest, with a reference, or NULL; NULL once @done
 * @kpos: first byte in @kbuf
 */
struct st_placement_core {
	struct st_placement	placement;
	bool			done;
	refcount_t		refcnt;
	struct list_head	list;
	u16			mx;
	u32			len;
	struct st_buf		*ubuf;
	u64			upos;
	u32			ulen;
	struct st_buf		*kbuf;
	u64			kpos;
};

#define st_placement_core(p)	container_of_const(p, struct st_placement_core, placement)

/* conn/placement.c */
void st_placement_cancel(struct st_sock *st, u16 mx);
bool st_placement_take_back(struct st_sock *st, const struct st_buf *ubuf);
void st_placement_purge(struct st_sock *st);
struct st_placement_core *st_placement_add(struct st_sock *st, u16 mx, u32 len);
struct st_placement_core *st_placement_new_in(struct st_sock *st, u16 mx, struct st_buf *buf,
					      u64 pos, u32 len);

#endif
