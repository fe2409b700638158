// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of LLPs that come and go, and of devices that get no link.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/rtnetlink.h>

#include "link/link.h"

static const struct net_device_ops st_llp_netdev_ops;

/* The device that the LLP can't begin on */
static const struct net_device *st_llp_refused;

static const char *st_llp_test_unfit(const struct net_device *dev)
{
	return dev->netdev_ops == &st_llp_netdev_ops ? NULL : "no device of this test";
}

static int st_llp_test_begin(struct st_link *link)
{
	return link->dev == st_llp_refused ? -ENOMEM : 0;
}

static int st_llp_test_max_stu(const struct st_link *link, unsigned int channel)
{
	return -EINVAL;
}

static struct st_llp st_llp_test = {
	.name		= "kunit",
	.type		= ST_LLP_HIPPI6400,
	.attach		= ST_ATTACH_ALWAYS,
	.addr_len	= ETH_ALEN,
	.in_order	= true,
	.unfit		= st_llp_test_unfit,
	.max_stu	= st_llp_test_max_stu,
	.begin		= st_llp_test_begin,
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

/* A device that fails harms no other that is there, and not the module. */
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

/* Nor is a device kept from coming. */
static void st_llp_refused_later(struct kunit *test)
{
	struct net_device *refused;

	st_llp_start(test);
	refused = st_llp_dev(test);
	KUNIT_EXPECT_FALSE(test, st_llp_linked(refused));
	KUNIT_EXPECT_TRUE(test, st_llp_linked(st_llp_dev(test)));
}

/* By command it may be tried again, and says what is wrong. */
static void st_llp_refused_command(struct kunit *test)
{
	struct net_device *refused = st_llp_dev(test);

	st_llp_start(test);
	rtnl_lock();
	KUNIT_EXPECT_EQ(test, -ENOMEM, st_llp_add(refused, "kunit", NULL));
	KUNIT_EXPECT_NULL(test, st_link_find(refused, &st_llp_test));
	st_llp_refused = init_net.loopback_dev;
	KUNIT_EXPECT_EQ(test, 0, st_llp_add(refused, "kunit", NULL));
	KUNIT_EXPECT_NOT_NULL(test, st_link_find(refused, &st_llp_test));
	rtnl_unlock();
}

/* The name is taken as long as the LLP is there. */
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

static void st_llp_case_exit(struct kunit *test)
{
	st_llp_refused = NULL;
}

static struct kunit_case st_llp_cases[] = {
	KUNIT_CASE(st_llp_one_refuses),
	KUNIT_CASE(st_llp_refused_later),
	KUNIT_CASE(st_llp_refused_command),
	KUNIT_CASE(st_llp_names),
	{}
};

static struct kunit_suite st_llp_suite = {
	.name = "st_llp",
	.exit = st_llp_case_exit,
	.test_cases = st_llp_cases,
};

kunit_test_suite(st_llp_suite);
