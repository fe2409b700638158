// SPDX-License-Identifier: GPL-2.0
/*
 * VIPL without a connection: handles, ports, tags, memory, attributes, completion queues, names,
 * and what every call returns when it is given nonsense.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "vipl_fcvi.h"
#include "vipl_side.h"

#define HOSTS	"/tmp/vipl_hosts"

FIXTURE(calls)
{
	struct side a;
};

FIXTURE_SETUP(calls)
{
	ASSERT_TRUE(open_side(&self->a, "a"));
}

FIXTURE_TEARDOWN(calls)
{
	EXPECT_EQ(VIP_SUCCESS, VipCloseNic(self->a.nic));
}

static void no_vi_handler(VIP_PVOID context, VIP_NIC_HANDLE nic, VIP_VI_HANDLE vi,
			  VIP_DESCRIPTOR *desc)
{
	(void)context;
	(void)nic;
	(void)vi;
	(void)desc;
}

static void no_cq_handler(VIP_PVOID context, VIP_NIC_HANDLE nic, VIP_VI_HANDLE vi,
			  VIP_BOOLEAN recv)
{
	(void)context;
	(void)nic;
	(void)vi;
	(void)recv;
}

#define INVALID(call)	EXPECT_EQ(VIP_INVALID_PARAMETER, call)

/* All 41 calls but VipOpenNic, with a handle of another kind or of nothing */
static void refused(struct __test_metadata *_metadata, struct side *a, void *bad)
{
	VIP_NET_ADDRESS *addr = address(a, "refused");
	VIP_VI_ATTRIBUTES attrs = attributes(a, VIP_SERVICE_RELIABLE_DELIVERY);
	VIP_MEM_ATTRIBUTES rights = { .Ptag = a->ptag };
	VIP_NIC_ATTRIBUTES port;
	VIP_BOOLEAN yes, no;
	VIP_VI_STATE state;
	VIP_MEM_HANDLE mem;
	VIP_DESCRIPTOR *d;
	char name[64];
	VIP_ULONG len = sizeof(name);
	void *handle;

	INVALID(VipCloseNic(bad));
	INVALID(VipCreateVi(bad, &attrs, NULL, NULL, &handle));
	INVALID(VipDestroyVi(bad));
	INVALID(VipConnectWait(bad, addr, 0, addr, &attrs, &handle));
	INVALID(VipConnectAccept(bad, bad));
	INVALID(VipConnectReject(bad));
	INVALID(VipConnectRequest(bad, addr, addr, 1, &attrs));
	INVALID(VipDisconnect(bad));
	INVALID(VipConnectPeerRequest(bad, addr, addr, 1));
	INVALID(VipConnectPeerDone(bad, &attrs));
	INVALID(VipConnectPeerWait(bad, &attrs));
	INVALID(VipCreatePtag(bad, &handle));
	INVALID(VipDestroyPtag(bad, a->ptag));
	INVALID(VipRegisterMem(bad, a->mem, 1, &rights, &mem));
	INVALID(VipDeregisterMem(bad, a->mem, a->handle));
	INVALID(VipPostSend(bad, &a->mem->descs[0].d, a->handle));
	INVALID(VipSendDone(bad, &d));
	INVALID(VipSendWait(bad, 0, &d));
	INVALID(VipPostRecv(bad, &a->mem->descs[0].d, a->handle));
	INVALID(VipRecvDone(bad, &d));
	INVALID(VipRecvWait(bad, 0, &d));
	INVALID(VipCQDone(bad, &handle, &yes));
	INVALID(VipCQWait(bad, 0, &handle, &yes));
	INVALID(VipSendNotify(bad, NULL, no_vi_handler));
	INVALID(VipRecvNotify(bad, NULL, no_vi_handler));
	INVALID(VipCQNotify(bad, NULL, no_cq_handler));
	INVALID(VipCreateCQ(bad, 16, &handle));
	INVALID(VipDestroyCQ(bad));
	INVALID(VipResizeCQ(bad, 16));
	INVALID(VipQueryNic(bad, &port));
	INVALID(VipSetViAttributes(bad, &attrs));
	INVALID(VipQueryVi(bad, &state, &attrs, &yes, &no));
	INVALID(VipSetMemAttributes(bad, a->mem, a->handle, &rights));
	INVALID(VipQueryMem(bad, a->mem, a->handle, &rights));
	INVALID(VipQuerySystemManagementInfo(bad, VIP_SMI_AUTODISCOVERY, &port));
	INVALID(VipErrorCallback(bad, NULL, NULL));
	INVALID(VipNSInit(bad, NULL));
	INVALID(VipNSGetHostByName(bad, "localhost", addr, 0));
	INVALID(VipNSGetHostByAddr(bad, addr, name, &len));
	INVALID(VipNSShutdown(bad));
	free(addr);
}

TEST_F(calls, bad_handles)
{
	VIP_VI_HANDLE vi = new_vi(&self->a, VIP_SERVICE_RELIABLE_DELIVERY, NULL, NULL);
	int stack;

	refused(_metadata, &self->a, NULL);
	refused(_metadata, &self->a, (void *)1);
	refused(_metadata, &self->a, (void *)-1L);
	refused(_metadata, &self->a, &stack);
	refused(_metadata, &self->a, self->a.ptag);
	ASSERT_EQ(VIP_SUCCESS, VipDestroyVi(vi));
	refused(_metadata, &self->a, vi);
}

TEST_F(calls, open_and_close)
{
	VIP_NIC_HANDLE again, other;
	VIP_NIC_ATTRIBUTES port;

	INVALID(VipOpenNic(NULL, &again));
	INVALID(VipOpenNic("VINIC", NULL));
	INVALID(VipOpenNic("VINIC1", &again));
	INVALID(VipOpenNic("VINICx", &again));
	INVALID(VipOpenNic("lo", &again));
	INVALID(VipOpenNic("a name that is longer than that of any network device", &again));
	ASSERT_EQ(VIP_SUCCESS, VipOpenNic("VINIC0", &again));
	EXPECT_NE(self->a.nic, again);
	ASSERT_EQ(VIP_SUCCESS, VipOpenNic("veth0", &other));
	EXPECT_EQ(VIP_SUCCESS, VipQueryNic(again, &port));
	EXPECT_STREQ("VINIC0", port.Name);
	EXPECT_EQ(0, memcmp(port.LocalNicAddress, self->a.port.LocalNicAddress, 16));
	EXPECT_EQ(VIP_SUCCESS, VipCloseNic(again));
	INVALID(VipCloseNic(again));
	EXPECT_EQ(VIP_SUCCESS, VipCloseNic(other));
}

/* Everything of a port goes with it */
TEST_F(calls, close_ends_all)
{
	VIP_VI_HANDLE vi;
	VIP_CQ_HANDLE cq;
	struct side b;

	ASSERT_TRUE(open_side(&b, "b"));
	ASSERT_EQ(VIP_SUCCESS, VipCreateCQ(b.nic, 16, &cq));
	vi = new_vi(&b, VIP_SERVICE_UNRELIABLE, cq, NULL);
	ASSERT_NE(NULL, vi);
	ASSERT_TRUE(post_recv(&b, vi, 0, 0, 64));
	ASSERT_EQ(VIP_SUCCESS, VipRecvNotify(vi, NULL, no_vi_handler));
	ASSERT_EQ(VIP_SUCCESS, VipCQNotify(cq, NULL, no_cq_handler));
	EXPECT_EQ(VIP_SUCCESS, VipCloseNic(b.nic));
	refused(_metadata, &self->a, b.nic);
	refused(_metadata, &self->a, vi);
	refused(_metadata, &self->a, cq);
	refused(_metadata, &self->a, b.ptag);
}

static void *close_soon(void *arg)
{
	struct call *c = arg;

	usleep(50000);
	c->ret = VipCloseNic(c->side->nic);
	return NULL;
}

/* It does not leave alone who waits */
TEST_F(calls, close_wakes)
{
	struct call closing = { .side = &self->a }, waiting = { .timeout = VIP_INFINITE };
	VIP_NET_ADDRESS *addr;
	VIP_VI_ATTRIBUTES theirs;
	VIP_CONN_HANDLE conn;
	struct side b;

	ASSERT_TRUE(open_side(&b, "b"));
	closing.side = &b;
	waiting.vi = new_vi(&b, VIP_SERVICE_UNRELIABLE, NULL, NULL);
	ASSERT_TRUE(post_recv(&b, waiting.vi, 0, 0, 64));
	addr = address(&b, "close_wakes");
	ASSERT_TRUE(start(&waiting, run_recv_wait));
	ASSERT_TRUE(start(&closing, close_soon));
	EXPECT_NE(VIP_SUCCESS, VipConnectWait(b.nic, addr, VIP_INFINITE, addr, &theirs, &conn));
	EXPECT_EQ(VIP_SUCCESS, finish(&closing));
	EXPECT_NE(VIP_SUCCESS, finish(&waiting));
}

TEST_F(calls, port_attributes)
{
	const VIP_NIC_ATTRIBUTES *port = &self->a.port;

	INVALID(VipQueryNic(self->a.nic, NULL));
	EXPECT_STREQ("VINIC", port->Name);
	EXPECT_EQ(16, port->NicAddressLen);
	EXPECT_EQ(VIP_TRUE, port->ThreadSafe);
	EXPECT_EQ(128, port->MaxDiscriminatorLen);
	EXPECT_EQ(253, port->MaxSegmentsPerDesc);
	EXPECT_EQ(65536, port->MaxCQEntries);
	EXPECT_EQ(4294967295, port->MaxTransferSize);
	EXPECT_LE(port->MaxVI, port->MaxPtags);
	EXPECT_LE(1024, port->MaxDescriptorsPerQueue);
	EXPECT_LT(0, port->MaxRegisterBytes);
	EXPECT_LT(0, port->MaxRegisterRegions);
	EXPECT_LT(0, port->MaxCQ);
	EXPECT_LT(1000, port->NativeMTU);
	EXPECT_EQ(7, port->ReliabilityLevelSupport);
	EXPECT_EQ(6, port->RDMAReadSupport);
	/* ::ffff:10.9.0.1 */
	EXPECT_EQ(0, memcmp(port->LocalNicAddress,
			    "\0\0\0\0\0\0\0\0\0\0\377\377\12\11\0\1", 16));
}

TEST_F(calls, tags)
{
	VIP_MEM_ATTRIBUTES rights = { 0 };
	VIP_PROTECTION_HANDLE tag;
	VIP_VI_ATTRIBUTES attrs;
	VIP_MEM_HANDLE mem;
	VIP_VI_HANDLE vi;

	INVALID(VipCreatePtag(self->a.nic, NULL));
	ASSERT_EQ(VIP_SUCCESS, VipCreatePtag(self->a.nic, &tag));
	EXPECT_NE(self->a.ptag, tag);
	rights.Ptag = tag;
	ASSERT_EQ(VIP_SUCCESS, VipRegisterMem(self->a.nic, self->a.mem, 64, &rights, &mem));
	EXPECT_EQ(VIP_ERROR_RESOURCE, VipDestroyPtag(self->a.nic, tag));
	ASSERT_EQ(VIP_SUCCESS, VipDeregisterMem(self->a.nic, self->a.mem, mem));
	attrs = attributes(&self->a, VIP_SERVICE_UNRELIABLE);
	attrs.Ptag = tag;
	ASSERT_EQ(VIP_SUCCESS, VipCreateVi(self->a.nic, &attrs, NULL, NULL, &vi));
	EXPECT_EQ(VIP_ERROR_RESOURCE, VipDestroyPtag(self->a.nic, tag));
	ASSERT_EQ(VIP_SUCCESS, VipDestroyVi(vi));
	EXPECT_EQ(VIP_SUCCESS, VipDestroyPtag(self->a.nic, tag));
	INVALID(VipDestroyPtag(self->a.nic, tag));
	EXPECT_EQ(VIP_INVALID_PTAG, VipCreateVi(self->a.nic, &attrs, NULL, NULL, &vi));
	EXPECT_EQ(VIP_INVALID_PTAG,
		  VipRegisterMem(self->a.nic, self->a.mem, 64, &rights, &mem));
}

TEST_F(calls, memory)
{
	VIP_MEM_ATTRIBUTES rights = { .Ptag = self->a.ptag, .EnableRdmaRead = VIP_TRUE }, found;
	VIP_NIC_HANDLE nic = self->a.nic;
	char *odd = (char *)self->a.mem->data + 3;
	VIP_PROTECTION_HANDLE tag;
	VIP_MEM_HANDLE mem, twice;

	INVALID(VipRegisterMem(nic, odd, 0, &rights, &mem));
	EXPECT_EQ(0, mem);
	INVALID(VipRegisterMem(nic, odd, 1, NULL, &mem));
	INVALID(VipRegisterMem(nic, odd, 1, &rights, NULL));
	INVALID(VipRegisterMem(nic, NULL, 4096, &rights, &mem));
	ASSERT_EQ(VIP_SUCCESS, VipRegisterMem(nic, odd, 10001, &rights, &mem));
	ASSERT_EQ(VIP_SUCCESS, VipRegisterMem(nic, odd, 10001, &rights, &twice));
	EXPECT_NE(mem, twice);
	ASSERT_EQ(VIP_SUCCESS, VipQueryMem(nic, odd, mem, &found));
	EXPECT_EQ(self->a.ptag, found.Ptag);
	EXPECT_EQ(VIP_FALSE, found.EnableRdmaWrite);
	EXPECT_EQ(VIP_TRUE, found.EnableRdmaRead);
	INVALID(VipQueryMem(nic, odd + 1, mem, &found));
	INVALID(VipQueryMem(nic, odd, 0x77777777, &found));
	INVALID(VipQueryMem(nic, odd, mem, NULL));
	ASSERT_EQ(VIP_SUCCESS, VipCreatePtag(nic, &tag));
	rights = (VIP_MEM_ATTRIBUTES){ .Ptag = tag, .EnableRdmaWrite = VIP_TRUE };
	INVALID(VipSetMemAttributes(nic, odd + 1, mem, &rights));
	INVALID(VipSetMemAttributes(nic, odd, mem, NULL));
	ASSERT_EQ(VIP_SUCCESS, VipSetMemAttributes(nic, odd, mem, &rights));
	rights.Ptag = nic;
	rights.EnableRdmaWrite = VIP_FALSE;
	EXPECT_EQ(VIP_INVALID_PTAG, VipSetMemAttributes(nic, odd, mem, &rights));
	ASSERT_EQ(VIP_SUCCESS, VipQueryMem(nic, odd, mem, &found));
	EXPECT_EQ(tag, found.Ptag);
	EXPECT_EQ(VIP_TRUE, found.EnableRdmaWrite);
	EXPECT_EQ(VIP_FALSE, found.EnableRdmaRead);
	INVALID(VipDeregisterMem(nic, odd + 1, mem));
	EXPECT_EQ(VIP_SUCCESS, VipDeregisterMem(nic, odd, mem));
	INVALID(VipDeregisterMem(nic, odd, mem));
	EXPECT_EQ(VIP_SUCCESS, VipDeregisterMem(nic, odd, twice));
}

/* What open_side() has registered is more than that already */
TEST_F(calls, limit_of_locked_memory)
{
	const struct rlimit small = { 65536, 65536 };
	VIP_MEM_ATTRIBUTES rights = { .Ptag = self->a.ptag };
	VIP_MEM_HANDLE mem;
	VIP_CQ_HANDLE cq;

	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &small));
	ASSERT_EQ(0, seteuid(65534));
	EXPECT_EQ(VIP_ERROR_RESOURCE,
		  VipRegisterMem(self->a.nic, self->a.mem->data, DATA, &rights, &mem));
	EXPECT_EQ(0, mem);
	EXPECT_EQ(VIP_ERROR_RESOURCE, VipCreateCQ(self->a.nic, 65536, &cq));
	ASSERT_EQ(0, seteuid(0));
}

static VIP_RETURN create(struct side *s, VIP_VI_ATTRIBUTES *attrs)
{
	VIP_VI_HANDLE vi;
	VIP_RETURN ret = VipCreateVi(s->nic, attrs, NULL, NULL, &vi);

	if (!ret)
		VipDestroyVi(vi);
	return ret;
}

TEST_F(calls, vi_attributes)
{
	FCVI_QOS qos = { .Size = sizeof(qos), .Preference = 1, .PipelineDepth = 3 };
	VIP_VI_ATTRIBUTES good, bad, found;
	VIP_BOOLEAN send_empty, recv_empty;
	VIP_VI_STATE state;
	VIP_VI_HANDLE vi;

	good = attributes(&self->a, VIP_SERVICE_RELIABLE_RECEPTION);
	INVALID(VipCreateVi(self->a.nic, NULL, NULL, NULL, &vi));
	INVALID(VipCreateVi(self->a.nic, &good, NULL, NULL, NULL));
	INVALID(VipCreateVi(self->a.nic, &good, self->a.ptag, NULL, &vi));
	INVALID(VipCreateVi(self->a.nic, &good, NULL, (void *)8, &vi));
	bad = good;
	bad.ReliabilityLevel = 3;
	EXPECT_EQ(VIP_INVALID_RELIABILITY_LEVEL, create(&self->a, &bad));
	bad = good;
	bad.MaxTransferSize = 0;
	EXPECT_EQ(VIP_INVALID_MTU, create(&self->a, &bad));
	bad.MaxTransferSize = 1UL << 32;
	EXPECT_EQ(VIP_INVALID_MTU, create(&self->a, &bad));
	bad = good;
	bad.QoS = &qos;
	qos.Size = 4;
	EXPECT_EQ(VIP_INVALID_QOS, create(&self->a, &bad));
	qos.Size = sizeof(qos);
	qos.PipelineDepth = 0xffffffff;
	EXPECT_EQ(VIP_INVALID_QOS, create(&self->a, &bad));
	bad = good;
	bad.Ptag = NULL;
	EXPECT_EQ(VIP_INVALID_PTAG, create(&self->a, &bad));
	bad = good;
	bad.ReliabilityLevel = VIP_SERVICE_UNRELIABLE;
	EXPECT_EQ(VIP_INVALID_RDMAREAD, create(&self->a, &bad));

	qos.PipelineDepth = 3;
	good.QoS = &qos;
	ASSERT_EQ(VIP_SUCCESS, VipCreateVi(self->a.nic, &good, NULL, NULL, &vi));
	ASSERT_EQ(VIP_SUCCESS, VipQueryVi(vi, &state, &found, &send_empty, &recv_empty));
	EXPECT_EQ(VIP_STATE_IDLE, state);
	EXPECT_EQ(VIP_TRUE, send_empty);
	EXPECT_EQ(VIP_TRUE, recv_empty);
	EXPECT_EQ(VIP_SERVICE_RELIABLE_RECEPTION, found.ReliabilityLevel);
	EXPECT_EQ(MTU, found.MaxTransferSize);
	EXPECT_EQ(self->a.ptag, found.Ptag);
	EXPECT_EQ(VIP_TRUE, found.EnableRdmaWrite);
	EXPECT_EQ(VIP_TRUE, found.EnableRdmaRead);
	EXPECT_EQ(0, memcmp(&qos, found.QoS, sizeof(qos)));
	INVALID(VipQueryVi(vi, NULL, &found, &send_empty, &recv_empty));
	INVALID(VipQueryVi(vi, &state, NULL, &send_empty, &recv_empty));
	INVALID(VipQueryVi(vi, &state, &found, NULL, &recv_empty));
	INVALID(VipQueryVi(vi, &state, &found, &send_empty, NULL));

	/* All or nothing */
	INVALID(VipSetViAttributes(vi, NULL));
	bad = attributes(&self->a, VIP_SERVICE_UNRELIABLE);
	bad.MaxTransferSize = 100000;
	bad.EnableRdmaRead = VIP_TRUE;
	EXPECT_EQ(VIP_INVALID_RDMAREAD, VipSetViAttributes(vi, &bad));
	ASSERT_EQ(VIP_SUCCESS, VipQueryVi(vi, &state, &found, &send_empty, &recv_empty));
	EXPECT_EQ(MTU, found.MaxTransferSize);
	bad.EnableRdmaRead = VIP_FALSE;
	EXPECT_EQ(VIP_SUCCESS, VipSetViAttributes(vi, &bad));
	ASSERT_EQ(VIP_SUCCESS, VipQueryVi(vi, &state, &found, &send_empty, &recv_empty));
	EXPECT_EQ(VIP_SERVICE_UNRELIABLE, found.ReliabilityLevel);
	EXPECT_EQ(100000, found.MaxTransferSize);
	EXPECT_EQ(NULL, found.QoS);

	/* Not with a Descriptor that was not taken, posted or complete */
	ASSERT_TRUE(post_recv(&self->a, vi, 0, 0, 64));
	ASSERT_EQ(VIP_SUCCESS, VipQueryVi(vi, &state, &found, &send_empty, &recv_empty));
	EXPECT_EQ(VIP_FALSE, recv_empty);
	EXPECT_EQ(VIP_INVALID_STATE, VipDestroyVi(vi));
	EXPECT_EQ(VIP_SUCCESS, VipDisconnect(vi));
	EXPECT_EQ(VIP_INVALID_STATE, VipDestroyVi(vi));
	EXPECT_TRUE(end_vi(vi));
}

TEST_F(calls, completion_queues)
{
	VIP_BOOLEAN recv;
	VIP_VI_HANDLE vi, who;
	VIP_DESCRIPTOR *d;
	VIP_CQ_HANDLE cq;
	int i;

	INVALID(VipCreateCQ(self->a.nic, 16, NULL));
	INVALID(VipCreateCQ(self->a.nic, 0, &cq));
	EXPECT_EQ(VIP_ERROR_RESOURCE, VipCreateCQ(self->a.nic, 65537, &cq));
	ASSERT_EQ(VIP_SUCCESS, VipCreateCQ(self->a.nic, 4, &cq));
	EXPECT_EQ(VIP_NOT_DONE, VipCQDone(cq, &who, &recv));
	EXPECT_EQ(VIP_TIMEOUT, VipCQWait(cq, 0, &who, &recv));
	EXPECT_EQ(VIP_TIMEOUT, VipCQWait(cq, 5, &who, &recv));
	INVALID(VipCQDone(cq, NULL, &recv));
	INVALID(VipCQWait(cq, 0, &who, NULL));
	INVALID(VipCQNotify(cq, NULL, NULL));
	INVALID(VipResizeCQ(cq, 0));
	EXPECT_EQ(VIP_ERROR_RESOURCE, VipResizeCQ(cq, 65537));

	/* A Disconnect in Idle completes what is posted */
	vi = new_vi(&self->a, VIP_SERVICE_RELIABLE_DELIVERY, NULL, cq);
	ASSERT_NE(NULL, vi);
	EXPECT_EQ(VIP_ERROR_RESOURCE, VipDestroyCQ(cq));
	for (i = 0; i < 4; i++)
		ASSERT_TRUE(post_recv(&self->a, vi, i, 0, 64));
	EXPECT_EQ(VIP_ERROR_RESOURCE, VipRecvWait(vi, 0, &d));
	EXPECT_EQ(VIP_ERROR_RESOURCE, VipRecvNotify(vi, NULL, no_vi_handler));
	EXPECT_EQ(VIP_NOT_DONE, VipRecvDone(vi, &d));
	EXPECT_EQ(VIP_SUCCESS, VipDisconnect(vi));
	EXPECT_EQ(VIP_ERROR_RESOURCE, VipResizeCQ(cq, 1));
	ASSERT_EQ(VIP_SUCCESS, VipCQDone(cq, &who, &recv));
	EXPECT_EQ(vi, who);
	EXPECT_EQ(VIP_TRUE, recv);
	/* No entry is lost */
	ASSERT_EQ(VIP_SUCCESS, VipResizeCQ(cq, 1024));
	for (i = 1; i < 4; i++)
		EXPECT_EQ(VIP_SUCCESS, VipCQWait(cq, VIP_INFINITE, &who, &recv));
	EXPECT_EQ(VIP_NOT_DONE, VipCQDone(cq, &who, &recv));
	for (i = 0; i < 4; i++) {
		EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipRecvDone(vi, &d));
		EXPECT_EQ(&self->a.mem->descs[i].d, d);
		EXPECT_TRUE(d->CS.Status & VIP_STATUS_DESC_FLUSHED_ERROR);
	}
	ASSERT_EQ(VIP_SUCCESS, VipResizeCQ(cq, 2));
	EXPECT_EQ(VIP_SUCCESS, VipDestroyVi(vi));
	EXPECT_EQ(VIP_SUCCESS, VipDestroyCQ(cq));
}

TEST_F(calls, queues_that_are_empty)
{
	VIP_VI_HANDLE vi = new_vi(&self->a, VIP_SERVICE_RELIABLE_DELIVERY, NULL, NULL);
	VIP_DESCRIPTOR *d = &self->a.mem->descs[0].d;

	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipSendDone(vi, &d));
	EXPECT_EQ(NULL, d);
	d = &self->a.mem->descs[0].d;
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipSendWait(vi, VIP_INFINITE, &d));
	EXPECT_EQ(NULL, d);
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipRecvDone(vi, &d));
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipRecvWait(vi, VIP_INFINITE, &d));
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipSendNotify(vi, NULL, no_vi_handler));
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipRecvNotify(vi, NULL, no_vi_handler));
	INVALID(VipSendNotify(vi, NULL, NULL));
	INVALID(VipRecvNotify(vi, NULL, NULL));
	INVALID(VipSendDone(vi, NULL));
	INVALID(VipRecvDone(vi, NULL));
	INVALID(VipSendWait(vi, 0, NULL));
	INVALID(VipRecvWait(vi, 0, NULL));
	INVALID(VipPostSend(vi, NULL, self->a.handle));
	INVALID(VipPostRecv(vi, NULL, self->a.handle));
	EXPECT_EQ(VIP_SUCCESS, VipDestroyVi(vi));
}

TEST_F(calls, waits_end)
{
	VIP_VI_HANDLE vi = new_vi(&self->a, VIP_SERVICE_RELIABLE_DELIVERY, NULL, NULL);
	struct call c = { .vi = vi, .timeout = VIP_INFINITE };
	VIP_DESCRIPTOR *d;

	ASSERT_TRUE(post_recv(&self->a, vi, 0, 0, 64));
	EXPECT_EQ(VIP_NOT_DONE, VipRecvDone(vi, &d));
	EXPECT_EQ(VIP_TIMEOUT, VipRecvWait(vi, 0, &d));
	EXPECT_EQ(VIP_TIMEOUT, VipRecvWait(vi, 20, &d));
	/* Done is not behind Wait */
	ASSERT_TRUE(start(&c, run_recv_wait));
	usleep(20000);
	EXPECT_EQ(VIP_NOT_DONE, VipRecvDone(vi, &d));
	EXPECT_EQ(VIP_SUCCESS, VipDisconnect(vi));
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, finish(&c));
	EXPECT_EQ(&self->a.mem->descs[0].d, c.desc);
	EXPECT_EQ(VIP_SUCCESS, VipDestroyVi(vi));
}

TEST_F(calls, names)
{
	VIP_NET_ADDRESS *addr = address(&self->a, "kept");
	VIP_NIC_HANDLE nic = self->a.nic;
	VIP_ULONG len = 64;
	char name[64];
	FILE *f;

	EXPECT_EQ(VIP_ERROR_NAMESERVICE, VipNSGetHostByName(nic, "one", addr, 0));
	EXPECT_EQ(VIP_ERROR_NAMESERVICE, VipNSGetHostByAddr(nic, addr, name, &len));
	EXPECT_EQ(VIP_ERROR_NAMESERVICE, VipNSShutdown(nic));
	f = fopen(HOSTS, "w");
	ASSERT_NE(NULL, f);
	fputs("# comment\n10.9.0.7\tone Two\nfd00::7 one # two\n\nbad line\n10.9.0.8 three", f);
	fclose(f);
	INVALID(VipNSInit(nic, "/tmp/there is no such file"));
	ASSERT_EQ(VIP_SUCCESS, VipNSInit(nic, HOSTS));
	EXPECT_EQ(VIP_ERROR_NAMESERVICE, VipNSInit(nic, HOSTS));
	EXPECT_EQ(VIP_ERROR_NAMESERVICE, VipNSInit(nic, NULL));
	INVALID(VipNSGetHostByName(nic, NULL, addr, 0));
	INVALID(VipNSGetHostByName(nic, "one", NULL, 0));
	addr->HostAddressLen = 4;
	INVALID(VipNSGetHostByName(nic, "one", addr, 0));
	INVALID(VipNSGetHostByAddr(nic, addr, name, &len));
	addr->HostAddressLen = 0;
	ASSERT_EQ(VIP_SUCCESS, VipNSGetHostByName(nic, "tWO", addr, 0));
	EXPECT_EQ(16, addr->HostAddressLen);
	EXPECT_EQ(4, addr->DiscriminatorLen);
	EXPECT_EQ(0, memcmp(addr->HostAddress,
			    "\0\0\0\0\0\0\0\0\0\0\377\377\12\11\0\7kept", 20));
	EXPECT_EQ(VIP_ERROR_NAMESERVICE, VipNSGetHostByName(nic, "two", addr, 1));
	EXPECT_EQ(VIP_ERROR_NAMESERVICE, VipNSGetHostByName(nic, "bad", addr, 0));
	len = 3;
	INVALID(VipNSGetHostByAddr(nic, addr, name, &len));
	EXPECT_EQ(4, len);
	ASSERT_EQ(VIP_SUCCESS, VipNSGetHostByAddr(nic, addr, name, &len));
	EXPECT_EQ(3, len);
	EXPECT_STREQ("one", name);
	ASSERT_EQ(VIP_SUCCESS, VipNSGetHostByName(nic, "ONE", addr, 1));
	EXPECT_EQ(0xfd, addr->HostAddress[0]);
	EXPECT_EQ(VIP_ERROR_NAMESERVICE, VipNSGetHostByName(nic, "ONE", addr, 2));
	addr->HostAddress[15] = 99;
	len = sizeof(name);
	EXPECT_EQ(VIP_ERROR_NAMESERVICE, VipNSGetHostByAddr(nic, addr, name, &len));
	EXPECT_EQ(VIP_SUCCESS, VipNSShutdown(nic));
	EXPECT_EQ(VIP_ERROR_NAMESERVICE, VipNSShutdown(nic));

	/* The system's: at least numbers are names */
	ASSERT_EQ(VIP_SUCCESS, VipNSInit(nic, NULL));
	ASSERT_EQ(VIP_SUCCESS, VipNSGetHostByName(nic, "10.9.0.2", addr, 0));
	EXPECT_EQ(2, addr->HostAddress[15]);
	EXPECT_EQ(VIP_ERROR_NAMESERVICE, VipNSGetHostByName(nic, "10.9.0.2", addr, 1));
	EXPECT_EQ(VIP_SUCCESS, VipNSShutdown(nic));
}

TEST_F(calls, discovery)
{
	VIP_NET_ADDRESS *addrs[8];
	VIP_AUTODISCOVERY_LIST list = { .ADAddrArray = addrs, .NumAdAddrs = 8 };
	VIP_NIC_HANDLE nic = self->a.nic;
	int i;

	for (i = 0; i < 8; i++)
		addrs[i] = address(&self->a, "");
	INVALID(VipQuerySystemManagementInfo(nic, VIP_SMI_AUTODISCOVERY + 1, &list));
	INVALID(VipQuerySystemManagementInfo(nic, VIP_SMI_AUTODISCOVERY, NULL));
	EXPECT_EQ(VIP_SUCCESS, VipQuerySystemManagementInfo(nic, VIP_SMI_AUTODISCOVERY, &list));
	EXPECT_EQ(0, list.NumAdAddrs);
	/* The test has asked for that of the other side before */
	list.NumberOfHops = 1;
	EXPECT_EQ(VIP_ERROR_RESOURCE,
		  VipQuerySystemManagementInfo(nic, VIP_SMI_AUTODISCOVERY, &list));
	ASSERT_EQ(1, list.NumAdAddrs);
	addrs[0]->HostAddressLen = 15;
	INVALID(VipQuerySystemManagementInfo(nic, VIP_SMI_AUTODISCOVERY, &list));
	addrs[0]->HostAddressLen = 16;
	ASSERT_EQ(VIP_SUCCESS, VipQuerySystemManagementInfo(nic, VIP_SMI_AUTODISCOVERY, &list));
	EXPECT_EQ(1, list.NumAdAddrs);
	EXPECT_EQ(0, memcmp(addrs[0]->HostAddress,
			    "\0\0\0\0\0\0\0\0\0\0\377\377\12\11\0\2", 16));
}

/* A child has no use of its parent's port, and does it no harm */
TEST_F(calls, fork)
{
	VIP_VI_HANDLE vi = new_vi(&self->a, VIP_SERVICE_UNRELIABLE, NULL, NULL), who;
	struct call waiting = { .vi = vi, .timeout = VIP_INFINITE };
	VIP_PROTECTION_HANDLE tag;
	VIP_BOOLEAN recv;
	VIP_CQ_HANDLE cq;
	VIP_NIC_HANDLE nic;
	int status;
	pid_t pid;

	ASSERT_EQ(VIP_SUCCESS, VipCreateCQ(self->a.nic, 16, &cq));
	ASSERT_TRUE(post_recv(&self->a, vi, 0, 0, 64));
	ASSERT_EQ(VIP_SUCCESS, VipCQNotify(cq, NULL, no_cq_handler));
	ASSERT_TRUE(start(&waiting, run_recv_wait));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		alarm(SOON / 1000);
		if (VipCreatePtag(self->a.nic, &tag) != VIP_INVALID_PARAMETER ||
		    VipCQDone(cq, &who, &recv) != VIP_INVALID_PARAMETER ||
		    VipDestroyVi(vi) != VIP_INVALID_PARAMETER ||
		    VipCloseNic(self->a.nic) != VIP_INVALID_PARAMETER)
			_exit(1);
		if (VipOpenNic("VINIC", &nic) || VipCreatePtag(nic, &tag))
			_exit(2);
		_exit(VipCloseNic(nic) ? 3 : 0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(VIP_SUCCESS, VipCreatePtag(self->a.nic, &tag));
	/* The thread of the port is there, and that which waits */
	EXPECT_EQ(VIP_SUCCESS, VipPostRecv(vi, (VIP_DESCRIPTOR *)&self->a.mem->data[1],
					   self->a.handle));
	EXPECT_TRUE(await_error(&self->a, VIP_ERROR_POST_DESC, NULL));
	EXPECT_EQ(VIP_SUCCESS, VipDisconnect(vi));
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, finish(&waiting));
	EXPECT_TRUE(end_vi(vi));
}

/* A VI that cannot get what it needs is not there, and leaves nothing, VI-ARCH 3.3 */
TEST_F(calls, too_many_vis)
{
	VIP_VI_ATTRIBUTES attrs = attributes(&self->a, VIP_SERVICE_UNRELIABLE);
	VIP_ULONG max = self->a.port.MaxVI, i;
	VIP_VI_HANDLE *vis = calloc(max, sizeof(*vis)), more = NULL;
	VIP_CQ_HANDLE cq;

	ASSERT_NE(NULL, vis);
	ASSERT_EQ(VIP_SUCCESS, VipCreateCQ(self->a.nic, 16, &cq));
	for (i = 0; i < max; i++)
		ASSERT_EQ(VIP_SUCCESS, VipCreateVi(self->a.nic, &attrs, NULL, NULL, &vis[i]));
	EXPECT_EQ(VIP_ERROR_RESOURCE, VipCreateVi(self->a.nic, &attrs, cq, cq, &more));
	EXPECT_EQ(NULL, more);
	EXPECT_EQ(VIP_SUCCESS, VipDestroyCQ(cq));
	EXPECT_EQ(VIP_STATE_IDLE, state_of(vis[max - 1]));
	EXPECT_EQ(VIP_SUCCESS, VipDestroyVi(vis[0]));
	EXPECT_EQ(VIP_SUCCESS, VipCreateVi(self->a.nic, &attrs, NULL, NULL, &vis[0]));
	free(vis);
}

TEST_HARNESS_MAIN
