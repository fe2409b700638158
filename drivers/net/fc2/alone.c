// SPDX-License-Identifier: GPL-2.0
/*
 * Exchanges of one Sequence to which no answer is expected, such as those of FC-LE.
 */
#include <linux/fc2.h>
#include <linux/module.h>
#include <linux/skbuff.h>

#include "exch.h"
#include "port.h"

static u16 fc2_alone_xid(struct fc2_port *port)
{
	return FC2_XID_ALONE + (u32)atomic_inc_return(&port->alone_next) %
			       (FC2_XID_ALONE_MAX - FC2_XID_ALONE + 1);
}

/* Without a copy of what is in pages; @skb stays. */
static int fc2_alone_send_part(struct fc2_rport *rport, struct fc2_seq_tx *tx,
			       const struct fc2_seq_ids *ids, struct sk_buff *skb, unsigned int at,
			       unsigned int len, const struct fc2_send *send)
{
	struct sk_buff *part = pskb_extract(skb, at, len, GFP_ATOMIC);

	if (!part || skb_cow_head(part, FC2_HEADROOM)) {
		fc2_stat_inc(rport->port, FC2_STAT_TX_NO_MEMORY);
		kfree_skb(part);
		return -ENOMEM;
	}
	return fc2_seq_send(rport, tx, ids, part, send);
}

/**
 * fc2_send_alone - send an Exchange of one Sequence, to which no answer is expected
 * @rport: the receiver
 * @prov: the FC-4
 * @skb: the data fields of all frames, the optional headers of the first one included, with
 *	FC2_HEADROOM in front of it; consumed.  Each frame carries as much as fc2_rport.mfs allows.
 * @send: R_CTL, CS_CTL, and DF_CTL of the first frame; the others have no optional headers.  If
 *	one frame has all of it, Parameter and FC2_SEND_OFFSET too
 *
 * Context: any but hard interrupts.
 * Return: 0, -ENOTCONN after a logout, or another negative errno when frames were dropped; the
 * others may have been sent.
 */
int fc2_send_alone(struct fc2_rport *rport, const struct fc2_prov *prov, struct sk_buff *skb,
		   const struct fc2_send *send)
{
	const struct fc2_seq_ids ids = {
		.type	= prov->type,
		.ox_id	= fc2_alone_xid(rport->port),
		.rx_id	= FC_XID_UNKNOWN,
	};
	unsigned int at, len = skb->len, mfs = rport->mfs;
	struct fc2_send each = *send;
	struct fc2_seq_tx tx = {};
	int err = 0;

	if (!READ_ONCE(rport->logged_in)) {
		kfree_skb(skb);
		return -ENOTCONN;
	}
	if (len <= mfs) {
		each.flags |= FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ;
		return fc2_seq_send(rport, &tx, &ids, skb, &each);
	}
	for (at = 0; at < len && !err; at += mfs) {
		each.flags = at + mfs >= len ? FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ : 0;
		err = fc2_alone_send_part(rport, &tx, &ids, skb, at, min(mfs, len - at), &each);
		each.df_ctl = 0;
	}
	fc2_seq_quit(rport, &tx);
	if (err)
		kfree_skb(skb);
	else
		consume_skb(skb);
	return err;
}
EXPORT_SYMBOL_GPL(fc2_send_alone);
