// SPDX-License-Identifier: GPL-2.0
/*
 * Message Responses: what they say of a Descriptor, FC-VI 5.9.4.3, 6.3, 6.5 and 6.7; VI-DG 5.2.
 */
#include <linux/skbuff.h>

#include "tx_resp.h"

/**
 * fcvi_resp_lost - frames of a Message are lost, or do not fit
 * @desc: its Descriptor
 *
 * Return: the fault.  Unreliable Delivery tells the sender nothing of it, and Reliable Delivery
 * only in RDMA Reads, VI-DG 5.2.
 */
struct fcvi_fault fcvi_resp_lost(const struct fcvi_desc *desc)
{
	u8 level = desc->vi->attrs.level;
	bool told = level == FCVI_RR || (level == FCVI_RD && desc->op == FCVI_OP_READ);

	return (struct fcvi_fault) { told ? FCVI_ERR_TRANSPORT : 0, FCVI_TRANSPORT };
}

/**
 * fcvi_resp_fault - what the flags of a Response say
 * @desc: the Descriptor
 * @flags: FCVI_FLAGS, table 6
 *
 * Return: the fault.
 */
struct fcvi_fault fcvi_resp_fault(const struct fcvi_desc *desc, u8 flags)
{
	bool takes = desc->op == FCVI_OP_SEND || desc->flags & FCVI_DESC_IMM;
	struct fcvi_fault fault = {};

	if (!(flags & FCVI_RESP_ERR))
		return fault;
	if (flags & FCVI_TRANS_ERR)
		fault = fcvi_resp_lost(desc);
	if (flags & FCVI_PROT_ERR && desc->op != FCVI_OP_SEND) {
		fault.error |= FCVI_ERR_RDMA_PROT;
		fault.cause = desc->op == FCVI_OP_READ ? FCVI_READ_PROTECTION :
							 FCVI_WRITE_PROTECTION;
	}
	if (flags & FCVI_DESC_ERR && desc->op != FCVI_OP_READ && takes) {
		fault.error |= FCVI_ERR_REMOTE_DESC;
		fault.cause = FCVI_DESCRIPTOR;
	}
	/* It failed, and does not say why */
	return fault.cause ? fault : fcvi_resp_lost(desc);
}

/**
 * fcvi_resp_data - take data of an RDMA Read, FC-VI 6.7.2
 * @desc: the Descriptor; its @got counts what is in place
 * @iu: Device_Header of the frame
 * @skb: payload; consumed
 * @offset: its Relative Offset
 *
 * Return: the fault.
 */
struct fcvi_fault fcvi_resp_data(struct fcvi_desc *desc, const struct fcvi_iu *iu,
				 struct sk_buff *skb, u32 offset)
{
	struct fcvi_vi *vi = desc->vi;
	u32 len = skb->len;

	if (iu->flags & FCVI_RESP_ERR) {
		kfree_skb(skb);
		return fcvi_resp_fault(desc, iu->flags);
	}
	if (iu->tot_len != desc->len || iu->rmt_va != desc->rmt_va ||
	    iu->rmt_va_handle != desc->rmt_handle) {
		kfree_skb(skb);
		return fcvi_resp_lost(desc);
	}
	if (!len) {
		consume_skb(skb);
		return (struct fcvi_fault) {};
	}
	/* Without order frames of a Read may come in any, but none twice, FC-VI 5.6 */
	if (offset > desc->len || len > desc->len - offset || len > desc->len - desc->got ||
	    (vi->port->ordered && offset != desc->got)) {
		kfree_skb(skb);
		return fcvi_resp_lost(desc);
	}
	desc->got += len;
	if (vi->user->data(vi, desc, offset, skb))
		return (struct fcvi_fault) { FCVI_ERR_PROTECTION, FCVI_TRANSPORT };
	return (struct fcvi_fault) {};
}
