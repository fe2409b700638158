/* SPDX-License-Identifier: GPL-2.0 */
/*
 * GSO skbs: one skb for several STUs.
 */
#ifndef _NET_ST_GSO_H
#define _NET_ST_GSO_H

#include "wire/op.h"

/* wire/gso.c */
void st_gso_make(struct sk_buff *skb, u32 stu, bool checksum);
bool st_gso_valid(const struct sk_buff *skb);
void st_gso_stu(const struct st_op *run, u32 n, u32 pos, bool last, struct st_op *op);

#endif
