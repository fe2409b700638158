// SPDX-License-Identifier: GPL-2.0
/*
 * The driver with a card that is a table of registers: interrupts on a shared line,
 * cards that do not answer, and cards that are gone.
 */

#include <kunit/static_stub.h>
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/pci.h>

#include "card.h"

#define TEST_REGISTERS	(H64_RX_MOD / 4 + 1)
#define TEST_SEQ	5	/* STATUS_SEQ that was handled */

/**
 * struct test_card - a card
 * @card: the driver's view of the card
 * @pdev: its PCI function
 * @bus: its PCI bus
 * @sb: status block
 * @reg: registers
 * @command: PCI_COMMAND
 * @mute: it does not answer in configuration space
 * @obeys: it acts on RESET
 * @reads: registers read
 * @writes: registers written
 * @configs: number of accesses to configuration space
 * @in_irq: a handler runs
 * @handled: interrupts claimed for the card
 * @unclaimed: interrupts that no handler claimed
 */
struct test_card {
	struct h64_card card;
	struct pci_dev pdev;
	struct pci_bus bus;
	struct h64_status_block sb;
	u32 reg[TEST_REGISTERS];
	u16 command;
	bool mute;
	bool obeys;
	unsigned int reads;
	unsigned int writes;
	unsigned int configs;
	bool in_irq;
	unsigned int handled;
	unsigned int unclaimed;
};

static bool test_source_due(const struct test_card *t, u32 vec, u32 arm, __le32 index)
{
	return t->reg[vec / 4] != H64_VEC_NONE &&
	       (s32)(le32_to_cpu(index) - t->reg[arm / 4]) > 0;
}

/* INTA is a level */
static bool test_line(const struct test_card *t)
{
	return test_source_due(t, H64_STATUS_VEC, H64_STATUS_ARM, t->sb.status_seq) ||
	       test_source_due(t, H64_TX_VEC, H64_TX_ARM, t->sb.tx_cons) ||
	       test_source_due(t, H64_RX_VEC, H64_RX_ARM, t->sb.rx_prod);
}

/* Comes as soon as the CPU enables interrupts */
static void test_interrupt(struct test_card *t)
{
	if (irqs_disabled() || t->in_irq || !test_line(t))
		return;
	t->in_irq = true;
	if (h64_card_intx(&t->card))
		t->handled++;
	else
		t->unclaimed++;
	t->in_irq = false;
}

static u32 test_read(const struct h64_card *card, u32 reg)
{
	struct test_card *t = container_of((struct h64_card *)card, struct test_card, card);

	t->reads++;
	return t->reg[reg / 4];
}

static void test_write(struct h64_card *card, u32 reg, u32 val)
{
	struct test_card *t = container_of(card, struct test_card, card);

	t->writes++;
	t->reg[reg / 4] = val;
	if (reg == H64_RESET && t->obeys) {
		t->reg[H64_RESET_DONE / 4] = val;
		t->reg[H64_STATUS / 4] = H64_STATUS_READY;
	}
	test_interrupt(t);
}

static int test_config_read(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 *val)
{
	struct test_card *t = container_of(bus, struct test_card, bus);

	t->configs++;
	if (t->mute)
		return PCIBIOS_DEVICE_NOT_FOUND;
	*val = where == PCI_COMMAND ? t->command : 0;
	return PCIBIOS_SUCCESSFUL;
}

static int test_config_write(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 val)
{
	struct test_card *t = container_of(bus, struct test_card, bus);

	t->configs++;
	if (!t->mute && where == PCI_COMMAND)
		t->command = val;
	return PCIBIOS_SUCCESSFUL;
}

static struct pci_ops test_config = {
	.read = test_config_read,
	.write = test_config_write,
};

static struct test_card *test_card(struct kunit *test)
{
	struct test_card *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, t);
	spin_lock_init(&t->card.vec_lock);
	t->card.pdev = &t->pdev;
	t->card.sb = &t->sb;
	t->card.tx_order = 10;
	t->card.rx_order = 12;
	t->bus.ops = &test_config;
	t->pdev.bus = &t->bus;
	t->pdev.error_state = pci_channel_io_normal;
	t->command = PCI_COMMAND_MASTER;
	kunit_activate_static_stub(test, h64_card_read, test_read);
	kunit_activate_static_stub(test, h64_card_write, test_write);
	h64_card_quiet(&t->card);
	return t;
}

static void test_expect_quiet(struct kunit *test, const struct test_card *t)
{
	KUNIT_EXPECT_TRUE(test, t->card.quiet);
	KUNIT_EXPECT_EQ(test, t->reg[H64_STATUS_VEC / 4], H64_VEC_NONE);
	KUNIT_EXPECT_EQ(test, t->reg[H64_TX_VEC / 4], H64_VEC_NONE);
	KUNIT_EXPECT_EQ(test, t->reg[H64_RX_VEC / 4], H64_VEC_NONE);
}

/*
 * The first source that is enabled is due immediately, and so is the last: INTA must not
 * be asserted while the driver considers the card quiet.
 */
static void test_interrupt_amid_arming(struct kunit *test)
{
	struct test_card *t = test_card(test);

	t->card.status_seq = TEST_SEQ;
	t->sb.status_seq = cpu_to_le32(TEST_SEQ + 1);
	t->sb.rx_prod = cpu_to_le32(1);
	h64_card_arm(&t->card);
	test_interrupt(t);
	KUNIT_EXPECT_EQ(test, t->handled, 1);
	KUNIT_EXPECT_EQ(test, t->unclaimed, 0);
	KUNIT_EXPECT_FALSE(test, test_line(t));
	test_expect_quiet(test, t);

	/* Once the news is handled, no interrupt is due, and the next news raises one */
	t->card.status_seq = TEST_SEQ + 1;
	t->card.rx_cons = 1;
	h64_card_arm(&t->card);
	test_interrupt(t);
	KUNIT_EXPECT_FALSE(test, t->card.quiet);
	KUNIT_EXPECT_EQ(test, t->handled, 1);
	t->sb.rx_prod = cpu_to_le32(2);
	test_interrupt(t);
	KUNIT_EXPECT_EQ(test, t->handled, 2);
	KUNIT_EXPECT_EQ(test, t->unclaimed, 0);
	test_expect_quiet(test, t);
}

/* Another device's interrupt, on the line that the cards share */
static void test_interrupt_of_another(struct kunit *test)
{
	struct test_card *t = test_card(test);

	t->sb.rx_prod = cpu_to_le32(1);
	KUNIT_EXPECT_FALSE(test, h64_card_intx(&t->card));
	t->card.rx_cons = 1;
	h64_card_arm(&t->card);
	KUNIT_EXPECT_FALSE(test, h64_card_intx(&t->card));
	KUNIT_EXPECT_FALSE(test, t->card.quiet);
}

/* As after error_detected() with a frozen channel */
static void test_gone(struct kunit *test)
{
	struct test_card *t = test_card(test);

	t->card.gone = true;
	t->writes = 0;
	h64_card_halt(&t->card);
	KUNIT_EXPECT_EQ(test, h64_card_reset(&t->card), -ENODEV);
	KUNIT_EXPECT_EQ(test, h64_card_read(&t->card, H64_ID), U32_MAX);
	KUNIT_EXPECT_EQ(test, t->writes, 0);
	KUNIT_EXPECT_EQ(test, t->reads, 0);
}

static void test_reset_once(struct kunit *test)
{
	struct test_card *t = test_card(test);

	/* This reset was requested, and the driver waited for it */
	t->reg[H64_RESET / 4] = 7;
	t->reg[H64_RESET_DONE / 4] = 6;
	t->card.unanswered = true;
	t->obeys = true;
	KUNIT_EXPECT_EQ(test, h64_card_reset(&t->card), -EIO);
	KUNIT_EXPECT_EQ(test, t->reg[H64_RESET / 4], 7);
	KUNIT_EXPECT_TRUE(test, t->card.unanswered);

	/* The card recovers */
	t->reg[H64_RESET_DONE / 4] = 7;
	KUNIT_EXPECT_EQ(test, h64_card_reset(&t->card), 0);
	KUNIT_EXPECT_EQ(test, t->reg[H64_RESET / 4], 8);
	KUNIT_EXPECT_FALSE(test, t->card.unanswered);

	/* Or the card has lost power, and knows of no reset */
	t->card.unanswered = true;
	t->reg[H64_RESET / 4] = 0;
	t->reg[H64_RESET_DONE / 4] = 0;
	KUNIT_EXPECT_EQ(test, h64_card_reset(&t->card), 0);
	KUNIT_EXPECT_EQ(test, t->reg[H64_RESET / 4], 1);
}

static void test_cut_off(struct kunit *test)
{
	const u64 all = sizeof(struct h64_status_block) + (H64_UPKT_SIZE << 10) +
			(H64_UPKT_SIZE << 12);
	struct test_card *t = test_card(test);

	h64_card_cut_off(&t->card);
	KUNIT_EXPECT_EQ(test, t->card.kept, 0);
	KUNIT_EXPECT_EQ(test, t->command, 0);

	/* No answer confirms that it is no bus master */
	t->mute = true;
	t->command = PCI_COMMAND_MASTER;
	h64_card_cut_off(&t->card);
	KUNIT_EXPECT_EQ(test, t->card.kept, all);

	/* The channel state shows that it cannot access memory */
	t->configs = 0;
	t->pdev.error_state = pci_channel_io_frozen;
	h64_card_cut_off(&t->card);
	KUNIT_EXPECT_EQ(test, t->card.kept, 0);
	t->pdev.error_state = pci_channel_io_perm_failure;
	h64_card_cut_off(&t->card);
	KUNIT_EXPECT_EQ(test, t->card.kept, 0);
	KUNIT_EXPECT_EQ(test, t->configs, 0);
}

/* CNT_LINE_ERRORS was added in version 1.2: before, its offset is undefined */
static void test_line_errors(struct kunit *test)
{
	struct test_card *t = test_card(test);

	t->card.version = 0x00010001;
	h64_card_count(&t->card);
	t->reg[H64_CNT_LINE_ERRORS / 4] = 5;
	KUNIT_EXPECT_EQ(test, h64_card_counter(&t->card, H64_CNT_LINE_ERRORS), 0);

	t->card.version = 0x00010002;
	h64_card_count(&t->card);
	t->reg[H64_CNT_LINE_ERRORS / 4] = 7;
	t->reg[H64_CNT_LINE_ERRORS / 4 + 1] = 1;
	KUNIT_EXPECT_EQ(test, h64_card_counter(&t->card, H64_CNT_LINE_ERRORS), BIT_ULL(32) + 2);
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_interrupt_amid_arming),
	KUNIT_CASE(test_interrupt_of_another),
	KUNIT_CASE(test_gone),
	KUNIT_CASE(test_reset_once),
	KUNIT_CASE(test_cut_off),
	KUNIT_CASE(test_line_errors),
	{}
};

static struct kunit_suite test_suite = {
	.name = "hippi6400_card",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
