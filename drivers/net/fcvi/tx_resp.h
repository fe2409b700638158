/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Message Responses: what they say of a Descriptor.
 */
#ifndef _FCVI_TX_RESP_H
#define _FCVI_TX_RESP_H

#include "msg.h"

/**
 * struct fcvi_fault - why a Message failed
 * @error: mask of enum fcvi_desc_error; 0 where the level has no bit for it
 * @cause: Reason Code for a Disconnect; FCVI_OK: it did not fail
 */
struct fcvi_fault {
	u16	error;
	u8	cause;
};

struct fcvi_fault fcvi_resp_lost(const struct fcvi_desc *desc);
struct fcvi_fault fcvi_resp_fault(const struct fcvi_desc *desc, u8 flags);
struct fcvi_fault fcvi_resp_data(struct fcvi_desc *desc, const struct fcvi_iu *iu,
				 struct sk_buff *skb, u32 offset);

#endif
