/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fabrics, FC-BB-5: how a port finds an FCF, and logs in with the fabric behind it.
 */
#ifndef _FC2_FABRIC_H
#define _FC2_FABRIC_H

#include <linux/if_ether.h>
#include <linux/types.h>

#include "ns.h"

struct fc2_fip;
struct fc2_port;
struct sk_buff;

/* Most FCFs that a port remembers */
#define FC2_FCFS_MAX		8

/* From the first FCF that can be used to the choice, as stock Linux has it */
#define FC2_FABRIC_CHOICE_MS	2000

/**
 * struct fc2_fcf - a switch that joins Ethernet and FC (FCoE Forwarder)
 * @mac: its MAC address; all zeros: this place is free
 * @name: its name
 * @fabric: name of the fabric
 * @vfid: number of the virtual fabric
 * @fc_map: first three bytes of MAC addresses of VN_Ports
 * @priority: the lower, the better
 * @fka_ms: time between its advertisements, and our keep-alive frames
 * @quiet: we need not send any
 * @usable: it has answered with a frame of full size, and takes FLOGI
 * @refused: FLOGI had no success
 * @heard: when it was heard last, in jiffies
 */
struct fc2_fcf {
	u8		mac[ETH_ALEN];
	u64		name;
	u64		fabric;
	u16		vfid;
	u32		fc_map;
	u8		priority;
	unsigned int	fka_ms;
	bool		quiet;
	bool		usable;
	bool		refused;
	unsigned long	heard;
};

/**
 * struct fc2_fabric - what a port knows of its fabric, under fc2_port.lock
 * @fcfs: the FCFs
 * @fcf: the one that was chosen, or NULL
 * @solicit: when to look for FCFs, in jiffies
 * @choose: whether there is one to choose
 * @choice: and when to do that, in jiffies
 * @granted_id: N_Port ID in the last answer to FLOGI
 * @granted_mac: MAC address in it
 * @r_a_tov: R_A_TOV that the fabric has told; 0: it has told no times that are in use
 * @e_d_tov: and E_D_TOV
 * @own_r_a_tov: R_A_TOV of the administrator, which it has replaced
 * @own_e_d_tov: and E_D_TOV
 * @fka: when to send the next keep-alive of the ENode, in jiffies
 * @vn_fka: and of the VN_Port
 * @ns: its Name Server
 */
struct fc2_fabric {
	struct fc2_fcf	fcfs[FC2_FCFS_MAX];
	struct fc2_fcf	*fcf;
	unsigned long	solicit;
	bool		choose;
	unsigned long	choice;
	u32		granted_id;
	u8		granted_mac[ETH_ALEN];
	u32		r_a_tov;
	u32		e_d_tov;
	u32		own_r_a_tov;
	u32		own_e_d_tov;
	unsigned long	fka;
	unsigned long	vn_fka;
	struct fc2_ns	ns;
};

void fc2_fabric_start(struct fc2_port *port);
void fc2_fabric_stop(struct fc2_port *port);
void fc2_fabric_end(struct fc2_port *port);
void fc2_fabric_timeout(struct fc2_port *port);
void fc2_fabric_rx(struct fc2_port *port, const struct sk_buff *skb, const struct fc2_fip *fip);
bool fc2_fabric_els(struct fc2_port *port, const struct sk_buff *skb, const struct fc2_fip *fip);

#endif
