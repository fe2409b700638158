// SPDX-License-Identifier: GPL-2.0
/*
 * FetchOps at the Responder, ST 6.1.4.4.  Each is executed once; the result is kept until the
 * peer has it.
 *
 * The word is a number in the byte order of this host, which the peer knows from the setup
 * (ST 8.2).  The bytes are sent as they lie in memory.
 */
#include <kunit/visibility.h>
#include <linux/atomic.h>
#include <linux/export.h>
#include <linux/highmem.h>

#include "conn/conn.h"
#include "conn/host.h"
#include "mem/region.h"

/*
 * How long the peer may repeat a FetchOp, or be asked for its FetchOp_Complete, ST 10.1; and
 * how late a repeat may be that the FetchOp_Complete has overtaken
 */
static unsigned long st_fetch_keep(const struct st_sock *st)
{
	return (READ_ONCE(st_net_of(st)->max_retry) + 2) * st_op_timeout(st);
}

/**
 * st_fetch_find - look up an executed FetchOp
 * @mem: persistent memory of the Virtual Connection
 * @id: F-id
 *
 * Return: the FetchOp; NULL when it was not executed, or is forgotten.
 */
struct st_fetch *st_fetch_find(struct st_mem *mem, u32 id)
{
	struct st_fetch *fetch;

	st_assert_locked(mem->st);
	hash_for_each_possible(mem->fetches, fetch, node, id)
		if (fetch->op.s_id == id)
			return fetch;
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(st_fetch_find);

/**
 * st_fetch_free - free an executed FetchOp
 * @mem: persistent memory of the Virtual Connection
 * @fetch: the FetchOp
 */
void st_fetch_free(struct st_mem *mem, struct st_fetch *fetch)
{
	st_assert_owned(mem->st);
	hash_del(&fetch->node);
	list_del(&fetch->list);
	if (fetch->over)
		mem->nr_fetches_over--;
	else
		mem->nr_fetches--;
	st_peer_free(mem->st, fetch, sizeof(*fetch));
}
EXPORT_SYMBOL_IF_KUNIT(st_fetch_free);

/**
 * st_fetch_new - allocate room for a result
 * @mem: persistent memory of the Virtual Connection
 * @id: F-id
 *
 * Return: the result, to be filled in, or NULL without room or when the id is in use.
 */
struct st_fetch *st_fetch_new(struct st_mem *mem, u32 id)
{
	struct st_fetch *fetch;

	st_assert_locked(mem->st);
	if (mem->nr_fetches >= ST_FETCHES || st_fetch_find(mem, id))
		return NULL;
	fetch = st_peer_alloc(mem->st, sizeof(*fetch));
	if (!fetch)
		return NULL;
	fetch->op.s_id = id;
	hash_add(mem->fetches, &fetch->node, id);
	list_add_tail(&fetch->list, &mem->fetch_list);
	mem->nr_fetches++;
	return fetch;
}
EXPORT_SYMBOL_IF_KUNIT(st_fetch_new);

/**
 * st_fetch_over - drop the result of a FetchOp that the peer has received
 * @mem: persistent memory of the Virtual Connection
 * @fetch: the FetchOp
 *
 * The value is not needed any more, ST 6.1.4.4.  The execution is still remembered, for a repeat
 * that the FetchOp_Complete has overtaken.
 */
void st_fetch_over(struct st_mem *mem, struct st_fetch *fetch)
{
	st_assert_locked(mem->st);
	fetch->over = true;
	fetch->when = jiffies;
	mem->nr_fetches--;
	mem->nr_fetches_over++;
	list_move_tail(&fetch->list, &mem->fetch_over);
	if (mem->nr_fetches_over > ST_FETCHES_OVER)
		st_fetch_free(mem, list_first_entry(&mem->fetch_over, struct st_fetch, list));
}
EXPORT_SYMBOL_IF_KUNIT(st_fetch_over);

/*
 * Silent Data takes no Slot, so it need not wait for one.  Without room it is lost: the peer
 * repeats the FetchOp.
 */
static void st_fetch_send(struct st_sock *st, struct st_fetch *fetch)
{
	struct sk_buff *skb = NULL;
	struct st_op op;

	fetch->when = jiffies;
	list_move_tail(&fetch->list, &st->mem->fetch_list);
	st_op_init(st, &op, ST_OP_DATA,
		   ST_F_SILENT | ST_F_LAST | (fetch->op.flags & ST_F_CHANNEL));
	op.b_id = fetch->op.b_id;
	op.bufx = fetch->op.sync;
	op.offset = fetch->op.b_num;
	op.sync = fetch->sync;
	op.d_id = fetch->op.s_id;
	op.s_id = fetch->op.d_id;
	if (skb_queue_len(&st->out.queue) < ST_OUTQ_MAX)
		skb = st_alloc_data(st, &op, &fetch->value, ST_FETCH_LEN);
	if (!skb) {
		atomic64_inc(&st_net_of(st)->drops[ST_DROP_NOMEM]);
		return;
	}
	skb_set_owner_w(skb, &st->sk);
	st->info.tx_ops++;
	st->info.tx_bytes += ST_FETCH_LEN;
	st_outq_add(st, skb);
}

/*
 * All results are in use, perhaps because the FetchOp_Completes of the oldest ones were lost.
 * A peer that gets a result again completes it again.
 */
static void st_fetch_prod(struct st_sock *st)
{
	struct st_fetch *fetch = list_first_entry_or_null(&st->mem->fetch_list, struct st_fetch,
							  list);

	atomic64_inc(&st_net_of(st)->drops[ST_DROP_FETCHOP]);
	if (!fetch)
		return;
	if (!time_before(jiffies, fetch->when + st_op_timeout(st) / 16))
		st_fetch_send(st, fetch);
}

static void st_fetch_age_list(struct st_sock *st, struct list_head *list)
{
	const unsigned long keep = st_fetch_keep(st);
	struct st_fetch *fetch, *next;

	list_for_each_entry_safe(fetch, next, list, list) {
		if (!time_after(jiffies, fetch->when + keep))
			break;
		st_fetch_free(st->mem, fetch);
	}
}

static void st_fetch_age(struct st_sock *st)
{
	st_fetch_age_list(st, &st->mem->fetch_list);
	st_fetch_age_list(st, &st->mem->fetch_over);
}

/*
 * Whether a FetchOp repeats an executed one.  F-ids only ever increase (ST 6.2.1), so it does
 * if all its fields match; else the peer has reused an F-id.
 */
static bool st_fetch_is(const struct st_fetch *fetch, const struct st_op *op)
{
	const struct st_op *was = &fetch->op;

	return was->flags == op->flags && was->b_id == op->b_id && was->bufx == op->bufx &&
	       was->offset == op->offset && was->sync == op->sync && was->b_num == op->b_num &&
	       was->d_id == op->d_id;
}

/* Fetch and modify the word at @pos, atomically with respect to all CPUs of this host. */
static u64 st_fetch_execute(const struct st_region *r, u64 pos, u8 function)
{
	struct bio_vec seg;
	atomic64_t *word;
	void *page;
	u64 value;

	st_buf_segment(r->buf, pos, ST_FETCH_LEN, &seg);
	page = kmap_local_page(seg.bv_page);
	word = page + seg.bv_offset;
	switch (function) {
	case ST_FETCH_INCREMENT:
		value = atomic64_fetch_inc(word);
		break;
	case ST_FETCH_DECREMENT:
		value = atomic64_fetch_dec(word);
		break;
	default:
		value = atomic64_xchg(word, 0);
	}
	kunmap_local(page);
	flush_dcache_page(seg.bv_page);
	return value;
}

/* Find the word of a FetchOp.  Return: the region, or NULL when the FetchOp is to be rejected. */
static struct st_region *st_fetch_word(struct st_sock *st, const struct st_op *op, u64 *pos)
{
	struct st_place to;
	struct st_region *r = st_serve_access(st, op, ST_FETCH_LEN, ST_REGION_FETCHOP, pos, &to);

	if (!r)
		return NULL;
	/* One STU, and so in one buffer, ST 6.2.7 */
	if (st_stu_len(&to, ST_FETCH_LEN, st->vc.remote_bufsize,
		       st->vc.remote_max_stu) < ST_FETCH_LEN) {
		st_log(st, ST_ERR_OUT_OF_RANGE_BUFX);
		return NULL;
	}
	/* Offsets are aligned as memory is */
	return IS_ALIGNED(op->offset, ST_FETCH_LEN) ? r : NULL;
}

/**
 * st_serve_fetchop - receive a FetchOp
 * @st: the Virtual Connection, with persistent memory
 * @op: the operation
 * @function: ST_FETCH_*, or a reserved value
 *
 * Context: softirq.
 * Return: false when it is to be rejected.
 */
bool st_serve_fetchop(struct st_sock *st, const struct st_op *op, u8 function)
{
	struct st_fetch *fetch = st_fetch_find(st->mem, op->s_id);
	struct st_region *r;
	u64 pos;

	st_assert_locked(st);
	if (fetch && !fetch->over) {
		/* Already executed; only where the peer wants the value may have changed */
		st_fetch_send(st, fetch);
		return true;
	}
	st_fetch_age(st);
	fetch = st_fetch_find(st->mem, op->s_id);
	if (fetch) {
		/* The peer has the value; this repeat was under way before it arrived */
		if (st_fetch_is(fetch, op))
			return true;
		st_fetch_free(st->mem, fetch);
	}
	if (function > ST_FETCH_CLEAR)
		return false;
	r = st_fetch_word(st, op, &pos);
	if (!r)
		return false;
	fetch = st_fetch_new(st->mem, op->s_id);
	if (!fetch) {
		/* The peer repeats the FetchOp */
		st_fetch_prod(st);
		return true;
	}
	fetch->op = *op;
	fetch->sync = st->slots.ops;
	fetch->value = st_fetch_execute(r, pos, function);
	r->info.fetchops++;
	st_fetch_send(st, fetch);
	return true;
}

/**
 * st_serve_complete - receive a FetchOp_Complete
 * @st: the Virtual Connection
 * @op: the operation
 *
 * A repeated one finds no result.
 *
 * Context: softirq.
 */
void st_serve_complete(struct st_sock *st, const struct st_op *op)
{
	struct st_fetch *fetch = st->mem ? st_fetch_find(st->mem, op->s_id) : NULL;

	st_assert_locked(st);
	if ((s32)(op->d_id - st->ids.next) >= 0)
		st_log(st, ST_ERR_INVALID_D_ID);
	else if (fetch && !fetch->over && fetch->op.d_id == op->d_id && fetch->sync == op->sync)
		st_fetch_over(st->mem, fetch);
}
