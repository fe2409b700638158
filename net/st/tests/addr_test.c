// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of types of addresses, and of the resolution of IP addresses. */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/in.h>
#include <linux/in6.h>

#include "link/link.h"

/* A text, its bytes, and their text if it differs */
struct st_addr_case {
	const struct st_addr_type	*type;
	unsigned int			len;
	const char			*text;
	u8				addr[ST_ADDR_MAX];
	const char			*printed;
	bool				nobody;
};

static const struct st_addr_case st_addr_good[] = {
	{ &st_addr_mac, 6, "02:64:00:00:00:01", { 2, 0x64, 0, 0, 0, 1 } },
	{ &st_addr_mac, 6, "02:AB:cd:EF:00:ff", { 2, 0xab, 0xcd, 0xef, 0, 0xff },
	  "02:ab:cd:ef:00:ff" },
	{ &st_addr_mac, 6, "02-64-00-00-00-01", { 2, 0x64, 0, 0, 0, 1 }, "02:64:00:00:00:01" },
	{ &st_addr_mac, 6, "2:64:0:0:a:1", { 2, 0x64, 0, 0, 0xa, 1 }, "02:64:00:00:0a:01" },
	{ &st_addr_mac, 6, "00:00:00:00:00:00", {}, .nobody = true },
	{ &st_addr_mac, 6, "01:00:5e:00:00:01", { 1, 0, 0x5e, 0, 0, 1 }, .nobody = true },
	{ &st_addr_mac, 6, "ff:ff:ff:ff:ff:ff", { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
	  .nobody = true },
	{ &st_addr_id, 1, "0", { 0 } },
	{ &st_addr_id, 1, "0xfe", { 0xfe }, "254" },
	{ &st_addr_id, 1, "255", { 0xff }, .nobody = true },
	{ &st_addr_id, 2, "255", { 0, 0xff } },
	{ &st_addr_id, 2, "0x0102", { 1, 2 }, "258" },
	{ &st_addr_id, 2, "65535", { 0xff, 0xff }, .nobody = true },
	{ &st_addr_id, 3, "65535", { 0, 0xff, 0xff } },
	{ &st_addr_id, 4, "4294967294", { 0xff, 0xff, 0xff, 0xfe } },
	{ &st_addr_id, 4, "0xffffffff", { 0xff, 0xff, 0xff, 0xff }, "4294967295", .nobody = true },
	{ &st_addr_ip, 16, "192.0.2.1", { [10] = 0xff, 0xff, 192, 0, 2, 1 } },
	{ &st_addr_ip, 16, "::ffff:192.0.2.1", { [10] = 0xff, 0xff, 192, 0, 2, 1 }, "192.0.2.1" },
	{ &st_addr_ip, 16, "fd00::7", { 0xfd, [15] = 7 } },
	{ &st_addr_ip, 16, "fd00::0007", { 0xfd, [15] = 7 }, "fd00::7" },
	{ &st_addr_ip, 16, "::1", { [15] = 1 } },
	{ &st_addr_ip, 16, "::", {}, .nobody = true },
	{ &st_addr_ip, 16, "ff02::1", { 0xff, 2, [15] = 1 }, .nobody = true },
	{ &st_addr_ip, 16, "224.0.0.1", { [10] = 0xff, 0xff, 224, 0, 0, 1 }, .nobody = true },
	{ &st_addr_ip, 16, "255.255.255.255", { [10] = 0xff, 0xff, 255, 255, 255, 255 },
	  .nobody = true },
};

/* Both directions, and valid() */
static void st_addr_texts(struct kunit *test)
{
	const struct st_addr_case *c;
	char text[40];
	u8 addr[ST_ADDR_MAX];

	for (c = st_addr_good; c < st_addr_good + ARRAY_SIZE(st_addr_good); c++) {
		memset(addr, 0, sizeof(addr));
		KUNIT_ASSERT_EQ_MSG(test, 0, c->type->parse(c->text, addr, c->len), "%s", c->text);
		KUNIT_EXPECT_MEMEQ_MSG(test, addr, c->addr, ST_ADDR_MAX, "%s", c->text);
		KUNIT_EXPECT_EQ_MSG(test, !c->nobody, c->type->valid(addr, c->len), "%s", c->text);
		KUNIT_EXPECT_EQ(test, strlen(c->printed ?: c->text),
				c->type->print(addr, c->len, text, sizeof(text)));
		KUNIT_EXPECT_STREQ(test, c->printed ?: c->text, text);
		/* Not more than fits */
		KUNIT_EXPECT_GE(test, 3, c->type->print(addr, c->len, text, 4));
		KUNIT_EXPECT_EQ(test, 0, strncmp(text, c->printed ?: c->text, strlen(text)));
	}
}

static const struct st_addr_case st_addr_bad[] = {
	{ &st_addr_mac, 6, "" },
	{ &st_addr_mac, 6, "02:64:00:00:00" },
	{ &st_addr_mac, 6, "02:64:00:00:00:01:02" },
	{ &st_addr_mac, 6, "02:64:00:00:00:" },
	{ &st_addr_mac, 6, "02:64:00:00::01" },
	{ &st_addr_mac, 6, "02:640:00:00:00:01" },
	{ &st_addr_mac, 6, "02.64.00.00.00.01" },
	{ &st_addr_mac, 6, ":02:64:00:00:00:01" },
	{ &st_addr_mac, 6, "02:64:00:00:00:0g" },
	{ &st_addr_mac, 6, "02:64:00:00:00:01 " },
	{ &st_addr_id, 1, "" },
	{ &st_addr_id, 1, "256" },
	{ &st_addr_id, 1, "-1" },
	{ &st_addr_id, 2, "65536" },
	{ &st_addr_id, 2, "1 2" },
	{ &st_addr_id, 4, "4294967296" },
	{ &st_addr_id, 5, "1" },
	{ &st_addr_ip, 16, "" },
	{ &st_addr_ip, 16, "192.0.2" },
	{ &st_addr_ip, 16, "192.0.2.256" },
	{ &st_addr_ip, 16, "192.0.2.010" },
	{ &st_addr_ip, 16, "010.0.2.1" },
	{ &st_addr_ip, 16, "192.00.2.1" },
	{ &st_addr_ip, 16, "::ffff:192.0.2.010" },
	{ &st_addr_ip, 16, "fd00::7::1" },
	{ &st_addr_ip, 16, "fd00::7%eth0" },
	{ &st_addr_ip, 4, "192.0.2.1" },
};

static void st_addr_wrong(struct kunit *test)
{
	const struct st_addr_case *c;
	u8 addr[ST_ADDR_MAX];

	for (c = st_addr_bad; c < st_addr_bad + ARRAY_SIZE(st_addr_bad); c++)
		KUNIT_EXPECT_EQ_MSG(test, -EINVAL, c->type->parse(c->text, addr, c->len),
				    "%s", c->text);
}

static int st_addr_resolve(const struct st_link *link, const void *ip, u8 *addr)
{
	int err;

	rcu_read_lock();
	err = st_addr_mac.resolve(link, ip, true, addr);
	rcu_read_unlock();
	return err;
}

/* Without a neighbour to solicit; the system tests cover the rest */
static void st_addr_no_route(struct kunit *test)
{
	const struct sockaddr_in v4 = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(0xc0000201),	/* 192.0.2.1 */
	};
	const struct sockaddr_in6 v6 = {
		.sin6_family = AF_INET6,
		.sin6_addr.s6_addr = { 0x20, 1, 0xd, 0xb8, [15] = 1 },
	};
	const struct sockaddr other = { .sa_family = AF_UNIX };
	const struct st_link link = {
		.dev = init_net.loopback_dev,
		.net = &init_net,
		.addr_len = ETH_ALEN,
	};
	u8 addr[ST_ADDR_MAX] = {};

	if (!st_addr_mac.resolve)
		kunit_skip(test, "the kernel has no IP");
	KUNIT_EXPECT_EQ(test, -ENETUNREACH, st_addr_resolve(&link, &v4, addr));
	KUNIT_EXPECT_EQ(test, IS_ENABLED(CONFIG_IPV6) ? -ENETUNREACH : -EAFNOSUPPORT,
			st_addr_resolve(&link, &v6, addr));
	KUNIT_EXPECT_EQ(test, -EAFNOSUPPORT, st_addr_resolve(&link, &other, addr));
	KUNIT_EXPECT_NULL(test, memchr_inv(addr, 0, sizeof(addr)));
}

static struct kunit_case st_addr_cases[] = {
	KUNIT_CASE(st_addr_texts),
	KUNIT_CASE(st_addr_wrong),
	KUNIT_CASE(st_addr_no_route),
	{}
};

static struct kunit_suite st_addr_suite = {
	.name = "st_addr",
	.test_cases = st_addr_cases,
};

kunit_test_suite(st_addr_suite);
