// SPDX-License-Identifier: GPL-2.0
/*
 * Errors of VIPL with data: in the status of Descriptors, and asynchronous ones, at each
 * reliability level.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "vipl_side.h"

FIXTURE(errors)
{
	struct side a;
	struct side b;
	VIP_VI_HANDLE tx;	/* of a */
	VIP_VI_HANDLE rx;	/* of b */
};

FIXTURE_VARIANT(errors)
{
	VIP_RELIABILITY_LEVEL level;
};

FIXTURE_VARIANT_ADD(errors, unreliable) { .level = VIP_SERVICE_UNRELIABLE };

FIXTURE_VARIANT_ADD(errors, delivery) { .level = VIP_SERVICE_RELIABLE_DELIVERY };

FIXTURE_VARIANT_ADD(errors, reception) { .level = VIP_SERVICE_RELIABLE_RECEPTION };

FIXTURE_SETUP(errors)
{
	ASSERT_TRUE(open_side(&self->a, "a"));
	ASSERT_TRUE(open_side(&self->b, "b"));
	self->tx = new_vi(&self->a, variant->level, NULL, NULL);
	self->rx = new_vi(&self->b, variant->level, NULL, NULL);
	ASSERT_TRUE(connect_sides(&self->a, self->tx, &self->b, self->rx));
}

FIXTURE_TEARDOWN(errors)
{
	EXPECT_TRUE(end_vi(self->tx));
	EXPECT_TRUE(end_vi(self->rx));
	EXPECT_EQ(VIP_SUCCESS, VipCloseNic(self->a.nic));
	EXPECT_EQ(VIP_SUCCESS, VipCloseNic(self->b.nic));
}

/* Connects again after an error has ended the connection */
static bool mended(struct _test_data_errors *self)
{
	VIP_DESCRIPTOR *d;

	if (VipDisconnect(self->tx) || VipDisconnect(self->rx))
		return false;
	do
		VipSendDone(self->tx, &d);
	while (d);
	do
		VipRecvDone(self->rx, &d);
	while (d);
	had_error(&self->a, VIP_ERROR_CONN_LOST);
	had_error(&self->b, VIP_ERROR_CONN_LOST);
	return connect_sides(&self->a, self->tx, &self->b, self->rx);
}

/* Status of the send Descriptor, when it is complete */
static uint32_t sent(struct _test_data_errors *self, VIP_DESCRIPTOR *desc)
{
	VIP_DESCRIPTOR *d;

	if (!post_send(&self->a, self->tx, desc))
		return 0;
	VipSendWait(self->tx, SOON, &d);
	return d == desc ? d->CS.Status : 0;
}

/* What is wrong in a Descriptor: it completes with the error */
TEST_F(errors, malformed)
{
	VIP_DESCRIPTOR *d;

	/* Operation 3, and reserved fields */
	d = describe(&self->a, 0, VIP_CONTROL_OP_RESERVED, 0, 8);
	EXPECT_TRUE(sent(self, d) & VIP_STATUS_FORMAT_ERROR);
	ASSERT_TRUE(mended(self));
	d = describe(&self->a, 0, 0x10, 0, 8);
	EXPECT_TRUE(sent(self, d) & VIP_STATUS_FORMAT_ERROR);
	ASSERT_TRUE(mended(self));
	d = describe(&self->a, 0, VIP_CONTROL_OP_SENDRECV, 0, 8);
	d->CS.Reserved = 1;
	EXPECT_TRUE(sent(self, d) & VIP_STATUS_FORMAT_ERROR);
	ASSERT_TRUE(mended(self));
	d = describe_rdma(&self->a, 0, VIP_CONTROL_OP_RDMAWRITE, 0, 8, &self->b, 0);
	d->DS[0].Remote.Reserved = 1;
	EXPECT_TRUE(sent(self, d) & VIP_STATUS_FORMAT_ERROR);
	ASSERT_TRUE(mended(self));
	/* RDMA on the receive queue */
	d = describe_rdma(&self->b, 0, VIP_CONTROL_OP_RDMAWRITE, 0, 8, &self->a, 0);
	ASSERT_EQ(VIP_SUCCESS, VipPostRecv(self->rx, d, self->b.handle));
	post_send(&self->a, self->tx, describe(&self->a, 0, VIP_CONTROL_OP_SENDRECV, 0, 8));
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipRecvWait(self->rx, SOON, &d));
	ASSERT_NE(NULL, d);
	EXPECT_TRUE(d->CS.Status & VIP_STATUS_FORMAT_ERROR);
}

TEST_F(errors, lengths)
{
	VIP_DESCRIPTOR *d;

	d = describe(&self->a, 0, VIP_CONTROL_OP_SENDRECV, 0, 8);
	d->CS.Length = 9;
	EXPECT_TRUE(sent(self, d) & VIP_STATUS_LENGTH_ERROR);
	ASSERT_TRUE(mended(self));
	d = describe(&self->a, 0, VIP_CONTROL_OP_SENDRECV, 0, MTU + 1);
	EXPECT_TRUE(sent(self, d) & VIP_STATUS_LENGTH_ERROR);
	ASSERT_TRUE(mended(self));
	d = describe(&self->a, 0, VIP_CONTROL_OP_SENDRECV, 0, 8);
	d->CS.SegCount = 254;
	EXPECT_TRUE(sent(self, d) & VIP_STATUS_LENGTH_ERROR);
}

TEST_F(errors, protection)
{
	VIP_MEM_ATTRIBUTES rights = { 0 };
	VIP_DESCRIPTOR *d;
	VIP_MEM_HANDLE mem;

	d = describe(&self->a, 0, VIP_CONTROL_OP_SENDRECV, 0, 8);
	d->DS[0].Local.Handle ^= 0x55555555;
	EXPECT_TRUE(sent(self, d) & VIP_STATUS_PROTECTION_ERROR);
	ASSERT_TRUE(mended(self));
	/* Not all of it */
	d = describe(&self->a, 0, VIP_CONTROL_OP_SENDRECV, DATA - 4, 8);
	d->DS[0].Local.Data.AddressBits += 4096;
	EXPECT_TRUE(sent(self, d) & VIP_STATUS_PROTECTION_ERROR);
	ASSERT_TRUE(mended(self));
	/* Another tag */
	ASSERT_EQ(VIP_SUCCESS, VipCreatePtag(self->a.nic, &rights.Ptag));
	ASSERT_EQ(VIP_SUCCESS,
		  VipRegisterMem(self->a.nic, self->a.mem->data, 64, &rights, &mem));
	d = describe(&self->a, 0, VIP_CONTROL_OP_SENDRECV, 0, 8);
	d->DS[0].Local.Handle = mem;
	EXPECT_TRUE(sent(self, d) & VIP_STATUS_PROTECTION_ERROR);
}

/* Memory that the program may not write: others do not, nor is a Message put there */
TEST_F(errors, read_only_memory)
{
	VIP_MEM_ATTRIBUTES rights = { .Ptag = self->b.ptag, .EnableRdmaWrite = VIP_TRUE };
	VIP_DESCRIPTOR *d;
	VIP_MEM_HANDLE mem;
	uint8_t *page;

	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, page);
	memset(page, 0xee, 4096);
	ASSERT_EQ(0, mprotect(page, 4096, PROT_READ));
	ASSERT_EQ(VIP_SUCCESS, VipRegisterMem(self->b.nic, page, 4096, &rights, &mem));
	d = describe_rdma(&self->a, 0, VIP_CONTROL_OP_RDMAWRITE, 0, 64, &self->b, 0);
	d->DS[0].Remote.Data.Address = page;
	d->DS[0].Remote.Handle = mem;
	sent(self, d);
	EXPECT_TRUE(await_error(&self->b, VIP_ERROR_RDMAW_PROT, NULL));
	ASSERT_TRUE(mended(self));
	d = describe(&self->b, 0, VIP_CONTROL_OP_SENDRECV, 0, 64);
	d->DS[0].Local.Data.Address = page;
	d->DS[0].Local.Handle = mem;
	ASSERT_EQ(VIP_SUCCESS, VipPostRecv(self->rx, d, self->b.handle));
	post_send(&self->a, self->tx, describe(&self->a, 0, VIP_CONTROL_OP_SENDRECV, 0, 8));
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipRecvWait(self->rx, SOON, &d));
	ASSERT_NE(NULL, d);
	EXPECT_TRUE(d->CS.Status & VIP_STATUS_PROTECTION_ERROR);
	EXPECT_EQ(0xee, page[0]);
}

/* Nothing is sent before the connection stands */
TEST_F(errors, not_connected)
{
	VIP_DESCRIPTOR *d;

	ASSERT_EQ(VIP_SUCCESS, VipDisconnect(self->tx));
	d = describe(&self->a, 0, VIP_CONTROL_OP_SENDRECV, 0, 8);
	EXPECT_TRUE(sent(self, d) & VIP_STATUS_DESC_FLUSHED_ERROR);
}

TEST_F(errors, no_receive_descriptor)
{
	VIP_ERROR_DESCRIPTOR error;
	VIP_DESCRIPTOR *d;
	uint32_t status;

	status = sent(self, describe(&self->a, 0, VIP_CONTROL_OP_SENDRECV, 0, 8));
	ASSERT_TRUE(await_error(&self->b, VIP_ERROR_RECVQ_EMPTY, &error));
	EXPECT_EQ(self->rx, error.ViHandle);
	if (variant->level == VIP_SERVICE_UNRELIABLE) {
		/* The Message is lost, the connection is not */
		EXPECT_EQ(VIP_STATUS_DONE, status);
		ASSERT_TRUE(post_recv(&self->b, self->rx, 0, 0, 64));
		sent(self, describe(&self->a, 1, VIP_CONTROL_OP_SENDRECV, 0, 8));
		EXPECT_EQ(VIP_SUCCESS, VipRecvWait(self->rx, SOON, &d));
		return;
	}
	if (variant->level == VIP_SERVICE_RELIABLE_RECEPTION)
		EXPECT_TRUE(status & VIP_STATUS_REMOTE_DESC_ERROR);
	EXPECT_TRUE(await_error(&self->a, VIP_ERROR_CONN_LOST, NULL));
	EXPECT_TRUE(await_state(self->tx, VIP_STATE_ERROR));
	EXPECT_TRUE(await_state(self->rx, VIP_STATE_ERROR));
}

TEST_F(errors, receive_descriptor_too_short)
{
	VIP_DESCRIPTOR *d;
	uint32_t status;

	memset(self->b.mem->data, 0xee, 128);
	ASSERT_TRUE(post_recv(&self->b, self->rx, 0, 0, 64));
	status = sent(self, describe(&self->a, 0, VIP_CONTROL_OP_SENDRECV, 0, 65));
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipRecvWait(self->rx, SOON, &d));
	ASSERT_NE(NULL, d);
	EXPECT_TRUE(d->CS.Status & VIP_STATUS_LENGTH_ERROR);
	EXPECT_EQ(0, d->CS.Length);
	EXPECT_EQ(0xee, self->b.mem->data[64]);
	if (variant->level == VIP_SERVICE_UNRELIABLE) {
		EXPECT_EQ(VIP_STATE_CONNECTED, state_of(self->rx));
	} else {
		EXPECT_TRUE(await_state(self->rx, VIP_STATE_ERROR));
		EXPECT_TRUE(await_state(self->tx, VIP_STATE_ERROR));
	}
	if (variant->level == VIP_SERVICE_RELIABLE_RECEPTION)
		EXPECT_TRUE(status & VIP_STATUS_REMOTE_DESC_ERROR);
}

/* The memory, and then the endpoint, does not allow it */
TEST_F(errors, rdma_protection)
{
	VIP_MEM_ATTRIBUTES none = { .Ptag = self->b.ptag };
	struct side other = self->b;
	VIP_DESCRIPTOR *d;
	uint32_t status;

	memset(self->b.mem->data, 0xee, 4096);
	ASSERT_EQ(VIP_SUCCESS, VipRegisterMem(self->b.nic, self->b.mem, sizeof(*self->b.mem),
					      &none, &other.handle));
	status = sent(self, describe_rdma(&self->a, 0, VIP_CONTROL_OP_RDMAWRITE, 0, 64, &other, 0));
	EXPECT_TRUE(await_error(&self->b, VIP_ERROR_RDMAW_PROT, NULL));
	EXPECT_EQ(0xee, self->b.mem->data[0]);
	if (variant->level == VIP_SERVICE_RELIABLE_RECEPTION)
		EXPECT_TRUE(status & VIP_STATUS_RDMA_PROT_ERROR);
	ASSERT_TRUE(mended(self));
	/* With Immediate Data the receive Descriptor tells it */
	ASSERT_TRUE(post_recv(&self->b, self->rx, 0, 0, 64));
	d = describe_rdma(&self->a, 0, VIP_CONTROL_OP_RDMAWRITE | VIP_CONTROL_IMMEDIATE, 0, 64,
			  &other, 0);
	sent(self, d);
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipRecvWait(self->rx, SOON, &d));
	ASSERT_NE(NULL, d);
	EXPECT_TRUE(d->CS.Status & VIP_STATUS_PROTECTION_ERROR);
	EXPECT_FALSE(had_error(&self->b, VIP_ERROR_RDMAW_PROT));
	if (variant->level == VIP_SERVICE_UNRELIABLE)
		return;
	ASSERT_TRUE(mended(self));
	status = sent(self, describe_rdma(&self->a, 0, VIP_CONTROL_OP_RDMAREAD, 0, 64, &other, 0));
	EXPECT_TRUE(status & VIP_STATUS_RDMA_PROT_ERROR);
	EXPECT_TRUE(await_error(&self->b, VIP_ERROR_RDMAR_PROT, NULL));
}

TEST_F(errors, rdma_not_enabled)
{
	VIP_VI_ATTRIBUTES attrs = attributes(&self->b, variant->level);

	ASSERT_EQ(VIP_SUCCESS, VipDisconnect(self->rx));
	attrs.EnableRdmaWrite = VIP_FALSE;
	ASSERT_EQ(VIP_SUCCESS, VipSetViAttributes(self->rx, &attrs));
	ASSERT_TRUE(mended(self));
	memset(self->b.mem->data, 0xee, 64);
	sent(self, describe_rdma(&self->a, 0, VIP_CONTROL_OP_RDMAWRITE, 0, 64, &self->b, 0));
	EXPECT_TRUE(await_error(&self->b, VIP_ERROR_RDMAW_PROT, NULL));
	EXPECT_EQ(0xee, self->b.mem->data[0]);
}

/* Descriptors that are not to be had */
TEST_F(errors, post)
{
	VIP_ERROR_DESCRIPTOR error;
	VIP_DESCRIPTOR *d;

	d = (VIP_DESCRIPTOR *)((char *)&self->a.mem->descs[0] + 16);
	EXPECT_EQ(VIP_SUCCESS, VipPostSend(self->tx, d, self->a.handle));
	ASSERT_TRUE(await_error(&self->a, VIP_ERROR_POST_DESC, &error));
	EXPECT_EQ(self->tx, error.ViHandle);
	EXPECT_EQ(d, error.DescriptorPtr);
	EXPECT_TRUE(await_state(self->tx, VIP_STATE_ERROR));
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipSendDone(self->tx, &d));
	EXPECT_EQ(NULL, d);
	ASSERT_TRUE(mended(self));
	d = describe(&self->b, 0, VIP_CONTROL_OP_SENDRECV, 0, 64);
	EXPECT_EQ(VIP_SUCCESS, VipPostRecv(self->rx, d, self->b.handle ^ 0x55555555));
	EXPECT_TRUE(await_error(&self->b, VIP_ERROR_POST_DESC, NULL));
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipRecvDone(self->rx, &d));
	EXPECT_EQ(NULL, d);
}

TEST_F(errors, too_many_posted)
{
	VIP_DESCRIPTOR *d = describe(&self->b, 0, VIP_CONTROL_OP_SENDRECV, 0, 64);
	unsigned long i;

	/* One Descriptor many times is as good as many */
	for (i = 0; i <= self->b.port.MaxDescriptorsPerQueue; i++)
		ASSERT_EQ(VIP_SUCCESS, VipPostRecv(self->rx, d, self->b.handle));
	EXPECT_TRUE(await_error(&self->b, VIP_ERROR_VI_OVERRUN, NULL));
	EXPECT_TRUE(await_state(self->rx, VIP_STATE_ERROR));
}

/* The memory of a Descriptor that is posted is deregistered */
TEST_F(errors, memory_of_descriptor_gone)
{
	VIP_MEM_ATTRIBUTES rights = { .Ptag = self->b.ptag };
	VIP_ERROR_DESCRIPTOR error;
	VIP_DESCRIPTOR *d, *found;
	VIP_MEM_HANDLE mem;

	ASSERT_EQ(VIP_SUCCESS,
		  VipRegisterMem(self->b.nic, &self->b.mem->descs[7], 64, &rights, &mem));
	d = describe(&self->b, 7, VIP_CONTROL_OP_SENDRECV, 0, 64);
	ASSERT_EQ(VIP_SUCCESS, VipPostRecv(self->rx, d, mem));
	ASSERT_EQ(VIP_SUCCESS, VipDeregisterMem(self->b.nic, &self->b.mem->descs[7], mem));
	post_send(&self->a, self->tx, describe(&self->a, 0, VIP_CONTROL_OP_SENDRECV, 0, 8));
	ASSERT_TRUE(await_error(&self->b, VIP_ERROR_COMP_PROT, &error));
	EXPECT_EQ(self->rx, error.ViHandle);
	EXPECT_EQ(d, error.DescriptorPtr);
	/* It is taken all the same */
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipRecvWait(self->rx, SOON, &found));
	EXPECT_EQ(d, found);
	EXPECT_TRUE(await_state(self->rx, VIP_STATE_ERROR));
}

TEST_F(errors, completion_queue_is_full)
{
	VIP_VI_HANDLE vi, who;
	VIP_BOOLEAN recv;
	VIP_CQ_HANDLE cq;
	int i;

	ASSERT_EQ(VIP_SUCCESS, VipCreateCQ(self->b.nic, 2, &cq));
	vi = new_vi(&self->b, variant->level, NULL, cq);
	for (i = 0; i < 8; i++)
		ASSERT_TRUE(post_recv(&self->b, vi, i, 0, 64));
	EXPECT_EQ(VIP_SUCCESS, VipDisconnect(vi));
	EXPECT_TRUE(await_error(&self->b, VIP_ERROR_CATASTROPHIC, NULL));
	EXPECT_FALSE(had_error(&self->b, VIP_ERROR_CATASTROPHIC));
	for (i = 0; i < 2; i++)
		EXPECT_EQ(VIP_SUCCESS, VipCQDone(cq, &who, &recv));
	EXPECT_TRUE(end_vi(vi));
	EXPECT_EQ(VIP_SUCCESS, VipDestroyCQ(cq));
}

TEST_HARNESS_MAIN
