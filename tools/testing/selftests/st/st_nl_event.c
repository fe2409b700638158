// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family "st": events.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"
#include "nl.h"

FIXTURE(event)
{
	struct nl nl[2];
	struct nl_answer answer;
};

/* Waits for the end of the connections of other tests. */
static bool no_connections(int side)
{
	long long end = now_ms() + 6 * SOON_MS;
	struct nl_answer answer;
	struct nl nl;
	size_t n;

	if (!enter(side) || !nl_open(&nl))
		return false;
	do {
		n = nl_dump(&nl, ST_CMD_VC_GET, &answer) ? 1 : answer.n;
		nl_free(&answer);
		usleep(10000);
	} while (n && now_ms() < end);
	nl_close(&nl);
	return !n;
}

FIXTURE_SETUP(event)
{
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(no_connections(A));
	ASSERT_TRUE(no_connections(B));
	ASSERT_TRUE(nl_open_sides(self->nl));
	ASSERT_TRUE(nl_join(&self->nl[A]));
	ASSERT_TRUE(nl_join(&self->nl[B]));
	memset(&self->answer, 0, sizeof(self->answer));
}

FIXTURE_TEARDOWN(event)
{
	nl_free(&self->answer);
	nl_close_sides(self->nl);
}

static void expect_vc(struct __test_metadata *_metadata, struct nl *nl, __u8 cmd, __u64 cookie,
		      __u32 state, __u64 bytes)
{
	struct nl_answer event;
	const struct nlattr **tb;

	ASSERT_TRUE(nl_event(nl, &event, 4 * SOON_MS));
	tb = event.msg[0].tb;
	EXPECT_EQ(cmd, event.msg[0].cmd);
	EXPECT_EQ(cookie, nl_number(tb[ST_A_VC_COOKIE]));
	EXPECT_EQ(state, nl_number(tb[ST_A_VC_STATE]));
	EXPECT_EQ(bytes, nl_member(tb[ST_A_VC_COUNTERS], ST_A_VC_COUNTERS_TX_BYTES) +
		  nl_member(tb[ST_A_VC_COUNTERS], ST_A_VC_COUNTERS_RX_BYTES));
	EXPECT_EQ(NULL, tb[ST_A_VC_LOCAL_KEY]);
	EXPECT_EQ(NULL, tb[ST_A_VC_REMOTE_KEY]);
	EXPECT_EQ(NULL, tb[ST_A_VC_ERROR]);
	nl_free(&event);
}

TEST_F_TIMEOUT(event, connection, 120)
{
	__u64 cookie[2];
	char byte = 'x';
	int fds[2];

	ASSERT_TRUE(new_pair(fds));
	cookie[A] = cookie_of(fds[A]);
	cookie[B] = cookie_of(fds[B]);
	expect_vc(_metadata, &self->nl[A], ST_CMD_VC_ESTABLISHED_NTF, cookie[A],
		  ST_VC_STATE_ESTABLISHED, 0);
	expect_vc(_metadata, &self->nl[B], ST_CMD_VC_ESTABLISHED_NTF, cookie[B],
		  ST_VC_STATE_ESTABLISHED, 0);
	ASSERT_EQ(1, send(fds[A], &byte, 1, 0));
	ASSERT_EQ(1, recv_record(fds[B], &byte, 1));
	close(fds[A]);
	expect_vc(_metadata, &self->nl[A], ST_CMD_VC_END_NTF, cookie[A],
		  ST_VC_STATE_DISCONNECTING, 1);
	expect_vc(_metadata, &self->nl[B], ST_CMD_VC_END_NTF, cookie[B],
		  ST_VC_STATE_ANSWERED, 1);
	close(fds[B]);
	/* One end for each */
	EXPECT_FALSE(nl_event(&self->nl[A], &self->answer, BRIEF_MS));
	EXPECT_FALSE(nl_event(&self->nl[B], &self->answer, BRIEF_MS));
}

/* Each has its own events, and none of the other's. */
TEST_F_TIMEOUT(event, groups, 120)
{
	static const __u8 cmds[] = { ST_CMD_LINK_CHANGE_NTF, ST_CMD_VC_ESTABLISHED_NTF };
	struct nl_answer event;
	struct nl member[2];
	int fds[2], i;

	ASSERT_TRUE(enter(A));
	for (i = 0; i < 2; i++) {
		ASSERT_TRUE(nl_open(&member[i]));
		ASSERT_TRUE(nl_join_group(&member[i], i));
	}
	ASSERT_TRUE(new_pair(fds));
	ASSERT_TRUE(link_set_up(A, false));
	for (i = 0; i < 2; i++) {
		ASSERT_TRUE(nl_event(&member[i], &event, 4 * SOON_MS));
		EXPECT_EQ(cmds[i], event.msg[0].cmd);
		nl_free(&event);
		EXPECT_FALSE(nl_event(&member[i], &event, BRIEF_MS));
		nl_close(&member[i]);
	}
	ASSERT_TRUE(link_set_up(A, true));
	close(fds[A]);
	close(fds[B]);
}

TEST_F_TIMEOUT(event, given_up, 120)
{
	struct nl_answer event;
	char byte = 'x';
	int fds[2];

	ASSERT_TRUE(new_pair(fds));
	expect_vc(_metadata, &self->nl[A], ST_CMD_VC_ESTABLISHED_NTF, cookie_of(fds[A]),
		  ST_VC_STATE_ESTABLISHED, 0);
	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 20));
	ASSERT_TRUE(fault_set(0, "unplug", "1"));
	EXPECT_ERRNO(ETIMEDOUT, send(fds[A], &byte, 1, MSG_NOSIGNAL));
	ASSERT_TRUE(nl_event(&self->nl[A], &event, SOON_MS));
	/* The medium disappears first */
	EXPECT_EQ(ST_CMD_LINK_CHANGE_NTF, event.msg[0].cmd);
	nl_free(&event);
	ASSERT_TRUE(nl_event(&self->nl[A], &event, SOON_MS));
	EXPECT_EQ(ST_CMD_VC_END_NTF, event.msg[0].cmd);
	EXPECT_EQ(ST_VC_STATE_CLOSED, nl_number(event.msg[0].tb[ST_A_VC_STATE]));
	EXPECT_EQ(ETIMEDOUT, nl_number(event.msg[0].tb[ST_A_VC_ERROR]));
	nl_free(&event);
	ASSERT_TRUE(fault_set(0, "unplug", "0"));
	close(fds[A]);
	close(fds[B]);
	EXPECT_TRUE(wait_carrier(A));
}

/* Events are no requests; counters are no dump. */
TEST_F_TIMEOUT(event, wrong_requests, 60)
{
	struct nl *nl = &self->nl[A];
	struct nl_req req;

	nl_begin(nl, &req, ST_CMD_LINK_ADD_NTF, false);
	EXPECT_EQ(EOPNOTSUPP, nl_ask(nl, &req, &self->answer));
	nl_begin(nl, &req, ST_CMD_COUNTERS_GET, true);
	EXPECT_EQ(EOPNOTSUPP, nl_ask(nl, &req, &self->answer));
}

TEST_HARNESS_MAIN
