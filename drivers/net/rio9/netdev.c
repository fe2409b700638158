// SPDX-License-Identifier: GPL-2.0
/*
 * The network device of a port.
 *
 * A packet of the device is a PDU, its address is a destination ID, its protocol a streamID.
 * There is no header on the wire: struct rio9_hdr, in front of a PDU, tells the device where
 * it goes, as the pseudo header of IP over InfiniBand does.
 */
#include <linux/etherdevice.h>
#include <linux/export.h>
#include <linux/if_vlan.h>
#include <linux/rtnetlink.h>
#include <linux/st_compat.h>
#include <linux/unaligned.h>

#include "ethtool.h"
#include "netdev.h"
#include "port.h"
#include "regs.h"
#include "stats.h"

static struct rio9_netdev *rio9_napi_netdev(struct napi_struct *napi)
{
	return container_of(napi, struct rio9_netdev, napi);
}

static void rio9_netdev_rx(struct rio9_netdev *nd, struct sk_buff *skb)
{
	const struct rio9_pdu pdu = *rio9_skb_pdu(skb);
	struct rio9_hdr *hdr;

	/* The stack would take it for a tag, and read a label with another source out of it */
	if (eth_type_vlan(cpu_to_be16(pdu.stream)) || skb_cow_head(skb, sizeof(*hdr))) {
		dev_core_stats_rx_dropped_inc(nd->dev);
		kfree_skb(skb);
		return;
	}
	hdr = skb_push(skb, sizeof(*hdr));
	hdr->peer = cpu_to_be16(pdu.peer);
	hdr->cos = pdu.cos;
	hdr->channel = pdu.channel;
	skb_reset_mac_header(skb);
	skb_pull(skb, sizeof(*hdr));
	skb_reset_network_header(skb);
	skb->mac_len = sizeof(*hdr);
	skb->protocol = cpu_to_be16(pdu.stream);
	skb->pkt_type = PACKET_HOST;
	skb->dev = nd->dev;
	memset(skb->cb, 0, sizeof(skb->cb));
	dev_sw_netstats_rx_add(nd->dev, skb->len);
	netif_receive_skb(skb);
}

/* What waits goes, and if there is room then the stack may go on */
static void rio9_netdev_run(struct rio9_netdev *nd)
{
	if (rio9_send_run(nd->port))
		rio9_port_wake(nd->port);
	/* Either what stops the queue sees that there is room, or this sees that it is stopped */
	smp_mb();
	if (netif_queue_stopped(nd->dev) && rio9_send_room(nd->port))
		netif_wake_queue(nd->dev);
}

static int rio9_netdev_poll(struct napi_struct *napi, int budget)
{
	struct rio9_netdev *nd = rio9_napi_netdev(napi);
	struct sk_buff *skb;
	int done;

	if (test_and_clear_bit(0, &nd->woken))
		rio9_netdev_run(nd);
	for (done = 0; done < budget; done++) {
		skb = rio9_viq_read(nd->port);
		if (!skb) {
			napi_complete_done(napi, done);
			break;
		}
		rio9_netdev_rx(nd, skb);
	}
	return done;
}

/* There is a link, and an ID: "address unknown: down" */
static void rio9_netdev_carrier(struct rio9_netdev *nd)
{
	struct rio9_regs *regs = &nd->port->regs;
	unsigned long flags;

	spin_lock_irqsave(&regs->lock, flags);
	if (regs->ok && rio9_regs_has_id(nd->port))
		netif_carrier_on(nd->dev);
	else
		netif_carrier_off(nd->dev);
	spin_unlock_irqrestore(&regs->lock, flags);
}

static void rio9_netdev_update(struct work_struct *work)
{
	struct rio9_netdev *nd = container_of(to_delayed_work(work), struct rio9_netdev, update);
	u8 addr[RIO9_ADDR_LEN];

	/* The task that takes the device away has RTNL, and waits for this */
	if (!rtnl_trylock()) {
		schedule_delayed_work(&nd->update, 1);
		return;
	}
	put_unaligned_be16(READ_ONCE(nd->port->id), addr);
	if (memcmp(nd->dev->dev_addr, addr, RIO9_ADDR_LEN)) {
		dev_addr_set(nd->dev, addr);
		call_netdevice_notifiers(NETDEV_CHANGEADDR, nd->dev);
	}
	rio9_netdev_carrier(nd);
	rtnl_unlock();
}

static int rio9_netdev_init(struct net_device *dev)
{
	struct rio9_netdev *nd = netdev_priv(dev);
	u8 addr[RIO9_ADDR_LEN];

	/* Lockdep classes exist for known types only, and are set before this */
	dev->type = ARPHRD_RIO9;
	INIT_DELAYED_WORK(&nd->update, rio9_netdev_update);
	rio9_regs_set_update(nd->port, &nd->update);
	put_unaligned_be16(READ_ONCE(nd->port->id), addr);
	dev_addr_set(dev, addr);
	rio9_netdev_carrier(nd);
	return 0;
}

static void rio9_netdev_uninit(struct net_device *dev)
{
	struct rio9_netdev *nd = netdev_priv(dev);

	rio9_regs_set_update(nd->port, NULL);
	cancel_delayed_work_sync(&nd->update);
}

static int rio9_netdev_open(struct net_device *dev)
{
	struct rio9_netdev *nd = netdev_priv(dev);

	napi_enable(&nd->napi);
	rcu_assign_pointer(nd->port->up, nd);
	rio9_viq_close(nd->port, false);
	netif_start_queue(dev);
	/* Messages that have come to wait since the device went down, such as XON */
	rio9_port_wake(nd->port);
	return 0;
}

static int rio9_netdev_stop(struct net_device *dev)
{
	struct rio9_netdev *nd = netdev_priv(dev);

	netif_stop_queue(dev);
	RCU_INIT_POINTER(nd->port->up, NULL);
	napi_disable(&nd->napi);
	rio9_viq_close(nd->port, true);
	rio9_send_stop(nd->port);
	return 0;
}

static netdev_tx_t rio9_netdev_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct rio9_netdev *nd = netdev_priv(dev);
	struct rio9_hdr hdr;
	struct rio9_pdu pdu;
	int err;

	if (skb->len > dev->mtu + sizeof(hdr) || skb_copy_bits(skb, 0, &hdr, sizeof(hdr)) ||
	    !pskb_pull(skb, sizeof(hdr))) {
		dev_kfree_skb_any(skb);
		rio9_netdev_sent(dev, -EINVAL, 0);
		return NETDEV_TX_OK;
	}
	pdu.peer = be16_to_cpu(hdr.peer);
	pdu.stream = be16_to_cpu(skb->protocol);
	pdu.cos = hdr.cos;
	pdu.channel = rio9_port_channel(nd->port, hdr.cos);
	err = rio9_send_queue(nd->port, skb, &pdu);
	if (err)
		rio9_netdev_sent(dev, err, 0);
	rio9_netdev_run(nd);
	if (!rio9_send_room(nd->port)) {
		netif_stop_queue(dev);
		/* Pairs with that of rio9_netdev_run() */
		smp_mb();
		if (rio9_send_room(nd->port))
			netif_wake_queue(dev);
	}
	return NETDEV_TX_OK;
}

static int rio9_netdev_set_address(struct net_device *dev, void *p)
{
	struct rio9_netdev *nd = netdev_priv(dev);
	const struct sockaddr *sa = p;
	u16 unknown = rio9_id_unknown(nd->port);
	u16 id = get_unaligned_be16(sa->sa_data);

	if (id >= unknown) {
		if (net_ratelimit())
			netdev_err(dev, "address %04x is no ID of a port: 0 to %x are\n", id,
				   unknown - 1);
		return -EADDRNOTAVAIL;
	}
	dev_addr_set(dev, sa->sa_data);
	rio9_regs_set_id(nd->port, id);
	rio9_netdev_carrier(nd);
	return 0;
}

static void rio9_netdev_stats(struct net_device *dev, struct rtnl_link_stats64 *stats)
{
	struct rio9_netdev *nd = netdev_priv(dev);

	dev_get_tstats64(dev, stats);
	rio9_stats_link(nd->port, stats);
}

static int rio9_netdev_iflink(const struct net_device *dev)
{
	const struct net_device *lower = ((struct rio9_netdev *)netdev_priv(dev))->lower;

	return READ_ONCE((lower ?: dev)->ifindex);
}

static const struct net_device_ops rio9_netdev_ops = {
	.ndo_init = rio9_netdev_init,
	.ndo_uninit = rio9_netdev_uninit,
	.ndo_open = rio9_netdev_open,
	.ndo_stop = rio9_netdev_stop,
	.ndo_start_xmit = rio9_netdev_xmit,
	.ndo_set_mac_address = rio9_netdev_set_address,
	.ndo_get_stats64 = rio9_netdev_stats,
	.ndo_get_iflink = rio9_netdev_iflink,
};

static int rio9_hdr_create(struct sk_buff *skb, struct net_device *dev, unsigned short type,
			   const void *daddr, const void *saddr, unsigned int len)
{
	struct rio9_hdr *hdr = skb_push(skb, sizeof(*hdr));

	memset(hdr, 0, sizeof(*hdr));
	if (!daddr)
		return -(int)sizeof(*hdr);
	hdr->peer = cpu_to_be16(get_unaligned_be16(daddr));
	return sizeof(*hdr);
}

static int rio9_hdr_parse(const struct sk_buff *skb, const struct net_device *dev,
			  unsigned char *haddr)
{
	memcpy(haddr, &rio9_skb_hdr(skb)->peer, RIO9_ADDR_LEN);
	return RIO9_ADDR_LEN;
}

ST_HEADER_PARSE(rio9_hdr_parse)

static const struct header_ops rio9_header_ops = {
	.create = rio9_hdr_create,
	.parse = ST_HEADER_PARSE_FORM(rio9_hdr_parse),
};

/**
 * rio9_is_port - whether a network device is a port of RapidIO Type 9
 * @dev: any device
 *
 * Context: any.
 * Return: true if it is.
 */
bool rio9_is_port(const struct net_device *dev)
{
	return dev->netdev_ops == &rio9_netdev_ops;
}
EXPORT_SYMBOL_GPL(rio9_is_port);

/**
 * rio9_netdev_port - the port of a network device
 * @dev: a device that rio9_is_port()
 *
 * Context: any.
 * Return: its port.
 */
struct rio9_port *rio9_netdev_port(const struct net_device *dev)
{
	return ((struct rio9_netdev *)netdev_priv(dev))->port;
}
EXPORT_SYMBOL_GPL(rio9_netdev_port);

/**
 * rio9_port_setup - make a device that of a port
 * @dev: as alloc_netdev() or rtnetlink allocates it, with room for struct rio9_netdev
 *
 * Context: any.
 */
void rio9_port_setup(struct net_device *dev)
{
	dev->netdev_ops = &rio9_netdev_ops;
	dev->header_ops = &rio9_header_ops;
	dev->ethtool_ops = &rio9_ethtool_ops;
	dev->type = ARPHRD_NONE;
	dev->addr_len = RIO9_ADDR_LEN;
	dev->hard_header_len = sizeof(struct rio9_hdr);
	dev->min_header_len = sizeof(struct rio9_hdr);
	dev->flags = IFF_NOARP;
	dev->tx_queue_len = 1000;
	dev->features = NETIF_F_SG | NETIF_F_HIGHDMA | NETIF_F_VLAN_CHALLENGED;
	dev->hw_features = NETIF_F_SG;
	dev->pcpu_stat_type = NETDEV_PCPU_STAT_TSTATS;
	dev->min_mtu = 1;
	dev->max_mtu = RIO9_PDU_MAX;
	dev->mtu = RIO9_PDU_MAX;
	memset(dev->broadcast, 0xff, RIO9_ADDR_LEN);
}
EXPORT_SYMBOL_GPL(rio9_port_setup);

/**
 * rio9_port_register_netdevice - give a port a device that its card has allocated
 * @port: the port
 * @dev: the device, after rio9_port_setup(); its address becomes that of the port's ID
 *
 * The card unregisters the device, and destroys the port after that.  The device has a carrier
 * when the link is up, and the port has an ID.
 *
 * Context: process, with RTNL.
 * Return: 0 or an error.
 */
int rio9_port_register_netdevice(struct rio9_port *port, struct net_device *dev)
{
	struct rio9_netdev *nd = netdev_priv(dev);
	int err;

	nd->port = port;
	nd->dev = dev;
	dev->max_mtu = port->caps.max_pdu;
	dev->mtu = min(dev->mtu, dev->max_mtu);
	rio9_viq_close(port, true);
	netif_napi_add(dev, &nd->napi, rio9_netdev_poll);

	/* Which is the one that waits for the card, however many rtnetlink has allocated */
	err = netif_set_real_num_tx_queues(dev, 1) ?: register_netdevice(dev);
	if (err)
		netif_napi_del(&nd->napi);
	else
		port->dev = dev;
	return err;
}
EXPORT_SYMBOL_GPL(rio9_port_register_netdevice);

/**
 * rio9_port_register - give a port its network device
 * @port: the port
 * @net: namespace of the device
 * @parent: the card, or NULL
 *
 * The device is called rioN.  It has a carrier when the link is up, and the port has an ID.
 *
 * Context: process; takes RTNL.
 * Return: 0 or an error.
 */
int rio9_port_register(struct rio9_port *port, struct net *net, struct device *parent)
{
	struct net_device *dev;
	int err;

	dev = alloc_netdev(sizeof(struct rio9_netdev), "rio%d", NET_NAME_ENUM, rio9_port_setup);
	if (!dev)
		return -ENOMEM;
	SET_NETDEV_DEV(dev, parent);
	dev_net_set(dev, net);
	rtnl_lock();
	err = rio9_port_register_netdevice(port, dev);
	rtnl_unlock();
	if (err)
		free_netdev(dev);
	return err;
}
EXPORT_SYMBOL_GPL(rio9_port_register);

/**
 * rio9_port_unregister - take the network device of a port away
 * @port: the port; its card still may hand over packets, but wakes it no more, and tells of no
 *	carrier
 *
 * Context: process; takes RTNL.
 */
void rio9_port_unregister(struct rio9_port *port)
{
	struct net_device *dev = port->dev;
	struct rio9_netdev *nd = netdev_priv(dev);

	unregister_netdev(dev);
	port->dev = NULL;
	netif_napi_del(&nd->napi);
	free_netdev(dev);
}
EXPORT_SYMBOL_GPL(rio9_port_unregister);

/**
 * rio9_port_set_carrier - the link of a port is up, or down
 * @port: the port, registered
 * @ok: what Port OK says, of the LP-Serial registers of Part 6
 *
 * Context: any.
 */
void rio9_port_set_carrier(struct rio9_port *port, bool ok)
{
	rio9_regs_set_ok(port, ok);
	rio9_netdev_carrier(netdev_priv(port->dev));
}
EXPORT_SYMBOL_GPL(rio9_port_set_carrier);
