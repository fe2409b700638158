// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "wire.h"

#define AT_CKSUM	12

/* Fields of the Schedule Header that an operation may leave unused */
enum {
	PARAM	= 1 << 0,
	D_KEY	= 1 << 1,
	B_ID	= 1 << 2,
	BUFX	= 1 << 3,
	OFFSET	= 1 << 4,
	SYNC	= 1 << 5,
	B_NUM	= 1 << 6,
	D_ID	= 1 << 7,
	S_ID	= 1 << 8,
	ALL	= (1 << 9) - 1,
};

/* Tables 4 to 8; for operations with several uses, the union of all */
static const struct {
	const char	*name;
	__u16		flags;
	__u16		used;
} ops[32] = {
	[REQUEST_CONNECTION] = { "Request_Connection", F_FUNCTION | F_INTERRUPT | F_OUT_OF_ORDER,
				 PARAM | B_ID | BUFX | OFFSET | SYNC },
	[CONNECTION_ANSWER] = { "Connection_Answer",
				F_FUNCTION | F_INTERRUPT | F_OUT_OF_ORDER | F_REJECT,
				PARAM | D_KEY | BUFX | OFFSET | SYNC },
	[REQUEST_DISCONNECT] = { "Request_Disconnect", F_INTERRUPT, D_KEY | OFFSET },
	[DISCONNECT_ANSWER] = { "Disconnect_Answer", F_INTERRUPT, D_KEY | OFFSET },
	[DISCONNECT_COMPLETE] = { "Disconnect_Complete", F_INTERRUPT, D_KEY | OFFSET },
	[REQUEST_MEMORY_REGION] = { "Request_Memory_Region", F_INTERRUPT | F_CHANNEL,
				    D_KEY | SYNC | B_NUM | S_ID },
	[MEMORY_REGION_AVAILABLE] = { "Memory_Region_Available", F_INTERRUPT,
				      D_KEY | B_ID | BUFX | OFFSET | D_ID | S_ID },
	[GET] = { "Get", F_FUNCTION | F_INTERRUPT | F_CHANNEL, ALL },
	[REQUEST_TO_SEND] = { "Request_To_Send", F_INTERRUPT | F_CHANNEL,
			      PARAM | D_KEY | B_ID | SYNC | B_NUM | D_ID | S_ID },
	[REQUEST_ANSWER] = { "Request_Answer", F_INTERRUPT | F_REJECT, D_KEY | D_ID | S_ID },
	[REQUEST_TO_RECEIVE] = { "Request_To_Receive", F_INTERRUPT | F_CHANNEL,
				 D_KEY | SYNC | B_NUM | S_ID },
	[CLEAR_TO_SEND] = { "Clear_To_Send", F_INTERRUPT, ALL },
	[DATA] = { "Data", F_SILENT | F_INTERRUPT | F_SEND_STATE | F_LAST | F_CHANNEL, ALL },
	[REQUEST_STATE] = { "Request_State", F_INTERRUPT, D_KEY | SYNC | B_NUM | D_ID | S_ID },
	[REQUEST_STATE_RESPONSE] = { "Request_State_Response", F_INTERRUPT,
				     PARAM | D_KEY | OFFSET | SYNC | B_NUM | D_ID | S_ID },
	[END] = { "End", F_INTERRUPT, D_KEY | D_ID | S_ID },
	[END_ACK] = { "End_Ack", F_INTERRUPT, D_KEY | D_ID | S_ID },
};

static void put16(__u8 *at, __u16 value)
{
	at[0] = value >> 8;
	at[1] = value;
}

static void put32(__u8 *at, __u32 value)
{
	put16(at, value >> 16);
	put16(at + 2, value);
}

static __u16 get16(const __u8 *at)
{
	return at[0] << 8 | at[1];
}

static __u32 get32(const __u8 *at)
{
	return (__u32)get16(at) << 16 | get16(at + 2);
}

void op_to_wire(const struct op *op, __u8 *hdr)
{
	put16(hdr, op->op << 11 | (op->flags & F_ALL));
	put16(hdr + 2, op->param);
	put16(hdr + 4, op->d_port);
	put16(hdr + 6, op->s_port);
	put32(hdr + 8, op->d_key);
	put16(hdr + AT_CKSUM, op->cksum);
	put16(hdr + 14, op->b_id);
	put32(hdr + 16, op->bufx);
	put32(hdr + 20, op->offset);
	put32(hdr + 24, op->sync);
	put32(hdr + 28, op->b_num);
	put32(hdr + 32, op->d_id);
	put32(hdr + 36, op->s_id);
}

struct op op_from_wire(const __u8 *hdr)
{
	return (struct op) {
		.op = hdr[0] >> 3,
		.flags = get16(hdr) & F_ALL,
		.param = get16(hdr + 2),
		.d_port = get16(hdr + 4),
		.s_port = get16(hdr + 6),
		.d_key = get32(hdr + 8),
		.cksum = get16(hdr + AT_CKSUM),
		.b_id = get16(hdr + 14),
		.bufx = get32(hdr + 16),
		.offset = get32(hdr + 20),
		.sync = get32(hdr + 24),
		.b_num = get32(hdr + 28),
		.d_id = get32(hdr + 32),
		.s_id = get32(hdr + 36),
	};
}

const char *op_name(unsigned int op)
{
	return op < 32 ? ops[op].name : NULL;
}

void print_op(const char *what, const struct op *op)
{
	fprintf(stderr,
		"# %-8s %s(%02x) flags %03x param %04x ports %u<-%u key %08x cksum %04x b_id %04x\n"
		"#   bufx %x offset %x sync %x b_num %x d_id %x s_id %x\n",
		what, op_name(op->op) ?: "undefined", op->op, op->flags, op->param, op->d_port,
		op->s_port, op->d_key, op->cksum, op->b_id, op->bufx, op->offset, op->sync,
		op->b_num, op->d_id, op->s_id);
}

bool op_is(const struct op *found, const struct op *expected)
{
	struct op f = *found, e = *expected;
	__u8 fw[HDR_LEN], ew[HDR_LEN];

	f.cksum = 0;
	e.cksum = 0;
	op_to_wire(&f, fw);
	op_to_wire(&e, ew);
	if (!memcmp(fw, ew, HDR_LEN))
		return true;
	print_op("found", found);
	print_op("expected", expected);
	return false;
}

const char *op_breach(const struct op *op)
{
	__u16 used;

	if (!op_name(op->op))
		return "undefined Op";
	used = ops[op->op].used;
	if (op->flags & ~ops[op->op].flags)
		return "flags that are not of this operation";
	if ((!(used & PARAM) && op->param) || (!(used & D_KEY) && op->d_key) ||
	    (!(used & B_ID) && op->b_id) || (!(used & BUFX) && op->bufx) ||
	    (!(used & OFFSET) && op->offset) || (!(used & SYNC) && op->sync) ||
	    (!(used & B_NUM) && op->b_num) || (!(used & D_ID) && op->d_id) ||
	    (!(used & S_ID) && op->s_id))
		return "a field that is not used is not zero";
	return NULL;
}

/* 1's complement sum of 16-bit integers, the last one padded */
static __u16 sum_of(const void *bytes, size_t len)
{
	const __u8 *b = bytes;
	__u32 sum = 0;
	size_t i;

	for (i = 0; i < len; i++) {
		sum += i % 2 ? b[i] : b[i] << 8;
		sum = (sum & 0xffff) + (sum >> 16);
	}
	return sum;
}

void short_offer(__u8 *opt, __u32 id, __u16 mx, __u16 max, __u32 bufx, __u32 offset)
{
	memset(opt, 0, OPTIONAL_LEN);
	memcpy(opt, "st-short", 8);
	put32(opt + 8, id);
	put16(opt + 12, mx);
	put16(opt + 14, max);
	put32(opt + 16, bufx);
	put32(opt + 20, offset);
}

__u16 cksum_of(const void *bytes, size_t len)
{
	__u16 sum = ~sum_of(bytes, len);

	return sum ? sum : 0xffff;
}

bool cksum_right(const void *bytes, size_t len)
{
	return sum_of(bytes, len) == 0xffff;
}

void cksum_set(__u8 *bytes, size_t len)
{
	put16(bytes + AT_CKSUM, 0);
	put16(bytes + AT_CKSUM, cksum_of(bytes, len));
}
