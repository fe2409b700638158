// SPDX-License-Identifier: GPL-2.0
/*
 * The address behind an IP address of a peer, where ARP or neighbour discovery find it.
 */
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/st_compat.h>
#include <linux/wait.h>
#include <net/arp.h>
#include <net/ip_fib.h>
#include <net/neighbour.h>
#include <net/netevent.h>
#include <net/xfrm.h>

#include "link/link.h"
#include "link/neigh.h"

/* What is looked for.  While it waits nothing holds the device, which may go. */
struct st_neigh_query {
	struct st_link		*link;
	struct neigh_table	*table;
	u8			key[sizeof(struct in6_addr)];
};

/* Neighbours change rarely: whoever waits looks again at every change. */
static DECLARE_WAIT_QUEUE_HEAD(st_neigh_wait);

static int st_neigh_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	if (event == NETEVENT_NEIGH_UPDATE && wq_has_sleeper(&st_neigh_wait))
		wake_up_all(&st_neigh_wait);
	return NOTIFY_DONE;
}

static struct notifier_block st_neigh_notifier = {
	.notifier_call = st_neigh_event,
};

/* The device of a link, or NULL when the link has gone; under RCU. */
static struct net_device *st_neigh_dev(const struct st_link *link)
{
	return READ_ONCE(st_link_core(link)->dead) ? NULL : link->dev;
}

static int st_neigh_route4(struct st_neigh_query *q, const struct sockaddr_in *ip)
{
	struct flowi4 fl4 = { .daddr = ip->sin_addr.s_addr };
	struct fib_result res = {};
	struct net_device *dev;
	int err;

	rcu_read_lock();
	dev = st_neigh_dev(q->link);
	if (!dev) {
		rcu_read_unlock();
		return -ENODEV;
	}
	/* Not a route of the stack, which takes all for near that is sent over a given device */
	fl4.flowi4_oif = dev->ifindex;
	err = fib_lookup(q->link->net, &fl4, &res, 0) ? -ENETUNREACH : 0;
	if (!err && res.type == RTN_LOCAL)
		err = -EADDRNOTAVAIL;
	else if (!err && (res.type != RTN_UNICAST || res.nhc->nhc_dev != dev ||
			  res.nhc->nhc_gw_family))
		err = -ENETUNREACH;
	rcu_read_unlock();
	q->table = &arp_tbl;
	memcpy(q->key, &ip->sin_addr, sizeof(ip->sin_addr));
	return err;
}

/* A route of the stack, whose functions for modules leave no other way. */
static int st_neigh_route6(struct st_neigh_query *q, const struct sockaddr_in6 *ip)
{
	struct flowi6 fl6 = { .daddr = ip->sin6_addr };
	const struct net_device *dev;
	const struct rt6_info *route;
	struct dst_entry *dst;
	int err = 0;

	if (!IS_ENABLED(CONFIG_IPV6) || !ipv6_mod_enabled())
		return -EAFNOSUPPORT;
	rcu_read_lock();
	dev = st_neigh_dev(q->link);
	fl6.flowi6_oif = dev ? dev->ifindex : 0;
	rcu_read_unlock();
	if (!dev)
		return -ENODEV;
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

/* What is known of a neighbour; under RCU.  Return: 0 or a negative errno. */
static int st_neigh_read(const struct neighbour *n, const struct st_link *link, u8 *addr)
{
	u8 state = READ_ONCE(n->nud_state);
	u8 ha[MAX_ADDR_LEN];

	/* Then it has our address */
	if (state & NUD_NOARP)
		return -EOPNOTSUPP;
	if (state & NUD_VALID) {
		neigh_ha_snapshot(ha, n, n->dev);
		memcpy(addr, ha, link->addr_len);
		return 0;
	}
	return state & NUD_FAILED ? -EHOSTUNREACH : -EAGAIN;
}

/*
 * Look for the neighbour, and at first have it asked.  It vanishes when the device goes down.
 * Return: 0, -EAGAIN while it is open, or another negative errno.
 */
static int st_neigh_look(const struct st_neigh_query *q, bool ask, u8 *addr)
{
	struct net_device *dev;
	struct neighbour *n;
	int err;

	rcu_read_lock();
	dev = st_neigh_dev(q->link);
	n = dev ? __neigh_lookup(q->table, q->key, dev, ask) : NULL;
	if (n) {
		if (ask)
			neigh_event_send(n, NULL);
		err = st_neigh_read(n, q->link, addr);
		neigh_release(n);
	} else {
		err = !dev ? -ENODEV : ask ? -EHOSTUNREACH : -ENETUNREACH;
	}
	rcu_read_unlock();
	return err;
}

/**
 * st_neigh_resolve - st_addr_type.resolve, with the tables of neighbours
 * @link: the link, with a reference; its addresses are those of its device
 * @ip: struct sockaddr_in or sockaddr_in6, of a single host; the Port does not count
 * @addr: the address is written here
 * @timeo: jiffies to wait at most, and what is left
 *
 * A neighbour that nobody has asked for yet is asked for.
 *
 * Context: process, may sleep.
 * Return: 0, -ENETUNREACH without a route there over the device of @link that has no gateway,
 * -EADDRNOTAVAIL for an address of this host, -EHOSTUNREACH when nobody answers, -ETIMEDOUT when
 * the time is over before that is known, -EAFNOSUPPORT for another kind of address or without
 * IPv6, -EOPNOTSUPP on a device that does not ask, -ENODEV when @link has gone, or -ERESTARTSYS
 * for a fatal signal.
 */
int st_neigh_resolve(struct st_link *link, const struct sockaddr *ip, u8 *addr, long *timeo)
{
	struct st_neigh_query q = { .link = link };
	int err = -EAFNOSUPPORT;
	long left;

	if (ip->sa_family == AF_INET)
		err = st_neigh_route4(&q, (const struct sockaddr_in *)ip);
	else if (ip->sa_family == AF_INET6)
		err = st_neigh_route6(&q, (const struct sockaddr_in6 *)ip);
	err = err ?: st_neigh_look(&q, true, addr);
	if (err != -EAGAIN)
		return err;
	left = wait_event_killable_timeout(st_neigh_wait,
					   (err = st_neigh_look(&q, false, addr)) != -EAGAIN,
					   *timeo);
	*timeo = max(left, 0L);
	if (left < 0)
		return left;
	return err == -EAGAIN ? -ETIMEDOUT : err;
}

/**
 * st_neigh_init - begin to hear of neighbours
 *
 * Return: 0 or a negative errno.
 */
int st_neigh_init(void)
{
	return register_netevent_notifier(&st_neigh_notifier);
}

/**
 * st_neigh_exit - undo st_neigh_init()
 */
void st_neigh_exit(void)
{
	unregister_netevent_notifier(&st_neigh_notifier);
}
