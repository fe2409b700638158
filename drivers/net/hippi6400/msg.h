/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages, HIPPI-6400-PH 4.5: an skb with an Ethernet header on one side, a
 * Header micropacket and Data micropackets on the other.
 *
 * The lock of the link serialises all calls.
 */
#ifndef _HIPPI6400_MSG_H
#define _HIPPI6400_MSG_H

#include <linux/dynamic_queue_limits.h>
#include <linux/if_vlan.h>
#include <linux/minmax.h>
#include <linux/skbuff.h>

#include "link/link.h"

struct page_pool;

/* Largest payload that is received as a frame, with room for a VLAN tag */
#define H64_MAX_PAYLOAD	(HIPPI6400_MAX_MTU + VLAN_HLEN)

/* skb->cb of a received skb, until it is delivered */
struct h64_skb_cb {
	bool placed;	/* its fragments are pages of the protocol */
};

#define H64_SKB_CB(skb)	((struct h64_skb_cb *)(skb)->cb)

/**
 * struct h64_vc_stats - traffic of one Virtual Channel in one direction
 * @messages: complete Messages
 * @upkts: micropackets that need credit, without retransmissions
 * @bytes: bytes of complete Messages, as an skb counts them
 */
struct h64_vc_stats {
	u64 messages;
	u64 upkts;
	u64 bytes;
};

/**
 * struct h64_tx_vc - Messages waiting on one Virtual Channel
 * @queue: the Messages; the first one may be partly framed
 * @started: the Header micropacket of the first Message is sent
 * @part: the next skb: the Message or one of its frag_list
 * @frag: its next page fragment, or -1 for the linear part
 * @pos: offset in that fragment
 * @left: bytes of payload not sent yet
 * @cut: a partly sent Message was given up, and its end is not sent yet
 * @starved: Messages were given up, and no credit has arrived since
 * @backlog: micropackets not sent yet, of all Messages and of the end of a @cut
 *	one
 * @ecrc: ECRC of the Message so far
 * @done: skbs added to the done list since the owner last checked
 * @done_bytes: their bytes, as h64_msg_queue_bytes() counts them
 * @stats: traffic sent
 */
struct h64_tx_vc {
	struct sk_buff_head queue;
	bool started;
	const struct sk_buff *part;
	int frag;
	u32 pos;
	u32 left;
	bool cut;
	bool starved;
	u32 backlog;
	u16 ecrc;
	u32 done;
	u32 done_bytes;
	struct h64_vc_stats stats;
};

/*
 * Bytes that may wait on a Virtual Channel before its queue stops, 2.6 ms at 6400 Mbit/s.
 * They are not lost however long the far end stalls the port, whereas a queueing discipline
 * that drops by age, as CoDel does, would drop them.
 */
#define H64_TX_KEEP	(2 * 1024 * 1024)

/**
 * struct h64_msg_tx - sending side
 * @link: the link
 * @vc: the Virtual Channels
 * @next_vc: the Virtual Channel whose turn is next
 * @done: completely framed skbs, for the caller to free outside its lock
 * @dropped: skbs lost with the link, likewise
 * @over_limit: refused as over the limit of the Virtual Channel
 * @malformed: refused for want of an Ethernet header
 * @no_memory: refused for want of memory to make them linear
 * @expired: given up after waiting too long, or refused by a Virtual Channel that
 *	has had no credit since
 * @lost: Messages partly framed when the state of the link was dropped
 * @discarded: Messages dropped at that time before they had started
 * @unacked: Messages completely framed at that time but not acknowledged: they
 *	may have arrived, and the @stats of their Virtual Channel count them
 */
struct h64_msg_tx {
	struct h64_link *link;
	struct h64_tx_vc vc[HIPPI6400_NUM_VCS];
	unsigned int next_vc;
	struct sk_buff_head done;
	struct sk_buff_head dropped;
	u64 over_limit;
	u64 malformed;
	u64 no_memory;
	u64 expired;
	u64 lost;
	u64 discarded;
	u64 unacked;
};

/**
 * struct h64_tx_cb - skb->cb on the sending side
 * @since: time when the skb was handed over
 */
struct h64_tx_cb {
	u64 since;
};

static inline struct h64_tx_cb *h64_tx_cb(struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct h64_tx_cb) > sizeof(skb->cb));
	return (struct h64_tx_cb *)skb->cb;
}

/**
 * struct h64_placing - direct placement of a Message
 * @placer: the protocol, or NULL
 * @place: the place that it chose
 * @last: skb with the newest pages: the Message or the last of its frag_list
 * @page: next page of the segment
 * @off: offset of the next byte in @page
 * @room: bytes left in the segment
 * @pos: bytes placed so far
 * @len: bytes to place in total
 */
struct h64_placing {
	const struct hippi6400_placer *placer;
	struct hippi6400_place place;
	struct sk_buff *last;
	struct page *page;
	u32 off;
	u32 room;
	u32 pos;
	u32 len;
};

/**
 * struct h64_rx_vc - the Message arriving on one Virtual Channel
 * @skb: the skb that is being filled
 * @dst: destination of the next 32 bytes
 * @room: bytes left at @dst, a multiple of 32
 * @seen: micropackets accepted
 * @total: micropackets that M_len announces
 * @left: payload bytes without a place in @skb yet
 * @ecrc: ECRC of the Message so far
 * @placing: direct placement, once a protocol has agreed to it
 * @busy: a Header was accepted, but not yet its TAIL
 * @bad: the rest of the Message is discarded
 * @stats: traffic received
 */
struct h64_rx_vc {
	struct sk_buff *skb;
	u8 *dst;
	u32 room;
	u32 seen;
	u32 total;
	u32 left;
	u16 ecrc;
	struct h64_placing placing;
	bool busy;
	bool bad;
	struct h64_vc_stats stats;
};

/**
 * struct h64_msg_rx - receiving side
 * @link: the link
 * @dev: for skb allocation; may be NULL
 * @pool: pages for data beyond the linear part
 * @vc: the Virtual Channels
 * @dropped: skbs for the caller to free, not under @lock
 * @list: entry in the list of receiving sides that may place, see place.c
 * @lock: serialises all calls on this link
 * @scratch: data bytes without another place
 * @ecrc_errors: Messages with a wrong ECRC
 * @error_marked: Messages with ERROR set
 * @header_without_tail: Messages that the next Header cut short
 * @data_without_header: Data micropackets outside any Message
 * @m_len_errors: Messages whose M_len does not match their micropackets
 * @over_limit: Messages over the limit of their Virtual Channel
 * @too_long: Messages longer than a frame that no protocol has a place for
 * @bad_snap: Messages without the LLC/SNAP header
 * @no_memory: Messages dropped for want of memory
 * @no_room: Messages dropped because the far end had no credit
 * @lost: incomplete Messages when the state of the link was dropped
 * @place_cancelled: Messages dropped as the protocol cancelled their place
 * @xdp_too_long: Messages longer than a frame, dropped as an XDP program has to see
 *	every frame
 * @placed: placed Messages that were delivered
 * @placed_bytes: bytes placed of these Messages
 *
 * Each Message that starts is counted once: in the @stats of its Virtual
 * Channel, or in one of the error counters here except @data_without_header.
 */
struct h64_msg_rx {
	struct h64_link *link;
	struct net_device *dev;
	struct page_pool *pool;
	struct h64_rx_vc vc[HIPPI6400_NUM_VCS];
	struct sk_buff_head dropped;
	struct list_head list;
	spinlock_t *lock;	/* serialises all calls on this link */
	u8 scratch[H64_UPKT_DATA] __aligned(8);
	u64 ecrc_errors;
	u64 error_marked;
	u64 header_without_tail;
	u64 data_without_header;
	u64 m_len_errors;
	u64 over_limit;
	u64 too_long;
	u64 bad_snap;
	u64 no_memory;
	u64 no_room;
	u64 lost;
	u64 place_cancelled;
	u64 xdp_too_long;
	u64 placed;
	u64 placed_bytes;
};

/**
 * h64_msg_queue_bytes - size of an skb for byte queue limits
 * @skb: the skb
 *
 * Return: its bytes, or the most that byte queue limits accept for one object.
 */
static inline u32 h64_msg_queue_bytes(const struct sk_buff *skb)
{
	return min_t(u32, skb->len, DQL_MAX_OBJECT);
}

void h64_msg_tx_init(struct h64_msg_tx *tx, struct h64_link *link);
int h64_msg_tx_queue(struct h64_msg_tx *tx, unsigned int vc, struct sk_buff *skb);
void h64_msg_tx_pump(struct h64_msg_tx *tx, u64 now);
void h64_msg_tx_expire(struct h64_msg_tx *tx, u64 before);
void h64_msg_tx_drop(struct h64_msg_tx *tx, unsigned int unacked);

void h64_msg_rx_init(struct h64_msg_rx *rx, struct h64_link *link, struct net_device *dev,
		     struct page_pool *pool);
struct sk_buff *h64_msg_rx(struct h64_msg_rx *rx, const struct h64_upkt *upkt, u64 now);
void h64_msg_rx_drop(struct h64_msg_rx *rx);
void h64_msg_rx_forget(struct h64_msg_rx *rx, const struct hippi6400_placer *placer);

/* place.c */
void h64_place_attach(struct h64_msg_rx *rx, spinlock_t *lock);
void h64_place_detach(struct h64_msg_rx *rx);
bool h64_place_known(__be16 proto);
bool h64_place_begin(struct h64_msg_rx *rx, unsigned int vc, u32 len, bool only);
void *h64_place_map(struct h64_rx_vc *v);
int h64_place_data(struct h64_rx_vc *v, const u8 *scratch);
bool h64_place_done(struct h64_msg_rx *rx, struct h64_rx_vc *v);
void h64_place_end(struct h64_rx_vc *v, bool good);
bool h64_place_deliver(struct sk_buff *skb);

#endif
