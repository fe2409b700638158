/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RapidIO Type 9 data streaming: what a card offers, and what it is offered.
 *
 * Clauses are those of the RapidIO Interconnect Specification, Part 10, Rev. 2.0.
 */
#ifndef _LINUX_RIO9_H
#define _LINUX_RIO9_H

#include <linux/bits.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/types.h>
#include <uapi/linux/rio9.h>

/* Payload of a full segment, 5.5.1 */
#define RIO9_MTU_MIN		32
#define RIO9_MTU_MAX		256
#define RIO9_MTU_STEP		4

static inline bool rio9_mtu_valid(unsigned int mtu)
{
	return mtu >= RIO9_MTU_MIN && mtu <= RIO9_MTU_MAX && mtu % RIO9_MTU_STEP == 0;
}

/* Bytes of a PDU, and segmentation contexts of an endpoint, 5.4.3 */
#define RIO9_PDU_MAX		65536
#define RIO9_CONTEXTS_MAX	65536

/* Headers with 16-bit IDs, the longest segment, and zeros up to a multiple of four bytes */
#define RIO9_PACKET_MAX		268

/*
 * Physical channels, 2.4: the virtual channel, the priority and the critical request flow
 * bit, as one number.  On virtual channel 0 they are the flows A, B, C and so on.
 */
#define RIO9_CHANNEL_CRF	BIT(0)
#define RIO9_CHANNEL_PRIO	GENMASK(2, 1)
#define RIO9_CHANNEL_VC		BIT(3)
#define RIO9_CHANNELS		16

/**
 * enum rio9_flow - transaction request flows on virtual channel 0
 * @RIO9_FLOW_A: of the lowest priority
 * @RIO9_FLOW_B: the same, critical
 * @RIO9_FLOW_C: of priority 1
 * @RIO9_FLOW_D: the same, critical
 * @RIO9_FLOW_E: of priority 2
 * @RIO9_FLOW_F: the same, critical
 */
enum rio9_flow {
	RIO9_FLOW_A,
	RIO9_FLOW_B,
	RIO9_FLOW_C,
	RIO9_FLOW_D,
	RIO9_FLOW_E,
	RIO9_FLOW_F,
};

/**
 * enum rio9_stat - what an endpoint counts
 * @RIO9_STAT_PDUS: PDUs that were reassembled, or came whole
 * @RIO9_STAT_BYTES: their bytes
 * @RIO9_STAT_TM: traffic management messages
 * @RIO9_STAT_TM_RESERVED: those with an operand, a TM OP or a parameter that is reserved
 * @RIO9_STAT_ABORTED: PDUs that their source gave up, 3.2.5 segmentation rule 9
 * @RIO9_STAT_MALFORMED: packets that are shorter or longer than their format
 * @RIO9_STAT_BAD_TT: packets with IDs of a reserved size
 * @RIO9_STAT_OTHER_FTYPE: packets of other logical layers
 * @RIO9_STAT_BAD_XTYPE: extended packets of a reserved type
 * @RIO9_STAT_NOT_OURS: packets for another endpoint
 * @RIO9_STAT_BAD_MODE: writes to a register of a TM mode that is reserved or not supported
 * @RIO9_STAT_BAD_MTU: writes to a register of an MTU that is reserved
 * @RIO9_STAT_SINGLE_OVER_MTU: defective by 3.2.5 reassembly rule 3
 * @RIO9_STAT_START_NOT_MTU: by rule 4
 * @RIO9_STAT_CONT_NOT_MTU: by rule 5
 * @RIO9_STAT_END_OVER_MTU: by rule 6
 * @RIO9_STAT_LENGTH: by rule 7: not as long as the end segment says
 * @RIO9_STAT_NO_START: continuation and end segments of no open context, rule 8
 * @RIO9_STAT_NO_END: defective by rule 9: the next PDU began
 * @RIO9_STAT_COS_CHANGED: a later segment was of another class
 * @RIO9_STAT_OVER_MAX_PDU: longer than the endpoint takes
 * @RIO9_STAT_NO_CONTEXT: refused, as all contexts were open
 * @RIO9_STAT_OVER_SHARE: refused, as the source had its share of contexts open
 * @RIO9_STAT_UNKNOWN_SOURCE: refused, as nobody has told of the source
 * @RIO9_STAT_NO_MEMORY: there was no memory for it
 * @RIO9_STAT_TIMEOUT: its next segment did not come
 * @RIO9_STAT_MTU_CHANGED: the MTU was written while its context was open
 * @RIO9_STAT_SOURCE_GONE: the source was taken away while its context was open
 * @RIO9_STAT_GAP: packets were lost before it was complete, as its card says
 * @RIO9_STAT_NO_ROOM: good PDUs that nobody had fetched, and so had no room for
 * @RIO9_STAT_TM_XOFF: messages that stopped queues
 * @RIO9_STAT_TM_XON: messages that let them go on
 * @RIO9_STAT_TM_RATE: messages that changed, or kept, a rate
 * @RIO9_STAT_TM_ALLOCATE: messages that granted credits, or took them back
 * @RIO9_STAT_TM_CREDIT_STATUS: messages about credits of a unit that is open
 * @RIO9_STAT_TM_Q_STATUS: messages about how full a queue is
 * @RIO9_STAT_TM_USER: messages that users have defined
 * @RIO9_STAT_TM_OTHER_MODE: ignored, as the TM mode has not their TM OP
 * @RIO9_STAT_TM_UNKNOWN_SOURCE: ignored, as nobody has told of the source
 * @RIO9_STAT_TM_NOT_ALLOWED: ignored, as a peer may not stop what is sent to others
 * @RIO9_STAT_TM_OPERANDS: ignored, as a peer has too many operands
 * @RIO9_STAT_TM_SPANS: ignored: credits for queues of several flows
 * @RIO9_STAT_TM_REPLACED: credits that replaced others of the same unit
 * @RIO9_STAT_TM_STALE: ignored: credits of a unit that is not open
 * @RIO9_STAT_TM_NO_USER: messages of users that nobody listens to
 * @RIO9_STAT_TM_EVENTS_LOST: messages of users of which listeners were not told: too many
 * @RIO9_STAT_TM_SENT: messages that were to be sent
 * @RIO9_STAT_TM_UNSENT: messages that were lost, as too many waited
 * @RIO9_STAT_TM_RETURNED: how often credits were given back that nobody needed
 * @RIO9_STAT_USER_NO_ROOM: good PDUs that the user of their stream had no room for
 * @RIO9_STAT_TX_QUEUE_FULL: PDUs to be sent for which their queue, or the port, had no room
 * @RIO9_STAT_TX_OVER_MAX_PDU: PDUs to be sent that were longer than their destination takes
 * @RIO9_STAT_TX_ABORTED: PDUs that were given up: the card refused them, or the device went down
 * @RIO9_STAT_TX_HELD: how often traffic management did not let the next PDU of a stream go
 * @RIO9_STATS: how many there are
 *
 * From @RIO9_STAT_SINGLE_OVER_MTU to @RIO9_STAT_NO_ROOM all but @RIO9_STAT_NO_START count
 * PDUs, each for the first thing that is wrong with it.
 */
enum rio9_stat {
	RIO9_STAT_PDUS,
	RIO9_STAT_BYTES,
	RIO9_STAT_TM,
	RIO9_STAT_TM_RESERVED,
	RIO9_STAT_ABORTED,
	RIO9_STAT_MALFORMED,
	RIO9_STAT_BAD_TT,
	RIO9_STAT_OTHER_FTYPE,
	RIO9_STAT_BAD_XTYPE,
	RIO9_STAT_NOT_OURS,
	RIO9_STAT_BAD_MODE,
	RIO9_STAT_BAD_MTU,
	RIO9_STAT_SINGLE_OVER_MTU,
	RIO9_STAT_START_NOT_MTU,
	RIO9_STAT_CONT_NOT_MTU,
	RIO9_STAT_END_OVER_MTU,
	RIO9_STAT_LENGTH,
	RIO9_STAT_NO_START,
	RIO9_STAT_NO_END,
	RIO9_STAT_COS_CHANGED,
	RIO9_STAT_OVER_MAX_PDU,
	RIO9_STAT_NO_CONTEXT,
	RIO9_STAT_OVER_SHARE,
	RIO9_STAT_UNKNOWN_SOURCE,
	RIO9_STAT_NO_MEMORY,
	RIO9_STAT_TIMEOUT,
	RIO9_STAT_MTU_CHANGED,
	RIO9_STAT_SOURCE_GONE,
	RIO9_STAT_GAP,
	RIO9_STAT_NO_ROOM,
	RIO9_STAT_TM_XOFF,
	RIO9_STAT_TM_XON,
	RIO9_STAT_TM_RATE,
	RIO9_STAT_TM_ALLOCATE,
	RIO9_STAT_TM_CREDIT_STATUS,
	RIO9_STAT_TM_Q_STATUS,
	RIO9_STAT_TM_USER,
	RIO9_STAT_TM_OTHER_MODE,
	RIO9_STAT_TM_UNKNOWN_SOURCE,
	RIO9_STAT_TM_NOT_ALLOWED,
	RIO9_STAT_TM_OPERANDS,
	RIO9_STAT_TM_SPANS,
	RIO9_STAT_TM_REPLACED,
	RIO9_STAT_TM_STALE,
	RIO9_STAT_TM_NO_USER,
	RIO9_STAT_TM_EVENTS_LOST,
	RIO9_STAT_TM_SENT,
	RIO9_STAT_TM_UNSENT,
	RIO9_STAT_TM_RETURNED,
	RIO9_STAT_USER_NO_ROOM,
	RIO9_STAT_TX_QUEUE_FULL,
	RIO9_STAT_TX_OVER_MAX_PDU,
	RIO9_STAT_TX_ABORTED,
	RIO9_STAT_TX_HELD,
	RIO9_STATS,
};

/**
 * struct rio9_pdu - what a PDU is labelled with
 * @peer: the other endpoint: where it came from, or where it goes
 * @stream: streamID
 * @cos: class of service
 * @channel: physical channel
 *
 * The first three are its virtual stream ID, 3.2.2.
 */
struct rio9_pdu {
	u16 peer;
	u16 stream;
	u8 cos;
	u8 channel;
};

/**
 * rio9_skb_pdu - the label of a PDU that arrived
 * @skb: the PDU
 *
 * Return: it, in skb->cb.
 */
static inline struct rio9_pdu *rio9_skb_pdu(struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct rio9_pdu) > sizeof(skb->cb));
	return (struct rio9_pdu *)skb->cb;
}

struct rio9_port;

/**
 * struct rio9_caps - what a card can do
 * @large: IDs have 16 bits, not 8
 * @max_pdu: bytes of the longest PDU that it takes, 1 to RIO9_PDU_MAX
 * @contexts: segmentation contexts, 1 to RIO9_CONTEXTS_MAX
 * @channels: a bit for each physical channel that it can send on
 */
struct rio9_caps {
	bool large;
	u32 max_pdu;
	u32 contexts;
	u16 channels;
};

/**
 * struct rio9_port_ops - how a card sends
 * @xmit_packet: a card that takes packets: @packet, a multiple of four bytes without CRC, with
 *	an ackID of 0, is lent to it for the call.  Packets of one physical channel come in
 *	order, those of several at a time.
 * @xmit_pdu: a card that cuts PDUs into segments itself: takes @skb, and frees it when it
 *	is sent.  @pdu is lent to it for the call.
 * @xmit_message: how a card with @xmit_pdu sends traffic management messages, which it is
 *	handed as packets; without it the port has no traffic management.
 * @maint_read: reads a register of another device with a maintenance request: @id is the
 *	destination ID, @hops the switches that it passes, @offset a multiple of four below 2^24
 * @maint_write: writes one
 *
 * A card has @xmit_packet or @xmit_pdu.  They may be called in softirq, and return 0 or a
 * negative error: the packet, or the PDU, was not taken.  -EBUSY asks for it again after
 * rio9_port_wake(); another error gives the PDU up.
 *
 * A card that sends maintenance requests has both @maint_read and @maint_write.  They do not
 * sleep, may be called with interrupts disabled, and return 0 or a negative error.
 */
struct rio9_port_ops {
	int (*xmit_packet)(struct rio9_port *port, const void *packet, unsigned int len);
	int (*xmit_pdu)(struct rio9_port *port, struct sk_buff *skb, const struct rio9_pdu *pdu);
	int (*xmit_message)(struct rio9_port *port, const void *packet, unsigned int len);
	int (*maint_read)(struct rio9_port *port, u16 id, u8 hops, u32 offset, u32 *value);
	int (*maint_write)(struct rio9_port *port, u16 id, u8 hops, u32 offset, u32 value);
};

/**
 * struct rio9_tm_user - a traffic management message of users, 3.4.5 SF4
 * @peer: where it came from
 * @stream: streamID of its operand
 * @cos: class of its operand
 * @op: TM OP
 * @wildcard: destination, class, stream, 3 bits
 * @mask: of the class
 * @param1: parameter 1
 * @param2: parameter 2
 */
struct rio9_tm_user {
	u16 peer;
	u16 stream;
	u8 cos;
	u8 op;
	u8 wildcard;
	u8 mask;
	u8 param1;
	u8 param2;
};

/**
 * struct rio9_tm_hook - what a driver that takes part in traffic management offers
 * @modes: a bit for each TM mode of its own, of 8 to 15, 5.5.1: all messages with TM OP 0 to 3
 *	of a port in such a mode are its
 * @message: gets a message.  May be called in softirq.
 */
struct rio9_tm_hook {
	u16 modes;
	void (*message)(struct rio9_port *port, const struct rio9_tm_user *msg);
};

int rio9_tm_register(const struct rio9_tm_hook *hook);
void rio9_tm_unregister(const struct rio9_tm_hook *hook);
int rio9_tm_send(struct rio9_port *port, u16 destination, const struct rio9_tm_user *msg);

/**
 * struct rio9_user - the receiver of the PDUs of a stream
 * @stream: streamID
 * @rx: gets a PDU and its label, in softirq.  Returns 0 and takes @skb, or a negative error if it
 *	has no room: the PDU is lost and counted, and its source is asked to stop the stream until
 *	rio9_user_room().
 */
struct rio9_user {
	u16 stream;
	int (*rx)(struct rio9_user *user, struct sk_buff *skb, const struct rio9_pdu *pdu);
};

int rio9_user_register(struct net_device *dev, struct rio9_user *user);
void rio9_user_unregister(struct net_device *dev, struct rio9_user *user);
void rio9_user_room(struct net_device *dev, const struct rio9_pdu *pdu);

/* Bytes of an address of a device: a destination ID, big-endian, also with IDs of 8 bits */
#define RIO9_ADDR_LEN	2

/**
 * rio9_skb_hdr - the label of a PDU that arrived at a device
 * @skb: the PDU, not yet passed on to another device
 *
 * Return: it, in front of the PDU.
 */
static inline const struct rio9_hdr *rio9_skb_hdr(const struct sk_buff *skb)
{
	return (const struct rio9_hdr *)skb_mac_header(skb);
}

struct rio9_port *rio9_port_create(const struct rio9_port_ops *ops, const struct rio9_caps *caps,
				   void *priv);
void rio9_port_destroy(struct rio9_port *port);
int rio9_port_register(struct rio9_port *port, struct net *net, struct device *parent);
void rio9_port_setup(struct net_device *dev);
int rio9_port_register_netdevice(struct rio9_port *port, struct net_device *dev);
void rio9_port_unregister(struct rio9_port *port);
void rio9_port_set_carrier(struct rio9_port *port, bool ok);
void rio9_port_wake(struct rio9_port *port);
bool rio9_is_port(const struct net_device *dev);
struct rio9_port *rio9_netdev_port(const struct net_device *dev);
void *rio9_port_priv(const struct rio9_port *port);
const struct rio9_caps *rio9_port_caps(const struct rio9_port *port);
int rio9_port_set_id(struct rio9_port *port, u16 id);
int rio9_port_set_mtu(struct rio9_port *port, unsigned int mtu);
int rio9_port_set_tm_mode(struct rio9_port *port, u8 mode);
int rio9_port_set_channels(struct rio9_port *port, const u8 channels[4]);
int rio9_port_add_peer(struct rio9_port *port, u16 id);
void rio9_port_del_peer(struct rio9_port *port, u16 id);
int rio9_port_set_peer_max_pdu(struct rio9_port *port, u16 id, u32 max_pdu);
int rio9_reg_read(struct rio9_port *port, u32 offset, u32 *value);
int rio9_reg_write(struct rio9_port *port, u32 offset, u32 value);
bool rio9_has_maint(const struct rio9_port *port);
int rio9_maint_read(struct rio9_port *port, u16 id, u8 hops, u32 offset, u32 *value);
int rio9_maint_write(struct rio9_port *port, u16 id, u8 hops, u32 offset, u32 value);
void rio9_rx_packet(struct rio9_port *port, const void *packet, unsigned int len);
void rio9_rx_gap(struct rio9_port *port, u16 source, u8 channel);
void rio9_rx_pdu(struct rio9_port *port, struct sk_buff *skb, const struct rio9_pdu *pdu);
void rio9_rx_bad_pdu(struct rio9_port *port, enum rio9_stat why);

#endif
