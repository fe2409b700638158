// SPDX-License-Identifier: GPL-2.0
/*
 * Speed of the codec, of segmentation and of reassembly.  Loading the module runs the
 * measurement; the kernel log has the figures, in segments per second, by the payload of a
 * full segment:
 *
 *   bench: rio9 encode 256 41234567
 */
#define pr_fmt(fmt) "bench: " fmt

#include <kunit/visibility.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/st_compat.h>

#include "port.h"
#include "segment.h"
#include "viq.h"

#define BENCH_SRC	1
#define BENCH_DST	2
#define BENCH_PACKETS	(RIO9_PDU_MAX / RIO9_MTU_MIN)

static unsigned int msecs = 100;
module_param(msecs, uint, 0444);
MODULE_PARM_DESC(msecs, "time for each measurement, 1 to 10000 (default 100)");

static unsigned int repeat = 5;
module_param(repeat, uint, 0444);
MODULE_PARM_DESC(repeat, "number of measurements of each kind, 1 to 100 (default 5)");

struct bench_packet {
	unsigned int len;
	u8 data[RIO9_PACKET_MAX];
};

/**
 * struct bench - a PDU of the greatest length, and its segments
 * @port: takes the packets
 * @mtu: payload of a full segment
 * @count: number of segments
 * @skb: the PDU
 * @src: its bytes
 * @dst: the bytes of one that was received
 * @packets: its segments as packets
 * @decoded: what is in them
 * @bad: PDUs that came back wrong, or did not
 */
struct bench {
	struct rio9_port *port;
	unsigned int mtu;
	unsigned int count;
	struct sk_buff *skb;
	u8 src[RIO9_PDU_MAX];
	u8 dst[RIO9_PDU_MAX];
	struct bench_packet packets[BENCH_PACKETS];
	struct rio9_packet decoded[BENCH_PACKETS];
	unsigned int bad;
};

static const struct rio9_pdu bench_label = { .peer = BENCH_DST, .stream = 0x1234 };

static void bench_copy(struct bench *b)
{
	unsigned int i;

	for (i = 0; i < b->count; i++)
		memcpy(b->packets[i].data + 10, b->src + i * b->mtu, b->mtu);
}

static void bench_encode(struct bench *b)
{
	struct rio9_packet p = {
		.dst = BENCH_DST,
		.src = BENCH_SRC,
		.large = true,
		.stream = bench_label.stream,
	};
	unsigned int i, len;

	for (i = 0; i < b->count; i++) {
		struct bench_packet *to = &b->packets[i];

		p.kind = i == 0 ? RIO9_START : i == b->count - 1 ? RIO9_END : RIO9_CONT;
		p.len = b->mtu;
		len = rio9_encode_headers(to->data, &p);
		memcpy(to->data + len, b->src + i * b->mtu, b->mtu);
		to->len = rio9_encode_end(to->data, len + b->mtu);
	}
}

static void bench_decode(struct bench *b)
{
	unsigned int i;

	for (i = 0; i < b->count; i++)
		if (rio9_decode(&b->decoded[i], b->packets[i].data, b->packets[i].len))
			b->bad++;
}

static void bench_segment(struct bench *b)
{
	struct rio9_segmenter s;
	unsigned int i;
	int len;

	rio9_segment_begin(&s, b->skb, &bench_label, BENCH_SRC, true, b->mtu);
	for (i = 0; (len = rio9_segment_make(&s, b->packets[i].data)) > 0; i++) {
		b->packets[i].len = len;
		rio9_segment_sent(&s);
	}
	b->bad += len < 0 || i != b->count;
}

static void bench_got(struct bench *b, struct sk_buff *skb)
{
	if (!skb || skb->len != RIO9_PDU_MAX)
		b->bad++;
	kfree_skb(skb);
}

static void bench_reassemble(struct bench *b)
{
	struct rio9_reassembly *r = &b->port->reassembly;
	struct sk_buff *skb = NULL;
	unsigned int i;

	for (i = 0; i < b->count; i++) {
		spin_lock_bh(&r->lock);
		skb = rio9_reassembly_rx(r, &b->decoded[i], jiffies);
		spin_unlock_bh(&r->lock);
	}
	bench_got(b, skb);
}

static void bench_rx(struct bench *b)
{
	unsigned int i;

	for (i = 0; i < b->count; i++)
		rio9_rx_packet(b->port, b->packets[i].data, b->packets[i].len);
}

static struct sk_buff *bench_read(struct bench *b)
{
	return rio9_viq_read(b->port);
}

static void bench_receive(struct bench *b)
{
	bench_rx(b);
	bench_got(b, bench_read(b));
}

static void bench_all(struct bench *b)
{
	bench_segment(b);
	bench_receive(b);
}

/* The first four come in this order: each uses what the one before it has made */
static const struct bench_kind {
	const char *name;
	void (*run)(struct bench *b);
} bench_kinds[] = {
	{ "encode", bench_encode },
	{ "segment", bench_segment },
	{ "decode", bench_decode },
	{ "reassemble", bench_reassemble },
	{ "receive", bench_receive },
	{ "all", bench_all },
	{ "copy", bench_copy },
};

static void bench_one(struct bench *b, const struct bench_kind *kind)
{
	u64 start = ktime_get_ns(), segments = 0, ns;

	do {
		kind->run(b);
		segments += b->count;
		ns = ktime_get_ns() - start;
		cond_resched();
	} while (ns < (u64)msecs * NSEC_PER_MSEC);
	pr_info("rio9 %s %u %llu\n", kind->name, b->mtu,
		mul_u64_u64_div_u64(segments, NSEC_PER_SEC, ns));
}

/* What was sent is what is received */
static void bench_check(struct bench *b)
{
	struct sk_buff *skb;

	bench_segment(b);
	bench_rx(b);
	skb = bench_read(b);
	if (!skb || skb_copy_bits(skb, 0, b->dst, RIO9_PDU_MAX) ||
	    memcmp(b->src, b->dst, RIO9_PDU_MAX))
		b->bad++;
	kfree_skb(skb);
}

static int bench_mtu(struct bench *b, unsigned int mtu)
{
	unsigned int i, kind;
	int err;

	b->mtu = mtu;
	b->count = RIO9_PDU_MAX / mtu;
	err = rio9_port_set_mtu(b->port, mtu);
	if (err)
		return err;
	for (i = 0; i < repeat; i++)
		for (kind = 0; kind < ARRAY_SIZE(bench_kinds); kind++)
			bench_one(b, &bench_kinds[kind]);
	bench_check(b);
	if (!b->bad)
		return 0;
	pr_err("rio9: %u PDUs came back wrong\n", b->bad);
	return -EIO;
}

static int bench_no_xmit(struct rio9_port *port, const void *packet, unsigned int len)
{
	return -EBUSY;
}

static struct rio9_port *bench_port(void)
{
	static const struct rio9_port_ops ops = { .xmit_packet = bench_no_xmit };
	static const struct rio9_caps caps = {
		.large = true,
		.max_pdu = RIO9_PDU_MAX,
		.contexts = 64,
		.channels = 1,
	};
	struct rio9_port *port = rio9_port_create(&ops, &caps, NULL);
	int err;

	if (IS_ERR(port))
		return port;
	err = rio9_port_set_id(port, BENCH_DST) ?: rio9_port_add_peer(port, BENCH_SRC);
	if (!err)
		return port;
	rio9_port_destroy(port);
	return ERR_PTR(err);
}

/* As packet sockets and ST have it: nothing in the linear part, all in fragments */
static struct sk_buff *bench_skb(const u8 *data)
{
	struct sk_buff *skb;
	int err;

	skb = alloc_skb_with_frags(0, RIO9_PDU_MAX, PAGE_ALLOC_COSTLY_ORDER, &err, GFP_KERNEL);
	if (!skb)
		return NULL;
	skb->data_len = RIO9_PDU_MAX;
	skb->len = RIO9_PDU_MAX;
	skb_store_bits(skb, 0, data, RIO9_PDU_MAX);
	return skb;
}

static int bench_mtus(struct bench *b)
{
	static const unsigned int mtus[] = { 32, 64, 256 };
	unsigned int i;
	int err = 0;

	get_random_bytes(b->src, sizeof(b->src));
	b->skb = bench_skb(b->src);
	if (!b->skb)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(mtus) && !err; i++)
		err = bench_mtu(b, mtus[i]);
	kfree_skb(b->skb);
	return err;
}

static int __init bench_init(void)
{
	struct bench *b;
	int err;

	if (!msecs || msecs > 10000 || !repeat || repeat > 100) {
		pr_err("msecs=%u repeat=%u: expected 1 to 10000 and 1 to 100\n", msecs, repeat);
		return -EINVAL;
	}
	b = kvzalloc(sizeof(*b), GFP_KERNEL);
	if (!b)
		return -ENOMEM;
	b->port = bench_port();
	if (IS_ERR(b->port)) {
		err = PTR_ERR(b->port);
	} else {
		err = bench_mtus(b);
		rio9_port_destroy(b->port);
	}
	kvfree(b);
	return err;
}
module_init(bench_init);

static void __exit bench_exit(void)
{
}
module_exit(bench_exit);

MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING");
MODULE_DESCRIPTION("Speed of RapidIO Type 9 segments");
MODULE_LICENSE("GPL");
