// SPDX-License-Identifier: GPL-2.0
/*
 * The originator's side of a Connection Setup, FC-VI 5.3, 8.5 and C.3: of clients, and of peers.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/fc2.h>

#include "connect.h"
#include "disconnect.h"
#include "handle.h"
#include "match.h"
#include "peer.h"
#include "setup.h"
#include "timer.h"

static void fcvi_connect_over(struct fcvi_setup *s);

/* T3, FC-VI 8.5.2 b */
static void fcvi_connect_t3(struct fcvi_timer *timer)
{
	fcvi_connect_over(container_of(timer, struct fcvi_setup, timer));
}

/* A request in an Exchange of its own, with a new CONNECTION_ID, FC-VI 8.5.4 a */
static bool fcvi_connect_try(struct fcvi_vi *vi, bool retry)
{
	struct fcvi_port *port = vi->port;
	struct fcvi_setup *s = fcvi_setup_new(port, vi->rport, true, fcvi_connect_t3);
	struct fcvi_xchg *x;

	if (!s)
		return false;
	x = port->transport->open(port, vi->rport);
	if (!x) {
		fcvi_setup_free(s);
		return false;
	}
	fcvi_setup_take(s, x);
	s->id = fcvi_id_new(port);
	s->mode = vi->role == FCVI_PEER ? FCVI_MODE_PEER : FCVI_MODE_CLIENT_SERVER;
	s->retry = retry;
	s->rqst.handle = vi->handle->value;
	s->rqst.loc = vi->loc;
	s->rqst.rem = vi->rem;
	s->rqst.attrs = vi->attrs;
	s->vi = vi;
	vi->own = s;
	vi->last_id = s->id;
	fcvi_setup_send_rqst(s);
	return true;
}

/* The setup is over, by an error. */
static void fcvi_connect_failed(struct fcvi_vi *vi, enum fcvi_reason cause)
{
	fcvi_vi_error(vi, FCVI_END_SETUP, cause, FCVI_REJECT);
	vi->ops->tell(vi, FCVI_NEWS_UNREACHABLE);
}

/* FC-VI 8.5.4: once */
static void fcvi_connect_retry(struct fcvi_vi *vi)
{
	if (vi->state == FCVI_PENDING && fcvi_connect_try(vi, true))
		vi->state = FCVI_PENDING_RETRY;
	else
		fcvi_connect_failed(vi, FCVI_SETUP_TIMEOUT);
}

/*
 * The Exchange of an own request is over by T3 or an error.  A peer that waits for the other side's
 * request, or has accepted it, does not try its own again.
 */
static void fcvi_connect_over(struct fcvi_setup *s)
{
	struct fcvi_vi *vi = s->vi;
	u8 phase = s->phase;

	fcvi_setup_abort(s);
	if (!vi)
		return;
	if (vi->state == FCVI_CONNECTED && vi->by_own)
		fcvi_disconnect_lost(vi, FCVI_TRANSPORT);
	else if (vi->state == FCVI_CONNECTED)
		vi->port->stats[FCVI_STAT_LATE]++;
	else if (!fcvi_peer_accepted(vi) && phase == FCVI_WAIT_RESP1)
		fcvi_connect_retry(vi);
}

/**
 * fcvi_connect_unreachable - nothing can be sent to the other side: to Error
 * @vi: an endpoint that is Idle, or looks for the remote port
 */
void fcvi_connect_unreachable(struct fcvi_vi *vi)
{
	lockdep_assert_held(&vi->port->lock);
	fcvi_vi_error(vi, FCVI_END_NOTHING, FCVI_OK, FCVI_REJECT);
	vi->ops->tell(vi, FCVI_NEWS_UNREACHABLE);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_connect_unreachable);

/* The first request of an endpoint that has its role and addresses */
static int fcvi_connect_begin(struct fcvi_vi *vi, struct fc2_rport *rport)
{
	if (!rport->seq_cnt || !rport->rel_off) {
		fcvi_connect_unreachable(vi);
		return 0;
	}
	vi->handle = fcvi_handle_new(vi, rport);
	if (!vi->handle)
		return -ENOMEM;
	vi->rport = rport;
	vi->asked = ++vi->port->asked;
	vi->by_own = false;
	vi->differs = FCVI_SAME;
	if (!fcvi_connect_try(vi, false)) {
		fcvi_vi_idle(vi, FCVI_REJECT);
		return -ENOMEM;
	}
	vi->state = FCVI_PENDING;
	return 0;
}

/**
 * fcvi_connect - begin a setup, as client or peer, VI-DG 3.3.4 and 3.3.6
 * @vi: an endpoint
 * @role: FCVI_CLIENT or FCVI_PEER
 * @rport: the remote port, which is logged in
 * @loc: own address
 * @rem: address of the other side
 * @t1: ms that the user waits for the answer
 *
 * To a port without S or C in its PLOGI nothing is sent, FC-VI 5.6.
 *
 * Return: 0: the user is told how it ends; -EISCONN: the endpoint is not Idle; -ENOMEM: no memory,
 *	or no Exchange.
 */
int fcvi_connect(struct fcvi_vi *vi, enum fcvi_role role, struct fc2_rport *rport,
		 const struct fcvi_addr *loc, const struct fcvi_addr *rem, unsigned int t1)
{
	int err;

	lockdep_assert_held(&vi->port->lock);
	if (vi->state != FCVI_IDLE)
		return -EISCONN;
	vi->role = role;
	vi->loc = *loc;
	vi->rem = *rem;
	err = fcvi_connect_begin(vi, rport);
	if (!err && vi->state == FCVI_PENDING)
		fcvi_timer_start(&vi->t1, t1);
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_connect);

/**
 * fcvi_connect_found - go on with a connect: the remote port is found
 * @vi: an endpoint that looks for it
 * @rport: the remote port, which is logged in
 */
void fcvi_connect_found(struct fcvi_vi *vi, struct fc2_rport *rport)
{
	lockdep_assert_held(&vi->port->lock);
	if (fcvi_connect_begin(vi, rport)) {
		fcvi_connect_unreachable(vi);
		return;
	}
	if (vi->state != FCVI_PENDING)
		return;
	fcvi_timer_stop(&vi->login);
	vi->resolving = false;
}

/**
 * fcvi_connect_t1 - the user waits no longer for an answer, FC-VI 8.2 b, C.5.6
 * @timer: fcvi_vi.t1
 */
void fcvi_connect_t1(struct fcvi_timer *timer)
{
	struct fcvi_vi *vi = container_of(timer, struct fcvi_vi, t1);

	fcvi_vi_idle(vi, FCVI_NOT_WAITING);
	vi->ops->flush(vi, true);
	vi->ops->tell(vi, FCVI_NEWS_TIMEOUT);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_connect_t1);

/* The other side accepts.  Messages are taken before RESP2 is sent, FC-VI 4.2. */
static void fcvi_connect_accepted(struct fcvi_vi *vi, const struct fcvi_connect *c)
{
	vi->ops->receive(vi, true);
	fcvi_setup_send_resp2(vi->own, FCVI_OK);
	fcvi_peer_resp1(vi, FCVI_OK);
	vi->by_own = true;
	fcvi_vi_connected(vi, c->handle, &c->attrs);
}

/* What the user is told of a refusal */
static enum fcvi_news fcvi_connect_refusal(struct fcvi_vi *vi, enum fcvi_reason reason,
					   const struct fcvi_connect *c)
{
	switch (reason) {
	case FCVI_NO_MATCH:
	case FCVI_NOT_WAITING:
		return FCVI_NEWS_NO_MATCH;
	case FCVI_CONNECT_TIMEOUT:
		return FCVI_NEWS_TIMEOUT;
	default:
		if (vi->role == FCVI_PEER && c)
			vi->differs = fcvi_attrs_differ(&vi->attrs, &c->attrs);
		return vi->differs ? FCVI_NEWS_ATTRS : FCVI_NEWS_REJECT;
	}
}

/* The other side refuses, and there is no other setup to wait for. */
static void fcvi_connect_refused(struct fcvi_vi *vi, enum fcvi_reason reason,
				 const struct fcvi_connect *c)
{
	enum fcvi_news news;

	fcvi_setup_send_resp2(vi->own, FCVI_OK);
	if (vi->role == FCVI_PEER)
		fcvi_peer_resp1(vi, reason);
	if (reason == FCVI_REJECT_TRANSPORT) {
		/* This Exchange goes on to its RESP3, on its own */
		vi->own->vi = NULL;
		vi->own = NULL;
		fcvi_connect_retry(vi);
	} else if (reason > FCVI_REASON_SOFT_MAX) {
		fcvi_connect_failed(vi, FCVI_PROTOCOL);
	} else {
		news = fcvi_connect_refusal(vi, reason, c);
		fcvi_vi_idle(vi, FCVI_REJECT);
		vi->ops->tell(vi, news);
	}
}

static bool fcvi_connect_soft(enum fcvi_reason reason)
{
	return reason == FCVI_NO_MATCH || reason == FCVI_NOT_WAITING ||
	       reason == FCVI_REJECT_CONCURRENT;
}

/* RESP1 of an endpoint that waits for it */
static void fcvi_connect_answer(struct fcvi_vi *vi, enum fcvi_reason reason,
				const struct fcvi_connect *c)
{
	if (fcvi_peer_accepted(vi) && (!reason || reason == FCVI_REJECT_TRANSPORT)) {
		/* That request decides, FC-VI 5.3.4 a */
		fcvi_setup_send_resp2(vi->own, reason ? FCVI_OK : FCVI_REJECT_CONCURRENT);
	} else if (!reason && fcvi_attrs_differ(&vi->attrs, &c->attrs)) {
		/* It has accepted something else */
		fcvi_setup_send_resp2(vi->own, FCVI_REJECT_PROTOCOL);
		fcvi_peer_resp1(vi, FCVI_REJECT_PROTOCOL);
		fcvi_connect_failed(vi, FCVI_PROTOCOL);
	} else if (!reason) {
		fcvi_connect_accepted(vi, c);
	} else if (vi->role == FCVI_PEER && fcvi_connect_soft(reason)) {
		/* A peer goes on waiting until T1 */
		fcvi_setup_send_resp2(vi->own, FCVI_OK);
		fcvi_peer_resp1(vi, reason);
	} else {
		fcvi_connect_refused(vi, reason, c);
	}
}

/**
 * fcvi_connect_resp1 - a FCVI_CONNECT_RESP1 has come
 * @s: its setup
 * @reason: its status, or FCVI_OK
 * @c: its payload; NULL with a status and a malformed payload
 */
void fcvi_connect_resp1(struct fcvi_setup *s, enum fcvi_reason reason,
			const struct fcvi_connect *c)
{
	struct fcvi_vi *vi = s->vi;

	lockdep_assert_held(&s->port->lock);
	if (s->phase != FCVI_WAIT_RESP1 || s->mute) {
		s->port->stats[FCVI_STAT_STRAY]++;
		return;
	}
	if (c)
		s->resp_handle = c->handle;
	if (vi && fcvi_vi_pending(vi)) {
		fcvi_connect_answer(vi, reason, c);
		return;
	}
	/* The connection stands by the other's request, or the endpoint is Idle, FC-VI C.5.2 */
	if (reason)
		fcvi_setup_send_resp2(s, FCVI_OK);
	else
		fcvi_setup_send_resp2(s, vi ? FCVI_REJECT_CONCURRENT : FCVI_CONNECT_TIMEOUT);
}

/**
 * fcvi_connect_resp3 - a FCVI_CONNECT_RESP3 has come, which ends the Exchange
 * @s: its setup, which is freed
 * @reason: its status, or FCVI_OK
 */
void fcvi_connect_resp3(struct fcvi_setup *s, enum fcvi_reason reason)
{
	struct fcvi_vi *vi = s->vi;
	u8 phase = s->phase;

	lockdep_assert_held(&s->port->lock);
	fcvi_setup_free(s);
	if (!vi)
		return;
	if (vi->state != FCVI_CONNECTED) {
		if (phase == FCVI_WAIT_RESP1)
			fcvi_connect_failed(vi, FCVI_PROTOCOL);
	} else if (vi->by_own && reason) {
		fcvi_vi_error(vi, FCVI_END_CONNECTION, FCVI_TRANSPORT, FCVI_REJECT);
		vi->ops->tell(vi, FCVI_NEWS_LOST);
	} else if (vi->by_own) {
		vi->ops->tell(vi, FCVI_NEWS_COMPLETE);
	}
}

/**
 * fcvi_connect_end - the Exchange of an own request is over before its time, FC-VI 8.5.2 a
 * @s: the setup, which has no Exchange any more, and is freed
 */
void fcvi_connect_end(struct fcvi_setup *s)
{
	lockdep_assert_held(&s->port->lock);
	fcvi_connect_over(s);
}
