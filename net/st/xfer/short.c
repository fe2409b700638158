// SPDX-License-Identifier: GPL-2.0
/*
 * Short records, sent by Put into memory that the two AF_STs have arranged.
 *
 * A Write sequence takes a Request_To_Send and a Clear_To_Send before its first byte.  A short
 * record goes without them.  Each AF_ST tells the other where such records may be Put
 * (ST 6.1.4.2), in the optional payload of Request_Connection and Connection_Answer that is
 * left to a ULP (ST 4.2).  An end that gets no such payload neither sends nor receives short
 * records.
 *
 * One short record is under way at a time, and no other Transfer of that data Source; this keeps
 * the records in order.  The B_num increases by one from record to record.  The data Destination
 * takes or refuses each number once.  It refuses a record without room for it, and one that
 * it is asked about before the record has come.  A refused record is sent by a Write.
 */
#include <linux/slab.h>
#include <linux/unaligned.h>

#include "conn/conn.h"
#include "xfer/rx_block.h"

#define ST_SHORT_SKIP	16	/* see st_shorts.skip */

/**
 * st_short_learn - learn from the setup where the peer takes short records
 * @st: the Virtual Connection, with the legal parameters of the peer
 * @opt: optional payload of the setup operation, unaligned, or NULL
 *
 * An offer is used only if records can be Put there at all.
 */
void st_short_learn(struct st_sock *st, const void *opt)
{
	struct st_shorts *s = &st->shorts;
	struct st_short_opt offer;
	u16 max;

	st_assert_locked(st);
	if (!opt || !s->wanted)
		return;
	memcpy(&offer, opt, sizeof(offer));
	if (offer.magic != cpu_to_be64(ST_SHORT_MAGIC))
		return;
	s->mx = be16_to_cpu(offer.mx);
	s->at.bufx = be32_to_cpu(offer.bufx);
	s->at.offset = be32_to_cpu(offer.offset);
	s->peer_id = be32_to_cpu(offer.id);
	max = min(be16_to_cpu(offer.max), ST_SHORT_MAX);
	/* A peer that does not count Slots can't match an answer to a question by Sync */
	if (st->slots.remote != ST_SLOTS_NONE && s->peer_id != ST_ID_NONE &&
	    st_place_valid(&s->at, st->vc.remote_bufsize) &&
	    s->at.offset + (u64)max <= BIT_ULL(st->vc.remote_bufsize))
		s->max = max;
}

/*
 * Whether a record may be Put: it must carry nothing that only a Write can tell.  An Initiator that
 * has sent nothing yet gets none: the Data might overtake the Connection_Answer.
 */
static bool st_short_fits(const struct st_sock *st, const struct st_tx *tx)
{
	const u8 max_stu = st_tx_max_stu(st->paths.main, ST_DATA_CHANNEL);
	const u64 len = tx->tiling.t_len;

	return tx->buf && len <= st->shorts.max && !tx->refused && !tx->flags && !tx->answers &&
	       !tx->ending && tx->channel == ST_DATA_CHANNEL && max_stu &&
	       !(st->vc.peer_hashed && !st->info.rx_ops) &&
	       len <= BIT_ULL(max_stu) && st_tx_fit(st->paths.main->link, tx->buf, 0, len) == len &&
	       list_is_first(&tx->list, &st->source.list);
}

/**
 * st_short_send - send a record by Put, if possible
 * @st: the Virtual Connection
 * @tx: the record, not yet sent
 *
 * Return: false when it must be sent by a Write.
 */
bool st_short_send(struct st_sock *st, struct st_tx *tx)
{
	struct st_shorts *s = &st->shorts;
	struct st_op op, state;
	struct sk_buff *skb;

	st_assert_locked(st);
	if (!st_short_fits(st, tx) || !st_slots_to_keep(st, ST_KEEP_RECORD))
		return false;
	if (s->skip) {
		s->skip--;
		tx->refused = true;
		return false;
	}
	st_slot_take(st, false);
	st_op_init(st, &op, ST_OP_DATA, ST_F_SEND_STATE | ST_F_LAST | ST_DATA_CHANNEL);
	op.b_id = s->mx;
	op.bufx = s->at.bufx;
	op.offset = s->at.offset;
	op.sync = st->slots.ops;
	op.b_num = s->tx_next;
	op.d_id = s->peer_id;
	op.s_id = tx->opaque;
	skb = st_tx_queue_data(st->paths.main, &op, tx->buf, 0, tx->tiling.t_len, tx->tiling.t_len);
	if (!skb) {
		tx->refused = true;
		return false;
	}
	st_tx_class(skb, tx);
	st_op_init(st, &state, ST_OP_REQUEST_STATE, 0);
	state.sync = st->slots.ops;
	state.b_num = op.b_num;
	state.d_id = s->peer_id;
	state.s_id = ST_SHORT_ID;
	st_retrans_start(st, &tx->retrans, &state);
	s->tx_sync = op.sync;
	s->tx_next = st_put_num(s->tx_next, 1);
	tx->put = true;
	tx->asked = true;
	return true;
}

/**
 * st_short_told - receive a Request_State_Response that may be about a short record, ST 6.1.1
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq.
 * Return: false when it is not.
 */
bool st_short_told(struct st_sock *st, const struct st_op *op)
{
	struct st_tx *tx = list_first_entry_or_null(&st->source.list, struct st_tx, list);
	const struct st_shorts *s = &st->shorts;

	st_assert_locked(st);
	if (op->d_id != ST_SHORT_ID || !s->max)
		return false;
	/* By Sync: an answer to what was sent before this record says nothing about it */
	if (!tx || !tx->put || (s32)(op->sync - s->tx_sync) < 0)
		return true;
	if (op->s_id != s->peer_id && op->s_id != ST_ID_NONE) {
		st_log(st, ST_ERR_INVALID_D_ID);
	} else if (op->s_id == s->peer_id && op->b_num == tx->retrans.op.b_num) {
		st_retrans_told(st, &tx->retrans, op->sync);
		st->info.tx_short++;
		st_tx_finish(st, tx, 0);
	} else if (op->b_num != ST_B_NUM_NONE) {
		st_log(st, ST_ERR_OUT_OF_RANGE_B_NUM);
	} else if (tx->ending) {
		st_tx_finish(st, tx, -EREMOTEIO);
	} else {
		/* ST 6.2.1: without an S_id the peer has no such memory, and took no record */
		st_retrans_told(st, &tx->retrans, op->sync);
		st->shorts.skip = ST_SHORT_SKIP;
		tx->refused = true;
		tx->put = false;
		tx->asked = false;
	}
	return true;
}

static void st_short_answer(struct st_sock *st, const struct st_op *to, u32 b_num)
{
	st_queue_request_state_response(st, to, st->shorts.peer_id, ST_SHORT_ID, b_num, b_num);
}

/*
 * Which record the peer refers to.  Return: 1 for the next one, 0 for the last one, -ERANGE,
 * which is logged, for any other.
 */
static int st_short_which(struct st_sock *st, u32 b_num)
{
	u32 ahead = st_put_distance(b_num, st->shorts.rx_next);

	if (ahead <= 1 && b_num != ST_B_NUM_NONE)
		return !ahead;
	st_log(st, ST_ERR_OUT_OF_RANGE_B_NUM);
	return -ERANGE;
}

static void st_short_decide(struct st_sock *st, bool taken)
{
	st->shorts.taken = taken;
	st->shorts.rx_next = st_put_num(st->shorts.rx_next, 1);
}

static enum st_error st_short_check(struct st_sock *st, const struct st_op *op, u32 len)
{
	if (op->b_id != ST_SHORT_MX)
		return ST_ERR_INVALID_MX;
	if (op->bufx || op->offset)
		return ST_ERR_OUT_OF_RANGE_BUFX;
	if (!len || len > ST_SHORT_MAX)
		return ST_ERR_ILLEGAL_STU_SIZE;
	if (op->param)
		return ST_ERR_OUT_OF_ORDER_STU;
	return op->flags & ST_F_LAST ? ST_ERR_NONE : ST_ERR_IMPROPER_FLAG_USE;
}

/* Allocate a complete record.  Return: the record, on no list, or NULL without room. */
static struct st_rx *st_short_rx(struct st_sock *st, u32 len)
{
	struct st_chunk *chunk;
	struct st_rx *rx;

	if (st->opts.writes != ST_WRITES_TAKE || (st->sk.sk_shutdown & RCV_SHUTDOWN) ||
	    !st_rx_slots(st))
		return NULL;
	rx = st_rx_alloc(st);
	if (!rx)
		return NULL;
	chunk = st_chunk_new(st, 0, len, list_empty(&st->dest.list));
	if (!chunk) {
		st_rx_release(st, rx);
		return NULL;
	}
	list_add(&chunk->list, &rx->chunks);
	rx->x.id = st_new_id(st);
	rx->tiling.t_len = len;
	rx->done_end = len;
	rx->end = len;
	rx->ended = true;
	return rx;
}

/* Return: 1 when the record can be read, 0 when it was refused, or a negative errno. */
static int st_short_take(struct st_sock *st, const struct st_op *op, const struct sk_buff *skb)
{
	struct st_chunk *chunk;
	struct st_csum csum;
	bool summed = true;
	struct st_rx *rx;

	rx = st_short_rx(st, skb->len - ST_HDR_LEN);
	if (!rx)
		return 0;
	chunk = list_first_entry(&rx->chunks, struct st_chunk, list);
	st_csum_init(&csum);
	if (st_mem_take(st, chunk->buf, 0, skb, &csum, &summed)) {
		st_chunk_free(st, chunk);
		st_rx_release(st, rx);
		return -EBADMSG;
	}
	rx->channel = op->flags & ST_F_CHANNEL;
	st->dest.count++;
	list_add_tail(&rx->list, &st->dest.list);
	st_rx_note(st, rx, op);
	st->info.rx_transfers++;
	st->info.rx_short++;
	return 1;
}

/**
 * st_short_rcv - receive a Data operation that may be a short record
 * @st: the Virtual Connection
 * @op: the operation
 * @skb: the operation, at its Schedule Header, which is linear
 *
 * A record with a bad checksum counts as lost: the peer asks for its state.
 *
 * Context: softirq.
 * Return: false when it is not.
 */
bool st_short_rcv(struct st_sock *st, const struct st_op *op, const struct sk_buff *skb)
{
	enum st_error err;
	int which, taken;

	st_assert_locked(st);
	if (op->d_id != ST_SHORT_ID || !st->shorts.max)
		return false;
	err = st_short_check(st, op, skb->len - ST_HDR_LEN);
	if (err != ST_ERR_NONE) {
		st_log(st, err);
		return true;
	}
	which = st_short_which(st, op->b_num);
	if (which < 0)
		return true;
	if (which) {
		taken = st_short_take(st, op, skb);
		if (taken < 0)
			return true;
		st_short_decide(st, taken);
	}
	/* Wake before answering: another CPU wakes up while the answer is built */
	if (which && st->shorts.taken)
		st_rx_wake_data(st, list_last_entry(&st->dest.list, struct st_rx, list), op);
	if (op->flags & ST_F_SEND_STATE)
		st_short_answer(st, op, st->shorts.taken ? op->b_num : ST_B_NUM_NONE);
	return true;
}

/**
 * st_short_state - receive a Request_State that may be about a short record, ST 6.1.1
 * @st: the Virtual Connection
 * @op: the operation
 *
 * A record that has not arrived is refused by the answer.  If it arrives later, it is dropped.
 *
 * Context: softirq.
 * Return: false when it is not.
 */
bool st_short_state(struct st_sock *st, const struct st_op *op)
{
	int which;

	st_assert_locked(st);
	if (op->d_id != ST_SHORT_ID || !st->shorts.max)
		return false;
	which = st_short_which(st, op->b_num);
	if (which > 0)
		st_short_decide(st, false);
	if (which >= 0)
		st_short_answer(st, op, st->shorts.taken ? op->b_num : ST_B_NUM_NONE);
	return true;
}
