// SPDX-License-Identifier: GPL-2.0
/*
 * Messages and modes that users define, 3.4.5 SF4.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>

#include "tm_say.h"
#include "tm_user.h"

static const struct rio9_tm_hook __rcu *rio9_hook;
/* Of the list of ports, and of who changes the hook */
static DEFINE_MUTEX(rio9_hook_lock);
static LIST_HEAD(rio9_hook_ports);

/**
 * rio9_user_join - a port has traffic management
 * @tm: its state
 */
void rio9_user_join(struct rio9_tm_state *tm)
{
	mutex_lock(&rio9_hook_lock);
	list_add(&tm->list, &rio9_hook_ports);
	mutex_unlock(&rio9_hook_lock);
}

/**
 * rio9_user_leave - a port goes
 * @tm: its state
 */
void rio9_user_leave(struct rio9_tm_state *tm)
{
	mutex_lock(&rio9_hook_lock);
	list_del(&tm->list);
	mutex_unlock(&rio9_hook_lock);
}

/**
 * rio9_user_has_mode - whether the hook has claimed a TM mode
 * @mode: the mode
 *
 * Return: true if there is a hook that has.
 */
bool rio9_user_has_mode(u8 mode)
{
	const struct rio9_tm_hook *hook;
	bool has;

	rcu_read_lock();
	hook = rcu_dereference(rio9_hook);
	has = hook && hook->modes & BIT(mode);
	rcu_read_unlock();
	return has;
}

/**
 * rio9_tm_register - take part in traffic management
 * @hook: gets user-defined messages of all ports, and all messages of ports in its modes
 *
 * Context: process.
 * Return: 0, -EINVAL if it claims modes that are not user-defined, or -EBUSY if there is
 * another.
 */
int rio9_tm_register(const struct rio9_tm_hook *hook)
{
	int err = -EBUSY;

	if (!hook->message || hook->modes & ~GENMASK(RIO9_TM_MODES - 1, RIO9_TM_HOOK))
		return -EINVAL;
	mutex_lock(&rio9_hook_lock);
	if (!rcu_access_pointer(rio9_hook)) {
		rcu_assign_pointer(rio9_hook, hook);
		err = 0;
	}
	mutex_unlock(&rio9_hook_lock);
	return err;
}
EXPORT_SYMBOL_GPL(rio9_tm_register);

/**
 * rio9_tm_unregister - take part in traffic management no more
 * @hook: what was registered
 *
 * Ports in its modes get mode 0.
 *
 * Context: process.
 */
void rio9_tm_unregister(const struct rio9_tm_hook *hook)
{
	struct rio9_tm_state *tm;

	mutex_lock(&rio9_hook_lock);
	if (WARN_ON(rcu_access_pointer(rio9_hook) != hook)) {
		mutex_unlock(&rio9_hook_lock);
		return;
	}
	RCU_INIT_POINTER(rio9_hook, NULL);
	synchronize_rcu();
	list_for_each_entry(tm, &rio9_hook_ports, list) {
		spin_lock_bh(&tm->lock);
		if (tm->mode >= RIO9_TM_HOOK)
			WRITE_ONCE(tm->mode, RIO9_TM_DISABLED);
		rio9_tm_unlock(tm);
		if (tm->ops->disabled)
			tm->ops->disabled(tm->port);
	}
	mutex_unlock(&rio9_hook_lock);
}
EXPORT_SYMBOL_GPL(rio9_tm_unregister);

/**
 * rio9_user_event_due - whether listeners are told of one more message
 * @tm: state of the port
 * @now: time
 *
 * Return: true unless it is one too many in this second, which is counted.
 */
bool rio9_user_event_due(struct rio9_tm_state *tm, u64 now)
{
	if (!tm->ops->event)
		return false;
	if (now - tm->events_since >= NSEC_PER_SEC) {
		tm->events_since = now;
		tm->events = 0;
	}
	if (tm->events == RIO9_TM_EVENTS) {
		rio9_tm_count(tm, RIO9_STAT_TM_EVENTS_LOST);
		return false;
	}
	tm->events++;
	return true;
}

/**
 * rio9_user_message - hand a message to the hook, and to listeners
 * @tm: state of the port, whose lock is not held
 * @p: the message
 * @event: listeners are told of it
 */
void rio9_user_message(struct rio9_tm_state *tm, const struct rio9_packet *p, bool event)
{
	const struct rio9_tm_user msg = {
		.peer = p->src, .stream = p->stream, .cos = p->cos, .op = p->tm.op,
		.wildcard = p->tm.wildcard, .mask = p->tm.mask, .param1 = p->tm.param1,
		.param2 = p->tm.param2,
	};
	const struct rio9_tm_hook *hook;
	bool told;

	rcu_read_lock();
	hook = rcu_dereference(rio9_hook);
	if (hook)
		hook->message(tm->port, &msg);
	told = hook;
	rcu_read_unlock();
	if (event && tm->ops->event(tm->port, &msg))
		told = true;
	if (told)
		return;
	spin_lock_bh(&tm->lock);
	rio9_tm_count(tm, RIO9_STAT_TM_NO_USER);
	spin_unlock_bh(&tm->lock);
}

/* TM OP 3 is in every mode but 0; a hook has all in its own modes */
static bool rio9_user_may_say(const struct rio9_tm_state *tm, u8 op)
{
	if (tm->mode == RIO9_TM_DISABLED)
		return false;
	if (op == RIO9_TM_OP_APP || tm->mode >= RIO9_TM_HOOK || op == RIO9_TM_OP_BASIC)
		return true;
	return op == RIO9_TM_OP_RATE ? rio9_tm_has_rates(tm) : rio9_tm_has_credits(tm);
}

/**
 * rio9_tm_send_user - send a message that users have defined
 * @tm: state of the port
 * @destination: where it goes
 * @msg: the message; its @peer is not looked at
 *
 * Context: any but hard interrupts.
 * Return: 0, -EINVAL if it means something else, or nothing, -EOPNOTSUPP if the TM mode does
 * not have it, -EHOSTUNREACH if the destination is not known, or -ENOBUFS.
 */
int rio9_tm_send_user(struct rio9_tm_state *tm, u16 destination, const struct rio9_tm_user *msg)
{
	const struct rio9_packet p = {
		.cos = msg->cos, .stream = msg->stream,
		.tm = {
			.op = msg->op, .wildcard = msg->wildcard, .mask = msg->mask,
			.param1 = msg->param1, .param2 = msg->param2,
		},
	};
	struct rio9_tm_peer *peer;
	int err = 0;

	if (!rio9_tm_operand_valid(msg->wildcard, msg->mask) ||
	    rio9_tm_parse(&p.tm).says != RIO9_TM_USER)
		return -EINVAL;
	spin_lock_bh(&tm->lock);
	peer = xa_load(&tm->peers, destination);
	if (!rio9_user_may_say(tm, msg->op))
		err = -EOPNOTSUPP;
	else if (!peer)
		err = -EHOSTUNREACH;
	else if (!rio9_tm_queue(tm, peer, &p))
		err = -ENOBUFS;
	rio9_tm_unlock_kick(tm);
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_send_user);
