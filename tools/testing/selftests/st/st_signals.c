// SPDX-License-Identifier: GPL-2.0
/*
 * However a process that uses AF_ST is interrupted, each record arrives once and
 * complete, and nothing is done twice.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/sockios.h>

#include "kselftest_harness.h"

#include "common.h"
#include "ctl.h"
#include "region.h"

#define LONG_RECORD	(8 << 20)	/* more than the kernel keeps */
#define CGROUP		"/sys/fs/cgroup/st_signals"
#define HIT_US		3000		/* between two interruptions */
#define ALL		(ST_REGION_PUT | ST_REGION_GET | ST_REGION_FETCHOP)

enum { OPERATIONS = 25, LENT = 4096 };

static const struct {
	size_t len;
	unsigned int count;
} series[] = { { 100, 15 }, { 5000, 15 }, { LONG_RECORD, 1 } };

FIXTURE(signals)
{
	int fds[2];
	char *buf;
	char *in;
};

FIXTURE_SETUP(signals)
{
	self->buf = new_pages(LONG_RECORD);
	self->in = new_pages(LONG_RECORD);
	ASSERT_NE(NULL, self->buf);
	ASSERT_NE(NULL, self->in);
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(signals)
{
	setitimer(ITIMER_REAL, &(struct itimerval){}, NULL);
	close(self->fds[A]);
	close(self->fds[B]);
}

/* A timer of @us, whose signals have a handler of @flags. */
static bool ticks(int us, int flags)
{
	const struct itimerval timer = { { 0, us }, { 0, us } };

	return catch_signal(SIGALRM, flags) && !setitimer(ITIMER_REAL, &timer, NULL);
}

/**
 * struct hit - a method to interrupt a process
 * @start: called in the process, or NULL
 * @once: called repeatedly in another process, or NULL
 */
struct hit {
	bool (*start)(void);
	bool (*once)(pid_t pid);
};

/* A call that fails with EINTR had no effect, and is repeated.  Returns 0 or an errno. */
static int send_series(int fd, char *buf)
{
	unsigned int i, n, record = 0;
	ssize_t sent;

	for (i = 0; i < ARRAY_SIZE(series); i++) {
		for (n = 0; n < series[i].count; n++, record++) {
			fill(buf, series[i].len, record, 0);
			do
				sent = send(fd, buf, series[i].len, MSG_NOSIGNAL);
			while (sent < 0 && errno == EINTR);
			if (sent != (ssize_t)series[i].len)
				return sent < 0 ? errno : EMSGSIZE;
		}
	}
	return 0;
}

/* Each record is received by one call.  Returns 0 or an errno; EBADMSG for another record. */
static int recv_series(int fd, char *buf)
{
	unsigned int i, n, record = 0;
	bool last;
	ssize_t got;

	for (i = 0; i < ARRAY_SIZE(series); i++) {
		for (n = 0; n < series[i].count; n++, record++) {
			do
				got = recv_part(fd, buf, LONG_RECORD, 0, &last);
			while (got < 0 && errno == EINTR);
			if (got < 0)
				return errno;
			if (got != (ssize_t)series[i].len || !last ||
			    !is_filled(buf, got, record, 0)) {
				fprintf(stderr, "# record %u: %zd bytes, last %d\n", record, got,
					last);
				errno = EBADMSG;
				return errno;
			}
		}
	}
	got = recv_part(fd, buf, LONG_RECORD, MSG_DONTWAIT, &last);
	return got < 0 && errno == EAGAIN ? 0 : EBADMSG;
}

struct hitter {
	const struct hit	*hit;
	pid_t			pids[2];
	unsigned int		hits;
	bool			stop;
	pthread_t		thread;
};

static void *hitter_run(void *arg)
{
	struct hitter *h = arg;
	unsigned int i;

	for (i = 0; !__atomic_load_n(&h->stop, __ATOMIC_ACQUIRE); i++) {
		h->hits += h->hit->once(h->pids[i % 2]);
		usleep(HIT_US);
	}
	return NULL;
}

static void ends_well(struct __test_metadata *_metadata, pid_t pid)
{
	siginfo_t end = {};

	/* Children traced by another thread are waited for here, too */
	while (!end.si_pid || end.si_code == CLD_TRAPPED) {
		usleep(1000);
		ASSERT_EQ(0, waitid(P_PID, pid, &end, WEXITED | WNOWAIT));
	}
	EXPECT_EQ(CLD_EXITED, end.si_code);
	EXPECT_EQ(0, end.si_status) TH_LOG("%s", strerror(end.si_status));
}

/* The records of a series arrive while their sender and their receiver are interrupted. */
static void all_arrive(struct __test_metadata *_metadata, int fds[2], char *buf,
		       const struct hit *hit)
{
	int (*const calls[])(int fd, char *buf) = { [A] = send_series, [B] = recv_series };
	struct hitter hitter = { .hit = hit };
	int side;

	for (side = A; side <= B; side++) {
		hitter.pids[side] = fork();
		ASSERT_LE(0, hitter.pids[side]);
		if (!hitter.pids[side]) {
			if (hit->start && !hit->start())
				_exit(101);
			_exit(calls[side](fds[side], buf));
		}
	}
	if (hit->once)
		ASSERT_EQ(0, pthread_create(&hitter.thread, NULL, hitter_run, &hitter));
	ends_well(_metadata, hitter.pids[A]);
	ends_well(_metadata, hitter.pids[B]);
	__atomic_store_n(&hitter.stop, true, __ATOMIC_RELEASE);
	if (hit->once) {
		pthread_join(hitter.thread, NULL);
		EXPECT_LT(0, hitter.hits);
	}
	ASSERT_EQ(hitter.pids[A], waitpid(hitter.pids[A], NULL, 0));
	ASSERT_EQ(hitter.pids[B], waitpid(hitter.pids[B], NULL, 0));
}

/* Waits for a stop; false at the end of the process. */
static bool stopped(pid_t pid)
{
	siginfo_t info = {};

	return !waitid(P_PID, pid, &info, WSTOPPED | WEXITED | WNOWAIT) &&
	       (info.si_code == CLD_STOPPED || info.si_code == CLD_TRAPPED);
}

static bool stop_once(pid_t pid)
{
	return !kill(pid, SIGSTOP) && stopped(pid) && !kill(pid, SIGCONT);
}

static bool trace_once(pid_t pid)
{
	return !ptrace(PTRACE_SEIZE, pid, NULL, NULL) &&
	       !ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) && stopped(pid) &&
	       !ptrace(PTRACE_DETACH, pid, NULL, NULL);
}

static bool is_frozen(void)
{
	char events[256] = "";
	int fd = open(CGROUP "/cgroup.events", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, events, sizeof(events) - 1);

	if (fd >= 0)
		close(fd);
	return n > 0 && strstr(events, "frozen 1");
}

static bool join_cgroup(void)
{
	return write_text(CGROUP "/cgroup.procs", "0");
}

static bool freeze_once(pid_t pid)
{
	long long end = now_ms() + SOON_MS;

	if (!write_text(CGROUP "/cgroup.freeze", "1"))
		return false;
	while (!is_frozen() && now_ms() < end && !kill(pid, 0))
		usleep(500);
	return write_text(CGROUP "/cgroup.freeze", "0");
}

static void *system_run(void *arg)
{
	while (!system(":"))
		usleep(HIT_US);
	return arg;
}

static bool run_systems(void)
{
	pthread_t thread;

	return !pthread_create(&thread, NULL, system_run, NULL);
}

static bool restart_1ms(void) { return ticks(1000, SA_RESTART); }
static bool restart_10ms(void) { return ticks(10000, SA_RESTART); }
static bool plain_1ms(void) { return ticks(1000, 0); }
static bool plain_10ms(void) { return ticks(10000, 0); }

FIXTURE(hits)
{
	int fds[2];
	char *buf;
};

FIXTURE_VARIANT(hits)
{
	struct hit hit;
};

FIXTURE_VARIANT_ADD(hits, stops) { .hit = { .once = stop_once } };
FIXTURE_VARIANT_ADD(hits, debuggers) { .hit = { .once = trace_once } };
FIXTURE_VARIANT_ADD(hits, freezers) { .hit = { .start = join_cgroup, .once = freeze_once } };
FIXTURE_VARIANT_ADD(hits, timers_that_restart) { .hit = { .start = restart_10ms } };
FIXTURE_VARIANT_ADD(hits, fast_timers_that_restart) { .hit = { .start = restart_1ms } };
FIXTURE_VARIANT_ADD(hits, timers) { .hit = { .start = plain_10ms } };
FIXTURE_VARIANT_ADD(hits, fast_timers) { .hit = { .start = plain_1ms } };
FIXTURE_VARIANT_ADD(hits, systems) { .hit = { .start = run_systems } };

FIXTURE_SETUP(hits)
{
	self->buf = new_pages(LONG_RECORD);
	ASSERT_NE(NULL, self->buf);
	ASSERT_TRUE(!mkdir(CGROUP, 0755) || errno == EEXIST) TH_LOG("%s", strerror(errno));
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(hits)
{
	close(self->fds[A]);
	close(self->fds[B]);
	EXPECT_EQ(0, rmdir(CGROUP)) TH_LOG("%s", strerror(errno));
}

TEST_F_TIMEOUT(hits, all_arrive, 120)
{
	all_arrive(_metadata, self->fds, self->buf, &variant->hit);
}

/* The result of each FetchOp is known, and each Put has arrived. */
static void operations(struct __test_metadata *_metadata, int fds[2], __u64 *lent)
{
	long handles[2];
	__u64 i, old;

	memset(lent, 0, LENT);
	ASSERT_TRUE(grant(fds, (char *)lent, LENT, ALL, handles));
	for (i = 0; i < OPERATIONS; i++) {
		struct st_peer_state state = { .size = sizeof(state), .what = ST_STATE_SLOTS };

		ASSERT_EQ(8, region_fetch(fds[A], handles[A], 0, ST_FETCH_INCREMENT, &old))
			TH_LOG("%llu: %s", i, strerror(errno));
		ASSERT_EQ(i, old);
		ASSERT_EQ(8, region_put(fds[A], handles[A], 8, &i, 8, 0))
			TH_LOG("%llu: %s", i, strerror(errno));
		ASSERT_EQ(8, region_get(fds[A], handles[A], 8, &old, 8))
			TH_LOG("%llu: %s", i, strerror(errno));
		ASSERT_EQ(i, old);
		ASSERT_EQ(0, ioctl(fds[A], SIOCSTSTATE, &state)) TH_LOG("%s", strerror(errno));
	}
	EXPECT_EQ(OPERATIONS, lent[0]);
}

TEST_F_TIMEOUT(signals, amid_operations_on_lent_memory, 60)
{
	ASSERT_TRUE(ticks(1000, 0));
	operations(_metadata, self->fds, (void *)self->buf);
}

TEST_F_TIMEOUT(signals, that_restart_amid_operations, 60)
{
	ASSERT_TRUE(ticks(1000, SA_RESTART));
	operations(_metadata, self->fds, (void *)self->buf);
}

/* A timeout does not lose the result of a FetchOp. */
TEST_F(signals, fetchop_past_its_timeout)
{
	long handles[2];
	__u64 i, old;

	memset(self->buf, 0, LENT);
	ASSERT_TRUE(grant(self->fds, self->buf, LENT, ALL, handles));
	ASSERT_TRUE(set_timeout(self->fds[A], SO_SNDTIMEO, 1));
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(8, region_fetch(self->fds[A], handles[A], 0, ST_FETCH_INCREMENT, &old))
			TH_LOG("%s", strerror(errno));
		ASSERT_EQ(i, old);
	}
}

/* A process in a send() of record 1, which the peer knows of, and reads later. */
static pid_t in_send(struct __test_metadata *_metadata, int fds[2], char *buf, void (*child)(void))
{
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		if (child)
			child();
		fill(buf, LONG_RECORD, 1, 0);
		_exit(send(fds[A], buf, LONG_RECORD, MSG_NOSIGNAL) == LONG_RECORD ? 0 : errno);
	}
	ASSERT_EQ(POLLIN, poll_for(fds[B], POLLIN, SOON_MS));
	return pid;
}

static void ends_with(struct __test_metadata *_metadata, pid_t pid, int code)
{
	int status;

	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(code << 8, status) TH_LOG("%s", strerror(WEXITSTATUS(status)));
}

static void arrives(struct __test_metadata *_metadata, int fd, char *in, unsigned int record)
{
	ASSERT_EQ(LONG_RECORD, recv_record(fd, in, LONG_RECORD)) TH_LOG("%s", strerror(errno));
	EXPECT_TRUE(is_filled(in, LONG_RECORD, record, 0));
}

/* Checks that a record is in flight though no call waits for it */
static bool is_under_way(int fd)
{
	int left;

	return !ioctl(fd, SIOCOUTQ, &left) && left == LONG_RECORD;
}

/* A stop does not wait for a peer that reads late; the record continues without the call. */
TEST_F_TIMEOUT(signals, stopped_in_a_send, 60)
{
	pid_t pid = in_send(_metadata, self->fds, self->buf, NULL);

	ASSERT_EQ(0, kill(pid, SIGSTOP));
	ASSERT_TRUE(stopped(pid));
	EXPECT_TRUE(is_under_way(self->fds[A]));
	ASSERT_EQ(0, kill(pid, SIGCONT));
	ends_with(_metadata, pid, 0);
	EXPECT_TRUE(is_under_way(self->fds[A]));
	arrives(_metadata, self->fds[B], self->in, 1);
	ASSERT_EQ(3, send(self->fds[A], "abc", 3, MSG_NOSIGNAL));
	EXPECT_EQ(3, recv_record(self->fds[B], self->in, LONG_RECORD));
}

static void handles_plainly(void)
{
	catch_signal(SIGUSR1, 0);
}

static void handles_and_restarts(void)
{
	catch_signal(SIGUSR1, SA_RESTART);
}

/* Nor does a handler.  Changes that the program makes after the call are not sent. */
TEST_F_TIMEOUT(signals, handled_in_a_send, 60)
{
	void (*const handles[])(void) = { handles_plainly, handles_and_restarts };
	unsigned int i;
	pid_t pid;

	for (i = 0; i < ARRAY_SIZE(handles); i++) {
		pid = fork();
		ASSERT_LE(0, pid);
		if (!pid) {
			handles[i]();
			fill(self->buf, LONG_RECORD, 1, 0);
			if (send(self->fds[A], self->buf, LONG_RECORD, MSG_NOSIGNAL) !=
			    LONG_RECORD)
				_exit(errno);
			fill(self->buf, LONG_RECORD, 2, 0);
			_exit(0);
		}
		ASSERT_EQ(POLLIN, poll_for(self->fds[B], POLLIN, SOON_MS));
		ASSERT_EQ(0, kill(pid, SIGUSR1));
		ends_with(_metadata, pid, 0);
		EXPECT_TRUE(is_under_way(self->fds[A]));
		arrives(_metadata, self->fds[B], self->in, 1);
	}
}

/* The next call and ST_INFO report its result. */
TEST_F_TIMEOUT(signals, fails_after_its_call, 60)
{
	pid_t pid = in_send(_metadata, self->fds, self->buf, handles_plainly);
	__u64 before = get_info(self->fds[A]).tx_transfers;

	ASSERT_EQ(0, kill(pid, SIGUSR1));
	ends_with(_metadata, pid, 0);
	close(self->fds[B]);
	self->fds[B] = -1;
	ASSERT_NE(0, poll_for(self->fds[A], POLLHUP, SOON_MS) & POLLHUP);
	EXPECT_ERRNO(ECONNRESET, send(self->fds[A], "x", 1, MSG_NOSIGNAL));
	EXPECT_EQ(before, get_info(self->fds[A]).tx_transfers);
}

/* A record of a killed process is received completely or not at all; others continue. */
TEST_F_TIMEOUT(signals, killed_in_a_send, 60)
{
	pid_t pid = in_send(_metadata, self->fds, self->buf, NULL);
	int status;

	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_ERRNO(EREMOTEIO, recv_record(self->fds[B], self->in, LONG_RECORD));
	ASSERT_EQ(3, send(self->fds[A], "abc", 3, MSG_NOSIGNAL));
	EXPECT_EQ(3, recv_record(self->fds[B], self->in, LONG_RECORD));
}

static int handler_fd;
static sigjmp_buf jump;

static void handler_sends(int signo)
{
	(void)signo;
	if (send(handler_fd, "nested", 6, MSG_NOSIGNAL | MSG_DONTWAIT) != 6)
		_exit(103);
}

static void sends_in_handler(void)
{
	struct sigaction action = { .sa_handler = handler_sends, .sa_flags = SA_RESTART };

	sigaction(SIGUSR1, &action, NULL);
	setsockopt(handler_fd, SOL_SOCKET, SO_SNDBUFFORCE, &(int){ 4 * LONG_RECORD }, sizeof(int));
}

TEST_F_TIMEOUT(signals, handler_sends, 60)
{
	pid_t pid;

	handler_fd = self->fds[A];
	pid = in_send(_metadata, self->fds, self->buf, sends_in_handler);
	ASSERT_EQ(0, kill(pid, SIGUSR1));
	ends_with(_metadata, pid, 0);
	arrives(_metadata, self->fds[B], self->in, 1);
	ASSERT_EQ(6, recv_record(self->fds[B], self->in, LONG_RECORD));
	EXPECT_EQ(0, memcmp(self->in, "nested", 6));
}

static void handler_jumps(int signo)
{
	siglongjmp(jump, signo);
}

/* If a handler does not return, the record is sent unchanged. */
TEST_F_TIMEOUT(signals, handler_jumps, 60)
{
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		struct sigaction action = { .sa_handler = handler_jumps, .sa_flags = SA_RESTART };

		sigaction(SIGUSR1, &action, NULL);
		fill(self->buf, LONG_RECORD, 1, 0);
		if (!sigsetjmp(jump, 1)) {
			send(self->fds[A], self->buf, LONG_RECORD, MSG_NOSIGNAL);
			_exit(105);
		}
		fill(self->buf, LONG_RECORD, 2, 0);
		_exit(send(self->fds[A], self->buf, LONG_RECORD, MSG_NOSIGNAL) == LONG_RECORD ?
		      0 : errno);
	}
	ASSERT_EQ(POLLIN, poll_for(self->fds[B], POLLIN, SOON_MS));
	ASSERT_EQ(0, kill(pid, SIGUSR1));
	arrives(_metadata, self->fds[B], self->in, 1);
	arrives(_metadata, self->fds[B], self->in, 2);
	ends_with(_metadata, pid, 0);
}

/* A process in a recv() of 2000 bytes of a stream, of which it has half. */
static pid_t in_recv(struct __test_metadata *_metadata, int fds[2], char *buf, void (*child)(void))
{
	int left = -1;
	pid_t pid;

	ASSERT_EQ(1000, send(fds[A], buf, 1000, MSG_MORE));
	ASSERT_EQ(POLLIN, poll_for(fds[B], POLLIN, SOON_MS));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		char in[2000];
		ssize_t n;

		if (child)
			child();
		n = recv(fds[B], in, sizeof(in), MSG_WAITALL);
		_exit(n >= 0 && is_filled(in, n, 1, 0) ? n / 100 : 200);
	}
	while (left) {
		ASSERT_EQ(0, ioctl(fds[B], SIOCINQ, &left));
		usleep(1000);
	}
	return pid;
}

/*
 * A receiver does not wait for a late sender either, and returns the bytes that it has,
 * as with MSG_WAITALL on TCP; MSG_EOR is not set yet.
 */
TEST_F_TIMEOUT(signals, part_of_a_stream, 60)
{
	void (*const handles[])(void) = { NULL, handles_plainly, handles_and_restarts };
	unsigned int i;
	pid_t pid;

	fill(self->buf, 2000, 1, 0);
	for (i = 0; i < ARRAY_SIZE(handles); i++) {
		pid = in_recv(_metadata, self->fds, self->buf, handles[i]);
		if (handles[i]) {
			ASSERT_EQ(0, kill(pid, SIGUSR1));
		} else {
			ASSERT_EQ(0, kill(pid, SIGSTOP));
			ASSERT_TRUE(stopped(pid));
			ASSERT_EQ(0, kill(pid, SIGCONT));
		}
		ends_with(_metadata, pid, 10);
		ASSERT_EQ(1000, send(self->fds[A], self->buf + 1000, 1000, 0));
		ASSERT_EQ(1000, recv_record(self->fds[B], self->in, 1001));
		EXPECT_TRUE(is_filled(self->in, 1000, 1, 1000));
	}
}

TEST_HARNESS_MAIN
