// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family "st": parameters of a namespace, who may set them,
 * and events.
 */
#include <errno.h>
#include <grp.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"
#include "nl.h"

#define NOBODY		65534

FIXTURE(param)
{
	struct nl nl[2];
	struct nl_answer answer;
};

FIXTURE_SETUP(param)
{
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(nl_open_sides(self->nl));
	memset(&self->answer, 0, sizeof(self->answer));
}

FIXTURE_TEARDOWN(param)
{
	nl_free(&self->answer);
	nl_close_sides(self->nl);
	set_up();
}

static int set_param(struct nl *nl, const char *name, __u64 value)
{
	struct nl_answer answer;
	struct nl_req req;
	int error;

	nl_begin(nl, &req, ST_CMD_PARAM_SET, false);
	mnl_attr_put_strz(req.nlh, ST_A_PARAM_NAME, name);
	if (value > UINT32_MAX)
		mnl_attr_put_u64(req.nlh, ST_A_PARAM_VALUE, value);
	else
		mnl_attr_put_u32(req.nlh, ST_A_PARAM_VALUE, value);
	error = nl_ask(nl, &req, &answer);
	nl_free(&answer);
	return error;
}

static int get_param(struct nl *nl, const char *name, struct nl_answer *answer)
{
	struct nl_req req;

	nl_free(answer);
	nl_begin(nl, &req, ST_CMD_PARAM_GET, false);
	mnl_attr_put_strz(req.nlh, ST_A_PARAM_NAME, name);
	return nl_ask(nl, &req, answer);
}

/* The value that netlink tells, or ~0. */
static __u64 value_of(struct nl *nl, const char *name)
{
	struct nl_answer answer = { 0 };
	__u64 value = ~0ULL;

	if (!get_param(nl, name, &answer) && answer.n == 1)
		value = nl_number(answer.msg[0].tb[ST_A_PARAM_VALUE]);
	nl_free(&answer);
	return value;
}

FIXTURE_VARIANT(param)
{
	const char *name;
	__u64 value;
	__u64 min;
	__u64 max;
};

FIXTURE_VARIANT_ADD(param, op_timeout_ms)
{
	.name = "op_timeout_ms", .value = 1000, .min = 10, .max = 600000,
};

FIXTURE_VARIANT_ADD(param, max_retry)
{
	.name = "max_retry", .value = 8, .min = 0, .max = 255,
};

FIXTURE_VARIANT_ADD(param, max_transfer)
{
	.name = "max_transfer", .value = 1 << 30, .min = 4096, .max = 2147479552,
};

FIXTURE_VARIANT_ADD(param, checksum)
{
	.name = "checksum", .value = 1, .min = 0, .max = 1,
};

TEST_F(param, get)
{
	const struct nl_msg *msg;
	size_t i;

	ASSERT_EQ(0, get_param(&self->nl[A], variant->name, &self->answer));
	ASSERT_EQ(1, self->answer.n);
	msg = &self->answer.msg[0];
	EXPECT_EQ(ST_CMD_PARAM_GET, msg->cmd);
	EXPECT_TRUE(nl_text_is(msg->tb[ST_A_PARAM_NAME], variant->name));
	EXPECT_EQ(variant->value, nl_number(msg->tb[ST_A_PARAM_VALUE]));
	EXPECT_EQ(variant->min, nl_number(msg->tb[ST_A_PARAM_MIN_VALUE]));
	EXPECT_EQ(variant->max, nl_number(msg->tb[ST_A_PARAM_MAX_VALUE]));

	/* It is among all of them, once */
	nl_free(&self->answer);
	ASSERT_EQ(0, nl_dump(&self->nl[A], ST_CMD_PARAM_GET, &self->answer));
	for (i = 0, msg = NULL; i < self->answer.n; i++) {
		if (!nl_text_is(self->answer.msg[i].tb[ST_A_PARAM_NAME], variant->name))
			continue;
		EXPECT_EQ(NULL, msg);
		msg = &self->answer.msg[i];
	}
	ASSERT_NE(NULL, msg);
	EXPECT_EQ(variant->value, nl_number(msg->tb[ST_A_PARAM_VALUE]));
}

TEST_F(param, limits)
{
	__u64 good[] = { variant->max, variant->min }, wrong[] = {
		variant->max + 1, variant->min - 1, variant->max + (1ULL << 32),
	};
	struct nl *nl = &self->nl[A];
	char said[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		ASSERT_EQ(0, set_param(nl, variant->name, good[i]));
		EXPECT_EQ(good[i], value_of(nl, variant->name));
		EXPECT_EQ((long)good[i], sysctl_get(A, variant->name));
	}
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		EXPECT_EQ(ERANGE, set_param(nl, variant->name, wrong[i]));
		snprintf(said, sizeof(said), "%s is %llu to %llu, not %llu", variant->name,
			 variant->min, variant->max, wrong[i]);
		EXPECT_STREQ(said, nl->said);
		EXPECT_FALSE(sysctl_set(A, variant->name, wrong[i]));
		EXPECT_EQ(variant->min, value_of(nl, variant->name));
	}
	EXPECT_EQ(variant->value, value_of(&self->nl[B], variant->name));
}

TEST_F(param, sysctl_is_told)
{
	__u64 other = variant->value == variant->max ? variant->min : variant->max;

	ASSERT_TRUE(sysctl_set(B, variant->name, other));
	EXPECT_EQ(other, value_of(&self->nl[B], variant->name));
	EXPECT_EQ(variant->value, value_of(&self->nl[A], variant->name));
}

TEST_F(param, events)
{
	__u64 other = variant->value == variant->max ? variant->min : variant->max;
	struct nl *nl = &self->nl[A];
	struct nl_answer event;
	struct nl listener;
	int round;

	ASSERT_TRUE(enter(A));
	ASSERT_TRUE(nl_open(&listener));
	ASSERT_TRUE(nl_join(&listener));
	for (round = 0; round < 2; round++) {
		__u64 value = round ? variant->value : other;

		ASSERT_TRUE(round ? sysctl_set(A, variant->name, value) :
				    !set_param(nl, variant->name, value));
		ASSERT_TRUE(nl_event(&listener, &event, SOON_MS));
		EXPECT_EQ(ST_CMD_PARAM_CHANGE_NTF, event.msg[0].cmd);
		EXPECT_TRUE(nl_text_is(event.msg[0].tb[ST_A_PARAM_NAME], variant->name));
		EXPECT_EQ(value, nl_number(event.msg[0].tb[ST_A_PARAM_VALUE]));
		EXPECT_EQ(variant->min, nl_number(event.msg[0].tb[ST_A_PARAM_MIN_VALUE]));
		EXPECT_EQ(variant->max, nl_number(event.msg[0].tb[ST_A_PARAM_MAX_VALUE]));
		nl_free(&event);
	}
	/* The same again, a refused one and one of the other side are no changes */
	ASSERT_EQ(0, set_param(nl, variant->name, variant->value));
	ASSERT_TRUE(sysctl_set(A, variant->name, variant->value));
	EXPECT_EQ(ERANGE, set_param(nl, variant->name, variant->max + 1));
	ASSERT_EQ(0, set_param(&self->nl[B], variant->name, other));
	EXPECT_FALSE(nl_event(&listener, &event, BRIEF_MS));
	nl_close(&listener);
}

/* What @run returns as user nobody, in a process of its own. */
static int as_nobody(int (*run)(const char *name, __u64 value), const char *name, __u64 value)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
		    setresuid(NOBODY, NOBODY, NOBODY))
			_exit(1);
		_exit(run(name, value));
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int may_look_only(const char *name, __u64 value)
{
	struct nl nl;

	if (!nl_open(&nl))
		return 2;
	if (value_of(&nl, name) != value)
		return 3;
	return set_param(&nl, name, value) == EPERM ? 0 : 4;
}

/* Who made the namespace may set what is in it. */
static int own_namespace(const char *name, __u64 value)
{
	struct nl nl;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNET) || !nl_open(&nl))
		return 2;
	return set_param(&nl, name, value) || value_of(&nl, name) != value ? 3 : 0;
}

TEST_F(param, rights)
{
	ASSERT_TRUE(enter(A));
	EXPECT_EQ(0, as_nobody(may_look_only, variant->name, variant->value));
	EXPECT_EQ(0, as_nobody(own_namespace, variant->name, variant->min));
	EXPECT_EQ(variant->value, value_of(&self->nl[A], variant->name));
}

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
	static const __u8 cmds[] = { ST_CMD_PARAM_CHANGE_NTF, ST_CMD_VC_ESTABLISHED_NTF };
	struct nl_answer event;
	struct nl member[2];
	int fds[2], i;

	ASSERT_TRUE(enter(A));
	for (i = 0; i < 2; i++) {
		ASSERT_TRUE(nl_open(&member[i]));
		ASSERT_TRUE(nl_join_group(&member[i], i));
	}
	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 777));
	ASSERT_TRUE(new_pair(fds));
	for (i = 0; i < 2; i++) {
		ASSERT_TRUE(nl_event(&member[i], &event, 4 * SOON_MS));
		EXPECT_EQ(cmds[i], event.msg[0].cmd);
		nl_free(&event);
		EXPECT_FALSE(nl_event(&member[i], &event, BRIEF_MS));
		nl_close(&member[i]);
	}
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
	ASSERT_TRUE(nl_event(&self->nl[A], &event, SOON_MS));
	EXPECT_EQ(ST_CMD_PARAM_CHANGE_NTF, event.msg[0].cmd);
	nl_free(&event);

	ASSERT_TRUE(fault_set(0, "unplug", "1"));
	EXPECT_ERRNO(ETIMEDOUT, send(fds[A], &byte, 1, MSG_NOSIGNAL));
	ASSERT_TRUE(nl_event(&self->nl[A], &event, SOON_MS));
	/* The medium goes first */
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

TEST_F_TIMEOUT(event, wrong_requests, 60)
{
	static const char long_name[] = "a_name_that_is_longer_than_any_parameter";
	struct nl *nl = &self->nl[A];
	struct nl_req req;

	EXPECT_EQ(ENOENT, set_param(nl, "nonsense", 1));
	EXPECT_STREQ("there is no such parameter", nl->said);
	EXPECT_EQ(ENOENT, get_param(nl, "max_retr", &self->answer));
	EXPECT_EQ(EINVAL, get_param(nl, long_name, &self->answer));

	nl_begin(nl, &req, ST_CMD_PARAM_SET, false);
	mnl_attr_put_strz(req.nlh, ST_A_PARAM_NAME, "max_retry");
	EXPECT_EQ(EINVAL, nl_ask(nl, &req, &self->answer));
	nl_begin(nl, &req, ST_CMD_PARAM_SET, false);
	mnl_attr_put_u32(req.nlh, ST_A_PARAM_VALUE, 1);
	EXPECT_EQ(EINVAL, nl_ask(nl, &req, &self->answer));
	nl_begin(nl, &req, ST_CMD_PARAM_GET, false);
	EXPECT_EQ(EINVAL, nl_ask(nl, &req, &self->answer));
	nl_begin(nl, &req, ST_CMD_PARAM_SET, false);
	mnl_attr_put_strz(req.nlh, ST_A_PARAM_NAME, "max_retry");
	mnl_attr_put_u16(req.nlh, ST_A_PARAM_VALUE, 1);
	EXPECT_EQ(EINVAL, nl_ask(nl, &req, &self->answer));
	/* Events are no requests; counters are no dump, and the others nothing else */
	nl_begin(nl, &req, ST_CMD_LINK_ADD_NTF, false);
	EXPECT_EQ(EOPNOTSUPP, nl_ask(nl, &req, &self->answer));
	nl_begin(nl, &req, ST_CMD_COUNTERS_GET, true);
	EXPECT_EQ(EOPNOTSUPP, nl_ask(nl, &req, &self->answer));
	nl_begin(nl, &req, ST_CMD_VC_GET, false);
	EXPECT_EQ(EOPNOTSUPP, nl_ask(nl, &req, &self->answer));
	EXPECT_EQ(8, value_of(nl, "max_retry"));
}

TEST_HARNESS_MAIN
