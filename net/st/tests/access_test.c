// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the range and rights check for memory of this end, ST 10.7.4: of the check itself,
 * and of all operations on a region.
 */
#include <linux/bitfield.h>
#include <linux/overflow.h>

#include "conn/conn.h"
#include "conn.h"
#include "random.h"

#define BUFSIZE		BIT_ULL(ST_BUFSIZE)
#define RIGHTS		(ST_REGION_PUT | ST_REGION_GET | ST_REGION_FETCHOP)
#define G_ID		0x7000
#define F_ID		0x8000

static enum st_error st_test_check(const struct st_area *area, u64 place, u64 len, u64 *pos)
{
	const struct st_place at = { place >> ST_BUFSIZE, place & (BUFSIZE - 1) };

	return st_access_check(area, &at, len, 0, pos);
}

/* Every byte before and after the accessible ones */
static void st_access_edges(struct kunit *test)
{
	const u64 sizes[] = { 1, 8, 4096, BUFSIZE - 100, BUFSIZE, 3 * BUFSIZE + 5 };
	struct st_area a = { .start = 100 };
	unsigned int i;
	u64 pos;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		u64 n = sizes[i];

		a.len = n;
		KUNIT_EXPECT_EQ(test, st_test_check(&a, 100, n, &pos), ST_ERR_NONE);
		KUNIT_EXPECT_EQ(test, pos, 0);
		KUNIT_EXPECT_EQ(test, st_test_check(&a, 100 + n - 1, 1, &pos), ST_ERR_NONE);
		KUNIT_EXPECT_EQ(test, pos, n - 1);
		KUNIT_EXPECT_EQ(test, st_test_check(&a, 100 + n, 0, &pos), ST_ERR_NONE);
		KUNIT_EXPECT_EQ(test, pos, n);
		KUNIT_EXPECT_EQ(test, st_test_check(&a, 100, n + 1, &pos),
				ST_ERR_OUT_OF_RANGE_BUFX);
		KUNIT_EXPECT_EQ(test, st_test_check(&a, 99, 1, &pos), ST_ERR_OUT_OF_RANGE_BUFX);
		KUNIT_EXPECT_EQ(test, st_test_check(&a, 99, 0, &pos), ST_ERR_OUT_OF_RANGE_BUFX);
		KUNIT_EXPECT_EQ(test, st_test_check(&a, 100 + n - 1, 2, &pos),
				ST_ERR_OUT_OF_RANGE_BUFX);
		KUNIT_EXPECT_EQ(test, st_test_check(&a, 100 + n, 1, &pos),
				ST_ERR_OUT_OF_RANGE_BUFX);
		KUNIT_EXPECT_EQ(test, st_test_check(&a, 101 + n, 0, &pos),
				ST_ERR_OUT_OF_RANGE_BUFX);
		KUNIT_EXPECT_EQ(test, st_test_check(&a, (u64)U32_MAX << ST_BUFSIZE, 1, &pos),
				ST_ERR_OUT_OF_RANGE_BUFX);
	}
	KUNIT_EXPECT_EQ(test, st_access_check(&a, &(struct st_place){ 0, BUFSIZE }, 1, 0, &pos),
			ST_ERR_OVERSIZED_OFFSET);
	KUNIT_EXPECT_EQ(test, st_access_check(&a, &(struct st_place){ 0, U32_MAX }, 0, 0, &pos),
			ST_ERR_OVERSIZED_OFFSET);
	a.len = 0;
	KUNIT_EXPECT_EQ(test, st_test_check(&a, 100, 0, &pos), ST_ERR_NONE);
	KUNIT_EXPECT_EQ(test, st_test_check(&a, 100, 1, &pos), ST_ERR_OUT_OF_RANGE_BUFX);
}

/* A sum that exceeds 2^64 is never in range. */
static void st_access_overflow(struct kunit *test)
{
	const u64 last = ((u64)U32_MAX << ST_BUFSIZE) + BUFSIZE - 1;	/* the last place */
	struct st_area a = { .start = 100, .len = 1000 };
	u64 pos;
	u64 n;

	for (n = U64_MAX; n > U64_MAX - 2000; n--) {
		KUNIT_ASSERT_EQ(test, st_test_check(&a, 100, n, &pos), ST_ERR_OUT_OF_RANGE_BUFX);
		KUNIT_ASSERT_EQ(test, st_test_check(&a, 1099, n, &pos), ST_ERR_OUT_OF_RANGE_BUFX);
		KUNIT_ASSERT_EQ(test, st_test_check(&a, 1100, n, &pos), ST_ERR_OUT_OF_RANGE_BUFX);
		KUNIT_ASSERT_EQ(test, st_test_check(&a, last, n, &pos), ST_ERR_OUT_OF_RANGE_BUFX);
	}
	/* A Block of a stream so long that its bytes have no places any more, ST 6.2.3 */
	a.start = U64_MAX - 500;
	KUNIT_EXPECT_EQ(test, st_test_check(&a, 0, 1, &pos), ST_ERR_OUT_OF_RANGE_BUFX);
	KUNIT_EXPECT_EQ(test, st_test_check(&a, 400, 1, &pos), ST_ERR_OUT_OF_RANGE_BUFX);
	KUNIT_EXPECT_EQ(test, st_test_check(&a, last, 0, &pos), ST_ERR_OUT_OF_RANGE_BUFX);
	/* Everything */
	a = (struct st_area) { .len = U64_MAX };
	KUNIT_EXPECT_EQ(test, st_test_check(&a, 0, U64_MAX, &pos), ST_ERR_NONE);
	KUNIT_EXPECT_EQ(test, st_test_check(&a, 1, U64_MAX, &pos), ST_ERR_OUT_OF_RANGE_BUFX);
	KUNIT_EXPECT_EQ(test, st_test_check(&a, last, U64_MAX - last, &pos), ST_ERR_NONE);
	KUNIT_EXPECT_EQ(test, pos, last);
}

/* All rights are required; without one, no other error is reported, wherever the bytes are. */
static void st_access_rights(struct kunit *test)
{
	const struct st_place in = {}, behind = { .offset = 8 }, wrong = { .offset = BUFSIZE };
	struct st_area a = { .len = 8 };
	u64 pos;
	u8 want;

	for (a.rights = 0; a.rights <= RIGHTS; a.rights++) {
		for (want = 0; want <= RIGHTS; want++) {
			bool ok = (a.rights & want) == want;

			KUNIT_EXPECT_EQ(test, st_access_check(&a, &in, 8, want, &pos),
					ok ? ST_ERR_NONE : ST_ERR_INVALID_MX);
			KUNIT_EXPECT_EQ(test, st_access_check(&a, &behind, 1, want, &pos),
					ok ? ST_ERR_OUT_OF_RANGE_BUFX : ST_ERR_INVALID_MX);
			KUNIT_EXPECT_EQ(test, st_access_check(&a, &wrong, 0, want, &pos),
					ok ? ST_ERR_OVERSIZED_OFFSET : ST_ERR_INVALID_MX);
		}
	}
}

/* No STU crosses the end of a buffer, ST 6.2.7, even where the memory continues. */
static void st_access_stu(struct kunit *test)
{
	const struct st_area a = { .start = 1000, .len = 3 * BUFSIZE };
	struct st_op op = {};
	u64 pos;
	u32 n;

	for (n = 0; n < 70; n++) {
		op.bufx = 1;
		op.offset = BUFSIZE - n;
		if (!n)
			op = (struct st_op) { .bufx = 2 };
		KUNIT_EXPECT_EQ(test, st_access_check_stu(&a, &op, n, 0, &pos), ST_ERR_NONE);
		KUNIT_EXPECT_EQ(test, pos, 2 * BUFSIZE - n - 1000);
		if (n)
			KUNIT_EXPECT_EQ(test, st_access_check_stu(&a, &op, n + 1, 0, &pos),
					ST_ERR_OUT_OF_RANGE_BUFX);
	}
	op.bufx = 1;
	op.offset = 0;
	KUNIT_EXPECT_EQ(test, st_access_check_stu(&a, &op, BUFSIZE, 0, &pos), ST_ERR_NONE);
	KUNIT_EXPECT_EQ(test, st_access_check_stu(&a, &op, BUFSIZE + 1, 0, &pos),
			ST_ERR_OUT_OF_RANGE_BUFX);
	KUNIT_EXPECT_EQ(test, st_access_check_stu(&a, &op, U32_MAX, 0, &pos),
			ST_ERR_OUT_OF_RANGE_BUFX);
	op.offset = BUFSIZE - 1;
	KUNIT_EXPECT_EQ(test, st_access_check_stu(&a, &op, U32_MAX, 0, &pos),
			ST_ERR_OUT_OF_RANGE_BUFX);
	op.offset = BUFSIZE;
	KUNIT_EXPECT_EQ(test, st_access_check_stu(&a, &op, 1, 0, &pos), ST_ERR_OVERSIZED_OFFSET);
}

/* Model: whether bytes @place to @place + @len are in @area, without overflow. */
static bool st_test_inside(const struct st_area *area, u64 place, u64 len)
{
	u64 end, area_end;
	bool far = check_add_overflow(place, len, &end);
	bool area_far = check_add_overflow(area->start, area->len, &area_end);

	return place >= area->start && (far == area_far ? end <= area_end : area_far);
}

/* Compare with a model that does not subtract; numbers are close to each other, or arbitrary. */
static void st_access_random(struct kunit *test)
{
	unsigned int i, good = 0;
	struct rnd_state rnd;

	st_test_seed(test, &rnd);
	for (i = 0; i < 200000; i++) {
		bool near = i % 4;
		struct st_area a = {
			.start = near ? st_test_range(&rnd, 0, PAGE_SIZE) :
					st_test_u64(&rnd) >> st_test_range(&rnd, 0, 63),
			.len = near ? st_test_range(&rnd, 0, i % 8 < 4 ? 64 : 3 * BUFSIZE) :
				      st_test_u64(&rnd) >> st_test_range(&rnd, 0, 63),
			.rights = st_test_range(&rnd, 0, RIGHTS),
		};
		struct st_place at = {
			.bufx = near ? st_test_range(&rnd, 0, 3) : prandom_u32_state(&rnd),
			.offset = st_test_range(&rnd, 0, BUFSIZE + 10),
		};
		u64 len = near ? st_test_range(&rnd, 0, 64) :
				 st_test_u64(&rnd) >> st_test_range(&rnd, 0, 63);
		u64 place, pos = 0;
		enum st_error err;
		u8 want;

		/* Places at an edge are rare otherwise */
		if (near && i % 3) {
			place = a.start + (i % 2 ? a.len : 0) + st_test_range(&rnd, 0, 4) - 2;
			at.bufx = place >> ST_BUFSIZE;
			at.offset = place & (BUFSIZE - 1);
		}
		place = ((u64)at.bufx << ST_BUFSIZE) + at.offset;
		want = i % 5 ? a.rights & st_test_range(&rnd, 0, RIGHTS) :
			       st_test_range(&rnd, 0, RIGHTS);
		err = st_access_check(&a, &at, len, want, &pos);
		if (want & ~a.rights) {
			KUNIT_ASSERT_EQ(test, err, ST_ERR_INVALID_MX);
		} else if (at.offset >= BUFSIZE) {
			KUNIT_ASSERT_EQ(test, err, ST_ERR_OVERSIZED_OFFSET);
		} else if (!st_test_inside(&a, place, len)) {
			KUNIT_ASSERT_EQ_MSG(test, err, ST_ERR_OUT_OF_RANGE_BUFX,
					    "%llu + %llu of %llu + %llu", place, len, a.start,
					    a.len);
		} else {
			KUNIT_ASSERT_EQ_MSG(test, err, ST_ERR_NONE, "%llu + %llu of %llu + %llu",
					    place, len, a.start, a.len);
			KUNIT_ASSERT_EQ(test, a.start + pos, place);
			good++;
		}
	}
	KUNIT_EXPECT_GT(test, good, i / 20);
}

/* A Put of one STU, at byte @skip. */
static struct st_op st_test_put_op(const struct st_test_conn *conn, const struct st_op *region,
				   u32 b_num, u64 skip)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_DATA, ST_DATA_CHANNEL | ST_F_LAST |
					  ST_F_SEND_STATE);

	op.b_id = region->b_id;
	op.bufx = region->bufx + (skip >> ST_BUFSIZE);
	op.offset = region->offset + (skip & (BUFSIZE - 1));
	op.b_num = b_num;
	op.d_id = region->s_id;
	return op;
}

/* Receive a Put.  Return: whether the answer shows that it was executed. */
static bool st_test_put(struct st_test_conn *conn, const struct st_op *op, u32 len)
{
	struct sk_buff *skb = alloc_skb(ST_HDR_LEN + len, GFP_KERNEL);
	struct st_op answer;

	KUNIT_ASSERT_NOT_NULL(conn->test, skb);
	st_op_pack(op, skb_put(skb, ST_HDR_LEN));
	skb_put_zero(skb, len);
	st_test_rcv(conn, skb);
	answer = st_test_sent(conn, ST_OP_REQUEST_STATE_RESPONSE);
	KUNIT_EXPECT_TRUE(conn->test, skb_queue_empty(&conn->sent));
	return answer.b_num == op->b_num;
}

/* Whether an LLP gets a placement for a Put. */
static bool st_test_placed(struct st_test_conn *conn, const struct st_op *op, u32 len)
{
	struct st_placement *p;
	struct st_hdr hdr;

	st_op_pack(op, &hdr);
	local_bh_disable();
	rcu_read_lock();
	p = st_placement_get(conn->link, &hdr, len, st_test_peer(0), true);
	rcu_read_unlock();
	local_bh_enable();
	if (p)
		st_placement_put(p);
	return p;
}

/* Receive a Get of bytes of a region, or a FetchOp.  Return: whether it is answered with Data. */
static bool st_test_fetched(struct st_test_conn *conn, const struct st_op *region, u8 function,
			    u32 id, u64 skip, u32 len)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_GET, ST_DATA_CHANNEL |
					  FIELD_PREP(ST_F_FUNCTION, function));
	struct sk_buff *skb;
	u8 answer;

	op.param = function == ST_FN_GET ? len : 0;
	op.b_id = 0x1234;
	op.bufx = region->bufx + (skip >> ST_BUFSIZE);
	op.offset = region->offset + (skip & (BUFSIZE - 1));
	op.d_id = region->s_id;
	op.s_id = id;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	skb = skb_dequeue(&conn->sent);
	KUNIT_ASSERT_NOT_NULL(conn->test, skb);
	st_op_unpack((const struct st_hdr *)skb->data, &op);
	answer = op.op;
	KUNIT_EXPECT_EQ(conn->test, !!(op.flags & ST_F_REJECT), answer == ST_OP_REQUEST_ANSWER);
	kfree_skb(skb);
	KUNIT_EXPECT_TRUE(conn->test, skb_queue_empty(&conn->sent));
	return answer == ST_OP_DATA;
}

static u64 st_test_logged(const struct st_test_conn *conn, enum st_error err)
{
	return atomic64_read(&conn->st->bind.port->errors[err]);
}

/* Each operation requires its own right, and no other right helps. */
static void st_access_lent(struct kunit *test)
{
	struct st_test_conn *conn;
	struct st_op region, put;
	u32 access;

	for (access = 1; access <= RIGHTS; access++) {
		bool may_put = access & ST_REGION_PUT;

		if ((access & ST_REGION_FETCHOP) && IS_ENABLED(CONFIG_GENERIC_ATOMIC64))
			continue;
		conn = st_test_lent(test, access, &region);
		skb_queue_purge(&conn->sent);
		put = st_test_put_op(conn, &region, 0, 0);
		KUNIT_EXPECT_EQ(test, st_test_placed(conn, &put, PAGE_SIZE), may_put);
		KUNIT_EXPECT_EQ(test, st_test_put(conn, &put, PAGE_SIZE), may_put);
		KUNIT_EXPECT_EQ(test, st_test_logged(conn, ST_ERR_INVALID_MX), may_put ? 0 : 2);
		KUNIT_EXPECT_EQ(test, st_test_fetched(conn, &region, ST_FN_GET, G_ID, 0, 8),
				!!(access & ST_REGION_GET));
		KUNIT_EXPECT_EQ(test, st_test_fetched(conn, &region, ST_FETCH_CLEAR, F_ID, 0, 8),
				!!(access & ST_REGION_FETCHOP));
		/* Only the answer reports those */
		KUNIT_EXPECT_EQ(test, st_test_logged(conn, ST_ERR_INVALID_MX), may_put ? 0 : 2);
		KUNIT_EXPECT_EQ(test, st_test_logged(conn, ST_ERR_OUT_OF_RANGE_BUFX), 0);
	}
}

/* The same bytes are in range whether they are placed, received or read. */
static void st_access_bounds(struct kunit *test)
{
	static const struct {
		u64	skip;
		u32	len;
		bool	ok;
	} cases[] = {
		{ 0, PAGE_SIZE, true },
		{ 0, PAGE_SIZE + 1, false },
		{ 0, 0, true },
		{ PAGE_SIZE - 8, 8, true },
		{ PAGE_SIZE - 7, 8, false },
		{ PAGE_SIZE - 300, 300, true },
		{ PAGE_SIZE - 299, 300, false },
		{ PAGE_SIZE, 0, true },
		{ PAGE_SIZE, 8, false },
		{ PAGE_SIZE + 1, 0, false },
		{ BUFSIZE, 8, false },
		{ (u64)U32_MAX << ST_BUFSIZE, 8, false },
		{ ((u64)U32_MAX << ST_BUFSIZE) + BUFSIZE - 8, 300, false },
	};
	struct st_op region, put;
	struct st_test_conn *conn = st_test_lent(test, ST_REGION_PUT | ST_REGION_GET, &region);
	unsigned int i, wrong = 0;

	skb_queue_purge(&conn->sent);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		put = st_test_put_op(conn, &region, i, cases[i].skip);
		if (cases[i].len >= 256) {
			KUNIT_EXPECT_EQ_MSG(test, st_test_placed(conn, &put, cases[i].len),
					    cases[i].ok, "case %u", i);
			wrong += !cases[i].ok;
		}
		KUNIT_EXPECT_EQ_MSG(test, st_test_put(conn, &put, cases[i].len), cases[i].ok,
				    "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, st_test_fetched(conn, &region, ST_FN_GET, G_ID + i,
							  cases[i].skip, cases[i].len),
				    cases[i].ok, "case %u", i);
		wrong += 2 * !cases[i].ok;
		KUNIT_EXPECT_EQ_MSG(test, st_test_logged(conn, ST_ERR_OUT_OF_RANGE_BUFX), wrong,
				    "case %u", i);
	}
}

static struct kunit_case st_access_cases[] = {
	KUNIT_CASE(st_access_edges),
	KUNIT_CASE(st_access_overflow),
	KUNIT_CASE(st_access_rights),
	KUNIT_CASE(st_access_stu),
	KUNIT_CASE(st_access_random),
	KUNIT_CASE(st_access_lent),
	KUNIT_CASE(st_access_bounds),
	{}
};

static struct kunit_suite st_access_suite = {
	.name = "st_access",
	.test_cases = st_access_cases,
};

kunit_test_suite(st_access_suite);
