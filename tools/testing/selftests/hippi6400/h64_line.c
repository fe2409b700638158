// SPDX-License-Identifier: GPL-2.0
/*
 * The file with which a program becomes the far end of a port: read, write and
 * poll with and without data or room.
 *
 * The port is up, and only these tests are at its far end.  Its driver sends a
 * Reset periodically, and answers each Reset with Reset_ACK.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "port.h"
#include "upkt.h"

#define LINE	"/sys/kernel/debug/hippi6400_emu/port0/line"
#define QUEUE	4096	/* queue size in either direction, in micropackets */

#define MUCH	((ssize_t)UPKT_SIZE << 24)	/* bytes of a write that a signal interrupts */

#define EXPECT_ERRNO(e, call) do {					\
	errno = 0;							\
	EXPECT_EQ(-1, (call));						\
	EXPECT_EQ(e, errno);						\
} while (0)

FIXTURE(line)
{
	struct port port;
	int fd;
};

static short poll_for(int fd, short events, int ms)
{
	struct pollfd p = { .fd = fd, .events = events };

	return poll(&p, 1, ms) == 1 ? p.revents : 0;
}

/* POLLHUP ends every poll immediately, so this polls repeatedly */
static bool poll_shows(int fd, short events, short wanted)
{
	long long end = now_ms() + SOON_MS;

	while ((poll_for(fd, events, 0) & events) != wanted)
		if (now_ms() > end)
			return false;
	return true;
}

FIXTURE_SETUP(line)
{
	ASSERT_TRUE(port_open(&self->port, "hip0"));
	self->fd = open(LINE, O_RDWR);
	ASSERT_LE(0, self->fd);
	ASSERT_TRUE(port_set_up(&self->port, true));
	ASSERT_TRUE(poll_shows(self->fd, POLLHUP, 0));
}

FIXTURE_TEARDOWN(line)
{
	close(self->fd);
	EXPECT_TRUE(port_set_up(&self->port, false));
	port_close(&self->port);
}

static struct upkt make_reset(void)
{
	struct upkt upkt = outside(TYPE_RESET, SEQ_NONE);

	seal(&upkt);
	return upkt;
}

static unsigned int type_of(const struct upkt *upkt)
{
	return control_of(upkt).type;
}

/* Reads until a micropacket of this TYPE arrives */
static bool await(int fd, unsigned int type)
{
	long long end = now_ms() + SOON_MS;
	struct upkt upkt;

	while (now_ms() < end)
		if (read(fd, &upkt, sizeof(upkt)) == sizeof(upkt) && type_of(&upkt) == type)
			return true;
	return false;
}

static bool set_nonblock(int fd)
{
	return !fcntl(fd, F_SETFL, O_NONBLOCK);
}

TEST(only_both_ways)
{
	EXPECT_ERRNO(EINVAL, open(LINE, O_RDONLY));
	EXPECT_ERRNO(EINVAL, open(LINE, O_WRONLY));
}

TEST_F(line, only_once)
{
	EXPECT_ERRNO(EBUSY, open(LINE, O_RDWR));
	EXPECT_TRUE(await(self->fd, TYPE_RESET));
}

TEST_F(line, whole_micropackets)
{
	struct upkt upkts[3];

	EXPECT_ERRNO(EINVAL, read(self->fd, upkts, 0));
	EXPECT_ERRNO(EINVAL, read(self->fd, upkts, UPKT_SIZE - 1));
	EXPECT_ERRNO(EINVAL, write(self->fd, upkts, UPKT_SIZE - 1));
	EXPECT_ERRNO(EINVAL, write(self->fd, upkts, UPKT_SIZE + 1));
	EXPECT_EQ(0, write(self->fd, upkts, 0));
	EXPECT_ERRNO(ESPIPE, lseek(self->fd, 0, SEEK_SET));
	/* Room for one and a half is room for one */
	EXPECT_EQ(UPKT_SIZE, read(self->fd, upkts, UPKT_SIZE + UPKT_SIZE / 2));
}

TEST_F(line, many_in_one_write)
{
	struct upkt upkts[10], upkt;
	unsigned int i, acks = 0;

	for (i = 0; i < ARRAY_SIZE(upkts); i++)
		upkts[i] = make_reset();
	ASSERT_EQ(sizeof(upkts), write(self->fd, upkts, sizeof(upkts)));
	while (acks < ARRAY_SIZE(upkts)) {
		ASSERT_EQ(POLLIN, poll_for(self->fd, POLLIN, SOON_MS));
		ASSERT_EQ(sizeof(upkt), read(self->fd, &upkt, sizeof(upkt)));
		acks += type_of(&upkt) == TYPE_RESET_ACK;
	}
}

TEST_F(line, without_waiting)
{
	struct upkt *many = calloc(2 * QUEUE, sizeof(*many));
	struct upkt upkt;
	ssize_t len;

	ASSERT_NE(NULL, many);
	ASSERT_TRUE(port_set_up(&self->port, false));
	ASSERT_TRUE(poll_shows(self->fd, POLLHUP, POLLHUP));
	ASSERT_TRUE(set_nonblock(self->fd));
	while (read(self->fd, &upkt, sizeof(upkt)) == sizeof(upkt))
		;
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(POLLHUP, poll_for(self->fd, POLLIN, 0));

	/* More than there is room for: writes as much as fits */
	len = write(self->fd, many, 2 * QUEUE * sizeof(*many));
	EXPECT_EQ(0, len % UPKT_SIZE);
	EXPECT_LE(QUEUE * UPKT_SIZE, len);
	/* The card takes them nevertheless */
	EXPECT_TRUE(poll_shows(self->fd, POLLOUT, POLLOUT));
	EXPECT_EQ(UPKT_SIZE, write(self->fd, many, UPKT_SIZE));
	free(many);
}

TEST_F(line, bad_memory)
{
	/* An accessible page followed by an inaccessible one */
	long page = sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, pages);
	ASSERT_EQ(0, mprotect(pages, page, PROT_READ | PROT_WRITE));
	ASSERT_EQ(POLLIN, poll_for(self->fd, POLLIN, SOON_MS));
	EXPECT_ERRNO(EFAULT, read(self->fd, pages + page, UPKT_SIZE));
	EXPECT_ERRNO(EFAULT, write(self->fd, pages + page, UPKT_SIZE));
	/* Only whole micropackets before the boundary count */
	EXPECT_EQ(2 * UPKT_SIZE, write(self->fd, pages + page - 2 * UPKT_SIZE, 3 * UPKT_SIZE));
	ASSERT_EQ(0, munmap(pages, 2 * page));
	/* Unread micropackets remain */
	EXPECT_TRUE(await(self->fd, TYPE_RESET));
}

static void nothing(int sig)
{
	(void)sig;
}

TEST_F(line, signals_end_waiting)
{
	const struct sigaction action = { .sa_handler = nothing };
	struct upkt *many = calloc(64 * QUEUE, sizeof(*many));
	struct upkt upkt;
	ssize_t len;

	ASSERT_NE(NULL, many);
	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	ASSERT_TRUE(port_set_up(&self->port, false));
	ASSERT_TRUE(poll_shows(self->fd, POLLHUP, POLLHUP));
	ASSERT_TRUE(set_nonblock(self->fd));
	while (read(self->fd, &upkt, sizeof(upkt)) == sizeof(upkt))
		;
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, 0));
	alarm(1);
	EXPECT_ERRNO(EINTR, read(self->fd, &upkt, sizeof(upkt)));

	/* A large write waits for room repeatedly, and completes */
	len = write(self->fd, many, 64 * QUEUE * sizeof(*many));
	EXPECT_EQ(64 * QUEUE * UPKT_SIZE, len);
	free(many);
}

/* A write that the card consumes at once never waits, but still ends at a signal */
TEST_F(line, signal_ends_long_write)
{
	const struct itimerval often = { { 0, 100000 }, { 0, 100000 } };
	const struct sigaction action = { .sa_handler = nothing };
	const struct itimerval never = {};
	void *much;
	ssize_t len;

	much = mmap(NULL, MUCH, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, much);
	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &often, NULL));
	len = write(self->fd, much, MUCH);
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &never, NULL));
	EXPECT_LT(0, len);
	EXPECT_GT(MUCH, len);
	EXPECT_EQ(0, len % UPKT_SIZE);
	ASSERT_EQ(0, munmap(much, MUCH));
}

static void *reset_later(void *arg)
{
	int *fd = arg;
	struct upkt upkt = make_reset();

	/* The read is waiting by then */
	usleep(BRIEF_MS * 1000);
	return write(*fd, &upkt, sizeof(upkt)) == sizeof(upkt) ? arg : NULL;
}

/* A write gets through while another thread waits in a read */
TEST_F(line, both_ways_at_once)
{
	pthread_t thread;
	void *sent;

	ASSERT_EQ(0, pthread_create(&thread, NULL, reset_later, &self->fd));
	EXPECT_TRUE(await(self->fd, TYPE_RESET_ACK));
	ASSERT_EQ(0, pthread_join(thread, &sent));
	EXPECT_NE(NULL, sent);
}

/* The driver no longer sends anything */
static bool silent(struct port *port)
{
	long long end = now_ms() + SOON_MS;
	__u64 sent;

	do {
		sent = counter_of(port, "tx_upkts");
		usleep(BRIEF_MS * 1000);
		if (counter_of(port, "tx_upkts") == sent)
			return true;
	} while (now_ms() < end);
	return false;
}

TEST_F(line, close_takes_signal_away)
{
	ASSERT_TRUE(await(self->fd, TYPE_RESET));
	ASSERT_EQ(0, close(self->fd));
	EXPECT_TRUE(silent(&self->port));
	self->fd = open(LINE, O_RDWR);
	ASSERT_LE(0, self->fd);
	EXPECT_TRUE(await(self->fd, TYPE_RESET));
}

TEST_HARNESS_MAIN
