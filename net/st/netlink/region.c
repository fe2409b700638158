// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: persistent memory regions.
 *
 * Memory Index and place are not reported: with those and a Key anybody could write there.
 */
#include "netlink/genl.h"
#include "mem/mem.h"
#include "netlink/netlink.h"

/* In st_nl_walk.at, above the id of the last region: all lent regions are dumped */
#define ST_NL_BORROWED	BIT_ULL(32)

static_assert(ST_REGION_ACCESS_PUT - ST_REGION_PUT == 0 &&
	      ST_REGION_ACCESS_GET - ST_REGION_GET == 0 &&
	      ST_REGION_ACCESS_FETCHOP - ST_REGION_FETCHOP == 0);

/* Attributes of both kinds. */
static int st_nl_put_both(struct sk_buff *skb, enum st_region_kind kind,
			  enum st_region_state state, u64 len, const struct st_region_info *info)
{
	return nla_put_u32(skb, ST_A_REGION_KIND, kind) ||
	       nla_put_u32(skb, ST_A_REGION_STATE, state) ||
	       nla_put_u32(skb, ST_A_REGION_ID, info->region) ||
	       nla_put_uint(skb, ST_A_REGION_LENGTH, len) ||
	       nla_put_uint(skb, ST_A_REGION_PUTS, info->puts) ||
	       nla_put_uint(skb, ST_A_REGION_GETS, info->gets) ||
	       nla_put_uint(skb, ST_A_REGION_FETCHOPS, info->fetchops) ? -EMSGSIZE : 0;
}

static int st_nl_put_grant(struct sk_buff *skb, u32 peer_id, u64 size)
{
	return nla_put_u32(skb, ST_A_REGION_REMOTE_ID, peer_id) ||
	       nla_put_uint(skb, ST_A_REGION_SIZE, size) ? -EMSGSIZE : 0;
}

static int st_nl_put_lent(struct sk_buff *skb, const struct st_mem *mem,
			  const struct st_region *r)
{
	enum st_region_state state = ST_REGION_STATE_OFFERED;
	const struct st_reply *reply;
	u32 replies = 0;

	if (r->ending)
		state = ST_REGION_STATE_ENDING;
	else if (r->granted)
		state = ST_REGION_STATE_GRANTED;
	list_for_each_entry(reply, &mem->replies, list)
		replies += reply->region == r;
	return st_nl_put_both(skb, ST_REGION_KIND_LENT, state, r->len, &r->info) ||
	       nla_put_u32(skb, ST_A_REGION_ACCESS, r->access) ||
	       (r->mapped && nla_put_flag(skb, ST_A_REGION_MAPPED)) ||
	       (r->granted && st_nl_put_grant(skb, r->peer_id, r->size)) ||
	       nla_put_u32(skb, ST_A_REGION_OUTSTANDING, replies) ? -EMSGSIZE : 0;
}

static int st_nl_put_borrowed(struct sk_buff *skb, const struct st_mem *mem,
			      const struct st_remote *rm)
{
	enum st_region_state state = ST_REGION_STATE_REQUESTED;
	const struct st_onesided *o;
	u32 ops = 0;

	if (rm->ending)
		state = ST_REGION_STATE_ENDING;
	else if (rm->ready)
		state = ST_REGION_STATE_GRANTED;
	list_for_each_entry(o, &mem->ops, list)
		ops += o->remote == rm;
	return st_nl_put_both(skb, ST_REGION_KIND_BORROWED, state, rm->len, &rm->info) ||
	       (rm->ready && st_nl_put_grant(skb, rm->peer_id, rm->len)) ||
	       nla_put_u32(skb, ST_A_REGION_OUTSTANDING, ops) ? -EMSGSIZE : 0;
}

/* One of @r and @rm is NULL; under RCU. */
static int st_nl_put_region(struct sk_buff *skb, const struct st_nl_to *to, struct st_sock *st,
			    const struct st_region *r, const struct st_remote *rm)
{
	void *hdr = st_nl_begin(skb, to);

	return st_nl_end(skb, to, hdr, !hdr || st_nl_put_vc_of(skb, st, to->ns) ||
			 (r ? st_nl_put_lent(skb, st->mem, r) :
			      st_nl_put_borrowed(skb, st->mem, rm)));
}

/*
 * Whether an identifier was allocated after that of the last dumped region, if there is one.
 * Identifiers wrap around.
 */
static bool st_nl_later(const struct st_sock *st, u32 id, u32 last)
{
	return !last || st->ids.next - id < st->ids.next - last;
}

static int st_nl_dump_regions(struct sk_buff *skb, const struct st_nl_to *to,
			      struct st_sock *st)
{
	struct st_nl_walk *walk = st_nl_walk_of(to->cb);
	const struct st_remote *rm;
	const struct st_region *r;
	int err;

	if (!st->mem)
		return 0;
	if (walk->at < ST_NL_BORROWED) {
		list_for_each_entry(r, &st->mem->regions, list) {
			if (!st_nl_later(st, r->id, walk->at))
				continue;
			err = st_nl_put_region(skb, to, st, r, NULL);
			if (err)
				return err;
			walk->at = r->id;
		}
		walk->at = ST_NL_BORROWED;
	}
	list_for_each_entry(rm, &st->mem->remotes, list) {
		if (!st_nl_later(st, rm->id, lower_32_bits(walk->at)))
			continue;
		err = st_nl_put_region(skb, to, st, NULL, rm);
		if (err)
			return err;
		walk->at = ST_NL_BORROWED | rm->id;
	}
	return 0;
}

static int st_nl_one_region(struct sk_buff *skb, const struct st_nl_to *to, struct st_sock *st)
{
	const struct nlattr *attr = to->info->attrs[ST_A_REGION_ID];
	u32 id = nla_get_u32(attr);
	const struct st_remote *rm;
	const struct st_region *r;

	if (st->mem) {
		list_for_each_entry(r, &st->mem->regions, list)
			if (r->id == id)
				return st_nl_put_region(skb, to, st, r, NULL);
		list_for_each_entry(rm, &st->mem->remotes, list)
			if (rm->id == id)
				return st_nl_put_region(skb, to, st, NULL, rm);
	}
	NL_SET_ERR_MSG_ATTR(to->info->extack, attr, "the Virtual Connection has no such region");
	return -ENOENT;
}

/**
 * st_nl_region_get_doit - ST_CMD_REGION_GET of one region
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int st_nl_region_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	if (GENL_REQ_ATTR_CHECK(info, ST_A_REGION_ID))
		return -EINVAL;
	return st_nl_vc_do(skb, info, st_nl_one_region);
}

/**
 * st_nl_region_get_dumpit - ST_CMD_REGION_GET of the regions that match the request
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int st_nl_region_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return st_nl_walk(skb, cb, st_nl_dump_regions);
}
