/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/hippi.yaml */
/* YNL-GEN uapi header */
/* To regenerate run: tools/net/ynl/ynl-regen.sh */

#ifndef _UAPI_LINUX_HIPPI_NETLINK_H
#define _UAPI_LINUX_HIPPI_NETLINK_H

#define HIPPI_FAMILY_NAME	"hippi"
#define HIPPI_FAMILY_VERSION	1

/**
 * enum hippi_carrier - What carries the packets of a port.
 * @HIPPI_CARRIER_ETHERNET: A device of Ethernet, by EtherType x'8180'.
 * @HIPPI_CARRIER_HIPPI6400: A port of HIPPI-6400, by EtherType x'8180' on
 *   Virtual Channel 1.
 */
enum hippi_carrier {
	HIPPI_CARRIER_ETHERNET,
	HIPPI_CARRIER_HIPPI6400,
};

enum {
	HIPPI_A_COUNTER_NAME = 1,
	HIPPI_A_COUNTER_VALUE,

	__HIPPI_A_COUNTER_MAX,
	HIPPI_A_COUNTER_MAX = (__HIPPI_A_COUNTER_MAX - 1)
};

enum {
	HIPPI_A_PORT_IFINDEX = 1,
	HIPPI_A_PORT_IFNAME,
	HIPPI_A_PORT_LOWER_IFINDEX,
	HIPPI_A_PORT_LOWER_IFNAME,
	HIPPI_A_PORT_CARRIER,
	HIPPI_A_PORT_ADDRESS,
	HIPPI_A_PORT_PACKET_MAX,
	HIPPI_A_PORT_MTU,
	HIPPI_A_PORT_UP,
	HIPPI_A_PORT_COUNTER,

	__HIPPI_A_PORT_MAX,
	HIPPI_A_PORT_MAX = (__HIPPI_A_PORT_MAX - 1)
};

enum {
	HIPPI_CMD_PORT_GET = 1,
	HIPPI_CMD_PORT_ADD_NTF,
	HIPPI_CMD_PORT_DEL_NTF,
	HIPPI_CMD_PORT_CHANGE_NTF,
	HIPPI_CMD_COUNTERS_GET,

	__HIPPI_CMD_MAX,
	HIPPI_CMD_MAX = (__HIPPI_CMD_MAX - 1)
};

#define HIPPI_MCGRP_PORTS	"ports"

#endif /* _UAPI_LINUX_HIPPI_NETLINK_H */
