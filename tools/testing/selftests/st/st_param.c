// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters of a namespace, and the permission to set them.
 */
#include <errno.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"

FIXTURE(param)
{
};

FIXTURE_SETUP(param)
{
	ASSERT_TRUE(set_up());
}

FIXTURE_TEARDOWN(param)
{
	set_up();
}

FIXTURE_VARIANT(param)
{
	const char *name;
	long long value;
	long long min;
	long long max;
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

TEST_F(param, limits)
{
	long long good[] = { variant->max, variant->min }, wrong[] = {
		variant->max + 1, variant->min - 1, variant->max + (1LL << 32),
	};
	size_t i;

	ASSERT_EQ(variant->value, sysctl_get(A, variant->name));
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		ASSERT_TRUE(sysctl_set(A, variant->name, good[i]));
		EXPECT_EQ(good[i], sysctl_get(A, variant->name));
	}
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		errno = 0;
		EXPECT_FALSE(sysctl_set(A, variant->name, wrong[i]));
		EXPECT_EQ(EINVAL, errno);
		EXPECT_EQ(variant->min, sysctl_get(A, variant->name));
	}
	EXPECT_EQ(variant->value, sysctl_get(B, variant->name));
}

/* Result of @run as user nobody, in a separate process. */
static int as_nobody(int (*run)(const char *name, long long value), const char *name,
		     long long value)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (!become_nobody())
			_exit(1);
		_exit(run(name, value));
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int may_look_only(const char *name, long long value)
{
	if (sysctl_here_get(name) != value)
		return 3;
	return sysctl_here_set(name, value) || errno != EACCES ? 4 : 0;
}

/* The creator of the namespace may set its parameters. */
static int own_namespace(const char *name, long long value)
{
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET))
		return 2;
	return !sysctl_here_set(name, value) || sysctl_here_get(name) != value ? 3 : 0;
}

TEST_F(param, rights)
{
	ASSERT_TRUE(enter(A));
	EXPECT_EQ(0, as_nobody(may_look_only, variant->name, variant->value));
	EXPECT_EQ(0, as_nobody(own_namespace, variant->name, variant->min));
	EXPECT_EQ(variant->value, sysctl_get(A, variant->name));
}

TEST_HARNESS_MAIN
