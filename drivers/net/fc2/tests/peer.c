// SPDX-License-Identifier: GPL-2.0
/*
 * Ports with an N_Port ID, and the ELS frames that they get and send.
 */
#include <kunit/static_stub.h>
#include <linux/etherdevice.h>
#include <linux/rtnetlink.h>
#include <linux/unaligned.h>
#include <scsi/fc/fc_encaps.h>
#include <scsi/fc/fc_fcoe.h>
#include <scsi/fc/fc_fip.h>

#include "fake.h"
#include "fip.h"
#include "fip_link.h"
#include "neigh.h"
#include "peer.h"
#include "rport.h"
#include "vn2vn.h"

static const u8 peer_enode[ETH_ALEN] = { 0x02, 0xaa, 0xbb, 0xcc, 0xdd, 0xee };

struct peer_told peer_told;

static void peer_arm(struct fc2_port *port, unsigned long delay)
{
}

/**
 * peer_port - make a port that has its N_Port ID; FIP stands still from then on
 * @test: the test, with which it goes
 * @wwpn: its Port_Name
 *
 * Its device has an IPv6 address: without ARP it need not find out first who else has that.
 *
 * Return: the port.
 */
struct fc2_port *peer_port(struct kunit *test, u64 wwpn)
{
	struct net_device *dev = fake_dev(test);
	struct fc2_port *port;
	int err;

	rtnl_lock();
	dev_close(dev);
	dev->flags |= IFF_NOARP;
	err = dev_open(dev, NULL);
	rtnl_unlock();
	KUNIT_ASSERT_EQ(test, err, 0);
	kunit_activate_static_stub(test, fc2_fip_arm, peer_arm);
	port = fake_port(test, dev, wwpn);
	mutex_lock(&port->lock);
	while (port->state != FC2_STATE_UP)
		fc2_fip_timeout(port);
	mutex_unlock(&port->lock);
	fake_forget(dev);
	return port;
}

static void peer_vn2vn(void *port)
{
	((struct fc2_port *)port)->params.mode = FC2_MODE_VN2VN;
}

/**
 * peer_fabric - let a port behave as in a fabric
 * @test: the test, at whose end it is in VN2VN mode again
 * @port: the port
 */
void peer_fabric(struct kunit *test, struct fc2_port *port)
{
	KUNIT_ASSERT_EQ(test, kunit_add_action(test, peer_vn2vn, port), 0);
	port->params.mode = FC2_MODE_FABRIC;
}

static void peer_vn_mac(u8 *mac, u32 id)
{
	fc2_hton24(mac, FIP_VN_FC_MAP);
	fc2_hton24(mac + 3, id);
}

/**
 * peer_neighbour - let a port find a neighbour
 * @test: the test
 * @port: the port
 * @id: N_Port ID of the neighbour
 * @wwpn: Port_Name of the neighbour; its Node_Name is one more
 */
void peer_neighbour(struct kunit *test, struct fc2_port *port, u32 id, u64 wwpn)
{
	struct fc2_neighbour *neighbour;

	mutex_lock(&port->lock);
	neighbour = fc2_neighbour_find(port, id) ?: fc2_neighbour_add(port, id);
	if (neighbour) {
		neighbour->wwpn = wwpn;
		neighbour->wwnn = wwpn + 1;
		neighbour->told = true;
		peer_vn_mac(neighbour->vn_mac, id);
		ether_addr_copy(neighbour->enode_mac, peer_enode);
		fc2_rport_neighbour(port, id, wwpn, wwpn + 1, neighbour->vn_mac);
	}
	mutex_unlock(&port->lock);
	KUNIT_ASSERT_NOT_NULL(test, neighbour);
}

/**
 * peer_els - make a request of the port PEER_ID
 * @test: the test, with which it goes
 * @port: where to
 * @cmd: command
 * @len: length of the payload
 *
 * Return: the request.
 */
struct peer_els *peer_els(struct kunit *test, const struct fc2_port *port, u8 cmd,
			  unsigned int len)
{
	struct peer_els *els = kunit_kzalloc(test, sizeof(*els), GFP_KERNEL);
	struct fc_frame_header *fh;

	KUNIT_ASSERT_NOT_NULL(test, els);
	peer_vn_mac(els->src, PEER_ID);
	peer_vn_mac(els->dst, port->id);
	els->sof = FC_SOF_I3;
	els->eof = FC_EOF_T;
	fh = &els->fh;
	fh->fh_r_ctl = FC_RCTL_ELS_REQ;
	fc2_hton24(fh->fh_d_id, port->id);
	fc2_hton24(fh->fh_s_id, PEER_ID);
	fh->fh_type = FC_TYPE_ELS;
	fc2_hton24(fh->fh_f_ctl, 0x290000);
	fh->fh_ox_id = htons(PEER_OX_ID);
	fh->fh_rx_id = htons(FC_XID_UNKNOWN);
	els->len = len;
	els->payload[0] = cmd;
	return els;
}

/**
 * peer_rx - let an ELS frame arrive
 * @test: the test
 * @port: where
 * @els: the frame
 */
void peer_rx(struct kunit *test, struct fc2_port *port, const struct peer_els *els)
{
	unsigned int len = ETH_HLEN + sizeof(els->fh) + els->len;
	struct sk_buff *skb = alloc_skb(len, GFP_KERNEL);
	struct ethhdr *eth;

	KUNIT_ASSERT_NOT_NULL(test, skb);
	eth = skb_put(skb, ETH_HLEN);
	ether_addr_copy(eth->h_dest, els->dst);
	ether_addr_copy(eth->h_source, els->fip ? peer_enode : els->src);
	eth->h_proto = htons(els->fip ? ETH_P_FIP : ETH_P_FCOE);
	skb_reset_mac_header(skb);
	__skb_pull(skb, ETH_HLEN);
	skb_put_data(skb, &els->fh, sizeof(els->fh));
	skb_reset_transport_header(skb);
	__skb_pull(skb, sizeof(els->fh));
	skb_put_data(skb, els->payload, els->len);
	*fc2_skb_cb(skb) = (struct fc2_skb_cb) {
		.sof = els->sof, .eof = els->eof, .fip = els->fip,
	};
	skb_queue_tail(&port->els_queue, skb);
	queue_work(port->wq, &port->els_work);
	flush_workqueue(port->wq);
}

/* Reads what is behind the Ethernet header */
static void peer_read(struct kunit *test, struct peer_els *els, const u8 *p, unsigned int len)
{
	const struct fcoe_crc_eof *end;

	if (els->fip) {
		els->fip = p[10];
		len = (p[11] - 1) * FIP_BPW;
		p += sizeof(struct fip_header) + sizeof(struct fip_encaps);
	} else {
		els->sof = ((const struct fcoe_hdr *)p)->fcoe_sof;
		p += sizeof(struct fcoe_hdr);
		len -= sizeof(struct fcoe_hdr) + sizeof(*end);
		end = (const struct fcoe_crc_eof *)(p + len);
		els->eof = end->fcoe_eof;
	}
	memcpy(&els->fh, p, sizeof(els->fh));
	els->len = len - sizeof(els->fh) - (els->fh.fh_f_ctl[2] & 3);
	KUNIT_ASSERT_LE(test, els->len, sizeof(els->payload));
	memcpy(els->payload, p + sizeof(els->fh), els->len);
}

/**
 * peer_tx - take the next frame that a port has sent
 * @test: the test, with which it goes
 * @port: the port
 *
 * Return: the frame, or NULL.
 */
struct peer_els *peer_tx(struct kunit *test, struct fc2_port *port)
{
	struct sk_buff *skb = skb_dequeue(netdev_priv(port->iface->dev));
	struct peer_els *els;

	if (!skb)
		return NULL;
	els = kunit_kzalloc(test, sizeof(*els), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, els);
	ether_addr_copy(els->dst, skb->data);
	ether_addr_copy(els->src, skb->data + ETH_ALEN);
	els->fip = skb->protocol == htons(ETH_P_FIP);
	KUNIT_ASSERT_EQ(test, skb_linearize(skb), 0);
	peer_read(test, els, skb->data + ETH_HLEN, skb->len - ETH_HLEN);
	consume_skb(skb);
	return els;
}

/**
 * peer_ask - send a request to a port, and check the header of its reply
 * @test: the test
 * @port: the port
 * @els: the request
 *
 * Return: the reply, the first frame that it has sent, or NULL.
 */
struct peer_els *peer_ask(struct kunit *test, struct fc2_port *port, const struct peer_els *els)
{
	struct peer_els *reply;

	peer_rx(test, port, els);
	reply = peer_tx(test, port);
	if (!reply)
		return NULL;
	KUNIT_EXPECT_EQ(test, reply->fip, els->fip);
	KUNIT_EXPECT_MEMEQ(test, reply->dst, els->fip ? peer_enode : els->src, ETH_ALEN);
	if (els->fip) {
		KUNIT_EXPECT_MEMEQ(test, reply->src, port->iface->dev->dev_addr, ETH_ALEN);
	} else {
		KUNIT_EXPECT_MEMEQ(test, reply->src, port->mac, ETH_ALEN);
		KUNIT_EXPECT_EQ(test, reply->sof, FC_SOF_I3);
		KUNIT_EXPECT_EQ(test, reply->eof, FC_EOF_T);
	}
	KUNIT_EXPECT_EQ(test, reply->fh.fh_r_ctl, FC_RCTL_ELS_REP);
	KUNIT_EXPECT_EQ(test, reply->fh.fh_type, FC_TYPE_ELS);
	KUNIT_EXPECT_EQ(test, fc2_ntoh24(reply->fh.fh_f_ctl) & ~3, 0x980000);
	KUNIT_EXPECT_MEMEQ(test, reply->fh.fh_d_id, els->fh.fh_s_id, 3);
	KUNIT_EXPECT_MEMEQ(test, reply->fh.fh_s_id, els->fh.fh_d_id, 3);
	KUNIT_EXPECT_EQ(test, ntohs(reply->fh.fh_ox_id), ntohs(els->fh.fh_ox_id));
	KUNIT_EXPECT_EQ(test, ntohs(reply->fh.fh_seq_cnt), 0);
	return reply;
}

/**
 * peer_expect_reject - check an LS_RJT
 * @test: the test
 * @reply: the frame, or NULL, which fails
 * @reason: expected reason
 * @explan: expected explanation
 */
void peer_expect_reject(struct kunit *test, const struct peer_els *reply, u8 reason, u8 explan)
{
	KUNIT_ASSERT_NOT_NULL(test, reply);
	KUNIT_EXPECT_EQ(test, reply->len, sizeof(struct fc_els_ls_rjt));
	KUNIT_EXPECT_EQ(test, reply->payload[0], ELS_LS_RJT);
	KUNIT_EXPECT_EQ(test, reply->payload[5], reason);
	KUNIT_EXPECT_EQ(test, reply->payload[6], explan);
}

/**
 * peer_plogi - make a PLOGI as Linux's libfc sends it
 * @test: the test, with which it goes
 * @port: where to
 * @wwpn: Port_Name in it
 *
 * Return: the request.
 */
struct peer_els *peer_plogi(struct kunit *test, const struct fc2_port *port, u64 wwpn)
{
	struct peer_els *els = peer_els(test, port, ELS_PLOGI, sizeof(struct fc_els_flogi));
	struct fc_els_flogi *login = (struct fc_els_flogi *)els->payload;
	struct fc_els_cssp *class = &login->fl_cssp[2];
	struct fc_els_csp *csp = &login->fl_csp;

	put_unaligned_be64(wwpn, &login->fl_wwpn);
	put_unaligned_be64(wwpn + 1, &login->fl_wwnn);
	csp->sp_hi_ver = 0x20;
	csp->sp_lo_ver = 0x20;
	csp->sp_bb_cred = htons(10);
	csp->sp_bb_data = htons(2112);
	csp->sp_features = htons(FC_SP_FT_CIRO);
	csp->sp_tot_seq = htons(255);
	csp->sp_rel_off = htons(0x1f);
	csp->sp_e_d_tov = htonl(2000);
	class->cp_class = htons(FC_CPC_VALID | FC_CPC_SEQ);
	class->cp_rdfs = htons(2112);
	class->cp_con_seq = htons(255);
	class->cp_open_seq = 1;
	return els;
}

/**
 * peer_answer - make an LS_ACC to a request of a port
 * @test: the test, with which it goes
 * @request: the request
 *
 * Return: the answer, with the payload of the request.
 */
struct peer_els *peer_answer(struct kunit *test, const struct peer_els *request)
{
	struct peer_els *els = kunit_kzalloc(test, sizeof(*els), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, els);
	*els = *request;
	ether_addr_copy(els->src, request->dst);
	ether_addr_copy(els->dst, request->src);
	els->sof = FC_SOF_I3;
	els->eof = FC_EOF_T;
	els->fh.fh_r_ctl = FC_RCTL_ELS_REP;
	fc2_hton24(els->fh.fh_f_ctl, 0x990000);
	memcpy(els->fh.fh_d_id, request->fh.fh_s_id, 3);
	memcpy(els->fh.fh_s_id, request->fh.fh_d_id, 3);
	els->payload[0] = ELS_LS_ACC;
	return els;
}

/**
 * peer_sent - take the next frame that a port has sent, which is a request to PEER_ID
 * @test: the test, with which it goes
 * @port: the port
 * @cmd: the request that it has to be
 *
 * Return: the frame.
 */
struct peer_els *peer_sent(struct kunit *test, struct fc2_port *port, u8 cmd)
{
	struct peer_els *els = peer_tx(test, port);

	KUNIT_ASSERT_NOT_NULL(test, els);
	KUNIT_ASSERT_EQ(test, els->payload[0], cmd);
	KUNIT_EXPECT_EQ(test, fc2_ntoh24(els->fh.fh_d_id), PEER_ID);
	KUNIT_EXPECT_EQ(test, fc2_ntoh24(els->fh.fh_s_id), port->id);
	return els;
}

/**
 * peer_named - put the names of a remote port into FLOGI or PLOGI, or an LS_ACC to it
 * @els: the frame
 * @wwpn: the Port_Name; the Node_Name is one more
 *
 * Return: the frame.
 */
struct peer_els *peer_named(struct peer_els *els, u64 wwpn)
{
	struct fc_els_flogi *login = (struct fc_els_flogi *)els->payload;

	put_unaligned_be64(wwpn, &login->fl_wwpn);
	put_unaligned_be64(wwpn + 1, &login->fl_wwnn);
	return els;
}

/**
 * peer_flogi - make an FLOGI as Linux's libfc sends it in VN2VN mode
 * @test: the test, with which it goes
 * @port: where to
 * @wwpn: Port_Name in it
 *
 * Return: the request.
 */
struct peer_els *peer_flogi(struct kunit *test, struct fc2_port *port, u64 wwpn)
{
	struct peer_els *els = peer_plogi(test, port, wwpn);
	struct fc_els_flogi *login = (struct fc_els_flogi *)els->payload;

	els->payload[0] = ELS_FLOGI;
	els->fip = FIP_DT_FLOGI;
	login->fl_csp.sp_features = 0;
	login->fl_cssp[2].cp_rdfs = 0;
	return els;
}

/**
 * peer_logo - make a LOGO
 * @test: the test, with which it goes
 * @port: where to
 * @wwpn: Port_Name in it
 *
 * Return: the request.
 */
struct peer_els *peer_logo(struct kunit *test, struct fc2_port *port, u64 wwpn)
{
	struct peer_els *els = peer_els(test, port, ELS_LOGO, sizeof(struct fc_els_logo));
	struct fc_els_logo *logo = (struct fc_els_logo *)els->payload;

	fc2_hton24(logo->fl_n_port_id, PEER_ID);
	logo->fl_n_port_wwn = cpu_to_be64(wwpn);
	return els;
}

/**
 * peer_state - how far a port is with the login of a remote port
 * @port: the port
 * @id: N_Port ID of the remote port
 *
 * Return: the state, or -1.
 */
enum fc2_remote_state peer_state(struct fc2_port *port, u32 id)
{
	struct fc2_remote *remote;
	int state = -1;

	mutex_lock(&port->lock);
	remote = fc2_remote_find(port, id);
	if (remote)
		state = remote->state;
	mutex_unlock(&port->lock);
	return state;
}

/**
 * peer_login - log in with PEER_ID, which has the higher Port_Name
 * @test: the test
 * @port: the port
 */
void peer_login(struct kunit *test, struct fc2_port *port)
{
	struct peer_els *reply;

	peer_neighbour(test, port, PEER_ID, PEER_HIGH);
	fake_forget(port->iface->dev);
	reply = peer_ask(test, port, peer_plogi(test, port, PEER_HIGH));
	KUNIT_ASSERT_NOT_NULL(test, reply);
	KUNIT_ASSERT_EQ(test, reply->payload[0], ELS_LS_ACC);
	KUNIT_ASSERT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_UP);
}

static unsigned int peer_note(char what)
{
	unsigned int n = peer_told.count++ % PEER_LOG;

	peer_told.what[n] = what;
	return n;
}

static void peer_note_rport(char what, const struct fc2_rport *rport)
{
	unsigned int n;

	/* A port is logged in with itself */
	if (rport->id == rport->port->id)
		return;
	n = peer_note(what);
	peer_told.rport[n] = rport;
	peer_told.seq_cnt[n] = rport->seq_cnt;
	peer_told.rel_off[n] = rport->rel_off;
	peer_told.mfs[n] = rport->mfs;
}

static void peer_told_login(struct fc2_rport *rport)
{
	peer_note_rport('i', rport);
}

static void peer_told_logout(struct fc2_rport *rport)
{
	peer_note_rport('o', rport);
}

static void peer_told_resolved(struct fc2_port *port, const struct in6_addr *ip, int err)
{
	peer_told.err[peer_note('r')] = err;
}

static struct fc2_prov peer_prov = {
	.type		= 0xe0,
	.login		= peer_told_login,
	.logout		= peer_told_logout,
	.resolved	= peer_told_resolved,
};

static void peer_deaf(void *prov)
{
	fc2_prov_unregister(prov);
}

/**
 * peer_listen - begin to write into peer_told what FC-4s are told
 * @test: the test, with which this ends
 */
void peer_listen(struct kunit *test)
{
	memset(&peer_told, 0, sizeof(peer_told));
	KUNIT_ASSERT_EQ(test, fc2_prov_register(&peer_prov), 0);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, peer_deaf, &peer_prov));
}
