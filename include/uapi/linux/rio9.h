/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * RapidIO Type 9 data streaming: what a packet socket on a device rioN sees.
 */
#ifndef _UAPI_LINUX_RIO9_H
#define _UAPI_LINUX_RIO9_H

#include <linux/types.h>

/* Type of the devices, in struct sockaddr_ll and in netlink; no number is assigned to RapidIO */
#define ARPHRD_RIO9	0x5209

/**
 * struct rio9_hdr - in front of a PDU in an skb of a device, and in packet sockets of type
 *	SOCK_RAW; not on the wire
 * @peer: destination ID of a PDU that is sent, source ID of one that arrives
 * @cos: class of service
 * @channel: physical channel of a PDU that arrives: VC << 3 | priority << 1 | CRF, 2.4; not
 *	looked at in a PDU that is sent, whose class decides
 *
 * The streamID is the protocol of the packet.
 */
struct rio9_hdr {
	__be16 peer;
	__u8 cos;
	__u8 channel;
};

#endif
