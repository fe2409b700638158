// SPDX-License-Identifier: GPL-2.0
/*
 * Direct placement for an LLP: find the Virtual Connection and the memory for an operation that
 * is arriving, ST 4.2.
 */
#include <linux/export.h>

#include "conn/conn.h"
#include "conn/placement.h"
#include "link/link.h"
#include "mem/mem.h"

/* Create the placement for an operation; @core stays NULL without memory. */
static enum st_error st_placement_find(struct st_sock *st, const struct st_op *op, u32 len,
				       struct st_placement_core **core)
{
	struct st_block *blk;
	struct st_buf *buf;
	enum st_error err;
	u64 pos;

	st_assert_locked(st);
	if (op->b_id & ~ST_MX_BLOCK) {
		err = st_mem_area(st, op, len, &buf, &pos);
		if (err == ST_ERR_NONE)
			*core = st_placement_new_in(st, op->b_id, buf, pos, len);
	} else {
		err = st_rx_area(st, op, len, &blk, &pos);
		if (err == ST_ERR_NONE)
			*core = st_placement_new(st, blk, pos, len);
	}
	return err;
}

/* Log what st_rcv() would have logged, for an operation that it never gets */
static void st_placement_log(struct st_net *sn, const struct st_op *op, enum st_error err)
{
	struct st_port *port = st_port_find(sn, op->d_port);

	if (err == ST_ERR_NONE)
		atomic64_inc(&sn->drops[ST_DROP_NOMEM]);
	else if (err == ST_ERR_INVALID_KEY && !port)
		st_log_port(sn, NULL, ST_ERR_INVALID_PORT);
	else
		st_log_port(sn, port, err);
}

/**
 * st_placement_get - get the placement for the payload of an operation
 * @link: the link it is arriving on
 * @hdr: its Schedule Header, ST_HDR_LEN bytes, not validated, aligned as in an skb
 * @len: bytes of payload
 * @saddr: its sender, st_link.addr_len bytes
 * @only: the LLP cannot deliver the operation without a placement, so that a failure
 *	is logged here
 *
 * A placement is given for bytes that an exposed Block still lacks, in any order, over
 * a known path.  No path is learnt from an operation that may yet turn out to be damaged.
 *
 * Context: softirq, under RCU; takes st_sock.lock.
 * Return: the placement, for st_placement_put(), or NULL: the operation is to be delivered
 * as an skb with its payload.
 */
struct st_placement *st_placement_get(struct st_link *link, const void *hdr, u32 len,
				      const u8 *saddr, bool only)
{
	struct st_net *sn = st_pernet(link->net);
	enum st_error err = ST_ERR_INVALID_KEY;
	struct st_placement_core *core = NULL;
	struct st_sock *st;
	struct st_op op;

	if (READ_ONCE(st_link_core(link)->unusable))
		return NULL;
	st_op_unpack(hdr, &op);
	if (op.op != ST_OP_DATA || len < ST_PLACEMENT_MIN)
		return NULL;
	st = st_vc_find(sn, op.d_key);
	if (st) {
		spin_lock_bh(&st->lock);
		if (st_rcv_match(st, &op) && st_path_find(st, link, saddr) &&
		    st->sk.sk_state == ST_ESTABLISHED)
			err = st_placement_find(st, &op, len, &core);
		spin_unlock_bh(&st->lock);
		sock_put(&st->sk);
	}
	if (!core && only)
		st_placement_log(sn, &op, err);
	return core ? &core->placement : NULL;
}
EXPORT_SYMBOL_GPL(st_placement_get);
