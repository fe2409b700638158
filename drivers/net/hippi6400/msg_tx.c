// SPDX-License-Identifier: GPL-2.0
/*
 * Sending: Messages into micropackets, HIPPI-6400-PH 4.5, in one pass that
 * copies, computes both CRCs and writes the ring.
 */

#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/highmem.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/skbuff.h>

#include "link/seq.h"
#include "msg.h"

/* A part of a Message in one piece of mapped memory */
struct h64_run {
	const void *addr;
	u32 len;
	bool mapped;
};

/**
 * h64_msg_tx_init - initialise a sending side
 * @tx: the sending side
 * @link: the link; its ops->drop has to call h64_msg_tx_drop()
 */
void h64_msg_tx_init(struct h64_msg_tx *tx, struct h64_link *link)
{
	unsigned int vc;

	tx->link = link;
	tx->next_vc = 0;
	__skb_queue_head_init(&tx->done);
	__skb_queue_head_init(&tx->dropped);
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		__skb_queue_head_init(&tx->vc[vc].queue);
		tx->vc[vc].started = false;
		tx->vc[vc].cut = false;
		tx->vc[vc].starved = false;
		tx->vc[vc].backlog = 0;
		tx->vc[vc].done = 0;
		tx->vc[vc].done_bytes = 0;
	}
}
EXPORT_SYMBOL_IF_KUNIT(h64_msg_tx_init);

/* True for nested frag_lists, which h64_tx_next() does not follow */
static bool h64_tx_nested(const struct sk_buff *skb)
{
	const struct sk_buff *part;

	skb_walk_frags(skb, part)
		if (skb_has_frag_list(part))
			return true;
	return false;
}

/**
 * h64_msg_tx_queue - queue a Message
 * @tx: the sending side
 * @vc: its Virtual Channel
 * @skb: the Message, with an Ethernet header, and with the time in h64_tx_cb()
 *
 * The skb is not orphaned: while it waits it counts towards the limits of its
 * socket.  Nor are its pages copied: waiting for credit is common, and would cost a
 * copy each time.  A Message that waits too long is given up, see
 * h64_msg_tx_expire().  Its conntrack reference is dropped here: it can keep a
 * network namespace from being freed.
 *
 * The Message may be longer than the MTU: the protocols negotiate whether the
 * far end accepts that.
 *
 * Return: 0, or -EINVAL, -EMSGSIZE (HIPPI-6400-PH 5.4.1), -ENOBUFS (no credit for too
 * long) or -ENOMEM; on an error it is counted and the caller keeps the skb.
 */
int h64_msg_tx_queue(struct h64_msg_tx *tx, unsigned int vc, struct sk_buff *skb)
{
	struct h64_tx_vc *v = &tx->vc[vc];
	u32 payload;

	if (skb->len < ETH_HLEN) {
		tx->malformed++;
		return -EINVAL;
	}
	payload = skb->len - ETH_HLEN;
	if (h64_msg_upkts(payload) > h64_vc_limit(vc)) {
		tx->over_limit++;
		return -EMSGSIZE;
	}
	v->starved = v->starved && !tx->link->credit[vc].avail;
	if (v->starved) {
		tx->expired++;
		return -ENOBUFS;
	}
	if (!pskb_may_pull(skb, ETH_HLEN) || (h64_tx_nested(skb) && skb_linearize(skb))) {
		tx->no_memory++;
		return -ENOMEM;
	}
	nf_reset_ct(skb);
	v->backlog += h64_msg_upkts(payload);
	__skb_queue_tail(&v->queue, skb);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(h64_msg_tx_queue);

static void h64_tx_map(const struct h64_tx_vc *v, struct h64_run *run)
{
	const skb_frag_t *frag;
	u32 off;

	if (v->frag < 0) {
		run->addr = v->part->data + v->pos;
		run->len = skb_headlen(v->part) - v->pos;
		run->mapped = false;
		return;
	}
	frag = &skb_shinfo(v->part)->frags[v->frag];
	off = skb_frag_off(frag) + v->pos;
	run->addr = kmap_local_page(skb_frag_page(frag) + (off >> PAGE_SHIFT)) +
		    offset_in_page(off);
	run->len = min_t(u32, skb_frag_size(frag) - v->pos, PAGE_SIZE - offset_in_page(off));
	run->mapped = true;
}

static void h64_tx_unmap(const struct h64_run *run)
{
	if (run->mapped)
		kunmap_local(run->addr);
}

static u32 h64_tx_piece_len(const struct h64_tx_vc *v)
{
	if (v->frag < 0)
		return skb_headlen(v->part);
	return skb_frag_size(&skb_shinfo(v->part)->frags[v->frag]);
}

/* Advances to the next piece; returns false after the last */
static bool h64_tx_next(struct h64_tx_vc *v, const struct sk_buff *skb)
{
	const struct sk_buff *part;

	if (v->frag + 1 < skb_shinfo(v->part)->nr_frags) {
		v->frag++;
	} else {
		part = v->part == skb ? skb_shinfo(skb)->frag_list : v->part->next;
		if (!part)
			return false;
		v->part = part;
		v->frag = -1;
	}
	v->pos = 0;
	return true;
}

static void h64_tx_advance(struct h64_tx_vc *v, const struct sk_buff *skb, u32 len)
{
	v->pos += len;
	v->left -= len;
	/* A piece may be empty */
	while (v->pos == h64_tx_piece_len(v) && h64_tx_next(v, skb))
		;
}

/* Collects bytes that lie in several pieces, or are too few for a micropacket */
static void h64_tx_gather(struct h64_tx_vc *v, const struct sk_buff *skb, u8 *buf, u32 len)
{
	struct h64_run run;
	u32 n;

	while (len) {
		h64_tx_map(v, &run);
		n = min(len, run.len);
		memcpy(buf, run.addr, n);
		h64_tx_unmap(&run);
		h64_tx_advance(v, skb, n);
		buf += n;
		len -= n;
	}
}

static void h64_tx_header(struct h64_tx_vc *v, const struct sk_buff *skb, struct h64_upkt *upkt,
			  struct h64_crcs *crcs, bool clmul)
{
	const struct ethhdr *eth = (const struct ethhdr *)skb->data;
	struct h64_msg_hdr hdr = {};

	v->part = skb;
	v->frag = -1;
	v->pos = 0;
	v->left = skb->len;
	h64_tx_advance(v, skb, ETH_HLEN);

	ether_addr_copy(hdr.d_ula, eth->h_dest);
	ether_addr_copy(hdr.s_ula, eth->h_source);
	hdr.m_len = cpu_to_be32(H64_SNAP_LEN + v->left);
	memcpy(hdr.snap, h64_snap, sizeof(hdr.snap));
	hdr.proto = eth->h_proto;
	h64_tx_gather(v, skb, hdr.payload, min_t(u32, v->left, sizeof(hdr.payload)));
	h64_crc_upkt(upkt->data, &hdr, crcs, clmul);
}

static void h64_tx_data(struct h64_tx_vc *v, const struct sk_buff *skb, struct h64_upkt *upkt,
			struct h64_crcs *crcs, bool clmul)
{
	u8 buf[H64_UPKT_DATA] __aligned(8) = {};
	struct h64_run run;

	h64_tx_map(v, &run);
	if (likely(run.len >= H64_UPKT_DATA)) {
		h64_crc_upkt(upkt->data, run.addr, crcs, clmul);
		h64_tx_unmap(&run);
		h64_tx_advance(v, skb, H64_UPKT_DATA);
		return;
	}
	h64_tx_unmap(&run);
	h64_tx_gather(v, skb, buf, min_t(u32, v->left, sizeof(buf)));
	h64_crc_upkt(upkt->data, buf, crcs, clmul);
}

/* Sends the end of a Message that was truncated here (HIPPI-6400-PH 4.4) */
static void h64_tx_end(const struct h64_tx_vc *v, struct h64_upkt *upkt, struct h64_crcs *crcs,
		       bool clmul)
{
	static const u8 nothing[H64_UPKT_DATA] __aligned(8);

	crcs->ecrc = v->ecrc;
	h64_crc_upkt(upkt->data, nothing, crcs, clmul);
}

static void h64_tx_one(struct h64_msg_tx *tx, unsigned int vc, u64 now)
{
	struct h64_crcs crcs = { H64_CRC_PRESET, H64_CRC_PRESET };
	struct h64_tx_vc *v = &tx->vc[vc];
	struct h64_link *link = tx->link;
	struct h64_upkt *upkt = h64_seq_slot(link);
	struct sk_buff *skb = skb_peek(&v->queue);
	u64 ctrl;

	ctrl = FIELD_PREP(H64_C_VC, vc) | h64_seq_ctrl(link) | h64_credit_piggyback(link);
	if (v->cut) {
		ctrl |= FIELD_PREP(H64_C_TYPE, H64_TYPE_DATA) | H64_C_TAIL | H64_C_ERROR;
		h64_tx_end(v, upkt, &crcs, link->clmul);
	} else if (!v->started) {
		ctrl |= FIELD_PREP(H64_C_TYPE, H64_TYPE_HEADER);
		h64_tx_header(v, skb, upkt, &crcs, link->clmul);
		v->started = true;
	} else {
		ctrl |= FIELD_PREP(H64_C_TYPE, H64_TYPE_DATA);
		crcs.ecrc = v->ecrc;
		h64_tx_data(v, skb, upkt, &crcs, link->clmul);
	}
	v->ecrc = crcs.ecrc;
	ctrl |= FIELD_PREP(H64_C_ECRC, crcs.ecrc);
	if (!v->cut && !v->left)
		ctrl |= H64_C_TAIL;

	h64_credit_use(link, vc);
	h64_seq_commit(link, upkt, ctrl, crcs.lcrc, now);
	v->backlog--;
	v->stats.upkts++;
	if (v->cut) {
		v->cut = false;
		return;
	}
	if (v->left)
		return;

	v->started = false;
	v->stats.messages++;
	v->stats.bytes += skb->len;
	v->done++;
	v->done_bytes += h64_msg_queue_bytes(skb);
	__skb_unlink(skb, &v->queue);
	__skb_queue_tail(&tx->done, skb);
}

/* Returns the next Virtual Channel, round robin, with a Message and credit */
static int h64_tx_pick(struct h64_msg_tx *tx)
{
	unsigned int i, vc;

	for (i = 0; i < HIPPI6400_NUM_VCS; i++) {
		vc = (tx->next_vc + i) % HIPPI6400_NUM_VCS;
		if (skb_queue_empty(&tx->vc[vc].queue) && !tx->vc[vc].cut)
			continue;
		if (!h64_credit_have(tx->link, vc))
			continue;
		tx->next_vc = (vc + 1) % HIPPI6400_NUM_VCS;
		return vc;
	}
	return -1;
}

/**
 * h64_msg_tx_pump - send as much as window, credit and ring allow
 * @tx: the sending side
 * @now: the time
 *
 * Sends retransmissions first, then at most a window of new micropackets; Admin
 * has its turn between two Messages.
 */
void h64_msg_tx_pump(struct h64_msg_tx *tx, u64 now)
{
	int vc;

	h64_seq_retransmit(tx->link, now);
	for (;;) {
		h64_admin_send(tx->link, now);
		if (!h64_seq_can_send(tx->link))
			break;
		vc = h64_tx_pick(tx);
		if (vc < 0)
			break;
		h64_tx_one(tx, vc, now);
	}
}
EXPORT_SYMBOL_IF_KUNIT(h64_msg_tx_pump);

/* Gives up the first Message of a Virtual Channel; one that has started still needs an end */
static void h64_tx_give_up(struct h64_msg_tx *tx, struct h64_tx_vc *v)
{
	struct sk_buff *skb = __skb_dequeue(&v->queue);

	if (v->started) {
		v->started = false;
		v->cut = true;
		v->backlog -= DIV_ROUND_UP(v->left, H64_UPKT_DATA) - 1;
	} else {
		v->backlog -= h64_msg_upkts(skb->len - ETH_HLEN);
	}
	tx->expired++;
	v->done++;
	v->done_bytes += h64_msg_queue_bytes(skb);
	__skb_queue_tail(&tx->dropped, skb);
}

/**
 * h64_msg_tx_expire - give up Messages that have waited too long
 * @tx: the sending side
 * @before: Messages that were handed over by this time
 *
 * A far end may withhold credit for as long as it likes (HIPPI-6400-PH 4.7), but
 * must not pin sockets, their pages and network namespaces that long.  If Messages
 * expire on a Virtual Channel without credit, its whole queue is dropped, and it
 * refuses Messages until credit arrives: otherwise each would wait as long again.
 */
void h64_msg_tx_expire(struct h64_msg_tx *tx, u64 before)
{
	unsigned int vc;

	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		struct h64_tx_vc *v = &tx->vc[vc];
		struct sk_buff *skb;

		while ((skb = skb_peek(&v->queue)) && h64_tx_cb(skb)->since <= before) {
			h64_tx_give_up(tx, v);
			v->starved = !tx->link->credit[vc].avail;
		}
		while (v->starved && !skb_queue_empty(&v->queue))
			h64_tx_give_up(tx, v);
	}
}
EXPORT_SYMBOL_IF_KUNIT(h64_msg_tx_expire);

/**
 * h64_msg_tx_drop - drop all Messages with the state of the link
 * @tx: the sending side
 * @unacked: number of Messages framed completely but not acknowledged
 *
 * The skbs go to @tx->dropped; the counts of completed skbs for the owner are
 * cleared.
 */
void h64_msg_tx_drop(struct h64_msg_tx *tx, unsigned int unacked)
{
	struct h64_tx_vc *v;

	tx->unacked += unacked;
	for (v = tx->vc; v < tx->vc + HIPPI6400_NUM_VCS; v++) {
		tx->lost += v->started;
		tx->discarded += skb_queue_len(&v->queue) - v->started;
		v->started = false;
		v->cut = false;
		v->starved = false;
		v->backlog = 0;
		v->done = 0;
		v->done_bytes = 0;
		skb_queue_splice_tail_init(&v->queue, &tx->dropped);
	}
}
EXPORT_SYMBOL_IF_KUNIT(h64_msg_tx_drop);
