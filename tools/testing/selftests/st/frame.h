/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames around operations, ST annex A, independent of the kernel like wire.h: as
 * a packet socket sees them.
 */
#ifndef SELFTESTS_ST_FRAME_H
#define SELFTESTS_ST_FRAME_H

#include <stddef.h>
#include <string.h>

#include <linux/types.h>

enum medium {
	HIPPI6400,
	ETHERNET,
	RIO9,
	FCLE,
	FCVI,
	HIPPI_FP,
};

#define ETHERTYPE_ST	0x8181	/* A.1 */
#define STREAM_ST	0xe181	/* of RapidIO Type 9 */
#define FRAME_HEAD_MAX	46

/* Bytes of an address */
static inline size_t frame_addr_len(enum medium medium)
{
	return medium == RIO9 ? 2 : medium == FCVI ? 16 : 6;
}

/* The address of FC-VI ::ffff:10.77.0.0 + @n; 1 is that of side A, 2 that of side B */
static inline void frame_host(__u8 *host, unsigned int n)
{
	const __u8 v4[] = { 0xff, 0xff, 10, 77, n >> 8, n };

	memset(host, 0, 16 - sizeof(v4));
	memcpy(host + 16 - sizeof(v4), v4, sizeof(v4));
}

/* Bytes before the operation */
size_t frame_head_len(enum medium medium);
/* Writes the bytes before an operation of @len bytes on a Channel, as the medium requires */
void frame_head(enum medium medium, __u8 *head, const __u8 *to, const __u8 *from,
		unsigned int channel, size_t len);
/* The address that a received one comes from */
const __u8 *frame_from(enum medium medium, const __u8 *head);
/* Returns the error of received ones, or NULL */
const char *frame_breach(enum medium medium, const __u8 *head, unsigned int channel, size_t len);

#endif
