// SPDX-License-Identifier: GPL-2.0
/*
 * Requests of the peer for regions: Request_Memory_Region at the Responder, ST 6.1.4.1.
 */
#include "conn/conn.h"
#include "conn/host.h"
#include "link/link.h"
#include "mem/region.h"

/**
 * st_asked_find - look up a request that waits for the application
 * @mem: persistent memory of the Virtual Connection
 * @peer_id: its I-id
 *
 * Return: the request or NULL.
 */
struct st_asked *st_asked_find(struct st_mem *mem, u32 peer_id)
{
	struct st_asked *asked;

	st_assert_locked(mem->st);
	list_for_each_entry(asked, &mem->asked, list)
		if (asked->peer_id == peer_id)
			return asked;
	return NULL;
}

/**
 * st_asked_free - free a request that does not wait any more
 * @mem: persistent memory of the Virtual Connection
 * @asked: the request
 */
void st_asked_free(struct st_mem *mem, struct st_asked *asked)
{
	st_assert_locked(mem->st);
	list_del(&asked->list);
	mem->st->slots.taken.asked--;
	st_peer_free(mem->st, asked, sizeof(*asked));
}

/* Remember an answered I-id, so that a late repeat gets no second region. */
static void st_answered(struct st_mem *mem, u32 peer_id)
{
	mem->answered[mem->nr_answered++ % ST_REGIONS] = peer_id;
}

static bool st_was_answered(const struct st_mem *mem, u32 peer_id)
{
	unsigned int n = min(mem->nr_answered, ST_REGIONS), i;

	for (i = 0; i < n; i++)
		if (mem->answered[i] == peer_id)
			return true;
	return false;
}

/**
 * st_region_over - reject further repeats of the request for a region
 * @mem: persistent memory of the Virtual Connection
 * @r: the region that the request was granted
 */
void st_region_over(struct st_mem *mem, const struct st_region *r)
{
	st_assert_locked(mem->st);
	if (!st_was_answered(mem, r->peer_id))
		st_answered(mem, r->peer_id);
}

static void st_queue_available(struct st_sock *st, const struct st_region *r)
{
	struct st_op op;

	/* Without a Slot the answer waits for the next repeat of the request */
	if (!st_slot_take(st, false))
		return;
	st_op_init(st, &op, ST_OP_MEMORY_REGION_AVAILABLE, 0);
	op.b_id = r->mx;
	op.bufx = r->at.bufx;
	op.offset = r->at.offset;
	op.d_id = r->peer_id;
	op.s_id = r->id;
	st_queue_op(st, &op);
}

/**
 * st_region_grant - grant a region to a request
 * @st: the Virtual Connection
 * @r: the region, on offer
 * @peer_id: I-id of the request
 * @size: requested bytes, not more than the region has
 */
void st_region_grant(struct st_sock *st, struct st_region *r, u32 peer_id, u64 size)
{
	const struct st_event event = {
		.type = ST_EVENT_REGION_GRANTED,
		.id = r->id,
		.len = size,
		.token = r->token,
	};

	st_assert_locked(st);
	r->peer_id = peer_id;
	r->size = size;
	r->granted = true;
	/* The entry is reserved, so this cannot fail */
	xa_store(&st->mem->by_id, r->id, r, GFP_ATOMIC);
	st_queue_available(st, r);
	st_mem_tell(st, ST_REGION_EV_STATE, &event);
}

/**
 * st_region_refuse - refuse a request for the application
 * @st: the Virtual Connection
 * @peer_id: its I-id
 *
 * Return: 0 or -ENOENT.
 */
int st_region_refuse(struct st_sock *st, u32 peer_id)
{
	struct st_asked *asked = st->mem ? st_asked_find(st->mem, peer_id) : NULL;

	st_assert_locked(st);
	if (!asked)
		return -ENOENT;
	st_asked_free(st->mem, asked);
	st_answered(st->mem, peer_id);
	st_queue_request_answer(st, peer_id, 0, ST_F_REJECT);
	return 0;
}

/* Answer a repeated request, ST 10.3.  Return: false for a new one. */
static bool st_asked_again(struct st_sock *st, u32 peer_id)
{
	const struct st_region *r;

	if (st_was_answered(st->mem, peer_id)) {
		st_queue_request_answer(st, peer_id, 0, ST_F_REJECT);
		return true;
	}
	if (st_asked_find(st->mem, peer_id)) {
		st_queue_request_answer(st, peer_id, 0, 0);
		return true;
	}
	list_for_each_entry(r, &st->mem->regions, list) {
		if (!r->granted || r->peer_id != peer_id)
			continue;
		if (!r->ending)
			st_queue_available(st, r);
		return true;
	}
	return false;
}

/* Let the application decide.  Return: false when it does not want to, or without room. */
static bool st_ask(struct st_sock *st, u32 peer_id, u64 len)
{
	const struct st_event event = {
		.type = ST_EVENT_REGION_REQUEST,
		.id = peer_id,
		.len = len,
	};
	struct st_asked *asked;

	if (!(READ_ONCE(st->opts.region_events) & ST_REGION_EV_REQUEST) ||
	    st->slots.taken.asked >= ST_ASKED)
		return false;
	asked = st_peer_alloc(st, sizeof(*asked));
	if (!asked)
		return false;
	if (st_event_queue(st, &event)) {
		st_peer_free(st, asked, sizeof(*asked));
		return false;
	}
	asked->peer_id = peer_id;
	asked->len = len;
	list_add_tail(&asked->list, &st->mem->asked);
	st->slots.taken.asked++;
	st_queue_request_answer(st, peer_id, 0, 0);
	return true;
}

/**
 * st_rcv_request_memory_region - receive a Request_Memory_Region, ST 6.1.4.1
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq.
 */
void st_rcv_request_memory_region(struct st_sock *st, const struct st_op *op)
{
	u64 len = st_op_t_len(op);
	struct st_region *r;

	st_assert_locked(st);
	/* Without memory the peer repeats the request after its Op_timeout */
	if (st_mem_prepare(st))
		return;
	if (st_asked_again(st, op->s_id))
		return;
	/* ST 10.7.3, 6.2.1 */
	if (!len || op->s_id == ST_ID_NONE ||
	    !st_link_max_stu(st->paths.main->link, op->flags & ST_F_CHANNEL))
		goto reject;
	list_for_each_entry(r, &st->mem->regions, list) {
		if (!r->granted && r->access && len <= r->len) {
			st_region_grant(st, r, op->s_id, len);
			return;
		}
	}
	if (st_ask(st, op->s_id, len))
		return;
reject:
	atomic64_inc(&st_net_of(st)->drops[ST_DROP_REGION]);
	st_answered(st->mem, op->s_id);
	st_queue_request_answer(st, op->s_id, 0, ST_F_REJECT);
}
