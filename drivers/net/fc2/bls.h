/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Basic Link Services, FC-FS: ABTS, BA_ACC and BA_RJT.
 */
#ifndef _FC2_BLS_H
#define _FC2_BLS_H

#include <linux/types.h>

struct fc2_port;
struct sk_buff;

bool fc2_bls_rx(struct fc2_port *port, struct sk_buff *skb);

#endif
