// SPDX-License-Identifier: GPL-2.0
/*
 * Admin micropackets, HIPPI-6400-PH 5.5: requests between neighbours, and the
 * treatment of wrong requests.
 */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "link.h"

#define REQUESTS	4	/* number of times that a port sends a request */
#define AT_BODY		8
#define AT_LENGTH	3
#define AT_HOPS		2

FIXTURE(admin)
{
	struct link link;
};

FIXTURE_SETUP(admin)
{
	ASSERT_TRUE(link_open(&self->link, NULL, 0));
}

FIXTURE_TEARDOWN(admin)
{
	EXPECT_STREQ("", self->link.peer.wrong);
	link_close(&self->link);
}

/* The link is up, and the port has credit for this number of answers. */
static bool up_with(struct link *link, unsigned int answers)
{
	return link_up(link) && peer_grant(&link->peer, ADMIN_VC, answers) &&
	       peer_settle(&link->peer) && link_mark(link);
}

/* Checks the data bytes of an Admin micropacket, and that it is sequenced */
static bool is_admin(const struct upkt *upkt, const struct upkt *expected)
{
	struct control c = control_of(upkt);

	if (!memcmp(upkt->byte, expected->byte, UPKT_DATA) && c.vc == ADMIN_VC && !c.error &&
	    c.tseq != SEQ_NONE)
		return true;
	print_upkt("found", upkt);
	print_upkt("expected", expected);
	return false;
}

/* A request that is not answered, and its counter */
static bool not_answered(struct link *link, struct upkt *upkt, const char *counter)
{
	return link_mark(link) && peer_send(&link->peer, upkt) && peer_settle(&link->peer) &&
	       !peer_listen(&link->peer, BRIEF_MS) &&
	       link_moved(link, MOVED({ "admin_rx", 1 }, { counter, 1 }));
}

/* 5.5: a port requests its neighbour's identity up to four times, and copes without an answer */
TEST_F(admin, asks)
{
	struct peer *peer = &self->link.peer;
	unsigned int i, txn;
	struct upkt upkt, expected;

	ASSERT_TRUE(peer_connect(peer));
	ASSERT_TRUE(peer_grant(peer, ADMIN_VC, 10));
	for (i = 0; i < REQUESTS; i++) {
		ASSERT_TRUE(peer_wait(peer, TYPE_ADMIN, &upkt));
		if (!i)
			txn = admin_txn(&upkt);
		expected = make_admin(ADMIN_IDENTITY, 0, txn);
		EXPECT_TRUE(is_admin(&upkt, &expected));
	}
	EXPECT_EQ(0, peer_listen(peer, 2000));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "resets_tx", 1 }, { "inits", 1 },
						  { "admin_tx", REQUESTS }, { "admin_timeouts", 1 },
						   { "vc0_tx_credits_used", REQUESTS })));
}

/* 5.5: after an answer it sends no further request */
TEST_F(admin, asks_once)
{
	ASSERT_TRUE(link_up(&self->link));
	ASSERT_TRUE(peer_grant(&self->link.peer, ADMIN_VC, 10));
	EXPECT_EQ(0, peer_listen(&self->link.peer, 2000));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "resets_tx", 1 }, { "inits", 1 },
						  { "admin_tx", 1 }, { "admin_rx", 1 })));
}

/* 5.5: it answers with its identity: ULA, port 0, end device, name and version */
TEST_F(admin, says_who_it_is)
{
	struct peer *peer = &self->link.peer;
	struct upkt request, answer, expected;
	struct utsname host;
	int major, minor, patch, fields;

	ASSERT_TRUE(up_with(&self->link, 1));
	request = make_admin(ADMIN_IDENTITY, 0, 0xfedcba98);
	/* Bytes beyond the length are ignored. */
	request.byte[AT_BODY + 5] = 0xff;
	renew_ecrc(&request, 1);
	ASSERT_TRUE(peer_send(peer, &request));
	ASSERT_TRUE(peer_wait(peer, TYPE_ADMIN, &answer));

	expected = make_admin(ADMIN_IDENTITY_IS, ADMIN_BODY, 0xfedcba98);
	memcpy(expected.byte + AT_BODY, self->link.port.ula, 6);
	expected.byte[AT_BODY + 7] = 1;
	ASSERT_EQ(0, uname(&host));
	fields = sscanf(host.release, "%d.%d.%d", &major, &minor, &patch);
	ASSERT_EQ(3, fields);
	snprintf((char *)expected.byte + AT_BODY + 8, 16, "Linux %d.%d.%d", major, minor, patch);
	EXPECT_TRUE(is_admin(&answer, &expected));
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "admin_rx", 1 }, { "admin_tx", 1 },
						  { "vc0_rx_credits_used", 1 },
						  { "vc0_tx_credits_used", 1 })));
}

/* 5.5: a loop-back of any length is returned */
TEST_F(admin, loopback)
{
	struct peer *peer = &self->link.peer;
	struct upkt request, answer, expected;
	unsigned int length, i;

	ASSERT_TRUE(up_with(&self->link, ADMIN_BODY + 1));
	for (length = 0; length <= ADMIN_BODY; length++) {
		request = make_admin(ADMIN_LOOPBACK, length, length);
		expected = make_admin(ADMIN_LOOPBACK_IS, length, length);
		for (i = 0; i < ADMIN_BODY; i++)
			request.byte[AT_BODY + i] = 0x80 + length + i;
		renew_ecrc(&request, 1);
		memcpy(expected.byte + AT_BODY, request.byte + AT_BODY, length);
		ASSERT_TRUE(peer_send(peer, &request));
		ASSERT_TRUE(peer_wait(peer, TYPE_ADMIN, &answer));
		EXPECT_TRUE(is_admin(&answer, &expected));
	}
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "admin_rx", ADMIN_BODY + 1 },
						  { "admin_tx", ADMIN_BODY + 1 })));
}

/* 5.3: on its VC Admin leaves between two Messages, not within one */
TEST_F(admin, between_messages)
{
	static const __u8 types[] = { TYPE_HEADER, TYPE_DATA, TYPE_DATA, TYPE_ADMIN };
	struct peer *peer = &self->link.peer;
	struct upkt request, upkt;
	__u8 frame[100];
	unsigned int i;
	size_t len;
	int fd;

	ASSERT_TRUE(up_with(&self->link, 1));
	fd = frames_open(&self->link.port, ADMIN_VC);
	ASSERT_LE(0, fd);
	len = link_frame(&self->link, frame, 70, 1);
	ASSERT_TRUE(frame_send(fd, frame, len));
	request = make_admin(ADMIN_LOOPBACK, 8, 1);
	for (i = 0; i < ARRAY_SIZE(types); i++) {
		do {
			ASSERT_TRUE(peer_read(peer, &upkt, SOON_MS));
		} while (control_of(&upkt).type == TYPE_NULL);
		EXPECT_EQ(types[i], control_of(&upkt).type);
		if (!i)
			ASSERT_TRUE(peer_send(peer, &request));
		ASSERT_TRUE(peer_settle(peer));
		ASSERT_TRUE(peer_grant(peer, ADMIN_VC, 1));
	}
	close(fd);
}

/* Event: Admin with an unknown version or opcode */
TEST_F(admin, unknown)
{
	static const __u8 opcodes[] = { 0, 5, 6, 0x80, 0xff };
	struct upkt upkt;
	unsigned int i;

	ASSERT_TRUE(up_with(&self->link, 10));
	for (i = 0; i < ARRAY_SIZE(opcodes); i++) {
		upkt = make_admin(opcodes[i], 0, 1);
		EXPECT_TRUE(not_answered(&self->link, &upkt, "admin_unknown"));
	}
	upkt = make_admin(ADMIN_IDENTITY, 0, 1);
	upkt.byte[0] = 2;
	renew_ecrc(&upkt, 1);
	EXPECT_TRUE(not_answered(&self->link, &upkt, "admin_unknown"));
}

/* Event: Admin for an element beyond the neighbour */
TEST_F(admin, hops)
{
	struct upkt upkt;

	ASSERT_TRUE(up_with(&self->link, 10));
	upkt = make_admin(ADMIN_LOOPBACK, 4, 1);
	upkt.byte[AT_HOPS] = 1;
	renew_ecrc(&upkt, 1);
	EXPECT_TRUE(not_answered(&self->link, &upkt, "admin_hops"));
}

/* Event: Admin with a length that is illegal for its opcode, or for any */
TEST_F(admin, length)
{
	static const struct {
		__u8 opcode;
		__u8 length;
	} cases[] = {
		{ ADMIN_IDENTITY, 1 },
		{ ADMIN_IDENTITY_IS, ADMIN_BODY - 1 },
		{ ADMIN_LOOPBACK, ADMIN_BODY + 1 },
		{ ADMIN_LOOPBACK, 255 },
		{ ADMIN_LOOPBACK_IS, ADMIN_BODY + 1 },
	};
	struct upkt upkt;
	unsigned int i;

	ASSERT_TRUE(up_with(&self->link, 10));
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		upkt = make_admin(cases[i].opcode, cases[i].length, 1);
		EXPECT_TRUE(not_answered(&self->link, &upkt, "admin_length"));
	}
}

/* Event: answers without a request */
TEST_F(admin, unasked)
{
	struct upkt upkt;

	ASSERT_TRUE(up_with(&self->link, 10));
	upkt = make_admin(ADMIN_IDENTITY_IS, ADMIN_BODY, 1);
	EXPECT_TRUE(not_answered(&self->link, &upkt, "admin_unasked"));
	upkt = make_admin(ADMIN_LOOPBACK_IS, 8, 1);
	EXPECT_TRUE(not_answered(&self->link, &upkt, "admin_unasked"));
}

/* Event: a request while one of the same kind is unanswered */
TEST_F(admin, busy)
{
	struct peer *peer = &self->link.peer;
	struct upkt first, second, answer;

	ASSERT_TRUE(up_with(&self->link, 0));
	first = make_admin(ADMIN_LOOPBACK, 3, 1);
	ASSERT_TRUE(peer_send(peer, &first));
	second = make_admin(ADMIN_LOOPBACK, 3, 2);
	ASSERT_TRUE(peer_send(peer, &second));
	ASSERT_TRUE(peer_settle(peer));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "admin_rx", 2 }, { "admin_busy", 1 })));
	ASSERT_TRUE(peer_grant(peer, ADMIN_VC, 2));
	ASSERT_TRUE(peer_wait(peer, TYPE_ADMIN, &answer));
	EXPECT_EQ(1, admin_txn(&answer));
	EXPECT_EQ(0, peer_listen(peer, BRIEF_MS));
}

/* Event: ECRC error outside any Message; the Admin request is ignored */
TEST_F(admin, ecrc_error)
{
	struct upkt upkt;

	ASSERT_TRUE(up_with(&self->link, 10));
	upkt = make_admin(ADMIN_LOOPBACK, 8, 1);
	upkt.byte[AT_BODY] ^= 1;
	EXPECT_TRUE(not_answered(&self->link, &upkt, "ecrc_errors"));
}

TEST_HARNESS_MAIN
