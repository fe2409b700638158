/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages that are being received: what the files of the responder's side share.
 *
 * On Reliable Delivery and Reception one Message of an endpoint has its turn at a time, by MSG_ID,
 * VI-ARCH 6.3.1.1; frames of others wait.  So nothing of a Message is done before all of those
 * before it is, and which receive Descriptor it takes is known.  On Unreliable Delivery the turn of
 * a Message is when it comes.
 */
#ifndef _FCVI_RX_MSG_H
#define _FCVI_RX_MSG_H

#include <linux/skbuff.h>

#include "out.h"
#include "vi.h"

/* Ranges of bytes beyond the first gap: no more than fc2 has of frames */
#define FCVI_RX_PARTS	32

/* Messages and frames of an endpoint that may wait, besides those of the pipeline depth */
#define FCVI_RX_HELD	1024

/**
 * enum fcvi_rx_state - how far a Message is
 * @FCVI_RX_WAITS: its turn is not yet
 * @FCVI_RX_PLACES: its frames are placed as they come
 * @FCVI_RX_DONE: it is over, but a Descriptor before its own is not
 * @FCVI_RX_ANSWERS: its Response, or the data of a Read, may be sent
 * @FCVI_RX_SENDS: they are being sent
 * @FCVI_RX_FAILED: it has failed; its Response says so as soon as it may be sent
 */
enum fcvi_rx_state {
	FCVI_RX_WAITS,
	FCVI_RX_PLACES,
	FCVI_RX_DONE,
	FCVI_RX_ANSWERS,
	FCVI_RX_SENDS,
	FCVI_RX_FAILED,
};

/**
 * struct fcvi_rx_part - a range of bytes
 * @from: Relative Offset of the first one
 * @to: that of the one after the last
 */
struct fcvi_rx_part {
	u32	from;
	u32	to;
};

/**
 * struct fcvi_rx_msg - a Message
 * @list: in struct fcvi_rx's msgs
 * @taken: in its taken, while it has a Descriptor of the queue
 * @vi: the endpoint
 * @mx: its Exchange; NULL: it has none, or that is over
 * @iu: Device_Header of all its frames
 * @desc: its receive Descriptor, or NULL
 * @state: enum fcvi_rx_state
 * @alone: it is on the stack, and its only frame at hand
 * @end: FC2_SEND_LAST_SEQ or FC2_SEND_INITIATIVE when all its frames have come
 * @answer: FCVI_FLAGS of its Response
 * @cause: Reason Code, when it has failed
 * @got: bytes before the first gap
 * @nr_parts: ranges in @parts
 * @parts: bytes beyond the first gap, without order
 * @held: frames that wait for its turn
 * @out: what is sent for it
 * @sending: @out is with the scheduler
 */
struct fcvi_rx_msg {
	struct list_head	list;
	struct list_head	taken;
	struct fcvi_vi		*vi;
	struct fcvi_mx		*mx;
	struct fcvi_iu		iu;
	struct fcvi_desc	*desc;
	u8			state;
	bool			alone;
	u8			end;
	u8			answer;
	u8			cause;
	bool			sending;
	u32			got;
	unsigned int		nr_parts;
	struct fcvi_rx_part	parts[FCVI_RX_PARTS];
	struct sk_buff_head	held;
	struct fcvi_out		out;
};

/* Whether Messages have turns */
static inline bool fcvi_rx_reliable(const struct fcvi_vi *vi)
{
	return vi->attrs.level != FCVI_UD;
}

void fcvi_rx_msg_init(struct fcvi_rx_msg *m, struct fcvi_vi *vi, const struct fcvi_iu *iu);
struct fcvi_rx_msg *fcvi_rx_msg_new(struct fcvi_vi *vi, const struct fcvi_iu *iu);
bool fcvi_rx_msg_hold(struct fcvi_rx_msg *m, struct sk_buff *skb, u32 offset);
struct sk_buff *fcvi_rx_msg_release(struct fcvi_rx_msg *m, u32 *offset);
void fcvi_rx_msg_drop(struct fcvi_rx_msg *m);
void fcvi_rx_msg_leave(struct fcvi_rx_msg *m);
void fcvi_rx_msg_free(struct fcvi_rx_msg *m);
void fcvi_rx_error(struct fcvi_vi *vi, enum fcvi_reason cause);

#endif
