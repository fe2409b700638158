/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The Schedule Header and the operations it carries, ST clauses 8 and 9.
 */
#ifndef _NET_ST_OP_H
#define _NET_ST_OP_H

#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/types.h>
#include <net/checksum.h>
#include <net/st_llp.h>

#define ST_OPT_LEN		32	/* optional payload of a Control operation, ST 4.2 */

/* ST table 2 */
enum st_opcode {
	ST_OP_REQUEST_CONNECTION	= 0x01,
	ST_OP_CONNECTION_ANSWER		= 0x02,
	ST_OP_REQUEST_DISCONNECT	= 0x03,
	ST_OP_DISCONNECT_ANSWER		= 0x04,
	ST_OP_DISCONNECT_COMPLETE	= 0x05,
	ST_OP_REQUEST_MEMORY_REGION	= 0x13,
	ST_OP_MEMORY_REGION_AVAILABLE	= 0x14,
	ST_OP_GET			= 0x15,	/* Get, FetchOp and FetchOp_Complete */
	ST_OP_REQUEST_TO_SEND		= 0x16,
	ST_OP_REQUEST_ANSWER		= 0x17,
	ST_OP_REQUEST_TO_RECEIVE	= 0x18,
	ST_OP_CLEAR_TO_SEND		= 0x1a,
	ST_OP_DATA			= 0x1b,
	ST_OP_REQUEST_STATE		= 0x1c,
	ST_OP_REQUEST_STATE_RESPONSE	= 0x1d,
	ST_OP_END			= 0x1e,
	ST_OP_END_ACK			= 0x1f,
};

#define ST_CONTROL_CHANNEL	0

/* ST figure 13 */
#define ST_F_CHANNEL		GENMASK(1, 0)
#define ST_F_REJECT		BIT(2)
#define ST_F_LAST		BIT(3)
#define ST_F_OUT_OF_ORDER	BIT(4)
#define ST_F_SEND_STATE		BIT(5)
#define ST_F_INTERRUPT		BIT(6)
#define ST_F_SILENT		BIT(7)
#define ST_F_FUNCTION		GENMASK(10, 8)

/* Function with Op x'15', and attributes of an end device, ST 8.2 */
#define ST_FN_GET		0
#define ST_FN_COMPLETE		7
#define ST_FN_HAS_MEMORY	BIT(0)
#define ST_FN_HAS_FETCHOP	BIT(1)
#define ST_FN_LITTLE_ENDIAN	BIT(2)

#define ST_ID_NONE		0xffffffffU	/* ST 6.2.1 */
#define ST_B_NUM_NONE		0xffffffffU	/* ST 6.2.4 */
#define ST_SLOTS_NONE		0xffffU		/* ST 5.2.5 */

/* No error to log */
#define ST_ERR_NONE		__ST_ERR_MAX

/* Exponents of two: ST 5.2.3, 5.2.4, 6.2.5, 6.2.6 */
#define ST_BUFSIZE_MIN		8
#define ST_BUFSIZE_MAX		32
#define ST_BUFSIZE		20	/* of this end */
#define ST_BLOCK_MIN		8
#define ST_BLOCK_MAX		48

/**
 * struct st_hdr - Schedule Header on the wire, ST figure 12
 * @op_flags: Op in bits 15-11, Flags in bits 10-0
 * @param: Param
 * @d_port: destination Port
 * @s_port: source Port
 * @d_key: destination Key
 * @cksum: Cksum, ST 8.3
 * @b_id: B_id
 * @bufx: Bufx
 * @offset: Offset
 * @sync: Sync
 * @b_num: B_num
 * @d_id: D_id
 * @s_id: S_id
 */
struct st_hdr {
	__be16	op_flags;
	__be16	param;
	__be16	d_port;
	__be16	s_port;
	__be32	d_key;
	__sum16	cksum;
	__be16	b_id;
	__be32	bufx;
	__be32	offset;
	__be32	sync;
	__be32	b_num;
	__be32	d_id;
	__be32	s_id;
};

static_assert(sizeof(struct st_hdr) == ST_HDR_LEN);

/**
 * struct st_op - a Schedule Header in host order
 * @op: enum st_opcode, or a value that the draft does not define
 * @flags: the 11 Flags, ST figure 13
 * @param: Param
 * @d_port: D_Port
 * @s_port: S_Port
 * @b_id: B_id
 * @d_key: D_Key
 * @bufx: Bufx
 * @offset: Offset
 * @sync: Sync, or the high half of a 64-bit T_len
 * @b_num: B_num, or the low half of a 64-bit T_len
 * @d_id: D_id
 * @s_id: S_id
 *
 * The Cksum is not included: st_op_pack() and st_csum_finish() write it, st_csum_ok() verifies it
 * in the wire format.
 */
struct st_op {
	u8	op;
	u16	flags;
	u16	param;
	u16	d_port;
	u16	s_port;
	u16	b_id;
	u32	d_key;
	u32	bufx;
	u32	offset;
	u32	sync;
	u32	b_num;
	u32	d_id;
	u32	s_id;
};

static inline u64 st_op_t_len(const struct st_op *op)
{
	return (u64)op->sync << 32 | op->b_num;
}

static inline void st_op_set_t_len(struct st_op *op, u64 t_len)
{
	op->sync = t_len >> 32;
	op->b_num = (u32)t_len;
}

/**
 * struct st_csum - running checksum of one segment, ST 8.3.2
 * @sum: 1's complement sum so far, every Cksum field taken as zero
 * @len: bytes summed so far; an odd count puts the next byte in the low half
 */
struct st_csum {
	__wsum	sum;
	u32	len;
};

static inline void st_csum_init(struct st_csum *c)
{
	c->sum = 0;
	c->len = 0;
}

__sum16 st_csum_finish(const struct st_csum *c);

/* wire/op.c */
void st_op_pack(const struct st_op *op, struct st_hdr *hdr);
void st_op_unpack(const struct st_hdr *hdr, struct st_op *op);
bool st_op_defined(u8 op);
u16 st_op_flags_allowed(const struct st_op *op);
const char *st_op_name(u8 op);
void st_csum_hdr(struct st_csum *c, const struct st_hdr *hdr);
void st_csum_add(struct st_csum *c, __wsum part, u32 len);
bool st_csum_ok(const struct st_csum *c, __sum16 cksum);

#endif
