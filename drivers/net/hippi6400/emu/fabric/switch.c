// SPDX-License-Identifier: GPL-2.0
/*
 * The ports of a switch and the links on them.
 */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/time64.h>

#include "emu/fabric/switch.h"
#include "link/seq.h"

/* Maximum advance of the clock in one run, however long the switch did not run */
#define EMU_CLOCK_STEP_MS	10
/* Interval of timer checks on a port whose line never runs empty */
#define EMU_TICK_MS		50
/* Interval of checks for old addresses and starving inputs */
#define EMU_AGE_MS		100

static struct emu_sport *emu_link_sport(struct h64_link *link)
{
	return container_of(link, struct emu_sport, link);
}

static void emu_sport_up(struct h64_link *link)
{
	struct emu_sport *sport = emu_link_sport(link);
	unsigned int vc;

	/* Cells of Messages received before the last reset still occupy room */
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		const struct emu_input *in = &sport->in[vc];

		link->credit[vc].room = H64_CREDIT_POOL - (in->count - in->closing);
	}
	sport->sw->up |= BIT(sport->port);
}

static void emu_sport_drop(struct h64_link *link, unsigned int lost)
{
	struct emu_sport *sport = emu_link_sport(link);

	sport->sw->up &= ~BIT(sport->port);
	sport->stats.tx_lost += lost;
	emu_input_reset(sport);
	emu_forward_port_down(sport);
	emu_table_forget(&sport->sw->table, sport->port);
}

static const struct h64_link_ops emu_sport_link_ops = {
	.up = emu_sport_up,
	.drop = emu_sport_drop,
};

/**
 * emu_switch_alloc - allocate a switch without ports
 * @key: hash key of its table
 *
 * Return: the switch, to be freed with kvfree(), or NULL.
 */
struct emu_switch *emu_switch_alloc(u32 key)
{
	struct emu_switch *sw = kvzalloc(sizeof(*sw), GFP_KERNEL);

	if (!sw)
		return NULL;
	sw->clock = 1;
	emu_table_init(&sw->table, key);
	return sw;
}

/* Each port has its own address, next to those of the cards */
static void emu_sport_identify(struct emu_sport *sport)
{
	const struct h64_identity self = {
		.ula = { 0x02, 0x64, 0, 0, 1, sport->port },
		.port = sport->port,
		.element = H64_ELEMENT_SWITCH,
		.software = "hippi6400_emu",
	};

	h64_admin_identify(&sport->link, &self);
}

/**
 * emu_switch_attach - add a port to a switch
 * @sw: the switch
 * @sport: the port, zeroed
 * @port: its number
 * @times: timers of its link
 * @now: the time
 */
void emu_switch_attach(struct emu_switch *sw, struct emu_sport *sport, unsigned int port,
		       const struct h64_link_times *times, u64 now)
{
	sport->sw = sw;
	sport->port = port;
	sport->link.ring.slot = sport->ring;
	sport->link.ring.size = EMU_RING_SIZE;
	h64_link_init(&sport->link, &emu_sport_link_ops, times);
	sport->patience = EMU_STALL_RECOVERIES * h64_link_recovery(times) +
			  EMU_STALL_MARGIN_MS * NSEC_PER_MSEC;
	emu_sport_identify(sport);
	sw->port[port] = sport;
	h64_link_enable(&sport->link, now);
}

/**
 * emu_switch_detach - remove a port from its switch
 * @sport: the port
 *
 * The rest of Messages that came from it is dropped.
 */
void emu_switch_detach(struct emu_sport *sport)
{
	h64_link_disable(&sport->link);
	emu_forward_abandon(sport);
	sport->sw->port[sport->port] = NULL;
}

/**
 * emu_switch_signal - set whether the far end of a port drives the line
 * @sport: the port
 * @signal: true if it does
 * @now: the time
 */
void emu_switch_signal(struct emu_sport *sport, bool signal, u64 now)
{
	h64_link_signal(&sport->link, signal, now);
}

/**
 * emu_switch_receive - handle micropackets that arrived at a port
 * @sport: the port
 * @upkts: the micropackets
 * @n: their number
 * @more: more are waiting at the other end of the line
 * @now: the time
 */
void emu_switch_receive(struct emu_sport *sport, const struct h64_upkt *upkts, unsigned int n,
			bool more, u64 now)
{
	sport->more = more;
	while (n--)
		emu_input_receive(sport, upkts++, now);
}

/*
 * Timers are checked once everything that arrived was handled, lest a timer
 * expires before its ACK is seen; but no later than the interval if the line
 * never runs empty.
 */
static void emu_sport_tick(struct emu_sport *sport, u64 now)
{
	if (sport->more && now - sport->ticked < EMU_TICK_MS * NSEC_PER_MSEC)
		return;
	sport->ticked = now;
	h64_link_tick(&sport->link, now);
}

static void emu_switch_age(struct emu_switch *sw, u64 now)
{
	unsigned int port;

	if (now - sw->aged < EMU_AGE_MS * NSEC_PER_MSEC)
		return;
	sw->aged = now;
	emu_table_age(&sw->table, now);
	for (port = 0; port < EMU_PORTS_MAX; port++)
		if (sw->port[port])
			emu_input_starve(sw->port[port]);
}

/**
 * emu_switch_run - run a switch
 * @sw: the switch
 * @now: the time
 *
 * Return: true if any Message moved.
 */
bool emu_switch_run(struct emu_switch *sw, u64 now)
{
	unsigned int port;
	bool moved;

	sw->clock += min_t(u64, now - sw->ran, EMU_CLOCK_STEP_MS * NSEC_PER_MSEC);
	sw->ran = now;
	emu_switch_age(sw, now);
	for (port = 0; port < EMU_PORTS_MAX; port++) {
		if (!sw->port[port])
			continue;
		emu_sport_tick(sw->port[port], now);
		h64_seq_retransmit(&sw->port[port]->link, now);
		h64_admin_send_ready(&sw->port[port]->link, now);
	}
	moved = emu_forward(sw, now);
	for (port = 0; port < EMU_PORTS_MAX; port++)
		if (sw->port[port])
			h64_link_flush(&sw->port[port]->link, now);
	return moved;
}

/**
 * emu_switch_sent - get the micropackets that a port sent
 * @sport: the port
 * @upkts: the first of the micropackets
 *
 * Return: the number of contiguous ones; emu_switch_taken() consumes them.
 */
unsigned int emu_switch_sent(const struct emu_sport *sport, const struct h64_upkt **upkts)
{
	const struct h64_tx_ring *ring = &sport->link.ring;
	u32 first = ring->cons & (ring->size - 1);

	*upkts = &ring->slot[first];
	return min(ring->prod - ring->cons, ring->size - first);
}

/**
 * emu_switch_taken - consume micropackets that a port sent
 * @sport: the port
 * @n: number of micropackets
 */
void emu_switch_taken(struct emu_sport *sport, unsigned int n)
{
	sport->link.ring.cons += n;
}
