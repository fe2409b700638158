// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of FARP.  The addresses are IPv6 link-local ones, which devices get by themselves.
 */
#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/unaligned.h>
#include <net/addrconf.h>
#include <net/ipv6.h>
#include <scsi/fc/fc_fs.h>

#include "fake.h"
#include "peer.h"
#include "rport.h"

/* Places in a FARP frame, FC-LS */
#define FARP_POINTS	4
#define FARP_ASKER_ID	5
#define FARP_ACTION	8
#define FARP_ID		9
#define FARP_ASKER_WWPN	12
#define FARP_ASKER_WWNN	20
#define FARP_WWPN	28
#define FARP_WWNN	36
#define FARP_ASKER_IP	44
#define FARP_IP		60
#define FARP_LEN	76

#define FARP_MAX	256	/* entries of a cache */

static const struct in6_addr farp_peer = { { { 0xfe, 0x80, [8] = 2, [15] = 7 } } };

static const u8 farp_all[ETH_ALEN] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

/* A port, and the address of its device */
static struct fc2_port *farp_port(struct kunit *test, struct in6_addr *own)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct net_device *dev = port->iface->dev;
	unsigned int ms;

	*own = (struct in6_addr){ .s6_addr = { 0xfe, 0x80 } };
	addrconf_addr_eui48(own->s6_addr + 8, (const char *)dev->dev_addr);
	for (ms = 0; ms < 2000 && !ipv6_chk_addr(&init_net, own, dev, 1); ms += 20)
		msleep(20);
	KUNIT_ASSERT_LT(test, ms, 2000);
	return port;
}

static int farp_resolve(struct fc2_port *port, const struct in6_addr *ip, u32 *id)
{
	int err = fc2_farp_resolve(port, ip, id);

	flush_delayed_work(&port->farp_work);
	return err;
}

/* The REQ that a port has sent, checked as FC-VI 7.5 has it */
static struct peer_els *farp_asked(struct kunit *test, struct fc2_port *port,
				   const struct in6_addr *own, const struct in6_addr *ip)
{
	struct peer_els *els = peer_tx(test, port);
	static const u8 zero[16];

	KUNIT_ASSERT_NOT_NULL(test, els);
	KUNIT_EXPECT_MEMEQ(test, els->dst, farp_all, ETH_ALEN);
	KUNIT_EXPECT_EQ(test, fc2_ntoh24(els->fh.fh_d_id), FC_FID_BCAST);
	KUNIT_EXPECT_EQ(test, fc2_ntoh24(els->fh.fh_s_id), port->id);
	KUNIT_EXPECT_EQ(test, els->fh.fh_r_ctl, FC_RCTL_ELS_REQ);
	KUNIT_ASSERT_EQ(test, els->len, FARP_LEN);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(els->payload), 0x54000000);
	KUNIT_EXPECT_EQ(test, els->payload[FARP_POINTS], 4);
	KUNIT_EXPECT_EQ(test, fc2_ntoh24(els->payload + FARP_ASKER_ID), port->id);
	KUNIT_EXPECT_EQ(test, els->payload[FARP_ACTION], 2);
	KUNIT_EXPECT_EQ(test, get_unaligned_be64(els->payload + FARP_ASKER_WWPN), PEER_WWPN);
	KUNIT_EXPECT_EQ(test, get_unaligned_be64(els->payload + FARP_ASKER_WWNN),
			port->params.wwnn);
	KUNIT_EXPECT_MEMEQ(test, els->payload + FARP_ID, zero, 3);
	KUNIT_EXPECT_MEMEQ(test, els->payload + FARP_WWPN, zero, 16);
	KUNIT_EXPECT_MEMEQ(test, els->payload + FARP_ASKER_IP, own, 16);
	KUNIT_EXPECT_MEMEQ(test, els->payload + FARP_IP, ip, 16);
	return els;
}

/* The REPLY of PEER_ID to a REQ */
static struct peer_els *farp_reply(struct kunit *test, struct fc2_port *port,
				   const struct peer_els *asked)
{
	struct peer_els *els = peer_els(test, port, ELS_FARP_REPL, FARP_LEN);

	memcpy(els->payload + 4, asked->payload + 4, FARP_LEN - 4);
	fc2_hton24(els->payload + FARP_ID, PEER_ID);
	put_unaligned_be64(PEER_HIGH, els->payload + FARP_WWPN);
	put_unaligned_be64(PEER_HIGH + 1, els->payload + FARP_WWNN);
	return els;
}

/* A REQ of PEER_ID for an address */
static struct peer_els *farp_request(struct kunit *test, struct fc2_port *port,
				     const struct in6_addr *ip)
{
	struct peer_els *els = peer_els(test, port, ELS_FARP_REQ, FARP_LEN);

	ether_addr_copy(els->dst, farp_all);
	fc2_hton24(els->fh.fh_d_id, FC_FID_BCAST);
	els->payload[FARP_POINTS] = 4;
	fc2_hton24(els->payload + FARP_ASKER_ID, PEER_ID);
	els->payload[FARP_ACTION] = 2;
	put_unaligned_be64(PEER_HIGH, els->payload + FARP_ASKER_WWPN);
	put_unaligned_be64(PEER_HIGH + 1, els->payload + FARP_ASKER_WWNN);
	memcpy(els->payload + FARP_ASKER_IP, &farp_peer, 16);
	memcpy(els->payload + FARP_IP, ip, 16);
	return els;
}

/* Learn the address of PEER_ID */
static void farp_learn(struct kunit *test, struct fc2_port *port, const struct in6_addr *own)
{
	struct peer_els *els;
	u32 id;

	KUNIT_ASSERT_EQ(test, farp_resolve(port, &farp_peer, &id), -EAGAIN);
	els = farp_asked(test, port, own, &farp_peer);
	els = peer_ask(test, port, farp_reply(test, port, els));
	KUNIT_ASSERT_NOT_NULL(test, els);
	KUNIT_EXPECT_EQ(test, els->payload[0], ELS_LS_ACC);
	flush_delayed_work(&port->farp_work);
	KUNIT_ASSERT_EQ(test, farp_resolve(port, &farp_peer, &id), 0);
	KUNIT_ASSERT_EQ(test, id, PEER_ID);
}

static void fc2_farp_learns(struct kunit *test)
{
	struct in6_addr own;
	struct fc2_port *port = farp_port(test, &own);

	peer_listen(test);
	farp_learn(test, port, &own);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "r");
	KUNIT_EXPECT_EQ(test, peer_told.err[0], 0);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_FARP_ASKED), 1);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_FARP_LEARNT), 1);
}

static void fc2_farp_own_address(struct kunit *test)
{
	struct in6_addr own, any = {}, group = { { { 0xff, 0x02, [15] = 1 } } };
	struct fc2_port *port = farp_port(test, &own);
	u32 id = 0;

	KUNIT_EXPECT_EQ(test, farp_resolve(port, &own, &id), 0);
	KUNIT_EXPECT_EQ(test, id, port->id);
	KUNIT_EXPECT_EQ(test, farp_resolve(port, &any, &id), -EINVAL);
	KUNIT_EXPECT_EQ(test, farp_resolve(port, &group, &id), -EINVAL);
	fake_link(port, false);
	KUNIT_EXPECT_EQ(test, farp_resolve(port, &farp_peer, &id), -ENETDOWN);
}

/* No IPv4 address to ask from */
static void fc2_farp_no_source(struct kunit *test)
{
	struct in6_addr own, v4;
	struct fc2_port *port = farp_port(test, &own);
	u32 id;

	peer_listen(test);
	ipv6_addr_set_v4mapped(htonl(0x0a000001), &v4);
	KUNIT_EXPECT_EQ(test, farp_resolve(port, &v4, &id), -EAGAIN);
	flush_delayed_work(&port->farp_work);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "r");
	KUNIT_EXPECT_EQ(test, peer_told.err[0], -EADDRNOTAVAIL);
	/* Whoever asks again soon is told the reason */
	KUNIT_EXPECT_EQ(test, farp_resolve(port, &v4, &id), -EADDRNOTAVAIL);
	fake_link(port, false);
	KUNIT_EXPECT_EQ(test, port->farp_count, 0);
}

/* Nobody has answered. */
static void farp_given_up(struct kunit *test)
{
	unsigned int ms;

	for (ms = 0; ms < 6000 && !READ_ONCE(peer_told.count); ms += 20)
		msleep(20);
	KUNIT_EXPECT_GE(test, ms, 2000);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "r");
	KUNIT_EXPECT_EQ(test, peer_told.err[0], -EHOSTUNREACH);
}

/* Asked three times, then given up, and asked anew by who wants to know */
static void fc2_farp_silence(struct kunit *test)
{
	struct in6_addr own;
	struct fc2_port *port = farp_port(test, &own);
	unsigned int ms;
	u32 id;

	peer_listen(test);
	KUNIT_EXPECT_EQ(test, farp_resolve(port, &farp_peer, &id), -EAGAIN);
	KUNIT_EXPECT_EQ(test, farp_resolve(port, &farp_peer, &id), -EAGAIN);
	farp_given_up(test);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_FARP_ASKED), 3);
	KUNIT_EXPECT_EQ(test, farp_resolve(port, &farp_peer, &id), -EHOSTUNREACH);
	for (ms = 0; ms < 2000 && farp_resolve(port, &farp_peer, &id) == -EHOSTUNREACH; ms += 20)
		msleep(20);
	KUNIT_EXPECT_EQ(test, farp_resolve(port, &farp_peer, &id), -EAGAIN);
}

/* An answer that there is none holds for a second, however late the work item is */
static void fc2_farp_late(struct kunit *test)
{
	struct in6_addr own;
	struct fc2_port *port = farp_port(test, &own);
	u32 id;

	peer_listen(test);
	KUNIT_EXPECT_EQ(test, farp_resolve(port, &farp_peer, &id), -EAGAIN);
	farp_given_up(test);
	mutex_lock(&port->lock);
	KUNIT_EXPECT_EQ(test, fc2_farp_resolve(port, &farp_peer, &id), -EHOSTUNREACH);
	msleep(1200);
	KUNIT_EXPECT_EQ(test, fc2_farp_resolve(port, &farp_peer, &id), -EAGAIN);
	KUNIT_EXPECT_EQ(test, port->farp_count, 1);
	mutex_unlock(&port->lock);
}

/* Each REPLY here was not asked for, is late, or does not fit */
static void fc2_farp_forged(struct kunit *test)
{
	static const unsigned int places[] = {
		FARP_POINTS, FARP_ASKER_ID + 2, FARP_ACTION, FARP_ID + 2, FARP_ASKER_WWPN,
		FARP_IP + 15,
	};
	struct in6_addr own;
	struct fc2_port *port = farp_port(test, &own);
	struct peer_els *asked, *els;
	unsigned int i;
	u32 id;

	KUNIT_ASSERT_EQ(test, farp_resolve(port, &farp_peer, &id), -EAGAIN);
	asked = farp_asked(test, port, &own, &farp_peer);
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		els = farp_reply(test, port, asked);
		els->payload[places[i]] ^= 0x06;
		KUNIT_EXPECT_NOT_NULL(test, peer_ask(test, port, els));
		KUNIT_EXPECT_EQ(test, farp_resolve(port, &farp_peer, &id), -EAGAIN);
	}
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_FARP_IGNORED), i);
	/* A remote port with that ID is known, and has another name */
	peer_neighbour(test, port, PEER_ID, PEER_LOW);
	fake_forget(port->iface->dev);
	KUNIT_EXPECT_NOT_NULL(test, peer_ask(test, port, farp_reply(test, port, asked)));
	KUNIT_EXPECT_EQ(test, farp_resolve(port, &farp_peer, &id), -EAGAIN);
	peer_neighbour(test, port, PEER_ID, PEER_HIGH);
	fake_forget(port->iface->dev);
	KUNIT_EXPECT_NOT_NULL(test, peer_ask(test, port, farp_reply(test, port, asked)));
	KUNIT_EXPECT_EQ(test, farp_resolve(port, &farp_peer, &id), 0);
	/* The first answer is used */
	els = farp_reply(test, port, asked);
	fc2_hton24(els->payload + FARP_ID, PEER_ID + 1);
	fc2_hton24(els->fh.fh_s_id, PEER_ID + 1);
	KUNIT_EXPECT_NOT_NULL(test, peer_ask(test, port, els));
	KUNIT_EXPECT_EQ(test, farp_resolve(port, &farp_peer, &id), 0);
	KUNIT_EXPECT_EQ(test, id, PEER_ID);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_FARP_LEARNT), 1);
	KUNIT_EXPECT_EQ(test, port->farp_count, 1);
}

/* FC-VI 7.7.1: what makes a mapping invalid */
static void fc2_farp_voided(struct kunit *test)
{
	struct in6_addr own;
	struct fc2_port *port = farp_port(test, &own);

	peer_login(test, port);
	farp_learn(test, port, &own);
	KUNIT_EXPECT_NOT_NULL(test, peer_ask(test, port, peer_plogi(test, port, PEER_HIGH)));
	KUNIT_EXPECT_EQ(test, port->farp_count, 0);
	farp_learn(test, port, &own);
	KUNIT_EXPECT_NOT_NULL(test, peer_ask(test, port, peer_logo(test, port, PEER_HIGH)));
	KUNIT_EXPECT_EQ(test, port->farp_count, 0);
	/* A first login does not void it, unless the port has another name */
	farp_learn(test, port, &own);
	KUNIT_EXPECT_NOT_NULL(test, peer_ask(test, port, peer_plogi(test, port, PEER_HIGH)));
	KUNIT_EXPECT_EQ(test, port->farp_count, 1);
	mutex_lock(&port->lock);
	fc2_rport_gone(port, PEER_ID);
	mutex_unlock(&port->lock);
	KUNIT_EXPECT_EQ(test, port->farp_count, 0);
	farp_learn(test, port, &own);
	peer_neighbour(test, port, PEER_ID, PEER_HIGH + 2);
	fake_forget(port->iface->dev);
	KUNIT_EXPECT_NOT_NULL(test, peer_ask(test, port, peer_plogi(test, port, PEER_HIGH + 2)));
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_UP);
	KUNIT_EXPECT_EQ(test, port->farp_count, 0);
}

static void fc2_farp_down(struct kunit *test)
{
	struct in6_addr own, other = farp_peer;
	struct fc2_port *port = farp_port(test, &own);
	u32 id;

	peer_listen(test);
	farp_learn(test, port, &own);
	other.s6_addr[15]++;
	KUNIT_EXPECT_EQ(test, farp_resolve(port, &other, &id), -EAGAIN);
	fake_link(port, false);
	flush_delayed_work(&port->farp_work);
	KUNIT_EXPECT_EQ(test, port->farp_count, 0);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "rr");
	KUNIT_EXPECT_EQ(test, peer_told.err[1], -ENETDOWN);
}

/* A REQ for an address of the device: a REPLY, which is a request of its own */
static void fc2_farp_answers(struct kunit *test)
{
	struct in6_addr own;
	struct fc2_port *port = farp_port(test, &own);
	struct peer_els *els = farp_request(test, port, &own), *reply;

	peer_rx(test, port, els);
	reply = peer_sent(test, port, ELS_FARP_REPL);
	KUNIT_EXPECT_EQ(test, reply->fh.fh_r_ctl, FC_RCTL_ELS_REQ);
	KUNIT_EXPECT_MEMEQ(test, reply->dst, els->src, ETH_ALEN);
	KUNIT_EXPECT_EQ(test, reply->len, FARP_LEN);
	KUNIT_EXPECT_MEMEQ(test, reply->payload + FARP_POINTS, els->payload + FARP_POINTS, 5);
	KUNIT_EXPECT_EQ(test, fc2_ntoh24(reply->payload + FARP_ID), port->id);
	KUNIT_EXPECT_MEMEQ(test, reply->payload + FARP_ASKER_WWPN, els->payload + FARP_ASKER_WWPN,
			   16);
	KUNIT_EXPECT_EQ(test, get_unaligned_be64(reply->payload + FARP_WWPN), PEER_WWPN);
	KUNIT_EXPECT_EQ(test, get_unaligned_be64(reply->payload + FARP_WWNN), port->params.wwnn);
	KUNIT_EXPECT_MEMEQ(test, reply->payload + FARP_ASKER_IP, els->payload + FARP_ASKER_IP, 32);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_FARP_ANSWERED), 1);
}

/* FC-VI 7.5: unless all tests pass, nothing is done, not even a reject */
static void fc2_farp_not_meant(struct kunit *test)
{
	static const unsigned int places[] = {
		FARP_POINTS, FARP_ASKER_ID + 2, FARP_ACTION, FARP_IP + 15,
	};
	struct in6_addr own;
	struct fc2_port *port = farp_port(test, &own);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		struct peer_els *els = farp_request(test, port, &own);

		els->payload[places[i]] ^= 4;
		peer_rx(test, port, els);
		KUNIT_EXPECT_NULL(test, peer_tx(test, port));
	}
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_FARP_IGNORED), i);
	for (i = 4; i < FARP_LEN; i++) {
		struct peer_els *els = farp_request(test, port, &own);

		els->len = i;
		peer_rx(test, port, els);
		KUNIT_EXPECT_NULL(test, peer_tx(test, port));
		kunit_kfree(test, els);
	}
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_ELS_BAD), FARP_LEN - 4);
}

/* Many ask, and none takes the REPLY: there are OX_IDs left for others */
static void fc2_farp_flood(struct kunit *test)
{
	struct in6_addr own;
	struct fc2_port *port = farp_port(test, &own);
	struct peer_els *els = farp_request(test, port, &own);
	unsigned int i;

	for (i = 0; i < 1000; i++) {
		fc2_hton24(els->fh.fh_s_id, 0x10000 + i);
		fc2_hton24(els->payload + FARP_ASKER_ID, 0x10000 + i);
		peer_rx(test, port, els);
		fake_forget(port->iface->dev);
	}
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_FARP_ANSWERED), 32);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_FARP_IGNORED), 1000 - 32);
	peer_login(test, port);
}

/* The cache has an end: who has not been used for longest goes, but none that is asked for */
static void fc2_farp_full(struct kunit *test)
{
	struct in6_addr own, ip = farp_peer;
	struct fc2_port *port = farp_port(test, &own);
	unsigned int i;
	u32 id;

	farp_learn(test, port, &own);
	for (i = 1; i < FARP_MAX; i++) {
		ip.s6_addr[12] = i;
		KUNIT_EXPECT_EQ(test, fc2_farp_resolve(port, &ip, &id), -EAGAIN);
	}
	ip.s6_addr[13] = 1;
	KUNIT_EXPECT_EQ(test, fc2_farp_resolve(port, &ip, &id), -EAGAIN);
	KUNIT_EXPECT_EQ(test, port->farp_count, FARP_MAX);
	KUNIT_EXPECT_EQ(test, fc2_farp_resolve(port, &farp_peer, &id), -ENOBUFS);
	KUNIT_EXPECT_EQ(test, port->farp_count, FARP_MAX);
}

/* In a fabric a port that is found is logged in with */
static void fc2_farp_logs_in(struct kunit *test)
{
	struct in6_addr own;
	struct fc2_port *port = farp_port(test, &own);
	struct peer_els *els, *reply;
	u32 id;

	peer_fabric(test, port);
	KUNIT_ASSERT_EQ(test, farp_resolve(port, &farp_peer, &id), -EAGAIN);
	els = farp_reply(test, port, farp_asked(test, port, &own, &farp_peer));
	reply = peer_ask(test, port, els);
	KUNIT_ASSERT_NOT_NULL(test, reply);
	KUNIT_EXPECT_EQ(test, reply->payload[0], ELS_LS_ACC);
	reply = peer_sent(test, port, ELS_PLOGI);
	KUNIT_EXPECT_MEMEQ(test, reply->dst, els->src, ETH_ALEN);
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_PLOGI);
	KUNIT_EXPECT_EQ(test, farp_resolve(port, &farp_peer, &id), 0);
}

static struct kunit_case fc2_farp_cases[] = {
	KUNIT_CASE(fc2_farp_learns),
	KUNIT_CASE(fc2_farp_own_address),
	KUNIT_CASE(fc2_farp_no_source),
	KUNIT_CASE(fc2_farp_silence),
	KUNIT_CASE(fc2_farp_late),
	KUNIT_CASE(fc2_farp_forged),
	KUNIT_CASE(fc2_farp_voided),
	KUNIT_CASE(fc2_farp_down),
	KUNIT_CASE(fc2_farp_answers),
	KUNIT_CASE(fc2_farp_not_meant),
	KUNIT_CASE(fc2_farp_flood),
	KUNIT_CASE(fc2_farp_full),
	KUNIT_CASE(fc2_farp_logs_in),
	{}
};

static struct kunit_suite fc2_farp_suite = {
	.name		= "fc2_farp",
	.test_cases	= fc2_farp_cases,
};

kunit_test_suite(fc2_farp_suite);
