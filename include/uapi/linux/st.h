/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Scheduled Transfer (ST Rev 1.5) sockets.
 */
#ifndef _UAPI_LINUX_ST_H
#define _UAPI_LINUX_ST_H

#include <linux/socket.h>
#include <linux/types.h>

/*
 * The kernel gives out no family numbers to modules; AF_ASH is defined there
 * and implemented by nobody.
 */
#define AF_ST		18
#define PF_ST		AF_ST
#define SOL_ST		287

/* Lower-layer protocols, ST annex A */
enum st_llp_type {
	ST_LLP_ANY		= 0,
	ST_LLP_HIPPI6400	= 1,	/* ST A.1 */
};

#define ST_ADDR_MAX	16

/**
 * struct sockaddr_st - address of an ST Port
 * @sst_family: AF_ST
 * @sst_port: Port, ST 5.2.1, big-endian; 0 in bind() lets the kernel choose
 * @sst_ifindex: network device; 0 is any
 * @sst_llp: enum st_llp_type; ST_LLP_ANY is the natural one of the device
 * @sst_alen: bytes used in @sst_addr; 0 in bind() is any
 * @sst_addr: address on that lower layer, the ULA on HIPPI-6400
 * @sst_reserved: zero
 */
struct sockaddr_st {
	__kernel_sa_family_t	sst_family;
	__be16			sst_port;
	__s32			sst_ifindex;
	__u8			sst_llp;
	__u8			sst_alen;
	__u8			sst_addr[ST_ADDR_MAX];
	__u8			sst_reserved[2];
};

/* Ports below this need CAP_NET_BIND_SERVICE */
#define ST_PORT_RESERVED	1024

/*
 * Socket options at level SOL_ST.
 *
 * ST_CHECKSUM: int, 0 or 1.  Whether operations of this socket carry the
 * checksum of ST 8.3.  A received checksum that is not zero is always checked.
 * Set before connect() or listen(); EISCONN after.  Default: sysctl
 * net.st.checksum.
 *
 * ST_ERRORS: struct st_errors, read-only.  The error log of the Port that the
 * socket is bound to, ST clause 10; ENOTCONN when it is bound to none.
 *
 * ST_INFO: struct st_info, read-only.  The Virtual Connection of the socket;
 * ENOTCONN when there is none.
 */
#define ST_CHECKSUM		1
#define ST_ERRORS		2
#define ST_INFO			3

/* ST table 10 */
enum st_error {
	ST_ERR_CKSUM,
	ST_ERR_ILLEGAL_BLOCKSIZE,
	ST_ERR_ILLEGAL_BUFSIZE,
	ST_ERR_ILLEGAL_STU_SIZE,
	ST_ERR_IMPROPER_FLAG_USE,
	ST_ERR_INVALID_D_ID,
	ST_ERR_INVALID_KEY,
	ST_ERR_INVALID_MX,
	ST_ERR_INVALID_PORT,
	ST_ERR_MAX_RETRY,
	ST_ERR_OP_TIMEOUT,
	ST_ERR_OUT_OF_ORDER_B_NUM,
	ST_ERR_OUT_OF_ORDER_STU,
	ST_ERR_OUT_OF_RANGE_B_NUM,
	ST_ERR_OUT_OF_RANGE_BUFX,
	ST_ERR_OVERSIZED_OFFSET,
	ST_ERR_SLOTS_EXCEEDED,
	ST_ERR_UNDEFINED_OPCODE,
	ST_ERR_UNEXPECTED_OPCODE,
	ST_ERR_UNKNOWN_ETHERTYPE,
	__ST_ERR_MAX,
};

#define ST_ERR_MAX	(__ST_ERR_MAX - 1)

/**
 * struct st_errors - error log of a Port, ST clause 10
 * @count: how often each error of enum st_error was logged
 * @undefined_opcode_value: last Op of an ST_ERR_UNDEFINED_OPCODE
 * @unexpected_opcode_value: last Op of an ST_ERR_UNEXPECTED_OPCODE
 * @reserved: zero
 */
struct st_errors {
	__u64	count[__ST_ERR_MAX];
	__u8	undefined_opcode_value;
	__u8	unexpected_opcode_value;
	__u8	reserved[6];
};

/**
 * struct st_info - a Virtual Connection, ST 5.1
 * @local_key: Key that this end chose, ST 5.2.2
 * @remote_key: Key that the other end chose
 * @local_slots: Slots that this end has free now, ST 5.2.5
 * @remote_slots: Slots known to be free at the other end; 0xffff: not counted
 * @local_bufsize: log2 of the buffer size of this end, ST 5.2.3
 * @remote_bufsize: log2 of the buffer size of the other end
 * @local_max_stu: log2 of the largest STU this end receives, ST 5.2.4
 * @remote_max_stu: log2 of the largest STU the other end receives
 * @checksum: 1 when operations are sent with a checksum, ST 8.3
 * @out_of_order: 1 when both ends take Blocks in any order, ST 8.2
 * @reserved: zero
 * @tx_ops: operations sent
 * @rx_ops: operations received and executed
 * @tx_bytes: payload bytes sent in Data operations
 * @rx_bytes: payload bytes placed from Data operations
 * @tx_transfers: Transfers acknowledged by the other end
 * @rx_transfers: Transfers received whole
 * @op_retries: operations repeated after an Op_timeout, ST 10.1
 * @block_retries: Blocks asked for again, ST 10.7.8
 */
struct st_info {
	__u32	local_key;
	__u32	remote_key;
	__u16	local_slots;
	__u16	remote_slots;
	__u8	local_bufsize;
	__u8	remote_bufsize;
	__u8	local_max_stu;
	__u8	remote_max_stu;
	__u8	checksum;
	__u8	out_of_order;
	__u8	reserved[6];
	__u64	tx_ops;
	__u64	rx_ops;
	__u64	tx_bytes;
	__u64	rx_bytes;
	__u64	tx_transfers;
	__u64	rx_transfers;
	__u64	op_retries;
	__u64	block_retries;
};

#endif
