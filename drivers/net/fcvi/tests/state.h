/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port without Fibre Channel: what its endpoints do is written down as a line of text.
 */
#ifndef _FCVI_TESTS_STATE_H
#define _FCVI_TESTS_STATE_H

#include <kunit/test.h>
#include <linux/fc2.h>

#include "vi.h"

#define TEST_TOV	1000
#define TEST_T1		100000
/* Handles of the other side, and CONNECTION_IDs of its requests */
#define TEST_PEER	0x77
#define TEST_ID		0x900

struct test_xchg {
	struct fcvi_xchg	x;
	bool			open;
};

/**
 * struct test_port - a port with one endpoint, or two, and one remote port
 * @port: the port
 * @test: the test
 * @now: its clock
 * @rport: the remote port
 * @vi: the endpoints
 * @point: a connection point
 * @request: the request that has come to it
 * @xs: Exchanges, in the order in which they were made
 * @nr: how many
 * @none: no new ones are to be had
 * @found: what comes of the search for the remote port
 * @iu: the last IU that was sent
 * @c: its payload
 * @log: what was done, see test_expect()
 */
struct test_port {
	struct fcvi_port	port;
	struct kunit		*test;
	u64			now;
	struct fc2_rport	rport;
	struct fcvi_vi		vi[2];
	struct fcvi_point	point;
	struct fcvi_setup	*request;
	struct test_xchg	xs[64];
	unsigned int		nr;
	bool			none;
	int			found;
	struct fcvi_iu		iu;
	struct fcvi_connect	c;
	char			log[256];
};

extern const struct fcvi_attrs test_attrs;
extern const struct fcvi_addr test_here;
extern const struct fcvi_addr test_there;

struct test_port *test_port(struct kunit *test);
void test_port_release(struct test_port *p);
void test_port_take(struct test_port *p);
void test_port_end(struct test_port *p);
void test_note(struct test_port *p, const char *what);
void test_expect(struct test_port *p, enum fcvi_state state, const char *log);
int test_connect(struct test_port *p, enum fcvi_role role);
struct fcvi_xchg *test_incoming(struct test_port *p);
struct fcvi_xchg *test_rqst(struct test_port *p, u8 mode, bool retry, u32 id);
void test_resp1(struct test_port *p, struct fcvi_xchg *x, u32 id, enum fcvi_reason reason);
void test_resp2(struct test_port *p, struct fcvi_xchg *x, enum fcvi_reason reason);
void test_resp3(struct test_port *p, struct fcvi_xchg *x, u32 id, enum fcvi_reason reason);
void test_disc(struct test_port *p, u32 handle, u8 flags, u32 id);
void test_disc_resp(struct test_port *p, enum fcvi_reason reason);
void test_fire(struct test_port *p, struct fcvi_timer *timer);
void test_pass(struct test_port *p, unsigned int ms);

#endif
