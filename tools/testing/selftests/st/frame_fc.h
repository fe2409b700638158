/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sequences of FC-LE in frames of FCoE, independent of the kernel: as a packet socket sees them.
 * Ports have the N_Port ID that the low bytes of their ULAs say, as VN2VN mode gives it.
 */
#ifndef SELFTESTS_ST_FRAME_FC_H
#define SELFTESTS_ST_FRAME_FC_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#define FC_FRAME_MAX	2180	/* bytes of a frame, with all that is around its data field */
#define ETHERTYPE_FCOE	0x8906

/* The MAC address of the port with a ULA */
void fc_mac(__u8 *mac, const __u8 *ula);
/* Sends an operation as a Sequence, to the port with the ULA @to from that with the ULA @from */
bool fc_send(int fd, const __u8 *to, const __u8 *from, const __u8 *bytes, size_t len);
/*
 * Adds a received frame to the operation @bytes, which has *@len bytes and room for @room.  Returns
 * what is wrong with it, or NULL.  *@end: the operation is complete.
 */
const char *fc_add(const __u8 *frame, size_t frame_len, const __u8 *to, const __u8 *from,
		   __u8 *bytes, size_t room, size_t *len, bool *end);
/* Whether a frame is one of FC-LE */
bool fc_is_le(const __u8 *frame, size_t len);

#endif
