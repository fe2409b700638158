// SPDX-License-Identifier: GPL-2.0
/*
 * Both sides of tests of VIPL in one program.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "vipl_side.h"

const VIP_RELIABILITY_LEVEL levels[LEVELS] = {
	VIP_SERVICE_UNRELIABLE, VIP_SERVICE_RELIABLE_DELIVERY, VIP_SERVICE_RELIABLE_RECEPTION,
};

const char *const level_names[LEVELS] = {
	"Unreliable Delivery", "Reliable Delivery", "Reliable Reception",
};

/* Says what has failed */
static bool good(VIP_RETURN ret, const char *what)
{
	if (ret)
		fprintf(stderr, "# %s: %d\n", what, ret);
	return !ret;
}

static void on_error(VIP_PVOID context, VIP_ERROR_DESCRIPTOR *error)
{
	struct side *s = context;

	pthread_mutex_lock(&s->lock);
	if (s->nr_errors < ERRORS)
		s->errors[s->nr_errors++] = *error;
	pthread_cond_broadcast(&s->cond);
	pthread_mutex_unlock(&s->lock);
}

bool enter(const char *netns)
{
	char path[64];
	bool entered;
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", netns);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	entered = !setns(fd, CLONE_NEWNET);
	close(fd);
	return entered;
}

/* Opens the port of a namespace, with memory that others may read and write */
bool open_side(struct side *s, const char *netns)
{
	VIP_MEM_ATTRIBUTES rights = { .EnableRdmaWrite = VIP_TRUE, .EnableRdmaRead = VIP_TRUE };

	memset(s, 0, sizeof(*s));
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->cond, NULL);
	s->mem = mmap(NULL, sizeof(*s->mem), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	if (s->mem == MAP_FAILED || !enter(netns))
		return false;
	if (!good(VipOpenNic("VINIC", &s->nic), "VipOpenNic") ||
	    !good(VipQueryNic(s->nic, &s->port), "VipQueryNic") ||
	    !good(VipErrorCallback(s->nic, s, on_error), "VipErrorCallback") ||
	    !good(VipCreatePtag(s->nic, &s->ptag), "VipCreatePtag"))
		return false;
	rights.Ptag = s->ptag;
	return good(VipRegisterMem(s->nic, s->mem, sizeof(*s->mem), &rights, &s->handle),
		    "VipRegisterMem");
}

/* An address of the port, with room for any other; never freed */
VIP_NET_ADDRESS *address(const struct side *s, const char *discrim)
{
	VIP_NET_ADDRESS *addr = calloc(1, 256);

	addr->HostAddressLen = s->port.NicAddressLen;
	addr->DiscriminatorLen = strlen(discrim);
	memcpy(addr->HostAddress, s->port.LocalNicAddress, s->port.NicAddressLen);
	memcpy(addr->HostAddress + s->port.NicAddressLen, discrim, strlen(discrim));
	return addr;
}

VIP_VI_ATTRIBUTES attributes(const struct side *s, VIP_RELIABILITY_LEVEL level)
{
	return (VIP_VI_ATTRIBUTES){
		.ReliabilityLevel = level,
		.MaxTransferSize = MTU,
		.Ptag = s->ptag,
		.EnableRdmaWrite = VIP_TRUE,
		.EnableRdmaRead = level == VIP_SERVICE_UNRELIABLE ? VIP_FALSE : VIP_TRUE,
	};
}

VIP_VI_HANDLE new_vi(struct side *s, VIP_RELIABILITY_LEVEL level, VIP_CQ_HANDLE send,
		     VIP_CQ_HANDLE recv)
{
	VIP_VI_ATTRIBUTES attrs = attributes(s, level);
	VIP_VI_HANDLE vi = NULL;

	good(VipCreateVi(s->nic, &attrs, send, recv, &vi), "VipCreateVi");
	return vi;
}

VIP_VI_STATE state_of(VIP_VI_HANDLE vi)
{
	VIP_BOOLEAN send_empty, recv_empty;
	VIP_VI_ATTRIBUTES attrs;
	VIP_VI_STATE state;

	if (!good(VipQueryVi(vi, &state, &attrs, &send_empty, &recv_empty), "VipQueryVi"))
		return (VIP_VI_STATE)-1;
	return state;
}

static const struct timespec tick = { .tv_nsec = 2000000 };

/* Queries tell no changes: looks again and again */
bool await_state(VIP_VI_HANDLE vi, VIP_VI_STATE state)
{
	int i;

	for (i = 0; i < SOON / 2; i++) {
		if (state_of(vi) == state)
			return true;
		nanosleep(&tick, NULL);
	}
	fprintf(stderr, "# state is %d, expected %d\n", state_of(vi), state);
	return false;
}

static bool find_error(struct side *s, VIP_ERROR_CODE code, VIP_ERROR_DESCRIPTOR *found)
{
	unsigned int i;

	for (i = 0; i < s->nr_errors; i++) {
		if (s->errors[i].ErrorCode != code)
			continue;
		if (found)
			*found = s->errors[i];
		memmove(&s->errors[i], &s->errors[i + 1],
			(--s->nr_errors - i) * sizeof(s->errors[0]));
		return true;
	}
	return false;
}

/* Waits for an asynchronous error, and takes it */
bool await_error(struct side *s, VIP_ERROR_CODE code, VIP_ERROR_DESCRIPTOR *found)
{
	struct timespec end;
	bool came;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += SOON / 1000;
	pthread_mutex_lock(&s->lock);
	while (!(came = find_error(s, code, found)) &&
	       !pthread_cond_timedwait(&s->cond, &s->lock, &end))
		;
	pthread_mutex_unlock(&s->lock);
	if (!came)
		fprintf(stderr, "# asynchronous error %d did not come\n", code);
	return came;
}

bool had_error(struct side *s, VIP_ERROR_CODE code)
{
	bool came;

	pthread_mutex_lock(&s->lock);
	came = find_error(s, code, NULL);
	pthread_mutex_unlock(&s->lock);
	return came;
}

bool start(struct call *call, void *(*run)(void *call))
{
	return !pthread_create(&call->thread, NULL, run, call);
}

VIP_RETURN finish(struct call *call)
{
	pthread_join(call->thread, NULL);
	return call->ret;
}

void *run_request(void *arg)
{
	struct call *c = arg;

	c->ret = VipConnectRequest(c->vi, c->local, c->remote, c->timeout, &c->theirs);
	return NULL;
}

void *run_recv_wait(void *arg)
{
	struct call *c = arg;

	c->ret = VipRecvWait(c->vi, c->timeout, &c->desc);
	return NULL;
}

bool connect_sides(struct side *client, VIP_VI_HANDLE client_vi, struct side *server,
		   VIP_VI_HANDLE server_vi)
{
	VIP_NET_ADDRESS *local = address(server, "pair"), *remote = address(client, "");
	struct call c = {
		.vi = client_vi,
		.local = address(client, "client"),
		.remote = local,
		.timeout = SOON,
	};
	VIP_VI_ATTRIBUTES theirs;
	VIP_CONN_HANDLE conn;
	bool accepted;

	/* The connection point is found for a while after this */
	VipConnectWait(server->nic, local, 0, remote, &theirs, &conn);
	if (!start(&c, run_request))
		return false;
	accepted = good(VipConnectWait(server->nic, local, SOON, remote, &theirs, &conn),
			"VipConnectWait") &&
		good(VipConnectAccept(conn, server_vi), "VipConnectAccept");
	return good(finish(&c), "VipConnectRequest") && accepted;
}

/* Disconnects, takes what is left, and destroys */
bool end_vi(VIP_VI_HANDLE vi)
{
	VIP_DESCRIPTOR *d;

	if (!good(VipDisconnect(vi), "VipDisconnect"))
		return false;
	do
		VipSendDone(vi, &d);
	while (d);
	do
		VipRecvDone(vi, &d);
	while (d);
	return good(VipDestroyVi(vi), "VipDestroyVi");
}

VIP_DESCRIPTOR *describe(struct side *s, int desc, VIP_UINT16 op, uint32_t offset, uint32_t len)
{
	VIP_DESCRIPTOR *d = &s->mem->descs[desc].d;

	memset(&s->mem->descs[desc], 0, sizeof(s->mem->descs[desc]));
	d->CS.SegCount = 1;
	d->CS.Control = op;
	d->CS.Length = len;
	d->DS[0].Local.Data.Address = s->mem->data + offset;
	d->DS[0].Local.Handle = s->handle;
	d->DS[0].Local.Length = len;
	return d;
}

VIP_DESCRIPTOR *describe_rdma(struct side *s, int desc, VIP_UINT16 op, uint32_t offset,
			      uint32_t len, const struct side *other, uint32_t to)
{
	VIP_DESCRIPTOR *d = describe(s, desc, op, offset, len);

	d->CS.SegCount = 2;
	d->DS[1] = d->DS[0];
	memset(&d->DS[0], 0, sizeof(d->DS[0]));
	d->DS[0].Remote.Data.Address = other->mem->data + to;
	d->DS[0].Remote.Handle = other->handle;
	return d;
}

bool post_recv(struct side *s, VIP_VI_HANDLE vi, int desc, uint32_t offset, uint32_t len)
{
	return good(VipPostRecv(vi, describe(s, desc, 0, offset, len), s->handle), "VipPostRecv");
}

bool post_send(struct side *s, VIP_VI_HANDLE vi, VIP_DESCRIPTOR *d)
{
	return good(VipPostSend(vi, d, s->handle), "VipPostSend");
}
