/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The address behind an IP address of a peer.
 */
#ifndef _NET_ST_NEIGH_H
#define _NET_ST_NEIGH_H

#include <linux/types.h>

struct sockaddr;
struct st_link;

#ifdef CONFIG_INET
/* link/neigh.c */
int st_neigh_resolve(struct st_link *link, const struct sockaddr *ip, u8 *addr, long *timeo);
int st_neigh_init(void);
void st_neigh_exit(void);
#else
#define st_neigh_resolve	NULL

static inline int st_neigh_init(void)
{
	return 0;
}

static inline void st_neigh_exit(void)
{
}
#endif

#endif
