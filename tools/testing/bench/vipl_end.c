// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "sock.h"
#include "vipl_end.h"

#define SERVICE		"viplbench"	/* Discriminator */
#define HOST_LEN	16
#define SOON		10000		/* milliseconds */
#define PATTERN		0x9e3779b97f4a7c15ULL
#define MEMORY		(4UL << 20)	/* of one end, unless a few slots need more */
#define SLOTS_MIN	4

#define OK(call)	ok(call, #call)

static void ok(VIP_RETURN ret, const char *call)
{
	if (ret)
		errx(EXIT_BROKEN, "error %d of %s", ret, call);
}

/* The other end has disconnected, or else a Message has failed, which its status tells */
static void on_error(void *context, VIP_ERROR_DESCRIPTOR *error)
{
	(void)context;
	if (error->ErrorCode != VIP_ERROR_CONN_LOST)
		warnx("asynchronous error %d", error->ErrorCode);
}

static VIP_NET_ADDRESS *addr_of(const struct end *e, const void *host)
{
	VIP_NET_ADDRESS *a = calloc(1, sizeof(*a) + HOST_LEN + e->port.MaxDiscriminatorLen);

	if (!a)
		err(EXIT_BROKEN, "an address");
	a->HostAddressLen = HOST_LEN;
	a->DiscriminatorLen = strlen(SERVICE);
	if (host)
		memcpy(a->HostAddress, host, HOST_LEN);
	memcpy(a->HostAddress + HOST_LEN, SERVICE, strlen(SERVICE));
	return a;
}

static VIP_MEM_HANDLE registered(struct end *e, void *mem, size_t size)
{
	VIP_MEM_ATTRIBUTES rights = { e->tag, VIP_TRUE, VIP_TRUE };
	VIP_MEM_HANDLE handle;

	OK(VipRegisterMem(e->nic, mem, size, &rights, &handle));
	return handle;
}

void end_open(struct end *e)
{
	memset(e, 0, sizeof(*e));
	OK(VipOpenNic("VINIC", &e->nic));
	OK(VipQueryNic(e->nic, &e->port));
	OK(VipErrorCallback(e->nic, NULL, on_error));
	OK(VipCreatePtag(e->nic, &e->tag));
	e->desk = buffer(sizeof(*e->desk));
	e->desk_handle = registered(e, e->desk, sizeof(*e->desk));
}

static void describe(VIP_DESCRIPTOR *d, void *data, VIP_MEM_HANDLE handle, size_t size)
{
	memset(d, 0, sizeof(*d));
	d->CS.SegCount = 1;
	d->CS.Length = size;
	d->DS[0].Local.Data.Address = data;
	d->DS[0].Local.Handle = handle;
	d->DS[0].Local.Length = size;
}

void end_expect(struct end *e)
{
	unsigned int i = e->expected++ % NOTES;

	describe(&e->desk->heard[i], &e->desk->notes[i], e->desk_handle, sizeof(struct note));
	OK(VipPostRecv(e->vi, &e->desk->heard[i], e->desk_handle));
}

static void new_vi(struct end *e, VIP_RELIABILITY_LEVEL level)
{
	VIP_VI_ATTRIBUTES attrs = {
		.ReliabilityLevel = level,
		.MaxTransferSize = SIZE_MAX_BYTES,
		.Ptag = e->tag,
		.EnableRdmaWrite = VIP_TRUE,
		.EnableRdmaRead = VIP_TRUE,
	};

	OK(VipCreateVi(e->nic, &attrs, NULL, NULL, &e->vi));
	e->expected = 0;
	end_expect(e);
}

void end_listen(struct end *e)
{
	VIP_NET_ADDRESS *local = addr_of(e, e->port.LocalNicAddress), *from = addr_of(e, NULL);
	VIP_VI_ATTRIBUTES attrs;
	VIP_CONN_HANDLE conn;

	/* Requests that come later are found, too */
	if (VipConnectWait(e->nic, local, 0, from, &attrs, &conn) == VIP_SUCCESS)
		OK(VipConnectReject(conn));
	free(local);
	free(from);
}

void end_serve(struct end *e)
{
	VIP_NET_ADDRESS *local = addr_of(e, e->port.LocalNicAddress), *from = addr_of(e, NULL);
	VIP_VI_ATTRIBUTES attrs;
	VIP_CONN_HANDLE conn;

	OK(VipConnectWait(e->nic, local, VIP_INFINITE, from, &attrs, &conn));
	new_vi(e, attrs.ReliabilityLevel);
	OK(VipConnectAccept(conn, e->vi));
	free(local);
	free(from);
}

void end_connect(struct end *e, const char *host, VIP_RELIABILITY_LEVEL level)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	uint8_t ip[HOST_LEN] = { [10] = 0xff, [11] = 0xff };
	VIP_NET_ADDRESS *local, *to;
	VIP_VI_ATTRIBUTES attrs;
	unsigned int i;
	VIP_RETURN ret;

	if (!inet_pton(AF_INET, host, ip + 12))
		errx(EXIT_BROKEN, "'%s' is no IPv4 address", host);
	local = addr_of(e, e->port.LocalNicAddress);
	to = addr_of(e, ip);
	new_vi(e, level);
	/* It may be about to end another client's connection */
	for (i = 0; i < SOON / 10; i++) {
		ret = VipConnectRequest(e->vi, local, to, SOON, &attrs);
		if (ret != VIP_NO_MATCH && ret != VIP_REJECT)
			break;
		nanosleep(&pause, NULL);
	}
	ok(ret, "VipConnectRequest");
	free(local);
	free(to);
}

void end_close(struct end *e)
{
	VIP_DESCRIPTOR *d;

	OK(VipDisconnect(e->vi));
	do
		VipSendDone(e->vi, &d);
	while (d);
	do
		VipRecvDone(e->vi, &d);
	while (d);
	OK(VipDestroyVi(e->vi));
	if (!e->data)
		return;
	OK(VipDeregisterMem(e->nic, e->data, e->data_handle));
	munmap(e->data, e->slots * e->size);
	e->data = NULL;
}

void end_memory(struct end *e, size_t size)
{
	e->slots = MEMORY / size;
	if (e->slots < SLOTS_MIN)
		e->slots = SLOTS_MIN;
	if (e->slots > SLOTS_MAX)
		e->slots = SLOTS_MAX;
	e->size = size;
	e->data = buffer(e->slots * size);
	e->data_handle = registered(e, e->data, e->slots * size);
}

void end_tell(struct end *e, const struct note *note, uint64_t number)
{
	struct note *n = &e->desk->telling;

	*n = *note;
	n->number = number;
	n->address = (uintptr_t)e->data;
	n->handle = e->data_handle;
	n->slots = e->slots;
	describe(&e->desk->told, n, e->desk_handle, sizeof(*n));
	OK(VipPostSend(e->vi, &e->desk->told, e->desk_handle));
	end_sent(e);
}

const struct note *end_hear(struct end *e)
{
	VIP_DESCRIPTOR *d;

	OK(VipRecvWait(e->vi, VIP_INFINITE, &d));
	return &e->desk->notes[d - e->desk->heard];
}

bool end_is_over(struct end *e)
{
	VIP_DESCRIPTOR *d;

	return VipRecvWait(e->vi, VIP_INFINITE, &d) != VIP_SUCCESS;
}

static char *slot_at(const struct end *e, unsigned int slot)
{
	return e->data + slot * e->size;
}

void end_post_recv(struct end *e, unsigned int slot)
{
	VIP_DESCRIPTOR *d = &e->desk->recvs[slot];

	describe(d, slot_at(e, slot), e->data_handle, e->size);
	OK(VipPostRecv(e->vi, d, e->desk_handle));
}

void end_post(struct end *e, unsigned int slot, VIP_UINT16 control, unsigned int there)
{
	VIP_DESCRIPTOR *d = &e->desk->sends[slot];

	describe(d, slot_at(e, slot), e->data_handle, e->size);
	d->CS.Control = control;
	if ((control & VIP_CONTROL_OP_MASK) != VIP_CONTROL_OP_SENDRECV) {
		d->DS[1] = d->DS[0];
		d->DS[0].Remote.Data.AddressBits = e->theirs.address + there * e->size;
		d->DS[0].Remote.Handle = e->theirs.handle;
		d->DS[0].Remote.Reserved = 0;
		d->CS.SegCount = 2;
	}
	OK(VipPostSend(e->vi, d, e->desk_handle));
}

void end_sent(struct end *e)
{
	VIP_DESCRIPTOR *d;

	OK(VipSendWait(e->vi, VIP_INFINITE, &d));
}

void end_received(struct end *e, size_t size)
{
	VIP_DESCRIPTOR *d;

	OK(VipRecvWait(e->vi, VIP_INFINITE, &d));
	if (d->CS.Length != size)
		errx(EXIT_BROKEN, "%u bytes have come, expected %zu", d->CS.Length, size);
}

static uint64_t word_of(unsigned int slot, size_t i)
{
	return (i + 1) * PATTERN + slot;
}

void slot_fill(struct end *e, unsigned int slot)
{
	uint64_t *word = (uint64_t *)slot_at(e, slot);
	size_t i;

	for (i = 0; i < e->size / sizeof(*word); i++)
		word[i] = word_of(slot, i);
}

uint64_t *slot_last(struct end *e, unsigned int slot)
{
	return (uint64_t *)(slot_at(e, slot + 1)) - 1;
}

void slot_stamp(struct end *e, unsigned int slot, uint64_t number)
{
	*(uint64_t *)slot_at(e, slot) = number;
	*slot_last(e, slot) = number;
}

bool slot_stamped(struct end *e, unsigned int slot, uint64_t number)
{
	return *(uint64_t *)slot_at(e, slot) == number && *slot_last(e, slot) == number;
}

bool slot_is(struct end *e, unsigned int slot, unsigned int as, uint64_t number)
{
	const uint64_t *word = (uint64_t *)slot_at(e, slot);
	size_t i;

	for (i = 1; i + 1 < e->size / sizeof(*word); i++)
		if (word[i] != word_of(as, i))
			return false;
	return slot_stamped(e, slot, number);
}
