// SPDX-License-Identifier: GPL-2.0
/*
 * The rings of an emulated card, in host memory.
 *
 * Micropackets are copied in batches between the rings and the cable's own
 * memory.  So the driver cannot change a micropacket after it was checked, and
 * the card's lock is held only for short copies.
 */
#include <linux/bitfield.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "emu/card/card.h"
#include "emu/card/pci.h"

/* A cache line, the alignment of the status block: all that a card requires of a ring's base */
#define EMU_RING_ALIGN		64

/* Returns a fault code, H64_FAULT_NONE if the ring can run */
static u32 emu_ring_start(struct emu_card *card, struct emu_ring *ring,
			  unsigned int base_lo, unsigned int base_hi,
			  unsigned int size_reg)
{
	u32 log2 = emu_read(card, size_reg);
	u32 caps = READ_ONCE(card->claim.caps);
	u64 base = (u64)emu_read(card, base_hi) << 32 |
		   emu_read(card, base_lo);

	/* CAPS is set in debugfs and may exceed what the emulator supports */
	if (log2 < FIELD_GET(H64_CAPS_RING_MIN, caps) ||
	    log2 > FIELD_GET(H64_CAPS_RING_MAX, caps) || log2 > EMU_RING_MAX_LOG2)
		return H64_FAULT_RING_SIZE;
	if (!IS_ALIGNED(base, EMU_RING_ALIGN))
		return H64_FAULT_DMA;

	ring->size = 1U << log2;
	ring->entries = emu_host_mem(card, base,
				     (size_t)ring->size * H64_UPKT_SIZE);
	if (!ring->entries)
		return H64_FAULT_DMA;
	ring->running = true;
	return H64_FAULT_NONE;
}

/**
 * emu_ring_control - start or stop the rings as CTRL says
 * @card: the card
 */
void emu_ring_control(struct emu_card *card)
{
	bool allowed = !card->fault && emu_cfg_bus_master(card);
	bool tx = allowed && (card->ctrl & H64_CTRL_TX_EN);
	bool rx = allowed && (card->ctrl & H64_CTRL_RX_EN);
	u32 fault = H64_FAULT_NONE;

	if (!tx)
		card->tx.running = false;
	if (!rx)
		card->rx.running = false;

	if (tx && !card->tx.running)
		fault = emu_ring_start(card, &card->tx, H64_TX_BASE_LO,
				       H64_TX_BASE_HI, H64_TX_SIZE);
	if (!fault && rx && !card->rx.running)
		fault = emu_ring_start(card, &card->rx, H64_RX_BASE_LO,
				       H64_RX_BASE_HI, H64_RX_SIZE);
	if (fault)
		emu_card_fault(card, fault);
}

/* Copies n micropackets between a ring, from index on, and linear memory */
static bool emu_ring_copy(struct emu_card *card, const struct emu_ring *ring,
			  u32 index, struct h64_upkt *out,
			  const struct h64_upkt *in, unsigned int n)
{
	u32 first = index & (ring->size - 1);
	unsigned int before_wrap = min(n, ring->size - first);
	struct h64_upkt *entry = ring->entries + first;
	unsigned long flags;
	bool ok;

	raw_spin_lock_irqsave(&card->lock, flags);
	ok = emu_power_dma(card);
	if (ok && out) {
		memcpy(out, entry, before_wrap * sizeof(*out));
		memcpy(out + before_wrap, ring->entries,
		       (n - before_wrap) * sizeof(*out));
	} else if (ok) {
		memcpy(entry, in, before_wrap * sizeof(*in));
		memcpy(ring->entries, in + before_wrap,
		       (n - before_wrap) * sizeof(*in));
	}
	raw_spin_unlock_irqrestore(&card->lock, flags);
	return ok;
}

/**
 * emu_ring_take - take micropackets from the TX ring
 * @card: the card
 * @to: destination
 * @max: maximum number, EMU_BATCH or less
 *
 * Return: the number; TX_CONS is past them, but not yet published.
 */
unsigned int emu_ring_take(struct emu_card *card, struct h64_upkt *to,
			   unsigned int max)
{
	unsigned int n;
	u32 avail;

	if (!card->power.on || !card->tx.running)
		return 0;

	avail = emu_read(card, H64_TX_PROD) - card->tx_cons;
	if (avail > card->tx.size) {
		emu_card_fault(card, H64_FAULT_TX_INDEX);
		return 0;
	}
	n = min(avail, max);
	if (!n || !emu_ring_copy(card, &card->tx, card->tx_cons, to, NULL, n))
		return 0;

	card->tx_cons += n;
	card->cnt_tx += n;
	return n;
}

/**
 * emu_ring_put - put arriving micropackets into the RX ring
 * @card: the card
 * @from: the micropackets
 * @n: their number
 *
 * Return: the number stored; RX_PROD is past them, but not yet published.  The
 * rest is lost, and counted if the ring was full.
 */
unsigned int emu_ring_put(struct emu_card *card, const struct h64_upkt *from,
			  unsigned int n)
{
	u32 used, fit;

	if (!card->power.on || !card->rx.running)
		return 0;

	used = card->rx_prod - emu_read(card, H64_RX_CONS);
	if (used > card->rx.size) {
		emu_card_fault(card, H64_FAULT_RX_INDEX);
		return 0;
	}
	fit = min(n, card->rx.size - used);
	if (fit && !emu_ring_copy(card, &card->rx, card->rx_prod, NULL, from,
				  fit))
		return 0;

	card->rx_prod += fit;
	card->cnt_rx += fit;
	card->cnt_no_room += n - fit;
	return fit;
}
