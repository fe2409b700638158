// SPDX-License-Identifier: GPL-2.0
/*
 * Descriptors as programs write them, VI-DG 5.  They are little-endian, and anything may be in
 * them.
 */
#include <kunit/visibility.h>
#include <linux/bitfield.h>
#include <linux/unaligned.h>

#include "dev_desc.h"

/* Control segment, VI-DG 5.2 */
#define FCVI_CS_COUNT		12
#define FCVI_CS_CONTROL		14
#define FCVI_CS_RESERVED	16
#define FCVI_CS_IMM		20
#define FCVI_CS_LENGTH		24
#define FCVI_CS_SIZE		32

/* Address and data segments, VI-DG 5.3 and 5.4 */
#define FCVI_SEG_HANDLE		8
#define FCVI_SEG_LENGTH		12
#define FCVI_SEG_SIZE		16

#define FCVI_CONTROL_OP		GENMASK(1, 0)
#define FCVI_CONTROL_IMM	BIT(2)
#define FCVI_CONTROL_FENCE	BIT(3)
#define FCVI_CONTROL_RESERVED	GENMASK(15, 4)

#define FCVI_STATUS_DONE	BIT(0)
#define FCVI_STATUS_OP		GENMASK(18, 16)
#define FCVI_STATUS_IMM		BIT(19)

/**
 * fcvi_desc_size - how long a Descriptor is
 * @raw: its control segment
 *
 * Return: bytes of all its segments; of the control segment alone if there are too many others, as
 *	they are not looked at then.
 */
unsigned int fcvi_desc_size(const void *raw)
{
	u16 count = get_unaligned_le16(raw + FCVI_CS_COUNT);

	return FCVI_CS_SIZE + (count <= FCVI_DEV_MAX_SEGS ? count * FCVI_SEG_SIZE : 0);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_desc_size);

/* What the control field means; false: a format error */
static bool fcvi_desc_control(struct fcvi_desc *desc, u16 control, u8 level, bool recv)
{
	u8 op = FIELD_GET(FCVI_CONTROL_OP, control);

	if (control & FCVI_CONTROL_RESERVED)
		return false;
	if (recv) {
		desc->op = FCVI_OP_RECV;
		return op == FCVI_OP_SEND;
	}
	if (op > FCVI_OP_READ)
		return false;
	desc->op = op;
	if (control & FCVI_CONTROL_IMM && op != FCVI_OP_READ)
		desc->flags |= FCVI_DESC_IMM;
	if (control & FCVI_CONTROL_FENCE)
		desc->flags |= FCVI_DESC_FENCE;
	return op != FCVI_OP_READ || level != FCVI_UD;
}

/**
 * fcvi_desc_parse - read a Descriptor
 * @d: gets what is in it, and FCVI_ERR_FORMAT and FCVI_ERR_LENGTH of what is wrong; with room for
 *	as many data segments as it has segments, and its queue set
 * @raw: its segments, all that fcvi_desc_size() counts
 * @level: enum fcvi_level of the endpoint
 * @max_trans_size: bytes of the longest Message of the endpoint
 *
 * Whether the memory is the program's is not looked at.  What has a format error has no segments.
 */
void fcvi_desc_parse(struct fcvi_udesc *d, const void *raw, u8 level, u32 max_trans_size)
{
	bool recv = d->queue == FCVI_DEV_RECV;
	u16 count = get_unaligned_le16(raw + FCVI_CS_COUNT), i;
	const u8 *seg = raw + FCVI_CS_SIZE;
	u64 sum = 0;

	d->desc.imm = get_unaligned_le32(raw + FCVI_CS_IMM);
	d->nr = 0;
	if (!fcvi_desc_control(&d->desc, get_unaligned_le16(raw + FCVI_CS_CONTROL), level, recv) ||
	    get_unaligned_le32(raw + FCVI_CS_RESERVED)) {
		d->desc.error = FCVI_ERR_FORMAT;
		return;
	}
	if (count > FCVI_DEV_MAX_SEGS) {
		d->desc.error = FCVI_ERR_LENGTH;
		return;
	}
	if (d->desc.op == FCVI_OP_WRITE || d->desc.op == FCVI_OP_READ) {
		if (!count || get_unaligned_le32(seg + FCVI_SEG_LENGTH)) {
			d->desc.error = FCVI_ERR_FORMAT;
			return;
		}
		d->desc.rmt_va = get_unaligned_le64(seg);
		d->desc.rmt_handle = get_unaligned_le32(seg + FCVI_SEG_HANDLE);
		seg += FCVI_SEG_SIZE;
		count--;
	}
	d->nr = count;
	for (i = 0; i < count; i++, seg += FCVI_SEG_SIZE) {
		d->segs[i].va = get_unaligned_le64(seg);
		d->segs[i].handle = get_unaligned_le32(seg + FCVI_SEG_HANDLE);
		d->segs[i].len = get_unaligned_le32(seg + FCVI_SEG_LENGTH);
		sum += d->segs[i].len;
	}
	/* The length of a receive Descriptor is not defined before it is complete */
	if (sum > max_trans_size || (!recv && sum != get_unaligned_le32(raw + FCVI_CS_LENGTH)))
		d->desc.error = FCVI_ERR_LENGTH;
	d->desc.len = min_t(u64, sum, max_trans_size);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_desc_parse);

/**
 * fcvi_desc_status - the status of a Descriptor that is complete, VI-DG 5.2
 * @desc: the Descriptor
 *
 * Return: the status.
 */
u32 fcvi_desc_status(const struct fcvi_desc *desc)
{
	/* Remote RDMA Write is 3, by the queue and the operation: VI-DG 5.2 */
	static const u8 ops[] = {
		[FCVI_OP_SEND] = 0, [FCVI_OP_WRITE] = 2, [FCVI_OP_READ] = 4, [FCVI_OP_RECV] = 1,
	};
	bool recv = desc->op == FCVI_OP_RECV;
	u8 op = recv && desc->flags & FCVI_DESC_BY_WRITE ? 3 : ops[desc->op];
	u32 status = FCVI_STATUS_DONE | desc->error | FIELD_PREP(FCVI_STATUS_OP, op);

	if (recv && desc->flags & FCVI_DESC_IMM)
		status |= FCVI_STATUS_IMM;
	return status;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_desc_status);
