// SPDX-License-Identifier: GPL-2.0
/*
 * Structures that programs pass to the kernel: unused bytes must be zero, and additions of
 * a newer program or kernel are refused or left out.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"
#include "ctl.h"
#include "region.h"

#define FLIPPED		0x80	/* a bit that is no flag */

/* Passes a structure to the kernel. Returns 0, or -1 with errno. */
typedef int give(int fd, const void *what, size_t size);

FIXTURE(abi)
{
	int fds[2];
	char *mem;
};

FIXTURE_SETUP(abi)
{
	self->mem = new_pages(4096);
	ASSERT_NE(NULL, self->mem);
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(abi)
{
	close(self->fds[A]);
	close(self->fds[B]);
}

/* Flips every unused byte, where @known is zero: each fails with EINVAL. */
static void flip(struct __test_metadata *_metadata, give *give, int fd, void *what,
		 const void *known, size_t size)
{
	const unsigned char *meaning = known;
	unsigned char *byte = what;
	size_t i, tried = 0;

	for (i = 0; i < size; i++) {
		if (meaning[i])
			continue;
		byte[i] ^= FLIPPED;
		errno = 0;
		EXPECT_EQ(-1, give(fd, what, size)) TH_LOG("byte %zu of %zu", i, size);
		EXPECT_EQ(EINVAL, errno) TH_LOG("byte %zu of %zu", i, size);
		byte[i] ^= FLIPPED;
		tried++;
	}
	EXPECT_LT(0, tried);
}

/* Fields whose every value is valid are -1 */
#define FLIP(give, fd, what, ...) do {						\
	const __typeof__(what) known = { __VA_ARGS__ };				\
										\
	flip(_metadata, give, fd, &(what), &known, sizeof(what));		\
} while (0)

static int give_bind(int fd, const void *what, size_t size)
{
	return bind(fd, what, size);
}

static int give_connect(int fd, const void *what, size_t size)
{
	return connect(fd, what, size);
}

static int give_ways(int fd, const void *what, size_t size)
{
	return setsockopt(fd, SOL_ST, ST_STRIPE_ADDRS, what, size);
}

TEST_F(abi, addresses)
{
	struct sockaddr_st addr = address(B, 2000);
	int fd = new_socket(A, 0), one = 1;

	FLIP(give_connect, fd, addr, .sst_family = -1, .sst_port = -1, .sst_ifindex = -1,
	     .sst_llp = -1, .sst_addr = { [0 ... ULA_LEN - 1] = 1 });
	FLIP(give_bind, fd, addr, .sst_family = -1, .sst_port = -1, .sst_ifindex = -1,
	     .sst_llp = -1, .sst_addr = { [0 ... ULA_LEN - 1] = 1 });
	ASSERT_EQ(0, setsockopt(fd, SOL_ST, ST_STRIPE, &one, sizeof(one)));
	addr.sst_port = 0;
	FLIP(give_ways, fd, addr, .sst_family = -1, .sst_ifindex = -1, .sst_llp = -1,
	     .sst_addr = { [0 ... ULA_LEN - 1] = 1 });
	close(fd);
}

static int give_state(int fd, const void *what, size_t size)
{
	(void)size;
	return ioctl(fd, SIOCSTSTATE, what);
}

static int give_expose(int fd, const void *what, size_t size)
{
	(void)size;
	return ioctl(fd, SIOCSTEXPOSE, what);
}

static int give_alloc(int fd, const void *what, size_t size)
{
	(void)size;
	return ioctl(fd, SIOCSTALLOC, what);
}

static int give_request(int fd, const void *what, size_t size)
{
	(void)size;
	return ioctl(fd, SIOCSTREQUEST, what);
}

TEST_F(abi, calls_of_ioctl)
{
	struct st_peer_state state = { .size = sizeof(state), .what = ST_STATE_SLOTS };
	struct st_region_request request = { .size = sizeof(request), .len = 1 };
	struct st_region_offer offer = {
		.size = sizeof(offer),
		.addr = (unsigned long)self->mem,
		.len = 4096,
	};

	FLIP(give_state, self->fds[A], state, .size = -1);
	state.what = ST_STATE_TRANSFER;
	FLIP(give_state, self->fds[A], state, .size = -1, .id = -1);
	FLIP(give_expose, self->fds[A], offer, .size = -1, .addr = -1, .len = -1, .token = -1);
	offer.addr = 0;
	FLIP(give_alloc, self->fds[A], offer, .size = -1, .len = -1, .token = -1);
	FLIP(give_request, self->fds[A], request, .size = -1, .len = -1, .token = -1);
}

/* A call of another version: shorter, longer with zeros, longer with more than zeros */
TEST_F(abi, sizes)
{
	struct {
		struct st_peer_state state;
		__u64 more;
	} call = { .state = { .what = ST_STATE_SLOTS } };
	struct st_peer_state *state = &call.state;

	state->size = ST_PEER_STATE_SIZE_VER0 - 1;
	EXPECT_ERRNO(EINVAL, ioctl(self->fds[A], SIOCSTSTATE, state));
	state->size = sizeof(call);
	call.more = 1;
	EXPECT_ERRNO(E2BIG, ioctl(self->fds[A], SIOCSTSTATE, state));
	call.more = 0;
	EXPECT_EQ(0, ioctl(self->fds[A], SIOCSTSTATE, state));
	EXPECT_EQ(sizeof(call), state->size);
	EXPECT_EQ(1, state->known);
	state->size = 1 << 20;
	EXPECT_ERRNO(E2BIG, ioctl(self->fds[A], SIOCSTSTATE, state));
}

static int ctl_type;

static int give_ctl(int fd, const void *what, size_t size)
{
	return send_ctl(fd, NULL, 0, MSG_DONTWAIT, ctl_type, what, size) < 0 ? -1 : 0;
}

TEST_F(abi, control_messages)
{
	struct st_fetchop fetchop = { .op = ST_FETCH_CLEAR, .flags = ST_POST };
	struct st_get get = { .flags = ST_POST };
	struct st_put put = { .flags = ST_POST };
	struct st_read_answer answer = {};
	struct st_send_from from = { .len = 1 };
	struct st_write_answer write = {};
	struct st_read read = {};
	struct st_send send = {};
	struct st_end end = {};

	ctl_type = ST_PUT;
	FLIP(give_ctl, self->fds[A], put, .region = -1, .offset = -1, .token = -1, .local = -1,
	     .opaque = -1);
	ctl_type = ST_GET;
	FLIP(give_ctl, self->fds[A], get, .region = -1, .offset = -1, .addr = -1, .len = -1,
	     .token = -1, .local = -1);
	ctl_type = ST_FETCHOP;
	FLIP(give_ctl, self->fds[A], fetchop, .region = -1, .offset = -1, .token = -1, .local = -1);
	ctl_type = ST_READ;
	FLIP(give_ctl, self->fds[A], read, .len = -1, .token = -1);
	ctl_type = ST_READ_ANSWER;
	FLIP(give_ctl, self->fds[A], answer, .id = -1);
	ctl_type = ST_WRITE_ANSWER;
	FLIP(give_ctl, self->fds[A], write, .id = -1);
	ctl_type = ST_SEND;
	FLIP(give_ctl, self->fds[A], send, .opaque = -1, .cts_req = -1);
	ctl_type = ST_SEND_FROM;
	FLIP(give_ctl, self->fds[A], from, .region = -1, .offset = -1, .len = -1);
	ctl_type = ST_END;
	FLIP(give_ctl, self->fds[A], end, .id = -1);
	end.what = ST_END_READ;
	FLIP(give_ctl, self->fds[A], end, .token = -1);
}

/* Bytes unknown to the kernel must be zero; a structure of an older program is too short. */
TEST_F(abi, option_that_grows)
{
	struct {
		struct st_send send;
		__u64 more;
	} option = { .send = { .channel = 2 } }, got;
	socklen_t len = sizeof(got);

	EXPECT_EQ(0, setsockopt(self->fds[A], SOL_ST, ST_SEND_DEFAULT, &option, sizeof(option)));
	ASSERT_EQ(0, getsockopt(self->fds[A], SOL_ST, ST_SEND_DEFAULT, &got, &len));
	EXPECT_EQ(sizeof(got.send), len);
	EXPECT_EQ(2, got.send.channel);
	option.more = 1;
	EXPECT_ERRNO(E2BIG, setsockopt(self->fds[A], SOL_ST, ST_SEND_DEFAULT, &option,
				       sizeof(option)));
	EXPECT_ERRNO(EINVAL, setsockopt(self->fds[A], SOL_ST, ST_SEND_DEFAULT, &option,
					sizeof(option.send) - 1));
	/* Missing bytes are not read, whatever their length. */
	EXPECT_ERRNO(E2BIG, setsockopt(self->fds[A], SOL_ST, ST_SEND_DEFAULT, self->mem,
				       sysconf(_SC_PAGESIZE) + 1));
}

/* SO_MARK and SO_PRIORITY belong to a record; a call that sends no record refuses them. */
TEST_F(abi, marks_of_nothing)
{
	const struct st_read read = { .len = 100 };
	struct st_send how;
	const __u32 mark = 7;
	union {
		struct cmsghdr hdr;
		char room[CMSG_SPACE(sizeof(how)) + CMSG_SPACE(sizeof(read))];
	} ctl = { .hdr = { CMSG_LEN(sizeof(mark)), SOL_SOCKET, SO_MARK } };
	struct iovec iov = { .iov_base = self->mem, .iov_len = 100 };
	struct msghdr msg = { .msg_control = &ctl, .msg_controllen = sizeof(ctl) };
	struct cmsghdr *cmsg;

	memcpy(CMSG_DATA(&ctl.hdr), &mark, sizeof(mark));
	cmsg = CMSG_NXTHDR(&msg, &ctl.hdr);
	*cmsg = (struct cmsghdr){ CMSG_LEN(sizeof(read)), SOL_ST, ST_READ };
	memcpy(CMSG_DATA(cmsg), &read, sizeof(read));
	EXPECT_ERRNO(EINVAL, sendmsg(self->fds[A], &msg, MSG_DONTWAIT));
	/* ST_SEND is refused as well */
	ctl.hdr = (struct cmsghdr){ CMSG_LEN(sizeof(how)), SOL_ST, ST_SEND };
	memset(CMSG_DATA(&ctl.hdr), 0, sizeof(how));
	cmsg = CMSG_NXTHDR(&msg, &ctl.hdr);
	*cmsg = (struct cmsghdr){ CMSG_LEN(sizeof(read)), SOL_ST, ST_READ };
	memcpy(CMSG_DATA(cmsg), &read, sizeof(read));
	EXPECT_ERRNO(EINVAL, sendmsg(self->fds[A], &msg, MSG_DONTWAIT));
	ctl.hdr = (struct cmsghdr){ CMSG_LEN(sizeof(mark)), SOL_SOCKET, SO_MARK };
	memcpy(CMSG_DATA(&ctl.hdr), &mark, sizeof(mark));
	msg.msg_controllen = CMSG_SPACE(sizeof(mark));
	msg.msg_iov = &iov;
	msg.msg_iovlen = 1;
	EXPECT_EQ(100, sendmsg(self->fds[A], &msg, MSG_DONTWAIT));
	EXPECT_EQ(100, sendmsg(self->fds[A], &msg, MSG_DONTWAIT | MSG_MORE));
	/* The stream has the mark of its first call. */
	EXPECT_ERRNO(EINVAL, sendmsg(self->fds[A], &msg, MSG_DONTWAIT | MSG_MORE));
	EXPECT_EQ(100, send(self->fds[A], self->mem, 100, MSG_DONTWAIT));
}

/* The result is truncated to the available room, except the handle. */
TEST_F(abi, options_of_regions)
{
	struct st_region_info info[2] = {};
	int events = ST_REGION_EV_PUT;
	__u64 wide = ~0ULL;
	long mine;
	socklen_t len;

	mine = region_expose(self->fds[A], self->mem, 4096, 0);
	ASSERT_LE(0, mine);
	for (len = 0; len < 4; len++)
		EXPECT_ERRNO(EINVAL, getsockopt(self->fds[A], SOL_ST, ST_REGION_INFO, info, &len));
	info[0].region = mine;
	info[0].len = 7;
	len = offsetof(struct st_region_info, len);
	ASSERT_EQ(0, getsockopt(self->fds[A], SOL_ST, ST_REGION_INFO, info, &len));
	EXPECT_EQ(offsetof(struct st_region_info, len), len);
	EXPECT_EQ(7, info[0].len);
	len = sizeof(info);
	ASSERT_EQ(0, getsockopt(self->fds[A], SOL_ST, ST_REGION_INFO, info, &len));
	EXPECT_EQ(sizeof(info[0]), len);
	EXPECT_EQ(4096, info[0].len);

	ASSERT_EQ(0, setsockopt(self->fds[A], SOL_ST, ST_REGION_EVENTS, &events, sizeof(events)));
	len = sizeof(wide);
	ASSERT_EQ(0, getsockopt(self->fds[A], SOL_ST, ST_REGION_EVENTS, &wide, &len));
	EXPECT_EQ(sizeof(events), len);
	EXPECT_EQ(0, memcmp(&wide, &events, sizeof(events)));
	len = 3;
	EXPECT_ERRNO(EINVAL, getsockopt(self->fds[A], SOL_ST, ST_REGION_EVENTS, &wide, &len));
}

/* ST_RECV is delivered on request, whole or truncated. */
TEST_F(abi, information_on_records)
{
	const int wanted = ST_RECVINFO_RECORD;
	union {
		struct cmsghdr hdr;
		char room[CMSG_SPACE(sizeof(struct st_recv))];
	} ctl = {};
	char byte = 'x';
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &ctl };
	int i;

	for (i = 0; i < 3; i++)
		ASSERT_EQ(1, send(self->fds[A], &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT));
	msg.msg_controllen = sizeof(ctl);
	ASSERT_EQ(1, recvmsg(self->fds[B], &msg, 0));
	EXPECT_EQ(0, msg.msg_controllen);
	EXPECT_EQ(MSG_EOR, msg.msg_flags);
	ASSERT_EQ(0, setsockopt(self->fds[B], SOL_ST, ST_RECVINFO, &wanted, sizeof(wanted)));
	msg.msg_controllen = sizeof(ctl);
	ASSERT_EQ(1, recvmsg(self->fds[B], &msg, 0));
	EXPECT_EQ(MSG_EOR, msg.msg_flags);
	EXPECT_EQ(CMSG_LEN(sizeof(struct st_recv)), ctl.hdr.cmsg_len);
	EXPECT_EQ(ST_RECV, ctl.hdr.cmsg_type);
	msg.msg_controllen = CMSG_LEN(8);
	ASSERT_EQ(1, recvmsg(self->fds[B], &msg, 0));
	EXPECT_EQ(MSG_EOR | MSG_CTRUNC, msg.msg_flags);
	EXPECT_EQ(CMSG_LEN(8), ctl.hdr.cmsg_len);
	EXPECT_ERRNO(EINVAL, setsockopt(self->fds[B], SOL_ST, ST_RECVINFO, &(int){ 4 }, 4));
}

/* Whatever its room, the bytes are received, and nothing is written behind the room. */
TEST_F(abi, any_room_for_information)
{
	const int wanted = ST_RECVINFO_RECORD;
	const size_t whole = CMSG_LEN(sizeof(struct st_recv));
	union {
		struct cmsghdr hdr;
		unsigned char room[CMSG_SPACE(sizeof(struct st_recv)) + 16];
	} ctl;
	char byte;
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &ctl };
	size_t room, i;

	ASSERT_EQ(0, setsockopt(self->fds[B], SOL_ST, ST_RECVINFO, &wanted, sizeof(wanted)));
	for (room = 0; room <= sizeof(ctl); room++) {
		memset(&ctl, 0xa5, sizeof(ctl));
		msg.msg_controllen = room;
		byte = room;
		ASSERT_EQ(1, send(self->fds[A], &byte, 1, MSG_NOSIGNAL));
		byte = ~byte;
		ASSERT_EQ(1, recvmsg(self->fds[B], &msg, 0));
		EXPECT_EQ((char)room, byte);
		EXPECT_EQ(room < whole ? MSG_EOR | MSG_CTRUNC : MSG_EOR, msg.msg_flags);
		EXPECT_GE(room, msg.msg_controllen);
		for (i = room; i < sizeof(ctl); i++)
			EXPECT_EQ(0xa5, ctl.room[i]);
	}
}

TEST_HARNESS_MAIN
