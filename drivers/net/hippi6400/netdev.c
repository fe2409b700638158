// SPDX-License-Identifier: GPL-2.0
/*
 * The netdev of a port: an Ethernet-like device with one TX queue for each
 * Virtual Channel.
 */

#include <kunit/visibility.h>
#include <linux/etherdevice.h>
#include <linux/export.h>
#include <linux/pci.h>
#include <net/devlink.h>

#include "port.h"

static int h64_netdev_open(struct net_device *dev)
{
	return h64_port_open(netdev_priv(dev));
}

static int h64_netdev_stop(struct net_device *dev)
{
	h64_port_stop(netdev_priv(dev));
	return 0;
}

/**
 * h64_netdev_select_queue - select the Virtual Channel of a frame
 * @dev: the netdev
 * @skb: the frame
 * @sb_dev: an upper device, or NULL
 *
 * Traffic classes of mqprio select it if there are any, else the priorities of
 * hippi6400_skb_set_vc().  All other frames share one Virtual Channel: there is no order
 * between Virtual Channels.
 *
 * Return: the queue, whose number is that of its Virtual Channel.
 */
u16 h64_netdev_select_queue(struct net_device *dev, struct sk_buff *skb,
			    struct net_device *sb_dev)
{
	u32 vc = skb->priority - HIPPI6400_PRIO_BASE;

	if (netdev_get_num_tc(dev))
		return netdev_pick_tx(dev, skb, sb_dev);
	return vc < HIPPI6400_NUM_VCS ? vc : H64_VC_COMMON;
}
EXPORT_SYMBOL_IF_KUNIT(h64_netdev_select_queue);

static netdev_tx_t h64_start_xmit(struct sk_buff *skb, struct net_device *dev)
{
	unsigned int vc = skb_get_queue_mapping(skb) % HIPPI6400_NUM_VCS;

	/* Not under the lock: freeing may call a socket, which may send */
	skb_tx_timestamp(skb);
	if (!h64_port_send(netdev_priv(dev), vc, skb, netdev_xmit_more()))
		dev_kfree_skb_any(skb);
	return NETDEV_TX_OK;
}

static void h64_tx_timeout(struct net_device *dev, unsigned int queue)
{
	h64_port_stuck(netdev_priv(dev), queue % HIPPI6400_NUM_VCS);
}

static void h64_get_stats64(struct net_device *dev, struct rtnl_link_stats64 *stats)
{
	struct h64_port *port = netdev_priv(dev);
	const struct h64_msg_rx *rx = &port->rx;
	const struct h64_msg_tx *tx = &port->tx;
	unsigned int vc;

	spin_lock_bh(&port->lock);
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		stats->rx_packets += rx->vc[vc].stats.messages;
		stats->rx_bytes += rx->vc[vc].stats.bytes;
		stats->tx_packets += tx->vc[vc].stats.messages;
		stats->tx_bytes += tx->vc[vc].stats.bytes;
	}
	/* Each counter goes into one sum; the documentation has the table */
	stats->multicast = port->rx_multicast;
	stats->rx_crc_errors = rx->ecrc_errors;
	stats->rx_frame_errors = rx->error_marked + rx->header_without_tail +
				 rx->data_without_header + rx->bad_snap;
	stats->rx_length_errors = rx->m_len_errors + rx->over_limit + rx->too_long;
	stats->rx_over_errors = rx->no_room;
	stats->rx_errors = stats->rx_crc_errors + stats->rx_frame_errors +
			   stats->rx_length_errors + stats->rx_over_errors + rx->lost;
	stats->rx_dropped = rx->no_memory + rx->place_cancelled + rx->xdp_too_long;
	stats->tx_carrier_errors = tx->lost;
	stats->tx_errors = tx->lost + tx->over_limit + tx->malformed;
	stats->tx_dropped = tx->discarded + tx->no_memory + tx->expired + port->tx_refused;
	spin_unlock_bh(&port->lock);
}

static const struct net_device_ops h64_netdev_ops = {
	.ndo_open = h64_netdev_open,
	.ndo_stop = h64_netdev_stop,
	.ndo_start_xmit = h64_start_xmit,
	.ndo_select_queue = h64_netdev_select_queue,
	.ndo_tx_timeout = h64_tx_timeout,
	.ndo_get_stats64 = h64_get_stats64,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
};

/**
 * hippi6400_is_port - whether a netdev is a HIPPI-6400 port
 * @dev: any netdev
 *
 * Context: any.
 * Return: true if it belongs to this driver.
 */
bool hippi6400_is_port(const struct net_device *dev)
{
	return dev->netdev_ops == &h64_netdev_ops;
}
EXPORT_SYMBOL_GPL(hippi6400_is_port);

static void h64_netdev_address(struct net_device *dev, const struct h64_card *card)
{
	if (is_valid_ether_addr(card->ula)) {
		eth_hw_addr_set(dev, card->ula);
		return;
	}
	eth_hw_addr_random(dev);
	dev_warn(&card->pdev->dev, "ULA: found %pM, expected a unicast address; using %pM\n",
		 card->ula, dev->dev_addr);
}

/**
 * h64_netdev_create - create and register the netdev and devlink instance of a card
 * @card: the card, identified and reset; it is copied
 *
 * Return: 0 or an error.
 */
int h64_netdev_create(const struct h64_card *card)
{
	struct pci_dev *pdev = card->pdev;
	struct net_device *dev;
	struct h64_port *port;
	unsigned int vc;
	int err;

	dev = alloc_etherdev_mqs(sizeof(*port), HIPPI6400_NUM_VCS, 1);
	if (!dev)
		return -ENOMEM;
	SET_NETDEV_DEV(dev, &pdev->dev);
	port = netdev_priv(dev);
	port->netdev = dev;
	port->card = *card;
	spin_lock_init(&port->card.vec_lock);

	strscpy(dev->name, "hip%d", sizeof(dev->name));
	dev->netdev_ops = &h64_netdev_ops;
	dev->ethtool_ops = &h64_ethtool_ops;
	dev->mtu = HIPPI6400_MAX_MTU;
	dev->min_mtu = ETH_MIN_MTU;
	dev->max_mtu = HIPPI6400_MAX_MTU;
	/* netpoll may send in hard interrupts, where the port lock must not be taken */
	dev->priv_flags |= IFF_LIVE_ADDR_CHANGE | IFF_DISABLE_NETPOLL;
	/* The driver queues frames */
	dev->priv_flags &= ~IFF_TX_SKB_SHARING;
	dev->hw_features = NETIF_F_SG | NETIF_F_FRAGLIST;
	dev->features = NETIF_F_SG | NETIF_F_FRAGLIST | NETIF_F_HIGHDMA;
	dev->vlan_features = NETIF_F_SG | NETIF_F_FRAGLIST | NETIF_F_HIGHDMA;
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
		netdev_queue_set_dql_min_limit(netdev_get_tx_queue(dev, vc), H64_TX_KEEP);
	h64_netdev_address(dev, &port->card);
	h64_port_setup(port);
	netif_carrier_off(dev);

	pci_set_drvdata(pdev, port);
	h64_place_attach(&port->rx, &port->lock);
	err = h64_devlink_create(port);
	if (err)
		goto free_dev;
	err = register_netdev(dev);
	if (err)
		goto free_devlink;
	devlink_register(port->devlink);
	return 0;

free_devlink:
	h64_devlink_remove(port);
free_dev:
	h64_place_detach(&port->rx);
	netif_napi_del(&port->napi);
	free_netdev(dev);
	return err;
}

/**
 * h64_netdev_remove - undo h64_netdev_create()
 * @port: the port
 */
void h64_netdev_remove(struct h64_port *port)
{
	devlink_unregister(port->devlink);
	unregister_netdev(port->netdev);
	h64_devlink_remove(port);
	h64_card_abandon(&port->card);
	h64_place_detach(&port->rx);
	netif_napi_del(&port->napi);
	free_netdev(port->netdev);
}

/**
 * h64_netdev_detach - detach a port from the stack, and stop it if it is open
 * @port: the port
 *
 * Context: takes RTNL.  The card accesses no memory when it returns.
 */
void h64_netdev_detach(struct h64_port *port)
{
	rtnl_lock();
	netif_device_detach(port->netdev);
	h64_port_stop(port);
	rtnl_unlock();
}

/**
 * h64_netdev_recover - check whether the card of a detached port is usable again
 * @port: the port; it is stopped if it was attached meanwhile
 *
 * Context: takes RTNL.
 * Return: 0 with the card reset, or an error after a message.
 */
int h64_netdev_recover(struct h64_port *port)
{
	int err;

	rtnl_lock();
	netif_device_detach(port->netdev);
	h64_port_stop(port);
	err = h64_card_recognize(&port->card);
	if (!err)
		err = h64_card_reset(&port->card);
	rtnl_unlock();
	return err;
}

/**
 * h64_netdev_attach - attach a port to the stack again, open if it was open
 * @port: the port; the card answers, in any state
 *
 * Context: takes RTNL.
 * Return: 0, or an error after a message; the port then stays detached.  It also
 * stays detached if the card is gone, which has its own message.
 */
int h64_netdev_attach(struct h64_port *port)
{
	struct net_device *dev = port->netdev;
	int err;

	rtnl_lock();
	/* A reset by the administrator may have attached it in between */
	h64_port_stop(port);
	err = h64_card_recognize(&port->card);
	/* The saved state was used up; do not save the state of a card that is gone */
	if (!err)
		pci_save_state(port->card.pdev);
	if (!err && netif_running(dev))
		err = h64_port_open(port);
	if (err) {
		netdev_err(dev, "the card cannot be used any more, the device stays detached: %pe\n",
			   ERR_PTR(err));
	} else {
		netif_device_attach(dev);
		/* Code that found it gone after the port was opened has already detached it */
		if (READ_ONCE(port->card.gone))
			netif_device_detach(dev);
	}
	rtnl_unlock();
	return err;
}
