// SPDX-License-Identifier: GPL-2.0
/*
 * Random faults.
 *
 * Whether a packet suffers a fault depends on the seed, on where it is, on its number there
 * and on the rate of this fault, and on nothing else.  So the same packets with the same seed
 * suffer the same faults, however the work is spread over time.
 */
#include <linux/compiler.h>

#include "fault.h"

/**
 * emu_random - a random number that can be repeated
 * @seed: of a sequence
 * @number: which of its numbers
 *
 * It is SplitMix64, so the sequence does not depend on the version of the kernel.
 *
 * Return: the number.
 */
u64 emu_random(u64 seed, u64 number)
{
	u64 x = seed + (number + 1) * 0x9e3779b97f4a7c15ULL;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

/**
 * emu_fault_draw - what happens to a packet
 * @rate: how often each fault happens
 * @seed: of the place
 * @number: of the packet there
 *
 * Return: the first fault that happens to it, in the order of the enum, or EMU_FAULTS.
 */
enum emu_fault emu_fault_draw(const u32 rate[EMU_FAULTS], u64 seed, u64 number)
{
	enum emu_fault kind;

	for (kind = 0; kind < EMU_FAULTS; kind++) {
		u32 limit = READ_ONCE(rate[kind]);

		if (limit && (emu_random(seed + kind, number) >> 32) * EMU_RATE_MAX >> 32 < limit)
			break;
	}
	return kind;
}
