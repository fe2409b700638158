// SPDX-License-Identifier: GPL-2.0
/*
 * usage: rio9_hostile fuzz PLACE ID OTHER SPARED SECONDS SEED
 *        rio9_hostile starts PLACE ID OTHER
 *        rio9_hostile peers PLACE ID OTHER COUNT
 *
 * An endpoint with that ID, which means no good to another: in the emulated fabric if PLACE is
 * the file endpoints/NODE/packet, otherwise on this device of Ethernet.
 *
 * fuzz: sends random packets, and those that are nearly right, in no other's name than its own
 * and those that nobody has; never in that of SPARED.  0 as the seed chooses one.
 * starts: begins a PDU on each physical channel, and does not go on with it.
 * peers: says hello with so many IDs, from ID on.
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "carrier.h"

#define SEGMENTS_MAX	20

/* A slow machine has to send so many */
#define PACKETS_MIN	10000

/* Packets between two rests, so that the wire is not full */
#define BURST		32
#define REST_US		500

static struct carrier carrier;
static int spared;

static unsigned long figure(const char *text, unsigned long max)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 0);
	if (errno || *end || end == text || value > max)
		errx(2, "found '%s', expected a number from 0 to %lu", text, max);
	return value;
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* In KiB */
static long memory_available(void)
{
	FILE *f = fopen("/proc/meminfo", "r");
	char line[80];
	long kib = -1;

	while (f && kib < 0 && fgets(line, sizeof(line), f))
		sscanf(line, "MemAvailable: %ld", &kib);
	if (kib < 0)
		errx(1, "/proc/meminfo has no MemAvailable");
	fclose(f);
	return kib;
}

/* Also protocols that the kernel knows, as a streamID becomes the protocol of a PDU */
static uint16_t any_stream(void)
{
	static const uint16_t streams[] = {
		0x0800, 0x86dd, 0x0806, 0x8100, 0x88a8, 0x8847, 0x8035, 0x88cc, 0x8906, 0xe181,
		0x0000, 0x0004, 0xffff,
	};

	return one_in(2) ? random_below(65536) :
			   streams[random_below(sizeof(streams) / sizeof(*streams))];
}

/* Ethernet makes sure that a frame has the ID of its sender */
static struct label any_label(void)
{
	struct label l = {
		.large = carrier.device || one_in(32),
		.src = carrier.id,
		.dst = one_in(32) ? random_below(65536) : carrier.other,
		.channel = one_in(2) ? random_below(CHANNELS) : random_below(6),
		.cos = random_below(256),
		.stream = any_stream(),
	};

	if (one_in(8))
		l.src = random_below(256);
	return l;
}

static void send_spared(const struct packet *p, unsigned int count)
{
	if (source_of(p) != spared)
		carrier_send(&carrier, p, count);
}

/* Segments of a PDU get lost, come twice, or change places */
static void fuzz_pdu(void)
{
	const struct label l = any_label();
	struct packet pdu[SEGMENTS_MAX];
	unsigned int count, i, other;

	count = make_pdu(pdu, &l, 1 + random_below(SEGMENTS_MAX));
	for (i = 0; i < count; i++) {
		if (one_in(16))
			continue;
		other = one_in(16) ? random_below(count) : i;
		send_spared(&pdu[other], 1);
		if (one_in(16))
			send_spared(&pdu[other], 1);
	}
}

static void fuzz_good_pdu(void)
{
	const struct label l = any_label();
	struct packet pdu[SEGMENTS_MAX];

	send_spared(pdu, make_pdu(pdu, &l, 1 + random_below(SEGMENTS_MAX)));
}

/* Anything behind a start segment, of the same channel */
static void fuzz_open(void)
{
	struct label l = any_label();
	struct packet p = {};

	make_start(&p, &l);
	send_spared(&p, 1);
	if (one_in(8))
		l.cos++;
	if (one_in(8))
		make_abort(&p, &l);
	else
		make_any_segment(&p, &l);
	send_spared(&p, 1);
}

static void fuzz_packet(void)
{
	const struct label l = any_label();
	struct packet p = {};

	switch (random_below(6)) {
	case 0:
		p.len = 4 + random_below(PACKET_MAX - 3);
		random_bytes(p.data, p.len);
		break;
	case 1:
		make_start(&p, &l);
		break;
	case 2:
	case 3:
		make_message(&p, &l);
		break;
	default:
		make_any_segment(&p, &l);
		break;
	}
	if (one_in(4))
		damage(&p);
	if (carrier.device && one_in(8))
		carrier_bad_frame(&carrier, &p);
	else
		send_spared(&p, 1);
}

static void fuzz_one(void)
{
	if (carrier.device && one_in(16))
		carrier_any_hello(&carrier);
	else if (one_in(16))
		fuzz_pdu();
	else if (one_in(16))
		fuzz_open();
	else if (one_in(32))
		fuzz_good_pdu();
	else
		fuzz_packet();
}

static void fuzz(double seconds, uint64_t seed)
{
	long before = memory_available(), least = before, kib;
	double end = now() + seconds, hello = 0;
	unsigned int i;

	if (!seed && getrandom(&seed, sizeof(seed) / 2, 0) < 0)
		err(1, "getrandom");
	printf("seed %llu\n", (unsigned long long)seed);
	fflush(stdout);
	random_seed(seed);
	while (now() < end || carrier.sent < PACKETS_MIN) {
		if (carrier.device && now() >= hello) {
			carrier_hello(&carrier, carrier.id);
			hello = now() + 1;
		}
		for (i = 0; i < BURST; i++)
			fuzz_one();
		kib = memory_available();
		if (kib < least)
			least = kib;
		usleep(REST_US);
	}
	printf("sent %lu packets, available memory fell by %ld KiB\n", carrier.sent,
	       before - least);
}

/* Ethernet: the hello has to be read first */
static void open_all(void)
{
	struct label l = { .large = carrier.device, .src = carrier.id, .dst = carrier.other };
	struct packet p = {};

	if (carrier.device) {
		carrier_hello(&carrier, carrier.id);
		usleep(300000);
	}
	for (l.channel = 0; l.channel < CHANNELS; l.channel++) {
		make_start(&p, &l);
		carrier_send(&carrier, &p, 1);
	}
}

/* An endpoint reads 64 at a time */
static void introduce(unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		carrier_hello(&carrier, carrier.id + i);
		if (i % 16 == 15)
			usleep(50000);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	bool fuzzes = argc == 8 && !strcmp(what, "fuzz");
	bool opens = argc == 5 && !strcmp(what, "starts");
	bool introduces = argc == 6 && !strcmp(what, "peers");

	if (!fuzzes && !opens && !introduces) {
		fputs("usage: rio9_hostile fuzz PLACE ID OTHER SPARED SECONDS SEED\n"
		      "       rio9_hostile starts PLACE ID OTHER\n"
		      "       rio9_hostile peers PLACE ID OTHER COUNT\n", stderr);
		return 2;
	}
	carrier_open(&carrier, argv[2], figure(argv[3], 65534), figure(argv[4], 65534));
	if (fuzzes) {
		spared = figure(argv[5], 65534);
		fuzz(figure(argv[6], 100000), figure(argv[7], -1UL));
	} else if (opens) {
		open_all();
	} else {
		introduce(figure(argv[5], 1000));
	}
	return 0;
}
