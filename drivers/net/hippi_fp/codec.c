// SPDX-License-Identifier: GPL-2.0
/*
 * FP_Headers: word 0 is ULP-id, P, B, D1_Area_Size and D2_Offset, word 1 is D2_Size.
 */
#include <kunit/visibility.h>
#include <linux/bitfield.h>
#include <linux/export.h>
#include <linux/unaligned.h>

#include "codec.h"

/**
 * hfp_build - write an FP_Header
 * @hdr: where to
 * @packet: what it says; the D1_Area and the D2_Offset are not too long
 */
void hfp_build(struct hfp_hdr *hdr, const struct hfp_packet *packet)
{
	u32 word = FIELD_PREP(HFP_HDR_ULP, packet->ulp) |
		   FIELD_PREP(HFP_HDR_D1_AREA, packet->d1_area / HFP_WORD) |
		   FIELD_PREP(HFP_HDR_D2_OFFSET, packet->d2_offset);

	if (packet->has_d1)
		word |= HFP_HDR_P;
	if (packet->burst)
		word |= HFP_HDR_B;
	put_unaligned_be32(word, hdr);
	hdr->d2_size = cpu_to_be32(packet->d2_size);
}
EXPORT_SYMBOL_IF_KUNIT(hfp_build);

/**
 * hfp_parse - read and check an FP_Header
 * @packet: gets what it says
 * @hdr: the header, readable if @len is not less than its length
 * @len: bytes of the packet, with Fill
 *
 * Fill may be of any length and content, and reserved bits are not looked at: a carrier may pad.
 *
 * Return: negative when the packet is good, otherwise the &enum hfp_stat of what is wrong.
 */
int hfp_parse(struct hfp_packet *packet, const struct hfp_hdr *hdr, unsigned int len)
{
	unsigned int at;
	u32 word;

	if (len < HFP_HDR_LEN)
		return HFP_STAT_SHORT;
	word = get_unaligned_be32(hdr);
	packet->ulp = FIELD_GET(HFP_HDR_ULP, word);
	packet->has_d1 = word & HFP_HDR_P;
	packet->burst = word & HFP_HDR_B;
	packet->d2_offset = FIELD_GET(HFP_HDR_D2_OFFSET, word);
	packet->d1_area = FIELD_GET(HFP_HDR_D1_AREA, word) * HFP_WORD;
	packet->d2_size = be32_to_cpu(hdr->d2_size);
	if (packet->d1_area > HFP_D1_AREA_MAX)
		return HFP_STAT_D1_AREA;
	at = hfp_d2_at(packet);
	if (at > len || (packet->d2_size != HFP_D2_UNKNOWN && packet->d2_size > len - at))
		return HFP_STAT_TRUNCATED;
	return -1;
}
EXPORT_SYMBOL_IF_KUNIT(hfp_parse);
