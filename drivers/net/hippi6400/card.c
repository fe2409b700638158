// SPDX-License-Identifier: GPL-2.0
/*
 * Registers, rings and status block, as in
 * Documentation/networking/device_drivers/hippi6400-card.rst.
 */

#include <linux/dma-mapping.h>
#include <linux/iopoll.h>
#include <linux/minmax.h>
#include <linux/pci.h>
#include <linux/unaligned.h>

#include "card.h"

/*
 * The TX ring keeps what is not acknowledged: two windows, one in flight and
 * one of copies, and Nulls between.  The RX ring takes a window, what was sent
 * again before its first copy was looked at, and Nulls.
 */
#define H64_TX_ORDER	10
#define H64_RX_ORDER	12
/* With a smaller ring a window and its copies do not fit */
#define H64_MIN_ORDER	9
/* What the specification lets CAPS say */
#define H64_SPEC_ORDER	24

/* A card completes a reset within 100 ms; the driver gives it rather more */
#define H64_RESET_POLL_US	100
#define H64_RESET_LIMIT_US	(2 * USEC_PER_SEC)

/**
 * h64_card_read - read a register
 * @card: the card
 * @reg: its offset
 *
 * Return: the value.
 */
u32 h64_card_read(const struct h64_card *card, u32 reg)
{
	return readl(card->bar + reg);
}

static void h64_card_write(struct h64_card *card, u32 reg, u32 val)
{
	writel(val, card->bar + reg);
}

/**
 * h64_card_identify - see whether the driver and the card suit each other
 * @card: the card; nothing is written to it
 *
 * Return: 0, or -ENODEV after a message.
 */
int h64_card_identify(struct h64_card *card)
{
	struct device *dev = &card->pdev->dev;
	u32 id, version, caps, min, max;

	id = h64_card_read(card, H64_ID);
	if (id != H64_ID_MAGIC) {
		dev_err(dev, "ID: found %#010x, expected %#010x\n", id, H64_ID_MAGIC);
		return -ENODEV;
	}
	version = h64_card_read(card, H64_VERSION);
	if (FIELD_GET(H64_VERSION_MAJOR, version) != H64_VERSION_MAJOR_1) {
		dev_err(dev, "register version: found %lu.%lu, expected %u.x\n",
			FIELD_GET(H64_VERSION_MAJOR, version),
			FIELD_GET(H64_VERSION_MINOR, version), H64_VERSION_MAJOR_1);
		return -ENODEV;
	}
	caps = h64_card_read(card, H64_CAPS);
	min = FIELD_GET(H64_CAPS_RING_MIN, caps);
	max = FIELD_GET(H64_CAPS_RING_MAX, caps);
	if (!min || min > max || max > H64_SPEC_ORDER || max < H64_MIN_ORDER) {
		dev_err(dev, "ring sizes: found 2^%u to 2^%u, expected to find 2^%u between 2^1 and 2^%u\n",
			min, max, H64_MIN_ORDER, H64_SPEC_ORDER);
		return -ENODEV;
	}
	card->tx_order = clamp(H64_TX_ORDER, min, max);
	card->rx_order = clamp(H64_RX_ORDER, min, max);
	return 0;
}

/**
 * h64_card_ula - read the card's Universal LAN Address
 * @card: the card
 * @addr: where to, 6 bytes
 */
void h64_card_ula(const struct h64_card *card, u8 *addr)
{
	u32 hi = h64_card_read(card, H64_ULA_HI), lo = h64_card_read(card, H64_ULA_LO);

	put_unaligned_be32(hi, addr);
	put_unaligned_be16(lo >> 16, addr + 4);
}

/**
 * h64_card_halt - ask the card to stop
 * @card: the card
 *
 * It may still use the rings until h64_card_reset() has been called.
 */
void h64_card_halt(struct h64_card *card)
{
	card->ctrl &= H64_CTRL_BEACON;
	h64_card_write(card, H64_CTRL, card->ctrl);
	h64_card_write(card, H64_STATUS_VEC, H64_VEC_NONE);
	h64_card_write(card, H64_TX_VEC, H64_VEC_NONE);
	h64_card_write(card, H64_RX_VEC, H64_VEC_NONE);
}

/**
 * h64_card_reset - stop the card; when it returns 0 the card uses no memory
 * @card: the card
 *
 * Context: sleeps.
 * Return: 0, or -EIO after a message.
 */
int h64_card_reset(struct h64_card *card)
{
	struct device *dev = &card->pdev->dev;
	u32 gen, done;

	card->ctrl = 0;
	h64_card_halt(card);
	done = h64_card_read(card, H64_RESET_DONE);
	gen = h64_card_read(card, H64_RESET) + 1;
	/* Nobody may find the address of memory that is given back */
	h64_card_write(card, H64_SB_LO, 0);
	h64_card_write(card, H64_SB_HI, 0);
	if (gen == done)
		gen++;
	h64_card_write(card, H64_RESET, gen);
	if (readl_poll_timeout(card->bar + H64_RESET_DONE, done, done == gen,
			       H64_RESET_POLL_US, H64_RESET_LIMIT_US)) {
		dev_err(dev, "reset: RESET_DONE found %#x, expected %#x after %lu s\n",
			done, gen, H64_RESET_LIMIT_US / USEC_PER_SEC);
		return -EIO;
	}
	if (!(h64_card_read(card, H64_STATUS) & H64_STATUS_READY)) {
		dev_err(dev, "reset: STATUS found %#x, expected READY (%#lx)\n",
			h64_card_read(card, H64_STATUS), H64_STATUS_READY);
		return -EIO;
	}
	return 0;
}

/**
 * h64_card_alloc - memory that the card uses
 * @card: the card
 *
 * Return: 0 or -ENOMEM.
 */
int h64_card_alloc(struct h64_card *card)
{
	struct device *dev = &card->pdev->dev;

	card->sb = dma_alloc_coherent(dev, sizeof(*card->sb), &card->sb_dma, GFP_KERNEL);
	if (!card->sb)
		return -ENOMEM;
	card->tx = dma_alloc_coherent(dev, H64_UPKT_SIZE << card->tx_order, &card->tx_dma,
				      GFP_KERNEL);
	if (!card->tx)
		goto free_sb;
	card->rx = dma_alloc_coherent(dev, H64_UPKT_SIZE << card->rx_order, &card->rx_dma,
				      GFP_KERNEL);
	if (!card->rx)
		goto free_tx;
	return 0;

free_tx:
	dma_free_coherent(dev, H64_UPKT_SIZE << card->tx_order, card->tx, card->tx_dma);
free_sb:
	dma_free_coherent(dev, sizeof(*card->sb), card->sb, card->sb_dma);
	return -ENOMEM;
}

/**
 * h64_card_free - give back what h64_card_alloc() got
 * @card: the card, which was reset
 */
void h64_card_free(struct h64_card *card)
{
	struct device *dev = &card->pdev->dev;

	dma_free_coherent(dev, H64_UPKT_SIZE << card->rx_order, card->rx, card->rx_dma);
	dma_free_coherent(dev, H64_UPKT_SIZE << card->tx_order, card->tx, card->tx_dma);
	dma_free_coherent(dev, sizeof(*card->sb), card->sb, card->sb_dma);
}

/**
 * h64_card_start - run both rings and drive the line
 * @card: the card, reset, with memory
 * @tx_mod: TX_MOD
 * @rx_mod: RX_MOD
 */
void h64_card_start(struct h64_card *card, u32 tx_mod, u32 rx_mod)
{
	card->tx_prod = 0;
	card->tx_arm = 0;
	card->rx_cons = 0;
	card->rx_cons_told = 0;
	card->status_seq = h64_card_read(card, H64_STATUS_SEQ);
	/* No news until the card has written the block */
	memset(card->sb, 0, sizeof(*card->sb));
	card->sb->status_seq = cpu_to_le32(card->status_seq);

	h64_card_write(card, H64_SB_LO, lower_32_bits(card->sb_dma));
	h64_card_write(card, H64_SB_HI, upper_32_bits(card->sb_dma));
	h64_card_write(card, H64_TX_BASE_LO, lower_32_bits(card->tx_dma));
	h64_card_write(card, H64_TX_BASE_HI, upper_32_bits(card->tx_dma));
	h64_card_write(card, H64_TX_SIZE, card->tx_order);
	h64_card_write(card, H64_TX_PROD, 0);
	h64_card_write(card, H64_RX_BASE_LO, lower_32_bits(card->rx_dma));
	h64_card_write(card, H64_RX_BASE_HI, upper_32_bits(card->rx_dma));
	h64_card_write(card, H64_RX_SIZE, card->rx_order);
	h64_card_write(card, H64_RX_CONS, 0);
	h64_card_moderate(card, tx_mod, rx_mod);

	h64_card_write(card, H64_STATUS_ARM, card->status_seq);
	h64_card_write(card, H64_TX_ARM, 0);
	h64_card_write(card, H64_RX_ARM, 0);
	h64_card_write(card, H64_STATUS_VEC, H64_VEC_STATUS);
	h64_card_write(card, H64_TX_VEC, H64_VEC_TX);
	h64_card_write(card, H64_RX_VEC, H64_VEC_RX);

	card->ctrl |= H64_CTRL_RX_EN | H64_CTRL_TX_EN | H64_CTRL_PORT_ON;
	h64_card_write(card, H64_CTRL, card->ctrl);
}

/**
 * h64_card_moderate - set interrupt moderation
 * @card: the card
 * @tx_mod: TX_MOD
 * @rx_mod: RX_MOD
 */
void h64_card_moderate(struct h64_card *card, u32 tx_mod, u32 rx_mod)
{
	h64_card_write(card, H64_TX_MOD, tx_mod);
	h64_card_write(card, H64_RX_MOD, rx_mod);
}

/**
 * h64_card_beacon - make the port's light blink
 * @card: the card
 * @on: or not
 */
void h64_card_beacon(struct h64_card *card, bool on)
{
	card->ctrl &= ~H64_CTRL_BEACON;
	if (on)
		card->ctrl |= H64_CTRL_BEACON;
	h64_card_write(card, H64_CTRL, card->ctrl);
}

/**
 * h64_card_tell_tx - hand micropackets to the card
 * @card: the card
 * @prod: how far the TX ring was written
 */
void h64_card_tell_tx(struct h64_card *card, u32 prod)
{
	if (prod == card->tx_prod)
		return;
	card->tx_prod = prod;
	h64_card_write(card, H64_TX_PROD, prod);
}

/**
 * h64_card_tell_rx - give RX entries back to the card
 * @card: the card
 */
void h64_card_tell_rx(struct h64_card *card)
{
	if (card->rx_cons == card->rx_cons_told)
		return;
	card->rx_cons_told = card->rx_cons;
	/* What was read of the entries has been read before */
	mb();
	h64_card_write(card, H64_RX_CONS, card->rx_cons);
}

/**
 * h64_card_arm_tx - ask for an interrupt when the card has taken entries
 * @card: the card
 * @index: when TX_CONS is past this
 */
void h64_card_arm_tx(struct h64_card *card, u32 index)
{
	if (index == card->tx_arm)
		return;
	card->tx_arm = index;
	h64_card_write(card, H64_TX_ARM, index);
}

/**
 * h64_card_arm - ask for interrupts on what has not been looked at
 * @card: the card
 *
 * The card looks at RX_PROD and STATUS_SEQ again when these values change, so
 * nothing that comes meanwhile is missed.
 */
void h64_card_arm(struct h64_card *card)
{
	h64_card_write(card, H64_RX_ARM, card->rx_cons);
	h64_card_write(card, H64_STATUS_ARM, card->status_seq);
}

/**
 * h64_card_has_news - whether the status block moved on since it was looked at
 * @card: the card
 *
 * Return: true if there is something to receive or a new status.
 */
bool h64_card_has_news(const struct h64_card *card)
{
	return le32_to_cpu(READ_ONCE(card->sb->rx_prod)) != card->rx_cons ||
	       le32_to_cpu(READ_ONCE(card->sb->status_seq)) != card->status_seq;
}

/**
 * h64_card_status - look at the status block
 * @card: the card
 * @status: STATUS
 * @fault: FAULT
 *
 * Return: true if they are news.
 */
bool h64_card_status(struct h64_card *card, u32 *status, u32 *fault)
{
	u32 seq = le32_to_cpu(READ_ONCE(card->sb->status_seq));

	if (seq == card->status_seq)
		return false;
	/* The card writes the sequence last */
	dma_rmb();
	*status = le32_to_cpu(READ_ONCE(card->sb->status));
	*fault = le32_to_cpu(READ_ONCE(card->sb->fault));
	card->status_seq = seq;
	return true;
}

/**
 * h64_card_counter - read a 64-bit counter
 * @card: the card
 * @reg: its offset
 *
 * Return: the value.
 */
u64 h64_card_counter(const struct h64_card *card, u32 reg)
{
	unsigned int tries = 3;
	u32 hi, lo, again;

	again = h64_card_read(card, reg + 4);
	do {
		hi = again;
		lo = h64_card_read(card, reg);
		again = h64_card_read(card, reg + 4);
	} while (hi != again && --tries);
	return (u64)hi << 32 | lo;
}

/**
 * h64_card_fault_name - a fault in words
 * @fault: FAULT
 *
 * Return: for messages.
 */
const char *h64_card_fault_name(u32 fault)
{
	switch (fault) {
	case H64_FAULT_NONE:
		return "FAULT (none)";
	case H64_FAULT_TX_INDEX:
		return "FAULT (TX_PROD more than a ring ahead of TX_CONS)";
	case H64_FAULT_RX_INDEX:
		return "FAULT (RX_CONS ahead of RX_PROD)";
	case H64_FAULT_RING_SIZE:
		return "FAULT (ring size outside CAPS)";
	case H64_FAULT_DMA:
		return "FAULT (address out of reach)";
	case H64_FAULT_VECTOR:
		return "FAULT (vector outside the MSI-X table)";
	default:
		return "FAULT (unknown)";
	}
}
