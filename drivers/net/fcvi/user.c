// SPDX-License-Identifier: GPL-2.0
/*
 * What the users of endpoints call: those of this module, and other modules.
 */
#include <linux/export.h>
#include <linux/fcvi.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "connect.h"
#include "disconnect.h"
#include "match.h"
#include "msg.h"
#include "rx.h"
#include "tx.h"
#include "user.h"

/* Changed under RTNL, read under RCU */
static LIST_HEAD(fcvi_clients);

/**
 * fcvi_client_register - ask to be told when ports go away
 * @client: the client
 *
 * Context: process, without RTNL.
 */
void fcvi_client_register(struct fcvi_client *client)
{
	rtnl_lock();
	list_add_tail_rcu(&client->list, &fcvi_clients);
	rtnl_unlock();
}
EXPORT_SYMBOL_GPL(fcvi_client_register);

/**
 * fcvi_client_unregister - end that
 * @client: the client, which has no endpoints and connection points any more
 *
 * Context: process, without RTNL.
 */
void fcvi_client_unregister(struct fcvi_client *client)
{
	rtnl_lock();
	list_del_rcu(&client->list);
	rtnl_unlock();
	synchronize_rcu();
}
EXPORT_SYMBOL_GPL(fcvi_client_unregister);

/**
 * fcvi_clients_port_del - tell all clients that a port goes away
 * @port: the port
 *
 * Context: process, under RTNL.
 */
void fcvi_clients_port_del(struct fcvi_port *port)
{
	struct fcvi_client *client;

	ASSERT_RTNL();
	list_for_each_entry(client, &fcvi_clients, list)
		client->port_del(port);
}

/**
 * fcvi_clients_port_change - tell all clients that a port has changed
 * @port: the port
 *
 * Context: under RCU.
 */
void fcvi_clients_port_change(struct fcvi_port *port)
{
	struct fcvi_client *client;

	list_for_each_entry_rcu(client, &fcvi_clients, list)
		if (client->port_change)
			client->port_change(port);
}

/**
 * fcvi_lock - take the lock of a port
 * @port: the port
 *
 * Context: process or softirq.
 */
void fcvi_lock(struct fcvi_port *port)
	__acquires(&port->lock)
{
	spin_lock_bh(&port->lock);
}
EXPORT_SYMBOL_GPL(fcvi_lock);

/**
 * fcvi_unlock - release the lock of a port
 * @port: the port
 */
void fcvi_unlock(struct fcvi_port *port)
	__releases(&port->lock)
{
	spin_unlock_bh(&port->lock);
}
EXPORT_SYMBOL_GPL(fcvi_unlock);

/**
 * fcvi_vi_new - make an endpoint, which is Idle
 * @port: the port
 * @user: what the user does
 * @attrs: attributes
 * @tag: protection tag of the memory that RDMA from the other side may touch; NULL: none
 * @priv: for @user
 *
 * Context: under the lock of the port.
 * Return: the endpoint, or NULL without memory.
 */
struct fcvi_vi *fcvi_vi_new(struct fcvi_port *port, const struct fcvi_user_ops *user,
			    const struct fcvi_attrs *attrs, struct fcvi_tag *tag, void *priv)
{
	struct fcvi_vi *vi = kmalloc(sizeof(*vi), GFP_ATOMIC | __GFP_ACCOUNT);

	lockdep_assert_held(&port->lock);
	if (!vi)
		return NULL;
	fcvi_vi_init(vi, port, &fcvi_msg_vi_ops, attrs, fcvi_connect_t1);
	vi->user = user;
	vi->priv = priv;
	vi->tag = tag;
	fcvi_tx_init(vi);
	fcvi_rx_init(vi);
	return vi;
}
EXPORT_SYMBOL_GPL(fcvi_vi_new);

/**
 * fcvi_vi_free - end an endpoint, in any state
 * @vi: the endpoint; its Descriptors complete as flushed, and it is told nothing else
 *
 * Context: under the lock of the port.
 */
void fcvi_vi_free(struct fcvi_vi *vi)
{
	lockdep_assert_held(&vi->port->lock);
	fcvi_disconnect_destroy(vi);
	fcvi_rx_flush(vi);
	fcvi_tx_flush(vi);
	kfree(vi);
}
EXPORT_SYMBOL_GPL(fcvi_vi_free);

/**
 * fcvi_vi_priv - what belongs to the user of an endpoint
 * @vi: the endpoint
 *
 * Context: any.
 * Return: @priv of fcvi_vi_new().
 */
void *fcvi_vi_priv(const struct fcvi_vi *vi)
{
	return vi->priv;
}
EXPORT_SYMBOL_GPL(fcvi_vi_priv);

/**
 * fcvi_vi_port - port of an endpoint
 * @vi: the endpoint
 *
 * Context: any.
 * Return: the port.
 */
struct fcvi_port *fcvi_vi_port(const struct fcvi_vi *vi)
{
	return vi->port;
}
EXPORT_SYMBOL_GPL(fcvi_vi_port);

/**
 * fcvi_listen - let a connection point wait for clients, VI-DG 3.3.1
 * @port: the port
 * @point: the connection point; several may have one address: the one that waits longest is taken
 *
 * Context: under the lock of the port.
 */
void fcvi_listen(struct fcvi_port *port, struct fcvi_point *point)
{
	lockdep_assert_held(&port->lock);
	list_add_tail(&point->list, &port->points);
}
EXPORT_SYMBOL_GPL(fcvi_listen);

/**
 * fcvi_unlisten - let a connection point wait no longer
 * @port: the port
 * @point: the connection point; the requests that it has got are its user's
 *
 * Context: under the lock of the port.
 */
void fcvi_unlisten(struct fcvi_port *port, struct fcvi_point *point)
{
	lockdep_assert_held(&port->lock);
	list_del(&point->list);
}
EXPORT_SYMBOL_GPL(fcvi_unlisten);

/**
 * fcvi_setup_rqst - what a client asks for
 * @s: the setup, as fcvi_point.request has got it
 *
 * Context: under the lock of the port.
 * Return: its request: address and attributes of its endpoint, and the address that it asks for.
 */
const struct fcvi_connect *fcvi_setup_rqst(const struct fcvi_setup *s)
{
	return &s->rqst;
}
EXPORT_SYMBOL_GPL(fcvi_setup_rqst);

/**
 * fcvi_setup_rport - the remote port that a request has come from
 * @s: the setup, as fcvi_point.request has got it
 *
 * Context: under the lock of the port.
 * Return: the remote port, or NULL after a logout.
 */
const struct fc2_rport *fcvi_setup_rport(const struct fcvi_setup *s)
{
	return s->rport;
}
EXPORT_SYMBOL_GPL(fcvi_setup_rport);
