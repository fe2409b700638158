/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Endpoints (VIs), their Connection Setups, and the port that has them, FC-VI 8.2.
 *
 * This part knows no transport, no clock and no user: it reaches them by the two tables of
 * functions here.  The lock of the port is held in all of it.
 */
#ifndef _FCVI_VI_H
#define _FCVI_VI_H

#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/spinlock.h>
#include <linux/timerqueue.h>
#include <linux/types.h>
#include <linux/xarray.h>

#include "payload.h"
#include "wire.h"

struct fc2_rport;
struct fcvi_disc;
struct fcvi_port;
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
 * enum fcvi_role - what an endpoint is in its setup
 * @FCVI_CLIENT: it has sent the request
 * @FCVI_SERVER: it has accepted one
 * @FCVI_PEER: it does both, FC-VI 5.3.3
 */
enum fcvi_role {
	FCVI_CLIENT,
	FCVI_SERVER,
	FCVI_PEER,
};

/**
 * enum fcvi_news - what the user of an endpoint is told
 * @FCVI_NEWS_CONNECTED: the connection stands
 * @FCVI_NEWS_NO_MATCH: nobody waits there
 * @FCVI_NEWS_REJECT: the other side said no
 * @FCVI_NEWS_ATTRS: the attributes of two peers differ, see fcvi_vi.differs
 * @FCVI_NEWS_TIMEOUT: the setup took too long for one of the two users
 * @FCVI_NEWS_UNREACHABLE: the setup failed, or the remote port is gone
 * @FCVI_NEWS_COMPLETE: what was sent since the connection stands may complete now, FC-VI C.5.5
 * @FCVI_NEWS_LOST: the connection is lost
 * @FCVI_NEWS_DISCONNECTED: the Disconnect that was asked for is done
 * @FCVI_NEWS_NOT_DISCONNECTED: it got no answer
 */
enum fcvi_news {
	FCVI_NEWS_CONNECTED,
	FCVI_NEWS_NO_MATCH,
	FCVI_NEWS_REJECT,
	FCVI_NEWS_ATTRS,
	FCVI_NEWS_TIMEOUT,
	FCVI_NEWS_UNREACHABLE,
	FCVI_NEWS_COMPLETE,
	FCVI_NEWS_LOST,
	FCVI_NEWS_DISCONNECTED,
	FCVI_NEWS_NOT_DISCONNECTED,
};

/**
 * enum fcvi_difference - what differs in the attributes of two endpoints
 * @FCVI_SAME: nothing
 * @FCVI_DIFFERENT_LEVEL: reliability level
 * @FCVI_DIFFERENT_SIZE: longest Message
 * @FCVI_DIFFERENT_QOS: a service that nobody has in this version
 */
enum fcvi_difference {
	FCVI_SAME,
	FCVI_DIFFERENT_LEVEL,
	FCVI_DIFFERENT_SIZE,
	FCVI_DIFFERENT_QOS,
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
};

/**
 * struct fcvi_point - a connection point that waits for clients
 * @list: in fcvi_port.points
 * @addr: its address
 * @request: there is a request.  fcvi_accept() or fcvi_reject() ends it, later.  Under the lock of
 *	the port
 */
struct fcvi_point {
	struct list_head	list;
	struct fcvi_addr	addr;
	void (*request)(struct fcvi_point *point, struct fcvi_setup *setup);
};

/**
 * struct fcvi_transport - what carries connection IUs; under the lock of the port
 * @now: time in milliseconds
 * @arm: fcvi_timers_run() is to be called at that time, and no other
 * @open: new Exchange to a remote port; NULL when there is none
 * @send: sends an IU, with a payload or NULL.  The Exchange ends with RESP3 and DISCONNECT_RESP,
 *	and the struct must not be used after it
 * @abort: ends the Exchange with ABTS; the struct must not be used after it
 * @close: ends it without
 */
struct fcvi_transport {
	u64 (*now)(struct fcvi_port *port);
	void (*arm)(struct fcvi_port *port, u64 when);
	struct fcvi_xchg *(*open)(struct fcvi_port *port, struct fc2_rport *rport);
	void (*send)(struct fcvi_xchg *x, const struct fcvi_iu *iu, const struct fcvi_connect *c);
	void (*abort)(struct fcvi_xchg *x);
	void (*close)(struct fcvi_xchg *x);
};

/**
 * struct fcvi_port - what all endpoints of an FC port have in common
 * @lock: for all of it
 * @transport: what carries IUs
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
 */
struct fcvi_port {
	spinlock_t			lock;	/* for all of it */
	const struct fcvi_transport	*transport;
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
};

static inline bool fcvi_vi_pending(const struct fcvi_vi *vi)
{
	return vi->state == FCVI_PENDING || vi->state == FCVI_PENDING_RETRY;
}

void fcvi_vi_init(struct fcvi_vi *vi, struct fcvi_port *port, const struct fcvi_vi_ops *ops,
		  const struct fcvi_attrs *attrs, void (*t1)(struct fcvi_timer *timer));
void fcvi_vi_connected(struct fcvi_vi *vi, u32 rmt_handle, const struct fcvi_attrs *rmt);
void fcvi_vi_idle(struct fcvi_vi *vi, enum fcvi_reason refuse);
void fcvi_vi_error(struct fcvi_vi *vi, enum fcvi_ending ending, enum fcvi_reason cause,
		   enum fcvi_reason refuse);

#endif
