// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "upkt.h"

#define POLY_LCRC	0x100b	/* x^16 + x^12 + x^3 + x + 1, HIPPI-6400-PH 4.9 */
#define POLY_ECRC	0x1021	/* x^16 + x^12 + x^5 + 1 */
#define PRESET		0xffff

#define AT_C00		32	/* the bytes of the control bits */
#define AT_C08		33
#define AT_TSEQ		34
#define AT_RSEQ		35
#define AT_ECRC		36
#define AT_LCRC		38

/* Bit by bit, most significant first, as the polynomial is divided on paper */
__u16 crc16(__u16 poly, __u16 crc, const void *buf, size_t len)
{
	const __u8 *byte = buf;
	unsigned int bit;

	for (; len; len--, byte++) {
		for (bit = 0x80; bit; bit >>= 1) {
			bool one = !!(crc & 0x8000) != !!(*byte & bit);

			crc <<= 1;
			if (one)
				crc ^= poly;
		}
	}
	return crc;
}

__u16 ecrc_of(__u16 crc, const struct upkt *upkt)
{
	return crc16(POLY_ECRC, crc, upkt->byte, UPKT_DATA);
}

struct control control_of(const struct upkt *upkt)
{
	struct control c = {
		.vc	= upkt->byte[AT_C00] & 3,
		.type	= upkt->byte[AT_C00] >> 2 & 15,
		.tail	= upkt->byte[AT_C00] & 0x40,
		.error	= upkt->byte[AT_C00] & 0x80,
		.vcr	= upkt->byte[AT_C08] & 3,
		.cr	= upkt->byte[AT_C08] >> 2,
		.tseq	= upkt->byte[AT_TSEQ],
		.rseq	= upkt->byte[AT_RSEQ],
	};

	return c;
}

void set_control(struct upkt *upkt, const struct control *c)
{
	upkt->byte[AT_C00] = c->vc | c->type << 2 | c->tail << 6 | c->error << 7;
	upkt->byte[AT_C08] = c->vcr | c->cr << 2;
	upkt->byte[AT_TSEQ] = c->tseq;
	upkt->byte[AT_RSEQ] = c->rseq;
}

static __u16 get_le16(const __u8 *p)
{
	return p[0] | p[1] << 8;
}

static void put_le16(__u8 *p, __u16 value)
{
	p[0] = value;
	p[1] = value >> 8;
}

__u16 get_ecrc(const struct upkt *upkt)
{
	return get_le16(upkt->byte + AT_ECRC);
}

void set_ecrc(struct upkt *upkt, __u16 ecrc)
{
	put_le16(upkt->byte + AT_ECRC, ecrc);
}

__u16 get_lcrc(const struct upkt *upkt)
{
	return get_le16(upkt->byte + AT_LCRC);
}

/* Over DB00-DB31, then c07-c00, c15-c08, ... c47-c40: the bytes in memory order */
static __u16 lcrc_of(const struct upkt *upkt)
{
	return crc16(POLY_LCRC, PRESET, upkt->byte, AT_LCRC);
}

bool lcrc_right(const struct upkt *upkt)
{
	return get_lcrc(upkt) == lcrc_of(upkt);
}

void seal(struct upkt *upkt)
{
	put_le16(upkt->byte + AT_LCRC, lcrc_of(upkt));
}

bool is_sequenced(const struct control *c)
{
	return c->type == TYPE_HEADER || c->type == TYPE_DATA || c->type == TYPE_ADMIN || c->cr;
}

struct upkt outside(enum type type, unsigned int rseq)
{
	const struct control c = { .type = type, .tseq = SEQ_NONE, .rseq = rseq };
	struct upkt upkt = {};

	set_control(&upkt, &c);
	set_ecrc(&upkt, ecrc_of(PRESET, &upkt));
	return upkt;
}

unsigned int upkts_of(size_t payload)
{
	if (payload <= HEADER_PAYLOAD)
		return 1;
	return 1 + (payload - HEADER_PAYLOAD + UPKT_DATA - 1) / UPKT_DATA;
}

void set_m_len(struct upkt *header, __u32 m_len)
{
	header->byte[12] = m_len >> 24;
	header->byte[13] = m_len >> 16;
	header->byte[14] = m_len >> 8;
	header->byte[15] = m_len;
}

void renew_ecrc(struct upkt *upkts, unsigned int count)
{
	__u16 ecrc = PRESET;
	unsigned int i;

	for (i = 0; i < count; i++) {
		ecrc = ecrc_of(ecrc, &upkts[i]);
		set_ecrc(&upkts[i], ecrc);
	}
}

/* ST figure A.1: D_ULA, S_ULA, M_len, AA AA 03 00 00 00, EtherType, payload */
unsigned int make_message(struct upkt *to, unsigned int vc, const void *frame, size_t len)
{
	static const __u8 snap[] = { 0xaa, 0xaa, 0x03, 0, 0, 0 };
	size_t payload = len - ETH_HEADER, in_header, left;
	struct control c = { .vc = vc, .type = TYPE_HEADER };
	unsigned int count = upkts_of(payload), i;
	const __u8 *from = frame;

	memset(to, 0, count * sizeof(*to));
	memcpy(to->byte, from, 12);
	set_m_len(to, SNAP_SIZE + payload);
	memcpy(to->byte + 16, snap, sizeof(snap));
	memcpy(to->byte + 22, from + 12, 2);
	in_header = payload < HEADER_PAYLOAD ? payload : HEADER_PAYLOAD;
	memcpy(to->byte + 24, from + ETH_HEADER, in_header);
	from += ETH_HEADER + in_header;
	left = payload - in_header;

	for (i = 0; i < count; i++) {
		size_t now = left < UPKT_DATA ? left : UPKT_DATA;

		c.tail = i == count - 1;
		set_control(&to[i], &c);
		c.type = TYPE_DATA;
		if (!i)
			continue;
		memcpy(to[i].byte, from, now);
		from += now;
		left -= now;
	}
	renew_ecrc(to, count);
	return count;
}

size_t make_frame(__u8 *to, const __u8 *dest, size_t payload, unsigned int number)
{
	static const __u8 source[] = { 0x02, 0x64, 0x00, 0x00, 0x77, 0x01, 0x88, 0xb5 };
	__u32 state = number * 2654435761U + payload;
	size_t i;

	memcpy(to, dest, 6);
	memcpy(to + 6, source, sizeof(source));
	for (i = 0; i < payload; i++) {
		state = state * 1664525 + 1013904223;
		to[ETH_HEADER + i] = state >> 24;
	}
	return ETH_HEADER + payload;
}

/* Version, opcode, hops, length, transaction number, body */
struct upkt make_admin(unsigned int opcode, unsigned int length, __u32 txn)
{
	const struct control c = { .vc = ADMIN_VC, .type = TYPE_ADMIN };
	struct upkt upkt = {
		.byte = { 1, opcode, 0, length, txn >> 24, txn >> 16, txn >> 8, txn },
	};

	set_control(&upkt, &c);
	renew_ecrc(&upkt, 1);
	return upkt;
}

__u32 admin_txn(const struct upkt *upkt)
{
	const __u8 *b = upkt->byte + 4;

	return (__u32)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
}

void print_upkt(const char *what, const struct upkt *upkt)
{
	unsigned int i;

	fprintf(stderr, "# %s: ", what);
	for (i = 0; i < UPKT_SIZE; i++)
		fprintf(stderr, "%02x", upkt->byte[i]);
	fputc('\n', stderr);
}
