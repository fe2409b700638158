// SPDX-License-Identifier: GPL-2.0
/*
 * A port without Fibre Channel: what its endpoints do is written down as a line of text.
 */
#include <linux/bitfield.h>
#include <linux/string.h>
#include <net/ipv6.h>

#include "connect.h"
#include "disconnect.h"
#include "port.h"
#include "state.h"
#include "timer.h"

const struct fcvi_attrs test_attrs = {
	.level = FCVI_RD, .max_trans_size = 65536, .pipeline_depth = 7,
};

const struct fcvi_addr test_here = {
	.host = { { { 0xfe, 0x80, [15] = 1 } } }, .len = 16, .discrim = "discriminator",
};

const struct fcvi_addr test_there = {
	.host = { { { 0xfe, 0x80, [15] = 2 } } }, .len = 16, .discrim = "discriminator",
};

/**
 * test_note - add a word to the log
 * @p: the port
 * @what: the word
 */
void test_note(struct test_port *p, const char *what)
{
	if (p->log[0])
		strlcat(p->log, " ", sizeof(p->log));
	strlcat(p->log, what, sizeof(p->log));
}

static u64 test_now(struct fcvi_port *port)
{
	return container_of(port, struct test_port, port)->now;
}

static void test_arm(struct fcvi_port *port, u64 when)
{
}

static bool test_own(struct fcvi_port *port, const struct in6_addr *host)
{
	return ipv6_addr_equal(host, &test_here.host);
}

static int test_find(struct fcvi_port *port, const struct in6_addr *host, struct fc2_rport **rport)
{
	struct test_port *p = container_of(port, struct test_port, port);

	*rport = p->found ? NULL : &p->rport;
	return p->found;
}

static struct fcvi_xchg *test_new_xchg(struct test_port *p, struct fc2_rport *rport)
{
	struct test_xchg *x = p->xs + p->nr++;

	KUNIT_ASSERT_LE(p->test, p->nr, ARRAY_SIZE(p->xs));
	x->x.port = &p->port;
	x->x.rport = rport;
	x->open = true;
	return &x->x;
}

static struct fcvi_xchg *test_open(struct fcvi_port *port, struct fc2_rport *rport)
{
	struct test_port *p = container_of(port, struct test_port, port);

	return p->none ? NULL : test_new_xchg(p, rport);
}

static void test_shut(struct fcvi_xchg *x)
{
	struct test_port *p = container_of(x->port, struct test_port, port);
	struct test_xchg *t = container_of(x, struct test_xchg, x);

	KUNIT_EXPECT_TRUE(p->test, t->open);
	KUNIT_EXPECT_NULL(p->test, x->setup);
	KUNIT_EXPECT_NULL(p->test, x->disc);
	t->open = false;
}

/* The name, an r for RETRY, and a status */
static void test_send(struct fcvi_xchg *x, const struct fcvi_iu *iu, const struct fcvi_connect *c)
{
	struct test_port *p = container_of(x->port, struct test_port, port);
	bool retry = iu->opcode == FCVI_CONNECT_RQST ? iu->flags & FCVI_RQST_RETRY :
						       iu->flags & FCVI_RESP_RETRY;
	const char *name = "?";
	bool payload = false;
	char word[32];

	KUNIT_EXPECT_TRUE(p->test, container_of(x, struct test_xchg, x)->open);
	switch (iu->opcode) {
	case FCVI_CONNECT_RQST:
		name = "RQST";
		payload = true;
		break;
	case FCVI_CONNECT_RESP1:
		name = "RESP1";
		payload = true;
		break;
	case FCVI_CONNECT_RESP2:
		name = "RESP2";
		break;
	case FCVI_CONNECT_RESP3:
		name = "RESP3";
		break;
	case FCVI_DISCONNECT_RQST:
		name = iu->flags & FCVI_DISC_VI_APP ? "DISC-app" : "DISC";
		break;
	case FCVI_DISCONNECT_RESP:
		name = "DISC-RESP";
		break;
	}
	if (iu->opcode == FCVI_DISCONNECT_RQST || iu->opcode == FCVI_DISCONNECT_RESP)
		retry = false;
	KUNIT_EXPECT_EQ(p->test, !!c, payload);
	snprintf(word, sizeof(word), "%s%s", name, retry ? "r" : "");
	if (iu->opcode == FCVI_DISCONNECT_RQST && iu->flags & FCVI_DISC_SETUP_ABORT)
		strlcat(word, "-setup", sizeof(word));
	if (iu->param)
		snprintf(word + strlen(word), sizeof(word) - strlen(word), ":%02x",
			 fcvi_status_reason(iu->param));
	if (iu->opcode != FCVI_CONNECT_RQST)
		KUNIT_EXPECT_EQ(p->test, !!iu->param, iu->flags & FCVI_RESP_CONN_STS);
	test_note(p, word);
	p->iu = *iu;
	if (c)
		p->c = *c;
	if (iu->opcode == FCVI_CONNECT_RESP3 || iu->opcode == FCVI_DISCONNECT_RESP)
		test_shut(x);
}

static void test_abort(struct fcvi_xchg *x)
{
	test_note(container_of(x->port, struct test_port, port), "ABTS");
	test_shut(x);
}

static const struct fcvi_transport test_transport = {
	.now	= test_now,
	.arm	= test_arm,
	.own	= test_own,
	.find	= test_find,
	.open	= test_open,
	.send	= test_send,
	.abort	= test_abort,
	.close	= test_shut,
};

static void test_tell(struct fcvi_vi *vi, enum fcvi_news news)
{
	static const char * const names[] = {
		[FCVI_NEWS_CONNECTED] = "=connected",
		[FCVI_NEWS_NO_MATCH] = "=no-match",
		[FCVI_NEWS_REJECT] = "=reject",
		[FCVI_NEWS_ATTRS] = "=attrs",
		[FCVI_NEWS_TIMEOUT] = "=timeout",
		[FCVI_NEWS_UNREACHABLE] = "=unreachable",
		[FCVI_NEWS_COMPLETE] = "=complete",
		[FCVI_NEWS_LOST] = "=lost",
		[FCVI_NEWS_DISCONNECTED] = "=disconnected",
		[FCVI_NEWS_NOT_DISCONNECTED] = "=not-disconnected",
	};

	test_note(container_of(vi->port, struct test_port, port), names[news]);
}

static void test_flush(struct fcvi_vi *vi, bool sends)
{
	test_note(container_of(vi->port, struct test_port, port), sends ? "flush" : "flush-recv");
}

static void test_receive(struct fcvi_vi *vi, bool on)
{
	if (on)
		test_note(container_of(vi->port, struct test_port, port), "receive");
}

static const struct fcvi_vi_ops test_vi_ops = {
	.tell		= test_tell,
	.flush		= test_flush,
	.receive	= test_receive,
};

static void test_point_request(struct fcvi_point *point, struct fcvi_setup *setup)
{
	struct test_port *p = container_of(point, struct test_port, point);

	p->request = setup;
	test_note(p, "request");
}

/**
 * test_port - make a port, whose lock is held until test_port_end()
 * @test: the test
 *
 * Return: the port.
 */
struct test_port *test_port(struct kunit *test)
	__acquires(test_port)
{
	struct test_port *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, p);
	p->test = test;
	p->rport.wwpn = 0x2000;
	p->rport.seq_cnt = true;
	p->rport.rel_off = true;
	fcvi_port_init(&p->port, &test_transport, 0x3000, TEST_TOV);
	spin_lock_bh(&p->port.lock);
	for (i = 0; i < ARRAY_SIZE(p->vi); i++)
		fcvi_vi_init(p->vi + i, &p->port, &test_vi_ops, &test_attrs, fcvi_connect_t1);
	p->point.addr = test_here;
	p->point.request = test_point_request;
	list_add_tail(&p->point.list, &p->port.points);
	return p;
}

/**
 * test_port_release - release the lock of a port, until test_port_take()
 * @p: the port
 */
void test_port_release(struct test_port *p)
	__releases(test_port)
{
	spin_unlock_bh(&p->port.lock);
}

/**
 * test_port_take - take the lock of a port again
 * @p: the port
 */
void test_port_take(struct test_port *p)
	__acquires(test_port)
{
	spin_lock_bh(&p->port.lock);
}

/**
 * test_port_end - end a port: nothing is left of it
 * @p: the port
 */
void test_port_end(struct test_port *p)
	__releases(test_port)
{
	unsigned int i;

	fcvi_port_logout(&p->port, &p->rport);
	for (i = 0; i < ARRAY_SIZE(p->vi); i++)
		fcvi_disconnect_destroy(p->vi + i);
	fcvi_port_free(&p->port);
	KUNIT_EXPECT_EQ(p->test, p->port.nr_setups, 0);
	KUNIT_EXPECT_TRUE(p->test, list_empty(&p->port.setups));
	KUNIT_EXPECT_TRUE(p->test, list_empty(&p->port.discs));
	KUNIT_EXPECT_TRUE(p->test, xa_empty(&p->port.handles));
	KUNIT_EXPECT_NULL(p->test, timerqueue_getnext(&p->port.timers));
	for (i = 0; i < p->nr; i++)
		KUNIT_EXPECT_FALSE_MSG(p->test, p->xs[i].open, "Exchange %u is open", i);
	spin_unlock_bh(&p->port.lock);
}

/**
 * test_expect - what has happened since the last time
 * @p: the port
 * @state: state of the first endpoint
 * @log: words: IUs that were sent, with r for RETRY and a status; ABTS; what the user was told, =;
 *	flush of Descriptors; begin of reception; a request that came to the connection point
 */
void test_expect(struct test_port *p, enum fcvi_state state, const char *log)
{
	KUNIT_EXPECT_EQ(p->test, p->vi[0].state, state);
	KUNIT_EXPECT_STREQ(p->test, p->log, log);
	p->log[0] = 0;
}

/**
 * test_connect - begin a setup of the first endpoint
 * @p: the port
 * @role: client or peer
 *
 * Return: as fcvi_connect().
 */
int test_connect(struct test_port *p, enum fcvi_role role)
{
	return fcvi_connect(p->vi, role, &p->rport, &test_here, &test_there, TEST_T1);
}

/**
 * test_incoming - an Exchange that the remote port has begun
 * @p: the port
 *
 * Return: the Exchange.
 */
struct fcvi_xchg *test_incoming(struct test_port *p)
{
	return test_new_xchg(p, &p->rport);
}

/**
 * test_rqst - a request comes
 * @p: the port
 * @mode: connection mode
 * @retry: RETRY
 * @id: CONNECTION_ID
 *
 * Return: its Exchange.
 */
struct fcvi_xchg *test_rqst(struct test_port *p, u8 mode, bool retry, u32 id)
{
	const struct fcvi_iu iu = {
		.opcode = FCVI_CONNECT_RQST, .handle = FCVI_HANDLE_NONE, .connection_id = id,
		.flags = FIELD_PREP(FCVI_RQST_MODE, mode) | (retry ? FCVI_RQST_RETRY : 0),
	};
	const struct fcvi_connect c = {
		.handle = TEST_PEER, .loc = test_there, .rem = test_here, .attrs = test_attrs,
	};
	struct fcvi_xchg *x = test_incoming(p);

	fcvi_port_iu(x, &iu, &c);
	return x;
}

/**
 * test_resp1 - a RESP1 comes
 * @p: the port
 * @x: its Exchange
 * @id: CONNECTION_ID
 * @reason: status, or FCVI_OK
 */
void test_resp1(struct test_port *p, struct fcvi_xchg *x, u32 id, enum fcvi_reason reason)
{
	const struct fcvi_iu iu = {
		.opcode = FCVI_CONNECT_RESP1, .handle = FCVI_HANDLE_NONE, .connection_id = id,
		.flags = reason ? FCVI_RESP_CONN_STS : 0, .param = fcvi_status(reason),
	};
	const struct fcvi_connect c = {
		.handle = reason ? FCVI_HANDLE_NONE : TEST_PEER,
		.loc = test_there, .rem = test_here, .attrs = test_attrs,
	};

	fcvi_port_iu(x, &iu, &c);
}

/**
 * test_resp2 - a RESP2 comes
 * @p: the port
 * @x: its Exchange
 * @reason: status, or FCVI_OK
 */
void test_resp2(struct test_port *p, struct fcvi_xchg *x, enum fcvi_reason reason)
{
	const struct fcvi_iu iu = {
		.opcode = FCVI_CONNECT_RESP2,
		.handle = x->setup ? x->setup->resp_handle : FCVI_HANDLE_NONE,
		.connection_id = x->setup ? x->setup->id : TEST_ID,
		.flags = reason ? FCVI_RESP_CONN_STS : 0, .param = fcvi_status(reason),
	};

	fcvi_port_iu(x, &iu, NULL);
}

/**
 * test_resp3 - a RESP3 comes
 * @p: the port
 * @x: its Exchange
 * @id: CONNECTION_ID
 * @reason: status, or FCVI_OK
 */
void test_resp3(struct test_port *p, struct fcvi_xchg *x, u32 id, enum fcvi_reason reason)
{
	const struct fcvi_iu iu = {
		.opcode = FCVI_CONNECT_RESP3,
		.handle = x->setup ? x->setup->rqst.handle : FCVI_HANDLE_NONE,
		.connection_id = id,
		.flags = reason ? FCVI_RESP_CONN_STS : 0, .param = fcvi_status(reason),
	};

	fcvi_port_iu(x, &iu, NULL);
}

/**
 * test_disc - a FCVI_DISCONNECT_RQST comes
 * @p: the port
 * @handle: FCVI_HANDLE
 * @flags: FCVI_FLAGS
 * @id: CONNECTION_ID
 */
void test_disc(struct test_port *p, u32 handle, u8 flags, u32 id)
{
	const struct fcvi_iu iu = {
		.opcode = FCVI_DISCONNECT_RQST, .handle = handle, .flags = flags,
		.connection_id = id,
	};

	fcvi_port_iu(test_incoming(p), &iu, NULL);
}

/**
 * test_disc_resp - the answer to the last Disconnect comes
 * @p: the port
 * @reason: status
 */
void test_disc_resp(struct test_port *p, enum fcvi_reason reason)
{
	const struct fcvi_iu iu = {
		.opcode = FCVI_DISCONNECT_RESP, .flags = FCVI_DISC_CONN_STS,
		.param = fcvi_status(reason),
	};

	KUNIT_ASSERT_NOT_NULL(p->test, p->xs[p->nr - 1].x.disc);
	fcvi_port_iu(&p->xs[p->nr - 1].x, &iu, NULL);
}

/**
 * test_fire - a timer expires before its time
 * @p: the port
 * @timer: a timer that runs
 */
void test_fire(struct test_port *p, struct fcvi_timer *timer)
{
	KUNIT_ASSERT_FALSE(p->test, RB_EMPTY_NODE(&timer->node.node));
	fcvi_timer_stop(timer);
	timer->expired(timer);
}

/**
 * test_pass - let time pass
 * @p: the port
 * @ms: how much
 */
void test_pass(struct test_port *p, unsigned int ms)
{
	p->now += ms;
	fcvi_timers_run(&p->port);
}
