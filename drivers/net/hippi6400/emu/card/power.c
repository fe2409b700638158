// SPDX-License-Identifier: GPL-2.0
/*
 * Whether an emulated card is there, has power, and answers.
 *
 * Configuration space and the slot decide, in any context, and stop the
 * card's access to host memory at once.  Everything else follows when the
 * thread comes by.  A card that is being reset does not answer in
 * configuration space till then, as PCIe 6.6.2 allows, and PCI waits for it.
 */
#include <linux/lockdep.h>
#include <linux/wait.h>

#include "emu/card/card.h"
#include "emu/card/pci.h"

/* What the host may write: registers of the driver, and the MSI-X table */
#define EMU_DRIVER_END		(H64_RX_MOD + 4)
#define EMU_MSIX_END		(H64_MSIX_TABLE + H64_MSIX_VECTORS * PCI_MSIX_ENTRY_SIZE)

/**
 * emu_power_init - a card that is there and runs
 * @card: the card
 */
void emu_power_init(struct emu_card *card)
{
	init_waitqueue_head(&card->power.acted);
	card->power.present = true;
	card->power.answers = true;
	card->power.on = true;
}

/**
 * emu_power_answers - does the card answer in configuration space?
 * @card: the card, with its lock held
 *
 * Return: false for one that is pulled, cut off or being reset.
 */
bool emu_power_answers(const struct emu_card *card)
{
	lockdep_assert_held(&card->lock);

	return card->power.present && !card->power.frozen && !card->power.reset;
}

/**
 * emu_power_dma - may the card touch host memory?
 * @card: the card, whose lock is held as long as the answer counts
 *
 * Return: true if it may.
 */
bool emu_power_dma(const struct emu_card *card)
{
	return emu_power_answers(card) && !card->power.hung && emu_pci_in_d0(card) &&
	       emu_pci_bus_master(card);
}

/**
 * emu_power_ask - have the thread act on what was changed
 * @card: the card, with its lock held
 */
void emu_power_ask(struct emu_card *card)
{
	lockdep_assert_held(&card->lock);

	WRITE_ONCE(card->power.asked, card->power.asked + 1);
}

/**
 * emu_power_reset - the host resets the card, or gives it power
 * @card: the card, with its lock held
 *
 * Configuration space is as after power-on when this returns, and the card
 * touches no host memory.  It also ends a hang, and a card's being out of control or
 * mute.
 */
void emu_power_reset(struct emu_card *card)
{
	emu_pci_power_on(card);
	card->power.hung = false;
	card->power.wild = false;
	card->power.mute = false;
	card->power.reset = true;
	emu_power_ask(card);
}

/**
 * emu_power_wait - wait until the thread has acted on all that was asked for
 * @card: the card
 *
 * Context: sleeps.
 */
void emu_power_wait(struct emu_card *card)
{
	u32 asked = READ_ONCE(card->power.asked);

	wait_event(card->power.acted, (s32)(READ_ONCE(card->power.done) - asked) >= 0);
}

/* Nobody drives the bus: reads give ones, and what was written is gone */
static void emu_power_dark(struct emu_card *card)
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

static void emu_power_act(struct emu_card *card)
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
	powered = emu_pci_in_d0(card);
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
	/* Asked again meanwhile: once more */
	if (present && asked == power->asked)
		power->reset = false;
	WRITE_ONCE(power->done, asked);
	raw_spin_unlock_irqrestore(&card->lock, flags);
	wake_up_all(&power->acted);
}

/**
 * emu_power_poll - act on what configuration space and the slot decided
 * @card: the card
 *
 * Return: whether the card runs.
 */
bool emu_power_poll(struct emu_card *card)
{
	struct emu_power *power = &card->power;

	/* First: what ends the dark would hide what was written in it */
	if (!power->answers)
		emu_power_dark(card);
	if (READ_ONCE(power->asked) != power->done)
		emu_power_act(card);
	return power->on;
}
