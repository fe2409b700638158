// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <err.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "../../st/args.h"
#include "sock.h"

#define FILES	32768	/* the most that a program may have open */

static const struct protocol protocols[] = {
	{ "st", AF_ST, SOCK_SEQPACKET, sizeof(struct sockaddr_st) },
	{ "tcp", AF_INET, SOCK_STREAM, sizeof(struct sockaddr_in) },
	{ "udp", AF_INET, SOCK_DGRAM, sizeof(struct sockaddr_in) },
	{}
};

const struct protocol *protocol_named(const char *name)
{
	const struct protocol *p;

	for (p = protocols; p->name; p++)
		if (!strcmp(p->name, name))
			return p;
	misused("'%s' is no protocol: expected st, tcp or udp", name);
}

void address_of(const struct protocol *p, const char *host, const char *port,
		const char *device, union address *to)
{
	unsigned int number = parse_number("port", port, 1, 65535);

	memset(to, 0, sizeof(*to));
	to->any.sa_family = p->family;
	if (p->family == AF_INET) {
		to->in.sin_port = htons(number);
		if (host && !inet_pton(AF_INET, host, &to->in.sin_addr))
			misused("'%s' is no IPv4 address", host);
		return;
	}
	to->st.sst_port = htons(number);
	if (!host)
		return;
	to->st.sst_alen = ULA_LEN;
	if (!parse_ula(host, to->st.sst_addr))
		misused("'%s' is no ULA", host);
	to->st.sst_ifindex = if_nametoindex(device);
	if (!to->st.sst_ifindex)
		err(EXIT_USAGE, "%s", device);
}

int new_socket(const struct protocol *p)
{
	int fd = socket(p->family, p->type, 0), one = 1;

	if (fd < 0)
		err(EXIT_BROKEN, "socket of %s", p->name);
	if (p->family == AF_INET && p->type == SOCK_STREAM)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	return fd;
}

void raise_files(void)
{
	const struct rlimit files = { .rlim_cur = FILES, .rlim_max = FILES };

	if (setrlimit(RLIMIT_NOFILE, &files))
		err(EXIT_BROKEN, "%d files", FILES);
}

void *buffer(size_t size)
{
	void *buf = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (buf == MAP_FAILED)
		err(EXIT_BROKEN, "%zu bytes of memory", size);
	return buf;
}

bool get(int fd, char *buf, size_t size)
{
	ssize_t n;

	for (; size; size -= n, buf += n) {
		n = recv(fd, buf, size, MSG_WAITALL);
		if (n <= 0)
			return false;
	}
	return true;
}

bool put(int fd, const char *buf, size_t size)
{
	ssize_t n;

	for (; size; size -= n, buf += n) {
		n = send(fd, buf, size, MSG_NOSIGNAL);
		if (n <= 0)
			return false;
	}
	return true;
}

uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static int later(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

uint64_t median_ns(size_t count, bool (*step)(void *arg, uint64_t number), void *arg)
{
	uint64_t *times = calloc(count, sizeof(*times)), start, median;
	size_t i;

	if (!times)
		err(EXIT_BROKEN, "%zu times", count);
	for (i = 0; i < count; i++) {
		start = now_ns();
		if (!step(arg, i + 1))
			err(EXIT_BROKEN, "number %zu of %zu", i + 1, count);
		times[i] = now_ns() - start;
	}
	qsort(times, count, sizeof(*times), later);
	median = times[count / 2];
	free(times);
	return median;
}
