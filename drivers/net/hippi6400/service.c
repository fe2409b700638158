// SPDX-License-Identifier: GPL-2.0
/*
 * Operation of a port: all sending, receiving and changes of the link, under the port's
 * lock.  Entry points are start and stop, transmit, NAPI and the timer.  A port is taken
 * out of service when its card can no longer be trusted.
 */

#include <linux/etherdevice.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/ratelimit.h>
#include <linux/st_compat.h>

#include "link/clmul.h"
#include "link/seq.h"
#include "port.h"

/* Micropackets received between two ACKs to the far end */
#define H64_RX_BATCH	64
/* Maximum number of micropackets received in one poll, however few Messages they make */
#define H64_RX_POLL	1024

/*
 * A queue stops at the first limit of waiting micropackets and restarts at the
 * second.  A single Message never stops it, however long, so that the next one
 * is there in time.
 */
#define H64_TX_STOP	(H64_TX_KEEP / H64_UPKT_DATA)
#define H64_TX_WAKE	(H64_TX_STOP / 2)

/*
 * A card that takes nothing for this time is hung; a single check counts for at most this
 * interval
 */
#define H64_CARD_LIMIT	(10 * (u64)NSEC_PER_SEC)
#define H64_CARD_LOOK	((u64)NSEC_PER_SEC)

/* Starts work on a port; with BH disabled */
static void h64_port_lock(struct h64_port *port)
	__acquires(&port->lock)
{
	spin_lock(&port->lock);
}

static void h64_port_report(struct h64_port *port, bool link_news, bool fault_news)
{
	/* Rate-limited, as even a container can bring a port up repeatedly */
	static DEFINE_RATELIMIT_STATE(faults, DEFAULT_RATELIMIT_INTERVAL, DEFAULT_RATELIMIT_BURST);
	struct net_device *dev = port->netdev;

	if (fault_news && port->card.gone) {
		netif_device_detach(dev);
		h64_card_report_gone(&port->card);
	} else if (fault_news && __ratelimit(&faults)) {
		netdev_err(dev, "%s: found %#x, expected %#x; port is down until its card is reset\n",
			   port->fault.what, port->fault.found, port->fault.expected);
	}
	if (link_news && net_ratelimit())
		netdev_info(dev, "link is %s\n", netif_carrier_ok(dev) ? "up" : "down");
}

/* Ends work on a port, and does the work that cannot be done under its lock; with BH disabled */
static void h64_port_unlock(struct h64_port *port)
	__releases(&port->lock)
{
	bool link_news = port->link_news, fault_news = port->fault_news;
	struct sk_buff_head done, dropped;
	struct sk_buff *skb;

	__skb_queue_head_init(&done);
	__skb_queue_head_init(&dropped);
	skb_queue_splice_init(&port->tx.done, &done);
	skb_queue_splice_init(&port->tx.dropped, &dropped);
	skb_queue_splice_init(&port->rx.dropped, &dropped);
	port->link_news = false;
	port->fault_news = false;
	spin_unlock(&port->lock);

	while ((skb = __skb_dequeue(&done)))
		dev_consume_skb_any(skb);
	while ((skb = __skb_dequeue(&dropped)))
		dev_kfree_skb_any(skb);
	if (link_news || fault_news)
		h64_port_report(port, link_news, fault_news);
}

static struct h64_port *h64_link_port(struct h64_link *link)
{
	return container_of(link, struct h64_port, link);
}

static void h64_port_link_up(struct h64_link *link)
{
	struct h64_port *port = h64_link_port(link);

	lockdep_assert_held(&port->lock);

	netif_carrier_on(port->netdev);
	netif_tx_start_all_queues(port->netdev);
	/* Nothing else restarts frames queued before a short loss of the link */
	netif_tx_schedule_all(port->netdev);
	port->link_news = true;
	wake_up(&port->wait);
}

static void h64_port_link_drop(struct h64_link *link, unsigned int unacked)
{
	struct h64_port *port = h64_link_port(link);
	unsigned int vc;

	lockdep_assert_held(&port->lock);

	if (netif_carrier_ok(port->netdev)) {
		netif_carrier_off(port->netdev);
		port->link_news = true;
	}
	h64_msg_tx_drop(&port->tx, unacked);
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
		netdev_tx_reset_subqueue(port->netdev, vc);
	h64_msg_rx_drop(&port->rx);
}

static void h64_port_loopback_end(struct h64_link *link, int err)
{
	struct h64_port *port = h64_link_port(link);

	lockdep_assert_held(&port->lock);

	WRITE_ONCE(port->loopback, err);
	wake_up(&port->wait);
}

/* Callbacks of the link */
static const struct h64_link_ops h64_port_link_ops = {
	.up = h64_port_link_up,
	.drop = h64_port_link_drop,
	.loopback = h64_port_loopback_end,
};

/*
 * Takes the port out of service: the card broke the specification, or reports that the driver
 * did
 */
static void h64_port_fault(struct h64_port *port, const char *what, u32 found, u32 expected)
{
	lockdep_assert_held(&port->lock);

	port->fault.what = what;
	port->fault.found = found;
	port->fault.expected = expected;
	port->fault_news = true;
	port->faults++;
	h64_link_disable(&port->link);
	h64_card_halt(&port->card);
	wake_up(&port->wait);
}

/* Handles the status block, except received micropackets */
static void h64_port_look(struct h64_port *port, u64 now)
{
	const u32 line = H64_STATUS_SIGNAL | H64_STATUS_TX_RUN | H64_STATUS_RX_RUN;
	struct h64_tx_ring *ring = &port->link.ring;
	u32 status, fault, cons;

	if (h64_card_status(&port->card, &status, &fault)) {
		if (status & H64_STATUS_FAULT) {
			h64_port_fault(port, h64_card_fault_name(fault), fault, H64_FAULT_NONE);
			return;
		}
		h64_link_signal(&port->link, (status & line) == line, now);
	}

	cons = le32_to_cpu(READ_ONCE(port->card.sb->tx_cons));
	if (cons - ring->cons > port->card.tx_prod - ring->cons) {
		h64_port_fault(port, "TX_CONS beyond TX_PROD", cons, port->card.tx_prod);
		return;
	}
	/* The card no longer reads these entries */
	dma_mb();
	ring->cons = cons;
}

static void h64_port_arm_timer(struct h64_port *port, u64 now)
{
	/* The card is checked every second, whatever the link waits for */
	u64 deadline = min(h64_link_deadline(&port->link), now + H64_CARD_LOOK);
	unsigned long expires;

	expires = jiffies + 1;
	if (deadline > now)
		expires += nsecs_to_jiffies(deadline - now);
	if (!timer_pending(&port->timer) || time_before(expires, port->timer.expires))
		mod_timer(&port->timer, expires);
}

/* Each Virtual Channel's queue stops for its own backlog only */
static void h64_port_queues(struct h64_port *port)
{
	unsigned int vc;

	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		struct netdev_queue *queue = netdev_get_tx_queue(port->netdev, vc);
		struct h64_tx_vc *v = &port->tx.vc[vc];
		bool several = skb_queue_len(&v->queue) > 1;

		netdev_tx_completed_queue(queue, v->done, v->done_bytes);
		v->done = 0;
		v->done_bytes = 0;
		if (several && v->backlog >= H64_TX_STOP)
			netif_tx_stop_queue(queue);
		else if ((!several || v->backlog <= H64_TX_WAKE) && netif_tx_queue_stopped(queue))
			netif_tx_wake_queue(queue);
		/*
		 * A link is not stuck if it makes progress, however slow, or if the far
		 * end withholds credit (HIPPI-6400-PH 4.7)
		 */
		if (v->stats.upkts != port->tx_seen[vc] || !port->link.credit[vc].avail)
			txq_trans_cond_update(queue);
		port->tx_seen[vc] = v->stats.upkts;
	}
}

/* Returns the number of micropackets that may be sent now */
static u32 h64_port_to_send(const struct h64_port *port)
{
	const struct h64_link *link = &port->link;
	u32 ready = 0;
	unsigned int vc;

	if (link->src.rexmit)
		return link->src.rexmit;
	if (!h64_seq_can_send(link))
		return 0;
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
		ready += min(port->tx.vc[vc].backlog, link->credit[vc].avail);
	return min_t(u32, ready, H64_WINDOW - link->src.count);
}

/* Decides for a batch of micropackets whether the link uses carry-less multiplication */
static void h64_port_clmul_begin(struct h64_port *port, u32 upkts)
{
	port->link.clmul = upkts >= H64_CLMUL_WORTH && h64_clmul_begin();
	port->clmul_batches += port->link.clmul;
}

static void h64_port_clmul_end(struct h64_port *port)
{
	if (port->link.clmul)
		h64_clmul_end();
	port->link.clmul = false;
}

/* Sends as much as possible */
static void h64_port_service(struct h64_port *port, u64 now)
{
	struct h64_card *card = &port->card;

	lockdep_assert_held(&port->lock);

	if (!h64_port_alive(port))
		return;
	h64_port_clmul_begin(port, h64_port_to_send(port));
	h64_msg_tx_pump(&port->tx, now);
	h64_port_clmul_end(port);
	h64_link_flush(&port->link, now);
	h64_card_tell_tx(card, port->link.ring.prod);
	if (h64_seq_wants_room(&port->link))
		h64_card_arm_tx(card, port->link.ring.cons +
				(card->tx_prod - port->link.ring.cons) / 2);
	if (port->link.state == H64_UP)
		h64_port_queues(port);
	h64_port_arm_timer(port, now);
}

/**
 * h64_port_begin - start a port
 * @port: the port; its card was reset and has memory, and interrupts are
 *	requested
 *
 * Context: process, BH enabled.
 */
void h64_port_begin(struct h64_port *port)
{
	struct h64_card *card = &port->card;

	local_bh_disable();
	h64_port_lock(port);
	port->link.ring.slot = card->tx;
	port->link.ring.size = 1 << card->tx_order;
	port->link.ring.prod = 0;
	port->link.ring.cons = 0;
	h64_link_init(&port->link, &h64_port_link_ops, &port->times);
	h64_msg_tx_init(&port->tx, &port->link);
	h64_msg_rx_init(&port->rx, &port->link, port->netdev, port->rx.pool);
	memset(&port->fault, 0, sizeof(port->fault));
	port->watch = (struct h64_watch) { .at = ktime_get_ns() };
	h64_card_start(card, port->tx_mod, port->rx_mod);
	port->running = true;
	h64_link_enable(&port->link, ktime_get_ns());
	h64_port_service(port, ktime_get_ns());
	h64_port_unlock(port);
	napi_schedule(&port->napi);
	local_bh_enable();
}

/**
 * h64_port_end - stop a port
 * @port: the port; its timer and NAPI may still run, and do nothing
 *
 * Context: process, BH enabled.
 */
void h64_port_end(struct h64_port *port)
{
	local_bh_disable();
	h64_port_lock(port);
	port->running = false;
	h64_link_disable(&port->link);
	h64_card_halt(&port->card);
	h64_port_unlock(port);
	local_bh_enable();
}

/**
 * h64_port_send - send a frame
 * @port: the port
 * @vc: its Virtual Channel
 * @skb: the frame
 * @more: another frame follows immediately
 *
 * Context: BH disabled.
 * Return: true if the frame was queued; false if the caller has to drop it,
 * which is counted.
 */
bool h64_port_send(struct h64_port *port, unsigned int vc, struct sk_buff *skb, bool more)
{
	u64 now = ktime_get_ns();
	bool taken = false;

	h64_tx_cb(skb)->since = now;
	h64_port_lock(port);
	if (port->link.state != H64_UP) {
		port->tx_refused++;
	} else if (!h64_msg_tx_queue(&port->tx, vc, skb)) {
		taken = true;
		/* Under the lock, as a drop of the link resets byte queue limits */
		more = !__netdev_tx_sent_queue(netdev_get_tx_queue(port->netdev, vc),
					       h64_msg_queue_bytes(skb), more);
	}
	/* The last frame of a batch sends the whole batch */
	if (!more || port->tx.vc[vc].backlog >= H64_WINDOW)
		h64_port_service(port, now);
	h64_port_unlock(port);
	return taken;
}

/**
 * h64_port_go_by - change timers and limits of the link
 * @port: the port
 * @times: timers and limits
 *
 * Context: process, BH enabled.
 */
void h64_port_go_by(struct h64_port *port, const struct h64_link_times *times)
{
	u64 now = ktime_get_ns();

	local_bh_disable();
	h64_port_lock(port);
	port->times = *times;
	if (h64_port_alive(port)) {
		h64_link_set_times(&port->link, times, now);
		h64_port_service(port, now);
	}
	h64_port_unlock(port);
	local_bh_enable();
}

/**
 * h64_port_ask_loopback - ask the neighbour to return a pattern
 * @port: the port, whose @loopback receives the result
 * @pattern: the pattern
 * @len: length in bytes
 *
 * Context: process, BH enabled.
 * Return: 0, or an error of h64_admin_loopback().
 */
int h64_port_ask_loopback(struct h64_port *port, const void *pattern, unsigned int len)
{
	u64 now = ktime_get_ns();
	int err;

	local_bh_disable();
	h64_port_lock(port);
	err = h64_admin_loopback(&port->link, pattern, len, now);
	if (!err) {
		WRITE_ONCE(port->loopback, -EINPROGRESS);
		h64_port_service(port, now);
	}
	h64_port_unlock(port);
	local_bh_enable();
	return err;
}

/**
 * h64_port_cancel_loopback - cancel a loop-back
 * @port: the port
 * @err: its result, if it is still pending
 *
 * Context: process, BH enabled.
 */
void h64_port_cancel_loopback(struct h64_port *port, int err)
{
	local_bh_disable();
	h64_port_lock(port);
	h64_admin_loopback_end(&port->link, err);
	h64_port_unlock(port);
	local_bh_enable();
}

/* Returns true if there is more */
static bool h64_port_receive(struct h64_port *port, struct sk_buff_head *list, int messages,
			     u64 now)
{
	struct h64_card *card = &port->card;
	u32 size = 1 << card->rx_order;
	unsigned int upkts = 0;
	struct sk_buff *skb;
	u32 prod;

	prod = le32_to_cpu(READ_ONCE(card->sb->rx_prod));
	if (prod - card->rx_cons > size) {
		h64_port_fault(port, "RX_PROD beyond the ring", prod, card->rx_cons + size);
		return false;
	}
	/* The card wrote the entries before the index */
	dma_rmb();
	h64_port_clmul_begin(port, prod - card->rx_cons);
	while (card->rx_cons != prod && upkts < H64_RX_BATCH && messages > 0) {
		skb = h64_msg_rx(&port->rx, &card->rx[card->rx_cons & (size - 1)], now);
		card->rx_cons++;
		upkts++;
		if (!skb)
			continue;
		port->rx_multicast += is_multicast_ether_addr(skb->data);
		__skb_queue_tail(list, skb);
		messages--;
	}
	h64_port_clmul_end(port);
	/* One poll can take more than a small ring holds */
	if (card->rx_cons == prod || card->rx_cons - card->rx_cons_told >= size / 4)
		h64_card_tell_rx(card);
	h64_link_tick_ring(&port->link, card->rx_cons, prod, now);
	return card->rx_cons != prod;
}

static int h64_port_deliver(struct h64_port *port, struct sk_buff_head *list)
{
	struct sk_buff *skb;
	int delivered = 0;

	while ((skb = __skb_dequeue(list))) {
		skb->protocol = eth_type_trans(skb, port->netdev);
		if (!h64_place_deliver(skb))
			napi_gro_receive(&port->napi, skb);
		delivered++;
	}
	return delivered;
}

/* End of a poll: returns false if the card has to be polled again */
static bool h64_port_rest(struct h64_port *port, int work)
{
	bool news = false;

	if (!napi_complete_done(&port->napi, work))
		return true;
	h64_port_lock(port);
	if (h64_port_alive(port)) {
		news = h64_card_arm(&port->card) && h64_seq_wants_room(&port->link);
		news |= h64_card_has_news(&port->card);
	}
	h64_port_unlock(port);
	return !news;
}

/**
 * h64_port_poll - NAPI poll
 * @napi: NAPI of the port
 * @budget: maximum number of Messages to deliver
 *
 * Return: the number delivered, or @budget to be called again.
 */
int h64_port_poll(struct napi_struct *napi, int budget)
{
	struct h64_port *port = container_of(napi, struct h64_port, napi);
	struct sk_buff_head list;
	unsigned int batches = 0;
	int work = 0;
	bool more;
	u64 now;

	__skb_queue_head_init(&list);
	do {
		now = ktime_get_ns();
		more = false;
		h64_port_lock(port);
		if (h64_port_alive(port))
			h64_port_look(port, now);
		if (h64_port_alive(port))
			more = h64_port_receive(port, &list, budget - work, now);
		h64_port_service(port, now);
		h64_port_unlock(port);
		work += h64_port_deliver(port, &list);
	} while (more && work < budget && ++batches < H64_RX_POLL / H64_RX_BATCH);

	if (more || work == budget)
		return budget;
	if (!h64_port_rest(port, work))
		napi_schedule(napi);
	return work;
}

/*
 * Finds a card that was pulled or hangs, which no interrupt reports.  A working
 * card takes micropackets with or without a signal on the line.  After a
 * suspend the check may be late: the time between two checks counts as one
 * second at most.
 */
static void h64_port_watch(struct h64_port *port, u64 now)
{
	const struct h64_tx_ring *ring = &port->link.ring;

	if (h64_card_gone(&port->card)) {
		h64_port_fault(port, "ID", U32_MAX, H64_ID_MAGIC);
		return;
	}
	if (ring->cons != port->watch.cons || ring->cons == port->card.tx_prod)
		port->watch.still = 0;
	else
		port->watch.still += min(now - port->watch.at, H64_CARD_LOOK);
	port->watch.cons = ring->cons;
	port->watch.at = now;
	if (port->watch.still >= H64_CARD_LIMIT)
		h64_port_fault(port, "TX_CONS, unchanged for 10 s", ring->cons,
			       port->card.tx_prod);
}

/**
 * h64_port_timer - run the timers of the link and check the card
 * @timer: timer of the port
 */
void h64_port_timer(struct timer_list *timer)
{
	struct h64_port *port = timer_container_of(port, timer, timer);
	u64 now = ktime_get_ns();

	h64_port_lock(port);
	if (h64_port_alive(port))
		h64_port_look(port, now);
	if (h64_port_alive(port))
		h64_port_watch(port, now);
	if (h64_port_alive(port)) {
		/*
		 * On a busy machine the ACK that the timer misses may have
		 * arrived long ago.  NAPI then takes it first and checks the
		 * timers.
		 */
		if (h64_card_has_news(&port->card))
			napi_schedule(&port->napi);
		else
			h64_link_tick(&port->link, now);
		h64_msg_tx_expire(&port->tx, now - min(now, port->tx_wait));
		h64_port_service(port, now);
	}
	h64_port_unlock(port);
}

/**
 * h64_port_stuck - handle a queue that has waited too long
 * @port: the port
 * @vc: the Virtual Channel of the queue, which has credit
 *
 * Context: BH disabled.
 */
void h64_port_stuck(struct h64_port *port, unsigned int vc)
{
	struct h64_link *link = &port->link;
	u32 unacked, cons, prod;
	u64 now = ktime_get_ns();

	h64_port_lock(port);
	port->tx_timeouts++;
	unacked = link->src.count;
	cons = link->ring.cons;
	prod = link->ring.prod;
	if (h64_port_alive(port) && link->state == H64_UP) {
		h64_link_restart(link, now);
		h64_port_service(port, now);
	}
	h64_port_unlock(port);
	netdev_warn(port->netdev,
		    "VC%u made no progress: unacknowledged %u, TX_CONS found %#x, expected %#x; resetting the link\n",
		    vc, unacked, cons, prod);
}
