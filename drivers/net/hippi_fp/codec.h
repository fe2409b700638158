/* SPDX-License-Identifier: GPL-2.0 */
/* FP_Headers. */
#ifndef _HFP_CODEC_H
#define _HFP_CODEC_H

#include <linux/hippi_fp.h>

#include "stats.h"

/**
 * struct hfp_packet - what the FP_Header says of a packet
 * @ulp: ULP-id
 * @has_d1: P, there is a D1_Data_Set
 * @burst: B, the D2_Area begins at the second burst
 * @d2_offset: unused bytes before the D2_Data_Set
 * @d1_area: bytes of the D1_Area, a multiple of %HFP_WORD
 * @d2_size: bytes of the D2_Data_Set, or %HFP_D2_UNKNOWN
 */
struct hfp_packet {
	u8	ulp;
	bool	has_d1;
	bool	burst;
	u8	d2_offset;
	u16	d1_area;
	u32	d2_size;
};

/**
 * hfp_d2_at - where the D2_Data_Set of a packet begins
 * @packet: the packet
 *
 * Return: bytes from the FP_Header on.
 */
static inline unsigned int hfp_d2_at(const struct hfp_packet *packet)
{
	return HFP_HDR_LEN + packet->d1_area + packet->d2_offset;
}

void hfp_build(struct hfp_hdr *hdr, const struct hfp_packet *packet);
int hfp_parse(struct hfp_packet *packet, const struct hfp_hdr *hdr, unsigned int len);

#endif
