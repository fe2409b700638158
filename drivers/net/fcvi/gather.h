/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The payload of a connection IU that comes in several frames.
 */
#ifndef _FCVI_GATHER_H
#define _FCVI_GATHER_H

#include <linux/types.h>

#include "payload.h"

struct sk_buff;

/**
 * struct fcvi_gather - what has come of a payload
 * @base: Relative Offset of the first byte that has come
 * @bytes: how many have come
 * @end: where the last of them is, from @base
 * @begun: there is a @base
 * @bad: it can't become a payload of FCVI_CONNECT_RQST or FCVI_CONNECT_RESP1
 * @data: the bytes
 */
struct fcvi_gather {
	u32	base;
	u32	bytes;
	u32	end;
	bool	begun;
	bool	bad;
	u8	data[FCVI_CONNECT_LEN_INFO];
};

void fcvi_gather_begin(struct fcvi_gather *g);
void fcvi_gather_add(struct fcvi_gather *g, u32 offset, const struct sk_buff *skb,
		     unsigned int skip);
unsigned int fcvi_gather_len(const struct fcvi_gather *g);

#endif
