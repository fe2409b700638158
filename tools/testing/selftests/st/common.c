// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>

#include "common.h"
#include "ctl.h"

#define FAULTS		"/sys/kernel/debug/hippi6400_emu"
#define CARRIER_MS	20000

struct side sides[2] = {
	[A] = { .ns = "a" },
	[B] = { .ns = "b" },
};

static bool fail(const char *what)
{
	fprintf(stderr, "# %s: %s\n", what, strerror(errno));
	return false;
}

bool enter(int side)
{
	char path[64];
	int fd, err;

	snprintf(path, sizeof(path), "/run/netns/%s", sides[side].ns);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail(path);
	err = setns(fd, CLONE_NEWNET);
	close(fd);
	return err ? fail(path) : true;
}

/* An ioctl on the netdev of a side. */
static bool dev_ioctl(int side, unsigned long request, struct ifreq *req)
{
	int fd, err;

	if (!enter(side))
		return false;
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return fail("socket");
	memcpy(req->ifr_name, sides[side].dev, IF_NAMESIZE);
	err = ioctl(fd, request, req);
	close(fd);
	return err ? fail(sides[side].dev) : true;
}

bool link_set_up(int side, bool up)
{
	struct ifreq req = {};

	if (!dev_ioctl(side, SIOCGIFFLAGS, &req))
		return false;
	if (!!(req.ifr_flags & IFF_UP) == up)
		return true;
	req.ifr_flags ^= IFF_UP;
	return dev_ioctl(side, SIOCSIFFLAGS, &req);
}

bool wait_carrier(int side)
{
	long long end = now_ms() + CARRIER_MS;
	struct ifreq req = {};

	do {
		if (!dev_ioctl(side, SIOCGIFFLAGS, &req))
			return false;
		if (req.ifr_flags & IFF_RUNNING)
			return true;
		usleep(10000);
	} while (now_ms() < end);
	errno = ETIMEDOUT;
	return fail(sides[side].dev);
}

bool links_come_and_go(const unsigned int *done, unsigned int each)
{
	unsigned int i, from;
	long long end;

	for (i = 0; i < 10; i++) {
		from = __atomic_load_n(done, __ATOMIC_RELAXED);
		end = now_ms() + 6 * SOON_MS;
		while (__atomic_load_n(done, __ATOMIC_RELAXED) < from + each && now_ms() < end)
			usleep(1000);
		if (!link_set_up(i % 2, false) || !link_set_up(i % 2, true) ||
		    !wait_carrier(A) || !wait_carrier(B))
			return false;
	}
	return true;
}

/* What ethtool -S shows of a side, or -1. */
long long dev_stat(int side, const char *name)
{
	union {
		struct ethtool_drvinfo info;
		struct ethtool_gstrings names;
		struct ethtool_stats stats;
		char room[16384];
	} *names = calloc(1, sizeof(*names)), *stats = calloc(1, sizeof(*stats));
	struct ifreq req = { .ifr_data = (char *)names };
	long long value = -1;
	__u32 i, count;

	names->info.cmd = ETHTOOL_GDRVINFO;
	if (!dev_ioctl(side, SIOCETHTOOL, &req))
		goto out;
	count = names->info.n_stats;
	if (sizeof(names->names) + count * ETH_GSTRING_LEN > sizeof(*names)) {
		fprintf(stderr, "# %u counters are more than expected\n", count);
		goto out;
	}
	names->names.cmd = ETHTOOL_GSTRINGS;
	names->names.string_set = ETH_SS_STATS;
	names->names.len = count;
	if (!dev_ioctl(side, SIOCETHTOOL, &req))
		goto out;
	stats->stats.cmd = ETHTOOL_GSTATS;
	stats->stats.n_stats = count;
	req.ifr_data = (char *)stats;
	if (!dev_ioctl(side, SIOCETHTOOL, &req))
		goto out;
	for (i = 0; i < count; i++)
		if (!strncmp((char *)names->names.data + i * ETH_GSTRING_LEN, name,
			     ETH_GSTRING_LEN))
			value = stats->stats.data[i];
out:
	free(names);
	free(stats);
	return value;
}

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t len = strlen(text);
	bool ok;

	if (fd < 0)
		return false;
	ok = write(fd, text, len) == len;
	close(fd);
	return ok;
}

bool sysctl_set(int side, const char *name, long value)
{
	char path[64], text[32];

	snprintf(path, sizeof(path), "/proc/sys/net/st/%s", name);
	snprintf(text, sizeof(text), "%ld\n", value);
	return enter(side) && write_text(path, text);
}

long sysctl_get(int side, const char *name)
{
	char path[64];
	long value = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/sys/net/st/%s", name);
	if (!enter(side))
		return -1;
	f = fopen(path, "re");
	if (!f)
		return -1;
	if (fscanf(f, "%ld", &value) != 1)
		value = -1;
	fclose(f);
	return value;
}

long long st_stat(int side, const char *name)
{
	long long value = -1, v;
	char key[64];
	FILE *f;

	if (!enter(side))
		return -1;
	f = fopen("/proc/thread-self/net/st", "re");
	if (!f)
		return -1;
	while (value < 0 && fscanf(f, "%63s %lld", key, &v) == 2)
		if (!strcmp(key, name))
			value = v;
	fclose(f);
	return value;
}

int sockets_of(int side)
{
	char line[256];
	int count = -1;
	FILE *f;

	if (!enter(side))
		return -1;
	f = fopen("/proc/thread-self/net/protocols", "re");
	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, "ST ", 3) && sscanf(line, "%*s %*d %d", &count) != 1)
			count = -1;
	fclose(f);
	return count;
}

bool no_sockets(int timeout_ms)
{
	long long end = now_ms() + timeout_ms;

	while (sockets_of(A) || sockets_of(B)) {
		if (now_ms() > end)
			return false;
		usleep(20000);
	}
	return true;
}

bool fault_set(int port, const char *name, const char *value)
{
	char path[96];

	snprintf(path, sizeof(path), FAULTS "/port%d/%s", port, name);
	return write_text(path, value) || fail(path);
}

long long fault_stat(int port, const char *name)
{
	char path[96], key[32];
	long long value = -1, v;
	FILE *f;

	snprintf(path, sizeof(path), FAULTS "/port%d/stats", port);
	f = fopen(path, "re");
	if (!f)
		return -1;
	while (fscanf(f, "%31s %lld", key, &v) == 2)
		if (!strcmp(key, name))
			value = v;
	fclose(f);
	return value;
}

static bool find_device(struct side *s)
{
	struct if_nameindex *all = if_nameindex(), *i;

	for (i = all; i && i->if_index; i++) {
		if (strncmp(i->if_name, "hip", 3))
			continue;
		memccpy(s->dev, i->if_name, 0, IF_NAMESIZE);
		s->ifindex = i->if_index;
		break;
	}
	if_freenameindex(all);
	if (!s->ifindex)
		fprintf(stderr, "# no hippi netdev in network namespace %s\n", s->ns);
	return s->ifindex;
}

/* The defaults; but nobody is asked whether he is there */
static const struct {
	const char *name;
	long value;
} params[] = {
	{ "op_timeout_ms", 1000 },
	{ "op_timeout_min_ms", 200 },
	{ "max_retry", 8 },
	{ "max_transfer", 1L << 30 },
	{ "checksum", 1 },
	{ "max_connections", 65536 },
	{ "max_connections_peer", 32768 },
	{ "max_memory_peer", 64L << 20 },
	{ "slots", 64 },
	{ "conn_regions", 16 },
	{ "conn_region_bytes", 1L << 30 },
	{ "max_regions", 1024 },
	{ "max_region_bytes", 1L << 31 },
	{ "confirm_ms", 0 },
};

static bool set_up_side(int side)
{
	struct ifreq req = {};
	size_t i;

	if (!enter(side) || !find_device(&sides[side]) ||
	    !dev_ioctl(side, SIOCGIFHWADDR, &req))
		return false;
	memcpy(sides[side].ula, req.ifr_hwaddr.sa_data, ULA_LEN);
	for (i = 0; i < ARRAY_SIZE(params); i++)
		if (!sysctl_set(side, params[i].name, params[i].value))
			return fail(params[i].name);
	return link_set_up(side, true);
}

bool set_up(void)
{
	int port;

	for (port = 0; port < 2; port++)
		if (!fault_set(port, "tx_ber", "0") || !fault_set(port, "unplug", "0"))
			return false;
	return set_up_side(A) && set_up_side(B) && wait_carrier(A) && wait_carrier(B);
}

struct sockaddr_st address(int side, unsigned int port)
{
	struct sockaddr_st addr = {
		.sst_family	= AF_ST,
		.sst_port	= htons(port),
		.sst_alen	= ULA_LEN,
	};

	memcpy(addr.sst_addr, sides[side].ula, ULA_LEN);
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
		/* One byte more than there should be shows a record that is too long. */
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

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", job->tid);
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
