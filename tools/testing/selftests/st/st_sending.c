// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters of sending: Data Channels, Opaque data, Interrupt, Silent, sizes
 * of Blocks; and the state that the peer reports.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"
#include "ctl.h"

#define MIB		1048576UL
#define OP_DATA		0x1b
#define NOBODY_WAKES_MS	3000

FIXTURE(sending)
{
	int fds[2];
	char *buf;
};

FIXTURE_SETUP(sending)
{
	self->buf = new_pages(4 * MIB);
	ASSERT_NE(NULL, self->buf);
	fill(self->buf, MIB, 1, 0);
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(sending)
{
	close(self->fds[A]);
	close(self->fds[B]);
}

static ssize_t send_as(int fd, const void *buf, size_t len, int flags, const struct st_send *send)
{
	return send_ctl(fd, buf, len, flags, ST_SEND, send, sizeof(*send));
}

/* Receives a record of @len bytes; returns the kernel's report about it. */
static struct st_recv receive(struct __test_metadata *_metadata, int fd, size_t len)
{
	char *buf = new_pages(len + 1);
	struct st_recv recv = {};
	size_t got = 0;
	bool found;
	int flags;
	ssize_t n;

	do {
		n = recv_ctl(fd, buf + got, len + 1 - got, 0, &flags, ST_RECV, &recv, sizeof(recv),
			     &found);
		ASSERT_LE(0, n) TH_LOG("%s", strerror(errno));
		ASSERT_TRUE(found);
		ASSERT_EQ(len, recv.len);
		ASSERT_NE(0, recv.id);
		got += n;
	} while (!(flags & MSG_EOR));
	EXPECT_EQ(len, got);
	EXPECT_TRUE(is_filled(buf, got, 1, 0));
	munmap(buf, len + 1);
	return recv;
}

TEST_F(sending, wrong_calls)
{
	static const struct st_send wrong[] = {
		{ .flags = 8 }, { .channel = 4 }, { .max_block = 7 }, { .max_block = 49 },
		{ .reserved = 1 },
	};
	struct st_send got = { .flags = ~0 };
	socklen_t len = sizeof(got);
	int value = 7;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		EXPECT_ERRNO(EINVAL, send_as(self->fds[A], self->buf, 1, 0, &wrong[i]));
		EXPECT_ERRNO(EINVAL, setsockopt(self->fds[A], SOL_ST, ST_SEND_DEFAULT, &wrong[i],
						sizeof(wrong[i])));
	}
	EXPECT_ERRNO(EINVAL, setsockopt(self->fds[A], SOL_ST, ST_SEND_DEFAULT, &got,
					sizeof(got) - 1));
	EXPECT_EQ(0, getsockopt(self->fds[A], SOL_ST, ST_SEND_DEFAULT, &got, &len));
	EXPECT_EQ(sizeof(got), len);
	EXPECT_EQ(0, got.flags);
	EXPECT_ERRNO(EINVAL, setsockopt(self->fds[A], SOL_ST, ST_BLOCK_MAX_SIZE, &value,
					sizeof(value)));
	value = 21;
	EXPECT_ERRNO(EINVAL, setsockopt(self->fds[A], SOL_ST, ST_BLOCK_MAX_SIZE, &value,
					sizeof(value)));
	len = sizeof(value);
	EXPECT_EQ(0, getsockopt(self->fds[A], SOL_ST, ST_BLOCK_MAX_SIZE, &value, &len));
	EXPECT_EQ(17, value);
}

TEST_F_TIMEOUT(sending, data_channels, 120)
{
	struct st_send how = {};
	struct st_recv recv;

	for (how.channel = 0; how.channel <= 3; how.channel++) {
		ASSERT_EQ(50000, send_as(self->fds[A], self->buf, 50000, MSG_DONTWAIT, &how));
		recv = receive(_metadata, self->fds[B], 50000);
		EXPECT_EQ(how.channel ? how.channel : 1, recv.channel);
	}
}

TEST_F(sending, opaque)
{
	static const __u32 all[] = { 1, 0xffffffff, 0, 0x12345678 };
	struct st_recv recv;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		const struct st_send how = { .opaque = all[i] };

		ASSERT_EQ(100, send_as(self->fds[A], self->buf, 100, 0, &how));
		recv = receive(_metadata, self->fds[B], 100);
		EXPECT_EQ(ST_RECV_OPAQUE, recv.flags);
		EXPECT_EQ(all[i], recv.opaque);
	}
}

TEST_F(sending, defaults)
{
	const struct st_send how = { .opaque = 77, .channel = 2 }, other = { .opaque = 78 };
	struct st_recv recv;

	ASSERT_EQ(0, setsockopt(self->fds[A], SOL_ST, ST_SEND_DEFAULT, &how, sizeof(how)));
	ASSERT_EQ(100, send(self->fds[A], self->buf, 100, MSG_NOSIGNAL));
	recv = receive(_metadata, self->fds[B], 100);
	EXPECT_EQ(77, recv.opaque);
	EXPECT_EQ(2, recv.channel);
	ASSERT_EQ(100, send_as(self->fds[A], self->buf, 100, 0, &other));
	recv = receive(_metadata, self->fds[B], 100);
	EXPECT_EQ(78, recv.opaque);
	EXPECT_EQ(1, recv.channel);
}

TEST_F(sending, interrupt)
{
	const struct st_send how = { .flags = ST_SEND_INTERRUPT, .opaque = 99 };
	int serve = ST_SERVE_INTERRUPTS;
	struct st_event event;
	struct st_recv recv;

	/* The event was not requested: the record carries it. */
	ASSERT_EQ(5000, send_as(self->fds[A], self->buf, 5000, 0, &how));
	recv = receive(_metadata, self->fds[B], 5000);
	EXPECT_EQ(ST_RECV_OPAQUE | ST_RECV_INTERRUPT, recv.flags);
	EXPECT_EQ(0, poll_for(self->fds[B], POLLPRI, 0));

	ASSERT_EQ(0, setsockopt(self->fds[B], SOL_ST, ST_SERVE, &serve, sizeof(serve)));
	ASSERT_EQ(5000, send_as(self->fds[A], self->buf, 5000, 0, &how));
	ASSERT_TRUE(next_event(self->fds[B], &event, SOON_MS));
	EXPECT_EQ(ST_EVENT_INTERRUPT, event.type);
	EXPECT_EQ(OP_DATA, event.flags);
	EXPECT_EQ(99, event.value);
	recv = receive(_metadata, self->fds[B], 5000);
	EXPECT_EQ(event.id, recv.id);
	EXPECT_EQ(0, poll_for(self->fds[B], POLLPRI, 0));
}

/**
 * struct poller - a thread in poll()
 * @fd: socket
 * @events: what for
 * @ms: its duration
 * @thread: the thread
 */
struct poller {
	int		fd;
	short		events;
	long long	ms;
	pthread_t	thread;
};

static void *poller_run(void *arg)
{
	struct poller *p = arg;
	long long start = now_ms();

	poll_for(p->fd, p->events, NOBODY_WAKES_MS);
	p->ms = now_ms() - start;
	return NULL;
}

/* Duration of a poll() during which a record sent with @how arrives. */
static long long poll_while_sending(struct __test_metadata *_metadata, int fds[2], char *buf,
				    const struct st_send *how)
{
	struct poller poller = { .fd = fds[B], .events = POLLIN };

	ASSERT_EQ(0, pthread_create(&poller.thread, NULL, poller_run, &poller));
	usleep(BRIEF_MS * 1000);
	ASSERT_EQ(3000, send_as(fds[A], buf, 3000, 0, how));
	pthread_join(poller.thread, NULL);
	return poller.ms;
}

TEST_F_TIMEOUT(sending, silent, 60)
{
	const struct st_send silent = { .flags = ST_SEND_SILENT, .opaque = 5 }, loud = {};
	struct job reader = { .fd = self->fds[B], .receive = true, .len = 3000 };
	struct st_recv recv;

	EXPECT_GT(NOBODY_WAKES_MS, poll_while_sending(_metadata, self->fds, self->buf, &loud));
	receive(_metadata, self->fds[B], 3000);
	EXPECT_LE(NOBODY_WAKES_MS, poll_while_sending(_metadata, self->fds, self->buf, &silent));
	/* A non-blocking call finds it. */
	EXPECT_EQ(POLLIN, poll_for(self->fds[B], POLLIN, 0));
	recv = receive(_metadata, self->fds[B], 3000);
	EXPECT_EQ(ST_RECV_SILENT, recv.flags);

	/* And so does a waiting recv(). */
	reader.buf = new_pages(3000);
	ASSERT_TRUE(job_start(&reader));
	ASSERT_TRUE(job_asleep(&reader));
	ASSERT_EQ(3000, send_as(self->fds[A], self->buf, 3000, 0, &silent));
	job_end(&reader);
	EXPECT_EQ(3000, reader.result);
}

TEST_F_TIMEOUT(sending, silent_and_long, 60)
{
	const struct st_send how = { .flags = ST_SEND_SILENT };
	struct job sender = { .fd = self->fds[A], .buf = self->buf, .len = MIB };
	bool last = false;
	size_t got = 0;
	ssize_t n;

	/* More than there is room for: poll() is woken to avoid a deadlock. */
	ASSERT_EQ(0, setsockopt(self->fds[A], SOL_ST, ST_SEND_DEFAULT, &how, sizeof(how)));
	ASSERT_TRUE(job_start(&sender));
	while (!last) {
		ASSERT_EQ(POLLIN, poll_for(self->fds[B], POLLIN, 4 * SOON_MS));
		n = recv_part(self->fds[B], self->buf + 2 * MIB, MIB, MSG_DONTWAIT, &last);
		ASSERT_LE(0, n);
		ASSERT_TRUE(is_filled(self->buf + 2 * MIB, n, 1, got));
		got += n;
	}
	EXPECT_EQ(MIB, got);
	job_end(&sender);
	EXPECT_EQ((ssize_t)MIB, sender.result);
}

/* Number of operations that the sender needs for a record of 1 MB. */
static __u64 ops_for(struct __test_metadata *_metadata, int fds[2], char *buf,
		     const struct st_send *how)
{
	struct job reader = { .fd = fds[B], .receive = true, .len = MIB };
	__u64 before = get_info(fds[A]).tx_ops;

	reader.buf = new_pages(MIB);
	ASSERT_TRUE(job_start(&reader));
	ASSERT_TRUE(job_asleep(&reader));
	ASSERT_EQ((ssize_t)MIB, send_as(fds[A], buf, MIB, 0, how));
	job_end(&reader);
	EXPECT_EQ((ssize_t)MIB, reader.result);
	EXPECT_TRUE(is_filled(reader.buf, MIB, 1, 0));
	munmap(reader.buf, MIB);
	return get_info(fds[A]).tx_ops - before;
}

TEST_F_TIMEOUT(sending, sizes_of_blocks, 120)
{
	struct st_send how = { .max_block = 12 };
	int size = 20, side;

	/* None is repeated or requested again because this machine is slow. */
	for (side = A; side <= B; side++) {
		ASSERT_TRUE(sysctl_set(side, "op_timeout_ms", 60000));
		ASSERT_TRUE(sysctl_set(side, "op_timeout_min_ms", 60000));
	}
	/* The sender's Max_Block: 256 Blocks, of one STU each. */
	EXPECT_LE(256, ops_for(_metadata, self->fds, self->buf, &how));
	how.max_block = 0;
	EXPECT_GT(100, ops_for(_metadata, self->fds, self->buf, &how));
	/* The receiver's: an STU may have this length on Data Channel 3, and 128 KB on others. */
	ASSERT_EQ(0, setsockopt(self->fds[B], SOL_ST, ST_BLOCK_MAX_SIZE, &size, sizeof(size)));
	how.channel = 3;
	EXPECT_GT(4, ops_for(_metadata, self->fds, self->buf, &how));
	for (how.channel = 1; how.channel <= 2; how.channel++) {
		__u64 ops = ops_for(_metadata, self->fds, self->buf, &how);

		EXPECT_LE(8, ops) TH_LOG("Data Channel %u", how.channel);
		EXPECT_GT(8 + 4, ops) TH_LOG("Data Channel %u", how.channel);
	}
	how.channel = 3;
	size = 14;
	ASSERT_EQ(0, setsockopt(self->fds[B], SOL_ST, ST_BLOCK_MAX_SIZE, &size, sizeof(size)));
	EXPECT_LE(64, ops_for(_metadata, self->fds, self->buf, &how));
	/* Its end is kept for two of them, ST 5.1.2, and other tests count sockets. */
	for (side = A; side <= B; side++)
		EXPECT_TRUE(sysctl_set(side, "op_timeout_ms", 1000));
}

/* Fields that the last answer set are zero in the next request. */
static int state_of(int fd, struct st_peer_state *state)
{
	struct st_peer_state ask = { .size = sizeof(ask), .what = state->what };

	if (ask.what != ST_STATE_SLOTS)
		ask.id = state->id;
	if (ask.what == ST_STATE_BLOCK)
		ask.block = state->block;
	if (ioctl(fd, SIOCSTSTATE, &ask))
		return -1;
	*state = ask;
	return 0;
}

TEST_F(sending, state_of_the_peer)
{
	struct st_peer_state state = { .what = ST_STATE_BLOCK + 1 };

	EXPECT_ERRNO(EINVAL, state_of(self->fds[A], &state));
	EXPECT_ERRNO(EFAULT, ioctl(self->fds[A], SIOCSTSTATE, NULL));
	state.what = ST_STATE_SLOTS;
	ASSERT_EQ(0, state_of(self->fds[A], &state));
	EXPECT_LT(0, state.rtt);
	EXPECT_EQ(64, state.slots);
	EXPECT_EQ(1, state.known);
	/* An unread record occupies a Slot. */
	ASSERT_EQ(10, send(self->fds[A], self->buf, 10, MSG_NOSIGNAL));
	ASSERT_EQ(0, state_of(self->fds[A], &state));
	EXPECT_EQ(63, state.slots);
	state.what = ST_STATE_TRANSFER;
	EXPECT_ERRNO(ENOENT, state_of(self->fds[A], &state));
	close(self->fds[B]);
	ASSERT_NE(0, poll_for(self->fds[A], POLLHUP, SOON_MS));
	state.what = ST_STATE_SLOTS;
	EXPECT_ERRNO(ENOTCONN, state_of(self->fds[A], &state));
}

TEST_F(sending, state_of_a_transfer)
{
	struct st_peer_state state = { .what = ST_STATE_TRANSFER };
	char part[5000];
	bool last;

	/* A Block and a half of a stream */
	ASSERT_EQ(12288, send(self->fds[A], self->buf, 12288, MSG_MORE));
	ASSERT_EQ(5000, recv_part(self->fds[B], part, 5000, MSG_WAITALL, &last));
	ASSERT_EQ(5000, recv_part(self->fds[B], part, 5000, MSG_WAITALL, &last));
	ASSERT_EQ(0, state_of(self->fds[A], &state));
	EXPECT_EQ(1, state.known);
	EXPECT_NE(0, state.id);
	EXPECT_EQ(0, state.b_seq);
	state.what = ST_STATE_BLOCK;
	state.block = 0;
	ASSERT_EQ(0, state_of(self->fds[A], &state));
	EXPECT_EQ(0, state.block);
}

/* ST 10.7.4: the peer discards a Request_State for a Block that it has not exposed. */
TEST_F_TIMEOUT(sending, state_of_a_block_never_exposed, 60)
{
	struct st_peer_state state = { .what = ST_STATE_BLOCK, .block = 1000 };
	char in[12288];

	ASSERT_TRUE(sysctl_set(A, "max_retry", 2));
	ASSERT_EQ(5000, send(self->fds[A], self->buf, 5000, MSG_MORE));
	ASSERT_NE(0, poll_for(self->fds[B], POLLIN, SOON_MS));
	EXPECT_ERRNO(EREMOTEIO, state_of(self->fds[A], &state));
	/* Nothing else happens: the Transfer continues, and other Request_States are answered */
	state = (struct st_peer_state){ .what = ST_STATE_SLOTS };
	EXPECT_EQ(0, state_of(self->fds[A], &state));
	ASSERT_EQ(7288, send(self->fds[A], self->buf + 5000, 7288, 0));
	EXPECT_EQ(12288, recv_record(self->fds[B], in, 12288));
	EXPECT_TRUE(is_filled(in, 12288, 1, 0));
}

TEST_HARNESS_MAIN
