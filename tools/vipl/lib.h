/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of libvipl share.
 */
#ifndef VIPL_LIB_H
#define VIPL_LIB_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/fcvi.h>

#include "handle.h"
#include "vipl.h"
#include "vipl_fcvi.h"

#define HOST_LEN	16

#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))

/**
 * struct map - the handles of what the kernel knows by number
 * @handles: by number; NULL where there is nothing
 * @size: elements of @handles
 */
struct map {
	void		**handles;
	uint32_t	size;
};

typedef void (*error_handler)(VIP_PVOID context, VIP_ERROR_DESCRIPTOR *desc);
typedef void (*vi_handler)(VIP_PVOID context, VIP_NIC_HANDLE nic, VIP_VI_HANDLE vi,
			   VIP_DESCRIPTOR *desc);
typedef void (*cq_handler)(VIP_PVOID context, VIP_NIC_HANDLE nic, VIP_VI_HANDLE vi,
			   VIP_BOOLEAN recv);

/**
 * struct nic - an open port
 * @obj: its handle
 * @fd: /dev/fcvi
 * @lock: of the members below it but the last four
 * @closed: nothing can be made any more
 * @vis: its endpoints
 * @cqs: its completion queues
 * @tags: its protection tags
 * @conns: its requests for connections
 * @handler: of asynchronous errors; NULL: the default
 * @context: for @handler
 * @names_begun: there is a name service
 * @names: the file that it looks into; NULL: /etc/hosts and DNS
 * @thread: takes asynchronous errors
 * @stop: eventfd, ends @thread
 * @port: the port as it was when it was opened
 * @name: as the program calls it
 */
struct nic {
	struct object		obj;
	int			fd;
	pthread_mutex_t		lock;
	bool			closed;
	struct map		vis;
	struct map		cqs;
	struct map		tags;
	struct map		conns;
	error_handler		handler;
	void			*context;
	bool			names_begun;
	char			*names;
	pthread_t		thread;
	int			stop;
	struct fcvi_dev_port	port;
	char			name[64];
};

/**
 * struct notify - a handler that waits for its call
 * @next: the one behind it
 * @context: for the handler
 * @vi: the handler, of a work queue
 * @cq: the handler, of a completion queue
 */
struct notify {
	struct notify	*next;
	void		*context;
	vi_handler	vi;
	cq_handler	cq;
};

/**
 * struct notifier - the thread that calls the handlers of a queue, VI-DG 3.5.12
 * @obj: endpoint or completion queue that has the queue
 * @serve: waits for what @n is about, and calls its handler; does not when the queue is gone
 * @lock: of all that follows
 * @cond: something has changed
 * @first: handlers that wait
 * @last: where the next one goes
 * @thread: the thread
 * @started: there is one
 * @stop: it has to end
 */
struct notifier {
	struct object	*obj;
	void (*serve)(struct notifier *notifier, struct notify *n);
	pthread_mutex_t	lock;
	pthread_cond_t	cond;
	struct notify	*first;
	struct notify	**last;
	pthread_t	thread;
	bool		started;
	bool		stop;
};

/**
 * struct posted - a Descriptor of a work queue
 * @desc: it
 * @gone: the kernel can't write its status, VIP_ERROR_COMP_PROT
 */
struct posted {
	VIP_DESCRIPTOR	*desc;
	bool		gone;
};

/**
 * struct work_queue - Descriptors that were posted and are not taken
 * @vi: the endpoint
 * @queue: enum fcvi_dev_queue
 * @has_cq: its completions go to a completion queue
 * @notifier: calls handlers
 * @lock: of all that follows.  No thread that has it waits for a completion
 * @ring: the Descriptors
 * @size: elements of @ring, a power of two
 * @count: Descriptors
 * @taken: Descriptors that were taken since the endpoint was made; the next is the first in @ring
 * @ended: the endpoint is gone
 */
struct work_queue {
	struct vi	*vi;
	int		queue;
	bool		has_cq;
	struct notifier	notifier;
	pthread_mutex_t	lock;
	struct posted	*ring;
	uint32_t	size;
	uint32_t	count;
	uint32_t	taken;
	bool		ended;
};

/**
 * struct vi - an endpoint
 * @obj: its handle
 * @nic: its port
 * @number: the kernel's name for it
 * @queues: by enum fcvi_dev_queue
 * @lock: of what follows
 * @attrs: its attributes
 * @qos: what @attrs.QoS points to
 * @remote_qos: quality of service of the other side
 * @peer: the setup is one of peers
 */
struct vi {
	struct object		obj;
	struct nic		*nic;
	uint32_t		number;
	struct work_queue	queues[2];
	pthread_mutex_t		lock;
	VIP_VI_ATTRIBUTES	attrs;
	FCVI_QOS		qos;
	FCVI_QOS		remote_qos;
	bool			peer;
};

/**
 * struct cq - a completion queue
 * @obj: its handle
 * @nic: its port
 * @notifier: calls handlers
 * @lock: of all that follows.  No thread that has it waits for a completion
 * @dev: number, offset and length of the ring
 * @ring: the entries; NULL when they could not be mapped after a change of size
 */
struct cq {
	struct object		obj;
	struct nic		*nic;
	struct notifier		notifier;
	pthread_mutex_t		lock;
	struct fcvi_dev_cq	dev;
	struct fcvi_dev_ring	*ring;
};

/**
 * struct ptag - a protection tag
 * @obj: its handle
 * @nic: its port
 * @number: the kernel's name for it
 */
struct ptag {
	struct object	obj;
	struct nic	*nic;
	uint32_t	number;
};

/**
 * struct conn - the request of a client
 * @obj: its handle
 * @nic: its port
 * @number: the kernel's name for it
 * @qos: quality of service that the client asks for
 */
struct conn {
	struct object	obj;
	struct nic	*nic;
	uint32_t	number;
	FCVI_QOS	qos;
};

/* nic.c */
struct nic *get_nic(const void *handle);
void put_nic(struct nic *nic);
int nic_call(struct nic *nic, unsigned long request, void *arg);

/* map.c */
int map_add(struct nic *nic, struct map *map, uint32_t number, void *handle);
void map_remove(struct nic *nic, struct map *map, uint32_t number, const void *handle);
void *map_find(struct nic *nic, struct map *map, uint32_t number);
void *map_take(struct nic *nic, struct map *map);

void close_object(void *handle, enum kind kind);

/* convert.c */
VIP_RETURN from_errno(int error);
uint32_t to_timeout(VIP_ULONG ms);
VIP_RETURN to_addr(const VIP_NET_ADDRESS *from, struct fcvi_dev_addr *to);
void from_addr(const struct fcvi_dev_addr *from, VIP_NET_ADDRESS *to);
VIP_RETURN to_attrs(struct nic *nic, const VIP_VI_ATTRIBUTES *from, struct fcvi_dev_attrs *to);
void from_attrs(const struct fcvi_dev_attrs *from, FCVI_QOS *qos, VIP_VI_ATTRIBUTES *to);
uint32_t to_rdma(VIP_BOOLEAN write, VIP_BOOLEAN read);

/* mem.c */
VIP_RETURN tag_number(struct nic *nic, const void *handle, uint32_t *number);

/* vi.c */
struct vi *get_vi(const void *handle);
void put_vi(struct vi *vi);
void close_vi(void *handle);

/* connect.c */
VIP_RETURN connect_begin(struct vi *vi, const VIP_NET_ADDRESS *loc, const VIP_NET_ADDRESS *rem,
			 VIP_ULONG timeout, uint32_t flags);
VIP_RETURN connect_outcome(struct vi *vi, uint32_t flags, VIP_VI_ATTRIBUTES *attrs);

/* queue.c */
void queue_init(struct work_queue *q, struct vi *vi, int queue, bool has_cq);
void queue_free(struct work_queue *q);
bool queue_is_empty(struct work_queue *q);
void queue_lost(struct work_queue *q, uint64_t desc);
void queue_serve(struct notifier *notifier, struct notify *n);

/* cq.c */
struct cq *get_cq(const void *handle);
void put_cq(struct cq *cq);
void close_cq(void *handle);

/* notify.c */
void notifier_init(struct notifier *notifier, struct object *obj,
		   void (*serve)(struct notifier *notifier, struct notify *n));
VIP_RETURN notifier_add(struct notifier *notifier, const struct notify *n);
void notifier_stop(struct notifier *notifier);
int thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);
void thread_end(pthread_t thread);

/* error.c */
void *take_errors(void *arg);

#endif
