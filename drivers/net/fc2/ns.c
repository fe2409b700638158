// SPDX-License-Identifier: GPL-2.0
/*
 * Name Server client, FC-GS: registers a port of a fabric, and finds others.
 *
 * A port that comes asks for those that are there, and logs in with them; those that come later
 * log in with it.
 */
#include <linux/etherdevice.h>
#include <linux/fc2.h>
#include <linux/slab.h>
#include <linux/unaligned.h>
#include <scsi/fc/fc_gs.h>
#include <scsi/fc/fc_ns.h>

#include "fabric.h"
#include "ns.h"
#include "port.h"
#include "rport.h"

/* Most frames of an answer: 256 ports, in frames of the least size */
#define FC2_NS_FRAMES_MAX	32

/* How often a request without an answer is repeated */
#define FC2_NS_TRIES		3

/* The TYPEs that a port registers, and asks for: the first request, and those after it */
static const u8 fc2_ns_types[] = { FC_TYPE_IP, FC2_TYPE_FCVI };

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
	if (last)
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

static void fc2_ns_ask(struct fc2_ns *ns)
{
	static const struct fc2_send send = {
		.r_ctl = FC_RCTL_DD_UNSOL_CTL, .flags = FC2_SEND_END_SEQ | FC2_SEND_INITIATIVE,
	};
	struct fc2_port *port = ns->port;
	struct fc2_rport *rport;
	struct fc2_exch *exch;
	struct sk_buff *skb;

	if (ns->step > ARRAY_SIZE(fc2_ns_types))
		return;
	mod_delayed_work(port->wq, &ns->work,
			 msecs_to_jiffies(2 * READ_ONCE(port->params.r_a_tov)));
	skb = ns->step ? fc2_ns_gpn_ft(fc2_ns_types[ns->step - 1]) : fc2_ns_rft_id(port);
	if (!skb)
		return;
	rcu_read_lock();
	rport = fc2_rport_by_id(port, FC_FID_DIR_SERV);
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

static void fc2_ns_found(struct fc2_ns *ns, const struct fc_gpn_ft_resp *entry)
{
	u32 id = fc2_ntoh24(entry->fp_fid);
	u64 wwpn = get_unaligned_be64(&entry->fp_wwpn);

	if (id && id < FC_FID_DOM_MGR && id != ns->port->id && wwpn &&
	    wwpn != ns->port->params.wwpn)
		fc2_rport_neighbour(ns->port, id, wwpn, 0, ns->mac);
}

static void fc2_ns_answer(struct fc2_ns *ns, const u8 *data, unsigned int len)
{
	const struct fc_ct_hdr *ct = (const struct fc_ct_hdr *)data;
	const struct fc_gpn_ft_resp *entry;
	unsigned int pos;

	if (len < sizeof(*ct) ||
	    (ct->ct_cmd != htons(FC_FS_ACC) && ct->ct_cmd != htons(FC_FS_RJT))) {
		fc2_stat_inc(ns->port, FC2_STAT_ELS_BAD);
		return;
	}
	if (!ns->step || ct->ct_cmd == htons(FC_FS_RJT))
		return;
	for (pos = sizeof(*ct); len - pos >= sizeof(*entry); pos += sizeof(*entry)) {
		entry = (const struct fc_gpn_ft_resp *)(data + pos);
		fc2_ns_found(ns, entry);
		if (entry->fp_flags & FC_NS_FID_LAST)
			break;
	}
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
	if (!data)
		return;
	skb_queue_walk(frames, skb) {
		if (!skb_copy_bits(skb, 0, data + pos, skb->len))
			pos += skb->len;
	}
	fc2_ns_answer(ns, data, pos);
	kvfree(data);
}

/* An answer is there: go on with the next request.  Or there is none in time: repeat it. */
static void fc2_ns_work(struct work_struct *work)
{
	struct fc2_ns *ns = container_of(to_delayed_work(work), struct fc2_ns, work);
	struct sk_buff_head frames;
	struct fc2_exch *exch;

	__skb_queue_head_init(&frames);
	spin_lock_bh(&ns->frames.lock);
	skb_queue_splice_init(&ns->frames, &frames);
	spin_unlock_bh(&ns->frames.lock);
	/* fc2_ns_exch_end() finds the Exchange gone, or has been called before */
	rcu_read_lock();
	exch = xchg(&ns->exch, NULL);
	if (exch)
		fc2_exch_close(exch);
	rcu_read_unlock();
	mutex_lock(&ns->port->lock);
	if (ns->port->state == FC2_STATE_UP) {
		fc2_ns_read(ns, &frames);
		if (!skb_queue_empty(&frames) || ++ns->tries > FC2_NS_TRIES) {
			ns->step++;
			ns->tries = 0;
		}
		fc2_ns_ask(ns);
	}
	mutex_unlock(&ns->port->lock);
	__skb_queue_purge(&frames);
}

/* Under the lock of the port */
static void fc2_ns_login(struct fc2_rport *rport)
{
	struct fc2_ns *ns = fc2_ns_of(rport->port);

	if (!ns || rport->id != FC_FID_DIR_SERV)
		return;
	ns->step = 0;
	ns->tries = 0;
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
	skb_queue_head_init(&ns->frames);
	INIT_DELAYED_WORK(&ns->work, fc2_ns_work);
}

/**
 * fc2_ns_start - log in with the Name Server, which leads to the requests
 * @ns: the client of the port, whose lock is held, and which has its N_Port ID
 * @mac: MAC address of the FCF
 */
void fc2_ns_start(struct fc2_ns *ns, const u8 *mac)
{
	lockdep_assert_held(&ns->port->lock);
	ether_addr_copy(ns->mac, mac);
	fc2_rport_neighbour(ns->port, FC_FID_DIR_SERV, 0, 0, mac);
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
