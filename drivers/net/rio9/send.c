// SPDX-License-Identifier: GPL-2.0
/*
 * The transmitter of a port: PDUs of its queues become segments, messages of traffic management
 * go between them.
 *
 * One context at a time sends; another that has something to send leaves it to that one.  After
 * each segment the transmitter looks for the flow of the highest priority that has something, so
 * that a long PDU holds up none of a higher flow for more than a segment.
 */
#include <kunit/visibility.h>
#include <linux/netdevice.h>

#include "netdev.h"
#include "port.h"
#include "send.h"
#include "tm_in.h"
#include "tm_say.h"

static void rio9_send_count(struct rio9_port *port, enum rio9_stat stat)
{
	spin_lock_bh(&port->send.lock);
	port->send.stats[stat]++;
	spin_unlock_bh(&port->send.lock);
}

static u8 rio9_send_level(const struct rio9_voq *voq)
{
	return rio9_queue_level(voq->bytes, RIO9_QUEUE_MAX);
}

static int rio9_send_check(struct rio9_port *port, const struct sk_buff *skb,
			   const struct rio9_pdu *pdu)
{
	if (pdu->channel >= RIO9_CHANNELS || !(port->caps.channels & BIT(pdu->channel)) ||
	    pdu->peer >= rio9_id_unknown(port))
		return -EINVAL;
	if (!skb->len || skb->len > RIO9_PDU_MAX)
		return -EMSGSIZE;
	if (skb->len > rio9_port_peer_max_pdu(port, pdu->peer)) {
		rio9_send_count(port, RIO9_STAT_TX_OVER_MAX_PDU);
		return -EMSGSIZE;
	}
	return 0;
}

/**
 * rio9_send_queue - a PDU is to be sent
 * @port: the port
 * @skb: the PDU; is taken
 * @pdu: its label
 *
 * rio9_send_run() sends it.
 *
 * Context: any but hard interrupts.
 * Return: 0; otherwise the PDU is freed: -EINVAL for a label that the port cannot have, -EMSGSIZE
 * if it is empty or too long for the format or for its destination, 3.2.4, -ENOBUFS if its queue
 * is full, or -ENOMEM.
 */
int rio9_send_queue(struct rio9_port *port, struct sk_buff *skb, const struct rio9_pdu *pdu)
{
	struct rio9_send *s = &port->send;
	struct rio9_voq *voq;
	int err;

	err = rio9_send_check(port, skb, pdu);
	if (err)
		goto out;
	spin_lock_bh(&s->lock);
	voq = rio9_voq_add(&s->queues, skb, pdu);
	err = PTR_ERR_OR_ZERO(voq);
	if (err)
		s->stats[RIO9_STAT_TX_QUEUE_FULL]++;
	else if (voq->bytes == skb->truesize && rio9_tm_is_managed(&port->tm))
		rio9_tm_voq(&port->tm, pdu, rio9_send_level(voq), false);
	spin_unlock_bh(&s->lock);
	if (!err)
		return 0;
out:
	kfree_skb(skb);
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_send_queue);

/* A message that goes before the next segment of its flow, 3.4.5 P1 */
static bool rio9_send_message(struct rio9_port *port, u8 channel)
{
	struct rio9_sending *f = &port->send.sending[channel];
	struct rio9_packet p;

	if (!rio9_tm_pop(&port->tm, channel, &p))
		return false;
	p.src = READ_ONCE(port->id);
	p.large = port->caps.large;
	f->len = rio9_encode_end(f->packet, rio9_encode_headers(f->packet, &p));
	return true;
}

/* The next PDU of a stream, and traffic management knows when it was the last of its queue */
static struct sk_buff *rio9_send_take(struct rio9_port *port, struct rio9_stream *stream,
				      bool managed)
{
	const struct rio9_pdu pdu = stream->pdu;
	struct rio9_voq *voq = stream->voq;
	struct sk_buff *skb;

	lockdep_assert_held(&port->send.lock);
	skb = rio9_voq_take(&port->send.queues, stream);
	if (managed && !voq->bytes)
		rio9_tm_voq(&port->tm, &pdu, 0, false);
	return skb;
}

static void rio9_send_drop(struct rio9_port *port, struct rio9_stream *stream)
{
	struct rio9_voq *voq = stream->voq;

	port->send.stats[RIO9_STAT_TX_QUEUE_FULL]++;
	kfree_skb(rio9_send_take(port, stream, true));
	rio9_voq_sent(voq);
	rio9_netdev_sent(port->dev, -ENOBUFS, 0);
}

/* The next stream that traffic management lets go; those that it does not are held */
static struct rio9_stream *rio9_send_choose(struct rio9_port *port, u8 channel, bool *held)
{
	struct rio9_send *s = &port->send;
	struct rio9_sending *f = &s->sending[channel];
	unsigned int most = RIO9_SEND_BATCH;
	struct rio9_stream *stream;
	u64 again;

	lockdep_assert_held(&s->lock);
	f->managed = rio9_tm_is_managed(&port->tm);
	while (most-- && (stream = rio9_voq_next(&s->queues, channel))) {
		if (!f->managed ||
		    rio9_tm_may_send(&port->tm, &stream->pdu, skb_peek(&stream->pdus)->len,
				     ktime_get_ns(), &again))
			return stream;
		s->stats[RIO9_STAT_TX_HELD]++;
		rio9_tm_voq(&port->tm, &stream->pdu, rio9_send_level(stream->voq), true);
		*held = true;
		if (!rio9_voq_hold(&s->queues, stream))
			rio9_send_drop(port, stream);
	}
	return NULL;
}

static void rio9_send_done(struct rio9_port *port, struct rio9_sending *f, bool taken, int err)
{
	unsigned int len = f->bytes;

	if (f->managed)
		rio9_tm_sent(&port->tm, &f->pdu, len, ktime_get_ns());
	spin_lock_bh(&port->send.lock);
	rio9_voq_sent(f->voq);
	spin_unlock_bh(&port->send.lock);
	if (err)
		kfree_skb(f->skb);
	else if (!taken)
		consume_skb(f->skb);
	f->skb = NULL;
	rio9_netdev_sent(port->dev, err, len);
}

/* Return: whether a PDU has begun, or there may be messages for those that are held */
static bool rio9_send_begin(struct rio9_port *port, u8 channel)
{
	struct rio9_send *s = &port->send;
	struct rio9_sending *f = &s->sending[channel];
	struct rio9_stream *stream;
	bool held = false;
	int err = 0;

	spin_lock_bh(&s->lock);
	stream = rio9_send_choose(port, channel, &held);
	if (stream) {
		f->pdu = stream->pdu;
		f->voq = stream->voq;
		f->skb = rio9_send_take(port, stream, f->managed);
		f->bytes = f->skb->len;
	}
	spin_unlock_bh(&s->lock);
	if (!stream)
		return held;
	skb_tx_timestamp(f->skb);
	if (!port->ops->xmit_pdu)
		err = rio9_segment_begin(&f->segmenter, f->skb, &f->pdu, READ_ONCE(port->id),
					 port->caps.large, READ_ONCE(port->mtu));
	if (err)
		rio9_send_done(port, f, false, err);
	return true;
}

/* Rule 9 of segmentation; the end that says so goes before whatever else the flow has */
static void rio9_send_give_up(struct rio9_port *port, struct rio9_sending *f, int err)
{
	if (!port->ops->xmit_pdu)
		f->len = rio9_segment_abort(&f->segmenter, f->packet);
	rio9_send_count(port, RIO9_STAT_TX_ABORTED);
	rio9_send_done(port, f, false, err);
}

static int rio9_send_pdu(struct rio9_port *port, struct rio9_sending *f)
{
	int err = port->ops->xmit_pdu(port, f->skb, &f->pdu);

	if (err != -EBUSY)
		rio9_send_done(port, f, true, err);
	return err == -EBUSY ? err : 0;
}

static int rio9_send_segment(struct rio9_port *port, struct rio9_sending *f)
{
	u8 packet[RIO9_PACKET_MAX];
	int len, err;

	len = rio9_segment_make(&f->segmenter, packet);
	err = len < 0 ? len : port->ops->xmit_packet(port, packet, len);
	if (err == -EBUSY)
		return err;
	if (err) {
		rio9_send_give_up(port, f, err);
		return 0;
	}
	rio9_segment_sent(&f->segmenter);
	if (f->segmenter.pos == f->skb->len)
		rio9_send_done(port, f, false, 0);
	return 0;
}

static int rio9_send_packet(struct rio9_port *port, struct rio9_sending *f)
{
	int err = (port->ops->xmit_message ?: port->ops->xmit_packet)(port, f->packet, f->len);

	if (err == -EBUSY)
		return err;
	/* A message that the card refuses is as good as lost on the way */
	f->len = 0;
	return 0;
}

/* Return: 1 if there was something to do, 0 if not, -EBUSY if the card has no room for it */
static int rio9_send_flow(struct rio9_port *port, u8 channel)
{
	struct rio9_sending *f = &port->send.sending[channel];
	int err;

	if (f->len || rio9_send_message(port, channel))
		err = rio9_send_packet(port, f);
	else if (!f->skb)
		return rio9_send_begin(port, channel);
	else if (port->ops->xmit_pdu)
		err = rio9_send_pdu(port, f);
	else
		err = rio9_send_segment(port, f);
	return err ?: 1;
}

/* Most flows are, before each segment; what is added now has rio9_send_run() look again */
static bool rio9_send_idle(const struct rio9_port *port, u8 channel)
{
	const struct rio9_sending *f = &port->send.sending[channel];

	return !f->skb && !f->len && list_empty(&port->send.queues.ring[channel]) &&
	       list_empty(&port->tm.pending[channel]);
}

/*
 * Flows of the first virtual channel, the highest first, then the other virtual channels.  What
 * the card has no room for is not overtaken by what has a lower priority, 2.4 FD2.
 */
static bool rio9_send_step(struct rio9_port *port)
{
	unsigned int i;
	int did;

	for (i = 1; i <= RIO9_CHANNELS; i++) {
		u8 channel = (RIO9_CHANNELS + RIO9_CHANNEL_VC - i) % RIO9_CHANNELS;

		if (!(port->caps.channels & BIT(channel)) || rio9_send_idle(port, channel))
			continue;
		did = rio9_send_flow(port, channel);
		if (did)
			return did > 0;
	}
	return false;
}

/* Return: whether there was a stream to release, which is asked about, or sent, after that */
static bool rio9_send_release(struct rio9_port *port)
{
	struct rio9_send *s = &port->send;
	bool any;

	if (list_empty(&s->queues.asking))
		return false;
	spin_lock(&s->lock);
	any = !list_empty(&s->queues.asking);
	rio9_voq_release(&s->queues, RIO9_SEND_BATCH);
	spin_unlock(&s->lock);
	return any;
}

/* Return: whether somebody has had something to send meanwhile, and left it to this */
static bool rio9_send_turn(struct rio9_port *port, unsigned int *budget)
{
	struct rio9_send *s = &port->send;

	if (!spin_trylock_bh(&s->running))
		return false;
	clear_bit(RIO9_SEND_AGAIN, &s->flags);
	/* What was queued before the bit was set is seen from here on */
	smp_mb__after_atomic();
	if (test_and_clear_bit(RIO9_SEND_RELEASE, &s->flags)) {
		spin_lock(&s->lock);
		list_splice_tail_init(&s->queues.held, &s->queues.asking);
		spin_unlock(&s->lock);
	}
	while (*budget && (rio9_send_release(port) || rio9_send_step(port)))
		--*budget;
	spin_unlock_bh(&s->running);
	/* Pairs with that of rio9_send_run() */
	smp_mb();
	return *budget && test_bit(RIO9_SEND_AGAIN, &s->flags);
}

/**
 * rio9_send_run - send until nothing waits, or the card has no room
 * @port: the port
 *
 * Context: any but hard interrupts.
 * Return: true if there is more to do, for another call when others have had their turn.
 */
bool rio9_send_run(struct rio9_port *port)
{
	unsigned int budget = RIO9_SEND_BUDGET;

	do {
		set_bit(RIO9_SEND_AGAIN, &port->send.flags);
		/* Either the lock is free, or who holds it sees the bit after giving it back */
		smp_mb__after_atomic();
	} while (rio9_send_turn(port, &budget));
	return !budget;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_send_run);

/**
 * rio9_send_room - whether the transmitter takes another PDU
 * @port: the port
 *
 * PDUs of streams that traffic management holds do not count: they hold up nobody else.
 *
 * Context: any but hard interrupts.
 * Return: false if too many wait for the card.
 */
bool rio9_send_room(struct rio9_port *port)
{
	struct rio9_send *s = &port->send;
	bool room;

	spin_lock_bh(&s->lock);
	room = s->queues.bytes - s->queues.held_bytes < RIO9_SEND_WAITING;
	spin_unlock_bh(&s->lock);
	return room;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_send_room);

static void rio9_send_purge(struct rio9_port *port)
{
	struct rio9_send *s = &port->send;
	struct rio9_voq *voq;
	unsigned int i;

	spin_lock_bh(&s->lock);
	/* Nobody asks for what is not there */
	hash_for_each(s->queues.voqs, i, voq, hash) {
		const struct rio9_pdu pdu = { .peer = voq->peer, .cos = voq->cos };

		rio9_tm_voq(&port->tm, &pdu, 0, false);
	}
	rio9_voq_purge(&s->queues);
	spin_unlock_bh(&s->lock);
}

/**
 * rio9_send_stop - give up what has begun, and free what waits
 * @port: the port
 *
 * Context: process.
 */
void rio9_send_stop(struct rio9_port *port)
{
	struct rio9_send *s = &port->send;
	unsigned int channel;

	spin_lock_bh(&s->running);
	for (channel = 0; channel < RIO9_CHANNELS; channel++) {
		struct rio9_sending *f = &s->sending[channel];

		if (f->skb)
			rio9_send_give_up(port, f, -ENETDOWN);
		/* If the card has no room for the end, the destination has its time-out */
		if (f->len)
			rio9_send_packet(port, f);
		f->len = 0;
	}
	rio9_send_purge(port);
	spin_unlock_bh(&s->running);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_send_stop);

/**
 * rio9_send_init - nothing waits
 * @port: the port
 */
void rio9_send_init(struct rio9_port *port)
{
	struct rio9_send *s = &port->send;

	spin_lock_init(&s->running);
	spin_lock_init(&s->lock);
	rio9_voq_init(&s->queues);
}
