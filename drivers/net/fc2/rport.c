// SPDX-License-Identifier: GPL-2.0
/*
 * Login with remote ports: FLOGI, PLOGI, LOGO, FC-LS.
 *
 * In VN2VN mode, FC-BB-6, both sides send FLOGI in FIP, and the side with the higher Port_Name then
 * sends PLOGI.  The other one does so too if nothing comes.
 */
#include <kunit/visibility.h>
#include <linux/etherdevice.h>
#include <linux/fc2.h>
#include <linux/slab.h>
#include <scsi/fc/fc_fip.h>

#include "els.h"
#include "exch.h"
#include "farp.h"
#include "neigh.h"
#include "params.h"
#include "port.h"
#include "prov.h"
#include "remote.h"
#include "rport.h"

/* The time before a login is tried again is doubled up to E_D_TOV << this */
#define FC2_BACKOFF_MAX		5

static void fc2_rport_arm(struct fc2_port *port)
{
	struct fc2_remote *remote;
	long wait = LONG_MAX;
	unsigned long id;

	xa_for_each(&port->remotes, id, remote)
		if (remote->state == FC2_REMOTE_WAIT || remote->state == FC2_REMOTE_RETRY)
			wait = min(wait, (long)(remote->next - jiffies));
	if (wait != LONG_MAX && !port->dead)
		mod_delayed_work(port->wq, &port->login_timer, max(wait, 0L));
}

static void fc2_rport_pause(struct fc2_port *port, struct fc2_remote *remote,
			    enum fc2_remote_state state, unsigned int ms)
{
	remote->state = state;
	remote->next = jiffies + msecs_to_jiffies(ms);
	fc2_rport_arm(port);
}

static void fc2_rport_retry(struct fc2_port *port, struct fc2_remote *remote)
{
	unsigned int shift = min(remote->tries, FC2_BACKOFF_MAX);

	remote->tries++;
	fc2_rport_pause(port, remote, FC2_REMOTE_RETRY, port->params.e_d_tov << shift);
}

/* Nobody sees the login of a port with itself */
static void fc2_rport_count(struct fc2_port *port, const struct fc2_remote *remote,
			    enum fc2_stat stat)
{
	if (remote->id != port->id)
		fc2_stat_inc(port, stat);
}

/* End the session; FC-4s are told, and Exchanges and mappings end, FC-VI 7.7.1. */
static void fc2_rport_logged_out(struct fc2_port *port, struct fc2_remote *remote)
{
	struct fc2_rport *rport = remote->rport;

	fc2_els_cancel(port, remote);
	if (!rport)
		return;
	remote->rport = NULL;
	fc2_rport_unlist(rport);
	WRITE_ONCE(rport->logged_in, false);
	fc2_exch_logout(rport);
	fc2_prov_logout(rport);
	fc2_farp_void(port, remote->id, 0);
	fc2_rport_count(port, remote, FC2_STAT_LOGOUT);
	fc2_rport_put(rport);
}

/* Begin a session with @rport, which is new.  FC-4s are to be told. */
static int fc2_rport_begin(struct fc2_port *port, struct fc2_remote *remote,
			   struct fc2_rport *rport, const struct fc2_params *params)
{
	int err;

	remote->wwnn = params->wwnn;
	rport->wwnn = params->wwnn;
	rport->mfs = min(params->mfs, fc2_port_mfs(port));
	rport->seq_cnt = params->seq_cnt;
	rport->rel_off = params->rel_off;
	rport->logged_in = true;
	err = fc2_rport_list(rport);
	if (err) {
		fc2_rport_put(rport);
		return err;
	}
	remote->rport = rport;
	remote->state = FC2_REMOTE_UP;
	remote->tries = 0;
	fc2_farp_void(port, remote->id, remote->wwpn);
	fc2_rport_count(port, remote, FC2_STAT_LOGIN);
	return 0;
}

static int fc2_rport_logged_in(struct fc2_port *port, struct fc2_remote *remote,
			       struct fc2_rport *rport, const struct fc2_params *params)
{
	int err = fc2_rport_begin(port, remote, rport, params);

	if (!err)
		fc2_prov_login(rport);
	return err;
}

/* Whether it has this name; of a service at a well-known address the name is not known before. */
static bool fc2_rport_is(struct fc2_remote *remote, u64 wwpn)
{
	if (!remote->wwpn)
		remote->wwpn = wwpn;
	return remote->wwpn == wwpn;
}

static void fc2_rport_plogi_done(struct fc2_port *port, void *priv, const u8 *answer,
				 unsigned int len, int err)
{
	struct fc2_remote *remote = priv;
	struct fc2_params params;
	struct fc2_rport *rport;

	if (err == -EINPROGRESS && remote->wwpn > port->params.wwpn) {
		/* FC-LS: of two PLOGIs the one of the higher Port_Name counts */
		fc2_rport_pause(port, remote, FC2_REMOTE_WAIT, 2 * port->params.r_a_tov);
		return;
	}
	if (err == -ECONNREFUSED)
		fc2_stat_inc(port, FC2_STAT_LOGIN_REFUSED);
	if (!err && (fc2_params_read(&params, answer, len, true) ||
		     !fc2_rport_is(remote, params.wwpn))) {
		fc2_stat_inc(port, FC2_STAT_ELS_BAD);
		err = -EPROTO;
	}
	rport = err ? NULL : fc2_rport_alloc(port, remote);
	if (!rport || fc2_rport_logged_in(port, remote, rport, &params))
		fc2_rport_retry(port, remote);
}

/* Send a request of a login.  When too many wait, this one does no harm, and comes soon. */
static void fc2_rport_ask(struct fc2_port *port, struct fc2_remote *remote,
			  const struct fc2_els_to *to, struct sk_buff *skb, fc2_els_done done)
{
	int err = skb ? fc2_els_request(port, to, skb, done, remote) : -ENOMEM;

	if (err == -EBUSY)
		fc2_rport_pause(port, remote, FC2_REMOTE_RETRY, port->params.e_d_tov);
	else if (err)
		fc2_rport_retry(port, remote);
}

static void fc2_rport_plogi(struct fc2_port *port, struct fc2_remote *remote)
{
	const struct fc2_els_to to = {
		.id = remote->id, .mac = remote->mac, .login = remote->id < FC_FID_DOM_MGR,
	};

	remote->state = FC2_REMOTE_PLOGI;
	fc2_rport_ask(port, remote, &to, fc2_params_plogi(port, ELS_PLOGI), fc2_rport_plogi_done);
}

/* FLOGI is done: the higher Port_Name goes on. */
static void fc2_rport_introduced(struct fc2_port *port, struct fc2_remote *remote)
{
	if (port->params.wwpn > remote->wwpn)
		fc2_rport_plogi(port, remote);
	else
		fc2_rport_pause(port, remote, FC2_REMOTE_WAIT, 2 * port->params.r_a_tov);
}

static void fc2_rport_flogi_done(struct fc2_port *port, void *priv, const u8 *answer,
				 unsigned int len, int err)
{
	struct fc2_remote *remote = priv;
	struct fc2_params params;

	if (!err && (fc2_params_read(&params, answer, len, false) || params.fabric ||
		     params.wwpn != remote->wwpn)) {
		fc2_stat_inc(port, FC2_STAT_ELS_BAD);
		err = -EPROTO;
	}
	if (err)
		fc2_rport_retry(port, remote);
	else
		fc2_rport_introduced(port, remote);
}

static void fc2_rport_flogi(struct fc2_port *port, struct fc2_remote *remote)
{
	const struct fc2_neighbour *neighbour = fc2_neighbour_find(port, remote->id);
	struct fc2_els_to to = { .id = remote->id, .fip = FIP_DT_FLOGI, .login = true };

	remote->state = FC2_REMOTE_FLOGI;
	if (!neighbour) {
		fc2_rport_retry(port, remote);
		return;
	}
	to.mac = neighbour->enode_mac;
	fc2_rport_ask(port, remote, &to, fc2_params_flogi(port, ELS_FLOGI), fc2_rport_flogi_done);
}

static void fc2_rport_start(struct fc2_port *port, struct fc2_remote *remote)
{
	if (port->params.mode == FC2_MODE_VN2VN)
		fc2_rport_flogi(port, remote);
	else
		fc2_rport_plogi(port, remote);
}

static void fc2_rport_timer(struct work_struct *work)
{
	struct fc2_port *port = container_of(work, struct fc2_port, login_timer.work);
	struct fc2_remote *remote;
	unsigned long id;

	mutex_lock(&port->lock);
	xa_for_each(&port->remotes, id, remote) {
		if (time_before(jiffies, remote->next))
			continue;
		if (remote->state == FC2_REMOTE_RETRY)
			fc2_rport_start(port, remote);
		else if (remote->state == FC2_REMOTE_WAIT)
			fc2_rport_plogi(port, remote);
	}
	fc2_rport_arm(port);
	mutex_unlock(&port->lock);
}

static void fc2_rport_forget(struct fc2_port *port, struct fc2_remote *remote)
{
	fc2_rport_logged_out(port, remote);
	fc2_remote_del(port, remote);
}

/*
 * Make a remote port.  One that has the Port_Name, or the N_Port ID, has lost the other: it is
 * forgotten.
 */
static struct fc2_remote *fc2_rport_make(struct fc2_port *port, u32 id, u64 wwpn, u64 wwnn,
					 const u8 *mac)
{
	struct fc2_remote *remote = fc2_remote_find(port, id);

	if (remote)
		fc2_rport_forget(port, remote);
	/* There can be several whose name is not known yet */
	remote = wwpn ? fc2_remote_by_wwpn(port, wwpn) : NULL;
	if (remote)
		fc2_rport_forget(port, remote);
	remote = fc2_remote_add(port, id);
	if (!remote) {
		fc2_stat_inc(port, FC2_STAT_NEIGHBOURS_FULL);
		return NULL;
	}
	remote->wwpn = wwpn;
	remote->wwnn = wwnn;
	ether_addr_copy(remote->mac, mac);
	remote->state = FC2_REMOTE_RETRY;
	remote->next = jiffies;
	return remote;
}

/**
 * fc2_rport_neighbour - there is a remote port, to log in with
 * @port: the port, its lock held, with an N_Port ID
 * @id: N_Port ID of the remote port
 * @wwpn: its Port_Name; 0: it is not known
 * @wwnn: its Node_Name
 * @vn_mac: MAC address of its VN_Port, in a fabric of the FCF
 *
 * Nothing happens if that very port is known, or if it says that it is this one.
 */
void fc2_rport_neighbour(struct fc2_port *port, u32 id, u64 wwpn, u64 wwnn, const u8 *vn_mac)
{
	struct fc2_remote *remote = fc2_remote_find(port, id);

	lockdep_assert_held(&port->lock);
	if (id == port->id || wwpn == port->params.wwpn)
		return;
	if (remote && remote->wwpn == wwpn && ether_addr_equal(remote->mac, vn_mac))
		return;
	remote = fc2_rport_make(port, id, wwpn, wwnn, vn_mac);
	if (remote)
		fc2_rport_start(port, remote);
}
EXPORT_SYMBOL_IF_KUNIT(fc2_rport_neighbour);

/**
 * fc2_rport_self - a port has its N_Port ID: it can have Exchanges with itself
 * @port: the port, its lock held
 */
void fc2_rport_self(struct fc2_port *port)
{
	const struct fc2_params params = {
		.wwnn = port->params.wwnn, .mfs = fc2_port_mfs(port),
		.seq_cnt = true, .rel_off = true,
	};
	struct fc2_remote *remote;
	struct fc2_rport *rport;

	lockdep_assert_held(&port->lock);
	remote = fc2_rport_make(port, port->id, port->params.wwpn, params.wwnn, port->mac);
	if (!remote)
		return;
	rport = fc2_rport_alloc(port, remote);
	if (!rport || fc2_rport_logged_in(port, remote, rport, &params))
		fc2_remote_del(port, remote);
}

/**
 * fc2_rport_gone - a remote port is not there any more
 * @port: the port, its lock held
 * @id: N_Port ID of the remote port
 */
void fc2_rport_gone(struct fc2_port *port, u32 id)
{
	struct fc2_remote *remote = fc2_remote_find(port, id);

	if (remote)
		fc2_rport_forget(port, remote);
}
EXPORT_SYMBOL_IF_KUNIT(fc2_rport_gone);

static int fc2_rport_logo(struct fc2_port *port, u32 id, const u8 *mac)
{
	const struct fc2_els_to to = { .id = id, .mac = mac };
	struct sk_buff *skb = fc2_els_alloc(sizeof(struct fc_els_logo), ELS_LOGO);
	struct fc_els_logo *logo;

	if (!skb)
		return -ENOMEM;
	logo = (struct fc_els_logo *)skb->data;
	fc2_hton24(logo->fl_n_port_id, port->id);
	logo->fl_n_port_wwn = cpu_to_be64(port->params.wwpn);
	return fc2_els_request(port, &to, skb, NULL, NULL);
}

/* Tell a remote port, but not ourselves, that the session ends, and end it. */
static void fc2_rport_say_logout(struct fc2_port *port, struct fc2_remote *remote)
{
	if (remote->rport && remote->id != port->id)
		fc2_rport_logo(port, remote->id, remote->mac);
	fc2_rport_logged_out(port, remote);
}

/**
 * fc2_rport_logout_all - the port goes down, or gives up its N_Port ID
 * @port: the port, its lock held; it still has the ID
 */
void fc2_rport_logout_all(struct fc2_port *port)
{
	struct fc2_remote *remote;
	unsigned long id;

	lockdep_assert_held(&port->lock);
	xa_for_each(&port->remotes, id, remote) {
		fc2_rport_say_logout(port, remote);
		fc2_remote_del(port, remote);
	}
	fc2_els_cancel_all(port, -ENETDOWN);
	fc2_farp_void_all(port);
}

/**
 * fc2_rport_login - log in with a remote port, anew if need be
 * @port: the port
 * @id: N_Port ID of the remote port
 *
 * Context: process.
 * Return: 0 when it has begun; -ENODEV when there is no such remote port.
 */
int fc2_rport_login(struct fc2_port *port, u32 id)
{
	struct fc2_remote *remote;

	mutex_lock(&port->lock);
	remote = id == port->id ? NULL : fc2_remote_find(port, id);
	if (remote) {
		fc2_rport_logged_out(port, remote);
		remote->tries = 0;
		fc2_rport_start(port, remote);
	}
	mutex_unlock(&port->lock);
	return remote ? 0 : -ENODEV;
}
EXPORT_SYMBOL_IF_KUNIT(fc2_rport_login);

/**
 * fc2_rport_logout - log out with a remote port, until fc2_rport_login() is called
 * @port: the port
 * @id: N_Port ID of the remote port
 *
 * Context: process.
 * Return: 0, or -ENODEV when there is no such remote port.
 */
int fc2_rport_logout(struct fc2_port *port, u32 id)
{
	struct fc2_remote *remote;

	mutex_lock(&port->lock);
	remote = id == port->id ? NULL : fc2_remote_find(port, id);
	if (remote) {
		fc2_rport_say_logout(port, remote);
		remote->state = FC2_REMOTE_OUT;
	}
	mutex_unlock(&port->lock);
	return remote ? 0 : -ENODEV;
}
EXPORT_SYMBOL_IF_KUNIT(fc2_rport_logout);

/**
 * fc2_rport_end_session - a remote port is not the one that has logged in
 * @port: the port, its lock held
 * @id: N_Port ID of the remote port
 *
 * The login begins again some time later.
 */
void fc2_rport_end_session(struct fc2_port *port, u32 id)
{
	struct fc2_remote *remote = fc2_remote_find(port, id);

	if (!remote || !remote->rport || id == port->id)
		return;
	fc2_rport_say_logout(port, remote);
	fc2_rport_retry(port, remote);
}

/**
 * fc2_rport_stray - a remote port has sent data without being logged in
 * @port: the port, its lock held
 * @id: N_Port ID of the remote port
 *
 * It is told so by LOGO, FC-LS.
 */
void fc2_rport_stray(struct fc2_port *port, u32 id)
{
	struct fc2_remote *remote = fc2_remote_find(port, id);

	if (remote && !remote->rport)
		fc2_rport_logo(port, id, remote->mac);
}

/* Why a request to log in from the remote port is refused, or 0; @explan gets the explanation. */
static int fc2_rport_refusal(const struct fc2_port *port, const struct fc2_remote *remote,
			     const struct fc2_params *params, u8 *explan)
{
	*explan = ELS_EXPL_NONE;
	if (remote->id == port->id || remote->state == FC2_REMOTE_OUT)
		return ELS_RJT_UNAB;
	*explan = FC2_EXPL_NAME;
	return params->wwpn == remote->wwpn ? 0 : ELS_RJT_LOGIC;
}

static void fc2_rport_refuse(struct fc2_port *port, const struct sk_buff *request,
			     enum fc_els_rjt_reason reason, u8 explan)
{
	fc2_stat_inc(port, FC2_STAT_LOGIN_REFUSED);
	fc2_els_reject(port, request, reason, explan);
}

/**
 * fc2_rport_rx_flogi - FLOGI has come
 * @port: the port, its lock held
 * @request: the frame, linear
 */
void fc2_rport_rx_flogi(struct fc2_port *port, const struct sk_buff *request)
{
	u32 s_id = fc2_ntoh24(fc2_frame_hdr(request)->fh_s_id);
	struct fc2_remote *remote = fc2_remote_find(port, s_id);
	struct fc2_params params;
	struct sk_buff *skb;
	u8 explan;
	int err;

	if (port->params.mode != FC2_MODE_VN2VN) {
		fc2_els_reject(port, request, ELS_RJT_UNSUP, ELS_EXPL_UNSUPR);
		return;
	}
	if (!fc2_els_has(port, request, sizeof(struct fc_els_flogi)))
		return;
	if (!remote) {
		fc2_rport_refuse(port, request, ELS_RJT_FIP, ELS_EXPL_NOT_NEIGHBOR);
		return;
	}
	explan = fc2_params_read(&params, request->data, request->len, false);
	err = explan || params.fabric ? ELS_RJT_LOGIC :
					fc2_rport_refusal(port, remote, &params, &explan);
	if (err) {
		fc2_rport_refuse(port, request, err, explan);
		return;
	}
	skb = fc2_params_flogi(port, ELS_LS_ACC);
	if (!skb)
		return;
	fc2_els_reply(port, request, skb);
	/* The answer to one's own leads on, if one is under way */
	if (remote->state == FC2_REMOTE_FLOGI || remote->state == FC2_REMOTE_PLOGI)
		return;
	fc2_rport_logged_out(port, remote);
	fc2_rport_introduced(port, remote);
}

/* In a fabric a port can send PLOGI without being known; well-known addresses do not. */
static struct fc2_remote *fc2_rport_of_plogi(struct fc2_port *port, const struct sk_buff *request,
					     const struct fc2_params *params)
{
	u32 s_id = fc2_ntoh24(fc2_frame_hdr(request)->fh_s_id);
	struct fc2_remote *remote = fc2_remote_find(port, s_id);

	if (port->params.mode == FC2_MODE_VN2VN || (remote && remote->wwpn == params->wwpn))
		return remote;
	if (!s_id || s_id >= FC_FID_DOM_MGR)
		return NULL;
	return fc2_rport_make(port, s_id, params->wwpn, params->wwnn, eth_hdr(request)->h_source);
}

/**
 * fc2_rport_rx_plogi - PLOGI has come
 * @port: the port, its lock held
 * @request: the frame, linear
 *
 * It ends a session that there may be, FC-LS and FC-VI 7.7.1.
 */
void fc2_rport_rx_plogi(struct fc2_port *port, const struct sk_buff *request)
{
	u32 s_id = fc2_ntoh24(fc2_frame_hdr(request)->fh_s_id);
	struct fc2_params params;
	struct fc2_remote *remote;
	struct fc2_rport *rport;
	struct sk_buff *skb;
	u8 explan;
	int err;

	if (!fc2_els_has(port, request, sizeof(struct fc_els_flogi)))
		return;
	explan = fc2_params_read(&params, request->data, request->len, true);
	if (explan || s_id == port->id || params.wwpn == port->params.wwpn) {
		fc2_rport_refuse(port, request, ELS_RJT_LOGIC, explan ?: FC2_EXPL_NAME);
		return;
	}
	remote = fc2_rport_of_plogi(port, request, &params);
	if (!remote) {
		fc2_rport_refuse(port, request, ELS_RJT_UNAB, ELS_EXPL_SID);
		return;
	}
	err = fc2_rport_refusal(port, remote, &params, &explan);
	if (!err && remote->state == FC2_REMOTE_PLOGI && params.wwpn < port->params.wwpn) {
		err = ELS_RJT_INPROG;
		explan = ELS_EXPL_NONE;
	}
	if (err) {
		fc2_rport_refuse(port, request, err, explan);
		return;
	}
	fc2_rport_logged_out(port, remote);
	rport = fc2_rport_alloc(port, remote);
	skb = rport ? fc2_params_plogi(port, ELS_LS_ACC) : NULL;
	if (!skb && rport)
		fc2_rport_put(rport);
	if (!skb || fc2_rport_begin(port, remote, rport, &params)) {
		kfree_skb(skb);
		fc2_rport_refuse(port, request, ELS_RJT_UNAB, ELS_EXPL_INSUF_RES);
		fc2_rport_retry(port, remote);
		return;
	}
	/* Who has the answer may send at once, and FC-4s here as soon as they are told */
	fc2_els_reply(port, request, skb);
	fc2_prov_login(rport);
}

/**
 * fc2_rport_rx_logo - LOGO has come
 * @port: the port, its lock held
 * @request: the frame, linear
 *
 * The login begins again some time later, as the other side may just have lost its own.
 */
void fc2_rport_rx_logo(struct fc2_port *port, const struct sk_buff *request)
{
	const struct fc_els_logo *logo = (const struct fc_els_logo *)request->data;
	u32 s_id = fc2_ntoh24(fc2_frame_hdr(request)->fh_s_id);
	struct fc2_remote *remote = fc2_remote_find(port, s_id);

	if (!fc2_els_has(port, request, sizeof(*logo)))
		return;
	if (s_id == port->id || fc2_ntoh24(logo->fl_n_port_id) != s_id ||
	    (remote && be64_to_cpu(logo->fl_n_port_wwn) != remote->wwpn)) {
		fc2_els_reject(port, request, ELS_RJT_LOGIC, FC2_EXPL_NAME);
		return;
	}
	fc2_els_accept(port, request);
	if (!remote || remote->state == FC2_REMOTE_OUT || remote->state == FC2_REMOTE_RETRY)
		return;
	fc2_rport_logged_out(port, remote);
	fc2_rport_retry(port, remote);
}

/**
 * fc2_rport_port_begin - begin to have remote ports
 * @port: the port, which is new
 */
void fc2_rport_port_begin(struct fc2_port *port)
{
	xa_init(&port->remotes);
	INIT_DELAYED_WORK(&port->login_timer, fc2_rport_timer);
}

/**
 * fc2_rport_port_end - end this, for a port that is deleted
 * @port: the port
 *
 * Context: process.
 */
void fc2_rport_port_end(struct fc2_port *port)
{
	mutex_lock(&port->lock);
	fc2_rport_logout_all(port);
	mutex_unlock(&port->lock);
	cancel_delayed_work_sync(&port->login_timer);
	xa_destroy(&port->remotes);
	xa_destroy(&port->rports);
}
