// SPDX-License-Identifier: GPL-2.0
/*
 * Operands of traffic management messages, 3.4.1 and 4.3.1: which queues they are about.
 *
 * Nothing here remembers anything.
 */
#include <kunit/visibility.h>
#include <linux/bitfield.h>

#include "tm_q.h"

/* The bits of cos that choose a flow */
#define RIO9_COS_FLOW	GENMASK(7, 6)

/**
 * rio9_tm_operand_valid - whether an operand is one of the five forms, 4.3.1
 * @wildcard: destination, class, stream
 * @mask: of the class
 *
 * Return: true if it is.
 */
bool rio9_tm_operand_valid(u8 wildcard, u8 mask)
{
	switch (wildcard) {
	case 0:
		return !mask;
	case RIO9_W_STREAM:
		/* Low bits, all of them: 00, 01, 03, 07 and so on */
		return !(mask & (mask + 1));
	case RIO9_W_CLASS | RIO9_W_STREAM:
	case RIO9_W_DEST | RIO9_W_CLASS | RIO9_W_STREAM:
		return true;
	default:
		return false;
	}
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_operand_valid);

/**
 * rio9_tm_q - the operand of a message
 * @p: the message, with a valid operand
 *
 * Return: it.  Operands that mean the same are the same.
 */
struct rio9_tm_q rio9_tm_q(const struct rio9_packet *p)
{
	struct rio9_tm_q q = { .wildcard = p->tm.wildcard };

	if (!(q.wildcard & RIO9_W_CLASS)) {
		q.mask = p->tm.mask;
		q.cos = p->cos & ~q.mask;
	}
	if (!(q.wildcard & RIO9_W_STREAM))
		q.stream = p->stream;
	return q;
}

/**
 * rio9_tm_q_covers - whether an operand has a PDU in it, but for the destination
 * @q: the operand
 * @pdu: label of the PDU
 *
 * Return: true if it has.
 */
bool rio9_tm_q_covers(const struct rio9_tm_q *q, const struct rio9_pdu *pdu)
{
	if (!(q->wildcard & RIO9_W_CLASS) && (q->cos ^ pdu->cos) & ~q->mask)
		return false;
	return q->wildcard & RIO9_W_STREAM || q->stream == pdu->stream;
}

/**
 * rio9_tm_q_within - whether an operand has all of another in it
 * @q: the operand
 * @inner: the other, of the same sender
 *
 * Return: true if it has.
 */
bool rio9_tm_q_within(const struct rio9_tm_q *q, const struct rio9_tm_q *inner)
{
	if (inner->wildcard & ~q->wildcard)
		return false;
	if (!(q->wildcard & RIO9_W_CLASS) &&
	    (inner->mask & ~q->mask || (q->cos ^ inner->cos) & ~q->mask))
		return false;
	return q->wildcard & RIO9_W_STREAM || q->stream == inner->stream;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_q_within);

/**
 * rio9_tm_q_overlaps - whether there is a stream that two operands have in common
 * @a: one of them
 * @b: the other, of the same sender
 *
 * Return: true if there is.
 */
bool rio9_tm_q_overlaps(const struct rio9_tm_q *a, const struct rio9_tm_q *b)
{
	u8 wildcard = a->wildcard | b->wildcard;

	if (!(wildcard & RIO9_W_CLASS) && (a->cos ^ b->cos) & ~(a->mask | b->mask))
		return false;
	return wildcard & RIO9_W_STREAM || a->stream == b->stream;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_q_overlaps);

/**
 * rio9_tm_covers - whether a message is about PDUs of ours, 3.4.1
 * @p: the message, with a valid operand
 * @pdu: the label that they have when they are sent
 *
 * The destination of an operand is who has sent the message.
 *
 * Return: true if it is.
 */
bool rio9_tm_covers(const struct rio9_packet *p, const struct rio9_pdu *pdu)
{
	struct rio9_tm_q q = rio9_tm_q(p);

	return (q.wildcard & RIO9_W_DEST || p->src == pdu->peer) && rio9_tm_q_covers(&q, pdu);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_covers);

/**
 * rio9_tm_flows - which messages reach all flows that an operand is in, 3.4.5 P1
 * @wildcard: destination, class, stream
 * @mask: of the class
 * @cos: class
 * @out: get the cos of a message for each flow: the lowest that the operand has there
 *
 * Return: how many.
 */
unsigned int rio9_tm_flows(u8 wildcard, u8 mask, u8 cos, u8 out[RIO9_TM_FLOWS])
{
	unsigned int flow, n = 0;
	u8 any = wildcard & RIO9_W_CLASS ? U8_MAX : mask;

	for (flow = 0; flow < RIO9_TM_FLOWS; flow++) {
		u8 lowest = FIELD_PREP(RIO9_COS_FLOW, flow);

		if ((cos ^ lowest) & RIO9_COS_FLOW & ~any)
			continue;
		out[n++] = lowest | (cos & ~RIO9_COS_FLOW & ~any);
	}
	return n;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_flows);
