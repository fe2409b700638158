// SPDX-License-Identifier: GPL-2.0
/*
 * Credits of an operand at the ingress, 3.4.4.
 *
 * Units are used in the order in which they were allocated: only the egress knows at which
 * number they roll over.
 */
#include "tm_credit.h"
#include "tm_say.h"

static void rio9_credit_remove(struct rio9_operand *o, unsigned int at)
{
	o->held--;
	memmove(&o->units[at], &o->units[at + 1], (o->held - at) * sizeof(o->units[0]));
}

/**
 * rio9_credit_narrower - whether an operand has credits that are to be used first
 * @o: an operand
 * @best: another with credits, or NULL
 *
 * Return: true if it has.
 */
bool rio9_credit_narrower(const struct rio9_operand *o, const struct rio9_operand *best)
{
	if (!o->held)
		return false;
	return !best || o->q.wildcard < best->q.wildcard ||
	       (o->q.wildcard == best->q.wildcard && o->q.mask < best->q.mask);
}

/**
 * rio9_credit_allocate - a unit gets credits, or has none any more
 * @tm: state of the port
 * @o: of which queues
 * @msg: the ALLOCATE
 * @now: time
 */
void rio9_credit_allocate(struct rio9_tm_state *tm, struct rio9_operand *o,
			  const struct rio9_tm_msg *msg, u64 now)
{
	struct rio9_tm_unit *unit;
	unsigned int i;

	for (i = 0; i < o->held && o->units[i].unit != msg->unit; i++)
		;
	unit = &o->units[i];
	if (!msg->n) {
		/* CREDIT_STATUS comes behind the last PDU of a unit */
		if (!i && i < o->held && o->flying && unit->begun) {
			unit->left = 1;
			return;
		}
		if (i < o->held)
			rio9_credit_remove(o, i);
		/* A PDU that is on its way has cost a credit of a unit that is gone */
		if (!o->held)
			o->flying = false;
		rio9_tm_say(tm, o->peer, &o->q, RIO9_TM_CREDIT_STATUS, msg->unit, 0);
		return;
	}
	if (i < o->held)
		rio9_tm_count(tm, RIO9_STAT_TM_REPLACED);
	else
		o->held++;
	*unit = (struct rio9_tm_unit) {
		.unit = msg->unit, .granted = msg->n, .left = msg->n,
	};
	o->used = now;
	rio9_tm_due(tm, now + RIO9_TM_IDLE);
}

/**
 * rio9_credit_begin - a PDU that costs a credit is about to begin
 * @tm: state of the port
 * @o: the operand whose credit it is
 */
void rio9_credit_begin(struct rio9_tm_state *tm, struct rio9_operand *o)
{
	struct rio9_tm_unit *unit = o->units;

	o->flying = true;
	if (unit->begun)
		return;
	unit->begun = true;
	rio9_tm_say(tm, o->peer, &o->q, RIO9_TM_CREDIT_STATUS, unit->unit, unit->granted);
}

/**
 * rio9_credit_sent - a PDU has been sent
 * @tm: state of the port
 * @o: the operand whose credit it was
 * @now: time
 */
void rio9_credit_sent(struct rio9_tm_state *tm, struct rio9_operand *o, u64 now)
{
	struct rio9_tm_unit *unit = o->units;

	o->flying = false;
	o->used = now;
	rio9_tm_due(tm, now + RIO9_TM_IDLE);
	if (--unit->left)
		return;
	rio9_tm_say(tm, o->peer, &o->q, RIO9_TM_CREDIT_STATUS, unit->unit, 0);
	rio9_credit_remove(o, 0);
}

/**
 * rio9_credit_return - credits that nobody needs go back
 * @tm: state of the port
 * @o: the operand whose they are
 */
void rio9_credit_return(struct rio9_tm_state *tm, struct rio9_operand *o)
{
	o->flying = false;
	while (o->held) {
		rio9_tm_say(tm, o->peer, &o->q, RIO9_TM_CREDIT_STATUS, o->units[0].unit, 0);
		rio9_credit_remove(o, 0);
	}
	rio9_tm_say(tm, o->peer, &o->q, RIO9_TM_Q_STATUS, 0, 0);
	rio9_tm_count(tm, RIO9_STAT_TM_RETURNED);
}
