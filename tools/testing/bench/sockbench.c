// SPDX-License-Identifier: GPL-2.0
/*
 * sockbench - the same loops over sockets of several families
 *
 * usage: sockbench -l PROTOCOL PORT
 *        sockbench bulk PROTOCOL ADDRESS PORT DEVICE SIZE COUNT
 *        sockbench turn PROTOCOL ADDRESS PORT DEVICE SIZE COUNT
 *
 * PROTOCOL is st or tcp.  The first form serves one connection after the other.  bulk
 * sends COUNT records, or pieces of a stream, of SIZE bytes and waits until the far
 * end has them; it prints bytes a second.  turn sends SIZE bytes and waits for as
 * many, COUNT times; it prints the median of the times in nanoseconds.
 */
#include <arpa/inet.h>
#include <err.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <linux/st.h>

#include "../../st/args.h"

#define SIZE_MAX_BYTES	(64UL << 20)
#define COUNT_MAX	100000000UL
#define EXIT_BROKEN	3

/* What a client wants, in its first record */
struct wish {
	uint32_t turn;		/* else bulk */
	uint32_t reserved;
	uint64_t size;
	uint64_t count;
};

union address {
	struct sockaddr		any;
	struct sockaddr_in	in;
	struct sockaddr_st	st;
};

struct protocol {
	const char *name;
	int family;
	int type;
	socklen_t len;
};

static const struct protocol protocols[] = {
	{ "st", AF_ST, SOCK_SEQPACKET, sizeof(struct sockaddr_st) },
	{ "tcp", AF_INET, SOCK_STREAM, sizeof(struct sockaddr_in) },
	{}
};

static const struct protocol *protocol_named(const char *name)
{
	const struct protocol *p;

	for (p = protocols; p->name; p++)
		if (!strcmp(p->name, name))
			return p;
	misused("'%s' is no protocol: expected st or tcp", name);
}

static void address_of(const struct protocol *p, const char *host, const char *port,
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

static int new_socket(const struct protocol *p)
{
	int fd = socket(p->family, p->type, 0), one = 1;

	if (fd < 0)
		err(EXIT_BROKEN, "socket of %s", p->name);
	if (p->family == AF_INET)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	return fd;
}

static void *buffer(size_t size)
{
	void *buf = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (buf == MAP_FAILED)
		err(EXIT_BROKEN, "%zu bytes of memory", size);
	return buf;
}

/* All @size bytes; false at an end or an error */
static bool get(int fd, char *buf, size_t size)
{
	ssize_t n;

	for (; size; size -= n, buf += n) {
		n = recv(fd, buf, size, MSG_WAITALL);
		if (n <= 0)
			return false;
	}
	return true;
}

static bool put(int fd, const char *buf, size_t size)
{
	ssize_t n;

	for (; size; size -= n, buf += n) {
		n = send(fd, buf, size, MSG_NOSIGNAL);
		if (n <= 0)
			return false;
	}
	return true;
}

static void serve_one(int fd)
{
	struct wish wish;
	char *buf;

	if (!get(fd, (char *)&wish, sizeof(wish)) || !wish.size || wish.size > SIZE_MAX_BYTES ||
	    wish.count > COUNT_MAX)
		return;
	buf = buffer(wish.size);
	while (wish.count && get(fd, buf, wish.size) &&
	       (!wish.turn || put(fd, buf, wish.size)))
		wish.count--;
	/* The client waits for this, and then closes */
	if (!wish.count && put(fd, buf, 1))
		get(fd, buf, 1);
	munmap(buf, wish.size);
}

static void serve(const struct protocol *p, const char *port)
{
	int listener = new_socket(p), fd;
	union address me;

	address_of(p, NULL, port, NULL, &me);
	if (bind(listener, &me.any, p->len) || listen(listener, 16))
		err(EXIT_BROKEN, "cannot listen at port %s", port);
	printf("listening\n");
	fflush(stdout);
	for (;;) {
		fd = accept(listener, NULL, NULL);
		if (fd < 0)
			err(EXIT_BROKEN, "accept");
		serve_one(fd);
		close(fd);
	}
}

static uint64_t now_ns(void)
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

static uint64_t bulk(int fd, char *buf, size_t size, size_t count)
{
	uint64_t start = now_ns();
	size_t i;

	for (i = 0; i < count; i++)
		if (!put(fd, buf, size))
			err(EXIT_BROKEN, "record %zu of %zu", i, count);
	if (!get(fd, buf, 1))
		err(EXIT_BROKEN, "the far end has not got all");
	return (double)size * count * 1e9 / (now_ns() - start);
}

static uint64_t turn(int fd, char *buf, size_t size, size_t count)
{
	uint64_t *times = calloc(count, sizeof(*times)), start, median;
	size_t i;

	if (!times)
		err(EXIT_BROKEN, "%zu times", count);
	for (i = 0; i < count; i++) {
		start = now_ns();
		if (!put(fd, buf, size) || !get(fd, buf, size))
			err(EXIT_BROKEN, "number %zu of %zu", i, count);
		times[i] = now_ns() - start;
	}
	if (!get(fd, buf, 1))
		err(EXIT_BROKEN, "the far end has not got all");
	qsort(times, count, sizeof(*times), later);
	median = times[count / 2];
	free(times);
	return median;
}

int main(int argc, char **argv)
{
	const struct protocol *p;
	struct wish wish = {};
	union address to;
	uint64_t result;
	char *buf;
	int fd;

	if (argc == 4 && !strcmp(argv[1], "-l"))
		serve(protocol_named(argv[2]), argv[3]);
	if (argc != 8 || (strcmp(argv[1], "bulk") && strcmp(argv[1], "turn")))
		errx(EXIT_USAGE, "usage: sockbench -l PROTOCOL PORT\n"
		     "       sockbench bulk|turn PROTOCOL ADDRESS PORT DEVICE SIZE COUNT");
	p = protocol_named(argv[2]);
	address_of(p, argv[3], argv[4], argv[5], &to);
	wish.turn = !strcmp(argv[1], "turn");
	wish.size = parse_number("size", argv[6], 1, SIZE_MAX_BYTES);
	wish.count = parse_number("count", argv[7], 1, COUNT_MAX);

	fd = new_socket(p);
	buf = buffer(wish.size);
	if (connect(fd, &to.any, p->len))
		err(EXIT_BROKEN, "connect to %s", argv[3]);
	if (!put(fd, (char *)&wish, sizeof(wish)))
		err(EXIT_BROKEN, "the far end does not listen");
	result = wish.turn ? turn(fd, buf, wish.size, wish.count) :
			     bulk(fd, buf, wish.size, wish.count);
	printf("%ju\n", (uintmax_t)result);
	return 0;
}
