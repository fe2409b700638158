// SPDX-License-Identifier: GPL-2.0
/*
 * Packets that are sent: by ULPs with hfp_xmit(), by IP with the header operations of the device,
 * by programs with packet sockets.  All of them pass hfp_start_xmit(), which trusts none.
 */
#include <linux/etherdevice.h>
#include <linux/export.h>
#include <linux/hippi6400.h>
#include <linux/mm.h>

#include "codec.h"
#include "port.h"
#include "stats.h"
#include "tx.h"

/* The last skb of the fragment list, or @skb itself */
static struct sk_buff *hfp_last(struct sk_buff *skb)
{
	struct sk_buff *last = skb_shinfo(skb)->frag_list;

	if (!last)
		return skb;
	while (last->next)
		last = last->next;
	return last;
}

/* In an skb of its own, since @skb has no room for another fragment. */
static int hfp_fill_list(struct sk_buff *skb, unsigned int fill)
{
	struct sk_buff *last = hfp_last(skb), *more = alloc_skb(HFP_WORD, GFP_ATOMIC);

	if (!more)
		return -ENOMEM;
	skb_put_zero(more, fill);
	if (last == skb)
		skb_shinfo(skb)->frag_list = more;
	else
		last->next = more;
	skb->len += fill;
	skb->data_len += fill;
	skb->truesize += more->truesize;
	return 0;
}

/*
 * Append @fill bytes of zeros.  The payload may be pages of an application: it is neither changed
 * nor copied.
 */
static int hfp_fill(struct sk_buff *skb, unsigned int fill)
{
	unsigned int nr = skb_shinfo(skb)->nr_frags;

	if (!fill)
		return 0;
	/* Nobody else may see a change of the fragments */
	if (skb_unclone(skb, GFP_ATOMIC))
		return -ENOMEM;
	if (!skb_is_nonlinear(skb) && skb_tailroom(skb) >= fill) {
		skb_put_zero(skb, fill);
		return 0;
	}
	if (skb_has_frag_list(skb) || nr == MAX_SKB_FRAGS)
		return hfp_fill_list(skb, fill);
	get_page(ZERO_PAGE(0));
	skb_add_rx_frag(skb, nr, ZERO_PAGE(0), 0, fill, 0);
	return 0;
}

/*
 * Check a packet that is to be sent, which is at its FP_Header, and complete its header and its
 * last word.
 * Return: negative when it is good, otherwise what to count.
 */
static int hfp_tx_check(struct hfp_port *port, struct sk_buff *skb)
{
	struct hfp_packet packet;
	unsigned int end;

	if (!pskb_may_pull(skb, HFP_HDR_LEN) ||
	    hfp_parse(&packet, (const struct hfp_hdr *)skb->data, skb->len) >= 0)
		return HFP_STAT_TX_MALFORMED;
	if (packet.d2_size == HFP_D2_UNKNOWN && packet.ulp == HFP_ULP_LE) {
		packet.d2_size = skb->len - hfp_d2_at(&packet);
		hfp_build((struct hfp_hdr *)skb->data, &packet);
	}
	if (packet.d2_size != HFP_D2_UNKNOWN) {
		end = hfp_d2_at(&packet) + packet.d2_size;
		if (skb->len < ALIGN(end, HFP_WORD) &&
		    hfp_fill(skb, ALIGN(end, HFP_WORD) - skb->len))
			return HFP_STAT_NO_MEMORY;
	}
	if (skb->len > READ_ONCE(port->lower->mtu))
		return HFP_STAT_TX_TOO_LONG;
	return -1;
}

/**
 * hfp_start_xmit - ndo_start_xmit of a port
 * @skb: the packet, at its struct hfp_link_hdr; consumed
 * @dev: the port
 *
 * Context: softirq, or bottom halves off; under RCU.
 * Return: NETDEV_TX_OK, or what the lower device's queue says of a drop: senders learn of it.
 */
netdev_tx_t hfp_start_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct hfp_port *port = netdev_priv(dev);
	unsigned int len = skb->len;
	u8 dest[ETH_ALEN];
	int what, ret;

	what = HFP_STAT_TX_MALFORMED;
	if (!pskb_may_pull(skb, sizeof(struct hfp_link_hdr)))
		goto drop;
	ether_addr_copy(dest, ((const struct hfp_link_hdr *)skb->data)->dest);
	skb_pull(skb, sizeof(struct hfp_link_hdr));
	what = HFP_STAT_NO_MEMORY;
	if (skb_cow_head(skb, LL_RESERVED_SPACE(port->lower)))
		goto drop;
	what = hfp_tx_check(port, skb);
	if (what >= 0)
		goto drop;
	what = HFP_STAT_TX_NO_ADDRESS;
	if (is_zero_ether_addr(dest))
		goto drop;
	skb->dev = port->lower;
	skb->protocol = htons(ETH_P_HIPPI_FP);
	skb_reset_network_header(skb);
	/* HIPPI has one channel, ST A.2 */
	if (port->hippi6400)
		hippi6400_skb_set_vc(skb, 1);
	what = HFP_STAT_TX_CARRIER;
	if (dev_hard_header(skb, skb->dev, ETH_P_HIPPI_FP, dest, dev->dev_addr, skb->len) < 0)
		goto drop;
	ret = dev_queue_xmit(skb);
	if (ret == NET_XMIT_SUCCESS || ret == NET_XMIT_CN) {
		dev_sw_netstats_tx_add(dev, 1, len);
	} else {
		hfp_count(port, HFP_STAT_TX_CARRIER);
		dev_core_stats_tx_dropped_inc(dev);
	}
	return ret < 0 ? NET_XMIT_DROP : ret;
drop:
	hfp_count(port, what);
	dev_core_stats_tx_dropped_inc(dev);
	kfree_skb(skb);
	return NET_XMIT_DROP;
}

/**
 * hfp_packet_max - bytes of the longest packet that a port sends
 * @dev: the port
 *
 * Context: any.
 * Return: bytes, with all headers from the FP_Header on and Fill.
 */
unsigned int hfp_packet_max(const struct net_device *dev)
{
	const struct hfp_port *port = netdev_priv(dev);

	return round_down(READ_ONCE(port->lower->mtu), HFP_WORD);
}
EXPORT_SYMBOL_GPL(hfp_packet_max);

/**
 * hfp_is_reliable - whether a port's packets keep their order and are not lost
 * @dev: the port
 *
 * Return: true for a port above one of HIPPI-6400, which has credits and retransmission.
 */
bool hfp_is_reliable(const struct net_device *dev)
{
	const struct hfp_port *port = netdev_priv(dev);

	return port->hippi6400;
}
EXPORT_SYMBOL_GPL(hfp_is_reliable);

/**
 * hfp_xmit - send a packet, FP_TRANSFER.Request
 * @dev: a port
 * @skb: the D2_Data_Set; with %HFP_HEADROOM bytes free before it, those of the device and those of
 *	the D1_Data_Set, or it is copied.  Consumed.  The payload may be pages of an application
 *	and is not modified.  That it is freed is the Confirm.
 * @req: what is sent with it
 * @dest: address of the receiver, %ETH_ALEN bytes; all ones: all
 *
 * Context: bottom halves off or softirq, under RCU.
 * Return: 0, -EMSGSIZE when it is too long for the port, or another negative errno when it was
 *	dropped.
 */
int hfp_xmit(struct net_device *dev, struct sk_buff *skb, const struct hfp_req *req,
	     const u8 *dest)
{
	struct hfp_packet packet = {
		.ulp		= req->ulp,
		.has_d1		= req->d1_size,
		.burst		= req->burst,
		.d2_offset	= req->d2_offset,
		.d1_area	= ALIGN(req->d1_size, HFP_WORD),
		.d2_size	= skb->len,
	};
	struct hfp_link_hdr *link;
	u8 *at;
	int err;

	err = -EMSGSIZE;
	if (req->d1_size > HFP_D1_AREA_MAX || req->d2_offset > HFP_D2_OFFSET_MAX ||
	    hfp_d2_at(&packet) + (u64)skb->len > hfp_packet_max(dev))
		goto drop;
	err = -ENOMEM;
	if (skb_cow_head(skb, LL_RESERVED_SPACE(dev) + hfp_d2_at(&packet)))
		goto drop;
	at = skb_push(skb, hfp_d2_at(&packet));
	memset(at, 0, hfp_d2_at(&packet));
	hfp_build((struct hfp_hdr *)at, &packet);
	memcpy(at + HFP_HDR_LEN, req->d1, req->d1_size);
	link = skb_push(skb, sizeof(*link));
	ether_addr_copy(link->dest, dest);
	ether_addr_copy(link->source, dev->dev_addr);
	skb->dev = dev;
	skb->protocol = htons(ETH_P_HIPPI_FP);
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, sizeof(*link));
	err = dev_queue_xmit(skb);
	return err > 0 ? net_xmit_errno(err) : err;
drop:
	kfree_skb(skb);
	return err;
}
EXPORT_SYMBOL_GPL(hfp_xmit);
