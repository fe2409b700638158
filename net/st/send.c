// SPDX-License-Identifier: GPL-2.0
/*
 * Write sequences at the data Source, ST 6.1.2.
 */
#include <linux/sched/signal.h>
#include <linux/uio.h>

#include "st.h"

/* An STU is at most what one skb holds in its page fragments. */
#define ST_TX_MAX_STU	15

static struct st_tx *st_tx_find(struct st_sock *st, u32 id)
{
	struct st_xfer *x = xa_load(&st->ids, id);

	if (x && x->tx)
		return container_of(x, struct st_tx, x);
	/* An answer to a Transfer that is over is late, not wrong */
	if ((s32)(id - st->next_id) >= 0)
		st_log(st, ST_ERR_INVALID_D_ID);
	return NULL;
}

/**
 * st_tx_idle - whether nothing is left to send
 * @st: the Virtual Connection
 *
 * Context: under st->lock.
 * Return: true when every Transfer is acknowledged or given up.
 */
bool st_tx_idle(const struct st_sock *st)
{
	const struct st_tx *tx;

	list_for_each_entry(tx, &st->tx_list, list)
		if (!tx->ending || !tx->tiling.t_len)
			return false;
	return true;
}

static void st_tx_wake(struct sock *sk)
{
	struct socket_wq *wq;

	rcu_read_lock();
	wq = rcu_dereference(sk->sk_wq);
	if (skwq_has_sleeper(wq))
		wake_up_interruptible_poll(&wq->wait, EPOLLOUT | EPOLLWRNORM | EPOLLWRBAND);
	sk_wake_async_rcu(sk, SOCK_WAKE_SPACE, POLL_OUT);
	rcu_read_unlock();
}

static void st_tx_drop_grants(struct st_sock *st, struct st_tx *tx)
{
	struct st_grant *g, *next;

	list_for_each_entry_safe(g, next, &tx->grants, list) {
		list_del(&g->list);
		kfree(g);
		st->grants--;
	}
}

static void st_tx_free(struct st_tx *tx)
{
	st_buf_free(tx->buf, false);
	kfree(tx);
}

/* The Transfer is over; @err is a negative errno or 0. */
static void st_tx_finish(struct st_sock *st, struct st_tx *tx, int err)
{
	list_del(&tx->list);
	xa_erase(&st->ids, tx->x.id);
	st_tx_drop_grants(st, tx);
	tx->err = err;
	if (!err)
		st->info.tx_transfers++;
	if (tx->waited) {
		complete(&tx->done);
		return;
	}
	st->tx_queued -= tx->charged;
	st_tx_free(tx);
	if (st_tx_writable(st))
		st_tx_wake(&st->sk);
}

/**
 * st_tx_fail_all - give up everything that is being sent
 * @st: the Virtual Connection
 * @err: negative errno
 *
 * Context: under st->lock.
 */
void st_tx_fail_all(struct st_sock *st, int err)
{
	struct st_tx *tx, *next;

	list_for_each_entry_safe(tx, next, &st->tx_list, list)
		st_tx_finish(st, tx, err);
}

static void st_tx_queue_end(struct st_sock *st, struct st_tx *tx)
{
	struct st_op op;

	st_op_init(st, &op, ST_OP_END, 0);
	op.d_id = tx->peer_id;
	op.s_id = tx->x.id;
	st_slot_take(st, true);
	st_guard_start(st, &tx->guard, &op);
	st_queue_op(st, &op);
}

/* Ask for the state of the Transfer when its Data is not answered, ST 10.2. */
static void st_tx_watch(struct st_sock *st, struct st_tx *tx)
{
	struct st_op op;

	st_op_init(st, &op, ST_OP_REQUEST_STATE, 0);
	op.b_num = ST_B_NUM_NONE;
	op.d_id = tx->peer_id;
	op.s_id = tx->x.id;
	st_guard_start(st, &tx->guard, &op);
}

static bool st_tx_ask(struct st_sock *st, struct st_tx *tx)
{
	struct st_op op;

	if (!st_slot_take(st, false))
		return false;
	st_op_init(st, &op, ST_OP_REQUEST_TO_SEND, ST_DATA_CHANNEL);
	op.param = ST_BLOCKS_XFER;
	op.b_id = tx->max_block;
	op.s_id = tx->x.id;
	st_op_set_t_len(&op, tx->tiling.t_len);
	tx->asked = true;
	st_guard_start(st, &tx->guard, &op);
	st_queue_op(st, &op);
	return true;
}

/* log2 of the largest STU to send now, 0 for none; ST 5.2.4 */
static u8 st_tx_max_stu(const struct st_sock *st)
{
	return min3(st->remote_max_stu, (u8)st_link_max_stu(st->link), (u8)ST_TX_MAX_STU);
}

/* The next STU of a Block, ST 6.2.7.  Return: false when it must wait. */
static bool st_tx_send_stu(struct st_sock *st, struct st_tx *tx, struct st_grant *g)
{
	u8 max_stu = st_tx_max_stu(st);
	u64 pos = g->start + g->sent;
	struct st_csum csum;
	struct st_hdr *hdr;
	struct sk_buff *skb;
	struct st_op op;
	u32 stu;

	if (!max_stu || sk_wmem_alloc_get(&st->sk) >= ST_TX_INFLIGHT)
		return false;
	stu = st_stu_len(&g->at, g->len - g->sent, st->remote_bufsize, max_stu);
	stu = st_buf_fit(tx->buf, pos, stu);

	st_op_init(st, &op, ST_OP_DATA, ST_DATA_CHANNEL);
	if (g->sent + stu == g->len)
		op.flags |= ST_F_LAST;
	if ((op.flags & ST_F_LAST) && list_is_singular(&tx->grants)) {
		/* Not Silent, so it takes a Slot, ST 5.2.5 */
		if (!st_slot_take(st, false))
			return false;
		op.flags |= ST_F_SEND_STATE;
	} else {
		op.flags |= ST_F_SILENT;
	}
	op.param = g->stu_num;
	op.b_id = g->mx;
	op.bufx = g->at.bufx;
	op.offset = g->at.offset;
	op.sync = st->slot_ops;
	op.b_num = st_b_num(g->n);
	op.d_id = tx->peer_id;

	skb = st_alloc_op(st->link, &op, false);
	if (!skb)
		return false;
	hdr = (struct st_hdr *)skb->data;
	if (st->checksum) {
		st_csum_init(&csum);
		st_csum_hdr(&csum, hdr);
		st_buf_attach(tx->buf, pos, stu, skb, &csum);
		hdr->cksum = st_csum_finish(&csum);
	} else {
		st_buf_attach(tx->buf, pos, stu, skb, NULL);
	}
	ST_SKB_CB(skb)->channel = ST_DATA_CHANNEL;
	skb_set_owner_w(skb, &st->sk);
	__skb_queue_tail(&st->outq, skb);

	if (op.flags & ST_F_SEND_STATE)
		st_tx_watch(st, tx);
	st->info.tx_ops++;
	st->info.tx_bytes += stu;
	g->sent += stu;
	g->stu_num++;
	st_place_advance(&g->at, stu, st->remote_bufsize);
	return true;
}

/* Send what the peer has cleared.  Return: false when it must wait. */
static bool st_tx_send_blocks(struct st_sock *st, struct st_tx *tx)
{
	struct st_grant *g, *next;

	list_for_each_entry_safe(g, next, &tx->grants, list) {
		while (g->sent < g->len)
			if (!st_tx_send_stu(st, tx, g))
				return false;
		list_del(&g->list);
		kfree(g);
		st->grants--;
	}
	return true;
}

/**
 * st_tx_pump - send what may be sent now
 * @st: the Virtual Connection
 *
 * Records are announced one after the other, each when the one before is
 * answered, so that they arrive in the order they were sent in.
 *
 * Context: under st->lock.
 */
void st_tx_pump(struct st_sock *st)
{
	bool may_ask = true;
	struct st_tx *tx;

	if (st->sk.sk_state != ST_ESTABLISHED)
		return;
	list_for_each_entry(tx, &st->tx_list, list) {
		if (!tx->asked && !(may_ask && st_tx_ask(st, tx)))
			return;
		may_ask &= tx->answered;
		if (!st_tx_send_blocks(st, tx))
			return;
	}
}

/**
 * st_tx_work - go on sending after the LLP has sent some
 * @work: st_sock.tx_work, queued with a reference
 */
void st_tx_work(struct work_struct *work)
{
	struct st_sock *st = container_of(work, struct st_sock, tx_work);

	spin_lock_bh(&st->lock);
	st_tx_pump(st);
	st_unlock(st);
	sock_put(&st->sk);
}

/**
 * st_tx_write_space - Data has left the LLP
 * @sk: the socket; may have no reference left but that of its Data
 *
 * Context: any, in the driver's lock.
 */
void st_tx_write_space(struct sock *sk)
{
	struct st_sock *st = st_sk(sk);

	if (!READ_ONCE(st->grants) || sk_wmem_alloc_get(sk) > ST_TX_INFLIGHT / 2)
		return;
	if (!refcount_inc_not_zero(&sk->sk_refcnt))
		return;
	if (!queue_work(system_bh_wq, &st->tx_work))
		sock_put(sk);
}

/**
 * st_rcv_request_answer - a Request_Answer came in, ST 6.1.2
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq, under st->lock.
 */
void st_rcv_request_answer(struct st_sock *st, const struct st_op *op)
{
	struct st_tx *tx = st_tx_find(st, op->d_id);

	if (!tx || !tx->asked || tx->peer_id_known)
		return;
	if (op->flags & ST_F_REJECT) {
		st_tx_finish(st, tx, -ECONNABORTED);
		st_tx_pump(st);
		st_vc_maybe_disconnect(st);
		return;
	}
	tx->answered = true;
	st_guard_stop(&tx->guard);
	st_tx_pump(st);
}

/* Block boundaries are fixed by the first Clear_To_Send, ST 6.2.6. */
static bool st_tx_tile(struct st_sock *st, struct st_tx *tx, const struct st_op *op)
{
	if (op->param < ST_BLOCK_MIN || op->param > min_t(u8, tx->max_block, ST_BLOCK_MAX))
		return false;
	if (tx->tiled)
		return op->param == tx->tiling.blocksize && op->sync == tx->tiling.f_offset;
	tx->tiling.blocksize = op->param;
	tx->tiling.f_offset = op->sync;
	tx->nblocks = st_block_count(&tx->tiling);
	tx->tiled = true;
	return true;
}

static void st_tx_grant(struct st_sock *st, struct st_tx *tx, const struct st_op *op)
{
	struct st_place at = { .bufx = op->bufx, .offset = op->offset }, end = at;
	u64 len = st_block_len(&tx->tiling, op->b_num);
	struct st_grant *g;

	if (!st_place_advance(&end, len - 1, st->remote_bufsize)) {
		st_log(st, ST_ERR_OUT_OF_RANGE_BUFX);
		return;
	}
	/* A Block may be asked for again while it is still being sent */
	list_for_each_entry(g, &tx->grants, list)
		if (g->n == op->b_num)
			goto fill;
	if (st->grants >= ST_GRANTS) {
		atomic64_inc(&st_net_of(st)->drops[ST_DROP_GRANTS]);
		return;
	}
	g = kmalloc(sizeof(*g), GFP_ATOMIC | __GFP_NOWARN);
	if (!g) {
		atomic64_inc(&st_net_of(st)->drops[ST_DROP_NOMEM]);
		return;
	}
	list_add_tail(&g->list, &tx->grants);
	st->grants++;
fill:
	g->n = op->b_num;
	g->start = st_block_start(&tx->tiling, g->n);
	g->len = len;
	g->sent = 0;
	g->at = at;
	g->stu_num = 0;
	g->mx = op->b_id;
}

/**
 * st_rcv_clear_to_send - a Clear_To_Send came in, ST 6.1.2
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq, under st->lock.
 */
void st_rcv_clear_to_send(struct st_sock *st, const struct st_op *op)
{
	const struct st_place at = { .bufx = op->bufx, .offset = op->offset };
	struct st_tx *tx = st_tx_find(st, op->d_id);

	if (!tx)
		return;
	if (tx->peer_id_known && op->s_id != tx->peer_id) {
		st_log(st, ST_ERR_INVALID_D_ID);
		return;
	}
	if (!st_place_valid(&at, st->remote_bufsize)) {
		st_log(st, ST_ERR_OVERSIZED_OFFSET);
		return;
	}
	if (!st_tx_tile(st, tx, op)) {
		st_log(st, ST_ERR_ILLEGAL_BLOCKSIZE);
		return;
	}
	if (op->b_num >= tx->nblocks) {
		st_log(st, ST_ERR_OUT_OF_RANGE_B_NUM);
		return;
	}
	if (!tx->peer_id_known) {
		tx->peer_id = op->s_id;
		tx->peer_id_known = true;
		tx->answered = true;
		st_guard_stop(&tx->guard);
		if (tx->ending)
			st_tx_queue_end(st, tx);
	}
	if (!tx->ending)
		st_tx_grant(st, tx, op);
	st_tx_pump(st);
}

/**
 * st_rcv_request_state_response - the peer tells its state, ST 6.1.1
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq, under st->lock.
 */
void st_rcv_request_state_response(struct st_sock *st, const struct st_op *op)
{
	struct st_tx *tx;

	st_slots_update(st, op->param, op->sync);
	if (op->d_id == ST_ID_NONE) {
		st_guard_stop(&st->slot_guard);
	} else {
		tx = st_tx_find(st, op->d_id);
		if (tx && op->s_id == ST_ID_NONE && !tx->ending) {
			/* ST 6.2.1: the peer knows nothing of it */
			st_tx_finish(st, tx, -ECONNABORTED);
		} else if (tx && tx->peer_id_known && op->s_id != tx->peer_id) {
			st_log(st, ST_ERR_INVALID_D_ID);
		} else if (tx && tx->tiled && !tx->ending) {
			st_guard_stop(&tx->guard);
			if (op->offset == st_b_num(tx->nblocks - 1) && list_empty(&tx->grants))
				st_tx_finish(st, tx, 0);
		}
	}
	st_tx_pump(st);
	st_rx_grant_all(st);
	st_vc_maybe_disconnect(st);
}

/**
 * st_tx_end_rcvd - the peer ends a Transfer, ST 6.1.1.4
 * @st: the Virtual Connection
 * @tx: the Transfer, gone after
 *
 * Context: softirq, under st->lock.
 */
void st_tx_end_rcvd(struct st_sock *st, struct st_tx *tx)
{
	st_tx_finish(st, tx, -ECONNABORTED);
	st_tx_pump(st);
	st_vc_maybe_disconnect(st);
}

/**
 * st_tx_end_acked - the peer knows that a Transfer has ended, ST 6.1.1.4
 * @st: the Virtual Connection
 * @tx: the Transfer
 *
 * That is how a record of no bytes arrives: an unlimited Transfer without
 * Data.
 *
 * Context: softirq, under st->lock.
 */
void st_tx_end_acked(struct st_sock *st, struct st_tx *tx)
{
	if (!tx->ending || !tx->peer_id_known)
		return;
	st_tx_finish(st, tx, tx->tiling.t_len ? -ECONNABORTED : 0);
	st_tx_pump(st);
	st_vc_maybe_disconnect(st);
}

/**
 * st_tx_timeouts - Op_timeouts of what is being sent, ST 10.1
 * @st: the Virtual Connection
 * @now: jiffies
 *
 * Context: under st->lock, in st_timer().
 */
void st_tx_timeouts(struct st_sock *st, unsigned long now)
{
	struct st_tx *tx;

	list_for_each_entry(tx, &st->tx_list, list) {
		switch (st_guard_expired(st, &tx->guard, now)) {
		case 1:
			if (tx->guard.op.op == ST_OP_REQUEST_STATE) {
				st_slot_take(st, true);
				tx->guard.op.sync = st->slot_ops;
			}
			st_queue_op(st, &tx->guard.op);
			break;
		case -ETIMEDOUT:
			st_vc_fail(st, ETIMEDOUT);
			return;
		}
	}
	if (list_empty(&st->tx_list))
		return;
	if (sock_flag(&st->sk, SOCK_DEAD) && time_after_eq(now, st->hold_until)) {
		st_vc_disconnect(st);
		return;
	}
	/* Whoever waits for Clear_To_Sends learns that the peer has gone */
	if (time_after_eq(now, st->heard + ST_KEEPALIVE))
		st_queue_request_state(st);
	st_timer_at(st, now + ST_KEEPALIVE);
	st_tx_pump(st);
}

/* Give up a record that a signal or a timeout has cut short. */
static struct st_buf *st_tx_cancel(struct st_sock *st, struct st_tx *tx)
{
	struct st_buf *buf = tx->buf;

	tx->waited = false;
	tx->buf = NULL;
	tx->ending = true;
	st_tx_drop_grants(st, tx);
	if (!tx->asked)
		st_tx_finish(st, tx, -ECONNABORTED);
	else if (tx->peer_id_known)
		st_tx_queue_end(st, tx);
	return buf;
}

static int st_tx_wait(struct st_sock *st, struct st_tx *tx, long timeo)
{
	struct st_buf *buf = NULL;
	bool known;
	long left;
	int err;

	left = wait_for_completion_interruptible_timeout(&tx->done, timeo);
	if (left <= 0) {
		spin_lock_bh(&st->lock);
		if (!completion_done(&tx->done)) {
			known = tx->peer_id_known;
			buf = st_tx_cancel(st, tx);
			tx = NULL;
			st_vc_maybe_disconnect(st);
		}
		st_unlock(st);
		if (!tx) {
			st_buf_free(buf, false);
			if (!left)
				return -EAGAIN;
			/* The peer has seen a part: not to be restarted in silence */
			return known ? -EINTR : sock_intr_errno(timeo);
		}
	}
	err = tx->err;
	st_buf_wait_sent(tx->buf);
	st_tx_free(tx);
	/* This call tells what happened to the connection */
	if (err && READ_ONCE(st->sk.sk_err) == -err)
		sock_error(&st->sk);
	return err;
}

/* The bytes of a record: pinned where they are, or copied. */
static int st_tx_load(struct st_tx *tx, struct msghdr *msg, size_t len, bool copy)
{
	struct st_buf *buf;
	int err;

	if (!len)
		return 0;
	/* Many small pieces are not worth a page fragment each */
	if (iov_iter_npages(&msg->msg_iter, INT_MAX) > 2 * (len >> PAGE_SHIFT) + 2)
		copy = true;
	if (!copy) {
		buf = st_buf_pin(&msg->msg_iter, len);
		if (IS_ERR(buf))
			return PTR_ERR(buf);
	} else {
		buf = st_buf_alloc(len, GFP_KERNEL_ACCOUNT);
		if (!buf)
			return -ENOMEM;
		err = st_buf_copy_from_iter(buf, &msg->msg_iter);
		if (err) {
			st_buf_free(buf, false);
			return err;
		}
	}
	tx->buf = buf;
	return 0;
}

/**
 * st_tx_writable - whether poll() may call the socket writable
 * @st: the Virtual Connection
 *
 * Context: under st->lock, or any for a guess.
 * Return: true when any record that SO_SNDBUF allows is taken now.
 */
bool st_tx_writable(const struct st_sock *st)
{
	return READ_ONCE(st->tx_queued) <= READ_ONCE(st->sk.sk_sndbuf) / 2;
}

/* Whether a copied record is taken now: at most 1.5 times SO_SNDBUF is queued. */
static bool st_tx_room(const struct st_sock *st, size_t len)
{
	u64 queued = READ_ONCE(st->tx_queued);

	return st_tx_writable(st) ||
	       queued + len + sizeof(struct st_tx) <= READ_ONCE(st->sk.sk_sndbuf);
}

/* Queue a record.  Under st->lock.  Return: 0 or a negative errno. */
static int st_tx_start(struct st_sock *st, struct st_tx *tx, size_t len)
{
	int err;

	if (st->sk.sk_state != ST_ESTABLISHED || (st->sk.sk_shutdown & SEND_SHUTDOWN))
		return -EPIPE;
	if (!tx->waited && !st_tx_room(st, len))
		return -EAGAIN;
	if (st->next_id == ST_ID_NONE)		/* ST 6.2.1 */
		st->next_id = 0;
	tx->x.id = st->next_id;
	err = xa_insert(&st->ids, tx->x.id, &tx->x, GFP_ATOMIC);
	if (err)
		return err;
	st->next_id++;
	tx->max_block = st_max_block(st->remote_bufsize, st_tx_max_stu(st));
	if (!tx->waited) {
		tx->charged = len + sizeof(*tx);
		st->tx_queued += tx->charged;
	}
	list_add_tail(&tx->list, &st->tx_list);
	st_tx_pump(st);
	st_timer_at(st, jiffies + ST_KEEPALIVE);
	return 0;
}

static int st_send_ready(struct sock *sk, struct msghdr *msg, bool nonblock)
{
	long timeo = sock_sndtimeo(sk, nonblock);
	int err;

	if (READ_ONCE(sk->sk_state) == ST_CONNECTING) {
		lock_sock(sk);
		err = st_wait_connected(sk, &timeo);
		release_sock(sk);
		if (err)
			return err == -EINPROGRESS ? -EAGAIN : err;
	}
	err = sock_error(sk);
	if (err)
		return err;
	if (READ_ONCE(sk->sk_shutdown) & SEND_SHUTDOWN)
		return -EPIPE;
	return READ_ONCE(sk->sk_state) == ST_ESTABLISHED ? 0 : -ENOTCONN;
}

/**
 * st_sendmsg - send one record: a Write sequence, ST 6.1.2
 * @sock: the socket
 * @msg: the record; no address, no control messages
 * @len: bytes in it; 0 is a record too
 *
 * A blocking call returns when the peer has acknowledged the whole Transfer;
 * it sends from the pages of the application.  A call with MSG_DONTWAIT
 * copies, within SO_SNDBUF.
 *
 * Return: @len, or -EPIPE after a teardown, -ECONNRESET when it comes during
 * the call, -ECONNABORTED when the peer refuses or ends the Transfer,
 * -ETIMEDOUT when it answers no more, -ENETDOWN when the link has gone,
 * -EMSGSIZE for a record over net.st.max_transfer or, with MSG_DONTWAIT, over
 * SO_SNDBUF, -EAGAIN, -EINTR, -ENOTCONN, -EISCONN, -ENOMEM, -EFAULT,
 * -EOPNOTSUPP for MSG_OOB and control messages.
 */
int st_sendmsg(struct socket *sock, struct msghdr *msg, size_t len)
{
	bool nonblock = msg->msg_flags & MSG_DONTWAIT;
	struct sock *sk = sock->sk;
	struct st_sock *st = st_sk(sk);
	struct st_tx *tx;
	int err;

	if ((msg->msg_flags & (MSG_OOB | MSG_ZEROCOPY)) || msg->msg_controllen)
		return -EOPNOTSUPP;
	if (msg->msg_namelen)
		return -EISCONN;
	err = st_send_ready(sk, msg, nonblock);
	if (err)
		goto out;
	err = -EMSGSIZE;
	if (len > READ_ONCE(st_net_of(st)->max_transfer) ||
	    (nonblock && len > READ_ONCE(sk->sk_sndbuf)))
		goto out;
	err = -EAGAIN;
	if (nonblock && !st_tx_room(st, len))
		goto out;

	tx = kzalloc(sizeof(*tx), GFP_KERNEL_ACCOUNT);
	err = -ENOMEM;
	if (!tx)
		goto out;
	tx->x.tx = true;
	tx->tiling.t_len = len;
	tx->ending = !len;
	tx->waited = !nonblock;
	INIT_LIST_HEAD(&tx->grants);
	init_completion(&tx->done);

	err = st_tx_load(tx, msg, len, nonblock || !user_backed_iter(&msg->msg_iter));
	if (!err) {
		spin_lock_bh(&st->lock);
		err = st_tx_start(st, tx, len);
		st_unlock(st);
	}
	if (err)
		st_tx_free(tx);
	else if (!nonblock)
		err = st_tx_wait(st, tx, sock_sndtimeo(sk, false));
out:
	if (err)
		return sk_stream_error(sk, msg->msg_flags, err);
	return len;
}
