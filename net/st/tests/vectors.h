/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Golden vectors, and operations in wire order.
 */
#ifndef _NET_ST_TESTS_VECTORS_H
#define _NET_ST_TESTS_VECTORS_H

#include <kunit/test.h>
#include <linux/string.h>

#include "wire/op.h"

#define ST_VECTOR_PAYLOAD	272

/**
 * struct st_op_vector - an operation and its wire format
 * @name: of the operation and the case
 * @op: its fields
 * @hdr: the Schedule Header with its Cksum
 * @payload: the bytes after the header
 * @len: bytes of @payload
 */
struct st_op_vector {
	const char	*name;
	struct st_op	op;
	u8		hdr[ST_HDR_LEN];
	u8		payload[ST_VECTOR_PAYLOAD];
	u32		len;
};

/**
 * struct st_segment_vector - a Data operation of a Block on the wire
 * @hdr: the Schedule Header; a Cksum that is not zero ends a segment
 * @payload: the STU
 * @len: bytes of @payload
 */
struct st_segment_vector {
	u8	hdr[ST_HDR_LEN];
	u8	payload[ST_VECTOR_PAYLOAD];
	u32	len;
};

extern const struct st_op_vector st_op_vectors[];
extern const unsigned int st_op_vectors_count;

/* The Data operations of one Block, in order, ST 8.3.4 */
extern const struct st_segment_vector st_segment_vectors[];
extern const unsigned int st_segment_vectors_count;

/**
 * struct st_wire - an operation in bytes
 * @hdr: the Schedule Header
 * @payload: the bytes after the header
 * @len: bytes of @payload
 */
struct st_wire {
	struct st_hdr	hdr;
	u8		payload[512];
	u32		len;
};

static inline void st_wire_make(struct st_wire *wire, const u8 *hdr,
				const u8 *payload, u32 len)
{
	memcpy(&wire->hdr, hdr, ST_HDR_LEN);
	memcpy(wire->payload, payload, len);
	wire->len = len;
}

static inline void st_wire_sum(struct st_csum *c, const struct st_wire *wire)
{
	st_csum_hdr(c, &wire->hdr);
	st_csum_add(c, csum_partial(wire->payload, wire->len, 0), wire->len);
}

#endif
