/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How much is cleared to send at a time over an LLP that has no credit.
 */
#ifndef _NET_ST_PACE_H
#define _NET_ST_PACE_H

#include <linux/list.h>
#include <linux/spinlock.h>

#include "link/bdp.h"

struct st_link;
struct st_path;

#define ST_PACE_HOLD	(HZ / 10)	/* jiffies; what has not come by then counts no more */

/**
 * struct st_pace - what may be on its way to a link
 * @lock: protects all that follows, and struct st_paced of its paths;
 *	taken inside st_sock.lock
 * @cleared: bytes that are cleared to send and have not come, st_paced.held of all
 * @flow: what the link needs
 * @waiting: struct st_paced, in the order of their turns
 * @holders: struct st_paced with st_paced.held, who was heard of last at the end
 * @stus: st_path.stus as learnt last by any of them, where the next begin; a hint, not
 *	under @lock
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
 * struct st_paced - the part of a path of a Virtual Connection in it
 * @wait: in st_pace.waiting
 * @holder: in st_pace.holders
 * @held: bytes that it has cleared, and that have not come
 * @turn: of @held those that are not cleared yet, as its turn has come
 * @want: bytes that it waits for
 * @heard: jiffies of the last that it has cleared or that has come
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
