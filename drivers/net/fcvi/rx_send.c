// SPDX-License-Identifier: GPL-2.0
/*
 * What the responder of a Message sends: the data of RDMA Reads, and Responses, FC-VI 6.3 to 6.7.
 */
#include <linux/fc2.h>
#include <linux/skbuff.h>

#include "rx_rdma.h"
#include "rx_send.h"
#include "sched.h"

static struct sk_buff *fcvi_rx_fill_data(struct fcvi_out *out, u32 offset, u32 len)
{
	return fcvi_rx_rdma_read(container_of(out, struct fcvi_rx_msg, out), offset, len);
}

static struct sk_buff *fcvi_rx_fill_nothing(struct fcvi_out *out, u32 offset, u32 len)
{
	return fcvi_sched_skb();
}

static void fcvi_rx_send(struct fcvi_rx_msg *m, u8 opcode, u32 len,
			 struct sk_buff *(*fill)(struct fcvi_out *out, u32 offset, u32 len),
			 void (*sent)(struct fcvi_out *out, int err))
{
	/* After a logout: the end of the connection is near */
	if (!m->mx)
		return;
	m->sending = true;
	m->out = (struct fcvi_out) {
		.vi	= m->vi,
		.mx	= m->mx,
		.len	= len,
		.end	= FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ,
		.fill	= fill,
		.sent	= sent,
		.iu = {
			.opcode		= opcode,
			.flags		= m->answer,
			.handle		= m->vi->rmt_handle,
			.msg_id		= m->iu.msg_id,
			/* Not in the small Device_Header */
			.rmt_va		= m->iu.rmt_va,
			.rmt_va_handle	= m->iu.rmt_va_handle,
			.tot_len	= m->iu.tot_len,
		},
	};
	INIT_LIST_HEAD(&m->out.list);
	fcvi_sched_add(&m->out);
}

/**
 * fcvi_rx_send_read - send the data of an RDMA Read, FC-VI 6.7
 * @m: the Read, which may be gone when this returns
 * @sent: see struct fcvi_out
 */
void fcvi_rx_send_read(struct fcvi_rx_msg *m, void (*sent)(struct fcvi_out *out, int err))
{
	fcvi_rx_send(m, FCVI_READ_RESP, m->iu.tot_len, fcvi_rx_fill_data, sent);
}

/**
 * fcvi_rx_send_answer - send the Response to a Message, FC-VI 6.3, 6.5 and 6.7
 * @m: the Message, which may be gone when this returns
 * @sent: see struct fcvi_out
 */
void fcvi_rx_send_answer(struct fcvi_rx_msg *m, void (*sent)(struct fcvi_out *out, int err))
{
	static const u8 responses[] = {
		[FCVI_SEND_RQST]	= FCVI_SEND_RESP,
		[FCVI_WRITE_RQST]	= FCVI_WRITE_RESP,
		[FCVI_READ_RQST]	= FCVI_READ_RESP,
	};

	fcvi_rx_send(m, responses[m->iu.opcode], 0, fcvi_rx_fill_nothing, sent);
}
