// SPDX-License-Identifier: GPL-2.0
/*
 * Maintenance packets of the emulated fabric, and what a switch does with them.
 */
#include <linux/slab.h>
#include <linux/string.h>

#include "common.h"
#include "emu/fabric.h"
#include "emu/maint.h"
#include "emu/regs.h"

#define TEST_ROUTES	256

/* A switch with four ports, whose links are up */
static struct emu_node *test_switch(struct kunit *test)
{
	struct emu_node *node = kunit_kzalloc(test, sizeof(*node), GFP_KERNEL);
	struct emu_way *way = kunit_kzalloc(test, sizeof(*way), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, node);
	KUNIT_ASSERT_NOT_NULL(test, way);
	way->up = true;
	node->is_switch = true;
	for (node->ports = 0; node->ports < 4; node->ports++)
		node->out[node->ports] = way;
	node->routes = TEST_ROUTES;
	node->default_route = EMU_NO_PORT;
	node->route = kunit_kzalloc(test, TEST_ROUTES, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, node->route);
	memset(node->route, EMU_NO_PORT, TEST_ROUTES);
	emu_regs_init(node);
	return node;
}

/* To write 11223344 to the tag, 6C, of the third switch on the way from 1 to 2 */
static const u8 test_write[] = {
	0x00, 0x48, 0x02, 0x01, 0x18, 0x77, 0x02, 0x00, 0x00, 0x6c,
	0x00, 0x00, 0x00, 0x00, 0x11, 0x22, 0x33, 0x44, 0x00, 0x00,
};

/* To read 10 from 1234 to FEDC, from the first switch */
static const u8 test_read[] = {
	0x00, 0x18, 0xfe, 0xdc, 0x12, 0x34, 0x08, 0x05, 0x00, 0x00, 0x00, 0x10,
};

static void test_codec(struct kunit *test)
{
	u8 packet[EMU_MAINT_MAX];
	struct emu_maint m;

	KUNIT_ASSERT_TRUE(test, emu_maint_decode(&m, test_write, sizeof(test_write)));
	KUNIT_EXPECT_FALSE(test, m.large);
	KUNIT_EXPECT_EQ(test, m.prio, 1);
	KUNIT_EXPECT_EQ(test, m.dst, 2);
	KUNIT_EXPECT_EQ(test, m.src, 1);
	KUNIT_EXPECT_EQ(test, m.kind, EMU_MAINT_WRITE);
	KUNIT_EXPECT_EQ(test, m.tid, 0x77);
	KUNIT_EXPECT_EQ(test, m.hops, 2);
	KUNIT_EXPECT_EQ(test, m.offset, 0x6c);
	KUNIT_EXPECT_EQ(test, m.data[1], 0x11223344);
	KUNIT_EXPECT_EQ(test, emu_maint_encode(&m, packet), sizeof(test_write));
	KUNIT_EXPECT_MEMEQ(test, packet, test_write, sizeof(test_write));

	KUNIT_ASSERT_TRUE(test, emu_maint_decode(&m, test_read, sizeof(test_read)));
	KUNIT_EXPECT_TRUE(test, m.large);
	KUNIT_EXPECT_EQ(test, m.dst, 0xfedc);
	KUNIT_EXPECT_EQ(test, m.src, 0x1234);
	KUNIT_EXPECT_EQ(test, emu_maint_encode(&m, packet), sizeof(test_read));
	KUNIT_EXPECT_MEMEQ(test, packet, test_read, sizeof(test_read));
}

static void test_not_known(struct kunit *test)
{
	u8 packet[sizeof(test_write)];
	struct emu_maint m;
	unsigned int len;

	for (len = 0; len < 18; len++)
		KUNIT_EXPECT_FALSE(test, emu_maint_decode(&m, test_write, len));
	for (len = 0; len < sizeof(test_read); len++)
		KUNIT_EXPECT_FALSE(test, emu_maint_decode(&m, test_read, len));
	memcpy(packet, test_write, sizeof(packet));
	packet[4] = 0x48;	/* a port-write */
	KUNIT_EXPECT_FALSE(test, emu_maint_decode(&m, packet, sizeof(packet)));
	packet[4] = 0x18;
	packet[1] = 0x49;	/* data streaming */
	KUNIT_EXPECT_FALSE(test, emu_maint_decode(&m, packet, sizeof(packet)));
	packet[1] = 0x68;	/* IDs of a reserved size */
	KUNIT_EXPECT_FALSE(test, emu_maint_decode(&m, packet, sizeof(packet)));
}

/* A request with hops left goes on, with one less; without, it is answered where it came from */
static void test_hops(struct kunit *test)
{
	struct emu_node *node = test_switch(test);
	struct emu_maint m;

	emu_maint_decode(&m, test_write, sizeof(test_write));
	KUNIT_EXPECT_EQ(test, EMU_NO_PORT, emu_maint_arrive(node, 3, &m));
	node->route[2] = 1;
	emu_maint_decode(&m, test_write, sizeof(test_write));
	KUNIT_EXPECT_EQ(test, 1, emu_maint_arrive(node, 3, &m));
	KUNIT_EXPECT_EQ(test, 1, m.hops);
	KUNIT_EXPECT_EQ(test, EMU_MAINT_WRITE, m.kind);
	KUNIT_EXPECT_EQ(test, 0, emu_regs_read(node, 3, 0x6c));

	m.hops = 0;
	KUNIT_EXPECT_EQ(test, 3, emu_maint_arrive(node, 3, &m));
	KUNIT_EXPECT_EQ(test, EMU_MAINT_WRITE_DONE, m.kind);
	KUNIT_EXPECT_EQ(test, EMU_MAINT_GOOD, m.code);
	KUNIT_EXPECT_EQ(test, 1, m.dst);
	KUNIT_EXPECT_EQ(test, 2, m.src);
	KUNIT_EXPECT_EQ(test, 0x77, m.tid);
	KUNIT_EXPECT_EQ(test, 2, m.prio);
	KUNIT_EXPECT_EQ(test, 0x11223344, emu_regs_read(node, 3, 0x6c));
	/* Nobody answers an answer */
	m.hops = 0;
	KUNIT_EXPECT_EQ(test, EMU_NO_PORT, emu_maint_arrive(node, 3, &m));
}

/* The register is in its half of the double-word; the port is that of the request */
static void test_answer(struct kunit *test)
{
	struct emu_node *node = test_switch(test);
	struct emu_maint m;

	emu_maint_decode(&m, test_read, sizeof(test_read));
	m.offset = 0x14;
	KUNIT_EXPECT_EQ(test, 2, emu_maint_arrive(node, 2, &m));
	KUNIT_EXPECT_EQ(test, EMU_MAINT_READ_DONE, m.kind);
	KUNIT_EXPECT_EQ(test, 0x402, m.data[1]);
	KUNIT_EXPECT_EQ(test, 0, m.data[0]);
}

static void test_other_sizes(struct kunit *test)
{
	struct emu_node *node = test_switch(test);
	struct emu_maint m;
	unsigned int code;

	for (code = 0; code < 16; code++) {
		emu_maint_decode(&m, test_write, sizeof(test_write));
		m.hops = 0;
		m.code = code;
		KUNIT_EXPECT_EQ(test, 0, emu_maint_arrive(node, 0, &m));
		KUNIT_EXPECT_EQ(test, m.code,
				code == EMU_MAINT_FOUR_BYTES ? EMU_MAINT_GOOD : EMU_MAINT_ERROR);
	}
}

/* No access to any register does harm; what is not there is 0 */
static void test_all_registers(struct kunit *test)
{
	struct emu_node *node = test_switch(test);
	u32 offset;

	for (offset = 0; offset < 0x40; offset += 4) {
		u32 before = emu_regs_read(node, 0, offset);

		emu_regs_write(node, offset, ~before);
		KUNIT_EXPECT_EQ(test, before, emu_regs_read(node, 0, offset));
	}
	for (offset = 0x200; offset < 0x1000000; offset += 0x1004) {
		emu_regs_write(node, offset, U32_MAX);
		KUNIT_EXPECT_EQ(test, 0, emu_regs_read(node, 0, offset));
	}
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_codec),
	KUNIT_CASE(test_not_known),
	KUNIT_CASE(test_hops),
	KUNIT_CASE(test_answer),
	KUNIT_CASE(test_other_sizes),
	KUNIT_CASE(test_all_registers),
	{}
};

static struct kunit_suite test_suite = {
	.name = "rio9_maint",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
