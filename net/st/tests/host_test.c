// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the limits for all Virtual Connections with one remote address together.
 */
#include <kunit/test.h>

#include "conn/host.h"
#include "st_sock.h"

#define MOST		3
#define MOST_BYTES	100000

/* A Virtual Connection with host number @host; only the members that conn/host.c uses */
static struct st_sock *st_host_vc(struct kunit *test, u8 host)
{
	struct st_sock *st = kunit_kzalloc(test, sizeof(*st), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, st);
	sock_net_set(&st->sk, &init_net);
	st->vc.peer.ifindex = 77;
	st->vc.peer.addr[5] = host;
	return st;
}

static void st_host_end(struct st_sock *st)
{
	st_host_leave(st);
	st_host_put(st);
}

static u64 st_host_refused(enum st_drop drop)
{
	return atomic64_read(&st_pernet(&init_net)->drops[drop]);
}

static void st_host_connections(struct kunit *test)
{
	struct st_net *sn = st_pernet(&init_net);
	struct st_sock *greedy[MOST + 1], *other = st_host_vc(test, 2);
	unsigned int i;
	u64 refused;

	sn->max_connections_peer = MOST;
	for (i = 0; i <= MOST; i++)
		greedy[i] = st_host_vc(test, 1);
	for (i = 0; i < MOST; i++)
		KUNIT_ASSERT_EQ(test, 0, st_host_join(greedy[i]));
	refused = st_host_refused(ST_DROP_PEER_CONNECTIONS);
	KUNIT_EXPECT_EQ(test, -ENOBUFS, st_host_join(greedy[MOST]));
	KUNIT_EXPECT_EQ(test, refused + 1, st_host_refused(ST_DROP_PEER_CONNECTIONS));
	KUNIT_EXPECT_NULL(test, greedy[MOST]->vc.host);

	/* Another host has room, and so has the same address on another device or LLP */
	KUNIT_ASSERT_EQ(test, 0, st_host_join(other));
	KUNIT_EXPECT_PTR_NE(test, other->vc.host, greedy[0]->vc.host);
	greedy[MOST]->vc.peer.ifindex = 78;
	KUNIT_ASSERT_EQ(test, 0, st_host_join(greedy[MOST]));
	KUNIT_EXPECT_PTR_NE(test, greedy[MOST]->vc.host, greedy[0]->vc.host);
	st_host_end(greedy[MOST]);
	greedy[MOST]->vc.peer.ifindex = 77;
	greedy[MOST]->vc.peer.llp = ST_LLP_ETHERNET;
	KUNIT_ASSERT_EQ(test, 0, st_host_join(greedy[MOST]));
	KUNIT_EXPECT_PTR_NE(test, greedy[MOST]->vc.host, greedy[0]->vc.host);
	st_host_end(greedy[MOST]);

	/* A Virtual Connection that ends makes room, even while its socket exists */
	greedy[MOST]->vc.peer.llp = 0;
	st_host_leave(greedy[0]);
	KUNIT_EXPECT_EQ(test, 0, st_host_join(greedy[MOST]));
	KUNIT_EXPECT_PTR_EQ(test, greedy[MOST]->vc.host, greedy[0]->vc.host);
	st_host_put(greedy[0]);

	for (i = 1; i <= MOST; i++)
		st_host_end(greedy[i]);
	st_host_end(other);
}

static void st_host_connections_of_all(struct kunit *test)
{
	struct st_net *sn = st_pernet(&init_net);
	struct st_sock *st[MOST + 1];
	unsigned int i;
	u64 refused;

	sn->max_connections = sn->connections + MOST;
	for (i = 0; i <= MOST; i++)
		st[i] = st_host_vc(test, i);
	for (i = 0; i < MOST; i++)
		KUNIT_ASSERT_EQ(test, 0, st_host_join(st[i]));
	refused = st_host_refused(ST_DROP_CONNECTIONS);
	KUNIT_EXPECT_EQ(test, -ENOBUFS, st_host_join(st[MOST]));
	KUNIT_EXPECT_EQ(test, refused + 1, st_host_refused(ST_DROP_CONNECTIONS));
	st_host_end(st[0]);
	KUNIT_EXPECT_EQ(test, 0, st_host_join(st[MOST]));
	for (i = 1; i <= MOST; i++)
		st_host_end(st[i]);
}

static void st_host_memory(struct kunit *test)
{
	struct st_net *sn = st_pernet(&init_net);
	struct st_sock *greedy[2], *other = st_host_vc(test, 2);
	u64 refused = st_host_refused(ST_DROP_PEER_MEMORY);
	unsigned int i;

	sn->max_memory_peer = MOST_BYTES;
	KUNIT_ASSERT_EQ(test, 0, st_host_join(other));
	for (i = 0; i < ARRAY_SIZE(greedy); i++) {
		greedy[i] = st_host_vc(test, 1);
		KUNIT_ASSERT_EQ(test, 0, st_host_join(greedy[i]));
		KUNIT_EXPECT_TRUE(test, st_host_charge(greedy[i], MOST_BYTES / 2));
	}
	KUNIT_EXPECT_FALSE(test, st_host_charge(greedy[0], 1));
	KUNIT_EXPECT_FALSE(test, st_host_charge(greedy[1], U64_MAX / 4));
	KUNIT_EXPECT_EQ(test, refused + 2, st_host_refused(ST_DROP_PEER_MEMORY));
	KUNIT_EXPECT_EQ(test, MOST_BYTES / 2, greedy[0]->dest.mem);
	KUNIT_EXPECT_TRUE(test, st_host_charge(other, MOST_BYTES));

	/* Received data stays charged after the end, until it is read */
	st_host_leave(greedy[0]);
	KUNIT_EXPECT_FALSE(test, st_host_charge(greedy[1], 1));
	st_host_uncharge(greedy[0], MOST_BYTES / 2);
	st_host_put(greedy[0]);
	KUNIT_EXPECT_TRUE(test, st_host_charge(greedy[1], 1));

	st_host_uncharge(greedy[1], MOST_BYTES / 2 + 1);
	st_host_end(greedy[1]);
	st_host_uncharge(other, MOST_BYTES);
	st_host_end(other);
	KUNIT_EXPECT_EQ(test, 0, other->dest.mem);
}

static void st_host_memory_of_all(struct kunit *test)
{
	struct st_net *sn = st_pernet(&init_net);
	u64 before = atomic64_read(&sn->memory);
	u64 refused = st_host_refused(ST_DROP_MEMORY);
	struct st_sock *st[2];
	unsigned int i;

	sn->max_memory = before + MOST_BYTES;
	for (i = 0; i < ARRAY_SIZE(st); i++) {
		st[i] = st_host_vc(test, i);
		KUNIT_ASSERT_EQ(test, 0, st_host_join(st[i]));
	}
	KUNIT_EXPECT_TRUE(test, st_host_charge(st[0], MOST_BYTES - 1));
	KUNIT_EXPECT_FALSE(test, st_host_charge(st[1], 2));
	KUNIT_EXPECT_EQ(test, refused + 1, st_host_refused(ST_DROP_MEMORY));
	KUNIT_EXPECT_EQ(test, 0, st[1]->dest.mem);
	KUNIT_EXPECT_EQ(test, 0, atomic64_read(&st[1]->vc.host->mem));
	KUNIT_EXPECT_TRUE(test, st_host_charge(st[1], 1));
	KUNIT_EXPECT_EQ(test, before + MOST_BYTES, atomic64_read(&sn->memory));

	st_host_uncharge(st[0], MOST_BYTES - 1);
	st_host_uncharge(st[1], 1);
	KUNIT_EXPECT_EQ(test, before, atomic64_read(&sn->memory));
	for (i = 0; i < ARRAY_SIZE(st); i++)
		st_host_end(st[i]);
}

/* Limits of the namespace that the cases change */
static struct {
	unsigned int	connections, connections_peer;
	unsigned long	memory_peer, memory;
} st_host_before;

static int st_host_suite_init(struct kunit_suite *suite)
{
	const struct st_net *sn = st_pernet(&init_net);

	st_host_before.connections = sn->max_connections;
	st_host_before.connections_peer = sn->max_connections_peer;
	st_host_before.memory_peer = sn->max_memory_peer;
	st_host_before.memory = sn->max_memory;
	return 0;
}

static void st_host_case_exit(struct kunit *test)
{
	struct st_net *sn = st_pernet(&init_net);

	sn->max_connections = st_host_before.connections;
	sn->max_connections_peer = st_host_before.connections_peer;
	sn->max_memory_peer = st_host_before.memory_peer;
	sn->max_memory = st_host_before.memory;
}

static struct kunit_case st_host_cases[] = {
	KUNIT_CASE(st_host_connections),
	KUNIT_CASE(st_host_connections_of_all),
	KUNIT_CASE(st_host_memory),
	KUNIT_CASE(st_host_memory_of_all),
	{}
};

static struct kunit_suite st_host_suite = {
	.name = "st_host",
	.suite_init = st_host_suite_init,
	.exit = st_host_case_exit,
	.test_cases = st_host_cases,
};

kunit_test_suite(st_host_suite);
