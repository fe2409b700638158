// SPDX-License-Identifier: GPL-2.0
/*
 * Name Server client, FC-GS: registers a port of a fabric, and finds others.
 *
 * A port that comes asks for those that are there, and logs in with them; those that come later
 * log in with it.  The Fabric Controller, FC-LS, tells it of changes; it asks again then, and
 * forgets those that are not there any more.
 */
#include <linux/etherdevice.h>
#include <linux/fc2.h>
#include <linux/slab.h>
#include <linux/unaligned.h>
#include <net/ipv6.h>
#include <scsi/fc/fc_els.h>
#include <scsi/fc/fc_gs.h>
#include <scsi/fc/fc_ns.h>

#include "els.h"
#include "fabric.h"
#include "farp.h"
#include "host.h"
#include "ns.h"
#include "port.h"
#include "remote.h"
#include "rport.h"

/* Most frames of an answer: 256 ports, in frames of the least size */
#define FC2_NS_FRAMES_MAX	32

/* How often a request without an answer is repeated */
#define FC2_NS_TRIES		3

/* Milliseconds in which the Name Server has to tell of a Host Address: FARP asks after that */
#define FC2_NS_HOST_MS		3000

/* FC-GS, for IP over FC */
#define FC2_NS_CMD_RIPP_ID	0x021b
#define FC2_NS_CMD_GID_IPP	0x01b1

/* The TYPEs that a port registers, and asks for */
static const u8 fc2_ns_types[] = { FC_TYPE_IP, FC2_TYPE_FCVI };

static_assert(ARRAY_SIZE(fc2_ns_types) == FC2_NS_GID_IPP - FC2_NS_GPN_FT_IP);

#define FC2_NS_PORTS	GENMASK(FC2_NS_GPN_FT_FCVI, FC2_NS_GPN_FT_IP)

/**
 * struct fc2_ns_ripp_id - payload of RIPP_ID, FC-GS
 * @fid: N_Port ID
 * @ip: its IP address; IPv4 addresses are v4-mapped
 */
struct fc2_ns_ripp_id {
	struct fc_ns_fid	fid;
	struct in6_addr		ip;
};

static_assert(sizeof(struct fc2_ns_ripp_id) == 20);

static struct fc2_ns *fc2_ns_of(const struct fc2_port *port)
{
	return port->fabric ? &port->fabric->ns : NULL;
}

static void fc2_ns_frame(struct fc2_exch *exch, struct sk_buff *skb)
{
	struct fc2_ns *ns = fc2_exch_priv(exch);
	bool last = fc2_skb_cb(skb)->flags & FC2_SEND_END_SEQ;

	if (skb_queue_len_lockless(&ns->frames) >= FC2_NS_FRAMES_MAX) {
		fc2_stat_inc(ns->port, FC2_STAT_RX_REFUSED);
		kfree_skb(skb);
		return;
	}
	skb_queue_tail(&ns->frames, skb);
	if (!last)
		return;
	WRITE_ONCE(ns->complete, true);
	mod_delayed_work(ns->port->wq, &ns->work, 0);
}

/* The time limit of the answer goes on, so that a request is repeated after it */
static void fc2_ns_exch_end(struct fc2_exch *exch, int err)
{
	struct fc2_ns *ns = fc2_exch_priv(exch);

	cmpxchg(&ns->exch, exch, NULL);
}

static const struct fc2_exch_ops fc2_ns_ops = {
	.frame	= fc2_ns_frame,
	.end	= fc2_ns_exch_end,
};

/* A request, with room for @len bytes behind the CT header */
static struct sk_buff *fc2_ns_alloc(u16 cmd, unsigned int len)
{
	struct sk_buff *skb = alloc_skb(FC2_HEADROOM + FC_CT_HDR_LEN + len + FC2_TAILROOM,
					GFP_KERNEL);
	struct fc_ct_hdr *ct;

	if (!skb)
		return NULL;
	skb_reserve(skb, FC2_HEADROOM);
	ct = skb_put_zero(skb, sizeof(*ct));
	ct->ct_rev = FC_CT_REV;
	ct->ct_fs_type = FC_FST_DIR;
	ct->ct_fs_subtype = FC_NS_SUBTYPE;
	ct->ct_cmd = htons(cmd);
	return skb;
}

static struct sk_buff *fc2_ns_rft_id(const struct fc2_port *port)
{
	struct sk_buff *skb = fc2_ns_alloc(FC_NS_RFT_ID, sizeof(struct fc_ns_rft_id));
	struct fc_ns_rft_id *rft;
	unsigned int i;

	if (!skb)
		return NULL;
	rft = skb_put_zero(skb, sizeof(*rft));
	fc2_hton24(rft->fr_fid.fp_fid, port->id);
	for (i = 0; i < ARRAY_SIZE(fc2_ns_types); i++)
		rft->fr_fts.ff_type_map[fc2_ns_types[i] / FC_NS_BPW] |=
			htonl(BIT(fc2_ns_types[i] % FC_NS_BPW));
	return skb;
}

static struct sk_buff *fc2_ns_gpn_ft(u8 type)
{
	struct sk_buff *skb = fc2_ns_alloc(FC_NS_GPN_FT, sizeof(struct fc_ns_gid_ft));
	struct fc_ns_gid_ft *gid;

	if (!skb)
		return NULL;
	gid = skb_put_zero(skb, sizeof(*gid));
	gid->fn_fc4_type = type;
	return skb;
}

static struct sk_buff *fc2_ns_ripp_id(struct fc2_ns *ns)
{
	struct sk_buff *skb = fc2_ns_alloc(FC2_NS_CMD_RIPP_ID, sizeof(struct fc2_ns_ripp_id));
	struct fc2_ns_ripp_id *ripp;

	if (!skb)
		return NULL;
	fc2_host_first(ns->port, &ns->host);
	ripp = skb_put_zero(skb, sizeof(*ripp));
	fc2_hton24(ripp->fid.fp_fid, ns->port->id);
	ripp->ip = ns->host;
	return skb;
}

static struct sk_buff *fc2_ns_gid_ipp(const struct fc2_ns *ns)
{
	struct sk_buff *skb = fc2_ns_alloc(FC2_NS_CMD_GID_IPP, sizeof(ns->ip));

	if (skb)
		skb_put_data(skb, &ns->ip, sizeof(ns->ip));
	return skb;
}

static struct sk_buff *fc2_ns_request(struct fc2_ns *ns)
{
	switch (ns->asking) {
	case FC2_NS_RFT_ID:
		return fc2_ns_rft_id(ns->port);
	case FC2_NS_RIPP_ID:
		return fc2_ns_ripp_id(ns);
	case FC2_NS_GID_IPP:
		return fc2_ns_gid_ipp(ns);
	default:
		return fc2_ns_gpn_ft(fc2_ns_types[ns->asking - FC2_NS_GPN_FT_IP]);
	}
}

static void fc2_ns_send(struct fc2_ns *ns, struct sk_buff *skb)
{
	static const struct fc2_send send = {
		.r_ctl = FC_RCTL_DD_UNSOL_CTL, .flags = FC2_SEND_END_SEQ | FC2_SEND_INITIATIVE,
	};
	struct fc2_rport *rport;
	struct fc2_exch *exch;

	rcu_read_lock();
	rport = fc2_rport_by_id(ns->port, FC_FID_DIR_SERV);
	exch = rport ? fc2_exch_open(rport, &fc2_ns_prov, &fc2_ns_ops, ns, GFP_ATOMIC) :
		       ERR_PTR(-ENOTCONN);
	if (IS_ERR(exch)) {
		kfree_skb(skb);
	} else {
		WRITE_ONCE(ns->exch, exch);
		/* fc2_ns_exch_end() may have run before it was there */
		if (fc2_exch_send(exch, skb, &send) == -ENOTCONN)
			cmpxchg(&ns->exch, exch, NULL);
	}
	rcu_read_unlock();
}

/* What is asked next */
static enum fc2_ns_request fc2_ns_next(struct fc2_ns *ns)
{
	enum fc2_ns_request next;

	if (ns->todo) {
		next = __ffs(ns->todo);
		__clear_bit(next, &ns->todo);
		if (next == FC2_NS_GPN_FT_IP)
			ns->whole = true;
		return next;
	}
	return fc2_farp_question(ns->port, &ns->ip) ? FC2_NS_GID_IPP : FC2_NS_NOTHING;
}

static void fc2_ns_ask(struct fc2_ns *ns)
{
	struct fc2_port *port = ns->port;
	unsigned int ms = 2 * READ_ONCE(port->params.r_a_tov);
	struct sk_buff *skb;

	if (ns->asking == FC2_NS_NOTHING) {
		ns->asking = fc2_ns_next(ns);
		ns->tries = 0;
	}
	if (ns->asking == FC2_NS_NOTHING)
		return;
	if (ns->asking == FC2_NS_GID_IPP)
		ms = FC2_NS_HOST_MS;
	ns->until = jiffies + msecs_to_jiffies(ms);
	mod_delayed_work(port->wq, &ns->work, msecs_to_jiffies(ms));
	skb = fc2_ns_request(ns);
	if (skb)
		fc2_ns_send(ns, skb);
}

static void fc2_ns_kick(struct fc2_ns *ns)
{
	mod_delayed_work(ns->port->wq, &ns->work, 0);
}

/* All ports of our TYPEs have been told: those that may have gone, and are not among them, have */
static void fc2_ns_sweep(struct fc2_ns *ns)
{
	struct fc2_remote *remote;
	unsigned long id;

	if (!ns->whole || (ns->todo & FC2_NS_PORTS))
		return;
	xa_for_each(&ns->port->remotes, id, remote)
		if (remote->suspect)
			fc2_rport_gone(ns->port, id);
}

static void fc2_ns_found(struct fc2_ns *ns, const struct fc_gpn_ft_resp *entry)
{
	u64 wwpn = get_unaligned_be64(&entry->fp_wwpn);
	u32 id = fc2_ntoh24(entry->fp_fid);
	struct fc2_remote *remote;

	if (!id || id >= FC_FID_DOM_MGR || id == ns->port->id || !wwpn ||
	    wwpn == ns->port->params.wwpn)
		return;
	fc2_rport_neighbour(ns->port, id, wwpn, 0, ns->mac);
	remote = fc2_remote_find(ns->port, id);
	if (remote)
		remote->suspect = false;
}

static void fc2_ns_ports(struct fc2_ns *ns, const u8 *data, unsigned int len)
{
	const struct fc_gpn_ft_resp *entry;
	unsigned int pos;

	for (pos = 0; len - pos >= sizeof(*entry); pos += sizeof(*entry)) {
		entry = (const struct fc_gpn_ft_resp *)(data + pos);
		fc2_ns_found(ns, entry);
		if (entry->fp_flags & FC_NS_FID_LAST)
			break;
	}
}

/* FC-VI 7.6: of several ports with the address the first.  Without one FARP asks. */
static void fc2_ns_host(struct fc2_ns *ns, const u8 *data, unsigned int len)
{
	const struct fc_ns_fid *fid = (const struct fc_ns_fid *)data;
	const struct fc2_remote *remote = NULL;
	u32 id = len < sizeof(*fid) ? 0 : fc2_ntoh24(fid->fp_fid);

	if (id && id < FC_FID_DOM_MGR && id != ns->port->id) {
		remote = fc2_remote_find(ns->port, id);
		if (!remote)
			fc2_rport_neighbour(ns->port, id, 0, 0, ns->mac);
		remote = fc2_remote_find(ns->port, id);
	}
	if (remote)
		fc2_farp_served(ns->port, &ns->ip, id, remote->wwpn);
	else
		fc2_farp_served(ns->port, &ns->ip, 0, 0);
}

static void fc2_ns_accepted(struct fc2_ns *ns, const u8 *data, unsigned int len)
{
	if (ns->asking == FC2_NS_GID_IPP)
		fc2_ns_host(ns, data, len);
	else if (BIT(ns->asking) & FC2_NS_PORTS)
		fc2_ns_ports(ns, data, len);
}

/* Read what has come; @len is 0 if that was too much, or nothing. */
static void fc2_ns_answer(struct fc2_ns *ns, const u8 *data, unsigned int len)
{
	const struct fc_ct_hdr *ct = (const struct fc_ct_hdr *)data;
	u16 cmd = len < sizeof(*ct) ? 0 : ntohs(ct->ct_cmd);

	if (cmd == FC_FS_ACC) {
		fc2_ns_accepted(ns, data + sizeof(*ct), len - sizeof(*ct));
	} else {
		if (cmd != FC_FS_RJT && len)
			fc2_stat_inc(ns->port, FC2_STAT_ELS_BAD);
		/* A TYPE that no port has registered is rejected so */
		if (cmd != FC_FS_RJT || ct->ct_reason != FC_FS_RJT_UNABL)
			ns->whole = false;
		if (ns->asking == FC2_NS_GID_IPP)
			fc2_farp_served(ns->port, &ns->ip, 0, 0);
	}
	if (ns->asking == FC2_NS_GPN_FT_FCVI)
		fc2_ns_sweep(ns);
}

/* All frames that have come, one behind the other; entries can lie across them. */
static void fc2_ns_read(struct fc2_ns *ns, struct sk_buff_head *frames)
{
	unsigned int len = 0, pos = 0;
	struct sk_buff *skb;
	u8 *data;

	skb_queue_walk(frames, skb)
		len += skb->len;
	data = len ? kvmalloc(len, GFP_KERNEL) : NULL;
	skb_queue_walk(frames, skb) {
		if (data && !skb_copy_bits(skb, 0, data + pos, skb->len))
			pos += skb->len;
	}
	fc2_ns_answer(ns, data, pos);
	kvfree(data);
}

/* Take what has come.  fc2_ns_exch_end() finds the Exchange gone, or has been called before. */
static void fc2_ns_take(struct fc2_ns *ns, struct sk_buff_head *frames)
{
	struct fc2_exch *exch;

	rcu_read_lock();
	exch = xchg(&ns->exch, NULL);
	if (exch)
		fc2_exch_close(exch);
	rcu_read_unlock();
	WRITE_ONCE(ns->complete, false);
	spin_lock_bh(&ns->frames.lock);
	skb_queue_splice_init(&ns->frames, frames);
	spin_unlock_bh(&ns->frames.lock);
}

/* The request has got its answer, or none in time. */
static void fc2_ns_done(struct fc2_ns *ns, bool answered)
{
	struct sk_buff_head frames;

	__skb_queue_head_init(&frames);
	fc2_ns_take(ns, &frames);
	if (answered) {
		fc2_ns_read(ns, &frames);
		ns->asking = FC2_NS_NOTHING;
	} else if (ns->asking == FC2_NS_GID_IPP || ++ns->tries > FC2_NS_TRIES) {
		fc2_ns_answer(ns, NULL, 0);
		ns->asking = FC2_NS_NOTHING;
	}
	__skb_queue_purge(&frames);
}

static void fc2_ns_work(struct work_struct *work)
{
	struct fc2_ns *ns = container_of(to_delayed_work(work), struct fc2_ns, work);
	struct fc2_port *port = ns->port;
	bool answered;

	mutex_lock(&port->lock);
	if (port->state == FC2_STATE_UP) {
		answered = READ_ONCE(ns->complete);
		if (ns->asking != FC2_NS_NOTHING && !answered && time_before(jiffies, ns->until)) {
			mod_delayed_work(port->wq, &ns->work, ns->until - jiffies);
		} else {
			if (ns->asking != FC2_NS_NOTHING)
				fc2_ns_done(ns, answered);
			fc2_ns_ask(ns);
		}
	}
	mutex_unlock(&port->lock);
}

/* Under the lock of the port */
static void fc2_ns_login(struct fc2_rport *rport)
{
	struct fc2_ns *ns = fc2_ns_of(rport->port);
	struct sk_buff_head frames;

	if (!ns || rport->id != FC_FID_DIR_SERV)
		return;
	__skb_queue_head_init(&frames);
	fc2_ns_take(ns, &frames);
	__skb_queue_purge(&frames);
	ns->todo = FC2_NS_PORTS | BIT(FC2_NS_RFT_ID);
	ns->asking = FC2_NS_NOTHING;
	memset(&ns->host, 0, sizeof(ns->host));
	fc2_ns_refresh(ns);
	fc2_ns_ask(ns);
}

struct fc2_prov fc2_ns_prov = {
	.type	= FC_TYPE_CT,
	.login	= fc2_ns_login,
};

/**
 * fc2_ns_init - prepare the client of a port
 * @ns: it
 * @port: the port
 */
void fc2_ns_init(struct fc2_ns *ns, struct fc2_port *port)
{
	ns->port = port;
	ns->asking = FC2_NS_NOTHING;
	skb_queue_head_init(&ns->frames);
	INIT_DELAYED_WORK(&ns->work, fc2_ns_work);
}

static void fc2_ns_scr(struct fc2_ns *ns);

/* Without RSCN the port goes on, as it did before it asked for them. */
static void fc2_ns_scr_done(struct fc2_port *port, void *priv, const u8 *answer,
			    unsigned int len, int err)
{
	struct fc2_ns *ns = priv;

	if (err && err != -ENETDOWN && ++ns->scr_tries < FC2_NS_TRIES)
		fc2_ns_scr(ns);
}

/* State Change Registration, FC-LS and FC-VI 7.7.5 */
static void fc2_ns_scr(struct fc2_ns *ns)
{
	const struct fc2_els_to to = { .id = FC_FID_FCTRL, .mac = ns->mac };
	struct sk_buff *skb = fc2_els_alloc(sizeof(struct fc_els_scr), ELS_SCR);

	if (!skb)
		return;
	((struct fc_els_scr *)skb->data)->scr_reg_func = ELS_SCRF_FULL;
	fc2_els_request(ns->port, &to, skb, fc2_ns_scr_done, ns);
}

/**
 * fc2_ns_start - register for state changes, and log in with the Name Server, which leads to the
 *	requests
 * @ns: the client of the port, whose lock is held, and which has its N_Port ID
 * @mac: MAC address of the FCF
 */
void fc2_ns_start(struct fc2_ns *ns, const u8 *mac)
{
	lockdep_assert_held(&ns->port->lock);
	ether_addr_copy(ns->mac, mac);
	fc2_rport_neighbour(ns->port, FC_FID_DIR_SERV, 0, 0, mac);
	ns->scr_tries = 0;
	fc2_ns_scr(ns);
}

/**
 * fc2_ns_refresh - register the Host Address of the port, if it is another one now
 * @ns: the client of the port, whose lock is held, and which has its N_Port ID
 */
void fc2_ns_refresh(struct fc2_ns *ns)
{
	struct in6_addr host;

	lockdep_assert_held(&ns->port->lock);
	fc2_host_first(ns->port, &host);
	if (ipv6_addr_equal(&host, &ns->host))
		return;
	__set_bit(FC2_NS_RIPP_ID, &ns->todo);
	fc2_ns_kick(ns);
}

/* Those among which something has changed */
static void fc2_ns_suspect(struct fc2_port *port, const struct fc_els_rscn_page *page)
{
	u8 format = page->rscn_page_flags >> ELS_RSCN_ADDR_FMT_BIT & ELS_RSCN_ADDR_FMT_MASK;
	u32 mask = format == ELS_ADDR_FMT_FAB ? 0 : ~0U << 8 * format;
	u32 fid = fc2_ntoh24(page->rscn_fid);
	struct fc2_remote *remote;
	unsigned long id;

	xa_for_each(&port->remotes, id, remote)
		if (id != port->id && id < FC_FID_DOM_MGR && !((id ^ fid) & mask))
			remote->suspect = true;
}

/**
 * fc2_ns_rx_rscn - RSCN has come, FC-LS
 * @port: the port, its lock held
 * @request: the frame, linear
 */
void fc2_ns_rx_rscn(struct fc2_port *port, const struct sk_buff *request)
{
	const struct fc_els_rscn *rscn = (const struct fc_els_rscn *)request->data;
	struct fc2_ns *ns = fc2_ns_of(port);
	unsigned int len, pos;

	lockdep_assert_held(&port->lock);
	if (!ns) {
		fc2_els_reject(port, request, ELS_RJT_UNSUP, ELS_EXPL_UNSUPR);
		return;
	}
	if (fc2_ntoh24(fc2_frame_hdr(request)->fh_s_id) != FC_FID_FCTRL) {
		fc2_els_reject(port, request, ELS_RJT_UNAB, ELS_EXPL_SID);
		return;
	}
	len = ntohs(rscn->rscn_plen);
	if (rscn->rscn_page_len != sizeof(struct fc_els_rscn_page) || len > request->len ||
	    len < sizeof(*rscn) || len % sizeof(struct fc_els_rscn_page)) {
		fc2_stat_inc(port, FC2_STAT_ELS_BAD);
		fc2_els_reject(port, request, ELS_RJT_PROT, ELS_EXPL_INV_LEN);
		return;
	}
	fc2_els_accept(port, request);
	for (pos = sizeof(*rscn); pos < len; pos += sizeof(struct fc_els_rscn_page))
		fc2_ns_suspect(port, (const struct fc_els_rscn_page *)(request->data + pos));
	/* Answers to what was asked before may be older than this */
	ns->whole = false;
	ns->todo |= FC2_NS_PORTS;
	fc2_ns_kick(ns);
}

/**
 * fc2_ns_end - end the client of a port that has no Exchanges any more
 * @ns: it
 *
 * Context: process, without the lock of the port.
 */
void fc2_ns_end(struct fc2_ns *ns)
{
	cancel_delayed_work_sync(&ns->work);
	skb_queue_purge(&ns->frames);
}
