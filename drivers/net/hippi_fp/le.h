/* SPDX-License-Identifier: GPL-2.0 */
/* HIPPI-LE: IP in HIPPI-FP packets. */
#ifndef _HFP_LE_H
#define _HFP_LE_H

#include <linux/hippi_fp.h>

#include "codec.h"

struct hfp_port;

/**
 * struct hfp_le_d1 - the D1_Data_Set of HIPPI-LE, RFC 2067
 * @type: FC, Double_Wide and Message_Type
 * @d_switch: Destination_Switch_Address; zeros here
 * @addr_types: kinds of the two switch addresses
 * @s_switch: Source_Switch_Address; zeros here
 * @reserved: zeros
 * @d_ula: address of the receiver
 * @local: for local administration; zeros here
 * @s_ula: address of the sender
 */
struct hfp_le_d1 {
	u8	type;
	u8	d_switch[3];
	u8	addr_types;
	u8	s_switch[3];
	u8	reserved[2];
	u8	d_ula[ETH_ALEN];
	u8	local[2];
	u8	s_ula[ETH_ALEN];
} __packed;

/**
 * struct hfp_le_snap - LLC/SNAP header
 * @llc: AA AA 03
 * @org: zeros
 * @type: EtherType
 */
struct hfp_le_snap {
	u8	llc[3];
	u8	org[3];
	__be16	type;
} __packed;

/* What is in front of a datagram, without the header of the device */
#define HFP_LE_LEN	(HFP_HDR_LEN + sizeof(struct hfp_le_d1) + sizeof(struct hfp_le_snap))

extern const struct header_ops hfp_le_header_ops;

int hfp_le_rcv(struct hfp_port *port, struct sk_buff *skb, const struct hfp_packet *packet);

#endif
