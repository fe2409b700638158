// SPDX-License-Identifier: GPL-2.0
/*
 * Endpoints with Messages: what becomes of their queues when their state changes.
 */
#include <kunit/visibility.h>

#include "rx.h"
#include "tx.h"

static void fcvi_msg_tell(struct fcvi_vi *vi, enum fcvi_news news)
{
	if (news == FCVI_NEWS_CONNECTED)
		fcvi_tx_begin(vi);
	else if (news == FCVI_NEWS_COMPLETE)
		fcvi_tx_complete(vi);
	vi->user->tell(vi, news);
	if (news == FCVI_NEWS_CONNECTED || news == FCVI_NEWS_COMPLETE)
		fcvi_rx_run(vi);
}

static void fcvi_msg_flush(struct fcvi_vi *vi, bool sends)
{
	if (sends)
		fcvi_tx_flush(vi);
	fcvi_rx_flush(vi);
}

static void fcvi_msg_receive(struct fcvi_vi *vi, bool on)
{
	fcvi_rx_enable(vi, on);
}

const struct fcvi_vi_ops fcvi_msg_vi_ops = {
	.tell		= fcvi_msg_tell,
	.flush		= fcvi_msg_flush,
	.receive	= fcvi_msg_receive,
};
EXPORT_SYMBOL_IF_KUNIT(fcvi_msg_vi_ops);
