/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface of the HIPPI-6400 driver for protocols above it.
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

/* Leading bytes of a payload from which a protocol chooses the place of the rest */
#define HIPPI6400_PLACE_HDR	40

/*
 * skb->priority of frames for VC0; the next three values are for VC1 to VC3.  They are
 * above those that IP type of service maps to, and mqprio can map them to other queues.
 */
#define HIPPI6400_PRIO_BASE	8

/**
 * hippi6400_skb_set_vc - choose the Virtual Channel of an outgoing Message
 * @skb: the frame, before it is handed to dev_queue_xmit()
 * @vc: 0 to 3; a frame over the limit of VC0 is dropped and counted
 *
 * The administrator of the port can override it with mqprio.
 *
 * Context: any.
 */
static inline void hippi6400_skb_set_vc(struct sk_buff *skb, unsigned int vc)
{
	skb->priority = HIPPI6400_PRIO_BASE + (vc & (HIPPI6400_NUM_VCS - 1));
}

/**
 * struct hippi6400_msg - a Message that has started to arrive
 * @dev: the port
 * @s_ula: Universal LAN Address of the source
 * @vc: Virtual Channel
 * @len: bytes of payload that follow @hdr, not 0
 * @hdr: the first HIPPI6400_PLACE_HDR bytes of the payload
 * @only: the Message is longer than any frame and is lost if it is not placed
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
 * struct hippi6400_place - destination of a Message
 * @priv: for the protocol
 * @cancelled: once this is set, nothing more is written and the Message is
 *	dropped.  After synchronize_rcu() the memory is no longer accessed.
 */
struct hippi6400_place {
	void *priv;
	const bool *cancelled;
};

/**
 * struct hippi6400_placer - a protocol that chooses the place of payload
 * @list: for the driver
 * @proto: EtherType
 * @place: called once for a Message to this port with that EtherType, when
 *	&struct hippi6400_msg.hdr is complete.  Returns true if the rest of the
 *	payload goes to @place, which it fills in.
 * @segment: returns the memory for the payload from byte @pos after the header
 *	on; at least one byte, within one page.  Memory beyond the payload is
 *	not written.  Returns false if there is none; the Message is then
 *	dropped.
 * @end: the placement has ended: nothing more is written to @place, and no more
 *	segments are requested.  @good: the Message is complete and is about to
 *	be delivered.
 * @packet: packet_type.func of the protocol's own handlers on a port, so that they do not count as
 *	others that see received frames; or NULL
 * @rcv: receives a Message to this port with that EtherType, placed or not, in the form
 *	that a packet_type receives, and consumes it.  Softirq, under RCU and no lock of
 *	the driver.
 *
 * A good placed Message is delivered in order: as an skb whose linear part ends with the
 * header, and whose fragments, in a frag_list too if they are many, are the pages from
 * @segment, with a reference to each.  The pages may belong to an application, so nobody
 * else gets the skb.  If others see frames received on the port, as taps do, Messages do
 * not go to @rcv but to the stack, and the protocol receives them as a packet_type; the
 * others get a copy of a placed one.  Until then, and after a dropped Message, the
 * contents of the memory are undefined.
 *
 * Context of the calls: softirq, under RCU or in an equivalent section, and under
 * the port's lock, inside which the protocol may take its own locks.  So it must
 * not send while it holds one of them.  The caller may be in an FPU section: check
 * irq_fpu_usable() before using the FPU.
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
 * hippi6400_can_place - check whether a port receives Messages longer than a frame
 * @dev: the port
 *
 * An XDP program has to see the whole of each frame.
 *
 * Context: any.
 * Return: false while the port has an XDP program.
 */
static inline bool hippi6400_can_place(const struct net_device *dev)
{
	return !rcu_access_pointer(dev->xdp_prog);
}

#endif
