// SPDX-License-Identifier: GPL-2.0
/*
 * Frames of FC-4s, to their Exchanges.
 */
#include <linux/fc2.h>
#include <linux/skbuff.h>
#include <scsi/fc/fc_encaps.h>

#include "exch.h"
#include "exch_rx.h"
#include "port.h"

/* A whole Exchange in one frame, to which no answer is expected */
#define FC2_ALONE	(FC_FC_FIRST_SEQ | FC_FC_LAST_SEQ | FC_FC_END_SEQ)

static void fc2_exch_drop(struct fc2_rport *rport, struct sk_buff *skb, enum fc2_stat stat)
{
	fc2_stat_inc(rport->port, stat);
	kfree_skb(skb);
}

static struct fc2_seq_frame fc2_exch_seq_frame(const struct fc_frame_header *fh)
{
	u32 f_ctl = fc2_ntoh24(fh->fh_f_ctl);

	return (struct fc2_seq_frame) {
		.cnt	= be16_to_cpu(fh->fh_seq_cnt),
		.flags	= (f_ctl & FC_FC_END_SEQ ? FC2_SEND_END_SEQ : 0) |
			  (f_ctl & FC_FC_LAST_SEQ ? FC2_SEND_LAST_SEQ : 0) |
			  (f_ctl & FC_FC_SEQ_INIT ? FC2_SEND_INITIATIVE : 0) |
			  (f_ctl & FC_FC_REL_OFF ? FC2_SEND_OFFSET : 0),
	};
}

/* Milliseconds that the next frame may take: between Sequences twice R_A_TOV */
static unsigned int fc2_exch_patience(const struct fc2_exch *exch)
{
	const struct fc2_port *port = exch->rport->port;

	if (!exch->rx.inside)
		return 2 * fc2_port_r_a_tov(port);
	return fc2_port_ordered(port) ? READ_ONCE(port->params.e_d_tov) : fc2_port_r_a_tov(port);
}

/* See what a frame completes.  Return: 0, or why it is to be dropped. */
static int fc2_exch_check(struct fc2_exch *exch, const struct sk_buff *skb, u8 *complete)
{
	const struct fc2_seq_frame frame = fc2_exch_seq_frame(fc2_frame_hdr(skb));
	int err;

	spin_lock(&exch->lock);
	if (exch->state != FC2_EXCH_OPEN)
		err = -ENOENT;
	else if (fc2_port_ordered(exch->rport->port))
		err = fc2_seq_take_ordered(&exch->rx, &frame, complete);
	else
		err = fc2_seq_take_any(&exch->rx, &frame, complete);
	if (!err && (*complete & (FC2_SEND_LAST_SEQ | FC2_SEND_INITIATIVE)))
		fc2_exch_timer_stop(exch);
	else if (!err)
		fc2_exch_timer(exch, fc2_exch_patience(exch));
	spin_unlock(&exch->lock);
	return err;
}

/* A frame of an Exchange that is open; under RCU. */
static void fc2_exch_take(struct fc2_exch *exch, struct sk_buff *skb)
{
	struct fc2_rport *rport = exch->rport;
	u8 complete = 0;
	int err;

	/* What is complete with a frame has been handed over before it, on whatever CPU it came */
	spin_lock(&exch->frame_lock);
	err = fc2_exch_check(exch, skb, &complete);
	if (!err) {
		fc2_skb_cb(skb)->flags = complete;
		exch->ops->frame(exch, skb);
	}
	spin_unlock(&exch->frame_lock);
	switch (err) {
	case 0:
		if (complete & FC2_SEND_LAST_SEQ)
			fc2_exch_end(exch, 0, false);
		return;
	case -EEXIST:
		return fc2_exch_drop(rport, skb, FC2_STAT_RX_DOUBLE);
	case -EILSEQ:
		fc2_exch_drop(rport, skb, FC2_STAT_RX_SEQ_CNT);
		return fc2_exch_end(exch, -EILSEQ, true);
	default:
		return fc2_exch_drop(rport, skb, FC2_STAT_RX_XID);
	}
}

/* Whether a frame of no Exchange begins one, or, without order, may be part of its beginning. */
static bool fc2_exch_begins(const struct fc2_rport *rport, const struct sk_buff *skb)
{
	const struct fc_frame_header *fh = fc2_frame_hdr(skb);

	if (!(fc2_ntoh24(fh->fh_f_ctl) & FC_FC_FIRST_SEQ))
		return false;
	/* SEQ_CNT counts from 0: one of its upper half would be that of a frame before the first */
	if (!fc2_port_ordered(rport->port))
		return be16_to_cpu(fh->fh_seq_cnt) <= S16_MAX;
	return !fh->fh_seq_cnt && fc2_skb_cb(skb)->sof == FC_SOF_I3;
}

static bool fc2_exch_alone(const struct sk_buff *skb)
{
	const struct fc_frame_header *fh = fc2_frame_hdr(skb);
	u32 f_ctl = fc2_ntoh24(fh->fh_f_ctl);

	return (f_ctl & FC2_ALONE) == FC2_ALONE && !(f_ctl & FC_FC_SEQ_INIT) && !fh->fh_seq_cnt;
}

/* A remote port originates an Exchange; under RCU. */
static void fc2_exch_begin(struct fc2_rport *rport, const struct fc2_prov *prov,
			   struct sk_buff *skb)
{
	struct fc2_exch *exch;

	if (!fc2_exch_begins(rport, skb))
		return fc2_exch_drop(rport, skb, FC2_STAT_RX_XID);
	if (prov->single && fc2_exch_alone(skb)) {
		fc2_skb_cb(skb)->flags = FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ;
		if (prov->single(rport, skb))
			fc2_exch_drop(rport, skb, FC2_STAT_RX_REFUSED);
		return;
	}
	exch = fc2_exch_new_peer(rport, prov, be16_to_cpu(fc2_frame_hdr(skb)->fh_ox_id));
	if (!exch) {
		kfree_skb(skb);
		return;
	}
	if (prov->open(exch, skb)) {
		fc2_exch_discard(exch);
		return fc2_exch_drop(rport, skb, FC2_STAT_RX_REFUSED);
	}
	if (fc2_exch_list_peer(exch))
		fc2_exch_take(exch, skb);
	else
		fc2_exch_drop(rport, skb, FC2_STAT_RX_NO_LOGIN);
}

/**
 * fc2_exch_rx - a frame of an FC-4
 * @rport: its sender
 * @prov: the FC-4
 * @skb: the frame; consumed
 *
 * Context: softirq, under RCU.
 */
void fc2_exch_rx(struct fc2_rport *rport, const struct fc2_prov *prov, struct sk_buff *skb)
{
	const struct fc_frame_header *fh = fc2_frame_hdr(skb);
	u16 ox_id = be16_to_cpu(fh->fh_ox_id);
	struct fc2_exch *exch;

	if (fc2_ntoh24(fh->fh_f_ctl) & FC_FC_EX_CTX) {
		exch = fc2_exch_find_own(rport->port, ox_id);
		if (!exch || exch->rport != rport || exch->prov != prov)
			return fc2_exch_drop(rport, skb, FC2_STAT_RX_XID);
		if (READ_ONCE(exch->rx_id) == FC_XID_UNKNOWN)
			WRITE_ONCE(exch->rx_id, be16_to_cpu(fh->fh_rx_id));
		return fc2_exch_take(exch, skb);
	}
	exch = fc2_exch_find_peer(rport->port, rport->id, ox_id);
	if (!exch)
		return fc2_exch_begin(rport, prov, skb);
	/* With order, what begins anew comes after all of the Exchange that had this OX_ID */
	if (fc2_port_ordered(rport->port) && fc2_exch_begins(rport, skb)) {
		fc2_exch_end(exch, -EILSEQ, false);
		fc2_exch_over(exch);
		return fc2_exch_begin(rport, prov, skb);
	}
	if (exch->prov != prov)
		return fc2_exch_drop(rport, skb, FC2_STAT_RX_XID);
	fc2_exch_take(exch, skb);
}
