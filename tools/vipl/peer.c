// SPDX-License-Identifier: GPL-2.0
/*
 * Connections of peers, VI-DG 3.3.6 to 3.3.8.
 */
#include "lib.h"

VIP_RETURN VipConnectPeerRequest(VIP_VI_HANDLE ViHandle, VIP_NET_ADDRESS *LocalAddr,
				 VIP_NET_ADDRESS *RemoteAddr, VIP_ULONG Timeout)
{
	struct vi *vi = get_vi(ViHandle);
	VIP_RETURN ret;

	if (!vi)
		return VIP_INVALID_PARAMETER;
	ret = connect_begin(vi, LocalAddr, RemoteAddr, Timeout, FCVI_DEV_PEER);
	put_vi(vi);
	return ret;
}

static VIP_RETURN peer_outcome(const void *handle, uint32_t flags, VIP_VI_ATTRIBUTES *attrs)
{
	struct vi *vi = get_vi(handle);
	VIP_RETURN ret;
	bool peer;

	if (!vi)
		return VIP_INVALID_PARAMETER;
	pthread_mutex_lock(&vi->lock);
	peer = vi->peer;
	pthread_mutex_unlock(&vi->lock);
	if (!attrs)
		ret = VIP_INVALID_PARAMETER;
	else if (!peer)
		ret = VIP_INVALID_STATE;
	else
		ret = connect_outcome(vi, flags, attrs);
	put_vi(vi);
	return ret;
}

VIP_RETURN VipConnectPeerDone(VIP_VI_HANDLE ViHandle, VIP_VI_ATTRIBUTES *RemoteViAttribs)
{
	return peer_outcome(ViHandle, FCVI_DEV_NOWAIT, RemoteViAttribs);
}

VIP_RETURN VipConnectPeerWait(VIP_VI_HANDLE ViHandle, VIP_VI_ATTRIBUTES *RemoteViAttribs)
{
	return peer_outcome(ViHandle, 0, RemoteViAttribs);
}
