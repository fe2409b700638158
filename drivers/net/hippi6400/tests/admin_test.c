// SPDX-License-Identifier: GPL-2.0
/*
 * Admin micropackets: requests and answers between neighbours, and hostile input.
 */

#include <kunit/test.h>
#include <linux/errno.h>
#include <linux/string.h>

#include "link/seq.h"
#include "pair.h"

#define NOW	(10 * TEST_MS)

static const struct h64_identity device = {
	.ula = { 0x02, 0x64, 0, 0, 0, 0x01 },
	.port = 0,
	.element = H64_ELEMENT_END_DEVICE,
	.software = "test 1",
};

static const struct h64_identity switch_port = {
	.ula = { 0x02, 0x64, 0, 0, 0, 0x42 },
	.port = 7,
	.element = H64_ELEMENT_SWITCH,
	.software = "sixteen letters!",
};

/* An end that is up, takes part in Admin, and has credit on VC0 */
static struct test_end *test_element(struct kunit *test, u32 credits)
{
	struct test_end *end = test_end_alloc(test);
	unsigned int vc;

	h64_admin_identify(&end->link, &device);
	test_end_reach(test, end, H64_UP, NOW);
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		end->link.credit[vc].room = 0;
		end->link.credit[vc].out = 5000;
	}
	end->link.credit[H64_ADMIN_VC].avail = credits;
	return end;
}

static void test_give(struct test_end *end, const struct h64_admin_upkt *in, u64 now)
{
	u16 ecrc = H64_CRC_PRESET;
	struct h64_upkt upkt;

	test_upkt(&upkt, FIELD_PREP(H64_C_TYPE, H64_TYPE_ADMIN) | FIELD_PREP(H64_C_VC, 2) |
		  FIELD_PREP(H64_C_TSEQ, end->link.dst.expect) |
		  FIELD_PREP(H64_C_RSEQ, H64_SEQ_NONE), in, &ecrc);
	test_end_rx(end, &upkt, now);
}

/* Returns the next Admin micropacket that an end sent, and skips others before it */
static bool test_take(struct test_end *end, struct h64_admin_upkt *out, u64 *ctrl)
{
	const struct h64_tx_ring *ring = &end->link.ring;

	while (test_end_sent(end, ctrl)) {
		if (FIELD_GET(H64_C_TYPE, *ctrl) != H64_TYPE_ADMIN)
			continue;
		memcpy(out, ring->slot[(end->seen - 1) & (ring->size - 1)].data, sizeof(*out));
		return true;
	}
	return false;
}

static unsigned int test_taken(struct test_end *end)
{
	struct h64_admin_upkt out;
	unsigned int n = 0;
	u64 ctrl;

	while (test_take(end, &out, &ctrl))
		n++;
	return n;
}

/* Everything sent has arrived and is acknowledged */
static void test_acked(struct test_end *end)
{
	struct h64_source *src = &end->link.src;

	src->una = h64_seq_add(src->una, src->count);
	src->count = 0;
}

/* After the bring-up an end requests the identity once it has credit, in exactly these bytes */
static void test_request_bytes(struct kunit *test)
{
	static const u8 bytes[H64_UPKT_DATA] = { 1, 1, 0, 0, 0, 0, 0, 1 };
	struct test_end *end = test_element(test, 0);
	struct h64_admin_upkt out;
	u64 ctrl;

	h64_link_flush(&end->link, NOW);
	KUNIT_EXPECT_EQ(test, test_taken(end), 0);
	end->link.credit[H64_ADMIN_VC].avail = 3;
	h64_link_flush(&end->link, NOW);
	KUNIT_ASSERT_TRUE(test, test_take(end, &out, &ctrl));
	KUNIT_EXPECT_MEMEQ(test, (u8 *)&out, bytes, sizeof(bytes));
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_VC, ctrl), H64_ADMIN_VC);
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_TSEQ, ctrl), 0);
	KUNIT_EXPECT_EQ(test, ctrl & (H64_C_TAIL | H64_C_ERROR), 0);
	/* The ECRC covers its own 32 bytes */
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_ECRC, ctrl),
			h64_crc(H64_POLY_ECRC, H64_CRC_PRESET, bytes, sizeof(bytes)));
	KUNIT_EXPECT_EQ(test, end->link.credit[H64_ADMIN_VC].avail, 2);
	KUNIT_EXPECT_EQ(test, end->link.credit[H64_ADMIN_VC].tx_used, 1);
	KUNIT_EXPECT_EQ(test, end->link.stats.admin_tx, 1);
	KUNIT_EXPECT_EQ(test, test_taken(end), 0);
}

static void test_answer_bytes(struct kunit *test)
{
	static const u8 identity[H64_UPKT_DATA] = {
		1, 2, 0, 24, 0x12, 0x34, 0x56, 0x78, 0x02, 0x64, 0, 0, 0, 0x42, 7, 2,
		's', 'i', 'x', 't', 'e', 'e', 'n', ' ', 'l', 'e', 't', 't', 'e', 'r', 's', '!',
	};
	static const u8 loopback[H64_UPKT_DATA] = { 1, 4, 0, 3, 0xff, 0xff, 0xff, 0xff, 9, 8, 7 };
	const struct h64_admin_upkt ask = {
		.version = 1, .opcode = 1, .txn = cpu_to_be32(0x12345678), .body = { 1, 2, 3 },
	};
	const struct h64_admin_upkt loop = {
		.version = 1, .opcode = 3, .len = 3, .txn = cpu_to_be32(U32_MAX),
		.body = { 9, 8, 7, 6, 5 },
	};
	struct test_end *end = test_element(test, 10);
	struct h64_admin_upkt out;
	u64 ctrl;

	h64_admin_identify(&end->link, &switch_port);
	h64_link_flush(&end->link, NOW);
	test_taken(end);
	test_give(end, &ask, NOW);
	test_give(end, &loop, NOW);
	h64_link_flush(&end->link, NOW);
	KUNIT_ASSERT_TRUE(test, test_take(end, &out, &ctrl));
	KUNIT_EXPECT_MEMEQ(test, (u8 *)&out, identity, sizeof(identity));
	KUNIT_ASSERT_TRUE(test, test_take(end, &out, &ctrl));
	KUNIT_EXPECT_MEMEQ(test, (u8 *)&out, loopback, sizeof(loopback));
	KUNIT_EXPECT_EQ(test, test_taken(end), 0);
	KUNIT_EXPECT_EQ(test, end->link.stats.admin_rx, 2);
	KUNIT_EXPECT_EQ(test, end->link.credit[2].rx_used, 2);
	KUNIT_EXPECT_EQ(test, end->link.credit[2].room, 2);
}

static void test_expect_identity(struct kunit *test, const struct h64_link *link,
				 const struct h64_identity *expected)
{
	const struct h64_identity *is = h64_admin_neighbour(link);

	KUNIT_ASSERT_NOT_NULL(test, is);
	KUNIT_EXPECT_MEMEQ(test, is->ula, expected->ula, sizeof(is->ula));
	KUNIT_EXPECT_EQ(test, is->port, expected->port);
	KUNIT_EXPECT_EQ(test, is->element, expected->element);
	KUNIT_EXPECT_STREQ(test, is->software, expected->software);
}

static void test_exchange(struct kunit *test)
{
	struct test_pair *pair = test_pair_alloc(test);
	unsigned int i;

	h64_admin_identify(&pair->end[0].link, &device);
	h64_admin_identify(&pair->end[1].link, &switch_port);
	test_pair_bring_up(pair);
	test_pair_run(pair, 10);
	test_expect_identity(test, &pair->end[0].link, &switch_port);
	test_expect_identity(test, &pair->end[1].link, &device);
	/* Nothing else is sent */
	test_pair_run(pair, 10 * H64_ADMIN_TIMEOUT_MS);
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ(test, pair->end[i].link.stats.admin_rx, 2);
		KUNIT_EXPECT_EQ(test, pair->end[i].link.stats.admin_tx, 2);
		KUNIT_EXPECT_EQ(test, pair->end[i].link.stats.admin_timeouts, 0);
	}

	/* After another bring-up: requested again, and unknown until the answer */
	h64_link_restart(&pair->end[0].link, pair->now);
	KUNIT_EXPECT_NULL(test, h64_admin_neighbour(&pair->end[0].link));
	h64_admin_identify(&pair->end[1].link, &device);
	test_pair_bring_up(pair);
	KUNIT_EXPECT_NULL(test, h64_admin_neighbour(&pair->end[0].link));
	test_pair_run(pair, 10);
	test_expect_identity(test, &pair->end[0].link, &device);
}

/* During Messages, and losses that the link repairs */
static void test_exchange_lossy(struct kunit *test)
{
	struct test_pair *pair = test_pair_alloc(test);
	unsigned int i, vc;

	prandom_seed_state(&pair->rnd, test_seed(test));
	h64_admin_identify(&pair->end[0].link, &device);
	h64_admin_identify(&pair->end[1].link, &switch_port);
	pair->line.lose = 650;
	pair->line.damage = 650;
	test_pair_bring_up(pair);
	for (i = 0; i < 100; i++) {
		for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
			test_pair_send(pair, i % 2, vc, 1000);
		h64_admin_loopback(&pair->end[0].link, "loop", 4, pair->now);
		test_pair_run(pair, 3);
	}
	for (i = 0; i < 60000 && !test_pair_idle(pair); i++)
		test_pair_step(pair);
	KUNIT_EXPECT_TRUE(test, test_pair_idle(pair));
	test_expect_identity(test, &pair->end[0].link, &switch_port);
	test_expect_identity(test, &pair->end[1].link, &device);
	KUNIT_EXPECT_GT(test, pair->end[0].loops, 0);
	KUNIT_EXPECT_EQ(test, pair->end[0].loop_err, 0);
	KUNIT_EXPECT_EQ(test, pair->end[0].link.stats.admin_rx,
			pair->end[1].link.stats.admin_tx);
	KUNIT_EXPECT_EQ(test, pair->end[1].link.stats.admin_rx,
			pair->end[0].link.stats.admin_tx);
	KUNIT_EXPECT_EQ(test, pair->end[1].link.stats.ecrc_errors, 0);
}

/* Dropped micropackets and their counters */
static const struct {
	struct h64_admin_upkt in;
	size_t counter;
} dropped[] = {
#define DROPPED(c, v, o, h, l) \
	{ { .version = v, .opcode = o, .hops = h, .len = l }, \
	  offsetof(struct h64_link_stats, admin_##c) }
	DROPPED(unknown, 0, 1, 0, 0),
	DROPPED(unknown, 2, 1, 0, 0),
	DROPPED(unknown, 0xff, 3, 0, 0),
	DROPPED(unknown, 1, 0, 0, 0),
	DROPPED(unknown, 1, 5, 0, 0),
	DROPPED(unknown, 1, 0xff, 0, 0),
	DROPPED(hops, 1, 1, 1, 0),
	DROPPED(hops, 1, 2, 0xff, 24),
	DROPPED(hops, 1, 3, 1, 24),
	DROPPED(hops, 1, 4, 1, 24),
	DROPPED(length, 1, 1, 0, 1),
	DROPPED(length, 1, 2, 0, 23),
	DROPPED(length, 1, 2, 0, 0xff),
	DROPPED(length, 1, 3, 0, 25),
	DROPPED(length, 1, 4, 0, 25),
	DROPPED(unasked, 1, 2, 0, 24),
	DROPPED(unasked, 1, 4, 0, 24),
#undef DROPPED
};

static u64 test_counter(const struct test_end *end, size_t offset)
{
	return *(const u64 *)((const u8 *)&end->link.stats + offset);
}

static u64 test_sum_dropped(const struct test_end *end)
{
	const struct h64_link_stats *s = &end->link.stats;

	return s->admin_unknown + s->admin_hops + s->admin_length + s->admin_busy +
	       s->admin_unasked;
}

static void test_dropped(struct kunit *test)
{
	struct test_end *end = test_element(test, 100);
	unsigned int i;

	h64_link_flush(&end->link, NOW);
	test_taken(end);
	for (i = 0; i < ARRAY_SIZE(dropped); i++) {
		u64 before = test_counter(end, dropped[i].counter);

		test_give(end, &dropped[i].in, NOW);
		h64_link_flush(&end->link, NOW);
		KUNIT_EXPECT_EQ_MSG(test, test_counter(end, dropped[i].counter), before + 1,
				    "entry %u", i);
		KUNIT_EXPECT_EQ_MSG(test, test_sum_dropped(end), i + 1, "entry %u", i);
		KUNIT_EXPECT_EQ_MSG(test, test_taken(end), 0, "entry %u", i);
	}
	KUNIT_EXPECT_NULL(test, h64_admin_neighbour(&end->link));
	KUNIT_EXPECT_EQ(test, end->link.stats.admin_rx, i);
}

/* A micropacket with a wrong ECRC and one without credit are both ignored */
static void test_dropped_by_link(struct kunit *test)
{
	const struct h64_admin_upkt ask = { .version = 1, .opcode = 1 };
	struct test_end *end = test_element(test, 100);
	struct h64_upkt upkt;
	u16 ecrc = 0;

	h64_link_flush(&end->link, NOW);
	test_taken(end);
	test_upkt(&upkt, FIELD_PREP(H64_C_TYPE, H64_TYPE_ADMIN) |
		  FIELD_PREP(H64_C_RSEQ, H64_SEQ_NONE), &ask, &ecrc);
	test_end_rx(end, &upkt, NOW);
	KUNIT_EXPECT_EQ(test, end->link.stats.ecrc_errors, 1);
	end->link.credit[2].out = 0;
	test_give(end, &ask, NOW);
	KUNIT_EXPECT_EQ(test, end->link.stats.no_credit, 1);
	h64_link_flush(&end->link, NOW);
	KUNIT_EXPECT_EQ(test, test_taken(end), 0);
	KUNIT_EXPECT_EQ(test, end->link.stats.admin_rx, 2);
	KUNIT_EXPECT_EQ(test, test_sum_dropped(end), 0);
}

/* Random contents: each micropacket is answered, used, or counted once */
static void test_random(struct kunit *test)
{
	struct test_end *end = test_element(test, 4000);
	struct h64_admin_upkt in;
	struct rnd_state rnd;
	unsigned int i, answers = 0;
	u64 now = NOW;

	prandom_seed_state(&rnd, test_seed(test));
	h64_link_flush(&end->link, now);
	test_taken(end);
	for (i = 0; i < 4000; i++) {
		prandom_bytes_state(&rnd, &in, sizeof(in));
		/* Makes all kinds occur */
		in.version = in.version % 8 ? 1 : in.version;
		in.opcode %= 6;
		in.hops = in.hops % 8 ? 0 : in.hops;
		in.len %= 32;
		test_give(end, &in, now);
		h64_link_flush(&end->link, now);
		answers += test_taken(end);
		test_acked(end);
		now += 100000;
		h64_admin_tick(&end->link, now);
	}
	/* The identity request is repeated, as no answer matches it */
	KUNIT_EXPECT_EQ(test, end->link.stats.admin_rx, 4000);
	KUNIT_EXPECT_GT(test, answers, 0);
	KUNIT_EXPECT_LE(test, test_sum_dropped(end) + answers, 4000 + H64_ADMIN_TRIES);
	KUNIT_EXPECT_GE(test, test_sum_dropped(end) + answers + H64_ADMIN_KINDS, 4000);
	KUNIT_EXPECT_GT(test, end->link.stats.admin_busy, 0);
}

/* Requests at line rate: answers of a kind are rate-limited */
static void test_flood(struct kunit *test)
{
	const struct h64_admin_upkt loop = { .version = 1, .opcode = 3, .len = 24 };
	const struct h64_admin_upkt ask = { .version = 1, .opcode = 1 };
	const u64 pace = H64_ADMIN_PACE_MS * TEST_MS;
	struct test_end *end = test_element(test, 4000);
	unsigned int i, answers = 0;
	u64 now = NOW;

	h64_link_flush(&end->link, now);
	test_taken(end);
	for (i = 0; i < 2000; i++) {
		test_give(end, i % 2 ? &ask : &loop, now);
		h64_link_flush(&end->link, now);
		answers += test_taken(end);
		test_acked(end);
		now += pace / 100;
		h64_admin_tick(&end->link, now);
	}
	/* 2000 hundredths of the pace, two kinds */
	KUNIT_EXPECT_GE(test, answers, 2 * 19);
	KUNIT_EXPECT_LE(test, answers, 2 * 21);
	KUNIT_EXPECT_GE(test, end->link.stats.admin_busy, 2000 - answers - H64_ADMIN_KINDS);
	KUNIT_EXPECT_LE(test, end->link.stats.admin_busy, 2000 - answers);
}

/* A delayed answer is sent by the timer when it is due */
static void test_pace(struct kunit *test)
{
	const struct h64_admin_upkt loop = { .version = 1, .opcode = 3, .len = 1 };
	const u64 due = NOW + H64_ADMIN_PACE_MS * TEST_MS;
	struct test_end *end = test_element(test, 10);

	h64_link_flush(&end->link, NOW);
	test_taken(end);
	test_give(end, &loop, NOW);
	h64_link_flush(&end->link, NOW);
	KUNIT_EXPECT_EQ(test, test_taken(end), 1);
	test_give(end, &loop, NOW);
	h64_link_flush(&end->link, NOW);
	KUNIT_EXPECT_EQ(test, test_taken(end), 0);
	KUNIT_EXPECT_EQ(test, h64_link_deadline(&end->link), due);
	h64_link_tick(&end->link, due);
	h64_link_flush(&end->link, due);
	KUNIT_EXPECT_EQ(test, test_taken(end), 1);
	KUNIT_EXPECT_EQ(test, end->link.stats.admin_busy, 0);
}

/* Admin does not interrupt a Message, and waits for one at most */
static void test_between_messages(struct kunit *test)
{
	const struct h64_admin_upkt loop = { .version = 1, .opcode = 3, .len = 1 };
	struct test_end *end = test_element(test, 200);
	unsigned int i, before = 0, vc0 = 0;
	struct h64_link *link = &end->link;
	struct rnd_state rnd;
	bool sent = false;
	u64 ctrl;

	prandom_seed_state(&rnd, 1);
	h64_link_flush(link, NOW);
	test_taken(end);
	/* The first Message is stopped in the middle */
	link->credit[0].avail = 3;
	for (i = 0; i < 2; i++)
		KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(&end->tx, 0,
							  test_frame(test, 8 + 9 * 32, &rnd)));
	h64_msg_tx_pump(&end->tx, NOW);
	test_end_expect_sent(test, end, 3, H64_TYPE_HEADER, H64_TYPE_DATA, H64_TYPE_DATA);
	test_give(end, &loop, NOW);
	h64_link_flush(link, NOW);
	KUNIT_EXPECT_EQ(test, test_taken(end), 0);

	link->credit[0].avail = 100;
	link->credit[1].avail = 100;
	KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(&end->tx, 1,
						  test_frame(test, 8 + 40 * 32, &rnd)));
	h64_msg_tx_pump(&end->tx, NOW);
	while (test_end_sent(end, &ctrl)) {
		sent = sent || FIELD_GET(H64_C_TYPE, ctrl) == H64_TYPE_ADMIN;
		before += !sent;
		vc0 += !sent && !FIELD_GET(H64_C_VC, ctrl);
	}
	KUNIT_EXPECT_TRUE(test, sent);
	/* The remaining seven of the first Message, alternating with VC1 */
	KUNIT_EXPECT_EQ(test, vc0, 7);
	KUNIT_EXPECT_LE(test, before, 2 * 7);
	test_end_purge(end);
}

/* Without an answer a request is repeated a few times, then given up */
static void test_timeout(struct kunit *test)
{
	const u64 timeout = H64_ADMIN_TIMEOUT_MS * TEST_MS;
	struct test_end *end = test_element(test, 100);
	struct h64_link *link = &end->link;
	u64 now, ctrl, until = NOW + 3 * H64_ADMIN_TRIES * timeout;
	unsigned int asked = 0;
	struct h64_admin_upkt out;

	KUNIT_ASSERT_EQ(test, 0, h64_admin_loopback(link, "x", 1, NOW));
	for (now = NOW; now < until; now += 100 * TEST_MS) {
		/* The far end is alive and acknowledges */
		test_end_control(end, H64_TYPE_NULL, now);
		h64_link_tick(link, now);
		h64_link_flush(link, now);
		while (test_take(end, &out, &ctrl)) {
			KUNIT_EXPECT_EQ(test, be32_to_cpu(out.txn), out.opcode == 1 ? 1 : 2);
			asked++;
		}
		test_acked(end);
	}
	KUNIT_EXPECT_EQ(test, asked, 2 * H64_ADMIN_TRIES);
	KUNIT_EXPECT_EQ(test, link->stats.admin_timeouts, 2);
	KUNIT_EXPECT_EQ(test, link->stats.admin_tx, 2 * H64_ADMIN_TRIES);
	KUNIT_EXPECT_EQ(test, end->loops, 1);
	KUNIT_EXPECT_EQ(test, end->loop_err, -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, link->state, H64_UP);
}

/* A request is given up even if it could never be sent */
static void test_timeout_unsent(struct kunit *test)
{
	struct test_end *end = test_element(test, 0);
	struct h64_link *link = &end->link;
	u64 now = NOW;
	unsigned int i;

	for (i = 0; i < H64_ADMIN_TRIES; i++) {
		now += H64_ADMIN_TIMEOUT_MS * TEST_MS;
		KUNIT_EXPECT_EQ(test, h64_admin_deadline(link), now);
		h64_admin_tick(link, now);
	}
	KUNIT_EXPECT_EQ(test, h64_admin_deadline(link), H64_NEVER);
	KUNIT_EXPECT_EQ(test, link->stats.admin_timeouts, 1);
	link->credit[H64_ADMIN_VC].avail = 10;
	h64_link_flush(link, now);
	KUNIT_EXPECT_EQ(test, test_taken(end), 0);
}

/* A text with unprintable bytes */
static void test_software(struct kunit *test)
{
	static const struct {
		const char *said;
		const char *shown;
	} texts[] = {
		{ "", "" },
		{ "Linux 6.12.1", "Linux 6.12.1" },
		{ "sixteen letters!", "sixteen letters!" },
		{ "\x1b[2J\n\r\t\x7f\xff\xa0\x80 ~", "?[2J??????? ~" },
		{ "%s%n%p\\", "%s%n%p\\" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		struct h64_admin_upkt is = {
			.version = 1, .opcode = 2, .len = 24, .txn = cpu_to_be32(1),
			.body = { 1, 2, 3, 4, 5, 6, 0xff, 0xff },
		};
		struct test_end *end = test_element(test, 10);
		const struct h64_identity *known;

		memcpy(is.body + 8, texts[i].said, strlen(texts[i].said));
		test_give(end, &is, NOW);
		known = h64_admin_neighbour(&end->link);
		KUNIT_ASSERT_NOT_NULL(test, known);
		KUNIT_EXPECT_STREQ(test, known->software, texts[i].shown);
		KUNIT_EXPECT_EQ(test, known->port, 0xff);
		KUNIT_EXPECT_STREQ(test, h64_admin_element_name(known->element), "unknown");
		/* The same answer again matches no request */
		test_give(end, &is, NOW);
		KUNIT_EXPECT_EQ(test, end->link.stats.admin_unasked, 1);
	}
}

static void test_loopback(struct kunit *test)
{
	struct test_end *end = test_element(test, 10);
	struct h64_link *link = &end->link;
	struct h64_admin_upkt out, is = { .version = 1, .opcode = 4 };
	u64 ctrl;

	h64_link_flush(link, NOW);
	test_taken(end);
	KUNIT_EXPECT_EQ(test, -EINVAL, h64_admin_loopback(link, "", H64_ADMIN_BODY + 1, NOW));
	KUNIT_EXPECT_EQ(test, 0, h64_admin_loopback(link, "abc", 3, NOW));
	KUNIT_EXPECT_EQ(test, -EBUSY, h64_admin_loopback(link, "abc", 3, NOW));
	h64_link_flush(link, NOW);
	KUNIT_ASSERT_TRUE(test, test_take(end, &out, &ctrl));
	KUNIT_EXPECT_EQ(test, out.opcode, H64_ADMIN_LOOPBACK);
	KUNIT_EXPECT_EQ(test, out.len, 3);
	KUNIT_EXPECT_MEMEQ(test, out.body, (const u8 *)"abc\0", 4);

	/* The answer to another request */
	is.len = 3;
	is.txn = cpu_to_be32(be32_to_cpu(out.txn) + 1);
	memcpy(is.body, "abc", 3);
	test_give(end, &is, NOW);
	KUNIT_EXPECT_EQ(test, end->loops, 0);
	KUNIT_EXPECT_EQ(test, link->stats.admin_unasked, 1);
	is.txn = out.txn;
	test_give(end, &is, NOW);
	KUNIT_EXPECT_EQ(test, end->loops, 1);
	KUNIT_EXPECT_EQ(test, end->loop_err, 0);

	/* Other bytes, or fewer */
	KUNIT_EXPECT_EQ(test, 0, h64_admin_loopback(link, "abd", 3, NOW));
	is.txn = cpu_to_be32(link->admin.last_txn);
	test_give(end, &is, NOW);
	KUNIT_EXPECT_EQ(test, end->loop_err, -EBADMSG);
	KUNIT_EXPECT_EQ(test, 0, h64_admin_loopback(link, "abcd", 4, NOW));
	is.txn = cpu_to_be32(link->admin.last_txn);
	test_give(end, &is, NOW);
	KUNIT_EXPECT_EQ(test, end->loops, 3);
	KUNIT_EXPECT_EQ(test, end->loop_err, -EBADMSG);

	/* Given up: a late answer is dropped, and the next request is possible */
	KUNIT_EXPECT_EQ(test, 0, h64_admin_loopback(link, "abc", 3, NOW));
	is.txn = cpu_to_be32(link->admin.last_txn);
	h64_admin_loopback_end(link, -EINTR);
	KUNIT_EXPECT_EQ(test, end->loops, 4);
	KUNIT_EXPECT_EQ(test, end->loop_err, -EINTR);
	h64_admin_loopback_end(link, -EINTR);
	test_give(end, &is, NOW);
	KUNIT_EXPECT_EQ(test, end->loops, 4);
	KUNIT_EXPECT_EQ(test, link->stats.admin_unasked, 2);

	/* The link goes down meanwhile */
	KUNIT_EXPECT_EQ(test, 0, h64_admin_loopback(link, "abc", 3, NOW));
	h64_link_restart(link, NOW);
	KUNIT_EXPECT_EQ(test, end->loops, 5);
	KUNIT_EXPECT_EQ(test, end->loop_err, -ENOLINK);
	KUNIT_EXPECT_EQ(test, -ENOLINK, h64_admin_loopback(link, "abc", 3, NOW));
}

/* An end without identity neither answers nor requests */
static void test_no_part(struct kunit *test)
{
	const struct h64_admin_upkt ask = { .version = 1, .opcode = 1 };
	struct test_end *end = test_end_alloc(test);

	test_end_reach(test, end, H64_UP, NOW);
	h64_link_flush(&end->link, NOW);
	end->link.credit[0].avail = 10;
	test_give(end, &ask, NOW);
	h64_link_flush(&end->link, NOW);
	KUNIT_EXPECT_EQ(test, test_taken(end), 0);
	KUNIT_EXPECT_EQ(test, end->link.stats.admin_unknown, 1);
	KUNIT_EXPECT_EQ(test, h64_admin_deadline(&end->link), H64_NEVER);
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_request_bytes),
	KUNIT_CASE(test_answer_bytes),
	KUNIT_CASE(test_exchange),
	KUNIT_CASE(test_exchange_lossy),
	KUNIT_CASE(test_dropped),
	KUNIT_CASE(test_dropped_by_link),
	KUNIT_CASE(test_random),
	KUNIT_CASE(test_flood),
	KUNIT_CASE(test_pace),
	KUNIT_CASE(test_between_messages),
	KUNIT_CASE(test_timeout),
	KUNIT_CASE(test_timeout_unsent),
	KUNIT_CASE(test_software),
	KUNIT_CASE(test_loopback),
	KUNIT_CASE(test_no_part),
	{}
};

static struct kunit_suite test_suite = {
	.name = "hippi6400_admin",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
