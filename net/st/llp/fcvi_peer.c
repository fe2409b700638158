// SPDX-License-Identifier: GPL-2.0
/*
 * FC-VI under ST: peers, and the VIs with them.
 *
 * A VI belongs to the peer at its remote Host Address, whoever has made it.  If both ends connect
 * at once, both VIs stand, and each end sends on one.  The route of af_st is up while a VI of each
 * class is connected.
 */
#include <linux/jhash.h>
#include <linux/slab.h>
#include <linux/st_compat.h>

#include "fcvi.h"

/* VIs that a remote port may make, by any of its Host Addresses, and all of them */
#define ST_FCVI_SERVERS_EACH	16
#define ST_FCVI_SERVERS_MAX	2048

/* For an answer; fcvi tries twice meanwhile */
#define ST_FCVI_TIMEOUT		(30 * MSEC_PER_SEC)

/* After a loss: by then a port that begins anew has found the others, and has logged in */
#define ST_FCVI_ANEW		(10 * HZ)

static u32 st_fcvi_hash(const struct in6_addr *host)
{
	return jhash(host, sizeof(*host), 0);
}

/**
 * st_fcvi_peer_find - find a peer
 * @f: the link
 * @addr: its Host Address
 *
 * Context: under the lock of the port.
 * Return: the peer, or NULL.
 */
struct st_fcvi_peer *st_fcvi_peer_find(struct st_fcvi *f, const u8 *addr)
{
	struct st_fcvi_peer *peer;
	struct in6_addr host;

	memcpy(&host, addr, sizeof(host));
	hash_for_each_possible(f->peers, peer, node, st_fcvi_hash(&host))
		if (!memcmp(&peer->host, &host, sizeof(host)))
			return peer;
	return NULL;
}

static struct st_fcvi_peer *st_fcvi_peer_get(struct st_fcvi *f, const u8 *addr)
{
	struct st_fcvi_peer *peer = st_fcvi_peer_find(f, addr);

	if (peer)
		return peer;
	peer = kzalloc(sizeof(*peer), GFP_ATOMIC | __GFP_NOWARN);
	if (!peer)
		return NULL;
	peer->f = f;
	peer->until = jiffies;
	memcpy(&peer->host, addr, sizeof(peer->host));
	INIT_LIST_HEAD(&peer->vis);
	hash_add(f->peers, &peer->node, st_fcvi_hash(&peer->host));
	return peer;
}

/* Forget a peer that neither af_st nor a VI has. */
static void st_fcvi_peer_try_free(struct st_fcvi_peer *peer)
{
	if (peer->route || !list_empty(&peer->vis))
		return;
	hash_del(&peer->node);
	kfree(peer);
}

static struct st_fcvi_vi *st_fcvi_vi_new(struct st_fcvi_peer *peer, enum st_fcvi_class class)
{
	struct st_fcvi_vi *v = kzalloc(sizeof(*v), GFP_ATOMIC | __GFP_NOWARN);
	struct st_fcvi *f = peer->f;

	if (!v)
		return NULL;
	v->vi = fcvi_vi_new(f->port, &st_fcvi_ops, &f->attrs, NULL, v);
	if (!v->vi) {
		kfree(v);
		return NULL;
	}
	v->peer = peer;
	v->class = class;
	INIT_LIST_HEAD(&v->server);
	list_add_tail(&v->list, &peer->vis);
	return v;
}

static struct st_fcvi_vi *st_fcvi_vi_of(const struct st_fcvi_peer *peer, enum st_fcvi_class class,
					bool connected)
{
	struct st_fcvi_vi *v;

	list_for_each_entry(v, &peer->vis, list)
		if (v->class == class && (v->connected || !connected))
			return v;
	return NULL;
}

/* The peer has one VI less; what was being received on it is forgotten. */
static void st_fcvi_vi_leave(struct st_fcvi_vi *v)
{
	struct st_fcvi_peer *peer = v->peer;

	peer->f->kept -= v->kept;
	v->peer = NULL;
	v->connected = false;
	list_del(&v->list);
	list_del_init(&v->server);
	if (peer->tx[v->class] == v)
		peer->tx[v->class] = st_fcvi_vi_of(peer, v->class, true);
}

/* Outside of calls of fcvi that are for the VI */
static void st_fcvi_vi_end(struct st_fcvi_vi *v)
{
	st_fcvi_vi_leave(v);
	fcvi_vi_free(v->vi);
	kfree(v);
}

/* Inside of them */
static void st_fcvi_vi_end_later(struct st_fcvi_vi *v)
{
	struct st_fcvi *f = v->peer->f;

	st_fcvi_vi_leave(v);
	list_add_tail(&v->list, &f->over);
	queue_work(system_percpu_wq, &f->reap);
}

/**
 * st_fcvi_reap - free VIs that have ended
 * @work: st_fcvi.reap
 */
void st_fcvi_reap(struct work_struct *work)
{
	struct st_fcvi *f = container_of(work, struct st_fcvi, reap);
	struct st_fcvi_vi *v, *next;

	fcvi_lock(f->port);
	list_for_each_entry_safe(v, next, &f->over, list) {
		list_del(&v->list);
		fcvi_vi_free(v->vi);
		kfree(v);
	}
	fcvi_unlock(f->port);
}

/* Tell af_st whether operations can be sent. */
static void st_fcvi_peer_changed(struct st_fcvi_peer *peer)
{
	if (!peer->tx[ST_FCVI_CONTROL] || !peer->tx[ST_FCVI_DATA]) {
		if (peer->route)
			st_route_lost(peer->route);
		return;
	}
	if (!peer->route) {
		/* Without one, the peer's operations are received, and not answered */
		peer->route = st_route_get(peer->f->link, peer->host.s6_addr, NULL, GFP_ATOMIC);
		peer->held = peer->route;
	}
	if (peer->route)
		st_route_up(peer->route);
}

static void st_fcvi_connected(struct st_fcvi_vi *v)
{
	struct st_fcvi_peer *peer = v->peer;

	v->connected = true;
	if (!peer->tx[v->class])
		peer->tx[v->class] = v;
	/* Another VI of the class changes nothing */
	if (peer->tx[v->class] == v)
		st_fcvi_peer_changed(peer);
}

static bool st_fcvi_is_up(const struct st_fcvi *f)
{
	return fc2_port_id(fcvi_port_fc2(f->port));
}

/*
 * A port that begins anew has no N_Port ID at first.  If it is this one, that is no fault of the
 * peer; if it is the peer's, it cannot be reached until it has logged in again.
 */
static void st_fcvi_peer_failed(struct st_fcvi_peer *peer, int err)
{
	if (!st_fcvi_is_up(peer->f) ||
	    (err == -EHOSTUNREACH && time_before(jiffies, peer->until)))
		st_route_lost(peer->route);
	else
		st_route_failed(peer->route, err);
}

/* A setup has failed with @err, or a connection is lost, with 0. */
static void st_fcvi_ended(struct st_fcvi_vi *v, int err)
{
	struct st_fcvi_peer *peer = v->peer;
	enum st_fcvi_class class = v->class;
	bool sending = peer->tx[class] == v;

	st_fcvi_vi_end_later(v);
	if (!err && sending && !peer->tx[class]) {
		peer->until = jiffies + ST_FCVI_ANEW;
		st_fcvi_peer_changed(peer);
	} else if (err && peer->route && !st_fcvi_vi_of(peer, class, false)) {
		st_fcvi_peer_failed(peer, err);
	}
	st_fcvi_peer_try_free(peer);
}

/**
 * st_fcvi_tell - what fcvi tells of a VI
 * @vi: the VI
 * @news: what has happened
 */
void st_fcvi_tell(struct fcvi_vi *vi, enum fcvi_news news)
{
	struct st_fcvi_vi *v = fcvi_vi_priv(vi);

	/* One event may be told as two */
	if (!v->peer)
		return;
	switch (news) {
	case FCVI_NEWS_CONNECTED:
		st_fcvi_connected(v);
		break;
	case FCVI_NEWS_NO_MATCH:
	case FCVI_NEWS_REJECT:
	case FCVI_NEWS_ATTRS:
		st_fcvi_ended(v, -ECONNREFUSED);
		break;
	case FCVI_NEWS_TIMEOUT:
		st_fcvi_ended(v, -ETIMEDOUT);
		break;
	case FCVI_NEWS_UNREACHABLE:
		st_fcvi_ended(v, -EHOSTUNREACH);
		break;
	case FCVI_NEWS_LOST:
		st_fcvi_ended(v, 0);
		break;
	case FCVI_NEWS_COMPLETE:
	case FCVI_NEWS_DISCONNECTED:
	case FCVI_NEWS_NOT_DISCONNECTED:
		break;
	}
}

/* The peer has to find the same one in all that it gets from here. */
static bool st_fcvi_local(struct st_fcvi_peer *peer)
{
	struct fc2_port *fc2 = fcvi_port_fc2(peer->f->port);

	return fc2_farp_own(fc2, &peer->local) ||
	       fc2_host_source(fc2, &peer->host, &peer->local);
}

static int st_fcvi_client(struct st_fcvi_peer *peer, enum st_fcvi_class class)
{
	struct st_fcvi_vi *v = st_fcvi_vi_new(peer, class);
	struct fcvi_addr loc, rem;
	int err;

	if (!v)
		return -ENOMEM;
	st_fcvi_addr(&loc, &peer->local, class);
	st_fcvi_addr(&rem, &peer->host, class);
	err = fcvi_connect_to(v->vi, FCVI_CLIENT, &loc, &rem, ST_FCVI_TIMEOUT);
	if (err)
		st_fcvi_vi_end(v);
	return err;
}

static int st_fcvi_peer_connect(struct st_fcvi_peer *peer)
{
	enum st_fcvi_class class;
	int err;

	if (!st_fcvi_local(peer))
		return -EADDRNOTAVAIL;
	for (class = 0; class < ST_FCVI_CLASSES; class++) {
		if (st_fcvi_vi_of(peer, class, false))
			continue;
		err = st_fcvi_client(peer, class);
		if (err)
			return err;
	}
	if (peer->tx[ST_FCVI_CONTROL] && peer->tx[ST_FCVI_DATA])
		st_route_up(peer->route);
	return 0;
}

/**
 * st_fcvi_connect - st_llp_ops.connect()
 * @route: the route
 *
 * Return: 0 or a negative errno.
 */
int st_fcvi_connect(struct st_route *route)
{
	struct st_fcvi *f = route->link->priv;
	struct st_fcvi_peer *peer;
	int err = -ENOMEM;

	if (!st_fcvi_is_up(f)) {
		/* Asked for again, as long as the Virtual Connections have patience */
		st_route_lost(route);
		return 0;
	}
	fcvi_lock(f->port);
	peer = st_fcvi_peer_get(f, route->addr);
	if (peer) {
		peer->route = route;
		err = st_fcvi_peer_connect(peer);
		if (err)
			st_fcvi_peer_failed(peer, err);
		err = 0;
	}
	fcvi_unlock(f->port);
	return err;
}

static void st_fcvi_peer_end(struct st_fcvi_peer *peer)
{
	struct st_fcvi_vi *v, *next;

	list_for_each_entry_safe(v, next, &peer->vis, list)
		st_fcvi_vi_end(v);
	if (peer->held)
		st_route_put(peer->route);
	peer->route = NULL;
	st_fcvi_peer_try_free(peer);
}

/**
 * st_fcvi_disconnect - st_llp_ops.disconnect()
 * @route: the route
 */
void st_fcvi_disconnect(struct st_route *route)
{
	struct st_fcvi *f = route->link->priv;
	struct st_fcvi_peer *peer;

	fcvi_lock(f->port);
	peer = st_fcvi_peer_find(f, route->addr);
	if (peer)
		st_fcvi_peer_end(peer);
	fcvi_unlock(f->port);
}

/**
 * st_fcvi_peers_end - end all VIs of a link that ends
 * @f: the link; its lock is held
 */
void st_fcvi_peers_end(struct st_fcvi *f)
{
	struct st_fcvi_peer *peer;
	struct hlist_node *next;
	unsigned int i;

	hash_for_each_safe(f->peers, i, next, peer, node)
		st_fcvi_peer_end(peer);
}

/* Whether a remote port may make another VI, and none of another one is in its way. */
static bool st_fcvi_may(struct st_fcvi *f, const struct st_fcvi_peer *peer, u64 wwpn)
{
	unsigned int each = 0, all = 0;
	struct st_fcvi_vi *v;

	list_for_each_entry(v, &f->servers, server) {
		all++;
		each += v->wwpn == wwpn;
		if (v->peer == peer && v->wwpn != wwpn)
			return false;
	}
	return each < ST_FCVI_SERVERS_EACH && all < ST_FCVI_SERVERS_MAX;
}

static bool st_fcvi_accept(struct st_fcvi_peer *peer, struct fcvi_setup *setup,
			   enum st_fcvi_class class)
{
	const struct fcvi_connect *rqst = fcvi_setup_rqst(setup);
	u64 wwpn = fcvi_setup_rport(setup)->wwpn;
	struct st_fcvi_vi *v, *old, *next;
	struct in6_addr local = rqst->rem.host;
	int err;

	if (!st_fcvi_may(peer->f, peer, wwpn))
		return false;
	v = st_fcvi_vi_new(peer, class);
	if (!v)
		return false;
	v->wwpn = wwpn;
	list_add_tail(&v->server, &peer->f->servers);
	err = fcvi_accept(setup, v->vi);
	if (err) {
		st_fcvi_vi_end(v);
		/* The setup is gone already */
		return err == -ETIMEDOUT;
	}
	peer->local = local;
	/* The peer knows nothing of the one before any more */
	list_for_each_entry_safe(old, next, &peer->vis, list)
		if (old != v && old->class == class && !list_empty(&old->server))
			st_fcvi_vi_end_later(old);
	return true;
}

/**
 * st_fcvi_request - a peer connects
 * @point: where
 * @setup: the setup
 */
void st_fcvi_request(struct fcvi_point *point, struct fcvi_setup *setup)
{
	struct st_fcvi_point *p = container_of(point, struct st_fcvi_point, point);
	const u8 *host = fcvi_setup_rqst(setup)->loc.host.s6_addr;
	struct st_fcvi_peer *peer = NULL;

	if (st_addr_ip.valid(host, sizeof(struct in6_addr)))
		peer = st_fcvi_peer_get(p->f, host);
	if (!peer || !st_fcvi_accept(peer, setup, p->class))
		fcvi_reject(setup);
	if (peer)
		st_fcvi_peer_try_free(peer);
}
