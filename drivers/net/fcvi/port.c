// SPDX-License-Identifier: GPL-2.0
/*
 * A port of FC-VI: what the transport has goes to the setup, Disconnect or endpoint that it is for.
 */
#include <kunit/visibility.h>
#include <linux/bitfield.h>
#include <linux/fc2.h>

#include "connect.h"
#include "disconnect.h"
#include "handle.h"
#include "match.h"
#include "peer.h"
#include "port.h"
#include "respond.h"
#include "sched.h"
#include "setup.h"
#include "timer.h"

/* Setups that remote ports may have under way, against floods */
#define FCVI_SETUPS_MAX	1024

/**
 * fcvi_port_init - make a port
 * @port: the port
 * @transport: what carries its IUs
 * @wwpn: Port_Name
 * @r_a_tov: R_A_TOV in ms
 */
void fcvi_port_init(struct fcvi_port *port, const struct fcvi_transport *transport, u64 wwpn,
		    unsigned int r_a_tov)
{
	memset(port, 0, sizeof(*port));
	spin_lock_init(&port->lock);
	port->transport = transport;
	port->wwpn = wwpn;
	port->r_a_tov = r_a_tov;
	INIT_LIST_HEAD(&port->vis);
	INIT_LIST_HEAD(&port->points);
	INIT_LIST_HEAD(&port->setups);
	INIT_LIST_HEAD(&port->discs);
	fcvi_mem_init(&port->mem);
	timerqueue_init_head(&port->timers);
	xa_init_flags(&port->handles, XA_FLAGS_ALLOC);
	fcvi_sched_init(port);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_port_init);

/**
 * fcvi_port_free - end a port
 * @port: the port, which has no endpoints any more
 */
void fcvi_port_free(struct fcvi_port *port)
{
	struct fcvi_setup *s, *next;

	lockdep_assert_held(&port->lock);
	list_for_each_entry_safe(s, next, &port->setups, list)
		fcvi_setup_free(s);
	fcvi_disconnect_free(port);
	fcvi_handles_free(port);
	fcvi_sched_end(port);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_port_free);

/* The setup of the first try, FC-VI C.4.1 rules 8, 9 and 11; its endpoint may have given it up. */
static struct fcvi_setup *fcvi_port_first_try(struct fcvi_xchg *x, u32 handle)
{
	struct fcvi_setup *s;

	list_for_each_entry(s, &x->port->setups, list)
		if (!s->own && s->rport == x->rport && s->rqst.handle == handle &&
		    (s->vi || s->user || s->answer))
			return s;
	return NULL;
}

static bool fcvi_port_again(struct fcvi_xchg *x, const struct fcvi_iu *iu,
			    const struct fcvi_connect *c)
{
	struct fcvi_setup *s = fcvi_port_first_try(x, c->handle);
	struct fcvi_vi *vi;

	if (!s)
		return false;
	fcvi_respond_again(s, x, iu->connection_id);
	vi = s->vi;
	if (vi && s->phase == FCVI_HELD) {
		vi->other = NULL;
		s->vi = NULL;
		fcvi_peer_rqst(vi, s);
	}
	return true;
}

static void fcvi_port_new_rqst(struct fcvi_setup *s)
{
	struct fcvi_port *port = s->port;
	enum fcvi_reason refuse;
	struct fcvi_point *point;
	struct fcvi_vi *vi;

	if (!s->rport->seq_cnt || !s->rport->rel_off) {
		/* FC-VI 5.6 */
		fcvi_setup_refuse(s, FCVI_REJECT_LOGIN);
	} else if (!fcvi_attrs_offered(&s->rqst.attrs)) {
		fcvi_setup_refuse(s, FCVI_REJECT);
	} else if (s->mode == FCVI_MODE_PEER) {
		vi = fcvi_match_peer(port, &s->rqst, &refuse);
		if (vi)
			fcvi_peer_rqst(vi, s);
		else
			fcvi_setup_refuse(s, refuse);
	} else {
		point = fcvi_match_point(port, &s->rqst, &refuse);
		if (point) {
			s->user = true;
			point->request(point, s);
		} else {
			fcvi_setup_refuse(s, refuse);
		}
	}
}

static void fcvi_port_rqst(struct fcvi_xchg *x, const struct fcvi_iu *iu,
			   const struct fcvi_connect *c)
{
	/* The answer to what can't be read has addresses of no host */
	static const struct fcvi_connect nothing = {
		.handle = FCVI_HANDLE_NONE,
		.loc = { .len = FCVI_DISCRIM_MIN },
		.rem = { .len = FCVI_DISCRIM_MIN },
		.attrs = { .level = FCVI_UD },
	};
	struct fcvi_port *port = x->port;
	struct fcvi_setup *s = NULL;

	if (c && iu->flags & FCVI_RQST_RETRY && fcvi_port_again(x, iu, c))
		return;
	if (port->nr_setups < FCVI_SETUPS_MAX)
		s = fcvi_setup_new(port, x->rport, false, fcvi_respond_expired);
	if (!s) {
		port->stats[FCVI_STAT_FULL]++;
		port->transport->close(x);
		return;
	}
	fcvi_setup_take(s, x);
	s->id = iu->connection_id;
	s->retry = iu->flags & FCVI_RQST_RETRY;
	s->mode = FIELD_GET(FCVI_RQST_MODE, iu->flags);
	s->rqst = c ? *c : nothing;
	if (c) {
		fcvi_port_new_rqst(s);
	} else {
		port->stats[FCVI_STAT_MALFORMED]++;
		fcvi_setup_refuse(s, FCVI_REJECT_PROTOCOL);
	}
}

/* CONN_STS with the reserved code 00 is an error as others. */
static enum fcvi_reason fcvi_port_reason(const struct fcvi_iu *iu)
{
	if (!(iu->flags & FCVI_RESP_CONN_STS))
		return FCVI_OK;
	return fcvi_status_reason(iu->param) ?: FCVI_REJECT_PROTOCOL;
}

/* Whether a response is of its setup, FC-VI 5.9.2 and 5.9.10 */
static bool fcvi_port_own_id(const struct fcvi_setup *s, const struct fcvi_iu *iu)
{
	if (iu->connection_id != s->id)
		return false;
	switch (iu->opcode) {
	case FCVI_CONNECT_RESP1:
		return iu->handle == FCVI_HANDLE_NONE;
	case FCVI_CONNECT_RESP2:
		return iu->handle == s->resp_handle;
	default:
		/* FC-VI 5.3.3, 6.11.2: a setup that failed may have either */
		return iu->handle == s->rqst.handle || iu->handle == FCVI_HANDLE_NONE;
	}
}

static void fcvi_port_resp(struct fcvi_setup *s, const struct fcvi_iu *iu,
			   const struct fcvi_connect *c)
{
	enum fcvi_reason reason = fcvi_port_reason(iu);

	if (!fcvi_port_own_id(s, iu)) {
		s->port->stats[FCVI_STAT_BAD_ID]++;
		return;
	}
	if (iu->opcode == FCVI_CONNECT_RESP1)
		fcvi_connect_resp1(s, reason || c ? reason : FCVI_REJECT_PROTOCOL, c);
	else if (iu->opcode == FCVI_CONNECT_RESP2)
		fcvi_respond_resp2(s, reason);
	else
		fcvi_connect_resp3(s, reason);
}

/**
 * fcvi_port_iu - a connection IU has come
 * @x: its Exchange
 * @iu: the IU, as fcvi_decode() has it
 * @c: payload of FCVI_CONNECT_RQST and FCVI_CONNECT_RESP1; NULL if it is malformed
 */
void fcvi_port_iu(struct fcvi_xchg *x, const struct fcvi_iu *iu, const struct fcvi_connect *c)
{
	bool own = iu->opcode != FCVI_CONNECT_RESP2;

	lockdep_assert_held(&x->port->lock);
	switch (iu->opcode) {
	case FCVI_CONNECT_RQST:
		if (x->setup || x->disc)
			break;
		fcvi_port_rqst(x, iu, c);
		return;
	case FCVI_DISCONNECT_RQST:
		if (x->setup || x->disc)
			break;
		fcvi_disconnect_rqst(x, iu);
		return;
	case FCVI_DISCONNECT_RESP:
		if (!x->disc)
			break;
		fcvi_disconnect_resp(x->disc);
		return;
	case FCVI_CONNECT_RESP1:
	case FCVI_CONNECT_RESP2:
	case FCVI_CONNECT_RESP3:
		if (!x->setup || x->setup->own != own)
			break;
		fcvi_port_resp(x->setup, iu, c);
		return;
	}
	x->port->stats[FCVI_STAT_STRAY]++;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_port_iu);

/**
 * fcvi_port_end - an Exchange is over, by the transport
 * @x: the Exchange
 * @err: -ECONNABORTED after an ABTS of the other side; -ENOTCONN: fcvi_port_logout() will do what
 *	that means; any other one is a Sequence error
 */
void fcvi_port_end(struct fcvi_xchg *x, int err)
{
	struct fcvi_setup *s = x->setup;

	lockdep_assert_held(&x->port->lock);
	if (s) {
		s->x = NULL;
		x->setup = NULL;
		if (err == -ENOTCONN)
			return;
		if (s->own)
			fcvi_connect_end(s);
		else
			fcvi_respond_end(s, err);
	} else if (x->disc) {
		fcvi_disconnect_end(x->disc, err != -ENOTCONN);
	}
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_port_end);

static void fcvi_port_logout_vi(struct fcvi_vi *vi)
{
	bool connected = vi->state == FCVI_CONNECTED;

	if (fcvi_vi_pending(vi)) {
		fcvi_vi_idle(vi, FCVI_REJECT);
		vi->ops->tell(vi, FCVI_NEWS_UNREACHABLE);
		return;
	}
	if (connected)
		fcvi_vi_error(vi, FCVI_END_NOTHING, FCVI_OK, FCVI_REJECT);
	vi->ending = FCVI_END_NOTHING;
	vi->rport = NULL;
	if (connected)
		vi->ops->tell(vi, FCVI_NEWS_LOST);
}

/**
 * fcvi_port_logout - a remote port has logged out: all connections with it are over, FC-VI 7.7.1
 * @port: the port
 * @rport: the remote port, of which nothing is kept
 */
void fcvi_port_logout(struct fcvi_port *port, struct fc2_rport *rport)
{
	struct fcvi_setup *s, *next;
	struct fcvi_vi *vi;

	lockdep_assert_held(&port->lock);
	list_for_each_entry(s, &port->setups, list)
		if (s->rport == rport)
			fcvi_setup_close(s);
	fcvi_handles_logout(port, rport);
	list_for_each_entry(vi, &port->vis, list)
		if (vi->rport == rport)
			fcvi_port_logout_vi(vi);
	fcvi_disconnect_logout(port, rport);
	list_for_each_entry_safe(s, next, &port->setups, list) {
		if (s->rport != rport)
			continue;
		if (s->user)
			s->rport = NULL;
		else
			fcvi_setup_free(s);
	}
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_port_logout);
