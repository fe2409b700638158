// SPDX-License-Identifier: GPL-2.0
/*
 * Order of Messages by MSG_ID, FC-VI 5.9.6, 8.4.1 and annex B.
 *
 * Nothing is remembered of Messages that have failed: their MSG_IDs are lower than the one that is
 * to come next, or have their bit in a window, and so their frames are dropped, FC-VI 8.4.2 d.
 */
#include "rx_fault.h"
#include "rx_order.h"

/* With order one Message is open at a time: what comes next shows that it has ended short. */
static bool fcvi_rx_close_last(struct fcvi_vi *vi)
{
	struct fcvi_rx_msg *last;

	if (list_empty(&vi->rx.msgs))
		return true;
	last = list_last_entry(&vi->rx.msgs, struct fcvi_rx_msg, list);
	if (last->end || last->state == FCVI_RX_DONE)
		return true;
	fcvi_rx_fail(last, FCVI_RX_MISSING);
	return !fcvi_rx_reliable(vi) && vi->rx.on;
}

/* Annex B, rules 4a, 4b and 5a; a lower MSG_ID of Unreliable Delivery is only dropped. */
static bool fcvi_rx_expected_ordered(struct fcvi_vi *vi, u32 msg_id)
{
	s32 ahead = msg_id - vi->rx.next_id;

	if (ahead < 0)
		fcvi_count(vi, FCVI_MSG_OLD, 1);
	else
		fcvi_count(vi, FCVI_MSG_LOST, ahead);
	if (ahead < 0 && !fcvi_rx_reliable(vi))
		return false;
	if (!fcvi_rx_close_last(vi))
		return false;
	if (ahead && fcvi_rx_reliable(vi)) {
		fcvi_rx_error(vi, FCVI_TRANSPORT);
		return false;
	}
	vi->rx.next_id = msg_id + 1;
	return true;
}

/* Unreliable Delivery without order: each Message once, as it comes. */
static bool fcvi_rx_expected_once(struct fcvi_vi *vi, u32 msg_id)
{
	struct fcvi_rx *rx = &vi->rx;
	s32 ahead = msg_id - rx->next_id;
	u32 id;

	if (ahead < -FCVI_RX_SEEN ||
	    (ahead < 0 && __test_and_set_bit(msg_id % FCVI_RX_SEEN, rx->seen))) {
		fcvi_count(vi, FCVI_MSG_OLD, 1);
		return false;
	}
	if (ahead < 0)
		return true;
	if (ahead > FCVI_RX_SEEN)
		fcvi_count(vi, FCVI_MSG_LOST, ahead - FCVI_RX_SEEN);
	for (id = msg_id - min(ahead, FCVI_RX_SEEN); id != msg_id; id++)
		if (!__test_and_clear_bit(id % FCVI_RX_SEEN, rx->seen))
			fcvi_count(vi, FCVI_MSG_LOST, 1);
	if (!__test_and_set_bit(msg_id % FCVI_RX_SEEN, rx->seen))
		fcvi_count(vi, FCVI_MSG_LOST, 1);
	rx->next_id = msg_id + 1;
	return true;
}

/**
 * fcvi_rx_expected - whether a Message is to be taken
 * @vi: the endpoint; it may be in Error when this returns false
 * @iu: Device_Header of its first frame
 *
 * Return: whether it is; what is not is counted.
 */
bool fcvi_rx_expected(struct fcvi_vi *vi, const struct fcvi_iu *iu)
{
	if (vi->rx.ordered)
		return fcvi_rx_expected_ordered(vi, iu->msg_id);
	if (!fcvi_rx_reliable(vi))
		return fcvi_rx_expected_once(vi, iu->msg_id);
	if ((s32)(iu->msg_id - vi->rx.turn) >= 0)
		return true;
	fcvi_count(vi, FCVI_MSG_OLD, 1);
	return false;
}

/**
 * fcvi_rx_insert - add a Message to those of its endpoint
 * @m: the Message
 *
 * Return: whether there was none with its MSG_ID.
 */
bool fcvi_rx_insert(struct fcvi_rx_msg *m)
{
	struct fcvi_rx *rx = &m->vi->rx;
	struct fcvi_rx_msg *before;

	if (!fcvi_rx_reliable(m->vi)) {
		list_add_tail(&m->list, &rx->msgs);
		return true;
	}
	list_for_each_entry_reverse(before, &rx->msgs, list) {
		if (before->iu.msg_id == m->iu.msg_id) {
			fcvi_count(m->vi, FCVI_MSG_OLD, 1);
			return false;
		}
		if ((s32)(before->iu.msg_id - m->iu.msg_id) < 0)
			break;
	}
	list_add(&m->list, &before->list);
	return true;
}

/**
 * fcvi_rx_done - a Message is complete, FC-VI 6.12.2
 * @vi: the endpoint
 * @msg_id: its MSG_ID
 */
void fcvi_rx_done(struct fcvi_vi *vi, u32 msg_id)
{
	if ((s32)(msg_id - vi->done_msg_id) > 0)
		vi->done_msg_id = msg_id;
}

/**
 * fcvi_rx_next - a Message is complete, and the one after it has its turn
 * @vi: the endpoint
 * @msg_id: its MSG_ID
 */
void fcvi_rx_next(struct fcvi_vi *vi, u32 msg_id)
{
	fcvi_rx_done(vi, msg_id);
	vi->rx.turn = msg_id + 1;
}

/**
 * fcvi_rx_order_begin - begin with the Messages of a connection
 * @vi: the endpoint
 */
void fcvi_rx_order_begin(struct fcvi_vi *vi)
{
	struct fcvi_rx *rx = &vi->rx;

	rx->next_id = 1;
	rx->turn = 1;
	/* Those before the first one will not come */
	bitmap_fill(rx->seen, FCVI_RX_SEEN);
}
