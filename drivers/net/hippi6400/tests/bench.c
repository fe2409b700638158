// SPDX-License-Identifier: GPL-2.0
/*
 * Speed of encoding and decoding micropackets.  Loading the module runs the
 * measurement; the kernel log has the figures, in payload bytes per second:
 *
 *   bench: codec encode 1934123456
 */
#define pr_fmt(fmt) "bench: " fmt

#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/sched.h>

#include "link/clmul.h"

/* A Message of 64 KB and its micropackets fit the cache, as in a transfer */
#define BENCH_UPKTS	2048
#define BENCH_BYTES	(BENCH_UPKTS * H64_UPKT_DATA)

static unsigned int msecs = 200;
module_param(msecs, uint, 0444);
MODULE_PARM_DESC(msecs, "time for each measurement, 1 to 10000 (default 200)");

static unsigned int repeat = 5;
module_param(repeat, uint, 0444);
MODULE_PARM_DESC(repeat, "number of measurements of each kind, 1 to 100 (default 5)");

struct bench {
	u8 src[BENCH_BYTES];
	u8 dst[BENCH_BYTES];
	struct h64_upkt ring[BENCH_UPKTS];
	unsigned int bad;
};

static void bench_copy(struct bench *b, bool clmul)
{
	unsigned int i;

	for (i = 0; i < BENCH_BYTES; i += H64_UPKT_DATA)
		memcpy(b->dst + i, b->src + i, H64_UPKT_DATA);
	OPTIMIZER_HIDE_VAR(b);
}

static void bench_encode(struct bench *b, bool clmul)
{
	struct h64_crcs crcs = { .ecrc = H64_CRC_PRESET };
	unsigned int i;
	u64 ctrl;

	for (i = 0; i < BENCH_UPKTS; i++) {
		crcs.lcrc = H64_CRC_PRESET;
		h64_crc_upkt(b->ring[i].data, b->src + i * H64_UPKT_DATA, &crcs, clmul);
		ctrl = FIELD_PREP(H64_C_VC, 1) | FIELD_PREP(H64_C_TYPE, H64_TYPE_DATA) |
		       FIELD_PREP(H64_C_ECRC, crcs.ecrc);
		WRITE_ONCE(b->ring[i].ctrl, h64_upkt_seal(ctrl, crcs.lcrc));
	}
}

static void bench_decode(struct bench *b, bool clmul)
{
	u16 ecrc = H64_CRC_PRESET;
	unsigned int i;

	for (i = 0; i < BENCH_UPKTS; i++) {
		u64 ctrl = h64_upkt_ctrl(&b->ring[i]);

		if (h64_upkt_decode(b->dst + i * H64_UPKT_DATA, &b->ring[i], ctrl, &ecrc, clmul) !=
		    H64_GOOD || ecrc != FIELD_GET(H64_C_ECRC, ctrl))
			b->bad++;
	}
}

static const struct bench_kind {
	const char *name;
	void (*run)(struct bench *b, bool clmul);
	bool clmul;
} bench_kinds[] = {
	{ "encode", bench_encode, false },
	{ "decode", bench_decode, false },
	{ "encode-clmul", bench_encode, true },
	{ "decode-clmul", bench_decode, true },
	{ "copy", bench_copy, false },
};

/* With the FPU for each Message, as in the driver; returns false if the FPU is not available */
static bool bench_run(struct bench *b, const struct bench_kind *kind)
{
	if (kind->clmul && !h64_clmul_begin())
		return false;
	kind->run(b, kind->clmul);
	if (kind->clmul)
		h64_clmul_end();
	return true;
}

static void bench_one(struct bench *b, unsigned int kind)
{
	u64 start = ktime_get_ns(), bytes = 0, ns;

	do {
		if (!bench_run(b, &bench_kinds[kind]))
			return;
		bytes += BENCH_BYTES;
		ns = ktime_get_ns() - start;
		cond_resched();
	} while (ns < (u64)msecs * NSEC_PER_MSEC);
	pr_info("codec %s %llu\n", bench_kinds[kind].name,
		mul_u64_u64_div_u64(bytes, NSEC_PER_SEC, ns));
}

static int __init bench_init(void)
{
	unsigned int i, kind;
	struct bench *b;
	int err = 0;

	if (!msecs || msecs > 10000 || !repeat || repeat > 100) {
		pr_err("msecs=%u repeat=%u: expected 1 to 10000 and 1 to 100\n", msecs, repeat);
		return -EINVAL;
	}
	b = kvzalloc(sizeof(*b), GFP_KERNEL);
	if (!b)
		return -ENOMEM;
	get_random_bytes(b->src, sizeof(b->src));
	bench_encode(b, false);
	for (i = 0; i < repeat; i++)
		for (kind = 0; kind < ARRAY_SIZE(bench_kinds); kind++)
			bench_one(b, kind);
	if (b->bad || memcmp(b->src, b->dst, BENCH_BYTES)) {
		pr_err("codec: %u micropackets came back wrong\n", b->bad);
		err = -EIO;
	}
	kvfree(b);
	return err;
}
module_init(bench_init);

static void __exit bench_exit(void)
{
}
module_exit(bench_exit);

MODULE_DESCRIPTION("Speed of the HIPPI-6400 micropacket codec");
MODULE_LICENSE("GPL");
