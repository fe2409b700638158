// SPDX-License-Identifier: GPL-2.0
/*
 * Rings and status block: memory, indices and interrupts, as in
 * Documentation/networking/device_drivers/hippi6400-card.rst.
 */

#include <kunit/visibility.h>
#include <linux/dma-mapping.h>
#include <linux/export.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/net.h>
#include <linux/pci.h>
#include <linux/spinlock.h>

#include "card.h"

static void *h64_card_alloc_one(struct h64_card *card, const char *what, size_t size,
				dma_addr_t *dma)
{
	struct device *dev = &card->pdev->dev;
	void *mem;

	/* The message below is more specific than the allocator's, and is rate-limited */
	mem = dma_alloc_coherent(dev, size, dma, GFP_KERNEL | __GFP_NOWARN);
	if (!mem && net_ratelimit())
		dev_err(dev, "%s: found no memory for the card, expected %zu bytes\n",
			what, size);
	return mem;
}

/**
 * h64_card_alloc_rings - allocate rings of the card's sizes
 * @card: the card
 *
 * Return: 0 or -ENOMEM.
 */
int h64_card_alloc_rings(struct h64_card *card)
{
	struct device *dev = &card->pdev->dev;

	card->tx = h64_card_alloc_one(card, "TX ring", H64_UPKT_SIZE << card->tx_order,
				      &card->tx_dma);
	if (!card->tx)
		return -ENOMEM;
	card->rx = h64_card_alloc_one(card, "RX ring", H64_UPKT_SIZE << card->rx_order,
				      &card->rx_dma);
	if (card->rx)
		return 0;
	dma_free_coherent(dev, H64_UPKT_SIZE << card->tx_order, card->tx, card->tx_dma);
	return -ENOMEM;
}

/**
 * h64_card_free_rings - undo h64_card_alloc_rings()
 * @card: the card, which no longer accesses them
 */
void h64_card_free_rings(struct h64_card *card)
{
	struct device *dev = &card->pdev->dev;

	dma_free_coherent(dev, H64_UPKT_SIZE << card->rx_order, card->rx, card->rx_dma);
	dma_free_coherent(dev, H64_UPKT_SIZE << card->tx_order, card->tx, card->tx_dma);
}

/**
 * h64_card_swap_rings - exchange rings and their sizes
 * @card: the card, which was reset
 * @other: a copy of it with other rings
 */
void h64_card_swap_rings(struct h64_card *card, struct h64_card *other)
{
	swap(card->tx, other->tx);
	swap(card->rx, other->rx);
	swap(card->tx_dma, other->tx_dma);
	swap(card->rx_dma, other->rx_dma);
	swap(card->tx_order, other->tx_order);
	swap(card->rx_order, other->rx_order);
}

/**
 * h64_card_alloc - allocate the memory that the card uses
 * @card: the card, which was reset
 *
 * Return: 0, or -ENOMEM after a message.
 */
int h64_card_alloc(struct h64_card *card)
{
	struct device *dev = &card->pdev->dev;

	card->sb = h64_card_alloc_one(card, "status block", sizeof(*card->sb), &card->sb_dma);
	if (!card->sb)
		return -ENOMEM;
	if (!h64_card_alloc_rings(card))
		return 0;
	dma_free_coherent(dev, sizeof(*card->sb), card->sb, card->sb_dma);
	return -ENOMEM;
}

/**
 * h64_card_cut_off - bar a card that could not be reset from host memory
 * @card: the card, with memory
 *
 * Bus mastering is disabled; reading that back flushes the card's last writes to
 * memory.  If the card is still a bus master, or does not answer, it keeps its
 * memory.  A card that was pulled, or whose channel is frozen by an error, is not
 * accessed.
 *
 * Context: process.
 */
void h64_card_cut_off(struct h64_card *card)
{
	u16 command = 0;

	card->kept = 0;
	if (pci_channel_offline(card->pdev))
		return;
	pci_clear_master(card->pdev);
	pci_read_config_word(card->pdev, PCI_COMMAND, &command);
	/* A read that nobody answers returns all ones, the master bit included */
	if (!(command & PCI_COMMAND_MASTER))
		return;
	card->kept = sizeof(*card->sb) + (H64_UPKT_SIZE << card->tx_order) +
		     (H64_UPKT_SIZE << card->rx_order);
	dev_err(&card->pdev->dev, "COMMAND: found %#x, expected no bus master; the card keeps %llu bytes of memory\n",
		command, card->kept);
}
EXPORT_SYMBOL_IF_KUNIT(h64_card_cut_off);

/**
 * h64_card_free - undo h64_card_alloc()
 * @card: the card, which was reset or barred from memory; memory that it keeps
 *	is not freed
 */
void h64_card_free(struct h64_card *card)
{
	struct device *dev = &card->pdev->dev;

	if (card->kept)
		return;
	h64_card_free_rings(card);
	dma_free_coherent(dev, sizeof(*card->sb), card->sb, card->sb_dma);
}

/**
 * h64_card_take_back - free the memory that a card kept
 * @card: the card, which keeps memory, and was reset after all
 */
void h64_card_take_back(struct h64_card *card)
{
	dev_info(&card->pdev->dev, "%llu bytes of memory that the card kept are given back\n",
		 card->kept);
	card->kept = 0;
	h64_card_free(card);
}

/**
 * h64_card_abandon - stop using a card for good
 * @card: the card, not running
 *
 * Memory that it still keeps and does not release now is leaked.
 *
 * Context: sleeps.
 */
void h64_card_abandon(struct h64_card *card)
{
	if (!card->kept || !h64_card_reset(card))
		return;
	/* The card may have been pulled since */
	h64_card_cut_off(card);
	h64_card_free(card);
}

/* Vector of a source: sources share the last one if there are too few */
static u32 h64_card_vec(const struct h64_card *card, enum h64_vector source)
{
	return card->vectors ? min(source, card->vectors - 1) : 0;
}

/* The ARM registers of the sources are already written */
static void h64_card_loud(struct h64_card *card)
{
	unsigned long flags;

	spin_lock_irqsave(&card->vec_lock, flags);
	card->quiet = false;
	h64_card_write(card, H64_STATUS_VEC, h64_card_vec(card, H64_VEC_STATUS));
	h64_card_write(card, H64_TX_VEC, h64_card_vec(card, H64_VEC_TX));
	h64_card_write(card, H64_RX_VEC, h64_card_vec(card, H64_VEC_RX));
	spin_unlock_irqrestore(&card->vec_lock, flags);
}

static void h64_card_quiet_locked(struct h64_card *card)
{
	lockdep_assert_held(&card->vec_lock);

	card->quiet = true;
	h64_card_write(card, H64_STATUS_VEC, H64_VEC_NONE);
	h64_card_write(card, H64_TX_VEC, H64_VEC_NONE);
	h64_card_write(card, H64_RX_VEC, H64_VEC_NONE);
}

/**
 * h64_card_quiet - disable the card's interrupts
 * @card: the card
 *
 * Context: any.
 */
void h64_card_quiet(struct h64_card *card)
{
	unsigned long flags;

	spin_lock_irqsave(&card->vec_lock, flags);
	h64_card_quiet_locked(card);
	spin_unlock_irqrestore(&card->vec_lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(h64_card_quiet);

static void h64_card_arm_rest(struct h64_card *card)
{
	WRITE_ONCE(card->rx_arm, card->rx_cons);
	WRITE_ONCE(card->status_arm, card->status_seq);
	h64_card_write(card, H64_RX_ARM, card->rx_arm);
	h64_card_write(card, H64_STATUS_ARM, card->status_arm);
}

/**
 * h64_card_start_rings - tell the card where rings and status block are
 * @card: the card, reset, with memory
 */
void h64_card_start_rings(struct h64_card *card)
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
}

/**
 * h64_card_start_irqs - enable the card's interrupts
 * @card: the card, after h64_card_start_rings()
 */
void h64_card_start_irqs(struct h64_card *card)
{
	h64_card_write(card, H64_TX_ARM, 0);
	h64_card_arm_rest(card);
	h64_card_loud(card);
}

/* Index arithmetic of the specification */
static bool h64_card_past(u32 index, u32 arm)
{
	return (s32)(index - arm) > 0;
}

/**
 * h64_card_tell_tx - hand micropackets to the card
 * @card: the card
 * @prod: index behind the last TX entry written
 */
void h64_card_tell_tx(struct h64_card *card, u32 prod)
{
	if (prod == card->tx_prod)
		return;
	card->tx_prod = prod;
	card->tx_doorbells++;
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
	/* All reads of the entries come before this */
	mb();
	h64_card_write(card, H64_RX_CONS, card->rx_cons);
}

/**
 * h64_card_arm_tx - request an interrupt when the card has taken entries
 * @card: the card
 * @index: interrupt once TX_CONS is past this
 */
void h64_card_arm_tx(struct h64_card *card, u32 index)
{
	if (index == card->tx_arm)
		return;
	WRITE_ONCE(card->tx_arm, index);
	h64_card_write(card, H64_TX_ARM, index);
}

/**
 * h64_card_arm - request interrupts on RX entries and status not read yet
 * @card: the card
 *
 * The card compares RX_PROD and STATUS_SEQ again when the ARM registers change,
 * so no event in between is missed.
 *
 * Return: true if the card has already taken the TX entries of
 * h64_card_arm_tx(), and will not interrupt for them.
 */
bool h64_card_arm(struct h64_card *card)
{
	bool taken;
	u32 tx_cons;

	h64_card_arm_rest(card);
	if (card->vectors)
		return false;
	/* INTA is a level: entries already taken would keep it asserted */
	tx_cons = le32_to_cpu(READ_ONCE(card->sb->tx_cons));
	taken = h64_card_past(tx_cons, card->tx_arm);
	if (taken)
		h64_card_arm_tx(card, tx_cons + S32_MAX);
	h64_card_loud(card);
	return taken;
}
EXPORT_SYMBOL_IF_KUNIT(h64_card_arm);

/* Returns true if a source with an enabled interrupt has news */
static bool h64_card_due(const struct h64_card *card)
{
	const struct h64_status_block *sb = card->sb;

	return h64_card_past(le32_to_cpu(READ_ONCE(sb->rx_prod)), READ_ONCE(card->rx_arm)) ||
	       h64_card_past(le32_to_cpu(READ_ONCE(sb->status_seq)), READ_ONCE(card->status_arm)) ||
	       h64_card_past(le32_to_cpu(READ_ONCE(sb->tx_cons)), READ_ONCE(card->tx_arm));
}

/**
 * h64_card_intx - check whether an interrupt on a shared line is the card's
 * @card: the card, without MSI-X
 *
 * If so, its interrupts are disabled until h64_card_arm().  The status block shows
 * the cause before the interrupt.  An interrupt while another CPU enables the
 * sources waits until all are enabled, or a source enabled later would hold the line
 * and no handler would claim it.
 *
 * Context: hard interrupt.
 * Return: true if it is.
 */
bool h64_card_intx(struct h64_card *card)
{
	bool due;

	spin_lock(&card->vec_lock);
	due = !card->quiet && h64_card_due(card);
	if (due) {
		h64_card_quiet_locked(card);
		/* The card releases the line before it answers this read */
		h64_card_read(card, H64_STATUS_SEQ);
	}
	spin_unlock(&card->vec_lock);
	return due;
}
EXPORT_SYMBOL_IF_KUNIT(h64_card_intx);

/**
 * h64_card_has_news - check whether the status block changed since it was read
 * @card: the card
 *
 * Return: true if there are RX entries to receive or a new status.
 */
bool h64_card_has_news(const struct h64_card *card)
{
	return le32_to_cpu(READ_ONCE(card->sb->rx_prod)) != card->rx_cons ||
	       le32_to_cpu(READ_ONCE(card->sb->status_seq)) != card->status_seq;
}

/**
 * h64_card_status - read status and fault from the status block
 * @card: the card
 * @status: STATUS
 * @fault: FAULT
 *
 * Return: true if they are new.
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
