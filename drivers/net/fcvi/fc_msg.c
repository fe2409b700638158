// SPDX-License-Identifier: GPL-2.0
/*
 * Messages on the Exchanges of FC-2, each in one of its own, FC-VI 5.4.
 *
 * Locks and life are as in fc.c: what is closed is freed after a grace period, as fc2 may just be
 * calling into it.
 */
#include <linux/fc2.h>
#include <linux/slab.h>

#include "fc_flow.h"
#include "fc_msg.h"
#include "fc_port.h"
#include "rx.h"

/* The large Device_Header */
#define FCVI_FC_DH		32

/**
 * struct fcvi_fc_mx - an Exchange
 * @mx: what knows no transport
 * @port: its port, with a reference
 * @exch: the Exchange of fc2
 * @over: it was ended; under the lock of the port
 * @rcu: frees it
 */
struct fcvi_fc_mx {
	struct fcvi_mx		mx;
	struct fcvi_fc_port	*port;
	struct fc2_exch		*exch;
	bool			over;
	struct rcu_head		rcu;
};

static struct fcvi_fc_mx *fcvi_fc_mx_new(struct fcvi_fc_port *p, struct fc2_rport *rport)
{
	struct fcvi_fc_mx *fm = kzalloc(sizeof(*fm), GFP_ATOMIC);

	if (!fm)
		return NULL;
	refcount_inc(&p->refs);
	fm->port = p;
	fm->mx.port = &p->port;
	fm->mx.rport = rport;
	return fm;
}

static void fcvi_fc_mx_free(struct fcvi_fc_mx *fm)
{
	fm->over = true;
	fcvi_fc_port_put(fm->port);
	kfree_rcu(fm, rcu);
}

/**
 * fcvi_fc_decode - read the Device_Header of a frame
 * @iu: gets it
 * @skb: the frame as fc2 hands it over, with its optional headers in the linear part
 *
 * Return: the verdict.
 */
enum fcvi_verdict fcvi_fc_decode(struct fcvi_iu *iu, const struct sk_buff *skb)
{
	return fcvi_decode(iu, fc2_frame_hdr(skb), skb->data, skb->len);
}

/* A frame of a Message, after which @skb begins at the payload */
static enum fcvi_verdict fcvi_fc_msg_take(struct fcvi_iu *iu, struct sk_buff *skb)
{
	enum fcvi_verdict verdict = fcvi_fc_decode(iu, skb);

	if (verdict != FCVI_GOOD)
		return verdict;
	if (iu->opcode >= FCVI_CONNECT_RQST)
		return FCVI_BAD_OPCODE;
	__skb_pull(skb, fcvi_iu_size(iu->opcode));
	/* Its sender, if it is in this machine, waits for it no longer */
	skb_orphan(skb);
	return FCVI_GOOD;
}

static void fcvi_fc_mx_rx(struct fc2_exch *exch, struct sk_buff *skb)
{
	u32 offset = be32_to_cpu(fc2_frame_hdr(skb)->fh_parm_offset);
	struct fcvi_fc_mx *fm = fc2_exch_priv(exch);
	struct fcvi_fc_port *p = fm->port;
	enum fcvi_verdict verdict;
	struct fcvi_iu iu;

	spin_lock_bh(&p->port.lock);
	if (fm->over || p->gone) {
		kfree_skb(skb);
	} else {
		verdict = fcvi_fc_msg_take(&iu, skb);
		if (verdict == FCVI_GOOD) {
			fm->mx.ops->frame(&fm->mx, &iu, skb, offset, fc2_skb_cb(skb)->flags);
		} else {
			p->drops[verdict]++;
			kfree_skb(skb);
		}
	}
	spin_unlock_bh(&p->port.lock);
}

static void fcvi_fc_mx_ended(struct fc2_exch *exch, int err)
{
	struct fcvi_fc_mx *fm = fc2_exch_priv(exch);
	struct fcvi_port *port = fm->mx.port;

	spin_lock_bh(&port->lock);
	if (!fm->over) {
		fm->mx.ops->end(&fm->mx, err);
		fcvi_fc_mx_free(fm);
	}
	spin_unlock_bh(&port->lock);
}

static const struct fc2_exch_ops fcvi_fc_mx_exch_ops = {
	.frame	= fcvi_fc_mx_rx,
	.end	= fcvi_fc_mx_ended,
};

/**
 * fcvi_fc_msg_open - a remote port begins the Exchange of a Message, see struct fc2_prov
 * @p: the port
 * @exch: the Exchange
 * @skb: its first frame, which stays as it is
 *
 * Return: 0 or a negative errno.
 */
int fcvi_fc_msg_open(struct fcvi_fc_port *p, struct fc2_exch *exch,
		     const struct sk_buff *skb)
{
	struct fcvi_fc_mx *fm;
	enum fcvi_verdict verdict;
	struct fcvi_iu iu;
	int err;

	fm = fcvi_fc_mx_new(p, fc2_exch_rport(exch));
	if (!fm)
		return -ENOMEM;
	fm->exch = exch;
	spin_lock_bh(&p->port.lock);
	verdict = fcvi_fc_decode(&iu, skb);
	if (verdict != FCVI_GOOD) {
		p->drops[verdict]++;
		err = -EPROTO;
	} else {
		err = p->gone ? -ENODEV : fcvi_rx_open(&fm->mx, &iu);
	}
	if (err)
		fcvi_fc_mx_free(fm);
	else
		fc2_exch_accept(exch, &fcvi_fc_mx_exch_ops, fm);
	spin_unlock_bh(&p->port.lock);
	return err;
}

/**
 * fcvi_fc_msg_single - a Message of a single frame, see struct fc2_prov
 * @rport: its sender
 * @skb: the frame; consumed when this returns 0
 *
 * Return: 0 or a negative errno.
 */
int fcvi_fc_msg_single(struct fc2_rport *rport, struct sk_buff *skb)
{
	u32 offset = be32_to_cpu(fc2_frame_hdr(skb)->fh_parm_offset);
	struct fcvi_fc_port *p = fcvi_fc_find(rport->port);
	enum fcvi_verdict verdict = FCVI_GOOD;
	struct fcvi_iu iu;

	if (!p)
		return -EPROTONOSUPPORT;
	spin_lock_bh(&p->port.lock);
	if (!p->gone)
		verdict = fcvi_fc_msg_take(&iu, skb);
	if (p->gone || verdict != FCVI_GOOD) {
		p->drops[verdict] += verdict != FCVI_GOOD;
		kfree_skb(skb);
	} else {
		fcvi_rx_alone(&p->port, rport, &iu, skb, skb->len ? offset : 0);
	}
	spin_unlock_bh(&p->port.lock);
	return 0;
}

static struct fcvi_mx *fcvi_fc_mx_open(struct fcvi_port *port, struct fc2_rport *rport)
{
	struct fcvi_fc_port *p = fcvi_fc_port(port);
	struct fcvi_fc_mx *fm = fcvi_fc_mx_new(p, rport);
	struct fc2_exch *exch;

	if (!fm)
		return NULL;
	exch = fc2_exch_open(rport, p->prov, &fcvi_fc_mx_exch_ops, fm, GFP_ATOMIC);
	if (IS_ERR(exch)) {
		fcvi_fc_mx_free(fm);
		return NULL;
	}
	fm->exch = exch;
	return &fm->mx;
}

static unsigned int fcvi_fc_mx_room(struct fcvi_port *port, const struct fc2_rport *rport)
{
	return round_down(rport->mfs - FCVI_FC_DH, 4);
}

static void fcvi_fc_mx_abort(struct fcvi_mx *mx)
{
	struct fcvi_fc_mx *fm = container_of(mx, struct fcvi_fc_mx, mx);

	fc2_exch_abort(fm->exch);
	fcvi_fc_mx_free(fm);
}

static void fcvi_fc_mx_close(struct fcvi_mx *mx)
{
	struct fcvi_fc_mx *fm = container_of(mx, struct fcvi_fc_mx, mx);

	fc2_exch_close(fm->exch);
	fcvi_fc_mx_free(fm);
}

/* The header of a frame, whose data, if they are another's, stay as they are */
static int fcvi_fc_msg_make(struct fcvi_fc_port *p, struct sk_buff *skb, const struct fcvi_iu *iu,
			    u8 cs_ctl, u32 offset, struct fc2_send *send)
{
	bool payload = skb->len;

	if (skb_cow_head(skb, FCVI_HEADROOM)) {
		kfree_skb(skb);
		return -ENOMEM;
	}
	*send = (struct fc2_send) {
		.r_ctl	= fcvi_iu_r_ctl(iu->opcode),
		.cs_ctl	= cs_ctl,
		.df_ctl	= fcvi_iu_df_ctl(iu->opcode),
		.flags	= payload ? FC2_SEND_OFFSET : 0,
		.param	= payload ? offset : 0,
	};
	fcvi_encode(skb_push(skb, fcvi_iu_size(iu->opcode)), iu);
	fcvi_fc_flow_own(p, skb);
	return 0;
}

static int fcvi_fc_mx_frame(struct fcvi_mx *mx, const struct fcvi_iu *iu, u8 cs_ctl, u32 offset,
			    u8 flags, struct sk_buff *skb)
{
	struct fcvi_fc_mx *fm = container_of(mx, struct fcvi_fc_mx, mx);
	struct fc2_send send;
	int err;

	err = fcvi_fc_msg_make(fm->port, skb, iu, cs_ctl, offset, &send);
	if (err)
		return err;
	send.flags |= flags;
	err = fc2_exch_send(fm->exch, skb, &send);
	if (!err && flags & FC2_SEND_LAST_SEQ)
		fcvi_fc_mx_close(mx);
	return err;
}

static int fcvi_fc_msg_alone(struct fcvi_port *port, struct fc2_rport *rport,
			     const struct fcvi_iu *iu, u8 cs_ctl, struct sk_buff *skb)
{
	struct fcvi_fc_port *p = fcvi_fc_port(port);
	struct fc2_send send;
	int err;

	err = fcvi_fc_msg_make(p, skb, iu, cs_ctl, 0, &send);
	return err ?: fc2_send_alone(rport, p->prov, skb, &send);
}

const struct fcvi_msg_transport fcvi_fc_msgs = {
	.open		= fcvi_fc_mx_open,
	.room		= fcvi_fc_mx_room,
	.frame		= fcvi_fc_mx_frame,
	.alone		= fcvi_fc_msg_alone,
	.abort		= fcvi_fc_mx_abort,
	.close		= fcvi_fc_mx_close,
	.may_send	= fcvi_fc_flow_may_send,
	.later		= fcvi_fc_flow_later,
};
