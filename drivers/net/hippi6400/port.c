// SPDX-License-Identifier: GPL-2.0
/*
 * A port at work: interrupts, NAPI, the timer of the link, and what happens
 * when the card cannot be believed any more.
 */

#include <linux/etherdevice.h>
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/moduleparam.h>
#include <linux/pci.h>
#include <net/page_pool/helpers.h>

#include "port.h"

/* Micropackets received before the far end is told of it */
#define H64_RX_BATCH	64
/* Micropackets received in one poll, however few Messages they make */
#define H64_RX_POLL	1024

/* A queue stops with this many micropackets waiting and starts again with this */
#define H64_TX_STOP	512
#define H64_TX_WAKE	256

#define H64_PAGE_POOL	256

static unsigned int retry_ms = H64_RETRY_MS;
module_param(retry_ms, uint, 0644);
MODULE_PARM_DESC(retry_ms, "From one Reset or Initialize to the next, in ms (hardware: 1)");

static unsigned int ack_timeout_ms = H64_ACK_TIMEOUT_MS;
module_param(ack_timeout_ms, uint, 0644);
MODULE_PARM_DESC(ack_timeout_ms, "ACK timeout, in ms (hardware: 1)");

static unsigned int activity_ms = H64_ACTIVITY_MS;
module_param(activity_ms, uint, 0644);
MODULE_PARM_DESC(activity_ms, "Silence that takes a link down, in ms (hardware: 10)");

static unsigned int holdoff_ms = H64_HOLDOFF_MS;
module_param(holdoff_ms, uint, 0644);
MODULE_PARM_DESC(holdoff_ms, "From one bring-up of a link to the next, in ms");

static u64 h64_ms(unsigned int ms)
{
	return (u64)max(ms, 1u) * NSEC_PER_MSEC;
}

/**
 * h64_port_lock - begin work on a port
 * @port: the port
 *
 * Context: BH disabled.
 */
void h64_port_lock(struct h64_port *port)
	__acquires(&port->lock)
{
	spin_lock(&port->lock);
}

static void h64_port_report(struct h64_port *port, bool link_news, bool fault_news)
{
	struct net_device *dev = port->netdev;

	if (fault_news)
		netdev_err(dev, "%s: found %#x, expected %#x; port is down until it is set down and up again\n",
			   port->fault.what, port->fault.found, port->fault.expected);
	if (link_news && net_ratelimit())
		netdev_info(dev, "link is %s\n", netif_carrier_ok(dev) ? "up" : "down");
}

/**
 * h64_port_unlock - end work on a port, and do what could not be done under its lock
 * @port: the port
 *
 * Context: BH disabled.
 */
void h64_port_unlock(struct h64_port *port)
	__releases(&port->lock)
{
	bool link_news = port->link_news, fault_news = port->fault_news;
	struct sk_buff_head done, dropped;
	struct sk_buff *skb;

	__skb_queue_head_init(&done);
	__skb_queue_head_init(&dropped);
	skb_queue_splice_init(&port->tx.done, &done);
	skb_queue_splice_init(&port->tx.dropped, &dropped);
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

	netif_carrier_on(port->netdev);
	netif_tx_wake_all_queues(port->netdev);
	port->link_news = true;
}

static void h64_port_link_drop(struct h64_link *link, unsigned int lost)
{
	struct h64_port *port = h64_link_port(link);

	if (netif_carrier_ok(port->netdev)) {
		netif_carrier_off(port->netdev);
		port->link_news = true;
	}
	h64_msg_tx_drop(&port->tx, lost);
	h64_msg_rx_drop(&port->rx);
}

static const struct h64_link_ops h64_port_link_ops = {
	.up = h64_port_link_up,
	.drop = h64_port_link_drop,
};

/* The card broke the rules, or says that the driver did */
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
}

static bool h64_port_alive(const struct h64_port *port)
{
	return port->running && !port->fault.what;
}

/* What the status block says of everything but received micropackets */
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
	/* The card has read these entries for the last time */
	dma_mb();
	ring->cons = cons;
}

static void h64_port_arm_timer(struct h64_port *port, u64 now)
{
	u64 deadline = h64_link_deadline(&port->link);
	unsigned long expires;

	/* Without signal, look for it now and then even if no interrupt tells */
	if (deadline == H64_NEVER)
		deadline = now + port->link.times.retry;
	expires = jiffies + 1;
	if (deadline > now)
		expires += nsecs_to_jiffies(deadline - now);
	if (!timer_pending(&port->timer) || time_before(expires, port->timer.expires))
		mod_timer(&port->timer, expires);
}

static void h64_port_queues(struct h64_port *port)
{
	unsigned int vc;

	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		struct netdev_queue *queue = netdev_get_tx_queue(port->netdev, vc);
		const struct h64_tx_vc *v = &port->tx.vc[vc];

		if (v->backlog >= H64_TX_STOP)
			netif_tx_stop_queue(queue);
		else if (v->backlog <= H64_TX_WAKE && netif_tx_queue_stopped(queue))
			netif_tx_wake_queue(queue);
		/* Progress, however slow, is no reason to call the link stuck */
		if (v->stats.upkts != port->tx_seen[vc])
			txq_trans_cond_update(queue);
		port->tx_seen[vc] = v->stats.upkts;
	}
}

/**
 * h64_port_service - send what can be sent
 * @port: the port
 * @now: the time
 *
 * Context: port lock held.
 */
void h64_port_service(struct h64_port *port, u64 now)
{
	struct h64_card *card = &port->card;

	lockdep_assert_held(&port->lock);

	if (!h64_port_alive(port))
		return;
	h64_msg_tx_pump(&port->tx, now);
	h64_link_flush(&port->link, now);
	h64_card_tell_tx(card, port->link.ring.prod);
	if (h64_seq_wants_room(&port->link))
		h64_card_arm_tx(card, port->link.ring.cons +
				(card->tx_prod - port->link.ring.cons) / 2);
	if (port->link.state == H64_UP)
		h64_port_queues(port);
	h64_port_arm_timer(port, now);
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
	while (card->rx_cons != prod && upkts < H64_RX_BATCH && messages > 0) {
		skb = h64_msg_rx(&port->rx, &card->rx[card->rx_cons & (size - 1)], now);
		card->rx_cons++;
		upkts++;
		if (!skb)
			continue;
		__skb_queue_tail(list, skb);
		messages--;
	}
	return card->rx_cons != prod;
}

static int h64_port_deliver(struct h64_port *port, struct sk_buff_head *list)
{
	struct sk_buff *skb;
	int delivered = 0;

	while ((skb = __skb_dequeue(list))) {
		skb->protocol = eth_type_trans(skb, port->netdev);
		napi_gro_receive(&port->napi, skb);
		delivered++;
	}
	return delivered;
}

/* The last of a poll: returns false if the card has to be looked at again */
static bool h64_port_rest(struct h64_port *port, int work)
{
	bool news = false;

	if (!napi_complete_done(&port->napi, work))
		return true;
	h64_port_lock(port);
	if (h64_port_alive(port)) {
		h64_card_arm(&port->card);
		news = h64_card_has_news(&port->card);
	}
	h64_port_unlock(port);
	return !news;
}

static int h64_port_poll(struct napi_struct *napi, int budget)
{
	struct h64_port *port = container_of(napi, struct h64_port, napi);
	struct sk_buff_head list;
	unsigned int batches = 0;
	bool more, alive;
	int work = 0;
	u64 now;

	__skb_queue_head_init(&list);
	do {
		now = ktime_get_ns();
		more = false;
		h64_port_lock(port);
		if (h64_port_alive(port))
			h64_port_look(port, now);
		if (h64_port_alive(port) && budget)
			more = h64_port_receive(port, &list, budget - work, now);
		/* Time is judged when all that has arrived was looked at */
		if (h64_port_alive(port) && !more)
			h64_link_tick(&port->link, now);
		h64_port_service(port, now);
		alive = h64_port_alive(port);
		h64_port_unlock(port);
		work += h64_port_deliver(port, &list);
	} while (more && work < budget && ++batches < H64_RX_POLL / H64_RX_BATCH);

	if (alive)
		h64_card_tell_rx(&port->card);

	/* Without a budget this is netpoll, which only wants room for sending */
	if (!budget)
		return 0;
	if (more || work == budget)
		return budget;
	if (!h64_port_rest(port, work))
		napi_schedule(napi);
	return work;
}

static void h64_port_timer(struct timer_list *timer)
{
	struct h64_port *port = from_timer(port, timer, timer);
	u64 now = ktime_get_ns();

	h64_port_lock(port);
	if (h64_port_alive(port))
		h64_port_look(port, now);
	if (h64_port_alive(port)) {
		/*
		 * On a busy machine the ACK that the timer misses may have
		 * arrived long ago: then NAPI takes it and looks at the time.
		 */
		if (h64_card_has_news(&port->card))
			napi_schedule(&port->napi);
		else
			h64_link_tick(&port->link, now);
		h64_port_service(port, now);
	}
	h64_port_unlock(port);
}

/**
 * h64_port_stuck - a queue waited too long
 * @port: the port
 * @vc: the Virtual Channel of the queue
 *
 * Context: BH disabled.
 */
void h64_port_stuck(struct h64_port *port, unsigned int vc)
{
	struct h64_link *link = &port->link;
	u32 avail, unacked, cons, prod;
	u64 now = ktime_get_ns();

	h64_port_lock(port);
	port->tx_timeouts++;
	avail = link->credit[vc].avail;
	unacked = link->src.count;
	cons = link->ring.cons;
	prod = link->ring.prod;
	if (h64_port_alive(port) && link->state == H64_UP) {
		h64_link_restart(link, now);
		h64_port_service(port, now);
	}
	h64_port_unlock(port);
	netdev_warn(port->netdev,
		    "VC%u made no progress: credit %u, unacknowledged %u, TX_CONS found %#x, expected %#x; resetting the link\n",
		    vc, avail, unacked, cons, prod);
}

static irqreturn_t h64_port_irq(int irq, void *data)
{
	struct h64_port *port = data;

	napi_schedule(&port->napi);
	return IRQ_HANDLED;
}

static int h64_port_request_irqs(struct h64_port *port)
{
	static const char * const names[H64_NUM_VECTORS] = { "tx", "rx", "status" };
	struct pci_dev *pdev = port->card.pdev;
	int err, i;

	for (i = 0; i < H64_NUM_VECTORS; i++) {
		err = pci_request_irq(pdev, i, h64_port_irq, NULL, port, "%s-%s",
				      port->netdev->name, names[i]);
		if (err)
			goto free;
	}
	return 0;

free:
	netdev_err(port->netdev, "vector %d of %d: request failed: %pe\n", i, H64_NUM_VECTORS,
		   ERR_PTR(err));
	while (i--)
		pci_free_irq(pdev, i, port);
	return err;
}

static void h64_port_free_irqs(struct h64_port *port)
{
	int i;

	for (i = 0; i < H64_NUM_VECTORS; i++)
		pci_free_irq(port->card.pdev, i, port);
}

static struct page_pool *h64_port_page_pool(struct h64_port *port)
{
	struct page_pool_params params = {
		.pool_size = H64_PAGE_POOL,
		.nid = NUMA_NO_NODE,
		.dev = &port->card.pdev->dev,
		.netdev = port->netdev,
		.napi = &port->napi,
	};

	return page_pool_create(&params);
}

/**
 * h64_port_open - run the card and let the link come up by itself
 * @port: the port
 *
 * Return: 0 or an error.
 */
int h64_port_open(struct h64_port *port)
{
	const struct h64_link_times times = {
		.retry = h64_ms(retry_ms),
		/* No shorter than timers of a jiffy can keep */
		.ack = max_t(u64, h64_ms(ack_timeout_ms), TICK_NSEC),
		.activity = max_t(u64, h64_ms(activity_ms), 4 * H64_KEEPALIVE_DIV * TICK_NSEC),
		.holdoff = h64_ms(holdoff_ms),
	};
	struct h64_card *card = &port->card;
	struct page_pool *pool;
	int err;

	err = h64_card_reset(card);
	if (err)
		return err;
	err = h64_card_alloc(card);
	if (err)
		return err;
	pool = h64_port_page_pool(port);
	if (IS_ERR(pool)) {
		err = PTR_ERR(pool);
		goto free_card;
	}
	err = h64_port_request_irqs(port);
	if (err)
		goto free_pool;

	port->link.ring.slot = card->tx;
	port->link.ring.size = 1 << card->tx_order;
	port->link.ring.prod = 0;
	port->link.ring.cons = 0;
	h64_link_init(&port->link, &h64_port_link_ops, &times);
	h64_msg_tx_init(&port->tx, &port->link);
	h64_msg_rx_init(&port->rx, &port->link, port->netdev, pool);
	memset(&port->fault, 0, sizeof(port->fault));

	/* Not before the reset: an earlier driver may have left addresses */
	pci_set_master(card->pdev);
	napi_enable(&port->napi);
	netif_tx_start_all_queues(port->netdev);

	local_bh_disable();
	h64_port_lock(port);
	h64_card_start(card, port->tx_mod, port->rx_mod);
	port->running = true;
	h64_link_enable(&port->link, ktime_get_ns());
	h64_port_service(port, ktime_get_ns());
	h64_port_unlock(port);
	napi_schedule(&port->napi);
	local_bh_enable();
	return 0;

free_pool:
	page_pool_destroy(pool);
free_card:
	h64_card_free(card);
	return err;
}

/**
 * h64_port_stop - drop everything and stop the card
 * @port: the port
 */
void h64_port_stop(struct h64_port *port)
{
	struct h64_card *card = &port->card;

	netif_tx_disable(port->netdev);
	local_bh_disable();
	h64_port_lock(port);
	port->running = false;
	h64_link_disable(&port->link);
	h64_card_halt(card);
	h64_port_unlock(port);
	local_bh_enable();

	timer_delete_sync(&port->timer);
	napi_disable(&port->napi);
	h64_port_free_irqs(port);
	/* A card that does not answer must not reach the memory freed here */
	h64_card_reset(card);
	pci_clear_master(card->pdev);
	page_pool_destroy(port->rx.pool);
	h64_card_free(card);
}

/**
 * h64_port_setup - what is done once for a port
 * @port: the port
 */
void h64_port_setup(struct h64_port *port)
{
	spin_lock_init(&port->lock);
	timer_setup(&port->timer, h64_port_timer, 0);
	netif_napi_add(port->netdev, &port->napi, h64_port_poll);
	h64_msg_tx_init(&port->tx, &port->link);
	port->link.ops = NULL;
	h64_link_init(&port->link, NULL, &(struct h64_link_times){});
}
