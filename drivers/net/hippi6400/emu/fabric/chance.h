/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random events at a given rate, reproducible with the same seed.
 */
#ifndef _HIPPI6400_EMU_CHANCE_H
#define _HIPPI6400_EMU_CHANCE_H

#include <linux/atomic.h>
#include <linux/types.h>

/* Rates are kept as events in this many trials */
#define EMU_RATE_DIGITS		12
#define EMU_RATE_UNIT		1000000000000ULL

/* Buffer size for any rate as text */
#define EMU_RATE_TEXT		48

/**
 * struct emu_seed - seed of all random choices
 * @value: the seed
 * @gen: number of times it was set
 */
struct emu_seed {
	u64 value;
	atomic_t gen;
};

/**
 * struct emu_chance - one kind of event
 * @id: identifies it among all that share the seed
 * @rate: requested events per EMU_RATE_UNIT trials
 * @rate_now: the rate that @until was drawn for
 * @until: trials left before the next event
 * @rnd: random state
 * @gen: generation of the seed that @rnd is derived from
 */
struct emu_chance {
	unsigned int id;
	u64 rate;
	u64 rate_now;
	u64 until;
	u64 rnd;
	int gen;
};

void emu_seed_set(struct emu_seed *seed, u64 value);
void emu_chance_update(struct emu_chance *chance, const struct emu_seed *seed);
u64 emu_chance_pass(struct emu_chance *chance, u64 trials);
u32 emu_chance_below(struct emu_chance *chance, u32 limit);

int emu_rate_parse(const char *text, u64 *rate);
void emu_rate_print(u64 rate, char *text);

#endif
