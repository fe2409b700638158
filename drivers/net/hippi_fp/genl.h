/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/hippi.yaml */
/* YNL-GEN kernel header */
/* To regenerate run: tools/net/ynl/ynl-regen.sh */

#ifndef _LINUX_HIPPI_GEN_H
#define _LINUX_HIPPI_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/hippi_netlink.h>

int hippi_nl_port_get_doit(struct sk_buff *skb, struct genl_info *info);
int hippi_nl_port_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int hippi_nl_counters_get_doit(struct sk_buff *skb, struct genl_info *info);
int hippi_nl_counters_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb);

enum {
	HIPPI_NLGRP_PORTS,
};

extern struct genl_family hippi_nl_family;

#endif /* _LINUX_HIPPI_GEN_H */
