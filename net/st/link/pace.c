// SPDX-License-Identifier: GPL-2.0
/*
 * Pacing of Clear_To_Sends over all Virtual Connections of a link, if the LLP has no flow control:
 * as many bytes are cleared as keep the link busy, and few more.
 *
 * That is twice the bandwidth-delay product, see bdp.c.  Homa and NDP pace in the same way, but
 * assume a link of known rate; here the bottleneck may be anywhere on the path.
 *
 * A path that wants to clear more waits for its turn; each turn is one Block, so all get the same
 * share.  Bytes that were cleared and do not arrive are no longer counted after a while: they are
 * lost, or their sender holds them back.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/slab.h>

#include "conn/path.h"
#include "link/link.h"
#include "link/upcall.h"

#define ST_PACE_MIN	BIT(16)		/* bytes that may always be cleared */

/**
 * st_pace_init - set up the pacing of a link
 * @link: the link, new; the LLP has no flow control
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int st_pace_init(struct st_link *link)
{
	struct st_pace *pace = kzalloc(sizeof(*pace), GFP_KERNEL);

	if (!pace)
		return -ENOMEM;
	spin_lock_init(&pace->lock);
	INIT_LIST_HEAD(&pace->waiting);
	INIT_LIST_HEAD(&pace->holders);
	st_link_core(link)->pace = pace;
	return 0;
}

/* NULL without pacing */
static struct st_pace *st_pace_of(const struct st_path *path)
{
	return path->link ? st_link_core(path->link)->pace : NULL;
}

static void st_paced_hold(struct st_pace *pace, struct st_paced *p, u64 len)
{
	p->held += len;
	pace->cleared += len;
	p->heard = jiffies;
	list_move_tail(&p->holder, &pace->holders);
}

static void st_paced_drop(struct st_pace *pace, struct st_paced *p, u64 len)
{
	len = min(len, p->held);
	p->held -= len;
	pace->cleared -= len;
	if (!p->held)
		list_del_init(&p->holder);
}

/* Paths that have been silent for long hold nothing any more. */
static void st_pace_expire(struct st_pace *pace)
{
	struct st_paced *p, *next;

	list_for_each_entry_safe(p, next, &pace->holders, holder) {
		if (time_before(jiffies, p->heard + ST_PACE_HOLD))
			break;
		p->turn = 0;
		st_paced_drop(pace, p, p->held);
	}
}

/* Give turns to waiting paths.  @self: the caller, which is not notified; or NULL. */
static void st_pace_turns(struct st_pace *pace, const struct st_paced *self)
{
	u64 room = st_flow_room(&pace->flow, 2, ST_PACE_MIN);
	struct st_paced *p, *next;

	list_for_each_entry_safe(p, next, &pace->waiting, wait) {
		if (pace->cleared >= room)
			break;
		list_del_init(&p->wait);
		p->turn = p->want;
		st_paced_hold(pace, p, p->turn);
		if (p != self)
			st_up->turn(p);
	}
}

/**
 * st_pace_take - ask to clear a Block
 * @path: the path to clear it over
 * @len: length of the Block, bytes
 *
 * If it must wait, st_tx_work() runs when its turn has come.
 *
 * Context: under st->lock.
 * Return: false when it must wait.  The paths that hold the bytes may never send, so the caller
 * tries again after %ST_PACE_HOLD.
 */
bool st_pace_take(struct st_path *path, u64 len)
{
	struct st_pace *pace = st_pace_of(path);
	struct st_paced *p = &path->paced;
	bool ok;

	if (!pace)
		return true;
	/* The path has left, see st_link_leave() */
	if (hlist_unhashed(&path->node))
		return false;
	spin_lock_bh(&pace->lock);
	if (!p->turn) {
		if (list_empty(&p->wait))
			list_add_tail(&p->wait, &pace->waiting);
		p->want = len;
		st_pace_expire(pace);
		st_pace_turns(pace, p);
	}
	ok = p->turn;
	if (ok && p->turn > len)
		st_paced_drop(pace, p, p->turn - len);
	else if (ok)
		st_paced_hold(pace, p, len - p->turn);
	p->turn = 0;
	spin_unlock_bh(&pace->lock);
	return ok;
}
EXPORT_SYMBOL_IF_KUNIT(st_pace_take);

/**
 * st_pace_arrived - all of a Block has arrived
 * @path: the path it was cleared over
 * @len: length of the Block, bytes
 * @held: st_pace_take() has granted it to @path
 *
 * Context: under st->lock.
 */
void st_pace_arrived(struct st_path *path, u64 len, bool held)
{
	struct st_pace *pace = st_pace_of(path);

	if (!pace)
		return;
	spin_lock_bh(&pace->lock);
	if (held)
		st_paced_drop(pace, &path->paced, len);
	if (path->paced.held)
		st_paced_hold(pace, &path->paced, 0);
	st_flow_arrived(&pace->flow, ktime_to_us(ktime_get()) ?: 1, len, path->stats.rtt_min);
	st_pace_turns(pace, NULL);
	spin_unlock_bh(&pace->lock);
}
EXPORT_SYMBOL_IF_KUNIT(st_pace_arrived);

/**
 * st_pace_return - a Block will not arrive
 * @path: the path it was cleared over
 * @len: length of the Block, bytes
 *
 * Context: under st->lock.
 */
void st_pace_return(struct st_path *path, u64 len)
{
	struct st_pace *pace = st_pace_of(path);

	if (!pace)
		return;
	spin_lock_bh(&pace->lock);
	st_paced_drop(pace, &path->paced, len);
	st_pace_turns(pace, NULL);
	spin_unlock_bh(&pace->lock);
}
EXPORT_SYMBOL_IF_KUNIT(st_pace_return);

/**
 * st_pace_pass - give up a turn
 * @path: path of a Virtual Connection that has nothing more to clear
 *
 * Context: under st->lock.
 */
void st_pace_pass(struct st_path *path)
{
	struct st_pace *pace = st_pace_of(path);

	if (!pace)
		return;
	spin_lock_bh(&pace->lock);
	if (path->paced.turn) {
		st_paced_drop(pace, &path->paced, path->paced.turn);
		path->paced.turn = 0;
		st_pace_turns(pace, NULL);
	}
	spin_unlock_bh(&pace->lock);
}
EXPORT_SYMBOL_IF_KUNIT(st_pace_pass);

/**
 * st_pace_leave - remove a path from the pacing
 * @path: the path
 *
 * Context: under st->lock.
 */
void st_pace_leave(struct st_path *path)
{
	struct st_pace *pace = st_pace_of(path);

	if (!pace)
		return;
	spin_lock_bh(&pace->lock);
	list_del_init(&path->paced.wait);
	path->paced.turn = 0;
	st_paced_drop(pace, &path->paced, path->paced.held);
	st_pace_turns(pace, NULL);
	spin_unlock_bh(&pace->lock);
}
EXPORT_SYMBOL_IF_KUNIT(st_pace_leave);
