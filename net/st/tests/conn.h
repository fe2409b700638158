/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A connected AF_ST socket for KUnit tests: the test is the LLP and the peer.
 */
#ifndef _NET_ST_TESTS_CONN_H
#define _NET_ST_TESTS_CONN_H

#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/st_compat.h>

#include "st_sock.h"

#define PEER_PORT	5000
#define PEER_KEY	0x12345678
#define T_LEN		200000
#define LOSSY_STU	10	/* log2 */
#define STU		BIT(LOSSY_STU)
#define RUN_MAX		5000
#define ROUTE_LEN	4096

struct st_test_conn;

/**
 * struct st_test_kind - a type of addresses for the tests' LLPs
 * @name: part of the name of a case
 * @routed: the LLPs do not keep the order, have to connect first, and their first begin() fails
 * @type: the type
 * @len: bytes of an address
 * @peer: the address of peers, but for its last byte
 * @group: a group address
 */
struct st_test_kind {
	char				name[4];
	bool				routed;
	const struct st_addr_type	*type;
	u8				len;
	u8				peer[ST_ADDR_MAX];
	u8				group[ST_ADDR_MAX];
};

/* 6 bytes, 2 bytes as with RapidIO, 16 bytes as with FC-VI; and the type of the current case */
extern const struct st_test_kind st_test_kinds[3];
extern const struct st_test_kind *st_test_kind;

/* .init and .exit of suites that run once for each type of addresses */
int st_test_kind_init(struct kunit *test);
void st_test_kind_exit(struct kunit *test);

const u8 *st_test_peer(unsigned int n);
extern const struct st_llp st_test_lossy_llp;

/* When a route is up after connect(): after a while, at once, or when the test says so */
enum st_test_setup {
	ST_TEST_SOON,
	ST_TEST_AT_ONCE,
	ST_TEST_HELD,
};

/**
 * struct st_test_routes - the part of an LLP that has to connect
 * @llp: a copy of the test's LLP
 * @ops: a copy of its st_llp.ops, with connect() and disconnect()
 * @setup: when a route is up
 * @err: what connect() returns
 * @connects: how often it was called
 * @disconnects: how often the other was called
 * @known: routes that the LLP has not forgotten
 * @last: that connect() was called for last
 * @connecting: called in the next connect(), before there is a st_route.priv; or NULL
 * @ending: called in the next disconnect(); or NULL
 */
struct st_test_routes {
	struct st_llp		llp;
	struct st_llp_ops	ops;
	enum st_test_setup	setup;
	int			err;
	atomic_t		connects;
	atomic_t		disconnects;
	atomic_t		known;
	struct st_route		*last;
	void			(*connecting)(struct st_test_conn *conn);
	void			(*ending)(struct st_test_conn *conn);
};

/**
 * struct st_test_conn - a connected socket, and its peer
 * @test: the test
 * @dev: the device of the LLP
 * @llp: the LLP
 * @link: the link
 * @sent: operations of the socket that the test has not yet read
 * @sock: the socket
 * @st: its Virtual Connection
 * @data: the payload that the peer sends
 * @stripe: the socket has ST_STRIPE
 * @begun: calls of begin()
 * @routes: the routes, if the LLP has to connect
 * @amid: called by max_stu(), in the middle of a setup; or NULL
 */
struct st_test_conn {
	struct kunit		*test;
	struct net_device	*dev;
	const struct st_llp	*llp;
	struct st_link		*link;
	struct sk_buff_head	sent;
	struct socket		*sock;
	struct st_sock		*st;
	u8			*data;
	bool			stripe;
	unsigned int		begun;
	struct st_test_routes	routes;
	void			(*amid)(struct st_test_conn *conn);
};

/* .init and .exit of suites that change parameters of the namespace, without test->priv */
int st_test_keep_params(struct kunit *test);
void st_test_restore_params(struct kunit *test);

/* sock.c */
void st_test_time(struct st_sock *st);
void st_test_sock_free(void *data);
struct socket *st_test_socket(struct kunit *test);
void st_test_dial(struct st_test_conn *conn, struct socket *sock, int err);
void st_test_taken(struct st_test_conn *conn);
void st_test_connect(struct st_test_conn *conn);
struct socket *st_test_listener(struct kunit *test);

/* route.c */
void st_test_routes_init(struct st_test_conn *conn);
void st_test_routes_peer(struct st_test_conn *conn);
void st_test_routes_settle(struct st_test_conn *conn);
void st_test_routes_exit(struct st_test_conn *conn);
int st_test_route_init(struct kunit *test);
void st_test_route_exit(struct kunit *test);
struct st_test_conn *st_test_route_link(struct kunit *test, enum st_test_setup setup);
u64 st_test_route_drops(void);
u64 st_test_route_refused(void);
void st_test_route_more(struct st_test_conn *conn, int n);
unsigned int st_test_route_count(const struct st_test_conn *conn);
void st_test_route_idle(struct st_test_conn *conn);
void st_test_route_expect(struct st_test_conn *conn, int connects, int disconnects);
void st_test_route_hang_up(struct st_sock *st);
void st_test_route_send(struct st_test_conn *conn);

/* conn.c */
struct st_test_conn *st_test_link(struct kunit *test, const struct st_llp *llp);
struct st_test_conn *st_test_conn_over(struct kunit *test, const struct st_llp *llp, bool stripe);
struct st_test_conn *st_test_conn(struct kunit *test);
struct st_test_conn *st_test_lent(struct kunit *test, u8 access, struct st_op *region);
struct st_test_conn *st_test_lossy_conn(struct kunit *test);
struct st_test_conn *st_test_run_conn(struct kunit *test);
struct st_test_conn *st_test_stripe_conn(struct kunit *test);
struct st_test_conn *st_test_lossy_stripe_conn(struct kunit *test);
struct st_test_conn *st_test_conn_beside(struct st_test_conn *first);
struct st_test_conn *st_test_other_link(struct st_test_conn *first);
void st_test_link_end(struct st_test_conn *conn);
void st_test_dev_free(void *conn);
void st_test_rcv(struct st_test_conn *conn, struct sk_buff *skb);
void st_test_rcv_only(struct st_test_conn *conn, struct sk_buff *skb);
struct sk_buff *st_test_op_skb(struct st_test_conn *conn, const struct st_op *op);
struct st_op st_test_sent(struct st_test_conn *conn, u8 code);
struct st_op st_test_peer_op(const struct st_test_conn *conn, u8 code, u16 flags);
bool st_test_readable(struct st_test_conn *conn);
int st_test_ctl(struct st_test_conn *conn, int type, const void *data, size_t data_len,
		size_t len);
void st_test_peer_write(struct st_test_conn *conn, u32 peer_id, u64 t_len);
void st_test_peer_data(struct st_test_conn *conn, const struct st_op *cts, u16 stu_num,
		       u32 skip, u32 len, u16 flags);
void st_test_arrived(struct st_test_conn *conn, const struct st_op *rts, u32 peer_id, u32 b_seq);

#endif
