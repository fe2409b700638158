// SPDX-License-Identifier: GPL-2.0
/*
 * States of endpoints, FC-VI 8.2: what each transition means for setups, timers and Descriptors.
 * Which event leads where is for those that have the events.
 */
#include <kunit/visibility.h>

#include "handle.h"
#include "setup.h"
#include "timer.h"
#include "vi.h"

/**
 * fcvi_vi_init - make an endpoint, which is Idle
 * @vi: the endpoint
 * @port: the port
 * @ops: its user
 * @attrs: its attributes
 * @t1: what happens when the user's time for a connect is over
 */
void fcvi_vi_init(struct fcvi_vi *vi, struct fcvi_port *port, const struct fcvi_vi_ops *ops,
		  const struct fcvi_attrs *attrs, void (*t1)(struct fcvi_timer *timer))
{
	lockdep_assert_held(&port->lock);
	memset(vi, 0, sizeof(*vi));
	vi->port = port;
	vi->ops = ops;
	vi->attrs = *attrs;
	vi->rmt_handle = FCVI_HANDLE_NONE;
	fcvi_timer_init(&vi->t1, port, t1);
	list_add_tail(&vi->list, &port->vis);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_vi_init);

/**
 * fcvi_vi_connected - a setup has made the connection
 * @vi: the endpoint
 * @rmt_handle: handle of the other side
 * @rmt: attributes of the other side
 */
void fcvi_vi_connected(struct fcvi_vi *vi, u32 rmt_handle, const struct fcvi_attrs *rmt)
{
	lockdep_assert_held(&vi->port->lock);
	fcvi_timer_stop(&vi->t1);
	vi->rmt_handle = rmt_handle;
	vi->handle->rmt = rmt_handle;
	vi->rmt_attrs = *rmt;
	vi->depth = min(vi->attrs.pipeline_depth, rmt->pipeline_depth);
	vi->state = FCVI_CONNECTED;
	vi->ops->tell(vi, FCVI_NEWS_CONNECTED);
}

/*
 * The endpoint has nothing to do with its setups any more.  What it has accepted, and did not
 * become a connection, ends with a RESP3 that says so.
 */
static void fcvi_vi_detach(struct fcvi_vi *vi, bool error, enum fcvi_reason refuse)
{
	struct fcvi_setup *own = vi->own, *other = vi->other;

	fcvi_timer_stop(&vi->t1);
	if (vi->resolving)
		fcvi_timer_stop(&vi->login);
	vi->resolving = false;
	if (own) {
		vi->own = NULL;
		own->vi = NULL;
		own->mute = error;
	}
	if (!other)
		return;
	if (other->phase == FCVI_HELD) {
		fcvi_setup_refuse(other, refuse);
	} else if (other->phase == FCVI_WAIT_RESP2) {
		vi->other = NULL;
		other->vi = NULL;
		other->end = fcvi_vi_pending(vi) ? FCVI_REJECT : FCVI_OK;
	} else {
		fcvi_setup_free(other);
	}
}

/**
 * fcvi_vi_idle - to Idle
 * @vi: the endpoint
 * @refuse: Reason Code for a request that it holds
 */
void fcvi_vi_idle(struct fcvi_vi *vi, enum fcvi_reason refuse)
{
	lockdep_assert_held(&vi->port->lock);
	fcvi_vi_detach(vi, false, refuse);
	vi->ops->receive(vi, false);
	if (vi->handle)
		fcvi_handle_release(vi->handle);
	vi->handle = NULL;
	vi->rport = NULL;
	vi->rmt_handle = FCVI_HANDLE_NONE;
	vi->answered = false;
	vi->done_msg_id = 0;
	vi->state = FCVI_IDLE;
}

/**
 * fcvi_vi_error - to Error: nothing goes in or out, and what is posted completes as flushed
 * @vi: the endpoint
 * @ending: what a Disconnect has to end
 * @cause: Reason Code for it
 * @refuse: Reason Code for a request that it holds
 */
void fcvi_vi_error(struct fcvi_vi *vi, enum fcvi_ending ending, enum fcvi_reason cause,
		   enum fcvi_reason refuse)
{
	lockdep_assert_held(&vi->port->lock);
	fcvi_vi_detach(vi, true, refuse);
	vi->ending = ending;
	vi->cause = cause;
	vi->answered = false;
	vi->state = FCVI_ERROR;
	vi->ops->receive(vi, false);
	vi->ops->flush(vi, true);
}
