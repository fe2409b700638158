// SPDX-License-Identifier: GPL-2.0
/* Lower-layer protocols: their registration, and the devices they are attached to. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/if_macvlan.h>
#include <linux/log2.h>
#include <linux/rtnetlink.h>
#include <linux/rwsem.h>
#include <linux/slab.h>
#include <net/rtnetlink.h>

#include "link/link.h"
#include "wire/op.h"

#define ST_LLP_NAME_MAX	15	/* messages have no room for more */

static LIST_HEAD(st_llps);	/* struct st_llp, by priority; RTNL */

/* A claim of both LLPs, or NULL. */
static const struct st_claim *st_llp_clash(const struct st_llp *llp, const struct st_llp *other)
{
	const struct st_claim *c, *o;

	for (c = llp->claims; c && c->kind; c++)
		for (o = other->claims; o && o->kind; o++)
			if (c->value == o->value && !strcmp(c->kind, o->kind))
				return c;
	return NULL;
}

/*
 * Whether a link on a device excludes another one; a link of the same LLP does.  Return: 0 or
 * -EEXIST.
 */
static int st_llp_taken(const struct st_llp *llp, const struct net_device *dev,
			struct netlink_ext_ack *extack)
{
	struct st_net *sn = st_pernet(dev_net(dev));
	const struct st_link_core *core;
	const struct st_claim *claim;

	list_for_each_entry(core, &sn->links, list) {
		if (core->link.dev != dev)
			continue;
		if (core->link.llp == llp) {
			NL_SET_ERR_MSG_FMT(extack, "%s has a link of LLP %s", dev->name,
					   llp->name);
			return -EEXIST;
		}
		/* An ST address identifies a link by its device and type */
		if (core->type == llp->type) {
			NL_SET_ERR_MSG_FMT(extack,
					   "first delete %s's %s link: both are of type %u",
					   dev->name, core->link.llp->name, llp->type);
			return -EEXIST;
		}
		claim = st_llp_clash(llp, core->link.llp);
		if (claim) {
			NL_SET_ERR_MSG_FMT(extack,
					   "first delete %s's %s link: both take %s 0x%llx",
					   dev->name, core->link.llp->name, claim->kind,
					   claim->value);
			return -EEXIST;
		}
	}
	return 0;
}

/* Why an upper device takes all frames of a device, as static text; NULL if it does not. */
static const char *st_llp_master_takes(struct net_device *dev, const struct net_device *master)
{
	if (netif_is_bridge_master(master))
		return "a port of a bridge";
	if (netif_is_bond_master(master))
		return "a port of a bond";
	if (netif_is_team_master(master))
		return "a port of a team";
	/* It starts to take frames after the event */
	if (netif_is_ovs_master(master))
		return "a port of Open vSwitch";
	/* A VRF takes IP only, macvlan devices take their own frames only */
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
 * st_llp_unusable - why no frame for an LLP arrives at a device
 * @llp: the LLP
 * @dev: the device
 *
 * Context: under RTNL.
 * Return: static text, or NULL when frames do arrive.
 */
const char *st_llp_unusable(const struct st_llp *llp, struct net_device *dev)
{
	struct net_device *master = netdev_master_upper_dev_get(dev), *upper;
	const char *why = llp->ops->unfit(dev);
	struct list_head *iter;

	if (!why && master)
		why = st_llp_master_takes(dev, master);
	rcu_read_lock();
	netdev_for_each_upper_dev_rcu(dev, upper, iter)
		why = why ?: st_llp_upper_takes(upper);
	rcu_read_unlock();
	return why;
}

/**
 * st_packet_add - receive the frames of a device with an EtherType
 * @dev: the device
 * @type: the EtherType
 * @func: as packet_type.func.  It has to look up the link with st_link_find(): it may be called
 *	before the link is visible, and also gets frames that arrive at @dev for an upper device.
 *
 * Context: may sleep; from st_llp_ops.begin().
 * Return: the argument of st_packet_del(), or NULL without memory.
 */
struct packet_type *st_packet_add(struct net_device *dev, u16 type,
				  int (*func)(struct sk_buff *skb, struct net_device *dev,
					      struct packet_type *pt,
					      struct net_device *orig_dev))
{
	struct packet_type *packet = kzalloc(sizeof(*packet), GFP_KERNEL);

	if (!packet)
		return NULL;
	packet->type = htons(type);
	packet->func = func;
	packet->dev = dev;
	dev_add_pack(packet);
	return packet;
}
EXPORT_SYMBOL_GPL(st_packet_add);

/**
 * st_packet_del - undo st_packet_add()
 * @packet: result of st_packet_add()
 *
 * Context: may sleep; from st_llp_ops.end(), which is followed by a grace period.
 */
void st_packet_del(struct packet_type *packet)
{
	__dev_remove_pack(packet);
	kfree_rcu_mightsleep(packet);
}
EXPORT_SYMBOL_GPL(st_packet_del);

static int st_llp_attach_with(const struct st_llp *llp, struct net_device *dev,
			      const struct st_link_options *options,
			      struct netlink_ext_ack *extack)
{
	const char *why = llp->ops->unfit(dev);

	ASSERT_RTNL();
	if (dev->reg_state != NETREG_REGISTERED)
		return -ENODEV;
	if (why) {
		NL_SET_ERR_MSG_FMT(extack, "LLP %s cannot run on %s: %s", llp->name, dev->name,
				   why);
		return -EOPNOTSUPP;
	}
	return st_llp_taken(llp, dev, extack) ?: st_link_add(dev, llp, options, extack);
}

/**
 * st_llp_attach - attach an LLP to a device
 * @llp: the LLP, registered
 * @dev: the device
 * @extack: gets the reason of a failure; or NULL
 *
 * Context: under RTNL, may sleep.
 * Return: 0, -ENODEV when @dev is going away, -EOPNOTSUPP when the LLP cannot run there, -EEXIST
 * when a link there excludes it, -ENOMEM, or the errno of st_llp_ops.begin().
 */
int st_llp_attach(const struct st_llp *llp, struct net_device *dev, struct netlink_ext_ack *extack)
{
	return st_llp_attach_with(llp, dev, NULL, extack);
}
EXPORT_SYMBOL_GPL(st_llp_attach);

/**
 * st_llp_detach - detach an LLP from a device
 * @llp: the LLP
 * @dev: the device; need not have a link of @llp
 *
 * Virtual Connections without a path over another link fail with ENETDOWN.  When this returns af_st
 * does not use the device for @llp any more.
 *
 * Context: under RTNL, may sleep.
 */
void st_llp_detach(const struct st_llp *llp, struct net_device *dev)
{
	struct st_link *link = st_link_find(dev, llp);

	if (link)
		st_link_del(link);
}
EXPORT_SYMBOL_GPL(st_llp_detach);

/* Whether an LLP is attached to a device automatically. */
static bool st_llp_attaches(const struct st_llp *llp, struct net_device *dev)
{
	struct st_net *sn = st_pernet(dev_net(dev));

	if (llp->attach == ST_ATTACH_ON_DEMAND || llp->ops->unfit(dev))
		return false;
	return llp->attach == ST_ATTACH_ALWAYS ||
	       (READ_ONCE(sn->auto_links) && !st_llp_unusable(llp, dev));
}

/*
 * A failure leaves the device without a link and has no other effect.  An LLP with a medium of its
 * own logs it when another LLP is there first.
 */
static void st_llp_attach_auto(const struct st_llp *llp, struct net_device *dev)
{
	struct netlink_ext_ack extack = {};
	int err;

	if (!st_llp_attaches(llp, dev))
		return;
	err = st_llp_attach(llp, dev, &extack);
	if (err == -EEXIST && (llp->attach != ST_ATTACH_ALWAYS || st_link_find(dev, llp)))
		return;
	if (err)
		netdev_warn(dev, "no link of ST's LLP %s: %s (%pe)\n", llp->name,
			    extack._msg ?: "it does not begin", ERR_PTR(err));
}

/* Notify all links of a device. */
static void st_llp_changed(struct net_device *dev, bool addr)
{
	struct st_net *sn = st_pernet(dev_net(dev));
	struct st_link_core *core;

	list_for_each_entry(core, &sn->links, list) {
		if (core->link.dev != dev)
			continue;
		if (!addr)
			st_link_changed(&core->link);
		else if (!core->link.own_addr)
			st_link_set_addr(&core->link, dev->dev_addr);
	}
}

static void st_llp_dev_gone(struct net_device *dev)
{
	struct st_net *sn = st_pernet(dev_net(dev));
	struct st_link_core *core, *next;

	list_for_each_entry_safe(core, next, &sn->links, list)
		if (core->link.dev == dev)
			st_link_del(&core->link);
}

static int st_llp_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	struct st_llp *llp;

	switch (event) {
	case NETDEV_REGISTER:
		list_for_each_entry(llp, &st_llps, list)
			st_llp_attach_auto(llp, dev);
		break;
	case NETDEV_UNREGISTER:
		st_llp_dev_gone(dev);
		break;
	case NETDEV_UP:
	case NETDEV_DOWN:
	case NETDEV_CHANGE:
	case NETDEV_CHANGEUPPER:
	case NETDEV_POST_TYPE_CHANGE:
		st_llp_changed(dev, false);
		break;
	case NETDEV_CHANGEADDR:
		st_llp_changed(dev, true);
		break;
	}
	return NOTIFY_DONE;
}

/* Events of devices, for the links of all LLPs */
struct notifier_block st_llp_notifier = {
	.notifier_call = st_llp_event,
};

static struct st_llp *st_llp_find(const char *name)
{
	struct st_llp *llp;

	list_for_each_entry(llp, &st_llps, list)
		if (!strcmp(llp->name, name))
			return llp;
	return NULL;
}

/* In front of those with a lower priority */
static void st_llp_list(struct st_llp *llp)
{
	struct st_llp *next;

	list_for_each_entry(next, &st_llps, list)
		if (next->priority < llp->priority)
			break;
	list_add_tail(&llp->list, &next->list);
}

/**
 * st_llp_register - register an LLP
 * @llp: the LLP, valid until st_llp_unregister(), with a unique name
 *
 * It is attached to present and future devices according to st_llp.attach.  Existing links stay,
 * whatever they claim.
 *
 * Context: may sleep; not under RTNL.
 * Return: 0, -EEXIST for a name in use, or -EINVAL for a bad name, or for an LLP with connect() but
 * without disconnect().
 */
int st_llp_register(struct st_llp *llp)
{
	struct net_device *dev;
	struct net *net;
	int err;

	if (WARN_ON(llp->type == ST_LLP_ANY || strlen(llp->name) > ST_LLP_NAME_MAX ||
		    !llp->ops->connect != !llp->ops->disconnect))
		return -EINVAL;
	rtnl_lock();
	err = st_llp_find(llp->name) ? -EEXIST : 0;
	if (err)
		goto unlock;
	st_llp_list(llp);
	down_read(&net_rwsem);
	for_each_net(net)
		for_each_netdev(net, dev)
			st_llp_attach_auto(llp, dev);
	up_read(&net_rwsem);
unlock:
	rtnl_unlock();
	return err;
}
EXPORT_SYMBOL_GPL(st_llp_register);

/**
 * st_llp_unregister - undo st_llp_register()
 * @llp: the LLP
 *
 * No Virtual Connection runs over it, as each has a reference to the module.  When this returns the
 * LLP is unused.
 *
 * Context: may sleep; not under RTNL.
 */
void st_llp_unregister(struct st_llp *llp)
{
	rtnl_lock();
	list_del(&llp->list);
	st_links_del(llp);
	rtnl_unlock();
}
EXPORT_SYMBOL_GPL(st_llp_unregister);

/**
 * st_llp_attach_all - attach LLPs according to net.st.auto_links
 * @net: the namespace
 *
 * Context: may sleep; not under RTNL.
 */
void st_llp_attach_all(struct net *net)
{
	struct net_device *dev;
	struct st_llp *llp;

	rtnl_lock();
	for_each_netdev(net, dev)
		list_for_each_entry(llp, &st_llps, list)
			st_llp_attach_auto(llp, dev);
	rtnl_unlock();
}

/* Whether an administrator can set the STU @stu, in bytes, of a link of @llp. */
static int st_llp_stu(const struct st_llp *llp, u64 stu, struct netlink_ext_ack *extack)
{
	if (!llp->stu_max) {
		NL_SET_ERR_MSG_FMT(extack, "the MTU of the device decides on the STU of LLP %s",
				   llp->name);
		return -EOPNOTSUPP;
	}
	if (!is_power_of_2(stu) || stu < BIT(ST_BUFSIZE_MIN) || stu > BIT_ULL(llp->stu_max)) {
		NL_SET_ERR_MSG_FMT(extack, "the STU has to be a power of two from %lu to %llu",
				   BIT(ST_BUFSIZE_MIN), BIT_ULL(llp->stu_max));
		return -EINVAL;
	}
	return 0;
}

/**
 * st_llp_add - attach an LLP to a device by command
 * @dev: the device
 * @name: name of the LLP
 * @options: what the administrator wants; or NULL
 * @extack: gets the reason of a failure
 *
 * Context: under RTNL, may sleep.
 * Return: 0, -ENOENT for no such LLP, -EOPNOTSUPP when it has no STU or reliability to set, -EINVAL
 * for such an STU, or the errno of st_llp_attach().
 */
int st_llp_add(struct net_device *dev, const char *name, const struct st_link_options *options,
	       struct netlink_ext_ack *extack)
{
	const struct st_llp *llp = st_llp_find(name);

	if (!llp) {
		NL_SET_ERR_MSG_FMT(extack, "there is no LLP %s: is its module loaded?", name);
		return -ENOENT;
	}
	if (options && options->stu) {
		int err = st_llp_stu(llp, options->stu, extack);

		if (err)
			return err;
	}
	if (options && options->reliability && !llp->reliability) {
		NL_SET_ERR_MSG_FMT(extack, "LLP %s has no reliability to set", llp->name);
		return -EOPNOTSUPP;
	}
	return st_llp_attach_with(llp, dev, options, extack);
}
EXPORT_SYMBOL_IF_KUNIT(st_llp_add);

/**
 * st_llp_del - detach an LLP from a device by command
 * @dev: the device
 * @name: name of the LLP
 * @extack: gets the reason of a failure
 *
 * Context: under RTNL, may sleep.
 * Return: 0, or -ENOENT when @dev has no link of such an LLP.
 */
int st_llp_del(struct net_device *dev, const char *name, struct netlink_ext_ack *extack)
{
	const struct st_llp *llp = st_llp_find(name);
	struct st_link *link = llp ? st_link_find(dev, llp) : NULL;

	if (!link) {
		NL_SET_ERR_MSG_FMT(extack, "%s has no link of LLP %s", dev->name, name);
		return -ENOENT;
	}
	st_link_del(link);
	return 0;
}
