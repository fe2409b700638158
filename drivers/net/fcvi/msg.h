/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages, FC-VI 5.2 and 6: what carries them, and what sends and receives have in common.
 */
#ifndef _FCVI_MSG_H
#define _FCVI_MSG_H

#include "vi.h"

struct fcvi_mx;
struct sk_buff;

/**
 * struct fcvi_mx_ops - what happens to the Exchange of a Message; under the lock of the port
 * @frame: a frame of the other side has come that the codec has found to be good: @skb, which is
 *	consumed, begins at the payload, @offset is its Relative Offset, @flags are those of
 *	struct fc2_skb_cb.  On a port with order frames come in order; on others as they arrive,
 *	none twice
 * @end: the Exchange is over, @err as in struct fc2_exch_ops, and must not be used any more
 */
struct fcvi_mx_ops {
	void (*frame)(struct fcvi_mx *mx, const struct fcvi_iu *iu, struct sk_buff *skb, u32 offset,
		      u8 flags);
	void (*end)(struct fcvi_mx *mx, int err);
};

/**
 * struct fcvi_mx - the Exchange of a Message; the transport has it in a larger one
 * @port: the port
 * @rport: the remote port
 * @ops: its Message
 * @priv: for @ops
 */
struct fcvi_mx {
	struct fcvi_port		*port;
	struct fc2_rport		*rport;
	const struct fcvi_mx_ops	*ops;
	void				*priv;
};

/**
 * struct fcvi_msg_transport - what carries Messages; under the lock of the port
 * @open: new Exchange to a remote port; NULL when there is none
 * @room: bytes of payload that a frame to a remote port has behind a Device_Header of 32 bytes, a
 *	multiple of 4
 * @frame: sends a frame.  @skb begins at the payload, with FCVI_HEADROOM in front of it, and is
 *	consumed; @flags is a mask of enum fc2_send_flags.  The Exchange ends when a frame with
 *	FC2_SEND_LAST_SEQ was sent, and @mx must not be used after it.  Return: 0 or a negative
 *	errno, with which the frame was not sent; -EAGAIN: 255 Sequences are open
 * @alone: sends a Message of one frame that has no Response, without an Exchange that is kept
 * @abort: ends the Exchange with ABTS; @mx must not be used after it
 * @close: ends it without
 * @may_send: whether the device takes another frame now; fcvi_sched_run() is called when it does
 *	again
 * @later: fcvi_sched_run() is to be called soon, from elsewhere
 */
struct fcvi_msg_transport {
	struct fcvi_mx *(*open)(struct fcvi_port *port, struct fc2_rport *rport);
	unsigned int (*room)(struct fcvi_port *port, const struct fc2_rport *rport);
	int (*frame)(struct fcvi_mx *mx, const struct fcvi_iu *iu, u8 cs_ctl, u32 offset, u8 flags,
		     struct sk_buff *skb);
	int (*alone)(struct fcvi_port *port, struct fc2_rport *rport, const struct fcvi_iu *iu,
		     u8 cs_ctl, struct sk_buff *skb);
	void (*abort)(struct fcvi_mx *mx);
	void (*close)(struct fcvi_mx *mx);
	bool (*may_send)(struct fcvi_port *port);
	void (*later)(struct fcvi_port *port);
};

/* Endpoints with Messages: what fcvi_vi_init() gets as struct fcvi_vi_ops, msg.c */
extern const struct fcvi_vi_ops fcvi_msg_vi_ops;

#endif
