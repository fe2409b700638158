// SPDX-License-Identifier: GPL-2.0
/*
 * Frames between the ports of a device, and of a port to itself: Ethernet loops nothing back.
 */
#include <linux/etherdevice.h>
#include <linux/rculist.h>
#include <linux/skbuff.h>
#include <linux/workqueue.h>
#include <net/sock.h>

#include "local.h"
#include "port.h"

/* Frames that wait: some Messages of 64 KiB of several users */
#define FC2_LOCAL_MAX		1024

/* In softirq, as are the frames of a device. */
static void fc2_local_work(struct work_struct *work)
{
	struct fc2_iface *iface = container_of(work, struct fc2_iface, local_work);
	struct sk_buff_head frames;
	struct sk_buff *skb;

	__skb_queue_head_init(&frames);
	spin_lock_bh(&iface->local.lock);
	skb_queue_splice_init(&iface->local, &frames);
	spin_unlock_bh(&iface->local.lock);
	rcu_read_lock();
	while ((skb = __skb_dequeue(&frames))) {
		struct packet_type *pt = skb->protocol == iface->fip.type ? &iface->fip :
									   &iface->fcoe;

		skb_orphan(skb);
		pt->func(skb, iface->dev, pt, iface->dev);
	}
	rcu_read_unlock();
}

/**
 * fc2_local_begin - begin to carry frames between the ports of a device
 * @iface: the device
 */
void fc2_local_begin(struct fc2_iface *iface)
{
	skb_queue_head_init(&iface->local);
	INIT_WORK(&iface->local_work, fc2_local_work);
}

/**
 * fc2_local_end - end this, after the ports can send no more
 * @iface: the device
 *
 * Context: process.
 */
void fc2_local_end(struct fc2_iface *iface)
{
	cancel_work_sync(&iface->local_work);
	skb_queue_purge(&iface->local);
}

/* Whether a port of the device takes frames to @dst; a port takes those of its own to others. */
static bool fc2_local_wants(struct fc2_port *port, const struct sk_buff *skb, const u8 *dst)
{
	struct fc2_port *to;

	list_for_each_entry_rcu(to, &port->iface->ports, list) {
		if (is_multicast_ether_addr(dst)) {
			if (to != port)
				return true;
		} else if (skb->protocol == htons(ETH_P_FIP)) {
			if (to != port && ether_addr_equal(dst, port->iface->dev->dev_addr))
				return true;
		} else if (fc2_port_id(to) && ether_addr_equal(dst, to->mac)) {
			return true;
		}
	}
	return false;
}

/**
 * fc2_local_send - send a frame to the ports of the same device that it is for
 * @port: the sender
 * @skb: the frame, at its Ethernet header, which is the MAC header; may be kept as a clone
 *
 * Context: under RCU; any but hard interrupts.
 * Return: true when no other station is to see the frame.
 */
bool fc2_local_send(struct fc2_port *port, struct sk_buff *skb)
{
	struct fc2_iface *iface = port->iface;
	const u8 *dst = skb->data;
	struct sk_buff *copy;

	if (!fc2_local_wants(port, skb, dst))
		return false;
	if (skb_queue_len_lockless(&iface->local) >= FC2_LOCAL_MAX) {
		fc2_stat_inc(port, FC2_STAT_LOCAL_FULL);
		return !is_multicast_ether_addr(dst);
	}
	/* The way of the frame through the device may write into it */
	copy = is_multicast_ether_addr(dst) ? skb_copy(skb, GFP_ATOMIC) :
					      skb_clone(skb, GFP_ATOMIC);
	if (!copy) {
		fc2_stat_inc(port, FC2_STAT_TX_NO_MEMORY);
		return !is_multicast_ether_addr(dst);
	}
	/* Its sender may wait until there is room, as with a device */
	if (skb->destructor == sock_wfree)
		skb_set_owner_w(copy, skb->sk);
	skb_reset_mac_header(copy);
	__skb_pull(copy, ETH_HLEN);
	copy->pkt_type = is_multicast_ether_addr(dst) ? PACKET_MULTICAST : PACKET_HOST;
	fc2_stat_inc(port, FC2_STAT_LOCAL_FRAMES);
	skb_queue_tail(&iface->local, copy);
	queue_work(system_bh_wq, &iface->local_work);
	return !is_multicast_ether_addr(dst);
}
