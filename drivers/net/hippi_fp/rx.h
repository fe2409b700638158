/* SPDX-License-Identifier: GPL-2.0 */
/* Packets that arrive. */
#ifndef _HFP_RX_H
#define _HFP_RX_H

#include <linux/netdevice.h>

struct hfp_port;

void hfp_rx_begin(struct hfp_port *port);
void hfp_rx_end(struct hfp_port *port);

#endif
