// SPDX-License-Identifier: GPL-2.0
/*
 * Ports (N_Ports) as objects: their properties, references, and the MAC address of their VN_Port.
 */
#include <linux/etherdevice.h>
#include <linux/fc2.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <scsi/fc/fc_fcoe.h>

#include "port.h"

/* FCoE header, FC header, and the trailer with the CRC and EOF */
#define FC2_FCOE_OVERHEAD	FCOE_MIN_FRAME

/* All devices with ports, under RTNL */
LIST_HEAD(fc2_ifaces);

/* Of fc2_port.addr_work, which nobody can wait for under RTNL */
static struct workqueue_struct *fc2_addr_wq;

/* Bytes of a data field that frames over a device can have: FC-FS allows 2112, in words */
static u16 fc2_device_mfs(const struct net_device *dev)
{
	unsigned int mtu = READ_ONCE(dev->mtu);

	if (mtu < FC2_FCOE_OVERHEAD + FC_MIN_MAX_PAYLOAD)
		return 0;
	return min(mtu - FC2_FCOE_OVERHEAD, FC_MAX_PAYLOAD) & ~3;
}

/*
 * The device has to take the frames for the VN_Port.  This is a work item of its own as it needs
 * RTNL, under which others take the lock of the port.
 */
static void fc2_port_addr_work(struct work_struct *work)
{
	struct fc2_port *port = container_of(work, struct fc2_port, addr_work);
	u8 mac[ETH_ALEN] = {};
	bool dead;

	rtnl_lock();
	mutex_lock(&port->lock);
	if (port->id)
		ether_addr_copy(mac, port->mac);
	dead = port->dead;
	mutex_unlock(&port->lock);
	if (!dead && !ether_addr_equal(mac, port->added)) {
		if (!is_zero_ether_addr(port->added))
			dev_uc_del(port->iface->dev, port->added);
		if (!is_zero_ether_addr(mac) && dev_uc_add(port->iface->dev, mac))
			eth_zero_addr(mac);
		ether_addr_copy(port->added, mac);
	}
	rtnl_unlock();
	fc2_port_put(port);
}

/**
 * fc2_port_alloc - make a port, which is on no list yet
 * @iface: its device
 * @params: what the administrator wants
 *
 * Context: process.
 * Return: the port, with one reference, or NULL.
 */
struct fc2_port *fc2_port_alloc(struct fc2_iface *iface, const struct fc2_port_params *params)
{
	struct fc2_port *port = kzalloc(sizeof(*port), GFP_KERNEL_ACCOUNT);

	if (!port)
		return NULL;
	port->stats = netdev_alloc_pcpu_stats(struct fc2_stats);
	port->wq = alloc_ordered_workqueue("fc2-%s", 0, netdev_name(iface->dev));
	if (!port->stats || !port->wq) {
		if (port->wq)
			destroy_workqueue(port->wq);
		free_percpu(port->stats);
		kfree(port);
		return NULL;
	}
	port->iface = iface;
	port->params = *params;
	port->mfs = fc2_device_mfs(iface->dev);
	port->link_failures = atomic_read(&iface->dev->carrier_down_count);
	refcount_set(&port->refs, 1);
	mutex_init(&port->lock);
	spin_lock_init(&port->xid_lock);
	INIT_WORK(&port->addr_work, fc2_port_addr_work);
	xa_init(&port->rports);
	return port;
}

/**
 * fc2_port_hold - take a reference to a port
 * @port: the port
 */
void fc2_port_hold(struct fc2_port *port)
{
	refcount_inc(&port->refs);
}
EXPORT_SYMBOL_GPL(fc2_port_hold);

static void fc2_port_free(struct rcu_head *rcu)
{
	struct fc2_port *port = container_of(rcu, struct fc2_port, rcu);

	free_percpu(port->stats);
	kfree(port);
}

/**
 * fc2_port_put - drop a reference to a port
 * @port: the port
 *
 * Context: any but hard interrupts.
 */
void fc2_port_put(struct fc2_port *port)
{
	if (refcount_dec_and_test(&port->refs))
		call_rcu(&port->rcu, fc2_port_free);
}
EXPORT_SYMBOL_GPL(fc2_port_put);

/**
 * fc2_port_set_id - give a port its N_Port ID, or take it away
 * @port: the port, its lock held
 * @id: the N_Port ID, or 0
 * @mac: MAC address of the VN_Port; not used without @id
 *
 * The device takes frames to @mac some time later.
 */
void fc2_port_set_id(struct fc2_port *port, u32 id, const u8 *mac)
{
	lockdep_assert_held(&port->lock);
	if (id) {
		ether_addr_copy(port->mac, mac);
		/* Pairs with smp_load_acquire() of readers without the lock */
		smp_store_release(&port->id, id);
	} else {
		WRITE_ONCE(port->id, 0);
	}
	fc2_port_hold(port);
	if (!queue_work(fc2_addr_wq, &port->addr_work))
		fc2_port_put(port);
}

/**
 * fc2_port_fits - whether a port has frames of the size that its device carries
 * @port: the port
 *
 * Context: under RTNL.
 * Return: true if so.
 */
bool fc2_port_fits(const struct fc2_port *port)
{
	ASSERT_RTNL();
	return port->mfs == fc2_device_mfs(port->iface->dev);
}

/**
 * fc2_port_resize - let a port have frames of the size that its device carries
 * @port: the port, which is down: nobody is logged in with the old size
 *
 * Context: process, under RTNL.
 */
void fc2_port_resize(struct fc2_port *port)
{
	ASSERT_RTNL();
	WRITE_ONCE(port->mfs, fc2_device_mfs(port->iface->dev));
}

/**
 * fc2_port_end - end the work of a port that is deleted
 * @port: the port, which is on no list any more
 *
 * Context: process, under RTNL.
 */
void fc2_port_end(struct fc2_port *port)
{
	ASSERT_RTNL();
	destroy_workqueue(port->wq);
	if (!is_zero_ether_addr(port->added))
		dev_uc_del(port->iface->dev, port->added);
	eth_zero_addr(port->added);
}

/**
 * fc2_iface_find - what fc2 has on a device
 * @dev: the device
 *
 * Context: under RTNL.
 * Return: it, or NULL when the device has no port.
 */
struct fc2_iface *fc2_iface_find(const struct net_device *dev)
{
	struct fc2_iface *iface;

	ASSERT_RTNL();
	list_for_each_entry(iface, &fc2_ifaces, list)
		if (iface->dev == dev)
			return iface;
	return NULL;
}

/**
 * fc2_port_find - the first port of a device
 * @dev: the device
 *
 * Context: under RTNL.
 * Return: the port, which is there until struct fc2_prov's port_del() is called, or NULL.
 */
struct fc2_port *fc2_port_find(const struct net_device *dev)
{
	struct fc2_iface *iface = fc2_iface_find(dev);

	return iface ? list_first_entry(&iface->ports, struct fc2_port, list) : NULL;
}
EXPORT_SYMBOL_GPL(fc2_port_find);

/**
 * fc2_port_by_wwpn - the port of a device with a Port_Name
 * @iface: the device, under RTNL or RCU
 * @wwpn: the Port_Name
 *
 * Return: the port, or NULL.
 */
struct fc2_port *fc2_port_by_wwpn(struct fc2_iface *iface, u64 wwpn)
{
	struct fc2_port *port;

	list_for_each_entry_rcu(port, &iface->ports, list, lockdep_rtnl_is_held())
		if (port->params.wwpn == wwpn)
			return port;
	return NULL;
}

/**
 * fc2_port_dev - device of a port
 * @port: the port
 *
 * Return: the Ethernet device.
 */
struct net_device *fc2_port_dev(const struct fc2_port *port)
{
	return port->iface->dev;
}
EXPORT_SYMBOL_GPL(fc2_port_dev);

/**
 * fc2_port_net - network namespace of a port
 * @port: the port, which ends before its device goes to another namespace
 *
 * Return: the namespace.
 */
struct net *fc2_port_net(const struct fc2_port *port)
{
	return dev_net(port->iface->dev);
}
EXPORT_SYMBOL_GPL(fc2_port_net);

/**
 * fc2_port_wwpn - Port_Name of a port
 * @port: the port
 *
 * Return: the name.
 */
u64 fc2_port_wwpn(const struct fc2_port *port)
{
	return port->params.wwpn;
}
EXPORT_SYMBOL_GPL(fc2_port_wwpn);

/**
 * fc2_port_id - N_Port ID of a port
 * @port: the port
 *
 * Return: the ID, or 0 while the port is down.
 */
u32 fc2_port_id(const struct fc2_port *port)
{
	/* Pairs with smp_store_release() of fc2_port_set_id(): the MAC address is there, too */
	return smp_load_acquire(&port->id);
}
EXPORT_SYMBOL_GPL(fc2_port_id);

/**
 * fc2_port_mfs - size of the data field of frames
 * @port: the port
 *
 * Return: bytes that the device carries now, a multiple of 4; 0 when they are too few for FC.
 */
unsigned int fc2_port_mfs(const struct fc2_port *port)
{
	return READ_ONCE(port->mfs);
}
EXPORT_SYMBOL_GPL(fc2_port_mfs);

/**
 * fc2_port_r_a_tov - R_A_TOV of a port
 * @port: the port
 *
 * Return: milliseconds.
 */
unsigned int fc2_port_r_a_tov(const struct fc2_port *port)
{
	return READ_ONCE(port->params.r_a_tov);
}
EXPORT_SYMBOL_GPL(fc2_port_r_a_tov);

/**
 * fc2_port_ordered - whether frames to a port come in order
 * @port: the port
 *
 * Return: what the administrator says about the path.
 */
bool fc2_port_ordered(const struct fc2_port *port)
{
	return READ_ONCE(port->params.ordered);
}
EXPORT_SYMBOL_GPL(fc2_port_ordered);

/**
 * fc2_ports_begin - begin to have ports
 *
 * Return: 0, or a negative errno.
 */
int fc2_ports_begin(void)
{
	fc2_addr_wq = alloc_workqueue("fc2_addr", WQ_UNBOUND, 0);
	return fc2_addr_wq ? 0 : -ENOMEM;
}

/**
 * fc2_ports_end - wait for what deleted ports have left
 */
void fc2_ports_end(void)
{
	destroy_workqueue(fc2_addr_wq);
	/* Exchanges are freed, and then the ports that they have held */
	rcu_barrier();
	rcu_barrier();
}
