/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ports of FC-VI on those of FC-2.
 */
#ifndef _FCVI_FC_PORT_H
#define _FCVI_FC_PORT_H

#include <linux/refcount.h>
#include <linux/workqueue.h>

#include "vi.h"

struct fc2_port;
struct fc2_prov;
struct net;
struct sock;

/**
 * struct fcvi_fc_port - a port on fc2
 * @port: what knows no transport
 * @list: of all ports
 * @fc2: the port of fc2, with a reference
 * @prov: the FC-4
 * @clock: runs the timers of @port
 * @sk: owner of the frames that are on their way, see fc_flow.c
 * @full: what waits is to be sent when some of these have gone
 * @flow: sends it
 * @drops: frames that were dropped, by enum fcvi_verdict; under the lock of @port
 * @gone: no IUs are taken any more; under the lock of @port
 * @refs: one while it is in the list, one of each Exchange
 * @rcu: frees it
 */
struct fcvi_fc_port {
	struct fcvi_port	port;
	struct list_head	list;
	struct fc2_port		*fc2;
	const struct fc2_prov	*prov;
	struct delayed_work	clock;
	struct sock		*sk;
	bool			full;
	struct work_struct	flow;
	unsigned long		drops[FCVI_VERDICTS];
	bool			gone;
	refcount_t		refs;
	struct rcu_head		rcu;
};

static inline struct fcvi_fc_port *fcvi_fc_port(struct fcvi_port *port)
{
	return container_of(port, struct fcvi_fc_port, port);
}

void fcvi_fc_port_list(struct fcvi_fc_port *p);
void fcvi_fc_port_unlist(struct fcvi_fc_port *p);
struct fcvi_fc_port *fcvi_fc_find(const struct fc2_port *fc2);
void fcvi_fc_port_put(struct fcvi_fc_port *p);
int fcvi_fc_each(const struct net *net, int (*each)(struct fcvi_port *port, void *arg), void *arg);

#endif
