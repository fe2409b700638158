// SPDX-License-Identifier: GPL-2.0
/* Control operations of a Virtual Connection, and the queue of outgoing operations. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/st_compat.h>
#include <linux/timer.h>

#include "link/link.h"
#include "st_sock.h"

#define ST_FLUSH	256	/* operations that one caller passes to the LLP */

/**
 * st_op_init - initialize an operation to the peer of a Virtual Connection
 * @st: the Virtual Connection
 * @op: the operation; all fields not given here are set to zero
 * @code: enum st_opcode
 * @flags: ST figure 13
 *
 * Context: under st->lock.
 */
void st_op_init(const struct st_sock *st, struct st_op *op, u8 code, u16 flags)
{
	*op = (struct st_op) {
		.op = code,
		.flags = flags,
		.d_port = st->vc.peer.port,
		.s_port = st->bind.port->num,
		.d_key = st->vc.peer.key,
	};
}

/**
 * st_queue_op - queue a Control operation to the peer
 * @st: the Virtual Connection
 * @op: the operation
 *
 * It is sent in st_unlock().  An operation that cannot be queued counts as lost on the way: if it
 * has an answer, it is repeated.
 *
 * Context: under st->lock.
 * Return: 0, or -ENOMEM, also when the queue is full.
 */
int st_queue_op(struct st_sock *st, const struct st_op *op)
{
	return st_queue_op_by(st->paths.main, op);
}

/**
 * st_outq_add - append an operation to the queue
 * @st: the Virtual Connection
 * @skb: the operation
 *
 * Context: under st_sock.lock.
 */
void st_outq_add(struct st_sock *st, struct sk_buff *skb)
{
	skb->priority = READ_ONCE(st->sk.sk_priority);
	skb->mark = READ_ONCE(st->sk.sk_mark);
	__skb_queue_tail(&st->out.queue, skb);
}

/*
 * Describe in @opt, of ST_OPT_LEN bytes, the memory for short records of the peer, in an operation
 * of the setup.  Return: bytes of the payload; 0: the operation has none.
 */
static u32 st_short_offer(const struct st_sock *st, const struct st_op *op, void *opt)
{
	static const struct st_short_opt offer = {
		.magic = cpu_to_be64(ST_SHORT_MAGIC),
		.id = cpu_to_be32(ST_SHORT_ID),
		.mx = cpu_to_be16(ST_SHORT_MX),
		.max = cpu_to_be16(ST_SHORT_MAX),
	};
	const struct st_shorts *s = &st->shorts;

	if (!(op->op == ST_OP_REQUEST_CONNECTION && s->wanted) &&
	    !(op->op == ST_OP_CONNECTION_ANSWER && s->max))
		return 0;
	memcpy(opt, &offer, sizeof(offer));
	return sizeof(offer);
}

/**
 * st_queue_op_by - queue a Control operation to the peer, over a given path
 * @path: the path
 * @op: the operation
 *
 * As st_queue_op().
 *
 * Context: under st_sock.lock.
 * Return: 0, or -ENOMEM, also when the queue is full.
 */
int st_queue_op_by(struct st_path *path, const struct st_op *op)
{
	struct st_sock *st = path->st;
	struct sk_buff *skb = NULL;
	u8 opt[ST_OPT_LEN];

	if (skb_queue_len(&st->out.queue) < ST_OUTQ_MAX)
		skb = st_alloc(path->link, op, opt, st_short_offer(st, op, opt), st->vc.checksum);
	if (!skb) {
		atomic64_inc(&st_net_of(st)->drops[ST_DROP_NOMEM]);
		return -ENOMEM;
	}
	ST_SKB_CB(skb)->path = path->index;
	st->info.tx_ops++;
	st_outq_add(st, skb);
	return 0;
}

/**
 * st_timer_at - let st_timer() run at a time, or earlier
 * @st: the Virtual Connection
 * @when: jiffies
 *
 * Context: under st->lock.
 */
void st_timer_at(struct st_sock *st, unsigned long when)
{
	if (!timer_pending(&st->timers.timer) || time_before(when, st->timers.timer.expires))
		sk_reset_timer(&st->sk, &st->timers.timer, when);
}

/**
 * st_unlock - drop the lock and pass queued operations to the LLP
 * @st: the Virtual Connection, locked, referenced by the caller
 *
 * The order of the queue is kept: one caller at a time drains it, with bottom halves off so that
 * the others do not wait long, and leaves operations beyond its budget to st_tx_work().
 *
 * Context: under st->lock, which is dropped; no other st_sock.lock may be held.
 */
void st_unlock(struct st_sock *st)
	__releases(&st->lock)
{
	unsigned int budget = ST_FLUSH;
	u8 daddr[ST_ADDR_MAX];
	struct st_route *route;
	struct st_link *link;
	struct sk_buff *skb;
	struct st_path *path;

	if (st->out.flushing || skb_queue_empty(&st->out.queue)) {
		spin_unlock_bh(&st->lock);
		return;
	}
	st->out.flushing = true;
	/* Keeps a link or route whose last reference is dropped meanwhile */
	rcu_read_lock();
	while (budget-- && (skb = __skb_dequeue(&st->out.queue))) {
		path = st_path_at(st, ST_SKB_CB(skb)->path);
		link = path->link;
		if (!link) {
			kfree_skb(skb);
			continue;
		}
		route = path->route;
		memcpy(daddr, path->addr, sizeof(daddr));
		spin_unlock(&st->lock);
		st_xmit(link, skb, daddr, route);
		spin_lock(&st->lock);
	}
	rcu_read_unlock();
	st->out.flushing = false;
	if (!skb_queue_empty(&st->out.queue)) {
		sock_hold(&st->sk);
		st_tx_go_on(st);
	}
	spin_unlock_bh(&st->lock);
}
EXPORT_SYMBOL_IF_KUNIT(st_unlock);

/**
 * st_tx_go_on - schedule st_tx_work()
 * @st: the Virtual Connection, with a reference, which is passed on
 *
 * Context: any.
 */
void st_tx_go_on(struct st_sock *st)
{
	if (!queue_work(system_bh_wq, &st->out.work))
		sock_put(&st->sk);
}
