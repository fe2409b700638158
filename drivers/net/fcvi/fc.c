// SPDX-License-Identifier: GPL-2.0
/*
 * FC-VI on the Exchanges of FC-2: the transport of connection IUs, and the life of ports.
 *
 * The lock of a port is taken before those of its Exchanges.  fc2 calls into an Exchange under RCU,
 * without locks, and may do so while it is being closed: what is closed is freed after a grace
 * period.
 */
#include <linux/fc2.h>
#include <linux/slab.h>
#include <linux/st_compat.h>
#include <linux/workqueue.h>

#include "fc.h"
#include "fc_flow.h"
#include "fc_msg.h"
#include "fc_port.h"
#include "gather.h"
#include "port.h"
#include "resolve.h"
#include "timer.h"
#include "user.h"

/* Device_Header of connection IUs */
#define FCVI_FC_DH		32

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
static enum fcvi_verdict fcvi_fc_take(struct fcvi_fc_xchg *fx, const struct sk_buff *skb,
				      struct fcvi_iu *iu)
{
	enum fcvi_verdict verdict = fcvi_fc_decode(iu, skb);

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

static int fcvi_fc_setup_open(struct fcvi_fc_port *p, struct fc2_exch *exch)
{
	struct fcvi_fc_xchg *fx = fcvi_fc_xchg_new(p, fc2_exch_rport(exch));

	if (!fx)
		return -ENOMEM;
	fx->exch = exch;
	fc2_exch_accept(exch, &fcvi_fc_exch_ops, fx);
	return 0;
}

/* A remote port begins an Exchange: R_CTL tells what it is for, table 1. */
static int fcvi_fc_opened(struct fc2_exch *exch, const struct sk_buff *skb)
{
	struct fcvi_fc_port *p = fcvi_fc_find(fc2_exch_rport(exch)->port);

	if (!p)
		return -EPROTONOSUPPORT;
	switch (fc2_frame_hdr(skb)->fh_r_ctl) {
	case FC_RCTL_DD_SOL_DATA:
	case FC_RCTL_DD_UNSOL_CMD:
		return fcvi_fc_msg_open(p, exch, skb);
	case FC_RCTL_DD_UNSOL_CTL:
		return fcvi_fc_setup_open(p, exch);
	default:
		return -EPROTONOSUPPORT;
	}
}

static u64 fcvi_fc_now(struct fcvi_port *port)
{
	return ktime_to_ms(ktime_get());
}

static void fcvi_fc_arm(struct fcvi_port *port, u64 when)
{
	u64 now = fcvi_fc_now(port);

	mod_delayed_work(system_percpu_wq, &fcvi_fc_port(port)->clock,
			 when > now ? msecs_to_jiffies(when - now) + 1 : 0);
}

static void fcvi_fc_clock(struct work_struct *work)
{
	struct fcvi_fc_port *p = container_of(to_delayed_work(work), struct fcvi_fc_port, clock);

	spin_lock_bh(&p->port.lock);
	fcvi_timers_run(&p->port);
	spin_unlock_bh(&p->port.lock);
}

static bool fcvi_fc_own(struct fcvi_port *port, const struct in6_addr *host)
{
	return fc2_farp_own(fcvi_fc_port(port)->fc2, host);
}

static int fcvi_fc_find_rport(struct fcvi_port *port, const struct in6_addr *host,
			      struct fc2_rport **rport)
{
	struct fc2_port *fc2 = fcvi_fc_port(port)->fc2;
	u32 id;
	int err;

	err = fc2_farp_resolve(fc2, host, &id);
	if (err)
		return err;
	/* A logout that comes later is told when the lock of the port is free */
	rcu_read_lock();
	*rport = fc2_rport_by_id(fc2, id);
	rcu_read_unlock();
	return *rport ? 0 : -ENOTCONN;
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
	.own	= fcvi_fc_own,
	.find	= fcvi_fc_find_rport,
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
	if (fcvi_fc_flow_begin(p)) {
		kfree(p);
		return;
	}
	p->port.msgs = &fcvi_fc_msgs;
	fc2_port_hold(fc2);
	p->fc2 = fc2;
	p->prov = &fcvi_fc_prov;
	p->port.ordered = fc2_port_ordered(fc2);
	INIT_DELAYED_WORK(&p->clock, fcvi_fc_clock);
	refcount_set(&p->refs, 1);
	fcvi_fc_port_list(p);
}

static void fcvi_fc_port_del(struct fc2_port *fc2)
{
	struct fcvi_fc_port *p = fcvi_fc_find(fc2);

	if (!p)
		return;
	fcvi_clients_port_del(&p->port);
	/* No new Exchange finds it after this */
	fcvi_fc_port_unlist(p);
	spin_lock_bh(&p->port.lock);
	p->gone = true;
	fcvi_port_free(&p->port);
	spin_unlock_bh(&p->port.lock);
	cancel_delayed_work_sync(&p->clock);
	fcvi_fc_flow_end(p);
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
		p->port.ordered = fc2_port_ordered(fc2);
		spin_unlock_bh(&p->port.lock);
		fcvi_clients_port_change(&p->port);
	}
	rcu_read_unlock();
}

static void fcvi_fc_resolved(struct fc2_port *fc2, const struct in6_addr *ip, int err)
{
	struct fcvi_fc_port *p;

	rcu_read_lock();
	p = fcvi_fc_find(fc2);
	if (p) {
		spin_lock_bh(&p->port.lock);
		fcvi_resolved(&p->port, ip, err);
		spin_unlock_bh(&p->port.lock);
	}
	rcu_read_unlock();
}

static void fcvi_fc_login(struct fc2_rport *rport)
{
	struct fcvi_fc_port *p;

	rcu_read_lock();
	p = fcvi_fc_find(rport->port);
	if (p) {
		spin_lock_bh(&p->port.lock);
		fcvi_resolve_login(&p->port);
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
	.login		= fcvi_fc_login,
	.logout		= fcvi_fc_logout,
	.resolved	= fcvi_fc_resolved,
	.single		= fcvi_fc_msg_single,
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
	fcvi_fc_flow_exit();
}
