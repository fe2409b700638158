// SPDX-License-Identifier: GPL-2.0
/*
 * Extended Link Services, FC-LS: frames of requests and replies, one frame each.
 */
#include <kunit/visibility.h>
#include <linux/bitmap.h>
#include <linux/etherdevice.h>
#include <linux/fc2.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/unaligned.h>
#include <scsi/fc/fc_encaps.h>

#include "els.h"
#include "fcoe.h"
#include "fip.h"
#include "port.h"

/* F_CTL of the only frame of a request and of a reply, FC-FS */
#define FC2_F_CTL_REQUEST	(FC_FC_FIRST_SEQ | FC_FC_END_SEQ | FC_FC_SEQ_INIT)
#define FC2_F_CTL_REPLY		(FC_FC_EX_CTX | FC_FC_LAST_SEQ | FC_FC_END_SEQ)

/**
 * struct fc2_els_wait - a request that waits for its answer
 * @list: in fc2_port.els_requests
 * @ox_id: its OX_ID
 * @id: N_Port ID of the port that was asked
 * @until: when it ends, in jiffies
 * @login: see struct fc2_els_to
 * @over: only its OX_ID is still kept, as an answer may be on its way
 * @done: called once, before @over; may be NULL
 * @priv: for @done
 */
struct fc2_els_wait {
	struct list_head	list;
	u16			ox_id;
	u32			id;
	unsigned long		until;
	bool			login;
	bool			over;
	fc2_els_done		done;
	void			*priv;
};

/**
 * fc2_els_alloc - make a frame
 * @len: length of its payload
 * @cmd: command; the rest of the payload is zero
 *
 * Context: process.
 * Return: the payload, with room around it, or NULL.
 */
struct sk_buff *fc2_els_alloc(unsigned int len, u8 cmd)
{
	struct sk_buff *skb = alloc_skb(FC2_HEADROOM + len + FC2_TAILROOM, GFP_KERNEL);

	if (!skb)
		return NULL;
	skb_reserve(skb, FC2_HEADROOM);
	*(u8 *)skb_put_zero(skb, len) = cmd;
	return skb;
}
EXPORT_SYMBOL_IF_KUNIT(fc2_els_alloc);

static void fc2_els_header(struct sk_buff *skb, u8 r_ctl, u32 f_ctl, u32 s_id, u32 d_id)
{
	struct fc_frame_header *fh = skb_push(skb, sizeof(*fh));

	memset(fh, 0, sizeof(*fh));
	fh->fh_r_ctl = r_ctl;
	fc2_hton24(fh->fh_d_id, d_id);
	fc2_hton24(fh->fh_s_id, s_id);
	fh->fh_type = FC_TYPE_ELS;
	fc2_hton24(fh->fh_f_ctl, f_ctl);
	fh->fh_seq_id = FC2_SEQ_ID_ELS;
	fh->fh_rx_id = htons(FC_XID_UNKNOWN);
}

static int fc2_els_xmit(struct fc2_port *port, struct sk_buff *skb, u8 fip, const u8 *mac)
{
	if (fip)
		return fc2_fip_els_send(port, skb, fip, mac);
	return fc2_fcoe_xmit(port, skb, FC_SOF_I3, FC_EOF_T, mac);
}

/* Return: an OX_ID, not yet taken, or -EBUSY. */
static int fc2_els_xid(struct fc2_port *port)
{
	unsigned int bit = find_next_zero_bit(port->els_xids, FC2_ELS_XIDS, port->els_xid_next);

	if (bit == FC2_ELS_XIDS)
		bit = find_first_zero_bit(port->els_xids, FC2_ELS_XIDS);
	if (bit == FC2_ELS_XIDS)
		return -EBUSY;
	port->els_xid_next = (bit + 1) % FC2_ELS_XIDS;
	return FC2_ELS_XID_MIN + bit;
}

static int fc2_els_send(struct fc2_port *port, const struct fc2_els_to *to, struct sk_buff *skb,
			u16 ox_id)
{
	struct fc_frame_header *fh;

	fc2_els_header(skb, FC_RCTL_ELS_REQ, FC2_F_CTL_REQUEST, port->id, to->id);
	fh = (struct fc_frame_header *)skb->data;
	fh->fh_ox_id = htons(ox_id);
	return fc2_els_xmit(port, skb, to->fip, to->mac);
}

static void fc2_els_arm(struct fc2_port *port)
{
	struct fc2_els_wait *wait;
	unsigned long first = 0;

	list_for_each_entry(wait, &port->els_requests, list)
		if (!first || time_before(wait->until, first))
			first = wait->until ?: 1;
	if (first && !port->dead)
		mod_delayed_work(port->wq, &port->els_timer,
				 max_t(long, first - jiffies, 0));
}

static void fc2_els_free(struct fc2_port *port, struct fc2_els_wait *wait)
{
	__clear_bit(wait->ox_id - FC2_ELS_XID_MIN, port->els_xids);
	port->els_logins -= wait->login;
	list_del(&wait->list);
	kfree(wait);
}

/* The OX_ID may not be used again while an answer can be under way, FC-FS: R_A_TOV. */
static void fc2_els_quarantine(struct fc2_port *port, struct fc2_els_wait *wait)
{
	wait->over = true;
	wait->until = jiffies + msecs_to_jiffies(port->params.r_a_tov);
}

/**
 * fc2_els_request - send a request
 * @port: the port, its lock held
 * @to: where to
 * @skb: payload from fc2_els_alloc(); consumed
 * @done: called when it is over, unless this fails; may be NULL
 * @priv: for @done
 *
 * It ends after twice R_A_TOV without an answer, FC-LS.
 *
 * Return: 0, or a negative errno: -EBUSY when too many requests wait, or too many logins.
 */
int fc2_els_request(struct fc2_port *port, const struct fc2_els_to *to, struct sk_buff *skb,
		    fc2_els_done done, void *priv)
{
	struct fc2_els_wait *wait;
	int xid = fc2_els_xid(port);
	int err;

	lockdep_assert_held(&port->lock);
	if (xid < 0 || (to->login && port->els_logins >= FC2_ELS_LOGINS_MAX)) {
		kfree_skb(skb);
		return -EBUSY;
	}
	wait = kzalloc(sizeof(*wait), GFP_KERNEL);
	if (!wait) {
		kfree_skb(skb);
		return -ENOMEM;
	}
	err = fc2_els_send(port, to, skb, xid);
	if (err) {
		kfree(wait);
		return err;
	}
	wait->ox_id = xid;
	wait->id = to->id;
	wait->until = jiffies + msecs_to_jiffies(2 * port->params.r_a_tov);
	wait->login = to->login;
	wait->done = done;
	wait->priv = priv;
	port->els_logins += to->login;
	__set_bit(xid - FC2_ELS_XID_MIN, port->els_xids);
	list_add_tail(&wait->list, &port->els_requests);
	fc2_els_arm(port);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(fc2_els_request);

/**
 * fc2_els_tell - send a request that has no reply
 * @port: the port, its lock held
 * @to: where to
 * @skb: payload from fc2_els_alloc(); consumed
 *
 * Return: 0, or a negative errno.
 */
int fc2_els_tell(struct fc2_port *port, const struct fc2_els_to *to, struct sk_buff *skb)
{
	int xid = fc2_els_xid(port);

	lockdep_assert_held(&port->lock);
	if (xid < 0) {
		kfree_skb(skb);
		return xid;
	}
	return fc2_els_send(port, to, skb, xid);
}

/**
 * fc2_els_waiting - how many requests wait for an answer
 * @port: the port, its lock held
 * @priv: what they were made with
 *
 * Return: how many.
 */
unsigned int fc2_els_waiting(struct fc2_port *port, const void *priv)
{
	const struct fc2_els_wait *wait;
	unsigned int n = 0;

	lockdep_assert_held(&port->lock);
	list_for_each_entry(wait, &port->els_requests, list)
		n += !wait->over && wait->priv == priv;
	return n;
}

/**
 * fc2_els_cancel - give up requests
 * @port: the port, its lock held
 * @priv: what they were made with; their done() is not called
 */
void fc2_els_cancel(struct fc2_port *port, const void *priv)
{
	struct fc2_els_wait *wait;

	lockdep_assert_held(&port->lock);
	list_for_each_entry(wait, &port->els_requests, list)
		if (!wait->over && wait->priv == priv)
			fc2_els_quarantine(port, wait);
	fc2_els_arm(port);
}
EXPORT_SYMBOL_IF_KUNIT(fc2_els_cancel);

/* The first request that can end now; done() may add and cancel others. */
static struct fc2_els_wait *fc2_els_ripe(struct fc2_port *port, bool all)
{
	struct fc2_els_wait *wait;

	list_for_each_entry(wait, &port->els_requests, list)
		if (!wait->over && (all || time_after_eq(jiffies, wait->until)))
			return wait;
	return NULL;
}

/**
 * fc2_els_cancel_all - end all requests
 * @port: the port, its lock held
 * @err: what their done() is told
 */
void fc2_els_cancel_all(struct fc2_port *port, int err)
{
	struct fc2_els_wait *wait;

	lockdep_assert_held(&port->lock);
	while ((wait = fc2_els_ripe(port, true))) {
		fc2_els_quarantine(port, wait);
		if (wait->done)
			wait->done(port, wait->priv, NULL, 0, err);
	}
	fc2_els_arm(port);
}

static void fc2_els_timeout(struct work_struct *work)
{
	struct fc2_port *port = container_of(work, struct fc2_port, els_timer.work);
	struct fc2_els_wait *wait, *next;

	mutex_lock(&port->lock);
	list_for_each_entry_safe(wait, next, &port->els_requests, list)
		if (wait->over && time_after_eq(jiffies, wait->until))
			fc2_els_free(port, wait);
	while ((wait = fc2_els_ripe(port, false))) {
		fc2_stat_inc(port, FC2_STAT_ELS_UNANSWERED);
		fc2_els_quarantine(port, wait);
		if (wait->done)
			wait->done(port, wait->priv, NULL, 0, -ETIMEDOUT);
	}
	fc2_els_arm(port);
	mutex_unlock(&port->lock);
}

/* What an answer means, as fc2_els_done tells it; -EPROTO: it is malformed. */
static int fc2_els_meaning(const struct sk_buff *skb)
{
	const struct fc_els_ls_rjt *rjt = (const struct fc_els_ls_rjt *)skb->data;

	if (skb->len < sizeof(struct fc_els_ls_acc))
		return -EPROTO;
	if (skb->data[0] == ELS_LS_ACC)
		return 0;
	if (skb->data[0] != ELS_LS_RJT || skb->len < sizeof(*rjt))
		return -EPROTO;
	switch (rjt->er_reason) {
	case ELS_RJT_BUSY:
		return -EBUSY;
	case ELS_RJT_INPROG:
		return -EINPROGRESS;
	default:
		return -ECONNREFUSED;
	}
}

/**
 * fc2_els_answered - an answer to a request has come
 * @port: the port, its lock held
 * @skb: the frame, linear
 */
void fc2_els_answered(struct fc2_port *port, const struct sk_buff *skb)
{
	const struct fc_frame_header *fh = fc2_frame_hdr(skb);
	u32 s_id = fc2_ntoh24(fh->fh_s_id);
	int err = fc2_els_meaning(skb);
	struct fc2_els_wait *wait;
	fc2_els_done done;
	void *priv;

	lockdep_assert_held(&port->lock);
	if (err == -EPROTO) {
		fc2_stat_inc(port, FC2_STAT_ELS_BAD);
		return;
	}
	list_for_each_entry(wait, &port->els_requests, list) {
		if (wait->ox_id != ntohs(fh->fh_ox_id) || wait->id != s_id || wait->over)
			continue;
		done = wait->done;
		priv = wait->priv;
		fc2_els_free(port, wait);
		if (done)
			done(port, priv, skb->data, skb->len, err);
		return;
	}
	fc2_stat_inc(port, FC2_STAT_RX_XID);
}

/**
 * fc2_els_reply - answer a request
 * @port: the port, its lock held
 * @request: the request
 * @skb: payload of the answer, from fc2_els_alloc(); consumed
 *
 * It goes the way that the request has come.
 *
 * Return: 0, or a negative errno.
 */
int fc2_els_reply(struct fc2_port *port, const struct sk_buff *request, struct sk_buff *skb)
{
	const struct fc_frame_header *to = fc2_frame_hdr(request);
	struct fc_frame_header *fh;

	lockdep_assert_held(&port->lock);
	fc2_els_header(skb, FC_RCTL_ELS_REP, FC2_F_CTL_REPLY, fc2_ntoh24(to->fh_d_id),
		       fc2_ntoh24(to->fh_s_id));
	fh = (struct fc_frame_header *)skb->data;
	fh->fh_ox_id = to->fh_ox_id;
	return fc2_els_xmit(port, skb, fc2_skb_cb(request)->fip, eth_hdr(request)->h_source);
}

/**
 * fc2_els_accept - answer a request with an LS_ACC that has no more to say
 * @port: the port, its lock held
 * @request: the request
 */
void fc2_els_accept(struct fc2_port *port, const struct sk_buff *request)
{
	struct sk_buff *skb = fc2_els_alloc(sizeof(struct fc_els_ls_acc), ELS_LS_ACC);

	if (skb)
		fc2_els_reply(port, request, skb);
}

/**
 * fc2_els_reject - answer a request with LS_RJT
 * @port: the port, its lock held
 * @request: the request
 * @reason: why
 * @explan: explanation
 */
void fc2_els_reject(struct fc2_port *port, const struct sk_buff *request,
		    enum fc_els_rjt_reason reason, u8 explan)
{
	struct sk_buff *skb = fc2_els_alloc(sizeof(struct fc_els_ls_rjt), ELS_LS_RJT);
	struct fc_els_ls_rjt *rjt;

	if (!skb)
		return;
	rjt = (struct fc_els_ls_rjt *)skb->data;
	rjt->er_reason = reason;
	rjt->er_explan = explan;
	fc2_stat_inc(port, FC2_STAT_ELS_REJECTED);
	fc2_els_reply(port, request, skb);
}

/**
 * fc2_els_has - whether a request is long enough; if not it is rejected and counted
 * @port: the port, its lock held
 * @request: the request
 * @len: length that its payload must have
 *
 * Return: whether.
 */
bool fc2_els_has(struct fc2_port *port, const struct sk_buff *request, unsigned int len)
{
	if (request->len >= len)
		return true;
	fc2_stat_inc(port, FC2_STAT_ELS_BAD);
	fc2_els_reject(port, request, ELS_RJT_PROT, ELS_EXPL_INV_LEN);
	return false;
}

/**
 * fc2_els_requests_begin - begin to be able to send requests
 * @port: the port, which is new
 */
void fc2_els_requests_begin(struct fc2_port *port)
{
	INIT_LIST_HEAD(&port->els_requests);
	INIT_DELAYED_WORK(&port->els_timer, fc2_els_timeout);
}

/**
 * fc2_els_requests_end - end all requests of a port that is deleted
 * @port: the port
 *
 * Context: process.
 */
void fc2_els_requests_end(struct fc2_port *port)
{
	struct fc2_els_wait *wait, *next;

	mutex_lock(&port->lock);
	fc2_els_cancel_all(port, -ENETDOWN);
	mutex_unlock(&port->lock);
	cancel_delayed_work_sync(&port->els_timer);
	/* A program whose question has got no answer may just be giving it up */
	mutex_lock(&port->lock);
	list_for_each_entry_safe(wait, next, &port->els_requests, list)
		fc2_els_free(port, wait);
	mutex_unlock(&port->lock);
}
