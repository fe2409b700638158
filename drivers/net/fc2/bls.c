// SPDX-License-Identifier: GPL-2.0
/*
 * Basic Link Services, FC-FS: ABTS, BA_ACC and BA_RJT.
 */
#include <linux/fc2.h>
#include <linux/module.h>
#include <linux/skbuff.h>
#include <scsi/fc/fc_encaps.h>

#include "bls.h"
#include "exch.h"
#include "fcoe.h"
#include "port.h"

/**
 * struct fc2_bls - a frame of a Basic Link Service
 * @r_ctl: which
 * @f_ctl: F_CTL
 * @seq_id: SEQ_ID of the Sequence that it is about
 * @cnt: SEQ_CNT
 * @ox_id: OX_ID
 * @rx_id: RX_ID
 */
struct fc2_bls {
	u8	r_ctl;
	u32	f_ctl;
	u8	seq_id;
	u16	cnt;
	u16	ox_id;
	u16	rx_id;
};

static int fc2_bls_send(struct fc2_rport *rport, const struct fc2_bls *bls, const void *data,
			unsigned int len)
{
	struct sk_buff *skb = alloc_skb(FC2_HEADROOM + len + FC2_TAILROOM, GFP_ATOMIC);
	struct fc_frame_header *fh;

	if (!skb) {
		fc2_stat_inc(rport->port, FC2_STAT_TX_NO_MEMORY);
		return -ENOMEM;
	}
	skb_reserve(skb, FC2_HEADROOM);
	skb_put_data(skb, data, len);
	fh = skb_push(skb, sizeof(*fh));
	memset(fh, 0, sizeof(*fh));
	fh->fh_r_ctl = bls->r_ctl;
	fc2_hton24(fh->fh_d_id, rport->id);
	fc2_hton24(fh->fh_s_id, fc2_port_id(rport->port));
	fh->fh_type = FC_TYPE_BLS;
	fc2_hton24(fh->fh_f_ctl, bls->f_ctl);
	fh->fh_seq_id = bls->seq_id;
	fh->fh_seq_cnt = htons(bls->cnt);
	fh->fh_ox_id = htons(bls->ox_id);
	fh->fh_rx_id = htons(bls->rx_id);
	return fc2_fcoe_xmit(rport->port, skb, bls->r_ctl == FC_RCTL_BA_ABTS && bls->cnt ?
			     FC_SOF_N3 : FC_SOF_I3, FC_EOF_T, rport->mac);
}

/**
 * fc2_exch_abort - end an Exchange because of an error
 * @exch: the Exchange
 *
 * ABTS is sent; if no BA_ACC comes within R_A_TOV, the OX_ID is not used for another R_A_TOV.
 *
 * Context: as fc2_exch_close().
 * Return: as fc2_exch_close(); with false nothing is sent.
 */
bool fc2_exch_abort(struct fc2_exch *exch)
{
	struct fc2_bls bls;

	rcu_read_lock();
	spin_lock_bh(&exch->lock);
	if (exch->state != FC2_EXCH_OPEN) {
		spin_unlock_bh(&exch->lock);
		rcu_read_unlock();
		return false;
	}
	exch->state = FC2_EXCH_ABORTING;
	/* The last Sequence of this side, which has Sequence Initiative while it is open, FC-FS */
	bls = (struct fc2_bls) {
		.r_ctl	= FC_RCTL_BA_ABTS,
		.f_ctl	= FC_FC_END_SEQ | FC_FC_SEQ_INIT |
			  (exch->responder ? FC_FC_EX_CTX : 0),
		.seq_id	= exch->tx.seq_id,
		.cnt	= exch->tx.cnt,
		.ox_id	= exch->ox_id,
		.rx_id	= exch->rx_id,
	};
	fc2_seq_quit(exch->rport, &exch->tx);
	fc2_exch_timer(exch, fc2_port_r_a_tov(exch->rport->port));
	spin_unlock_bh(&exch->lock);
	fc2_stat_inc(exch->rport->port, FC2_STAT_ABTS_SENT);
	fc2_bls_send(exch->rport, &bls, NULL, 0);
	rcu_read_unlock();
	return true;
}
EXPORT_SYMBOL_GPL(fc2_exch_abort);

/* The Exchange that a received frame is about; its sender is the responder, or the originator. */
static struct fc2_exch *fc2_bls_exch(struct fc2_rport *rport, const struct fc_frame_header *fh,
				     u16 ox_id)
{
	struct fc2_exch *exch;

	if (!(fc2_ntoh24(fh->fh_f_ctl) & FC_FC_EX_CTX))
		return fc2_exch_find_peer(rport->port, rport->id, ox_id);
	exch = fc2_exch_find_own(rport->port, ox_id);
	return exch && exch->rport == rport ? exch : NULL;
}

static void fc2_bls_answer(struct fc2_rport *rport, const struct fc_frame_header *fh, u8 r_ctl,
			   const void *data, unsigned int len)
{
	const struct fc2_bls bls = {
		.r_ctl	= r_ctl,
		/* The other contexts than those of the ABTS; the Exchange is over */
		.f_ctl	= (~fc2_ntoh24(fh->fh_f_ctl) & (FC_FC_EX_CTX | FC_FC_SEQ_CTX)) |
			  FC_FC_LAST_SEQ | FC_FC_END_SEQ,
		.seq_id	= fh->fh_seq_id,
		.ox_id	= be16_to_cpu(fh->fh_ox_id),
		.rx_id	= be16_to_cpu(fh->fh_rx_id),
	};

	fc2_bls_send(rport, &bls, data, len);
}

/* FC-VI C.5.7.1: an ABTS of an Exchange that is not known is accepted, too. */
static void fc2_bls_abts(struct fc2_rport *rport, const struct fc_frame_header *fh)
{
	u16 ox_id = be16_to_cpu(fh->fh_ox_id), rx_id = be16_to_cpu(fh->fh_rx_id);
	struct fc2_exch *exch = fc2_bls_exch(rport, fh, ox_id);
	const struct fc_ba_acc acc = {
		.ba_ox_id	= fh->fh_ox_id,
		.ba_rx_id	= fh->fh_rx_id,
		.ba_high_seq_cnt = htons(0xffff),
	};
	static const struct fc_ba_rjt rjt = {
		.br_reason	= FC_BA_RJT_LOG_ERR,
		.br_explan	= FC_BA_RJT_INV_XID,
	};

	fc2_stat_inc(rport->port, FC2_STAT_ABTS_RECEIVED);
	if (exch && rx_id != FC_XID_UNKNOWN && READ_ONCE(exch->rx_id) != FC_XID_UNKNOWN &&
	    rx_id != READ_ONCE(exch->rx_id)) {
		fc2_stat_inc(rport->port, FC2_STAT_BA_RJT_SENT);
		fc2_bls_answer(rport, fh, FC_RCTL_BA_RJT, &rjt, sizeof(rjt));
		return;
	}
	if (exch)
		fc2_exch_end(exch, -ECONNABORTED, true);
	fc2_bls_answer(rport, fh, FC_RCTL_BA_ACC, &acc, sizeof(acc));
}

static void fc2_bls_done(struct fc2_rport *rport, const struct fc_frame_header *fh)
{
	struct fc2_exch *exch = fc2_bls_exch(rport, fh, be16_to_cpu(fh->fh_ox_id));

	if (exch && READ_ONCE(exch->state) == FC2_EXCH_ABORTING)
		fc2_exch_over(exch);
}

/**
 * fc2_bls_rx - a frame of a Basic Link Service
 * @port: the port
 * @skb: the frame; consumed
 *
 * Context: softirq, under RCU.
 * Return: false when it is from a port that is not logged in.
 */
bool fc2_bls_rx(struct fc2_port *port, struct sk_buff *skb)
{
	const struct fc_frame_header *fh = fc2_frame_hdr(skb);
	struct fc2_rport *rport = fc2_rport_by_id(port, fc2_ntoh24(fh->fh_s_id));

	if (!rport) {
		fc2_stat_inc(port, FC2_STAT_RX_NO_LOGIN);
		kfree_skb(skb);
		return false;
	}
	switch (fh->fh_r_ctl) {
	case FC_RCTL_BA_ABTS:
		fc2_bls_abts(rport, fh);
		break;
	case FC_RCTL_BA_ACC:
		fc2_stat_inc(port, FC2_STAT_BA_ACC_RECEIVED);
		fc2_bls_done(rport, fh);
		break;
	case FC_RCTL_BA_RJT:
		fc2_stat_inc(port, FC2_STAT_BA_RJT_RECEIVED);
		fc2_bls_done(rport, fh);
		break;
	case FC_RCTL_BA_NOP:
		break;
	default:
		fc2_stat_inc(port, FC2_STAT_RX_R_CTL);
	}
	consume_skb(skb);
	return true;
}
