/* SPDX-License-Identifier: GPL-2.0 */
/*
 * HIPPI-FP packets around operations, ST A.2, in frames of Ethernet, independent of the kernel like
 * frame.h.
 */
#ifndef SELFTESTS_ST_FRAME_FP_H
#define SELFTESTS_ST_FRAME_FP_H

#include <stddef.h>

#include <linux/types.h>

#define ETHERTYPE_HIPPI_FP	0x8180
/* Header of Ethernet, FP_Header, D_ULA, S_ULA, M_len, LLC/SNAP */
#define FP_HEAD_LEN		(14 + 8 + 24)
#define FP_FILL_MAX		7

/* Bytes of Fill after an operation of @len bytes */
size_t fp_fill(size_t len);
/* Writes the bytes before an operation of @len bytes. */
void fp_head(__u8 *head, const __u8 *to, const __u8 *from, size_t len);
/*
 * Looks at the headers of a received frame with @rest bytes after them: sets @len, the bytes of the
 * operation.  Returns what is wrong with them, or NULL.
 */
const char *fp_breach(const __u8 *head, const __u8 *bytes, size_t rest, size_t *len);

#endif
