/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests have in common.
 */
#ifndef _RIO9_TESTS_COMMON_H
#define _RIO9_TESTS_COMMON_H

#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/skbuff.h>
#include <linux/types.h>

void rio9_test_seed(struct kunit *test, struct rnd_state *rnd);
u32 rio9_test_range(struct rnd_state *rnd, u32 min, u32 max);
unsigned int rio9_test_hex(struct kunit *test, const char **text, u8 *buf, unsigned int size);
void *rio9_test_copy(struct kunit *test, const void *data, unsigned int len);
u8 *rio9_test_payload(struct kunit *test, u32 len);
struct sk_buff *rio9_test_skb(struct kunit *test, const u8 *data, u32 len, u32 linear, u32 frag);

#endif
