/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Exchanges.
 */
#ifndef _FC2_EXCH_H
#define _FC2_EXCH_H

#include <linux/fc2.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

#include "seq_rx.h"
#include "seq_tx.h"

/* OX_IDs of Exchanges with a struct fc2_exch, and of fc2_send_alone(); the rest is for ELS */
#define FC2_XID_MAX		0x7fff
#define FC2_XID_ALONE		0x8000
#define FC2_XID_ALONE_MAX	0xfeff

/* Most Exchanges that a remote port can have open */
#define FC2_EXCH_RPORT_MAX	1024

/**
 * enum fc2_exch_state - state of an Exchange
 * @FC2_EXCH_OPEN: it is open
 * @FC2_EXCH_ABORTING: ABTS was sent
 * @FC2_EXCH_RESTING: it is over; its frames are discarded, and its OX_ID is not used again yet
 * @FC2_EXCH_OVER: it is on no list any more
 */
enum fc2_exch_state {
	FC2_EXCH_OPEN,
	FC2_EXCH_ABORTING,
	FC2_EXCH_RESTING,
	FC2_EXCH_OVER,
};

/**
 * struct fc2_exch - an Exchange
 * @rport: the remote port, with a reference
 * @prov: the FC-4
 * @ops: what the FC-4 does
 * @priv: of the FC-4
 * @node: in fc2_port.rx_exchs, of one that the remote port originated
 * @age: in fc2_rport.by_age, likewise
 * @patience: how long the next frame may take, in jiffies, as @timer was started
 * @refs: references: of the list or xarray, of @timer while it is pending, and of callers
 * @rcu: frees it
 * @ox_id: OX_ID
 * @rx_id: RX_ID, FC_XID_UNKNOWN until the responder has given one
 * @responder: the remote port originated it
 * @frame_lock: of frames on their way to fc2_exch_ops.frame(), outside @lock
 * @lock: of what follows
 * @state: its state
 * @tx: Sequences that are sent
 * @rx: Sequences that arrive
 * @timer: for frames that are missing, a BA_ACC, and the end of FC2_EXCH_RESTING
 */
struct fc2_exch {
	struct fc2_rport	*rport;
	const struct fc2_prov	*prov;
	const struct fc2_exch_ops *ops;
	void			*priv;
	struct hlist_node	node;
	struct list_head	age;
	unsigned long		patience;
	refcount_t		refs;
	struct rcu_head		rcu;
	u16			ox_id;
	u16			rx_id;
	bool			responder;
	spinlock_t		frame_lock;	/* hands frames over one at a time */
	spinlock_t		lock;	/* of the members below */
	enum fc2_exch_state	state;
	struct fc2_seq_tx	tx;
	struct fc2_seq_rx	rx;
	struct timer_list	timer;
};

int fc2_exch_port_begin(struct fc2_port *port);
void fc2_exch_port_end(struct fc2_port *port);
void fc2_exch_logout(struct fc2_rport *rport);
void fc2_exch_prov_end(struct fc2_port *port, const struct fc2_prov *prov);

struct fc2_exch *fc2_exch_find_own(struct fc2_port *port, u16 ox_id);
struct fc2_exch *fc2_exch_find_peer(struct fc2_port *port, u32 s_id, u16 ox_id);
struct fc2_exch *fc2_exch_new_peer(struct fc2_rport *rport, const struct fc2_prov *prov,
				   u16 ox_id);
void fc2_exch_discard(struct fc2_exch *exch);
bool fc2_exch_list_peer(struct fc2_exch *exch);
void fc2_exch_over(struct fc2_exch *exch);
void fc2_exch_end(struct fc2_exch *exch, int err, bool rest);
void fc2_exch_timer(struct fc2_exch *exch, unsigned long ms);
void fc2_exch_timer_stop(struct fc2_exch *exch);
void fc2_exch_put(struct fc2_exch *exch);

#endif
