// SPDX-License-Identifier: GPL-2.0
/*
 * AF_ST sockets used by local users in arbitrary ways: random calls with random
 * arguments, by threads of several unprivileged processes that share their
 * sockets, are interrupted by signals and killed.  Other users must not be
 * affected, and nothing may remain.
 *
 * usage: st_abuse [-d SECONDS] [-s SEED]
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <linux/sockios.h>

#include "common.h"
#include "region.h"

#define USERS		4	/* processes at a time, half of them at each side */
#define THREADS		3	/* of each */
#define SOCKETS		12	/* that they share */
#define LIFE_MS		3000	/* at most, until it is killed */
#define MEM_LEN		1048576
#define PORT		3000	/* and those behind it, one per user */
#define LEFT_MS		120000	/* for operations still queued at the end */

/**
 * struct user - one process
 * @rnd: state of the random numbers, of each thread
 * @fds: sockets, any of which may be closed or replaced at any time
 * @mem: memory with holes
 * @file: to send from
 * @pipe: to splice to and from
 * @mail: a pair of sockets, to send descriptors over
 * @to: listeners of both sides
 */
struct user {
	__u64			rnd[THREADS];
	int			fds[SOCKETS];
	char			*mem;
	int			file;
	int			pipe[2];
	int			mail[2];
	struct sockaddr_st	to[USERS];
};

static struct user user;

/* xorshift64* */
static __u32 rnd(__u64 *state, __u32 below)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (*state * 0x2545f4914f6cdd1dULL >> 32) % below;
}

/* Short, odd, long, and implausible lengths */
static size_t any_len(__u64 *r)
{
	static const size_t lens[] = {
		0, 1, 7, 255, 256, 4095, 4096, 4097, 16383, 16384, 65537, 131071, 300001,
		MEM_LEN, 1UL << 31, (size_t)(1ULL << 40), -1UL,
	};

	return lens[rnd(r, ARRAY_SIZE(lens))];
}

static char *any_place(__u64 *r)
{
	if (!rnd(r, 50))
		return rnd(r, 2) ? NULL : (char *)-4096L;
	return user.mem + rnd(r, MEM_LEN);
}

static void *bytes_of(__u64 *r, void *buf, size_t len)
{
	__u8 *p = buf;

	while (len--)
		*p++ = rnd(r, 3) ? rnd(r, 4) : rnd(r, 256);
	return buf;
}

static void keep(__u64 *r, int fd)
{
	const struct timeval brief = { .tv_usec = 1000 + rnd(r, 30000) };
	int i = rnd(r, SOCKETS), old;

	if (fd < 0)
		return;
	/* Limits the time that a call may block */
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &brief, sizeof(brief));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &brief, sizeof(brief));
	old = __atomic_exchange_n(&user.fds[i], fd, __ATOMIC_RELAXED);
	if (old >= 0)
		close(old);
}

static void call_open(__u64 *r, int fd)
{
	int sock;

	switch (rnd(r, 6)) {
	case 0:
		listen(fd, rnd(r, 4));
		break;
	case 1:
	case 2:
		keep(r, accept4(fd, NULL, NULL, rnd(r, 2) ? SOCK_NONBLOCK : 0));
		break;
	default:
		sock = socket(AF_ST, SOCK_SEQPACKET, 0);
		connect_to(rnd(r, 8) ? sock : fd, &user.to[rnd(r, USERS)]);
		keep(r, sock);
	}
}

static int any_flags(__u64 *r)
{
	static const int flags[] = {
		MSG_DONTWAIT, MSG_MORE, MSG_ZEROCOPY, MSG_PEEK, MSG_TRUNC, MSG_WAITALL, MSG_EOR,
		MSG_OOB, MSG_ERRQUEUE,
	};
	int all = MSG_NOSIGNAL;

	while (rnd(r, 2))
		all |= flags[rnd(r, ARRAY_SIZE(flags))];
	return all;
}

static void call_message(__u64 *r, int fd)
{
	enum { PIECES = 1024 };
	union {
		struct cmsghdr hdr;
		char room[256];
	} ctl = {};
	unsigned int n = rnd(r, 8) ? rnd(r, 4) : rnd(r, PIECES + 1), i;
	struct iovec *iov = calloc(PIECES, sizeof(*iov));
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = n };
	bool sends = rnd(r, 2);

	for (i = 0; i < n; i++) {
		iov[i].iov_base = any_place(r);
		iov[i].iov_len = n < 4 ? any_len(r) : rnd(r, 5000);
	}
	if (rnd(r, 2)) {
		msg.msg_control = &ctl;
		msg.msg_controllen = rnd(r, 16) ? CMSG_SPACE(rnd(r, 6) * 8) : rnd(r, sizeof(ctl));
		bytes_of(r, &ctl, sizeof(ctl));
		ctl.hdr.cmsg_level = rnd(r, 32) ? SOL_ST : SOL_SOCKET;
		ctl.hdr.cmsg_type = 10 + rnd(r, 20);
		ctl.hdr.cmsg_len = rnd(r, 16) ? msg.msg_controllen : rnd(r, 300);
		if (sends && rnd(r, 2))
			msg.msg_iovlen = 0;
	}
	if (sends)
		sendmsg(fd, &msg, any_flags(r));
	else
		recvmsg(fd, &msg, any_flags(r));
	free(iov);
}

static void call_plain(__u64 *r, int fd)
{
	if (rnd(r, 2))
		send(fd, any_place(r), any_len(r), any_flags(r));
	else
		recv(fd, any_place(r), any_len(r), any_flags(r));
}

static void call_region(__u64 *r, int fd)
{
	struct st_region_offer offer = {
		.size = rnd(r, 32) ? sizeof(offer) : rnd(r, 5000),
		.addr = rnd(r, 4) ? (unsigned long)any_place(r) : 0,
		.len = any_len(r),
		.access = rnd(r, 16) ? 7 : rnd(r, 256),
		.flags = rnd(r, 8) ? 0 : rnd(r, 3),
	};
	struct st_peer_state state = {
		.size = rnd(r, 32) ? sizeof(state) : rnd(r, 5000),
		.what = rnd(r, 4),
	};
	char *map;
	int n;

	offer.request = offer.flags ? 1 + rnd(r, 20) : 0;
	state.id = state.what ? rnd(r, 20) : 0;
	state.block = state.what == ST_STATE_BLOCK ? rnd(r, 4) : 0;

	switch (rnd(r, 6)) {
	case 0:
		ioctl(fd, SIOCSTEXPOSE, &offer);
		break;
	case 1:
		offer.addr = 0;
		offer.len = (1 + rnd(r, 20)) * 4096;
		if (ioctl(fd, SIOCSTALLOC, &offer))
			break;
		map = mmap(NULL, offer.len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offer.addr);
		if (map == MAP_FAILED)
			break;
		if (rnd(r, 2))
			region_option(fd, ST_REGION_END, offer.region);
		/* Receives another region, or a record, into the memory of this one */
		region_expose(fd, map, offer.len, 7);
		send(fd, map, offer.len, any_flags(r));
		recv(fd, map + 1, offer.len - 1, any_flags(r));
		munmap(map, rnd(r, 2) ? offer.len : 4096);
		break;
	case 2:
		region_request(fd, any_len(r), ST_REGION_NOWAIT);
		break;
	case 3:
		region_option(fd, ST_REGION_REFUSE + rnd(r, 4), 1 + rnd(r, 20));
		break;
	case 4:
		ioctl(fd, rnd(r, 2) ? SIOCINQ : SIOCOUTQ, &n);
		break;
	default:
		ioctl(fd, SIOCSTSTATE, &state);
	}
}

/* As the holder of a Key may: operations on regions that may exist */
static void call_onesided(__u64 *r, int fd)
{
	__u32 region = 1 + rnd(r, 20);
	int flags = rnd(r, 2) ? MSG_DONTWAIT : 0;
	struct iovec iov = { .iov_base = any_place(r), .iov_len = any_len(r) };
	struct st_get get = { .region = region, .len = any_len(r), .offset = rnd(r, 5000) };
	struct st_fetchop fetchop = { .region = region, .op = rnd(r, 5), .offset = rnd(r, 64) };
	struct st_put put = { .region = region, .flags = rnd(r, 4), .offset = rnd(r, 5000) };

	/* Posted or waited for, from and to memory of either kind */
	put.flags |= rnd(r, 2) ? ST_POST : 0;
	get.flags = put.flags & ST_POST;
	fetchop.flags = put.flags & ST_POST;
	put.local = rnd(r, 3) ? 0 : 1 + rnd(r, 20);
	put.len = put.local ? any_len(r) : 0;
	get.local = put.local;
	fetchop.local = put.local;

	get.addr = (unsigned long)any_place(r);
	fetchop.addr = (unsigned long)any_place(r);
	switch (rnd(r, 3)) {
	case 0:
		region_op(fd, ST_PUT, &put, sizeof(put), &iov, 1, flags);
		break;
	case 1:
		region_op(fd, ST_GET, &get, sizeof(get), NULL, 0, flags);
		break;
	default:
		region_op(fd, ST_FETCHOP, &fetchop, sizeof(fetchop), NULL, 0, flags);
	}
}

static void call_option(__u64 *r, int fd)
{
	static const int names[] = {
		SO_RCVBUF, SO_SNDBUF, SO_LINGER, SO_KEEPALIVE, SO_ZEROCOPY, SO_PRIORITY, SO_ERROR,
		SO_TIMESTAMP, SO_RCVLOWAT, SO_BUSY_POLL, SO_REUSEADDR,
	};
	int value[4] = { rnd(r, 4) ? rnd(r, 40) : rnd(r, 1 << 20), rnd(r, 2) };
	char room[512];
	socklen_t len = rnd(r, sizeof(room));

	bytes_of(r, room, sizeof(room));
	if (rnd(r, 2))
		setsockopt(fd, SOL_SOCKET, names[rnd(r, ARRAY_SIZE(names))], value,
			   rnd(r, 8) ? 8 : rnd(r, 16));
	else if (rnd(r, 2))
		setsockopt(fd, SOL_ST, rnd(r, 32), value, rnd(r, 8) ? 16 : rnd(r, 32));
	else
		getsockopt(fd, SOL_ST, rnd(r, 32), room, &len);
}

static void call_file(__u64 *r, int fd)
{
	off_t at = rnd(r, 9000);

	switch (rnd(r, 3)) {
	case 0:
		sendfile(fd, user.file, &at, rnd(r, 200000));
		break;
	case 1:
		splice(fd, NULL, user.pipe[1], NULL, rnd(r, 100000), SPLICE_F_NONBLOCK);
		break;
	default:
		splice(user.pipe[0], NULL, fd, NULL, rnd(r, 100000),
		       SPLICE_F_NONBLOCK | (rnd(r, 2) ? SPLICE_F_MORE : 0));
	}
}

/* Passes the socket to the process that reads the mail, or leaves it there. */
static void call_pass(__u64 *r, int fd)
{
	union {
		struct cmsghdr hdr;
		char room[CMSG_SPACE(sizeof(int))];
	} ctl = {};
	char byte = 0;
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &ctl,
		.msg_controllen = sizeof(ctl),
	};
	int got;

	if (rnd(r, 2)) {
		ctl.hdr.cmsg_level = SOL_SOCKET;
		ctl.hdr.cmsg_type = SCM_RIGHTS;
		ctl.hdr.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&ctl.hdr), &fd, sizeof(fd));
		sendmsg(user.mail[0], &msg, MSG_DONTWAIT);
	} else if (recvmsg(user.mail[1], &msg, MSG_DONTWAIT) == 1 &&
		   msg.msg_controllen >= sizeof(ctl)) {
		memcpy(&got, CMSG_DATA(&ctl.hdr), sizeof(got));
		keep(r, got);
	}
}

static void call_end(__u64 *r, int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLOUT };

	switch (rnd(r, 6)) {
	case 0:
		shutdown(fd, rnd(r, 3));
		break;
	case 1:
		close(fd);
		break;
	case 2:
		if (!fork()) {
			call_plain(r, fd);
			_exit(0);
		}
		break;
	default:
		poll(&p, 1, rnd(r, 3));
	}
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

static void *abuse(void *arg)
{
	static void (*const calls[])(__u64 *r, int fd) = {
		call_open, call_open, call_message, call_message, call_plain, call_plain,
		call_region, call_region, call_onesided, call_option, call_file, call_pass,
		call_end,
	};
	__u64 *r = arg;

	for (;;)
		calls[rnd(r, ARRAY_SIZE(calls))](r, user.fds[rnd(r, SOCKETS)]);
	return NULL;
}

/* Comes with every tick of a timer, and interrupts a waiting thread */
static void interrupt(int signo)
{
	(void)signo;
}

static bool begin_user(int number, __u64 seed)
{
	const struct itimerval timer = { { 0, 7000 }, { 0, 7000 } };
	const struct sigaction action = { .sa_handler = interrupt };
	int i;

	for (i = 0; i < THREADS; i++)
		user.rnd[i] = seed + 1 + i * 0x9e3779b97f4a7c15ULL;
	for (i = 0; i < USERS; i++)
		user.to[i] = address(!(number % 2), PORT + i);
	user.mem = new_pages(MEM_LEN + (1 << 20));
	user.file = memfd_create("abuse", MFD_CLOEXEC);
	if (!user.mem || user.file < 0 || ftruncate(user.file, 300000) || pipe(user.pipe) ||
	    socketpair(AF_UNIX, SOCK_DGRAM, 0, user.mail))
		return fail("a user");
	/* Holes, and read-only pages */
	munmap(user.mem + 40 * 4096, 3 * 4096);
	mprotect(user.mem + 90 * 4096, 5 * 4096, PROT_READ);
	for (i = 0; i < SOCKETS; i++)
		user.fds[i] = -1;
	user.fds[0] = new_socket(number % 2, 0);
	if (user.fds[0] < 0 || setresuid(NOBODY, NOBODY, NOBODY))
		return fail("a user's socket");
	setsockopt(user.fds[0], SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int));
	bind_to(user.fds[0], &(struct sockaddr_st) {
		.sst_family = AF_ST, .sst_port = htons(PORT + number),
	});
	listen(user.fds[0], 3);
	fcntl(user.fds[0], F_SETFL, O_NONBLOCK);
	return !sigaction(SIGALRM, &action, NULL) && !setitimer(ITIMER_REAL, &timer, NULL);
}

static pid_t start_user(int number, __u64 seed)
{
	pthread_t thread;
	pid_t pid = fork();
	int i;

	if (pid)
		return pid;
	setpgid(0, 0);
	signal(SIGPIPE, SIG_IGN);
	if (!begin_user(number, seed))
		_exit(1);
	for (i = 1; i < THREADS; i++)
		pthread_create(&thread, NULL, abuse, &user.rnd[i]);
	abuse(&user.rnd[0]);
	_exit(1);
}

static bool other_works(const int fds[2])
{
	char out[5000], in[5000];
	static unsigned int record;

	fill(out, sizeof(out), ++record, 0);
	if (send(fds[A], out, sizeof(out), MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof(out))
		return fail("another connection: send");
	if (recv_record(fds[B], in, sizeof(in)) != sizeof(in))
		return fail("another connection: receive");
	return is_filled(in, sizeof(in), record, 0);
}

/* Starts users, and kills them after a while, until the time is over. */
static bool abuse_for(const int fds[2], long seconds, __u64 *r, unsigned int *killed)
{
	long long end = now_ms() + 1000 * seconds, dies[USERS] = {};
	pid_t pids[USERS] = {};
	bool ok = true;
	int i;

	while (ok && now_ms() < end) {
		for (i = 0; i < USERS; i++) {
			if (now_ms() < dies[i])
				continue;
			if (pids[i]) {
				kill(-pids[i], SIGKILL);
				waitpid(pids[i], NULL, 0);
				++*killed;
			}
			pids[i] = start_user(i, *r += rnd(r, 1 << 30) + 1);
			dies[i] = now_ms() + LIFE_MS / 4 + rnd(r, LIFE_MS);
		}
		ok = other_works(fds);
		usleep(10000);
	}
	for (i = 0; i < USERS; i++) {
		kill(-pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
	return ok;
}

static int result(int number, bool ok, const char *what)
{
	printf("%sok %d - %s\n", ok ? "" : "not ", number, what);
	return !ok;
}

static int run(long seconds, __u64 seed)
{
	unsigned int killed = 0;
	int fds[2], failed;

	if (!set_up() || !no_sockets(LEFT_MS) || !new_pair(fds))
		return 1;
	failed = result(1, abuse_for(fds, seconds, &seed, &killed),
			"another connection is unharmed");
	printf("# abuse: %u users were killed\n", killed);
	failed |= result(2, killed, "there were users");
	close(fds[A]);
	close(fds[B]);
	failed |= result(3, no_sockets(LEFT_MS), "no socket is left");
	printf("1..3\n");
	return failed;
}

int main(int argc, char **argv)
{
	long seconds = 20;
	__u64 seed = 0;

	return random_options(argc, argv, "abuse", &seconds, &seed) ? run(seconds, seed) : 2;
}
