// SPDX-License-Identifier: GPL-2.0
/*
 * The emulator: faults of one direction of a cable.
 */

#include <kunit/test.h>
#include <linux/slab.h>

#include "emu/fabric/way.h"
#include "pair.h"

struct test_way {
	struct emu_way way;
	struct emu_seed seed;
	struct h64_upkt in[EMU_BATCH];
	struct h64_upkt out[EMU_BATCH_OUT];
	unsigned int n;
};

static void test_way_free(void *data)
{
	struct test_way *t = data;

	emu_way_free(&t->way);
}

/* A batch of micropackets of all TYPEs, all bits ones but TYPE and a number in the data */
static struct test_way *test_way_alloc(struct kunit *test, u64 seed)
{
	struct test_way *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, t);
	emu_way_init(&t->way, 3);
	emu_seed_set(&t->seed, seed);
	for (i = 0; i < EMU_BATCH; i++) {
		memset(&t->in[i], 0xff, sizeof(t->in[i]));
		t->in[i].data[0] = i;
		t->in[i].ctrl = cpu_to_le64((U64_MAX & ~H64_C_TYPE) |
					    FIELD_PREP(H64_C_TYPE, i % 16));
	}
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, test_way_free, t));
	return t;
}

static const struct h64_upkt *test_way_pass(struct test_way *t)
{
	t->n = EMU_BATCH;
	return emu_way_pass(&t->way, &t->seed, t->in, t->out, &t->n);
}

static unsigned int test_way_type(unsigned int i)
{
	return i % 16;
}

static void test_way_clean(struct kunit *test)
{
	struct test_way *t = test_way_alloc(test, 1);

	KUNIT_EXPECT_PTR_EQ(test, test_way_pass(t), &t->in[0]);
	KUNIT_EXPECT_EQ(test, t->n, EMU_BATCH);
	KUNIT_EXPECT_FALSE(test, emu_way_slow(&t->way));
	KUNIT_EXPECT_EQ(test, emu_way_next(&t->way), U64_MAX);
}

static void test_way_next_ones(struct kunit *test)
{
	struct test_way *t = test_way_alloc(test, 1);
	const struct h64_upkt *out;
	unsigned int i;

	atomic_set(&t->way.drop_next, 2);
	atomic_set(&t->way.truncate_next, 1);
	atomic_set(&t->way.dup_next, 2);
	out = test_way_pass(t);
	KUNIT_ASSERT_EQ(test, t->n, EMU_BATCH);
	/* 2 is truncated and duplicated, 3 is duplicated */
	KUNIT_EXPECT_EQ(test, out[0].data[0], 2);
	KUNIT_EXPECT_MEMNEQ(test, &out[0], &t->in[2], sizeof(*out));
	for (i = H64_UPKT_SIZE; i > 1 && !((u8 *)&out[0])[i - 1]; i--)
		;
	KUNIT_EXPECT_MEMEQ(test, &out[0], &t->in[2], i);
	KUNIT_EXPECT_MEMEQ(test, &out[1], &out[0], sizeof(*out));
	KUNIT_EXPECT_MEMEQ(test, &out[2], &t->in[3], sizeof(*out));
	KUNIT_EXPECT_MEMEQ(test, &out[3], &t->in[3], sizeof(*out));
	KUNIT_EXPECT_MEMEQ(test, &out[4], &t->in[4], (EMU_BATCH - 4) * sizeof(*out));
	KUNIT_EXPECT_EQ(test, t->way.stats.dropped, 2);
	KUNIT_EXPECT_EQ(test, t->way.stats.truncated, 1);
	KUNIT_EXPECT_EQ(test, t->way.stats.duplicated, 2);
	KUNIT_EXPECT_PTR_EQ(test, test_way_pass(t), &t->in[0]);
}

/* Faults with a rate of 1 hit exactly the selected TYPEs */
static void test_way_types(struct kunit *test)
{
	struct test_way *t = test_way_alloc(test, 1);
	const struct h64_upkt *out;
	unsigned int i, n = 0;

	t->way.hit_types = BIT(H64_TYPE_DATA) | BIT(15);
	t->way.drop.rate = EMU_RATE_UNIT;
	out = test_way_pass(t);
	for (i = 0; i < EMU_BATCH; i++) {
		if (test_way_type(i) == H64_TYPE_DATA || test_way_type(i) == 15)
			continue;
		KUNIT_EXPECT_MEMEQ(test, &out[n++], &t->in[i], sizeof(*out));
	}
	KUNIT_EXPECT_EQ(test, t->n, n);
	KUNIT_EXPECT_EQ(test, t->way.stats.dropped, EMU_BATCH - n);

	t->way.drop.rate = 0;
	t->way.dup.rate = EMU_RATE_UNIT;
	test_way_pass(t);
	KUNIT_EXPECT_EQ(test, t->n, EMU_BATCH + EMU_BATCH - n);
	KUNIT_EXPECT_EQ(test, t->way.stats.duplicated, EMU_BATCH - n);

	t->way.dup.rate = 0;
	t->way.truncate.rate = EMU_RATE_UNIT;
	out = test_way_pass(t);
	KUNIT_EXPECT_EQ(test, t->n, EMU_BATCH);
	KUNIT_EXPECT_EQ(test, t->way.stats.truncated, EMU_BATCH - n);
	for (i = 0; i < EMU_BATCH; i++) {
		if (test_way_type(i) == H64_TYPE_DATA || test_way_type(i) == 15)
			KUNIT_EXPECT_EQ(test, ((u8 *)&out[i])[H64_UPKT_SIZE - 1], 0);
		else
			KUNIT_EXPECT_MEMEQ(test, &out[i], &t->in[i], sizeof(*out));
	}
}

struct test_bits {
	enum emu_hit_bits hit;
	unsigned int first;
	unsigned int last;
};

/* If all selected bits are flipped, the other bits are unchanged */
static void test_way_bits(struct kunit *test)
{
	static const struct test_bits all[] = {
		{ EMU_HIT_ALL, 0, 39 }, { EMU_HIT_DATA, 0, 31 }, { EMU_HIT_CONTROL, 32, 35 },
		{ EMU_HIT_ECRC, 36, 37 }, { EMU_HIT_LCRC, 38, 39 },
	};
	struct test_way *t = test_way_alloc(test, 1);
	const struct test_bits *b;
	unsigned int i, byte;

	t->way.flip.rate = EMU_RATE_UNIT;
	for (b = all; b < all + ARRAY_SIZE(all); b++) {
		const u64 before = t->way.stats.bits_flipped;
		const struct h64_upkt *out;

		t->way.hit_bits = b->hit;
		out = test_way_pass(t);
		KUNIT_ASSERT_EQ(test, t->n, EMU_BATCH);
		KUNIT_EXPECT_EQ(test, t->way.stats.bits_flipped - before,
				EMU_BATCH * 8 * (b->last - b->first + 1));
		for (i = 0; i < EMU_BATCH; i++) {
			for (byte = 0; byte < H64_UPKT_SIZE; byte++) {
				u8 flipped = ((u8 *)&out[i])[byte] ^ ((u8 *)&t->in[i])[byte];

				KUNIT_EXPECT_EQ(test, flipped,
						byte >= b->first && byte <= b->last ? 0xff : 0);
			}
		}
	}
	KUNIT_EXPECT_EQ(test, t->way.stats.hit, ARRAY_SIZE(all) * EMU_BATCH);
}

/* A burst extends a loss or a bit error to the next micropackets */
static void test_way_burst(struct kunit *test)
{
	enum { BURST = 5, BATCHES = 1000 };
	struct test_way *t = test_way_alloc(test, test_seed(test));
	unsigned int i, batch, row = 0;

	t->way.burst = BURST;
	t->way.drop.rate = EMU_RATE_UNIT / 100;
	for (batch = 0; batch < BATCHES; batch++) {
		const struct h64_upkt *out = test_way_pass(t);
		unsigned int next = 0;

		for (i = 0; i < EMU_BATCH; i++) {
			if (next < t->n && out[next].data[0] == i) {
				KUNIT_EXPECT_EQ(test, row % BURST, 0);
				row = 0;
				next++;
			} else {
				row++;
			}
		}
	}
	KUNIT_EXPECT_GT(test, t->way.stats.dropped, 0);

	t->way.drop.rate = 0;
	t->way.drop_left = 0;
	t->way.flip.rate = EMU_RATE_UNIT / 100000;
	row = 0;
	for (batch = 0; batch < BATCHES; batch++) {
		const struct h64_upkt *out = test_way_pass(t);

		for (i = 0; i < t->n; i++) {
			if (memcmp(&out[i], &t->in[i], sizeof(*out))) {
				row++;
				continue;
			}
			KUNIT_EXPECT_TRUE(test, !row || row >= BURST);
			row = 0;
		}
	}
	KUNIT_EXPECT_GT(test, t->way.stats.hit, 0);
	KUNIT_EXPECT_GE(test, t->way.stats.bits_flipped, t->way.stats.hit);
}

/* The same seed and micropackets give the same faults, whatever the batches */
static void test_way_again(struct kunit *test)
{
	struct test_way *t[2] = { test_way_alloc(test, 7), test_way_alloc(test, 7) };
	unsigned int i, k, n, batch, count;

	for (k = 0; k < 2; k++) {
		t[k]->way.flip.rate = EMU_RATE_UNIT / 1000;
		t[k]->way.drop.rate = EMU_RATE_UNIT / 10;
		t[k]->way.dup.rate = EMU_RATE_UNIT / 20;
		t[k]->way.truncate.rate = EMU_RATE_UNIT / 30;
		t[k]->way.burst = 2;
	}
	for (batch = 0; batch < 100; batch++) {
		const struct h64_upkt *whole = test_way_pass(t[0]);

		for (i = 0, count = 0; i < EMU_BATCH; i++, count += n) {
			n = 1;
			emu_way_pass(&t[1]->way, &t[1]->seed, &t[1]->in[i], t[1]->out, &n);
			KUNIT_ASSERT_LE(test, count + n, t[0]->n);
			KUNIT_ASSERT_MEMEQ(test, t[1]->out, &whole[count], n * sizeof(*whole));
		}
		KUNIT_ASSERT_EQ(test, count, t[0]->n);
	}
	KUNIT_EXPECT_MEMEQ(test, &t[0]->way.stats, &t[1]->way.stats, sizeof(t[0]->way.stats));
	KUNIT_EXPECT_NE(test, t[0]->way.stats.hit, 0);
	KUNIT_EXPECT_NE(test, t[0]->way.stats.duplicated, 0);
	KUNIT_EXPECT_NE(test, t[0]->way.stats.truncated, 0);
}

static void test_way_stuck(struct kunit *test)
{
	struct test_way *t = test_way_alloc(test, 1);

	t->way.stuck = true;
	test_way_pass(t);
	KUNIT_EXPECT_EQ(test, t->n, 0);
	KUNIT_EXPECT_EQ(test, t->way.stats.stuck, EMU_BATCH);
	t->way.stuck = false;
	KUNIT_EXPECT_PTR_EQ(test, test_way_pass(t), &t->in[0]);
}

static void test_way_delay(struct kunit *test)
{
	struct test_way *t = test_way_alloc(test, 1);
	const u64 now = 1000000;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, emu_way_set_delay(&t->way, EMU_DELAY_MAX_USECS + 1), -ERANGE);
	KUNIT_ASSERT_EQ(test, 0, emu_way_set_delay(&t->way, 100));
	KUNIT_EXPECT_TRUE(test, emu_way_slow(&t->way));
	emu_way_wait(&t->way, t->in, 10, now);
	KUNIT_EXPECT_EQ(test, emu_way_next(&t->way), now + 100000);
	KUNIT_EXPECT_EQ(test, emu_way_due(&t->way, t->out, now + 99999), 0);

	/* A later micropacket without delay does not overtake */
	KUNIT_ASSERT_EQ(test, 0, emu_way_set_delay(&t->way, 0));
	KUNIT_EXPECT_TRUE(test, emu_way_slow(&t->way));
	emu_way_wait(&t->way, t->in + 10, 10, now + 50000);
	KUNIT_EXPECT_EQ(test, emu_way_due(&t->way, t->out, now + 99999), 0);
	KUNIT_EXPECT_EQ(test, emu_way_due(&t->way, t->out, now + 100000), 20);
	KUNIT_EXPECT_MEMEQ(test, t->out, t->in, 20 * sizeof(*t->in));
	KUNIT_EXPECT_FALSE(test, emu_way_slow(&t->way));
	KUNIT_EXPECT_EQ(test, t->way.stats.delayed, 20);

	/* A line that is cut, and one that is full */
	KUNIT_ASSERT_EQ(test, 0, emu_way_set_delay(&t->way, 1));
	emu_way_wait(&t->way, t->in, 10, now);
	emu_way_clear(&t->way);
	KUNIT_EXPECT_EQ(test, t->way.stats.lost, 10);
	KUNIT_EXPECT_EQ(test, emu_way_next(&t->way), U64_MAX);
	for (i = 0; i < EMU_DELAY_QUEUE / EMU_BATCH; i++)
		emu_way_wait(&t->way, t->in, EMU_BATCH, now);
	KUNIT_EXPECT_EQ(test, t->way.stats.delay_full, 0);
	emu_way_wait(&t->way, t->in, 3, now);
	KUNIT_EXPECT_EQ(test, t->way.stats.delay_full, 3);
	for (i = 0; i < EMU_DELAY_QUEUE / EMU_BATCH_OUT; i++) {
		KUNIT_ASSERT_EQ(test, emu_way_due(&t->way, t->out, now + 1000), EMU_BATCH_OUT);
		KUNIT_EXPECT_MEMEQ(test, t->out, t->in, sizeof(t->in));
		KUNIT_EXPECT_MEMEQ(test, t->out + EMU_BATCH, t->in, sizeof(t->in));
	}
	KUNIT_EXPECT_EQ(test, emu_way_due(&t->way, t->out, now + 1000), 0);
}

static struct kunit_case way_cases[] = {
	KUNIT_CASE(test_way_clean),
	KUNIT_CASE(test_way_next_ones),
	KUNIT_CASE(test_way_types),
	KUNIT_CASE(test_way_bits),
	KUNIT_CASE(test_way_burst),
	KUNIT_CASE(test_way_again),
	KUNIT_CASE(test_way_stuck),
	KUNIT_CASE(test_way_delay),
	{}
};

static struct kunit_suite way_suite = {
	.name = "hippi6400_emu_way",
	.test_cases = way_cases,
};

kunit_test_suite(way_suite);
