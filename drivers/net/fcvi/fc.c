// SPDX-License-Identifier: GPL-2.0
/*
 * FC-VI on the Exchanges of FC-2: the transport of connection IUs, and the ports that have it.
 *
 * The lock of a port is taken before those of its Exchanges.  fc2 calls into an Exchange under RCU,
 * without locks, and may do so while it is being closed: what is closed is freed after a grace
 * period.
 */
#include <linux/fc2.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "fc.h"
#include "gather.h"
#include "port.h"
#include "timer.h"

/* Device_Header of connection IUs */
#define FCVI_FC_DH		32

/**
 * struct fcvi_fc_port - a port on fc2
 * @port: what knows no transport
 * @list: in fcvi_fc_ports
 * @fc2: the port of fc2
 * @clock: runs the timers of @port
 * @drops: frames that were dropped, by enum fcvi_verdict; under the lock of @port
 * @gone: no IUs are taken any more; under the lock of @port
 * @refs: one while it is in the list, one of each Exchange
 * @rcu: frees it
 */
struct fcvi_fc_port {
	struct fcvi_port	port;
	struct list_head	list;
	struct fc2_port		*fc2;
	struct delayed_work	clock;
	unsigned long		drops[FCVI_VERDICTS];
	bool			gone;
	refcount_t		refs;
	struct rcu_head		rcu;
};

/**
 * struct fcvi_fc_xchg - an Exchange
 * @x: what knows no transport
 * @port: its port, with a reference
 * @exch: the Exchange of fc2
 * @over: it was ended; under the lock of the port
 * @payload: of the IU that comes; one Sequence is open at a time
 * @rcu: frees it
 */
struct fcvi_fc_xchg {
	struct fcvi_xchg	x;
	struct fcvi_fc_port	*port;
	struct fc2_exch		*exch;
	bool			over;
	struct fcvi_gather	payload;
	struct rcu_head		rcu;
};

static struct fc2_prov fcvi_fc_prov;

/* Changed under RTNL, read under RCU */
static LIST_HEAD(fcvi_fc_ports);

static struct fcvi_fc_port *fcvi_fc_port(struct fcvi_port *port)
{
	return container_of(port, struct fcvi_fc_port, port);
}

/* Under RCU, or RTNL */
static struct fcvi_fc_port *fcvi_fc_find(const struct fc2_port *fc2)
{
	struct fcvi_fc_port *p;

	list_for_each_entry_rcu(p, &fcvi_fc_ports, list, lockdep_rtnl_is_held())
		if (p->fc2 == fc2)
			return p;
	return NULL;
}

static void fcvi_fc_port_put(struct fcvi_fc_port *p)
{
	if (refcount_dec_and_test(&p->refs))
		kfree_rcu(p, rcu);
}

static struct fcvi_fc_xchg *fcvi_fc_xchg_new(struct fcvi_fc_port *p, struct fc2_rport *rport)
{
	struct fcvi_fc_xchg *fx = kzalloc(sizeof(*fx), GFP_ATOMIC);

	if (!fx)
		return NULL;
	refcount_inc(&p->refs);
	fx->port = p;
	fx->x.port = &p->port;
	fx->x.rport = rport;
	return fx;
}

static void fcvi_fc_xchg_free(struct fcvi_fc_xchg *fx)
{
	fx->over = true;
	fcvi_fc_port_put(fx->port);
	kfree_rcu(fx, rcu);
}

static void fcvi_fc_close(struct fcvi_xchg *x)
{
	struct fcvi_fc_xchg *fx = container_of(x, struct fcvi_fc_xchg, x);

	fc2_exch_close(fx->exch);
	fcvi_fc_xchg_free(fx);
}

/* The verdict for a frame, whose IU @iu gets when it is complete */
static enum fcvi_verdict fcvi_fc_take(struct fcvi_fc_xchg *fx, struct sk_buff *skb,
				      struct fcvi_iu *iu)
{
	const struct fc_frame_header *fh = fc2_frame_hdr(skb);
	unsigned int dh = fh->fh_df_ctl == FCVI_DF_16 ? 16 : FCVI_FC_DH;
	enum fcvi_verdict verdict;

	if (!pskb_may_pull(skb, min(skb->len, dh)))
		return FCVI_SHORT;
	verdict = fcvi_decode(iu, fc2_frame_hdr(skb), skb->data, skb->len);
	if (verdict != FCVI_GOOD)
		return verdict;
	/* Connection IUs only, with the large header */
	if (iu->opcode < FCVI_CONNECT_RQST)
		return FCVI_BAD_OPCODE;
	fcvi_gather_add(&fx->payload, be32_to_cpu(fc2_frame_hdr(skb)->fh_parm_offset), skb,
			FCVI_FC_DH);
	return FCVI_GOOD;
}

static void fcvi_fc_iu(struct fcvi_fc_xchg *fx, const struct fcvi_iu *iu)
{
	unsigned int len = fcvi_gather_len(&fx->payload);
	struct fcvi_connect c;
	bool good = false;

	if (iu->opcode == FCVI_CONNECT_RQST)
		good = fcvi_decode_rqst(&c, iu, fx->payload.data, len);
	else if (iu->opcode == FCVI_CONNECT_RESP1)
		good = fcvi_decode_resp1(&c, iu, fx->payload.data, len);
	fcvi_gather_begin(&fx->payload);
	fcvi_port_iu(&fx->x, iu, good ? &c : NULL);
}

static void fcvi_fc_frame(struct fc2_exch *exch, struct sk_buff *skb)
{
	struct fcvi_fc_xchg *fx = fc2_exch_priv(exch);
	bool end = fc2_skb_cb(skb)->flags & FC2_SEND_END_SEQ;
	struct fcvi_fc_port *p = fx->port;
	enum fcvi_verdict verdict;
	struct fcvi_iu iu;

	spin_lock_bh(&p->port.lock);
	if (!fx->over && !p->gone) {
		verdict = fcvi_fc_take(fx, skb, &iu);
		if (verdict != FCVI_GOOD)
			p->drops[verdict]++;
		else if (end)
			fcvi_fc_iu(fx, &iu);
		/* What has led to nothing waits for no answer of ours: fc2 does not end it */
		if (end && !fx->over && !fx->x.setup && !fx->x.disc)
			fcvi_fc_close(&fx->x);
	}
	spin_unlock_bh(&p->port.lock);
	consume_skb(skb);
}

static void fcvi_fc_ended(struct fc2_exch *exch, int err)
{
	struct fcvi_fc_xchg *fx = fc2_exch_priv(exch);
	struct fcvi_port *port = fx->x.port;

	spin_lock_bh(&port->lock);
	if (!fx->over) {
		fcvi_port_end(&fx->x, err);
		fcvi_fc_xchg_free(fx);
	}
	spin_unlock_bh(&port->lock);
}

static const struct fc2_exch_ops fcvi_fc_exch_ops = {
	.frame	= fcvi_fc_frame,
	.end	= fcvi_fc_ended,
};

/* A remote port begins an Exchange. */
static int fcvi_fc_opened(struct fc2_exch *exch, const struct sk_buff *skb)
{
	struct fc2_rport *rport = fc2_exch_rport(exch);
	struct fcvi_fc_port *p = fcvi_fc_find(rport->port);
	struct fcvi_fc_xchg *fx;

	if (!p || fc2_frame_hdr(skb)->fh_r_ctl != fcvi_iu_r_ctl(FCVI_CONNECT_RQST))
		return -EPROTONOSUPPORT;
	fx = fcvi_fc_xchg_new(p, rport);
	if (!fx)
		return -ENOMEM;
	fx->exch = exch;
	fc2_exch_accept(exch, &fcvi_fc_exch_ops, fx);
	return 0;
}

static u64 fcvi_fc_now(struct fcvi_port *port)
{
	return ktime_to_ms(ktime_get());
}

static void fcvi_fc_arm(struct fcvi_port *port, u64 when)
{
	u64 now = fcvi_fc_now(port);

	mod_delayed_work(system_wq, &fcvi_fc_port(port)->clock,
			 when > now ? msecs_to_jiffies(when - now) + 1 : 0);
}

static void fcvi_fc_clock(struct work_struct *work)
{
	struct fcvi_fc_port *p = container_of(to_delayed_work(work), struct fcvi_fc_port, clock);

	spin_lock_bh(&p->port.lock);
	fcvi_timers_run(&p->port);
	spin_unlock_bh(&p->port.lock);
}

static struct fcvi_xchg *fcvi_fc_open(struct fcvi_port *port, struct fc2_rport *rport)
{
	struct fcvi_fc_xchg *fx = fcvi_fc_xchg_new(fcvi_fc_port(port), rport);
	struct fc2_exch *exch;

	if (!fx)
		return NULL;
	exch = fc2_exch_open(rport, &fcvi_fc_prov, &fcvi_fc_exch_ops, fx, GFP_ATOMIC);
	if (IS_ERR(exch)) {
		fcvi_fc_xchg_free(fx);
		return NULL;
	}
	fx->exch = exch;
	return &fx->x;
}

static void fcvi_fc_abort(struct fcvi_xchg *x)
{
	struct fcvi_fc_xchg *fx = container_of(x, struct fcvi_fc_xchg, x);

	fc2_exch_abort(fx->exch);
	fcvi_fc_xchg_free(fx);
}

/* One frame of an IU; what can't be sent is lost, as others */
static void fcvi_fc_send_frame(struct fcvi_fc_xchg *fx, const struct fcvi_iu *iu, const u8 *data,
			       unsigned int len, u32 offset, u8 flags)
{
	const struct fc2_send send = {
		.r_ctl	= fcvi_iu_r_ctl(iu->opcode),
		.df_ctl	= fcvi_iu_df_ctl(iu->opcode),
		.flags	= flags | (len ? FC2_SEND_OFFSET : 0),
		.param	= offset,
	};
	struct sk_buff *skb = alloc_skb(FC2_HEADROOM + FCVI_FC_DH + len + FC2_TAILROOM,
					GFP_ATOMIC);

	if (!skb)
		return;
	skb_reserve(skb, FC2_HEADROOM);
	skb_put(skb, fcvi_encode(skb->data, iu));
	skb_put_data(skb, data, len);
	fc2_exch_send(fx->exch, skb, &send);
}

static void fcvi_fc_send(struct fcvi_xchg *x, const struct fcvi_iu *iu,
			 const struct fcvi_connect *c)
{
	struct fcvi_fc_xchg *fx = container_of(x, struct fcvi_fc_xchg, x);
	unsigned int room = round_down(x->rport->mfs - FCVI_FC_DH, 4);
	unsigned int len = c ? FCVI_CONNECT_LEN : 0, pos = 0, n;
	u8 payload[FCVI_CONNECT_LEN], end = fcvi_iu_end(iu->opcode);

	if (c)
		fcvi_encode_connect(payload, c);
	do {
		n = min(len - pos, room);
		fcvi_fc_send_frame(fx, iu, payload + pos, n, pos, pos + n == len ? end : 0);
		pos += n;
	} while (pos < len);
	if (end & FC2_SEND_LAST_SEQ)
		fcvi_fc_close(x);
}

static const struct fcvi_transport fcvi_fc_transport = {
	.now	= fcvi_fc_now,
	.arm	= fcvi_fc_arm,
	.open	= fcvi_fc_open,
	.send	= fcvi_fc_send,
	.abort	= fcvi_fc_abort,
	.close	= fcvi_fc_close,
};

static void fcvi_fc_port_add(struct fc2_port *fc2)
{
	struct fcvi_fc_port *p = kzalloc(sizeof(*p), GFP_KERNEL);

	if (!p)
		return;
	fcvi_port_init(&p->port, &fcvi_fc_transport, fc2_port_wwpn(fc2), fc2_port_r_a_tov(fc2));
	p->fc2 = fc2;
	INIT_DELAYED_WORK(&p->clock, fcvi_fc_clock);
	refcount_set(&p->refs, 1);
	list_add_rcu(&p->list, &fcvi_fc_ports);
}

static void fcvi_fc_port_del(struct fc2_port *fc2)
{
	struct fcvi_fc_port *p = fcvi_fc_find(fc2);

	if (!p)
		return;
	list_del_rcu(&p->list);
	/* No new Exchange finds it after this */
	synchronize_rcu();
	spin_lock_bh(&p->port.lock);
	p->gone = true;
	fcvi_port_free(&p->port);
	spin_unlock_bh(&p->port.lock);
	cancel_delayed_work_sync(&p->clock);
	fcvi_fc_port_put(p);
}

static void fcvi_fc_port_change(struct fc2_port *fc2)
{
	struct fcvi_fc_port *p;

	rcu_read_lock();
	p = fcvi_fc_find(fc2);
	if (p) {
		spin_lock_bh(&p->port.lock);
		p->port.r_a_tov = fc2_port_r_a_tov(fc2);
		spin_unlock_bh(&p->port.lock);
	}
	rcu_read_unlock();
}

static void fcvi_fc_logout(struct fc2_rport *rport)
{
	struct fcvi_fc_port *p;

	rcu_read_lock();
	p = fcvi_fc_find(rport->port);
	if (p) {
		spin_lock_bh(&p->port.lock);
		fcvi_port_logout(&p->port, rport);
		spin_unlock_bh(&p->port.lock);
	}
	rcu_read_unlock();
}

static struct fc2_prov fcvi_fc_prov = {
	.type		= FC2_TYPE_FCVI,
	.port_add	= fcvi_fc_port_add,
	.port_del	= fcvi_fc_port_del,
	.port_change	= fcvi_fc_port_change,
	.logout		= fcvi_fc_logout,
	.open		= fcvi_fc_opened,
};

/**
 * fcvi_fc_begin - register with FC-2
 *
 * Return: 0 or a negative errno.
 */
int fcvi_fc_begin(void)
{
	return fc2_prov_register(&fcvi_fc_prov);
}

/**
 * fcvi_fc_end - unregister, which ends all ports
 */
void fcvi_fc_end(void)
{
	fc2_prov_unregister(&fcvi_fc_prov);
	/* An Exchange may just be telling its end */
	synchronize_rcu();
}
