// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family "st": requests for one object, filters of dumps, and
 * changes by administrators; each refusal with its reason.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"
#include "nl.h"
#include "region.h"

#define NO_COOKIE	0xfffffffffffULL
#define LLP		"hippi6400"
#define NO_LINK		"the device has no link of this LLP"
#define NO_VC		"no Virtual Connection has this cookie"
#define NO_HOST		"no host has been given all these addresses"
#define OF_A_HOST	32U	/* addresses, at the most */
#define OF_ALL		4096U

FIXTURE(one)
{
	struct nl nl[2];
	struct nl_req req;
	struct nl_answer answer;
	int fds[2];
};

FIXTURE_SETUP(one)
{
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(nl_open_sides(self->nl));
	memset(&self->answer, 0, sizeof(self->answer));
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(one)
{
	nl_free(&self->answer);
	nl_close_sides(self->nl);
	close(self->fds[A]);
	close(self->fds[B]);
}

static void put_uint(struct nlmsghdr *nlh, int attr, __u64 value)
{
	if (value >> 32)
		mnl_attr_put_u64(nlh, attr, value);
	else
		mnl_attr_put_u32(nlh, attr, value);
}

/* Checks that the answer for one object equals the dump. */
static bool same(const struct nl_msg *a, const struct nl_msg *b)
{
	const size_t skip = sizeof(*a->nlh);

	return a->cmd == b->cmd && a->nlh->nlmsg_len == b->nlh->nlmsg_len &&
	       !memcmp((char *)a->nlh + skip, (char *)b->nlh + skip, a->nlh->nlmsg_len - skip);
}

/* Checks that a request is refused with this errno and message. */
#define EXPECT_REFUSED(error, reason) do {						\
	EXPECT_EQ(error, nl_ask(&self->nl[A], &self->req, &self->answer));		\
	EXPECT_STREQ(reason, self->nl[A].said);						\
} while (0)

static void begin_link(struct nl *nl, struct nl_req *req, __u8 cmd, __u32 ifindex,
		       const char *llp)
{
	nl_begin(nl, req, cmd, false);
	if (ifindex)
		mnl_attr_put_u32(req->nlh, ST_A_LINK_IFINDEX, ifindex);
	if (llp)
		mnl_attr_put_strz(req->nlh, ST_A_LINK_LLP, llp);
}

TEST_F(one, link)
{
	struct nl_answer all = { 0 };
	struct nl *nl = &self->nl[A];

	ASSERT_EQ(0, nl_dump(nl, ST_CMD_LINK_GET, &all));
	ASSERT_EQ(1, all.n);
	begin_link(nl, &self->req, ST_CMD_LINK_GET, sides[A].ifindex, LLP);
	ASSERT_EQ(0, nl_ask(nl, &self->req, &self->answer));
	ASSERT_EQ(1, self->answer.n);
	EXPECT_TRUE(same(&self->answer.msg[0], &all.msg[0]));
	nl_free(&all);
	nl_free(&self->answer);

	begin_link(nl, &self->req, ST_CMD_LINK_GET, sides[A].ifindex, "nonsense");
	EXPECT_REFUSED(ENOENT, NO_LINK);
	begin_link(nl, &self->req, ST_CMD_LINK_GET, 99999, LLP);
	EXPECT_REFUSED(ENOENT, NO_LINK);
	begin_link(nl, &self->req, ST_CMD_LINK_GET, sides[A].ifindex, NULL);
	EXPECT_REFUSED(EINVAL, "");
	begin_link(nl, &self->req, ST_CMD_LINK_GET, 0, LLP);
	EXPECT_REFUSED(EINVAL, "");
	begin_link(nl, &self->req, ST_CMD_LINK_ADD, 99999, LLP);
	EXPECT_REFUSED(ENODEV, "no device of the network namespace has this index");
	begin_link(nl, &self->req, ST_CMD_LINK_ADD, sides[A].ifindex, "nonsense");
	EXPECT_REFUSED(ENOENT, "there is no LLP nonsense: is its module loaded?");

	/* A dump by LLP */
	nl_begin(nl, &self->req, ST_CMD_LINK_GET, true);
	mnl_attr_put_strz(self->req.nlh, ST_A_LINK_LLP, "nonsense");
	ASSERT_EQ(0, nl_ask(nl, &self->req, &self->answer));
	EXPECT_EQ(0, self->answer.n);
	nl_begin(nl, &self->req, ST_CMD_LINK_GET, true);
	mnl_attr_put_strz(self->req.nlh, ST_A_LINK_LLP, LLP);
	ASSERT_EQ(0, nl_ask(nl, &self->req, &self->answer));
	EXPECT_EQ(1, self->answer.n);
}

static void begin_port(struct nl *nl, struct nl_req *req, bool dump, int attr, __u32 value,
		       size_t size)
{
	nl_begin(nl, req, ST_CMD_PORT_GET, dump);
	mnl_attr_put(req->nlh, attr, size, &value);
}

TEST_F(one, port)
{
	struct nl_answer all = { 0 };
	struct nl *nl = &self->nl[A];
	const struct nl_msg *msg;
	int lst = new_listener(A, 1);
	unsigned int port = port_of(lst);

	ASSERT_LE(0, lst);
	ASSERT_EQ(0, nl_dump(nl, ST_CMD_PORT_GET, &all));
	msg = nl_find(&all, ST_A_PORT_PORT, port);
	ASSERT_NE(NULL, msg);
	begin_port(nl, &self->req, false, ST_A_PORT_PORT, port, 2);
	ASSERT_EQ(0, nl_ask(nl, &self->req, &self->answer));
	ASSERT_EQ(1, self->answer.n);
	EXPECT_TRUE(same(&self->answer.msg[0], msg));
	nl_free(&all);

	/* By user and by device: this one is bound to none */
	nl_free(&self->answer);
	begin_port(nl, &self->req, true, ST_A_PORT_UID, 0, 4);
	ASSERT_EQ(0, nl_ask(nl, &self->req, &self->answer));
	EXPECT_NE(NULL, nl_find(&self->answer, ST_A_PORT_PORT, port));
	nl_free(&self->answer);
	begin_port(nl, &self->req, true, ST_A_PORT_UID, NOBODY, 4);
	ASSERT_EQ(0, nl_ask(nl, &self->req, &self->answer));
	EXPECT_EQ(0, self->answer.n);
	begin_port(nl, &self->req, true, ST_A_PORT_IFINDEX, sides[A].ifindex, 4);
	ASSERT_EQ(0, nl_ask(nl, &self->req, &self->answer));
	EXPECT_EQ(NULL, nl_find(&self->answer, ST_A_PORT_PORT, port));
	nl_free(&self->answer);

	close(lst);
	ASSERT_TRUE(wait_sockets(nl, port, 0));
	begin_port(nl, &self->req, false, ST_A_PORT_PORT, port, 2);
	EXPECT_REFUSED(ENOENT, "this Port is not in use");
	nl_begin(nl, &self->req, ST_CMD_PORT_GET, false);
	EXPECT_REFUSED(EINVAL, "");
}

static void begin_vc(struct nl *nl, struct nl_req *req, __u8 cmd, __u64 cookie)
{
	nl_begin(nl, req, cmd, false);
	put_uint(req->nlh, ST_A_VC_COOKIE, cookie);
}

TEST_F(one, connection)
{
	__u64 cookie = cookie_of(self->fds[A]);
	struct nl *nl = &self->nl[A];
	const struct nl_msg *msg;
	char byte = 'x';
	int lst;

	ASSERT_EQ(1, send(self->fds[A], &byte, 1, 0));
	ASSERT_EQ(1, recv_record(self->fds[B], &byte, 1));
	begin_vc(nl, &self->req, ST_CMD_VC_GET, cookie);
	ASSERT_EQ(0, nl_ask(nl, &self->req, &self->answer));
	ASSERT_EQ(1, self->answer.n);
	msg = &self->answer.msg[0];
	EXPECT_EQ(ST_CMD_VC_GET, msg->cmd);
	EXPECT_EQ(0, msg->flags & NLM_F_MULTI);
	EXPECT_EQ(cookie, nl_number(msg->tb[ST_A_VC_COOKIE]));
	EXPECT_EQ(port_of(self->fds[A]), nl_number(msg->tb[ST_A_VC_LOCAL_PORT]));
	EXPECT_EQ(port_of(self->fds[B]), nl_number(msg->tb[ST_A_VC_REMOTE_PORT]));
	EXPECT_EQ(1, nl_member(msg->tb[ST_A_VC_COUNTERS], ST_A_VC_COUNTERS_TX_BYTES));
	/* Root may know */
	EXPECT_NE(NULL, msg->tb[ST_A_VC_LOCAL_KEY]);
	/* The setup has measured the round trip */
	EXPECT_LE(1, nl_number(msg->tb[ST_A_VC_RTT]));
	EXPECT_GE(10000000, nl_number(msg->tb[ST_A_VC_RTT]));
	EXPECT_GE(10000000, nl_number(msg->tb[ST_A_VC_RTT_VAR]));
	EXPECT_LE(200000, nl_number(msg->tb[ST_A_VC_OP_TIMEOUT]));
	EXPECT_GE(1000000, nl_number(msg->tb[ST_A_VC_OP_TIMEOUT]));
	nl_free(&self->answer);

	begin_vc(nl, &self->req, ST_CMD_VC_GET, NO_COOKIE);
	EXPECT_REFUSED(ENOENT, NO_VC);
	begin_vc(nl, &self->req, ST_CMD_VC_GET, 0);
	EXPECT_REFUSED(ENOENT, NO_VC);
	/* The one of the other namespace, and one of a socket without a connection */
	begin_vc(nl, &self->req, ST_CMD_VC_GET, cookie_of(self->fds[B]));
	EXPECT_REFUSED(ENOENT, NO_VC);
	lst = new_listener(A, 1);
	ASSERT_LE(0, lst);
	begin_vc(nl, &self->req, ST_CMD_VC_GET, cookie_of(lst));
	EXPECT_REFUSED(ENOENT, NO_VC);
	close(lst);
	nl_begin(nl, &self->req, ST_CMD_VC_GET, false);
	EXPECT_REFUSED(EINVAL, "");
}

/* The number of objects in a dump, and whether this one is among them. */
static long selected(struct nl *nl, struct nl_req *req, __u64 cookie, bool *there)
{
	struct nl_answer answer;
	long n = -1;

	if (!nl_ask(nl, req, &answer)) {
		*there = nl_find(&answer, ST_A_VC_COOKIE, cookie);
		n = answer.n;
	}
	nl_free(&answer);
	return n;
}

/**
 * struct filter - filter of a dump
 * @cookie: or 0
 * @remote: address of the other end, or NULL
 * @remote_len: its bytes
 * @port: Port of the other end, or 0
 * @uid: or -1
 */
struct filter {
	__u64		cookie;
	const void	*remote;
	size_t		remote_len;
	unsigned int	port;
	long		uid;
};

static long select_vcs(struct nl *nl, __u8 cmd, const struct filter *f, __u64 cookie, bool *there)
{
	struct nl_req req;

	nl_begin(nl, &req, cmd, true);
	if (f->cookie)
		put_uint(req.nlh, ST_A_VC_COOKIE, f->cookie);
	if (f->remote)
		mnl_attr_put(req.nlh, ST_A_VC_REMOTE_ADDRESS, f->remote_len, f->remote);
	if (f->port)
		mnl_attr_put_u16(req.nlh, ST_A_VC_REMOTE_PORT, f->port);
	if (f->uid >= 0)
		mnl_attr_put_u32(req.nlh, ST_A_VC_UID, f->uid);
	return selected(nl, &req, cookie, there);
}

TEST_F(one, filters)
{
	__u64 cookie = cookie_of(self->fds[A]), other_cookie;
	unsigned int port = port_of(self->fds[B]);
	const unsigned char none[ULA_LEN] = { 2 };
	const struct filter one[] = {
		{ .cookie = cookie, .uid = -1 },
		{ .port = port, .uid = -1 },
		{ .cookie = cookie, .port = port, .uid = 0, .remote = sides[B].ula,
		  .remote_len = ULA_LEN },
	}, both[] = {
		{ .uid = -1 },
		{ .uid = 0 },
		{ .remote = sides[B].ula, .remote_len = ULA_LEN, .uid = -1 },
	}, neither[] = {
		{ .cookie = NO_COOKIE, .uid = -1 },
		{ .cookie = cookie, .uid = NOBODY },
		{ .cookie = cookie, .port = port + 1, .uid = -1 },
		{ .remote = none, .remote_len = ULA_LEN, .uid = -1 },
		{ .remote = sides[B].ula, .remote_len = ULA_LEN - 1, .uid = -1 },
	}, wrong = { .remote = "12345678901234567", .remote_len = 17, .uid = -1 };
	struct nl *nl = &self->nl[A];
	int others[2];
	bool there;
	size_t i;

	ASSERT_TRUE(new_pair(others));
	other_cookie = cookie_of(others[A]);
	for (i = 0; i < ARRAY_SIZE(one); i++) {
		EXPECT_EQ(1, select_vcs(nl, ST_CMD_VC_GET, &one[i], cookie, &there));
		EXPECT_TRUE(there);
	}
	for (i = 0; i < ARRAY_SIZE(both); i++) {
		EXPECT_LE(2, select_vcs(nl, ST_CMD_VC_GET, &both[i], cookie, &there));
		EXPECT_TRUE(there);
		select_vcs(nl, ST_CMD_VC_GET, &both[i], other_cookie, &there);
		EXPECT_TRUE(there);
	}
	for (i = 0; i < ARRAY_SIZE(neither); i++)
		EXPECT_EQ(0, select_vcs(nl, ST_CMD_VC_GET, &neither[i], cookie, &there));
	EXPECT_EQ(-1, select_vcs(nl, ST_CMD_VC_GET, &wrong, cookie, &there));

	/* The same for their Transfers and regions */
	ASSERT_LE(0, region_expose(self->fds[A], self, 1, ST_REGION_PUT));
	for (i = 0; i < ARRAY_SIZE(one); i++)
		EXPECT_EQ(1, select_vcs(nl, ST_CMD_REGION_GET, &one[i], cookie, &there));
	for (i = 0; i < ARRAY_SIZE(neither); i++)
		EXPECT_EQ(0, select_vcs(nl, ST_CMD_REGION_GET, &neither[i], cookie, &there));
	EXPECT_EQ(-1, select_vcs(nl, ST_CMD_REGION_GET, &wrong, cookie, &there));
	EXPECT_EQ(-1, select_vcs(nl, ST_CMD_TRANSFER_GET, &wrong, cookie, &there));
	close(others[A]);
	close(others[B]);
}

static int errno_of_vc_del(__u64 cookie, char said[128])
{
	struct nl_answer answer;
	struct nl_req req;
	struct nl nl;
	int error;

	if (!nl_open(&nl))
		return -1;
	begin_vc(&nl, &req, ST_CMD_VC_DEL, cookie);
	error = nl_ask(&nl, &req, &answer);
	memcpy(said, nl.said, 128);
	nl_close(&nl);
	return error;
}

static int may_not_end(__u64 cookie)
{
	char said[128];

	if (!become_nobody())
		return 1;
	return errno_of_vc_del(cookie, said) != EPERM || !strstr(said, "CAP_NET_ADMIN");
}

static __u64 state_of(struct nl *nl, __u64 cookie)
{
	struct nl_answer answer;
	__u64 state = ~0ULL;
	struct nl_req req;

	begin_vc(nl, &req, ST_CMD_VC_GET, cookie);
	if (!nl_ask(nl, &req, &answer))
		state = nl_number(answer.msg[0].tb[ST_A_VC_STATE]);
	nl_free(&answer);
	return state;
}

TEST_F_TIMEOUT(one, ended, 60)
{
	__u64 cookies[2] = { cookie_of(self->fds[A]), cookie_of(self->fds[B]) };
	struct job job = { .fd = self->fds[A], .len = 1, .receive = true };
	struct pollfd p = { .fd = self->fds[A], .events = POLLIN };
	long long end = now_ms() + SOON_MS;
	char byte, said[128];
	int status;
	pid_t pid;

	ASSERT_TRUE(enter(A));
	pid = fork();
	if (!pid)
		_exit(may_not_end(cookies[A]));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(ST_VC_STATE_ESTABLISHED, state_of(&self->nl[A], cookies[A]));

	/* A waiting call and the other end get the error at once */
	job.buf = &byte;
	ASSERT_TRUE(job_start(&job) && job_asleep(&job));
	ASSERT_EQ(0, errno_of_vc_del(cookies[A], said));
	ASSERT_TRUE(job_ends(&job));
	EXPECT_EQ(-1, job.result);
	EXPECT_EQ(ECONNABORTED, job.error);
	/* Reported once: a reading loop is not woken for it forever */
	EXPECT_EQ(1, poll(&p, 1, 0));
	EXPECT_EQ(POLLIN | POLLHUP, p.revents & (POLLIN | POLLHUP | POLLERR));
	EXPECT_EQ(0, recv(self->fds[A], &byte, 1, 0));
	EXPECT_EQ(0, recv(self->fds[B], &byte, 1, 0));
	EXPECT_GT(end, now_ms());
	EXPECT_ERRNO(EPIPE, send(self->fds[B], &byte, 1, MSG_NOSIGNAL));
	EXPECT_EQ(ENOENT, errno_of_vc_del(cookies[A], said));
	EXPECT_STREQ(NO_VC, said);

	/* A connection that is kept for late operations, too */
	ASSERT_TRUE(enter(B));
	while (state_of(&self->nl[B], cookies[B]) != ST_VC_STATE_HELD && now_ms() < end)
		usleep(10000);
	EXPECT_EQ(ST_VC_STATE_HELD, state_of(&self->nl[B], cookies[B]));
	EXPECT_EQ(0, errno_of_vc_del(cookies[B], said));
	EXPECT_EQ(~0ULL, state_of(&self->nl[B], cookies[B]));
}

/* Its paths exist until the socket is closed, so the objects that they refer to are kept. */
TEST_F_TIMEOUT(one, options_after_the_end, 60)
{
	int lst = new_listener(B, 1), fd = new_socket(A, SOCK_NONBLOCK), one = 1, zero = 0;
	struct sockaddr_st to = address(B, port_of(lst));
	char said[128];

	ASSERT_EQ(0, setsockopt(fd, SOL_ST, ST_STRIPE, &one, sizeof(one)));
	if (connect_to(fd, &to)) {
		ASSERT_EQ(EINPROGRESS, errno);
		ASSERT_EQ(POLLOUT, poll_for(fd, POLLOUT, SOON_MS));
	}
	ASSERT_TRUE(enter(A));
	ASSERT_EQ(0, errno_of_vc_del(cookie_of(fd), said));
	EXPECT_ERRNO(ECONNABORTED, connect_to(fd, &to));
	EXPECT_ERRNO(EISCONN, setsockopt(fd, SOL_ST, ST_STRIPE, &zero, sizeof(zero)));
	EXPECT_ERRNO(EISCONN, connect_to(fd, &to));
	close(fd);
	close(lst);
}

/* A connection that ends before accept() leaves the listener as it was. */
TEST_F_TIMEOUT(one, ended_before_accept, 60)
{
	int lst = new_listener(B, 2), client = new_socket(A, 0), other = new_socket(A, 0), fd;
	struct sockaddr_st to = address(B, port_of(lst));
	struct nl *nl = &self->nl[B];
	char byte = 'x', said[128];
	unsigned int i;

	ASSERT_EQ(0, connect(client, (struct sockaddr *)&to, sizeof(to)));
	ASSERT_EQ(0, nl_filter(nl, ST_CMD_VC_GET, ST_A_VC_LOCAL_PORT, port_of(lst), 2,
			       &self->answer));
	ASSERT_EQ(1, self->answer.n);
	ASSERT_TRUE(enter(B));
	ASSERT_EQ(0, errno_of_vc_del(nl_number(self->answer.msg[0].tb[ST_A_VC_COOKIE]), said));
	nl_free(&self->answer);
	EXPECT_EQ(0, recv(client, &byte, 1, 0));

	ASSERT_EQ(0, connect(other, (struct sockaddr *)&to, sizeof(to)));
	ASSERT_EQ(1, send(other, "y", 1, 0));
	for (i = 0; byte != 'y' && i < 2; i++) {
		fd = accept(lst, NULL, NULL);
		ASSERT_LE(0, fd);
		if (recv(fd, &byte, 1, 0) < 0)
			EXPECT_EQ(ECONNABORTED, errno);
		close(fd);
	}
	EXPECT_EQ('y', byte);
	close(client);
	close(other);
	close(lst);
}

static void begin_of(struct nl *nl, struct nl_req *req, __u8 cmd, __u64 cookie, int attr, __u32 id)
{
	begin_vc(nl, req, cmd, cookie);
	mnl_attr_put_u32(req->nlh, attr, id);
}

TEST_F_TIMEOUT(one, transfer, 60)
{
	struct job job = { .fd = self->fds[A], .len = 4 << 20 };
	__u64 cookie = cookie_of(self->fds[A]), id;
	long long end = now_ms() + 4 * SOON_MS;
	struct nl *nl = &self->nl[A];

	job.buf = new_pages(job.len);
	ASSERT_TRUE(job_start(&job));
	do {
		ASSERT_EQ(0, nl_filter(nl, ST_CMD_TRANSFER_GET, ST_A_TRANSFER_COOKIE, cookie, 4,
				       &self->answer));
	} while (!self->answer.n && now_ms() < end);
	ASSERT_EQ(1, self->answer.n);
	id = nl_number(self->answer.msg[0].tb[ST_A_TRANSFER_ID]);
	nl_free(&self->answer);

	begin_of(nl, &self->req, ST_CMD_TRANSFER_GET, cookie, ST_A_TRANSFER_ID, id);
	ASSERT_EQ(0, nl_ask(nl, &self->req, &self->answer));
	ASSERT_EQ(1, self->answer.n);
	EXPECT_EQ(ST_CMD_TRANSFER_GET, self->answer.msg[0].cmd);
	EXPECT_EQ(cookie, nl_number(self->answer.msg[0].tb[ST_A_TRANSFER_COOKIE]));
	EXPECT_EQ(id, nl_number(self->answer.msg[0].tb[ST_A_TRANSFER_ID]));
	EXPECT_EQ(4 << 20, nl_number(self->answer.msg[0].tb[ST_A_TRANSFER_LENGTH]));
	EXPECT_EQ(0, nl_number(self->answer.msg[0].tb[ST_A_TRANSFER_UID]));
	EXPECT_TRUE(nl_bytes_are(self->answer.msg[0].tb[ST_A_TRANSFER_REMOTE_ADDRESS],
				 sides[B].ula, ULA_LEN));
	nl_free(&self->answer);

	begin_of(nl, &self->req, ST_CMD_TRANSFER_GET, cookie, ST_A_TRANSFER_ID, id + 1000);
	EXPECT_REFUSED(ENOENT, "the Virtual Connection has no such Transfer");
	begin_of(nl, &self->req, ST_CMD_TRANSFER_GET, NO_COOKIE, ST_A_TRANSFER_ID, id);
	EXPECT_REFUSED(ENOENT, NO_VC);
	begin_vc(nl, &self->req, ST_CMD_TRANSFER_GET, cookie);
	EXPECT_REFUSED(EINVAL, "");
	ASSERT_EQ(4 << 20, recv_record(self->fds[B], job.buf, job.len));
	job_end(&job);
}

TEST_F(one, region)
{
	long id = region_expose(self->fds[A], self, 17, ST_REGION_PUT | ST_REGION_GET);
	__u64 cookie = cookie_of(self->fds[A]);
	struct nl *nl = &self->nl[A];
	const struct nl_msg *msg;

	ASSERT_LE(0, id);
	begin_of(nl, &self->req, ST_CMD_REGION_GET, cookie, ST_A_REGION_ID, id);
	ASSERT_EQ(0, nl_ask(nl, &self->req, &self->answer));
	ASSERT_EQ(1, self->answer.n);
	msg = &self->answer.msg[0];
	EXPECT_EQ(ST_CMD_REGION_GET, msg->cmd);
	EXPECT_EQ(id, (long)nl_number(msg->tb[ST_A_REGION_ID]));
	EXPECT_EQ(17, nl_number(msg->tb[ST_A_REGION_LENGTH]));
	EXPECT_EQ(ST_REGION_KIND_LENT, nl_number(msg->tb[ST_A_REGION_KIND]));
	nl_free(&self->answer);

	begin_of(nl, &self->req, ST_CMD_REGION_GET, cookie, ST_A_REGION_ID, id + 1);
	EXPECT_REFUSED(ENOENT, "the Virtual Connection has no such region");
	begin_vc(nl, &self->req, ST_CMD_REGION_GET, cookie);
	EXPECT_REFUSED(EINVAL, "");
}

/* The address of a nonexistent host, by its number. */
static void put_host_address(struct nl_req *req, __u32 ifindex, const char *llp, __u32 n,
			     size_t len)
{
	const unsigned char ula[32] = { 2, 0x11, n >> 24, n >> 16, n >> 8, n };
	struct nlattr *nest = mnl_attr_nest_start(req->nlh, ST_A_STRIPE_ADDRESS);

	mnl_attr_put_u32(req->nlh, ST_A_HOST_ADDRESS_IFINDEX, ifindex);
	mnl_attr_put_strz(req->nlh, ST_A_HOST_ADDRESS_LLP, llp);
	mnl_attr_put(req->nlh, ST_A_HOST_ADDRESS_ADDRESS, len, ula);
	mnl_attr_nest_end(req->nlh, nest);
}

/* Addresses on the device of A, from @first on. */
static void begin_host(struct nl *nl, struct nl_req *req, __u8 cmd, unsigned int first,
		       unsigned int n)
{
	nl_begin(nl, req, cmd, false);
	while (n--)
		put_host_address(req, sides[A].ifindex, LLP, first++, ULA_LEN);
}

/* Addresses in a message. */
static unsigned int addresses(const struct nl_msg *msg)
{
	const struct nlattr *attr;
	unsigned int n = 0;

	mnl_attr_for_each(attr, msg->nlh, sizeof(struct genlmsghdr))
		n += mnl_attr_get_type(attr) == ST_A_STRIPE_ADDRESS;
	return n;
}

static int change(struct nl *nl, struct nl_req *req)
{
	struct nl_answer answer;
	int error = nl_ask(nl, req, &answer);

	nl_free(&answer);
	return error;
}

TEST_F(one, host)
{
	struct nl *nl = &self->nl[A];

	begin_host(nl, &self->req, ST_CMD_STRIPE_ADD, 100, 5);
	ASSERT_EQ(0, change(nl, &self->req));
	begin_host(nl, &self->req, ST_CMD_STRIPE_ADD, 200, OF_A_HOST);
	ASSERT_EQ(0, change(nl, &self->req));
	ASSERT_EQ(0, nl_dump(nl, ST_CMD_STRIPE_GET, &self->answer));
	ASSERT_EQ(2, self->answer.n);
	EXPECT_EQ(5, addresses(&self->answer.msg[0]));
	EXPECT_EQ(OF_A_HOST, addresses(&self->answer.msg[1]));
	nl_free(&self->answer);
	/* By any of them, or by several */
	begin_host(nl, &self->req, ST_CMD_STRIPE_GET, 103, 1);
	ASSERT_EQ(0, nl_ask(nl, &self->req, &self->answer));
	ASSERT_EQ(1, self->answer.n);
	EXPECT_EQ(5, addresses(&self->answer.msg[0]));
	nl_free(&self->answer);
	begin_host(nl, &self->req, ST_CMD_STRIPE_GET, 205, 3);
	ASSERT_EQ(0, nl_ask(nl, &self->req, &self->answer));
	EXPECT_EQ(OF_A_HOST, addresses(&self->answer.msg[0]));
	nl_free(&self->answer);

	begin_host(nl, &self->req, ST_CMD_STRIPE_GET, 99, 2);
	EXPECT_REFUSED(ENOENT, NO_HOST);
	begin_host(nl, &self->req, ST_CMD_STRIPE_DEL, 104, 1);
	put_host_address(&self->req, sides[A].ifindex, LLP, 200, ULA_LEN);
	EXPECT_REFUSED(ENOENT, NO_HOST);
	begin_host(nl, &self->req, ST_CMD_STRIPE_ADD, 99, 2);
	EXPECT_REFUSED(EEXIST, "address 2 is known as that of a host");
	begin_host(nl, &self->req, ST_CMD_STRIPE_ADD, 300, OF_A_HOST + 1);
	EXPECT_REFUSED(E2BIG, "a host has at most 32 addresses");
	begin_host(nl, &self->req, ST_CMD_STRIPE_ADD, 300, 1);
	EXPECT_REFUSED(EINVAL, "a single address has nothing to be striped over");
	begin_host(nl, &self->req, ST_CMD_STRIPE_ADD, 300, 2);
	put_host_address(&self->req, sides[A].ifindex, LLP, 300, ULA_LEN);
	EXPECT_REFUSED(EINVAL, "this address comes twice");
	begin_host(nl, &self->req, ST_CMD_STRIPE_ADD, 300, 1);
	put_host_address(&self->req, sides[A].ifindex, LLP, 301, ULA_LEN - 1);
	EXPECT_REFUSED(EINVAL, "an address of LLP hippi6400 has 6 bytes");
	begin_host(nl, &self->req, ST_CMD_STRIPE_ADD, 300, 1);
	put_host_address(&self->req, sides[A].ifindex, "nonsense", 301, ULA_LEN);
	EXPECT_REFUSED(ENODEV, NO_LINK);
	begin_host(nl, &self->req, ST_CMD_STRIPE_ADD, 300, 1);
	put_host_address(&self->req, sides[A].ifindex, LLP, 301, 17);
	EXPECT_NE(0, change(nl, &self->req));
	nl_begin(nl, &self->req, ST_CMD_STRIPE_ADD, false);
	EXPECT_REFUSED(EINVAL, "");
	ASSERT_EQ(0, nl_dump(nl, ST_CMD_STRIPE_GET, &self->answer));
	EXPECT_EQ(2, self->answer.n);
	nl_free(&self->answer);

	begin_host(nl, &self->req, ST_CMD_STRIPE_DEL, 102, 1);
	ASSERT_EQ(0, change(nl, &self->req));
	begin_host(nl, &self->req, ST_CMD_STRIPE_GET, 100, 1);
	EXPECT_REFUSED(ENOENT, NO_HOST);
	begin_host(nl, &self->req, ST_CMD_STRIPE_DEL, 200, OF_A_HOST);
	ASSERT_EQ(0, change(nl, &self->req));
	ASSERT_EQ(0, nl_dump(nl, ST_CMD_STRIPE_GET, &self->answer));
	EXPECT_EQ(0, self->answer.n);
}

/* The maximum number, dumped in several messages; they are deleted with their link. */
TEST_F_TIMEOUT(one, many_hosts, 60)
{
	unsigned int hosts = OF_ALL / OF_A_HOST, i, n = 0;
	struct nl *nl = &self->nl[A];

	for (i = 0; i < hosts; i++) {
		begin_host(nl, &self->req, ST_CMD_STRIPE_ADD, i * OF_A_HOST, OF_A_HOST);
		ASSERT_EQ(0, change(nl, &self->req));
	}
	begin_host(nl, &self->req, ST_CMD_STRIPE_ADD, OF_ALL, 2);
	EXPECT_REFUSED(ENOSPC, "4096 of 4096 addresses are known: delete some first");
	ASSERT_EQ(0, nl_dump(nl, ST_CMD_STRIPE_GET, &self->answer));
	EXPECT_EQ(hosts, self->answer.n);
	for (i = 0; i < self->answer.n; i++)
		n += addresses(&self->answer.msg[i]);
	EXPECT_EQ(OF_ALL, n);
	nl_free(&self->answer);

	begin_link(nl, &self->req, ST_CMD_LINK_DEL, sides[A].ifindex, LLP);
	ASSERT_EQ(0, change(nl, &self->req));
	begin_link(nl, &self->req, ST_CMD_LINK_ADD, sides[A].ifindex, LLP);
	ASSERT_EQ(0, change(nl, &self->req));
	ASSERT_EQ(0, nl_dump(nl, ST_CMD_STRIPE_GET, &self->answer));
	EXPECT_EQ(0, self->answer.n);
}

TEST_HARNESS_MAIN
