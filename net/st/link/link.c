// SPDX-License-Identifier: GPL-2.0
/*
 * Links: lower-layer protocols attached to network devices.
 */
#include <kunit/visibility.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>

#include "conn/path.h"
#include "link/link.h"
#include "link/upcall.h"
#include "xfer/xfer.h"

unsigned int st_net_id __read_mostly;
EXPORT_SYMBOL_IF_KUNIT(st_net_id);

/* Set before there is a link */
const struct st_upcalls *st_up __ro_after_init;

/**
 * st_link_find - the link of an LLP on a device
 * @dev: the device
 * @llp: the LLP
 *
 * Context: under RCU or RTNL.
 * Return: the link or NULL.
 */
struct st_link *st_link_find(const struct net_device *dev, const struct st_llp *llp)
{
	struct st_net *sn = st_pernet(dev_net(dev));
	struct st_link *link;

	list_for_each_entry_rcu(link, &sn->links, list, lockdep_rtnl_is_held())
		if (link->dev == dev && link->llp == llp)
			return link;
	return NULL;
}
EXPORT_SYMBOL_GPL(st_link_find);

/**
 * st_link_illegal_frame - count a frame that an LLP drops for what is around the
 *	operation in it
 * @link: where it came in; its device has not left
 *
 * Context: softirq, under RCU.
 */
void st_link_illegal_frame(const struct st_link *link)
{
	atomic64_inc(&st_pernet(link->net)->drops[ST_DROP_FRAME]);
}
EXPORT_SYMBOL_GPL(st_link_illegal_frame);

/**
 * st_link_add - attach an LLP to a network device
 * @dev: the device
 * @llp: the LLP, registered; it fits @dev and takes nothing that an LLP there takes
 *
 * Context: under RTNL, may sleep.
 * Return: 0, -ENOMEM, or what the LLP says.
 */
int st_link_add(struct net_device *dev, const struct st_llp *llp)
{
	struct st_net *sn = st_pernet(dev_net(dev));
	struct st_link *link;
	int err;

	ASSERT_RTNL();
	link = kzalloc(sizeof(*link), GFP_KERNEL);
	if (!link)
		return -ENOMEM;
	err = llp->in_order ? 0 : st_pace_init(link);
	if (err)
		goto free;
	link->dev = dev;
	link->llp = llp;
	link->type = llp->type;
	link->addr_len = llp->addr_len;
	link->placements = llp->placements;
	link->net = dev_net(dev);
	memcpy(link->addr, dev->dev_addr, llp->addr_len);
	link->down = !netif_running(dev);
	link->down_at = jiffies;
	refcount_set(&link->refcnt, 1);
	spin_lock_init(&link->lock);
	INIT_HLIST_HEAD(&link->ways);
	link->unusable = st_llp_unusable(llp, dev);
	link->state = st_link_state(link);
	if (llp->begin) {
		err = llp->begin(link);
		if (err)
			goto free;
	}
	link->placements = min(link->placements, ST_PLACEMENTS_MAX);
	netdev_hold(dev, &link->dev_tracker, GFP_KERNEL);
	list_add_tail_rcu(&link->list, &sn->links);
	if (llp->early && READ_ONCE(sn->ingress_hook))
		llp->early(link, true);
	st_up->link_added(link);
	return 0;
free:
	kfree(link->pace);
	kfree(link);
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(st_link_add);

/**
 * st_link_state - whether Virtual Connections can be set up over a link
 * @link: the link
 *
 * Context: any, while @link keeps its device.
 * Return: what netlink tells.
 */
enum st_link_state st_link_state(const struct st_link *link)
{
	if (READ_ONCE(link->dead))
		return ST_LINK_STATE_DEAD;
	if (READ_ONCE(link->unusable))
		return ST_LINK_STATE_UNUSABLE;
	if (!netif_running(link->dev))
		return ST_LINK_STATE_DOWN;
	return netif_carrier_ok(link->dev) ? ST_LINK_STATE_UP : ST_LINK_STATE_NO_CARRIER;
}

/**
 * st_link_changed - the device of a link has changed
 * @link: the link
 *
 * Its medium has come or gone, or something else takes what arrives at the device, or
 * does so no more.
 *
 * Context: under RTNL, may sleep.
 */
void st_link_changed(struct st_link *link)
{
	const char *unusable = st_llp_unusable(link->llp, link->dev);
	bool told = unusable == link->unusable;
	enum st_link_state state;

	spin_lock_bh(&link->lock);
	WRITE_ONCE(link->unusable, unusable);
	spin_unlock_bh(&link->lock);
	state = st_link_state(link);
	told &= state == link->state;
	link->state = state;
	st_up->link_changed(link, told);
}
EXPORT_SYMBOL_IF_KUNIT(st_link_changed);

/**
 * st_links_early - take operations early as net.st.ingress_hook says now
 * @net: the namespace
 *
 * Context: may sleep; not under RTNL.
 */
void st_links_early(struct net *net)
{
	struct st_net *sn = st_pernet(net);
	struct st_link *link;

	rtnl_lock();
	list_for_each_entry(link, &sn->links, list)
		if (link->llp->early)
			link->llp->early(link, READ_ONCE(sn->ingress_hook));
	rtnl_unlock();
}

/**
 * st_link_del - detach an LLP from a network device
 * @dev: the device
 * @llp: the LLP
 *
 * Virtual Connections that run over no other link fail with ENETDOWN.  When this returns
 * nothing of af_st uses the device any more.  Does nothing where there is no
 * such link.
 *
 * Context: under RTNL, may sleep.
 */
void st_link_del(struct net_device *dev, const struct st_llp *llp)
{
	struct st_link *link;

	ASSERT_RTNL();
	link = st_link_find(dev, llp);
	if (!link)
		return;
	list_del_rcu(&link->list);
	spin_lock_bh(&link->lock);
	WRITE_ONCE(link->dead, true);
	spin_unlock_bh(&link->lock);
	st_up->link_gone(link);
	if (llp->early)
		llp->early(link, false);
	if (llp->end)
		llp->end(link);
	synchronize_net();
	netdev_put(link->dev, &link->dev_tracker);
	st_link_put(link);
}
EXPORT_SYMBOL_IF_KUNIT(st_link_del);

/**
 * st_link_put - give up a reference to a link
 * @link: the link
 *
 * Context: any.
 */
void st_link_put(struct st_link *link)
{
	if (!refcount_dec_and_test(&link->refcnt))
		return;
	kfree(link->pace);
	kfree_rcu(link, rcu);
}

/**
 * st_link_join - run a Virtual Connection over a link
 * @link: the link, with a reference, which this takes over when it succeeds
 * @way: of the Virtual Connection, not on a link
 *
 * The module of the LLP stays until st_link_leave().
 *
 * Context: under st_sock.lock.
 * Return: 0, or -ENETDOWN when the link or its LLP is going, or nothing arrives there.
 */
int st_link_join(struct st_link *link, struct st_way *way)
{
	spin_lock_bh(&link->lock);
	/* Before it is dead, the LLP is there to be asked */
	if (link->dead || link->unusable || !try_module_get(link->llp->owner)) {
		spin_unlock_bh(&link->lock);
		return -ENETDOWN;
	}
	hlist_add_head(&way->node, &link->ways);
	WRITE_ONCE(link->nr_vcs, link->nr_vcs + 1);
	spin_unlock_bh(&link->lock);
	way->link = link;
	st_up->way_joined(way);
	return 0;
}

/**
 * st_link_leave - a Virtual Connection does not run over a link any more
 * @way: of the Virtual Connection; its reference to the link stays until it is freed
 *
 * Context: under st_sock.lock.
 */
void st_link_leave(struct st_way *way)
{
	struct st_link *link = way->link;

	if (!link)
		return;
	spin_lock_bh(&link->lock);
	if (!hlist_unhashed(&way->node)) {
		WRITE_ONCE(link->nr_vcs, link->nr_vcs - 1);
		hlist_del_init(&way->node);
		module_put(link->llp->owner);
	}
	spin_unlock_bh(&link->lock);
	st_pace_leave(way);
}

/**
 * st_link_max_stu - largest STU that can be sent on a Data Channel now
 * @link: the link
 * @channel: the Data Channel, 1 to 3
 *
 * Context: any.
 * Return: log2, 0 when not even the smallest STU of ST 5.2.4 fits.
 */
unsigned int st_link_max_stu(const struct st_link *link, unsigned int channel)
{
	int max_stu = link->llp->max_stu(link, channel);

	return max_stu < ST_BUFSIZE_MIN ? 0 : min(max_stu, ST_BUFSIZE);
}

/**
 * st_link_recv_max_stu - largest STU that can be received, ST 5.2.4
 * @link: the link
 *
 * Context: any.
 * Return: log2, that of the Data Channel with the largest; 0 for none.
 */
unsigned int st_link_recv_max_stu(const struct st_link *link)
{
	unsigned int channel, max_stu = 0;

	for (channel = 1; channel < ST_NUM_CHANNELS; channel++)
		max_stu = max(max_stu, st_link_max_stu(link, channel));
	return max_stu;
}

/**
 * st_link_addr_ok - whether an address is that of one peer
 * @link: the link, which has not left
 * @addr: as many bytes as an address there has
 *
 * What is sent to a group, or to all, would make many answer, and what comes from there
 * is forged.
 *
 * Context: under RCU or RTNL.
 * Return: true when it is.
 */
bool st_link_addr_ok(const struct st_link *link, const u8 *addr)
{
	return !link->llp->valid || link->llp->valid(addr);
}
