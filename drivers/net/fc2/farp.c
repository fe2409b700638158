// SPDX-License-Identifier: GPL-2.0
/*
 * FARP: the N_Port ID of an IP address, FC-VI 7.4 and 7.5.
 *
 * The cache has a lock of its own, which is taken inside fc2_port.lock, so that it can be asked
 * from anywhere.  What has to be sent and told is left to a work item.
 */
#include <linux/etherdevice.h>
#include <linux/fc2.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <net/ipv6.h>

#include "els.h"
#include "fabric.h"
#include "farp.h"
#include "host.h"
#include "port.h"
#include "prov.h"
#include "remote.h"

#define FC2_FARP_MATCH_IP	BIT(2)	/* Match Address Code Point, FC-VI 7.5 */
#define FC2_FARP_REPLY		2	/* Responder Action: originate a FARP-REPLY */

#define FC2_FARP_MAX		256
#define FC2_FARP_TRIES		3
#define FC2_FARP_INTERVAL	HZ
#define FC2_FARP_KEEP		(60 * HZ)
/* How long it is known that there is no answer */
#define FC2_FARP_KEEP_NONE	HZ
/* How long the Name Server has for an answer */
#define FC2_FARP_SERVER_TIME	(3 * HZ)
/* Most FARP-REPLYs that wait for their LS_ACC: forged requests may not use up all OX_IDs */
#define FC2_FARP_REPLIES	32

/**
 * struct fc2_farp - payload of FARP-REQ and FARP-REPLY, FC-LS
 * @cmd: ELS_FARP_REQ or ELS_FARP_REPL
 * @zero: zero
 * @points: Match Address Code Points
 * @asker_id: Requesting N_Port ID
 * @action: Responder Action
 * @id: Responding N_Port ID
 * @asker_wwpn: Requesting Port_Name
 * @asker_wwnn: Requesting Node_Name
 * @wwpn: Responding Port_Name
 * @wwnn: Responding Node_Name
 * @asker_ip: Requesting IP address
 * @ip: Responding IP address
 */
struct fc2_farp {
	u8		cmd;
	u8		zero[3];
	u8		points;
	u8		asker_id[3];
	u8		action;
	u8		id[3];
	__be64		asker_wwpn;
	__be64		asker_wwnn;
	__be64		wwpn;
	__be64		wwnn;
	struct in6_addr	asker_ip;
	struct in6_addr	ip;
} __packed;

static_assert(sizeof(struct fc2_farp) == 76);

/**
 * enum fc2_farp_state - what is known of an address
 * @FC2_FARP_SERVER: the Name Server was asked, or is to be
 * @FC2_FARP_ASKED: the question was asked, or is to be
 * @FC2_FARP_FRESH: there is an answer, of which FC-4s have not been told
 * @FC2_FARP_KNOWN: there is an answer
 * @FC2_FARP_FAILED: there is none, of which FC-4s have not been told
 * @FC2_FARP_NONE: there is none
 */
enum fc2_farp_state {
	FC2_FARP_SERVER,
	FC2_FARP_ASKED,
	FC2_FARP_FRESH,
	FC2_FARP_KNOWN,
	FC2_FARP_FAILED,
	FC2_FARP_NONE,
};

/**
 * struct fc2_farp_entry - an address, under fc2_port.farp_lock
 * @list: in fc2_port.farp
 * @ip: the address
 * @state: what is known of it
 * @tries: how often the question was asked; @FC2_FARP_SERVER: whether
 * @next: when it is asked again, or the entry is forgotten, in jiffies
 * @id: N_Port ID
 * @wwpn: Port_Name that the answer had
 * @err: why there is none
 */
struct fc2_farp_entry {
	struct list_head	list;
	struct in6_addr		ip;
	enum fc2_farp_state	state;
	unsigned int		tries;
	unsigned long		next;
	u32			id;
	u64			wwpn;
	int			err;
};

static struct fc2_farp_entry *fc2_farp_find(struct fc2_port *port, const struct in6_addr *ip)
{
	struct fc2_farp_entry *entry;

	lockdep_assert_held(&port->farp_lock);
	list_for_each_entry(entry, &port->farp, list)
		if (ipv6_addr_equal(&entry->ip, ip))
			return entry;
	return NULL;
}

static void fc2_farp_del(struct fc2_port *port, struct fc2_farp_entry *entry)
{
	lockdep_assert_held(&port->farp_lock);
	list_del(&entry->list);
	port->farp_count--;
	kfree(entry);
}

/* Make room for a new entry: forget the one that has not been used for longest. */
static bool fc2_farp_room(struct fc2_port *port)
{
	struct fc2_farp_entry *entry, *oldest = NULL;

	if (port->farp_count < FC2_FARP_MAX)
		return true;
	list_for_each_entry(entry, &port->farp, list)
		if ((entry->state == FC2_FARP_KNOWN || entry->state == FC2_FARP_NONE) &&
		    (!oldest || time_before(entry->next, oldest->next)))
			oldest = entry;
	if (oldest)
		fc2_farp_del(port, oldest);
	return oldest;
}

/* Whether there is a Name Server to ask first, FC-VI 7.4 */
static bool fc2_farp_has_server(struct fc2_port *port)
{
	bool has;

	rcu_read_lock();
	has = port->fabric && fc2_rport_by_id(port, FC_FID_DIR_SERV);
	rcu_read_unlock();
	return has;
}

static int fc2_farp_ask(struct fc2_port *port, const struct in6_addr *ip)
{
	struct fc2_farp_entry *entry;

	if (!fc2_farp_room(port))
		return -ENOBUFS;
	entry = kzalloc(sizeof(*entry), GFP_ATOMIC);
	if (!entry)
		return -ENOMEM;
	entry->ip = *ip;
	entry->next = jiffies;
	entry->state = FC2_FARP_ASKED;
	list_add_tail(&entry->list, &port->farp);
	port->farp_count++;
	if (fc2_farp_has_server(port)) {
		entry->state = FC2_FARP_SERVER;
		entry->next += FC2_FARP_SERVER_TIME;
		mod_delayed_work(port->wq, &port->fabric->ns.work, 0);
	}
	mod_delayed_work(port->wq, &port->farp_work, 0);
	return -EAGAIN;
}

/**
 * fc2_farp_resolve - the N_Port ID of an IP address
 * @port: the port
 * @ip: the address; IPv4 addresses are v4-mapped
 * @id: gets the N_Port ID
 *
 * An address of the device that carries the port is the port itself.
 *
 * Context: any but hard interrupts.
 * Return: 0; -EAGAIN: struct fc2_prov's resolved() will be called; -EHOSTUNREACH: no port has
 * answered within the last second; -EADDRNOTAVAIL: the device had no address to ask from then;
 * -ENETDOWN: the port has no N_Port ID; -EINVAL: no port can have that address; -ENOBUFS, -ENOMEM.
 */
int fc2_farp_resolve(struct fc2_port *port, const struct in6_addr *ip, u32 *id)
{
	u32 own = fc2_port_id(port);
	struct fc2_farp_entry *entry;
	int err = 0;

	if (!fc2_host_possible(ip))
		return -EINVAL;
	if (!own)
		return -ENETDOWN;
	if (fc2_farp_own(port, ip)) {
		*id = own;
		return 0;
	}
	spin_lock_bh(&port->farp_lock);
	entry = fc2_farp_find(port, ip);
	if (entry && entry->state == FC2_FARP_NONE && !time_before(jiffies, entry->next)) {
		/* The work item is late */
		fc2_farp_del(port, entry);
		entry = NULL;
	}
	if (!entry) {
		err = fc2_farp_ask(port, ip);
	} else if (entry->state == FC2_FARP_FRESH || entry->state == FC2_FARP_KNOWN) {
		entry->next = jiffies + FC2_FARP_KEEP;
		*id = entry->id;
	} else {
		err = entry->state == FC2_FARP_NONE ? entry->err : -EAGAIN;
	}
	spin_unlock_bh(&port->farp_lock);
	return err;
}
EXPORT_SYMBOL_GPL(fc2_farp_resolve);

/* Where a frame to all ports goes: in a fabric to the FCF, which hands it on */
static const u8 *fc2_farp_way(const struct fc2_port *port)
{
	static const u8 all[ETH_ALEN] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

	return port->fabric && port->fabric->fcf ? port->fabric->fcf->mac : all;
}

/* FC-VI 7.5, items 1 to 10 */
static int fc2_farp_send(struct fc2_port *port, const struct in6_addr *ip)
{
	const struct fc2_els_to to = { .id = FC_FID_BCAST, .mac = fc2_farp_way(port) };
	struct fc2_farp *farp;
	struct in6_addr own;
	struct sk_buff *skb;

	if (!fc2_host_source(port, ip, &own))
		return -EADDRNOTAVAIL;
	skb = fc2_els_alloc(sizeof(*farp), ELS_FARP_REQ);
	if (!skb)
		return -ENOMEM;
	farp = (struct fc2_farp *)skb->data;
	farp->points = FC2_FARP_MATCH_IP;
	fc2_hton24(farp->asker_id, port->id);
	farp->action = FC2_FARP_REPLY;
	farp->asker_wwpn = cpu_to_be64(port->params.wwpn);
	farp->asker_wwnn = cpu_to_be64(port->params.wwnn);
	farp->asker_ip = own;
	farp->ip = *ip;
	fc2_stat_inc(port, FC2_STAT_FARP_ASKED);
	/* A frame that was lost is sent again, as one that was not answered is */
	fc2_els_tell(port, &to, skb);
	return 0;
}

static void fc2_farp_fail(struct fc2_farp_entry *entry, int err)
{
	entry->state = FC2_FARP_FAILED;
	entry->next = jiffies;
	entry->err = err;
}

/* The Name Server has not told: the ports are asked. */
static void fc2_farp_unheard(struct fc2_farp_entry *entry)
{
	entry->state = FC2_FARP_ASKED;
	entry->tries = 0;
	entry->next = jiffies;
}

/* Take the next step of the first entry that has one; @step gets what the entry was. */
static bool fc2_farp_step(struct fc2_port *port, struct fc2_farp_entry *step)
{
	struct fc2_farp_entry *entry;
	bool found = false;

	spin_lock_bh(&port->farp_lock);
	list_for_each_entry(entry, &port->farp, list) {
		if (entry->state != FC2_FARP_FRESH && time_before(jiffies, entry->next))
			continue;
		if (entry->state == FC2_FARP_SERVER)
			fc2_farp_unheard(entry);
		if (entry->state == FC2_FARP_ASKED && entry->tries == FC2_FARP_TRIES)
			fc2_farp_fail(entry, -EHOSTUNREACH);
		*step = *entry;
		found = true;
		if (entry->state == FC2_FARP_FRESH) {
			entry->state = FC2_FARP_KNOWN;
		} else if (entry->state == FC2_FARP_ASKED) {
			entry->tries++;
			entry->next = jiffies + FC2_FARP_INTERVAL;
		} else if (entry->state == FC2_FARP_FAILED && entry->err != -ENETDOWN) {
			entry->state = FC2_FARP_NONE;
			entry->next = jiffies + FC2_FARP_KEEP_NONE;
		} else {
			fc2_farp_del(port, entry);
		}
		break;
	}
	spin_unlock_bh(&port->farp_lock);
	return found;
}

/* The address of @step cannot be asked for */
static void fc2_farp_give_up(struct fc2_port *port, const struct fc2_farp_entry *step, int err)
{
	struct fc2_farp_entry *entry;

	spin_lock_bh(&port->farp_lock);
	entry = fc2_farp_find(port, &step->ip);
	if (entry && entry->state == FC2_FARP_ASKED)
		fc2_farp_fail(entry, err);
	spin_unlock_bh(&port->farp_lock);
}

static void fc2_farp_arm(struct fc2_port *port)
{
	struct fc2_farp_entry *entry;
	long wait = LONG_MAX;

	spin_lock_bh(&port->farp_lock);
	list_for_each_entry(entry, &port->farp, list)
		wait = min(wait, entry->state == FC2_FARP_FRESH ? 0 :
				 (long)(entry->next - jiffies));
	if (wait != LONG_MAX && !port->dead)
		mod_delayed_work(port->wq, &port->farp_work, max(wait, 0L));
	spin_unlock_bh(&port->farp_lock);
}

static void fc2_farp_work(struct work_struct *work)
{
	struct fc2_port *port = container_of(work, struct fc2_port, farp_work.work);
	struct fc2_farp_entry step;
	int err;

	mutex_lock(&port->lock);
	while (!port->dead && fc2_farp_step(port, &step)) {
		switch (step.state) {
		case FC2_FARP_ASKED:
			err = port->id ? fc2_farp_send(port, &step.ip) : -ENETDOWN;
			if (err)
				fc2_farp_give_up(port, &step, err);
			break;
		case FC2_FARP_FRESH:
			fc2_prov_resolved(port, &step.ip, 0);
			break;
		case FC2_FARP_FAILED:
			fc2_prov_resolved(port, &step.ip, step.err);
			break;
		case FC2_FARP_SERVER:
		case FC2_FARP_KNOWN:
		case FC2_FARP_NONE:
			break;
		}
	}
	fc2_farp_arm(port);
	mutex_unlock(&port->lock);
}

/* FC-VI 7.5, items 14 to 23; item 19 has the name of another field, as FC-LS does not */
static void fc2_farp_reply(struct fc2_port *port, const struct sk_buff *request)
{
	const struct fc2_farp *asked = (const struct fc2_farp *)request->data;
	const struct fc2_els_to to = {
		.id = fc2_ntoh24(asked->asker_id), .mac = eth_hdr(request)->h_source,
	};
	struct fc2_farp *farp;
	struct sk_buff *skb;

	if (fc2_els_waiting(port, &port->farp) >= FC2_FARP_REPLIES) {
		fc2_stat_inc(port, FC2_STAT_FARP_IGNORED);
		return;
	}
	skb = fc2_els_alloc(sizeof(*farp), ELS_FARP_REPL);
	if (!skb)
		return;
	farp = (struct fc2_farp *)skb->data;
	*farp = *asked;
	farp->cmd = ELS_FARP_REPL;
	memset(farp->zero, 0, sizeof(farp->zero));
	fc2_hton24(farp->id, port->id);
	farp->wwpn = cpu_to_be64(port->params.wwpn);
	farp->wwnn = cpu_to_be64(port->params.wwnn);
	if (!fc2_els_request(port, &to, skb, NULL, &port->farp))
		fc2_stat_inc(port, FC2_STAT_FARP_ANSWERED);
}

/**
 * fc2_farp_request - a FARP-REQ has come
 * @port: the port, its lock held
 * @request: the frame, linear
 *
 * FC-VI 7.5: unless it asks for this port nothing is done.
 */
void fc2_farp_request(struct fc2_port *port, const struct sk_buff *request)
{
	const struct fc2_farp *farp = (const struct fc2_farp *)request->data;
	u32 s_id = fc2_ntoh24(fc2_frame_hdr(request)->fh_s_id);

	lockdep_assert_held(&port->lock);
	if (request->len < sizeof(*farp)) {
		fc2_stat_inc(port, FC2_STAT_ELS_BAD);
		return;
	}
	if (farp->points & FC2_FARP_MATCH_IP && farp->action == FC2_FARP_REPLY &&
	    fc2_ntoh24(farp->asker_id) == s_id && fc2_farp_own(port, &farp->ip))
		fc2_farp_reply(port, request);
	else
		fc2_stat_inc(port, FC2_STAT_FARP_IGNORED);
}

/* Whether a FARP-REPLY is for this port, and from the port that it tells. */
static bool fc2_farp_fits(struct fc2_port *port, const struct fc2_farp *farp, u32 s_id)
{
	const struct fc2_remote *remote = fc2_remote_find(port, s_id);

	return farp->points & FC2_FARP_MATCH_IP && farp->action == FC2_FARP_REPLY &&
	       fc2_ntoh24(farp->asker_id) == port->id &&
	       be64_to_cpu(farp->asker_wwpn) == port->params.wwpn &&
	       fc2_ntoh24(farp->id) == s_id &&
	       (!remote || be64_to_cpu(farp->wwpn) == remote->wwpn);
}

/**
 * fc2_farp_answer - a FARP-REPLY has come
 * @port: the port, its lock held
 * @request: the frame, linear
 * @wwpn: gets the Port_Name of what was learnt
 * @wwnn: gets the Node_Name
 *
 * Only what was asked for is learnt, and only from the first that answers.
 *
 * Return: whether something was.
 */
bool fc2_farp_answer(struct fc2_port *port, const struct sk_buff *request, u64 *wwpn, u64 *wwnn)
{
	const struct fc2_farp *farp = (const struct fc2_farp *)request->data;
	u32 s_id = fc2_ntoh24(fc2_frame_hdr(request)->fh_s_id);
	struct fc2_farp_entry *entry = NULL;
	bool learnt = false;

	lockdep_assert_held(&port->lock);
	if (!fc2_els_has(port, request, sizeof(*farp)))
		return false;
	if (fc2_farp_fits(port, farp, s_id)) {
		spin_lock_bh(&port->farp_lock);
		entry = fc2_farp_find(port, &farp->ip);
		learnt = entry && entry->state == FC2_FARP_ASKED && entry->tries;
		if (learnt) {
			entry->state = FC2_FARP_FRESH;
			entry->id = s_id;
			entry->wwpn = be64_to_cpu(farp->wwpn);
			entry->next = jiffies + FC2_FARP_KEEP;
		}
		spin_unlock_bh(&port->farp_lock);
	}
	*wwpn = be64_to_cpu(farp->wwpn);
	*wwnn = be64_to_cpu(farp->wwnn);
	fc2_stat_inc(port, learnt ? FC2_STAT_FARP_LEARNT : FC2_STAT_FARP_IGNORED);
	fc2_els_accept(port, request);
	fc2_farp_arm(port);
	return learnt;
}

/**
 * fc2_farp_question - an address that the Name Server is to be asked for
 * @port: the port, its lock held
 * @ip: gets the address
 *
 * Return: whether there is one, for which this was not called before.
 */
bool fc2_farp_question(struct fc2_port *port, struct in6_addr *ip)
{
	struct fc2_farp_entry *entry;
	bool found = false;

	lockdep_assert_held(&port->lock);
	spin_lock_bh(&port->farp_lock);
	list_for_each_entry(entry, &port->farp, list) {
		found = entry->state == FC2_FARP_SERVER && !entry->tries;
		if (!found)
			continue;
		entry->tries = 1;
		*ip = entry->ip;
		break;
	}
	spin_unlock_bh(&port->farp_lock);
	return found;
}

/**
 * fc2_farp_served - the Name Server has told, or not
 * @port: the port, its lock held
 * @ip: the address
 * @id: N_Port ID, or 0: the ports are asked now
 * @wwpn: Port_Name, or 0 while it is not known
 */
void fc2_farp_served(struct fc2_port *port, const struct in6_addr *ip, u32 id, u64 wwpn)
{
	struct fc2_farp_entry *entry;

	lockdep_assert_held(&port->lock);
	spin_lock_bh(&port->farp_lock);
	entry = fc2_farp_find(port, ip);
	if (entry && entry->state == FC2_FARP_SERVER) {
		fc2_farp_unheard(entry);
		if (id) {
			entry->state = FC2_FARP_FRESH;
			entry->id = id;
			entry->wwpn = wwpn;
			entry->next += FC2_FARP_KEEP;
		}
	}
	spin_unlock_bh(&port->farp_lock);
	fc2_farp_arm(port);
}

/**
 * fc2_farp_void - forget the addresses behind an N_Port ID, FC-VI 7.7.1
 * @port: the port
 * @id: the N_Port ID
 * @wwpn: Port_Name whose addresses may stay, or 0
 */
void fc2_farp_void(struct fc2_port *port, u32 id, u64 wwpn)
{
	struct fc2_farp_entry *entry, *next;

	spin_lock_bh(&port->farp_lock);
	list_for_each_entry_safe(entry, next, &port->farp, list) {
		if (entry->id != id || entry->wwpn == wwpn)
			continue;
		if (wwpn && !entry->wwpn) {
			/* The Name Server had told the ID only */
			entry->wwpn = wwpn;
			continue;
		}
		if (entry->state == FC2_FARP_KNOWN) {
			fc2_farp_del(port, entry);
		} else if (entry->state == FC2_FARP_FRESH) {
			/* Somebody waits for it: ask again */
			entry->state = FC2_FARP_ASKED;
			entry->tries = 0;
			entry->id = 0;
			entry->next = jiffies;
		}
	}
	spin_unlock_bh(&port->farp_lock);
}

/**
 * fc2_farp_void_all - forget all addresses: the port has gone down
 * @port: the port, its lock held
 */
void fc2_farp_void_all(struct fc2_port *port)
{
	struct fc2_farp_entry *entry, *next;

	lockdep_assert_held(&port->lock);
	spin_lock_bh(&port->farp_lock);
	list_for_each_entry_safe(entry, next, &port->farp, list) {
		if (entry->state == FC2_FARP_KNOWN || entry->state == FC2_FARP_NONE)
			fc2_farp_del(port, entry);
		else
			fc2_farp_fail(entry, -ENETDOWN);
	}
	spin_unlock_bh(&port->farp_lock);
	fc2_farp_arm(port);
}

/**
 * fc2_farp_known - the IP addresses of other ports that are in the cache
 * @port: the port
 * @ips: gets them
 * @room: how many fit there
 *
 * Context: any but hard interrupts.
 * Return: how many there are.
 */
unsigned int fc2_farp_known(struct fc2_port *port, struct in6_addr *ips, unsigned int room)
{
	struct fc2_farp_entry *entry;
	unsigned int n = 0;

	spin_lock_bh(&port->farp_lock);
	list_for_each_entry(entry, &port->farp, list) {
		if (entry->state != FC2_FARP_FRESH && entry->state != FC2_FARP_KNOWN)
			continue;
		if (n < room)
			ips[n] = entry->ip;
		n++;
	}
	spin_unlock_bh(&port->farp_lock);
	return n;
}
EXPORT_SYMBOL_GPL(fc2_farp_known);

/**
 * fc2_farp_get - look at the cache
 * @port: the port
 * @n: which address, from 0
 * @info: gets it
 *
 * Return: whether there are so many.
 */
bool fc2_farp_get(struct fc2_port *port, unsigned long n, struct fc2_farp_info *info)
{
	struct fc2_farp_entry *entry;
	bool found = false;

	spin_lock_bh(&port->farp_lock);
	list_for_each_entry(entry, &port->farp, list) {
		found = !n--;
		if (!found)
			continue;
		*info = (struct fc2_farp_info){
			.ip = entry->ip, .id = entry->id, .wwpn = entry->wwpn,
		};
		break;
	}
	spin_unlock_bh(&port->farp_lock);
	return found;
}

/**
 * fc2_farp_port_begin - begin to have a cache
 * @port: the port, which is new
 */
void fc2_farp_port_begin(struct fc2_port *port)
{
	spin_lock_init(&port->farp_lock);
	INIT_LIST_HEAD(&port->farp);
	INIT_DELAYED_WORK(&port->farp_work, fc2_farp_work);
}

/**
 * fc2_farp_port_end - end this, for a port that is deleted
 * @port: the port, of which FC-4s have been told
 *
 * Context: process.
 */
void fc2_farp_port_end(struct fc2_port *port)
{
	struct fc2_farp_entry *entry, *next;

	cancel_delayed_work_sync(&port->farp_work);
	spin_lock_bh(&port->farp_lock);
	list_for_each_entry_safe(entry, next, &port->farp, list)
		fc2_farp_del(port, entry);
	spin_unlock_bh(&port->farp_lock);
}
