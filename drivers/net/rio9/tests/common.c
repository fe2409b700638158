// SPDX-License-Identifier: GPL-2.0
/*
 * What the tests have in common: random numbers that a failed run can be given again, bytes
 * of vectors, PDUs.
 */
#include <linux/ctype.h>
#include <linux/hex.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/st_compat.h>
#include <linux/string.h>

#include "common.h"
#include "vectors.h"

static unsigned long long seed;
module_param(seed, ullong, 0444);
MODULE_PARM_DESC(seed, "seed of the random tests; 0: a new one every time");

/**
 * rio9_test_seed - start a random test
 * @test: the test, whose log gets the seed
 * @rnd: state to start
 */
void rio9_test_seed(struct kunit *test, struct rnd_state *rnd)
{
	u64 s = seed ?: get_random_u64();

	kunit_info(test, "rio9_test.seed=%llu", s);
	prandom_seed_state(rnd, s);
}

/**
 * rio9_test_range - a random number within limits
 * @rnd: where from
 * @min: the least
 * @max: the most, less than @min + 2^32 - 1
 *
 * Return: @min to @max.
 */
u32 rio9_test_range(struct rnd_state *rnd, u32 min, u32 max)
{
	return min + prandom_u32_state(rnd) % (max - min + 1);
}

/**
 * rio9_test_hex - read bytes of a vector
 * @test: the test
 * @text: digits in lines; on return what is behind the last of them
 * @buf: gets the bytes
 * @size: of it
 *
 * Return: how many there are.
 */
unsigned int rio9_test_hex(struct kunit *test, const char **text, u8 *buf, unsigned int size)
{
	const char *c = *text;
	unsigned int digits = 0;

	for (; isxdigit(*c) || *c == '\n'; c++) {
		if (*c == '\n')
			continue;
		KUNIT_ASSERT_LT(test, digits / 2, size);
		if (digits & 1)
			buf[digits / 2] = buf[digits / 2] << 4 | hex_to_bin(*c);
		else
			buf[digits / 2] = hex_to_bin(*c);
		digits++;
	}
	KUNIT_ASSERT_EQ(test, digits % 2, 0);
	*text = c;
	return digits / 2;
}

/**
 * rio9_test_copy - bytes in memory of just that length
 * @test: the test, with which they are freed
 * @data: the bytes
 * @len: how many
 *
 * KASAN notices who reads what is behind them.
 *
 * Return: the copy.
 */
void *rio9_test_copy(struct kunit *test, const void *data, unsigned int len)
{
	void *copy = kunit_kmalloc(test, max(len, 1), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, copy);
	memcpy(copy, data, len);
	return copy;
}

/**
 * rio9_test_payload - the PDU of a length
 * @test: the test, with which it is freed
 * @len: bytes
 *
 * Return: the payload vector, or what the vectors use where they have none.
 */
u8 *rio9_test_payload(struct kunit *test, u32 len)
{
	u8 *data = kunit_kmalloc(test, max(len, 1), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, data);
	for (i = 0; i < rio9_payload_vectors_count; i++) {
		const char *hex = rio9_payload_vectors[i].hex;

		if (rio9_payload_vectors[i].len != len)
			continue;
		KUNIT_ASSERT_EQ(test, rio9_test_hex(test, &hex, data, len), len);
		return data;
	}
	for (i = 0; i < len; i++)
		data[i] = 167 * i + 91 * (i >> 8) + len;
	return data;
}

/**
 * rio9_test_skb - a PDU as a sender has it
 * @test: the test
 * @data: its bytes
 * @len: how many
 * @linear: how many of them are in the linear part
 * @frag: how many in each page
 *
 * Return: it, the caller's.
 */
struct sk_buff *rio9_test_skb(struct kunit *test, const u8 *data, u32 len, u32 linear, u32 frag)
{
	struct sk_buff *skb = alloc_skb(linear, GFP_KERNEL);
	u32 pos = min(len, linear), n;

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_put_data(skb, data, pos);
	for (; pos < len; pos += n) {
		struct page *page = alloc_page(GFP_KERNEL);

		KUNIT_ASSERT_NOT_NULL(test, page);
		n = min(frag, len - pos);
		memcpy(page_address(page) + PAGE_SIZE - n, data + pos, n);
		skb_add_rx_frag(skb, skb_shinfo(skb)->nr_frags, page, PAGE_SIZE - n, n,
				PAGE_SIZE);
	}
	return skb;
}

MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING");
MODULE_DESCRIPTION("KUnit tests of RapidIO Type 9");
MODULE_LICENSE("GPL");
