// SPDX-License-Identifier: GPL-2.0
/*
 * Records sent from memory that is already pinned: ST_SEND_FROM.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/errqueue.h>

#include "kselftest_harness.h"

#include "common.h"
#include "ctl.h"
#include "region_fixture.h"

#define OFFSET	4321

static ssize_t send_from(int fd, __u32 region, __u64 offset, __u64 len, int flags)
{
	const struct st_send_from from = { .region = region, .offset = offset, .len = len };

	return region_op(fd, ST_SEND_FROM, &from, sizeof(from), NULL, 0, flags);
}

/* With another control message */
static ssize_t send_two(int fd, const struct st_send_from *from, int type, const void *other,
			size_t len, int flags)
{
	union {
		char room[2 * CMSG_SPACE(64)];
		struct cmsghdr align;
	} control = {};
	struct msghdr msg = {
		.msg_control	= &control,
		.msg_controllen	= CMSG_SPACE(len) + CMSG_SPACE(sizeof(*from)),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = SOL_ST;
	cmsg->cmsg_type = type;
	cmsg->cmsg_len = CMSG_LEN(len);
	memcpy(CMSG_DATA(cmsg), other, len);
	cmsg = CMSG_NXTHDR(&msg, cmsg);
	cmsg->cmsg_level = SOL_ST;
	cmsg->cmsg_type = ST_SEND_FROM;
	cmsg->cmsg_len = CMSG_LEN(sizeof(*from));
	memcpy(CMSG_DATA(cmsg), from, sizeof(*from));
	return sendmsg(fd, &msg, flags | MSG_NOSIGNAL);
}

struct sending {
	int fd;
	struct st_send_from from;
	ssize_t result;
};

static void *send_thread(void *arg)
{
	struct sending *s = arg;

	s->result = region_op(s->fd, ST_SEND_FROM, &s->from, sizeof(s->from), NULL, 0, 0);
	return NULL;
}

/* A call that waits for its record to be received */
static void expect_sent(struct __test_metadata *_metadata, int fds[2], struct st_send_from from,
			char *to)
{
	struct sending s = { .fd = fds[A], .from = from };
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, send_thread, &s));
	EXPECT_EQ((ssize_t)from.len, recv_record(fds[B], to, from.len));
	pthread_join(thread, NULL);
	EXPECT_EQ((ssize_t)from.len, s.result);
}

/* Checks that all sends with MSG_ZEROCOPY up to this one have completed without a copy. */
static bool sent(int fd, __u32 number)
{
	struct sock_extended_err ee;
	union {
		char room[CMSG_SPACE(sizeof(ee))];
		struct cmsghdr align;
	} control;
	struct msghdr msg = { .msg_control = &control };
	struct cmsghdr *cmsg;

	do {
		msg.msg_controllen = sizeof(control);
		if (!(poll_for(fd, POLLERR, SOON_MS) & POLLERR) ||
		    recvmsg(fd, &msg, MSG_ERRQUEUE))
			return false;
		cmsg = CMSG_FIRSTHDR(&msg);
		if (!cmsg || cmsg->cmsg_type != ST_RECVERR)
			return false;
		memcpy(&ee, CMSG_DATA(cmsg), sizeof(ee));
		if (ee.ee_origin != SO_EE_ORIGIN_ZEROCOPY || ee.ee_code)
			return false;
	} while (ee.ee_data < number);
	return ee.ee_data == number;
}

static bool wants_zerocopy(int fd)
{
	int one = 1;

	return !setsockopt(fd, SOL_SOCKET, SO_ZEROCOPY, &one, sizeof(one));
}

TEST_F(region, send_from_memory_of_the_process)
{
	long handle = region_expose(self->fds[A], self->buf, LEN, 0);

	ASSERT_LE(0, handle);
	fill(self->buf, LEN, 1, 0);
	expect_sent(_metadata, self->fds, (struct st_send_from) {
		.region = handle, .offset = OFFSET, .len = 3 * MIB }, self->mem);
	EXPECT_TRUE(is_filled(self->mem, 3 * MIB, 1, OFFSET));
	/* All of it, its last byte, and what may be a short record */
	expect_sent(_metadata, self->fds, (struct st_send_from) {
		.region = handle, .len = LEN }, self->mem);
	EXPECT_TRUE(is_filled(self->mem, LEN, 1, 0));
	expect_sent(_metadata, self->fds, (struct st_send_from) {
		.region = handle, .offset = LEN - 1, .len = 1 }, self->mem);
	EXPECT_TRUE(is_filled(self->mem, 1, 1, LEN - 1));
	expect_sent(_metadata, self->fds, (struct st_send_from) {
		.region = handle, .offset = OFFSET, .len = 100 }, self->mem);
	EXPECT_TRUE(is_filled(self->mem, 100, 1, OFFSET));
	/* The current contents are sent, from the first byte of a page or not */
	fill(self->buf, LEN, 2, 0);
	expect_sent(_metadata, self->fds, (struct st_send_from) {
		.region = handle, .offset = 4095, .len = 2 * MIB }, self->mem);
	EXPECT_TRUE(is_filled(self->mem, 2 * MIB, 2, 4095));
}

TEST_F(region, send_from_memory_of_the_kernel)
{
	struct st_region_offer offer = { .len = LEN, .access = ST_REGION_GET };
	char *map;

	ASSERT_EQ(0, region_offer(self->fds[A], SIOCSTALLOC, &offer));
	map = mmap(NULL, LEN, PROT_READ | PROT_WRITE, MAP_SHARED, self->fds[A], offer.addr);
	ASSERT_NE(MAP_FAILED, map);
	fill(map, LEN, 3, 0);
	expect_sent(_metadata, self->fds, (struct st_send_from) {
		.region = offer.region, .offset = OFFSET, .len = MIB }, self->mem);
	EXPECT_TRUE(is_filled(self->mem, MIB, 3, OFFSET));
	munmap(map, LEN);
}

/* The peer cannot use memory lent without any access. */
TEST_F(region, nothing_for_the_peer)
{
	struct st_region_offer offer = {
		.addr = (unsigned long)self->buf, .len = LEN, .flags = ST_REGION_ANSWER,
	};
	long mine = region_expose(self->fds[A], self->buf, LEN, 0);
	struct st_region_info info;
	struct st_event event;

	ASSERT_LE(0, mine);
	EXPECT_ERRNO(EACCES, region_request(self->fds[B], 1, 0));
	ASSERT_EQ(0, region_info(self->fds[A], mine, &info));
	EXPECT_EQ(0, info.granted);
	EXPECT_EQ(0, info.access);
	EXPECT_EQ(LEN, info.len);
	/* Nor when it requests the memory and waits */
	ASSERT_EQ(0, region_option(self->fds[A], ST_REGION_EVENTS, ST_REGION_EV_REQUEST));
	ASSERT_LE(0, region_request(self->fds[B], 1, ST_REGION_NOWAIT));
	ASSERT_TRUE(region_next_event(self->fds[A], ST_EVENT_REGION_REQUEST, &event));
	offer.request = event.id;
	EXPECT_ERRNO(EINVAL, region_offer(self->fds[A], SIOCSTEXPOSE, &offer));
}

/* Memory that begins in the middle of a page, and a region that ends while a call waits */
TEST_F(region, send_from_a_region_that_ends)
{
	long handle = region_expose(self->fds[A], self->buf + 777, 3 * MIB, 0);
	struct sending s = {
		.fd = self->fds[A],
		.from = { .region = handle, .offset = OFFSET, .len = 2 * MIB },
	};
	pthread_t thread;

	ASSERT_LE(0, handle);
	fill(self->buf, LEN, 8, 0);
	ASSERT_EQ(0, pthread_create(&thread, NULL, send_thread, &s));
	ASSERT_EQ(POLLIN, poll_for(self->fds[B], POLLIN, SOON_MS));
	ASSERT_EQ(0, region_option(self->fds[A], ST_REGION_END, handle));
	EXPECT_EQ(2 * (ssize_t)MIB, recv_record(self->fds[B], self->mem, LEN));
	pthread_join(thread, NULL);
	EXPECT_EQ(2 * (ssize_t)MIB, s.result);
	EXPECT_TRUE(is_filled(self->mem, 2 * MIB, 8, 777 + OFFSET));
}

/* Pending memory counts towards the limits, and is released when the connection ends. */
TEST_F_TIMEOUT(region, send_from_counts, 60)
{
	struct st_region_offer offer = { .len = MIB };

	ASSERT_TRUE(wants_zerocopy(self->fds[A]));
	ASSERT_TRUE(sysctl_set(A, "max_regions", 1));
	ASSERT_EQ(0, region_offer(self->fds[A], SIOCSTALLOC, &offer));
	/* The peer reads none of it */
	ASSERT_EQ(1000000, send_from(self->fds[A], offer.region, 0, 1000000, MSG_ZEROCOPY));
	ASSERT_EQ(POLLIN, poll_for(self->fds[B], POLLIN, SOON_MS));
	ASSERT_EQ(0, region_option(self->fds[A], ST_REGION_END, offer.region));
	EXPECT_ERRNO(ENOBUFS, region_offer(self->fds[A], SIOCSTALLOC, &offer));
	ASSERT_EQ(1000000, recv_record(self->fds[B], self->mem, LEN));
	ASSERT_TRUE(sent(self->fds[A], 0));
	offer.addr = 0;
	ASSERT_EQ(0, region_offer(self->fds[A], SIOCSTALLOC, &offer));
	ASSERT_EQ(1000000, send_from(self->fds[A], offer.region, 0, 1000000, MSG_ZEROCOPY));
	ASSERT_EQ(POLLIN, poll_for(self->fds[B], POLLIN, SOON_MS));
	close(self->fds[A]);
	close(self->fds[B]);
	/* Connections of the previous program are given up only after all repetitions. */
	ASSERT_TRUE(no_sockets(4 * SOON_MS));
	ASSERT_TRUE(new_pair(self->fds));
	offer.addr = 0;
	EXPECT_EQ(0, region_offer(self->fds[A], SIOCSTALLOC, &offer));
}

/* Without a wait: the memory belongs to the application again once the error queue reports it. */
TEST_F_TIMEOUT(region, send_from_does_not_wait, 60)
{
	long handle = region_expose(self->fds[A], self->buf, LEN, 0);

	ASSERT_LE(0, handle);
	ASSERT_TRUE(wants_zerocopy(self->fds[A]));
	fill(self->buf, LEN, 4, 0);
	ASSERT_EQ((ssize_t)MIB, send_from(self->fds[A], handle, OFFSET, MIB, MSG_ZEROCOPY));
	ASSERT_EQ(2 * (ssize_t)MIB, send_from(self->fds[A], handle, 0, 2 * MIB,
					      MSG_ZEROCOPY | MSG_DONTWAIT));
	EXPECT_EQ(0, poll_for(self->fds[A], POLLERR, BRIEF_MS));
	ASSERT_EQ((ssize_t)MIB, recv_record(self->fds[B], self->mem, LEN));
	EXPECT_TRUE(is_filled(self->mem, MIB, 4, OFFSET));
	EXPECT_TRUE(sent(self->fds[A], 0));
	/* Its end does not affect pending records */
	ASSERT_EQ(0, region_option(self->fds[A], ST_REGION_END, handle));
	EXPECT_ERRNO(ENOENT, send_from(self->fds[A], handle, 0, 1, MSG_ZEROCOPY));
	ASSERT_EQ(2 * (ssize_t)MIB, recv_record(self->fds[B], self->mem, LEN));
	EXPECT_TRUE(is_filled(self->mem, 2 * MIB, 4, 0));
	EXPECT_TRUE(sent(self->fds[A], 1));
}

/* A copy, as nobody waits or is notified */
TEST_F(region, send_from_copies)
{
	long handle = region_expose(self->fds[A], self->buf, LEN, 0);

	ASSERT_LE(0, handle);
	fill(self->buf, 60000, 5, 0);
	ASSERT_EQ(50000, send_from(self->fds[A], handle, 77, 50000, MSG_DONTWAIT));
	memset(self->buf, GUARD, 60000);
	ASSERT_EQ(50000, recv_record(self->fds[B], self->mem, LEN));
	EXPECT_TRUE(is_filled(self->mem, 50000, 5, 77));
	/* More than SO_SNDBUF */
	EXPECT_ERRNO(EMSGSIZE, send_from(self->fds[A], handle, 0, LEN, MSG_DONTWAIT));
}

TEST_F(region, send_from_answers_a_read)
{
	long handle = region_expose(self->fds[A], self->buf, LEN, 0);
	const struct st_send_from from = { .region = handle, .offset = OFFSET, .len = MIB };
	struct st_read_answer answer = {};
	int serve = ST_SERVE_READS;
	struct st_event event;

	ASSERT_LE(0, handle);
	ASSERT_TRUE(wants_zerocopy(self->fds[A]));
	ASSERT_EQ(0, setsockopt(self->fds[A], SOL_ST, ST_SERVE, &serve, sizeof(serve)));
	fill(self->buf, LEN, 6, 0);
	ASSERT_EQ(0, read_ask(self->fds[B], MIB, 9, 1));
	ASSERT_TRUE(next_event(self->fds[A], &event, SOON_MS));
	ASSERT_EQ(ST_EVENT_READ_REQUEST, event.type);
	answer.id = event.id;
	ASSERT_EQ((ssize_t)MIB, send_two(self->fds[A], &from, ST_READ_ANSWER, &answer,
					 sizeof(answer), MSG_ZEROCOPY));
	ASSERT_EQ((ssize_t)MIB, recv_record(self->fds[B], self->mem, LEN));
	EXPECT_TRUE(is_filled(self->mem, MIB, 6, OFFSET));
}

TEST_F(region, send_from_errors)
{
	const struct iovec iov = { .iov_base = self->buf, .iov_len = 1 };
	const struct st_end end = { .what = ST_END_SEND };
	const struct st_read read = { .len = 1 };
	struct st_send_from from = { .len = 1 };
	struct st_put put = {};
	long mine, theirs;

	/* Before there is a region */
	EXPECT_ERRNO(ENOENT, send_from(self->fds[A], 0, 0, 1, 0));
	mine = region_expose(self->fds[A], self->buf, 8192, 0);
	ASSERT_LE(0, mine);
	ASSERT_LE(0, region_expose(self->fds[B], self->mem, 4096, ALL));
	theirs = region_request(self->fds[A], 4096, 0);
	ASSERT_LE(0, theirs);
	EXPECT_ERRNO(ENOENT, send_from(self->fds[A], theirs, 0, 1, 0));
	EXPECT_ERRNO(ENOENT, send_from(self->fds[A], mine + 100, 0, 1, 0));
	EXPECT_ERRNO(ERANGE, send_from(self->fds[A], mine, 8192, 1, 0));
	EXPECT_ERRNO(ERANGE, send_from(self->fds[A], mine, 1, 8192, 0));
	EXPECT_ERRNO(ERANGE, send_from(self->fds[A], mine, ~0ULL, 1, 0));
	EXPECT_ERRNO(ERANGE, send_from(self->fds[A], mine, ~0ULL, 2, 0));
	EXPECT_ERRNO(EMSGSIZE, send_from(self->fds[A], mine, 0, ~0ULL, 0));
	EXPECT_ERRNO(EINVAL, send_from(self->fds[A], mine, 0, 0, 0));
	EXPECT_ERRNO(EOPNOTSUPP, send_from(self->fds[A], mine, 0, 1, MSG_MORE));
	from.region = mine;
	from.reserved = 1;
	EXPECT_ERRNO(EINVAL, region_op(self->fds[A], ST_SEND_FROM, &from, sizeof(from), NULL,
				       0, 0));
	from.reserved = 0;
	EXPECT_ERRNO(EINVAL, region_op(self->fds[A], ST_SEND_FROM, &from, sizeof(from) - 1,
				       NULL, 0, 0));
	EXPECT_ERRNO(EINVAL, region_op(self->fds[A], ST_SEND_FROM, &from, sizeof(from), &iov,
				       1, 0));
	/* Two control messages, which form no list; and with a message without bytes */
	EXPECT_ERRNO(EINVAL, send_two(self->fds[A], &from, ST_SEND_FROM, &from, sizeof(from),
				      0));
	EXPECT_ERRNO(EINVAL, send_two(self->fds[A], &from, ST_END, &end, sizeof(end), 0));
	EXPECT_ERRNO(EINVAL, send_two(self->fds[A], &from, ST_READ, &read, sizeof(read), 0));
	EXPECT_ERRNO(EINVAL, send_two(self->fds[A], &from, ST_PUT, &put, sizeof(put), 0));
	/* Nothing was sent, and the connection still works */
	ASSERT_EQ(1, send(self->fds[A], "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL));
	ASSERT_EQ(1, recv_record(self->fds[B], self->mem, LEN));
	EXPECT_EQ('x', self->mem[0]);
}

/* As an unprivileged user: memory that is sent from is locked once. */
static void locked_memory(struct __test_metadata *_metadata, int fds[2], char *buf, char *to)
{
	const struct rlimit lock = { .rlim_cur = 65536, .rlim_max = 65536 };
	long handle;
	__u32 i;

	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &lock));
	ASSERT_EQ(0, setresuid(NOBODY, NOBODY, NOBODY));
	ASSERT_TRUE(wants_zerocopy(fds[A]));
	fill(buf, 50000, 7, 0);
	handle = region_expose(fds[A], buf, 50000, 0);
	ASSERT_LE(0, handle);
	EXPECT_ERRNO(ENOBUFS, send(fds[A], buf, 50000, MSG_ZEROCOPY | MSG_NOSIGNAL));
	for (i = 0; i < 4; i++)
		ASSERT_EQ(40000, send_from(fds[A], handle, 5, 40000, MSG_ZEROCOPY));
	for (i = 0; i < 4; i++) {
		ASSERT_EQ(40000, recv_record(fds[B], to, 40000));
		EXPECT_TRUE(is_filled(to, 40000, 7, 5));
	}
	/* Released when the region has ended and everything is sent */
	ASSERT_TRUE(sent(fds[A], 3));
	ASSERT_EQ(0, region_option(fds[A], ST_REGION_END, handle));
	for (i = 0; i < 4; i++) {
		handle = region_expose(fds[A], buf, 50000, 0);
		ASSERT_LE(0, handle);
		ASSERT_EQ(0, region_option(fds[A], ST_REGION_END, handle));
	}
}

TEST_F_TIMEOUT(region, send_from_locks_nothing, 60)
{
	pid_t child = fork();
	int status;

	ASSERT_LE(0, child);
	if (!child) {
		locked_memory(_metadata, self->fds, self->buf, self->mem);
		_exit(!__test_passed(_metadata));
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
}

TEST_HARNESS_MAIN
