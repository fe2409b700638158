// SPDX-License-Identifier: GPL-2.0
/* Generic netlink: addresses, their text, and the resolution of IP addresses. */
#include <linux/in.h>
#include <linux/in6.h>
#include <net/ipv6.h>
#include <net/neighbour.h>
#include <net/netevent.h>

#include "conn/conn.h"
#include "link/link.h"
#include "netlink/genl.h"
#include "netlink/netlink.h"

#define ST_RESOLVE_MS		5000	/* longer than ARP and neighbour discovery try */
#define ST_RESOLVE_MAX		64	/* at a time, in a namespace */
#define ST_RESOLVE_USER		16	/* of a user without privileges */

/* Attributes of a request that select links */
struct st_nl_on {
	const struct nlattr	*ifindex;
	const struct nlattr	*llp;
	const struct nlattr	*type;
};

/*
 * A request that waits for a peer.  A doit function of generic netlink must not wait: it holds a
 * lock for reading, and the registration of any family waits for that lock, with all later requests
 * behind it.  So a work sends the answer later.  The request holds no link, LLP or device then.
 */
struct st_nl_resolve {
	struct list_head	list;		/* in st_net.resolving */
	struct sk_buff		*request;	/* also with a reference to its socket */
	struct sk_buff		*answer;
	struct genl_info	info;		/* and one to its namespace */
	netns_tracker		tracker;
	struct netlink_ext_ack	extack;
	struct st_nl_on		on;
	union {
		struct sockaddr		any;
		struct sockaddr_in	v4;
		struct sockaddr_in6	v6;
	} ip;
	int			ifindex;	/* of the link that has asked, with @type; or 0 */
	u8			type;
	kuid_t			uid;
	unsigned int		ms;
	unsigned long		until;
};

static void st_nl_on(struct st_nl_on *on, struct nlattr **attrs)
{
	on->ifindex = attrs[ST_A_ADDRESS_IFINDEX];
	on->llp = attrs[ST_A_ADDRESS_LLP];
	on->type = attrs[ST_A_ADDRESS_LLP_TYPE];
}

static bool st_nl_is_on(const struct st_link *link, const struct st_nl_on *on)
{
	return st_nl_link_wanted(link, on->ifindex, on->llp) &&
	       (!on->type || nla_get_u32(on->type) == st_link_core(link)->type);
}

/* The preference of connect() for a link, before the order of the links counts. */
static int st_nl_link_rank(const struct st_link *link)
{
	enum st_link_state state = st_link_state(link);

	if (!st_link_max_stu(link, ST_DATA_CHANNEL))
		return 0;
	return state == ST_LINK_STATE_UP ? 2 : state == ST_LINK_STATE_NO_CARRIER;
}

static int st_nl_no_link(struct netlink_ext_ack *extack, const struct st_nl_on *on)
{
	if (on->ifindex || on->llp || on->type) {
		NL_SET_ERR_MSG(extack, "there is no such link; ststat link shows which there are");
		return -ENODEV;
	}
	NL_SET_ERR_MSG(extack, "no device has a link of ST; ststat link add makes one");
	return -ENETUNREACH;
}

/* Build the answer.  Under RCU; the link is visible.  Return: 0 or -EMSGSIZE. */
static int st_nl_put_address(struct sk_buff *skb, const struct genl_info *info,
			     const struct st_link *link, const u8 *addr)
{
	const struct st_nl_to to = { .info = info };
	void *hdr = st_nl_begin(skb, &to);

	return st_nl_end(skb, &to, hdr, !hdr ||
			 nla_put_u32(skb, ST_A_ADDRESS_IFINDEX, link->dev->ifindex) ||
			 nla_put_string(skb, ST_A_ADDRESS_LLP, link->llp->name) ||
			 nla_put_u32(skb, ST_A_ADDRESS_LLP_TYPE, st_link_core(link)->type) ||
			 nla_put(skb, ST_A_ADDRESS_ADDRESS, link->addr_len, addr) ||
			 st_nl_put_address_text(skb, ST_A_ADDRESS_TEXT, link, addr));
}

/* Answer a request with bytes, on the first link with that address length.  Under RCU. */
static int st_nl_print(struct sk_buff *answer, struct genl_info *info, const struct st_nl_on *on)
{
	const struct nlattr *addr = info->attrs[ST_A_ADDRESS_ADDRESS];
	struct st_net *sn = st_pernet(genl_info_net(info));
	const struct st_link_core *core;
	unsigned int len = 0;

	list_for_each_entry_rcu(core, &sn->links, list) {
		if (!st_nl_is_on(&core->link, on))
			continue;
		if (nla_len(addr) == core->link.addr_len)
			return st_nl_put_address(answer, info, &core->link, nla_data(addr));
		len = len ?: core->link.addr_len;
	}
	if (!len)
		return st_nl_no_link(info->extack, on);
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, addr, "the address has %u bytes, on the link %u",
				nla_len(addr), len);
	return -EINVAL;
}

/*
 * Answer a request with a text, on the link that connect() prefers among those that can parse it.
 * Under RCU.  Return: 0, or a negative errno with a message; -EINVAL when no link can.
 */
static int st_nl_parse(struct sk_buff *answer, struct genl_info *info, const struct st_nl_on *on)
{
	const struct nlattr *text = info->attrs[ST_A_ADDRESS_TEXT];
	const struct st_link *link, *found = NULL, *first = NULL;
	struct st_net *sn = st_pernet(genl_info_net(info));
	u8 bytes[ST_ADDR_MAX], addr[ST_ADDR_MAX];
	const struct st_link_core *core;
	bool nobody = false;
	int best = -1;

	list_for_each_entry_rcu(core, &sn->links, list) {
		link = &core->link;
		if (!st_nl_is_on(link, on))
			continue;
		first = first ?: link;
		if (link->addr_type->parse(nla_data(text), bytes, link->addr_len))
			continue;
		if (!st_link_addr_ok(link, bytes)) {
			nobody = true;
		} else if (st_nl_link_rank(link) > best) {
			best = st_nl_link_rank(link);
			found = link;
			memcpy(addr, bytes, link->addr_len);
		}
	}
	if (found)
		return st_nl_put_address(answer, info, found, addr);
	if (!first)
		return st_nl_no_link(info->extack, on);
	if (nobody) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, text, "%.47s is not the address of one host",
					(char *)nla_data(text));
		return -EADDRNOTAVAIL;
	}
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, text,
				"'%.24s' is no address of kind %.6s, nor an IP address",
				(char *)nla_data(text), first->addr_type->name);
	return -EINVAL;
}

/* Whether a text is an IP address. */
static bool st_nl_parse_ip(struct st_nl_resolve *r, const struct nlattr *text, u8 *bytes)
{
	struct in6_addr ip;

	if (st_addr_ip.parse(nla_data(text), bytes, sizeof(ip)))
		return false;
	memcpy(&ip, bytes, sizeof(ip));
	if (ipv6_addr_v4mapped(&ip)) {
		r->ip.v4.sin_family = AF_INET;
		r->ip.v4.sin_addr.s_addr = ip.s6_addr32[3];
	} else {
		r->ip.v6.sin6_family = AF_INET6;
		r->ip.v6.sin6_addr = ip;
	}
	return true;
}

/* The message for an IP address that has no address on any link. */
static void st_nl_resolve_failed(struct st_nl_resolve *r, int err)
{
	struct netlink_ext_ack *extack = r->info.extack;

	switch (err) {
	case -ENETUNREACH:
		NL_SET_ERR_MSG_FMT(extack, "no link has a route without gateway to %pISc",
				   &r->ip.any);
		break;
	case -EADDRNOTAVAIL:
		NL_SET_ERR_MSG_FMT(extack, "%pISc is an address of this host", &r->ip.any);
		break;
	case -EPROTOTYPE:
		NL_SET_ERR_MSG_FMT(extack, "the address behind %pISc is not that of one host",
				   &r->ip.any);
		break;
	case -EHOSTUNREACH:
		NL_SET_ERR_MSG_FMT(extack, "nobody answers for %pISc", &r->ip.any);
		break;
	case -ETIMEDOUT:
		NL_SET_ERR_MSG_FMT(extack, "no answer for %pISc in %u ms", &r->ip.any, r->ms);
		break;
	case -EAFNOSUPPORT:
		NL_SET_ERR_MSG_FMT(extack, "%pISc is of no use: the kernel has no IPv6",
				   &r->ip.any);
		break;
	case -EOPNOTSUPP:
		NL_SET_ERR_MSG_FMT(extack, "no link finds %pISc: give its own address",
				   &r->ip.any);
		break;
	case -ENOBUFS:
		NL_SET_ERR_MSG(extack, "the table of neighbours is full");
		break;
	}
}

/* The answer of one link, which asks the peer only once.  Under RCU. */
static int st_nl_resolve_over(struct st_nl_resolve *r, const struct st_link *link, u8 *addr)
{
	u8 type = st_link_core(link)->type;
	bool ask = r->ifindex != link->dev->ifindex || r->type != type;
	int err = link->addr_type->resolve(link, &r->ip.any, ask, addr);

	/* A cluster may answer for its IP address with a group address */
	if (!err && !st_link_addr_ok(link, addr))
		return -EPROTOTYPE;
	if (err == -EAGAIN) {
		r->ifindex = link->dev->ifindex;
		r->type = type;
	}
	return err;
}

/*
 * Ask each link that could lead to the peer.  Return: 0 when there is an answer, -EAGAIN while the
 * answer is pending, or another negative errno.
 */
static int st_nl_resolve(struct st_nl_resolve *r, struct sk_buff *answer)
{
	struct st_net *sn = st_pernet(genl_info_net(&r->info));
	bool found = false, mute = false;
	const struct st_link_core *core;
	u8 addr[ST_ADDR_MAX];
	int err = -EOPNOTSUPP;

	rcu_read_lock();
	list_for_each_entry_rcu(core, &sn->links, list) {
		if (!st_nl_is_on(&core->link, &r->on))
			continue;
		found = true;
		if (!core->link.addr_type->resolve)
			continue;
		err = st_nl_resolve_over(r, &core->link, addr) ?:
		      st_nl_put_address(answer, &r->info, &core->link, addr);
		if (err == -EOPNOTSUPP)
			mute = true;
		else if (err != -ENETUNREACH)
			break;
	}
	rcu_read_unlock();
	if (!found)
		return st_nl_no_link(r->info.extack, &r->on);
	/* One leads there, but cannot ask */
	if (err == -ENETUNREACH && mute)
		err = -EOPNOTSUPP;
	st_nl_resolve_failed(r, err);
	return err;
}

/* Answer a request that waits.  @now: jiffies.  Return: false while the answer is pending. */
static bool st_nl_resolve_answer(struct st_nl_resolve *r, unsigned long now)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)r->info.nlhdr;
	int err = st_nl_resolve(r, r->answer);

	if (err == -EAGAIN) {
		if (time_before(now, r->until))
			return false;
		err = -ETIMEDOUT;
		st_nl_resolve_failed(r, err);
	}
	err = st_nl_answer_send(r->answer, &r->info, err);
	/* As netlink_rcv_skb() does for the others */
	if (err || (nlh->nlmsg_flags & NLM_F_ACK))
		netlink_ack(r->request, nlh, err, &r->extack);
	return true;
}

static void st_nl_resolve_free(struct st_nl_resolve *r)
{
	sock_put(NETLINK_CB(r->request).sk);
	consume_skb(r->request);
	put_net_track(genl_info_net(&r->info), &r->tracker);
	kfree(r);
}

static void st_nl_resolve_work(struct work_struct *work)
{
	struct st_net *sn = container_of(to_delayed_work(work), struct st_net, resolve);
	unsigned long now = jiffies, next = MAX_JIFFY_OFFSET;
	struct st_nl_resolve *r, *tmp;

	mutex_lock(&sn->resolve_lock);
	list_for_each_entry_safe(r, tmp, &sn->resolving, list) {
		if (st_nl_resolve_answer(r, now)) {
			list_del(&r->list);
			st_nl_resolve_free(r);
		} else {
			next = min(next, r->until - now);
		}
	}
	if (!list_empty(&sn->resolving))
		queue_delayed_work(system_dfl_wq, &sn->resolve, next);
	mutex_unlock(&sn->resolve_lock);
}

/**
 * st_nl_resolve_again - look up the peers of waiting requests after a link or neighbour has changed
 * @net: the namespace
 *
 * Context: any but hard interrupt.
 */
void st_nl_resolve_again(struct net *net)
{
	struct st_net *sn = st_pernet(net);

	/* A request that is not on the list yet looks later, and sees the change */
	smp_mb();
	if (!list_empty(&sn->resolving))
		mod_delayed_work(system_dfl_wq, &sn->resolve, 0);
}

static int st_nl_neigh_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	const struct neighbour *n = ptr;

	if (event == NETEVENT_NEIGH_UPDATE)
		st_nl_resolve_again(dev_net(n->dev));
	return NOTIFY_DONE;
}

static struct notifier_block st_nl_neigh_notifier = {
	.notifier_call = st_nl_neigh_event,
};

/* Whether another request may wait.  Return: 0, or -EBUSY with a message. */
static int st_nl_resolve_room(const struct st_net *sn, const struct st_nl_resolve *new, bool admin)
{
	struct netlink_ext_ack *extack = new->info.extack;
	unsigned int all = 0, own = 0;
	const struct st_nl_resolve *r;

	lockdep_assert_held(&sn->resolve_lock);
	list_for_each_entry(r, &sn->resolving, list) {
		all++;
		own += uid_eq(r->uid, new->uid);
	}
	if (!admin && own >= ST_RESOLVE_USER) {
		NL_SET_ERR_MSG_FMT(extack, "%u requests of the user wait for an IP address", own);
		return -EBUSY;
	}
	if (all >= st_share(ST_RESOLVE_MAX, admin)) {
		NL_SET_ERR_MSG_FMT(extack, "%u other requests wait for an IP address", all);
		return -EBUSY;
	}
	return 0;
}

/* Return: -EINTR when the answer follows; netlink then sends no acknowledgment. */
static int st_nl_resolve_later(struct sk_buff *request, struct sk_buff *answer,
			       struct st_nl_resolve *r)
{
	const struct nlattr *timeout = r->info.attrs[ST_A_ADDRESS_TIMEOUT];
	bool admin = st_nl_is_admin(request, &r->info);
	struct net *net = genl_info_net(&r->info);
	struct st_net *sn = st_pernet(net);
	int err;

	r->uid = NETLINK_CREDS(request)->uid;
	r->ms = timeout ? nla_get_u32(timeout) : ST_RESOLVE_MS;
	r->until = jiffies + msecs_to_jiffies(r->ms);
	mutex_lock(&sn->resolve_lock);
	err = st_nl_resolve_room(sn, r, admin);
	if (!err) {
		r->request = skb_get(request);
		r->answer = answer;
		sock_hold(NETLINK_CB(request).sk);
		get_net_track(net, &r->tracker, GFP_KERNEL);
		r->info.attrs = NULL;
		r->info.extack = &r->extack;
		list_add_tail(&r->list, &sn->resolving);
		/* A change since the peer was asked has found no request on the list */
		mod_delayed_work(system_dfl_wq, &sn->resolve, 0);
		err = -EINTR;
	}
	mutex_unlock(&sn->resolve_lock);
	return err;
}

/* A text that no link can parse.  Return: as st_nl_resolve() or st_nl_resolve_later(). */
static int st_nl_get_ip(struct sk_buff *request, struct genl_info *info, struct sk_buff *answer)
{
	const struct nlattr *text = info->attrs[ST_A_ADDRESS_TEXT];
	struct st_nl_resolve *r;
	u8 bytes[ST_ADDR_MAX];
	int err;

	r = kzalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);
	if (!r)
		return -ENOMEM;
	if (!st_nl_parse_ip(r, text, bytes)) {
		kfree(r);
		return -EINVAL;
	}
	/* The message was that no link can parse it */
	*info->extack = (struct netlink_ext_ack) {};
	r->info = *info;
	st_nl_on(&r->on, info->attrs);
	if (!st_addr_ip.valid(bytes, sizeof(bytes))) {
		NL_SET_ERR_MSG_FMT(info->extack, "%pISc is not the address of one host",
				   &r->ip.any);
		err = -EADDRNOTAVAIL;
	} else if (!r->on.ifindex && r->ip.any.sa_family == AF_INET6 &&
		   ipv6_addr_type(&r->ip.v6.sin6_addr) & IPV6_ADDR_LINKLOCAL) {
		NL_SET_ERR_MSG_FMT(info->extack, "%pISc needs a device, behind a %% sign",
				   &r->ip.any);
		err = -ENODEV;
	} else {
		err = st_nl_resolve(r, answer);
	}
	if (err == -EAGAIN)
		err = st_nl_resolve_later(request, answer, r);
	if (err != -EINTR)
		kfree(r);
	return err;
}

/**
 * st_nl_address_get_doit - ST_CMD_ADDRESS_GET
 * @skb: the request
 * @info: the parsed request
 *
 * Return: 0, -EINTR when the answer follows later, or another negative errno.
 */
int st_nl_address_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *addr = info->attrs[ST_A_ADDRESS_ADDRESS];
	const struct nlattr *text = info->attrs[ST_A_ADDRESS_TEXT];
	struct sk_buff *answer;
	struct st_nl_on on;
	int err;

	if (!addr && GENL_REQ_ATTR_CHECK(info, ST_A_ADDRESS_TEXT))
		return -EINVAL;
	if (addr && text) {
		NL_SET_ERR_MSG_ATTR(info->extack, text, "give an address or its text, not both");
		return -EINVAL;
	}
	st_nl_on(&on, info->attrs);
	answer = st_nl_answer_new();
	if (!answer)
		return -ENOMEM;
	rcu_read_lock();
	err = addr ? st_nl_print(answer, info, &on) : st_nl_parse(answer, info, &on);
	rcu_read_unlock();
	if (err == -EINVAL && text)
		err = st_nl_get_ip(skb, info, answer);
	/* The answer follows later */
	return err == -EINTR ? err : st_nl_answer_send(answer, info, err);
}

/**
 * st_nl_address_net_init - prepare for requests in a namespace
 * @net: the namespace
 */
void st_nl_address_net_init(struct net *net)
{
	struct st_net *sn = st_pernet(net);

	mutex_init(&sn->resolve_lock);
	INIT_LIST_HEAD(&sn->resolving);
	INIT_DELAYED_WORK(&sn->resolve, st_nl_resolve_work);
}

/**
 * st_nl_address_net_exit - undo st_nl_address_net_init(), when the namespace or the module goes
 * @net: the namespace; a request waits here only if the module goes, and then no link is left
 */
void st_nl_address_net_exit(struct net *net)
{
	struct st_net *sn = st_pernet(net);

	flush_delayed_work(&sn->resolve);
	WARN_ON(!list_empty(&sn->resolving));
}

/**
 * st_nl_address_init - subscribe to changes of neighbours
 *
 * Return: 0 or a negative errno.
 */
int __init st_nl_address_init(void)
{
	return register_netevent_notifier(&st_nl_neigh_notifier);
}

/**
 * st_nl_address_exit - undo st_nl_address_init(); no request can arrive any more
 */
void st_nl_address_exit(void)
{
	unregister_netevent_notifier(&st_nl_neigh_notifier);
}
