/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port: an endpoint of the fabric.
 */
#ifndef _RIO9_PORT_H
#define _RIO9_PORT_H

#include <linux/mutex.h>
#include <linux/skbuff.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include "reassembly.h"
#include "regs.h"
#include "send.h"
#include "tm_state.h"
#include "viq.h"

struct net_device;
struct rio9_netdev;

/**
 * struct rio9_port - a port
 * @ops: how its card sends
 * @caps: what its card can do
 * @priv: the card's
 * @dev: its network device, NULL if it has none
 * @up: the device while it is up
 * @id: its own ID; all ones until somebody has told it
 * @mtu: payload of a full segment
 * @regs: its registers
 * @tm: traffic management
 * @send: the transmitter
 * @reassembly: of what arrives; its counters are the port's, too
 * @expire: closes contexts that are silent, and runs while there are any
 * @viq: PDUs that have arrived
 * @users: &struct rio9_user by streamID
 * @user_no_room: PDUs that users have refused
 * @peers_lock: serialises changes of peers, so that reassembly and traffic management agree
 * @max_pdus: the longest PDU that a peer takes, as a value, by ID; not there if nobody has told
 */
struct rio9_port {
	const struct rio9_port_ops *ops;
	struct rio9_caps caps;
	void *priv;
	struct net_device *dev;
	struct rio9_netdev __rcu *up;
	u16 id;
	unsigned int mtu;
	struct rio9_regs regs;
	struct rio9_tm_state tm;
	struct rio9_send send;
	struct rio9_reassembly reassembly;
	struct delayed_work expire;
	struct rio9_viqs viq;
	struct xarray users;
	atomic64_t user_no_room;
	struct mutex peers_lock;	/* changes of peers */
	struct xarray max_pdus;
};

/* Bytes of the longest PDU that a peer takes, as far as somebody has told; in any context */
static inline u32 rio9_port_peer_max_pdu(struct rio9_port *port, u16 id)
{
	void *max_pdu = xa_load(&port->max_pdus, id);

	return max_pdu ? xa_to_value(max_pdu) : RIO9_PDU_MAX;
}

/* Tells of a message of users that came to a device; returns whether anybody listens */
extern bool (*rio9_port_listener)(struct net_device *dev, const struct rio9_tm_user *msg);

u8 rio9_port_channel(const struct rio9_port *port, u8 cos);
void rio9_port_stats(struct rio9_port *port, u64 stats[RIO9_STATS]);

#endif
