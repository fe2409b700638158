/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets of RapidIO Type 9, 4.2 and 4.3, as a link carries them.
 */
#ifndef _RIO9_WIRE_H
#define _RIO9_WIRE_H

#include <linux/rio9.h>

/* The logical part of a segment before its payload: continuation, and all others */
#define RIO9_CONT_HDR	2
#define RIO9_HDR	4
/* All of a traffic management packet */
#define RIO9_TM_LEN	8

/**
 * enum rio9_kind - what a packet is; of segments S and E
 * @RIO9_CONT: continuation segment
 * @RIO9_END: end segment
 * @RIO9_START: start segment
 * @RIO9_SINGLE: a PDU by itself
 * @RIO9_TM: traffic management packet
 */
enum rio9_kind {
	RIO9_CONT,
	RIO9_END,
	RIO9_START,
	RIO9_SINGLE,
	RIO9_TM,
};

/**
 * struct rio9_tm - the fields of a traffic management packet, 4.3
 * @op: TM OP, 4 bits
 * @wildcard: destination, class, stream, 3 bits
 * @mask: of the class
 * @param1: parameter 1
 * @param2: parameter 2
 */
struct rio9_tm {
	u8 op;
	u8 wildcard;
	u8 mask;
	u8 param1;
	u8 param2;
};

/**
 * struct rio9_packet - a packet
 * @dst: destination ID
 * @src: source ID
 * @large: the IDs have 16 bits, not 8
 * @channel: physical channel
 * @kind: what it is
 * @cos: class of service
 * @stream: streamID of start, single and traffic management
 * @length: of end segments, as it is in the packet: 0 is 65536, or gives the PDU up
 * @data: payload of a segment, without padding
 * @len: bytes of it
 * @tm: the rest of a traffic management packet
 */
struct rio9_packet {
	u16 dst;
	u16 src;
	bool large;
	u8 channel;
	enum rio9_kind kind;
	u8 cos;
	u16 stream;
	u16 length;
	const u8 *data;
	unsigned int len;
	struct rio9_tm tm;
};

/**
 * enum rio9_verdict - what the decoder found
 * @RIO9_GOOD: a packet of the format
 * @RIO9_MALFORMED: not as long as a packet of its kind is
 * @RIO9_BAD_TT: IDs of a reserved size
 * @RIO9_OTHER_FTYPE: a packet of another logical layer
 * @RIO9_BAD_XTYPE: an extended packet of a reserved type
 */
enum rio9_verdict {
	RIO9_GOOD,
	RIO9_MALFORMED,
	RIO9_BAD_TT,
	RIO9_OTHER_FTYPE,
	RIO9_BAD_XTYPE,
};

enum rio9_verdict rio9_decode_logical(struct rio9_packet *p, const u8 *buf, unsigned int len);
enum rio9_verdict rio9_decode(struct rio9_packet *p, const u8 *buf, unsigned int len);
unsigned int rio9_encode_headers(u8 *buf, const struct rio9_packet *p);
unsigned int rio9_encode_end(u8 *buf, unsigned int len);

#endif
