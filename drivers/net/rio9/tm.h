/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Traffic management messages, 4.3: what they say.
 */
#ifndef _RIO9_TM_H
#define _RIO9_TM_H

#include "wire.h"

/**
 * enum rio9_tm_op - TM OP, table 4-3; the others are reserved
 * @RIO9_TM_OP_BASIC: on and off
 * @RIO9_TM_OP_RATE: the same, and rates
 * @RIO9_TM_OP_CREDIT: on and off, and credits
 * @RIO9_TM_OP_APP: defined by applications
 */
enum rio9_tm_op {
	RIO9_TM_OP_BASIC,
	RIO9_TM_OP_RATE,
	RIO9_TM_OP_CREDIT,
	RIO9_TM_OP_APP,
};

/**
 * enum rio9_tm_says - messages of tables 4-4, 4-5 and 4-6
 * @RIO9_TM_RESERVED: nothing that has a meaning
 * @RIO9_TM_XOFF: stop
 * @RIO9_TM_XON: go on
 * @RIO9_TM_USER: what the two ends have agreed on
 * @RIO9_TM_Q_STATUS: how full a queue of the source is
 * @RIO9_TM_REDUCE: a lower rate; by 0 it is MAINTAIN
 * @RIO9_TM_INCREASE: a higher rate; by 256 it is DOUBLE
 * @RIO9_TM_ALLOCATE: an allocation unit has credits
 * @RIO9_TM_CREDIT_STATUS: so many credits are left in it
 */
enum rio9_tm_says {
	RIO9_TM_RESERVED,
	RIO9_TM_XOFF,
	RIO9_TM_XON,
	RIO9_TM_USER,
	RIO9_TM_Q_STATUS,
	RIO9_TM_REDUCE,
	RIO9_TM_INCREASE,
	RIO9_TM_ALLOCATE,
	RIO9_TM_CREDIT_STATUS,
};

/**
 * struct rio9_tm_msg - a message
 * @says: what it says
 * @peak: it is about the peak rate, not the average
 * @unit: its allocation unit
 * @n: its amount, level or credits
 */
struct rio9_tm_msg {
	enum rio9_tm_says says;
	bool peak;
	u8 unit;
	u16 n;
};

/**
 * struct rio9_tm_rates - rates of an operand, in bytes a second
 * @average: the average rate, never above @peak
 * @peak: the peak rate
 */
struct rio9_tm_rates {
	u64 average;
	u64 peak;
};

struct rio9_tm_msg rio9_tm_parse(const struct rio9_tm *tm);
void rio9_tm_build(struct rio9_tm *tm, const struct rio9_tm_msg *msg);
void rio9_tm_change_rate(struct rio9_tm_rates *rates, const struct rio9_tm_msg *msg, u64 least,
			 u64 most);

#endif
