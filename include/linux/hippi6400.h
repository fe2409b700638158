/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the HIPPI-6400 driver offers to protocols above it.
 */
#ifndef _LINUX_HIPPI6400_H
#define _LINUX_HIPPI6400_H

#include <linux/bvec.h>
#include <linux/list.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/types.h>

#define HIPPI6400_NUM_VCS	4	/* HIPPI-6400-PH 4.3 */
#define HIPPI6400_MAX_MTU	65280	/* RFC 2835 */

/* First bytes of a payload, by which a protocol decides where the rest goes */
#define HIPPI6400_PLACE_HDR	40

/*
 * skb->priority of what leaves on VC0; the next three are for VC1 to VC3.  They are above
 * those that a type of service becomes, and mqprio can map them to other queues.
 */
#define HIPPI6400_PRIO_BASE	8

/**
 * hippi6400_skb_set_vc - choose the Virtual Channel of an outgoing Message
 * @skb: the frame, before it is handed to dev_queue_xmit()
 * @vc: 0 to 3; a frame over the limit of VC0 is dropped and counted
 *
 * The administrator of the port has the last word: with mqprio.
 *
 * Context: any.
 */
static inline void hippi6400_skb_set_vc(struct sk_buff *skb, unsigned int vc)
{
	skb->priority = HIPPI6400_PRIO_BASE + (vc & (HIPPI6400_NUM_VCS - 1));
}

/**
 * struct hippi6400_msg - a Message that has begun to arrive
 * @dev: the port
 * @s_ula: Universal LAN Address of the source
 * @vc: Virtual Channel
 * @len: bytes of payload that follow @hdr, not 0
 * @hdr: the first HIPPI6400_PLACE_HDR bytes of the payload
 * @only: longer than any frame: if it is not placed, it is lost
 */
struct hippi6400_msg {
	struct net_device *dev;
	const u8 *s_ula;
	unsigned int vc;
	u32 len;
	const void *hdr;
	bool only;
};

/**
 * struct hippi6400_place - what a Message is written to
 * @priv: for the protocol
 * @cancelled: when this is set nothing more is written and the Message is
 *	dropped.  Whoever sets it may have the memory for itself after
 *	synchronize_rcu().
 */
struct hippi6400_place {
	void *priv;
	const bool *cancelled;
};

/**
 * struct hippi6400_placer - a protocol that says where payload goes
 * @list: for the driver
 * @proto: EtherType
 * @place: asked once for a Message to this port with that EtherType, when all
 *	of &struct hippi6400_msg.hdr is there.  True: the rest of the payload
 *	goes where @place says, which it has filled in.
 * @segment: the memory for the payload from byte @pos after the header on, to
 *	be written to; at least a byte, inside one page.  What is there beyond
 *	the payload is left alone.  False: there is none, and the Message is
 *	dropped.
 * @end: nothing more is written to @place, and nothing more is asked.  @good:
 *	the whole Message is there and about to be delivered.
 * @packet: packet_type.func of what the protocol has on a port for itself, so that it is not taken
 *	for somebody else who wants to see what arrives; or NULL
 * @rcv: a Message to this port with that EtherType, placed or not, as a packet_type gets
 *	it; is taken.  Softirq, under RCU and no lock of the driver.
 *
 * A Message that was placed and is good is delivered in its turn: an skb whose linear
 * part ends with the header, and whose fragments, in a frag_list too where they are many,
 * are the pages that @segment named, with a reference to each.  The pages may be those
 * of an application, so nobody else gets the skb.  Where others want to see what arrives
 * at the port, as taps do, Messages are not given to @rcv but to the stack, from which the
 * protocol has them as its packet_type; of one that was placed they have a copy.  Before
 * that, and after a Message that is dropped, the memory may hold anything.
 *
 * Context of the calls: softirq, under RCU or in a section that counts as such,
 * and under the port's lock, in which the protocol may take locks of its own.
 * So it must not send while it holds one of them.  The kernel's FPU section may be
 * open: who wants the FPU asks irq_fpu_usable().
 */
struct hippi6400_placer {
	struct list_head list;
	__be16 proto;
	bool (*place)(const struct hippi6400_msg *msg, struct hippi6400_place *place);
	bool (*segment)(const struct hippi6400_place *place, u32 pos, struct bio_vec *seg);
	void (*end)(const struct hippi6400_place *place, bool good);
	int (*packet)(struct sk_buff *skb, struct net_device *dev, struct packet_type *pt,
		      struct net_device *orig_dev);
	void (*rcv)(struct sk_buff *skb);
};

int hippi6400_register_placer(struct hippi6400_placer *placer);
void hippi6400_unregister_placer(struct hippi6400_placer *placer);

bool hippi6400_is_port(const struct net_device *dev);

/**
 * hippi6400_can_place - whether a port receives Messages that are longer than a frame
 * @dev: the port
 *
 * An XDP program has to see all of what it decides on.
 *
 * Context: any.
 * Return: false while it has one.
 */
static inline bool hippi6400_can_place(const struct net_device *dev)
{
	return !rcu_access_pointer(dev->xdp_prog);
}

#endif
