/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Name Server client, FC-GS: registers a port of a fabric, and finds others.
 */
#ifndef _FC2_NS_H
#define _FC2_NS_H

#include <linux/skbuff.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct fc2_exch;
struct fc2_port;
struct fc2_prov;

/**
 * struct fc2_ns - what a port does with the Name Server
 * @port: the port
 * @mac: MAC address of the FCF
 * @step: number of the request, of ns.c
 * @tries: how often it has got no answer
 * @exch: Exchange of it, NULL when it is over
 * @frames: of the answer
 * @work: reads them, or repeats the request
 */
struct fc2_ns {
	struct fc2_port		*port;
	u8			mac[ETH_ALEN];
	unsigned int		step;
	unsigned int		tries;
	struct fc2_exch		*exch;
	struct sk_buff_head	frames;
	struct delayed_work	work;
};

extern struct fc2_prov fc2_ns_prov;

void fc2_ns_init(struct fc2_ns *ns, struct fc2_port *port);
void fc2_ns_start(struct fc2_ns *ns, const u8 *mac);
void fc2_ns_end(struct fc2_ns *ns);

#endif
