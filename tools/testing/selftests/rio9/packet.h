/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets of Type 9 that nobody should send, RapidIO Part 10 4.2 and 4.3.
 */
#ifndef PACKET_H
#define PACKET_H

#include <stdbool.h>
#include <stdint.h>

#define PACKET_MAX	268
#define SEGMENT		256
#define CHANNELS	16

/* Bits of a wildcard: with or without that which is about data to anybody */
#define ANY_OPERAND	7
#define OWN_OPERAND	3

/**
 * struct packet - a packet
 * @data: its bytes
 * @len: how many there are
 */
struct packet {
	uint8_t data[PACKET_MAX];
	unsigned int len;
};

/**
 * struct label - what the packets of a PDU have in common
 * @large: IDs have 16 bits
 * @src: source ID
 * @dst: destination ID
 * @channel: physical channel
 * @cos: class of service
 * @stream: streamID
 */
struct label {
	bool large;
	uint16_t src;
	uint16_t dst;
	uint8_t channel;
	uint8_t cos;
	uint16_t stream;
};

void random_seed(uint64_t seed);
uint32_t random_below(uint32_t limit);
bool one_in(uint32_t n);
void random_bytes(uint8_t *to, unsigned int len);

void make_start(struct packet *p, const struct label *l);
void make_abort(struct packet *p, const struct label *l);
void make_any_segment(struct packet *p, const struct label *l);
void make_message(struct packet *p, const struct label *l, unsigned int operands);
void make_switch(struct packet *p, const struct label *l, bool off);
unsigned int make_pdu(struct packet *out, const struct label *l, unsigned int segments);
void damage(struct packet *p);
int source_of(const struct packet *p);

#endif
