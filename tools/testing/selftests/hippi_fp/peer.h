/* SPDX-License-Identifier: GPL-2.0 */
/* What the tests of the peer share: each ends the program when something is wrong. */
#ifndef PEER_H
#define PEER_H

#include "line.h"

#define TIMEOUT_MS	10000

extern const uint8_t our_ip[4], port_ip[4], our_ip6[16], port_ip6[16];

/**
 * struct datagram - what a frame of the port carries
 * @type: EtherType
 * @at: first byte
 * @len: bytes
 * @group: it went to all
 */
struct datagram {
	uint16_t type;
	const uint8_t *at;
	size_t len;
	bool group;
};

void expect(const char *what, unsigned long found, unsigned long expected);
void expect_bytes(const char *what, const uint8_t *found, const uint8_t *expected, size_t len);

struct datagram check_frame(const struct line *line, const struct frame *f);
void await(struct line *line, bool (*wanted)(const struct datagram *d), struct frame *f,
	   struct datagram *d);
bool is_reply4(const struct datagram *d);
bool is_reply6(const struct datagram *d);

/* The port answers it, and every byte of the answer is right */
void check_reply4(struct line *line, uint16_t seq, size_t len);
void check_reply6(struct line *line, uint16_t seq, size_t len);
void check_echo4(struct line *line, uint16_t seq, size_t len);

/* errors.c */
void test_errors(struct line *line);
void test_odd(struct line *line);

#endif
