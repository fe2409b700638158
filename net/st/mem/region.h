/* SPDX-License-Identifier: GPL-2.0 */
/* Regions: memory that this end lends, and the operations of the peer on it. */
#ifndef _NET_ST_REGION_H
#define _NET_ST_REGION_H

#include "mem/mem.h"

/* Distance of the mmap() offsets of two regions; exceeds the size of a region */
#define ST_REGION_MAP_SHIFT	36

/* The part of a region that the peer may use. */
static inline struct st_area st_region_area(const struct st_region *r)
{
	return (struct st_area) {
		.start = ((u64)r->at.bufx << ST_BUFSIZE) + r->at.offset,
		.len = r->size,
		.rights = r->access,
	};
}

/* mem/region.c */
struct st_buf *st_region_part(struct st_sock *st, const struct st_send_from *from, bool write);
int st_region_offer(struct st_sock *st, bool alloc, struct st_region_offer *offer);
int st_region_end(struct st_sock *st, u32 id);
void st_region_lose(struct st_sock *st, struct st_region *r, int err);
void st_region_free(struct st_region *r);

/* mem/request.c */
void st_rcv_request_memory_region(struct st_sock *st, const struct st_op *op);
void st_region_grant(struct st_sock *st, struct st_region *r, u32 peer_id, u64 size);
struct st_asked *st_asked_find(struct st_mem *mem, u32 peer_id);
void st_asked_free(struct st_mem *mem, struct st_asked *asked);
int st_region_refuse(struct st_sock *st, u32 peer_id);
void st_region_over(struct st_mem *mem, const struct st_region *r);

/* mem/serve_get.c */
struct st_region *st_serve_access(struct st_sock *st, const struct st_op *op, u32 len, u8 right,
				  u64 *pos, struct st_place *to);
bool st_serve_get(struct st_sock *st, const struct st_op *op);
void st_serve_drop(struct st_mem *mem, const struct st_region *r);
void st_serve_pump(struct st_sock *st);
void st_reply_work(struct work_struct *work);

/* mem/serve_put.c */
bool st_serve_state(struct st_sock *st, const struct st_op *op);
struct st_region *st_serve_region(struct st_sock *st, const struct st_op *op,
				  enum st_error *err);
enum st_error st_serve_range(const struct st_region *r, const struct st_op *op, u32 len,
			     u64 *pos);
bool st_put_map_put(const struct st_put_map *w, u32 n, bool *done);
void st_put_map_done(struct st_put_map *w, u32 n);
void st_serve_put(struct st_sock *st, const struct st_op *op, const struct sk_buff *skb);

/* mem/fetchop.c */
bool st_serve_fetchop(struct st_sock *st, const struct st_op *op, u8 function);
void st_serve_complete(struct st_sock *st, const struct st_op *op);
struct st_fetch *st_fetch_find(struct st_mem *mem, u32 id);
struct st_fetch *st_fetch_new(struct st_mem *mem, u32 id);
void st_fetch_over(struct st_mem *mem, struct st_fetch *fetch);
void st_fetch_free(struct st_mem *mem, struct st_fetch *fetch);

#endif
