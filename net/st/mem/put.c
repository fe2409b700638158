// SPDX-License-Identifier: GPL-2.0
/*
 * Put at the Initiator, ST 6.1.4.2.
 */
#include "conn/conn.h"
#include "mem/remote.h"

#define ST_PUTS_OPEN	64	/* B_nums from the oldest open Put on, see struct st_put_map */

/* Ask whether a Put is complete, ST 10.2; its Slot is taken. */
static void st_put_ask(struct st_sock *st, struct st_onesided *o, bool now)
{
	struct st_op op;

	st_assert_locked(st);
	st_op_init(st, &op, ST_OP_REQUEST_STATE, 0);
	op.sync = st->slots.ops;
	op.b_num = o->b_num;
	op.d_id = o->remote->peer_id;
	op.s_id = o->remote->id;
	st_retrans_start(st, &o->retrans, &op);
	if (now)
		st_queue_op(st, &op);
}

/* Send the next STU of a Put, ST 6.1.4.2.  Return: false when it must wait. */
static bool st_put_stu(struct st_sock *st, struct st_onesided *o)
{
	bool silent = o->flags & ST_PUT_SILENT, last;
	u8 max_stu = st_tx_max_stu(st->paths.main, ST_DATA_CHANNEL);
	struct st_place at = o->at;
	struct st_op op;
	u32 stu;

	if (!max_stu || sk_wmem_alloc_get(&st->sk) >= ST_TX_INFLIGHT)
		return false;
	st_place_advance(&at, o->got, st->vc.remote_bufsize);
	stu = st_stu_len(&at, o->len - o->got, st->vc.remote_bufsize, max_stu);
	if (stu)
		stu = st_tx_fit(st->paths.main->link, o->buf, o->got, stu);
	last = o->got + stu == o->len;
	/* The last STU, or the question after it, takes a Slot, ST 5.2.5 */
	if (last && !st_slot_take(st, false))
		return false;
	st_op_init(st, &op, ST_OP_DATA, ST_DATA_CHANNEL);
	if (!last || silent)
		op.flags |= ST_F_SILENT;
	if (last)
		op.flags |= ST_F_LAST | (silent ? 0 : ST_F_SEND_STATE) |
			    (o->flags & ST_PUT_INTERRUPT ? ST_F_INTERRUPT : 0);
	op.param = o->stu_num;
	op.b_id = o->remote->mx;
	op.bufx = at.bufx;
	op.offset = at.offset;
	op.sync = st->slots.ops;
	op.b_num = o->b_num;
	op.d_id = o->remote->peer_id;
	op.s_id = o->opaque;
	if (!st_tx_queue_data(st->paths.main, &op, o->buf, o->got, stu, stu))
		return false;
	o->got += stu;
	o->stu_num++;
	if (last) {
		o->asked = true;
		o->sent_at = jiffies;
		st_put_ask(st, o, silent);
	}
	return true;
}

/**
 * st_put_send - send what can be sent now of a Put
 * @st: the Virtual Connection
 * @o: the Put, in st_mem.ops
 *
 * Return: false when it must wait for the LLP, a Slot, or an older Put.
 */
bool st_put_send(struct st_sock *st, struct st_onesided *o)
{
	struct st_remote *rm = o->remote;

	st_assert_locked(st);
	if (list_empty(&o->put_list)) {
		const struct st_onesided *oldest =
			list_first_entry_or_null(&rm->puts, struct st_onesided, put_list);

		if (oldest && st_put_distance(oldest->b_num, rm->next_put) >= ST_PUTS_OPEN)
			return false;
		o->b_num = rm->next_put;
		rm->next_put = st_put_num(rm->next_put, 1);
		list_add_tail(&o->put_list, &rm->puts);
	}
	while (!o->asked)
		if (!st_put_stu(st, o))
			return false;
	return true;
}

/* A Put has not arrived: wait some more, send it again, or give it up. */
static void st_put_missing(struct st_sock *st, struct st_onesided *o)
{
	if ((o->flags & ST_PUT_SILENT) && time_before(jiffies, o->sent_at + st_op_timeout(st))) {
		/* The Request_State may have overtaken the Data */
		st_retrans_stop(&o->retrans);
		o->polling = true;
		o->retrans.expires = jiffies + st_op_timeout(st) / 64 + 1;
		st_timer_at(st, o->retrans.expires);
		return;
	}
	if (o->tries++ >= READ_ONCE(st_net_of(st)->max_retry)) {
		st_log(st, ST_ERR_MAX_RETRY);
		st_onesided_done(st, o, -EREMOTEIO);
		return;
	}
	st->info.block_retries++;
	st_retrans_stop(&o->retrans);
	o->asked = false;
	o->got = 0;
	o->stu_num = 0;
	st_onesided_pump(st);
}

/**
 * st_onesided_put_state - receive the state of the Puts to a region, ST 6.1.4.2
 * @st: the Virtual Connection
 * @rm: the region
 * @op: the Request_State_Response
 *
 * Context: softirq.
 */
void st_onesided_put_state(struct st_sock *st, struct st_remote *rm, const struct st_op *op)
{
	struct st_onesided *o;

	st_assert_locked(st);
	list_for_each_entry(o, &rm->puts, put_list) {
		if (!o->asked)
			continue;
		if (op->b_num == o->b_num) {
			st_onesided_done(st, o, 0);
			return;
		}
		/* The peer names only complete Puts; Sync tells which question this answers */
		if (op->b_num == ST_B_NUM_NONE && op->sync == o->retrans.op.sync) {
			st_put_missing(st, o);
			return;
		}
	}
}
