/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that happen by chance, at a rate, the same each time for the same seed.
 */
#ifndef _HIPPI6400_EMU_CHANCE_H
#define _HIPPI6400_EMU_CHANCE_H

#include <linux/atomic.h>
#include <linux/types.h>

/* Rates are kept as events in this many trials */
#define EMU_RATE_DIGITS		12
#define EMU_RATE_UNIT		1000000000000ULL

/* Any rate in words */
#define EMU_RATE_TEXT		48

/**
 * struct emu_seed - where all random choices come from
 * @value: the seed
 * @gen: counts the values that it had
 */
struct emu_seed {
	u64 value;
	atomic_t gen;
};

/**
 * struct emu_chance - one kind of event
 * @id: tells it from all others that have the same seed
 * @rate: events asked for in EMU_RATE_UNIT trials
 * @rate_now: the rate that @until was drawn for
 * @until: trials left before the next event
 * @rnd: state of the random choices
 * @gen: which seed @rnd comes from
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
