// SPDX-License-Identifier: GPL-2.0
/*
 * h64_tap - a cable between the emulated ports 0 and 1 that captures its traffic
 *
 * usage: h64_tap FILE
 *
 * Both ports must be uncabled.  FILE is a pcapng file, with a micropacket in each packet,
 * of link type USER0 from port 0 and USER1 from port 1.  SIGTERM ends the program and so
 * pulls the cable.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "upkt.h"

#define LINE		"/sys/kernel/debug/hippi6400_emu/port%d/line"
#define AT_ONCE		64	/* micropackets */
#define LINKTYPE_USER0	147
#define SECTION		0x0a0d0d0a
#define BYTE_ORDER_MARK	0x1a2b3c4d

/* Blocks of pcapng; their lengths are at both ends. */
struct section {
	__u32 type, len, order;
	__u16 major, minor;
	__u32 unknown_size[2];
	__u32 len_again;
};

struct interface {
	__u32 type, len;
	__u16 link, reserved;
	__u32 limit;
	__u32 len_again;
};

struct packet {
	__u32 type, len, interface, high, low, captured, on_line;
	struct upkt upkt;
	__u32 len_again;
};

static int ended;

static void end(int signal)
{
	__atomic_store_n(&ended, signal, __ATOMIC_RELAXED);
}

static bool has_ended(void)
{
	return __atomic_load_n(&ended, __ATOMIC_RELAXED);
}

static void put(FILE *f, const void *block, size_t len)
{
	if (fwrite(block, len, 1, f) != 1)
		err(1, "cannot write");
}

static void begin(FILE *f)
{
	struct section section = {
		.type = SECTION, .len = sizeof(section), .order = BYTE_ORDER_MARK, .major = 1,
		.unknown_size = { ~0U, ~0U }, .len_again = sizeof(section),
	};
	struct interface interface = {
		.type = 1, .len = sizeof(interface), .link = LINKTYPE_USER0,
		.len_again = sizeof(interface),
	};

	put(f, &section, sizeof(section));
	put(f, &interface, sizeof(interface));
	interface.link++;
	put(f, &interface, sizeof(interface));
}

static void write_down(FILE *f, unsigned int port, const struct upkt *upkts, unsigned int count)
{
	struct packet packet = {
		.type = 6, .len = sizeof(packet), .interface = port,
		.captured = UPKT_SIZE, .on_line = UPKT_SIZE, .len_again = sizeof(packet),
	};
	struct timespec t;
	__u64 us;

	clock_gettime(CLOCK_REALTIME, &t);
	us = t.tv_sec * 1000000ULL + t.tv_nsec / 1000;
	packet.high = us >> 32;
	packet.low = us;
	for (; count; count--, upkts++) {
		packet.upkt = *upkts;
		put(f, &packet, sizeof(packet));
	}
}

/* Captures micropackets that left a port, before they arrive at the other. */
static void pass(FILE *f, const int *lines, unsigned int from)
{
	struct upkt upkts[AT_ONCE];
	ssize_t len = read(lines[from], upkts, sizeof(upkts));

	if (len < 0 && errno == EINTR)
		return;
	if (len < 0)
		err(1, "cannot read from port %u", from);
	write_down(f, from, upkts, len / UPKT_SIZE);
	if (write(lines[!from], upkts, len) != len && !has_ended())
		err(1, "cannot write to port %u", !from);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = end };
	struct pollfd p[2] = {};
	char path[64];
	int lines[2];
	FILE *f;
	int i;

	if (argc != 2)
		errx(1, "usage: h64_tap FILE");
	f = fopen(argv[1], "we");
	if (!f)
		err(1, "%s", argv[1]);
	begin(f);
	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), LINE, i);
		lines[i] = open(path, O_RDWR | O_CLOEXEC);
		if (lines[i] < 0)
			err(1, "%s", path);
		p[i].fd = lines[i];
		p[i].events = POLLIN;
	}
	sigaction(SIGTERM, &action, NULL);
	printf("listening\n");
	fflush(stdout);
	while (!has_ended()) {
		if (poll(p, 2, -1) < 0) {
			if (errno != EINTR)
				err(1, "poll");
			continue;
		}
		for (i = 0; i < 2 && !has_ended(); i++)
			if (p[i].revents & POLLIN)
				pass(f, lines, i);
		/* A port that is down raises POLLHUP continuously. */
		if (!((p[0].revents | p[1].revents) & POLLIN))
			usleep(1000);
	}
	if (fclose(f))
		err(1, "%s", argv[1]);
	return 0;
}
