// SPDX-License-Identifier: GPL-2.0
/*
 * Striping, ST annex B: the Blocks of a Transfer come over several links.
 *
 * The data Destination decides: the Source sends a Block over the way that its
 * Clear_To_Send came (B.3, B.4).  Every way has as many Blocks on it as its quota says,
 * so that one that comes is followed by another over the same way, and each has as many
 * as it can carry.  A quota grows with every Block while it is used up.  It is halved
 * when the oldest Block has come over that way so late that all that may be cleared is,
 * and another way has nothing to do.
 *
 * The peer's other addresses are told by the application or by the administrator, or
 * learnt from the operations that come from there with the right Key (B.1).
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/log2.h>
#include <linux/slab.h>

#include "conn/conn.h"

#define ST_QUOTA_MAX		32	/* Blocks */
#define ST_WAY_REST		(60 * HZ)
#define ST_STRIPE_BLOCKS	4	/* of a Transfer for each way, at least */
#define ST_STRIPE_BLOCKSIZE	13	/* log2, shorter ones are not made for that */

/* What st_stripe_begin() needs, or NULL. */
static struct st_stripe *st_stripe_new(struct st_sock *st, gfp_t gfp)
{
	struct st_stripe *stripe = st_peer_kzalloc(st, sizeof(*stripe), gfp);
	unsigned int i;

	for (i = 0; stripe && i < ST_WAYS_MAX - 1; i++)
		st_way_init(st, &stripe->more[i], i + 1);
	return stripe;
}

/* Under st->lock. */
static void st_stripe_begin(struct st_sock *st, struct st_stripe *stripe)
{
	st->stripe = stripe;
	st_strand_init(&st->way);
	stripe->strand[0].up = true;
	stripe->strand[0].known = true;
}

/**
 * st_stripe_alloc - a socket may run over several ways from now on
 * @st: the socket, with no Virtual Connection
 * @gfp: how to allocate
 *
 * Context: under lock_sock(), or nobody else knows the socket.
 * Return: 0 or -ENOMEM.
 */
int st_stripe_alloc(struct st_sock *st, gfp_t gfp)
{
	struct st_stripe *stripe;

	if (st->stripe)
		return 0;
	stripe = st_stripe_new(st, gfp);
	if (!stripe)
		return -ENOMEM;
	spin_lock_bh(&st->lock);
	st_stripe_begin(st, stripe);
	spin_unlock_bh(&st->lock);
	return 0;
}

/* The link that an address names, or NULL; under RCU. */
static struct st_link *st_stripe_link(const struct st_sock *st, const struct sockaddr_st *to)
{
	struct st_link *link;

	list_for_each_entry_rcu(link, &st_net_of(st)->links, list)
		if (link->dev->ifindex == to->sst_ifindex &&
		    (!to->sst_llp || link->type == to->sst_llp) &&
		    link->addr_len == to->sst_alen && st_link_bound(link, st))
			return link;
	return NULL;
}

/* Under st->lock and RCU. */
static void st_stripe_way(struct st_sock *st, const struct sockaddr_st *to)
{
	struct st_link *link = st_stripe_link(st, to);

	if (link && !st_way_find(st, link, to->sst_addr))
		st_way_add(st, link, to->sst_addr);
}

/* Whether an address is that which a Virtual Connection was set up with. */
static bool st_stripe_first(const struct st_sock *st, const struct sockaddr_st *end)
{
	const struct st_link *link = st->way.link;

	return end->sst_ifindex == st->peer.ifindex && end->sst_llp == link->type &&
	       !memcmp(end->sst_addr, st->way.addr, link->addr_len);
}

/*
 * The host that the administrator has told the address of a Virtual Connection to be of,
 * or 0; under RCU.
 */
static u64 st_stripe_host(const struct st_sock *st)
{
	const struct st_stripe_addr *sa;

	list_for_each_entry_rcu(sa, &st_net_of(st)->stripe_addrs, list)
		if (st_stripe_first(st, &sa->addr))
			return sa->host;
	return 0;
}

/* Whether a Virtual Connection that is to be striped can be; under RCU and st->lock. */
static bool st_stripe_ready(struct st_sock *st)
{
	struct st_stripe *stripe;

	if (st->stripe)
		return true;
	stripe = st_stripe_new(st, ST_PEER_GFP);
	if (stripe)
		st_stripe_begin(st, stripe);
	else
		atomic64_inc(&st_net_of(st)->drops[ST_DROP_NOMEM]);
	return stripe;
}

/**
 * st_stripe_join - use the ways that were asked for
 * @st: the Virtual Connection, just set up
 *
 * Those of the application, if there is such a device, and those of the administrator.
 * Both ends have to take Blocks in any order, ST B.1.  st_ways_check() asks the peer over
 * them.
 *
 * Context: under st->lock.
 */
void st_stripe_join(struct st_sock *st)
{
	const struct st_stripe_addr *sa;
	unsigned int i;
	u64 host;

	if (!st->out_of_order)
		return;
	rcu_read_lock();
	host = st_stripe_host(st);
	if ((!st->stripe && !host) || !st_stripe_ready(st)) {
		rcu_read_unlock();
		return;
	}
	for (i = 0; i < st->stripe->nr_asked; i++)
		st_stripe_way(st, &st->stripe->asked[i]);
	list_for_each_entry_rcu(sa, &st_net_of(st)->stripe_addrs, list)
		if (sa->host == host)
			st_stripe_way(st, &sa->addr);
	rcu_read_unlock();
	st->stripe->joined = true;
}

/**
 * st_stripe_learn - an operation has come from an address that is not known
 * @st: the Virtual Connection that its Key and Ports are of
 * @link: where it came in
 * @addr: who sent it
 *
 * ST B.1: the address of a Port does not have to stay the same.  It is that of one host,
 * though.
 *
 * Context: under st->lock and RCU.
 * Return: a new way, or NULL where the socket is not striped.
 */
struct st_way *st_stripe_learn(struct st_sock *st, struct st_link *link, const u8 *addr)
{
	struct st_way *way;

	if (!st->stripe || !st->stripe->joined || st->sk.sk_state != ST_ESTABLISHED ||
	    !st_link_bound(link, st) || !st_link_addr_ok(link, addr))
		return NULL;
	way = st_way_add(st, link, addr);
	if (!way)
		return NULL;
	st_strand_of(way)->learnt = true;
	st_timer_at(st, jiffies);
	return way;
}
EXPORT_SYMBOL_IF_KUNIT(st_stripe_learn);

/* Whether no Blocks come over a way for a while, though it works. */
static bool st_stripe_rests(const struct st_way *way)
{
	struct st_strand *s = st_strand_of(way);

	if (!s->quota && time_after_eq(jiffies, s->rest_until))
		s->quota = 1;
	return !s->quota;
}

/**
 * st_stripe_choose - the way to clear a Block over, and room there
 * @st: the Virtual Connection
 * @rx: the Transfer, with Block boundaries
 * @len: bytes of the Block
 *
 * Context: under st->lock.
 * Return: the way, on which the Block counts as st_pace_take() says; NULL when there is
 * no room now.
 */
struct st_way *st_stripe_choose(struct st_sock *st, const struct st_rx *rx, u64 len)
{
	struct st_stripe *stripe = st->stripe;
	bool usable = false;
	unsigned int i;

	for (i = 1; stripe && i <= ST_WAYS_MAX; i++) {
		unsigned int turn = (stripe->turn + i) % ST_WAYS_MAX;
		struct st_way *way = st_way_at(st, turn);

		if (!st_way_usable(way) || st_stripe_rests(way))
			continue;
		usable = true;
		if (way->blocks < stripe->strand[turn].quota &&
		    st_window_open(way, rx, way->blocks) && st_pace_take(way, len)) {
			stripe->turn = turn;
			return way;
		}
	}
	/* Where none is known to work, Op_timeouts tell */
	if (usable || !st_window_open(st->main, rx, hweight64(rx->out_map)) ||
	    !st_pace_take(st->main, len))
		return NULL;
	return st->main;
}

/* The way that works and has the fewest Blocks, but for one; that where there is none. */
static struct st_way *st_stripe_best(struct st_sock *st, struct st_way *but)
{
	struct st_way *best = NULL, *way;

	for (way = &st->way; way; way = st_way_next(way))
		if (way != but && st_way_usable(way) && (!best || way->blocks < best->blocks))
			best = way;
	return best ?: but;
}

/**
 * st_stripe_other - the way to go when there is a choice
 * @st: the Virtual Connection
 * @way: the present one
 *
 * Context: under st->lock.
 * Return: @way if it works or if no other does, else the one that has the fewest Blocks.
 */
struct st_way *st_stripe_other(struct st_sock *st, struct st_way *way)
{
	return !st->stripe || st_way_usable(way) ? way : st_stripe_best(st, way);
}

/**
 * st_stripe_elsewhere - a Block does not come over a way, again and again
 * @st: the Virtual Connection
 * @way: the way; the peer answers over it, as frames that are short get through
 *
 * Context: under st->lock.
 * Return: another way that works, if there is one, and then no Blocks are cleared over
 * @way for a while.
 */
struct st_way *st_stripe_elsewhere(struct st_sock *st, struct st_way *way)
{
	struct st_way *other = st->stripe ? st_stripe_best(st, way) : way;

	if (other != way) {
		st_strand_of(way)->quota = 0;
		st_strand_of(way)->rest_until = jiffies + ST_WAY_REST;
	}
	return other;
}

/* Whether a way could carry Blocks and has none. */
static bool st_stripe_idle(struct st_sock *st)
{
	struct st_way *way;

	for (way = &st->way; way; way = st_way_next(way))
		if (st_way_usable(way) && !st_stripe_rests(way) && !way->blocks)
			return true;
	return false;
}

/**
 * st_stripe_stalled - all Blocks are cleared that can be, before the oldest has come
 * @st: the Virtual Connection
 * @rx: the Transfer
 *
 * Context: under st->lock.
 */
void st_stripe_stalled(struct st_sock *st, const struct st_rx *rx)
{
	struct st_stripe *stripe = st->stripe;
	const struct st_block *blk;

	if (!stripe || stripe->stalled == rx->next + 1 || !st_stripe_idle(st))
		return;
	list_for_each_entry(blk, &st->sink->exposed, list) {
		if (blk->rx == rx && blk->n == rx->next) {
			struct st_strand *s = st_strand_of(blk->way);

			s->quota = max(s->quota / 2, 1U);
			stripe->stalled = rx->next + 1;
			return;
		}
	}
}

/**
 * st_stripe_arrived - a Block has come
 * @way: which way; the Block still counts in st_way.blocks
 * @len: its bytes
 *
 * Context: under st_sock.lock.
 */
void st_stripe_arrived(struct st_way *way, u64 len)
{
	struct st_strand *s;

	if (!way->st->stripe)
		return;
	s = st_strand_of(way);
	s->rx_bytes += len;
	if (s->quota && way->blocks >= s->quota && s->quota < ST_QUOTA_MAX)
		s->quota++;
}

/* How many ways Blocks are cleared over. */
static unsigned int st_stripe_usable(struct st_sock *st)
{
	unsigned int n = 0;
	struct st_way *way;

	if (!st->stripe)
		return 1;
	for (way = &st->way; way; way = st_way_next(way))
		n += st_way_usable(way);
	return n ?: 1;
}

/**
 * st_stripe_blocks - Blocks of a Transfer that may be exposed at a time, ST B.1
 * @st: the Virtual Connection
 * @limit: as many over one way
 *
 * Context: under st->lock.
 * Return: Blocks.
 */
unsigned int st_stripe_blocks(struct st_sock *st, unsigned int limit)
{
	return min_t(unsigned int, limit * st_stripe_usable(st), ST_BLOCKS);
}

/**
 * st_stripe_blocksize - Blocksize of a Transfer that begins, ST B.1
 * @st: the Virtual Connection
 * @t_len: bytes of the Transfer; 0: unlimited
 * @size: log2, what it would be over any of the ways
 *
 * Context: under st->lock.
 * Return: log2, so that there are some Blocks for each way.
 */
unsigned int st_stripe_blocksize(struct st_sock *st, u64 t_len, unsigned int size)
{
	unsigned int ways = st_stripe_usable(st);
	u64 share = div_u64(t_len, ways * ST_STRIPE_BLOCKS);

	if (ways == 1 || !t_len)
		return size;
	return min_t(unsigned int, size,
		     max_t(unsigned int, ilog2(share | 1), ST_STRIPE_BLOCKSIZE));
}

/* Whether an address can be of a way. */
static int st_stripe_check(struct st_sock *st, const struct sockaddr_st *to)
{
	int err = st_addr_check(to, sizeof(*to));
	const struct st_link *link;

	if (err)
		return err;
	if (!to->sst_ifindex || !to->sst_alen || to->sst_port)
		return -EINVAL;
	rcu_read_lock();
	link = st_stripe_link(st, to);
	if (!link)
		err = -ENODEV;
	else if (!st_link_addr_ok(link, to->sst_addr))
		err = -EINVAL;
	rcu_read_unlock();
	return err;
}

/**
 * st_stripe_set - set ST_STRIPE
 * @st: the socket
 * @val: 0 or 1, else -EINVAL
 *
 * Context: process, may sleep.
 * Return: 0, -EINVAL, -EISCONN when the connection is set up, -ENOMEM.
 */
int st_stripe_set(struct st_sock *st, int val)
{
	struct st_stripe *before = NULL;
	struct sock *sk = &st->sk;
	int err = 0;

	if (val != 0 && val != 1)
		return -EINVAL;
	lock_sock(sk);
	if (!st_not_yet_used(sk)) {
		err = -EISCONN;
	} else if (val) {
		err = st_stripe_alloc(st, GFP_KERNEL_ACCOUNT);
	} else {
		spin_lock_bh(&st->lock);
		swap(st->stripe, before);
		spin_unlock_bh(&st->lock);
	}
	release_sock(sk);
	kfree(before);
	return err;
}

/**
 * st_stripe_set_addrs - set ST_STRIPE_ADDRS
 * @st: the socket
 * @optval: array of struct sockaddr_st
 * @optlen: its bytes
 *
 * Context: process, may sleep.
 * Return: 0, -EINVAL, also without ST_STRIPE, -EAFNOSUPPORT, -ENODEV for a device without
 * such a link, -EISCONN when the connection is set up.
 */
int st_stripe_set_addrs(struct st_sock *st, sockptr_t optval, unsigned int optlen)
{
	struct sockaddr_st asked[ST_WAYS_MAX - 1];
	struct sock *sk = &st->sk;
	unsigned int i;
	int err = 0;

	if (optlen > sizeof(asked) || optlen % sizeof(asked[0]))
		return -EINVAL;
	if (copy_from_sockptr(asked, optval, optlen))
		return -EFAULT;
	for (i = 0; i < optlen / sizeof(asked[0]) && !err; i++)
		err = st_stripe_check(st, &asked[i]);
	if (err)
		return err;
	lock_sock(sk);
	if (!st_not_yet_used(sk)) {
		err = -EISCONN;
	} else if (!st->stripe) {
		err = -EINVAL;
	} else {
		memcpy(st->stripe->asked, asked, optlen);
		st->stripe->nr_asked = i;
	}
	release_sock(sk);
	return err;
}

/**
 * st_stripe_get_addrs - get ST_STRIPE_ADDRS
 * @st: the socket
 * @asked: %ST_WAYS_MAX - 1 places for what was set
 *
 * Context: under lock_sock().
 * Return: bytes of @asked.
 */
int st_stripe_get_addrs(struct st_sock *st, struct sockaddr_st *asked)
{
	int size = st->stripe ? st->stripe->nr_asked * sizeof(*asked) : 0;

	if (size)
		memcpy(asked, st->stripe->asked, size);
	return size;
}
