// SPDX-License-Identifier: GPL-2.0
/*
 * How a Transfer is divided into Blocks and a Block into STUs, ST 6.2.4 to 6.2.8, and which bytes
 * an operation may name, ST 10.7.4.
 *
 * Functions here keep no state, take no lock and may be called in any context.  Exponents from
 * the wire must be validated by the caller.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/overflow.h>

#include "wire/block.h"

#define ST_STU_EXP_MAX		31	/* ST 4.2: an STU is at most 2^31 bytes */
#define ST_STU_PER_BLOCK_EXP	16	/* ST 6.2.5: STU_num does not wrap */

/* Length of the first Block of a Transfer that does not end in it, ST 6.2.6. */
static u64 st_block_first(const struct st_tiling *t)
{
	u64 size = 1ULL << t->blocksize;

	return size - (t->f_offset & (size - 1));
}

/**
 * st_block_count - how many Blocks a Transfer has
 * @t: its tiling; blocksize ST_BLOCK_MIN to ST_BLOCK_MAX
 *
 * Any context, no lock.  ST 6.2.6.
 *
 * Return: Blocks, at least 1; U64_MAX when the Transfer is unlimited.
 */
u64 st_block_count(const struct st_tiling *t)
{
	u64 first = st_block_first(t);
	u64 rest;

	if (!t->t_len)
		return U64_MAX;
	if (t->t_len <= first)
		return 1;
	rest = t->t_len - first;
	return 1 + (rest >> t->blocksize) +
	       !!(rest & ((1ULL << t->blocksize) - 1));
}
EXPORT_SYMBOL_IF_KUNIT(st_block_count);

/**
 * st_block_start - the first byte of a Block
 * @t: the tiling of its Transfer; blocksize ST_BLOCK_MIN to ST_BLOCK_MAX
 * @n: number of the Block in the Transfer from 0 on, not wrapped as B_num is
 *
 * Any context, no lock.  ST 6.2.6.
 *
 * Return: bytes of the Transfer before the Block; the length of the Transfer if it has no such
 * Block.  For an unlimited Transfer, U64_MAX stands for a start that does not fit 64 bits.
 */
u64 st_block_start(const struct st_tiling *t, u64 n)
{
	u64 start;

	if (!n)
		return 0;
	if (t->t_len && n >= st_block_count(t))
		return t->t_len;
	if (check_mul_overflow(n - 1, 1ULL << t->blocksize, &start) ||
	    check_add_overflow(start, st_block_first(t), &start))
		return U64_MAX;
	return start;
}
EXPORT_SYMBOL_IF_KUNIT(st_block_start);

/**
 * st_block_len - bytes of a Block
 * @t: the tiling of its Transfer; blocksize ST_BLOCK_MIN to ST_BLOCK_MAX
 * @n: number of the Block in the Transfer from 0 on, not wrapped as B_num is
 *
 * Any context, no lock.  ST 6.2.6.
 *
 * Return: 1 to 2^blocksize; 0 if the Transfer has no such Block.
 */
u64 st_block_len(const struct st_tiling *t, u64 n)
{
	u64 len = n ? 1ULL << t->blocksize : st_block_first(t);

	if (!t->t_len)
		return len;
	return min(len, t->t_len - st_block_start(t, n));
}
EXPORT_SYMBOL_IF_KUNIT(st_block_len);

/**
 * st_stu_len - the longest STU that can start at a place
 * @at: where its first byte goes, st_place_valid() for @bufsize
 * @left: bytes left in the Block, and so in the Transfer
 * @bufsize: log2 of the Destination's buffer size, up to ST_BUFSIZE_MAX
 * @max_stu: log2 of the largest STU, up to 32; above 31 counts as 31, which is
 *	the most that ST 4.2 allows
 *
 * Any context, no lock.  ST 6.2.7.
 *
 * Return: bytes up to the buffer's end, the Block's end or 2^@max_stu, whichever
 * comes first; 0 when @left is 0 or @at lies outside its buffer.
 */
u32 st_stu_len(const struct st_place *at, u64 left, u8 bufsize, u8 max_stu)
{
	u64 room;

	if (!st_place_valid(at, bufsize))
		return 0;
	room = (1ULL << bufsize) - at->offset;
	return min3(room, left, 1ULL << min(max_stu, ST_STU_EXP_MAX));
}
EXPORT_SYMBOL_IF_KUNIT(st_stu_len);

/**
 * st_place_valid - whether an Offset lies in its buffer
 * @at: place, not validated
 * @bufsize: log2 of the buffer size, up to ST_BUFSIZE_MAX
 *
 * Any context, no lock.  ST 6.2.8.
 *
 * Return: false for an Offset of 2^@bufsize or more.
 */
bool st_place_valid(const struct st_place *at, u8 bufsize)
{
	return at->offset < 1ULL << bufsize;
}
EXPORT_SYMBOL_IF_KUNIT(st_place_valid);

/*
 * Distance from Bufx 0, Offset 0.  It fits 64 bits: Bufx has 32 bits and is shifted by the bufsize,
 * at most 32, and a valid Offset has fewer bits than that.
 */
static u64 st_place_linear(const struct st_place *at, u8 bufsize)
{
	return ((u64)at->bufx << bufsize) + at->offset;
}

/**
 * st_place_advance - move over sequential buffers
 * @at: place to move, st_place_valid() for @bufsize
 * @len: bytes to move over
 * @bufsize: log2 of the buffer size, up to ST_BUFSIZE_MAX
 *
 * @at becomes the place of the byte that follows the @len bytes.  No place follows the last byte
 * of buffer 2^32 - 1: moving over that byte fails, although it has a place itself.  To check
 * whether @len bytes fit, advance over @len - 1.
 *
 * Any context, no lock.  ST 6.2.8.
 *
 * Return: true when moved; false, with @at unchanged, when Bufx would be 2^32 or more or @at is
 * not valid.
 */
bool st_place_advance(struct st_place *at, u64 len, u8 bufsize)
{
	u64 bytes, bufx;

	if (!st_place_valid(at, bufsize) ||
	    check_add_overflow(len, at->offset, &bytes))
		return false;
	bufx = at->bufx + (bytes >> bufsize);
	if (bufx > U32_MAX)
		return false;
	at->bufx = bufx;
	at->offset = bytes & ((1ULL << bufsize) - 1);
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(st_place_advance);

/**
 * st_place_distance - bytes between two places
 * @from: the earlier place
 * @to: the later place, or the same
 * @bufsize: log2 of the buffer size, up to ST_BUFSIZE_MAX
 * @dist: the distance, set only on success
 *
 * Any context, no lock.  ST 6.2.8.
 *
 * Return: false when @to is before @from or either is not valid.
 */
bool st_place_distance(const struct st_place *from, const struct st_place *to,
		       u8 bufsize, u64 *dist)
{
	u64 a, b;

	if (!st_place_valid(from, bufsize) || !st_place_valid(to, bufsize))
		return false;
	a = st_place_linear(from, bufsize);
	b = st_place_linear(to, bufsize);
	if (b < a)
		return false;
	*dist = b - a;
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(st_place_distance);

/**
 * st_access_check - whether an operation may access memory of this end
 * @area: the memory it names
 * @at: its claimed first byte, not validated
 * @len: number of bytes
 * @rights: required rights, of ST_REGION_*; 0 for memory exposed for a single purpose
 * @pos: set to the first byte, counted from the start of @area, on success
 *
 * All accesses of the peer by Bufx and Offset are checked here, whether received or placed by an
 * LLP: Blocks, Puts, Gets at both ends, FetchOps.  Zero bytes are in range anywhere in @area,
 * including its end.
 *
 * Any context, no lock.
 *
 * Return: ST_ERR_NONE, or the error to log: %ST_ERR_INVALID_MX for memory without the rights (ST
 * 10.7.2), wherever the bytes are; %ST_ERR_OVERSIZED_OFFSET and %ST_ERR_OUT_OF_RANGE_BUFX
 * according to ST 10.7.4.
 */
enum st_error st_access_check(const struct st_area *area, const struct st_place *at, u64 len,
			      u8 rights, u64 *pos)
{
	static const struct st_place origin;	/* Bufx 0, Offset 0 */
	u64 first;

	if (rights & ~area->rights)
		return ST_ERR_INVALID_MX;
	if (!st_place_distance(&origin, at, ST_BUFSIZE, &first))
		return ST_ERR_OVERSIZED_OFFSET;
	if (first < area->start || first - area->start > area->len ||
	    len > area->len - (first - area->start))
		return ST_ERR_OUT_OF_RANGE_BUFX;
	*pos = first - area->start;
	return ST_ERR_NONE;
}
EXPORT_SYMBOL_IF_KUNIT(st_access_check);

/**
 * st_access_check_stu - whether an STU may be written to memory of this end
 * @area: the memory it names
 * @op: the Data operation
 * @len: length of the payload, bytes
 * @rights: as for st_access_check()
 * @pos: as for st_access_check()
 *
 * All bytes of an STU must be in one buffer, ST 6.2.7.
 *
 * Any context, no lock.
 *
 * Return: as st_access_check().
 */
enum st_error st_access_check_stu(const struct st_area *area, const struct st_op *op, u32 len,
				  u8 rights, u64 *pos)
{
	const struct st_place at = { .bufx = op->bufx, .offset = op->offset };
	enum st_error err = st_access_check(area, &at, len, rights, pos);

	if (err == ST_ERR_NONE && len > BIT(ST_BUFSIZE) - op->offset)
		return ST_ERR_OUT_OF_RANGE_BUFX;
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(st_access_check_stu);

/**
 * st_max_block - the largest Block that has enough STU numbers
 * @bufsize: log2 of the Destination's buffer size
 * @max_stu: log2 of the largest STU
 *
 * A Block of 2^k bytes that starts inside an STU-sized piece of a buffer needs one STU more than
 * 2^k / 2^max_stu, and a Data operation without payload that carries the last checksum
 * (ST 8.3.2) takes one more number.  2^16 numbers are enough for 2^15 + 2 but not for 2^16 + 2.
 *
 * Any context, no lock.  ST 6.2.5.
 *
 * Return: log2 of that Block, at most ST_BLOCK_MAX.
 */
u8 st_max_block(u8 bufsize, u8 max_stu)
{
	u8 stu = min3(bufsize, max_stu, ST_STU_EXP_MAX);

	return min(stu + ST_STU_PER_BLOCK_EXP - 1, ST_BLOCK_MAX);
}
EXPORT_SYMBOL_IF_KUNIT(st_max_block);
