// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family "st": dumps longer than a message, while objects
 * appear and disappear.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"
#include "nl.h"

#define MANY		300	/* connections, more than one message holds */
#define FEWER		(MANY - 30)
#define NARROW		4096	/* buffer size of a reader that receives little at a time */

FIXTURE(dump)
{
	struct nl nl;
	struct nl_answer answer;
};

FIXTURE_SETUP(dump)
{
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(enter(A));
	ASSERT_TRUE(nl_open(&self->nl));
	memset(&self->answer, 0, sizeof(self->answer));
}

FIXTURE_TEARDOWN(dump)
{
	nl_free(&self->answer);
	nl_close(&self->nl);
}

/* Records that wait behind unread ones; all in one connection. */
TEST_F_TIMEOUT(dump, transfers_over_messages, 60)
{
	unsigned int sent = 0, i;
	struct nl_req req;
	struct nl narrow;
	bool more = true;
	__u64 id, last = 0;
	int fds[2];

	ASSERT_TRUE(new_pair(fds));
	while (send(fds[A], "record", 6, MSG_DONTWAIT) == 6)
		sent++;
	ASSERT_EQ(EAGAIN, errno);
	ASSERT_TRUE(enter(A));
	ASSERT_TRUE(nl_open_narrow(&narrow, NARROW));
	nl_begin(&narrow, &req, ST_CMD_TRANSFER_GET, true);
	ASSERT_EQ(0, nl_send(&narrow, &req));
	while (more)
		ASSERT_EQ(0, nl_next(&narrow, &self->answer, &more));
	nl_close(&narrow);
	EXPECT_LT(1, self->answer.datagrams);
	EXPECT_GE(sent, self->answer.n);
	/* One Slot is reserved, and the peer reports its Slots periodically */
	EXPECT_LE(sent - 64, self->answer.n);
	for (i = 0; i < self->answer.n; i++) {
		id = nl_number(self->answer.msg[i].tb[ST_A_TRANSFER_ID]);
		EXPECT_EQ(i ? last + 1 : id, id);
		last = id;
		EXPECT_EQ(6, nl_number(self->answer.msg[i].tb[ST_A_TRANSFER_LENGTH]));
	}
	close(fds[A]);
	close(fds[B]);
}

/* Counts how often a connection is in the dump. */
static unsigned int told(const struct nl_answer *answer, __u64 cookie)
{
	unsigned int n = 0;
	size_t i;

	for (i = 0; i < answer->n; i++)
		n += nl_number(answer->msg[i].tb[ST_A_VC_COOKIE]) == cookie;
	return n;
}

/* Whether the kernel reports that some may occur twice. */
static bool interrupted(const struct nl_answer *answer)
{
	size_t i;

	for (i = 0; i < answer->n; i++)
		if (answer->msg[i].flags & NLM_F_DUMP_INTR)
			return true;
	return false;
}

TEST_F_TIMEOUT(dump, many_connections, 240)
{
	int listener = new_listener(B, MANY), fds[MANY], i;
	struct nl_req req;
	struct nl narrow;
	bool more = true;

	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 100));
	ASSERT_TRUE(wait_vcs(&self->nl, 0));
	for (i = 0; i < MANY; i++) {
		fds[i] = open_connection(A, listener);
		ASSERT_LE(0, fds[i]) TH_LOG("connection %d: %s", i, strerror(errno));
	}
	EXPECT_EQ(MANY, link_vcs(&self->nl));
	ASSERT_EQ(0, nl_dump(&self->nl, ST_CMD_VC_GET, &self->answer));
	EXPECT_EQ(MANY, self->answer.n);
	EXPECT_FALSE(interrupted(&self->answer));
	EXPECT_LT(1, self->answer.datagrams);
	for (i = 0; i < MANY; i++)
		ASSERT_EQ(1, told(&self->answer, cookie_of(fds[i]))) TH_LOG("connection %d", i);
	nl_free(&self->answer);

	/* Some disappear while the others are dumped, a few at a time */
	ASSERT_TRUE(enter(A));
	ASSERT_TRUE(nl_open_narrow(&narrow, NARROW));
	nl_begin(&narrow, &req, ST_CMD_VC_GET, true);
	ASSERT_EQ(0, nl_send(&narrow, &req));
	ASSERT_EQ(0, nl_next(&narrow, &self->answer, &more));
	ASSERT_TRUE(more);
	for (i = FEWER; i < MANY; i++)
		close(fds[i]);
	ASSERT_TRUE(wait_vcs(&self->nl, FEWER));
	while (more)
		ASSERT_EQ(0, nl_next(&narrow, &self->answer, &more));
	EXPECT_LT(10, self->answer.datagrams);
	EXPECT_FALSE(interrupted(&self->answer));
	for (i = 0; i < FEWER; i++)
		ASSERT_EQ(1, told(&self->answer, cookie_of(fds[i]))) TH_LOG("connection %d", i);

	/* A reader that goes away in the middle leaves nothing behind */
	nl_begin(&narrow, &req, ST_CMD_VC_GET, true);
	ASSERT_EQ(0, nl_send(&narrow, &req));
	nl_close(&narrow);
	for (i = 0; i < FEWER; i++)
		close(fds[i]);
	close(listener);
	EXPECT_TRUE(wait_vcs(&self->nl, 0));
}

/* Their table is enlarged half way, and all of them are dumped again. */
TEST_F_TIMEOUT(dump, table_grows, 240)
{
	int listener = new_listener(B, MANY), fds[MANY], i;
	struct nl_req req;
	struct nl narrow;
	bool more = true;

	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 1000));
	for (i = 0; i < MANY; i++) {
		if (i == MANY / 2) {
			ASSERT_TRUE(enter(A));
			ASSERT_TRUE(nl_open_narrow(&narrow, NARROW));
			nl_begin(&narrow, &req, ST_CMD_VC_GET, true);
			ASSERT_EQ(0, nl_send(&narrow, &req));
			ASSERT_EQ(0, nl_next(&narrow, &self->answer, &more));
			ASSERT_TRUE(more);
		}
		fds[i] = open_connection(A, listener);
		ASSERT_LE(0, fds[i]) TH_LOG("connection %d: %s", i, strerror(errno));
	}
	while (more)
		ASSERT_EQ(0, nl_next(&narrow, &self->answer, &more));
	nl_close(&narrow);
	for (i = 0; i < MANY / 2; i++) {
		ASSERT_LE(1, told(&self->answer, cookie_of(fds[i]))) TH_LOG("connection %d", i);
		if (!interrupted(&self->answer))
			ASSERT_EQ(1, told(&self->answer, cookie_of(fds[i])));
	}
	for (i = 0; i < MANY; i++)
		close(fds[i]);
	close(listener);
	EXPECT_TRUE(wait_vcs(&self->nl, 0));
}

TEST_HARNESS_MAIN
