// SPDX-License-Identifier: GPL-2.0
/*
 * VN2VN, FC-BB-6: how ports without a fabric agree on N_Port IDs and find each other.
 *
 * A port probes for an ID twice, claims it, and then sends Beacons.  Whoever else wants or has the
 * ID objects.  The Claim makes the neighbours answer, with frames as long as FCoE frames can be.
 */
#include <linux/etherdevice.h>
#include <linux/jiffies.h>
#include <linux/random.h>
#include <linux/st_compat.h>
#include <scsi/fc/fc_fcoe.h>
#include <scsi/fc/fc_fip.h>

#include "event.h"
#include "fip.h"
#include "port.h"
#include "prov.h"
#include "rport.h"
#include "vn2vn.h"

/* N_Port IDs of VN2VN, FC-BB-6 */
#define FC2_VN2VN_ID_MIN	0x0001
#define FC2_VN2VN_ID_MAX	0xfffe

static void fc2_vn2vn_arm_ms(struct fc2_port *port, unsigned int ms)
{
	fc2_fip_arm(port, msecs_to_jiffies(ms));
}

static void fc2_vn2vn_mac(u8 *mac, u32 id)
{
	fc2_hton24(mac, FIP_VN_FC_MAP);
	fc2_hton24(mac + 3, id);
}

/* The longest FCoE frame that the port takes */
static unsigned int fc2_vn2vn_size(const struct fc2_port *port)
{
	return port->mfs + FCOE_MIN_FRAME;
}

static void fc2_vn2vn_send(struct fc2_port *port, u8 subcode, const u8 *dst, unsigned int min)
{
	const u8 *enode = port->iface->dev->dev_addr;
	struct sk_buff *skb;
	u8 mac[ETH_ALEN];

	skb = fc2_fip_alloc(port, FIP_OP_VN2VN, subcode, 0, max(min, 256U));
	if (!skb)
		return;
	fc2_vn2vn_mac(mac, port->fip_next_id);
	fc2_fip_put_mac(skb, enode);
	fc2_fip_put_name(skb, port->params.wwnn);
	fc2_fip_put_vn_id(skb, port->fip_next_id, mac, port->params.wwpn);
	if (subcode == FIP_SC_VN_CLAIM_NOTIFY || subcode == FIP_SC_VN_CLAIM_REP) {
		fc2_fip_put_fc4s(skb);
		fc2_fip_put_size(skb, fc2_vn2vn_size(port));
	}
	fc2_fip_send(port, skb, subcode == FIP_SC_VN_BEACON ? mac : enode, dst, min);
}

static void fc2_vn2vn_probe(struct fc2_port *port)
{
	fc2_vn2vn_send(port, FIP_SC_VN_PROBE_REQ, fc2_fip_all_vn2vn, 0);
}

static void fc2_vn2vn_claim(struct fc2_port *port)
{
	port->fip_claimed = jiffies;
	fc2_vn2vn_send(port, FIP_SC_VN_CLAIM_NOTIFY, fc2_fip_all_vn2vn, 0);
}

/* Claim once more because of a frame, but not for each of a flood. */
static void fc2_vn2vn_claim_again(struct fc2_port *port, unsigned int ms)
{
	if (time_after_eq(jiffies, port->fip_claimed + msecs_to_jiffies(ms)))
		fc2_vn2vn_claim(port);
}

static void fc2_vn2vn_beacon(struct fc2_port *port, unsigned int next_ms)
{
	fc2_vn2vn_send(port, FIP_SC_VN_BEACON, fc2_fip_all_vn2vn, 0);
	port->fip_beacon = jiffies + msecs_to_jiffies(next_ms);
}

static void fc2_vn2vn_forget(struct fc2_port *port, struct fc2_neighbour *neighbour)
{
	if (neighbour->told)
		fc2_rport_gone(port, neighbour->id);
	fc2_neighbour_del(port, neighbour);
}

/* The neighbour keeps its ID, and so does the port: they can log in. */
static void fc2_vn2vn_tell(struct fc2_port *port, struct fc2_neighbour *neighbour)
{
	if (port->state != FC2_STATE_UP || !neighbour->settled || neighbour->told)
		return;
	neighbour->told = true;
	fc2_rport_neighbour(port, neighbour->id, neighbour->wwpn, neighbour->wwnn,
			    neighbour->vn_mac);
}

/* No ID any more, and no neighbours. */
static void fc2_vn2vn_leave(struct fc2_port *port, enum fc2_state state)
{
	struct fc2_neighbour *neighbour;
	unsigned long id;

	if (port->id)
		fc2_rport_logout_all(port);
	xa_for_each(&port->neighbours, id, neighbour)
		fc2_neighbour_del(port, neighbour);
	port->state = state;
	if (port->id)
		fc2_port_set_id(port, 0, NULL);
	fc2_prov_port_change(port);
}

/* Try an ID: the one of before, that of the Port_Name, or another after a collision. */
static void fc2_vn2vn_restart(struct fc2_port *port)
{
	u32 id = port->fip_next_id;

	fc2_vn2vn_leave(port, FC2_STATE_START);
	if (port->fip_probes)
		id = get_random_u32_inclusive(FC2_VN2VN_ID_MIN, FC2_VN2VN_ID_MAX);
	else if (!id)
		id = port->params.wwpn & 0xffff;
	if (id < FC2_VN2VN_ID_MIN || id > FC2_VN2VN_ID_MAX)
		id = FC2_VN2VN_ID_MIN;
	port->fip_next_id = id;
	if (port->fip_probes >= FIP_VN_RLIM_COUNT) {
		fc2_vn2vn_arm_ms(port, FIP_VN_RLIM_INT);
		return;
	}
	port->fip_probes++;
	fc2_vn2vn_arm_ms(port, get_random_u32_below(FIP_VN_PROBE_WAIT));
}

/**
 * fc2_vn2vn_start - the link is up
 * @port: the port, its lock held
 */
void fc2_vn2vn_start(struct fc2_port *port)
{
	lockdep_assert_held(&port->lock);
	port->fip_probes = 0;
	fc2_vn2vn_restart(port);
}

/**
 * fc2_vn2vn_stop - the link is down
 * @port: the port, its lock held
 */
void fc2_vn2vn_stop(struct fc2_port *port)
{
	lockdep_assert_held(&port->lock);
	fc2_vn2vn_leave(port, FC2_STATE_DOWN);
}

static void fc2_vn2vn_up(struct fc2_port *port)
{
	struct fc2_neighbour *neighbour;
	unsigned long id;
	u8 mac[ETH_ALEN];

	port->state = FC2_STATE_UP;
	fc2_vn2vn_mac(mac, port->fip_next_id);
	fc2_port_set_id(port, port->fip_next_id, mac);
	fc2_prov_port_change(port);
	fc2_rport_self(port);
	fc2_vn2vn_beacon(port, FIP_VN_ANN_WAIT);
	xa_for_each(&port->neighbours, id, neighbour)
		fc2_vn2vn_tell(port, neighbour);
}

/* Forget neighbours that are silent, send a Beacon if it is time, and find out what is next. */
static void fc2_vn2vn_tick(struct fc2_port *port)
{
	struct fc2_neighbour *neighbour;
	unsigned long id, end, next;

	if (time_after_eq(jiffies, port->fip_beacon))
		fc2_vn2vn_beacon(port, FIP_VN_BEACON_INT +
				       get_random_u32_below(FIP_VN_BEACON_FUZZ));
	next = port->fip_beacon;
	xa_for_each(&port->neighbours, id, neighbour) {
		end = neighbour->heard + msecs_to_jiffies(FC2_VN2VN_AGE_MS);
		if (time_after_eq(jiffies, end))
			fc2_vn2vn_forget(port, neighbour);
		else if (time_before(end, next))
			next = end;
	}
	fc2_fip_arm(port, time_after(next, jiffies) ? next - jiffies : 0);
}

/**
 * fc2_vn2vn_timeout - the next step
 * @port: the port, its lock held
 */
void fc2_vn2vn_timeout(struct fc2_port *port)
{
	lockdep_assert_held(&port->lock);
	switch (port->state) {
	case FC2_STATE_START:
		port->state = FC2_STATE_PROBE1;
		fc2_vn2vn_probe(port);
		fc2_vn2vn_arm_ms(port, FIP_VN_PROBE_WAIT);
		break;
	case FC2_STATE_PROBE1:
		port->state = FC2_STATE_PROBE2;
		fc2_vn2vn_probe(port);
		fc2_vn2vn_arm_ms(port, FIP_VN_ANN_WAIT);
		break;
	case FC2_STATE_PROBE2:
		port->state = FC2_STATE_CLAIM;
		fc2_vn2vn_claim(port);
		fc2_vn2vn_arm_ms(port, FIP_VN_ANN_WAIT);
		break;
	case FC2_STATE_CLAIM:
		fc2_vn2vn_up(port);
		fallthrough;
	case FC2_STATE_UP:
		fc2_vn2vn_tick(port);
		break;
	default:
		break;
	}
}

static bool fc2_vn2vn_has_claimed(const struct fc2_port *port)
{
	return port->state == FC2_STATE_CLAIM || port->state == FC2_STATE_UP;
}

/*
 * Another port tries our ID.  If we try it as well, the higher Port_Name may go on, but one that
 * has recorded the ID goes first; ours never is a recorded one.
 */
static void fc2_vn2vn_rx_probe(struct fc2_port *port, const struct fc2_fip *fip)
{
	if (port->state == FC2_STATE_START ||
	    (!fc2_vn2vn_has_claimed(port) &&
	     (port->params.wwpn < fip->wwpn || fip->flags & FIP_FL_REC_OR_P2P)))
		fc2_vn2vn_restart(port);
	else
		fc2_vn2vn_send(port, FIP_SC_VN_PROBE_REP, fip->mac, 0);
}

/* Another port does not want us to have our ID, or has it, too. */
static void fc2_vn2vn_rx_conflict(struct fc2_port *port, const struct fc2_fip *fip)
{
	if (!fc2_vn2vn_has_claimed(port) || port->params.wwpn < fip->wwpn)
		fc2_vn2vn_restart(port);
	else
		fc2_vn2vn_claim_again(port, FIP_VN_PROBE_WAIT);
}

/*
 * What has our ID in it.  FC-BB-6: a Probe Reply ends the attempt, up to the Claim; who is up
 * claims once more.
 */
static void fc2_vn2vn_rx_collision(struct fc2_port *port, const struct fc2_fip *fip)
{
	fc2_stat_inc(port, FC2_STAT_FIP_COLLISION);
	switch (fip->subcode) {
	case FIP_SC_VN_PROBE_REQ:
		fc2_vn2vn_rx_probe(port, fip);
		break;
	case FIP_SC_VN_PROBE_REP:
		if (port->state != FC2_STATE_UP)
			fc2_vn2vn_restart(port);
		else
			fc2_vn2vn_claim_again(port, FIP_VN_PROBE_WAIT);
		break;
	default:
		fc2_vn2vn_rx_conflict(port, fip);
		break;
	}
}

/* A Claim, or a Claim Response, of another port. */
static void fc2_vn2vn_add(struct fc2_port *port, const struct fc2_fip *fip)
{
	struct fc2_neighbour *neighbour = fc2_neighbour_by_wwpn(port, fip->wwpn);
	bool come = false;

	/* The port has another ID or Node_Name now, or the ID has another port */
	if (neighbour && (neighbour->id != fip->vn_id || neighbour->wwnn != fip->name)) {
		fc2_vn2vn_forget(port, neighbour);
		neighbour = NULL;
	}
	if (!neighbour) {
		neighbour = fc2_neighbour_find(port, fip->vn_id);
		if (neighbour)
			fc2_vn2vn_forget(port, neighbour);
		neighbour = fc2_neighbour_add(port, fip->vn_id);
		if (!neighbour)
			return;
		come = true;
		neighbour->wwpn = fip->wwpn;
		neighbour->wwnn = fip->name;
		ether_addr_copy(neighbour->vn_mac, fip->vn_mac);
	}
	ether_addr_copy(neighbour->enode_mac, fip->mac);
	neighbour->size = fip->size;
	neighbour->heard = jiffies;
	if (come)
		fc2_event_neighbour(port, neighbour, true);
}

/* The path has to carry what the answer to our Claim is filled up to. */
static void fc2_vn2vn_rx_response(struct fc2_port *port, const struct fc2_fip *fip,
				  unsigned int len)
{
	if (len < min_t(unsigned int, fip->size, fc2_vn2vn_size(port)))
		fc2_stat_inc(port, FC2_STAT_FIP_SIZE);
	else
		fc2_vn2vn_add(port, fip);
}

static void fc2_vn2vn_rx_claim(struct fc2_port *port, const struct fc2_fip *fip)
{
	fc2_vn2vn_send(port, FIP_SC_VN_CLAIM_REP, fip->mac,
		       min_t(unsigned int, fip->size, fc2_vn2vn_size(port)));
	fc2_vn2vn_add(port, fip);
}

/* A Beacon of a port that is not known makes us claim, for the answer. */
static void fc2_vn2vn_rx_beacon(struct fc2_port *port, const struct fc2_fip *fip)
{
	struct fc2_neighbour *neighbour = fc2_neighbour_find(port, fip->vn_id);

	if (neighbour && neighbour->wwpn == fip->wwpn && neighbour->wwnn == fip->name) {
		neighbour->heard = jiffies;
		neighbour->settled = true;
		fc2_vn2vn_tell(port, neighbour);
	} else if (port->state == FC2_STATE_UP) {
		fc2_vn2vn_claim_again(port, FIP_VN_ANN_WAIT);
	}
}

/* A neighbour that probes has begun anew, and knows of no login. */
static void fc2_vn2vn_rx_anew(struct fc2_port *port, const struct fc2_fip *fip)
{
	struct fc2_neighbour *neighbour = fc2_neighbour_by_wwpn(port, fip->wwpn);

	if (neighbour)
		fc2_vn2vn_forget(port, neighbour);
}

/* What has another ID in it. */
static void fc2_vn2vn_rx_other(struct fc2_port *port, const struct fc2_fip *fip, unsigned int len)
{
	if (!fc2_vn2vn_has_claimed(port))
		return;
	switch (fip->subcode) {
	case FIP_SC_VN_PROBE_REQ:
		fc2_vn2vn_rx_anew(port, fip);
		break;
	case FIP_SC_VN_CLAIM_NOTIFY:
		fc2_vn2vn_rx_claim(port, fip);
		break;
	case FIP_SC_VN_CLAIM_REP:
		fc2_vn2vn_rx_response(port, fip, len);
		break;
	case FIP_SC_VN_BEACON:
		fc2_vn2vn_rx_beacon(port, fip);
		break;
	}
}

/*
 * Whether the fields fit each other.  The MAC address of a VN_Port is made of its N_Port ID, and is
 * the source of Beacons; others come from the ENode, to which answers go.
 */
static bool fc2_vn2vn_valid(const struct ethhdr *eth, const struct fc2_fip *fip)
{
	bool claim = fip->has & BIT(FIP_DT_FCOE_SIZE);
	u8 mac[ETH_ALEN];

	fc2_vn2vn_mac(mac, fip->vn_id);
	return fip->vn_id >= FC2_VN2VN_ID_MIN && fip->vn_id <= FC2_VN2VN_ID_MAX &&
	       ether_addr_equal(mac, fip->vn_mac) && fip->wwpn && fip->name &&
	       is_valid_ether_addr(fip->mac) &&
	       ether_addr_equal(eth->h_source,
				fip->subcode == FIP_SC_VN_BEACON ? fip->vn_mac : fip->mac) &&
	       (!claim || fip->size >= FCOE_MIN_FRAME + FC_MIN_MAX_PAYLOAD);
}

/* In Claims and Beacons the bit is that of a port that knows one other port only. */
static bool fc2_vn2vn_is_p2p(const struct fc2_fip *fip)
{
	return fip->flags & FIP_FL_REC_OR_P2P && (fip->subcode == FIP_SC_VN_CLAIM_NOTIFY ||
						  fip->subcode == FIP_SC_VN_BEACON);
}

/**
 * fc2_vn2vn_rx - a VN2VN frame
 * @port: the port, its lock held; not down
 * @eth: the Ethernet header
 * @fip: what the frame says
 * @len: bytes of the FIP frame with padding
 */
void fc2_vn2vn_rx(struct fc2_port *port, const struct ethhdr *eth, const struct fc2_fip *fip,
		  unsigned int len)
{
	lockdep_assert_held(&port->lock);
	if (!fc2_vn2vn_valid(eth, fip)) {
		fc2_stat_inc(port, FC2_STAT_FIP_BAD);
		return;
	}
	/* What the port has sent comes back if the device has other ports */
	if (fip->wwpn == port->params.wwpn)
		return;
	if (fc2_vn2vn_is_p2p(fip))
		fc2_stat_inc(port, FC2_STAT_FIP_OTHER);
	else if (fip->vn_id == port->fip_next_id)
		fc2_vn2vn_rx_collision(port, fip);
	else
		fc2_vn2vn_rx_other(port, fip, len);
}

/**
 * fc2_vn2vn_els - an ELS frame has come in FIP
 * @port: the port, its lock held
 * @s_id: its S_ID
 * @src: MAC address that it is from
 *
 * A neighbour that logs in has settled, even if its Beacon was lost.
 *
 * Return: false when the frame is from a neighbour, but not from its ENode.
 */
bool fc2_vn2vn_els(struct fc2_port *port, u32 s_id, const u8 *src)
{
	struct fc2_neighbour *neighbour = fc2_neighbour_find(port, s_id);

	lockdep_assert_held(&port->lock);
	if (!neighbour)
		return true;
	if (!ether_addr_equal(neighbour->enode_mac, src))
		return false;
	neighbour->settled = true;
	fc2_vn2vn_tell(port, neighbour);
	return true;
}
