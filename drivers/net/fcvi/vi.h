/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Endpoints (VIs), their Connection Setups, and the port that has them, FC-VI 8.2.
 *
 * This part knows no transport, no clock and no user: it reaches them by the two tables of
 * functions here.  The lock of the port is held in all of it.
 */
#ifndef _FCVI_VI_H
#define _FCVI_VI_H

#include <linux/bitmap.h>
#include <linux/fcvi.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/spinlock.h>
#include <linux/timerqueue.h>
#include <linux/types.h>
#include <linux/xarray.h>

#include "mr.h"
#include "out.h"
#include "payload.h"
#include "wire.h"

struct fc2_rport;
struct fcvi_disc;
struct fcvi_msg_transport;
struct fcvi_port;
struct fcvi_rx_msg;
struct fcvi_setup;
struct fcvi_vi;

/**
 * enum fcvi_state - state of an endpoint, FC-VI 8.2
 * @FCVI_IDLE: as it is made
 * @FCVI_PENDING: Pending Connect: a setup is under way
 * @FCVI_PENDING_RETRY: Pending Connect Retry: the setup is tried once more
 * @FCVI_CONNECTED: Messages may be sent
 * @FCVI_ERROR: only a Disconnect leads out of it
 */
enum fcvi_state {
	FCVI_IDLE,
	FCVI_PENDING,
	FCVI_PENDING_RETRY,
	FCVI_CONNECTED,
	FCVI_ERROR,
};

/**
 * enum fcvi_ending - what a Disconnect from the state Error has to end
 * @FCVI_END_NOTHING: no request was ever sent, or the remote port has logged out
 * @FCVI_END_SETUP: a setup that failed here, by its CONNECTION_ID
 * @FCVI_END_CONNECTION: a connection, or what is one to the other side, by its handle
 */
enum fcvi_ending {
	FCVI_END_NOTHING,
	FCVI_END_SETUP,
	FCVI_END_CONNECTION,
};

/**
 * enum fcvi_phase - how far a setup is
 * @FCVI_WAIT_RESP1: own request is sent
 * @FCVI_WAIT_RESP3: own RESP2 is sent
 * @FCVI_HELD: a request has no answer yet
 * @FCVI_WAIT_RESP2: own RESP1 is sent
 * @FCVI_DONE: own RESP3 is sent, and the connection stands
 */
enum fcvi_phase {
	FCVI_WAIT_RESP1,
	FCVI_WAIT_RESP3,
	FCVI_HELD,
	FCVI_WAIT_RESP2,
	FCVI_DONE,
};

/**
 * enum fcvi_stat - what is counted of connection IUs
 * @FCVI_STAT_STRAY: IUs that their Exchange does not expect
 * @FCVI_STAT_BAD_ID: IUs with the CONNECTION_ID or handle of another setup
 * @FCVI_STAT_FULL: requests for which there was no room
 * @FCVI_STAT_MALFORMED: requests that were refused as malformed
 * @FCVI_STAT_LATE: peers' own Exchanges that ended late while the other's made the connection
 * @FCVI_STAT_ABORTED: setups that ended with an ABTS
 * @FCVI_STATS: how many there are
 */
enum fcvi_stat {
	FCVI_STAT_STRAY,
	FCVI_STAT_BAD_ID,
	FCVI_STAT_FULL,
	FCVI_STAT_MALFORMED,
	FCVI_STAT_LATE,
	FCVI_STAT_ABORTED,
	FCVI_STATS,
};

/**
 * enum fcvi_msg_stat - what is counted of Messages
 * @FCVI_MSG_TX: Messages sent
 * @FCVI_MSG_TX_BYTES: bytes in them
 * @FCVI_MSG_RX: Messages received whole
 * @FCVI_MSG_RX_BYTES: bytes in them
 * @FCVI_MSG_BAD_HANDLE: frames for a handle that no endpoint has, or that is another remote port's
 * @FCVI_MSG_NOT_CONNECTED: frames for an endpoint that takes none
 * @FCVI_MSG_OLD: frames of a Message that was received or given up before
 * @FCVI_MSG_LOST: Messages that never came
 * @FCVI_MSG_BROKEN: Messages that did not come whole, or changed on their way
 * @FCVI_MSG_NO_DESC: Messages for which there was no receive Descriptor
 * @FCVI_MSG_TOO_LONG: Messages that did not fit their receive Descriptor or the endpoint
 * @FCVI_MSG_PROTECTION: RDMA to or from memory that it has no right to
 * @FCVI_MSG_NOT_ALLOWED: Messages that the reliability level does not have
 * @FCVI_MSG_NO_MEMORY: frames or Messages for which there was no memory
 * @FCVI_MSG_TIMEOUT: Messages whose Response did not come
 * @FCVI_MSG_STATS: how many there are
 */
enum fcvi_msg_stat {
	FCVI_MSG_TX,
	FCVI_MSG_TX_BYTES,
	FCVI_MSG_RX,
	FCVI_MSG_RX_BYTES,
	FCVI_MSG_BAD_HANDLE,
	FCVI_MSG_NOT_CONNECTED,
	FCVI_MSG_OLD,
	FCVI_MSG_LOST,
	FCVI_MSG_BROKEN,
	FCVI_MSG_NO_DESC,
	FCVI_MSG_TOO_LONG,
	FCVI_MSG_PROTECTION,
	FCVI_MSG_NOT_ALLOWED,
	FCVI_MSG_NO_MEMORY,
	FCVI_MSG_TIMEOUT,
	FCVI_MSG_STATS,
};

/**
 * struct fcvi_timer - a timer of a port, see timer.c
 * @node: in the queue of the port, while it runs
 * @port: the port
 * @expired: what happens then
 */
struct fcvi_timer {
	struct timerqueue_node	node;
	struct fcvi_port	*port;
	void (*expired)(struct fcvi_timer *timer);
};

/**
 * struct fcvi_tx - send queue of an endpoint, see tx.c
 * @posted: its Descriptors, the oldest first
 * @nr: how many
 * @next: the first of them that has not begun, or NULL
 * @next_id: FCVI_MSG_ID of the next Message, FC-VI 5.9.6
 * @open: Messages that are open, for the pipeline depth, FC-VI 7.3
 * @reads: those of them that are RDMA Reads
 * @hold: nothing completes yet, FC-VI C.5.5
 * @broken: one of them will end the connection
 * @running: some are being begun or completed
 * @flushing: all are being completed
 * @sending: the one whose frames go out, or NULL
 * @out: these frames
 * @timer: for Responses
 */
struct fcvi_tx {
	struct list_head	posted;
	unsigned int		nr;
	struct fcvi_desc	*next;
	u32			next_id;
	unsigned int		open;
	unsigned int		reads;
	bool			hold;
	bool			broken;
	bool			running;
	bool			flushing;
	struct fcvi_desc	*sending;
	struct fcvi_out		out;
	struct fcvi_timer	timer;
};

/* MSG_IDs that are remembered on Unreliable Delivery without order, a power of 2 */
#define FCVI_RX_SEEN	1024

/**
 * struct fcvi_rx - receive queue of an endpoint, and the Messages that come, see rx_msg.h
 * @posted: its Descriptors, the oldest first
 * @nr_posted: how many
 * @msgs: Messages that are not complete; by MSG_ID on Reliable Delivery and Reception
 * @taken: those of them that have Descriptors of the queue, in its order
 * @read: the RDMA Read whose data are being sent
 * @held: Messages, and frames that wait for the turn of theirs
 * @next_id: FCVI_MSG_ID of the Message that is to come next
 * @turn: that of the one that is to be delivered next, on Reliable Delivery and Reception
 * @gap_id: that of the one for which @gap runs
 * @gap: R_A_TOV, for a Message that later ones have overtaken
 * @seen: Messages before @next_id that have come, on Unreliable Delivery without order
 * @cause: Reason Code of an error before the connection stands
 * @on: Messages are taken
 * @ordered: frames come in order
 * @running: fcvi_rx_run() is at work
 */
struct fcvi_rx {
	struct list_head	posted;
	unsigned int		nr_posted;
	struct list_head	msgs;
	struct list_head	taken;
	struct fcvi_rx_msg	*read;
	unsigned int		held;
	u32			next_id;
	u32			turn;
	u32			gap_id;
	struct fcvi_timer	gap;
	DECLARE_BITMAP(seen, FCVI_RX_SEEN);
	u8			cause;
	bool			on;
	bool			ordered;
	bool			running;
};

/**
 * struct fcvi_handle - an FCVI_HANDLE, FC-VI 5.9.2
 * @value: the handle
 * @vi: its endpoint; NULL: the handle stays away for R_A_TOV
 * @rport: the remote port that was told
 * @rmt: handle of the remote endpoint, or FCVI_HANDLE_NONE
 * @timer: for R_A_TOV
 */
struct fcvi_handle {
	u32			value;
	struct fcvi_vi		*vi;
	struct fc2_rport	*rport;
	u32			rmt;
	struct fcvi_timer	timer;
};

/**
 * struct fcvi_xchg - an Exchange of connection IUs; the transport has it in a larger one
 * @port: the port
 * @rport: the remote port
 * @setup: the setup that uses it, or NULL
 * @disc: the Disconnect that uses it, or NULL
 */
struct fcvi_xchg {
	struct fcvi_port	*port;
	struct fc2_rport	*rport;
	struct fcvi_setup	*setup;
	struct fcvi_disc	*disc;
};

/**
 * struct fcvi_setup - a Connection Setup, FC-VI 5.3
 * @list: in fcvi_port.setups
 * @port: the port
 * @rport: the remote port; NULL after a logout
 * @x: its Exchange; NULL when that is over
 * @vi: its endpoint; NULL: it has none, yet or any more
 * @own: the request was sent by this side
 * @phase: enum fcvi_phase
 * @mode: connection mode of the request
 * @retry: RETRY
 * @answer: Reason Code of the RESP1 that was sent or received
 * @end: Reason Code for RESP3
 * @mute: the endpoint is in Error: a RESP1 gets no answer any more
 * @user: a user holds the request; it ends by fcvi_accept() or fcvi_reject() only
 * @id: CONNECTION_ID
 * @resp_handle: RESP_HANDLE
 * @rqst: payload of the request
 * @timer: T3 of own ones, T2 of others
 */
struct fcvi_setup {
	struct list_head	list;
	struct fcvi_port	*port;
	struct fc2_rport	*rport;
	struct fcvi_xchg	*x;
	struct fcvi_vi		*vi;
	bool			own;
	u8			phase;
	u8			mode;
	bool			retry;
	u8			answer;
	u8			end;
	bool			mute;
	bool			user;
	u32			id;
	u32			resp_handle;
	struct fcvi_connect	rqst;
	struct fcvi_timer	timer;
};

/**
 * struct fcvi_vi_ops - what the user of an endpoint does; under the lock of the port
 * @tell: gets enum fcvi_news
 * @flush: completes what is posted as flushed; of the send queue too, or receives only
 * @receive: begins or ends to take Messages for the endpoint
 */
struct fcvi_vi_ops {
	void (*tell)(struct fcvi_vi *vi, enum fcvi_news news);
	void (*flush)(struct fcvi_vi *vi, bool sends);
	void (*receive)(struct fcvi_vi *vi, bool on);
};

/**
 * struct fcvi_vi - an endpoint
 * @list: in fcvi_port.vis
 * @port: the port
 * @ops: the user
 * @state: enum fcvi_state
 * @role: enum fcvi_role
 * @rport: the remote port of the setup or connection
 * @loc: own address
 * @rem: address of the other side
 * @attrs: own attributes
 * @rmt_attrs: attributes of the other side, since the connection stands
 * @differs: enum fcvi_difference, after FCVI_NEWS_ATTRS, or when fcvi_accept() says so
 * @handle: own handle, from the setup on
 * @rmt_handle: handle of the other side, or FCVI_HANDLE_NONE
 * @depth: how many Messages may be open, less one, FC-VI 7.3
 * @own: setup whose request was sent from here
 * @other: setup whose request came from the other side
 * @by_own: @own has made the connection
 * @asked: number of the last connect, of all endpoints of the port
 * @last_id: CONNECTION_ID of the last own setup
 * @disc: Disconnect that has no answer yet
 * @ending: enum fcvi_ending, in Error
 * @cause: Reason Code for the Disconnect, in Error
 * @answered: a Disconnect of this end was answered since it went to Error
 * @done_msg_id: last Message that has completed well, FC-VI 6.12.2
 * @t1: what the user gives a connect
 * @resolving: it is Pending Connect, and its remote port is looked for: there is no setup yet
 * @login: how long the remote port may take to log in; only with @resolving
 * @user: the user of Messages
 * @priv: for @user
 * @tag: protection tag, for RDMA from the other side
 * @tx: send queue
 * @rx: receive queue
 * @msg_stats: enum fcvi_msg_stat
 */
struct fcvi_vi {
	struct list_head		list;
	struct fcvi_port		*port;
	const struct fcvi_vi_ops	*ops;
	u8				state;
	u8				role;
	struct fc2_rport		*rport;
	struct fcvi_addr		loc;
	struct fcvi_addr		rem;
	struct fcvi_attrs		attrs;
	struct fcvi_attrs		rmt_attrs;
	u8				differs;
	struct fcvi_handle		*handle;
	u32				rmt_handle;
	u32				depth;
	struct fcvi_setup		*own;
	struct fcvi_setup		*other;
	bool				by_own;
	u64				asked;
	u32				last_id;
	struct fcvi_disc		*disc;
	u8				ending;
	u8				cause;
	bool				answered;
	u32				done_msg_id;
	struct fcvi_timer		t1;
	bool				resolving;
	struct fcvi_timer		login;
	const struct fcvi_user_ops	*user;
	void				*priv;
	struct fcvi_tag			*tag;
	struct fcvi_tx			tx;
	struct fcvi_rx			rx;
	u64				msg_stats[FCVI_MSG_STATS];
};

/**
 * struct fcvi_transport - what carries connection IUs, and knows addresses; under the lock of the
 *	port
 * @now: time in milliseconds
 * @arm: fcvi_timers_run() is to be called at that time, and no other
 * @own: whether a Host Address is one of the port
 * @find: the remote port of a Host Address, which is the port itself for one of its own.  Return:
 *	0; -EAGAIN: it is looked for, and fcvi_resolved() will be called; -ENOTCONN: it is not
 *	logged in, and fcvi_resolve_login() will be called when it is; or another negative errno:
 *	there is none
 * @open: new Exchange to a remote port; NULL when there is none
 * @send: sends an IU, with a payload or NULL.  The Exchange ends with RESP3 and DISCONNECT_RESP,
 *	and the struct must not be used after it
 * @abort: ends the Exchange with ABTS; the struct must not be used after it
 * @close: ends it without
 */
struct fcvi_transport {
	u64 (*now)(struct fcvi_port *port);
	void (*arm)(struct fcvi_port *port, u64 when);
	bool (*own)(struct fcvi_port *port, const struct in6_addr *host);
	int (*find)(struct fcvi_port *port, const struct in6_addr *host, struct fc2_rport **rport);
	struct fcvi_xchg *(*open)(struct fcvi_port *port, struct fc2_rport *rport);
	void (*send)(struct fcvi_xchg *x, const struct fcvi_iu *iu, const struct fcvi_connect *c);
	void (*abort)(struct fcvi_xchg *x);
	void (*close)(struct fcvi_xchg *x);
};

/**
 * struct fcvi_sched - what a port has to send, see sched.c
 * @turns: struct fcvi_out, the one whose turn it is first
 * @waiting: those that wait for a Sequence
 * @paused: those that are tried again when @pause expires
 * @pause: its timer
 * @seqs: Sequences that are open
 * @running: frames are being sent
 */
struct fcvi_sched {
	struct list_head	turns;
	struct list_head	waiting;
	struct list_head	paused;
	struct fcvi_timer	pause;
	unsigned int		seqs;
	bool			running;
};

/**
 * struct fcvi_port - what all endpoints of an FC port have in common
 * @lock: for all of it
 * @transport: what carries connection IUs
 * @msgs: what carries Messages
 * @wwpn: Port_Name
 * @r_a_tov: R_A_TOV in ms, which is FCVI_ULP_TIMEOUT, too, FC-VI 8.3
 * @vis: endpoints
 * @points: connection points
 * @setups: setups
 * @discs: Disconnects of this side that have no answer yet
 * @nr_setups: those of @setups that remote ports have asked for, and that are under way
 * @timers: running timers
 * @handles: struct fcvi_handle by value
 * @next_handle: where the search for a handle begins
 * @next_id: next CONNECTION_ID
 * @asked: counts connects
 * @stats: enum fcvi_stat
 * @msg_stats: enum fcvi_msg_stat
 * @ordered: frames come in the order in which they were sent
 * @sched: what is to be sent
 * @mem: memory regions that RDMA may touch
 */
struct fcvi_port {
	spinlock_t			lock;	/* for all of it */
	const struct fcvi_transport	*transport;
	const struct fcvi_msg_transport	*msgs;
	u64				wwpn;
	unsigned int			r_a_tov;
	struct list_head		vis;
	struct list_head		points;
	struct list_head		setups;
	struct list_head		discs;
	unsigned int			nr_setups;
	struct timerqueue_head		timers;
	struct xarray			handles;
	u32				next_handle;
	u32				next_id;
	u64				asked;
	unsigned long			stats[FCVI_STATS];
	u64				msg_stats[FCVI_MSG_STATS];
	bool				ordered;
	struct fcvi_sched		sched;
	struct fcvi_mem			mem;
};

static inline bool fcvi_vi_pending(const struct fcvi_vi *vi)
{
	return vi->state == FCVI_PENDING || vi->state == FCVI_PENDING_RETRY;
}

/* Counts something of the Messages of an endpoint, and so of its port */
static inline void fcvi_count(struct fcvi_vi *vi, enum fcvi_msg_stat what, u32 n)
{
	lockdep_assert_held(&vi->port->lock);
	vi->msg_stats[what] += n;
	vi->port->msg_stats[what] += n;
}

void fcvi_vi_init(struct fcvi_vi *vi, struct fcvi_port *port, const struct fcvi_vi_ops *ops,
		  const struct fcvi_attrs *attrs, void (*t1)(struct fcvi_timer *timer));
void fcvi_vi_connected(struct fcvi_vi *vi, u32 rmt_handle, const struct fcvi_attrs *rmt);
void fcvi_vi_idle(struct fcvi_vi *vi, enum fcvi_reason refuse);
void fcvi_vi_error(struct fcvi_vi *vi, enum fcvi_ending ending, enum fcvi_reason cause,
		   enum fcvi_reason refuse);

#endif
