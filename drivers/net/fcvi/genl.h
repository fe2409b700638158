/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/fcvi.yaml */
/* YNL-GEN kernel header */
/* To regenerate run: tools/net/ynl/ynl-regen.sh */

#ifndef _LINUX_FCVI_GEN_H
#define _LINUX_FCVI_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/fcvi_netlink.h>

int fcvi_nl_vi_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int fcvi_nl_counters_get_dumpit(struct sk_buff *skb,
				struct netlink_callback *cb);

extern struct genl_family fcvi_nl_family;

#endif /* _LINUX_FCVI_GEN_H */
