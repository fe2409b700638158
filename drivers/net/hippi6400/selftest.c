// SPDX-License-Identifier: GPL-2.0
/*
 * ethtool -t: tests of the card, its registers, the link, and a loop-back
 * through the neighbour.
 */

#include <linux/capability.h>
#include <linux/ethtool.h>
#include <linux/etherdevice.h>
#include <linux/iopoll.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/rtnetlink.h>
#include <linux/string.h>
#include <linux/user_namespace.h>

#include "port.h"

enum h64_selftest {
	H64_TEST_IDENTITY,
	H64_TEST_REGISTERS,
	H64_TEST_LINK,
	H64_TEST_LOOPBACK,
	H64_TEST_PATTERNS,
	H64_TEST_RESTART,
	H64_NUM_TESTS,
};

static const char h64_selftest_names[H64_NUM_TESTS][ETH_GSTRING_LEN] = {
	[H64_TEST_IDENTITY] = "card identity (on/offline)",
	[H64_TEST_REGISTERS] = "registers kept (on/offline)",
	[H64_TEST_LINK] = "link up (on/offline)",
	[H64_TEST_LOOPBACK] = "loop-back (on/offline)",
	[H64_TEST_PATTERNS] = "register patterns (offline)",
	[H64_TEST_RESTART] = "restart (offline)",
};

/* A card acts on a write within 10 ms; this much is granted even if the time limit is used up */
#define H64_TEST_POLL_US	1000
#define H64_TEST_CARD_US	(10 * USEC_PER_MSEC)

/* Result of a failed test that has no register offset */
#define H64_TEST_FAILED		1

/*
 * Limit for all waits of a test: for the card to start, for a link that was up to come up
 * again (unless its hold-off timer is longer), then for the loop-backs.  The ethtool core
 * holds RTNL meanwhile, which blocks all network configuration of the machine.  So the limit
 * also protects others from the owner of a port in a container.
 */
#define H64_TEST_PATIENCE	(2 * HZ)
#define H64_TEST_GUEST_PATIENCE	(HZ / 4)

static unsigned long h64_selftest_end(void)
{
	bool host = ns_capable_noaudit(&init_user_ns, CAP_NET_ADMIN);

	return jiffies + (host ? H64_TEST_PATIENCE : H64_TEST_GUEST_PATIENCE);
}

/* Time left */
static long h64_selftest_left(unsigned long end)
{
	return max_t(long, end - jiffies, 0);
}

/* Returns true if the link is up, or cannot come up */
static bool h64_selftest_settled(struct h64_port *port)
{
	bool settled;

	spin_lock_bh(&port->lock);
	settled = port->link.state == H64_UP || !h64_port_alive(port);
	spin_unlock_bh(&port->lock);
	return settled;
}

/* ID has offset 0, which would mean success */
static u64 h64_test_identity(const struct h64_port *port)
{
	const struct h64_card *card = &port->card;
	u32 version = h64_card_read(card, H64_VERSION);
	u8 addr[ETH_ALEN];

	if (h64_card_read(card, H64_ID) != H64_ID_MAGIC)
		return H64_TEST_FAILED;
	if (FIELD_GET(H64_VERSION_MAJOR, version) != H64_VERSION_MAJOR_1)
		return H64_VERSION;
	if (FIELD_GET(H64_CAPS_RING_MAX, h64_card_read(card, H64_CAPS)) != card->max_order)
		return H64_CAPS;
	h64_card_ula(card, addr);
	if (is_valid_ether_addr(addr) && !ether_addr_equal(addr, port->netdev->perm_addr))
		return H64_ULA_HI;
	return 0;
}

static u64 h64_test_registers(struct h64_port *port, unsigned long end)
{
	const u32 run = H64_STATUS_READY | H64_STATUS_TX_RUN | H64_STATUS_RX_RUN;
	u32 limit = max_t(u32, jiffies_to_usecs(h64_selftest_left(end)), H64_TEST_CARD_US);
	u32 status, bad;

	spin_lock_bh(&port->lock);
	if (!h64_port_alive(port)) {
		spin_unlock_bh(&port->lock);
		return H64_TEST_FAILED;
	}
	bad = h64_card_check_registers(&port->card);
	spin_unlock_bh(&port->lock);
	if (bad)
		return bad;
	/* Gives a card that was just started time to act */
	if (read_poll_timeout(h64_card_read, status, (status & (run | H64_STATUS_FAULT)) == run,
			      H64_TEST_POLL_US, limit, false, &port->card, H64_STATUS))
		return H64_STATUS;
	return 0;
}

static u64 h64_test_link(const struct h64_port *port)
{
	return netif_carrier_ok(port->netdev) ? 0 : H64_TEST_FAILED;
}

/* All bits equal, single bits, and distinct bytes */
static u64 h64_test_loopback(struct h64_port *port, unsigned long end)
{
	static const u8 fill[] = { 0x00, 0xff, 0x55, 0xaa };
	static const u8 lens[] = { 0, 1, H64_ADMIN_BODY / 2 + 1, H64_ADMIN_BODY };
	u8 pattern[H64_ADMIN_BODY];
	unsigned int i, len, n;

	for (i = 0; i < ARRAY_SIZE(fill); i++) {
		memset(pattern, fill[i], sizeof(pattern));
		if (h64_port_loopback(port, pattern, sizeof(pattern), h64_selftest_left(end)))
			return H64_TEST_FAILED;
	}
	for (n = 0; n < ARRAY_SIZE(lens); n++) {
		len = lens[n];
		for (i = 0; i < len; i++)
			pattern[i] = 16 * i + len;
		if (h64_port_loopback(port, pattern, len, h64_selftest_left(end)))
			return H64_TEST_FAILED;
	}
	return 0;
}

/*
 * Stops the port, tests the registers, and restarts it.  Returns false if the
 * restart fails; the netdev is then down.
 */
static bool h64_selftest_offline(struct h64_port *port, u64 *data, unsigned long end)
{
	bool running = port->running, was_up = netif_carrier_ok(port->netdev);
	int err;

	err = running ? h64_port_halt(port) : h64_card_reset(&port->card);
	if (!err) {
		data[H64_TEST_PATTERNS] = h64_card_test_registers(&port->card);
		err = h64_card_reset(&port->card);
	}
	if (err) {
		data[H64_TEST_PATTERNS] = data[H64_TEST_PATTERNS] ?: H64_RESET_DONE;
		data[H64_TEST_RESTART] = H64_RESET_DONE;
		if (!running)
			return false;
		h64_port_release(port);
		dev_close(port->netdev);
		return false;
	}
	if (!running)
		return true;
	h64_port_run(port);
	if (was_up && (wait_event_interruptible_timeout(port->wait, h64_selftest_settled(port),
							h64_selftest_left(end)) <= 0 ||
		       !netif_carrier_ok(port->netdev)))
		data[H64_TEST_RESTART] = H64_TEST_FAILED;
	return true;
}

/**
 * h64_selftest - run the self-test of ethtool
 * @dev: the netdev
 * @test: requested tests; on return with ETH_TEST_FL_FAILED if a test failed
 * @data: results: 0, the offset of the wrong register, or 1
 *
 * Context: sleeps, under RTNL; a signal ends its waits for the link and the neighbour.
 */
void h64_selftest(struct net_device *dev, struct ethtool_test *test, u64 *data)
{
	unsigned long end = h64_selftest_end();
	struct h64_port *port = netdev_priv(dev);
	bool usable = true;
	unsigned int i;

	memset(data, 0, H64_NUM_TESTS * sizeof(*data));
	if (test->flags & ETH_TEST_FL_OFFLINE)
		usable = h64_selftest_offline(port, data, end);

	data[H64_TEST_IDENTITY] = h64_test_identity(port);
	data[H64_TEST_REGISTERS] = usable ? h64_test_registers(port, end) : H64_TEST_FAILED;
	data[H64_TEST_LINK] = h64_test_link(port);
	data[H64_TEST_LOOPBACK] = usable ? h64_test_loopback(port, end) : H64_TEST_FAILED;

	for (i = 0; i < H64_NUM_TESTS; i++)
		if (data[i])
			test->flags |= ETH_TEST_FL_FAILED;
}

/**
 * h64_selftest_count - number of results of the self-test
 *
 * Return: the number.
 */
int h64_selftest_count(void)
{
	return H64_NUM_TESTS;
}

/**
 * h64_selftest_strings - names of the results of the self-test
 * @data: buffer, ETH_GSTRING_LEN bytes for each name
 */
void h64_selftest_strings(u8 *data)
{
	memcpy(data, h64_selftest_names, sizeof(h64_selftest_names));
}
