/* SPDX-License-Identifier: GPL-2.0 */
/*
 * HIPPI-FP ports, for the upper-layer protocols (ULPs) above them.
 *
 * A HIPPI-FP packet is FP_Header | D1_Area | D2_Area.  D1 is control information, D2 is data; the
 * D2_Area begins with up to seven unused bytes, the D2_Offset, and ends with Fill.
 */
#ifndef _LINUX_HIPPI_FP_H
#define _LINUX_HIPPI_FP_H

#include <linux/if_ether.h>
#include <linux/list.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/types.h>

/* "HIPPI-FP encapsulation", ST 5.2.6 */
#define ETH_P_HIPPI_FP		0x8180

/* ULP-ids */
#define HFP_ULP_LE		0x04	/* ISO 8802-2 (HIPPI-LE), RFC 2067 */
#define HFP_ULP_ST		0x0c	/* HIPPI-6400 encapsulation, ST A.2 */
#define HFP_ULP_MP		0x80	/* HIPPI-MP: for local use, as its own is not public */

#define HFP_HDR_LEN		8	/* FP_Header */
#define HFP_WORD		8	/* bytes of a word of D1_Area_Size and of Fill */
#define HFP_D1_AREA_MAX		1016	/* a burst with the FP_Header, HIPPI-MP 5.3.2 */
#define HFP_D2_OFFSET_MAX	7
#define HFP_D2_UNKNOWN		0xffffffff	/* D2_Size: all that comes */

/* Bytes in front of the D2_Data_Set that hfp_xmit() needs, beside those of the device and D1 */
#define HFP_HEADROOM		(HFP_HDR_LEN + HFP_D2_OFFSET_MAX)

/**
 * struct hfp_link_hdr - header of the network device of a port, in front of the FP_Header
 * @dest: the port's address of the receiver; all ones: all that the carrier reaches
 * @source: the port's address of the sender
 *
 * It is not on the wire: the carrier has a header of its own, which is made of this.
 */
struct hfp_link_hdr {
	u8	dest[ETH_ALEN];
	u8	source[ETH_ALEN];
} __packed;

/**
 * struct hfp_hdr - FP_Header, in the byte order of the wire
 * @ulp: ULP-id
 * @bits: P, B, D1_Area_Size and D2_Offset, HFP_HDR_*
 * @d2_size: bytes of the D2_Data_Set
 */
struct hfp_hdr {
	u8	ulp;
	u8	bits[3];
	__be32	d2_size;
} __packed;

/* Word 0 as a number */
#define HFP_HDR_ULP		GENMASK(31, 24)
#define HFP_HDR_P		BIT(23)		/* there is a D1_Data_Set */
#define HFP_HDR_B		BIT(22)		/* the D2_Area begins at the second burst */
#define HFP_HDR_D1_AREA		GENMASK(10, 3)	/* words */
#define HFP_HDR_D2_OFFSET	GENMASK(2, 0)

/**
 * enum hfp_status - how a packet, or a PDU of several chunks, arrived, HIPPI-MP 6.5
 * @HFP_GOOD: whole
 * @HFP_LOWER_ERROR: with an error that the layer below has told of, HIPPI-MP 6.5.1
 */
enum hfp_status {
	HFP_GOOD,
	HFP_LOWER_ERROR,
};

/**
 * struct hfp_req - what the packet of FP_TRANSFER.Request has beside the D2_Data_Set
 * @ulp: ULP-id
 * @d2_offset: unused bytes before the D2_Data_Set, 0 to 7
 * @burst: Start_D2_on_Burst_Boundary
 * @d1_size: bytes of the D1_Data_Set, 0 to %HFP_D1_AREA_MAX
 * @d1: the D1_Data_Set; copied
 */
struct hfp_req {
	u8		ulp;
	u8		d2_offset;
	bool		burst;
	u16		d1_size;
	const void	*d1;
};

/**
 * struct hfp_ind - what a ULP is told of a packet beside the D2_Data_Set, FP_TRANSFER.Indicate
 * @source: address of the sender, %ETH_ALEN bytes
 * @d1: the D1_Area, padded to words; the D1_Data_Set says itself how long it is.  NULL: there is
 *	no D1_Data_Set, P is 0
 * @d1_size: bytes of the D1_Area
 * @d2_size: bytes of the D2_Data_Set, those of the skb
 * @d2_offset: D2_Offset
 * @burst: the D2_Area began at the second burst
 * @known: D2_Size was given, not %HFP_D2_UNKNOWN
 * @group: the packet was sent to all, not to this port alone
 * @status: how it arrived
 */
struct hfp_ind {
	const u8	*source;
	const void	*d1;
	u16		d1_size;
	u32		d2_size;
	u8		d2_offset;
	bool		burst;
	bool		known;
	bool		group;
	enum hfp_status	status;
};

/**
 * struct hfp_ulp - an upper-layer protocol
 * @owner: THIS_MODULE
 * @list: private to hippi_fp
 * @id: its ULP-id; one ULP of an id
 * @rcv: a packet has arrived at a port.  @skb is the D2_Data_Set, without Fill, with the D1_Area
 *	and the headers still in front of it; consumed.  @ind and what it points to are valid
 *	during the call.  Softirq, under RCU, no lock of hippi_fp.
 */
struct hfp_ulp {
	struct module		*owner;
	struct list_head	list;
	u8			id;
	void (*rcv)(struct net_device *dev, struct sk_buff *skb, const struct hfp_ind *ind);
};

int hfp_register_ulp(struct hfp_ulp *ulp);
void hfp_unregister_ulp(struct hfp_ulp *ulp);

bool hfp_is_port(const struct net_device *dev);
unsigned int hfp_packet_max(const struct net_device *dev);
bool hfp_is_reliable(const struct net_device *dev);
int hfp_xmit(struct net_device *dev, struct sk_buff *skb, const struct hfp_req *req,
	     const u8 *dest);

#endif
