// SPDX-License-Identifier: GPL-2.0
/*
 * Micropackets pass two directions from port to port: the one that leaves the
 * sending card's port, then the one that arrives at the receiving card's port.
 * A switch or a program is at the end of the first and the beginning of the
 * second.
 */
#include <linux/ktime.h>
#include <linux/minmax.h>

#include "emu/card/card.h"
#include "emu/fabric/fabric.h"

/* The cable is plugged in at this end */
static bool emu_cable_in(const struct emu *emu, unsigned int port)
{
	const struct emu_port *p = &emu->port[port];

	return !READ_ONCE(p->unplugged) && !p->dark;
}

/* The port has a far end, and the cable is plugged in at both ends */
static bool emu_cable_whole(const struct emu *emu, unsigned int port)
{
	const struct emu_end *end = &emu->topology.end[port];

	switch (end->kind) {
	case EMU_CABLE:
	case EMU_LOOPBACK:
		return emu_cable_in(emu, port) && emu_cable_in(emu, end->peer);
	case EMU_SWITCH:
		return emu_cable_in(emu, port);
	default:
		return emu->port[port].line && emu_cable_in(emu, port);
	}
}

/**
 * emu_cable_signal - check whether a signal arrives at a port
 * @emu: all cards
 * @port: number of the port
 *
 * Context: emu->lock held.
 *
 * Return: true if the cable is plugged in at both ends and the far end drives
 * it.
 */
bool emu_cable_signal(const struct emu *emu, unsigned int port)
{
	const struct emu_end *end = &emu->topology.end[port];

	if (!emu_cable_whole(emu, port))
		return false;
	/* A switch and a program always drive their lines */
	return end->kind == EMU_SWITCH || end->kind == EMU_NOTHING ||
	       emu_card_port_on(&emu->cards[end->peer]);
}

/**
 * emu_cable_begin - start a round
 * @emu: all cards
 *
 * Context: emu->lock held.
 */
void emu_cable_begin(struct emu *emu)
{
	struct emu_port *p;

	emu->now = ktime_get_ns();
	for (p = emu->port; p < emu->port + emu->ports; p++)
		if (p->dark && emu->now >= p->dark_until)
			p->dark = false;
}

/*
 * Carries micropackets in one direction: @n of them go in; the result is @in or
 * @out.
 */
static const struct h64_upkt *emu_cable_pass(struct emu *emu, struct emu_way *way,
					     const struct h64_upkt *in, struct h64_upkt *out,
					     unsigned int *n)
{
	const struct h64_upkt *passed = in;

	if (*n)
		passed = emu_way_pass(way, &emu->seed, in, out, n);
	if (!emu_way_slow(way))
		return passed;
	emu_way_wait(way, passed, *n, emu->now);
	*n = emu_way_due(way, out, emu->now);
	return out;
}

/* Delivers micropackets to a port; with @n 0, those that are no longer delayed */
static bool emu_cable_arrive(struct emu *emu, unsigned int port, const struct h64_upkt *upkts,
			     unsigned int n)
{
	struct emu_card *card = &emu->cards[port];
	struct emu_way *way = &emu->port[port].rx;
	unsigned int part, out, fit;
	bool any = false;

	do {
		u64 dropped = way->stats.dropped;
		const struct h64_upkt *arrived;

		part = min(n, EMU_BATCH);
		out = part;
		arrived = emu_cable_pass(emu, way, upkts, emu->arrived, &out);
		/* The card notices micropackets that are lost on its own line */
		emu_card_line_errors(card, way->stats.dropped - dropped);
		if (out) {
			fit = emu_ring_put(card, arrived, out);
			emu_card_publish(card);
			way->stats.moved += fit;
			way->stats.no_room += out - fit;
			any = true;
		}
		upkts += part;
		n -= part;
	} while (n);
	return any;
}

/* Delivers micropackets to the far end of a port */
static void emu_cable_leave(struct emu *emu, unsigned int port, const struct h64_upkt *upkts,
			    unsigned int n, bool more)
{
	const struct emu_end *end = &emu->topology.end[port];
	struct emu_port *p = &emu->port[port];
	unsigned int fit = n;

	switch (end->kind) {
	case EMU_SWITCH:
		emu_switch_receive(p->sport, upkts, n, more, emu->now);
		break;
	case EMU_NOTHING:
		fit = emu_line_put(p->line, upkts, n);
		break;
	default:
		if (n)
			emu_cable_arrive(emu, end->peer, upkts, n);
		break;
	}
	p->tx.stats.moved += fit;
	p->tx.stats.no_room += n - fit;
}

/* Carries a batch of micropackets from a port to its far end */
static bool emu_cable_move_out(struct emu *emu, unsigned int port)
{
	struct emu_card *card = &emu->cards[port];
	struct emu_way *way = &emu->port[port].tx;
	const struct h64_upkt *upkts;
	unsigned int taken, n;
	bool whole;

	whole = emu_cable_whole(emu, port) && emu_card_port_on(card);
	if (emu->port[port].sport)
		emu_switch_signal(emu->port[port].sport, whole, emu->now);
	taken = emu_ring_take(card, emu->taken, EMU_BATCH);
	if (taken)
		emu_card_publish(card);

	if (!whole) {
		way->stats.lost += taken;
		emu_way_clear(way);
		return taken;
	}
	n = taken;
	upkts = emu_cable_pass(emu, way, emu->taken, emu->left, &n);
	if (n || emu->port[port].sport)
		emu_cable_leave(emu, port, upkts, n, taken == EMU_BATCH);
	return taken || n;
}

/* Takes micropackets for a port from a far end that is no card */
static unsigned int emu_cable_fetch(struct emu *emu, unsigned int port, bool whole,
				    const struct h64_upkt **upkts)
{
	struct emu_port *p = &emu->port[port];
	unsigned int n;

	if (p->sport) {
		n = min(emu_switch_sent(p->sport, upkts), EMU_BATCH);
		emu_switch_taken(p->sport, n);
		return n;
	}
	if (!p->line)
		return 0;
	emu_line_driven(p->line, whole && emu_card_port_on(&emu->cards[port]));
	*upkts = emu->taken;
	return emu_line_take(p->line, emu->taken, EMU_BATCH);
}

/* Carries a batch from a far end that is no card to a port, delayed micropackets included */
static bool emu_cable_move_in(struct emu *emu, unsigned int port)
{
	struct emu_port *p = &emu->port[port];
	bool whole = emu_cable_whole(emu, port);
	const struct h64_upkt *upkts = NULL;
	unsigned int n;

	n = emu_cable_fetch(emu, port, whole, &upkts);
	if (!whole) {
		p->rx.stats.lost += n;
		emu_way_clear(&p->rx);
		return n;
	}
	if (!n && !emu_way_slow(&p->rx))
		return false;
	return emu_cable_arrive(emu, port, upkts, n) || n;
}

/**
 * emu_cable_move - carry at most one batch of micropackets in each cable
 * @emu: all cards
 *
 * Context: the thread, emu->lock held.
 *
 * Return: true if there were any.
 */
bool emu_cable_move(struct emu *emu)
{
	struct emu_fabric *fabric;
	unsigned int port;
	bool busy = false;

	for (port = 0; port < emu->ports; port++)
		busy |= emu_cable_move_out(emu, port);
	for (fabric = emu->fabric; fabric < emu->fabric + emu->topology.switches; fabric++)
		busy |= emu_switch_run(fabric->sw, emu->now);
	for (port = 0; port < emu->ports; port++)
		busy |= emu_cable_move_in(emu, port);
	return busy;
}

/**
 * emu_cable_next - tell when the next delayed micropacket comes out
 * @emu: all cards
 *
 * Context: emu->lock held.
 *
 * Return: the time, EMU_NO_DEADLINE if none waits.
 */
ktime_t emu_cable_next(const struct emu *emu)
{
	const struct emu_port *p;
	u64 next = U64_MAX;

	for (p = emu->port; p < emu->port + emu->ports; p++)
		next = min3(next, emu_way_next(&p->tx), emu_way_next(&p->rx));
	return next == U64_MAX ? EMU_NO_DEADLINE : ns_to_ktime(next);
}
