/* SPDX-License-Identifier: GPL-2.0 */
/* FC-VI under ST: declarations shared by its files. */
#ifndef _NET_ST_LLP_FCVI_H
#define _NET_ST_LLP_FCVI_H

#include <linux/fcvi.h>
#include <linux/hashtable.h>
#include <linux/skbuff.h>
#include <linux/workqueue.h>
#include <net/st_llp.h>

/* The longest operation: both ends have to name the same, VI-DG 3.3.2, whatever STU they have */
#define ST_FCVI_STU_MAX		16
#define ST_FCVI_MAX_LEN		(ST_HDR_LEN + BIT(ST_FCVI_STU_MAX))

/**
 * enum st_fcvi_class - what a VI carries, so that a failed Data VI does not take Control down
 * @ST_FCVI_CONTROL: the Control Channel
 * @ST_FCVI_DATA: the Data Channels
 * @ST_FCVI_CLASSES: how many there are
 */
enum st_fcvi_class {
	ST_FCVI_CONTROL,
	ST_FCVI_DATA,
	ST_FCVI_CLASSES,
};

/**
 * struct st_fcvi_point - where clients may connect to
 * @point: what fcvi has
 * @f: the link
 * @class: what its VIs carry
 */
struct st_fcvi_point {
	struct fcvi_point	point;
	struct st_fcvi		*f;
	enum st_fcvi_class	class;
};

/**
 * struct st_fcvi - a link.  All but the works and @received is under the lock of the port
 * @list: in the list of all links, under RTNL
 * @link: what af_st has
 * @port: the port, with a reference
 * @attrs: attributes of all VIs
 * @points: where clients may connect to
 * @peers: struct st_fcvi_peer by address
 * @servers: struct st_fcvi_vi that remote ports have made
 * @over: struct st_fcvi_vi that have ended
 * @reap: frees them, which must not be done in a call of fcvi
 * @kept: bytes of operations that are not complete
 * @ending: nothing begins any more
 * @received: operations, for @deliver
 * @deliver: hands them to af_st without the lock, as that may send
 * @rcu: frees it
 */
struct st_fcvi {
	struct list_head	list;
	struct st_link		*link;
	struct fcvi_port	*port;
	struct fcvi_attrs	attrs;
	struct st_fcvi_point	points[ST_FCVI_CLASSES];
	DECLARE_HASHTABLE(peers, 6);
	struct list_head	servers;
	struct list_head	over;
	struct work_struct	reap;
	unsigned int		kept;
	bool			ending;
	struct sk_buff_head	received;
	struct work_struct	deliver;
	struct rcu_head		rcu;
};

/**
 * struct st_fcvi_peer - a peer, by one of its Host Addresses
 * @node: in st_fcvi.peers
 * @f: the link
 * @host: the address
 * @local: own address, as the peer knows it; ``::``: it knows none yet
 * @route: the route to it, from the connect of af_st, or from when the peer has connected, to the
 *	disconnect; or NULL
 * @held: there is a reference to @route
 * @until: jiffies: a connection was lost shortly before, and a peer that cannot be reached is tried
 *	again
 * @vis: struct st_fcvi_vi with the peer
 * @tx: those that operations are sent on, which are connected; or NULL
 */
struct st_fcvi_peer {
	struct hlist_node	node;
	struct st_fcvi		*f;
	struct in6_addr		host;
	struct in6_addr		local;
	struct st_route		*route;
	bool			held;
	unsigned long		until;
	struct list_head	vis;
	struct st_fcvi_vi	*tx[ST_FCVI_CLASSES];
};

/**
 * struct st_fcvi_vi - a VI
 * @list: in st_fcvi_peer.vis, or in st_fcvi.over
 * @server: in st_fcvi.servers; empty: this side has made it
 * @peer: the peer; NULL: it has ended
 * @vi: what fcvi has
 * @class: what it carries
 * @connected: operations can be sent
 * @wwpn: Port_Name of the remote port, with @server
 * @queued: operations that are being sent
 * @kept: bytes of operations that are not complete
 */
struct st_fcvi_vi {
	struct list_head	list;
	struct list_head	server;
	struct st_fcvi_peer	*peer;
	struct fcvi_vi		*vi;
	enum st_fcvi_class	class;
	bool			connected;
	u64			wwpn;
	unsigned int		queued;
	unsigned int		kept;
};

/* fcvi_message.c */
extern const struct fcvi_user_ops st_fcvi_ops;

int st_fcvi_send(struct st_fcvi_vi *v, struct sk_buff *skb);
void st_fcvi_deliver(struct work_struct *work);

/* fcvi_peer.c */
struct st_fcvi_peer *st_fcvi_peer_find(struct st_fcvi *f, const u8 *addr);
int st_fcvi_connect(struct st_route *route);
void st_fcvi_disconnect(struct st_route *route);
void st_fcvi_request(struct fcvi_point *point, struct fcvi_setup *setup);
void st_fcvi_tell(struct fcvi_vi *vi, enum fcvi_news news);
void st_fcvi_reap(struct work_struct *work);
void st_fcvi_peers_end(struct st_fcvi *f);

/* fcvi.c */
void st_fcvi_addr(struct fcvi_addr *addr, const struct in6_addr *host, enum st_fcvi_class class);

#endif
