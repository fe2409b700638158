/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of a network namespace, shared by its Virtual Connections: Ports, hosts, links, limits,
 * counters.
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

/* Drops without a name in table 10; reported by counters-get of netlink */
enum st_drop {
	ST_DROP_LENGTH,		/* illegal length, ST 4.2 */
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
	ST_DROP_REGION,		/* Request_Memory_Region without a matching offer */
	ST_DROP_GET,		/* Get beyond ST_REPLIES */
	ST_DROP_FETCHOP,	/* FetchOp beyond ST_FETCHES */
	ST_DROP_EVENT,		/* event without room in SO_RCVBUF */
	ST_DROP_FRAME,		/* by the LLP, st_link_illegal_frame() */
	ST_DROP_ROUTES,		/* route beyond ST_ROUTES_MAX */
	__ST_DROP_MAX,
};

/* A fraction 1/ST_RESERVE of the limits of a namespace is for CAP_NET_ADMIN */
#define ST_RESERVE	8

/**
 * struct st_stripe_addr - an address of a host, set by the administrator, ST annex B
 * @list: in st_net.stripe_addrs, where the addresses of a host are consecutive
 * @host: number of the host, in ascending order
 * @addr: the address, without Port; the LLP is not ST_LLP_ANY
 * @rcu: frees it after a grace period
 */
struct st_stripe_addr {
	struct list_head	list;
	u64			host;
	struct sockaddr_st	addr;
	struct rcu_head		rcu;
};

/**
 * struct st_net - state of AF_ST in a network namespace
 * @net: the namespace
 * @vcs: Virtual Connections by local Key
 * @peers: Virtual Connections by the peer's address, Port and Key, to detect a duplicate
 *	Request_Connection
 * @links: struct st_link; RTNL to write, RCU to read
 * @stripe_addrs: struct st_stripe_addr, likewise
 * @stripe_hosts: number of the last host that was added to @stripe_addrs
 * @nr_stripe_addrs: number of @stripe_addrs
 * @stripe_gen: incremented when @stripe_addrs changes
 * @port_lock: protects @ports and their owners
 * @ports: struct st_port by number
 * @hosts: struct st_host
 * @host_lock: protects @hosts and @connections, also those of each host
 * @connections: Virtual Connections, including those that are torn down
 * @errors: table 10, for operations without a Port
 * @drops: enum st_drop
 * @op_timeout: ms, maximum of Op_timeout, ST 10.1
 * @op_timeout_min: ms, minimum of a measured Op_timeout
 * @max_retry: repeats of an operation, ST 10.1
 * @max_transfer: bytes, maximum record of a send
 * @max_connections: limit of @connections
 * @max_connections_peer: limit of Virtual Connections with one host
 * @max_memory_peer: bytes, limit of kernel memory for data and requests of one host
 * @max_memory: bytes, limit of kernel memory for data and requests of all hosts
 * @memory: bytes, present amount of that memory
 * @slots: Slots offered by new Virtual Connections, ST 5.2.5
 * @checksum: whether new sockets send checksums, ST 8.3
 * @confirm: ms of silence after which the initiator of an accepted Virtual Connection is probed; 0:
 *	never
 * @conn_regions: limit of regions of a Virtual Connection
 * @conn_region_bytes: limit of bytes in them
 * @max_regions: limit of regions of the namespace
 * @max_region_bytes: limit of bytes in them
 * @short_records: offer to peers to Put short records, see xfer/short.c
 * @auto_links: attach LLPs of shared media automatically, ST_ATTACH_IF_ALLOWED
 * @gso: send several STUs as one skb if the device supports it, see wire/gso.c
 * @ingress_hook: receive operations before the stack copies them, st_llp_ops.ingress
 * @regions: number of regions of the namespace
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
	spinlock_t		host_lock;	/* @hosts, @connections, also of each host */
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
 * @refcnt: sockets that use the Port, under st_net.port_lock
 * @owner: the socket bound to the Port; NULL when only accepted connections are left
 * @num: the Port number, in host byte order
 * @errors: table 10
 * @undefined_op: last undefined Op
 * @unexpected_op: last unexpected Op
 * @rcu: frees it after a grace period
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

/* Location of a host */
struct st_host_key {
	u32	ifindex;
	u32	llp;
	u8	addr[ST_ADDR_MAX];
};

/**
 * struct st_host - a remote address, shared by its Virtual Connections
 * @node: in st_net.hosts
 * @key: the address
 * @refcnt: sockets with a reference, under st_net.host_lock
 * @connections: number of Virtual Connections, under st_net.host_lock
 * @mem: bytes of kernel memory for data of the host that is unread, and for its requests
 */
struct st_host {
	struct rhash_head	node;
	struct st_host_key	key;
	unsigned int		refcnt;
	unsigned int		connections;
	atomic64_t		mem;
};

/* In skb->cb of an outgoing operation */
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

/* The part of a limit of the namespace for users with or without CAP_NET_ADMIN. */
static inline u64 st_share(u64 limit, bool admin)
{
	return admin ? limit : limit - limit / ST_RESERVE;
}

#endif
