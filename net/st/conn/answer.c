// SPDX-License-Identifier: GPL-2.0
/*
 * Control operations that both Transfers and persistent memory send.
 */
#include "conn/conn.h"

/**
 * st_queue_end - tell the peer that a Transfer or a region ends, ST 6.1.1.4
 * @st: the Virtual Connection
 * @peer_id: the peer's sequence identifier
 * @id: ours
 * @retrans: repeats the End until it is acknowledged; or NULL
 *
 * Context: under st->lock.
 */
void st_queue_end(struct st_sock *st, u32 peer_id, u32 id, struct st_retrans *retrans)
{
	struct st_op op;

	st_op_init(st, &op, ST_OP_END, 0);
	op.d_id = peer_id;
	op.s_id = id;
	st_slot_take(st, true);
	if (retrans)
		st_retrans_start(st, retrans, &op);
	st_queue_op(st, &op);
}

/**
 * st_queue_request_answer - postpone or reject a request of the peer, ST 7.3
 * @st: the Virtual Connection
 * @d_id: id of the request
 * @s_id: our R-id, in the answer to a Get or FetchOp; else 0
 * @flags: %ST_F_REJECT or 0
 *
 * Context: under st->lock.
 */
void st_queue_request_answer(struct st_sock *st, u32 d_id, u32 s_id, u16 flags)
{
	struct st_op op;

	if (!st_slot_take(st, false))
		return;
	st_op_init(st, &op, ST_OP_REQUEST_ANSWER, flags);
	op.d_id = d_id;
	op.s_id = s_id;
	st_queue_op(st, &op);
}

/**
 * st_queue_request_state_response - tell the peer our state, ST 6.1.1
 * @st: the Virtual Connection
 * @to: the operation that asked for it
 * @d_id: D_id of the answer
 * @s_id: its S_id
 * @b_seq: its B_seq
 * @b_num: its B_num
 *
 * Context: under st->lock.
 */
void st_queue_request_state_response(struct st_sock *st, const struct st_op *to,
				     u32 d_id, u32 s_id, u32 b_seq, u32 b_num)
{
	struct st_op op;

	st_slot_take(st, true);
	st_op_init(st, &op, ST_OP_REQUEST_STATE_RESPONSE, 0);
	op.param = st_rx_slots(st);
	op.offset = b_seq;
	op.sync = to->sync;
	op.b_num = b_num;
	op.d_id = d_id;
	op.s_id = s_id;
	/* A probe of a path must be answered over that path */
	st_queue_op_by(st->paths.by ?: st->paths.main, &op);
}
