// SPDX-License-Identifier: GPL-2.0
/*
 * Faults and delay of one direction of a cable.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "emu/fabric/way.h"

/* Kinds of random events in one direction */
#define EMU_WAY_CHANCES		4

/**
 * struct emu_bits - a part of a micropacket
 * @first: first bit in the ring entry, counted from the lowest bit of the first
 *	byte
 * @count: number of bits
 */
struct emu_bits {
	unsigned int first;
	unsigned int count;
};

static const struct emu_bits emu_bits[] = {
	[EMU_HIT_ALL] = { 0, H64_UPKT_SIZE * 8 },
	[EMU_HIT_DATA] = { 0, H64_UPKT_DATA * 8 },
	[EMU_HIT_CONTROL] = { H64_UPKT_DATA * 8, 32 },
	[EMU_HIT_ECRC] = { H64_UPKT_DATA * 8 + 32, 16 },
	[EMU_HIT_LCRC] = { H64_UPKT_DATA * 8 + 48, 16 },
};

/**
 * emu_way_init - initialise a direction without faults
 * @way: the direction, zeroed
 * @id: identifies it among all directions
 */
void emu_way_init(struct emu_way *way, unsigned int id)
{
	way->flip.id = id * EMU_WAY_CHANCES;
	way->drop.id = way->flip.id + 1;
	way->dup.id = way->flip.id + 2;
	way->truncate.id = way->flip.id + 3;
	way->burst = 1;
	way->hit_types = U16_MAX;
	way->hit_bits = EMU_HIT_ALL;
}

static void emu_way_flip(struct emu_way *way, struct h64_upkt *upkt, unsigned int bit)
{
	((u8 *)upkt)[bit / 8] ^= BIT(bit % 8);
	way->stats.bits_flipped++;
}

static void emu_way_bit_errors(struct emu_way *way, struct h64_upkt *upkt)
{
	const struct emu_bits *bits = &emu_bits[READ_ONCE(way->hit_bits)];
	unsigned int bit = 0;
	bool hit = false;

	while ((bit += emu_chance_pass(&way->flip, bits->count - bit)) < bits->count) {
		emu_way_flip(way, upkt, bits->first + bit++);
		hit = true;
	}
	if (hit) {
		way->flip_left = READ_ONCE(way->burst) - 1;
	} else if (way->flip_left) {
		way->flip_left--;
		emu_way_flip(way, upkt, bits->first + emu_chance_below(&way->flip, bits->count));
		hit = true;
	}
	way->stats.hit += hit;
}

static bool emu_way_due_next(atomic_t *count)
{
	return atomic_read(count) > 0 && atomic_dec_if_positive(count) >= 0;
}

static bool emu_way_strikes(struct emu_chance *chance, atomic_t *next)
{
	return emu_way_due_next(next) || !emu_chance_pass(chance, 1);
}

static bool emu_way_drops(struct emu_way *way)
{
	if (emu_way_due_next(&way->drop_next))
		return true;
	if (way->drop_left) {
		way->drop_left--;
		return true;
	}
	if (emu_chance_pass(&way->drop, 1))
		return false;
	way->drop_left = READ_ONCE(way->burst) - 1;
	return true;
}

static void emu_way_truncate(struct emu_way *way, struct h64_upkt *upkt)
{
	u32 keep = 1 + emu_chance_below(&way->truncate, H64_UPKT_SIZE - 1);

	memset((u8 *)upkt + keep, 0, H64_UPKT_SIZE - keep);
	way->stats.truncated++;
}

/* Applies the faults to one micropacket; returns the number of micropackets that come out */
static unsigned int emu_way_strike(struct emu_way *way, const struct h64_upkt *in,
				   struct h64_upkt *out)
{
	unsigned int type = FIELD_GET(H64_C_TYPE, h64_upkt_ctrl(in));

	if (!(READ_ONCE(way->hit_types) & BIT(type))) {
		*out = *in;
		return 1;
	}
	if (emu_way_drops(way)) {
		way->stats.dropped++;
		return 0;
	}
	*out = *in;
	emu_way_bit_errors(way, out);
	if (emu_way_strikes(&way->truncate, &way->truncate_next))
		emu_way_truncate(way, out);
	if (!emu_way_strikes(&way->dup, &way->dup_next))
		return 1;
	out[1] = out[0];
	way->stats.duplicated++;
	return 2;
}

static bool emu_way_faulty(const struct emu_way *way)
{
	return READ_ONCE(way->flip.rate) || READ_ONCE(way->drop.rate) ||
	       READ_ONCE(way->dup.rate) || READ_ONCE(way->truncate.rate) ||
	       way->drop_left || way->flip_left ||
	       atomic_read(&way->drop_next) > 0 || atomic_read(&way->dup_next) > 0 ||
	       atomic_read(&way->truncate_next) > 0;
}

/**
 * emu_way_pass - carry micropackets in one direction
 * @way: the direction
 * @seed: seed of its random choices
 * @in: the micropackets
 * @out: room for EMU_BATCH_OUT of them, used if there are faults
 * @n: number of micropackets, at most EMU_BATCH; on return the number that come
 *	out
 *
 * Context: the thread.
 *
 * Return: the micropackets that come out, @in or @out.
 */
const struct h64_upkt *emu_way_pass(struct emu_way *way, const struct emu_seed *seed,
				    const struct h64_upkt *in, struct h64_upkt *out,
				    unsigned int *n)
{
	unsigned int i, count = 0;

	if (READ_ONCE(way->stuck)) {
		way->stats.stuck += *n;
		*n = 0;
		return in;
	}
	if (!emu_way_faulty(way))
		return in;

	emu_chance_update(&way->flip, seed);
	emu_chance_update(&way->drop, seed);
	emu_chance_update(&way->dup, seed);
	emu_chance_update(&way->truncate, seed);
	for (i = 0; i < *n; i++)
		count += emu_way_strike(way, &in[i], &out[count]);
	*n = count;
	return out;
}

/**
 * emu_way_set_delay - set the delay of a direction
 * @way: the direction
 * @usecs: delay in microseconds, at most EMU_DELAY_MAX_USECS
 *
 * Context: process context, with the thread locked out.
 *
 * Return: 0 or a negative errno.
 */
int emu_way_set_delay(struct emu_way *way, u32 usecs)
{
	if (usecs > EMU_DELAY_MAX_USECS)
		return -ERANGE;
	if (usecs && !way->late)
		way->late = kvcalloc(EMU_DELAY_QUEUE, sizeof(*way->late), GFP_KERNEL);
	if (usecs && !way->late)
		return -ENOMEM;
	way->delay_usecs = usecs;
	return 0;
}

/**
 * emu_way_free - free the memory of a direction
 * @way: the direction
 */
void emu_way_free(struct emu_way *way)
{
	kvfree(way->late);
}

/**
 * emu_way_wait - delay micropackets
 * @way: the direction, with a delay
 * @upkts: the micropackets
 * @n: their number
 * @now: the time
 *
 * They keep their order even if the delay is reduced.
 *
 * Context: the thread.
 */
void emu_way_wait(struct emu_way *way, const struct h64_upkt *upkts, unsigned int n, u64 now)
{
	struct emu_late *late;

	for (; n && way->late_count < EMU_DELAY_QUEUE; n--) {
		late = &way->late[(way->late_head + way->late_count++) % EMU_DELAY_QUEUE];
		late->due = now + (u64)way->delay_usecs * NSEC_PER_USEC;
		late->upkt = *upkts++;
		way->stats.delayed++;
	}
	way->stats.delay_full += n;
}

/**
 * emu_way_due - take the micropackets whose delay is over
 * @way: the direction
 * @out: room for EMU_BATCH_OUT of them
 * @now: the time
 *
 * Context: the thread.
 *
 * Return: their number.
 */
unsigned int emu_way_due(struct emu_way *way, struct h64_upkt *out, u64 now)
{
	unsigned int n;

	for (n = 0; n < EMU_BATCH_OUT && emu_way_next(way) <= now; n++) {
		out[n] = way->late[way->late_head++ % EMU_DELAY_QUEUE].upkt;
		way->late_count--;
	}
	return n;
}

/**
 * emu_way_clear - drop delayed micropackets, as the line was cut
 * @way: the direction
 *
 * Context: the thread.
 */
void emu_way_clear(struct emu_way *way)
{
	way->stats.lost += way->late_count;
	way->late_count = 0;
}
