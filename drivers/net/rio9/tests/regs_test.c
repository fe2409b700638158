// SPDX-License-Identifier: GPL-2.0
/*
 * Registers: golden values, and what a host may write.
 */
#include <linux/bitfield.h>
#include <linux/bitrev.h>
#include <linux/rio_regs.h>
#include <linux/string.h>

#include "common.h"
#include "port.h"
#include "vectors_regs.h"

static int test_no_xmit(struct rio9_port *port, const void *packet, unsigned int len)
{
	return -EIO;
}

static const struct rio9_port_ops test_ops = { .xmit_packet = test_no_xmit };

static void test_destroy(void *port)
{
	rio9_port_destroy(port);
}

static struct rio9_port *test_port_of(struct kunit *test, bool large, u32 max_pdu, u32 contexts)
{
	const struct rio9_caps caps = {
		.large = large, .max_pdu = max_pdu, .contexts = contexts,
		.channels = BIT(RIO9_FLOW_A),
	};
	struct rio9_port *port = rio9_port_create(&test_ops, &caps, NULL);

	KUNIT_ASSERT_FALSE(test, IS_ERR(port));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, test_destroy, port));
	return port;
}

static struct rio9_port *test_port(struct kunit *test, bool large)
{
	return test_port_of(test, large, RIO9_PDU_MAX, 64);
}

static u32 test_read(struct kunit *test, struct rio9_port *port, u32 offset)
{
	u32 value = 0xdeadbeef;

	KUNIT_EXPECT_EQ(test, 0, rio9_reg_read(port, offset, &value));
	return value;
}

/* Interrupts are disabled, as where Linux's rapidio core writes */
static void test_write(struct kunit *test, struct rio9_port *port, u32 offset, u32 value)
{
	unsigned long flags;
	int err;

	local_irq_save(flags);
	err = rio9_reg_write(port, offset, value);
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, 0, err);
}

/* The write counted so many fields as wrong */
static void test_bad(struct kunit *test, struct rio9_port *port, u64 mode, u64 mtu)
{
	u64 stats[RIO9_STATS];

	rio9_port_stats(port, stats);
	KUNIT_EXPECT_EQ(test, stats[RIO9_STAT_BAD_MODE], mode);
	KUNIT_EXPECT_EQ(test, stats[RIO9_STAT_BAD_MTU], mtu);
}

static void test_operations(struct kunit *test)
{
	const u32 ops = RIO9_OPS_STREAMING | RIO9_OPS_TM;
	struct rio9_port *port = test_port(test, true);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rio9_car_vectors); i++) {
		const struct rio9_car_vector *v = &rio9_car_vectors[i];

		/* An endpoint without data streaming is none of ours */
		if (!v->streaming)
			continue;
		port->tm.types = v->tm ? BIT(RIO9_TM_OP_BASIC) : 0;
		KUNIT_EXPECT_EQ(test, v->value, test_read(test, port, v->offset) & ops);
	}
	KUNIT_EXPECT_EQ(test, test_read(test, port, RIO_SRC_OPS_CAR), ops);
	KUNIT_EXPECT_EQ(test, test_read(test, port, RIO_DST_OPS_CAR), ops | RIO_OPS_READ);
}

static void test_information(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rio9_info_vectors); i++) {
		const struct rio9_info_vector *v = &rio9_info_vectors[i];
		struct rio9_port *port = test_port_of(test, true, v->max_pdu, v->contexts);

		KUNIT_EXPECT_EQ(test, v->value, test_read(test, port, RIO9_INFO_CAR));
	}
}

static void test_control(struct kunit *test)
{
	struct rio9_port *port = test_port(test, true);
	unsigned int i;

	KUNIT_EXPECT_EQ(test, test_read(test, port, RIO9_CTL_CSR), 0xe0000040);
	for (i = 0; i < ARRAY_SIZE(rio9_csr_vectors); i++) {
		const struct rio9_csr_vector *v = &rio9_csr_vectors[i];

		port->tm.types = bitrev8(v->types) >> 4;
		port->regs.mode = v->mode;
		KUNIT_EXPECT_EQ(test, 0, rio9_port_set_mtu(port, v->mtu));
		KUNIT_EXPECT_EQ(test, v->value, test_read(test, port, RIO9_CTL_CSR));
	}
}

/* Each value of the fields that may be written; the other field has a good one */
static void test_fields(struct kunit *test)
{
	static const u8 types[] = { 0, 8, 0xc, 0xa, 0xe };
	static const u16 good[] = { 0x01, 0x03, 0x07, 0x0b, 0x1f };
	struct rio9_port *port = test_port(test, true);
	unsigned int i, n, bad_mode = 0, bad_mtu = 0;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		flush_work(&port->regs.work);
		port->tm.types = bitrev8(types[i]) >> 4;
		for (n = 0; n < RIO9_TM_MODES; n++) {
			port->regs.mode = 0;
			test_write(test, port, RIO9_CTL_CSR, n << 24 | 0x08);
			bad_mode += !(good[i] & BIT(n));
			KUNIT_EXPECT_EQ(test, test_read(test, port, RIO9_CTL_CSR),
					types[i] << 28 | (good[i] & BIT(n) ? n << 24 : 0) | 0x08);
			test_bad(test, port, bad_mode, 0);
		}
	}
	for (n = 0; n < 256; n++) {
		bool ok = n >= 8 && n <= 64;

		test_write(test, port, RIO9_CTL_CSR, 0x00000040);
		test_write(test, port, RIO9_CTL_CSR, 0xf1ffff00 | n);
		bad_mtu += !ok;
		KUNIT_EXPECT_EQ(test, test_read(test, port, RIO9_CTL_CSR),
				0xe1000000 | (ok ? n : 64));
		test_bad(test, port, bad_mode, bad_mtu);
	}
}

/* Reassembly has the new MTU when the work is done */
static void test_work(struct kunit *test)
{
	struct rio9_port *port = test_port(test, true);

	test_write(test, port, RIO9_CTL_CSR, 0x09);
	KUNIT_EXPECT_EQ(test, port->mtu, 36);
	flush_work(&port->regs.work);
	KUNIT_EXPECT_EQ(test, port->reassembly.mtu, 36);
}

static void test_id(struct kunit *test)
{
	struct rio9_port *small = test_port(test, false), *large = test_port(test, true);

	KUNIT_EXPECT_EQ(test, test_read(test, small, RIO_DID_CSR), 0x00ff0000);
	KUNIT_EXPECT_EQ(test, test_read(test, large, RIO_DID_CSR), 0x00ffffff);
	KUNIT_EXPECT_FALSE(test, rio9_regs_has_id(small));
	KUNIT_EXPECT_FALSE(test, rio9_regs_has_id(large));
	test_write(test, small, RIO_DID_CSR, 0xab051234);
	test_write(test, large, RIO_DID_CSR, 0xab051234);
	KUNIT_EXPECT_EQ(test, test_read(test, small, RIO_DID_CSR), 0x00050000);
	KUNIT_EXPECT_EQ(test, test_read(test, large, RIO_DID_CSR), 0x00051234);
	KUNIT_EXPECT_EQ(test, small->id, 0x05);
	KUNIT_EXPECT_EQ(test, large->id, 0x1234);
	KUNIT_EXPECT_EQ(test, 0, rio9_port_set_id(large, 0x00ff));
	KUNIT_EXPECT_EQ(test, test_read(test, large, RIO_DID_CSR), 0x000500ff);
	KUNIT_EXPECT_TRUE(test, rio9_regs_has_id(large));
	test_write(test, large, RIO_DID_CSR, 0xffff);
	KUNIT_EXPECT_FALSE(test, rio9_regs_has_id(large));
}

/* The lock is that of the first who asks, until he gives it back */
static void test_host(struct kunit *test)
{
	struct rio9_port *port = test_port(test, true);

	KUNIT_EXPECT_EQ(test, test_read(test, port, RIO_HOST_DID_LOCK_CSR), 0xffff);
	test_write(test, port, RIO_HOST_DID_LOCK_CSR, 0xabcd0007);
	KUNIT_EXPECT_EQ(test, test_read(test, port, RIO_HOST_DID_LOCK_CSR), 7);
	test_write(test, port, RIO_HOST_DID_LOCK_CSR, 8);
	KUNIT_EXPECT_EQ(test, test_read(test, port, RIO_HOST_DID_LOCK_CSR), 7);
	test_write(test, port, RIO_HOST_DID_LOCK_CSR, 7);
	KUNIT_EXPECT_EQ(test, test_read(test, port, RIO_HOST_DID_LOCK_CSR), 0xffff);
	test_write(test, port, RIO_HOST_DID_LOCK_CSR, 8);
	KUNIT_EXPECT_EQ(test, test_read(test, port, RIO_HOST_DID_LOCK_CSR), 8);
}

/* As Linux's rapidio core walks the extended features */
static void test_serial(struct kunit *test)
{
	struct rio9_port *port = test_port(test, true);
	u32 block;

	KUNIT_EXPECT_TRUE(test, test_read(test, port, RIO_PEF_CAR) & RIO_PEF_EXT_FEATURES);
	block = test_read(test, port, RIO_ASM_INFO_CAR) & RIO_EXT_FTR_PTR_MASK;
	KUNIT_EXPECT_EQ(test, test_read(test, port, block), RIO_EFB_SER_EP_M1_ID);
	KUNIT_EXPECT_EQ(test, test_read(test, port, block + RIO_PORT_N_ERR_STS_CSR(0, 1)),
			RIO_PORT_N_ERR_STS_PORT_UNINIT);
	test_write(test, port, block + RIO_PORT_GEN_CTL_CSR, U32_MAX);
	KUNIT_EXPECT_EQ(test, test_read(test, port, block + RIO_PORT_GEN_CTL_CSR), 0xe0000000);
	test_write(test, port, block + RIO_PORT_LINKTO_CTL_CSR, 0x12345678);
	KUNIT_EXPECT_EQ(test, test_read(test, port, block + RIO_PORT_LINKTO_CTL_CSR), 0x12345600);
	test_write(test, port, block + RIO_PORT_RSPTO_CTL_CSR, 0x87654321);
	KUNIT_EXPECT_EQ(test, test_read(test, port, block + RIO_PORT_RSPTO_CTL_CSR), 0x87654300);
	test_write(test, port, block + RIO_PORT_N_CTL_CSR(0, 1), 0);
	KUNIT_EXPECT_EQ(test, test_read(test, port, block + RIO_PORT_N_CTL_CSR(0, 1)),
			RIO_PORT_N_CTL_P_TYP_SER);
	test_write(test, port, RIO_COMPONENT_TAG_CSR, 0x12345678);
	KUNIT_EXPECT_EQ(test, test_read(test, port, RIO_COMPONENT_TAG_CSR), 0x12345678);
}

/* All the others: no error, no effect */
static void test_reserved(struct kunit *test)
{
	static const u32 writable[] = {
		RIO9_CTL_CSR, RIO_DID_CSR, RIO_HOST_DID_LOCK_CSR, RIO_COMPONENT_TAG_CSR,
		0x120, 0x124, 0x13c, 0x15c,
	};
	static const u32 not_zero[] = {
		RIO_DEV_ID_CAR, RIO_ASM_INFO_CAR, RIO_PEF_CAR, RIO_SRC_OPS_CAR, RIO_DST_OPS_CAR,
		RIO9_INFO_CAR, RIO_PELL_CTRL_CSR, 0x100, 0x158,
	};
	struct rio9_port *port = test_port(test, false);
	u32 offset, was, value;
	unsigned int i;

	for (offset = 0; offset <= 0x11000; offset += 4) {
		for (i = 0; i < ARRAY_SIZE(writable) && writable[i] != offset; i++)
			;
		if (i < ARRAY_SIZE(writable))
			continue;
		was = test_read(test, port, offset);
		for (i = 0; i < ARRAY_SIZE(not_zero) && not_zero[i] != offset; i++)
			;
		KUNIT_EXPECT_EQ_MSG(test, !was, i == ARRAY_SIZE(not_zero), "register %x", offset);
		test_write(test, port, offset, ~was);
		KUNIT_EXPECT_EQ(test, test_read(test, port, offset), was);
	}
	KUNIT_EXPECT_EQ(test, test_read(test, port, 0xfffffc), 0);
	KUNIT_EXPECT_EQ(test, rio9_reg_read(port, 0x1000000, &value), -EINVAL);
	KUNIT_EXPECT_EQ(test, rio9_reg_write(port, 0x1000000, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, rio9_reg_read(port, 0x62, &value), -EINVAL);
	KUNIT_EXPECT_EQ(test, rio9_reg_write(port, 0x62, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, test_read(test, test_port(test, true), RIO_SWITCH_RT_LIMIT),
			RIO_RT_MAX_DESTID);
}

static int test_maint_read(struct rio9_port *port, u16 id, u8 hops, u32 offset, u32 *value)
{
	*value = id << 16 | hops << 8 | offset;
	return 0;
}

static int test_maint_write(struct rio9_port *port, u16 id, u8 hops, u32 offset, u32 value)
{
	return value == (id << 16 | hops << 8 | offset) ? 0 : -EREMOTEIO;
}

/* Requests go to the card, unless it has none, or there is no such register */
static void test_maint(struct kunit *test)
{
	const struct rio9_port_ops ops = {
		.xmit_packet = test_no_xmit, .maint_read = test_maint_read,
		.maint_write = test_maint_write,
	};
	struct rio9_port *port = test_port(test, false);
	u32 value;

	KUNIT_EXPECT_FALSE(test, rio9_has_maint(port));
	KUNIT_EXPECT_EQ(test, rio9_maint_read(port, 1, 2, 0x10, &value), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, rio9_maint_write(port, 1, 2, 0x10, 0), -EOPNOTSUPP);
	port->ops = &ops;
	KUNIT_EXPECT_TRUE(test, rio9_has_maint(port));
	KUNIT_EXPECT_EQ(test, rio9_maint_read(port, 1, 2, 0x10, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 0x10210);
	KUNIT_EXPECT_EQ(test, rio9_maint_write(port, 1, 2, 0x10, 0x10210), 0);
	KUNIT_EXPECT_EQ(test, rio9_maint_write(port, 1, 2, 0x10, 0), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, rio9_maint_read(port, 1, 2, 0x12, &value), -EINVAL);
	KUNIT_EXPECT_EQ(test, rio9_maint_write(port, 1, 2, 0x1000000, 0), -EINVAL);
	port->ops = &test_ops;
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_operations),
	KUNIT_CASE(test_information),
	KUNIT_CASE(test_control),
	KUNIT_CASE(test_fields),
	KUNIT_CASE(test_work),
	KUNIT_CASE(test_id),
	KUNIT_CASE(test_host),
	KUNIT_CASE(test_serial),
	KUNIT_CASE(test_reserved),
	KUNIT_CASE(test_maint),
	{}
};

static struct kunit_suite test_suite = {
	.name = "rio9_regs",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
