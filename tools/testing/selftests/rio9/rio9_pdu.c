// SPDX-License-Identifier: GPL-2.0
/*
 * usage: rio9_pdu send DEVICE PEER STREAM COS PAUSE TIMES LENGTH...
 *        rio9_pdu receive DEVICE STREAM[/PEER] SILENCE TIMES LENGTH...
 *
 * Sends PDUs of these lengths, all of them TIMES times, with PAUSE microseconds between two; or
 * receives them, and says how many were good (complete and as they were sent), bad, late (behind
 * one that was sent later, or again) and missing, when all have come or none for SILENCE
 * seconds.  It succeeds if all are good.  Those of others than PEER do not count.
 */
#include <arpa/inet.h>
#include <err.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/rio9.h>

#include "figure.h"

#define PDU_MAX		65536
#define RECEIVE_BUFFER	(32 << 20)

/**
 * struct lengths - of the PDUs
 * @text: of each
 * @count: how many there are
 * @total: number of all PDUs
 */
struct lengths {
	char **text;
	unsigned int count;
	unsigned int total;
};

static struct lengths lengths(char **args)
{
	struct lengths l = { .text = args + 1 };

	while (l.text[l.count])
		figure(l.text[l.count++], PDU_MAX);
	l.total = figure(args[0], 1000000) * l.count;
	return l;
}

static size_t length(const struct lengths *l, unsigned int n)
{
	return figure(l->text[n % l->count], PDU_MAX);
}

/*
 * A PDU begins with its number, if it has room for it.  A shorter one is taken for the next that
 * is expected, so it is bad after a gap.
 */
static void fill(unsigned char *pdu, size_t len, unsigned int n)
{
	const __be32 head = htonl(n);
	size_t i;

	for (i = 0; i < len; i++)
		pdu[i] = (i >> 8) * 37 + i * 11 + n * 101;
	if (len >= sizeof(head))
		memcpy(pdu, &head, sizeof(head));
}

/* SOCK_RAW, as only this says the class of service */
static int open_device(const char *device, int type, unsigned int stream, struct sockaddr_ll *ll)
{
	int fd = socket(AF_PACKET, type, 0);

	*ll = (struct sockaddr_ll) {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(stream),
		.sll_ifindex = if_nametoindex(device),
	};
	if (fd < 0 || !ll->sll_ifindex)
		err(1, "%s", device);
	return fd;
}

static int send_pdus(char **args)
{
	struct rio9_hdr hdr = {
		.peer = htons(figure(args[1], 65535)),
		.cos = figure(args[3], 255),
	};
	static unsigned char frame[sizeof(hdr) + PDU_MAX];
	unsigned int pause = figure(args[4], 1000000), n;
	const struct lengths l = lengths(args + 5);
	struct sockaddr_ll ll;
	int fd;

	fd = open_device(args[0], SOCK_RAW, figure(args[2], 65535), &ll);
	memcpy(frame, &hdr, sizeof(hdr));
	for (n = 0; n < l.total; n++) {
		size_t len = length(&l, n);

		fill(frame + sizeof(hdr), len, n);
		if (sendto(fd, frame, sizeof(hdr) + len, 0, (struct sockaddr *)&ll, sizeof(ll)) < 0)
			err(1, "PDU %u of %zu bytes", n, len);
		if (pause)
			usleep(pause);
	}
	return 0;
}

/* -1: from everybody */
static int split_peer(char *stream)
{
	char *peer = strchr(stream, '/');

	if (!peer)
		return -1;
	*peer++ = 0;
	return figure(peer, 65535);
}

static bool is_from(int peer, const struct sockaddr_ll *ll)
{
	return peer < 0 || (ll->sll_addr[0] << 8 | ll->sll_addr[1]) == peer;
}

static int receive_pdus(char **args)
{
	static unsigned char pdu[PDU_MAX + 1], expected[PDU_MAX];
	unsigned int good = 0, bad = 0, late = 0, missing = 0, next = 0;
	int silence = figure(args[2], 1000), size = RECEIVE_BUFFER, peer = split_peer(args[1]);
	const struct lengths l = lengths(args + 3);
	struct sockaddr_ll ll, from;
	struct pollfd p;

	p.fd = open_device(args[0], SOCK_DGRAM, figure(args[1], 65535), &ll);
	p.events = POLLIN;
	if (setsockopt(p.fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)))
		err(1, "receive buffer");
	if (bind(p.fd, (struct sockaddr *)&ll, sizeof(ll)))
		err(1, "%s", args[0]);
	puts("listening");
	fflush(stdout);

	while (next < l.total && poll(&p, 1, silence * 1000) == 1) {
		socklen_t from_len = sizeof(from);
		ssize_t len = recvfrom(p.fd, pdu, sizeof(pdu), MSG_TRUNC,
				       (struct sockaddr *)&from, &from_len);
		unsigned int n = next;

		if (len < 0)
			err(1, "receive");
		if (!is_from(peer, &from))
			continue;
		if (len >= (ssize_t)sizeof(__be32))
			n = ntohl(*(__be32 *)pdu);
		if (n < l.total && (size_t)len == length(&l, n)) {
			fill(expected, len, n);
			if (!memcmp(pdu, expected, len)) {
				good++;
				late += n < next;
				missing += n > next ? n - next : 0;
				next = n >= next ? n + 1 : next;
				continue;
			}
		}
		bad++;
	}
	printf("good %u bad %u late %u missing %u\n", good, bad, late,
	       missing + l.total - next);
	return good != l.total || bad || late;
}

int main(int argc, char **argv)
{
	if (argc > 8 && !strcmp(argv[1], "send"))
		return send_pdus(argv + 2);
	if (argc > 6 && !strcmp(argv[1], "receive"))
		return receive_pdus(argv + 2);
	fputs("usage: rio9_pdu send DEVICE PEER STREAM COS PAUSE TIMES LENGTH...\n"
	      "       rio9_pdu receive DEVICE STREAM[/PEER] SILENCE TIMES LENGTH...\n", stderr);
	return 2;
}
