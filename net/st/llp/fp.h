/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The headers of an operation in the D2_Area of a HIPPI-FP packet, ST A.2.  Inline, so that a KUnit
 * suite can have them without a port.
 */
#ifndef _ST_LLP_FP_H
#define _ST_LLP_FP_H

#include <linux/etherdevice.h>
#include <linux/hippi_fp.h>
#include <linux/llc.h>
#include <linux/skbuff.h>
#include <net/st_llp.h>

/**
 * struct st_fp_hdr - what is before the Schedule Header: that of a HIPPI-6400 Message, ST A.2
 * @d_ula: address of the receiver
 * @s_ula: address of the sender
 * @m_len: bytes after this member
 * @llc_snap: LLC/SNAP header with the EtherType of ST
 */
struct st_fp_hdr {
	u8	d_ula[ETH_ALEN];
	u8	s_ula[ETH_ALEN];
	__be32	m_len;
	u8	llc_snap[8];
} __packed;

/* Bytes of st_fp_hdr that M_len does not count */
#define ST_FP_MAC_LEN	offsetof(struct st_fp_hdr, llc_snap)

/**
 * enum st_fp_breach - what is wrong with a packet
 * @ST_FP_GOOD: nothing
 * @ST_FP_D1_OR_OFFSET: a D1_Area, a D2_Offset, or a D2_Area that begins at the second burst
 * @ST_FP_INDETERMINATE: its length is not given
 * @ST_FP_SHORT: less than the headers and a Schedule Header
 * @ST_FP_M_LEN: M_len is not the length of the packet
 * @ST_FP_SNAP: not the LLC/SNAP header of ST
 * @ST_FP_ULA: S_ULA is not the address of the sender, or D_ULA not that of the link
 * @ST_FP_LOWER: it has arrived with an error, or was sent to all
 */
enum st_fp_breach {
	ST_FP_GOOD,
	ST_FP_D1_OR_OFFSET,
	ST_FP_INDETERMINATE,
	ST_FP_SHORT,
	ST_FP_M_LEN,
	ST_FP_SNAP,
	ST_FP_ULA,
	ST_FP_LOWER,
};

static const u8 st_fp_llc_snap[] = {
	LLC_SAP_SNAP, LLC_SAP_SNAP, 0x03, 0, 0, 0, ETH_P_ST >> 8, ETH_P_ST & 0xff,
};

static_assert(sizeof(st_fp_llc_snap) == sizeof_field(struct st_fp_hdr, llc_snap));

/**
 * st_fp_push - put the headers of ST A.2 before an operation
 * @skb: the operation, at its Schedule Header
 * @daddr: address of the receiver
 * @saddr: address of the sender
 */
static inline void st_fp_push(struct sk_buff *skb, const u8 *daddr, const u8 *saddr)
{
	unsigned int len = skb->len;
	struct st_fp_hdr *hdr = skb_push(skb, sizeof(*hdr));

	ether_addr_copy(hdr->d_ula, daddr);
	ether_addr_copy(hdr->s_ula, saddr);
	hdr->m_len = cpu_to_be32(sizeof(hdr->llc_snap) + len);
	memcpy(hdr->llc_snap, st_fp_llc_snap, sizeof(hdr->llc_snap));
}

/**
 * st_fp_pull - check the headers of a packet and take them off
 * @skb: the D2_Data_Set; if it is good, at its Schedule Header when this returns
 * @ind: what else is known of the packet
 * @addr: address of the link
 *
 * Return: what is wrong with the packet, %ST_FP_GOOD: nothing.
 */
static inline enum st_fp_breach st_fp_pull(struct sk_buff *skb, const struct hfp_ind *ind,
					   const u8 *addr)
{
	const struct st_fp_hdr *hdr;

	if (ind->status != HFP_GOOD || ind->group)
		return ST_FP_LOWER;
	if (ind->d1 || ind->d1_size || ind->d2_offset || ind->burst)
		return ST_FP_D1_OR_OFFSET;
	if (!ind->known)
		return ST_FP_INDETERMINATE;
	if (skb->len < sizeof(*hdr) + ST_HDR_LEN || !pskb_may_pull(skb, sizeof(*hdr)))
		return ST_FP_SHORT;
	hdr = (const struct st_fp_hdr *)skb->data;
	if (be32_to_cpu(hdr->m_len) != skb->len - ST_FP_MAC_LEN)
		return ST_FP_M_LEN;
	if (memcmp(hdr->llc_snap, st_fp_llc_snap, sizeof(hdr->llc_snap)))
		return ST_FP_SNAP;
	if (!ether_addr_equal_unaligned(hdr->d_ula, addr) ||
	    !ether_addr_equal_unaligned(hdr->s_ula, ind->source))
		return ST_FP_ULA;
	skb_pull_rcsum(skb, sizeof(*hdr));
	return ST_FP_GOOD;
}

#endif
