// SPDX-License-Identifier: GPL-2.0
/*
 * ST_END: the application ends a Transfer early, ST 6.1.1.4.
 */
#include "proto/proto.h"
#include "sock/sock.h"
#include "xfer/read.h"
#include "xfer/rx_block.h"

/* End a Transfer that is sent.  A sendmsg() that waits for it gives it up. */
static int st_end_send(struct st_sock *st, u32 id)
{
	struct st_tx *tx = st->source.stream;

	if (id) {
		struct st_xfer *x = st_xfer_find(st, id);

		tx = x && x->tx ? container_of(x, struct st_tx, x) : NULL;
	}
	if (!tx || tx->ending)
		return -ENOENT;
	tx->cancelled = true;
	if (tx->waited)
		complete(&tx->done);
	else
		st_buf_free(st_tx_cancel(st, tx), false);
	st_tx_pump(st);
	st_vc_maybe_disconnect(st);
	return 0;
}

static int st_end_recv(struct st_sock *st, u32 id)
{
	struct st_rx *rx = st_rx_find(st, id);

	if (!rx || rx->asking || rx->ended)
		return -ENOENT;
	st_rx_abort(st, rx, ECANCELED);
	st_rx_clear_all(st);
	return 0;
}

/**
 * st_end - end a Transfer, ST_END
 * @st: the Virtual Connection
 * @end: the Transfer, not validated
 *
 * Context: process.
 * Return: 0, -EINVAL, or -ENOENT when there is no such Transfer, or it is over or ending.
 */
int st_end(struct st_sock *st, const struct st_end *end)
{
	int err = -EINVAL;

	if (end->what == ST_END_READ ? end->id : !!end->token)
		return err;
	spin_lock_bh(&st->lock);
	if (end->what == ST_END_SEND)
		err = st_end_send(st, end->id);
	else if (end->what == ST_END_RECV)
		err = st_end_recv(st, end->id);
	else if (end->what == ST_END_READ)
		err = st_read_end(st, end->token);
	st_unlock(st);
	return err;
}
