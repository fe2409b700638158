// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of fabric mode: FCFs, FLOGI, keep-alive frames, Clear Virtual Links.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/jiffies.h>
#include <linux/rtnetlink.h>
#include <linux/unaligned.h>
#include <scsi/fc/fc_els.h>
#include <scsi/fc/fc_fip.h>

#include "config.h"
#include "fabric.h"
#include "fake.h"
#include "fip.h"
#include "fip_link.h"
#include "vn.h"

#define TEST_ID		0x010203
#define TEST_FKA_MS	8000
#define TEST_NAME	0x1000000000fcf000ULL

static const u8 test_fcfs[] = { 0x01, 0x10, 0x18, 0x01, 0x00, 0x02 };
static const u8 test_enodes[] = { 0x01, 0x10, 0x18, 0x01, 0x00, 0x01 };
static const u8 test_vn_mac[] = { 0x0e, 0xfc, 0x00, 0x01, 0x02, 0x03 };

/* FCFs differ in the last byte of address and name */
static void test_fcf_mac(u8 *mac, u8 fcf)
{
	static const u8 base[ETH_ALEN] = { 0x02, 0xfc, 0xf0, 0x00, 0x00, 0x00 };

	memcpy(mac, base, ETH_ALEN);
	mac[5] = fcf;
}

static u8 *test_head(u8 *frame, const u8 *dst, u8 fcf, u8 op, u8 subcode, u16 flags)
{
	u8 *p = frame + ETH_HLEN;

	memcpy(frame, dst, ETH_ALEN);
	test_fcf_mac(frame + ETH_ALEN, fcf);
	put_unaligned_be16(ETH_P_FIP, frame + 12);
	p[0] = 0x10;
	p[3] = op;
	p[5] = subcode;
	put_unaligned_be16(flags, p + 8);
	return p + 10;
}

static u8 *test_mac(u8 *p, const u8 *mac)
{
	p[0] = FIP_DT_MAC;
	p[1] = 2;
	memcpy(p + 2, mac, ETH_ALEN);
	return p + 8;
}

static u8 *test_name(u8 *p, u64 name)
{
	p[0] = FIP_DT_NAME;
	p[1] = 3;
	put_unaligned_be64(name, p + 4);
	return p + 12;
}

static u8 *test_vn(u8 *p, u32 id, const u8 *mac, u64 wwpn)
{
	p[0] = FIP_DT_VN_ID;
	p[1] = 5;
	memcpy(p + 2, mac, ETH_ALEN);
	put_unaligned_be24(id, p + 9);
	put_unaligned_be64(wwpn, p + 12);
	return p + 20;
}

static void test_rx(struct kunit *test, struct fc2_port *port, u8 *frame, const u8 *end,
		    unsigned int len)
{
	put_unaligned_be16((end - frame - ETH_HLEN - 10) / 4, frame + ETH_HLEN + 6);
	vn_rx_raw(test, port, frame, len ?: end - frame);
}

/**
 * struct test_adv - an advertisement
 * @fcf: which FCF
 * @priority: of it
 * @flags: of the FIP header
 * @len: bytes of the FIP frame; 0: without padding
 * @map: FC-MAP
 * @quiet: no keep-alive frames are needed
 */
struct test_adv {
	u8 fcf;
	u8 priority;
	u16 flags;
	unsigned int len;
	u32 map;
	bool quiet;
};

#define TEST_SOLICITED	(FIP_FL_FPMA | FIP_FL_SOL | FIP_FL_AVAIL)

static const struct test_adv test_good = {
	.fcf = 1, .priority = 128, .flags = TEST_SOLICITED, .len = VN_SIZE, .map = 0x0efc00,
};

static void test_advertise(struct kunit *test, struct fc2_port *port, const struct test_adv *adv)
{
	u8 *frame = kunit_kzalloc(test, 3000, GFP_KERNEL), *p, mac[ETH_ALEN];
	bool solicited = adv->flags & FIP_FL_SOL;

	KUNIT_ASSERT_NOT_NULL(test, frame);
	test_fcf_mac(mac, adv->fcf);
	p = test_head(frame, solicited ? port->iface->dev->dev_addr : test_enodes, adv->fcf,
		      FIP_OP_DISC, FIP_SC_ADV, adv->flags);
	p[0] = FIP_DT_PRI;
	p[1] = 1;
	p[3] = adv->priority;
	p = test_name(test_mac(p + 4, mac), TEST_NAME + adv->fcf);
	p[0] = FIP_DT_FAB;
	p[1] = 4;
	put_unaligned_be24(adv->map, p + 5);
	put_unaligned_be64(0x1000000000fab000, p + 8);
	p += 16;
	p[0] = FIP_DT_FKA;
	p[1] = 2;
	p[3] = adv->quiet;
	put_unaligned_be32(TEST_FKA_MS, p + 4);
	p += 8;
	test_rx(test, port, frame, p, adv->len ? adv->len + ETH_HLEN : 0);
	kunit_kfree(test, frame);
}

static struct fc2_port *test_port(struct kunit *test)
{
	struct net_device *dev = fake_dev(test);
	struct fc2_port_params params;
	struct fc2_port *port;

	vn_stop_timers(test);
	rtnl_lock();
	fc2_params_default(&params, dev);
	params.mode = FC2_MODE_FABRIC;
	port = fc2_config_create(dev, &params, NULL);
	rtnl_unlock();
	KUNIT_ASSERT_FALSE(test, IS_ERR(port));
	return port;
}

/* The next FIP frame that was sent is this */
static struct sk_buff *test_sent(struct kunit *test, struct fc2_port *port, u8 op, u8 subcode,
				 const u8 *dst)
{
	struct sk_buff *skb = fake_sent(port->iface->dev, ETH_P_FIP);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_MEMEQ(test, skb->data, dst, ETH_ALEN);
	KUNIT_EXPECT_EQ(test, skb->data[ETH_HLEN + 3], op);
	KUNIT_EXPECT_EQ(test, skb->data[ETH_HLEN + 5], subcode);
	KUNIT_EXPECT_EQ(test, get_unaligned_be16(skb->data + ETH_HLEN + 8), FIP_FL_FPMA);
	return skb;
}

static void test_sent_is(struct kunit *test, struct fc2_port *port, u8 op, u8 subcode, u8 fcf)
{
	u8 mac[ETH_ALEN];

	test_fcf_mac(mac, fcf);
	consume_skb(test_sent(test, port, op, subcode, fcf ? mac : test_fcfs));
}

static void test_sent_none(struct kunit *test, struct fc2_port *port)
{
	KUNIT_EXPECT_NULL(test, fake_sent(port->iface->dev, ETH_P_FIP));
}

/* Let the time of the choice come */
static void test_choose(struct fc2_port *port)
{
	port->fabric->solicit = jiffies + HZ;
	port->fabric->choice = jiffies;
	vn_step(port);
}

/* What the fabric tells in its LS_ACC to FLOGI */
static struct test_times {
	const char *name;
	u32 r_a_tov;
	u32 e_d_tov;	/* nanoseconds if @ns */
	bool ns;
	u32 want_r_a, want_e_d;
} test_times;

static void test_answer(struct kunit *test, struct fc2_port *port, struct sk_buff *flogi, u8 fcf,
			u8 els, const u8 *vn_mac)
{
	const struct fc_frame_header *fh = (void *)(flogi->data + ETH_HLEN + 14);
	u8 frame[300] = {}, *p, *begin;
	struct fc_frame_header *to;
	struct fc_els_flogi *login;

	p = test_head(frame, port->iface->dev->dev_addr, fcf, FIP_OP_LS, FIP_SC_REP, FIP_FL_FPMA);
	begin = p;
	p[0] = FIP_DT_FLOGI;
	to = (struct fc_frame_header *)(p + 4);
	to->fh_r_ctl = FC_RCTL_ELS_REP;
	put_unaligned_be24(TEST_ID, to->fh_d_id);
	put_unaligned_be24(0xfffffe, to->fh_s_id);
	to->fh_type = FC_TYPE_ELS;
	put_unaligned_be24(FC_FC_EX_CTX | FC_FC_LAST_SEQ | FC_FC_END_SEQ, to->fh_f_ctl);
	to->fh_ox_id = fh->fh_ox_id;
	login = (struct fc_els_flogi *)(to + 1);
	login->fl_cmd = els;
	login->fl_csp.sp_features = htons(FC_SP_FT_FPORT);
	login->fl_csp.sp_bb_data = htons(2112);
	login->fl_csp.sp_r_a_tov = htonl(test_times.r_a_tov);
	login->fl_csp.sp_e_d_tov = htonl(test_times.e_d_tov);
	if (test_times.ns)
		login->fl_csp.sp_features |= htons(FC_SP_FT_EDTR);
	put_unaligned_be64(TEST_NAME, &login->fl_wwpn);
	put_unaligned_be64(TEST_NAME, &login->fl_wwnn);
	login->fl_cssp[2].cp_class = htons(FC_CPC_VALID);
	p += 4 + sizeof(*to) + (els == ELS_LS_ACC ? sizeof(*login) : 8);
	begin[1] = (p - begin) / 4;
	if (els == ELS_LS_ACC)
		p = test_mac(p, vn_mac);
	test_rx(test, port, frame, p, 0);
	flush_work(&port->els_work);
}

/* A port that is logged in with the FCF 1 */
static struct fc2_port *test_up(struct kunit *test, const struct test_adv *adv)
{
	struct fc2_port *port = test_port(test);
	struct sk_buff *skb;
	u8 mac[ETH_ALEN];

	vn_step(port);
	test_advertise(test, port, adv);
	fake_forget(port->iface->dev);
	test_choose(port);
	test_fcf_mac(mac, adv->fcf);
	skb = test_sent(test, port, FIP_OP_LS, FIP_SC_REQ, mac);
	test_answer(test, port, skb, adv->fcf, ELS_LS_ACC, test_vn_mac);
	consume_skb(skb);
	KUNIT_ASSERT_EQ(test, port->state, FC2_STATE_UP);
	return port;
}

static void fc2_fabric_solicits(struct kunit *test)
{
	struct fc2_port *port = test_port(test);
	struct sk_buff *skb;
	const u8 *p;

	KUNIT_EXPECT_EQ(test, port->state, FC2_STATE_SOLICIT);
	vn_step(port);
	skb = test_sent(test, port, FIP_OP_DISC, FIP_SC_SOL, test_fcfs);
	p = skb->data + ETH_HLEN + 10;
	KUNIT_EXPECT_EQ(test, skb->data[ETH_HLEN + 7], 6);
	KUNIT_EXPECT_MEMEQ(test, p + 2, port->iface->dev->dev_addr, ETH_ALEN);
	KUNIT_EXPECT_EQ(test, get_unaligned_be64(p + 12), port->params.wwnn);
	KUNIT_EXPECT_EQ(test, get_unaligned_be16(p + 22), VN_SIZE);
	consume_skb(skb);
	vn_step(port);
	test_sent_none(test, port);
	port->fabric->solicit = jiffies;
	vn_step(port);
	test_sent_is(test, port, FIP_OP_DISC, FIP_SC_SOL, 0);
}

/* An advertisement to all makes the port ask that FCF; only its answer can be chosen */
static void fc2_fabric_advertised_to_all(struct kunit *test)
{
	struct fc2_port *port = test_port(test);
	struct test_adv adv = test_good;

	vn_step(port);
	fake_forget(port->iface->dev);
	adv.flags = FIP_FL_FPMA | FIP_FL_AVAIL;
	adv.len = 0;
	test_advertise(test, port, &adv);
	test_sent_is(test, port, FIP_OP_DISC, FIP_SC_SOL, 1);
	KUNIT_EXPECT_FALSE(test, port->fabric->choose);
	test_advertise(test, port, &test_good);
	test_sent_none(test, port);
	KUNIT_EXPECT_TRUE(test, port->fabric->choose);
	KUNIT_EXPECT_LE(test, vn_delay, msecs_to_jiffies(2000));
	KUNIT_EXPECT_EQ(test, port->state, FC2_STATE_SOLICIT);
	test_choose(port);
	KUNIT_EXPECT_EQ(test, port->state, FC2_STATE_FLOGI);
	test_sent_is(test, port, FIP_OP_LS, FIP_SC_REQ, 1);
}

/* The lowest number is the best priority, then the lowest name; those that refuse come last */
static void fc2_fabric_choice(struct kunit *test)
{
	struct fc2_port *port = test_port(test);
	struct test_adv adv = test_good;
	struct sk_buff *skb;
	u8 mac[ETH_ALEN];
	unsigned int i;

	static const u8 order[] = { 3, 2, 4, 1, 3 };

	adv.fcf = 4;
	test_advertise(test, port, &adv);
	adv.fcf = 2;
	test_advertise(test, port, &adv);
	adv.fcf = 3;
	adv.priority = 1;
	test_advertise(test, port, &adv);
	adv.fcf = 1;
	adv.priority = 255;
	test_advertise(test, port, &adv);
	adv.fcf = 5;
	adv.priority = 0;
	adv.flags &= ~FIP_FL_AVAIL;
	test_advertise(test, port, &adv);
	fake_forget(port->iface->dev);
	for (i = 0; i < ARRAY_SIZE(order); i++) {
		test_choose(port);
		test_fcf_mac(mac, order[i]);
		skb = test_sent(test, port, FIP_OP_LS, FIP_SC_REQ, mac);
		test_answer(test, port, skb, order[i], ELS_LS_RJT, NULL);
		consume_skb(skb);
		KUNIT_EXPECT_EQ(test, port->state, FC2_STATE_SOLICIT);
		KUNIT_EXPECT_TRUE(test, port->fabric->choose);
	}
	KUNIT_EXPECT_EQ(test, i, fc2_stat_read(port, FC2_STAT_LOGIN_REFUSED));
}

static void fc2_fabric_logs_in(struct kunit *test)
{
	struct fc2_port *port = test_up(test, &test_good);
	struct sk_buff *skb;
	u8 mac[ETH_ALEN];

	KUNIT_EXPECT_EQ(test, fc2_port_id(port), TEST_ID);
	KUNIT_EXPECT_MEMEQ(test, port->mac, test_vn_mac, ETH_ALEN);
	test_sent_none(test, port);

	/* The fabric is told that the ID is free */
	fake_link(port, false);
	KUNIT_EXPECT_EQ(test, fc2_port_id(port), 0);
	test_fcf_mac(mac, 1);
	skb = test_sent(test, port, FIP_OP_LS, FIP_SC_REQ, mac);
	KUNIT_EXPECT_EQ(test, skb->data[ETH_HLEN + 10], FIP_DT_LOGO);
	KUNIT_EXPECT_EQ(test, get_unaligned_be24(skb->data + ETH_HLEN + 14 + 1), 0xfffffe);
	KUNIT_EXPECT_EQ(test, get_unaligned_be24(skb->data + ETH_HLEN + 14 + 5), TEST_ID);
	consume_skb(skb);
}

/* Answers with an address that is not made of the ID, and those of another FCF */
static void fc2_fabric_bad_answers(struct kunit *test)
{
	static const u8 bad[][ETH_ALEN] = {
		{ 0x0e, 0xfc, 0x00, 0x01, 0x02, 0x04 }, { 0x0e, 0xfd, 0x00, 0x01, 0x02, 0x03 }, {},
	};
	struct fc2_port *port = test_port(test);
	struct sk_buff *skb;
	u8 mac[ETH_ALEN];
	unsigned int i;

	test_advertise(test, port, &test_good);
	fake_forget(port->iface->dev);
	test_fcf_mac(mac, 1);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		test_choose(port);
		skb = test_sent(test, port, FIP_OP_LS, FIP_SC_REQ, mac);
		test_answer(test, port, skb, 2, ELS_LS_ACC, test_vn_mac);
		KUNIT_EXPECT_EQ(test, port->state, FC2_STATE_FLOGI);
		test_answer(test, port, skb, 1, ELS_LS_ACC, bad[i]);
		KUNIT_EXPECT_EQ(test, port->state, FC2_STATE_SOLICIT);
		consume_skb(skb);
	}
	KUNIT_EXPECT_EQ(test, i, fc2_stat_read(port, FC2_STAT_ELS_BAD));
	KUNIT_EXPECT_EQ(test, fc2_port_id(port), 0);
}

static void fc2_fabric_bad_advertisements(struct kunit *test)
{
	struct fc2_port *port = test_port(test);
	struct test_adv adv = test_good;

	adv.len = VN_SIZE - 1;
	test_advertise(test, port, &adv);
	KUNIT_EXPECT_EQ(test, 1, fc2_stat_read(port, FC2_STAT_FIP_SIZE));
	adv = test_good;
	adv.map = 0;
	test_advertise(test, port, &adv);
	adv.map = 0x0ffc00;
	test_advertise(test, port, &adv);
	adv = test_good;
	adv.flags &= ~FIP_FL_FPMA;
	test_advertise(test, port, &adv);
	adv = test_good;
	adv.fcf = 0;
	KUNIT_EXPECT_EQ(test, 3, fc2_stat_read(port, FC2_STAT_FIP_BAD));
	KUNIT_EXPECT_EQ(test, 0, fc2_stat_read(port, FC2_STAT_NEIGHBOUR_NEW));
	/* As many as the port remembers */
	for (adv.fcf = 1; adv.fcf < FC2_FCFS_MAX + 3; adv.fcf++)
		test_advertise(test, port, &adv);
	KUNIT_EXPECT_EQ(test, FC2_FCFS_MAX, fc2_stat_read(port, FC2_STAT_NEIGHBOUR_NEW));
	KUNIT_EXPECT_EQ(test, 2, fc2_stat_read(port, FC2_STAT_NEIGHBOURS_FULL));
}

static void fc2_fabric_keeps_alive(struct kunit *test)
{
	struct fc2_port *port = test_up(test, &test_good);
	struct sk_buff *skb;
	u8 mac[ETH_ALEN];

	test_fcf_mac(mac, 1);
	vn_step(port);
	test_sent_none(test, port);
	port->fabric->fka = jiffies;
	vn_step(port);
	skb = test_sent(test, port, FIP_OP_CTRL, FIP_SC_KEEP_ALIVE, mac);
	KUNIT_EXPECT_MEMEQ(test, skb->data + ETH_ALEN, port->iface->dev->dev_addr, ETH_ALEN);
	KUNIT_EXPECT_EQ(test, skb->data[ETH_HLEN + 7], 2);
	consume_skb(skb);
	port->fabric->vn_fka = jiffies;
	vn_step(port);
	skb = test_sent(test, port, FIP_OP_CTRL, FIP_SC_KEEP_ALIVE, mac);
	KUNIT_EXPECT_MEMEQ(test, skb->data + ETH_ALEN, test_vn_mac, ETH_ALEN);
	KUNIT_EXPECT_EQ(test, skb->data[ETH_HLEN + 7], 7);
	KUNIT_EXPECT_EQ(test, get_unaligned_be24(skb->data + ETH_HLEN + 10 + 8 + 9), TEST_ID);
	consume_skb(skb);
	test_sent_none(test, port);

	/* Advertisements count, and so does their absence */
	port->fabric->fcf->heard = jiffies - msecs_to_jiffies(TEST_FKA_MS * 5 / 2 - 1000);
	vn_step(port);
	KUNIT_EXPECT_EQ(test, port->state, FC2_STATE_UP);
	test_advertise(test, port, &test_good);
	KUNIT_EXPECT_TRUE(test, time_after(port->fabric->fcf->heard, jiffies - HZ));
	port->fabric->fcf->heard = jiffies - msecs_to_jiffies(TEST_FKA_MS * 5 / 2);
	vn_step(port);
	KUNIT_EXPECT_EQ(test, port->state, FC2_STATE_SOLICIT);
	KUNIT_EXPECT_EQ(test, fc2_port_id(port), 0);
	KUNIT_EXPECT_EQ(test, 1, fc2_stat_read(port, FC2_STAT_NEIGHBOUR_GONE));
}

static void fc2_fabric_quiet(struct kunit *test)
{
	struct test_adv adv = test_good;
	struct fc2_port *port;

	adv.quiet = true;
	port = test_up(test, &adv);
	port->fabric->fka = jiffies;
	port->fabric->vn_fka = jiffies;
	vn_step(port);
	test_sent_none(test, port);
}

/**
 * struct test_clear - a Clear Virtual Links
 * @name: what is with it
 * @from: FCF that sends it
 * @mac: FCF in its MAC address
 * @fcf: FCF in its name
 * @others: how many VN_Ports of others are in it
 * @id: N_Port ID of ours in it, 0: it is not in it
 * @ends: whether the login ends
 */
struct test_clear {
	const char *name;
	u8 from, mac, fcf;
	unsigned int others;
	u32 id;
	bool ends;
};

static const struct test_clear test_clears[] = {
	{ "all", 1, 1, 1, 0, 0, true },
	{ "the port", 1, 1, 1, 0, TEST_ID, true },
	{ "the port and others", 1, 1, 1, 3, TEST_ID, true },
	{ "others", 1, 1, 1, 3, 0, false },
	{ "another ID", 1, 1, 1, 0, TEST_ID + 1, false },
	{ "from another FCF", 2, 1, 1, 0, 0, false },
	{ "another address", 1, 2, 1, 0, 0, false },
	{ "another name", 1, 1, 2, 0, 0, false },
};

KUNIT_ARRAY_PARAM_DESC(test_clear, test_clears, name);

static void fc2_fabric_cleared(struct kunit *test)
{
	const struct test_clear *c = test->param_value;
	struct fc2_port *port = test_up(test, &test_good);
	u8 frame[300] = {}, *p, mac[ETH_ALEN];
	unsigned int i;

	test_fcf_mac(mac, c->mac);
	p = test_head(frame, port->iface->dev->dev_addr, c->from, FIP_OP_CTRL, FIP_SC_CLR_VLINK, 0);
	p = test_name(test_mac(p, mac), TEST_NAME + c->fcf);
	for (i = 0; i < c->others; i++)
		p = test_vn(p, TEST_ID + 7 + i, mac, 7 + i);
	if (c->id)
		p = test_vn(p, c->id, test_vn_mac, port->params.wwpn);
	test_rx(test, port, frame, p, 0);
	KUNIT_EXPECT_EQ(test, port->state, c->ends ? FC2_STATE_SOLICIT : FC2_STATE_UP);
	KUNIT_EXPECT_EQ(test, fc2_port_id(port), c->ends ? 0 : TEST_ID);
}

/* An FCF that comes again as another one has no logins */
static void fc2_fabric_changes(struct kunit *test)
{
	struct fc2_port *port = test_up(test, &test_good);
	struct test_adv adv = test_good;

	adv.map = 0x0efc01;
	test_advertise(test, port, &adv);
	KUNIT_EXPECT_EQ(test, port->state, FC2_STATE_SOLICIT);
	KUNIT_EXPECT_EQ(test, fc2_port_id(port), 0);
	KUNIT_EXPECT_TRUE(test, port->fabric->choose);
}

static const struct test_times test_all_times[] = {
	{ "others", 10000, 3000, false, 10000, 3000 },
	{ "in nanoseconds", 10000, 3000000000, true, 10000, 3000 },
	{ "none", 0, 0, false, FC2_R_A_TOV, FC2_E_D_TOV },
	{ "too short", 50, 50, false, FC2_R_A_TOV, FC2_E_D_TOV },
	{ "too long", 120001, 3000, false, FC2_R_A_TOV, FC2_E_D_TOV },
	{ "the wrong way round", 2000, 3000, false, FC2_R_A_TOV, FC2_E_D_TOV },
};

KUNIT_ARRAY_PARAM_DESC(test_times, test_all_times, name);

static void test_no_times(void *unused)
{
	test_times = (struct test_times) {};
}

/* The times of the fabric are in use as long as the port is logged in with it */
static void fc2_fabric_times(struct kunit *test)
{
	struct fc2_port *port;

	test_times = *(const struct test_times *)test->param_value;
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, test_no_times, NULL));
	port = test_up(test, &test_good);
	KUNIT_EXPECT_EQ(test, fc2_port_r_a_tov(port), test_times.want_r_a);
	KUNIT_EXPECT_EQ(test, port->params.e_d_tov, test_times.want_e_d);
	fake_link(port, false);
	KUNIT_EXPECT_EQ(test, fc2_port_r_a_tov(port), FC2_R_A_TOV);
	KUNIT_EXPECT_EQ(test, port->params.e_d_tov, FC2_E_D_TOV);
}

static struct kunit_case fc2_fabric_cases[] = {
	KUNIT_CASE(fc2_fabric_solicits),
	KUNIT_CASE(fc2_fabric_advertised_to_all),
	KUNIT_CASE(fc2_fabric_choice),
	KUNIT_CASE(fc2_fabric_logs_in),
	KUNIT_CASE(fc2_fabric_bad_answers),
	KUNIT_CASE(fc2_fabric_bad_advertisements),
	KUNIT_CASE(fc2_fabric_keeps_alive),
	KUNIT_CASE(fc2_fabric_quiet),
	KUNIT_CASE_PARAM(fc2_fabric_cleared, test_clear_gen_params),
	KUNIT_CASE(fc2_fabric_changes),
	KUNIT_CASE_PARAM(fc2_fabric_times, test_times_gen_params),
	{}
};

static struct kunit_suite fc2_fabric_suite = {
	.name		= "fc2_fabric",
	.test_cases	= fc2_fabric_cases,
};

kunit_test_suites(&fc2_fabric_suite);
