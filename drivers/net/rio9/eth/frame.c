// SPDX-License-Identifier: GPL-2.0
/*
 * Codec of the frames of the tunnel.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "frame.h"

/**
 * rio9_eth_label - read where a packet goes
 * @label: gets it
 * @packet: the packet
 * @len: bytes of it
 *
 * Return: false if it is no packet that a fabric carries.
 */
bool rio9_eth_label(struct rio9_eth_label *label, const u8 *packet, unsigned int len)
{
	if (len < 8 || len > RIO9_PACKET_MAX || len % 4)
		return false;
	label->channel = (packet[0] & 2) << 2 | packet[1] >> 6 << 1 | (packet[0] & 1);
	switch (packet[1] >> 4 & 3) {
	case 0:
		label->dst = packet[2];
		label->src = packet[3];
		label->last = packet[5] & RIO9_ETH_LAST;
		return true;
	case 1:
		label->dst = get_unaligned_be16(packet + 2);
		label->src = get_unaligned_be16(packet + 4);
		label->last = packet[7] & RIO9_ETH_LAST;
		return true;
	default:
		return false;
	}
}
EXPORT_SYMBOL_IF_KUNIT(rio9_eth_label);

/**
 * rio9_eth_packet - the next packet of a frame that rio9_eth_decode() has found good
 * @pos: where it is, behind it on return
 * @len: gets the bytes of it
 *
 * Return: the packet.
 */
const u8 *rio9_eth_packet(const u8 **pos, unsigned int *len)
{
	const u8 *packet = *pos + RIO9_ETH_PACKET_HDR;

	*len = get_unaligned_be16(*pos);
	*pos = packet + *len;
	return packet;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_eth_packet);

/**
 * rio9_eth_put_packet - write a packet of a frame
 * @buf: gets RIO9_ETH_PACKET_HDR bytes and the packet
 * @packet: the packet
 * @len: bytes of it
 */
void rio9_eth_put_packet(u8 *buf, const void *packet, unsigned int len)
{
	put_unaligned_be16(len, buf);
	memcpy(buf + RIO9_ETH_PACKET_HDR, packet, len);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_eth_put_packet);

/* Nobody can send in the name of another, or put a packet into the order of another channel */
static enum rio9_eth_verdict rio9_eth_check_packets(const struct rio9_eth_frame *f)
{
	const u8 *pos = f->data.body, *end = pos + f->data.len;
	unsigned int packets = 0, len;
	struct rio9_eth_label label;

	for (; pos < end; pos += RIO9_ETH_PACKET_HDR + len) {
		if (end - pos < RIO9_ETH_PACKET_HDR)
			return RIO9_ETH_BAD_PACKET;
		len = get_unaligned_be16(pos);
		if (len > end - pos - RIO9_ETH_PACKET_HDR ||
		    !rio9_eth_label(&label, pos + RIO9_ETH_PACKET_HDR, len))
			return RIO9_ETH_BAD_PACKET;
		if (label.src != f->src || label.dst != f->dst || label.channel != f->data.channel)
			return RIO9_ETH_FORGED;
		packets++;
	}
	return packets && packets == f->data.packets ? RIO9_ETH_GOOD : RIO9_ETH_BAD_PACKET;
}

static enum rio9_eth_verdict rio9_eth_decode_data(struct rio9_eth_frame *f, const u8 *buf,
						  unsigned int len)
{
	if (len < RIO9_ETH_DATA_HDR)
		return RIO9_ETH_SHORT;
	f->data.sequence = get_unaligned_be32(buf);
	f->data.channel = buf[4];
	f->data.packets = buf[5];
	f->data.body = buf + RIO9_ETH_DATA_HDR;
	f->data.len = len - RIO9_ETH_DATA_HDR;
	if (f->data.channel >= RIO9_CHANNELS)
		return RIO9_ETH_BAD_PACKET;
	return rio9_eth_check_packets(f);
}

static bool rio9_eth_hello_possible(const struct rio9_eth_frame *f)
{
	const struct rio9_eth_hello *h = &f->hello;

	return f->src < (h->flags & RIO9_ETH_LARGE ? 0xffff : 0xff) &&
	       h->mtu >= RIO9_MTU_MIN && h->mtu <= RIO9_MTU_MAX && !(h->mtu % RIO9_MTU_STEP) &&
	       h->max_pdu && h->max_pdu <= RIO9_PDU_MAX &&
	       h->contexts && h->contexts <= RIO9_CONTEXTS_MAX &&
	       h->hold >= RIO9_ETH_HOLD_MIN && h->hold <= RIO9_ETH_HOLD_MAX;
}

static enum rio9_eth_verdict rio9_eth_decode_hello(struct rio9_eth_frame *f, const u8 *buf,
						   unsigned int len)
{
	if (len < RIO9_ETH_HELLO_LEN)
		return RIO9_ETH_SHORT;
	f->hello.flags = buf[0];
	f->hello.mtu = get_unaligned_be16(buf + 2);
	f->hello.max_pdu = get_unaligned_be32(buf + 4);
	f->hello.contexts = get_unaligned_be32(buf + 8);
	f->hello.hold = get_unaligned_be16(buf + 12);
	return rio9_eth_hello_possible(f) ? RIO9_ETH_GOOD : RIO9_ETH_BAD_HELLO;
}

/**
 * rio9_eth_decode - read a frame
 * @f: gets its fields; those of packets point into @buf
 * @buf: the frame behind the header of Ethernet; anything
 * @len: bytes of it, maybe with padding
 *
 * Return: what it is.
 */
enum rio9_eth_verdict rio9_eth_decode(struct rio9_eth_frame *f, const u8 *buf, unsigned int len)
{
	unsigned int body;

	if (len < RIO9_ETH_HDR)
		return RIO9_ETH_SHORT;
	if (buf[0] != RIO9_ETH_VERSION)
		return RIO9_ETH_BAD_VERSION;
	f->type = buf[1];
	f->src = get_unaligned_be16(buf + 2);
	f->dst = get_unaligned_be16(buf + 4);
	body = get_unaligned_be16(buf + 6);
	f->session = get_unaligned_be32(buf + 8);
	if (body > len - RIO9_ETH_HDR)
		return RIO9_ETH_SHORT;
	switch (f->type) {
	case RIO9_ETH_DATA:
		return rio9_eth_decode_data(f, buf + RIO9_ETH_HDR, body);
	case RIO9_ETH_HELLO:
		return rio9_eth_decode_hello(f, buf + RIO9_ETH_HDR, body);
	default:
		return RIO9_ETH_BAD_TYPE;
	}
}
EXPORT_SYMBOL_IF_KUNIT(rio9_eth_decode);

/**
 * rio9_eth_encode - write the headers of a frame, and all of a hello
 * @buf: gets them
 * @f: its fields; the packets of data are written by the caller, before or after
 *
 * Return: bytes written.
 */
unsigned int rio9_eth_encode(u8 *buf, const struct rio9_eth_frame *f)
{
	u8 *body = buf + RIO9_ETH_HDR;
	unsigned int hdr;

	buf[0] = RIO9_ETH_VERSION;
	buf[1] = f->type;
	put_unaligned_be16(f->src, buf + 2);
	put_unaligned_be16(f->dst, buf + 4);
	put_unaligned_be32(f->session, buf + 8);
	if (f->type == RIO9_ETH_DATA) {
		hdr = RIO9_ETH_DATA_HDR;
		put_unaligned_be16(hdr + f->data.len, buf + 6);
		put_unaligned_be32(f->data.sequence, body);
		body[4] = f->data.channel;
		body[5] = f->data.packets;
		put_unaligned_be16(0, body + 6);
	} else {
		hdr = RIO9_ETH_HELLO_LEN;
		put_unaligned_be16(hdr, buf + 6);
		body[0] = f->hello.flags;
		body[1] = 0;
		put_unaligned_be16(f->hello.mtu, body + 2);
		put_unaligned_be32(f->hello.max_pdu, body + 4);
		put_unaligned_be32(f->hello.contexts, body + 8);
		put_unaligned_be16(f->hello.hold, body + 12);
		put_unaligned_be16(0, body + 14);
	}
	return RIO9_ETH_HDR + hdr;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_eth_encode);
