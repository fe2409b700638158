/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Fibre Channel FC-VI for programs: the device /dev/fcvi, which has the Virtual Interface
 * Architecture (VI-ARCH, VI-DG).  libvipl is the library on it.
 *
 * An open file is the access of one process to one port.  It is for the process that has opened the
 * port with it: other processes that have the file, as children do, get EPERM.  What the file has
 * made goes away, connections are lost and memory is unpinned, when this process closes one of its
 * descriptors of the file, unmaps fcvi_dev_open.life, execs or ends, whoever else has the file.
 *
 * Protection tags, completion queues, endpoints (VIs) and connection requests have numbers within
 * the file, from 1 on; 0 is none.  A memory handle is a number within the port.
 *
 * Reserved members are zero, EINVAL otherwise.  All structures are the same for programs of 32 and
 * of 64 bits.  Integers are in the byte order of the machine; Descriptors are little-endian.
 *
 * Errors of every call: EPERM: the file is another process's; ENXIO: it has no port yet; ENODEV:
 * the port is gone; ESHUTDOWN: the file was shut down; EFAULT: the structure is not in memory;
 * EINVAL: a reserved member is not zero, a number is not known, or a value is wrong; ENOMEM;
 * ENOTTY: there is no such call.  A call that waits can be interrupted by a signal: EINTR, or it is
 * restarted.
 */
#ifndef _UAPI_LINUX_FCVI_H
#define _UAPI_LINUX_FCVI_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* fcvi_dev_port.version */
#define FCVI_DEV_VERSION	1

#define FCVI_DEV_NAMSIZ		16	/* as IFNAMSIZ */
#define FCVI_DEV_DISCRIM_MIN	16	/* FC-VI 7.2 */
#define FCVI_DEV_DISCRIM_MAX	128

/* A timeout that never ends */
#define FCVI_DEV_INFINITE	0xffffffffU

/* How long a connection point is found after a look without waiting, in milliseconds */
#define FCVI_DEV_POLL_MS	1000

/**
 * enum fcvi_dev_level - reliability level, as FC-VI 7.3 numbers it and VIPL does not
 * @FCVI_DEV_UD: Unreliable Delivery
 * @FCVI_DEV_RD: Reliable Delivery
 * @FCVI_DEV_RR: Reliable Reception
 */
enum fcvi_dev_level {
	FCVI_DEV_UD	= 1,
	FCVI_DEV_RD	= 2,
	FCVI_DEV_RR	= 3,
};

/* Rights of others to memory, by the endpoint and by the region: both have to allow it */
#define FCVI_DEV_RDMA_WRITE	0x1
#define FCVI_DEV_RDMA_READ	0x2
/* Of an endpoint: its Messages have the Preference function, FC-VI 5.8.2 */
#define FCVI_DEV_PREF		0x4

/**
 * enum fcvi_dev_queue - a work queue of an endpoint
 * @FCVI_DEV_SEND: send queue
 * @FCVI_DEV_RECV: receive queue
 */
enum fcvi_dev_queue {
	FCVI_DEV_SEND,
	FCVI_DEV_RECV,
};

/**
 * enum fcvi_dev_state - state of an endpoint
 * @FCVI_DEV_IDLE: as it is made
 * @FCVI_DEV_CONNECTED: Messages may be sent
 * @FCVI_DEV_PENDING: a Connection Setup is under way
 * @FCVI_DEV_ERROR: only FCVI_IOC_DISCONNECT leads out of it
 */
enum fcvi_dev_state {
	FCVI_DEV_IDLE,
	FCVI_DEV_CONNECTED,
	FCVI_DEV_PENDING,
	FCVI_DEV_ERROR,
};

/**
 * struct fcvi_dev_addr - address of a connection point, FC-VI 7.2
 * @host: Host Address, an IPv6 address; an IPv4 address is mapped
 * @discrim_len: bytes of @discrim, FCVI_DEV_DISCRIM_MIN to FCVI_DEV_DISCRIM_MAX
 * @reserved: zero
 * @discrim: Discriminator; zero beyond @discrim_len
 */
struct fcvi_dev_addr {
	__u8	host[16];
	__u8	discrim_len;
	__u8	reserved[7];
	__u8	discrim[FCVI_DEV_DISCRIM_MAX];
};

/**
 * struct fcvi_dev_attrs - attributes of an endpoint
 * @level: enum fcvi_dev_level; else EPROTOTYPE
 * @flags: FCVI_DEV_RDMA_WRITE, FCVI_DEV_RDMA_READ (not on Unreliable Delivery, EOPNOTSUPP),
 *	FCVI_DEV_PREF
 * @reserved: zero
 * @max_trans_size: bytes of its longest Message, not 0, EMSGSIZE
 * @pipeline_depth: one less than the Messages that may be open, up to
 *	fcvi_dev_port.max_pipeline_depth; else EPROTONOSUPPORT
 * @tag: protection tag, EACCES when there is none; 0 in those of a remote endpoint
 */
struct fcvi_dev_attrs {
	__u8	level;
	__u8	flags;
	__u16	reserved;
	__u32	max_trans_size;
	__u32	pipeline_depth;
	__u32	tag;
};

/**
 * struct fcvi_dev_list - FCVI_IOC_PORTS, FCVI_IOC_HOSTS
 * @list: address of an array: of __s32, or of 16 bytes each
 * @nr: in: the elements it has room for; out: those there are
 * @reserved: zero
 *
 * FCVI_IOC_PORTS: indexes of the network devices with a port in the namespace of the caller, the
 * lowest first.  It needs no port of the file's own.
 *
 * FCVI_IOC_HOSTS: the Host Addresses of other ports that this one knows.
 *
 * ENOSPC: there are more than there is room for; @nr tells, and nothing is written to @list.
 */
struct fcvi_dev_list {
	__u64	list;
	__u32	nr;
	__u32	reserved;
};

/**
 * struct fcvi_dev_open - FCVI_IOC_OPEN: choose the port, once
 * @ifindex: index of its network device; 0: @name
 * @reserved: zero
 * @name: name of its network device, with a zero byte at the end
 * @life: out: address of a page without access, which tells the kernel how long the memory of the
 *	process lives.  It is not to be touched
 *
 * The namespace is that of the caller.  ENODEV: there is no such port; EBUSY: the file has one.
 */
struct fcvi_dev_open {
	__s32	ifindex;
	__u32	reserved;
	char	name[FCVI_DEV_NAMSIZ];
	__u64	life;
};

/**
 * struct fcvi_dev_port - FCVI_IOC_QUERY_PORT: what a port and the file on it may have
 * @version: FCVI_DEV_VERSION
 * @ifindex: index of its network device
 * @name: name of its network device
 * @host: its first Host Address: the first global one, or a link-local one; zero: it has none
 * @wwpn: its Port_Name
 * @native_mtu: bytes of a Message in one frame
 * @max_discrim: bytes of a Discriminator
 * @max_trans_size: bytes of a Message
 * @max_pipeline_depth: of fcvi_dev_attrs.pipeline_depth
 * @max_vis: endpoints
 * @max_tags: protection tags
 * @max_regions: memory regions
 * @max_cqs: completion queues
 * @max_cq_entries: entries of a completion queue
 * @max_descs: Descriptors of a work queue
 * @max_segs: segments of a Descriptor, with the address segment, without the control segment
 * @reserved: zero
 * @max_region_bytes: bytes of a region, and of all together
 */
struct fcvi_dev_port {
	__u32	version;
	__s32	ifindex;
	char	name[FCVI_DEV_NAMSIZ];
	__u8	host[16];
	__u64	wwpn;
	__u32	native_mtu;
	__u32	max_discrim;
	__u32	max_trans_size;
	__u32	max_pipeline_depth;
	__u32	max_vis;
	__u32	max_tags;
	__u32	max_regions;
	__u32	max_cqs;
	__u32	max_cq_entries;
	__u32	max_descs;
	__u32	max_segs;
	__u32	reserved;
	__u64	max_region_bytes;
};

/**
 * struct fcvi_dev_tag - FCVI_IOC_TAG_CREATE, FCVI_IOC_TAG_DESTROY
 * @tag: out, in: the protection tag
 * @reserved: zero
 *
 * ENOSPC: there are too many; EBUSY: a region or an endpoint has it.
 */
struct fcvi_dev_tag {
	__u32	tag;
	__u32	reserved;
};

/**
 * struct fcvi_dev_mem - memory regions
 * @addr: the first byte, of any alignment
 * @len: bytes
 * @tag: protection tag; EACCES when there is none
 * @flags: FCVI_DEV_RDMA_WRITE, FCVI_DEV_RDMA_READ
 * @handle: memory handle
 * @reserved: zero
 *
 * FCVI_IOC_MEM_REGISTER pins the pages and gives @handle.  They count against RLIMIT_MEMLOCK of the
 * user; ENOBUFS: that is too little, ENOSPC: there are too many regions, EFAULT: some of it can't
 * be pinned.  Memory that the process may not write is never written through the region.
 *
 * FCVI_IOC_MEM_DEREGISTER unpins them, FCVI_IOC_MEM_QUERY fills in the other members: both take
 * @addr and @handle.  FCVI_IOC_MEM_CHANGE sets @tag and @flags, or nothing; @len is 0 in both.
 */
struct fcvi_dev_mem {
	__u64	addr;
	__u64	len;
	__u32	tag;
	__u32	flags;
	__u32	handle;
	__u32	reserved;
};

/**
 * struct fcvi_dev_cq - FCVI_IOC_CQ_CREATE, FCVI_IOC_CQ_RESIZE, FCVI_IOC_CQ_DESTROY
 * @cq: out, in: the completion queue
 * @entries: in: at least so many, 1 to fcvi_dev_port.max_cq_entries; out: how many it has, a power
 *	of two
 * @offset: out: for mmap() of its struct fcvi_dev_ring, with PROT_READ | PROT_WRITE and MAP_SHARED
 * @bytes: out: length for mmap()
 * @user: in, of FCVI_IOC_CQ_CREATE: what events tell of the queue
 *
 * A queue counts against RLIMIT_MEMLOCK, as a region does; ENOBUFS: that is too little, ENOSPC:
 * there are too many queues, EBUSY: an endpoint uses it.
 *
 * FCVI_IOC_CQ_RESIZE moves the entries that are not taken into another ring; ENOSPC: they do not
 * fit.  No entry is taken from the old one meanwhile, nor after it.  What has been mapped of it
 * stays so until munmap().  Other users of the ring see that @generation in it has changed.
 */
struct fcvi_dev_cq {
	__u32	cq;
	__u32	entries;
	__u64	offset;
	__u64	bytes;
	__u64	user;
};

/**
 * struct fcvi_dev_entry - entry of a completion queue: a Descriptor is complete
 * @user: what fcvi_dev_vi.user was
 * @vi: the endpoint
 * @queue: enum fcvi_dev_queue
 */
struct fcvi_dev_entry {
	__u64	user;
	__u32	vi;
	__u32	queue;
};

/**
 * struct fcvi_dev_ring - ring of a completion queue, in memory of the kernel and the program
 * @put: entries that the kernel has written since the queue was made, modulo 2^32.  Read it with
 *	acquire semantics before the entries
 * @mask: entries of the ring, less one: entry n is @entry[n & @mask]
 * @lost: entries that were lost as the ring was full, with FCVI_DEV_ERR_CATASTROPHIC
 * @generation: counts FCVI_IOC_CQ_RESIZE; in the ring that is left, too
 * @pad: nothing
 * @taken: entries that the program has taken, modulo 2^32.  The program writes it, with release
 *	semantics, after it has read the entries
 * @pad2: nothing
 * @entry: the entries
 */
struct fcvi_dev_ring {
	__u32	put;
	__u32	mask;
	__u32	lost;
	__u32	generation;
	__u32	pad[12];
	__u32	taken;
	__u32	pad2[15];
	struct fcvi_dev_entry entry[];
};

/**
 * struct fcvi_dev_vi - endpoints
 * @attrs: attributes
 * @send_cq: completion queue of the send queue, or 0
 * @recv_cq: completion queue of the receive queue, or 0
 * @vi: the endpoint
 * @state: out, of FCVI_IOC_VI_QUERY: enum fcvi_dev_state
 * @posted: out, of FCVI_IOC_VI_QUERY: Descriptors that are not complete, by enum fcvi_dev_queue
 * @user: what completion queues and events tell of the endpoint
 * @rmt_attrs: out, of FCVI_IOC_VI_QUERY, while connected: attributes of the other side
 * @loc: out, of FCVI_IOC_VI_QUERY, from the setup on: own address
 * @rem: out, of FCVI_IOC_VI_QUERY, from the setup on: address of the other side
 *
 * FCVI_IOC_VI_CREATE takes @attrs, @send_cq, @recv_cq and @user and gives @vi; ENOSPC: there are
 * too many.
 *
 * FCVI_IOC_VI_DESTROY takes @vi; EISCONN: it is not Idle; EBUSY: Descriptors are posted.
 *
 * FCVI_IOC_VI_CHANGE sets @attrs, or nothing; EISCONN: it is not Idle.
 *
 * FCVI_IOC_VI_QUERY gives all members.
 */
struct fcvi_dev_vi {
	struct fcvi_dev_attrs	attrs;
	__u32			send_cq;
	__u32			recv_cq;
	__u32			vi;
	__u32			state;
	__u32			posted[2];
	__u64			user;
	struct fcvi_dev_attrs	rmt_attrs;
	struct fcvi_dev_addr	loc;
	struct fcvi_dev_addr	rem;
};

/* fcvi_dev_connect.flags */
#define FCVI_DEV_PEER		0x1	/* the other side connects, too, VI-DG 3.3.6 */

/**
 * struct fcvi_dev_connect - FCVI_IOC_CONNECT: begin a Connection Setup, VI-DG 3.3.4 and 3.3.6
 * @vi: an Idle endpoint; else EISCONN
 * @flags: FCVI_DEV_PEER, or 0: a client
 * @timeout: milliseconds, not 0, or FCVI_DEV_INFINITE
 * @reserved: zero
 * @loc: own address.  EADDRNOTAVAIL: its Host Address is not the port's
 * @rem: address of the other side
 *
 * It does not wait; FCVI_IOC_CONNECT_WAIT does.
 */
struct fcvi_dev_connect {
	__u32			vi;
	__u32			flags;
	__u32			timeout;
	__u32			reserved;
	struct fcvi_dev_addr	loc;
	struct fcvi_dev_addr	rem;
};

/* fcvi_dev_outcome.flags */
#define FCVI_DEV_NOWAIT		0x1	/* EAGAIN instead of waiting */

/**
 * struct fcvi_dev_outcome - FCVI_IOC_CONNECT_WAIT, FCVI_IOC_DISCONNECT: wait for what has begun
 * @vi: the endpoint
 * @flags: FCVI_DEV_NOWAIT
 * @attrs: out, of FCVI_IOC_CONNECT_WAIT: attributes of the other side
 *
 * FCVI_IOC_CONNECT_WAIT waits for the outcome of FCVI_IOC_CONNECT, until its timeout, or of
 * FCVI_IOC_ACCEPT.  It may be called again after a signal, and tells the outcome once.  0: the
 * endpoint is connected; ENOTCONN: nothing has begun, or its outcome was told; and by the names of
 * VIPL: ETIMEDOUT: VIP_TIMEOUT; ECONNREFUSED: VIP_REJECT; EADDRNOTAVAIL: VIP_NO_MATCH; ENETUNREACH:
 * VIP_NOT_REACHABLE; EPROTOTYPE: VIP_INVALID_RELIABILITY_LEVEL; EMSGSIZE: VIP_INVALID_MTU;
 * EPROTONOSUPPORT: VIP_INVALID_QOS.  ECANCELED: FCVI_IOC_DISCONNECT has ended the setup, or the
 * endpoint was destroyed.
 *
 * FCVI_IOC_DISCONNECT ends a setup or connection, completes all Descriptors and waits until the
 * endpoint is Idle.  Called again after a signal, or by another thread, it waits for the same
 * Disconnect.  ENETUNREACH: there was no answer, and the endpoint is in Error.
 */
struct fcvi_dev_outcome {
	__u32			vi;
	__u32			flags;
	struct fcvi_dev_attrs	attrs;
};

/**
 * struct fcvi_dev_request - FCVI_IOC_REQUEST_WAIT: wait for a client, VI-DG 3.3.1
 * @timeout: milliseconds, or FCVI_DEV_INFINITE.  0: ETIMEDOUT at once when there is none, but
 *	clients find the connection point for FCVI_DEV_POLL_MS more.  After EINTR it has what was
 *	left, so that the call may be repeated
 * @request: out: the request, for FCVI_IOC_ACCEPT or FCVI_IOC_REJECT
 * @loc: address to wait at.  EADDRNOTAVAIL: its Host Address is not the port's
 * @rem: out: address of the client
 * @attrs: out: attributes of the client's endpoint
 *
 * ETIMEDOUT: there was none; ENOSPC: there are too many requests and connection points.
 */
struct fcvi_dev_request {
	__u32			timeout;
	__u32			request;
	struct fcvi_dev_addr	loc;
	struct fcvi_dev_addr	rem;
	struct fcvi_dev_attrs	attrs;
};

/**
 * struct fcvi_dev_answer - FCVI_IOC_ACCEPT, FCVI_IOC_REJECT
 * @request: the request
 * @vi: an Idle endpoint, else EISCONN; of FCVI_IOC_REJECT: 0
 *
 * FCVI_IOC_ACCEPT does not wait; FCVI_IOC_CONNECT_WAIT does.  EPROTOTYPE, EMSGSIZE,
 * EPROTONOSUPPORT: the attributes of the endpoint are not the client's, in the order of
 * FCVI_IOC_CONNECT_WAIT.  The request waits on after these, EINVAL, EISCONN and ENOMEM, and is over
 * after anything else.  ETIMEDOUT: the client waits no longer.
 */
struct fcvi_dev_answer {
	__u32	request;
	__u32	vi;
};

/**
 * struct fcvi_dev_post - FCVI_IOC_POST: post a Descriptor, VI-DG 3.5.1 and 3.5.4
 * @vi: the endpoint
 * @queue: enum fcvi_dev_queue
 * @addr: address of the Descriptor, of the format of VI-DG 5
 * @handle: memory handle of the region that has all of it
 * @reserved: zero
 *
 * The kernel reads it now, and never its link to a next one.  It writes the Immediate Data, the
 * length and at last the status, with release semantics, when the Descriptor is complete; those of
 * a work queue complete in the order in which they were posted.  What is wrong in it is told by its
 * status.
 *
 * EBADMSG: it is not aligned to 64 bytes, or not in a region of the endpoint's tag: also
 * FCVI_DEV_ERR_POST_DESC.  ENOBUFS: too many are posted: also FCVI_DEV_ERR_VI_OVERRUN.  The
 * endpoint, if it was connected, is in Error after these two.  A Descriptor is not posted when the
 * call fails.
 */
struct fcvi_dev_post {
	__u32	vi;
	__u32	queue;
	__u64	addr;
	__u32	handle;
	__u32	reserved;
};

/**
 * struct fcvi_dev_wait - FCVI_IOC_WAIT: wait for a completion
 * @vi: the endpoint; 0: a completion queue
 * @queue: enum fcvi_dev_queue; of @cq: 0
 * @cq: the completion queue; 0: a work queue
 * @seen: in: the completions that the caller has seen, modulo 2^32: of a work queue, the
 *	Descriptors that it has taken since the endpoint was made; of a completion queue,
 *	fcvi_dev_ring.put.  out: how many there are
 * @timeout: milliseconds, or FCVI_DEV_INFINITE; 0: does not wait.  After EINTR it has what was
 *	left, so that the call may be repeated
 * @reserved: zero
 *
 * It returns when there are more completions than @seen, at once when there are already.
 * ETIMEDOUT: there are no more; EBUSY: the work queue has a completion queue; ECANCELED: the
 * endpoint or completion queue was destroyed meanwhile.
 */
struct fcvi_dev_wait {
	__u32	vi;
	__u32	queue;
	__u32	cq;
	__u32	seen;
	__u32	timeout;
	__u32	reserved;
};

/**
 * enum fcvi_dev_error - errors that no Descriptor and no call can tell, numbered as VIP_ERROR_CODE
 * @FCVI_DEV_ERR_POST_DESC: a posted Descriptor can't be had
 * @FCVI_DEV_ERR_CONN_LOST: the connection is lost
 * @FCVI_DEV_ERR_RECVQ_EMPTY: no receive Descriptor for a Message
 * @FCVI_DEV_ERR_VI_OVERRUN: too many Descriptors are posted
 * @FCVI_DEV_ERR_RDMAW_PROT: protection error of an RDMA Write from the other side
 * @FCVI_DEV_ERR_RDMAW_DATA: data of one were damaged
 * @FCVI_DEV_ERR_RDMAW_ABORT: one ended short
 * @FCVI_DEV_ERR_RDMAR_PROT: protection error of an RDMA Read from the other side
 * @FCVI_DEV_ERR_COMP_PROT: the region of a Descriptor is gone before its completion
 * @FCVI_DEV_ERR_RDMA_TRANSPORT: transport error of an RDMA from the other side
 * @FCVI_DEV_ERR_CATASTROPHIC: the port is gone, or a completion queue has overrun
 */
enum fcvi_dev_error {
	FCVI_DEV_ERR_POST_DESC,
	FCVI_DEV_ERR_CONN_LOST,
	FCVI_DEV_ERR_RECVQ_EMPTY,
	FCVI_DEV_ERR_VI_OVERRUN,
	FCVI_DEV_ERR_RDMAW_PROT,
	FCVI_DEV_ERR_RDMAW_DATA,
	FCVI_DEV_ERR_RDMAW_ABORT,
	FCVI_DEV_ERR_RDMAR_PROT,
	FCVI_DEV_ERR_COMP_PROT,
	FCVI_DEV_ERR_RDMA_TRANSPORT,
	FCVI_DEV_ERR_CATASTROPHIC,
};

/**
 * enum fcvi_dev_resource - what an error is about, numbered as VIP_RESOURCE_CODE
 * @FCVI_DEV_RES_NIC: the port
 * @FCVI_DEV_RES_VI: an endpoint
 * @FCVI_DEV_RES_CQ: a completion queue
 * @FCVI_DEV_RES_DESC: a Descriptor
 */
enum fcvi_dev_resource {
	FCVI_DEV_RES_NIC,
	FCVI_DEV_RES_VI,
	FCVI_DEV_RES_CQ,
	FCVI_DEV_RES_DESC,
};

/**
 * struct fcvi_dev_event - an asynchronous error, VI-DG 3.8.1; read() gives as many as fit
 * @code: enum fcvi_dev_error
 * @resource: enum fcvi_dev_resource
 * @vi: the endpoint, or 0
 * @cq: the completion queue, or 0
 * @vi_user: what fcvi_dev_vi.user was, or 0
 * @cq_user: what fcvi_dev_cq.user was, or 0
 * @desc: address of the Descriptor, or 0
 * @queue: enum fcvi_dev_queue, when there is a Descriptor
 * @op: its operation, as bits 18 to 16 of its status
 * @lost: events that were lost before this one, as nobody has read them
 * @reserved: zero
 *
 * read() waits for the first one, unless the file has O_NONBLOCK; EINVAL: there is no room for one.
 * When the port is gone, or the file was shut down, read() gives what is left, and then nothing;
 * poll() tells POLLHUP.  Before, poll() tells POLLIN when there is an event.
 *
 * After FCVI_DEV_ERR_COMP_PROT the Descriptor is complete, but its status could not be written.
 */
struct fcvi_dev_event {
	__u32	code;
	__u32	resource;
	__u32	vi;
	__u32	cq;
	__u64	vi_user;
	__u64	cq_user;
	__u64	desc;
	__u32	queue;
	__u32	op;
	__u32	lost;
	__u32	reserved;
};

#define FCVI_IOC_PORTS		_IOWR(0xfc, 0x00, struct fcvi_dev_list)
#define FCVI_IOC_OPEN		_IOWR(0xfc, 0x01, struct fcvi_dev_open)
#define FCVI_IOC_QUERY_PORT	_IOR(0xfc, 0x02, struct fcvi_dev_port)
#define FCVI_IOC_HOSTS		_IOWR(0xfc, 0x03, struct fcvi_dev_list)
/* Everything goes away, as with close(); who waits gets ESHUTDOWN.  It waits for nobody */
#define FCVI_IOC_SHUTDOWN	_IO(0xfc, 0x04)
#define FCVI_IOC_TAG_CREATE	_IOWR(0xfc, 0x10, struct fcvi_dev_tag)
#define FCVI_IOC_TAG_DESTROY	_IOW(0xfc, 0x11, struct fcvi_dev_tag)
#define FCVI_IOC_MEM_REGISTER	_IOWR(0xfc, 0x12, struct fcvi_dev_mem)
#define FCVI_IOC_MEM_DEREGISTER	_IOW(0xfc, 0x13, struct fcvi_dev_mem)
#define FCVI_IOC_MEM_QUERY	_IOWR(0xfc, 0x14, struct fcvi_dev_mem)
#define FCVI_IOC_MEM_CHANGE	_IOW(0xfc, 0x15, struct fcvi_dev_mem)
#define FCVI_IOC_CQ_CREATE	_IOWR(0xfc, 0x20, struct fcvi_dev_cq)
#define FCVI_IOC_CQ_RESIZE	_IOWR(0xfc, 0x21, struct fcvi_dev_cq)
#define FCVI_IOC_CQ_DESTROY	_IOW(0xfc, 0x22, struct fcvi_dev_cq)
#define FCVI_IOC_VI_CREATE	_IOWR(0xfc, 0x30, struct fcvi_dev_vi)
#define FCVI_IOC_VI_DESTROY	_IOW(0xfc, 0x31, struct fcvi_dev_vi)
#define FCVI_IOC_VI_QUERY	_IOWR(0xfc, 0x32, struct fcvi_dev_vi)
#define FCVI_IOC_VI_CHANGE	_IOW(0xfc, 0x33, struct fcvi_dev_vi)
#define FCVI_IOC_CONNECT	_IOW(0xfc, 0x40, struct fcvi_dev_connect)
#define FCVI_IOC_CONNECT_WAIT	_IOWR(0xfc, 0x41, struct fcvi_dev_outcome)
#define FCVI_IOC_DISCONNECT	_IOWR(0xfc, 0x42, struct fcvi_dev_outcome)
#define FCVI_IOC_REQUEST_WAIT	_IOWR(0xfc, 0x43, struct fcvi_dev_request)
#define FCVI_IOC_ACCEPT		_IOW(0xfc, 0x44, struct fcvi_dev_answer)
#define FCVI_IOC_REJECT		_IOW(0xfc, 0x45, struct fcvi_dev_answer)
#define FCVI_IOC_POST		_IOW(0xfc, 0x50, struct fcvi_dev_post)
#define FCVI_IOC_WAIT		_IOWR(0xfc, 0x51, struct fcvi_dev_wait)

#endif
