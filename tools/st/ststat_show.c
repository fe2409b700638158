// SPDX-License-Identifier: GPL-2.0
/*
 * ststat: attributes, and how they are shown.
 */
#include "ststat.h"

const char *const reliabilities[] = {
	[0]			= "",
	[ST_RELIABILITY_UD]	= "ud",
	[ST_RELIABILITY_RD]	= "rd",
	[ST_RELIABILITY_RR]	= "rr",
	NULL
};

static const char *const link_states[] = {
	[ST_LINK_STATE_DEAD]		= "dead",
	[ST_LINK_STATE_DOWN]		= "down",
	[ST_LINK_STATE_NO_CARRIER]	= "no-carrier",
	[ST_LINK_STATE_UP]		= "up",
	[ST_LINK_STATE_UNUSABLE]	= "unusable",
	NULL
};

static const char *const path_states[] = {
	[ST_PATH_STATE_DOWN]		= "down",
	[ST_PATH_STATE_UP]		= "up",
	[ST_PATH_STATE_MAIN]		= "main",
	NULL
};

static const char *const vc_states[] = {
	[ST_VC_STATE_CLOSED]		= "closed",
	[ST_VC_STATE_CONNECTING]	= "connecting",
	[ST_VC_STATE_ESTABLISHED]	= "established",
	[ST_VC_STATE_DISCONNECTING]	= "disconnecting",
	[ST_VC_STATE_ANSWERED]		= "answered",
	[ST_VC_STATE_HELD]		= "held",
	NULL
};

static const char *const vc_flags[] = {
	"checksum", "remote-checksum", "out-of-order", "accepted", NULL
};

static const char *const directions[] = {
	[ST_DIRECTION_SEND]		= "send",
	[ST_DIRECTION_RECEIVE]		= "receive",
	NULL
};

static const char *const transfer_states[] = {
	[ST_TRANSFER_STATE_QUEUED]	= "queued",
	[ST_TRANSFER_STATE_ANNOUNCED]	= "announced",
	[ST_TRANSFER_STATE_MOVING]	= "moving",
	[ST_TRANSFER_STATE_ENDING]	= "ending",
	NULL
};

static const char *const region_kinds[] = {
	[ST_REGION_KIND_LENT]		= "lent",
	[ST_REGION_KIND_BORROWED]	= "borrowed",
	NULL
};

static const char *const region_states[] = {
	[ST_REGION_STATE_OFFERED]	= "offered",
	[ST_REGION_STATE_REQUESTED]	= "requested",
	[ST_REGION_STATE_GRANTED]	= "granted",
	[ST_REGION_STATE_ENDING]	= "ending",
	NULL
};

static const char *const region_access[] = { "put", "get", "fetchop", NULL };

static const struct field channel_fields[] = {
	PLAIN(ST_A_CHANNEL_INDEX, "index", NUMBER),
	PLAIN(ST_A_CHANNEL_MAX_STU, "max_stu", NUMBER),
	{ 0 }
};

const struct field link_fields[] = {
	PLAIN(ST_A_LINK_IFINDEX, "ifindex", NUMBER),
	PLAIN(ST_A_LINK_IFNAME, "ifname", TEXT),
	PLAIN(ST_A_LINK_LLP, "llp", TEXT),
	PLAIN(ST_A_LINK_LLP_TYPE, "llp_type", NUMBER),
	PLAIN(ST_A_LINK_ADDRESS, "address", ADDRESS),
	NAMED(ST_A_LINK_STATE, "state", NAME, link_states),
	NESTED(ST_A_LINK_CHANNEL, "channel", LIST, channel_fields),
	PLAIN(ST_A_LINK_VCS, "vcs", NUMBER),
	PLAIN(ST_A_LINK_REASON, "reason", TEXT),
	PLAIN(ST_A_LINK_ADDRESS_TEXT, "address_text", TEXT),
	PLAIN(ST_A_LINK_ROUTES, "routes", NUMBER),
	NAMED(ST_A_LINK_RELIABILITY, "reliability", NAME, reliabilities),
	{ 0 }
};

const struct field error_fields[] = {
	PLAIN(ST_A_ERRORS_CKSUM, "cksum", NUMBER),
	PLAIN(ST_A_ERRORS_ILLEGAL_BLOCKSIZE, "illegal_blocksize", NUMBER),
	PLAIN(ST_A_ERRORS_ILLEGAL_BUFSIZE, "illegal_bufsize", NUMBER),
	PLAIN(ST_A_ERRORS_ILLEGAL_STU_SIZE, "illegal_stu_size", NUMBER),
	PLAIN(ST_A_ERRORS_IMPROPER_FLAG_USE, "improper_flag_use", NUMBER),
	PLAIN(ST_A_ERRORS_INVALID_D_ID, "invalid_d_id", NUMBER),
	PLAIN(ST_A_ERRORS_INVALID_KEY, "invalid_key", NUMBER),
	PLAIN(ST_A_ERRORS_INVALID_MX, "invalid_mx", NUMBER),
	PLAIN(ST_A_ERRORS_INVALID_PORT, "invalid_port", NUMBER),
	PLAIN(ST_A_ERRORS_MAX_RETRY, "max_retry", NUMBER),
	PLAIN(ST_A_ERRORS_OP_TIMEOUT, "op_timeout", NUMBER),
	PLAIN(ST_A_ERRORS_OUT_OF_ORDER_B_NUM, "out_of_order_b_num", NUMBER),
	PLAIN(ST_A_ERRORS_OUT_OF_ORDER_STU, "out_of_order_stu", NUMBER),
	PLAIN(ST_A_ERRORS_OUT_OF_RANGE_B_NUM, "out_of_range_b_num", NUMBER),
	PLAIN(ST_A_ERRORS_OUT_OF_RANGE_BUFX, "out_of_range_bufx", NUMBER),
	PLAIN(ST_A_ERRORS_OVERSIZED_OFFSET, "oversized_offset", NUMBER),
	PLAIN(ST_A_ERRORS_SLOTS_EXCEEDED, "slots_exceeded", NUMBER),
	PLAIN(ST_A_ERRORS_UNDEFINED_OPCODE, "undefined_opcode", NUMBER),
	PLAIN(ST_A_ERRORS_UNEXPECTED_OPCODE, "unexpected_opcode", NUMBER),
	PLAIN(ST_A_ERRORS_UNKNOWN_ETHERTYPE, "unknown_ethertype", NUMBER),
	{ 0 }
};

const struct field drop_fields[] = {
	PLAIN(ST_A_DROPS_ILLEGAL_LENGTH, "illegal_length", NUMBER),
	PLAIN(ST_A_DROPS_NO_MEMORY, "no_memory", NUMBER),
	PLAIN(ST_A_DROPS_BACKLOG_FULL, "backlog_full", NUMBER),
	PLAIN(ST_A_DROPS_TOO_MANY_BLOCKS_CLEARED, "too_many_blocks_cleared", NUMBER),
	PLAIN(ST_A_DROPS_NOT_SENT, "not_sent", NUMBER),
	PLAIN(ST_A_DROPS_TOO_MANY_CONNECTIONS, "too_many_connections", NUMBER),
	PLAIN(ST_A_DROPS_TOO_MANY_CONNECTIONS_OF_PEER, "too_many_connections_of_peer", NUMBER),
	PLAIN(ST_A_DROPS_TOO_MUCH_MEMORY_OF_PEER, "too_much_memory_of_peer", NUMBER),
	PLAIN(ST_A_DROPS_TOO_MUCH_MEMORY, "too_much_memory", NUMBER),
	PLAIN(ST_A_DROPS_TOO_MUCH_MEMORY_LOCKED, "too_much_memory_locked", NUMBER),
	PLAIN(ST_A_DROPS_REGION_LIMIT, "region_limit", NUMBER),
	PLAIN(ST_A_DROPS_REGION_REFUSED, "region_refused", NUMBER),
	PLAIN(ST_A_DROPS_TOO_MANY_GETS, "too_many_gets", NUMBER),
	PLAIN(ST_A_DROPS_TOO_MANY_FETCHOPS, "too_many_fetchops", NUMBER),
	PLAIN(ST_A_DROPS_EVENT_LOST, "event_lost", NUMBER),
	PLAIN(ST_A_DROPS_ILLEGAL_FRAME, "illegal_frame", NUMBER),
	PLAIN(ST_A_DROPS_TOO_MANY_ROUTES, "too_many_routes", NUMBER),
	{ 0 }
};

const struct field port_fields[] = {
	PLAIN(ST_A_PORT_PORT, "port", NUMBER),
	PLAIN(ST_A_PORT_LISTENING, "listening", YES),
	PLAIN(ST_A_PORT_SOCKETS, "sockets", NUMBER),
	PLAIN(ST_A_PORT_IFINDEX, "ifindex", NUMBER),
	PLAIN(ST_A_PORT_ADDRESS, "address", ADDRESS),
	PLAIN(ST_A_PORT_BACKLOG, "backlog", NUMBER),
	PLAIN(ST_A_PORT_MAX_BACKLOG, "max_backlog", NUMBER),
	PLAIN(ST_A_PORT_INODE, "inode", NUMBER),
	PLAIN(ST_A_PORT_UID, "uid", NUMBER),
	NESTED(ST_A_PORT_ERRORS, "errors", OBJECT, error_fields),
	PLAIN(ST_A_PORT_UNDEFINED_OPCODE_VALUE, "undefined_opcode_value", NUMBER),
	PLAIN(ST_A_PORT_UNEXPECTED_OPCODE_VALUE, "unexpected_opcode_value", NUMBER),
	PLAIN(ST_A_PORT_DEVICE_GONE, "device_gone", YES),
	{ 0 }
};

const struct field vc_counter_fields[] = {
	PLAIN(ST_A_VC_COUNTERS_TX_OPS, "tx_ops", NUMBER),
	PLAIN(ST_A_VC_COUNTERS_RX_OPS, "rx_ops", NUMBER),
	PLAIN(ST_A_VC_COUNTERS_TX_BYTES, "tx_bytes", NUMBER),
	PLAIN(ST_A_VC_COUNTERS_RX_BYTES, "rx_bytes", NUMBER),
	PLAIN(ST_A_VC_COUNTERS_TX_TRANSFERS, "tx_transfers", NUMBER),
	PLAIN(ST_A_VC_COUNTERS_RX_TRANSFERS, "rx_transfers", NUMBER),
	PLAIN(ST_A_VC_COUNTERS_OP_RETRIES, "op_retries", NUMBER),
	PLAIN(ST_A_VC_COUNTERS_BLOCK_RETRIES, "block_retries", NUMBER),
	PLAIN(ST_A_VC_COUNTERS_RX_DIRECT, "rx_direct", NUMBER),
	PLAIN(ST_A_VC_COUNTERS_TX_SHORT, "tx_short", NUMBER),
	PLAIN(ST_A_VC_COUNTERS_RX_SHORT, "rx_short", NUMBER),
	{ 0 }
};

const struct field path_fields[] = {
	PLAIN(ST_A_PATH_IFINDEX, "ifindex", NUMBER),
	PLAIN(ST_A_PATH_LLP, "llp", TEXT),
	PLAIN(ST_A_PATH_LOCAL_ADDRESS, "local_address", ADDRESS),
	PLAIN(ST_A_PATH_REMOTE_ADDRESS, "remote_address", ADDRESS),
	NAMED(ST_A_PATH_STATE, "state", NAME, path_states),
	PLAIN(ST_A_PATH_BLOCKS, "blocks", NUMBER),
	PLAIN(ST_A_PATH_QUOTA, "quota", NUMBER),
	PLAIN(ST_A_PATH_TX_BYTES, "tx_bytes", NUMBER),
	PLAIN(ST_A_PATH_RX_BYTES, "rx_bytes", NUMBER),
	PLAIN(ST_A_PATH_LOCAL_ADDRESS_TEXT, "local_address_text", TEXT),
	PLAIN(ST_A_PATH_REMOTE_ADDRESS_TEXT, "remote_address_text", TEXT),
	{ 0 }
};

static const struct field host_address_fields[] = {
	PLAIN(ST_A_HOST_ADDRESS_IFINDEX, "ifindex", NUMBER),
	PLAIN(ST_A_HOST_ADDRESS_LLP, "llp", TEXT),
	PLAIN(ST_A_HOST_ADDRESS_ADDRESS, "address", ADDRESS),
	PLAIN(ST_A_HOST_ADDRESS_ADDRESS_TEXT, "address_text", TEXT),
	{ 0 }
};

const struct field stripe_fields[] = {
	NESTED(ST_A_STRIPE_ADDRESS, "address", LIST, host_address_fields),
	{ 0 }
};

const struct field vc_fields[] = {
	PLAIN(ST_A_VC_COOKIE, "cookie", NUMBER),
	PLAIN(ST_A_VC_LOCAL_PORT, "local_port", NUMBER),
	PLAIN(ST_A_VC_REMOTE_PORT, "remote_port", NUMBER),
	PLAIN(ST_A_VC_IFINDEX, "ifindex", NUMBER),
	PLAIN(ST_A_VC_REMOTE_ADDRESS, "remote_address", ADDRESS),
	PLAIN(ST_A_VC_UID, "uid", NUMBER),
	PLAIN(ST_A_VC_INODE, "inode", NUMBER),
	NAMED(ST_A_VC_STATE, "state", NAME, vc_states),
	PLAIN(ST_A_VC_LLP, "llp", TEXT),
	PLAIN(ST_A_VC_LOCAL_ADDRESS, "local_address", ADDRESS),
	PLAIN(ST_A_VC_LOCAL_KEY, "local_key", NUMBER),
	PLAIN(ST_A_VC_REMOTE_KEY, "remote_key", NUMBER),
	PLAIN(ST_A_VC_LOCAL_SLOTS, "local_slots", NUMBER),
	PLAIN(ST_A_VC_REMOTE_SLOTS, "remote_slots", NUMBER),
	PLAIN(ST_A_VC_LOCAL_BUFSIZE, "local_bufsize", NUMBER),
	PLAIN(ST_A_VC_REMOTE_BUFSIZE, "remote_bufsize", NUMBER),
	PLAIN(ST_A_VC_LOCAL_MAX_STU, "local_max_stu", NUMBER),
	PLAIN(ST_A_VC_REMOTE_MAX_STU, "remote_max_stu", NUMBER),
	NAMED(ST_A_VC_FLAGS, "flags", FLAGS, vc_flags),
	NESTED(ST_A_VC_COUNTERS, "counters", OBJECT, vc_counter_fields),
	PLAIN(ST_A_VC_TX_QUEUED, "tx_queued", NUMBER),
	PLAIN(ST_A_VC_RX_QUEUED, "rx_queued", NUMBER),
	PLAIN(ST_A_VC_RX_MEMORY, "rx_memory", NUMBER),
	PLAIN(ST_A_VC_IDLE, "idle", NUMBER),
	PLAIN(ST_A_VC_ERROR, "error", NUMBER),
	PLAIN(ST_A_VC_TX_STU, "tx_stu", NUMBER),
	PLAIN(ST_A_VC_RTT, "rtt", NUMBER),
	PLAIN(ST_A_VC_RTT_VAR, "rtt_var", NUMBER),
	PLAIN(ST_A_VC_OP_TIMEOUT, "op_timeout", NUMBER),
	NESTED(ST_A_VC_PATH, "path", LIST, path_fields),
	PLAIN(ST_A_VC_LOCAL_ADDRESS_TEXT, "local_address_text", TEXT),
	PLAIN(ST_A_VC_REMOTE_ADDRESS_TEXT, "remote_address_text", TEXT),
	{ 0 }
};

const struct field transfer_fields[] = {
	PLAIN(ST_A_TRANSFER_COOKIE, "cookie", NUMBER),
	PLAIN(ST_A_TRANSFER_LOCAL_PORT, "local_port", NUMBER),
	PLAIN(ST_A_TRANSFER_REMOTE_PORT, "remote_port", NUMBER),
	PLAIN(ST_A_TRANSFER_IFINDEX, "ifindex", NUMBER),
	PLAIN(ST_A_TRANSFER_REMOTE_ADDRESS, "remote_address", ADDRESS),
	PLAIN(ST_A_TRANSFER_UID, "uid", NUMBER),
	PLAIN(ST_A_TRANSFER_INODE, "inode", NUMBER),
	NAMED(ST_A_TRANSFER_DIRECTION, "direction", NAME, directions),
	NAMED(ST_A_TRANSFER_STATE, "state", NAME, transfer_states),
	PLAIN(ST_A_TRANSFER_ID, "id", NUMBER),
	PLAIN(ST_A_TRANSFER_REMOTE_ID, "remote_id", NUMBER),
	PLAIN(ST_A_TRANSFER_LENGTH, "length", NUMBER),
	PLAIN(ST_A_TRANSFER_DONE, "done", NUMBER),
	PLAIN(ST_A_TRANSFER_READ, "read", NUMBER),
	PLAIN(ST_A_TRANSFER_BLOCKSIZE, "blocksize", NUMBER),
	PLAIN(ST_A_TRANSFER_BLOCKS, "blocks", NUMBER),
	{ 0 }
};

const struct field region_fields[] = {
	PLAIN(ST_A_REGION_COOKIE, "cookie", NUMBER),
	PLAIN(ST_A_REGION_LOCAL_PORT, "local_port", NUMBER),
	PLAIN(ST_A_REGION_REMOTE_PORT, "remote_port", NUMBER),
	PLAIN(ST_A_REGION_IFINDEX, "ifindex", NUMBER),
	PLAIN(ST_A_REGION_REMOTE_ADDRESS, "remote_address", ADDRESS),
	PLAIN(ST_A_REGION_UID, "uid", NUMBER),
	PLAIN(ST_A_REGION_INODE, "inode", NUMBER),
	NAMED(ST_A_REGION_KIND, "kind", NAME, region_kinds),
	NAMED(ST_A_REGION_STATE, "state", NAME, region_states),
	PLAIN(ST_A_REGION_ID, "id", NUMBER),
	PLAIN(ST_A_REGION_REMOTE_ID, "remote_id", NUMBER),
	NAMED(ST_A_REGION_ACCESS, "access", FLAGS, region_access),
	PLAIN(ST_A_REGION_MAPPED, "mapped", YES),
	PLAIN(ST_A_REGION_LENGTH, "length", NUMBER),
	PLAIN(ST_A_REGION_SIZE, "size", NUMBER),
	PLAIN(ST_A_REGION_PUTS, "puts", NUMBER),
	PLAIN(ST_A_REGION_GETS, "gets", NUMBER),
	PLAIN(ST_A_REGION_FETCHOPS, "fetchops", NUMBER),
	PLAIN(ST_A_REGION_OUTSTANDING, "outstanding", NUMBER),
	{ 0 }
};

const struct field counters_fields[] = {
	NESTED(ST_A_COUNTERS_DROPS, "drops", OBJECT, drop_fields),
	NESTED(ST_A_COUNTERS_ERRORS, "errors", OBJECT, error_fields),
	{ 0 }
};
