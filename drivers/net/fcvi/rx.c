// SPDX-License-Identifier: GPL-2.0
/*
 * Frames of Messages that come: for which endpoint they are, and for which Message.
 *
 * A Message of one frame on an endpoint that has nothing else to do needs no memory.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>

#include "handle.h"
#include "rx.h"
#include "rx_fault.h"
#include "rx_order.h"
#include "rx_place.h"
#include "rx_turn.h"

/* The endpoint of a frame, if it takes Messages; FC-VI 8.4.2 f */
static struct fcvi_vi *fcvi_rx_find(struct fcvi_port *port, const struct fc2_rport *rport,
				    const struct fcvi_iu *iu)
{
	const struct fcvi_handle *h = fcvi_handle_find(port, iu->handle, rport);
	struct fcvi_vi *vi = h ? h->vi : NULL;

	if (!vi) {
		port->msg_stats[h ? FCVI_MSG_NOT_CONNECTED : FCVI_MSG_BAD_HANDLE]++;
		return NULL;
	}
	/* What may be lost need not wait for the connection */
	if (!vi->rx.on || vi->rx.cause ||
	    (!fcvi_rx_reliable(vi) && vi->state != FCVI_CONNECTED)) {
		fcvi_count(vi, FCVI_MSG_NOT_CONNECTED, 1);
		return NULL;
	}
	return vi;
}

/* Whether a frame has the Device_Header of its Message; reserved fields are not looked at */
static bool fcvi_rx_same(const struct fcvi_iu *a, const struct fcvi_iu *b)
{
	if (a->opcode != b->opcode || a->handle != b->handle || a->msg_id != b->msg_id ||
	    a->tot_len != b->tot_len || a->flags != b->flags)
		return false;
	if (a->flags & FCVI_IMM_DATA && a->param != b->param)
		return false;
	/* FC-VI 5.9.8, 6.4.2 b */
	return a->opcode == FCVI_SEND_RQST ||
	       (a->rmt_va == b->rmt_va && a->rmt_va_handle == b->rmt_va_handle);
}

/* FC-VI 5.8.4: Sequence Initiative is passed for a Response only, and always for one */
static bool fcvi_rx_ends_well(const struct fcvi_rx_msg *m)
{
	bool response = m->vi->attrs.level == FCVI_RR || m->iu.opcode == FCVI_READ_RQST;

	return !m->end || m->end == (response ? FC2_SEND_INITIATIVE : FC2_SEND_LAST_SEQ);
}

/* A frame of Unreliable Delivery */
static void fcvi_rx_at_once(struct fcvi_rx_msg *m, struct sk_buff *skb, u32 offset)
{
	if (m->state == FCVI_RX_WAITS && !fcvi_rx_begin(m))
		kfree_skb(skb);
	else if (fcvi_rx_place(m, skb, offset) && m->end)
		fcvi_rx_finish(m);
}

/* A frame that may have to wait for the turn of its Message */
static void fcvi_rx_in_turn(struct fcvi_rx_msg *m, struct sk_buff *skb, u32 offset)
{
	struct fcvi_vi *vi = m->vi;

	if (m->state == FCVI_RX_PLACES)
		fcvi_rx_place(m, skb, offset);
	else if (m->state != FCVI_RX_WAITS)
		kfree_skb(skb);
	else if (!fcvi_rx_msg_hold(m, skb, offset))
		fcvi_rx_fail(m, FCVI_RX_NO_MEMORY);
	fcvi_rx_run(vi);
}

static void fcvi_rx_frame(struct fcvi_mx *mx, const struct fcvi_iu *iu, struct sk_buff *skb,
			  u32 offset, u8 flags)
{
	struct fcvi_rx_msg *m = mx->priv;

	lockdep_assert_held(&mx->port->lock);
	flags &= FC2_SEND_LAST_SEQ | FC2_SEND_INITIATIVE;
	if (!m) {
		mx->port->msg_stats[FCVI_MSG_OLD]++;
		kfree_skb(skb);
		if (flags & FC2_SEND_INITIATIVE)
			mx->port->msgs->close(mx);
		return;
	}
	m->end = flags;
	if (!fcvi_rx_same(&m->iu, iu) || !fcvi_rx_ends_well(m)) {
		kfree_skb(skb);
		fcvi_rx_fail(m, FCVI_RX_DAMAGED);
	} else if (fcvi_rx_reliable(m->vi)) {
		fcvi_rx_in_turn(m, skb, offset);
	} else {
		fcvi_rx_at_once(m, skb, offset);
	}
}

static void fcvi_rx_end(struct fcvi_mx *mx, int err)
{
	struct fcvi_rx_msg *m = mx->priv;

	lockdep_assert_held(&mx->port->lock);
	if (!m)
		return;
	mx->priv = NULL;
	m->mx = NULL;
	fcvi_rx_msg_leave(m);
	/* The end of the connection is near */
	if (err == -ENOTCONN)
		return;
	/* It may wait for its turn, whole */
	if (m->end & FC2_SEND_LAST_SEQ)
		return;
	fcvi_rx_fail(m, err == -ECONNABORTED ? FCVI_RX_SHORT : FCVI_RX_MISSING);
}

static const struct fcvi_mx_ops fcvi_rx_mx_ops = {
	.frame	= fcvi_rx_frame,
	.end	= fcvi_rx_end,
};

/* A new Message of an endpoint.  Return: the Message, or NULL, and then it may be in Error */
static struct fcvi_rx_msg *fcvi_rx_new(struct fcvi_vi *vi, const struct fcvi_iu *iu)
{
	struct fcvi_rx_msg *m = fcvi_rx_msg_new(vi, iu);

	if (!m) {
		fcvi_count(vi, FCVI_MSG_NO_MEMORY, 1);
		if (fcvi_rx_reliable(vi))
			fcvi_rx_error(vi, FCVI_TRANSPORT);
	} else if (!fcvi_rx_insert(m)) {
		fcvi_rx_msg_free(m);
		m = NULL;
	}
	return m;
}

/* What the reliability level does not have, FC-VI 6.3.1, 6.5.1 and 6.6.1 */
static bool fcvi_rx_not_allowed(struct fcvi_vi *vi, u8 opcode, bool alone)
{
	bool allowed;

	if (opcode == FCVI_READ_RQST)
		allowed = vi->attrs.level != FCVI_UD;
	else
		allowed = opcode <= FCVI_WRITE_RQST && !(alone && vi->attrs.level == FCVI_RR);
	if (allowed)
		return false;
	fcvi_count(vi, FCVI_MSG_NOT_ALLOWED, 1);
	fcvi_rx_error(vi, FCVI_PROTOCOL);
	return true;
}

/**
 * fcvi_rx_open - a remote port begins the Exchange of a Message
 * @mx: the Exchange; gets what its frames are for
 * @iu: Device_Header of its first frame, which comes as others after this
 *
 * Return: 0, or -ENOENT: nobody is there for it, which was counted.
 */
int fcvi_rx_open(struct fcvi_mx *mx, const struct fcvi_iu *iu)
{
	struct fcvi_vi *vi = fcvi_rx_find(mx->port, mx->rport, iu);
	struct fcvi_rx_msg *m;

	lockdep_assert_held(&mx->port->lock);
	if (!vi || fcvi_rx_not_allowed(vi, iu->opcode, false) || !fcvi_rx_expected(vi, iu))
		return -ENOENT;
	m = fcvi_rx_new(vi, iu);
	if (!m)
		return -ENOENT;
	m->mx = mx;
	mx->ops = &fcvi_rx_mx_ops;
	mx->priv = m;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_rx_open);

/* A Message of one frame that stays, or has to wait for its turn */
static void fcvi_rx_kept(struct fcvi_vi *vi, const struct fcvi_iu *iu, struct sk_buff *skb,
			 u32 offset)
{
	struct fcvi_rx_msg *m = fcvi_rx_new(vi, iu);

	if (!m) {
		kfree_skb(skb);
		return;
	}
	m->end = FC2_SEND_LAST_SEQ;
	if (fcvi_rx_reliable(vi))
		fcvi_rx_in_turn(m, skb, offset);
	else
		fcvi_rx_at_once(m, skb, offset);
}

/**
 * fcvi_rx_alone - a Message of one frame that has no Response
 * @port: the port
 * @rport: the remote port
 * @iu: its Device_Header
 * @skb: the frame, which begins at the payload; consumed
 * @offset: its Relative Offset, if it has payload
 */
void fcvi_rx_alone(struct fcvi_port *port, struct fc2_rport *rport, const struct fcvi_iu *iu,
		   struct sk_buff *skb, u32 offset)
{
	struct fcvi_vi *vi = fcvi_rx_find(port, rport, iu);
	struct fcvi_rx_msg m;

	lockdep_assert_held(&port->lock);
	if (!vi || fcvi_rx_not_allowed(vi, iu->opcode, true) || !fcvi_rx_expected(vi, iu)) {
		kfree_skb(skb);
		return;
	}
	if (!fcvi_rx_has_turn(vi, iu)) {
		fcvi_rx_kept(vi, iu, skb, offset);
		return;
	}
	fcvi_rx_msg_init(&m, vi, iu);
	m.alone = true;
	m.end = FC2_SEND_LAST_SEQ;
	fcvi_rx_at_once(&m, skb, offset);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_rx_alone);

/* Messages that are under way end with the connection */
static void fcvi_rx_cancel(struct fcvi_vi *vi)
{
	struct fcvi_desc *desc;
	struct fcvi_rx_msg *m;

	/* Descriptors of the queue first, in its order */
	while ((m = list_first_entry_or_null(&vi->rx.taken, struct fcvi_rx_msg, taken)) ||
	       (m = list_first_entry_or_null(&vi->rx.msgs, struct fcvi_rx_msg, list)) ||
	       (m = vi->rx.read)) {
		desc = m->desc;
		if (desc && m->state != FCVI_RX_DONE) {
			desc->error |= FCVI_ERR_FLUSHED;
			desc->len = 0;
		}
		fcvi_rx_msg_leave(m);
		fcvi_rx_msg_free(m);
		if (desc)
			vi->user->complete(vi, desc);
	}
}

/**
 * fcvi_rx_init - make the receive queue of an endpoint
 * @vi: the endpoint
 */
void fcvi_rx_init(struct fcvi_vi *vi)
{
	INIT_LIST_HEAD(&vi->rx.posted);
	INIT_LIST_HEAD(&vi->rx.msgs);
	INIT_LIST_HEAD(&vi->rx.taken);
	fcvi_rx_turn_init(vi);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_rx_init);

/**
 * fcvi_rx_enable - begin or end to take Messages, see struct fcvi_vi_ops
 * @vi: the endpoint
 * @on: which
 */
void fcvi_rx_enable(struct fcvi_vi *vi, bool on)
{
	struct fcvi_rx *rx = &vi->rx;

	lockdep_assert_held(&vi->port->lock);
	/* A peer begins with each of its two setups */
	if (rx->on == on)
		return;
	rx->on = on;
	if (on) {
		rx->ordered = vi->port->ordered;
		fcvi_rx_order_begin(vi);
		return;
	}
	rx->cause = FCVI_OK;
	fcvi_rx_turn_end(vi);
	fcvi_rx_cancel(vi);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_rx_enable);
