// SPDX-License-Identifier: GPL-2.0
/* End of a Virtual Connection: teardown by either side, ST 5.1.2, or failure. */
#include <kunit/visibility.h>
#include <linux/export.h>

#include "link/link.h"
#include "mem/region.h"
#include "mem/remote.h"
#include "proto/proto.h"
#include "xfer/read.h"

static void st_queue_disconnect(struct st_sock *st, u8 code, bool retrans)
{
	struct st_op op;

	st_op_init(st, &op, code, 0);
	op.offset = st->vc.local_key;
	st_slot_take(st, true);
	if (retrans)
		st_retrans_start(st, &st->vc.retrans, &op);
	st_queue_op(st, &op);
}

/* Stop all Transfers and timers. */
static void st_vc_stop(struct st_sock *st, int err)
{
	st_assert_locked(st);
	st->vc.routing = false;
	st_retrans_stop(&st->vc.retrans);
	st_retrans_stop(&st->slots.retrans);
	WRITE_ONCE(st->sk.sk_shutdown, SHUTDOWN_MASK);
	st_state_break_all(st, err);
	st_tx_fail_all(st, -err);
	st_rx_break_all(st, err);
	st_mem_stop(st, err);
}

/* Keep Port and Key, as teardown operations may have been lost, ST 5.1.2. */
static void st_vc_hold(struct st_sock *st)
{
	st_retrans_stop(&st->vc.retrans);
	st_vc_set_state(st, ST_HELD);
	st->timers.hold_until = jiffies + 2 * st_op_timeout(st);
	st_timer_at(st, st->timers.hold_until);
	/* close() may linger for this */
	st->sk.sk_state_change(&st->sk);
}

/**
 * st_vc_disconnect - start the teardown of a Virtual Connection, ST 5.1.2
 * @st: the Virtual Connection
 *
 * Transfers under way are given up.
 *
 * Context: under st->lock.
 */
void st_vc_disconnect(struct st_sock *st)
{
	if (st->sk.sk_state != ST_ESTABLISHED)
		return;
	st_vc_stop(st, ECONNRESET);
	st_vc_set_state(st, ST_DISCONNECTING);
	st_queue_disconnect(st, ST_OP_REQUEST_DISCONNECT, true);
	st_state_changed(&st->sk, SOCK_WAKE_WAITD, POLL_HUP);
}
EXPORT_SYMBOL_IF_KUNIT(st_vc_disconnect);

/**
 * st_vc_maybe_disconnect - start the teardown once everything sent has arrived
 * @st: the Virtual Connection
 *
 * ST 5.1.2: a Request_Disconnect follows the completion of the Transfers.
 *
 * Context: under st->lock.
 */
void st_vc_maybe_disconnect(struct st_sock *st)
{
	if ((st->sk.sk_shutdown & SEND_SHUTDOWN) && st_tx_idle(st) && st_mem_idle(st))
		st_vc_disconnect(st);
}

/**
 * st_vc_fail - end a Virtual Connection at once
 * @st: the Virtual Connection, or a socket without one
 * @err: positive errno for the application
 *
 * Context: under st->lock.
 */
void st_vc_fail(struct st_sock *st, int err)
{
	struct sock *sk = &st->sk;

	st_paths_leave(st);
	if (sk->sk_state == ST_CLOSED || sk->sk_state == ST_LISTEN)
		return;
	if (sk->sk_state == ST_CONNECTING || sk->sk_state == ST_ESTABLISHED) {
		/* After shutdown() the application knows the result of the setup */
		if (sk->sk_state == ST_ESTABLISHED || !sk->sk_shutdown)
			WRITE_ONCE(sk->sk_err, err);
		st_vc_stop(st, err);
	}
	st_retrans_stop(&st->vc.retrans);
	st_vc_set_state(st, ST_CLOSED);
	st_vc_unhash(st);
	sk->sk_state_change(sk);
	sk_error_report(sk);
}
EXPORT_SYMBOL_IF_KUNIT(st_vc_fail);

/**
 * st_vc_abort - end a Virtual Connection at once, and notify the peer
 * @st: the Virtual Connection
 * @path: path for the notification
 * @err: positive errno for the application
 *
 * The peer's answer will be handled as one to a forgotten Virtual Connection, ST 10.6.1.
 *
 * Context: under st->lock.
 */
void st_vc_abort(struct st_sock *st, struct st_path *path, int err)
{
	struct st_op op;

	if (st->sk.sk_state == ST_ESTABLISHED) {
		st_op_init(st, &op, ST_OP_REQUEST_DISCONNECT, 0);
		op.offset = st->vc.local_key;
		st_slot_take(st, true);
		st_queue_op_by(path, &op);
	}
	st_vc_fail(st, err);
}

/* ST 10.6.1: derive the answer from the operation.  Return: false when there is none. */
static bool st_answer_stray(const struct st_op *op, struct st_op *answer)
{
	*answer = (struct st_op) {
		.d_port = op->s_port,
		.s_port = op->d_port,
		.d_key = op->offset,
		.offset = op->d_key,
	};
	if (op->op == ST_OP_REQUEST_DISCONNECT)
		answer->op = ST_OP_DISCONNECT_ANSWER;
	else if (op->op == ST_OP_DISCONNECT_ANSWER)
		answer->op = ST_OP_DISCONNECT_COMPLETE;
	else
		return false;
	return true;
}

/**
 * st_rcv_disconnect - a Disconnect operation has arrived, ST 5.1.2
 * @st: the Virtual Connection selected by its Ports and Key
 * @op: the operation
 *
 * Context: softirq, under st->lock.
 */
void st_rcv_disconnect(struct st_sock *st, const struct st_op *op)
{
	enum st_state state = st->sk.sk_state;
	struct st_op answer;

	if (state == ST_CONNECTING) {
		/* The Connection_Answer was lost and the peer gave up */
		st->vc.peer.port = op->s_port;
		st->vc.peer.key = op->offset;
	}
	if (op->offset != st->vc.peer.key) {
		st_log(st, ST_ERR_INVALID_KEY);
		if (st_answer_stray(op, &answer))
			st_queue_op(st, &answer);
		return;
	}
	switch (op->op) {
	case ST_OP_REQUEST_DISCONNECT:
		if (state == ST_CONNECTING || state == ST_ESTABLISHED) {
			if (state == ST_CONNECTING && !st->sk.sk_shutdown)
				WRITE_ONCE(st->sk.sk_err, ECONNRESET);
			st_vc_stop(st, ECONNRESET);
			st_vc_set_state(st, ST_ANSWERED);
			st_queue_disconnect(st, ST_OP_DISCONNECT_ANSWER, true);
			st_state_changed(&st->sk, SOCK_WAKE_WAITD, POLL_HUP);
		} else {
			st_queue_disconnect(st, ST_OP_DISCONNECT_ANSWER, false);
		}
		break;
	case ST_OP_DISCONNECT_ANSWER:
		if (state == ST_DISCONNECTING || state == ST_HELD) {
			st_queue_disconnect(st, ST_OP_DISCONNECT_COMPLETE, false);
			if (state == ST_DISCONNECTING)
				st_vc_hold(st);
		} else {
			st_log_unexpected(st, op);
		}
		break;
	case ST_OP_DISCONNECT_COMPLETE:
		if (state == ST_ANSWERED)
			st_vc_hold(st);
		else if (state != ST_HELD && state != ST_DISCONNECTING)
			st_log_unexpected(st, op);
		break;
	}
}

/**
 * st_rcv_stray_disconnect - a Disconnect operation for a forgotten Virtual Connection has arrived,
 *	ST 10.6.1
 * @link: the link it arrived on
 * @op: the operation
 * @saddr: its source address
 *
 * The answer is derived from the operation, so that the peer can finish.
 *
 * Context: softirq.
 */
void st_rcv_stray_disconnect(struct st_link *link, const struct st_op *op, const u8 *saddr)
{
	struct st_op answer;

	if (st_answer_stray(op, &answer))
		st_send_op(link, &answer, true, saddr);
}

/**
 * st_vc_conn_timeout - Op_timeout of setup and teardown, and the end of ST_HELD
 * @st: the Virtual Connection
 * @now: jiffies
 *
 * Context: under st->lock, in st_timer().
 */
void st_vc_conn_timeout(struct st_sock *st, unsigned long now)
{
	if (st->sk.sk_state == ST_CLOSED)
		return;
	if (st->sk.sk_state == ST_HELD) {
		if (time_before(now, st->timers.hold_until)) {
			st_timer_at(st, st->timers.hold_until);
			return;
		}
		st_vc_set_state(st, ST_CLOSED);
		st_vc_unhash(st);
		return;
	}
	if (st->vc.routing && st->sk.sk_state == ST_CONNECTING) {
		if (!st_retrans_held(st, &st->vc.retrans, now))
			st_vc_fail(st, ETIMEDOUT);
		return;
	}
	switch (st_retrans_expired(st, &st->vc.retrans, now)) {
	case 1:
		st_retrans_again(st, &st->vc.retrans);
		break;
	case -ETIMEDOUT:
		if (st->sk.sk_state == ST_CONNECTING)
			st_vc_fail(st, ETIMEDOUT);
		else
			st_vc_hold(st);
		break;
	}
}

/**
 * st_mem_close - release the persistent memory of a socket in close()
 * @st: the socket
 *
 * When this returns nothing is written to memory of the application any more.
 *
 * Context: process, under lock_sock(); may sleep.
 */
void st_mem_close(struct st_sock *st)
{
	struct st_remote *rm, *next_rm;
	struct st_region *r, *next;
	struct st_onesided *o, *next_o;
	struct st_mem *mem;

	spin_lock_bh(&st->lock);
	mem = st->mem;
	if (mem) {
		list_for_each_entry_safe(rm, next_rm, &mem->remotes, list)
			if (!rm->asked)
				st_remote_over(st, rm, ECONNRESET);
		list_for_each_entry_safe(o, next_o, &mem->ops, list)
			st_onesided_finish(st, o, -ECONNRESET);
		list_for_each_entry_safe(r, next, &mem->regions, list)
			if (!r->ending)
				st_region_lose(st, r, ECONNRESET);
		/* The regions may have delayed the teardown */
		st_vc_maybe_disconnect(st);
	}
	st_unlock(st);
	if (mem)
		wait_event(mem->held_wait, !atomic_read(&mem->held));
}
