/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scheduled Transfer: the interface between af_st and the lower-layer
 * protocols under it (LLPs, ST annex A).
 */
#ifndef _NET_ST_H
#define _NET_ST_H

#include <linux/bvec.h>
#include <linux/list.h>
#include <linux/netdevice.h>
#include <linux/refcount.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <net/net_namespace.h>
#include <uapi/linux/st.h>

#ifndef ETH_P_ST
#define ETH_P_ST		0x8181	/* ST 5.2.6 */
#endif

#define ST_HDR_LEN		40	/* Schedule Header, ST 4.2 */

#define ST_NUM_CHANNELS		4	/* Control Channel 0, Data Channels 1 to 3; ST 8.2 */
#define ST_PLACEMENTS_MAX	64	/* of a link, st_llp.placements */

struct st_buf;
struct st_link;
struct st_pace;

/**
 * enum st_llp_attach - which devices an LLP is attached to by itself
 * @ST_ATTACH_ALWAYS: all that it fits; for media of its own
 * @ST_ATTACH_IF_ALLOWED: all that it fits, where net.st.auto_links is set; for
 *	media that carry other traffic too, and may face strangers
 */
enum st_llp_attach {
	ST_ATTACH_ALWAYS,
	ST_ATTACH_IF_ALLOWED,
};

/**
 * struct st_llp - a lower-layer protocol
 * @owner: THIS_MODULE; every Virtual Connection over it has a reference
 * @name: short name, for messages and tools
 * @type: enum st_llp_type
 * @attach: which devices it is attached to by itself
 * @proto: what it takes from a device, an EtherType; two LLPs that take the
 *	same are not on one device together
 * @addr_len: bytes of an address, 1 to ST_ADDR_MAX
 * @in_order: operations of a Data Channel arrive in the order they were sent
 *	in, so that a gap is a loss
 * @placements: how many payloads from one address may be on their way to where they belong
 *	at a time, at most %ST_PLACEMENTS_MAX: as many Messages or frames as can be under
 *	way between two ends; 0: none are placed.  @begin may change what the link begins
 *	with, st_link.placements, where a device has several links to an address.
 * @headroom: bytes that @xmit pushes in front of the Schedule Header
 * @unfit: why it cannot run on a device, as text that stays, or NULL where it can.
 *	Called under RTNL.
 * @valid: whether @addr_len bytes are the address of one peer: no group, not all of them.
 *	NULL: all are.  May be called in any context.
 * @max_stu: log2 of the largest STU that fits the device of @link on a Data
 *	Channel now, ST 5.2.4; negative where that channel is not to be had.
 *	An LLP that says more than it can receive as an skb of its own has to
 *	use st_target_get().  May be called in any context.
 * @max_run: how many bytes of payload an skb may have that stands for several Data
 *	operations of @stu bytes each, see st_run_segment(), on the device of @link now;
 *	0: none are taken.  NULL: never.  May be called in any context.
 * @xmit: put an operation, or a run of them where there is @max_run, on the medium.
 *	@skb starts at the Schedule Header
 *	with @headroom bytes free before it; @channel is 0 for a Control
 *	operation; @daddr has @addr_len bytes.  Takes the skb in every case.
 *	Called with bottom halves off, under no lock of af_st but RCU; must not
 *	sleep.  Returns 0 or a negative errno when the operation was dropped.
 * @begin: a link begins to be, and is not found yet; it may set st_link.llp_priv.  Or NULL.
 *	Called under RTNL; may sleep.  Returns 0, or a negative errno for a device that goes
 *	without the link, and then @end does not follow.
 * @end: a link is no more found, and no more used when synchronize_net() is over, which
 *	follows.  Or NULL.  Called under RTNL; may sleep
 * @early: begin to take operations before the stack copies them, or end that, as
 *	net.st.ingress_hook says; nothing is taken so any more when synchronize_net() that
 *	follows is over.  It may set st_link.llp_priv.  Or NULL.  Called under RTNL, with @on as
 *	a link begins to be, without when it is no more found; may sleep
 * @list: of af_st, from st_llp_register() on; RTNL
 * @notifier: of af_st
 *
 * The LLP fills in all but the last two, before st_llp_register().
 */
struct st_llp {
	struct module	*owner;
	const char	*name;
	u8		type;
	enum st_llp_attach attach;
	__be16		proto;
	u8		addr_len;
	bool		in_order;
	u8		placements;
	unsigned int	headroom;
	const char *(*unfit)(const struct net_device *dev);
	bool (*valid)(const u8 *addr);
	int (*max_stu)(const struct st_link *link, unsigned int channel);
	unsigned int (*max_run)(const struct st_link *link, unsigned int stu);
	int (*xmit)(struct st_link *link, struct sk_buff *skb,
		    unsigned int channel, const u8 *daddr);
	int (*begin)(struct st_link *link);
	void (*end)(struct st_link *link);
	void (*early)(struct st_link *link, bool on);
	struct list_head	list;
	struct notifier_block	notifier;
};

/**
 * struct st_link - an LLP on a network device
 * @list: in the namespace's list of links; written under RTNL, read under RCU
 * @dev: the device, held
 * @dev_tracker: for @dev
 * @llp: what speaks on it; not to be used when @dead
 * @llp_priv: of the LLP
 * @type: as in @llp
 * @addr_len: as in @llp
 * @placements: as in @llp, or what its begin() has made of it
 * @addr: where operations come from; that of @dev, but for the time in which a change of
 *	that is told
 * @down: @dev is down, as its notifier has told; it stops running a little earlier
 * @down_at: jiffies, when @dev went down last; valid if @down
 * @net: namespace of @dev
 * @refcnt: the list's reference and one for every Virtual Connection
 * @lock: protects @ways, @nr_vcs, @unusable and @dead; taken inside the lock of a Virtual
 *	Connection
 * @ways: struct st_way, of Virtual Connections that run over this link
 * @nr_vcs: how many they are
 * @unusable: why nothing for ST arrives at @dev, as text that stays; NULL: it does.  Changes
 *	under RTNL and @lock; while it is set, no Virtual Connection runs over the link
 * @state: enum st_link_state that netlink was told last; RTNL
 * @pace: what may be on its way; NULL where the LLP keeps the order
 * @dead: set once, when the link has left the list; takes no more of @ways
 * @rcu: frees the link after the last reader
 */
struct st_link {
	struct list_head	list;
	struct net_device	*dev;
	netdevice_tracker	dev_tracker;
	const struct st_llp	*llp;
	void			*llp_priv;
	u8			type;
	u8			addr_len;
	u8			placements;
	u8			addr[ST_ADDR_MAX];
	bool			down;
	unsigned long		down_at;
	struct net		*net;
	refcount_t		refcnt;
	spinlock_t		lock;		/* @ways, @nr_vcs, @unusable and @dead */
	struct hlist_head	ways;
	unsigned int		nr_vcs;
	const char		*unusable;
	u8			state;
	struct st_pace		*pace;
	bool			dead;
	struct rcu_head		rcu;
};

/**
 * struct st_target - where the payload of a Data operation goes that is arriving
 * @cancelled: nothing may be written there any more; for the LLP to look at,
 *	in the RCU read-side critical section in which it writes
 * @done: the LLP is through
 * @refcnt: one for the LLP, one for @list
 * @list: in the targets of the Virtual Connection
 * @mx: Memory Index of the Block
 * @len: bytes of payload
 * @ubuf: pages of a recvmsg() under way, of a region or of a Get, where the
 *	first @ulen bytes go.  No reference: who takes them back cancels.
 *	Nothing once @done.
 * @upos: first byte there
 * @ulen: bytes that go there
 * @kbuf: pages of the kernel, where the others go, with a reference; or NULL,
 *	as it is once @done
 * @kpos: first byte there
 */
struct st_target {
	bool			cancelled;
	bool			done;
	refcount_t		refcnt;
	struct list_head	list;
	u16			mx;
	u32			len;
	struct st_buf		*ubuf;
	u64			upos;
	u32			ulen;
	struct st_buf		*kbuf;
	u64			kpos;
};

struct st_target *st_target_get(struct st_link *link, const void *hdr, u32 len, const u8 *saddr,
				bool only);
bool st_target_segment(const struct st_target *t, u32 pos, struct bio_vec *seg);
void st_target_put(struct st_target *t);

int st_llp_register(struct st_llp *llp);
void st_llp_unregister(struct st_llp *llp);
struct st_link *st_link_find(const struct net_device *dev, const struct st_llp *llp);
void st_link_illegal_frame(const struct st_link *link);
void st_rcv(struct st_link *link, struct sk_buff *skb, const u8 *saddr);
struct sk_buff *st_run_segment(struct sk_buff *skb, netdev_features_t features);

#endif
