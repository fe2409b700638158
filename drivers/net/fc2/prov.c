// SPDX-License-Identifier: GPL-2.0
/*
 * FC-4s, by TYPE, and what they are told.
 *
 * Locks are taken in the order RTNL, fc2_port.lock, fc2_prov_sem.
 */
#include <linux/bitops.h>
#include <linux/fc2.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/rwsem.h>
#include <linux/xarray.h>

#include "event.h"
#include "port.h"
#include "prov.h"

/* Read while an FC-4 is called, written while one comes or goes */
static DECLARE_RWSEM(fc2_prov_sem);
static DEFINE_XARRAY(fc2_provs);

/**
 * fc2_prov_by_type - the FC-4 of a TYPE
 * @type: the TYPE
 *
 * Context: under RCU.
 * Return: the FC-4, or NULL.
 */
const struct fc2_prov *fc2_prov_by_type(u8 type)
{
	return xa_load(&fc2_provs, type);
}

/* Call @fn for those that have been told of @port. */
static void fc2_prov_each(const struct fc2_port *port,
			  void (*fn)(const struct fc2_prov *prov, void *arg), void *arg)
{
	struct fc2_prov *prov;
	unsigned long type;

	down_read(&fc2_prov_sem);
	xa_for_each(&fc2_provs, type, prov)
		if (test_bit(type, port->provs))
			fn(prov, arg);
	up_read(&fc2_prov_sem);
}

/**
 * fc2_prov_meet - tell an FC-4 of a port, and of those that are logged in with it
 * @prov: the FC-4
 * @port: the port, of which it has not been told
 *
 * Context: process, under RTNL.
 */
void fc2_prov_meet(const struct fc2_prov *prov, struct fc2_port *port)
{
	struct fc2_rport *rport;
	unsigned long id;

	ASSERT_RTNL();
	if (prov->port_add)
		prov->port_add(port);
	/* A login that waits for the lock is told after this, others here */
	mutex_lock(&port->lock);
	set_bit(prov->type, port->provs);
	/* What has changed since port_add() was not told */
	if (prov->port_change)
		prov->port_change(port);
	if (prov->login)
		xa_for_each(&port->rports, id, rport)
			prov->login(rport);
	mutex_unlock(&port->lock);
}

/**
 * fc2_prov_part - tell an FC-4 that it has nothing to do with a port any more
 * @prov: the FC-4
 * @port: the port, of which it has been told
 *
 * Context: process, under RTNL.
 */
void fc2_prov_part(const struct fc2_prov *prov, struct fc2_port *port)
{
	ASSERT_RTNL();
	mutex_lock(&port->lock);
	clear_bit(prov->type, port->provs);
	mutex_unlock(&port->lock);
	if (prov->port_del)
		prov->port_del(port);
}

static void fc2_call_port_change(const struct fc2_prov *prov, void *port)
{
	if (prov->port_change)
		prov->port_change(port);
}

static void fc2_call_login(const struct fc2_prov *prov, void *rport)
{
	if (prov->login)
		prov->login(rport);
}

static void fc2_call_logout(const struct fc2_prov *prov, void *rport)
{
	if (prov->logout)
		prov->logout(rport);
}

/**
 * fc2_prov_port_add - tell that there is a new port
 * @port: the port
 *
 * Context: process, under RTNL.
 */
void fc2_prov_port_add(struct fc2_port *port)
{
	struct fc2_prov *prov;
	unsigned long type;

	ASSERT_RTNL();
	/* They come and go under RTNL */
	xa_for_each(&fc2_provs, type, prov)
		fc2_prov_meet(prov, port);
	fc2_event_port(port, FC2_EVENT_PORT_ADD);
}

/**
 * fc2_prov_port_del - tell that a port goes away
 * @port: the port
 *
 * Context: process, under RTNL.
 */
void fc2_prov_port_del(struct fc2_port *port)
{
	struct fc2_prov *prov;
	unsigned long type;

	ASSERT_RTNL();
	xa_for_each(&fc2_provs, type, prov)
		fc2_prov_part(prov, port);
	fc2_event_port(port, FC2_EVENT_PORT_DEL);
}

/**
 * fc2_prov_port_change - tell that N_Port ID, data field size, state or settings of a port have
 *	changed
 * @port: the port
 *
 * Context: process.
 */
void fc2_prov_port_change(struct fc2_port *port)
{
	fc2_prov_each(port, fc2_call_port_change, port);
	fc2_event_port(port, FC2_EVENT_PORT_CHANGE);
}

/**
 * fc2_prov_login - tell that a remote port has logged in
 * @rport: the remote port
 *
 * Context: process, under the lock of the port.
 */
void fc2_prov_login(struct fc2_rport *rport)
{
	lockdep_assert_held(&rport->port->lock);
	fc2_prov_each(rport->port, fc2_call_login, rport);
	fc2_event_rport(rport, true);
}

/**
 * fc2_prov_logout - tell that a remote port has logged out
 * @rport: the remote port
 *
 * Context: process, under the lock of the port.
 */
void fc2_prov_logout(struct fc2_rport *rport)
{
	lockdep_assert_held(&rport->port->lock);
	fc2_prov_each(rport->port, fc2_call_logout, rport);
	fc2_event_rport(rport, false);
}

/**
 * fc2_prov_resolved - tell the result of FARP
 * @port: the port
 * @ip: address that was asked for
 * @err: 0, or a negative errno
 *
 * Context: process.
 */
void fc2_prov_resolved(struct fc2_port *port, const struct in6_addr *ip, int err)
{
	struct fc2_prov *prov;
	unsigned long type;

	down_read(&fc2_prov_sem);
	xa_for_each(&fc2_provs, type, prov)
		if (prov->resolved && test_bit(type, port->provs))
			prov->resolved(port, ip, err);
	up_read(&fc2_prov_sem);
}

/**
 * fc2_prov_set - give a TYPE its user
 * @prov: the FC-4
 *
 * Context: process.
 * Return: 0, -EBUSY when the TYPE has a user, or -ENOMEM.
 */
int fc2_prov_set(struct fc2_prov *prov)
{
	int err;

	down_write(&fc2_prov_sem);
	err = xa_insert(&fc2_provs, prov->type, prov, GFP_KERNEL);
	up_write(&fc2_prov_sem);
	return err;
}

/**
 * fc2_prov_clear - take the user of a TYPE away
 * @prov: the FC-4; when this returns it gets no more frames and events
 *
 * Context: process.
 */
void fc2_prov_clear(const struct fc2_prov *prov)
{
	down_write(&fc2_prov_sem);
	xa_erase(&fc2_provs, prov->type);
	up_write(&fc2_prov_sem);
	/* Frames that are being handed over */
	synchronize_net();
}
