/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames of FC-4s, to their Exchanges.
 */
#ifndef _FC2_EXCH_RX_H
#define _FC2_EXCH_RX_H

struct fc2_prov;
struct fc2_rport;
struct sk_buff;

void fc2_exch_rx(struct fc2_rport *rport, const struct fc2_prov *prov, struct sk_buff *skb);

#endif
