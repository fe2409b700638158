// SPDX-License-Identifier: GPL-2.0
/*
 * The schedule of Clear_To_Sends over all Virtual Connections of a link, where the LLP
 * has no credit: so many bytes are cleared to send that the link is busy, and few more.
 *
 * That is twice what is on its way at full rate, see bdp.c.  What Homa and NDP do in the
 * same way starts from a link of known rate; here the slowest place may be anywhere
 * before us.
 *
 * Who wants to clear more than that waits for its turn, one Block each, so that all get
 * the same.  What was cleared and does not come is not counted any more after a while:
 * it was lost, or its sender holds it back.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/slab.h>

#include "conn/path.h"
#include "link/link.h"
#include "link/upcall.h"

#define ST_PACE_MIN	BIT(16)		/* bytes that are cleared in any case */

/**
 * st_pace_init - begin to pace a link
 * @link: the link, new; the LLP has no credit
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

/* NULL where nothing is paced */
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

/* Who was not heard of for long holds nothing any more. */
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

/* Give turns to those who wait.  @self: who calls, and needs not be told; or NULL. */
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
 * @path: what the Block is cleared over
 * @len: bytes of the Block
 *
 * Where it must wait, st_tx_work() runs when its turn has come.
 *
 * Context: under st->lock.
 * Return: false when it must wait.  Those that are waited for may never send, so the caller asks
 * again after %ST_PACE_HOLD.
 */
bool st_pace_take(struct st_path *path, u64 len)
{
	struct st_pace *pace = st_pace_of(path);
	struct st_paced *p = &path->paced;
	bool ok;

	if (!pace)
		return true;
	/* It is over, see st_link_leave() */
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
 * st_pace_arrived - all of a Block has come
 * @path: what the Block is cleared over
 * @len: bytes of the Block
 * @held: st_pace_take() has let it be cleared over @path
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
 * st_pace_return - a Block will not come
 * @path: what the Block is cleared over
 * @len: bytes of the Block
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
 * st_pace_pass - have no use for a turn
 * @path: of a Virtual Connection that has cleared all that it wants to
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
 * st_pace_leave - nothing is cleared over a path any more
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
