// SPDX-License-Identifier: GPL-2.0
/*
 * Host Addresses, FC-VI 4.2: the IP addresses of the device that carries a port.
 */
#include <linux/fc2.h>
#include <linux/inetdevice.h>
#include <linux/module.h>
#include <net/addrconf.h>
#include <net/ipv6.h>

#include "host.h"
#include "port.h"

/**
 * fc2_host_possible - whether a port can have an address
 * @ip: the address
 *
 * Context: any.
 * Return: whether.
 */
bool fc2_host_possible(const struct in6_addr *ip)
{
	__be32 v4 = ip->s6_addr32[3];

	if (ipv6_addr_v4mapped(ip))
		return !ipv4_is_zeronet(v4) && !ipv4_is_multicast(v4) && !ipv4_is_lbcast(v4);
	return !ipv6_addr_any(ip) && !ipv6_addr_is_multicast(ip);
}

static bool fc2_host_own_v4(const struct net_device *dev, __be32 ip)
{
	const struct in_device *in_dev;
	const struct in_ifaddr *ifa;
	bool own = false;

	rcu_read_lock();
	in_dev = __in_dev_get_rcu(dev);
	if (in_dev)
		in_dev_for_each_ifa_rcu(ifa, in_dev)
			own |= ifa->ifa_local == ip;
	rcu_read_unlock();
	return own;
}

/**
 * fc2_farp_own - whether an IP address is the port's own: one of the device that carries it
 * @port: the port
 * @ip: the address; IPv4 addresses are v4-mapped
 *
 * Context: any but hard interrupts.
 * Return: whether it is.
 */
bool fc2_farp_own(const struct fc2_port *port, const struct in6_addr *ip)
{
	struct net_device *dev = port->iface->dev;

	if (ipv6_addr_v4mapped(ip))
		return fc2_host_own_v4(dev, ip->s6_addr32[3]);
	return IS_ENABLED(CONFIG_IPV6) && ipv6_chk_addr(dev_net(dev), ip, dev, 1);
}
EXPORT_SYMBOL_GPL(fc2_farp_own);

/* Choose the address from which to ask for the IPv4 address @to: one of its net, or the first. */
static bool fc2_host_source_v4(const struct net_device *dev, __be32 to, struct in6_addr *ip)
{
	const struct in_ifaddr *ifa, *best = NULL;
	const struct in_device *in_dev;

	rcu_read_lock();
	in_dev = __in_dev_get_rcu(dev);
	if (in_dev)
		in_dev_for_each_ifa_rcu(ifa, in_dev)
			if (!best || (!inet_ifa_match(to, best) && inet_ifa_match(to, ifa)))
				best = ifa;
	if (best)
		ipv6_addr_set_v4mapped(best->ifa_local, ip);
	rcu_read_unlock();
	return best;
}

/**
 * fc2_host_source - choose which of the port's own IP addresses to send from
 * @port: the port
 * @to: where to; IPv4 addresses are v4-mapped
 * @ip: gets the address
 *
 * Context: any but hard interrupts.
 * Return: whether there is one.
 */
bool fc2_host_source(const struct fc2_port *port, const struct in6_addr *to, struct in6_addr *ip)
{
	struct net_device *dev = port->iface->dev;

	if (ipv6_addr_v4mapped(to))
		return fc2_host_source_v4(dev, to->s6_addr32[3], ip);
	return IS_ENABLED(CONFIG_IPV6) &&
	       !ipv6_dev_get_saddr(dev_net(dev), dev, to, 0, ip) && fc2_farp_own(port, ip);
}
EXPORT_SYMBOL_GPL(fc2_host_source);

/* The first address of a scope.  Return: whether there is one. */
static bool fc2_host_first_v6(const struct net_device *dev, u32 scope, struct in6_addr *ip)
{
	const struct inet6_ifaddr *ifa;
	struct inet6_dev *in6_dev;
	bool found = false;

	if (!IS_ENABLED(CONFIG_IPV6))
		return false;
	rcu_read_lock();
	in6_dev = __in6_dev_get(dev);
	if (in6_dev)
		list_for_each_entry_rcu(ifa, &in6_dev->addr_list, if_list) {
			found = ifa->scope == scope && !(ifa->flags & IFA_F_TENTATIVE);
			if (!found)
				continue;
			*ip = ifa->addr;
			break;
		}
	rcu_read_unlock();
	return found;
}

/**
 * fc2_host_first - the Host Address by which a Name Server knows a port
 * @port: the port
 * @ip: gets the first global address, or the link-local one, or zeros
 *
 * Context: process.
 */
void fc2_host_first(const struct fc2_port *port, struct in6_addr *ip)
{
	const struct net_device *dev = port->iface->dev;

	if (!fc2_host_first_v6(dev, RT_SCOPE_UNIVERSE, ip) && !fc2_host_source_v4(dev, 0, ip) &&
	    !fc2_host_first_v6(dev, IFA_LINK, ip))
		*ip = (struct in6_addr) {};
}
