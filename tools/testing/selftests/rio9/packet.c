// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "packet.h"

#define S	0x80
#define E	0x40
#define XH	0x04

static uint64_t state;

void random_seed(uint64_t seed)
{
	state = seed;
}

/* splitmix64 */
uint32_t random_below(uint32_t limit)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (z >> 32) % limit;
}

bool one_in(uint32_t n)
{
	return !random_below(n);
}

void random_bytes(uint8_t *to, unsigned int len)
{
	while (len--)
		*to++ = random_below(256);
}

static void put16(struct packet *p, uint16_t value)
{
	p->data[p->len++] = value >> 8;
	p->data[p->len++] = value;
}

static void begin(struct packet *p, const struct label *l, uint8_t flags)
{
	unsigned int c = l->channel;

	p->len = 0;
	put16(p, (c >> 3) << 9 | (c & 1) << 8 | (c >> 1 & 3) << 6 | l->large << 4 | 9);
	if (l->large) {
		put16(p, l->dst);
		put16(p, l->src);
	} else {
		put16(p, (l->dst & 0xff) << 8 | (l->src & 0xff));
	}
	p->data[p->len++] = l->cos;
	p->data[p->len++] = flags;
}

/* Up to a multiple of four bytes, in the packet */
static void payload(struct packet *p, unsigned int len)
{
	unsigned int room = PACKET_MAX - p->len;

	if (len > room)
		len = room;
	random_bytes(p->data + p->len, len);
	p->len += len;
	while (p->len % 4)
		p->data[p->len++] = 0;
}

void make_start(struct packet *p, const struct label *l)
{
	begin(p, l, S);
	put16(p, l->stream);
	payload(p, SEGMENT);
}

/* Gives a PDU up */
void make_abort(struct packet *p, const struct label *l)
{
	begin(p, l, E);
	put16(p, 0);
	payload(p, 0);
}

/* All bits of the header, all lengths of payload, and beyond */
void make_any_segment(struct packet *p, const struct label *l)
{
	begin(p, l, random_below(256) & (one_in(8) ? 0xff : ~XH));
	if (one_in(2))
		put16(p, l->stream);
	else
		put16(p, random_below(600));
	payload(p, one_in(2) ? SEGMENT : one_in(2) ? SEGMENT + 2 : random_below(SEGMENT + 8));
}

/* All of these operands, all operations and parameters, and mostly those that are defined */
void make_message(struct packet *p, const struct label *l, unsigned int operands)
{
	static const uint8_t masks[] = { 0, 1, 3, 7, 15, 31, 63, 127, 255 };
	static const uint8_t wildcards[] = { 0, 1, 3, 7 };
	static const uint8_t params[] = { 0, 1, 2, 3, 5, 6, 0x10, 0x1f, 0x20, 0x2f, 0x30 };
	bool wild = one_in(4);

	begin(p, l, XH | (one_in(16) ? random_below(256) : 0));
	put16(p, l->stream);
	p->data[p->len++] = random_below(wild ? 16 : 4) << 4 | (operands &
			    (wild ? random_below(8) : wildcards[random_below(sizeof(wildcards))]));
	p->data[p->len++] = wild ? random_below(256) : masks[random_below(sizeof(masks))];
	p->data[p->len++] = wild ? random_below(256) : params[random_below(sizeof(params))];
	p->data[p->len++] = one_in(4) ? 0 : one_in(4) ? 0xff : random_below(256);
	if (one_in(16))
		payload(p, random_below(12));
	while (p->len % 4)
		p->data[p->len++] = 0;
}

/* XOFF or XON, basic, for all that the other sends */
void make_switch(struct packet *p, const struct label *l, bool off)
{
	begin(p, l, XH);
	put16(p, 0);
	put16(p, ANY_OPERAND << 8);
	put16(p, off ? 0 : 0xff);
	while (p->len % 4)
		p->data[p->len++] = 0;
}

/* A good PDU of so many segments */
unsigned int make_pdu(struct packet *out, const struct label *l, unsigned int segments)
{
	unsigned int i, last = 1 + random_below(SEGMENT), len = (segments - 1) * SEGMENT + last;

	for (i = 0; i < segments; i++) {
		bool first = !i, end = i == segments - 1;
		uint8_t flags = (first ? S : 0) | (end ? E : 0);

		if (end)
			flags |= ((last + 1) / 2 & 1) << 1 | (last & 1);
		begin(&out[i], l, flags);
		if (first)
			put16(&out[i], l->stream);
		else if (end)
			put16(&out[i], len);
		payload(&out[i], end ? last : SEGMENT);
	}
	return segments;
}

/* Other bits, or another length: of a multiple of four bytes or not */
void damage(struct packet *p)
{
	unsigned int n = 1 + random_below(4);

	if (one_in(4)) {
		p->len = 4 + random_below(PACKET_MAX - 3);
		if (!one_in(4))
			p->len &= ~3;
		return;
	}
	/* The headers of all, and sometimes the payload */
	while (n--)
		p->data[random_below(one_in(4) ? p->len : 12)] ^= 1 << random_below(8);
}

/* -1: none that anybody knows */
int source_of(const struct packet *p)
{
	unsigned int tt = p->data[1] >> 4 & 3;

	if (tt > 1)
		return -1;
	return tt ? p->data[4] << 8 | p->data[5] : p->data[3];
}
