// SPDX-License-Identifier: GPL-2.0
/*
 * Regions of the peer: Request_Memory_Region at the Initiator, ST 6.1.4.1.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/sched/signal.h>

#include "conn/conn.h"
#include "mem/remote.h"

static void st_remote_tell(struct st_sock *st, const struct st_remote *rm, u32 type, int err)
{
	const struct st_event event = {
		.type = type,
		.error = err,
		.id = rm->id,
		.len = rm->len,
		.token = rm->token,
	};

	/* A caller that does not wait has asked for this event with ST_REGION_NOWAIT */
	if (type != ST_EVENT_REGION_READY)
		st_mem_tell(st, ST_REGION_EV_STATE, &event);
	else
		st_event_tell(st, &event);
}

/* Forget a region of the peer, or a request for one. */
static void st_remote_unlist(struct st_sock *st, struct st_remote *rm)
{
	list_del(&rm->list);
	st->mem->nr_remotes--;
	if (rm->asked && !rm->ready)
		st->slots.taken.asking_regions--;
}

/**
 * st_remote_over - finish a region of the peer, or a request for one
 * @st: the Virtual Connection
 * @rm: the region; freed unless somebody waits for it
 * @err: positive errno; 0 when a granted region ends
 */
void st_remote_over(struct st_sock *st, struct st_remote *rm, int err)
{
	struct st_onesided *o, *next;

	st_assert_locked(st);
	st_remote_unlist(st, rm);
	/* Before the ST_EVENT_DONEs, which a work queue sends, maybe on another CPU */
	if (!rm->waited && !rm->ending)
		st_remote_tell(st, rm, rm->ready ? ST_EVENT_REGION_END : ST_EVENT_REGION_READY,
			       err);
	list_for_each_entry_safe(o, next, &st->mem->ops, list)
		if (o->remote == rm)
			st_onesided_finish(st, o, err ? -err : -EREMOTEIO);
	if (rm->waited) {
		rm->over = true;
		rm->err = err;
		complete(&rm->done);
		return;
	}
	kfree(rm);
}

/* The place that the peer gives a region must have room for it, ST 6.2.8. */
static bool st_remote_place_ok(const struct st_sock *st, const struct st_remote *rm,
			       const struct st_op *op)
{
	struct st_place end = { .bufx = op->bufx, .offset = op->offset };

	return op->s_id != ST_ID_NONE && st_place_valid(&end, st->vc.remote_bufsize) &&
	       st_place_advance(&end, rm->len - 1, st->vc.remote_bufsize);
}

/**
 * st_rcv_memory_region_available - receive a Memory_Region_Available, ST 6.1.4.1
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq.
 */
void st_rcv_memory_region_available(struct st_sock *st, const struct st_op *op)
{
	struct st_remote *rm = st->mem ? st_remote_known(st->mem, op->d_id) : NULL;

	st_assert_locked(st);
	if (!rm) {
		if (!st->mem || (s32)(op->d_id - st->ids.next) >= 0)
			st_log(st, ST_ERR_INVALID_D_ID);
		else	/* Its waiter has given up */
			st_queue_end(st, op->s_id, op->d_id, NULL);
		return;
	}
	if (rm->ready || rm->ending)
		return;
	if (!st_remote_place_ok(st, rm, op)) {
		st_log(st, ST_ERR_OUT_OF_RANGE_BUFX);
		st_queue_end(st, op->s_id, op->d_id, NULL);
		st_remote_over(st, rm, EPROTO);
		return;
	}
	st_retrans_answered(st, &rm->retrans);
	rm->peer_id = op->s_id;
	rm->mx = op->b_id;
	rm->at.bufx = op->bufx;
	rm->at.offset = op->offset;
	rm->ready = true;
	st->slots.taken.asking_regions--;
	if (rm->waited)
		complete(&rm->done);
	else
		st_remote_tell(st, rm, ST_EVENT_REGION_READY, 0);
}

/**
 * st_remote_answered - receive a Request_Answer that may belong to a Request_Memory_Region
 * @st: the Virtual Connection, with persistent memory
 * @op: the operation
 *
 * Context: softirq.
 * Return: false when it does not.
 */
bool st_remote_answered(struct st_sock *st, const struct st_op *op)
{
	struct st_remote *rm = st_remote_known(st->mem, op->d_id);

	st_assert_locked(st);
	if (!rm)
		return false;
	if (rm->ready || rm->ending)
		return true;
	if (op->flags & ST_F_REJECT) {
		st_remote_over(st, rm, EACCES);
		return true;
	}
	st_retrans_pause(st, &rm->retrans, ST_KEEPALIVE);
	return true;
}

/**
 * st_remote_state - receive a Request_State_Response that may be about Puts, ST 6.1.4.2
 * @st: the Virtual Connection, with persistent memory
 * @op: the operation
 *
 * Context: softirq.
 */
void st_remote_state(struct st_sock *st, const struct st_op *op)
{
	struct st_remote *rm = st_remote_known(st->mem, op->d_id);

	st_assert_locked(st);
	if (!rm || !rm->ready || rm->ending)
		return;
	if (op->s_id == ST_ID_NONE)	/* ST 6.2.1: the peer does not know the region */
		st_remote_over(st, rm, EREMOTEIO);
	else if (op->s_id != rm->peer_id)
		st_log(st, ST_ERR_INVALID_D_ID);
	else
		st_onesided_put_state(st, rm, op);
}

/**
 * st_remote_timeouts - handle Op_timeouts of regions of the peer, ST 10.1
 * @st: the Virtual Connection, with persistent memory
 * @now: jiffies
 *
 * Context: in st_timer().
 * Return: false when the peer does not answer any more.
 */
bool st_remote_timeouts(struct st_sock *st, unsigned long now)
{
	struct st_remote *rm;

	st_assert_locked(st);
	list_for_each_entry(rm, &st->mem->remotes, list)
		if (!st_retrans_repeat(st, &rm->retrans, now))
			return false;
	return true;
}

/**
 * st_remote_shutdown - cancel requests for regions that the peer has not granted yet
 * @st: the Virtual Connection
 *
 * A region that is granted later is ended at once.
 */
void st_remote_shutdown(struct st_sock *st)
{
	struct st_remote *rm, *next;

	st_assert_locked(st);
	if (!st->mem)
		return;
	list_for_each_entry_safe(rm, next, &st->mem->remotes, list)
		if (!rm->ready && !rm->ending)
			st_remote_over(st, rm, ENOTCONN);
}

/* Return: false when it must wait for a Slot. */
static bool st_remote_send(struct st_sock *st, struct st_remote *rm)
{
	struct st_op op;

	if (!st_slot_keep(st, ST_KEEP_REGION))
		return false;
	st_op_init(st, &op, ST_OP_REQUEST_MEMORY_REGION, ST_DATA_CHANNEL);
	op.s_id = rm->id;
	st_op_set_t_len(&op, rm->len);
	rm->asked = true;
	st->slots.taken.asking_regions++;
	st_retrans_start(st, &rm->retrans, &op);
	st_queue_op(st, &op);
	return true;
}

/**
 * st_remote_pump - send requests for regions that have waited for a Slot, in the order of the calls
 * @st: the Virtual Connection, established
 *
 * Called before anything else may take a Slot that a Request_State_Response has freed; otherwise
 * none might ever be left.
 *
 * Return: false when a request still waits.
 */
bool st_remote_pump(struct st_sock *st)
{
	struct st_remote *rm;

	st_assert_locked(st);
	/* Waiting requests are at the tail */
	if (!st->mem || list_empty(&st->mem->remotes) ||
	    list_last_entry(&st->mem->remotes, struct st_remote, list)->asked)
		return true;
	list_for_each_entry(rm, &st->mem->remotes, list) {
		if (rm->asked)
			continue;
		if (!st_remote_send(st, rm)) {
			/* There may be no other trigger to try again */
			st_timer_at(st, jiffies + st_op_timeout(st));
			return false;
		}
	}
	return true;
}

/* Return: 0 or a negative errno. */
static int st_remote_ask(struct st_sock *st, struct st_remote *rm)
{
	st_assert_locked(st);
	if (st->sk.sk_state != ST_ESTABLISHED || (st->sk.sk_shutdown & SEND_SHUTDOWN))
		return -ENOTCONN;
	if (!(st->vc.remote_function & ST_FN_HAS_MEMORY))
		return -EOPNOTSUPP;
	if (st_mem_prepare(st))
		return -ENOMEM;
	if (st->mem->nr_remotes >= ST_REMOTES)
		return -ENOBUFS;
	rm->id = st_new_id(st);
	rm->info.region = rm->id;
	rm->info.len = rm->len;
	list_add_tail(&rm->list, &st->mem->remotes);
	st->mem->nr_remotes++;
	st_remote_pump(st);
	return 0;
}

static int st_remote_wait(struct st_sock *st, struct st_remote *rm)
{
	long timeo = sock_rcvtimeo(&st->sk, false), left;
	int err;

	left = wait_for_completion_interruptible_timeout(&rm->done, timeo);
	/* With frequent signals even a request that is granted at once would never succeed */
	if (left < 0)
		st_wait_killable(&rm->done, min(timeo, st_patience(st)));
	spin_lock_bh(&st->lock);
	rm->waited = false;
	if (rm->over) {
		/* Without an error it was granted, and has ended since */
		err = rm->err ? -rm->err : -EREMOTEIO;
	} else if (rm->ready) {
		err = 0;
	} else {
		/* If it is granted later, it is ended at once */
		st_remote_unlist(st, rm);
		if (rm->asked)
			err = left ? -ECANCELED : -ETIME;
		else
			err = left ? sock_intr_errno(timeo) : -EAGAIN;
		/* The Slot may serve another request */
		if (st->sk.sk_state == ST_ESTABLISHED)
			st_remote_pump(st);
	}
	st_unlock(st);
	if (err)
		kfree(rm);
	return err;
}

/**
 * st_remote_request - ask the peer for a region
 * @st: the Virtual Connection
 * @req: the parameters; its handle is set
 *
 * Context: process, may sleep.
 * Return: 0 or a negative errno, see include/uapi/linux/st.h.
 */
int st_remote_request(struct st_sock *st, struct st_region_request *req)
{
	bool wait = !(req->flags & ST_REGION_NOWAIT);
	struct st_remote *rm;
	int err;

	if (!req->len || (req->flags & ~ST_REGION_NOWAIT))
		return -EINVAL;
	rm = kzalloc(sizeof(*rm), GFP_KERNEL_ACCOUNT);
	if (!rm)
		return -ENOMEM;
	rm->len = req->len;
	rm->token = req->token;
	rm->waited = wait;
	INIT_LIST_HEAD(&rm->puts);
	init_completion(&rm->done);
	spin_lock_bh(&st->lock);
	err = st_remote_ask(st, rm);
	req->region = rm->id;
	st_unlock(st);
	if (err) {
		kfree(rm);
		return err;
	}
	return wait ? st_remote_wait(st, rm) : 0;
}
EXPORT_SYMBOL_IF_KUNIT(st_remote_request);

/**
 * st_remote_end - end a region of the peer, ST 6.1.1.4
 * @st: the Virtual Connection
 * @id: the handle
 *
 * Context: process.
 * Return: 0 or -ENOENT.
 */
int st_remote_end(struct st_sock *st, u32 id)
{
	struct st_onesided *o, *next;
	struct st_remote *rm;
	int err = -ENOENT;

	spin_lock_bh(&st->lock);
	rm = st->mem ? st_remote_find(st->mem, id) : NULL;
	if (rm && !rm->ending && !rm->waited) {
		err = 0;
		list_for_each_entry_safe(o, next, &st->mem->ops, list)
			if (o->remote == rm)
				st_onesided_finish(st, o, -ECANCELED);
		rm->ending = true;
		if (rm->ready)
			st_queue_end(st, rm->peer_id, rm->id, &rm->retrans);
		else	/* If it is granted later, it is ended at once */
			st_remote_over(st, rm, 0);
		st_onesided_pump(st);
	}
	st_unlock(st);
	return err;
}
