/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Golden vectors of registers.
 */
#ifndef _RIO9_TESTS_VECTORS_REGS_H
#define _RIO9_TESTS_VECTORS_REGS_H

#include <linux/types.h>

/**
 * struct rio9_car_vector - an Operations CAR
 * @offset: which
 * @streaming: data streaming is supported
 * @tm: traffic management, too
 * @value: its bits in the register
 */
struct rio9_car_vector {
	u32 offset;
	bool streaming;
	bool tm;
	u32 value;
};

/**
 * struct rio9_info_vector - a Data Streaming Information CAR
 * @max_pdu: bytes of the longest PDU
 * @contexts: how many
 * @value: the register
 */
struct rio9_info_vector {
	u32 max_pdu;
	u32 contexts;
	u32 value;
};

/**
 * struct rio9_csr_vector - a Data Streaming Logical Layer Control CSR
 * @types: TM types
 * @mode: TM mode
 * @mtu: payload of a full segment
 * @value: the register
 */
struct rio9_csr_vector {
	u8 types;
	u8 mode;
	u16 mtu;
	u32 value;
};

static const struct rio9_car_vector rio9_car_vectors[] = {
	{ 0x18, false, false, 0x00000000 },
	{ 0x18, true, false, 0x00040000 },
	{ 0x18, true, true, 0x000c0000 },
	{ 0x1c, false, false, 0x00000000 },
	{ 0x1c, true, false, 0x00040000 },
	{ 0x1c, true, true, 0x000c0000 },
};

static const struct rio9_info_vector rio9_info_vectors[] = {
	{ 65536, 65536, 0x00000000 },
	{ 1, 1, 0x00010001 },
	{ 65535, 65535, 0xffffffff },
	{ 32808, 64, 0x80280040 },
	{ 4096, 16, 0x10000010 },
};

static const struct rio9_csr_vector rio9_csr_vectors[] = {
	{ 0x0, 0, 256, 0x00000040 },
	{ 0x0, 1, 256, 0x01000040 },
	{ 0x0, 2, 256, 0x02000040 },
	{ 0x0, 3, 256, 0x03000040 },
	{ 0x0, 4, 256, 0x04000040 },
	{ 0x8, 0, 256, 0x80000040 },
	{ 0x8, 1, 256, 0x81000040 },
	{ 0x8, 2, 256, 0x82000040 },
	{ 0x8, 3, 256, 0x83000040 },
	{ 0x8, 4, 256, 0x84000040 },
	{ 0xc, 0, 256, 0xc0000040 },
	{ 0xc, 1, 256, 0xc1000040 },
	{ 0xc, 2, 256, 0xc2000040 },
	{ 0xc, 3, 256, 0xc3000040 },
	{ 0xc, 4, 256, 0xc4000040 },
	{ 0xa, 0, 256, 0xa0000040 },
	{ 0xa, 1, 256, 0xa1000040 },
	{ 0xa, 2, 256, 0xa2000040 },
	{ 0xa, 3, 256, 0xa3000040 },
	{ 0xa, 4, 256, 0xa4000040 },
	{ 0xe, 0, 256, 0xe0000040 },
	{ 0xe, 1, 256, 0xe1000040 },
	{ 0xe, 2, 256, 0xe2000040 },
	{ 0xe, 3, 256, 0xe3000040 },
	{ 0xe, 4, 256, 0xe4000040 },
	{ 0xe, 1, 32, 0xe1000008 },
	{ 0xe, 1, 36, 0xe1000009 },
	{ 0xe, 1, 40, 0xe100000a },
	{ 0xe, 1, 44, 0xe100000b },
	{ 0xe, 1, 48, 0xe100000c },
	{ 0xe, 1, 52, 0xe100000d },
	{ 0xe, 1, 56, 0xe100000e },
	{ 0xe, 1, 60, 0xe100000f },
	{ 0xe, 1, 64, 0xe1000010 },
	{ 0xe, 1, 68, 0xe1000011 },
	{ 0xe, 1, 72, 0xe1000012 },
	{ 0xe, 1, 76, 0xe1000013 },
	{ 0xe, 1, 80, 0xe1000014 },
	{ 0xe, 1, 84, 0xe1000015 },
	{ 0xe, 1, 88, 0xe1000016 },
	{ 0xe, 1, 92, 0xe1000017 },
	{ 0xe, 1, 96, 0xe1000018 },
	{ 0xe, 1, 100, 0xe1000019 },
	{ 0xe, 1, 104, 0xe100001a },
	{ 0xe, 1, 108, 0xe100001b },
	{ 0xe, 1, 112, 0xe100001c },
	{ 0xe, 1, 116, 0xe100001d },
	{ 0xe, 1, 120, 0xe100001e },
	{ 0xe, 1, 124, 0xe100001f },
	{ 0xe, 1, 128, 0xe1000020 },
	{ 0xe, 1, 132, 0xe1000021 },
	{ 0xe, 1, 136, 0xe1000022 },
	{ 0xe, 1, 140, 0xe1000023 },
	{ 0xe, 1, 144, 0xe1000024 },
	{ 0xe, 1, 148, 0xe1000025 },
	{ 0xe, 1, 152, 0xe1000026 },
	{ 0xe, 1, 156, 0xe1000027 },
	{ 0xe, 1, 160, 0xe1000028 },
	{ 0xe, 1, 164, 0xe1000029 },
	{ 0xe, 1, 168, 0xe100002a },
	{ 0xe, 1, 172, 0xe100002b },
	{ 0xe, 1, 176, 0xe100002c },
	{ 0xe, 1, 180, 0xe100002d },
	{ 0xe, 1, 184, 0xe100002e },
	{ 0xe, 1, 188, 0xe100002f },
	{ 0xe, 1, 192, 0xe1000030 },
	{ 0xe, 1, 196, 0xe1000031 },
	{ 0xe, 1, 200, 0xe1000032 },
	{ 0xe, 1, 204, 0xe1000033 },
	{ 0xe, 1, 208, 0xe1000034 },
	{ 0xe, 1, 212, 0xe1000035 },
	{ 0xe, 1, 216, 0xe1000036 },
	{ 0xe, 1, 220, 0xe1000037 },
	{ 0xe, 1, 224, 0xe1000038 },
	{ 0xe, 1, 228, 0xe1000039 },
	{ 0xe, 1, 232, 0xe100003a },
	{ 0xe, 1, 236, 0xe100003b },
	{ 0xe, 1, 240, 0xe100003c },
	{ 0xe, 1, 244, 0xe100003d },
	{ 0xe, 1, 248, 0xe100003e },
	{ 0xe, 1, 252, 0xe100003f },
	{ 0xe, 1, 256, 0xe1000040 },
};

#endif
