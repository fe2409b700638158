// SPDX-License-Identifier: GPL-2.0
/*
 * Fibre Channel under ST by FC-VI: one operation is one Send Message on one of two VIs, for Control
 * and for Data, between the Host Addresses of two ports.
 */
#include <linux/fcvi.h>
#include <linux/inetdevice.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/st_compat.h>
#include <net/addrconf.h>
#include <net/ipv6.h>
#include <uapi/linux/st_netlink.h>

#include "fcvi.h"

/* Device_Header, FC-VI 5.9 */
#define ST_FCVI_DH		32
/* Messages that may be open; one is over as soon as it is sent, unless it has an answer */
#define ST_FCVI_DEPTH		63

static struct st_llp st_fcvi;

/* Changed under RTNL */
static LIST_HEAD(st_fcvi_links);

/**
 * st_fcvi_addr - make an address of a connection point
 * @addr: gets it
 * @host: Host Address
 * @class: what the VI carries
 */
void st_fcvi_addr(struct fcvi_addr *addr, const struct in6_addr *host, enum st_fcvi_class class)
{
	const u8 discrim[] = { ETH_P_ST >> 8, ETH_P_ST & 0xff, 'S', 'T', 1, class };

	memset(addr, 0, sizeof(*addr));
	addr->host = *host;
	addr->len = FCVI_DISCRIM_MIN;
	memcpy(addr->discrim, discrim, sizeof(discrim));
}

static int st_fcvi_max_stu(const struct st_link *link, unsigned int channel)
{
	const struct st_fcvi *f = link->priv;
	unsigned int mfs = fc2_port_mfs(fcvi_port_fc2(f->port));

	if (!channel || mfs <= ST_FCVI_DH + ST_HDR_LEN)
		return -EINVAL;
	return link->stu ?: ilog2(mfs - ST_FCVI_DH - ST_HDR_LEN);
}

static const char *st_fcvi_unfit(const struct net_device *dev)
{
	return fcvi_port_find(dev) ? NULL : "it has no FC port: make one with fcport create";
}

static int st_fcvi_xmit(struct st_link *link, struct sk_buff *skb, unsigned int channel,
			const u8 *daddr, struct st_route *route)
{
	enum st_fcvi_class class = channel ? ST_FCVI_DATA : ST_FCVI_CONTROL;
	struct st_fcvi *f = link->priv;
	struct st_fcvi_peer *peer;
	int err = -ENOTCONN;

	fcvi_lock(f->port);
	peer = st_fcvi_peer_find(f, daddr);
	if (peer && peer->tx[class])
		err = st_fcvi_send(peer->tx[class], skb);
	else
		kfree_skb(skb);
	fcvi_unlock(f->port);
	return err;
}

static bool st_fcvi_own_v4(const struct net_device *dev, struct in6_addr *ip)
{
	const struct in_device *in_dev = __in_dev_get_rtnl(dev);
	const struct in_ifaddr *ifa = in_dev ? rtnl_dereference(in_dev->ifa_list) : NULL;

	if (ifa)
		ipv6_addr_set_v4mapped(ifa->ifa_local, ip);
	return ifa;
}

static bool st_fcvi_own_v6(const struct net_device *dev, struct in6_addr *ip, bool local)
{
	struct inet6_dev *in6_dev = IS_ENABLED(CONFIG_IPV6) ? __in6_dev_get(dev) : NULL;
	const struct inet6_ifaddr *ifa;
	bool found = false;

	if (!in6_dev)
		return false;
	read_lock_bh(&in6_dev->lock);
	list_for_each_entry(ifa, &in6_dev->addr_list, if_list) {
		if (ifa->flags & (IFA_F_TENTATIVE | IFA_F_DADFAILED) ||
		    !!(ipv6_addr_type(&ifa->addr) & IPV6_ADDR_LINKLOCAL) != local)
			continue;
		*ip = ifa->addr;
		found = true;
		break;
	}
	read_unlock_bh(&in6_dev->lock);
	return found;
}

/* The address that a link is known by; peers may use any of its device */
static bool st_fcvi_own(const struct net_device *dev, struct in6_addr *ip)
{
	return st_fcvi_own_v6(dev, ip, false) || st_fcvi_own_v4(dev, ip) ||
	       st_fcvi_own_v6(dev, ip, true);
}

/*
 * The link is up while its port has an N_Port ID, and its device an address.  Return: whether it
 * has an address.
 */
static bool st_fcvi_refresh(struct st_fcvi *f)
{
	struct fc2_port *fc2 = fcvi_port_fc2(f->port);
	struct st_link *link = f->link;
	struct in6_addr ip;
	bool up;

	memcpy(&ip, link->addr, sizeof(ip));
	up = fc2_farp_own(fc2, &ip);
	if (!up && st_fcvi_own(link->dev, &ip)) {
		st_link_set_addr(link, ip.s6_addr);
		up = true;
	}
	st_link_set_up(link, up && fc2_port_id(fc2));
	return up;
}

static void st_fcvi_refresh_all(struct work_struct *work)
{
	struct st_fcvi *f;
	bool all = true;

	rtnl_lock();
	list_for_each_entry(f, &st_fcvi_links, list)
		all &= st_fcvi_refresh(f);
	rtnl_unlock();
	/* Nobody tells when Duplicate Address Detection is over */
	if (!all)
		schedule_delayed_work(to_delayed_work(work), HZ);
}

static DECLARE_DELAYED_WORK(st_fcvi_changed, st_fcvi_refresh_all);

static void st_fcvi_refresh_soon(void)
{
	mod_delayed_work(system_percpu_wq, &st_fcvi_changed, 0);
}

static int st_fcvi_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	st_fcvi_refresh_soon();
	return NOTIFY_DONE;
}

static struct notifier_block st_fcvi_inetaddr = { .notifier_call = st_fcvi_event };
static struct notifier_block st_fcvi_inet6addr = { .notifier_call = st_fcvi_event };

static void st_fcvi_points_begin(struct st_fcvi *f)
{
	enum st_fcvi_class class;
	struct st_fcvi_point *p;

	for (class = 0; class < ST_FCVI_CLASSES; class++) {
		p = f->points + class;
		p->f = f;
		p->class = class;
		p->point.request = st_fcvi_request;
		/* At all Host Addresses */
		st_fcvi_addr(&p->point.addr, &in6addr_any, class);
		fcvi_listen(f->port, &p->point);
	}
}

static_assert((int)ST_RELIABILITY_UD == (int)FCVI_UD);
static_assert((int)ST_RELIABILITY_RD == (int)FCVI_RD);
static_assert((int)ST_RELIABILITY_RR == (int)FCVI_RR);

static int st_fcvi_begin(struct st_link *link, struct netlink_ext_ack *extack)
{
	struct fcvi_port *port = fcvi_port_find(link->dev);
	struct st_fcvi *f;
	struct in6_addr ip;
	bool up;

	if (!port)
		return -ENODEV;
	f = kzalloc(sizeof(*f), GFP_KERNEL);
	if (!f)
		return -ENOMEM;
	fcvi_port_hold(port);
	if (!link->reliability)
		link->reliability = ST_RELIABILITY_UD;
	f->link = link;
	f->port = port;
	f->attrs = (struct fcvi_attrs){
		.level		= link->reliability,
		.max_trans_size	= ST_FCVI_MAX_LEN,
		.pipeline_depth	= ST_FCVI_DEPTH,
	};
	hash_init(f->peers);
	INIT_LIST_HEAD(&f->servers);
	INIT_LIST_HEAD(&f->over);
	INIT_WORK(&f->reap, st_fcvi_reap);
	skb_queue_head_init(&f->received);
	INIT_WORK(&f->deliver, st_fcvi_deliver);
	link->priv = f;
	link->own_addr = true;
	link->own_state = true;
	up = st_fcvi_own(link->dev, &ip);
	if (up)
		memcpy(link->addr, &ip, sizeof(ip));
	/* The others deliver in order, FC-VI 8.4.1, or end the connection */
	if (link->reliability != ST_RELIABILITY_UD)
		link->traits = ST_ORDERED;
	link->addr_type = &st_addr_ip;
	link->addr_len = sizeof(ip);
	link->headroom = FCVI_HEADROOM;
	link->tailroom = FCVI_TAILROOM;
	st_link_set_up(link, up && fc2_port_id(fcvi_port_fc2(port)));
	list_add_tail(&f->list, &st_fcvi_links);
	fcvi_lock(port);
	st_fcvi_points_begin(f);
	fcvi_unlock(port);
	st_fcvi_refresh_soon();
	return 0;
}

/* No operation is being sent any more when af_st has called synchronize_net(). */
static void st_fcvi_end(struct st_link *link)
{
	struct st_fcvi *f = link->priv;
	enum st_fcvi_class class;

	list_del(&f->list);
	fcvi_lock(f->port);
	for (class = 0; class < ST_FCVI_CLASSES; class++)
		fcvi_unlisten(f->port, &f->points[class].point);
	st_fcvi_peers_end(f);
	fcvi_unlock(f->port);
	cancel_work_sync(&f->reap);
	st_fcvi_reap(&f->reap);
	cancel_work_sync(&f->deliver);
	skb_queue_purge(&f->received);
	fcvi_port_put(f->port);
	kfree_rcu(f, rcu);
}

static void st_fcvi_port_del(struct fcvi_port *port)
{
	struct net_device *dev = fc2_port_dev(fcvi_port_fc2(port));
	struct st_link *link = st_link_find(dev, &st_fcvi);

	if (link && ((struct st_fcvi *)link->priv)->port == port)
		st_llp_detach(&st_fcvi, dev);
}

static void st_fcvi_port_change(struct fcvi_port *port)
{
	st_fcvi_refresh_soon();
}

static struct fcvi_client st_fcvi_client = {
	.port_del	= st_fcvi_port_del,
	.port_change	= st_fcvi_port_change,
};

static const struct st_llp_ops st_fcvi_llp_ops = {
	.unfit		= st_fcvi_unfit,
	.begin		= st_fcvi_begin,
	.end		= st_fcvi_end,
	.max_stu	= st_fcvi_max_stu,
	.xmit		= st_fcvi_xmit,
	.connect	= st_fcvi_connect,
	.disconnect	= st_fcvi_disconnect,
};

static struct st_llp st_fcvi = {
	.owner		= THIS_MODULE,
	.name		= "fcvi",
	.type		= ST_LLP_FCVI,
	.priority	= ST_PRIORITY_SHARED,
	.attach		= ST_ATTACH_ON_DEMAND,
	.stu_max	= ST_FCVI_STU_MAX,
	.reliability	= true,
	.ops		= &st_fcvi_llp_ops,
};

static int __init st_fcvi_init(void)
{
	int err;

	/* First, so that the end of a port is told as long as there can be links */
	fcvi_client_register(&st_fcvi_client);
	err = st_llp_register(&st_fcvi);
	if (err) {
		fcvi_client_unregister(&st_fcvi_client);
		return err;
	}
	register_inetaddr_notifier(&st_fcvi_inetaddr);
	register_inet6addr_notifier(&st_fcvi_inet6addr);
	return 0;
}

static void __exit st_fcvi_exit(void)
{
	unregister_inet6addr_notifier(&st_fcvi_inet6addr);
	unregister_inetaddr_notifier(&st_fcvi_inetaddr);
	st_llp_unregister(&st_fcvi);
	fcvi_client_unregister(&st_fcvi_client);
	cancel_delayed_work_sync(&st_fcvi_changed);
}

module_init(st_fcvi_init);
module_exit(st_fcvi_exit);

MODULE_DESCRIPTION("Scheduled Transfer over Fibre Channel by FC-VI");
MODULE_LICENSE("GPL");
