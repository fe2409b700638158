/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages on the Exchanges of FC-2.
 */
#ifndef _FCVI_FC_MSG_H
#define _FCVI_FC_MSG_H

#include "msg.h"

struct fc2_exch;
struct fcvi_fc_port;

extern const struct fcvi_msg_transport fcvi_fc_msgs;

enum fcvi_verdict fcvi_fc_decode(struct fcvi_iu *iu, const struct sk_buff *skb);
int fcvi_fc_msg_open(struct fcvi_fc_port *p, struct fc2_exch *exch,
		     const struct sk_buff *skb);
int fcvi_fc_msg_single(struct fc2_rport *rport, struct sk_buff *skb);

#endif
