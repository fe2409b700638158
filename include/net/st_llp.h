/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scheduled Transfer: the interface between af_st and the lower-layer protocols under it (LLPs, ST
 * annex A).
 *
 * An LLP on a network device is a link.  The private state of af_st for a link, a route or a
 * placement is in structures that embed those below.
 */
#ifndef _NET_ST_LLP_H
#define _NET_ST_LLP_H

#include <linux/bits.h>
#include <linux/bvec.h>
#include <linux/list.h>
#include <linux/netdevice.h>
#include <linux/rbtree_types.h>
#include <linux/skbuff.h>
#include <linux/types.h>
#include <net/net_namespace.h>
#include <uapi/linux/st.h>

#ifndef ETH_P_ST
#define ETH_P_ST		0x8181	/* ST 5.2.6 */
#endif

#define ST_HDR_LEN		40	/* Schedule Header, ST 4.2 */

#define ST_NUM_CHANNELS		4	/* Control Channel 0, Data Channels 1 to 3; ST 8.2 */
#define ST_PLACEMENTS_MAX	64	/* st_link.placements */
#define ST_ADDR_TEXT_MAX	48	/* bytes of an address as text, with the NUL */

struct netlink_ext_ack;
struct sockaddr;
struct st_link;
struct st_route;

/**
 * struct st_addr_type - a kind of address
 * @name: word for tools: "mac", "id", "ip"
 * @valid: whether an address is that of a single peer; false for group and broadcast addresses, and
 *	for those that the medium reserves.  Checked for connect(), for the addresses of a host and
 *	for the source of every operation.  Any context.
 * @print: write an address as text, as scnprintf() does; less than %ST_ADDR_TEXT_MAX bytes
 * @parse: parse text.  Return: 0 or -EINVAL.
 * @resolve: find the address of the peer with the IP address in a struct sockaddr_in or
 *	sockaddr_in6; @ask: on the first try.  Process context, under RCU.  NULL: IP addresses
 *	cannot be resolved.  Return: 0; -EAGAIN when the peer has been asked, and is looked for
 *	again after a NETEVENT_NEIGH_UPDATE; -ENETUNREACH when @link does not lead there, or
 *	-EOPNOTSUPP when it cannot ask, and another link may; -EHOSTUNREACH when there is no such
 *	peer; or another negative errno.
 *
 * An address has st_link.addr_len bytes: a type may have several lengths.
 */
struct st_addr_type {
	const char	*name;
	bool (*valid)(const u8 *addr, unsigned int len);
	int (*print)(const u8 *addr, unsigned int len, char *text, size_t size);
	int (*parse)(const char *text, u8 *addr, unsigned int len);
	int (*resolve)(const struct st_link *link, const struct sockaddr *ip, bool ask, u8 *addr);
};

extern const struct st_addr_type st_addr_mac;	/* 6 bytes, as 02:64:00:00:00:01 */
extern const struct st_addr_type st_addr_id;	/* 1 to 4 bytes, a number; all ones is no peer */
extern const struct st_addr_type st_addr_ip;	/* 16 bytes, IPv6 or IPv4-mapped */

/**
 * enum st_trait - guarantees of a link for the operations of one Data Channel
 * @ST_ORDERED: no operation overtakes another, so a gap is a loss
 * @ST_CREDITED: the medium has flow control, so a receiver need not pace its senders
 * @ST_RELIABLE: no operation is lost while the link is up, so a short timeout is useless
 * @ST_BLOCK_IS_STU: no guarantee, but a rule of the medium: a Block has one STU, ST A.5
 */
enum st_trait {
	ST_ORDERED	= BIT(0),
	ST_CREDITED	= BIT(1),
	ST_RELIABLE	= BIT(2),
	ST_BLOCK_IS_STU	= BIT(3),
};

/**
 * enum st_attach - the devices that an LLP is attached to automatically
 * @ST_ATTACH_ALWAYS: all that fit; for an LLP with a medium of its own
 * @ST_ATTACH_IF_ALLOWED: all that fit, if net.st.auto_links is set; for a medium that carries other
 *	traffic, too, and may connect strangers
 * @ST_ATTACH_ON_DEMAND: none; the LLP calls st_llp_attach() for each
 */
enum st_attach {
	ST_ATTACH_ALWAYS,
	ST_ATTACH_IF_ALLOWED,
	ST_ATTACH_ON_DEMAND,
};

/**
 * struct st_claim - a resource of a device that only one LLP can use
 * @kind: name of the kind of resource, on which LLPs that may clash agree: "ethertype", "fc4"
 * @value: the resource of that kind
 *
 * af_st only compares claims; it does not interpret them.
 */
struct st_claim {
	const char	*kind;
	u64		value;
};

/**
 * struct st_link - an LLP on a network device
 * @dev: the device, with a reference until the link has ended
 * @net: namespace of @dev
 * @llp: the LLP; invalid once the link has ended
 * @addr: source address of operations; st_link_set_addr() changes it
 * @stu: log2 of the STU that the administrator wants, not above st_llp.stu_max; 0: the LLP decides
 * @reliability: enum st_reliability that the administrator wants, with st_llp.reliability; 0: the
 *	LLP decides
 * @priv: private to the LLP
 * @addr_type: type of the addresses
 * @addr_len: bytes of an address, 1 to ST_ADDR_MAX
 * @own_addr: the LLP sets @addr; otherwise it is the address of @dev
 * @own_state: the LLP reports with st_link_set_up() whether the medium is up, initially not;
 *	otherwise the carrier of @dev counts
 * @traits: mask of enum st_trait
 * @placements: how many payloads from one address may be placed at a time, at most
 *	%ST_PLACEMENTS_MAX: as many as Messages or frames can be under way between two ends; 0: no
 *	placement
 * @headroom: bytes that st_llp_ops.xmit() pushes in front of the Schedule Header, in addition to
 *	those that @dev needs
 * @tailroom: bytes after the operation, likewise
 *
 * st_llp_ops.begin() finds @stu and @reliability set, may set the latter if it is 0, and sets all
 * members from @priv on, and @addr with @own_addr.  All but @addr are constant until
 * st_llp_ops.end(): an LLP whose traits change detaches and attaches again.
 */
struct st_link {
	struct net_device	*dev;
	struct net		*net;
	const struct st_llp	*llp;
	u8			addr[ST_ADDR_MAX];
	u8			stu;
	u8			reliability;
	void			*priv;
	const struct st_addr_type *addr_type;
	u8			addr_len;
	bool			own_addr;
	bool			own_state;
	u8			traits;
	u8			placements;
	unsigned int		headroom;
	unsigned int		tailroom;
};

/**
 * struct st_route - a link and a peer's address, of an LLP with st_llp_ops.connect()
 * @link: the link
 * @addr: the address, st_link.addr_len bytes, padded with zeros
 * @priv: private to the LLP; NULL at first, and again after st_llp_ops.disconnect().  The LLP may
 *	set it in st_llp_ops.connect() and after st_route_get(), which can run at the same time:
 *	a lock of the LLP has to serialise the two
 *
 * It is shared by all Virtual Connections between the two addresses.
 */
struct st_route {
	struct st_link	*link;
	u8		addr[ST_ADDR_MAX];
	void		*priv;
};

/**
 * struct st_llp_ops - operations of an LLP
 * @unfit: why the LLP cannot run on a device, as static text, or NULL if it can.  Depends on the
 *	kind of device, not on its state.  Called under RTNL.
 * @begin: set up a link, which is not found by others until this returns 0.  Called under RTNL and
 *	perhaps net_rwsem, so it must not raise netdev events; may sleep.  Return: 0, or a negative
 *	errno when the device gets no link; @end is not called then.  @extack may be NULL.
 * @end: clean up a link that is not found any more, and is unused after the synchronize_net() that
 *	follows.  May be NULL.  Called under RTNL; may sleep.
 * @max_stu: log2 of the largest STU that currently fits the device of @link on a Data Channel, ST
 *	5.2.4; negative if that channel is not available.  If it exceeds what the LLP can receive in
 *	an skb of its own, the LLP has to use st_placement_get().  Any context.
 * @max_gso: most bytes of payload in a GSO skb for several Data operations of @stu bytes each, see
 *	st_gso_segment(), on the device of @link now; 0: no GSO.  NULL: never.  Any context.
 * @xmit: send an operation, or a GSO skb if there is @max_gso.  @skb starts at the Schedule Header,
 *	with st_link.headroom bytes free in front of it; @channel is 0 for a Control operation;
 *	@daddr has st_link.addr_len bytes; @route leads there and is up, or is NULL without
 *	@connect.  Always consumes the skb; the payload may be pages of an application and must not
 *	be modified.  Called with bottom halves off, under RCU and no lock of af_st; must not sleep.
 *	Return: 0, or a negative errno when the operation was dropped.
 * @connect: set up a route, because a Virtual Connection or a path of a striped one is about to use
 *	it, or because a route that was lost is still in use.  Only starts the setup; st_route_up()
 *	or st_route_failed() reports the result, later or before this returns.  NULL: no setup is
 *	needed to send to an address.  Called without locks, one call at a time for a route; may
 *	sleep, but must not take RTNL.  Return: 0, or a negative errno, equivalent to
 *	st_route_failed().
 * @disconnect: forget a route: it has been unused for half a minute, it has failed, or its link
 *	ends.  Follows @connect, whatever its result, and st_route_get(); @xmit is not called with
 *	the route any more.  When this returns the LLP must not use the route.  Required with
 *	@connect.  Called as @connect is, or under RTNL before @end for one route after another;
 *	may sleep, but must not wait for an answer of the peer.
 * @ingress: start to receive operations before the stack copies them, or stop it, according to
 *	net.st.ingress_hook; once stopped, nothing is received this way after the synchronize_net()
 *	that follows.  May be NULL.  Called as @begin is: with @on when a link begins, without it
 *	when the link is not found any more; may sleep.
 */
struct st_llp_ops {
	const char *(*unfit)(const struct net_device *dev);
	int (*begin)(struct st_link *link, struct netlink_ext_ack *extack);
	void (*end)(struct st_link *link);
	int (*max_stu)(const struct st_link *link, unsigned int channel);
	unsigned int (*max_gso)(const struct st_link *link, unsigned int stu);
	int (*xmit)(struct st_link *link, struct sk_buff *skb, unsigned int channel,
		    const u8 *daddr, struct st_route *route);
	int (*connect)(struct st_route *route);
	void (*disconnect)(struct st_route *route);
	void (*ingress)(struct st_link *link, bool on);
};

/**
 * struct st_llp - a lower-layer protocol
 * @owner: THIS_MODULE; every Virtual Connection over the LLP has a reference
 * @name: short unique name, for messages and tools, at most 15 characters
 * @type: enum st_llp_type, but not ST_LLP_ANY; a device has one link of a type
 * @priority: connect() prefers, among the links that are up, the highest priority, then the lowest
 *	ifindex, then the link attached first; an LLP named by the application overrides this.
 *	%ST_PRIORITY_OWN for a medium of its own, %ST_PRIORITY_SHARED for one that carries other
 *	traffic, too.
 * @attach: the devices it is attached to automatically
 * @stu_max: log2 of the largest STU that an administrator can set; 0: none, the device decides
 * @reliability: an administrator can set how reliable the connections of a link are
 * @claims: resources of a device that it uses, terminated by an entry without @kind; two LLPs with
 *	a common claim cannot share a device.  NULL: none.
 * @ops: its operations
 * @list: private to af_st
 */
struct st_llp {
	struct module		*owner;
	const char		*name;
	u8			type;
	u8			priority;
	enum st_attach		attach;
	u8			stu_max;
	bool			reliability;
	const struct st_claim	*claims;
	const struct st_llp_ops	*ops;
	struct list_head	list;
};

#define ST_PRIORITY_OWN		100
#define ST_PRIORITY_SHARED	50

/**
 * struct st_placement - the destination of the payload of an arriving Data operation
 * @cancelled: see st_placement_cancelled()
 */
struct st_placement {
	bool	cancelled;
};

/**
 * struct st_frames - frames of an operation, whose order does not matter; all zeros: none
 * @tree: the frames, by their place
 * @last: the last of them, or NULL
 * @len: bytes in them
 * @kept: bytes that they take, with their overhead
 */
struct st_frames {
	struct rb_root	tree;
	struct sk_buff	*last;
	unsigned int	len;
	unsigned int	kept;
};

int st_llp_register(struct st_llp *llp);
void st_llp_unregister(struct st_llp *llp);
int st_llp_attach(const struct st_llp *llp, struct net_device *dev,
		  struct netlink_ext_ack *extack);
void st_llp_detach(const struct st_llp *llp, struct net_device *dev);

struct packet_type *st_packet_add(struct net_device *dev, u16 type,
				  int (*func)(struct sk_buff *skb, struct net_device *dev,
					      struct packet_type *pt,
					      struct net_device *orig_dev));
void st_packet_del(struct packet_type *packet);

struct st_link *st_link_find(const struct net_device *dev, const struct st_llp *llp);
void st_link_set_up(struct st_link *link, bool up);
void st_link_set_addr(struct st_link *link, const u8 *addr);
void st_link_illegal_frame(const struct st_link *link);

struct st_route *st_route_get(struct st_link *link, const u8 *addr, void *priv, gfp_t gfp);
void st_route_put(struct st_route *route);
void st_route_up(struct st_route *route);
void st_route_lost(struct st_route *route);
void st_route_failed(struct st_route *route, int err);

void st_frames_add(struct st_frames *frames, struct sk_buff *skb, u32 at);
bool st_frames_whole(const struct st_frames *frames);
void st_frames_purge(struct st_frames *frames);
struct sk_buff *st_frames_join(struct st_frames *frames);
void st_rcv(struct st_link *link, struct sk_buff *skb, const u8 *saddr);
struct sk_buff *st_gso_segment(struct sk_buff *skb, netdev_features_t features);

struct st_placement *st_placement_get(struct st_link *link, const void *hdr, u32 len,
				      const u8 *saddr, bool only);
bool st_placement_segment(const struct st_placement *p, u32 pos, struct bio_vec *seg);
void st_placement_put(struct st_placement *p);

/**
 * st_placement_cancelled - whether a placement must not be written to any more
 * @p: the placement
 *
 * Context: the RCU read-side critical section in which the LLP writes.
 * Return: true when the memory may belong to somebody else.
 */
static inline bool st_placement_cancelled(const struct st_placement *p)
{
	return READ_ONCE(p->cancelled);
}

#endif
