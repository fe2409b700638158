/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A way: one direction of a link, with the packets that wait on it.
 */
#ifndef _RIO9_EMU_WAY_H
#define _RIO9_EMU_WAY_H

#include <linux/atomic.h>
#include <linux/bitfield.h>
#include <linux/rio9.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

#include "fault.h"

/* Packets that may wait on a way */
#define EMU_DEPTH_MIN		64
#define EMU_DEPTH_MAX		16384
#define EMU_DEPTH_DEFAULT	512

/**
 * enum emu_way_stat - what a way counts
 * @EMU_WAY_LOST: packets that a fault lost
 * @EMU_WAY_DAMAGED: damaged
 * @EMU_WAY_DUPLICATED: that arrived twice
 * @EMU_WAY_SWAPPED: that arrived after the next
 * @EMU_WAY_PACKETS: all that were sent, with the lost ones
 * @EMU_WAY_DOWN: lost as the link was down
 * @EMU_WAY_BUSY: attempts to send that found no room
 * @EMU_WAY_STATS: how many there are
 *
 * The first have the order of enum emu_fault.
 */
enum emu_way_stat {
	EMU_WAY_LOST = EMU_LOSE,
	EMU_WAY_DAMAGED = EMU_DAMAGE,
	EMU_WAY_DUPLICATED = EMU_DUPLICATE,
	EMU_WAY_SWAPPED = EMU_SWAP,
	EMU_WAY_PACKETS,
	EMU_WAY_DOWN,
	EMU_WAY_BUSY,
	EMU_WAY_STATS,
};

/**
 * struct emu_slot - room for a packet
 * @next: the packet behind it
 * @len: bytes of it
 * @data: the packet
 */
struct emu_slot {
	u16 next;
	u16 len;
	u8 data[RIO9_PACKET_MAX];
};

/**
 * struct emu_list - packets in order
 * @head: the first
 * @tail: the last
 *
 * Where there is a packet is known from elsewhere.
 */
struct emu_list {
	u16 head;
	u16 tail;
};

/**
 * struct emu_way - one direction of a link
 * @rate: of faults: the link's
 * @reader: takes the packets
 * @writer: sends more when there is room again
 * @room: there is room again after a refusal, and the writer has not looked yet
 * @lock: of what follows
 * @up: the link is up
 * @depth: number of slots
 * @slot: where packets are
 * @free: slots that are free
 * @frees: how many are
 * @queue: packets of each physical channel that wait
 * @busy: a bit for each channel that has some
 * @held: a packet of each channel that waits for the next, as it is to be swapped
 * @holds: a bit for each channel that has one
 * @timer: lets them go if there is no next
 * @refused: a bit for each priority that has found no room
 * @seed: of the faults of each channel
 * @number: of the next packet of each channel
 * @stats: what was counted
 *
 * There is one reader at a time: the work of a node.
 */
struct emu_way {
	const u32 *rate;
	struct work_struct *reader;
	struct work_struct *writer;
	bool room;
	spinlock_t lock;	/* protects the members below */
	bool up;
	unsigned int depth;
	struct emu_slot *slot;
	struct emu_list free;
	unsigned int frees;
	struct emu_list queue[RIO9_CHANNELS];
	unsigned long busy;
	u16 held[RIO9_CHANNELS];
	unsigned long holds;
	struct timer_list timer;
	unsigned long refused;
	u64 seed[RIO9_CHANNELS];
	u64 number[RIO9_CHANNELS];
	u64 stats[EMU_WAY_STATS];
};

/**
 * emu_channel - the physical channel of a packet
 * @packet: the packet
 *
 * Return: it.
 */
static inline u8 emu_channel(const u8 *packet)
{
	return FIELD_PREP(RIO9_CHANNEL_VC, packet[0] >> 1 & 1) |
	       FIELD_PREP(RIO9_CHANNEL_PRIO, packet[1] >> 6) |
	       FIELD_PREP(RIO9_CHANNEL_CRF, packet[0] & 1);
}

/**
 * emu_way_room - whether there is room again
 * @way: the way
 *
 * Context: any.
 * Return: true once after each time when a packet was refused and there was room later.
 */
static inline bool emu_way_room(struct emu_way *way)
{
	return xchg(&way->room, false);
}

typedef int (*emu_way_deliver_t)(void *to, const u8 *packet, unsigned int len);

int emu_way_init(struct emu_way *way, unsigned int depth, const u32 *rate,
		 struct work_struct *writer, struct work_struct *reader);
void emu_way_destroy(struct emu_way *way);
void emu_way_seed(struct emu_way *way, u64 seed);
void emu_way_set_up(struct emu_way *way, bool up);
int emu_way_put(struct emu_way *way, const u8 *packet, unsigned int len);
unsigned int emu_way_run(struct emu_way *way, unsigned int budget, emu_way_deliver_t deliver,
			 void *to);
unsigned int emu_way_stats(struct emu_way *way, u64 stats[EMU_WAY_STATS]);

#endif
