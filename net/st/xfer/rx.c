// SPDX-License-Identifier: GPL-2.0
/*
 * Transfers at the data Destination: Write sequences, ST 6.1.2, and our Read sequences,
 * ST 6.1.3.
 */
#include <kunit/visibility.h>
#include <linux/export.h>

#include "conn/conn.h"
#include "conn/host.h"
#include "xfer/rx_block.h"

/**
 * st_rx_find - look up a received Transfer
 * @st: the Virtual Connection
 * @id: our sequence identifier
 *
 * Return: the Transfer or NULL.
 */
struct st_rx *st_rx_find(struct st_sock *st, u32 id)
{
	struct st_xfer *x = st_xfer_find(st, id);

	st_assert_locked(st);
	return x && !x->tx ? container_of(x, struct st_rx, x) : NULL;
}

/**
 * st_rx_alloc - allocate a Transfer that the peer begins
 * @st: the Virtual Connection
 *
 * Return: the Transfer, on no list, or NULL without memory, which is counted.
 */
struct st_rx *st_rx_alloc(struct st_sock *st)
{
	struct st_rx *rx;

	st_assert_locked(st);
	/* The lookup by identifier takes memory, too */
	if (!st_host_keep(st, sizeof(struct xa_node)))
		return NULL;
	rx = st_peer_alloc(st, sizeof(*rx));
	if (!rx) {
		st_host_forget(st, sizeof(struct xa_node));
		return NULL;
	}
	INIT_LIST_HEAD(&rx->chunks);
	return rx;
}

/**
 * st_rx_release - free a struct st_rx
 * @st: the Virtual Connection
 * @rx: the Transfer, on no list
 *
 * A Read is charged to the application that asked for it, not to the peer.
 */
void st_rx_release(struct st_sock *st, struct st_rx *rx)
{
	st_assert_owned(st);
	if (rx->reads) {
		kfree(rx);
		return;
	}
	st_peer_free(st, rx, sizeof(*rx));
	st_host_forget(st, sizeof(struct xa_node));
}

/**
 * st_rx_wake - wake the reader for more data
 * @st: the Virtual Connection
 * @rx: the Transfer at the head of st_sock.dest.list, or a finished one behind it
 *
 * A waiting recvmsg() is woken only when all it waits for is there.
 */
void st_rx_wake(struct st_sock *st, const struct st_rx *rx)
{
	st_assert_locked(st);
	if (rx->ended || rx->done_end >= st->dest.wake_at)
		st->sk.sk_data_ready(&st->sk);
}

/**
 * st_rx_wake_data - wake the reader for received Data, if that is to be noticed
 * @st: the Virtual Connection
 * @rx: its Transfer
 * @op: the Data operation
 *
 * Silent Data wakes only a recvmsg() that waits (ST 8.2), except when no more Data can come
 * until somebody reads, or when Data that is not Silent has overtaken it.
 */
void st_rx_wake_data(struct st_sock *st, struct st_rx *rx, const struct st_op *op)
{
	bool tells = (op->flags & (ST_F_SILENT | ST_F_SEND_STATE)) != ST_F_SILENT;

	st_assert_locked(st);
	tells |= rx->told && (rx->ended || rx->done_end > rx->told_end);
	if (tells) {
		rx->told = rx->done_map;
		rx->told_end = rx->done_end;
	}
	if (!list_is_first(&rx->list, &st->dest.list)) {
		/* Behind the readable head it is an edge for epoll */
		if (tells && st_readable(st))
			st->sk.sk_data_ready(&st->sk);
		return;
	}
	if (tells || st->dest.asked || (!rx->ended && !rx->out_map))
		st_rx_wake(st, rx);
}

/**
 * st_rx_b_seq - the last Block that is complete together with all before it, ST 6.2.4
 * @rx: the Transfer
 *
 * Context: under st->lock.
 * Return: B_seq, %ST_B_NUM_NONE when there is none.
 */
u32 st_rx_b_seq(const struct st_rx *rx)
{
	return rx->next ? st_b_num(rx->next - 1) : ST_B_NUM_NONE;
}

/**
 * st_sink_keep - how long the peer may repeat operations for a finished Transfer, ST 10.1
 * @st: the Virtual Connection
 *
 * Context: any.
 * Return: jiffies.
 */
unsigned long st_sink_keep(const struct st_sock *st)
{
	return (READ_ONCE(st_net_of(st)->max_retry) + 2) * st_op_timeout(st);
}

/**
 * st_rx_done - look up a finished Transfer of the peer
 * @st: the Virtual Connection
 * @peer_id: the peer's sequence identifier
 * @id: ours, or %ST_ID_NONE for any
 *
 * Return: what is remembered of it, or NULL.
 */
const struct st_done *st_rx_done(const struct st_sock *st, u32 peer_id, u32 id)
{
	unsigned int i, n;

	st_assert_locked(st);
	if (!st->dest.sink)
		return NULL;
	n = min_t(unsigned int, st->dest.sink->done_count, ST_DONE_IDS);
	for (i = 0; i < n; i++) {
		const struct st_done *done = &st->dest.sink->done[i];

		if (done->peer_id == peer_id && (id == ST_ID_NONE || done->id == id))
			return done;
	}
	return NULL;
}

/**
 * st_sink_over - remember a finished Transfer, to answer late operations
 * @st: the Virtual Connection, with a st_sock.dest.sink
 * @done: what to remember
 */
void st_sink_over(struct st_sock *st, const struct st_done *done)
{
	struct st_sink *sink = st->dest.sink;

	st_assert_locked(st);
	sink->done[sink->done_count++ % ST_DONE_IDS] = *done;
	sink->used = jiffies;
	st_timer_at(st, sink->used + st_sink_keep(st));
}

static void st_rx_over(struct st_sock *st, struct st_rx *rx)
{
	const struct st_done done = {
		.peer_id = rx->peer_id,
		.id = rx->x.id,
		.b_seq = st_rx_b_seq(rx),
	};

	st_sink_over(st, &done);
	st_rx_free_blocks(st, rx, 0);
	rx->ended = true;
}

/**
 * st_rx_complete - finish a Transfer that has arrived completely
 * @st: the Virtual Connection
 * @rx: the Transfer
 */
void st_rx_complete(struct st_sock *st, struct st_rx *rx)
{
	st_assert_locked(st);
	rx->end = rx->done_end;
	st->info.rx_transfers++;
	st_rx_over(st, rx);
	xa_erase(&st->ids.xa, rx->x.id);
}

/**
 * st_read_failed - queue the event for a failed Read
 * @st: the Virtual Connection
 * @rx: the Read, with the reason; the recvmsg() that gets to it fails, too
 * @flags: 0 or ST_READ_REFUSED
 */
void st_read_failed(struct st_sock *st, const struct st_rx *rx, u32 flags)
{
	const struct st_event event = {
		.type = ST_EVENT_READ_FAILED,
		.error = rx->err,
		.id = rx->x.id,
		.flags = flags,
		.len = rx->tiling.t_len,
		.token = rx->token,
	};

	st_assert_locked(st);
	st_event_tell(st, &event);
}

/**
 * st_rx_break - give up a Transfer; its record is incomplete
 * @st: the Virtual Connection
 * @rx: the Transfer, finished or not
 * @err: positive errno for the reader of the record
 */
void st_rx_break(struct st_sock *st, struct st_rx *rx, int err)
{
	st_assert_locked(st);
	if (rx->ended)
		return;
	rx->err = err;
	st_rx_over(st, rx);
	if (rx->reads)
		st_read_failed(st, rx, 0);
	st_rx_wake(st, rx);
}

/**
 * st_rx_abort - give up a Transfer and send an End, ST 6.1.1.4
 * @st: the Virtual Connection
 * @rx: the Transfer
 * @err: positive errno for the reader of the record
 */
void st_rx_abort(struct st_sock *st, struct st_rx *rx, int err)
{
	st_assert_locked(st);
	st_queue_end(st, rx->peer_id, rx->x.id, &rx->retrans);
	st_rx_break(st, rx, err);
}

/**
 * st_rx_spoil - fail a record whose bytes cannot be returned to the reader
 * @st: the Virtual Connection
 * @rx: the Transfer, finished or not
 * @err: positive errno for the reader of the record
 */
void st_rx_spoil(struct st_sock *st, struct st_rx *rx, int err)
{
	st_assert_locked(st);
	if (!rx->ended)
		st_rx_abort(st, rx, err);
	else if (!rx->err)
		rx->err = err;
}

static void st_read_done(struct st_sock *st)
{
	st->slots.taken.reads--;
	/* A call that waits to ask for another Read */
	st_tx_wake(&st->sk);
}

/**
 * st_rx_free - free a Transfer
 * @st: the Virtual Connection
 * @rx: the Transfer, on a list
 */
void st_rx_free(struct st_sock *st, struct st_rx *rx)
{
	struct st_chunk *chunk, *next;

	st_assert_owned(st);
	list_for_each_entry_safe(chunk, next, &rx->chunks, list)
		st_chunk_free(st, chunk);
	st_rx_free_blocks(st, rx, 0);
	/* The identifier of a complete record may belong to another Transfer by now */
	if (xa_load(&st->ids.xa, rx->x.id) == &rx->x)
		xa_erase(&st->ids.xa, rx->x.id);
	list_del(&rx->list);
	st->dest.count--;
	if (rx->reads)
		st_read_done(st);
	st_rx_release(st, rx);
}

/**
 * st_rx_put - release a record that has been read
 * @st: the Virtual Connection
 * @rx: its Transfer, finished, without an st_rx.ubuf
 */
void st_rx_put(struct st_sock *st, struct st_rx *rx)
{
	st_assert_locked(st);
	if (!rx->retrans.armed) {
		st_rx_free(st, rx);
		return;
	}
	rx->read = true;
	list_move_tail(&rx->list, &st->dest.ending);
}

/**
 * st_sink_get - get the tables of the data Destination
 * @st: the Virtual Connection
 *
 * Return: the tables, allocated at first use, or NULL without memory, which is counted.
 */
struct st_sink *st_sink_get(struct st_sock *st)
{
	st_assert_locked(st);
	if (st->dest.sink)
		return st->dest.sink;
	st->dest.sink = st_peer_alloc(st, sizeof(*st->dest.sink));
	if (st->dest.sink)
		INIT_LIST_HEAD(&st->dest.sink->exposed);
	return st->dest.sink;
}

/**
 * st_sink_free - free the tables of the data Destination
 * @st: the Virtual Connection, without incoming Transfers
 */
void st_sink_free(struct st_sock *st)
{
	st_assert_owned(st);
	st_peer_free(st, st->dest.sink, sizeof(*st->dest.sink));
	st->dest.sink = NULL;
}

/**
 * st_rx_head - the record that recvmsg() returns bytes of
 * @st: the socket
 *
 * Return: the oldest record that is not completely read, or NULL.
 */
struct st_rx *st_rx_head(struct st_sock *st)
{
	st_assert_locked(st);
	return list_first_entry_or_null(&st->dest.list, struct st_rx, list);
}

/**
 * st_readable - whether recvmsg() can return without blocking
 * @st: the socket
 *
 * Return: true when there are bytes, the end of a record, or an error.
 */
bool st_readable(struct st_sock *st)
{
	const struct st_rx *rx = st_rx_head(st);

	st_assert_locked(st);
	return rx && (rx->err || rx->ended || rx->consumed < rx->done_end);
}
EXPORT_SYMBOL_IF_KUNIT(st_readable);
