// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include <linux/if_ether.h>

#include "frame_fp.h"

#define ST_LEN		40	/* Schedule Header */
#define WORD		8
#define MAC_LEN		16	/* D_ULA, S_ULA, M_len */
#define LLC_SNAP_LEN	8

enum { ULP_ID_ST = 0x0c };

static void put32(__u8 *p, __u32 v)
{
	p[0] = v >> 24;
	p[1] = v >> 16;
	p[2] = v >> 8;
	p[3] = v;
}

static __u32 get32(const __u8 *p)
{
	return (__u32)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

/* All headers of the D2_Data_Set are words */
size_t fp_fill(size_t len)
{
	return -len % WORD;
}

void fp_head(__u8 *head, const __u8 *to, const __u8 *from, size_t len)
{
	__u8 *fp = head + ETH_HLEN, *mac = fp + WORD;

	memcpy(head, to, ETH_ALEN);
	memcpy(head + ETH_ALEN, from, ETH_ALEN);
	head[12] = ETHERTYPE_HIPPI_FP >> 8;
	head[13] = ETHERTYPE_HIPPI_FP & 0xff;
	put32(fp, (__u32)ULP_ID_ST << 24);
	put32(fp + 4, MAC_LEN + LLC_SNAP_LEN + len);
	memcpy(mac, to, ETH_ALEN);
	memcpy(mac + ETH_ALEN, from, ETH_ALEN);
	put32(mac + 2 * ETH_ALEN, LLC_SNAP_LEN + len);
	memcpy(mac + MAC_LEN, (__u8[]){ 0xaa, 0xaa, 0x03, 0, 0, 0, 0x81, 0x81 }, LLC_SNAP_LEN);
}

const char *fp_breach(const __u8 *head, const __u8 *bytes, size_t rest, size_t *len)
{
	__u32 d2_size = get32(head + ETH_HLEN + 4);
	__u8 right[FP_HEAD_LEN];
	size_t i;

	*len = rest;
	if (d2_size < MAC_LEN + LLC_SNAP_LEN + ST_LEN || d2_size > MAC_LEN + LLC_SNAP_LEN + rest)
		return "not a length of the D2_Data_Set";
	*len = d2_size - MAC_LEN - LLC_SNAP_LEN;
	/* Its addresses are those of the frame */
	fp_head(right, head, head + ETH_ALEN, *len);
	if (memcmp(head, right, FP_HEAD_LEN))
		return "not the headers of A.2";
	if (rest - *len != fp_fill(*len))
		return "not Fill to a word";
	for (i = *len; i < rest; i++)
		if (bytes[i])
			return "a Fill that is not zero";
	return NULL;
}
