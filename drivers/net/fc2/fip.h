/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames of FIP, FC-BB-5 and FC-BB-6: reading, building and sending.
 */
#ifndef _FC2_FIP_H
#define _FC2_FIP_H

#include <linux/if_ether.h>
#include <linux/types.h>

struct fc2_port;
struct sk_buff;

/**
 * struct fc2_fip - what a FIP frame says
 * @op: enum fip_opcode
 * @subcode: of that
 * @flags: mask of enum fip_flag
 * @has: BIT(enum fip_desc_type) of all critical descriptors in it; those below count with that bit
 * @mac: FIP_DT_MAC
 * @name: FIP_DT_NAME
 * @vn_mac: FIP_DT_VN_ID: MAC address of the VN_Port
 * @vn_id: FIP_DT_VN_ID: its N_Port ID
 * @wwpn: FIP_DT_VN_ID: its Port_Name
 * @size: FIP_DT_FCOE_SIZE: longest FCoE frame, from the FCoE header to the end of EOF
 * @priority: FIP_DT_PRI: the lower, the better
 * @vfid: FIP_DT_FAB: number of the virtual fabric
 * @fc_map: FIP_DT_FAB: the first three bytes of MAC addresses of VN_Ports
 * @fabric: FIP_DT_FAB: name of the fabric
 * @fka: FIP_DT_FKA: time between keep-alive frames, in milliseconds
 * @quiet: FIP_DT_FKA: the ENode need not send any
 * @els: FIP_OP_LS: type of the descriptor with an ELS
 * @els_pos: where the FC frame in it begins
 * @els_len: bytes of that
 */
struct fc2_fip {
	u16		op;
	u8		subcode;
	u16		flags;
	u32		has;
	u8		mac[ETH_ALEN];
	u64		name;
	u8		vn_mac[ETH_ALEN];
	u32		vn_id;
	u64		wwpn;
	u16		size;
	u8		priority;
	u16		vfid;
	u32		fc_map;
	u64		fabric;
	u32		fka;
	bool		quiet;
	u8		els;
	unsigned int	els_pos;
	unsigned int	els_len;
};

/* FIP_ALL_ENODE_MACS, FIP_ALL_FCF_MACS, FIP_ALL_VN2VN_MACS */
extern const u8 fc2_fip_all_enodes[ETH_ALEN];
extern const u8 fc2_fip_all_fcfs[ETH_ALEN];
extern const u8 fc2_fip_all_vn2vn[ETH_ALEN];

int fc2_fip_parse(struct fc2_fip *fip, const void *data, unsigned int len);
bool fc2_fip_has_vn_id(const void *data, u32 id, const u8 *mac, u64 wwpn);

void fc2_fip_arm(struct fc2_port *port, unsigned long delay);

struct sk_buff *fc2_fip_alloc(struct fc2_port *port, u16 op, u8 subcode, u16 flags,
			      unsigned int size);
void fc2_fip_put_mac(struct sk_buff *skb, const u8 *mac);
void fc2_fip_put_name(struct sk_buff *skb, u64 name);
void fc2_fip_put_vn_id(struct sk_buff *skb, u32 id, const u8 *mac, u64 wwpn);
void fc2_fip_put_fc4s(struct sk_buff *skb);
void fc2_fip_put_size(struct sk_buff *skb, u16 size);
void fc2_fip_send(struct fc2_port *port, struct sk_buff *skb, const u8 *src, const u8 *dst,
		  unsigned int min);
int fc2_fip_els_send(struct fc2_port *port, struct sk_buff *skb, u8 dtype, const u8 *dst);

#endif
