/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port (N_Port) on an Ethernet device.
 */
#ifndef _FC2_PORT_H
#define _FC2_PORT_H

#include <linux/bitmap.h>
#include <linux/fc2.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include "stats.h"

/* R_A_TOV and E_D_TOV in milliseconds; in VN2VN mode as Linux's fcoe has them */
#define FC2_R_A_TOV		4000
#define FC2_E_D_TOV		2000
#define FC2_TOV_MIN		100
#define FC2_TOV_MAX		120000

/* Most FIP and ELS frames that wait, and most neighbours of a port */
#define FC2_QUEUE_MAX		128
#define FC2_NEIGHBOURS_MAX	256
#define FC2_ULA_HASH_BITS	8

/* Values of TYPE */
#define FC2_TYPES		256

/* Of each side; one OX_ID is for each */
#define FC2_EXCH_MAX		4096

/* OX_IDs of ELS requests; Exchanges of FC-4s have those below */
#define FC2_ELS_XID_MIN		0xff00
#define FC2_ELS_XIDS		(FC_XID_MAX - FC2_ELS_XID_MIN + 1)
/* Most that logins can have: neighbours that only say that they are there do not answer */
#define FC2_ELS_LOGINS_MAX	(FC2_ELS_XIDS / 2)

struct fc2_exch;
struct fc2_fabric;

/**
 * enum fc2_mode - how a port gets its N_Port ID
 * @FC2_MODE_VN2VN: from its neighbours, by FIP VN2VN
 * @FC2_MODE_FABRIC: from a fabric, by FIP FLOGI to an FCF
 */
enum fc2_mode {
	FC2_MODE_VN2VN,
	FC2_MODE_FABRIC,
};

/**
 * enum fc2_state - what a port does to get its N_Port ID
 * @FC2_STATE_DOWN: the device is down or has no carrier
 * @FC2_STATE_START: it waits a random time before it probes
 * @FC2_STATE_PROBE1: it has sent the first probe
 * @FC2_STATE_PROBE2: it has sent the second one
 * @FC2_STATE_CLAIM: it has claimed an N_Port ID
 * @FC2_STATE_UP: it has one
 * @FC2_STATE_SOLICIT: fabric: it looks for an FCF
 * @FC2_STATE_FLOGI: fabric: it has sent FLOGI
 */
enum fc2_state {
	FC2_STATE_DOWN,
	FC2_STATE_START,
	FC2_STATE_PROBE1,
	FC2_STATE_PROBE2,
	FC2_STATE_CLAIM,
	FC2_STATE_UP,
	FC2_STATE_SOLICIT,
	FC2_STATE_FLOGI,
};

/**
 * struct fc2_iface - an Ethernet device with ports
 * @list: in the list of all, under RTNL
 * @dev: the device, with a reference
 * @tracker: of that
 * @fcoe: takes FCoE frames
 * @fip: takes FIP frames
 * @ports: struct fc2_port, under RTNL and RCU
 * @local: frames between its ports, see local.c
 * @local_work: hands them over
 * @rcu: frees it
 */
struct fc2_iface {
	struct list_head	list;
	struct net_device	*dev;
	netdevice_tracker	tracker;
	struct packet_type	fcoe;
	struct packet_type	fip;
	struct list_head	ports;
	struct sk_buff_head	local;
	struct work_struct	local_work;
	struct rcu_head		rcu;
};

/**
 * struct fc2_port_params - what an administrator sets
 * @wwpn: Port_Name
 * @wwnn: Node_Name
 * @mode: VN2VN or fabric
 * @r_a_tov: in milliseconds
 * @e_d_tov: in milliseconds
 * @ordered: whether the path keeps the order of frames
 */
struct fc2_port_params {
	u64		wwpn;
	u64		wwnn;
	enum fc2_mode	mode;
	u32		r_a_tov;
	u32		e_d_tov;
	bool		ordered;
};

/**
 * struct fc2_port - a port
 * @list: in fc2_iface.ports, under RTNL and RCU
 * @iface: its device
 * @params: names and mode are constant; the others may change at any time, under RTNL, or as a
 *	fabric tells them, under @lock
 * @refs: references
 * @rcu: frees it
 * @stats: counters
 * @link_failures: how often its device had lost the carrier before it was made
 * @id: N_Port ID; 0 while it has none
 * @mac: MAC address of the VN_Port; of use while @id is not 0
 * @fcf_mac: MAC address of the FCF, likewise; not in VN2VN mode
 * @mfs: bytes of the data field that the device carries, a multiple of 4, at most 2112; 0: too few
 * @provs: TYPEs of FC-4s that have been told of the port, and hear of its events; under RTNL
 * @lock: of what follows up to @rports, in process context
 * @state: what it does to get an ID
 * @wq: ordered, for all work of the port
 * @dead: the port is being deleted: no new work
 * @added: MAC address that @addr_work has given to the device, under RTNL
 * @addr_work: gives the device the MAC address of the VN_Port, under RTNL
 * @fip_queue: FIP frames that wait for @fip_work
 * @fip_work: reads them
 * @fip_timer: next step of FIP
 * @fip_probes: how often an ID was tried, of vn2vn.c
 * @fip_next_id: the ID to try, or that it has, of vn2vn.c
 * @fip_claimed: when it has sent the last Claim, in jiffies, of vn2vn.c
 * @fip_beacon: when it sends the next Beacon, in jiffies, of vn2vn.c
 * @neighbours: struct fc2_neighbour by N_Port ID, of vn2vn.c
 * @neighbour_count: how many there are
 * @fabric: what is known of the fabric, of fabric.c; NULL in VN2VN mode
 * @els_queue: ELS frames that wait for @els_work
 * @els_work: reads them
 * @els_requests: ELS requests of ours that wait for an answer, of els.c
 * @els_timer: ends those that have waited too long
 * @els_xids: OX_IDs of ELS requests that are in use
 * @els_xid_next: the one to try next, as a bit of @els_xids
 * @els_logins: how many of them are of logins
 * @els_stray: N_Port ID of a port that has sent data without login; without @lock
 * @els_stray_next: when such a port is told again
 * @farp_lock: of @farp and @farp_count; with bottom halves off
 * @farp: entries of the cache, of farp.c
 * @farp_count: how many there are
 * @farp_work: asks again, and forgets
 * @remotes: struct fc2_remote by N_Port ID: what is known of remote ports
 * @remote_count: how many there are
 * @login_timer: next steps of their logins
 * @rports: struct fc2_rport by N_Port ID: those that are logged in; written under @lock, read
 *	under RCU
 * @ulas: the same by the low 48 bits of their Port_Names, a hash table
 * @xids: our Exchanges by OX_ID
 * @xid_next: the OX_ID to try next
 * @xid_lock: of what follows, up to @own_exch_count; with bottom halves off
 * @rx_exchs: Exchanges of remote ports, a hash table by S_ID and OX_ID, of exch.c
 * @rx_exch_count: how many there are
 * @rx_id_next: RX_ID of the next one
 * @own_exch_count: Exchanges of ours
 * @alone_next: OX_ID of the next Exchange of fc2_send_alone()
 */
struct fc2_port {
	struct list_head	list;
	struct fc2_iface	*iface;
	struct fc2_port_params	params;
	refcount_t		refs;
	struct rcu_head		rcu;
	struct fc2_stats __percpu *stats;
	u32			link_failures;

	u32			id;
	u8			mac[ETH_ALEN];
	u8			fcf_mac[ETH_ALEN];
	u16			mfs;
	DECLARE_BITMAP(provs, FC2_TYPES);

	struct mutex		lock;	/* of the members below */
	enum fc2_state		state;
	struct workqueue_struct	*wq;
	bool			dead;
	u8			added[ETH_ALEN];
	struct work_struct	addr_work;

	struct sk_buff_head	fip_queue;
	struct work_struct	fip_work;
	struct delayed_work	fip_timer;
	unsigned int		fip_probes;
	u32			fip_next_id;
	unsigned long		fip_claimed;
	unsigned long		fip_beacon;
	struct xarray		neighbours;
	unsigned int		neighbour_count;
	struct fc2_fabric	*fabric;

	struct sk_buff_head	els_queue;
	struct work_struct	els_work;
	struct list_head	els_requests;
	struct delayed_work	els_timer;
	DECLARE_BITMAP(els_xids, FC2_ELS_XIDS);
	unsigned int		els_xid_next;
	unsigned int		els_logins;
	u32			els_stray;
	unsigned long		els_stray_next;

	spinlock_t		farp_lock;	/* of the two members below */
	struct list_head	farp;
	unsigned int		farp_count;
	struct delayed_work	farp_work;

	struct xarray		remotes;
	unsigned int		remote_count;
	struct delayed_work	login_timer;
	struct xarray		rports;
	struct hlist_head	ulas[1 << FC2_ULA_HASH_BITS];

	struct xarray		xids;
	u32			xid_next;
	spinlock_t		xid_lock;	/* of the members below */
	struct hlist_head	*rx_exchs;
	unsigned int		rx_exch_count;
	u16			rx_id_next;
	atomic_t		own_exch_count;
	atomic_t		alone_next;
};

/* SEQ_ID of ELS and BLS, FC-VI 4.1 */
#define FC2_SEQ_ID_ELS		0xff

extern struct list_head fc2_ifaces;

int fc2_ports_begin(void);
void fc2_ports_end(void);
struct fc2_port *fc2_port_alloc(struct fc2_iface *iface, const struct fc2_port_params *params);
void fc2_port_set_id(struct fc2_port *port, u32 id, const u8 *mac);
bool fc2_port_fits(const struct fc2_port *port);
void fc2_port_resize(struct fc2_port *port);
void fc2_port_end(struct fc2_port *port);
struct fc2_iface *fc2_iface_find(const struct net_device *dev);
struct fc2_port *fc2_port_by_wwpn(struct fc2_iface *iface, u64 wwpn);

#endif
