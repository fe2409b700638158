// SPDX-License-Identifier: GPL-2.0
/*
 * A peer that uses memory that it was not lent.  The test sends the operations
 * itself, to bypass the checks of its own kernel.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <linux/if_packet.h>

#include "kselftest_harness.h"

#include "common.h"
#include "region_fixture.h"

#define MARGIN		8192

/**
 * struct wire - a Schedule Header and some payload, as a malicious peer sends
 *	them
 * @words: ST figure 12, in host order until it is sent
 * @payload: payload behind it
 */
struct wire {
	__u32	words[10];
	char	payload[24];
};

enum { OP_FLAGS, PORTS, KEY, MX, BUFX, OFFSET, SYNC, B_NUM, D_ID, S_ID };

#define OP(op, flags, param)	((__u32)(op) << 27 | (flags) << 16 | (param))
#define OP_GET			0x15
#define OP_DATA			0x1b
#define LAST			8	/* flags */
#define FUNCTION(f)		((f) << 8)
#define FIRST_MX		0x8000	/* of the first region of a connection */

/* From A to B, on the connection of A's socket; @len bytes of payload. */
static bool forge(int fd, const struct wire *from, size_t len)
{
	struct sockaddr_ll to = {
		.sll_family	= AF_PACKET,
		.sll_protocol	= htons(0x8181),
		.sll_ifindex	= sides[A].ifindex,
		.sll_halen	= ULA_LEN,
	};
	struct sockaddr_st peer;
	socklen_t size = sizeof(peer);
	struct wire wire = *from;
	struct st_info info;
	ssize_t n = -1;
	unsigned int i;
	int raw;

	if (getpeername(fd, (struct sockaddr *)&peer, &size))
		return false;
	size = sizeof(info);
	if (getsockopt(fd, SOL_ST, ST_INFO, &info, &size))
		return false;
	wire.words[PORTS] = ntohs(peer.sst_port) << 16 | port_of(fd);
	wire.words[KEY] = info.remote_key;
	for (i = 0; i < ARRAY_SIZE(wire.words); i++)
		wire.words[i] = htonl(wire.words[i]);
	memcpy(to.sll_addr, sides[B].ula, ULA_LEN);
	raw = enter(A) ? socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, 0) : -1;
	if (raw >= 0) {
		n = sendto(raw, &wire, sizeof(wire.words) + len, 0, (struct sockaddr *)&to,
			   sizeof(to));
		close(raw);
	}
	return n == (ssize_t)(sizeof(wire.words) + len);
}

static __u64 rx_ops(int fd)
{
	struct st_info info = {};
	socklen_t size = sizeof(info);

	if (getsockopt(fd, SOL_ST, ST_INFO, &info, &size))
		perror("# ST_INFO");
	return info.rx_ops;
}

/* Sends it and waits until B has handled it. */
static bool forged(int fds[2], const struct wire *wire, size_t len)
{
	long long end = now_ms() + 6 * SOON_MS;
	__u64 before = rx_ops(fds[B]);

	if (!forge(fds[A], wire, len))
		return false;
	while (rx_ops(fds[B]) == before) {
		if (now_ms() > end)
			return false;
		usleep(1000);
	}
	return true;
}

static struct wire forged_put(long id, unsigned int b_num)
{
	return (struct wire) {
		.words = {
			[OP_FLAGS] = OP(OP_DATA, LAST | 1, 0), [MX] = FIRST_MX,
			[B_NUM] = b_num, [D_ID] = id,
		},
		.payload = "written by the peer",
	};
}

/* Bytes before and behind a region, a region that has ended, and one of another connection */
TEST_F_TIMEOUT(region, no_byte_outside_is_written, 100)
{
	const size_t at = MARGIN + 40, len = 5000;
	static const struct {
		__u32		field, value;
		size_t		len;
		enum st_error	error;
	} wrong[] = {
		{ OFFSET, 39, 1, ST_ERR_OUT_OF_RANGE_BUFX },
		{ OFFSET, 39, 20, ST_ERR_OUT_OF_RANGE_BUFX },
		{ OFFSET, 0, 20, ST_ERR_OUT_OF_RANGE_BUFX },
		{ OFFSET, 40 + 5000, 1, ST_ERR_OUT_OF_RANGE_BUFX },
		{ OFFSET, 40 + 4981, 20, ST_ERR_OUT_OF_RANGE_BUFX },
		{ OFFSET, (1 << 20) - 1, 20, ST_ERR_OUT_OF_RANGE_BUFX },
		{ OFFSET, 1 << 20, 1, ST_ERR_OVERSIZED_OFFSET },
		{ OFFSET, 0xffffffff, 20, ST_ERR_OVERSIZED_OFFSET },
		{ BUFX, 1, 20, ST_ERR_OUT_OF_RANGE_BUFX },
		{ BUFX, 0xffffffff, 20, ST_ERR_OUT_OF_RANGE_BUFX },
		{ MX, FIRST_MX + 1, 20, ST_ERR_INVALID_MX },
		{ MX, FIRST_MX + 64, 20, ST_ERR_INVALID_MX },
		{ MX, FIRST_MX | 0x4000, 20, ST_ERR_INVALID_MX },
		{ MX, 0, 20, ST_ERR_INVALID_MX },
		{ D_ID, 12345, 20, ST_ERR_INVALID_D_ID },
		{ B_NUM, 0xffffffff, 20, ST_ERR_OUT_OF_RANGE_B_NUM },
	};
	struct wire put;
	long handles[2];
	int others[2];
	unsigned int i;

	memset(self->mem, GUARD, LEN);
	ASSERT_TRUE(grant(self->fds, self->mem + at, len, ALL, handles));
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		__u64 before = port_error(self->fds[B], wrong[i].error);

		put = forged_put(handles[B], 0);
		put.words[OFFSET] = 40;
		put.words[wrong[i].field] = wrong[i].value;
		ASSERT_TRUE(forged(self->fds, &put, wrong[i].len)) TH_LOG("%u", i);
		EXPECT_EQ(before + 1, port_error(self->fds[B], wrong[i].error)) TH_LOG("%u", i);
		ASSERT_TRUE(is_guard(self->mem, LEN)) TH_LOG("%u", i);
	}
	/* A valid Put is written, so the others failed for the expected reason. */
	put = forged_put(handles[B], 0);
	put.words[OFFSET] = 40 + len - 20;
	ASSERT_TRUE(forged(self->fds, &put, 20));
	EXPECT_EQ(0, memcmp(self->mem + at + len - 20, "written by the peer", 20));
	EXPECT_TRUE(is_guard(self->mem, at + len - 20));
	EXPECT_TRUE(is_guard(self->mem + at + len, LEN - at - len));
	/* A repetition of the same Put changes nothing. */
	memset(self->mem, GUARD, LEN);
	ASSERT_TRUE(forged(self->fds, &put, 20));
	EXPECT_TRUE(is_guard(self->mem, LEN));

	ASSERT_TRUE(new_pair(others));
	put.words[B_NUM] = 1;
	ASSERT_TRUE(forged(others, &put, 20));
	EXPECT_EQ(1, port_error(others[B], ST_ERR_INVALID_MX));
	EXPECT_TRUE(is_guard(self->mem, LEN));
	close(others[A]);
	close(others[B]);

	ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_END, handles[B]));
	ASSERT_TRUE(forged(self->fds, &put, 20));
	EXPECT_TRUE(is_guard(self->mem, LEN));
}

/* Gets and FetchOps outside the region: rejected, and nothing is sent. */
TEST_F_TIMEOUT(region, no_byte_outside_is_read, 100)
{
	static const struct {
		__u32		flags, field, value;
		__u16		len;
	} wrong[] = {
		{ 1, OFFSET, 39, 1 },
		{ 1, OFFSET, 40 + 5000, 1 },
		{ 1, OFFSET, 40 + 4000, 1001 },
		{ 1, OFFSET, 40, 65535 },
		{ 1, OFFSET, 0xffffffff, 1 },
		{ 1, BUFX, 1, 10 },
		{ 1, BUFX, 0xffffffff, 10 },
		{ 1, D_ID, 12345, 10 },
		{ 0, OFFSET, 40, 10 },			/* no Data Channel */
		{ FUNCTION(1) | 1, OFFSET, 32, 0 },
		{ FUNCTION(1) | 1, OFFSET, 44, 0 },	/* not aligned */
		{ FUNCTION(2) | 1, OFFSET, 40 + 4996, 0 },
		{ FUNCTION(3) | 1, OFFSET, 40 + 5000, 0 },
		{ FUNCTION(3) | 1, BUFX, 7, 0 },
		{ FUNCTION(3) | 1, D_ID, 12345, 0 },
		{ FUNCTION(4) | 1, OFFSET, 40, 0 },	/* not defined */
	};
	struct st_info before, after;
	socklen_t size = sizeof(before);
	long handles[2];
	unsigned int i;

	memset(self->mem, GUARD, LEN);
	ASSERT_TRUE(grant(self->fds, self->mem + MARGIN + 40, 5000, ALL, handles));
	ASSERT_EQ(0, getsockopt(self->fds[B], SOL_ST, ST_INFO, &before, &size));
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct wire get = {
			.words = {
				[OP_FLAGS] = OP(OP_GET, wrong[i].flags, wrong[i].len),
				[MX] = 0xc000, [OFFSET] = 40, [D_ID] = handles[B],
				[S_ID] = 1000000 + i,
			},
		};

		get.words[wrong[i].field] = wrong[i].value;
		ASSERT_TRUE(forged(self->fds, &get, 0)) TH_LOG("%u", i);
	}
	ASSERT_EQ(0, getsockopt(self->fds[B], SOL_ST, ST_INFO, &after, &size));
	EXPECT_EQ(before.tx_bytes, after.tx_bytes);
	EXPECT_EQ(before.tx_ops + ARRAY_SIZE(wrong), after.tx_ops);
	EXPECT_TRUE(is_guard(self->mem, LEN));
	EXPECT_EQ(10, region_get(self->fds[A], handles[A], 0, self->buf, 10));
}

TEST_HARNESS_MAIN
