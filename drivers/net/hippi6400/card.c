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
 * The TX ring is also the retransmission buffer: it holds a window in flight, a
 * window of copies, and the Nulls between them.  The RX ring holds a window, a
 * retransmission of it that arrives before the first copy is read, and Nulls.
 */
#define H64_TX_ORDER	10
#define H64_RX_ORDER	12
/* A smaller ring cannot hold a window and its copies */
#define H64_MIN_ORDER	9
/* Ring sizes that the specification allows in CAPS */
#define H64_SPEC_ORDER	24

/* The specification gives a card 100 ms to complete a reset; the driver waits longer */
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
 * h64_card_gone - check whether the card still answers on the bus
 * @card: the card
 *
 * Reads from a card that was pulled or that a PCI error isolates return all
 * ones, which is no valid ID.  The driver then leaves the registers alone until
 * h64_card_recognize() finds the card again.
 *
 * Context: any.
 * Return: true if it does not answer.
 */
bool h64_card_gone(struct h64_card *card)
{
	if (!card->gone && PCI_POSSIBLE_ERROR(h64_card_read(card, H64_ID)))
		card->gone = true;
	return card->gone;
}

/* Checks that the driver supports the card; @min and @max receive its ring sizes, as log2 */
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
 * h64_card_identify - check that the driver supports the card
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
 * h64_card_recognize - check that the card is present and is still the same one
 * @card: the card, after a power loss, a reset or a PCI error; nothing is
 *	written to it
 *
 * The ULA tells a card that was swapped for another.
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
 * @addr: the address is written here, 6 bytes
 */
void h64_card_ula(const struct h64_card *card, u8 *addr)
{
	u32 hi = h64_card_read(card, H64_ULA_HI), lo = h64_card_read(card, H64_ULA_LO);

	put_unaligned_be32(hi, addr);
	put_unaligned_be16(lo >> 16, addr + 4);
}

/**
 * h64_card_fw_version - format the card's specification version and build number
 * @card: the card; the values are those last read from it
 * @text: buffer of H64_FW_VERSION_LEN bytes
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
 * The card may still access the rings until h64_card_reset() returns 0.
 */
void h64_card_halt(struct h64_card *card)
{
	card->ctrl &= H64_CTRL_BEACON;
	h64_card_write(card, H64_CTRL, card->ctrl);
	h64_card_quiet(card);
}
EXPORT_SYMBOL_IF_KUNIT(h64_card_halt);

/**
 * h64_card_report_gone - log that the card is gone
 * @card: the card
 *
 * A card that a PCI error isolates may come back; error recovery logs its own
 * messages.
 */
void h64_card_report_gone(const struct h64_card *card)
{
	if (card->pdev->error_state != pci_channel_io_frozen)
		dev_err(&card->pdev->dev, "card is gone: ID: found all ones, expected %#x\n",
			H64_ID_MAGIC);
}

/* A reset that timed out earlier is still in progress */
static bool h64_card_stays_silent(const struct h64_card *card, u32 done)
{
	return card->unanswered && h64_card_read(card, H64_RESET) != done &&
	       !PCI_POSSIBLE_ERROR(done);
}

/**
 * h64_card_reset - reset the card; once it returns 0 the card accesses no host
 * memory
 * @card: the card
 *
 * Memory that the card kept is then freed.
 *
 * Anyone who may bring the device up triggers a reset, under RTNL.  So the
 * driver waits only once for a card that does not answer.  Until the card
 * completes that reset or loses power, further resets fail immediately.
 *
 * Context: sleeps.
 * Return: 0; -ENODEV if the card is gone, after a message if that was not
 * known; or -EIO after a rate-limited message.
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
	/* Leave no address of freed memory in the card */
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
 * h64_card_start - start both rings and drive the line
 * @card: the card, reset, with memory
 * @tx_mod: TX_MOD
 * @rx_mod: RX_MOD
 */
void h64_card_start(struct h64_card *card, u32 tx_mod, u32 rx_mod)
{
	h64_card_start_rings(card);
	h64_card_moderate(card, tx_mod, rx_mod);
	h64_card_start_irqs(card);

	/* The reset turned the port's LED off */
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
 * h64_card_beacon - make the port's LED blink
 * @card: the card
 * @on: true to blink
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

/* Older register versions lack the last counter */
static bool h64_card_counts(const struct h64_card *card, u32 reg)
{
	return reg != H64_CNT_LINE_ERRORS ||
	       FIELD_GET(H64_VERSION_MINOR, card->version) >= H64_VERSION_MINOR_LINE;
}

/**
 * h64_card_count - start to add the card's counters to the port's
 * @card: the card
 *
 * The card's counters restart when it loses power; the port's do not.
 *
 * Context: under RTNL, as for h64_card_count_end() and h64_card_counter().
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
 * h64_card_count_end - save the card's counters in the port's
 * @card: the card; if it is gone, the values last read count
 */
void h64_card_count_end(struct h64_card *card)
{
	unsigned int i;

	for (i = 0; i < H64_CNT_NUM; i++)
		h64_card_counter(card, H64_CNT_REG(i));
	card->counting = false;
}

/**
 * h64_card_counter - read a 64-bit counter of the port
 * @card: the card
 * @reg: its offset
 *
 * Return: the value, 0 if the card's version lacks the counter.
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
 * h64_card_check_registers - check that registers hold what the driver wrote
 * @card: the card, started
 *
 * Return: 0, or the offset of the first wrong register.
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

/* Register bits without effect while CTRL is 0 and no VEC names a vector */
static const u32 h64_idle_registers[] = {
	H64_SB_LO, H64_SB_HI, H64_STATUS_ARM, H64_TX_BASE_LO, H64_TX_BASE_HI, H64_TX_SIZE,
	H64_TX_PROD, H64_TX_ARM, H64_TX_MOD, H64_RX_BASE_LO, H64_RX_BASE_HI, H64_RX_SIZE,
	H64_RX_CONS, H64_RX_ARM, H64_RX_MOD,
};

/**
 * h64_card_test_registers - check that the driver's registers hold any pattern
 * @card: the card, reset and not started; reset it again before starting it
 *
 * Return: 0, or the offset of the first wrong register.
 */
u32 h64_card_test_registers(struct h64_card *card)
{
	static const u32 patterns[] = { 0, U32_MAX, 0x55555555, 0xaaaaaaaa, 0x12345678 };
	unsigned int i, p;
	u32 reg, bad = 0;

	/* Write distinct values to all registers before reading any, to find aliases */
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
 * h64_card_fault_name - describe a fault
 * @fault: FAULT
 *
 * Return: text for messages.
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
