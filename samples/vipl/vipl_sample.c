// SPDX-License-Identifier: GPL-2.0
/*
 * usage: vipl_sample		waits for a client, and lends it memory
 *        vipl_sample HOST	connects, writes to that memory, and reads it
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vipl.h>

#define PORT		"VINIC"			/* the first port of this machine */
#define SERVICE		"vipl_sample"		/* Discriminator */
#define TIMEOUT		10000			/* milliseconds */

#define OK(call)	ok(call, #call)

/* The memory that is registered: Descriptors, on 64 bytes, and data */
struct memory {
	_Alignas(VIP_DESCRIPTOR_ALIGNMENT)
	VIP_DESCRIPTOR	send;
	VIP_DESCRIPTOR	recv;
	struct loan {
		VIP_UINT64	address;
		VIP_MEM_HANDLE	handle;
	} loan;			/* a Message: where the window is */
	char		text[64];
	char		window[64];
};

static VIP_NIC_HANDLE nic;
static VIP_NIC_ATTRIBUTES port;
static VIP_VI_HANDLE vi;
static VIP_VI_ATTRIBUTES attrs = {
	.ReliabilityLevel = VIP_SERVICE_RELIABLE_DELIVERY,
	.MaxTransferSize = 32768,
	.EnableRdmaWrite = VIP_TRUE,
	.EnableRdmaRead = VIP_TRUE,
};

static VIP_MEM_HANDLE handle;
static struct memory mem;

static void ok(VIP_RETURN ret, const char *call)
{
	if (ret == VIP_SUCCESS)
		return;
	fprintf(stderr, "%s: error %d\n", call, ret);
	exit(1);
}

/* The side that is slower learns of the other's VipDisconnect() in this way */
static void on_error(void *context, VIP_ERROR_DESCRIPTOR *error)
{
	(void)context;
	if (error->ErrorCode != VIP_ERROR_CONN_LOST)
		fprintf(stderr, "asynchronous error %d\n", error->ErrorCode);
}

/* Room for any address: 16 bytes of Host Address, up to 128 of Discriminator */
static VIP_NET_ADDRESS *address(const void *host)
{
	VIP_NET_ADDRESS *addr = calloc(1, sizeof(*addr) + port.NicAddressLen +
					       port.MaxDiscriminatorLen);

	if (!addr)
		exit(1);
	addr->HostAddressLen = port.NicAddressLen;
	addr->DiscriminatorLen = strlen(SERVICE);
	if (host)
		memcpy(addr->HostAddress, host, port.NicAddressLen);
	memcpy(addr->HostAddress + port.NicAddressLen, SERVICE, strlen(SERVICE));
	return addr;
}

static void set_up(void)
{
	VIP_MEM_ATTRIBUTES rights = { NULL, VIP_TRUE, VIP_TRUE };

	OK(VipOpenNic(PORT, &nic));
	OK(VipQueryNic(nic, &port));
	OK(VipErrorCallback(nic, NULL, on_error));
	OK(VipCreatePtag(nic, &rights.Ptag));
	OK(VipRegisterMem(nic, &mem, sizeof(mem), &rights, &handle));
	attrs.Ptag = rights.Ptag;
	OK(VipCreateVi(nic, &attrs, NULL, NULL, &vi));
}

static void post_recv(void *data, VIP_UINT32 len)
{
	VIP_DESCRIPTOR *d = &mem.recv;

	memset(d, 0, sizeof(*d));
	d->CS.SegCount = 1;
	d->DS[0].Local.Data.Address = data;
	d->DS[0].Local.Handle = handle;
	d->DS[0].Local.Length = len;
	OK(VipPostRecv(vi, d, handle));
}

/* Sends @data, or with a window writes it there or reads it from there, and waits */
static void transfer(VIP_UINT16 op, void *data, VIP_UINT32 len, const struct loan *window)
{
	VIP_DESCRIPTOR *d = &mem.send;
	int n = 0;

	memset(d, 0, sizeof(*d));
	d->CS.Control = op;
	d->CS.Length = len;
	if (window) {
		d->DS[n].Remote.Data.AddressBits = window->address;
		d->DS[n++].Remote.Handle = window->handle;
	}
	d->DS[n].Local.Data.Address = data;
	d->DS[n].Local.Handle = handle;
	d->DS[n++].Local.Length = len;
	d->CS.SegCount = n;
	OK(VipPostSend(vi, d, handle));
	OK(VipSendWait(vi, VIP_INFINITE, &d));
}

static void serve(void)
{
	VIP_NET_ADDRESS *local = address(port.LocalNicAddress), *client = address(NULL);
	VIP_VI_ATTRIBUTES theirs;
	VIP_CONN_HANDLE request;
	VIP_DESCRIPTOR *d;

	post_recv(mem.text, sizeof(mem.text));	/* before anything can come */
	OK(VipConnectWait(nic, local, VIP_INFINITE, client, &theirs, &request));
	OK(VipConnectAccept(request, vi));
	snprintf(mem.window, sizeof(mem.window), "lent memory");
	mem.loan.address = (VIP_UINT64)(unsigned long)mem.window;
	mem.loan.handle = handle;
	transfer(VIP_CONTROL_OP_SENDRECV, &mem.loan, sizeof(mem.loan), NULL);
	OK(VipRecvWait(vi, VIP_INFINITE, &d));
	printf("received: %s\nwindow: %s\n", mem.text, mem.window);
}

static void use(const char *host)
{
	VIP_NET_ADDRESS *local = address(port.LocalNicAddress), *server = address(NULL);
	VIP_VI_ATTRIBUTES theirs;
	VIP_DESCRIPTOR *d;

	OK(VipNSInit(nic, NULL));
	OK(VipNSGetHostByName(nic, (char *)host, server, 0));
	post_recv(&mem.loan, sizeof(mem.loan));
	OK(VipConnectRequest(vi, local, server, TIMEOUT, &theirs));
	OK(VipRecvWait(vi, TIMEOUT, &d));
	transfer(VIP_CONTROL_OP_RDMAREAD, mem.text, sizeof(mem.window), &mem.loan);
	printf("read: %s\n", mem.text);
	snprintf(mem.text, sizeof(mem.text), "written by the client");
	transfer(VIP_CONTROL_OP_RDMAWRITE, mem.text, sizeof(mem.window), &mem.loan);
	snprintf(mem.text, sizeof(mem.text), "that is all");
	transfer(VIP_CONTROL_OP_SENDRECV, mem.text, sizeof(mem.text), NULL);
}

int main(int argc, char **argv)
{
	set_up();
	if (argc > 1)
		use(argv[1]);
	else
		serve();
	OK(VipDisconnect(vi));
	OK(VipDestroyVi(vi));
	OK(VipCloseNic(nic));
	return 0;
}
