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
 * struct st_test_kind - a kind of addresses that the test's LLPs have
 * @name: in the name of a case
 * @routed: the LLPs keep no order, have to connect first, and do not begin at the first try
 * @type: the kind
 * @len: bytes of one
 * @peer: those of peers; the last byte counts
 * @group: of no peer
 */
struct st_test_kind {
	char				name[4];
	bool				routed;
	const struct st_addr_type	*type;
	u8				len;
	u8				peer[ST_ADDR_MAX];
	u8				group[ST_ADDR_MAX];
};

/* Of 6 bytes, of 2 as those of RapidIO, of 16 as those of FC-VI; and that of the case */
extern const struct st_test_kind st_test_kinds[3];
extern const struct st_test_kind *st_test_kind;

/* .init and .exit of suites whose cases run once for each kind of addresses */
int st_test_kind_init(struct kunit *test);
void st_test_kind_exit(struct kunit *test);

const u8 *st_test_peer(unsigned int n);
extern const struct st_llp st_test_lossy_llp;

/* When a route that was asked for is up: after a while, at once, or when the test says so */
enum st_test_setup {
	ST_TEST_SOON,
	ST_TEST_AT_ONCE,
	ST_TEST_HELD,
};

/**
 * struct st_test_routes - the LLP of a connection, where it has to connect first
 * @llp: a copy of that of the test
 * @ops: a copy of its st_llp.ops, with those that connect
 * @setup: how long that takes
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
 * @dev: the device that the LLP is on
 * @llp: the LLP
 * @link: the LLP there
 * @sent: operations of the socket that the test has not looked at
 * @sock: the socket
 * @st: its Virtual Connection
 * @data: what the peer sends
 * @stripe: the socket has ST_STRIPE
 * @begun: how often the LLP has been asked to begin
 * @routes: what there is where it has to connect first
 * @amid: called when the LLP is asked for its STU, in the middle of a setup; or NULL
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

/* .init and .exit of suites that change parameters of the namespace, and no test->priv */
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
