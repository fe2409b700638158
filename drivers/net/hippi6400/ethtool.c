// SPDX-License-Identifier: GPL-2.0
/*
 * What ethtool shows and sets.
 */

#include <linux/ethtool.h>
#include <linux/pci.h>

#include "port.h"

/**
 * struct h64_counter - a counter of a port
 * @name: as ethtool shows it
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
	H64_LINK(no_credit),
	H64_LINK(credit_overflow),
	H64_LINK(resets_tx),
	H64_LINK(resets_rx),
	H64_LINK(inits),
	H64_LINK(activity_losses),
	H64_LINK(signal_losses),
	H64_LINK(holdoffs),
	H64_LINK(admin_rx),
	H64_TX(over_limit),
	H64_TX(malformed),
	H64_TX(lost),
	H64_TX(discarded),
	H64_PORT(tx_refused),
	H64_PORT(tx_timeouts),
	H64_PORT(faults),
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
};

static int h64_get_sset_count(struct net_device *dev, int sset)
{
	if (sset != ETH_SS_STATS)
		return -EOPNOTSUPP;
	return ARRAY_SIZE(h64_counters) + HIPPI6400_NUM_VCS * ARRAY_SIZE(h64_vc_names) +
	       ARRAY_SIZE(h64_card_counters);
}

static void h64_get_strings(struct net_device *dev, u32 sset, u8 *data)
{
	unsigned int i, vc;

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
	u32 version = h64_card_read(&port->card, H64_VERSION);

	strscpy(info->driver, H64_DRV_NAME, sizeof(info->driver));
	strscpy(info->bus_info, pci_name(port->card.pdev), sizeof(info->bus_info));
	snprintf(info->fw_version, sizeof(info->fw_version), "%lu.%lu build %u",
		 FIELD_GET(H64_VERSION_MAJOR, version), FIELD_GET(H64_VERSION_MINOR, version),
		 h64_card_read(&port->card, H64_BUILD));
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
	struct h64_port *port = netdev_priv(dev);

	ring->rx_max_pending = 1 << port->card.rx_order;
	ring->rx_pending = ring->rx_max_pending;
	ring->tx_max_pending = 1 << port->card.tx_order;
	ring->tx_pending = ring->tx_max_pending;
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

/* What ethtool calls frames are micropackets here */
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
	spin_lock_bh(&port->lock);
	port->rx_mod = FIELD_PREP(H64_MOD_USECS, coal->rx_coalesce_usecs) |
		       FIELD_PREP(H64_MOD_COUNT, coal->rx_max_coalesced_frames);
	port->tx_mod = FIELD_PREP(H64_MOD_USECS, coal->tx_coalesce_usecs) |
		       FIELD_PREP(H64_MOD_COUNT, coal->tx_max_coalesced_frames);
	h64_card_moderate(&port->card, port->tx_mod, port->rx_mod);
	spin_unlock_bh(&port->lock);
	return 0;
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
	.get_link_ksettings = h64_get_link_ksettings,
	.get_ringparam = h64_get_ringparam,
	.get_coalesce = h64_get_coalesce,
	.set_coalesce = h64_set_coalesce,
	.get_sset_count = h64_get_sset_count,
	.get_strings = h64_get_strings,
	.get_ethtool_stats = h64_get_ethtool_stats,
	.set_phys_id = h64_set_phys_id,
	.get_ts_info = ethtool_op_get_ts_info,
};
