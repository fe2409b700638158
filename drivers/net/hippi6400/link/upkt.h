/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The micropacket, HIPPI-6400-PH 4.4: fields, CRCs, encoding and decoding.
 */
#ifndef _HIPPI6400_UPKT_H
#define _HIPPI6400_UPKT_H

#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/if_ether.h>
#include <linux/types.h>

#include "../hippi6400_csr.h"
#include "values.h"

/* Control bits, c00 in bit 0 */
#define H64_C_VC	GENMASK_ULL(1, 0)
#define H64_C_TYPE	GENMASK_ULL(5, 2)
#define H64_C_TAIL	BIT_ULL(6)
#define H64_C_ERROR	BIT_ULL(7)
#define H64_C_VCR	GENMASK_ULL(9, 8)
#define H64_C_CR	GENMASK_ULL(15, 10)
#define H64_C_TSEQ	GENMASK_ULL(23, 16)
#define H64_C_RSEQ	GENMASK_ULL(31, 24)
#define H64_C_ECRC	GENMASK_ULL(47, 32)
#define H64_C_LCRC	GENMASK_ULL(63, 48)
/* Control bits covered by the LCRC */
#define H64_C_COVERED	GENMASK_ULL(47, 0)

#define H64_CR_MAX	63

#define H64_POLY_LCRC	0x100b
#define H64_POLY_ECRC	0x1021

/**
 * struct h64_upkt - a micropacket as stored in a ring
 * @data: DB00-DB31
 * @ctrl: c00-c63
 */
struct h64_upkt {
	u8 data[H64_UPKT_DATA];
	__le64 ctrl;
} __aligned(8);
static_assert(sizeof(struct h64_upkt) == H64_UPKT_SIZE);

/**
 * struct h64_msg_hdr - data bytes of a Header micropacket, HIPPI-6400-PH 4.5
 * @d_ula: Universal LAN Address of the destination
 * @s_ula: Universal LAN Address of the source
 * @m_len: number of bytes after this field, without padding
 * @snap: DSAP, SSAP, Ctl and Org
 * @proto: EtherType
 * @payload: the first bytes of the payload
 */
struct h64_msg_hdr {
	u8 d_ula[ETH_ALEN];
	u8 s_ula[ETH_ALEN];
	__be32 m_len;
	u8 snap[6];
	__be16 proto;
	u8 payload[8];
};

static_assert(sizeof(struct h64_msg_hdr) == H64_UPKT_DATA);

/* The part of M_len that is no payload */
#define H64_SNAP_LEN		8
/* Payload in the Header micropacket */
#define H64_HDR_PAYLOAD		8

/**
 * struct h64_crcs - both CRCs over the same bytes
 * @lcrc: link CRC
 * @ecrc: end-to-end CRC
 */
struct h64_crcs {
	u16 lcrc;
	u16 ecrc;
};

/**
 * enum h64_verdict - result of the decoder
 * @H64_GOOD: the LCRC is right and the TYPE is known
 * @H64_BAD_LCRC: no part of the micropacket can be trusted
 * @H64_RESERVED: the LCRC is right, the TYPE is reserved
 */
enum h64_verdict {
	H64_GOOD,
	H64_BAD_LCRC,
	H64_RESERVED,
};

extern const u8 h64_snap[6];
extern u16 h64_zero_ecrc;

u16 h64_crc(u16 poly, u16 crc, const void *buf, size_t len);
void h64_crc_upkt(void *dst, const void *src, struct h64_crcs *crcs, bool clmul);
__le64 h64_upkt_seal(u64 ctrl, u16 lcrc);
void h64_upkt_encode_zero(struct h64_upkt *upkt, u64 ctrl);
enum h64_verdict h64_upkt_decode(void *dst, const struct h64_upkt *upkt, u64 ctrl, u16 *ecrc,
				 bool clmul);

/**
 * h64_upkt_ctrl - read the control bits of a micropacket once
 * @upkt: the micropacket, in memory that a card can write
 *
 * Return: c00-c63.
 */
static inline u64 h64_upkt_ctrl(const struct h64_upkt *upkt)
{
	return le64_to_cpu(READ_ONCE(upkt->ctrl));
}

/**
 * h64_msg_upkts - number of micropackets of a Message
 * @payload: number of bytes after the EtherType
 *
 * Return: the number, the Header included.
 */
static inline u32 h64_msg_upkts(u32 payload)
{
	if (payload <= H64_HDR_PAYLOAD)
		return 1;
	return 1 + (payload - H64_HDR_PAYLOAD - 1) / H64_UPKT_DATA + 1;
}

/**
 * h64_vc_limit - size of the largest Message of a Virtual Channel
 * @vc: 0 to 3
 *
 * Return: number of micropackets, the Header included.
 */
static inline u32 h64_vc_limit(unsigned int vc)
{
	static const u32 limit[] = {
		H64_VC0_LIMIT, H64_VC1_LIMIT, H64_VC2_LIMIT, H64_VC3_LIMIT,
	};

	return limit[vc & 3];
}

#endif
