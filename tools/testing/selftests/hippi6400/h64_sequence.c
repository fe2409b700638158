// SPDX-License-Identifier: GPL-2.0
/*
 * Sequence numbers, ACK and retransmission, HIPPI-6400-PH 4.8, and
 * the link CRC, 4.9.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "link.h"

#define VC		1
#define BITS		(8 * UPKT_SIZE)
#define SHORT		8	/* payload of a Message of one micropacket */

FIXTURE(sequence)
{
	struct link link;
	int frames;
};

FIXTURE_SETUP(sequence)
{
	ASSERT_TRUE(link_open(&self->link, NULL, 0));
	ASSERT_TRUE(link_up(&self->link));
	self->frames = frames_open(&self->link.port, VC);
	ASSERT_LE(0, self->frames);
	ASSERT_TRUE(link_mark(&self->link));
}

FIXTURE_TEARDOWN(sequence)
{
	EXPECT_STREQ("", self->link.peer.wrong);
	close(self->frames);
	link_close(&self->link);
}

/* The same with another timer value */
static bool again(struct link *link, int *frames, const char *param, unsigned int value)
{
	close(*frames);
	link_close(link);
	if (!link_open(link, param, value) || !link_up(link))
		return false;
	*frames = frames_open(&link->port, VC);
	return *frames >= 0 && link_mark(link);
}

/* Frames from the stack, of a given number of micropackets each */
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

/* Reads until a number of sequenced micropackets has arrived. */
static bool read_sequenced(struct peer *peer, struct upkt *upkts, unsigned int count)
{
	long long end = now_ms() + SOON_MS;
	unsigned int done = 0;
	struct control c;

	while (done < count) {
		if (!peer_read(peer, &upkts[done], 100)) {
			if (now_ms() < end)
				continue;
			fprintf(stderr, "# %u sequenced micropackets in %d ms, expected %u\n",
				done, SOON_MS, count);
			return false;
		}
		c = control_of(&upkts[done]);
		done += is_sequenced(&c);
	}
	return true;
}

/* A Null with any RSEQ */
static bool say_rseq(struct peer *peer, __u8 rseq)
{
	struct upkt upkt = outside(TYPE_NULL, rseq);

	seal(&upkt);
	return peer_write(peer, &upkt, 1);
}

/* The next Message of one micropacket, not sent */
static struct upkt next_message(struct link *link, __u8 *frame, size_t *len, unsigned int number)
{
	struct control c;
	struct upkt upkt;

	*len = link_frame(link, frame, SHORT, number);
	make_message(&upkt, VC, frame, *len);
	c = control_of(&upkt);
	c.tseq = link->peer.next;
	c.rseq = link->peer.rseq;
	set_control(&upkt, &c);
	seal(&upkt);
	return upkt;
}

/* A good Message arrives, and nothing before it. */
static bool good_arrives(struct link *link, int fd)
{
	__u8 frame[100];
	size_t len = link_frame(link, frame, 20, 99);

	return peer_send_frame(&link->peer, VC, frame, len) && link_delivers(fd, frame, len) &&
	       peer_settle(&link->peer);
}

/* Checks that a copy equals the original except RSEQ and LCRC. */
static bool is_copy(const struct upkt *first, const struct upkt *copy, __u8 rseq)
{
	struct upkt expected = *first;
	struct control c = control_of(first);

	c.rseq = rseq;
	set_control(&expected, &c);
	seal(&expected);
	if (!memcmp(&expected, copy, sizeof(expected)))
		return true;
	print_upkt("expected", &expected);
	print_upkt("found", copy);
	return false;
}

/* 4.8: TSEQ counts 0 to 254 and wraps; the peer checks each TSEQ */
TEST_F(sequence, tseq_wraps)
{
	struct peer *peer = &self->link.peer;
	static struct upkt upkts[300];
	unsigned int i, wraps = 0;

	ASSERT_TRUE(peer_grant(peer, VC, ARRAY_SIZE(upkts)));
	ASSERT_TRUE(send_frames(&self->link, self->frames, ARRAY_SIZE(upkts), SHORT));
	ASSERT_TRUE(read_sequenced(peer, upkts, ARRAY_SIZE(upkts)));
	for (i = 1; i < ARRAY_SIZE(upkts); i++) {
		if (control_of(&upkts[i]).tseq)
			continue;
		EXPECT_EQ(254, control_of(&upkts[i - 1]).tseq);
		wraps++;
	}
	EXPECT_LE(1, wraps);
	EXPECT_EQ(0, peer->repeats);
	EXPECT_TRUE(link_moved(&self->link, NOTHING));
}

/* 4.8: the same in the other direction; accepted Messages are delivered once, in order */
TEST_F(sequence, tseq_wraps_inward)
{
	struct link *link = &self->link;
	__u8 frame[100];
	unsigned int i;
	size_t len;

	for (i = 0; i < 300; i++) {
		len = link_frame(link, frame, SHORT, i);
		ASSERT_TRUE(peer_send_frame(&link->peer, VC, frame, len));
		ASSERT_TRUE(link_delivers(self->frames, frame, len));
	}
	EXPECT_TRUE(link_moved(link, MOVED({ "vc1_rx_messages", 300 })));
}

/* 4.8: accepted micropackets are acknowledged, by a Null if nothing else is sent */
TEST_F(sequence, acknowledges)
{
	struct peer *peer = &self->link.peer;
	struct upkt upkt;
	__u8 frame[100];
	size_t len;

	len = link_frame(&self->link, frame, SHORT, 1);
	ASSERT_TRUE(peer_send_frame(peer, VC, frame, len));
	do {
		ASSERT_TRUE(peer_read(peer, &upkt, SOON_MS));
		EXPECT_EQ(TYPE_NULL, control_of(&upkt).type);
	} while (peer->una != peer->next);
	EXPECT_EQ((peer->next + SEQ_MOD - 1) % SEQ_MOD, control_of(&upkt).rseq);
}

/* 4.8: every micropacket carries the newest RSEQ */
TEST_F(sequence, rseq_everywhere)
{
	struct peer *peer = &self->link.peer;
	__u8 newest, frame[100];
	struct upkt upkts[12];
	unsigned int i;
	size_t len;

	len = link_frame(&self->link, frame, SHORT, 1);
	ASSERT_TRUE(peer_send_frame(peer, VC, frame, len));
	ASSERT_TRUE(peer_grant(peer, VC, 100));
	ASSERT_TRUE(peer_settle(peer));
	newest = (peer->next + SEQ_MOD - 1) % SEQ_MOD;
	ASSERT_TRUE(send_frames(&self->link, self->frames, 2, 150));
	ASSERT_TRUE(read_sequenced(peer, upkts, ARRAY_SIZE(upkts)));
	for (i = 0; i < ARRAY_SIZE(upkts); i++)
		EXPECT_EQ(newest, control_of(&upkts[i]).rseq);
}

/* 4.8: at most 254 are unacknowledged, and an ACK makes room for as many as it covers */
TEST_F(sequence, window)
{
	struct peer *peer = &self->link.peer;
	struct upkt upkts[WINDOW], one;

	ASSERT_TRUE(peer_grant(peer, VC, WINDOW + 50));
	ASSERT_TRUE(peer_settle(peer));
	peer->ack = false;
	ASSERT_TRUE(send_frames(&self->link, self->frames, WINDOW + 50, SHORT));
	ASSERT_TRUE(read_sequenced(peer, upkts, WINDOW));
	EXPECT_EQ(0, peer_listen(peer, BRIEF_MS));
	ASSERT_TRUE(say_rseq(peer, control_of(&upkts[0]).tseq));
	ASSERT_TRUE(read_sequenced(peer, &one, 1));
	EXPECT_EQ(0, peer_listen(peer, BRIEF_MS));
	ASSERT_TRUE(say_rseq(peer, control_of(&upkts[9]).tseq));
	ASSERT_TRUE(read_sequenced(peer, upkts, 9));
	EXPECT_EQ(0, peer_listen(peer, BRIEF_MS));
	peer->ack = true;
	ASSERT_TRUE(read_sequenced(peer, upkts, 40));
	EXPECT_EQ(0, peer->repeats);
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "vc1_tx_messages", WINDOW + 50 },
						  { "vc1_tx_upkts", WINDOW + 50 })));
}

/* Events: ACK timeout, retransmission; the copies equal the originals */
TEST_F(sequence, ack_timeout)
{
	const unsigned int ack_timeout_ms = 2000;
	struct peer *peer = &self->link.peer;
	struct upkt first[6], copies[6];
	long long start;
	unsigned int i;

	ASSERT_TRUE(again(&self->link, &self->frames, "ack_timeout_ms", ack_timeout_ms));
	ASSERT_TRUE(peer_grant(peer, VC, 20));
	ASSERT_TRUE(peer_settle(peer));
	peer->ack = false;
	start = now_ms();
	ASSERT_TRUE(send_frames(&self->link, self->frames, 3, SHORT + 1));
	ASSERT_TRUE(read_sequenced(peer, first, 6));
	ASSERT_TRUE(read_sequenced(peer, copies, 6));
	EXPECT_LE(ack_timeout_ms, now_ms() - start);
	EXPECT_EQ(6, peer->repeats);
	for (i = 0; i < 6; i++)
		EXPECT_TRUE(is_copy(&first[i], &copies[i], control_of(&first[i]).rseq));
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "ack_timeouts", 1 }, { "go_backs", 1 },
						  { "rexmit_upkts", 6 }, { "vc1_tx_upkts", 6 },
						  { "vc1_tx_credits_used", 6 },
						  { "vc1_tx_messages", 3 })));
}

/*
 * Event: retransmission, requested by Nulls that repeat an RSEQ.  In the copies
 * only RSEQ and LCRC are new.
 */
TEST_F(sequence, repeated_rseq)
{
	struct peer *peer = &self->link.peer;
	struct upkt first[6], copies[6];
	__u8 frame[100], old, new;
	unsigned int i;
	size_t len;

	ASSERT_TRUE(peer_grant(peer, VC, 20));
	ASSERT_TRUE(peer_settle(peer));
	/* As if the first six had not arrived */
	peer->accept = false;
	ASSERT_TRUE(send_frames(&self->link, self->frames, 3, SHORT + 1));
	ASSERT_TRUE(read_sequenced(peer, first, 6));
	old = control_of(&first[0]).rseq;
	/* Another Message, so that the port has a new RSEQ */
	len = link_frame(&self->link, frame, SHORT, 1);
	ASSERT_TRUE(peer_send_frame(peer, VC, frame, len));
	while (peer->una != peer->next)
		ASSERT_TRUE(peer_read(peer, &copies[0], SOON_MS));
	new = peer->last_rseq;
	EXPECT_NE(old, new);

	/* One Null may cross newer micropackets; the second in a row counts. */
	ASSERT_TRUE(peer_say(peer, TYPE_NULL));
	EXPECT_EQ(0, peer_listen(peer, BRIEF_MS));
	EXPECT_TRUE(link_moved(&self->link, NOTHING));
	peer->accept = true;
	ASSERT_TRUE(peer_say(peer, TYPE_NULL));
	ASSERT_TRUE(read_sequenced(peer, copies, 6));
	for (i = 0; i < 6; i++)
		EXPECT_TRUE(is_copy(&first[i], &copies[i], new));
	EXPECT_TRUE(link_delivers(self->frames, frame, len));
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_EQ(0, peer->repeats);
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "go_backs", 1 }, { "rexmit_upkts", 6 })));
}

/* 4.8: only micropackets after RSEQ are sent again */
TEST_F(sequence, partly_acknowledged)
{
	struct peer *peer = &self->link.peer;
	struct upkt first[6], copies[4];
	__u8 rseq;
	unsigned int i;

	ASSERT_TRUE(peer_grant(peer, VC, 20));
	ASSERT_TRUE(peer_settle(peer));
	peer->ack = false;
	ASSERT_TRUE(send_frames(&self->link, self->frames, 3, SHORT + 1));
	ASSERT_TRUE(read_sequenced(peer, first, 6));
	rseq = control_of(&first[1]).tseq;
	for (i = 0; i < 3; i++)
		ASSERT_TRUE(say_rseq(peer, rseq));
	ASSERT_TRUE(read_sequenced(peer, copies, 4));
	for (i = 0; i < 4; i++)
		EXPECT_TRUE(is_copy(&first[i + 2], &copies[i], control_of(&first[0]).rseq));
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_EQ(4, peer->repeats);
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "go_backs", 1 }, { "rexmit_upkts", 4 })));
}

/*
 * Event: retry limit; after 16 unsuccessful go-backs the link is reset.  The
 * unacknowledged Message has credit for its Header only.
 */
TEST_F(sequence, retry_limit)
{
	struct peer *peer = &self->link.peer;
	struct upkt upkts[17];
	unsigned int i;

	ASSERT_TRUE(again(&self->link, &self->frames, "ack_timeout_ms", 10));
	ASSERT_TRUE(peer_grant(peer, VC, 1));
	ASSERT_TRUE(peer_settle(peer));
	ASSERT_TRUE(peer_settle(peer));
	peer->accept = false;
	ASSERT_TRUE(link_mark(&self->link));
	ASSERT_TRUE(send_frames(&self->link, self->frames, 1, SHORT + 1));
	ASSERT_TRUE(read_sequenced(peer, upkts, ARRAY_SIZE(upkts)));
	for (i = 1; i < ARRAY_SIZE(upkts); i++)
		EXPECT_TRUE(is_copy(&upkts[0], &upkts[i], control_of(&upkts[0]).rseq));
	ASSERT_TRUE(peer_wait(peer, TYPE_RESET, NULL));
	EXPECT_FALSE(port_has_carrier(&self->link.port));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "go_backs", 16 }, { "rexmit_upkts", 16 },
						  { "ack_timeouts", 17 }, { "retry_limits", 1 },
						  { "resets_tx", 1 }, { "tx_lost", 1 })));
}

/* Event: LCRC error; any single bit error is detected, and nothing of the micropacket is used */
TEST_F(sequence, each_bit)
{
	struct peer *peer = &self->link.peer;
	struct upkt good, bad;
	unsigned int bit;
	__u8 frame[100];
	size_t len;

	good = next_message(&self->link, frame, &len, 1);
	for (bit = 0; bit < BITS; bit++) {
		bad = good;
		bad.byte[bit / 8] ^= 1 << bit % 8;
		ASSERT_TRUE(peer_write(peer, &bad, 1));
	}
	ASSERT_TRUE(peer_send(peer, &good));
	EXPECT_TRUE(link_delivers(self->frames, frame, len));
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "lcrc_errors", BITS }, { "vc1_rx_messages", 1 },
						  { "vc1_rx_upkts", 1 },
						  { "vc1_rx_credits_used", 1 })));
}

/* Event: LCRC error in a Message; a go-back is requested at once, and the Message arrives once */
TEST_F(sequence, damaged)
{
	struct peer *peer = &self->link.peer;
	struct upkt upkts[4], bad;
	unsigned int nulls, count;
	__u8 frame[200], rseq;
	struct control c;
	size_t len;

	len = link_frame(&self->link, frame, 100, 1);
	count = make_message(upkts, VC, frame, len);
	ASSERT_EQ(4, count);
	ASSERT_TRUE(peer_send_all(peer, upkts, 2));
	while (peer->una != peer->next)
		ASSERT_TRUE(peer_read(peer, &bad, SOON_MS));
	rseq = peer->last_rseq;
	nulls = peer->nulls;

	bad = upkts[2];
	c = control_of(&bad);
	c.tseq = peer->next;
	c.rseq = peer->rseq;
	set_control(&bad, &c);
	seal(&bad);
	bad.byte[7] ^= 0x10;
	ASSERT_TRUE(peer_write(peer, &bad, 1));
	/* Two Nulls in a row that repeat the RSEQ */
	while (peer->nulls < nulls + 2) {
		ASSERT_TRUE(peer_read(peer, &bad, SOON_MS));
		EXPECT_EQ(rseq, control_of(&bad).rseq);
	}
	ASSERT_TRUE(peer_send_all(peer, upkts + 2, 2));
	EXPECT_TRUE(link_delivers(self->frames, frame, len));
	EXPECT_TRUE(good_arrives(&self->link, self->frames));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "lcrc_errors", 1 },
						  { "vc1_rx_messages", 2 })));
}

/* Event: out of sequence, after a gap; the gap is reported */
TEST_F(sequence, gap)
{
	struct peer *peer = &self->link.peer;
	struct upkt lost, next, upkt;
	__u8 frame[100], frame2[100];
	unsigned int nulls;
	struct control c;
	size_t len;
	__u8 rseq;

	lost = next_message(&self->link, frame, &len, 1);
	next = next_message(&self->link, frame2, &len, 2);
	c = control_of(&next);
	c.tseq = (c.tseq + 1) % SEQ_MOD;
	set_control(&next, &c);
	seal(&next);
	rseq = peer->last_rseq;
	nulls = peer->nulls;
	ASSERT_TRUE(peer_write(peer, &next, 1));
	while (peer->nulls < nulls + 2) {
		ASSERT_TRUE(peer_read(peer, &upkt, SOON_MS));
		EXPECT_EQ(rseq, control_of(&upkt).rseq);
	}
	ASSERT_TRUE(peer_send(peer, &lost));
	ASSERT_TRUE(peer_send(peer, &next));
	EXPECT_TRUE(link_delivers(self->frames, frame, len));
	EXPECT_TRUE(link_delivers(self->frames, frame2, len));
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "out_of_sequence", 1 },
						  { "vc1_rx_messages", 2 },
						  { "vc1_rx_credits_used", 2 })));
}

/* Event: out of sequence, after a gap of more than half a window; it is reported, too */
TEST_F(sequence, far_gap)
{
	struct peer *peer = &self->link.peer;
	struct upkt next, upkt;
	unsigned int nulls;
	__u8 frame[100], rseq;
	struct control c;
	size_t len;

	next = next_message(&self->link, frame, &len, 1);
	c = control_of(&next);
	c.tseq = (c.tseq + 200) % SEQ_MOD;
	set_control(&next, &c);
	seal(&next);
	rseq = peer->last_rseq;
	nulls = peer->nulls;
	ASSERT_TRUE(peer_write(peer, &next, 1));
	while (peer->nulls < nulls + 2) {
		ASSERT_TRUE(peer_read(peer, &upkt, SOON_MS));
		EXPECT_EQ(rseq, control_of(&upkt).rseq);
	}
	EXPECT_TRUE(good_arrives(&self->link, self->frames));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "out_of_sequence", 1 },
						  { "vc1_rx_messages", 1 })));
}

/* Event: out of sequence, a duplicate; it is used once, and acknowledged again */
TEST_F(sequence, duplicate)
{
	struct peer *peer = &self->link.peer;
	__u8 frame[100], rseq;
	struct upkt upkt;
	size_t len;

	upkt = next_message(&self->link, frame, &len, 1);
	ASSERT_TRUE(peer_send(peer, &upkt));
	EXPECT_TRUE(link_delivers(self->frames, frame, len));
	rseq = control_of(&upkt).tseq;
	while (peer->last_rseq != rseq)
		ASSERT_TRUE(peer_read(peer, &(struct upkt){}, SOON_MS));
	ASSERT_TRUE(peer_write(peer, &upkt, 1));
	peer->nulls = 0;
	while (!peer->nulls)
		ASSERT_TRUE(peer_read(peer, &(struct upkt){}, SOON_MS));
	EXPECT_EQ(rseq, peer->last_rseq);
	EXPECT_TRUE(good_arrives(&self->link, self->frames));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "out_of_sequence", 1 },
						  { "vc1_rx_messages", 2 }, { "vc1_rx_upkts", 3 },
						  { "vc1_rx_credits_used", 3 })));
}

/* 4.8: a credit update is applied once, when its micropacket is accepted in order */
TEST_F(sequence, duplicate_credit)
{
	const struct control c = { .vc = 2, .type = TYPE_CREDIT, .vcr = 2, .cr = 11 };
	struct upkt upkt = outside(TYPE_CREDIT, SEQ_NONE);
	struct peer *peer = &self->link.peer;

	set_control(&upkt, &c);
	ASSERT_TRUE(peer_send_uncredited(peer, &upkt));
	ASSERT_TRUE(peer_write(peer, &upkt, 1));
	ASSERT_TRUE(peer_write(peer, &upkt, 1));
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "out_of_sequence", 2 },
						  { "vc2_tx_credits_granted", 11 },
						  { "vc2_tx_credits_outstanding", 11 })));
}

/* Event: out of sequence; x'FF' is no sequence number */
TEST_F(sequence, no_number)
{
	struct peer *peer = &self->link.peer;
	struct control c;
	struct upkt upkt;
	__u8 frame[100];
	size_t len;

	upkt = next_message(&self->link, frame, &len, 1);
	c = control_of(&upkt);
	c.tseq = SEQ_NONE;
	set_control(&upkt, &c);
	seal(&upkt);
	ASSERT_TRUE(peer_write(peer, &upkt, 1));
	EXPECT_TRUE(good_arrives(&self->link, self->frames));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "out_of_sequence", 1 },
						  { "vc1_rx_messages", 1 })));
}

/* Event: RSEQ of an unsent micropacket, and x'FF' after an ACK; both are ignored */
TEST_F(sequence, bad_rseq)
{
	struct peer *peer = &self->link.peer;
	unsigned int i;

	for (i = 0; i < 100; i++)
		ASSERT_TRUE(say_rseq(peer, (peer->expect + i) % SEQ_MOD));
	ASSERT_TRUE(say_rseq(peer, SEQ_NONE));
	EXPECT_TRUE(good_arrives(&self->link, self->frames));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "bad_rseq", 101 })));
	/* The port still keeps its unacknowledged micropackets. */
	ASSERT_TRUE(peer_grant(peer, VC, 1));
	ASSERT_TRUE(send_frames(&self->link, self->frames, 1, SHORT));
	ASSERT_TRUE(read_sequenced(peer, &(struct upkt){}, 1));
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "bad_rseq", 101 })));
}

/* Event: reserved TYPE */
TEST_F(sequence, reserved_type)
{
	static const __u8 reserved[] = { 5, 6, 7, 12, 13, 14, 15 };
	struct peer *peer = &self->link.peer;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(reserved); i++)
		ASSERT_TRUE(peer_say(peer, reserved[i]));
	EXPECT_TRUE(good_arrives(&self->link, self->frames));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "reserved_type", ARRAY_SIZE(reserved) },
						  { "vc1_rx_messages", 1 })));
}

/* Event: reserved TYPE; with credit it is sequenced nevertheless */
TEST_F(sequence, reserved_type_with_credit)
{
	const struct control c = { .type = 5, .vcr = 2, .cr = 7 };
	struct peer *peer = &self->link.peer;
	struct upkt upkt = outside(5, SEQ_NONE);

	set_control(&upkt, &c);
	ASSERT_TRUE(peer_send_uncredited(peer, &upkt));
	EXPECT_TRUE(good_arrives(&self->link, self->frames));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "reserved_type", 1 },
						  { "vc2_tx_credits_granted", 7 },
						  { "vc1_rx_messages", 1 })));
}

/* Event: ECRC error outside any Message [4.9]; the control bits are used */
TEST_F(sequence, ecrc_outside)
{
	const struct control c = { .vc = 2, .type = TYPE_CREDIT, .vcr = 2, .cr = 7 };
	struct upkt null = outside(TYPE_NULL, self->link.peer.rseq);
	struct upkt credit = outside(TYPE_CREDIT, SEQ_NONE);
	struct peer *peer = &self->link.peer;

	set_ecrc(&null, get_ecrc(&null) ^ 0x8000);
	seal(&null);
	ASSERT_TRUE(peer_write(peer, &null, 1));
	set_control(&credit, &c);
	credit.byte[31] = 1;
	ASSERT_TRUE(peer_send_uncredited(peer, &credit));
	EXPECT_TRUE(good_arrives(&self->link, self->frames));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "ecrc_errors", 2 },
						  { "vc2_tx_credits_granted", 7 },
						  { "vc1_rx_messages", 1 })));
}

TEST_HARNESS_MAIN
