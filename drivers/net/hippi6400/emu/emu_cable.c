// SPDX-License-Identifier: GPL-2.0
/*
 * The cables between the emulated cards, and what goes wrong on them.
 *
 * Ports are cabled in pairs: 0 with 1, 2 with 3 and so on.  Each direction
 * makes its random choices from a state of its own, derived from the seed, so
 * that the same seed and the same micropackets give the same faults whatever
 * the other directions do.
 */
#include <linux/int_log.h>
#include <linux/math64.h>
#include <linux/string.h>

#include "emu.h"

/* From this rate on every bit is decided by itself: 1 in 64 */
#define EMU_BER_DENSE		(EMU_BER_UNIT / 64)

/* ln 2 with 32 fraction bits */
#define EMU_LN2_Q32		2977044472ULL
#define EMU_LOG2_FRACTION	24	/* of intlog2() */
#define EMU_LN_FRACTION		16	/* times EMU_BER_UNIT it fits 64 bits */

static u64 emu_mix(u64 x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

/* SplitMix64: its sequence does not depend on the kernel it runs in */
static u64 emu_random(struct emu_line *line)
{
	line->rnd += 0x9e3779b97f4a7c15ULL;
	return emu_mix(line->rnd);
}

static unsigned int emu_cable_peer(unsigned int port)
{
	return port ^ 1;
}

static bool emu_cable_in(const struct emu *emu, unsigned int port)
{
	return !READ_ONCE(emu->lines[port].unplugged) &&
	       !READ_ONCE(emu->lines[emu_cable_peer(port)].unplugged);
}

/**
 * emu_cable_signal - does a signal arrive at a port?
 * @emu: all cards
 * @port: number of the port
 *
 * Return: true when the cable is in at both ends and the peer drives it.
 */
bool emu_cable_signal(const struct emu *emu, unsigned int port)
{
	return emu_cable_in(emu, port) &&
	       emu_card_port_on(&emu->cards[emu_cable_peer(port)]);
}

/**
 * emu_cable_set_seed - start all random choices over
 * @emu: all cards
 * @seed: where they come from
 */
void emu_cable_set_seed(struct emu *emu, u64 seed)
{
	WRITE_ONCE(emu->seed, seed);
	smp_mb__before_atomic(); /* pairs with emu_cable_update() */
	atomic_inc(&emu->seed_gen);
}

/*
 * Draws how many good bits come before the next bit error.  With errors of
 * probability p in each bit that number has a geometric distribution:
 * ln(u) / ln(1 - p) for an even u in (0, 1].
 */
static u64 emu_cable_draw(struct emu_line *line)
{
	u64 p = line->ber_now;
	u64 second = mul_u64_u64_div_u64(p, p, 2 * EMU_BER_UNIT);
	u64 third = mul_u64_u64_div_u64(second, p, EMU_BER_UNIT / 2 * 3);
	/* -ln(1 - p) = p + p^2/2 + p^3/3 + ..., p being small */
	u64 rate = p + second + third;
	u32 u = max_t(u32, upper_32_bits(emu_random(line)), 1);
	u64 ln;

	ln = (32ULL << EMU_LOG2_FRACTION) - intlog2(u);
	ln = ln * EMU_LN2_Q32 >> (32 + EMU_LOG2_FRACTION - EMU_LN_FRACTION);
	return div64_u64(ln * EMU_BER_UNIT, rate << EMU_LN_FRACTION);
}

/* Takes over a seed or a bit error rate that was set since the last batch */
static void emu_cable_update(struct emu *emu, unsigned int port)
{
	struct emu_line *line = &emu->lines[port];
	int gen = atomic_read(&emu->seed_gen);
	u64 ber = READ_ONCE(line->ber);

	if (line->seed_gen == gen && line->ber_now == ber)
		return;
	if (line->seed_gen != gen) {
		smp_rmb(); /* pairs with emu_cable_set_seed() */
		line->rnd = emu_mix(READ_ONCE(emu->seed) + emu_mix(port + 1));
		line->seed_gen = gen;
	}
	line->ber_now = ber;
	if (ber && ber < EMU_BER_DENSE)
		line->until = emu_cable_draw(line);
}

static void emu_cable_flip(struct emu_upkt *upkt, unsigned int bit)
{
	upkt->bytes[bit / 8] ^= BIT(bit % 8);
}

static unsigned int emu_cable_flip_dense(struct emu_line *line,
					 struct emu_upkt *upkt)
{
	u64 limit = mul_u64_u64_div_u64(line->ber_now, 1ULL << 32,
					EMU_BER_UNIT);
	unsigned int bit, flipped = 0;

	for (bit = 0; bit < EMU_BITS_PER_UPKT; bit++) {
		if (upper_32_bits(emu_random(line)) < limit) {
			emu_cable_flip(upkt, bit);
			flipped++;
		}
	}
	return flipped;
}

static unsigned int emu_cable_flip_sparse(struct emu_line *line,
					  struct emu_upkt *upkt)
{
	unsigned int flipped = 0;
	u64 bit = line->until;

	while (bit < EMU_BITS_PER_UPKT) {
		emu_cable_flip(upkt, bit);
		flipped++;
		bit += 1 + emu_cable_draw(line);
	}
	line->until = bit - EMU_BITS_PER_UPKT;
	return flipped;
}

static void emu_cable_bit_errors(struct emu_line *line, struct emu_upkt *upkt)
{
	unsigned int flipped;

	if (!line->ber_now)
		return;
	if (line->ber_now < EMU_BER_DENSE)
		flipped = emu_cable_flip_sparse(line, upkt);
	else
		flipped = emu_cable_flip_dense(line, upkt);
	if (flipped) {
		line->stats.bits_flipped += flipped;
		line->stats.hit++;
	}
}

static bool emu_cable_due(atomic_t *count)
{
	return atomic_read(count) > 0 && atomic_dec_if_positive(count) >= 0;
}

/* Returns how many micropackets the faults left in @staged */
static unsigned int emu_cable_faults(struct emu_line *line, unsigned int n)
{
	unsigned int i, out = 0;

	for (i = 0; i < n; i++) {
		struct emu_upkt *upkt = &line->staged[out];

		if (emu_cable_due(&line->drop_next)) {
			line->stats.dropped++;
			continue;
		}
		*upkt = line->taken[i];
		out++;
		emu_cable_bit_errors(line, upkt);

		if (emu_cable_due(&line->truncate_next)) {
			unsigned int keep = 1 + emu_random(line) %
						(H64_UPKT_SIZE - 1);

			memset(upkt->bytes + keep, 0, H64_UPKT_SIZE - keep);
			line->stats.truncated++;
		}
		if (emu_cable_due(&line->dup_next)) {
			line->staged[out++] = *upkt;
			line->stats.duplicated++;
		}
	}
	return out;
}

static bool emu_cable_faulty(const struct emu_line *line)
{
	return line->ber_now || atomic_read(&line->drop_next) > 0 ||
	       atomic_read(&line->dup_next) > 0 ||
	       atomic_read(&line->truncate_next) > 0;
}

/**
 * emu_cable_move - carry one batch of micropackets from a port to its peer
 * @emu: all cards
 * @port: where they come from
 *
 * Return: whether there were any.
 */
bool emu_cable_move(struct emu *emu, unsigned int port)
{
	struct emu_card *from = &emu->cards[port];
	struct emu_card *to = &emu->cards[emu_cable_peer(port)];
	struct emu_line *line = &emu->lines[port];
	const struct emu_upkt *upkts = line->taken;
	unsigned int n, fit;

	n = emu_ring_take(from, line->taken, EMU_BATCH);
	if (!n)
		return false;
	emu_card_publish(from);

	if (!emu_cable_in(emu, port) || !emu_card_port_on(from)) {
		line->stats.lost += n;
		return true;
	}

	emu_cable_update(emu, port);
	if (emu_cable_faulty(line)) {
		n = emu_cable_faults(line, n);
		upkts = line->staged;
	}
	fit = emu_ring_put(to, upkts, n);
	if (n)
		emu_card_publish(to);
	line->stats.moved += fit;
	line->stats.no_room += n - fit;
	return true;
}
