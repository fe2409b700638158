/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Golden vectors, from models that share no code with the module.
 *
 * Bytes are in hexadecimal digits, in lines; rio9_test_hex() reads them.
 */
#ifndef _RIO9_TESTS_VECTORS_H
#define _RIO9_TESTS_VECTORS_H

#include "wire.h"

/**
 * struct rio9_payload_vector - a PDU
 * @len: bytes
 * @hex: they
 */
struct rio9_payload_vector {
	u32 len;
	const char *hex;
};

/**
 * struct rio9_pdu_vector - a PDU and its segments
 * @len: bytes; the PDU is the payload vector of that length, or is computed
 * @mtu: payload of a full segment
 * @cos: class of service
 * @stream: streamID
 * @count: segments
 * @bytes: of the logical parts of all of them, or 0 if they are all here
 * @crc: CRC-32 over these
 * @segments: kind and logical part, each with a semicolon; of long PDUs the first, the
 *	second and the last
 */
struct rio9_pdu_vector {
	u32 len;
	u16 mtu;
	u8 cos;
	u16 stream;
	u32 count;
	u32 bytes;
	u32 crc;
	const char *segments;
};

/**
 * struct rio9_packet_vector - a packet as a link carries it
 * @large: IDs have 16 bits
 * @channel: physical channel
 * @dst: destination ID
 * @src: source ID
 * @hex: the packet
 */
struct rio9_packet_vector {
	bool large;
	u8 channel;
	u16 dst;
	u16 src;
	const char *hex;
};

/**
 * struct rio9_tm_vector - a traffic management packet
 * @name: of the message
 * @cos: class of service
 * @stream: streamID
 * @tm: its other fields
 * @hex: logical part
 */
struct rio9_tm_vector {
	const char *name;
	u8 cos;
	u16 stream;
	struct rio9_tm tm;
	const char *hex;
};

extern const struct rio9_payload_vector rio9_payload_vectors[];
extern const unsigned int rio9_payload_vectors_count;
extern const struct rio9_pdu_vector rio9_pdu_vectors_small[];
extern const unsigned int rio9_pdu_vectors_small_count;
extern const struct rio9_pdu_vector rio9_pdu_vectors_large[];
extern const unsigned int rio9_pdu_vectors_large_count;
extern const struct rio9_packet_vector rio9_packet_vectors[];
extern const unsigned int rio9_packet_vectors_count;
extern const struct rio9_tm_vector rio9_tm_vectors[];
extern const unsigned int rio9_tm_vectors_count;

#endif
