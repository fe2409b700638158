/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that RDMA from the other side touches.
 */
#ifndef _FCVI_RX_RDMA_H
#define _FCVI_RX_RDMA_H

#include "rx_msg.h"

bool fcvi_rx_rdma_allowed(const struct fcvi_rx_msg *m);
int fcvi_rx_rdma_write(const struct fcvi_rx_msg *m, u32 offset, struct sk_buff *skb);
struct sk_buff *fcvi_rx_rdma_read(const struct fcvi_rx_msg *m, u32 offset, u32 len);

#endif
