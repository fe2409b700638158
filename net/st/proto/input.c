// SPDX-License-Identifier: GPL-2.0
/*
 * Input from the LLPs: operations are validated and passed to their Virtual Connection.
 */
#include <linux/module.h>

#include "conn/conn.h"
#include "link/link.h"
#include "mem/region.h"
#include "mem/remote.h"
#include "proto/proto.h"
#include "wire/gso.h"
#include "xfer/read.h"
#include "xfer/rx_block.h"

/* ST 6.1.1 */
static void st_rcv_request_state_response(struct st_sock *st, const struct st_op *op)
{
	st_assert_locked(st);
	if (st_path_answered(st->paths.by, op))
		goto pump;
	st_slots_update(st, op->param, op->sync);
	st_state_answered(st, op);
	if (op->d_id == ST_ID_NONE)
		st_retrans_told(st, &st->slots.retrans, op->sync);
	else if (!st_short_told(st, op))
		st_tx_told(st, op);
pump:
	st_remote_pump(st);
	st_tx_pump(st);
	st_read_pump(st);
	st_rx_clear_all(st);
}

/* ST 4.2.  Makes a Control operation linear.  Only Data may be a GSO skb. */
static bool st_rcv_length_ok(struct sk_buff *skb, u8 op)
{
	if (skb_is_gso(skb) && (op != ST_OP_DATA || !st_gso_valid(skb)))
		return false;
	if (op == ST_OP_DATA)
		return true;
	return (skb->len == ST_HDR_LEN || skb->len == ST_HDR_LEN + ST_OPT_LEN) &&
	       pskb_may_pull(skb, skb->len);
}

/* The optional payload of a Control operation, or NULL */
static const void *st_rcv_optional(const struct sk_buff *skb)
{
	return skb->len > ST_HDR_LEN ? skb->data + ST_HDR_LEN : NULL;
}

/* ST 8.3.3, for a Control operation */
static bool st_rcv_checksum_ok(const struct sk_buff *skb)
{
	const struct st_hdr *hdr = (const struct st_hdr *)skb->data;
	u32 rest = skb->len - ST_HDR_LEN;
	struct st_csum csum;

	if (!hdr->cksum)
		return true;
	st_csum_init(&csum);
	st_csum_hdr(&csum, hdr);
	st_csum_add(&csum, csum_partial(skb->data + ST_HDR_LEN, rest, 0), rest);
	return st_csum_ok(&csum, hdr->cksum);
}

static bool st_is_disconnect(u8 op)
{
	return op == ST_OP_REQUEST_DISCONNECT || op == ST_OP_DISCONNECT_ANSWER ||
	       op == ST_OP_DISCONNECT_COMPLETE;
}

/* The path that an operation arrived on, or NULL if it is not for this Virtual Connection. */
static struct st_path *st_rcv_path(struct st_sock *st, struct st_link *link, const struct st_op *op,
				   const u8 *saddr)
{
	if (!st_rcv_match(st, op))
		return NULL;
	return st_path_find(st, link, saddr) ?: st_stripe_learn(st, link, saddr);
}

/* Whether the sender of an operation without a Virtual Connection may be answered. */
static bool st_rcv_sender_ok(const struct st_link *link, const u8 *saddr)
{
	if (st_link_addr_ok(link, saddr))
		return true;
	st_link_illegal_frame(link);
	return false;
}

/* ST 10.5.1 */
static void st_rcv_undefined(struct st_net *sn, const struct st_op *op)
{
	struct st_port *port = st_port_find(sn, op->d_port);

	st_log_port(sn, port, ST_ERR_UNDEFINED_OPCODE);
	if (port)
		WRITE_ONCE(port->undefined_op, op->op);
}

/* An operation for no Virtual Connection is not executed, ST 10.6.1. */
static void st_rcv_stray(struct st_link *link, const struct st_op *op, const u8 *saddr)
{
	struct st_net *sn = st_pernet(link->net);
	struct st_port *port = st_port_find(sn, op->d_port);

	if (!st_rcv_sender_ok(link, saddr))
		return;
	if (st_is_disconnect(op->op))
		st_rcv_stray_disconnect(link, op, saddr);
	else
		st_log_port(sn, port, port ? ST_ERR_INVALID_KEY : ST_ERR_INVALID_PORT);
}

/* ST 6.1.1.4 */
static void st_rcv_end(struct st_sock *st, const struct st_op *op)
{
	struct st_xfer *x = st_xfer_find(st, op->d_id);
	struct st_op ack;

	/* An End is acknowledged even after its Transfer is over */
	if (!x && (s32)(op->d_id - st->ids.next) >= 0) {
		st_log(st, ST_ERR_INVALID_D_ID);
		return;
	}
	if (x && x->tx)
		st_tx_end_rcvd(st, container_of(x, struct st_tx, x));
	else if (x)
		st_rx_end_rcvd(st, container_of(x, struct st_rx, x));
	else
		st_mem_rcv_end(st, op->d_id);
	st_slot_take(st, true);
	st_op_init(st, &ack, ST_OP_END_ACK, 0);
	ack.d_id = op->s_id;
	ack.s_id = op->d_id;
	st_queue_op(st, &ack);
}

static void st_rcv_end_ack(struct st_sock *st, const struct st_op *op)
{
	struct st_xfer *x = st_xfer_find(st, op->d_id);
	bool asked = true;

	if (x && x->tx)
		asked = st_tx_end_acked(st, container_of(x, struct st_tx, x));
	else if (x)
		asked = st_rx_end_acked(st, container_of(x, struct st_rx, x));
	else if (!st_mem_rcv_end_ack(st, op->d_id, &asked) &&
		 (s32)(op->d_id - st->ids.next) >= 0)
		st_log(st, ST_ERR_INVALID_D_ID);
	if (!asked)
		st_log_unexpected(st, op);
}

static void st_rcv_established(struct st_sock *st, const struct st_op *op,
			       const struct sk_buff *skb)
{
	switch (op->op) {
	case ST_OP_REQUEST_TO_SEND:
		st_rcv_request_to_send(st, op);
		break;
	case ST_OP_REQUEST_ANSWER:
		if (!st_mem_rcv_answer(st, op))
			st_rcv_request_answer(st, op);
		break;
	case ST_OP_CLEAR_TO_SEND:
		st_rcv_clear_to_send(st, op);
		break;
	case ST_OP_DATA:
		/* A GSO skb is always Data of a Transfer */
		if (skb_is_gso(skb)) {
			st_rcv_data(st, op, skb);
			break;
		}
		if (st_short_rcv(st, op, skb))
			break;
		if (op->b_id & ~ST_MX_BLOCK)
			st_mem_rcv_data(st, op, skb);
		else
			st_rcv_data(st, op, skb);
		break;
	case ST_OP_REQUEST_STATE:
		if (!st_short_state(st, op) && !st_serve_state(st, op))
			st_rcv_request_state(st, op);
		break;
	case ST_OP_REQUEST_STATE_RESPONSE:
		st_mem_rcv_state(st, op);
		st_rcv_request_state_response(st, op);
		st_mem_pump(st);
		break;
	case ST_OP_END:
		st_rcv_end(st, op);
		break;
	case ST_OP_END_ACK:
		st_rcv_end_ack(st, op);
		break;
	case ST_OP_REQUEST_TO_RECEIVE:
		st_rcv_request_to_receive(st, op);
		break;
	case ST_OP_REQUEST_MEMORY_REGION:
		st_rcv_request_memory_region(st, op);
		break;
	case ST_OP_MEMORY_REGION_AVAILABLE:
		st_rcv_memory_region_available(st, op);
		break;
	case ST_OP_GET:
		st_rcv_get(st, op);
		break;

	default:
		st_log_unexpected(st, op);
	}
}

static void st_rcv_vc(struct st_sock *st, struct st_op *op, const struct sk_buff *skb)
{
	const struct st_hdr *hdr = (const struct st_hdr *)skb->data;
	u16 allowed = st_op_flags_allowed(op);

	st_assert_locked(st);
	st->timers.heard = jiffies;
	st->info.rx_ops++;
	if (hdr->cksum)
		st->vc.peer_checksum = true;
	if (op->flags & ~allowed) {		/* ST 10.7.7 */
		st_log(st, ST_ERR_IMPROPER_FLAG_USE);
		op->flags &= allowed;
	}
	if (op->op != ST_OP_DATA)
		st_event_interrupt(st, op);
	if (op->op == ST_OP_CONNECTION_ANSWER)
		st_rcv_connection_answer(st, op, st_rcv_optional(skb));
	else if (st_is_disconnect(op->op))
		st_rcv_disconnect(st, op);
	else if (st->sk.sk_state == ST_ESTABLISHED)
		st_rcv_established(st, op, skb);
	else if (st->sk.sk_state == ST_CONNECTING)
		st_log_unexpected(st, op);
	/* A pending request for a region may have waited for this operation */
	if (st->sk.sk_state == ST_ESTABLISHED)
		st_remote_pump(st);
	/* It may have acknowledged the last Transfer */
	st_vc_maybe_disconnect(st);
}

/**
 * st_rcv - receive an operation from an LLP
 * @link: the link it arrived on; its device is still there
 * @skb: at the Schedule Header, without trailing bytes; not shared; consumed.  May be
 *	a GSO skb, see st_gso_segment().
 * @saddr: its sender, st_link.addr_len bytes
 *
 * Operations on an unusable link are meant for the device above it, and dropped here.
 *
 * Context: softirq, under RCU.
 */
void st_rcv(struct st_link *link, struct sk_buff *skb, const u8 *saddr)
{
	struct st_net *sn = st_pernet(link->net);
	struct st_sock *st;
	struct st_op op;

	/* An inactive port of a bond still delivers to handlers of its own */
	if (READ_ONCE(st_link_core(link)->unusable))
		goto drop;
	if (!pskb_may_pull(skb, ST_HDR_LEN)) {
		atomic64_inc(&sn->drops[ST_DROP_LENGTH]);
		goto drop;
	}
	st_op_unpack((const struct st_hdr *)skb->data, &op);
	if (!st_op_defined(op.op)) {
		st_rcv_undefined(sn, &op);
		goto drop;
	}
	if (!st_rcv_length_ok(skb, op.op)) {
		atomic64_inc(&sn->drops[ST_DROP_LENGTH]);
		goto drop;
	}
	if (op.op != ST_OP_DATA && !st_rcv_checksum_ok(skb)) {
		st_log_port(sn, st_port_find(sn, op.d_port), ST_ERR_CKSUM);
		goto drop;
	}
	if (op.op == ST_OP_REQUEST_CONNECTION) {
		if (!st_rcv_sender_ok(link, saddr))
			goto drop;
		st_rcv_request_connection(link, &op, st_rcv_optional(skb), saddr);
		goto done;
	}
	st = st_vc_find(sn, op.d_key);
	if (!st) {
		st_rcv_stray(link, &op, saddr);
		goto drop;
	}
	spin_lock_bh(&st->lock);
	st->paths.by = st_rcv_path(st, link, &op, saddr);
	if (st->paths.by) {
		st_path_heard(st->paths.by);
		st_rcv_vc(st, &op, skb);
		st->paths.by = NULL;
		st_unlock(st);
	} else {
		spin_unlock_bh(&st->lock);
		st_rcv_stray(link, &op, saddr);
	}
	sock_put(&st->sk);
done:
	consume_skb(skb);
	return;
drop:
	kfree_skb(skb);
}
EXPORT_SYMBOL_GPL(st_rcv);
