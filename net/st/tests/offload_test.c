// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of GSO skbs: their contents, the Data operations they are segmented into, and
 * their reception as a whole.
 */
#include <linux/net.h>
#include <net/gro.h>
#include <net/gso.h>

#include "conn/conn.h"
#include "wire/gso.h"
#include "conn.h"
#include "random.h"

#define PEER_ID		9
#define MAC_LEN		22	/* headers of an LLP */
#define STUS		4
#define LEN		(3 * STU + 100)	/* of a GSO skb that ends with a short STU */

static const struct st_op st_test_run_op = {
	.op	= ST_OP_DATA,
	.flags	= ST_DATA_CHANNEL | ST_F_LAST | ST_F_SEND_STATE | ST_F_INTERRUPT,
	.param	= 7,
	.d_port	= 1,
	.s_port	= 2,
	.d_key	= 0x89abcdef,
	.b_id	= 0x1234,
	.bufx	= 3,
	.offset	= 7 * STU,
	.sync	= 5,
	.b_num	= 6,
	.d_id	= 8,
	.s_id	= 0xfedcba98,
};

/**
 * struct st_test_run - a GSO skb, and its contents
 * @skb: the GSO skb, at its Schedule Header; before that the headers of an LLP
 * @data: LEN bytes of payload
 * @mac: the headers of the LLP
 */
struct st_test_run {
	struct sk_buff	*skb;
	u8		data[LEN];
	u8		mac[MAC_LEN];
};

static void st_test_run_free(void *skb)
{
	kfree_skb(skb);
}

/* @linear: bytes of the payload in the linear area */
static struct st_test_run *st_test_run(struct kunit *test, bool checksum, u32 linear)
{
	struct st_test_run *run = kunit_kzalloc(test, sizeof(*run), GFP_KERNEL);
	struct rnd_state rnd;
	struct page *page;
	u32 pos, part;

	KUNIT_ASSERT_NOT_NULL(test, run);
	st_test_seed(test, &rnd);
	prandom_bytes_state(&rnd, run->data, LEN);
	prandom_bytes_state(&rnd, run->mac, MAC_LEN);
	put_unaligned_be16(ETH_P_ST, run->mac + 2 * ETH_ALEN);
	run->skb = alloc_skb(MAC_LEN + 2 + ST_HDR_LEN + linear, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, run->skb);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, st_test_run_free, run->skb));
	skb_reserve(run->skb, 2);
	skb_reset_mac_header(run->skb);
	skb_put_data(run->skb, run->mac, MAC_LEN);
	skb_set_network_header(run->skb, ETH_HLEN);
	skb_pull(run->skb, MAC_LEN);
	run->skb->protocol = htons(ETH_P_ST);
	st_op_pack(&st_test_run_op, skb_put(run->skb, ST_HDR_LEN));
	skb_put_data(run->skb, run->data, linear);
	for (pos = linear; pos < LEN; pos += part) {
		/* Fragments that do not end where STUs do */
		part = min(LEN - pos, 700);
		page = alloc_page(GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, page);
		memcpy_to_page(page, 300, run->data + pos, part);
		skb_add_rx_frag(run->skb, skb_shinfo(run->skb)->nr_frags, page, 300, part,
				PAGE_SIZE);
	}
	st_gso_make(run->skb, STU, checksum);
	return run;
}

/* STU @n of the GSO skb, as it would have been sent alone */
static u32 st_test_alone(const struct st_test_run *run, unsigned int n, bool checksum, u8 *to)
{
	u32 len = min_t(u32, STU, LEN - n * STU);
	struct st_op op = st_test_run_op;
	struct st_hdr hdr;
	struct st_csum c;

	op.param = 7 + n;
	op.offset = (7 + n) * STU;
	if (n != STUS - 1)
		op.flags = ST_DATA_CHANNEL | ST_F_SILENT;
	st_op_pack(&op, &hdr);
	st_csum_init(&c);
	st_csum_hdr(&c, &hdr);
	st_csum_add(&c, csum_partial(run->data + n * STU, len, 0), len);
	if (checksum)
		hdr.cksum = st_csum_finish(&c);
	memcpy(to, run->mac, MAC_LEN);
	memcpy(to + MAC_LEN, &hdr, ST_HDR_LEN);
	memcpy(to + MAC_LEN + ST_HDR_LEN, run->data + n * STU, len);
	return MAC_LEN + ST_HDR_LEN + len;
}

static void st_test_cut(struct kunit *test, bool checksum, u32 linear, netdev_features_t features)
{
	struct st_test_run *run = st_test_run(test, checksum, linear);
	u8 *want = kunit_kmalloc(test, 2 * STU, GFP_KERNEL);
	u8 *got = kunit_kmalloc(test, 2 * STU, GFP_KERNEL);
	struct sk_buff *segs, *seg, *next;
	unsigned int n = 0;
	u32 len;

	KUNIT_ASSERT_TRUE(test, want && got);
	segs = st_gso_segment(run->skb, features);
	KUNIT_ASSERT_FALSE(test, IS_ERR(segs));
	skb_list_walk_safe(segs, seg, next) {
		len = n < STUS ? st_test_alone(run, n, checksum, want) : 0;
		KUNIT_EXPECT_EQ(test, seg->len, len);
		KUNIT_EXPECT_TRUE(test, seg->ip_summed == CHECKSUM_NONE);
		KUNIT_EXPECT_FALSE(test, skb_is_gso(seg));
		if (seg->len == len) {
			KUNIT_EXPECT_EQ(test, skb_copy_bits(seg, 0, got, len), 0);
			KUNIT_EXPECT_MEMEQ(test, got, want, len);
		}
		consume_skb(seg);
		n++;
	}
	KUNIT_EXPECT_EQ(test, n, STUS);
}

static void st_offload_cut(struct kunit *test)
{
	st_test_cut(test, false, 0, NETIF_F_SG);
}

static void st_offload_cut_summed(struct kunit *test)
{
	st_test_cut(test, true, 0, NETIF_F_SG);
}

/* A device without scatter-gather, with checksum offload */
static void st_offload_cut_linear(struct kunit *test)
{
	st_test_cut(test, true, 1500, NETIF_F_HW_CSUM);
	st_test_cut(test, false, 1500, 0);
}

/* A tunnel gets the sum of the payload where it was computed. */
static void st_offload_cut_in_tunnel(struct kunit *test)
{
	struct st_test_run *run = st_test_run(test, false, 0);
	struct sk_buff *segs, *seg, *next;
	u32 pos = 0, len;

	run->skb->encap_hdr_csum = 1;
	segs = st_gso_segment(run->skb, NETIF_F_SG | NETIF_F_HW_CSUM);
	KUNIT_ASSERT_FALSE(test, IS_ERR(segs));
	skb_list_walk_safe(segs, seg, next) {
		len = seg->len - MAC_LEN - ST_HDR_LEN;
		KUNIT_EXPECT_TRUE(test, csum_fold(SKB_GSO_CB(seg)->csum) ==
				  csum_fold(csum_partial(run->data + pos, len, 0)));
		KUNIT_EXPECT_EQ(test, SKB_GSO_CB(seg)->csum_start,
				skb_headroom(seg) + MAC_LEN + ST_HDR_LEN);
		pos += len;
		consume_skb(seg);
	}
	KUNIT_EXPECT_EQ(test, pos, LEN);
}

/* Other skbs are not segmented. */
static void st_offload_cut_refused(struct kunit *test)
{
	struct st_test_run *run = st_test_run(test, true, 0);
	struct st_op op = st_test_run_op;

	skb_shinfo(run->skb)->gso_type = SKB_GSO_UDP_L4;
	KUNIT_EXPECT_PTR_EQ(test, st_gso_segment(run->skb, 0), ERR_PTR(-EINVAL));
	skb_shinfo(run->skb)->gso_type = SKB_GSO_SCTP | SKB_GSO_DODGY;
	KUNIT_EXPECT_PTR_EQ(test, st_gso_segment(run->skb, 0), ERR_PTR(-EINVAL));
	skb_shinfo(run->skb)->gso_type = SKB_GSO_SCTP;
	skb_shinfo(run->skb)->gso_size = GSO_BY_FRAGS;
	KUNIT_EXPECT_PTR_EQ(test, st_gso_segment(run->skb, 0), ERR_PTR(-EINVAL));
	skb_shinfo(run->skb)->gso_size = 0;
	KUNIT_EXPECT_PTR_EQ(test, st_gso_segment(run->skb, 0), ERR_PTR(-EINVAL));
	skb_shinfo(run->skb)->gso_size = STU;
	op.op = ST_OP_GET;
	st_op_pack(&op, (struct st_hdr *)run->skb->data);
	KUNIT_EXPECT_PTR_EQ(test, st_gso_segment(run->skb, 0), ERR_PTR(-EINVAL));
	st_op_pack(&st_test_run_op, (struct st_hdr *)run->skb->data);
	KUNIT_ASSERT_EQ(test, pskb_trim(run->skb, ST_HDR_LEN), 0);
	KUNIT_EXPECT_PTR_EQ(test, st_gso_segment(run->skb, 0), ERR_PTR(-EINVAL));
	KUNIT_ASSERT_EQ(test, pskb_trim(run->skb, ST_HDR_LEN - 1), 0);
	KUNIT_EXPECT_PTR_EQ(test, st_gso_segment(run->skb, 0), ERR_PTR(-EINVAL));
}

/* The sum over a GSO skb, taken as one operation, matches that of st_csum_finish(). */
static void st_offload_zero(struct kunit *test)
{
	struct st_test_run *run = st_test_run(test, true, LEN);
	struct st_hdr *hdr = (struct st_hdr *)run->skb->data;
	struct st_csum c;

	KUNIT_EXPECT_TRUE(test, hdr->cksum);
	KUNIT_EXPECT_EQ(test, skb_checksum_start_offset(run->skb), 0);
	st_csum_init(&c);
	st_csum_hdr(&c, hdr);
	st_csum_add(&c, csum_partial(run->data, LEN, 0), LEN);
	skb_shinfo(run->skb)->gso_size = 0;
	KUNIT_ASSERT_EQ(test, skb_checksum_help(run->skb), 0);
	hdr = (struct st_hdr *)run->skb->data;
	KUNIT_EXPECT_TRUE(test, st_csum_ok(&c, hdr->cksum));
}

static void st_offload_len(struct kunit *test)
{
	static const struct {
		u32 left, len;
	} cases[] = {
		{ STU + 1, STU + 1 },
		{ RUN_MAX, RUN_MAX },
		{ RUN_MAX + 1, 3 * STU },	/* and then 5000 + 1 - 3072 */
		{ 8 * STU, 4 * STU },
		{ 9 * STU, 3 * STU },
		{ 9 * STU + 1, 4 * STU },
		{ 200 * STU, 4 * STU },
	};
	struct st_test_conn *conn = st_test_run_conn(test);
	struct st_test_conn *none = st_test_lossy_conn(test);
	struct st_buf *buf = st_buf_alloc(200 * STU, GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, buf);
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, cases[i].len,
				    st_gso_len(conn->link, buf, 0, cases[i].left, STU),
				    "of %u bytes", cases[i].left);
	KUNIT_EXPECT_EQ(test, STU, st_gso_len(none->link, buf, 0, 8 * STU, STU));
	/* Disabled by the administrator */
	st_pernet(&init_net)->gso = 0;
	KUNIT_EXPECT_EQ(test, STU, st_gso_len(conn->link, buf, 0, 8 * STU, STU));
	st_pernet(&init_net)->gso = 1;
	KUNIT_EXPECT_EQ(test, BIT(12), st_gso_len(conn->link, buf, 0, BIT(14), BIT(12)));
	KUNIT_EXPECT_EQ(test, BIT(13), st_gso_len(conn->link, buf, 0, BIT(14), BIT(13)));
	/* Not more pages than an skb has fragments */
	for (i = 0; i < buf->nr; i++) {
		buf->seg[i].len = 128;
		buf->seg[i].start = i * 128;
	}
	buf->uniform = false;
	KUNIT_EXPECT_EQ(test, round_down(128 * MAX_SKB_FRAGS, STU),
			st_gso_len(conn->link, buf, 0, 4 * STU, STU));
	st_buf_free(buf, false);
}

/* A record of one Block is sent as GSO skbs with the right place. */
static void st_offload_sent(struct kunit *test)
{
	struct st_test_conn *conn = st_test_run_conn(test);
	const struct st_send send = { .flags = ST_SEND_STATE };
	const u32 len = 8 * STU - 100;
	struct st_op cts, op, rts;
	u32 pos = 0, part, ops;
	struct sk_buff *skb;
	u8 *got;

	conn->st->vc.checksum = true;
	got = kunit_kmalloc(test, RUN_MAX, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, got);
	KUNIT_ASSERT_EQ(test, st_test_ctl(conn, ST_SEND, &send, sizeof(send), len), len);
	rts = st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	ops = conn->st->info.tx_ops;
	cts = st_test_peer_op(conn, ST_OP_CLEAR_TO_SEND, 0);
	cts.param = 13;
	cts.bufx = 2;
	cts.offset = 3 * STU;
	cts.d_id = rts.s_id;
	cts.s_id = PEER_ID;
	st_test_rcv(conn, st_test_op_skb(conn, &cts));
	while ((skb = skb_dequeue(&conn->sent))) {
		part = skb->len - ST_HDR_LEN;
		st_op_unpack((const struct st_hdr *)skb->data, &op);
		KUNIT_ASSERT_LE(test, part, RUN_MAX);
		KUNIT_EXPECT_EQ(test, op.op, ST_OP_DATA);
		KUNIT_EXPECT_EQ(test, op.param, pos / STU);
		KUNIT_EXPECT_EQ(test, op.bufx, 2);
		KUNIT_EXPECT_EQ(test, op.offset, 3 * STU + pos);
		KUNIT_EXPECT_EQ(test, op.flags, ST_DATA_CHANNEL | (pos + part == len ?
				ST_F_LAST | ST_F_SEND_STATE : ST_F_SILENT));
		KUNIT_EXPECT_EQ(test, skb_shinfo(skb)->gso_size, STU);
		KUNIT_EXPECT_EQ(test, skb_shinfo(skb)->gso_segs, 4);
		KUNIT_EXPECT_TRUE(test, skb->ip_summed == CHECKSUM_PARTIAL);
		KUNIT_EXPECT_EQ(test, skb_copy_bits(skb, ST_HDR_LEN, got, part), 0);
		KUNIT_EXPECT_MEMEQ(test, got, conn->data + pos, part);
		pos += part;
		kfree_skb(skb);
	}
	KUNIT_EXPECT_EQ(test, pos, len);
	KUNIT_EXPECT_EQ(test, conn->st->info.tx_ops, ops + 8);
}

/* Announce a record of @len bytes in one Block.  Return: its Clear_To_Send. */
static struct st_op st_test_block(struct st_test_conn *conn, u32 len)
{
	struct st_op cts;

	st_test_peer_write(conn, PEER_ID, len);
	cts = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	skb_queue_purge(&conn->sent);
	return cts;
}

/* @len bytes of a Block from STU @n on, as a GSO skb that is not delivered yet */
static struct sk_buff *st_test_run_skb(struct st_test_conn *conn, const struct st_op *cts, u16 n,
				       u32 len, u16 flags, bool checksum)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_DATA, ST_DATA_CHANNEL | flags);
	struct sk_buff *skb = alloc_skb(ST_HDR_LEN + len, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(conn->test, skb);
	op.param = n;
	op.b_id = cts->b_id;
	op.bufx = cts->bufx;
	op.offset = cts->offset + n * STU;
	op.b_num = cts->b_num;
	op.d_id = cts->s_id;
	st_op_pack(&op, skb_put(skb, ST_HDR_LEN));
	skb_put_data(skb, conn->data + op.offset, len);
	st_gso_make(skb, STU, checksum);
	return skb;
}

static void st_test_peer_run(struct st_test_conn *conn, const struct st_op *cts, u16 n, u32 len,
			     u16 flags, bool checksum)
{
	st_test_rcv(conn, st_test_run_skb(conn, cts, n, len, flags, checksum));
}

static void st_test_whole(struct st_test_conn *conn, u32 len)
{
	u8 *got = kunit_kzalloc(conn->test, len, GFP_KERNEL);
	struct kvec vec = { .iov_base = got, .iov_len = len };
	struct msghdr msg = {};

	KUNIT_ASSERT_NOT_NULL(conn->test, got);
	KUNIT_EXPECT_EQ(conn->test, len,
			kernel_recvmsg(conn->sock, &msg, &vec, 1, len, MSG_DONTWAIT));
	KUNIT_EXPECT_MEMEQ(conn->test, got, conn->data, len);
}

/* Two GSO skbs make a Block; its state is asked for once. */
static void st_offload_received(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	const u32 len = 8 * STU - 100;
	struct st_op cts = st_test_block(conn, len), op;
	u64 ops = conn->st->info.rx_ops;

	st_test_peer_run(conn, &cts, 0, 5 * STU, ST_F_SILENT, false);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_peer_run(conn, &cts, 5, len - 5 * STU, ST_F_LAST | ST_F_SEND_STATE, false);
	op = st_test_sent(conn, ST_OP_REQUEST_STATE_RESPONSE);
	KUNIT_EXPECT_EQ(test, op.b_num, cts.b_num);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_whole(conn, len);
	KUNIT_EXPECT_EQ(test, conn->st->info.rx_ops, ops + 8);
	KUNIT_EXPECT_EQ(test, conn->st->info.rx_bytes, len);
}

/* A GSO skb needs no checksums; those of other operations are verified. */
static void st_offload_received_summed(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts = st_test_block(conn, 8 * STU), op;
	struct sk_buff *skb;

	st_test_peer_run(conn, &cts, 0, 8 * STU, ST_F_LAST, true);
	KUNIT_EXPECT_TRUE(test, conn->st->vc.peer_checksum);
	st_test_whole(conn, 8 * STU);
	KUNIT_EXPECT_EQ(test, conn->st->info.block_retries, 0);

	/* A single operation with a bad checksum */
	st_test_peer_write(conn, PEER_ID + 1, 8 * STU);
	cts = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	skb_queue_purge(&conn->sent);
	st_test_peer_run(conn, &cts, 0, 7 * STU, ST_F_SILENT, true);
	op = st_test_peer_op(conn, ST_OP_DATA, ST_DATA_CHANNEL | ST_F_LAST);
	op.param = 7;
	op.b_id = cts.b_id;
	op.offset = 7 * STU;
	op.d_id = cts.s_id;
	skb = st_test_op_skb(conn, &op);
	((struct st_hdr *)skb->data)->cksum = CSUM_MANGLED_0;
	st_test_rcv(conn, skb);
	KUNIT_EXPECT_EQ(test, atomic64_read(&conn->st->bind.port->errors[ST_ERR_CKSUM]), 1);
	cts = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	st_test_peer_run(conn, &cts, 0, 8 * STU, ST_F_LAST, true);
	st_test_whole(conn, 8 * STU);
}

/* GSO skbs in the wrong order, and one that is a partial duplicate */
static void st_offload_received_early(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts = st_test_block(conn, 8 * STU);

	conn->st->paths.first.stats.reorder = 8;
	st_test_peer_run(conn, &cts, 5, 3 * STU, ST_F_LAST, true);
	st_test_peer_run(conn, &cts, 3, 2 * STU, ST_F_SILENT, true);
	KUNIT_EXPECT_FALSE(test, st_test_readable(conn));
	st_test_peer_run(conn, &cts, 0, 5 * STU, ST_F_SILENT, true);
	st_test_whole(conn, 8 * STU);
	KUNIT_EXPECT_EQ(test, conn->st->info.rx_bytes, 8 * STU);
	KUNIT_EXPECT_EQ(test, conn->st->info.block_retries, 0);
}

/* Of a GSO skb that exceeds its Block only the part inside is taken. */
static void st_offload_received_too_long(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts = st_test_block(conn, 8 * STU);
	const atomic64_t *errors = conn->st->bind.port->errors;

	st_test_peer_run(conn, &cts, 0, 6 * STU, ST_F_SILENT, false);
	st_test_peer_run(conn, &cts, 6, 4 * STU, ST_F_SILENT, false);
	KUNIT_EXPECT_EQ(test, conn->st->info.rx_bytes, 8 * STU);
	KUNIT_EXPECT_GE(test, atomic64_read(&errors[ST_ERR_OUT_OF_RANGE_BUFX]), 1);
	KUNIT_EXPECT_FALSE(test, st_test_readable(conn));
}

/* A GSO skb of another origin is not accepted, whatever its contents. */
static void st_offload_received_foreign(struct kunit *test)
{
	static const struct {
		unsigned int type;
		u16 size;
	} cases[] = {
		{ SKB_GSO_TCPV4, STU },
		{ SKB_GSO_UDP, 1 },
		{ SKB_GSO_SCTP | SKB_GSO_DODGY, STU },
		{ SKB_GSO_SCTP, GSO_BY_FRAGS },
	};
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts = st_test_block(conn, 8 * STU);
	const atomic64_t *drops = st_net_of(conn->st)->drops;
	u64 before = atomic64_read(&drops[ST_DROP_LENGTH]);
	struct sk_buff *skb;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		skb = st_test_run_skb(conn, &cts, 0, 8 * STU, ST_F_LAST, true);
		skb_shinfo(skb)->gso_type = cases[i].type;
		skb_shinfo(skb)->gso_size = cases[i].size;
		st_test_rcv(conn, skb);
		KUNIT_EXPECT_EQ(test, atomic64_read(&drops[ST_DROP_LENGTH]), before + i + 1);
	}
	/* Only Data may be a GSO skb */
	cts.op = ST_OP_CLEAR_TO_SEND;
	skb = st_test_run_skb(conn, &cts, 0, ST_OPT_LEN, ST_F_LAST, true);
	st_op_pack(&cts, (struct st_hdr *)skb->data);
	st_test_rcv(conn, skb);
	KUNIT_EXPECT_EQ(test, atomic64_read(&drops[ST_DROP_LENGTH]), before + i + 1);
	KUNIT_EXPECT_EQ(test, conn->st->info.rx_bytes, 0);
}

static struct kunit_case st_offload_cases[] = {
	KUNIT_CASE(st_offload_cut),
	KUNIT_CASE(st_offload_cut_summed),
	KUNIT_CASE(st_offload_cut_linear),
	KUNIT_CASE(st_offload_cut_in_tunnel),
	KUNIT_CASE(st_offload_cut_refused),
	KUNIT_CASE(st_offload_zero),
	KUNIT_CASE(st_offload_len),
	KUNIT_CASE(st_offload_sent),
	KUNIT_CASE(st_offload_received),
	KUNIT_CASE(st_offload_received_summed),
	KUNIT_CASE(st_offload_received_early),
	KUNIT_CASE(st_offload_received_too_long),
	KUNIT_CASE(st_offload_received_foreign),
	{}
};

static struct kunit_suite st_offload_suite = {
	.name = "st_offload",
	.test_cases = st_offload_cases,
};

kunit_test_suite(st_offload_suite);
