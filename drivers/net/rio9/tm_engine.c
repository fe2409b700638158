// SPDX-License-Identifier: GPL-2.0
/*
 * Traffic management of a port, 3.4: modes, peers, and what comes.
 *
 * Only peers that are known have any state, so nobody else makes the memory grow.
 */
#include <kunit/visibility.h>
#include <linux/slab.h>
#include <linux/st_compat.h>

#include "tm_engine.h"
#include "tm_in.h"
#include "tm_out.h"
#include "tm_say.h"
#include "tm_user.h"

static void rio9_tm_forget(struct rio9_tm_peer *peer)
{
	rio9_in_forget(peer);
	rio9_out_forget(peer);
	rio9_tm_hush(peer);
}

static enum hrtimer_restart rio9_tm_timer(struct hrtimer *timer)
{
	struct rio9_tm_state *tm = container_of(timer, struct rio9_tm_state, timer);

	/* Starts the timer again if there is more to come */
	rio9_tm_tick(tm, tm->ops->now(tm->port));
	return HRTIMER_NORESTART;
}

/**
 * rio9_tm_init - a port has traffic management, in mode 0 and without peers
 * @tm: its state
 * @ops: what is asked of the port
 * @port: the port
 * @channels: physical channel by bits 0 and 1 of the class
 * @timed: its clock is CLOCK_MONOTONIC, and a timer calls rio9_tm_tick()
 *
 * Context: process.
 */
void rio9_tm_init(struct rio9_tm_state *tm, const struct rio9_tm_ops *ops, struct rio9_port *port,
		  const u8 channels[RIO9_TM_FLOWS], bool timed)
{
	unsigned int i;

	*tm = (struct rio9_tm_state) {
		.ops = ops, .port = port, .types = RIO9_TM_TYPES_ALL, .obey_any = true,
		.rate = RIO9_TM_RATE_PORT, .viq_pdus = RIO9_TM_VIQ_PDUS,
		.wake = U64_MAX, .due = U64_MAX, .timed = timed,
	};
	spin_lock_init(&tm->lock);
	memcpy(tm->channels, channels, sizeof(tm->channels));
	xa_init(&tm->peers);
	INIT_LIST_HEAD(&tm->any);
	INIT_LIST_HEAD(&tm->voqs);
	for (i = 0; i < RIO9_CHANNELS; i++)
		INIT_LIST_HEAD(&tm->pending[i]);
	hrtimer_setup(&tm->timer, rio9_tm_timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_SOFT);
	rio9_user_join(tm);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_init);

/**
 * rio9_tm_destroy - a port goes
 * @tm: its state, which nobody uses any more
 *
 * Context: process.
 */
void rio9_tm_destroy(struct rio9_tm_state *tm)
{
	struct rio9_tm_peer *peer;
	unsigned long id;

	rio9_user_leave(tm);
	spin_lock_bh(&tm->lock);
	tm->timed = false;
	spin_unlock_bh(&tm->lock);
	hrtimer_cancel(&tm->timer);
	spin_lock_bh(&tm->lock);
	xa_for_each(&tm->peers, id, peer) {
		rio9_tm_forget(peer);
		kfree(peer);
	}
	xa_destroy(&tm->peers);
	spin_unlock_bh(&tm->lock);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_destroy);

/**
 * rio9_tm_has_mode - whether a port can have a TM mode
 * @tm: state of the port
 * @mode: the mode of register 48
 *
 * Context: any.
 * Return: false for a mode that is reserved, whose types the port does not have, or that is of
 *	users and that no hook has claimed.
 */
bool rio9_tm_has_mode(const struct rio9_tm_state *tm, u8 mode)
{
	static const u8 needs[] = {
		[RIO9_TM_DISABLED] = 0,
		[RIO9_TM_BASIC] = BIT(RIO9_TM_OP_BASIC),
		[RIO9_TM_RATE] = BIT(RIO9_TM_OP_BASIC) | BIT(RIO9_TM_OP_RATE),
		[RIO9_TM_CREDIT] = BIT(RIO9_TM_OP_BASIC) | BIT(RIO9_TM_OP_CREDIT),
		[RIO9_TM_CREDIT_RATE] = RIO9_TM_TYPES_ALL,
	};

	if (mode < ARRAY_SIZE(needs))
		return !(needs[mode] & ~tm->types);
	return mode >= RIO9_TM_HOOK && mode < RIO9_TM_MODES && rio9_user_has_mode(mode);
}

/**
 * rio9_tm_set_mode - the TM mode is another
 * @tm: state of the port
 * @mode: the mode of register 48
 *
 * All begins anew: on, full rate, no credits.
 *
 * Context: any but hard interrupts.
 * Return: 0, or -EINVAL for a mode that is reserved, or that this port has not.
 */
int rio9_tm_set_mode(struct rio9_tm_state *tm, u8 mode)
{
	struct rio9_tm_peer *peer;
	unsigned long id;
	int err = 0;

	spin_lock_bh(&tm->lock);
	if (!rio9_tm_has_mode(tm, mode)) {
		err = -EINVAL;
	} else if (mode != tm->mode) {
		WRITE_ONCE(tm->mode, mode);
		xa_for_each(&tm->peers, id, peer)
			rio9_tm_forget(peer);
		tm->kicked = true;
	}
	rio9_tm_unlock_kick(tm);
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_set_mode);

/**
 * rio9_tm_add_peer - another endpoint is known, or is enumerated anew
 * @tm: state of the port
 * @id: ID of the other
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int rio9_tm_add_peer(struct rio9_tm_state *tm, u16 id)
{
	struct rio9_tm_peer *peer = kzalloc(sizeof(*peer), GFP_KERNEL);
	int err;

	if (!peer)
		return -ENOMEM;
	peer->id = id;
	INIT_LIST_HEAD(&peer->operands);
	INIT_LIST_HEAD(&peer->stopped);
	INIT_LIST_HEAD(&peer->grants);
	INIT_LIST_HEAD(&peer->pending);
	xa_init(&peer->voqs);
	xa_init(&peer->viqs);
	rio9_tm_del_peer(tm, id);
	/* The lock of an xarray is taken in softirq, too, so it is never taken with them on */
	spin_lock_bh(&tm->lock);
	err = xa_err(xa_store(&tm->peers, id, peer, GFP_ATOMIC));
	spin_unlock_bh(&tm->lock);
	if (err)
		kfree(peer);
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_add_peer);

/**
 * rio9_tm_del_peer - another endpoint is not known any more
 * @tm: state of the port
 * @id: ID of the other
 *
 * Context: process.
 */
void rio9_tm_del_peer(struct rio9_tm_state *tm, u16 id)
{
	struct rio9_tm_peer *peer;

	spin_lock_bh(&tm->lock);
	peer = xa_erase(&tm->peers, id);
	if (peer) {
		rio9_tm_forget(peer);
		kfree(peer);
		/* What it has said about all data holds no more */
		tm->kicked = true;
	}
	rio9_tm_unlock_kick(tm);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_del_peer);

static bool rio9_tm_takes(const struct rio9_tm_state *tm, u8 op)
{
	switch (op) {
	case RIO9_TM_OP_RATE:
		return rio9_tm_has_rates(tm);
	case RIO9_TM_OP_CREDIT:
		return rio9_tm_has_credits(tm);
	default:
		return rio9_tm_is_on(tm);
	}
}

/* Whether users get the message */
static bool rio9_tm_obey(struct rio9_tm_state *tm, const struct rio9_packet *p,
			 const struct rio9_tm_msg *msg, u64 now)
{
	struct rio9_tm_peer *peer = xa_load(&tm->peers, p->src);

	if (!peer) {
		rio9_tm_count(tm, RIO9_STAT_TM_UNKNOWN_SOURCE);
		return false;
	}
	/* All is the hook's in its modes */
	if (tm->mode >= RIO9_TM_HOOK && p->tm.op <= RIO9_TM_OP_APP)
		return true;
	if (msg->says == RIO9_TM_RESERVED ||
	    !rio9_tm_operand_valid(p->tm.wildcard, p->tm.mask)) {
		rio9_tm_count(tm, RIO9_STAT_TM_RESERVED);
		return false;
	}
	rio9_tm_count(tm, RIO9_STAT_TM);
	if (!rio9_tm_takes(tm, p->tm.op)) {
		rio9_tm_count(tm, RIO9_STAT_TM_OTHER_MODE);
		return false;
	}
	switch (msg->says) {
	case RIO9_TM_USER:
		return true;
	case RIO9_TM_Q_STATUS:
	case RIO9_TM_CREDIT_STATUS:
		rio9_out_message(tm, peer, p, msg);
		return false;
	default:
		rio9_in_message(tm, peer, p, msg, now);
		return false;
	}
}

/**
 * rio9_tm_rx - a message has come
 * @tm: state of the port
 * @p: the message
 * @now_ns: time
 *
 * Context: any but hard interrupts.
 */
void rio9_tm_rx(struct rio9_tm_state *tm, const struct rio9_packet *p, u64 now_ns)
{
	const struct rio9_tm_msg msg = rio9_tm_parse(&p->tm);
	bool user, event = false;

	spin_lock_bh(&tm->lock);
	user = rio9_tm_obey(tm, p, &msg, now_ns);
	if (user) {
		rio9_tm_count(tm, RIO9_STAT_TM_USER);
		/* In its modes the hook alone is told */
		event = tm->mode < RIO9_TM_HOOK && rio9_user_event_due(tm, now_ns);
	}
	rio9_tm_unlock_kick(tm);
	if (user)
		rio9_user_message(tm, p, event);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_rx);

/**
 * rio9_tm_tick - do what is due
 * @tm: state of the port
 * @now_ns: time
 *
 * Context: any but hard interrupts.
 */
void rio9_tm_tick(struct rio9_tm_state *tm, u64 now_ns)
{
	spin_lock_bh(&tm->lock);
	if (now_ns >= tm->wake) {
		tm->wake = U64_MAX;
		tm->kicked = true;
	}
	if (now_ns >= tm->due) {
		tm->due = U64_MAX;
		rio9_in_tick(tm, now_ns);
	}
	rio9_tm_unlock_kick(tm);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_tick);
