// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of LLPs that are registered and unregistered, and of devices without a link.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/rtnetlink.h>

#include "link/link.h"

static const struct net_device_ops st_llp_netdev_ops;

/* A device on which the LLP fails to attach */
static const struct net_device *st_llp_refused;

static const char *st_llp_test_unfit(const struct net_device *dev)
{
	return dev->netdev_ops == &st_llp_netdev_ops ? NULL : "no device of this test";
}

static int st_llp_test_begin(struct st_link *link, struct netlink_ext_ack *extack)
{
	link->addr_type = &st_addr_mac;
	link->addr_len = ETH_ALEN;
	link->traits = ST_ORDERED | ST_CREDITED | ST_RELIABLE;
	return link->dev == st_llp_refused ? -ENOMEM : 0;
}

static int st_llp_test_max_stu(const struct st_link *link, unsigned int channel)
{
	return -EINVAL;
}

static const struct st_llp_ops st_llp_test_ops = {
	.unfit		= st_llp_test_unfit,
	.begin		= st_llp_test_begin,
	.max_stu	= st_llp_test_max_stu,
};

static struct st_llp st_llp_test = {
	.name		= "kunit",
	.type		= ST_LLP_HIPPI6400,
	.attach		= ST_ATTACH_ALWAYS,
	.ops		= &st_llp_test_ops,
};

static void st_llp_dev_free(void *data)
{
	struct net_device *dev = data;

	unregister_netdev(dev);
	free_netdev(dev);
}

static struct net_device *st_llp_dev(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev(0);
	int err;

	KUNIT_ASSERT_NOT_NULL(test, dev);
	strscpy(dev->name, "stllp%d", sizeof(dev->name));
	dev->netdev_ops = &st_llp_netdev_ops;
	if (!st_llp_refused)
		st_llp_refused = dev;
	err = register_netdev(dev);
	if (err) {
		free_netdev(dev);
		KUNIT_FAIL_AND_ABORT(test, "no netdev: %pe", ERR_PTR(err));
	}
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, st_llp_dev_free, dev));
	return dev;
}

static bool st_llp_linked(const struct net_device *dev)
{
	bool linked;

	rtnl_lock();
	linked = st_link_find(dev, &st_llp_test);
	rtnl_unlock();
	return linked;
}

static void st_llp_unregister_test(void *data)
{
	st_llp_unregister(data);
}

static void st_llp_start(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, st_llp_register(&st_llp_test));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, st_llp_unregister_test,
							   &st_llp_test));
}

/* A failure on one device affects neither the others nor the module. */
static void st_llp_one_refuses(struct kunit *test)
{
	struct net_device *refused = st_llp_dev(test), *dev[2];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(dev); i++)
		dev[i] = st_llp_dev(test);
	st_llp_start(test);
	KUNIT_EXPECT_FALSE(test, st_llp_linked(refused));
	for (i = 0; i < ARRAY_SIZE(dev); i++)
		KUNIT_EXPECT_TRUE(test, st_llp_linked(dev[i]));
	kunit_release_action(test, st_llp_unregister_test, &st_llp_test);
	for (i = 0; i < ARRAY_SIZE(dev); i++)
		KUNIT_EXPECT_FALSE(test, st_llp_linked(dev[i]));
}

/* A new device can be registered even if the LLP fails on it. */
static void st_llp_refused_later(struct kunit *test)
{
	struct net_device *refused;

	st_llp_start(test);
	refused = st_llp_dev(test);
	KUNIT_EXPECT_FALSE(test, st_llp_linked(refused));
	KUNIT_EXPECT_TRUE(test, st_llp_linked(st_llp_dev(test)));
}

/* A command may retry, and reports the reason of the failure. */
static void st_llp_refused_command(struct kunit *test)
{
	struct net_device *refused = st_llp_dev(test);

	st_llp_start(test);
	rtnl_lock();
	KUNIT_EXPECT_EQ(test, -ENOMEM, st_llp_add(refused, "kunit", NULL, NULL));
	KUNIT_EXPECT_NULL(test, st_link_find(refused, &st_llp_test));
	st_llp_refused = init_net.loopback_dev;
	KUNIT_EXPECT_EQ(test, 0, st_llp_add(refused, "kunit", NULL, NULL));
	KUNIT_EXPECT_NOT_NULL(test, st_link_find(refused, &st_llp_test));
	rtnl_unlock();
}

/* The name is in use as long as the LLP is registered. */
static void st_llp_names(struct kunit *test)
{
	static struct st_llp other;

	other = st_llp_test;
	st_llp_start(test);
	KUNIT_EXPECT_EQ(test, -EEXIST, st_llp_register(&other));
	kunit_release_action(test, st_llp_unregister_test, &st_llp_test);
	KUNIT_EXPECT_EQ(test, 0, st_llp_register(&other));
	st_llp_unregister(&other);
}

static int st_llp_other_begin(struct st_link *link, struct netlink_ext_ack *extack)
{
	if (link->dev == st_llp_refused)
		NL_SET_ERR_MSG(extack, "not here");
	return st_llp_test_begin(link, extack);
}

static const struct st_claim st_llp_snap[] = { { "snap", ETH_P_ST }, {} };
static const struct st_claim st_llp_both[] = {
	{ "fc4", ETH_P_ST }, { "snap", 0x1234 }, { "snap", ETH_P_ST }, {}
};

static const struct st_claim st_llp_neither[] = { { "fc4", ETH_P_ST }, { "snap", 0x1234 }, {} };

/* The first LLP keeps what it claims; nobody loses a link. */
static void st_llp_claims(struct kunit *test)
{
	static struct st_llp_ops ops;
	static struct st_llp first, second;
	struct netlink_ext_ack extack = {};
	struct net_device *dev;

	/* Not the device of other cases */
	st_llp_refused = init_net.loopback_dev;
	dev = st_llp_dev(test);
	ops = st_llp_test_ops;
	ops.begin = st_llp_other_begin;
	first = st_llp_test;
	first.ops = &ops;
	first.claims = st_llp_snap;
	second = first;
	second.name = "second";
	second.type = ST_LLP_ETHERNET;
	second.priority = ST_PRIORITY_OWN;
	second.claims = st_llp_both;
	KUNIT_ASSERT_EQ(test, 0, st_llp_register(&first));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, st_llp_unregister_test, &first));
	KUNIT_ASSERT_EQ(test, 0, st_llp_register(&second));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, st_llp_unregister_test, &second));
	rtnl_lock();
	KUNIT_EXPECT_NOT_NULL(test, st_link_find(dev, &first));
	KUNIT_EXPECT_NULL(test, st_link_find(dev, &second));
	KUNIT_EXPECT_EQ(test, -EEXIST, st_llp_attach(&second, dev, &extack));
	KUNIT_EXPECT_NOT_NULL(test, strstr(extack._msg ?: "",
					   "'s kunit link: both take snap 0x8181"));
	KUNIT_EXPECT_EQ(test, -EEXIST, st_llp_attach(&first, dev, &extack));
	second.claims = st_llp_neither;
	second.type = first.type;
	KUNIT_EXPECT_EQ(test, -EEXIST, st_llp_attach(&second, dev, &extack));
	KUNIT_EXPECT_NOT_NULL(test, strstr(extack._msg ?: "",
					   "'s kunit link: both are of type 1"));
	second.type = ST_LLP_ETHERNET;
	KUNIT_EXPECT_EQ(test, 0, st_llp_attach(&second, dev, NULL));
	KUNIT_EXPECT_NOT_NULL(test, st_link_find(dev, &first));
	st_llp_detach(&first, dev);
	st_llp_detach(&first, dev);
	KUNIT_EXPECT_NULL(test, st_link_find(dev, &first));
	KUNIT_EXPECT_NOT_NULL(test, st_link_find(dev, &second));
	st_llp_refused = dev;
	KUNIT_EXPECT_EQ(test, -ENOMEM, st_llp_attach(&first, dev, &extack));
	KUNIT_EXPECT_STREQ(test, extack._msg, "not here");
	rtnl_unlock();
	kunit_release_action(test, st_llp_unregister_test, &second);
	kunit_release_action(test, st_llp_unregister_test, &first);
	st_llp_refused = NULL;
	KUNIT_EXPECT_FALSE(test, st_llp_linked(dev));
}

/*
 * An on-demand LLP attaches by command only.  On new devices the LLP with the higher priority gets
 * what both claim.
 */
static void st_llp_on_demand(struct kunit *test)
{
	static struct st_llp lazy, keen;
	struct net_device *dev;

	lazy = st_llp_test;
	lazy.name = "lazy";
	lazy.attach = ST_ATTACH_ON_DEMAND;
	keen = st_llp_test;
	keen.priority = 1;
	keen.claims = st_llp_snap;
	lazy.claims = st_llp_snap;
	st_llp_refused = init_net.loopback_dev;
	KUNIT_ASSERT_EQ(test, 0, st_llp_register(&lazy));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, st_llp_unregister_test, &lazy));
	dev = st_llp_dev(test);
	rtnl_lock();
	KUNIT_EXPECT_NULL(test, st_link_find(dev, &lazy));
	KUNIT_EXPECT_EQ(test, 0, st_llp_add(dev, "lazy", NULL, NULL));
	rtnl_unlock();
	KUNIT_ASSERT_EQ(test, 0, st_llp_register(&keen));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, st_llp_unregister_test, &keen));
	rtnl_lock();
	KUNIT_EXPECT_NOT_NULL(test, st_link_find(dev, &lazy));
	KUNIT_EXPECT_NULL(test, st_link_find(dev, &keen));
	rtnl_unlock();
	lazy.attach = ST_ATTACH_ALWAYS;
	dev = st_llp_dev(test);
	rtnl_lock();
	KUNIT_EXPECT_NULL(test, st_link_find(dev, &lazy));
	KUNIT_EXPECT_NOT_NULL(test, st_link_find(dev, &keen));
	rtnl_unlock();
}

static int st_llp_able(struct net_device *dev, u64 stu, u8 reliability)
{
	const struct st_link_options options = { .stu = stu, .reliability = reliability };

	return st_llp_add(dev, "able", &options, NULL);
}

/* An administrator sets what the LLP lets them, the STU between its bounds. */
static void st_llp_sets_options(struct kunit *test)
{
	static struct st_llp able;
	struct net_device *dev;

	able = st_llp_test;
	able.name = "able";
	able.attach = ST_ATTACH_ON_DEMAND;
	able.stu_max = 16;
	st_llp_refused = init_net.loopback_dev;
	KUNIT_ASSERT_EQ(test, 0, st_llp_register(&able));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, st_llp_unregister_test, &able));
	dev = st_llp_dev(test);
	rtnl_lock();
	KUNIT_EXPECT_EQ(test, -EINVAL, st_llp_able(dev, 128, 0));
	KUNIT_EXPECT_EQ(test, -EINVAL, st_llp_able(dev, 1000, 0));
	KUNIT_EXPECT_EQ(test, -EINVAL, st_llp_able(dev, 131072, 0));
	KUNIT_EXPECT_EQ(test, -EINVAL, st_llp_able(dev, BIT_ULL(63), 0));
	KUNIT_ASSERT_EQ(test, 0, st_llp_able(dev, 65536, 0));
	KUNIT_EXPECT_EQ(test, 16, st_link_find(dev, &able)->stu);
	st_llp_detach(&able, dev);
	KUNIT_ASSERT_EQ(test, 0, st_llp_add(dev, "able", NULL, NULL));
	KUNIT_EXPECT_EQ(test, 0, st_link_find(dev, &able)->stu);
	st_llp_detach(&able, dev);
	KUNIT_EXPECT_EQ(test, -EOPNOTSUPP, st_llp_able(dev, 0, ST_RELIABILITY_RD));
	able.reliability = true;
	KUNIT_ASSERT_EQ(test, 0, st_llp_able(dev, 0, ST_RELIABILITY_RD));
	KUNIT_EXPECT_EQ(test, ST_RELIABILITY_RD, st_link_find(dev, &able)->reliability);
	st_llp_detach(&able, dev);
	able.stu_max = 0;
	KUNIT_EXPECT_EQ(test, -EOPNOTSUPP, st_llp_able(dev, 256, 0));
	rtnl_unlock();
}

static void st_llp_case_exit(struct kunit *test)
{
	st_llp_refused = NULL;
}

static struct kunit_case st_llp_cases[] = {
	KUNIT_CASE(st_llp_one_refuses),
	KUNIT_CASE(st_llp_refused_later),
	KUNIT_CASE(st_llp_refused_command),
	KUNIT_CASE(st_llp_names),
	KUNIT_CASE(st_llp_claims),
	KUNIT_CASE(st_llp_on_demand),
	KUNIT_CASE(st_llp_sets_options),
	{}
};

static struct kunit_suite st_llp_suite = {
	.name = "st_llp",
	.exit = st_llp_case_exit,
	.test_cases = st_llp_cases,
};

kunit_test_suite(st_llp_suite);
