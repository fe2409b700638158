// SPDX-License-Identifier: GPL-2.0
/*
 * Events that wake waiting AF_ST calls, and epoll, in addition to those of other
 * sockets.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"
#include "ctl.h"
#include "region.h"

#define LEN	1000

FIXTURE(wake)
{
	int fds[2];
	int ep;
	char buf[65536];
};

FIXTURE_SETUP(wake)
{
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
	self->ep = epoll_create1(EPOLL_CLOEXEC);
	ASSERT_LE(0, self->ep);
	fill(self->buf, sizeof(self->buf), 1, 0);
}

FIXTURE_TEARDOWN(wake)
{
	close(self->ep);
	close(self->fds[A]);
	close(self->fds[B]);
}

static bool watch(int ep, int fd, __u32 events)
{
	struct epoll_event wanted = { .events = events | EPOLLET };

	return !epoll_ctl(ep, EPOLL_CTL_ADD, fd, &wanted);
}

/* The next edge, or 0 when there is none in time. */
static __u32 edge(int ep, int timeout_ms)
{
	struct epoll_event got = {};

	return epoll_wait(ep, &got, 1, timeout_ms) == 1 ? got.events : 0;
}

static bool set_buffer(int fd, int option, int bytes)
{
	return !setsockopt(fd, SOL_SOCKET, option, &bytes, sizeof(bytes));
}

/* Nothing is read, and each record is an edge. */
static unsigned int edges_of_records(int ep, int from, int to, const char *buf, size_t len)
{
	unsigned int edges = 0, i;

	if (!watch(ep, to, EPOLLIN) || edge(ep, 0))
		return 0;
	for (i = 0; i < 4; i++) {
		if (send(from, buf, len, MSG_DONTWAIT | MSG_NOSIGNAL) != (ssize_t)len)
			break;
		edges += !!(edge(ep, SOON_MS) & EPOLLIN);
	}
	epoll_ctl(ep, EPOLL_CTL_DEL, to, NULL);
	return edges;
}

TEST_F_TIMEOUT(wake, every_record_is_an_edge, 60)
{
	static const size_t lens[] = { 0, 100, 5000, 30000 };
	int local[2];
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		if (lens[i]) {
			ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_SEQPACKET, 0, local));
			EXPECT_EQ(4, edges_of_records(self->ep, local[A], local[B], self->buf,
						      lens[i]));
			close(local[A]);
			close(local[B]);
		}
		EXPECT_EQ(4, edges_of_records(self->ep, self->fds[A], self->fds[B], self->buf,
					      lens[i]))
			TH_LOG("records of %zu bytes", lens[i]);
		for (j = 0; j < 4; j++)
			ASSERT_EQ((ssize_t)lens[i], recv_record(self->fds[B], self->buf,
								sizeof(self->buf)));
	}
}

TEST_F(wake, every_event_is_an_edge)
{
	int hold = ST_WRITES_HOLD, serve = ST_SERVE_WRITES, i;

	ASSERT_EQ(0, setsockopt(self->fds[B], SOL_ST, ST_WRITES, &hold, sizeof(hold)));
	ASSERT_EQ(0, setsockopt(self->fds[B], SOL_ST, ST_SERVE, &serve, sizeof(serve)));
	/* EPOLLERR cannot be masked, and does not concern them */
	ASSERT_TRUE(watch(self->ep, self->fds[B], EPOLLIN | EPOLLPRI));
	for (i = 0; i < 4; i++) {
		ASSERT_EQ(LEN, send(self->fds[A], self->buf, LEN, MSG_DONTWAIT | MSG_NOSIGNAL));
		EXPECT_EQ(EPOLLPRI, edge(self->ep, SOON_MS));
	}
}

/* Every connection, too */
TEST_F(wake, every_connection_is_an_edge)
{
	int listener = new_listener(B, 5), fds[4], i;

	ASSERT_TRUE(watch(self->ep, listener, EPOLLIN));
	for (i = 0; i < 4; i++) {
		fds[i] = open_connection(A, listener);
		ASSERT_LE(0, fds[i]);
		EXPECT_NE(0, edge(self->ep, SOON_MS) & EPOLLIN);
	}
	for (i = 0; i < 4; i++)
		close(fds[i]);
	close(listener);
}

/*
 * Sends a stream until no more is accepted, since nothing is read.  A request from the peer that
 * has just arrived is room, so a record of another connection goes there and back meanwhile.
 */
static bool fill_up(int fd, char *buf)
{
	int other[2], full = 0;
	char byte;

	if (!new_pair(other))
		return false;
	while (full < 3) {
		full++;
		while (send(fd, buf, LEN, MSG_MORE | MSG_DONTWAIT | MSG_NOSIGNAL) == LEN)
			full = 0;
		if (errno != EAGAIN || send(other[A], "x", 1, MSG_NOSIGNAL) != 1 ||
		    recv_record(other[B], &byte, 1) != 1 ||
		    send(other[B], "x", 1, MSG_NOSIGNAL) != 1 ||
		    recv_record(other[A], &byte, 1) != 1)
			break;
	}
	close(other[A]);
	close(other[B]);
	return full == 3;
}

/* A send() with MSG_MORE in a thread of its own */
static void *more_run(void *arg)
{
	struct job *job = arg;

	__atomic_store_n(&job->tid, syscall(SYS_gettid), __ATOMIC_RELEASE);
	job->result = send(job->fd, job->buf, job->len, MSG_MORE | MSG_NOSIGNAL);
	job->error = errno;
	return NULL;
}

static bool more_start(struct job *job)
{
	job->tid = 0;
	return !pthread_create(&job->thread, NULL, more_run, job);
}

/* A raised SO_SNDBUF is room. */
TEST_F_TIMEOUT(wake, more_room, 60)
{
	struct job more = { .fd = self->fds[A], .buf = self->buf, .len = LEN };

	ASSERT_TRUE(set_buffer(self->fds[A], SO_SNDBUF, 20000));
	ASSERT_TRUE(set_buffer(self->fds[B], SO_RCVBUF, 5000));
	ASSERT_TRUE(fill_up(self->fds[A], self->buf));
	ASSERT_TRUE(watch(self->ep, self->fds[A], EPOLLOUT));
	EXPECT_EQ(0, edge(self->ep, 0));
	ASSERT_TRUE(more_start(&more));
	ASSERT_TRUE(job_asleep(&more));
	ASSERT_TRUE(set_buffer(self->fds[A], SO_SNDBUF, 200000));
	EXPECT_TRUE(job_ends(&more));
	EXPECT_EQ(LEN, more.result);
	EXPECT_NE(0, edge(self->ep, SOON_MS) & EPOLLOUT);
}

/* A stream that is ended early ends the call that would continue it. */
static void stream_ends(struct __test_metadata *_metadata, int fds[2], char *buf, bool by_peer)
{
	struct st_end end = { .what = by_peer ? ST_END_RECV : ST_END_SEND };
	struct job more = { .fd = fds[A], .buf = buf, .len = LEN };
	struct st_recv recv;
	bool found;
	int flags;

	ASSERT_TRUE(set_buffer(fds[A], SO_SNDBUF, 20000));
	ASSERT_TRUE(set_buffer(fds[B], SO_RCVBUF, 5000));
	ASSERT_TRUE(fill_up(fds[A], buf));
	ASSERT_TRUE(more_start(&more));
	ASSERT_TRUE(job_asleep(&more));
	if (by_peer) {
		ASSERT_EQ(1, recv_ctl(fds[B], buf, 1, 0, &flags, ST_RECV, &recv, sizeof(recv),
				      &found));
		ASSERT_TRUE(found);
		end.id = recv.id;
	}
	ASSERT_EQ(0, send_ctl(fds[by_peer ? B : A], NULL, 0, 0, ST_END, &end, sizeof(end)));
	ASSERT_TRUE(job_ends(&more));
	EXPECT_EQ(-1, more.result);
	EXPECT_EQ(by_peer ? EREMOTEIO : ECANCELED, more.error);
}

/* Returns true if the blocked SIGIO, the only one in @set, is pending or arrives. */
static bool signal_comes(const sigset_t *set, int ms)
{
	const struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	return sigtimedwait(set, NULL, &time) == SIGIO;
}

static bool own(int fd)
{
	return !fcntl(fd, F_SETOWN, getpid()) &&
	       !fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC);
}

/* With O_ASYNC a signal reports the same as poll(): socket(7). */
TEST_F_TIMEOUT(wake, by_signals, 60)
{
	int listener = new_listener(B, 2), fd = new_socket(A, SOCK_NONBLOCK), accepted;
	struct sockaddr_st to = address(B, port_of(listener));
	long handles[2];
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGIO);
	ASSERT_EQ(0, sigprocmask(SIG_BLOCK, &set, NULL));
	/* The end of a setup, which has no other effect here */
	ASSERT_TRUE(own(fd));
	EXPECT_ERRNO(EINPROGRESS, connect_to(fd, &to));
	EXPECT_TRUE(signal_comes(&set, SOON_MS));
	accepted = accept(listener, NULL, NULL);
	ASSERT_LE(0, accepted);
	/* An event */
	ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_EVENTS, ST_REGION_EV_PUT));
	ASSERT_TRUE(grant(self->fds, self->buf, 4096, ST_REGION_PUT, handles));
	ASSERT_TRUE(own(self->fds[B]));
	while (signal_comes(&set, 0))
		;
	ASSERT_EQ(1, region_put(self->fds[A], handles[A], 0, "x", 1, 0));
	EXPECT_TRUE(signal_comes(&set, SOON_MS));
	/* The end of a connection, by the peer */
	while (signal_comes(&set, 0))
		;
	ASSERT_EQ(0, shutdown(accepted, SHUT_WR));
	EXPECT_TRUE(signal_comes(&set, SOON_MS));
	close(fd);
	close(accepted);
	close(listener);
}

TEST_F_TIMEOUT(wake, stream_ended, 60)
{
	stream_ends(_metadata, self->fds, self->buf, false);
}

TEST_F_TIMEOUT(wake, stream_refused, 60)
{
	stream_ends(_metadata, self->fds, self->buf, true);
}

/*
 * The connection ends a region at the same time as the application: its memory is free when
 * the call returns, and no longer counts.
 */
TEST_F_TIMEOUT(wake, region_is_free, 60)
{
	int listener = new_listener(B, 1), fds[2], i, waited = 0;
	long region;

	ASSERT_TRUE(sysctl_set(A, "max_regions", 1));
	for (i = 0; i < 20; i++) {
		fds[A] = open_connection(A, listener);
		ASSERT_LE(0, fds[A]);
		fds[B] = accept(listener, NULL, NULL);
		ASSERT_LE(0, fds[B]);
		region = region_expose(fds[A], self->buf, LEN, ST_REGION_GET);
		ASSERT_LE(0, region) TH_LOG("%s after %d", strerror(errno), i);
		ASSERT_EQ(0, shutdown(fds[A], SHUT_RDWR));
		if (!region_option(fds[A], ST_REGION_END, region))
			waited++;
		else
			EXPECT_EQ(ENOENT, errno);
		region = region_expose(self->fds[A], self->buf, LEN, ST_REGION_GET);
		ASSERT_LE(0, region) TH_LOG("%s in %d", strerror(errno), i);
		ASSERT_EQ(0, region_option(self->fds[A], ST_REGION_END, region));
		/* That one is gone for good. */
		EXPECT_EQ(-1, region_option(self->fds[A], ST_REGION_END, region));
		EXPECT_EQ(ENOENT, errno);
		close(fds[A]);
		close(fds[B]);
	}
	EXPECT_LT(0, waited);
	close(listener);
}

/* A new worker of the kernel may need memory that is being released. */
TEST_F(wake, rescuer)
{
	static const char name[] = "kworker/R-st_mem\n";
	char comm[sizeof(name)];
	int found = 0, fd;
	glob_t paths;
	size_t i;

	ASSERT_EQ(0, glob("/proc/[0-9]*/comm", 0, NULL, &paths));
	for (i = 0; i < paths.gl_pathc; i++) {
		fd = open(paths.gl_pathv[i], O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (read(fd, comm, sizeof(comm)) == sizeof(name) - 1)
			found += !memcmp(comm, name, sizeof(name) - 1);
		close(fd);
	}
	globfree(&paths);
	EXPECT_EQ(1, found);
}

static void *connect_run(void *arg)
{
	struct sockaddr_st to = address(B, 2000);
	struct job *job = arg;

	/* No host on the cable has this address. */
	to.sst_addr[ULA_LEN - 1] ^= 0x55;
	__atomic_store_n(&job->tid, syscall(SYS_gettid), __ATOMIC_RELEASE);
	job->result = connect_to(job->fd, &to);
	job->error = errno;
	return NULL;
}

/* Every kind of shutdown() ends a connect(), as with TCP. */
TEST_F(wake, shutdown_ends_connect)
{
	struct job job = { .fd = new_socket(A, 0) };
	int error = -1;
	socklen_t len = sizeof(error);

	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 60000));
	ASSERT_TRUE(sysctl_set(A, "op_timeout_min_ms", 60000));
	ASSERT_EQ(0, pthread_create(&job.thread, NULL, connect_run, &job));
	ASSERT_TRUE(job_asleep(&job));
	EXPECT_EQ(0, shutdown(job.fd, SHUT_RDWR));
	ASSERT_TRUE(job_ends(&job));
	EXPECT_EQ(-1, job.result);
	EXPECT_EQ(ECONNRESET, job.error);
	EXPECT_ERRNO(ENOTCONN, shutdown(job.fd, SHUT_RDWR));
	close(job.fd);

	job.fd = new_socket(A, SOCK_NONBLOCK);
	connect_run(&job);
	EXPECT_EQ(EINPROGRESS, job.error);
	EXPECT_EQ(0, shutdown(job.fd, SHUT_RD));
	EXPECT_NE(0, poll_for(job.fd, POLLOUT, 0) & POLLERR);
	EXPECT_EQ(0, getsockopt(job.fd, SOL_SOCKET, SO_ERROR, &error, &len));
	EXPECT_EQ(ECONNRESET, error);
	EXPECT_ERRNO(EPIPE, send(job.fd, "x", 1, MSG_NOSIGNAL));
	close(job.fd);
}

static void *accept_run(void *arg)
{
	struct job *job = arg;

	__atomic_store_n(&job->tid, syscall(SYS_gettid), __ATOMIC_RELEASE);
	job->result = accept(job->fd, NULL, NULL);
	job->error = errno;
	return NULL;
}

/* All waiting calls fail, and a later one does not wait. */
TEST_F(wake, shutdown_ends_accept)
{
	struct job jobs[2] = {};
	int fd = new_listener(B, 4), i;

	for (i = 0; i < 2; i++) {
		jobs[i].fd = fd;
		ASSERT_EQ(0, pthread_create(&jobs[i].thread, NULL, accept_run, &jobs[i]));
		ASSERT_TRUE(job_asleep(&jobs[i]));
	}
	EXPECT_EQ(0, shutdown(fd, SHUT_RDWR));
	for (i = 0; i < 2; i++) {
		ASSERT_TRUE(job_ends(&jobs[i]));
		EXPECT_EQ(-1, jobs[i].result);
		EXPECT_EQ(EINVAL, jobs[i].error);
	}
	EXPECT_EQ(0, fcntl(fd, F_SETFL, O_NONBLOCK));
	EXPECT_ERRNO(EINVAL, accept(fd, NULL, NULL));
	close(fd);
}

TEST_HARNESS_MAIN
