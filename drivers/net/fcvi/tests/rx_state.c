// SPDX-License-Identifier: GPL-2.0
/*
 * An endpoint that is connected, and frames that come to it.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/skbuff.h>

#include "connect.h"
#include "disconnect.h"
#include "port.h"
#include "rx.h"
#include "rx_state.h"
#include "sched.h"

static unsigned long long seed;
module_param(seed, ullong, 0444);
MODULE_PARM_DESC(seed, "seed of the random tests; 0: a new one every time");

/**
 * test_seed - start a random test
 * @test: the test, whose log gets the seed
 * @rnd: gets its state
 */
void test_seed(struct kunit *test, struct rnd_state *rnd)
{
	u64 s = seed ?: get_random_u64();

	kunit_info(test, "fcvi_test.seed=%llu", s);
	prandom_seed_state(rnd, s);
}

const u8 test_levels[3] = { FCVI_UD, FCVI_RD, FCVI_RR };

/**
 * test_level_desc - name of a reliability level
 * @level: enum fcvi_level
 * @desc: gets it
 */
void test_level_desc(const u8 *level, char *desc)
{
	static const char * const names[] = {
		[FCVI_UD] = "UD", [FCVI_RD] = "RD", [FCVI_RR] = "RR",
	};

	strscpy(desc, names[*level], KUNIT_PARAM_DESC_SIZE);
}

/**
 * test_level - reliability level of a test
 * @test: the test
 *
 * Return: enum fcvi_level.
 */
u8 test_level(const struct kunit *test)
{
	return *(const u8 *)test->param_value;
}

static __printf(2, 3) void test_rx_note(struct test_rx *t, const char *fmt, ...)
{
	char word[64];
	va_list args;

	va_start(args, fmt);
	vsnprintf(word, sizeof(word), fmt, args);
	va_end(args);
	test_note(t->p, word);
}

static void test_rx_tell(struct fcvi_vi *vi, enum fcvi_news news)
{
	struct test_rx *t = vi->priv;

	t->ops->tell(vi, news);
	if (news == FCVI_NEWS_CONNECTED || news == FCVI_NEWS_COMPLETE)
		fcvi_rx_run(vi);
}

static void test_rx_flush(struct fcvi_vi *vi, bool sends)
{
	fcvi_rx_flush(vi);
}

static const struct fcvi_vi_ops test_rx_ops = {
	.tell		= test_rx_tell,
	.flush		= test_rx_flush,
	.receive	= fcvi_rx_enable,
};

static void test_rx_async(struct fcvi_vi *vi, enum fcvi_async what)
{
	static const char * const names[] = {
		[FCVI_ASYNC_RECVQ_EMPTY] = "!empty",
		[FCVI_ASYNC_RDMAW_PROT] = "!write-prot",
		[FCVI_ASYNC_RDMAW_DATA] = "!write-data",
		[FCVI_ASYNC_RDMAW_ABORT] = "!write-abort",
		[FCVI_ASYNC_RDMAR_PROT] = "!read-prot",
		[FCVI_ASYNC_RDMA_TRANSPORT] = "!transport",
		[FCVI_ASYNC_CATASTROPHIC] = NULL,
	};

	test_rx_note(vi->priv, "%s", names[what] ?: "!?");
}

static int test_rx_data(struct fcvi_vi *vi, struct fcvi_desc *desc, u32 offset,
			struct sk_buff *skb)
{
	struct test_desc *d = container_of(desc, struct test_desc, desc);
	struct test_rx *t = vi->priv;
	u32 len = skb->len;
	int err = -EFAULT;

	KUNIT_EXPECT_TRUE(t->p->test, d->posted);
	if (t->left >= len) {
		t->left -= len;
		err = 0;
		KUNIT_EXPECT_LE(t->p->test, offset + len, TEST_BUF);
		if (offset + len <= TEST_BUF)
			skb_copy_bits(skb, 0, d->buf + offset, len);
	}
	consume_skb(skb);
	return err;
}

/* Bytes, or bits of the error, then I and the Immediate Data, and W for a Write */
static void test_rx_complete(struct fcvi_vi *vi, struct fcvi_desc *desc)
{
	struct test_desc *d = container_of(desc, struct test_desc, desc);
	struct test_rx *t = vi->priv;

	/* VI-ARCH 6.3.1.1 */
	if (!vi->user->take)
		KUNIT_EXPECT_PTR_EQ(t->p->test, d, t->descs + t->next);
	KUNIT_EXPECT_TRUE(t->p->test, d->posted);
	t->next = d - t->descs + 1;
	d->posted = false;
	if (desc->error) {
		KUNIT_EXPECT_EQ(t->p->test, desc->len, 0);
		test_rx_note(t, "D:e%x", desc->error);
	} else if (desc->flags & FCVI_DESC_IMM) {
		test_rx_note(t, "D:%u-I%x%s", desc->len, desc->imm,
			     desc->flags & FCVI_DESC_BY_WRITE ? "-W" : "");
	} else {
		test_rx_note(t, "D:%u", desc->len);
	}
	if (t->disconnect) {
		t->disconnect = false;
		fcvi_disconnect(vi);
	}
}

static const struct fcvi_user_ops test_rx_user = {
	.async		= test_rx_async,
	.data		= test_rx_data,
	.complete	= test_rx_complete,
};

static struct test_rx *test_mx_rx(struct fcvi_mx *mx)
{
	return container_of(mx->port, struct test_port, port)->vi[0].priv;
}

static void test_mx_shut(struct fcvi_mx *mx)
{
	struct test_mx *m = container_of(mx, struct test_mx, mx);

	KUNIT_EXPECT_TRUE(test_mx_rx(mx)->p->test, m->open);
	m->open = false;
}

static void test_mx_abort(struct fcvi_mx *mx)
{
	test_rx_note(test_mx_rx(mx), "ABTS");
	test_mx_shut(mx);
}

static unsigned int test_mx_room(struct fcvi_port *port, const struct fc2_rport *rport)
{
	return 64;
}

/* The name and FCVI_FLAGS of Responses; the data of Reads are added up */
static int test_mx_frame(struct fcvi_mx *mx, const struct fcvi_iu *iu, u8 cs_ctl, u32 offset,
			 u8 flags, struct sk_buff *skb)
{
	static const char * const names[] = {
		[FCVI_SEND_RESP] = "SEND-RESP",
		[FCVI_WRITE_RESP] = "WRITE-RESP",
		[FCVI_READ_RESP] = "READ-RESP",
	};
	struct test_rx *t = test_mx_rx(mx);
	struct kunit *test = t->p->test;

	KUNIT_EXPECT_TRUE(test, container_of(mx, struct test_mx, mx)->open);
	KUNIT_EXPECT_EQ(test, iu->handle, t->vi->rmt_handle);
	if (skb->len) {
		KUNIT_EXPECT_EQ(test, offset, offset ? t->sent : 0);
		KUNIT_EXPECT_EQ(test, memcmp(skb->data, test_memory(t) + (iu->rmt_va - TEST_VA) +
					     offset, skb->len), 0);
		t->sent = offset + skb->len;
	}
	consume_skb(skb);
	t->budget--;
	t->iu = *iu;
	if (flags & FC2_SEND_LAST_SEQ) {
		test_rx_note(t, "%s:%x", names[iu->opcode], iu->flags);
		test_mx_shut(mx);
	}
	return 0;
}

static bool test_mx_may_send(struct fcvi_port *port)
{
	struct test_rx *t = container_of(port, struct test_port, port)->vi[0].priv;

	return t->budget;
}

static void test_mx_later(struct fcvi_port *port)
{
}

static const struct fcvi_msg_transport test_mx_transport = {
	.room		= test_mx_room,
	.frame		= test_mx_frame,
	.abort		= test_mx_abort,
	.close		= test_mx_shut,
	.may_send	= test_mx_may_send,
	.later		= test_mx_later,
};

/**
 * test_rx_pending - make an endpoint that takes Messages, and whose connection does not stand yet
 * @test: the test
 * @level: enum fcvi_level
 * @ordered: whether the port has order
 *
 * Return: the endpoint, the lock of its port held.
 */
struct test_rx *test_rx_pending(struct kunit *test, u8 level, bool ordered)
{
	struct test_rx *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	struct fcvi_vi *vi;

	KUNIT_ASSERT_NOT_NULL(test, t);
	t->tag = fcvi_tag_new(t);
	KUNIT_ASSERT_NOT_NULL(test, t->tag);
	t->page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	KUNIT_ASSERT_NOT_NULL(test, t->page);
	t->p = test_port(test);
	vi = t->p->vi;
	t->vi = vi;
	t->ops = vi->ops;
	t->left = U32_MAX;
	t->budget = U32_MAX;
	vi->ops = &test_rx_ops;
	vi->user = &test_rx_user;
	vi->priv = t;
	vi->tag = t->tag;
	vi->attrs.level = level;
	vi->attrs.rdma_write = true;
	vi->attrs.rdma_read = true;
	fcvi_rx_init(vi);
	t->p->port.msgs = &test_mx_transport;
	t->p->port.ordered = ordered;
	t->region = (struct fcvi_region) {
		.tag = t->tag, .va = TEST_VA, .len = 1024, .rdma_write = true, .rdma_read = true,
		.writable = true, .pages = &t->page,
	};
	spin_lock(&t->p->port.mem.lock);
	KUNIT_ASSERT_EQ(test, fcvi_region_add(&t->p->port.mem, &t->region), 0);
	spin_unlock(&t->p->port.mem.lock);
	KUNIT_ASSERT_EQ(test, test_connect(t->p, FCVI_CLIENT), 0);
	fcvi_rx_enable(vi, true);
	t->p->log[0] = 0;
	return t;
}

/**
 * test_rx_connect - the connection stands
 * @t: the endpoint
 */
void test_rx_connect(struct test_rx *t)
{
	const struct fcvi_iu iu = {
		.opcode = FCVI_CONNECT_RESP1, .handle = FCVI_HANDLE_NONE,
		.connection_id = t->vi->last_id,
	};
	const struct fcvi_connect c = {
		.handle = TEST_PEER, .loc = test_there, .rem = test_here, .attrs = t->vi->attrs,
	};
	struct fcvi_xchg *x = &t->p->xs[0].x;

	fcvi_port_iu(x, &iu, &c);
	test_resp3(t->p, x, t->vi->last_id, FCVI_OK);
}

/**
 * test_rx - make an endpoint that is connected
 * @test: the test
 * @level: enum fcvi_level
 * @ordered: whether the port has order
 *
 * Return: the endpoint, the lock of its port held.
 */
struct test_rx *test_rx(struct kunit *test, u8 level, bool ordered)
{
	struct test_rx *t = test_rx_pending(test, level, ordered);

	test_rx_connect(t);
	t->p->log[0] = 0;
	return t;
}

/**
 * test_unregister - the region goes away
 * @t: the endpoint
 */
void test_unregister(struct test_rx *t)
{
	struct fcvi_mem *mem = &t->p->port.mem;

	spin_lock(&mem->lock);
	if (t->region.tag)
		fcvi_region_remove(mem, &t->region);
	t->region.tag = NULL;
	spin_unlock(&mem->lock);
}

/**
 * test_rx_end - end it: nothing is left
 * @t: the endpoint
 */
void test_rx_end(struct test_rx *t)
{
	struct fcvi_mem *mem = &t->p->port.mem;
	struct kunit *test = t->p->test;
	unsigned int i;

	/* The Exchanges end with a logout */
	for (i = 0; i < t->nr; i++)
		if (t->mxs[i].open && t->mxs[i].mx.ops)
			test_mx_over(t, &t->mxs[i].mx, -ENOTCONN);
	test_unregister(t);
	spin_lock(&mem->lock);
	KUNIT_EXPECT_EQ(test, fcvi_tag_free(mem, t->tag), 0);
	spin_unlock(&mem->lock);
	t->vi->tag = NULL;
	test_port_end(t->p);
	fcvi_mem_free(mem);
	KUNIT_EXPECT_EQ(test, t->vi->rx.held, 0);
	KUNIT_EXPECT_TRUE(test, list_empty(&t->vi->rx.msgs));
	KUNIT_EXPECT_TRUE(test, list_empty(&t->vi->rx.taken));
	KUNIT_EXPECT_TRUE(test, list_empty(&t->vi->rx.posted));
	KUNIT_EXPECT_NULL(test, t->vi->rx.read);
	for (i = 0; i < t->nr_posted; i++)
		KUNIT_EXPECT_FALSE(test, t->descs[i].posted);
	__free_page(t->page);
}

/**
 * test_rx_expect - what has happened since the last time
 * @t: the endpoint
 * @log: words: Descriptors that are complete, D: with bytes or bits of the error; !, asynchronous
 *	errors; Responses with their flags; those of test_expect()
 */
void test_rx_expect(struct test_rx *t, const char *log)
{
	KUNIT_EXPECT_STREQ(t->p->test, t->p->log, log);
	t->p->log[0] = 0;
}

/**
 * test_rx_expect_by - what has happened since the last time, by reliability level
 * @t: the endpoint
 * @ud: words on Unreliable Delivery, as those of test_rx_expect()
 * @rd: on Reliable Delivery
 * @rr: on Reliable Reception
 */
void test_rx_expect_by(struct test_rx *t, const char *ud, const char *rd, const char *rr)
{
	const char * const logs[] = { [FCVI_UD] = ud, [FCVI_RD] = rd, [FCVI_RR] = rr };
	u8 level = t->vi->attrs.level;

	test_rx_expect(t, logs[level]);
}

/**
 * test_rx_again - use Exchanges and Descriptors again, all of which are over
 * @t: the endpoint
 */
void test_rx_again(struct test_rx *t)
{
	unsigned int i;

	for (i = 0; i < t->nr; i++)
		KUNIT_EXPECT_FALSE(t->p->test, t->mxs[i].open);
	for (i = 0; i < t->nr_posted; i++)
		KUNIT_EXPECT_FALSE(t->p->test, t->descs[i].posted);
	t->nr = 0;
	t->nr_posted = 0;
	t->next = 0;
	t->p->log[0] = 0;
}

/**
 * test_post - post a receive Descriptor
 * @t: the endpoint
 * @len: bytes that it has room for
 *
 * Return: the Descriptor.
 */
struct test_desc *test_post(struct test_rx *t, u32 len)
{
	struct test_desc *d = t->descs + t->nr_posted++;

	KUNIT_ASSERT_LE(t->p->test, t->nr_posted, TEST_DESCS);
	d->desc = (struct fcvi_desc) { .op = FCVI_OP_RECV, .len = len };
	d->posted = true;
	KUNIT_EXPECT_EQ(t->p->test, fcvi_post_recv(t->vi, &d->desc), 0);
	return d;
}

/**
 * test_iu - the Device_Header of a Message
 * @t: the endpoint
 * @opcode: enum fcvi_opcode
 * @msg_id: MSG_ID
 * @len: bytes
 *
 * Return: the header; an RDMA is to the begin of the region.
 */
struct fcvi_iu test_iu(const struct test_rx *t, u8 opcode, u32 msg_id, u32 len)
{
	bool rdma = opcode != FCVI_SEND_RQST;

	return (struct fcvi_iu) {
		.opcode = opcode, .handle = t->vi->handle ? t->vi->handle->value : 0,
		.msg_id = msg_id, .tot_len = len,
		.rmt_va = rdma ? TEST_VA : 0, .rmt_va_handle = rdma ? t->region.handle : 0,
	};
}

/**
 * test_begin - an Exchange begins
 * @t: the endpoint
 * @iu: Device_Header
 *
 * Return: the Exchange, or NULL: nobody took it.
 */
struct fcvi_mx *test_begin(struct test_rx *t, const struct fcvi_iu *iu)
{
	struct test_mx *m = t->mxs + t->nr++;

	KUNIT_ASSERT_LE(t->p->test, t->nr, ARRAY_SIZE(t->mxs));
	m->mx = (struct fcvi_mx) { .port = &t->p->port, .rport = &t->p->rport };
	m->open = !fcvi_rx_open(&m->mx, iu);
	return m->open ? &m->mx : NULL;
}

/**
 * test_byte - what a Message has at some place
 * @iu: its Device_Header
 * @offset: the place
 *
 * Return: the byte.
 */
u8 test_byte(const struct fcvi_iu *iu, u32 offset)
{
	return iu->msg_id * 37 + offset;
}

static struct sk_buff *test_skb(struct test_rx *t, const struct fcvi_iu *iu, u32 offset, u32 len)
{
	struct sk_buff *skb = alloc_skb(len, GFP_ATOMIC);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(t->p->test, skb);
	for (i = 0; i < len; i++)
		skb_put_u8(skb, test_byte(iu, offset + i));
	return skb;
}

/**
 * test_mx_over - an Exchange is over
 * @t: the endpoint
 * @mx: the Exchange
 * @err: see struct fc2_exch_ops
 */
void test_mx_over(struct test_rx *t, struct fcvi_mx *mx, int err)
{
	mx->ops->end(mx, err);
	container_of(mx, struct test_mx, mx)->open = false;
}

/**
 * test_frame - a frame comes
 * @t: the endpoint
 * @mx: its Exchange; NULL, or closed: it meets nobody
 * @iu: Device_Header
 * @offset: Relative Offset
 * @len: bytes
 * @flags: what is complete with it
 */
void test_frame(struct test_rx *t, struct fcvi_mx *mx, const struct fcvi_iu *iu, u32 offset,
		u32 len, u8 flags)
{
	struct test_mx *m = mx ? container_of(mx, struct test_mx, mx) : NULL;

	if (!m || !m->open)
		return;
	mx->ops->frame(mx, iu, test_skb(t, iu, offset, len), offset, flags);
	if (m->open && flags & FC2_SEND_LAST_SEQ)
		test_mx_over(t, mx, 0);
}

/**
 * test_alone - a Message of one frame comes, without Response
 * @t: the endpoint
 * @iu: Device_Header
 */
void test_alone(struct test_rx *t, const struct fcvi_iu *iu)
{
	fcvi_rx_alone(&t->p->port, &t->p->rport, iu, test_skb(t, iu, 0, iu->tot_len), 0);
}

/**
 * test_message - a Message of one frame comes, as its level has it
 * @t: the endpoint
 * @iu: Device_Header
 */
void test_message(struct test_rx *t, const struct fcvi_iu *iu)
{
	if (t->vi->attrs.level == FCVI_RR)
		test_frame(t, test_begin(t, iu), iu, 0, iu->tot_len, TEST_SI);
	else
		test_alone(t, iu);
}

/**
 * test_has - check that a Message is where it belongs
 * @t: the endpoint
 * @iu: its Device_Header
 * @buf: the place
 */
void test_has(struct test_rx *t, const struct fcvi_iu *iu, const u8 *buf)
{
	u32 i;

	for (i = 0; i < iu->tot_len; i++)
		if (buf[i] != test_byte(iu, i))
			break;
	KUNIT_EXPECT_EQ_MSG(t->p->test, i, iu->tot_len, "Message %u", iu->msg_id);
}

/**
 * test_memory - the memory of the region
 * @t: the endpoint
 *
 * Return: its first byte.
 */
u8 *test_memory(struct test_rx *t)
{
	return (u8 *)page_address(t->page) + offset_in_page(TEST_VA);
}

/**
 * test_stat - what was counted
 * @t: the endpoint
 * @stat: what
 *
 * Return: how much.
 */
u64 test_stat(const struct test_rx *t, enum fcvi_msg_stat stat)
{
	return t->p->port.msg_stats[stat];
}
