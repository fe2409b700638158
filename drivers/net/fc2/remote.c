// SPDX-License-Identifier: GPL-2.0
/*
 * What is known of remote ports, and those that are logged in.
 */
#include <kunit/visibility.h>
#include <linux/etherdevice.h>
#include <linux/fc2.h>
#include <linux/hash.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "port.h"
#include "remote.h"

#define FC2_ULA_MASK	GENMASK_ULL(47, 0)

/**
 * fc2_remote_find - a remote port by N_Port ID
 * @port: the port, its lock held
 * @id: the N_Port ID
 *
 * Return: the remote port, or NULL.
 */
struct fc2_remote *fc2_remote_find(struct fc2_port *port, u32 id)
{
	lockdep_assert_held(&port->lock);
	return xa_load(&port->remotes, id);
}
EXPORT_SYMBOL_IF_KUNIT(fc2_remote_find);

/**
 * fc2_remote_by_wwpn - a remote port by Port_Name
 * @port: the port, its lock held
 * @wwpn: the Port_Name
 *
 * Return: the remote port, or NULL.
 */
struct fc2_remote *fc2_remote_by_wwpn(struct fc2_port *port, u64 wwpn)
{
	struct fc2_remote *remote;
	unsigned long id;

	lockdep_assert_held(&port->lock);
	xa_for_each(&port->remotes, id, remote)
		if (remote->wwpn == wwpn)
			return remote;
	return NULL;
}

/**
 * fc2_remote_add - make a remote port
 * @port: the port, its lock held
 * @id: N_Port ID, which no other has
 *
 * Return: the remote port, or NULL when there is no room for it.
 */
struct fc2_remote *fc2_remote_add(struct fc2_port *port, u32 id)
{
	struct fc2_remote *remote = NULL;

	lockdep_assert_held(&port->lock);
	if (port->remote_count < FC2_NEIGHBOURS_MAX)
		remote = kzalloc(sizeof(*remote), GFP_KERNEL);
	if (!remote || xa_err(xa_store(&port->remotes, id, remote, GFP_KERNEL))) {
		kfree(remote);
		return NULL;
	}
	remote->id = id;
	port->remote_count++;
	return remote;
}

/**
 * fc2_remote_del - forget a remote port
 * @port: the port, its lock held
 * @remote: the remote port, which is not logged in and has no requests; freed
 */
void fc2_remote_del(struct fc2_port *port, struct fc2_remote *remote)
{
	lockdep_assert_held(&port->lock);
	xa_erase(&port->remotes, remote->id);
	port->remote_count--;
	kfree(remote);
}

/**
 * fc2_rport_alloc - make what FC-4s will know of a remote port
 * @port: the port
 * @remote: what is known of the remote port
 *
 * Return: it, with a reference, or NULL.
 */
struct fc2_rport *fc2_rport_alloc(struct fc2_port *port, const struct fc2_remote *remote)
{
	struct fc2_rport *rport = kzalloc(sizeof(*rport), GFP_KERNEL);

	if (!rport)
		return NULL;
	fc2_port_hold(port);
	rport->port = port;
	rport->id = remote->id;
	rport->wwpn = remote->wwpn;
	rport->wwnn = remote->wwnn;
	ether_addr_copy(rport->mac, remote->mac);
	INIT_LIST_HEAD(&rport->by_age);
	refcount_set(&rport->refs, 1);
	return rport;
}
EXPORT_SYMBOL_IF_KUNIT(fc2_rport_alloc);

static u64 fc2_rport_ula(const struct fc2_rport *rport)
{
	return rport->wwpn & FC2_ULA_MASK;
}

static struct hlist_head *fc2_ula_bucket(struct fc2_port *port, u64 ula)
{
	return &port->ulas[hash_64(ula, FC2_ULA_HASH_BITS)];
}

/**
 * fc2_rport_list - let a remote port be found
 * @rport: the remote port, logged in, whose port is locked
 *
 * Return: 0 or a negative errno.
 */
int fc2_rport_list(struct fc2_rport *rport)
{
	struct fc2_port *port = rport->port;
	int err;

	lockdep_assert_held(&port->lock);
	err = xa_err(xa_store(&port->rports, rport->id, rport, GFP_KERNEL));
	if (!err)
		hlist_add_head_rcu(&rport->ula, fc2_ula_bucket(port, fc2_rport_ula(rport)));
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(fc2_rport_list);

/**
 * fc2_rport_unlist - let a remote port be found no more
 * @rport: the remote port, whose port is locked
 */
void fc2_rport_unlist(struct fc2_rport *rport)
{
	lockdep_assert_held(&rport->port->lock);
	xa_erase(&rport->port->rports, rport->id);
	hlist_del_rcu(&rport->ula);
}
EXPORT_SYMBOL_IF_KUNIT(fc2_rport_unlist);

/**
 * fc2_rport_hold - take a reference to a remote port
 * @rport: the remote port, under RCU or with a reference
 *
 * Return: whether there is one now; false: the remote port is about to be freed.
 */
bool fc2_rport_hold(struct fc2_rport *rport)
{
	return refcount_inc_not_zero(&rport->refs);
}
EXPORT_SYMBOL_GPL(fc2_rport_hold);

/**
 * fc2_rport_put - drop a reference to a remote port
 * @rport: the remote port
 *
 * Context: any but hard interrupts.
 */
void fc2_rport_put(struct fc2_rport *rport)
{
	struct fc2_port *port = rport->port;

	if (!refcount_dec_and_test(&rport->refs))
		return;
	kfree_rcu(rport, rcu);
	fc2_port_put(port);
}
EXPORT_SYMBOL_GPL(fc2_rport_put);

/**
 * fc2_rport_by_id - the remote port with an N_Port ID
 * @port: the port
 * @id: the N_Port ID
 *
 * Context: under RCU.
 * Return: the remote port, which is logged in, or NULL.
 */
struct fc2_rport *fc2_rport_by_id(struct fc2_port *port, u32 id)
{
	struct fc2_rport *rport = xa_load(&port->rports, id);

	return rport && READ_ONCE(rport->logged_in) ? rport : NULL;
}
EXPORT_SYMBOL_GPL(fc2_rport_by_id);

/**
 * fc2_rport_by_ula - the remote port with an address of FC-LE
 * @port: the port
 * @ula: the 6 bytes, which are the low 48 bits of the Port_Name
 *
 * Context: under RCU.
 * Return: the remote port, which is logged in, or NULL.
 */
struct fc2_rport *fc2_rport_by_ula(struct fc2_port *port, const u8 *ula)
{
	u64 low = ether_addr_to_u64(ula);
	struct fc2_rport *rport;

	hlist_for_each_entry_rcu(rport, fc2_ula_bucket(port, low), ula)
		if (fc2_rport_ula(rport) == low && READ_ONCE(rport->logged_in))
			return rport;
	return NULL;
}
EXPORT_SYMBOL_GPL(fc2_rport_by_ula);
