// SPDX-License-Identifier: GPL-2.0
/*
 * A card that is out of control: nothing that the host does stops it from
 * writing to the host memory whose addresses it last held.
 *
 * A pass over the memory, a lap, writes the same byte everywhere, and the next
 * lap another byte.  So the next lap finds out whether anyone else has written
 * there.
 */
#include <linux/array_size.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "emu/card/card.h"

/* Bytes written at a time, under the card's lock */
#define EMU_WILD_CHUNK		4096

/**
 * struct emu_area - a part of host memory
 * @mem: kernel address
 * @len: bytes, 0 if the card has no address
 */
struct emu_area {
	void *mem;
	size_t len;
};

/**
 * emu_wild_begin - start the first lap
 * @card: the card that goes out of control, with its lock held
 */
void emu_wild_begin(struct emu_card *card)
{
	lockdep_assert_held(&card->lock);

	card->wild = (struct emu_wild){};
}

/* Checks a part of an area for foreign writes since the last lap, then overwrites it */
static void emu_wild_write(struct emu_card *card, void *mem, size_t len)
{
	struct emu_wild *wild = &card->wild;

	if (wild->laps && memchr_inv(mem, wild->laps, len))
		WRITE_ONCE(wild->hits, wild->hits + 1);
	memset(mem, wild->laps + 1, len);
}

static void emu_wild_step(struct emu_card *card)
{
	const struct emu_area areas[] = {
		{ card->sb, sizeof(*card->sb) },
		{ card->tx.entries, (size_t)card->tx.size * H64_UPKT_SIZE },
		{ card->rx.entries, (size_t)card->rx.size * H64_UPKT_SIZE },
	};
	struct emu_wild *wild = &card->wild;
	const struct emu_area *area = &areas[wild->area];
	size_t len = min_t(size_t, area->len - wild->at, EMU_WILD_CHUNK);

	if (len)
		emu_wild_write(card, area->mem + wild->at, len);
	wild->at += len;
	if (wild->at < area->len)
		return;
	wild->at = 0;
	wild->area = (wild->area + 1) % ARRAY_SIZE(areas);
	if (!wild->area)
		WRITE_ONCE(wild->laps, wild->laps + 1);
}

/**
 * emu_wild_run - let a card that is out of control write for a while
 * @card: the card; nothing happens unless it is stopped and holds addresses of
 *	host memory
 *
 * Context: the thread.
 */
void emu_wild_run(struct emu_card *card)
{
	unsigned long flags;

	if (!READ_ONCE(card->power.wild) || !card->sb)
		return;
	raw_spin_lock_irqsave(&card->lock, flags);
	if (card->power.wild && emu_power_answers(card))
		emu_wild_step(card);
	raw_spin_unlock_irqrestore(&card->lock, flags);
}
