// SPDX-License-Identifier: GPL-2.0
/*
 * Connections of clients and servers, VI-DG 3.3.1 to 3.3.5.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib.h"

static struct conn *get_conn(const void *handle)
{
	struct object *obj = handle_get(handle, KIND_CONN);

	return obj ? container_of(obj, struct conn, obj) : NULL;
}

static void put_conn(struct conn *conn)
{
	handle_put(&conn->obj);
}

static void conn_free(struct object *obj)
{
	struct conn *conn = container_of(obj, struct conn, obj);

	put_nic(conn->nic);
	free(conn);
}

/* The request is over: its handle is bad from now on */
static void conn_over(struct conn *conn)
{
	if (handle_end(&conn->obj))
		return;
	map_remove(conn->nic, &conn->nic->conns, conn->number, conn->obj.handle);
	put_conn(conn);
}

/* Makes the handle of a request; NULL when there is no memory */
static struct conn *conn_new(struct nic *nic, uint32_t number)
{
	struct conn *conn = calloc(1, sizeof(*conn));

	if (!conn)
		return NULL;
	conn->obj.free = conn_free;
	conn->nic = nic;
	conn->number = number;
	if (handle_new(&conn->obj, KIND_CONN)) {
		free(conn);
		return NULL;
	}
	handle_hold(&nic->obj);
	if (map_add(nic, &nic->conns, number, conn->obj.handle)) {
		handle_end(&conn->obj);
		put_conn(conn);
		return NULL;
	}
	return conn;
}

static VIP_RETURN wait_for_client(struct nic *nic, struct fcvi_dev_request *req,
				  VIP_NET_ADDRESS *addr, VIP_VI_ATTRIBUTES *attrs,
				  VIP_CONN_HANDLE *handle)
{
	struct fcvi_dev_answer no = { .vi = 0 };
	struct conn *conn;
	int error;

	error = nic_call(nic, FCVI_IOC_REQUEST_WAIT, req);
	if (error)
		return error == EADDRNOTAVAIL ? VIP_INVALID_PARAMETER : from_errno(error);
	conn = conn_new(nic, req->request);
	if (!conn) {
		no.request = req->request;
		nic_call(nic, FCVI_IOC_REJECT, &no);
		return VIP_ERROR_RESOURCE;
	}
	from_addr(&req->rem, addr);
	from_attrs(&req->attrs, &conn->qos, attrs);
	*handle = conn->obj.handle;
	return VIP_SUCCESS;
}

VIP_RETURN VipConnectWait(VIP_NIC_HANDLE NicHandle, VIP_NET_ADDRESS *LocalAddr, VIP_ULONG Timeout,
			  VIP_NET_ADDRESS *RemoteAddr, VIP_VI_ATTRIBUTES *RemoteViAttribs,
			  VIP_CONN_HANDLE *ConnHandle)
{
	struct fcvi_dev_request req = { .timeout = to_timeout(Timeout) };
	struct nic *nic = get_nic(NicHandle);
	VIP_RETURN ret = VIP_INVALID_PARAMETER;

	if (!nic)
		return VIP_INVALID_PARAMETER;
	if (RemoteAddr && RemoteViAttribs && ConnHandle)
		ret = to_addr(LocalAddr, &req.loc);
	if (!ret)
		ret = wait_for_client(nic, &req, RemoteAddr, RemoteViAttribs, ConnHandle);
	put_nic(nic);
	return ret;
}

/* Accepts a request of the port that has the endpoint */
static VIP_RETURN accept_client(struct conn *conn, struct vi *vi)
{
	struct fcvi_dev_answer yes = { .request = conn->number, .vi = vi->number };
	struct fcvi_dev_outcome outcome = { .vi = vi->number };
	int error;

	error = nic_call(conn->nic, FCVI_IOC_ACCEPT, &yes);
	switch (error) {
	case EPROTOTYPE:
	case EMSGSIZE:
	case EPROTONOSUPPORT:
	case EISCONN:
	case ENOMEM:
		/* The client still waits */
		return from_errno(error);
	}
	conn_over(conn);
	if (!error) {
		pthread_mutex_lock(&vi->lock);
		vi->peer = false;
		pthread_mutex_unlock(&vi->lock);
		error = nic_call(conn->nic, FCVI_IOC_CONNECT_WAIT, &outcome);
	}
	return from_errno(error);
}

VIP_RETURN VipConnectAccept(VIP_CONN_HANDLE ConnHandle, VIP_VI_HANDLE ViHandle)
{
	struct conn *conn = get_conn(ConnHandle);
	struct vi *vi = get_vi(ViHandle);
	VIP_RETURN ret = VIP_INVALID_PARAMETER;

	if (conn && vi && conn->nic == vi->nic)
		ret = accept_client(conn, vi);
	if (vi)
		put_vi(vi);
	if (conn)
		put_conn(conn);
	return ret;
}

VIP_RETURN VipConnectReject(VIP_CONN_HANDLE ConnHandle)
{
	struct conn *conn = get_conn(ConnHandle);
	struct fcvi_dev_answer no = { .vi = 0 };
	VIP_RETURN ret;
	int error;

	if (!conn)
		return VIP_INVALID_PARAMETER;
	no.request = conn->number;
	error = nic_call(conn->nic, FCVI_IOC_REJECT, &no);
	/* A client that waits no longer is rejected well enough */
	ret = error == ETIMEDOUT ? VIP_SUCCESS : from_errno(error);
	conn_over(conn);
	put_conn(conn);
	return ret;
}

/**
 * connect_begin - begins a Connection Setup
 * @vi: Idle endpoint
 * @loc: own address
 * @rem: address of the other side
 * @timeout: milliseconds, VIP_INFINITE
 * @flags: FCVI_DEV_PEER, or 0: a client
 */
VIP_RETURN connect_begin(struct vi *vi, const VIP_NET_ADDRESS *loc, const VIP_NET_ADDRESS *rem,
			 VIP_ULONG timeout, uint32_t flags)
{
	struct fcvi_dev_connect dev = {
		.vi = vi->number,
		.flags = flags,
		.timeout = to_timeout(timeout),
	};
	int error;

	if (!timeout || to_addr(loc, &dev.loc) || to_addr(rem, &dev.rem))
		return VIP_INVALID_PARAMETER;
	pthread_mutex_lock(&vi->lock);
	error = nic_call(vi->nic, FCVI_IOC_CONNECT, &dev);
	if (!error)
		vi->peer = flags & FCVI_DEV_PEER;
	pthread_mutex_unlock(&vi->lock);
	return error == EADDRNOTAVAIL ? VIP_INVALID_PARAMETER : from_errno(error);
}

/**
 * connect_outcome - how a Connection Setup has ended
 * @vi: the endpoint
 * @flags: FCVI_DEV_NOWAIT: VIP_NOT_DONE instead of waiting
 * @attrs: attributes of the other side when it is connected
 */
VIP_RETURN connect_outcome(struct vi *vi, uint32_t flags, VIP_VI_ATTRIBUTES *attrs)
{
	struct fcvi_dev_outcome dev = { .vi = vi->number, .flags = flags };
	VIP_RETURN ret = from_errno(nic_call(vi->nic, FCVI_IOC_CONNECT_WAIT, &dev));

	if (!ret)
		from_attrs(&dev.attrs, &vi->remote_qos, attrs);
	return ret;
}

VIP_RETURN VipConnectRequest(VIP_VI_HANDLE ViHandle, VIP_NET_ADDRESS *LocalAddr,
			     VIP_NET_ADDRESS *RemoteAddr, VIP_ULONG Timeout,
			     VIP_VI_ATTRIBUTES *RemoteViAttribs)
{
	struct vi *vi = get_vi(ViHandle);
	VIP_RETURN ret = VIP_INVALID_PARAMETER;

	if (!vi)
		return VIP_INVALID_PARAMETER;
	if (RemoteViAttribs)
		ret = connect_begin(vi, LocalAddr, RemoteAddr, Timeout, 0);
	if (!ret)
		ret = connect_outcome(vi, 0, RemoteViAttribs);
	put_vi(vi);
	return ret;
}

VIP_RETURN VipDisconnect(VIP_VI_HANDLE ViHandle)
{
	struct vi *vi = get_vi(ViHandle);
	struct fcvi_dev_outcome dev = { .vi = 0 };
	VIP_RETURN ret;

	if (!vi)
		return VIP_INVALID_PARAMETER;
	dev.vi = vi->number;
	ret = from_errno(nic_call(vi->nic, FCVI_IOC_DISCONNECT, &dev));
	put_vi(vi);
	return ret;
}
