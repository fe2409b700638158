// SPDX-License-Identifier: GPL-2.0
/*
 * Ports, VI-DG 3.1, 3.7.1 and 3.7.6.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib.h"

#define COMMON_NAME	"VINIC"		/* VI-DG 6.5 */
#define FC_VI_REVISION	1

/**
 * get_nic - finds a port by its handle; put_nic() later
 * @handle: the handle
 *
 * Return: the port, NULL for a bad handle.
 */
struct nic *get_nic(const void *handle)
{
	struct object *obj = handle_get(handle, KIND_NIC);

	return obj ? container_of(obj, struct nic, obj) : NULL;
}

/**
 * put_nic - the caller is done with a port
 * @nic: the port
 */
void put_nic(struct nic *nic)
{
	handle_put(&nic->obj);
}

/**
 * nic_call - calls /dev/fcvi, again after a signal
 * @nic: the port
 * @request: FCVI_IOC_...
 * @arg: its structure
 *
 * Return: 0, or an error number.
 */
int nic_call(struct nic *nic, unsigned long request, void *arg)
{
	while (ioctl(nic->fd, request, arg)) {
		if (errno != EINTR)
			return errno;
	}
	return 0;
}

/* Fills in an array that may grow meanwhile; the caller frees it */
static void *nic_list(struct nic *nic, unsigned long request, size_t element, uint32_t *nr)
{
	struct fcvi_dev_list list = { .nr = 0 };
	void *array = NULL, *more;
	int error;

	while ((error = nic_call(nic, request, &list)) == ENOSPC) {
		more = realloc(array, list.nr * element);
		if (!more)
			break;
		array = more;
		list.list = (uintptr_t)array;
	}
	*nr = list.nr;
	if (!error)
		return array ? array : malloc(1);
	free(array);
	return NULL;
}

/* Finds the device of VINIC, VINIC0, VINIC1 ...; other names are those of devices */
static VIP_RETURN choose_port(struct nic *nic, struct fcvi_dev_open *open)
{
	const char *digits = nic->name + strlen(COMMON_NAME);
	unsigned long index;
	int32_t *ports;
	uint32_t nr;
	char *end;

	if (strncmp(nic->name, COMMON_NAME, strlen(COMMON_NAME)) ||
	    strspn(digits, "0123456789") != strlen(digits)) {
		if (strlen(nic->name) >= sizeof(open->name))
			return VIP_INVALID_PARAMETER;
		memcpy(open->name, nic->name, strlen(nic->name));
		return VIP_SUCCESS;
	}
	index = strtoul(digits, &end, 10);
	ports = nic_list(nic, FCVI_IOC_PORTS, sizeof(*ports), &nr);
	if (!ports)
		return VIP_ERROR_RESOURCE;
	if (index < nr)
		open->ifindex = ports[index];
	free(ports);
	return index < nr ? VIP_SUCCESS : VIP_INVALID_PARAMETER;
}

static void nic_free(struct object *obj)
{
	struct nic *nic = container_of(obj, struct nic, obj);

	if (nic->stop >= 0)
		close(nic->stop);
	if (nic->fd >= 0)
		close(nic->fd);
	free(nic->vis.handles);
	free(nic->cqs.handles);
	free(nic->tags.handles);
	free(nic->conns.handles);
	free(nic->names);
	free(nic);
}

/* Opens the port; nic_free() undoes what was done before an error, too */
static VIP_RETURN open_port(struct nic *nic)
{
	struct fcvi_dev_open open_port = { .ifindex = 0 };
	VIP_RETURN ret;
	int error;

	nic->fd = open("/dev/fcvi", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	nic->stop = eventfd(0, EFD_CLOEXEC);
	if (nic->fd < 0 || nic->stop < 0)
		return VIP_ERROR_RESOURCE;
	ret = choose_port(nic, &open_port);
	if (ret)
		return ret;
	error = nic_call(nic, FCVI_IOC_OPEN, &open_port);
	if (error)
		return error == ENODEV ? VIP_INVALID_PARAMETER : from_errno(error);
	return from_errno(nic_call(nic, FCVI_IOC_QUERY_PORT, &nic->port));
}

/* In a child, which has copies of the descriptors.  What the kernel has is the parent's. */
static void forget(struct object *obj, enum kind kind)
{
	struct nic *nic = container_of(obj, struct nic, obj);

	if (kind != KIND_NIC)
		return;
	if (nic->fd >= 0)
		close(nic->fd);
	if (nic->stop >= 0)
		close(nic->stop);
}

static int fork_error;

static void prepare_for_fork(void)
{
	fork_error = handles_at_fork(forget);
}

VIP_RETURN VipOpenNic(const VIP_CHAR *DeviceName, VIP_NIC_HANDLE *NicHandle)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct nic *nic;
	VIP_RETURN ret;

	pthread_once(&once, prepare_for_fork);
	if (fork_error)
		return VIP_ERROR_RESOURCE;
	if (!DeviceName || !NicHandle || strlen(DeviceName) >= sizeof(nic->name))
		return VIP_INVALID_PARAMETER;
	nic = calloc(1, sizeof(*nic));
	if (!nic)
		return VIP_ERROR_RESOURCE;
	nic->obj.free = nic_free;
	nic->fd = -1;
	nic->stop = -1;
	pthread_mutex_init(&nic->lock, NULL);
	memcpy(nic->name, DeviceName, strlen(DeviceName));
	if (handle_new(&nic->obj, KIND_NIC)) {
		nic_free(&nic->obj);
		return VIP_ERROR_RESOURCE;
	}
	ret = open_port(nic);
	if (!ret) {
		handle_hold(&nic->obj);
		if (thread_start(&nic->thread, take_errors, nic)) {
			put_nic(nic);
			ret = VIP_ERROR_RESOURCE;
		}
	}
	if (ret) {
		handle_end(&nic->obj);
		put_nic(nic);
		return ret;
	}
	*NicHandle = nic->obj.handle;
	return VIP_SUCCESS;
}

VIP_RETURN VipCloseNic(VIP_NIC_HANDLE NicHandle)
{
	struct nic *nic = get_nic(NicHandle);
	void *handle;

	if (!nic)
		return VIP_INVALID_PARAMETER;
	if (handle_end(&nic->obj)) {
		put_nic(nic);
		return VIP_INVALID_PARAMETER;
	}
	pthread_mutex_lock(&nic->lock);
	nic->closed = true;
	pthread_mutex_unlock(&nic->lock);
	/*
	 * The kernel ends everything, and wakes who waits.  The descriptor stays until they are
	 * gone, as its number could be another file's soon.
	 */
	nic_call(nic, FCVI_IOC_SHUTDOWN, NULL);
	while ((handle = map_take(nic, &nic->vis)))
		close_vi(handle);
	while ((handle = map_take(nic, &nic->cqs)))
		close_cq(handle);
	while ((handle = map_take(nic, &nic->conns)))
		close_object(handle, KIND_CONN);
	while ((handle = map_take(nic, &nic->tags)))
		close_object(handle, KIND_PTAG);
	eventfd_write(nic->stop, 1);
	thread_end(nic->thread);
	put_nic(nic);
	put_nic(nic);
	return VIP_SUCCESS;
}

VIP_RETURN VipQueryNic(VIP_NIC_HANDLE NicHandle, VIP_NIC_ATTRIBUTES *NicAttribs)
{
	struct nic *nic = get_nic(NicHandle);
	const struct fcvi_dev_port *port;

	if (!nic)
		return VIP_INVALID_PARAMETER;
	if (!NicAttribs) {
		put_nic(nic);
		return VIP_INVALID_PARAMETER;
	}
	port = &nic->port;
	memset(NicAttribs, 0, sizeof(*NicAttribs));
	memcpy(NicAttribs->Name, nic->name, sizeof(nic->name));
	NicAttribs->HardwareVersion = FC_VI_REVISION;
	NicAttribs->ProviderVersion = port->version;
	NicAttribs->NicAddressLen = HOST_LEN;
	NicAttribs->LocalNicAddress = port->host;
	NicAttribs->ThreadSafe = VIP_TRUE;
	NicAttribs->MaxDiscriminatorLen = port->max_discrim;
	NicAttribs->MaxRegisterBytes =
		port->max_region_bytes < ULONG_MAX ? port->max_region_bytes : ULONG_MAX;
	NicAttribs->MaxRegisterRegions = port->max_regions;
	NicAttribs->MaxRegisterBlockBytes = NicAttribs->MaxRegisterBytes;
	NicAttribs->MaxVI = port->max_vis;
	NicAttribs->MaxDescriptorsPerQueue = port->max_descs;
	NicAttribs->MaxSegmentsPerDesc = port->max_segs;
	NicAttribs->MaxCQ = port->max_cqs;
	NicAttribs->MaxCQEntries = port->max_cq_entries;
	NicAttribs->MaxTransferSize = port->max_trans_size;
	NicAttribs->NativeMTU = port->native_mtu;
	NicAttribs->MaxPtags = port->max_tags;
	NicAttribs->ReliabilityLevelSupport = VIP_SERVICE_UNRELIABLE |
		VIP_SERVICE_RELIABLE_DELIVERY | VIP_SERVICE_RELIABLE_RECEPTION;
	NicAttribs->RDMAReadSupport =
		VIP_SERVICE_RELIABLE_DELIVERY | VIP_SERVICE_RELIABLE_RECEPTION;
	put_nic(nic);
	return VIP_SUCCESS;
}

static VIP_RETURN discover(struct nic *nic, VIP_AUTODISCOVERY_LIST *list)
{
	uint8_t (*hosts)[HOST_LEN] = NULL;
	VIP_RETURN ret = VIP_SUCCESS;
	VIP_NET_ADDRESS *addr;
	uint32_t nr = 0, i;

	if (list->NumberOfHops) {
		hosts = nic_list(nic, FCVI_IOC_HOSTS, sizeof(*hosts), &nr);
		if (!hosts)
			return VIP_ERROR_RESOURCE;
	}
	if (nr > list->NumAdAddrs)
		ret = VIP_ERROR_RESOURCE;
	for (i = 0; i < nr && !ret; i++) {
		addr = list->ADAddrArray ? list->ADAddrArray[i] : NULL;
		if (addr && addr->HostAddressLen >= HOST_LEN) {
			addr->HostAddressLen = HOST_LEN;
			memcpy(addr->HostAddress, hosts[i], HOST_LEN);
		} else {
			ret = VIP_INVALID_PARAMETER;
		}
	}
	if (ret != VIP_INVALID_PARAMETER)
		list->NumAdAddrs = nr;
	free(hosts);
	return ret;
}

VIP_RETURN VipQuerySystemManagementInfo(VIP_NIC_HANDLE NicHandle, VIP_ULONG InfoType,
					VIP_PVOID SysManInfo)
{
	struct nic *nic = get_nic(NicHandle);
	VIP_RETURN ret = VIP_INVALID_PARAMETER;

	if (!nic)
		return VIP_INVALID_PARAMETER;
	if (InfoType == VIP_SMI_AUTODISCOVERY && SysManInfo)
		ret = discover(nic, SysManInfo);
	put_nic(nic);
	return ret;
}
