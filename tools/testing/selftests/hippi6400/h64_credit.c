// SPDX-License-Identifier: GPL-2.0
/*
 * Credit, HIPPI-6400-PH 4.7.
 */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/sockios.h>

#include "kselftest_harness.h"

#include "link.h"

#define SHORT	8	/* payload of a Message of one micropacket */

FIXTURE(credit)
{
	struct link link;
	int frames[VCS];
};

FIXTURE_SETUP(credit)
{
	unsigned int vc;

	ASSERT_TRUE(link_open(&self->link, NULL, 0));
	for (vc = 0; vc < VCS; vc++) {
		self->frames[vc] = frames_open(&self->link.port, vc);
		ASSERT_LE(0, self->frames[vc]);
	}
}

FIXTURE_TEARDOWN(credit)
{
	unsigned int vc;

	EXPECT_STREQ("", self->link.peer.wrong);
	for (vc = 0; vc < VCS; vc++)
		close(self->frames[vc]);
	link_close(&self->link);
}

static bool send_frames(struct link *link, int fd, unsigned int count, size_t payload)
{
	__u8 frame[1500];
	size_t len;

	while (count--) {
		len = link_frame(link, frame, payload, count);
		if (!frame_send(fd, frame, len))
			return false;
	}
	return true;
}

/* Sends a number of Messages of one micropacket each */
static bool send_messages(struct link *link, unsigned int vc, unsigned int count)
{
	__u8 frame[100];
	size_t len;

	while (count--) {
		len = link_frame(link, frame, SHORT, count);
		if (!peer_send_frame(&link->peer, vc, frame, len))
			return false;
	}
	return true;
}

static bool good_arrives(struct link *link, int fd, unsigned int vc)
{
	__u8 frame[100];
	size_t len = link_frame(link, frame, 20, 99);

	return peer_send_frame(&link->peer, vc, frame, len) && link_delivers(fd, frame, len);
}

static bool drain(int fd)
{
	static __u8 frame[FRAME_MAX];

	while (frame_recv(fd, frame, sizeof(frame), 0) >= 0)
		;
	return true;
}

/* Credits start at zero, and each VC gets room for 504, 63 at a time at most */
TEST_F(credit, first_grants)
{
	struct peer *peer = &self->link.peer;
	unsigned int i, vc;
	struct control c;
	struct upkt upkt;

	ASSERT_TRUE(peer_connect(peer));
	for (vc = 0; vc < VCS; vc++)
		EXPECT_EQ(0, peer->credit[vc]);
	for (i = 0; i < POOL_GRANTS; i++) {
		ASSERT_TRUE(peer_wait(peer, TYPE_CREDIT, &upkt));
		c = control_of(&upkt);
		EXPECT_EQ(CR_MAX, c.cr);
	}
	for (vc = 0; vc < VCS; vc++)
		EXPECT_EQ(POOL, peer->credit[vc]);
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "resets_tx", 1 }, { "inits", 1 },
						  { "vc0_rx_credits_granted", POOL },
						  { "vc0_rx_credits_outstanding", POOL },
						  { "vc1_rx_credits_granted", POOL },
						  { "vc2_rx_credits_granted", POOL },
						  { "vc3_rx_credits_granted", POOL },
						  { "vc3_tx_credits_granted", 1 })));
}

/* A source has no credit until it is granted some */
TEST_F(credit, none_at_first)
{
	struct peer *peer = &self->link.peer;
	unsigned int vc;

	ASSERT_TRUE(link_up(&self->link));
	ASSERT_TRUE(link_mark(&self->link));
	/* Not VC3, which has the credits that peer_settle() costs */
	for (vc = 0; vc < VCS - 1; vc++)
		ASSERT_TRUE(send_frames(&self->link, self->frames[vc], 1, SHORT));
	EXPECT_EQ(0, peer_listen(peer, BRIEF_MS));
	for (vc = 0; vc < VCS - 1; vc++) {
		ASSERT_TRUE(peer_grant(peer, vc, 1));
		while (peer->done < 0)
			ASSERT_TRUE(peer_read(peer, &(struct upkt){}, SOON_MS));
		EXPECT_EQ(vc, peer->done);
		peer->done = -1;
	}
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "vc0_stopped_for_credit", 1 },
						  { "vc1_stopped_for_credit", 1 },
						  { "vc2_stopped_for_credit", 1 })));
}

/* A source without credit for a VC stops only that VC */
TEST_F(credit, stops_alone)
{
	struct peer *peer = &self->link.peer;
	unsigned int vc, i;
	__u8 *frame;

	ASSERT_TRUE(link_up(&self->link));
	ASSERT_TRUE(peer_grant(peer, 0, 30));
	ASSERT_TRUE(peer_grant(peer, 2, 30));
	ASSERT_TRUE(peer_settle(peer));
	ASSERT_TRUE(link_mark(&self->link));
	ASSERT_TRUE(send_frames(&self->link, self->frames[1], 5, 100));
	for (i = 0; i < 5; i++) {
		ASSERT_TRUE(send_frames(&self->link, self->frames[0], 1, 100));
		ASSERT_LT(0, peer_frame(peer, &vc, &frame));
		EXPECT_EQ(0, vc);
		ASSERT_TRUE(send_frames(&self->link, self->frames[2], 1, 100));
		ASSERT_LT(0, peer_frame(peer, &vc, &frame));
		EXPECT_EQ(2, vc);
	}
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "vc0_tx_messages", 5 },
						  { "vc1_tx_messages", 0 }, { "vc1_tx_upkts", 0 },
						  { "vc2_tx_messages", 5 },
						  { "vc0_stopped_for_credit", 0 },
						  { "vc1_stopped_for_credit", 1 },
						  { "vc2_stopped_for_credit", 0 })));
	ASSERT_TRUE(peer_grant(peer, 1, 20));
	for (i = 0; i < 5; i++) {
		ASSERT_LT(0, peer_frame(peer, &vc, &frame));
		EXPECT_EQ(1, vc);
	}
}

/*
 * A far end may withhold credit for as long as it likes: the watchdog of the queues,
 * which waits for 30 s, must not fire
 */
TEST_F_TIMEOUT(credit, kept_for_long, 120)
{
	struct port *port = &self->link.port;
	struct peer *peer = &self->link.peer;
	unsigned int vc, i;
	__u8 *frame;

	/* The test waits longer than the watchdog */
	ASSERT_TRUE(param_set(port, "activity_ms", 20000) && param_set(port, "retry_limit", 4) &&
		    param_set(port, "ack_timeout_ms", 700));
	ASSERT_TRUE(link_up(&self->link));
	ASSERT_TRUE(peer_grant(peer, 0, 30));
	ASSERT_TRUE(peer_settle(peer));
	ASSERT_TRUE(link_mark(&self->link));
	ASSERT_TRUE(send_frames(&self->link, self->frames[1], 5, 100));
	for (i = 0; i < 12; i++) {
		EXPECT_EQ(0, peer_listen(peer, 3000));
		ASSERT_TRUE(peer_say(peer, TYPE_NULL));
	}
	ASSERT_TRUE(send_frames(&self->link, self->frames[0], 1, 100));
	ASSERT_LT(0, peer_frame(peer, &vc, &frame));
	EXPECT_EQ(0, vc);
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "vc0_tx_messages", 1 }, { "vc1_tx_upkts", 0 },
						  { "vc1_stopped_for_credit", 1 },
						  { "tx_timeouts", 0 })));
	ASSERT_TRUE(peer_grant(peer, 1, 20));
	for (i = 0; i < 5; i++) {
		ASSERT_LT(0, peer_frame(peer, &vc, &frame));
		EXPECT_EQ(1, vc);
	}
}

/* Frames that wait in the port count towards the limit of their socket */
static int waiting(int fd)
{
	int bytes;

	return ioctl(fd, SIOCOUTQ, &bytes) ? -1 : bytes;
}

static bool given_up(struct link *link, unsigned int frames)
{
	long long end = now_ms() + SOON_MS;

	while (counter_of(&link->port, "tx_expired") < frames) {
		if (now_ms() > end)
			return false;
		peer_listen(&link->peer, 50);
	}
	return true;
}

/*
 * Frames do not wait that long: the far end cannot pin their memory.  Later frames are
 * dropped at once while there is no credit.  A partly sent Message gets an end, with
 * ERROR.
 */
TEST_F(credit, kept_for_ever)
{
	struct port *port = &self->link.port;
	struct peer *peer = &self->link.peer;
	__u64 expired = counter_of(port, "tx_expired");
	unsigned int vc;
	__u8 *frame;

	ASSERT_TRUE(param_set(port, "tx_wait_ms", 1000));
	ASSERT_TRUE(link_up(&self->link));
	ASSERT_TRUE(peer_grant(peer, 1, 2));
	ASSERT_TRUE(peer_settle(peer));
	ASSERT_TRUE(link_mark(&self->link));
	/* Four micropackets each */
	ASSERT_TRUE(send_frames(&self->link, self->frames[1], 3, 100));
	ASSERT_TRUE(send_frames(&self->link, self->frames[2], 1, 100));
	EXPECT_LT(0, waiting(self->frames[1]));
	EXPECT_LT(0, waiting(self->frames[2]));
	ASSERT_TRUE(given_up(&self->link, expired + 4));
	EXPECT_EQ(0, waiting(self->frames[1]));
	EXPECT_EQ(0, waiting(self->frames[2]));
	ASSERT_TRUE(send_frames(&self->link, self->frames[1], 1, 100));
	EXPECT_EQ(expired + 5, counter_of(port, "tx_expired"));
	EXPECT_EQ(0, waiting(self->frames[1]));

	peer->may_cut = true;
	ASSERT_TRUE(peer_grant(peer, 1, 20));
	ASSERT_TRUE(peer_settle(peer));
	ASSERT_TRUE(param_set(port, "tx_wait_ms", 60000));
	ASSERT_TRUE(send_frames(&self->link, self->frames[1], 1, 100));
	ASSERT_LT(0, peer_frame(peer, &vc, &frame));
	EXPECT_EQ(1, vc);
	EXPECT_EQ(1, peer->cut);
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "tx_expired", 5 }, { "vc1_tx_messages", 1 },
						  { "vc1_tx_upkts", 2 + 1 + 4 },
						  { "vc2_tx_upkts", 0 }, { "tx_timeouts", 0 })));
}

/* As many micropackets as credits, no more and no fewer */
TEST_F(credit, to_the_last)
{
	struct peer *peer = &self->link.peer;
	const unsigned int grants[] = { 1, 5, 63, 2 };
	unsigned int i, total = 0;

	ASSERT_TRUE(link_up(&self->link));
	ASSERT_TRUE(link_mark(&self->link));
	ASSERT_TRUE(send_frames(&self->link, self->frames[2], 3, 1400));
	for (i = 0; i < ARRAY_SIZE(grants); i++) {
		ASSERT_TRUE(peer_grant(peer, 2, grants[i]));
		EXPECT_EQ(grants[i], peer_listen(peer, BRIEF_MS));
		total += grants[i];
		EXPECT_TRUE(link_moved(&self->link, MOVED({ "vc2_tx_credits_granted", total },
							  { "vc2_tx_credits_used", total },
							  { "vc2_tx_credits_outstanding", 0 },
							  { "vc2_tx_upkts", total },
							  { "vc2_stopped_for_credit", i + 2 })));
	}
}

/* Null, Credit-only and link control consume no credit */
TEST_F(credit, not_consumed)
{
	struct peer *peer = &self->link.peer;
	unsigned int i;

	ASSERT_TRUE(link_up(&self->link));
	ASSERT_TRUE(link_mark(&self->link));
	for (i = 0; i < 10; i++) {
		ASSERT_TRUE(peer_say(peer, TYPE_NULL));
		ASSERT_TRUE(peer_say(peer, TYPE_CREDIT));
		ASSERT_TRUE(peer_say(peer, TYPE_RESET_ACK));
		ASSERT_TRUE(peer_say(peer, TYPE_INIT_ACK));
		ASSERT_TRUE(peer_grant(peer, i % VCS, 1));
	}
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "vc0_rx_credits_used", 0 },
						  { "vc0_rx_credits_outstanding", 0 },
						  { "vc1_rx_credits_used", 0 },
						  { "vc1_rx_credits_outstanding", 0 },
						  { "vc2_rx_credits_used", 0 },
						  { "vc2_rx_credits_outstanding", 0 },
						  { "vc3_rx_credits_used", 0 },
						  { "vc3_rx_credits_outstanding", 0 })));
}

/* Header and Data consume one each; the destination grants as it drains */
TEST_F(credit, as_it_drains)
{
	const unsigned int messages = 3 * POOL;
	struct peer *peer = &self->link.peer;
	struct upkt upkt;
	__u64 left;

	ASSERT_TRUE(link_up(&self->link));
	ASSERT_TRUE(link_mark(&self->link));
	/* Without a grant it would wait for credit forever. */
	ASSERT_TRUE(send_messages(&self->link, 2, messages));
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "vc2_rx_messages", messages },
						  { "vc2_rx_upkts", messages },
						  { "vc2_rx_credits_used", messages })));
	/* Both ends agree on the remaining credit once it is granted: most of the room. */
	left = counter_of(&self->link.port, "vc2_rx_credits_outstanding");
	EXPECT_LT(POOL - 2 * CR_MAX, left);
	while (peer->credit[2] != left)
		ASSERT_TRUE(peer_read(peer, &upkt, SOON_MS));
	drain(self->frames[2]);
}

/* Any sequenced micropacket carries credit, for any VC [figure 5] */
TEST_F(credit, in_any_type)
{
	struct peer *peer = &self->link.peer;
	struct upkt upkts[3], null;
	struct control c;
	__u8 frame[100];
	unsigned int i;
	size_t len;

	ASSERT_TRUE(link_up(&self->link));
	ASSERT_TRUE(link_mark(&self->link));
	len = link_frame(&self->link, frame, 70, 1);
	ASSERT_EQ(ARRAY_SIZE(upkts), make_message(upkts, 1, frame, len));
	for (i = 0; i < ARRAY_SIZE(upkts); i++) {
		c = control_of(&upkts[i]);
		c.vcr = i;
		c.cr = 10 + i;
		set_control(&upkts[i], &c);
	}
	ASSERT_TRUE(peer_send_all(peer, upkts, ARRAY_SIZE(upkts)));
	null = outside(TYPE_NULL, SEQ_NONE);
	c = (struct control){ .type = TYPE_NULL, .vcr = 2, .cr = 63 };
	set_control(&null, &c);
	ASSERT_TRUE(peer_send_uncredited(peer, &null));
	EXPECT_TRUE(link_delivers(self->frames[1], frame, len));
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "vc0_tx_credits_granted", 10 },
						  { "vc1_tx_credits_granted", 11 },
						  { "vc2_tx_credits_granted", 12 + 63 })));
}

/*
 * Event: received without credit; only this Message is lost.  The port grants credit
 * again as fast as it drains, except while its window is full of micropackets that the
 * peer does not acknowledge.
 */
TEST_F(credit, none_granted)
{
	struct peer *peer = &self->link.peer;
	struct upkt upkts[3], other;
	unsigned int i, vc;
	__u8 frame[100];
	__u8 *out;
	size_t len;

	ASSERT_TRUE(link_up(&self->link));
	ASSERT_TRUE(peer_grant(peer, 1, WINDOW));
	ASSERT_TRUE(peer_settle(peer));
	peer->accept = false;
	ASSERT_TRUE(link_mark(&self->link));
	ASSERT_TRUE(send_frames(&self->link, self->frames[1], WINDOW, SHORT));
	for (i = 0; i < WINDOW; i++)
		ASSERT_TRUE(peer_wait(peer, TYPE_HEADER, NULL));

	ASSERT_TRUE(send_messages(&self->link, 2, POOL));
	EXPECT_EQ(0, peer->credit[2]);
	len = link_frame(&self->link, frame, SHORT, 1);
	make_message(upkts, 2, frame, len);
	ASSERT_TRUE(peer_send_uncredited(peer, upkts));
	len = link_frame(&self->link, frame, 70, 2);
	make_message(upkts, 2, frame, len);
	for (i = 0; i < ARRAY_SIZE(upkts); i++)
		ASSERT_TRUE(peer_send_uncredited(peer, &upkts[i]));
	while (peer->una != peer->next)
		ASSERT_TRUE(peer_read(peer, &other, SOON_MS));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "no_credit", 4 }, { "rx_no_room", 2 },
						  { "vc2_rx_messages", POOL },
						  { "vc2_rx_upkts", POOL + 4 },
						  { "vc2_rx_credits_used", POOL },
						  { "vc2_rx_credits_granted", 0 },
						  { "vc1_tx_messages", WINDOW })));
	drain(self->frames[2]);

	/* Once acknowledged, the port grants the drained room. */
	peer->accept = true;
	ASSERT_TRUE(peer_say(peer, TYPE_NULL));
	ASSERT_TRUE(peer_say(peer, TYPE_NULL));
	for (i = 0; i < WINDOW; i++)
		ASSERT_LT(0, peer_frame(peer, &vc, &out));
	EXPECT_TRUE(good_arrives(&self->link, self->frames[2], 2));
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "no_credit", 4 }, { "rx_no_room", 2 },
						  { "go_backs", 1 }, { "rexmit_upkts", WINDOW },
						  { "vc2_rx_messages", POOL + 1 },
						  { "vc2_rx_credits_granted", POOL })));
}

/* Event: credit overflow; a source holds 4095 credits of a VC, the excess is ignored */
TEST_F(credit, overflow)
{
	struct peer *peer = &self->link.peer;

	ASSERT_TRUE(link_up(&self->link));
	ASSERT_TRUE(link_mark(&self->link));
	ASSERT_TRUE(peer_grant(peer, 1, 4095));
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "vc1_tx_credits_outstanding", 4095 })));
	ASSERT_TRUE(peer_grant(peer, 1, 1));
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "vc1_tx_credits_outstanding", 4095 },
						  { "credit_overflow", 1 })));
	ASSERT_TRUE(send_frames(&self->link, self->frames[1], 1, SHORT));
	ASSERT_TRUE(peer_wait(peer, TYPE_HEADER, NULL));
	ASSERT_TRUE(peer_grant(peer, 1, 63));
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "vc1_tx_credits_outstanding", 4095 },
						  { "credit_overflow", 2 },
						  { "vc1_tx_credits_used", 1 })));
}

TEST_HARNESS_MAIN
