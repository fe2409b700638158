// SPDX-License-Identifier: GPL-2.0
/*
 * RDMA from the other side: rights and ranges, VI-ARCH 3.2.2 and 6.3.2, memory that goes away, the
 * data of Reads, and what follows them, VI-ARCH 6.3.1.1.
 */
#include "disconnect.h"
#include "rx.h"
#include "rx_state.h"
#include "sched.h"

KUNIT_ARRAY_PARAM(test_level, test_levels, test_level_desc);

/* Levels that have Reads */
static const u8 test_reliables[] = { FCVI_RD, FCVI_RR };

KUNIT_ARRAY_PARAM(test_reliable, test_reliables, test_level_desc);

static u8 rdma_last(const struct test_rx *t)
{
	return t->vi->attrs.level == FCVI_RR ? TEST_SI : TEST_LS;
}

static void fcvi_rdma_writes(struct kunit *test)
{
	struct test_rx *t = test_rx(test, test_level(test), true);
	struct fcvi_iu iu = test_iu(t, FCVI_WRITE_RQST, 1, 1024);
	struct fcvi_mx *mx;

	test_message(t, &iu);
	test_rx_expect_by(t, "", "", "WRITE-RESP:0");
	test_has(t, &iu, test_memory(t));
	iu = test_iu(t, FCVI_WRITE_RQST, 2, 600);
	iu.rmt_va += 3;
	iu.flags = FCVI_IMM_DATA;
	iu.param = 0xabc;
	test_post(t, 0);
	mx = test_begin(t, &iu);
	test_frame(t, mx, &iu, 0, 300, 0);
	test_frame(t, mx, &iu, 300, 300, rdma_last(t));
	test_rx_expect_by(t, "D:600-Iabc-W", "D:600-Iabc-W", "D:600-Iabc-W WRITE-RESP:0");
	test_has(t, &iu, test_memory(t) + 3);
	/* Without bytes, at the end of the region */
	iu = test_iu(t, FCVI_WRITE_RQST, 3, 0);
	iu.rmt_va += 1024;
	test_message(t, &iu);
	test_rx_expect_by(t, "", "", "WRITE-RESP:0");
	KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_RX), 3);
	KUNIT_EXPECT_EQ(test, t->vi->done_msg_id, 3);
	test_rx_end(t);
}

/* What is wrong with an RDMA */
static void rdma_spoil(struct test_rx *t, struct fcvi_iu *iu, unsigned int how)
{
	bool read = iu->opcode == FCVI_READ_RQST;

	switch (how) {
	case 0:
		*(read ? &t->vi->attrs.rdma_read : &t->vi->attrs.rdma_write) = false;
		break;
	case 1:
		*(read ? &t->region.rdma_read : &t->region.rdma_write) = false;
		break;
	case 2:
		t->vi->tag = (struct fcvi_tag *)t;
		break;
	case 3:
		t->vi->tag = NULL;
		break;
	case 4:
		iu->rmt_va_handle++;
		break;
	case 5:
		iu->rmt_va--;
		break;
	case 6:
		iu->rmt_va += 1024 - iu->tot_len + 1;
		break;
	case 7:
		iu->rmt_va = -10ULL;
		break;
	case 8:
		iu->rmt_va = 0;
		break;
	case 9:
		iu->rmt_va += 1024 + 1;
		iu->tot_len = 0;
		break;
	case 10:
		test_unregister(t);
		break;
	}
}

#define RDMA_WRONGS	11

static bool rdma_clean(struct test_rx *t)
{
	return !memchr_inv(test_memory(t), 0, 1024);
}

static void fcvi_rdma_write_rights(struct kunit *test)
{
	struct test_rx *t;
	struct fcvi_iu iu;
	unsigned int i;

	for (i = 0; i < 2 * RDMA_WRONGS; i++) {
		t = test_rx(test, test_level(test), true);
		iu = test_iu(t, FCVI_WRITE_RQST, 1, 100);
		iu.flags = i < RDMA_WRONGS ? 0 : FCVI_IMM_DATA;
		rdma_spoil(t, &iu, i % RDMA_WRONGS);
		test_post(t, 0);
		test_message(t, &iu);
		if (iu.flags)
			test_rx_expect_by(t, "D:e4", "D:e4 =lost DISC:43",
					  "D:e4 WRITE-RESP:5 =lost DISC:43");
		else
			test_rx_expect_by(t, "!write-prot", "!write-prot D:e20 =lost DISC:43",
					  "!write-prot WRITE-RESP:5 D:e20 =lost DISC:43");
		KUNIT_EXPECT_TRUE_MSG(test, rdma_clean(t), "case %u", i);
		KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_PROTECTION), 1);
		test_rx_end(t);
	}
}

static void fcvi_rdma_write_limits(struct kunit *test)
{
	struct test_rx *t = test_rx(test, test_level(test), true);
	struct fcvi_iu iu = test_iu(t, FCVI_WRITE_RQST, 1, 60);
	struct fcvi_mx *mx;

	t->vi->attrs.max_trans_size = 59;
	test_message(t, &iu);
	test_rx_expect_by(t, "!write-data", "!write-data =lost DISC:42",
			  "!write-data WRITE-RESP:3 =lost DISC:42");
	KUNIT_EXPECT_TRUE(test, rdma_clean(t));
	test_rx_end(t);

	/* No Descriptor for the Immediate Data */
	t = test_rx(test, test_level(test), true);
	iu = test_iu(t, FCVI_WRITE_RQST, 1, 60);
	iu.flags = FCVI_IMM_DATA;
	test_message(t, &iu);
	test_rx_expect_by(t, "!empty", "!empty =lost DISC:42",
			  "!empty WRITE-RESP:3 =lost DISC:42");
	KUNIT_EXPECT_TRUE(test, rdma_clean(t));
	test_rx_end(t);

	/* The memory goes away in the midst */
	t = test_rx(test, test_level(test), true);
	iu = test_iu(t, FCVI_WRITE_RQST, 1, 60);
	mx = test_begin(t, &iu);
	test_frame(t, mx, &iu, 0, 20, 0);
	test_unregister(t);
	test_frame(t, mx, &iu, 20, 20, 0);
	test_frame(t, mx, &iu, 40, 20, rdma_last(t));
	test_rx_expect_by(t, "!write-prot", "!write-prot =lost DISC:43",
			  "!write-prot WRITE-RESP:5 =lost DISC:43");
	test_rx_end(t);
}

static void fcvi_rdma_reads(struct kunit *test)
{
	struct test_rx *t = test_rx(test, test_level(test), true);
	struct fcvi_iu iu = test_iu(t, FCVI_READ_RQST, 1, 1000);
	unsigned int i;

	for (i = 0; i < 1024; i++)
		test_memory(t)[i] = i * 7;
	iu.rmt_va += 5;
	test_frame(t, test_begin(t, &iu), &iu, 0, 0, TEST_SI);
	test_rx_expect(t, "READ-RESP:0");
	KUNIT_EXPECT_EQ(test, t->sent, 1000);
	/* FC-VI 6.7.2 */
	KUNIT_EXPECT_EQ(test, t->iu.msg_id, 1);
	KUNIT_EXPECT_EQ(test, t->iu.rmt_va, iu.rmt_va);
	KUNIT_EXPECT_EQ(test, t->iu.rmt_va_handle, iu.rmt_va_handle);
	KUNIT_EXPECT_EQ(test, t->iu.tot_len, 1000);
	KUNIT_EXPECT_EQ(test, t->iu.param, 0);
	KUNIT_EXPECT_EQ(test, t->vi->done_msg_id, 1);
	iu = test_iu(t, FCVI_READ_RQST, 2, 0);
	test_frame(t, test_begin(t, &iu), &iu, 0, 0, TEST_SI);
	test_rx_expect(t, "READ-RESP:0");
	test_rx_end(t);
}

static void fcvi_rdma_read_rights(struct kunit *test)
{
	struct test_rx *t;
	struct fcvi_iu iu;
	unsigned int i;

	for (i = 0; i < RDMA_WRONGS; i++) {
		t = test_rx(test, test_level(test), true);
		iu = test_iu(t, FCVI_READ_RQST, 1, 100);
		rdma_spoil(t, &iu, i);
		test_frame(t, test_begin(t, &iu), &iu, 0, 0, TEST_SI);
		test_rx_expect(t, "!read-prot READ-RESP:5 =lost DISC:47");
		KUNIT_EXPECT_EQ(test, t->sent, 0);
		KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_PROTECTION), 1);
		test_rx_end(t);
	}
	t = test_rx(test, test_level(test), true);
	t->vi->attrs.max_trans_size = 99;
	iu = test_iu(t, FCVI_READ_RQST, 1, 100);
	test_frame(t, test_begin(t, &iu), &iu, 0, 0, TEST_SI);
	test_rx_expect(t, "!transport READ-RESP:3 =lost DISC:42");
	test_rx_end(t);
}

/* A Read of which two frames are sent */
static struct fcvi_mx *rdma_reading(struct test_rx *t)
{
	struct fcvi_iu iu = test_iu(t, FCVI_READ_RQST, 1, 1000);
	struct fcvi_mx *mx = test_begin(t, &iu);

	t->budget = 2;
	test_frame(t, mx, &iu, 0, 0, TEST_SI);
	test_rx_expect(t, "");
	KUNIT_EXPECT_EQ(t->p->test, t->sent, 128);
	return mx;
}

static void rdma_go_on(struct test_rx *t)
{
	t->budget = U32_MAX;
	fcvi_sched_run(&t->p->port);
}

static void fcvi_rdma_read_ends(struct kunit *test)
{
	struct test_rx *t = test_rx(test, test_level(test), true);

	rdma_reading(t);
	test_unregister(t);
	rdma_go_on(t);
	test_rx_expect(t, "!read-prot READ-RESP:5 =lost DISC:47");
	KUNIT_EXPECT_EQ(test, t->sent, 128);
	test_rx_end(t);

	t = test_rx(test, test_level(test), true);
	test_mx_over(t, rdma_reading(t), -ECONNABORTED);
	test_rx_expect(t, "!transport =lost DISC:46");
	rdma_go_on(t);
	test_rx_end(t);

	t = test_rx(test, test_level(test), true);
	test_mx_over(t, rdma_reading(t), -ENOTCONN);
	rdma_go_on(t);
	test_rx_expect(t, "");
	test_rx_end(t);

	t = test_rx(test, test_level(test), true);
	rdma_reading(t);
	KUNIT_EXPECT_EQ(test, fcvi_disconnect(t->vi), 0);
	rdma_go_on(t);
	test_rx_expect(t, "DISC-app");
	test_rx_end(t);
}

/* What follows a Read waits for it */
static void fcvi_rdma_behind(struct kunit *test)
{
	struct test_rx *t = test_rx(test, test_level(test), true);
	struct fcvi_iu iu = test_iu(t, FCVI_SEND_RQST, 2, 60);
	struct test_desc *d = test_post(t, 60);
	struct fcvi_mx *mx;

	rdma_reading(t);
	mx = test_begin(t, &iu);
	test_frame(t, mx, &iu, 0, 20, 0);
	test_frame(t, mx, &iu, 20, 40, rdma_last(t));
	iu = test_iu(t, FCVI_READ_RQST, 3, 10);
	test_frame(t, test_begin(t, &iu), &iu, 0, 0, TEST_SI);
	iu = test_iu(t, FCVI_WRITE_RQST, 4, 10);
	test_message(t, &iu);
	KUNIT_EXPECT_TRUE(test, rdma_clean(t));
	test_rx_expect(t, "");
	rdma_go_on(t);
	test_rx_expect_by(t, NULL, "READ-RESP:0 D:60 READ-RESP:0",
			  "READ-RESP:0 D:60 SEND-RESP:0 READ-RESP:0 WRITE-RESP:0");
	iu.msg_id = 2;
	test_has(t, &iu, d->buf);
	iu.msg_id = 4;
	test_has(t, &iu, test_memory(t));
	KUNIT_EXPECT_EQ(test, t->vi->done_msg_id, 4);
	test_rx_end(t);

	/* A Write behind a Read that fails has no effect */
	t = test_rx(test, test_level(test), true);
	mx = rdma_reading(t);
	iu = test_iu(t, FCVI_WRITE_RQST, 2, 10);
	test_message(t, &iu);
	test_mx_over(t, mx, -ECONNABORTED);
	test_rx_expect(t, "!transport =lost DISC:46");
	KUNIT_EXPECT_TRUE(test, rdma_clean(t));
	test_rx_end(t);
}

/* The room for what waits behind a Read is bounded; where it may, it passes before that */
static void fcvi_rdma_pass(struct kunit *test)
{
	struct test_rx *t = test_rx(test, test_level(test), true);
	struct fcvi_iu iu;
	u32 i;

	rdma_reading(t);
	for (i = 2; i < 1000 && t->vi->state == FCVI_CONNECTED; i++) {
		iu = test_iu(t, FCVI_WRITE_RQST, i, 4);
		test_message(t, &iu);
	}
	KUNIT_EXPECT_LE(test, t->vi->rx.held, 1024 + t->vi->depth + 1);
	if (test_level(test) == FCVI_RD) {
		test_rx_expect(t, "");
		KUNIT_EXPECT_EQ(test, i, 1000);
		rdma_go_on(t);
		test_rx_expect(t, "READ-RESP:0");
		test_has(t, &iu, test_memory(t));
	} else {
		test_rx_expect(t, "=lost DISC:40");
		KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_NO_MEMORY), 1);
		KUNIT_EXPECT_TRUE(test, rdma_clean(t));
	}
	test_rx_end(t);
}

static struct kunit_case fcvi_rdma_cases[] = {
	KUNIT_CASE_PARAM(fcvi_rdma_writes, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_rdma_write_rights, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_rdma_write_limits, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_rdma_reads, test_reliable_gen_params),
	KUNIT_CASE_PARAM(fcvi_rdma_read_rights, test_reliable_gen_params),
	KUNIT_CASE_PARAM(fcvi_rdma_read_ends, test_reliable_gen_params),
	KUNIT_CASE_PARAM(fcvi_rdma_behind, test_reliable_gen_params),
	KUNIT_CASE_PARAM(fcvi_rdma_pass, test_reliable_gen_params),
	{}
};

static struct kunit_suite fcvi_rdma_suite = {
	.name		= "fcvi_rdma",
	.test_cases	= fcvi_rdma_cases,
};

kunit_test_suites(&fcvi_rdma_suite);
