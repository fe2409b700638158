/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many frames of Messages are on their way.
 */
#ifndef _FCVI_FC_FLOW_H
#define _FCVI_FC_FLOW_H

#include <linux/types.h>

struct fcvi_fc_port;
struct fcvi_port;
struct sk_buff;

int fcvi_fc_flow_begin(struct fcvi_fc_port *p);
void fcvi_fc_flow_end(struct fcvi_fc_port *p);
void fcvi_fc_flow_exit(void);
void fcvi_fc_flow_own(struct fcvi_fc_port *p, struct sk_buff *skb);
bool fcvi_fc_flow_may_send(struct fcvi_port *port);
void fcvi_fc_flow_later(struct fcvi_port *port);

#endif
