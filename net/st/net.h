/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the Virtual Connections of a network namespace share: Ports, hosts, links,
 * limits, counters.
 */
#ifndef _NET_ST_NET_H
#define _NET_ST_NET_H

#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/rhashtable.h>
#include <linux/siphash.h>
#include <linux/workqueue.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include <net/st_llp.h>
#include <uapi/linux/st_netlink.h>

struct st_buf;
struct st_op;
struct st_sock;
struct st_path;

/* Discards that table 10 has no name for; counters-get of netlink shows them */
enum st_drop {
	ST_DROP_LENGTH,		/* not a legal length, ST 4.2 */
	ST_DROP_NOMEM,
	ST_DROP_BACKLOG,	/* Request_Connection to a full listener */
	ST_DROP_CTS,		/* Clear_To_Send beyond ST_CTS_MAX */
	ST_DROP_XMIT,		/* refused by the LLP */
	ST_DROP_CONNECTIONS,	/* Virtual Connection over net.st.max_connections */
	ST_DROP_PEER_CONNECTIONS, /* over net.st.max_connections_peer */
	ST_DROP_PEER_MEMORY,	/* received data over net.st.max_memory_peer */
	ST_DROP_MEMORY,		/* over net.st.max_memory */
	ST_DROP_MEMLOCK,	/* pages of an application over RLIMIT_MEMLOCK */
	ST_DROP_REGION_LIMIT,	/* a region beyond a limit of net.st.* */
	ST_DROP_REGION,		/* Request_Memory_Region that nothing was exposed for */
	ST_DROP_GET,		/* Get beyond ST_REPLIES */
	ST_DROP_FETCHOP,	/* FetchOp beyond ST_FETCHES */
	ST_DROP_EVENT,		/* no room for an event in SO_RCVBUF */
	ST_DROP_FRAME,		/* by the LLP, st_link_illegal_frame() */
	ST_DROP_ROUTES,		/* route beyond ST_ROUTES_MAX */
	__ST_DROP_MAX,
};

/* Of what a namespace may have, one part in so many is for CAP_NET_ADMIN */
#define ST_RESERVE	8

/**
 * struct st_stripe_addr - an address of a host, as the administrator says, ST annex B
 * @list: in st_net.stripe_addrs, where those of a host follow each other
 * @host: number of the host, greater than those of hosts before
 * @addr: the address, without Port; the LLP is not ST_LLP_ANY
 * @rcu: frees it
 */
struct st_stripe_addr {
	struct list_head	list;
	u64			host;
	struct sockaddr_st	addr;
	struct rcu_head		rcu;
};

/**
 * struct st_net - AF_ST in a network namespace
 * @net: the namespace
 * @vcs: Virtual Connections by local Key
 * @peers: Virtual Connections by what the peer calls them, to know a
 *	duplicate Request_Connection
 * @links: struct st_link; RTNL to write, RCU to read
 * @stripe_addrs: struct st_stripe_addr, likewise
 * @stripe_hosts: number of the last host that was added there
 * @nr_stripe_addrs: how many addresses these are
 * @stripe_gen: how often they have changed
 * @port_lock: protects @ports and the owner of each
 * @ports: struct st_port by number
 * @hosts: struct st_host
 * @host_lock: protects @hosts, @connections, and those of each host
 * @connections: Virtual Connections, those that are being torn down too
 * @errors: table 10, operations that no Port could be found for
 * @drops: enum st_drop
 * @op_timeout: ms, the longest Op_timeout, ST 10.1
 * @op_timeout_min: ms, the shortest that is measured
 * @max_retry: repeats of an operation, ST 10.1
 * @max_transfer: bytes, the longest record of a send
 * @max_connections: limit of @connections
 * @max_connections_peer: of those with one host
 * @max_memory_peer: bytes of the kernel for what one host has sent and asked for
 * @max_memory: the same of all hosts
 * @memory: of that now
 * @slots: offered by new Virtual Connections, ST 5.2.5
 * @checksum: whether new sockets send checksums, ST 8.3
 * @confirm: ms in which nothing is heard of who asked for a Virtual Connection before
 *	it is asked whether it is there; 0: never
 * @conn_regions: most regions of a Virtual Connection
 * @conn_region_bytes: most bytes in them
 * @max_regions: most regions of the namespace
 * @max_region_bytes: most bytes in them
 * @short_records: offer a peer to take short records by Put, see xfer/short.c
 * @auto_links: attach LLPs of shared media by themselves, ST_ATTACH_IF_ALLOWED
 * @gso: send several STUs as one skb where a device takes that, see wire/gso.c
 * @ingress_hook: take operations before the stack copies them, st_llp_ops.ingress
 * @regions: regions of the namespace now
 * @region_bytes: bytes in them
 * @resolve_lock: protects @resolving
 * @resolving: requests by netlink that wait for a peer with an IP address, netlink/address.c
 * @resolve: looks again for them, and ends those whose time is over
 * @sysctl: table header
 */
struct st_net {
	struct net		*net;
	struct rhashtable	vcs;
	struct rhashtable	peers;
	struct list_head	links;
	struct list_head	stripe_addrs;
	u64			stripe_hosts;
	unsigned int		nr_stripe_addrs;
	unsigned int		stripe_gen;
	spinlock_t		port_lock;	/* @ports, their refcnt and owner */
	DECLARE_HASHTABLE(ports, 10);
	struct rhashtable	hosts;
	spinlock_t		host_lock;	/* @hosts, @connections and theirs */
	unsigned int		connections;
	atomic64_t		errors[__ST_ERR_MAX];
	atomic64_t		drops[__ST_DROP_MAX];
	unsigned int		op_timeout;
	unsigned int		op_timeout_min;
	unsigned int		max_retry;
	unsigned long		max_transfer;
	unsigned int		max_connections;
	unsigned int		max_connections_peer;
	unsigned long		max_memory_peer;
	unsigned long		max_memory;
	atomic64_t		memory;
	unsigned int		slots;
	u8			checksum;
	unsigned int		confirm;
	unsigned int		conn_regions;
	unsigned long		conn_region_bytes;
	unsigned int		max_regions;
	unsigned long		max_region_bytes;
	u8			auto_links;
	u8			short_records;
	u8			gso;
	u8			ingress_hook;
	atomic_t		regions;
	atomic64_t		region_bytes;
	struct mutex		resolve_lock;	/* @resolving */
	struct list_head	resolving;
	struct delayed_work	resolve;
	struct ctl_table_header	*sysctl;
};

/**
 * struct st_port - a Port in use, ST 5.2.1, with its error log, ST 10
 * @node: in st_net.ports
 * @refcnt: sockets on the Port, under st_net.port_lock
 * @owner: socket that bind() gave the Port to; NULL when only accepted
 *	connections are left
 * @num: the number, host order
 * @errors: table 10
 * @undefined_op: last undefined Op
 * @unexpected_op: last unexpected Op
 * @rcu: frees it after the last reader
 */
struct st_port {
	struct hlist_node	node;
	unsigned int		refcnt;
	struct sock		*owner;
	u16			num;
	atomic64_t		errors[__ST_ERR_MAX];
	u8			undefined_op;
	u8			unexpected_op;
	struct rcu_head		rcu;
};

/* Where a host is */
struct st_host_key {
	u32	ifindex;
	u32	llp;
	u8	addr[ST_ADDR_MAX];
};

/**
 * struct st_host - what the Virtual Connections with one remote address share
 * @node: in st_net.hosts
 * @key: the address
 * @refcnt: sockets that refer to it, under st_net.host_lock
 * @connections: Virtual Connections, under st_net.host_lock
 * @mem: bytes of the kernel for what the host has sent and nobody has read, and for what
 *	it has asked for
 */
struct st_host {
	struct rhash_head	node;
	struct st_host_key	key;
	unsigned int		refcnt;
	unsigned int		connections;
	atomic64_t		mem;
};

/* In skb->cb of an operation on its way out */
struct st_skb_cb {
	u8	channel;
	u8	path;
};

#define ST_SKB_CB(skb)	((struct st_skb_cb *)(skb)->cb)

extern unsigned int st_net_id;

static inline struct st_net *st_pernet(const struct net *net)
{
	return net_generic(net, st_net_id);
}

/* What of a limit of the namespace is for users without privileges, or with them */
static inline u64 st_share(u64 limit, bool admin)
{
	return admin ? limit : limit - limit / ST_RESERVE;
}

#endif
