// SPDX-License-Identifier: GPL-2.0
/*
 * A port that sends Messages to nowhere: they are written down as a line of text.
 */
#include <linux/skbuff.h>

#include "sends.h"
#include "tx.h"

static struct test_tx *test_tx_of(const struct fcvi_port *port)
{
	return container_of(port, struct test_port, port)->test->priv;
}

static struct fcvi_mx *test_mx_open(struct fcvi_port *port, struct fc2_rport *rport)
{
	struct test_tx *t = test_tx_of(port);
	struct test_mx *m = t->mx + t->nr_mx;

	if (t->no_open)
		return NULL;
	KUNIT_ASSERT_LT(t->test, t->nr_mx, ARRAY_SIZE(t->mx));
	t->nr_mx++;
	m->open = true;
	m->mx.port = port;
	m->mx.rport = rport;
	return &m->mx;
}

static unsigned int test_mx_room(struct fcvi_port *port, const struct fc2_rport *rport)
{
	return test_tx_of(port)->room;
}

static bool test_fails(struct test_tx *t, int err)
{
	if (!err || !t->fail_at || --t->fail_at)
		return false;
	return true;
}

/* The letter of the opcode, MSG_ID, offset+length, and what ends: Sequence, Exchange, Initiative */
static int test_sent(struct test_tx *t, const struct fcvi_iu *iu, u8 cs_ctl, u32 offset, u8 flags,
		     struct sk_buff *skb)
{
	unsigned int i, len = skb->len;
	char word[40];

	KUNIT_EXPECT_GE(t->test, skb_headroom(skb), FCVI_HEADROOM);
	for (i = 0; i < len; i++)
		if (skb->data[i] != (u8)(offset + i))
			KUNIT_FAIL(t->test, "byte %u at %u", i, offset);
	kfree_skb(skb);
	if (test_fails(t, t->send_err))
		return t->send_err;
	t->frames++;
	t->cs_ctl = cs_ctl;
	t->flags = flags;
	t->iu = *iu;
	if (t->quiet)
		return 0;
	snprintf(word, sizeof(word), "%c%x:%u+%u%s%s%s", "swr"[iu->opcode], iu->msg_id, offset,
		 len, flags & FC2_SEND_END_SEQ ? "e" : "", flags & FC2_SEND_LAST_SEQ ? "l" : "",
		 flags & FC2_SEND_INITIATIVE ? "i" : "");
	test_note(t->p, word);
	return 0;
}

static void test_mx_shut(struct fcvi_mx *mx)
{
	struct test_mx *m = container_of(mx, struct test_mx, mx);

	KUNIT_EXPECT_TRUE(test_tx_of(mx->port)->test, m->open);
	m->open = false;
}

static int test_mx_frame(struct fcvi_mx *mx, const struct fcvi_iu *iu, u8 cs_ctl, u32 offset,
			 u8 flags, struct sk_buff *skb)
{
	struct test_mx *m = container_of(mx, struct test_mx, mx);
	struct test_tx *t = test_tx_of(mx->port);
	int err;

	KUNIT_EXPECT_TRUE(t->test, m->open);
	m->iu = *iu;
	err = test_sent(t, iu, cs_ctl, offset, flags, skb);
	if (!err && flags & FC2_SEND_LAST_SEQ)
		test_mx_shut(mx);
	return err;
}

static int test_alone(struct fcvi_port *port, struct fc2_rport *rport, const struct fcvi_iu *iu,
		      u8 cs_ctl, struct sk_buff *skb)
{
	struct test_tx *t = test_tx_of(port);

	if (!t->quiet)
		test_note(t->p, "alone");
	return test_sent(t, iu, cs_ctl, 0, FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ, skb);
}

static void test_mx_abort(struct fcvi_mx *mx)
{
	test_note(test_tx_of(mx->port)->p, "ABTS");
	test_mx_shut(mx);
}

static bool test_may_send(struct fcvi_port *port)
{
	return !test_tx_of(port)->full;
}

static void test_later(struct fcvi_port *port)
{
	test_tx_of(port)->later++;
}

static const struct fcvi_msg_transport test_msgs = {
	.open		= test_mx_open,
	.room		= test_mx_room,
	.frame		= test_mx_frame,
	.alone		= test_alone,
	.abort		= test_mx_abort,
	.close		= test_mx_shut,
	.may_send	= test_may_send,
	.later		= test_later,
};

static void test_user_tell(struct fcvi_vi *vi, enum fcvi_news news)
{
	if (news == FCVI_NEWS_CONNECTED)
		fcvi_tx_begin(vi);
	else if (news == FCVI_NEWS_COMPLETE)
		fcvi_tx_complete(vi);
	else if (news == FCVI_NEWS_LOST)
		test_note(test_tx_of(vi->port)->p, "=lost");
}

static void test_user_flush(struct fcvi_vi *vi, bool sends)
{
	if (sends)
		fcvi_tx_flush(vi);
}

static void test_user_receive(struct fcvi_vi *vi, bool on)
{
}

static const struct fcvi_vi_ops test_tx_vi_ops = {
	.tell		= test_user_tell,
	.flush		= test_user_flush,
	.receive	= test_user_receive,
};

static void test_async(struct fcvi_vi *vi, enum fcvi_async what)
{
	test_note(test_tx_of(vi->port)->p, what == FCVI_ASYNC_VI_OVERRUN ? "overrun" : "async");
}

static struct sk_buff *test_fill(struct fcvi_vi *vi, struct fcvi_desc *desc, u32 offset, u32 len)
{
	struct test_tx *t = test_tx_of(vi->port);
	struct sk_buff *skb;
	unsigned int i;

	KUNIT_EXPECT_GT(t->test, len, 0);
	KUNIT_EXPECT_LE(t->test, len, t->room);
	KUNIT_EXPECT_LE(t->test, offset + len, desc->len);
	if (test_fails(t, t->fill_err))
		return ERR_PTR(t->fill_err);
	skb = alloc_skb(FCVI_HEADROOM + len + FCVI_TAILROOM, GFP_ATOMIC);
	KUNIT_ASSERT_NOT_NULL(t->test, skb);
	skb_reserve(skb, FCVI_HEADROOM);
	for (i = 0; i < len; i++)
		*(u8 *)skb_put(skb, 1) = offset + i;
	return skb;
}

static int test_user_data(struct fcvi_vi *vi, struct fcvi_desc *desc, u32 offset,
			  struct sk_buff *skb)
{
	struct test_tx *t = test_tx_of(vi->port);
	char word[32];

	snprintf(word, sizeof(word), "d%u+%u", offset, skb->len);
	test_note(t->p, word);
	kfree_skb(skb);
	return t->data_err;
}

/* =, the letter of the Descriptor, and its errors */
static void test_complete(struct fcvi_vi *vi, struct fcvi_desc *desc)
{
	struct test_tx *t = test_tx_of(vi->port);
	struct fcvi_desc *again = t->again;
	char word[16];

	if (!t->quiet) {
		snprintf(word, sizeof(word), desc->error ? "=%c:%x" : "=%c",
			 (int)('A' + (desc - t->desc)), desc->error);
		test_note(t->p, word);
	}
	t->again = NULL;
	if (again)
		fcvi_post_send(vi, again);
}

static const struct fcvi_user_ops test_user_ops = {
	.async		= test_async,
	.fill		= test_fill,
	.data		= test_user_data,
	.complete	= test_complete,
};

/**
 * test_tx_idle - make a port with endpoints that are Idle
 * @test: the test
 * @level: reliability level
 *
 * Return: the port.
 */
struct test_tx *test_tx_idle(struct kunit *test, enum fcvi_level level)
{
	struct test_tx *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	struct fcvi_vi *vi;

	KUNIT_ASSERT_NOT_NULL(test, t);
	t->test = test;
	t->room = TEST_ROOM;
	test->priv = t;
	t->p = test_port(test);
	t->p->port.msgs = &test_msgs;
	t->p->port.ordered = true;
	for (vi = t->p->vi; vi < t->p->vi + ARRAY_SIZE(t->p->vi); vi++) {
		vi->ops = &test_tx_vi_ops;
		vi->user = &test_user_ops;
		vi->attrs.level = level;
		fcvi_tx_init(vi);
	}
	return t;
}

/**
 * test_tx - make a port whose first endpoint is Connected
 * @test: the test
 * @level: reliability level
 *
 * Return: the port.
 */
struct test_tx *test_tx(struct kunit *test, enum fcvi_level level)
{
	struct test_tx *t = test_tx_idle(test, level);
	struct fcvi_vi *vi = t->p->vi;

	vi->attrs.level = FCVI_RD;
	test_connect(t->p, FCVI_CLIENT);
	test_resp1(t->p, vi->own->x, vi->own->id, FCVI_OK);
	test_resp3(t->p, vi->own->x, vi->own->id, FCVI_OK);
	vi->attrs.level = level;
	test_expect(t->p, FCVI_CONNECTED, "RQST RESP2");
	return t;
}

/**
 * test_tx_end - end a port: nothing is left of it
 * @t: the port
 */
void test_tx_end(struct test_tx *t)
{
	unsigned int i;

	KUNIT_EXPECT_STREQ(t->test, t->p->log, "");
	test_port_end(t->p);
	for (i = 0; i < t->nr_mx; i++)
		KUNIT_EXPECT_FALSE_MSG(t->test, t->mx[i].open, "Exchange %u is open", i);
	KUNIT_EXPECT_TRUE(t->test, list_empty(&t->p->port.sched.turns));
	KUNIT_EXPECT_TRUE(t->test, list_empty(&t->p->port.sched.waiting));
	KUNIT_EXPECT_TRUE(t->test, list_empty(&t->p->port.sched.paused));
	KUNIT_EXPECT_EQ(t->test, t->p->port.sched.seqs, 0);
}

/**
 * test_tx_log - what has happened since the last time
 * @t: the port
 * @log: words: frames, as test_sent() writes them; ABTS; Descriptors that are complete, with their
 *	errors; data of Reads; the end of the connection
 */
void test_tx_log(struct test_tx *t, const char *log)
{
	KUNIT_EXPECT_STREQ(t->test, t->p->log, log);
	t->p->log[0] = 0;
}

/**
 * test_post_send - post a Descriptor to the first endpoint
 * @t: the port
 * @op: operation
 * @flags: mask of enum fcvi_desc_flags
 * @len: bytes
 *
 * Return: the Descriptor.
 */
struct fcvi_desc *test_post_send(struct test_tx *t, enum fcvi_op op, u8 flags, u32 len)
{
	struct fcvi_desc *desc = t->desc + t->nr++;

	KUNIT_ASSERT_LE(t->test, t->nr, ARRAY_SIZE(t->desc));
	desc->op = op;
	desc->flags = flags;
	desc->len = len;
	desc->imm = 0x1a2b3c4d;
	desc->rmt_va = 0x1122334455667788;
	desc->rmt_handle = 0xa1b2c3d4;
	KUNIT_EXPECT_EQ(t->test, fcvi_post_send(t->p->vi, desc), 0);
	return desc;
}

/**
 * test_header - Device_Header of the answer to a Message
 * @t: the port
 * @nr: number of its Exchange
 *
 * Return: the header.
 */
struct fcvi_iu test_header(struct test_tx *t, unsigned int nr)
{
	struct fcvi_iu iu = t->mx[nr].iu;

	iu.opcode += FCVI_SEND_RESP - FCVI_SEND_RQST;
	iu.handle = t->p->vi[0].handle->value;
	iu.flags = 0;
	iu.param = 0;
	return iu;
}

/**
 * test_in - an answer comes
 * @t: the port
 * @nr: number of its Exchange
 * @iu: Device_Header
 * @offset: Relative Offset
 * @len: bytes
 * @flags: what is complete, enum fc2_send_flags
 */
void test_in(struct test_tx *t, unsigned int nr, const struct fcvi_iu *iu, u32 offset, u32 len,
	     u8 flags)
{
	struct sk_buff *skb = alloc_skb(len, GFP_ATOMIC);
	struct test_mx *m = t->mx + nr;

	KUNIT_ASSERT_NOT_NULL(t->test, skb);
	KUNIT_ASSERT_TRUE(t->test, m->open);
	skb_put_zero(skb, len);
	m->mx.ops->frame(&m->mx, iu, skb, offset, flags);
}

/**
 * test_answer - the Response without payload to a Message comes
 * @t: the port
 * @nr: number of its Exchange
 * @flags: FCVI_FLAGS
 */
void test_answer(struct test_tx *t, unsigned int nr, u8 flags)
{
	struct fcvi_iu iu = test_header(t, nr);

	iu.flags = flags;
	test_in(t, nr, &iu, 0, 0, FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ);
}

/**
 * test_data - data of an RDMA Read come, with a good header
 * @t: the port
 * @nr: number of its Exchange
 * @offset: Relative Offset
 * @len: bytes
 * @flags: what is complete, enum fc2_send_flags
 */
void test_data(struct test_tx *t, unsigned int nr, u32 offset, u32 len, u8 flags)
{
	const struct fcvi_iu iu = test_header(t, nr);

	test_in(t, nr, &iu, offset, len, flags);
}

/**
 * test_over - an Exchange ends
 * @t: the port
 * @nr: its number
 * @err: as fc2 tells it
 */
void test_over(struct test_tx *t, unsigned int nr, int err)
{
	struct test_mx *m = t->mx + nr;

	KUNIT_ASSERT_TRUE(t->test, m->open);
	m->open = false;
	m->mx.ops->end(&m->mx, err);
}
