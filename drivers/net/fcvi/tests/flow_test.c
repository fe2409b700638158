// SPDX-License-Identifier: GPL-2.0
/*
 * Messages of all kinds, both ways at once, from send queues to receive queues: each reliability
 * level keeps its promise, VI-ARCH 2.5 table 1, whatever the network does.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/skbuff.h>

#include "disconnect.h"
#include "flow.h"
#include "rx.h"
#include "rx_state.h"
#include "sched.h"

#define FLOW_RUNS	60

/* What is under test: level, order, and how many of a hundred frames are lost or doubled */
struct flow_case {
	const char	*name;
	u8		level;
	bool		ordered;
	u8		loss;
	u8		twice;
};

static const struct flow_case flow_cases[] = {
	{ "UD", FCVI_UD, true, 0, 0 },
	{ "RD", FCVI_RD, true, 0, 0 },
	{ "RR", FCVI_RR, true, 0, 0 },
	{ "UD any order", FCVI_UD, false, 0, 10 },
	{ "RD any order", FCVI_RD, false, 0, 10 },
	{ "RR any order", FCVI_RR, false, 0, 10 },
	{ "UD loss", FCVI_UD, true, 3, 0 },
	{ "RD loss", FCVI_RD, true, 3, 0 },
	{ "RR loss", FCVI_RR, true, 3, 0 },
	{ "UD any order loss", FCVI_UD, false, 3, 10 },
	{ "RD any order loss", FCVI_RD, false, 3, 10 },
	{ "RR any order loss", FCVI_RR, false, 3, 10 },
};

KUNIT_ARRAY_PARAM_DESC(flow, flow_cases, name);

static struct flow_desc *flow_desc(struct fcvi_desc *desc)
{
	return container_of(desc, struct flow_desc, desc);
}

static void flow_tell(struct fcvi_vi *vi, enum fcvi_news news)
{
}

static void flow_async(struct fcvi_vi *vi, enum fcvi_async what)
{
}

static struct sk_buff *flow_fill(struct fcvi_vi *vi, struct fcvi_desc *desc, u32 offset, u32 len)
{
	struct sk_buff *skb = alloc_skb(FCVI_HEADROOM + len + FCVI_TAILROOM, GFP_ATOMIC);
	struct flow_end *end = vi->priv;
	u32 i;

	if (!skb)
		return ERR_PTR(-ENOMEM);
	skb_reserve(skb, FCVI_HEADROOM);
	for (i = offset; i < offset + len; i++)
		skb_put_u8(skb, flow_byte(end, flow_desc(desc)->nr, i));
	return skb;
}

static int flow_data(struct fcvi_vi *vi, struct fcvi_desc *desc, u32 offset, struct sk_buff *skb)
{
	struct flow_desc *d = flow_desc(desc);
	struct flow_end *end = vi->priv;

	KUNIT_EXPECT_TRUE(end->flow->test, d->posted);
	KUNIT_EXPECT_LE(end->flow->test, offset + skb->len, FLOW_MAX);
	if (offset + skb->len <= FLOW_MAX)
		skb_copy_bits(skb, 0, d->buf + offset, skb->len);
	consume_skb(skb);
	return 0;
}

static void flow_check(struct flow_end *from, unsigned int nr, const u8 *buf, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		if (buf[i] != flow_byte(from, nr, i))
			break;
	KUNIT_EXPECT_EQ_MSG(from->flow->test, i, len, "Message %u", nr);
}

static u8 *flow_slot(struct flow_end *end, unsigned int nr)
{
	return (u8 *)page_address(end->page) + nr % FLOW_SLOTS * FLOW_MAX;
}

/* Those of Reads are in the second half of the page */
static u8 *flow_source(struct flow_end *end)
{
	return (u8 *)page_address(end->page) + PAGE_SIZE / 2;
}

static bool flow_takes(const struct flow_desc *d)
{
	return d->desc.op == FCVI_OP_SEND || (d->desc.op == FCVI_OP_WRITE &&
					      d->desc.flags & FCVI_DESC_IMM);
}

/* Immediate Data have the number of the Message */
static void flow_received(struct flow_end *end, struct flow_desc *d)
{
	struct flow *f = end->flow;
	const struct flow_desc *s;

	if (d->desc.error) {
		if (!f->lost)
			KUNIT_EXPECT_EQ(f->test, d->desc.error, FCVI_ERR_FLUSHED);
		return;
	}
	KUNIT_EXPECT_TRUE(f->test, d->desc.flags & FCVI_DESC_IMM);
	if (f->level == FCVI_UD) {
		/* At most once: nothing comes with a number that was seen */
		s = end->far->sends + d->desc.imm;
		KUNIT_EXPECT_FALSE(f->test, test_and_set_bit(d->desc.imm, end->seen));
	} else {
		/* Exactly once, in order */
		while (end->next < end->far->nr_sends &&
		       !flow_takes(end->far->sends + end->next))
			end->next++;
		KUNIT_EXPECT_EQ(f->test, d->desc.imm, end->next);
		s = end->far->sends + end->next++;
	}
	KUNIT_EXPECT_EQ(f->test, d->desc.len, s->len);
	if (d->desc.flags & FCVI_DESC_BY_WRITE) {
		KUNIT_EXPECT_EQ(f->test, s->desc.op, FCVI_OP_WRITE);
		if (f->level != FCVI_UD)
			flow_check(end->far, s->nr, flow_slot(end, s->nr), s->len);
	} else {
		KUNIT_EXPECT_EQ(f->test, s->desc.op, FCVI_OP_SEND);
		flow_check(end->far, s->nr, d->buf, s->len);
	}
}

static void flow_sent(struct flow_end *end, struct flow_desc *d)
{
	struct flow *f = end->flow;

	if (d->desc.error) {
		if (!f->lost)
			KUNIT_EXPECT_EQ(f->test, d->desc.error, FCVI_ERR_FLUSHED);
		return;
	}
	/* Nothing after one that has failed is good */
	if (f->level == FCVI_RR)
		KUNIT_EXPECT_EQ(f->test, end->good, d->nr);
	end->good++;
	if (d->desc.op == FCVI_OP_READ) {
		KUNIT_EXPECT_EQ(f->test, memcmp(d->buf, flow_source(end->far), d->len), 0);
		f->reads++;
	} else if (f->level == FCVI_RR && d->desc.op == FCVI_OP_WRITE) {
		/* The data are in the memory of the other side, VI-ARCH 2.5.3 */
		flow_check(end, d->nr, flow_slot(end->far, d->nr), d->len);
	}
}

static void flow_complete(struct fcvi_vi *vi, struct fcvi_desc *desc)
{
	struct flow_desc *d = flow_desc(desc);
	struct flow_end *end = vi->priv;
	bool recv = d >= end->recvs && d < end->recvs + FLOW_DESCS;

	KUNIT_EXPECT_TRUE(end->flow->test, d->posted);
	d->posted = false;
	if (recv) {
		KUNIT_EXPECT_PTR_EQ(end->flow->test, d, end->recvs + end->received);
		end->received++;
		flow_received(end, d);
	} else {
		KUNIT_EXPECT_PTR_EQ(end->flow->test, d, end->sends + end->sent);
		end->sent++;
		flow_sent(end, d);
	}
}

static const struct fcvi_user_ops flow_user = {
	.tell		= flow_tell,
	.async		= flow_async,
	.fill		= flow_fill,
	.data		= flow_data,
	.complete	= flow_complete,
};

static void flow_post(struct flow *f, struct flow_end *end)
{
	u8 op = flow_below(f, f->level == FCVI_UD ? 2 : 3);
	struct flow_desc *d = end->sends + end->nr_sends;
	bool imm = op == FCVI_OP_SEND || flow_below(f, 2);

	if (end->nr_sends == FLOW_DESCS)
		return;
	d->nr = end->nr_sends++;
	d->len = flow_below(f, FLOW_MAX + 1);
	d->posted = true;
	d->desc = (struct fcvi_desc) {
		.op = op, .len = d->len, .imm = d->nr,
		.rmt_handle = end->far->region.handle,
		.rmt_va = FLOW_VA + (op == FCVI_OP_READ ? PAGE_SIZE / 2 :
							  d->nr % FLOW_SLOTS * FLOW_MAX),
		.flags = (imm && op != FCVI_OP_READ ? FCVI_DESC_IMM : 0) |
			 (flow_below(f, 20) ? 0 : FCVI_DESC_FENCE),
	};
	KUNIT_EXPECT_EQ(f->test, fcvi_post_send(end->p->vi, &d->desc), 0);
}

static void flow_post_recvs(struct flow_end *end)
{
	struct flow_desc *d;

	for (d = end->recvs; d < end->recvs + FLOW_DESCS; d++) {
		d->desc = (struct fcvi_desc) { .op = FCVI_OP_RECV, .len = FLOW_MAX };
		d->posted = true;
		end->nr_recvs++;
		KUNIT_EXPECT_EQ(end->flow->test, fcvi_post_recv(end->p->vi, &d->desc), 0);
	}
	get_random_bytes(flow_source(end), FLOW_MAX);
}

static void flow_pass(struct flow *f, unsigned int ms)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		spin_lock_bh(&f->ends[i].p->port.lock);
		test_pass(f->ends[i].p, ms);
		fcvi_sched_run(&f->ends[i].p->port);
		spin_unlock_bh(&f->ends[i].p->port.lock);
	}
}

static void flow_network(struct flow *f, const struct flow_case *c)
{
	unsigned int i = flow_pick(f);

	if (flow_below(f, 100) < c->loss)
		flow_lose(f, i);
	else if (flow_below(f, 100) < c->twice)
		flow_double(f, i);
	else
		flow_deliver(f, i);
}

static void flow_drain(struct flow *f, const struct flow_case *c)
{
	unsigned int quiet = 0;

	/* What waits for a pause of the scheduler is behind nothing else */
	while (quiet < 3) {
		quiet = f->nr_flights ? 0 : quiet + 1;
		while (f->nr_flights)
			flow_network(f, c);
		flow_pass(f, FCVI_SCHED_PAUSE);
	}
}

/* An end that is in Error tells the other one */
static void flow_disconnect(struct flow *f)
{
	struct flow_end *end;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		end = f->ends + i;
		if (end->p->vi[0].state != FCVI_CONNECTED ||
		    end->far->p->vi[0].state == FCVI_CONNECTED)
			continue;
		spin_lock_bh(&end->p->port.lock);
		test_disc(end->p, end->p->vi[0].handle->value, 0, 0);
		spin_unlock_bh(&end->p->port.lock);
	}
}

static void flow_judge(struct flow *f, const struct flow_case *c)
{
	struct flow_end *end;

	for (end = f->ends; end < f->ends + 2; end++) {
		if (!f->lost || end->p->vi[0].state == FCVI_CONNECTED) {
			KUNIT_EXPECT_EQ(f->test, end->p->vi[0].state, FCVI_CONNECTED);
			KUNIT_EXPECT_EQ(f->test, end->sent, end->nr_sends);
			KUNIT_EXPECT_EQ(f->test, end->good, end->nr_sends);
		} else {
			KUNIT_EXPECT_NE(f->test, c->level, FCVI_UD);
			KUNIT_EXPECT_EQ(f->test, end->sent, end->nr_sends);
			KUNIT_EXPECT_EQ(f->test, end->received, end->nr_recvs);
		}
	}
}

static void flow_run(struct kunit *test, struct flow *f, const struct flow_case *c)
{
	struct rnd_state rnd = f->rnd;
	struct flow_end *end;
	unsigned int i;

	memset(f, 0, sizeof(*f));
	f->test = test;
	f->rnd = rnd;
	f->level = c->level;
	f->ordered = c->ordered;
	flow_connect(f, &flow_user);
	for (i = 0; i < 2; i++) {
		end = f->ends + i;
		spin_lock_bh(&end->p->port.lock);
		flow_post_recvs(end);
		spin_unlock_bh(&end->p->port.lock);
	}
	for (i = 0; i < 400; i++) {
		end = f->ends + flow_below(f, 2);
		spin_lock_bh(&end->p->port.lock);
		if (flow_below(f, 4) == 0)
			flow_post(f, end);
		fcvi_sched_run(&end->p->port);
		spin_unlock_bh(&end->p->port.lock);
		if (f->nr_flights)
			flow_network(f, c);
	}
	flow_drain(f, c);
	if (f->lost) {
		flow_starve(f);
		flow_pass(f, 2 * TEST_TOV);
		flow_drain(f, c);
		flow_disconnect(f);
	}
	flow_judge(f, c);
	flow_end(f);
	kunit_kfree(test, f->ends[0].p);
	kunit_kfree(test, f->ends[1].p);
}

static void fcvi_flow(struct kunit *test)
{
	const struct flow_case *c = test->param_value;
	unsigned int i, reads = 0, lost = 0;
	struct flow *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	test_seed(test, &f->rnd);
	for (i = 0; i < FLOW_RUNS; i++) {
		flow_run(test, f, c);
		reads += f->reads;
		lost += f->lost;
	}
	KUNIT_EXPECT_EQ(test, !reads, c->level == FCVI_UD);
	KUNIT_EXPECT_EQ(test, !lost, !c->loss);
}

static struct kunit_case fcvi_flow_cases[] = {
	KUNIT_CASE_PARAM(fcvi_flow, flow_gen_params),
	{}
};

static struct kunit_suite fcvi_flow_suite = {
	.name		= "fcvi_flow",
	.test_cases	= fcvi_flow_cases,
};

kunit_test_suites(&fcvi_flow_suite);
