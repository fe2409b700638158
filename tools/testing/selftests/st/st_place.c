// SPDX-License-Identifier: GPL-2.0
/*
 * Direct placement: the device writes received bytes only into the pages of the
 * waiting recvmsg(), and not after it has returned.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"

#define MIB		1048576UL
#define MARGIN		8192

FIXTURE(place)
{
	int fds[2];
	long page;
	char *from;
	char *to;
};

FIXTURE_SETUP(place)
{
	self->page = sysconf(_SC_PAGESIZE);
	self->from = new_pages(16 * MIB);
	self->to = new_pages(16 * MIB);
	ASSERT_NE(NULL, self->from);
	ASSERT_NE(NULL, self->to);
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(place)
{
	fault_set(0, "tx_ber", "0");
	fault_set(1, "tx_ber", "0");
	fault_set(0, "delay", "0");
	close(self->fds[A]);
	close(self->fds[B]);
	munmap(self->from, 16 * MIB);
	munmap(self->to, 16 * MIB);
}

/* One record to a receiver that waits for it; every byte of it must be placed. */
static void move(struct __test_metadata *_metadata, int fds[2], char *from, char *to, size_t len,
		 unsigned int number)
{
	struct job receiver = { .fd = fds[B], .buf = to, .len = len, .receive = true };
	__u64 direct = get_info(fds[B]).rx_direct;

	fill(from, len, number, 0);
	ASSERT_TRUE(job_start(&receiver));
	ASSERT_TRUE(job_asleep(&receiver));
	ASSERT_EQ((ssize_t)len, send(fds[A], from, len, MSG_NOSIGNAL));
	job_end(&receiver);
	ASSERT_EQ((ssize_t)len, receiver.result) TH_LOG("errno %d", receiver.error);
	ASSERT_TRUE(is_filled(to, len, number, 0)) TH_LOG("%zu bytes to %p", len, to);
	EXPECT_EQ(len, get_info(fds[B]).rx_direct - direct) TH_LOG("%zu bytes to %p", len, to);
}

/* Of Data Channel 3, as long as a buffer */
TEST_F(place, stu_is_independent_of_the_mtu)
{
	EXPECT_EQ(20, get_info(self->fds[A]).local_max_stu);
	EXPECT_EQ(20, get_info(self->fds[B]).local_max_stu);
}

TEST_F_TIMEOUT(place, every_offset, 300)
{
	size_t len = 200000, at;

	for (at = 0; at <= 33; at++) {
		memset(self->to, GUARD, len + 2 * MARGIN);
		move(_metadata, self->fds, self->from + 33 - at, self->to + MARGIN + at, len, at);
		EXPECT_TRUE(is_guard(self->to, MARGIN + at));
		EXPECT_TRUE(is_guard(self->to + MARGIN + at + len, MARGIN - at));
	}
}

/* First frame number of memory that must stay movable; 0: not known */
static unsigned long long movable_start(void)
{
	unsigned long long start = 0;
	FILE *f = fopen("/proc/zoneinfo", "re");
	bool movable = false;
	char line[128];

	while (f && !start && fgets(line, sizeof(line), f)) {
		if (!strncmp(line, "Node ", 5))
			movable = strstr(line, "Movable");
		else if (movable)
			sscanf(line, " start_pfn: %llu", &start);
	}
	if (f)
		fclose(f);
	return start;
}

/* Number of pages of @buf in movable memory, or -1 */
static long movable_pages(const void *buf, size_t len, unsigned long long start)
{
	long page = sysconf(_SC_PAGESIZE), found = 0;
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	unsigned long long entry;
	size_t at;

	for (at = 0; at < len; at += page) {
		off_t place = ((unsigned long)buf + at) / page * sizeof(entry);

		if (pread(fd, &entry, sizeof(entry), place) != sizeof(entry)) {
			found = -1;
			break;
		}
		found += (entry & ((1ULL << 55) - 1)) >= start;
	}
	close(fd);
	return found;
}

/* The peer decides how long pages stay pinned, so they are migrated out of movable memory. */
TEST_F(place, movable_memory)
{
	unsigned long long start = movable_start();

	memset(self->from, GUARD, MIB);
	memset(self->to, GUARD, MIB);
	if (!start)
		SKIP(return, "this kernel keeps no memory movable");
	ASSERT_LT(0, movable_pages(self->from, MIB, start));
	ASSERT_LT(0, movable_pages(self->to, MIB, start));
	move(_metadata, self->fds, self->from, self->to, MIB, 0);
	EXPECT_EQ(0, movable_pages(self->from, MIB, start));
	EXPECT_EQ(0, movable_pages(self->to, MIB, start));
}

TEST_F_TIMEOUT(place, page_edges, 300)
{
	static const size_t lens[] = { 16384, 65535, 131072, 131073 + 255, 262144 };
	size_t end = 128 * self->page, i;
	int around;

	/* Behind the end, nothing is mapped. */
	ASSERT_EQ(0, munmap(self->to + end, self->page));
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		move(_metadata, self->fds, self->from, self->to + end - lens[i], lens[i], i);
		for (around = -2; around <= 2; around++) {
			char *to = self->to + self->page + around;

			memset(self->to, GUARD, lens[i] + 2 * self->page);
			move(_metadata, self->fds, self->from, to, lens[i], 2 + around);
			EXPECT_TRUE(is_guard(self->to, self->page + around));
			EXPECT_TRUE(is_guard(to + lens[i], self->page - around));
		}
	}
}

TEST_F_TIMEOUT(place, scattered, 120)
{
	enum { PIECES = 400 };
	struct iovec iov[PIECES];
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = PIECES };
	struct job sender = { .fd = self->fds[A], .buf = self->from };
	char *to = self->to;
	size_t len = 0, i;

	/* Pieces of every length from 1 up, with guard bytes between them. */
	memset(self->to, GUARD, MIB);
	for (i = 0; i < PIECES; i++) {
		iov[i] = (struct iovec) { .iov_base = to, .iov_len = i + 1 };
		to += i + 1 + i % 40 + 1;
		len += i + 1;
	}
	sender.len = len;
	fill(self->from, len, 1, 0);
	ASSERT_TRUE(job_start(&sender));
	ASSERT_EQ((ssize_t)len, recvmsg(self->fds[B], &msg, MSG_WAITALL));
	job_end(&sender);
	EXPECT_EQ((ssize_t)len, sender.result);
	for (i = 0, len = 0; i < PIECES; len += ++i) {
		ASSERT_TRUE(is_filled(iov[i].iov_base, i + 1, 1, len));
		ASSERT_TRUE(is_guard((char *)iov[i].iov_base + i + 1, i % 40 + 1));
	}
}

/* Without a waiting call, data goes to the kernel and is copied once. */
TEST_F(place, copied_where_nobody_waits)
{
	fill(self->from, 30000, 1, 0);
	ASSERT_EQ(30000, send(self->fds[A], self->from, 30000, MSG_DONTWAIT | MSG_NOSIGNAL));
	ASSERT_EQ(POLLIN, poll_for(self->fds[B], POLLIN, SOON_MS));
	ASSERT_EQ(30000, recv_record(self->fds[B], self->to, 30000));
	EXPECT_TRUE(is_filled(self->to, 30000, 1, 0));
	EXPECT_EQ(0, get_info(self->fds[B]).rx_direct);
}

TEST_F_TIMEOUT(place, bit_errors, 400)
{
	__u64 before;

	ASSERT_TRUE(sysctl_set(A, "max_retry", 255));
	ASSERT_TRUE(sysctl_set(B, "max_retry", 255));
	before = fault_stat(0, "bits_flipped");
	ASSERT_TRUE(fault_set(0, "tx_ber", "1e-5"));
	ASSERT_TRUE(fault_set(1, "tx_ber", "1e-5"));
	memset(self->to, GUARD, 4 * MIB + 2 * MARGIN);
	move(_metadata, self->fds, self->from, self->to + MARGIN + 13, 4 * MIB, 1);
	EXPECT_TRUE(is_guard(self->to, MARGIN + 13));
	EXPECT_TRUE(is_guard(self->to + MARGIN + 13 + 4 * MIB, MARGIN - 13));
	EXPECT_LT(before + 100, fault_stat(0, "bits_flipped"));
}

/* A process that is in one recv(), into memory that it shares with this one */
static pid_t child_in_recv(int fd, void *buf, size_t len)
{
	struct job child = { .tid = fork() };

	if (!child.tid) {
		recv(fd, buf, len, 0);
		_exit(0);
	}
	return child.tid > 0 && job_asleep(&child) ? child.tid : -1;
}

/* Ends it at once, and its recv() with it. */
static bool end_child(pid_t pid)
{
	int status;

	return !kill(pid, SIGKILL) && waitpid(pid, &status, 0) == pid;
}

/* Waits until the connection has received this many bytes, or the time limit is reached. */
static bool wait_bytes(int fd, __u64 bytes)
{
	long long end = now_ms() + 12 * SOON_MS;

	while (get_info(fd).rx_bytes < bytes)
		if (now_ms() > end)
			return false;
	return true;
}

/*
 * Receives the rest of a record of @sender that an aborted call left, perhaps nothing.
 * Stores its length in @len.
 */
static bool receive_rest(struct job *sender, int fd, char *buf, size_t *len)
{
	bool last = false, sent;
	ssize_t n;

	*len = 0;
	while (!last) {
		sent = !job_running(sender);
		n = recv_part(fd, buf + *len, sender->len - *len, MSG_DONTWAIT, &last);
		if (n < 0 && errno == EAGAIN && sent)
			break;
		if (n < 0 && errno != EAGAIN) {
			fprintf(stderr, "# %s after %zu bytes\n", strerror(errno), *len);
			return false;
		}
		if (n > 0)
			*len += n;
	}
	return true;
}

/* Bytes that the call consumed are lost with it; the rest is received. */
TEST_F_TIMEOUT(place, nothing_is_written_after_a_signal, 400)
{
	enum { ROUNDS = 20 };
	const size_t len = 2 * MIB;
	long long cancelled = dev_stat(B, "rx_place_cancelled");
	char *rest = new_pages(len), *to;
	unsigned int i, cut = 0;

	to = mmap(NULL, len + ROUNDS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, to);
	ASSERT_LE(0, cancelled);
	/* So that there is time to end a call in */
	ASSERT_TRUE(fault_set(A, "delay", "50"));
	for (i = 0; i < ROUNDS; i++) {
		struct job sender = { .fd = self->fds[A], .buf = self->from, .len = len };
		__u64 before = get_info(self->fds[B]).rx_bytes;
		size_t more;
		pid_t child;

		fill(self->from, len, i, 0);
		child = child_in_recv(self->fds[B], to + i, len);
		ASSERT_LT(0, child);
		ASSERT_TRUE(job_start(&sender));
		ASSERT_TRUE(wait_bytes(self->fds[B], before + i * 65536 + 1));
		ASSERT_TRUE(end_child(child));
		/* From here on the memory belongs to the test, while more Data arrives. */
		memset(to + i, GUARD, len);
		ASSERT_TRUE(receive_rest(&sender, self->fds[B], rest, &more)) TH_LOG("round %u", i);
		job_end(&sender);
		ASSERT_EQ((ssize_t)len, sender.result) TH_LOG("errno %d", sender.error);
		ASSERT_TRUE(is_filled(rest, more, i, len - more));
		ASSERT_TRUE(is_guard(to + i, len)) TH_LOG("round %u", i);
		cut += more > 0;
	}
	/*
	 * Both happened: calls were aborted (their number depends on the scheduler), and Messages.
	 */
	EXPECT_LT(0, cut);
	EXPECT_LT(cancelled, dev_stat(B, "rx_place_cancelled"));
	munmap(rest, len);
	munmap(to, len + ROUNDS);
}

/* The same with the pages freed: the kernel would detect a write to them. */
TEST_F_TIMEOUT(place, memory_may_go, 200)
{
	const size_t len = 8 * MIB;
	struct job sender = { .fd = self->fds[A], .buf = self->from, .len = len };
	size_t more;
	pid_t child;

	ASSERT_TRUE(fault_set(A, "delay", "50"));
	fill(self->from, len, 3, 0);
	child = child_in_recv(self->fds[B], self->to, len);
	ASSERT_LT(0, child);
	ASSERT_TRUE(job_start(&sender));
	ASSERT_TRUE(wait_bytes(self->fds[B], MIB));
	ASSERT_TRUE(end_child(child));
	ASSERT_TRUE(receive_rest(&sender, self->fds[B], self->to, &more));
	EXPECT_GT(len, more);
	EXPECT_LT(0, more);
	ASSERT_TRUE(is_filled(self->to, more, 3, len - more));
	job_end(&sender);
	EXPECT_EQ((ssize_t)len, sender.result);
}

TEST_HARNESS_MAIN
