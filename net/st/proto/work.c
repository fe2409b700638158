// SPDX-License-Identifier: GPL-2.0
/* Timer and work of a Virtual Connection. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/st_compat.h>
#include <linux/timer.h>

#include "conn/conn.h"
#include "mem/remote.h"
#include "proto/proto.h"
#include "xfer/read.h"
#include "xfer/rx_block.h"

static void st_act(struct st_sock *st, enum st_verdict verdict)
{
	st_assert_locked(st);
	if (verdict == ST_V_TIMEOUT)
		st_vc_fail(st, ETIMEDOUT);
	else if (verdict == ST_V_CLOSE)
		st_vc_disconnect(st);
}

/**
 * st_timer - Op_timeouts of a Virtual Connection and its Transfers, ST 10.1
 * @t: its timer
 */
void st_timer(struct timer_list *t)
{
	struct st_sock *st = timer_container_of(st, t, timers.timer);
	unsigned long now = jiffies;

	spin_lock_bh(&st->lock);
	st_down_check(st, now);
	st_vc_conn_timeout(st, now);
	if (st->sk.sk_state == ST_ESTABLISHED) {
		switch (st_retrans_expired(st, &st->slots.retrans, now)) {
		case 1:
			st_retrans_again(st, &st->slots.retrans);
			break;
		case -ETIMEDOUT:
			st_vc_fail(st, ETIMEDOUT);
			break;
		}
	}
	if (st->sk.sk_state == ST_ESTABLISHED) {
		st_keep_check(st, now);
		st_state_timeouts(st, now);
		st_act(st, st_tx_timeouts(st, now));
		st_act(st, st_read_timeouts(st, now));
		st_act(st, st_rx_timeouts(st, now));
		st_paths_check(st, now);
	}
	if (st->sk.sk_state == ST_ESTABLISHED && !st_mem_timeouts(st, now))
		st_act(st, ST_V_TIMEOUT);
	st_vc_maybe_disconnect(st);
	st_unlock(st);
	sock_put(&st->sk);
}
EXPORT_SYMBOL_IF_KUNIT(st_timer);

/**
 * st_tx_work - continue to send after the LLP has sent something, or clear Blocks after a turn
 * @work: st_sock.out.work, queued with a reference
 */
void st_tx_work(struct work_struct *work)
{
	struct st_sock *st = container_of(work, struct st_sock, out.work);

	spin_lock_bh(&st->lock);
	st_vc_go_on(st);
	st_paths_check(st, jiffies);
	st_down_check(st, jiffies);
	if (st->sk.sk_state == ST_ESTABLISHED)
		st_remote_pump(st);
	st_tx_pump(st);
	st_mem_pump(st);
	st_rx_clear_all(st);
	st_paths_pass(st);
	st_vc_maybe_disconnect(st);
	st_unlock(st);
	sock_put(&st->sk);
}

/**
 * st_tx_write_space - Data has left the LLP
 * @sk: the socket; the only reference left may be that of its Data
 *
 * Context: any, under a lock of the driver.
 */
void st_tx_write_space(struct sock *sk)
{
	struct st_sock *st = st_sk(sk);

	/* One STU of maximum size may be left: the next one takes its place in time */
	if ((!READ_ONCE(st->source.cts) && !st_mem_waiting(st)) ||
	    sk_wmem_alloc_get(sk) > st_tx_inflight(st) / 4 * 3)
		return;
	if (refcount_inc_not_zero(&sk->sk_refcnt))
		st_tx_go_on(st);
}
