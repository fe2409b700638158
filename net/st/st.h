/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of af_st share.
 *
 * Locks, outermost first:
 *   lock_sock()       the calls bind, connect, listen, accept, shutdown, close
 *   st_sock.recv_lock one recvmsg() at a time
 *   st_sock.lock      the Virtual Connection and its Transfers; bottom halves off
 *   st_link.lock, st_net.port_lock   leaves
 * Two st_sock.lock are never held together.  Operations are queued under
 * st_sock.lock and handed to the LLP by st_unlock() after it is dropped.
 */
#ifndef _NET_ST_ST_H
#define _NET_ST_ST_H

#include <linux/completion.h>
#include <linux/mutex.h>
#include <linux/rhashtable.h>
#include <linux/siphash.h>
#include <linux/workqueue.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include <net/st.h>
#include <net/sock.h>
#include <net/tcp_states.h>

#include "block.h"
#include "op.h"

#define ST_SLOTS		64	/* Slots offered to a peer, ST 5.2.5 */
#define ST_BUFSIZE		20	/* log2 of a receive buffer, ST 5.2.3 */
#define ST_BLOCKS		64	/* Blocks exposed at a time on a Virtual Connection */
#define ST_BLOCKS_XFER		16	/* of them to one Transfer */
#define ST_BLOCKSIZE		17	/* log2, the largest that is exposed */
#define ST_GRANTS		256	/* Clear_To_Sends kept at the data Source */
#define ST_DONE_IDS		256	/* finished Transfers remembered, to know a duplicate */
#define ST_MAX_T_LEN		BIT_ULL(48)	/* longest Transfer that is received */
#define ST_DIRECT_MIN		16384	/* shorter Transfers are copied once */
#define ST_TX_INFLIGHT		BIT(17)	/* bytes of Data in the LLP, not yet sent */
#define ST_KEEPALIVE		(5 * HZ)
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
	__ST_DROP_MAX,
};

/**
 * struct st_net - AF_ST in a network namespace
 * @vcs: Virtual Connections by local Key
 * @peers: Virtual Connections by what the peer calls them, to know a
 *	duplicate Request_Connection
 * @links: struct st_link; RTNL to write, RCU to read
 * @port_lock: protects @ports and the owner of each
 * @ports: struct st_port by number
 * @errors: table 10, operations that no Port could be found for
 * @drops: enum st_drop
 * @op_timeout: ms, ST 10.1
 * @max_retry: repeats of an operation, ST 10.1
 * @max_transfer: bytes, the longest record of a send
 * @checksum: whether new sockets send checksums, ST 8.3
 * @sysctl: table header
 */
struct st_net {
	struct rhashtable	vcs;
	struct rhashtable	peers;
	struct list_head	links;
	spinlock_t		port_lock;	/* @ports, their refcnt and owner */
	DECLARE_HASHTABLE(ports, 8);
	atomic64_t		errors[__ST_ERR_MAX];
	atomic64_t		drops[__ST_DROP_MAX];
	unsigned int		op_timeout;
	unsigned int		max_retry;
	unsigned long		max_transfer;
	u8			checksum;
	struct ctl_table_header	*sysctl;
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
 * @tries: repeats so far
 * @armed: an answer is awaited
 */
struct st_guard {
	struct st_op	op;
	unsigned long	expires;
	unsigned int	tries;
	bool		armed;
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
};

/**
 * struct st_tx - a Write sequence at the data Source, ST 6.1.2
 * @x: our sequence identifier
 * @list: in st_sock.tx_list, in the order of the sends
 * @peer_id: R-id, once @peer_id_known
 * @tiling: Block boundaries, once @tiled
 * @nblocks: Blocks in the Transfer, once @tiled
 * @max_block: log2, as asked for
 * @buf: the bytes; NULL for a record of no bytes
 * @grants: struct st_grant
 * @guard: Request_To_Send, Request_State or End
 * @asked: the Request_To_Send has been sent
 * @answered: and answered
 * @peer_id_known: a Clear_To_Send was received
 * @tiled: @tiling holds
 * @ending: nothing more is sent of it but End
 * @charged: bytes of it in st_sock.tx_queued
 * @waited: a sendmsg() waits for @done and frees it
 * @err: result, valid after @done
 * @done: the Transfer is acknowledged or given up
 */
struct st_tx {
	struct st_xfer		x;
	struct list_head	list;
	u32			peer_id;
	struct st_tiling	tiling;
	u64			nblocks;
	u8			max_block;
	struct st_buf		*buf;
	struct list_head	grants;
	struct st_guard		guard;
	bool			asked;
	bool			answered;
	bool			peer_id_known;
	bool			tiled;
	bool			ending;
	bool			waited;
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
 * struct st_rx - a Write sequence at the data Destination, ST 6.1.2
 * @x: our sequence identifier
 * @list: in st_sock.rx_list, in the order of arrival
 * @peer_id: I-id
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
 * @ended: nothing more will come; @end is valid
 * @end: length of the record, once known
 * @err: why the record is broken, or 0
 * @read: recvmsg() is through with it; it waits for End_Ack in st_sock.rx_ending
 */
struct st_rx {
	struct st_xfer		x;
	struct list_head	list;
	u32			peer_id;
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
	bool			ended;
	u64			end;
	int			err;
	bool			read;
};

/**
 * struct st_block - a Block exposed to the peer, ST figure 5
 * @rx: its Transfer; NULL: not in use
 * @n: number of the Block in the Transfer, not wrapped
 * @start: its first byte in the Transfer
 * @len: its bytes
 * @got: bytes received, without a gap
 * @chunk: pages of the kernel for the end of the Block, from chunk->start on;
 *	before that, and where there is none, st_rx.ubuf
 * @csum: of the segment under way, ST 8.3.2
 * @summed: @csum covers all of it
 * @mx: its Memory Index: the slot in st_sock.blocks and a generation
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
	struct st_csum	csum;
	bool		summed;
	u16		mx;
	u32		stu_num;
	unsigned int	tries;
};

/* What a peer calls a Virtual Connection, for st_net.peers */
struct st_peer {
	u32	key;
	u16	port;
	u16	pad;
	u32	ifindex;
	u8	addr[ST_ADDR_MAX];
};

/**
 * struct st_sock - an AF_ST socket with its Virtual Connection
 * @sk: must be first
 * @port: Port the socket is on, or NULL; changes under lock_sock()
 * @link: the link the Virtual Connection runs over, or NULL
 * @bound: what bind() gave
 * @lock: protects everything below
 * @vc_node: in st_net.vcs
 * @peer_node: in st_net.peers, when accepted
 * @link_node: in st_link.vcs
 * @local_key: our Key
 * @peer: the peer's Port, Key and address
 * @local_max_stu: log2, offered at setup, ST 5.2.4
 * @remote_bufsize: log2, ST 5.2.3
 * @remote_max_stu: log2
 * @checksum: operations are sent with a checksum
 * @peer_checksum: the peer has sent one
 * @out_of_order: both ends take Blocks in any order
 * @hashed: in st_net.vcs, with a reference
 * @peer_hashed: in st_net.peers
 * @remote_slots: Slots free at the peer; ST_SLOTS_NONE: not counted
 * @remote_slots_max: most it ever said
 * @slot_ops: operations sent that took a Slot
 * @slots_short: the peer has said that few Slots are free
 * @slots_next: jiffies; not asked again before while @slots_short
 * @conn_guard: Request_Connection, Request_Disconnect or Disconnect_Answer
 * @slot_guard: Request_State for Slots
 * @hold_until: jiffies, in ST_HELD; before that when to stop trying to send
 *	what was queued before close()
 * @heard: jiffies of the last operation from the peer
 * @rx_progress: jiffies of the last Data placed
 * @timer: next of all the above
 * @tx_work: goes on sending when the LLP has sent some
 * @outq: operations on their way to the LLP
 * @flushing: somebody drains @outq
 * @next_id: next sequence identifier, ST 6.2.1
 * @ids: struct st_xfer by sequence identifier
 * @tx_list: struct st_tx
 * @tx_queued: bytes of records that no sendmsg() waits for, against SO_SNDBUF
 * @grants: Clear_To_Sends kept
 * @rx_list: struct st_rx
 * @rx_ending: struct st_rx that only wait for an End_Ack
 * @rx_count: length of both; each takes one of our Slots
 * @rx_mem: bytes of kernel pages for received data
 * @rx_waiting: a recvmsg() with room for a long record waits for one
 * @rx_wake_at: wake when the head of @rx_list has this much
 * @done_peer_ids: I-ids of finished Writes from the peer
 * @done_ids: our R-ids of them
 * @done_seq: their last B_seq
 * @done_pos: next to replace in these rings
 * @blocks: Block descriptors, by Mx
 * @block_gen: generation of the next Mx
 * @accept_list: connections not yet accepted, of a listener
 * @accept_node: in the listener's
 * @info: counters for ST_INFO
 * @recv_lock: one recvmsg() at a time
 */
struct st_sock {
	struct sock		sk;
	struct st_port		*port;
	struct st_link		*link;
	struct sockaddr_st	bound;

	spinlock_t		lock;		/* all that follows, to @recv_lock */
	struct rhash_head	vc_node;
	struct rhash_head	peer_node;
	struct hlist_node	link_node;
	u32			local_key;
	struct st_peer		peer;
	u8			local_max_stu;
	u8			remote_bufsize;
	u8			remote_max_stu;
	bool			checksum;
	bool			peer_checksum;
	bool			out_of_order;
	bool			hashed;
	bool			peer_hashed;

	u16			remote_slots;
	u16			remote_slots_max;
	u32			slot_ops;
	bool			slots_short;
	unsigned long		slots_next;
	struct st_guard		conn_guard;
	struct st_guard		slot_guard;
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
	unsigned int		grants;
	struct list_head	rx_list;
	struct list_head	rx_ending;
	unsigned int		rx_count;
	u64			rx_mem;
	bool			rx_waiting;
	u64			rx_wake_at;
	u32			done_peer_ids[ST_DONE_IDS];
	u32			done_ids[ST_DONE_IDS];
	u32			done_seq[ST_DONE_IDS];
	unsigned int		done_pos;
	struct st_block		blocks[ST_BLOCKS];
	u16			block_gen;

	struct list_head	accept_list;
	struct list_head	accept_node;
	struct st_info		info;

	struct mutex		recv_lock;	/* one recvmsg() at a time */
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

static inline unsigned long st_op_timeout(const struct st_sock *st)
{
	return msecs_to_jiffies(READ_ONCE(st_net_of(st)->op_timeout)) ?: 1;
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
int st_wait_connected(struct sock *sk, long *timeo);

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

/* key.c */
u32 st_key_permute(const siphash_key_t *secret, u32 n);
u32 st_key_new(void);

/* link.c */
bool st_link_bound(const struct st_link *link, const struct st_sock *st);
struct st_link *st_link_route(const struct st_sock *st, const struct sockaddr_st *to, int *err);
void st_link_put(struct st_link *link);
int st_link_join(struct st_link *link, struct st_sock *st);
void st_link_leave(struct st_sock *st);
unsigned int st_link_max_stu(const struct st_link *link);

/* sysctl.c */
int st_sysctl_init(struct net *net);
void st_sysctl_exit(struct net *net);

/* buf.c */
struct st_buf *st_buf_pin(struct iov_iter *from, size_t len);
struct st_buf *st_buf_alloc(size_t len, gfp_t gfp);
int st_buf_copy_from_iter(struct st_buf *buf, struct iov_iter *from);
size_t st_buf_copy_to_iter(const struct st_buf *buf, u64 pos, size_t len, struct iov_iter *to);
int st_buf_place(struct st_buf *buf, u64 pos, const struct sk_buff *skb, int offset, int len,
		 struct st_csum *csum);
u32 st_buf_fit(const struct st_buf *buf, u64 pos, u32 len);
void st_buf_attach(struct st_buf *buf, u64 pos, u32 len, struct sk_buff *skb,
		   struct st_csum *csum);
void st_buf_wait_sent(struct st_buf *buf);
void st_buf_free(struct st_buf *buf, bool dirty);

/* output.c */
void st_op_init(const struct st_sock *st, struct st_op *op, u8 code, u16 flags);
bool st_slot_take(struct st_sock *st, bool reserve);
bool st_slots_left(const struct st_sock *st);
void st_slots_update(struct st_sock *st, u16 slots, u32 sync);
int st_queue_op(struct st_sock *st, const struct st_op *op);
struct sk_buff *st_alloc_op(const struct st_link *link, const struct st_op *op, bool checksum);
void st_send_op(struct st_link *link, const struct st_op *op, bool checksum, const u8 *daddr);
void st_unlock(struct st_sock *st) __releases(&st->lock);
void st_guard_start(struct st_sock *st, struct st_guard *guard, const struct st_op *op);
void st_guard_stop(struct st_guard *guard);
int st_guard_expired(struct st_sock *st, struct st_guard *guard, unsigned long now);
void st_timer_at(struct st_sock *st, unsigned long when);
void st_timer(struct timer_list *t);
void st_queue_request_state(struct st_sock *st);

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

/* send.c */
int st_sendmsg(struct socket *sock, struct msghdr *msg, size_t len);
void st_tx_pump(struct st_sock *st);
void st_tx_work(struct work_struct *work);
void st_tx_write_space(struct sock *sk);
bool st_tx_writable(const struct st_sock *st);
bool st_tx_idle(const struct st_sock *st);
void st_tx_fail_all(struct st_sock *st, int err);
void st_tx_end_rcvd(struct st_sock *st, struct st_tx *tx);
void st_tx_end_acked(struct st_sock *st, struct st_tx *tx);
void st_tx_timeouts(struct st_sock *st, unsigned long now);
void st_rcv_request_answer(struct st_sock *st, const struct st_op *op);
void st_rcv_clear_to_send(struct st_sock *st, const struct st_op *op);
void st_rcv_request_state_response(struct st_sock *st, const struct st_op *op);

/* recv.c */
void st_rx_grant_all(struct st_sock *st);
void st_rx_break_all(struct st_sock *st, int err);
void st_rx_purge(struct st_sock *st);
void st_rx_put(struct st_sock *st, struct st_rx *rx);
void st_rx_revoke(struct st_sock *st, struct st_rx *rx);
void st_rx_end_rcvd(struct st_sock *st, struct st_rx *rx);
void st_rx_end_acked(struct st_sock *st, struct st_rx *rx);
u64 st_rx_exposed_end(const struct st_rx *rx);
u16 st_rx_slots(const struct st_sock *st);
void st_rx_timeouts(struct st_sock *st, unsigned long now);
void st_rcv_request_to_send(struct st_sock *st, const struct st_op *op);
void st_rcv_data(struct st_sock *st, const struct st_op *op, const struct sk_buff *skb);
void st_rcv_request_state(struct st_sock *st, const struct st_op *op);

/* recvmsg.c */
int st_recvmsg(struct socket *sock, struct msghdr *msg, size_t len, int flags);
bool st_readable(struct st_sock *st);

#endif
