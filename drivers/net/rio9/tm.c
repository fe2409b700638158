// SPDX-License-Identifier: GPL-2.0
/*
 * Traffic management messages, 4.3: what they say.
 *
 * Nothing here remembers anything.
 */
#include <kunit/visibility.h>
#include <linux/bitfield.h>
#include <linux/minmax.h>

#include "tm.h"

/* Parameter 1 */
#define RIO9_P1_SWITCH		0x00
#define RIO9_P1_AVERAGE_DOWN	0x01
#define RIO9_P1_AVERAGE_UP	0x02
#define RIO9_P1_Q_STATUS	0x03
#define RIO9_P1_PEAK_DOWN	0x05
#define RIO9_P1_PEAK_UP		0x06
#define RIO9_P1_C_UNIT		GENMASK(3, 0)
#define RIO9_P1_C_SAYS		GENMASK(7, 4)
#define RIO9_P1_C_Q_STATUS	0x30

/* Of RIO9_P1_C_SAYS */
#define RIO9_C_ALLOCATE		1
#define RIO9_C_CREDIT_STATUS	2

/* Parameter 2 of RIO9_P1_SWITCH */
#define RIO9_P2_XOFF	0x00
#define RIO9_P2_XON	0xff

/* Of RIO9_P1_AVERAGE_UP and RIO9_P1_PEAK_UP */
#define RIO9_P2_DOUBLE	0xff

/* Tables 4-4 to 4-6 have this in common */
static struct rio9_tm_msg rio9_tm_switch(u8 param2)
{
	switch (param2) {
	case RIO9_P2_XOFF:
		return (struct rio9_tm_msg) { .says = RIO9_TM_XOFF };
	case RIO9_P2_XON:
		return (struct rio9_tm_msg) { .says = RIO9_TM_XON };
	default:
		return (struct rio9_tm_msg) { .says = RIO9_TM_USER, .n = param2 };
	}
}

static struct rio9_tm_msg rio9_tm_parse_rate(const struct rio9_tm *tm)
{
	struct rio9_tm_msg msg = { .says = RIO9_TM_RESERVED, .n = tm->param2 };

	switch (tm->param1) {
	case RIO9_P1_PEAK_DOWN:
		msg.peak = true;
		fallthrough;
	case RIO9_P1_AVERAGE_DOWN:
		msg.says = RIO9_TM_REDUCE;
		break;
	case RIO9_P1_PEAK_UP:
		msg.peak = true;
		fallthrough;
	case RIO9_P1_AVERAGE_UP:
		if (!msg.n)
			break;
		msg.says = RIO9_TM_INCREASE;
		if (msg.n == RIO9_P2_DOUBLE)
			msg.n = 256;
		break;
	case RIO9_P1_Q_STATUS:
		msg.says = RIO9_TM_Q_STATUS;
		break;
	}
	return msg;
}

static struct rio9_tm_msg rio9_tm_parse_credit(const struct rio9_tm *tm)
{
	struct rio9_tm_msg msg = { .says = RIO9_TM_RESERVED, .n = tm->param2 };

	switch (FIELD_GET(RIO9_P1_C_SAYS, tm->param1)) {
	case RIO9_C_ALLOCATE:
		msg.says = RIO9_TM_ALLOCATE;
		break;
	case RIO9_C_CREDIT_STATUS:
		msg.says = RIO9_TM_CREDIT_STATUS;
		break;
	default:
		if (tm->param1 == RIO9_P1_C_Q_STATUS)
			msg.says = RIO9_TM_Q_STATUS;
		return msg;
	}
	msg.unit = FIELD_GET(RIO9_P1_C_UNIT, tm->param1);
	return msg;
}

/**
 * rio9_tm_parse - what a message says, tables 4-4 to 4-6
 * @tm: its fields
 *
 * Return: it; of TM OP 3 and other messages of users @n is parameter 2.
 */
struct rio9_tm_msg rio9_tm_parse(const struct rio9_tm *tm)
{
	struct rio9_tm_msg msg = { .says = RIO9_TM_RESERVED, .n = tm->param2 };

	if (tm->op <= RIO9_TM_OP_CREDIT && tm->param1 == RIO9_P1_SWITCH)
		return rio9_tm_switch(tm->param2);
	switch (tm->op) {
	case RIO9_TM_OP_BASIC:
		if (tm->param1 == RIO9_P1_Q_STATUS)
			msg.says = RIO9_TM_Q_STATUS;
		break;
	case RIO9_TM_OP_RATE:
		return rio9_tm_parse_rate(tm);
	case RIO9_TM_OP_CREDIT:
		return rio9_tm_parse_credit(tm);
	case RIO9_TM_OP_APP:
		msg.says = RIO9_TM_USER;
		break;
	}
	return msg;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_parse);

/**
 * rio9_tm_build - the parameters of a message, the opposite of rio9_tm_parse()
 * @tm: gets them; its TM OP is that of the message
 * @msg: what it says, which its TM OP has
 */
void rio9_tm_build(struct rio9_tm *tm, const struct rio9_tm_msg *msg)
{
	tm->param1 = RIO9_P1_SWITCH;
	tm->param2 = min(msg->n, U8_MAX);
	switch (msg->says) {
	case RIO9_TM_XOFF:
		tm->param2 = RIO9_P2_XOFF;
		break;
	case RIO9_TM_XON:
		tm->param2 = RIO9_P2_XON;
		break;
	case RIO9_TM_Q_STATUS:
		tm->param1 = tm->op == RIO9_TM_OP_CREDIT ? RIO9_P1_C_Q_STATUS : RIO9_P1_Q_STATUS;
		break;
	case RIO9_TM_REDUCE:
		tm->param1 = msg->peak ? RIO9_P1_PEAK_DOWN : RIO9_P1_AVERAGE_DOWN;
		break;
	case RIO9_TM_INCREASE:
		tm->param1 = msg->peak ? RIO9_P1_PEAK_UP : RIO9_P1_AVERAGE_UP;
		break;
	case RIO9_TM_ALLOCATE:
		tm->param1 = FIELD_PREP(RIO9_P1_C_SAYS, RIO9_C_ALLOCATE) | msg->unit;
		break;
	case RIO9_TM_CREDIT_STATUS:
		tm->param1 = FIELD_PREP(RIO9_P1_C_SAYS, RIO9_C_CREDIT_STATUS) | msg->unit;
		break;
	case RIO9_TM_USER:
	case RIO9_TM_RESERVED:
		break;
	}
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_build);

/**
 * rio9_tm_change_rate - what REDUCE, MAINTAIN, INCREASE and DOUBLE make of rates, 4.3.3
 * @rates: the rates
 * @msg: the message
 * @least: no rate is below that: only XOFF stops
 * @most: no rate is above that
 *
 * Amounts are rounded so that no rate is above what the message asks for.
 */
void rio9_tm_change_rate(struct rio9_tm_rates *rates, const struct rio9_tm_msg *msg, u64 least,
			 u64 most)
{
	u64 *rate = msg->peak ? &rates->peak : &rates->average;
	u64 limit = msg->peak ? most : rates->peak;
	u32 parts = msg->says == RIO9_TM_REDUCE ? 256 - msg->n : 256 + msg->n;

	*rate = clamp(mul_u64_u32_shr(*rate, parts, 8), least, limit);
	rates->average = min(rates->average, rates->peak);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_change_rate);
