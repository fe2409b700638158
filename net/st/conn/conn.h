/* SPDX-License-Identifier: GPL-2.0 */
/* Data and answers of a Virtual Connection, and the handling of a silent peer. */
#ifndef _NET_ST_CONN_H
#define _NET_ST_CONN_H

#include "st_sock.h"

struct completion;
struct st_buf;
struct st_csum;

#define ST_KEEPALIVE		(5 * HZ)
#define ST_KEEP_IDLE_DEFAULT	7200	/* seconds, as with TCP */
#define ST_KEEP_IDLE_MAX	32767
#define ST_MX_BLOCK		0x7fff	/* Memory Indexes of Blocks, see mem/mem.h */
#define ST_DATA_CHANNEL		1
#define ST_TX_INFLIGHT		BIT(18)	/* bytes of Data in the LLP that are not sent yet */

/* conn/data.c */
unsigned int st_tx_inflight(const struct st_sock *st);
struct sk_buff *st_alloc_data(const struct st_sock *st, const struct st_op *op,
			      const void *data, u32 len);
u32 st_gso_len(const struct st_link *link, const struct st_buf *buf, u64 pos, u32 left, u32 stu);
u8 st_tx_max_stu(const struct st_path *path, unsigned int channel);
u32 st_tx_fit(const struct st_link *link, const struct st_buf *buf, u64 pos, u32 len);
struct sk_buff *st_tx_queue_data(struct st_path *path, const struct st_op *op, struct st_buf *buf,
				 u64 pos, u32 len, u32 stu);
int st_mem_take(struct st_sock *st, struct st_buf *buf, u64 pos, const struct sk_buff *skb,
		struct st_csum *csum, bool *summed);

/* conn/answer.c */
void st_queue_end(struct st_sock *st, u32 peer_id, u32 id, struct st_retrans *retrans);
void st_queue_request_answer(struct st_sock *st, u32 d_id, u32 s_id, u16 flags);
void st_queue_request_state_response(struct st_sock *st, const struct st_op *to,
				     u32 d_id, u32 s_id, u32 b_seq, u32 b_num);

/* conn/keepalive.c */
void st_keep_check(struct st_sock *st, unsigned long now);
void st_keep_set(struct sock *sk, int on);
int st_keep_set_idle(struct st_sock *st, int seconds);

/* conn/wait.c */
long st_wait_killable(struct completion *done, long timeo);
long st_patience(struct st_sock *st);

#endif
