// SPDX-License-Identifier: GPL-2.0
/*
 * Sequence numbers, ACK and go-back-N.
 */

#include <kunit/test.h>

#include "link/seq.h"
#include "pair.h"

#define NOW	(10 * TEST_MS)

/* An end that is up, with credit, and with a Message of this number of micropackets */
static struct test_end *test_source(struct kunit *test, unsigned int upkts)
{
	struct test_end *end = test_end_alloc(test);
	struct rnd_state rnd;

	prandom_seed_state(&rnd, 1);
	test_end_reach(test, end, H64_UP, NOW);
	/* Nothing to grant, so that no credit is piggybacked */
	memset(end->link.credit, 0, sizeof(end->link.credit));
	end->link.credit[1].avail = 4000;
	KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(&end->tx, 1,
						  test_frame(test, 8 + 32 * (upkts - 1), &rnd)));
	h64_msg_tx_pump(&end->tx, NOW);
	return end;
}

static void test_ack(struct test_end *end, u8 type, u8 rseq, u64 now)
{
	u8 data[H64_UPKT_DATA] = {};
	u16 ecrc = H64_CRC_PRESET;
	struct h64_upkt upkt;

	test_upkt(&upkt, FIELD_PREP(H64_C_TYPE, type) | FIELD_PREP(H64_C_TSEQ, H64_SEQ_NONE) |
		  FIELD_PREP(H64_C_RSEQ, rseq), data, &ecrc);
	h64_link_rx(&end->link, h64_upkt_ctrl(&upkt), H64_GOOD, ecrc, now);
}

/* Reports of a far end that discarded a micropacket */
static void test_nak(struct test_end *end, u8 rseq, u64 now)
{
	unsigned int i;

	for (i = 0; i < 1 + H64_NAK_NULLS; i++)
		test_ack(end, H64_TYPE_NULL, rseq, now);
}

/* Checks the TSEQs of all micropackets sent but Nulls, from a first to a last one */
static void test_expect_tseqs(struct kunit *test, struct test_end *end, u8 first, u8 last)
{
	u8 tseq = first;
	u64 ctrl;

	while (test_end_sent(end, &ctrl)) {
		if (FIELD_GET(H64_C_TYPE, ctrl) == H64_TYPE_NULL)
			continue;
		KUNIT_ASSERT_EQ(test, FIELD_GET(H64_C_TSEQ, ctrl), tseq);
		tseq = h64_seq_add(tseq, 1);
	}
	KUNIT_EXPECT_EQ(test, tseq, h64_seq_add(last, 1));
}

static void test_window(struct kunit *test)
{
	struct test_end *end = test_source(test, 600);

	KUNIT_EXPECT_EQ(test, end->link.src.count, 254);
	KUNIT_EXPECT_FALSE(test, h64_seq_can_send(&end->link));
	test_expect_tseqs(test, end, 0, 253);

	test_ack(end, H64_TYPE_NULL, 0, NOW);
	h64_msg_tx_pump(&end->tx, NOW);
	KUNIT_EXPECT_EQ(test, end->link.src.count, 254);
	test_expect_tseqs(test, end, 254, 254);

	/* TSEQ wraps at 254 */
	test_ack(end, H64_TYPE_NULL, 253, NOW);
	KUNIT_EXPECT_EQ(test, end->link.src.count, 1);
	h64_msg_tx_pump(&end->tx, NOW);
	test_expect_tseqs(test, end, 0, 252);
	test_ack(end, H64_TYPE_NULL, 252, NOW);
	KUNIT_EXPECT_EQ(test, end->link.src.count, 0);
	KUNIT_EXPECT_EQ(test, end->link.stats.bad_rseq, 0);
}

static void test_null_goes_back(struct kunit *test)
{
	struct test_end *end = test_source(test, 10);
	struct h64_upkt before, *after;
	u32 index = end->link.ring.prod - 10;

	test_expect_tseqs(test, end, 0, 9);
	test_ack(end, H64_TYPE_NULL, 4, NOW);
	KUNIT_EXPECT_EQ(test, end->link.src.count, 5);
	KUNIT_EXPECT_EQ(test, end->link.stats.go_backs, 0);
	/* One repetition may predate the arrival of the last five */
	test_ack(end, H64_TYPE_NULL, 4, NOW);
	KUNIT_EXPECT_EQ(test, end->link.stats.go_backs, 0);
	/* No progress: everything after 4 again */
	end->link.dst.rseq = 77;
	test_ack(end, H64_TYPE_NULL, 4, NOW);
	KUNIT_EXPECT_EQ(test, end->link.stats.go_backs, 1);
	KUNIT_EXPECT_FALSE(test, h64_seq_can_send(&end->link));
	before = end->link.ring.slot[(index + 5) % TEST_RING];
	after = &end->link.ring.slot[end->link.ring.prod % TEST_RING];
	h64_msg_tx_pump(&end->tx, NOW);
	KUNIT_EXPECT_EQ(test, end->link.stats.rexmit_upkts, 5);
	test_expect_tseqs(test, end, 5, 9);

	/* Unchanged but for RSEQ and LCRC */
	KUNIT_EXPECT_MEMEQ(test, after->data, before.data, H64_UPKT_DATA);
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_RSEQ, h64_upkt_ctrl(after)), 77);
	KUNIT_EXPECT_EQ(test, h64_upkt_ctrl(after) & ~(H64_C_RSEQ | H64_C_LCRC),
			h64_upkt_ctrl(&before) & ~(H64_C_RSEQ | H64_C_LCRC));
	KUNIT_EXPECT_EQ(test, (u64)le64_to_cpu(after->ctrl),
			(u64)le64_to_cpu(h64_upkt_seal(h64_upkt_ctrl(after),
						       h64_crc(H64_POLY_LCRC, H64_CRC_PRESET,
							       after->data, H64_UPKT_DATA))));
}

/* Another request is not served at once, as the copies are in flight */
static void test_guard(struct kunit *test)
{
	struct test_end *end = test_source(test, 10);

	test_expect_tseqs(test, end, 0, 9);
	test_nak(end, 4, NOW);
	h64_msg_tx_pump(&end->tx, NOW);
	test_expect_tseqs(test, end, 5, 9);
	test_nak(end, 4, NOW + TEST_ACK / H64_GO_BACK_GUARD_DIV - 1);
	KUNIT_EXPECT_EQ(test, end->link.stats.go_backs, 1);
	test_nak(end, 4, NOW + TEST_ACK / H64_GO_BACK_GUARD_DIV);
	KUNIT_EXPECT_EQ(test, end->link.stats.go_backs, 2);
	/* After progress a request is served at any time */
	h64_msg_tx_pump(&end->tx, NOW + TEST_MS);
	test_expect_tseqs(test, end, 5, 9);
	test_nak(end, 5, NOW + TEST_MS);
	KUNIT_EXPECT_EQ(test, end->link.stats.go_backs, 3);
	h64_msg_tx_pump(&end->tx, NOW + TEST_MS);
	test_expect_tseqs(test, end, 6, 9);
}

/* A request during the guard time is no ACK timeout, and extends none */
static void test_guard_is_no_timeout(struct kunit *test)
{
	struct test_end *end = test_source(test, 10);
	const struct h64_link_stats *stats = &end->link.stats;
	const u64 guard = TEST_ACK / H64_GO_BACK_GUARD_DIV;
	u64 now = NOW + TEST_MS;
	unsigned int i;

	test_expect_tseqs(test, end, 0, 9);
	/* The first copy is lost each time */
	for (i = 1; i <= 3; i++) {
		test_nak(end, H64_SEQ_NONE, now);
		if (i > 1) {
			KUNIT_EXPECT_EQ(test, h64_link_deadline(&end->link), now - 1 + guard);
			h64_link_tick(&end->link, now + guard - 2);
			KUNIT_EXPECT_EQ(test, stats->go_backs, i - 1);
			now += guard - 1;
			h64_link_tick(&end->link, now);
		}
		KUNIT_EXPECT_EQ(test, stats->go_backs, i);
		h64_msg_tx_pump(&end->tx, now);
		test_expect_tseqs(test, end, 0, 9);
		now++;
	}
	KUNIT_EXPECT_EQ(test, stats->ack_timeouts, 0);
	/* The ACK timeout restarts with its initial length */
	h64_link_tick(&end->link, now - 1 + TEST_ACK - 1);
	KUNIT_EXPECT_EQ(test, stats->ack_timeouts, 0);
	h64_link_tick(&end->link, now - 1 + TEST_ACK);
	KUNIT_EXPECT_EQ(test, stats->ack_timeouts, 1);
	KUNIT_EXPECT_EQ(test, stats->go_backs, 4);
}

/* However often the far end requests go-backs, the ACK timeouts reset the link in time */
static void test_asked_for_ever(struct kunit *test)
{
	struct test_end *end = test_source(test, 10);
	u64 now = NOW, end_of_link = NOW + h64_link_recovery(&end->link.times);
	u64 ctrl;

	while (end->link.state == H64_UP && now <= end_of_link) {
		h64_msg_tx_pump(&end->tx, now);
		while (test_end_sent(end, &ctrl))
			;
		now += TEST_MS;
		test_nak(end, H64_SEQ_NONE, now);
		h64_link_tick(&end->link, now);
	}
	KUNIT_EXPECT_EQ(test, end->link.state, H64_RESET_SENT);
	KUNIT_EXPECT_GE(test, now, end_of_link - 2 * TEST_ACK * H64_RETRY_LIMIT);
	KUNIT_EXPECT_EQ(test, end->link.stats.retry_limits, 1);
	KUNIT_EXPECT_EQ(test, end->link.stats.ack_timeouts, H64_RETRY_LIMIT + 1);
	KUNIT_EXPECT_GT(test, end->link.stats.go_backs, 10 * H64_RETRY_LIMIT);
}

/* A window that is repeated after it arrived looks like a gap, but is not requested again */
static void test_copies_look_like_a_gap(struct kunit *test)
{
	struct test_end *end = test_source(test, 600);
	const struct h64_link_stats *stats = &end->link.stats;
	u64 now = NOW + TEST_ACK;

	test_expect_tseqs(test, end, 0, 253);
	h64_link_tick(&end->link, now);
	KUNIT_EXPECT_EQ(test, stats->ack_timeouts, 1);
	h64_msg_tx_pump(&end->tx, now);
	test_expect_tseqs(test, end, 0, 253);
	/* The ACK was late; the next window follows, and the reaction to the copies */
	test_ack(end, H64_TYPE_NULL, 253, now);
	h64_msg_tx_pump(&end->tx, now);
	test_expect_tseqs(test, end, 254, 252);
	test_nak(end, 253, now + 5);
	KUNIT_EXPECT_EQ(test, stats->go_backs, 1);
	/* Then the ACK of the new micropackets */
	test_ack(end, H64_TYPE_NULL, 10, now + 6);
	h64_link_tick(&end->link, now + TEST_ACK - 1);
	KUNIT_EXPECT_EQ(test, stats->go_backs, 1);
	/* From here on no copy is in flight */
	test_nak(end, 10, now + TEST_ACK - 1);
	KUNIT_EXPECT_EQ(test, stats->go_backs, 2);
	KUNIT_EXPECT_EQ(test, stats->ack_timeouts, 1);
}

/* Without that ACK it is a loss, which does not wait for the ACK timeout */
static void test_gap_behind_copies(struct kunit *test)
{
	const u64 guard = TEST_ACK / H64_GO_BACK_GUARD_DIV;
	struct test_end *end = test_source(test, 600);
	u64 now = NOW + TEST_ACK;

	test_expect_tseqs(test, end, 0, 253);
	h64_link_tick(&end->link, now);
	h64_msg_tx_pump(&end->tx, now);
	test_expect_tseqs(test, end, 0, 253);
	test_ack(end, H64_TYPE_NULL, 253, now);
	h64_msg_tx_pump(&end->tx, now);
	test_expect_tseqs(test, end, 254, 252);
	test_nak(end, 253, now + 5);
	h64_link_tick(&end->link, now + 5 + guard - 1);
	KUNIT_EXPECT_EQ(test, end->link.stats.go_backs, 1);
	h64_link_tick(&end->link, now + 5 + guard);
	KUNIT_EXPECT_EQ(test, end->link.stats.go_backs, 2);
	KUNIT_EXPECT_EQ(test, end->link.stats.ack_timeouts, 1);
	h64_msg_tx_pump(&end->tx, now + 5 + guard);
	test_expect_tseqs(test, end, 254, 252);
}

/* A repeated RSEQ in other micropackets has no meaning */
static void test_data_does_not_go_back(struct kunit *test)
{
	struct test_end *end = test_source(test, 10);

	test_expect_tseqs(test, end, 0, 9);
	test_ack(end, H64_TYPE_CREDIT, 4, NOW);
	test_ack(end, H64_TYPE_CREDIT, 4, NOW);
	KUNIT_EXPECT_EQ(test, end->link.stats.go_backs, 0);
}

/* A micropacket that the card has not even taken is not sent again */
static void test_queued_does_not_go_back(struct kunit *test)
{
	struct test_end *end = test_source(test, 10);

	test_nak(end, H64_SEQ_NONE, NOW);
	h64_link_tick(&end->link, NOW + TEST_ACK);
	KUNIT_EXPECT_EQ(test, end->link.stats.go_backs, 0);
	KUNIT_EXPECT_EQ(test, end->link.stats.ack_timeouts, 0);
	test_expect_tseqs(test, end, 0, 9);
	h64_link_tick(&end->link, NOW + 2 * TEST_ACK);
	KUNIT_EXPECT_EQ(test, end->link.stats.ack_timeouts, 1);
}

/* ACK timeouts, each longer than the last, until the link is reset */
static void test_retry_limit(struct kunit *test)
{
	struct test_end *end = test_source(test, 10);
	u64 now = NOW, wait = TEST_ACK;
	unsigned int i;

	for (i = 1; i <= H64_RETRY_LIMIT; i++) {
		test_expect_tseqs(test, end, 0, 9);
		/* The far end lives, so this is not silence */
		test_ack(end, H64_TYPE_CREDIT, H64_SEQ_NONE, now);
		h64_link_tick(&end->link, now + wait - 1);
		KUNIT_EXPECT_EQ(test, end->link.stats.ack_timeouts, i - 1);
		now += wait;
		h64_link_tick(&end->link, now);
		KUNIT_EXPECT_EQ(test, end->link.stats.ack_timeouts, i);
		KUNIT_EXPECT_EQ(test, end->link.stats.go_backs, i);
		h64_msg_tx_pump(&end->tx, now);
		wait = TEST_ACK << min_t(unsigned int, i, H64_ACK_BACKOFF_MAX);
	}
	test_expect_tseqs(test, end, 0, 9);
	h64_link_tick(&end->link, now + wait);
	KUNIT_EXPECT_EQ(test, end->link.stats.retry_limits, 1);
	/* The timeout counts, but no go-back followed */
	KUNIT_EXPECT_EQ(test, end->link.stats.ack_timeouts, H64_RETRY_LIMIT + 1);
	KUNIT_EXPECT_EQ(test, end->link.stats.go_backs, H64_RETRY_LIMIT);
	KUNIT_EXPECT_EQ(test, end->link.state, H64_RESET_SENT);
	/* The TAIL was never acknowledged */
	KUNIT_EXPECT_EQ(test, end->tx.unacked, 1);
	KUNIT_EXPECT_EQ(test, end->tx.lost, 0);
	test_end_expect_sent(test, end, 1, H64_TYPE_RESET);
}

/* All copies may be lost to a fault that lets a Null through */
static void test_nulls_amid_copies(struct kunit *test)
{
	const u64 keepalive = TEST_ACTIVITY / H64_KEEPALIVE_DIV;
	struct test_end *end = test_source(test, 10);
	unsigned int nulls = 0;
	u64 now, ctrl;

	for (now = NOW; now < NOW + TEST_ACTIVITY; now += TEST_MS) {
		/* The far end lives, so this is not silence */
		test_ack(end, H64_TYPE_CREDIT, H64_SEQ_NONE, now);
		h64_link_tick(&end->link, now);
		h64_msg_tx_pump(&end->tx, now);
		while (test_end_sent(end, &ctrl))
			nulls += FIELD_GET(H64_C_TYPE, ctrl) == H64_TYPE_NULL;
	}
	KUNIT_EXPECT_GT(test, end->link.stats.rexmit_upkts, 10 * TEST_ACTIVITY / keepalive);
	KUNIT_EXPECT_EQ(test, nulls, TEST_ACTIVITY / keepalive - 1);
}

static void test_bad_rseq(struct kunit *test)
{
	struct test_end *end = test_source(test, 10);

	test_expect_tseqs(test, end, 0, 9);
	test_ack(end, H64_TYPE_NULL, 10, NOW);
	KUNIT_EXPECT_EQ(test, end->link.stats.bad_rseq, 1);
	KUNIT_EXPECT_EQ(test, end->link.src.count, 10);
	test_ack(end, H64_TYPE_NULL, 3, NOW);
	test_ack(end, H64_TYPE_NULL, 2, NOW);
	KUNIT_EXPECT_EQ(test, end->link.stats.bad_rseq, 2);
	/* None acknowledged since Initialize, although some were sent */
	test_ack(end, H64_TYPE_NULL, H64_SEQ_NONE, NOW);
	KUNIT_EXPECT_EQ(test, end->link.stats.bad_rseq, 3);
	KUNIT_EXPECT_EQ(test, end->link.src.count, 6);
}

/* Credit-only micropackets with one credit: sequenced, and no Message */
static void test_arrive(struct test_end *end, u8 tseq)
{
	u8 data[H64_UPKT_DATA] = {};
	u16 ecrc = H64_CRC_PRESET;
	struct h64_upkt upkt;

	test_upkt(&upkt, FIELD_PREP(H64_C_TYPE, H64_TYPE_CREDIT) | FIELD_PREP(H64_C_CR, 1) |
		  FIELD_PREP(H64_C_TSEQ, tseq) | FIELD_PREP(H64_C_RSEQ, H64_SEQ_NONE), data, &ecrc);
	h64_link_rx(&end->link, h64_upkt_ctrl(&upkt), H64_GOOD, ecrc, NOW);
}

static struct test_end *test_sink(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);

	test_end_reach(test, end, H64_UP, NOW);
	memset(end->link.credit, 0, sizeof(end->link.credit));
	return end;
}

/* Checks that this number of Nulls with this RSEQ was sent, and nothing else */
static void test_expect_nulls(struct kunit *test, struct test_end *end, unsigned int count, u8 rseq)
{
	u64 ctrl;

	h64_link_flush(&end->link, NOW);
	while (test_end_sent(end, &ctrl)) {
		KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_TYPE, ctrl), H64_TYPE_NULL);
		KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_TSEQ, ctrl), H64_SEQ_NONE);
		KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_RSEQ, ctrl), rseq);
		KUNIT_EXPECT_NE(test, count--, 0);
	}
	KUNIT_EXPECT_EQ(test, count, 0);
}

static void test_sink_acks(struct kunit *test)
{
	struct test_end *end = test_sink(test);
	unsigned int i;

	test_expect_nulls(test, end, 0, H64_SEQ_NONE);
	for (i = 0; i < 300; i++) {
		test_arrive(end, i % 255);
		KUNIT_ASSERT_EQ(test, end->link.dst.rseq, i % 255);
	}
	KUNIT_EXPECT_EQ(test, end->link.credit[0].avail, 300);
	KUNIT_EXPECT_EQ(test, end->link.stats.out_of_sequence, 0);
	test_expect_nulls(test, end, 1, 44);
	test_expect_nulls(test, end, 0, 44);
}

static void test_sink_gap(struct kunit *test)
{
	struct test_end *end = test_sink(test);

	test_arrive(end, 0);
	test_arrive(end, 2);
	test_arrive(end, 3);
	KUNIT_EXPECT_EQ(test, end->link.stats.out_of_sequence, 2);
	KUNIT_EXPECT_EQ(test, end->link.credit[0].avail, 1);
	/* One Null for RSEQ 0, three to repeat it */
	test_expect_nulls(test, end, 1 + H64_NAK_NULLS, 0);
	/* Reported once per gap */
	test_arrive(end, 4);
	test_arrive(end, 5);
	test_expect_nulls(test, end, 0, 0);
	/* The far end went back and lost the first again */
	test_arrive(end, 2);
	test_expect_nulls(test, end, H64_NAK_NULLS, 0);
	/* And not again */
	test_arrive(end, 1);
	test_arrive(end, 2);
	test_expect_nulls(test, end, 1, 2);
	KUNIT_EXPECT_EQ(test, end->link.credit[0].avail, 3);
}

static void test_sink_double(struct kunit *test)
{
	struct test_end *end = test_sink(test);

	test_arrive(end, 0);
	test_arrive(end, 0);
	KUNIT_EXPECT_EQ(test, end->link.stats.out_of_sequence, 1);
	KUNIT_EXPECT_EQ(test, end->link.credit[0].avail, 1);
	test_expect_nulls(test, end, 1, 0);
	/* Sent again as the ACK is missing */
	test_arrive(end, 0);
	test_expect_nulls(test, end, 1, 0);
}

/* A whole burst repeated: one answer, however many polls it takes */
static void test_sink_old(struct kunit *test)
{
	struct test_end *end = test_sink(test);
	unsigned int i, burst;

	for (i = 0; i < 100; i++)
		test_arrive(end, i);
	test_expect_nulls(test, end, 1, 99);
	for (burst = 0; burst < 3; burst++) {
		for (i = 20; i < 100; i++) {
			test_arrive(end, i);
			test_expect_nulls(test, end, i == 20 ? H64_NAK_NULLS_FAR : 0, 99);
		}
	}
	KUNIT_EXPECT_EQ(test, end->link.stats.out_of_sequence, 240);
	test_arrive(end, 100);
	test_expect_nulls(test, end, 1, 100);
}

/* The next to arrive lies ahead of a long burst that was lost */
static void test_sink_far(struct kunit *test)
{
	struct test_end *end = test_sink(test);

	test_arrive(end, 0);
	test_arrive(end, 1 + 127);
	test_expect_nulls(test, end, 1 + H64_NAK_NULLS, 0);
	test_arrive(end, 1 + 128);
	test_expect_nulls(test, end, H64_NAK_NULLS_FAR, 0);
	/* Once */
	test_arrive(end, 1 + 129);
	test_arrive(end, 1 + 253);
	test_expect_nulls(test, end, 0, 0);
	/* The last micropacket of the next window, all others lost */
	test_arrive(end, 1);
	test_expect_nulls(test, end, 1, 1);
	test_arrive(end, 0);
	test_expect_nulls(test, end, H64_NAK_NULLS_FAR, 1);
}

static void test_sink_bad_lcrc(struct kunit *test)
{
	struct test_end *end = test_sink(test);

	test_arrive(end, 0);
	test_expect_nulls(test, end, 1, 0);
	h64_link_rx(&end->link, 0, H64_BAD_LCRC, 0, NOW);
	h64_link_rx(&end->link, 0, H64_BAD_LCRC, 0, NOW);
	KUNIT_EXPECT_EQ(test, end->link.stats.lcrc_errors, 2);
	test_expect_nulls(test, end, H64_NAK_NULLS, 0);
	test_expect_nulls(test, end, 0, 0);
}

/* A micropacket discarded for its TSEQ is not checked further */
static void test_sink_counts_once(struct kunit *test)
{
	struct test_end *end = test_sink(test);
	u64 ctrl = FIELD_PREP(H64_C_CR, 1) | FIELD_PREP(H64_C_RSEQ, H64_SEQ_NONE);
	u64 reserved = ctrl | FIELD_PREP(H64_C_TYPE, 5);
	u64 admin = ctrl | FIELD_PREP(H64_C_TYPE, H64_TYPE_ADMIN);
	unsigned int i;

	for (i = 0; i < 3; i++) {
		h64_link_rx(&end->link, reserved, H64_RESERVED, 0, NOW);
		KUNIT_EXPECT_EQ(test, end->link.stats.reserved_type, 1);
		KUNIT_EXPECT_EQ(test, end->link.stats.out_of_sequence, i);
	}
	admin |= FIELD_PREP(H64_C_TSEQ, 1);
	end->link.credit[0].out = 1;
	for (i = 0; i < 3; i++) {
		/* Its ECRC field is 0 */
		KUNIT_EXPECT_EQ(test, h64_link_rx(&end->link, admin, H64_GOOD, 1, NOW),
				H64_RX_IGNORE);
		KUNIT_EXPECT_EQ(test, end->link.stats.ecrc_errors, 1);
		KUNIT_EXPECT_EQ(test, end->link.stats.admin_rx, 1);
		KUNIT_EXPECT_EQ(test, end->link.stats.out_of_sequence, 2 + i);
	}
	KUNIT_EXPECT_EQ(test, end->link.credit[0].avail, 2);
	KUNIT_EXPECT_EQ(test, end->link.stats.no_credit, 0);
}

/* TSEQ x'FF' is no sequence number */
static void test_sink_none(struct kunit *test)
{
	struct test_end *end = test_sink(test);

	test_arrive(end, H64_SEQ_NONE);
	KUNIT_EXPECT_EQ(test, end->link.stats.out_of_sequence, 1);
	KUNIT_EXPECT_EQ(test, end->link.dst.rseq, H64_SEQ_NONE);
	test_expect_nulls(test, end, 0, 0);
}

/* A ring full of unacknowledged micropackets still has room to send them again */
static void test_ring_full(struct kunit *test)
{
	struct test_end *end = test_source(test, 600);
	unsigned int i;
	u64 now = NOW;

	for (i = 0; i < 2 * TEST_RING; i++)
		test_end_control(end, H64_TYPE_INIT, now);
	KUNIT_EXPECT_EQ(test, end->link.state, H64_UP);
	end->link.ring.cons = end->link.ring.prod;
	KUNIT_EXPECT_LT(test, end->link.ring.prod - end->link.src.slot[0], TEST_RING);
	for (i = 0; i < 5; i++) {
		end->link.src.rexmit = end->link.src.count;
		while (end->link.src.rexmit) {
			u32 prod = end->link.ring.prod;

			h64_seq_retransmit(&end->link, now);
			KUNIT_ASSERT_NE(test, prod, end->link.ring.prod);
			end->link.ring.cons = end->link.ring.prod;
		}
		KUNIT_EXPECT_EQ(test, end->link.ring.prod - end->link.src.slot[0], 254);
	}
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_window),
	KUNIT_CASE(test_null_goes_back),
	KUNIT_CASE(test_guard),
	KUNIT_CASE(test_guard_is_no_timeout),
	KUNIT_CASE(test_asked_for_ever),
	KUNIT_CASE(test_copies_look_like_a_gap),
	KUNIT_CASE(test_gap_behind_copies),
	KUNIT_CASE(test_data_does_not_go_back),
	KUNIT_CASE(test_queued_does_not_go_back),
	KUNIT_CASE(test_retry_limit),
	KUNIT_CASE(test_nulls_amid_copies),
	KUNIT_CASE(test_bad_rseq),
	KUNIT_CASE(test_sink_acks),
	KUNIT_CASE(test_sink_gap),
	KUNIT_CASE(test_sink_double),
	KUNIT_CASE(test_sink_old),
	KUNIT_CASE(test_sink_far),
	KUNIT_CASE(test_sink_bad_lcrc),
	KUNIT_CASE(test_sink_counts_once),
	KUNIT_CASE(test_sink_none),
	KUNIT_CASE(test_ring_full),
	{}
};

static struct kunit_suite test_suite = {
	.name = "hippi6400_seq",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
