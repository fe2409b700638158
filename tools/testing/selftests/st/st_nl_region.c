// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family "st": memory regions agree with the state of both
 * ends.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>

#include "kselftest_harness.h"

#include "nl.h"
#include "region_fixture.h"

#define OFFERED		8192
#define ASKED		5000
#define MANY		64	/* regions, more than one message holds */
#define NARROW		4096	/* buffer size of a reader that receives little at a time */

/* A dump in the namespace of a side, with one number as its filter. */
static int regions_only(int side, int attr, __u32 value, size_t size, struct nl_answer *answer)
{
	struct nl nl;
	int err;

	if (!enter(side) || !nl_open(&nl))
		return -1;
	err = nl_filter(&nl, ST_CMD_REGION_GET, attr, value, size, answer);
	nl_close(&nl);
	return err;
}

/* A region of this socket in the answer, or NULL. */
static const struct nl_msg *find(const struct nl_answer *answer, int fd, long handle)
{
	const struct nl_msg *msg;
	size_t i;

	for (i = 0; i < answer->n; i++) {
		msg = &answer->msg[i];
		if (nl_number(msg->tb[ST_A_REGION_COOKIE]) == cookie_of(fd) &&
		    nl_number(msg->tb[ST_A_REGION_ID]) == (__u64)handle)
			return msg;
	}
	return NULL;
}

static const struct nl_msg *told(int side, int fd, long handle, struct nl_answer *answer)
{
	return regions_only(side, 0, 0, 0, answer) ? NULL : find(answer, fd, handle);
}

/* Number of regions of the connection that a side reports, or -1. */
static long count(int side, int fd)
{
	struct nl_answer answer = { 0 };
	long n = -1;

	if (!regions_only(side, ST_A_REGION_LOCAL_PORT, port_of(fd), 2, &answer))
		n = answer.n;
	nl_free(&answer);
	return n;
}

static bool wait_count(int side, int fd, long n)
{
	long long end = now_ms() + 6 * SOON_MS;

	while (count(side, fd) != n) {
		if (now_ms() > end)
			return false;
		usleep(10000);
	}
	return true;
}

static __u64 state_of(const struct nl_msg *msg)
{
	return msg ? nl_number(msg->tb[ST_A_REGION_STATE]) : ~0ULL;
}

/* The state that a side reports, or ~0 if it does not know the region. */
static __u64 state_at(int side, int fd, long handle)
{
	struct nl_answer answer = { 0 };
	__u64 state = state_of(told(side, fd, handle, &answer));

	nl_free(&answer);
	return state;
}

/* Constant attributes of a region, and its counters of operations. */
static void check_region(struct __test_metadata *_metadata, const struct nl_msg *msg,
			 const int fds[2], const long handles[2], int side)
{
	struct st_region_info info;

	ASSERT_EQ(0, region_info(fds[side], handles[side], &info));
	EXPECT_EQ(ST_CMD_REGION_GET, msg->cmd);
	EXPECT_EQ(port_of(fds[side]), nl_number(msg->tb[ST_A_REGION_LOCAL_PORT]));
	EXPECT_EQ(port_of(fds[!side]), nl_number(msg->tb[ST_A_REGION_REMOTE_PORT]));
	EXPECT_EQ((__u64)sides[side].ifindex, nl_number(msg->tb[ST_A_REGION_IFINDEX]));
	EXPECT_EQ(side == B ? ST_REGION_KIND_LENT : ST_REGION_KIND_BORROWED,
		  nl_number(msg->tb[ST_A_REGION_KIND]));
	EXPECT_EQ(side == B ? OFFERED : ASKED, nl_number(msg->tb[ST_A_REGION_LENGTH]));
	EXPECT_EQ(info.puts, nl_number(msg->tb[ST_A_REGION_PUTS]));
	EXPECT_EQ(info.gets, nl_number(msg->tb[ST_A_REGION_GETS]));
	EXPECT_EQ(info.fetchops, nl_number(msg->tb[ST_A_REGION_FETCHOPS]));
	EXPECT_EQ(0, nl_number(msg->tb[ST_A_REGION_OUTSTANDING]));
	EXPECT_EQ(NULL, msg->tb[ST_A_REGION_MAPPED]);
	EXPECT_EQ(side == A, !msg->tb[ST_A_REGION_ACCESS]);
	if (side == B)
		EXPECT_EQ(ST_REGION_ACCESS_PUT | ST_REGION_ACCESS_GET | ST_REGION_ACCESS_FETCHOP,
			  nl_number(msg->tb[ST_A_REGION_ACCESS]));
}

TEST_F(region, from_the_offer_to_the_end)
{
	struct nl_answer answer = { 0 };
	const struct nl_msg *msg;
	long handles[2];
	__u64 value;
	int side;

	handles[B] = region_expose(self->fds[B], self->mem, OFFERED, ALL);
	ASSERT_LE(0, handles[B]);
	msg = told(B, self->fds[B], handles[B], &answer);
	ASSERT_NE(NULL, msg);
	check_region(_metadata, msg, self->fds, handles, B);
	EXPECT_EQ(ST_REGION_STATE_OFFERED, state_of(msg));
	EXPECT_EQ(NULL, msg->tb[ST_A_REGION_REMOTE_ID]);
	EXPECT_EQ(NULL, msg->tb[ST_A_REGION_SIZE]);
	EXPECT_EQ(0, nl_number(msg->tb[ST_A_REGION_PUTS]));
	EXPECT_EQ(0, count(A, self->fds[A]));

	handles[A] = region_request(self->fds[A], ASKED, 0);
	ASSERT_LE(0, handles[A]);
	for (side = 0; side < 3; side++)
		ASSERT_EQ(1000, region_put(self->fds[A], handles[A], side, self->buf, 1000,
					   side ? 0 : ST_PUT_SILENT));
	for (side = 0; side < 2; side++)
		ASSERT_EQ(ASKED, region_get(self->fds[A], handles[A], 0, self->buf, ASKED));
	ASSERT_EQ(8, region_fetch(self->fds[A], handles[A], 8, ST_FETCH_INCREMENT, &value));
	for (side = A; side <= B; side++) {
		msg = told(side, self->fds[side], handles[side], &answer);
		ASSERT_NE(NULL, msg);
		check_region(_metadata, msg, self->fds, handles, side);
		EXPECT_EQ(ST_REGION_STATE_GRANTED, state_of(msg));
		EXPECT_EQ((__u64)handles[!side], nl_number(msg->tb[ST_A_REGION_REMOTE_ID]));
		EXPECT_EQ(ASKED, nl_number(msg->tb[ST_A_REGION_SIZE]));
		EXPECT_EQ(3, nl_number(msg->tb[ST_A_REGION_PUTS]));
		EXPECT_EQ(2, nl_number(msg->tb[ST_A_REGION_GETS]));
		EXPECT_EQ(1, nl_number(msg->tb[ST_A_REGION_FETCHOPS]));
		EXPECT_EQ(1, count(side, self->fds[side]));
	}

	ASSERT_EQ(0, region_option(self->fds[A], ST_REGION_END, handles[A]));
	EXPECT_TRUE(wait_count(A, self->fds[A], 0));
	EXPECT_TRUE(wait_count(B, self->fds[B], 0));
	nl_free(&answer);
}

TEST_F(region, the_kind_of_memory_and_access)
{
	struct st_region_offer offer = { .len = 4096, .access = ST_REGION_GET };
	struct nl_answer answer = { 0 };
	const struct nl_msg *msg;
	long handle;

	ASSERT_EQ(0, region_offer(self->fds[B], SIOCSTALLOC, &offer));
	handle = region_expose(self->fds[B], self->mem, 1, ST_REGION_PUT | ST_REGION_FETCHOP);
	ASSERT_LE(0, handle);
	msg = told(B, self->fds[B], offer.region, &answer);
	ASSERT_NE(NULL, msg);
	EXPECT_NE(NULL, msg->tb[ST_A_REGION_MAPPED]);
	EXPECT_EQ(ST_REGION_ACCESS_GET, nl_number(msg->tb[ST_A_REGION_ACCESS]));
	EXPECT_EQ(4096, nl_number(msg->tb[ST_A_REGION_LENGTH]));
	msg = find(&answer, self->fds[B], handle);
	ASSERT_NE(NULL, msg);
	EXPECT_EQ(NULL, msg->tb[ST_A_REGION_MAPPED]);
	EXPECT_EQ(ST_REGION_ACCESS_PUT | ST_REGION_ACCESS_FETCHOP,
		  nl_number(msg->tb[ST_A_REGION_ACCESS]));
	EXPECT_EQ(1, nl_number(msg->tb[ST_A_REGION_LENGTH]));
	/* A withdrawn offer disappears at once. */
	ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_END, handle));
	EXPECT_EQ(1, count(B, self->fds[B]));
	nl_free(&answer);
}

TEST_F(region, a_request_that_waits)
{
	struct nl_answer answer = { 0 };
	const struct nl_msg *msg;
	struct st_event event;
	long handle;

	ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_EVENTS, ST_REGION_EV_REQUEST));
	handle = region_request(self->fds[A], ASKED, ST_REGION_NOWAIT);
	ASSERT_LE(0, handle);
	ASSERT_TRUE(region_next_event(self->fds[B], ST_EVENT_REGION_REQUEST, &event));
	msg = told(A, self->fds[A], handle, &answer);
	ASSERT_NE(NULL, msg);
	EXPECT_EQ(ST_REGION_STATE_REQUESTED, state_of(msg));
	EXPECT_EQ(ST_REGION_KIND_BORROWED, nl_number(msg->tb[ST_A_REGION_KIND]));
	EXPECT_EQ(ASKED, nl_number(msg->tb[ST_A_REGION_LENGTH]));
	EXPECT_EQ(NULL, msg->tb[ST_A_REGION_REMOTE_ID]);
	EXPECT_EQ(NULL, msg->tb[ST_A_REGION_SIZE]);
	EXPECT_EQ(0, count(B, self->fds[B]));
	ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_REFUSE, event.id));
	ASSERT_TRUE(region_next_event(self->fds[A], ST_EVENT_REGION_READY, &event));
	EXPECT_EQ(0, count(A, self->fds[A]));
	nl_free(&answer);
}

/* With the cable unplugged an End is not acknowledged, and no operation is answered. */
TEST_F_TIMEOUT(region, what_is_not_answered, 100)
{
	struct st_fetchop op = { .op = ST_FETCH_INCREMENT };
	struct nl_answer answer = { 0 };
	const struct nl_msg *msg;
	long one[2], two[2];
	unsigned int i;

	ASSERT_TRUE(sysctl_set(A, "max_retry", 255) && sysctl_set(B, "max_retry", 255));
	ASSERT_TRUE(grant(self->fds, self->mem, OFFERED, ALL, one));
	ASSERT_TRUE(grant(self->fds, self->mem, OFFERED, ALL, two));
	ASSERT_TRUE(fault_set(0, "unplug", "1"));
	op.region = one[A];
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, region_post(self->fds[A], ST_FETCHOP, &op, sizeof(op), NULL, 0));
	msg = told(A, self->fds[A], one[A], &answer);
	ASSERT_NE(NULL, msg);
	EXPECT_EQ(3, nl_number(msg->tb[ST_A_REGION_OUTSTANDING]));
	EXPECT_EQ(0, nl_number(msg->tb[ST_A_REGION_FETCHOPS]));
	msg = find(&answer, self->fds[A], two[A]);
	ASSERT_NE(NULL, msg);
	EXPECT_EQ(0, nl_number(msg->tb[ST_A_REGION_OUTSTANDING]));

	ASSERT_EQ(0, region_option(self->fds[A], ST_REGION_END, one[A]));
	ASSERT_EQ(0, region_option(self->fds[B], ST_REGION_END, two[B]));
	EXPECT_EQ(ST_REGION_STATE_GRANTED, state_at(B, self->fds[B], one[B]));
	EXPECT_EQ(ST_REGION_STATE_GRANTED, state_at(A, self->fds[A], two[A]));
	msg = told(A, self->fds[A], one[A], &answer);
	ASSERT_NE(NULL, msg);
	EXPECT_EQ(ST_REGION_STATE_ENDING, state_of(msg));
	EXPECT_EQ((__u64)one[B], nl_number(msg->tb[ST_A_REGION_REMOTE_ID]));
	EXPECT_EQ(0, nl_number(msg->tb[ST_A_REGION_OUTSTANDING]));
	msg = told(B, self->fds[B], two[B], &answer);
	ASSERT_NE(NULL, msg);
	EXPECT_EQ(ST_REGION_STATE_ENDING, state_of(msg));
	EXPECT_EQ((__u64)two[A], nl_number(msg->tb[ST_A_REGION_REMOTE_ID]));
	EXPECT_EQ(OFFERED, nl_number(msg->tb[ST_A_REGION_SIZE]));

	ASSERT_TRUE(fault_set(0, "unplug", "0"));
	EXPECT_TRUE(wait_count(A, self->fds[A], 0));
	EXPECT_TRUE(wait_count(B, self->fds[B], 0));
	nl_free(&answer);
}

TEST_F(region, filters)
{
	struct nl_answer answer = { 0 };
	long handles[2], other;
	int others[2];

	ASSERT_TRUE(new_pair(others));
	ASSERT_TRUE(grant(self->fds, self->mem, OFFERED, ALL, handles));
	other = region_expose(others[A], self->buf, 1, ALL);
	ASSERT_LE(0, other);
	EXPECT_NE(NULL, told(A, self->fds[A], handles[A], &answer));
	EXPECT_NE(NULL, find(&answer, others[A], other));
	EXPECT_EQ(NULL, find(&answer, self->fds[B], handles[B]));
	ASSERT_EQ(0, regions_only(A, ST_A_REGION_LOCAL_PORT, port_of(others[A]), 2, &answer));
	EXPECT_EQ(1, answer.n);
	EXPECT_NE(NULL, find(&answer, others[A], other));
	ASSERT_EQ(0, regions_only(A, ST_A_REGION_IFINDEX, sides[A].ifindex, 4, &answer));
	EXPECT_NE(NULL, find(&answer, self->fds[A], handles[A]));
	EXPECT_NE(NULL, find(&answer, others[A], other));
	ASSERT_EQ(0, regions_only(A, ST_A_REGION_IFINDEX, 99999, 4, &answer));
	EXPECT_EQ(0, answer.n);
	EXPECT_EQ(ERANGE, regions_only(A, ST_A_REGION_IFINDEX, 0, 4, &answer));
	EXPECT_EQ(EINVAL, regions_only(A, ST_A_REGION_KIND, 1, 4, &answer));
	nl_free(&answer);
	close(others[A]);
	close(others[B]);
}

/* The number of regions that a namespace without any reports, or -1. */
static int elsewhere(void)
{
	struct nl_answer answer;
	struct nl nl;

	if (unshare(CLONE_NEWNET) || !nl_open(&nl) || nl_dump(&nl, ST_CMD_REGION_GET, &answer))
		return -1;
	return answer.n;
}

TEST_F(region, another_namespace_is_told_nothing)
{
	long handles[2];
	int status;
	pid_t pid;

	ASSERT_TRUE(grant(self->fds, self->mem, OFFERED, ALL, handles));
	pid = fork();
	if (!pid)
		_exit(elsewhere());
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

/* Counts how often a region is in the dump. */
static unsigned int times(const struct nl_answer *answer, long handle)
{
	unsigned int n = 0;
	size_t i;

	for (i = 0; i < answer->n; i++)
		n += nl_number(answer->msg[i].tb[ST_A_REGION_ID]) == (__u64)handle;
	return n;
}

/* Both kinds in one connection, some of which disappear during the dump. */
TEST_F_TIMEOUT(region, more_than_a_message_holds, 100)
{
	int other_way[2] = { self->fds[B], self->fds[A] };
	long lent[MANY], borrowed[MANY], handles[2];
	struct nl_answer answer = { 0 };
	size_t first, i;
	struct nl_req req;
	bool more = true;
	__u64 last = 0;
	struct nl nl;

	ASSERT_TRUE(sysctl_set(A, "conn_regions", MANY) && sysctl_set(B, "conn_regions", MANY));
	for (i = 0; i < MANY; i++) {
		ASSERT_TRUE(grant(other_way, self->buf + i, 1, ALL, handles));
		lent[i] = handles[B];
		ASSERT_TRUE(grant(self->fds, self->mem + i, 1, ALL, handles));
		borrowed[i] = handles[A];
	}
	ASSERT_EQ(2 * MANY, count(A, self->fds[A]));
	ASSERT_TRUE(enter(A));
	ASSERT_TRUE(nl_open_narrow(&nl, NARROW));
	nl_begin(&nl, &req, ST_CMD_REGION_GET, true);
	/* Regions of earlier tests may still exist, with the same identifiers */
	mnl_attr_put_u16(req.nlh, ST_A_REGION_LOCAL_PORT, port_of(self->fds[A]));
	ASSERT_EQ(0, nl_send(&nl, &req));
	ASSERT_EQ(0, nl_next(&nl, &answer, &more));
	ASSERT_TRUE(more);
	first = answer.n;
	ASSERT_GE(MANY, 2 * first + 2);

	/* The kernel is a message ahead: delete the last one dumped, and some after it */
	for (i = first; i < 2 * first + 2; i++)
		ASSERT_EQ(0, region_option(self->fds[A], ST_REGION_END, lent[i]));
	ASSERT_TRUE(wait_count(A, self->fds[A], 2 * MANY - first - 2));
	while (more)
		ASSERT_EQ(0, nl_next(&nl, &answer, &more));
	nl_close(&nl);
	EXPECT_LT(3, answer.datagrams);
	for (i = 0; i < MANY; i++) {
		ASSERT_EQ(1, times(&answer, borrowed[i])) TH_LOG("borrowed %zu", i);
		ASSERT_EQ(i < 2 * first || i >= 2 * first + 2, times(&answer, lent[i]))
			TH_LOG("lent %zu", i);
	}
	/* Lent regions come first, and the oldest of each kind. */
	for (i = 0; i < answer.n; i++) {
		if (i == answer.n - MANY)
			last = 0;
		EXPECT_EQ(i < answer.n - MANY ? ST_REGION_KIND_LENT : ST_REGION_KIND_BORROWED,
			  nl_number(answer.msg[i].tb[ST_A_REGION_KIND]));
		EXPECT_LT(last, nl_number(answer.msg[i].tb[ST_A_REGION_ID]));
		last = nl_number(answer.msg[i].tb[ST_A_REGION_ID]);
	}
	nl_free(&answer);
}

TEST_HARNESS_MAIN
