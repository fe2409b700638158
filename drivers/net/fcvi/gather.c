// SPDX-License-Identifier: GPL-2.0
/*
 * The payload of a connection IU that comes in several frames, as it does to ports with a small
 * receive size: each frame has its place by its Relative Offset, FC-VI 5.8.7.
 *
 * The standard leaves open whether the offsets of RESP1 begin anew or go on behind those of the
 * request; the lowest one tells.
 */
#include <kunit/visibility.h>
#include <linux/skbuff.h>
#include <linux/string.h>

#include "gather.h"

/**
 * fcvi_gather_begin - begin a payload
 * @g: gets it
 */
void fcvi_gather_begin(struct fcvi_gather *g)
{
	memset(g, 0, sizeof(*g));
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_gather_begin);

/* What was the lowest Relative Offset is not: make room.  Return: whether there is any */
static bool fcvi_gather_lower(struct fcvi_gather *g, u32 by)
{
	if (by > sizeof(g->data) - g->end)
		return false;
	memmove(g->data + by, g->data, g->end);
	g->base -= by;
	g->end += by;
	return true;
}

/**
 * fcvi_gather_add - take what a frame has of the payload
 * @g: the payload
 * @offset: Relative Offset of the frame
 * @skb: data field of the frame
 * @skip: bytes of it before the payload
 */
void fcvi_gather_add(struct fcvi_gather *g, u32 offset, const struct sk_buff *skb,
		     unsigned int skip)
{
	unsigned int len = skb->len - skip;
	s32 below;

	if (!g->begun)
		g->base = offset;
	g->begun = true;
	below = g->base - offset;
	if (below > 0 && !fcvi_gather_lower(g, below)) {
		g->bad = true;
		return;
	}
	offset -= g->base;
	if (offset > sizeof(g->data) || len > sizeof(g->data) - offset ||
	    skb_copy_bits(skb, skip, g->data + offset, len)) {
		g->bad = true;
		return;
	}
	g->bytes += len;
	g->end = max(g->end, offset + len);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_gather_add);

/**
 * fcvi_gather_len - bytes of the payload, when its last frame has come
 * @g: the payload
 *
 * Return: the bytes; 0, which no payload has, when some are missing or came twice, or there are too
 *	many.
 */
unsigned int fcvi_gather_len(const struct fcvi_gather *g)
{
	return g->bad || g->bytes != g->end ? 0 : g->end;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_gather_len);
