/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Name Server client, FC-GS: registers a port of a fabric, and finds others.
 */
#ifndef _FC2_NS_H
#define _FC2_NS_H

#include <linux/if_ether.h>
#include <linux/in6.h>
#include <linux/skbuff.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct fc2_exch;
struct fc2_port;
struct fc2_prov;

/**
 * enum fc2_ns_request - what the Name Server is asked, in this order
 * @FC2_NS_RFT_ID: registers the TYPEs
 * @FC2_NS_RIPP_ID: registers a Host Address
 * @FC2_NS_GPN_FT_IP: asks for the ports that have the TYPE of FC-LE
 * @FC2_NS_GPN_FT_FCVI: and that of FC-VI
 * @FC2_NS_GID_IPP: asks for the port with a Host Address
 * @FC2_NS_NOTHING: nothing is asked
 */
enum fc2_ns_request {
	FC2_NS_RFT_ID,
	FC2_NS_RIPP_ID,
	FC2_NS_GPN_FT_IP,
	FC2_NS_GPN_FT_FCVI,
	FC2_NS_GID_IPP,
	FC2_NS_NOTHING,
};

/**
 * struct fc2_ns - what a port does with the Name Server, and the Fabric Controller
 * @port: the port
 * @mac: MAC address of the FCF
 * @todo: requests that are to be made, as bits of enum fc2_ns_request, but @FC2_NS_GID_IPP, which
 *	farp.c has
 * @asking: the request that waits for its answer
 * @until: when it has waited too long, in jiffies
 * @tries: how often it has got no answer
 * @host: Host Address that is registered; zeros: none
 * @ip: what @FC2_NS_GID_IPP asks for
 * @whole: all ports have been asked for since the last RSCN, and answers have come
 * @scr_tries: how often SCR had no success
 * @exch: Exchange of the request, NULL when it is over
 * @frames: of the answer
 * @complete: all of them have come
 * @work: reads them, repeats the request or makes another
 */
struct fc2_ns {
	struct fc2_port		*port;
	u8			mac[ETH_ALEN];
	unsigned long		todo;
	enum fc2_ns_request	asking;
	unsigned long		until;
	unsigned int		tries;
	struct in6_addr		host;
	struct in6_addr		ip;
	bool			whole;
	unsigned int		scr_tries;
	struct fc2_exch		*exch;
	struct sk_buff_head	frames;
	bool			complete;
	struct delayed_work	work;
};

extern struct fc2_prov fc2_ns_prov;

void fc2_ns_init(struct fc2_ns *ns, struct fc2_port *port);
void fc2_ns_start(struct fc2_ns *ns, const u8 *mac);
void fc2_ns_refresh(struct fc2_ns *ns);
void fc2_ns_rx_rscn(struct fc2_port *port, const struct sk_buff *request);
void fc2_ns_end(struct fc2_ns *ns);

#endif
