// SPDX-License-Identifier: GPL-2.0
/*
 * The netdev of a port: an Ethernet-like device with one TX queue for each
 * Virtual Channel.
 */

#include <linux/etherdevice.h>
#include <linux/export.h>
#include <linux/ktime.h>
#include <linux/pci.h>
#include <linux/pkt_sched.h>

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

/*
 * VC0 is for what asks for it and fits; a name in the priority is taken at its
 * word, and what does not fit there is dropped and counted.
 */
static u16 h64_select_queue(struct net_device *dev, struct sk_buff *skb, struct net_device *sb_dev)
{
	u32 prio = skb->priority;

	if ((prio & ~(HIPPI6400_NUM_VCS - 1)) == HIPPI6400_PRIO_BASE)
		return prio & (HIPPI6400_NUM_VCS - 1);
	if ((prio == TC_PRIO_CONTROL || prio == TC_PRIO_INTERACTIVE) && skb->len >= ETH_HLEN &&
	    h64_msg_upkts(skb->len - ETH_HLEN) <= H64_VC0_LIMIT)
		return 0;
	return 1;
}

static netdev_tx_t h64_start_xmit(struct sk_buff *skb, struct net_device *dev)
{
	unsigned int vc = skb_get_queue_mapping(skb) % HIPPI6400_NUM_VCS;
	struct h64_port *port = netdev_priv(dev);
	bool drop = false;

	/* May call a socket, which may send: not under the lock */
	skb_tx_timestamp(skb);
	h64_port_lock(port);
	if (port->link.state != H64_UP) {
		port->tx_refused++;
		drop = true;
	} else if (h64_msg_tx_queue(&port->tx, vc, skb)) {
		drop = true;
	}
	/* A batch that the stack promised to continue is sent with its last */
	if (!netdev_xmit_more() || port->tx.vc[vc].backlog >= H64_WINDOW)
		h64_port_service(port, ktime_get_ns());
	h64_port_unlock(port);

	if (drop)
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
	stats->rx_crc_errors = rx->ecrc_errors;
	stats->rx_frame_errors = rx->error_marked + rx->header_without_tail +
				 rx->data_without_header + rx->bad_snap;
	stats->rx_length_errors = rx->m_len_errors + rx->over_limit + rx->too_long;
	stats->rx_over_errors = rx->no_room;
	stats->rx_errors = stats->rx_crc_errors + stats->rx_frame_errors +
			   stats->rx_length_errors + stats->rx_over_errors;
	stats->rx_dropped = rx->no_memory + rx->lost;
	stats->tx_errors = tx->over_limit + tx->malformed;
	stats->tx_carrier_errors = tx->lost;
	stats->tx_dropped = tx->discarded + tx->lost + port->tx_refused;
	spin_unlock_bh(&port->lock);
}

static const struct net_device_ops h64_netdev_ops = {
	.ndo_open = h64_netdev_open,
	.ndo_stop = h64_netdev_stop,
	.ndo_start_xmit = h64_start_xmit,
	.ndo_select_queue = h64_select_queue,
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
	u8 addr[ETH_ALEN];

	h64_card_ula(card, addr);
	if (is_valid_ether_addr(addr)) {
		eth_hw_addr_set(dev, addr);
		return;
	}
	eth_hw_addr_random(dev);
	dev_warn(&card->pdev->dev, "ULA: found %pM, expected a unicast address; using %pM\n",
		 addr, dev->dev_addr);
}

/**
 * h64_netdev_create - make and register the netdev of a card
 * @card: the card, identified and reset; it is copied
 *
 * Return: 0 or an error.
 */
int h64_netdev_create(const struct h64_card *card)
{
	struct pci_dev *pdev = card->pdev;
	struct net_device *dev;
	struct h64_port *port;
	int err;

	dev = alloc_etherdev_mqs(sizeof(*port), HIPPI6400_NUM_VCS, 1);
	if (!dev)
		return -ENOMEM;
	SET_NETDEV_DEV(dev, &pdev->dev);
	port = netdev_priv(dev);
	port->netdev = dev;
	port->card = *card;

	strscpy(dev->name, "hip%d", sizeof(dev->name));
	dev->netdev_ops = &h64_netdev_ops;
	dev->ethtool_ops = &h64_ethtool_ops;
	/* The link's own retry limit comes first */
	dev->watchdog_timeo = 30 * HZ;
	dev->mtu = HIPPI6400_MAX_MTU;
	dev->min_mtu = ETH_MIN_MTU;
	dev->max_mtu = HIPPI6400_MAX_MTU;
	/* The port lock is not for hard interrupts, from where netpoll may come */
	dev->priv_flags |= IFF_LIVE_ADDR_CHANGE | IFF_DISABLE_NETPOLL;
	/* Frames wait in a queue of the driver */
	dev->priv_flags &= ~IFF_TX_SKB_SHARING;
	dev->hw_features = NETIF_F_SG;
	dev->features = NETIF_F_SG | NETIF_F_HIGHDMA;
	dev->vlan_features = NETIF_F_SG | NETIF_F_HIGHDMA;
	h64_netdev_address(dev, &port->card);
	h64_port_setup(port);
	netif_carrier_off(dev);

	pci_set_drvdata(pdev, port);
	err = register_netdev(dev);
	if (err) {
		netif_napi_del(&port->napi);
		free_netdev(dev);
	}
	return err;
}

/**
 * h64_netdev_remove - unregister and free the netdev of a card
 * @port: the port
 */
void h64_netdev_remove(struct h64_port *port)
{
	unregister_netdev(port->netdev);
	netif_napi_del(&port->napi);
	free_netdev(port->netdev);
}
