// SPDX-License-Identifier: GPL-2.0
/*
 * A fabric of RapidIO between machines, over Ethernet.
 *
 * An endpoint is a link of the type rio9_eth on a device of Ethernet.
 */
#include <linux/etherdevice.h>
#include <linux/random.h>
#include <linux/rtnetlink.h>
#include <linux/st_compat.h>
#include <linux/unaligned.h>
#include <net/sock.h>

#include "counters.h"
#include "netdev.h"
#include "receive.h"
#include "send.h"

#define RIO9_ETH_CONTEXTS	1024

/* Of all namespaces, under RTNL */
static LIST_HEAD(rio9_eth_all);

static struct proto rio9_eth_proto = {
	.name = "RIO9_ETH",
	.owner = THIS_MODULE,
	.obj_size = sizeof(struct sock),
};

static const struct rio9_caps rio9_eth_caps = {
	.large = true,
	.max_pdu = RIO9_PDU_MAX,
	.contexts = RIO9_ETH_CONTEXTS,
	.channels = GENMASK(RIO9_FLOW_F, RIO9_FLOW_A),
};

static struct rio9_eth *rio9_eth_of(const struct net_device *dev)
{
	return rio9_port_priv(rio9_netdev_port(dev));
}

/* A link that cannot carry the longest packet is no link */
static void rio9_eth_link(struct rio9_eth *e)
{
	unsigned int mtu = min_t(unsigned int, READ_ONCE(e->lower->mtu), U16_MAX);
	bool ok = mtu >= RIO9_ETH_FRAME_MIN && netif_running(e->lower) &&
		  netif_carrier_ok(e->lower);

	spin_lock_bh(&e->lock);
	e->frame_max = mtu >= RIO9_ETH_FRAME_MIN ? mtu : 0;
	spin_unlock_bh(&e->lock);
	if (ok == e->link)
		return;
	e->link = ok;
	rio9_port_set_carrier(e->port, ok);
	if (ok)
		rio9_eth_hello_now(e, true);
}

static struct rio9_eth *rio9_eth_create(struct net_device *dev, struct net_device *lower, u16 id)
{
	struct rio9_eth *e = kzalloc(sizeof(*e), GFP_KERNEL);
	int err = -ENOMEM;

	if (!e)
		return ERR_PTR(-ENOMEM);
	e->dev = dev;
	e->lower = lower;
	e->id = id;
	e->session = get_random_u32();
	e->hello_last = jiffies;
	e->hello_at = jiffies;
	spin_lock_init(&e->lock);
	INIT_LIST_HEAD(&e->open);
	xa_init(&e->peers);
	skb_queue_head_init(&e->hellos);
	INIT_DELAYED_WORK(&e->work, rio9_eth_peers_work);
	hrtimer_setup(&e->timer, rio9_eth_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_SOFT);
	e->rx.type = htons(RIO9_ETH_TYPE);
	e->rx.dev = lower;
	e->rx.func = rio9_eth_rx;

	e->sk = sk_alloc(&init_net, PF_UNSPEC, GFP_KERNEL, &rio9_eth_proto, 1);
	if (!e->sk)
		goto free;
	sock_init_data(NULL, e->sk);
	e->sk->sk_write_space = rio9_eth_write_space;
	rcu_assign_sk_user_data(e->sk, e);
	e->port = rio9_port_create(&rio9_eth_ops, &rio9_eth_caps, e);
	if (IS_ERR(e->port)) {
		err = PTR_ERR(e->port);
		goto free_sk;
	}
	err = rio9_port_set_id(e->port, id);
	if (err)
		goto destroy;
	netdev_hold(lower, &e->lower_tracker, GFP_KERNEL);
	return e;

destroy:
	rio9_port_destroy(e->port);
free_sk:
	sock_put(e->sk);
free:
	kfree(e);
	return ERR_PTR(err);
}

static void rio9_eth_destroy(struct rio9_eth *e)
{
	spin_lock_bh(&e->lock);
	e->dead = true;
	spin_unlock_bh(&e->lock);
	cancel_delayed_work_sync(&e->work);
	rcu_assign_sk_user_data(e->sk, NULL);
	synchronize_rcu();
	hrtimer_cancel(&e->timer);
	rio9_eth_peers_destroy(e);
	rio9_port_destroy(e->port);
	sock_put(e->sk);
	netdev_put(e->lower, &e->lower_tracker);
	kfree(e);
}

/* When nobody uses the device any more */
static void rio9_eth_free(struct net_device *dev)
{
	rio9_eth_destroy(rio9_eth_of(dev));
}

static int rio9_eth_validate(struct nlattr *tb[], struct nlattr *data[],
			     struct netlink_ext_ack *extack)
{
	u16 id;

	if (!tb[IFLA_LINK]) {
		NL_SET_ERR_MSG(extack, "a device of Ethernet is needed: link DEVICE");
		return -EINVAL;
	}
	if (!tb[IFLA_ADDRESS] || nla_len(tb[IFLA_ADDRESS]) != RIO9_ADDR_LEN) {
		NL_SET_ERR_MSG(extack, "a destination ID of two bytes is needed: address 00:05");
		return -EINVAL;
	}
	id = get_unaligned_be16(nla_data(tb[IFLA_ADDRESS]));
	if (id == RIO9_ETH_ALL) {
		NL_SET_ERR_MSG_ATTR(extack, tb[IFLA_ADDRESS], "ff:ff is no destination ID");
		return -EADDRNOTAVAIL;
	}
	return 0;
}

/* Endpoints on a device have one MAC address: with one ID, peers would take them for one */
static int rio9_eth_check_unique(const struct net_device *dev, const struct net_device *lower,
				 const void *address, struct netlink_ext_ack *extack)
{
	struct rio9_eth *e;

	ASSERT_RTNL();
	list_for_each_entry(e, &rio9_eth_all, node)
		if (e->lower == lower && e->dev != dev &&
		    !memcmp(e->dev->dev_addr, address, RIO9_ADDR_LEN)) {
			NL_SET_ERR_MSG(extack, "an endpoint on the same device has this ID");
			return -EADDRINUSE;
		}
	return 0;
}

static int rio9_eth_newlink(struct net_device *dev, struct rtnl_newlink_params *params,
			    struct netlink_ext_ack *extack)
{
	struct net *net = rtnl_newlink_link_net(params);
	struct net_device *lower = __dev_get_by_index(net, nla_get_u32(params->tb[IFLA_LINK]));
	struct rio9_eth *e;
	int err;

	if (!lower) {
		NL_SET_ERR_MSG(extack, "the device of Ethernet does not exist");
		return -ENODEV;
	}
	if (lower->type != ARPHRD_ETHER || lower->flags & IFF_LOOPBACK) {
		NL_SET_ERR_MSG(extack, "the device below is not of Ethernet");
		return -EINVAL;
	}
	/* Which gets all that the device receives */
	if (netif_is_bridge_port(lower) || netif_is_ovs_port(lower)) {
		NL_SET_ERR_MSG(extack, "the device below is a port of a bridge");
		return -EBUSY;
	}
	if (lower->mtu < RIO9_ETH_FRAME_MIN) {
		NL_SET_ERR_MSG(extack, "the MTU of the device below is less than 290");
		return -EINVAL;
	}
	err = rio9_eth_check_unique(dev, lower, nla_data(params->tb[IFLA_ADDRESS]), extack);
	if (err)
		return err;
	e = rio9_eth_create(dev, lower,
			    get_unaligned_be16(nla_data(params->tb[IFLA_ADDRESS])));
	if (IS_ERR(e))
		return PTR_ERR(e);
	((struct rio9_netdev *)netdev_priv(dev))->lower = lower;
	dev->sysfs_groups[0] = &rio9_eth_counters;
	err = rio9_port_register_netdevice(e->port, dev);
	if (err) {
		rio9_eth_destroy(e);
		return err;
	}
	dev->priv_destructor = rio9_eth_free;
	dev->needs_free_netdev = true;
	err = netdev_upper_dev_link(lower, dev, extack);
	if (err) {
		unregister_netdevice(dev);
		return err;
	}
	list_add_tail(&e->node, &rio9_eth_all);
	dev_add_pack(&e->rx);
	rio9_eth_link(e);
	queue_delayed_work(system_power_efficient_wq, &e->work, 0);
	return 0;
}

ST_NEWLINK(rio9_eth_newlink)

/* That the device is unregistered waits for frames that are being received */
static void rio9_eth_dellink(struct net_device *dev, struct list_head *head)
{
	struct rio9_eth *e = rio9_eth_of(dev);

	list_del(&e->node);
	__dev_remove_pack(&e->rx);
	/* A hello behind the bye would make this endpoint a peer again */
	cancel_delayed_work_sync(&e->work);
	if (netif_running(dev) && netif_carrier_ok(dev))
		rio9_eth_bye(e);
	netdev_upper_dev_unlink(e->lower, dev);
	unregister_netdevice_queue(dev, head);
}

static struct net *rio9_eth_link_net(const struct net_device *dev)
{
	return dev_net(rio9_eth_of(dev)->lower);
}

static struct rtnl_link_ops rio9_eth_link_ops = {
	.kind = "rio9_eth",
	.priv_size = sizeof(struct rio9_netdev),
	.setup = rio9_port_setup,
	.validate = rio9_eth_validate,
	.newlink = ST_NEWLINK_FORM(rio9_eth_newlink),
	.dellink = rio9_eth_dellink,
	.get_link_net = rio9_eth_link_net,
};

static void rio9_eth_lower_event(struct rio9_eth *e, unsigned long event, struct list_head *gone)
{
	switch (event) {
	case NETDEV_UP:
	case NETDEV_DOWN:
	case NETDEV_CHANGE:
	case NETDEV_CHANGEMTU:
		rio9_eth_link(e);
		break;
	case NETDEV_CHANGEADDR:
		/* Peers know the other address as that of another machine until this one is gone */
		WRITE_ONCE(e->session, get_random_u32());
		rio9_eth_hello_now(e, true);
		break;
	case NETDEV_UNREGISTER:
		if (e->lower->reg_state == NETREG_UNREGISTERING)
			rio9_eth_dellink(e->dev, gone);
		break;
	}
}

static int rio9_eth_own_event(struct rio9_eth *e, unsigned long event, void *ptr)
{
	const struct netdev_notifier_pre_changeaddr_info *change = ptr;

	switch (event) {
	case NETDEV_PRE_CHANGEADDR:
		return rio9_eth_check_unique(e->dev, e->lower, change->dev_addr,
					     change->info.extack);
	case NETDEV_UP:
		/* Before, it has said bye */
		rio9_eth_numbers_anew(e);
		rio9_eth_hello_now(e, true);
		break;
	case NETDEV_CHANGEADDR:
		rio9_eth_hello_now(e, false);
		break;
	case NETDEV_DOWN:
		/* The work may be about to say hello; from now on it only forgets peers */
		cancel_delayed_work_sync(&e->work);
		if (netif_carrier_ok(e->dev))
			rio9_eth_bye(e);
		queue_delayed_work(system_power_efficient_wq, &e->work, 0);
		break;
	}
	return 0;
}

static int rio9_eth_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	struct rio9_eth *e, *next;
	LIST_HEAD(gone);
	int err = 0;

	list_for_each_entry_safe(e, next, &rio9_eth_all, node) {
		if (e->lower == dev)
			rio9_eth_lower_event(e, event, &gone);
		else if (e->dev == dev)
			err = rio9_eth_own_event(e, event, ptr);
	}
	unregister_netdevice_many(&gone);
	return notifier_from_errno(err);
}

static struct notifier_block rio9_eth_notifier = {
	.notifier_call = rio9_eth_event,
};

static int __init rio9_eth_init(void)
{
	int err;

	err = register_netdevice_notifier(&rio9_eth_notifier);
	if (err)
		return err;
	err = rtnl_link_register(&rio9_eth_link_ops);
	if (err)
		unregister_netdevice_notifier(&rio9_eth_notifier);
	return err;
}

static void __exit rio9_eth_exit(void)
{
	rtnl_link_unregister(&rio9_eth_link_ops);
	unregister_netdevice_notifier(&rio9_eth_notifier);
}

module_init(rio9_eth_init);
module_exit(rio9_eth_exit);

MODULE_DESCRIPTION("RapidIO fabric over Ethernet");
MODULE_LICENSE("GPL");
MODULE_ALIAS_RTNL_LINK("rio9_eth");
