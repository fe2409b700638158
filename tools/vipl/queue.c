// SPDX-License-Identifier: GPL-2.0
/*
 * Descriptors and work queues, VI-DG 3.5.1 to 3.5.6, 3.5.9 and 3.5.10.
 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib.h"

#define FIRST_SIZE	64

/**
 * queue_init - of a new endpoint
 * @q: the queue
 * @vi: the endpoint
 * @queue: enum fcvi_dev_queue
 * @has_cq: its completions go to a completion queue
 */
void queue_init(struct work_queue *q, struct vi *vi, int queue, bool has_cq)
{
	q->vi = vi;
	q->queue = queue;
	q->has_cq = has_cq;
	pthread_mutex_init(&q->lock, NULL);
	notifier_init(&q->notifier, &vi->obj, queue_serve);
}

/**
 * queue_free - of an endpoint that nobody uses any more
 * @q: the queue
 */
void queue_free(struct work_queue *q)
{
	free(q->ring);
}

/**
 * queue_is_empty - whether all Descriptors were taken
 * @q: the queue
 */
bool queue_is_empty(struct work_queue *q)
{
	bool empty;

	pthread_mutex_lock(&q->lock);
	empty = !q->count;
	pthread_mutex_unlock(&q->lock);
	return empty;
}

/* The Descriptor that is so far from the head */
static struct posted *at(struct work_queue *q, uint32_t n)
{
	return &q->ring[(q->taken + n) & (q->size - 1)];
}

/* Room for one more */
static int grow(struct work_queue *q)
{
	uint32_t size = q->size ? 2 * q->size : FIRST_SIZE, i;
	struct posted *ring;

	if (q->count < q->size)
		return 0;
	ring = calloc(size, sizeof(*ring));
	if (!ring)
		return -1;
	for (i = 0; i < q->count; i++)
		ring[(q->taken + i) & (size - 1)] = *at(q, i);
	free(q->ring);
	q->ring = ring;
	q->size = size;
	return 0;
}

static bool is_aligned(const VIP_DESCRIPTOR *desc)
{
	return !((uintptr_t)desc % VIP_DESCRIPTOR_ALIGNMENT);
}

/* With the lock, so that Descriptors are here in the order in which the kernel has them */
static VIP_RETURN queue_post(struct work_queue *q, VIP_DESCRIPTOR *desc, VIP_MEM_HANDLE handle)
{
	struct fcvi_dev_post post = {
		.vi = q->vi->number,
		.queue = q->queue,
		.addr = (uintptr_t)desc,
		.handle = handle,
	};
	int error;

	if (q->ended)
		return VIP_INVALID_PARAMETER;
	if (grow(q))
		return VIP_ERROR_RESOURCE;
	if (is_aligned(desc))
		desc->CS.Status = 0;
	error = nic_call(q->vi->nic, FCVI_IOC_POST, &post);
	switch (error) {
	case 0:
		*at(q, q->count++) = (struct posted){ .desc = desc };
		return VIP_SUCCESS;
	case EBADMSG:
	case ENOBUFS:
		/* It was not posted, which an asynchronous error tells */
		return VIP_SUCCESS;
	default:
		return from_errno(error);
	}
}

static VIP_RETURN post(const void *handle, int queue, VIP_DESCRIPTOR *desc, VIP_MEM_HANDLE mem)
{
	struct vi *vi = get_vi(handle);
	VIP_RETURN ret = VIP_INVALID_PARAMETER;
	struct work_queue *q;

	if (!vi)
		return VIP_INVALID_PARAMETER;
	if (desc) {
		q = &vi->queues[queue];
		pthread_mutex_lock(&q->lock);
		ret = queue_post(q, desc, mem);
		pthread_mutex_unlock(&q->lock);
	}
	put_vi(vi);
	return ret;
}

VIP_RETURN VipPostSend(VIP_VI_HANDLE ViHandle, VIP_DESCRIPTOR *DescriptorPtr,
		       VIP_MEM_HANDLE MemoryHandle)
{
	return post(ViHandle, FCVI_DEV_SEND, DescriptorPtr, MemoryHandle);
}

VIP_RETURN VipPostRecv(VIP_VI_HANDLE ViHandle, VIP_DESCRIPTOR *DescriptorPtr,
		       VIP_MEM_HANDLE MemoryHandle)
{
	return post(ViHandle, FCVI_DEV_RECV, DescriptorPtr, MemoryHandle);
}

/**
 * queue_lost - the kernel cannot write the status of a Descriptor: it is complete with an error
 * @q: the queue
 * @desc: address of the Descriptor
 */
void queue_lost(struct work_queue *q, uint64_t desc)
{
	struct posted *p;
	uint32_t i;

	pthread_mutex_lock(&q->lock);
	for (i = 0; i < q->count; i++) {
		p = at(q, i);
		if ((uintptr_t)p->desc == desc && !p->gone) {
			p->gone = true;
			break;
		}
	}
	pthread_mutex_unlock(&q->lock);
}

/* Takes the Descriptor at the head if it is complete; tells how many were taken before it */
static VIP_RETURN take(struct work_queue *q, VIP_DESCRIPTOR **desc, uint32_t *taken)
{
	uint32_t status = VIP_STATUS_DONE | VIP_STATUS_DESC_FLUSHED_ERROR;
	VIP_RETURN ret;
	struct posted *p;

	pthread_mutex_lock(&q->lock);
	*desc = NULL;
	*taken = q->taken;
	if (q->ended) {
		ret = VIP_INVALID_PARAMETER;
	} else if (!q->count) {
		ret = VIP_DESCRIPTOR_ERROR;
	} else {
		p = at(q, 0);
		if (!p->gone)
			status = le32toh(__atomic_load_n(&p->desc->CS.Status, __ATOMIC_ACQUIRE));
		if (status & VIP_STATUS_DONE) {
			*desc = p->desc;
			q->taken++;
			q->count--;
			ret = status & VIP_STATUS_ERROR_MASK ? VIP_DESCRIPTOR_ERROR : VIP_SUCCESS;
		} else {
			ret = VIP_NOT_DONE;
		}
	}
	pthread_mutex_unlock(&q->lock);
	return ret;
}

static VIP_RETURN done(const void *handle, int queue, VIP_DESCRIPTOR **desc)
{
	struct vi *vi = get_vi(handle);
	VIP_RETURN ret = VIP_INVALID_PARAMETER;
	uint32_t taken;

	if (!vi)
		return VIP_INVALID_PARAMETER;
	if (desc)
		ret = take(&vi->queues[queue], desc, &taken);
	put_vi(vi);
	return ret;
}

VIP_RETURN VipSendDone(VIP_VI_HANDLE ViHandle, VIP_DESCRIPTOR **DescriptorPtr)
{
	return done(ViHandle, FCVI_DEV_SEND, DescriptorPtr);
}

VIP_RETURN VipRecvDone(VIP_VI_HANDLE ViHandle, VIP_DESCRIPTOR **DescriptorPtr)
{
	return done(ViHandle, FCVI_DEV_RECV, DescriptorPtr);
}

/*
 * Takes a Descriptor, or waits until another than the first @taken is complete.  Several may wait:
 * what wakes this one may be another's.
 */
static VIP_RETURN take_or_wait(struct work_queue *q, VIP_DESCRIPTOR **desc, uint32_t *timeout)
{
	const struct timespec tick = { .tv_nsec = 1000000 };
	struct fcvi_dev_wait wait = { .vi = q->vi->number, .queue = q->queue };
	uint32_t taken;
	VIP_RETURN ret;
	int error;

	ret = take(q, desc, &taken);
	if (ret != VIP_NOT_DONE || !*timeout)
		return ret;
	wait.seen = taken;
	wait.timeout = *timeout;
	error = nic_call(q->vi->nic, FCVI_IOC_WAIT, &wait);
	*timeout = wait.timeout;
	switch (error) {
	case 0:
		break;
	case ETIMEDOUT:
		*timeout = 0;
		break;
	case ECANCELED:	/* destroyed */
		return VIP_INVALID_PARAMETER;
	default:
		return from_errno(error);
	}
	ret = take(q, desc, &wait.seen);
	/* Complete, but its status could not be written: the asynchronous error is on its way */
	if (ret == VIP_NOT_DONE && !error && wait.seen == taken)
		nanosleep(&tick, NULL);
	return ret;
}

static VIP_RETURN wait_for_one(const void *handle, int queue, VIP_ULONG ms, VIP_DESCRIPTOR **desc)
{
	struct vi *vi = get_vi(handle);
	uint32_t timeout = to_timeout(ms);
	VIP_RETURN ret;

	if (!vi)
		return VIP_INVALID_PARAMETER;
	if (!desc) {
		ret = VIP_INVALID_PARAMETER;
	} else if (vi->queues[queue].has_cq) {
		ret = VIP_ERROR_RESOURCE;
	} else {
		do
			ret = take_or_wait(&vi->queues[queue], desc, &timeout);
		while (ret == VIP_NOT_DONE && timeout);
		if (ret == VIP_NOT_DONE)
			ret = VIP_TIMEOUT;
	}
	put_vi(vi);
	return ret;
}

VIP_RETURN VipSendWait(VIP_VI_HANDLE ViHandle, VIP_ULONG TimeOut, VIP_DESCRIPTOR **DescriptorPtr)
{
	return wait_for_one(ViHandle, FCVI_DEV_SEND, TimeOut, DescriptorPtr);
}

VIP_RETURN VipRecvWait(VIP_VI_HANDLE ViHandle, VIP_ULONG TimeOut, VIP_DESCRIPTOR **DescriptorPtr)
{
	return wait_for_one(ViHandle, FCVI_DEV_RECV, TimeOut, DescriptorPtr);
}

/**
 * queue_serve - waits for a Descriptor, or until there is none, and calls a handler
 * @notifier: of the queue
 * @n: the handler
 */
void queue_serve(struct notifier *notifier, struct notify *n)
{
	struct work_queue *q = container_of(notifier, struct work_queue, notifier);
	uint32_t timeout = FCVI_DEV_INFINITE;
	VIP_DESCRIPTOR *desc;
	VIP_RETURN ret;

	do
		ret = take_or_wait(q, &desc, &timeout);
	while (ret == VIP_NOT_DONE);
	if (ret == VIP_SUCCESS || ret == VIP_DESCRIPTOR_ERROR)
		n->vi(n->context, q->vi->nic->obj.handle, q->vi->obj.handle, desc);
}

static VIP_RETURN notify(const void *handle, int queue, VIP_PVOID context, vi_handler handler)
{
	const struct notify n = { .context = context, .vi = handler };
	struct vi *vi = get_vi(handle);
	struct work_queue *q;
	VIP_RETURN ret;

	if (!vi)
		return VIP_INVALID_PARAMETER;
	q = &vi->queues[queue];
	if (!handler)
		ret = VIP_INVALID_PARAMETER;
	else if (q->has_cq)
		ret = VIP_ERROR_RESOURCE;
	else if (queue_is_empty(q))
		ret = VIP_DESCRIPTOR_ERROR;
	else
		ret = notifier_add(&q->notifier, &n);
	put_vi(vi);
	return ret;
}

VIP_RETURN VipSendNotify(VIP_VI_HANDLE ViHandle, VIP_PVOID Context, vi_handler Handler)
{
	return notify(ViHandle, FCVI_DEV_SEND, Context, Handler);
}

VIP_RETURN VipRecvNotify(VIP_VI_HANDLE ViHandle, VIP_PVOID Context, vi_handler Handler)
{
	return notify(ViHandle, FCVI_DEV_RECV, Context, Handler);
}
