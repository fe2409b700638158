// SPDX-License-Identifier: GPL-2.0
/*
 * Receive queues: Descriptors are taken and complete strictly in order, VI-ARCH 6.3.1.1.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/export.h>

#include "rx.h"
#include "rx_queue.h"

/* Against a user that posts without end */
#define FCVI_RX_POSTED	65536

static struct fcvi_desc *fcvi_rx_pop(struct fcvi_rx *rx)
{
	struct fcvi_desc *desc = list_first_entry_or_null(&rx->posted, struct fcvi_desc, list);

	if (desc) {
		list_del(&desc->list);
		rx->nr_posted--;
	}
	return desc;
}

static void fcvi_rx_return(struct fcvi_vi *vi, struct fcvi_desc *desc, u16 error)
{
	desc->error |= error;
	desc->len = 0;
	vi->user->complete(vi, desc);
}

/**
 * fcvi_rx_take - take the receive Descriptor for a Message
 * @m: the Message, whose turn it is
 * @len: bytes that it needs room for
 *
 * Return: the Descriptor, or NULL.
 */
struct fcvi_desc *fcvi_rx_take(struct fcvi_rx_msg *m, u32 len)
{
	struct fcvi_vi *vi = m->vi;

	if (vi->user->take) {
		m->desc = vi->user->take(vi, len);
	} else {
		m->desc = fcvi_rx_pop(&vi->rx);
		if (m->desc)
			list_add_tail(&m->taken, &vi->rx.taken);
	}
	return m->desc;
}

/* Descriptors in which the user has found errors, as soon as it is their turn */
static void fcvi_rx_settle_posted(struct fcvi_vi *vi)
{
	struct fcvi_rx *rx = &vi->rx;
	struct fcvi_desc *desc;

	while (list_empty(&rx->taken)) {
		desc = list_first_entry_or_null(&rx->posted, struct fcvi_desc, list);
		if (!desc || !desc->error)
			return;
		fcvi_rx_return(vi, fcvi_rx_pop(rx), 0);
		/* VI-ARCH 2.5.2: any error */
		if (fcvi_rx_reliable(vi) && vi->state == FCVI_CONNECTED)
			fcvi_rx_error(vi, FCVI_DESCRIPTOR);
	}
}

/**
 * fcvi_rx_settle - let complete what is at the head of the queue
 * @vi: the endpoint
 */
void fcvi_rx_settle(struct fcvi_vi *vi)
{
	struct fcvi_desc *desc;
	struct fcvi_rx_msg *m;

	lockdep_assert_held(&vi->port->lock);
	while ((m = list_first_entry_or_null(&vi->rx.taken, struct fcvi_rx_msg, taken)) &&
	       m->state == FCVI_RX_DONE) {
		desc = m->desc;
		fcvi_rx_msg_free(m);
		vi->user->complete(vi, desc);
	}
	fcvi_rx_settle_posted(vi);
}

/**
 * fcvi_post_recv - post a Descriptor to the receive queue, VI-DG 3.5.4
 * @vi: the endpoint, in any state; in Error the Descriptor completes at once, VI-ARCH 5.4
 * @desc: the Descriptor
 *
 * Context: under the lock of the port.
 * Return: 0, or -ENOBUFS: too many are posted.
 */
int fcvi_post_recv(struct fcvi_vi *vi, struct fcvi_desc *desc)
{
	struct fcvi_rx *rx = &vi->rx;

	lockdep_assert_held(&vi->port->lock);
	if (vi->state == FCVI_ERROR) {
		fcvi_rx_return(vi, desc, FCVI_ERR_FLUSHED);
		return 0;
	}
	if (rx->nr_posted == FCVI_RX_POSTED)
		return -ENOBUFS;
	list_add_tail(&desc->list, &rx->posted);
	rx->nr_posted++;
	if (desc->error)
		fcvi_rx_settle_posted(vi);
	return 0;
}
EXPORT_SYMBOL_GPL(fcvi_post_recv);

/**
 * fcvi_rx_flush - let complete as flushed what is posted
 * @vi: the endpoint
 */
void fcvi_rx_flush(struct fcvi_vi *vi)
{
	struct fcvi_desc *desc;

	lockdep_assert_held(&vi->port->lock);
	while ((desc = fcvi_rx_pop(&vi->rx)))
		fcvi_rx_return(vi, desc, FCVI_ERR_FLUSHED);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_rx_flush);
