/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fibre Channel FC-VI: the interface between fcvi and the users of its endpoints (VIs).
 *
 * An FC port of fc2 is a port here.  All functions but those that say otherwise want its lock,
 * which fcvi_lock() takes; what a user gives in struct fcvi_user_ops is called under it, in softirq
 * or process context, and must not sleep.
 */
#ifndef _LINUX_FCVI_H
#define _LINUX_FCVI_H

#include <linux/bits.h>
#include <linux/fc2.h>
#include <linux/in6.h>
#include <linux/list.h>
#include <linux/types.h>

struct fcvi_mx;
struct fcvi_port;
struct fcvi_setup;
struct fcvi_tag;
struct fcvi_vi;
struct net_device;
struct sk_buff;

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

/**
 * enum fcvi_role - what an endpoint is in its setup
 * @FCVI_CLIENT: it has sent the request
 * @FCVI_SERVER: it has accepted one
 * @FCVI_PEER: it does both, FC-VI 5.3.3
 */
enum fcvi_role {
	FCVI_CLIENT,
	FCVI_SERVER,
	FCVI_PEER,
};

/**
 * enum fcvi_news - what the user of an endpoint is told
 * @FCVI_NEWS_CONNECTED: the connection stands
 * @FCVI_NEWS_NO_MATCH: nobody waits there
 * @FCVI_NEWS_REJECT: the other side said no
 * @FCVI_NEWS_ATTRS: the attributes of two peers differ, see fcvi_vi.differs
 * @FCVI_NEWS_TIMEOUT: the setup took too long for one of the two users
 * @FCVI_NEWS_UNREACHABLE: the setup failed, or the remote port is gone
 * @FCVI_NEWS_COMPLETE: what was sent since the connection stands may complete now, FC-VI C.5.5
 * @FCVI_NEWS_LOST: the connection is lost
 * @FCVI_NEWS_DISCONNECTED: the Disconnect that was asked for is done
 * @FCVI_NEWS_NOT_DISCONNECTED: it got no answer
 */
enum fcvi_news {
	FCVI_NEWS_CONNECTED,
	FCVI_NEWS_NO_MATCH,
	FCVI_NEWS_REJECT,
	FCVI_NEWS_ATTRS,
	FCVI_NEWS_TIMEOUT,
	FCVI_NEWS_UNREACHABLE,
	FCVI_NEWS_COMPLETE,
	FCVI_NEWS_LOST,
	FCVI_NEWS_DISCONNECTED,
	FCVI_NEWS_NOT_DISCONNECTED,
};

/**
 * enum fcvi_difference - what differs in the attributes of two endpoints
 * @FCVI_SAME: nothing
 * @FCVI_DIFFERENT_LEVEL: reliability level
 * @FCVI_DIFFERENT_SIZE: longest Message
 * @FCVI_DIFFERENT_QOS: a service that nobody has in this version
 */
enum fcvi_difference {
	FCVI_SAME,
	FCVI_DIFFERENT_LEVEL,
	FCVI_DIFFERENT_SIZE,
	FCVI_DIFFERENT_QOS,
};

/**
 * struct fcvi_point - a connection point that waits for clients
 * @list: in fcvi_port.points
 * @addr: its address; without a Host Address, ``::``, it waits at all of the port, as they come and
 *	go
 * @request: there is a request.  fcvi_accept() or fcvi_reject() ends it, later.  Under the lock of
 *	the port
 */
struct fcvi_point {
	struct list_head	list;
	struct fcvi_addr	addr;
	void (*request)(struct fcvi_point *point, struct fcvi_setup *setup);
};

/**
 * enum fcvi_op - operation of a Descriptor, VI-DG 5.2
 * @FCVI_OP_SEND: Send
 * @FCVI_OP_WRITE: RDMA Write
 * @FCVI_OP_READ: RDMA Read; not on Unreliable Delivery
 * @FCVI_OP_RECV: of the receive queue
 */
enum fcvi_op {
	FCVI_OP_SEND,
	FCVI_OP_WRITE,
	FCVI_OP_READ,
	FCVI_OP_RECV,
};

/**
 * enum fcvi_desc_flags - what else a Descriptor asks for, or has got
 * @FCVI_DESC_IMM: its Immediate Data are valid: to be sent, or received
 * @FCVI_DESC_FENCE: it begins when all before it on the send queue are complete, VI-ARCH 6.3.1.2
 * @FCVI_DESC_BY_WRITE: of a receive Descriptor that is complete: an RDMA Write has used it
 */
enum fcvi_desc_flags {
	FCVI_DESC_IMM		= BIT(0),
	FCVI_DESC_FENCE		= BIT(1),
	FCVI_DESC_BY_WRITE	= BIT(2),
};

/**
 * enum fcvi_desc_error - how a Descriptor completes; none: well.  The bits of VI-DG 5.2
 * @FCVI_ERR_FORMAT: it is malformed, or of no use on this endpoint
 * @FCVI_ERR_PROTECTION: a segment is not in memory of its handle and tag
 * @FCVI_ERR_LENGTH: the lengths do not fit
 * @FCVI_ERR_PARTIAL: a Message ended after its first frame
 * @FCVI_ERR_FLUSHED: the endpoint is in Error, or was disconnected
 * @FCVI_ERR_TRANSPORT: frames are lost
 * @FCVI_ERR_RDMA_PROT: protection error at the other side
 * @FCVI_ERR_REMOTE_DESC: the other side has no receive Descriptor that fits
 */
enum fcvi_desc_error {
	FCVI_ERR_FORMAT		= BIT(1),
	FCVI_ERR_PROTECTION	= BIT(2),
	FCVI_ERR_LENGTH		= BIT(3),
	FCVI_ERR_PARTIAL	= BIT(4),
	FCVI_ERR_FLUSHED	= BIT(5),
	FCVI_ERR_TRANSPORT	= BIT(6),
	FCVI_ERR_RDMA_PROT	= BIT(7),
	FCVI_ERR_REMOTE_DESC	= BIT(8),
};

/**
 * struct fcvi_desc - a Descriptor; the user has it in a larger one
 * @list: in its work queue, from fcvi_post_send() or fcvi_post_recv() until it is complete
 * @op: enum fcvi_op
 * @flags: mask of enum fcvi_desc_flags
 * @error: mask of enum fcvi_desc_error.  A user that has found an error before posting sets it: the
 *	Descriptor then completes in its turn, and nothing of it is sent
 * @imm: Immediate Data
 * @len: bytes of its segments: of the Message, or room for one; when a receive Descriptor is
 *	complete, bytes of the Message that it has
 * @rmt_va: address at the other side, of an RDMA
 * @rmt_handle: memory handle for it
 *
 * The members behind these are fcvi's own.
 */
struct fcvi_desc {
	struct list_head	list;
	u8			op;
	u8			flags;
	u16			error;
	u32			imm;
	u32			len;
	u64			rmt_va;
	u32			rmt_handle;
	/* private: the endpoint, the Exchange, and how far the Message is, see tx.c */
	u8			phase;
	u32			msg_id;
	u32			got;
	u64			due;
	struct fcvi_vi		*vi;
	struct fcvi_mx		*mx;
};

/**
 * enum fcvi_async - errors that no Descriptor and no call can tell, VI-DG 3.8.1
 * @FCVI_ASYNC_POST_DESC: a posted Descriptor can't be had
 * @FCVI_ASYNC_CONN_LOST: the connection is lost
 * @FCVI_ASYNC_RECVQ_EMPTY: no receive Descriptor for a Message
 * @FCVI_ASYNC_VI_OVERRUN: too many Descriptors are posted
 * @FCVI_ASYNC_RDMAW_PROT: protection error of an RDMA Write from the other side
 * @FCVI_ASYNC_RDMAW_DATA: data of one were damaged
 * @FCVI_ASYNC_RDMAW_ABORT: one ended short
 * @FCVI_ASYNC_RDMAR_PROT: protection error of an RDMA Read from the other side
 * @FCVI_ASYNC_COMP_PROT: the region of a Descriptor is gone before its completion
 * @FCVI_ASYNC_RDMA_TRANSPORT: transport error of an RDMA from the other side
 * @FCVI_ASYNC_CATASTROPHIC: the port is gone, or a completion queue has overrun
 */
enum fcvi_async {
	FCVI_ASYNC_POST_DESC,
	FCVI_ASYNC_CONN_LOST,
	FCVI_ASYNC_RECVQ_EMPTY,
	FCVI_ASYNC_VI_OVERRUN,
	FCVI_ASYNC_RDMAW_PROT,
	FCVI_ASYNC_RDMAW_DATA,
	FCVI_ASYNC_RDMAW_ABORT,
	FCVI_ASYNC_RDMAR_PROT,
	FCVI_ASYNC_COMP_PROT,
	FCVI_ASYNC_RDMA_TRANSPORT,
	FCVI_ASYNC_CATASTROPHIC,
};

/**
 * struct fcvi_user_ops - what the user of an endpoint does; under the lock of the port.  It may
 *	post Descriptors in it, but not free the endpoint
 * @tell: gets enum fcvi_news
 * @async: gets enum fcvi_async, on Unreliable Delivery too.  Loss of the connection is told by
 *	@tell only
 * @fill: makes an skb of @len bytes of the Message of a Send or RDMA Write from @offset on, with
 *	FCVI_HEADROOM in front of them and FCVI_TAILROOM behind.  It may take the bytes of an skb of
 *	its own.  Return: the skb, or an error pointer: -EFAULT when the memory is gone.  After
 *	-ENOMEM, and if the frame could not be sent yet, it is asked for the same bytes again
 * @take: gives the receive Descriptor for a Message of @len bytes, and of no other, in place of
 *	those that are posted; NULL: those that are posted are used
 * @data: puts the bytes of @skb, which is consumed, at @offset of a receive Descriptor or of that
 *	of an RDMA Read.  Return: 0 or -EFAULT
 * @complete: a Descriptor is complete, in the order of its work queue; it belongs to the user again
 */
struct fcvi_user_ops {
	void (*tell)(struct fcvi_vi *vi, enum fcvi_news news);
	void (*async)(struct fcvi_vi *vi, enum fcvi_async what);
	struct sk_buff *(*fill)(struct fcvi_vi *vi, struct fcvi_desc *desc, u32 offset, u32 len);
	struct fcvi_desc *(*take)(struct fcvi_vi *vi, u32 len);
	int (*data)(struct fcvi_vi *vi, struct fcvi_desc *desc, u32 offset, struct sk_buff *skb);
	void (*complete)(struct fcvi_vi *vi, struct fcvi_desc *desc);
};

/* Room for the headers of a frame, and for its fill bytes, CRC and EOF */
#define FCVI_HEADROOM	(FC2_HEADROOM + 32)
#define FCVI_TAILROOM	FC2_TAILROOM

/**
 * struct fcvi_client - somebody who wants to know of ports
 * @list: of all clients
 * @port_del: a port goes away; when this returns the client has no endpoints and connection points
 *	on it any more.  Process context, under RTNL, without the lock of the port
 * @port_change: the N_Port ID, the data field size or the state of a port have changed.  Under RCU,
 *	without the lock of the port; may be NULL
 */
struct fcvi_client {
	struct list_head list;
	void (*port_del)(struct fcvi_port *port);
	void (*port_change)(struct fcvi_port *port);
};

void fcvi_client_register(struct fcvi_client *client);
void fcvi_client_unregister(struct fcvi_client *client);

struct fcvi_port *fcvi_port_find(const struct net_device *dev);
void fcvi_port_hold(struct fcvi_port *port);
void fcvi_port_put(struct fcvi_port *port);
struct fc2_port *fcvi_port_fc2(const struct fcvi_port *port);
void fcvi_lock(struct fcvi_port *port);
void fcvi_unlock(struct fcvi_port *port);

struct fcvi_vi *fcvi_vi_new(struct fcvi_port *port, const struct fcvi_user_ops *user,
			    const struct fcvi_attrs *attrs, struct fcvi_tag *tag, void *priv);
void fcvi_vi_free(struct fcvi_vi *vi);
void *fcvi_vi_priv(const struct fcvi_vi *vi);
struct fcvi_port *fcvi_vi_port(const struct fcvi_vi *vi);

void fcvi_listen(struct fcvi_port *port, struct fcvi_point *point);
void fcvi_unlisten(struct fcvi_port *port, struct fcvi_point *point);
int fcvi_accept(struct fcvi_setup *s, struct fcvi_vi *vi);
void fcvi_reject(struct fcvi_setup *s);
const struct fcvi_connect *fcvi_setup_rqst(const struct fcvi_setup *s);
const struct fc2_rport *fcvi_setup_rport(const struct fcvi_setup *s);
int fcvi_connect_to(struct fcvi_vi *vi, enum fcvi_role role, const struct fcvi_addr *loc,
		    const struct fcvi_addr *rem, unsigned int timeout);
int fcvi_disconnect(struct fcvi_vi *vi);

int fcvi_post_send(struct fcvi_vi *vi, struct fcvi_desc *desc);
int fcvi_post_recv(struct fcvi_vi *vi, struct fcvi_desc *desc);

#endif
