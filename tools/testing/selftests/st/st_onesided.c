// SPDX-License-Identifier: GPL-2.0
/*
 * Put, Get and FetchOp: sizes, edges, permissions, and correct sums.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"
#include "region_fixture.h"

#define MARGIN		8192

TEST_F_TIMEOUT(region, put_and_get_sizes, 300)
{
	static const size_t sizes[] = { 0, 1, 7, 8, 255, 256, 4095, 4096, 4097, 65535, MIB };
	long handles[2];
	size_t i;

	memset(self->mem, GUARD, LEN);
	ASSERT_TRUE(grant(self->fds, self->mem + MARGIN + 3, LEN - 2 * MARGIN, ALL, handles));
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		char *at = self->mem + MARGIN + 3 + 777;
		size_t n = sizes[i];

		fill(self->buf, n, i, 0);
		ASSERT_EQ((ssize_t)n, region_put(self->fds[A], handles[A], 777, self->buf, n, 0))
			TH_LOG("%zu bytes: errno %d", n, errno);
		ASSERT_TRUE(is_filled(at, n, i, 0));
		ASSERT_TRUE(is_guard(self->mem, at - self->mem));
		ASSERT_TRUE(is_guard(at + n, self->mem + LEN - at - n)) TH_LOG("%zu bytes", n);
		if (n > ST_GET_MAX) {
			EXPECT_ERRNO(EMSGSIZE,
				     region_get(self->fds[A], handles[A], 777, self->buf, n));
		} else {
			memset(self->buf, GUARD, n + MARGIN);
			ASSERT_EQ((ssize_t)n,
				  region_get(self->fds[A], handles[A], 777, self->buf, n))
				TH_LOG("%zu bytes: errno %d", n, errno);
			ASSERT_TRUE(is_filled(self->buf, n, i, 0));
			ASSERT_TRUE(is_guard(self->buf + n, MARGIN));
		}
		memset(at, GUARD, n);
	}
}

TEST_F_TIMEOUT(region, every_edge, 200)
{
	const size_t len = 3 * 4096 + 100;
	char *at = self->mem + MARGIN + 5;
	long handles[2];
	size_t n;

	memset(self->mem, GUARD, LEN);
	ASSERT_TRUE(grant(self->fds, at, len, ALL, handles));
	fill(self->buf, len + 1, 1, 0);
	for (n = 0; n <= 9; n++) {
		EXPECT_EQ((ssize_t)n, region_put(self->fds[A], handles[A], 0, self->buf, n, 0));
		EXPECT_EQ((ssize_t)n,
			  region_put(self->fds[A], handles[A], len - n, self->buf, n, 0));
		EXPECT_TRUE(is_filled(at, n, 1, 0));
		EXPECT_TRUE(is_filled(at + len - n, n, 1, 0));
		EXPECT_ERRNO(ERANGE,
			     region_put(self->fds[A], handles[A], len - n, self->buf, n + 1, 0));
		EXPECT_ERRNO(ERANGE,
			     region_get(self->fds[A], handles[A], len - n, self->buf, n + 1));
	}
	EXPECT_ERRNO(ERANGE, region_put(self->fds[A], handles[A], len + 1, self->buf, 0, 0));
	EXPECT_ERRNO(ERANGE, region_put(self->fds[A], handles[A], ~0ULL, self->buf, 1, 0));
	EXPECT_ERRNO(ERANGE, region_get(self->fds[A], handles[A], ~0ULL, self->buf, 2));
	EXPECT_ERRNO(ERANGE, region_put(self->fds[A], handles[A], 0, self->buf, len + 1, 0));
	EXPECT_EQ((ssize_t)len, region_put(self->fds[A], handles[A], 0, self->buf, len, 0));
	EXPECT_TRUE(is_filled(at, len, 1, 0));
	EXPECT_TRUE(is_guard(self->mem, at - self->mem));
	EXPECT_TRUE(is_guard(at + len, self->mem + LEN - at - len));
}

TEST_F(region, bytes_are_placed_in_the_memory_that_was_lent)
{
	struct st_info before, after;
	socklen_t size = sizeof(before);
	long handles[2];

	ASSERT_TRUE(grant(self->fds, self->mem, LEN, ALL, handles));
	ASSERT_EQ(0, getsockopt(self->fds[B], SOL_ST, ST_INFO, &before, &size));
	fill(self->buf, MIB, 1, 0);
	ASSERT_EQ((ssize_t)MIB, region_put(self->fds[A], handles[A], 0, self->buf, MIB, 0));
	ASSERT_EQ(0, getsockopt(self->fds[B], SOL_ST, ST_INFO, &after, &size));
	EXPECT_EQ(MIB, after.rx_direct - before.rx_direct);
	ASSERT_EQ(0, getsockopt(self->fds[A], SOL_ST, ST_INFO, &before, &size));
	ASSERT_EQ(65535, region_get(self->fds[A], handles[A], 5, self->buf, 65535));
	ASSERT_TRUE(is_filled(self->buf, 65535, 1, 5));
	ASSERT_EQ(0, getsockopt(self->fds[A], SOL_ST, ST_INFO, &after, &size));
	EXPECT_EQ(65535, after.rx_direct - before.rx_direct);
}

/* A region for one kind of operation allows no other, and is not changed. */
TEST_F_TIMEOUT(region, access_is_kept, 100)
{
	long put[2], get[2], fetch[2];
	__u64 value = 0;

	ASSERT_TRUE(sysctl_set(A, "max_retry", 2));
	memset(self->mem, GUARD, 3 * 4096);
	ASSERT_TRUE(grant(self->fds, self->mem, 4096, ST_REGION_PUT, put));
	ASSERT_TRUE(grant(self->fds, self->mem + 4096, 4096, ST_REGION_GET, get));
	ASSERT_TRUE(grant(self->fds, self->mem + 8192, 4096, ST_REGION_FETCHOP, fetch));

	memset(self->buf, 0, 4096);
	EXPECT_ERRNO(EACCES, region_get(self->fds[A], put[A], 0, self->buf, 4096));
	EXPECT_ERRNO(EACCES, region_get(self->fds[A], fetch[A], 0, self->buf, 4096));
	EXPECT_EQ(0, self->buf[0] | self->buf[4095]);
	EXPECT_ERRNO(EREMOTEIO, region_put(self->fds[A], get[A], 0, self->buf, 4096, 0));
	EXPECT_ERRNO(EREMOTEIO, region_put(self->fds[A], fetch[A], 0, self->buf, 10, 0));
	EXPECT_ERRNO(EACCES, region_fetch(self->fds[A], put[A], 0, ST_FETCH_CLEAR, &value));
	EXPECT_ERRNO(EACCES, region_fetch(self->fds[A], get[A], 0, ST_FETCH_CLEAR, &value));
	EXPECT_EQ(0, value);
	EXPECT_TRUE(is_guard(self->mem, 3 * 4096));

	EXPECT_EQ(10, region_put(self->fds[A], put[A], 0, self->buf, 10, 0));
	EXPECT_EQ(10, region_get(self->fds[A], get[A], 0, self->buf, 10));
	EXPECT_EQ(8, region_fetch(self->fds[A], fetch[A], 8, ST_FETCH_CLEAR, &value));
	EXPECT_EQ(0xa5a5a5a5a5a5a5a5ULL, value);
}

TEST_F(region, fetchops)
{
	__u64 *word, value, *closed;
	long handles[2];

	/* The word is aligned, whatever the start of the region is */
	ASSERT_TRUE(grant(self->fds, self->mem + 4, 4096, ALL, handles));
	word = (__u64 *)(self->mem + 8);
	*word = 0x1122334455667788ULL;
	ASSERT_EQ(8, region_fetch(self->fds[A], handles[A], 4, ST_FETCH_INCREMENT, &value));
	EXPECT_EQ(0x1122334455667788ULL, value);
	EXPECT_EQ(0x1122334455667789ULL, *word);
	ASSERT_EQ(8, region_fetch(self->fds[A], handles[A], 4, ST_FETCH_DECREMENT, &value));
	EXPECT_EQ(0x1122334455667789ULL, value);
	EXPECT_EQ(0x1122334455667788ULL, *word);
	ASSERT_EQ(8, region_fetch(self->fds[A], handles[A], 4, ST_FETCH_CLEAR, &value));
	EXPECT_EQ(0x1122334455667788ULL, value);
	EXPECT_EQ(0, *word);
	ASSERT_EQ(8, region_fetch(self->fds[A], handles[A], 4, ST_FETCH_DECREMENT, &value));
	EXPECT_EQ(0, value);
	EXPECT_EQ(~0ULL, *word);
	ASSERT_EQ(8, region_fetch(self->fds[A], handles[A], 4, ST_FETCH_INCREMENT, &value));
	EXPECT_EQ(~0ULL, value);
	EXPECT_EQ(0, *word);

	EXPECT_ERRNO(EINVAL, region_fetch(self->fds[A], handles[A], 0, ST_FETCH_CLEAR, &value));
	EXPECT_ERRNO(EINVAL, region_fetch(self->fds[A], handles[A], 8, ST_FETCH_CLEAR, &value));
	EXPECT_ERRNO(EINVAL, region_fetch(self->fds[A], handles[A], 4, 0, &value));
	EXPECT_ERRNO(EINVAL, region_fetch(self->fds[A], handles[A], 4, 4, &value));
	EXPECT_ERRNO(ERANGE, region_fetch(self->fds[A], handles[A], 4092, ST_FETCH_CLEAR, &value));
	EXPECT_EQ(8, region_fetch(self->fds[A], handles[A], 4084, ST_FETCH_CLEAR, &value));

	/* Not executed if its result has no place */
	*word = 7;
	EXPECT_ERRNO(EFAULT, region_fetch(self->fds[A], handles[A], 4, ST_FETCH_CLEAR,
					  (__u64 *)-4096L));
	closed = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, closed);
	EXPECT_ERRNO(EFAULT, region_fetch(self->fds[A], handles[A], 4, ST_FETCH_CLEAR, closed));
	munmap(closed, 4096);
	EXPECT_ERRNO(EFAULT, region_fetch(self->fds[A], handles[A], 4, ST_FETCH_CLEAR, closed));
	EXPECT_EQ(7, *word);
	/* An untouched page is a place */
	closed = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, closed);
	EXPECT_EQ(8, region_fetch(self->fds[A], handles[A], 4, ST_FETCH_CLEAR, closed));
	EXPECT_EQ(7, *closed);
	munmap(closed, 4096);
}

/**
 * struct counter - a thread that increments the same word over and over
 * @fd: connection
 * @region: handle; or negative, then the word is incremented in memory
 * @word: in memory
 * @times: how often
 * @done: number of successful increments
 * @seen: bit mask of the fetched values
 * @thread: the thread
 */
struct counter {
	int		fd;
	long		region;
	__u64		*word;
	unsigned int	times;
	unsigned int	done;
	unsigned char	*seen;
	pthread_t	thread;
};

static void *count(void *arg)
{
	struct counter *c = arg;
	__u64 value;

	for (; c->done < c->times; c->done++) {
		if (c->region < 0)
			value = __atomic_fetch_add(c->word, 1, __ATOMIC_SEQ_CST);
		else if (region_fetch(c->fd, c->region, 0, ST_FETCH_INCREMENT, &value) != 8)
			break;
		__atomic_fetch_or(&c->seen[value / 8], 1 << value % 8, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

/* Two connections and this process; every value is fetched by exactly one of them. */
static void count_together(struct __test_metadata *_metadata, int fds[2], char *mem,
			   unsigned int times)
{
	unsigned char *seen = calloc(1, times + 1);
	struct counter counters[3] = {};
	int others[2];
	long handles[2];
	unsigned int i;

	ASSERT_TRUE(new_pair(others));
	for (i = 0; i < 3; i++) {
		counters[i].fd = i ? others[A] : fds[A];
		counters[i].region = -1;
		counters[i].word = (__u64 *)mem;
		counters[i].times = times;
		counters[i].seen = seen;
		if (i == 2)
			break;
		ASSERT_TRUE(grant(i ? others : fds, mem, 4096, ALL, handles));
		counters[i].region = handles[A];
	}
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, pthread_create(&counters[i].thread, NULL, count, &counters[i]));
	for (i = 0; i < 3; i++) {
		pthread_join(counters[i].thread, NULL);
		EXPECT_EQ(times, counters[i].done);
	}
	EXPECT_EQ(3 * times, *(__u64 *)mem);
	for (i = 0; i < 3 * times; i++)
		ASSERT_TRUE(seen[i / 8] & 1 << i % 8) TH_LOG("value %u was fetched by nobody", i);
	free(seen);
	close(others[A]);
	close(others[B]);
}

TEST_F_TIMEOUT(region, fetchops_of_two_connections_and_a_thread, 300)
{
	count_together(_metadata, self->fds, self->mem, 1000);
}

TEST_F_TIMEOUT(region, fetchops_over_a_bad_cable, 400)
{
	long long before;

	ASSERT_TRUE(sysctl_set(A, "max_retry", 255) && sysctl_set(B, "max_retry", 255));
	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 100) && sysctl_set(B, "op_timeout_ms", 100));
	before = fault_stat(0, "bits_flipped") + fault_stat(1, "bits_flipped");
	ASSERT_TRUE(fault_set(0, "tx_ber", "1e-5") && fault_set(1, "tx_ber", "1e-5"));
	count_together(_metadata, self->fds, self->mem, 500);
	EXPECT_LT(before, fault_stat(0, "bits_flipped") + fault_stat(1, "bits_flipped"));
}

/* The network device goes down and up: operations in flight are lost. */
TEST_F_TIMEOUT(region, fetchops_are_executed_once, 300)
{
	unsigned char *seen = calloc(1, 4096);
	struct counter counter = { .fd = self->fds[A], .times = 2000, .seen = seen };
	struct st_info info;
	socklen_t size = sizeof(info);
	long handles[2];
	unsigned int i;

	ASSERT_TRUE(sysctl_set(A, "max_retry", 255) && sysctl_set(B, "max_retry", 255));
	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 100) && sysctl_set(B, "op_timeout_ms", 100));
	ASSERT_TRUE(grant(self->fds, self->mem, 4096, ALL, handles));
	counter.region = handles[A];
	ASSERT_EQ(0, pthread_create(&counter.thread, NULL, count, &counter));
	ASSERT_TRUE(links_come_and_go(&counter.done, 50));
	pthread_join(counter.thread, NULL);
	EXPECT_EQ(2000, counter.done);
	EXPECT_EQ(2000, *(__u64 *)self->mem);
	for (i = 0; i < 2000; i++)
		ASSERT_TRUE(seen[i / 8] & 1 << i % 8);
	ASSERT_EQ(0, getsockopt(self->fds[A], SOL_ST, ST_INFO, &info, &size));
	EXPECT_LT(0, info.op_retries);
	free(seen);
}

TEST_F(region, a_put_tells_the_application)
{
	struct st_event event;
	long handles[2];

	ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_EVENTS, ST_REGION_EV_PUT));
	ASSERT_TRUE(grant(self->fds, self->mem, LEN, ALL, handles));
	fill(self->buf, MIB, 1, 0);
	ASSERT_EQ((ssize_t)MIB, region_put(self->fds[A], handles[A], 1000, self->buf, MIB, 0));
	ASSERT_TRUE(region_next_event(self->fds[B], ST_EVENT_PUT, &event));
	EXPECT_EQ(handles[B], (long)event.id);
	EXPECT_EQ(1000, event.value);
	EXPECT_EQ(MIB, event.len);
	EXPECT_EQ(0x0a0b0c0d, event.flags);
	EXPECT_EQ(42, event.token);
	EXPECT_TRUE(is_filled(self->mem + 1000, MIB, 1, 0));

	/* A Silent one raises no event, but arrives. */
	fill(self->buf, MIB, 2, 0);
	ASSERT_EQ((ssize_t)MIB, region_put(self->fds[A], handles[A], 0, self->buf, MIB,
					   ST_PUT_SILENT));
	EXPECT_TRUE(is_filled(self->mem, MIB, 2, 0));
	EXPECT_EQ(-1, region_event(self->fds[B], &event));
	ASSERT_EQ(5, region_put(self->fds[A], handles[A], 9, self->buf, 5,
				ST_PUT_SILENT | ST_PUT_INTERRUPT));
	ASSERT_TRUE(region_next_event(self->fds[B], ST_EVENT_PUT, &event));
	EXPECT_EQ(9, event.value);
	EXPECT_EQ(5, event.len);
}

/* They are not reported before those that had room. */
TEST_F(region, events_without_room)
{
	const int puts = 200, least = 1;
	struct st_event event;
	long handles[2];
	int i;

	ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_EVENTS, ST_REGION_EV_PUT));
	ASSERT_TRUE(grant(self->fds, self->mem, LEN, ALL, handles));
	ASSERT_EQ(0, setsockopt(self->fds[B], SOL_SOCKET, SO_RCVBUF, &least, sizeof(least)));
	for (i = 0; i < puts; i++)
		ASSERT_EQ(1, region_put(self->fds[A], handles[A], i, self->buf, 1, 0));
	EXPECT_EQ(POLLPRI, poll_for(self->fds[B], POLLIN | POLLPRI, SOON_MS));
	for (i = 0; i < puts; i++) {
		ASSERT_EQ(0, region_event(self->fds[B], &event));
		if (event.type != ST_EVENT_PUT)
			break;
		EXPECT_EQ(i, event.value);
	}
	EXPECT_LT(0, i);
	EXPECT_EQ(ST_EVENT_LOST, event.type);
	EXPECT_EQ(puts - i, event.len);
	EXPECT_EQ(-1, region_event(self->fds[B], &event));
	EXPECT_EQ(0, poll_for(self->fds[B], POLLIN | POLLPRI, 0));
}

/* All of them take a round trip.  Nothing has started: none is executed. */
TEST_F(region, without_waiting)
{
	const struct iovec iov = { .iov_base = self->buf, .iov_len = 1000 };
	struct st_fetchop fetchop = { .op = ST_FETCH_INCREMENT };
	struct st_get get = { .len = 1000 };
	struct st_region_info info;
	struct st_put put = {};
	struct st_event event;
	long handles[2];
	__u64 value = 7;

	ASSERT_TRUE(grant(self->fds, self->mem, LEN, ALL, handles));
	memset(self->mem, GUARD, LEN);
	memset(self->buf, 1, 1000);
	put.region = handles[A];
	get.region = handles[A];
	get.addr = (unsigned long)self->buf;
	fetchop.region = handles[A];
	fetchop.addr = (unsigned long)&value;
	EXPECT_ERRNO(EAGAIN, region_op(self->fds[A], ST_PUT, &put, sizeof(put), &iov, 1,
				       MSG_DONTWAIT));
	EXPECT_ERRNO(EAGAIN, region_op(self->fds[A], ST_GET, &get, sizeof(get), NULL, 0,
				       MSG_DONTWAIT));
	ASSERT_EQ(0, fcntl(self->fds[A], F_SETFL, O_NONBLOCK));
	EXPECT_ERRNO(EAGAIN, region_op(self->fds[A], ST_FETCHOP, &fetchop, sizeof(fetchop), NULL, 0,
				       0));
	EXPECT_EQ(7, value);
	EXPECT_EQ(1, self->buf[0]);
	/* A later operation that is executed shows it. */
	ASSERT_EQ(0, region_post(self->fds[A], ST_GET, &get, sizeof(get), NULL, 0));
	ASSERT_TRUE(region_next_event(self->fds[A], ST_EVENT_DONE, &event));
	EXPECT_EQ(-1, region_event(self->fds[A], &event));
	EXPECT_TRUE(is_guard(self->mem, LEN));
	ASSERT_EQ(0, region_info(self->fds[A], handles[A], &info));
	EXPECT_EQ(0, info.puts);
	EXPECT_EQ(1, info.gets);
	EXPECT_EQ(0, info.fetchops);
}

/* ST_POST selects whether a call waits for the end, MSG_DONTWAIT whether it waits for room. */
TEST_F(region, posted_by_a_call_that_may_wait)
{
	struct st_fetchop fetchop = { .op = ST_FETCH_INCREMENT, .flags = ST_POST };
	struct st_event event;
	long handles[2];
	int i;

	ASSERT_TRUE(grant(self->fds, self->mem, LEN, ALL, handles));
	memset(self->mem, 0, 8);
	fetchop.region = handles[A];
	for (i = 0; i < 200; i++)
		ASSERT_EQ(0, region_op(self->fds[A], ST_FETCHOP, &fetchop, sizeof(fetchop), NULL, 0,
				       0));
	for (i = 0; i < 200; i++)
		ASSERT_TRUE(region_next_event(self->fds[A], ST_EVENT_DONE, &event));
	EXPECT_EQ(200, *(__u64 *)self->mem);
}

/* Read-only memory cannot be written through a region either. */
TEST_F(region, local_memory_that_is_read_only)
{
	const size_t size = 4096;
	struct st_fetchop fetchop = { .op = ST_FETCH_INCREMENT };
	struct st_get get = { .len = 100 };
	int file = memfd_create("private", MFD_CLOEXEC);
	long handles[2], mine;
	char *page, byte;

	ASSERT_LE(0, file);
	ASSERT_EQ(0, ftruncate(file, size));
	ASSERT_TRUE(grant(self->fds, self->mem, LEN, ALL, handles));
	memset(self->mem, 'x', LEN);
	page = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
	ASSERT_NE(MAP_FAILED, page);
	EXPECT_ERRNO(EFAULT, region_expose(self->fds[A], page, size, ST_REGION_LOCAL_WRITE));
	mine = region_expose(self->fds[A], page, size, 0);
	ASSERT_LE(0, mine);
	get.region = handles[A];
	get.local = mine;
	fetchop.region = handles[A];
	fetchop.local = mine;
	EXPECT_ERRNO(EACCES, region_op(self->fds[A], ST_GET, &get, sizeof(get), NULL, 0, 0));
	EXPECT_ERRNO(EACCES, region_op(self->fds[A], ST_FETCHOP, &fetchop, sizeof(fetchop), NULL, 0,
				       0));
	ASSERT_EQ(1, pread(file, &byte, 1, 0));
	EXPECT_EQ(0, byte);
	EXPECT_EQ(0, page[0]);
	munmap(page, size);
	close(file);
}

/* From and to memory of a region of this end */
TEST_F(region, local_memory)
{
	enum { PAGES = 5, AT = 4000, BYTES = 10000 };
	struct st_put put = { .addr = AT, .len = BYTES, .offset = 77 };
	struct st_get get = { .addr = AT + 1, .len = BYTES, .offset = 77 };
	struct st_fetchop fetchop = { .addr = 4092, .op = ST_FETCH_INCREMENT };
	const struct iovec iov = { .iov_base = self->buf, .iov_len = 1 };
	struct st_event event;
	long handles[2], mine;
	__u64 value;

	ASSERT_TRUE(grant(self->fds, self->mem, LEN, ALL, handles));
	mine = region_expose(self->fds[A], self->buf, PAGES * 4096, ST_REGION_LOCAL_WRITE);
	ASSERT_LE(0, mine);
	put.region = handles[A];
	get.region = handles[A];
	fetchop.region = handles[A];
	put.local = mine;
	get.local = mine;
	fetchop.local = mine;

	fill(self->buf + AT, BYTES, 3, 0);
	memset(self->mem, GUARD, LEN);
	EXPECT_EQ(BYTES, region_op(self->fds[A], ST_PUT, &put, sizeof(put), NULL, 0, 0));
	EXPECT_TRUE(is_filled(self->mem + 77, BYTES, 3, 0));
	EXPECT_TRUE(is_guard(self->mem, 77) && is_guard(self->mem + 77 + BYTES, 1000));

	memset(self->buf, GUARD, PAGES * 4096);
	EXPECT_EQ(BYTES, region_op(self->fds[A], ST_GET, &get, sizeof(get), NULL, 0, 0));
	EXPECT_TRUE(is_filled(self->buf + AT + 1, BYTES, 3, 0));
	EXPECT_TRUE(is_guard(self->buf, AT + 1) &&
		    is_guard(self->buf + AT + 1 + BYTES, PAGES * 4096 - AT - 1 - BYTES));

	/* The word spans two pages. */
	*(__u64 *)self->mem = 41;
	EXPECT_EQ(8, region_op(self->fds[A], ST_FETCHOP, &fetchop, sizeof(fetchop), NULL, 0, 0));
	memcpy(&value, self->buf + fetchop.addr, sizeof(value));
	EXPECT_EQ(41, value);
	ASSERT_EQ(0, region_post(self->fds[A], ST_FETCHOP, &fetchop, sizeof(fetchop), NULL, 0));
	ASSERT_TRUE(region_next_event(self->fds[A], ST_EVENT_DONE, &event));
	memcpy(&value, self->buf + fetchop.addr, sizeof(value));
	EXPECT_EQ(42, value);
	EXPECT_EQ(42, event.value);

	/* A failed operation leaves the memory unchanged. */
	memset(self->buf + fetchop.addr, GUARD, 8);
	EXPECT_ERRNO(EAGAIN, region_op(self->fds[A], ST_FETCHOP, &fetchop, sizeof(fetchop), NULL, 0,
				       MSG_DONTWAIT));
	EXPECT_TRUE(is_guard(self->buf + fetchop.addr, 8));

	EXPECT_ERRNO(EINVAL, region_op(self->fds[A], ST_PUT, &put, sizeof(put), &iov, 1, 0));
	put.len = PAGES * 4096 - AT + 1;
	EXPECT_ERRNO(ERANGE, region_op(self->fds[A], ST_PUT, &put, sizeof(put), NULL, 0, 0));
	get.local++;
	EXPECT_ERRNO(ENOENT, region_op(self->fds[A], ST_GET, &get, sizeof(get), NULL, 0, 0));
	fetchop.addr = PAGES * 4096 - 7;
	EXPECT_ERRNO(ERANGE, region_op(self->fds[A], ST_FETCHOP, &fetchop, sizeof(fetchop), NULL, 0,
				       0));
	EXPECT_EQ(43, *(__u64 *)self->mem);
	/* Nor does an operation without bytes. */
	put.local = 12345;
	put.len = 0;
	EXPECT_ERRNO(ENOENT, region_op(self->fds[A], ST_PUT, &put, sizeof(put), NULL, 0, 0));
	get.local = 12345;
	get.len = 0;
	EXPECT_ERRNO(ENOENT, region_op(self->fds[A], ST_GET, &get, sizeof(get), NULL, 0, 0));
	get.local = mine;
	EXPECT_EQ(0, region_op(self->fds[A], ST_GET, &get, sizeof(get), NULL, 0, 0));
	/* A handle of the other end is invalid here. */
	get.local = handles[A];
	get.len = BYTES;
	EXPECT_ERRNO(ENOENT, region_op(self->fds[A], ST_GET, &get, sizeof(get), NULL, 0, 0));
}

TEST_F_TIMEOUT(region, many_outstanding, 200)
{
	enum { COUNT = 64, PART = 20000 };
	bool over[3 * COUNT] = {};
	struct st_event event;
	long handles[2];
	unsigned int i;

	memset(self->mem, 0, LEN);
	ASSERT_TRUE(grant(self->fds, self->mem, LEN, ALL, handles));
	for (i = 0; i < COUNT; i++) {
		const struct st_put put = { .region = handles[A], .offset = i * PART, .token = i };
		const struct iovec iov = { self->buf + i * PART, PART };

		fill(self->buf + i * PART, PART, i, 0);
		ASSERT_EQ(0, region_post(self->fds[A], ST_PUT, &put, sizeof(put), &iov, 1))
			TH_LOG("%u: errno %d", i, errno);
	}
	for (i = 0; i < COUNT; i++) {
		ASSERT_TRUE(region_next_event(self->fds[A], ST_EVENT_DONE, &event));
		ASSERT_GT(COUNT, event.token);
		EXPECT_EQ(0, event.error);
		EXPECT_EQ(ST_PUT, event.flags);
		EXPECT_EQ(PART, event.len);
		EXPECT_FALSE(over[event.token]);
		over[event.token] = true;
		EXPECT_TRUE(is_filled(self->mem + event.token * PART, PART, event.token, 0));
	}
	memset(self->buf, 0, LEN);
	for (i = 0; i < COUNT; i++) {
		const struct st_get get = {
			.region	= handles[A],
			.len	= PART,
			.offset	= i * PART,
			.addr	= (unsigned long)self->buf + i * PART,
			.token	= COUNT + i,
		};

		ASSERT_EQ(0, region_post(self->fds[A], ST_GET, &get, sizeof(get), NULL, 0));
	}
	for (i = 0; i < COUNT; i++) {
		ASSERT_TRUE(region_next_event(self->fds[A], ST_EVENT_DONE, &event));
		ASSERT_EQ(1, event.token / COUNT);
		EXPECT_EQ(0, event.error);
		EXPECT_FALSE(over[event.token]);
		over[event.token] = true;
		EXPECT_TRUE(is_filled(self->buf + event.token % COUNT * PART, PART,
				      event.token % COUNT, 0));
	}
	*(__u64 *)(self->mem + LEN - 8) = 100;
	for (i = 0; i < COUNT; i++) {
		const struct st_fetchop fetchop = {
			.region	= handles[A],
			.op	= ST_FETCH_INCREMENT,
			.offset	= LEN - 8,
			.token	= 2 * COUNT + i,
		};

		ASSERT_EQ(0, region_post(self->fds[A], ST_FETCHOP, &fetchop, sizeof(fetchop),
					 NULL, 0));
	}
	for (i = 0; i < COUNT; i++) {
		ASSERT_TRUE(region_next_event(self->fds[A], ST_EVENT_DONE, &event));
		EXPECT_EQ(2, event.token / COUNT);
		EXPECT_EQ(0, event.error);
		ASSERT_GT(COUNT, event.value - 100);
		EXPECT_FALSE(over[2 * COUNT + event.value - 100]);
		over[2 * COUNT + event.value - 100] = true;
	}
	EXPECT_EQ(164, *(__u64 *)(self->mem + LEN - 8));
}

/* With the cable unplugged nothing completes: 64 are accepted, the next is not. */
TEST_F_TIMEOUT(region, outstanding_operations_are_limited, 100)
{
	const struct st_fetchop fetchop = { .op = ST_FETCH_INCREMENT };
	struct st_fetchop op = fetchop;
	struct st_event event;
	long handles[2];
	unsigned int i;

	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 200) && sysctl_set(A, "max_retry", 5));
	ASSERT_TRUE(grant(self->fds, self->mem, LEN, ALL, handles));
	ASSERT_TRUE(fault_set(0, "unplug", "1"));
	op.region = handles[A];
	for (i = 0; i < 64; i++)
		ASSERT_EQ(0, region_post(self->fds[A], ST_FETCHOP, &op, sizeof(op), NULL, 0))
			TH_LOG("%u: errno %d", i, errno);
	EXPECT_ERRNO(EAGAIN, region_post(self->fds[A], ST_FETCHOP, &op, sizeof(op), NULL, 0));
	/* All of them fail when the peer is given up. */
	for (i = 0; i < 64; i++) {
		ASSERT_TRUE(region_next_event(self->fds[A], ST_EVENT_DONE, &event));
		EXPECT_EQ(ETIMEDOUT, event.error);
	}
}

TEST_HARNESS_MAIN
