// SPDX-License-Identifier: GPL-2.0
/*
 * Fabrics, FC-BB-5: how a port finds an FCF, and logs in with the fabric behind it.
 *
 * A port looks for FCFs, and FCFs advertise themselves.  The answer to a Solicitation is as long as
 * FCoE frames can be.  Of those that have answered the port takes the one with the best priority,
 * and gets an N_Port ID, and a MAC address made of it, by FLOGI.
 */
#include <linux/etherdevice.h>
#include <linux/fc2.h>
#include <linux/jiffies.h>
#include <linux/slab.h>
#include <scsi/fc/fc_fcoe.h>
#include <scsi/fc/fc_fip.h>

#include "els.h"
#include "fabric.h"
#include "fip.h"
#include "params.h"
#include "port.h"
#include "prov.h"
#include "rport.h"

/* Limits of FKA_ADV_PERIOD, FC-BB-5 */
#define FC2_FKA_MIN		500
#define FC2_FKA_MAX		90000

static unsigned long fc2_fabric_in(unsigned int ms)
{
	return jiffies + msecs_to_jiffies(ms);
}

static void fc2_fabric_solicit(struct fc2_port *port, const u8 *dst)
{
	const u8 *enode = port->iface->dev->dev_addr;
	struct sk_buff *skb;

	skb = fc2_fip_alloc(port, FIP_OP_DISC, FIP_SC_SOL, FIP_FL_FPMA, 0);
	if (!skb)
		return;
	fc2_fip_put_mac(skb, enode);
	fc2_fip_put_name(skb, port->params.wwnn);
	fc2_fip_put_size(skb, port->mfs + FCOE_MIN_FRAME);
	fc2_fip_send(port, skb, enode, dst, 0);
}

/* Keep-alive frames of the ENode have its address, those of the VN_Port its own. */
static void fc2_fabric_keep_alive(struct fc2_port *port, bool vn_port)
{
	const u8 *enode = port->iface->dev->dev_addr;
	struct sk_buff *skb;

	skb = fc2_fip_alloc(port, FIP_OP_CTRL, FIP_SC_KEEP_ALIVE, FIP_FL_FPMA, 0);
	if (!skb)
		return;
	fc2_fip_put_mac(skb, enode);
	if (vn_port)
		fc2_fip_put_vn_id(skb, port->id, port->mac, port->params.wwpn);
	fc2_fip_send(port, skb, vn_port ? port->mac : enode, port->fabric->fcf->mac, 0);
}

/* Tell the fabric that the N_Port ID is free. */
static void fc2_fabric_logo(struct fc2_port *port)
{
	const struct fc2_els_to to = {
		.id = FC_FID_FLOGI, .mac = port->fabric->fcf->mac, .fip = FIP_DT_LOGO,
	};
	struct sk_buff *skb = fc2_els_alloc(sizeof(struct fc_els_logo), ELS_LOGO);
	struct fc_els_logo *logo;

	if (!skb)
		return;
	logo = (struct fc_els_logo *)skb->data;
	fc2_hton24(logo->fl_n_port_id, port->id);
	logo->fl_n_port_wwn = cpu_to_be64(port->params.wwpn);
	fc2_els_tell(port, &to, skb);
}

static void fc2_fabric_set_times(struct fc2_port *port, u32 r_a_tov, u32 e_d_tov)
{
	WRITE_ONCE(port->params.r_a_tov, r_a_tov);
	WRITE_ONCE(port->params.e_d_tov, e_d_tov);
}

/* FC-LS: the F_Port tells the times for all ports of the fabric. */
static void fc2_fabric_adopt_times(struct fc2_port *port, const struct fc2_params *params)
{
	struct fc2_fabric *fabric = port->fabric;

	if (params->e_d_tov < FC2_TOV_MIN || params->r_a_tov < params->e_d_tov ||
	    params->r_a_tov > FC2_TOV_MAX)
		return;
	fabric->own_r_a_tov = port->params.r_a_tov;
	fabric->own_e_d_tov = port->params.e_d_tov;
	fabric->r_a_tov = params->r_a_tov;
	fabric->e_d_tov = params->e_d_tov;
	fc2_fabric_set_times(port, params->r_a_tov, params->e_d_tov);
}

/* The administrator's times are in use again, unless he has set others meanwhile. */
static void fc2_fabric_drop_times(struct fc2_port *port)
{
	struct fc2_fabric *fabric = port->fabric;

	if (fabric->r_a_tov && fabric->r_a_tov == port->params.r_a_tov &&
	    fabric->e_d_tov == port->params.e_d_tov)
		fc2_fabric_set_times(port, fabric->own_r_a_tov, fabric->own_e_d_tov);
	fabric->r_a_tov = 0;
}

/* No ID any more, and no FCF. */
static void fc2_fabric_leave(struct fc2_port *port, enum fc2_state state)
{
	struct fc2_fabric *fabric = port->fabric;

	port->state = state;
	fc2_els_cancel(port, fabric);
	if (port->id) {
		fc2_rport_logout_all(port);
		fc2_fabric_logo(port);
		fc2_port_set_id(port, 0, NULL);
	}
	fc2_fabric_drop_times(port);
	fabric->fcf = NULL;
	fabric->choose = false;
	fabric->solicit = jiffies;
	fc2_prov_port_change(port);
}

/* Look for another FCF, or the same again. */
static void fc2_fabric_again(struct fc2_port *port)
{
	fc2_fabric_leave(port, FC2_STATE_SOLICIT);
	fc2_fip_arm(port, 0);
}

/* FC-BB-5: the MAC address is the FC-MAP and the N_Port ID, which is one of an N_Port. */
static bool fc2_fabric_granted(const struct fc2_fabric *fabric)
{
	u8 mac[ETH_ALEN];

	fc2_hton24(mac, fabric->fcf->fc_map);
	fc2_hton24(mac + 3, fabric->granted_id);
	return fabric->granted_id > 0xffff && fabric->granted_id < FC_FID_DOM_MGR &&
	       ether_addr_equal(mac, fabric->granted_mac);
}

static void fc2_fabric_flogi_done(struct fc2_port *port, void *priv, const u8 *answer,
				  unsigned int len, int err)
{
	struct fc2_fabric *fabric = priv;
	struct fc2_params params;

	if (!err && (fc2_params_read(&params, answer, len, false) || !params.fabric ||
		     !fc2_fabric_granted(fabric))) {
		fc2_stat_inc(port, FC2_STAT_ELS_BAD);
		err = -EPROTO;
	}
	if (err) {
		fc2_stat_inc(port, FC2_STAT_LOGIN_REFUSED);
		fabric->fcf->refused = true;
		fabric->fcf = NULL;
		port->state = FC2_STATE_SOLICIT;
		fabric->choose = true;
		fabric->choice = fc2_fabric_in(port->params.e_d_tov);
		fc2_fip_arm(port, msecs_to_jiffies(port->params.e_d_tov));
		return;
	}
	port->state = FC2_STATE_UP;
	fc2_fabric_adopt_times(port, &params);
	ether_addr_copy(port->fcf_mac, fabric->fcf->mac);
	fc2_port_set_id(port, fabric->granted_id, fabric->granted_mac);
	fabric->fka = fc2_fabric_in(fabric->fcf->fka_ms);
	fabric->vn_fka = fc2_fabric_in(FIP_VN_KA_PERIOD);
	fc2_prov_port_change(port);
	fc2_rport_self(port);
	fc2_ns_start(&fabric->ns, fabric->fcf->mac);
	fc2_fip_arm(port, 0);
}

static void fc2_fabric_flogi(struct fc2_port *port)
{
	struct fc2_fabric *fabric = port->fabric;
	const struct fc2_els_to to = {
		.id = FC_FID_FLOGI, .mac = fabric->fcf->mac, .fip = FIP_DT_FLOGI,
	};
	struct sk_buff *skb = fc2_params_flogi(port, ELS_FLOGI);

	port->state = FC2_STATE_FLOGI;
	fabric->granted_id = 0;
	if (!skb || fc2_els_request(port, &to, skb, fc2_fabric_flogi_done, fabric))
		fc2_fabric_flogi_done(port, fabric, NULL, 0, -ENOMEM);
}

/* The best priority, and among equals the lowest name, of those that have not refused. */
static struct fc2_fcf *fc2_fabric_best(struct fc2_fabric *fabric)
{
	struct fc2_fcf *fcf, *best = NULL;

	for (fcf = fabric->fcfs; fcf < fabric->fcfs + FC2_FCFS_MAX; fcf++) {
		if (!fcf->usable || fcf->refused)
			continue;
		if (!best || fcf->priority < best->priority ||
		    (fcf->priority == best->priority && fcf->name < best->name))
			best = fcf;
	}
	return best;
}

static void fc2_fabric_choose(struct fc2_port *port)
{
	struct fc2_fabric *fabric = port->fabric;
	unsigned int i;

	fabric->choose = false;
	fabric->fcf = fc2_fabric_best(fabric);
	if (!fabric->fcf) {
		for (i = 0; i < FC2_FCFS_MAX; i++)
			fabric->fcfs[i].refused = false;
		fabric->fcf = fc2_fabric_best(fabric);
	}
	if (fabric->fcf)
		fc2_fabric_flogi(port);
}

/* FC-BB-5: an FCF is gone after 2.5 advertisements that did not come. */
static unsigned long fc2_fabric_silent(const struct fc2_fcf *fcf)
{
	return fcf->heard + msecs_to_jiffies(fcf->fka_ms * 5 / 2);
}

static void fc2_fabric_age(struct fc2_port *port)
{
	struct fc2_fabric *fabric = port->fabric;
	struct fc2_fcf *fcf;

	for (fcf = fabric->fcfs; fcf < fabric->fcfs + FC2_FCFS_MAX; fcf++) {
		if (is_zero_ether_addr(fcf->mac) || time_before(jiffies, fc2_fabric_silent(fcf)))
			continue;
		fc2_stat_inc(port, FC2_STAT_NEIGHBOUR_GONE);
		if (fcf == fabric->fcf)
			fc2_fabric_leave(port, FC2_STATE_SOLICIT);
		*fcf = (struct fc2_fcf) {};
	}
}

static void fc2_fabric_sooner(unsigned long *next, unsigned long when)
{
	if (time_before(when, *next))
		*next = when;
}

static unsigned long fc2_fabric_next(const struct fc2_port *port)
{
	const struct fc2_fabric *fabric = port->fabric;
	unsigned long next = fc2_fabric_in(FIP_VN_KA_PERIOD);
	const struct fc2_fcf *fcf;

	for (fcf = fabric->fcfs; fcf < fabric->fcfs + FC2_FCFS_MAX; fcf++)
		if (!is_zero_ether_addr(fcf->mac))
			fc2_fabric_sooner(&next, fc2_fabric_silent(fcf));
	if (port->state == FC2_STATE_SOLICIT) {
		fc2_fabric_sooner(&next, fabric->solicit);
		if (fabric->choose)
			fc2_fabric_sooner(&next, fabric->choice);
	} else if (port->state == FC2_STATE_UP && !fabric->fcf->quiet) {
		fc2_fabric_sooner(&next, fabric->fka);
		fc2_fabric_sooner(&next, fabric->vn_fka);
	}
	return time_after(next, jiffies) ? next - jiffies : 0;
}

/**
 * fc2_fabric_timeout - the next step
 * @port: the port, its lock held; not down
 */
void fc2_fabric_timeout(struct fc2_port *port)
{
	struct fc2_fabric *fabric = port->fabric;

	lockdep_assert_held(&port->lock);
	fc2_fabric_age(port);
	if (port->state == FC2_STATE_SOLICIT && time_after_eq(jiffies, fabric->solicit)) {
		fabric->solicit = fc2_fabric_in(FIP_DEF_FKA);
		fc2_fabric_solicit(port, fc2_fip_all_fcfs);
	}
	if (port->state == FC2_STATE_SOLICIT && fabric->choose &&
	    time_after_eq(jiffies, fabric->choice))
		fc2_fabric_choose(port);
	if (port->state == FC2_STATE_UP && !fabric->fcf->quiet) {
		if (time_after_eq(jiffies, fabric->fka)) {
			fabric->fka = fc2_fabric_in(fabric->fcf->fka_ms);
			fc2_fabric_keep_alive(port, false);
			fc2_ns_refresh(&fabric->ns);
		}
		if (time_after_eq(jiffies, fabric->vn_fka)) {
			fabric->vn_fka = fc2_fabric_in(FIP_VN_KA_PERIOD);
			fc2_fabric_keep_alive(port, true);
		}
	}
	fc2_fip_arm(port, fc2_fabric_next(port));
}

/**
 * fc2_fabric_start - the link is up
 * @port: the port, its lock held
 */
void fc2_fabric_start(struct fc2_port *port)
{
	lockdep_assert_held(&port->lock);
	if (!port->fabric) {
		port->fabric = kzalloc(sizeof(*port->fabric), GFP_KERNEL);
		if (!port->fabric) {
			fc2_stat_inc(port, FC2_STAT_TX_NO_MEMORY);
			return;
		}
		fc2_ns_init(&port->fabric->ns, port);
	}
	memset(port->fabric->fcfs, 0, sizeof(port->fabric->fcfs));
	fc2_fabric_again(port);
}

/**
 * fc2_fabric_stop - the link is down
 * @port: the port, its lock held; not down
 */
void fc2_fabric_stop(struct fc2_port *port)
{
	lockdep_assert_held(&port->lock);
	fc2_fabric_leave(port, FC2_STATE_DOWN);
}

/**
 * fc2_fabric_end - forget the fabric of a port that is deleted
 * @port: the port, which is down
 *
 * Context: process, without the lock of the port.
 */
void fc2_fabric_end(struct fc2_port *port)
{
	if (!port->fabric)
		return;
	fc2_ns_end(&port->fabric->ns);
	kfree(port->fabric);
	port->fabric = NULL;
}

static struct fc2_fcf *fc2_fabric_fcf(struct fc2_fabric *fabric, const u8 *mac)
{
	unsigned int i;

	for (i = 0; i < FC2_FCFS_MAX; i++)
		if (ether_addr_equal(fabric->fcfs[i].mac, mac))
			return &fabric->fcfs[i];
	return NULL;
}

static bool fc2_fabric_same(const struct fc2_fcf *fcf, const struct fc2_fip *fip)
{
	return fcf->name == fip->name && fcf->fabric == fip->fabric &&
	       fcf->vfid == fip->vfid && fcf->fc_map == fip->fc_map;
}

/* The FCF that has sent an advertisement; a new one, and one that has changed, are not usable. */
static struct fc2_fcf *fc2_fabric_advertised(struct fc2_port *port, const struct fc2_fip *fip)
{
	static const u8 none[ETH_ALEN] __aligned(2);
	struct fc2_fabric *fabric = port->fabric;
	struct fc2_fcf *fcf = fc2_fabric_fcf(fabric, fip->mac);

	if (fcf && fc2_fabric_same(fcf, fip))
		return fcf;
	if (fcf && fcf == fabric->fcf)
		fc2_fabric_again(port);
	if (!fcf)
		fcf = fc2_fabric_fcf(fabric, none);
	if (!fcf) {
		fc2_stat_inc(port, FC2_STAT_NEIGHBOURS_FULL);
		return NULL;
	}
	*fcf = (struct fc2_fcf) {
		.name = fip->name, .fabric = fip->fabric, .vfid = fip->vfid, .fc_map = fip->fc_map,
	};
	ether_addr_copy(fcf->mac, fip->mac);
	fc2_stat_inc(port, FC2_STAT_NEIGHBOUR_NEW);
	return fcf;
}

/* Addresses of groups are no addresses of VN_Ports, and an FCF has to give addresses (FPMA). */
static bool fc2_fabric_adv_valid(const struct sk_buff *skb, const struct fc2_fip *fip)
{
	return ether_addr_equal(eth_hdr(skb)->h_source, fip->mac) &&
	       is_valid_ether_addr(fip->mac) && fip->name && fip->fabric && fip->fc_map &&
	       !(fip->fc_map & 0x010000) && fip->flags & FIP_FL_FPMA;
}

static void fc2_fabric_rx_adv(struct fc2_port *port, const struct sk_buff *skb,
			      const struct fc2_fip *fip)
{
	struct fc2_fabric *fabric = port->fabric;
	bool solicited = fip->flags & FIP_FL_SOL;
	struct fc2_fcf *fcf;

	if (!fc2_fabric_adv_valid(skb, fip)) {
		fc2_stat_inc(port, FC2_STAT_FIP_BAD);
		return;
	}
	if (solicited && skb->len < port->mfs + FCOE_MIN_FRAME) {
		fc2_stat_inc(port, FC2_STAT_FIP_SIZE);
		return;
	}
	fcf = fc2_fabric_advertised(port, fip);
	if (!fcf)
		return;
	fcf->priority = fip->priority;
	fcf->quiet = fip->quiet;
	fcf->fka_ms = fip->fka < FC2_FKA_MIN ? FIP_DEF_FKA : min(fip->fka, FC2_FKA_MAX);
	fcf->heard = jiffies;
	if (solicited)
		fcf->usable = fip->flags & FIP_FL_AVAIL;
	else if (!fcf->usable)
		fc2_fabric_solicit(port, fcf->mac);
	if (fcf->usable && port->state == FC2_STATE_SOLICIT && !fabric->choose) {
		fabric->choose = true;
		fabric->choice = fc2_fabric_in(FC2_FABRIC_CHOICE_MS);
		fc2_fip_arm(port, fc2_fabric_next(port));
	}
}

/* Clear Virtual Links: of the VN_Ports in it, or of all. */
static void fc2_fabric_rx_clear(struct fc2_port *port, const struct sk_buff *skb,
				const struct fc2_fip *fip)
{
	const struct fc2_fcf *fcf = port->fabric->fcf;

	if (!fcf || !ether_addr_equal(eth_hdr(skb)->h_source, fcf->mac) ||
	    !ether_addr_equal(fip->mac, fcf->mac) || fip->name != fcf->name) {
		fc2_stat_inc(port, FC2_STAT_FIP_OTHER);
		return;
	}
	if (!(fip->has & BIT(FIP_DT_VN_ID)) ||
	    (port->id && fc2_fip_has_vn_id(skb->data, port->id, port->mac, port->params.wwpn)))
		fc2_fabric_again(port);
}

/**
 * fc2_fabric_rx - a FIP frame other than one with an ELS
 * @port: the port, its lock held; not down
 * @skb: the frame, behind its Ethernet header, linear
 * @fip: what the frame says
 */
void fc2_fabric_rx(struct fc2_port *port, const struct sk_buff *skb, const struct fc2_fip *fip)
{
	lockdep_assert_held(&port->lock);
	if (fip->op == FIP_OP_DISC)
		fc2_fabric_rx_adv(port, skb, fip);
	else
		fc2_fabric_rx_clear(port, skb, fip);
}

/**
 * fc2_fabric_els - an ELS frame has come in FIP
 * @port: the port, its lock held
 * @skb: the frame, at its FC header
 * @fip: what the FIP frame says
 *
 * Return: whether it is from the FCF, and for the port or the answer to its FLOGI.
 */
bool fc2_fabric_els(struct fc2_port *port, const struct sk_buff *skb, const struct fc2_fip *fip)
{
	u32 d_id = fc2_ntoh24(fc2_frame_hdr(skb)->fh_d_id);
	struct fc2_fabric *fabric = port->fabric;

	lockdep_assert_held(&port->lock);
	if (!fabric->fcf || !ether_addr_equal(eth_hdr(skb)->h_source, fabric->fcf->mac))
		return false;
	if (port->state == FC2_STATE_FLOGI && fip->els == FIP_DT_FLOGI &&
	    fip->subcode == FIP_SC_REP) {
		fabric->granted_id = d_id;
		ether_addr_copy(fabric->granted_mac, fip->mac);
		return true;
	}
	return port->id && d_id == port->id;
}
