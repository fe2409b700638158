// SPDX-License-Identifier: GPL-2.0
/*
 * Completion queues, VI-DG 3.5.7, 3.5.8, 3.5.11 and 3.6.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "lib.h"

/**
 * get_cq - finds a completion queue by its handle; put_cq() later
 * @handle: the handle
 *
 * Return: the queue, NULL for a bad handle.
 */
struct cq *get_cq(const void *handle)
{
	struct object *obj = handle_get(handle, KIND_CQ);

	return obj ? container_of(obj, struct cq, obj) : NULL;
}

/**
 * put_cq - the caller is done with a completion queue
 * @cq: the queue
 */
void put_cq(struct cq *cq)
{
	handle_put(&cq->obj);
}

static int ring_map(struct cq *cq)
{
	void *ring;

	if (cq->ring)
		return 0;
	ring = mmap(NULL, cq->dev.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, cq->nic->fd,
		    cq->dev.offset);
	if (ring == MAP_FAILED)
		return -1;
	cq->ring = ring;
	return 0;
}

static void ring_unmap(struct cq *cq)
{
	if (cq->ring)
		munmap(cq->ring, cq->dev.bytes);
	cq->ring = NULL;
}

static void cq_free(struct object *obj)
{
	struct cq *cq = container_of(obj, struct cq, obj);

	ring_unmap(cq);
	put_nic(cq->nic);
	free(cq);
}

/* Takes the first entry whose endpoint is still there; tells how many the kernel had written */
static VIP_RETURN take(struct cq *cq, void **vi, VIP_BOOLEAN *recv, uint32_t *put)
{
	struct fcvi_dev_ring *ring;
	struct fcvi_dev_entry entry;

	*vi = NULL;
	pthread_mutex_lock(&cq->lock);
	if (ring_map(cq)) {
		pthread_mutex_unlock(&cq->lock);
		return VIP_ERROR_RESOURCE;
	}
	ring = cq->ring;
	*put = __atomic_load_n(&ring->put, __ATOMIC_ACQUIRE);
	while (!*vi && ring->taken != *put) {
		entry = ring->entry[ring->taken & ring->mask];
		__atomic_store_n(&ring->taken, ring->taken + 1, __ATOMIC_RELEASE);
		*vi = handle_is_good((void *)(uintptr_t)entry.user, KIND_VI);
		*recv = entry.queue == FCVI_DEV_RECV ? VIP_TRUE : VIP_FALSE;
	}
	pthread_mutex_unlock(&cq->lock);
	return *vi ? VIP_SUCCESS : VIP_NOT_DONE;
}

static VIP_RETURN take_or_wait(struct cq *cq, void **vi, VIP_BOOLEAN *recv, uint32_t *timeout)
{
	struct fcvi_dev_wait wait = { .cq = cq->dev.cq, .timeout = *timeout };
	VIP_RETURN ret;
	int error;

	ret = take(cq, vi, recv, &wait.seen);
	if (ret != VIP_NOT_DONE || !*timeout)
		return ret;
	error = nic_call(cq->nic, FCVI_IOC_WAIT, &wait);
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
	return take(cq, vi, recv, &wait.seen);
}

VIP_RETURN VipCQDone(VIP_CQ_HANDLE CQHandle, VIP_VI_HANDLE *ViHandle, VIP_BOOLEAN *RecvQueue)
{
	struct cq *cq = get_cq(CQHandle);
	VIP_RETURN ret = VIP_INVALID_PARAMETER;
	uint32_t put;

	if (!cq)
		return VIP_INVALID_PARAMETER;
	if (ViHandle && RecvQueue)
		ret = take(cq, ViHandle, RecvQueue, &put);
	put_cq(cq);
	return ret;
}

VIP_RETURN VipCQWait(VIP_CQ_HANDLE CQHandle, VIP_ULONG Timeout, VIP_VI_HANDLE *ViHandle,
		     VIP_BOOLEAN *RecvQueue)
{
	struct cq *cq = get_cq(CQHandle);
	uint32_t timeout = to_timeout(Timeout);
	VIP_RETURN ret;

	if (!cq)
		return VIP_INVALID_PARAMETER;
	if (ViHandle && RecvQueue) {
		do
			ret = take_or_wait(cq, ViHandle, RecvQueue, &timeout);
		while (ret == VIP_NOT_DONE && timeout);
		if (ret == VIP_NOT_DONE)
			ret = VIP_TIMEOUT;
	} else {
		ret = VIP_INVALID_PARAMETER;
	}
	put_cq(cq);
	return ret;
}

static void cq_serve(struct notifier *notifier, struct notify *n)
{
	struct cq *cq = container_of(notifier, struct cq, notifier);
	uint32_t timeout = FCVI_DEV_INFINITE;
	VIP_BOOLEAN recv;
	VIP_RETURN ret;
	void *vi;

	do
		ret = take_or_wait(cq, &vi, &recv, &timeout);
	while (ret == VIP_NOT_DONE);
	if (!ret)
		n->cq(n->context, cq->nic->obj.handle, vi, recv);
}

VIP_RETURN VipCQNotify(VIP_CQ_HANDLE CQHandle, VIP_PVOID Context, cq_handler Handler)
{
	const struct notify n = { .context = Context, .cq = Handler };
	struct cq *cq = get_cq(CQHandle);
	VIP_RETURN ret;

	if (!cq)
		return VIP_INVALID_PARAMETER;
	ret = Handler ? notifier_add(&cq->notifier, &n) : VIP_INVALID_PARAMETER;
	put_cq(cq);
	return ret;
}

static VIP_RETURN create_cq(struct nic *nic, uint32_t entries, VIP_CQ_HANDLE *handle)
{
	struct cq *cq = calloc(1, sizeof(*cq));
	VIP_RETURN ret;

	if (!cq)
		return VIP_ERROR_RESOURCE;
	cq->obj.free = cq_free;
	cq->nic = nic;
	cq->dev.entries = entries;
	pthread_mutex_init(&cq->lock, NULL);
	notifier_init(&cq->notifier, &cq->obj, cq_serve);
	if (handle_new(&cq->obj, KIND_CQ)) {
		free(cq);
		return VIP_ERROR_RESOURCE;
	}
	handle_hold(&nic->obj);
	cq->dev.user = (uintptr_t)cq->obj.handle;
	ret = from_errno(nic_call(nic, FCVI_IOC_CQ_CREATE, &cq->dev));
	if (!ret && (ring_map(cq) || map_add(nic, &nic->cqs, cq->dev.cq, cq->obj.handle))) {
		nic_call(nic, FCVI_IOC_CQ_DESTROY, &cq->dev);
		ret = VIP_ERROR_RESOURCE;
	}
	if (ret) {
		handle_end(&cq->obj);
		put_cq(cq);
	} else {
		*handle = cq->obj.handle;
	}
	return ret;
}

static VIP_RETURN check_entries(struct nic *nic, VIP_ULONG entries)
{
	if (!entries)
		return VIP_INVALID_PARAMETER;
	return entries <= nic->port.max_cq_entries ? VIP_SUCCESS : VIP_ERROR_RESOURCE;
}

VIP_RETURN VipCreateCQ(VIP_NIC_HANDLE NicHandle, VIP_ULONG EntryCount, VIP_CQ_HANDLE *CQHandle)
{
	struct nic *nic = get_nic(NicHandle);
	VIP_RETURN ret = VIP_INVALID_PARAMETER;

	if (!nic)
		return VIP_INVALID_PARAMETER;
	if (CQHandle)
		ret = check_entries(nic, EntryCount);
	if (!ret)
		ret = create_cq(nic, EntryCount, CQHandle);
	put_nic(nic);
	return ret;
}

/* The queue is gone in the kernel: nobody shall find it here, and no handler is called */
static void bury(struct cq *cq)
{
	if (handle_end(&cq->obj))
		return;
	map_remove(cq->nic, &cq->nic->cqs, cq->dev.cq, cq->obj.handle);
	notifier_stop(&cq->notifier);
	put_cq(cq);
}

VIP_RETURN VipDestroyCQ(VIP_CQ_HANDLE CQHandle)
{
	struct cq *cq = get_cq(CQHandle);
	struct fcvi_dev_cq dev = { .cq = 0 };
	VIP_RETURN ret;

	if (!cq)
		return VIP_INVALID_PARAMETER;
	dev.cq = cq->dev.cq;
	ret = from_errno(nic_call(cq->nic, FCVI_IOC_CQ_DESTROY, &dev));
	if (!ret)
		bury(cq);
	put_cq(cq);
	return ret;
}

/**
 * close_cq - ends a completion queue, as its port is closed
 * @handle: its handle
 */
void close_cq(void *handle)
{
	struct cq *cq = get_cq(handle);

	if (!cq)
		return;
	bury(cq);
	put_cq(cq);
}

VIP_RETURN VipResizeCQ(VIP_CQ_HANDLE CQHandle, VIP_ULONG EntryCount)
{
	struct cq *cq = get_cq(CQHandle);
	struct fcvi_dev_cq dev = { .entries = EntryCount };
	VIP_RETURN ret;

	if (!cq)
		return VIP_INVALID_PARAMETER;
	ret = check_entries(cq->nic, EntryCount);
	if (!ret) {
		pthread_mutex_lock(&cq->lock);
		dev.cq = cq->dev.cq;
		ret = from_errno(nic_call(cq->nic, FCVI_IOC_CQ_RESIZE, &dev));
		if (!ret) {
			ring_unmap(cq);
			cq->dev = dev;
			if (ring_map(cq))
				ret = VIP_ERROR_RESOURCE;
		}
		pthread_mutex_unlock(&cq->lock);
	}
	put_cq(cq);
	return ret;
}
