// SPDX-License-Identifier: GPL-2.0
/*
 * Persistent memory: requests that get a region, and the state of the memory after
 * its end.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/capability.h>

#include "kselftest_harness.h"

#include "common.h"
#include "counters.h"
#include "region_fixture.h"

TEST_F(region, without_an_offer_it_is_refused)
{
	long long before = dropped(B, ST_A_DROPS_REGION_REFUSED);
	struct st_event event;

	EXPECT_ERRNO(EACCES, region_request(self->fds[A], 4096, 0));
	/* The offer is shorter than the request. */
	ASSERT_LE(0, region_expose(self->fds[B], self->mem, 4095, ALL));
	EXPECT_ERRNO(EACCES, region_request(self->fds[A], 4096, 0));
	EXPECT_EQ(before + 2, dropped(B, ST_A_DROPS_REGION_REFUSED));
	EXPECT_LE(0, region_request(self->fds[A], 4095, 0));
	/* Once. */
	EXPECT_ERRNO(EACCES, region_request(self->fds[A], 10, 0));
	EXPECT_EQ(-1, region_event(self->fds[B], &event));
}

TEST_F(region, only_what_was_asked_for_can_be_used)
{
	struct st_region_info info;
	long handle;

	memset(self->mem, GUARD, 8192);
	ASSERT_LE(0, region_expose(self->fds[B], self->mem, 8192, ALL));
	handle = region_request(self->fds[A], 100, 0);
	ASSERT_LE(0, handle);
	ASSERT_EQ(0, region_info(self->fds[A], handle, &info));
	EXPECT_EQ(100, info.len);
	EXPECT_ERRNO(ERANGE, region_put(self->fds[A], handle, 100, self->buf, 1, 0));
	EXPECT_TRUE(is_guard(self->mem, 8192));
}

TEST_F(region, the_application_grants_or_refuses)
{
	struct st_region_offer offer = { .len = 5000, .access = ALL, .token = 7 };
	struct st_event event;
	long first, second;

	ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_EVENTS,
				   ST_REGION_EV_REQUEST | ST_REGION_EV_STATE));
	first = region_request(self->fds[A], 5000, ST_REGION_NOWAIT);
	ASSERT_LE(0, first);
	ASSERT_TRUE(region_next_event(self->fds[B], ST_EVENT_REGION_REQUEST, &event));
	EXPECT_EQ(5000, event.len);
	/* Not before the application grants it. */
	EXPECT_ERRNO(ENOENT, region_put(self->fds[A], first, 0, self->buf, 1, 0));
	EXPECT_EQ(0, poll_for(self->fds[A], POLLPRI, BRIEF_MS));

	offer.addr = (unsigned long)self->mem;
	offer.flags = ST_REGION_ANSWER;
	offer.request = event.id + 1;
	EXPECT_ERRNO(ENOENT, region_offer(self->fds[B], SIOCSTEXPOSE, &offer));
	offer.request = event.id;
	offer.len = 4999;
	EXPECT_ERRNO(EINVAL, region_offer(self->fds[B], SIOCSTEXPOSE, &offer));
	offer.len = 5000;
	ASSERT_EQ(0, region_offer(self->fds[B], SIOCSTEXPOSE, &offer));
	ASSERT_TRUE(region_next_event(self->fds[B], ST_EVENT_REGION_GRANTED, &event));
	EXPECT_EQ(offer.region, event.id);
	EXPECT_EQ(7, event.token);
	EXPECT_EQ(5000, event.len);
	ASSERT_TRUE(region_next_event(self->fds[A], ST_EVENT_REGION_READY, &event));
	EXPECT_EQ(first, (long)event.id);
	EXPECT_EQ(0, event.error);
	EXPECT_EQ(43, event.token);
	fill(self->buf, 5000, 1, 0);
	EXPECT_EQ(5000, region_put(self->fds[A], first, 0, self->buf, 5000, 0));
	EXPECT_TRUE(is_filled(self->mem, 5000, 1, 0));

	second = region_request(self->fds[A], 1, ST_REGION_NOWAIT);
	ASSERT_LT(first, second);
	ASSERT_TRUE(region_next_event(self->fds[B], ST_EVENT_REGION_REQUEST, &event));
	ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_REFUSE, event.id));
	EXPECT_ERRNO(ENOENT, region_option(self->fds[B], ST_REGION_REFUSE, event.id));
	ASSERT_TRUE(region_next_event(self->fds[A], ST_EVENT_REGION_READY, &event));
	EXPECT_EQ(second, (long)event.id);
	EXPECT_EQ(EACCES, event.error);
}

/* Nor does it wait for something else on the connection: an unread record. */
TEST_F(region, shutdown_ends_a_request)
{
	struct job sender = { .fd = self->fds[A], .buf = new_pages(4 * LEN), .len = 4 * LEN };
	struct job asker = { .fd = self->fds[A], .len = 4096, .asks = true };
	struct st_event event;
	long later;

	ASSERT_NE(NULL, sender.buf);
	ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_EVENTS, ST_REGION_EV_REQUEST));
	ASSERT_TRUE(job_start(&sender));
	ASSERT_TRUE(job_asleep(&sender));
	ASSERT_TRUE(job_start(&asker));
	ASSERT_TRUE(region_next_event(self->fds[B], ST_EVENT_REGION_REQUEST, &event));
	later = region_request(self->fds[A], 100, ST_REGION_NOWAIT);
	ASSERT_LE(0, later);
	ASSERT_TRUE(job_asleep(&asker));

	ASSERT_EQ(0, shutdown(self->fds[A], SHUT_WR));
	ASSERT_TRUE(job_ends(&asker));
	EXPECT_EQ(-1, asker.result);
	EXPECT_EQ(ENOTCONN, asker.error);
	ASSERT_TRUE(region_next_event(self->fds[A], ST_EVENT_REGION_READY, &event));
	EXPECT_EQ(later, (long)event.id);
	EXPECT_EQ(ENOTCONN, event.error);
	job_end(&sender);
	EXPECT_EQ(4 * LEN, sender.result);
}

/* O_NONBLOCK has its usual meaning: a call that would wait has not started. */
TEST_F(region, requests_do_not_block)
{
	int flags = fcntl(self->fds[A], F_GETFL), on = ST_REGION_EV_REQUEST;
	struct st_event event;

	ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_EVENTS, on));
	ASSERT_EQ(0, fcntl(self->fds[A], F_SETFL, flags | O_NONBLOCK));
	EXPECT_ERRNO(EAGAIN, region_request(self->fds[A], 100, 0));
	EXPECT_LE(0, region_request(self->fds[A], 101, ST_REGION_NOWAIT));
	ASSERT_TRUE(region_next_event(self->fds[B], ST_EVENT_REGION_REQUEST, &event));
	EXPECT_EQ(101, event.len);
}

TEST_F(region, requests_that_wait_are_limited)
{
	unsigned int i;
	int on = 1;

	ASSERT_EQ(0, setsockopt(self->fds[B], SOL_ST, ST_REGION_EVENTS, &on, sizeof(on)));
	for (i = 0; i < 16; i++)
		ASSERT_LE(0, region_request(self->fds[A], 1, ST_REGION_NOWAIT));
	EXPECT_ERRNO(EACCES, region_request(self->fds[A], 1, 0));
}

TEST_F(region, the_responder_ends_it)
{
	struct st_event event;
	long handles[2];

	ASSERT_EQ(0, region_option(self->fds[A], ST_REGION_EVENTS, ST_REGION_EV_STATE));
	ASSERT_TRUE(grant(self->fds, self->mem, 8192, ALL, handles));
	ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_END, handles[B]));
	EXPECT_ERRNO(ENOENT, region_option(self->fds[B], ST_REGION_END, handles[B]));
	ASSERT_TRUE(region_next_event(self->fds[A], ST_EVENT_REGION_END, &event));
	EXPECT_EQ(handles[A], (long)event.id);
	EXPECT_EQ(0, event.error);
	EXPECT_ERRNO(ENOENT, region_put(self->fds[A], handles[A], 0, self->buf, 1, 0));
	EXPECT_ERRNO(ENOENT, region_get(self->fds[A], handles[A], 0, self->buf, 1));
	/* The connection is as good as before. */
	ASSERT_TRUE(grant(self->fds, self->mem, 8192, ALL, handles));
	EXPECT_EQ(1, region_put(self->fds[A], handles[A], 0, self->buf, 1, 0));
}

TEST_F(region, the_initiator_ends_it)
{
	struct st_event event;
	long handles[2];

	ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_EVENTS, ST_REGION_EV_STATE));
	ASSERT_TRUE(grant(self->fds, self->mem, 8192, ALL, handles));
	ASSERT_TRUE(region_next_event(self->fds[B], ST_EVENT_REGION_GRANTED, &event));
	ASSERT_EQ(0, region_option(self->fds[A], ST_REGION_END, handles[A]));
	EXPECT_ERRNO(ENOENT, region_put(self->fds[A], handles[A], 0, self->buf, 1, 0));
	ASSERT_TRUE(region_next_event(self->fds[B], ST_EVENT_REGION_END, &event));
	EXPECT_EQ(handles[B], (long)event.id);
	EXPECT_EQ(0, event.error);
	EXPECT_EQ(42, event.token);
	EXPECT_ERRNO(ENOENT, region_option(self->fds[B], ST_REGION_END, handles[B]));
}

TEST_F(region, the_connection_ends_it)
{
	struct st_event event;
	long handles[2];

	ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_EVENTS, ST_REGION_EV_STATE));
	ASSERT_TRUE(grant(self->fds, self->mem, 8192, ALL, handles));
	ASSERT_TRUE(region_next_event(self->fds[B], ST_EVENT_REGION_GRANTED, &event));
	ASSERT_EQ(0, shutdown(self->fds[A], SHUT_RDWR));
	ASSERT_TRUE(region_next_event(self->fds[B], ST_EVENT_REGION_END, &event));
	EXPECT_EQ(ECONNRESET, event.error);
	EXPECT_ERRNO(EPIPE, region_put(self->fds[A], handles[A], 0, self->buf, 1, 0));
}

TEST_F(region, an_offer_is_taken_back)
{
	long handle = region_expose(self->fds[B], self->mem, 8192, ALL);

	ASSERT_LE(0, handle);
	ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_END, handle));
	EXPECT_ERRNO(EACCES, region_request(self->fds[A], 8192, 0));
}

/* Read-only memory of the process can be lent for Gets only. */
TEST_F(region, read_only_memory)
{
	long handles[2];

	fill(self->mem, LEN, 3, 0);
	ASSERT_EQ(0, mprotect(self->mem, LEN, PROT_READ));
	EXPECT_ERRNO(EFAULT, region_expose(self->fds[B], self->mem, 4096, ST_REGION_PUT));
	EXPECT_ERRNO(EFAULT, region_expose(self->fds[B], self->mem, 4096, ST_REGION_FETCHOP));
	ASSERT_TRUE(grant(self->fds, self->mem, 4096, ST_REGION_GET, handles));
	EXPECT_EQ(4096, region_get(self->fds[A], handles[A], 0, self->buf, 4096));
	EXPECT_TRUE(is_filled(self->buf, 4096, 3, 0));
}

/* Handles belong to a connection. */
TEST_F(region, another_connection_cannot_use_it)
{
	long handles[2];
	int others[2];

	ASSERT_TRUE(new_pair(others));
	memset(self->mem, GUARD, 8192);
	ASSERT_TRUE(grant(self->fds, self->mem, 8192, ALL, handles));
	EXPECT_ERRNO(ENOENT, region_put(others[A], handles[A], 0, self->buf, 1, 0));
	EXPECT_ERRNO(ENOENT, region_put(self->fds[B], handles[A], 0, self->buf, 1, 0));
	EXPECT_ERRNO(ENOENT, region_option(others[A], ST_REGION_END, handles[A]));
	EXPECT_ERRNO(ENOENT, region_option(others[B], ST_REGION_END, handles[B]));
	EXPECT_ERRNO(EACCES, region_request(others[A], 1, 0));
	EXPECT_TRUE(is_guard(self->mem, 8192));
	close(others[A]);
	close(others[B]);
}

static bool drop_privileges(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {};

	return !syscall(SYS_capset, &header, data);
}

/* A record of @len bytes from the region whose handle is in @tid */
static void *send_lent(void *arg)
{
	struct job *job = arg;
	const struct st_send_from from = { .region = job->tid, .len = job->len };

	job->result = region_op(job->fd, ST_SEND_FROM, &from, sizeof(from), NULL, 0, 0);
	job->error = errno;
	return NULL;
}

TEST_F(region, locked_memory_is_limited)
{
	const struct rlimit limit = { .rlim_cur = 65536, .rlim_max = 65536 };
	struct st_region_offer alloc = { .len = 61440, .access = ALL };
	struct st_put put = {};
	struct iovec iov = { .iov_base = self->buf, .iov_len = MIB };
	long handles[2], handle;

	ASSERT_TRUE(grant(self->fds, self->mem, LEN, ALL, handles));
	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &limit));
	ASSERT_TRUE(drop_privileges());
	EXPECT_ERRNO(ENOBUFS, region_expose(self->fds[B], self->mem, MIB, ALL));
	handle = region_expose(self->fds[B], self->mem, 8192, ALL);
	EXPECT_LE(0, handle);
	EXPECT_ERRNO(ENOBUFS, region_expose(self->fds[B], self->mem, 49152, ALL));
	/* The same for memory of the kernel. */
	EXPECT_ERRNO(ENOBUFS, region_offer(self->fds[B], SIOCSTALLOC, &alloc));
	alloc.len = 40960;
	EXPECT_EQ(0, region_offer(self->fds[B], SIOCSTALLOC, &alloc));
	EXPECT_ERRNO(ENOBUFS, region_expose(self->fds[B], self->mem, 20480, ALL));
	EXPECT_EQ(0, region_option(self->fds[B], ST_REGION_END, alloc.region));
	/* It is released. */
	EXPECT_EQ(0, region_option(self->fds[B], ST_REGION_END, handle));
	EXPECT_LE(0, region_expose(self->fds[B], self->mem, 49152, ALL));
	/* Memory pinned by an operation counts too, posted or waited for. */
	put.region = handles[A];
	EXPECT_ERRNO(ENOBUFS, region_post(self->fds[A], ST_PUT, &put, sizeof(put), &iov, 1));
	EXPECT_ERRNO(ENOBUFS, region_op(self->fds[A], ST_PUT, &put, sizeof(put), &iov, 1, 0));
	iov.iov_len = 4000;
	EXPECT_EQ(4000, region_op(self->fds[A], ST_PUT, &put, sizeof(put), &iov, 1, 0));
}

/*
 * The copy that a signal makes of a record from a region counts, even after the region has
 * ended.
 */
TEST_F_TIMEOUT(region, a_copy_counts, 60)
{
	const struct rlimit limit = { .rlim_cur = 2 * MIB, .rlim_max = 2 * MIB };
	struct job job = { .fd = self->fds[A], .len = MIB * 7 / 8 };
	struct st_event event;
	long mine;

	ASSERT_EQ(0, region_option(self->fds[B], ST_WRITES, ST_WRITES_HOLD));
	ASSERT_EQ(0, region_option(self->fds[B], ST_SERVE, ST_SERVE_WRITES));
	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &limit));
	ASSERT_TRUE(drop_privileges());
	mine = region_expose(self->fds[A], self->buf, job.len, 0);
	ASSERT_LE(0, mine);
	job.tid = mine;
	ASSERT_TRUE(catch_signal(SIGUSR1, SA_RESTART));
	ASSERT_EQ(0, pthread_create(&job.thread, NULL, send_lent, &job));
	ASSERT_TRUE(region_next_event(self->fds[B], ST_EVENT_WRITE_REQUEST, &event));
	ASSERT_EQ(0, pthread_kill(job.thread, SIGUSR1));
	job_end(&job);
	EXPECT_EQ((ssize_t)job.len, job.result);
	ASSERT_EQ(0, region_option(self->fds[A], ST_REGION_END, mine));
	EXPECT_ERRNO(ENOBUFS, region_expose(self->fds[A], self->mem, MIB * 5 / 4, 0));
	mine = region_expose(self->fds[A], self->mem, MIB, 0);
	EXPECT_LE(0, mine);
}

TEST_F(region, limits_of_the_namespace)
{
	long long before = dropped(B, ST_A_DROPS_REGION_LIMIT);
	long first;

	ASSERT_TRUE(sysctl_set(B, "conn_regions", 1));
	first = region_expose(self->fds[B], self->mem, 4096, ALL);
	EXPECT_LE(0, first);
	EXPECT_ERRNO(ENOBUFS, region_expose(self->fds[B], self->mem, 4096, ALL));
	ASSERT_TRUE(sysctl_set(B, "conn_regions", 16));
	ASSERT_TRUE(sysctl_set(B, "conn_region_bytes", 8192));
	EXPECT_ERRNO(ENOBUFS, region_expose(self->fds[B], self->mem, 4097, ALL));
	EXPECT_ERRNO(ENOBUFS, region_expose(self->fds[B], self->mem, 8193, ALL));
	ASSERT_TRUE(sysctl_set(B, "conn_region_bytes", 1L << 30));
	ASSERT_TRUE(sysctl_set(B, "max_regions", 1));
	EXPECT_ERRNO(ENOBUFS, region_expose(self->fds[B], self->mem, 4096, ALL));
	ASSERT_TRUE(sysctl_set(B, "max_regions", 1024));
	ASSERT_TRUE(sysctl_set(B, "max_region_bytes", 8192));
	EXPECT_ERRNO(ENOBUFS, region_expose(self->fds[B], self->mem, 4097, ALL));
	EXPECT_LE(0, region_expose(self->fds[B], self->mem, 4096, ALL));
	ASSERT_TRUE(sysctl_set(B, "max_region_bytes", 1LL << 31));
	EXPECT_EQ(before + 5, dropped(B, ST_A_DROPS_REGION_LIMIT));
	EXPECT_EQ(0, region_option(self->fds[B], ST_REGION_END, first));
}

TEST_F(region, memory_of_the_kernel)
{
	struct st_region_offer offer = { .len = 3 * 4096, .access = ALL };
	long handle;
	char *map;

	offer.addr = 1;
	EXPECT_ERRNO(EINVAL, region_offer(self->fds[B], SIOCSTALLOC, &offer));
	offer.addr = 0;
	offer.len = 4097;
	EXPECT_ERRNO(EINVAL, region_offer(self->fds[B], SIOCSTALLOC, &offer));
	offer.len = 3 * 4096;
	ASSERT_EQ(0, region_offer(self->fds[B], SIOCSTALLOC, &offer));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4 * 4096, PROT_READ, MAP_SHARED, self->fds[B],
				   offer.addr));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, self->fds[B],
				   offer.addr));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ, MAP_SHARED, self->fds[B],
				   offer.addr + 3 * 4096));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ, MAP_SHARED, self->fds[A],
				   offer.addr));
	map = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, self->fds[B], offer.addr);
	ASSERT_NE(MAP_FAILED, (void *)map);
	EXPECT_EQ(0, map[0] | map[3 * 4096 - 1]);

	handle = region_request(self->fds[A], 3 * 4096, 0);
	ASSERT_LE(0, handle);
	fill(self->buf, 3 * 4096, 6, 0);
	ASSERT_EQ(3 * 4096, region_put(self->fds[A], handle, 0, self->buf, 3 * 4096, 0));
	EXPECT_TRUE(is_filled(map, 3 * 4096, 6, 0));
	map[4095] = 77;
	ASSERT_EQ(2, region_get(self->fds[A], handle, 4095, self->buf, 2));
	EXPECT_EQ(77, self->buf[0]);

	/*
	 * Memory that the process unmaps still exists, and other mappings remain after the region
	 * has ended.
	 */
	EXPECT_EQ(0, madvise(map, 4096, MADV_DONTNEED));
	EXPECT_EQ(77, map[4095]);
	ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_END, offer.region));
	EXPECT_EQ(77, map[4095]);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ, MAP_SHARED, self->fds[B],
				   offer.addr));
	EXPECT_EQ(0, munmap(map, 3 * 4096));
}

/* Mapped memory stays, and counts until its last page is unmapped. */
TEST_F(region, mapped_memory_counts)
{
	const struct rlimit limit = { .rlim_cur = 65536, .rlim_max = 65536 };
	struct st_region_offer alloc = { .len = 40960, .access = ALL };
	char *map;
	long mine;

	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &limit));
	ASSERT_TRUE(sysctl_set(B, "max_regions", 1));
	ASSERT_TRUE(drop_privileges());
	ASSERT_EQ(0, region_offer(self->fds[B], SIOCSTALLOC, &alloc));
	map = mmap(NULL, alloc.len, PROT_READ | PROT_WRITE, MAP_SHARED, self->fds[B], alloc.addr);
	ASSERT_NE(MAP_FAILED, (void *)map);
	ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_END, alloc.region));
	EXPECT_ERRNO(ENOBUFS, region_expose(self->fds[B], self->mem, 4096, ALL));
	EXPECT_ERRNO(ENOBUFS, region_expose(self->fds[A], self->mem, 49152, ALL));
	/* A hole in the middle makes two mappings of one. */
	ASSERT_EQ(0, munmap(map + 8192, 4096));
	ASSERT_EQ(0, munmap(map, 8192));
	EXPECT_ERRNO(ENOBUFS, region_expose(self->fds[B], self->mem, 4096, ALL));
	ASSERT_EQ(0, munmap(map + 12288, alloc.len - 12288));
	mine = region_expose(self->fds[B], self->mem, 49152, ALL);
	EXPECT_LE(0, mine);
}

/* Puts, one after the other, until one fails. */
static void *put_on(void *arg)
{
	struct job *job = arg;

	do
		job->result = region_put(job->fd, job->tid, 0, job->buf, job->len, 0);
	while (job->result == (ssize_t)job->len);
	job->error = errno;
	return NULL;
}

/* When ST_REGION_END returns, the memory belongs to the application again. */
TEST_F_TIMEOUT(region, nothing_is_written_after_the_end, 400)
{
	enum { ROUNDS = 10 };
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		struct job job = { .fd = self->fds[A], .buf = self->buf, .len = 2 * MIB };
		struct st_info info, first;
		socklen_t size = sizeof(info);
		long long end = now_ms() + 6 * SOON_MS;
		long handles[2];

		memset(self->mem, GUARD, LEN);
		ASSERT_TRUE(grant(self->fds, self->mem, LEN, ALL, handles));
		job.tid = handles[A];
		memset(self->buf, 0x11, LEN);
		ASSERT_EQ(0, getsockopt(self->fds[B], SOL_ST, ST_INFO, &first, &size));
		ASSERT_EQ(0, pthread_create(&job.thread, NULL, put_on, &job));
		do {
			ASSERT_GT(end, now_ms());
			ASSERT_EQ(0, getsockopt(self->fds[B], SOL_ST, ST_INFO, &info, &size));
		} while (info.rx_bytes < first.rx_bytes + 100000 * (i + 1));
		ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_END, handles[B]));
		memset(self->mem, GUARD, LEN);
		job_end(&job);
		EXPECT_EQ(-1, job.result);
		EXPECT_TRUE(job.error == EREMOTEIO || job.error == ENOENT)
			TH_LOG("errno %d", job.error);
		ASSERT_TRUE(is_guard(self->mem, LEN)) TH_LOG("round %u", i);
	}
}

/* The same with close(), and the pages freed. */
TEST_F_TIMEOUT(region, memory_may_go_after_close, 200)
{
	struct job job = { .fd = self->fds[A], .buf = self->buf, .len = 2 * MIB };
	long long end = now_ms() + 6 * SOON_MS;
	struct st_info info;
	socklen_t size = sizeof(info);
	long handles[2];

	ASSERT_TRUE(grant(self->fds, self->mem, LEN, ALL, handles));
	job.tid = handles[A];
	ASSERT_EQ(0, pthread_create(&job.thread, NULL, put_on, &job));
	do {
		ASSERT_GT(end, now_ms());
		ASSERT_EQ(0, getsockopt(self->fds[B], SOL_ST, ST_INFO, &info, &size));
	} while (info.rx_bytes < 3 * MIB);
	close(self->fds[B]);
	memset(self->mem, GUARD, LEN);
	job_end(&job);
	EXPECT_EQ(-1, job.result);
	EXPECT_TRUE(job.error == ECONNRESET || job.error == EREMOTEIO || job.error == EPIPE)
		TH_LOG("errno %d", job.error);
	EXPECT_TRUE(is_guard(self->mem, LEN));
}

/* A process that is killed while the peer writes into its memory. */
TEST_F_TIMEOUT(region, owner_is_killed, 200)
{
	struct job job = { .fd = self->fds[A], .buf = self->buf, .len = 2 * MIB };
	long long end = now_ms() + 6 * SOON_MS;
	struct st_region_info info;
	int ready[2], status;
	long handle;
	pid_t pid;
	char c;

	ASSERT_EQ(0, pipe(ready));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		close(self->fds[A]);
		c = region_expose(self->fds[B], self->mem, LEN, ALL) < 0 ? 'n' : 'y';
		if (write(ready[1], &c, 1) == 1)
			pause();
		_exit(1);
	}
	close(self->fds[B]);
	ASSERT_EQ(1, read(ready[0], &c, 1));
	ASSERT_EQ('y', c);
	handle = region_request(self->fds[A], LEN, 0);
	ASSERT_LE(0, handle);
	job.tid = handle;
	ASSERT_EQ(0, pthread_create(&job.thread, NULL, put_on, &job));
	do {
		ASSERT_GT(end, now_ms());
		ASSERT_EQ(0, region_info(self->fds[A], handle, &info));
	} while (info.puts < 2);
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	job_end(&job);
	EXPECT_EQ(-1, job.result);
	EXPECT_TRUE(job.error == ECONNRESET || job.error == EREMOTEIO || job.error == EPIPE)
		TH_LOG("errno %d", job.error);
	self->fds[B] = -1;
}

TEST_F(region, what_is_given_is_checked)
{
	struct st_region_offer offer = { .addr = (unsigned long)self->mem, .len = 4096 };
	struct st_region_offer *given = new_pages(4096);
	struct st_put put = {};
	struct st_get get = {};
	struct iovec iov = { .iov_base = self->buf, .iov_len = 1 };
	long handles[2];
	int fd;

	ASSERT_NE(NULL, given);
	*given = offer;
	given->access = ALL;
	given->size = sizeof(*given);
	/* Nothing that could be granted */
	offer.flags = ST_REGION_ANSWER;
	EXPECT_ERRNO(EINVAL, region_offer(self->fds[B], SIOCSTEXPOSE, &offer));
	offer.flags = 0;
	offer.access = 16;
	EXPECT_ERRNO(EINVAL, region_offer(self->fds[B], SIOCSTEXPOSE, &offer));
	offer.access = ALL;
	offer.flags = ST_REGION_NOWAIT;
	EXPECT_ERRNO(EINVAL, region_offer(self->fds[B], SIOCSTEXPOSE, &offer));
	EXPECT_ERRNO(EINVAL, region_expose(self->fds[B], self->mem, 0, ALL));
	EXPECT_ERRNO(EFAULT, region_expose(self->fds[B], (void *)16, 4096, ALL));
	EXPECT_ERRNO(EFAULT, region_expose(self->fds[B], (void *)-4096L, 8192, ALL));
	/* The handle cannot be returned: no region remains. */
	ASSERT_TRUE(sysctl_set(B, "conn_regions", 1));
	EXPECT_EQ(0, mprotect(given, 4096, PROT_READ));
	EXPECT_ERRNO(EFAULT, ioctl(self->fds[B], SIOCSTEXPOSE, given));
	EXPECT_ERRNO(EFAULT, ioctl(self->fds[B], SIOCSTEXPOSE, NULL));
	EXPECT_ERRNO(ENOTTY, region_offer(self->fds[B], SIOCPROTOPRIVATE + 15, &offer));
	EXPECT_ERRNO(EINVAL, region_option(self->fds[B], ST_REGION_EVENTS, 8));
	EXPECT_ERRNO(EINVAL, region_request(self->fds[A], 0, 0));
	EXPECT_ERRNO(EINVAL, region_request(self->fds[A], 1, 1));
	fd = new_socket(A, 0);
	EXPECT_ERRNO(ENOTCONN, region_expose(fd, self->mem, 4096, ALL));
	EXPECT_ERRNO(ENOTCONN, region_request(fd, 4096, 0));
	close(fd);

	ASSERT_TRUE(grant(self->fds, self->mem, LEN, ALL, handles));
	put.region = handles[A];
	put.flags = 4;
	EXPECT_ERRNO(EINVAL, region_op(self->fds[A], ST_PUT, &put, sizeof(put), &iov, 1, 0));
	put.flags = 0;
	put.reserved[0] = 1;
	EXPECT_ERRNO(EINVAL, region_op(self->fds[A], ST_PUT, &put, sizeof(put), &iov, 1, 0));
	put.reserved[0] = 0;
	EXPECT_ERRNO(EINVAL, region_op(self->fds[A], ST_PUT, &put, sizeof(put) - 1, &iov, 1, 0));
	iov.iov_base = (void *)16;
	EXPECT_ERRNO(EFAULT, region_op(self->fds[A], ST_PUT, &put, sizeof(put), &iov, 1, 0));
	EXPECT_ERRNO(EFAULT, region_get(self->fds[A], handles[A], 0, (void *)16, 1));
	get.region = handles[A];
	iov.iov_base = self->buf;
	EXPECT_ERRNO(EINVAL, region_op(self->fds[A], ST_GET, &get, sizeof(get), &iov, 1, 0));
	EXPECT_ERRNO(EINVAL, region_op(self->fds[A], 19, &get, sizeof(get), NULL, 0, 0));
	EXPECT_EQ(1, region_put(self->fds[A], handles[A], 0, self->buf, 1, 0));
}

TEST_HARNESS_MAIN
