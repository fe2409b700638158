// SPDX-License-Identifier: GPL-2.0
/*
 * Turns of what is to be sent.
 *
 * What is added is sent at once, by the same call, until the device takes no more.  A frame for
 * which something is lacking, such as memory, is tried again after a pause, so that none is lost
 * before it is sent.
 */
#include <kunit/visibility.h>
#include <linux/fc2.h>
#include <linux/skbuff.h>

#include "sched.h"
#include "timer.h"

static void fcvi_sched_expired(struct fcvi_timer *timer)
{
	struct fcvi_sched *s = &timer->port->sched;

	list_splice_tail_init(&s->paused, &s->turns);
	fcvi_sched_run(timer->port);
}

/**
 * fcvi_sched_init - prepare a port to send
 * @port: the port
 */
void fcvi_sched_init(struct fcvi_port *port)
{
	struct fcvi_sched *s = &port->sched;

	INIT_LIST_HEAD(&s->turns);
	INIT_LIST_HEAD(&s->waiting);
	INIT_LIST_HEAD(&s->paused);
	fcvi_timer_init(&s->pause, port, fcvi_sched_expired);
}

/**
 * fcvi_sched_end - end that
 * @port: the port, which has no endpoints any more
 */
void fcvi_sched_end(struct fcvi_port *port)
{
	fcvi_timer_stop(&port->sched.pause);
}

/**
 * fcvi_sched_skb - a frame without payload
 *
 * Return: the frame, or an error pointer, as struct fcvi_out's fill() returns it.
 */
struct sk_buff *fcvi_sched_skb(void)
{
	struct sk_buff *skb = alloc_skb(FCVI_HEADROOM + FCVI_TAILROOM, GFP_ATOMIC);

	if (!skb)
		return ERR_PTR(-ENOMEM);
	skb_reserve(skb, FCVI_HEADROOM);
	return skb;
}

/* No Sequence is open any more. */
static void fcvi_sched_close(struct fcvi_out *out)
{
	struct fcvi_sched *s = &out->vi->port->sched;
	struct fcvi_out *next;

	if (!out->frames)
		return;
	out->frames = 0;
	s->seqs--;
	next = list_first_entry_or_null(&s->waiting, struct fcvi_out, list);
	if (next && s->seqs < FCVI_SEQS_MAX)
		list_move_tail(&next->list, &s->turns);
}

static void fcvi_sched_finish(struct fcvi_out *out, int err)
{
	fcvi_sched_remove(out);
	out->sent(out, err);
}

static int fcvi_sched_xmit(struct fcvi_out *out, u8 flags, struct sk_buff *skb)
{
	const struct fcvi_msg_transport *msgs = out->vi->port->msgs;
	u8 cs_ctl = out->vi->attrs.pref ? FCVI_CS_PREF : 0;

	if (out->alone)
		return msgs->alone(out->vi->port, out->vi->rport, &out->iu, cs_ctl, skb);
	return msgs->frame(out->mx, &out->iu, cs_ctl, out->pos, flags, skb);
}

static bool fcvi_sched_open(struct fcvi_out *out)
{
	struct fcvi_port *port = out->vi->port;

	if (out->mx || out->alone)
		return true;
	out->mx = port->msgs->open(port, out->vi->rport);
	if (!out->mx)
		return false;
	out->mx->ops = out->ops;
	out->mx->priv = out->priv;
	return true;
}

/* Something is lacking that may be there later. */
static void fcvi_sched_pause(struct fcvi_out *out)
{
	struct fcvi_sched *s = &out->vi->port->sched;

	list_move_tail(&out->list, &s->paused);
	if (!fcvi_timer_runs(&s->pause))
		fcvi_timer_start(&s->pause, FCVI_SCHED_PAUSE);
}

/* A frame of @out */
static void fcvi_sched_turn(struct fcvi_out *out)
{
	struct fcvi_port *port = out->vi->port;
	u32 len = min(out->len - out->pos, port->msgs->room(port, out->vi->rport));
	bool last = len == out->len - out->pos;
	bool end = last || out->frames == FCVI_SEQ_FRAMES - 1;
	u8 flags = last ? out->end : end ? FC2_SEND_END_SEQ : 0;
	struct sk_buff *skb;
	int err;

	if (!out->frames && !end && port->sched.seqs >= FCVI_SEQS_MAX) {
		list_move_tail(&out->list, &port->sched.waiting);
		return;
	}
	skb = fcvi_sched_open(out) ? out->fill(out, out->pos, len) : ERR_PTR(-EAGAIN);
	err = PTR_ERR_OR_ZERO(skb);
	if (!err)
		err = fcvi_sched_xmit(out, flags, skb);
	else if (err == -ENOMEM)
		err = -EAGAIN;
	if (err == -EAGAIN) {
		fcvi_sched_pause(out);
		return;
	}
	if (err) {
		fcvi_sched_finish(out, err);
		return;
	}
	out->pos += len;
	if (!out->frames++)
		port->sched.seqs++;
	if (end)
		fcvi_sched_close(out);
	if (flags & FC2_SEND_LAST_SEQ)
		out->mx = NULL;
	if (last)
		fcvi_sched_finish(out, 0);
	else
		list_move_tail(&out->list, &port->sched.turns);
}

/**
 * fcvi_sched_run - send what waits
 * @port: the port
 */
void fcvi_sched_run(struct fcvi_port *port)
{
	struct fcvi_sched *s = &port->sched;
	unsigned int left = FCVI_SCHED_BURST;
	struct fcvi_out *out;

	lockdep_assert_held(&port->lock);
	if (s->running)
		return;
	s->running = true;
	while ((out = list_first_entry_or_null(&s->turns, struct fcvi_out, list))) {
		if (!port->msgs->may_send(port))
			break;
		if (!left--) {
			port->msgs->later(port);
			break;
		}
		fcvi_sched_turn(out);
	}
	s->running = false;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_sched_run);

/**
 * fcvi_sched_add - send something
 * @out: what
 *
 * Some or all of it may be sent before this returns.
 */
void fcvi_sched_add(struct fcvi_out *out)
{
	struct fcvi_port *port = out->vi->port;

	lockdep_assert_held(&port->lock);
	out->pos = 0;
	out->frames = 0;
	list_add_tail(&out->list, &port->sched.turns);
	fcvi_sched_run(port);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_sched_add);

/**
 * fcvi_sched_remove - send the rest of something no more
 * @out: what; may be in no list
 */
void fcvi_sched_remove(struct fcvi_out *out)
{
	lockdep_assert_held(&out->vi->port->lock);
	fcvi_sched_close(out);
	list_del_init(&out->list);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_sched_remove);
