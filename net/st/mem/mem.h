/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Persistent memory, ST 6.1.4: regions, and operations on them.
 *
 * All of it is protected by st_sock.lock unless stated otherwise.
 */
#ifndef _NET_ST_MEM_H
#define _NET_ST_MEM_H

#include <linux/completion.h>
#include <linux/hashtable.h>
#include <linux/skbuff.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include "st_sock.h"

#define ST_REGION_LEN_MAX	(1UL << (BITS_PER_LONG == 64 ? 36 : 30))
#define ST_REGIONS		64	/* regions of this end per Virtual Connection */
#define ST_REMOTES		64	/* regions of the peer per Virtual Connection */
#define ST_ASKED		16	/* requests that wait for the application */
#define ST_ONESIDED		64	/* outstanding operations per Virtual Connection */
#define ST_REPLIES		64	/* Gets being answered */
#define ST_FETCHES		128	/* results kept until FetchOp_Complete */
#define ST_FETCHES_OVER		128	/* FetchOps remembered after that */
#define ST_FETCH_LEN		8	/* ST 6.1.4.4 */

/*
 * Memory Indexes, ST 6.2.2: Blocks have ST_MX_MEM clear.  Others consist of a place below
 * ST_MX_PLACES and a generation above it.
 */
#define ST_MX_MEM		BIT(15)
#define ST_MX_LOCAL		BIT(14)	/* memory of a Get or FetchOp; clear: a region */
#define ST_MX_KIND		(ST_MX_MEM | ST_MX_LOCAL)
#define ST_MX_PLACES		64

/**
 * struct st_put_map - complete Puts to a region, ST 6.2.4
 * @seq: Puts from B_num 0 on that are complete without a gap
 * @base: B_num of bit 0 of @map, not before @seq
 * @map: bit i: Put @base + i is complete
 *
 * A peer that leaves Puts unfinished, or starts with a B_num other than 0, moves @base
 * on; @seq stays.
 */
struct st_put_map {
	u64	seq;
	u32	base;
	u64	map;
};

/**
 * struct st_region - memory that this end exposes
 * @id: handle; also the R-id once granted
 * @peer_id: I-id of the request it was granted to
 * @mx: R-Mx
 * @access: ST_REGION_PUT, _GET, _FETCHOP
 * @granted: the peer may use it
 * @mapped: kernel memory that mmap() maps
 * @writable: this end or the peer may write to the memory
 * @ending: the memory is withdrawn, End has been sent
 * @st: its socket
 * @refs: one for @list and one for @buf
 * @list: in st_mem.regions, in the order of the offers
 * @pin: in st_mem.pinned, until the memory is released
 * @buf: the memory; not used once @ending
 * @len: bytes of it
 * @size: bytes that the peer has requested, and may use
 * @at: R-Bufx and R-Offset
 * @token: of the application
 * @put_map: complete Puts
 * @next_put: B_num after that of the Put that began last
 * @open: a Put is under way, and the next members are valid
 * @summed: @csum covers all of its segment
 * @b_num: of the Put under way
 * @stu_num: the next expected one
 * @pos: where the Put began, bytes into the region
 * @got: bytes of the Put so far
 * @csum: of the segment under way, ST 8.3.2
 * @info: counters
 * @retrans: repeats the End
 * @err: why it is over, a positive errno
 * @release: releases the memory after the last write
 */
struct st_region {
	u32			id;
	u32			peer_id;
	u16			mx;
	u8			access;
	bool			granted;
	bool			mapped;
	bool			writable;
	bool			ending;
	unsigned int		refs;
	struct st_sock		*st;
	struct list_head	list;
	struct list_head	pin;
	struct st_buf		*buf;
	u64			len;
	u64			size;
	struct st_place		at;
	u64			token;
	struct st_put_map	put_map;
	u32			next_put;
	bool			open;
	bool			summed;
	u32			b_num;
	u32			stu_num;
	u64			pos;
	u64			got;
	struct st_csum		csum;
	struct st_region_info	info;
	struct st_retrans	retrans;
	int			err;
	struct rcu_work		release;
};

/**
 * struct st_asked - a Request_Memory_Region that waits for the application
 * @list: in st_mem.asked
 * @peer_id: its I-id
 * @len: requested bytes
 */
struct st_asked {
	struct list_head	list;
	u32			peer_id;
	u64			len;
};

/**
 * struct st_reply - a Get that is being answered
 * @list: in st_mem.replies
 * @region: the source; its end frees the reply
 * @id: G-id
 * @mx: I-Mx
 * @channel: Data Channel
 * @at: where the next STU goes at the peer
 * @pos: its first byte in the region
 * @left: bytes left to send
 * @stu_num: of the next STU
 */
struct st_reply {
	struct list_head	list;
	struct st_region	*region;
	u32			id;
	u16			mx;
	u8			channel;
	struct st_place		at;
	u64			pos;
	u32			left;
	u16			stu_num;
};

/**
 * struct st_fetch - an executed FetchOp, ST 6.1.4.4
 * @list: in st_mem.fetch_list or st_mem.fetch_over, by @when
 * @node: in st_mem.fetches
 * @op: the FetchOp
 * @over: the peer has the value; only a late repeat can ask for it again
 * @sync: Sync of its Data
 * @value: the bytes before the operation, as they lay in memory
 * @when: jiffies of the execution, of the last answer, or of @over
 */
struct st_fetch {
	struct list_head	list;
	struct hlist_node	node;
	struct st_op		op;
	bool			over;
	u32			sync;
	u64			value;
	unsigned long		when;
};

/**
 * struct st_remote - a region of the peer
 * @id: handle; also the I-id
 * @peer_id: R-id
 * @mx: R-Mx
 * @asked: the Request_Memory_Region has been sent
 * @ready: the region may be used
 * @ending: End has been sent
 * @waited: an SIOCSTREQUEST waits for @done, and frees the region if it is @over
 * @over: no longer in @list
 * @list: in st_mem.remotes
 * @at: R-Bufx and R-Offset
 * @len: bytes
 * @token: of the application
 * @next_put: B_num of the next Put
 * @puts: struct st_onesided, incomplete Puts, by B_num
 * @info: counters
 * @retrans: repeats the Request_Memory_Region or End
 * @err: 0 or a positive errno, valid once @over
 * @done: completed with the answer of the peer
 */
struct st_remote {
	u32			id;
	u32			peer_id;
	u16			mx;
	bool			asked;
	bool			ready;
	bool			ending;
	bool			waited;
	bool			over;
	struct list_head	list;
	struct st_place		at;
	u64			len;
	u64			token;
	u32			next_put;
	struct list_head	puts;
	struct st_region_info	info;
	struct st_retrans	retrans;
	int			err;
	struct completion	done;
};

/**
 * struct st_onesided - an operation on a region of the peer
 * @st: its socket; holds a reference if nobody waits
 * @list: in st_mem.ops, in the order of the calls
 * @put_list: a Put: in st_remote.puts
 * @remote: the region
 * @id: G-id or F-id; names the operation in events
 * @type: ST_PUT, ST_GET or ST_FETCHOP
 * @function: of a FetchOp, ST_FETCH_*
 * @flags: ST_PUT_*
 * @waited: a sendmsg() waits for @done and frees it
 * @asked: the Get or FetchOp, or all of the Put, has been sent
 * @polling: @retrans.expires is the time to ask for the state of a Put, or to repeat
 *	an operation that the peer has postponed
 * @homeless: a FetchOp: the region of this end for its result has ended
 * @placing: the LLP may write into @buf until a grace period is over
 * @mx: I-Mx, of a Get or FetchOp
 * @opaque: Opaque data of a Put
 * @at: where the operation begins at the peer
 * @len: bytes
 * @got: bytes sent or received
 * @stu_num: of the next STU
 * @b_num: of a Put
 * @sent_at: jiffies when all of a Put had been passed to the LLP
 * @tries: how often a Put has been sent again
 * @buf: memory of a Put or Get; NULL without bytes
 * @value: the fetched value of a FetchOp
 * @csum: of the current segment of a Get, ST 8.3.2
 * @summed: @csum covers all of it
 * @token: of the application
 * @retrans: repeats the Get, FetchOp or Request_State
 * @event: for ST_EVENT_DONE, if nobody waits
 * @release: releases @buf and queues @event
 * @err: result, a negative errno or 0, valid after @done
 * @done: completed when the operation is over
 */
struct st_onesided {
	struct st_sock		*st;
	struct list_head	list;
	struct list_head	put_list;
	struct st_remote	*remote;
	u32			id;
	u8			type;
	u8			function;
	u8			flags;
	bool			waited;
	bool			asked;
	bool			polling;
	bool			homeless;
	bool			placing;
	u16			mx;
	u32			opaque;
	struct st_place		at;
	u64			len;
	u64			got;
	u32			stu_num;
	u32			b_num;
	unsigned long		sent_at;
	unsigned int		tries;
	struct st_buf		*buf;
	u64			value;
	struct st_csum		csum;
	bool			summed;
	u64			token;
	struct st_retrans	retrans;
	struct sk_buff		*event;
	struct rcu_work		release;
	int			err;
	struct completion	done;
};

/**
 * struct st_mem - persistent memory of a Virtual Connection
 * @st: its socket
 * @regions: struct st_region, offered, granted and ending
 * @nr_regions: length of @regions
 * @bytes: of regions that have memory
 * @by_mx: regions with memory, by the place in their Mx
 * @by_id: granted regions by R-id
 * @generation: of the next Mx
 * @pinned: struct st_region with memory, ending or not
 * @held: buffers of regions, and of Gets that nobody waits for, that are not yet
 *	released; not under the lock
 * @held_wait: woken when a region has left @pinned, and when @held is 0
 * @asked: struct st_asked
 * @answered: I-ids of answered requests, to recognize a duplicate, ST 10.3
 * @nr_answered: how many there were; the next goes to @nr_answered modulo
 *	%ST_REGIONS
 * @replies: struct st_reply
 * @reply_work: sends @replies
 * @fetches: struct st_fetch by F-id; not a tree, since the peer chooses the F-ids and could make
 *	a tree take more memory than the FetchOps
 * @fetch_list: struct st_fetch whose result is kept
 * @nr_fetches: length of @fetch_list
 * @fetch_over: struct st_fetch of which only the execution is remembered
 * @nr_fetches_over: length of @fetch_over
 * @remotes: struct st_remote
 * @nr_remotes: length of @remotes
 * @ops: struct st_onesided
 * @nr_ops: outstanding operations, including those not yet in @ops
 * @local: Gets and FetchOps by the place in their Mx
 * @room: sendmsg() calls that wait for @nr_ops to decrease
 */
struct st_mem {
	struct st_sock		*st;
	struct list_head	regions;
	unsigned int		nr_regions;
	u64			bytes;
	struct st_region	*by_mx[ST_REGIONS];
	struct xarray		by_id;
	u16			generation;
	struct list_head	pinned;
	atomic_t		held;
	wait_queue_head_t	held_wait;
	struct list_head	asked;
	u32			answered[ST_REGIONS];
	unsigned int		nr_answered;
	struct list_head	replies;
	struct work_struct	reply_work;
	DECLARE_HASHTABLE(fetches, 5);
	struct list_head	fetch_list;
	unsigned int		nr_fetches;
	struct list_head	fetch_over;
	unsigned int		nr_fetches_over;
	struct list_head	remotes;
	unsigned int		nr_remotes;
	struct list_head	ops;
	unsigned int		nr_ops;
	struct st_onesided	*local[ST_ONESIDED];
	wait_queue_head_t	room;
};

static_assert(ST_REGIONS <= ST_MX_PLACES && ST_ONESIDED <= ST_MX_PLACES);

/* mem/mem.c */
int st_mem_prepare(struct st_sock *st);
bool st_mem_has_id(const struct st_sock *st, u32 id);
u16 st_mem_new_mx(struct st_mem *mem, u16 kind, unsigned int place);
void st_mem_tell(struct st_sock *st, u32 wanted, const struct st_event *event);
bool st_mem_waiting(const struct st_sock *st);
bool st_mem_idle(const struct st_sock *st);
bool st_mem_asks(const struct st_sock *st);
struct st_region *st_region_find(struct st_mem *mem, u32 id);
bool st_region_has(struct st_mem *mem, const struct st_buf *buf);
struct st_remote *st_remote_find(struct st_mem *mem, u32 id);
struct st_remote *st_remote_known(struct st_mem *mem, u32 id);

/* mem/input.c */
enum st_error st_mem_area(struct st_sock *st, const struct st_op *op, u32 len,
			  struct st_buf **buf, u64 *pos);
void st_mem_rcv_data(struct st_sock *st, const struct st_op *op, const struct sk_buff *skb);
void st_rcv_get(struct st_sock *st, const struct st_op *op);
bool st_mem_rcv_answer(struct st_sock *st, const struct st_op *op);
void st_mem_rcv_state(struct st_sock *st, const struct st_op *op);
bool st_mem_rcv_end(struct st_sock *st, u32 id);
bool st_mem_rcv_end_ack(struct st_sock *st, u32 id, bool *asked);
void st_mem_pump(struct st_sock *st);
bool st_mem_timeouts(struct st_sock *st, unsigned long now);
void st_mem_stop(struct st_sock *st, int err);
void st_mem_purge(struct st_sock *st);

#endif
