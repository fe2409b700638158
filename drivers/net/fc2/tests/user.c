// SPDX-License-Identifier: GPL-2.0
/*
 * An FC-4 that writes down what it is told.
 */
#include <linux/sched.h>
#include <linux/st_compat.h>

#include "fake.h"
#include "user.h"
#include "vn.h"
#include "wire.h"

struct user_told user_told;

static void user_frame(struct fc2_exch *exch, struct sk_buff *skb)
{
	unsigned int n = user_told.frames++ % USER_LOG;

	user_told.cnt[n] = be16_to_cpu(fc2_frame_hdr(skb)->fh_seq_cnt);
	user_told.flags[n] = fc2_skb_cb(skb)->flags;
	kfree_skb(skb);
	if (user_told.close > 0)
		fc2_exch_close(exch);
	else if (user_told.close < 0)
		fc2_exch_abort(exch);
}

static void user_end(struct fc2_exch *exch, int err)
{
	user_told.ends++;
	user_told.err = err;
}

static const struct fc2_exch_ops user_ops = {
	.frame	= user_frame,
	.end	= user_end,
};

static int user_accept(struct fc2_exch *exch, const struct sk_buff *skb)
{
	user_told.opened++;
	if (user_told.refuse)
		return user_told.refuse;
	user_told.exch = exch;
	fc2_exch_accept(exch, &user_ops, &user_told);
	return 0;
}

static int user_single(struct fc2_rport *rport, struct sk_buff *skb)
{
	user_told.singles++;
	if (user_told.refuse)
		return user_told.refuse;
	kfree_skb(skb);
	return 0;
}

struct fc2_prov user_prov = {
	.type	= USER_TYPE,
	.open	= user_accept,
};

static struct fc2_prov user_prov_single = {
	.type	= USER_SINGLE,
	.open	= user_accept,
	.single	= user_single,
};

static void user_unregister(void *prov)
{
	fc2_prov_unregister(prov);
}

/**
 * user_peer - make a port, with the FC-4 and a remote port
 * @test: the test, with which they go
 *
 * Return: the remote port, WIRE_PEER.
 */
struct fc2_rport *user_peer(struct kunit *test)
{
	struct fc2_prov *provs[] = { &user_prov, &user_prov_single };
	struct fc2_port *port = vn_port(test, FC2_STATE_UP);
	struct fc2_rport *rport;
	unsigned int i;

	memset(&user_told, 0, sizeof(user_told));
	for (i = 0; i < ARRAY_SIZE(provs); i++) {
		KUNIT_ASSERT_EQ(test, fc2_prov_register(provs[i]), 0);
		KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, user_unregister,
								   provs[i]));
	}
	rport = wire_rport(test, port, WIRE_PEER);
	fake_forget(port->iface->dev);
	return rport;
}

/**
 * user_open - originate an Exchange
 * @test: the test
 * @rport: the remote port
 *
 * Return: the Exchange.
 */
struct fc2_exch *user_open(struct kunit *test, struct fc2_rport *rport)
{
	struct fc2_exch *exch = fc2_exch_open(rport, &user_prov, &user_ops, &user_told,
					      GFP_KERNEL);

	KUNIT_ASSERT_FALSE(test, IS_ERR(exch));
	KUNIT_EXPECT_PTR_EQ(test, fc2_exch_priv(exch), (void *)&user_told);
	KUNIT_EXPECT_PTR_EQ(test, fc2_exch_rport(exch), rport);
	return exch;
}

/**
 * user_send - send a frame
 * @test: the test
 * @exch: the Exchange
 * @flags: mask of enum fc2_send_flags
 *
 * Return: what fc2_exch_send() returns.
 */
int user_send(struct kunit *test, struct fc2_exch *exch, u8 flags)
{
	const struct fc2_send send = { .r_ctl = 0x01, .flags = flags };

	return fc2_exch_send(exch, wire_skb(test, 8), &send);
}

/**
 * user_expire - let the timer of an Exchange expire
 * @test: the test
 * @exch: the Exchange, which the caller keeps alive
 * @ms: in how many milliseconds it should
 */
void user_expire(struct kunit *test, struct fc2_exch *exch, unsigned int ms)
{
	long left = exch->timer.expires - jiffies;

	KUNIT_ASSERT_TRUE(test, timer_pending(&exch->timer));
	KUNIT_EXPECT_LE(test, left, msecs_to_jiffies(ms));
	KUNIT_EXPECT_GE(test, left + HZ / 2, msecs_to_jiffies(ms));
	mod_timer_pending(&exch->timer, jiffies);
	while (time_before_eq(exch->timer.expires, jiffies) && timer_pending(&exch->timer))
		schedule_timeout_uninterruptible(1);
	synchronize_rcu();
}

/**
 * user_own - count the Exchanges that a port has originated
 * @port: the port
 *
 * Return: how many OX_IDs are in use.
 */
unsigned int user_own(struct fc2_port *port)
{
	struct fc2_exch *exch;
	unsigned int n = 0;
	unsigned long id;

	rcu_read_lock();
	xa_for_each(&port->xids, id, exch)
		n++;
	rcu_read_unlock();
	return n;
}
