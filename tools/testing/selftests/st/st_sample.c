// SPDX-License-Identifier: GPL-2.0
/*
 * Connections over the sample LLP, samples/st_llp, whose addresses are two-byte numbers;
 * and frames that it rejects.  Both devices have an Ethernet link, too.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>

#include "kselftest_harness.h"

#include "common.h"
#include "counters.h"

#define NUMBER_LEN	2
#define LONGEST		1048576
#define HEADER_LEN	8	/* addressee, sender, length, zero; two bytes each */
#define HDR_LEN		40

FIXTURE(sample)
{
	int fds[2];
	char *buf;
};

/* A Port of the host with this number */
static struct sockaddr_st number_address(unsigned int number, unsigned int port)
{
	return (struct sockaddr_st) {
		.sst_family	= AF_ST,
		.sst_port	= htons(port),
		.sst_llp	= ST_LLP_PRIVATE,
		.sst_alen	= NUMBER_LEN,
		.sst_addr	= { number >> 8, number & 0xff },
	};
}

/* The end of the address of its device */
static unsigned int number_of(int side)
{
	return sides[side].ula[4] << 8 | sides[side].ula[5];
}

/* Connected sockets, from A to B */
static bool sample_pair(int fds[2])
{
	struct sockaddr_st to;
	int listener = new_listener(B, 1);

	if (listener < 0)
		return fail("listen");
	to = number_address(number_of(B), port_of(listener));
	fds[A] = new_socket(A, 0);
	if (fds[A] < 0 || connect_to(fds[A], &to))
		return fail("connect");
	fds[B] = accept(listener, NULL, NULL);
	close(listener);
	return fds[B] >= 0 || fail("accept");
}

FIXTURE_SETUP(sample)
{
	self->buf = new_pages(LONGEST);
	ASSERT_NE(NULL, self->buf);
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(sample_pair(self->fds));
}

FIXTURE_TEARDOWN(sample)
{
	close(self->fds[A]);
	close(self->fds[B]);
}

/* A record of each length, from one side to the other, whole */
static void exchange(struct __test_metadata *_metadata, int from, int to, char *buf)
{
	static const size_t lens[] = { 1, 0, 1000, 1024, 5000, LONGEST };
	struct series series = { .fd = from, .lens = lens, .count = ARRAY_SIZE(lens) };
	unsigned int i;

	ASSERT_TRUE(series_start(&series));
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		ASSERT_EQ((ssize_t)lens[i], recv_record(to, buf, LONGEST))
			TH_LOG("record %u: %s", i, strerror(errno));
		ASSERT_TRUE(is_filled(buf, lens[i], i, 0)) TH_LOG("%zu bytes", lens[i]);
	}
	series_end(&series);
	EXPECT_EQ(ARRAY_SIZE(lens), series.sent) TH_LOG("errno %d", series.error);
}

TEST_F(sample, records)
{
	exchange(_metadata, self->fds[A], self->fds[B], self->buf);
	exchange(_metadata, self->fds[B], self->fds[A], self->buf);
}

/* Local and remote address of a socket */
static void names(struct __test_metadata *_metadata, int fd, int own, int peer)
{
	struct sockaddr_st name[2], expected;
	int side[2] = { own, peer }, i;
	socklen_t len = sizeof(name[0]);

	ASSERT_EQ(0, getsockname(fd, (struct sockaddr *)&name[0], &len));
	ASSERT_EQ(0, getpeername(fd, (struct sockaddr *)&name[1], &len));
	for (i = 0; i < 2; i++) {
		expected = number_address(number_of(side[i]), ntohs(name[i].sst_port));
		EXPECT_EQ(NUMBER_LEN, name[i].sst_alen);
		EXPECT_EQ(ST_LLP_PRIVATE, name[i].sst_llp);
		EXPECT_EQ(0, memcmp(expected.sst_addr, name[i].sst_addr, ST_ADDR_MAX));
	}
}

TEST_F(sample, names)
{
	names(_metadata, self->fds[A], A, B);
	names(_metadata, self->fds[B], B, A);
}

/* All ones is no host address, and a MAC address is invalid for this LLP. */
TEST_F(sample, no_address)
{
	struct sockaddr_st to = number_address(0xffff, port_of(self->fds[B]));
	int fd = new_socket(A, 0);

	ASSERT_LE(0, fd);
	EXPECT_ERRNO(EINVAL, connect_to(fd, &to));
	to = address(B, port_of(self->fds[B]));
	to.sst_llp = ST_LLP_PRIVATE;
	EXPECT_ERRNO(EINVAL, connect_to(fd, &to));
	to = number_address(number_of(B), port_of(self->fds[B]));
	to.sst_llp = ST_LLP_ETHERNET;
	EXPECT_ERRNO(EINVAL, connect_to(fd, &to));
	close(fd);
}

/* Operations of the Ethernet link use the same devices at the same time. */
TEST_F(sample, beside_ethernet)
{
	struct sockaddr_st name;
	socklen_t len = sizeof(name);
	size_t length = LONGEST;
	struct series series = { .lens = &length, .count = 1 };
	int fds[2];

	ASSERT_TRUE(new_pair(fds));
	ASSERT_EQ(0, getpeername(fds[A], (struct sockaddr *)&name, &len));
	EXPECT_EQ(ST_LLP_ETHERNET, name.sst_llp);
	series.fd = fds[A];
	ASSERT_TRUE(series_start(&series));
	exchange(_metadata, self->fds[A], self->fds[B], self->buf);
	ASSERT_EQ(LONGEST, recv_record(fds[B], self->buf, LONGEST));
	EXPECT_TRUE(is_filled(self->buf, LONGEST, 0, 0));
	series_end(&series);
	EXPECT_EQ(1, series.sent);
	close(fds[A]);
	close(fds[B]);
}

/* A broadcast frame from side B */
struct forged {
	unsigned int	addressee;
	unsigned int	sender;
	unsigned int	len;
	unsigned int	zero;
	size_t		there;	/* bytes of header and operation */
};

static void put_number(__u8 *bytes, unsigned int number)
{
	bytes[0] = number >> 8;
	bytes[1] = number & 0xff;
}

static bool send_forged(const struct forged *f)
{
	struct sockaddr_ll to = {
		.sll_family	= AF_PACKET,
		.sll_protocol	= htons(ETH_P_802_EX1),
		.sll_ifindex	= sides[B].ifindex,
		.sll_halen	= ETH_ALEN,
		.sll_addr	= { [0 ... ETH_ALEN - 1] = 0xff },
	};
	__u8 bytes[HEADER_LEN + HDR_LEN] = {};
	bool sent;
	int fd;

	put_number(bytes, f->addressee);
	put_number(bytes + 2, f->sender);
	put_number(bytes + 4, f->len);
	put_number(bytes + 6, f->zero);
	if (!enter(B))
		return false;
	fd = socket(AF_PACKET, SOCK_DGRAM, 0);
	sent = sendto(fd, bytes, f->there, 0, (struct sockaddr *)&to, sizeof(to)) ==
	       (ssize_t)f->there;
	close(fd);
	return sent || fail("packet socket");
}

/* It is neither executed nor answered; its error is counted. */
TEST_F(sample, forged)
{
	const unsigned int to = number_of(A), from = number_of(B);
	const struct {
		struct forged	frame;
		bool		illegal;
	} frames[] = {
		{ { to, from, HDR_LEN, 0, HEADER_LEN - 1 }, true },
		{ { to, from, HDR_LEN + 1, 0, HEADER_LEN + HDR_LEN }, true },
		{ { to, from, HDR_LEN, 1, HEADER_LEN + HDR_LEN }, true },
		/* For other hosts, whatever it contains */
		{ { to ^ 1, from, HDR_LEN + 1, 0, HEADER_LEN + HDR_LEN }, false },
		{ { 0xffff, from, HDR_LEN, 0, HEADER_LEN + HDR_LEN }, false },
		/* From no host */
		{ { to, 0xffff, HDR_LEN, 0, HEADER_LEN + HDR_LEN }, false },
		{ { to, from, 0, 0, HEADER_LEN }, false },
	};
	long long illegal_frame = dropped(A, ST_A_DROPS_ILLEGAL_FRAME);
	long long illegal_length = dropped(A, ST_A_DROPS_ILLEGAL_LENGTH);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(frames); i++) {
		ASSERT_TRUE(send_forged(&frames[i].frame));
		illegal_frame += frames[i].illegal;
	}
	/* The last one has no operation, and arrives after all others */
	EXPECT_TRUE(counter_reaches(dropped, A, ST_A_DROPS_ILLEGAL_LENGTH, illegal_length + 1));
	EXPECT_EQ(illegal_frame, dropped(A, ST_A_DROPS_ILLEGAL_FRAME));
	exchange(_metadata, self->fds[A], self->fds[B], self->buf);
}

TEST_HARNESS_MAIN
