// SPDX-License-Identifier: GPL-2.0
/*
 * Endpoints, VI-DG 3.2, 3.7.2 and 3.7.3.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib.h"

/**
 * get_vi - finds an endpoint by its handle; put_vi() later
 * @handle: the handle
 *
 * Return: the endpoint, NULL for a bad handle.
 */
struct vi *get_vi(const void *handle)
{
	struct object *obj = handle_get(handle, KIND_VI);

	return obj ? container_of(obj, struct vi, obj) : NULL;
}

/**
 * put_vi - the caller is done with an endpoint
 * @vi: the endpoint
 */
void put_vi(struct vi *vi)
{
	handle_put(&vi->obj);
}

static void vi_free(struct object *obj)
{
	struct vi *vi = container_of(obj, struct vi, obj);

	queue_free(&vi->queues[FCVI_DEV_SEND]);
	queue_free(&vi->queues[FCVI_DEV_RECV]);
	put_nic(vi->nic);
	free(vi);
}

/* Keeps what was set; the program's FCVI_QOS may be gone by and by */
static void keep_attrs(struct vi *vi, const VIP_VI_ATTRIBUTES *attrs)
{
	pthread_mutex_lock(&vi->lock);
	vi->attrs = *attrs;
	if (attrs->QoS) {
		memmove(&vi->qos, attrs->QoS, sizeof(vi->qos));
		vi->attrs.QoS = &vi->qos;
	}
	pthread_mutex_unlock(&vi->lock);
}

/* Finds the number of a completion queue of the port; NULL is 0 */
static VIP_RETURN cq_number(struct nic *nic, const void *handle, uint32_t *number)
{
	VIP_RETURN ret = VIP_SUCCESS;
	struct cq *cq;

	if (!handle)
		return VIP_SUCCESS;
	cq = get_cq(handle);
	if (!cq)
		return VIP_INVALID_PARAMETER;
	if (cq->nic == nic)
		*number = cq->dev.cq;
	else
		ret = VIP_INVALID_PARAMETER;
	put_cq(cq);
	return ret;
}

static VIP_RETURN create_vi(struct nic *nic, const VIP_VI_ATTRIBUTES *attrs,
			    struct fcvi_dev_vi *dev, VIP_VI_HANDLE *handle)
{
	VIP_RETURN ret;
	struct vi *vi;

	vi = calloc(1, sizeof(*vi));
	if (!vi)
		return VIP_ERROR_RESOURCE;
	vi->obj.free = vi_free;
	vi->nic = nic;
	pthread_mutex_init(&vi->lock, NULL);
	queue_init(&vi->queues[FCVI_DEV_SEND], vi, FCVI_DEV_SEND, dev->send_cq);
	queue_init(&vi->queues[FCVI_DEV_RECV], vi, FCVI_DEV_RECV, dev->recv_cq);
	keep_attrs(vi, attrs);
	if (handle_new(&vi->obj, KIND_VI)) {
		free(vi);
		return VIP_ERROR_RESOURCE;
	}
	handle_hold(&nic->obj);
	dev->user = (uintptr_t)vi->obj.handle;
	ret = from_errno(nic_call(nic, FCVI_IOC_VI_CREATE, dev));
	if (!ret) {
		vi->number = dev->vi;
		if (map_add(nic, &nic->vis, vi->number, vi->obj.handle)) {
			nic_call(nic, FCVI_IOC_VI_DESTROY, dev);
			ret = VIP_ERROR_RESOURCE;
		}
	}
	if (ret) {
		handle_end(&vi->obj);
		put_vi(vi);
	} else {
		*handle = vi->obj.handle;
	}
	return ret;
}

VIP_RETURN VipCreateVi(VIP_NIC_HANDLE NicHandle, VIP_VI_ATTRIBUTES *ViAttribs,
		       VIP_CQ_HANDLE SendCQHandle, VIP_CQ_HANDLE RecvCQHandle,
		       VIP_VI_HANDLE *ViHandle)
{
	struct nic *nic = get_nic(NicHandle);
	struct fcvi_dev_vi dev = { .vi = 0 };
	VIP_RETURN ret = VIP_INVALID_PARAMETER;

	if (!nic)
		return VIP_INVALID_PARAMETER;
	if (ViAttribs && ViHandle)
		ret = to_attrs(nic, ViAttribs, &dev.attrs);
	if (!ret)
		ret = cq_number(nic, SendCQHandle, &dev.send_cq);
	if (!ret)
		ret = cq_number(nic, RecvCQHandle, &dev.recv_cq);
	if (!ret)
		ret = create_vi(nic, ViAttribs, &dev, ViHandle);
	put_nic(nic);
	return ret;
}

/* The endpoint is gone in the kernel: nobody shall find it here, and no handler is called */
static void bury(struct vi *vi)
{
	if (handle_end(&vi->obj))
		return;
	map_remove(vi->nic, &vi->nic->vis, vi->number, vi->obj.handle);
	notifier_stop(&vi->queues[FCVI_DEV_SEND].notifier);
	notifier_stop(&vi->queues[FCVI_DEV_RECV].notifier);
	put_vi(vi);
}

VIP_RETURN VipDestroyVi(VIP_VI_HANDLE ViHandle)
{
	struct vi *vi = get_vi(ViHandle);
	struct work_queue *send, *recv;
	struct fcvi_dev_vi dev = { .vi = 0 };
	VIP_RETURN ret = VIP_INVALID_STATE;
	int error;

	if (!vi)
		return VIP_INVALID_PARAMETER;
	send = &vi->queues[FCVI_DEV_SEND];
	recv = &vi->queues[FCVI_DEV_RECV];
	dev.vi = vi->number;
	/* Nobody posts meanwhile */
	pthread_mutex_lock(&send->lock);
	pthread_mutex_lock(&recv->lock);
	if (!send->count && !recv->count) {
		error = nic_call(vi->nic, FCVI_IOC_VI_DESTROY, &dev);
		ret = error == EBUSY ? VIP_INVALID_STATE : from_errno(error);
	}
	if (!ret) {
		send->ended = true;
		recv->ended = true;
	}
	pthread_mutex_unlock(&recv->lock);
	pthread_mutex_unlock(&send->lock);
	if (!ret)
		bury(vi);
	put_vi(vi);
	return ret;
}

/**
 * close_vi - ends an endpoint, as its port is closed
 * @handle: its handle
 */
void close_vi(void *handle)
{
	struct vi *vi = get_vi(handle);
	int i;

	if (!vi)
		return;
	for (i = 0; i < 2; i++) {
		pthread_mutex_lock(&vi->queues[i].lock);
		vi->queues[i].ended = true;
		pthread_mutex_unlock(&vi->queues[i].lock);
	}
	bury(vi);
	put_vi(vi);
}

VIP_RETURN VipSetViAttributes(VIP_VI_HANDLE ViHandle, VIP_VI_ATTRIBUTES *ViAttribs)
{
	struct vi *vi = get_vi(ViHandle);
	struct fcvi_dev_vi dev = { .vi = 0 };
	VIP_RETURN ret = VIP_INVALID_PARAMETER;

	if (!vi)
		return VIP_INVALID_PARAMETER;
	dev.vi = vi->number;
	if (ViAttribs)
		ret = to_attrs(vi->nic, ViAttribs, &dev.attrs);
	if (!ret)
		ret = from_errno(nic_call(vi->nic, FCVI_IOC_VI_CHANGE, &dev));
	if (!ret)
		keep_attrs(vi, ViAttribs);
	put_vi(vi);
	return ret;
}

VIP_RETURN VipQueryVi(VIP_VI_HANDLE ViHandle, VIP_VI_STATE *State, VIP_VI_ATTRIBUTES *ViAttribs,
		      VIP_BOOLEAN *ViSendQEmpty, VIP_BOOLEAN *ViRecvQEmpty)
{
	static const VIP_VI_STATE states[] = {
		[FCVI_DEV_IDLE] = VIP_STATE_IDLE,
		[FCVI_DEV_CONNECTED] = VIP_STATE_CONNECTED,
		[FCVI_DEV_PENDING] = VIP_STATE_CONNECT_PENDING,
		[FCVI_DEV_ERROR] = VIP_STATE_ERROR,
	};
	struct vi *vi = get_vi(ViHandle);
	struct fcvi_dev_vi dev = { .vi = 0 };
	VIP_RETURN ret = VIP_INVALID_PARAMETER;

	if (!vi)
		return VIP_INVALID_PARAMETER;
	dev.vi = vi->number;
	if (State && ViAttribs && ViSendQEmpty && ViRecvQEmpty)
		ret = from_errno(nic_call(vi->nic, FCVI_IOC_VI_QUERY, &dev));
	if (!ret) {
		*State = states[dev.state & 3];
		pthread_mutex_lock(&vi->lock);
		*ViAttribs = vi->attrs;
		pthread_mutex_unlock(&vi->lock);
		*ViSendQEmpty = queue_is_empty(&vi->queues[FCVI_DEV_SEND]);
		*ViRecvQEmpty = queue_is_empty(&vi->queues[FCVI_DEV_RECV]);
	}
	put_vi(vi);
	return ret;
}
