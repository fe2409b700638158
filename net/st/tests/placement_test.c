// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of direct placement: what an arriving Data operation may write to, and until when;
 * and of operations whose bytes are in place already.
 */
#include <linux/mm.h>
#include <linux/skbuff.h>

#include "conn/placement.h"
#include "link/link.h"
#include "mem/mem.h"
#include "random.h"

#define MX		(5 | 7 * ST_BLOCKS)
#define B_NUM		3
#define BLOCK		(3ULL << ST_BLOCKSIZE)	/* start of the Block */
#define BLOCK_LEN	BIT(ST_BLOCKSIZE)
#define PIECE		1000	/* bytes in a row in the pages of a recvmsg(), two a page */

/* A Virtual Connection with one exposed Block */
struct st_test_vc {
	struct st_sock	st;
	struct st_link_core link;
	struct st_sink	sink;
	struct st_block	blk;
	struct st_rx	rx;
	struct st_chunk	chunk;
	struct st_op	op;	/* a Data operation that fits */
};

static void st_test_free_page(void *page)
{
	__free_page(page);
}

/* Pages of a recvmsg() with scattered iovecs */
static struct st_buf *st_test_ubuf(struct kunit *test, u64 len)
{
	unsigned int max = DIV_ROUND_UP(len, PIECE), i;
	struct st_buf *buf = kunit_kzalloc(test, struct_size(buf, seg, max), GFP_KERNEL);
	struct page *page = NULL;

	KUNIT_ASSERT_NOT_NULL(test, buf);
	refcount_set(&buf->uarg.refcnt, 1);
	buf->len = len;
	buf->max = max;
	buf->nr = max;
	for (i = 0; i < max; i++) {
		if (i % 2 == 0) {
			page = alloc_page(GFP_KERNEL);
			KUNIT_ASSERT_NOT_NULL(test, page);
			KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, st_test_free_page,
									   page));
		}
		buf->seg[i] = (struct st_seg) {
			.page	= page,
			.off	= i % 2 ? 2 * PIECE : i % 7,
			.len	= min_t(u64, PIECE, len - i * PIECE),
			.start	= i * PIECE,
		};
	}
	return buf;
}

/* @split: bytes of the Block that go to the pages of a recvmsg() */
static struct st_test_vc *st_test_vc(struct kunit *test, u64 split)
{
	struct st_test_vc *vc = kunit_kzalloc(test, sizeof(*vc), GFP_KERNEL);
	struct st_block *blk;

	KUNIT_ASSERT_NOT_NULL(test, vc);
	blk = &vc->blk;
	vc->sink.blocks[MX % ST_BLOCKS] = blk;
	vc->st.dest.sink = &vc->sink;
	spin_lock_init(&vc->st.lock);
	INIT_LIST_HEAD(&vc->st.placements);
	vc->link.link.placements = ST_NUM_CHANNELS;
	vc->st.paths.first.st = &vc->st;
	vc->st.paths.first.link = &vc->link.link;
	vc->st.vc.local_max_stu = ST_BLOCKSIZE;
	vc->st.vc.out_of_order = true;
	vc->rx.x.id = 77;
	vc->rx.next = B_NUM;
	*blk = (struct st_block) {
		.rx	= &vc->rx,
		.path	= &vc->st.paths.first,
		.n	= B_NUM,
		.start	= BLOCK,
		.len	= BLOCK_LEN,
		.mx	= MX,
	};
	if (split) {
		/* The pages begin some bytes before the Block */
		vc->rx.ustart = BLOCK - 3 * PIECE - 1;
		vc->rx.uend = BLOCK + split;
		vc->rx.ubuf = st_test_ubuf(test, vc->rx.uend - vc->rx.ustart);
	}
	if (split < BLOCK_LEN) {
		vc->chunk.start = BLOCK + split;
		vc->chunk.buf = st_buf_alloc(BLOCK_LEN - split, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, vc->chunk.buf);
		blk->chunk = &vc->chunk;
	}
	vc->op = (struct st_op) {
		.op	= ST_OP_DATA,
		.b_id	= MX,
		.bufx	= BLOCK >> ST_BUFSIZE,
		.offset	= BLOCK & (BIT(ST_BUFSIZE) - 1),
		.b_num	= B_NUM,
		.d_id	= 77,
	};
	return vc;
}

static void st_test_vc_end(struct st_test_vc *vc)
{
	st_placement_purge(&vc->st);
	st_buf_free(vc->chunk.buf, false);
}

static struct st_block *st_test_block(struct st_test_vc *vc)
{
	return &vc->blk;
}

static enum st_error st_test_area(struct st_test_vc *vc, u32 len)
{
	struct st_block *blk = NULL;
	enum st_error err;
	u64 pos = 0;

	spin_lock_bh(&vc->st.lock);
	err = st_rx_area(&vc->st, &vc->op, len, &blk, &pos);
	spin_unlock_bh(&vc->st.lock);
	if (err == ST_ERR_NONE && (blk != st_test_block(vc) ||
				   pos != ((u64)vc->op.bufx << ST_BUFSIZE) + vc->op.offset))
		return ST_ERR_UNDEFINED_OPCODE;
	return err;
}

/* One wrong field at a time */
static void st_placement_fields(struct kunit *test)
{
	struct st_test_vc *vc = st_test_vc(test, 0);
	const struct st_op good = vc->op;

	KUNIT_EXPECT_EQ(test, st_test_area(vc, BLOCK_LEN), ST_ERR_NONE);
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 1), ST_ERR_NONE);

	vc->op.b_id = MX + ST_BLOCKS;		/* an exposure that is over */
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 1), ST_ERR_INVALID_MX);
	vc->op.b_id = MX + 1;			/* nothing exposed */
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 1), ST_ERR_INVALID_MX);
	vc->op = good;
	vc->op.d_id++;
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 1), ST_ERR_INVALID_D_ID);
	vc->op = good;
	vc->op.b_num++;
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 1), ST_ERR_OUT_OF_RANGE_B_NUM);
	vc->op = good;
	vc->op.offset = BIT(ST_BUFSIZE);
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 1), ST_ERR_OVERSIZED_OFFSET);
	vc->op.offset = U32_MAX;
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 1), ST_ERR_OVERSIZED_OFFSET);
	vc->op = good;
	vc->op.bufx++;
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 1), ST_ERR_OUT_OF_RANGE_BUFX);
	vc->op.bufx = U32_MAX;
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 1), ST_ERR_OUT_OF_RANGE_BUFX);
	vc->op = good;
	vc->st.vc.local_max_stu = ST_BLOCKSIZE - 1;
	KUNIT_EXPECT_EQ(test, st_test_area(vc, BLOCK_LEN / 2), ST_ERR_NONE);
	KUNIT_EXPECT_EQ(test, st_test_area(vc, BLOCK_LEN / 2 + 1), ST_ERR_ILLEGAL_STU_SIZE);
	KUNIT_EXPECT_EQ(test, st_test_area(vc, U32_MAX), ST_ERR_ILLEGAL_STU_SIZE);
	st_test_vc_end(vc);
}

/* Bytes that begin or end outside the Block, or outside its missing part */
static void st_placement_edges(struct kunit *test)
{
	struct st_test_vc *vc = st_test_vc(test, 0);
	struct st_block *blk = st_test_block(vc);
	const struct st_op good = vc->op;

	vc->op.offset = good.offset - 1;
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 1), ST_ERR_OUT_OF_RANGE_BUFX);
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 2), ST_ERR_OUT_OF_RANGE_BUFX);
	vc->op.offset = good.offset + 1;
	KUNIT_EXPECT_EQ(test, st_test_area(vc, BLOCK_LEN - 1), ST_ERR_NONE);
	KUNIT_EXPECT_EQ(test, st_test_area(vc, BLOCK_LEN), ST_ERR_OUT_OF_RANGE_BUFX);
	vc->op.offset = good.offset + BLOCK_LEN - 1;
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 1), ST_ERR_NONE);
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 2), ST_ERR_OUT_OF_RANGE_BUFX);
	vc->op.offset = good.offset + BLOCK_LEN;
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 1), ST_ERR_OUT_OF_RANGE_BUFX);

	/* Two STUs have arrived; a third may overtake others, but none may come twice */
	blk->got = 2000;
	blk->stu_num = 2;
	vc->op = good;
	vc->op.param = 2;
	vc->op.offset = good.offset + 2000;
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 1000), ST_ERR_NONE);
	vc->op.param = 3;
	vc->op.offset = good.offset + 3000;
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 1000), ST_ERR_NONE);
	vc->op.offset = good.offset + 1999;
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 1000), ST_ERR_OUT_OF_ORDER_STU);
	vc->op.param = 1;
	vc->op.offset = good.offset + 2000;
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 1000), ST_ERR_OUT_OF_ORDER_STU);
	st_test_vc_end(vc);
}

/* No STU crosses the end of a buffer, ST 6.2.7, even if the Block continues */
static void st_placement_buffer_end(struct kunit *test)
{
	struct st_test_vc *vc = st_test_vc(test, 0);
	struct st_block *blk = st_test_block(vc);

	blk->start = BIT(ST_BUFSIZE) - 1000;
	vc->op.bufx = 0;
	vc->op.offset = blk->start;
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 1000), ST_ERR_NONE);
	KUNIT_EXPECT_EQ(test, st_test_area(vc, 1001), ST_ERR_OUT_OF_RANGE_BUFX);
	vc->op.bufx = 1;
	vc->op.offset = 0;
	KUNIT_EXPECT_EQ(test, st_test_area(vc, BLOCK_LEN - 1000), ST_ERR_NONE);
	KUNIT_EXPECT_EQ(test, st_test_area(vc, BLOCK_LEN - 999), ST_ERR_OUT_OF_RANGE_BUFX);
	st_test_vc_end(vc);
}

static struct st_placement_core *st_test_placement(struct st_test_vc *vc, u64 start, u32 len)
{
	struct st_placement_core *t;

	spin_lock_bh(&vc->st.lock);
	t = st_placement_new(&vc->st, st_test_block(vc), start, len);
	spin_unlock_bh(&vc->st.lock);
	return t;
}

/* The memory of byte @pos of the Block */
static void *st_test_byte(struct st_test_vc *vc, u64 pos)
{
	const struct st_buf *buf = vc->rx.ubuf;
	u64 at = BLOCK + pos - vc->rx.ustart;

	if (!buf || BLOCK + pos >= vc->rx.uend) {
		buf = vc->chunk.buf;
		at = BLOCK + pos - vc->chunk.start;
		return page_address(buf->seg[at / PAGE_SIZE].page) + at % PAGE_SIZE;
	}
	return page_address(buf->seg[at / PIECE].page) + buf->seg[at / PIECE].off + at % PIECE;
}

static void st_test_expect_segments(struct kunit *test, struct st_test_vc *vc, u64 pos, u32 len)
{
	struct st_placement_core *t = st_test_placement(vc, BLOCK + pos, len);
	struct bio_vec seg;
	u32 done, i;

	KUNIT_ASSERT_NOT_NULL(test, t);
	for (done = 0; done < len; done += seg.bv_len) {
		KUNIT_ASSERT_TRUE(test, st_placement_segment(&t->placement, done, &seg));
		KUNIT_ASSERT_GT(test, seg.bv_len, 0);
		KUNIT_ASSERT_LE(test, seg.bv_len, len - done);
		KUNIT_ASSERT_LE(test, seg.bv_offset + seg.bv_len, PAGE_SIZE);
		for (i = 0; i < seg.bv_len; i++)
			KUNIT_ASSERT_PTR_EQ(test, bvec_virt(&seg) + i,
					    st_test_byte(vc, pos + done + i));
	}
	KUNIT_EXPECT_FALSE(test, st_placement_segment(&t->placement, len, &seg));
	KUNIT_EXPECT_FALSE(test, st_placement_segment(&t->placement, U32_MAX, &seg));
	st_placement_put(&t->placement);
}

/* Payload for the pages of a recvmsg(), for kernel pages, and for both */
static void st_placement_segments(struct kunit *test)
{
	static const u64 splits[] = { 0, 1, 4999, 70000, BLOCK_LEN - 1, BLOCK_LEN };
	struct rnd_state rnd;
	unsigned int i, j;

	st_test_seed(test, &rnd);
	for (i = 0; i < ARRAY_SIZE(splits); i++) {
		struct st_test_vc *vc = st_test_vc(test, splits[i]);

		st_test_expect_segments(test, vc, 0, BLOCK_LEN);
		for (j = 0; j < 50; j++) {
			u64 pos = st_test_range(&rnd, 0, BLOCK_LEN - 1);

			st_test_expect_segments(test, vc, pos,
						st_test_range(&rnd, 1, min_t(u64, 9000,
									     BLOCK_LEN - pos)));
		}
		st_test_vc_end(vc);
		KUNIT_EXPECT_TRUE(test, list_empty(&vc->st.placements));
	}
}

/* The end of an exposure cancels its placements, and no others */
static void st_placement_cancels(struct kunit *test)
{
	struct st_test_vc *vc = st_test_vc(test, 4999);
	struct st_block *blk = st_test_block(vc);
	struct st_placement_core *first, *second, *other;

	first = st_test_placement(vc, BLOCK, 1000);
	second = st_test_placement(vc, BLOCK + 1000, 5000);
	KUNIT_ASSERT_TRUE(test, first && second);
	/* The same Block, in another exposure */
	blk->mx += ST_BLOCKS;
	other = st_test_placement(vc, BLOCK + 6000, 1000);
	KUNIT_ASSERT_NOT_NULL(test, other);
	KUNIT_EXPECT_EQ(test, refcount_read(&vc->chunk.buf->uarg.refcnt), 3);

	st_placement_cancel(&vc->st, MX);
	KUNIT_EXPECT_TRUE(test, first->placement.cancelled);
	KUNIT_EXPECT_TRUE(test, second->placement.cancelled);
	KUNIT_EXPECT_FALSE(test, other->placement.cancelled);
	/* They hold no pages once the LLP is done */
	st_placement_put(&second->placement);
	KUNIT_EXPECT_EQ(test, refcount_read(&vc->chunk.buf->uarg.refcnt), 2);
	st_placement_put(&first->placement);
	st_placement_put(&other->placement);
	KUNIT_EXPECT_EQ(test, refcount_read(&vc->chunk.buf->uarg.refcnt), 1);
	st_test_vc_end(vc);
	KUNIT_EXPECT_TRUE(test, list_empty(&vc->st.placements));
}

/* recvmsg() waits if, and only if, the LLP may still write to its pages */
static void st_placement_take_backs(struct kunit *test)
{
	struct st_test_vc *vc = st_test_vc(test, 4999);
	struct st_placement_core *into, *across, *beyond;

	into = st_test_placement(vc, BLOCK, 4999);
	KUNIT_ASSERT_NOT_NULL(test, into);
	KUNIT_EXPECT_FALSE(test, st_placement_take_back(&vc->st, vc->chunk.buf));
	st_placement_put(&into->placement);
	KUNIT_EXPECT_FALSE(test, st_placement_take_back(&vc->st, vc->rx.ubuf));

	across = st_test_placement(vc, BLOCK + 4998, 2);
	beyond = st_test_placement(vc, BLOCK + 4999, 500);
	KUNIT_ASSERT_TRUE(test, across && beyond);
	KUNIT_EXPECT_TRUE(test, st_placement_take_back(&vc->st, vc->rx.ubuf));
	KUNIT_EXPECT_TRUE(test, across->placement.cancelled);
	KUNIT_EXPECT_FALSE(test, beyond->placement.cancelled);
	/* The next call has other pages */
	KUNIT_EXPECT_FALSE(test, st_placement_take_back(&vc->st, vc->rx.ubuf));
	st_placement_put(&across->placement);

	/* The socket may be freed before the LLP is done */
	st_placement_purge(&vc->st);
	KUNIT_EXPECT_TRUE(test, beyond->placement.cancelled);
	KUNIT_EXPECT_EQ(test, refcount_read(&vc->chunk.buf->uarg.refcnt), 2);
	st_placement_put(&beyond->placement);
	KUNIT_EXPECT_EQ(test, refcount_read(&vc->chunk.buf->uarg.refcnt), 1);
	st_test_vc_end(vc);
}

/* Successive STUs reuse one placement, and there are never more than channels */
static void st_placement_few(struct kunit *test)
{
	struct st_test_vc *vc = st_test_vc(test, 4999);
	struct st_placement_core *busy[ST_NUM_CHANNELS], *first = NULL, *t;
	unsigned int i;

	for (i = 0; i < 1000; i++) {
		t = i % 3 ? st_placement_new_in(&vc->st, ST_MX_MEM, vc->rx.ubuf, i, 500) :
			    st_test_placement(vc, BLOCK + i, 5000);
		KUNIT_ASSERT_NOT_NULL(test, t);
		KUNIT_EXPECT_EQ(test, list_count_nodes(&vc->st.placements), 1);
		KUNIT_EXPECT_FALSE(test, t->placement.cancelled);
		first = first ?: t;
		st_placement_put(&t->placement);
		/* The end of an exposure, or of a recvmsg(), leaves the unused one */
		st_placement_cancel(&vc->st, i % 3 ? ST_MX_MEM : MX);
		KUNIT_EXPECT_FALSE(test, st_placement_take_back(&vc->st, vc->rx.ubuf));
		KUNIT_ASSERT_EQ(test, list_count_nodes(&vc->st.placements), 1);
		KUNIT_EXPECT_PTR_EQ(test, first, list_first_entry(&vc->st.placements,
								  struct st_placement_core, list));
	}
	/* A placement that is still referenced is not reused */
	t = st_test_placement(vc, BLOCK, 5000);
	KUNIT_ASSERT_NOT_NULL(test, t);
	refcount_inc(&t->refcnt);
	st_placement_put(&t->placement);
	busy[0] = st_test_placement(vc, BLOCK, 5000);
	KUNIT_ASSERT_NOT_NULL(test, busy[0]);
	KUNIT_EXPECT_PTR_NE(test, t, busy[0]);
	KUNIT_EXPECT_EQ(test, list_count_nodes(&vc->st.placements), 1);
	st_placement_put(&busy[0]->placement);
	st_placement_put(&t->placement);
	for (i = 0; i < ST_NUM_CHANNELS; i++) {
		busy[i] = st_placement_new_in(&vc->st, ST_MX_MEM, vc->rx.ubuf, i, 500);
		KUNIT_ASSERT_NOT_NULL(test, busy[i]);
	}
	KUNIT_EXPECT_NULL(test, st_placement_new_in(&vc->st, ST_MX_MEM, vc->rx.ubuf, 0, 500));
	KUNIT_EXPECT_NULL(test, st_test_placement(vc, BLOCK, 5000));
	KUNIT_EXPECT_EQ(test, list_count_nodes(&vc->st.placements), ST_NUM_CHANNELS);
	for (i = 0; i < ST_NUM_CHANNELS; i++)
		st_placement_put(&busy[i]->placement);
	/* The first of the list: a new allocation would return what was freed last. */
	t = st_test_placement(vc, BLOCK, 5000);
	KUNIT_ASSERT_NOT_NULL(test, t);
	KUNIT_EXPECT_PTR_EQ(test, t, busy[ST_NUM_CHANNELS - 1]);
	KUNIT_EXPECT_EQ(test, list_count_nodes(&vc->st.placements), 1);
	st_placement_put(&t->placement);
	st_test_vc_end(vc);
}

/* The limit is that of the link, or the sum for two links. */
static void st_placement_of_link(struct kunit *test)
{
	static const u8 most[] = { 0, 1, 2 * ST_NUM_CHANNELS, ST_PLACEMENTS_MAX };
	struct st_stripe *stripe = kunit_kzalloc(test, sizeof(*stripe), GFP_KERNEL);
	struct st_placement_core *busy[ST_PLACEMENTS_MAX + ST_NUM_CHANNELS];
	struct st_test_vc *vc = st_test_vc(test, 4999);
	struct st_link other = { .placements = ST_NUM_CHANNELS };
	unsigned int i, n, two;

	KUNIT_ASSERT_NOT_NULL(test, stripe);
	for (i = 0; i < ST_PATHS_MAX - 1; i++) {
		stripe->more[i].st = &vc->st;
		stripe->more[i].index = i + 1;
	}
	stripe->more[2].link = &other;
	for (i = 0; i < 2 * ARRAY_SIZE(most); i++) {
		two = i % 2 ? ST_NUM_CHANNELS : 0;
		vc->link.link.placements = most[i / 2];
		vc->st.paths.stripe = two ? stripe : NULL;
		for (n = 0; n < most[i / 2] + two; n++) {
			busy[n] = st_placement_new_in(&vc->st, ST_MX_MEM, vc->rx.ubuf, n, 500);
			KUNIT_ASSERT_NOT_NULL(test, busy[n]);
		}
		KUNIT_EXPECT_NULL(test, st_placement_new_in(&vc->st, ST_MX_MEM, vc->rx.ubuf, n,
							    500));
		while (n)
			st_placement_put(&busy[--n]->placement);
	}
	st_test_vc_end(vc);
}

/* An operation as an LLP delivers it, with its payload in @from */
static struct sk_buff *st_test_skb(struct kunit *test, struct st_buf *from, u64 pos, u32 len,
				   u32 linear)
{
	struct sk_buff *skb = alloc_skb(ST_HDR_LEN + linear, GFP_KERNEL);
	struct iov_iter to;
	struct kvec vec;

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_put_zero(skb, ST_HDR_LEN);
	vec.iov_base = skb_put(skb, linear);
	vec.iov_len = linear;
	iov_iter_kvec(&to, ITER_DEST, &vec, 1, linear);
	KUNIT_ASSERT_EQ(test, st_buf_copy_to_iter(from, pos, linear, &to), linear);
	KUNIT_ASSERT_EQ(test, 0, st_buf_attach(from, pos + linear, len - linear, skb, NULL));
	KUNIT_ASSERT_EQ(test, skb->len, ST_HDR_LEN + len);
	return skb;
}

static void st_test_fill(struct st_buf *buf, struct rnd_state *rnd)
{
	unsigned int i;

	for (i = 0; i < buf->nr; i++)
		prandom_bytes_state(rnd, page_address(buf->seg[i].page) + buf->seg[i].off,
				    buf->seg[i].len);
}

static u8 *st_test_flat(struct kunit *test, const struct st_buf *buf, u64 pos, u32 len)
{
	u8 *flat = kunit_kmalloc(test, len, GFP_KERNEL);
	struct kvec vec = { .iov_base = flat, .iov_len = len };
	struct iov_iter to;

	KUNIT_ASSERT_NOT_NULL(test, flat);
	iov_iter_kvec(&to, ITER_DEST, &vec, 1, len);
	KUNIT_ASSERT_EQ(test, st_buf_copy_to_iter(buf, pos, len, &to), len);
	return flat;
}

static u16 st_test_fold(__wsum sum)
{
	return (__force u16)csum_fold(sum);
}

/* Bytes from other memory are copied, those in place are not, and both are summed */
static void st_placement_place(struct kunit *test)
{
	struct st_buf *from = st_test_ubuf(test, 100000), *to = st_test_ubuf(test, 100000);
	struct rnd_state rnd;
	unsigned int i;

	st_test_seed(test, &rnd);
	for (i = 0; i < 60; i++) {
		u32 len = st_test_range(&rnd, 1, i % 2 ? 3000 : 90000);
		u64 pos = st_test_range(&rnd, 0, 100000 - len);
		u64 at = i % 3 ? pos : st_test_range(&rnd, 0, 100000 - len);
		u32 linear = st_test_range(&rnd, 0, min(len, 200U)), there = 5;
		struct st_buf *src = i % 3 == 1 ? to : from;
		struct st_csum csum;
		struct sk_buff *skb;
		u8 *sent, *got;

		st_test_fill(from, &rnd);
		st_test_fill(to, &rnd);
		sent = st_test_flat(test, src, pos, len);
		skb = st_test_skb(test, src, pos, len, linear);
		st_csum_init(&csum);
		KUNIT_ASSERT_EQ(test, 0, st_buf_place(to, at, skb, ST_HDR_LEN, len,
						      i % 4 ? &csum : NULL, &there));
		KUNIT_EXPECT_EQ(test, there, 5 + (src == to ? len - linear : 0));
		got = st_test_flat(test, to, at, len);
		KUNIT_EXPECT_MEMEQ(test, got, sent, len);
		if (i % 4)
			KUNIT_EXPECT_EQ(test, st_test_fold(csum.sum),
					st_test_fold(csum_partial(sent, len, 0)));
		KUNIT_EXPECT_EQ(test, -EFAULT, st_buf_place(to, at, skb, ST_HDR_LEN + 1, len,
							    NULL, &there));
		kfree_skb(skb);
		kunit_kfree(test, sent);
		kunit_kfree(test, got);
	}
}

/* Every byte is sent once, in several skbs if necessary */
static void st_placement_attach(struct kunit *test)
{
	struct st_buf *buf = st_test_ubuf(test, 131072);
	struct sk_buff *skb, *more;
	struct st_csum csum;
	struct rnd_state rnd;
	u8 *flat, *got;
	u32 sum;

	st_test_seed(test, &rnd);
	st_test_fill(buf, &rnd);
	flat = st_test_flat(test, buf, 0, 131072);
	got = kunit_kmalloc(test, 131072, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, got);
	skb = alloc_skb(ST_HDR_LEN, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_put_zero(skb, ST_HDR_LEN);
	st_csum_init(&csum);
	KUNIT_ASSERT_EQ(test, 0, st_buf_attach(buf, 0, 131072, skb, &csum));
	KUNIT_EXPECT_EQ(test, skb->len, ST_HDR_LEN + 131072);
	KUNIT_EXPECT_EQ(test, skb_headlen(skb), ST_HDR_LEN);
	KUNIT_EXPECT_TRUE(test, skb_has_frag_list(skb));
	sum = skb_shinfo(skb)->nr_frags;
	skb_walk_frags(skb, more)
		sum += skb_shinfo(more)->nr_frags;
	KUNIT_EXPECT_EQ(test, sum, DIV_ROUND_UP(131072, PIECE));
	KUNIT_EXPECT_GE(test, skb->truesize, 131072);
	KUNIT_ASSERT_EQ(test, 0, skb_copy_bits(skb, ST_HDR_LEN, got, 131072));
	KUNIT_EXPECT_MEMEQ(test, got, flat, 131072);
	KUNIT_EXPECT_EQ(test, st_test_fold(csum.sum),
			st_test_fold(csum_partial(flat, 131072, 0)));
	kfree_skb(skb);
}

static struct kunit_case st_placement_cases[] = {
	KUNIT_CASE(st_placement_fields),
	KUNIT_CASE(st_placement_edges),
	KUNIT_CASE(st_placement_buffer_end),
	KUNIT_CASE(st_placement_segments),
	KUNIT_CASE(st_placement_cancels),
	KUNIT_CASE(st_placement_take_backs),
	KUNIT_CASE(st_placement_few),
	KUNIT_CASE(st_placement_of_link),
	KUNIT_CASE(st_placement_place),
	KUNIT_CASE(st_placement_attach),
	{}
};

static struct kunit_suite st_placement_suite = {
	.name = "st_placement",
	.test_cases = st_placement_cases,
};

kunit_test_suite(st_placement_suite);
