/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ports, hosts and Keys: what Virtual Connections share, and are known by.
 */
#ifndef _NET_ST_HOST_H
#define _NET_ST_HOST_H

#include "net.h"

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

/* conn/host.c */
int st_host_join(struct st_sock *st);
void st_host_leave(struct st_sock *st);
void st_host_put(struct st_sock *st);
bool st_host_charge(struct st_sock *st, u64 bytes);
void st_host_uncharge(struct st_sock *st, u64 bytes);
bool st_host_keep(struct st_sock *st, u32 bytes);
void st_host_forget(struct st_sock *st, u32 bytes);
int st_host_init(struct net *net);
void st_host_exit(struct net *net);
void *st_peer_kzalloc(struct st_sock *st, size_t size, gfp_t gfp);
void *st_peer_alloc(struct st_sock *st, size_t size);
void st_peer_free(struct st_sock *st, void *p, size_t size);
struct sk_buff *st_peer_skb(struct st_sock *st, unsigned int len);

/* conn/key.c */
u32 st_key_permute(const siphash_key_t *secret, u32 n);
u32 st_key_new(void);

#endif
