// SPDX-License-Identifier: GPL-2.0
/*
 * Keys, ST 5.2.2: a secret permutation of a counter.  None comes again within
 * 2^32 Virtual Connections, so none within 10 minutes, with nothing to remember
 * of those that are over; and who knows some can't tell the next.
 */
#include <kunit/visibility.h>
#include <linux/atomic.h>
#include <linux/export.h>
#include <linux/once.h>
#include <linux/random.h>
#include <linux/siphash.h>

#include "conn/host.h"

/* Four make a Feistel network a random permutation; more, as the halves are short */
#define ST_KEY_ROUNDS	10

/**
 * st_key_permute - a permutation of the numbers of 32 bits
 * @secret: which one
 * @n: the number
 *
 * A Feistel network: whatever the function of a round, every round and so the
 * whole can be undone, that is, no two numbers become the same.
 *
 * Context: any.
 * Return: what @n becomes.
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
 * st_key_new - a Key for a new Virtual Connection, ST 5.2.2
 *
 * One counter serves all network namespaces, since a device, and with it the
 * address that peers know, can move between them.
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
