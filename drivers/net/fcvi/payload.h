/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Payload of FCVI_CONNECT_RQST and FCVI_CONNECT_RESP1, FC-VI 6.8.3, 6.9.3 and 7.
 */
#ifndef _FCVI_PAYLOAD_H
#define _FCVI_PAYLOAD_H

#include <linux/in6.h>
#include <linux/types.h>

#include "wire.h"

/* Without FCVI_CONNECT_INFO, and with it, FC-VI 6.8.1 */
#define FCVI_CONNECT_LEN	340
#define FCVI_CONNECT_LEN_INFO	596

/* FC-VI 7.2 */
#define FCVI_DISCRIM_MIN	16
#define FCVI_DISCRIM_MAX	128

/**
 * struct fcvi_addr - address of a connection point, FC-VI 7.2
 * @host: Host Address; an IPv4 address is mapped
 * @len: bytes of @discrim
 * @discrim: Discriminator; zero beyond @len
 */
struct fcvi_addr {
	struct in6_addr	host;
	u8		len;
	u8		discrim[FCVI_DISCRIM_MAX];
};

/**
 * enum fcvi_level - FCVI_RELIABILITY_LVL, FC-VI 7.3
 * @FCVI_UD: Unreliable Delivery
 * @FCVI_RD: Reliable Delivery
 * @FCVI_RR: Reliable Reception
 */
enum fcvi_level {
	FCVI_UD = 1,
	FCVI_RD = 2,
	FCVI_RR = 3,
};

/**
 * struct fcvi_attrs - attributes of an endpoint, FC-VI 7.3
 * @level: enum fcvi_level
 * @rdma_write: takes RDMA Writes
 * @rdma_read: takes RDMA Reads
 * @pref: its Messages have the Preference function
 * @max_trans_size: bytes of its longest Message
 * @max_bandwidth: zero in this version
 * @min_bandwidth: zero in this version
 * @max_delay: zero in this version
 * @pipeline_depth: one less than the Messages that may be open
 */
struct fcvi_attrs {
	u8	level;
	bool	rdma_write;
	bool	rdma_read;
	bool	pref;
	u32	max_trans_size;
	u32	max_bandwidth;
	u32	min_bandwidth;
	u32	max_delay;
	u32	pipeline_depth;
};

/**
 * struct fcvi_connect - payload of a FCVI_CONNECT_RQST or FCVI_CONNECT_RESP1
 * @handle: of the sender's endpoint
 * @loc: the sender's address
 * @rem: the addressee's
 * @attrs: attributes of the sender's endpoint
 */
struct fcvi_connect {
	u32			handle;
	struct fcvi_addr	loc;
	struct fcvi_addr	rem;
	struct fcvi_attrs	attrs;
};

void fcvi_encode_connect(void *buf, const struct fcvi_connect *c);
bool fcvi_decode_rqst(struct fcvi_connect *c, const struct fcvi_iu *iu, const void *data,
		      unsigned int len);
bool fcvi_decode_resp1(struct fcvi_connect *c, const struct fcvi_iu *iu, const void *data,
		       unsigned int len);

#endif
