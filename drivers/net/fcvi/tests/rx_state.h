/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An endpoint that is connected, and frames that come to it: what is done with them is added to the
 * log of the port.
 */
#ifndef _FCVI_TESTS_RX_STATE_H
#define _FCVI_TESTS_RX_STATE_H

#include <linux/prandom.h>

#include "msg.h"
#include "state.h"

#define TEST_DESCS	64
#define TEST_BUF	256
#define TEST_VA		0x7000000000000100ULL
/* What ends a Message */
#define TEST_LS		(FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ)
#define TEST_SI		(FC2_SEND_END_SEQ | FC2_SEND_INITIATIVE)

struct test_mx {
	struct fcvi_mx	mx;
	bool		open;
};

struct test_desc {
	struct fcvi_desc	desc;
	u8			buf[TEST_BUF];
	bool			posted;
};

/**
 * struct test_rx - an endpoint
 * @p: its port
 * @vi: the endpoint
 * @ops: what test_port() has given it
 * @rport: another remote port
 * @descs: receive Descriptors
 * @nr_posted: how many were posted
 * @next: the one that is to complete next
 * @left: bytes of Descriptors that there is memory for
 * @disconnect: the user disconnects when a Descriptor completes
 * @mxs: Exchanges
 * @nr: how many
 * @budget: frames that the device takes
 * @sent: bytes of the data of Reads that were sent
 * @iu: the last one that was sent
 * @tag: protection tag of @region
 * @region: page of memory at TEST_VA
 * @page: the page
 */
struct test_rx {
	struct test_port		*p;
	struct fcvi_vi			*vi;
	const struct fcvi_vi_ops	*ops;
	struct fc2_rport		rport;
	struct test_desc		descs[TEST_DESCS];
	unsigned int			nr_posted;
	unsigned int			next;
	unsigned int			left;
	bool				disconnect;
	struct test_mx			mxs[2048];
	unsigned int			nr;
	unsigned int			budget;
	u32				sent;
	struct fcvi_iu			iu;
	struct fcvi_tag			*tag;
	struct fcvi_region		region;
	struct page			*page;
};

/* Every reliability level, for KUNIT_ARRAY_PARAM() */
extern const u8 test_levels[3];

void test_level_desc(const u8 *level, char *desc);
u8 test_level(const struct kunit *test);
struct test_rx *test_rx(struct kunit *test, u8 level, bool ordered);
struct test_rx *test_rx_pending(struct kunit *test, u8 level, bool ordered);
void test_rx_connect(struct test_rx *t);
void test_rx_end(struct test_rx *t);
void test_rx_expect(struct test_rx *t, const char *log);
void test_rx_expect_by(struct test_rx *t, const char *ud, const char *rd, const char *rr);
void test_rx_again(struct test_rx *t);
void test_unregister(struct test_rx *t);
struct test_desc *test_post(struct test_rx *t, u32 len);
struct fcvi_iu test_iu(const struct test_rx *t, u8 opcode, u32 msg_id, u32 len);
struct fcvi_mx *test_begin(struct test_rx *t, const struct fcvi_iu *iu);
void test_frame(struct test_rx *t, struct fcvi_mx *mx, const struct fcvi_iu *iu, u32 offset,
		u32 len, u8 flags);
void test_alone(struct test_rx *t, const struct fcvi_iu *iu);
void test_mx_over(struct test_rx *t, struct fcvi_mx *mx, int err);
void test_message(struct test_rx *t, const struct fcvi_iu *iu);
u8 test_byte(const struct fcvi_iu *iu, u32 offset);
void test_has(struct test_rx *t, const struct fcvi_iu *iu, const u8 *buf);
u8 *test_memory(struct test_rx *t);
u64 test_stat(const struct test_rx *t, enum fcvi_msg_stat stat);
void test_seed(struct kunit *test, struct rnd_state *rnd);

#endif
