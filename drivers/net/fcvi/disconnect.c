// SPDX-License-Identifier: GPL-2.0
/*
 * Disconnects, FC-VI 5.3.5, 6.12, 6.13, 8.6 and annex D, in both directions.
 *
 * An endpoint goes to Error when its Disconnect is sent, so that nothing goes in or out, and to
 * Idle when the answer comes, whatever it says.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/slab.h>

#include "disconnect.h"
#include "handle.h"
#include "setup.h"
#include "timer.h"

/* A Disconnect without an answer is sent once more, which D.1 allows. */
#define FCVI_DISC_TRIES	2

/**
 * struct fcvi_disc - a Disconnect that this side has sent
 * @list: in fcvi_port.discs
 * @port: the port
 * @rport: the remote port
 * @x: its Exchange, or NULL
 * @vi: the endpoint; NULL: it was destroyed
 * @app: the user waits for the answer
 * @tries: how often it was sent
 * @iu: what is sent
 * @timer: FCVI_ULP_TIMEOUT, FC-VI 8.3
 */
struct fcvi_disc {
	struct list_head	list;
	struct fcvi_port	*port;
	struct fc2_rport	*rport;
	struct fcvi_xchg	*x;
	struct fcvi_vi		*vi;
	bool			app;
	u8			tries;
	struct fcvi_iu		iu;
	struct fcvi_timer	timer;
};

static void fcvi_disc_try(struct fcvi_disc *d)
{
	const struct fcvi_transport *t = d->port->transport;

	d->tries++;
	d->x = t->open(d->port, d->rport);
	if (d->x) {
		d->x->disc = d;
		t->send(d->x, &d->iu, NULL);
	}
	fcvi_timer_start(&d->timer, d->port->r_a_tov);
}

static struct fcvi_xchg *fcvi_disc_drop(struct fcvi_disc *d)
{
	struct fcvi_xchg *x = d->x;

	d->x = NULL;
	if (x)
		x->disc = NULL;
	return x;
}

static void fcvi_disc_finish(struct fcvi_disc *d, bool answered)
{
	struct fcvi_vi *vi = d->vi;
	bool app = d->app;

	fcvi_timer_stop(&d->timer);
	list_del(&d->list);
	kfree(d);
	if (!vi)
		return;
	vi->disc = NULL;
	vi->answered = answered;
	if (!app)
		return;
	if (answered)
		fcvi_vi_idle(vi, FCVI_REJECT);
	vi->ops->tell(vi, answered ? FCVI_NEWS_DISCONNECTED : FCVI_NEWS_NOT_DISCONNECTED);
}

static void fcvi_disc_unanswered(struct fcvi_disc *d)
{
	if (d->tries < FCVI_DISC_TRIES)
		fcvi_disc_try(d);
	else
		fcvi_disc_finish(d, false);
}

/* FC-VI 8.6.2 b, 8.6.3 a */
static void fcvi_disc_expired(struct fcvi_timer *timer)
{
	struct fcvi_disc *d = container_of(timer, struct fcvi_disc, timer);
	struct fcvi_xchg *x = fcvi_disc_drop(d);

	if (x)
		d->port->transport->abort(x);
	fcvi_disc_unanswered(d);
}

/* FC-VI 6.12.2; the endpoint is in Error. */
static bool fcvi_disc_send(struct fcvi_vi *vi, bool app)
{
	struct fcvi_disc *d = kzalloc(sizeof(*d), GFP_ATOMIC);
	bool setup = vi->ending == FCVI_END_SETUP;

	if (!d)
		return false;
	d->port = vi->port;
	d->rport = vi->rport;
	d->vi = vi;
	d->app = app;
	d->iu = (struct fcvi_iu) {
		.opcode		= FCVI_DISCONNECT_RQST,
		.flags		= (app ? FCVI_DISC_VI_APP : 0) |
				  (setup ? FCVI_DISC_SETUP_ABORT : 0) |
				  (vi->cause ? FCVI_DISC_CONN_STS : 0),
		.handle		= setup ? FCVI_HANDLE_NONE : vi->rmt_handle,
		.msg_id		= setup ? 0 : vi->done_msg_id,
		.param		= fcvi_status(vi->cause),
		.connection_id	= setup ? vi->last_id : 0,
	};
	fcvi_timer_init(&d->timer, vi->port, fcvi_disc_expired);
	list_add_tail(&d->list, &vi->port->discs);
	vi->disc = d;
	fcvi_disc_try(d);
	return true;
}

/* What a Disconnect of the user has to end */
static void fcvi_disconnect_leave(struct fcvi_vi *vi)
{
	if (vi->state == FCVI_CONNECTED)
		fcvi_vi_error(vi, FCVI_END_CONNECTION, FCVI_OK, FCVI_REJECT);
	else if (vi->resolving)
		fcvi_vi_error(vi, FCVI_END_NOTHING, FCVI_OK, FCVI_REJECT);
	else if (vi->other && vi->other->phase != FCVI_HELD)
		/* The originator may be Connected already, FC-VI C.5.9.2 */
		fcvi_vi_error(vi, FCVI_END_CONNECTION, FCVI_TRANSPORT, FCVI_REJECT);
	else if (vi->state != FCVI_ERROR)
		fcvi_vi_error(vi, FCVI_END_SETUP, FCVI_OK, FCVI_REJECT);
}

/**
 * fcvi_disconnect - the user ends a connection or a setup, VI-DG 3.3.5
 * @vi: the endpoint, in any state
 *
 * Return: 0: the user is told how it ends; -EALREADY: it is under way; -ENOMEM: no memory, the
 *	endpoint is in Error.
 */
int fcvi_disconnect(struct fcvi_vi *vi)
{
	lockdep_assert_held(&vi->port->lock);
	if (vi->state == FCVI_IDLE) {
		vi->ops->flush(vi, false);
		vi->ops->tell(vi, FCVI_NEWS_DISCONNECTED);
		return 0;
	}
	if (vi->disc) {
		if (vi->disc->app)
			return -EALREADY;
		/* The one that was sent when the endpoint failed */
		vi->disc->app = true;
		return 0;
	}
	fcvi_disconnect_leave(vi);
	if (vi->answered || vi->ending == FCVI_END_NOTHING) {
		fcvi_vi_idle(vi, FCVI_REJECT);
		vi->ops->tell(vi, FCVI_NEWS_DISCONNECTED);
		return 0;
	}
	return fcvi_disc_send(vi, true) ? 0 : -ENOMEM;
}
EXPORT_SYMBOL_GPL(fcvi_disconnect);

/**
 * fcvi_disconnect_lost - an endpoint has found that its connection is lost: to Error
 * @vi: the endpoint, which is Connected
 * @cause: why; the other side is told
 */
void fcvi_disconnect_lost(struct fcvi_vi *vi, enum fcvi_reason cause)
{
	lockdep_assert_held(&vi->port->lock);
	fcvi_vi_error(vi, FCVI_END_CONNECTION, cause, FCVI_REJECT);
	vi->ops->tell(vi, FCVI_NEWS_LOST);
	/* Without memory the user's Disconnect tells it */
	fcvi_disc_send(vi, false);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_disconnect_lost);

/**
 * fcvi_disconnect_destroy - destroy an endpoint, in any state, as when its user has died
 * @vi: the endpoint; it is told nothing any more
 *
 * What has to be ended is ended without it.
 */
void fcvi_disconnect_destroy(struct fcvi_vi *vi)
{
	lockdep_assert_held(&vi->port->lock);
	if (vi->state != FCVI_IDLE) {
		fcvi_disconnect_leave(vi);
		if (!vi->disc && !vi->answered && vi->ending != FCVI_END_NOTHING)
			fcvi_disc_send(vi, true);
		if (vi->disc)
			vi->disc->vi = NULL;
		fcvi_vi_idle(vi, FCVI_REJECT);
	}
	list_del(&vi->list);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_disconnect_destroy);

static struct fcvi_setup *fcvi_disc_setup(struct fcvi_xchg *x, u32 id)
{
	struct fcvi_setup *s;

	list_for_each_entry(s, &x->port->setups, list)
		if (!s->own && s->rport == x->rport && s->id == id)
			return s;
	return NULL;
}

/* The originator of a setup gives it up. */
static void fcvi_disc_drop_setup(struct fcvi_setup *s)
{
	struct fcvi_vi *vi = s->vi;

	if (s->user) {
		/* The user will know when it answers */
		fcvi_setup_close(s);
	} else if (vi && vi->state == FCVI_CONNECTED) {
		fcvi_vi_error(vi, FCVI_END_CONNECTION, FCVI_OK, FCVI_REJECT);
		vi->ops->tell(vi, FCVI_NEWS_LOST);
	} else if (vi && s->phase != FCVI_HELD) {
		fcvi_setup_free(s);
		fcvi_vi_idle(vi, FCVI_REJECT);
		vi->ops->tell(vi, FCVI_NEWS_TIMEOUT);
	} else {
		fcvi_setup_free(s);
	}
}

/* The other side has ended the connection, or takes for one what is a setup here. */
static void fcvi_disc_drop_connection(struct fcvi_vi *vi)
{
	bool pending = fcvi_vi_pending(vi);

	if (vi->state != FCVI_CONNECTED && !(pending && vi->other && vi->other->phase != FCVI_HELD))
		return;
	if (pending)
		fcvi_setup_free(vi->other);
	fcvi_vi_error(vi, FCVI_END_CONNECTION, FCVI_OK, FCVI_REJECT);
	if (pending)
		vi->ops->tell(vi, FCVI_NEWS_TIMEOUT);
	vi->ops->tell(vi, FCVI_NEWS_LOST);
}

/**
 * fcvi_disconnect_rqst - a FCVI_DISCONNECT_RQST has come: answer it
 * @x: its Exchange, which ends here
 * @iu: the IU
 *
 * FC-VI 6.13.2, D.1 rules 3 and 6.
 */
void fcvi_disconnect_rqst(struct fcvi_xchg *x, const struct fcvi_iu *iu)
{
	bool abort = iu->flags & FCVI_DISC_SETUP_ABORT;
	struct fcvi_handle *h = fcvi_handle_find(x->port, iu->handle, x->rport);
	struct fcvi_setup *s = abort ? fcvi_disc_setup(x, iu->connection_id) : NULL;
	struct fcvi_vi *vi = h && !abort ? h->vi : NULL;
	struct fcvi_iu resp = {
		.opcode		= FCVI_DISCONNECT_RESP,
		.flags		= (iu->flags & (FCVI_DISC_VI_APP | FCVI_DISC_SETUP_ABORT)) |
				  FCVI_DISC_CONN_STS,
		.handle		= FCVI_HANDLE_NONE,
		.msg_id		= vi ? vi->done_msg_id : 0,
		.param		= fcvi_status(FCVI_DISCONNECTED),
		.connection_id	= iu->connection_id,
	};

	lockdep_assert_held(&x->port->lock);
	if (s)
		resp.handle = s->rqst.handle;
	else if (h)
		resp.handle = h->rmt;
	if (abort && !s)
		resp.param = fcvi_status(h ? FCVI_PROTOCOL : FCVI_NO_CONNECTION);
	else if (!abort && !h)
		resp.param = fcvi_status(FCVI_NO_CONNECTION);
	x->port->transport->send(x, &resp, NULL);
	if (s)
		fcvi_disc_drop_setup(s);
	else if (vi)
		fcvi_disc_drop_connection(vi);
}

/**
 * fcvi_disconnect_resp - a FCVI_DISCONNECT_RESP has come
 * @d: its Disconnect
 */
void fcvi_disconnect_resp(struct fcvi_disc *d)
{
	struct fcvi_xchg *x = fcvi_disc_drop(d);

	lockdep_assert_held(&d->port->lock);
	if (x)
		d->port->transport->close(x);
	fcvi_disc_finish(d, true);
}

/**
 * fcvi_disconnect_logout - a remote port has logged out, which is as good as an answer
 * @port: the port
 * @rport: the remote port
 */
void fcvi_disconnect_logout(struct fcvi_port *port, const struct fc2_rport *rport)
{
	struct fcvi_disc *d, *next;

	lockdep_assert_held(&port->lock);
	list_for_each_entry_safe(d, next, &port->discs, list)
		if (d->rport == rport)
			fcvi_disconnect_resp(d);
}

/**
 * fcvi_disconnect_end - the Exchange of a Disconnect is over without an answer, FC-VI 8.6.2 a
 * @d: the Disconnect
 * @again: it may be tried again
 */
void fcvi_disconnect_end(struct fcvi_disc *d, bool again)
{
	lockdep_assert_held(&d->port->lock);
	fcvi_disc_drop(d);
	if (!again)
		return;
	fcvi_timer_stop(&d->timer);
	fcvi_disc_unanswered(d);
}

/**
 * fcvi_disconnect_free - forget the Disconnects of endpoints that were destroyed
 * @port: the port, which has no endpoints any more
 */
void fcvi_disconnect_free(struct fcvi_port *port)
{
	struct fcvi_disc *d, *next;

	list_for_each_entry_safe(d, next, &port->discs, list)
		fcvi_disconnect_resp(d);
}
