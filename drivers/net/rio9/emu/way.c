// SPDX-License-Identifier: GPL-2.0
/*
 * Queues and faults of one direction of a link.
 *
 * The slots of a way are shared by all physical channels.  As in the buffers of a RapidIO
 * receiver, a packet is taken only if some slots stay free, the fewer the higher its priority
 * is: packets of a low priority that wait never keep out those of a higher one.
 */
#include <linux/bitops.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "way.h"

/* What a packet that is to be swapped waits for the next */
#define EMU_HOLD	(HZ / 50 + 1)

static u16 emu_slot_get(struct emu_way *way)
{
	u16 slot = way->free.head;

	way->free.head = way->slot[slot].next;
	way->frees--;
	return slot;
}

static void emu_slot_put(struct emu_way *way, u16 slot)
{
	way->slot[slot].next = way->free.head;
	way->free.head = slot;
	way->frees++;
}

static void emu_queue_add(struct emu_way *way, unsigned int channel, u16 slot)
{
	struct emu_list *q = &way->queue[channel];

	lockdep_assert_held(&way->lock);
	if (way->busy & BIT(channel))
		way->slot[q->tail].next = slot;
	else
		q->head = slot;
	q->tail = slot;
	way->busy |= BIT(channel);
}

static void emu_queue_del(struct emu_way *way, unsigned int channel)
{
	struct emu_list *q = &way->queue[channel];
	u16 slot = q->head;

	lockdep_assert_held(&way->lock);
	if (slot == q->tail)
		way->busy &= ~BIT(channel);
	else
		q->head = way->slot[slot].next;
	emu_slot_put(way, slot);
}

/* A second slot is for a packet that is doubled */
static bool emu_way_takes(const struct emu_way *way, unsigned int priority)
{
	return way->frees >= 2 + (3 - priority) * way->depth / 8;
}

static void emu_release(struct emu_way *way, unsigned int channel)
{
	lockdep_assert_held(&way->lock);
	way->holds &= ~BIT(channel);
	emu_queue_add(way, channel, way->held[channel]);
}

static void emu_release_all(struct emu_way *way)
{
	unsigned int channel;

	lockdep_assert_held(&way->lock);
	for_each_set_bit(channel, &way->holds, RIO9_CHANNELS)
		emu_release(way, channel);
	queue_work(system_bh_wq, way->reader);
}

static void emu_way_timer(struct timer_list *timer)
{
	struct emu_way *way = container_of(timer, struct emu_way, timer);

	spin_lock_bh(&way->lock);
	emu_release_all(way);
	spin_unlock_bh(&way->lock);
}

/**
 * emu_way_init - make a way, which is down
 * @way: the way
 * @depth: packets that may wait
 * @rate: of faults; stays the caller's
 * @writer: work that is queued when there is room again
 * @reader: work that is queued when there are packets
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int emu_way_init(struct emu_way *way, unsigned int depth, const u32 *rate,
		 struct work_struct *writer, struct work_struct *reader)
{
	unsigned int i;

	way->slot = kvmalloc_array(depth, sizeof(*way->slot), GFP_KERNEL);
	if (!way->slot)
		return -ENOMEM;
	way->depth = depth;
	way->rate = rate;
	way->writer = writer;
	way->reader = reader;
	spin_lock_init(&way->lock);
	timer_setup(&way->timer, emu_way_timer, 0);
	for (i = 0; i < depth; i++)
		emu_slot_put(way, i);
	return 0;
}

/**
 * emu_way_destroy - a way goes
 * @way: the way, without reader and writer; or one that could not be made
 *
 * Context: process.
 */
void emu_way_destroy(struct emu_way *way)
{
	if (!way->slot)
		return;
	timer_shutdown_sync(&way->timer);
	kvfree(way->slot);
}

/**
 * emu_way_seed - begin the faults anew
 * @way: the way
 * @seed: seed of this way
 *
 * Context: any but hard interrupts.
 */
void emu_way_seed(struct emu_way *way, u64 seed)
{
	unsigned int i;

	spin_lock_bh(&way->lock);
	for (i = 0; i < RIO9_CHANNELS; i++) {
		way->seed[i] = emu_random(seed, i);
		way->number[i] = 0;
	}
	spin_unlock_bh(&way->lock);
}

/**
 * emu_way_set_up - the link goes up or down
 * @way: the way
 * @up: it is up
 *
 * What waits when it goes down is lost, unless it goes up again at once.
 *
 * Context: any but hard interrupts.
 */
void emu_way_set_up(struct emu_way *way, bool up)
{
	spin_lock_bh(&way->lock);
	way->up = up;
	emu_release_all(way);
	spin_unlock_bh(&way->lock);
}

/* A packet that is damaged has one other bit, anywhere in it */
static void emu_damage(struct emu_way *way, struct emu_slot *slot, unsigned int channel)
{
	u32 where = emu_random(~way->seed[channel], way->number[channel]);
	unsigned int bit = where % (slot->len * BITS_PER_BYTE);

	slot->data[bit / BITS_PER_BYTE] ^= BIT(bit % BITS_PER_BYTE);
}

static u16 emu_copy(struct emu_way *way, const u8 *packet, unsigned int len)
{
	u16 slot = emu_slot_get(way);

	way->slot[slot].len = len;
	memcpy(way->slot[slot].data, packet, len);
	return slot;
}

/* There are two free slots */
static void emu_way_send(struct emu_way *way, unsigned int channel, const u8 *packet,
			 unsigned int len)
{
	enum emu_fault fault;
	u16 slot;

	lockdep_assert_held(&way->lock);
	way->stats[EMU_WAY_PACKETS]++;
	fault = emu_fault_draw(way->rate, way->seed[channel], way->number[channel]++);
	if (fault == EMU_LOSE) {
		way->stats[EMU_WAY_LOST]++;
		return;
	}
	slot = emu_copy(way, packet, len);
	if (fault == EMU_SWAP && !(way->holds & BIT(channel))) {
		way->held[channel] = slot;
		way->holds |= BIT(channel);
		mod_timer(&way->timer, jiffies + EMU_HOLD);
		return;
	}
	if (fault == EMU_DAMAGE) {
		way->stats[EMU_WAY_DAMAGED]++;
		emu_damage(way, &way->slot[slot], channel);
	}
	emu_queue_add(way, channel, slot);
	if (fault == EMU_DUPLICATE) {
		way->stats[EMU_WAY_DUPLICATED]++;
		emu_queue_add(way, channel, emu_copy(way, packet, len));
	}
	if (way->holds & BIT(channel)) {
		way->stats[EMU_WAY_SWAPPED]++;
		emu_release(way, channel);
	}
}

/**
 * emu_way_put - send a packet
 * @way: the way
 * @packet: the packet, which is copied
 * @len: its bytes, at most RIO9_PACKET_MAX
 *
 * Context: any but hard interrupts.
 * Return: 0, also for a packet that is lost; -EBUSY if there is no room: then the writer is
 * queued as soon as there is.
 */
int emu_way_put(struct emu_way *way, const u8 *packet, unsigned int len)
{
	unsigned int channel = emu_channel(packet);
	unsigned int priority = FIELD_GET(RIO9_CHANNEL_PRIO, channel);
	int err = 0;

	spin_lock_bh(&way->lock);
	if (!way->up) {
		way->stats[EMU_WAY_PACKETS]++;
		way->stats[EMU_WAY_DOWN]++;
	} else if (!emu_way_takes(way, priority)) {
		way->stats[EMU_WAY_BUSY]++;
		way->refused |= BIT(priority);
		err = -EBUSY;
	} else {
		emu_way_send(way, channel, packet, len);
		if (way->busy)
			queue_work(system_bh_wq, way->reader);
	}
	spin_unlock_bh(&way->lock);
	return err;
}

/* The writer goes on when there is room for the lowest priority that was refused */
static void emu_way_tell(struct emu_way *way)
{
	lockdep_assert_held(&way->lock);
	if (!way->refused || !emu_way_takes(way, __ffs(way->refused)))
		return;
	way->refused = 0;
	WRITE_ONCE(way->room, true);
	queue_work(system_bh_wq, way->writer);
}

/**
 * emu_way_run - take packets, those of the highest physical channel first
 * @way: the way
 * @budget: how many at most
 * @deliver: gets each of them, which is lent to it; says -EBUSY if it has no room: then this
 *	channel waits
 * @to: for @deliver
 *
 * Context: the reader.
 * Return: how many packets were taken.
 */
unsigned int emu_way_run(struct emu_way *way, unsigned int budget, emu_way_deliver_t deliver,
			 void *to)
{
	unsigned long stuck = 0, busy;
	unsigned int done = 0;

	spin_lock_bh(&way->lock);
	while (done < budget && (busy = way->busy & ~stuck)) {
		unsigned int channel = __fls(busy);
		/* Others only add packets behind it */
		const struct emu_slot *slot = &way->slot[way->queue[channel].head];

		if (way->up) {
			int err;

			spin_unlock_bh(&way->lock);
			err = deliver(to, slot->data, slot->len);
			spin_lock_bh(&way->lock);
			if (err) {
				stuck |= BIT(channel);
				continue;
			}
		} else {
			way->stats[EMU_WAY_DOWN]++;
		}
		emu_queue_del(way, channel);
		emu_way_tell(way);
		done++;
	}
	spin_unlock_bh(&way->lock);
	return done;
}

/**
 * emu_way_stats - what a way has counted
 * @way: the way
 * @stats: get it
 *
 * Context: any but hard interrupts.
 * Return: how many packets wait.
 */
unsigned int emu_way_stats(struct emu_way *way, u64 stats[EMU_WAY_STATS])
{
	unsigned int waiting;

	spin_lock_bh(&way->lock);
	memcpy(stats, way->stats, sizeof(way->stats));
	waiting = way->depth - way->frees;
	spin_unlock_bh(&way->lock);
	return waiting;
}
