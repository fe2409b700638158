// SPDX-License-Identifier: GPL-2.0
/*
 * Reassembly of PDUs, 3.2.5.
 *
 * All contexts are allocated with the endpoint, so that no source can take memory by opening
 * them; a PDU has memory for the segments that have come, and for no more.  A defective PDU
 * is discarded at once and counted for its first fault; its context stays open, empty, and
 * swallows what follows of it.
 */
#include <kunit/visibility.h>
#include <linux/jhash.h>
#include <linux/jiffies.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "reassembly.h"

/* What a port with the usual number of contexts can never reach */
#define RIO9_MEMORY	SZ_16M

static struct hlist_head *rio9_bucket(const struct rio9_reassembly *r, u16 src, u16 dst,
				      u8 channel)
{
	return r->buckets + (jhash_2words((u32)src << 16 | dst, channel, r->seed) >>
			     (32 - r->bits));
}

static struct rio9_context *rio9_find_key(const struct rio9_reassembly *r, u16 src, u16 dst,
					  u8 channel)
{
	struct rio9_context *ctx;

	hlist_for_each_entry(ctx, rio9_bucket(r, src, dst, channel), hash)
		if (ctx->source->id == src && ctx->dst == dst && ctx->channel == channel)
			return ctx;
	return NULL;
}

static struct rio9_context *rio9_find(const struct rio9_reassembly *r,
				      const struct rio9_packet *p)
{
	return rio9_find_key(r, p->src, p->dst, p->channel);
}

/* The PDU of a context leaves it, for its user or to be freed */
static struct sk_buff *rio9_take(struct rio9_reassembly *r, struct rio9_context *ctx)
{
	struct sk_buff *skb = ctx->skb;

	if (skb)
		r->memory -= skb->truesize;
	ctx->skb = NULL;
	return skb;
}

/* A PDU is counted once, for the first thing wrong with it */
static void rio9_bad(struct rio9_reassembly *r, struct rio9_context *ctx, enum rio9_stat why)
{
	if (!ctx->skb)
		return;
	rio9_count(r, why);
	kfree_skb(rio9_take(r, ctx));
}

static void rio9_close(struct rio9_reassembly *r, struct rio9_context *ctx)
{
	kfree_skb(rio9_take(r, ctx));
	hlist_del(&ctx->hash);
	list_del(&ctx->age);
	ctx->source->open--;
	ctx->source = NULL;
	r->open--;
	hlist_add_head(&ctx->hash, &r->free);
}

static struct rio9_context *rio9_open(struct rio9_reassembly *r, const struct rio9_packet *p)
{
	struct rio9_source *source = xa_load(&r->sources, p->src);
	struct rio9_context *ctx;

	if (!source) {
		rio9_count(r, RIO9_STAT_UNKNOWN_SOURCE);
		return NULL;
	}
	if (hlist_empty(&r->free)) {
		rio9_count(r, RIO9_STAT_NO_CONTEXT);
		return NULL;
	}
	if (source->open >= r->share) {
		rio9_count(r, RIO9_STAT_OVER_SHARE);
		return NULL;
	}
	ctx = hlist_entry(r->free.first, struct rio9_context, hash);
	hlist_del(&ctx->hash);
	hlist_add_head(&ctx->hash, rio9_bucket(r, p->src, p->dst, p->channel));
	list_add_tail(&ctx->age, &r->age);
	source->open++;
	r->open++;
	ctx->source = source;
	ctx->dst = p->dst;
	ctx->channel = p->channel;
	return ctx;
}

/* The first segment lies in the linear part, so that headers of what is above Type 9 do */
static struct sk_buff *rio9_new(const struct rio9_packet *p)
{
	struct sk_buff *skb = alloc_skb(NET_SKB_PAD + p->len, GFP_ATOMIC | __GFP_NOWARN);
	struct rio9_pdu *pdu;

	if (!skb)
		return NULL;
	skb_reserve(skb, NET_SKB_PAD);
	skb_put_data(skb, p->data, p->len);
	pdu = rio9_skb_pdu(skb);
	pdu->peer = p->src;
	pdu->stream = p->stream;
	pdu->cos = p->cos;
	pdu->channel = p->channel;
	return skb;
}

/* Whatever comes first frees the rest of the memory; a PDU waits for none */
static bool rio9_more_room(struct rio9_reassembly *r, struct rio9_context *ctx)
{
	struct skb_shared_info *shinfo = skb_shinfo(ctx->skb);
	struct page *page;

	if (r->memory + PAGE_SIZE > r->memory_max || shinfo->nr_frags == MAX_SKB_FRAGS)
		return false;
	page = alloc_page(GFP_ATOMIC | __GFP_NOWARN);
	if (!page)
		return false;
	skb_add_rx_frag(ctx->skb, shinfo->nr_frags, page, 0, 0, PAGE_SIZE);
	r->memory += PAGE_SIZE;
	ctx->tail = page_address(page);
	ctx->room = PAGE_SIZE;
	return true;
}

static bool rio9_append(struct rio9_reassembly *r, struct rio9_context *ctx, const u8 *data,
			unsigned int len)
{
	struct sk_buff *skb = ctx->skb;
	unsigned int n;

	for (; len; len -= n) {
		if (!ctx->room && !rio9_more_room(r, ctx))
			return false;
		n = min(len, ctx->room);
		memcpy(ctx->tail, data, n);
		data += n;
		ctx->tail += n;
		ctx->room -= n;
		skb_frag_size_add(&skb_shinfo(skb)->frags[skb_shinfo(skb)->nr_frags - 1], n);
		skb->len += n;
		skb->data_len += n;
	}
	return true;
}

static void rio9_start(struct rio9_reassembly *r, const struct rio9_packet *p,
		       unsigned long now)
{
	struct rio9_context *ctx = rio9_find(r, p);

	if (ctx)
		rio9_bad(r, ctx, RIO9_STAT_NO_END);
	else
		ctx = rio9_open(r, p);
	if (!ctx)
		return;
	ctx->touched = now;
	list_move_tail(&ctx->age, &r->age);
	ctx->cos = p->cos;
	ctx->room = 0;

	if (p->len != r->mtu) {
		rio9_count(r, RIO9_STAT_START_NOT_MTU);
	} else if (p->len > r->max_pdu) {
		rio9_count(r, RIO9_STAT_OVER_MAX_PDU);
	} else {
		ctx->skb = rio9_new(p);
		if (ctx->skb && r->memory + ctx->skb->truesize > r->memory_max) {
			kfree_skb(ctx->skb);
			ctx->skb = NULL;
		}
		if (ctx->skb)
			r->memory += ctx->skb->truesize;
		else
			rio9_count(r, RIO9_STAT_NO_MEMORY);
	}
}

static struct sk_buff *rio9_single(struct rio9_reassembly *r, const struct rio9_packet *p)
{
	struct rio9_context *ctx = rio9_find(r, p);
	struct sk_buff *skb;

	if (ctx) {
		rio9_bad(r, ctx, RIO9_STAT_NO_END);
		rio9_close(r, ctx);
	}
	if (p->len > r->mtu) {
		rio9_count(r, RIO9_STAT_SINGLE_OVER_MTU);
		return NULL;
	}
	if (p->len > r->max_pdu) {
		rio9_count(r, RIO9_STAT_OVER_MAX_PDU);
		return NULL;
	}
	skb = rio9_new(p);
	if (!skb)
		rio9_count(r, RIO9_STAT_NO_MEMORY);
	return skb;
}

/* What a continuation and an end segment have in common */
static void rio9_more(struct rio9_reassembly *r, struct rio9_context *ctx,
		      const struct rio9_packet *p, bool fits, enum rio9_stat why)
{
	if (!ctx->skb)
		return;
	if (p->cos != ctx->cos)
		rio9_bad(r, ctx, RIO9_STAT_COS_CHANGED);
	else if (!fits)
		rio9_bad(r, ctx, why);
	else if (p->len > r->max_pdu - ctx->skb->len)
		rio9_bad(r, ctx, RIO9_STAT_OVER_MAX_PDU);
	else if (!rio9_append(r, ctx, p->data, p->len))
		rio9_bad(r, ctx, RIO9_STAT_NO_MEMORY);
}

static void rio9_cont(struct rio9_reassembly *r, const struct rio9_packet *p,
		      unsigned long now)
{
	struct rio9_context *ctx = rio9_find(r, p);

	if (!ctx) {
		rio9_count(r, RIO9_STAT_NO_START);
		return;
	}
	ctx->touched = now;
	list_move_tail(&ctx->age, &r->age);
	rio9_more(r, ctx, p, p->len == r->mtu, RIO9_STAT_CONT_NOT_MTU);
}

static struct sk_buff *rio9_end(struct rio9_reassembly *r, const struct rio9_packet *p)
{
	struct rio9_context *ctx = rio9_find(r, p);
	struct sk_buff *skb;

	if (!ctx) {
		rio9_count(r, RIO9_STAT_NO_START);
		return NULL;
	}
	rio9_more(r, ctx, p, p->len <= r->mtu, RIO9_STAT_END_OVER_MTU);
	if (ctx->skb && !p->len && !p->length)
		rio9_bad(r, ctx, RIO9_STAT_ABORTED);
	else if (ctx->skb && ctx->skb->len != (p->length ?: RIO9_PDU_MAX))
		rio9_bad(r, ctx, RIO9_STAT_LENGTH);
	skb = rio9_take(r, ctx);
	rio9_close(r, ctx);
	return skb;
}

/**
 * rio9_reassembly_rx - a segment has come
 * @r: the reassembly
 * @p: the segment
 * @now: jiffies
 *
 * Context: any; r->lock is held.
 * Return: the PDU that it completes, or NULL.  rio9_skb_pdu() tells its label.
 */
struct sk_buff *rio9_reassembly_rx(struct rio9_reassembly *r, const struct rio9_packet *p,
				   unsigned long now)
{
	struct sk_buff *skb = NULL;

	lockdep_assert_held(&r->lock);
	switch (p->kind) {
	case RIO9_START:
		rio9_start(r, p, now);
		break;
	case RIO9_CONT:
		rio9_cont(r, p, now);
		break;
	case RIO9_END:
		skb = rio9_end(r, p);
		break;
	case RIO9_SINGLE:
		skb = rio9_single(r, p);
		break;
	case RIO9_TM:
		/* It leaves the context of its channel as it is, 4.3 */
		break;
	}
	if (skb) {
		rio9_count(r, RIO9_STAT_PDUS);
		r->stats[RIO9_STAT_BYTES] += skb->len;
	}
	return skb;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_reassembly_rx);

/**
 * rio9_reassembly_gap - packets of a physical channel were lost
 * @r: the reassembly
 * @src: their source ID
 * @dst: their destination ID
 * @channel: their physical channel
 *
 * If they were the end of a PDU and the beginning of the next, the rules would take what is left
 * of the two for one PDU when its length is right.
 *
 * Context: any; r->lock is held.
 */
void rio9_reassembly_gap(struct rio9_reassembly *r, u16 src, u16 dst, u8 channel)
{
	struct rio9_context *ctx;

	lockdep_assert_held(&r->lock);
	ctx = rio9_find_key(r, src, dst, channel);
	if (ctx)
		rio9_bad(r, ctx, RIO9_STAT_GAP);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_reassembly_gap);

/**
 * rio9_reassembly_expire - close the contexts that have been silent for too long
 * @r: the reassembly
 * @now: jiffies
 *
 * Context: any; r->lock is held.
 * Return: true if there are more of them, for another call without the lock in between.
 */
bool rio9_reassembly_expire(struct rio9_reassembly *r, unsigned long now)
{
	unsigned int budget = RIO9_EXPIRE_BATCH;
	struct rio9_context *ctx, *next;

	lockdep_assert_held(&r->lock);
	list_for_each_entry_safe(ctx, next, &r->age, age) {
		if (time_before(now, ctx->touched + r->timeout))
			return false;
		if (!budget--)
			return true;
		rio9_bad(r, ctx, RIO9_STAT_TIMEOUT);
		rio9_close(r, ctx);
	}
	return false;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_reassembly_expire);

/* Closes all open contexts, or those of a source */
static void rio9_close_all(struct rio9_reassembly *r, const struct rio9_source *source,
			   enum rio9_stat why)
{
	struct rio9_context *ctx, *next;

	lockdep_assert_held(&r->lock);
	list_for_each_entry_safe(ctx, next, &r->age, age) {
		if (source && ctx->source != source)
			continue;
		rio9_bad(r, ctx, why);
		rio9_close(r, ctx);
	}
}

/**
 * rio9_reassembly_set_mtu - the MTU was written
 * @r: the reassembly
 * @mtu: payload of a full segment
 *
 * Context: any; r->lock is held.
 */
void rio9_reassembly_set_mtu(struct rio9_reassembly *r, unsigned int mtu)
{
	lockdep_assert_held(&r->lock);
	rio9_close_all(r, NULL, RIO9_STAT_MTU_CHANGED);
	r->mtu = mtu;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_reassembly_set_mtu);

/* Each source may have as many, 3.2.4; that of one does not depend on what another does */
static void rio9_shares(struct rio9_reassembly *r)
{
	r->share = max(r->contexts / max(r->source_count, 1), 1);
}

/**
 * rio9_reassembly_add_source - an endpoint may open contexts from now on
 * @r: the reassembly
 * @id: its ID
 *
 * The shares of the others become smaller; what they have open stays.
 *
 * Context: process.
 * Return: 0, -EEXIST, or -ENOMEM.
 */
int rio9_reassembly_add_source(struct rio9_reassembly *r, u16 id)
{
	struct rio9_source *source = kzalloc(sizeof(*source), GFP_KERNEL);
	int err;

	if (!source)
		return -ENOMEM;
	source->id = id;
	err = xa_insert_bh(&r->sources, id, source, GFP_KERNEL);
	if (err) {
		kfree(source);
		return err == -EBUSY ? -EEXIST : err;
	}
	spin_lock_bh(&r->lock);
	r->source_count++;
	rio9_shares(r);
	spin_unlock_bh(&r->lock);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_reassembly_add_source);

/**
 * rio9_reassembly_del_source - an endpoint may open contexts no longer
 * @r: the reassembly
 * @id: its ID
 *
 * Those that it has open are closed.
 *
 * Context: process.
 */
void rio9_reassembly_del_source(struct rio9_reassembly *r, u16 id)
{
	struct rio9_source *source;

	spin_lock_bh(&r->lock);
	source = xa_erase(&r->sources, id);
	if (source) {
		rio9_close_all(r, source, RIO9_STAT_SOURCE_GONE);
		r->source_count--;
		rio9_shares(r);
	}
	spin_unlock_bh(&r->lock);
	kfree(source);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_reassembly_del_source);

/**
 * rio9_reassembly_init - no contexts are open, and no source is known
 * @r: the reassembly
 * @mtu: payload of a full segment
 * @max_pdu: bytes of the longest PDU
 * @contexts: how many can be open
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int rio9_reassembly_init(struct rio9_reassembly *r, unsigned int mtu, unsigned int max_pdu,
			 unsigned int contexts)
{
	unsigned int i;

	memset(r, 0, sizeof(*r));
	spin_lock_init(&r->lock);
	INIT_HLIST_HEAD(&r->free);
	INIT_LIST_HEAD(&r->age);
	xa_init_flags(&r->sources, XA_FLAGS_LOCK_BH);
	r->mtu = mtu;
	r->max_pdu = max_pdu;
	r->contexts = contexts;
	r->timeout = RIO9_TIMEOUT;
	r->memory_max = RIO9_MEMORY;
	r->seed = get_random_u32();
	r->bits = max(order_base_2(contexts), 1);
	rio9_shares(r);

	r->table = kvcalloc(contexts, sizeof(*r->table), GFP_KERNEL);
	r->buckets = kvcalloc(BIT(r->bits), sizeof(*r->buckets), GFP_KERNEL);
	if (!r->table || !r->buckets) {
		rio9_reassembly_destroy(r);
		return -ENOMEM;
	}
	for (i = 0; i < contexts; i++)
		hlist_add_head(&r->table[i].hash, &r->free);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_reassembly_init);

/**
 * rio9_reassembly_destroy - free everything
 * @r: the reassembly; nothing comes any more
 *
 * Context: process.
 */
void rio9_reassembly_destroy(struct rio9_reassembly *r)
{
	struct rio9_context *ctx;
	struct rio9_source *source;
	unsigned long id;

	list_for_each_entry(ctx, &r->age, age)
		kfree_skb(ctx->skb);
	xa_for_each(&r->sources, id, source)
		kfree(source);
	xa_destroy(&r->sources);
	kvfree(r->buckets);
	kvfree(r->table);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_reassembly_destroy);
