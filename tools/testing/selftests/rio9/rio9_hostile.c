// SPDX-License-Identifier: GPL-2.0
/*
 * usage: rio9_hostile fuzz PLACE ID OTHER SPARED SECONDS SEED
 *        rio9_hostile messages PLACE ID OTHER SECONDS SEED
 *        rio9_hostile everybody PLACE ID OTHER XOFF
 *        rio9_hostile starts PLACE ID OTHER
 *        rio9_hostile peers PLACE ID OTHER COUNT
 *
 * An endpoint with that ID, which means no good to another: in the emulated fabric if PLACE is
 * the file endpoints/NODE/packet, otherwise on this device of Ethernet.
 *
 * fuzz: sends random packets, and those that are nearly right, in no other's name than its own
 * and those that nobody has; never in that of SPARED.  0 as the seed chooses one.
 * messages: sends all traffic management messages about data to itself.
 * everybody: tells the other to stop all that it sends, to anybody, or with 0 to go on.
 * starts: begins a PDU on each physical channel, and does not go on with it.
 * peers: says hello with so many IDs, from ID on.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "carrier.h"
#include "figure.h"

#define SEGMENTS_MAX	20

/* A slow machine has to send so many */
#define PACKETS_MIN	10000

/* Packets between two rests, so that the wire is not full */
#define BURST		32
#define REST_US		500

static struct carrier carrier;
static int spared;

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
		make_message(&p, &l, ANY_OPERAND);
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

static void any_message(void)
{
	struct label l = any_label();
	struct packet p = {};

	l.src = carrier.id;
	make_message(&p, &l, OWN_OPERAND);
	carrier_send(&carrier, &p, 1);
}

static void repeat(void (*one)(void), double seconds, uint64_t seed)
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
			one();
		kib = memory_available();
		if (kib < least)
			least = kib;
		usleep(REST_US);
	}
	printf("sent %lu packets, available memory fell by %ld KiB\n", carrier.sent,
	       before - least);
}

/* Ethernet: the hello has to be read first */
static void be_known(void)
{
	if (!carrier.device)
		return;
	carrier_hello(&carrier, carrier.id);
	usleep(300000);
}

static void open_all(void)
{
	struct label l = { .large = carrier.device, .src = carrier.id, .dst = carrier.other };
	struct packet p = {};

	be_known();
	for (l.channel = 0; l.channel < CHANNELS; l.channel++) {
		make_start(&p, &l);
		carrier_send(&carrier, &p, 1);
	}
}

static void stop_everybody(bool off)
{
	const struct label l = {
		.large = carrier.device, .src = carrier.id, .dst = carrier.other,
	};
	struct packet p = {};

	be_known();
	make_switch(&p, &l, off);
	carrier_send(&carrier, &p, 1);
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

static void do_fuzz(char **args)
{
	spared = figure(args[0], 65534);
	repeat(fuzz_one, figure(args[1], 100000), figure(args[2], -1UL));
}

static void do_messages(char **args)
{
	repeat(any_message, figure(args[0], 100000), figure(args[1], -1UL));
}

static void do_everybody(char **args)
{
	stop_everybody(figure(args[0], 1));
}

static void do_starts(char **args)
{
	(void)args;
	open_all();
}

static void do_peers(char **args)
{
	introduce(figure(args[0], 1000));
}

static const struct {
	const char *name;
	const char *args;
	int count;
	void (*run)(char **args);
} commands[] = {
	{ "fuzz", "SPARED SECONDS SEED", 3, do_fuzz },
	{ "messages", "SECONDS SEED", 2, do_messages },
	{ "everybody", "XOFF", 1, do_everybody },
	{ "starts", "", 0, do_starts },
	{ "peers", "COUNT", 1, do_peers },
};

int main(int argc, char **argv)
{
	unsigned int i;

	for (i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (argc != 5 + commands[i].count || strcmp(argv[1], commands[i].name))
			continue;
		carrier_open(&carrier, argv[2], figure(argv[3], 65534), figure(argv[4], 65534));
		commands[i].run(argv + 5);
		return 0;
	}
	for (i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		fprintf(stderr, "usage: rio9_hostile %s PLACE ID OTHER %s\n", commands[i].name,
			commands[i].args);
	return 2;
}
