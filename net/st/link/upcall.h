/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls from a lower layer to a higher one: through this table, which main.c fills.  Further
 * callbacks are the timer, the work and the write space of a socket, set by proto/, and those of a
 * buffer.
 */
#ifndef _NET_ST_UPCALL_H
#define _NET_ST_UPCALL_H

#include <linux/types.h>

struct st_link;
struct st_paced;
struct st_route;
struct st_sock;
struct st_path;

/**
 * struct st_upcalls - callbacks of the higher layers
 * @link_added: a link is visible.  Under RTNL.
 * @link_gone: a link is not visible any more and accepts no more users; when this returns it has
 *	none.  Under RTNL, may sleep.
 * @link_changed: the medium of a link is up or down, or the link has become usable or unusable, and
 *	netlink has reported it, or need not, if told is true.  Under RTNL, may sleep.
 * @link_readdressed: the address of the device of a link may have changed.  Under RTNL, may sleep.
 * @route_changed: a route is up, or was lost.  Under st_link_core.lock, and any lock of the LLP.
 * @route_failed: a route has failed; @err: positive errno for its users.  May sleep.
 * @turn: a path has its turn to clear a Block.  Under st_pace.lock, and perhaps the st_sock.lock of
 *	any Virtual Connection of the link, so no other may be taken.
 * @path_joined: a path now runs over a link.  Under st_sock.lock.
 * @path_left: a path does not work any more; its Blocks move to @other, or, if that is NULL,
 *	nothing is cleared over it.  Under st_sock.lock.
 * @has_id: whether persistent memory uses a sequence identifier: Transfers and regions share one
 *	number space.  The only query in this table.  Under st_sock.lock.
 * @vc_state: the state of a Virtual Connection has changed from @before.  Under st_sock.lock.
 */
struct st_upcalls {
	void (*link_added)(struct st_link *link);
	void (*link_gone)(struct st_link *link);
	void (*link_changed)(struct st_link *link, bool told);
	void (*link_readdressed)(struct st_link *link);
	void (*route_changed)(struct st_route *route);
	void (*route_failed)(struct st_route *route, int err);
	void (*turn)(struct st_paced *paced);
	void (*path_joined)(struct st_path *path);
	void (*path_left)(struct st_path *path, struct st_path *other);
	bool (*has_id)(const struct st_sock *st, u32 id);
	void (*vc_state)(struct st_sock *st, int before);
};

extern const struct st_upcalls *st_up;

#endif
