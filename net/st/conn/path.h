/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ways: what a Virtual Connection runs over, and what is known of it.
 */
#ifndef _NET_ST_PATH_H
#define _NET_ST_PATH_H

#include <linux/list.h>
#include <linux/sockptr.h>
#include <linux/types.h>
#include <uapi/linux/st.h>

#include "link/bdp.h"
#include "conn/retrans.h"
#include "link/pace.h"

struct st_link;
struct st_op;
struct st_rx;
struct st_sock;

/**
 * struct st_path - what is known of the way from the peer to here
 * @flow: what is on its way at full rate
 * @rtt_min: shortest time from Clear_To_Send to Data, microseconds; 0: none measured
 * @block: time from Clear_To_Send to all of a Block
 * @stus: STUs in a Block, log2, more than at first
 * @seen: Blocks that have come since @stus was set
 * @lost: Blocks that were asked for again since then
 * @clean: Blocks that have come since one was asked for again, up to a limit
 * @reorder: more later STUs than usual that tell the loss of one before them
 */
struct st_path {
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
 * struct st_way - a link, and an address of the peer on it
 * @st: whose it is
 * @link: the link, with a reference; NULL: none yet
 * @node: in st_link.ways
 * @addr: the address
 * @path: what the data Destination knows of it
 * @paced: its part in what may be on its way to the link
 * @progress: jiffies of the last Data placed, or begun to be
 * @blocks: Blocks that are cleared over it and have not come
 * @index: in st_skb_cb.way; 0: st_sock.way
 *
 * All but @node and @paced is protected by st_sock.lock.
 */
struct st_way {
	struct st_sock		*st;
	struct st_link		*link;
	struct hlist_node	node;
	u8			addr[ST_ADDR_MAX];
	struct st_path		path;
	struct st_paced		paced;
	unsigned long		progress;
	unsigned int		blocks;
	u8			index;
};

/**
 * struct st_strand - what striping knows of a way, ST annex B
 * @up: Blocks are cleared over it
 * @known: the peer has answered over it once
 * @learnt: nobody has asked for it, something came over it
 * @quota: Blocks that may be cleared over it at a time
 * @rest_until: jiffies, while @quota is 0
 * @missed: what was not answered since the last that came over it
 * @probing: a Request_State has been sent over it, to see whether it works
 * @probe: Sync of that
 * @probes: how often in vain
 * @probe_at: jiffies of the next, while @missed or not @up
 * @tx_bytes: payload sent over it
 * @rx_bytes: payload of Blocks that came over it whole
 */
struct st_strand {
	bool			up;
	bool			known;
	bool			learnt;
	unsigned int		quota;
	unsigned long		rest_until;
	unsigned int		missed;
	bool			probing;
	u32			probe;
	unsigned int		probes;
	unsigned long		probe_at;
	u64			tx_bytes;
	u64			rx_bytes;
};

/**
 * struct st_stripe - a Virtual Connection that may run over several ways
 * @more: all of them but st_sock.way; those without a link are not in use
 * @strand: of st_sock.way, then of @more
 * @asked: what the application wants it to run over besides
 * @nr_asked: how many these are
 * @turn: way that the last Block was cleared over
 * @stalled: the Block that has held all others up last, plus one
 * @joined: @asked and what the administrator wants are in use
 */
struct st_stripe {
	struct st_way		more[ST_WAYS_MAX - 1];
	struct st_strand	strand[ST_WAYS_MAX];
	struct sockaddr_st	asked[ST_WAYS_MAX - 1];
	unsigned int		nr_asked;
	unsigned int		turn;
	u64			stalled;
	bool			joined;
};

/* conn/path.c */
void st_way_init(struct st_sock *st, struct st_way *way, unsigned int index);
struct st_way *st_way_at(struct st_sock *st, unsigned int index);
struct st_way *st_way_next(const struct st_way *way);
unsigned int st_ways(const struct st_sock *st);
struct st_way *st_way_find(struct st_sock *st, const struct st_link *link, const u8 *addr);
struct st_way *st_way_add(struct st_sock *st, struct st_link *link, const u8 *addr);
bool st_way_remove(struct st_way *way);
void st_way_leave(struct st_way *way, struct st_way *other);
void st_ways_pass(struct st_sock *st);
void st_ways_leave(struct st_sock *st);
void st_ways_put(struct st_sock *st);
struct st_way *st_stripe_best(struct st_sock *st, struct st_way *but);
struct st_way *st_stripe_other(struct st_sock *st, struct st_way *way);

/* conn/probe.c */
struct st_strand *st_strand_of(const struct st_way *way);
void st_strand_init(struct st_way *way);
bool st_way_works(const struct st_way *way);
bool st_way_usable(const struct st_way *way);
bool st_way_silent(const struct st_way *way);
void st_way_heard(struct st_way *way);
void st_way_missed(struct st_way *way);
void st_way_sent(struct st_way *way, u32 len);
bool st_way_answered(struct st_way *way, const struct st_op *op);
void st_ways_check(struct st_sock *st, unsigned long now);
bool st_way_again(struct st_way *way);

/* conn/multipath.c */
struct st_link *st_stripe_link(const struct st_sock *st, const struct sockaddr_st *to);
int st_stripe_alloc(struct st_sock *st, gfp_t gfp);
void st_stripe_join(struct st_sock *st);
struct st_way *st_stripe_learn(struct st_sock *st, struct st_link *link, const u8 *addr);
bool st_rcv_match(const struct st_sock *st, const struct st_op *op);

#endif
