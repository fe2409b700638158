// SPDX-License-Identifier: GPL-2.0
/*
 * Between the types of VIPL and those of /dev/fcvi.
 */
#include <errno.h>
#include <string.h>

#include "lib.h"

/**
 * from_errno - what an error of /dev/fcvi is in VIPL
 * @error: its number, 0 for none
 */
VIP_RETURN from_errno(int error)
{
	switch (error) {
	case 0:
		return VIP_SUCCESS;
	case EINVAL:
	case EFAULT:
	case ESHUTDOWN:
		return VIP_INVALID_PARAMETER;
	case EAGAIN:
		return VIP_NOT_DONE;
	case ETIMEDOUT:
		return VIP_TIMEOUT;
	case ECONNREFUSED:
		return VIP_REJECT;
	case EPROTOTYPE:
		return VIP_INVALID_RELIABILITY_LEVEL;
	case EMSGSIZE:
		return VIP_INVALID_MTU;
	case EPROTONOSUPPORT:
		return VIP_INVALID_QOS;
	case EACCES:
		return VIP_INVALID_PTAG;
	case EOPNOTSUPP:
		return VIP_INVALID_RDMAREAD;
	case EISCONN:
	case ENOTCONN:
	case ECANCELED:
		return VIP_INVALID_STATE;
	case EADDRNOTAVAIL:
		return VIP_NO_MATCH;
	case ENETUNREACH:
		return VIP_NOT_REACHABLE;
	default:
		return VIP_ERROR_RESOURCE;
	}
}

/**
 * to_timeout - milliseconds as the kernel takes them
 * @ms: VIP_INFINITE, and what is beyond it, never ends
 */
uint32_t to_timeout(VIP_ULONG ms)
{
	return ms < VIP_INFINITE ? ms : FCVI_DEV_INFINITE;
}

/**
 * to_addr - reads an address of VIPL
 * @from: it
 * @to: has a Discriminator of 16 bytes or more, FC-VI 7.2: zeros are put behind a shorter one
 */
VIP_RETURN to_addr(const VIP_NET_ADDRESS *from, struct fcvi_dev_addr *to)
{
	memset(to, 0, sizeof(*to));
	if (!from || from->HostAddressLen != HOST_LEN ||
	    from->DiscriminatorLen > FCVI_DEV_DISCRIM_MAX)
		return VIP_INVALID_PARAMETER;
	memcpy(to->host, from->HostAddress, HOST_LEN);
	memcpy(to->discrim, from->HostAddress + HOST_LEN, from->DiscriminatorLen);
	to->discrim_len = from->DiscriminatorLen < FCVI_DEV_DISCRIM_MIN ? FCVI_DEV_DISCRIM_MIN :
									   from->DiscriminatorLen;
	return VIP_SUCCESS;
}

/**
 * from_addr - writes an address of VIPL
 * @from: as the kernel has it
 * @to: has room for it
 */
void from_addr(const struct fcvi_dev_addr *from, VIP_NET_ADDRESS *to)
{
	to->HostAddressLen = HOST_LEN;
	to->DiscriminatorLen = from->discrim_len;
	memcpy(to->HostAddress, from->host, HOST_LEN);
	memcpy(to->HostAddress + HOST_LEN, from->discrim, from->discrim_len);
}

/**
 * to_rdma - what others may do with memory
 * @write: write it
 * @read: read it
 */
uint32_t to_rdma(VIP_BOOLEAN write, VIP_BOOLEAN read)
{
	return (write ? FCVI_DEV_RDMA_WRITE : 0) | (read ? FCVI_DEV_RDMA_READ : 0);
}

/**
 * to_attrs - reads the attributes of an endpoint
 * @nic: its port
 * @from: as VIPL has them
 * @to: as the kernel has them, which looks at the values that this does not
 */
VIP_RETURN to_attrs(struct nic *nic, const VIP_VI_ATTRIBUTES *from, struct fcvi_dev_attrs *to)
{
	const FCVI_QOS *qos = from->QoS;

	memset(to, 0, sizeof(*to));
	switch (from->ReliabilityLevel) {
	case VIP_SERVICE_UNRELIABLE:
		to->level = FCVI_DEV_UD;
		break;
	case VIP_SERVICE_RELIABLE_DELIVERY:
		to->level = FCVI_DEV_RD;
		break;
	case VIP_SERVICE_RELIABLE_RECEPTION:
		to->level = FCVI_DEV_RR;
		break;
	default:
		return VIP_INVALID_RELIABILITY_LEVEL;
	}
	if ((uint64_t)from->MaxTransferSize > UINT32_MAX)
		return VIP_INVALID_MTU;
	to->max_trans_size = from->MaxTransferSize;
	if (qos && qos->Size != sizeof(*qos))
		return VIP_INVALID_QOS;
	to->pipeline_depth = qos ? qos->PipelineDepth : FCVI_QOS_DEFAULT_DEPTH;
	to->flags = to_rdma(from->EnableRdmaWrite, from->EnableRdmaRead);
	if (qos && qos->Preference)
		to->flags |= FCVI_DEV_PREF;
	return tag_number(nic, from->Ptag, &to->tag);
}

/**
 * from_attrs - writes the attributes of a remote endpoint
 * @from: as the kernel has them
 * @qos: for the quality of service, if it is not the default one
 * @to: as VIPL has them
 */
void from_attrs(const struct fcvi_dev_attrs *from, FCVI_QOS *qos, VIP_VI_ATTRIBUTES *to)
{
	static const VIP_RELIABILITY_LEVEL levels[] = {
		[FCVI_DEV_UD] = VIP_SERVICE_UNRELIABLE,
		[FCVI_DEV_RD] = VIP_SERVICE_RELIABLE_DELIVERY,
		[FCVI_DEV_RR] = VIP_SERVICE_RELIABLE_RECEPTION,
	};

	qos->Size = sizeof(*qos);
	qos->Preference = !!(from->flags & FCVI_DEV_PREF);
	qos->PipelineDepth = from->pipeline_depth;
	to->ReliabilityLevel = levels[from->level & 3];
	to->MaxTransferSize = from->max_trans_size;
	to->QoS = qos->Preference || qos->PipelineDepth != FCVI_QOS_DEFAULT_DEPTH ? qos : NULL;
	to->Ptag = NULL;
	to->EnableRdmaWrite = !!(from->flags & FCVI_DEV_RDMA_WRITE);
	to->EnableRdmaRead = !!(from->flags & FCVI_DEV_RDMA_READ);
}
