// SPDX-License-Identifier: GPL-2.0
/*
 * Ethernet devices that keep what is sent, with ports on them.
 */
#include <linux/etherdevice.h>
#include <linux/rtnetlink.h>
#include <linux/st_compat.h>

#include "config.h"
#include "fake.h"
#include "fip_link.h"

static const u8 fake_address[ETH_ALEN] = { 0x02, 0x11, 0x22, 0x33, 0x44, 0x55 };

void (*fake_watch)(const struct sk_buff *skb);

static netdev_tx_t fake_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct sk_buff_head *sent = netdev_priv(dev);

	skb_orphan(skb);
	if (fake_watch)
		fake_watch(skb);
	if (skb->protocol == htons(ETH_P_FIP) || skb->protocol == htons(ETH_P_FCOE))
		skb_queue_tail(sent, skb);
	else
		consume_skb(skb);
	return NETDEV_TX_OK;
}

static const struct net_device_ops fake_ops = {
	.ndo_start_xmit	= fake_xmit,
};

static void fake_setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->netdev_ops = &fake_ops;
	dev->max_mtu = 0;
	dev->mtu = FAKE_MTU;
	eth_hw_addr_set(dev, fake_address);
	skb_queue_head_init(netdev_priv(dev));
}

static void fake_dev_end(void *data)
{
	struct net_device *dev = data;

	unregister_netdev(dev);
	fake_forget(dev);
	free_netdev(dev);
}

/**
 * fake_dev - make a device that is up
 * @test: the test, with which it goes
 *
 * Return: the device.
 */
struct net_device *fake_dev(struct kunit *test)
{
	struct net_device *dev = alloc_netdev(sizeof(struct sk_buff_head), "fake%d",
					      NET_NAME_ENUM, fake_setup);
	int err;

	KUNIT_ASSERT_NOT_NULL(test, dev);
	err = register_netdev(dev);
	if (err)
		free_netdev(dev);
	KUNIT_ASSERT_EQ(test, err, 0);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, fake_dev_end, dev));
	rtnl_lock();
	err = dev_open(dev, NULL);
	rtnl_unlock();
	KUNIT_ASSERT_EQ(test, err, 0);
	return dev;
}

/**
 * fake_port - make a port, which goes with its device
 * @test: the test
 * @dev: the device
 * @wwpn: its Port_Name; its Node_Name is that of the device
 *
 * Return: the port.
 */
struct fc2_port *fake_port(struct kunit *test, struct net_device *dev, u64 wwpn)
{
	struct fc2_port_params params;
	struct fc2_port *port;

	rtnl_lock();
	fc2_params_default(&params, dev);
	params.wwpn = wwpn;
	port = fc2_config_create(dev, &params, NULL);
	rtnl_unlock();
	KUNIT_ASSERT_FALSE(test, IS_ERR(port));
	return port;
}

/**
 * fake_sent - take a frame that was sent
 * @dev: the device
 * @proto: ETH_P_FIP or ETH_P_FCOE; others before the frame are forgotten
 *
 * Return: the frame, at its Ethernet header, the caller's; or NULL.
 */
struct sk_buff *fake_sent(struct net_device *dev, u16 proto)
{
	struct sk_buff_head *sent = netdev_priv(dev);
	struct sk_buff *skb;

	while ((skb = skb_dequeue(sent)) && skb->protocol != htons(proto))
		consume_skb(skb);
	return skb;
}

/**
 * fake_forget - forget what was sent
 * @dev: the device
 */
void fake_forget(struct net_device *dev)
{
	skb_queue_purge(netdev_priv(dev));
}

/**
 * fake_skb - a frame as a device hands it over
 * @test: the test
 * @frame: from the Ethernet header on
 * @len: bytes of it
 *
 * Return: the frame, behind its Ethernet header.
 */
struct sk_buff *fake_skb(struct kunit *test, const void *frame, unsigned int len)
{
	struct sk_buff *skb = alloc_skb(len, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_put_data(skb, frame, len);
	skb_reset_mac_header(skb);
	skb->protocol = eth_hdr(skb)->h_proto;
	__skb_pull(skb, ETH_HLEN);
	return skb;
}

/**
 * fake_link - let the link of a port go up or down
 * @port: the port
 * @up: which
 */
void fake_link(struct fc2_port *port, bool up)
{
	rtnl_lock();
	fc2_fip_link(port, up);
	rtnl_unlock();
}

MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING");
