// SPDX-License-Identifier: GPL-2.0
/*
 * Presence and power of an emulated card, and whether it answers.
 *
 * Configuration space and the slot change them, in any context, and stop the
 * card's access to host memory immediately.  The thread does the rest in its
 * next round.  Until then a card in reset does not answer in configuration
 * space, as PCIe 6.6.2 allows, and PCI waits for it.
 */
#include <linux/lockdep.h>
#include <linux/wait.h>

#include "emu/card/card.h"
#include "emu/card/pci.h"

/**
 * emu_power_init - initialise a card that is present and runs
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
 * emu_power_answers - check whether the card answers in configuration space
 * @card: the card, with its lock held
 *
 * Return: false if the card is pulled, isolated or in reset.
 */
bool emu_power_answers(const struct emu_card *card)
{
	lockdep_assert_held(&card->lock);

	return card->power.present && !card->power.frozen && !card->power.reset;
}

/**
 * emu_power_dma - check whether the card may access host memory
 * @card: the card; its lock is held while the result is used
 *
 * Return: true if it may.
 */
bool emu_power_dma(const struct emu_card *card)
{
	return emu_power_answers(card) && !card->power.hung && emu_cfg_in_d0(card) &&
	       emu_cfg_bus_master(card);
}

/**
 * emu_power_ask - have the thread act on a change
 * @card: the card, with its lock held
 */
void emu_power_ask(struct emu_card *card)
{
	lockdep_assert_held(&card->lock);

	WRITE_ONCE(card->power.asked, card->power.asked + 1);
}

/**
 * emu_power_reset - reset or power up the card for the host
 * @card: the card, with its lock held
 *
 * When this returns, configuration space is in its power-on state and the card
 * accesses no host memory.  The reset also ends the faults hang, wild and mute.
 */
void emu_power_reset(struct emu_card *card)
{
	emu_cfg_power_on(card);
	card->power.hung = false;
	card->power.wild = false;
	card->power.mute = false;
	card->power.reset = true;
	emu_power_ask(card);
}

/**
 * emu_power_wait - wait until the thread has acted on all requests
 * @card: the card
 *
 * Context: sleeps.
 */
void emu_power_wait(struct emu_card *card)
{
	u32 asked = READ_ONCE(card->power.asked);

	wait_event(card->power.acted, (s32)(READ_ONCE(card->power.done) - asked) >= 0);
}
