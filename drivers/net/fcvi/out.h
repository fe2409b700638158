/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is sent in frames.
 */
#ifndef _FCVI_OUT_H
#define _FCVI_OUT_H

#include <linux/list.h>
#include <linux/types.h>

#include "wire.h"

struct fcvi_mx;
struct fcvi_mx_ops;
struct fcvi_vi;
struct sk_buff;

/**
 * struct fcvi_out - a Message, or the data of an RDMA Read, that goes out in frames
 * @list: in struct fcvi_sched, while it has its turns; else empty
 * @vi: the endpoint
 * @mx: its Exchange; NULL: one is opened with the first frame, unless it is @alone
 * @ops: for an Exchange that is opened
 * @priv: for @ops
 * @alone: a single frame, to which no answer is expected
 * @iu: Device_Header of all frames
 * @len: bytes
 * @pos: bytes that are sent
 * @frames: how many of the open Sequence are sent
 * @end: what the last frame has: a mask of enum fc2_send_flags.  Sequences of 65536 frames are
 *	ended before, FC-VI 5.6
 * @fill: as struct fcvi_user_ops' fill; once with a length of 0 if there are no bytes
 * @sent: all frames are sent, or @err: they can't be.  It is in no list any more; @mx is NULL if
 *	it has ended with the last frame, else still there.  -ENOTCONN: it is over, which its end
 *	or a logout is about to tell
 */
struct fcvi_out {
	struct list_head		list;
	struct fcvi_vi			*vi;
	struct fcvi_mx			*mx;
	const struct fcvi_mx_ops	*ops;
	void				*priv;
	bool				alone;
	struct fcvi_iu			iu;
	u32				len;
	u32				pos;
	u32				frames;
	u8				end;
	struct sk_buff *(*fill)(struct fcvi_out *out, u32 offset, u32 len);
	void (*sent)(struct fcvi_out *out, int err);
};

#endif
