// SPDX-License-Identifier: GPL-2.0
/*
 * The work of an emulated card in each round of the thread: it acts on the
 * host's requests and on the driver's writes, and raises interrupts.
 */
#include <linux/bitfield.h>
#include <linux/minmax.h>
#include <linux/wait.h>

#include "emu/card/card.h"
#include "emu/card/pci.h"

/* Registers that the host writes: the driver's, and the MSI-X table */
#define EMU_DRIVER_END		(H64_RX_MOD + 4)
#define EMU_MSIX_END		(H64_MSIX_TABLE + H64_MSIX_VECTORS * PCI_MSIX_ENTRY_SIZE)

/**
 * struct emu_source_regs - registers of one interrupt source
 * @vec: VEC
 * @arm: ARM
 * @mod: MOD, 0 if the source has none
 */
struct emu_source_regs {
	u32 vec;
	u32 arm;
	u32 mod;
};

static const struct emu_source_regs emu_status_regs = {
	H64_STATUS_VEC, H64_STATUS_ARM, 0
};

static const struct emu_source_regs emu_tx_regs = {
	H64_TX_VEC, H64_TX_ARM, H64_TX_MOD
};

static const struct emu_source_regs emu_rx_regs = {
	H64_RX_VEC, H64_RX_ARM, H64_RX_MOD
};

/* No device drives the bus: reads return all ones, and writes are lost */
static void emu_poll_dark(struct emu_card *card)
{
	unsigned int reg;

	for (reg = H64_RESET; reg < EMU_DRIVER_END; reg += 4) {
		if (emu_read(card, reg) == ~0)
			continue;
		WRITE_ONCE(card->power.dark_hits, card->power.dark_hits + 1);
		emu_write(card, reg, ~0);
	}
	for (reg = H64_MSIX_TABLE; reg < EMU_MSIX_END; reg += 4)
		emu_write(card, reg, ~0);
}

static void emu_poll_act(struct emu_card *card)
{
	struct emu_power *power = &card->power;
	bool present, answers, reset, heeds, powered;
	unsigned long flags;
	u32 asked;

	raw_spin_lock_irqsave(&card->lock, flags);
	asked = power->asked;
	present = power->present && !power->frozen;
	reset = power->reset;
	heeds = !power->hung && !power->wild;
	powered = emu_cfg_in_d0(card);
	answers = power->answers;
	raw_spin_unlock_irqrestore(&card->lock, flags);

	if (!present) {
		emu_card_power_off(card);
		if (answers)
			memset_io(card->regs, 0xff, H64_BAR_SIZE);
	} else if (reset) {
		emu_card_power_on(card);
		WRITE_ONCE(power->begun, power->begun + 1);
	} else {
		emu_card_identity(card);
		if (!powered)
			emu_card_power_off(card);
	}

	raw_spin_lock_irqsave(&card->lock, flags);
	power->answers = present;
	power->on = present && powered && heeds;
	/* Requested again meanwhile: repeat */
	if (present && asked == power->asked)
		power->reset = false;
	WRITE_ONCE(power->done, asked);
	raw_spin_unlock_irqrestore(&card->lock, flags);
	wake_up_all(&power->acted);
}

/* Acts on requests of configuration space and slot; returns true if the card runs */
static bool emu_poll_power(struct emu_card *card)
{
	struct emu_power *power = &card->power;

	/* First: power-on would overwrite registers that were written while the card was dark */
	if (!power->answers)
		emu_poll_dark(card);
	if (READ_ONCE(power->asked) != power->done)
		emu_poll_act(card);
	return power->on;
}

/**
 * emu_poll_card - act on what the driver wrote
 * @card: the card
 * @signal: the far end drives the line
 *
 * Return: true if anything changed.
 */
bool emu_poll_card(struct emu_card *card, bool signal)
{
	u32 reset, status, ctrl;

	if (!emu_poll_power(card)) {
		emu_wild_run(card);
		return false;
	}
	reset = emu_read(card, H64_RESET);
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
	return emu_card_set_status(card, status);
}

/* Returns true if the driver enabled a source's interrupt, and its vector in @vec */
static bool emu_source_wanted(struct emu_card *card, struct emu_source *src,
			      const struct emu_source_regs *regs, u32 *vec)
{
	u32 arm;

	/* The driver writes ARM before VEC, so ARM is read after it */
	*vec = emu_read(card, regs->vec);
	if (*vec == H64_VEC_NONE)
		return false;
	if (*vec >= max(card->vectors, 1U)) {
		emu_card_fault(card, H64_FAULT_VECTOR);
		return false;
	}

	arm = emu_read(card, regs->arm);
	if (arm != src->arm) {
		src->arm = arm;
		src->used = false;
		src->holding = false;
	}
	return true;
}

/* Returns true if moderation delays an interrupt; @due receives the time of its end */
static bool emu_source_held(struct emu_card *card, struct emu_source *src,
			    const struct emu_source_regs *regs, u32 index, ktime_t *due)
{
	u32 mod = regs->mod ? emu_read(card, regs->mod) : 0;
	u32 count = FIELD_GET(H64_MOD_COUNT, mod);
	u32 usecs = FIELD_GET(H64_MOD_USECS, mod);
	ktime_t now;

	if (!usecs || (count && index - src->arm >= count))
		return false;
	now = ktime_get();
	if (!src->holding) {
		src->holding = true;
		src->since = now;
	}
	*due = ktime_add_us(src->since, usecs);
	return ktime_before(now, *due);
}

/*
 * Raises the interrupt of one source if it is due; without MSI-X, sets @line
 * while it is due.  Returns the time when moderation releases a delayed
 * interrupt.
 */
static ktime_t emu_source_poll(struct emu_card *card, struct emu_source *src,
			       const struct emu_source_regs *regs, u32 index, bool *line)
{
	bool msix = emu_irq_enabled(card);
	ktime_t due;
	u32 vec;

	if (!emu_source_wanted(card, src, regs, &vec))
		return EMU_NO_DEADLINE;
	if ((msix && src->used) || (s32)(index - src->arm) <= 0)
		return EMU_NO_DEADLINE;
	if (emu_source_held(card, src, regs, index, &due))
		return due;

	if (msix) {
		src->used = true;
		src->holding = false;
		emu_irq_raise(card, vec);
	} else {
		*line = true;
	}
	return EMU_NO_DEADLINE;
}

/**
 * emu_poll_interrupts - raise the interrupts that are due
 * @card: the card
 *
 * Return: the time when the next delayed interrupt is due, or EMU_NO_DEADLINE.
 */
ktime_t emu_poll_interrupts(struct emu_card *card)
{
	ktime_t tx = EMU_NO_DEADLINE, rx = EMU_NO_DEADLINE;
	bool line = false;

	if (card->power.on && card->ready) {
		if (card->tx.running)
			tx = emu_source_poll(card, &card->src_tx, &emu_tx_regs,
					     card->tx_cons, &line);
		if (card->rx.running)
			rx = emu_source_poll(card, &card->src_rx, &emu_rx_regs,
					     card->rx_prod, &line);
		/* Last: it reports a fault that the other sources found */
		emu_source_poll(card, &card->src_status, &emu_status_regs,
				card->status_seq, &line);
	}
	emu_irq_line(card, line);
	return min(tx, rx);
}
