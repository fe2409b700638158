// SPDX-License-Identifier: GPL-2.0
/*
 * Life cycle of a port: memory and interrupts, start and stop.
 */

#include <linux/etherdevice.h>
#include <linux/interrupt.h>
#include <linux/ktime.h>
#include <linux/net.h>
#include <linux/pci.h>
#include <linux/version.h>
#include <net/page_pool/helpers.h>

#include "port.h"

#define H64_PAGE_POOL	256

static irqreturn_t h64_port_irq(int irq, void *data)
{
	struct h64_port *port = data;

	napi_schedule(&port->napi);
	return IRQ_HANDLED;
}

static irqreturn_t h64_port_intx(int irq, void *data)
{
	struct h64_port *port = data;

	if (!h64_card_intx(&port->card))
		return IRQ_NONE;
	napi_schedule(&port->napi);
	return IRQ_HANDLED;
}

static unsigned int h64_port_num_irqs(const struct h64_port *port)
{
	return max(port->card.vectors, 1U);
}

static int h64_port_request_irqs(struct h64_port *port)
{
	/* By number of vectors and vector */
	static const char * const names[H64_NUM_VECTORS][H64_NUM_VECTORS] = {
		{ "all" }, { "tx", "rx+status" }, { "tx", "rx", "status" },
	};
	irq_handler_t handler = port->card.vectors ? h64_port_irq : h64_port_intx;
	unsigned int i, num = h64_port_num_irqs(port);
	struct pci_dev *pdev = port->card.pdev;
	int err;

	for (i = 0; i < num; i++) {
		err = pci_request_irq(pdev, i, handler, NULL, port, "%s-%s",
				      port->netdev->name, names[num - 1][i]);
		if (err)
			goto free;
	}
	return 0;

free:
	if (net_ratelimit())
		netdev_err(port->netdev, "vector %u of %u: request failed: %pe\n", i, num,
			   ERR_PTR(err));
	while (i--)
		pci_free_irq(pdev, i, port);
	return err;
}

static void h64_port_free_irqs(struct h64_port *port)
{
	unsigned int i;

	for (i = 0; i < h64_port_num_irqs(port); i++)
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
 * h64_port_run - start the card and let the link come up
 * @port: the port, not running; its card was reset and has memory, the
 *	interrupts were requested
 */
void h64_port_run(struct h64_port *port)
{
	struct h64_card *card = &port->card;

	/* Not before the reset: an earlier driver may have left addresses in the card */
	pci_set_master(card->pdev);
	h64_card_count(card);
	napi_enable(&port->napi);
	netif_tx_start_all_queues(port->netdev);

	h64_port_begin(port);
}

/**
 * h64_port_halt - drop all state, stop the card and free its memory
 * @port: the port, running
 *
 * Return: 0, or an error after a message if the card does not answer.
 */
int h64_port_halt(struct h64_port *port)
{
	struct h64_card *card = &port->card;
	int err;

	netif_tx_disable(port->netdev);
	h64_port_end(port);
	timer_delete_sync(&port->timer);
	napi_disable(&port->napi);
	err = h64_card_reset(card);
	h64_card_count_end(card);
	if (err)
		h64_card_cut_off(card);
	else
		pci_clear_master(card->pdev);
	return err;
}

/**
 * h64_port_release - release the resources of a stopped port
 * @port: the port, after h64_port_halt()
 */
void h64_port_release(struct h64_port *port)
{
	h64_port_free_irqs(port);
	page_pool_destroy(port->rx.pool);
	h64_card_free(&port->card);
}

/**
 * h64_port_open - acquire the resources of a port and start it
 * @port: the port
 *
 * Return: 0 or an error.
 */
int h64_port_open(struct h64_port *port)
{
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
		if (net_ratelimit())
			netdev_err(port->netdev,
				   "page pool: found none, expected one of %u pages: %pe\n",
				   H64_PAGE_POOL, pool);
		goto free_card;
	}
	err = h64_port_request_irqs(port);
	if (err)
		goto free_pool;
	port->rx.pool = pool;
	h64_port_run(port);
	return 0;

free_pool:
	page_pool_destroy(pool);
free_card:
	h64_card_free(card);
	return err;
}

/**
 * h64_port_stop - drop all state and stop the card
 * @port: the port; nothing happens if it does not run
 */
void h64_port_stop(struct h64_port *port)
{
	if (!port->running)
		return;
	h64_port_halt(port);
	h64_port_release(port);
}

/* Identity for the neighbour; the card's ULA never changes */
static void h64_port_identify(struct h64_port *port)
{
	struct h64_identity self = {
		.element = H64_ELEMENT_END_DEVICE,
	};

	ether_addr_copy(self.ula, port->netdev->dev_addr);
	snprintf(self.software, sizeof(self.software), "Linux %u.%u.%u", LINUX_VERSION_MAJOR,
		 LINUX_VERSION_PATCHLEVEL, LINUX_VERSION_SUBLEVEL);
	h64_admin_identify(&port->link, &self);
}

/**
 * h64_port_setup - initialise a port once
 * @port: the port
 */
void h64_port_setup(struct h64_port *port)
{
	static const struct h64_link_times times = {
		.retry = (u64)H64_RETRY_MS * NSEC_PER_MSEC,
		.ack = (u64)H64_ACK_TIMEOUT_MS * NSEC_PER_MSEC,
		.activity = (u64)H64_ACTIVITY_MS * NSEC_PER_MSEC,
		.holdoff = (u64)H64_HOLDOFF_MS * NSEC_PER_MSEC,
		.retry_limit = H64_RETRY_LIMIT,
	};

	spin_lock_init(&port->lock);
	init_waitqueue_head(&port->wait);
	timer_setup(&port->timer, h64_port_timer, 0);
	netif_napi_add(port->netdev, &port->napi, h64_port_poll);
	h64_msg_tx_init(&port->tx, &port->link);
	h64_msg_rx_init(&port->rx, &port->link, port->netdev, NULL);
	h64_link_init(&port->link, NULL, &times);
	h64_port_identify(port);
	h64_port_set_times(port, &times);
	port->tx_wait = (u64)H64_TX_WAIT_MS * NSEC_PER_MSEC;
}
