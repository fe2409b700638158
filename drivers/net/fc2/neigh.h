/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Neighbours of a port in VN2VN mode.
 */
#ifndef _FC2_NEIGH_H
#define _FC2_NEIGH_H

#include <linux/if_ether.h>
#include <linux/types.h>

struct fc2_port;

/**
 * struct fc2_neighbour - a VN_Port that has claimed its N_Port ID, under fc2_port.lock
 * @id: its N_Port ID
 * @wwpn: its Port_Name
 * @wwnn: its Node_Name
 * @vn_mac: its MAC address, for FCoE
 * @enode_mac: MAC address of its ENode, for FIP
 * @size: its longest FCoE frame
 * @heard: when it was heard last, in jiffies
 * @settled: its Beacon, or FLOGI, has been seen: it keeps the ID
 * @told: fc2_rport_neighbour() has been called
 */
struct fc2_neighbour {
	u32		id;
	u64		wwpn;
	u64		wwnn;
	u8		vn_mac[ETH_ALEN];
	u8		enode_mac[ETH_ALEN];
	u16		size;
	unsigned long	heard;
	bool		settled;
	bool		told;
};

struct fc2_neighbour *fc2_neighbour_find(struct fc2_port *port, u32 id);
struct fc2_neighbour *fc2_neighbour_by_wwpn(struct fc2_port *port, u64 wwpn);
struct fc2_neighbour *fc2_neighbour_add(struct fc2_port *port, u32 id);
void fc2_neighbour_del(struct fc2_port *port, struct fc2_neighbour *neighbour);

#endif
