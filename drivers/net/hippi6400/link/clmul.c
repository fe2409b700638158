// SPDX-License-Identifier: GPL-2.0
/*
 * Both CRCs of a micropacket by carry-less multiplication, on x86 CPUs that support
 * it.
 *
 * The 32 data bytes are a polynomial of degree 255.  Adding a multiple of the product
 * of both generators, of degree 32, changes neither CRC.  So folding with 64-bit
 * multiplications reduces the polynomial to a degree below 64.  Barrett reduction then
 * yields each CRC.  All steps are linear: the contribution of the presets comes from
 * tables.
 */
#include <linux/export.h>
#include <linux/init.h>
#include <linux/instrumented.h>
#include <linux/kmsan-checks.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/preempt.h>

#include <asm/cpufeature.h>
#include <asm/fpu/api.h>

#include "clmul.h"

/* Number of micropackets and of runs in the measurement; the best run counts */
#define H64_CLMUL_UPKTS		1024
#define H64_CLMUL_TRIES		4
/* It has to be faster by a third to make up for saving the FPU state of a process */
#define H64_CLMUL_BETTER(with, without)		((with) * 4 < (without) * 3)

static int clmul = -1;
module_param(clmul, int, 0444);
MODULE_PARM_DESC(clmul, "CRCs by carry-less multiplication, if the CPU supports it: 1 yes, 0 no, -1 if it is faster (default -1); reads as 0 or 1");

/**
 * struct h64_clmul_consts - constants of h64_clmul_data(), in order of use
 * @reverse: PSHUFB mask that reverses the order of 16 bytes
 * @fold: x^128 and x^192 modulo the product of both generators
 * @fold_last: x^64 modulo that product, twice
 * @quotient: x^80 divided by the generators of ECRC and LCRC, without x^64
 * @generator: generators of ECRC and LCRC, without x^16
 */
struct h64_clmul_consts {
	u8 reverse[16];
	u64 fold[2];
	u64 fold_last[2];
	u64 quotient[2];
	u64 generator[2];
} __aligned(16);

static struct h64_clmul_consts h64_clmul_consts __ro_after_init;
static bool h64_clmul_used __ro_after_init;

/*
 * h64_ahead[n][b] holds the CRCs of a micropacket whose only non-zero byte is byte
 * n, with value b: ECRC in the high half, LCRC in the low half.
 */
static u32 h64_ahead[2][256] __ro_after_init;

/*
 * The kernel is compiled without SSE, so these registers cannot be named as
 * clobbers.  Outputs are written after the last use of an input.
 */
static __always_inline void h64_clmul_data(void *dst, const void *src, u32 *lcrc, u32 *ecrc)
{
	asm volatile("movdqu	(%[src]), %%xmm0\n\t"
		     "movdqu	16(%[src]), %%xmm1\n\t"
		     "movdqu	%%xmm0, (%[dst])\n\t"
		     "movdqu	%%xmm1, 16(%[dst])\n\t"
		     "movdqa	(%[c]), %%xmm4\n\t"
		     "pshufb	%%xmm4, %%xmm0\n\t"
		     "pshufb	%%xmm4, %%xmm1\n\t"
		     /* xmm0: 95 bits, congruent to the whole polynomial */
		     "movdqa	16(%[c]), %%xmm4\n\t"
		     "movdqa	32(%[c]), %%xmm5\n\t"
		     "movdqa	%%xmm0, %%xmm2\n\t"
		     "movdqa	%%xmm1, %%xmm3\n\t"
		     "pclmulqdq	$0x11, %%xmm4, %%xmm0\n\t"
		     "pclmulqdq	$0x00, %%xmm4, %%xmm2\n\t"
		     "pclmulqdq	$0x01, %%xmm5, %%xmm3\n\t"
		     "movq	%%xmm1, %%xmm1\n\t"
		     "pxor	%%xmm2, %%xmm0\n\t"
		     "pxor	%%xmm3, %%xmm1\n\t"
		     "pxor	%%xmm1, %%xmm0\n\t"
		     /* the low half of xmm0: 64 bits */
		     "movdqa	%%xmm0, %%xmm1\n\t"
		     "pclmulqdq	$0x01, %%xmm5, %%xmm1\n\t"
		     "pxor	%%xmm1, %%xmm0\n\t"
		     /* high halves of xmm1 and xmm2: quotients of that times x^16 */
		     "movdqa	48(%[c]), %%xmm4\n\t"
		     "movdqa	64(%[c]), %%xmm5\n\t"
		     "movdqa	%%xmm0, %%xmm1\n\t"
		     "movdqa	%%xmm0, %%xmm2\n\t"
		     "pslldq	$8, %%xmm0\n\t"
		     "pclmulqdq	$0x10, %%xmm4, %%xmm1\n\t"
		     "pclmulqdq	$0x00, %%xmm4, %%xmm2\n\t"
		     "pxor	%%xmm0, %%xmm1\n\t"
		     "pxor	%%xmm0, %%xmm2\n\t"
		     /* low 16 bits: the remainders */
		     "pclmulqdq	$0x11, %%xmm5, %%xmm1\n\t"
		     "pclmulqdq	$0x01, %%xmm5, %%xmm2\n\t"
		     "movd	%%xmm1, %[lcrc]\n\t"
		     "movd	%%xmm2, %[ecrc]\n\t"
		     : [lcrc] "=r" (*lcrc), [ecrc] "=r" (*ecrc)
		     : [src] "r" (src), [dst] "r" (dst), [c] "r" (&h64_clmul_consts)
		     : "memory");
}

/**
 * h64_clmul_crc - copy the data bytes of a micropacket and compute both CRCs
 * @dst: 32 bytes, any alignment; may be @src
 * @src: 32 bytes, any alignment
 * @crcs: presets, or the CRCs so far; on return the new ones
 *
 * Computes the same as h64_crc_upkt().  Context: between h64_clmul_begin() and
 * h64_clmul_end().
 */
void h64_clmul_crc(void *dst, const void *src, struct h64_crcs *crcs)
{
	u32 lcrc, ecrc;

	instrument_read(src, H64_UPKT_DATA);
	instrument_write(dst, H64_UPKT_DATA);
	h64_clmul_data(dst, src, &lcrc, &ecrc);
	kmsan_unpoison_memory(dst, H64_UPKT_DATA);
	crcs->lcrc = lcrc ^ h64_ahead[0][crcs->lcrc >> 8] ^ h64_ahead[1][(u8)crcs->lcrc];
	crcs->ecrc = ecrc ^ (h64_ahead[0][crcs->ecrc >> 8] ^
			     h64_ahead[1][(u8)crcs->ecrc]) >> 16;
}

/**
 * h64_clmul_begin - start a section of CRCs by carry-less multiplication
 *
 * Saves the FPU state of the process, so it pays only for many micropackets.
 * Until h64_clmul_end() the caller must not sleep, and must not use the FPU
 * without irq_fpu_usable().
 *
 * Context: any but NMI; disables preemption.
 * Return: false if carry-less multiplication is not usable now or not faster on
 * this CPU.
 */
bool h64_clmul_begin(void)
{
	if (!h64_clmul_used || !irq_fpu_usable())
		return false;
	kernel_fpu_begin();
	return true;
}
EXPORT_SYMBOL_GPL(h64_clmul_begin);

/**
 * h64_clmul_end - end the section that h64_clmul_begin() started
 *
 * Context: that of h64_clmul_begin(), which returned true.
 */
void h64_clmul_end(void)
{
	kernel_fpu_end();
}
EXPORT_SYMBOL_GPL(h64_clmul_end);

static u64 __init h64_poly_mul(u64 a, u64 b)
{
	u64 product = 0;

	for (; b; b >>= 1, a <<= 1)
		if (b & 1)
			product ^= a;
	return product;
}

/* x^@n modulo a polynomial of degree 32 */
static u64 __init h64_poly_power(unsigned int n, u64 modulus)
{
	u64 power = 1;

	while (n--) {
		power <<= 1;
		if (power & BIT_ULL(32))
			power ^= modulus;
	}
	return power;
}

/* x^80 divided by a polynomial of degree 16, without x^64 of the quotient */
static u64 __init h64_poly_quotient(u32 generator)
{
	/* Remainder of x^80 after subtraction of x^64 times the generator */
	u32 rest = generator & 0xffff;
	u64 quotient = 0;
	unsigned int i;

	for (i = 0; i < 64; i++) {
		rest <<= 1;
		quotient <<= 1;
		if (rest & BIT(16)) {
			quotient |= 1;
			rest ^= generator;
		}
	}
	return quotient;
}

static void __init h64_clmul_set_consts(void)
{
	const u32 lcrc = BIT(16) | H64_POLY_LCRC, ecrc = BIT(16) | H64_POLY_ECRC;
	struct h64_clmul_consts *c = &h64_clmul_consts;
	u64 product = h64_poly_mul(lcrc, ecrc);
	unsigned int i, n;

	for (i = 0; i < sizeof(c->reverse); i++)
		c->reverse[i] = sizeof(c->reverse) - 1 - i;
	c->fold[0] = h64_poly_power(128, product);
	c->fold[1] = h64_poly_power(192, product);
	c->fold_last[0] = h64_poly_power(64, product);
	c->fold_last[1] = c->fold_last[0];
	c->quotient[0] = h64_poly_quotient(ecrc);
	c->quotient[1] = h64_poly_quotient(lcrc);
	c->generator[0] = H64_POLY_ECRC;
	c->generator[1] = H64_POLY_LCRC;

	for (i = 0; i < 256; i++) {
		for (n = 0; n < 2; n++) {
			u8 data[H64_UPKT_DATA] = {};

			data[n] = i;
			h64_ahead[n][i] = (u32)h64_crc(H64_POLY_ECRC, 0, data, sizeof(data)) << 16 |
					  h64_crc(H64_POLY_LCRC, 0, data, sizeof(data));
		}
	}
}

/* The smallest batch that pays, with the cost of begin and end */
static void __init h64_clmul_batch(bool with)
{
	struct h64_crcs crcs = { H64_CRC_PRESET, H64_CRC_PRESET };
	u8 buf[H64_UPKT_DATA] = {};
	unsigned int i;

	if (with)
		kernel_fpu_begin();
	for (i = 0; i < H64_CLMUL_WORTH; i++)
		h64_crc_upkt(buf, buf, &crcs, with);
	if (with)
		kernel_fpu_end();
}

/* Returns the nanoseconds for some micropackets */
static u64 __init h64_clmul_measure(bool with)
{
	u64 best = U64_MAX, start;
	unsigned int try, i;

	for (try = 0; try < H64_CLMUL_TRIES; try++) {
		preempt_disable();
		start = ktime_get_ns();
		for (i = 0; i < H64_CLMUL_UPKTS; i += H64_CLMUL_WORTH)
			h64_clmul_batch(with);
		best = min(best, ktime_get_ns() - start);
		preempt_enable();
	}
	return best;
}

/* Decides whether to use it from the parameter, which then reads as the decision */
static bool __init h64_clmul_wanted(void)
{
	/* On PREEMPT_RT, code between begin and end takes sleeping locks */
	if (IS_ENABLED(CONFIG_PREEMPT_RT) || !boot_cpu_has(X86_FEATURE_PCLMULQDQ) ||
	    !boot_cpu_has(X86_FEATURE_SSSE3))
		return false;
	h64_clmul_set_consts();
	if (clmul >= 0)
		return clmul;
	return H64_CLMUL_BETTER(h64_clmul_measure(true), h64_clmul_measure(false));
}

/**
 * h64_clmul_init - check whether carry-less multiplication is supported and
 * faster
 *
 * An emulated CPU may support it, but be slower with it than with the tables.
 */
void __init h64_clmul_init(void)
{
	h64_clmul_used = h64_clmul_wanted();
	clmul = h64_clmul_used;
}
