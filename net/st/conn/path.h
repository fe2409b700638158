/* SPDX-License-Identifier: GPL-2.0 */
/* Paths of a Virtual Connection, and their state. */
#ifndef _NET_ST_PATH_H
#define _NET_ST_PATH_H

#include <linux/list.h>
#include <linux/sockptr.h>
#include <linux/types.h>
#include <uapi/linux/st.h>

#include "link/bdp.h"
#include "conn/retrans.h"
#include "link/pace.h"

struct st_delivery;
struct st_link;
struct st_op;
struct st_route;
struct st_rx;
struct st_sock;

/**
 * struct st_path_stats - measurements of the path from the peer to this end
 * @flow: bandwidth-delay product
 * @rtt_min: minimum time from Clear_To_Send to Data, microseconds; 0: not measured
 * @block: time from Clear_To_Send to the last Data of a Block
 * @stus: STUs in a Block, log2, in addition to the initial number
 * @seen: Blocks that have arrived since @stus was set
 * @lost: Blocks that were asked for again since then
 * @clean: Blocks that have arrived since a Block was last asked for again, up to a limit
 * @reorder: additional later STUs, beyond the usual number, that indicate the loss of an earlier
 *	one
 */
struct st_path_stats {
	struct st_flow	flow;
	u32		rtt_min;
	struct st_rtt	block;
	int		stus;
	unsigned int	seen;
	unsigned int	lost;
	unsigned int	clean;
	unsigned int	reorder;
};

/**
 * struct st_path - a link, and an address of the peer on it
 * @st: its socket
 * @link: the link, with a reference; NULL: none yet
 * @node: in st_link.paths
 * @route: how the LLP of @link reaches @addr, with a reference; NULL: it needs no route
 * @mate: in st_route_core.paths
 * @addr: the address
 * @stats: measurements of the data Destination
 * @paced: its part in the pacing of the link
 * @delivery: functions that depend on the traits of the link
 * @progress: jiffies when Data was last placed, or its placement began
 * @blocks: Blocks that are cleared over it and have not arrived
 * @index: its index, as in st_skb_cb.path; 0: st_sock.paths.first
 *
 * All members but @node, @mate and @paced are protected by st_sock.lock.
 */
struct st_path {
	struct st_sock		*st;
	struct st_link		*link;
	struct hlist_node	node;
	struct st_route		*route;
	struct hlist_node	mate;
	u8			addr[ST_ADDR_MAX];
	struct st_path_stats	stats;
	struct st_paced		paced;
	const struct st_delivery *delivery;
	unsigned long		progress;
	unsigned int		blocks;
	u8			index;
};

/**
 * struct st_probe - state of a path of a striped Virtual Connection, ST annex B
 * @up: Blocks are cleared over it
 * @known: the peer has answered over it at least once
 * @learnt: the path was not configured, but learnt from an operation of the peer
 * @quota: Blocks that may be cleared over it at a time
 * @rest_until: jiffies; valid while @quota is 0
 * @missed: operations without an answer since the last arrival over it
 * @probing: a Request_State has been sent over it as a probe
 * @sync: Sync of the probe
 * @probes: unanswered probes
 * @probe_at: jiffies of the next probe, while @missed or not @up
 * @resting: its route has failed, and is requested again at @route_at
 * @routes: failures of its route since the peer has last answered, up to a limit
 * @route_at: jiffies
 * @tx_bytes: payload sent over it
 * @rx_bytes: payload of complete Blocks received over it
 */
struct st_probe {
	bool			up;
	bool			known;
	bool			learnt;
	unsigned int		quota;
	unsigned long		rest_until;
	unsigned int		missed;
	bool			probing;
	u32			sync;
	unsigned int		probes;
	unsigned long		probe_at;
	bool			resting;
	unsigned int		routes;
	unsigned long		route_at;
	u64			tx_bytes;
	u64			rx_bytes;
};

/**
 * struct st_stripe - state of a Virtual Connection that may use several paths
 * @more: all paths but st_sock.paths.first; a path without a link is unused
 * @probe: state of st_sock.paths.first, then of @more
 * @asked: additional paths requested by the application
 * @nr_asked: number of @asked
 * @turn: the path over which the last Block was cleared
 * @stalled: number of the last Block that has held up all others, plus one
 * @joined: the paths in @asked and those of the administrator have been added
 */
struct st_stripe {
	struct st_path		more[ST_PATHS_MAX - 1];
	struct st_probe		probe[ST_PATHS_MAX];
	struct sockaddr_st	asked[ST_PATHS_MAX - 1];
	unsigned int		nr_asked;
	unsigned int		turn;
	u64			stalled;
	bool			joined;
};

/**
 * struct st_paths - all paths of a Virtual Connection
 * @first: the only path, or the first of several
 * @main: the path for Control operations
 * @by: the path that the current operation arrived on; or NULL
 * @stripe: the other paths; NULL until the socket may have several, then valid until the socket is
 *	freed
 *
 * All members are protected by st_sock.lock.
 */
struct st_paths {
	struct st_path		first;
	struct st_path		*main;
	struct st_path		*by;
	struct st_stripe	*stripe;
};

/* conn/path.c */
void st_path_init(struct st_sock *st, struct st_path *path, unsigned int index);
struct st_path *st_path_at(struct st_sock *st, unsigned int index);
struct st_path *st_path_next(const struct st_path *path);
unsigned int st_paths(const struct st_sock *st);
struct st_path *st_path_find(struct st_sock *st, const struct st_link *link, const u8 *addr);
struct st_path *st_path_add(struct st_sock *st, struct st_link *link, const u8 *addr,
			    bool learnt);
bool st_path_remove(struct st_path *path);
void st_path_leave(struct st_path *path, struct st_path *other);
void st_paths_pass(struct st_sock *st);
void st_paths_leave(struct st_sock *st);
void st_paths_put(struct st_sock *st);
struct st_path *st_stripe_best(struct st_sock *st, struct st_path *but);
struct st_path *st_stripe_other(struct st_sock *st, struct st_path *path);

/* conn/probe.c */
struct st_probe *st_probe_of(const struct st_path *path);
void st_probe_init(struct st_path *path);
bool st_path_works(const struct st_path *path);
bool st_path_usable(const struct st_path *path);
bool st_path_silent(const struct st_path *path);
void st_path_heard(struct st_path *path);
void st_path_missed(struct st_path *path);
void st_path_sent(struct st_path *path, u32 len);
bool st_path_answered(struct st_path *path, const struct st_op *op);
void st_paths_check(struct st_sock *st, unsigned long now);
bool st_path_again(struct st_path *path);
bool st_path_failed(struct st_path *path);

/* conn/multipath.c */
struct st_link *st_stripe_link(const struct st_sock *st, const struct sockaddr_st *to);
int st_stripe_alloc(struct st_sock *st, gfp_t gfp);
void st_stripe_join(struct st_sock *st);
struct st_path *st_stripe_learn(struct st_sock *st, struct st_link *link, const u8 *addr);
bool st_rcv_match(const struct st_sock *st, const struct st_op *op);

#endif
