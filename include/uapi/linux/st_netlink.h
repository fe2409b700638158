/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/st.yaml */
/* YNL-GEN uapi header */
/* To regenerate run: tools/net/ynl/ynl-regen.sh */

#ifndef _UAPI_LINUX_ST_NETLINK_H
#define _UAPI_LINUX_ST_NETLINK_H

#define ST_FAMILY_NAME		"st"
#define ST_FAMILY_VERSION	1

/**
 * enum st_link_state - Whether Virtual Connections can be set up over a link.
 * @ST_LINK_STATE_DEAD: The link is being removed.
 * @ST_LINK_STATE_DOWN: The device is down.
 * @ST_LINK_STATE_NO_CARRIER: The device is up and has no carrier.
 * @ST_LINK_STATE_UP: The device is up and has a carrier.
 * @ST_LINK_STATE_UNUSABLE: No frame of ST arrives at the device, whether up or
 *   down; reason has the cause.
 */
enum st_link_state {
	ST_LINK_STATE_DEAD,
	ST_LINK_STATE_DOWN,
	ST_LINK_STATE_NO_CARRIER,
	ST_LINK_STATE_UP,
	ST_LINK_STATE_UNUSABLE,
};

/**
 * enum st_reliability - How reliable the connections of a link are, FC-VI 7.3.
 * @ST_RELIABILITY_UD: Unreliable Delivery, what is lost is only missing.
 * @ST_RELIABILITY_RD: Reliable Delivery, a loss ends the connection.
 * @ST_RELIABILITY_RR: Reliable Reception, so does one that the receiver finds.
 */
enum st_reliability {
	ST_RELIABILITY_UD = 1,
	ST_RELIABILITY_RD,
	ST_RELIABILITY_RR,
};

/**
 * enum st_vc_state - Setup and teardown of a Virtual Connection, ST 5.1.
 * @ST_VC_STATE_CLOSED: It was given up and no longer exists.
 * @ST_VC_STATE_CONNECTING: A Request_Connection was sent, or is due when the
 *   LLP has connected to the address.
 * @ST_VC_STATE_ESTABLISHED: It can be used.
 * @ST_VC_STATE_DISCONNECTING: This end tears it down; a Request_Disconnect was
 *   sent.
 * @ST_VC_STATE_ANSWERED: The other end tears it down; a Disconnect_Answer was
 *   sent.
 * @ST_VC_STATE_HELD: It is torn down; Port and Key are kept for late teardown
 *   operations.
 */
enum st_vc_state {
	ST_VC_STATE_CLOSED,
	ST_VC_STATE_CONNECTING,
	ST_VC_STATE_ESTABLISHED,
	ST_VC_STATE_DISCONNECTING,
	ST_VC_STATE_ANSWERED,
	ST_VC_STATE_HELD,
};

/**
 * enum st_vc_flags - Properties of a Virtual Connection.
 * @ST_VC_FLAGS_CHECKSUM: Operations are sent with a checksum, ST 8.3.
 * @ST_VC_FLAGS_REMOTE_CHECKSUM: The other end has sent an operation with a
 *   checksum.
 * @ST_VC_FLAGS_OUT_OF_ORDER: Both ends accept Blocks in any order, ST 8.2.
 * @ST_VC_FLAGS_ACCEPTED: The other end requested the Virtual Connection.
 */
enum st_vc_flags {
	ST_VC_FLAGS_CHECKSUM = 1,
	ST_VC_FLAGS_REMOTE_CHECKSUM = 2,
	ST_VC_FLAGS_OUT_OF_ORDER = 4,
	ST_VC_FLAGS_ACCEPTED = 8,
};

/**
 * enum st_direction - Direction of the Data of a Transfer.
 * @ST_DIRECTION_SEND: This end is the data Source.
 * @ST_DIRECTION_RECEIVE: This end is the data Destination.
 */
enum st_direction {
	ST_DIRECTION_SEND,
	ST_DIRECTION_RECEIVE,
};

/**
 * enum st_transfer_state - Progress of a Transfer.
 * @ST_TRANSFER_STATE_QUEUED: It is not yet announced to the other end.
 * @ST_TRANSFER_STATE_ANNOUNCED: It is announced, and no Block of it is exposed
 *   yet.
 * @ST_TRANSFER_STATE_MOVING: Blocks of it are or were exposed.
 * @ST_TRANSFER_STATE_ENDING: It is given up or complete, and the other end has
 *   not confirmed the End.
 */
enum st_transfer_state {
	ST_TRANSFER_STATE_QUEUED,
	ST_TRANSFER_STATE_ANNOUNCED,
	ST_TRANSFER_STATE_MOVING,
	ST_TRANSFER_STATE_ENDING,
};

/**
 * enum st_region_kind - The owner of the memory of a region.
 * @ST_REGION_KIND_LENT: It is memory of this end.
 * @ST_REGION_KIND_BORROWED: It is memory of the other end, and this end uses
 *   it.
 */
enum st_region_kind {
	ST_REGION_KIND_LENT,
	ST_REGION_KIND_BORROWED,
};

/**
 * enum st_region_state - Life cycle of a region.
 * @ST_REGION_STATE_OFFERED: Lent, and not granted to a request of the other
 *   end; without an access it never is.
 * @ST_REGION_STATE_REQUESTED: Borrowed, and the other end has not granted it
 *   yet.
 * @ST_REGION_STATE_GRANTED: It can be used.
 * @ST_REGION_STATE_ENDING: This end has ended it, and the other end has not
 *   confirmed the End. The memory is no longer accessed.
 */
enum st_region_state {
	ST_REGION_STATE_OFFERED,
	ST_REGION_STATE_REQUESTED,
	ST_REGION_STATE_GRANTED,
	ST_REGION_STATE_ENDING,
};

/**
 * enum st_region_access - What the other end may do with a region that is lent
 *   to it.
 * @ST_REGION_ACCESS_PUT: Write to it, ST 6.1.4.2.
 * @ST_REGION_ACCESS_GET: Read from it, ST 6.1.4.3.
 * @ST_REGION_ACCESS_FETCHOP: Fetch and change a word of it, ST 6.1.4.4.
 */
enum st_region_access {
	ST_REGION_ACCESS_PUT = 1,
	ST_REGION_ACCESS_GET = 2,
	ST_REGION_ACCESS_FETCHOP = 4,
};

/**
 * enum st_path_state - Whether a path of a Virtual Connection works.
 * @ST_PATH_STATE_DOWN: It has no medium, or the other end has not answered;
 *   probes are repeated.
 * @ST_PATH_STATE_UP: Blocks are cleared over it.
 * @ST_PATH_STATE_MAIN: Control operations use it, too.
 */
enum st_path_state {
	ST_PATH_STATE_DOWN,
	ST_PATH_STATE_UP,
	ST_PATH_STATE_MAIN,
};

enum {
	ST_A_CHANNEL_INDEX = 1,
	ST_A_CHANNEL_MAX_STU,

	__ST_A_CHANNEL_MAX,
	ST_A_CHANNEL_MAX = (__ST_A_CHANNEL_MAX - 1)
};

enum {
	ST_A_LINK_IFINDEX = 1,
	ST_A_LINK_IFNAME,
	ST_A_LINK_LLP,
	ST_A_LINK_LLP_TYPE,
	ST_A_LINK_ADDRESS,
	ST_A_LINK_STATE,
	ST_A_LINK_CHANNEL,
	ST_A_LINK_VCS,
	ST_A_LINK_REASON,
	ST_A_LINK_ADDRESS_TEXT,
	ST_A_LINK_ROUTES,
	ST_A_LINK_STU,
	ST_A_LINK_RELIABILITY,

	__ST_A_LINK_MAX,
	ST_A_LINK_MAX = (__ST_A_LINK_MAX - 1)
};

enum {
	ST_A_ERRORS_CKSUM = 1,
	ST_A_ERRORS_ILLEGAL_BLOCKSIZE,
	ST_A_ERRORS_ILLEGAL_BUFSIZE,
	ST_A_ERRORS_ILLEGAL_STU_SIZE,
	ST_A_ERRORS_IMPROPER_FLAG_USE,
	ST_A_ERRORS_INVALID_D_ID,
	ST_A_ERRORS_INVALID_KEY,
	ST_A_ERRORS_INVALID_MX,
	ST_A_ERRORS_INVALID_PORT,
	ST_A_ERRORS_MAX_RETRY,
	ST_A_ERRORS_OP_TIMEOUT,
	ST_A_ERRORS_OUT_OF_ORDER_B_NUM,
	ST_A_ERRORS_OUT_OF_ORDER_STU,
	ST_A_ERRORS_OUT_OF_RANGE_B_NUM,
	ST_A_ERRORS_OUT_OF_RANGE_BUFX,
	ST_A_ERRORS_OVERSIZED_OFFSET,
	ST_A_ERRORS_SLOTS_EXCEEDED,
	ST_A_ERRORS_UNDEFINED_OPCODE,
	ST_A_ERRORS_UNEXPECTED_OPCODE,
	ST_A_ERRORS_UNKNOWN_ETHERTYPE,

	__ST_A_ERRORS_MAX,
	ST_A_ERRORS_MAX = (__ST_A_ERRORS_MAX - 1)
};

enum {
	ST_A_DROPS_ILLEGAL_LENGTH = 1,
	ST_A_DROPS_NO_MEMORY,
	ST_A_DROPS_BACKLOG_FULL,
	ST_A_DROPS_TOO_MANY_BLOCKS_CLEARED,
	ST_A_DROPS_NOT_SENT,
	ST_A_DROPS_TOO_MANY_CONNECTIONS,
	ST_A_DROPS_TOO_MANY_CONNECTIONS_OF_PEER,
	ST_A_DROPS_TOO_MUCH_MEMORY_OF_PEER,
	ST_A_DROPS_TOO_MUCH_MEMORY,
	ST_A_DROPS_TOO_MUCH_MEMORY_LOCKED,
	ST_A_DROPS_REGION_LIMIT,
	ST_A_DROPS_REGION_REFUSED,
	ST_A_DROPS_TOO_MANY_GETS,
	ST_A_DROPS_TOO_MANY_FETCHOPS,
	ST_A_DROPS_EVENT_LOST,
	ST_A_DROPS_ILLEGAL_FRAME,
	ST_A_DROPS_TOO_MANY_ROUTES,

	__ST_A_DROPS_MAX,
	ST_A_DROPS_MAX = (__ST_A_DROPS_MAX - 1)
};

enum {
	ST_A_PORT_PORT = 1,
	ST_A_PORT_LISTENING,
	ST_A_PORT_SOCKETS,
	ST_A_PORT_IFINDEX,
	ST_A_PORT_ADDRESS,
	ST_A_PORT_BACKLOG,
	ST_A_PORT_MAX_BACKLOG,
	ST_A_PORT_INODE,
	ST_A_PORT_UID,
	ST_A_PORT_ERRORS,
	ST_A_PORT_UNDEFINED_OPCODE_VALUE,
	ST_A_PORT_UNEXPECTED_OPCODE_VALUE,
	ST_A_PORT_DEVICE_GONE,

	__ST_A_PORT_MAX,
	ST_A_PORT_MAX = (__ST_A_PORT_MAX - 1)
};

enum {
	ST_A_PATH_IFINDEX = 1,
	ST_A_PATH_LLP,
	ST_A_PATH_LOCAL_ADDRESS,
	ST_A_PATH_REMOTE_ADDRESS,
	ST_A_PATH_STATE,
	ST_A_PATH_BLOCKS,
	ST_A_PATH_QUOTA,
	ST_A_PATH_TX_BYTES,
	ST_A_PATH_RX_BYTES,
	ST_A_PATH_LOCAL_ADDRESS_TEXT,
	ST_A_PATH_REMOTE_ADDRESS_TEXT,

	__ST_A_PATH_MAX,
	ST_A_PATH_MAX = (__ST_A_PATH_MAX - 1)
};

enum {
	ST_A_HOST_ADDRESS_IFINDEX = 1,
	ST_A_HOST_ADDRESS_LLP,
	ST_A_HOST_ADDRESS_ADDRESS,
	ST_A_HOST_ADDRESS_ADDRESS_TEXT,

	__ST_A_HOST_ADDRESS_MAX,
	ST_A_HOST_ADDRESS_MAX = (__ST_A_HOST_ADDRESS_MAX - 1)
};

enum {
	ST_A_STRIPE_ADDRESS = 1,

	__ST_A_STRIPE_MAX,
	ST_A_STRIPE_MAX = (__ST_A_STRIPE_MAX - 1)
};

enum {
	ST_A_VC_COUNTERS_TX_OPS = 1,
	ST_A_VC_COUNTERS_RX_OPS,
	ST_A_VC_COUNTERS_TX_BYTES,
	ST_A_VC_COUNTERS_RX_BYTES,
	ST_A_VC_COUNTERS_TX_TRANSFERS,
	ST_A_VC_COUNTERS_RX_TRANSFERS,
	ST_A_VC_COUNTERS_OP_RETRIES,
	ST_A_VC_COUNTERS_BLOCK_RETRIES,
	ST_A_VC_COUNTERS_RX_DIRECT,
	ST_A_VC_COUNTERS_TX_SHORT,
	ST_A_VC_COUNTERS_RX_SHORT,

	__ST_A_VC_COUNTERS_MAX,
	ST_A_VC_COUNTERS_MAX = (__ST_A_VC_COUNTERS_MAX - 1)
};

enum {
	ST_A_VC_COOKIE = 1,
	ST_A_VC_LOCAL_PORT,
	ST_A_VC_REMOTE_PORT,
	ST_A_VC_IFINDEX,
	ST_A_VC_REMOTE_ADDRESS,
	ST_A_VC_UID,
	ST_A_VC_INODE,
	ST_A_VC_STATE,
	ST_A_VC_LLP,
	ST_A_VC_LOCAL_ADDRESS,
	ST_A_VC_LOCAL_KEY,
	ST_A_VC_REMOTE_KEY,
	ST_A_VC_LOCAL_SLOTS,
	ST_A_VC_REMOTE_SLOTS,
	ST_A_VC_LOCAL_BUFSIZE,
	ST_A_VC_REMOTE_BUFSIZE,
	ST_A_VC_LOCAL_MAX_STU,
	ST_A_VC_REMOTE_MAX_STU,
	ST_A_VC_FLAGS,
	ST_A_VC_COUNTERS,
	ST_A_VC_TX_QUEUED,
	ST_A_VC_RX_QUEUED,
	ST_A_VC_RX_MEMORY,
	ST_A_VC_IDLE,
	ST_A_VC_ERROR,
	ST_A_VC_TX_STU,
	ST_A_VC_RTT,
	ST_A_VC_RTT_VAR,
	ST_A_VC_OP_TIMEOUT,
	ST_A_VC_PATH,
	ST_A_VC_LOCAL_ADDRESS_TEXT,
	ST_A_VC_REMOTE_ADDRESS_TEXT,

	__ST_A_VC_MAX,
	ST_A_VC_MAX = (__ST_A_VC_MAX - 1)
};

enum {
	ST_A_TRANSFER_COOKIE = 1,
	ST_A_TRANSFER_LOCAL_PORT,
	ST_A_TRANSFER_REMOTE_PORT,
	ST_A_TRANSFER_IFINDEX,
	ST_A_TRANSFER_REMOTE_ADDRESS,
	ST_A_TRANSFER_UID,
	ST_A_TRANSFER_INODE,
	ST_A_TRANSFER_DIRECTION,
	ST_A_TRANSFER_STATE,
	ST_A_TRANSFER_ID,
	ST_A_TRANSFER_REMOTE_ID,
	ST_A_TRANSFER_LENGTH,
	ST_A_TRANSFER_DONE,
	ST_A_TRANSFER_READ,
	ST_A_TRANSFER_BLOCKSIZE,
	ST_A_TRANSFER_BLOCKS,

	__ST_A_TRANSFER_MAX,
	ST_A_TRANSFER_MAX = (__ST_A_TRANSFER_MAX - 1)
};

enum {
	ST_A_COUNTERS_DROPS = 1,
	ST_A_COUNTERS_ERRORS,

	__ST_A_COUNTERS_MAX,
	ST_A_COUNTERS_MAX = (__ST_A_COUNTERS_MAX - 1)
};

enum {
	ST_A_REGION_COOKIE = 1,
	ST_A_REGION_LOCAL_PORT,
	ST_A_REGION_REMOTE_PORT,
	ST_A_REGION_IFINDEX,
	ST_A_REGION_REMOTE_ADDRESS,
	ST_A_REGION_UID,
	ST_A_REGION_INODE,
	ST_A_REGION_KIND,
	ST_A_REGION_STATE,
	ST_A_REGION_ID,
	ST_A_REGION_REMOTE_ID,
	ST_A_REGION_ACCESS,
	ST_A_REGION_MAPPED,
	ST_A_REGION_LENGTH,
	ST_A_REGION_SIZE,
	ST_A_REGION_PUTS,
	ST_A_REGION_GETS,
	ST_A_REGION_FETCHOPS,
	ST_A_REGION_OUTSTANDING,

	__ST_A_REGION_MAX,
	ST_A_REGION_MAX = (__ST_A_REGION_MAX - 1)
};

enum {
	ST_A_ADDRESS_IFINDEX = 1,
	ST_A_ADDRESS_LLP,
	ST_A_ADDRESS_LLP_TYPE,
	ST_A_ADDRESS_ADDRESS,
	ST_A_ADDRESS_TEXT,
	ST_A_ADDRESS_TIMEOUT,

	__ST_A_ADDRESS_MAX,
	ST_A_ADDRESS_MAX = (__ST_A_ADDRESS_MAX - 1)
};

enum {
	ST_CMD_LINK_GET = 1,
	ST_CMD_PORT_GET,
	ST_CMD_VC_GET,
	ST_CMD_TRANSFER_GET,
	ST_CMD_COUNTERS_GET,
	ST_CMD_LINK_ADD_NTF,
	ST_CMD_LINK_DEL_NTF,
	ST_CMD_VC_ESTABLISHED_NTF,
	ST_CMD_VC_END_NTF,
	ST_CMD_REGION_GET,
	ST_CMD_LINK_ADD,
	ST_CMD_LINK_DEL,
	ST_CMD_STRIPE_GET,
	ST_CMD_STRIPE_ADD,
	ST_CMD_STRIPE_DEL,
	ST_CMD_VC_DEL,
	ST_CMD_LINK_CHANGE_NTF,
	ST_CMD_ADDRESS_GET,

	__ST_CMD_MAX,
	ST_CMD_MAX = (__ST_CMD_MAX - 1)
};

#define ST_MCGRP_MGMT	"mgmt"
#define ST_MCGRP_VC	"vc"

#endif /* _UAPI_LINUX_ST_NETLINK_H */
