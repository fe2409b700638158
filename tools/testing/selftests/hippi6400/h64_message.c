// SPDX-License-Identifier: GPL-2.0
/*
 * Messages, HIPPI-6400-PH 4.5 and ST figure A.1: how frames leave a port, and
 * how Messages arrive.
 */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "link.h"

#define VC0_LIMIT	68	/* micropackets */
#define VC0_PAYLOAD	(HEADER_PAYLOAD + (VC0_LIMIT - 1) * UPKT_DATA)
#define PRIO_BESTEFFORT	0	/* TC_PRIO_* */
#define PRIO_INTERACTIVE 6
#define PRIO_CONTROL	7

FIXTURE(message)
{
	struct link link;
	int frames[VCS];
};

FIXTURE_SETUP(message)
{
	unsigned int vc;

	ASSERT_TRUE(link_open(&self->link, NULL, 0));
	for (vc = 0; vc < VCS; vc++) {
		self->frames[vc] = frames_open(&self->link.port, vc);
		ASSERT_LE(0, self->frames[vc]);
	}
	ASSERT_TRUE(link_up(&self->link));
	ASSERT_TRUE(link_mark(&self->link));
}

FIXTURE_TEARDOWN(message)
{
	unsigned int vc;

	EXPECT_STREQ("", self->link.peer.wrong);
	for (vc = 0; vc < VCS; vc++)
		close(self->frames[vc]);
	link_close(&self->link);
}

#define GRANT		1000	/* credits: this end may hold no more than 4095 either */

/*
 * Grants the credit for the rest of a Message in parts, each before the last one is
 * used up.  The parts are large, so that the window of this end never fills: waiting
 * for room there would consume micropackets that are checked here.
 */
static bool grant_for(struct peer *peer, unsigned int vc, unsigned int left)
{
	unsigned int have = peer->port_credit[vc];

	if (have >= (left < GRANT / 2 ? left : GRANT / 2))
		return true;
	return peer_grant(peer, vc, (left < GRANT ? left : GRANT) - have);
}

/* Checks that a frame leaves as expected: each data byte, VC, TYPE, TAIL, ERROR, ECRC */
static bool leaves(struct link *link, int fd, unsigned int vc, const __u8 *frame, size_t len)
{
	static struct upkt expected[MESSAGE_MAX];
	unsigned int count = make_message(expected, vc, frame, len), done = 0;
	struct control c;
	struct upkt upkt;

	if (!frame_send(fd, frame, len))
		return false;
	while (done < count) {
		if (!grant_for(&link->peer, vc, count - done) ||
		    !peer_read(&link->peer, &upkt, SOON_MS)) {
			fprintf(stderr, "# frame of %zu bytes: micropacket %u of %u is missing\n",
				len, done, count);
			return false;
		}
		c = control_of(&upkt);
		if (!is_sequenced(&c) || (c.type != TYPE_HEADER && c.type != TYPE_DATA))
			continue;
		c.vcr = 0;
		c.cr = 0;
		c.tseq = 0;
		c.rseq = 0;
		set_control(&upkt, &c);
		seal(&upkt);
		seal(&expected[done]);
		if (memcmp(&upkt, &expected[done], sizeof(upkt))) {
			fprintf(stderr, "# frame of %zu bytes, micropacket %u of %u\n", len,
				done, count);
			print_upkt("found", &upkt);
			print_upkt("expected", &expected[done]);
			return false;
		}
		done++;
	}
	return true;
}

static bool leaves_with(struct link *link, int fd, unsigned int vc, size_t payload)
{
	static __u8 frame[FRAME_MAX];

	return leaves(link, fd, vc, frame, link_frame(link, frame, payload, payload + vc));
}

static bool arrives_with(struct link *link, int fd, unsigned int vc, size_t payload)
{
	static __u8 frame[FRAME_MAX];
	size_t len = link_frame(link, frame, payload, payload + vc);

	return peer_send_frame(&link->peer, vc, frame, len) && link_delivers(fd, frame, len);
}

/*
 * Sends a bad Message on a VC and then a good one.  Only the good one is
 * delivered, and only the named counters change.
 */
static bool not_delivered(struct link *link, int fd, unsigned int vc, struct upkt *upkts,
			  unsigned int count, const struct moved *list)
{
	return link_mark(link) && peer_send_all(&link->peer, upkts, count) &&
	       arrives_with(link, fd, vc, 77) && peer_settle(&link->peer) &&
	       link_moved(link, list);
}

/* 4.5: Header, Data, TAIL, padding, ECRC of every small frame */
TEST_F(message, sent_sizes)
{
	size_t payload;

	for (payload = 0; payload <= 100; payload++)
		ASSERT_TRUE(leaves_with(&self->link, self->frames[1], 1, payload));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "vc1_tx_messages", 101 })));
}

/* 4.5: and of larger ones, up to the largest MTU */
TEST_F_TIMEOUT(message, sent_large, 120)
{
	static const size_t payloads[] = {
		1499, 1500, 4087, 4088, 4089, 4104, 9000, 32776, 65279, MTU_MAX,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(payloads); i++)
		ASSERT_TRUE(leaves_with(&self->link, self->frames[2], 2, payloads[i]));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "vc2_tx_messages", ARRAY_SIZE(payloads) })));
}

static void from_hex(__u8 *to, const char *hex)
{
	static const char digits[] = "0123456789abcdef";

	for (; *hex; hex += 2)
		*to++ = (strchr(digits, hex[0]) - digits) << 4 | (strchr(digits, hex[1]) - digits);
}

/* 4.5, ST figure A.1: two frames whose micropackets were computed elsewhere */
TEST_F(message, sent_bytes)
{
	static const struct {
		const char *frame;
		unsigned int upkts;
		struct {
			const char *data;
			__u8 c00_c07;
			__u8 ecrc[2];
		} upkt[2];
	} golden[] = {
		{
			"34e7ef3e965503b4d719528b08006a2b849ca5633894", 1, { {
			"34e7ef3e965503b4d719528b00000010aaaa0300000008006a2b849ca5633894",
			0x49, { 0x02, 0x8d } } },
		}, {
			"3ebebe3e5c38763b3705eace08006c02673e65a3da6612", 2, { {
			"3ebebe3e5c38763b3705eace00000011aaaa0300000008006c02673e65a3da66",
			0x09, { 0x9d, 0xe2 } }, {
			"1200000000000000000000000000000000000000000000000000000000000000",
			0x4d, { 0xcf, 0xd0 } } },
		},
	};
	struct peer *peer = &self->link.peer;
	__u8 frame[64], data[UPKT_DATA];
	struct upkt upkt;
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(golden); i++) {
		from_hex(frame, golden[i].frame);
		ASSERT_TRUE(peer_grant(peer, 1, golden[i].upkts));
		ASSERT_TRUE(frame_send(self->frames[1], frame, strlen(golden[i].frame) / 2));
		for (n = 0; n < golden[i].upkts; n++) {
			ASSERT_TRUE(peer_wait(peer, n ? TYPE_DATA : TYPE_HEADER, &upkt));
			from_hex(data, golden[i].upkt[n].data);
			EXPECT_EQ(0, memcmp(data, upkt.byte, UPKT_DATA));
			EXPECT_EQ(golden[i].upkt[n].c00_c07, upkt.byte[32]);
			EXPECT_EQ(0, memcmp(golden[i].upkt[n].ecrc, upkt.byte + 36, 2));
		}
	}
}

/* 4.3: a frame leaves on the VC that its priority selects, else on VC1 */
TEST_F(message, sent_on_vc)
{
	static const struct {
		int priority;
		size_t payload;
		unsigned int vc;
	} cases[] = {
		{ PRIO_OF_VC(0), 50, 0 },
		{ PRIO_OF_VC(1), 50, 1 },
		{ PRIO_OF_VC(2), 50, 2 },
		{ PRIO_OF_VC(3), 50, 3 },
		{ PRIO_OF_VC(3), 9000, 3 },
		{ PRIO_BESTEFFORT, 50, 1 },
		{ PRIO_INTERACTIVE, 50, 1 },
		{ PRIO_CONTROL, 50, 1 },
		{ PRIO_OF_VC(VCS), 50, 1 },
		{ 0x10000 + PRIO_OF_VC(3), 50, 1 },
	};
	int fd = self->frames[1];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		ASSERT_EQ(0, setsockopt(fd, SOL_SOCKET, SO_PRIORITY, &cases[i].priority,
					sizeof(cases[i].priority)));
		EXPECT_TRUE(leaves_with(&self->link, fd, cases[i].vc, cases[i].payload));
	}
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "vc0_tx_messages", 1 },
						  { "vc1_tx_messages", 6 },
						  { "vc2_tx_messages", 1 },
						  { "vc3_tx_messages", 2 })));
}

/* Event: Message over its VC's limit, refused at the source [5.4.1] */
TEST_F(message, sent_over_limit)
{
	static __u8 frame[FRAME_MAX];
	size_t len;

	len = link_frame(&self->link, frame, VC0_PAYLOAD + 1, 1);
	ASSERT_TRUE(frame_send(self->frames[0], frame, len));
	EXPECT_TRUE(leaves_with(&self->link, self->frames[0], 0, VC0_PAYLOAD));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "tx_over_limit", 1 }, { "vc0_tx_messages", 1 },
						  { "vc0_tx_upkts", VC0_LIMIT },
						  { "vc0_tx_bytes", ETH_HEADER + VC0_PAYLOAD })));
}

/* 4.5: every small Message is delivered as the original frame, byte by byte */
TEST_F(message, received_sizes)
{
	size_t payload;

	for (payload = 0; payload <= 100; payload++)
		ASSERT_TRUE(arrives_with(&self->link, self->frames[0], payload % VCS, payload));
	EXPECT_TRUE(link_moved(&self->link, MOVED({ "vc0_rx_messages", 26 },
						  { "vc1_rx_messages", 25 },
						  { "vc2_rx_messages", 25 },
						  { "vc3_rx_messages", 25 })));
}

/* 4.5: and of larger ones, up to the largest MTU and a VLAN tag */
TEST_F_TIMEOUT(message, received_large, 120)
{
	static const size_t payloads[] = {
		263, 264, 265, 1500, 4087, 4088, 4089, 4104, 9000, 32776, MTU_MAX, MTU_MAX + 4,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(payloads); i++)
		ASSERT_TRUE(arrives_with(&self->link, self->frames[0], 1 + i % 3, payloads[i]));
	ASSERT_TRUE(arrives_with(&self->link, self->frames[0], 0, VC0_PAYLOAD));
	EXPECT_TRUE(link_moved(&self->link, NOTHING));
}

/* 4.3: Messages on the four VCs do not disturb one another */
TEST_F(message, interleaved)
{
	static __u8 frame[VCS][1500];
	struct upkt upkts[VCS][40];
	unsigned int vc, i, count[VCS], left;
	size_t len[VCS];

	for (vc = 0; vc < VCS; vc++) {
		len[vc] = link_frame(&self->link, frame[vc], 1000 + 30 * vc, vc);
		count[vc] = make_message(upkts[vc], vc, frame[vc], len[vc]);
		ASSERT_GE(ARRAY_SIZE(upkts[vc]), count[vc]);
	}
	for (i = 0, left = VCS; left; i++) {
		left = 0;
		for (vc = 0; vc < VCS; vc++) {
			if (i < count[vc])
				ASSERT_TRUE(peer_send(&self->link.peer, &upkts[vc][i]));
			left += i + 1 < count[vc];
		}
	}
	/* Each is complete when its TAIL arrives: the shortest first */
	for (vc = 0; vc < VCS; vc++)
		EXPECT_TRUE(link_delivers(self->frames[0], frame[vc], len[vc]));
	EXPECT_TRUE(link_moved(&self->link, NOTHING));
}

/* Event: ECRC error, in each place of a Message [4.9] */
TEST_F(message, ecrc_error)
{
	struct upkt upkts[5];
	unsigned int at, count;
	__u8 frame[200];
	size_t len;

	len = link_frame(&self->link, frame, 130, 1);
	for (at = 0; at < ARRAY_SIZE(upkts); at++) {
		count = make_message(upkts, 1, frame, len);
		ASSERT_EQ(ARRAY_SIZE(upkts), count);
		set_ecrc(&upkts[at], get_ecrc(&upkts[at]) ^ 1 << at);
		EXPECT_TRUE(not_delivered(&self->link, self->frames[0], 1, upkts, count,
					  MOVED({ "rx_ecrc_errors", 1 })));
	}
	/* Data damaged before the link: every ECRC from there on is wrong. */
	count = make_message(upkts, 1, frame, len);
	upkts[2].byte[5] ^= 4;
	EXPECT_TRUE(not_delivered(&self->link, self->frames[0], 1, upkts, count,
				  MOVED({ "rx_ecrc_errors", 1 })));
}

/* Event: ERROR marked, in each place of a Message [4.4] */
TEST_F(message, error_marked)
{
	struct upkt upkts[5];
	unsigned int at, count;
	struct control c;
	__u8 frame[200];
	size_t len;

	len = link_frame(&self->link, frame, 130, 1);
	for (at = 0; at < ARRAY_SIZE(upkts); at++) {
		count = make_message(upkts, 1, frame, len);
		c = control_of(&upkts[at]);
		c.error = true;
		set_control(&upkts[at], &c);
		EXPECT_TRUE(not_delivered(&self->link, self->frames[0], 1, upkts, count,
					  MOVED({ "rx_error_marked", 1 })));
	}
}

/* Event: Header without TAIL before it; the first Message is lost, the second is good */
TEST_F(message, header_without_tail)
{
	struct upkt upkts[5];
	__u8 frame[200];
	size_t len;

	len = link_frame(&self->link, frame, 130, 1);
	make_message(upkts, 1, frame, len);
	EXPECT_TRUE(not_delivered(&self->link, self->frames[0], 1, upkts, 4,
				  MOVED({ "rx_header_without_tail", 1 },
					{ "vc1_rx_messages", 1 })));
	/* A Header alone */
	make_message(upkts, 1, frame, len);
	EXPECT_TRUE(not_delivered(&self->link, self->frames[0], 1, upkts, 1,
				  MOVED({ "rx_header_without_tail", 1 },
					{ "vc1_rx_messages", 1 })));
	/* A Header on another VC does not affect this one. */
	make_message(upkts, 1, frame, len);
	EXPECT_TRUE(not_delivered(&self->link, self->frames[0], 2, upkts, 4, NOTHING));
}

/* Event: Data without Header; each micropacket counts */
TEST_F(message, data_without_header)
{
	struct upkt upkts[5];
	__u8 frame[200];
	size_t len;

	len = link_frame(&self->link, frame, 130, 1);
	make_message(upkts, 1, frame, len);
	EXPECT_TRUE(not_delivered(&self->link, self->frames[0], 1, upkts + 1, 4,
				  MOVED({ "rx_data_without_header", 4 },
					{ "vc1_rx_upkts", 4 + 4 })));
	/* Data after a TAIL */
	make_message(upkts, 1, frame, len);
	ASSERT_TRUE(peer_send_all(&self->link.peer, upkts, 5));
	EXPECT_TRUE(link_delivers(self->frames[0], frame, len));
	EXPECT_TRUE(not_delivered(&self->link, self->frames[0], 1, upkts + 4, 1,
				  MOVED({ "rx_data_without_header", 1 })));
}

/* Event: M_len too large or too small for the micropackets received */
TEST_F(message, m_len)
{
	static const int off[] = { -128, -64, -32, 32, 64, 10000 };
	struct upkt upkts[5];
	unsigned int i, count;
	__u8 frame[200];
	size_t len;

	len = link_frame(&self->link, frame, 130, 1);
	for (i = 0; i < ARRAY_SIZE(off); i++) {
		count = make_message(upkts, 1, frame, len);
		set_m_len(upkts, SNAP_SIZE + 130 + off[i]);
		renew_ecrc(upkts, count);
		EXPECT_TRUE(not_delivered(&self->link, self->frames[0], 1, upkts, count,
					  MOVED({ "rx_m_len_errors", 1 })));
	}
}

/* Event: M_len too small for the LLC/SNAP header */
TEST_F(message, m_len_too_small)
{
	struct upkt upkts[5];
	unsigned int m_len;
	__u8 frame[200];
	size_t len;

	len = link_frame(&self->link, frame, 8, 1);
	for (m_len = 0; m_len < SNAP_SIZE; m_len++) {
		make_message(upkts, 1, frame, len);
		set_m_len(upkts, m_len);
		renew_ecrc(upkts, 1);
		EXPECT_TRUE(not_delivered(&self->link, self->frames[0], 1, upkts, 1,
					  MOVED({ "rx_m_len_errors", 1 })));
	}
}

/* Event: Message over its VC's limit by its M_len, on each VC */
TEST_F(message, over_limit)
{
	static const __u32 payload[VCS] = {
		VC0_PAYLOAD + 1,
		HEADER_PAYLOAD + 4099 * UPKT_DATA + 1,
		HEADER_PAYLOAD + 4099 * UPKT_DATA + 1,
		0xffffffff - SNAP_SIZE,
	};
	struct upkt upkt;
	unsigned int vc;
	__u8 frame[200];
	size_t len;

	len = link_frame(&self->link, frame, 8, 1);
	for (vc = 0; vc < VCS; vc++) {
		make_message(&upkt, vc, frame, len);
		set_m_len(&upkt, SNAP_SIZE + payload[vc]);
		renew_ecrc(&upkt, 1);
		EXPECT_TRUE(not_delivered(&self->link, self->frames[0], vc, &upkt, 1,
					  MOVED({ "rx_over_limit", 1 })));
	}
}

/* Event: Message over its VC's limit, sent completely */
TEST_F(message, over_limit_whole)
{
	static struct upkt upkts[MESSAGE_MAX];
	static __u8 frame[FRAME_MAX];
	unsigned int count;
	size_t len;

	len = link_frame(&self->link, frame, VC0_PAYLOAD + 1, 1);
	count = make_message(upkts, 0, frame, len);
	ASSERT_EQ(VC0_LIMIT + 1, count);
	EXPECT_TRUE(not_delivered(&self->link, self->frames[0], 0, upkts, count,
				  MOVED({ "rx_over_limit", 1 }, { "vc0_rx_messages", 1 })));
}

/* Event: longer than the largest MTU */
TEST_F(message, too_long)
{
	static const struct {
		unsigned int vc;
		__u32 payload;
	} cases[] = {
		{ 1, MTU_MAX + 4 + 1 },
		{ 2, HEADER_PAYLOAD + 4099 * UPKT_DATA },
		{ 3, MTU_MAX + 4 + 1 },
		{ 3, HEADER_PAYLOAD + ((1U << 27) - 1) * UPKT_DATA },
	};
	struct upkt upkt;
	__u8 frame[200];
	unsigned int i;
	size_t len;

	len = link_frame(&self->link, frame, 8, 1);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		make_message(&upkt, cases[i].vc, frame, len);
		set_m_len(&upkt, SNAP_SIZE + cases[i].payload);
		renew_ecrc(&upkt, 1);
		EXPECT_TRUE(not_delivered(&self->link, self->frames[0], cases[i].vc, &upkt, 1,
					  MOVED({ "rx_too_long", 1 })));
	}
}

/* Event: wrong LLC/SNAP header, in each of its bytes but the EtherType */
TEST_F(message, bad_snap)
{
	struct upkt upkts[5];
	unsigned int at, count;
	__u8 frame[200];
	size_t len;

	len = link_frame(&self->link, frame, 130, 1);
	for (at = 16; at < 22; at++) {
		count = make_message(upkts, 1, frame, len);
		upkts[0].byte[at] ^= 0x80;
		renew_ecrc(upkts, count);
		EXPECT_TRUE(not_delivered(&self->link, self->frames[0], 1, upkts, count,
					  MOVED({ "rx_bad_snap", 1 })));
	}
}

/* ip -s link shows the sum of the errors of all Messages */
TEST_F(message, statistics)
{
	static const char * const names[] = {
		"rx_packets", "rx_errors", "rx_crc_errors", "rx_frame_errors",
		"rx_length_errors", "rx_over_errors", "rx_dropped", "tx_packets", "tx_errors",
		"tx_dropped",
	};
	static const __u64 moved[ARRAY_SIZE(names)] = { 2, 5, 1, 3, 1, 0, 0, 1, 1, 0 };
	static __u8 frame[FRAME_MAX];
	struct peer *peer = &self->link.peer;
	__u64 before[ARRAY_SIZE(names)];
	struct upkt upkts[5];
	unsigned int i;
	size_t len;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		before[i] = statistic(&self->link.port, names[i]);

	len = link_frame(&self->link, frame, 130, 1);
	make_message(upkts, 1, frame, len);
	set_ecrc(&upkts[3], 0);
	ASSERT_TRUE(peer_send_all(peer, upkts, 5));
	make_message(upkts, 1, frame, len);
	/* Data outside, a Message whose TAIL is missing, one too short, and a bad SNAP */
	ASSERT_TRUE(peer_send_all(peer, upkts + 2, 1));
	ASSERT_TRUE(peer_send_all(peer, upkts, 4));
	ASSERT_TRUE(arrives_with(&self->link, self->frames[0], 1, 5));
	set_m_len(upkts, SNAP_SIZE);
	renew_ecrc(upkts, 5);
	ASSERT_TRUE(peer_send_all(peer, upkts, 5));
	make_message(upkts, 1, frame, len);
	upkts[0].byte[16] = 0;
	renew_ecrc(upkts, 5);
	ASSERT_TRUE(peer_send_all(peer, upkts, 5));
	ASSERT_TRUE(arrives_with(&self->link, self->frames[0], 1, 6));

	len = link_frame(&self->link, frame, VC0_PAYLOAD + 1, 1);
	ASSERT_TRUE(frame_send(self->frames[0], frame, len));
	ASSERT_TRUE(leaves_with(&self->link, self->frames[1], 1, 5));
	ASSERT_TRUE(peer_settle(peer));
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		EXPECT_EQ(moved[i], statistic(&self->link.port, names[i]) - before[i]) {
			TH_LOG("%s", names[i]);
		}
	}
}

TEST_HARNESS_MAIN
