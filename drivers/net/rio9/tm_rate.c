// SPDX-License-Identifier: GPL-2.0
/*
 * Average and peak rate of an operand, 3.4.3.
 *
 * The text does not say what they are.  The average is a token bucket: a PDU takes its bytes
 * and may begin while there is anything in it, so that a PDU of any size passes.  The peak is
 * the least distance from the begin of a PDU to that of the next.
 */
#include <linux/math64.h>

#include "tm_rate.h"

static void rio9_rate_fill(struct rio9_operand *o, u64 now)
{
	u64 passed = now > o->filled ? now - o->filled : 0;
	u64 bytes;

	/* A full bucket after so long, from the deepest debt and at the least rate */
	if (passed > 3ULL * RIO9_TM_BUCKET * NSEC_PER_SEC / RIO9_TM_RATE_LEAST + NSEC_PER_SEC) {
		o->tokens = max(o->tokens, 0);
		passed = 2ULL * RIO9_TM_BUCKET * NSEC_PER_SEC / RIO9_TM_RATE_LEAST;
		o->filled = now - passed;
	}
	bytes = mul_u64_u64_div_u64(passed, o->rates.average, NSEC_PER_SEC);
	o->tokens = min_t(s64, o->tokens + bytes, RIO9_TM_BUCKET);
	/* What is less than a byte stays to be filled in */
	o->filled += mul_u64_u64_div_u64(bytes, NSEC_PER_SEC, o->rates.average);
}

/**
 * rio9_rate_change - a peer asks for another rate
 * @tm: state of the port
 * @o: of which queues
 * @msg: the message
 * @now: time
 */
void rio9_rate_change(struct rio9_tm_state *tm, struct rio9_operand *o,
		      const struct rio9_tm_msg *msg, u64 now)
{
	if (!o->rated) {
		o->rated = true;
		o->rates = (struct rio9_tm_rates) { .average = tm->rate, .peak = tm->rate };
		o->tokens = RIO9_TM_BUCKET;
		o->filled = now;
		o->next = now;
	}
	rio9_rate_fill(o, now);
	rio9_tm_change_rate(&o->rates, msg, RIO9_TM_RATE_LEAST, tm->rate);
	o->rated = o->rates.average < tm->rate;
}

/**
 * rio9_rate_when - when a PDU may begin
 * @o: an operand with rates that covers it
 * @now: time
 *
 * Return: @now, or later.
 */
u64 rio9_rate_when(struct rio9_operand *o, u64 now)
{
	u64 when = max(now, o->next);

	rio9_rate_fill(o, now);
	if (o->tokens <= 0)
		when = max(when, o->filled + mul_u64_u64_div_u64(1 - o->tokens, NSEC_PER_SEC,
								 o->rates.average) + 1);
	return when;
}

/**
 * rio9_rate_sent - a PDU has been sent
 * @o: an operand with rates that covers it
 * @len: bytes of it
 * @now: time
 */
void rio9_rate_sent(struct rio9_operand *o, unsigned int len, u64 now)
{
	u64 began = min(o->began, now);

	rio9_rate_fill(o, now);
	/* A debt of more than any PDUs at a time make is not paid off */
	o->tokens = max_t(s64, o->tokens - len, -4LL * RIO9_PDU_MAX);
	o->next = max(o->next, began) + mul_u64_u64_div_u64(len, NSEC_PER_SEC, o->rates.peak);
}
