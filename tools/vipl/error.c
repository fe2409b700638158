// SPDX-License-Identifier: GPL-2.0
/*
 * Asynchronous errors, VI-DG 3.8.1.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "lib.h"

#define OP_SHIFT	16	/* in the status of a Descriptor */

static const char *const error_names[] = {
	[VIP_ERROR_POST_DESC] = "a posted Descriptor is not to be had",
	[VIP_ERROR_CONN_LOST] = "connection lost",
	[VIP_ERROR_RECVQ_EMPTY] = "no receive Descriptor for a Message",
	[VIP_ERROR_VI_OVERRUN] = "too many Descriptors posted",
	[VIP_ERROR_RDMAW_PROT] = "protection error of an RDMA Write",
	[VIP_ERROR_RDMAW_DATA] = "damaged data of an RDMA Write",
	[VIP_ERROR_RDMAW_ABORT] = "an RDMA Write ended short",
	[VIP_ERROR_RDMAR_PROT] = "protection error of an RDMA Read",
	[VIP_ERROR_COMP_PROT] = "the region of a Descriptor is gone",
	[VIP_ERROR_RDMA_TRANSPORT] = "transport error of an RDMA",
	[VIP_ERROR_CATASTROPHIC] = "catastrophic error",
};

static void log_error(struct nic *nic, const VIP_ERROR_DESCRIPTOR *desc)
{
	fprintf(stderr, "libvipl: %s: %s (VI %p, completion queue %p, Descriptor %p)\n", nic->name,
		error_names[desc->ErrorCode], desc->ViHandle, desc->CQHandle,
		(void *)desc->DescriptorPtr);
}

static void take_error(struct nic *nic, const struct fcvi_dev_event *event)
{
	VIP_ERROR_DESCRIPTOR desc = {
		.NicHandle = nic->obj.handle,
		.ViHandle = handle_is_good((void *)(uintptr_t)event->vi_user, KIND_VI),
		.CQHandle = handle_is_good((void *)(uintptr_t)event->cq_user, KIND_CQ),
		.DescriptorPtr = (void *)(uintptr_t)event->desc,
		.OpCode = (VIP_ULONG)event->op << OP_SHIFT,
		.ResourceCode = (VIP_RESOURCE_CODE)event->resource,
		.ErrorCode = (VIP_ERROR_CODE)event->code,
	};
	error_handler handler;
	struct vi *vi;
	void *context;
	bool closed;

	if (event->code > VIP_ERROR_CATASTROPHIC)
		return;
	if (event->code == FCVI_DEV_ERR_COMP_PROT && event->queue <= FCVI_DEV_RECV) {
		vi = get_vi(desc.ViHandle);
		if (vi) {
			queue_lost(&vi->queues[event->queue], event->desc);
			put_vi(vi);
		}
	}
	pthread_mutex_lock(&nic->lock);
	handler = nic->handler;
	context = nic->context;
	closed = nic->closed;
	pthread_mutex_unlock(&nic->lock);
	if (closed)
		return;
	if (handler)
		handler(context, &desc);
	else
		log_error(nic, &desc);
}

/**
 * take_errors - thread of a port that takes asynchronous errors, until the port is closed
 * @arg: the port, whose use is handed over
 */
void *take_errors(void *arg)
{
	struct nic *nic = arg;
	struct fcvi_dev_event events[16];
	struct pollfd fds[2] = {
		{ .fd = nic->fd, .events = POLLIN },
		{ .fd = nic->stop, .events = POLLIN },
	};
	ssize_t len;
	size_t i;

	while (!fds[1].revents) {
		if (poll(fds, 2, -1) < 0)
			continue;
		len = fds[0].revents ? read(nic->fd, events, sizeof(events)) : -1;
		for (i = 0; len > 0 && i < len / sizeof(events[0]); i++)
			take_error(nic, &events[i]);
		/* Nothing more comes after the end of the device */
		if (len <= 0 && fds[0].revents & (POLLHUP | POLLERR))
			fds[0].fd = -1;
	}
	put_nic(nic);
	return NULL;
}

VIP_RETURN VipErrorCallback(VIP_NIC_HANDLE NicHandle, VIP_PVOID Context, error_handler Handler)
{
	struct nic *nic = get_nic(NicHandle);

	if (!nic)
		return VIP_INVALID_PARAMETER;
	pthread_mutex_lock(&nic->lock);
	nic->handler = Handler;
	nic->context = Context;
	pthread_mutex_unlock(&nic->lock);
	put_nic(nic);
	return VIP_SUCCESS;
}
