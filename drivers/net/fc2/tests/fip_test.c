// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of reading and sending frames of FIP.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/string.h>
#include <scsi/fc/fc_els.h>
#include <scsi/fc/fc_fip.h>

#include "fake.h"
#include "fip.h"

/* Bytes of the FIP frame of a Claim Notification: header and descriptors */
#define TEST_CLAIM_LEN	(10 + 8 + 12 + 20 + 164 + 4)

/* FLOGI, of which no more is looked at than the header and the command */
#define TEST_ELS_LEN	(FC_FRAME_HEADER_LEN + 8)

static u8 *test_desc(u8 *p, u8 dtype, unsigned int len)
{
	p[0] = dtype;
	p[1] = len / 4;
	return p + len;
}

static u8 *test_head(u8 *p, u16 op, u8 subcode)
{
	memset(p, 0, sizeof(struct fip_header));
	p[0] = 0x10;
	p[3] = op;
	p[5] = subcode;
	return p + sizeof(struct fip_header);
}

static void test_length(u8 *p, const u8 *end)
{
	p[7] = (end - p - sizeof(struct fip_header)) / 4;
}

/* The Claim of the port 20:00:00:11:22:33:44:55 with the ID 4455 */
static unsigned int test_claim(u8 *buf)
{
	u8 *p = test_head(buf, FIP_OP_VN2VN, FIP_SC_VN_CLAIM_NOTIFY);
	static const u8 mac[] = { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55 };
	static const u8 vn_mac[] = { 0x0e, 0xfd, 0x00, 0x00, 0x44, 0x55 };
	static const u8 id[] = { 0x00, 0x44, 0x55 };
	static const u8 wwpn[] = { 0x20, 0x00 }, wwnn[] = { 0x10, 0x00 };

	memset(p, 0, TEST_CLAIM_LEN - 10);
	memcpy(p + 2, mac, 6);
	p = test_desc(p, FIP_DT_MAC, 8);
	memcpy(p + 4, wwnn, 2);
	memcpy(p + 6, mac, 6);
	p = test_desc(p, FIP_DT_NAME, 12);
	memcpy(p + 2, vn_mac, 6);
	memcpy(p + 9, id, 3);
	memcpy(p + 12, wwpn, 2);
	memcpy(p + 14, mac, 6);
	p = test_desc(p, FIP_DT_VN_ID, 20);
	p = test_desc(p, FIP_DT_FC4F, 164);
	p[2] = 2158 >> 8;
	p[3] = 2158 & 0xff;
	p = test_desc(p, FIP_DT_FCOE_SIZE, 4);
	test_length(buf, p);
	return p - buf;
}

static int test_parse(struct kunit *test, struct fc2_fip *fip, const u8 *frame, unsigned int len)
{
	/* In memory of just that length, for KASAN */
	u8 *copy = kunit_kmalloc(test, max(len, 1U), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, copy);
	memcpy(copy, frame, len);
	return fc2_fip_parse(fip, copy, len);
}

static void fc2_fip_reads(struct kunit *test)
{
	static const u8 mac[] = { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55 };
	static const u8 vn_mac[] = { 0x0e, 0xfd, 0x00, 0x00, 0x44, 0x55 };
	u8 frame[TEST_CLAIM_LEN];
	struct fc2_fip fip;

	KUNIT_ASSERT_EQ(test, test_claim(frame), TEST_CLAIM_LEN);
	frame[9] = FIP_FL_REC_OR_P2P;
	KUNIT_ASSERT_EQ(test, test_parse(test, &fip, frame, sizeof(frame)), 0);
	KUNIT_EXPECT_EQ(test, fip.op, FIP_OP_VN2VN);
	KUNIT_EXPECT_EQ(test, fip.subcode, FIP_SC_VN_CLAIM_NOTIFY);
	KUNIT_EXPECT_EQ(test, fip.flags, FIP_FL_REC_OR_P2P);
	KUNIT_EXPECT_MEMEQ(test, fip.mac, mac, ETH_ALEN);
	KUNIT_EXPECT_EQ(test, fip.name, 0x1000001122334455);
	KUNIT_EXPECT_MEMEQ(test, fip.vn_mac, vn_mac, ETH_ALEN);
	KUNIT_EXPECT_EQ(test, fip.vn_id, 0x4455);
	KUNIT_EXPECT_EQ(test, fip.wwpn, 0x2000001122334455);
	KUNIT_EXPECT_EQ(test, fip.size, 2158);
}

/* A frame of each length up to the whole one */
static void fc2_fip_cut_off(struct kunit *test)
{
	u8 frame[TEST_CLAIM_LEN];
	struct fc2_fip fip;
	unsigned int len;

	test_claim(frame);
	for (len = 0; len < sizeof(frame); len++)
		KUNIT_EXPECT_EQ(test, test_parse(test, &fip, frame, len), -EINVAL);
}

/* A descriptor of each length but its own, with the frame's length as that says */
static void fc2_fip_desc_lengths(struct kunit *test)
{
	static const u8 places[] = { 10, 18, 30, 50, 214 };
	u8 frame[TEST_CLAIM_LEN];
	struct fc2_fip fip;
	unsigned int i, len;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		for (len = 0; len < 256; len++) {
			test_claim(frame);
			if (frame[places[i] + 1] == len)
				continue;
			frame[places[i] + 1] = len;
			KUNIT_EXPECT_EQ(test, test_parse(test, &fip, frame, sizeof(frame)),
					-EINVAL);
		}
	}
}

/* Only the first descriptors: from none to all but the last */
static void fc2_fip_missing(struct kunit *test)
{
	static const u8 ends[] = { 10, 18, 30, 50, 214 };
	u8 frame[TEST_CLAIM_LEN];
	struct fc2_fip fip;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		test_claim(frame);
		test_length(frame, frame + ends[i]);
		KUNIT_EXPECT_EQ(test, test_parse(test, &fip, frame, sizeof(frame)), -EINVAL);
	}
}

/* One more descriptor behind: a critical one is doubled or does not belong there */
static void fc2_fip_types(struct kunit *test)
{
	u8 frame[TEST_CLAIM_LEN + 4];
	struct fc2_fip fip;
	unsigned int type;

	for (type = 0; type < 256; type++) {
		memset(frame, 0, sizeof(frame));
		test_claim(frame);
		test_length(frame, test_desc(frame + TEST_CLAIM_LEN, type, 4));
		KUNIT_EXPECT_EQ(test, test_parse(test, &fip, frame, sizeof(frame)),
				type < FIP_DT_NON_CRITICAL ? -EINVAL : 0);
	}
}

static void fc2_fip_operations(struct kunit *test)
{
	u8 frame[TEST_CLAIM_LEN];
	struct fc2_fip fip;
	unsigned int op, subcode;

	for (op = 0; op < 256; op++) {
		for (subcode = 0; subcode < 256; subcode++) {
			bool known = (op == FIP_OP_VN2VN && subcode >= FIP_SC_VN_PROBE_REQ &&
				      subcode <= FIP_SC_VN_BEACON) ||
				     (op == FIP_OP_LS && subcode >= FIP_SC_REQ &&
				      subcode <= FIP_SC_REP) ||
				     (op == FIP_OP_DISC && subcode == FIP_SC_ADV) ||
				     (op == FIP_OP_CTRL && subcode == FIP_SC_CLR_VLINK);

			test_claim(frame);
			frame[3] = op;
			frame[5] = subcode;
			if (!known)
				KUNIT_EXPECT_EQ(test, -EOPNOTSUPP,
						fc2_fip_parse(&fip, frame, sizeof(frame)));
		}
	}
	test_claim(frame);
	frame[2] = 1;
	KUNIT_EXPECT_EQ(test, fc2_fip_parse(&fip, frame, sizeof(frame)), -EOPNOTSUPP);
	for (op = 0; op < 256; op++) {
		test_claim(frame);
		frame[0] = op;
		KUNIT_EXPECT_EQ(test, fc2_fip_parse(&fip, frame, sizeof(frame)),
				op >> 4 == FIP_VER ? 0 : -EINVAL);
	}
}

/* Probes and Beacons have no descriptors of Claims */
static void fc2_fip_probe(struct kunit *test)
{
	u8 frame[TEST_CLAIM_LEN];
	struct fc2_fip fip;

	test_claim(frame);
	frame[5] = FIP_SC_VN_PROBE_REQ;
	KUNIT_EXPECT_EQ(test, fc2_fip_parse(&fip, frame, sizeof(frame)), -EINVAL);
	test_length(frame, frame + 50);
	KUNIT_EXPECT_EQ(test, fc2_fip_parse(&fip, frame, sizeof(frame)), 0);
	KUNIT_EXPECT_EQ(test, fc2_fip_parse(&fip, frame, 50), 0);
	KUNIT_EXPECT_EQ(test, fc2_fip_parse(&fip, frame, 49), -EINVAL);
}

/**
 * struct test_els - a frame of FIP_OP_LS
 * @name: what is with it
 * @subcode: of the frame
 * @dtypes: its descriptors
 * @els: command in the first ELS
 * @len: bytes of an ELS with its FC header
 * @err: what reading it returns
 */
struct test_els {
	const char *name;
	u8 subcode;
	u8 dtypes[4];
	u8 els;
	unsigned int len;
	int err;
};

static const struct test_els test_els_cases[] = {
	{ "FLOGI", FIP_SC_REQ, { FIP_DT_FLOGI, FIP_DT_MAC }, ELS_FLOGI, TEST_ELS_LEN },
	{ "FDISC", FIP_SC_REQ, { FIP_DT_FDISC, FIP_DT_MAC }, ELS_FDISC, TEST_ELS_LEN },
	{ "LOGO", FIP_SC_REQ, { FIP_DT_LOGO, FIP_DT_MAC }, ELS_LOGO, TEST_ELS_LEN },
	{ "accept", FIP_SC_REP, { FIP_DT_FLOGI, FIP_DT_MAC }, ELS_LS_ACC, TEST_ELS_LEN },
	{ "reject", FIP_SC_REP, { FIP_DT_FLOGI }, ELS_LS_RJT, TEST_ELS_LEN },
	{ "more", FIP_SC_REQ, { FIP_DT_FLOGI, FIP_DT_MAC, 200 }, ELS_FLOGI, TEST_ELS_LEN },
	{ "shortest", FIP_SC_REQ, { FIP_DT_FLOGI, FIP_DT_MAC }, ELS_FLOGI,
	  FC_FRAME_HEADER_LEN + 4 },
	{ "too short", FIP_SC_REQ, { FIP_DT_FLOGI, FIP_DT_MAC }, ELS_FLOGI,
	  FC_FRAME_HEADER_LEN, -EINVAL },
	{ "no header", FIP_SC_REQ, { FIP_DT_FLOGI, FIP_DT_MAC }, ELS_FLOGI, 0, -EINVAL },
	{ "no MAC", FIP_SC_REQ, { FIP_DT_FLOGI }, ELS_FLOGI, TEST_ELS_LEN, -EINVAL },
	{ "accept without MAC", FIP_SC_REP, { FIP_DT_FLOGI }, ELS_LS_ACC, TEST_ELS_LEN, -EINVAL },
	{ "MAC first", FIP_SC_REQ, { FIP_DT_MAC, FIP_DT_FLOGI }, ELS_FLOGI, TEST_ELS_LEN,
	  -EINVAL },
	{ "MAC only", FIP_SC_REQ, { FIP_DT_MAC }, 0, TEST_ELS_LEN, -EINVAL },
	{ "nothing", FIP_SC_REQ, { 0 }, 0, TEST_ELS_LEN, -EINVAL },
	{ "two MACs", FIP_SC_REQ, { FIP_DT_FLOGI, FIP_DT_MAC, FIP_DT_MAC }, ELS_FLOGI,
	  TEST_ELS_LEN, -EINVAL },
	{ "two of a kind", FIP_SC_REQ, { FIP_DT_FLOGI, FIP_DT_FLOGI, FIP_DT_MAC }, ELS_FLOGI,
	  TEST_ELS_LEN, -EINVAL },
	{ "two ELS", FIP_SC_REQ, { FIP_DT_FLOGI, FIP_DT_LOGO, FIP_DT_MAC }, ELS_FLOGI,
	  TEST_ELS_LEN, -EINVAL },
	{ "unknown first", FIP_SC_REQ, { 200, FIP_DT_FLOGI, FIP_DT_MAC }, ELS_FLOGI, TEST_ELS_LEN,
	  -EINVAL },
	{ "another ELS", FIP_SC_REQ, { FIP_DT_FLOGI, FIP_DT_MAC }, ELS_PLOGI, TEST_ELS_LEN,
	  -EINVAL },
	{ "reply asks", FIP_SC_REP, { FIP_DT_FLOGI, FIP_DT_MAC }, ELS_FLOGI, TEST_ELS_LEN,
	  -EINVAL },
	{ "request accepts", FIP_SC_REQ, { FIP_DT_FLOGI, FIP_DT_MAC }, ELS_LS_ACC, TEST_ELS_LEN,
	  -EINVAL },
	{ "ELP", FIP_SC_REQ, { FIP_DT_ELP, FIP_DT_MAC }, ELS_FLOGI, TEST_ELS_LEN, -EINVAL },
};

KUNIT_ARRAY_PARAM_DESC(test_els, test_els_cases, name);

static void fc2_fip_els(struct kunit *test)
{
	const struct test_els *c = test->param_value;
	u8 frame[400] = {}, *p = test_head(frame, FIP_OP_LS, c->subcode);
	struct fc2_fip fip;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(c->dtypes) && c->dtypes[i]; i++) {
		switch (c->dtypes[i]) {
		case FIP_DT_MAC:
			p = test_desc(p, FIP_DT_MAC, 8);
			break;
		case FIP_DT_FLOGI ... FIP_DT_ELP:
			if (c->len > FC_FRAME_HEADER_LEN)
				p[4 + FC_FRAME_HEADER_LEN] = c->els;
			p = test_desc(p, c->dtypes[i], 4 + c->len);
			break;
		default:
			p = test_desc(p, c->dtypes[i], 8);
			break;
		}
	}
	test_length(frame, p);
	KUNIT_ASSERT_EQ(test, test_parse(test, &fip, frame, p - frame), c->err);
	if (c->err)
		return;
	KUNIT_EXPECT_EQ(test, fip.els, c->dtypes[0]);
	KUNIT_EXPECT_EQ(test, fip.els_pos, 14);
	KUNIT_EXPECT_EQ(test, fip.els_len, c->len);
}

static void fc2_fip_sends_els(struct kunit *test)
{
	static const u8 dst[] = { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55 };
	struct net_device *dev = fake_dev(test);
	struct fc2_port *port = fake_port(test, dev, 0x2000021122334455);
	struct sk_buff *skb;
	struct fc2_fip fip;
	u8 *els;

	/* Neither room in front nor behind */
	skb = alloc_skb(TEST_ELS_LEN, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	els = skb_put(skb, TEST_ELS_LEN);
	memset(els, 0xa5, TEST_ELS_LEN);
	els[FC_FRAME_HEADER_LEN] = ELS_FLOGI;
	fake_forget(dev);
	mutex_lock(&port->lock);
	fc2_fip_els_send(port, skb, FIP_DT_FLOGI, dst);
	mutex_unlock(&port->lock);
	do
		skb = fake_sent(dev, ETH_P_FIP);
	while (skb && skb->data[ETH_HLEN + 3] != FIP_OP_LS);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_MEMEQ(test, skb->data, dst, ETH_ALEN);
	KUNIT_EXPECT_MEMEQ(test, skb->data + ETH_ALEN, dev->dev_addr, ETH_ALEN);
	KUNIT_EXPECT_EQ(test, 0, fc2_fip_parse(&fip, skb->data + ETH_HLEN, skb->len - ETH_HLEN));
	KUNIT_EXPECT_EQ(test, fip.op, FIP_OP_LS);
	KUNIT_EXPECT_EQ(test, fip.subcode, FIP_SC_REQ);
	KUNIT_EXPECT_EQ(test, fip.els, FIP_DT_FLOGI);
	KUNIT_EXPECT_EQ(test, fip.els_len, TEST_ELS_LEN);
	KUNIT_EXPECT_EQ(test, skb->data[ETH_HLEN + fip.els_pos], 0xa5);
	consume_skb(skb);
}

static struct kunit_case fc2_fip_cases[] = {
	KUNIT_CASE(fc2_fip_reads),
	KUNIT_CASE(fc2_fip_cut_off),
	KUNIT_CASE(fc2_fip_desc_lengths),
	KUNIT_CASE(fc2_fip_missing),
	KUNIT_CASE(fc2_fip_types),
	KUNIT_CASE(fc2_fip_operations),
	KUNIT_CASE(fc2_fip_probe),
	KUNIT_CASE_PARAM(fc2_fip_els, test_els_gen_params),
	KUNIT_CASE(fc2_fip_sends_els),
	{}
};

static struct kunit_suite fc2_fip_suite = {
	.name		= "fc2_fip",
	.test_cases	= fc2_fip_cases,
};

kunit_test_suites(&fc2_fip_suite);
