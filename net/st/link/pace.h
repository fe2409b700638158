/* SPDX-License-Identifier: GPL-2.0 */
/* Pacing of Clear_To_Sends over an LLP without flow control. */
#ifndef _NET_ST_PACE_H
#define _NET_ST_PACE_H

#include <linux/list.h>
#include <linux/spinlock.h>

#include "link/bdp.h"

struct st_link;
struct st_path;

#define ST_PACE_HOLD	(HZ / 10)	/* jiffies; Data under way for longer is not counted */

/**
 * struct st_pace - limit of the bytes under way to a link
 * @lock: protects all members below, and struct st_paced of the paths; taken inside st_sock.lock
 * @cleared: bytes cleared and not yet arrived, the sum of all st_paced.held
 * @flow: bandwidth-delay product of the link
 * @waiting: struct st_paced, in the order of their turns
 * @holders: struct st_paced with st_paced.held, the most recently active at the end
 * @stus: st_path.stus as last learnt by any path, where new paths begin; a hint, not under @lock
 */
struct st_pace {
	spinlock_t		lock;		/* all */
	u64			cleared;
	struct st_flow		flow;
	struct list_head	waiting;
	struct list_head	holders;
	int			stus;
};

/**
 * struct st_paced - the part of a path in the pacing of its link
 * @wait: in st_pace.waiting
 * @holder: in st_pace.holders
 * @held: bytes that it has cleared and that have not arrived
 * @turn: the part of @held that it may clear in its turn and has not yet cleared
 * @want: bytes that it waits for
 * @heard: jiffies of its last Clear_To_Send or arrived Block
 */
struct st_paced {
	struct list_head	wait;
	struct list_head	holder;
	u64			held;
	u64			turn;
	u64			want;
	unsigned long		heard;
};

/* link/pace.c */
int st_pace_init(struct st_link *link);
bool st_pace_take(struct st_path *path, u64 len);
void st_pace_arrived(struct st_path *path, u64 len, bool held);
void st_pace_return(struct st_path *path, u64 len);
void st_pace_pass(struct st_path *path);
void st_pace_leave(struct st_path *path);

#endif
