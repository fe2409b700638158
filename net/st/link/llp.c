// SPDX-License-Identifier: GPL-2.0
/*
 * Lower-layer protocols: which there are, and which devices they are attached to.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/if_macvlan.h>
#include <linux/mutex.h>
#include <linux/rtnetlink.h>
#include <net/rtnetlink.h>

#include "link/link.h"
#include "link/upcall.h"

static LIST_HEAD(st_llps);	/* struct st_llp; RTNL */
static DEFINE_MUTEX(st_llp_mutex);	/* One LLP at a time becomes known; outside RTNL */

/*
 * Whether there is a link on a device that takes what an LLP takes, which
 * includes one of the same LLP.
 */
static bool st_llp_taken(const struct st_llp *llp, const struct net_device *dev)
{
	struct st_net *sn = st_pernet(dev_net(dev));
	const struct st_link *link;

	list_for_each_entry(link, &sn->links, list)
		if (link->dev == dev && link->llp->proto == llp->proto)
			return true;
	return false;
}

/* Whether a device that is above another one takes all that arrives there: text, or NULL. */
static const char *st_llp_master_takes(struct net_device *dev, const struct net_device *master)
{
	if (netif_is_bridge_master(master))
		return "a port of a bridge";
	if (netif_is_bond_master(master))
		return "a port of a bond";
	if (netif_is_team_master(master))
		return "a port of a team";
	/* It begins to take frames after the event */
	if (netif_is_ovs_master(master))
		return "a port of Open vSwitch";
	/* A VRF has no use for what is not IP, macvlan devices take their own frames only */
	if (netif_is_l3_master(master) || netif_is_macvlan_port(dev) ||
	    !netdev_is_rx_handler_busy(dev))
		return NULL;
	return "a port of another device";
}

static const char *st_llp_upper_takes(const struct net_device *upper)
{
	const struct macvlan_dev *macvlan = netdev_priv(upper);

	if (netif_is_macvlan(upper) && macvlan->mode == MACVLAN_MODE_PASSTHRU)
		return "below a macvlan device of mode passthru";
	if (upper->rtnl_link_ops && !strcmp(upper->rtnl_link_ops->kind, "hsr"))
		return "a port of an HSR or PRP device";
	return NULL;
}

/**
 * st_llp_unusable - why nothing for an LLP arrives at a device
 * @llp: the LLP
 * @dev: the device
 *
 * Context: under RTNL.
 * Return: text that stays, or NULL when it does arrive.
 */
const char *st_llp_unusable(const struct st_llp *llp, struct net_device *dev)
{
	struct net_device *master = netdev_master_upper_dev_get(dev), *upper;
	const char *why = llp->unfit(dev);
	struct list_head *iter;

	if (!why && master)
		why = st_llp_master_takes(dev, master);
	rcu_read_lock();
	netdev_for_each_upper_dev_rcu(dev, upper, iter)
		why = why ?: st_llp_upper_takes(upper);
	rcu_read_unlock();
	return why;
}

/* Whether an LLP is attached to a device without being told. */
static bool st_llp_attaches(const struct st_llp *llp, struct net_device *dev)
{
	struct st_net *sn = st_pernet(dev_net(dev));

	if (llp->unfit(dev) || st_llp_taken(llp, dev))
		return false;
	if (llp->attach == ST_ATTACH_ALWAYS)
		return true;
	return READ_ONCE(sn->auto_links) && !st_llp_unusable(llp, dev);
}

/* A device for which this fails goes without; it harms neither the others nor itself. */
static void st_llp_attach(const struct st_llp *llp, struct net_device *dev)
{
	int err = st_llp_attaches(llp, dev) ? st_link_add(dev, llp) : 0;

	if (err)
		netdev_warn(dev, "no link of ST's LLP %s: %pe\n", llp->name, ERR_PTR(err));
}

/* Makes room on a device for the LLP that its medium is made for. */
static void st_llp_claim(const struct st_llp *llp, struct net_device *dev)
{
	struct st_net *sn = st_pernet(dev_net(dev));
	struct st_link *link, *next;

	if (llp->attach != ST_ATTACH_ALWAYS || llp->unfit(dev))
		return;
	list_for_each_entry_safe(link, next, &sn->links, list)
		if (link->dev == dev && link->llp->proto == llp->proto &&
		    link->llp->attach != ST_ATTACH_ALWAYS)
			st_link_del(dev, link->llp);
}

static int st_llp_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct st_llp *llp = container_of(nb, struct st_llp, notifier);
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	struct st_link *link;

	switch (event) {
	case NETDEV_REGISTER:
		st_llp_claim(llp, dev);
		st_llp_attach(llp, dev);
		break;
	case NETDEV_UNREGISTER:
		st_link_del(dev, llp);
		break;
	case NETDEV_UP:
	case NETDEV_DOWN:
	case NETDEV_CHANGE:
	case NETDEV_CHANGEUPPER:
	case NETDEV_POST_TYPE_CHANGE:
		link = st_link_find(dev, llp);
		if (link)
			st_link_changed(link);
		break;
	case NETDEV_CHANGEADDR:
		link = st_link_find(dev, llp);
		if (link)
			st_up->link_readdressed(link);
		break;
	}
	return NOTIFY_DONE;
}

static struct st_llp *st_llp_find(const char *name)
{
	struct st_llp *llp;

	list_for_each_entry(llp, &st_llps, list)
		if (!strcmp(llp->name, name))
			return llp;
	return NULL;
}

/**
 * st_llp_register - make an LLP known
 * @llp: the LLP, which stays until st_llp_unregister(); its name is its own
 *
 * It is attached to the devices that it is attached to by itself, and to those
 * that come later.  A command can name it when that is done, so that there is no link
 * of it if it fails.
 *
 * Context: may sleep; not under RTNL.
 * Return: 0, -EEXIST when there is one of that name, or another negative errno.
 */
int st_llp_register(struct st_llp *llp)
{
	int err;

	mutex_lock(&st_llp_mutex);
	rtnl_lock();
	err = st_llp_find(llp->name) ? -EEXIST : 0;
	rtnl_unlock();
	if (err)
		goto unlock;
	llp->notifier.notifier_call = st_llp_event;
	/* Calls NETDEV_REGISTER for the devices that are there */
	err = register_netdevice_notifier(&llp->notifier);
	if (err)
		goto unlock;
	rtnl_lock();
	list_add_tail(&llp->list, &st_llps);
	rtnl_unlock();
unlock:
	mutex_unlock(&st_llp_mutex);
	return err;
}
EXPORT_SYMBOL_GPL(st_llp_register);

/**
 * st_llp_unregister - undo st_llp_register()
 * @llp: the LLP
 *
 * No Virtual Connection runs over it, as each has a reference to the module.
 * When this returns nothing uses the LLP any more.
 *
 * Context: may sleep; not under RTNL.
 */
void st_llp_unregister(struct st_llp *llp)
{
	rtnl_lock();
	list_del(&llp->list);
	rtnl_unlock();
	/* Calls NETDEV_UNREGISTER for all devices */
	unregister_netdevice_notifier(&llp->notifier);
}
EXPORT_SYMBOL_GPL(st_llp_unregister);

/**
 * st_llp_attach_all - attach LLPs as net.st.auto_links says now
 * @net: the namespace
 *
 * Context: may sleep; not under RTNL.
 */
void st_llp_attach_all(struct net *net)
{
	struct net_device *dev;
	struct st_llp *llp;

	/* One that becomes known meanwhile has looked at auto_links, or is on the list */
	mutex_lock(&st_llp_mutex);
	rtnl_lock();
	for_each_netdev(net, dev)
		list_for_each_entry(llp, &st_llps, list)
			st_llp_attach(llp, dev);
	rtnl_unlock();
	mutex_unlock(&st_llp_mutex);
}

/**
 * st_llp_add - attach an LLP to a device by command
 * @dev: the device
 * @name: of the LLP
 * @extack: told what is wrong
 *
 * Context: under RTNL, may sleep.
 * Return: 0, -ENOENT for no such LLP, -EOPNOTSUPP when it cannot run on @dev,
 * -EEXIST when something there takes the same frames, or what st_link_add() says.
 */
int st_llp_add(struct net_device *dev, const char *name, struct netlink_ext_ack *extack)
{
	const struct st_llp *llp = st_llp_find(name);
	const char *why;

	if (!llp) {
		NL_SET_ERR_MSG_FMT(extack, "there is no LLP %s: is its module loaded?", name);
		return -ENOENT;
	}
	why = llp->unfit(dev);
	if (why) {
		NL_SET_ERR_MSG_FMT(extack, "LLP %s cannot run on %s: %s", name, dev->name, why);
		return -EOPNOTSUPP;
	}
	if (st_llp_taken(llp, dev)) {
		NL_SET_ERR_MSG_FMT(extack, "%s has a link that takes EtherType 0x%04x",
				   dev->name, ntohs(llp->proto));
		return -EEXIST;
	}
	return st_link_add(dev, llp);
}
EXPORT_SYMBOL_IF_KUNIT(st_llp_add);

/**
 * st_llp_del - detach an LLP from a device by command
 * @dev: the device
 * @name: of the LLP
 * @extack: told what is wrong
 *
 * Context: under RTNL, may sleep.
 * Return: 0 or -ENOENT when there is no such LLP on @dev.
 */
int st_llp_del(struct net_device *dev, const char *name, struct netlink_ext_ack *extack)
{
	const struct st_llp *llp = st_llp_find(name);

	if (!llp || !st_link_find(dev, llp)) {
		NL_SET_ERR_MSG_FMT(extack, "%s has no link of LLP %s", dev->name, name);
		return -ENOENT;
	}
	st_link_del(dev, llp);
	return 0;
}
