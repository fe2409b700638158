/* SPDX-License-Identifier: GPL-2.0 */
/* Memory that the peer lends, and the operations of this end on it. */
#ifndef _NET_ST_REMOTE_H
#define _NET_ST_REMOTE_H

#include "mem/mem.h"

/* mem/remote.c */
bool st_remote_pump(struct st_sock *st);
void st_remote_shutdown(struct st_sock *st);
void st_rcv_memory_region_available(struct st_sock *st, const struct st_op *op);
int st_remote_request(struct st_sock *st, struct st_region_request *req);
int st_remote_end(struct st_sock *st, u32 id);
void st_remote_over(struct st_sock *st, struct st_remote *rm, int err);
bool st_remote_answered(struct st_sock *st, const struct st_op *op);
void st_remote_state(struct st_sock *st, const struct st_op *op);
bool st_remote_timeouts(struct st_sock *st, unsigned long now);

/* mem/onesided.c */
void st_onesided_init(struct st_onesided *o, struct st_sock *st, u8 type);
int st_onesided_post(struct st_sock *st, struct st_onesided *o, u32 id, u64 offset);
void st_onesided_free(struct st_onesided *o);
void st_onesided_finish(struct st_sock *st, struct st_onesided *o, int err);
void st_onesided_withdraw(struct st_sock *st, const struct st_buf *buf, int err);
void st_onesided_done(struct st_sock *st, struct st_onesided *o, int err);
void st_onesided_pump(struct st_sock *st);
bool st_onesided_answered(struct st_sock *st, const struct st_op *op);
bool st_onesided_timeouts(struct st_sock *st, unsigned long now);

/* mem/put.c */
bool st_put_send(struct st_sock *st, struct st_onesided *o);
void st_onesided_put_state(struct st_sock *st, struct st_remote *rm, const struct st_op *op);

/* mem/get.c */
bool st_get_send(struct st_sock *st, struct st_onesided *o);
enum st_error st_get_range(const struct st_onesided *o, const struct st_op *op, u32 len,
			   u64 *pos);
void st_onesided_rcv_data(struct st_sock *st, const struct st_op *op,
			  const struct sk_buff *skb);

#endif
