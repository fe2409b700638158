// SPDX-License-Identifier: GPL-2.0
/*
 * Operations on their way out: Slots, checksums, repeats after an Op_timeout.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/st_compat.h>
#include <linux/timer.h>

#include "conn/conn.h"

#define ST_FLUSH	256	/* operations that one caller hands to the LLP */
#define ST_SLOTS_KEPT	4	/* most Slots that are left free by what the peer keeps */

/**
 * st_op_init - begin an operation to the peer of a Virtual Connection
 * @st: the Virtual Connection
 * @op: filled in, all other fields zero
 * @code: enum st_opcode
 * @flags: ST figure 13
 *
 * Context: under st->lock.
 */
void st_op_init(const struct st_sock *st, struct st_op *op, u8 code, u16 flags)
{
	*op = (struct st_op) {
		.op = code,
		.flags = flags,
		.d_port = st->peer.port,
		.s_port = st->port->num,
		.d_key = st->peer.key,
	};
}

/**
 * st_slots_left - whether an operation that moves data may be sent, ST 5.2.5
 * @st: the Virtual Connection
 *
 * Context: under st->lock.
 * Return: true when more than the Slot held in reserve is free at the peer.
 */
bool st_slots_left(const struct st_sock *st)
{
	return st->remote_slots == ST_SLOTS_NONE || st->remote_slots > 1;
}

/**
 * st_slot_take - use up a Slot of the peer for an operation, ST 5.2.5
 * @st: the Virtual Connection
 * @reserve: the operation is one of those the Slot in reserve is for.  It is
 *	sent in any case: that the peer may discard it, and is asked again, does
 *	less harm than no answer.
 *
 * Asks for the current number in time.
 *
 * Context: under st->lock.
 * Return: false when the operation must wait; never with @reserve.
 */
bool st_slot_take(struct st_sock *st, bool reserve)
{
	if (st->remote_slots == ST_SLOTS_NONE)
		return true;
	if (!reserve && !st_slots_left(st)) {
		st_queue_request_state(st);
		return false;
	}
	/* The question goes first: its Sync counts what the peer has got by then, ST 6.2.9 */
	if (st->remote_slots <= st->remote_slots_max / 4 + 1)
		st_queue_request_state(st);
	if (st->remote_slots)
		st->remote_slots--;
	st->slot_ops++;
	return true;
}

/*
 * The least that are left free by what the peer keeps.  One that has few is left fewer: the answer
 * to a question of its own may take one whenever it is asked.
 */
static u16 st_slots_kept(const struct st_sock *st, unsigned int keep)
{
	u16 max = st->remote_slots_max;

	return max > 4 ? min(keep, max - 2U) : max > 2 ? 2 : 1;
}

/**
 * st_slots_to_keep - whether an operation may be sent that the peer keeps, ST 5.2.5
 * @st: the Virtual Connection
 * @what: what kind
 *
 * The peer may keep what announces a Transfer until its application has read those before.
 * If all Slots but the one in reserve were used up so, Data of a Transfer before could
 * not be acknowledged, nor be cleared in the other direction, and the application would
 * wait for that.  So one more is left.  As an application may also wait for a record, a
 * Read or a request for a region before it deals with the others, each kind leaves one for
 * every other kind of which the peer need not have any.
 *
 * Context: under st->lock.
 * Return: true when enough are left besides it.  With less than three Slots the peer has to
 * free one before anything else can be sent, with less than six some kinds wait for others.
 */
bool st_slots_to_keep(const struct st_sock *st, enum st_keep what)
{
	unsigned int keep = 2;
	bool region, read;

	lockdep_assert_held(&st->lock);
	/* ST_SLOTS_NONE is many, too */
	if (st->remote_slots > ST_SLOTS_KEPT)
		return true;
	region = st_remote_asking(st);
	read = st_read_asking(st);
	switch (what) {
	case ST_KEEP_REGION:
		if (region)
			keep += 1 + !read;
		break;
	case ST_KEEP_READ:
		keep += read + !region;
		break;
	case ST_KEEP_RECORD:
		keep += !region + !read;
		break;
	}
	return st->remote_slots > st_slots_kept(st, keep);
}

/**
 * st_slot_keep - use up a Slot of the peer for an operation that it keeps, ST 5.2.5
 * @st: the Virtual Connection
 * @what: what kind
 *
 * Asks for the current number in time.
 *
 * Context: under st->lock.
 * Return: false when the operation must wait, see st_slots_to_keep().
 */
bool st_slot_keep(struct st_sock *st, enum st_keep what)
{
	if (st_slots_to_keep(st, what))
		return st_slot_take(st, false);
	st_queue_request_state(st);
	return false;
}

/**
 * st_slots_update - a Request_State_Response told the Slots, ST 5.2.5
 * @st: the Virtual Connection
 * @slots: the Slots in it
 * @sync: its Sync: operations that had been sent when the state was asked for
 *
 * Context: under st->lock.
 */
void st_slots_update(struct st_sock *st, u16 slots, u32 sync)
{
	u32 since = st->slot_ops - sync;

	if (slots == ST_SLOTS_NONE || st->remote_slots == ST_SLOTS_NONE)
		return;
	st->remote_slots_max = max(st->remote_slots_max, slots);
	st->remote_slots = slots > since ? slots - since : 0;
	st->slots_short = st->remote_slots <= max(st->remote_slots_max / 4,
						  st_slots_kept(st, ST_SLOTS_KEPT));
}

/*
 * Whether the question for Slots is open.  When half of those that it left are used, it or its
 * answer may be lost, and is not waited for till no Slot is left and Op_timeout is over.  The
 * second takes a Slot, too.
 */
static bool st_slots_asked(const struct st_sock *st)
{
	return st->slot_guard.armed &&
	       (!st->remote_slots || st->remote_slots > st->slots_asked / 2);
}

/**
 * st_queue_request_state - ask the peer for its Slots, ST 6.1.1.1
 * @st: the Virtual Connection
 *
 * A question that is open is asked again when Slots run out, and a peer that has few free is
 * not asked at the rate of the round trips.  Uses the Slot in reserve.
 *
 * Context: under st->lock.
 */
void st_queue_request_state(struct st_sock *st)
{
	struct st_op op;

	if (st_slots_asked(st) || st->sk.sk_state != ST_ESTABLISHED)
		return;
	if (st->slots_short && time_before(jiffies, st->slots_next)) {
		st_timer_at(st, st->slots_next);
		return;
	}
	st->slots_next = jiffies + st_op_timeout(st) / 16 + 1;
	if (st->remote_slots != ST_SLOTS_NONE) {
		if (st->remote_slots)
			st->remote_slots--;
		st->slot_ops++;
		st->slots_asked = st->remote_slots;
	}
	st_op_init(st, &op, ST_OP_REQUEST_STATE, 0);
	op.sync = st->slot_ops;
	op.d_id = ST_ID_NONE;
	st_guard_start(st, &st->slot_guard, &op);
	st_queue_op(st, &op);
}

/* An operation with @len bytes of payload behind the Schedule Header. */
static struct sk_buff *st_alloc(const struct st_link *link, const struct st_op *op,
				const void *data, u32 len, bool checksum)
{
	/* Two multiples of four, so that the Schedule Header is aligned */
	unsigned int room = LL_RESERVED_SPACE(link->dev) + ALIGN(link->llp->headroom, 4);
	struct st_csum csum;
	struct st_hdr *hdr;
	struct sk_buff *skb;

	skb = alloc_skb(room + ST_HDR_LEN + len + link->dev->needed_tailroom,
			GFP_ATOMIC | __GFP_NOWARN);
	if (!skb)
		return NULL;
	skb_reserve(skb, room);
	hdr = skb_put(skb, ST_HDR_LEN);
	st_op_pack(op, hdr);
	skb_put_data(skb, data, len);
	if (checksum) {
		st_csum_init(&csum);
		st_csum_hdr(&csum, hdr);
		st_csum_add(&csum, csum_partial(data, len, 0), len);
		hdr->cksum = st_csum_finish(&csum);
	}
	ST_SKB_CB(skb)->channel = ST_CONTROL_CHANNEL;
	return skb;
}

/**
 * st_alloc_op - a Control operation as an skb
 * @link: the link it will leave by
 * @op: the operation
 * @checksum: carry a checksum, ST 8.3.2
 *
 * Context: any.
 * Return: the skb, at the Schedule Header, or NULL.
 */
struct sk_buff *st_alloc_op(const struct st_link *link, const struct st_op *op, bool checksum)
{
	return st_alloc(link, op, NULL, 0, checksum);
}

/**
 * st_alloc_data - a short Data operation as an skb
 * @st: the Virtual Connection
 * @op: the operation
 * @data: its payload, which is copied
 * @len: bytes
 *
 * Context: under st->lock.
 * Return: the skb, at the Schedule Header, for the Data Channel in @op, or NULL.
 */
struct sk_buff *st_alloc_data(const struct st_sock *st, const struct st_op *op,
			      const void *data, u32 len)
{
	struct sk_buff *skb = st_alloc(st->main->link, op, data, len, st->checksum);

	if (skb) {
		ST_SKB_CB(skb)->channel = op->flags & ST_F_CHANNEL;
		ST_SKB_CB(skb)->way = st->main->index;
	}
	return skb;
}

static void st_xmit(struct st_link *link, struct sk_buff *skb, const u8 *daddr)
{
	struct st_net *sn = st_pernet(link->net);

	local_bh_disable();
	rcu_read_lock();
	if (READ_ONCE(link->dead)) {
		kfree_skb(skb);
	} else {
		skb->dev = link->dev;
		if (link->llp->xmit(link, skb, ST_SKB_CB(skb)->channel, daddr))
			atomic64_inc(&sn->drops[ST_DROP_XMIT]);
	}
	rcu_read_unlock();
	local_bh_enable();
}

/**
 * st_send_op - send a Control operation outside any Virtual Connection
 * @link: the link
 * @op: the operation
 * @checksum: carry a checksum
 * @daddr: the addressee
 *
 * Context: under no st_sock.lock; any but hard interrupt.
 */
void st_send_op(struct st_link *link, const struct st_op *op, bool checksum, const u8 *daddr)
{
	struct sk_buff *skb = st_alloc_op(link, op, checksum);

	if (skb)
		st_xmit(link, skb, daddr);
	else
		atomic64_inc(&st_pernet(link->net)->drops[ST_DROP_NOMEM]);
}

/**
 * st_queue_op - queue a Control operation to the peer
 * @st: the Virtual Connection
 * @op: the operation
 *
 * It leaves in st_unlock().  An operation that can't be queued counts as lost
 * on the way: what waits for its answer repeats it.
 *
 * Context: under st->lock.
 * Return: 0 or -ENOMEM, also when too many wait.
 */
int st_queue_op(struct st_sock *st, const struct st_op *op)
{
	return st_queue_op_by(st->main, op);
}

/**
 * st_outq_add - an operation is to leave after those before it
 * @st: the Virtual Connection
 * @skb: the operation
 *
 * Context: under st_sock.lock.
 */
void st_outq_add(struct st_sock *st, struct sk_buff *skb)
{
	skb->priority = READ_ONCE(st->sk.sk_priority);
	skb->mark = READ_ONCE(st->sk.sk_mark);
	__skb_queue_tail(&st->outq, skb);
}

/**
 * st_queue_op_by - queue a Control operation to the peer
 * @way: the way it is to go
 * @op: the operation
 *
 * As st_queue_op().
 *
 * Context: under st_sock.lock.
 * Return: 0 or -ENOMEM, also when too many wait.
 */
int st_queue_op_by(struct st_way *way, const struct st_op *op)
{
	struct st_sock *st = way->st;
	struct sk_buff *skb = NULL;
	u8 opt[ST_OPT_LEN];

	if (skb_queue_len(&st->outq) < ST_OUTQ_MAX)
		skb = st_alloc(way->link, op, opt, st_short_offer(st, op, opt), st->checksum);
	if (!skb) {
		atomic64_inc(&st_net_of(st)->drops[ST_DROP_NOMEM]);
		return -ENOMEM;
	}
	ST_SKB_CB(skb)->way = way->index;
	st->info.tx_ops++;
	st_outq_add(st, skb);
	return 0;
}

/**
 * st_timer_at - have st_timer() run at a time, or before
 * @st: the Virtual Connection
 * @when: jiffies
 *
 * Context: under st->lock.
 */
void st_timer_at(struct st_sock *st, unsigned long when)
{
	if (!timer_pending(&st->timer) || time_before(when, st->timer.expires))
		sk_reset_timer(&st->sk, &st->timer, when);
}

/**
 * st_guard_start - begin to wait for the answer to an operation, ST 10.2
 * @st: the Virtual Connection
 * @guard: where
 * @op: what to repeat after Op_timeout
 *
 * Context: under st->lock.
 */
void st_guard_start(struct st_sock *st, struct st_guard *guard, const struct st_op *op)
{
	guard->op = *op;
	guard->tries = 0;
	guard->armed = true;
	guard->paused = false;
	guard->sent = ktime_get();
	guard->since = get_jiffies_64();
	st_guard_wait(st, guard);
}
EXPORT_SYMBOL_IF_KUNIT(st_guard_start);

/*
 * Whether nothing but time is lost when an operation comes twice, or before Data that was
 * sent first: Request_To_Send, and Request_State for a Transfer or for Slots.  An answer to one
 * for a Block says that it has not come.  Of the others the peer may forget that it had them.
 */
static bool st_guard_may_early(const struct st_op *op)
{
	return op->op == ST_OP_REQUEST_TO_SEND ||
	       (op->op == ST_OP_REQUEST_STATE &&
		(op->d_id == ST_ID_NONE || op->b_num == ST_B_NUM_NONE));
}

/* Jiffies that ST_USER_TIMEOUT leaves; 0 or less: none. */
static s64 st_guard_left(const struct st_sock *st, const struct st_guard *guard)
{
	return guard->since + msecs_to_jiffies(st->user_timeout) - get_jiffies_64();
}

/*
 * Whether Max_Retry is a limit beside ST_USER_TIMEOUT: for what no application waits for any
 * more, or not yet, as for the orphans and the half-open connections of TCP.  It takes room that
 * others need.
 */
static bool st_guard_brief(const struct st_sock *st, const struct st_guard *guard)
{
	return guard->brief || sock_flag(&st->sk, SOCK_DEAD) || st_unconfirmed(st) ||
	       (st->sk.sk_state != ST_ESTABLISHED && st->sk.sk_shutdown == SHUTDOWN_MASK);
}

/* Whether an operation has been repeated for as long, or as often, as it may be, ST 10.2. */
static bool st_guard_over(const struct st_sock *st, const struct st_guard *guard)
{
	if (st->user_timeout) {
		if (st_guard_left(st, guard) <= 0)
			return true;
		if (!st_guard_brief(st, guard))
			return false;
	}
	return guard->tries >= guard->early + READ_ONCE(st_net_of(st)->max_retry);
}

/**
 * st_guard_set - when to repeat an operation, or to give it up
 * @st: the Virtual Connection
 * @guard: what waits for an answer
 * @wait: jiffies; ST_USER_TIMEOUT may leave less
 *
 * Context: under st->lock.
 */
void st_guard_set(const struct st_sock *st, struct st_guard *guard, unsigned long wait)
{
	if (st->user_timeout)
		wait = clamp_t(s64, st_guard_left(st, guard), 1, wait);
	guard->expires = jiffies + wait;
}

/**
 * st_guard_wait - wait from now on, till an operation is repeated the next time
 * @st: the Virtual Connection
 * @guard: what waits for an answer
 *
 * Context: under st->lock.
 */
void st_guard_wait(struct st_sock *st, struct st_guard *guard)
{
	unsigned long early = 0;

	if (!guard->tries) {
		/* Where the LLP keeps the order, little is lost and much may wait in it */
		if (st_guard_may_early(&guard->op) && !st->main->link->llp->in_order &&
		    !st->rtt.early)
			early = st_early_timeout(st, &st->rtt);
		guard->early = early;
	}
	st_guard_set(st, guard, early ?: usecs_to_jiffies(st_guard_timeout(st)));
	st_timer_at(st, guard->expires);
}
EXPORT_SYMBOL_IF_KUNIT(st_guard_wait);

/**
 * st_guard_pause - the peer has put its answer off, ST 6.1.2
 * @st: the Virtual Connection
 * @guard: of the operation
 * @delay: jiffies
 *
 * Nothing repeats what it says in the end, so it is asked again after @delay.
 *
 * Context: under st->lock.
 */
void st_guard_pause(struct st_sock *st, struct st_guard *guard, unsigned long delay)
{
	st_guard_answered(st, guard);
	guard->paused = true;
	guard->expires = jiffies + delay;
	st_timer_at(st, guard->expires);
}

/**
 * st_guard_stop - the answer is there, or nobody waits for it any more
 * @guard: where
 *
 * Context: under st->lock.
 */
void st_guard_stop(struct st_guard *guard)
{
	guard->armed = false;
	guard->paused = false;
}

/**
 * st_guard_expired - whether an operation must be repeated, ST 10.1
 * @st: the Virtual Connection
 * @guard: what waits for an answer
 * @now: jiffies
 *
 * Logs the timeout, counts the try and starts the next Op_timeout.  A repeat before
 * Op_timeout is none of those that Max_Retry limits (ST 10.2), and tells nothing.
 *
 * Context: under st->lock, in st_timer().
 * Return: 0: not yet; 1: repeat it; -ETIMEDOUT: Max_Retry, or ST_USER_TIMEOUT, is reached.
 */
int st_guard_expired(struct st_sock *st, struct st_guard *guard, unsigned long now)
{
	bool over;

	if (!guard->armed && !guard->paused)
		return 0;
	if (time_before(now, guard->expires)) {
		st_timer_at(st, guard->expires);
		return 0;
	}
	if (guard->paused) {
		st_guard_start(st, guard, &guard->op);
		return 1;
	}
	over = st_guard_over(st, guard);
	if (!over && guard->tries < guard->early) {
		/* Another one was meanwhile */
		if (st->rtt.early) {
			st_guard_wait(st, guard);
			return 0;
		}
		st->rtt.early = 1;
	} else {
		st_log(st, ST_ERR_OP_TIMEOUT);
		if (over) {
			st_log(st, ST_ERR_MAX_RETRY);
			guard->armed = false;
			return -ETIMEDOUT;
		}
		st_way_missed(st->main);
		st_rtt_backoff(&st->rtt, guard->tries + 1 - guard->early);
	}
	guard->tries++;
	st->info.op_retries++;
	st_guard_wait(st, guard);
	return 1;
}
EXPORT_SYMBOL_IF_KUNIT(st_guard_expired);

/**
 * st_guard_again - repeat an operation
 * @st: the Virtual Connection
 * @guard: what waits for an answer
 *
 * That takes a Slot, as every operation that is sent (ST 5.2.5): nobody knows whether
 * the one before, or its answer, was lost.  It is sent even without one: the peer
 * may discard it.
 *
 * Context: under st->lock.
 */
void st_guard_again(struct st_sock *st, struct st_guard *guard)
{
	st_slot_take(st, true);
	/* By Sync the answer tells which operations it knows of */
	if (guard->op.op == ST_OP_REQUEST_STATE)
		guard->op.sync = st->slot_ops;
	st_queue_op(st, &guard->op);
}

/**
 * st_guard_repeat - repeat an operation, if it is due, ST 10.1
 * @st: the Virtual Connection
 * @guard: what waits for an answer
 * @now: jiffies
 *
 * Context: under st->lock, in st_timer().
 * Return: false when Max_Retry is reached.
 */
bool st_guard_repeat(struct st_sock *st, struct st_guard *guard, unsigned long now)
{
	int due = st_guard_expired(st, guard, now);

	if (due > 0)
		st_guard_again(st, guard);
	return due >= 0;
}

/**
 * st_queue_end - tell the peer that a Transfer or a region ends, ST 6.1.1.4
 * @st: the Virtual Connection
 * @peer_id: the peer's sequence identifier
 * @id: ours
 * @guard: repeats it till it is acknowledged; or NULL
 *
 * Context: under st->lock.
 */
void st_queue_end(struct st_sock *st, u32 peer_id, u32 id, struct st_guard *guard)
{
	struct st_op op;

	st_op_init(st, &op, ST_OP_END, 0);
	op.d_id = peer_id;
	op.s_id = id;
	st_slot_take(st, true);
	if (guard)
		st_guard_start(st, guard, &op);
	st_queue_op(st, &op);
}

/**
 * st_timer - Op_timeouts of a Virtual Connection and its Transfers, ST 10.1
 * @t: its timer
 */
void st_timer(struct timer_list *t)
{
	struct st_sock *st = timer_container_of(st, t, timer);
	unsigned long now = jiffies;

	spin_lock_bh(&st->lock);
	st_down_check(st, now);
	st_vc_conn_timeout(st, now);
	if (st->sk.sk_state == ST_ESTABLISHED) {
		switch (st_guard_expired(st, &st->slot_guard, now)) {
		case 1:
			st_guard_again(st, &st->slot_guard);
			break;
		case -ETIMEDOUT:
			st_vc_fail(st, ETIMEDOUT);
			break;
		}
	}
	if (st->sk.sk_state == ST_ESTABLISHED) {
		st_keep_check(st, now);
		st_state_timeouts(st, now);
		st_tx_timeouts(st, now);
		st_read_timeouts(st, now);
		st_rx_timeouts(st, now);
		st_ways_check(st, now);
	}
	if (st->sk.sk_state == ST_ESTABLISHED && !st_mem_timeouts(st, now))
		st_vc_fail(st, ETIMEDOUT);
	st_unlock(st);
	sock_put(&st->sk);
}
EXPORT_SYMBOL_IF_KUNIT(st_timer);

/**
 * st_unlock - drop the lock and hand queued operations to the LLP
 * @st: the Virtual Connection, locked, referenced by the caller
 *
 * The operations leave in the order they were queued in: one caller at a time
 * drains the queue, with bottom halves off so that the others do not wait long,
 * and leaves what comes all the while to st_tx_work().
 *
 * Context: under st->lock, which is dropped; no other st_sock.lock is held.
 */
void st_unlock(struct st_sock *st)
	__releases(&st->lock)
{
	unsigned int budget = ST_FLUSH;
	u8 daddr[ST_ADDR_MAX];
	struct st_link *link;
	struct sk_buff *skb;
	struct st_way *way;

	if (st->flushing || skb_queue_empty(&st->outq)) {
		spin_unlock_bh(&st->lock);
		return;
	}
	st->flushing = true;
	/* A link whose last reference is dropped meanwhile stays till then */
	rcu_read_lock();
	while (budget-- && (skb = __skb_dequeue(&st->outq))) {
		way = st_way_at(st, ST_SKB_CB(skb)->way);
		link = way->link;
		if (!link) {
			kfree_skb(skb);
			continue;
		}
		memcpy(daddr, way->addr, sizeof(daddr));
		spin_unlock(&st->lock);
		st_xmit(link, skb, daddr);
		spin_lock(&st->lock);
	}
	rcu_read_unlock();
	st->flushing = false;
	if (!skb_queue_empty(&st->outq)) {
		sock_hold(&st->sk);
		st_tx_go_on(st);
	}
	spin_unlock_bh(&st->lock);
}
EXPORT_SYMBOL_IF_KUNIT(st_unlock);
