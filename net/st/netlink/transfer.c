// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: Transfers in progress.
 */
#include "netlink/genl.h"
#include "netlink/netlink.h"

static int st_nl_put_tx(struct sk_buff *skb, struct st_tx *tx)
{
	enum st_transfer_state state = ST_TRANSFER_STATE_MOVING;

	if (tx->ending)
		state = ST_TRANSFER_STATE_ENDING;
	else if (!tx->asked)
		state = ST_TRANSFER_STATE_QUEUED;
	else if (!tx->tiled)
		state = ST_TRANSFER_STATE_ANNOUNCED;
	if (nla_put_u32(skb, ST_A_TRANSFER_DIRECTION, ST_DIRECTION_SEND) ||
	    nla_put_u32(skb, ST_A_TRANSFER_STATE, state) ||
	    ((tx->peer_id_known || tx->answers) &&
	     nla_put_u32(skb, ST_A_TRANSFER_REMOTE_ID, tx->peer_id)) ||
	    (tx->tiling.t_len && nla_put_uint(skb, ST_A_TRANSFER_LENGTH, tx->tiling.t_len)) ||
	    nla_put_uint(skb, ST_A_TRANSFER_DONE, tx->sent) ||
	    (tx->tiled && nla_put_uint(skb, ST_A_TRANSFER_BLOCKSIZE,
				       BIT_ULL(tx->tiling.blocksize))))
		return -EMSGSIZE;
	return nla_put_u32(skb, ST_A_TRANSFER_BLOCKS, list_count_nodes(&tx->cts_list));
}

static int st_nl_put_rx(struct sk_buff *skb, const struct st_rx *rx)
{
	enum st_transfer_state state = ST_TRANSFER_STATE_MOVING;

	if (rx->ended)
		state = ST_TRANSFER_STATE_ENDING;
	else if (rx->asking && !rx->asked)
		state = ST_TRANSFER_STATE_QUEUED;
	else if (!rx->tiled)
		state = ST_TRANSFER_STATE_ANNOUNCED;
	if (nla_put_u32(skb, ST_A_TRANSFER_DIRECTION, ST_DIRECTION_RECEIVE) ||
	    nla_put_u32(skb, ST_A_TRANSFER_STATE, state) ||
	    (!rx->asking && nla_put_u32(skb, ST_A_TRANSFER_REMOTE_ID, rx->peer_id)) ||
	    (rx->tiling.t_len && nla_put_uint(skb, ST_A_TRANSFER_LENGTH, rx->tiling.t_len)) ||
	    nla_put_uint(skb, ST_A_TRANSFER_DONE, rx->done_end) ||
	    nla_put_uint(skb, ST_A_TRANSFER_READ, rx->consumed) ||
	    (rx->tiled && nla_put_uint(skb, ST_A_TRANSFER_BLOCKSIZE,
				       BIT_ULL(rx->tiling.blocksize))))
		return -EMSGSIZE;
	return nla_put_u32(skb, ST_A_TRANSFER_BLOCKS, hweight64(rx->out_map));
}

/* Under RCU. */
static int st_nl_put_transfer(struct sk_buff *skb, const struct st_nl_to *to,
			      struct st_sock *st, struct st_xfer *x)
{
	void *hdr = st_nl_begin(skb, to);

	st_assert_locked(st);
	return st_nl_end(skb, to, hdr, !hdr || st_nl_put_vc_of(skb, st, to->ns) ||
			 nla_put_u32(skb, ST_A_TRANSFER_ID, x->id) ||
			 (x->tx ? st_nl_put_tx(skb, container_of(x, struct st_tx, x)) :
				  st_nl_put_rx(skb, container_of(x, struct st_rx, x))));
}

static int st_nl_dump_transfers(struct sk_buff *skb, const struct st_nl_to *to,
				struct st_sock *st)
{
	struct st_nl_walk *walk = st_nl_walk_of(to->cb);
	struct st_xfer *x;
	int err;

	while ((x = st_xfer_next(st, walk->at))) {
		err = st_nl_put_transfer(skb, to, st, x);
		if (err)
			return err;
		walk->at = x->id + 1ULL;
	}
	return 0;
}

static int st_nl_one_transfer(struct sk_buff *skb, const struct st_nl_to *to, struct st_sock *st)
{
	const struct nlattr *id = to->info->attrs[ST_A_TRANSFER_ID];
	struct st_xfer *x = st_xfer_find(st, nla_get_u32(id));

	if (x)
		return st_nl_put_transfer(skb, to, st, x);
	NL_SET_ERR_MSG_ATTR(to->info->extack, id, "the Virtual Connection has no such Transfer");
	return -ENOENT;
}

/**
 * st_nl_transfer_get_doit - ST_CMD_TRANSFER_GET of one Transfer
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int st_nl_transfer_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	if (GENL_REQ_ATTR_CHECK(info, ST_A_TRANSFER_ID))
		return -EINVAL;
	return st_nl_vc_do(skb, info, st_nl_one_transfer);
}

/**
 * st_nl_transfer_get_dumpit - ST_CMD_TRANSFER_GET of the Transfers that match the request
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int st_nl_transfer_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return st_nl_walk(skb, cb, st_nl_dump_transfers);
}
