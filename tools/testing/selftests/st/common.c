// SPDX-License-Identifier: GPL-2.0
/*
 * Sockets of both sides, records, and threads that send and receive.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <arpa/inet.h>

#include "common.h"
#include "ctl.h"
#include "region.h"

struct sockaddr_st address(int side, unsigned int port)
{
	struct sockaddr_st addr = {
		.sst_family	= AF_ST,
		.sst_port	= htons(port),
		.sst_alen	= frame_addr_len(medium()),
	};

	memcpy(addr.sst_addr, sides[side].ula, addr.sst_alen);
	return addr;
}

int bind_to(int fd, const struct sockaddr_st *addr)
{
	return bind(fd, (const struct sockaddr *)addr, sizeof(*addr));
}

int connect_to(int fd, const struct sockaddr_st *addr)
{
	return connect(fd, (const struct sockaddr *)addr, sizeof(*addr));
}

int new_socket(int side, int flags)
{
	return enter(side) ? socket(AF_ST, SOCK_SEQPACKET | flags, 0) : -1;
}

int new_listener(int side, int backlog)
{
	int fd = new_socket(side, 0);

	if (fd >= 0 && listen(fd, backlog)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* All zero if it is not available */
struct st_info get_info(int fd)
{
	struct st_info info = {};
	socklen_t len = sizeof(info);

	if (getsockopt(fd, SOL_ST, ST_INFO, &info, &len))
		perror("# ST_INFO");
	return info;
}

unsigned int port_of(int fd)
{
	struct sockaddr_st addr;
	socklen_t len = sizeof(addr);

	return getsockname(fd, (struct sockaddr *)&addr, &len) ? 0 : ntohs(addr.sst_port);
}

int open_connection(int from, int listener)
{
	struct sockaddr_st to = address(!from, port_of(listener));
	int fd = new_socket(from, 0), err;

	if (fd >= 0 && connect_to(fd, &to)) {
		err = errno;
		close(fd);
		errno = err;
		return -1;
	}
	return fd;
}

bool new_pair(int fds[2])
{
	int listener = new_listener(B, 1);

	if (listener < 0)
		return fail("listen");
	fds[A] = open_connection(A, listener);
	if (fds[A] < 0)
		return fail("connect");
	fds[B] = accept(listener, NULL, NULL);
	if (fds[B] < 0)
		return fail("accept");
	close(listener);
	return true;
}

long long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

short poll_for(int fd, short events, int timeout_ms)
{
	struct pollfd p = { .fd = fd, .events = events };

	return poll(&p, 1, timeout_ms) == 1 ? p.revents : 0;
}

bool set_timeout(int fd, int option, int ms)
{
	struct timeval tv = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000 };

	return !setsockopt(fd, SOL_SOCKET, option, &tv, sizeof(tv));
}

static __u8 pattern(unsigned int record, size_t at)
{
	return ((at ^ (at >> 8) ^ (at >> 16)) + 31 * record + 7) * 0x9e3779b1U >> 21;
}

void fill(void *buf, size_t len, unsigned int record, size_t at)
{
	__u8 *p = buf;
	size_t i;

	for (i = 0; i < len; i++)
		p[i] = pattern(record, at + i);
}

bool is_filled(const void *buf, size_t len, unsigned int record, size_t at)
{
	const __u8 *p = buf;
	size_t i;

	for (i = 0; i < len; i++) {
		if (p[i] == pattern(record, at + i))
			continue;
		fprintf(stderr, "# record %u byte %zu is %02x, but was sent as %02x\n",
			record, at + i, p[i], pattern(record, at + i));
		return false;
	}
	return true;
}

bool is_guard(const void *buf, size_t len)
{
	const __u8 *p = buf;
	size_t i;

	for (i = 0; i < len; i++) {
		if (p[i] == GUARD)
			continue;
		fprintf(stderr, "# byte %zu of %zu is %02x\n", i, len, p[i]);
		return false;
	}
	return true;
}

void *new_pages(size_t len)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

ssize_t recv_part(int fd, void *buf, size_t len, int flags, bool *last)
{
	struct iovec iov = { .iov_base = buf, .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n = recvmsg(fd, &msg, flags);

	*last = n >= 0 && (msg.msg_flags & MSG_EOR);
	if (!n && len && !*last) {
		errno = ENODATA;
		return -1;
	}
	return n;
}

ssize_t recv_record(int fd, void *buf, size_t len)
{
	size_t done = 0;
	bool last;
	ssize_t n;

	do {
		if (done > len) {
			errno = EOVERFLOW;
			return -1;
		}
		/* One extra byte of room detects a record that is too long. */
		n = done == len ? recv_part(fd, &(char){ 0 }, 1, 0, &last) :
				  recv_part(fd, (char *)buf + done, len - done, 0, &last);
		if (n < 0)
			return -1;
		done += n;
	} while (!last);
	return done;
}

static void *job_run(void *arg)
{
	struct job *job = arg;

	__atomic_store_n(&job->tid, syscall(SYS_gettid), __ATOMIC_RELEASE);
	if (job->receive)
		job->result = recv_record(job->fd, job->buf, job->len);
	else if (job->asks)
		job->result = region_request(job->fd, job->len, 0);
	else if (job->answers)
		job->result = read_answer(job->fd, job->answers, job->buf, job->len, 0);
	else
		job->result = send(job->fd, job->buf, job->len, MSG_NOSIGNAL);
	job->error = errno;
	return NULL;
}

bool job_start(struct job *job)
{
	job->tid = 0;
	return !pthread_create(&job->thread, NULL, job_run, job);
}

bool job_running(struct job *job)
{
	return pthread_tryjoin_np(job->thread, NULL) == EBUSY;
}

void job_end(struct job *job)
{
	pthread_join(job->thread, NULL);
}

bool job_ends(struct job *job)
{
	long long end = now_ms() + SOON_MS;

	while (job_running(job)) {
		if (now_ms() > end)
			return false;
		usleep(1000);
	}
	return true;
}

static void *series_run(void *arg)
{
	struct series *series = arg;
	size_t longest = 1, len;
	unsigned int i;
	ssize_t n;
	char *buf;

	for (i = 0; i < series->count; i++)
		if (series->lens[i] > longest)
			longest = series->lens[i];
	buf = malloc(longest);
	for (i = 0; buf && i < series->count; i++) {
		len = series->lens[i];
		fill(buf, len, i, 0);
		n = send(series->fd, buf, len, MSG_NOSIGNAL);
		if (n != (ssize_t)len) {
			series->error = n < 0 ? errno : EMSGSIZE;
			break;
		}
		series->sent++;
	}
	free(buf);
	return NULL;
}

bool series_start(struct series *series)
{
	series->sent = 0;
	series->error = 0;
	return !pthread_create(&series->thread, NULL, series_run, series);
}

void series_end(struct series *series)
{
	pthread_join(series->thread, NULL);
}

static void do_nothing(int signo)
{
	(void)signo;
}

bool catch_signal(int signo, int flags)
{
	struct sigaction action = { .sa_handler = do_nothing, .sa_flags = flags };

	return !sigaction(signo, &action, NULL);
}

/* Asleep in its call: the state in /proc is S. */
static bool job_sleeps(struct job *job)
{
	char path[64], state = '?';
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", job->tid);
	f = fopen(path, "re");
	if (!f)
		return false;
	if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = '?';
	fclose(f);
	return state == 'S';
}

bool job_asleep(struct job *job)
{
	long long end = now_ms() + SOON_MS;

	while (!__atomic_load_n(&job->tid, __ATOMIC_ACQUIRE) || !job_sleeps(job)) {
		if (now_ms() > end)
			return false;
		usleep(1000);
	}
	return true;
}

bool signal_job(struct job *job, int signo)
{
	return job_asleep(job) && !syscall(SYS_tgkill, getpid(), job->tid, signo);
}

bool random_options(int argc, char **argv, const char *name, long *seconds, __u64 *seed)
{
	int c;

	while ((c = getopt(argc, argv, "d:s:")) != -1) {
		switch (c) {
		case 'd':
			*seconds = strtol(optarg, NULL, 10);
			break;
		case 's':
			*seed = strtoull(optarg, NULL, 10);
			break;
		default:
			fprintf(stderr, "usage: st_%s [-d SECONDS] [-s SEED]\n", name);
			return false;
		}
	}
	if (!*seed && getrandom(seed, sizeof(*seed), 0) != sizeof(*seed)) {
		perror("getrandom");
		return false;
	}
	printf("# %s: seed %llu\n", name, *seed);
	fflush(stdout);
	return true;
}
