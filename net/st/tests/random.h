/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _NET_ST_TESTS_RANDOM_H
#define _NET_ST_TESTS_RANDOM_H

#include <kunit/test.h>
#include <linux/prandom.h>

void st_test_seed(struct kunit *test, struct rnd_state *rnd);
u64 st_test_u64(struct rnd_state *rnd);
u32 st_test_range(struct rnd_state *rnd, u32 min, u32 max);

#endif
