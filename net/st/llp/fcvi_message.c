// SPDX-License-Identifier: GPL-2.0
/*
 * FC-VI under ST: one operation is one Send Message.
 */
#include <linux/fcvi.h>
#include <linux/slab.h>

#include "fcvi.h"

/* Operations that wait for their turn on a VI; the peer's answer would be late anyway */
#define ST_FCVI_QUEUE_MAX	1024
/* Bytes of frames, with their overhead, of operations that are not complete: of a VI, of a link */
#define ST_FCVI_KEPT_MAX	(4 << 20)
#define ST_FCVI_KEPT_ALL	(64 << 20)
/* Operations that wait for af_st */
#define ST_FCVI_RECEIVED_MAX	8192
/* Operations that af_st gets in one go */
#define ST_FCVI_BUDGET		64

/**
 * struct st_fcvi_op - an operation
 * @desc: its Descriptor
 * @skb: to be sent: the operation
 * @frames: received: its frames, by Relative Offset
 */
struct st_fcvi_op {
	struct fcvi_desc	desc;
	struct sk_buff		*skb;
	struct st_frames	frames;
};

/* Who has sent a received operation, in skb->cb */
static struct in6_addr *st_fcvi_from(struct sk_buff *skb)
{
	return (struct in6_addr *)skb->cb;
}

static struct st_fcvi_op *st_fcvi_op(struct fcvi_desc *desc)
{
	return container_of(desc, struct st_fcvi_op, desc);
}

/**
 * st_fcvi_send - send an operation
 * @v: the VI
 * @skb: the operation, at its Schedule Header; consumed
 *
 * Context: under the lock of the port.
 * Return: 0 or a negative errno.
 */
int st_fcvi_send(struct st_fcvi_vi *v, struct sk_buff *skb)
{
	struct st_fcvi_op *op = NULL;
	int err = -ENOBUFS;

	if (v->queued < ST_FCVI_QUEUE_MAX)
		op = kzalloc(sizeof(*op), GFP_ATOMIC | __GFP_NOWARN);
	if (!op)
		goto drop;
	op->skb = skb;
	op->desc.op = FCVI_OP_SEND;
	op->desc.len = skb->len;
	v->queued++;
	err = fcvi_post_send(v->vi, &op->desc);
	if (!err)
		return 0;
	v->queued--;
	kfree(op);
drop:
	kfree_skb(skb);
	return err;
}

/*
 * An operation of one frame goes out as it is, once: ST repeats what the device did not take.
 * Others go out without a copy of what is in pages.
 */
static struct sk_buff *st_fcvi_fill(struct fcvi_vi *vi, struct fcvi_desc *desc, u32 offset, u32 len)
{
	struct st_fcvi_op *op = st_fcvi_op(desc);
	struct sk_buff *skb = op->skb;

	if (!skb)
		return ERR_PTR(-EFAULT);
	if (len == desc->len) {
		op->skb = NULL;
		return skb;
	}
	skb = pskb_extract(skb, offset, len, GFP_ATOMIC);
	if (!skb || skb_cow_head(skb, FCVI_HEADROOM)) {
		kfree_skb(skb);
		return ERR_PTR(-ENOMEM);
	}
	return skb;
}

static unsigned int st_fcvi_longest(const struct st_fcvi *f)
{
	int stu = f->link->llp->ops->max_stu(f->link, 1);

	return stu < 0 ? 0 : ST_HDR_LEN + BIT(stu);
}

static struct fcvi_desc *st_fcvi_take(struct fcvi_vi *vi, u32 len)
{
	struct st_fcvi_vi *v = fcvi_vi_priv(vi);
	struct st_fcvi_op *op;
	struct st_fcvi *f;

	if (!v->peer)
		return NULL;
	f = v->peer->f;
	if (len < ST_HDR_LEN || len > st_fcvi_longest(f)) {
		st_link_illegal_frame(f->link);
		return NULL;
	}
	if (skb_queue_len(&f->received) >= ST_FCVI_RECEIVED_MAX)
		return NULL;
	op = kzalloc(sizeof(*op), GFP_ATOMIC | __GFP_NOWARN);
	if (!op)
		return NULL;
	op->desc.op = FCVI_OP_RECV;
	op->desc.len = len;
	return &op->desc;
}

static int st_fcvi_data(struct fcvi_vi *vi, struct fcvi_desc *desc, u32 offset, struct sk_buff *skb)
{
	struct st_fcvi_vi *v = fcvi_vi_priv(vi);
	struct st_fcvi *f = v->peer ? v->peer->f : NULL;

	if (!f || v->kept + skb->truesize > ST_FCVI_KEPT_MAX ||
	    f->kept + skb->truesize > ST_FCVI_KEPT_ALL) {
		kfree_skb(skb);
		return -EFAULT;
	}
	v->kept += skb->truesize;
	f->kept += skb->truesize;
	st_frames_add(&st_fcvi_op(desc)->frames, skb, offset);
	return 0;
}

/* A Message has come, whole or not. */
static void st_fcvi_received(struct st_fcvi_vi *v, struct st_fcvi_op *op)
{
	struct st_fcvi_peer *peer = v->peer;
	struct sk_buff *skb = NULL;

	v->kept -= op->frames.kept;
	if (peer)
		peer->f->kept -= op->frames.kept;
	if (peer && !op->desc.error) {
		if (op->frames.len == op->desc.len && st_frames_whole(&op->frames))
			skb = st_frames_join(&op->frames);
		if (!skb)
			st_link_illegal_frame(peer->f->link);
	}
	st_frames_purge(&op->frames);
	if (!skb)
		return;
	*st_fcvi_from(skb) = peer->host;
	skb_queue_tail(&peer->f->received, skb);
	queue_work(system_bh_wq, &peer->f->deliver);
}

static void st_fcvi_complete(struct fcvi_vi *vi, struct fcvi_desc *desc)
{
	struct st_fcvi_vi *v = fcvi_vi_priv(vi);
	struct st_fcvi_op *op = st_fcvi_op(desc);

	if (desc->op == FCVI_OP_RECV) {
		st_fcvi_received(v, op);
	} else {
		v->queued--;
		if (desc->error)
			kfree_skb(op->skb);
		else
			consume_skb(op->skb);
	}
	kfree(op);
}

/* ST repeats what is lost, and counts what it does not like */
static void st_fcvi_async(struct fcvi_vi *vi, enum fcvi_async what)
{
}

const struct fcvi_user_ops st_fcvi_ops = {
	.tell		= st_fcvi_tell,
	.async		= st_fcvi_async,
	.fill		= st_fcvi_fill,
	.take		= st_fcvi_take,
	.data		= st_fcvi_data,
	.complete	= st_fcvi_complete,
};

/**
 * st_fcvi_deliver - hand what was received to af_st
 * @work: st_fcvi.deliver
 *
 * Context: softirq.
 */
void st_fcvi_deliver(struct work_struct *work)
{
	struct st_fcvi *f = container_of(work, struct st_fcvi, deliver);
	unsigned int budget = ST_FCVI_BUDGET;
	struct in6_addr from;
	struct sk_buff *skb;

	rcu_read_lock();
	while (budget && (skb = skb_dequeue(&f->received))) {
		budget--;
		from = *st_fcvi_from(skb);
		memset(skb->cb, 0, sizeof(skb->cb));
		skb_reset_network_header(skb);
		st_rcv(f->link, skb, from.s6_addr);
	}
	rcu_read_unlock();
	if (!budget)
		queue_work(system_bh_wq, work);
}
