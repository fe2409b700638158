/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Scheduled Transfer (ST Rev 1.5) sockets.
 */
#ifndef _UAPI_LINUX_ST_H
#define _UAPI_LINUX_ST_H

#include <linux/socket.h>
#include <linux/sockios.h>
#include <linux/types.h>

/*
 * The kernel has no family number for ST.  This is the number of AF_ASH, which nobody
 * implements.
 */
#define AF_ST		18
#define PF_ST		AF_ST
#define SOL_ST		6400	/* not in use: the kernel counts up from 256 */

/* Lower-layer protocols, ST annex A */
enum st_llp_type {
	ST_LLP_ANY		= 0,
	ST_LLP_HIPPI6400	= 1,	/* ST A.1 */
	ST_LLP_ETHERNET		= 2,	/* ST A.3, A.4.1, A.4.2 */
	ST_LLP_RIO9		= 3,	/* RapidIO Type 9; no part of annex A */
	ST_LLP_FCLE		= 4,	/* Fibre Channel, ST A.5 */
	ST_LLP_FCVI		= 5,	/* Fibre Channel, by FC-VI; no part of annex A */
	ST_LLP_HIPPI_FP		= 6,	/* HIPPI-FP, ST A.2 */
	ST_LLP_PRIVATE		= 255,	/* for experiments and samples */
};

#define ST_ADDR_MAX	16

/**
 * struct sockaddr_st - address of an ST Port
 * @sst_family: AF_ST
 * @sst_port: Port, ST 5.2.1, big-endian; 0 in bind() lets the kernel choose
 * @sst_ifindex: network device; 0 is any
 * @sst_llp: enum st_llp_type; with ST_LLP_ANY connect() chooses among the links that are up: first
 *	by the priority of the LLP (100 for HIPPI-6400, 50 for others), then by the lowest
 *	index of the device, then by the oldest link
 * @sst_alen: bytes used in @sst_addr; 0 in bind() is any
 * @sst_addr: address on that lower layer, the ULA on HIPPI-6400, HIPPI-FP, Ethernet and Fibre
 *	Channel, the destination ID on RapidIO, big-endian, with ST_LLP_FCVI the IPv6 address, or
 *	IPv4-mapped; zero after it
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

/* Ports below this require CAP_NET_BIND_SERVICE */
#define ST_PORT_RESERVED	1024

/*
 * Socket options at level SOL_ST.
 *
 * ST_CHECKSUM: int, 0 or 1.  Whether operations of this socket carry the
 * checksum of ST 8.3.  A received checksum that is not zero is always checked.
 * Set before connect() or listen(); EISCONN after.  Default: sysctl
 * net.st.checksum.
 *
 * ST_ETHERTYPE: int, 0 or 1536 to 65535.  EtherType of the protocol that the
 * application uses over the connection, ST 5.2.6; 0 is none.  connect() sends
 * it to the peer; a listener rejects connections with any other than its own, and
 * accepted sockets inherit it.  Set before connect() or listen(); EISCONN after.
 * Default: 0.
 *
 * ST_ERRORS: struct st_errors, read-only.  The error log of the Port that the
 * socket is bound to, ST clause 10; ENOTCONN if it is bound to none.
 *
 * ST_INFO: struct st_info, read-only.  The Virtual Connection of the socket;
 * ENOTCONN if there has been none.
 */
#define ST_CHECKSUM		1
#define ST_ERRORS		2
#define ST_INFO			3
#define ST_ETHERTYPE		30

/*
 * ST_SERVE: int, bits.  The requests of the peer that this socket answers; accepted
 * sockets inherit the value of their listener.  Default: 0.
 *	ST_SERVE_READS	Reads, ST 6.1.3.  Each is an ST_EVENT_READ_REQUEST; without
 *			this bit the kernel refuses it.
 *	ST_SERVE_INTERRUPTS	operations with the Interrupt flag, ST 7.4.  Each is
 *			an ST_EVENT_INTERRUPT, and so is each repeat of the peer.
 *	ST_SERVE_WRITES	records that ST_WRITES holds.  Each is an
 *			ST_EVENT_WRITE_REQUEST.
 */
#define ST_SERVE		20

#define ST_SERVE_READS		1
#define ST_SERVE_WRITES		2
#define ST_SERVE_INTERRUPTS	4

/*
 * ST_WRITES: int.  The treatment of the records that the peer announces from now
 * on; accepted sockets inherit the value of their listener.
 *	ST_WRITES_TAKE		they are received; the default
 *	ST_WRITES_HOLD		they wait, until the option is set to another
 *				value, or an ST_WRITE_ANSWER decides
 *	ST_WRITES_REFUSE	they are refused: the peer's send fails with
 *				EREMOTEIO
 * Held records are then received, or refused, in the order in which they arrived.
 */
#define ST_WRITES		21

#define ST_WRITES_TAKE		0
#define ST_WRITES_HOLD		1
#define ST_WRITES_REFUSE	2

/*
 * ST_USER_TIMEOUT: int, milliseconds, 0 to 2^31 - 1.  How long an operation may be repeated
 * without an answer until the connection fails with ETIMEDOUT, as TCP_USER_TIMEOUT, instead
 * of net.st.max_retry times; also in connect(), and with SO_KEEPALIVE.  0: net.st.max_retry
 * repeats.  An answer to a part of a request restarts the time.  After
 * close(), for SIOCSTSTATE, and until the peer has confirmed an accepted connection
 * (net.st.confirm_ms) whichever of the two limits is reached first applies.  Accepted sockets
 * inherit the value of their listener.  Default: 0.
 */
#define ST_USER_TIMEOUT		31

/*
 * ST_RECVINFO: int, bits.  Which control messages recvmsg() returns; accepted sockets inherit
 * the value of their listener.  Default: 0.
 *	ST_RECVINFO_RECORD	ST_RECV, of every record
 *	ST_RECVINFO_READ	ST_READ_DATA, of the data of a Read
 */
#define ST_RECVINFO		28

#define ST_RECVINFO_RECORD	1
#define ST_RECVINFO_READ	2

/*
 * ST_SEND_DEFAULT: struct st_send.  How records without ST_SEND are sent; accepted
 * sockets inherit the value of their listener.  Default: zero.
 *
 * ST_OUT_OF_ORDER: int, 0 or 1.  Whether this end claims to send and receive Blocks
 * in any order, ST 8.2.  Unless both ends do, a lost Block ends its Transfer
 * (ST 10.7.8), since it cannot be sent again.  Set before connect() or listen(); EISCONN
 * after.  Default: 1.
 *
 * ST_BLOCK_MAX_SIZE: int, 8 to 20.  log2 of the largest Block that is exposed at a
 * time, ST 6.2.6.  Larger ones let an STU on Data Channel 3 be larger.  Default:
 * 17.
 *
 * ST_KEEP_IDLE: int, seconds, 1 to 32767; EINVAL otherwise.  With SO_KEEPALIVE: the time
 * without operations from the peer after which it is probed by a
 * Request_State for Slots, ST 6.1.1.1.  A peer that does not answer is probed again
 * after Op_timeout, net.st.max_retry times, and then the connection fails with
 * ETIMEDOUT, ST 10.1, 10.2.  So there are no options for interval and count.
 * Accepted sockets inherit the value of their listener, and its SO_KEEPALIVE.
 * Default: 7200.
 *
 * ST_STRIPE: int, 0 or 1.  Whether the connection may run over several links at a time,
 * ST annex B: Blocks arrive over all links that work, those of a failed link over the others.
 * Other addresses of the peer are learnt from operations that it sends from them with the Key
 * of the connection.  Accepted sockets inherit the value of their listener.  0 also clears
 * ST_STRIPE_ADDRS.  Nothing is striped if either end has ST_OUT_OF_ORDER off.  Set before
 * connect() or listen(); EISCONN after.  Default: 0.
 *
 * ST_STRIPE_ADDRS: array of struct sockaddr_st, none to ST_PATHS_MAX - 1 of them.  More
 * paths of a connection with ST_STRIPE; EINVAL without.  Each structure is one path: a device
 * of this end and the peer's address there; sst_llp as in connect(), sst_port 0.  Such an
 * address is not used before the peer has answered a Request_State that is sent there.
 * Set before connect(); EISCONN after.  EINVAL, EAFNOSUPPORT for an invalid address,
 * ENODEV if there is no such device, or no such LLP on it.  Default: none.
 */
#define ST_SEND_DEFAULT		22
#define ST_OUT_OF_ORDER		25
#define ST_BLOCK_MAX_SIZE	23
#define ST_KEEP_IDLE		26
#define ST_STRIPE		27
#define ST_STRIPE_ADDRS		29

/* Paths of a connection */
#define ST_PATHS_MAX		8

/*
 * ioctl() calls: argument and result are in a structure, which begins with its
 * size.  Fields may be added at its end.  A kernel that does not know them requires them to be
 * zero (E2BIG), and takes those that a program does not know as zero.  A size below that of
 * the first version is EINVAL.  Fields that the kernel sets, and fields without a meaning in a
 * call, must be zero (EINVAL).
 *
 * SIOCSTSTATE: struct st_peer_state.  Asks the peer for its state, ST 6.1.1, and waits a round
 * trip for the answer, even with O_NONBLOCK.  The structure holds the question, and then the
 * answer.
 * EINVAL for another question, ENOTCONN, ENOENT if there is no such Transfer, EREMOTEIO
 * if the answer is lost, or the errno with which the connection fails.
 *
 * SIOCSTEXPOSE, SIOCSTALLOC, SIOCSTREQUEST: see persistent memory below.
 */
#define SIOCSTSTATE		(SIOCPROTOPRIVATE + 0)
#define SIOCSTEXPOSE		(SIOCPROTOPRIVATE + 1)
#define SIOCSTALLOC		(SIOCPROTOPRIVATE + 2)
#define SIOCSTREQUEST		(SIOCPROTOPRIVATE + 3)

/* What SIOCSTSTATE asks for, ST 6.1.1 */
#define ST_STATE_SLOTS		0
#define ST_STATE_TRANSFER	1
#define ST_STATE_BLOCK		2

/**
 * struct st_peer_state - a Request_State and its answer
 * @size: of this structure
 * @what: ST_STATE_SLOTS: Slots only; ST_STATE_TRANSFER: also a Transfer that this
 *	socket sends; ST_STATE_BLOCK: also a Block of it
 * @id: except with ST_STATE_SLOTS the sequence identifier of the Transfer; 0: the oldest
 *	that the peer has cleared to send; set to the one that was asked for
 * @block: with ST_STATE_BLOCK its B_num; set to that of the answer, x'FFFFFFFF'
 *	if the Block has not arrived
 * @slots: set to the free Slots of the peer; 0xffff: not counted
 * @known: set to 1 if the peer knows the Transfer
 * @b_seq: set to the last Block that arrived with all before it, ST 6.2.4;
 *	x'FFFFFFFF': none
 * @rtt: set to the time from the last Request_State to its answer, nanoseconds
 */
struct st_peer_state {
	__u32	size;
	__u32	what;
	__u32	id;
	__u32	block;
	__u16	slots;
	__u16	known;
	__u32	b_seq;
	__u64	rtt;
};

#define ST_PEER_STATE_SIZE_VER0	32

/*
 * Options of persistent memory, ST 6.1.4, at level SOL_ST, and calls of ioctl().  A
 * region belongs to one Virtual Connection, and is identified by a handle that is never
 * reused on it.
 *
 * SIOCSTEXPOSE: struct st_region_offer, with ioctl().  Lets the peer use memory of
 * the caller.  It is pinned and counts against RLIMIT_MEMLOCK (ENOBUFS).  The next
 * Request_Memory_Region of the peer that asks for no more than its length is granted;
 * with ST_REGION_ANSWER a waiting one.
 *
 * SIOCSTALLOC: as SIOCSTEXPOSE, but the kernel allocates the memory, a whole number of pages
 * filled with zeros, and the caller can mmap() it.  It also counts against
 * RLIMIT_MEMLOCK, while it is a region and while a part of it is mapped.
 *
 * With an access of 0 or ST_REGION_LOCAL_WRITE the peer cannot use the memory: it is for
 * ST_SEND_FROM, Puts and, with the latter, Gets and FetchOps of this end.
 *
 * ST_REGION_REFUSE: __u32, the id of an ST_EVENT_REGION_REQUEST; ENOENT if no
 * such request waits.
 *
 * ST_REGION_END: __u32, a handle.  Ends the region, from either side, or withdraws
 * an offer.  When the call has returned nothing more is written to the memory,
 * whoever has ended the region.  ENOENT if there is no such region, or its
 * memory has already been released.
 *
 * ST_REGION_EVENTS: int, of ST_REGION_EV_*.  The events that the application asks
 * for.  Without ST_REGION_EV_REQUEST a request without a matching offer is
 * rejected at once; with it the request waits, and causes an event.
 *
 * SIOCSTREQUEST: struct st_region_request, with ioctl().  Requests a region of the peer
 * as soon as it has a Slot (ST 5.2.5), and waits for the answer: EACCES if the peer
 * rejects it, ETIME after SO_RCVTIMEO and ECANCELED after a signal, EAGAIN and EINTR if
 * the peer has not been asked yet, with O_NONBLOCK at once unless ST_REGION_NOWAIT is set,
 * EOPNOTSUPP if the peer has no persistent memory.
 *
 * ST_REGION_INFO: struct st_region_info, with getsockopt() and the handle set;
 * ENOENT if there is no such region.  Any length that includes the handle is accepted,
 * EINVAL otherwise.
 *
 * The three calls of ioctl() fail with ENOBUFS, SIOCSTREQUEST at 64 regions of a peer and
 * the others at a limit of net.st.*, and with ENOTCONN if there is no Virtual Connection.
 * ST_REGION_ANSWER with less memory than the request asks for is EINVAL.
 */
#define ST_REGION_REFUSE	10
#define ST_REGION_END		11
#define ST_REGION_EVENTS	12
#define ST_REGION_INFO		13

/* What the peer may do with a region */
#define ST_REGION_PUT		0x1
#define ST_REGION_GET		0x2
#define ST_REGION_FETCHOP	0x4
/* Use of a region at this end: it receives results of Gets and FetchOps */
#define ST_REGION_LOCAL_WRITE	0x8

/* Flags of struct st_region_offer and struct st_region_request */
#define ST_REGION_ANSWER	0x1	/* grant it to the request in @request */
#define ST_REGION_NOWAIT	0x2	/* an event reports the answer */

/* Of ST_REGION_EVENTS */
#define ST_REGION_EV_REQUEST	0x1	/* ST_EVENT_REGION_REQUEST */
#define ST_REGION_EV_STATE	0x2	/* ST_EVENT_REGION_GRANTED, _END */
#define ST_REGION_EV_PUT	0x4	/* ST_EVENT_PUT */

/**
 * struct st_region_offer - memory for the peer
 * @size: of this structure
 * @flags: 0 or ST_REGION_ANSWER, which needs an access
 * @addr: EXPOSE: address; ALLOC: set to the offset for mmap()
 * @len: bytes
 * @token: comes with every event about the region
 * @access: ST_REGION_PUT, _GET, _FETCHOP; without them only this end uses it.  And
 *	ST_REGION_LOCAL_WRITE, which is implied by memory that the peer may write to, or that
 *	the kernel allocates.
 * @request: with ST_REGION_ANSWER: id of the ST_EVENT_REGION_REQUEST
 * @region: set to the handle
 * @reserved: zero
 */
struct st_region_offer {
	__u32	size;
	__u32	flags;
	__u64	addr;
	__u64	len;
	__u64	token;
	__u32	access;
	__u32	request;
	__u32	region;
	__u32	reserved;
};

#define ST_REGION_OFFER_SIZE_VER0	48

/**
 * struct st_region_request - request for memory of the peer
 * @size: of this structure
 * @flags: 0 or ST_REGION_NOWAIT
 * @len: bytes
 * @token: comes with every event about the region
 * @region: set to the handle
 * @reserved: zero
 */
struct st_region_request {
	__u32	size;
	__u32	flags;
	__u64	len;
	__u64	token;
	__u32	region;
	__u32	reserved;
};

#define ST_REGION_REQUEST_SIZE_VER0	32

/**
 * struct st_region_info - a region, at either side
 * @region: handle, set by the caller
 * @granted: 1 if it can be used
 * @access: ST_REGION_PUT, _GET, _FETCHOP at the side that owns the memory; otherwise 0
 * @reserved: zero
 * @len: bytes
 * @puts: Puts that were executed, or acknowledged
 * @gets: Gets that were executed, or answered
 * @fetchops: FetchOps that were executed, or answered
 */
struct st_region_info {
	__u32	region;
	__u32	granted;
	__u32	access;
	__u32	reserved;
	__u64	len;
	__u64	puts;
	__u64	gets;
	__u64	fetchops;
};

/*
 * Control messages at level SOL_ST.
 *
 * ST_EVENT: struct st_event, from recvmsg() with MSG_ERRQUEUE, one per call.  Reports
 * what happens besides the records of the connection.  While there is an event, poll()
 * reports EPOLLPRI.  A call that finds none fails with EAGAIN; it never blocks.  A program
 * should ignore an event of an unknown type.
 */
#define ST_EVENT		1

/*
 * ST_PUT, ST_GET, ST_FETCHOP: with sendmsg(), one per call and no other message: an
 * operation on a region of the peer.  The call returns when it is complete, with the number of
 * bytes.  With the flag ST_POST it returns 0 once the operation is posted, and
 * ST_EVENT_DONE reports its completion.  Until then memory is pinned, for as long as the peer
 * determines, and counts against RLIMIT_MEMLOCK; EFAULT for a Get into a mapping of a file
 * that is written back.  Operations of a connection may be executed in any order.
 *
 * An operation takes a round trip.  With MSG_DONTWAIT or O_NONBLOCK a call without ST_POST
 * would have to wait, and fails with EAGAIN; a call with ST_POST does so if 64 operations are
 * outstanding.  The operation has then not begun.
 *
 * ENOENT for a handle that is not of a region, ERANGE for bytes outside it, EINVAL for a
 * FetchOp whose address at the peer is not divisible by 8, EACCES if
 * the peer rejects the operation, or if the result belongs in a region of this end without
 * ST_REGION_LOCAL_WRITE, EREMOTEIO if it is lost, or its region ends, ECANCELED
 * if this end ends the region, or the region of the result (an ST_EVENT_DONE
 * of a FetchOp then has the value and no error), ETIME if SO_SNDTIMEO ends a call whose
 * operation the peer may have executed, ENOBUFS if SO_RCVBUF leaves no room for the event or
 * RLIMIT_MEMLOCK none for the memory, EMSGSIZE for more than ST 6.2.3 or
 * net.st.max_transfer allows, or than 32768 STUs, EOPNOTSUPP for a FetchOp if the peer
 * does not support it, and with MSG_ZEROCOPY.  EFAULT for a FetchOp whose result cannot be
 * written: it is then not executed, unless the memory was unmapped while the call waited.
 *
 * ST_PUT: struct st_put.  The bytes of the message go to the region.
 * ST_GET: struct st_get.  The message has no bytes.
 * ST_FETCHOP: struct st_fetchop.  The message has no bytes.
 */
#define ST_PUT			10
#define ST_GET			11
#define ST_FETCHOP		12

#define ST_GET_MAX		65535	/* bytes of a Get, ST 6.2.3 */

/* Flag of struct st_put, st_get and st_fetchop: do not wait for the end of the operation */
#define ST_POST			0x100

/* Flags of struct st_put, ST 8.2 */
#define ST_PUT_SILENT		0x1	/* no event for the peer's application */
#define ST_PUT_INTERRUPT	0x2	/* an event even if the Put is silent */

/**
 * struct st_put - bytes to a region of the peer, ST 6.1.4.2
 * @region: handle
 * @flags: ST_PUT_SILENT, ST_PUT_INTERRUPT, ST_POST
 * @offset: first byte in the region
 * @addr: with @local: first byte there; otherwise zero
 * @len: with @local: bytes; otherwise zero, and the bytes are those of the message
 * @token: comes with ST_EVENT_DONE
 * @local: handle of the region of this end that has the bytes, whose pages are already
 *	pinned; or zero
 * @opaque: for the peer's application, ST 6.2.10
 * @reserved: zero
 */
struct st_put {
	__u32	region;
	__u32	flags;
	__u64	offset;
	__u64	addr;
	__u64	len;
	__u64	token;
	__u32	local;
	__u32	opaque;
	__u64	reserved[2];
};

/**
 * struct st_get - bytes from a region of the peer, ST 6.1.4.3
 * @region: handle
 * @flags: ST_POST or zero
 * @offset: first byte in the region
 * @addr: destination: an address, or with @local the first byte there
 * @len: bytes, at most ST_GET_MAX
 * @token: comes with ST_EVENT_DONE
 * @local: handle of the region of this end for the bytes, whose pages are already
 *	pinned; or zero
 * @reserved: zero
 */
struct st_get {
	__u32	region;
	__u32	flags;
	__u64	offset;
	__u64	addr;
	__u64	len;
	__u64	token;
	__u32	local;
	__u32	reserved[5];
};

/* Operations of struct st_fetchop: Functions of ST 8.2 */
#define ST_FETCH_INCREMENT	1
#define ST_FETCH_DECREMENT	2
#define ST_FETCH_CLEAR		3

/**
 * struct st_fetchop - fetch and change 8 bytes of a region of the peer, ST 6.1.4.4
 * @region: handle
 * @flags: ST_POST or zero
 * @offset: first byte in the region; its place in the peer's memory is
 *	divisible by 8
 * @addr: place of a __u64 that is set to the previous value, in our byte order: an address,
 *	or with @local the first byte there.  With ST_POST the event has the value: zero
 *	without @local.
 * @op: ST_FETCH_*
 * @local: handle of a region of this end that @addr is in, or zero
 * @token: comes with ST_EVENT_DONE
 * @reserved: zero
 */
struct st_fetchop {
	__u32	region;
	__u32	flags;
	__u64	offset;
	__u64	addr;
	__u32	op;
	__u32	local;
	__u64	token;
	__u64	reserved[3];
};

/*
 * ST_READ: struct st_read, in a sendmsg() without bytes.  Requests bytes of the peer:
 * a Read sequence, ST 6.1.3.  They are received as one record, in the order in
 * which the peer answers.  If the peer refuses or gives up, recvmsg() fails in
 * place of that record, with EREMOTEIO, and an ST_EVENT_READ_FAILED identifies the Read
 * and says whether it was refused.  When ST_READS_MAX Reads, or one less than half of our
 * Slots, are not yet received, the call waits, or fails with EAGAIN.  A thread that
 * receives them itself must not wait.  EPIPE after shutdown(SHUT_RD).
 *
 * ST_READ_ANSWER: struct st_read_answer, in a sendmsg() with exactly the bytes
 * that an ST_EVENT_READ_REQUEST asks for, EMSGSIZE otherwise; or, if the request is
 * unlimited, with MSG_MORE and any bytes, and calls without it for the rest; or
 * without bytes and with ST_READ_REFUSE.  ENOENT if the peer has no such request.
 *
 * ST_WRITE_ANSWER: struct st_write_answer, in a sendmsg() without bytes.  Receives
 * or refuses a record that ST_WRITES holds; ENOENT if there is no such record.
 *
 * ST_SEND: struct st_send, in a sendmsg() that begins a record, or with an
 * ST_READ_ANSWER.  How it is sent.
 *
 * ST_SEND_FROM: struct st_send_from, in a sendmsg() without bytes.  The record, or the
 * answer to a Read, is bytes of a region of this end.  Its pages are already pinned, so
 * that the call has to pin none; like other calls, it copies if it must not wait, and
 * copies short records.  Until the record is sent nobody may change the bytes, including the
 * peer with Puts and FetchOps.  ENOENT if there is no such region, ERANGE for bytes outside
 * it, EINVAL for no bytes, EOPNOTSUPP in a stream.  Returns the number of bytes.
 *
 * ST_END: struct st_end, in a sendmsg() without bytes.  Ends a Transfer early,
 * ST 6.1.1.4.  A call that waits for it fails with ECANCELED at this end (nothing more is
 * reported of a record that nobody waits for), and the record with EREMOTEIO at the other,
 * except for a stream that ends between two Blocks; ENOENT if there is no such Transfer.
 *
 * ST_RECV: struct st_recv, from a recvmsg() that returns bytes of a record, or the end
 * of one, if ST_RECVINFO has ST_RECVINFO_RECORD.
 *
 * ST_READ_DATA: struct st_read_data, from a recvmsg() that returns bytes of a Read, or the
 * end of one, if ST_RECVINFO has ST_RECVINFO_READ.
 *
 * Control messages from recvmsg() may become longer: a program uses the part that it knows,
 * whatever cmsg_len is.  Without room they are truncated, MSG_CTRUNC.
 */
#define ST_READ			20
#define ST_READ_ANSWER		21
#define ST_READ_DATA		22
#define ST_SEND			23
#define ST_RECV			24
#define ST_END			25
#define ST_WRITE_ANSWER		26
#define ST_SEND_FROM		27

#define ST_READS_MAX		32

/* Flags of struct st_read, and of an ST_EVENT_READ_REQUEST */
#define ST_READ_INTERRUPT	1	/* the operation has the Interrupt flag, ST 8.2 */

/* Flag of an ST_EVENT_READ_FAILED */
#define ST_READ_REFUSED		1

/**
 * struct st_read - bytes requested from the peer
 * @len: how many, 1 to 2^48; 0: as many as the peer likes to send, unlimited
 * @token: identifies the Read
 * @channel: Data Channel for the bytes, 1 to 3; 0 is 1
 * @flags: ST_READ_INTERRUPT or 0
 */
struct st_read {
	__u64	len;
	__u64	token;
	__u32	channel;
	__u32	flags;
};

/* Flags of struct st_read_answer */
#define ST_READ_REFUSE		1

/**
 * struct st_read_answer - the answer to a Read of the peer
 * @id: of the ST_EVENT_READ_REQUEST
 * @flags: ST_READ_REFUSE or 0
 */
struct st_read_answer {
	__u32	id;
	__u32	flags;
};

/**
 * struct st_read_data - the Read that received bytes belong to
 * @token: of its struct st_read
 * @len: total bytes of it
 */
struct st_read_data {
	__u64	token;
	__u64	len;
};

/* Flags of struct st_send */
#define ST_SEND_SILENT		1
#define ST_SEND_INTERRUPT	2
#define ST_SEND_STATE		4

/**
 * struct st_send - how a record is sent
 * @flags: ST_SEND_SILENT: all Data is Silent, ST 8.2, so that its arrival does not wake
 *	poll() of the peer.  ST_SEND_INTERRUPT: the last Data has the
 *	Interrupt flag, in a stream if it is sent with its end.  ST_SEND_STATE:
 *	every Block is acknowledged, not just the last one that is cleared; without
 *	effect on a Silent record.
 * @opaque: four bytes for the peer, ST 6.2.10; a Read has none
 * @cts_req: Blocks that the peer is advised to expose at a time, ST 6.2.11; 0 is 16
 * @channel: Data Channel, 1 to 3; 0 is 1.  A Read uses the requested one.
 * @max_block: log2 of the largest Block to send, 8 to 48, ST 6.2.5; 0 is the
 *	largest possible, which is never exceeded
 * @reserved: zero
 */
struct st_send {
	__u32	flags;
	__u32	opaque;
	__u16	cts_req;
	__u8	channel;
	__u8	max_block;
	__u32	reserved;
};

/**
 * struct st_send_from - memory that a record is sent from
 * @region: handle of a region of this end
 * @reserved: zero
 * @offset: first byte in the region
 * @len: bytes, not 0
 */
struct st_send_from {
	__u32	region;
	__u32	reserved;
	__u64	offset;
	__u64	len;
};

/* What ST_END ends */
#define ST_END_SEND	0	/* a record that this socket sends */
#define ST_END_RECV	1	/* a record that it receives */
#define ST_END_READ	2	/* a Read that it has requested */

/**
 * struct st_end - a Transfer to be ended
 * @what: ST_END_SEND, ST_END_RECV or ST_END_READ
 * @id: sequence identifier: of struct st_recv; or of struct st_peer_state, or 0 for
 *	the open stream.  For the peer, a stream that ends where a Block does has ended
 *	like any other.  Zero with ST_END_READ.
 * @token: with ST_END_READ that of its struct st_read; otherwise zero
 */
struct st_end {
	__u32	what;
	__u32	id;
	__u64	token;
};

/* Flags of struct st_recv */
#define ST_RECV_OPAQUE		1	/* @opaque is valid */
#define ST_RECV_SILENT		2	/* the last Data was Silent */
#define ST_RECV_INTERRUPT	4	/* Data with the Interrupt flag has arrived */

/**
 * struct st_recv - the record that received bytes belong to
 * @id: our sequence identifier of its Transfer, ST 6.2.1
 * @flags: ST_RECV_OPAQUE, ST_RECV_SILENT and ST_RECV_INTERRUPT
 * @opaque: the last Opaque data that was delivered, ST 6.2.10
 * @channel: Data Channel
 * @len: total bytes of it; 0: unlimited
 * @reserved: zero
 */
struct st_recv {
	__u32	id;
	__u32	flags;
	__u32	opaque;
	__u32	channel;
	__u64	len;
	__u64	reserved[2];
};

/* Flags of struct st_write_answer */
#define ST_WRITE_REFUSE		1

/**
 * struct st_write_answer - decision about a held record
 * @id: of the ST_EVENT_WRITE_REQUEST
 * @flags: ST_WRITE_REFUSE, or 0 to receive it
 */
struct st_write_answer {
	__u32	id;
	__u32	flags;
};

/**
 * enum st_event_type - what has happened
 * @ST_EVENT_LOST: SO_RCVBUF had no room for @len events since the last ST_EVENT_LOST was
 *	read; it is returned when no other event waits, and does not give the place of the
 *	lost events
 * @ST_EVENT_REGION_REQUEST: the peer asks for a region of @len bytes; @id is for
 *	ST_REGION_ANSWER and ST_REGION_REFUSE
 * @ST_EVENT_REGION_GRANTED: region @id of @len bytes has been granted to the peer
 * @ST_EVENT_REGION_READY: the answer to an SIOCSTREQUEST with ST_REGION_NOWAIT
 *	for region @id; @error is 0, or the request was refused
 * @ST_EVENT_REGION_END: region @id has ended, by the peer (@error 0) or with
 *	the connection.  Nothing more is written to its memory.
 * @ST_EVENT_PUT: a Put to region @id that is not silent is complete: @len bytes
 *	from byte @value of the region on; @flags is its Opaque data
 * @ST_EVENT_DONE: an operation posted with ST_POST is complete; @flags is its
 *	control message, @len its bytes, @value the value that a FetchOp has fetched
 * @ST_EVENT_READ_REQUEST: the peer asks for @len bytes, 0: unlimited, on Data
 *	Channel @value, to be answered with an ST_READ_ANSWER that has the same @id;
 *	@flags may have ST_READ_INTERRUPT
 * @ST_EVENT_READ_FAILED: the Read of @len bytes with @token failed; @error is that of
 *	the recvmsg() in its place; @flags has ST_READ_REFUSED if the peer refused it
 * @ST_EVENT_WRITE_REQUEST: a record of @len bytes, 0: unlimited, on Data Channel
 *	@value is held, until an ST_WRITE_ANSWER with the same @id
 * @ST_EVENT_INTERRUPT: an operation arrived with the Interrupt flag; @flags is its Op,
 *	@id its D_id, and @value the Opaque data if it is Data
 */
enum st_event_type {
	ST_EVENT_LOST		= 1,
	ST_EVENT_REGION_REQUEST	= 10,
	ST_EVENT_REGION_GRANTED	= 11,
	ST_EVENT_REGION_READY	= 12,
	ST_EVENT_REGION_END	= 13,
	ST_EVENT_PUT		= 14,
	ST_EVENT_DONE		= 15,
	ST_EVENT_READ_REQUEST	= 20,
	ST_EVENT_READ_FAILED	= 21,
	ST_EVENT_WRITE_REQUEST	= 22,
	ST_EVENT_INTERRUPT	= 23,
};

/*
 * ST_RECVERR: struct sock_extended_err, from recvmsg() with MSG_ERRQUEUE.  Completed
 * sends with MSG_ZEROCOPY: ee_origin is SO_EE_ORIGIN_ZEROCOPY, ee_info
 * and ee_data are the first and the last of them, counted from 0 for the first
 * such send of the socket, and ee_code is SO_EE_CODE_ZEROCOPY_COPIED if a copy
 * was sent.
 */
#define ST_RECVERR		30

/**
 * struct st_event - something that happened on a socket
 * @type: enum st_event_type
 * @error: 0 or a positive errno
 * @id: sequence identifier that it is about, ST 6.2.1
 * @flags: as its type says
 * @len: bytes, as its type says
 * @value: as its type says
 * @token: token of the application
 * @reserved: zero
 */
struct st_event {
	__u32	type;
	__s32	error;
	__u32	id;
	__u32	flags;
	__u64	len;
	__u64	value;
	__u64	token;
	__u64	reserved[3];
};

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
 * @undefined_opcode_value: last Op of an ST_ERR_UNDEFINED_OPCODE
 * @unexpected_opcode_value: last Op of an ST_ERR_UNEXPECTED_OPCODE
 * @reserved: zero
 * @count: how often each error of enum st_error was logged; more may be added
 */
struct st_errors {
	__u8	undefined_opcode_value;
	__u8	unexpected_opcode_value;
	__u8	reserved[6];
	__u64	count[__ST_ERR_MAX];
};

/**
 * struct st_info - a Virtual Connection, ST 5.1
 * @local_key: Key that this end chose, ST 5.2.2
 * @remote_key: Key that the other end chose
 * @local_slots: free Slots of this end, ST 5.2.5
 * @remote_slots: Slots known to be free at the other end; 0xffff: not counted
 * @local_bufsize: log2 of the buffer size of this end, ST 5.2.3
 * @remote_bufsize: log2 of the buffer size of the other end
 * @local_max_stu: log2 of the largest STU this end receives, ST 5.2.4
 * @remote_max_stu: log2 of the largest STU the other end receives
 * @checksum: 1 if operations are sent with a checksum, ST 8.3
 * @out_of_order: 1 if both ends accept Blocks in any order, ST 8.2
 * @reserved: zero
 * @tx_ops: operations sent
 * @rx_ops: operations received and executed
 * @tx_bytes: payload bytes sent in Data operations
 * @rx_bytes: payload bytes placed from Data operations
 * @tx_transfers: Transfers acknowledged by the other end
 * @rx_transfers: Transfers received completely
 * @op_retries: operations repeated, after an Op_timeout (ST 10.1) or before
 * @block_retries: Blocks requested again, ST 10.7.8
 * @rx_direct: of @rx_bytes, those that the lower layer wrote into the pages of
 *	a recvmsg(), a region or a Get, so that nothing copied them
 * @rtt: smoothed round trip of an operation and its answer, microseconds; 0:
 *	none was measured
 * @rttvar: variation of the round trips, microseconds
 * @op_timeout: current Op_timeout, microseconds, ST 10.1
 * @reserved2: zero
 * @tx_short: of @tx_transfers, those sent as short records
 * @rx_short: of @rx_transfers, those received as short records
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
	__u64	rx_direct;
	__u32	rtt;
	__u32	rttvar;
	__u32	op_timeout;
	__u32	reserved2;
	__u64	tx_short;
	__u64	rx_short;
};

#endif
