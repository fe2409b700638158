// SPDX-License-Identifier: GPL-2.0
/*
 * Where a Message is put: its Descriptor or memory, its bytes, its end.
 */
#include <linux/skbuff.h>
#include <linux/string.h>

#include "rx_fault.h"
#include "rx_order.h"
#include "rx_place.h"
#include "rx_queue.h"
#include "rx_rdma.h"

/* Take what the Message needs */
static enum fcvi_rx_fault fcvi_rx_needs(struct fcvi_rx_msg *m)
{
	bool send = m->iu.opcode == FCVI_SEND_RQST;
	u32 len = m->iu.tot_len;

	if ((send || m->iu.flags & FCVI_IMM_DATA) && !fcvi_rx_take(m, send ? len : 0))
		return FCVI_RX_NO_DESC;
	if (len > m->vi->attrs.max_trans_size || (send && len > m->desc->len))
		return FCVI_RX_TOO_LONG;
	if (!send && !fcvi_rx_rdma_allowed(m))
		return FCVI_RX_PROTECTION;
	return FCVI_RX_GOOD;
}

/**
 * fcvi_rx_begin - the turn of a Message has come
 * @m: the Message
 *
 * Return: whether its frames are to be placed; if not, it may be gone.
 */
bool fcvi_rx_begin(struct fcvi_rx_msg *m)
{
	enum fcvi_rx_fault fault;
	struct sk_buff *skb;
	u32 offset;

	m->state = FCVI_RX_PLACES;
	fault = fcvi_rx_needs(m);
	if (fault) {
		fcvi_rx_fail(m, fault);
		return false;
	}
	if (m->iu.opcode == FCVI_READ_RQST) {
		m->state = FCVI_RX_ANSWERS;
		return false;
	}
	while ((skb = fcvi_rx_msg_release(m, &offset)))
		if (!fcvi_rx_place(m, skb, offset))
			return false;
	return true;
}

/* Add a range of bytes beyond the first gap.  Return: whether none of it was there */
static bool fcvi_rx_part_add(struct fcvi_rx_msg *m, u32 from, u32 to)
{
	struct fcvi_rx_part *p = m->parts;
	unsigned int i = 0;

	while (i < m->nr_parts && p[i].to < from)
		i++;
	/* Behind what was, and perhaps in front of what comes after it */
	if (i < m->nr_parts && p[i].to == from) {
		if (i + 1 < m->nr_parts && p[i + 1].from < to)
			return false;
		p[i].to = to;
		if (i + 1 < m->nr_parts && p[i + 1].from == to) {
			p[i].to = p[i + 1].to;
			m->nr_parts--;
			memmove(p + i + 1, p + i + 2, (m->nr_parts - i - 1) * sizeof(*p));
		}
		return true;
	}
	if (i < m->nr_parts && p[i].from < to)
		return false;
	if (i < m->nr_parts && p[i].from == to) {
		p[i].from = from;
		return true;
	}
	if (m->nr_parts == FCVI_RX_PARTS)
		return false;
	memmove(p + i + 1, p + i, (m->nr_parts - i) * sizeof(*p));
	p[i] = (struct fcvi_rx_part) { .from = from, .to = to };
	m->nr_parts++;
	return true;
}

/* Whether bytes are those that are to come next, or, without order, have not come */
static bool fcvi_rx_bytes(struct fcvi_rx_msg *m, u32 offset, u32 len)
{
	u32 to = offset + len;

	if (len > m->iu.tot_len || offset > m->iu.tot_len - len)
		return false;
	if (offset != m->got)
		return !m->vi->rx.ordered && offset > m->got && fcvi_rx_part_add(m, offset, to);
	if (m->nr_parts && m->parts[0].from < to)
		return false;
	m->got = to;
	if (m->nr_parts && m->parts[0].from == to) {
		m->got = m->parts[0].to;
		m->nr_parts--;
		memmove(m->parts, m->parts + 1, m->nr_parts * sizeof(m->parts[0]));
	}
	return true;
}

/**
 * fcvi_rx_place - put the bytes of a frame where they belong
 * @m: the Message, whose turn it is
 * @skb: the frame; consumed
 * @offset: its Relative Offset
 *
 * Return: whether the Message goes on; if not, it may be gone.
 */
bool fcvi_rx_place(struct fcvi_rx_msg *m, struct sk_buff *skb, u32 offset)
{
	struct fcvi_vi *vi = m->vi;

	/* FC-VI 5.8.7: without payload there is no Relative Offset */
	if (!skb->len) {
		consume_skb(skb);
		return true;
	}
	if (!fcvi_rx_bytes(m, offset, skb->len)) {
		kfree_skb(skb);
		fcvi_rx_fail(m, FCVI_RX_DAMAGED);
		return false;
	}
	if (m->iu.opcode == FCVI_SEND_RQST) {
		if (!vi->user->data(vi, m->desc, offset, skb))
			return true;
		fcvi_rx_fail(m, FCVI_RX_SEGMENT);
		return false;
	}
	if (!fcvi_rx_rdma_write(m, offset, skb))
		return true;
	fcvi_rx_fail(m, FCVI_RX_PROTECTION);
	return false;
}

/* The receive Descriptor of a Message that is complete, VI-DG 5.2 */
static void fcvi_rx_fill_desc(const struct fcvi_rx_msg *m)
{
	struct fcvi_desc *desc = m->desc;

	desc->flags = 0;
	desc->len = m->iu.tot_len;
	if (m->iu.opcode == FCVI_WRITE_RQST)
		desc->flags |= FCVI_DESC_BY_WRITE;
	if (m->iu.flags & FCVI_IMM_DATA) {
		desc->flags |= FCVI_DESC_IMM;
		desc->imm = m->iu.param;
	}
}

/* Reliable Reception: the Response goes when the data are in place, FC-VI 6.3.1 */
static void fcvi_rx_finish_rr(struct fcvi_rx_msg *m)
{
	struct fcvi_desc *desc = m->desc;

	m->state = FCVI_RX_ANSWERS;
	m->desc = NULL;
	list_del_init(&m->taken);
	if (desc)
		m->vi->user->complete(m->vi, desc);
}

/**
 * fcvi_rx_finish - all frames of a Message have come, and are placed
 * @m: the Message; it may be gone when this returns
 */
void fcvi_rx_finish(struct fcvi_rx_msg *m)
{
	struct fcvi_desc *desc = m->desc;
	struct fcvi_vi *vi = m->vi;

	if (m->got != m->iu.tot_len) {
		fcvi_rx_fail(m, FCVI_RX_SHORT);
		return;
	}
	fcvi_count(vi, FCVI_MSG_RX, 1);
	fcvi_count(vi, FCVI_MSG_RX_BYTES, m->iu.tot_len);
	if (desc)
		fcvi_rx_fill_desc(m);
	if (vi->attrs.level == FCVI_RR) {
		fcvi_rx_finish_rr(m);
		return;
	}
	fcvi_rx_msg_leave(m);
	fcvi_rx_next(vi, m->iu.msg_id);
	if (!list_empty(&m->taken)) {
		m->state = FCVI_RX_DONE;
		fcvi_rx_settle(vi);
		return;
	}
	fcvi_rx_msg_free(m);
	if (desc)
		vi->user->complete(vi, desc);
}
