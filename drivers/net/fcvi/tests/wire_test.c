// SPDX-License-Identifier: GPL-2.0
/*
 * Device_Headers against bytes that were written by hand from FC-VI 5.1, 5.8.4 and 5.9, and all
 * that can be wrong in a frame.
 */
#include <kunit/test.h>
#include <linux/fc2.h>
#include <linux/module.h>
#include <linux/st_compat.h>
#include <linux/st_compat.h>

#include "wire.h"

#define TEST_RESPONDER	0x800000
#define TEST_FIRST	0x200000
#define TEST_LAST	0x100000
#define TEST_END	0x080000
#define TEST_SI		0x010000

/* Each IU with the F_CTL of its last frame */
static const struct test_iu {
	const char *name;
	u8 r_ctl;
	u8 df_ctl;
	u32 f_ctl;
	unsigned int len;
	u8 bytes[32];
	struct fcvi_iu iu;
} test_ius[] = {
	{ "SEND_RQST", 0x01, 0x02, 0x380000, 32,
	  { 0x12, 0x34, 0x56, 0x78, 0x00, 0x01, 0, 0, 0, 0, 0, 1, 0xde, 0xad, 0xbe, 0xef,
	    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x00, 0x01, 0x00, 0x02 },
	  { .opcode = FCVI_SEND_RQST, .flags = 1, .handle = 0x12345678, .msg_id = 1,
	    .param = 0xdeadbeef, .tot_len = 65538 } },
	{ "WRITE_RQST", 0x01, 0x02, 0x290000, 32,
	  { 0, 0, 0, 7, 0x01, 0x00, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0,
	    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x0a, 0x0b, 0x0c, 0x0d,
	    0xff, 0xff, 0xff, 0xff },
	  { .opcode = FCVI_WRITE_RQST, .handle = 7, .msg_id = 0xffffffff,
	    .rmt_va = 0x0102030405060708, .rmt_va_handle = 0x0a0b0c0d,
	    .tot_len = 0xffffffff } },
	{ "READ_RQST", 0x06, 0x02, 0x290000, 32,
	  { 0, 0, 0, 8, 0x02, 0x00, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0,
	    0, 0, 0, 0, 0, 0, 0x10, 0x00, 0, 0, 0, 9, 0, 0, 0x20, 0 },
	  { .opcode = FCVI_READ_RQST, .handle = 8, .msg_id = 256, .rmt_va = 0x1000,
	    .rmt_va_handle = 9, .tot_len = 8192 } },
	{ "SEND_RESP", 0x07, 0x01, 0x980000, 16,
	  { 0, 0, 0, 3, 0x08, 0x03, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0 },
	  { .opcode = FCVI_SEND_RESP, .flags = 3, .handle = 3, .msg_id = 5 } },
	{ "WRITE_RESP", 0x07, 0x01, 0x980000, 16,
	  { 0, 0, 0, 3, 0x09, 0x05, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0 },
	  { .opcode = FCVI_WRITE_RESP, .flags = 5, .handle = 3, .msg_id = 6 } },
	{ "READ_RESP", 0x01, 0x02, 0x980000, 32,
	  { 0, 0, 0, 3, 0x0a, 0x09, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0,
	    0, 0, 0, 0, 0, 0, 0x10, 0x00, 0, 0, 0, 9, 0, 0, 0x20, 0 },
	  { .opcode = FCVI_READ_RESP, .flags = 9, .handle = 3, .msg_id = 256, .rmt_va = 0x1000,
	    .rmt_va_handle = 9, .tot_len = 8192 } },
	{ "CONNECT_RQST", 0x02, 0x02, 0x290000, 32,
	  { 0xff, 0xff, 0xff, 0xff, 0x10, 0x1a, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2 },
	  { .opcode = FCVI_CONNECT_RQST, .flags = 0x1a, .handle = 0xffffffff,
	    .connection_id = 2 } },
	{ "DISCONNECT_RQST", 0x02, 0x02, 0x290000, 32,
	  { 0, 0, 0, 4, 0x12, 0x03, 0, 0, 0, 0, 0, 9, 0x00, 0x40, 0x00, 0x00,
	    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	  { .opcode = FCVI_DISCONNECT_RQST, .flags = 3, .handle = 4, .msg_id = 9,
	    .param = 0x400000 } },
	{ "CONNECT_RESP1", 0x03, 0x02, 0x890000, 32,
	  { 0xff, 0xff, 0xff, 0xff, 0x18, 0x07, 0, 0, 0, 0, 0, 0, 0x00, 0x03, 0x00, 0x00,
	    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2 },
	  { .opcode = FCVI_CONNECT_RESP1, .flags = 7, .handle = 0xffffffff, .param = 0x30000,
	    .connection_id = 2 } },
	{ "CONNECT_RESP2", 0x03, 0x02, 0x090000, 32,
	  { 0, 0, 0, 5, 0x19, 0x04, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2 },
	  { .opcode = FCVI_CONNECT_RESP2, .flags = 4, .handle = 5, .connection_id = 2 } },
	{ "CONNECT_RESP3", 0x03, 0x02, 0x980000, 32,
	  { 0, 0, 0, 6, 0x1a, 0x01, 0, 0, 0, 0, 0, 0, 0x00, 0x04, 0x00, 0x00,
	    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2 },
	  { .opcode = FCVI_CONNECT_RESP3, .flags = 1, .handle = 6, .param = 0x40000,
	    .connection_id = 2 } },
	{ "DISCONNECT_RESP", 0x03, 0x02, 0x980000, 32,
	  { 0, 0, 0, 6, 0x1b, 0x07, 0, 0, 0, 0, 0, 0, 0x00, 0x4b, 0x00, 0x00,
	    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff },
	  { .opcode = FCVI_DISCONNECT_RESP, .flags = 7, .handle = 6, .param = 0x4b0000,
	    .connection_id = 0xffffffff } },
};

static struct fc_frame_header test_hdr(const struct test_iu *t, u32 f_ctl)
{
	struct fc_frame_header fh = {
		.fh_r_ctl = t->r_ctl, .fh_type = 0x58, .fh_df_ctl = t->df_ctl,
	};

	fc2_hton24(fh.fh_f_ctl, f_ctl);
	return fh;
}

static void test_verdict(struct kunit *test, const struct test_iu *t,
			 const struct fc_frame_header *fh, unsigned int len,
			 enum fcvi_verdict want)
{
	u8 data[36] = {};
	struct fcvi_iu iu;

	memcpy(data, t->bytes, t->len);
	KUNIT_EXPECT_EQ_MSG(test, fcvi_decode(&iu, fh, data, len), want, "%s, %u bytes, F_CTL %06x",
			    t->name, len, fc2_ntoh24(fh->fh_f_ctl));
}

static void test_golden(struct kunit *test)
{
	const struct test_iu *t;
	u8 buf[32];

	for (t = test_ius; t < test_ius + ARRAY_SIZE(test_ius); t++) {
		struct fc_frame_header fh = test_hdr(t, t->f_ctl);
		struct fcvi_iu iu;

		memset(buf, 0x55, sizeof(buf));
		KUNIT_EXPECT_EQ_MSG(test, fcvi_encode(buf, &t->iu), t->len, "%s", t->name);
		KUNIT_EXPECT_MEMEQ(test, buf, t->bytes, t->len);
		KUNIT_EXPECT_EQ(test, fcvi_iu_size(t->iu.opcode), t->len);
		KUNIT_EXPECT_EQ(test, fcvi_iu_r_ctl(t->iu.opcode), t->r_ctl);
		KUNIT_EXPECT_EQ(test, fcvi_iu_df_ctl(t->iu.opcode), t->df_ctl);
		KUNIT_ASSERT_EQ_MSG(test, fcvi_decode(&iu, &fh, t->bytes, t->len), FCVI_GOOD, "%s",
				    t->name);
		KUNIT_EXPECT_EQ(test, iu.opcode, t->iu.opcode);
		KUNIT_EXPECT_EQ_MSG(test, iu.flags, t->iu.flags, "%s", t->name);
		KUNIT_EXPECT_EQ(test, iu.handle, t->iu.handle);
		KUNIT_EXPECT_EQ(test, iu.msg_id, t->iu.msg_id);
		KUNIT_EXPECT_EQ(test, iu.param, t->iu.param);
		KUNIT_EXPECT_EQ(test, iu.rmt_va, t->iu.rmt_va);
		KUNIT_EXPECT_EQ(test, iu.rmt_va_handle, t->iu.rmt_va_handle);
		KUNIT_EXPECT_EQ(test, iu.tot_len, t->iu.tot_len);
	}
}

/* F_CTL that a sender makes of it, FC-VI 5.8.4 */
static void test_end(struct kunit *test)
{
	const struct test_iu *t;
	u32 f_ctl;
	u8 end;

	for (t = test_ius + 2; t < test_ius + ARRAY_SIZE(test_ius); t++) {
		end = fcvi_iu_end(t->iu.opcode);
		f_ctl = (end & FC2_SEND_END_SEQ ? TEST_END : 0) |
			(end & FC2_SEND_LAST_SEQ ? TEST_LAST : 0) |
			(end & FC2_SEND_INITIATIVE ? TEST_SI : 0);
		KUNIT_EXPECT_EQ_MSG(test, f_ctl,
				    t->f_ctl & (TEST_END | TEST_LAST | TEST_SI), "%s", t->name);
	}
}

static void test_short(struct kunit *test)
{
	const struct test_iu *t;
	unsigned int len;

	for (t = test_ius; t < test_ius + ARRAY_SIZE(test_ius); t++) {
		struct fc_frame_header fh = test_hdr(t, t->f_ctl);

		for (len = 0; len < t->len; len++)
			test_verdict(test, t, &fh, len, FCVI_SHORT);
	}
}

static void test_opcodes(struct kunit *test)
{
	struct test_iu t = test_ius[0];
	struct fc_frame_header fh = test_hdr(&t, t.f_ctl);
	unsigned int op, i;

	for (op = 0; op < 256; op++) {
		for (i = 0; i < ARRAY_SIZE(test_ius); i++)
			if (test_ius[i].iu.opcode == op)
				break;
		if (i < ARRAY_SIZE(test_ius))
			continue;
		t.bytes[4] = op;
		test_verdict(test, &t, &fh, t.len, FCVI_BAD_OPCODE);
	}
}

/* R_CTL, DF_CTL and TYPE that are not those of table 1 */
static void test_control(struct kunit *test)
{
	const struct test_iu *t;
	unsigned int v;

	for (t = test_ius; t < test_ius + ARRAY_SIZE(test_ius); t++) {
		struct fc_frame_header fh = test_hdr(t, t->f_ctl);

		for (v = 0; v < 256; v++) {
			fh.fh_r_ctl = v;
			if (v != t->r_ctl)
				test_verdict(test, t, &fh, t->len, FCVI_BAD_R_CTL);
			fh.fh_r_ctl = t->r_ctl;
			fh.fh_df_ctl = v;
			if (v != t->df_ctl)
				test_verdict(test, t, &fh, v == FCVI_DF_32 ? 32 : t->len,
					     FCVI_BAD_DF_CTL);
			fh.fh_df_ctl = t->df_ctl;
		}
		fh.fh_type = FC_TYPE_FCP;
		test_verdict(test, t, &fh, t->len, FCVI_BAD_R_CTL);
	}
}

/* From the other side of the Exchange, in the other Sequence, and as a frame of an ACK */
static void test_context(struct kunit *test)
{
	const struct test_iu *t;

	for (t = test_ius; t < test_ius + ARRAY_SIZE(test_ius); t++) {
		struct fc_frame_header fh = test_hdr(t, t->f_ctl ^ TEST_RESPONDER);

		test_verdict(test, t, &fh, t->len, FCVI_BAD_CONTEXT);
		fh = test_hdr(t, t->f_ctl | 0x400000);
		test_verdict(test, t, &fh, t->len, FCVI_BAD_CONTEXT);
		fh = test_hdr(t, t->f_ctl ^ TEST_FIRST);
		/* A Message may have several request IUs */
		test_verdict(test, t, &fh, t->len,
			     t->iu.opcode <= FCVI_WRITE_RQST ? FCVI_GOOD : FCVI_BAD_CONTEXT);
	}
}

static void test_ends(struct kunit *test)
{
	const struct test_iu *t;

	for (t = test_ius; t < test_ius + ARRAY_SIZE(test_ius); t++) {
		u8 op = t->iu.opcode;
		bool parts = op == FCVI_SEND_RQST || op == FCVI_WRITE_RQST || op == FCVI_READ_RESP;
		bool request = op == FCVI_SEND_RQST || op == FCVI_WRITE_RQST;
		u32 rest = t->f_ctl & ~(TEST_LAST | TEST_SI);
		struct fc_frame_header fh = test_hdr(t, rest);

		test_verdict(test, t, &fh, t->len, parts ? FCVI_GOOD : FCVI_BAD_END);
		fh = test_hdr(t, rest | TEST_LAST | TEST_SI);
		test_verdict(test, t, &fh, t->len, FCVI_BAD_END);
		fh = test_hdr(t, t->f_ctl ^ (TEST_LAST | TEST_SI));
		test_verdict(test, t, &fh, t->len, request ? FCVI_GOOD : FCVI_BAD_END);
	}
}

static void test_payload(struct kunit *test)
{
	const struct test_iu *t;

	for (t = test_ius; t < test_ius + ARRAY_SIZE(test_ius); t++) {
		u8 op = t->iu.opcode;
		bool data = op == FCVI_SEND_RQST || op == FCVI_WRITE_RQST ||
			    op == FCVI_READ_RESP || op == FCVI_CONNECT_RQST ||
			    op == FCVI_CONNECT_RESP1;
		struct fc_frame_header fh = test_hdr(t, t->f_ctl);

		test_verdict(test, t, &fh, t->len + 1, data ? FCVI_GOOD : FCVI_BAD_PAYLOAD);
		fh = test_hdr(t, t->f_ctl & ~(TEST_END | TEST_LAST | TEST_SI));
		test_verdict(test, t, &fh, t->len, data ? FCVI_GOOD : FCVI_BAD_PAYLOAD);
	}
}

/* FC-VI 5.9.5: reserved bits are not looked at; 5.9.4.2: nor is IMM_DATA where it has no place */
static void test_reserved(struct kunit *test)
{
	static const u8 flags[] = {
		0x01, 0x01, 0x00, 0x0f, 0x0f, 0x0f, 0x1f, 0x07, 0x07, 0x05, 0x05, 0x07,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(test_ius); i++) {
		struct test_iu t = test_ius[i];
		struct fc_frame_header fh = test_hdr(&t, t.f_ctl);
		struct fcvi_iu iu;

		t.bytes[5] = 0xff;
		t.bytes[6] = 0xaa;
		t.bytes[7] = 0x55;
		KUNIT_ASSERT_EQ(test, fcvi_decode(&iu, &fh, t.bytes, t.len), FCVI_GOOD);
		KUNIT_EXPECT_EQ_MSG(test, iu.flags, flags[i], "%s", t.name);
	}
}

/* Table 11 */
static void test_status(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, fcvi_status(FCVI_REJECT_CONCURRENT), 0x00050000);
	KUNIT_EXPECT_EQ(test, fcvi_status(FCVI_DISCONNECTED), 0x004b0000);
	KUNIT_EXPECT_EQ(test, fcvi_status_reason(0xff22aa55), FCVI_REJECT_TRANSPORT);
}

static struct kunit_case fcvi_wire_cases[] = {
	KUNIT_CASE(test_golden),
	KUNIT_CASE(test_end),
	KUNIT_CASE(test_short),
	KUNIT_CASE(test_opcodes),
	KUNIT_CASE(test_control),
	KUNIT_CASE(test_context),
	KUNIT_CASE(test_ends),
	KUNIT_CASE(test_payload),
	KUNIT_CASE(test_reserved),
	KUNIT_CASE(test_status),
	{}
};

static struct kunit_suite fcvi_wire_suite = {
	.name		= "fcvi_wire",
	.test_cases	= fcvi_wire_cases,
};

kunit_test_suites(&fcvi_wire_suite);

MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING");
MODULE_DESCRIPTION("KUnit tests of Fibre Channel FC-VI");
MODULE_LICENSE("GPL");
