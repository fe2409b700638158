/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ports, ST 5.2.1, with their error logs, and the binding of a socket.
 */
#ifndef _NET_ST_PORT_H
#define _NET_ST_PORT_H

#include "net.h"

/**
 * struct st_bind - the binding of a socket
 * @port: its Port, or NULL; changes under lock_sock()
 * @addr: address given to bind()
 * @admin: the caller of connect() or listen() has CAP_NET_ADMIN
 * @ethertype: protocol that a connection is for, ST 5.2.6
 *
 * All members but @port are constant after connect() or listen().
 */
struct st_bind {
	struct st_port		*port;
	struct sockaddr_st	addr;
	bool			admin;
	u16			ethertype;
};

/* conn/port.c */
extern struct notifier_block st_port_notifier;
int st_port_bind(struct st_sock *st, u16 num);
void st_port_share(struct st_sock *st, struct st_port *port);
void st_port_disown(struct st_sock *st);
void st_port_put(struct st_sock *st);
struct st_port *st_port_find(struct st_net *sn, u16 num);
struct sock *st_port_listener(struct st_net *sn, u16 num, const struct st_link *link);
void st_log(struct st_sock *st, enum st_error err);
void st_log_unexpected(struct st_sock *st, const struct st_op *op);
void st_log_port(struct st_net *sn, struct st_port *port, enum st_error err);
bool st_bound_gone(const struct st_sock *st);
void st_port_init(struct net *net);
void st_port_exit(struct net *net);
bool st_link_bound(const struct st_link *link, const struct st_sock *st);
struct st_link *st_link_route(const struct st_sock *st, const struct sockaddr_st *to, int *err);

#endif
