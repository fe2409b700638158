/* SPDX-License-Identifier: GPL-2.0 */
/*
 * VN2VN, FC-BB-6: how ports without a fabric agree on N_Port IDs and find each other.
 */
#ifndef _FC2_VN2VN_H
#define _FC2_VN2VN_H

#include <linux/types.h>

#include "neigh.h"

struct ethhdr;
struct fc2_fip;
struct fc2_port;

/* A neighbour is forgotten after 2.5 Beacons that did not come, FC-BB-6 */
#define FC2_VN2VN_AGE_MS	20000

void fc2_vn2vn_start(struct fc2_port *port);
void fc2_vn2vn_stop(struct fc2_port *port);
void fc2_vn2vn_timeout(struct fc2_port *port);
void fc2_vn2vn_rx(struct fc2_port *port, const struct ethhdr *eth, const struct fc2_fip *fip,
		  unsigned int len);
bool fc2_vn2vn_els(struct fc2_port *port, u32 s_id, const u8 *src);

#endif
