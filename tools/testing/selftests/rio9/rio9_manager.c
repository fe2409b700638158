// SPDX-License-Identifier: GPL-2.0
/*
 * usage: rio9_manager DEVICE ID PEER STEP...
 *
 * An endpoint on an Ethernet device that manages what PEER sends to it, RapidIO Part 10 3.4, and
 * checks that PEER obeys.  It shares no code with the kernel.  The steps, with numbers in
 * hexadecimal where they are codes:
 *
 * tell:OP:WILDCARD:MASK:COS:STREAM:P1:P2  send a message
 * events:COS:EVENT,EVENT,...              these come next of the class, in this order: p a PDU, q
 *                                         a Q_STATUS, q0 one of an empty queue, cU=N a
 *                                         CREDIT_STATUS.  Where no q is expected it may come
 * until:COS:EVENT                         wait for this event of the class, whatever comes before
 * none:COS:MS                             no PDU of the class for so long
 * asks:COS:COUNT:MS                       so many Q_STATUS, and about MS between two of them
 * rate:COS:BYTES:MS                       BYTES a second within 5 % of it, measured for so long
 * gap:COS:US:COUNT                        that many PDUs, US between the begins of two at least,
 *                                         and at most 5 % more in the mean
 *
 * The first step that fails says what has come instead, and the program ends with status 1.
 */
#include <arpa/inet.h>
#include <err.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "carrier.h"
#include "figure.h"

#define TUNNEL		0x88b5
#define FRAME_HDR	(ETH_HLEN + 12)
#define DATA_HDR	8
#define DATA_TYPE	0
#define PATIENCE_MS	10000

/* In the headers of a packet with IDs of 16 bits */
#define COS		6
#define FLAGS		7
#define S		0x80
#define E		0x40
#define XH		0x04

/**
 * struct event - what has come
 * @cos: its class
 * @name: as in the steps
 * @begins: it is the first segment of a PDU, which has no name
 * @bytes: of the PDU that is complete
 * @at: when, in ns
 */
struct event {
	uint8_t cos;
	char name[16];
	bool begins;
	unsigned int bytes;
	uint64_t at;
};

static struct carrier carrier;
static int receiver;
static uint8_t frame[2048];
static unsigned int frame_len, pos;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static unsigned int get16(const uint8_t *from)
{
	return from[0] << 8 | from[1];
}

/* The payload is what lies between the headers and the end, less what fills it up, 4.2 */
static unsigned int payload_of(const uint8_t *p, unsigned int len)
{
	unsigned int halves = (len - 10) / 2;

	/* O says whether their number is odd, P whether the last has one byte */
	if ((halves & 1) != (p[FLAGS] >> 1 & 1))
		halves--;
	return halves * 2 - (p[FLAGS] & 1);
}

static bool read_message(struct event *e, const uint8_t *p, unsigned int len)
{
	unsigned int op, p1, p2;

	if (len < 14)
		errx(1, "a message of %u bytes", len);
	op = p[10] >> 4;
	p1 = p[12];
	p2 = p[13];
	if (p1 == (op == 2 ? 0x30 : 0x03))
		snprintf(e->name, sizeof(e->name), p2 ? "q" : "q0");
	else if (op == 2 && p1 >> 4 == 2)
		snprintf(e->name, sizeof(e->name), "c%u=%u", p1 & 15, p2);
	else
		snprintf(e->name, sizeof(e->name), "%x:%02x:%02x", op, p1, p2);
	return true;
}

/* Whether it is an event: the segments between the first and the last are none */
static bool read_packet(struct event *e, const uint8_t *p, unsigned int len)
{
	if (len < 10 || (p[1] & 0x3f) != 0x19 || get16(p + 2) != carrier.id ||
	    get16(p + 4) != carrier.other)
		errx(1, "a packet that is not of Type 9, or not for us");
	memset(e, 0, sizeof(*e));
	e->cos = p[COS];
	e->at = now_ns();
	if (p[FLAGS] & XH)
		return read_message(e, p, len);
	e->begins = p[FLAGS] & S;
	if (p[FLAGS] & E) {
		snprintf(e->name, sizeof(e->name), "p");
		e->bytes = p[FLAGS] & S ? payload_of(p, len) : get16(p + 8);
		if (!e->bytes && !(p[FLAGS] & S))
			e->bytes = 65536;
	}
	return e->begins || *e->name;
}

static bool read_frame(uint64_t until)
{
	uint64_t now = now_ns();
	struct pollfd poll_fd = { .fd = receiver, .events = POLLIN };
	ssize_t len;

	if (now >= until || poll(&poll_fd, 1, (until - now) / 1000000 + 1) <= 0)
		return false;
	len = recv(receiver, frame, sizeof(frame), 0);
	if (len < 0)
		err(1, "recv");
	frame_len = 0;
	if (len < FRAME_HDR + DATA_HDR || frame[ETH_HLEN + 1] != DATA_TYPE ||
	    get16(frame + ETH_HLEN + 2) != carrier.other)
		return true;
	frame_len = FRAME_HDR + get16(frame + ETH_HLEN + 6);
	if (frame_len > len)
		errx(1, "a frame of %zd bytes that says it has %u", len, frame_len);
	pos = FRAME_HDR + DATA_HDR;
	return true;
}

/* The next event of the class; false if none comes until then */
static bool next_event(uint8_t cos, struct event *e, uint64_t until)
{
	for (;;) {
		while (pos + 2 <= frame_len) {
			unsigned int len = get16(frame + pos);

			pos += 2 + len;
			if (read_packet(e, frame + pos - len, len) && e->cos == cos)
				return true;
		}
		if (!read_frame(until))
			return false;
	}
}

static void tell(const unsigned long *a)
{
	struct packet p = { .len = 16 };
	unsigned int cos = a[3];
	/* The map of the peer: flows A, B, C and E */
	static const uint8_t channels[] = { 0, 1, 2, 4 };
	unsigned int channel = channels[cos >> 6];

	p.data[0] = channel & 1;
	p.data[1] = (channel >> 1) << 6 | 0x19;
	p.data[2] = carrier.other >> 8;
	p.data[3] = carrier.other;
	p.data[4] = carrier.id >> 8;
	p.data[5] = carrier.id;
	p.data[COS] = cos;
	p.data[FLAGS] = XH;
	p.data[8] = a[4] >> 8;
	p.data[9] = a[4];
	p.data[10] = a[0] << 4 | a[1];
	p.data[11] = a[2];
	p.data[12] = a[5];
	p.data[13] = a[6];
	carrier_send(&carrier, &p, 1);
}

static void events(uint8_t cos, char *names)
{
	uint64_t until = now_ns() + PATIENCE_MS * 1000000ULL;
	unsigned int n = 0;
	struct event e;
	char *name;

	for (name = strtok(names, ","); name; name = strtok(NULL, ","), n++) {
		do {
			if (!next_event(cos, &e, until))
				errx(1, "event %u of class %02x: none came, expected %s", n, cos,
				     name);
		} while (!*e.name || (!strcmp(e.name, "q") && strcmp(name, "q")));
		if (strcmp(e.name, name))
			errx(1, "event %u of class %02x: found %s, expected %s", n, cos, e.name,
			     name);
	}
}

static void until_event(uint8_t cos, const char *name)
{
	uint64_t until = now_ns() + PATIENCE_MS * 1000000ULL;
	struct event e;

	do {
		if (!next_event(cos, &e, until))
			errx(1, "class %02x: no %s came", cos, name);
	} while (strcmp(e.name, name));
}

static void no_pdus(uint8_t cos, unsigned long ms)
{
	uint64_t until = now_ns() + ms * 1000000ULL;
	struct event e;

	while (next_event(cos, &e, until))
		if (e.begins || e.bytes)
			errx(1, "class %02x: found a PDU, expected none", cos);
}

static void asks(uint8_t cos, unsigned int count, unsigned long ms)
{
	uint64_t until = now_ns() + PATIENCE_MS * 1000000ULL, last = 0;
	unsigned int n = 0;
	struct event e;

	while (n < count) {
		if (!next_event(cos, &e, until))
			errx(1, "class %02x: found %u Q_STATUS, expected %u", cos, n, count);
		if (strcmp(e.name, "q"))
			continue;
		/* Never sooner; a machine that stands still makes it later */
		if (n && e.at - last < ms * 900000ULL)
			errx(1, "class %02x: Q_STATUS after %lu us, expected %lu ms", cos,
			     (unsigned long)(e.at - last) / 1000, ms);
		last = e.at;
		n++;
	}
}

/* What was sent before the peer has read the message, and what its bucket has saved */
static void pass(uint8_t cos)
{
	uint64_t until = now_ns() + 1000000000ULL;
	struct event e;

	while (next_event(cos, &e, until))
		;
}

static void rate(uint8_t cos, unsigned long expected, unsigned long ms)
{
	uint64_t begin, until, bytes = 0, last;
	struct event e;
	double found;

	pass(cos);
	begin = now_ns();
	until = begin + ms * 1000000ULL;
	last = begin;
	while (next_event(cos, &e, until)) {
		bytes += e.bytes;
		if (e.bytes)
			last = e.at;
	}
	found = bytes * 1e9 / (last - begin);
	printf("class %02x: %.0f bytes a second, %.3f of what was asked for\n", cos, found,
	       found / expected);
	if (found < expected * 0.95 || found > expected * 1.05)
		errx(1, "class %02x: found %.0f bytes a second, expected %lu", cos, found,
		     expected);
}

static void gap(uint8_t cos, unsigned long us, unsigned int count)
{
	uint64_t until, first = 0, last = 0;
	unsigned int n = 0;
	struct event e;
	double mean;

	pass(cos);
	until = now_ns() + PATIENCE_MS * 1000000ULL;
	while (n <= count) {
		if (!next_event(cos, &e, until))
			errx(1, "class %02x: found %u PDUs, expected %u", cos, n, count);
		if (!e.begins)
			continue;
		last = e.at;
		if (!n++)
			first = e.at;
	}
	mean = (last - first) / 1e3 / count;
	printf("class %02x: %.0f us between PDUs, %.3f of what was asked for\n", cos, mean,
	       mean / us);
	if (mean < us * 0.95 || mean > us * 1.05)
		errx(1, "class %02x: found %.0f us between PDUs, expected %lu", cos, mean, us);
}

/* Numbers with colons between them; codes are hexadecimal */
static void read_numbers(const char *step, const char *text, unsigned long *a, unsigned int codes,
			 unsigned int count)
{
	unsigned int i;
	char *end;

	for (i = 0; i < count; i++) {
		a[i] = strtoul(text, &end, i < codes ? 16 : 10);
		if (end == text || *end != (i + 1 < count ? ':' : 0))
			errx(2, "found '%s', expected %u numbers with ':' between them", step,
			     count);
		text = end + 1;
	}
}

static bool is(const char **args, const char *step, const char *name)
{
	size_t len = strlen(name);

	*args = step + len + 1;
	return !strncmp(step, name, len) && step[len] == ':';
}

static void do_step(char *step)
{
	unsigned long a[7];
	const char *args;

	if (is(&args, step, "tell")) {
		read_numbers(step, args, a, 7, 7);
		tell(a);
	} else if (is(&args, step, "none")) {
		read_numbers(step, args, a, 1, 2);
		no_pdus(a[0], a[1]);
	} else if (is(&args, step, "asks")) {
		read_numbers(step, args, a, 1, 3);
		asks(a[0], a[1], a[2]);
	} else if (is(&args, step, "rate")) {
		read_numbers(step, args, a, 1, 3);
		rate(a[0], a[1], a[2]);
	} else if (is(&args, step, "gap")) {
		read_numbers(step, args, a, 1, 3);
		gap(a[0], a[1], a[2]);
	} else if (is(&args, step, "events") && strlen(args) > 3) {
		events(strtoul(args, NULL, 16), strchr(args, ':') + 1);
	} else if (is(&args, step, "until") && strlen(args) > 3) {
		until_event(strtoul(args, NULL, 16), strchr(args, ':') + 1);
	} else {
		errx(2, "found '%s', expected tell, events, until, none, asks, rate or gap", step);
	}
}

static void say_bye(void)
{
	carrier_bye(&carrier);
}

int main(int argc, char **argv)
{
	struct sockaddr_ll ll = { .sll_family = AF_PACKET, .sll_protocol = htons(TUNNEL) };
	int i;

	if (argc < 4)
		errx(2, "usage: rio9_manager DEVICE ID PEER STEP...");
	carrier_open(&carrier, argv[1], figure(argv[2], 65535), figure(argv[3], 65535));
	receiver = socket(AF_PACKET, SOCK_RAW, htons(TUNNEL));
	ll.sll_ifindex = carrier.device;
	if (receiver < 0 || bind(receiver, (struct sockaddr *)&ll, sizeof(ll)))
		err(1, "%s", argv[1]);
	carrier_hello(&carrier, carrier.id);
	atexit(say_bye);
	for (i = 4; i < argc; i++)
		do_step(argv[i]);
	printf("%d steps done\n", argc - 4);
	return 0;
}
