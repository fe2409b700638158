/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of af_st share.
 *
 * Locks, outermost first:
 *   lock_sock()       the calls bind, connect, listen, accept, shutdown, close
 *   st_sock.reading   one recvmsg() at a time
 *   what an LLP or its device receives under
 *   st_sock.lock      the Virtual Connection and its Transfers; bottom halves off
 *   st_link.lock, st_pace.lock, st_net.port_lock, st_net.host_lock,
 *   sk_callback_lock  leaves
 * Two st_sock.lock are never held together.  Operations are queued under
 * st_sock.lock and handed to the LLP by st_unlock() after it is dropped, since
 * st_placement_get() takes it inside the locks of a device.
 */
#ifndef _NET_ST_CONN_H
#define _NET_ST_CONN_H

#include <linux/capability.h>
#include <linux/skbuff.h>
#include <linux/st_compat.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <net/sock.h>
#include <net/tcp_states.h>

#include "conn/path.h"
#include "conn/retrans.h"
#include "net.h"
#include "wire/op.h"
#include "xfer/short.h"

#define ST_KEEPALIVE		(5 * HZ)
#define ST_KEEP_IDLE_DEFAULT	7200	/* seconds, as of TCP */
#define ST_KEEP_IDLE_MAX	32767
#define ST_MX_BLOCK		0x7fff	/* Memory Indexes of Blocks, see mem/mem.h */
#define ST_OUTQ_MAX		1024	/* operations in st_sock.outq */
#define ST_DATA_CHANNEL		1
#define ST_TX_INFLIGHT		BIT(18)	/* bytes of Data in the LLP, not yet sent */

enum st_state {
	ST_CLOSED		= TCP_CLOSE,
	ST_LISTEN		= TCP_LISTEN,
	ST_CONNECTING		= TCP_SYN_SENT,		/* Request_Connection sent */
	ST_ESTABLISHED		= TCP_ESTABLISHED,
	ST_DISCONNECTING	= TCP_FIN_WAIT1,	/* Request_Disconnect sent */
	ST_ANSWERED		= TCP_LAST_ACK,		/* Disconnect_Answer sent */
	ST_HELD			= TCP_TIME_WAIT,	/* Port and Key kept, ST 5.1.2 */
};

/**
 * enum st_verdict - what follows from a timeout for a Virtual Connection as a whole
 * @ST_V_GO_ON: nothing
 * @ST_V_CLOSE: what a socket that is closed has left to send was sent for long enough
 * @ST_V_TIMEOUT: the peer does not answer any more
 */
enum st_verdict {
	ST_V_GO_ON,
	ST_V_CLOSE,
	ST_V_TIMEOUT,
};

/* Operations that the peer may keep for its application */
enum st_keep {
	ST_KEEP_REGION,		/* Request_Memory_Region */
	ST_KEEP_READ,		/* Request_To_Receive */
	ST_KEEP_RECORD,		/* Request_To_Send, or a short record */
};

/*
 * What a peer calls a Virtual Connection, for st_net.peers.  Equal addresses of two LLPs on a
 * device need not be one peer's.
 */
struct st_peer {
	u32	key;
	u16	port;
	u16	llp;
	u32	ifindex;
	u8	addr[ST_ADDR_MAX];
};

/**
 * struct st_taken - what takes Slots until an application has dealt with it, ST 5.2.5: four numbers
 *	of this end's, two of what is open at the peer
 * @reads: Reads of ours, from sendmsg() until they are received; st_sock.rx_count has them
 * @served: Reads of the peer that wait for the application
 * @asked: requests of the peer for regions that wait for the application
 * @replies: Gets of the peer that are being answered
 * @asking_reads: Reads of ours that the peer has and has not answered
 * @asking_regions: requests of ours for regions that the peer has and has not answered
 */
struct st_taken {
	unsigned int	reads;
	unsigned int	served;
	unsigned int	asked;
	unsigned int	replies;
	unsigned int	asking_reads;
	unsigned int	asking_regions;
};

/**
 * struct st_sock - an AF_ST socket with its Virtual Connection
 * @sk: must be first
 * @port: Port the socket is on, or NULL; changes under lock_sock()
 * @path: what the Virtual Connection runs over, or the first of several
 * @main: the one that Control operations go
 * @by: the one that the operation that is being executed has come; or NULL
 * @stripe: what there is for several; NULL until that is asked for, then there until
 *	the socket goes
 * @bound: what bind() gave
 * @admin: who called connect(), or listen() for it, has CAP_NET_ADMIN
 * @ethertype: protocol that a connection is for, ST 5.2.6; does not change
 *	after connect() or listen()
 * @lock: protects everything below
 * @vc_node: in st_net.vcs
 * @peer_node: in st_net.peers, when accepted
 * @used: there was a Virtual Connection, and a socket has one in its life
 * @local_key: our Key
 * @peer: the peer's Port, Key, LLP and address
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
 * @slots_asked: Slots that were left when they were asked for
 * @slots_short: the peer has said that few Slots are free
 * @slots_next: jiffies; not asked again before while @slots_short
 * @conn_retrans: Request_Connection, Request_Disconnect or Disconnect_Answer
 * @slot_retrans: Request_State for Slots
 * @rtt: measured round trips
 * @hold_until: jiffies, in ST_HELD; before that when to stop trying to send
 *	what was queued before close()
 * @heard: jiffies of the last operation from the peer
 * @timer: next of all the above
 * @tx_work: goes on sending when the LLP has sent some
 * @outq: operations on their way to the LLP
 * @flushing: somebody drains @outq
 * @events: for recvmsg() with MSG_ERRQUEUE, struct st_event
 * @events_lost: how many had no room, and the application has not been told yet
 * @next_id: next sequence identifier, ST 6.2.1
 * @ids_again: all have been given once, some may still be in use
 * @ids: struct st_xfer by sequence identifier, but short records
 * @tx_list: struct st_tx
 * @tx_queued: bytes of records that no sendmsg() waits for, against SO_SNDBUF
 * @stream: struct st_tx that the next sendmsg() goes on with, or NULL
 * @stream_err: why the last stream is over, if no sendmsg() has ended it
 * @streaming: whose turn it is to send a stream, bits of sock/send_stream.c; not under @lock
 * @send_err: negative errno of a record that failed when nobody waited for it, not yet
 *	told
 * @shorts: short records, both ways
 * @grants: Clear_To_Sends kept
 * @rx_list: struct st_rx
 * @rx_ending: struct st_rx that only wait for an End_Ack
 * @rx_held: struct st_rx that the application does not want yet
 * @taken: what else takes Slots
 * @rx_count: length of all three, and of st_reads.asked; each takes one of our
 *	Slots
 * @writes: ST_WRITES
 * @send: ST_SEND_DEFAULT
 * @block_max: ST_BLOCK_MAX_SIZE
 * @keep_idle: ST_KEEP_IDLE
 * @rx_mem: bytes of kernel pages for received data
 * @kept: bytes for what else the peer makes us keep, st_peer_alloc()
 * @kept_charged: bytes that its host is charged for that
 * @rx_asked: a recvmsg() waits
 * @rx_waiting: a recvmsg() with room for a long record waits for one
 * @rx_near: the last recvmsg() had a long record in its own pages, and the next is
 *	expected before @rx_back
 * @rx_back: jiffies
 * @rx_wake_at: wake when the head of @rx_list has this much
 * @sink: tables of the data Destination; NULL when nothing but short records was
 *	received lately
 * @reads: struct st_reads; NULL when there was no Read yet
 * @serve: ST_SERVE
 * @block_gen: generation of the next Mx
 * @questions: struct st_question, each on the stack of who asks
 * @placements: struct st_placement_core; of those not done there are at most as many as the links
 *	have st_link.placements; the next takes one of the others, and frees the rest
 * @user_timeout: ST_USER_TIMEOUT; set under @lock
 * @region_events: ST_REGION_EV_*
 * @recvinfo: ST_RECVINFO_*
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
	struct st_path		path;
	struct st_path		*main;
	struct st_path		*by;
	struct st_stripe	*stripe;
	struct sockaddr_st	bound;
	bool			admin;
	u16			ethertype;

	spinlock_t		lock;		/* all that follows, to @reading */
	struct rhash_head	vc_node;
	struct rhash_head	peer_node;
	bool			used;
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
	u16			slots_asked;
	bool			slots_short;
	unsigned long		slots_next;
	struct st_retrans		conn_retrans;
	struct st_retrans		slot_retrans;
	struct st_rtt		rtt;
	unsigned long		hold_until;
	unsigned long		heard;
	struct timer_list	timer;
	struct work_struct	tx_work;
	struct sk_buff_head	outq;
	bool			flushing;
	struct sk_buff_head	events;
	atomic_t		events_lost;

	u32			next_id;
	bool			ids_again;
	struct xarray		ids;
	struct list_head	tx_list;
	u64			tx_queued;
	struct st_tx		*stream;
	int			stream_err;
	unsigned long		streaming;
	int			send_err;
	struct st_shorts	shorts;
	unsigned int		grants;
	struct list_head	rx_list;
	struct list_head	rx_ending;
	struct list_head	rx_held;
	struct st_taken		taken;
	unsigned int		rx_count;
	u8			writes;
	struct st_send		send;
	u8			block_max;
	u16			keep_idle;
	u64			rx_mem;
	u32			kept;
	u32			kept_charged;
	bool			rx_asked;
	bool			rx_waiting;
	bool			rx_near;
	unsigned long		rx_back;
	u64			rx_wake_at;
	struct st_sink		*sink;
	struct st_reads		*reads;
	u32			serve;
	u16			block_gen;
	struct list_head	questions;
	struct list_head	placements;
	u32			user_timeout;
	u8			region_events;
	u8			recvinfo;
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
 * @lent: there is an ST_SEND_FROM
 * @marked: there is an SO_MARK or SO_PRIORITY
 * @from: of it
 * @mark: SO_MARK of the record, or of the socket
 * @priority: SO_PRIORITY of either
 * @send: of it, or the default
 * @read: of an ST_READ
 * @answer: of an ST_READ_ANSWER
 * @write: of an ST_WRITE_ANSWER
 * @end: of an ST_END
 */
struct st_ctl {
	int			what;
	bool			any;
	bool			lent;
	bool			marked;
	struct st_send_from	from;
	u32			mark;
	u32			priority;
	struct st_send		send;
	union {
		struct st_read		read;
		struct st_read_answer	answer;
		struct st_write_answer	write;
		struct st_end		end;
	};
};

static inline struct st_sock *st_sk(const struct sock *sk)
{
	return (struct st_sock *)sk;
}

static inline struct st_net *st_net_of(const struct st_sock *st)
{
	return st_pernet(sock_net(&st->sk));
}

/* In functions that are called under st_sock.lock */
static inline void st_assert_locked(const struct st_sock *st)
{
	lockdep_assert_held(&st->lock);
}

/* In those that are called under it, or when nobody uses the socket any more */
static inline void st_assert_owned(const struct st_sock *st)
{
	lockdep_assert(!refcount_read(&st->sk.sk_refcnt) || lockdep_is_held(&st->lock));
}

/* The longest Op_timeout, jiffies: what is held or waited for if nothing is measured */
static inline unsigned long st_op_timeout(const struct st_sock *st)
{
	return msecs_to_jiffies(READ_ONCE(st_net_of(st)->op_timeout)) ?: 1;
}

/*
 * Whether the peer may be somebody else: anybody can send a Request_Connection in the name of
 * another, but only who has got the Connection_Answer knows the Key for all that follows.
 */
static inline bool st_unconfirmed(const struct st_sock *st)
{
	return st->peer_hashed && !st->info.rx_ops;
}

/* Tell whoever waits or polls, and with O_ASYNC by a signal, as TCP does.  @band: POLL_* */
static inline void st_state_changed(struct sock *sk, int how, int band)
{
	sk->sk_state_change(sk);
	sk_wake_async(sk, how, band);
}

/* Whether the caller is an administrator of the socket's network namespace; most are not. */
static inline bool st_is_admin(const struct st_sock *st)
{
	return ns_capable_noaudit(sock_net(&st->sk)->user_ns, CAP_NET_ADMIN);
}

/* sock/af_st.c */
extern struct proto st_proto;
extern const struct net_proto_family st_family;

/* conn/vc.c */
void st_vc_unhash(struct st_sock *st);
struct st_sock *st_vc_find(struct st_net *sn, u32 key);
int st_vc_hash(struct st_sock *st);
int st_vc_hash_peer(struct st_sock *st);
struct st_sock *st_vc_find_peer(struct st_net *sn, const struct st_peer *peer);
int st_conn_init(struct net *net);
void st_conn_exit(struct net *net);

/* conn/output.c */
void st_op_init(const struct st_sock *st, struct st_op *op, u8 code, u16 flags);
int st_queue_op(struct st_sock *st, const struct st_op *op);
void st_outq_add(struct st_sock *st, struct sk_buff *skb);
int st_queue_op_by(struct st_path *path, const struct st_op *op);
void st_unlock(struct st_sock *st) __releases(&st->lock);
void st_timer_at(struct st_sock *st, unsigned long when);
void st_tx_go_on(struct st_sock *st);

/* conn/data.c */
unsigned int st_tx_inflight(const struct st_sock *st);
struct sk_buff *st_alloc_data(const struct st_sock *st, const struct st_op *op,
			      const void *data, u32 len);
u32 st_gso_len(const struct st_link *link, const struct st_buf *buf, u64 pos, u32 left, u32 stu);
u8 st_tx_max_stu(const struct st_path *path, unsigned int channel);
u32 st_tx_fit(const struct st_link *link, const struct st_buf *buf, u64 pos, u32 len);
struct sk_buff *st_tx_queue_data(struct st_path *path, const struct st_op *op, struct st_buf *buf,
				 u64 pos, u32 len, u32 stu);
int st_mem_take(struct st_sock *st, struct st_buf *buf, u64 pos, const struct sk_buff *skb,
		struct st_csum *csum, bool *summed);

/* conn/slots.c */
u16 st_rx_slots(const struct st_sock *st);
bool st_slot_take(struct st_sock *st, bool reserve);
bool st_slots_left(const struct st_sock *st);
bool st_slots_to_keep(const struct st_sock *st, enum st_keep what);
bool st_slot_keep(struct st_sock *st, enum st_keep what);
void st_slots_update(struct st_sock *st, u16 slots, u32 sync);
void st_queue_request_state(struct st_sock *st);

/* conn/answer.c */
void st_queue_end(struct st_sock *st, u32 peer_id, u32 id, struct st_retrans *retrans);
void st_queue_request_answer(struct st_sock *st, u32 d_id, u32 s_id, u16 flags);
void st_queue_request_state_response(struct st_sock *st, const struct st_op *to,
				     u32 d_id, u32 s_id, u32 b_seq, u32 b_num);

/* conn/keepalive.c */
void st_keep_check(struct st_sock *st, unsigned long now);
void st_keep_set(struct sock *sk, int on);
int st_keep_set_idle(struct st_sock *st, int seconds);

/* conn/wait.c */
long st_wait_killable(struct completion *done, long timeo);
long st_patience(struct st_sock *st);

#endif
