// SPDX-License-Identifier: GPL-2.0
/*
 * Selection of the Virtual Channel of a frame: by its priority, or by the traffic classes
 * of the netdev if there are any.
 */

#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/pkt_sched.h>
#include <linux/skbuff.h>

#include "port.h"

static struct net_device *test_netdev(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev_mqs(0, HIPPI6400_NUM_VCS, 1);

	KUNIT_ASSERT_NOT_NULL(test, dev);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, (kunit_action_t *)free_netdev,
							   dev));
	return dev;
}

static u16 test_queue(struct kunit *test, struct net_device *dev, u32 priority)
{
	struct sk_buff *skb = alloc_skb(0, GFP_KERNEL);
	u16 queue;

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb->dev = dev;
	skb->priority = priority;
	skb_set_hash(skb, 0x12345678, PKT_HASH_TYPE_L4);
	rcu_read_lock_bh();
	queue = h64_netdev_select_queue(dev, skb, NULL);
	rcu_read_unlock_bh();
	kfree_skb(skb);
	return queue;
}

/* The VC that a protocol requests, and VC1 without a request */
static void test_priority(struct kunit *test)
{
	static const u32 common[] = {
		0, TC_PRIO_BULK, TC_PRIO_INTERACTIVE, TC_PRIO_CONTROL, HIPPI6400_PRIO_BASE - 1,
		HIPPI6400_PRIO_BASE + HIPPI6400_NUM_VCS, TC_PRIO_MAX,
		TC_H_MAKE(1 << 16, HIPPI6400_PRIO_BASE + 3), U32_MAX,
	};
	struct net_device *dev = test_netdev(test);
	struct sk_buff *skb = alloc_skb(0, GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, skb);
	for (i = 0; i < HIPPI6400_NUM_VCS; i++) {
		hippi6400_skb_set_vc(skb, i);
		KUNIT_EXPECT_EQ(test, i, test_queue(test, dev, skb->priority));
	}
	kfree_skb(skb);
	for (i = 0; i < ARRAY_SIZE(common); i++)
		KUNIT_EXPECT_EQ_MSG(test, 1, test_queue(test, dev, common[i]), "priority %#x",
				    common[i]);
}

/* mqprio overrides the request while it is set up */
static void test_classes(struct kunit *test)
{
	struct net_device *dev = test_netdev(test);
	unsigned int i;

	KUNIT_ASSERT_EQ(test, 0, netdev_set_num_tc(dev, HIPPI6400_NUM_VCS));
	for (i = 0; i < HIPPI6400_NUM_VCS; i++)
		KUNIT_ASSERT_EQ(test, 0, netdev_set_tc_queue(dev, i, 1, i));
	for (i = 0; i <= TC_PRIO_MAX; i++)
		KUNIT_ASSERT_EQ(test, 0, netdev_set_prio_tc_map(dev, i, i % HIPPI6400_NUM_VCS));
	for (i = 0; i <= TC_PRIO_MAX; i++)
		KUNIT_EXPECT_EQ(test, i % HIPPI6400_NUM_VCS, test_queue(test, dev, i));

	netdev_set_prio_tc_map(dev, HIPPI6400_PRIO_BASE, 2);
	KUNIT_EXPECT_EQ(test, 2, test_queue(test, dev, HIPPI6400_PRIO_BASE));

	netdev_set_num_tc(dev, 0);
	KUNIT_EXPECT_EQ(test, 0, test_queue(test, dev, HIPPI6400_PRIO_BASE));
	KUNIT_EXPECT_EQ(test, 1, test_queue(test, dev, 0));
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_priority),
	KUNIT_CASE(test_classes),
	{}
};

static struct kunit_suite test_suite = {
	.name = "hippi6400_queue",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
