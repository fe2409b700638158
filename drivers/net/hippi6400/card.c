// SPDX-License-Identifier: GPL-2.0
/*
 * The card and its registers, as in
 * Documentation/networking/device_drivers/hippi6400-card.rst.
 */

#include <kunit/static_stub.h>
#include <kunit/visibility.h>
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/export.h>
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
 * Return: the value, or all ones if the card is gone.
 */
u32 h64_card_read(const struct h64_card *card, u32 reg)
{
	if (READ_ONCE(card->gone))
		return (u32)PCI_ERROR_RESPONSE;
	KUNIT_STATIC_STUB_REDIRECT(h64_card_read, card, reg);
	return readl(card->bar + reg);
}
EXPORT_SYMBOL_IF_KUNIT(h64_card_read);

/**
 * h64_card_write - write a register
 * @card: the card; nothing happens if it is gone
 * @reg: its offset
 * @val: the value
 */
void h64_card_write(struct h64_card *card, u32 reg, u32 val)
{
	if (READ_ONCE(card->gone))
		return;
	KUNIT_STATIC_STUB_REDIRECT(h64_card_write, card, reg, val);
	writel(val, card->bar + reg);
}
EXPORT_SYMBOL_IF_KUNIT(h64_card_write);

/**
 * h64_card_gone - see whether the card still answers on the bus
 * @card: the card
 *
 * Reads of a card that was pulled, or that a PCI error cut off, give ones, and
 * so would no card's ID.  Nothing is asked of it any more then, until
 * h64_card_recognize() finds it again.
 *
 * Context: any.
 * Return: true if it does not.
 */
bool h64_card_gone(struct h64_card *card)
{
	if (!card->gone && PCI_POSSIBLE_ERROR(h64_card_read(card, H64_ID)))
		card->gone = true;
	return card->gone;
}

/* What sizes of rings the card can run goes to @min and @max, as log2 */
static int h64_card_check(struct h64_card *card, u32 *min, u32 *max)
{
	struct device *dev = &card->pdev->dev;
	u32 id, version, caps;

	card->gone = false;
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
	*min = FIELD_GET(H64_CAPS_RING_MIN, caps);
	*max = FIELD_GET(H64_CAPS_RING_MAX, caps);
	if (!*min || *min > *max || *max > H64_SPEC_ORDER || *max < H64_MIN_ORDER) {
		dev_err(dev, "ring sizes: found 2^%u to 2^%u, expected to find 2^%u between 2^1 and 2^%u\n",
			*min, *max, H64_MIN_ORDER, H64_SPEC_ORDER);
		return -ENODEV;
	}
	card->version = version;
	card->build = h64_card_read(card, H64_BUILD);
	return 0;
}

/**
 * h64_card_identify - see whether the driver and the card suit each other
 * @card: the card; nothing is written to it
 *
 * Return: 0, or -ENODEV after a message.
 */
int h64_card_identify(struct h64_card *card)
{
	u32 min, max;
	int err;

	err = h64_card_check(card, &min, &max);
	if (err)
		return err;
	card->min_order = max_t(u32, min, H64_MIN_ORDER);
	card->max_order = max;
	card->tx_order = clamp(H64_TX_ORDER, min, max);
	card->rx_order = clamp(H64_RX_ORDER, min, max);
	h64_card_ula(card, card->ula);
	return 0;
}

/**
 * h64_card_recognize - see whether the card is still there, and the same
 * @card: the card, which was without power, reset or cut off; nothing is
 *	written to it
 *
 * It may have been changed for another one, which has a ULA of its own.
 *
 * Return: 0, or -ENODEV after a message.
 */
int h64_card_recognize(struct h64_card *card)
{
	u8 ula[ETH_ALEN];
	u32 min, max;
	int err;

	err = h64_card_check(card, &min, &max);
	if (err)
		return err;
	h64_card_ula(card, ula);
	if (!ether_addr_equal(ula, card->ula)) {
		dev_err(&card->pdev->dev, "ULA: found %pM, expected %pM\n", ula, card->ula);
		return -ENODEV;
	}
	if (card->tx_order < min || card->tx_order > max ||
	    card->rx_order < min || card->rx_order > max) {
		dev_err(&card->pdev->dev, "ring sizes: found 2^%u to 2^%u, expected 2^%u and 2^%u\n",
			min, max, card->tx_order, card->rx_order);
		return -ENODEV;
	}
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
 * h64_card_fw_version - in words, which version of the specification and build the card is
 * @card: the card, as it was seen last
 * @text: where to, H64_FW_VERSION_LEN bytes
 *
 * Context: any; does not touch the card.
 */
void h64_card_fw_version(const struct h64_card *card, char *text)
{
	snprintf(text, H64_FW_VERSION_LEN, "%lu.%lu build %u",
		 FIELD_GET(H64_VERSION_MAJOR, card->version),
		 FIELD_GET(H64_VERSION_MINOR, card->version), card->build);
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
	h64_card_quiet(card);
}
EXPORT_SYMBOL_IF_KUNIT(h64_card_halt);

/**
 * h64_card_report_gone - say that the card is gone
 * @card: the card
 *
 * What a PCI error cut off may come back, and has its messages.
 */
void h64_card_report_gone(const struct h64_card *card)
{
	if (card->pdev->error_state != pci_channel_io_frozen)
		dev_err(&card->pdev->dev, "card is gone: ID: found all ones, expected %#x\n",
			H64_ID_MAGIC);
}

/* The reset that a card was waited for in vain is still under way */
static bool h64_card_stays_silent(const struct h64_card *card, u32 done)
{
	return card->unanswered && h64_card_read(card, H64_RESET) != done &&
	       !PCI_POSSIBLE_ERROR(done);
}

/**
 * h64_card_reset - stop the card; when it returns 0 the card uses no memory
 * @card: the card
 *
 * What it kept is given back then.
 *
 * Resets are asked for under RTNL, by whoever may set the device up.  So a card
 * that does not answer is waited for once.  Till it completes that reset, or has
 * lost its power, others fail at once.
 *
 * Context: sleeps.
 * Return: 0; -ENODEV if the card is gone, after a message if that is news; or
 * -EIO after a message, unless there were too many of them.
 */
int h64_card_reset(struct h64_card *card)
{
	struct device *dev = &card->pdev->dev;
	u32 gen, done;

	if (card->gone)
		return -ENODEV;
	card->ctrl = 0;
	h64_card_halt(card);
	done = h64_card_read(card, H64_RESET_DONE);
	if (h64_card_stays_silent(card, done)) {
		dev_err_ratelimited(dev, "reset: RESET_DONE found %#x, expected %#x, still\n",
				    done, h64_card_read(card, H64_RESET));
		return -EIO;
	}
	gen = h64_card_read(card, H64_RESET) + 1;
	/* Nobody may find the address of memory that is given back */
	h64_card_write(card, H64_SB_LO, 0);
	h64_card_write(card, H64_SB_HI, 0);
	while (gen == done || PCI_POSSIBLE_ERROR(gen))
		gen++;
	h64_card_write(card, H64_RESET, gen);
	card->unanswered = read_poll_timeout(h64_card_read, done,
					     done == gen || PCI_POSSIBLE_ERROR(done),
					     H64_RESET_POLL_US, H64_RESET_LIMIT_US, false, card,
					     H64_RESET_DONE);
	if (card->unanswered) {
		dev_err(dev, "reset: RESET_DONE found %#x, expected %#x after %lu s\n",
			done, gen, H64_RESET_LIMIT_US / USEC_PER_SEC);
		return -EIO;
	}
	if (h64_card_gone(card)) {
		h64_card_report_gone(card);
		return -ENODEV;
	}
	if (!(h64_card_read(card, H64_STATUS) & H64_STATUS_READY)) {
		dev_err_ratelimited(dev, "reset: STATUS found %#x, expected READY (%#lx)\n",
				    h64_card_read(card, H64_STATUS), H64_STATUS_READY);
		return -EIO;
	}
	if (card->kept)
		h64_card_take_back(card);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(h64_card_reset);

/**
 * h64_card_start - run both rings and drive the line
 * @card: the card, reset, with memory
 * @tx_mod: TX_MOD
 * @rx_mod: RX_MOD
 */
void h64_card_start(struct h64_card *card, u32 tx_mod, u32 rx_mod)
{
	h64_card_start_rings(card);
	h64_card_moderate(card, tx_mod, rx_mod);
	h64_card_start_irqs(card);

	/* The reset put out the light */
	card->ctrl |= H64_CTRL_RX_EN | H64_CTRL_TX_EN | H64_CTRL_PORT_ON |
		      (card->beacon ? H64_CTRL_BEACON : 0);
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
	card->beacon = on;
	card->ctrl &= ~H64_CTRL_BEACON;
	if (on)
		card->ctrl |= H64_CTRL_BEACON;
	h64_card_write(card, H64_CTRL, card->ctrl);
}

static u64 h64_card_read64(const struct h64_card *card, u32 reg)
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

/* The last counter is not in all versions */
static bool h64_card_counts(const struct h64_card *card, u32 reg)
{
	return reg != H64_CNT_LINE_ERRORS ||
	       FIELD_GET(H64_VERSION_MINOR, card->version) >= H64_VERSION_MINOR_LINE;
}

/**
 * h64_card_count - from now on the card's counters count for this port
 * @card: the card
 *
 * The card's own begin anew when it loses power; the port's do not.
 *
 * Context: as h64_card_count_end() and h64_card_counter(), under RTNL.
 */
void h64_card_count(struct h64_card *card)
{
	unsigned int i;

	for (i = 0; i < H64_CNT_NUM; i++)
		card->count_from[i] = h64_card_read64(card, H64_CNT_REG(i));
	card->counting = true;
}
EXPORT_SYMBOL_IF_KUNIT(h64_card_count);

/**
 * h64_card_count_end - keep what the card's counters counted
 * @card: the card; of one that is gone, as far as it is known
 */
void h64_card_count_end(struct h64_card *card)
{
	unsigned int i;

	for (i = 0; i < H64_CNT_NUM; i++)
		h64_card_counter(card, H64_CNT_REG(i));
	card->counting = false;
}

/**
 * h64_card_counter - a 64-bit counter of the card, for this port
 * @card: the card
 * @reg: its offset
 *
 * Return: the value, 0 in a card of a version that has no such counter.
 */
u64 h64_card_counter(struct h64_card *card, u32 reg)
{
	unsigned int i = (reg - H64_CNT_TX_UPKTS) / sizeof(u64);
	u64 now;

	if (!card->counting || !h64_card_counts(card, reg))
		return card->counted[i];
	now = h64_card_read64(card, reg);
	if (!PCI_POSSIBLE_ERROR(now)) {
		card->counted[i] += now - card->count_from[i];
		card->count_from[i] = now;
	}
	return card->counted[i];
}
EXPORT_SYMBOL_IF_KUNIT(h64_card_counter);

/**
 * h64_card_check_registers - see whether registers hold what the driver wrote
 * @card: the card, started
 *
 * Return: 0, or the offset of the first that does not.
 */
u32 h64_card_check_registers(const struct h64_card *card)
{
	const struct {
		u32 reg;
		u32 val;
	} written[] = {
		{ H64_CTRL, card->ctrl },
		{ H64_SB_LO, lower_32_bits(card->sb_dma) },
		{ H64_SB_HI, upper_32_bits(card->sb_dma) },
		{ H64_TX_BASE_LO, lower_32_bits(card->tx_dma) },
		{ H64_TX_BASE_HI, upper_32_bits(card->tx_dma) },
		{ H64_TX_SIZE, card->tx_order },
		{ H64_TX_PROD, card->tx_prod },
		{ H64_TX_ARM, card->tx_arm },
		{ H64_RX_BASE_LO, lower_32_bits(card->rx_dma) },
		{ H64_RX_BASE_HI, upper_32_bits(card->rx_dma) },
		{ H64_RX_SIZE, card->rx_order },
		{ H64_RX_CONS, card->rx_cons_told },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(written); i++)
		if (h64_card_read(card, written[i].reg) != written[i].val)
			return written[i].reg;
	return 0;
}

/* Bits of registers that nothing is done with while CTRL is 0 and the VECs name none */
static const u32 h64_idle_registers[] = {
	H64_SB_LO, H64_SB_HI, H64_STATUS_ARM, H64_TX_BASE_LO, H64_TX_BASE_HI, H64_TX_SIZE,
	H64_TX_PROD, H64_TX_ARM, H64_TX_MOD, H64_RX_BASE_LO, H64_RX_BASE_HI, H64_RX_SIZE,
	H64_RX_CONS, H64_RX_ARM, H64_RX_MOD,
};

/**
 * h64_card_test_registers - see whether the driver's registers hold any bits
 * @card: the card, reset and not started; to be reset again before it is
 *
 * Return: 0, or the offset of the first that does not.
 */
u32 h64_card_test_registers(struct h64_card *card)
{
	static const u32 patterns[] = { 0, U32_MAX, 0x55555555, 0xaaaaaaaa, 0x12345678 };
	unsigned int i, p;
	u32 reg, bad = 0;

	/* All are written before one is read, each with something else */
	for (p = 0; p < ARRAY_SIZE(patterns) && !bad; p++) {
		for (i = 0; i < ARRAY_SIZE(h64_idle_registers); i++)
			h64_card_write(card, h64_idle_registers[i], rol32(patterns[p], 3 * i));
		for (i = 0; i < ARRAY_SIZE(h64_idle_registers) && !bad; i++) {
			reg = h64_idle_registers[i];
			if (h64_card_read(card, reg) != rol32(patterns[p], 3 * i))
				bad = reg;
		}
	}
	for (i = 0; i < ARRAY_SIZE(h64_idle_registers); i++)
		h64_card_write(card, h64_idle_registers[i], 0);
	return bad;
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
