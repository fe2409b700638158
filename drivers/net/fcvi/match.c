// SPDX-License-Identifier: GPL-2.0
/*
 * Which endpoint or connection point a request is for, FC-VI 4.2 and VI-DG 3.3, 6.7, and whether
 * the attributes of two endpoints go together, VI-DG 3.3.2.
 *
 * Reason Code 03 says that nobody waits at a Host Address in that mode, 01 that somebody does, with
 * another Discriminator.
 */
#include <kunit/visibility.h>
#include <linux/string.h>
#include <net/ipv6.h>

#include "match.h"

static bool fcvi_discrim_equal(const struct fcvi_addr *a, const struct fcvi_addr *b)
{
	return a->len == b->len && !memcmp(a->discrim, b->discrim, a->len);
}

/**
 * fcvi_addr_equal - compare two addresses
 * @a: an address
 * @b: another
 *
 * Return: whether Host Address and Discriminator are equal.
 */
bool fcvi_addr_equal(const struct fcvi_addr *a, const struct fcvi_addr *b)
{
	return ipv6_addr_equal(&a->host, &b->host) && fcvi_discrim_equal(a, b);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_addr_equal);

/**
 * fcvi_attrs_differ - compare the attributes of the two ends of a connection
 * @a: those of one
 * @b: those of the other
 *
 * Preference is each end's own, FC-VI 5.8.2; the smaller pipeline depth holds for both; who takes
 * RDMA need not be asked for it.
 *
 * Return: the first difference, in the order in which VI-DG 3.3.2 has the errors.
 */
enum fcvi_difference fcvi_attrs_differ(const struct fcvi_attrs *a, const struct fcvi_attrs *b)
{
	if (a->level != b->level)
		return FCVI_DIFFERENT_LEVEL;
	if (a->max_trans_size != b->max_trans_size)
		return FCVI_DIFFERENT_SIZE;
	if (a->max_bandwidth != b->max_bandwidth || a->min_bandwidth != b->min_bandwidth ||
	    a->max_delay != b->max_delay)
		return FCVI_DIFFERENT_QOS;
	return FCVI_SAME;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_attrs_differ);

/**
 * fcvi_attrs_offered - whether attributes ask for nothing that this version lacks, FC-VI 7.3
 * @a: attributes of a request
 *
 * Return: whether bandwidths and delay are zero.
 */
bool fcvi_attrs_offered(const struct fcvi_attrs *a)
{
	return !a->max_bandwidth && !a->min_bandwidth && !a->max_delay;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_attrs_offered);

/* A connection point without a Host Address waits at all of the port. */
static bool fcvi_point_at(struct fcvi_port *port, const struct fcvi_point *point,
			  const struct in6_addr *host)
{
	if (ipv6_addr_any(&point->addr.host))
		return port->transport->own(port, host);
	return ipv6_addr_equal(&point->addr.host, host);
}

/**
 * fcvi_match_point - find the connection point that a client asks for
 * @port: the port
 * @rqst: the request; its own address does not matter
 * @refuse: gets the Reason Code when there is none
 *
 * Return: the one that waits longest, or NULL.
 */
struct fcvi_point *fcvi_match_point(struct fcvi_port *port, const struct fcvi_connect *rqst,
				    enum fcvi_reason *refuse)
{
	struct fcvi_point *point;

	lockdep_assert_held(&port->lock);
	*refuse = FCVI_NOT_WAITING;
	list_for_each_entry(point, &port->points, list) {
		if (!fcvi_point_at(port, point, &rqst->rem.host))
			continue;
		if (fcvi_discrim_equal(&point->addr, &rqst->rem))
			return point;
		*refuse = FCVI_NO_MATCH;
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_match_point);

/**
 * fcvi_match_peer - find the peer that another one asks for
 * @port: the port
 * @rqst: the request
 * @refuse: gets the Reason Code when there is none
 *
 * Each peer's remote Host Address is the other's local one, and the Discriminators of the two
 * remote addresses are equal, VI-DG 3.3.6.  A peer that has a request already waits for no other,
 * and one that still looks for the remote port will send its own request.
 *
 * Return: the one that waits longest, or NULL.
 */
struct fcvi_vi *fcvi_match_peer(struct fcvi_port *port, const struct fcvi_connect *rqst,
				enum fcvi_reason *refuse)
{
	struct fcvi_vi *vi;

	lockdep_assert_held(&port->lock);
	*refuse = FCVI_NOT_WAITING;
	list_for_each_entry(vi, &port->vis, list) {
		if (vi->role != FCVI_PEER || !fcvi_vi_pending(vi) || vi->other ||
		    vi->resolving || !ipv6_addr_equal(&vi->loc.host, &rqst->rem.host))
			continue;
		if (ipv6_addr_equal(&vi->rem.host, &rqst->loc.host) &&
		    fcvi_discrim_equal(&vi->rem, &rqst->rem))
			return vi;
		*refuse = FCVI_NO_MATCH;
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_match_peer);
