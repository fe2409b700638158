/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Virtual Connections: the two ends, and what they have told each other.
 */
#ifndef _NET_ST_VC_H
#define _NET_ST_VC_H

#include <linux/rhashtable-types.h>
#include <uapi/linux/st.h>

#include "conn/retrans.h"

struct net;
struct st_host;
struct st_net;
struct st_sock;

/*
 * A Virtual Connection as the peer identifies it, for st_net.peers.  The LLP is part of it: two
 * LLPs on a device may use the same address for different hosts.
 */
struct st_peer {
	u32	key;
	u16	port;
	u16	llp;
	u32	ifindex;
	u8	addr[ST_ADDR_MAX];
};

/**
 * struct st_vc - the two ends of a Virtual Connection, ST 5.2
 * @node: in st_net.vcs
 * @peer_node: in st_net.peers, for an accepted connection
 * @used: the socket has had its Virtual Connection; it has one at most
 * @local_key: our Key
 * @peer: the peer's Port, Key, LLP and address
 * @host: the host at that address; NULL before the Virtual Connection
 * @local_max_stu: log2, offered at setup, ST 5.2.4
 * @remote_bufsize: log2, ST 5.2.3
 * @remote_max_stu: log2
 * @checksum: send operations with a checksum
 * @peer_checksum: the peer has sent a checksum
 * @out_of_order: both ends take Blocks in any order
 * @remote_function: capabilities of the peer, the Function of ST 8.2
 * @hashed: in st_net.vcs, with a reference
 * @peer_hashed: in st_net.peers
 * @routing: the setup of the Virtual Connection, or the answer to it, waits for the route
 * @retrans: of a Request_Connection, Request_Disconnect or Disconnect_Answer
 *
 * All of it is protected by st_sock.lock.
 */
struct st_vc {
	struct rhash_head	node;
	struct rhash_head	peer_node;
	bool			used;
	u32			local_key;
	struct st_peer		peer;
	struct st_host		*host;
	u8			local_max_stu;
	u8			remote_bufsize;
	u8			remote_max_stu;
	bool			checksum;
	bool			peer_checksum;
	bool			out_of_order;
	u8			remote_function;
	bool			hashed;
	bool			peer_hashed;
	bool			routing;
	struct st_retrans	retrans;
};

/* conn/vc.c */
void st_vc_unhash(struct st_sock *st);
struct st_sock *st_vc_find(struct st_net *sn, u32 key);
int st_vc_hash(struct st_sock *st);
int st_vc_hash_peer(struct st_sock *st);
struct st_sock *st_vc_find_peer(struct st_net *sn, const struct st_peer *peer);
int st_conn_init(struct net *net);
void st_conn_exit(struct net *net);

#endif
