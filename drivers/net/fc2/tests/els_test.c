// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of ELS requests and replies.
 */
#include <linux/etherdevice.h>
#include <linux/unaligned.h>
#include <scsi/fc/fc_encaps.h>
#include <scsi/fc/fc_fcoe.h>
#include <scsi/fc/fc_fip.h>

#include "els.h"
#include "els_ask.h"
#include "fake.h"
#include "peer.h"

/* Requests that only ports that are logged in may send, and their shortest payloads */
static const struct {
	u8 cmd;
	unsigned int len;
} els_private[] = {
	{ ELS_ADISC, sizeof(struct fc_els_adisc) },
	{ ELS_PRLI, sizeof(struct fc_els_prli) + sizeof(struct fc_els_spp) },
	{ ELS_PRLO, sizeof(struct fc_els_prlo) + sizeof(struct fc_els_spp) },
	{ ELS_RTV, sizeof(struct fc_els_rtv) },
	{ ELS_RLS, sizeof(struct fc_els_rls) },
	{ ELS_RRQ, sizeof(struct fc_els_rrq) },
};

/* Others that have a reply */
static const struct {
	u8 cmd;
	unsigned int len;
} els_public[] = {
	{ ELS_FLOGI, sizeof(struct fc_els_flogi) },
	{ ELS_PLOGI, sizeof(struct fc_els_flogi) },
	{ ELS_LOGO, sizeof(struct fc_els_logo) },
	{ ELS_FARP_REPL, 76 },
	{ ELS_ECHO, 4 },
};

static void fc2_els_needs_login(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(els_private); i++)
		peer_expect_reject(test, peer_ask(test, port, peer_els(test, port,
								       els_private[i].cmd, 64)),
				   ELS_RJT_UNAB, ELS_EXPL_PLOGI_REQD);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_ELS_REJECTED), i);
}

/* Every length that is too short, of every request */
static void fc2_els_short(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	unsigned int i, len, bad = 0;

	peer_login(test, port);
	for (i = 0; i < ARRAY_SIZE(els_private); i++)
		for (len = 4; len < els_private[i].len; len++, bad++)
			peer_expect_reject(test,
					   peer_ask(test, port,
						    peer_els(test, port, els_private[i].cmd, len)),
					   ELS_RJT_PROT, ELS_EXPL_INV_LEN);
	for (i = 0; i < ARRAY_SIZE(els_public); i++)
		for (len = 4; len < els_public[i].len; len++, bad++)
			peer_expect_reject(test,
					   peer_ask(test, port,
						    peer_els(test, port, els_public[i].cmd, len)),
					   ELS_RJT_PROT, ELS_EXPL_INV_LEN);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_ELS_BAD), bad);
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_UP);
	/* Not even a command */
	for (len = 0; len < 4; len++)
		KUNIT_EXPECT_NULL(test, peer_ask(test, port, peer_els(test, port, ELS_ECHO, len)));
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_ELS_BAD), bad + 4);
}

static bool els_known(u8 cmd)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(els_private); i++)
		if (els_private[i].cmd == cmd)
			return true;
	for (i = 0; i < ARRAY_SIZE(els_public); i++)
		if (els_public[i].cmd == cmd)
			return true;
	return cmd == ELS_FARP_REQ;
}

static void fc2_els_unsupported(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	unsigned int cmd;

	peer_login(test, port);
	for (cmd = 0; cmd < 256; cmd++) {
		struct peer_els *reply;

		if (els_known(cmd))
			continue;
		reply = peer_ask(test, port, peer_els(test, port, cmd, 128));
		if (cmd == ELS_TEST)
			KUNIT_EXPECT_NULL(test, reply);
		else
			peer_expect_reject(test, reply, ELS_RJT_UNSUP, ELS_EXPL_UNSUPR);
	}
}

static void fc2_els_malformed(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct peer_els *els[8];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(els); i++)
		els[i] = peer_els(test, port, ELS_ECHO, 64);
	els[0]->sof = FC_SOF_N3;
	els[1]->eof = FC_EOF_N;
	els[2]->fh.fh_df_ctl = 0x20;
	fc2_hton24(els[3]->fh.fh_f_ctl, 0x200000);	/* more frames of the Sequence */
	fc2_hton24(els[4]->fh.fh_f_ctl, 0xa90000);	/* a request of a responder */
	els[5]->fh.fh_r_ctl = FC_RCTL_ELS_REP;		/* a reply of an originator */
	els[6]->fh.fh_r_ctl = FC_RCTL_ELS4_REQ;
	fc2_hton24(els[7]->fh.fh_d_id, FC_FID_BCAST);
	for (i = 0; i < ARRAY_SIZE(els); i++) {
		KUNIT_EXPECT_NULL(test, peer_ask(test, port, els[i]));
		KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_ELS_BAD), i + 1);
	}
}

static void fc2_els_echoes(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	unsigned int len, i;

	for (len = 4; len <= 2112; len += len < 64 ? 1 : 61) {
		struct peer_els *els = peer_els(test, port, ELS_ECHO, len), *reply;

		for (i = 4; i < len; i++)
			els->payload[i] = i * 3;
		reply = peer_ask(test, port, els);
		KUNIT_ASSERT_NOT_NULL(test, reply);
		KUNIT_ASSERT_EQ(test, reply->len, len);
		KUNIT_EXPECT_EQ(test, get_unaligned_be32(reply->payload), 0x02000000);
		KUNIT_EXPECT_MEMEQ(test, reply->payload + 4, els->payload + 4, len - 4);
		kunit_kfree(test, els);
		kunit_kfree(test, reply);
	}
}

static void fc2_els_rtv(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	static const u8 expected[] = {
		2, 0, 0, 0, 0, 0, 0x0f, 0xa0, 0, 0, 0x07, 0xd0, 0, 0, 0, 0,
	};
	struct peer_els *reply;

	peer_login(test, port);
	reply = peer_ask(test, port, peer_els(test, port, ELS_RTV, 4));
	KUNIT_ASSERT_NOT_NULL(test, reply);
	KUNIT_ASSERT_EQ(test, reply->len, sizeof(expected));
	KUNIT_EXPECT_MEMEQ(test, reply->payload, expected, sizeof(expected));
}

static void fc2_els_rrq(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct peer_els *reply;

	peer_login(test, port);
	reply = peer_ask(test, port, peer_els(test, port, ELS_RRQ, 12));
	KUNIT_ASSERT_NOT_NULL(test, reply);
	KUNIT_EXPECT_EQ(test, reply->len, 4);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(reply->payload), 0x02000000);
}

static void fc2_els_link_errors(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct net_device *dev = port->iface->dev;
	const struct fcoe_fc_els_lesb *lesb;
	struct peer_els *reply;

	peer_login(test, port);
	/* What happened before a port was made is not its own */
	atomic_add(5, &dev->carrier_down_count);
	KUNIT_EXPECT_EQ(test, fake_port(test, dev, PEER_WWPN + 1)->link_failures, 5);
	flush_workqueue(port->wq);
	fake_forget(dev);
	fc2_stat_add(port, FC2_STAT_RX_CRC, 77);
	reply = peer_ask(test, port, peer_els(test, port, ELS_RLS, 8));
	KUNIT_ASSERT_NOT_NULL(test, reply);
	KUNIT_ASSERT_EQ(test, reply->len, 28);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(reply->payload), 0x02000000);
	lesb = (const struct fcoe_fc_els_lesb *)(reply->payload + 4);
	KUNIT_EXPECT_EQ(test, ntohl(lesb->lesb_fcs_error), 77);
	KUNIT_EXPECT_EQ(test, ntohl(lesb->lesb_vlink_fail), 0);
	KUNIT_EXPECT_EQ(test, ntohl(lesb->lesb_link_fail), 5);
}

static struct peer_els *els_adisc(struct kunit *test, struct fc2_port *port, u64 wwpn, u64 wwnn,
				  u32 id)
{
	struct peer_els *els = peer_els(test, port, ELS_ADISC, sizeof(struct fc_els_adisc));
	struct fc_els_adisc *adisc = (struct fc_els_adisc *)els->payload;

	put_unaligned_be64(wwpn, &adisc->adisc_wwpn);
	put_unaligned_be64(wwnn, &adisc->adisc_wwnn);
	fc2_hton24(adisc->adisc_port_id, id);
	return els;
}

static void fc2_els_adisc(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	const struct fc_els_adisc *adisc;
	struct peer_els *reply;

	peer_login(test, port);
	reply = peer_ask(test, port, els_adisc(test, port, PEER_HIGH, PEER_HIGH + 1, PEER_ID));
	KUNIT_ASSERT_NOT_NULL(test, reply);
	KUNIT_ASSERT_EQ(test, reply->len, sizeof(*adisc));
	adisc = (const struct fc_els_adisc *)reply->payload;
	KUNIT_EXPECT_EQ(test, adisc->adisc_cmd, ELS_LS_ACC);
	KUNIT_EXPECT_EQ(test, get_unaligned_be64(&adisc->adisc_wwpn), PEER_WWPN);
	KUNIT_EXPECT_EQ(test, get_unaligned_be64(&adisc->adisc_wwnn), port->params.wwnn);
	KUNIT_EXPECT_EQ(test, fc2_ntoh24(adisc->adisc_port_id), port->id);
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_UP);
}

/* Another port than the one that has logged in: it is logged out */
static void fc2_els_adisc_other(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	unsigned int i;

	for (i = 0; i < 3; i++) {
		struct peer_els *els, *logo;

		peer_login(test, port);
		els = els_adisc(test, port, PEER_HIGH + (i == 0), PEER_HIGH + 1 + (i == 1),
				PEER_ID + (i == 2));
		peer_expect_reject(test, peer_ask(test, port, els), ELS_RJT_LOGIC, FC2_EXPL_NAME);
		logo = peer_tx(test, port);
		KUNIT_ASSERT_NOT_NULL(test, logo);
		KUNIT_EXPECT_EQ(test, logo->payload[0], ELS_LOGO);
		KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_RETRY);
	}
}

/* PRLI of a SCSI initiator, as Linux's libfc sends it, and longer ones */
static void fc2_els_pages(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	static const u8 prli[] = {
		0x20, 0x10, 0x00, 0x14, 0x08, 0x00, 0x20, 0x00, 0, 0, 0, 0, 0, 0, 0, 0,
		0x00, 0x00, 0x00, 0x22,
	};
	static const u8 expected[] = {
		0x02, 0x10, 0x00, 0x14, 0x08, 0x00, 0x01, 0x00, 0, 0, 0, 0, 0, 0, 0, 0,
		0x00, 0x00, 0x00, 0x00,
	};
	struct peer_els *els = peer_els(test, port, ELS_PRLI, sizeof(prli)), *reply;

	peer_login(test, port);
	memcpy(els->payload, prli, sizeof(prli));
	reply = peer_ask(test, port, els);
	KUNIT_ASSERT_NOT_NULL(test, reply);
	KUNIT_ASSERT_EQ(test, reply->len, sizeof(expected));
	KUNIT_EXPECT_MEMEQ(test, reply->payload, expected, sizeof(expected));

	els->payload[0] = ELS_PRLO;
	reply = peer_ask(test, port, els);
	KUNIT_ASSERT_NOT_NULL(test, reply);
	KUNIT_EXPECT_MEMEQ(test, reply->payload, expected, sizeof(expected));

	/* Two pages of 20 bytes, and bytes behind them */
	els->payload[0] = ELS_PRLI;
	els->payload[1] = 20;
	els->payload[3] = 44;
	els->payload[24] = 0x58;
	els->len = 48;
	reply = peer_ask(test, port, els);
	KUNIT_ASSERT_NOT_NULL(test, reply);
	KUNIT_ASSERT_EQ(test, reply->len, 44);
	KUNIT_EXPECT_EQ(test, reply->payload[4], 0x08);
	KUNIT_EXPECT_EQ(test, reply->payload[6], FC_SPP_RESP_ACK);
	KUNIT_EXPECT_EQ(test, reply->payload[24], 0x58);
	KUNIT_EXPECT_EQ(test, reply->payload[26], FC_SPP_RESP_ACK);
}

static void fc2_els_pages_bad(struct kunit *test)
{
	static const struct {
		u8 page;
		u16 len;
	} bad[] = {
		{ 0, 20 }, { 15, 20 }, { 18, 22 }, { 16, 0 }, { 16, 4 }, { 16, 19 }, { 16, 24 },
		{ 16, 68 }, { 16, 0xffff }, { 255, 20 }, { 252, 256 },
	};
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	unsigned int i;

	peer_login(test, port);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct peer_els *els = peer_els(test, port, ELS_PRLI, 64);

		els->payload[1] = bad[i].page;
		put_unaligned_be16(bad[i].len, els->payload + 2);
		peer_expect_reject(test, peer_ask(test, port, els), ELS_RJT_PROT, ELS_EXPL_INV_LEN);
	}
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_ELS_BAD), i);
}

/* One after the other, so that none is lost; see fc2_rx_els_flood() */
static void fc2_els_flood(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct peer_els *els = peer_els(test, port, ELS_ECHO, 64);
	unsigned int i;

	for (i = 0; i < 1000; i++) {
		KUNIT_EXPECT_NOT_NULL(test, peer_ask(test, port, els));
		fake_forget(port->iface->dev);
	}
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_ELS_RECEIVED), 1000);
}

/**
 * struct els_end - how a request has ended
 * @count: how often it has
 * @err: as its done() was told
 * @len: length of the answer
 */
struct els_end {
	unsigned int count;
	int err;
	unsigned int len;
};

static void els_done(struct fc2_port *port, void *priv, const u8 *answer, unsigned int len,
		     int err)
{
	struct els_end *end = priv;

	end->count++;
	end->err = err;
	end->len = len;
}

static int els_request(struct kunit *test, struct fc2_port *port, struct els_end *end)
{
	static const u8 mac[ETH_ALEN] = { 0x0e, 0xfd, 0, 0, 0x04, 0x56 };
	const struct fc2_els_to to = { .id = PEER_ID, .mac = mac };
	struct sk_buff *skb = fc2_els_alloc(4, ELS_RTV);
	int err;

	KUNIT_ASSERT_NOT_NULL(test, skb);
	mutex_lock(&port->lock);
	err = fc2_els_request(port, &to, skb, els_done, end);
	mutex_unlock(&port->lock);
	return err;
}

static void fc2_els_answers(struct kunit *test)
{
	static const struct {
		u8 payload[8];
		unsigned int len;
		int err;
	} answers[] = {
		{ { ELS_LS_ACC }, 4, 0 },
		{ { ELS_LS_RJT, 0, 0, 0, 0, ELS_RJT_BUSY }, 8, -EBUSY },
		{ { ELS_LS_RJT, 0, 0, 0, 0, ELS_RJT_INPROG }, 8, -EINPROGRESS },
		{ { ELS_LS_RJT, 0, 0, 0, 0, ELS_RJT_UNAB }, 8, -ECONNREFUSED },
		{ { ELS_LS_RJT, 0, 0, 0, 0, 0xff }, 8, -ECONNREFUSED },
	};
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(answers); i++) {
		struct peer_els *request, *answer;
		struct els_end end = {};

		KUNIT_ASSERT_EQ(test, els_request(test, port, &end), 0);
		request = peer_tx(test, port);
		KUNIT_ASSERT_NOT_NULL(test, request);
		KUNIT_EXPECT_EQ(test, request->fh.fh_r_ctl, FC_RCTL_ELS_REQ);
		KUNIT_EXPECT_EQ(test, fc2_ntoh24(request->fh.fh_f_ctl), 0x290000);
		KUNIT_EXPECT_EQ(test, ntohs(request->fh.fh_rx_id), 0xffff);
		KUNIT_EXPECT_GE(test, ntohs(request->fh.fh_ox_id), 0xff00);
		KUNIT_EXPECT_EQ(test, request->sof, FC_SOF_I3);
		KUNIT_EXPECT_EQ(test, request->eof, FC_EOF_T);
		answer = peer_answer(test, request);
		/* Not from that port, or to another request */
		answer->fh.fh_s_id[2] ^= 1;
		peer_rx(test, port, answer);
		answer->fh.fh_s_id[2] ^= 1;
		answer->fh.fh_ox_id ^= htons(1);
		peer_rx(test, port, answer);
		answer->fh.fh_ox_id ^= htons(1);
		KUNIT_EXPECT_EQ(test, end.count, 0);
		/* Neither LS_ACC nor LS_RJT, or half of one */
		answer->payload[0] = ELS_RTV;
		peer_rx(test, port, answer);
		answer->payload[0] = ELS_LS_RJT;
		answer->len = 4;
		peer_rx(test, port, answer);
		KUNIT_EXPECT_EQ(test, end.count, 0);
		memcpy(answer->payload, answers[i].payload, 8);
		answer->len = answers[i].len;
		peer_rx(test, port, answer);
		peer_rx(test, port, answer);
		KUNIT_EXPECT_EQ(test, end.count, 1);
		KUNIT_EXPECT_EQ(test, end.err, answers[i].err);
		KUNIT_EXPECT_EQ(test, end.len, answers[i].len);
	}
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_XID), 3 * i);
}

static bool els_wait(const unsigned int *count, unsigned int n)
{
	unsigned int ms;

	for (ms = 0; ms < 5000 && READ_ONCE(*count) < n; ms += 20)
		msleep(20);
	return READ_ONCE(*count) >= n;
}

/* No answer: the OX_ID is left alone for R_A_TOV */
static void fc2_els_timeout(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct els_end first = {}, end = {};
	struct peer_els *request, *answer;
	unsigned int n = 0;

	port->params.r_a_tov = 200;
	KUNIT_ASSERT_EQ(test, els_request(test, port, &first), 0);
	request = peer_tx(test, port);
	KUNIT_ASSERT_NOT_NULL(test, request);
	/* For the time that the OX_ID rests; the answer has its time limit already */
	port->params.r_a_tov = 4000;
	KUNIT_ASSERT_TRUE(test, els_wait(&first.count, 1));
	KUNIT_EXPECT_EQ(test, first.err, -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_ELS_UNANSWERED), 1);
	/* All OX_IDs but that one, and no more */
	while (!els_request(test, port, &end)) {
		answer = peer_tx(test, port);
		KUNIT_ASSERT_NOT_NULL(test, answer);
		KUNIT_EXPECT_NE(test, ntohs(answer->fh.fh_ox_id), ntohs(request->fh.fh_ox_id));
		KUNIT_EXPECT_NE(test, ntohs(answer->fh.fh_ox_id), FC_XID_UNKNOWN);
		n++;
	}
	KUNIT_EXPECT_GE(test, n + 1, FC2_ELS_XIDS);
	KUNIT_EXPECT_LE(test, n, FC2_ELS_XIDS);
	/* Too late */
	answer = peer_answer(test, request);
	peer_rx(test, port, answer);
	KUNIT_EXPECT_EQ(test, first.count, 1);
	fake_link(port, false);
	KUNIT_EXPECT_EQ(test, end.count, n);
	KUNIT_EXPECT_EQ(test, end.err, -ENETDOWN);
}

static void fc2_els_cancels(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct els_end end = {};

	KUNIT_ASSERT_EQ(test, els_request(test, port, &end), 0);
	mutex_lock(&port->lock);
	fc2_els_cancel(port, &end);
	mutex_unlock(&port->lock);
	peer_rx(test, port, peer_answer(test, peer_tx(test, port)));
	KUNIT_EXPECT_EQ(test, end.count, 0);
}

/* A port can ask itself */
static void fc2_els_echo_self(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	unsigned int len, mfs = fc2_port_mfs(port);
	struct fcoe_fc_els_lesb lesb;
	u32 usec;

	for (len = 0; len <= mfs - 4; len += len < 8 ? 1 : 100)
		KUNIT_EXPECT_EQ(test, fc2_els_echo(port, port->id, len, 1000, &usec), 0);
	KUNIT_EXPECT_EQ(test, fc2_els_echo(port, port->id, mfs - 4, 1000, &usec), 0);
	KUNIT_EXPECT_EQ(test, fc2_els_echo(port, port->id, mfs - 3, 1000, &usec), -EMSGSIZE);
	KUNIT_EXPECT_EQ(test, fc2_els_echo(port, port->id, UINT_MAX, 1000, &usec), -EMSGSIZE);
	KUNIT_EXPECT_EQ(test, fc2_els_echo(port, PEER_ID, 8, 1000, &usec), -ENODEV);
	KUNIT_EXPECT_EQ(test, fc2_els_rls(port, port->id, 1000, &lesb), 0);
	peer_neighbour(test, port, PEER_ID, PEER_HIGH);
	KUNIT_EXPECT_EQ(test, fc2_els_echo(port, PEER_ID, 8, 20, &usec), -ETIMEDOUT);
}

static struct kunit_case fc2_els_cases[] = {
	KUNIT_CASE(fc2_els_needs_login),
	KUNIT_CASE(fc2_els_short),
	KUNIT_CASE(fc2_els_unsupported),
	KUNIT_CASE(fc2_els_malformed),
	KUNIT_CASE(fc2_els_echoes),
	KUNIT_CASE(fc2_els_rtv),
	KUNIT_CASE(fc2_els_rrq),
	KUNIT_CASE(fc2_els_link_errors),
	KUNIT_CASE(fc2_els_adisc),
	KUNIT_CASE(fc2_els_adisc_other),
	KUNIT_CASE(fc2_els_pages),
	KUNIT_CASE(fc2_els_pages_bad),
	KUNIT_CASE(fc2_els_flood),
	KUNIT_CASE(fc2_els_answers),
	KUNIT_CASE(fc2_els_timeout),
	KUNIT_CASE(fc2_els_cancels),
	KUNIT_CASE(fc2_els_echo_self),
	{}
};

static struct kunit_suite fc2_els_suite = {
	.name		= "fc2_els",
	.test_cases	= fc2_els_cases,
};

kunit_test_suite(fc2_els_suite);
