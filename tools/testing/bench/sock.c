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
#include <unistd.h>

#include <linux/sctp.h>

#include "../../st/args.h"
#include "sock.h"

#define FILES	32768	/* the maximum that a program may have open */

#define TIPC_TYPE	6400	/* of the service; any from 64 on */
#define PIECE		65536	/* within the limits of all protocols that have one */

static const struct protocol protocols[] = {
	{ "st", AF_ST, SOCK_SEQPACKET, 0, sizeof(struct sockaddr_st), SIZE_MAX_BYTES, false },
	{ "tcp", AF_INET, SOCK_STREAM, 0, sizeof(struct sockaddr_in), SIZE_MAX_BYTES, false },
	{ "udp", AF_INET, SOCK_DGRAM, 0, sizeof(struct sockaddr_in), PIECE, true },
	{ "sctp", AF_INET, SOCK_STREAM, IPPROTO_SCTP, sizeof(struct sockaddr_in), PIECE, false },
	{ "tipc", AF_TIPC, SOCK_STREAM, 0, sizeof(struct sockaddr_tipc), SIZE_MAX_BYTES, false },
	{ "rds", AF_RDS, SOCK_SEQPACKET, 0, sizeof(struct sockaddr_in), PIECE, true },
	{ "vsock", AF_VSOCK, SOCK_STREAM, 0, sizeof(struct sockaddr_vm), PIECE, false },
	{}
};

static size_t piece = SIZE_MAX_BYTES;	/* that of the protocol in use */

const struct protocol *protocol_named(const char *name)
{
	const struct protocol *p;

	for (p = protocols; p->name; p++)
		if (!strcmp(p->name, name))
			return p;
	misused("'%s' is no protocol: expected st, tcp, udp, sctp, tipc, rds or vsock", name);
}

/* Bytes of an address of a link, with colons between them; returns how many there are */
static unsigned int bytes_of(const char *text, uint8_t *bytes, unsigned int size)
{
	unsigned int n = 0;
	char *end;

	do {
		if (n == size)
			break;
		bytes[n++] = strtoul(text, &end, 16);
		if (end == text || (*end && *end != ':'))
			break;
		text = end + 1;
	} while (*end);
	if (*end)
		misused("'%s' is no address of a link", text);
	return n;
}

/* An IPv4 address as links have it that know peers by IP addresses; 0 if it is none */
static unsigned int bytes_of_ip(const char *text, uint8_t *bytes)
{
	struct in_addr ip;

	if (!inet_pton(AF_INET, text, &ip))
		return 0;
	memset(bytes, 0, 10);
	memset(bytes + 10, 0xff, 2);
	memcpy(bytes + 12, &ip, sizeof(ip));
	return 16;
}

static void address_of_st(struct sockaddr_st *st, const char *host, const char *device)
{
	if (!host)
		return;
	st->sst_alen = bytes_of_ip(host, st->sst_addr);
	if (!st->sst_alen)
		st->sst_alen = bytes_of(host, st->sst_addr, sizeof(st->sst_addr));
	st->sst_ifindex = if_nametoindex(device);
	if (!st->sst_ifindex)
		err(EXIT_USAGE, "%s", device);
}

/* A service of cluster scope, and one of its instances */
static void address_of_tipc(struct sockaddr_tipc *tipc, bool any, unsigned int number)
{
	tipc->addrtype = any ? TIPC_SERVICE_RANGE : TIPC_SERVICE_ADDR;
	tipc->scope = any ? TIPC_CLUSTER_SCOPE : 0;
	tipc->addr.nameseq.type = TIPC_TYPE;
	tipc->addr.nameseq.lower = number;
	if (any)
		tipc->addr.nameseq.upper = number;
}

void address_of(const struct protocol *p, const char *host, const char *port,
		const char *device, union address *to)
{
	unsigned int number = parse_number("port", port, 1, 65535);

	memset(to, 0, sizeof(*to));
	to->any.sa_family = p->family;
	switch (p->family) {
	case AF_ST:
		to->st.sst_port = htons(number);
		address_of_st(&to->st, host, device);
		break;
	case AF_TIPC:
		address_of_tipc(&to->tipc, !host, number);
		break;
	case AF_VSOCK:
		to->vm.svm_cid = host ? VMADDR_CID_LOCAL : VMADDR_CID_ANY;
		to->vm.svm_port = number;
		break;
	default:
		to->in.sin_family = AF_INET;
		to->in.sin_port = htons(number);
		if (host && !inet_pton(AF_INET, host, &to->in.sin_addr))
			misused("'%s' is no IPv4 address", host);
	}
}

int new_socket(const struct protocol *p)
{
	int fd = socket(p->family, p->type, p->number), one = 1;

	if (fd < 0)
		err(EXIT_BROKEN, "socket of %s", p->name);
	if (p->number == IPPROTO_SCTP)
		setsockopt(fd, IPPROTO_SCTP, SCTP_NODELAY, &one, sizeof(one));
	else if (p->family == AF_INET && p->type == SOCK_STREAM)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	piece = p->piece;
	return fd;
}

/* To our own address on the path to @to, which RDS requires */
static void bind_towards(int fd, const union address *to)
{
	int probe = socket(AF_INET, SOCK_DGRAM, 0);
	union address me;
	socklen_t len = sizeof(me);

	if (connect(probe, &to->any, sizeof(to->in)) || getsockname(probe, &me.any, &len))
		err(EXIT_BROKEN, "no way to the far end");
	close(probe);
	me.in.sin_port = 0;
	if (bind(fd, &me.any, len))
		err(EXIT_BROKEN, "cannot bind");
}

int connected(const struct protocol *p, const union address *to)
{
	int fd = new_socket(p);

	if (p->family == AF_RDS)
		bind_towards(fd, to);
	if (connect(fd, &to->any, p->len))
		err(EXIT_BROKEN, "connect");
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

static size_t part(size_t size)
{
	return size < piece ? size : piece;
}

bool get(int fd, char *buf, size_t size)
{
	ssize_t n;

	for (; size; size -= n, buf += n) {
		n = recv(fd, buf, part(size), MSG_WAITALL);
		if (n <= 0)
			return false;
	}
	return true;
}

bool put(int fd, const char *buf, size_t size)
{
	ssize_t n;

	for (; size; size -= n, buf += n) {
		n = send(fd, buf, part(size), 0);
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
