/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that Transfers are sent from or placed into.
 */
#ifndef _NET_ST_BUF_H
#define _NET_ST_BUF_H

#include <linux/bvec.h>
#include <linux/skbuff.h>
#include <linux/uio.h>
#include <linux/workqueue.h>
#include <net/net_namespace.h>

#include "wire/op.h"

/**
 * struct st_seg - part of a buffer inside one page
 * @page: the page
 * @off: first byte
 * @len: bytes
 * @start: place of the first byte in the buffer
 */
struct st_seg {
	struct page	*page;
	u32		off;
	u32		len;
	u64		start;
};

/**
 * struct st_buf - memory that a Transfer is sent from or placed into
 * @uarg: counts the skbs that hold pinned pages, and the owner
 * @mmp: the user that pinned pages are charged to
 * @zc: completed when the buffer is released, for MSG_ZEROCOPY; or NULL
 * @then: work queued to st_mem_wq when the buffer is released; or NULL
 * @work: releases the buffer if that would take long in softirq context
 * @uncharge: called when the buffer is released, or NULL
 * @net: the namespace that a region is charged to; or NULL
 * @tracker: of @net
 * @of: the buffer with the segments, if this is a part; or NULL
 * @from: first byte of the part in @of
 * @len: bytes
 * @nr: segments in use
 * @max: segments there is room for
 * @pinned: the pages are pinned user memory, or belong to @of; else they are the buffer's own
 * @uniform: every segment but the first starts, and every one but the last ends, on a page
 *	boundary, so that a byte is found without a search
 * @seg: the segments
 */
struct st_buf {
	struct ubuf_info uarg;
	struct mmpin	mmp;
	struct ubuf_info *zc;
	struct work_struct *then;
	struct work_struct work;
	void (*uncharge)(struct st_buf *buf);
	struct net	*net;
	netns_tracker	tracker;
	struct st_buf	*of;
	u64		from;
	u64		len;
	unsigned int	nr;
	unsigned int	max;
	bool		pinned;
	bool		uniform;
	struct st_seg	seg[] __counted_by(max);
};

/* buf/buf.c */
extern struct workqueue_struct *st_mem_wq;
struct st_buf *st_buf_pin(struct iov_iter *from, size_t len);
struct st_buf *st_buf_alloc(size_t len, gfp_t gfp);
struct st_buf *st_buf_clone(const struct st_buf *from, u64 pos, u32 len, gfp_t gfp);
struct st_buf *st_buf_part(struct st_buf *of, u64 from, u64 len);
int st_buf_copy_from_iter(struct st_buf *buf, struct iov_iter *from);
size_t st_buf_copy_to_iter(const struct st_buf *buf, u64 pos, size_t len, struct iov_iter *to);
int st_buf_place(struct st_buf *buf, u64 pos, const struct sk_buff *skb, int offset, int len,
		 struct st_csum *csum, u32 *there);
void st_buf_segment(const struct st_buf *buf, u64 pos, u32 len, struct bio_vec *seg);
u32 st_buf_fit(const struct st_buf *buf, u64 pos, u32 len);
int st_buf_attach(struct st_buf *buf, u64 pos, u32 len, struct sk_buff *skb,
		  struct st_csum *csum);
void st_buf_notify(struct st_buf *buf, struct ubuf_info *uarg);
void st_buf_hold(struct st_buf *buf);
long st_buf_wait_sent(struct st_buf *buf, unsigned int state, long timeo);
void st_buf_move_charge(struct st_buf *to, struct st_buf *from);
void st_buf_write(struct st_buf *buf, const void *from, u32 len);
void st_buf_free(struct st_buf *buf, bool dirty);
void st_buf_free_slowly(struct st_buf *buf);
int st_buf_init(void);
void st_buf_exit(void);

#endif
