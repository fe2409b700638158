// SPDX-License-Identifier: GPL-2.0
/*
 * Each counter is a file in /sys/class/net/DEVICE/rio9_eth.
 */
#include "counters.h"
#include "endpoint.h"

struct rio9_eth_attr {
	struct device_attribute attr;
	enum rio9_eth_count count;
};

static ssize_t rio9_eth_show(struct device *d, struct device_attribute *attr, char *buf)
{
	struct rio9_eth *e = rio9_port_priv(rio9_netdev_port(to_net_dev(d)));
	enum rio9_eth_count count = container_of(attr, struct rio9_eth_attr, attr)->count;

	return sysfs_emit(buf, "%llu\n", (u64)atomic64_read(&e->counts[count]));
}

#define RIO9_ETH_ATTR(_name, _count)							\
	static struct rio9_eth_attr rio9_eth_ ## _name = {				\
		.attr = __ATTR(_name, 0444, rio9_eth_show, NULL),			\
		.count = _count,							\
	}

RIO9_ETH_ATTR(rx_frames, RIO9_ETH_RX_FRAMES);
RIO9_ETH_ATTR(rx_packets, RIO9_ETH_RX_PACKETS);
RIO9_ETH_ATTR(rx_lost, RIO9_ETH_RX_LOST);
RIO9_ETH_ATTR(rx_late, RIO9_ETH_RX_LATE);
RIO9_ETH_ATTR(rx_double, RIO9_ETH_RX_DOUBLE);
RIO9_ETH_ATTR(rx_jump, RIO9_ETH_RX_JUMP);
RIO9_ETH_ATTR(rx_malformed, RIO9_ETH_RX_MALFORMED);
RIO9_ETH_ATTR(rx_version, RIO9_ETH_RX_VERSION);
RIO9_ETH_ATTR(rx_forged, RIO9_ETH_RX_FORGED);
RIO9_ETH_ATTR(rx_not_ours, RIO9_ETH_RX_NOT_OURS);
RIO9_ETH_ATTR(rx_no_peer, RIO9_ETH_RX_NO_PEER);
RIO9_ETH_ATTR(rx_not_peer, RIO9_ETH_RX_NOT_PEER);
RIO9_ETH_ATTR(rx_hellos, RIO9_ETH_RX_HELLOS);
RIO9_ETH_ATTR(rx_hello_flood, RIO9_ETH_RX_HELLO_FLOOD);
RIO9_ETH_ATTR(id_conflict, RIO9_ETH_ID_CONFLICT);
RIO9_ETH_ATTR(peer_conflict, RIO9_ETH_PEER_CONFLICT);
RIO9_ETH_ATTR(id_size, RIO9_ETH_ID_SIZE);
RIO9_ETH_ATTR(peers_full, RIO9_ETH_PEERS_FULL);
RIO9_ETH_ATTR(peer_new, RIO9_ETH_PEER_NEW);
RIO9_ETH_ATTR(peer_gone, RIO9_ETH_PEER_GONE);
RIO9_ETH_ATTR(tx_frames, RIO9_ETH_TX_FRAMES);
RIO9_ETH_ATTR(tx_packets, RIO9_ETH_TX_PACKETS);
RIO9_ETH_ATTR(tx_dropped, RIO9_ETH_TX_DROPPED);
RIO9_ETH_ATTR(tx_busy, RIO9_ETH_TX_BUSY);
RIO9_ETH_ATTR(tx_no_peer, RIO9_ETH_TX_NO_PEER);
RIO9_ETH_ATTR(tx_no_memory, RIO9_ETH_TX_NO_MEMORY);

static struct attribute *rio9_eth_attrs[] = {
	&rio9_eth_rx_frames.attr.attr,
	&rio9_eth_rx_packets.attr.attr,
	&rio9_eth_rx_lost.attr.attr,
	&rio9_eth_rx_late.attr.attr,
	&rio9_eth_rx_double.attr.attr,
	&rio9_eth_rx_jump.attr.attr,
	&rio9_eth_rx_malformed.attr.attr,
	&rio9_eth_rx_version.attr.attr,
	&rio9_eth_rx_forged.attr.attr,
	&rio9_eth_rx_not_ours.attr.attr,
	&rio9_eth_rx_no_peer.attr.attr,
	&rio9_eth_rx_not_peer.attr.attr,
	&rio9_eth_rx_hellos.attr.attr,
	&rio9_eth_rx_hello_flood.attr.attr,
	&rio9_eth_id_conflict.attr.attr,
	&rio9_eth_peer_conflict.attr.attr,
	&rio9_eth_id_size.attr.attr,
	&rio9_eth_peers_full.attr.attr,
	&rio9_eth_peer_new.attr.attr,
	&rio9_eth_peer_gone.attr.attr,
	&rio9_eth_tx_frames.attr.attr,
	&rio9_eth_tx_packets.attr.attr,
	&rio9_eth_tx_dropped.attr.attr,
	&rio9_eth_tx_busy.attr.attr,
	&rio9_eth_tx_no_peer.attr.attr,
	&rio9_eth_tx_no_memory.attr.attr,
	NULL
};

const struct attribute_group rio9_eth_counters = {
	.name = "rio9_eth",
	.attrs = rio9_eth_attrs,
};
