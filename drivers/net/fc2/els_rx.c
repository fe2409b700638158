// SPDX-License-Identifier: GPL-2.0
/*
 * ELS frames that have come, FC-LS.
 */
#include <kunit/visibility.h>
#include <linux/etherdevice.h>
#include <linux/fc2.h>
#include <linux/skbuff.h>
#include <scsi/fc/fc_encaps.h>

#include "els.h"
#include "els_info.h"
#include "els_rx.h"
#include "farp.h"
#include "ns.h"
#include "port.h"
#include "remote.h"
#include "rport.h"

/* Between two LOGOs to ports that send without login */
#define FC2_STRAY_INTERVAL	HZ

/**
 * struct fc2_els_service - what is done for a command
 * @rx: does it; NULL: the request has no reply, and there is nothing to do
 * @login: only for a port that is logged in
 * @all: the request may come to all ports
 */
struct fc2_els_service {
	void (*rx)(struct fc2_port *port, const struct sk_buff *request);
	bool login;
	bool all;
};

/* In a fabric a port that FARP finds may not be known yet; in VN2VN mode it is a neighbour. */
static void fc2_els_rx_farp(struct fc2_port *port, const struct sk_buff *request)
{
	u32 s_id = fc2_ntoh24(fc2_frame_hdr(request)->fh_s_id);
	u64 wwpn, wwnn;

	if (fc2_farp_answer(port, request, &wwpn, &wwnn) &&
	    port->params.mode == FC2_MODE_FABRIC)
		fc2_rport_neighbour(port, s_id, wwpn, wwnn, eth_hdr(request)->h_source);
}

static const struct fc2_els_service fc2_els_services[] = {
	[ELS_FLOGI] = { .rx = fc2_rport_rx_flogi },
	[ELS_PLOGI] = { .rx = fc2_rport_rx_plogi },
	[ELS_LOGO] = { .rx = fc2_rport_rx_logo },
	[ELS_ADISC] = { .rx = fc2_els_rx_adisc, .login = true },
	[ELS_PRLI] = { .rx = fc2_els_rx_pages, .login = true },
	[ELS_PRLO] = { .rx = fc2_els_rx_pages, .login = true },
	[ELS_RTV] = { .rx = fc2_els_rx_rtv, .login = true },
	[ELS_RLS] = { .rx = fc2_els_rx_rls, .login = true },
	[ELS_RRQ] = { .rx = fc2_els_rx_rrq, .login = true },
	[ELS_ECHO] = { .rx = fc2_els_rx_echo },
	[ELS_FARP_REQ] = { .rx = fc2_farp_request, .all = true },
	[ELS_FARP_REPL] = { .rx = fc2_els_rx_farp },
	[ELS_RSCN] = { .rx = fc2_ns_rx_rscn },
};

static void fc2_els_serve(struct fc2_port *port, const struct sk_buff *request)
{
	const struct fc_frame_header *fh = fc2_frame_hdr(request);
	const struct fc2_els_service *service = NULL;
	const struct fc2_remote *remote;
	u8 cmd = request->data[0];
	bool to_all;

	fc2_stat_inc(port, FC2_STAT_ELS_RECEIVED);
	to_all = fc2_ntoh24(fh->fh_d_id) == FC_FID_BCAST;
	if (cmd < ARRAY_SIZE(fc2_els_services) && fc2_els_services[cmd].rx)
		service = &fc2_els_services[cmd];
	if (to_all && (!service || !service->all)) {
		fc2_stat_inc(port, FC2_STAT_ELS_BAD);
		return;
	}
	if (cmd == ELS_TEST)	/* has no reply */
		return;
	if (!service) {
		fc2_els_reject(port, request, ELS_RJT_UNSUP, ELS_EXPL_UNSUPR);
		return;
	}
	remote = fc2_remote_find(port, fc2_ntoh24(fh->fh_s_id));
	if (service->login && (!remote || !remote->rport)) {
		fc2_els_reject(port, request, ELS_RJT_UNAB, ELS_EXPL_PLOGI_REQD);
		return;
	}
	service->rx(port, request);
}

/* All that is supported has one frame, and no optional headers. */
static bool fc2_els_valid(const struct sk_buff *skb)
{
	const struct fc_frame_header *fh = fc2_frame_hdr(skb);
	const struct fc2_skb_cb *cb = fc2_skb_cb(skb);
	u32 f_ctl = fc2_ntoh24(fh->fh_f_ctl);
	u32 role = fh->fh_r_ctl == FC_RCTL_ELS_REP ? FC_FC_EX_CTX : 0;

	return (fh->fh_r_ctl == FC_RCTL_ELS_REQ || fh->fh_r_ctl == FC_RCTL_ELS_REP) &&
	       cb->sof == FC_SOF_I3 && cb->eof == FC_EOF_T && !fh->fh_df_ctl &&
	       f_ctl & FC_FC_END_SEQ && (f_ctl & FC_FC_EX_CTX) == role &&
	       skb->len >= sizeof(struct fc_els_ls_acc);
}

/*
 * A port that is about to have an N_Port ID rejects FLOGI of VN2VN, which would else be repeated
 * after twice R_A_TOV only: Linux's own fcoe refuses PLOGI as long as it waits for the answer.
 */
static void fc2_els_early(struct fc2_port *port, const struct sk_buff *skb)
{
	if (fc2_skb_cb(skb)->fip && port->params.mode == FC2_MODE_VN2VN &&
	    skb->data[0] == ELS_FLOGI)
		fc2_els_reject(port, skb, ELS_RJT_FIP, ELS_EXPL_NOT_NEIGHBOR);
	else
		fc2_stat_inc(port, FC2_STAT_RX_DOWN);
}

/* A port without N_Port ID can only wait for the LS_ACC to its FLOGI. */
static void fc2_els_frame(struct fc2_port *port, struct sk_buff *skb)
{
	lockdep_assert_held(&port->lock);
	if (port->dead)
		return;
	if (skb_linearize(skb)) {
		fc2_stat_inc(port, FC2_STAT_RX_NO_MEMORY);
		return;
	}
	if (!fc2_els_valid(skb))
		fc2_stat_inc(port, FC2_STAT_ELS_BAD);
	else if (fc2_frame_hdr(skb)->fh_r_ctl == FC_RCTL_ELS_REP)
		fc2_els_answered(port, skb);
	else if (port->id)
		fc2_els_serve(port, skb);
	else
		fc2_els_early(port, skb);
}

/* As many frames as can wait, as fc2_fip_work() has it */
static void fc2_els_work(struct work_struct *work)
{
	struct fc2_port *port = container_of(work, struct fc2_port, els_work);
	u32 stray = xchg(&port->els_stray, 0);
	unsigned int left = FC2_QUEUE_MAX;
	struct sk_buff *skb;

	mutex_lock(&port->lock);
	if (stray && port->id && !port->dead)
		fc2_rport_stray(port, stray);
	mutex_unlock(&port->lock);
	while (left-- && (skb = skb_dequeue(&port->els_queue))) {
		mutex_lock(&port->lock);
		fc2_els_frame(port, skb);
		mutex_unlock(&port->lock);
		consume_skb(skb);
		cond_resched();
	}
	if (!skb_queue_empty_lockless(&port->els_queue))
		queue_work(port->wq, &port->els_work);
}

/**
 * fc2_els_rx_stray - a remote port has sent data without being logged in
 * @port: the port
 * @id: N_Port ID of the remote port
 *
 * Context: softirq.
 */
void fc2_els_rx_stray(struct fc2_port *port, u32 id)
{
	if (time_before(jiffies, READ_ONCE(port->els_stray_next)))
		return;
	WRITE_ONCE(port->els_stray_next, jiffies + FC2_STRAY_INTERVAL);
	xchg(&port->els_stray, id);
	queue_work(port->wq, &port->els_work);
}
EXPORT_SYMBOL_IF_KUNIT(fc2_els_rx_stray);

/**
 * fc2_els_port_begin - begin to take ELS frames
 * @port: the port, which is new
 */
void fc2_els_port_begin(struct fc2_port *port)
{
	port->els_stray_next = jiffies;
	skb_queue_head_init(&port->els_queue);
	INIT_WORK(&port->els_work, fc2_els_work);
	fc2_els_requests_begin(port);
	fc2_rport_port_begin(port);
}

/**
 * fc2_els_port_end - end this, for a port that is deleted
 * @port: the port, to which no more frames come
 *
 * Context: process.
 */
void fc2_els_port_end(struct fc2_port *port)
{
	cancel_work_sync(&port->els_work);
	skb_queue_purge(&port->els_queue);
	fc2_rport_port_end(port);
	fc2_els_requests_end(port);
}
