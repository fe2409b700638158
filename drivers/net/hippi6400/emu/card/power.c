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
	return emu_power_answers(card) && !card->power.hung && emu_cfg_in_d0(card) &&
	       emu_cfg_bus_master(card);
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
	emu_cfg_power_on(card);
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
