/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fibre Channel FC-2 on Ethernet devices: the interface between fc2 and the FC-4s above it.
 *
 * A port (N_Port) is on an Ethernet device, by FCoE.  An FC-4 registers for a TYPE, and sends and
 * receives the frames of Exchanges with remote ports that are logged in.
 */
#ifndef _LINUX_FC2_H
#define _LINUX_FC2_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/if_ether.h>
#include <linux/list.h>
#include <linux/netdevice.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/skbuff.h>
#include <linux/types.h>
#include <scsi/fc/fc_fs.h>

#define FC2_TYPE_FCVI		0x58	/* FC-VI 5.8.3 */

/* Bytes in front of the payload of a frame that the layers below push */
#define FC2_HEADROOM		(ETH_HLEN + 14 + FC_FRAME_HEADER_LEN)
/* Bytes after it: fill bytes, and the CRC and EOF of FCoE */
#define FC2_TAILROOM		(3 + 8)

struct fc2_exch;
struct fc2_port;
struct in6_addr;

/**
 * struct fc2_rport - a remote port
 * @port: the local port that knows it, with a reference
 * @id: its N_Port ID
 * @wwpn: its Port_Name
 * @wwnn: its Node_Name
 * @mac: MAC address of its VN_Port
 * @mfs: bytes of the data field of a frame to it, a multiple of 4: the least of what it takes, what
 *	we take, and what the device carries
 * @seq_cnt: its PLOGI has the S bit, continuously increasing SEQ_CNT
 * @rel_off: its PLOGI has the C bit, continuously increasing Relative Offset
 * @logged_in: whether PLOGI is complete.  Once false, it stays so: a port that logs in again is
 *	another struct fc2_rport
 * @exchs: Exchanges that it has originated and that are open
 * @by_age: the same, the oldest first, private to fc2
 * @seq_ids: SEQ_IDs of Sequences that are being sent to it
 * @seq_next: the one to try next
 * @ula: in fc2_port.ulas, private to fc2
 * @refs: references
 * @rcu: frees it
 *
 * The members before @logged_in are constant while @logged_in is true.
 */
struct fc2_rport {
	struct fc2_port		*port;
	u32			id;
	u64			wwpn;
	u64			wwnn;
	u8			mac[ETH_ALEN];
	u16			mfs;
	bool			seq_cnt;
	bool			rel_off;
	bool			logged_in;
	atomic_t		exchs;
	struct list_head	by_age;
	DECLARE_BITMAP(seq_ids, 256);
	u8			seq_next;
	struct hlist_node	ula;
	refcount_t		refs;
	struct rcu_head		rcu;
};

/**
 * enum fc2_send_flags - what a frame means for its Sequence and Exchange
 * @FC2_SEND_END_SEQ: it is the last one of its Sequence
 * @FC2_SEND_LAST_SEQ: with @FC2_SEND_END_SEQ, the Sequence is the last one of the Exchange
 * @FC2_SEND_INITIATIVE: with @FC2_SEND_END_SEQ, Sequence Initiative goes to the other side
 * @FC2_SEND_OFFSET: the Parameter is a Relative Offset
 */
enum fc2_send_flags {
	FC2_SEND_END_SEQ	= BIT(0),
	FC2_SEND_LAST_SEQ	= BIT(1),
	FC2_SEND_INITIATIVE	= BIT(2),
	FC2_SEND_OFFSET		= BIT(3),
};

/**
 * struct fc2_send - the fields of a frame's header that its sender decides
 * @r_ctl: R_CTL
 * @cs_ctl: CS_CTL
 * @df_ctl: DF_CTL: the optional headers that the skb begins with
 * @flags: mask of enum fc2_send_flags
 * @param: Parameter
 */
struct fc2_send {
	u8	r_ctl;
	u8	cs_ctl;
	u8	df_ctl;
	u8	flags;
	u32	param;
};

/**
 * struct fc2_exch_ops - what happens to an Exchange
 * @frame: a frame has come, see fc2_frame_hdr(); @skb is consumed.  On a port with order, frames of
 *	a Sequence come in the order of SEQ_CNT, on others as they arrive, but none twice, and one
 *	at a time.  struct fc2_skb_cb's flags tell whether the Sequence, and the Exchange, are
 *	complete with it.  In softirq, under RCU.
 * @end: the Exchange is over without fc2_exch_close(): @err is 0 when the last frame of the last
 *	Sequence has been handed to @frame, -ECONNABORTED after an ABTS of the other side, -EILSEQ
 *	for frames that are missing, -ENOTCONN after a logout.  The FC-4 must not use the Exchange
 *	after this.  Any context but hard interrupts.
 */
struct fc2_exch_ops {
	void (*frame)(struct fc2_exch *exch, struct sk_buff *skb);
	void (*end)(struct fc2_exch *exch, int err);
};

/**
 * struct fc2_prov - an FC-4, the user of a TYPE; shaped as struct fc4_prov of libfc
 * @type: TYPE of its frames
 * @port_add: there is a new port, or the FC-4 is new.  Under RTNL, before anything else is told of
 *	the port; may be NULL
 * @port_del: a port goes away; when this returns the FC-4 must not use it.  Under RTNL; may be NULL
 * @port_change: the N_Port ID, the data field size, the state or the settings of a port have
 *	changed.  Process context; may be NULL
 * @login: a remote port has logged in.  Process context; may be NULL
 * @logout: a remote port has logged out, explicitly or not; its Exchanges are over.  Process
 *	context; may be NULL
 * @resolved: what fc2_farp_resolve() has begun is over; @err as that function returns it.  Process
 *	context, under a lock of the port; may be NULL
 * @single: an Exchange of a single frame, which expects no answer.  In softirq, under RCU.  NULL:
 *	such frames take the way of others.  Return: 0 when @skb is consumed, or a negative errno,
 *	and the frame is dropped and counted.
 * @open: a remote port has begun an Exchange with the frame @skb, which then goes to
 *	fc2_exch_ops.frame.  The FC-4 calls fc2_exch_accept() in it.  In softirq, under RCU.
 *	Return: 0, or a negative errno, and the frame is dropped and counted.
 */
struct fc2_prov {
	u8		type;
	void (*port_add)(struct fc2_port *port);
	void (*port_del)(struct fc2_port *port);
	void (*port_change)(struct fc2_port *port);
	void (*login)(struct fc2_rport *rport);
	void (*logout)(struct fc2_rport *rport);
	void (*resolved)(struct fc2_port *port, const struct in6_addr *ip, int err);
	int (*single)(struct fc2_rport *rport, struct sk_buff *skb);
	int (*open)(struct fc2_exch *exch, const struct sk_buff *skb);
};

/**
 * struct fc2_skb_cb - what fc2 knows about a received frame, in skb->cb
 * @sof: SOF delimiter
 * @eof: EOF delimiter
 * @flags: mask of enum fc2_send_flags: what is complete with this frame; 0: nothing
 * @fip: type of the FIP descriptor in which the frame, an ELS, has come; 0: it came over FCoE
 */
struct fc2_skb_cb {
	u8		sof;
	u8		eof;
	u8		flags;
	u8		fip;
};

static inline struct fc2_skb_cb *fc2_skb_cb(const struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct fc2_skb_cb) > sizeof(skb->cb));
	return (struct fc2_skb_cb *)skb->cb;
}

/**
 * fc2_frame_hdr - header of a received frame
 * @skb: the frame; its data begin after the header, with the optional headers
 *
 * Return: the header.
 */
static inline struct fc_frame_header *fc2_frame_hdr(const struct sk_buff *skb)
{
	return (struct fc_frame_header *)skb_transport_header(skb);
}

static inline u32 fc2_ntoh24(const u8 *p)
{
	return (u32)p[0] << 16 | p[1] << 8 | p[2];
}

static inline void fc2_hton24(u8 *p, u32 v)
{
	p[0] = (v >> 16) & 0xff;
	p[1] = (v >> 8) & 0xff;
	p[2] = v & 0xff;
}

int fc2_prov_register(struct fc2_prov *prov);
void fc2_prov_unregister(struct fc2_prov *prov);

struct fc2_port *fc2_port_find(const struct net_device *dev);
void fc2_port_hold(struct fc2_port *port);
void fc2_port_put(struct fc2_port *port);
struct net_device *fc2_port_dev(const struct fc2_port *port);
struct net *fc2_port_net(const struct fc2_port *port);
u64 fc2_port_wwpn(const struct fc2_port *port);
u32 fc2_port_id(const struct fc2_port *port);
unsigned int fc2_port_mfs(const struct fc2_port *port);
unsigned int fc2_port_r_a_tov(const struct fc2_port *port);
bool fc2_port_ordered(const struct fc2_port *port);

struct fc2_rport *fc2_rport_by_id(struct fc2_port *port, u32 id);
struct fc2_rport *fc2_rport_by_ula(struct fc2_port *port, const u8 *ula);
bool fc2_rport_hold(struct fc2_rport *rport);
void fc2_rport_put(struct fc2_rport *rport);

bool fc2_farp_own(const struct fc2_port *port, const struct in6_addr *ip);
bool fc2_host_source(const struct fc2_port *port, const struct in6_addr *to, struct in6_addr *ip);
int fc2_farp_resolve(struct fc2_port *port, const struct in6_addr *ip, u32 *id);
unsigned int fc2_farp_known(struct fc2_port *port, struct in6_addr *ips, unsigned int room);

struct fc2_exch *fc2_exch_open(struct fc2_rport *rport, const struct fc2_prov *prov,
			       const struct fc2_exch_ops *ops, void *priv, gfp_t gfp);
void fc2_exch_accept(struct fc2_exch *exch, const struct fc2_exch_ops *ops, void *priv);
void *fc2_exch_priv(const struct fc2_exch *exch);
struct fc2_rport *fc2_exch_rport(const struct fc2_exch *exch);
int fc2_exch_send(struct fc2_exch *exch, struct sk_buff *skb, const struct fc2_send *send);
bool fc2_exch_abort(struct fc2_exch *exch);
bool fc2_exch_close(struct fc2_exch *exch);

int fc2_send_alone(struct fc2_rport *rport, const struct fc2_prov *prov, struct sk_buff *skb,
		   const struct fc2_send *send);

#endif
