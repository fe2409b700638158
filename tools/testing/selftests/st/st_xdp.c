// SPDX-License-Identifier: GPL-2.0
/*
 * A generic XDP program that passes everything, on the device of the receiver.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <libmnl/libmnl.h>
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "kselftest_harness.h"

#include "common.h"

#define LEN		1000000
#define MORE_THAN_OPS	100	/* micropackets, which operations without data do not have */
#define MAX_STU_PORT	20
#define MAX_STU_FRAME	15	/* log2, what fits an MTU of 65280 with the Schedule Header */

/* A program of two instructions: return XDP_PASS; its descriptor, or -1 */
static int load_pass(void)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = XDP_PASS },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_XDP,
		.insns = (unsigned long)insns,
		.insn_cnt = ARRAY_SIZE(insns),
		.license = (unsigned long)"GPL",
	};

	return syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
}

/* Sets the program of a side's device; -1: none. */
static bool set_program(int side, int prog)
{
	char buf[256] = {};
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct mnl_socket *sock;
	struct ifinfomsg *ifi;
	struct nlattr *nest;
	bool ok;

	nlh->nlmsg_type = RTM_SETLINK;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	ifi = mnl_nlmsg_put_extra_header(nlh, sizeof(*ifi));
	ifi->ifi_index = sides[side].ifindex;
	nest = mnl_attr_nest_start(nlh, IFLA_XDP);
	mnl_attr_put_u32(nlh, IFLA_XDP_FD, prog);
	mnl_attr_put_u32(nlh, IFLA_XDP_FLAGS, XDP_FLAGS_SKB_MODE);
	mnl_attr_nest_end(nlh, nest);

	if (!enter(side))
		return false;
	sock = mnl_socket_open(NETLINK_ROUTE);
	if (!sock)
		return fail("netlink socket");
	ok = mnl_socket_bind(sock, 0, MNL_SOCKET_AUTOPID) >= 0 &&
	     mnl_socket_sendto(sock, nlh, nlh->nlmsg_len) >= 0;
	if (ok) {
		ssize_t n = mnl_socket_recvfrom(sock, buf, sizeof(buf));

		ok = n > 0 && mnl_cb_run(buf, n, 0, mnl_socket_get_portid(sock), NULL, NULL) >= 0;
	}
	mnl_socket_close(sock);
	return ok || fail("RTM_SETLINK with IFLA_XDP");
}

FIXTURE(xdp)
{
	int prog;
	int fds[2];
	char *from;
	char *to;
};

FIXTURE_SETUP(xdp)
{
	self->from = new_pages(LEN);
	self->to = new_pages(LEN);
	ASSERT_NE(NULL, self->from);
	ASSERT_NE(NULL, self->to);
	fill(self->from, LEN, 1, 0);
	ASSERT_TRUE(set_up());
	self->prog = load_pass();
	ASSERT_LE(0, self->prog) TH_LOG("BPF_PROG_LOAD: errno %d", errno);
}

FIXTURE_TEARDOWN(xdp)
{
	EXPECT_TRUE(set_program(B, -1));
	if (medium() != ETHERNET)
		EXPECT_TRUE(fault_set(0, "drop_rate", "0"));
	close(self->prog);
	close(self->fds[A]);
	close(self->fds[B]);
	munmap(self->from, LEN);
	munmap(self->to, LEN);
}

/* A record to a receiver that waits for it, with pages of its own. */
static void pass(struct __test_metadata *_metadata, const int fds[2], const char *from, char *to,
		 size_t len)
{
	struct job receiver = { .fd = fds[B], .buf = to, .len = len, .receive = true };

	memset(to, GUARD, len);
	ASSERT_TRUE(job_start(&receiver));
	ASSERT_TRUE(job_asleep(&receiver));
	ASSERT_EQ((ssize_t)len, send(fds[A], from, len, MSG_NOSIGNAL));
	job_end(&receiver);
	ASSERT_EQ((ssize_t)len, receiver.result) TH_LOG("errno %d", receiver.error);
	EXPECT_TRUE(is_filled(to, len, 1, 0));
}

/* The peer is offered STUs that fit a frame, and they are received as frames. */
TEST_F_TIMEOUT(xdp, before_the_connection, 100)
{
	long long placed = medium() == ETHERNET ? 0 : dev_stat(B, "rx_placed");

	ASSERT_LE(0, placed);
	ASSERT_TRUE(set_program(B, self->prog));
	ASSERT_TRUE(new_pair(self->fds));
	pass(_metadata, self->fds, self->from, self->to, LEN);
	pass(_metadata, self->fds, self->from, self->to, 5000);
	pass(_metadata, self->fds, self->from, self->to, 100);
	EXPECT_EQ(0, get_info(self->fds[B]).block_retries);
	if (medium() == ETHERNET)
		return;
	EXPECT_EQ(MAX_STU_FRAME, get_info(self->fds[B]).local_max_stu);
	EXPECT_EQ(placed, dev_stat(B, "rx_placed"));
	EXPECT_EQ(0, dev_stat(B, "rx_xdp_too_long"));
}

static bool wait_stat(const char *name, long long than)
{
	long long end = now_ms() + SOON_MS;

	while (dev_stat(B, name) <= than) {
		if (now_ms() > end)
			return false;
		usleep(1000);
	}
	return true;
}

/* The line has lost this number of micropackets of A */
static bool wait_lost(long long count)
{
	long long end = now_ms() + SOON_MS;

	while (fault_stat(0, "dropped") < count) {
		if (now_ms() > end)
			return false;
		usleep(1000);
	}
	return true;
}

/* Longer ones were offered: Blocks are as short as a frame. */
TEST_F_TIMEOUT(xdp, amid_a_connection, 100)
{
	long long placed;

	ASSERT_TRUE(new_pair(self->fds));
	pass(_metadata, self->fds, self->from, self->to, LEN);
	ASSERT_TRUE(set_program(B, self->prog));
	placed = medium() == ETHERNET ? 0 : dev_stat(B, "rx_placed");
	pass(_metadata, self->fds, self->from, self->to, LEN);
	pass(_metadata, self->fds, self->from, self->to, 20000);
	pass(_metadata, self->fds, self->from, self->to, 100);
	EXPECT_EQ(0, get_info(self->fds[B]).block_retries);
	if (medium() == ETHERNET)
		return;
	EXPECT_EQ(MAX_STU_PORT, get_info(self->fds[B]).local_max_stu);
	EXPECT_EQ(placed, dev_stat(B, "rx_placed"));
	EXPECT_EQ(0, dev_stat(B, "rx_xdp_too_long"));
}

/*
 * Blocks of a record in progress keep their length.  Their Data is dropped and counted,
 * until the program is detached.
 */
TEST_F_TIMEOUT(xdp, amid_a_record, 100)
{
	struct job sender = { .buf = self->from, .len = LEN };
	struct job receiver = { .buf = self->to, .len = LEN, .receive = true };
	long long dropped, placed, lost;
	const int room = LEN / 8;	/* which is doubled */

	if (medium() == ETHERNET)
		SKIP(return, "frames are no longer than the MTU");
	ASSERT_TRUE(new_pair(self->fds));
	ASSERT_EQ(0, setsockopt(self->fds[B], SOL_SOCKET, SO_RCVBUF, &room, sizeof(room)));
	sender.fd = self->fds[A];
	receiver.fd = self->fds[B];
	placed = dev_stat(B, "rx_placed");
	ASSERT_TRUE(job_start(&sender));
	ASSERT_TRUE(wait_stat("rx_placed", placed));
	/* No Data arrives before the program is attached, but Clear_To_Sends do. */
	lost = fault_stat(0, "dropped");
	ASSERT_TRUE(fault_set(0, "drop_rate", "1"));
	ASSERT_TRUE(job_start(&receiver));
	ASSERT_TRUE(wait_lost(lost + MORE_THAN_OPS));
	dropped = dev_stat(B, "rx_xdp_too_long");
	ASSERT_TRUE(set_program(B, self->prog));
	placed = dev_stat(B, "rx_placed");
	ASSERT_TRUE(fault_set(0, "drop_rate", "0"));
	EXPECT_TRUE(wait_stat("rx_xdp_too_long", dropped));
	EXPECT_EQ(placed, dev_stat(B, "rx_placed"));
	ASSERT_TRUE(set_program(B, -1));
	job_end(&sender);
	job_end(&receiver);
	EXPECT_EQ(LEN, sender.result) TH_LOG("errno %d", sender.error);
	ASSERT_EQ(LEN, receiver.result) TH_LOG("errno %d", receiver.error);
	EXPECT_TRUE(is_filled(self->to, LEN, 1, 0));
	EXPECT_LT(placed, dev_stat(B, "rx_placed"));
}

TEST_HARNESS_MAIN
