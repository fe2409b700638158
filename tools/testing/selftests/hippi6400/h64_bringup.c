// SPDX-License-Identifier: GPL-2.0
/*
 * Link bring-up, Reset, activity and hold-off, HIPPI-6400-PH 12 and 13.
 */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "link.h"

/* Checks that the 32 data bytes are zero, and the control bits as stored. */
static bool is_control(const struct upkt *upkt, const char *hex)
{
	char text[2 * UPKT_SIZE + 1];
	unsigned int i;

	for (i = 0; i < UPKT_SIZE; i++)
		sprintf(text + 2 * i, "%02x", upkt->byte[i]);
	if (strspn(text, "0") >= 2 * UPKT_DATA && !strcmp(text + 2 * UPKT_DATA, hex))
		return true;
	fprintf(stderr, "# %s, expected zeros and %s\n", text, hex);
	return false;
}

static bool closes_and_opens(struct link *link, const char *param, unsigned int value)
{
	link_close(link);
	return link_open(link, param, value);
}

/* Checks that no sequenced micropacket and no link control arrives. */
static bool says_nothing(struct peer *peer)
{
	struct upkt upkt;

	if (!peer_read(peer, &upkt, BRIEF_MS))
		return true;
	print_upkt("expected nothing", &upkt);
	return false;
}

FIXTURE(bring_up)
{
	struct link link;
};

FIXTURE_SETUP(bring_up)
{
	ASSERT_TRUE(link_open(&self->link, NULL, 0));
}

FIXTURE_TEARDOWN(bring_up)
{
	EXPECT_STREQ("", self->link.peer.wrong);
	link_close(&self->link);
}

/* Link bring-up [12]: the four link control micropackets, byte by byte */
TEST_F(bring_up, bytes)
{
	struct peer *peer = &self->link.peer;
	struct upkt upkt;

	ASSERT_TRUE(peer_wait(peer, TYPE_RESET, &upkt));
	EXPECT_TRUE(is_control(&upkt, "2000ffff4cf149d1"));
	ASSERT_TRUE(peer_say(peer, TYPE_RESET));
	ASSERT_TRUE(peer_wait(peer, TYPE_RESET_ACK, &upkt));
	EXPECT_TRUE(is_control(&upkt, "2400ffff4cf13f2f"));
	ASSERT_TRUE(peer_say(peer, TYPE_RESET_ACK));
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT, &upkt));
	EXPECT_TRUE(is_control(&upkt, "2800ffff4cf1ae3d"));
	peer->open = true;
	ASSERT_TRUE(peer_say(peer, TYPE_INIT));
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT_ACK, &upkt));
	EXPECT_TRUE(is_control(&upkt, "2c00ffff4cf1d8c3"));
	EXPECT_FALSE(port_has_carrier(&self->link.port));
	ASSERT_TRUE(peer_say(peer, TYPE_INIT_ACK));
	EXPECT_TRUE(peer_carrier(peer, &self->link.port, true));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "resets_tx", 1 }, { "resets_rx", 1 },
						  { "inits", 1 })));
}

/* Link bring-up [12]: Reset is sent until Reset_ACK */
TEST_F(bring_up, reset_repeats)
{
	struct peer *peer = &self->link.peer;
	const unsigned int retry_ms = 50, times = 20;
	long long start = now_ms();
	unsigned int i;

	ASSERT_TRUE(closes_and_opens(&self->link, "retry_ms", retry_ms));
	for (i = 0; i < times; i++)
		ASSERT_TRUE(peer_wait(peer, TYPE_RESET, NULL));
	EXPECT_LE((times - 1) * retry_ms, now_ms() - start);
	ASSERT_TRUE(peer_say(peer, TYPE_RESET_ACK));
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT, NULL));
}

/* Link bring-up [12]: Initialize is sent until Initialize_ACK */
TEST_F(bring_up, initialize_repeats)
{
	struct peer *peer = &self->link.peer;
	const unsigned int retry_ms = 50, times = 20;
	unsigned int i, more = 0;
	struct upkt upkt;
	long long start;

	ASSERT_TRUE(closes_and_opens(&self->link, "retry_ms", retry_ms));
	ASSERT_TRUE(peer_wait(peer, TYPE_RESET, NULL));
	start = now_ms();
	ASSERT_TRUE(peer_say(peer, TYPE_RESET_ACK));
	for (i = 0; i < times; i++)
		ASSERT_TRUE(peer_wait(peer, TYPE_INIT, NULL));
	EXPECT_LE((times - 1) * retry_ms, now_ms() - start);
	ASSERT_TRUE(peer_say(peer, TYPE_INIT_ACK));
	/* It still waits for the far end's Initialize, and repeats its own. */
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT, NULL));
	EXPECT_FALSE(port_has_carrier(&self->link.port));
	peer->open = true;
	ASSERT_TRUE(peer_say(peer, TYPE_INIT));
	ASSERT_TRUE(peer_carrier(peer, &self->link.port, true));
	/* At most one more was in flight. */
	while (peer_read(peer, &upkt, 4 * retry_ms))
		more += control_of(&upkt).type == TYPE_INIT;
	EXPECT_GE(1, more);
}

/* Link bring-up [12]: Initialize without an answer ends in Reset */
TEST_F(bring_up, initialize_gives_up)
{
	struct peer *peer = &self->link.peer;

	ASSERT_TRUE(closes_and_opens(&self->link, "activity_ms", 500));
	ASSERT_TRUE(peer_wait(peer, TYPE_RESET, NULL));
	ASSERT_TRUE(peer_say(peer, TYPE_RESET_ACK));
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT, NULL));
	ASSERT_TRUE(peer_wait(peer, TYPE_RESET, NULL));
}

/* Link bring-up [12]: Initialize has no effect before Reset_ACK */
TEST_F(bring_up, initialize_too_early)
{
	struct peer *peer = &self->link.peer;

	ASSERT_TRUE(peer_wait(peer, TYPE_RESET, NULL));
	ASSERT_TRUE(peer_say(peer, TYPE_INIT));
	ASSERT_TRUE(peer_say(peer, TYPE_INIT_ACK));
	EXPECT_TRUE(says_nothing(peer));
	ASSERT_TRUE(peer_say(peer, TYPE_RESET_ACK));
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT, NULL));
	EXPECT_FALSE(port_has_carrier(&self->link.port));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "resets_tx", 1 })));
}

/* Link bring-up [12]: both Initializes have to be answered, in any order */
TEST_F(bring_up, both_initialize)
{
	struct peer *peer = &self->link.peer;

	ASSERT_TRUE(peer_wait(peer, TYPE_RESET, NULL));
	ASSERT_TRUE(peer_say(peer, TYPE_RESET_ACK));
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT, NULL));
	ASSERT_TRUE(peer_say(peer, TYPE_INIT_ACK));
	EXPECT_TRUE(says_nothing(peer));
	EXPECT_FALSE(port_has_carrier(&self->link.port));
	peer->open = true;
	ASSERT_TRUE(peer_say(peer, TYPE_INIT));
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT_ACK, NULL));
	EXPECT_TRUE(peer_carrier(peer, &self->link.port, true));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "resets_tx", 1 }, { "inits", 1 })));
}

/* Link bring-up [12]: a repeated Initialize is answered again */
TEST_F(bring_up, initialize_again)
{
	struct peer *peer = &self->link.peer;

	ASSERT_TRUE(peer_connect(peer));
	ASSERT_TRUE(peer_say(peer, TYPE_INIT));
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT_ACK, NULL));
	EXPECT_TRUE(port_has_carrier(&self->link.port));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "resets_tx", 1 }, { "inits", 1 })));
}

/* Link bring-up [12]: Initialize during a sequence restarts the bring-up */
TEST_F(bring_up, initialize_in_traffic)
{
	struct peer *peer = &self->link.peer;

	ASSERT_TRUE(link_up(&self->link));
	ASSERT_TRUE(peer_say(peer, TYPE_INIT));
	EXPECT_TRUE(peer_bring_up(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "resets_tx", 2 }, { "inits", 2 },
						  { "admin_tx", 2 }, { "admin_rx", 2 })));
}

/* Event: Reset received, while waiting for Reset_ACK */
TEST_F(bring_up, reset_while_resetting)
{
	struct peer *peer = &self->link.peer;

	ASSERT_TRUE(peer_wait(peer, TYPE_RESET, NULL));
	ASSERT_TRUE(peer_reset(peer));
	ASSERT_TRUE(peer_say(peer, TYPE_RESET_ACK));
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT, NULL));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "resets_tx", 1 }, { "resets_rx", 1 })));
}

/* Event: Reset received, while waiting for Initialize_ACK */
TEST_F(bring_up, reset_while_initializing)
{
	struct peer *peer = &self->link.peer;

	ASSERT_TRUE(peer_wait(peer, TYPE_RESET, NULL));
	ASSERT_TRUE(peer_say(peer, TYPE_RESET_ACK));
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT, NULL));
	ASSERT_TRUE(peer_reset(peer));
	/* Next comes another Initialize, possibly after a Reset. */
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT, NULL));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "resets_tx", 1 }, { "resets_rx", 1 })));
}

/* Event: Reset received, which cancels the far end's earlier Initialize */
TEST_F(bring_up, reset_while_half_open)
{
	struct peer *peer = &self->link.peer;

	ASSERT_TRUE(peer_wait(peer, TYPE_RESET, NULL));
	ASSERT_TRUE(peer_say(peer, TYPE_RESET_ACK));
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT, NULL));
	ASSERT_TRUE(peer_say(peer, TYPE_INIT));
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT_ACK, NULL));
	ASSERT_TRUE(peer_reset(peer));
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT, NULL));
	ASSERT_TRUE(peer_say(peer, TYPE_INIT_ACK));
	EXPECT_TRUE(says_nothing(peer));
	EXPECT_FALSE(port_has_carrier(&self->link.port));
	peer->open = true;
	ASSERT_TRUE(peer_say(peer, TYPE_INIT));
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT_ACK, NULL));
	EXPECT_TRUE(peer_carrier(peer, &self->link.port, true));
}

/* Event: Reset received in an up link without traffic */
TEST_F(bring_up, reset_while_idle)
{
	struct peer *peer = &self->link.peer;

	ASSERT_TRUE(link_up(&self->link));
	ASSERT_TRUE(peer_reset(peer));
	/* Everything starts from zero, or the peer would detect an error. */
	EXPECT_TRUE(peer_bring_up(peer));
	EXPECT_TRUE(port_has_carrier(&self->link.port));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "resets_tx", 2 }, { "resets_rx", 1 },
						  { "inits", 2 }, { "admin_tx", 2 },
						  { "admin_rx", 2 })));
}

/*
 * Event: Reset received during Messages in both directions; incomplete Messages
 * are not delivered, but counted
 */
TEST_F(bring_up, reset_in_messages)
{
	struct link *link = &self->link;
	struct peer *peer = &link->peer;
	struct upkt upkts[MESSAGE_MAX];
	__u8 in[1500], out[1500];
	size_t in_len, out_len;
	unsigned int vc;
	__u8 *frame;
	int fd;

	ASSERT_TRUE(link_up(link));
	fd = frames_open(&link->port, 2);
	ASSERT_LE(0, fd);
	in_len = link_frame(link, in, 500, 1);
	out_len = link_frame(link, out, 500, 2);

	/* Two Messages wait to be sent; the first has credit for three micropackets. */
	ASSERT_TRUE(frame_send(fd, out, out_len));
	ASSERT_TRUE(frame_send(fd, out, out_len));
	ASSERT_TRUE(peer_grant(peer, 2, 3));
	ASSERT_EQ(3, peer_listen(peer, BRIEF_MS));
	/* One Message arrives without its end. */
	make_message(upkts, 2, in, in_len);
	ASSERT_TRUE(peer_send_all(peer, upkts, 5));
	ASSERT_TRUE(peer_settle(peer));

	ASSERT_TRUE(link_mark(link));
	ASSERT_TRUE(peer_reset(peer));
	ASSERT_TRUE(peer_bring_up(peer));
	EXPECT_TRUE(link_moved(link, MOVED({ "resets_tx", 1 }, { "resets_rx", 1 }, { "inits", 1 },
					   { "admin_tx", 1 }, { "admin_rx", 1 }, { "rx_lost", 1 },
					   { "tx_lost", 1 }, { "tx_discarded", 1 })));

	ASSERT_TRUE(peer_send_frame(peer, 2, in, in_len));
	EXPECT_TRUE(link_delivers(fd, in, in_len));
	ASSERT_TRUE(peer_grant(peer, 2, 50));
	ASSERT_TRUE(frame_send(fd, out, out_len));
	ASSERT_EQ(out_len, peer_frame(peer, &vc, &frame));
	EXPECT_EQ(0, memcmp(out, frame, out_len));
	close(fd);
}

/* Event: Messages sent but not acknowledged before the Reset */
TEST_F(bring_up, reset_before_ack)
{
	struct link *link = &self->link;
	struct peer *peer = &link->peer;
	unsigned int i, vc;
	__u8 frame[100];
	__u8 *out;
	size_t len;
	int fd;

	ASSERT_TRUE(link_up(link));
	fd = frames_open(&link->port, 1);
	ASSERT_LE(0, fd);
	ASSERT_TRUE(peer_grant(peer, 1, 20));
	ASSERT_TRUE(peer_settle(peer));
	ASSERT_TRUE(link_mark(link));
	peer->ack = false;
	len = link_frame(link, frame, 50, 1);
	for (i = 0; i < 3; i++)
		ASSERT_TRUE(frame_send(fd, frame, len));
	for (i = 0; i < 3; i++)
		ASSERT_EQ(len, peer_frame(peer, &vc, &out));
	/* Not with the newest RSEQ, which would acknowledge them */
	peer->rseq = peer->told;
	ASSERT_TRUE(peer_reset(peer));
	EXPECT_TRUE(link_moved(link, MOVED({ "resets_tx", 1 }, { "resets_rx", 1 },
					   { "tx_unacked", 3 }, { "vc1_tx_messages", 3 })));
	close(fd);
}

/* Event: sequenced micropackets before Initialize */
TEST_F(bring_up, unexpected)
{
	struct peer *peer = &self->link.peer;
	struct upkt upkt;
	__u8 frame[100];
	size_t len;

	len = link_frame(&self->link, frame, 4, 1);
	make_message(&upkt, 1, frame, len);
	seal(&upkt);
	ASSERT_TRUE(peer_wait(peer, TYPE_RESET, NULL));
	ASSERT_TRUE(peer_write(peer, &upkt, 1));
	ASSERT_TRUE(peer_say(peer, TYPE_RESET_ACK));
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT, NULL));
	ASSERT_TRUE(peer_write(peer, &upkt, 1));
	ASSERT_TRUE(peer_write(peer, &upkt, 1));
	/* Nulls are not counted. */
	ASSERT_TRUE(peer_say(peer, TYPE_NULL));
	peer->open = true;
	ASSERT_TRUE(peer_say(peer, TYPE_INIT));
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT_ACK, NULL));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "resets_tx", 1 }, { "unexpected", 3 },
						  { "vc1_rx_messages", 0 },
						  { "vc1_rx_upkts", 0 })));
}

/* Event: activity loss; silence takes the link down, not before its time */
TEST_F(bring_up, silence)
{
	struct peer *peer = &self->link.peer;
	const unsigned int activity_ms = 1000;
	long long start;

	ASSERT_TRUE(closes_and_opens(&self->link, "activity_ms", activity_ms));
	ASSERT_TRUE(link_up(&self->link));
	ASSERT_TRUE(link_mark(&self->link));
	start = now_ms();
	ASSERT_TRUE(peer_settle(peer));
	peer->ack = false;
	ASSERT_TRUE(peer_wait(peer, TYPE_RESET, NULL));
	EXPECT_LE(activity_ms, now_ms() - start);
	EXPECT_FALSE(port_has_carrier(&self->link.port));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "resets_tx", 1 }, { "activity_losses", 1 })));
}

/* Activity [12]: an up link always carries something, and Nulls are enough */
TEST_F(bring_up, nulls)
{
	const unsigned int activity_ms = 3000;
	struct peer *peer = &self->link.peer;
	long long end, last, gap = 0;
	unsigned int nulls = 0;
	struct upkt upkt;

	ASSERT_TRUE(closes_and_opens(&self->link, "activity_ms", activity_ms));
	ASSERT_TRUE(link_up(&self->link));
	ASSERT_TRUE(link_mark(&self->link));
	last = now_ms();
	end = last + 2 * activity_ms;
	while (now_ms() < end) {
		if (!peer_read(peer, &upkt, 100)) {
			ASSERT_TRUE(peer_say(peer, TYPE_NULL));
			continue;
		}
		EXPECT_EQ(TYPE_NULL, control_of(&upkt).type);
		EXPECT_EQ(SEQ_NONE, control_of(&upkt).tseq);
		nulls++;
		if (now_ms() - last > gap)
			gap = now_ms() - last;
		last = now_ms();
	}
	/* Three in a row may be lost without the link going down. */
	EXPECT_LE(6, nulls);
	EXPECT_GT(activity_ms, gap);
	EXPECT_TRUE(port_has_carrier(&self->link.port));
	EXPECT_TRUE(link_moved(&self->link, NOTHING));
}

/* Event: hold-off; a link is not brought up more often than once per interval */
TEST_F(bring_up, hold_off)
{
	struct peer *peer = &self->link.peer;
	const unsigned int holdoff_ms = 2000;
	long long start;

	ASSERT_TRUE(closes_and_opens(&self->link, "holdoff_ms", holdoff_ms));
	start = now_ms();
	ASSERT_TRUE(link_up(&self->link));
	ASSERT_TRUE(link_mark(&self->link));
	ASSERT_TRUE(peer_reset(peer));
	/* One Reset tells the far end, and nothing else is sent. */
	ASSERT_TRUE(peer_wait(peer, TYPE_RESET, NULL));
	ASSERT_TRUE(peer_say(peer, TYPE_RESET_ACK));
	ASSERT_TRUE(peer_wait(peer, TYPE_RESET, NULL));
	EXPECT_LE(holdoff_ms, now_ms() - start);
	EXPECT_FALSE(port_has_carrier(&self->link.port));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "resets_tx", 2 }, { "resets_rx", 1 },
						  { "holdoffs", 1 })));
	ASSERT_TRUE(peer_say(peer, TYPE_RESET_ACK));
	ASSERT_TRUE(peer_wait(peer, TYPE_INIT, NULL));
}

/* Event: loss of the signal, and its return */
TEST_F(bring_up, signal)
{
	struct link *link = &self->link;

	ASSERT_TRUE(link_up(link));
	ASSERT_TRUE(link_mark(link));
	peer_close(&link->peer);
	EXPECT_TRUE(port_wait_carrier(&link->port, false));
	EXPECT_TRUE(link_moved(link, MOVED({ "signal_losses", 1 })));
	ASSERT_TRUE(peer_open(&link->peer, 0));
	EXPECT_TRUE(link_up(link));
	EXPECT_TRUE(link_moved(link, MOVED({ "signal_losses", 1 }, { "resets_tx", 1 },
					   { "inits", 1 }, { "admin_tx", 1 }, { "admin_rx", 1 })));
}

/* A port that is down drives no signal, and receives nothing */
TEST_F(bring_up, down)
{
	struct link *link = &self->link;
	struct pollfd p = { .fd = link->peer.line };
	long long end = now_ms() + SOON_MS;
	struct upkt upkt;

	ASSERT_TRUE(link_up(link));
	ASSERT_TRUE(port_set_up(&link->port, false));
	while (!(p.revents & POLLHUP) && now_ms() < end)
		poll(&p, 1, 10);
	EXPECT_TRUE(p.revents & POLLHUP);
	while (peer_read(&link->peer, &upkt, 0))
		;
	EXPECT_TRUE(peer_say(&link->peer, TYPE_RESET));
	EXPECT_TRUE(says_nothing(&link->peer));
}

TEST_HARNESS_MAIN
