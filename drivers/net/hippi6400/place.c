// SPDX-License-Identifier: GPL-2.0
/*
 * Direct placement: the registry of protocols that choose the destination of a
 * payload, and the copy of a payload to it.
 *
 * All but the registry runs under the lock of the link, in softirq context.
 * That is an RCU read-side critical section too: after a protocol cancels a
 * placement, synchronize_rcu() waits for the micropacket that is being written.
 *
 * The pages may belong to an application, which keeps using them.  So only the protocol
 * gets an skb with these pages: the driver calls it directly.  If others want to see
 * received frames, the skb gets its own pages.
 */

#include <kunit/visibility.h>
#include <linux/etherdevice.h>
#include <linux/export.h>
#include <linux/highmem.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/rculist.h>

#include "msg.h"

static DEFINE_MUTEX(h64_place_mutex);	/* protects both lists; readers of the first use RCU */
static LIST_HEAD(h64_placers);
static LIST_HEAD(h64_receivers);

/* Under RCU or the mutex */
static struct hippi6400_placer *h64_place_find(__be16 proto)
{
	struct hippi6400_placer *placer;

	list_for_each_entry_rcu(placer, &h64_placers, list, lockdep_is_held(&h64_place_mutex))
		if (placer->proto == proto)
			return placer;
	return NULL;
}

/**
 * hippi6400_register_placer - register a protocol for direct placement
 * @placer: the protocol, valid until it is unregistered
 *
 * Context: process, may sleep.
 * Return: 0, or -EEXIST if the EtherType has one already.
 */
int hippi6400_register_placer(struct hippi6400_placer *placer)
{
	int err = 0;

	mutex_lock(&h64_place_mutex);
	if (h64_place_find(placer->proto))
		err = -EEXIST;
	else
		list_add_tail_rcu(&placer->list, &h64_placers);
	mutex_unlock(&h64_place_mutex);
	return err;
}
EXPORT_SYMBOL_GPL(hippi6400_register_placer);

/**
 * hippi6400_unregister_placer - unregister a protocol
 * @placer: the protocol
 *
 * Messages that are being placed for it are dropped.  When this returns, the
 * driver executes none of its functions and will not call them again.
 *
 * Context: process, may sleep; without any lock that the protocol's functions
 * take.
 */
void hippi6400_unregister_placer(struct hippi6400_placer *placer)
{
	struct sk_buff_head dropped;
	struct h64_msg_rx *rx;

	__skb_queue_head_init(&dropped);
	mutex_lock(&h64_place_mutex);
	list_del_rcu(&placer->list);
	/* From here on no new Message is placed for it */
	synchronize_rcu();
	list_for_each_entry(rx, &h64_receivers, list) {
		spin_lock_bh(rx->lock);
		h64_msg_rx_forget(rx, placer);
		skb_queue_splice_tail_init(&rx->dropped, &dropped);
		spin_unlock_bh(rx->lock);
	}
	mutex_unlock(&h64_place_mutex);
	__skb_queue_purge(&dropped);
}
EXPORT_SYMBOL_GPL(hippi6400_unregister_placer);

/**
 * h64_place_attach - add a receiving side that may place
 * @rx: the receiving side
 * @lock: lock of its link
 *
 * Context: process, may sleep.
 */
void h64_place_attach(struct h64_msg_rx *rx, spinlock_t *lock)
{
	rx->lock = lock;
	mutex_lock(&h64_place_mutex);
	list_add_tail(&rx->list, &h64_receivers);
	mutex_unlock(&h64_place_mutex);
}
EXPORT_SYMBOL_IF_KUNIT(h64_place_attach);

/**
 * h64_place_detach - undo h64_place_attach()
 * @rx: the receiving side, without an incomplete Message
 *
 * Context: process, may sleep.
 */
void h64_place_detach(struct h64_msg_rx *rx)
{
	mutex_lock(&h64_place_mutex);
	list_del(&rx->list);
	mutex_unlock(&h64_place_mutex);
}
EXPORT_SYMBOL_IF_KUNIT(h64_place_detach);

/**
 * h64_place_known - check whether an EtherType has a protocol
 * @proto: EtherType of a Message
 *
 * Return: true if a protocol is registered for it.
 */
bool h64_place_known(__be16 proto)
{
	bool known;

	rcu_read_lock();
	known = h64_place_find(proto);
	rcu_read_unlock();
	return known;
}

/*
 * Returns true if anyone but the protocol sees or filters received frames: taps, an XDP
 * program, rules, a bridge.  Under RCU.
 */
static bool h64_place_watched(struct net_device *dev, const struct hippi6400_placer *placer)
{
	bool watched = !hippi6400_can_place(dev) || rcu_access_pointer(dev->rx_handler) ||
		       dev_nit_active(dev);
	const struct packet_type *packet;

	list_for_each_entry_rcu(packet, &dev->ptype_specific, list)
		watched |= packet->func != placer->packet;

#ifdef CONFIG_NET_XGRESS
	watched |= !!rcu_access_pointer(dev->tcx_ingress);
#endif
#ifdef CONFIG_NETFILTER_INGRESS
	watched |= !!rcu_access_pointer(dev->nf_hooks_ingress);
#endif
	return watched;
}

/**
 * h64_place_begin - ask for a place for the rest of a Message
 * @rx: the receiving side
 * @vc: the Virtual Channel, whose skb is linear and contains the first
 *	HIPPI6400_PLACE_HDR bytes of the payload
 * @len: bytes of payload after these
 * @only: the Message is lost if it is not placed
 *
 * Return: true if there is a place; the skb then ends with these bytes.
 */
bool h64_place_begin(struct h64_msg_rx *rx, unsigned int vc, u32 len, bool only)
{
	struct h64_rx_vc *v = &rx->vc[vc];
	const struct ethhdr *eth = (const struct ethhdr *)v->skb->data;
	const struct hippi6400_msg msg = {
		.dev = rx->dev,
		.s_ula = eth->h_source,
		.vc = vc,
		.len = len,
		.hdr = eth + 1,
		.only = only,
	};
	const struct hippi6400_placer *placer;
	struct hippi6400_place place;
	bool found = false;

	/* Messages for other hosts reach no protocol here */
	if (!rx->dev || !ether_addr_equal(eth->h_dest, rx->dev->dev_addr))
		return false;
	rcu_read_lock();
	placer = h64_place_find(eth->h_proto);
	/*
	 * Others see each Message that fits a frame, so it is not placed for the protocol
	 * alone; an XDP program rules out longer ones
	 */
	if (placer && (only ? hippi6400_can_place(rx->dev) : !h64_place_watched(rx->dev, placer)) &&
	    placer->place(&msg, &place)) {
		v->placing = (struct h64_placing){
			.placer = placer,
			.place = place,
			.last = v->skb,
			.len = len,
		};
		found = true;
	}
	rcu_read_unlock();
	if (!found)
		return false;

	skb_trim(v->skb, ETH_HLEN + HIPPI6400_PLACE_HDR);
	H64_SKB_CB(v->skb)->placed = true;
	return true;
}

/* Adds an skb for more pages */
static bool h64_place_grow(struct h64_rx_vc *v)
{
	struct sk_buff *skb = alloc_skb(0, GFP_ATOMIC | __GFP_NOWARN);

	if (!skb)
		return false;
	if (v->placing.last == v->skb)
		skb_shinfo(v->skb)->frag_list = skb;
	else
		v->placing.last->next = skb;
	v->placing.last = skb;
	v->skb->truesize += skb->truesize;
	return true;
}

/* Gets the next segment, which becomes a fragment and so holds its page */
static int h64_place_more(struct h64_rx_vc *v)
{
	struct h64_placing *p = &v->placing;
	struct bio_vec seg = {};
	u32 len;

	if (!p->placer->segment(&p->place, p->pos, &seg) || !seg.bv_len ||
	    seg.bv_offset >= PAGE_SIZE || seg.bv_len > PAGE_SIZE - seg.bv_offset)
		return -ECANCELED;
	if (skb_shinfo(p->last)->nr_frags == MAX_SKB_FRAGS && !h64_place_grow(v))
		return -ENOMEM;

	len = min(seg.bv_len, p->len - p->pos);
	get_page(seg.bv_page);
	skb_add_rx_frag(p->last, skb_shinfo(p->last)->nr_frags, seg.bv_page, seg.bv_offset, len,
			len);
	if (p->last != v->skb) {
		v->skb->len += len;
		v->skb->data_len += len;
		v->skb->truesize += len;
	}
	p->page = seg.bv_page;
	p->off = seg.bv_offset;
	p->room = len;
	return 0;
}

/**
 * h64_place_map - map the destination of a micropacket
 * @v: the Virtual Channel, whose Message is being placed and is incomplete
 *
 * The micropacket may turn out to be wrong; the right one then overwrites it.
 *
 * Return: room for H64_UPKT_DATA bytes, to be unmapped with kunmap_local(), or
 * NULL if the data must be copied later or not at all.
 */
void *h64_place_map(struct h64_rx_vc *v)
{
	struct h64_placing *p = &v->placing;

	if (READ_ONCE(*p->place.cancelled))
		return NULL;
	if (!p->room && h64_place_more(v))
		return NULL;
	if (p->room < H64_UPKT_DATA)
		return NULL;
	return kmap_local_page(p->page) + p->off;
}

/**
 * h64_place_data - account for an accepted micropacket, and copy it if
 * necessary
 * @v: the Virtual Channel
 * @scratch: its data bytes, or NULL if they were decoded to their place
 *
 * Return: 0, -ECANCELED if the place was cancelled, or -ENOMEM.
 */
int h64_place_data(struct h64_rx_vc *v, const u8 *scratch)
{
	struct h64_placing *p = &v->placing;
	u32 left = min_t(u32, H64_UPKT_DATA, p->len - p->pos);
	u32 n;
	int err;

	if (READ_ONCE(*p->place.cancelled))
		return -ECANCELED;
	for (; left; left -= n) {
		if (!p->room) {
			err = h64_place_more(v);
			if (err)
				return err;
		}
		n = min(left, p->room);
		if (scratch) {
			memcpy_to_page(p->page, p->off, scratch, n);
			scratch += n;
		} else if (n == p->room) {
			flush_dcache_page(p->page);
		}
		p->off += n;
		p->room -= n;
		p->pos += n;
	}
	return 0;
}

/* Replaces the pages of a part of a Message by copies; returns false without memory */
static bool h64_place_copy_part(struct sk_buff *head, struct sk_buff *part)
{
	unsigned int i;

	for (i = 0; i < skb_shinfo(part)->nr_frags; i++) {
		skb_frag_t *frag = &skb_shinfo(part)->frags[i];
		unsigned int len = skb_frag_size(frag);
		struct page *page = alloc_page(GFP_ATOMIC | __GFP_NOWARN);

		if (!page)
			return false;
		memcpy_page(page, 0, skb_frag_page(frag), skb_frag_off(frag), len);
		put_page(skb_frag_page(frag));
		skb_frag_fill_page_desc(frag, page, 0, len);
		head->truesize += PAGE_SIZE - len;
	}
	return true;
}

static bool h64_place_copy(struct sk_buff *skb)
{
	struct sk_buff *part;

	if (!h64_place_copy_part(skb, skb))
		return false;
	skb_walk_frags(skb, part)
		if (!h64_place_copy_part(skb, part))
			return false;
	return true;
}

/**
 * h64_place_done - finish a Message that is in its place
 * @rx: the receiving side
 * @v: the Virtual Channel, whose Message was placed
 *
 * Replaces its pages by copies if anyone but the protocol sees it.
 *
 * Return: false if the caller has to drop it; it is counted.
 */
bool h64_place_done(struct h64_msg_rx *rx, struct h64_rx_vc *v)
{
	if (h64_place_watched(rx->dev, v->placing.placer)) {
		if (v->skb->len - ETH_HLEN > H64_MAX_PAYLOAD && !hippi6400_can_place(rx->dev)) {
			rx->xdp_too_long++;
			return false;
		}
		if (!h64_place_copy(v->skb)) {
			rx->no_memory++;
			return false;
		}
		H64_SKB_CB(v->skb)->placed = false;
	}
	rx->placed++;
	rx->placed_bytes += v->placing.len;
	return true;
}

/**
 * h64_place_end - end the placement of a Message
 * @v: the Virtual Channel, whose Message is being placed
 * @good: it is complete
 */
void h64_place_end(struct h64_rx_vc *v, bool good)
{
	v->placing.placer->end(&v->placing.place, good);
	v->placing.placer = NULL;
}

/**
 * h64_place_deliver - hand a Message to its protocol, if nobody else sees it
 * @skb: the Message, from eth_type_trans(); consumed unless false is returned
 *
 * Called for all Messages of a protocol, placed or not, so that none overtakes another.
 *
 * Context: softirq, not under the lock of the link.
 * Return: false if the stack has to deliver it.
 */
bool h64_place_deliver(struct sk_buff *skb)
{
	bool placed = H64_SKB_CB(skb)->placed, mine = placed;
	const struct hippi6400_placer *placer;

	rcu_read_lock();
	placer = h64_place_find(skb->protocol);
	if (placer && skb->pkt_type == PACKET_HOST)
		mine |= !h64_place_watched(skb->dev, placer);
	if (mine && placer)
		placer->rcv(skb);
	else if (mine)
		kfree_skb(skb);		/* the protocol was unregistered */
	rcu_read_unlock();
	return mine;
}
