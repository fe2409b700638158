// SPDX-License-Identifier: GPL-2.0
/*
 * FC-LE under ST: operations in Sequences of several frames.
 */
#include <linux/atomic.h>
#include <linux/fc2.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "fcle.h"

/* Bytes of frames, with their overhead, of all operations that are not complete */
#define ST_FCLE_KEPT_MAX	(64 << 20)

static atomic_t st_fcle_kept;

/**
 * struct st_fcle_seq - an operation that is not complete
 * @lock: of the other members, but @max and @rcu: the Exchange may end on another CPU
 * @frames: its frames, by SEQ_CNT
 * @len: bytes in them
 * @kept: bytes that they take
 * @max: bytes that an operation over the link can have
 * @bad: it is not for ST, or over
 * @rcu: frees it
 */
struct st_fcle_seq {
	spinlock_t		lock;	/* of the members below */
	struct sk_buff_head	frames;
	unsigned int		len;
	unsigned int		kept;
	unsigned int		max;
	bool			bad;
	struct rcu_head		rcu;
};

static u16 st_fcle_cnt(const struct sk_buff *skb)
{
	return be16_to_cpu(fc2_frame_hdr(skb)->fh_seq_cnt);
}

/* No more frames are taken; those that are there go to @frames. */
static void st_fcle_seq_close(struct st_fcle_seq *seq, struct sk_buff_head *frames)
{
	lockdep_assert_held(&seq->lock);
	skb_queue_splice_init(&seq->frames, frames);
	atomic_sub(seq->kept, &st_fcle_kept);
	seq->kept = 0;
	seq->bad = true;
}

/* Most frames come in order. */
static void st_fcle_seq_add(struct st_fcle_seq *seq, struct sk_buff *skb)
{
	struct sk_buff *at = skb_peek_tail(&seq->frames);

	while (at && st_fcle_cnt(at) > st_fcle_cnt(skb))
		at = skb_queue_is_first(&seq->frames, at) ? NULL :
							    skb_queue_prev(&seq->frames, at);
	if (at)
		__skb_queue_after(&seq->frames, at, skb);
	else
		__skb_queue_head(&seq->frames, skb);
	seq->len += skb->len;
	seq->kept += skb->truesize;
	atomic_add(skb->truesize, &st_fcle_kept);
}

/* Make one skb of all frames. */
static struct sk_buff *st_fcle_seq_join(struct sk_buff_head *frames)
{
	struct sk_buff *head = __skb_dequeue(frames), *skb, **tail;

	if (skb_has_frag_list(head) || skb_cloned(head)) {
		if (skb_linearize(head) || skb_unclone(head, GFP_ATOMIC))
			goto no_memory;
	}
	tail = &skb_shinfo(head)->frag_list;
	while ((skb = __skb_dequeue(frames))) {
		head->len += skb->len;
		head->data_len += skb->len;
		head->truesize += skb->truesize;
		*tail = skb;
		tail = &skb->next;
	}
	*tail = NULL;
	return head;
no_memory:
	kfree_skb(head);
	return NULL;
}

/* The Sequence is complete. */
static void st_fcle_seq_rcv(struct fc2_rport *rport, struct sk_buff_head *frames)
{
	struct st_link *link = st_fcle_link(rport->port);
	struct sk_buff *skb;

	if (!link || !st_fcle_begins(link, rport, skb_peek(frames)))
		return;
	skb = st_fcle_seq_join(frames);
	if (skb)
		st_fcle_rcv(link, rport, skb);
}

static void st_fcle_exch_end(struct fc2_exch *exch, int err)
{
	struct st_fcle_seq *seq = fc2_exch_priv(exch);
	struct sk_buff_head frames;

	__skb_queue_head_init(&frames);
	spin_lock_bh(&seq->lock);
	st_fcle_seq_close(seq, &frames);
	spin_unlock_bh(&seq->lock);
	__skb_queue_purge(&frames);
	kfree_rcu(seq, rcu);
}

static void st_fcle_frame(struct fc2_exch *exch, struct sk_buff *skb)
{
	struct st_fcle_seq *seq = fc2_exch_priv(exch);
	u8 flags = fc2_skb_cb(skb)->flags;
	bool end = flags & FC2_SEND_END_SEQ;
	struct sk_buff_head frames;

	__skb_queue_head_init(&frames);
	spin_lock(&seq->lock);
	if (seq->bad || seq->len + skb->len > seq->max ||
	    atomic_read(&st_fcle_kept) > ST_FCLE_KEPT_MAX) {
		end = false;
		kfree_skb(skb);
		st_fcle_seq_close(seq, &frames);
	} else {
		st_fcle_seq_add(seq, skb);
		if (end)
			st_fcle_seq_close(seq, &frames);
	}
	spin_unlock(&seq->lock);
	if (end)
		st_fcle_seq_rcv(fc2_exch_rport(exch), &frames);
	__skb_queue_purge(&frames);
	/* An operation is an Exchange: Sequence Initiative is of no use, and no more is to come */
	if ((flags & FC2_SEND_END_SEQ) && !(flags & FC2_SEND_LAST_SEQ) && fc2_exch_close(exch))
		st_fcle_exch_end(exch, 0);
}

static const struct fc2_exch_ops st_fcle_exch_ops = {
	.frame	= st_fcle_frame,
	.end	= st_fcle_exch_end,
};

/**
 * st_fcle_open - a remote port begins an Exchange
 * @exch: the Exchange
 * @skb: its first frame to arrive
 *
 * Context: softirq, under RCU.
 * Return: 0 or a negative errno.
 */
int st_fcle_open(struct fc2_exch *exch, const struct sk_buff *skb)
{
	const struct st_link *link = st_fcle_link(fc2_exch_rport(exch)->port);
	struct st_fcle_seq *seq;
	int stu;

	if (!link)
		return -ENOENT;
	stu = link->llp->ops->max_stu(link, 1);
	if (stu < 0)
		return -EMSGSIZE;
	seq = kzalloc(sizeof(*seq), GFP_ATOMIC);
	if (!seq)
		return -ENOMEM;
	spin_lock_init(&seq->lock);
	__skb_queue_head_init(&seq->frames);
	seq->max = sizeof(struct st_fcle_hdr) + ST_HDR_LEN + BIT(stu);
	fc2_exch_accept(exch, &st_fcle_exch_ops, seq);
	return 0;
}
