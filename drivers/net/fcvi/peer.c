// SPDX-License-Identifier: GPL-2.0
/*
 * Peers, FC-VI 5.3.3: when both ask at once, Port_Names decide whose request makes the connection,
 * FC-VI 5.3.4 and annex A.
 */
#include <linux/fc2.h>

#include "handle.h"
#include "match.h"
#include "peer.h"
#include "respond.h"
#include "setup.h"

/**
 * fcvi_peer_accepted - whether an endpoint has accepted the other side's request
 * @vi: the endpoint
 *
 * Return: whether it has, and that setup will decide.
 */
bool fcvi_peer_accepted(const struct fcvi_vi *vi)
{
	return vi->other && vi->other->phase != FCVI_HELD;
}

/* Two peers that do not go together can't wait for each other. */
static void fcvi_peer_accept(struct fcvi_vi *vi, struct fcvi_setup *s)
{
	vi->differs = fcvi_attrs_differ(&vi->attrs, &s->rqst.attrs);
	if (!vi->differs) {
		fcvi_respond_accept(s, vi);
		return;
	}
	s->vi = vi;
	fcvi_setup_refuse(s, FCVI_REJECT);
	fcvi_vi_idle(vi, FCVI_REJECT);
	vi->ops->tell(vi, FCVI_NEWS_ATTRS);
}

enum fcvi_rank {
	FCVI_LOWER,
	FCVI_HIGHER,
	FCVI_EQUAL,
};

/*
 * FC-VI 5.3.4.  Of two endpoints of one port the one that asked first counts as the lower; equal
 * names of two ports are an error.
 */
static enum fcvi_rank fcvi_peer_rank(struct fcvi_vi *vi, const struct fcvi_setup *s)
{
	struct fcvi_handle *h;

	if (vi->port->wwpn != s->rport->wwpn)
		return vi->port->wwpn < s->rport->wwpn ? FCVI_LOWER : FCVI_HIGHER;
	h = fcvi_handle_find(vi->port, s->rqst.handle, s->rport);
	if (!h || !h->vi || h->vi == vi)
		return FCVI_EQUAL;
	return vi->asked < h->vi->asked ? FCVI_LOWER : FCVI_HIGHER;
}

/**
 * fcvi_peer_rqst - a request that matches has come
 * @vi: the endpoint, which is Pending Connect, or Retry, and has accepted none
 * @s: the setup of the request
 */
void fcvi_peer_rqst(struct fcvi_vi *vi, struct fcvi_setup *s)
{
	lockdep_assert_held(&vi->port->lock);
	if (!vi->own || vi->own->phase != FCVI_WAIT_RESP1) {
		fcvi_peer_accept(vi, s);
		return;
	}
	switch (fcvi_peer_rank(vi, s)) {
	case FCVI_HIGHER:
		fcvi_peer_accept(vi, s);
		break;
	case FCVI_LOWER:
		s->vi = vi;
		vi->other = s;
		break;
	case FCVI_EQUAL:
		fcvi_setup_refuse(s, FCVI_REJECT_PROTOCOL);
		break;
	}
}

/**
 * fcvi_peer_resp1 - the higher peer has answered: the lower answers the request that it holds
 * @vi: the endpoint
 * @reason: Reason Code of the RESP1, or FCVI_OK
 *
 * Table 2, with 04 for any other response, where table A.1 has 21.
 */
void fcvi_peer_resp1(struct fcvi_vi *vi, enum fcvi_reason reason)
{
	struct fcvi_setup *s = vi->other;

	lockdep_assert_held(&vi->port->lock);
	if (!s || s->phase != FCVI_HELD)
		return;
	switch (reason) {
	case FCVI_OK:
		fcvi_setup_refuse(s, FCVI_REJECT_CONCURRENT);
		break;
	case FCVI_NO_MATCH:
	case FCVI_NOT_WAITING:
		/* Its originator may have given it up meanwhile */
		if (s->x)
			fcvi_peer_accept(vi, s);
		break;
	case FCVI_REJECT_CONCURRENT:
		fcvi_setup_refuse(s, FCVI_REJECT_PROTOCOL);
		break;
	default:
		fcvi_setup_refuse(s, FCVI_REJECT);
		break;
	}
}
