// SPDX-License-Identifier: GPL-2.0
/*
 * Cut-through forwarding of Messages in a switch: each micropacket is forwarded
 * as it arrives.
 *
 * A Message needs one output or, if it is flooded, many.  It gets them all at
 * once and holds none while it waits, so no two Messages can wait for each
 * other.  Waiting Messages are served in the order in which they started to
 * wait, and an output that an older one needs is not given to a younger one.
 * Each input has one place in that order, so every input gets its turn.
 */
#include <linux/etherdevice.h>
#include <linux/string.h>

#include "emu/fabric/switch.h"
#include "link/seq.h"

/* Returns true if the port can send a micropacket of this VC now */
static bool emu_output_ready(struct emu_sport *sport, unsigned int vc)
{
	return h64_seq_can_send(&sport->link) && h64_credit_have(&sport->link, vc);
}

static void emu_output_send(struct emu_sport *sport, unsigned int vc,
			    const struct emu_cell *cell, u64 now)
{
	struct h64_crcs crcs = { H64_CRC_PRESET, H64_CRC_PRESET };
	struct h64_link *link = &sport->link;
	struct h64_upkt *upkt = h64_seq_slot(link);
	u64 ctrl = cell->ctrl | h64_seq_ctrl(link) | h64_credit_piggyback(link);

	h64_crc_upkt(upkt->data, cell->data, &crcs, link->clmul);
	h64_credit_use(link, vc);
	h64_seq_commit(link, upkt, ctrl, crcs.lcrc, now);
	sport->out[vc].blocked = 0;
	sport->stats.tx_messages += !!(ctrl & H64_C_TAIL);
}

static void emu_output_free(struct emu_switch *sw, unsigned int vc, unsigned long ports)
{
	struct emu_lane *lane = &sw->lane[vc];

	lane->busy &= ~ports;
	lane->closing &= ~ports;
	lane->stalled &= ~ports;
	lane->changed = true;
}

/* The first Message of an input has no outputs left: skip the rest of it */
static void emu_forward_skip(struct emu_input *in)
{
	in->state = EMU_SKIPPING;
	in->starving = 0;
}

/* Detaches outputs from a Message; where it has started it must be ended */
static void emu_output_close(struct emu_switch *sw, const struct emu_input *in, unsigned int vc,
			     unsigned long ports)
{
	unsigned int port;

	if (!in->begun) {
		sw->lane[vc].busy &= ~ports;
		sw->lane[vc].changed = true;
		return;
	}
	for_each_set_bit(port, &ports, EMU_PORTS_MAX)
		sw->port[port]->out[vc].ecrc = in->sent_ecrc;
	sw->lane[vc].closing |= ports;
}

/* An output could not take a micropacket.  Returns true if it now counts as stalled. */
static bool emu_output_blocked(struct emu_switch *sw, unsigned int port, unsigned int vc)
{
	struct emu_output *out = &sw->port[port]->out[vc];

	if (!out->blocked)
		out->blocked = sw->clock;
	if (sw->clock - out->blocked < sw->port[port]->patience)
		return false;
	out->blocked = 0;
	sw->lane[vc].stalled |= BIT(port);
	sw->port[port]->stats.tx_stalls++;
	return true;
}

/* Ends truncated Messages, and finds outputs that accept micropackets again */
static void emu_output_revive(struct emu_switch *sw, unsigned int vc, u64 now)
{
	struct emu_lane *lane = &sw->lane[vc];
	unsigned long ports = lane->closing | lane->stalled;
	unsigned int port;

	for_each_set_bit(port, &ports, EMU_PORTS_MAX) {
		struct emu_sport *sport = sw->port[port];
		struct emu_cell cell;

		if (!emu_output_ready(sport, vc)) {
			if (!(lane->stalled & BIT(port)))
				emu_output_blocked(sw, port, vc);
			continue;
		}
		if (lane->closing & BIT(port)) {
			emu_cell_close(&cell, vc, sport->out[vc].ecrc);
			emu_output_send(sport, vc, &cell, now);
		}
		emu_output_free(sw, vc, BIT(port));
	}
}

/* Sends one micropacket to all its outputs, if all can take it */
static bool emu_forward_cell(struct emu_sport *sport, unsigned int vc, u64 now)
{
	struct emu_input *in = &sport->in[vc];
	const struct emu_cell *cell = emu_input_first(in);
	struct emu_switch *sw = sport->sw;
	unsigned long outs = in->outs;
	bool blocked = false;
	unsigned int port;
	u64 ctrl;

	for_each_set_bit(port, &outs, EMU_PORTS_MAX) {
		if (emu_output_ready(sw->port[port], vc)) {
			sw->port[port]->out[vc].blocked = 0;
		} else if (emu_output_blocked(sw, port, vc)) {
			in->outs &= ~BIT(port);
			emu_output_close(sw, in, vc, BIT(port));
		} else {
			blocked = true;
		}
	}
	if (!in->outs) {
		emu_forward_skip(in);
		return true;
	}
	if (blocked)
		return false;

	for_each_set_bit(port, &in->outs, EMU_PORTS_MAX)
		emu_output_send(sw->port[port], vc, cell, now);
	ctrl = cell->ctrl;
	in->begun = true;
	in->sent_ecrc = FIELD_GET(H64_C_ECRC, ctrl);
	emu_input_pop(sport, vc);
	if (ctrl & H64_C_TAIL) {
		emu_output_free(sw, vc, in->outs);
		in->state = EMU_IDLE;
	} else if (!in->count) {
		in->starving = sw->clock;
	}
	return true;
}

static void emu_forward_throw_away(struct emu_sport *sport, unsigned int vc)
{
	struct emu_input *in = &sport->in[vc];
	bool tail = false;

	while (in->count && !tail) {
		tail = emu_input_first(in)->ctrl & H64_C_TAIL;
		emu_input_pop(sport, vc);
	}
	if (tail)
		in->state = EMU_IDLE;
}

/* Selects the outputs of the Message whose Header is the first cell of an input */
static void emu_forward_route(struct emu_sport *sport, unsigned int vc, u64 now)
{
	struct emu_input *in = &sport->in[vc];
	const struct h64_msg_hdr *hdr = (const struct h64_msg_hdr *)emu_input_first(in)->data;
	struct emu_switch *sw = sport->sw;
	struct emu_lane *lane = &sw->lane[vc];
	int port = -1;

	if (!is_multicast_ether_addr(hdr->d_ula))
		port = emu_table_find(&sw->table, hdr->d_ula, now);
	in->begun = false;
	if (port == sport->port) {
		sport->stats.rx_filtered++;
		emu_forward_skip(in);
		return;
	}
	if (port >= 0) {
		in->outs = BIT(port);
	} else {
		in->outs = sw->up & ~BIT(sport->port);
		sport->stats.rx_flooded += !!in->outs;
	}
	in->state = EMU_WAITING;
	lane->waiting[lane->waiters++] = sport->port;
	lane->changed = true;
}

static void emu_forward_unwait(struct emu_lane *lane, unsigned int i)
{
	lane->waiters--;
	memmove(&lane->waiting[i], &lane->waiting[i + 1], lane->waiters - i);
}

/* Removes the outputs that are down or stalled from those that a Message needs */
static void emu_forward_trim(struct emu_sport *sport, unsigned int vc)
{
	struct emu_switch *sw = sport->sw;
	struct emu_input *in = &sport->in[vc];
	unsigned long stalled;
	unsigned int port;

	in->outs &= sw->up;
	if (!in->outs)
		sport->stats.rx_no_output++;
	stalled = in->outs & sw->lane[vc].stalled;
	for_each_set_bit(port, &stalled, EMU_PORTS_MAX)
		sw->port[port]->stats.tx_stall_drops++;
	in->outs &= ~stalled;
}

static void emu_forward_go(struct emu_sport *sport, unsigned int vc)
{
	struct emu_switch *sw = sport->sw;
	struct emu_input *in = &sport->in[vc];
	unsigned int port;

	in->state = EMU_GOING;
	sw->lane[vc].busy |= in->outs;
	for_each_set_bit(port, &in->outs, EMU_PORTS_MAX)
		sw->port[port]->out[vc].owner = sport->port;
}

/* Gives free outputs to waiting Messages.  Returns true if any of them no longer waits. */
static bool emu_forward_arbitrate(struct emu_switch *sw, unsigned int vc)
{
	struct emu_lane *lane = &sw->lane[vc];
	unsigned long taken = lane->busy;
	unsigned int i = 0;
	bool any = false;

	lane->changed = false;
	while (i < lane->waiters) {
		struct emu_sport *sport = sw->port[lane->waiting[i]];
		struct emu_input *in = &sport->in[vc];

		emu_forward_trim(sport, vc);
		if (in->outs & taken) {
			taken |= in->outs;
			i++;
			continue;
		}
		if (in->outs)
			emu_forward_go(sport, vc);
		else
			emu_forward_skip(in);
		taken |= in->outs;
		emu_forward_unwait(lane, i);
		any = true;
	}
	return any;
}

/* Advances the first Message of an input by one step.  Returns true on progress. */
static bool emu_forward_step(struct emu_sport *sport, unsigned int vc, u64 now)
{
	switch (sport->in[vc].state) {
	case EMU_IDLE:
		emu_forward_route(sport, vc, now);
		return true;
	case EMU_GOING:
		return emu_forward_cell(sport, vc, now);
	case EMU_SKIPPING:
		emu_forward_throw_away(sport, vc);
		return true;
	default:
		return false;
	}
}

/**
 * emu_forward - forward as much as possible of what has arrived
 * @sw: the switch
 * @now: the time
 *
 * Each input forwards one micropacket at a time, so that the inputs share an
 * output's link evenly across Virtual Channels.
 *
 * Return: true if anything moved.
 */
bool emu_forward(struct emu_switch *sw, u64 now)
{
	bool moved, any = false;
	unsigned int vc, bit;

	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
		emu_output_revive(sw, vc, now);
	do {
		moved = false;
		for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
			if (sw->lane[vc].changed)
				moved |= emu_forward_arbitrate(sw, vc);
		for_each_set_bit_wrap(bit, sw->ready, EMU_INPUTS, sw->turn)
			moved |= emu_forward_step(sw->port[bit / HIPPI6400_NUM_VCS],
						  bit % HIPPI6400_NUM_VCS, now);
		sw->turn = (sw->turn + 1) % EMU_INPUTS;
		any |= moved;
	} while (moved);
	return any;
}

/**
 * emu_forward_give_up - drop the first Message of an input, which has not
 * started
 * @sport: the port
 * @vc: Virtual Channel of the input
 */
void emu_forward_give_up(struct emu_sport *sport, unsigned int vc)
{
	struct emu_lane *lane = &sport->sw->lane[vc];
	struct emu_input *in = &sport->in[vc];
	unsigned int i;

	if (in->state == EMU_GOING)
		emu_output_free(sport->sw, vc, in->outs);
	for (i = 0; in->state == EMU_WAITING && i < lane->waiters; i++) {
		if (lane->waiting[i] != sport->port)
			continue;
		emu_forward_unwait(lane, i);
		lane->changed = true;
		break;
	}
	in->state = EMU_IDLE;
}

/**
 * emu_forward_port_down - stop forwarding to a port whose link went down
 * @sport: the port, no longer up
 */
void emu_forward_port_down(struct emu_sport *sport)
{
	struct emu_switch *sw = sport->sw;
	unsigned int vc;

	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		struct emu_output *out = &sport->out[vc];

		if (sw->lane[vc].busy & ~sw->lane[vc].closing & BIT(sport->port)) {
			struct emu_input *in = &sw->port[out->owner]->in[vc];

			in->outs &= ~BIT(sport->port);
			if (!in->outs)
				emu_forward_skip(in);
			sport->stats.tx_cut++;
		}
		out->blocked = 0;
		emu_output_free(sw, vc, BIT(sport->port));
	}
}

/**
 * emu_forward_abandon - drop everything that arrived at a port and has not left
 * @sport: the port, whose link is off
 */
void emu_forward_abandon(struct emu_sport *sport)
{
	unsigned int vc;

	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		struct emu_input *in = &sport->in[vc];

		if (in->state == EMU_GOING) {
			emu_output_close(sport->sw, in, vc, in->outs);
			in->state = EMU_IDLE;
		}
		emu_forward_give_up(sport, vc);
		while (in->count)
			emu_input_pop(sport, vc);
	}
}
