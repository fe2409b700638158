/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ways: what a Virtual Connection runs over, and what is known of it.
 */
#ifndef _NET_ST_WAY_H
#define _NET_ST_WAY_H

#include <linux/list.h>
#include <linux/types.h>

#include "flow.h"
#include "pace.h"

struct st_link;
struct st_sock;

/**
 * struct st_path - what is known of the way from the peer to here
 * @flow: what is on its way at full rate
 * @rtt_min: shortest time from Clear_To_Send to Data, microseconds; 0: none measured
 * @stus: STUs in a Block, log2, more than at first
 * @seen: Blocks that have come since @stus was set
 * @lost: Blocks that were asked for again since then
 * @reorder: more later STUs than usual that tell the loss of one before them
 */
struct st_path {
	struct st_flow	flow;
	u32		rtt_min;
	int		stus;
	unsigned int	seen;
	unsigned int	lost;
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
};

#endif
