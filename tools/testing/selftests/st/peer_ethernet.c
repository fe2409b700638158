// SPDX-License-Identifier: GPL-2.0
/*
 * Frames on Ethernet, right and wrong: ST A.3, A.4.1, A.4.2.  For ST_LLP=ethernet.
 */
#include <string.h>
#include <unistd.h>

#include <linux/if_ether.h>
#include <linux/if_packet.h>

#include "kselftest_harness.h"

#include "counters.h"
#include "frame.h"
#include "peer.h"

#define INNER		8	/* bytes of LLC/SNAP, or of the fill */
#define SHORTEST	(INNER + HDR_LEN)
#define PADDING		13

FIXTURE(ethernet)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
	long long illegal_frame;
	long long illegal_length;
	__u8 frame[ETH_FRAME_LEN];
};

FIXTURE_SETUP(ethernet)
{
	ASSERT_EQ(ETHERNET, medium());
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->vc->fd);
	self->illegal_frame = dropped(A, ST_A_DROPS_ILLEGAL_FRAME);
	self->illegal_length = dropped(A, ST_A_DROPS_ILLEGAL_LENGTH);
}

FIXTURE_TEARDOWN(ethernet)
{
	EXPECT_TRUE(logged(self->vc->fd, &self->before, NOTHING));
	EXPECT_TRUE(bench_close(&self->bench));
}

static void set_type(struct _test_data_ethernet *self, unsigned int type)
{
	self->frame[12] = type >> 8;
	self->frame[13] = type & 0xff;
}

/* A Request_State for Slots, which is answered, in a frame with a length */
static void ask(struct _test_data_ethernet *self)
{
	struct op op = vc_to(self->vc, REQUEST_STATE, 0);
	__u8 *bytes = self->frame + ETH_HLEN + INNER;

	memset(self->frame, 0xff, sizeof(self->frame));
	frame_head(ETHERNET, self->frame, sides[A].ula, self->vc->peer->ula, 0, HDR_LEN);
	op.d_id = NO_ID;
	op.sync = ++self->vc->sync;
	op_to_wire(&op, bytes);
	cksum_set(bytes, HDR_LEN);
}

/* The same in a frame with an EtherType */
static void ask_with_ethertype(struct _test_data_ethernet *self)
{
	ask(self);
	set_type(self, ETHERTYPE_ST);
	memset(self->frame + ETH_HLEN, 0, INNER);
}

/* The first bytes of the frame: those of Ethernet and @len more */
static bool send_first(struct _test_data_ethernet *self, size_t len)
{
	return peer_send_frame(self->vc->peer, self->frame, ETH_HLEN, self->frame + ETH_HLEN, len);
}

static bool answered(struct _test_data_ethernet *self, size_t len)
{
	struct op op;

	self->vc->sent++;
	return send_first(self, len) && vc_read(self->vc, REQUEST_STATE_RESPONSE, &op) &&
	       op.sync == self->vc->sync && vc_quiet(self->vc);
}

/*
 * Checks that it is not executed, and that these numbers of frames and operations are counted
 * as illegal
 */
static bool ignored(struct _test_data_ethernet *self, size_t len, int frames, int lengths)
{
	self->illegal_frame += frames;
	self->illegal_length += lengths;
	return send_first(self, len) && vc_quiet(self->vc) &&
	       counter_reaches(dropped, A, ST_A_DROPS_ILLEGAL_FRAME, self->illegal_frame) &&
	       counter_reaches(dropped, A, ST_A_DROPS_ILLEGAL_LENGTH, self->illegal_length);
}

/* A.3: the length counts, and padding behind it does not */
TEST_F(ethernet, padding)
{
	ask(self);
	EXPECT_TRUE(answered(self, SHORTEST));
	ask(self);
	EXPECT_TRUE(answered(self, SHORTEST + 1));
	ask(self);
	EXPECT_TRUE(answered(self, SHORTEST + PADDING));
}

/* A.3: one byte of Data, with a byte of padding, as frames have an even length */
TEST_F(ethernet, padding_of_data)
{
	__u8 *bytes = self->frame + ETH_HLEN + INNER;
	struct vc *vc = self->vc;
	struct op cts, op;
	char in[2];

	ASSERT_TRUE(vc_write(vc, 0x5151, 1, 12, &cts));
	op = vc_stu(vc, &cts, 0, 0, F_LAST);
	frame_head(ETHERNET, self->frame, sides[A].ula, vc->peer->ula, 1, HDR_LEN + 1);
	op_to_wire(&op, bytes);
	bytes[HDR_LEN] = 'x';
	bytes[HDR_LEN + 1] = 'y';
	cksum_set(bytes, HDR_LEN + 1);
	vc->sent++;
	ASSERT_TRUE(send_first(self, SHORTEST + 2));
	EXPECT_EQ(1, recv_record(vc->fd, in, sizeof(in)));
	EXPECT_EQ('x', in[0]);
}

/* A length that is not that of an operation, or longer than the frame */
TEST_F(ethernet, wrong_length)
{
	static const unsigned int too_long[] = { SHORTEST + 1, SHORTEST + 32, ETH_DATA_LEN };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(too_long); i++) {
		ask(self);
		set_type(self, too_long[i]);
		EXPECT_TRUE(ignored(self, SHORTEST, 0, 0));
	}
	/* Truncated: it reaches ST if the LLC/SNAP header is complete */
	for (i = 0; i < SHORTEST; i++) {
		ask(self);
		set_type(self, i);
		EXPECT_TRUE(ignored(self, SHORTEST, 0, i >= INNER));
	}
}

/* A.3: DSAP, SSAP, Ctl, Org and EtherType have to be right */
TEST_F(ethernet, wrong_llc_snap)
{
	unsigned int i;

	for (i = 0; i < INNER; i++) {
		ask(self);
		self->frame[ETH_HLEN + i] ^= 0x10;
		/* The kernel's LLC checks all but SSAP and Ctl */
		EXPECT_TRUE(ignored(self, SHORTEST, i == 1 || i == 2, 0));
	}
}

/* A.4.2, for operations that would fit a length too */
TEST_F(ethernet, ethertype)
{
	ask_with_ethertype(self);
	EXPECT_TRUE(answered(self, SHORTEST));
	/* Padding cannot be told from payload there */
	ask_with_ethertype(self);
	EXPECT_TRUE(ignored(self, SHORTEST + 1, 0, 1));
}

/* A.4.2: each byte of the fill is zero */
TEST_F(ethernet, wrong_fill)
{
	unsigned int i;

	for (i = 0; i < INNER; i++) {
		ask_with_ethertype(self);
		self->frame[ETH_HLEN + i] = 1;
		EXPECT_TRUE(ignored(self, SHORTEST, 1, 0));
	}
	for (i = 0; i < SHORTEST; i++) {
		ask_with_ethertype(self);
		EXPECT_TRUE(ignored(self, i, i < INNER, i >= INNER));
	}
}

/* Frames for other hosts, seen by a promiscuous device, and for groups are ignored */
TEST_F(ethernet, others)
{
	static const __u8 group[] = { 0x01, 0, 0x5e, 0, 0, 1 }, all[] = { [0 ... 5] = 0xff };
	struct packet_mreq mreq = { .mr_ifindex = sides[A].ifindex, .mr_type = PACKET_MR_PROMISC };
	int fd, with_ethertype;

	ASSERT_TRUE(enter(A));
	fd = socket(AF_PACKET, SOCK_RAW, 0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &mreq, sizeof(mreq)));
	for (with_ethertype = 0; with_ethertype < 2; with_ethertype++) {
		void (*make)(struct _test_data_ethernet *self) =
			with_ethertype ? ask_with_ethertype : ask;

		make(self);
		self->frame[5] ^= 1;
		EXPECT_TRUE(ignored(self, SHORTEST, 0, 0));
		make(self);
		memcpy(self->frame, group, sizeof(group));
		EXPECT_TRUE(ignored(self, SHORTEST, 0, 0));
		make(self);
		memcpy(self->frame, all, sizeof(all));
		EXPECT_TRUE(ignored(self, SHORTEST, 0, 0));
		make(self);
		EXPECT_TRUE(answered(self, SHORTEST));
	}
	close(fd);
}

TEST_HARNESS_MAIN
