// SPDX-License-Identifier: GPL-2.0
/*
 * Direct placement for an LLP: which Virtual Connection and memory an operation that is arriving
 * is for, ST 4.2.
 */
#include <linux/export.h>

#include "conn/conn.h"
#include "conn/placement.h"
#include "link/link.h"
#include "mem/mem.h"

/* The placement of an operation; @core stays NULL without memory.  Under st->lock. */
static enum st_error st_placement_find(struct st_sock *st, const struct st_op *op, u32 len,
				       struct st_placement_core **core)
{
	struct st_block *blk;
	struct st_buf *buf;
	enum st_error err;
	u64 pos;

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

/* What st_rcv() would have logged of an operation that never gets there */
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
 * st_placement_get - ask where the payload of an operation goes
 * @link: where it is arriving
 * @hdr: its Schedule Header, ST_HDR_LEN bytes in which nothing is trusted,
 *	aligned as in an skb
 * @len: bytes of payload
 * @saddr: who sends it, st_link.addr_len bytes
 * @only: the LLP can't deliver it in any other way, so that nobody else will
 *	count what is wrong with it
 *
 * A placement is given for what a Block that is exposed still lacks, in whatever
 * order it comes, over a path that is known: no other is learnt from what may yet turn
 * out to be damaged.
 *
 * Context: softirq, under RCU; takes st_sock.lock.
 * Return: the placement, to be given back with st_placement_put(), or NULL when the
 * operation is to be delivered as an skb with its payload.
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
