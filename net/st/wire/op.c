// SPDX-License-Identifier: GPL-2.0
/*
 * Schedule Headers in wire and host order, what each operation may carry, and the checksum of
 * ST 8.3.
 */
#include <kunit/visibility.h>
#include <linux/array_size.h>
#include <linux/bitfield.h>
#include <linux/export.h>
#include <linux/stddef.h>

#include "wire/op.h"

#define ST_HDR_OP	GENMASK(15, 11)
#define ST_HDR_FLAGS	GENMASK(10, 0)

/* Values of ST_F_FUNCTION with Op x'15', ST 8.2 */
#define ST_FN_FETCH_LAST	3	/* 0 is Get, 1 to 3 are FetchOps */

/**
 * struct st_op_desc - what the draft says about one Op
 * @name: its name in table 2; NULL where the Op is undefined
 * @flags: the flags that tables 4 to 8 list for it
 */
struct st_op_desc {
	const char	*name;
	u16		flags;
};

static const struct st_op_desc st_op_descs[] = {
	[ST_OP_REQUEST_CONNECTION] = {
		"Request_Connection",
		ST_F_FUNCTION | ST_F_INTERRUPT | ST_F_OUT_OF_ORDER,
	},
	[ST_OP_CONNECTION_ANSWER] = {
		"Connection_Answer",
		ST_F_FUNCTION | ST_F_INTERRUPT | ST_F_OUT_OF_ORDER |
		ST_F_REJECT,
	},
	[ST_OP_REQUEST_DISCONNECT] = { "Request_Disconnect", ST_F_INTERRUPT },
	[ST_OP_DISCONNECT_ANSWER] = { "Disconnect_Answer", ST_F_INTERRUPT },
	[ST_OP_DISCONNECT_COMPLETE] = { "Disconnect_Complete", ST_F_INTERRUPT },
	[ST_OP_REQUEST_MEMORY_REGION] = {
		"Request_Memory_Region",
		ST_F_INTERRUPT | ST_F_CHANNEL,
	},
	[ST_OP_MEMORY_REGION_AVAILABLE] = {
		"Memory_Region_Available",
		ST_F_INTERRUPT,
	},
	[ST_OP_GET] = {
		"Get",
		ST_F_FUNCTION | ST_F_INTERRUPT | ST_F_CHANNEL,
	},
	[ST_OP_REQUEST_TO_SEND] = {
		"Request_To_Send",
		ST_F_INTERRUPT | ST_F_CHANNEL,
	},
	[ST_OP_REQUEST_ANSWER] = {
		"Request_Answer",
		ST_F_INTERRUPT | ST_F_REJECT,
	},
	[ST_OP_REQUEST_TO_RECEIVE] = {
		"Request_To_Receive",
		ST_F_INTERRUPT | ST_F_CHANNEL,
	},
	[ST_OP_CLEAR_TO_SEND] = { "Clear_To_Send", ST_F_INTERRUPT },
	[ST_OP_DATA] = {
		"Data",
		ST_F_SILENT | ST_F_INTERRUPT | ST_F_SEND_STATE | ST_F_LAST |
		ST_F_CHANNEL,
	},
	[ST_OP_REQUEST_STATE] = { "Request_State", ST_F_INTERRUPT },
	[ST_OP_REQUEST_STATE_RESPONSE] = {
		"Request_State_Response",
		ST_F_INTERRUPT,
	},
	[ST_OP_END] = { "End", ST_F_INTERRUPT },
	[ST_OP_END_ACK] = { "End_Ack", ST_F_INTERRUPT },
};

/**
 * st_op_pack - write a Schedule Header
 * @op: operation; Op 0 to 31 and Flags 0 to x'7FF', bits above are not sent
 * @hdr: destination, all 40 bytes; 4-byte aligned
 *
 * The Cksum becomes zero, which is both "none" and what st_csum_hdr() starts
 * from (ST 8.3.1).  Any context, no lock.  ST figure 12.
 */
void st_op_pack(const struct st_op *op, struct st_hdr *hdr)
{
	hdr->op_flags = cpu_to_be16(FIELD_PREP(ST_HDR_OP, op->op) |
				    FIELD_PREP(ST_HDR_FLAGS, op->flags));
	hdr->param = cpu_to_be16(op->param);
	hdr->d_port = cpu_to_be16(op->d_port);
	hdr->s_port = cpu_to_be16(op->s_port);
	hdr->d_key = cpu_to_be32(op->d_key);
	hdr->cksum = 0;
	hdr->b_id = cpu_to_be16(op->b_id);
	hdr->bufx = cpu_to_be32(op->bufx);
	hdr->offset = cpu_to_be32(op->offset);
	hdr->sync = cpu_to_be32(op->sync);
	hdr->b_num = cpu_to_be32(op->b_num);
	hdr->d_id = cpu_to_be32(op->d_id);
	hdr->s_id = cpu_to_be32(op->s_id);
}
EXPORT_SYMBOL_IF_KUNIT(st_op_pack);

/**
 * st_op_unpack - read a Schedule Header
 * @hdr: 40 bytes from the wire, not validated; 4-byte aligned
 * @op: all of it is set; @op->op is 0 to 31 and may be undefined
 *
 * The Cksum is not read: st_csum_ok() checks it.  Any context, no lock.
 * ST figure 12.
 */
void st_op_unpack(const struct st_hdr *hdr, struct st_op *op)
{
	u16 op_flags = be16_to_cpu(hdr->op_flags);

	op->op = FIELD_GET(ST_HDR_OP, op_flags);
	op->flags = FIELD_GET(ST_HDR_FLAGS, op_flags);
	op->param = be16_to_cpu(hdr->param);
	op->d_port = be16_to_cpu(hdr->d_port);
	op->s_port = be16_to_cpu(hdr->s_port);
	op->b_id = be16_to_cpu(hdr->b_id);
	op->d_key = be32_to_cpu(hdr->d_key);
	op->bufx = be32_to_cpu(hdr->bufx);
	op->offset = be32_to_cpu(hdr->offset);
	op->sync = be32_to_cpu(hdr->sync);
	op->b_num = be32_to_cpu(hdr->b_num);
	op->d_id = be32_to_cpu(hdr->d_id);
	op->s_id = be32_to_cpu(hdr->s_id);
}
EXPORT_SYMBOL_IF_KUNIT(st_op_unpack);

/**
 * st_op_defined - whether an Op is in table 2
 * @op: Op, any value
 *
 * Any context, no lock.  ST 8.1.
 *
 * Return: false for every reserved value, and for those over 5 bits.
 */
bool st_op_defined(u8 op)
{
	return op < ARRAY_SIZE(st_op_descs) && st_op_descs[op].name;
}
EXPORT_SYMBOL_IF_KUNIT(st_op_defined);

/**
 * st_op_flags_allowed - which flags may be set in this operation
 * @op: operation; its Op, and the Function in its flags, are used
 *
 * With Op x'15' the Function distinguishes Get and FetchOp, which name a Data Channel, from
 * FetchOp_Complete, which does not.  A reserved Function is an improper use of flags itself, so
 * no bit of ST_F_FUNCTION is allowed then.  All Data operations have the same set, since the
 * header alone does not distinguish a Get from a Write.
 *
 * Any context, no lock.  ST 8.2, tables 4 to 8.
 *
 * Return: mask of flags; 0 when the Op is undefined.
 */
u16 st_op_flags_allowed(const struct st_op *op)
{
	u8 function = FIELD_GET(ST_F_FUNCTION, op->flags);

	if (!st_op_defined(op->op))
		return 0;
	if (op->op == ST_OP_GET && function > ST_FN_FETCH_LAST) {
		if (function == ST_FN_COMPLETE)
			return ST_F_FUNCTION | ST_F_INTERRUPT;
		return ST_F_INTERRUPT;
	}
	return st_op_descs[op->op].flags;
}
EXPORT_SYMBOL_IF_KUNIT(st_op_flags_allowed);

/**
 * st_op_name - name of an Op, for messages
 * @op: Op, any value
 *
 * Op x'15' is "Get", whatever its Function.  Any context, no lock.  ST 8.1.
 *
 * Return: the name in table 2, or "undefined"; never NULL.
 */
const char *st_op_name(u8 op)
{
	return st_op_defined(op) ? st_op_descs[op].name : "undefined";
}
EXPORT_SYMBOL_IF_KUNIT(st_op_name);

/**
 * st_csum_hdr - add a Schedule Header to a segment
 * @c: running checksum
 * @hdr: header in wire order; its Cksum counts as zero and is not modified
 *
 * A Control operation is a segment of one header and its optional payload.
 * Any context, no lock.  ST 8.3.1, 8.3.2.
 */
void st_csum_hdr(struct st_csum *c, const struct st_hdr *hdr)
{
	__wsum sum;

	/* The Cksum is at an even offset, so leaving it out is the same as summing zero. */
	sum = csum_partial(hdr, offsetof(struct st_hdr, cksum), 0);
	sum = csum_partial(&hdr->b_id,
			   ST_HDR_LEN - offsetof(struct st_hdr, b_id), sum);
	st_csum_add(c, sum, ST_HDR_LEN);
}
EXPORT_SYMBOL_IF_KUNIT(st_csum_hdr);

/**
 * st_csum_add - add payload to a segment
 * @c: running checksum
 * @part: csum_partial() of the payload alone, started from zero
 * @len: its length in bytes, any
 *
 * A segment is summed as one sequence of bytes: after an odd payload the bytes of what follows are
 * swapped, and only the end of the segment is padded.  @c->len may wrap, since only its parity
 * counts.
 *
 * Any context, no lock.  ST 8.3.1, 8.3.2.
 */
void st_csum_add(struct st_csum *c, __wsum part, u32 len)
{
	c->sum = csum_block_add(c->sum, part, c->len);
	c->len += len;
}
EXPORT_SYMBOL_IF_KUNIT(st_csum_add);

/**
 * st_csum_finish - the Cksum to transmit
 * @c: running checksum over the whole segment; not modified
 *
 * Any context, no lock.  ST 8.3.1.
 *
 * Return: the field as it goes on the wire, never zero.
 */
__sum16 st_csum_finish(const struct st_csum *c)
{
	return csum_fold(c->sum) ?: CSUM_MANGLED_0;
}
EXPORT_SYMBOL_IF_KUNIT(st_csum_finish);

/**
 * st_csum_ok - check a received Cksum
 * @c: running checksum over the whole segment
 * @cksum: the received field; not zero, which means "no checksum"
 *
 * The field is added to the finished sum and not at its place in the segment, which may be at an
 * odd offset there.
 *
 * Any context, no lock.  ST 8.3.3.
 *
 * Return: true when the segment is as it was sent.
 */
bool st_csum_ok(const struct st_csum *c, __sum16 cksum)
{
	return !csum_fold(csum_add(c->sum, csum_unfold(cksum)));
}
EXPORT_SYMBOL_IF_KUNIT(st_csum_ok);
