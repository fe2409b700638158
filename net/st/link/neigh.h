/* SPDX-License-Identifier: GPL-2.0 */
/* Resolution of a peer's IP address. */
#ifndef _NET_ST_NEIGH_H
#define _NET_ST_NEIGH_H

#include <linux/types.h>

struct sockaddr;
struct st_link;

#ifdef CONFIG_INET
/* link/neigh.c */
int st_neigh_resolve(const struct st_link *link, const struct sockaddr *ip, bool ask, u8 *addr);
#else
#define st_neigh_resolve	NULL
#endif

#endif
