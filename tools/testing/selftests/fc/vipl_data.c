// SPDX-License-Identifier: GPL-2.0
/*
 * Data by VIPL: Send, RDMA Write, RDMA Read, completion queues and handlers, at each reliability
 * level.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "vipl_side.h"

FIXTURE(data)
{
	struct side a;
	struct side b;
	VIP_CQ_HANDLE cq;	/* of the receive queue of rx */
	VIP_VI_HANDLE tx;	/* of a */
	VIP_VI_HANDLE rx;	/* of b */
};

FIXTURE_VARIANT(data)
{
	VIP_RELIABILITY_LEVEL level;
	bool cq;
};

FIXTURE_VARIANT_ADD(data, unreliable) { .level = VIP_SERVICE_UNRELIABLE };

FIXTURE_VARIANT_ADD(data, delivery) { .level = VIP_SERVICE_RELIABLE_DELIVERY };

FIXTURE_VARIANT_ADD(data, reception) { .level = VIP_SERVICE_RELIABLE_RECEPTION };

FIXTURE_VARIANT_ADD(data, queue) { .level = VIP_SERVICE_RELIABLE_DELIVERY, .cq = true };

FIXTURE_SETUP(data)
{
	ASSERT_TRUE(open_side(&self->a, "a"));
	ASSERT_TRUE(open_side(&self->b, "b"));
	if (variant->cq)
		ASSERT_EQ(VIP_SUCCESS, VipCreateCQ(self->b.nic, 64, &self->cq));
	self->tx = new_vi(&self->a, variant->level, NULL, NULL);
	self->rx = new_vi(&self->b, variant->level, NULL, self->cq);
	ASSERT_TRUE(connect_sides(&self->a, self->tx, &self->b, self->rx));
}

FIXTURE_TEARDOWN(data)
{
	EXPECT_TRUE(end_vi(self->tx));
	EXPECT_TRUE(end_vi(self->rx));
	EXPECT_EQ(VIP_SUCCESS, VipCloseNic(self->a.nic));
	EXPECT_EQ(VIP_SUCCESS, VipCloseNic(self->b.nic));
}

static void fill(uint8_t *data, uint32_t len, unsigned int seed)
{
	uint32_t i;

	for (i = 0; i < len; i++)
		data[i] = (i * 7 + (i >> 8) + seed) & 0xff;
}

/* Waits for a receive Descriptor, where its completions go */
static VIP_RETURN received(struct _test_data_data *self, VIP_DESCRIPTOR **d)
{
	VIP_VI_HANDLE vi;
	VIP_BOOLEAN recv;
	VIP_RETURN ret;

	if (!self->cq)
		return VipRecvWait(self->rx, SOON, d);
	ret = VipCQWait(self->cq, SOON, &vi, &recv);
	if (ret)
		return ret;
	if (vi != self->rx || recv != VIP_TRUE)
		return VIP_REJECT;
	return VipRecvDone(self->rx, d);
}

static const uint32_t sizes[] = { 0, 1, 4, 63, 1419, 2080, 2081, 4161, 32768, MTU };

TEST_F(data, send)
{
	VIP_DESCRIPTOR *d;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		fill(self->a.mem->data, sizes[i], i);
		memset(self->b.mem->data, 0xee, MTU + 8);
		ASSERT_TRUE(post_recv(&self->b, self->rx, i, 0, MTU));
		d = describe(&self->a, i, VIP_CONTROL_OP_SENDRECV, 0, sizes[i]);
		if (i & 1) {
			d->CS.Control |= VIP_CONTROL_IMMEDIATE;
			d->CS.ImmediateData = 0x12345678 + i;
		}
		ASSERT_TRUE(post_send(&self->a, self->tx, d));
		ASSERT_EQ(VIP_SUCCESS, VipSendWait(self->tx, SOON, &d));
		EXPECT_EQ(&self->a.mem->descs[i].d, d);
		EXPECT_EQ(VIP_STATUS_DONE | VIP_STATUS_OP_SEND, d->CS.Status);
		EXPECT_EQ(sizes[i], d->CS.Length);
		ASSERT_EQ(VIP_SUCCESS, received(self, &d));
		EXPECT_EQ(&self->b.mem->descs[i].d, d);
		EXPECT_EQ(sizes[i], d->CS.Length);
		if (i & 1) {
			EXPECT_EQ(VIP_STATUS_DONE | VIP_STATUS_OP_RECEIVE | VIP_STATUS_IMMEDIATE,
				  d->CS.Status);
			EXPECT_EQ(0x12345678 + i, d->CS.ImmediateData);
		} else {
			EXPECT_EQ(VIP_STATUS_DONE | VIP_STATUS_OP_RECEIVE, d->CS.Status);
		}
		EXPECT_EQ(0, memcmp(self->a.mem->data, self->b.mem->data, sizes[i]));
		EXPECT_EQ(0xee, self->b.mem->data[sizes[i]]);
	}
}

/* Segments of odd lengths and of no length, at both ends */
TEST_F(data, segments)
{
	static const uint32_t from[] = { 0, 3000, 17, 4000 }, to[] = { 1, 5000, 0, 5000 };
	uint8_t *found = self->b.mem->data, *sent = self->a.mem->data;
	VIP_DESCRIPTOR *s, *r, *d;
	uint32_t at_from = 0, at_to = 0, gap = 13;
	int i;

	fill(sent, DATA, 5);
	s = describe(&self->a, 0, VIP_CONTROL_OP_SENDRECV, 0, 7017);
	r = describe(&self->b, 0, VIP_CONTROL_OP_SENDRECV, 0, 0);
	s->CS.SegCount = 4;
	r->CS.SegCount = 4;
	for (i = 0; i < 4; i++) {
		s->DS[i].Local.Data.Address = sent + at_from;
		s->DS[i].Local.Handle = self->a.handle;
		s->DS[i].Local.Length = from[i];
		r->DS[i].Local.Data.Address = found + at_to;
		r->DS[i].Local.Handle = self->b.handle;
		r->DS[i].Local.Length = to[i];
		at_from += from[i] + gap;
		at_to += to[i];
	}
	ASSERT_EQ(VIP_SUCCESS, VipPostRecv(self->rx, r, self->b.handle));
	ASSERT_TRUE(post_send(&self->a, self->tx, s));
	ASSERT_EQ(VIP_SUCCESS, VipSendWait(self->tx, SOON, &d));
	ASSERT_EQ(VIP_SUCCESS, received(self, &d));
	EXPECT_EQ(7017, d->CS.Length);
	EXPECT_EQ(0, memcmp(found, sent + gap, 3000));
	EXPECT_EQ(0, memcmp(found + 3000, sent + 3000 + 2 * gap, 17));
	EXPECT_EQ(0, memcmp(found + 3017, sent + 3017 + 3 * gap, 4000));
}

/* Many at a time, which complete in their order */
TEST_F(data, order)
{
	VIP_DESCRIPTOR *d;
	int i;

	for (i = 0; i < 32; i++)
		ASSERT_TRUE(post_recv(&self->b, self->rx, i, i * 4096, 4096));
	for (i = 0; i < 32; i++) {
		fill(self->a.mem->data + i * 4096, 4096, i);
		d = describe(&self->a, i, VIP_CONTROL_OP_SENDRECV, i * 4096, 4096 - i);
		ASSERT_TRUE(post_send(&self->a, self->tx, d));
	}
	for (i = 0; i < 32; i++) {
		ASSERT_EQ(VIP_SUCCESS, received(self, &d));
		EXPECT_EQ(&self->b.mem->descs[i].d, d);
		EXPECT_EQ(4096 - i, d->CS.Length);
		EXPECT_EQ(0, memcmp(self->a.mem->data + i * 4096, self->b.mem->data + i * 4096,
				    4096 - i));
		ASSERT_EQ(VIP_SUCCESS, VipSendWait(self->tx, SOON, &d));
		EXPECT_EQ(&self->a.mem->descs[i].d, d);
	}
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipSendDone(self->tx, &d));
	EXPECT_EQ(NULL, d);
}

/* A Message that comes after a Write tells that it is there */
TEST_F(data, write)
{
	VIP_DESCRIPTOR *d;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		fill(self->a.mem->data, sizes[i], i + 50);
		memset(self->b.mem->data, 0xee, MTU + 128);
		ASSERT_TRUE(post_recv(&self->b, self->rx, 0, MTU + 256, 64));
		ASSERT_TRUE(post_send(&self->a, self->tx,
				      describe_rdma(&self->a, 0, VIP_CONTROL_OP_RDMAWRITE, 0,
						    sizes[i], &self->b, 5)));
		ASSERT_TRUE(post_send(&self->a, self->tx,
				      describe(&self->a, 1, VIP_CONTROL_OP_SENDRECV, 0, 4)));
		ASSERT_EQ(VIP_SUCCESS, VipSendWait(self->tx, SOON, &d));
		EXPECT_EQ(VIP_STATUS_DONE | VIP_STATUS_OP_RDMA_WRITE, d->CS.Status);
		EXPECT_EQ(sizes[i], d->CS.Length);
		ASSERT_EQ(VIP_SUCCESS, VipSendWait(self->tx, SOON, &d));
		ASSERT_EQ(VIP_SUCCESS, received(self, &d));
		EXPECT_EQ(0, memcmp(self->a.mem->data, self->b.mem->data + 5, sizes[i]));
		EXPECT_EQ(0xee, self->b.mem->data[4]);
		EXPECT_EQ(0xee, self->b.mem->data[5 + sizes[i]]);
	}
}

TEST_F(data, write_with_immediate_data)
{
	VIP_DESCRIPTOR *d;

	fill(self->a.mem->data, 5000, 3);
	ASSERT_TRUE(post_recv(&self->b, self->rx, 0, MTU, 0));
	d = describe_rdma(&self->a, 0, VIP_CONTROL_OP_RDMAWRITE | VIP_CONTROL_IMMEDIATE, 0, 5000,
			  &self->b, 100);
	d->CS.ImmediateData = 77;
	ASSERT_TRUE(post_send(&self->a, self->tx, d));
	ASSERT_EQ(VIP_SUCCESS, received(self, &d));
	EXPECT_EQ(VIP_STATUS_DONE | VIP_STATUS_OP_REMOTE_RDMA_WRITE | VIP_STATUS_IMMEDIATE,
		  d->CS.Status);
	EXPECT_EQ(77, d->CS.ImmediateData);
	EXPECT_EQ(5000, d->CS.Length);
	EXPECT_EQ(0, memcmp(self->a.mem->data, self->b.mem->data + 100, 5000));
	EXPECT_EQ(VIP_SUCCESS, VipSendWait(self->tx, SOON, &d));
}

TEST_F(data, read)
{
	VIP_DESCRIPTOR *d;
	unsigned int i;

	if (variant->level == VIP_SERVICE_UNRELIABLE) {
		ASSERT_TRUE(post_send(&self->a, self->tx,
				      describe_rdma(&self->a, 0, VIP_CONTROL_OP_RDMAREAD, 0, 64,
						    &self->b, 0)));
		ASSERT_EQ(VIP_DESCRIPTOR_ERROR, VipSendWait(self->tx, SOON, &d));
		EXPECT_TRUE(d->CS.Status & VIP_STATUS_FORMAT_ERROR);
		EXPECT_EQ(VIP_STATE_CONNECTED, state_of(self->tx));
		return;
	}
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		fill(self->b.mem->data + 9, sizes[i], i + 20);
		memset(self->a.mem->data, 0xee, MTU + 128);
		ASSERT_TRUE(post_send(&self->a, self->tx,
				      describe_rdma(&self->a, 0, VIP_CONTROL_OP_RDMAREAD, 3,
						    sizes[i], &self->b, 9)));
		ASSERT_EQ(VIP_SUCCESS, VipSendWait(self->tx, SOON, &d));
		EXPECT_EQ(VIP_STATUS_DONE | VIP_STATUS_OP_RDMA_READ, d->CS.Status);
		EXPECT_EQ(sizes[i], d->CS.Length);
		EXPECT_EQ(0, memcmp(self->a.mem->data + 3, self->b.mem->data + 9, sizes[i]));
		EXPECT_EQ(0xee, self->a.mem->data[2]);
		EXPECT_EQ(0xee, self->a.mem->data[3 + sizes[i]]);
	}
}

/* A Write behind a fence sends what the Read before it has brought */
TEST_F(data, fence)
{
	VIP_DESCRIPTOR *d;

	if (variant->level == VIP_SERVICE_UNRELIABLE)
		SKIP(return, "no RDMA Read");
	fill(self->b.mem->data, 30000, 9);
	memset(self->b.mem->data + 40000, 0, 30000);
	memset(self->a.mem->data, 0, 30000);
	ASSERT_TRUE(post_recv(&self->b, self->rx, 0, MTU + 40000, 64));
	ASSERT_TRUE(post_send(&self->a, self->tx,
			      describe_rdma(&self->a, 0, VIP_CONTROL_OP_RDMAREAD, 0, 30000,
					    &self->b, 0)));
	d = describe_rdma(&self->a, 1, VIP_CONTROL_OP_RDMAWRITE | VIP_CONTROL_QFENCE, 0, 30000,
			  &self->b, 40000);
	ASSERT_TRUE(post_send(&self->a, self->tx, d));
	ASSERT_TRUE(post_send(&self->a, self->tx,
			      describe(&self->a, 2, VIP_CONTROL_OP_SENDRECV, 0, 1)));
	ASSERT_EQ(VIP_SUCCESS, received(self, &d));
	EXPECT_EQ(0, memcmp(self->b.mem->data, self->b.mem->data + 40000, 30000));
}

/* Of handlers */
static struct {
	pthread_mutex_t	lock;
	pthread_cond_t	cond;
	int		calls;
	int		sum;	/* of the contexts, in decimal places */
	VIP_DESCRIPTOR	*last;
	VIP_VI_HANDLE	vi;
} seen = { .lock = PTHREAD_MUTEX_INITIALIZER, .cond = PTHREAD_COND_INITIALIZER };

static void see(VIP_PVOID context, VIP_VI_HANDLE vi, VIP_DESCRIPTOR *d)
{
	pthread_mutex_lock(&seen.lock);
	seen.calls++;
	seen.sum = seen.sum * 10 + (int)(intptr_t)context;
	seen.last = d;
	seen.vi = vi;
	pthread_cond_broadcast(&seen.cond);
	pthread_mutex_unlock(&seen.lock);
}

static void on_desc(VIP_PVOID context, VIP_NIC_HANDLE nic, VIP_VI_HANDLE vi, VIP_DESCRIPTOR *d)
{
	(void)nic;
	see(context, vi, d);
}

static void on_entry(VIP_PVOID context, VIP_NIC_HANDLE nic, VIP_VI_HANDLE vi, VIP_BOOLEAN recv)
{
	VIP_DESCRIPTOR *d = NULL;

	(void)nic;
	if (recv)
		VipRecvDone(vi, &d);
	see(context, vi, d);
}

static bool await_calls(int calls)
{
	struct timespec end;
	bool came;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += SOON / 1000;
	pthread_mutex_lock(&seen.lock);
	while (seen.calls < calls && !pthread_cond_timedwait(&seen.cond, &seen.lock, &end))
		;
	came = seen.calls == calls;
	pthread_mutex_unlock(&seen.lock);
	return came;
}

TEST_F(data, notify)
{
	VIP_DESCRIPTOR *d;
	VIP_RETURN ret;
	long i;

	for (i = 0; i < 3; i++)
		ASSERT_TRUE(post_recv(&self->b, self->rx, i, i * 64, 64));
	/* In the order in which they are asked for */
	for (i = 1; i <= 3; i++) {
		ret = self->cq ? VipCQNotify(self->cq, (void *)i, on_entry) :
				 VipRecvNotify(self->rx, (void *)i, on_desc);
		ASSERT_EQ(VIP_SUCCESS, ret);
	}
	for (i = 0; i < 3; i++) {
		d = describe(&self->a, i, VIP_CONTROL_OP_SENDRECV, 0, 8);
		ASSERT_TRUE(post_send(&self->a, self->tx, d));
	}
	ASSERT_TRUE(await_calls(3));
	EXPECT_EQ(123, seen.sum);
	EXPECT_EQ(self->rx, seen.vi);
	EXPECT_EQ(&self->b.mem->descs[2].d, seen.last);
	/* Those that are complete already */
	for (i = 4; i <= 6; i++)
		ASSERT_EQ(VIP_SUCCESS, VipSendNotify(self->tx, (void *)i, on_desc));
	ASSERT_TRUE(await_calls(6));
	EXPECT_EQ(123456, seen.sum);
	EXPECT_EQ(&self->a.mem->descs[2].d, seen.last);
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipSendNotify(self->tx, NULL, on_desc));
}

/* Another takes the last Descriptor: the handler is called with none */
TEST_F(data, notify_of_nothing)
{
	VIP_DESCRIPTOR *d;

	if (self->cq)
		SKIP(return, "of work queues");
	ASSERT_TRUE(post_recv(&self->b, self->rx, 0, 0, 64));
	ASSERT_EQ(VIP_SUCCESS, VipRecvNotify(self->rx, (void *)1, on_desc));
	ASSERT_EQ(VIP_SUCCESS, VipRecvNotify(self->rx, (void *)2, on_desc));
	ASSERT_TRUE(post_send(&self->a, self->tx,
			      describe(&self->a, 0, VIP_CONTROL_OP_SENDRECV, 0, 8)));
	ASSERT_TRUE(await_calls(2));
	EXPECT_EQ(12, seen.sum);
	EXPECT_EQ(NULL, seen.last);
	EXPECT_EQ(VIP_SUCCESS, VipSendWait(self->tx, SOON, &d));
}

/* One Descriptor for each of the threads that wait */
TEST_F(data, waits_of_threads)
{
	struct call calls[4];
	VIP_DESCRIPTOR *d;
	int i, j;

	if (self->cq)
		SKIP(return, "of work queues");
	for (i = 0; i < 4; i++) {
		ASSERT_TRUE(post_recv(&self->b, self->rx, i, i * 64, 64));
		calls[i] = (struct call){ .vi = self->rx, .timeout = SOON };
		ASSERT_TRUE(start(&calls[i], run_recv_wait));
	}
	for (i = 0; i < 4; i++) {
		d = describe(&self->a, i, VIP_CONTROL_OP_SENDRECV, 0, 8);
		ASSERT_TRUE(post_send(&self->a, self->tx, d));
	}
	for (i = 0; i < 4; i++)
		EXPECT_EQ(VIP_SUCCESS, finish(&calls[i]));
	for (i = 0; i < 4; i++)
		for (j = 0; j < i; j++)
			EXPECT_NE(calls[i].desc, calls[j].desc);
}

TEST_HARNESS_MAIN
