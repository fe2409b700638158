// SPDX-License-Identifier: GPL-2.0
/*
 * usage: hfp_fuzz DEVICE PORT SECONDS SEED
 *
 * Sends packets that are nearly right to a port of HIPPI-FP whose carrier is at the other end of
 * this device.  0 as the seed chooses one.
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "peer.h"

#define DATA_MAX	1400

/* A slow machine has to send so many */
#define PACKETS_MIN	10000

/* Packets between two rests, so that the backlog is not full */
#define BURST		32
#define REST_US		500

static const uint8_t other_ip6[16] = { 0xfd, 0x80, [15] = 3 };
static struct line line;
static uint64_t state;

static unsigned long figure(const char *text)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 0);
	if (errno || *end || end == text)
		errx(2, "found '%s', expected a number", text);
	return value;
}

/* splitmix64, so that a seed means the same on every machine */
static uint64_t random_word(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static uint32_t below(uint32_t limit)
{
	return random_word() % limit;
}

static bool one_in(uint32_t n)
{
	return !below(n);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void random_bytes(uint8_t *at, size_t len)
{
	while (len--)
		*at++ = random_word();
}

/* What is right nearly always, so that a packet gets past the checks */
static uint32_t nearly(uint32_t right)
{
	static const uint32_t edges[] = { 0, 1, 7, 8, 0x7fffffff, 0x80000000, 0xfffffffe,
					  0xffffffff };

	switch (below(32)) {
	case 0:
		return right + 1;
	case 1:
		return right - 1;
	case 2:
		return edges[below(sizeof(edges) / sizeof(*edges))];
	case 3:
		return random_word();
	default:
		return right;
	}
}

static uint8_t any_ulp(void)
{
	static const uint8_t known[] = { ULP_LE, ULP_LE, ULP_LE, 0x0c, 0x0c, 0x80 };

	return one_in(16) ? below(256) : known[below(sizeof(known))];
}

static uint16_t any_type(void)
{
	static const uint16_t types[] = { TYPE_IP, TYPE_IP, TYPE_ARP, TYPE_IP6, TYPE_IP6, 0x8181 };

	return one_in(16) ? below(65536) : types[below(sizeof(types) / sizeof(*types))];
}

/* Of this type as it has to be, with a few bytes changed; or anything */
static size_t any_datagram(uint8_t *at, uint16_t type)
{
	size_t len = 1 + below(DATA_MAX);

	if (one_in(8)) {
		random_bytes(at, len);
		return len;
	}
	switch (type) {
	case TYPE_IP:
		len = make_echo4(at, our_ip, port_ip, one_in(4), below(65536), len);
		break;
	case TYPE_ARP:
		/* Of others, as the port has to know the peer after all this */
		len = make_arp(at, one_in(4) ? below(65536) : 1 + below(2), line.to_us.dest,
			       our_ip, line.to_us.source, port_ip);
		at[17] = 3 + below(250);
		break;
	case TYPE_IP6:
		/* The kernel's log has to stay empty, so not of the port's own address */
		if (one_in(4))
			len = make_advert(at, other_ip6, port_ip6, line.to_us.dest);
		else
			len = make_echo6(at, our_ip6, port_ip6, one_in(4), below(65536), len);
		break;
	default:
		random_bytes(at, len);
	}
	if (one_in(4) && type != TYPE_ARP)
		at[below(len)] = random_word();
	return len;
}

static void any_packet(struct frame *f)
{
	static uint8_t datagram[DATA_MAX + 100];
	struct ends ends = line.to_port;
	struct fp h = { .ulp = any_ulp() };
	uint16_t type = any_type();
	size_t len = any_datagram(datagram, type), d1;

	if (one_in(8))
		memset(ends.dest, 0xff, MAC_LEN);
	else if (one_in(32))
		random_bytes(ends.dest, MAC_LEN);
	h.p = h.ulp == 0x0c ? one_in(16) : !one_in(16);
	h.b = one_in(8);
	h.reserved = one_in(4) ? below(0x800) : 0;
	h.d1_area = nearly(h.p ? LE_D1_LEN / WORD : 0);
	h.d2_offset = one_in(4) ? below(8) : 0;
	h.d2_size = nearly(LLC_LEN + len);
	begin(f, &ends);
	append_fp(f, &h);
	d1 = f->len;
	if (h.p)
		append_d1(f, &ends);
	if (one_in(16) && h.p)
		f->data[d1 + below(LE_D1_LEN)] = random_word();
	append_byte(f, random_word(), h.d2_offset);
	append_llc(f, type);
	if (one_in(16))
		f->data[f->len - 1 - below(LLC_LEN)] = random_word();
	append(f, datagram, len);
	if (!one_in(8))
		append_fill(f);
	if (one_in(16))
		append_byte(f, random_word(), below(64));
	if (one_in(16))
		f->len = ETH_LEN + below(f->len - ETH_LEN + 1);
}

/* Headers of A.2, and an operation that is anything */
static void any_st(struct frame *f)
{
	size_t len = 40 + (one_in(2) ? 0 : below(100));
	struct fp h = { .ulp = 0x0c, .d2_size = nearly(24 + len) };
	uint8_t m_len[4], operation[140];

	put32(m_len, nearly(8 + len));
	random_bytes(operation, sizeof(operation));
	begin(f, &line.to_port);
	append_fp(f, &h);
	append(f, line.to_port.dest, MAC_LEN);
	append(f, line.to_port.source, MAC_LEN);
	append(f, m_len, sizeof(m_len));
	append_llc(f, 0x8181);
	append(f, operation, len);
	append_fill(f);
}

static void garbage(struct frame *f)
{
	size_t len = below(200);

	begin(f, &line.to_port);
	random_bytes(f->data + f->len, len);
	f->len += len;
}

static void send_one(void)
{
	static struct frame f;

	switch (below(16)) {
	case 0:
		garbage(&f);
		break;
	case 1:
		any_st(&f);
		break;
	default:
		any_packet(&f);
	}
	/* What a device of an ordinary MTU takes */
	if (f.len > ETH_LEN + 1500)
		f.len = ETH_LEN + 1500;
	line_send(&line, &f);
}

int main(int argc, char **argv)
{
	struct counters before, after;
	unsigned long sent = 0;
	unsigned int i;
	double end;

	if (argc != 5)
		errx(2, "usage: hfp_fuzz DEVICE PORT SECONDS SEED");
	line_open(&line, argv[1], argv[2]);
	end = now() + figure(argv[3]);
	state = figure(argv[4]);
	if (!state && getrandom(&state, sizeof(state) / 2, 0) < 0)
		err(1, "getrandom");
	printf("seed %llu\n", (unsigned long long)state);
	fflush(stdout);
	read_counters(&line, &before);
	while (now() < end || sent < PACKETS_MIN) {
		for (i = 0; i < BURST; i++)
			send_one();
		sent += BURST;
		line_empty(&line);
		usleep(REST_US);
	}
	read_counters(&line, &after);
	printf("sent %lu packets;", sent);
	for (i = 0; i < after.count; i++)
		printf(" %s %llu", after.names[i],
		       (unsigned long long)(after.values[i] - before.values[i]));
	printf("\n");
	return 0;
}
