/* SPDX-License-Identifier: GPL-2.0 */
/*
 * struct st_sock, made of parts that are declared in the headers of the layers that use them.
 *
 * Locks, outermost first:
 *   lock_sock()       the calls bind, connect, listen, accept, shutdown, close
 *   st_sock.reading.lock   one recvmsg() at a time
 *   the locks that an LLP or its device holds while it receives
 *   st_sock.lock      the Virtual Connection and its Transfers; bottom halves off
 *   st_link.lock, st_pace.lock, st_net.port_lock, st_net.host_lock,
 *   sk_callback_lock  leaves
 * A task never holds two st_sock.lock at a time.  Operations are queued under st_sock.lock;
 * st_unlock() passes them to the LLP after dropping it, since st_placement_get() takes
 * st_sock.lock inside the locks of a device.
 */
#ifndef _NET_ST_ST_SOCK_H
#define _NET_ST_ST_SOCK_H

#include <linux/capability.h>
#include <net/sock.h>
#include <net/tcp_states.h>

#include "conn/event.h"
#include "conn/id.h"
#include "conn/output.h"
#include "conn/path.h"
#include "conn/port.h"
#include "conn/retrans.h"
#include "conn/slots.h"
#include "conn/vc.h"
#include "net.h"
#include "xfer/rx.h"
#include "xfer/short.h"
#include "xfer/tx.h"

struct st_mem;

enum st_state {
	ST_CLOSED		= TCP_CLOSE,
	ST_LISTEN		= TCP_LISTEN,
	ST_CONNECTING		= TCP_SYN_SENT,		/* Request_Connection sent, or due */
	ST_ESTABLISHED		= TCP_ESTABLISHED,
	ST_DISCONNECTING	= TCP_FIN_WAIT1,	/* Request_Disconnect sent */
	ST_ANSWERED		= TCP_LAST_ACK,		/* Disconnect_Answer sent */
	ST_HELD			= TCP_TIME_WAIT,	/* Port and Key kept, ST 5.1.2 */
};

/**
 * struct st_opts - options of level SOL_ST that an application has set
 * @writes: ST_WRITES
 * @send: ST_SEND_DEFAULT
 * @block_max: ST_BLOCK_MAX_SIZE
 * @keep_idle: ST_KEEP_IDLE
 * @user_timeout: ST_USER_TIMEOUT
 * @serve: ST_SERVE
 * @region_events: ST_REGION_EV_*
 * @recvinfo: ST_RECVINFO_*
 * @any_order: ST_OUT_OF_ORDER
 */
struct st_opts {
	u8			writes;
	struct st_send		send;
	u8			block_max;
	u16			keep_idle;
	u32			user_timeout;
	u32			serve;
	u8			region_events;
	u8			recvinfo;
	bool			any_order;
};

/**
 * struct st_listen - connections that accept() has not returned yet
 * @queue: struct st_sock of these connections, if this is the listener
 * @node: in @queue of the listener, if this is such a connection
 */
struct st_listen {
	struct list_head	queue;
	struct list_head	node;
};

/**
 * struct st_reading - serializes recvmsg()
 * @lock: bit 0 is a bit lock
 * @wait: calls that wait for @lock
 */
struct st_reading {
	unsigned long		lock;
	wait_queue_head_t	wait;
};

/**
 * struct st_sock - an AF_ST socket with its Virtual Connection
 * @sk: must be first
 * @bind: Port, device, LLP and address
 * @lock: protects all members below except @reading
 * @vc: the two ends
 * @paths: the paths the Virtual Connection runs over
 * @slots: Slots of both ends
 * @timers: the timer, and the deadlines it serves
 * @out: operations on their way to the LLP
 * @events: for recvmsg() with MSG_ERRQUEUE
 * @ids: sequence identifiers
 * @opts: options that the application has set
 * @source: Transfers that are sent
 * @dest: Transfers that are received
 * @shorts: short records, both ways
 * @questions: struct st_question, each on the stack of the asking task
 * @placements: struct st_placement_core; at most the sum of st_link.placements over all links
 *	is not done; a new placement reuses one that is done and frees the others
 * @mem: persistent memory; allocated at first use, freed with the socket
 * @listen: connections not yet accepted
 * @info: counters for ST_INFO
 * @reading: serializes recvmsg()
 */
struct st_sock {
	struct sock		sk;
	struct st_bind		bind;
	spinlock_t		lock;		/* all that follows, to @reading */
	struct st_vc		vc;
	struct st_paths		paths;
	struct st_slots		slots;
	struct st_timers	timers;
	struct st_out		out;
	struct st_events	events;
	struct st_ids		ids;
	struct st_opts		opts;
	struct st_source	source;
	struct st_dest		dest;
	struct st_shorts	shorts;
	struct list_head	questions;
	struct list_head	placements;
	struct st_mem		*mem;
	struct st_listen	listen;
	struct st_info		info;
	struct st_reading	reading;
};

#define st_sk(ptr)	container_of_const(ptr, struct st_sock, sk)

static inline struct st_net *st_net_of(const struct st_sock *st)
{
	return st_pernet(sock_net(&st->sk));
}

/* For functions that are called under st_sock.lock */
static inline void st_assert_locked(const struct st_sock *st)
{
	lockdep_assert_held(&st->lock);
}

/* For functions that are called under st_sock.lock, or when the socket has no users any more */
static inline void st_assert_owned(const struct st_sock *st)
{
	lockdep_assert(!refcount_read(&st->sk.sk_refcnt) || lockdep_is_held(&st->lock));
}

/* The longest Op_timeout, jiffies: how long to hold or to wait without a measured round trip */
static inline unsigned long st_op_timeout(const struct st_sock *st)
{
	return msecs_to_jiffies(READ_ONCE(st_net_of(st)->op_timeout)) ?: 1;
}

/*
 * Whether the peer's address may be forged: anybody can send a Request_Connection in another
 * host's name, but only the receiver of the Connection_Answer knows the Key for what follows.
 */
static inline bool st_unconfirmed(const struct st_sock *st)
{
	return st->vc.peer_hashed && !st->info.rx_ops;
}

/* Wake waiters and pollers, and with O_ASYNC send a signal, as TCP does.  @band: POLL_* */
static inline void st_state_changed(struct sock *sk, int how, int band)
{
	sk->sk_state_change(sk);
	sk_wake_async(sk, how, band);
}

/* Unlike ns_capable(), no audit record: most callers are not privileged. */
static inline bool st_is_admin(const struct st_sock *st)
{
	return ns_capable_noaudit(sock_net(&st->sk)->user_ns, CAP_NET_ADMIN);
}

/* conn/output.c, declared here as it needs the whole structure */
void st_unlock(struct st_sock *st) __releases(&st->lock);

/* sock/af_st.c */
extern struct proto st_proto;
extern const struct net_proto_family st_family;

#endif
