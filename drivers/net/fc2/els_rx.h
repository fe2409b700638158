/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ELS frames that have come.
 */
#ifndef _FC2_ELS_RX_H
#define _FC2_ELS_RX_H

#include <linux/types.h>

struct fc2_port;

void fc2_els_rx_stray(struct fc2_port *port, u32 id);
void fc2_els_port_begin(struct fc2_port *port);
void fc2_els_port_end(struct fc2_port *port);

#endif
