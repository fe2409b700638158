// SPDX-License-Identifier: GPL-2.0
/*
 * The responder's side of a Connection Setup, FC-VI 5.3, 8.5 and C.4: of servers, and of peers that
 * were asked.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/export.h>

#include "handle.h"
#include "match.h"
#include "respond.h"
#include "setup.h"
#include "timer.h"

static void fcvi_respond_failed(struct fcvi_setup *s)
{
	struct fcvi_vi *vi = s->vi;
	bool connected = vi->state == FCVI_CONNECTED;

	fcvi_setup_free(s);
	/* The originator is Connected, or will know from its own timer, FC-VI C.5.9 */
	fcvi_vi_error(vi, FCVI_END_CONNECTION, FCVI_TRANSPORT, FCVI_REJECT);
	if (!connected)
		vi->ops->tell(vi, FCVI_NEWS_TIMEOUT);
	vi->ops->tell(vi, FCVI_NEWS_LOST);
}

/**
 * fcvi_respond_expired - T2: no RESP2 for a RESP1, FC-VI 8.5.2 c; or a request that its originator
 *	has aborted, and did not try again
 * @timer: fcvi_setup.timer
 */
void fcvi_respond_expired(struct fcvi_timer *timer)
{
	struct fcvi_setup *s = container_of(timer, struct fcvi_setup, timer);

	if (s->user)
		return;
	if (!s->vi || s->phase == FCVI_HELD) {
		fcvi_setup_free(s);
	} else if (s->vi->state == FCVI_CONNECTED && s->vi->role == FCVI_PEER) {
		/* FC-VI C.4 rule 6 a */
		fcvi_setup_close(s);
		fcvi_setup_done(s);
	} else {
		fcvi_respond_failed(s);
	}
}

/**
 * fcvi_respond_accept - accept a request
 * @s: the setup, which has had no answer
 * @vi: the endpoint, which has a handle, is Pending Connect, and goes with the request
 *
 * The endpoint takes Messages before RESP1 is sent, FC-VI 4.2.  The user's time for a connect ends
 * here: T2 decides.
 */
void fcvi_respond_accept(struct fcvi_setup *s, struct fcvi_vi *vi)
{
	lockdep_assert_held(&vi->port->lock);
	fcvi_timer_stop(&vi->t1);
	s->user = false;
	s->vi = vi;
	vi->other = s;
	vi->rport = s->rport;
	vi->rmt_handle = s->rqst.handle;
	vi->handle->rmt = s->rqst.handle;
	vi->ops->receive(vi, true);
	s->answer = FCVI_OK;
	s->resp_handle = vi->handle->value;
	fcvi_setup_send_resp1(s);
}

/**
 * fcvi_respond_resp2 - a FCVI_CONNECT_RESP2 has come
 * @s: its setup
 * @reason: its status, or FCVI_OK
 */
void fcvi_respond_resp2(struct fcvi_setup *s, enum fcvi_reason reason)
{
	struct fcvi_vi *vi = s->vi;

	lockdep_assert_held(&s->port->lock);
	if (s->phase != FCVI_WAIT_RESP2) {
		s->port->stats[FCVI_STAT_STRAY]++;
		return;
	}
	fcvi_setup_send_resp3(s, s->end);
	if (!vi) {
		fcvi_setup_free(s);
	} else if (vi->state == FCVI_CONNECTED) {
		/* The answer to a RESP1 that was repeated, FC-VI C.4.1 rule 10 */
	} else if (reason) {
		fcvi_setup_free(s);
		fcvi_vi_idle(vi, FCVI_REJECT);
		vi->ops->tell(vi, FCVI_NEWS_TIMEOUT);
	} else {
		vi->by_own = false;
		fcvi_vi_connected(vi, s->rqst.handle, &s->rqst.attrs);
	}
}

/**
 * fcvi_respond_again - a request was tried again, FC-VI C.4.1 rules 8 and 9
 * @s: the setup that its first try has made
 * @x: the new Exchange
 * @id: the new CONNECTION_ID
 *
 * The answer is repeated.  If there was none yet, it goes into the new Exchange.
 */
void fcvi_respond_again(struct fcvi_setup *s, struct fcvi_xchg *x, u32 id)
{
	lockdep_assert_held(&s->port->lock);
	fcvi_setup_close(s);
	fcvi_timer_stop(&s->timer);
	fcvi_setup_take(s, x);
	s->id = id;
	s->retry = true;
	if (s->phase != FCVI_HELD)
		fcvi_setup_send_resp1(s);
}

/**
 * fcvi_respond_end - the Exchange of a setup is over before its time
 * @s: the setup, which has no Exchange any more
 * @err: why
 *
 * After an ABTS the originator may try once more, FC-VI 8.5.4: T2 decides.  Any other error is a
 * Connection Setup Exchange Error, FC-VI 8.5.3 d.
 */
void fcvi_respond_end(struct fcvi_setup *s, int err)
{
	lockdep_assert_held(&s->port->lock);
	if (s->phase == FCVI_HELD) {
		fcvi_timer_start(&s->timer, s->port->r_a_tov);
	} else if (err != -ECONNABORTED) {
		if (s->vi && fcvi_vi_pending(s->vi))
			fcvi_respond_failed(s);
		else if (!s->vi)
			fcvi_setup_free(s);
	}
}

/**
 * fcvi_accept - a server accepts a request, VI-DG 3.3.2
 * @s: the setup, as fcvi_point.request has got it
 * @vi: an Idle endpoint
 *
 * Return: 0: the endpoint is told how it goes on.  -EISCONN: it is not Idle; -EINVAL: attributes
 *	differ, see fcvi_vi.differs; -ENOMEM: no memory.  Nothing was sent after these, and the
 *	request waits on.  -ETIMEDOUT: the originator waits no longer, and the request is freed.
 */
int fcvi_accept(struct fcvi_setup *s, struct fcvi_vi *vi)
{
	lockdep_assert_held(&vi->port->lock);
	if (vi->state != FCVI_IDLE)
		return -EISCONN;
	if (!s->x) {
		fcvi_setup_free(s);
		return -ETIMEDOUT;
	}
	vi->differs = fcvi_attrs_differ(&vi->attrs, &s->rqst.attrs);
	if (vi->differs)
		return -EINVAL;
	vi->handle = fcvi_handle_new(vi, s->rport);
	if (!vi->handle)
		return -ENOMEM;
	vi->role = FCVI_SERVER;
	vi->state = FCVI_PENDING;
	vi->loc = s->rqst.rem;
	vi->rem = s->rqst.loc;
	fcvi_respond_accept(s, vi);
	return 0;
}
EXPORT_SYMBOL_GPL(fcvi_accept);

/**
 * fcvi_reject - a server refuses a request, VI-DG 3.3.3
 * @s: the setup, as fcvi_point.request has got it
 */
void fcvi_reject(struct fcvi_setup *s)
{
	lockdep_assert_held(&s->port->lock);
	s->user = false;
	if (s->x)
		fcvi_setup_refuse(s, FCVI_REJECT);
	else
		fcvi_setup_free(s);
}
EXPORT_SYMBOL_GPL(fcvi_reject);
