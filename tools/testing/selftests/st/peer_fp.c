// SPDX-License-Identifier: GPL-2.0
/*
 * HIPPI-FP packets, right and wrong: ST A.2.  For ST_LLP=hippi_fp.
 */
#include <string.h>
#include <unistd.h>

#include <linux/if_ether.h>

#include "kselftest_harness.h"

#include "counters.h"
#include "frame_fp.h"
#include "peer.h"

/* Places in a frame */
#define FP		ETH_HLEN
#define D1_WORDS	(FP + 3)	/* D1_Area_Size and, in the low bits, D2_Offset */
#define D2_SIZE		(FP + 4)
#define D_ULA		(FP + 8)
#define S_ULA		(D_ULA + ETH_ALEN)
#define M_LEN		(S_ULA + ETH_ALEN)
#define LLC_SNAP	(M_LEN + 4)
#define WHOLE		(FP_HEAD_LEN + HDR_LEN)
#define PADDING		64

enum { BIT_P = 0x80, BIT_B = 0x40 };

FIXTURE(fp)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
	long long illegal_frame;
	long long illegal_length;
	__u8 frame[WHOLE + PADDING];
};

FIXTURE_SETUP(fp)
{
	ASSERT_EQ(HIPPI_FP, medium());
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->vc->fd);
	self->illegal_frame = dropped(A, ST_A_DROPS_ILLEGAL_FRAME);
	self->illegal_length = dropped(A, ST_A_DROPS_ILLEGAL_LENGTH);
}

FIXTURE_TEARDOWN(fp)
{
	EXPECT_TRUE(logged(self->vc->fd, &self->before, NOTHING));
	EXPECT_TRUE(bench_close(&self->bench));
}

/* A Request_State for Slots, which is answered */
static void ask(struct _test_data_fp *self)
{
	struct op op = vc_to(self->vc, REQUEST_STATE, 0);

	memset(self->frame, 0xff, sizeof(self->frame));
	fp_head(self->frame, sides[A].ula, self->vc->peer->ula, HDR_LEN);
	op.d_id = NO_ID;
	op.sync = ++self->vc->sync;
	op_to_wire(&op, self->frame + FP_HEAD_LEN);
	cksum_set(self->frame + FP_HEAD_LEN, HDR_LEN);
}

/* Moves what is behind the FP_Header: @len bytes are before it then. */
static void move(struct _test_data_fp *self, size_t len)
{
	memmove(self->frame + D_ULA + len, self->frame + D_ULA, WHOLE - D_ULA);
	memset(self->frame + D_ULA, 0, len);
}

static bool send_first(struct _test_data_fp *self, size_t len)
{
	return peer_send_frame(self->vc->peer, self->frame, ETH_HLEN, self->frame + ETH_HLEN,
			       len - ETH_HLEN);
}

static bool answered(struct _test_data_fp *self, size_t len)
{
	struct op op;

	self->vc->sent++;
	return send_first(self, len) && vc_read(self->vc, REQUEST_STATE_RESPONSE, &op) &&
	       op.sync == self->vc->sync && vc_quiet(self->vc);
}

/* Checks that it is not executed, and that so many are counted as illegal frames and lengths. */
static bool ignored(struct _test_data_fp *self, size_t len, int frames, int lengths)
{
	self->illegal_frame += frames;
	self->illegal_length += lengths;
	return send_first(self, len) && vc_quiet(self->vc) &&
	       counter_reaches(dropped, A, ST_A_DROPS_ILLEGAL_FRAME, self->illegal_frame) &&
	       counter_reaches(dropped, A, ST_A_DROPS_ILLEGAL_LENGTH, self->illegal_length);
}

/* Fill has any length and content; reserved bits are not looked at */
TEST_F(fp, any_fill)
{
	static const size_t fills[] = { 0, 1, 8, 13, PADDING };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fills); i++) {
		ask(self);
		EXPECT_TRUE(answered(self, WHOLE + fills[i]));
	}
	ask(self);
	self->frame[FP + 1] |= 0x3f;
	self->frame[FP + 2] |= 0xf8;
	EXPECT_TRUE(answered(self, WHOLE));
}

/* A.2: no D1_Data_Set, no D2_Offset, no burst boundary */
TEST_F(fp, d1_or_offset)
{
	ask(self);
	self->frame[FP + 1] |= BIT_P;
	EXPECT_TRUE(ignored(self, WHOLE, 1, 0));
	ask(self);
	self->frame[FP + 1] |= BIT_P;
	self->frame[D1_WORDS] = 1 << 3;
	move(self, 8);
	EXPECT_TRUE(ignored(self, WHOLE + 8, 1, 0));
	ask(self);
	self->frame[D1_WORDS] = 1;
	move(self, 1);
	EXPECT_TRUE(ignored(self, WHOLE + 1, 1, 0));
	ask(self);
	self->frame[FP + 1] |= BIT_B;
	EXPECT_TRUE(ignored(self, WHOLE, 1, 0));
}

/* The length is given, is that of an operation, and M_len agrees with it */
TEST_F(fp, lengths)
{
	unsigned int i;

	ask(self);
	memset(self->frame + D2_SIZE, 0xff, 4);
	EXPECT_TRUE(ignored(self, WHOLE, 1, 0));
	for (i = 0; i < 64; i++) {
		ask(self);
		self->frame[D2_SIZE + 3] = i;
		self->frame[M_LEN + 3] = i - 16;
		EXPECT_TRUE(ignored(self, WHOLE, 1, 0));
	}
	/* A.2 is kept; ST has no such operation, 4.2 */
	ask(self);
	self->frame[D2_SIZE + 3]++;
	self->frame[M_LEN + 3]++;
	EXPECT_TRUE(ignored(self, WHOLE + 1, 0, 1));
	for (i = 0; i < 4; i++) {
		ask(self);
		self->frame[M_LEN + i] ^= 1;
		EXPECT_TRUE(ignored(self, WHOLE, 1, 0));
	}
}

TEST_F(fp, wrong_llc_snap)
{
	unsigned int i;

	for (i = 0; i < 8; i++) {
		ask(self);
		self->frame[LLC_SNAP + i] ^= 1;
		EXPECT_TRUE(ignored(self, WHOLE, 1, 0));
	}
}

/* The ULAs are those of the two ports, and the packet is for one */
TEST_F(fp, ulas)
{
	unsigned int i;

	for (i = 0; i < 2 * ETH_ALEN; i++) {
		ask(self);
		self->frame[D_ULA + i] ^= 0x20;
		EXPECT_TRUE(ignored(self, WHOLE, 1, 0));
	}
	ask(self);
	memset(self->frame, 0xff, ETH_ALEN);
	EXPECT_TRUE(ignored(self, WHOLE, 1, 0));
	ask(self);
	EXPECT_TRUE(answered(self, WHOLE));
}

/* What HIPPI-FP drops itself, or gives to others: another ULP-id, a packet that is cut */
TEST_F(fp, not_of_st)
{
	size_t len;

	ask(self);
	self->frame[FP] = 0x0d;
	EXPECT_TRUE(ignored(self, WHOLE, 0, 0));
	for (len = FP; len < WHOLE; len++) {
		ask(self);
		EXPECT_TRUE(ignored(self, len, 0, 0));
	}
	ask(self);
	EXPECT_TRUE(answered(self, WHOLE));
}

TEST_HARNESS_MAIN
