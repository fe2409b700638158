// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family "st": links, Ports, Virtual Connections and
 * Transfers agree with the sockets.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <arpa/inet.h>

#include "kselftest_harness.h"

#include "common.h"
#include "nl.h"

#define STU_128K	131072
#define STU_1M		1048576
#define MIB		1048576

FIXTURE(netlink)
{
	struct nl nl[2];
	struct nl_answer answer;
};

FIXTURE_SETUP(netlink)
{
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(nl_open_sides(self->nl));
	memset(&self->answer, 0, sizeof(self->answer));
}

FIXTURE_TEARDOWN(netlink)
{
	nl_free(&self->answer);
	nl_close_sides(self->nl);
}

static int dump(struct nl *nl, __u8 cmd, struct nl_answer *answer)
{
	return nl_filter(nl, cmd, 0, 0, 0, answer);
}

static __u64 inode_of(int fd)
{
	struct stat st;

	return fstat(fd, &st) ? 0 : st.st_ino;
}

TEST_F_TIMEOUT(netlink, link, 60)
{
	static const __u64 stu[] = { STU_128K, STU_128K, STU_1M };
	const struct nlattr *attr;
	unsigned int channels = 0;
	struct nl_msg *msg;
	int fds[2];

	ASSERT_TRUE(wait_vcs(&self->nl[A], 0));
	ASSERT_EQ(0, dump(&self->nl[A], ST_CMD_LINK_GET, &self->answer));
	ASSERT_EQ(1, self->answer.n);
	msg = &self->answer.msg[0];
	EXPECT_EQ(ST_CMD_LINK_GET, msg->cmd);
	EXPECT_TRUE(msg->flags & NLM_F_MULTI);
	EXPECT_EQ((__u64)sides[A].ifindex, nl_number(msg->tb[ST_A_LINK_IFINDEX]));
	EXPECT_TRUE(nl_text_is(msg->tb[ST_A_LINK_IFNAME], sides[A].dev));
	EXPECT_TRUE(nl_text_is(msg->tb[ST_A_LINK_LLP], "hippi6400"));
	EXPECT_EQ(ST_LLP_HIPPI6400, nl_number(msg->tb[ST_A_LINK_LLP_TYPE]));
	EXPECT_TRUE(nl_bytes_are(msg->tb[ST_A_LINK_ADDRESS], sides[A].ula, ULA_LEN));
	EXPECT_EQ(ST_LINK_STATE_UP, nl_number(msg->tb[ST_A_LINK_STATE]));
	mnl_attr_for_each(attr, msg->nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != ST_A_LINK_CHANNEL)
			continue;
		ASSERT_GT(ARRAY_SIZE(stu), channels);
		EXPECT_EQ(stu[channels], nl_member(attr, ST_A_CHANNEL_MAX_STU));
		EXPECT_EQ(++channels, nl_member(attr, ST_A_CHANNEL_INDEX));
	}
	EXPECT_EQ(ARRAY_SIZE(stu), channels);

	ASSERT_TRUE(new_pair(fds));
	EXPECT_EQ(1, link_vcs(&self->nl[A]));
	EXPECT_EQ(1, link_vcs(&self->nl[B]));
	close(fds[A]);
	close(fds[B]);
	EXPECT_TRUE(wait_vcs(&self->nl[A], 0));
	EXPECT_TRUE(wait_vcs(&self->nl[B], 0));
}

TEST_F_TIMEOUT(netlink, link_down_and_filter, 60)
{
	struct nl *nl = &self->nl[A];

	ASSERT_EQ(0, nl_filter(nl, ST_CMD_LINK_GET, ST_A_LINK_IFINDEX, sides[A].ifindex, 4,
			       &self->answer));
	EXPECT_EQ(1, self->answer.n);
	ASSERT_EQ(0, nl_filter(nl, ST_CMD_LINK_GET, ST_A_LINK_IFINDEX, 99999, 4, &self->answer));
	EXPECT_EQ(0, self->answer.n);
	EXPECT_EQ(ERANGE, nl_filter(nl, ST_CMD_LINK_GET, ST_A_LINK_IFINDEX, 0, 4, &self->answer));

	ASSERT_TRUE(link_set_up(A, false));
	ASSERT_EQ(0, dump(nl, ST_CMD_LINK_GET, &self->answer));
	ASSERT_EQ(1, self->answer.n);
	EXPECT_EQ(ST_LINK_STATE_DOWN, nl_number(self->answer.msg[0].tb[ST_A_LINK_STATE]));
	ASSERT_TRUE(link_set_up(A, true));
	ASSERT_TRUE(wait_carrier(A));
	ASSERT_TRUE(wait_carrier(B));
}

/* A dump of one Port; NULL if it is not in use. */
static const struct nl_msg *port_of_number(struct nl *nl, unsigned int port,
					   struct nl_answer *answer)
{
	if (nl_filter(nl, ST_CMD_PORT_GET, ST_A_PORT_PORT, port, 2, answer) || answer->n != 1)
		return NULL;
	return &answer->msg[0];
}

TEST_F_TIMEOUT(netlink, listener, 60)
{
	int listener = new_listener(B, 7), accepted, fd;
	unsigned int port;
	const struct nl_msg *msg;

	ASSERT_LE(0, listener);
	fd = open_connection(A, listener);
	ASSERT_LE(0, fd);
	msg = port_of_number(&self->nl[B], port_of(listener), &self->answer);
	ASSERT_NE(NULL, msg);
	EXPECT_EQ(port_of(listener), nl_number(msg->tb[ST_A_PORT_PORT]));
	EXPECT_NE(NULL, msg->tb[ST_A_PORT_LISTENING]);
	EXPECT_EQ(2, nl_number(msg->tb[ST_A_PORT_SOCKETS]));
	EXPECT_EQ(1, nl_number(msg->tb[ST_A_PORT_BACKLOG]));
	EXPECT_EQ(7, nl_number(msg->tb[ST_A_PORT_MAX_BACKLOG]));
	EXPECT_EQ(inode_of(listener), nl_number(msg->tb[ST_A_PORT_INODE]));
	EXPECT_EQ(0, nl_number(msg->tb[ST_A_PORT_UID]));
	EXPECT_EQ(NULL, msg->tb[ST_A_PORT_IFINDEX]);
	EXPECT_EQ(NULL, msg->tb[ST_A_PORT_ADDRESS]);

	/* The accepted connection keeps the Port, which then has no owner */
	port = port_of(listener);
	accepted = accept(listener, NULL, NULL);
	ASSERT_LE(0, accepted);
	close(listener);
	ASSERT_TRUE(wait_sockets(&self->nl[B], port, 1));
	msg = port_of_number(&self->nl[B], port, &self->answer);
	ASSERT_NE(NULL, msg);
	EXPECT_EQ(NULL, msg->tb[ST_A_PORT_LISTENING]);
	EXPECT_EQ(NULL, msg->tb[ST_A_PORT_INODE]);
	EXPECT_EQ(NULL, msg->tb[ST_A_PORT_BACKLOG]);
	close(accepted);
	close(fd);
	EXPECT_TRUE(wait_sockets(&self->nl[B], port, 0));
}

TEST_F_TIMEOUT(netlink, bound_listener, 60)
{
	struct sockaddr_st addr = address(B, 2007);
	const struct nl_msg *msg;
	int fd = new_socket(B, 0);

	addr.sst_ifindex = sides[B].ifindex;
	ASSERT_EQ(0, bind_to(fd, &addr));
	msg = port_of_number(&self->nl[B], 2007, &self->answer);
	ASSERT_NE(NULL, msg);
	EXPECT_EQ(NULL, msg->tb[ST_A_PORT_LISTENING]);
	EXPECT_EQ(inode_of(fd), nl_number(msg->tb[ST_A_PORT_INODE]));
	ASSERT_EQ(0, listen(fd, 1));
	msg = port_of_number(&self->nl[B], 2007, &self->answer);
	ASSERT_NE(NULL, msg);
	EXPECT_EQ((__u64)sides[B].ifindex, nl_number(msg->tb[ST_A_PORT_IFINDEX]));
	EXPECT_TRUE(nl_bytes_are(msg->tb[ST_A_PORT_ADDRESS], sides[B].ula, ULA_LEN));
	EXPECT_EQ(NULL, port_of_number(&self->nl[A], 2007, &self->answer));
	close(fd);
	EXPECT_TRUE(wait_sockets(&self->nl[B], 2007, 0));
}

/* Invalid_Port_Errors of a namespace, or ~0. */
static __u64 invalid_ports(struct nl *nl)
{
	struct nl_answer answer;
	struct nl_req req;
	__u64 count = ~0ULL;

	nl_begin(nl, &req, ST_CMD_COUNTERS_GET, false);
	if (!nl_ask(nl, &req, &answer) && answer.n == 1)
		count = nl_member(answer.msg[0].tb[ST_A_COUNTERS_ERRORS],
				  ST_A_ERRORS_INVALID_PORT);
	nl_free(&answer);
	return count;
}

TEST_F(netlink, error_logs)
{
	struct sockaddr_st to = address(B, 2998), addr = { .sst_family = AF_ST };
	__u64 before[2] = { invalid_ports(&self->nl[A]), invalid_ports(&self->nl[B]) };
	int fd = new_socket(A, 0), bound = new_socket(B, 0), i;
	const struct nl_msg *msg;

	/* A late answer would cause another request */
	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 60000));
	EXPECT_ERRNO(ECONNREFUSED, connect_to(fd, &to));
	EXPECT_EQ(before[B] + 1, invalid_ports(&self->nl[B]));
	EXPECT_EQ(before[A], invalid_ports(&self->nl[A]));

	/* In use, but nobody listens: in the log of the Port */
	addr.sst_port = to.sst_port;
	ASSERT_EQ(0, bind_to(bound, &addr));
	EXPECT_ERRNO(ECONNREFUSED, connect_to(fd, &to));
	EXPECT_ERRNO(ECONNREFUSED, connect_to(fd, &to));
	EXPECT_EQ(before[B] + 1, invalid_ports(&self->nl[B]));
	msg = port_of_number(&self->nl[B], 2998, &self->answer);
	ASSERT_NE(NULL, msg);
	for (i = ST_A_ERRORS_CKSUM; i <= ST_A_ERRORS_MAX; i++)
		EXPECT_EQ(i == ST_A_ERRORS_INVALID_PORT ? 2 : 0,
			  nl_member(msg->tb[ST_A_PORT_ERRORS], i)) TH_LOG("error %d", i);
	EXPECT_EQ(0, nl_number(msg->tb[ST_A_PORT_UNDEFINED_OPCODE_VALUE]));
	EXPECT_EQ(0, nl_number(msg->tb[ST_A_PORT_UNEXPECTED_OPCODE_VALUE]));
	close(bound);
	close(fd);
}

static void check_vc(struct __test_metadata *_metadata, const struct nl_msg *msg, int fds[2],
		     int side)
{
	const struct nlattr *counters = msg->tb[ST_A_VC_COUNTERS];
	struct st_info info;
	socklen_t len = sizeof(info);

	ASSERT_EQ(0, getsockopt(fds[side], SOL_ST, ST_INFO, &info, &len));
	EXPECT_EQ(ST_VC_STATE_ESTABLISHED, nl_number(msg->tb[ST_A_VC_STATE]));
	EXPECT_EQ((__u64)sides[side].ifindex, nl_number(msg->tb[ST_A_VC_IFINDEX]));
	EXPECT_TRUE(nl_text_is(msg->tb[ST_A_VC_LLP], "hippi6400"));
	EXPECT_EQ(port_of(fds[side]), nl_number(msg->tb[ST_A_VC_LOCAL_PORT]));
	EXPECT_EQ(port_of(fds[!side]), nl_number(msg->tb[ST_A_VC_REMOTE_PORT]));
	EXPECT_TRUE(nl_bytes_are(msg->tb[ST_A_VC_LOCAL_ADDRESS], sides[side].ula, ULA_LEN));
	EXPECT_TRUE(nl_bytes_are(msg->tb[ST_A_VC_REMOTE_ADDRESS], sides[!side].ula, ULA_LEN));
	EXPECT_EQ(info.local_key, nl_number(msg->tb[ST_A_VC_LOCAL_KEY]));
	EXPECT_EQ(info.remote_key, nl_number(msg->tb[ST_A_VC_REMOTE_KEY]));
	EXPECT_EQ(info.local_slots, nl_number(msg->tb[ST_A_VC_LOCAL_SLOTS]));
	EXPECT_EQ(info.remote_slots, nl_number(msg->tb[ST_A_VC_REMOTE_SLOTS]));
	EXPECT_EQ(1ULL << info.local_bufsize, nl_number(msg->tb[ST_A_VC_LOCAL_BUFSIZE]));
	EXPECT_EQ(1ULL << info.remote_bufsize, nl_number(msg->tb[ST_A_VC_REMOTE_BUFSIZE]));
	EXPECT_EQ(STU_1M, nl_number(msg->tb[ST_A_VC_LOCAL_MAX_STU]));
	EXPECT_EQ(STU_1M, nl_number(msg->tb[ST_A_VC_REMOTE_MAX_STU]));
	EXPECT_EQ(ST_VC_FLAGS_CHECKSUM | ST_VC_FLAGS_REMOTE_CHECKSUM | ST_VC_FLAGS_OUT_OF_ORDER |
		  (side == B ? ST_VC_FLAGS_ACCEPTED : 0), nl_number(msg->tb[ST_A_VC_FLAGS]));
	EXPECT_EQ(info.tx_ops, nl_member(counters, ST_A_VC_COUNTERS_TX_OPS));
	EXPECT_EQ(info.rx_ops, nl_member(counters, ST_A_VC_COUNTERS_RX_OPS));
	EXPECT_EQ(info.tx_bytes, nl_member(counters, ST_A_VC_COUNTERS_TX_BYTES));
	EXPECT_EQ(info.rx_bytes, nl_member(counters, ST_A_VC_COUNTERS_RX_BYTES));
	EXPECT_EQ(info.tx_transfers, nl_member(counters, ST_A_VC_COUNTERS_TX_TRANSFERS));
	EXPECT_EQ(info.rx_transfers, nl_member(counters, ST_A_VC_COUNTERS_RX_TRANSFERS));
	EXPECT_EQ(info.op_retries, nl_member(counters, ST_A_VC_COUNTERS_OP_RETRIES));
	EXPECT_EQ(info.block_retries, nl_member(counters, ST_A_VC_COUNTERS_BLOCK_RETRIES));
	EXPECT_EQ(info.rx_direct, nl_member(counters, ST_A_VC_COUNTERS_RX_DIRECT));
	EXPECT_EQ(info.tx_short, nl_member(counters, ST_A_VC_COUNTERS_TX_SHORT));
	EXPECT_EQ(info.rx_short, nl_member(counters, ST_A_VC_COUNTERS_RX_SHORT));
	EXPECT_EQ(inode_of(fds[side]), nl_number(msg->tb[ST_A_VC_INODE]));
	EXPECT_EQ(0, nl_number(msg->tb[ST_A_VC_UID]));
	EXPECT_NE(NULL, msg->tb[ST_A_VC_IDLE]);
	EXPECT_EQ(NULL, msg->tb[ST_A_VC_ERROR]);
}

TEST_F(netlink, connection)
{
	const struct nl_msg *msg;
	char buf[5000];
	int fds[2], side;

	ASSERT_TRUE(new_pair(fds));
	/* Three records, of which one is read */
	for (side = 0; side < 3; side++)
		ASSERT_EQ((ssize_t)sizeof(buf), send(fds[A], buf, sizeof(buf), 0));
	ASSERT_EQ((ssize_t)sizeof(buf), recv_record(fds[B], buf, sizeof(buf)));
	for (side = A; side <= B; side++) {
		ASSERT_EQ(0, dump(&self->nl[side], ST_CMD_VC_GET, &self->answer));
		msg = nl_find(&self->answer, ST_A_VC_COOKIE, cookie_of(fds[side]));
		ASSERT_NE(NULL, msg);
		check_vc(_metadata, msg, fds, side);
		EXPECT_EQ(0, nl_number(msg->tb[ST_A_VC_TX_QUEUED]));
		EXPECT_EQ(side == B ? 2 * sizeof(buf) : 0,
			  nl_number(msg->tb[ST_A_VC_RX_QUEUED]));
		EXPECT_EQ(side == B ? 3 * sizeof(buf) : 0,
			  nl_member(msg->tb[ST_A_VC_COUNTERS], ST_A_VC_COUNTERS_RX_BYTES));
		EXPECT_EQ(side == B ? 62 : 64, nl_number(msg->tb[ST_A_VC_LOCAL_SLOTS]));
	}
	EXPECT_LE(2 * sizeof(buf), nl_number(msg->tb[ST_A_VC_RX_MEMORY]));
	close(fds[A]);
	close(fds[B]);
}

TEST_F(netlink, connection_filters)
{
	int one[2], two[2];
	struct nl *nl = &self->nl[A];

	ASSERT_TRUE(new_pair(one));
	ASSERT_TRUE(new_pair(two));
	ASSERT_EQ(0, nl_filter(nl, ST_CMD_VC_GET, ST_A_VC_LOCAL_PORT, port_of(two[A]), 2,
			       &self->answer));
	ASSERT_EQ(1, self->answer.n);
	EXPECT_EQ(cookie_of(two[A]), nl_number(self->answer.msg[0].tb[ST_A_VC_COOKIE]));
	ASSERT_EQ(0, nl_filter(nl, ST_CMD_VC_GET, ST_A_VC_IFINDEX, 99999, 4, &self->answer));
	EXPECT_EQ(0, self->answer.n);
	ASSERT_EQ(0, nl_filter(nl, ST_CMD_VC_GET, ST_A_VC_IFINDEX, sides[A].ifindex, 4,
			       &self->answer));
	EXPECT_NE(NULL, nl_find(&self->answer, ST_A_VC_COOKIE, cookie_of(one[A])));
	EXPECT_NE(NULL, nl_find(&self->answer, ST_A_VC_COOKIE, cookie_of(two[A])));
	EXPECT_EQ(NULL, nl_find(&self->answer, ST_A_VC_COOKIE, cookie_of(one[B])));
	/* No filter by anything else */
	EXPECT_EQ(EINVAL, nl_filter(nl, ST_CMD_VC_GET, ST_A_VC_STATE, 1, 4, &self->answer));
	close(one[A]);
	close(one[B]);
	close(two[A]);
	close(two[B]);
}

/* Queries as another user, who sees sockets and their users, but no Keys. */
static int without_rights(struct nl_answer *answer)
{
	bool user = false;
	struct nl nl;
	size_t i;

	if (!become_nobody() || !nl_open(&nl) ||
	    nl_dump(&nl, ST_CMD_VC_GET, answer))
		return 1;
	for (i = 0; i < answer->n; i++) {
		if (answer->msg[i].tb[ST_A_VC_LOCAL_KEY] || answer->msg[i].tb[ST_A_VC_REMOTE_KEY])
			return 2;
		user |= answer->msg[i].tb[ST_A_VC_UID] && answer->msg[i].tb[ST_A_VC_INODE];
	}
	return user ? 0 : 3;
}

TEST_F(netlink, keys_are_secret)
{
	int fds[2], status;
	pid_t pid;

	ASSERT_TRUE(new_pair(fds));
	ASSERT_TRUE(enter(A));
	pid = fork();
	if (!pid)
		_exit(without_rights(&self->answer));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	close(fds[A]);
	close(fds[B]);
}

/* Waits for a Transfer with at least @done bytes sent. */
static const struct nl_msg *wait_transfer(struct nl *nl, __u64 cookie, __u64 done,
					  struct nl_answer *answer)
{
	long long end = now_ms() + 4 * SOON_MS;
	const struct nl_msg *msg;

	do {
		if (dump(nl, ST_CMD_TRANSFER_GET, answer))
			return NULL;
		msg = nl_find(answer, ST_A_TRANSFER_COOKIE, cookie);
		if (msg && nl_number(msg->tb[ST_A_TRANSFER_DONE]) >= done)
			return msg;
		usleep(10000);
	} while (now_ms() < end);
	return NULL;
}

static bool wait_no_transfers(struct nl *nl, struct nl_answer *answer)
{
	long long end = now_ms() + 4 * SOON_MS;

	while (!dump(nl, ST_CMD_TRANSFER_GET, answer) && now_ms() < end) {
		if (!answer->n)
			return true;
		usleep(10000);
	}
	return false;
}

static void check_transfer(struct __test_metadata *_metadata, const struct nl_msg *msg,
			   int fds[2], int side)
{
	__u64 done = nl_number(msg->tb[ST_A_TRANSFER_DONE]);

	EXPECT_EQ(port_of(fds[side]), nl_number(msg->tb[ST_A_TRANSFER_LOCAL_PORT]));
	EXPECT_EQ(port_of(fds[!side]), nl_number(msg->tb[ST_A_TRANSFER_REMOTE_PORT]));
	EXPECT_EQ((__u64)sides[side].ifindex, nl_number(msg->tb[ST_A_TRANSFER_IFINDEX]));
	EXPECT_EQ(side == A ? ST_DIRECTION_SEND : ST_DIRECTION_RECEIVE,
		  nl_number(msg->tb[ST_A_TRANSFER_DIRECTION]));
	EXPECT_EQ(ST_TRANSFER_STATE_MOVING, nl_number(msg->tb[ST_A_TRANSFER_STATE]));
	EXPECT_EQ(4 * MIB, nl_number(msg->tb[ST_A_TRANSFER_LENGTH]));
	EXPECT_LE(1, done);
	EXPECT_GT(4 * MIB, done);
	/* Without a reader the kernel's pages hold whole Blocks and expose no more */
	EXPECT_EQ(0, done % nl_number(msg->tb[ST_A_TRANSFER_BLOCKSIZE]));
	EXPECT_EQ(0, nl_number(msg->tb[ST_A_TRANSFER_BLOCKS]));
	EXPECT_EQ(side == A, !msg->tb[ST_A_TRANSFER_READ]);
	EXPECT_EQ(0, side == A ? 0 : nl_number(msg->tb[ST_A_TRANSFER_READ]));
}

TEST_F_TIMEOUT(netlink, transfer, 120)
{
	struct job job = { .len = 4 * MIB };
	const struct nl_msg *msg;
	__u64 id, remote_id, blocksize, done;
	int fds[2];

	job.buf = new_pages(job.len);
	ASSERT_NE(NULL, job.buf);
	ASSERT_TRUE(new_pair(fds));
	ASSERT_TRUE(wait_no_transfers(&self->nl[A], &self->answer));
	job.fd = fds[A];
	ASSERT_TRUE(job_start(&job));

	/* Until SO_RCVBUF is full: when the other end has received everything sent */
	msg = wait_transfer(&self->nl[A], cookie_of(fds[A]), 1, &self->answer);
	ASSERT_NE(NULL, msg);
	msg = wait_transfer(&self->nl[B], cookie_of(fds[B]), 1, &self->answer);
	ASSERT_NE(NULL, msg);
	do {
		done = nl_number(msg->tb[ST_A_TRANSFER_DONE]);
		usleep(BRIEF_MS * 1000);
		msg = wait_transfer(&self->nl[B], cookie_of(fds[B]), done, &self->answer);
		ASSERT_NE(NULL, msg);
	} while (nl_number(msg->tb[ST_A_TRANSFER_DONE]) != done ||
		 nl_number(msg->tb[ST_A_TRANSFER_BLOCKS]));
	check_transfer(_metadata, msg, fds, B);
	id = nl_number(msg->tb[ST_A_TRANSFER_ID]);
	remote_id = nl_number(msg->tb[ST_A_TRANSFER_REMOTE_ID]);
	blocksize = nl_number(msg->tb[ST_A_TRANSFER_BLOCKSIZE]);

	msg = wait_transfer(&self->nl[A], cookie_of(fds[A]), done, &self->answer);
	ASSERT_NE(NULL, msg);
	check_transfer(_metadata, msg, fds, A);
	EXPECT_EQ(done, nl_number(msg->tb[ST_A_TRANSFER_DONE]));
	EXPECT_EQ(remote_id, nl_number(msg->tb[ST_A_TRANSFER_ID]));
	EXPECT_EQ(id, nl_number(msg->tb[ST_A_TRANSFER_REMOTE_ID]));
	EXPECT_EQ(blocksize, nl_number(msg->tb[ST_A_TRANSFER_BLOCKSIZE]));

	ASSERT_EQ(0, dump(&self->nl[A], ST_CMD_VC_GET, &self->answer));
	msg = nl_find(&self->answer, ST_A_VC_COOKIE, cookie_of(fds[A]));
	ASSERT_NE(NULL, msg);
	EXPECT_EQ(4 * MIB, nl_number(msg->tb[ST_A_VC_TX_QUEUED]));

	ASSERT_EQ(4 * MIB, recv_record(fds[B], new_pages(job.len), job.len));
	job_end(&job);
	EXPECT_EQ(4 * MIB, job.result);
	EXPECT_TRUE(wait_no_transfers(&self->nl[A], &self->answer));
	EXPECT_TRUE(wait_no_transfers(&self->nl[B], &self->answer));
	close(fds[A]);
	close(fds[B]);
}

TEST_HARNESS_MAIN
