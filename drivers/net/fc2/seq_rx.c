// SPDX-License-Identifier: GPL-2.0
/*
 * Sequences that arrive: whether their frames are complete.  SEQ_CNT goes on through the Exchange,
 * FC-VI 5.6, and is counted for each side.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/fc2.h>
#include <linux/string.h>

#include "seq_rx.h"

/* Frames that end what a side sends for now */
#define FC2_SEQ_LAST	(FC2_SEND_LAST_SEQ | FC2_SEND_INITIATIVE)

/**
 * fc2_seq_take_ordered - a frame on a port with order
 * @rx: what was received so far
 * @frame: the frame
 * @complete: gets what is complete with it, mask of enum fc2_send_flags
 *
 * Return: 0, or -EILSEQ when it is not the next one.
 */
int fc2_seq_take_ordered(struct fc2_seq_rx *rx, const struct fc2_seq_frame *frame, u8 *complete)
{
	if (frame->cnt != (u16)rx->next)
		return -EILSEQ;
	rx->next++;
	rx->inside = !(frame->flags & FC2_SEND_END_SEQ);
	/* FC-FS: LS may be set before the last frame */
	*complete = frame->flags & FC2_SEND_END_SEQ ? frame->flags : 0;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(fc2_seq_take_ordered);

static void fc2_seq_part_del(struct fc2_seq_rx *rx, unsigned int i)
{
	rx->count--;
	memmove(&rx->parts[i], &rx->parts[i + 1], (rx->count - i) * sizeof(rx->parts[0]));
}

/* Add a frame beyond the first gap.  Return: 0, -EEXIST for one that is there, or -EILSEQ */
static int fc2_seq_part_add(struct fc2_seq_rx *rx, u32 at)
{
	struct fc2_seq_part *p;
	unsigned int i;

	for (i = 0; i < rx->count; i++) {
		p = &rx->parts[i];
		if ((s32)(at - p->first) >= 0 && (s32)(at - p->end) < 0)
			return -EEXIST;
		if (at == p->end) {
			p->end++;
			if (i + 1 < rx->count && p->end == p[1].first) {
				p->end = p[1].end;
				fc2_seq_part_del(rx, i + 1);
			}
			return 0;
		}
		if (at + 1 == p->first) {
			p->first--;
			return 0;
		}
		if ((s32)(at - p->first) < 0)
			break;
	}
	if (rx->count == FC2_SEQ_PARTS)
		return -EILSEQ;
	memmove(&rx->parts[i + 1], &rx->parts[i], (rx->count - i) * sizeof(rx->parts[0]));
	rx->parts[i] = (struct fc2_seq_part) { .first = at, .end = at + 1 };
	rx->count++;
	return 0;
}

/**
 * fc2_seq_take_any - a frame on a port without order
 * @rx: what was received so far
 * @frame: the frame
 * @complete: gets what is complete with it: nothing before the last frame of the last Sequence and
 *	all before it are there
 *
 * Return: 0, -EEXIST for a frame that came before, or -EILSEQ when too much is missing.
 */
int fc2_seq_take_any(struct fc2_seq_rx *rx, const struct fc2_seq_frame *frame, u8 *complete)
{
	s16 ahead = frame->cnt - (u16)rx->next;
	u32 at = rx->next + ahead;
	int err;

	*complete = 0;
	if (ahead < 0)
		return -EEXIST;
	if (rx->has_last && (s32)(at - rx->last) > 0)
		return -EILSEQ;
	if (ahead) {
		err = fc2_seq_part_add(rx, at);
		if (err)
			return err;
	} else {
		rx->next++;
		if (rx->count && rx->parts[0].first == rx->next) {
			rx->next = rx->parts[0].end;
			fc2_seq_part_del(rx, 0);
		}
	}
	if ((frame->flags & FC2_SEND_END_SEQ) && (frame->flags & FC2_SEQ_LAST)) {
		rx->last = at;
		rx->flags = frame->flags;
		rx->has_last = true;
	}
	rx->inside = true;
	if (rx->has_last && rx->next == rx->last + 1) {
		*complete = rx->flags;
		rx->has_last = false;
		rx->inside = false;
	}
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(fc2_seq_take_any);
