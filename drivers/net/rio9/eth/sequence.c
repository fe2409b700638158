// SPDX-License-Identifier: GPL-2.0
/*
 * Type 9 notices neither two continuation segments that changed places nor one that is
 * doubled while another is lost, so only frames that are newer than all others are taken.
 */
#include <kunit/visibility.h>
#include <linux/export.h>

#include "sequence.h"

static void rio9_eth_sequence_to(struct rio9_eth_sequence *s, u32 number, u32 lost)
{
	s->seen = lost < 63 ? s->seen << (lost + 1) | 1 : 1;
	s->lost = lost;
	s->next = number + 1;
	s->far_valid = false;
}

/**
 * rio9_eth_sequence - a frame has come
 * @s: what has come before it; all zero at first
 * @number: its number
 *
 * Return: where it belongs.  Only RIO9_ETH_NEW may be taken, and @s->lost is set then.
 */
enum rio9_eth_order rio9_eth_sequence(struct rio9_eth_sequence *s, u32 number)
{
	u32 ahead = number - s->next, behind = s->next - 1 - number;

	if (!s->begun) {
		s->begun = true;
		rio9_eth_sequence_to(s, number, 0);
		return RIO9_ETH_NEW;
	}
	if (ahead <= RIO9_ETH_FAR) {
		rio9_eth_sequence_to(s, number, ahead);
		return RIO9_ETH_NEW;
	}
	if (behind <= RIO9_ETH_FAR) {
		s->far_valid = false;
		return behind < 64 && s->seen >> behind & 1 ? RIO9_ETH_DOUBLE : RIO9_ETH_LATE;
	}
	/* A frame that somebody else has sent must not make all that follow late */
	if (s->far_valid && s->far == number) {
		s->seen = 0;
		rio9_eth_sequence_to(s, number, 0);
		return RIO9_ETH_NEW;
	}
	s->far = number + 1;
	s->far_valid = true;
	return RIO9_ETH_JUMP;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_eth_sequence);
