/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One direction of the cable at a port, with its faults and its delay.
 */
#ifndef _HIPPI6400_EMU_WAY_H
#define _HIPPI6400_EMU_WAY_H

#include <linux/atomic.h>
#include <linux/types.h>

#include "link/upkt.h"
#include "emu/fabric/chance.h"

/* Micropackets in one batch, so that no port waits long */
#define EMU_BATCH		64
/* Maximum number of micropackets that one batch becomes */
#define EMU_BATCH_OUT		(2 * EMU_BATCH)

/* Micropackets that can be delayed in one direction */
#define EMU_DELAY_QUEUE		4096
#define EMU_DELAY_MAX_USECS	1000000

#define EMU_BURST_MAX		65535

/**
 * enum emu_hit_bits - which bits of a micropacket may flip
 * @EMU_HIT_ALL: any
 * @EMU_HIT_DATA: DB00 to DB31
 * @EMU_HIT_CONTROL: c00 to c31, the control bits that are no CRC
 * @EMU_HIT_ECRC: c32 to c47
 * @EMU_HIT_LCRC: c48 to c63
 */
enum emu_hit_bits {
	EMU_HIT_ALL,
	EMU_HIT_DATA,
	EMU_HIT_CONTROL,
	EMU_HIT_ECRC,
	EMU_HIT_LCRC,
};

/**
 * struct emu_way_stats - counters of the micropackets of one direction
 * @moved: delivered, duplicates included
 * @lost: sent into a line without a far end
 * @bits_flipped: bit errors
 * @hit: micropackets with at least one bit error
 * @dropped: lost by a fault
 * @duplicated: doubled by a fault
 * @truncated: cut short by a fault
 * @stuck: swallowed while the far end was stuck
 * @delayed: held for the delay
 * @delay_full: lost, as too many were delayed
 * @no_room: lost, as the receiver had no room
 */
struct emu_way_stats {
	u64 moved;
	u64 lost;
	u64 bits_flipped;
	u64 hit;
	u64 dropped;
	u64 duplicated;
	u64 truncated;
	u64 stuck;
	u64 delayed;
	u64 delay_full;
	u64 no_room;
};

/**
 * struct emu_late - a delayed micropacket
 * @due: time when it comes out, monotonic time in nanoseconds
 * @upkt: the micropacket
 */
struct emu_late {
	u64 due;
	struct h64_upkt upkt;
};

struct emu;

/**
 * struct emu_way - one direction of the cable at a port
 * @emu: all cards
 * @flip: bit errors; one trial per bit
 * @drop: losses; one trial per micropacket, as for the next two
 * @dup: duplications
 * @truncate: truncations
 * @drop_next: number of micropackets still to be dropped
 * @dup_next: number still to be duplicated
 * @truncate_next: number still to be truncated
 * @burst: number of micropackets in a row that one loss or bit error hits
 * @hit_types: bit mask of the TYPEs that faults hit
 * @hit_bits: which bits may flip, enum emu_hit_bits
 * @stuck: nothing comes out
 * @delay_usecs: delay in microseconds
 * @drop_left: number still to be dropped by the present burst
 * @flip_left: number still to get a bit error by the present burst
 * @late: ring of EMU_DELAY_QUEUE delayed micropackets, or NULL if never used
 * @late_head: free-running index of the first of them
 * @late_count: their number
 * @stats: counters, written by the thread only
 */
struct emu_way {
	struct emu *emu;
	struct emu_chance flip;
	struct emu_chance drop;
	struct emu_chance dup;
	struct emu_chance truncate;
	atomic_t drop_next;
	atomic_t dup_next;
	atomic_t truncate_next;
	u32 burst;
	u16 hit_types;
	u32 hit_bits;
	bool stuck;
	u32 delay_usecs;

	u32 drop_left;
	u32 flip_left;
	struct emu_late *late;
	u32 late_head;
	u32 late_count;
	struct emu_way_stats stats;
};

void emu_way_init(struct emu_way *way, unsigned int id);
const struct h64_upkt *emu_way_pass(struct emu_way *way, const struct emu_seed *seed,
				    const struct h64_upkt *in, struct h64_upkt *out,
				    unsigned int *n);
int emu_way_set_delay(struct emu_way *way, u32 usecs);
void emu_way_free(struct emu_way *way);
void emu_way_wait(struct emu_way *way, const struct h64_upkt *upkts, unsigned int n, u64 now);
unsigned int emu_way_due(struct emu_way *way, struct h64_upkt *out, u64 now);
void emu_way_clear(struct emu_way *way);

/**
 * emu_way_slow - check whether micropackets are delayed
 * @way: the direction
 *
 * Return: true if there is a delay, or a micropacket is still delayed.
 */
static inline bool emu_way_slow(const struct emu_way *way)
{
	return way->delay_usecs || way->late_count;
}

/**
 * emu_way_next - tell when the next delayed micropacket comes out
 * @way: the direction
 *
 * Return: the time, U64_MAX if there is none.
 */
static inline u64 emu_way_next(const struct emu_way *way)
{
	return way->late_count ? way->late[way->late_head % EMU_DELAY_QUEUE].due : U64_MAX;
}

#endif
