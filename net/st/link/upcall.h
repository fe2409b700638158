/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a lower floor tells a higher one: by this table, which main.c fills.  Beside it there
 * are the timer, the work and the write space of a socket, which proto/ sets, and the callbacks
 * of a buffer.
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
 * struct st_upcalls - who is told
 * @link_added: a link can be found.  Under RTNL.
 * @link_gone: a link can't be found any more and takes no more users; when this returns it has
 *	none.  Under RTNL, may sleep.
 * @link_changed: the medium of a link has come or gone, or what arrives there is taken by
 *	something else or is so no more; @told: netlink has told of it, or need not.  Under RTNL,
 *	may sleep.
 * @link_readdressed: the device of a link may have another address.  Under RTNL, may sleep.
 * @route_changed: a route is up, or was lost and is not up any more.  Under st_link_core.lock, and
 *	any lock of the LLP.
 * @route_failed: a route has failed; @err: positive errno for its users.  May sleep.
 * @turn: it is the turn of a path to clear a Block.  Under st_pace.lock, and the st_sock.lock of
 *	any Virtual Connection of the link, so that no other may be taken.
 * @path_joined: a path runs over a link.  Under st_sock.lock.
 * @path_left: a path does not work any more; what was on its way goes over @other, or, where that
 *	is NULL, nothing is cleared over it.  Under st_sock.lock.
 * @has_id: whether persistent memory has a sequence identifier, as those of Transfers and of
 *	regions are of one kind; the one question in this table.  Under st_sock.lock.
 * @vc_state: the state of a Virtual Connection was @before.  Under st_sock.lock.
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
