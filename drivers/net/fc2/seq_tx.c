// SPDX-License-Identifier: GPL-2.0
/*
 * Sequences that are sent: the fields of their frames, FC-FS and FC-VI 5.8, in class 3.
 */
#include <linux/bitmap.h>
#include <linux/fc2.h>
#include <linux/skbuff.h>
#include <scsi/fc/fc_encaps.h>

#include "fcoe.h"
#include "port.h"
#include "seq_tx.h"

/* A SEQ_ID that no Sequence between the two ports has now; FC-VI 4.1: one is kept for ELS */
static int fc2_seq_id(struct fc2_rport *rport)
{
	unsigned int from = READ_ONCE(rport->seq_next), id;

	for (;;) {
		id = find_next_zero_bit(rport->seq_ids, FC2_SEQ_ID_ELS, from);
		if (id == FC2_SEQ_ID_ELS) {
			if (!from)
				return -EAGAIN;
			from = 0;
			continue;
		}
		if (!test_and_set_bit(id, rport->seq_ids))
			break;
	}
	WRITE_ONCE(rport->seq_next, id + 1 == FC2_SEQ_ID_ELS ? 0 : id + 1);
	return id;
}

static void fc2_seq_f_ctl(u8 *p, const struct fc2_seq_tx *tx, const struct fc2_seq_ids *ids,
			  const struct fc2_send *send)
{
	u32 f_ctl = 0;

	if (ids->responder)
		f_ctl |= FC_FC_EX_CTX;
	else if (!tx->later)
		f_ctl |= FC_FC_FIRST_SEQ;
	if (send->flags & FC2_SEND_OFFSET)
		f_ctl |= FC_FC_REL_OFF;
	if (send->flags & FC2_SEND_END_SEQ) {
		f_ctl |= FC_FC_END_SEQ;
		if (send->flags & FC2_SEND_LAST_SEQ)
			f_ctl |= FC_FC_LAST_SEQ;
		if (send->flags & FC2_SEND_INITIATIVE)
			f_ctl |= FC_FC_SEQ_INIT;
	}
	fc2_hton24(p, f_ctl);
}

/**
 * fc2_seq_send - send a frame of a Sequence
 * @rport: the receiver
 * @tx: what is sent in the Exchange; a Sequence begins if none is open.  The caller serialises
 * @ids: the Exchange
 * @skb: data field, with FC2_HEADROOM in front of it; consumed
 * @send: fields that the sender decides
 *
 * Context: any but hard interrupts.
 * Return: 0, -EAGAIN when 255 Sequences are under way, or the errno of fc2_fcoe_xmit().
 */
int fc2_seq_send(struct fc2_rport *rport, struct fc2_seq_tx *tx, const struct fc2_seq_ids *ids,
		 struct sk_buff *skb, const struct fc2_send *send)
{
	bool end = send->flags & FC2_SEND_END_SEQ, first = !tx->open;
	struct fc2_port *port = rport->port;
	struct fc_frame_header *fh;
	int id;

	if (first) {
		id = fc2_seq_id(rport);
		if (id < 0) {
			kfree_skb(skb);
			fc2_stat_inc(port, FC2_STAT_TX_DROPPED);
			return id;
		}
		tx->seq_id = id;
		/* Pairs with xchg() of fc2_seq_quit() */
		smp_store_mb(tx->open, true);
	}
	fh = skb_push(skb, sizeof(*fh));
	memset(fh, 0, sizeof(*fh));
	fh->fh_r_ctl = send->r_ctl;
	fc2_hton24(fh->fh_d_id, rport->id);
	fh->fh_cs_ctl = send->cs_ctl;
	fc2_hton24(fh->fh_s_id, fc2_port_id(port));
	fh->fh_type = ids->type;
	fc2_seq_f_ctl(fh->fh_f_ctl, tx, ids, send);
	fh->fh_seq_id = tx->seq_id;
	fh->fh_df_ctl = send->df_ctl;
	fh->fh_seq_cnt = htons(tx->cnt++);
	fh->fh_ox_id = htons(ids->ox_id);
	fh->fh_rx_id = htons(ids->rx_id);
	fh->fh_parm_offset = htonl(send->param);
	if (end)
		fc2_seq_quit(rport, tx);
	return fc2_fcoe_xmit(port, skb, first ? FC_SOF_I3 : FC_SOF_N3, end ? FC_EOF_T : FC_EOF_N,
			     rport->mac);
}

/**
 * fc2_seq_quit - the open Sequence is closed, or given up
 * @rport: the receiver
 * @tx: what is sent in the Exchange
 */
void fc2_seq_quit(struct fc2_rport *rport, struct fc2_seq_tx *tx)
{
	/* The end of the Exchange may come while its last frame is being sent */
	if (!xchg(&tx->open, false))
		return;
	clear_bit(tx->seq_id, rport->seq_ids);
	tx->later = true;
}
