// SPDX-License-Identifier: GPL-2.0
/*
 * Turns of Messages: when they are delivered, and answered.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>

#include "msg.h"
#include "rx.h"
#include "rx_fault.h"
#include "rx_order.h"
#include "rx_place.h"
#include "rx_queue.h"
#include "rx_send.h"
#include "rx_turn.h"
#include "timer.h"

/*
 * Whether Messages may be delivered: the connection stands, and the other side knows, FC-VI C.5.5
 * and C.5.10.
 */
static bool fcvi_rx_ready(const struct fcvi_vi *vi)
{
	return vi->rx.on && vi->state == FCVI_CONNECTED &&
	       !(vi->by_own && vi->own && vi->own->phase == FCVI_WAIT_RESP3);
}

/**
 * fcvi_rx_has_turn - whether a Message may be delivered at once
 * @vi: the endpoint
 * @iu: its Device_Header
 *
 * Return: whether nothing is in its way, so that it will be over when it is delivered.
 */
bool fcvi_rx_has_turn(const struct fcvi_vi *vi, const struct fcvi_iu *iu)
{
	const struct fcvi_rx *rx = &vi->rx;

	if (!fcvi_rx_reliable(vi))
		return list_empty(&rx->taken);
	return list_empty(&rx->msgs) && !rx->read && iu->msg_id == rx->turn && fcvi_rx_ready(vi);
}

/*
 * What follows a Read waits until its data are sent: VI-ARCH 6.3.1.1 wants that on Reliable
 * Reception.  On Reliable Delivery it passes before the room for its frames is full; Reads never.
 */
static bool fcvi_rx_waits_for_read(const struct fcvi_vi *vi, const struct fcvi_rx_msg *m)
{
	return vi->rx.read && (vi->attrs.level == FCVI_RR || m->iu.opcode == FCVI_READ_RQST ||
			       vi->rx.held < FCVI_RX_HELD / 2);
}

/* What was to be sent can't be.  Return: whether the Message is over, and so the connection */
static bool fcvi_rx_unsent(struct fcvi_rx_msg *m, int err)
{
	bool read = m->iu.opcode == FCVI_READ_RQST;
	struct fcvi_vi *vi = m->vi;
	struct fcvi_mx *mx = m->mx;

	if (err == -ENOTCONN) {
		/* The end of the Exchange, or a logout, will tell */
		m->state = FCVI_RX_SENDS;
		return false;
	}
	if (err == -EFAULT && m->state == FCVI_RX_SENDS && read) {
		/* The memory has gone in the midst; a Response has to say so */
		fcvi_rx_fail(m, FCVI_RX_PROTECTION);
		if (vi->rx.on) {
			vi->rx.read = NULL;
			list_add(&m->list, &vi->rx.msgs);
			fcvi_rx_run(vi);
		}
		return false;
	}
	if (!m->cause)
		m->cause = read ? FCVI_RDMA_TRANSPORT : FCVI_TRANSPORT;
	m->mx = NULL;
	mx->priv = NULL;
	vi->port->msgs->abort(mx);
	return true;
}

static void fcvi_rx_sent(struct fcvi_out *out, int err)
{
	struct fcvi_rx_msg *m = container_of(out, struct fcvi_rx_msg, out);
	bool read = m->vi->rx.read == m;
	u32 msg_id = m->iu.msg_id;
	struct fcvi_vi *vi = m->vi;
	enum fcvi_reason cause;

	m->sending = false;
	if (err && !fcvi_rx_unsent(m, err))
		return;
	/* It has ended with the last frame */
	m->mx = NULL;
	cause = m->cause;
	fcvi_rx_msg_free(m);
	if (cause) {
		fcvi_rx_error(vi, cause);
		return;
	}
	if (read)
		fcvi_rx_done(vi, msg_id);
	else
		fcvi_rx_next(vi, msg_id);
	fcvi_rx_run(vi);
}

/* A Message that is complete, or a Read that may be served: its Response goes */
static void fcvi_rx_answer(struct fcvi_rx_msg *m)
{
	struct fcvi_vi *vi = m->vi;

	m->state = FCVI_RX_SENDS;
	if (m->iu.opcode == FCVI_READ_RQST) {
		fcvi_count(vi, FCVI_MSG_RX, 1);
		/* The Message after it has the next turn */
		list_del_init(&m->list);
		vi->rx.read = m;
		vi->rx.turn++;
		fcvi_rx_send_read(m, fcvi_rx_sent);
		return;
	}
	fcvi_rx_send_answer(m, fcvi_rx_sent);
	fcvi_rx_settle(vi);
}

/* Return: whether there was anything to do for the first Message of an endpoint */
static bool fcvi_rx_step(struct fcvi_vi *vi)
{
	struct fcvi_rx_msg *m = list_first_entry_or_null(&vi->rx.msgs, struct fcvi_rx_msg, list);

	if (!m)
		return false;
	switch (m->state) {
	case FCVI_RX_WAITS:
		if (m->iu.msg_id != vi->rx.turn || fcvi_rx_waits_for_read(vi, m) ||
		    (m->iu.opcode == FCVI_READ_RQST && !m->end))
			return false;
		fcvi_rx_begin(m);
		return true;
	case FCVI_RX_PLACES:
		if (!m->end)
			return false;
		fcvi_rx_finish(m);
		return true;
	case FCVI_RX_ANSWERS:
		fcvi_rx_answer(m);
		return true;
	case FCVI_RX_FAILED:
		if (!m->end || !m->mx || m->sending)
			return false;
		fcvi_rx_send_answer(m, fcvi_rx_sent);
		return true;
	default:
		return false;
	}
}

/* FC-VI 8.4.1 e: a Message that others have overtaken may take R_A_TOV. */
static void fcvi_rx_watch_gap(struct fcvi_vi *vi)
{
	struct fcvi_rx *rx = &vi->rx;
	struct fcvi_rx_msg *m = list_first_entry_or_null(&rx->msgs, struct fcvi_rx_msg, list);

	if (!m || m->iu.msg_id == rx->turn || m->state != FCVI_RX_WAITS) {
		fcvi_timer_stop(&rx->gap);
	} else if (!fcvi_timer_runs(&rx->gap) || rx->gap_id != rx->turn) {
		rx->gap_id = rx->turn;
		fcvi_timer_start(&rx->gap, vi->port->r_a_tov);
	}
}

/**
 * fcvi_rx_run - deliver the Messages whose turn it is
 * @vi: the endpoint
 */
void fcvi_rx_run(struct fcvi_vi *vi)
{
	struct fcvi_rx *rx = &vi->rx;

	lockdep_assert_held(&vi->port->lock);
	if (rx->running || !rx->on)
		return;
	if (rx->cause && vi->state == FCVI_CONNECTED) {
		fcvi_rx_error(vi, rx->cause);
		return;
	}
	rx->running = true;
	/* What is done in a step may come back here, or end the connection */
	while (fcvi_rx_ready(vi) && fcvi_rx_step(vi))
		;
	rx->running = false;
	if (rx->on && fcvi_rx_reliable(vi))
		fcvi_rx_watch_gap(vi);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_rx_run);

static void fcvi_rx_gap_expired(struct fcvi_timer *timer)
{
	struct fcvi_vi *vi = container_of(timer, struct fcvi_vi, rx.gap);

	fcvi_count(vi, FCVI_MSG_LOST, 1);
	fcvi_rx_error(vi, FCVI_TRANSPORT);
}

/**
 * fcvi_rx_turn_init - make what knows whose turn it is
 * @vi: the endpoint
 */
void fcvi_rx_turn_init(struct fcvi_vi *vi)
{
	fcvi_timer_init(&vi->rx.gap, vi->port, fcvi_rx_gap_expired);
}

/**
 * fcvi_rx_turn_end - nobody has a turn any more
 * @vi: the endpoint
 */
void fcvi_rx_turn_end(struct fcvi_vi *vi)
{
	fcvi_timer_stop(&vi->rx.gap);
}
