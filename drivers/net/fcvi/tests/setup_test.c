// SPDX-License-Identifier: GPL-2.0
/*
 * What connection IUs say, FC-VI 6.8 to 6.13; timers, FC-VI 8.3; requests that are refused, held
 * and tried again; Disconnects that come.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include "connect.h"
#include "disconnect.h"
#include "port.h"
#include "respond.h"
#include "state.h"

static u32 test_own_id(struct test_port *p)
{
	KUNIT_ASSERT_NOT_NULL(p->test, p->vi[0].own);
	return p->vi[0].own->id;
}

static struct fcvi_xchg *test_own(struct test_port *p)
{
	KUNIT_ASSERT_NOT_NULL(p->test, p->vi[0].own);
	return p->vi[0].own->x;
}

static void test_iu(struct test_port *p, u8 opcode, u8 flags, u32 handle, u32 param, u32 id)
{
	KUNIT_EXPECT_EQ(p->test, p->iu.opcode, opcode);
	KUNIT_EXPECT_EQ(p->test, p->iu.flags, flags);
	KUNIT_EXPECT_EQ(p->test, p->iu.handle, handle);
	KUNIT_EXPECT_EQ(p->test, p->iu.param, param);
	KUNIT_EXPECT_EQ(p->test, p->iu.connection_id, id);
	KUNIT_EXPECT_EQ(p->test, p->iu.msg_id, 0);
	KUNIT_EXPECT_EQ(p->test, p->iu.rmt_va, 0);
	KUNIT_EXPECT_EQ(p->test, p->iu.rmt_va_handle, 0);
}

static void test_originator(struct kunit *test)
{
	struct test_port *p = test_port(test);
	u32 handle, id;

	p->port.next_handle = 0x55;
	test_connect(p, FCVI_CLIENT);
	handle = p->vi[0].handle->value;
	id = test_own_id(p);
	test_iu(p, FCVI_CONNECT_RQST, 0x01, 0xffffffff, 0, id);
	KUNIT_EXPECT_EQ(test, handle, 0x55);
	KUNIT_EXPECT_EQ(test, p->c.handle, handle);
	KUNIT_EXPECT_MEMEQ(test, &p->c.loc, &test_here, sizeof(test_here));
	KUNIT_EXPECT_MEMEQ(test, &p->c.rem, &test_there, sizeof(test_there));

	/* A retry: same handle, new CONNECTION_ID, RETRY in all IUs, FC-VI 8.5.4 a */
	test_pass(p, TEST_TOV - 1);
	KUNIT_EXPECT_EQ(test, p->vi[0].state, FCVI_PENDING);
	test_pass(p, 1);
	KUNIT_EXPECT_EQ(test, p->vi[0].state, FCVI_PENDING_RETRY);
	KUNIT_EXPECT_NE(test, test_own_id(p), id);
	id = test_own_id(p);
	test_iu(p, FCVI_CONNECT_RQST, 0x11, 0xffffffff, 0, id);
	KUNIT_EXPECT_EQ(test, p->c.handle, handle);
	test_resp1(p, test_own(p), id, FCVI_OK);
	test_iu(p, FCVI_CONNECT_RESP2, 0x04, TEST_PEER, 0, id);
	test_resp3(p, test_own(p), id, FCVI_OK);
	test_expect(p, FCVI_CONNECTED, "RQST ABTS RQSTr receive RESP2r =connected =complete");
	test_port_end(p);
}

static void test_responder(struct kunit *test)
{
	struct test_port *p = test_port(test);
	struct fcvi_xchg *x;

	x = test_rqst(p, FCVI_MODE_CLIENT_SERVER, false, TEST_ID);
	KUNIT_ASSERT_EQ(test, fcvi_accept(p->request, p->vi), 0);
	test_iu(p, FCVI_CONNECT_RESP1, 0, 0xffffffff, 0, TEST_ID);
	KUNIT_EXPECT_EQ(test, p->c.handle, p->vi[0].handle->value);
	KUNIT_EXPECT_MEMEQ(test, &p->c.loc, &test_here, sizeof(test_here));
	KUNIT_EXPECT_MEMEQ(test, &p->c.rem, &test_there, sizeof(test_there));
	/* T2, FC-VI 8.3 */
	test_pass(p, 2 * TEST_TOV - 1);
	test_resp2(p, x, FCVI_OK);
	test_iu(p, FCVI_CONNECT_RESP3, 0, TEST_PEER, 0, TEST_ID);
	test_expect(p, FCVI_CONNECTED, "request receive RESP1 RESP3 =connected");
	test_port_end(p);
}

static void test_t2(struct kunit *test)
{
	struct test_port *p = test_port(test);

	test_rqst(p, FCVI_MODE_CLIENT_SERVER, false, TEST_ID);
	fcvi_accept(p->request, p->vi);
	test_pass(p, 2 * TEST_TOV);
	test_expect(p, FCVI_ERROR, "request receive RESP1 flush =timeout =lost");
	test_port_end(p);
}

/* A refusal has no handles, FC-VI 5.3.3, and its RESP2 and RESP3 */
static void test_refusals(struct kunit *test)
{
	struct test_port *p = test_port(test);
	struct fcvi_iu iu = {
		.opcode = FCVI_CONNECT_RQST, .handle = FCVI_HANDLE_NONE, .connection_id = TEST_ID,
		.flags = FCVI_MODE_CLIENT_SERVER,
	};
	struct fcvi_connect c = {
		.handle = TEST_PEER, .loc = test_there, .rem = test_here, .attrs = test_attrs,
	};
	struct fcvi_xchg *x;

	/* Malformed */
	x = test_incoming(p);
	fcvi_port_iu(x, &iu, NULL);
	test_iu(p, FCVI_CONNECT_RESP1, 0x01, 0xffffffff, 0x210000, TEST_ID);
	KUNIT_EXPECT_EQ(test, p->c.handle, 0xffffffff);
	KUNIT_EXPECT_EQ(test, p->c.loc.len, 16);
	test_resp2(p, x, FCVI_OK);
	test_iu(p, FCVI_CONNECT_RESP3, 0, 0xffffffff, 0, TEST_ID);
	/* A service that nobody has */
	c.attrs.max_delay = 1;
	x = test_incoming(p);
	fcvi_port_iu(x, &iu, &c);
	c.attrs.max_delay = 0;
	/* A peer without S, and without C, FC-VI 5.6 */
	p->rport.seq_cnt = false;
	fcvi_port_iu(test_incoming(p), &iu, &c);
	p->rport.seq_cnt = true;
	p->rport.rel_off = false;
	fcvi_port_iu(test_incoming(p), &iu, &c);
	p->rport.rel_off = true;
	/* Another Discriminator, and another host */
	c.rem.discrim[3]++;
	fcvi_port_iu(test_incoming(p), &iu, &c);
	c.rem.host.s6_addr[3]++;
	fcvi_port_iu(test_incoming(p), &iu, &c);
	test_expect(p, FCVI_IDLE,
		    "RESP1:21 RESP3 RESP1:04 RESP1:20 RESP1:20 RESP1:01 RESP1:03");
	/* The application */
	test_rqst(p, FCVI_MODE_CLIENT_SERVER, false, TEST_ID);
	fcvi_reject(p->request);
	test_expect(p, FCVI_IDLE, "request RESP1:04");
	/* What has no RESP2 goes away */
	KUNIT_EXPECT_EQ(test, p->port.nr_setups, 6);
	test_pass(p, 2 * TEST_TOV);
	KUNIT_EXPECT_EQ(test, p->port.nr_setups, 0);
	test_port_end(p);
}

/* To a port without S or C nothing is sent, FC-VI 5.6; a Disconnect has nothing to end */
static void test_no_login(struct kunit *test)
{
	struct test_port *p = test_port(test);

	p->rport.rel_off = false;
	KUNIT_EXPECT_EQ(test, test_connect(p, FCVI_CLIENT), 0);
	test_expect(p, FCVI_ERROR, "flush =unreachable");
	KUNIT_EXPECT_EQ(test, fcvi_disconnect(p->vi), 0);
	test_expect(p, FCVI_IDLE, "=disconnected");
	p->rport.rel_off = true;
	p->none = true;
	KUNIT_EXPECT_EQ(test, test_connect(p, FCVI_CLIENT), -ENOMEM);
	test_expect(p, FCVI_IDLE, "");
	test_port_end(p);
}

/* VI-DG 3.3.2: nothing is sent, and the request waits on */
static void test_accept_differs(struct kunit *test)
{
	struct test_port *p = test_port(test);

	test_rqst(p, FCVI_MODE_CLIENT_SERVER, false, TEST_ID);
	p->vi[0].attrs.level = FCVI_UD;
	KUNIT_EXPECT_EQ(test, fcvi_accept(p->request, p->vi), -EINVAL);
	KUNIT_EXPECT_EQ(test, p->vi[0].differs, FCVI_DIFFERENT_LEVEL);
	test_expect(p, FCVI_IDLE, "request");
	p->vi[0].attrs.level = FCVI_RD;
	KUNIT_EXPECT_EQ(test, fcvi_accept(p->request, p->vi), 0);
	test_expect(p, FCVI_PENDING, "receive RESP1");
	test_port_end(p);
}

/* FC-VI C.4.1 rule 8: the answer is repeated; without one the request moves to the new Exchange */
static void test_retried(struct kunit *test)
{
	struct test_port *p = test_port(test);
	struct fcvi_xchg *x;

	x = test_rqst(p, FCVI_MODE_CLIENT_SERVER, false, TEST_ID);
	fcvi_port_end(x, -ECONNABORTED);
	p->xs[p->nr - 1].open = false;
	test_rqst(p, FCVI_MODE_CLIENT_SERVER, true, TEST_ID + 1);
	test_expect(p, FCVI_IDLE, "request");
	KUNIT_ASSERT_EQ(test, fcvi_accept(p->request, p->vi), 0);
	test_iu(p, FCVI_CONNECT_RESP1, 0x04, 0xffffffff, 0, TEST_ID + 1);
	x = test_rqst(p, FCVI_MODE_CLIENT_SERVER, true, TEST_ID + 2);
	test_iu(p, FCVI_CONNECT_RESP1, 0x04, 0xffffffff, 0, TEST_ID + 2);
	KUNIT_EXPECT_EQ(test, p->c.handle, p->vi[0].handle->value);
	test_resp2(p, x, FCVI_OK);
	test_expect(p, FCVI_CONNECTED, "receive RESP1r RESP1r RESP3r =connected");
	/* Rules 9 and 10 */
	x = test_rqst(p, FCVI_MODE_CLIENT_SERVER, true, TEST_ID + 3);
	test_resp2(p, x, FCVI_OK);
	test_expect(p, FCVI_CONNECTED, "RESP1r RESP3r");
	/* In Error, too */
	x = test_rqst(p, FCVI_MODE_CLIENT_SERVER, true, TEST_ID + 4);
	fcvi_disconnect_lost(p->vi, FCVI_PROTOCOL);
	test_resp2(p, x, FCVI_OK);
	test_expect(p, FCVI_ERROR, "RESP1r flush =lost DISC:48 RESP3r");
	test_port_end(p);
}

/* The originator gave the request up before the application answered */
static void test_gone(struct kunit *test)
{
	struct test_port *p = test_port(test);

	test_rqst(p, FCVI_MODE_CLIENT_SERVER, false, TEST_ID);
	test_disc(p, FCVI_HANDLE_NONE, FCVI_DISC_SETUP_ABORT | FCVI_DISC_VI_APP, TEST_ID);
	test_expect(p, FCVI_IDLE, "request DISC-RESP:4b");
	KUNIT_EXPECT_EQ(test, fcvi_accept(p->request, p->vi), -ETIMEDOUT);
	test_port_end(p);
}

/* RESP3 with 04 for a request that a peer has accepted, when its own was refused */
static void test_given_up(struct kunit *test)
{
	struct test_port *p = test_port(test);
	struct fcvi_xchg *x;

	test_connect(p, FCVI_PEER);
	x = test_rqst(p, FCVI_MODE_PEER, false, TEST_ID);
	test_resp1(p, test_own(p), test_own_id(p), FCVI_REJECT);
	test_resp2(p, x, FCVI_OK);
	test_iu(p, FCVI_CONNECT_RESP3, 0x01, 0xffffffff, 0x40000, TEST_ID);
	test_expect(p, FCVI_IDLE, "RQST receive RESP1 RESP2 =reject RESP3:04");
	test_port_end(p);
}

/* Equal Port_Names of two ports, FC-VI 5.3.4 c */
static void test_equal(struct kunit *test)
{
	struct test_port *p = test_port(test);

	p->rport.wwpn = p->port.wwpn;
	test_connect(p, FCVI_PEER);
	test_rqst(p, FCVI_MODE_PEER, false, TEST_ID);
	test_expect(p, FCVI_PENDING, "RQST RESP1:21");
	test_port_end(p);
}

/* Responses of another setup */
static void test_strays(struct kunit *test)
{
	struct test_port *p = test_port(test);
	struct fcvi_xchg *x;

	test_connect(p, FCVI_CLIENT);
	test_resp1(p, test_own(p), test_own_id(p) + 1, FCVI_OK);
	KUNIT_EXPECT_EQ(test, p->port.stats[FCVI_STAT_BAD_ID], 1);
	test_resp3(p, test_own(p), test_own_id(p) + 1, FCVI_OK);
	KUNIT_EXPECT_EQ(test, p->port.stats[FCVI_STAT_BAD_ID], 2);
	test_resp2(p, test_own(p), FCVI_OK);
	KUNIT_EXPECT_EQ(test, p->port.stats[FCVI_STAT_STRAY], 1);
	x = test_rqst(p, FCVI_MODE_CLIENT_SERVER, false, TEST_ID);
	test_resp2(p, x, FCVI_OK);
	KUNIT_EXPECT_EQ(test, p->port.stats[FCVI_STAT_STRAY], 2);
	test_expect(p, FCVI_PENDING, "RQST request");
	fcvi_reject(p->request);
	test_port_end(p);
}

static void test_disconnects(struct kunit *test)
{
	struct test_port *p = test_port(test);
	struct fcvi_xchg *x;
	u32 handle;

	/* Nothing is known */
	test_disc(p, 0x1234, 0, 0);
	test_iu(p, FCVI_DISCONNECT_RESP, 0x01, 0xffffffff, 0x4a0000, 0);
	test_disc(p, 0xffffffff, FCVI_DISC_SETUP_ABORT | FCVI_DISC_VI_APP, 0x1234);
	test_iu(p, FCVI_DISCONNECT_RESP, 0x07, 0xffffffff, 0x4a0000, 0x1234);
	/* A server that has accepted: a lost RESP2, FC-VI C.5.9.2 */
	x = test_rqst(p, FCVI_MODE_CLIENT_SERVER, false, TEST_ID);
	fcvi_accept(p->request, p->vi);
	handle = p->vi[0].handle->value;
	test_disc(p, handle, FCVI_DISC_SETUP_ABORT, TEST_ID + 1);
	test_iu(p, FCVI_DISCONNECT_RESP, 0x05, TEST_PEER, 0x480000, TEST_ID + 1);
	p->log[0] = 0;
	test_disc(p, handle, FCVI_DISC_VI_APP, 0);
	test_iu(p, FCVI_DISCONNECT_RESP, 0x03, TEST_PEER, 0x4b0000, 0);
	test_expect(p, FCVI_ERROR, "DISC-RESP:4b flush =timeout =lost");
	/* In Error, and in Idle with the handle still kept */
	test_disc(p, handle, 0, 0xffffffff);
	test_iu(p, FCVI_DISCONNECT_RESP, 0x01, TEST_PEER, 0x4b0000, 0xffffffff);
	fcvi_disconnect(p->vi);
	test_disc_resp(p, FCVI_DISCONNECTED);
	p->log[0] = 0;
	test_disc(p, handle, 0, 0);
	test_expect(p, FCVI_IDLE, "DISC-RESP:4b");
	test_pass(p, TEST_TOV);
	test_disc(p, handle, 0, 0);
	test_expect(p, FCVI_IDLE, "DISC-RESP:4a");
	/* A setup by its CONNECTION_ID */
	test_rqst(p, FCVI_MODE_CLIENT_SERVER, false, TEST_ID);
	fcvi_accept(p->request, p->vi);
	p->log[0] = 0;
	test_disc(p, 0xffffffff, FCVI_DISC_SETUP_ABORT, TEST_ID);
	test_expect(p, FCVI_IDLE, "DISC-RESP:4b =timeout");
	/* A connection */
	x = test_rqst(p, FCVI_MODE_CLIENT_SERVER, false, TEST_ID);
	fcvi_accept(p->request, p->vi);
	test_resp2(p, x, FCVI_OK);
	p->vi[0].done_msg_id = 7;
	p->log[0] = 0;
	test_disc(p, p->vi[0].handle->value, 0, 0);
	KUNIT_EXPECT_EQ(test, p->iu.msg_id, 7);
	test_expect(p, FCVI_ERROR, "DISC-RESP:4b flush =lost");
	test_port_end(p);
}

/* FC-VI 8.6: once more, then Error */
static void test_unanswered(struct kunit *test)
{
	struct test_port *p = test_port(test);

	test_connect(p, FCVI_CLIENT);
	test_resp1(p, test_own(p), test_own_id(p), FCVI_OK);
	test_resp3(p, test_own(p), test_own_id(p), FCVI_OK);
	p->vi[0].done_msg_id = 9;
	p->log[0] = 0;
	KUNIT_EXPECT_EQ(test, fcvi_disconnect(p->vi), 0);
	KUNIT_EXPECT_EQ(test, p->iu.msg_id, 9);
	KUNIT_EXPECT_EQ(test, p->iu.handle, TEST_PEER);
	KUNIT_EXPECT_EQ(test, p->iu.connection_id, 0);
	KUNIT_EXPECT_EQ(test, fcvi_disconnect(p->vi), -EALREADY);
	test_pass(p, TEST_TOV);
	test_expect(p, FCVI_ERROR, "flush DISC-app ABTS DISC-app");
	test_pass(p, TEST_TOV);
	test_expect(p, FCVI_ERROR, "ABTS =not-disconnected");
	/* A logout is as good as an answer */
	fcvi_disconnect(p->vi);
	p->log[0] = 0;
	fcvi_port_logout(&p->port, &p->rport);
	test_expect(p, FCVI_IDLE, "=disconnected");
	test_port_end(p);
}

/* The transport tells of the end of an Exchange before it tells of the logout */
static void test_logout_order(struct kunit *test)
{
	struct test_port *p = test_port(test);

	test_connect(p, FCVI_CLIENT);
	fcvi_port_end(test_own(p), -ENOTCONN);
	p->xs[0].open = false;
	test_expect(p, FCVI_PENDING, "RQST");
	fcvi_port_logout(&p->port, &p->rport);
	test_expect(p, FCVI_IDLE, "=unreachable");
	test_port_end(p);
}

static struct kunit_case fcvi_setup_cases[] = {
	KUNIT_CASE(test_originator),
	KUNIT_CASE(test_responder),
	KUNIT_CASE(test_t2),
	KUNIT_CASE(test_refusals),
	KUNIT_CASE(test_no_login),
	KUNIT_CASE(test_accept_differs),
	KUNIT_CASE(test_retried),
	KUNIT_CASE(test_gone),
	KUNIT_CASE(test_given_up),
	KUNIT_CASE(test_equal),
	KUNIT_CASE(test_strays),
	KUNIT_CASE(test_disconnects),
	KUNIT_CASE(test_unanswered),
	KUNIT_CASE(test_logout_order),
	{}
};

static struct kunit_suite fcvi_setup_suite = {
	.name		= "fcvi_setup",
	.test_cases	= fcvi_setup_cases,
};

kunit_test_suites(&fcvi_setup_suite);
