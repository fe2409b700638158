// SPDX-License-Identifier: GPL-2.0
/*
 * Receiving: micropackets into Messages, HIPPI-6400-PH 4.5.  The data bytes go
 * to their place in the skb in the pass that computes both CRCs; they count
 * only when the link then accepts the micropacket.
 */

#include <kunit/visibility.h>
#include <linux/etherdevice.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/skbuff.h>
#include <net/page_pool/helpers.h>

#include "msg.h"

/* A Message with this many Data micropackets or fewer is all in the linear part */
#define H64_RX_COPY	8
/* Of a longer one this many are, so that the headers of protocols are */
#define H64_RX_LINEAR	4

static_assert(DIV_ROUND_UP(H64_MAX_PAYLOAD, PAGE_SIZE) <= MAX_SKB_FRAGS);

/**
 * h64_msg_rx_init - a receiving side without a Message under way
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
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		rx->vc[vc].skb = NULL;
		rx->vc[vc].busy = false;
	}
}
EXPORT_SYMBOL_IF_KUNIT(h64_msg_rx_init);

static void h64_rx_free(struct h64_rx_vc *v)
{
	kfree_skb(v->skb);
	v->skb = NULL;
	v->room = 0;
}

/* The rest of the Message is accepted by the link and thrown away here */
static void h64_rx_bad(struct h64_rx_vc *v, u64 *counter)
{
	(*counter)++;
	v->bad = true;
	h64_rx_free(v);
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
	skb_add_rx_frag(skb, skb_shinfo(skb)->nr_frags, page, 0, len, PAGE_SIZE);
	v->left -= len;
	v->dst = page_address(page);
	v->room = PAGE_SIZE;
	return true;
}

/*
 * Where the data bytes of a Data micropacket go if the link accepts it.  Its
 * VC may be wrong before the LCRC was checked, but then nothing counts on what
 * is written.
 */
static void *h64_rx_place(struct h64_msg_rx *rx, struct h64_rx_vc *v)
{
	if (!v->skb || v->seen == v->total)
		return rx->scratch;
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
	skb_mark_for_recycle(skb);

	eth = skb_put(skb, ETH_HLEN);
	ether_addr_copy(eth->h_dest, hdr->d_ula);
	ether_addr_copy(eth->h_source, hdr->s_ula);
	eth->h_proto = hdr->proto;
	skb_put_data(skb, hdr->payload, head);

	/* The padding of the last micropacket falls behind what is put */
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
		h64_rx_bad(v, &rx->m_len_errors);
		return;
	}
	payload = m_len - H64_SNAP_LEN;
	v->total = h64_msg_upkts(payload);
	if (v->total > h64_vc_limit(vc))
		h64_rx_bad(v, &rx->over_limit);
	else if (payload > H64_MAX_PAYLOAD)
		h64_rx_bad(v, &rx->too_long);
	else if (memcmp(hdr->snap, h64_snap, sizeof(hdr->snap)))
		h64_rx_bad(v, &rx->bad_snap);
	else if (!h64_rx_start_skb(rx, v, hdr, payload))
		h64_rx_bad(v, &rx->no_memory);
}

static void h64_rx_data(struct h64_msg_rx *rx, struct h64_rx_vc *v)
{
	if (v->seen == v->total) {
		h64_rx_bad(v, &rx->m_len_errors);
		return;
	}
	if (!v->room) {
		h64_rx_bad(v, &rx->no_memory);
		return;
	}
	v->seen++;
	v->dst += H64_UPKT_DATA;
	v->room -= H64_UPKT_DATA;
}

static struct sk_buff *h64_rx_tail(struct h64_msg_rx *rx, struct h64_rx_vc *v)
{
	struct sk_buff *skb;

	v->busy = false;
	if (!v->bad && v->seen != v->total)
		h64_rx_bad(v, &rx->m_len_errors);
	if (v->bad)
		return NULL;
	skb = v->skb;
	v->skb = NULL;
	v->stats.messages++;
	v->stats.bytes += skb->len;
	return skb;
}

/* A Header or Data micropacket that the link accepted, with credit or without */
static struct sk_buff *h64_rx_accepted(struct h64_msg_rx *rx, u64 ctrl, u16 ecrc, bool credit)
{
	bool header = FIELD_GET(H64_C_TYPE, ctrl) == H64_TYPE_HEADER;
	unsigned int vc = FIELD_GET(H64_C_VC, ctrl);
	struct h64_rx_vc *v = &rx->vc[vc];

	v->stats.upkts++;
	if (header) {
		if (v->busy) {
			rx->header_without_tail++;
			h64_rx_free(v);
		}
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
		h64_rx_bad(v, &rx->no_room);
	else if (ecrc != FIELD_GET(H64_C_ECRC, ctrl))
		h64_rx_bad(v, &rx->ecrc_errors);
	else if (ctrl & H64_C_ERROR)
		h64_rx_bad(v, &rx->error_marked);
	else if (header)
		h64_rx_header(rx, vc);
	else
		h64_rx_data(rx, v);

	return ctrl & H64_C_TAIL ? h64_rx_tail(rx, v) : NULL;
}

/**
 * h64_msg_rx - a micropacket arrived
 * @rx: the receiving side
 * @upkt: the micropacket, in memory that a card can write
 * @now: the time
 *
 * Return: the Message that it completes, with the Ethernet header in front, or
 * NULL.
 */
struct sk_buff *h64_msg_rx(struct h64_msg_rx *rx, const struct h64_upkt *upkt, u64 now)
{
	u64 ctrl = h64_upkt_ctrl(upkt);
	unsigned int vc = FIELD_GET(H64_C_VC, ctrl);
	enum h64_verdict verdict;
	struct sk_buff *skb = NULL;
	u16 ecrc = H64_CRC_PRESET;
	void *dst = rx->scratch;

	if (FIELD_GET(H64_C_TYPE, ctrl) == H64_TYPE_DATA && rx->vc[vc].busy) {
		ecrc = rx->vc[vc].ecrc;
		dst = h64_rx_place(rx, &rx->vc[vc]);
	}
	verdict = h64_upkt_decode(dst, upkt, ctrl, &ecrc);

	switch (h64_link_rx(rx->link, ctrl, verdict, ecrc, now)) {
	case H64_RX_MESSAGE:
		skb = h64_rx_accepted(rx, ctrl, ecrc, true);
		h64_credit_drained(rx->link, vc);
		break;
	case H64_RX_NO_CREDIT:
		h64_rx_accepted(rx, ctrl, ecrc, false);
		break;
	default:
		break;
	}
	return skb;
}
EXPORT_SYMBOL_IF_KUNIT(h64_msg_rx);

/**
 * h64_msg_rx_drop - the state of the link was dropped
 * @rx: the receiving side
 */
void h64_msg_rx_drop(struct h64_msg_rx *rx)
{
	struct h64_rx_vc *v;

	for (v = rx->vc; v < rx->vc + HIPPI6400_NUM_VCS; v++) {
		rx->lost += v->busy;
		v->busy = false;
		h64_rx_free(v);
	}
}
EXPORT_SYMBOL_IF_KUNIT(h64_msg_rx_drop);
