/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages, HIPPI-6400-PH 4.5: an skb with an Ethernet header on one side, a
 * Header micropacket and Data micropackets on the other.
 *
 * Serialised as the link is.
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

/* In skb->cb of what was received, until it is delivered */
struct h64_skb_cb {
	bool placed;	/* its fragments are pages of whom it is for */
};

#define H64_SKB_CB(skb)	((struct h64_skb_cb *)(skb)->cb)

/**
 * struct h64_vc_stats - what passed on one Virtual Channel in one direction
 * @messages: Messages, whole
 * @upkts: micropackets that need credit, retransmissions not counted
 * @bytes: of whole Messages, as an skb counts them
 */
struct h64_vc_stats {
	u64 messages;
	u64 upkts;
	u64 bytes;
};

/**
 * struct h64_tx_vc - Messages waiting on one Virtual Channel
 * @queue: the Messages; the first may be partly framed
 * @started: the first one's Header micropacket has left
 * @part: skb that is next: the Message or one of its frag_list
 * @frag: page fragment of it that is next, or -1 in the linear part
 * @pos: offset in there
 * @left: bytes of payload that have not left
 * @cut: a Message that had started was given up, and its end has not left
 * @starved: Messages were given up, and there was no credit since
 * @backlog: micropackets that have not left, of all the Messages and of that end
 * @ecrc: of the Message so far
 * @done: skbs that went to the done list, since the owner looked last
 * @done_bytes: their bytes, as h64_msg_queue_bytes() has them
 * @stats: what was sent
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
 * Bytes that may wait on a Virtual Channel before its queue stops.  The far end takes all of
 * them, however long the port is held; a queueing discipline that goes by the age of what
 * waits in it, as CoDel does, would drop them for that.  2.6 ms at 6400 Mbit/s.
 */
#define H64_TX_KEEP	(2 * 1024 * 1024)

/**
 * struct h64_msg_tx - sending side
 * @link: the link
 * @vc: the Virtual Channels
 * @next_vc: whose turn it is
 * @done: skbs wholly framed, for the caller to free outside its lock
 * @dropped: skbs lost with the link, likewise
 * @over_limit: refused for being over the limit of the Virtual Channel
 * @malformed: refused for want of an Ethernet header
 * @no_memory: refused for want of memory to make them linear
 * @expired: given up as they waited too long, or refused by a Virtual Channel that
 *	has had no credit since
 * @lost: Messages partly framed when the state of the link was dropped
 * @discarded: Messages dropped then that had not started
 * @unacked: Messages wholly framed then, and counted in the @stats of their
 *	Virtual Channel, of which nobody knows whether they arrived
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
 * struct h64_tx_cb - what the sending side knows of an skb
 * @since: when it was handed over
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
 * struct h64_placing - where a protocol wants the rest of a Message
 * @placer: the protocol, or NULL
 * @place: its answer
 * @last: skb that holds the newest pages: the Message or the last of its
 *	frag_list
 * @page: page of the segment that is next
 * @off: where in the page the next byte goes
 * @room: bytes left in the segment
 * @pos: bytes that have their place
 * @len: bytes to place
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
 * @skb: being filled
 * @dst: where the next 32 bytes go
 * @room: bytes left there, a multiple of 32
 * @seen: micropackets accepted
 * @total: micropackets that M_len announced
 * @left: payload bytes that have no place in @skb yet
 * @ecrc: of the Message so far
 * @placing: once a protocol was asked and has agreed
 * @busy: a Header was accepted and its TAIL was not
 * @bad: the rest of the Message is discarded
 * @stats: what was received
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
 * @pool: pages for what does not fit the linear part
 * @vc: the Virtual Channels
 * @dropped: for the caller to free, not under @lock
 * @list: in the list of those that may place, see place.c
 * @lock: serialises all on this link
 * @scratch: data bytes that have no other place
 * @ecrc_errors: Messages with a wrong ECRC
 * @error_marked: Messages with ERROR set
 * @header_without_tail: Messages that the next Header cut short
 * @data_without_header: Data micropackets outside any Message
 * @m_len_errors: Messages whose M_len does not match their micropackets
 * @over_limit: Messages over the limit of their Virtual Channel
 * @too_long: Messages longer than a frame that nobody has a place for
 * @bad_snap: Messages without the LLC/SNAP header
 * @no_memory: Messages dropped for want of memory
 * @no_room: Messages dropped because the far end had no credit
 * @lost: Messages under way when the state of the link was dropped
 * @place_cancelled: Messages dropped as their place was taken back
 * @xdp_too_long: Messages longer than a frame, dropped as an XDP program would have to
 *	see them
 * @placed: Messages delivered that were placed
 * @placed_bytes: of them, the bytes placed
 *
 * Each Message that began ends in the @stats of its Virtual Channel, or in one
 * counter here but for @data_without_header.
 */
struct h64_msg_rx {
	struct h64_link *link;
	struct net_device *dev;
	struct page_pool *pool;
	struct h64_rx_vc vc[HIPPI6400_NUM_VCS];
	struct sk_buff_head dropped;
	struct list_head list;
	spinlock_t *lock;	/* all on this link */
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
 * h64_msg_queue_bytes - what byte queue limits are told of an skb
 * @skb: the skb
 *
 * Return: its bytes, or the most that they take for one object.
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
