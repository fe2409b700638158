/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sequences that arrive: whether their frames are complete.
 */
#ifndef _FC2_SEQ_RX_H
#define _FC2_SEQ_RX_H

#include <linux/types.h>

/* Parts without a gap behind the first gap; a path that needs more has lost frames */
#define FC2_SEQ_PARTS		32

/**
 * struct fc2_seq_part - frames without a gap
 * @first: the first one, counted through the Exchange
 * @end: the one after the last
 */
struct fc2_seq_part {
	u32	first;
	u32	end;
};

/**
 * struct fc2_seq_rx - what one side has received in an Exchange
 * @next: the first frame that is missing, counted through the Exchange; its low 16 bits are SEQ_CNT
 * @last: the last frame before the other side gets Sequence Initiative, or of the Exchange
 * @has_last: @last is known
 * @flags: of that frame, mask of enum fc2_send_flags
 * @inside: the frame before @next was not the last one of a Sequence
 * @count: how many @parts there are
 * @parts: frames beyond @next, on ports without order
 */
struct fc2_seq_rx {
	u32	next;
	u32	last;
	bool	has_last;
	u8	flags;
	bool	inside;
	u8	count;
	struct fc2_seq_part parts[FC2_SEQ_PARTS];
};

/**
 * struct fc2_seq_frame - what a frame says about its Sequence
 * @cnt: SEQ_CNT
 * @flags: mask of enum fc2_send_flags
 */
struct fc2_seq_frame {
	u16	cnt;
	u8	flags;
};

int fc2_seq_take_ordered(struct fc2_seq_rx *rx, const struct fc2_seq_frame *frame, u8 *complete);
int fc2_seq_take_any(struct fc2_seq_rx *rx, const struct fc2_seq_frame *frame, u8 *complete);

#endif
