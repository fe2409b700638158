/* SPDX-License-Identifier: GPL-2.0 */
/* The device of Ethernet that leads to a port of HIPPI-FP, and the counters of that port. */
#ifndef LINE_H
#define LINE_H

#include "wire.h"

#define COUNTERS_MAX	64
#define NAME_LEN	32	/* ETH_GSTRING_LEN */

/**
 * struct line - what leads to a port
 * @fd: packet socket
 * @device: number of the device of Ethernet
 * @port: name of the port
 * @to_port: for frames to the port
 * @to_us: for those that it sends to the peer
 */
struct line {
	int fd;
	int device;
	const char *port;
	struct ends to_port;
	struct ends to_us;
};

/**
 * struct counters - those of ethtool -S
 * @count: how many there are
 * @names: of each
 * @values: of each
 */
struct counters {
	unsigned int count;
	char names[COUNTERS_MAX][NAME_LEN];
	uint64_t values[COUNTERS_MAX];
};

void line_open(struct line *line, const char *device, const char *port);
void line_send(struct line *line, const struct frame *f);
/* False after so many milliseconds without a frame */
bool line_receive(struct line *line, struct frame *f, int ms);
void line_empty(struct line *line);
void read_counters(const struct line *line, struct counters *c);
uint64_t counter(const struct counters *c, const char *name);

#endif
