/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hosts with their limits, and Keys.
 */
#ifndef _NET_ST_HOST_H
#define _NET_ST_HOST_H

#include "net.h"

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
