// SPDX-License-Identifier: GPL-2.0
/*
 * Messages that fail, FC-VI 8.4: what the Descriptor, the user and the other side are told.
 *
 * On Unreliable Delivery the endpoint stays, VI-ARCH 2.5.1; else it goes to Error, FC-VI 8.4.2 e.
 * A Response that has a flag for the fault, on Reliable Reception and of Reads, goes first.
 */
#include "rx_fault.h"
#include "rx_queue.h"

/* What ends a Message in its midst, VI-DG 5.2 */
#define FCVI_RX_BROKEN	(FCVI_ERR_PARTIAL | FCVI_ERR_TRANSPORT)

/**
 * struct fcvi_rx_rule - what a fault means
 * @stat: enum fcvi_msg_stat
 * @error: bits of the receive Descriptor, mask of enum fcvi_desc_error
 * @answer: flags of the Response, besides FCVI_RESP_ERR; 0: there is none
 * @cause: Reason Code
 * @write_cause: that of RDMA Writes
 * @write_async: enum fcvi_async, for RDMA Writes without a Descriptor
 */
struct fcvi_rx_rule {
	u8	stat;
	u16	error;
	u8	answer;
	u8	cause;
	u8	write_cause;
	u8	write_async;
};

static const struct fcvi_rx_rule fcvi_rx_rules[] = {
	[FCVI_RX_NO_DESC] = { FCVI_MSG_NO_DESC, 0, FCVI_DESC_ERR,
			      FCVI_DESCRIPTOR, FCVI_DESCRIPTOR, FCVI_ASYNC_RECVQ_EMPTY },
	[FCVI_RX_TOO_LONG] = { FCVI_MSG_TOO_LONG, FCVI_ERR_LENGTH, FCVI_DESC_ERR,
			       FCVI_DESCRIPTOR, FCVI_DESCRIPTOR, FCVI_ASYNC_RDMAW_DATA },
	[FCVI_RX_PROTECTION] = { FCVI_MSG_PROTECTION, FCVI_ERR_PROTECTION, FCVI_PROT_ERR,
				 FCVI_READ_PROTECTION, FCVI_WRITE_PROTECTION,
				 FCVI_ASYNC_RDMAW_PROT },
	[FCVI_RX_SEGMENT] = { FCVI_MSG_PROTECTION, FCVI_ERR_PROTECTION, FCVI_DESC_ERR,
			      FCVI_DESCRIPTOR, FCVI_DESCRIPTOR, FCVI_ASYNC_RDMAW_PROT },
	[FCVI_RX_SHORT] = { FCVI_MSG_BROKEN, FCVI_RX_BROKEN, 0,
			    FCVI_TRANSPORT, FCVI_WRITE_ABORT, FCVI_ASYNC_RDMAW_ABORT },
	[FCVI_RX_DAMAGED] = { FCVI_MSG_BROKEN, FCVI_RX_BROKEN, 0,
			      FCVI_TRANSPORT, FCVI_WRITE_DATA, FCVI_ASYNC_RDMAW_DATA },
	[FCVI_RX_MISSING] = { FCVI_MSG_BROKEN, FCVI_RX_BROKEN, 0,
			      FCVI_TRANSPORT, FCVI_RDMA_TRANSPORT, FCVI_ASYNC_RDMA_TRANSPORT },
	[FCVI_RX_PROTOCOL] = { FCVI_MSG_NOT_ALLOWED, FCVI_RX_BROKEN, 0,
			       FCVI_PROTOCOL, FCVI_PROTOCOL, FCVI_ASYNC_RDMAW_DATA },
	[FCVI_RX_NO_MEMORY] = { FCVI_MSG_NO_MEMORY, FCVI_RX_BROKEN, 0,
				FCVI_TRANSPORT, FCVI_RDMA_TRANSPORT, FCVI_ASYNC_RDMA_TRANSPORT },
};

static enum fcvi_reason fcvi_rx_cause(const struct fcvi_rx_msg *m, const struct fcvi_rx_rule *rule,
				      enum fcvi_rx_fault fault)
{
	if (m->cause)
		return m->cause;
	switch (m->iu.opcode) {
	case FCVI_READ_RQST:
		return rule->cause == FCVI_TRANSPORT ? FCVI_RDMA_TRANSPORT : rule->cause;
	case FCVI_WRITE_RQST:
		/* FC-VI 5.9.7.3: 46 is for an RDMA that has no Descriptor */
		return fault == FCVI_RX_MISSING && m->desc ? rule->cause : rule->write_cause;
	default:
		return rule->cause;
	}
}

/* What the Descriptor can't tell, VI-DG 3.8.1 */
static void fcvi_rx_tell(struct fcvi_vi *vi, u8 opcode, bool desc, enum fcvi_rx_fault fault)
{
	const struct fcvi_rx_rule *rule = fcvi_rx_rules + fault;

	if (fault == FCVI_RX_NO_DESC)
		vi->user->async(vi, FCVI_ASYNC_RECVQ_EMPTY);
	else if (opcode == FCVI_WRITE_RQST && !desc)
		vi->user->async(vi, rule->write_async);
	else if (opcode == FCVI_READ_RQST && fault == FCVI_RX_PROTECTION)
		vi->user->async(vi, FCVI_ASYNC_RDMAR_PROT);
	else if (opcode == FCVI_READ_RQST)
		vi->user->async(vi, FCVI_ASYNC_RDMA_TRANSPORT);
}

/* Whether the Response is to tell it */
static bool fcvi_rx_answers(const struct fcvi_rx_msg *m, const struct fcvi_rx_rule *rule)
{
	return rule->answer && m->mx &&
	       (m->vi->attrs.level == FCVI_RR || m->iu.opcode == FCVI_READ_RQST);
}

/**
 * fcvi_rx_fail - a Message fails
 * @m: the Message, which may be gone when this returns, as may the connection
 * @fault: why
 */
void fcvi_rx_fail(struct fcvi_rx_msg *m, enum fcvi_rx_fault fault)
{
	const struct fcvi_rx_rule *rule = fcvi_rx_rules + fault;
	enum fcvi_reason cause = fcvi_rx_cause(m, rule, fault);
	bool stays = !fcvi_rx_reliable(m->vi) && fault != FCVI_RX_PROTOCOL;
	bool queued = !list_empty(&m->taken), told = m->desc, again = m->cause;
	struct fcvi_desc *desc = m->desc;
	struct fcvi_vi *vi = m->vi;
	u8 opcode = m->iu.opcode;

	lockdep_assert_held(&vi->port->lock);
	fcvi_count(vi, rule->stat, !again);
	if (desc) {
		desc->error |= rule->error;
		desc->len = 0;
	}
	if (stays && queued) {
		/* Its Descriptor completes in its turn */
		fcvi_rx_msg_leave(m);
		m->state = FCVI_RX_DONE;
		fcvi_rx_settle(vi);
		desc = NULL;
	} else if (fcvi_rx_answers(m, rule)) {
		m->state = FCVI_RX_FAILED;
		m->answer = FCVI_RESP_ERR | rule->answer;
		m->cause = cause;
		m->desc = NULL;
		list_del_init(&m->taken);
		fcvi_rx_msg_drop(m);
		stays = true;
	} else {
		fcvi_rx_msg_leave(m);
		fcvi_rx_msg_free(m);
	}
	if (desc)
		vi->user->complete(vi, desc);
	if (!again)
		fcvi_rx_tell(vi, opcode, told, fault);
	if (!stays && vi->rx.on)
		fcvi_rx_error(vi, cause);
}
