/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/fcvi.yaml */
/* YNL-GEN uapi header */
/* To regenerate run: tools/net/ynl/ynl-regen.sh */

#ifndef _UAPI_LINUX_FCVI_NETLINK_H
#define _UAPI_LINUX_FCVI_NETLINK_H

#define FCVI_FAMILY_NAME	"fcvi"
#define FCVI_FAMILY_VERSION	1

/**
 * enum fcvi_vi_state - State of an endpoint, FC-VI 8.2.
 * @FCVI_VI_STATE_IDLE: It has no connection.
 * @FCVI_VI_STATE_PENDING: Pending Connect, its setup is under way.
 * @FCVI_VI_STATE_PENDING_RETRY: Pending Connect Retry, its setup is tried once
 *   more.
 * @FCVI_VI_STATE_CONNECTED: Messages may be sent.
 * @FCVI_VI_STATE_ERROR: Only a Disconnect leads out of it.
 */
enum fcvi_vi_state {
	FCVI_VI_STATE_IDLE,
	FCVI_VI_STATE_PENDING,
	FCVI_VI_STATE_PENDING_RETRY,
	FCVI_VI_STATE_CONNECTED,
	FCVI_VI_STATE_ERROR,
};

/**
 * enum fcvi_vi_role - What an endpoint is in its setup.
 * @FCVI_VI_ROLE_CLIENT: It has sent the request.
 * @FCVI_VI_ROLE_SERVER: It has accepted one.
 * @FCVI_VI_ROLE_PEER: It does both.
 */
enum fcvi_vi_role {
	FCVI_VI_ROLE_CLIENT,
	FCVI_VI_ROLE_SERVER,
	FCVI_VI_ROLE_PEER,
};

/**
 * enum fcvi_vi_level - Reliability level.
 * @FCVI_VI_LEVEL_UNRELIABLE_DELIVERY: Messages may be lost.
 * @FCVI_VI_LEVEL_RELIABLE_DELIVERY: None is lost as long as the connection
 *   stands.
 * @FCVI_VI_LEVEL_RELIABLE_RECEPTION: The same, and each has an answer when its
 *   data are in place.
 */
enum fcvi_vi_level {
	FCVI_VI_LEVEL_UNRELIABLE_DELIVERY = 1,
	FCVI_VI_LEVEL_RELIABLE_DELIVERY,
	FCVI_VI_LEVEL_RELIABLE_RECEPTION,
};

enum {
	FCVI_A_COUNTER_NAME = 1,
	FCVI_A_COUNTER_VALUE,

	__FCVI_A_COUNTER_MAX,
	FCVI_A_COUNTER_MAX = (__FCVI_A_COUNTER_MAX - 1)
};

enum {
	FCVI_A_PORT_IFINDEX = 1,
	FCVI_A_PORT_WWPN,
	FCVI_A_PORT_IFNAME,
	FCVI_A_PORT_COUNTER,

	__FCVI_A_PORT_MAX,
	FCVI_A_PORT_MAX = (__FCVI_A_PORT_MAX - 1)
};

enum {
	FCVI_A_VI_IFINDEX = 1,
	FCVI_A_VI_WWPN,
	FCVI_A_VI_STATE,
	FCVI_A_VI_ROLE,
	FCVI_A_VI_LEVEL,
	FCVI_A_VI_HANDLE,
	FCVI_A_VI_REMOTE_HANDLE,
	FCVI_A_VI_LOCAL_HOST,
	FCVI_A_VI_LOCAL_DISCRIMINATOR,
	FCVI_A_VI_REMOTE_HOST,
	FCVI_A_VI_REMOTE_DISCRIMINATOR,
	FCVI_A_VI_REMOTE_ID,
	FCVI_A_VI_REMOTE_WWPN,
	FCVI_A_VI_MAX_TRANS_SIZE,
	FCVI_A_VI_PIPELINE_DEPTH,
	FCVI_A_VI_SENDS,
	FCVI_A_VI_RECEIVES,
	FCVI_A_VI_RDMA_WRITE,
	FCVI_A_VI_RDMA_READ,
	FCVI_A_VI_PREF,
	FCVI_A_VI_COUNTER,

	__FCVI_A_VI_MAX,
	FCVI_A_VI_MAX = (__FCVI_A_VI_MAX - 1)
};

enum {
	FCVI_CMD_VI_GET = 1,
	FCVI_CMD_COUNTERS_GET,

	__FCVI_CMD_MAX,
	FCVI_CMD_MAX = (__FCVI_CMD_MAX - 1)
};

#endif /* _UAPI_LINUX_FCVI_NETLINK_H */
