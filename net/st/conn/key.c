// SPDX-License-Identifier: GPL-2.0
/*
 * Keys, ST 5.2.2: a secret permutation of a counter.  No Key comes again within 2^32 Virtual
 * Connections, hence not within 10 minutes, and no old Keys need to be remembered.  Knowing
 * some Keys does not help to predict the next.
 */
#include <kunit/visibility.h>
#include <linux/atomic.h>
#include <linux/export.h>
#include <linux/once.h>
#include <linux/random.h>
#include <linux/siphash.h>

#include "conn/host.h"

/* Four rounds make a Feistel network a random permutation; the short halves need more */
#define ST_KEY_ROUNDS	10

/**
 * st_key_permute - permute the 32-bit numbers
 * @secret: selects the permutation
 * @n: the number
 *
 * A Feistel network: every round, and so the whole, can be inverted, whatever its
 * round function is.  So no two numbers are mapped to the same one.
 *
 * Context: any.
 * Return: the image of @n.
 */
u32 st_key_permute(const siphash_key_t *secret, u32 n)
{
	u16 left = n >> 16, right = n;
	unsigned int round;

	for (round = 0; round < ST_KEY_ROUNDS; round++) {
		u16 next = left ^ (u16)siphash_2u32(round, right, secret);

		left = right;
		right = next;
	}
	return (u32)left << 16 | right;
}
EXPORT_SYMBOL_IF_KUNIT(st_key_permute);

/**
 * st_key_new - choose a Key for a new Virtual Connection, ST 5.2.2
 *
 * One counter serves all network namespaces, since a device, and with it the
 * address that peers know, may move between them.
 *
 * Context: any.
 * Return: the Key.
 */
u32 st_key_new(void)
{
	static siphash_key_t secret __read_mostly;
	static atomic_t count;

	get_random_once(&secret, sizeof(secret));
	return st_key_permute(&secret, atomic_inc_return(&count));
}
EXPORT_SYMBOL_IF_KUNIT(st_key_new);
