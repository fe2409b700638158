/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operations as on the wire: ST clauses 8 and 9.  Nothing here comes from the
 * kernel's implementation.
 */
#ifndef SELFTESTS_ST_WIRE_H
#define SELFTESTS_ST_WIRE_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#define HDR_LEN			40	/* Schedule Header, figure 12 */
#define OPTIONAL_LEN		32	/* payload of a Control operation, 4.2 */

/* Table 2 */
#define REQUEST_CONNECTION	0x01
#define CONNECTION_ANSWER	0x02
#define REQUEST_DISCONNECT	0x03
#define DISCONNECT_ANSWER	0x04
#define DISCONNECT_COMPLETE	0x05
#define REQUEST_MEMORY_REGION	0x13
#define MEMORY_REGION_AVAILABLE	0x14
#define GET			0x15	/* and FetchOp, FetchOp_Complete */
#define REQUEST_TO_SEND		0x16
#define REQUEST_ANSWER		0x17
#define REQUEST_TO_RECEIVE	0x18
#define CLEAR_TO_SEND		0x1a
#define DATA			0x1b
#define REQUEST_STATE		0x1c
#define REQUEST_STATE_RESPONSE	0x1d
#define END			0x1e
#define END_ACK			0x1f

/* Figure 13, from bit 10 down: F F F T I S O L R D D */
#define F_LITTLE_ENDIAN		0x400	/* of F, in connection setup */
#define F_MEMORY		0x300	/* of F, in connection setup: persistent memory */
#define F_FUNCTION		0x700
#define F_SILENT		0x080
#define F_INTERRUPT		0x040
#define F_SEND_STATE		0x020
#define F_OUT_OF_ORDER		0x010
#define F_LAST			0x008
#define F_REJECT		0x004
#define F_CHANNEL		0x003
#define F_CHANNEL_1		0x001
#define F_ALL			0x7ff

#define NO_ID			0xffffffffU	/* 6.2.1 */
#define NO_B_NUM		0xffffffffU	/* 6.2.4 */
#define SLOTS_NOT_COUNTED	0xffff		/* 5.2.5 */

/* Memory to which AF_ST has short records Put, Documentation/networking/st.rst */
#define SHORT_ID		0xfffffffeU
#define SHORT_MX		0xc000
#define SHORT_MAX		1024

/**
 * struct op - the fields of a Schedule Header, figure 12
 * @op: 5 bits
 * @flags: 11 bits
 * @param: Param
 * @d_port: D_Port
 * @s_port: S_Port
 * @d_key: D_Key
 * @cksum: Cksum
 * @b_id: B_id
 * @bufx: Bufx
 * @offset: Offset
 * @sync: Sync
 * @b_num: B_num
 * @d_id: D_id
 * @s_id: S_id
 */
struct op {
	__u8	op;
	__u16	flags;
	__u16	param;
	__u16	d_port;
	__u16	s_port;
	__u32	d_key;
	__u16	cksum;
	__u16	b_id;
	__u32	bufx;
	__u32	offset;
	__u32	sync;
	__u32	b_num;
	__u32	d_id;
	__u32	s_id;
};

void op_to_wire(const struct op *op, __u8 *hdr);
struct op op_from_wire(const __u8 *hdr);
/* The name in table 2, or NULL for a reserved value */
const char *op_name(unsigned int op);
void print_op(const char *what, const struct op *op);

/* Checks that all fields but the Cksum are equal; else prints the differences. */
bool op_is(const struct op *found, const struct op *expected);

/* Tables 4 to 8: the error in flags and unused fields, or NULL */
const char *op_breach(const struct op *op);

/* The optional payload that offers such memory */
void short_offer(__u8 *opt, __u32 id, __u16 mx, __u16 max, __u32 bufx, __u32 offset);

/* 8.3.1: the sum over @len bytes in which every Cksum field is zero */
__u16 cksum_of(const void *bytes, size_t len);
/* 8.3.3: over bytes with their Cksum fields in place */
bool cksum_right(const void *bytes, size_t len);
/* Computes the Cksum of one operation that is a segment by itself. */
void cksum_set(__u8 *bytes, size_t len);

#endif
