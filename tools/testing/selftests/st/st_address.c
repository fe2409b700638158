// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family "st": addresses, their text, and what is behind an IP address;
 * each refusal with its reason.  The namespaces have no IP addresses but those of lib.sh.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"
#include "nl.h"

#define LLP		"hippi6400"
#define IP_A		"10.64.0.1"
#define IP_B		"10.64.0.2"
#define MOST		64	/* requests that wait */
#define UNPRIVILEGED	56	/* of those without privileges */
#define OWN		16	/* of one of them */
#define USER		2000	/* the first */
#define NO_LINK		"there is no such link; ststat link shows which there are"

/* For administrators, and first: the others leave requests that wait. */
FIXTURE(reserve)
{
	struct nl nl[2];
	struct nl_req req;
	struct nl_answer answer;
};

FIXTURE_SETUP(reserve)
{
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(nl_open_sides(self->nl));
	memset(&self->answer, 0, sizeof(self->answer));
}

FIXTURE_TEARDOWN(reserve)
{
	nl_close_sides(self->nl);
}

FIXTURE(address)
{
	struct nl nl[2];
	struct nl_req req;
	struct nl_answer answer;
	char text[24];
};

FIXTURE_SETUP(address)
{
	const __u8 *ula = sides[B].ula;

	ASSERT_TRUE(set_up());
	ASSERT_TRUE(nl_open_sides(self->nl));
	/* Everybody may ask */
	ASSERT_TRUE(become_nobody());
	memset(&self->answer, 0, sizeof(self->answer));
	snprintf(self->text, sizeof(self->text), "%02x:%02x:%02x:%02x:%02x:%02x", ula[0], ula[1],
		 ula[2], ula[3], ula[4], ula[5]);
}

FIXTURE_TEARDOWN(address)
{
	nl_free(&self->answer);
	nl_close_sides(self->nl);
}

static void begin(struct nl *nl, struct nl_req *req, __u32 ifindex, const char *text)
{
	nl_begin(nl, req, ST_CMD_ADDRESS_GET, false);
	if (ifindex)
		mnl_attr_put_u32(req->nlh, ST_A_ADDRESS_IFINDEX, ifindex);
	if (text)
		mnl_attr_put_strz(req->nlh, ST_A_ADDRESS_TEXT, text);
}

#define EXPECT_REFUSED(error, reason) do {						\
	EXPECT_EQ(error, nl_ask(&self->nl[A], &self->req, &self->answer));		\
	EXPECT_STREQ(reason, self->nl[A].said);						\
	EXPECT_EQ(0, self->answer.n);							\
} while (0)

/* The answer is the address of B. */
#define EXPECT_B() do {									\
	const struct nl_msg *msg_;							\
											\
	ASSERT_EQ(0, nl_ask(&self->nl[A], &self->req, &self->answer));			\
	ASSERT_EQ(1, self->answer.n);							\
	msg_ = &self->answer.msg[0];							\
	EXPECT_EQ(ST_CMD_ADDRESS_GET, msg_->cmd);					\
	EXPECT_EQ(sides[A].ifindex, nl_number(msg_->tb[ST_A_ADDRESS_IFINDEX]));		\
	EXPECT_TRUE(nl_text_is(msg_->tb[ST_A_ADDRESS_LLP], LLP));			\
	EXPECT_EQ(ST_LLP_HIPPI6400, nl_number(msg_->tb[ST_A_ADDRESS_LLP_TYPE]));	\
	EXPECT_TRUE(nl_bytes_are(msg_->tb[ST_A_ADDRESS_ADDRESS], sides[B].ula, ULA_LEN)); \
	EXPECT_TRUE(nl_text_is(msg_->tb[ST_A_ADDRESS_TEXT], self->text));		\
	nl_free(&self->answer);								\
} while (0)

TEST_F(address, text)
{
	struct nl *nl = &self->nl[A];

	begin(nl, &self->req, 0, self->text);
	EXPECT_B();
	begin(nl, &self->req, sides[A].ifindex, self->text);
	mnl_attr_put_strz(self->req.nlh, ST_A_ADDRESS_LLP, LLP);
	mnl_attr_put_u32(self->req.nlh, ST_A_ADDRESS_LLP_TYPE, ST_LLP_HIPPI6400);
	EXPECT_B();

	begin(nl, &self->req, 0, "2:64");
	EXPECT_REFUSED(EINVAL, "'2:64' is no address of kind mac, nor an IP address");
	begin(nl, &self->req, 0, "0123456789012345678901234567890123456789012345x");
	EXPECT_REFUSED(EINVAL,
		       "'012345678901234567890123' is no address of kind mac, nor an IP address");
	begin(nl, &self->req, 0, "01234567890123456789012345678901234567890123456x");
	EXPECT_REFUSED(EINVAL, "Attribute failed policy validation");
	begin(nl, &self->req, 0, "ff:ff:ff:ff:ff:ff");
	EXPECT_REFUSED(EADDRNOTAVAIL, "ff:ff:ff:ff:ff:ff is not the address of one host");
	begin(nl, &self->req, 99999, self->text);
	EXPECT_REFUSED(ENODEV, NO_LINK);
	begin(nl, &self->req, 0, self->text);
	mnl_attr_put_strz(self->req.nlh, ST_A_ADDRESS_LLP, "nonsense");
	EXPECT_REFUSED(ENODEV, NO_LINK);
	begin(nl, &self->req, 0, self->text);
	mnl_attr_put_u32(self->req.nlh, ST_A_ADDRESS_LLP_TYPE, 77);
	EXPECT_REFUSED(ENODEV, NO_LINK);
	begin(nl, &self->req, 0, NULL);
	EXPECT_REFUSED(EINVAL, "");
}

TEST_F(address, bytes)
{
	struct nl *nl = &self->nl[A];

	begin(nl, &self->req, 0, NULL);
	mnl_attr_put(self->req.nlh, ST_A_ADDRESS_ADDRESS, ULA_LEN, sides[B].ula);
	EXPECT_B();
	begin(nl, &self->req, 0, NULL);
	mnl_attr_put(self->req.nlh, ST_A_ADDRESS_ADDRESS, ULA_LEN - 1, sides[B].ula);
	EXPECT_REFUSED(EINVAL, "the address has 5 bytes, on the link 6");
	begin(nl, &self->req, 99999, NULL);
	mnl_attr_put(self->req.nlh, ST_A_ADDRESS_ADDRESS, ULA_LEN, sides[B].ula);
	EXPECT_REFUSED(ENODEV, NO_LINK);
	begin(nl, &self->req, 0, self->text);
	mnl_attr_put(self->req.nlh, ST_A_ADDRESS_ADDRESS, ULA_LEN, sides[B].ula);
	EXPECT_REFUSED(EINVAL, "give an address or its text, not both");
}

/* The answer comes later, also to who does not ask for an acknowledgment. */
TEST_F(address, ip)
{
	struct nl *nl = &self->nl[A];
	unsigned int i;

	for (i = 0; i < 2; i++) {
		begin(nl, &self->req, 0, IP_B);
		EXPECT_B();
	}
	begin(nl, &self->req, sides[A].ifindex, "::ffff:" IP_B);
	mnl_attr_put_u32(self->req.nlh, ST_A_ADDRESS_TIMEOUT, 30000);
	EXPECT_B();

	begin(nl, &self->req, 0, IP_B);
	mnl_attr_put_u32(self->req.nlh, ST_A_ADDRESS_TIMEOUT, 30001);
	EXPECT_REFUSED(ERANGE, "integer out of range");
	begin(nl, &self->req, 0, IP_A);
	EXPECT_REFUSED(EADDRNOTAVAIL, IP_A " is an address of this host");
	begin(nl, &self->req, 0, "10.64.0.99");
	mnl_attr_put_u32(self->req.nlh, ST_A_ADDRESS_TIMEOUT, 100);
	EXPECT_REFUSED(ETIMEDOUT, "no answer for 10.64.0.99 in 100 ms");
	begin(nl, &self->req, 0, "192.0.2.1");
	EXPECT_REFUSED(ENETUNREACH, "no link has a route without gateway to 192.0.2.1");
	begin(nl, &self->req, 0, "0.0.0.0");
	EXPECT_REFUSED(EADDRNOTAVAIL, "0.0.0.0 is not the address of one host");
	begin(nl, &self->req, 99999, IP_B);
	EXPECT_REFUSED(ENODEV, NO_LINK);
}

/* An error comes without being asked for. */
TEST_F(address, no_acknowledgment)
{
	struct nl *nl = &self->nl[A];
	struct nlmsghdr *nlh;
	char buf[1024];
	ssize_t n;

	begin(nl, &self->req, 0, IP_B);
	nlh = self->req.nlh;
	nlh->nlmsg_flags &= ~NLM_F_ACK;
	ASSERT_LT(0, mnl_socket_sendto(nl->sock, nlh, nlh->nlmsg_len));
	n = mnl_socket_recvfrom(nl->sock, buf, sizeof(buf));
	nlh = (struct nlmsghdr *)buf;
	ASSERT_TRUE(mnl_nlmsg_ok(nlh, n));
	EXPECT_EQ(nl->family, nlh->nlmsg_type);

	begin(nl, &self->req, 0, "192.0.2.1");
	nlh = self->req.nlh;
	nlh->nlmsg_flags &= ~NLM_F_ACK;
	ASSERT_LT(0, mnl_socket_sendto(nl->sock, nlh, nlh->nlmsg_len));
	n = mnl_socket_recvfrom(nl->sock, buf, sizeof(buf));
	nlh = (struct nlmsghdr *)buf;
	ASSERT_TRUE(mnl_nlmsg_ok(nlh, n));
	EXPECT_EQ(NLMSG_ERROR, nlh->nlmsg_type);
}

/* The number and the error of the next answer, or 0 */
static __u32 next_error(struct nl *nl, int *error)
{
	char buf[4096];
	ssize_t n = mnl_socket_recvfrom(nl->sock, buf, sizeof(buf));
	const struct nlmsghdr *nlh = (struct nlmsghdr *)buf;

	if (!mnl_nlmsg_ok(nlh, n) || nlh->nlmsg_type != NLMSG_ERROR)
		return 0;
	*error = -((struct nlmsgerr *)mnl_nlmsg_get_payload(nlh))->error;
	return nlh->nlmsg_seq;
}

/* Those who wait hold up nobody, and are not too many. */
TEST_F(address, many)
{
	struct nl *nl = &self->nl[A];
	unsigned int i;
	int error;

	for (i = 0; i < OWN; i++) {
		begin(nl, &self->req, 0, "10.64.0.97");
		ASSERT_LT(0, mnl_socket_sendto(nl->sock, self->req.nlh, self->req.nlh->nlmsg_len));
	}
	/* The last is answered first. */
	begin(nl, &self->req, 0, "10.64.0.97");
	EXPECT_REFUSED(EBUSY, "16 requests of the user wait for an IP address");
	/* Who need not wait is answered. */
	begin(nl, &self->req, 0, IP_A);
	EXPECT_REFUSED(EADDRNOTAVAIL, IP_A " is an address of this host");
	EXPECT_EQ(0, nl_dump(&self->nl[B], ST_CMD_LINK_GET, &self->answer));
	for (i = 0; i < OWN; i++) {
		EXPECT_NE(0, next_error(nl, &error));
		EXPECT_EQ(EHOSTUNREACH, error);
	}
}

static bool become(uid_t uid)
{
	return !setresuid(0, 0, 0) && !setresuid(uid, uid, 0);
}

/* Administrators have a reserve. */
TEST_F(reserve, administrators)
{
	struct nl *nl = &self->nl[A];
	unsigned int i;
	int error;

	for (i = 0; i < MOST; i++) {
		ASSERT_TRUE(become(i < UNPRIVILEGED ? USER + i / OWN : 0));
		begin(nl, &self->req, 0, "10.64.0.96");
		ASSERT_LT(0, mnl_socket_sendto(nl->sock, self->req.nlh, self->req.nlh->nlmsg_len));
		if (i == UNPRIVILEGED - 1) {
			begin(nl, &self->req, 0, "10.64.0.96");
			EXPECT_REFUSED(EBUSY, "56 other requests wait for an IP address");
		}
	}
	begin(nl, &self->req, 0, "10.64.0.96");
	EXPECT_REFUSED(EBUSY, "64 other requests wait for an IP address");
	for (i = 0; i < MOST; i++) {
		EXPECT_NE(0, next_error(nl, &error));
		EXPECT_EQ(EHOSTUNREACH, error);
	}
}

/* Who asks may be gone before the answer. */
TEST_F(address, closed)
{
	struct nl *nl = &self->nl[A];
	unsigned int i;

	for (i = 0; i < 8; i++) {
		begin(nl, &self->req, 0, "10.64.0.98");
		ASSERT_LT(0, mnl_socket_sendto(nl->sock, self->req.nlh, self->req.nlh->nlmsg_len));
	}
}

TEST_HARNESS_MAIN
