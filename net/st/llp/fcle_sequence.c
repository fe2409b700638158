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

/* Bytes of frames, with their overhead, of all operations of a port that are not complete */
#define ST_FCLE_KEPT_MAX	(64 << 20)

/**
 * struct st_fcle_seq - an operation that is not complete
 * @lock: of the other members, but @port, @max and @rcu: the Exchange may end on another CPU
 * @frames: its frames, by SEQ_CNT
 * @port: where those that are kept count, with a reference
 * @max: bytes that an operation over the link can have
 * @bad: it is not for ST, or over
 * @rcu: frees it
 */
struct st_fcle_seq {
	spinlock_t		lock;	/* of the members below */
	struct st_frames	frames;
	struct st_fcle_port	*port;
	unsigned int		max;
	bool			bad;
	struct rcu_head		rcu;
};

static u16 st_fcle_cnt(const struct sk_buff *skb)
{
	return be16_to_cpu(fc2_frame_hdr(skb)->fh_seq_cnt);
}

/* No more frames are taken.  Return: those that are there. */
static struct st_frames st_fcle_seq_close(struct st_fcle_seq *seq)
{
	struct st_frames frames = seq->frames;

	lockdep_assert_held(&seq->lock);
	atomic_sub(frames.kept, &seq->port->kept);
	seq->frames = (struct st_frames){};
	seq->bad = true;
	return frames;
}

/* The Sequence is complete. */
static void st_fcle_seq_rcv(struct fc2_rport *rport, struct st_frames *frames)
{
	struct st_link *link = st_fcle_link(rport->port);
	struct sk_buff *skb;

	if (!link || !st_fcle_begins(link, rport, skb_rb_first(&frames->tree)))
		return;
	skb = st_frames_join(frames);
	if (skb)
		st_fcle_rcv(link, rport, skb);
	else
		st_link_illegal_frame(link);
}

static void st_fcle_exch_end(struct fc2_exch *exch, int err)
{
	struct st_fcle_seq *seq = fc2_exch_priv(exch);
	struct st_frames frames;

	spin_lock_bh(&seq->lock);
	frames = st_fcle_seq_close(seq);
	spin_unlock_bh(&seq->lock);
	st_frames_purge(&frames);
	st_fcle_port_put(seq->port);
	kfree_rcu(seq, rcu);
}

/* Count an operation that is dropped. */
static void st_fcle_lost(const struct fc2_rport *rport)
{
	const struct st_link *link = st_fcle_link(rport->port);

	if (link)
		st_link_illegal_frame(link);
}

/* Whether there is room for a frame, in the operation and in memory */
static bool st_fcle_seq_fits(const struct st_fcle_seq *seq, const struct sk_buff *skb)
{
	return seq->frames.len + skb->len <= seq->max &&
	       atomic_read(&seq->port->kept) + skb->truesize <= ST_FCLE_KEPT_MAX;
}

static void st_fcle_frame(struct fc2_exch *exch, struct sk_buff *skb)
{
	struct st_fcle_seq *seq = fc2_exch_priv(exch);
	u8 flags = fc2_skb_cb(skb)->flags;
	bool end = flags & FC2_SEND_END_SEQ;
	struct st_frames frames = {};
	bool lost = false;

	spin_lock(&seq->lock);
	if (seq->bad || !st_fcle_seq_fits(seq, skb)) {
		end = false;
		/* The operation counts once, not each of its frames */
		lost = !seq->bad;
		kfree_skb(skb);
		if (lost)
			frames = st_fcle_seq_close(seq);
	} else {
		st_frames_add(&seq->frames, skb, st_fcle_cnt(skb));
		atomic_add(skb->truesize, &seq->port->kept);
		if (end)
			frames = st_fcle_seq_close(seq);
	}
	spin_unlock(&seq->lock);
	if (end)
		st_fcle_seq_rcv(fc2_exch_rport(exch), &frames);
	if (lost)
		st_fcle_lost(fc2_exch_rport(exch));
	st_frames_purge(&frames);
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
	seq->port = st_fcle_port_get(link);
	if (!seq->port) {
		kfree(seq);
		return -ENOENT;
	}
	seq->max = sizeof(struct st_fcle_hdr) + ST_HDR_LEN + BIT(stu);
	fc2_exch_accept(exch, &st_fcle_exch_ops, seq);
	return 0;
}
