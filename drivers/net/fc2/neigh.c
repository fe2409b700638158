// SPDX-License-Identifier: GPL-2.0
/*
 * Neighbours of a port in VN2VN mode.
 */
#include <kunit/visibility.h>
#include <linux/slab.h>

#include "event.h"
#include "neigh.h"
#include "port.h"

/**
 * fc2_neighbour_find - the neighbour with an N_Port ID
 * @port: the port, its lock held
 * @id: the N_Port ID
 *
 * Return: the neighbour, or NULL.
 */
struct fc2_neighbour *fc2_neighbour_find(struct fc2_port *port, u32 id)
{
	lockdep_assert_held(&port->lock);
	return xa_load(&port->neighbours, id);
}
EXPORT_SYMBOL_IF_KUNIT(fc2_neighbour_find);

/**
 * fc2_neighbour_by_wwpn - the neighbour with a Port_Name
 * @port: the port, its lock held
 * @wwpn: the Port_Name
 *
 * Return: the neighbour, or NULL.
 */
struct fc2_neighbour *fc2_neighbour_by_wwpn(struct fc2_port *port, u64 wwpn)
{
	struct fc2_neighbour *neighbour;
	unsigned long id;

	lockdep_assert_held(&port->lock);
	xa_for_each(&port->neighbours, id, neighbour)
		if (neighbour->wwpn == wwpn)
			return neighbour;
	return NULL;
}

/**
 * fc2_neighbour_add - make a neighbour
 * @port: the port, its lock held
 * @id: N_Port ID of the neighbour, which no other has
 *
 * Return: the neighbour, without names and addresses, or NULL when there is no room for it, which
 * is counted.
 */
struct fc2_neighbour *fc2_neighbour_add(struct fc2_port *port, u32 id)
{
	struct fc2_neighbour *neighbour = NULL;

	lockdep_assert_held(&port->lock);
	if (port->neighbour_count < FC2_NEIGHBOURS_MAX)
		neighbour = kzalloc(sizeof(*neighbour), GFP_KERNEL);
	if (!neighbour || xa_err(xa_store(&port->neighbours, id, neighbour, GFP_KERNEL))) {
		kfree(neighbour);
		fc2_stat_inc(port, FC2_STAT_NEIGHBOURS_FULL);
		return NULL;
	}
	neighbour->id = id;
	port->neighbour_count++;
	fc2_stat_inc(port, FC2_STAT_NEIGHBOUR_NEW);
	return neighbour;
}
EXPORT_SYMBOL_IF_KUNIT(fc2_neighbour_add);

/**
 * fc2_neighbour_del - delete a neighbour
 * @port: the port, its lock held
 * @neighbour: the neighbour; freed
 */
void fc2_neighbour_del(struct fc2_port *port, struct fc2_neighbour *neighbour)
{
	lockdep_assert_held(&port->lock);
	xa_erase(&port->neighbours, neighbour->id);
	port->neighbour_count--;
	fc2_stat_inc(port, FC2_STAT_NEIGHBOUR_GONE);
	fc2_event_neighbour(port, neighbour, false);
	kfree(neighbour);
}
