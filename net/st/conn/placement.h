/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Payloads that an LLP puts where they belong.
 */
#ifndef _NET_ST_PLACEMENT_H
#define _NET_ST_PLACEMENT_H

#include <linux/refcount.h>
#include <net/st_llp.h>

struct st_buf;
struct st_sock;

/**
 * struct st_placement_core - what an LLP does not see of a placement
 * @placement: what it sees
 * @done: the LLP is through
 * @refcnt: one for the LLP, one for @list
 * @list: in the placements of the Virtual Connection
 * @mx: Memory Index of the Block
 * @len: bytes of payload
 * @ubuf: pages of a recvmsg() under way, of a region or of a Get, where the
 *	first @ulen bytes go.  No reference: who takes them back cancels.
 *	Nothing once @done.
 * @upos: first byte there
 * @ulen: bytes that go there
 * @kbuf: pages of the kernel, where the others go, with a reference; or NULL,
 *	as it is once @done
 * @kpos: first byte there
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
