// SPDX-License-Identifier: GPL-2.0
/*
 * FCVI_HANDLEs and CONNECTION_IDs.
 *
 * Each connect takes a new one of both from a counter, and a handle that is no longer used stays
 * away for R_A_TOV, FC-VI 8.4.2 f and 8.5.3 b: late frames of an old connection meet nobody.
 */
#include <kunit/visibility.h>
#include <linux/slab.h>

#include "handle.h"
#include "timer.h"
#include "vi.h"

static void fcvi_handle_free(struct fcvi_handle *h)
{
	fcvi_timer_stop(&h->timer);
	xa_erase(&h->timer.port->handles, h->value);
	kfree(h);
}

static void fcvi_handle_expired(struct fcvi_timer *timer)
{
	fcvi_handle_free(container_of(timer, struct fcvi_handle, timer));
}

/**
 * fcvi_handle_new - take a handle
 * @vi: the endpoint
 * @rport: the remote port of its setup
 *
 * Return: the handle, or NULL.
 */
struct fcvi_handle *fcvi_handle_new(struct fcvi_vi *vi, struct fc2_rport *rport)
{
	struct fcvi_handle *h = kzalloc(sizeof(*h), GFP_ATOMIC);
	struct fcvi_port *port = vi->port;

	lockdep_assert_held(&port->lock);
	if (!h)
		return NULL;
	if (xa_alloc_cyclic(&port->handles, &h->value, h, XA_LIMIT(0, FCVI_HANDLE_NONE - 1),
			    &port->next_handle, GFP_ATOMIC) < 0) {
		kfree(h);
		return NULL;
	}
	h->vi = vi;
	h->rport = rport;
	h->rmt = FCVI_HANDLE_NONE;
	fcvi_timer_init(&h->timer, port, fcvi_handle_expired);
	return h;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_handle_new);

/**
 * fcvi_handle_find - look a handle up
 * @port: the port
 * @value: the handle
 * @rport: the remote port that names it
 *
 * Return: the handle, or NULL: there is none, or it was told to another port.
 */
struct fcvi_handle *fcvi_handle_find(struct fcvi_port *port, u32 value,
				     const struct fc2_rport *rport)
{
	struct fcvi_handle *h = xa_load(&port->handles, value);

	lockdep_assert_held(&port->lock);
	return h && h->rport == rport ? h : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_handle_find);

/**
 * fcvi_handle_release - give a handle back, which stays away for R_A_TOV
 * @h: the handle
 */
void fcvi_handle_release(struct fcvi_handle *h)
{
	h->vi = NULL;
	/* After a logout there is nothing to wait for, FC-VI 8.4.2 g */
	if (h->rport)
		fcvi_timer_start(&h->timer, h->timer.port->r_a_tov);
	else
		fcvi_handle_free(h);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_handle_release);

/**
 * fcvi_handles_logout - free what was told to a port that has logged out, FC-VI 8.4.2 g
 * @port: the port
 * @rport: the remote port
 */
void fcvi_handles_logout(struct fcvi_port *port, struct fc2_rport *rport)
{
	struct fcvi_handle *h;
	unsigned long i;

	lockdep_assert_held(&port->lock);
	xa_for_each(&port->handles, i, h) {
		if (h->rport != rport)
			continue;
		h->rport = NULL;
		if (!h->vi)
			fcvi_handle_free(h);
	}
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_handles_logout);

/**
 * fcvi_handles_free - free what is left at the end of a port
 * @port: the port, which has no endpoints any more
 */
void fcvi_handles_free(struct fcvi_port *port)
{
	struct fcvi_handle *h;
	unsigned long i;

	lockdep_assert_held(&port->lock);
	xa_for_each(&port->handles, i, h)
		fcvi_handle_free(h);
	xa_destroy(&port->handles);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_handles_free);

/**
 * fcvi_id_new - take a CONNECTION_ID
 * @port: the port
 *
 * Return: the ID; never 0, which stands in Disconnects of connections, FC-VI 6.12.2, nor
 *	FCVI_ID_NONE.
 */
u32 fcvi_id_new(struct fcvi_port *port)
{
	lockdep_assert_held(&port->lock);
	do {
		port->next_id++;
	} while (!port->next_id || port->next_id == FCVI_ID_NONE);
	return port->next_id;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_id_new);
