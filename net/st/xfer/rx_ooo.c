// SPDX-License-Identifier: GPL-2.0
/*
 * STUs of a Block that arrive before a missing one, over an LLP that does not keep the order.  ST
 * 10.7.4 lets the receiver choose whether it accepts them.
 *
 * Their payload is placed at once.  Everything else - a checksum of several STUs, the end of the
 * Block, a requested state - only makes sense in order, so it is kept until the STUs before them
 * have arrived.
 */
#include <linux/slab.h>

#include "conn/host.h"
#include "st_sock.h"
#include "xfer/rx_block.h"

/**
 * st_ooo_fits - whether an STU may be accepted out of order
 * @blk: its Block
 * @op: the STU, which is not the next one
 *
 * This is st_delivery.takes of an LLP that does not keep the order.
 *
 * Return: false for a duplicate, and for an STU too far ahead.
 */
bool st_ooo_fits(const struct st_block *blk, const struct st_op *op)
{
	st_assert_locked(blk->path->st);
	return op->param > blk->stu_num && op->param - blk->stu_num < ST_OOO &&
	       !st_ooo_has(blk, op->param);
}

/**
 * st_ooo_has - whether an STU has arrived out of order
 * @blk: the Block
 * @stu_num: number of the STU
 *
 * Return: true when it has.
 */
bool st_ooo_has(const struct st_block *blk, u32 stu_num)
{
	st_assert_locked(blk->path->st);
	return stu_num >= blk->stu_num && stu_num - blk->stu_num < ST_OOO &&
	       (blk->ooo_map & BIT(stu_num - blk->stu_num));
}

/**
 * st_ooo_room - allocate memory for STUs that arrive out of order
 * @st: the Virtual Connection
 * @blk: the Block
 *
 * Return: false without memory, or at the limit of the host.
 */
bool st_ooo_room(struct st_sock *st, struct st_block *blk)
{
	const size_t size = array_size(ST_OOO, sizeof(*blk->ooo));

	st_assert_locked(st);
	if (!blk->ooo)
		blk->ooo = st_peer_alloc(st, size);
	return blk->ooo;
}

/**
 * st_ooo_keep - record an STU placed out of order
 * @blk: the Block, with st_ooo_room()
 * @stu: the STU, st_ooo_fits()
 */
void st_ooo_keep(struct st_block *blk, const struct st_stu *stu)
{
	st_assert_locked(blk->path->st);
	blk->ooo[stu->op.param % ST_OOO] = *stu;
	blk->ooo_map |= BIT(stu->op.param - blk->stu_num);
}

/**
 * st_ooo_again - an STU has arrived again out of order
 * @blk: its Block
 * @op: the STU
 *
 * A Source that sends a Block again may set Send_State only then.  The first copy of the STU stays,
 * and is answered in place of the second.
 */
void st_ooo_again(struct st_block *blk, const struct st_op *op)
{
	struct st_op *kept;

	st_assert_locked(blk->path->st);
	if (!(op->flags & ST_F_SEND_STATE) || !st_ooo_has(blk, op->param))
		return;
	kept = &blk->ooo[op->param % ST_OOO].op;
	if (kept->bufx != op->bufx || kept->offset != op->offset ||
	    ((kept->flags ^ op->flags) & ST_F_LAST))
		return;
	kept->flags |= ST_F_SEND_STATE;
	kept->sync = op->sync;
}

/**
 * st_ooo_next - the next STU of a Block, if it has arrived out of order
 * @blk: the Block
 * @stu: set to the STU
 *
 * Return: false when it has not arrived.
 */
bool st_ooo_next(const struct st_block *blk, struct st_stu *stu)
{
	st_assert_locked(blk->path->st);
	if (!(blk->ooo_map & 1))
		return false;
	*stu = blk->ooo[blk->stu_num % ST_OOO];
	return true;
}

/**
 * st_stu_alone - whether an STU can be verified without others, ST 8.3.2
 * @st: the Virtual Connection
 * @stu: the STU
 *
 * Return: true when it is a segment of its own, or the peer sends no checksums.
 */
bool st_stu_alone(const struct st_sock *st, const struct st_stu *stu)
{
	st_assert_locked(st);
	return !st->vc.peer_checksum || stu->good ||
	       (stu->summed && stu->cksum && st_csum_ok(&stu->csum, stu->cksum));
}

/**
 * st_ooo_rewind - keep the verifiable STUs of a Block that is sent again
 * @st: the Virtual Connection
 * @blk: the Block, still with the Memory Index of the exposure that ends
 *
 * A Cksum also covers the headers of its segment (ST 8.3.2), which contain the Memory Index.  A
 * segment with operations of two exposures never has a correct checksum, so complete segments stay
 * and the others are sent again.
 */
void st_ooo_rewind(const struct st_sock *st, struct st_block *blk)
{
	u32 back, map = blk->ooo_map;
	unsigned int i;

	st_assert_locked(st);
	if (!st->vc.peer_checksum)
		return;
	for (i = 0; i < ST_OOO; i++)
		if ((map & BIT(i)) &&
		    !st_stu_alone(st, &blk->ooo[(blk->stu_num + i) % ST_OOO]))
			map &= ~BIT(i);
	back = blk->stu_num - blk->sum_stu;
	blk->ooo_map = back < ST_OOO ? map << back : 0;
	blk->got = blk->sum_got;
	blk->stu_num = blk->sum_stu;
	blk->summed = true;
	st_csum_init(&blk->csum);
}

/**
 * st_ooo_free - free the memory for STUs that arrive out of order
 * @st: the Virtual Connection
 * @blk: the Block
 */
void st_ooo_free(struct st_sock *st, struct st_block *blk)
{
	st_assert_owned(st);
	st_peer_free(st, blk->ooo, array_size(ST_OOO, sizeof(*blk->ooo)));
	blk->ooo = NULL;
	blk->ooo_map = 0;
}
