/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an application learns besides its records.
 */
#ifndef _NET_ST_EVENT_H
#define _NET_ST_EVENT_H

#include "conn/conn.h"

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
