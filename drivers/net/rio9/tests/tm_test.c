// SPDX-License-Identifier: GPL-2.0
/*
 * What traffic management messages say, 4.3, against golden vectors.
 */
#include <linux/string.h>

#include "tm_common.h"
#include "vectors.h"
#include "vectors_tm.h"

/* How the names of the vectors begin, and what such a message says */
static const struct {
	const char *name;
	enum rio9_tm_says says;
} test_says[] = {
	{ "basic-XOFF", RIO9_TM_XOFF },
	{ "rate-XOFF", RIO9_TM_XOFF },
	{ "credit-XOFF", RIO9_TM_XOFF },
	{ "XOFF-operand", RIO9_TM_XOFF },
	{ "basic-XON", RIO9_TM_XON },
	{ "rate-XON", RIO9_TM_XON },
	{ "credit-XON", RIO9_TM_XON },
	{ "basic-user", RIO9_TM_USER },
	{ "rate-user", RIO9_TM_USER },
	{ "credit-user", RIO9_TM_USER },
	{ "application", RIO9_TM_USER },
	{ "basic-Q_STATUS", RIO9_TM_Q_STATUS },
	{ "rate-Q_STATUS", RIO9_TM_Q_STATUS },
	{ "credit-Q_STATUS", RIO9_TM_Q_STATUS },
	{ "MAINTAIN", RIO9_TM_REDUCE },
	{ "REDUCE", RIO9_TM_REDUCE },
	{ "INCREASE", RIO9_TM_INCREASE },
	{ "DOUBLE", RIO9_TM_INCREASE },
	{ "ALLOCATE", RIO9_TM_ALLOCATE },
	{ "CREDIT_STATUS", RIO9_TM_CREDIT_STATUS },
	{ "reserved", RIO9_TM_RESERVED },
};

static void test_parse(struct kunit *test)
{
	const struct rio9_tm_vector *v = rio9_tm_vectors;
	struct rio9_tm_msg msg;
	unsigned int i, n;

	for (; v < rio9_tm_vectors + rio9_tm_vectors_count; v++) {
		msg = rio9_tm_parse(&v->tm);
		for (i = 0; i < ARRAY_SIZE(test_says); i++)
			if (strstarts(v->name, test_says[i].name))
				break;
		KUNIT_ASSERT_LT_MSG(test, i, ARRAY_SIZE(test_says), "%s", v->name);
		KUNIT_EXPECT_EQ_MSG(test, msg.says, test_says[i].says, "%s", v->name);
		if (msg.says == RIO9_TM_RESERVED)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, msg.peak, !!strstr(v->name, "-peak"), "%s", v->name);
		n = v->tm.param2;
		if (msg.says == RIO9_TM_XON)
			n = 0;
		else if (strstarts(v->name, "DOUBLE"))
			n = 256;
		KUNIT_EXPECT_EQ_MSG(test, msg.n, n, "%s", v->name);
		if (msg.says == RIO9_TM_ALLOCATE || msg.says == RIO9_TM_CREDIT_STATUS)
			KUNIT_EXPECT_EQ_MSG(test, msg.unit, v->tm.param1 & 15, "%s", v->name);
	}
}

/* All of the parameters 1 that have a meaning, and no others */
static void test_reserved(struct kunit *test)
{
	static const u8 basic[] = { 0x00, 0x03 }, rate[] = { 0x00, 0x01, 0x02, 0x03, 0x05, 0x06 };
	struct rio9_tm tm = { .param2 = 1 };
	unsigned int op, p1;
	bool known;

	for (op = 0; op < 16; op++) {
		for (p1 = 0; p1 < 256; p1++) {
			tm.op = op;
			tm.param1 = p1;
			switch (op) {
			case RIO9_TM_OP_BASIC:
				known = memchr(basic, p1, sizeof(basic));
				break;
			case RIO9_TM_OP_RATE:
				known = memchr(rate, p1, sizeof(rate));
				break;
			case RIO9_TM_OP_CREDIT:
				known = !p1 || (p1 >= 0x10 && p1 <= 0x30);
				break;
			default:
				known = op == RIO9_TM_OP_APP;
			}
			KUNIT_EXPECT_EQ_MSG(test, rio9_tm_parse(&tm).says != RIO9_TM_RESERVED,
					    known, "OP %u, parameter 1 %02x", op, p1);
		}
	}
}

static void test_operands(struct kunit *test)
{
	unsigned int i, wildcard, mask, masks = 0;

	for (i = 0; i < ARRAY_SIZE(rio9_operand_vectors); i++)
		KUNIT_EXPECT_EQ_MSG(test, rio9_operand_vectors[i].valid,
				    rio9_tm_operand_valid(rio9_operand_vectors[i].wildcard,
							  rio9_operand_vectors[i].mask),
				    "wildcard %u, mask %02x", rio9_operand_vectors[i].wildcard,
				    rio9_operand_vectors[i].mask);
	/* Nine masks, table 4-3 */
	for (mask = 0; mask < 256; mask++)
		masks += rio9_tm_operand_valid(1, mask);
	KUNIT_EXPECT_EQ(test, masks, 9);
	for (wildcard = 8; wildcard < 256; wildcard++)
		KUNIT_EXPECT_FALSE(test, rio9_tm_operand_valid(wildcard, 0));
}

static void test_covers(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rio9_covers_vectors); i++) {
		const struct rio9_packet p = {
			.src = rio9_covers_vectors[i].sender,
			.cos = rio9_covers_vectors[i].cos,
			.stream = rio9_covers_vectors[i].stream,
			.tm.wildcard = rio9_covers_vectors[i].wildcard,
			.tm.mask = rio9_covers_vectors[i].mask,
		};
		const struct rio9_pdu pdu = {
			.peer = rio9_covers_vectors[i].dst,
			.cos = rio9_covers_vectors[i].to_cos,
			.stream = rio9_covers_vectors[i].to_stream,
		};

		KUNIT_EXPECT_EQ_MSG(test, rio9_tm_covers(&p, &pdu), rio9_covers_vectors[i].covers,
				    "vector %u", i);
	}
}

/* A mask that does not matter is not looked at */
static void test_covers_any_class(struct kunit *test)
{
	struct rio9_packet p = { .src = 21, .tm.wildcard = 3 };
	struct rio9_pdu pdu = { .peer = 21 };
	unsigned int mask, cos;

	for (mask = 0; mask < 256; mask++) {
		for (cos = 0; cos < 256; cos++) {
			p.tm.mask = mask;
			pdu.cos = cos;
			KUNIT_ASSERT_TRUE(test, rio9_tm_covers(&p, &pdu));
		}
	}
}

static void test_flows(struct kunit *test)
{
	u8 out[RIO9_TM_FLOWS];
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(rio9_flows_vectors); i++) {
		n = rio9_tm_flows(rio9_flows_vectors[i].wildcard, rio9_flows_vectors[i].mask,
				  rio9_flows_vectors[i].cos, out);
		KUNIT_ASSERT_EQ_MSG(test, n, rio9_flows_vectors[i].count, "vector %u", i);
		KUNIT_EXPECT_MEMEQ_MSG(test, out, rio9_flows_vectors[i].out, n, "vector %u", i);
	}
}

static struct rio9_tm_msg test_rate_msg(u8 param1, u8 param2)
{
	const struct rio9_tm tm = { .op = RIO9_TM_OP_RATE, .param1 = param1, .param2 = param2 };

	return rio9_tm_parse(&tm);
}

static void test_rate_alone(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rio9_rate_vectors); i++) {
		struct rio9_tm_rates rates = {
			.average = rio9_rate_vectors[i].now, .peak = rio9_rate_vectors[i].most,
		};
		struct rio9_tm_msg msg = test_rate_msg(rio9_rate_vectors[i].param1,
						       rio9_rate_vectors[i].param2);

		rio9_tm_change_rate(&rates, &msg, rio9_rate_vectors[i].least,
				    rio9_rate_vectors[i].most);
		KUNIT_EXPECT_EQ_MSG(test, rates.average, rio9_rate_vectors[i].becomes,
				    "vector %u", i);
		KUNIT_EXPECT_EQ(test, rates.peak, rio9_rate_vectors[i].most);
	}
}

static void test_rates(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rio9_rates_vectors); i++) {
		struct rio9_tm_rates rates = {
			.average = rio9_rates_vectors[i].average,
			.peak = rio9_rates_vectors[i].peak,
		};
		struct rio9_tm_msg msg = test_rate_msg(rio9_rates_vectors[i].param1,
						       rio9_rates_vectors[i].param2);

		rio9_tm_change_rate(&rates, &msg, rio9_rates_vectors[i].least,
				    rio9_rates_vectors[i].most);
		KUNIT_EXPECT_EQ_MSG(test, rates.average, rio9_rates_vectors[i].new_average,
				    "vector %u", i);
		KUNIT_EXPECT_EQ_MSG(test, rates.peak, rio9_rates_vectors[i].new_peak,
				    "vector %u", i);
	}
}

/* Any number of any messages: never zero, and the average never above the peak */
static void test_any_rates(struct kunit *test)
{
	static const u8 param1[] = { 0x01, 0x02, 0x05, 0x06 };
	struct rio9_tm_rates rates = { .average = 1000000, .peak = 5000000 };
	struct rio9_tm_msg msg;
	struct rnd_state rnd;
	unsigned int i;

	rio9_test_seed(test, &rnd);
	for (i = 0; i < 100000; i++) {
		msg = test_rate_msg(param1[rio9_test_range(&rnd, 0, 3)],
				    rio9_test_range(&rnd, 1, 255));
		rio9_tm_change_rate(&rates, &msg, 64000, 5000000);
		KUNIT_ASSERT_GE(test, rates.average, 64000);
		KUNIT_ASSERT_LE(test, rates.average, rates.peak);
		KUNIT_ASSERT_LE(test, rates.peak, 5000000);
	}
}

/* All forms of operands against the golden values: what is stopped, and what is not */
static void test_covered(struct kunit *test)
{
	unsigned int i, kicks;

	for (i = 0; i < ARRAY_SIZE(rio9_covers_vectors); i++) {
		struct test_tm *t = test_tm(test, RIO9_TM_BASIC);
		struct rio9_tm_q q = {
			.wildcard = rio9_covers_vectors[i].wildcard,
			.mask = rio9_covers_vectors[i].mask,
			.cos = rio9_covers_vectors[i].cos,
			.stream = rio9_covers_vectors[i].stream,
		};

		rio9_tm_add_peer(&t->tm, rio9_covers_vectors[i].sender);
		kicks = t->kicks;
		test_xoff(t, rio9_covers_vectors[i].sender, q);
		KUNIT_EXPECT_EQ_MSG(test, test_tm_may(t, rio9_covers_vectors[i].dst,
						      rio9_covers_vectors[i].to_cos,
						      rio9_covers_vectors[i].to_stream),
				    !rio9_covers_vectors[i].covers, "vector %u", i);
		test_xon(t, rio9_covers_vectors[i].sender, q);
		KUNIT_EXPECT_TRUE(test, test_tm_may(t, rio9_covers_vectors[i].dst,
						    rio9_covers_vectors[i].to_cos,
						    rio9_covers_vectors[i].to_stream));
		KUNIT_EXPECT_EQ(test, t->kicks, kicks + 2);
	}
}

/* The rates that operands have, 3.4.3: the golden values, by messages */
static void test_rate_values(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rio9_rates_vectors); i++) {
		struct test_tm *t = test_tm(test, RIO9_TM_RATE);
		struct rio9_operand *o;

		t->tm.rate = rio9_rates_vectors[i].most;
		test_rate(t, test_all(), 0x01, 0x80);
		o = list_first_entry(&((struct rio9_tm_peer *)
				       xa_load(&t->tm.peers, TEST_PEER))->operands,
				     struct rio9_operand, list);
		o->rates.average = rio9_rates_vectors[i].average;
		o->rates.peak = rio9_rates_vectors[i].peak;
		test_rate(t, test_all(), rio9_rates_vectors[i].param1,
			  rio9_rates_vectors[i].param2);
		KUNIT_EXPECT_EQ_MSG(test, o->rates.average, rio9_rates_vectors[i].new_average,
				    "vector %u", i);
		KUNIT_EXPECT_EQ_MSG(test, o->rates.peak, rio9_rates_vectors[i].new_peak,
				    "vector %u", i);
		test_stat_is(t, RIO9_STAT_TM_RATE, 2);
	}
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_parse),
	KUNIT_CASE(test_reserved),
	KUNIT_CASE(test_operands),
	KUNIT_CASE(test_covers),
	KUNIT_CASE(test_covers_any_class),
	KUNIT_CASE(test_flows),
	KUNIT_CASE(test_rate_alone),
	KUNIT_CASE(test_rates),
	KUNIT_CASE(test_any_rates),
	KUNIT_CASE(test_covered),
	KUNIT_CASE(test_rate_values),
	{}
};

static struct kunit_suite test_suite = {
	.name = "rio9_tm",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
