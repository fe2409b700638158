// SPDX-License-Identifier: GPL-2.0
/*
 * FIP of a port: its link, its timer, and the frames that arrive.
 */
#include <kunit/visibility.h>
#include <linux/etherdevice.h>
#include <linux/fc2.h>
#include <linux/skbuff.h>
#include <linux/st_compat.h>
#include <linux/workqueue.h>
#include <scsi/fc/fc_encaps.h>
#include <scsi/fc/fc_fip.h>

#include "fabric.h"
#include "fip.h"
#include "fip_link.h"
#include "port.h"
#include "vn2vn.h"

static bool fc2_fip_is_vn2vn(const struct fc2_port *port)
{
	return port->params.mode == FC2_MODE_VN2VN;
}

static bool fc2_fip_is_for(const struct fc2_port *port, const u8 *dst)
{
	return ether_addr_equal(dst, port->iface->dev->dev_addr) ||
	       ether_addr_equal(dst, fc2_fip_is_vn2vn(port) ? fc2_fip_all_vn2vn :
							      fc2_fip_all_enodes);
}

static bool fc2_fip_is_of_mode(const struct fc2_port *port, u16 op)
{
	return op == FIP_OP_LS || (op == FIP_OP_VN2VN) == fc2_fip_is_vn2vn(port);
}

/* Whether an ELS is for the port and from where it can be; ports of the device get it as well. */
static enum fc2_stat fc2_fip_els_way(struct fc2_port *port, const struct sk_buff *skb,
				     const struct fc2_fip *fip)
{
	const struct fc_frame_header *fh = fc2_frame_hdr(skb);

	if (!fc2_fip_is_vn2vn(port))
		return fc2_fabric_els(port, skb, fip) ? FC2_STAT_RX_FRAMES : FC2_STAT_RX_D_ID;
	/* The ID that it has, or that it has had and probes again */
	if (fc2_ntoh24(fh->fh_d_id) != port->fip_next_id)
		return FC2_STAT_RX_D_ID;
	if (!fc2_vn2vn_els(port, fc2_ntoh24(fh->fh_s_id), eth_hdr(skb)->h_source))
		return FC2_STAT_RX_S_ID;
	return FC2_STAT_RX_FRAMES;
}

/* Make an ELS frame of @skb as it would have come over FCoE; returns how to count it. */
static enum fc2_stat fc2_fip_decap(struct fc2_port *port, struct sk_buff *skb,
				   const struct fc2_fip *fip)
{
	struct fc2_skb_cb *cb = fc2_skb_cb(skb);
	const struct fc_frame_header *fh;
	enum fc2_stat stat;
	unsigned int fill;

	__skb_pull(skb, fip->els_pos);
	skb_trim(skb, fip->els_len);
	skb_reset_transport_header(skb);
	fh = fc2_frame_hdr(skb);
	fill = fh->fh_f_ctl[2] & 3;
	if (fh->fh_type != FC_TYPE_ELS ||
	    (fh->fh_r_ctl != FC_RCTL_ELS_REQ && fh->fh_r_ctl != FC_RCTL_ELS_REP) || fh->fh_df_ctl)
		return FC2_STAT_FIP_BAD;
	stat = fc2_fip_els_way(port, skb, fip);
	if (stat != FC2_STAT_RX_FRAMES)
		return stat;
	if (skb_queue_len_lockless(&port->els_queue) >= FC2_QUEUE_MAX)
		return FC2_STAT_ELS_FULL;
	__skb_pull(skb, FC_FRAME_HEADER_LEN);
	skb_trim(skb, skb->len - fill);
	*cb = (struct fc2_skb_cb) {
		.sof = FC_SOF_I3, .eof = FC_EOF_T, .fip = fip->els,
	};
	return FC2_STAT_RX_FRAMES;
}

static void fc2_fip_rx_els(struct fc2_port *port, struct sk_buff *skb, const struct fc2_fip *fip)
{
	enum fc2_stat stat = fc2_fip_decap(port, skb, fip);

	fc2_stat_inc(port, stat);
	if (stat != FC2_STAT_RX_FRAMES) {
		kfree_skb(skb);
		return;
	}
	fc2_stat_add(port, FC2_STAT_RX_BYTES, skb->len);
	skb_queue_tail(&port->els_queue, skb);
	queue_work(port->wq, &port->els_work);
}

static void fc2_fip_drop(struct fc2_port *port, struct sk_buff *skb, enum fc2_stat stat)
{
	fc2_stat_inc(port, stat);
	kfree_skb(skb);
}

/**
 * fc2_fip_rx - a FIP frame
 * @port: the port, its lock held
 * @skb: the frame, behind its Ethernet header; consumed
 */
void fc2_fip_rx(struct fc2_port *port, struct sk_buff *skb)
{
	struct fc2_fip fip;
	int err;

	lockdep_assert_held(&port->lock);
	if (port->state == FC2_STATE_DOWN)
		return fc2_fip_drop(port, skb, FC2_STAT_RX_DOWN);
	if (!fc2_fip_is_for(port, eth_hdr(skb)->h_dest))
		return fc2_fip_drop(port, skb, FC2_STAT_FIP_OTHER);
	if (skb_linearize(skb))
		return fc2_fip_drop(port, skb, FC2_STAT_RX_NO_MEMORY);
	err = fc2_fip_parse(&fip, skb->data, skb->len);
	if (!err && !fc2_fip_is_of_mode(port, fip.op))
		err = -EOPNOTSUPP;
	if (err)
		return fc2_fip_drop(port, skb, err == -EINVAL ? FC2_STAT_FIP_BAD :
							       FC2_STAT_FIP_OTHER);
	if (fip.op == FIP_OP_LS)
		return fc2_fip_rx_els(port, skb, &fip);
	if (fc2_fip_is_vn2vn(port))
		fc2_vn2vn_rx(port, eth_hdr(skb), &fip, skb->len);
	else
		fc2_fabric_rx(port, skb, &fip);
	consume_skb(skb);
}
EXPORT_SYMBOL_IF_KUNIT(fc2_fip_rx);

/* As many frames as can wait, so that a flood of them leaves time for other work of the port. */
static void fc2_fip_work(struct work_struct *work)
{
	struct fc2_port *port = container_of(work, struct fc2_port, fip_work);
	unsigned int left = FC2_QUEUE_MAX;
	struct sk_buff *skb;

	while (left-- && (skb = skb_dequeue(&port->fip_queue))) {
		mutex_lock(&port->lock);
		fc2_fip_rx(port, skb);
		mutex_unlock(&port->lock);
	}
	if (!skb_queue_empty_lockless(&port->fip_queue))
		queue_work(port->wq, &port->fip_work);
}

/**
 * fc2_fip_timeout - the next step to get an N_Port ID, or to keep it
 * @port: the port, its lock held
 */
void fc2_fip_timeout(struct fc2_port *port)
{
	lockdep_assert_held(&port->lock);
	if (port->state == FC2_STATE_DOWN)
		return;
	if (fc2_fip_is_vn2vn(port))
		fc2_vn2vn_timeout(port);
	else
		fc2_fabric_timeout(port);
}
EXPORT_SYMBOL_IF_KUNIT(fc2_fip_timeout);

static void fc2_fip_timer_work(struct work_struct *work)
{
	struct fc2_port *port = container_of(to_delayed_work(work), struct fc2_port, fip_timer);

	mutex_lock(&port->lock);
	fc2_fip_timeout(port);
	mutex_unlock(&port->lock);
}

/**
 * fc2_fip_port_begin - a new port
 * @port: the port
 */
void fc2_fip_port_begin(struct fc2_port *port)
{
	skb_queue_head_init(&port->fip_queue);
	INIT_WORK(&port->fip_work, fc2_fip_work);
	INIT_DELAYED_WORK(&port->fip_timer, fc2_fip_timer_work);
	xa_init(&port->neighbours);
}

/**
 * fc2_fip_port_end - a port is being deleted
 * @port: the port, which is down, and gets no more frames
 *
 * Context: process, without the lock of the port.
 */
void fc2_fip_port_end(struct fc2_port *port)
{
	cancel_delayed_work_sync(&port->fip_timer);
	cancel_work_sync(&port->fip_work);
	skb_queue_purge(&port->fip_queue);
	fc2_fabric_end(port);
}

static void fc2_fip_start(struct fc2_port *port)
{
	if (fc2_fip_is_vn2vn(port))
		fc2_vn2vn_start(port);
	else
		fc2_fabric_start(port);
}

static void fc2_fip_stop(struct fc2_port *port)
{
	cancel_delayed_work(&port->fip_timer);
	if (fc2_fip_is_vn2vn(port))
		fc2_vn2vn_stop(port);
	else
		fc2_fabric_stop(port);
}

/**
 * fc2_fip_link - the link of a port has come up or gone down
 * @port: the port
 * @up: whether it is up; nothing happens if it was that before
 *
 * Context: process, under RTNL.
 */
void fc2_fip_link(struct fc2_port *port, bool up)
{
	bool down;

	up = up && fc2_port_mfs(port);
	mutex_lock(&port->lock);
	down = port->state == FC2_STATE_DOWN;
	if (!port->dead && up && down)
		fc2_fip_start(port);
	else if (!port->dead && !up && !down)
		fc2_fip_stop(port);
	mutex_unlock(&port->lock);
}
EXPORT_SYMBOL_IF_KUNIT(fc2_fip_link);
