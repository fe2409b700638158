// SPDX-License-Identifier: GPL-2.0
/*
 * Connection Setups: their life, and the four IUs that they send, FC-VI 6.8 to 6.11.
 *
 * A setup may outlive its endpoint's interest in it: every RESP1 of an open Exchange is answered,
 * FC-VI 6.10.1, and a request that was refused still has its RESP2 and RESP3.
 */
#include <linux/bitfield.h>
#include <linux/slab.h>

#include "setup.h"
#include "timer.h"

/**
 * fcvi_setup_new - make a setup
 * @port: the port
 * @rport: the remote port
 * @own: whether the request is sent by this side
 * @expired: what T3, or T2, does
 *
 * Return: the setup, or NULL.
 */
struct fcvi_setup *fcvi_setup_new(struct fcvi_port *port, struct fc2_rport *rport, bool own,
				  void (*expired)(struct fcvi_timer *timer))
{
	struct fcvi_setup *s = kzalloc(sizeof(*s), GFP_ATOMIC);

	lockdep_assert_held(&port->lock);
	if (!s)
		return NULL;
	s->port = port;
	s->rport = rport;
	s->own = own;
	s->phase = own ? FCVI_WAIT_RESP1 : FCVI_HELD;
	s->resp_handle = FCVI_HANDLE_NONE;
	fcvi_timer_init(&s->timer, port, expired);
	list_add_tail(&s->list, &port->setups);
	if (!own)
		port->nr_setups++;
	return s;
}

/**
 * fcvi_setup_take - give a setup its Exchange
 * @s: the setup, which has none
 * @x: the Exchange
 */
void fcvi_setup_take(struct fcvi_setup *s, struct fcvi_xchg *x)
{
	lockdep_assert_held(&s->port->lock);
	s->x = x;
	x->setup = s;
}

static struct fcvi_xchg *fcvi_setup_drop(struct fcvi_setup *s)
{
	struct fcvi_xchg *x = s->x;

	s->x = NULL;
	if (x)
		x->setup = NULL;
	return x;
}

/**
 * fcvi_setup_close - end the Exchange of a setup without a word
 * @s: the setup
 */
void fcvi_setup_close(struct fcvi_setup *s)
{
	struct fcvi_xchg *x = fcvi_setup_drop(s);

	lockdep_assert_held(&s->port->lock);
	if (x)
		s->port->transport->close(x);
}

/**
 * fcvi_setup_free - end a setup
 * @s: the setup; no endpoint has it after this
 */
void fcvi_setup_free(struct fcvi_setup *s)
{
	fcvi_setup_close(s);
	fcvi_timer_stop(&s->timer);
	if (s->vi && s->vi->own == s)
		s->vi->own = NULL;
	if (s->vi && s->vi->other == s)
		s->vi->other = NULL;
	list_del(&s->list);
	if (!s->own && s->phase != FCVI_DONE)
		s->port->nr_setups--;
	kfree(s);
}

/**
 * fcvi_setup_abort - end a setup of this side with an ABTS, FC-VI 8.5.3 a
 * @s: the setup
 */
void fcvi_setup_abort(struct fcvi_setup *s)
{
	struct fcvi_xchg *x = fcvi_setup_drop(s);

	if (x)
		s->port->transport->abort(x);
	s->port->stats[FCVI_STAT_ABORTED]++;
	fcvi_setup_free(s);
}

/**
 * fcvi_setup_done - a setup of the other side waits for nothing more
 * @s: the setup, which no longer counts among those that are under way
 */
void fcvi_setup_done(struct fcvi_setup *s)
{
	s->phase = FCVI_DONE;
	s->port->nr_setups--;
}

/* FCVI_FLAGS and PARAMETER of responses, FC-VI 5.9.4.5 and 5.9.7.1 */
static void fcvi_setup_send(struct fcvi_setup *s, struct fcvi_xchg *x, u8 opcode, u32 handle,
			    enum fcvi_reason reason, const struct fcvi_connect *c)
{
	const struct fcvi_iu iu = {
		.opcode		= opcode,
		.flags		= (reason ? FCVI_RESP_CONN_STS : 0) |
				  (s->retry ? FCVI_RESP_RETRY : 0),
		.handle		= handle,
		.param		= fcvi_status(reason),
		.connection_id	= s->id,
	};

	lockdep_assert_held(&s->port->lock);
	if (x)
		s->port->transport->send(x, &iu, c);
}

/**
 * fcvi_setup_send_rqst - send FCVI_CONNECT_RQST, FC-VI 6.8.2; T3 begins
 * @s: a setup of this side
 */
void fcvi_setup_send_rqst(struct fcvi_setup *s)
{
	const struct fcvi_iu iu = {
		.opcode		= FCVI_CONNECT_RQST,
		.flags		= FIELD_PREP(FCVI_RQST_MODE, s->mode) |
				  (s->retry ? FCVI_RQST_RETRY : 0),
		.handle		= FCVI_HANDLE_NONE,
		.connection_id	= s->id,
	};

	lockdep_assert_held(&s->port->lock);
	s->port->transport->send(s->x, &iu, &s->rqst);
	fcvi_timer_start(&s->timer, s->port->r_a_tov);
}

/**
 * fcvi_setup_send_resp1 - send FCVI_CONNECT_RESP1 with the answer of the setup; T2 begins
 * @s: a setup of the other side
 *
 * FC-VI 6.9.2.  The addresses are those of the request, from this side.  Who refuses has no handle,
 * FC-VI 5.3.3, and without an endpoint no attributes but those that it was asked for.
 */
void fcvi_setup_send_resp1(struct fcvi_setup *s)
{
	const struct fcvi_connect c = {
		.handle	= s->resp_handle,
		.loc	= s->rqst.rem,
		.rem	= s->rqst.loc,
		.attrs	= s->vi ? s->vi->attrs : s->rqst.attrs,
	};

	if (s->phase == FCVI_DONE)
		s->port->nr_setups++;
	s->phase = FCVI_WAIT_RESP2;
	fcvi_setup_send(s, s->x, FCVI_CONNECT_RESP1, FCVI_HANDLE_NONE, s->answer, &c);
	fcvi_timer_start(&s->timer, 2 * s->port->r_a_tov);
}

/**
 * fcvi_setup_send_resp2 - send FCVI_CONNECT_RESP2, FC-VI 6.10.2
 * @s: a setup of this side
 * @reason: status, or FCVI_OK
 */
void fcvi_setup_send_resp2(struct fcvi_setup *s, enum fcvi_reason reason)
{
	s->phase = FCVI_WAIT_RESP3;
	fcvi_setup_send(s, s->x, FCVI_CONNECT_RESP2, s->resp_handle, reason, NULL);
}

/**
 * fcvi_setup_send_resp3 - send FCVI_CONNECT_RESP3, FC-VI 6.11.2, which ends the Exchange; T2 ends
 * @s: a setup of the other side
 * @reason: status, or FCVI_OK
 */
void fcvi_setup_send_resp3(struct fcvi_setup *s, enum fcvi_reason reason)
{
	u32 handle = s->answer || reason ? FCVI_HANDLE_NONE : s->rqst.handle;

	struct fcvi_xchg *x = fcvi_setup_drop(s);

	fcvi_timer_stop(&s->timer);
	fcvi_setup_done(s);
	fcvi_setup_send(s, x, FCVI_CONNECT_RESP3, handle, reason, NULL);
}

/**
 * fcvi_setup_refuse - refuse a request
 * @s: a setup of the other side that has had no answer; its endpoint has nothing to do with it
 *	after this
 * @reason: why
 */
void fcvi_setup_refuse(struct fcvi_setup *s, enum fcvi_reason reason)
{
	s->answer = reason;
	s->resp_handle = FCVI_HANDLE_NONE;
	if (s->vi && s->vi->other == s)
		s->vi->other = NULL;
	fcvi_setup_send_resp1(s);
	s->vi = NULL;
}
