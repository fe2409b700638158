/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of af_st share.
 *
 * Locks, outermost first:
 *   lock_sock()       the calls bind, connect, listen, accept, shutdown, close
 *   st_sock.reading   one recvmsg() at a time
 *   what an LLP or its device receives under
 *   st_sock.lock      the Virtual Connection and its Transfers; bottom halves off
 *   st_link.lock, st_net.port_lock, st_net.host_lock, sk_callback_lock   leaves
 * Two st_sock.lock are never held together.  Operations are queued under
 * st_sock.lock and handed to the LLP by st_unlock() after it is dropped, since
 * st_target_get() takes it inside the locks of a device.
 */
#ifndef _NET_ST_ST_H
#define _NET_ST_ST_H

#include <linux/completion.h>
#include <linux/rhashtable.h>
#include <linux/siphash.h>
#include <linux/skbuff.h>
#include <linux/workqueue.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include <net/st.h>
#include <net/sock.h>
#include <net/tcp_states.h>
#include <uapi/linux/st_netlink.h>

#include "block.h"
#include "op.h"

#define ST_BUFSIZE		20	/* log2 of a receive buffer, ST 5.2.3 */
#define ST_BLOCKS		64	/* Blocks exposed at a time on a Virtual Connection */
#define ST_BLOCKS_XFER		16	/* of them to one Transfer */
#define ST_BLOCKSIZE		17	/* log2, the largest that is exposed, if not told */
#define ST_GRANTS		256	/* Clear_To_Sends kept at the data Source */
#define ST_DONE_IDS		256	/* finished Transfers remembered, to know a duplicate */
#define ST_MAX_T_LEN		BIT_ULL(48)	/* longest Transfer that is received */
#define ST_DIRECT_MIN		16384	/* shorter Transfers are copied once */
#define ST_TARGET_MIN		256	/* shorter STUs are copied: less work than to ask */
#define ST_TX_INFLIGHT		BIT(18)	/* bytes of Data in the LLP, not yet sent */
#define ST_READS		ST_READS_MAX	/* Reads under way at a time, each way */
#define ST_KEEPALIVE		(5 * HZ)
#define ST_MX_BLOCK		0x7fff	/* Memory Indexes of Blocks, see mem.h */
#define ST_CONTROL_CHANNEL	0
#define ST_DATA_CHANNEL		1

enum st_state {
	ST_CLOSED		= TCP_CLOSE,
	ST_LISTEN		= TCP_LISTEN,
	ST_CONNECTING		= TCP_SYN_SENT,		/* Request_Connection sent */
	ST_ESTABLISHED		= TCP_ESTABLISHED,
	ST_DISCONNECTING	= TCP_FIN_WAIT1,	/* Request_Disconnect sent */
	ST_ANSWERED		= TCP_LAST_ACK,		/* Disconnect_Answer sent */
	ST_HELD			= TCP_TIME_WAIT,	/* Port and Key kept, ST 5.1.2 */
};

/* Discards that table 10 has no name for; shown in /proc/net/st */
enum st_drop {
	ST_DROP_LENGTH,		/* not a legal length, ST 4.2 */
	ST_DROP_NOMEM,
	ST_DROP_BACKLOG,	/* Request_Connection to a full listener */
	ST_DROP_GRANTS,		/* Clear_To_Send beyond ST_GRANTS */
	ST_DROP_XMIT,		/* refused by the LLP */
	ST_DROP_CONNECTIONS,	/* Virtual Connection over net.st.max_connections */
	ST_DROP_PEER_CONNECTIONS, /* over net.st.max_connections_peer */
	ST_DROP_PEER_MEMORY,	/* received data over net.st.max_memory_peer */
	ST_DROP_MEMLOCK,	/* pages of an application over RLIMIT_MEMLOCK */
	ST_DROP_REGION_LIMIT,	/* a region beyond a limit of net.st.* */
	ST_DROP_REGION,		/* Request_Memory_Region that nothing was exposed for */
	ST_DROP_GET,		/* Get beyond ST_REPLIES */
	ST_DROP_FETCHOP,	/* FetchOp beyond ST_FETCHES */
	ST_DROP_EVENT,		/* no room on the error queue */
	__ST_DROP_MAX,
};

/* Nothing to log */
#define ST_ERR_NONE	__ST_ERR_MAX

/**
 * struct st_net - AF_ST in a network namespace
 * @vcs: Virtual Connections by local Key
 * @peers: Virtual Connections by what the peer calls them, to know a
 *	duplicate Request_Connection
 * @links: struct st_link; RTNL to write, RCU to read
 * @port_lock: protects @ports and the owner of each
 * @ports: struct st_port by number
 * @hosts: struct st_host
 * @host_lock: protects @hosts, @connections, and those of each host
 * @connections: Virtual Connections, those that are being torn down too
 * @errors: table 10, operations that no Port could be found for
 * @drops: enum st_drop
 * @op_timeout: ms, the longest Op_timeout, ST 10.1
 * @op_timeout_min: ms, the shortest that is measured
 * @max_retry: repeats of an operation, ST 10.1
 * @max_transfer: bytes, the longest record of a send
 * @max_connections: limit of @connections
 * @max_connections_peer: of those with one host
 * @max_memory_peer: bytes of kernel pages for what one host has sent
 * @slots: offered by new Virtual Connections, ST 5.2.5
 * @checksum: whether new sockets send checksums, ST 8.3
 * @conn_regions: most regions of a Virtual Connection
 * @conn_region_bytes: most bytes in them
 * @max_regions: most regions of the namespace
 * @max_region_bytes: most bytes in them
 * @regions: regions of the namespace now
 * @region_bytes: bytes in them
 * @sysctl: table header
 */
struct st_net {
	struct rhashtable	vcs;
	struct rhashtable	peers;
	struct list_head	links;
	spinlock_t		port_lock;	/* @ports, their refcnt and owner */
	DECLARE_HASHTABLE(ports, 10);
	struct rhashtable	hosts;
	spinlock_t		host_lock;	/* @hosts, @connections and theirs */
	unsigned int		connections;
	atomic64_t		errors[__ST_ERR_MAX];
	atomic64_t		drops[__ST_DROP_MAX];
	unsigned int		op_timeout;
	unsigned int		op_timeout_min;
	unsigned int		max_retry;
	unsigned long		max_transfer;
	unsigned int		max_connections;
	unsigned int		max_connections_peer;
	unsigned long		max_memory_peer;
	unsigned int		slots;
	u8			checksum;
	unsigned int		conn_regions;
	unsigned long		conn_region_bytes;
	unsigned int		max_regions;
	unsigned long		max_region_bytes;
	atomic_t		regions;
	atomic64_t		region_bytes;
	struct ctl_table_header	*sysctl;
};

/**
 * struct st_param - a parameter of a network namespace
 * @name: of the sysctl
 * @value: what it is
 * @min: least value
 * @max: greatest value
 */
struct st_param {
	const char	*name;
	u64		value;
	u64		min;
	u64		max;
};

/**
 * struct st_port - a Port in use, ST 5.2.1, with its error log, ST 10
 * @node: in st_net.ports
 * @refcnt: sockets on the Port, under st_net.port_lock
 * @owner: socket that bind() gave the Port to; NULL when only accepted
 *	connections are left
 * @num: the number, host order
 * @errors: table 10
 * @undefined_op: last undefined Op
 * @unexpected_op: last unexpected Op
 * @rcu: frees it after the last reader
 */
struct st_port {
	struct hlist_node	node;
	unsigned int		refcnt;
	struct sock		*owner;
	u16			num;
	atomic64_t		errors[__ST_ERR_MAX];
	u8			undefined_op;
	u8			unexpected_op;
	struct rcu_head		rcu;
};

/**
 * struct st_seg - part of a buffer inside one page
 * @page: the page
 * @off: first byte
 * @len: bytes
 * @start: place of the first byte in the buffer
 */
struct st_seg {
	struct page	*page;
	u32		off;
	u32		len;
	u64		start;
};

/**
 * struct st_buf - memory that a Transfer is sent from or placed into
 * @uarg: counts the skbs that hold pinned pages, and the owner
 * @mmp: who is charged for pinned pages
 * @zc: completes when the buffer is released, for MSG_ZEROCOPY; or NULL
 * @len: bytes
 * @nr: segments in use
 * @max: segments there is room for
 * @pinned: the pages are pinned user memory, else the buffer's own
 * @uniform: every segment but the first starts and every one but the last
 *	ends on a page boundary, so that a place is found without a search
 * @seg: the segments
 */
struct st_buf {
	struct ubuf_info uarg;
	struct mmpin	mmp;
	struct ubuf_info *zc;
	u64		len;
	unsigned int	nr;
	unsigned int	max;
	bool		pinned;
	bool		uniform;
	struct st_seg	seg[] __counted_by(max);
};

/**
 * struct st_guard - an operation that is repeated until it is answered, ST 10.2
 * @op: the operation
 * @expires: jiffies of the next Op_timeout
 * @sent: when it was sent first
 * @tries: repeats so far
 * @armed: an answer is awaited
 * @paused: the answer was that there will be one
 */
struct st_guard {
	struct st_op	op;
	unsigned long	expires;
	ktime_t		sent;
	unsigned int	tries;
	bool		armed;
	bool		paused;
};

/**
 * struct st_rtt - measured round trips of a Virtual Connection, ST 10.1
 * @srtt: smoothed, microseconds * 8; 0: none measured
 * @rttvar: their variation, microseconds * 4
 * @backoff: how often Op_timeout has doubled since the last was measured
 */
struct st_rtt {
	u32		srtt;
	u32		rttvar;
	unsigned int	backoff;
};

/* First member of struct st_tx and struct st_rx, found by id in st_sock.ids */
struct st_xfer {
	u32	id;
	bool	tx;
};

/**
 * struct st_grant - a Block that the data Destination has cleared to send
 * @list: in st_tx.grants, in the order of arrival
 * @n: number of the Block in the Transfer, not wrapped
 * @start: its first byte in the Transfer
 * @len: its bytes
 * @sent: bytes of it sent
 * @at: where the next STU goes
 * @stu_num: of the next STU
 * @mx: Memory Index of the Block
 * @done: all of it is sent
 */
struct st_grant {
	struct list_head	list;
	u64			n;
	u64			start;
	u64			len;
	u64			sent;
	struct st_place		at;
	u16			stu_num;
	u16			mx;
	bool			done;
};

/**
 * struct st_tx - a Transfer at the data Source, ST 6.1.2, 6.1.3
 * @x: our sequence identifier
 * @list: in st_sock.tx_list, in the order of the sends
 * @peer_id: R-id, once @peer_id_known; with @answers the I-id from the beginning
 * @channel: Data Channel, ST 8.2
 * @flags: of struct st_send
 * @opaque: Opaque data, ST 6.2.10
 * @cts_req: Blocks to be exposed at a time, as advice
 * @tiling: Block boundaries, once @tiled
 * @nblocks: Blocks in the Transfer, once @tiled
 * @high: after the last Block that was sent whole
 * @max_block: log2, as asked for
 * @buf: the bytes; NULL for a record of no bytes
 * @grants: struct st_grant
 * @guard: Request_To_Send, Request_State or End
 * @answers: the Transfer answers a Read of the peer
 * @asked: the Request_To_Send has been sent
 * @answered: and answered
 * @peer_id_known: a Clear_To_Send was received
 * @tiled: @tiling holds
 * @stream: of unlimited size, its bytes are @pieces
 * @closed: no more pieces will come
 * @pieces: struct st_piece, not yet acknowledged
 * @queued: bytes of a stream so far
 * @sent: up to which byte Data was sent
 * @acked: Blocks that the peer has got, with all before them
 * @watch: last Block that was sent with Send_State
 * @ending: nothing more is sent of it but End
 * @charged: bytes of it in st_sock.tx_queued
 * @waited: a sendmsg() waits for @done and frees it
 * @cancelled: by ST_END
 * @over: not on the list any more
 * @err: result, valid after @done
 * @done: the Transfer is acknowledged or given up
 */
struct st_tx {
	struct st_xfer		x;
	struct list_head	list;
	u32			peer_id;
	u8			channel;
	u8			flags;
	u32			opaque;
	u16			cts_req;
	struct st_tiling	tiling;
	u64			nblocks;
	u64			high;
	u8			max_block;
	struct st_buf		*buf;
	struct list_head	grants;
	struct st_guard		guard;
	bool			answers;
	bool			asked;
	bool			answered;
	bool			peer_id_known;
	bool			tiled;
	bool			stream;
	bool			closed;
	struct list_head	pieces;
	u64			queued;
	u64			sent;
	u64			acked;
	u64			watch;
	bool			ending;
	bool			waited;
	bool			cancelled;
	bool			over;
	u64			charged;
	int			err;
	struct completion	done;
};

/**
 * struct st_chunk - received bytes in pages of the kernel
 * @list: in st_rx.chunks, by place
 * @start: place of the first byte in the Transfer
 * @buf: the pages
 */
struct st_chunk {
	struct list_head	list;
	u64			start;
	struct st_buf		*buf;
};

/**
 * struct st_rx - a Transfer at the data Destination, ST 6.1.2, 6.1.3
 * @x: our sequence identifier
 * @list: in st_sock.rx_list, in the order of arrival; before, a Read is in
 *	st_reads.asked
 * @peer_id: I-id of a Write, R-id of a Read
 * @channel: Data Channel, ST 8.2
 * @flags: of struct st_recv
 * @opaque: Opaque data, ST 6.2.10
 * @reads: it is a Read of ours
 * @asking: and the peer has not yet announced the bytes
 * @asked: but the Request_To_Receive has been sent
 * @interrupt: with the Interrupt flag
 * @token: what the application knows the Read by
 * @tiling: Block boundaries, once @tiled
 * @max_block: log2, the largest Block the Source wants to send
 * @cts_req: Blocks the Source would like exposed; 0: do not care
 * @tiled: @tiling holds, a Clear_To_Send has been sent
 * @next: first Block that is not complete
 * @high: first Block that was never exposed
 * @done_map: bit i: Block @next + i is complete
 * @out_map: bit i: Block @next + i is exposed
 * @done_end: bytes received without a gap
 * @consumed: bytes that recvmsg() has returned
 * @chunks: struct st_chunk, complete and not yet consumed
 * @ubuf: pages of the recvmsg() under way, for bytes from @ustart on
 * @ustart: first byte of @ubuf
 * @uend: after the last byte of @ubuf
 * @hold: a recvmsg() is about to set @ubuf, nothing is exposed until then
 * @guard: End
 * @last: the last Block of a Transfer of unlimited size is complete
 * @last_end: after its last byte
 * @ended: nothing more will come; @end is valid
 * @end: length of the record, once known
 * @err: why the record is broken, or 0
 * @read: recvmsg() is through with it; it waits for End_Ack in st_sock.rx_ending
 */
struct st_rx {
	struct st_xfer		x;
	struct list_head	list;
	u32			peer_id;
	u8			channel;
	u8			flags;
	u32			opaque;
	bool			reads;
	bool			asking;
	bool			asked;
	bool			interrupt;
	u64			token;
	struct st_tiling	tiling;
	u8			max_block;
	u16			cts_req;
	bool			tiled;
	u64			next;
	u64			high;
	u64			done_map;
	u64			out_map;
	u64			done_end;
	u64			consumed;
	struct list_head	chunks;
	struct st_buf		*ubuf;
	u64			ustart;
	u64			uend;
	bool			hold;
	struct st_guard		guard;
	bool			last;
	u64			last_end;
	bool			ended;
	u64			end;
	int			err;
	bool			read;
};

/**
 * struct st_block - a Block exposed to the peer, ST figure 5
 * @rx: its Transfer
 * @n: number of the Block in the Transfer, not wrapped
 * @start: its first byte in the Transfer
 * @len: its bytes
 * @got: bytes received, without a gap
 * @chunk: pages of the kernel for the end of the Block, from chunk->start on;
 *	before that, and where there is none, st_rx.ubuf.  Of unlimited size: in
 *	st_rx.chunks from the beginning, and not the Block's own.
 * @shown: bytes that can be read before the Block is complete
 * @csum: of the segment under way, ST 8.3.2
 * @summed: @csum covers all of it
 * @mx: its Memory Index: the place in st_sink.blocks and a generation
 * @stu_num: expected next
 * @tries: how often the Block was asked for again
 */
struct st_block {
	struct st_rx	*rx;
	u64		n;
	u64		start;
	u64		len;
	u64		got;
	struct st_chunk	*chunk;
	u64		shown;
	struct st_csum	csum;
	bool		summed;
	u16		mx;
	u32		stu_num;
	unsigned int	tries;
};

/**
 * struct st_done - a Transfer from the peer that is over
 * @peer_id: the peer's sequence identifier
 * @id: ours; %ST_ID_NONE when it was refused
 * @b_seq: its last B_seq, ST 6.2.4
 */
struct st_done {
	u32	peer_id;
	u32	id;
	u32	b_seq;
};

/**
 * struct st_sink - what only a Virtual Connection that receives needs
 * @blocks: Block descriptors by Mx; NULL: not in use
 * @done: Transfers that are over, to know a duplicate, ST 10.3
 * @done_count: how many there were; the next replaces @done_count modulo
 *	%ST_DONE_IDS
 * @used: jiffies of the last Transfer that was over
 */
struct st_sink {
	struct st_block		*blocks[ST_BLOCKS];
	struct st_done		done[ST_DONE_IDS];
	unsigned int		done_count;
	unsigned long		used;
};

/* What a peer calls a Virtual Connection, for st_net.peers */
struct st_peer {
	u32	key;
	u16	port;
	u16	pad;
	u32	ifindex;
	u8	addr[ST_ADDR_MAX];
};

/* Where a host is */
struct st_host_key {
	u32	ifindex;
	u8	addr[ST_ADDR_MAX];
};

/**
 * struct st_host - what the Virtual Connections with one remote address share
 * @node: in st_net.hosts
 * @key: the address
 * @refcnt: sockets that refer to it, under st_net.host_lock
 * @connections: Virtual Connections, under st_net.host_lock
 * @mem: bytes of kernel pages for what the host has sent and nobody has read
 */
struct st_host {
	struct rhash_head	node;
	struct st_host_key	key;
	unsigned int		refcnt;
	unsigned int		connections;
	atomic64_t		mem;
};

/**
 * struct st_sock - an AF_ST socket with its Virtual Connection
 * @sk: must be first
 * @port: Port the socket is on, or NULL; changes under lock_sock()
 * @link: the link the Virtual Connection runs over, or NULL
 * @bound: what bind() gave
 * @ethertype: protocol that a connection is for, ST 5.2.6; does not change
 *	after connect() or listen()
 * @lock: protects everything below
 * @vc_node: in st_net.vcs
 * @peer_node: in st_net.peers, when accepted
 * @link_node: in st_link.vcs
 * @local_key: our Key
 * @peer: the peer's Port, Key and address
 * @host: who else has Virtual Connections with that address; NULL when there was
 *	no Virtual Connection yet
 * @local_slots: Slots offered at setup, ST 5.2.5
 * @local_max_stu: log2, offered at setup, ST 5.2.4
 * @remote_bufsize: log2, ST 5.2.3
 * @remote_max_stu: log2
 * @checksum: operations are sent with a checksum
 * @any_order: ST_OUT_OF_ORDER, what this end claims
 * @peer_checksum: the peer has sent one
 * @out_of_order: both ends take Blocks in any order
 * @remote_function: what the peer is able to do, Function of ST 8.2
 * @hashed: in st_net.vcs, with a reference
 * @peer_hashed: in st_net.peers
 * @remote_slots: Slots free at the peer; ST_SLOTS_NONE: not counted
 * @remote_slots_max: most it ever said
 * @slot_ops: operations sent that took a Slot
 * @slots_short: the peer has said that few Slots are free
 * @slots_next: jiffies; not asked again before while @slots_short
 * @conn_guard: Request_Connection, Request_Disconnect or Disconnect_Answer
 * @slot_guard: Request_State for Slots
 * @rtt: measured round trips
 * @hold_until: jiffies, in ST_HELD; before that when to stop trying to send
 *	what was queued before close()
 * @heard: jiffies of the last operation from the peer
 * @rx_progress: jiffies of the last Data placed, or begun to be
 * @timer: next of all the above
 * @tx_work: goes on sending when the LLP has sent some
 * @outq: operations on their way to the LLP
 * @flushing: somebody drains @outq
 * @next_id: next sequence identifier, ST 6.2.1
 * @ids: struct st_xfer by sequence identifier
 * @tx_list: struct st_tx
 * @tx_queued: bytes of records that no sendmsg() waits for, against SO_SNDBUF
 * @stream: struct st_tx that the next sendmsg() goes on with, or NULL
 * @stream_err: negative errno of a stream that ended before its time, not yet told
 * @grants: Clear_To_Sends kept
 * @rx_list: struct st_rx
 * @rx_ending: struct st_rx that only wait for an End_Ack
 * @rx_held: struct st_rx that the application does not want yet
 * @rx_count: length of all three, and of st_reads.asked; each takes one of our
 *	Slots
 * @writes: ST_WRITES
 * @send: ST_SEND_DEFAULT
 * @block_max: ST_BLOCK_MAX_SIZE
 * @rx_mem: bytes of kernel pages for received data
 * @rx_asked: a recvmsg() waits
 * @rx_waiting: a recvmsg() with room for a long record waits for one
 * @rx_wake_at: wake when the head of @rx_list has this much
 * @sink: tables of the data Destination; NULL when nothing was received lately
 * @reads: struct st_reads; NULL when there was no Read yet
 * @serve: ST_SERVE
 * @block_gen: generation of the next Mx
 * @questions: struct st_question, each on the stack of who asks
 * @targets: struct st_target; at most one for each channel of the link is not
 *	done
 * @region_events: ST_REGION_EV_*
 * @mem: persistent memory; NULL until it is used, then there until the socket goes
 * @accept_list: connections not yet accepted, of a listener
 * @accept_node: in the listener's
 * @info: counters for ST_INFO
 * @reading: bit 0, a lock: one recvmsg() at a time
 * @read_wait: the others wait here
 */
struct st_sock {
	struct sock		sk;
	struct st_port		*port;
	struct st_link		*link;
	struct sockaddr_st	bound;
	u16			ethertype;

	spinlock_t		lock;		/* all that follows, to @reading */
	struct rhash_head	vc_node;
	struct rhash_head	peer_node;
	struct hlist_node	link_node;
	u32			local_key;
	struct st_peer		peer;
	struct st_host		*host;
	u16			local_slots;
	u8			local_max_stu;
	u8			remote_bufsize;
	u8			remote_max_stu;
	bool			checksum;
	bool			any_order;
	bool			peer_checksum;
	bool			out_of_order;
	u8			remote_function;
	bool			hashed;
	bool			peer_hashed;

	u16			remote_slots;
	u16			remote_slots_max;
	u32			slot_ops;
	bool			slots_short;
	unsigned long		slots_next;
	struct st_guard		conn_guard;
	struct st_guard		slot_guard;
	struct st_rtt		rtt;
	unsigned long		hold_until;
	unsigned long		heard;
	unsigned long		rx_progress;
	struct timer_list	timer;
	struct work_struct	tx_work;
	struct sk_buff_head	outq;
	bool			flushing;

	u32			next_id;
	struct xarray		ids;
	struct list_head	tx_list;
	u64			tx_queued;
	struct st_tx		*stream;
	int			stream_err;
	unsigned int		grants;
	struct list_head	rx_list;
	struct list_head	rx_ending;
	struct list_head	rx_held;
	unsigned int		rx_count;
	u8			writes;
	struct st_send		send;
	u8			block_max;
	u64			rx_mem;
	bool			rx_asked;
	bool			rx_waiting;
	u64			rx_wake_at;
	struct st_sink		*sink;
	struct st_reads		*reads;
	u32			serve;
	u16			block_gen;
	struct list_head	questions;
	struct list_head	targets;
	u8			region_events;
	struct st_mem		*mem;

	struct list_head	accept_list;
	struct list_head	accept_node;
	struct st_info		info;

	unsigned long		reading;
	wait_queue_head_t	read_wait;
};

/**
 * struct st_ctl - the control messages of a sendmsg()
 * @what: the one that says what the call does, ST_READ, ST_READ_ANSWER,
 *	ST_WRITE_ANSWER or ST_END; 0: it sends a record
 * @any: there is an ST_SEND
 * @send: of it, or the default
 * @read: of an ST_READ
 * @answer: of an ST_READ_ANSWER
 * @write: of an ST_WRITE_ANSWER
 * @end: of an ST_END
 */
struct st_ctl {
	int			what;
	bool			any;
	struct st_send		send;
	union {
		struct st_read		read;
		struct st_read_answer	answer;
		struct st_write_answer	write;
		struct st_end		end;
	};
};

/* In skb->cb of an operation on its way out */
struct st_skb_cb {
	u8	channel;
};

#define ST_SKB_CB(skb)	((struct st_skb_cb *)(skb)->cb)

extern unsigned int st_net_id;

static inline struct st_sock *st_sk(const struct sock *sk)
{
	return (struct st_sock *)sk;
}

static inline struct st_net *st_pernet(const struct net *net)
{
	return net_generic(net, st_net_id);
}

static inline struct st_net *st_net_of(const struct st_sock *st)
{
	return st_pernet(sock_net(&st->sk));
}

/* The longest Op_timeout, jiffies: what is held or waited for if nothing is measured */
static inline unsigned long st_op_timeout(const struct st_sock *st)
{
	return msecs_to_jiffies(READ_ONCE(st_net_of(st)->op_timeout)) ?: 1;
}

/* Where in the Transfer a Block begins to lie in pages of the kernel */
static inline u64 st_block_kstart(const struct st_block *blk)
{
	return blk->chunk ? blk->chunk->start : blk->start + blk->len;
}

/* The Block from @base on that has a B_num */
static inline u64 st_b_num_from(u64 base, u32 b_num)
{
	u32 first;

	div_u64_rem(base, ST_B_NUM_NONE, &first);
	return base + (b_num >= first ? b_num - first : b_num + ST_B_NUM_NONE - first);
}

/* B_num wraps from x'FFFFFFFE' to 0, ST 6.2.4 */
static inline u32 st_b_num(u64 n)
{
	u32 rem;

	div_u64_rem(n, ST_B_NUM_NONE, &rem);
	return rem;
}

/* af_socket.c */
struct sock *st_sk_alloc(struct net *net, struct socket *sock, gfp_t gfp, int kern);
void st_sk_inherit(struct sock *sk, const struct sock *listener);
int st_wait_connected(struct sock *sk, long *timeo);
int st_wait_setup(struct sock *sk, long *timeo);

/* sockopt.c */
int st_setsockopt(struct socket *sock, int level, int optname, sockptr_t optval,
		  unsigned int optlen);
int st_getsockopt(struct socket *sock, int level, int optname, char __user *optval,
		  int __user *optlen);

/* port.c */
int st_port_bind(struct st_sock *st, u16 num);
void st_port_share(struct st_sock *st, struct st_port *port);
void st_port_disown(struct st_sock *st);
void st_port_put(struct st_sock *st);
struct st_port *st_port_find(struct st_net *sn, u16 num);
struct sock *st_port_listener(struct st_net *sn, u16 num, const struct st_link *link);
void st_log(struct st_sock *st, enum st_error err);
void st_log_unexpected(struct st_sock *st, const struct st_op *op);
void st_log_port(struct st_net *sn, struct st_port *port, enum st_error err);
int st_port_init(struct net *net);
void st_port_exit(struct net *net);

/* host.c */
int st_host_join(struct st_sock *st);
void st_host_leave(struct st_sock *st);
void st_host_put(struct st_sock *st);
bool st_host_charge(struct st_sock *st, u64 bytes);
void st_host_uncharge(struct st_sock *st, u64 bytes);
int st_host_init(struct net *net);
void st_host_exit(struct net *net);

/* key.c */
u32 st_key_permute(const siphash_key_t *secret, u32 n);
u32 st_key_new(void);

/* link.c */
bool st_link_bound(const struct st_link *link, const struct st_sock *st);
struct st_link *st_link_route(const struct st_sock *st, const struct sockaddr_st *to, int *err);
void st_link_put(struct st_link *link);
int st_link_join(struct st_link *link, struct st_sock *st);
void st_link_leave(struct st_sock *st);
unsigned int st_link_recv_max_stu(const struct st_link *link);
unsigned int st_link_max_stu(const struct st_link *link, unsigned int channel);

/* sysctl.c */
int st_sysctl_init(struct net *net);
void st_sysctl_exit(struct net *net);
bool st_param_get(const struct st_net *sn, unsigned int i, struct st_param *param);
void st_param_set(struct net *net, unsigned int i, u64 value);

/* netlink.c, nl_vc.c, nl_param.c */
int st_nl_init(void);
void st_nl_exit(void);
void st_nl_link_event(struct st_link *link, u8 cmd);
void st_nl_vc_event(struct st_sock *st, enum st_state before);
void st_nl_param_event(struct net *net, const struct st_param *param);

/* buf.c */
struct st_buf *st_buf_pin(struct iov_iter *from, size_t len);
struct st_buf *st_buf_pin_long(unsigned long addr, size_t len, bool write);
struct st_buf *st_buf_alloc(size_t len, gfp_t gfp);
struct st_buf *st_buf_clone(const struct st_buf *from, u64 pos, u32 len);
int st_buf_copy_from_iter(struct st_buf *buf, struct iov_iter *from);
size_t st_buf_copy_to_iter(const struct st_buf *buf, u64 pos, size_t len, struct iov_iter *to);
int st_buf_place(struct st_buf *buf, u64 pos, const struct sk_buff *skb, int offset, int len,
		 struct st_csum *csum, u32 *there);
void st_buf_segment(const struct st_buf *buf, u64 pos, u32 len, struct bio_vec *seg);
u32 st_buf_fit(const struct st_buf *buf, u64 pos, u32 len);
int st_buf_attach(struct st_buf *buf, u64 pos, u32 len, struct sk_buff *skb,
		  struct st_csum *csum);
void st_buf_notify(struct st_buf *buf, struct ubuf_info *uarg);
void st_buf_hold(struct st_buf *buf);
void st_buf_wait_sent(struct st_buf *buf);
void st_buf_free(struct st_buf *buf, bool dirty);

/* input.c */
bool st_rcv_match(const struct st_sock *st, const struct st_link *link, const struct st_op *op,
		  const u8 *saddr);

/* target.c */
void st_target_cancel(struct st_sock *st, u16 mx);
bool st_target_take_back(struct st_sock *st, const struct st_buf *ubuf);
void st_target_purge(struct st_sock *st);
struct st_target *st_target_new(struct st_sock *st, const struct st_block *blk, u64 pos, u32 len);
struct st_target *st_target_new_in(struct st_sock *st, u16 mx, struct st_buf *buf, u64 pos,
				   u32 len);

/* output.c */
void st_op_init(const struct st_sock *st, struct st_op *op, u8 code, u16 flags);
bool st_slot_take(struct st_sock *st, bool reserve);
bool st_slots_left(const struct st_sock *st);
void st_slots_update(struct st_sock *st, u16 slots, u32 sync);
int st_queue_op(struct st_sock *st, const struct st_op *op);
struct sk_buff *st_alloc_op(const struct st_link *link, const struct st_op *op, bool checksum);
struct sk_buff *st_alloc_data(const struct st_sock *st, const struct st_op *op,
			      const void *data, u32 len);
void st_send_op(struct st_link *link, const struct st_op *op, bool checksum, const u8 *daddr);
void st_unlock(struct st_sock *st) __releases(&st->lock);
void st_guard_start(struct st_sock *st, struct st_guard *guard, const struct st_op *op);
void st_guard_pause(struct st_sock *st, struct st_guard *guard, unsigned long delay);
void st_guard_stop(struct st_guard *guard);
int st_guard_expired(struct st_sock *st, struct st_guard *guard, unsigned long now);
bool st_guard_repeat(struct st_sock *st, struct st_guard *guard, unsigned long now);
void st_queue_end(struct st_sock *st, u32 peer_id, u32 id, struct st_guard *guard);
void st_timer_at(struct st_sock *st, unsigned long when);
void st_timer(struct timer_list *t);
void st_queue_request_state(struct st_sock *st);

/* rtt.c */
void st_rtt_sample(struct st_rtt *rtt, u64 us);
u32 st_rtt_timeout(const struct st_rtt *rtt, u32 min, u32 max);
void st_rtt_backoff(struct st_rtt *rtt, unsigned int tries);
u32 st_guard_timeout(const struct st_sock *st);
void st_guard_answered(struct st_sock *st, struct st_guard *guard);
void st_guard_told(struct st_sock *st, struct st_guard *guard, u32 sync);

/* conn.c */
int st_vc_connect(struct st_sock *st, struct st_link *link, const struct sockaddr_st *to);
void st_vc_disconnect(struct st_sock *st);
void st_vc_maybe_disconnect(struct st_sock *st);
void st_vc_fail(struct st_sock *st, int err);
void st_vc_unhash(struct st_sock *st);
void st_vc_conn_timeout(struct st_sock *st, unsigned long now);
struct st_sock *st_vc_find(struct st_net *sn, u32 key);
void st_rcv_request_connection(struct st_link *link, const struct st_op *op, const u8 *saddr);
void st_rcv_connection_answer(struct st_sock *st, const struct st_op *op);
void st_rcv_disconnect(struct st_sock *st, const struct st_op *op);
void st_rcv_stray_disconnect(struct st_link *link, const struct st_op *op, const u8 *saddr);
int st_conn_init(struct net *net);
void st_conn_exit(struct net *net);

/* sendmsg.c */
int st_send_ready(struct sock *sk, struct msghdr *msg, bool nonblock);
int st_sendmsg(struct socket *sock, struct msghdr *msg, size_t len);

/* tx.c */
int st_xfer_id(struct st_sock *st, struct st_xfer *x);
void st_tx_pump(struct st_sock *st);
bool st_tx_writable(const struct st_sock *st);
bool st_tx_room(const struct st_sock *st, size_t len);
bool st_tx_idle(const struct st_sock *st);
int st_tx_start(struct st_sock *st, struct st_tx *tx, size_t len);
struct st_buf *st_tx_cancel(struct st_sock *st, struct st_tx *tx);
void st_tx_free(struct st_tx *tx);
struct st_tx *st_tx_alloc(const struct st_ctl *ctl, size_t len);
void st_tx_wake(struct sock *sk);
void st_tx_rts(const struct st_sock *st, const struct st_tx *tx, struct st_op *op);
void st_tx_watch(struct st_sock *st, struct st_tx *tx, u64 n);
void st_tx_fail_all(struct st_sock *st, int err);
void st_tx_end_rcvd(struct st_sock *st, struct st_tx *tx);
bool st_tx_end_acked(struct st_sock *st, struct st_tx *tx);
void st_tx_timeouts(struct st_sock *st, unsigned long now);
void st_rcv_request_answer(struct st_sock *st, const struct st_op *op);
void st_rcv_clear_to_send(struct st_sock *st, const struct st_op *op);
void st_rcv_request_state_response(struct st_sock *st, const struct st_op *op);

/* tx_data.c */
u8 st_tx_max_stu(const struct st_sock *st, unsigned int channel);
u32 st_tx_fit(const struct st_sock *st, const struct st_buf *buf, u64 pos, u32 len);
bool st_tx_tile(const struct st_tx *tx, const struct st_op *op, struct st_tiling *tiling);
void st_tx_grant(struct st_sock *st, struct st_tx *tx, const struct st_op *op, u64 n);
void st_tx_drop_grants(struct st_sock *st, struct st_tx *tx);
bool st_tx_send_blocks(struct st_sock *st, struct st_tx *tx);
void st_tx_work(struct work_struct *work);
void st_tx_write_space(struct sock *sk);

/* rx.c */
struct st_rx *st_rx_find(struct st_sock *st, u32 id);
u16 st_rx_slots(const struct st_sock *st);
const struct st_done *st_rx_done(const struct st_sock *st, u32 peer_id, u32 id);
u32 st_rx_b_seq(const struct st_rx *rx);
void st_rx_wake(struct st_sock *st, const struct st_rx *rx);
void st_rx_wake_data(struct st_sock *st, const struct st_rx *rx, const struct st_op *op);
void st_rx_complete(struct st_sock *st, struct st_rx *rx);
void st_rx_abort(struct st_sock *st, struct st_rx *rx, int err);
void st_rx_break_all(struct st_sock *st, int err);
void st_rx_put(struct st_sock *st, struct st_rx *rx);
void st_rx_free(struct st_sock *st, struct st_rx *rx);
void st_rx_purge(struct st_sock *st);
void st_rx_end_rcvd(struct st_sock *st, struct st_rx *rx);
bool st_rx_end_acked(struct st_sock *st, struct st_rx *rx);
void st_rx_timeouts(struct st_sock *st, unsigned long now);
struct st_sink *st_sink_get(struct st_sock *st);
void st_sink_free(struct st_sock *st);
void st_sink_over(struct st_sock *st, const struct st_done *done);
unsigned long st_sink_keep(const struct st_sock *st);
void st_queue_request_state_response(struct st_sock *st, const struct st_op *to,
				     u32 d_id, u32 s_id, u32 b_seq, u32 b_num);
void st_rcv_request_state(struct st_sock *st, const struct st_op *op);

/* rx_request.c */
void st_queue_request_answer(struct st_sock *st, u32 d_id, u32 s_id, u16 flags);
void st_rcv_request_to_send(struct st_sock *st, const struct st_op *op);
void st_rx_drop_held(struct st_sock *st);
int st_writes_set(struct st_sock *st, int val);
int st_write_answer(struct st_sock *st, const struct st_write_answer *answer);

/* rx_grant.c */
void st_rx_grant_all(struct st_sock *st);
void st_rx_revoke(struct st_sock *st, struct st_rx *rx);
void st_rx_free_blocks(struct st_sock *st, struct st_rx *rx);
u64 st_rx_exposed_end(const struct st_rx *rx);
void st_chunk_free(struct st_sock *st, struct st_chunk *chunk);
void st_chunk_insert(struct st_rx *rx, struct st_chunk *chunk);
void st_block_clear(struct st_sock *st, const struct st_block *blk);
bool st_block_again(struct st_sock *st, struct st_block *blk);
void st_block_retry(struct st_sock *st, struct st_block *blk);
void st_block_free(struct st_sock *st, struct st_block *blk);
void st_blocks_timeouts(struct st_sock *st, unsigned long now);

/* rx_data.c */
enum st_error st_rx_area(struct st_sock *st, const struct st_op *op, u32 len,
			 struct st_block **found, u64 *pos);
void st_rcv_data(struct st_sock *st, const struct st_op *op, const struct sk_buff *skb);

/* stream.c */
ssize_t st_stream_send(struct st_sock *st, struct msghdr *msg, size_t len,
		       const struct st_ctl *ctl);
struct st_buf *st_stream_bytes(const struct st_tx *tx, u64 pos, u64 *at, u64 *len);
u64 st_stream_unacked(const struct st_tx *tx);
u8 st_stream_max_block(const struct st_sock *st);
void st_stream_acked(struct st_sock *st, struct st_tx *tx);
void st_stream_starved(struct st_sock *st, struct st_tx *tx);
void st_stream_over(struct st_sock *st, struct st_tx *tx, int err);

/* read.c */
int st_read_post(struct st_sock *st, const struct st_read *read);
int st_read_refuse(struct st_sock *st, u32 id);
int st_read_answer(struct st_sock *st, struct st_tx *tx);
void st_read_answering(struct st_sock *st, const struct st_tx *tx);
void st_read_sent(struct st_sock *st, const struct st_tx *tx);
bool st_read_answered(struct st_sock *st, const struct st_op *op);
struct st_rx *st_read_announced(struct st_sock *st, const struct st_op *op, bool good);
void st_read_failed(struct st_sock *st, const struct st_rx *rx);
void st_read_done(struct st_sock *st);
void st_read_ended(struct st_sock *st, struct st_rx *rx);
int st_read_end(struct st_sock *st, u64 token);
void st_read_pump(struct st_sock *st);
void st_read_timeouts(struct st_sock *st, unsigned long now);
void st_read_break_all(struct st_sock *st, int err);
void st_read_purge(struct st_sock *st);
unsigned int st_reads_served(const struct st_sock *st);
void st_rcv_request_to_receive(struct st_sock *st, const struct st_op *op);

/* end.c */
int st_end(struct st_sock *st, const struct st_end *end);

/* state.c */
int st_state_get(struct st_sock *st, struct st_peer_state *state);
void st_state_answered(struct st_sock *st, const struct st_op *op);
void st_state_timeouts(struct st_sock *st, unsigned long now);
void st_state_break_all(struct st_sock *st, int err);

/* ctl.c */
bool st_send_valid(const struct st_send *send);
int st_ctl_parse(struct msghdr *msg, struct st_ctl *ctl);

/* event.c */
void st_event_interrupt(struct st_sock *st, const struct st_op *op);
int st_event_queue(struct st_sock *st, const struct st_event *event);
int st_event_recv(struct sock *sk, struct msghdr *msg);
struct sk_buff *st_event_reserve(struct st_sock *st);
void st_event_post(struct st_sock *st, struct sk_buff *skb, const struct st_event *event);

/* mem.c, region.c, grant.c, serve.c, remote.c, memapi.c: persistent memory */
int st_mem_init(void);
void st_mem_exit(void);
void st_mem_stop(struct st_sock *st, int err);
void st_mem_close(struct st_sock *st);
void st_mem_purge(struct st_sock *st);
void st_mem_pump(struct st_sock *st);
bool st_mem_waiting(const struct st_sock *st);
bool st_mem_idle(const struct st_sock *st);
unsigned int st_mem_slots(const struct st_sock *st);
bool st_mem_timeouts(struct st_sock *st, unsigned long now);
enum st_error st_mem_area(struct st_sock *st, const struct st_op *op, u32 len,
			  struct st_buf **buf, u64 *pos);
void st_mem_rcv_data(struct st_sock *st, const struct st_op *op, const struct sk_buff *skb);
bool st_mem_rcv_answer(struct st_sock *st, const struct st_op *op);
void st_mem_rcv_state(struct st_sock *st, const struct st_op *op);
bool st_mem_rcv_end(struct st_sock *st, u32 id);
bool st_mem_rcv_end_ack(struct st_sock *st, u32 id);
bool st_mem_option(int optname);
int st_mem_setsockopt(struct st_sock *st, int optname, sockptr_t optval, unsigned int optlen);
int st_mem_getsockopt(struct st_sock *st, int optname, char __user *optval,
		      int __user *optlen);
int st_mem_mmap(struct file *file, struct socket *sock, struct vm_area_struct *vma);
void st_rcv_request_memory_region(struct st_sock *st, const struct st_op *op);
void st_rcv_memory_region_available(struct st_sock *st, const struct st_op *op);
void st_rcv_get(struct st_sock *st, const struct st_op *op);
bool st_serve_state(struct st_sock *st, const struct st_op *op);
bool st_onesided_is(struct msghdr *msg);
int st_onesided_sendmsg(struct sock *sk, struct msghdr *msg, size_t len);

/* recvmsg.c */
int st_recvmsg(struct socket *sock, struct msghdr *msg, size_t len, int flags);
bool st_readable(struct st_sock *st);

#endif
