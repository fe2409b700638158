/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Links: LLPs on network devices.
 */
#ifndef _NET_ST_LINK_H
#define _NET_ST_LINK_H

#include "net.h"
#include "wire/op.h"

/* link/llp.c */
const char *st_llp_unusable(const struct st_llp *llp, struct net_device *dev);
void st_llp_attach_all(struct net *net);
int st_llp_add(struct net_device *dev, const char *name, struct netlink_ext_ack *extack);
int st_llp_del(struct net_device *dev, const char *name, struct netlink_ext_ack *extack);

/* link/link.c */
int st_link_add(struct net_device *dev, const struct st_llp *llp);
void st_link_del(struct net_device *dev, const struct st_llp *llp);
void st_link_changed(struct st_link *link);
void st_links_early(struct net *net);
enum st_link_state st_link_state(const struct st_link *link);
bool st_link_addr_ok(const struct st_link *link, const u8 *addr);
void st_link_put(struct st_link *link);
int st_link_join(struct st_link *link, struct st_way *way);
void st_link_leave(struct st_way *way);
unsigned int st_link_recv_max_stu(const struct st_link *link);
unsigned int st_link_max_stu(const struct st_link *link, unsigned int channel);

/* link/xmit.c */
struct sk_buff *st_alloc(const struct st_link *link, const struct st_op *op, const void *data,
			 u32 len, bool checksum);
void st_xmit(struct st_link *link, struct sk_buff *skb, const u8 *daddr);
struct sk_buff *st_alloc_op(const struct st_link *link, const struct st_op *op, bool checksum);
void st_send_op(struct st_link *link, const struct st_op *op, bool checksum, const u8 *daddr);

#endif
