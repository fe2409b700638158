/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames to the device below.
 */
#ifndef _RIO9_ETH_SEND_H
#define _RIO9_ETH_SEND_H

#include "peer.h"

extern const struct rio9_port_ops rio9_eth_ops;

enum hrtimer_restart rio9_eth_timer(struct hrtimer *timer);
void rio9_eth_write_space(struct sock *sk);
void rio9_eth_drop_open(struct rio9_eth_peer *peer);
void rio9_eth_send_hello(struct rio9_eth *e, const struct rio9_eth_frame *f);

#endif
