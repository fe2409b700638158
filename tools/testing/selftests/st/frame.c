// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <string.h>

#include <linux/if_ether.h>

#include "frame.h"
#include "frame_fp.h"

#define INNER_LEN	8	/* LLC/SNAP, A.3, or fill, A.4.2 */
#define ID_LEN		2	/* of RapidIO; class and physical channel follow */
#define RIO9_HEAD_LEN	4

static const __u8 llc_snap[INNER_LEN] = { 0xaa, 0xaa, 0x03, 0, 0, 0, 0x81, 0x81 };
static const __u8 fill[INNER_LEN];

/* Of RapidIO: the class of a Channel, and priority and critical request flow bit of its flow */
static const __u8 cos[] = { 0xc0, 0x80, 0x40, 0x00 };
static const __u8 flow[] = { 2 << 1, 1 << 1, 0 << 1 | 1, 0 << 1 };

size_t frame_head_len(enum medium medium)
{
	if (medium == RIO9)
		return RIO9_HEAD_LEN;
	if (medium == HIPPI_FP)
		return FP_HEAD_LEN;
	return ETH_HLEN + (medium == ETHERNET ? INNER_LEN : 0);
}

/* Both have the same length, so that frames have the same length with either. */
static bool has_length(enum medium medium, size_t len)
{
	return medium == ETHERNET && INNER_LEN + len <= ETH_DATA_LEN;
}

/* Everything behind the addresses */
static void rest_of_head(enum medium medium, __u8 *rest, size_t len)
{
	__u16 type = has_length(medium, len) ? INNER_LEN + len : ETHERTYPE_ST;

	rest[0] = type >> 8;
	rest[1] = type & 0xff;
	if (medium == ETHERNET)
		memcpy(rest + 2, has_length(medium, len) ? llc_snap : fill, INNER_LEN);
}

void frame_head(enum medium medium, __u8 *head, const __u8 *to, const __u8 *from,
		unsigned int channel, size_t len)
{
	if (medium == RIO9) {
		/* Where it comes from is known to the fabric */
		memcpy(head, to, ID_LEN);
		head[ID_LEN] = cos[channel];
		head[ID_LEN + 1] = 0;
		return;
	}
	if (medium == HIPPI_FP) {
		fp_head(head, to, from, len);
		return;
	}
	memcpy(head, to, ETH_ALEN);
	memcpy(head + ETH_ALEN, from, ETH_ALEN);
	rest_of_head(medium, head + 2 * ETH_ALEN, len);
}

const __u8 *frame_from(enum medium medium, const __u8 *head)
{
	return medium == RIO9 ? head : head + ETH_ALEN;
}

static const char *rio9_breach(const __u8 *head, unsigned int channel)
{
	if (head[ID_LEN] != cos[channel])
		return "not the class of its Channel";
	return head[ID_LEN + 1] == flow[channel] ? NULL : "not the flow of its class";
}

const char *frame_breach(enum medium medium, const __u8 *head, unsigned int channel, size_t len)
{
	__u8 rest[FRAME_HEAD_MAX];

	if (medium == RIO9)
		return rio9_breach(head, channel);
	rest_of_head(medium, rest, len);
	if (memcmp(head + 2 * ETH_ALEN, rest, 2))
		return "not its length or EtherType";
	if (memcmp(head + 2 * ETH_ALEN, rest, frame_head_len(medium) - 2 * ETH_ALEN))
		return has_length(medium, len) ? "no LLC/SNAP header" : "a fill that is not zero";
	return NULL;
}
