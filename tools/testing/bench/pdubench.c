// SPDX-License-Identifier: GPL-2.0
/*
 * pdubench - PDUs of RapidIO Type 9 over packet sockets
 *
 * usage: pdubench DEVICE FAR_DEVICE SIZE COUNT
 *
 * Sends COUNT PDUs of SIZE bytes from DEVICE to FAR_DEVICE, which are in the same network
 * namespace, compares each that arrives with what was sent, and prints how many there were in
 * a second.  One that is missing, late or wrong ends the program.
 */
#include <arpa/inet.h>
#include <err.h>
#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <linux/rio9.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../st/args.h"
#include "sock.h"

#define STREAM		0x1234
#define SECONDS_MAX	120
#define PDU_MAX		65536
#define PATTERN		4096	/* where one PDU begins after the next */
#define BUFFER		(64 << 20)
#define FLIGHT		1048576		/* bytes on their way */
#define BATCH		64	/* PDUs of one system call */

/**
 * struct ends - both sockets, and what is sent
 * @from: the sending socket
 * @to: the receiving one
 * @size: bytes of a PDU
 * @hdr: where PDUs go
 * @bytes: PDU n begins at n % PATTERN
 * @room: for those that arrive
 * @missed: the first that has not arrived
 */
struct ends {
	int from;
	int to;
	size_t size;
	struct rio9_hdr hdr;
	char bytes[PATTERN + PDU_MAX];
	char *room;
	size_t missed;
};

static int open_device(const char *device, int type)
{
	const struct sockaddr_ll ll = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(STREAM),
		.sll_ifindex = if_nametoindex(device),
	};
	int fd = socket(AF_PACKET, type, type == SOCK_RAW ? 0 : htons(STREAM)), size = BUFFER;

	if (fd < 0 || !ll.sll_ifindex || bind(fd, (const struct sockaddr *)&ll, sizeof(ll)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size)))
		err(EXIT_BROKEN, "%s", device);
	return fd;
}

static __be16 id_of(const char *device)
{
	const struct sockaddr_ll *ll;
	struct ifaddrs *all, *a;
	__be16 id;

	if (getifaddrs(&all))
		err(EXIT_BROKEN, "addresses of devices");
	for (a = all; a; a = a->ifa_next) {
		ll = (const struct sockaddr_ll *)a->ifa_addr;
		if (!strcmp(a->ifa_name, device) && ll && ll->sll_family == AF_PACKET &&
		    ll->sll_halen == sizeof(id))
			break;
	}
	if (!a)
		misused("%s is no port of RapidIO", device);
	memcpy(&id, ll->sll_addr, sizeof(id));
	freeifaddrs(all);
	return id;
}

static char *pdu(struct ends *e, size_t n)
{
	return e->bytes + n % PATTERN;
}

static void send_pdus(struct ends *e, size_t first, unsigned int count)
{
	struct mmsghdr msgs[BATCH] = {};
	struct iovec parts[BATCH][2];
	unsigned int i;
	int n;

	for (i = 0; i < count; i++) {
		parts[i][0] = (struct iovec) { &e->hdr, sizeof(e->hdr) };
		parts[i][1] = (struct iovec) { pdu(e, first + i), e->size };
		msgs[i].msg_hdr = (struct msghdr) { .msg_iov = parts[i], .msg_iovlen = 2 };
	}
	for (i = 0; i < count; i += n) {
		n = sendmmsg(e->from, msgs + i, count - i, 0);
		if (n <= 0)
			err(EXIT_BROKEN, "sending PDU %zu", first + i);
	}
}

static void receive_pdus(struct ends *e, unsigned int count)
{
	struct mmsghdr msgs[BATCH] = {};
	struct iovec rooms[BATCH];
	int i, n;

	for (i = 0; i < (int)count; i++) {
		rooms[i] = (struct iovec) { e->room + i * e->size, e->size };
		msgs[i].msg_hdr = (struct msghdr) { .msg_iov = &rooms[i], .msg_iovlen = 1 };
	}
	n = recvmmsg(e->to, msgs, count, MSG_WAITFORONE | MSG_TRUNC, NULL);
	if (n <= 0)
		err(EXIT_BROKEN, "receiving PDU %zu", e->missed);
	for (i = 0; i < n; i++, e->missed++)
		if (msgs[i].msg_len != e->size ||
		    memcmp(e->room + i * e->size, pdu(e, e->missed), e->size))
			errx(EXIT_BROKEN, "PDU %zu of %u bytes is not what was sent", e->missed,
			     msgs[i].msg_len);
}

static uint64_t run(struct ends *e, size_t count)
{
	size_t batch = FLIGHT / e->size, sent = 0, end;
	uint64_t start = now_ns();

	if (batch > BATCH)
		batch = BATCH;
	while (e->missed < count) {
		end = sent + batch < count ? sent + batch : count;
		send_pdus(e, sent, end - sent);
		for (sent = end; e->missed < sent;)
			receive_pdus(e, sent - e->missed);
	}
	return (double)count * 1e9 / (now_ns() - start);
}

static void out_of_time(int sig)
{
	static const char text[] = "pdubench: PDUs are missing\n";

	(void)sig;
	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	_exit(EXIT_BROKEN);
}

int main(int argc, char **argv)
{
	static struct ends e;
	size_t i;

	if (argc != 5)
		errx(EXIT_USAGE, "usage: pdubench DEVICE FAR_DEVICE SIZE COUNT");
	e.size = parse_number("size", argv[3], 1, PDU_MAX);
	e.from = open_device(argv[1], SOCK_RAW);
	e.to = open_device(argv[2], SOCK_DGRAM);
	e.hdr.peer = id_of(argv[2]);
	e.room = buffer(BATCH * e.size);
	for (i = 0; i < sizeof(e.bytes); i++)
		e.bytes[i] = random();
	signal(SIGALRM, out_of_time);
	alarm(SECONDS_MAX);
	printf("%ju\n", (uintmax_t)run(&e, parse_number("count", argv[4], 1, COUNT_MAX)));
	return 0;
}
