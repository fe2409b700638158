/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events: what an application learns besides its records.
 */
#ifndef _NET_ST_EVENT_H
#define _NET_ST_EVENT_H

#include <linux/atomic.h>
#include <linux/skbuff.h>
#include <uapi/linux/st.h>

struct msghdr;
struct sock;
struct st_op;
struct st_sock;

/**
 * struct st_events - what recvmsg() with MSG_ERRQUEUE returns
 * @queue: skbs with a struct st_event each
 * @lost: events dropped for lack of room and not yet reported as ST_EVENT_LOST
 */
struct st_events {
	struct sk_buff_head	queue;
	atomic_t		lost;
};

/* conn/event.c */
void st_event_interrupt(struct st_sock *st, const struct st_op *op);
int st_event_queue(struct st_sock *st, const struct st_event *event);
void st_event_tell(struct st_sock *st, const struct st_event *event);
bool st_event_waits(const struct st_sock *st);
int st_event_recv(struct st_sock *st, struct msghdr *msg);
struct sk_buff *st_event_reserve(struct st_sock *st);
void st_event_post(struct st_sock *st, struct sk_buff *skb, const struct st_event *event);
void st_tx_wake(struct sock *sk);

#endif
