// SPDX-License-Identifier: GPL-2.0
/*
 * One emulated card: registers, reset, status, interrupt arming, faults.
 *
 * A driver's write is not seen as it happens but when the thread polls, so
 * all of it rests on the rule that registers are plain memory with one writer
 * each.  What the driver wrote is not trusted: it is checked where it is used.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitfield.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "emu.h"

/**
 * emu_card_init - bring the registers of one card to their power-on state
 * @card: the card, with @regs pointing to zeroed memory
 */
void emu_card_init(struct emu_card *card)
{
	const u8 ula[ETH_ALEN] = { 0x02, 0x64, 0, 0, 0, card->port };

	memcpy(card->ula, ula, sizeof(ula));

	emu_write(card, H64_STATUS_VEC, H64_VEC_NONE);
	emu_write(card, H64_TX_VEC, H64_VEC_NONE);
	emu_write(card, H64_RX_VEC, H64_VEC_NONE);
	emu_write(card, H64_VERSION,
		  FIELD_PREP(H64_VERSION_MAJOR, H64_VERSION_MAJOR_1) |
		  FIELD_PREP(H64_VERSION_MINOR, EMU_VERSION_MINOR));
	emu_write(card, H64_CAPS,
		  FIELD_PREP(H64_CAPS_RING_MAX, EMU_RING_MAX_LOG2) |
		  FIELD_PREP(H64_CAPS_RING_MIN, EMU_RING_MIN_LOG2));
	emu_write(card, H64_BUILD, EMU_BUILD);
	emu_write(card, H64_ULA_HI, get_unaligned_be32(card->ula));
	emu_write(card, H64_ULA_LO, get_unaligned_be16(card->ula + 4) << 16);
	emu_irq_card_init(card);
	/* Last: who reads the magic finds the rest in place */
	emu_write(card, H64_ID, H64_ID_MAGIC);
}

/* Copies what changed into the status block, STATUS_SEQ last */
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
	if (emu_pci_bus_master(card)) {
		/* The entries that the indices cover are written already */
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
 * emu_card_publish - show the driver how far both rings are
 * @card: the card
 */
void emu_card_publish(struct emu_card *card)
{
	emu_card_write_sb(card);
	emu_write(card, H64_TX_CONS, card->tx_cons);
	emu_write(card, H64_RX_PROD, card->rx_prod);
	writeq(card->cnt_tx, card->regs + H64_CNT_TX_UPKTS);
	writeq(card->cnt_rx, card->regs + H64_CNT_RX_UPKTS);
	writeq(card->cnt_no_room, card->regs + H64_CNT_RX_NO_ROOM);
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
 * @code: H64_FAULT_*; the first one stays
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

static void emu_card_reset(struct emu_card *card, u32 generation)
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
	card->ready = true;
	card->status = H64_STATUS_READY;
	emu_irq_forget(card);
	emu_card_publish_status(card);

	/* Last: who reads this finds the rest in place */
	card->reset_done = generation;
	emu_write(card, H64_RESET_DONE, generation);
}

static void emu_card_sample_sb(struct emu_card *card)
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
	/* Differs from all that can be: the first write is of everything */
	memset(&card->sb_shadow, 0xff, sizeof(card->sb_shadow));
}

/**
 * emu_card_poll - act on what the driver wrote
 * @card: the card
 * @signal: the far end drives the line
 *
 * Return: whether anything changed.
 */
bool emu_card_poll(struct emu_card *card, bool signal)
{
	u32 reset = emu_read(card, H64_RESET);
	u32 status, ctrl;

	if (reset != card->reset_done) {
		emu_card_reset(card, reset);
		return true;
	}
	if (!card->ready)
		return false;

	emu_irq_pending(card);

	ctrl = emu_read(card, H64_CTRL);
	if (!card->fault) {
		card->ctrl = ctrl;
		if (ctrl && !card->sb_sampled)
			emu_card_sample_sb(card);
		emu_ring_control(card);
	} else {
		/* A fault stops the rings, not the line */
		card->ctrl = ctrl & ~(H64_CTRL_TX_EN | H64_CTRL_RX_EN);
	}

	status = H64_STATUS_READY;
	if (signal)
		status |= H64_STATUS_SIGNAL;
	if (card->tx.running)
		status |= H64_STATUS_TX_RUN;
	if (card->rx.running)
		status |= H64_STATUS_RX_RUN;
	if (card->fault)
		status |= H64_STATUS_FAULT;
	if (status == card->status) {
		emu_card_write_sb(card);
		return false;
	}

	card->status = status;
	emu_card_publish_status(card);
	return true;
}

/**
 * emu_card_port_on - does the card drive its line?
 * @card: the card
 *
 * Return: true when CTRL.PORT_ON is heeded and set.
 */
bool emu_card_port_on(const struct emu_card *card)
{
	return card->ready && card->ctrl & H64_CTRL_PORT_ON;
}

/*
 * Raises the interrupt of one source if it is due.  Returns when moderation
 * lets it go, if it holds one back.
 */
static ktime_t emu_source_poll(struct emu_card *card, struct emu_source *src,
			       unsigned int vec_reg, unsigned int arm_reg,
			       u32 mod, u32 index)
{
	u32 count = FIELD_GET(H64_MOD_COUNT, mod);
	u32 usecs = FIELD_GET(H64_MOD_USECS, mod);
	u32 vec, arm;

	/* The driver writes VEC last: what it says of ARM is read after it */
	vec = emu_read(card, vec_reg);
	if (vec == H64_VEC_NONE)
		return EMU_NO_DEADLINE;
	if (vec >= H64_MSIX_VECTORS) {
		emu_card_fault(card, H64_FAULT_VECTOR);
		return EMU_NO_DEADLINE;
	}

	arm = emu_read(card, arm_reg);
	if (arm != src->arm) {
		src->arm = arm;
		src->used = false;
		src->holding = false;
	}
	if (src->used || (s32)(index - arm) <= 0)
		return EMU_NO_DEADLINE;

	if (usecs && !(count && index - arm >= count)) {
		ktime_t now = ktime_get();
		ktime_t due;

		if (!src->holding) {
			src->holding = true;
			src->since = now;
		}
		due = ktime_add_us(src->since, usecs);
		if (ktime_before(now, due))
			return due;
	}

	src->used = true;
	src->holding = false;
	emu_irq_raise(card, vec);
	return EMU_NO_DEADLINE;
}

/**
 * emu_card_interrupts - raise the interrupts that are due
 * @card: the card
 *
 * Return: when the next one falls due by time, or EMU_NO_DEADLINE.
 */
ktime_t emu_card_interrupts(struct emu_card *card)
{
	ktime_t tx = EMU_NO_DEADLINE, rx = EMU_NO_DEADLINE;

	if (!card->ready || !emu_irq_enabled(card))
		return EMU_NO_DEADLINE;

	if (card->tx.running)
		tx = emu_source_poll(card, &card->src_tx, H64_TX_VEC,
				     H64_TX_ARM, emu_read(card, H64_TX_MOD),
				     card->tx_cons);
	if (card->rx.running)
		rx = emu_source_poll(card, &card->src_rx, H64_RX_VEC,
				     H64_RX_ARM, emu_read(card, H64_RX_MOD),
				     card->rx_prod);
	/* Last: it tells of a fault that the others found */
	emu_source_poll(card, &card->src_status, H64_STATUS_VEC,
			H64_STATUS_ARM, 0, card->status_seq);
	return min(tx, rx);
}
