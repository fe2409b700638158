// SPDX-License-Identifier: GPL-2.0
/*
 * Protection tags and memory regions, VI-DG 3.4, 3.7.4 and 3.7.5.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib.h"

static struct ptag *get_ptag(struct nic *nic, const void *handle)
{
	struct object *obj = handle_get(handle, KIND_PTAG);
	struct ptag *ptag = obj ? container_of(obj, struct ptag, obj) : NULL;

	if (ptag && ptag->nic != nic) {
		handle_put(obj);
		return NULL;
	}
	return ptag;
}

static void ptag_free(struct object *obj)
{
	struct ptag *ptag = container_of(obj, struct ptag, obj);

	put_nic(ptag->nic);
	free(ptag);
}

/**
 * tag_number - finds a protection tag by its handle
 * @nic: the port that has it
 * @handle: the handle
 * @number: the kernel's number for it
 */
VIP_RETURN tag_number(struct nic *nic, const void *handle, uint32_t *number)
{
	struct ptag *ptag = get_ptag(nic, handle);

	if (!ptag)
		return VIP_INVALID_PTAG;
	*number = ptag->number;
	handle_put(&ptag->obj);
	return VIP_SUCCESS;
}

/* Makes a tag of a port that the caller uses */
static VIP_RETURN create_ptag(struct nic *nic, VIP_PROTECTION_HANDLE *handle)
{
	struct fcvi_dev_tag dev = { .tag = 0 };
	struct ptag *ptag;
	int error;

	error = nic_call(nic, FCVI_IOC_TAG_CREATE, &dev);
	if (error)
		return from_errno(error);
	ptag = calloc(1, sizeof(*ptag));
	if (!ptag)
		goto destroy;
	ptag->nic = nic;
	ptag->number = dev.tag;
	ptag->obj.free = ptag_free;
	if (handle_new(&ptag->obj, KIND_PTAG)) {
		free(ptag);
		goto destroy;
	}
	handle_hold(&nic->obj);
	if (map_add(nic, &nic->tags, dev.tag, ptag->obj.handle)) {
		handle_end(&ptag->obj);
		handle_put(&ptag->obj);
		goto destroy;
	}
	*handle = ptag->obj.handle;
	return VIP_SUCCESS;
destroy:
	nic_call(nic, FCVI_IOC_TAG_DESTROY, &dev);
	return VIP_ERROR_RESOURCE;
}

VIP_RETURN VipCreatePtag(VIP_NIC_HANDLE NicHandle, VIP_PROTECTION_HANDLE *Ptag)
{
	struct nic *nic = get_nic(NicHandle);
	VIP_RETURN ret;

	if (!nic)
		return VIP_INVALID_PARAMETER;
	ret = Ptag ? create_ptag(nic, Ptag) : VIP_INVALID_PARAMETER;
	put_nic(nic);
	return ret;
}

VIP_RETURN VipDestroyPtag(VIP_NIC_HANDLE NicHandle, VIP_PROTECTION_HANDLE Ptag)
{
	struct nic *nic = get_nic(NicHandle);
	struct fcvi_dev_tag dev = { .tag = 0 };
	VIP_RETURN ret = VIP_INVALID_PARAMETER;
	struct ptag *ptag;

	if (!nic)
		return VIP_INVALID_PARAMETER;
	ptag = get_ptag(nic, Ptag);
	if (ptag) {
		dev.tag = ptag->number;
		ret = from_errno(nic_call(nic, FCVI_IOC_TAG_DESTROY, &dev));
		if (!ret && !handle_end(&ptag->obj)) {
			map_remove(nic, &nic->tags, dev.tag, Ptag);
			handle_put(&ptag->obj);
		}
		handle_put(&ptag->obj);
	}
	put_nic(nic);
	return ret;
}

static VIP_RETURN to_region(struct nic *nic, const VIP_MEM_ATTRIBUTES *attrs,
			    struct fcvi_dev_mem *mem)
{
	if (!attrs)
		return VIP_INVALID_PARAMETER;
	mem->flags = to_rdma(attrs->EnableRdmaWrite, attrs->EnableRdmaRead);
	return tag_number(nic, attrs->Ptag, &mem->tag);
}

VIP_RETURN VipRegisterMem(VIP_NIC_HANDLE NicHandle, VIP_PVOID VirtualAddress, VIP_ULONG Length,
			  VIP_MEM_ATTRIBUTES *MemAttribs, VIP_MEM_HANDLE *MemoryHandle)
{
	struct fcvi_dev_mem mem = { .addr = (uintptr_t)VirtualAddress, .len = Length };
	struct nic *nic = get_nic(NicHandle);
	VIP_RETURN ret;

	if (!nic)
		return VIP_INVALID_PARAMETER;
	if (!Length || !MemoryHandle)
		ret = VIP_INVALID_PARAMETER;
	else
		ret = to_region(nic, MemAttribs, &mem);
	if (!ret)
		ret = from_errno(nic_call(nic, FCVI_IOC_MEM_REGISTER, &mem));
	if (MemoryHandle)
		*MemoryHandle = ret ? 0 : mem.handle;
	put_nic(nic);
	return ret;
}

VIP_RETURN VipDeregisterMem(VIP_NIC_HANDLE NicHandle, VIP_PVOID VirtualAddress,
			    VIP_MEM_HANDLE MemoryHandle)
{
	struct fcvi_dev_mem mem = { .addr = (uintptr_t)VirtualAddress, .handle = MemoryHandle };
	struct nic *nic = get_nic(NicHandle);
	VIP_RETURN ret;

	if (!nic)
		return VIP_INVALID_PARAMETER;
	ret = from_errno(nic_call(nic, FCVI_IOC_MEM_DEREGISTER, &mem));
	put_nic(nic);
	return ret;
}

VIP_RETURN VipSetMemAttributes(VIP_NIC_HANDLE NicHandle, VIP_PVOID Address,
			       VIP_MEM_HANDLE MemHandle, VIP_MEM_ATTRIBUTES *MemAttribs)
{
	struct fcvi_dev_mem mem = { .addr = (uintptr_t)Address, .handle = MemHandle };
	struct nic *nic = get_nic(NicHandle);
	VIP_RETURN ret;

	if (!nic)
		return VIP_INVALID_PARAMETER;
	ret = to_region(nic, MemAttribs, &mem);
	if (!ret)
		ret = from_errno(nic_call(nic, FCVI_IOC_MEM_CHANGE, &mem));
	put_nic(nic);
	return ret;
}

VIP_RETURN VipQueryMem(VIP_NIC_HANDLE NicHandle, VIP_PVOID Address, VIP_MEM_HANDLE MemHandle,
		       VIP_MEM_ATTRIBUTES *MemAttribs)
{
	struct fcvi_dev_mem mem = { .addr = (uintptr_t)Address, .handle = MemHandle };
	struct nic *nic = get_nic(NicHandle);
	VIP_RETURN ret = VIP_INVALID_PARAMETER;

	if (!nic)
		return VIP_INVALID_PARAMETER;
	if (MemAttribs)
		ret = from_errno(nic_call(nic, FCVI_IOC_MEM_QUERY, &mem));
	if (!ret) {
		MemAttribs->Ptag = map_find(nic, &nic->tags, mem.tag);
		MemAttribs->EnableRdmaWrite = !!(mem.flags & FCVI_DEV_RDMA_WRITE);
		MemAttribs->EnableRdmaRead = !!(mem.flags & FCVI_DEV_RDMA_READ);
	}
	put_nic(nic);
	return ret;
}
