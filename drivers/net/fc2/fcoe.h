/* SPDX-License-Identifier: GPL-2.0 */
/*
 * FC frames in Ethernet frames, FC-BB: FCoE header, CRC, SOF and EOF.
 */
#ifndef _FC2_FCOE_H
#define _FC2_FCOE_H

#include <linux/types.h>

struct fc2_port;
struct sk_buff;

int fc2_fcoe_xmit(struct fc2_port *port, struct sk_buff *skb, u8 sof, u8 eof, const u8 *dst);
int fc2_fcoe_decap(struct sk_buff *skb);

#endif
