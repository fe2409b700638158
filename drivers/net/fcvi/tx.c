// SPDX-License-Identifier: GPL-2.0
/*
 * Send queues, VI-ARCH 6.3: Descriptors begin in the order in which they were posted, one Message
 * after the other, and complete in that order.
 *
 * The Message of a Descriptor is sent at once if it may, by whoever posts it, or by what has made
 * the Descriptors before it complete.  What is known of a Message that waits for its Response is
 * in its Descriptor.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/fc2.h>
#include <linux/skbuff.h>

#include "disconnect.h"
#include "sched.h"
#include "timer.h"
#include "tx.h"
#include "tx_resp.h"

/* Table 1: operations have the opcodes of their requests, and Responses follow at a distance */
#define FCVI_RESP_OF		(FCVI_SEND_RESP - FCVI_SEND_RQST)

static_assert((int)FCVI_OP_SEND == FCVI_SEND_RQST);
static_assert((int)FCVI_OP_WRITE == FCVI_WRITE_RQST);
static_assert((int)FCVI_OP_READ == FCVI_READ_RQST);
static_assert(FCVI_OP_WRITE + FCVI_RESP_OF == FCVI_WRITE_RESP);
static_assert(FCVI_OP_READ + FCVI_RESP_OF == FCVI_READ_RESP);

/* How far a Descriptor is, in its @phase */
enum fcvi_tx_phase {
	FCVI_TX_POSTED,		/* it has not begun */
	FCVI_TX_SENDING,	/* frames of its Message go out */
	FCVI_TX_WAIT,		/* the other side has to answer */
	FCVI_TX_DONE,		/* it completes when it is the oldest */
};

static void fcvi_tx_run(struct fcvi_vi *vi);

static struct fcvi_desc *fcvi_tx_first(struct fcvi_vi *vi)
{
	return list_first_entry_or_null(&vi->tx.posted, struct fcvi_desc, list);
}

/* A Descriptor is complete, and the user's again. */
static void fcvi_tx_give(struct fcvi_vi *vi, struct fcvi_desc *desc)
{
	struct fcvi_tx *tx = &vi->tx;

	list_del(&desc->list);
	tx->nr--;
	if (desc->phase != FCVI_TX_POSTED) {
		tx->open--;
		tx->reads -= desc->op == FCVI_OP_READ;
	}
	vi->user->complete(vi, desc);
}

/*
 * A Message has failed.  Its Descriptor completes in its turn, on Unreliable Delivery; else the
 * connection is lost with it, VI-ARCH 2.5.
 */
static void fcvi_tx_fail(struct fcvi_desc *desc, struct fcvi_fault fault)
{
	struct fcvi_vi *vi = desc->vi;

	desc->error |= fault.error;
	desc->phase = FCVI_TX_DONE;
	if (vi->attrs.level == FCVI_UD) {
		fcvi_tx_run(vi);
		return;
	}
	if (!desc->error)
		desc->error = FCVI_ERR_FLUSHED;
	fcvi_disconnect_lost(vi, fault.cause);
}

/* Takes the Exchange from what a Descriptor still sends, if it does */
static void fcvi_tx_stop(struct fcvi_desc *desc)
{
	struct fcvi_tx *tx = &desc->vi->tx;

	if (tx->sending != desc)
		return;
	fcvi_sched_remove(&tx->out);
	desc->mx = tx->out.mx;
	tx->sending = NULL;
}

static void fcvi_tx_quit(struct fcvi_desc *desc, void (*how)(struct fcvi_mx *mx))
{
	struct fcvi_mx *mx = desc->mx;

	desc->mx = NULL;
	if (mx)
		how(mx);
}

/* FC-VI 8.4.2 a */
static void fcvi_tx_timeout(struct fcvi_desc *desc)
{
	struct fcvi_vi *vi = desc->vi;

	fcvi_count(vi, FCVI_MSG_TIMEOUT, 1);
	fcvi_tx_quit(desc, vi->port->msgs->abort);
	fcvi_tx_fail(desc, fcvi_resp_lost(desc));
}

/* FCVI_ULP_TIMEOUT of the Messages that wait, FC-VI 8.3 a; it is not stopped by a Response. */
static void fcvi_tx_expired(struct fcvi_timer *timer)
{
	struct fcvi_vi *vi = container_of(timer, struct fcvi_vi, tx.timer);
	u64 now = vi->port->transport->now(vi->port), next = U64_MAX;
	struct fcvi_desc *desc;

	list_for_each_entry(desc, &vi->tx.posted, list) {
		if (desc->phase == FCVI_TX_POSTED)
			break;
		if (desc->phase != FCVI_TX_WAIT)
			continue;
		if (desc->due <= now) {
			fcvi_tx_timeout(desc);
			return;
		}
		next = min(next, desc->due);
	}
	if (next != U64_MAX)
		fcvi_timer_start(timer, next - now);
}

static void fcvi_tx_wait(struct fcvi_desc *desc)
{
	struct fcvi_vi *vi = desc->vi;
	struct fcvi_port *port = vi->port;

	desc->due = port->transport->now(port) + port->r_a_tov;
	if (!fcvi_timer_runs(&vi->tx.timer))
		fcvi_timer_start(&vi->tx.timer, port->r_a_tov);
}

/* A Message can't be sent, or not to its end. */
static void fcvi_tx_unsent(struct fcvi_desc *desc, int err)
{
	struct fcvi_vi *vi = desc->vi;
	struct fcvi_out *out = &vi->tx.out;
	struct fcvi_fault fault = fcvi_resp_lost(desc);

	/* The end of the Exchange, or a logout, is about to tell what that means */
	if (err == -ENOTCONN)
		return;
	if (err == -ENOMEM)
		fcvi_count(vi, FCVI_MSG_NO_MEMORY, 1);
	if (err == -EFAULT)
		fault.error = FCVI_ERR_PROTECTION;
	if (out->pos) {
		fcvi_tx_quit(desc, vi->port->msgs->abort);
	} else {
		/* The other side has seen nothing of it: the next Message takes its number */
		fcvi_tx_quit(desc, vi->port->msgs->close);
		vi->tx.next_id = desc->msg_id;
	}
	fcvi_tx_fail(desc, fault);
}

static void fcvi_tx_sent(struct fcvi_out *out, int err)
{
	struct fcvi_desc *desc = out->priv;
	struct fcvi_vi *vi = out->vi;

	vi->tx.sending = NULL;
	desc->mx = out->mx;
	if (err) {
		fcvi_tx_unsent(desc, err);
		return;
	}
	fcvi_count(vi, FCVI_MSG_TX, 1);
	fcvi_count(vi, FCVI_MSG_TX_BYTES, out->len);
	if (desc->mx) {
		desc->phase = FCVI_TX_WAIT;
		fcvi_tx_wait(desc);
	} else {
		desc->phase = FCVI_TX_DONE;
	}
	fcvi_tx_run(vi);
}

static struct sk_buff *fcvi_tx_fill(struct fcvi_out *out, u32 offset, u32 len)
{
	if (!len)
		return fcvi_sched_skb();
	return out->vi->user->fill(out->vi, out->priv, offset, len);
}

/* The Response, or a frame of READ_RESP, is taken; @last: nothing comes after it. */
static void fcvi_tx_answered(struct fcvi_desc *desc, struct fcvi_fault fault, bool last)
{
	struct fcvi_vi *vi = desc->vi;

	if (!fault.cause && last && desc->op == FCVI_OP_READ && desc->got != desc->len)
		fault = fcvi_resp_lost(desc);
	if (!fault.cause && !last) {
		/* Until the next Sequence, FC-VI 8.3; fc2 looks after the frames of one */
		fcvi_tx_wait(desc);
		return;
	}
	fcvi_tx_quit(desc, last ? vi->port->msgs->close : vi->port->msgs->abort);
	if (fault.cause) {
		fcvi_tx_fail(desc, fault);
		return;
	}
	desc->phase = FCVI_TX_DONE;
	fcvi_tx_run(vi);
}

static void fcvi_tx_frame(struct fcvi_mx *mx, const struct fcvi_iu *iu, struct sk_buff *skb,
			  u32 offset, u8 flags)
{
	struct fcvi_desc *desc = mx->priv;
	struct fcvi_vi *vi = desc->vi;
	bool last = flags & FC2_SEND_LAST_SEQ;
	struct fcvi_fault fault;

	if (iu->handle != vi->handle->value || iu->msg_id != desc->msg_id) {
		fcvi_count(vi, iu->msg_id != desc->msg_id ? FCVI_MSG_OLD : FCVI_MSG_BAD_HANDLE, 1);
		kfree_skb(skb);
		return;
	}
	if (iu->opcode != desc->op + FCVI_RESP_OF ||
	    (desc->phase != FCVI_TX_WAIT && !(iu->flags & FCVI_RESP_ERR))) {
		kfree_skb(skb);
		fault = fcvi_resp_lost(desc);
		fault.cause = FCVI_PROTOCOL;
	} else if (desc->op == FCVI_OP_READ) {
		fault = fcvi_resp_data(desc, iu, skb, offset);
	} else {
		consume_skb(skb);
		fault = fcvi_resp_fault(desc, iu->flags);
	}
	if (fault.cause)
		fcvi_count(vi, FCVI_MSG_BROKEN, 1);
	fcvi_tx_stop(desc);
	fcvi_tx_answered(desc, fault, last);
}

/* The Exchange is over before the Message is. */
static void fcvi_tx_end(struct fcvi_mx *mx, int err)
{
	struct fcvi_desc *desc = mx->priv;

	fcvi_tx_stop(desc);
	desc->mx = NULL;
	/* After a logout all connections with the port end */
	if (err == -ENOTCONN)
		return;
	fcvi_count(desc->vi, FCVI_MSG_BROKEN, 1);
	fcvi_tx_fail(desc, fcvi_resp_lost(desc));
}

static const struct fcvi_mx_ops fcvi_tx_mx_ops = {
	.frame	= fcvi_tx_frame,
	.end	= fcvi_tx_end,
};

/* FC-VI 6.2.2, 6.4.2, 6.6.2 */
static struct fcvi_iu fcvi_tx_iu(const struct fcvi_desc *desc)
{
	bool imm = desc->flags & FCVI_DESC_IMM && desc->op != FCVI_OP_READ;
	struct fcvi_iu iu = {
		.opcode		= desc->op,
		.flags		= imm ? FCVI_IMM_DATA : 0,
		.handle		= desc->vi->rmt_handle,
		.msg_id		= desc->msg_id,
		.param		= imm ? desc->imm : 0,
		.tot_len	= desc->len,
	};

	if (desc->op != FCVI_OP_SEND) {
		iu.rmt_va = desc->rmt_va;
		iu.rmt_va_handle = desc->rmt_handle;
	}
	return iu;
}

static void fcvi_tx_start(struct fcvi_vi *vi, struct fcvi_desc *desc)
{
	bool read = desc->op == FCVI_OP_READ, answer = read || vi->attrs.level == FCVI_RR;
	struct fcvi_out *out = &vi->tx.out;

	desc->msg_id = vi->tx.next_id++;
	desc->got = 0;
	desc->phase = FCVI_TX_SENDING;
	out->mx = NULL;
	out->priv = desc;
	out->iu = fcvi_tx_iu(desc);
	out->len = read ? 0 : desc->len;
	/* FC-VI 5.8.4 a and b */
	out->end = FC2_SEND_END_SEQ | (answer ? FC2_SEND_INITIATIVE : FC2_SEND_LAST_SEQ);
	out->alone = !answer && out->len <= vi->port->msgs->room(vi->port, vi->rport);
	vi->tx.sending = desc;
	fcvi_sched_add(out);
}

/* What is wrong with a Descriptor, VI-DG 5.2 */
static u16 fcvi_tx_check(const struct fcvi_vi *vi, const struct fcvi_desc *desc)
{
	if (desc->error)
		return desc->error;
	if (desc->op > FCVI_OP_READ || (desc->op == FCVI_OP_READ && vi->attrs.level == FCVI_UD))
		return FCVI_ERR_FORMAT;
	return desc->len > vi->attrs.max_trans_size ? FCVI_ERR_LENGTH : 0;
}

static bool fcvi_tx_may_begin(const struct fcvi_vi *vi, const struct fcvi_desc *desc)
{
	const struct fcvi_tx *tx = &vi->tx;

	/* FC-VI 7.3: one more than the depth */
	if (tx->sending || tx->broken || tx->open > vi->depth)
		return false;
	if (desc->flags & FCVI_DESC_FENCE && !list_is_first(&desc->list, &tx->posted))
		return false;
	/*
	 * VI-ARCH 6.3.1.1: it could have no effect before the data of the Read have gone, and the
	 * other side would have to keep it
	 */
	return vi->attrs.level != FCVI_RR || desc->op == FCVI_OP_READ || !tx->reads;
}

/* Begin the next Descriptor.  Return: false: it has to wait, or there is none. */
static bool fcvi_tx_next(struct fcvi_vi *vi)
{
	struct fcvi_tx *tx = &vi->tx;
	struct fcvi_desc *desc = tx->next;

	if (!desc || !fcvi_tx_may_begin(vi, desc))
		return false;
	tx->next = list_is_last(&desc->list, &tx->posted) ? NULL : list_next_entry(desc, list);
	tx->open++;
	tx->reads += desc->op == FCVI_OP_READ;
	desc->error = fcvi_tx_check(vi, desc);
	if (!desc->error) {
		fcvi_tx_start(vi, desc);
		return true;
	}
	/* VI-ARCH 2.5.2, 2.5.3: nothing is processed behind it */
	tx->broken = vi->attrs.level != FCVI_UD;
	desc->phase = FCVI_TX_DONE;
	return true;
}

/* Complete the oldest Descriptor.  Return: false: it is not done, or there is none. */
static bool fcvi_tx_oldest(struct fcvi_vi *vi)
{
	struct fcvi_desc *desc = fcvi_tx_first(vi);
	bool bad;

	/* FC-VI C.5.5 */
	if (!desc || desc->phase != FCVI_TX_DONE || vi->tx.hold)
		return false;
	bad = desc->error && vi->attrs.level != FCVI_UD;
	fcvi_tx_give(vi, desc);
	if (bad && vi->state == FCVI_CONNECTED)
		fcvi_disconnect_lost(vi, FCVI_TRANSPORT);
	return true;
}

/* Complete and begin what may be.  What a user does when a Descriptor is complete leads here. */
static void fcvi_tx_run(struct fcvi_vi *vi)
{
	struct fcvi_tx *tx = &vi->tx;

	if (tx->running)
		return;
	tx->running = true;
	while (vi->state == FCVI_CONNECTED && (fcvi_tx_oldest(vi) || fcvi_tx_next(vi)))
		;
	tx->running = false;
}

/**
 * fcvi_tx_init - make the send queue of an endpoint
 * @vi: the endpoint
 */
void fcvi_tx_init(struct fcvi_vi *vi)
{
	struct fcvi_tx *tx = &vi->tx;

	INIT_LIST_HEAD(&tx->posted);
	INIT_LIST_HEAD(&tx->out.list);
	tx->out.vi = vi;
	tx->out.ops = &fcvi_tx_mx_ops;
	tx->out.fill = fcvi_tx_fill;
	tx->out.sent = fcvi_tx_sent;
	fcvi_timer_init(&tx->timer, vi->port, fcvi_tx_expired);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_tx_init);

/**
 * fcvi_tx_begin - the connection stands: Messages may be sent
 * @vi: the endpoint
 *
 * If its own request has made the connection, nothing completes before fcvi_tx_complete(),
 * FC-VI C.5.5.
 */
void fcvi_tx_begin(struct fcvi_vi *vi)
{
	struct fcvi_tx *tx = &vi->tx;

	tx->next_id = 1;
	tx->broken = false;
	tx->hold = vi->by_own;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_tx_begin);

/**
 * fcvi_tx_complete - what is done may complete
 * @vi: the endpoint
 */
void fcvi_tx_complete(struct fcvi_vi *vi)
{
	vi->tx.hold = false;
	fcvi_tx_run(vi);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_tx_complete);

/**
 * fcvi_tx_flush - complete all that is posted; what has no error of its own, as flushed
 * @vi: the endpoint, which is not Connected
 */
void fcvi_tx_flush(struct fcvi_vi *vi)
{
	struct fcvi_tx *tx = &vi->tx;
	struct fcvi_desc *desc;

	lockdep_assert_held(&vi->port->lock);
	fcvi_timer_stop(&tx->timer);
	tx->next = NULL;
	list_for_each_entry(desc, &tx->posted, list) {
		if (desc->phase == FCVI_TX_POSTED)
			break;
		fcvi_tx_stop(desc);
		/* The Disconnect ends it at the other side */
		fcvi_tx_quit(desc, vi->port->msgs->close);
	}
	if (tx->flushing)
		return;
	tx->flushing = true;
	/* Their turn has come already */
	while (!tx->hold && (desc = fcvi_tx_first(vi)) && desc->phase == FCVI_TX_DONE &&
	       !desc->error)
		fcvi_tx_give(vi, desc);
	/* FC-VI E: after one that has failed none completes well */
	while ((desc = fcvi_tx_first(vi))) {
		if (!desc->error)
			desc->error = FCVI_ERR_FLUSHED;
		fcvi_tx_give(vi, desc);
	}
	tx->flushing = false;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_tx_flush);

/* VI-DG 6.3.1 */
static void fcvi_tx_overrun(struct fcvi_vi *vi)
{
	vi->user->async(vi, FCVI_ASYNC_VI_OVERRUN);
	if (vi->state == FCVI_CONNECTED)
		fcvi_disconnect_lost(vi, FCVI_TRANSPORT);
}

/**
 * fcvi_post_send - post a Descriptor to the send queue, VI-DG 3.5.1
 * @vi: the endpoint
 * @desc: a Send, an RDMA Write or Read
 *
 * The Descriptor belongs to fcvi until struct fcvi_user_ops' complete() gets it, perhaps before
 * this returns: at once, as flushed, unless the endpoint is Connected, VI-ARCH 5.
 *
 * Context: under the lock of the port.
 * Return: 0.
 */
int fcvi_post_send(struct fcvi_vi *vi, struct fcvi_desc *desc)
{
	struct fcvi_tx *tx = &vi->tx;

	lockdep_assert_held(&vi->port->lock);
	desc->vi = vi;
	desc->mx = NULL;
	desc->phase = FCVI_TX_POSTED;
	list_add_tail(&desc->list, &tx->posted);
	tx->nr++;
	if (vi->state != FCVI_CONNECTED) {
		fcvi_tx_flush(vi);
		return 0;
	}
	if (!tx->next)
		tx->next = desc;
	if (tx->nr > FCVI_TX_POSTED_MAX)
		fcvi_tx_overrun(vi);
	else
		fcvi_tx_run(vi);
	return 0;
}
EXPORT_SYMBOL_GPL(fcvi_post_send);
