// SPDX-License-Identifier: GPL-2.0
/*
 * Exchanges of FC-4s: tables, references, and how they end.
 *
 * fc2_port.xid_lock is inside fc2_exch.lock.  Callbacks of FC-4s are called without either.
 */
#include <kunit/visibility.h>
#include <linux/fc2.h>
#include <linux/hash.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/st_compat.h>

#include "exch.h"
#include "port.h"

#define FC2_EXCH_HASH_BITS	8

/* Of how many of the oldest Exchanges one may be given up, and after how long */
#define FC2_EXCH_LOOKED_AT	32
#define FC2_EXCH_IDLE_MS	100

/**
 * fc2_exch_port_begin - prepare a port for Exchanges
 * @port: the port
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int fc2_exch_port_begin(struct fc2_port *port)
{
	xa_init_flags(&port->xids, XA_FLAGS_ALLOC | XA_FLAGS_LOCK_BH);
	port->rx_exchs = kcalloc(1 << FC2_EXCH_HASH_BITS, sizeof(*port->rx_exchs), GFP_KERNEL);
	return port->rx_exchs ? 0 : -ENOMEM;
}

static struct hlist_head *fc2_exch_bucket(struct fc2_port *port, u32 s_id, u16 ox_id)
{
	return &port->rx_exchs[hash_32(s_id << 16 ^ s_id >> 8 ^ ox_id, FC2_EXCH_HASH_BITS)];
}

static void fc2_exch_free(struct rcu_head *rcu)
{
	struct fc2_exch *exch = container_of(rcu, struct fc2_exch, rcu);

	fc2_rport_put(exch->rport);
	kfree(exch);
}

/**
 * fc2_exch_put - drop a reference to an Exchange
 * @exch: the Exchange
 *
 * Context: any but hard interrupts.
 */
void fc2_exch_put(struct fc2_exch *exch)
{
	if (refcount_dec_and_test(&exch->refs))
		call_rcu(&exch->rcu, fc2_exch_free);
}
EXPORT_SYMBOL_IF_KUNIT(fc2_exch_put);

/* Take an Exchange from its list or xarray; its lock is held. */
static void fc2_exch_unlist(struct fc2_exch *exch)
{
	struct fc2_port *port = exch->rport->port;

	lockdep_assert_held(&exch->lock);
	if (exch->state == FC2_EXCH_OVER)
		return;
	exch->state = FC2_EXCH_OVER;
	fc2_seq_quit(exch->rport, &exch->tx);
	if (exch->responder) {
		spin_lock(&port->xid_lock);
		hlist_del_rcu(&exch->node);
		list_del_rcu(&exch->age);
		port->rx_exch_count--;
		spin_unlock(&port->xid_lock);
		atomic_dec(&exch->rport->exchs);
	} else {
		xa_erase_bh(&port->xids, exch->ox_id);
		atomic_dec(&port->own_exch_count);
	}
	if (timer_delete(&exch->timer))
		fc2_exch_put(exch);
	fc2_exch_put(exch);
}

/**
 * fc2_exch_over - forget an Exchange
 * @exch: the Exchange; the caller has a reference or is under RCU
 *
 * Context: any but hard interrupts.
 */
void fc2_exch_over(struct fc2_exch *exch)
{
	spin_lock_bh(&exch->lock);
	fc2_exch_unlist(exch);
	spin_unlock_bh(&exch->lock);
}

/**
 * fc2_exch_timer - start the timer of an Exchange anew
 * @exch: the Exchange, which is not over, its lock held
 * @ms: milliseconds
 */
void fc2_exch_timer(struct fc2_exch *exch, unsigned long ms)
{
	lockdep_assert_held(&exch->lock);
	refcount_inc(&exch->refs);
	WRITE_ONCE(exch->patience, msecs_to_jiffies(ms));
	if (mod_timer(&exch->timer, jiffies + exch->patience))
		fc2_exch_put(exch);
}

/**
 * fc2_exch_timer_stop - stop the timer of an Exchange
 * @exch: the Exchange, its lock held
 */
void fc2_exch_timer_stop(struct fc2_exch *exch)
{
	lockdep_assert_held(&exch->lock);
	if (timer_pending(&exch->timer) && timer_delete(&exch->timer))
		fc2_exch_put(exch);
}

/**
 * fc2_exch_end - end an open Exchange, and tell its FC-4
 * @exch: the Exchange; the caller has a reference or is under RCU
 * @err: see fc2_exch_ops.end()
 * @rest: discard its frames for R_A_TOV
 *
 * Context: any but hard interrupts.
 */
void fc2_exch_end(struct fc2_exch *exch, int err, bool rest)
{
	bool tell;

	rcu_read_lock();
	spin_lock_bh(&exch->lock);
	tell = exch->state == FC2_EXCH_OPEN;
	if (tell && rest) {
		exch->state = FC2_EXCH_RESTING;
		fc2_seq_quit(exch->rport, &exch->tx);
		fc2_exch_timer(exch, fc2_port_r_a_tov(exch->rport->port));
	} else if (tell) {
		fc2_exch_unlist(exch);
	}
	spin_unlock_bh(&exch->lock);
	if (tell)
		exch->ops->end(exch, err);
	rcu_read_unlock();
}

/* Frames that do not come, a BA_ACC that does not come, or the end of a rest */
static void fc2_exch_expired(struct timer_list *t)
{
	struct fc2_exch *exch = timer_container_of(exch, t, timer);
	struct fc2_port *port = exch->rport->port;

	switch (READ_ONCE(exch->state)) {
	case FC2_EXCH_OPEN:
		fc2_stat_inc(port, FC2_STAT_EXCH_TIMEOUT);
		fc2_exch_end(exch, -EILSEQ, true);
		break;
	case FC2_EXCH_ABORTING:		/* its OX_ID rests, as the ABTS may be lost */
		spin_lock_bh(&exch->lock);
		if (exch->state == FC2_EXCH_ABORTING) {
			exch->state = FC2_EXCH_RESTING;
			fc2_exch_timer(exch, fc2_port_r_a_tov(port));
		}
		spin_unlock_bh(&exch->lock);
		break;
	default:
		fc2_exch_over(exch);
	}
	fc2_exch_put(exch);
}

static struct fc2_exch *fc2_exch_alloc(struct fc2_rport *rport, const struct fc2_prov *prov,
				       gfp_t gfp)
{
	struct fc2_exch *exch = kzalloc(sizeof(*exch), gfp);

	if (!exch)
		return NULL;
	if (!fc2_rport_hold(rport)) {
		kfree(exch);
		return NULL;
	}
	exch->rport = rport;
	exch->prov = prov;
	exch->rx_id = FC_XID_UNKNOWN;
	refcount_set(&exch->refs, 1);
	spin_lock_init(&exch->frame_lock);
	spin_lock_init(&exch->lock);
	timer_setup(&exch->timer, fc2_exch_expired, 0);
	return exch;
}

/**
 * fc2_exch_discard - undo fc2_exch_new_peer()
 * @exch: the Exchange
 *
 * Context: any but hard interrupts.
 */
void fc2_exch_discard(struct fc2_exch *exch)
{
	fc2_rport_put(exch->rport);
	kfree(exch);
}

/**
 * fc2_exch_open - originate an Exchange
 * @rport: the remote port
 * @prov: the FC-4
 * @ops: what it does; constant
 * @priv: for it
 * @gfp: GFP_KERNEL or GFP_ATOMIC
 *
 * The FC-4 has to call fc2_exch_close() or fc2_exch_abort(), unless fc2_exch_ops.end() is called
 * before.  The Exchange, and so @priv, has to live for an RCU grace period after that: an FC-4 uses
 * an Exchange that may end at any moment under RCU.
 *
 * Context: as @gfp says.
 * Return: the Exchange, or an error pointer: -ENOTCONN when @rport has logged out, -EAGAIN when too
 * many are open, -ENOMEM.
 */
struct fc2_exch *fc2_exch_open(struct fc2_rport *rport, const struct fc2_prov *prov,
			       const struct fc2_exch_ops *ops, void *priv, gfp_t gfp)
{
	struct fc2_port *port = rport->port;
	struct fc2_exch *exch;
	bool gone;
	u32 id;
	int err;

	if (!READ_ONCE(rport->logged_in))
		return ERR_PTR(-ENOTCONN);
	if (atomic_inc_return(&port->own_exch_count) > FC2_EXCH_MAX) {
		atomic_dec(&port->own_exch_count);
		return ERR_PTR(-EAGAIN);
	}
	exch = fc2_exch_alloc(rport, prov, gfp);
	if (!exch) {
		atomic_dec(&port->own_exch_count);
		return ERR_PTR(-ENOMEM);
	}
	exch->ops = ops;
	exch->priv = priv;
	/* The number is there before others can find the Exchange by it */
	err = xa_alloc_cyclic_bh(&port->xids, &id, NULL, XA_LIMIT(0, FC2_XID_MAX),
				 &port->xid_next, gfp);
	if (err < 0) {
		atomic_dec(&port->own_exch_count);
		fc2_exch_discard(exch);
		return ERR_PTR(err == -EBUSY ? -EAGAIN : err);
	}
	exch->ox_id = id;
	/* With the lock: fc2_exch_logout() tells nobody of an Exchange that is not open yet */
	spin_lock_bh(&exch->lock);
	xa_store_bh(&port->xids, id, exch, GFP_ATOMIC);
	/* Pairs with smp_mb() there */
	smp_mb();
	gone = !READ_ONCE(rport->logged_in);
	if (gone)
		fc2_exch_unlist(exch);
	spin_unlock_bh(&exch->lock);
	if (gone)
		return ERR_PTR(-ENOTCONN);
	fc2_stat_inc(port, FC2_STAT_EXCH_OPENED);
	return exch;
}
EXPORT_SYMBOL_GPL(fc2_exch_open);

/**
 * fc2_exch_find_own - an Exchange that this port originated
 * @port: the port
 * @ox_id: its OX_ID
 *
 * Context: under RCU.
 * Return: the Exchange, or NULL.
 */
struct fc2_exch *fc2_exch_find_own(struct fc2_port *port, u16 ox_id)
{
	return xa_load(&port->xids, ox_id);
}

/**
 * fc2_exch_find_peer - an Exchange that a remote port originated
 * @port: the port
 * @s_id: N_Port ID of the remote port
 * @ox_id: its OX_ID
 *
 * Context: under RCU.
 * Return: the Exchange, or NULL.
 */
struct fc2_exch *fc2_exch_find_peer(struct fc2_port *port, u32 s_id, u16 ox_id)
{
	struct fc2_exch *exch;

	hlist_for_each_entry_rcu(exch, fc2_exch_bucket(port, s_id, ox_id), node)
		if (exch->ox_id == ox_id && exch->rport->id == s_id &&
		    READ_ONCE(exch->state) != FC2_EXCH_OVER)
			return exch;
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(fc2_exch_find_peer);

/* For how many jiffies an Exchange has waited for the next frame; 0: it does not */
static unsigned long fc2_exch_idle(const struct fc2_exch *exch)
{
	unsigned long until = READ_ONCE(exch->timer.expires);
	long idle = jiffies - (until - READ_ONCE(exch->patience));

	if (!timer_pending(&exch->timer) || READ_ONCE(exch->state) != FC2_EXCH_OPEN)
		return 0;
	return max(idle, 0L);
}

/*
 * A remote port has no more Exchanges: make room for one.  Without order each doubled frame of an
 * Exchange that is over begins another, of which no more comes.  So of the oldest the one that has
 * waited longest is given up.
 */
static bool fc2_exch_evict(struct fc2_rport *rport)
{
	struct fc2_exch *exch, *victim = NULL;
	unsigned int left = FC2_EXCH_LOOKED_AT;
	unsigned long idle, most = 0;

	list_for_each_entry_rcu(exch, &rport->by_age, age) {
		idle = fc2_exch_idle(exch);
		if (idle > most) {
			most = idle;
			victim = exch;
		}
		if (!--left)
			break;
	}
	if (most < msecs_to_jiffies(FC2_EXCH_IDLE_MS))
		return false;
	fc2_stat_inc(rport->port, FC2_STAT_EXCH_EVICTED);
	fc2_exch_end(victim, -EILSEQ, false);
	return true;
}

/* Whether a remote port can have another Exchange */
static bool fc2_exch_room(struct fc2_rport *rport)
{
	if (READ_ONCE(rport->port->rx_exch_count) < FC2_EXCH_MAX &&
	    atomic_read(&rport->exchs) < FC2_EXCH_RPORT_MAX)
		return true;
	return !fc2_port_ordered(rport->port) && fc2_exch_evict(rport);
}

/**
 * fc2_exch_new_peer - a remote port originates an Exchange
 * @rport: the remote port
 * @prov: the FC-4
 * @ox_id: its OX_ID, that of no other Exchange of @rport
 *
 * Context: softirq, under RCU.
 * Return: the Exchange, not listed and without fc2_exch.ops, or NULL when there are too many, or no
 * memory; this is counted.
 */
struct fc2_exch *fc2_exch_new_peer(struct fc2_rport *rport, const struct fc2_prov *prov, u16 ox_id)
{
	struct fc2_port *port = rport->port;
	struct fc2_exch *exch;

	if (!fc2_exch_room(rport)) {
		fc2_stat_inc(port, FC2_STAT_RX_EXCH_FULL);
		return NULL;
	}
	exch = fc2_exch_alloc(rport, prov, GFP_ATOMIC);
	if (!exch) {
		fc2_stat_inc(port, FC2_STAT_RX_NO_MEMORY);
		return NULL;
	}
	exch->responder = true;
	exch->ox_id = ox_id;
	return exch;
}

/**
 * fc2_exch_list_peer - let frames find an Exchange that a remote port originates
 * @exch: the Exchange, accepted by its FC-4
 *
 * Context: softirq, under RCU.
 * Return: false when the remote port has logged out and fc2_exch_ops.end() was called.
 */
bool fc2_exch_list_peer(struct fc2_exch *exch)
{
	struct fc2_rport *rport = exch->rport;
	struct fc2_port *port = rport->port;

	atomic_inc(&rport->exchs);
	spin_lock_bh(&port->xid_lock);
	port->rx_exch_count++;
	/* Any but FC_XID_UNKNOWN: frames are told apart by S_ID and OX_ID */
	exch->rx_id = port->rx_id_next++ % FC_XID_UNKNOWN;
	hlist_add_head_rcu(&exch->node, fc2_exch_bucket(port, rport->id, exch->ox_id));
	list_add_tail_rcu(&exch->age, &rport->by_age);
	spin_unlock_bh(&port->xid_lock);
	/*
	 * fc2_exch_logout() may have walked the Exchanges before this one was there.  Pairs with
	 * smp_mb() there
	 */
	smp_mb();
	if (READ_ONCE(rport->logged_in))
		return true;
	fc2_exch_end(exch, -ENOTCONN, false);
	return false;
}

/**
 * fc2_exch_accept - take part in an Exchange that a remote port originated
 * @exch: what struct fc2_prov's open() got
 * @ops: what the FC-4 does; constant
 * @priv: for it; see fc2_exch_open()
 *
 * Context: in struct fc2_prov's open().
 */
void fc2_exch_accept(struct fc2_exch *exch, const struct fc2_exch_ops *ops, void *priv)
{
	exch->priv = priv;
	exch->ops = ops;
	fc2_stat_inc(exch->rport->port, FC2_STAT_EXCH_ACCEPTED);
}
EXPORT_SYMBOL_GPL(fc2_exch_accept);

/**
 * fc2_exch_priv - what belongs to the FC-4
 * @exch: the Exchange
 *
 * Return: @priv of fc2_exch_open() or fc2_exch_accept().
 */
void *fc2_exch_priv(const struct fc2_exch *exch)
{
	return exch->priv;
}
EXPORT_SYMBOL_GPL(fc2_exch_priv);

/**
 * fc2_exch_rport - the other side of an Exchange
 * @exch: the Exchange
 *
 * Return: the remote port, which is there as long as the Exchange is.
 */
struct fc2_rport *fc2_exch_rport(const struct fc2_exch *exch)
{
	return exch->rport;
}
EXPORT_SYMBOL_GPL(fc2_exch_rport);

/**
 * fc2_exch_send - send a frame in an Exchange
 * @exch: the Exchange, open
 * @skb: data field, which begins with the optional headers, with FC2_HEADROOM in front of it;
 *	consumed
 * @send: fields of its header.  A frame after one with FC2_SEND_END_SEQ begins the next Sequence.
 *
 * The frame with FC2_SEND_LAST_SEQ is the last one; fc2_exch_close() has to follow.
 *
 * Context: any but hard interrupts; one call at a time for an Exchange.
 * Return: 0, -ENOTCONN when the Exchange is over, -EAGAIN when 255 Sequences to the remote port are
 * open, or another negative errno when the frame was dropped.
 */
int fc2_exch_send(struct fc2_exch *exch, struct sk_buff *skb, const struct fc2_send *send)
{
	const struct fc2_seq_ids ids = {
		.type		= exch->prov->type,
		.ox_id		= exch->ox_id,
		.rx_id		= READ_ONCE(exch->rx_id),
		.responder	= exch->responder,
	};

	int err;

	if (READ_ONCE(exch->state) != FC2_EXCH_OPEN) {
		kfree_skb(skb);
		return -ENOTCONN;
	}
	err = fc2_seq_send(exch->rport, &exch->tx, &ids, skb, send);
	/* Whoever has ended it meanwhile may not have seen the Sequence, which keeps a SEQ_ID */
	if (READ_ONCE(exch->state) != FC2_EXCH_OPEN)
		fc2_seq_quit(exch->rport, &exch->tx);
	return err;
}
EXPORT_SYMBOL_GPL(fc2_exch_send);

/**
 * fc2_exch_close - end an Exchange in good order
 * @exch: the Exchange
 *
 * fc2_exch_ops.frame() may still be running on another CPU, but ends before an RCU grace period has
 * passed.
 *
 * Context: under RCU unless the Exchange cannot end otherwise; any but hard interrupts.
 * Return: true when fc2_exch_ops.end() was not called, and will not be; false when it was, or is
 * about to be, as the Exchange has ended otherwise: what belongs to it is left to that.
 */
bool fc2_exch_close(struct fc2_exch *exch)
{
	bool open;

	spin_lock_bh(&exch->lock);
	open = exch->state == FC2_EXCH_OPEN;
	if (open)
		fc2_exch_unlist(exch);
	spin_unlock_bh(&exch->lock);
	return open;
}
EXPORT_SYMBOL_GPL(fc2_exch_close);

/* Call @fn for all Exchanges of a port; it may end them. */
static void fc2_exch_each(struct fc2_port *port, void (*fn)(struct fc2_exch *, const void *),
			  const void *arg)
{
	struct fc2_exch *exch;
	unsigned long id;
	unsigned int i;

	rcu_read_lock();
	xa_for_each(&port->xids, id, exch)
		fn(exch, arg);
	for (i = 0; i < 1 << FC2_EXCH_HASH_BITS; i++)
		hlist_for_each_entry_rcu(exch, &port->rx_exchs[i], node)
			fn(exch, arg);
	rcu_read_unlock();
}

static void fc2_exch_end_rport(struct fc2_exch *exch, const void *rport)
{
	if (rport && exch->rport != rport)
		return;
	fc2_exch_end(exch, -ENOTCONN, false);
	fc2_exch_over(exch);
}

static void fc2_exch_end_prov(struct fc2_exch *exch, const void *prov)
{
	if (exch->prov != prov)
		return;
	fc2_exch_end(exch, -ENOTCONN, false);
	fc2_exch_over(exch);
}

/**
 * fc2_exch_logout - end all Exchanges with a remote port
 * @rport: the remote port, which is not logged in any more
 *
 * Context: process.
 */
void fc2_exch_logout(struct fc2_rport *rport)
{
	/* Whoever lists an Exchange later sees that, and ends it */
	smp_mb();
	fc2_exch_each(rport->port, fc2_exch_end_rport, rport);
}
EXPORT_SYMBOL_IF_KUNIT(fc2_exch_logout);

/**
 * fc2_exch_prov_end - end all Exchanges of an FC-4 that goes away
 * @port: the port
 * @prov: the FC-4, which frames do not reach any more
 *
 * Context: process.
 */
void fc2_exch_prov_end(struct fc2_port *port, const struct fc2_prov *prov)
{
	fc2_exch_each(port, fc2_exch_end_prov, prov);
}

/**
 * fc2_exch_port_end - end all Exchanges of a port
 * @port: the port, which receives no frames any more
 *
 * Context: process.
 */
void fc2_exch_port_end(struct fc2_port *port)
{
	fc2_exch_each(port, fc2_exch_end_rport, NULL);
	/* Others may still look at the tables */
	synchronize_rcu();
	xa_destroy(&port->xids);
	kfree(port->rx_exchs);
}
