/* SPDX-License-Identifier: GPL-2.0 */
/*
 * /dev/fcvi: what an open file has, and the calls of each kind.
 *
 * The lock of the file protects its tables.  It is taken under RTNL and under the lock of the
 * process's memory, so that neither is taken, and no memory of the process is touched, under it.
 * The lock of the port comes after it, that of the port's memory, or of events, last.
 */
#ifndef _FCVI_DEV_H
#define _FCVI_DEV_H

#include <linux/fcvi.h>
#include <linux/fs.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <uapi/linux/fcvi.h>

#include "mr.h"

struct poll_table_struct;

/* Limits of a file, against programs that take all there is */
#define FCVI_DEV_MAX_VIS	1024
#define FCVI_DEV_MAX_TAGS	2048
#define FCVI_DEV_MAX_REGIONS	16384
#define FCVI_DEV_MAX_CQS	1024
#define FCVI_DEV_MAX_CQ_ENTRIES	65536
#define FCVI_DEV_MAX_DESCS	4096
#define FCVI_DEV_MAX_REQUESTS	256
/* VI-DG 4.5: with the address segment */
#define FCVI_DEV_MAX_SEGS	253
#define FCVI_DEV_MAX_DEPTH	255
#define FCVI_DEV_MAX_BYTES	BIT_ULL(36)

/* Events that nobody has read yet */
#define FCVI_DEV_EVENTS		128

/**
 * struct fcvi_events - asynchronous errors of a file
 * @lock: for all of it; in softirq too
 * @ring: those that nobody has read
 * @head: counts those that were added
 * @tail: counts those that were read
 * @lost: those that did not fit since the last that did
 * @wait: readers
 */
struct fcvi_events {
	spinlock_t		lock;	/* for all of it */
	struct fcvi_dev_event	ring[FCVI_DEV_EVENTS];
	unsigned int		head;
	unsigned int		tail;
	u32			lost;
	wait_queue_head_t	wait;
};

/**
 * struct fcvi_file - an open file
 * @lock: for its tables
 * @file: as VFS knows it
 * @list: in the list of all that have a port
 * @port: its port, with a reference
 * @over: 0; -ENODEV: the port is gone; -ESHUTDOWN: it was closed in another way
 * @mm: memory of the process
 * @owner: file descriptors of the process
 * @life: mappings of the page that tells how long @mm lives
 * @life_at: where the last one is
 * @tags: struct fcvi_tag
 * @cqs: struct fcvi_ucq
 * @vis: struct fcvi_uvi
 * @requests: struct fcvi_ureq that the program knows
 * @regions: struct fcvi_umem
 * @points: struct fcvi_ureq that it does not know yet
 * @nr_regions: how many
 * @nr_requests: how many there are in @requests and @points
 * @asking: those that wait for requests
 * @events: asynchronous errors
 * @end: ends it when the memory of the process is gone
 * @fail: endpoints that are to fail
 * @poll: forgets connection points after a look
 * @raw: a Descriptor as it is in memory
 */
struct fcvi_file {
	struct mutex		lock;	/* for its tables */
	struct file		*file;
	struct list_head	list;
	struct fcvi_port	*port;
	int			over;
	struct mm_struct	*mm;
	fl_owner_t		owner;
	atomic_t		life;
	unsigned long		life_at;
	struct xarray		tags;
	struct xarray		cqs;
	struct xarray		vis;
	struct xarray		requests;
	struct list_head	regions;
	struct list_head	points;
	unsigned int		nr_regions;
	unsigned int		nr_requests;
	wait_queue_head_t	asking;
	struct fcvi_events	events;
	struct work_struct	end;
	struct work_struct	fail;
	struct delayed_work	poll;
	u8			raw[32 + 16 * FCVI_DEV_MAX_SEGS];
};

/**
 * struct fcvi_ucq - a completion queue
 * @refs: one of the table, one of each waiter
 * @id: its number
 * @user: what the program calls it
 * @users: work queues that have it
 * @ring: what the program sees
 * @mask: entries, less one
 * @put: entries that were written
 * @overrun: some did not fit, which is told once
 * @gone: it was destroyed
 * @mmp: whom @ring is charged to
 * @wait: those that wait for entries
 *
 * @ring to @overrun are under the lock of the port.
 */
struct fcvi_ucq {
	struct kref		refs;
	u32			id;
	u64			user;
	unsigned int		users;
	struct fcvi_dev_ring	*ring;
	u32			mask;
	u32			put;
	bool			overrun;
	bool			gone;
	struct mmpin		mmp;
	wait_queue_head_t	wait;
};

/**
 * enum fcvi_asked - how far a Connection Setup is
 * @FCVI_ASKED_NOTHING: none has begun, or its outcome was told
 * @FCVI_ASKED: it is under way
 * @FCVI_ASKED_DONE: it has an outcome
 */
enum fcvi_asked {
	FCVI_ASKED_NOTHING,
	FCVI_ASKED,
	FCVI_ASKED_DONE,
};

/**
 * struct fcvi_uvi - an endpoint
 * @refs: one of the table, one of each waiter
 * @file: the file
 * @vi: the endpoint; NULL: it was destroyed
 * @id: its number
 * @tag: number of its protection tag
 * @user: what the program calls it
 * @cq: completion queues, by enum fcvi_dev_queue, or NULL
 * @posted: Descriptors that are not complete
 * @done: Descriptors that are, since it was made
 * @asked: enum fcvi_asked
 * @outcome: of the setup, a negative errno
 * @ends: counts Disconnects that are over
 * @ended: how the last one was, a negative errno
 * @broken: it is to fail
 * @wait: those that wait for something of it
 *
 * All but @refs, @id, @user and @cq is under the lock of the port.
 */
struct fcvi_uvi {
	struct kref		refs;
	struct fcvi_file	*file;
	struct fcvi_vi		*vi;
	u32			id;
	u32			tag;
	u64			user;
	struct fcvi_ucq		*cq[2];
	u32			posted[2];
	u32			done[2];
	u8			asked;
	int			outcome;
	u32			ends;
	int			ended;
	bool			broken;
	wait_queue_head_t	wait;
};

/**
 * struct fcvi_useg - a data segment of a Descriptor
 * @va: address
 * @handle: memory handle
 * @len: bytes
 */
struct fcvi_useg {
	u64	va;
	u32	handle;
	u32	len;
};

/**
 * struct fcvi_udesc - a Descriptor
 * @desc: what the endpoint knows of it
 * @addr: where it is
 * @handle: memory handle of that
 * @queue: enum fcvi_dev_queue
 * @nr: data segments
 * @segs: they
 */
struct fcvi_udesc {
	struct fcvi_desc	desc;
	u64			addr;
	u32			handle;
	u16			queue;
	u16			nr;
	struct fcvi_useg	segs[] __counted_by(nr);
};

/**
 * fcvi_uvi - find an endpoint
 * @f: the file, under its lock
 * @id: its number
 *
 * Return: the endpoint, or NULL.
 */
static inline struct fcvi_uvi *fcvi_uvi(struct fcvi_file *f, u32 id)
{
	lockdep_assert_held(&f->lock);
	return xa_load(&f->vis, id);
}

static inline void fcvi_uvi_release(struct kref *refs)
{
	kfree(container_of(refs, struct fcvi_uvi, refs));
}

/**
 * fcvi_dev_wait_for() - wait as a program asks for it
 * @wait: where
 * @condition: what for
 * @timeout: pointer to the milliseconds, or FCVI_DEV_INFINITE; gets what is left of them
 *
 * Return: 0, -ETIMEDOUT or -ERESTARTSYS.
 */
#define fcvi_dev_wait_for(wait, condition, timeout)					\
({											\
	u32 *__ms = (timeout);								\
	bool __ever = *__ms == FCVI_DEV_INFINITE;					\
	long __left = __ever ? MAX_SCHEDULE_TIMEOUT : (long)msecs_to_jiffies(*__ms);	\
	unsigned long __end = jiffies + __left;						\
											\
	__left = wait_event_interruptible_timeout(wait, condition, __left);		\
	if (!__ever)									\
		*__ms = time_before(jiffies, __end) ? jiffies_to_msecs(__end - jiffies) : 0; \
	__left > 0 ? 0 : __left ? (int)__left : -ETIMEDOUT;				\
})

#endif
