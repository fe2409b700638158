// SPDX-License-Identifier: GPL-2.0
/*
 * ethtool operations.
 */

#include <linux/ethtool.h>
#include <linux/log2.h>
#include <linux/pci.h>

#include "port.h"

/**
 * struct h64_counter - a counter of a port
 * @name: name in ethtool
 * @offset: in struct h64_port
 */
struct h64_counter {
	char name[ETH_GSTRING_LEN];
	size_t offset;
};

#define H64_LINK(n)	{ #n, offsetof(struct h64_port, link.stats.n) }
#define H64_RX(n)	{ "rx_" #n, offsetof(struct h64_port, rx.n) }
#define H64_TX(n)	{ "tx_" #n, offsetof(struct h64_port, tx.n) }
#define H64_PORT(n)	{ #n, offsetof(struct h64_port, n) }

static const struct h64_counter h64_counters[] = {
	H64_LINK(rx_upkts),
	H64_LINK(tx_upkts),
	H64_LINK(lcrc_errors),
	H64_RX(ecrc_errors),
	H64_RX(error_marked),
	H64_LINK(ecrc_errors),
	H64_LINK(out_of_sequence),
	H64_LINK(go_backs),
	H64_LINK(rexmit_upkts),
	H64_LINK(ack_timeouts),
	H64_LINK(retry_limits),
	H64_LINK(bad_rseq),
	H64_LINK(reserved_type),
	H64_LINK(unexpected),
	H64_RX(header_without_tail),
	H64_RX(data_without_header),
	H64_RX(m_len_errors),
	H64_RX(over_limit),
	H64_RX(too_long),
	H64_RX(bad_snap),
	H64_RX(no_memory),
	H64_RX(no_room),
	H64_RX(lost),
	H64_RX(place_cancelled),
	H64_RX(xdp_too_long),
	H64_RX(placed),
	H64_RX(placed_bytes),
	H64_LINK(no_credit),
	H64_LINK(credit_overflow),
	H64_LINK(resets_tx),
	H64_LINK(resets_rx),
	H64_LINK(inits),
	H64_LINK(activity_losses),
	H64_LINK(signal_losses),
	H64_LINK(holdoffs),
	H64_LINK(admin_rx),
	H64_LINK(admin_tx),
	H64_LINK(admin_unknown),
	H64_LINK(admin_hops),
	H64_LINK(admin_length),
	H64_LINK(admin_busy),
	H64_LINK(admin_unasked),
	H64_LINK(admin_timeouts),
	H64_PORT(rx_multicast),
	H64_TX(over_limit),
	H64_TX(malformed),
	H64_TX(no_memory),
	H64_TX(expired),
	H64_TX(lost),
	H64_TX(discarded),
	H64_TX(unacked),
	H64_PORT(tx_refused),
	H64_PORT(tx_timeouts),
	H64_PORT(faults),
	H64_PORT(clmul_batches),
	{ "card_tx_doorbells", offsetof(struct h64_port, card.tx_doorbells) },
	{ "card_kept_bytes", offsetof(struct h64_port, card.kept) },
};

/* Counters of each Virtual Channel; %u is its number */
static const char h64_vc_names[][ETH_GSTRING_LEN] = {
	"vc%u_tx_messages",
	"vc%u_tx_upkts",
	"vc%u_tx_bytes",
	"vc%u_rx_messages",
	"vc%u_rx_upkts",
	"vc%u_rx_bytes",
	"vc%u_tx_credits_granted",
	"vc%u_tx_credits_used",
	"vc%u_tx_credits_outstanding",
	"vc%u_rx_credits_granted",
	"vc%u_rx_credits_used",
	"vc%u_rx_credits_outstanding",
	"vc%u_stopped_for_credit",
};

static const struct h64_counter h64_card_counters[] = {
	{ "card_tx_upkts", H64_CNT_TX_UPKTS },
	{ "card_rx_upkts", H64_CNT_RX_UPKTS },
	{ "card_rx_no_room", H64_CNT_RX_NO_ROOM },
	{ "card_line_errors", H64_CNT_LINE_ERRORS },
};

static int h64_get_sset_count(struct net_device *dev, int sset)
{
	if (sset == ETH_SS_TEST)
		return h64_selftest_count();
	if (sset != ETH_SS_STATS)
		return -EOPNOTSUPP;
	return ARRAY_SIZE(h64_counters) + HIPPI6400_NUM_VCS * ARRAY_SIZE(h64_vc_names) +
	       ARRAY_SIZE(h64_card_counters);
}

static void h64_get_strings(struct net_device *dev, u32 sset, u8 *data)
{
	unsigned int i, vc;

	if (sset == ETH_SS_TEST)
		h64_selftest_strings(data);
	if (sset != ETH_SS_STATS)
		return;
	for (i = 0; i < ARRAY_SIZE(h64_counters); i++)
		ethtool_puts(&data, h64_counters[i].name);
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
		for (i = 0; i < ARRAY_SIZE(h64_vc_names); i++)
			ethtool_sprintf(&data, h64_vc_names[i], vc);
	for (i = 0; i < ARRAY_SIZE(h64_card_counters); i++)
		ethtool_puts(&data, h64_card_counters[i].name);
}

/* In the order of h64_vc_names */
static u64 *h64_get_vc_stats(const struct h64_port *port, unsigned int vc, u64 *data)
{
	const struct h64_vc_credit *credit = &port->link.credit[vc];
	const struct h64_vc_stats *tx = &port->tx.vc[vc].stats;
	const struct h64_vc_stats *rx = &port->rx.vc[vc].stats;

	*data++ = tx->messages;
	*data++ = tx->upkts;
	*data++ = tx->bytes;
	*data++ = rx->messages;
	*data++ = rx->upkts;
	*data++ = rx->bytes;
	*data++ = credit->tx_granted;
	*data++ = credit->tx_used;
	*data++ = credit->avail;
	*data++ = credit->rx_granted;
	*data++ = credit->rx_used;
	*data++ = credit->out;
	*data++ = credit->stops;
	return data;
}

static void h64_get_ethtool_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	struct h64_port *port = netdev_priv(dev);
	unsigned int i, vc;

	spin_lock_bh(&port->lock);
	for (i = 0; i < ARRAY_SIZE(h64_counters); i++)
		*data++ = *(const u64 *)((const u8 *)port + h64_counters[i].offset);
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
		data = h64_get_vc_stats(port, vc, data);
	spin_unlock_bh(&port->lock);

	for (i = 0; i < ARRAY_SIZE(h64_card_counters); i++)
		*data++ = h64_card_counter(&port->card, h64_card_counters[i].offset);
}

static void h64_get_drvinfo(struct net_device *dev, struct ethtool_drvinfo *info)
{
	struct h64_port *port = netdev_priv(dev);

	strscpy(info->driver, H64_DRV_NAME, sizeof(info->driver));
	strscpy(info->bus_info, pci_name(port->card.pdev), sizeof(info->bus_info));
	h64_card_fw_version(&port->card, info->fw_version);
}

static int h64_get_link_ksettings(struct net_device *dev, struct ethtool_link_ksettings *cmd)
{
	cmd->base.speed = H64_SPEED;
	cmd->base.duplex = DUPLEX_FULL;
	cmd->base.autoneg = AUTONEG_DISABLE;
	cmd->base.port = PORT_OTHER;
	return 0;
}

static void h64_get_ringparam(struct net_device *dev, struct ethtool_ringparam *ring,
			      struct kernel_ethtool_ringparam *kernel_ring,
			      struct netlink_ext_ack *extack)
{
	const struct h64_card *card = &((struct h64_port *)netdev_priv(dev))->card;

	ring->rx_max_pending = 1 << card->max_order;
	ring->rx_pending = 1 << card->rx_order;
	ring->tx_max_pending = 1 << card->max_order;
	ring->tx_pending = 1 << card->tx_order;
}

/* Rounds up to a supported size; the core has checked the maximum */
static u32 h64_ring_order(const struct h64_card *card, u32 pending)
{
	return max_t(u32, pending ? order_base_2(pending) : 0, card->min_order);
}

static int h64_set_ringparam(struct net_device *dev, struct ethtool_ringparam *ring,
			     struct kernel_ethtool_ringparam *kernel_ring,
			     struct netlink_ext_ack *extack)
{
	struct h64_port *port = netdev_priv(dev);
	u32 tx_order = h64_ring_order(&port->card, ring->tx_pending);
	u32 rx_order = h64_ring_order(&port->card, ring->rx_pending);
	int err;

	if (tx_order == port->card.tx_order && rx_order == port->card.rx_order)
		return 0;
	err = h64_port_resize(port, tx_order, rx_order);
	if (err == -ENOMEM)
		NL_SET_ERR_MSG_FMT_MOD(extack, "no memory for rings of %u and %u micropackets",
				       1 << tx_order, 1 << rx_order);
	else if (err)
		NL_SET_ERR_MSG_MOD(extack, "the card does not answer, the device is down");
	return err;
}

/* One NAPI and one pair of rings serve all Virtual Channels, but each has its own TX queue */
static void h64_get_channels(struct net_device *dev, struct ethtool_channels *ch)
{
	ch->max_rx = dev->num_rx_queues;
	ch->rx_count = dev->real_num_rx_queues;
	ch->max_tx = dev->num_tx_queues;
	ch->tx_count = dev->real_num_tx_queues;
}

/* Registers of the card, then those of the driver; reads have no side effects */
#define H64_REGS_CARD		0x60
#define H64_REGS_DRIVER		0x60
#define H64_REGS_VERSION	1

static int h64_get_regs_len(struct net_device *dev)
{
	return H64_REGS_CARD + H64_REGS_DRIVER;
}

static void h64_get_regs(struct net_device *dev, struct ethtool_regs *regs, void *data)
{
	struct h64_port *port = netdev_priv(dev);
	__le32 *reg = data;
	u32 i;

	regs->version = H64_REGS_VERSION;
	for (i = 0; i < H64_REGS_CARD; i += sizeof(*reg))
		*reg++ = cpu_to_le32(h64_card_read(&port->card, H64_ID + i));
	for (i = 0; i < H64_REGS_DRIVER; i += sizeof(*reg))
		*reg++ = cpu_to_le32(h64_card_read(&port->card, H64_RESET + i));
}

static int h64_get_coalesce(struct net_device *dev, struct ethtool_coalesce *coal,
			    struct kernel_ethtool_coalesce *kernel_coal,
			    struct netlink_ext_ack *extack)
{
	struct h64_port *port = netdev_priv(dev);

	coal->rx_coalesce_usecs = FIELD_GET(H64_MOD_USECS, port->rx_mod);
	coal->rx_max_coalesced_frames = FIELD_GET(H64_MOD_COUNT, port->rx_mod);
	coal->tx_coalesce_usecs = FIELD_GET(H64_MOD_USECS, port->tx_mod);
	coal->tx_max_coalesced_frames = FIELD_GET(H64_MOD_COUNT, port->tx_mod);
	return 0;
}

/* ethtool's frames are micropackets here */
static int h64_set_coalesce(struct net_device *dev, struct ethtool_coalesce *coal,
			    struct kernel_ethtool_coalesce *kernel_coal,
			    struct netlink_ext_ack *extack)
{
	struct h64_port *port = netdev_priv(dev);

	if (coal->rx_coalesce_usecs > U16_MAX || coal->rx_max_coalesced_frames > U16_MAX ||
	    coal->tx_coalesce_usecs > U16_MAX || coal->tx_max_coalesced_frames > U16_MAX) {
		NL_SET_ERR_MSG(extack, "at most 65535 microseconds and micropackets");
		return -ERANGE;
	}
	if ((coal->rx_max_coalesced_frames > 1 && !coal->rx_coalesce_usecs) ||
	    (coal->tx_max_coalesced_frames > 1 && !coal->tx_coalesce_usecs)) {
		NL_SET_ERR_MSG(extack, "a micropacket limit needs a time above 0 microseconds");
		return -EINVAL;
	}
	spin_lock_bh(&port->lock);
	port->rx_mod = FIELD_PREP(H64_MOD_USECS, coal->rx_coalesce_usecs) |
		       FIELD_PREP(H64_MOD_COUNT, coal->rx_max_coalesced_frames);
	port->tx_mod = FIELD_PREP(H64_MOD_USECS, coal->tx_coalesce_usecs) |
		       FIELD_PREP(H64_MOD_COUNT, coal->tx_max_coalesced_frames);
	h64_card_moderate(&port->card, port->tx_mod, port->rx_mod);
	spin_unlock_bh(&port->lock);
	return 0;
}

/* Why there is no link */
static int h64_get_link_ext_state(struct net_device *dev, struct ethtool_link_ext_state_info *info)
{
	struct h64_port *port = netdev_priv(dev);
	enum h64_link_state state;
	bool alive;

	spin_lock_bh(&port->lock);
	alive = h64_port_alive(port);
	state = port->link.state;
	spin_unlock_bh(&port->lock);
	if (!alive)
		return -ENODATA;
	switch (state) {
	case H64_DOWN:
		info->link_ext_state = ETHTOOL_LINK_EXT_STATE_NO_CABLE;
		return 0;
	case H64_HOLDOFF:
		info->link_ext_state = ETHTOOL_LINK_EXT_STATE_LINK_TRAINING_FAILURE;
		return 0;
	case H64_RESET_SENT:
	case H64_INIT_SENT:
		info->link_ext_state = ETHTOOL_LINK_EXT_STATE_AUTONEG;
		info->autoneg = ETHTOOL_LINK_EXT_SUBSTATE_AN_NO_PARTNER_DETECTED;
		return 0;
	default:
		return -ENODATA;
	}
}

static int h64_set_phys_id(struct net_device *dev, enum ethtool_phys_id_state state)
{
	struct h64_port *port = netdev_priv(dev);

	if (state != ETHTOOL_ID_ACTIVE && state != ETHTOOL_ID_INACTIVE)
		return -EOPNOTSUPP;
	spin_lock_bh(&port->lock);
	h64_card_beacon(&port->card, state == ETHTOOL_ID_ACTIVE);
	spin_unlock_bh(&port->lock);
	return 0;
}

const struct ethtool_ops h64_ethtool_ops = {
	.supported_coalesce_params = ETHTOOL_COALESCE_USECS | ETHTOOL_COALESCE_MAX_FRAMES,
	.get_drvinfo = h64_get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_link_ext_state = h64_get_link_ext_state,
	.get_link_ksettings = h64_get_link_ksettings,
	.get_regs_len = h64_get_regs_len,
	.get_regs = h64_get_regs,
	.get_ringparam = h64_get_ringparam,
	.set_ringparam = h64_set_ringparam,
	.get_channels = h64_get_channels,
	.self_test = h64_selftest,
	.get_coalesce = h64_get_coalesce,
	.set_coalesce = h64_set_coalesce,
	.get_sset_count = h64_get_sset_count,
	.get_strings = h64_get_strings,
	.get_ethtool_stats = h64_get_ethtool_stats,
	.set_phys_id = h64_set_phys_id,
	.get_ts_info = ethtool_op_get_ts_info,
};
