// SPDX-License-Identifier: GPL-2.0
/* Resolution of a peer's IP address with ARP or neighbour discovery. */
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/st_compat.h>
#include <net/arp.h>
#include <net/ip_fib.h>
#include <net/neighbour.h>
#include <net/xfrm.h>

#include "link/link.h"
#include "link/neigh.h"

/* A lookup */
struct st_neigh_query {
	const struct st_link	*link;
	struct neigh_table	*table;
	u8			key[sizeof(struct in6_addr)];
};

static int st_neigh_route4(struct st_neigh_query *q, const struct sockaddr_in *ip)
{
	const struct net_device *dev = q->link->dev;
	struct flowi4 fl4 = { .daddr = ip->sin_addr.s_addr, .flowi4_oif = dev->ifindex };
	struct fib_result res = {};

	/* Also if another device has the address, which the lookup below does not see */
	if (inet_addr_type_dev_table(q->link->net, dev, ip->sin_addr.s_addr) == RTN_LOCAL)
		return -EADDRNOTAVAIL;
	/* No ip_route_output_*(): with a given device it treats every address as on-link */
	if (fib_lookup(q->link->net, &fl4, &res, 0) || res.type != RTN_UNICAST ||
	    res.nhc->nhc_dev != dev || res.nhc->nhc_gw_family)
		return -ENETUNREACH;
	q->table = &arp_tbl;
	memcpy(q->key, &ip->sin_addr, sizeof(ip->sin_addr));
	return 0;
}

/* IPv6 exports no lookup for modules but that of a dst. */
static int st_neigh_route6(struct st_neigh_query *q, const struct sockaddr_in6 *ip)
{
	const struct net_device *dev = q->link->dev;
	struct flowi6 fl6 = { .daddr = ip->sin6_addr, .flowi6_oif = dev->ifindex };
	const struct rt6_info *route;
	struct dst_entry *dst;
	int err = 0;

	if (!IS_ENABLED(CONFIG_IPV6) || !ipv6_mod_enabled())
		return -EAFNOSUPPORT;
	if (ipv6_addr_loopback(&ip->sin6_addr))
		return -EADDRNOTAVAIL;
	dst = ip6_dst_lookup_flow(q->link->net, NULL, &fl6, NULL);
	if (IS_ERR(dst))
		return PTR_ERR(dst) == -EAFNOSUPPORT ? -EAFNOSUPPORT : -ENETUNREACH;
	route = dst_rt6_info(xfrm_dst_path(dst));
	if (route->rt6i_flags & RTF_LOCAL)
		err = -EADDRNOTAVAIL;
	else if (route->dst.error || route->dst.dev != dev || (route->rt6i_flags & RTF_GATEWAY))
		err = -ENETUNREACH;
	dst_release(dst);
	q->table = st_nd_table();
	memcpy(q->key, &ip->sin6_addr, sizeof(ip->sin6_addr));
	return err;
}

/* Read the state of a neighbour; under RCU.  Return: 0 or a negative errno. */
static int st_neigh_read(const struct neighbour *n, const struct st_link *link, u8 *addr)
{
	u8 state = READ_ONCE(n->nud_state);
	u8 ha[MAX_ADDR_LEN];

	/* Then it has our own address */
	if (state & NUD_NOARP)
		return -EOPNOTSUPP;
	if (state & NUD_VALID) {
		neigh_ha_snapshot(ha, n, n->dev);
		memcpy(addr, ha, link->addr_len);
		return 0;
	}
	return state & NUD_FAILED ? -EHOSTUNREACH : -EAGAIN;
}

/**
 * st_neigh_resolve - st_addr_type.resolve with the neighbour tables
 * @link: the link; its addresses are MAC addresses of its device
 * @ip: struct sockaddr_in or sockaddr_in6 of a single host; the Port is ignored
 * @ask: also solicit a neighbour that has not answered
 * @addr: gets the address
 *
 * An unknown neighbour is solicited.  NETEVENT_NEIGH_UPDATE reports its answer, or that there is
 * none.
 *
 * Context: process, under RCU.
 * Return: 0, -EAGAIN while there is no answer, -ENETUNREACH without an on-link route over the
 * device of @link, -EADDRNOTAVAIL for an address of this host, -EHOSTUNREACH when nobody answers,
 * -EAFNOSUPPORT for another address family or without IPv6, -ENOBUFS when the table is full, or
 * -EOPNOTSUPP on a device without ARP.
 */
int st_neigh_resolve(const struct st_link *link, const struct sockaddr *ip, bool ask, u8 *addr)
{
	struct st_neigh_query q = { .link = link };
	int err = -EAFNOSUPPORT;
	struct neighbour *n;

	if (ip->sa_family == AF_INET)
		err = st_neigh_route4(&q, (const struct sockaddr_in *)ip);
	else if (ip->sa_family == AF_INET6)
		err = st_neigh_route6(&q, (const struct sockaddr_in6 *)ip);
	if (err)
		return err;
	n = neigh_lookup(q.table, q.key, link->dev) ?: neigh_create(q.table, q.key, link->dev);
	/* Otherwise the device loses its addresses */
	if (IS_ERR(n))
		return PTR_ERR(n) == -ENOBUFS ? -ENOBUFS : -ENETUNREACH;
	if (ask || !(READ_ONCE(n->nud_state) & NUD_FAILED))
		neigh_event_send(n, NULL);
	err = st_neigh_read(n, link, addr);
	neigh_release(n);
	return err;
}
