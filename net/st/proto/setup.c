// SPDX-License-Identifier: GPL-2.0
/* Setup of a Virtual Connection, ST 5.1.1. */
#include <kunit/visibility.h>
#include <linux/bitfield.h>
#include <linux/export.h>
#include <linux/memcontrol.h>
#include <linux/sched/mm.h>

#include "conn/conn.h"
#include "link/link.h"
#include "link/route.h"
#include "link/upcall.h"
#include "proto/proto.h"

/* The attributes of this end, ST 8.2 */
static u16 st_conn_flags(const struct st_sock *st)
{
	u16 order = st->opts.any_order ? ST_F_OUT_OF_ORDER : 0;
	u8 function = ST_FN_HAS_MEMORY;

	/* Emulated 64-bit atomics do not exclude plain accesses of the application */
	if (!IS_ENABLED(CONFIG_GENERIC_ATOMIC64))
		function |= ST_FN_HAS_FETCHOP;
#ifdef __LITTLE_ENDIAN
	function |= ST_FN_LITTLE_ENDIAN;
#endif
	return order | FIELD_PREP(ST_F_FUNCTION, function);
}

/**
 * st_vc_set_state - change the state of a Virtual Connection
 * @st: the Virtual Connection
 * @state: the new state
 *
 * Context: under st->lock.
 */
void st_vc_set_state(struct st_sock *st, enum st_state state)
{
	enum st_state before = st->sk.sk_state;

	/* System calls read it without the lock */
	WRITE_ONCE(st->sk.sk_state, state);
	st_up->vc_state(st, before);
}

static void st_vc_parameters(struct st_sock *st, const struct st_op *op)
{
	st->vc.peer.key = op->offset;
	st->slots.remote = op->param;
	st->slots.remote_max = op->param;
	st->vc.remote_bufsize = op->bufx;
	st->vc.remote_max_stu = op->sync;
	st->vc.out_of_order = st->opts.any_order && (op->flags & ST_F_OUT_OF_ORDER);
	st->vc.remote_function = FIELD_GET(ST_F_FUNCTION, op->flags);
}

/* Validate the parameters of the setup, ST 5.2.3, 5.2.4, and log errors. */
static bool st_vc_parameters_ok(struct st_net *sn, struct st_port *port, const struct st_op *op)
{
	if (op->bufx < ST_BUFSIZE_MIN || op->bufx > ST_BUFSIZE_MAX) {
		st_log_port(sn, port, ST_ERR_ILLEGAL_BUFSIZE);
		return false;
	}
	if (op->sync < ST_BUFSIZE_MIN || op->sync > op->bufx) {
		st_log_port(sn, port, ST_ERR_ILLEGAL_STU_SIZE);
		return false;
	}
	return true;
}

/* Whether the setup has to wait for the route. */
static bool st_vc_routing(const struct st_sock *st)
{
	return st->paths.first.route && !st_route_is_up(st->paths.first.route);
}

/**
 * st_vc_connect - start the setup of a Virtual Connection, ST 5.1.1
 * @st: the socket, on a Port
 * @link: the link, with a reference, consumed on success
 * @to: the address of the Responder
 *
 * If the route to the Responder is not up yet, st_vc_go_on() continues when it is.
 *
 * Context: under lock_sock().
 * Return: 0, -ENOMEM, -ENOBUFS at a limit of st_host_join() or st_route_join(), or -ENETDOWN.
 */
int st_vc_connect(struct st_sock *st, struct st_link *link, const struct sockaddr_st *to)
{
	struct st_op op;
	int err;

	spin_lock_bh(&st->lock);
	memset(&st->vc.peer, 0, sizeof(st->vc.peer));
	st->vc.peer.port = ntohs(to->sst_port);
	st->vc.peer.llp = st_link_core(link)->type;
	st->vc.peer.ifindex = st_link_core(link)->ifindex;
	memcpy(st->vc.peer.addr, to->sst_addr, link->addr_len);
	memcpy(st->paths.first.addr, st->vc.peer.addr, sizeof(st->paths.first.addr));
	err = st_vc_hash(st);
	if (err)
		goto unlock;
	/* From here on st_link_del() waits for this Virtual Connection */
	err = st_link_join(link, &st->paths.first, st->bind.admin);
	if (err) {
		st_vc_unhash(st);
		goto unlock;
	}
	st->vc.local_max_stu = st_link_recv_max_stu(link);
	st->slots.remote = ST_SLOTS_NONE;
	st->shorts.wanted = READ_ONCE(st_net_of(st)->short_records);
	st_op_init(st, &op, ST_OP_REQUEST_CONNECTION, st_conn_flags(st));
	op.param = st->slots.local;
	op.b_id = st->bind.ethertype;
	op.bufx = ST_BUFSIZE;
	op.offset = st->vc.local_key;
	op.sync = st->vc.local_max_stu;
	st_vc_set_state(st, ST_CONNECTING);
	/* ST_USER_TIMEOUT covers the setup of the route, too */
	st_retrans_start(st, &st->vc.retrans, &op);
	st->vc.routing = st_vc_routing(st);
	if (!st->vc.routing)
		st_queue_op(st, &op);
unlock:
	st_unlock(st);
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(st_vc_connect);

static void st_queue_connection_answer(struct st_sock *st)
{
	struct st_op op;

	st_op_init(st, &op, ST_OP_CONNECTION_ANSWER, st_conn_flags(st));
	op.param = st->slots.local;
	op.bufx = ST_BUFSIZE;
	op.offset = st->vc.local_key;
	op.sync = st->vc.local_max_stu;
	st_queue_op(st, &op);
}

static void st_vc_answer(struct st_sock *st)
{
	st_assert_locked(st);
	st->vc.routing = st_vc_routing(st);
	if (!st->vc.routing)
		st_queue_connection_answer(st);
}

/**
 * st_vc_go_on - continue a setup that has waited for its route
 * @st: the Virtual Connection
 *
 * Context: under st->lock.
 */
void st_vc_go_on(struct st_sock *st)
{
	st_assert_locked(st);
	if (!st->vc.routing || st_vc_routing(st))
		return;
	st->vc.routing = false;
	if (st->sk.sk_state == ST_CONNECTING) {
		st->vc.retrans.sent = ktime_get();
		st->vc.retrans.tries = 0;
		st_retrans_wait(st, &st->vc.retrans);
		st_queue_op(st, &st->vc.retrans.op);
	} else if (st->sk.sk_state == ST_ESTABLISHED) {
		st_queue_connection_answer(st);
	}
}

/**
 * st_vc_not_wanted - the application has given up the setup of a Virtual Connection
 * @st: the Virtual Connection
 *
 * It ends at once if the peer has not been contacted; otherwise it is torn down when the peer
 * answers.
 *
 * Context: under st->lock.
 */
void st_vc_not_wanted(struct st_sock *st)
{
	st_assert_locked(st);
	if (st->vc.routing && st->sk.sk_state == ST_CONNECTING)
		st_vc_fail(st, ECONNABORTED);
}

static void st_reject_connection(struct st_link *link, const struct st_op *rc, const u8 *saddr)
{
	const struct st_op op = {
		.op = ST_OP_CONNECTION_ANSWER,
		.flags = ST_F_REJECT,
		.d_port = rc->s_port,
		.s_port = rc->d_port,
		.d_key = rc->offset,
	};

	st_send_op(link, &op, true, saddr);
}

/* A Virtual Connection for a Request_Connection, still unknown to its listener, or an ERR_PTR. */
static struct st_sock *st_vc_accept(struct st_sock *lst, struct st_link *link,
				    const struct st_op *op, const void *opt,
				    const struct st_peer *peer)
{
	struct st_net *sn = st_net_of(lst);
	struct mem_cgroup *before;
	struct st_sock *st;
	struct sock *sk;
	int err;

	/* Charge the memory cgroup of the listener; GFP_ATOMIC would exceed its limit */
	before = set_active_memcg(mem_cgroup_from_sk(&lst->sk));
	st = st_sk_accept(lst);
	set_active_memcg(before);
	if (!st)
		return ERR_PTR(-ENOMEM);
	sk = &st->sk;
	if (lst->paths.stripe && st_stripe_alloc(st, ST_PEER_GFP)) {
		sock_put(sk);
		return ERR_PTR(-ENOMEM);
	}
	st_port_share(st, lst->bind.port);
	st->vc.local_max_stu = st_link_recv_max_stu(link);

	spin_lock_bh(&st->lock);
	st->vc.peer = *peer;
	memcpy(st->paths.first.addr, peer->addr, sizeof(st->paths.first.addr));
	st->shorts.wanted = READ_ONCE(sn->short_records);
	st_vc_parameters(st, op);
	st_short_learn(st, opt);
	st->timers.heard = jiffies;
	err = st_vc_hash(st);
	if (!err)
		err = st_vc_hash_peer(st);
	if (!err) {
		err = -ENETDOWN;
		if (st_link_get(link)) {
			err = st_link_join(link, &st->paths.first, false);
			if (err)
				st_link_put(link);
		}
	}
	if (err) {
		st_vc_unhash(st);
		spin_unlock_bh(&st->lock);
		sock_put(sk);
		return ERR_PTR(err);
	}
	st_vc_set_state(st, ST_ESTABLISHED);
	st_stripe_join(st);
	/* The peer has to know the Key before other paths are probed */
	if (st->paths.stripe)
		st_timer_at(st, jiffies + HZ / 50);
	st_keep_check(st, st->timers.heard);
	spin_unlock_bh(&st->lock);
	return st;
}

/*
 * Queue a new Virtual Connection for accept().  Return: false when the backlog is full: others may
 * have been queued since the last check.
 */
static bool st_vc_queue(struct st_sock *lst, struct st_sock *st)
{
	struct sock *lsk = &lst->sk;
	bool full, queued = false;

	spin_lock_bh(&lst->lock);
	full = sk_acceptq_is_full(lsk);
	if (lsk->sk_state == ST_LISTEN && !full) {
		sk_acceptq_added(lsk);
		sock_hold(&st->sk);
		list_add_tail(&st->listen.node, &lst->listen.queue);
		queued = true;
	}
	spin_unlock_bh(&lst->lock);
	if (full)
		atomic64_inc(&st_net_of(lst)->drops[ST_DROP_BACKLOG]);
	return queued;
}

/* The Initiator repeats its request: the Connection_Answer was lost, ST 10.2. */
static bool st_rcv_request_connection_again(struct st_net *sn, const struct st_peer *peer)
{
	struct st_sock *st = st_vc_find_peer(sn, peer);

	if (!st)
		return false;
	spin_lock_bh(&st->lock);
	if (st->sk.sk_state == ST_ESTABLISHED)
		st_vc_answer(st);
	st_unlock(st);
	sock_put(&st->sk);
	return true;
}

/**
 * st_rcv_request_connection - a Request_Connection has arrived, ST 5.1.1
 * @link: the link it arrived on
 * @op: the operation
 * @opt: its optional payload, or NULL
 * @saddr: its source address
 *
 * Context: softirq, under RCU.
 */
void st_rcv_request_connection(struct st_link *link, const struct st_op *op, const void *opt,
			       const u8 *saddr)
{
	struct st_net *sn = st_pernet(link->net);
	struct st_peer peer = {
		.key = op->offset,
		.port = op->s_port,
		.llp = st_link_core(link)->type,
		.ifindex = st_link_core(link)->ifindex,
	};
	struct st_port *port = st_port_find(sn, op->d_port);
	struct st_sock *lst, *st;
	struct sock *lsk;
	bool queued = false;

	if (op->flags & ~st_op_flags_allowed(op))	/* ST 10.7.7 */
		st_log_port(sn, port, ST_ERR_IMPROPER_FLAG_USE);
	memcpy(peer.addr, saddr, link->addr_len);
	if (st_rcv_request_connection_again(sn, &peer))
		return;

	lsk = st_port_listener(sn, op->d_port, link);
	if (!lsk) {
		st_log_port(sn, port, ST_ERR_INVALID_PORT);
		goto reject;
	}
	if (op->b_id != st_sk(lsk)->bind.ethertype) {	/* ST 10.6.3 */
		st_log_port(sn, port, ST_ERR_UNKNOWN_ETHERTYPE);
		goto reject;
	}
	if (!st_vc_parameters_ok(sn, port, op))
		goto reject;

	lst = st_sk(lsk);
	if (sk_acceptq_is_full(lsk)) {
		/* The Initiator repeats it after its Op_timeout */
		atomic64_inc(&sn->drops[ST_DROP_BACKLOG]);
		goto out;
	}
	st = st_vc_accept(lst, link, op, opt, &peer);
	if (st == ERR_PTR(-ENOBUFS))
		goto reject;
	/* The same request is processed concurrently, and answered there */
	if (st == ERR_PTR(-EEXIST))
		goto out;
	if (IS_ERR(st)) {
		atomic64_inc(&sn->drops[ST_DROP_NOMEM]);
		goto out;
	}
	queued = st_vc_queue(lst, st);

	spin_lock_bh(&st->lock);
	if (queued)
		st_vc_answer(st);
	else
		st_vc_fail(st, ECONNRESET);
	st_unlock(st);
	if (queued)
		lsk->sk_data_ready(lsk);
	sock_put(&st->sk);
out:
	sock_put(lsk);
	return;
reject:
	st_reject_connection(link, op, saddr);
	if (lsk)
		sock_put(lsk);
}

/**
 * st_rcv_connection_answer - a Connection_Answer has arrived, ST 5.1.1
 * @st: the Virtual Connection, found by its Key
 * @op: the operation
 * @opt: its optional payload, or NULL
 *
 * Context: softirq, under st->lock.
 */
void st_rcv_connection_answer(struct st_sock *st, const struct st_op *op, const void *opt)
{
	if (st->sk.sk_state != ST_CONNECTING) {
		/* The only legal case is a duplicate of the answer to our request */
		if (st->vc.peer_hashed || op->offset != st->vc.peer.key)
			st_log_unexpected(st, op);
		return;
	}
	st_retrans_answered(st, &st->vc.retrans);
	if (op->flags & ST_F_REJECT) {
		st_vc_fail(st, ECONNREFUSED);
		return;
	}
	st->vc.peer.port = op->s_port;
	st_vc_parameters(st, op);
	st_vc_set_state(st, ST_ESTABLISHED);
	if (!st_vc_parameters_ok(st_net_of(st), st->bind.port, op)) {
		if (!st->sk.sk_shutdown)
			WRITE_ONCE(st->sk.sk_err, EPROTO);
		st_vc_disconnect(st);
		return;
	}
	st_short_learn(st, opt);
	st->vc.used = true;
	st->timers.heard = jiffies;
	st_stripe_join(st);
	st_paths_check(st, st->timers.heard);
	st_keep_check(st, st->timers.heard);
	st_state_changed(&st->sk, SOCK_WAKE_IO, POLL_OUT);
	st_vc_maybe_disconnect(st);
}
