/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operands of traffic management messages, 3.4.1 and 4.3.1: which queues they are about.
 */
#ifndef _RIO9_TM_Q_H
#define _RIO9_TM_Q_H

#include "wire.h"

/**
 * struct rio9_tm_q - an operand, 4.3.1; what does not matter is 0 in it
 * @wildcard: destination, class, stream
 * @mask: of the class
 * @cos: class, without the bits of @mask
 * @stream: streamID
 */
struct rio9_tm_q {
	u8 wildcard;
	u8 mask;
	u8 cos;
	u16 stream;
};

/* Wildcard bits, table 4-3 */
#define RIO9_W_DEST	BIT(2)
#define RIO9_W_CLASS	BIT(1)
#define RIO9_W_STREAM	BIT(0)

/* Flows that our map of cos to flow uses: bits 0 and 1 of cos choose one, see rio9.rst */
#define RIO9_TM_FLOWS	4

bool rio9_tm_operand_valid(u8 wildcard, u8 mask);
struct rio9_tm_q rio9_tm_q(const struct rio9_packet *p);
bool rio9_tm_q_covers(const struct rio9_tm_q *q, const struct rio9_pdu *pdu);
bool rio9_tm_q_within(const struct rio9_tm_q *q, const struct rio9_tm_q *inner);
bool rio9_tm_q_overlaps(const struct rio9_tm_q *a, const struct rio9_tm_q *b);
bool rio9_tm_covers(const struct rio9_packet *p, const struct rio9_pdu *pdu);
unsigned int rio9_tm_flows(u8 wildcard, u8 mask, u8 cos, u8 out[RIO9_TM_FLOWS]);

#endif
