// SPDX-License-Identifier: GPL-2.0
/*
 * Input of a switch port: from the link into the buffers of the Virtual
 * Channels.
 *
 * The sequence of micropackets in a buffer is always valid: each Message is one
 * Header and Data micropackets, with TAIL on the last.  A Message that will not
 * be completed is removed again.  If some of it has left, this switch adds a
 * last micropacket with TAIL and ERROR (HIPPI-6400-PH 4.4).
 */
#include <linux/string.h>

#include "emu/fabric/switch.h"

/* Control bits that are forwarded from link to link */
#define EMU_CTRL_KEPT	(H64_C_VC | H64_C_TYPE | H64_C_TAIL | H64_C_ERROR | H64_C_ECRC)

/**
 * emu_cell_close - build the micropacket that ends a truncated Message
 * @cell: the micropacket
 * @vc: Virtual Channel of the Message
 * @ecrc: ECRC of the Message before it
 */
void emu_cell_close(struct emu_cell *cell, unsigned int vc, u16 ecrc)
{
	memset(cell->data, 0, sizeof(cell->data));
	ecrc = h64_crc(H64_POLY_ECRC, ecrc, cell->data, sizeof(cell->data));
	cell->ctrl = FIELD_PREP(H64_C_VC, vc) | FIELD_PREP(H64_C_TYPE, H64_TYPE_DATA) |
		     H64_C_TAIL | H64_C_ERROR | FIELD_PREP(H64_C_ECRC, ecrc);
}

/**
 * emu_input_first - return the first micropacket of an input
 * @in: the input, not empty
 *
 * Return: the micropacket.
 */
const struct emu_cell *emu_input_first(const struct emu_input *in)
{
	return &in->cell[in->head];
}

/**
 * emu_input_pop - remove the first micropacket of an input
 * @sport: the port
 * @vc: Virtual Channel of the input, which has a micropacket
 */
void emu_input_pop(struct emu_sport *sport, unsigned int vc)
{
	struct emu_input *in = &sport->in[vc];

	if (in->closing)
		in->closing = false;
	else
		h64_credit_drained(&sport->link, vc);
	if (in->newest == in->count)
		in->newest--;
	in->head = (in->head + 1) % EMU_CELLS;
	if (!--in->count)
		__clear_bit(emu_input_bit(sport->port, vc), sport->sw->ready);
}

static struct emu_cell *emu_input_push(struct emu_sport *sport, unsigned int vc)
{
	struct emu_input *in = &sport->in[vc];

	__set_bit(emu_input_bit(sport->port, vc), sport->sw->ready);
	in->starving = 0;
	return &in->cell[(in->head + in->count++) % EMU_CELLS];
}

/* Removes or truncates the newest Message, which is open and will not be completed */
static void emu_input_cut(struct emu_sport *sport, unsigned int vc)
{
	struct emu_input *in = &sport->in[vc];

	in->count -= in->newest;
	for (; in->newest; in->newest--)
		h64_credit_drained(&sport->link, vc);

	if (!in->count) {
		__clear_bit(emu_input_bit(sport->port, vc), sport->sw->ready);
		if (in->state == EMU_GOING && in->begun) {
			emu_cell_close(emu_input_push(sport, vc), vc, in->sent_ecrc);
			in->closing = true;
			sport->stats.rx_truncated++;
			return;
		}
		/* A Message that is skipped was counted when the skipping started */
		if (in->state == EMU_SKIPPING) {
			in->state = EMU_IDLE;
			return;
		}
		emu_forward_give_up(sport, vc);
	}
	sport->stats.rx_lost++;
}

static void emu_input_bad(struct emu_sport *sport, unsigned int vc, u64 *counter)
{
	(*counter)++;
	emu_input_cut(sport, vc);
	sport->in[vc].skip = true;
}

static void emu_input_header(struct emu_sport *sport, unsigned int vc, const u8 *data,
			     bool good, u64 now)
{
	const struct h64_msg_hdr *hdr = (const struct h64_msg_hdr *)data;
	struct emu_input *in = &sport->in[vc];

	if (in->open && !in->skip)
		emu_input_bad(sport, vc, &sport->stats.rx_header_without_tail);
	in->open = true;
	in->skip = false;
	in->bad_ecrc = false;
	in->seen = 0;
	sport->stats.rx_messages++;
	if (good)
		emu_table_learn(&sport->sw->table, hdr->s_ula, sport->port, now);
}

/* Returns true if a micropacket of the newest Message is stored */
static bool emu_input_check(struct emu_sport *sport, unsigned int vc, u64 ctrl, bool credit)
{
	struct emu_input *in = &sport->in[vc];

	if (in->skip)
		return false;
	if (!credit)
		emu_input_bad(sport, vc, &sport->stats.rx_no_room);
	else if (++in->seen > h64_vc_limit(vc))
		emu_input_bad(sport, vc, &sport->stats.rx_over_limit);
	if (in->skip)
		return false;
	/* The destination finds the wrong ECRC too; this counter locates the fault */
	if (in->ecrc != FIELD_GET(H64_C_ECRC, ctrl) && !in->bad_ecrc) {
		in->bad_ecrc = true;
		sport->stats.rx_ecrc_errors++;
	}
	return true;
}

/* A Header or Data micropacket that the link accepted, with credit or without */
static void emu_input_accept(struct emu_sport *sport, const u8 *data, u64 ctrl, u16 ecrc,
			     bool credit, u64 now)
{
	unsigned int vc = FIELD_GET(H64_C_VC, ctrl);
	struct emu_input *in = &sport->in[vc];
	struct emu_cell *cell;

	if (FIELD_GET(H64_C_TYPE, ctrl) == H64_TYPE_HEADER)
		emu_input_header(sport, vc, data, ecrc == FIELD_GET(H64_C_ECRC, ctrl), now);
	else if (!in->open)
		sport->stats.rx_data_without_header++;
	in->ecrc = ecrc;
	if (!in->open || !emu_input_check(sport, vc, ctrl, credit)) {
		if (credit)
			h64_credit_drained(&sport->link, vc);
	} else {
		cell = emu_input_push(sport, vc);
		memcpy(cell->data, data, sizeof(cell->data));
		cell->ctrl = ctrl & EMU_CTRL_KEPT;
		in->newest++;
	}
	if (ctrl & H64_C_TAIL) {
		in->open = false;
		in->newest = 0;
	}
}

/**
 * emu_input_receive - handle a micropacket that arrived at a port
 * @sport: the port
 * @upkt: the micropacket
 * @now: the time
 */
void emu_input_receive(struct emu_sport *sport, const struct h64_upkt *upkt, u64 now)
{
	u64 ctrl = h64_upkt_ctrl(upkt);
	struct emu_input *in = &sport->in[FIELD_GET(H64_C_VC, ctrl)];
	u8 data[H64_UPKT_DATA] __aligned(8);
	enum h64_verdict verdict;
	u16 ecrc = H64_CRC_PRESET;

	if (FIELD_GET(H64_C_TYPE, ctrl) == H64_TYPE_DATA && in->open)
		ecrc = in->ecrc;
	verdict = h64_upkt_decode(data, upkt, ctrl, &ecrc, sport->link.clmul);

	switch (h64_link_rx(&sport->link, ctrl, verdict, ecrc, now)) {
	case H64_RX_MESSAGE:
		emu_input_accept(sport, data, ctrl, ecrc, true, now);
		break;
	case H64_RX_NO_CREDIT:
		emu_input_accept(sport, data, ctrl, ecrc, false, now);
		break;
	case H64_RX_ADMIN:
		/* Admin is for this switch and is not forwarded */
		h64_admin_rx(&sport->link, data, now);
		break;
	default:
		break;
	}
}

/**
 * emu_input_reset - handle the drop of the state of a port's link
 * @sport: the port
 *
 * Complete Messages stay: they are acknowledged to the far end.
 */
void emu_input_reset(struct emu_sport *sport)
{
	unsigned int vc;

	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		struct emu_input *in = &sport->in[vc];

		if (in->open && !in->skip)
			emu_input_cut(sport, vc);
		in->open = false;
		in->skip = false;
	}
}

/**
 * emu_input_starve - give up Messages that stopped arriving
 * @sport: the port
 */
void emu_input_starve(struct emu_sport *sport)
{
	u64 clock = sport->sw->clock;
	unsigned int vc;

	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		struct emu_input *in = &sport->in[vc];

		if (!in->starving || clock - in->starving < sport->patience)
			continue;
		in->starving = 0;
		emu_input_bad(sport, vc, &sport->stats.rx_starved);
	}
}
