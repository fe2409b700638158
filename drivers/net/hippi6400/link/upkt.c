// SPDX-License-Identifier: GPL-2.0
/*
 * Micropacket codec and CRCs, HIPPI-6400-PH 4.4 and 4.9.
 */

#include <linux/cache.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/unaligned.h>

#include "clmul.h"
#include "upkt.h"

#define H64_SLICE	16

/* AA AA 03 00 00 00, ST figure A.1 */
const u8 h64_snap[6] = { 0xaa, 0xaa, 0x03 };
EXPORT_SYMBOL_GPL(h64_snap);

/* ECRC of 32 zero bytes, as in a micropacket outside any Message */
u16 h64_zero_ecrc __ro_after_init;
EXPORT_SYMBOL_GPL(h64_zero_ecrc);

static u16 h64_zero_lcrc __ro_after_init;

/*
 * h64_table[n][b] is the contribution of byte b to the CRCs if n bytes follow
 * it: the ECRC in the high half, the LCRC in the low half.  A byte that is not
 * XORed with a previous CRC costs one look-up for both.
 */
static u32 h64_table[H64_SLICE][256] __ro_after_init;

static u16 h64_crc_bitwise(u16 poly, u16 crc, u8 byte)
{
	unsigned int i;

	crc ^= byte << 8;
	for (i = 0; i < 8; i++)
		crc = crc & 0x8000 ? crc << 1 ^ poly : crc << 1;
	return crc;
}

/**
 * h64_crc - compute a CRC over any number of bytes
 * @poly: H64_POLY_LCRC or H64_POLY_ECRC
 * @crc: preset, or the CRC so far
 * @buf: the bytes
 * @len: number of bytes
 *
 * Return: the CRC.
 */
u16 h64_crc(u16 poly, u16 crc, const void *buf, size_t len)
{
	const unsigned int shift = poly == H64_POLY_ECRC ? 16 : 0;
	const u8 *byte = buf;

	while (len--)
		crc = crc << 8 ^ (u16)(h64_table[0][crc >> 8 ^ *byte++] >> shift);
	return crc;
}
EXPORT_SYMBOL_GPL(h64_crc);

/* Sixteen bytes, in memory order from the lowest byte of @a */
static __always_inline void h64_crc_slice(u64 a, u64 b, u32 *lcrc, u32 *ecrc)
{
	u8 b0 = a, b1 = a >> 8;
	u32 both;

	both = h64_table[13][(u8)(a >> 16)] ^ h64_table[12][(u8)(a >> 24)] ^
	       h64_table[11][(u8)(a >> 32)] ^ h64_table[10][(u8)(a >> 40)] ^
	       h64_table[9][(u8)(a >> 48)] ^ h64_table[8][a >> 56] ^
	       h64_table[7][(u8)b] ^ h64_table[6][(u8)(b >> 8)] ^
	       h64_table[5][(u8)(b >> 16)] ^ h64_table[4][(u8)(b >> 24)] ^
	       h64_table[3][(u8)(b >> 32)] ^ h64_table[2][(u8)(b >> 40)] ^
	       h64_table[1][(u8)(b >> 48)] ^ h64_table[0][b >> 56];

	*lcrc = (both ^ h64_table[15][b0 ^ *lcrc >> 8] ^
		 h64_table[14][b1 ^ (u8)*lcrc]) & 0xffff;
	*ecrc = (both ^ h64_table[15][b0 ^ *ecrc >> 8] ^
		 h64_table[14][b1 ^ (u8)*ecrc]) >> 16;
}

static void h64_crc_tables(void *dst, const void *src, struct h64_crcs *crcs)
{
	u32 lcrc = crcs->lcrc, ecrc = crcs->ecrc;
	unsigned int i;
	u64 a, b;

	for (i = 0; i < H64_UPKT_DATA; i += H64_SLICE) {
		a = get_unaligned_le64(src + i);
		b = get_unaligned_le64(src + i + 8);
		/* The compiler must not read memory again that the card could change */
		OPTIMIZER_HIDE_VAR(a);
		OPTIMIZER_HIDE_VAR(b);
		put_unaligned_le64(a, dst + i);
		put_unaligned_le64(b, dst + i + 8);
		h64_crc_slice(a, b, &lcrc, &ecrc);
	}
	crcs->lcrc = lcrc;
	crcs->ecrc = ecrc;
}

/**
 * h64_crc_upkt - copy the data bytes of a micropacket and compute both CRCs
 * @dst: 32 bytes, any alignment; may be @src
 * @src: 32 bytes, any alignment
 * @crcs: presets, or the CRCs so far; on return the new ones
 * @clmul: between h64_clmul_begin() and h64_clmul_end()
 *
 * Each byte is read once, so that the bytes checked are the bytes copied even
 * if @src changes meanwhile.
 */
void h64_crc_upkt(void *dst, const void *src, struct h64_crcs *crcs, bool clmul)
{
	if (clmul)
		h64_clmul_crc(dst, src, crcs);
	else
		h64_crc_tables(dst, src, crcs);
}
EXPORT_SYMBOL_GPL(h64_crc_upkt);

/* c07-c00, c15-c08, ... c47-c40 after the data bytes */
static __always_inline u16 h64_lcrc_ctrl(u64 ctrl, u16 lcrc)
{
	u32 both;

	both = h64_table[5][(u8)ctrl ^ lcrc >> 8] ^
	       h64_table[4][(u8)(ctrl >> 8) ^ (u8)lcrc] ^
	       h64_table[3][(u8)(ctrl >> 16)] ^ h64_table[2][(u8)(ctrl >> 24)] ^
	       h64_table[1][(u8)(ctrl >> 32)] ^ h64_table[0][(u8)(ctrl >> 40)];
	return both;
}

/**
 * h64_upkt_seal - complete the control bits with the LCRC
 * @ctrl: c00-c47; the rest is ignored
 * @lcrc: LCRC over the data bytes
 *
 * Return: the control bits as stored in a ring.
 */
__le64 h64_upkt_seal(u64 ctrl, u16 lcrc)
{
	ctrl &= H64_C_COVERED;
	return cpu_to_le64(ctrl | FIELD_PREP(H64_C_LCRC, h64_lcrc_ctrl(ctrl, lcrc)));
}
EXPORT_SYMBOL_GPL(h64_upkt_seal);

/**
 * h64_upkt_encode_zero - encode a micropacket that belongs to no Message
 * @upkt: the micropacket to write
 * @ctrl: c00-c31; ECRC and LCRC are added
 */
void h64_upkt_encode_zero(struct h64_upkt *upkt, u64 ctrl)
{
	ctrl &= ~H64_C_ECRC;
	ctrl |= FIELD_PREP(H64_C_ECRC, h64_zero_ecrc);
	memset(upkt->data, 0, sizeof(upkt->data));
	WRITE_ONCE(upkt->ctrl, h64_upkt_seal(ctrl, h64_zero_lcrc));
}
EXPORT_SYMBOL_GPL(h64_upkt_encode_zero);

static bool h64_type_known(u64 ctrl)
{
	switch (FIELD_GET(H64_C_TYPE, ctrl)) {
	case H64_TYPE_NULL:
	case H64_TYPE_CREDIT:
	case H64_TYPE_HEADER:
	case H64_TYPE_DATA:
	case H64_TYPE_ADMIN:
	case H64_TYPE_RESET:
	case H64_TYPE_RESET_ACK:
	case H64_TYPE_INIT:
	case H64_TYPE_INIT_ACK:
		return true;
	default:
		return false;
	}
}

/**
 * h64_upkt_decode - copy the data bytes out of a micropacket and check it
 * @dst: receives the 32 data bytes, valid or not
 * @upkt: the micropacket, in memory that a card can write
 * @ctrl: its control bits, from h64_upkt_ctrl()
 * @ecrc: ECRC of the Message before this micropacket, or the preset; updated to
 *	include this micropacket
 * @clmul: between h64_clmul_begin() and h64_clmul_end()
 *
 * Return: the verdict.
 */
enum h64_verdict h64_upkt_decode(void *dst, const struct h64_upkt *upkt, u64 ctrl, u16 *ecrc,
				 bool clmul)
{
	struct h64_crcs crcs = { .lcrc = H64_CRC_PRESET, .ecrc = *ecrc };

	h64_crc_upkt(dst, upkt->data, &crcs, clmul);
	*ecrc = crcs.ecrc;
	if (h64_lcrc_ctrl(ctrl, crcs.lcrc) != FIELD_GET(H64_C_LCRC, ctrl))
		return H64_BAD_LCRC;
	return h64_type_known(ctrl) ? H64_GOOD : H64_RESERVED;
}
EXPORT_SYMBOL_GPL(h64_upkt_decode);

static int __init h64_crc_init(void)
{
	static const u8 zero[H64_UPKT_DATA] __initconst;
	unsigned int b, n;

	for (b = 0; b < 256; b++) {
		u16 lcrc = h64_crc_bitwise(H64_POLY_LCRC, 0, b);
		u16 ecrc = h64_crc_bitwise(H64_POLY_ECRC, 0, b);

		for (n = 0; n < H64_SLICE; n++) {
			h64_table[n][b] = (u32)ecrc << 16 | lcrc;
			lcrc = h64_crc_bitwise(H64_POLY_LCRC, lcrc, 0);
			ecrc = h64_crc_bitwise(H64_POLY_ECRC, ecrc, 0);
		}
	}
	h64_zero_lcrc = h64_crc(H64_POLY_LCRC, H64_CRC_PRESET, zero, sizeof(zero));
	h64_zero_ecrc = h64_crc(H64_POLY_ECRC, H64_CRC_PRESET, zero, sizeof(zero));
	h64_clmul_init();
	return 0;
}

/* Before built-in drivers, but after the clock for the measurement is available */
fs_initcall(h64_crc_init);

/* Nothing to undo, but a module without an exit function cannot be unloaded */
static void __exit h64_crc_exit(void)
{
}
module_exit(h64_crc_exit);

MODULE_DESCRIPTION("HIPPI-6400 micropackets and link protocol");
MODULE_LICENSE("GPL");
