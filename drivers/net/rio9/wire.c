// SPDX-License-Identifier: GPL-2.0
/*
 * Codec of Type 9 packets, 4.2 and 4.3.
 *
 * Everything that arrives is checked here for its format, and for nothing else: whether
 * a segment is of the right length for its PDU is for the reassembly.
 */
#include <kunit/visibility.h>
#include <linux/bitfield.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "wire.h"

/* The first two bytes, after Parts 3 and 6; the six bits of ackID are the link's */
#define RIO9_P_VC	BIT(9)
#define RIO9_P_CRF	BIT(8)
#define RIO9_P_PRIO	GENMASK(7, 6)
#define RIO9_P_TT	GENMASK(5, 4)
#define RIO9_P_FTYPE	GENMASK(3, 0)

#define RIO9_FTYPE	9
#define RIO9_TT_SMALL	0
#define RIO9_TT_LARGE	1

/* The byte after cos: S and E, xh, and O and P or xtype */
#define RIO9_L_KIND	GENMASK(7, 6)
#define RIO9_L_XTYPE	GENMASK(5, 3)
#define RIO9_L_XH	BIT(2)
#define RIO9_L_O	BIT(1)
#define RIO9_L_P	BIT(0)

#define RIO9_T_OP	GENMASK(7, 4)
#define RIO9_T_WILDCARD	GENMASK(2, 0)

/*
 * Payload of a single or end segment.  O tells whether the last of the half-words that are
 * there belongs to it, 4.2; what is behind those is no part of the packet.
 */
static unsigned int rio9_payload(u8 flags, unsigned int room)
{
	unsigned int halves = room / 2;

	if (!halves)
		return 0;
	halves -= (halves & 1) != !!(flags & RIO9_L_O);
	return halves ? 2 * halves - !!(flags & RIO9_L_P) : 0;
}

static enum rio9_verdict rio9_decode_tm(struct rio9_packet *p, const u8 *buf, unsigned int len)
{
	if (FIELD_GET(RIO9_L_XTYPE, buf[1]))
		return RIO9_BAD_XTYPE;
	if (len < RIO9_TM_LEN || len >= RIO9_TM_LEN + 4)
		return RIO9_MALFORMED;
	p->kind = RIO9_TM;
	p->stream = get_unaligned_be16(buf + 2);
	p->tm.op = FIELD_GET(RIO9_T_OP, buf[4]);
	p->tm.wildcard = FIELD_GET(RIO9_T_WILDCARD, buf[4]);
	p->tm.mask = buf[5];
	p->tm.param1 = buf[6];
	p->tm.param2 = buf[7];
	return RIO9_GOOD;
}

/**
 * rio9_decode_logical - read the logical part of a packet
 * @p: gets what is in it; nothing else is changed
 * @buf: from cos on
 * @len: bytes, with what the transport has added
 *
 * Reserved bits are ignored.
 *
 * Return: the verdict.
 */
enum rio9_verdict rio9_decode_logical(struct rio9_packet *p, const u8 *buf, unsigned int len)
{
	unsigned int hdr;
	u8 flags;

	if (len < RIO9_CONT_HDR)
		return RIO9_MALFORMED;
	p->cos = buf[0];
	flags = buf[1];
	if (flags & RIO9_L_XH)
		return rio9_decode_tm(p, buf, len);

	p->kind = FIELD_GET(RIO9_L_KIND, flags);
	hdr = p->kind == RIO9_CONT ? RIO9_CONT_HDR : RIO9_HDR;
	if (len < hdr)
		return RIO9_MALFORMED;
	p->data = buf + hdr;
	switch (p->kind) {
	case RIO9_START:
		p->stream = get_unaligned_be16(buf + 2);
		fallthrough;
	case RIO9_CONT:
		/* As long as the MTU, or wrong: a multiple of four */
		p->len = round_down(len - hdr, RIO9_MTU_STEP);
		return RIO9_GOOD;
	case RIO9_SINGLE:
		p->stream = get_unaligned_be16(buf + 2);
		p->len = rio9_payload(flags, len - hdr);
		return p->len ? RIO9_GOOD : RIO9_MALFORMED;
	default:
		p->length = get_unaligned_be16(buf + 2);
		p->len = rio9_payload(flags, len - hdr);
		return RIO9_GOOD;
	}
}
EXPORT_SYMBOL_IF_KUNIT(rio9_decode_logical);

/**
 * rio9_decode - read a packet
 * @p: gets what is in it; of the fields that its kind does not have nothing is said
 * @buf: the packet
 * @len: bytes
 *
 * Return: the verdict.
 */
enum rio9_verdict rio9_decode(struct rio9_packet *p, const u8 *buf, unsigned int len)
{
	unsigned int hdr;
	u16 first;

	if (len < 2)
		return RIO9_MALFORMED;
	first = get_unaligned_be16(buf);
	if (FIELD_GET(RIO9_P_FTYPE, first) != RIO9_FTYPE)
		return RIO9_OTHER_FTYPE;
	if (FIELD_GET(RIO9_P_TT, first) > RIO9_TT_LARGE)
		return RIO9_BAD_TT;
	p->large = FIELD_GET(RIO9_P_TT, first) == RIO9_TT_LARGE;
	hdr = p->large ? 6 : 4;
	if (len % 4 || len < hdr)
		return RIO9_MALFORMED;
	if (p->large) {
		p->dst = get_unaligned_be16(buf + 2);
		p->src = get_unaligned_be16(buf + 4);
	} else {
		p->dst = buf[2];
		p->src = buf[3];
	}
	p->channel = FIELD_PREP(RIO9_CHANNEL_VC, FIELD_GET(RIO9_P_VC, first)) |
		     FIELD_PREP(RIO9_CHANNEL_PRIO, FIELD_GET(RIO9_P_PRIO, first)) |
		     FIELD_PREP(RIO9_CHANNEL_CRF, FIELD_GET(RIO9_P_CRF, first));
	return rio9_decode_logical(p, buf + hdr, len - hdr);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_decode);

/* O and P of n bytes, table 4-2 */
static u8 rio9_odd(unsigned int n)
{
	return FIELD_PREP(RIO9_L_P, n & 1) | FIELD_PREP(RIO9_L_O, DIV_ROUND_UP(n, 2) & 1);
}

/**
 * rio9_encode_headers - write a packet as far as its payload
 * @buf: where to, RIO9_PACKET_MAX bytes
 * @p: what to write; p->data is not looked at, the caller puts it behind
 *
 * Return: bytes that were written.
 */
unsigned int rio9_encode_headers(u8 *buf, const struct rio9_packet *p)
{
	u16 first = FIELD_PREP(RIO9_P_VC, FIELD_GET(RIO9_CHANNEL_VC, p->channel)) |
		    FIELD_PREP(RIO9_P_CRF, FIELD_GET(RIO9_CHANNEL_CRF, p->channel)) |
		    FIELD_PREP(RIO9_P_PRIO, FIELD_GET(RIO9_CHANNEL_PRIO, p->channel)) |
		    FIELD_PREP(RIO9_P_TT, p->large ? RIO9_TT_LARGE : RIO9_TT_SMALL) |
		    FIELD_PREP(RIO9_P_FTYPE, RIO9_FTYPE);
	u8 *pos = buf;

	put_unaligned_be16(first, pos);
	if (p->large) {
		put_unaligned_be16(p->dst, pos + 2);
		put_unaligned_be16(p->src, pos + 4);
		pos += 6;
	} else {
		pos[2] = p->dst;
		pos[3] = p->src;
		pos += 4;
	}

	pos[0] = p->cos;
	pos[1] = FIELD_PREP(RIO9_L_KIND, p->kind);
	switch (p->kind) {
	case RIO9_CONT:
		return pos + RIO9_CONT_HDR - buf;
	case RIO9_START:
		put_unaligned_be16(p->stream, pos + 2);
		return pos + RIO9_HDR - buf;
	case RIO9_SINGLE:
		pos[1] |= rio9_odd(p->len);
		put_unaligned_be16(p->stream, pos + 2);
		return pos + RIO9_HDR - buf;
	case RIO9_END:
		pos[1] |= rio9_odd(p->len);
		put_unaligned_be16(p->length, pos + 2);
		return pos + RIO9_HDR - buf;
	case RIO9_TM:
		break;
	}
	pos[1] = RIO9_L_XH;
	put_unaligned_be16(p->stream, pos + 2);
	pos[4] = FIELD_PREP(RIO9_T_OP, p->tm.op) | FIELD_PREP(RIO9_T_WILDCARD, p->tm.wildcard);
	pos[5] = p->tm.mask;
	pos[6] = p->tm.param1;
	pos[7] = p->tm.param2;
	return pos + RIO9_TM_LEN - buf;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_encode_headers);

/**
 * rio9_encode_end - add the pad byte, and zeros up to a multiple of four bytes
 * @buf: a packet
 * @len: bytes of it that are written
 *
 * Return: bytes of the whole packet.
 */
unsigned int rio9_encode_end(u8 *buf, unsigned int len)
{
	unsigned int whole = round_up(len, 4);

	memset(buf + len, 0, whole - len);
	return whole;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_encode_end);
