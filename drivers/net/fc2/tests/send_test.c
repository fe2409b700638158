// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of Sequences that are sent: every field of the header.
 */
#include <linux/st_compat.h>

#include "exch.h"
#include "fake.h"
#include "vn.h"
#include "wire.h"

#define SEND_TYPE	0xe1

#define END	FC2_SEND_END_SEQ
#define LAST	(FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ)
#define GIVE	(FC2_SEND_END_SEQ | FC2_SEND_INITIATIVE)
#define OFFSET	FC2_SEND_OFFSET

static void send_frame(struct fc2_exch *exch, struct sk_buff *skb)
{
	kfree_skb(skb);
}

static void send_end(struct fc2_exch *exch, int err)
{
}

static const struct fc2_exch_ops send_ops = {
	.frame	= send_frame,
	.end	= send_end,
};

static const struct fc2_prov send_prov = {
	.type	= SEND_TYPE,
};

static struct fc2_rport *send_peer(struct kunit *test)
{
	struct fc2_rport *rport = wire_rport(test, vn_port(test, FC2_STATE_UP), WIRE_PEER);

	fake_forget(rport->port->iface->dev);
	return rport;
}

static struct fc2_exch *send_exch(struct kunit *test, struct fc2_rport *rport)
{
	struct fc2_exch *exch = fc2_exch_open(rport, &send_prov, &send_ops, NULL, GFP_KERNEL);

	KUNIT_ASSERT_FALSE(test, IS_ERR(exch));
	return exch;
}

static struct wire_frame *send_sent(struct kunit *test, struct fc2_rport *rport)
{
	struct wire_frame *frame = kunit_kzalloc(test, sizeof(*frame), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, frame);
	KUNIT_ASSERT_TRUE(test, wire_sent(test, rport->port, frame));
	return frame;
}

/**
 * struct send_step - a frame that is sent, and what is expected in it
 * @send: what its sender decides
 * @len: bytes of its data field
 * @sof: SOF
 * @eof: EOF
 * @f_ctl: F_CTL
 * @seq: which of the SEQ_IDs that were seen
 */
struct send_step {
	struct fc2_send	send;
	unsigned int	len;
	u8		sof;
	u8		eof;
	u32		f_ctl;
	u8		seq;
};

/**
 * struct test_send - an Exchange
 * @name: what it is
 * @count: how many frames
 * @steps: the frames
 */
struct test_send {
	const char		*name;
	unsigned int		count;
	struct send_step	steps[6];
};

/* F_CTL as the specification of FC-VI has it, FC-VI 5.8; fill bytes in bits 1 and 0 */
static const struct test_send test_sends[] = {
	{ "one frame, no answer", 1, {
		{ { 0x01, 0, 0x02, LAST | OFFSET, 0 }, 40, 0x2e, 0x42, 0x380008, 0 } } },
	{ "one frame, answer", 1, {
		{ { 0x02, 0, 0x02, GIVE, 0 }, 32, 0x2e, 0x42, 0x290000, 0 } } },
	{ "no data", 1, {
		{ { 0x06, 0, 0, GIVE, 0 }, 0, 0x2e, 0x42, 0x290000, 0 } } },
	{ "fill bytes", 3, {
		{ { 0x01, 0, 0x02, END | OFFSET, 0 }, 33, 0x2e, 0x42, 0x28000b, 0 },
		{ { 0x01, 0, 0x02, END | OFFSET, 1 }, 34, 0x2e, 0x42, 0x08000a, 1 },
		{ { 0x01, 0, 0x02, LAST | OFFSET, 3 }, 35, 0x2e, 0x42, 0x180009, 2 } } },
	{ "three frames", 3, {
		{ { 0x01, 0, 0x02, OFFSET, 0 }, 2112, 0x2e, 0x41, 0x200008, 0 },
		{ { 0x01, 0, 0x02, OFFSET, 2080 }, 2112, 0x36, 0x41, 0x200008, 0 },
		{ { 0x01, 0, 0x02, LAST | OFFSET, 4160 }, 36, 0x36, 0x42, 0x380008, 0 } } },
	{ "two Sequences, streamed", 4, {
		{ { 0x01, 0x80, 0x02, OFFSET, 0 }, 100, 0x2e, 0x41, 0x200008, 0 },
		{ { 0x01, 0x80, 0x02, END | OFFSET, 68 }, 100, 0x36, 0x42, 0x280008, 0 },
		{ { 0x01, 0x80, 0x02, OFFSET, 136 }, 100, 0x2e, 0x41, 0x000008, 1 },
		{ { 0x01, 0x80, 0x02, GIVE | OFFSET, 204 }, 100, 0x36, 0x42, 0x090008, 1 } } },
	{ "LS and SI of a frame that does not end its Sequence", 2, {
		{ { 0x01, 0, 0, FC2_SEND_LAST_SEQ | FC2_SEND_INITIATIVE, 0 }, 8, 0x2e, 0x41,
		  0x200000, 0 },
		{ { 0x01, 0, 0, LAST, 0xffffffff }, 8, 0x36, 0x42, 0x380000, 0 } } },
};

KUNIT_ARRAY_PARAM_DESC(test_send, test_sends, name);

static void fc2_send_fields(struct kunit *test)
{
	const struct test_send *t = test->param_value;
	struct fc2_rport *rport = send_peer(test);
	struct fc2_exch *exch = send_exch(test, rport);
	u8 seq_ids[ARRAY_SIZE(t->steps)];
	unsigned int i;

	for (i = 0; i < t->count; i++) {
		const struct send_step *step = &t->steps[i];
		struct wire_frame *frame, *want;
		struct sk_buff *skb;

		skb = wire_skb(test, step->len);
		KUNIT_ASSERT_EQ(test, fc2_exch_send(exch, skb, &step->send), 0);
		frame = send_sent(test, rport);
		if (!i || step->seq != t->steps[i - 1].seq)
			seq_ids[step->seq] = frame->seq_id;
		want = wire_frame(test, SEND_TYPE, step->f_ctl);
		want->sof = step->sof;
		want->eof = step->eof;
		want->r_ctl = step->send.r_ctl;
		want->d_id = WIRE_PEER;
		want->cs_ctl = step->send.cs_ctl;
		want->s_id = WIRE_ID;
		want->seq_id = seq_ids[step->seq];
		want->df_ctl = step->send.df_ctl;
		want->cnt = i;
		want->ox_id = exch->ox_id;
		want->param = step->send.param;
		want->len = step->len;
		wire_pattern(want->data, want->len);
		KUNIT_EXPECT_MEMEQ_MSG(test, frame, want, sizeof(*want), "frame %u", i);
	}
	KUNIT_EXPECT_LT(test, exch->ox_id, 0xff00);
	fc2_exch_close(exch);
}

/* The SEQ_ID of the one Sequence is not that of the one before */
static void fc2_send_seq_id(struct kunit *test)
{
	static const struct fc2_send send = { .r_ctl = 0x01, .flags = END };
	struct fc2_rport *rport = send_peer(test);
	struct fc2_exch *exch = send_exch(test, rport);
	unsigned int i, last = 256;

	for (i = 0; i < 600; i++) {
		struct wire_frame *frame;

		KUNIT_ASSERT_EQ(test, fc2_exch_send(exch, wire_skb(test, 4), &send), 0);
		frame = send_sent(test, rport);
		KUNIT_ASSERT_NE(test, frame->seq_id, last);
		KUNIT_ASSERT_NE(test, frame->seq_id, FC2_SEQ_ID_ELS);
		KUNIT_ASSERT_EQ(test, frame->cnt, i);
		last = frame->seq_id;
		kunit_kfree(test, frame);
	}
	fc2_exch_close(exch);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(rport->seq_ids, 256));
}

/* FC-VI 4.1: no more than 255 Sequences between two ports at a time */
static void fc2_send_seq_ids(struct kunit *test)
{
	static const struct fc2_send open = { .r_ctl = 0x01 };
	struct fc2_rport *rport = send_peer(test);
	struct fc2_exch **exchs = kunit_kcalloc(test, 256, sizeof(*exchs), GFP_KERNEL);
	DECLARE_BITMAP(seen, 256) = {};
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, exchs);
	for (i = 0; i < 256; i++) {
		struct wire_frame *frame;
		int err;

		exchs[i] = send_exch(test, rport);
		err = fc2_exch_send(exchs[i], wire_skb(test, 4), &open);
		KUNIT_ASSERT_EQ_MSG(test, err, i < 255 ? 0 : -EAGAIN, "Sequence %u", i);
		if (err)
			continue;
		frame = send_sent(test, rport);
		KUNIT_ASSERT_FALSE(test, test_and_set_bit(frame->seq_id, seen));
		kunit_kfree(test, frame);
	}
	KUNIT_EXPECT_EQ(test, fc2_stat_read(rport->port, FC2_STAT_TX_DROPPED), 1);
	/* One that is given up makes room */
	fc2_exch_close(exchs[100]);
	KUNIT_EXPECT_EQ(test, fc2_exch_send(exchs[255], wire_skb(test, 4), &open), 0);
	for (i = 0; i < 256; i++)
		if (i != 100)
			fc2_exch_close(exchs[i]);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(rport->seq_ids, 256));
}

/* SEQ_CNT wraps; the SOF tells the first frame of a Sequence, not SEQ_CNT 0 */
static void fc2_send_wrap(struct kunit *test)
{
	static const struct fc2_send more = { .r_ctl = 0x01 };
	struct fc2_rport *rport = send_peer(test);
	struct fc2_exch *exch = send_exch(test, rport);
	struct wire_frame *frame;
	unsigned int i;

	for (i = 0; i < 65536 + 2; i++) {
		if (i == 3) {
			i = 65534;
			exch->tx.cnt = i;
		}
		KUNIT_ASSERT_EQ(test, fc2_exch_send(exch, wire_skb(test, 4), &more), 0);
		frame = send_sent(test, rport);
		KUNIT_EXPECT_EQ(test, frame->cnt, i & 0xffff);
		KUNIT_EXPECT_EQ(test, frame->sof, i ? 0x36 : 0x2e);
		KUNIT_EXPECT_EQ(test, frame->f_ctl, 0x200000);
	}
	rcu_read_lock();
	KUNIT_EXPECT_TRUE(test, fc2_exch_close(exch));
	KUNIT_EXPECT_FALSE(test, fc2_exch_close(exch));
	KUNIT_EXPECT_FALSE(test, fc2_exch_abort(exch));
	rcu_read_unlock();
}

static void send_alone_check(struct kunit *test, struct fc2_rport *rport, unsigned int len,
			     unsigned int nonlinear)
{
	static const struct fc2_send send = { .r_ctl = 0x04, .df_ctl = 0x20 };
	unsigned int at, n = DIV_ROUND_UP(len, rport->mfs) ?: 1, i;
	u8 *want = kunit_kzalloc(test, len + 1, GFP_KERNEL);
	struct sk_buff *skb = wire_skb(test, nonlinear ? len - nonlinear : len);
	struct wire_frame *frame, *first = NULL;

	KUNIT_ASSERT_NOT_NULL(test, want);
	wire_pattern(want, len);
	for (at = len - nonlinear; at < len; at += i) {
		struct page *page = alloc_page(GFP_KERNEL);

		KUNIT_ASSERT_NOT_NULL(test, page);
		i = min(len - at, PAGE_SIZE);
		memcpy(page_address(page), want + at, i);
		skb_add_rx_frag(skb, skb_shinfo(skb)->nr_frags, page, 0, i, PAGE_SIZE);
	}
	KUNIT_ASSERT_EQ(test, fc2_send_alone(rport, &send_prov, skb, &send), 0);
	for (i = 0, at = 0; i < n; i++) {
		bool end = i == n - 1;

		frame = send_sent(test, rport);
		if (!i)
			first = frame;
		KUNIT_EXPECT_EQ(test, frame->sof, i ? 0x36 : 0x2e);
		KUNIT_EXPECT_EQ(test, frame->eof, end ? 0x42 : 0x41);
		KUNIT_EXPECT_EQ(test, frame->r_ctl, 0x04);
		KUNIT_EXPECT_EQ(test, frame->d_id, WIRE_PEER);
		KUNIT_EXPECT_EQ(test, frame->s_id, WIRE_ID);
		KUNIT_EXPECT_EQ(test, frame->cs_ctl, 0);
		KUNIT_EXPECT_EQ(test, frame->type, SEND_TYPE);
		KUNIT_EXPECT_EQ(test, frame->f_ctl,
				(end ? 0x380000 : 0x200000) | (-frame->len & 3));
		KUNIT_EXPECT_EQ(test, frame->seq_id, first->seq_id);
		KUNIT_EXPECT_EQ(test, frame->df_ctl, i ? 0 : 0x20);
		KUNIT_EXPECT_EQ(test, frame->cnt, i);
		KUNIT_EXPECT_EQ(test, frame->ox_id, first->ox_id);
		KUNIT_EXPECT_EQ(test, frame->rx_id, 0xffff);
		KUNIT_EXPECT_EQ(test, frame->param, 0);
		KUNIT_ASSERT_EQ(test, frame->len, end ? len - at : rport->mfs);
		KUNIT_EXPECT_MEMEQ(test, frame->data, want + at, frame->len);
		at += frame->len;
	}
	KUNIT_EXPECT_EQ(test, wire_count(rport->port), 0);
	KUNIT_EXPECT_LT(test, first->ox_id, 0xff00);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(rport->seq_ids, 256));
}

/* Around the sizes at which there is one frame more; without, and with, pages */
static void fc2_send_alone_sizes(struct kunit *test)
{
	static const unsigned int sizes[] = { 1, 64, 255, 256, 257, 512, 1000, 5000 };
	struct fc2_rport *rport = send_peer(test);
	unsigned int i;

	rport->mfs = 256;
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		send_alone_check(test, rport, sizes[i], 0);
		if (sizes[i] > 200)
			send_alone_check(test, rport, sizes[i], sizes[i] - 64);
	}
	rport->mfs = 2112;
	send_alone_check(test, rport, 2112, 2048);
	send_alone_check(test, rport, 40000, 39900);
}

/* A single frame may tell its Relative Offset */
static void fc2_send_alone_offset(struct kunit *test)
{
	static const struct fc2_send send = {
		.r_ctl = 0x01, .df_ctl = 0x02, .flags = FC2_SEND_OFFSET, .param = 0x1234,
	};
	struct fc2_rport *rport = send_peer(test);
	struct wire_frame *frame;

	KUNIT_ASSERT_EQ(test, fc2_send_alone(rport, &send_prov, wire_skb(test, 40), &send), 0);
	frame = send_sent(test, rport);
	KUNIT_EXPECT_EQ(test, frame->f_ctl, 0x380008);
	KUNIT_EXPECT_EQ(test, frame->param, 0x1234);
	KUNIT_EXPECT_EQ(test, wire_count(rport->port), 0);
}

/* After a logout nothing is sent */
static void fc2_send_logout(struct kunit *test)
{
	static const struct fc2_send send = { .r_ctl = 0x04, .flags = LAST };
	struct fc2_rport *rport = send_peer(test);
	struct fc2_exch *exch = send_exch(test, rport);

	rcu_read_lock();	/* keeps @exch */
	wire_logout(rport);
	KUNIT_EXPECT_EQ(test, fc2_exch_send(exch, alloc_skb(0, GFP_ATOMIC), &send), -ENOTCONN);
	rcu_read_unlock();
	KUNIT_EXPECT_EQ(test, fc2_send_alone(rport, &send_prov, wire_skb(test, 4), &send),
			-ENOTCONN);
	KUNIT_EXPECT_EQ(test, PTR_ERR(fc2_exch_open(rport, &send_prov, &send_ops, NULL,
						    GFP_KERNEL)), -ENOTCONN);
	KUNIT_EXPECT_EQ(test, wire_count(rport->port), 0);
}

static struct kunit_case fc2_send_cases[] = {
	KUNIT_CASE_PARAM(fc2_send_fields, test_send_gen_params),
	KUNIT_CASE(fc2_send_seq_id),
	KUNIT_CASE(fc2_send_seq_ids),
	KUNIT_CASE(fc2_send_wrap),
	KUNIT_CASE(fc2_send_alone_sizes),
	KUNIT_CASE(fc2_send_alone_offset),
	KUNIT_CASE(fc2_send_logout),
	{}
};

static struct kunit_suite fc2_send_suite = {
	.name		= "fc2_send",
	.test_cases	= fc2_send_cases,
};

kunit_test_suites(&fc2_send_suite);
