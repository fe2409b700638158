// SPDX-License-Identifier: GPL-2.0
/*
 * Receiving: micropackets into Messages, HIPPI-6400-PH 4.5.  One pass computes
 * both CRCs and copies the data bytes to their place, in the skb or in memory
 * that a protocol chose.  They count only if the link then accepts the
 * micropacket.
 */

#include <kunit/visibility.h>
#include <linux/etherdevice.h>
#include <linux/export.h>
#include <linux/highmem.h>
#include <linux/minmax.h>
#include <linux/skbuff.h>
#include <net/page_pool/helpers.h>

#include "msg.h"

/* A Message with at most this many Data micropackets is all in the linear part */
#define H64_RX_COPY	8
/* Of a longer one this many are, for the headers of protocols */
#define H64_RX_LINEAR	4
/* This many micropackets hold HIPPI6400_PLACE_HDR bytes of payload */
#define H64_RX_ASK	2

/* Maximum length of an skb */
#define H64_MAX_PLACED	(INT_MAX - ETH_HLEN)

static_assert(H64_HDR_PAYLOAD + (H64_RX_ASK - 1) * H64_UPKT_DATA == HIPPI6400_PLACE_HDR);
static_assert(H64_RX_ASK - 1 <= H64_RX_LINEAR);
static_assert(DIV_ROUND_UP(H64_MAX_PAYLOAD, PAGE_SIZE) <= MAX_SKB_FRAGS);

/**
 * h64_msg_rx_init - initialise a receiving side
 * @rx: the receiving side
 * @link: the link; its ops->drop has to call h64_msg_rx_drop()
 * @dev: the netdev, or NULL
 * @pool: page pool without DMA mapping
 */
void h64_msg_rx_init(struct h64_msg_rx *rx, struct h64_link *link, struct net_device *dev,
		     struct page_pool *pool)
{
	unsigned int vc;

	rx->link = link;
	rx->dev = dev;
	rx->pool = pool;
	__skb_queue_head_init(&rx->dropped);
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		rx->vc[vc].skb = NULL;
		rx->vc[vc].placing.placer = NULL;
		rx->vc[vc].busy = false;
	}
}
EXPORT_SYMBOL_IF_KUNIT(h64_msg_rx_init);

/* The holder of the lock frees it after unlocking */
static void h64_rx_free(struct h64_msg_rx *rx, struct h64_rx_vc *v)
{
	if (v->placing.placer)
		h64_place_end(v, false);
	if (v->skb)
		__skb_queue_tail(&rx->dropped, v->skb);
	v->skb = NULL;
	v->room = 0;
}

/* The link accepts the rest of the Message, and it is discarded here */
static void h64_rx_bad(struct h64_msg_rx *rx, struct h64_rx_vc *v, u64 *counter)
{
	(*counter)++;
	v->bad = true;
	h64_rx_free(rx, v);
}

static bool h64_rx_more_room(struct h64_msg_rx *rx, struct h64_rx_vc *v)
{
	struct sk_buff *skb = v->skb;
	struct page *page;
	u32 len;

	page = page_pool_dev_alloc_pages(rx->pool);
	if (!page)
		return false;
	len = min_t(u32, v->left, PAGE_SIZE);
	skb_mark_for_recycle(skb);
	skb_add_rx_frag(skb, skb_shinfo(skb)->nr_frags, page, 0, len, PAGE_SIZE);
	v->left -= len;
	v->dst = page_address(page);
	v->room = PAGE_SIZE;
	return true;
}

/*
 * Returns the destination of the data bytes of a Data micropacket.  Before the
 * LCRC is checked its VC may be wrong, but then nothing relies on the bytes
 * written.  @mapped: the caller unmaps it.
 */
static void *h64_rx_place(struct h64_msg_rx *rx, struct h64_rx_vc *v, void **mapped)
{
	if (!v->skb || v->seen == v->total)
		return rx->scratch;
	if (v->placing.placer) {
		*mapped = h64_place_map(v);
		return *mapped ?: rx->scratch;
	}
	if (!v->room && !h64_rx_more_room(rx, v))
		return rx->scratch;
	return v->dst;
}

static bool h64_rx_start_skb(struct h64_msg_rx *rx, struct h64_rx_vc *v,
			     const struct h64_msg_hdr *hdr, u32 payload)
{
	u32 head = min_t(u32, payload, H64_HDR_PAYLOAD);
	u32 data = v->total - 1;
	struct sk_buff *skb;
	struct ethhdr *eth;
	u32 len;

	if (data > H64_RX_COPY)
		data = H64_RX_LINEAR;
	skb = netdev_alloc_skb_ip_align(rx->dev, ETH_HLEN + H64_HDR_PAYLOAD +
					data * H64_UPKT_DATA);
	if (!skb)
		return false;

	eth = skb_put(skb, ETH_HLEN);
	ether_addr_copy(eth->h_dest, hdr->d_ula);
	ether_addr_copy(eth->h_source, hdr->s_ula);
	eth->h_proto = hdr->proto;
	skb_put_data(skb, hdr->payload, head);

	/* The padding of the last micropacket lies behind the data that is put */
	v->dst = skb_tail_pointer(skb);
	v->room = data * H64_UPKT_DATA;
	len = min(payload - head, v->room);
	skb_put(skb, len);
	v->left = payload - head - len;
	v->skb = skb;
	return true;
}

static void h64_rx_header(struct h64_msg_rx *rx, unsigned int vc)
{
	const struct h64_msg_hdr *hdr = (const struct h64_msg_hdr *)rx->scratch;
	u32 m_len = be32_to_cpu(hdr->m_len);
	struct h64_rx_vc *v = &rx->vc[vc];
	u32 payload;

	if (m_len < H64_SNAP_LEN) {
		h64_rx_bad(rx, v, &rx->m_len_errors);
		return;
	}
	payload = m_len - H64_SNAP_LEN;
	v->total = h64_msg_upkts(payload);
	if (v->total > h64_vc_limit(vc))
		h64_rx_bad(rx, v, &rx->over_limit);
	else if (memcmp(hdr->snap, h64_snap, sizeof(hdr->snap)))
		h64_rx_bad(rx, v, &rx->bad_snap);
	else if (payload > H64_MAX_PLACED ||
		 (payload > H64_MAX_PAYLOAD && !h64_place_known(hdr->proto)))
		h64_rx_bad(rx, v, &rx->too_long);
	else if (!h64_rx_start_skb(rx, v, hdr, payload))
		h64_rx_bad(rx, v, &rx->no_memory);
}

/* The header that a protocol needs is complete: ask it for a place for the rest */
static void h64_rx_ask(struct h64_msg_rx *rx, unsigned int vc)
{
	struct h64_rx_vc *v = &rx->vc[vc];
	u32 payload = v->skb->len - ETH_HLEN + v->left;
	bool only = payload > H64_MAX_PAYLOAD;

	if (!h64_place_begin(rx, vc, payload - HIPPI6400_PLACE_HDR, only) && only)
		h64_rx_bad(rx, v, hippi6400_can_place(rx->dev) ? &rx->too_long : &rx->xdp_too_long);
}

/* @scratch: the data bytes, unless they were decoded to their place */
static void h64_rx_data(struct h64_msg_rx *rx, unsigned int vc, const u8 *scratch)
{
	struct h64_rx_vc *v = &rx->vc[vc];
	int err;

	if (v->seen == v->total) {
		h64_rx_bad(rx, v, &rx->m_len_errors);
		return;
	}
	v->seen++;
	if (v->placing.placer) {
		err = h64_place_data(v, scratch);
		if (err)
			h64_rx_bad(rx, v, err == -ENOMEM ? &rx->no_memory : &rx->place_cancelled);
		return;
	}
	if (!v->room) {
		h64_rx_bad(rx, v, &rx->no_memory);
		return;
	}
	v->dst += H64_UPKT_DATA;
	v->room -= H64_UPKT_DATA;
	if (v->seen == H64_RX_ASK && v->seen < v->total)
		h64_rx_ask(rx, vc);
}

static struct sk_buff *h64_rx_tail(struct h64_msg_rx *rx, struct h64_rx_vc *v)
{
	struct sk_buff *skb;

	v->busy = false;
	if (!v->bad && v->seen != v->total)
		h64_rx_bad(rx, v, &rx->m_len_errors);
	if (v->bad)
		return NULL;
	if (v->placing.placer) {
		bool good = h64_place_done(rx, v);

		h64_place_end(v, good);
		if (!good) {
			h64_rx_free(rx, v);
			return NULL;
		}
	}
	skb = v->skb;
	v->skb = NULL;
	v->stats.messages++;
	v->stats.bytes += skb->len;
	return skb;
}

/* Handles a Header or Data micropacket that the link accepted, with credit or without */
static struct sk_buff *h64_rx_accepted(struct h64_msg_rx *rx, u64 ctrl, u16 ecrc, bool credit,
				       const u8 *scratch)
{
	bool header = FIELD_GET(H64_C_TYPE, ctrl) == H64_TYPE_HEADER;
	unsigned int vc = FIELD_GET(H64_C_VC, ctrl);
	struct h64_rx_vc *v = &rx->vc[vc];

	v->stats.upkts++;
	if (header) {
		/* A Message is counted once, for its first error */
		if (v->busy && !v->bad)
			h64_rx_bad(rx, v, &rx->header_without_tail);
		v->busy = true;
		v->bad = false;
		v->seen = 1;
	} else if (!v->busy) {
		rx->data_without_header++;
		return NULL;
	}
	v->ecrc = ecrc;

	if (v->bad)
		;
	else if (!credit)
		h64_rx_bad(rx, v, &rx->no_room);
	else if (ecrc != FIELD_GET(H64_C_ECRC, ctrl))
		h64_rx_bad(rx, v, &rx->ecrc_errors);
	else if (ctrl & H64_C_ERROR)
		h64_rx_bad(rx, v, &rx->error_marked);
	else if (header)
		h64_rx_header(rx, vc);
	else
		h64_rx_data(rx, vc, scratch);

	return ctrl & H64_C_TAIL ? h64_rx_tail(rx, v) : NULL;
}

/**
 * h64_msg_rx - handle a received micropacket
 * @rx: the receiving side
 * @upkt: the micropacket, in memory that a card can write
 * @now: the time
 *
 * Return: the Message that it completes, with an Ethernet header, or NULL.
 */
struct sk_buff *h64_msg_rx(struct h64_msg_rx *rx, const struct h64_upkt *upkt, u64 now)
{
	u64 ctrl = h64_upkt_ctrl(upkt);
	unsigned int vc = FIELD_GET(H64_C_VC, ctrl);
	enum h64_verdict verdict;
	struct sk_buff *skb = NULL;
	u16 ecrc = H64_CRC_PRESET;
	void *dst = rx->scratch, *mapped = NULL;
	const u8 *scratch;

	if (FIELD_GET(H64_C_TYPE, ctrl) == H64_TYPE_DATA && rx->vc[vc].busy) {
		ecrc = rx->vc[vc].ecrc;
		dst = h64_rx_place(rx, &rx->vc[vc], &mapped);
	}
	verdict = h64_upkt_decode(dst, upkt, ctrl, &ecrc, rx->link->clmul);
	if (mapped)
		kunmap_local(mapped);
	scratch = mapped ? NULL : rx->scratch;

	switch (h64_link_rx(rx->link, ctrl, verdict, ecrc, now)) {
	case H64_RX_MESSAGE:
		skb = h64_rx_accepted(rx, ctrl, ecrc, true, scratch);
		h64_credit_drained(rx->link, vc);
		break;
	case H64_RX_NO_CREDIT:
		h64_rx_accepted(rx, ctrl, ecrc, false, scratch);
		break;
	case H64_RX_ADMIN:
		h64_admin_rx(rx->link, rx->scratch, now);
		break;
	default:
		break;
	}
	return skb;
}
EXPORT_SYMBOL_IF_KUNIT(h64_msg_rx);

/**
 * h64_msg_rx_drop - drop incomplete Messages with the state of the link
 * @rx: the receiving side
 */
void h64_msg_rx_drop(struct h64_msg_rx *rx)
{
	struct h64_rx_vc *v;

	for (v = rx->vc; v < rx->vc + HIPPI6400_NUM_VCS; v++) {
		rx->lost += v->busy && !v->bad;
		v->busy = false;
		h64_rx_free(rx, v);
	}
}
EXPORT_SYMBOL_IF_KUNIT(h64_msg_rx_drop);

/**
 * h64_msg_rx_forget - drop the Messages that are being placed for a protocol
 * @rx: the receiving side
 * @placer: the protocol
 *
 * Messages that are being placed for it are dropped.
 */
void h64_msg_rx_forget(struct h64_msg_rx *rx, const struct hippi6400_placer *placer)
{
	struct h64_rx_vc *v;

	for (v = rx->vc; v < rx->vc + HIPPI6400_NUM_VCS; v++)
		if (v->placing.placer == placer)
			h64_rx_bad(rx, v, &rx->place_cancelled);
}
