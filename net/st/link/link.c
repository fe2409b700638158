// SPDX-License-Identifier: GPL-2.0
/*
 * Links: lower-layer protocols attached to network devices.
 */
#include <kunit/visibility.h>
#include <linux/hashtable.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>

#include "conn/path.h"
#include "link/link.h"
#include "link/route.h"
#include "link/upcall.h"

unsigned int st_net_id __read_mostly;
EXPORT_SYMBOL_IF_KUNIT(st_net_id);

/* Set before the first link */
const struct st_upcalls *st_up __ro_after_init;

/* Searched for each frame, so the table has a fixed size; 1024 links are far more than usual */
static DEFINE_HASHTABLE(st_links, 10);	/* struct st_link_core by device; RTNL, read under RCU */
static LIST_HEAD(st_all_links);	/* struct st_link_core; RTNL */
static struct workqueue_struct *st_link_wq;

/**
 * st_links_init - set up the table of links when the module is loaded
 *
 * Return: 0 or a negative errno.
 */
int st_links_init(void)
{
	int err;

	st_link_wq = alloc_workqueue("st_link", WQ_UNBOUND, 0);
	if (!st_link_wq)
		return -ENOMEM;
	err = st_routes_init();
	if (err)
		destroy_workqueue(st_link_wq);
	return err;
}

/**
 * st_links_exit - undo st_links_init(); no link is left
 */
void st_links_exit(void)
{
	st_routes_exit();
	destroy_workqueue(st_link_wq);
}

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
	struct st_link_core *core;

	hash_for_each_possible_rcu(st_links, core, node, (unsigned long)dev, lockdep_rtnl_is_held())
		if (core->link.dev == dev && core->link.llp == llp)
			return &core->link;
	return NULL;
}
EXPORT_SYMBOL_GPL(st_link_find);

/**
 * st_link_illegal_frame - count a frame that an LLP drops because of an error outside of its
 *	operation
 * @link: the link it arrived on; its device is still there
 *
 * Context: softirq, under RCU.
 */
void st_link_illegal_frame(const struct st_link *link)
{
	atomic64_inc(&st_pernet(link->net)->drops[ST_DROP_FRAME]);
}
EXPORT_SYMBOL_GPL(st_link_illegal_frame);

/* Report that the medium is up or down, on behalf of the LLP. */
static void st_link_work(struct work_struct *work)
{
	struct st_link_core *core = container_of(work, struct st_link_core, changed);

	rtnl_lock();
	if (!core->dead)
		st_link_changed(&core->link);
	rtnl_unlock();
	st_link_put(&core->link);
}

/* Check and complete what begin() has set.  Return: 0 or a negative errno. */
static int st_link_fill(struct st_link_core *core)
{
	struct st_link *link = &core->link;

	if (WARN_ON(!link->addr_type || !link->addr_len || link->addr_len > ST_ADDR_MAX))
		return -EINVAL;
	if (!link->own_addr) {
		if (WARN_ON(link->addr_len != link->dev->addr_len))
			return -EINVAL;
		memcpy(link->addr, link->dev->dev_addr, link->addr_len);
	}
	link->placements = min(link->placements, ST_PLACEMENTS_MAX);
	/* One pace for all Virtual Connections: there is no path yet, hence no st_delivery */
	return st_link_has(link, ST_CREDITED) ? 0 : st_pace_init(link);
}

/* Whether connect() prefers the first link if both are up. */
static bool st_link_before(const struct st_link *link, const struct st_link *other)
{
	if (link->llp->priority != other->llp->priority)
		return link->llp->priority > other->llp->priority;
	return link->dev->ifindex < other->dev->ifindex;
}

/* Make the link visible. */
static void st_link_publish(struct st_link_core *core)
{
	struct st_net *sn = st_pernet(core->link.net);
	struct st_link_core *next;

	hash_add_rcu(st_links, &core->node, (unsigned long)core->link.dev);
	list_for_each_entry(next, &sn->links, list)
		if (st_link_before(&core->link, &next->link))
			break;
	list_add_tail_rcu(&core->list, &next->list);
	list_add_tail(&core->all, &st_all_links);
}

/* Accept no more paths and routes. */
static void st_link_die(struct st_link_core *core)
{
	spin_lock_bh(&core->lock);
	WRITE_ONCE(core->dead, true);
	spin_unlock_bh(&core->lock);
}

/**
 * st_link_add - attach an LLP to a network device
 * @dev: the device
 * @llp: the LLP; it fits @dev and clashes with no LLP there
 * @options: what the administrator wants; or NULL
 * @extack: gets the reason of a failure of the LLP; or NULL
 *
 * Context: under RTNL, may sleep.
 * Return: 0, -ENOMEM, or the errno of the LLP.
 */
int st_link_add(struct net_device *dev, const struct st_llp *llp,
		const struct st_link_options *options, struct netlink_ext_ack *extack)
{
	struct st_link_core *core;
	struct st_link *link;
	int err;

	ASSERT_RTNL();
	core = kzalloc(sizeof(*core), GFP_KERNEL);
	if (!core)
		return -ENOMEM;
	link = &core->link;
	link->dev = dev;
	link->net = dev_net(dev);
	link->llp = llp;
	if (options) {
		link->stu = options->stu ? ilog2(options->stu) : 0;
		link->reliability = options->reliability;
	}
	core->type = llp->type;
	core->ifindex = dev->ifindex;
	core->down = !netif_running(dev);
	core->down_at = jiffies;
	refcount_set(&core->refcnt, 1);
	spin_lock_init(&core->lock);
	INIT_HLIST_HEAD(&core->paths);
	INIT_LIST_HEAD(&core->routes);
	INIT_LIST_HEAD(&core->idle_routes);
	INIT_WORK(&core->changed, st_link_work);
	core->unusable = st_llp_unusable(llp, dev);
	err = llp->ops->begin(link, extack);
	if (err)
		goto dead;
	err = st_link_fill(core);
	if (err)
		goto end;
	st_link_publish(core);
	core->state = st_link_state(link);
	netdev_hold(dev, &core->dev_tracker, GFP_KERNEL);
	if (llp->ops->ingress && READ_ONCE(st_pernet(link->net)->ingress_hook))
		llp->ops->ingress(link, true);
	st_up->link_added(link);
	return 0;
end:
	st_link_die(core);
	st_routes_end(core);
	if (llp->ops->end)
		llp->ops->end(link);
	synchronize_net();
dead:
	st_link_die(core);
	st_link_put(link);
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(st_link_add);

/**
 * st_link_carrier - whether the medium of a link is up
 * @link: the link; its device is still there
 *
 * Context: any.
 * Return: the state that the LLP reports with st_link.own_state, otherwise the carrier.
 */
bool st_link_carrier(const struct st_link *link)
{
	return link->own_state ? READ_ONCE(st_link_core(link)->up) : netif_carrier_ok(link->dev);
}

/**
 * st_link_state - whether Virtual Connections can be set up over a link
 * @link: the link
 *
 * Context: any, while the device of @link is still there.
 * Return: the state that netlink reports.
 */
enum st_link_state st_link_state(const struct st_link *link)
{
	if (READ_ONCE(st_link_core(link)->dead))
		return ST_LINK_STATE_DEAD;
	if (READ_ONCE(st_link_core(link)->unusable))
		return ST_LINK_STATE_UNUSABLE;
	if (!netif_running(link->dev))
		return ST_LINK_STATE_DOWN;
	return st_link_carrier(link) ? ST_LINK_STATE_UP : ST_LINK_STATE_NO_CARRIER;
}

/**
 * st_link_changed - react to a change of the device of a link
 * @link: the link
 *
 * Its medium is up or down, or an upper device has begun or stopped to take its frames.
 *
 * Context: under RTNL, may sleep.
 */
void st_link_changed(struct st_link *link)
{
	const char *unusable = st_llp_unusable(link->llp, link->dev);
	struct st_link_core *core = st_link_core(link);
	bool told = unusable == core->unusable;
	enum st_link_state state;

	ASSERT_RTNL();
	spin_lock_bh(&core->lock);
	WRITE_ONCE(core->unusable, unusable);
	spin_unlock_bh(&core->lock);
	state = st_link_state(link);
	told &= state == core->state;
	core->state = state;
	st_up->link_changed(link, told);
}
EXPORT_SYMBOL_IF_KUNIT(st_link_changed);

/**
 * st_link_set_up - set whether the medium is up, for an LLP with st_link.own_state
 * @link: the link
 * @up: true when it is
 *
 * A medium that is down costs time, as a lost carrier does: Virtual Connections continue when it is
 * up again, or their operations time out.
 *
 * Context: any but hard interrupt, from st_llp_ops.begin() to st_llp_ops.end().
 */
void st_link_set_up(struct st_link *link, bool up)
{
	struct st_link_core *core = st_link_core(link);

	if (xchg(&core->up, (u32)up) == up)
		return;
	/* The work may be queued already; it will see the new state then */
	refcount_inc(&core->refcnt);
	if (!queue_work(st_link_wq, &core->changed))
		st_link_put(link);
}
EXPORT_SYMBOL_GPL(st_link_set_up);

static void st_link_move(struct st_link_core *core, bool moving)
{
	spin_lock_bh(&core->lock);
	core->moving = moving;
	spin_unlock_bh(&core->lock);
}

/**
 * st_link_set_addr - change the source address of operations
 * @link: the link
 * @addr: the address, st_link.addr_len bytes
 *
 * An address is part of the identity of a Virtual Connection (ST 5.2.2): one without another path
 * fails with ENETRESET, and its peer is notified from the old address.  A reader
 * of the address at the same moment may see a part of each; no receiver can tell the sender of such
 * a frame.
 *
 * Context: under RTNL, may sleep; @link is visible.
 */
void st_link_set_addr(struct st_link *link, const u8 *addr)
{
	ASSERT_RTNL();
	if (!memcmp(link->addr, addr, link->addr_len))
		return;
	/* Nobody may join in between, and use an address that is about to change */
	st_link_move(st_link_core(link), true);
	st_up->link_readdressed(link);
	memcpy(link->addr, addr, link->addr_len);
	st_link_move(st_link_core(link), false);
}
EXPORT_SYMBOL_GPL(st_link_set_addr);

/**
 * st_links_ingress - apply net.st.ingress_hook to all links
 * @net: the namespace
 *
 * Context: may sleep; not under RTNL.
 */
void st_links_ingress(struct net *net)
{
	struct st_net *sn = st_pernet(net);
	const struct st_llp_ops *ops;
	struct st_link_core *core;

	rtnl_lock();
	list_for_each_entry(core, &sn->links, list) {
		ops = core->link.llp->ops;
		if (ops->ingress)
			ops->ingress(&core->link, READ_ONCE(sn->ingress_hook));
	}
	rtnl_unlock();
}

/**
 * st_link_del - detach an LLP from a network device
 * @link: the link
 *
 * Virtual Connections without a path over another link fail with ENETDOWN.  When this returns af_st
 * does not use the device any more.
 *
 * Context: under RTNL, may sleep.
 */
void st_link_del(struct st_link *link)
{
	struct st_link_core *core = st_link_core(link);
	const struct st_llp_ops *ops = link->llp->ops;

	ASSERT_RTNL();
	list_del_rcu(&core->list);
	list_del(&core->all);
	hash_del_rcu(&core->node);
	st_link_die(core);
	st_up->link_gone(link);
	if (ops->ingress)
		ops->ingress(link, false);
	st_routes_end(core);
	if (ops->end)
		ops->end(link);
	synchronize_net();
	netdev_put(link->dev, &core->dev_tracker);
	st_link_put(link);
}
EXPORT_SYMBOL_IF_KUNIT(st_link_del);

/**
 * st_links_del - detach an LLP from all devices
 * @llp: the LLP
 *
 * Context: under RTNL, may sleep.
 */
void st_links_del(const struct st_llp *llp)
{
	struct st_link_core *core, *next;

	list_for_each_entry_safe(core, next, &st_all_links, all)
		if (core->link.llp == llp)
			st_link_del(&core->link);
}

/**
 * st_link_get - take a reference to a link
 * @link: the link
 *
 * Context: under RCU or RTNL.
 * Return: false when the link is gone.
 */
bool st_link_get(struct st_link *link)
{
	return refcount_inc_not_zero(&st_link_core(link)->refcnt);
}
EXPORT_SYMBOL_IF_KUNIT(st_link_get);

/**
 * st_link_put - drop a reference to a link
 * @link: the link
 *
 * Context: any.
 */
void st_link_put(struct st_link *link)
{
	struct st_link_core *core = st_link_core(link);

	if (!refcount_dec_and_test(&core->refcnt))
		return;
	kfree(core->pace);
	kfree_rcu(core, rcu);
}
EXPORT_SYMBOL_IF_KUNIT(st_link_put);

/**
 * st_link_join - run a Virtual Connection over a link
 * @link: the link, with a reference, which is consumed on success
 * @path: path of the Virtual Connection, with the peer's address, and not on a link
 * @admin: may use the reserve of routes: an administrator of this end has asked for the path, and
 *	not the peer
 *
 * The module of the LLP is held until st_link_leave().  If the LLP has to connect first, the path
 * gets a route, which need not be up.
 *
 * Context: under st_sock.lock.
 * Return: 0, -ENETDOWN when the link or its LLP is going away, is unusable or changes its address,
 * or the errno of st_route_join().
 */
int st_link_join(struct st_link *link, struct st_path *path, bool admin)
{
	struct st_link_core *core = st_link_core(link);
	int err = -ENETDOWN;

	spin_lock_bh(&core->lock);
	/* The LLP is valid until the link is dead */
	if (core->dead || core->unusable || core->moving || !try_module_get(link->llp->owner))
		goto unlock;
	err = st_route_join(core, path, admin);
	if (err) {
		module_put(link->llp->owner);
		goto unlock;
	}
	hlist_add_head(&path->node, &core->paths);
	WRITE_ONCE(core->nr_vcs, core->nr_vcs + 1);
unlock:
	spin_unlock_bh(&core->lock);
	if (err)
		return err;
	path->link = link;
	st_up->path_joined(path);
	return 0;
}

/**
 * st_link_leave - stop running a Virtual Connection over a link
 * @path: path of the Virtual Connection; its reference to the link stays until it is freed
 *
 * Context: under st_sock.lock.
 */
void st_link_leave(struct st_path *path)
{
	struct st_link_core *core;

	if (!path->link)
		return;
	core = st_link_core(path->link);
	spin_lock_bh(&core->lock);
	if (!hlist_unhashed(&path->node)) {
		WRITE_ONCE(core->nr_vcs, core->nr_vcs - 1);
		hlist_del_init(&path->node);
		st_route_leave(core, path);
		module_put(core->link.llp->owner);
	}
	spin_unlock_bh(&core->lock);
	st_pace_leave(path);
}

/**
 * st_link_max_stu - the largest STU that can currently be sent on a Data Channel
 * @link: the link
 * @channel: the Data Channel, 1 to 3
 *
 * Context: any.
 * Return: log2; 0 when not even the smallest STU of ST 5.2.4 fits.
 */
unsigned int st_link_max_stu(const struct st_link *link, unsigned int channel)
{
	int max_stu = link->llp->ops->max_stu(link, channel);

	return max_stu < ST_BUFSIZE_MIN ? 0 : min(max_stu, ST_BUFSIZE);
}

/**
 * st_link_recv_max_stu - the largest STU that can be received, ST 5.2.4
 * @link: the link
 *
 * Context: any.
 * Return: log2, the largest of all Data Channels; 0 for none.
 */
unsigned int st_link_recv_max_stu(const struct st_link *link)
{
	unsigned int channel, max_stu = 0;

	for (channel = 1; channel < ST_NUM_CHANNELS; channel++)
		max_stu = max(max_stu, st_link_max_stu(link, channel));
	return max_stu;
}

/**
 * st_link_addr_ok - whether an address is that of a single peer
 * @link: the link, still visible
 * @addr: the address, st_link.addr_len bytes
 *
 * An operation to a group or broadcast address would have many answers, and one from such an
 * address is forged.
 *
 * Context: under RCU or RTNL.
 * Return: true if it is.
 */
bool st_link_addr_ok(const struct st_link *link, const u8 *addr)
{
	return link->addr_type->valid(addr, link->addr_len);
}
