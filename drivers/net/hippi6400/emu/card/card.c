// SPDX-License-Identifier: GPL-2.0
/*
 * One emulated card: registers, reset, status, faults.
 *
 * The thread sees a driver's write only when it polls.  This works because
 * registers are plain memory with one writer each.  The driver's values are not
 * trusted: they are checked where they are used.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitfield.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/string.h>

#include "emu/card/card.h"
#include "emu/card/pci.h"

/**
 * emu_card_init - initialise a card before its first power-on
 * @card: the card, with @regs pointing to its memory
 */
void emu_card_init(struct emu_card *card)
{
	card->claim = (struct emu_claim) {
		.id = H64_ID_MAGIC,
		.version = FIELD_PREP(H64_VERSION_MAJOR, H64_VERSION_MAJOR_1) |
			   FIELD_PREP(H64_VERSION_MINOR, EMU_VERSION_MINOR),
		.caps = FIELD_PREP(H64_CAPS_RING_MAX, EMU_RING_MAX_LOG2) |
			FIELD_PREP(H64_CAPS_RING_MIN, EMU_RING_MIN_LOG2),
		.ula = EMU_ULA + card->port,
	};
	emu_irq_card_init(card);
	emu_card_power_on(card);
}

/**
 * emu_card_identity - write the card's identity to its registers
 * @card: the card
 */
void emu_card_identity(struct emu_card *card)
{
	u64 ula = READ_ONCE(card->claim.ula);

	emu_write(card, H64_ULA_HI, ula >> 16);
	emu_write(card, H64_ULA_LO, ula << 16);
	emu_write(card, H64_VERSION, READ_ONCE(card->claim.version));
	emu_write(card, H64_CAPS, READ_ONCE(card->claim.caps));
	/* Last: a reader of the ID finds the rest in place */
	emu_write(card, H64_ID, READ_ONCE(card->claim.id));
}

/* The card's state of rings and interrupts, without the counters */
static void emu_card_forget(struct emu_card *card)
{
	card->tx = (struct emu_ring){};
	card->rx = (struct emu_ring){};
	card->src_status = (struct emu_source){};
	card->src_tx = (struct emu_source){};
	card->src_rx = (struct emu_source){};
	card->sb = NULL;
	card->sb_sampled = false;
	card->ctrl = 0;
	card->tx_cons = 0;
	card->rx_prod = 0;
	card->fault = H64_FAULT_NONE;
}

/**
 * emu_card_power_off - drop the card's state
 * @card: the card; its registers are left alone
 */
void emu_card_power_off(struct emu_card *card)
{
	emu_card_forget(card);
	card->ready = false;
	card->status = 0;
	card->status_seq = 0;
	card->reset_done = 0;
	card->pending = 0;
	card->cnt_tx = 0;
	card->cnt_rx = 0;
	card->cnt_no_room = 0;
	card->cnt_line = 0;
}

/**
 * emu_card_power_on - bring the card to its power-on state
 * @card: the card
 */
void emu_card_power_on(struct emu_card *card)
{
	emu_card_power_off(card);
	memset_io(card->regs, 0, H64_BAR_SIZE);
	emu_write(card, H64_STATUS_VEC, H64_VEC_NONE);
	emu_write(card, H64_TX_VEC, H64_VEC_NONE);
	emu_write(card, H64_RX_VEC, H64_VEC_NONE);
	emu_write(card, H64_BUILD, EMU_BUILD);
	emu_irq_power_on(card);
	emu_card_identity(card);
}

/* Copies changed values into the status block, STATUS_SEQ last */
static void emu_card_write_sb(struct emu_card *card)
{
	struct h64_status_block now = {
		.tx_cons = cpu_to_le32(card->tx_cons),
		.rx_prod = cpu_to_le32(card->rx_prod),
		.status = cpu_to_le32(card->status),
		.status_seq = cpu_to_le32(card->status_seq),
		.fault = cpu_to_le32(card->fault),
	};
	unsigned long flags;

	if (!card->sb || !memcmp(&now, &card->sb_shadow, sizeof(now)))
		return;

	raw_spin_lock_irqsave(&card->lock, flags);
	if (emu_power_dma(card)) {
		/* The entries that the indices cover are already written */
		dma_wmb();
		WRITE_ONCE(card->sb->tx_cons, now.tx_cons);
		WRITE_ONCE(card->sb->rx_prod, now.rx_prod);
		WRITE_ONCE(card->sb->status, now.status);
		WRITE_ONCE(card->sb->fault, now.fault);
		dma_wmb();
		WRITE_ONCE(card->sb->status_seq, now.status_seq);
		card->sb_shadow = now;
	}
	raw_spin_unlock_irqrestore(&card->lock, flags);
}

/**
 * emu_card_publish - publish the indices of both rings
 * @card: the card
 */
void emu_card_publish(struct emu_card *card)
{
	if (!card->power.on)
		return;
	emu_card_write_sb(card);
	emu_write(card, H64_TX_CONS, card->tx_cons);
	emu_write(card, H64_RX_PROD, card->rx_prod);
	writeq(card->cnt_tx, card->regs + H64_CNT_TX_UPKTS);
	writeq(card->cnt_rx, card->regs + H64_CNT_RX_UPKTS);
	writeq(card->cnt_no_room, card->regs + H64_CNT_RX_NO_ROOM);
	writeq(card->cnt_line, card->regs + H64_CNT_LINE_ERRORS);
}

/**
 * emu_card_line_errors - count micropackets that the line code cannot decode
 * @card: the card
 * @n: how many
 */
void emu_card_line_errors(struct emu_card *card, u64 n)
{
	if (!n || !card->power.on)
		return;
	card->cnt_line += n;
	emu_card_publish(card);
}

static void emu_card_publish_status(struct emu_card *card)
{
	card->status_seq++;
	emu_write(card, H64_STATUS, card->status);
	emu_write(card, H64_FAULT, card->fault);
	emu_write(card, H64_STATUS_SEQ, card->status_seq);
	emu_card_publish(card);
}

/**
 * emu_card_fault - stop both rings until the next reset
 * @card: the card
 * @code: H64_FAULT_*; the first fault is kept
 */
void emu_card_fault(struct emu_card *card, u32 code)
{
	if (card->fault)
		return;
	pr_warn_ratelimited("port%u: fault %u\n", card->port, code);
	card->fault = code;
	card->tx.running = false;
	card->rx.running = false;
	card->status &= ~(H64_STATUS_TX_RUN | H64_STATUS_RX_RUN);
	card->status |= H64_STATUS_FAULT;
	emu_card_publish_status(card);
}

/**
 * emu_card_set_status - set STATUS
 * @card: the card
 * @status: H64_STATUS_*
 *
 * Return: true if it changed.
 */
bool emu_card_set_status(struct emu_card *card, u32 status)
{
	if (status == card->status) {
		emu_card_write_sb(card);
		return false;
	}
	card->status = status;
	emu_card_publish_status(card);
	return true;
}

/**
 * emu_card_reset - reset the card as the driver requests
 * @card: the card
 * @generation: RESET
 */
void emu_card_reset(struct emu_card *card, u32 generation)
{
	emu_card_forget(card);
	card->ready = true;
	card->status = H64_STATUS_READY;
	emu_irq_forget(card);
	emu_card_publish_status(card);

	/* Last: a reader of this finds the rest in place */
	card->reset_done = generation;
	emu_write(card, H64_RESET_DONE, generation);
}

/**
 * emu_card_sample_sb - read the address of the status block
 * @card: the card
 */
void emu_card_sample_sb(struct emu_card *card)
{
	u64 addr = (u64)emu_read(card, H64_SB_HI) << 32 |
		   emu_read(card, H64_SB_LO);

	card->sb_sampled = true;
	if (!addr)
		return;

	if (IS_ALIGNED(addr, sizeof(*card->sb)))
		card->sb = emu_host_mem(card, addr, sizeof(*card->sb));
	if (!card->sb) {
		emu_card_fault(card, H64_FAULT_DMA);
		return;
	}
	/* Matches no real value, so the first update writes every field */
	memset(&card->sb_shadow, 0xff, sizeof(card->sb_shadow));
}

/**
 * emu_card_port_on - check whether the card drives its line
 * @card: the card
 *
 * Return: true if CTRL.PORT_ON is in effect and set.
 */
bool emu_card_port_on(const struct emu_card *card)
{
	return card->ready && card->ctrl & H64_CTRL_PORT_ON;
}
