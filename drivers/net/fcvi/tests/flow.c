// SPDX-License-Identifier: GPL-2.0
/*
 * Two connected endpoints, and a network between their ports.
 */
#include <linux/mm.h>
#include <linux/skbuff.h>

#include "connect.h"
#include "flow.h"
#include "port.h"
#include "rx.h"
#include "tx.h"

/**
 * flow_below - a random number
 * @f: both endpoints
 * @n: what it is less than
 *
 * Return: the number.
 */
u32 flow_below(struct flow *f, u32 n)
{
	return prandom_u32_state(&f->rnd) % n;
}

/**
 * flow_byte - what a Message has at some place
 * @end: its sender
 * @nr: its number
 * @offset: the place
 *
 * Return: the byte.
 */
u8 flow_byte(const struct flow_end *end, unsigned int nr, u32 offset)
{
	return nr * 31 + offset + (end == end->flow->ends ? 0 : 128);
}

static struct flow_end *flow_of(struct fcvi_port *port)
{
	return container_of(port, struct test_port, port)->vi[0].priv;
}

static struct flow_mx *flow_mx(struct fcvi_mx *mx)
{
	return container_of(mx, struct flow_mx, mx);
}

static struct flow_mx *flow_mx_new(struct flow_end *end)
{
	struct flow *f = end->flow;
	struct flow_mx *m = f->mxs + f->nr_mxs++;

	KUNIT_ASSERT_LE(f->test, f->nr_mxs, FLOW_MXS);
	*m = (struct flow_mx) {
		.mx = { .port = &end->p->port, .rport = &end->p->rport }, .end = end, .open = true,
	};
	return m;
}

static struct fcvi_mx *flow_open(struct fcvi_port *port, struct fc2_rport *rport)
{
	struct flow_mx *m = flow_mx_new(flow_of(port));

	m->own = true;
	return &m->mx;
}

static unsigned int flow_room(struct fcvi_port *port, const struct fc2_rport *rport)
{
	return FLOW_ROOM;
}

static bool flow_send(struct flow_end *end, const struct flow_flight *flight)
{
	struct flow *f = end->flow;

	if (f->nr_flights == FLOW_FLIGHTS)
		return false;
	f->flights[f->nr_flights] = *flight;
	f->flights[f->nr_flights++].to = end->far;
	return true;
}

static int flow_frame(struct fcvi_mx *mx, const struct fcvi_iu *iu, u8 cs_ctl, u32 offset,
		      u8 flags, struct sk_buff *skb)
{
	struct flow_mx *m = flow_mx(mx);
	const struct flow_flight flight = {
		.from = m, .skb = skb, .iu = *iu, .offset = offset, .cnt = m->tx, .flags = flags,
	};

	KUNIT_EXPECT_TRUE(m->end->flow->test, m->open);
	if (!flow_send(m->end, &flight)) {
		kfree_skb(skb);
		return -EAGAIN;
	}
	m->tx++;
	if (flags & FC2_SEND_LAST_SEQ)
		m->open = false;
	return 0;
}

static int flow_alone(struct fcvi_port *port, struct fc2_rport *rport, const struct fcvi_iu *iu,
		      u8 cs_ctl, struct sk_buff *skb)
{
	const struct flow_flight flight = { .skb = skb, .iu = *iu };

	if (flow_send(flow_of(port), &flight))
		return 0;
	kfree_skb(skb);
	return -EAGAIN;
}

static void flow_close(struct fcvi_mx *mx)
{
	struct flow_mx *m = flow_mx(mx);

	KUNIT_EXPECT_TRUE(m->end->flow->test, m->open);
	m->open = false;
}

static void flow_abort(struct fcvi_mx *mx)
{
	const struct flow_flight flight = { .from = flow_mx(mx) };

	flow_close(mx);
	flow_send(flow_mx(mx)->end, &flight);
}

static bool flow_may_send(struct fcvi_port *port)
{
	return flow_of(port)->flow->nr_flights < FLOW_FLIGHTS / 2;
}

static void flow_later(struct fcvi_port *port)
{
}

static const struct fcvi_msg_transport flow_transport = {
	.open		= flow_open,
	.room		= flow_room,
	.frame		= flow_frame,
	.alone		= flow_alone,
	.abort		= flow_abort,
	.close		= flow_close,
	.may_send	= flow_may_send,
	.later		= flow_later,
};

static void flow_over(struct flow_mx *m, int err)
{
	m->open = false;
	m->mx.ops->end(&m->mx, err);
}

/* The side of an Exchange that gets a frame; it begins with the first one that comes */
static struct flow_mx *flow_meet(struct flow_end *end, const struct flow_flight *flight)
{
	struct flow_mx *m = flight->from->far;

	if (m || !flight->skb || !flight->from->own)
		return m && m->open ? m : NULL;
	if (end->flow->ordered && flight->cnt)
		return NULL;
	m = flow_mx_new(end);
	if (fcvi_rx_open(&m->mx, &flight->iu)) {
		m->open = false;
		return NULL;
	}
	m->far = flight->from;
	flight->from->far = m;
	return m;
}

/* What fc2 tells of a frame.  Return: whether it is to be taken */
static bool flow_sequence(struct flow_mx *m, const struct flow_flight *flight, u8 *flags)
{
	*flags = 0;
	if (m->end->flow->ordered) {
		if (flight->cnt != m->rx) {
			flow_over(m, -EILSEQ);
			return false;
		}
		m->rx++;
		*flags = flight->flags;
		if (flight->flags)
			m->total = m->rx;
		return true;
	}
	if (m->seen & BIT(flight->cnt))
		return false;
	m->seen |= BIT(flight->cnt);
	m->rx++;
	if (flight->flags) {
		m->last = flight->flags;
		m->total = flight->cnt + 1;
	}
	if (m->total && m->rx == m->total)
		*flags = m->last;
	return true;
}

static void flow_arrive(struct flow_end *end, struct flow_flight *flight)
{
	struct flow_mx *m;
	u8 flags;

	if (!flight->from) {
		fcvi_rx_alone(&end->p->port, &end->p->rport, &flight->iu, flight->skb, 0);
		return;
	}
	m = flow_meet(end, flight);
	if (!m || (flight->skb && !flow_sequence(m, flight, &flags))) {
		kfree_skb(flight->skb);
		return;
	}
	if (!flight->skb) {
		flow_over(m, -ECONNABORTED);
		return;
	}
	m->mx.ops->frame(&m->mx, &flight->iu, flight->skb, flight->offset, flags);
	if (m->open && flags & FC2_SEND_LAST_SEQ)
		flow_over(m, 0);
}

static struct flow_flight flow_take(struct flow *f, unsigned int i)
{
	struct flow_flight flight = f->flights[i];

	f->nr_flights--;
	memmove(f->flights + i, f->flights + i + 1, (f->nr_flights - i) * sizeof(flight));
	return flight;
}

/**
 * flow_deliver - a frame arrives
 * @f: both endpoints
 * @i: its place
 */
void flow_deliver(struct flow *f, unsigned int i)
{
	struct flow_flight flight = flow_take(f, i);

	spin_lock_bh(&flight.to->p->port.lock);
	flow_arrive(flight.to, &flight);
	spin_unlock_bh(&flight.to->p->port.lock);
}

/**
 * flow_lose - a frame is lost
 * @f: both endpoints
 * @i: its place
 */
void flow_lose(struct flow *f, unsigned int i)
{
	kfree_skb(flow_take(f, i).skb);
	f->lost++;
}

/**
 * flow_double - a frame comes twice
 * @f: both endpoints
 * @i: its place
 */
void flow_double(struct flow *f, unsigned int i)
{
	struct flow_flight *flight = f->flights + i;

	if (!flight->skb || f->nr_flights == FLOW_FLIGHTS)
		return;
	f->flights[f->nr_flights] = *flight;
	f->flights[f->nr_flights].skb = skb_copy(flight->skb, GFP_ATOMIC);
	KUNIT_ASSERT_NOT_NULL(f->test, f->flights[f->nr_flights].skb);
	f->nr_flights++;
}

/**
 * flow_pick - the frame that may be next
 * @f: both endpoints, frames are under way
 *
 * Return: its place; with order the oldest to one of the two.
 */
unsigned int flow_pick(struct flow *f)
{
	struct flow_end *to = f->ends + flow_below(f, 2);
	unsigned int i;

	if (!f->ordered)
		return flow_below(f, f->nr_flights);
	for (i = 0; i < f->nr_flights; i++)
		if (f->flights[i].to == to)
			return i;
	return 0;
}

/**
 * flow_starve - Exchanges of which frames are missing end, as they would in fc2
 * @f: both endpoints; no frames are under way
 */
void flow_starve(struct flow *f)
{
	struct flow_mx *m;

	for (m = f->mxs; m < f->mxs + f->nr_mxs; m++) {
		if (!m->open || !m->rx || (m->total && m->rx == m->total))
			continue;
		spin_lock_bh(&m->end->p->port.lock);
		flow_over(m, -EILSEQ);
		spin_unlock_bh(&m->end->p->port.lock);
	}
}

static void flow_end_new(struct flow *f, struct flow_end *end, const struct fcvi_user_ops *user)
{
	struct fcvi_vi *vi;

	end->flow = f;
	end->far = f->ends + (end == f->ends);
	end->tag = fcvi_tag_new(end);
	KUNIT_ASSERT_NOT_NULL(f->test, end->tag);
	end->page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	KUNIT_ASSERT_NOT_NULL(f->test, end->page);
	end->p = test_port(f->test);
	vi = end->p->vi;
	vi->ops = &fcvi_msg_vi_ops;
	vi->user = user;
	vi->priv = end;
	vi->tag = end->tag;
	vi->attrs.level = f->level;
	vi->attrs.rdma_write = true;
	vi->attrs.rdma_read = true;
	fcvi_tx_init(vi);
	fcvi_rx_init(vi);
	end->p->port.msgs = &flow_transport;
	end->p->port.ordered = f->ordered;
	end->region = (struct fcvi_region) {
		.tag = end->tag, .va = FLOW_VA, .len = PAGE_SIZE, .rdma_write = true,
		.rdma_read = true, .writable = true, .pages = &end->page,
	};
	spin_lock(&end->p->port.mem.lock);
	KUNIT_EXPECT_EQ(f->test, fcvi_region_add(&end->p->port.mem, &end->region), 0);
	spin_unlock(&end->p->port.mem.lock);
	KUNIT_EXPECT_EQ(f->test, test_connect(end->p, FCVI_CLIENT), 0);
	test_port_release(end->p);
}

/* Each end takes itself for the client, as it makes no difference to Messages */
static void flow_connected(struct flow_end *end)
{
	struct fcvi_vi *vi = end->p->vi;
	const struct fcvi_iu iu = {
		.opcode = FCVI_CONNECT_RESP1, .handle = FCVI_HANDLE_NONE,
		.connection_id = vi->last_id,
	};
	const struct fcvi_connect c = {
		.handle = end->far->p->vi[0].handle->value,
		.loc = test_there, .rem = test_here, .attrs = vi->attrs,
	};

	spin_lock_bh(&end->p->port.lock);
	fcvi_port_iu(&end->p->xs[0].x, &iu, &c);
	test_resp3(end->p, &end->p->xs[0].x, vi->last_id, FCVI_OK);
	KUNIT_EXPECT_EQ(end->flow->test, vi->state, FCVI_CONNECTED);
	spin_unlock_bh(&end->p->port.lock);
}

/**
 * flow_connect - make both endpoints
 * @f: level and order, zero else
 * @user: their user; the private part of an endpoint is its struct flow_end
 */
void flow_connect(struct flow *f, const struct fcvi_user_ops *user)
{
	flow_end_new(f, f->ends, user);
	flow_end_new(f, f->ends + 1, user);
	flow_connected(f->ends);
	flow_connected(f->ends + 1);
}

/**
 * flow_end - end both
 * @f: both
 */
void flow_end(struct flow *f)
{
	struct flow_end *end;
	struct fcvi_mem *mem;
	struct flow_mx *m;

	while (f->nr_flights)
		flow_lose(f, 0);
	for (end = f->ends; end < f->ends + 2; end++) {
		test_port_take(end->p);
		for (m = f->mxs; m < f->mxs + f->nr_mxs; m++)
			if (m->end == end && m->open)
				flow_over(m, -ENOTCONN);
		mem = &end->p->port.mem;
		spin_lock(&mem->lock);
		fcvi_region_remove(mem, &end->region);
		KUNIT_EXPECT_EQ(f->test, fcvi_tag_free(mem, end->tag), 0);
		spin_unlock(&mem->lock);
		test_port_end(end->p);
		KUNIT_EXPECT_EQ(f->test, end->p->vi[0].rx.held, 0);
		KUNIT_EXPECT_EQ(f->test, end->sent, end->nr_sends);
		KUNIT_EXPECT_EQ(f->test, end->received, end->nr_recvs);
		__free_page(end->page);
	}
}
