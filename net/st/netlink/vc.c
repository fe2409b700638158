// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: Virtual Connections.
 */
#include "conn/conn.h"
#include "link/link.h"
#include "netlink/genl.h"
#include "netlink/netlink.h"
#include "proto/proto.h"

static enum st_vc_state st_nl_vc_state(const struct st_sock *st)
{
	switch ((enum st_state)st->sk.sk_state) {
	case ST_CONNECTING:
		return ST_VC_STATE_CONNECTING;
	case ST_ESTABLISHED:
		return ST_VC_STATE_ESTABLISHED;
	case ST_DISCONNECTING:
		return ST_VC_STATE_DISCONNECTING;
	case ST_ANSWERED:
		return ST_VC_STATE_ANSWERED;
	case ST_HELD:
		return ST_VC_STATE_HELD;
	case ST_CLOSED:
	case ST_LISTEN:
		break;
	}
	return ST_VC_STATE_CLOSED;
}

static u32 st_nl_vc_flags(const struct st_sock *st)
{
	return (st->vc.checksum ? ST_VC_FLAGS_CHECKSUM : 0) |
	       (st->vc.peer_checksum ? ST_VC_FLAGS_REMOTE_CHECKSUM : 0) |
	       (st->vc.out_of_order ? ST_VC_FLAGS_OUT_OF_ORDER : 0) |
	       (st->vc.peer_hashed ? ST_VC_FLAGS_ACCEPTED : 0);
}

/* Under RCU. */
static int st_nl_put_local(struct sk_buff *skb, const struct st_sock *st)
{
	const struct st_link *link = st->paths.first.link;

	st_assert_locked(st);
	if (READ_ONCE(st_link_core(link)->dead))
		return 0;
	return nla_put_string(skb, ST_A_VC_LLP, link->llp->name) ||
	       nla_put(skb, ST_A_VC_LOCAL_ADDRESS, link->addr_len, link->addr) ||
	       st_nl_put_address_text(skb, ST_A_VC_LOCAL_ADDRESS_TEXT, link, link->addr) ||
	       st_nl_put_address_text(skb, ST_A_VC_REMOTE_ADDRESS_TEXT, link, st->vc.peer.addr) ?
	       -EMSGSIZE : 0;
}

/* The peer's parameters are known after its answer, unless that was refused as illegal, ST 5.2. */
static bool st_nl_peer_told(const struct st_sock *st)
{
	const struct st_vc *vc = &st->vc;

	return st->sk.sk_state != ST_CONNECTING && vc->remote_max_stu >= ST_BUFSIZE_MIN &&
	       vc->remote_bufsize >= vc->remote_max_stu && vc->remote_bufsize <= ST_BUFSIZE_MAX;
}

/* Under RCU; for a socket that knows the parameters of the peer. */
static int st_nl_put_tx_stu(struct sk_buff *skb, const struct st_sock *st)
{
	unsigned int stu;

	st_assert_locked(st);
	if (READ_ONCE(st_link_core(st->paths.main->link)->dead))
		return 0;
	stu = st_tx_max_stu(st->paths.main, st->opts.send.channel ?: ST_DATA_CHANNEL);
	return stu ? nla_put_uint(skb, ST_A_VC_TX_STU, BIT_ULL(stu)) : 0;
}

/* The parameters of both ends; under RCU. */
static int st_nl_put_setup(struct sk_buff *skb, const struct st_sock *st)
{
	st_assert_locked(st);
	if (nla_put_u32(skb, ST_A_VC_LOCAL_SLOTS, st_rx_slots(st)) ||
	    nla_put_uint(skb, ST_A_VC_LOCAL_BUFSIZE, BIT_ULL(ST_BUFSIZE)) ||
	    nla_put_uint(skb, ST_A_VC_LOCAL_MAX_STU, BIT_ULL(st->vc.local_max_stu)) ||
	    nla_put_u32(skb, ST_A_VC_FLAGS, st_nl_vc_flags(st)))
		return -EMSGSIZE;
	if (!st_nl_peer_told(st))
		return 0;
	if (st->slots.remote != ST_SLOTS_NONE &&
	    nla_put_u32(skb, ST_A_VC_REMOTE_SLOTS, st->slots.remote))
		return -EMSGSIZE;
	return nla_put_uint(skb, ST_A_VC_REMOTE_BUFSIZE, BIT_ULL(st->vc.remote_bufsize)) ||
	       nla_put_uint(skb, ST_A_VC_REMOTE_MAX_STU, BIT_ULL(st->vc.remote_max_stu)) ?
	       -EMSGSIZE : st_nl_put_tx_stu(skb, st);
}

static int st_nl_put_vc_counters(struct sk_buff *skb, const struct st_info *info)
{
	struct nlattr *nest = nla_nest_start(skb, ST_A_VC_COUNTERS);

	if (!nest ||
	    nla_put_uint(skb, ST_A_VC_COUNTERS_TX_OPS, info->tx_ops) ||
	    nla_put_uint(skb, ST_A_VC_COUNTERS_RX_OPS, info->rx_ops) ||
	    nla_put_uint(skb, ST_A_VC_COUNTERS_TX_BYTES, info->tx_bytes) ||
	    nla_put_uint(skb, ST_A_VC_COUNTERS_RX_BYTES, info->rx_bytes) ||
	    nla_put_uint(skb, ST_A_VC_COUNTERS_TX_TRANSFERS, info->tx_transfers) ||
	    nla_put_uint(skb, ST_A_VC_COUNTERS_RX_TRANSFERS, info->rx_transfers) ||
	    nla_put_uint(skb, ST_A_VC_COUNTERS_OP_RETRIES, info->op_retries) ||
	    nla_put_uint(skb, ST_A_VC_COUNTERS_BLOCK_RETRIES, info->block_retries) ||
	    nla_put_uint(skb, ST_A_VC_COUNTERS_RX_DIRECT, info->rx_direct) ||
	    nla_put_uint(skb, ST_A_VC_COUNTERS_TX_SHORT, info->tx_short) ||
	    nla_put_uint(skb, ST_A_VC_COUNTERS_RX_SHORT, info->rx_short))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int st_nl_put_queues(struct sk_buff *skb, const struct st_sock *st)
{
	const struct st_rx *rx;
	const struct st_tx *tx;
	u64 sent = 0, there = 0;

	list_for_each_entry(tx, &st->source.list, list)
		sent += tx->stream ? st_stream_unacked(tx) : tx->tiling.t_len;
	list_for_each_entry(rx, &st->dest.list, list)
		there += rx->done_end - rx->consumed;
	return nla_put_uint(skb, ST_A_VC_TX_QUEUED, sent) ||
	       nla_put_uint(skb, ST_A_VC_RX_QUEUED, there) ||
	       nla_put_uint(skb, ST_A_VC_RX_MEMORY, st->dest.mem) ? -EMSGSIZE : 0;
}

static int st_nl_put_times(struct sk_buff *skb, const struct st_sock *st)
{
	if (st->timers.rtt.srtt && (nla_put_uint(skb, ST_A_VC_RTT, st->timers.rtt.srtt >> 3) ||
				    nla_put_uint(skb, ST_A_VC_RTT_VAR, st->timers.rtt.rttvar >> 2)))
		return -EMSGSIZE;
	return nla_put_uint(skb, ST_A_VC_OP_TIMEOUT, st_retrans_timeout(st));
}

/**
 * st_nl_put_vc - add the attributes of a Virtual Connection that everybody may see
 * @skb: the message
 * @st: the Virtual Connection
 * @ns: user namespace of the reader
 *
 * Context: under RCU and st->lock.
 * Return: 0 or -EMSGSIZE.
 */
int st_nl_put_vc(struct sk_buff *skb, struct st_sock *st, struct user_namespace *ns)
{
	if (st_nl_put_vc_of(skb, st, ns) ||
	    nla_put_u32(skb, ST_A_VC_STATE, st_nl_vc_state(st)) ||
	    st_nl_put_local(skb, st) || st_nl_put_setup(skb, st) ||
	    st_nl_put_vc_counters(skb, &st->info) || st_nl_put_queues(skb, st) ||
	    st_nl_put_times(skb, st))
		return -EMSGSIZE;
	return 0;
}

/* For privileged readers only: the Keys allow to speak for the peer, ST 5.2.2. */
static int st_nl_put_keys(struct sk_buff *skb, const struct st_sock *st)
{
	if (nla_put_u32(skb, ST_A_VC_LOCAL_KEY, st->vc.local_key))
		return -EMSGSIZE;
	if (!st_nl_peer_told(st))
		return 0;
	return nla_put_u32(skb, ST_A_VC_REMOTE_KEY, st->vc.peer.key);
}

static int st_nl_put_idle(struct sk_buff *skb, const struct st_sock *st)
{
	if (!st_nl_peer_told(st))
		return 0;
	return nla_put_uint(skb, ST_A_VC_IDLE, jiffies_to_msecs(jiffies - st->timers.heard));
}

static enum st_path_state st_nl_path_state(const struct st_path *path)
{
	if (!st_path_usable(path))
		return ST_PATH_STATE_DOWN;
	return path == path->st->paths.main ? ST_PATH_STATE_MAIN : ST_PATH_STATE_UP;
}

/* Under RCU. */
static int st_nl_put_path(struct sk_buff *skb, const struct st_path *path)
{
	const struct st_probe *s = st_probe_of(path);
	struct nlattr *nest = nla_nest_start(skb, ST_A_VC_PATH);
	const struct st_link *link = path->link;

	st_assert_locked(path->st);
	if (!nest || nla_put_u32(skb, ST_A_PATH_IFINDEX, link->dev->ifindex) ||
	    nla_put_string(skb, ST_A_PATH_LLP, link->llp->name) ||
	    nla_put(skb, ST_A_PATH_LOCAL_ADDRESS, link->addr_len, link->addr) ||
	    nla_put(skb, ST_A_PATH_REMOTE_ADDRESS, link->addr_len, path->addr) ||
	    nla_put_u32(skb, ST_A_PATH_STATE, st_nl_path_state(path)) ||
	    nla_put_u32(skb, ST_A_PATH_BLOCKS, path->blocks) ||
	    nla_put_u32(skb, ST_A_PATH_QUOTA, s->quota) ||
	    nla_put_uint(skb, ST_A_PATH_TX_BYTES, s->tx_bytes) ||
	    nla_put_uint(skb, ST_A_PATH_RX_BYTES, s->rx_bytes) ||
	    st_nl_put_address_text(skb, ST_A_PATH_LOCAL_ADDRESS_TEXT, link, link->addr) ||
	    st_nl_put_address_text(skb, ST_A_PATH_REMOTE_ADDRESS_TEXT, link, path->addr))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int st_nl_put_paths(struct sk_buff *skb, struct st_sock *st)
{
	struct st_path *path;

	if (!st->paths.stripe || !st->paths.stripe->joined)
		return 0;
	for (path = &st->paths.first; path; path = st_path_next(path))
		if (path->link && !READ_ONCE(st_link_core(path->link)->dead) &&
		    st_nl_put_path(skb, path))
			return -EMSGSIZE;
	return 0;
}

/* Under RCU. */
static int st_nl_put_vc_to(struct sk_buff *skb, const struct st_nl_to *to, struct st_sock *st)
{
	void *hdr = st_nl_begin(skb, to);

	return st_nl_end(skb, to, hdr, !hdr || st_nl_put_vc(skb, st, to->ns) ||
			 st_nl_put_idle(skb, st) || st_nl_put_paths(skb, st) ||
			 (to->keys && st_nl_put_keys(skb, st)));
}

/**
 * st_nl_vc_get_doit - ST_CMD_VC_GET of one Virtual Connection
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int st_nl_vc_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return st_nl_vc_do(skb, info, st_nl_put_vc_to);
}

/**
 * st_nl_vc_get_dumpit - ST_CMD_VC_GET of the Virtual Connections that match the request
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int st_nl_vc_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return st_nl_walk(skb, cb, st_nl_put_vc_to);
}

/**
 * st_nl_vc_del_doit - ST_CMD_VC_DEL
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int st_nl_vc_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct st_sock *st;
	int err = 0;

	if (!st_nl_admin(skb, info))
		return -EPERM;
	st = st_nl_find(info);
	if (IS_ERR(st))
		return PTR_ERR(st);
	spin_lock_bh(&st->lock);
	if (st->vc.hashed)
		st_vc_abort(st, st->paths.main, ECONNABORTED);
	else
		err = st_nl_no_vc(info);
	st_unlock(st);
	sock_put(&st->sk);
	return err;
}
