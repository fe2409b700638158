// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/fcvi with connections: every outcome of a setup, what interrupts a wait, and what is lost
 * when a process goes away.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "dev_side.h"

#define HOST_A	"fd09::1"
#define HOST_B	"fd09::2"
#define MS	10000

FIXTURE(conn)
{
	struct side a, b;
	uint32_t vi_a, vi_b;
};

FIXTURE_SETUP(conn)
{
	ASSERT_TRUE(side_open(&self->a, "a", "veth0"));
	ASSERT_TRUE(side_open(&self->b, "b", "veth1"));
	self->vi_a = new_vi(&self->a, FCVI_DEV_RD);
	self->vi_b = new_vi(&self->b, FCVI_DEV_RD);
	ASSERT_NE(0, self->vi_a);
	ASSERT_NE(0, self->vi_b);
}

FIXTURE_TEARDOWN(conn)
{
	side_close(&self->a);
	side_close(&self->b);
}

static uint32_t state(struct side *s, uint32_t vi)
{
	struct fcvi_dev_vi q = { .vi = vi };

	return call(s->fd, FCVI_IOC_VI_QUERY, &q) ? ~0U : q.state;
}

TEST_F(conn, accepted)
{
	struct fcvi_dev_vi q = { .vi = self->vi_b };
	struct fcvi_dev_addr from = make_addr(HOST_A, "local");
	struct fcvi_dev_event event;

	ASSERT_TRUE(join_vis(&self->a, self->vi_a, &self->b, self->vi_b, "server"));
	EXPECT_EQ(-ENOTCONN, outcome(&self->a, self->vi_a));
	EXPECT_EQ(0, call(self->b.fd, FCVI_IOC_VI_QUERY, &q));
	EXPECT_EQ(FCVI_DEV_CONNECTED, q.state);
	EXPECT_EQ(0, memcmp(&from, &q.rem, sizeof(from)));
	EXPECT_EQ(31, q.rmt_attrs.pipeline_depth);
	EXPECT_EQ(0, q.rmt_attrs.tag);
	EXPECT_EQ(-EISCONN, call(self->b.fd, FCVI_IOC_VI_DESTROY, &q));
	EXPECT_EQ(-EISCONN, call(self->b.fd, FCVI_IOC_VI_CHANGE, &q));
	EXPECT_EQ(-EISCONN, begin_connect(&self->b, q.vi, HOST_B, HOST_A, "x", 0, MS));
	EXPECT_EQ(0, disconnect(&self->a, self->vi_a));
	EXPECT_EQ(FCVI_DEV_IDLE, state(&self->a, self->vi_a));
	ASSERT_TRUE(next_event(&self->b, &event, MS));
	EXPECT_EQ(FCVI_DEV_ERR_CONN_LOST, event.code);
	EXPECT_EQ(FCVI_DEV_RES_VI, event.resource);
	EXPECT_EQ(self->vi_b, event.vi);
	EXPECT_EQ(SIDE_USER | self->b.fd, event.vi_user);
	EXPECT_EQ(FCVI_DEV_ERROR, state(&self->b, self->vi_b));
	EXPECT_EQ(0, disconnect(&self->b, self->vi_b));
	EXPECT_FALSE(next_event(&self->a, &event, 0));
	/* And once more */
	EXPECT_TRUE(join_vis(&self->a, self->vi_a, &self->b, self->vi_b, "server"));
}

TEST_F(conn, refused)
{
	uint32_t request;

	EXPECT_EQ(-EADDRNOTAVAIL, begin_connect(&self->a, self->vi_a, HOST_B, HOST_B, "x", 0, MS));
	EXPECT_EQ(-EINVAL, begin_connect(&self->a, self->vi_a, HOST_A, HOST_B, "x", 0, 0));
	EXPECT_EQ(-EADDRNOTAVAIL, wait_request(&self->b, HOST_A, "x", 0, &request));
	EXPECT_EQ(0, begin_connect(&self->a, self->vi_a, HOST_A, HOST_B, "nobody", 0, MS));
	EXPECT_EQ(-EADDRNOTAVAIL, outcome(&self->a, self->vi_a));
	EXPECT_EQ(-ETIMEDOUT, wait_request(&self->b, HOST_B, "x", 0, &request));
	EXPECT_EQ(0, begin_connect(&self->a, self->vi_a, HOST_A, HOST_B, "x", 0, MS));
	ASSERT_EQ(0, wait_request(&self->b, HOST_B, "x", MS, &request));
	EXPECT_EQ(-EINVAL, answer(&self->b, FCVI_IOC_ACCEPT, request + 1, self->vi_b));
	EXPECT_EQ(-EINVAL, answer(&self->b, FCVI_IOC_ACCEPT, request, 99));
	EXPECT_EQ(-EINVAL, answer(&self->b, FCVI_IOC_REJECT, request, self->vi_b));
	EXPECT_EQ(0, answer(&self->b, FCVI_IOC_REJECT, request, 0));
	EXPECT_EQ(-EINVAL, answer(&self->b, FCVI_IOC_REJECT, request, 0));
	EXPECT_EQ(-ECONNREFUSED, outcome(&self->a, self->vi_a));
	/* Attributes that differ leave the request as it is, VI-DG 3.3.2 */
	EXPECT_EQ(-ETIMEDOUT, wait_request(&self->b, HOST_B, "y", 0, &request));
	EXPECT_EQ(0, begin_connect(&self->a, self->vi_a, HOST_A, HOST_B, "y", 0, MS));
	ASSERT_EQ(0, wait_request(&self->b, HOST_B, "y", MS, &request));
	EXPECT_EQ(-EPROTOTYPE, answer(&self->b, FCVI_IOC_ACCEPT, request,
				      new_vi(&self->b, FCVI_DEV_RR)));
	EXPECT_EQ(0, answer(&self->b, FCVI_IOC_ACCEPT, request, self->vi_b));
	EXPECT_EQ(0, outcome(&self->a, self->vi_a));
}

/* Both ask; neither waits for long */
TEST_F(conn, peers)
{
	struct fcvi_dev_outcome o = { .vi = self->vi_a, .flags = FCVI_DEV_NOWAIT };

	EXPECT_EQ(0, begin_connect(&self->a, self->vi_a, HOST_A, HOST_B, "p", FCVI_DEV_PEER, MS));
	EXPECT_EQ(-EAGAIN, call(self->a.fd, FCVI_IOC_CONNECT_WAIT, &o));
	EXPECT_EQ(0, begin_connect(&self->b, self->vi_b, HOST_B, HOST_A, "p", FCVI_DEV_PEER, MS));
	EXPECT_EQ(0, outcome(&self->a, self->vi_a));
	EXPECT_EQ(0, outcome(&self->b, self->vi_b));
	EXPECT_EQ(0, disconnect(&self->a, self->vi_a));
	/* Alone */
	EXPECT_EQ(0, begin_connect(&self->a, self->vi_a, HOST_A, HOST_B, "q", FCVI_DEV_PEER, 100));
	EXPECT_EQ(-ETIMEDOUT, outcome(&self->a, self->vi_a));
	EXPECT_EQ(FCVI_DEV_IDLE, state(&self->a, self->vi_a));
}

static void on_alarm(int number)
{
	(void)number;
}

/* A signal loses nothing: the rest of the time is told, or the call goes on */
TEST_F(conn, signals)
{
	struct sigaction once = { .sa_handler = on_alarm };
	struct fcvi_dev_request r = { .timeout = MS, .loc = make_addr(HOST_B, "s") };
	struct fcvi_dev_wait w = { .vi = self->vi_a, .timeout = MS };

	sigaction(SIGALRM, &once, NULL);
	ualarm(20000, 0);
	EXPECT_EQ(-EINTR, call(self->b.fd, FCVI_IOC_REQUEST_WAIT, &r));
	EXPECT_GT(MS, r.timeout);
	EXPECT_LT(MS / 2, r.timeout);
	ualarm(20000, 0);
	EXPECT_EQ(-EINTR, call(self->a.fd, FCVI_IOC_WAIT, &w));
	EXPECT_GT(MS, w.timeout);
	EXPECT_EQ(0, begin_connect(&self->a, self->vi_a, HOST_A, HOST_B, "s", FCVI_DEV_PEER, MS));
	ualarm(20000, 0);
	EXPECT_EQ(-EINTR, outcome(&self->a, self->vi_a));
	once.sa_flags = SA_RESTART;
	sigaction(SIGALRM, &once, NULL);
	ualarm(20000, 0);
	w.timeout = 60;
	EXPECT_EQ(-ETIMEDOUT, call(self->a.fd, FCVI_IOC_WAIT, &w));
	EXPECT_EQ(FCVI_DEV_PENDING, state(&self->a, self->vi_a));
	EXPECT_EQ(0, disconnect(&self->a, self->vi_a));
	EXPECT_EQ(-ECANCELED, outcome(&self->a, self->vi_a));
}

struct waiter {
	struct side *s;
	pid_t id;
	uint32_t vi;
	int err;
};

static void *wait_on(void *arg)
{
	struct waiter *w = arg;

	__atomic_store_n(&w->id, gettid(), __ATOMIC_RELEASE);
	w->err = wait_done(w->s, w->vi, FCVI_DEV_RECV, 0, FCVI_DEV_INFINITE);
	return NULL;
}

/* The thread sleeps in its call */
static void wait_asleep(const struct waiter *w)
{
	char path[64], text[64] = "";
	pid_t id;
	FILE *f;

	while (!(id = __atomic_load_n(&w->id, __ATOMIC_ACQUIRE)))
		sched_yield();
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", id);
	while (!strstr(text, ") S")) {
		f = fopen(path, "r");
		if (!f || !fgets(text, sizeof(text), f))
			break;
		fclose(f);
	}
}

/* Who waits is told that there is nothing to wait for */
TEST_F(conn, waiters)
{
	struct waiter w = { .s = &self->a, .vi = self->vi_a };
	struct fcvi_dev_vi vi = { .vi = self->vi_a };
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, wait_on, &w));
	wait_asleep(&w);
	EXPECT_EQ(0, call(self->a.fd, FCVI_IOC_VI_DESTROY, &vi));
	pthread_join(thread, NULL);
	EXPECT_EQ(-ECANCELED, w.err);
	w = (struct waiter) { .s = &self->b, .vi = self->vi_b };
	ASSERT_EQ(0, pthread_create(&thread, NULL, wait_on, &w));
	wait_asleep(&w);
	EXPECT_EQ(0, call(self->b.fd, FCVI_IOC_SHUTDOWN, NULL));
	pthread_join(thread, NULL);
	EXPECT_EQ(-ESHUTDOWN, w.err);
}

/* A process is killed: the other side hears of it, and the port is as it was */
TEST_F(conn, killed)
{
	struct fcvi_dev_event event;
	struct side s;
	int status;
	pid_t child;

	child = fork();
	if (!child) {
		uint32_t vi, request;

		if (!side_open(&s, "b", "veth1"))
			_exit(1);
		vi = new_vi(&s, FCVI_DEV_RD);
		if (wait_request(&s, HOST_B, "killed", MS, &request) ||
		    answer(&s, FCVI_IOC_ACCEPT, request, vi) || outcome(&s, vi))
			_exit(2);
		wait_done(&s, vi, FCVI_DEV_RECV, 0, FCVI_DEV_INFINITE);
		_exit(3);
	}
	do {
		EXPECT_EQ(0, begin_connect(&self->a, self->vi_a, HOST_A, HOST_B, "killed", 0, MS));
		status = outcome(&self->a, self->vi_a);
	} while (status == -EADDRNOTAVAIL);
	ASSERT_EQ(0, status);
	kill(child, SIGKILL);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	ASSERT_TRUE(next_event(&self->a, &event, MS));
	EXPECT_EQ(FCVI_DEV_ERR_CONN_LOST, event.code);
	EXPECT_EQ(0, disconnect(&self->a, self->vi_a));
}

/* The last one, as it takes the port away: that of the side that was opened last */
TEST_F(conn, port_gone)
{
	struct fcvi_dev_tag tag = { };
	struct fcvi_dev_event event;

	ASSERT_TRUE(join_vis(&self->a, self->vi_a, &self->b, self->vi_b, "gone"));
	ASSERT_EQ(0, system("fcport delete veth1"));
	EXPECT_EQ(-ENODEV, call(self->b.fd, FCVI_IOC_TAG_CREATE, &tag));
	EXPECT_EQ(-ENODEV, outcome(&self->b, self->vi_b));
	/* The logout may come first */
	do {
		ASSERT_TRUE(next_event(&self->b, &event, 0));
	} while (event.code == FCVI_DEV_ERR_CONN_LOST);
	EXPECT_EQ(FCVI_DEV_ERR_CATASTROPHIC, event.code);
	EXPECT_EQ(FCVI_DEV_RES_NIC, event.resource);
	EXPECT_EQ(0, read(self->b.fd, &event, sizeof(event)));
	ASSERT_TRUE(next_event(&self->a, &event, MS));
	EXPECT_EQ(FCVI_DEV_ERR_CONN_LOST, event.code);
	EXPECT_EQ(0, disconnect(&self->a, self->vi_a));
	ASSERT_EQ(0, system("fcport create veth1"));
	side_close(&self->b);
	ASSERT_TRUE(side_open(&self->b, "b", "veth1"));
}

TEST_HARNESS_MAIN
