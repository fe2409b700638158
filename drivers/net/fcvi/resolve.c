// SPDX-License-Identifier: GPL-2.0
/*
 * Connects by Host Address, FC-VI 7.4 and 7.7.1: the remote port is found and logged in with before
 * the first request is sent.  The user's time, T1, runs meanwhile.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <net/ipv6.h>

#include "connect.h"
#include "resolve.h"
#include "timer.h"

/* Nobody has logged in: VIP_NOT_REACHABLE, not VIP_TIMEOUT */
static void fcvi_resolve_expired(struct fcvi_timer *timer)
{
	fcvi_connect_unreachable(container_of(timer, struct fcvi_vi, login));
}

/* Look for the remote port; what comes of it is told to the user. */
static void fcvi_resolve_try(struct fcvi_vi *vi)
{
	struct fcvi_port *port = vi->port;
	struct fc2_rport *rport;

	switch (port->transport->find(port, &vi->rem.host, &rport)) {
	case 0:
		fcvi_connect_found(vi, rport);
		break;
	case -EAGAIN:
		fcvi_timer_stop(&vi->login);
		break;
	case -ENOTCONN:
		/* As a setup, which has two tries */
		if (RB_EMPTY_NODE(&vi->login.node.node))
			fcvi_timer_start(&vi->login, 2 * port->r_a_tov);
		break;
	default:
		fcvi_connect_unreachable(vi);
		break;
	}
}

/**
 * fcvi_connect_to - begin a setup, as client or peer, VI-DG 3.3.4 and 3.3.6
 * @vi: an endpoint
 * @role: FCVI_CLIENT or FCVI_PEER
 * @loc: own address; its Host Address is one of the port
 * @rem: address of the other side
 * @timeout: ms that the user waits for the answer, from now on
 *
 * Context: under the lock of the port.
 * Return: 0: the user is told how it ends, perhaps before this returns; -EISCONN: the endpoint is
 *	not Idle; -EADDRNOTAVAIL: @loc is not of this port; -ENOMEM: no memory, or no Exchange.
 */
int fcvi_connect_to(struct fcvi_vi *vi, enum fcvi_role role, const struct fcvi_addr *loc,
		    const struct fcvi_addr *rem, unsigned int timeout)
{
	struct fcvi_port *port = vi->port;
	struct fc2_rport *rport;

	lockdep_assert_held(&port->lock);
	if (vi->state != FCVI_IDLE)
		return -EISCONN;
	if (!port->transport->own(port, &loc->host))
		return -EADDRNOTAVAIL;
	if (!port->transport->find(port, &rem->host, &rport))
		return fcvi_connect(vi, role, rport, loc, rem, timeout);
	vi->role = role;
	vi->loc = *loc;
	vi->rem = *rem;
	vi->state = FCVI_PENDING;
	vi->resolving = true;
	fcvi_timer_init(&vi->login, port, fcvi_resolve_expired);
	fcvi_timer_start(&vi->t1, timeout);
	fcvi_resolve_try(vi);
	return 0;
}
EXPORT_SYMBOL_GPL(fcvi_connect_to);

/**
 * fcvi_resolved - the search for a Host Address is over
 * @port: the port
 * @host: the Host Address
 * @err: 0, or why there is no remote port
 */
void fcvi_resolved(struct fcvi_port *port, const struct in6_addr *host, int err)
{
	struct fcvi_vi *vi;

	lockdep_assert_held(&port->lock);
	list_for_each_entry(vi, &port->vis, list) {
		if (!vi->resolving || !ipv6_addr_equal(&vi->rem.host, host))
			continue;
		if (err)
			fcvi_connect_unreachable(vi);
		else
			fcvi_resolve_try(vi);
	}
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_resolved);

/**
 * fcvi_resolve_login - a remote port has logged in, perhaps one that is waited for
 * @port: the port
 */
void fcvi_resolve_login(struct fcvi_port *port)
{
	struct fcvi_vi *vi;

	lockdep_assert_held(&port->lock);
	list_for_each_entry(vi, &port->vis, list)
		if (vi->resolving)
			fcvi_resolve_try(vi);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_resolve_login);
