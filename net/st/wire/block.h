/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Division of a Transfer into Blocks and of a Block into STUs, ST 6.2.4 to 6.2.8, and the range
 * check for operations.
 *
 * Sizes that are exponents of two on the wire are exponents here, too.
 */
#ifndef _NET_ST_BLOCK_H
#define _NET_ST_BLOCK_H

#include <linux/math64.h>
#include <linux/types.h>

#include "wire/op.h"

/**
 * struct st_tiling - parameters of the Block boundaries of a Transfer
 * @t_len: length of the Transfer, bytes; 0 is unlimited, ST 6.2.3
 * @f_offset: Offset of the first Block, ST 6.2.8
 * @blocksize: log2 of the Block size, ST_BLOCK_MIN to ST_BLOCK_MAX, ST 6.2.6
 */
struct st_tiling {
	u64	t_len;
	u32	f_offset;
	u8	blocksize;
};

/**
 * struct st_place - a place in the data Destination's buffers, ST 6.2.8
 * @bufx: Buffer Index
 * @offset: bytes into that buffer
 */
struct st_place {
	u32	bufx;
	u32	offset;
};

/**
 * struct st_area - memory of this end that the peer may access
 * @start: its first byte, counted from Bufx 0, Offset 0
 * @len: bytes
 * @rights: access that the peer has, of ST_REGION_*
 */
struct st_area {
	u64	start;
	u64	len;
	u8	rights;
};

/* B_nums of Puts, ST 6.2.4: the number @by after @n, and the distance to @to */
static inline u32 st_put_num(u32 n, u32 by)
{
	u64 sum = (u64)n + by;

	return sum >= ST_B_NUM_NONE ? sum - ST_B_NUM_NONE : sum;
}

static inline u32 st_put_distance(u32 from, u32 to)
{
	return to >= from ? to - from : to + (ST_B_NUM_NONE - from);
}

/* The first Block from @base on that has a given B_num */
static inline u64 st_b_num_from(u64 base, u32 b_num)
{
	u32 first;

	div_u64_rem(base, ST_B_NUM_NONE, &first);
	return base + (b_num >= first ? b_num - first : b_num + ST_B_NUM_NONE - first);
}

/* B_num wraps from x'FFFFFFFE' to 0, ST 6.2.4 */
static inline u32 st_b_num(u64 n)
{
	u32 rem;

	div_u64_rem(n, ST_B_NUM_NONE, &rem);
	return rem;
}

/* wire/block.c */
u64 st_block_count(const struct st_tiling *t);
u64 st_block_start(const struct st_tiling *t, u64 n);
u64 st_block_len(const struct st_tiling *t, u64 n);
u32 st_stu_len(const struct st_place *at, u64 left, u8 bufsize, u8 max_stu);
bool st_place_valid(const struct st_place *at, u8 bufsize);
bool st_place_advance(struct st_place *at, u64 len, u8 bufsize);
bool st_place_distance(const struct st_place *from, const struct st_place *to,
		       u8 bufsize, u64 *dist);
u8 st_max_block(u8 bufsize, u8 max_stu);
enum st_error st_access_check(const struct st_area *area, const struct st_place *at, u64 len,
			      u8 rights, u64 *pos);
enum st_error st_access_check_stu(const struct st_area *area, const struct st_op *op, u32 len,
				  u8 rights, u64 *pos);

#endif
