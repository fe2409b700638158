/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What happens to ports, for whoever tells programs of it.
 */
#ifndef _FC2_EVENT_H
#define _FC2_EVENT_H

#include <linux/compiler.h>
#include <linux/types.h>

struct fc2_neighbour;
struct fc2_port;
struct fc2_rport;

/**
 * enum fc2_event - what has happened
 * @FC2_EVENT_PORT_ADD: there is a new port
 * @FC2_EVENT_PORT_DEL: a port is being deleted
 * @FC2_EVENT_PORT_CHANGE: state, N_Port ID, frame size or settings of a port have changed
 */
enum fc2_event {
	FC2_EVENT_PORT_ADD,
	FC2_EVENT_PORT_DEL,
	FC2_EVENT_PORT_CHANGE,
};

/**
 * struct fc2_listener - who is told; in process context
 * @port: something has happened to a port; with or without RTNL and fc2_port.lock
 * @neighbour: a neighbour has come, or is going; under fc2_port.lock
 * @rport: a remote port has logged in, or out; under fc2_port.lock
 */
struct fc2_listener {
	void (*port)(struct fc2_port *port, enum fc2_event event);
	void (*neighbour)(struct fc2_port *port, const struct fc2_neighbour *neighbour, bool come);
	void (*rport)(const struct fc2_rport *rport, bool in);
};

extern const struct fc2_listener *fc2_listener;

/**
 * fc2_event_port - tell what has happened to a port
 * @port: the port
 * @event: what
 *
 * Context: process.
 */
static inline void fc2_event_port(struct fc2_port *port, enum fc2_event event)
{
	const struct fc2_listener *listener = READ_ONCE(fc2_listener);

	if (listener)
		listener->port(port, event);
}

/**
 * fc2_event_neighbour - tell that a neighbour has come or is going
 * @port: the port, its lock held
 * @neighbour: the neighbour
 * @come: whether it has come
 *
 * Context: process.
 */
static inline void fc2_event_neighbour(struct fc2_port *port,
				       const struct fc2_neighbour *neighbour, bool come)
{
	const struct fc2_listener *listener = READ_ONCE(fc2_listener);

	if (listener)
		listener->neighbour(port, neighbour, come);
}

/**
 * fc2_event_rport - tell that a remote port has logged in or out
 * @rport: the remote port, the lock of its port held
 * @in: whether it has logged in
 *
 * Context: process.
 */
static inline void fc2_event_rport(const struct fc2_rport *rport, bool in)
{
	const struct fc2_listener *listener = READ_ONCE(fc2_listener);

	if (listener)
		listener->rport(rport, in);
}

#endif
