// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include <linux/if_ether.h>

#include "frame.h"

#define INNER_LEN	8	/* LLC/SNAP, A.3, or fill, A.4.2 */

static const __u8 llc_snap[INNER_LEN] = { 0xaa, 0xaa, 0x03, 0, 0, 0, 0x81, 0x81 };
static const __u8 fill[INNER_LEN];

size_t frame_head_len(bool ethernet)
{
	return ETH_HLEN + (ethernet ? INNER_LEN : 0);
}

/* Both have the same length, so that frames have the same length with either. */
static bool has_length(bool ethernet, size_t len)
{
	return ethernet && INNER_LEN + len <= ETH_DATA_LEN;
}

/* Everything behind the addresses */
static void rest_of_head(bool ethernet, __u8 *rest, size_t len)
{
	__u16 type = has_length(ethernet, len) ? INNER_LEN + len : ETHERTYPE_ST;

	rest[0] = type >> 8;
	rest[1] = type & 0xff;
	if (ethernet)
		memcpy(rest + 2, has_length(ethernet, len) ? llc_snap : fill, INNER_LEN);
}

void frame_head(bool ethernet, __u8 *head, const __u8 *to, const __u8 *from, size_t len)
{
	memcpy(head, to, ETH_ALEN);
	memcpy(head + ETH_ALEN, from, ETH_ALEN);
	rest_of_head(ethernet, head + 2 * ETH_ALEN, len);
}

const char *frame_breach(bool ethernet, const __u8 *head, size_t len)
{
	__u8 rest[FRAME_HEAD_MAX];

	rest_of_head(ethernet, rest, len);
	if (memcmp(head + 2 * ETH_ALEN, rest, 2))
		return "not its length or EtherType";
	if (memcmp(head + 2 * ETH_ALEN, rest, frame_head_len(ethernet) - 2 * ETH_ALEN))
		return has_length(ethernet, len) ? "no LLC/SNAP header" : "a fill that is not zero";
	return NULL;
}
