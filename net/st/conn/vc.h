/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Virtual Connections: who the two ends are, and what they have told each other.
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
 * What a peer calls a Virtual Connection, for st_net.peers.  Equal addresses of two LLPs on a
 * device need not be one peer's.
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
 * @peer_node: in st_net.peers, when accepted
 * @used: there was a Virtual Connection, and a socket has one in its life
 * @local_key: our Key
 * @peer: the peer's Port, Key, LLP and address
 * @host: who else has Virtual Connections with that address; NULL when there was
 *	no Virtual Connection yet
 * @local_max_stu: log2, offered at setup, ST 5.2.4
 * @remote_bufsize: log2, ST 5.2.3
 * @remote_max_stu: log2
 * @checksum: operations are sent with a checksum
 * @peer_checksum: the peer has sent one
 * @out_of_order: both ends take Blocks in any order
 * @remote_function: what the peer is able to do, Function of ST 8.2
 * @hashed: in st_net.vcs, with a reference
 * @peer_hashed: in st_net.peers
 * @routing: what sets the Virtual Connection up, or answers that, waits for the route
 * @retrans: Request_Connection, Request_Disconnect or Disconnect_Answer
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
