/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operations on their way to an LLP.
 */
#ifndef _NET_ST_OUTPUT_H
#define _NET_ST_OUTPUT_H

#include <linux/skbuff.h>
#include <linux/workqueue.h>

struct st_op;
struct st_path;
struct st_sock;

#define ST_OUTQ_MAX	1024	/* operations in st_out.queue */

/**
 * struct st_out - operations on their way to an LLP
 * @queue: the operations
 * @flushing: a CPU drains @queue in st_unlock(); one at a time
 * @work: continues to send when the LLP has sent something
 *
 * All of it is protected by st_sock.lock; only the CPU that has set @flushing takes
 * operations from @queue.
 */
struct st_out {
	struct sk_buff_head	queue;
	bool			flushing;
	struct work_struct	work;
};

/* conn/output.c */
void st_op_init(const struct st_sock *st, struct st_op *op, u8 code, u16 flags);
int st_queue_op(struct st_sock *st, const struct st_op *op);
void st_outq_add(struct st_sock *st, struct sk_buff *skb);
int st_queue_op_by(struct st_path *path, const struct st_op *op);
void st_timer_at(struct st_sock *st, unsigned long when);
void st_tx_go_on(struct st_sock *st);

#endif
