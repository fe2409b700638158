/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sequences that are sent.
 */
#ifndef _FC2_SEQ_TX_H
#define _FC2_SEQ_TX_H

#include <linux/types.h>

struct fc2_rport;
struct fc2_send;
struct sk_buff;

/**
 * struct fc2_seq_tx - what one side sends in an Exchange
 * @seq_id: SEQ_ID of the Sequence that is being sent
 * @cnt: SEQ_CNT of the next frame, through the whole Exchange
 * @open: a Sequence is being sent
 * @later: it is not the first one of the Exchange
 */
struct fc2_seq_tx {
	u8	seq_id;
	u16	cnt;
	bool	open;
	bool	later;
};

/**
 * struct fc2_seq_ids - the Exchange that a frame belongs to
 * @type: TYPE
 * @ox_id: OX_ID
 * @rx_id: RX_ID
 * @responder: the sender is the responder of the Exchange
 */
struct fc2_seq_ids {
	u8	type;
	u16	ox_id;
	u16	rx_id;
	bool	responder;
};

int fc2_seq_send(struct fc2_rport *rport, struct fc2_seq_tx *tx, const struct fc2_seq_ids *ids,
		 struct sk_buff *skb, const struct fc2_send *send);
void fc2_seq_quit(struct fc2_rport *rport, struct fc2_seq_tx *tx);

#endif
