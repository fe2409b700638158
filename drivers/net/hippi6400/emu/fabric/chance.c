// SPDX-License-Identifier: GPL-2.0
/*
 * Random events.
 *
 * Each kind of event has its own random state, derived from the seed.  So the
 * same seed and the same trials give the same events, whatever happens
 * elsewhere.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/int_log.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>

#include "emu/fabric/chance.h"

/* From this rate on each trial is drawn separately: 1 in 64 */
#define EMU_RATE_DENSE		(EMU_RATE_UNIT / 64)

/* ln 2 with 32 fraction bits */
#define EMU_LN2_Q32		2977044472ULL
#define EMU_LOG2_FRACTION	24	/* of intlog2() */
#define EMU_LN_FRACTION		16	/* times EMU_RATE_UNIT it fits in 64 bits */

#define EMU_RATE_DIGITS_MAX	18	/* so that the mantissa fits in 64 bits */
#define EMU_RATE_EXPONENT_MAX	99

static u64 emu_mix(u64 x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

/* SplitMix64: its sequence does not depend on the kernel version */
static u32 emu_random(struct emu_chance *chance)
{
	chance->rnd += 0x9e3779b97f4a7c15ULL;
	return upper_32_bits(emu_mix(chance->rnd));
}

/**
 * emu_seed_set - set the seed and restart all random choices
 * @seed: the seed to change
 * @value: its new value
 */
void emu_seed_set(struct emu_seed *seed, u64 value)
{
	WRITE_ONCE(seed->value, value);
	smp_mb__before_atomic(); /* pairs with emu_chance_update() */
	atomic_inc(&seed->gen);
}

/*
 * Draws the number of trials before the next event.  If each trial has
 * probability p, that number has a geometric distribution: ln(u) / ln(1 - p)
 * for a uniform u in (0, 1].
 */
static u64 emu_chance_draw(struct emu_chance *chance)
{
	u64 p = chance->rate_now;
	u64 second = mul_u64_u64_div_u64(p, p, 2 * EMU_RATE_UNIT);
	u64 third = mul_u64_u64_div_u64(second, p, EMU_RATE_UNIT / 2 * 3);
	/* -ln(1 - p) = p + p^2/2 + p^3/3 + ... for small p */
	u64 rate = p + second + third;
	u32 u = max_t(u32, emu_random(chance), 1);
	u64 ln;

	ln = (32ULL << EMU_LOG2_FRACTION) - intlog2(u);
	ln = ln * EMU_LN2_Q32 >> (32 + EMU_LOG2_FRACTION - EMU_LN_FRACTION);
	return div64_u64(ln * EMU_RATE_UNIT, rate << EMU_LN_FRACTION);
}

/**
 * emu_chance_update - adopt a new rate or seed
 * @chance: the kind of event
 * @seed: the seed
 */
void emu_chance_update(struct emu_chance *chance, const struct emu_seed *seed)
{
	int gen = atomic_read(&seed->gen);
	u64 rate = READ_ONCE(chance->rate);

	if (chance->gen == gen && chance->rate_now == rate)
		return;
	if (chance->gen != gen) {
		smp_rmb(); /* pairs with emu_seed_set() */
		chance->rnd = emu_mix(READ_ONCE(seed->value) + emu_mix(chance->id + 1));
		chance->gen = gen;
	}
	chance->rate_now = rate;
	if (rate && rate < EMU_RATE_DENSE)
		chance->until = emu_chance_draw(chance);
}

static u64 emu_chance_pass_dense(struct emu_chance *chance, u64 trials)
{
	u64 limit = mul_u64_u64_div_u64(chance->rate_now, 1ULL << 32, EMU_RATE_UNIT);
	u64 passed;

	for (passed = 0; passed < trials; passed++)
		if (emu_random(chance) < limit)
			break;
	return passed;
}

/**
 * emu_chance_pass - make trials up to the next event
 * @chance: the kind of event
 * @trials: maximum number of trials
 *
 * Return: the number of trials before the event; @trials if it did not happen.
 */
u64 emu_chance_pass(struct emu_chance *chance, u64 trials)
{
	u64 passed;

	if (!chance->rate_now)
		return trials;
	if (chance->rate_now >= EMU_RATE_DENSE)
		return emu_chance_pass_dense(chance, trials);
	if (chance->until >= trials) {
		chance->until -= trials;
		return trials;
	}
	passed = chance->until;
	chance->until = emu_chance_draw(chance);
	return passed;
}

/**
 * emu_chance_below - draw a random number
 * @chance: the kind of event that it belongs to
 * @limit: exclusive upper bound, not 0
 *
 * Return: the number.
 */
u32 emu_chance_below(struct emu_chance *chance, u32 limit)
{
	return (u64)emu_random(chance) * limit >> 32;
}

/* Parses digits and exponent of a rate: mantissa times 10^scale events per trial */
static int emu_rate_scan(const char *text, u64 *mantissa, int *scale)
{
	unsigned int digits = 0, exponent = 0;
	bool point = false, negative = false;

	*mantissa = 0;
	*scale = 0;
	for (; isdigit(*text) || (*text == '.' && !point); text++) {
		if (*text == '.') {
			point = true;
			continue;
		}
		if (++digits > EMU_RATE_DIGITS_MAX)
			return -ERANGE;
		*mantissa = *mantissa * 10 + (*text - '0');
		*scale -= point;
	}
	if (!digits)
		return -EINVAL;

	if (tolower(*text) == 'e') {
		text++;
		if (*text == '-' || *text == '+')
			negative = *text++ == '-';
		if (!isdigit(*text))
			return -EINVAL;
		for (; isdigit(*text); text++) {
			exponent = exponent * 10 + (*text - '0');
			if (exponent > EMU_RATE_EXPONENT_MAX)
				return -ERANGE;
		}
		*scale += negative ? -(int)exponent : (int)exponent;
	}
	return *text ? -EINVAL : 0;
}

/**
 * emu_rate_parse - read a decimal fraction such as 0.00001, 1e-6 or 2.5e-7
 * @text: the fraction
 * @rate: receives the rate in events per EMU_RATE_UNIT trials
 *
 * A rate that this unit cannot express is refused, not rounded.
 *
 * Return: 0, -EINVAL or -ERANGE.
 */
int emu_rate_parse(const char *text, u64 *rate)
{
	u64 mantissa;
	int scale, err;

	err = emu_rate_scan(text, &mantissa, &scale);
	if (err)
		return err;
	scale += EMU_RATE_DIGITS;
	for (; mantissa && scale > 0; scale--) {
		if (mantissa > EMU_RATE_UNIT)
			return -ERANGE;
		mantissa *= 10;
	}
	for (; mantissa && scale < 0; scale++) {
		u32 rest;

		mantissa = div_u64_rem(mantissa, 10, &rest);
		if (rest)
			return -ERANGE;
	}
	if (mantissa > EMU_RATE_UNIT)
		return -ERANGE;
	*rate = mantissa;
	return 0;
}

/**
 * emu_rate_print - format a rate as emu_rate_parse() reads it
 * @rate: events per EMU_RATE_UNIT trials
 * @text: buffer of EMU_RATE_TEXT bytes
 */
void emu_rate_print(u64 rate, char *text)
{
	int exponent = -EMU_RATE_DIGITS, len;
	u64 top = 1;

	if (!rate) {
		strscpy(text, "0", EMU_RATE_TEXT);
		return;
	}
	while (!(rate % 10)) {
		rate = div_u64(rate, 10);
		exponent++;
	}
	for (; rate / top >= 10; exponent++)
		top *= 10;

	len = scnprintf(text, EMU_RATE_TEXT, "%llu%s", rate / top, top > 1 ? "." : "");
	for (rate %= top; top > 1; rate %= top) {
		top /= 10;
		len += scnprintf(text + len, EMU_RATE_TEXT - len, "%llu", rate / top);
	}
	if (exponent)
		scnprintf(text + len, EMU_RATE_TEXT - len, "e%d", exponent);
}
