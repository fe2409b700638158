/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames of the tunnel.  Documentation/networking/rio9-eth.rst has them to the byte.
 */
#ifndef _RIO9_ETH_FRAME_H
#define _RIO9_ETH_FRAME_H

#include <linux/rio9.h>
#include <linux/types.h>

/* Local experimental, IEEE 802 */
#define RIO9_ETH_TYPE		0x88b5

#define RIO9_ETH_VERSION	1
#define RIO9_ETH_HDR		12
#define RIO9_ETH_DATA_HDR	8
#define RIO9_ETH_HELLO_LEN	16

/* In front of each packet of a frame */
#define RIO9_ETH_PACKET_HDR	2

/* Least MTU of the device below: a frame with the longest packet */
#define RIO9_ETH_FRAME_MIN	(RIO9_ETH_HDR + RIO9_ETH_DATA_HDR + RIO9_ETH_PACKET_HDR + \
				 RIO9_PACKET_MAX)

/* In the byte after the class: it is the end of a PDU, or an extended packet; 4.2, 4.3 */
#define RIO9_ETH_LAST		(BIT(6) | BIT(2))

/* To everybody */
#define RIO9_ETH_ALL		0xffff

/* Flags of a hello */
#define RIO9_ETH_LARGE		BIT(0)
#define RIO9_ETH_ASK		BIT(1)
#define RIO9_ETH_BYE		BIT(2)

/* How long a hello may ask to be remembered, in milliseconds */
#define RIO9_ETH_HOLD_MIN	500
#define RIO9_ETH_HOLD_MAX	60000

/**
 * enum rio9_eth_type - what a frame is
 * @RIO9_ETH_DATA: packets
 * @RIO9_ETH_HELLO: what its sender tells of itself
 */
enum rio9_eth_type {
	RIO9_ETH_DATA,
	RIO9_ETH_HELLO,
};

/**
 * struct rio9_eth_data - a frame of packets
 * @sequence: its number, among the frames of its channel
 * @channel: physical channel of all its packets
 * @packets: how many there are
 * @body: the packets, each behind its length
 * @len: bytes of them
 */
struct rio9_eth_data {
	u32 sequence;
	u8 channel;
	u8 packets;
	const u8 *body;
	unsigned int len;
};

/**
 * struct rio9_eth_hello - what an endpoint tells of itself
 * @flags: RIO9_ETH_LARGE and so on
 * @mtu: payload of a full segment
 * @max_pdu: bytes of the longest PDU that it takes
 * @contexts: segmentation contexts
 * @hold: milliseconds after which it is gone if it says no more
 */
struct rio9_eth_hello {
	u8 flags;
	u16 mtu;
	u32 max_pdu;
	u32 contexts;
	u16 hold;
};

/**
 * struct rio9_eth_frame - a frame
 * @type: what it is
 * @src: ID of its sender
 * @dst: ID of its receiver, or RIO9_ETH_ALL
 * @session: number that its sender has taken when it began
 * @data: of RIO9_ETH_DATA
 * @hello: of RIO9_ETH_HELLO
 */
struct rio9_eth_frame {
	enum rio9_eth_type type;
	u16 src;
	u16 dst;
	u32 session;
	union {
		struct rio9_eth_data data;
		struct rio9_eth_hello hello;
	};
};

/**
 * enum rio9_eth_verdict - what the decoder found
 * @RIO9_ETH_GOOD: a frame of the format
 * @RIO9_ETH_SHORT: shorter than it says, or than its headers
 * @RIO9_ETH_BAD_VERSION: of another version
 * @RIO9_ETH_BAD_TYPE: of a type that is not known
 * @RIO9_ETH_BAD_PACKET: a packet in it is no packet, or one more or less than it says
 * @RIO9_ETH_FORGED: a packet in it has another source, destination or channel
 * @RIO9_ETH_BAD_HELLO: a hello that nobody can have meant
 */
enum rio9_eth_verdict {
	RIO9_ETH_GOOD,
	RIO9_ETH_SHORT,
	RIO9_ETH_BAD_VERSION,
	RIO9_ETH_BAD_TYPE,
	RIO9_ETH_BAD_PACKET,
	RIO9_ETH_FORGED,
	RIO9_ETH_BAD_HELLO,
};

/**
 * struct rio9_eth_label - what is read in a packet that the tunnel carries
 * @src: source ID
 * @dst: destination ID
 * @channel: physical channel
 * @last: of its PDU, or no segment at all
 */
struct rio9_eth_label {
	u16 src;
	u16 dst;
	u8 channel;
	bool last;
};

bool rio9_eth_label(struct rio9_eth_label *label, const u8 *packet, unsigned int len);
enum rio9_eth_verdict rio9_eth_decode(struct rio9_eth_frame *f, const u8 *buf, unsigned int len);
unsigned int rio9_eth_encode(u8 *buf, const struct rio9_eth_frame *f);
const u8 *rio9_eth_packet(const u8 **pos, unsigned int *len);
void rio9_eth_put_packet(u8 *buf, const void *packet, unsigned int len);

#endif
