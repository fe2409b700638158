// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/fcvi: Descriptors, good and bad, over connections of each reliability level.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "dev_side.h"

#define MS	10000

static struct desc segment(struct side *s, uint32_t offset, uint32_t len)
{
	return (struct desc) {
		.count = 1, .len = len,
		.seg = { { .addr = (uintptr_t)s->mem + offset, .handle = s->handle, .len = len } },
	};
}

static struct desc rdma(struct side *s, struct side *to, uint16_t op, uint32_t offset,
			uint32_t len)
{
	struct desc d = segment(s, 0, len);

	d.seg[1] = d.seg[0];
	d.seg[0] = (struct segment) { .addr = (uintptr_t)to->mem + offset, .handle = to->handle };
	d.control = op;
	d.count = 2;
	return d;
}

static void fill(uint8_t *p, uint32_t len, uint8_t seed)
{
	uint32_t i;

	for (i = 0; i < len; i++)
		p[i] = i * 31 + seed;
}

FIXTURE(data)
{
	struct side a, b;
	uint32_t vi_a, vi_b;
};

FIXTURE_VARIANT(data)
{
	uint8_t level;
};

FIXTURE_VARIANT_ADD(data, ud) { .level = FCVI_DEV_UD };
FIXTURE_VARIANT_ADD(data, rd) { .level = FCVI_DEV_RD };
FIXTURE_VARIANT_ADD(data, rr) { .level = FCVI_DEV_RR };

FIXTURE_SETUP(data)
{
	ASSERT_TRUE(side_open(&self->a, "a", "veth0"));
	ASSERT_TRUE(side_open(&self->b, "b", "veth1"));
	self->vi_a = new_vi(&self->a, variant->level);
	self->vi_b = new_vi(&self->b, variant->level);
	ASSERT_NE(0, self->vi_a);
	ASSERT_NE(0, self->vi_b);
	ASSERT_TRUE(join_vis(&self->a, self->vi_a, &self->b, self->vi_b, "data"));
}

FIXTURE_TEARDOWN(data)
{
	side_close(&self->a);
	side_close(&self->b);
}

TEST_F(data, send)
{
	struct desc d = segment(&self->b, 1000, 60000), *recv, *send;
	int err;

	recv = post(&self->b, self->vi_b, FCVI_DEV_RECV, 0, &d, &err);
	ASSERT_EQ(0, err);
	fill(self->a.mem + 10, 50000, 1);
	d = segment(&self->a, 10, 50000);
	d.control = IMMEDIATE;
	d.imm = 0x12345678;
	send = post(&self->a, self->vi_a, FCVI_DEV_SEND, 0, &d, &err);
	ASSERT_EQ(0, err);
	EXPECT_EQ(0, wait_done(&self->a, self->vi_a, FCVI_DEV_SEND, 0, MS));
	EXPECT_EQ(DONE, send->status);
	EXPECT_EQ(0, wait_done(&self->b, self->vi_b, FCVI_DEV_RECV, 0, MS));
	EXPECT_EQ(DONE | OP_RECEIVED | HAS_IMM, recv->status);
	EXPECT_EQ(50000, recv->len);
	EXPECT_EQ(0x12345678, recv->imm);
	EXPECT_EQ(0, memcmp(self->a.mem + 10, self->b.mem + 1000, 50000));
	/* Nothing beyond it */
	EXPECT_EQ(0, self->b.mem[51000]);
}

TEST_F(data, write)
{
	struct desc d = rdma(&self->a, &self->b, OP_WRITE | IMMEDIATE, 5, 9000), *send, *recv;
	struct desc none = { };
	int err;

	fill(self->a.mem, 9000, 2);
	recv = post(&self->b, self->vi_b, FCVI_DEV_RECV, 0, &none, &err);
	ASSERT_EQ(0, err);
	send = post(&self->a, self->vi_a, FCVI_DEV_SEND, 0, &d, &err);
	ASSERT_EQ(0, err);
	EXPECT_EQ(0, wait_done(&self->a, self->vi_a, FCVI_DEV_SEND, 0, MS));
	EXPECT_EQ(DONE | 0x20000, send->status);
	EXPECT_EQ(0, wait_done(&self->b, self->vi_b, FCVI_DEV_RECV, 0, MS));
	EXPECT_EQ(DONE | 0x30000 | HAS_IMM, recv->status);
	EXPECT_EQ(0, memcmp(self->a.mem, self->b.mem + 5, 9000));
}

TEST_F(data, read)
{
	struct desc d = rdma(&self->a, &self->b, OP_READ, 77, 30000), *read;
	int err;

	fill(self->b.mem + 77, 30000, 3);
	read = post(&self->a, self->vi_a, FCVI_DEV_SEND, 0, &d, &err);
	ASSERT_EQ(0, err);
	EXPECT_EQ(0, wait_done(&self->a, self->vi_a, FCVI_DEV_SEND, 0, MS));
	if (variant->level == FCVI_DEV_UD) {
		EXPECT_EQ(DONE | FORMAT_ERROR | 0x40000, read->status);
		return;
	}
	EXPECT_EQ(DONE | 0x40000, read->status);
	EXPECT_EQ(0, memcmp(self->a.mem, self->b.mem + 77, 30000));
}

TEST_F(data, bad_descriptors)
{
	struct side *s = &self->a;
	struct fcvi_dev_post p = { .vi = self->vi_a, .handle = s->handle };
	struct fcvi_dev_event event;
	struct desc d = { }, *at;
	int err;

	p.addr = (uintptr_t)s->mem + 32;
	EXPECT_EQ(-EBADMSG, call(s->fd, FCVI_IOC_POST, &p));
	ASSERT_TRUE(next_event(s, &event, 0));
	EXPECT_EQ(FCVI_DEV_ERR_POST_DESC, event.code);
	EXPECT_EQ(p.addr, event.desc);
	p.addr = (uintptr_t)s->mem + SIDE_BYTES;
	EXPECT_EQ(-EBADMSG, call(s->fd, FCVI_IOC_POST, &p));
	p.addr = (uintptr_t)s->mem;
	p.handle++;
	EXPECT_EQ(-EBADMSG, call(s->fd, FCVI_IOC_POST, &p));
	p.queue = 2;
	EXPECT_EQ(-EINVAL, call(s->fd, FCVI_IOC_POST, &p));
	/* The last one has its segments outside */
	at = (struct desc *)(s->mem + SIDE_BYTES - 64);
	*at = (struct desc) { .count = 3 };
	p = (struct fcvi_dev_post) {
		.vi = self->vi_a, .handle = s->handle, .addr = (uintptr_t)at,
	};
	EXPECT_EQ(-EBADMSG, call(s->fd, FCVI_IOC_POST, &p));
	/* What is wrong in it is told by its status, in Idle too */
	d.control = 0x10;
	at = post(s, self->vi_a, FCVI_DEV_SEND, 0, &d, &err);
	EXPECT_EQ(0, err);
	EXPECT_EQ(0, wait_done(s, self->vi_a, FCVI_DEV_SEND, 0, MS));
	EXPECT_EQ(DONE, at->status & DONE);
}

/* A region that is gone is nobody's any more, whoever has its handle, VI-ARCH 3.2.1 */
TEST_F(data, deregistered)
{
	struct desc d = segment(&self->b, 0, 100), *recv;
	struct fcvi_dev_mem m = { .addr = (uintptr_t)self->b.mem, .handle = self->b.handle };
	struct fcvi_dev_event event;
	int err;

	recv = post(&self->b, self->vi_b, FCVI_DEV_RECV, 0, &d, &err);
	ASSERT_EQ(0, err);
	ASSERT_EQ(0, call(self->b.fd, FCVI_IOC_MEM_DEREGISTER, &m));
	EXPECT_EQ(0, disconnect(&self->b, self->vi_b));
	ASSERT_TRUE(next_event(&self->b, &event, MS));
	EXPECT_EQ(FCVI_DEV_ERR_COMP_PROT, event.code);
	EXPECT_EQ((uintptr_t)recv, event.desc);
	EXPECT_EQ(FCVI_DEV_RECV, event.queue);
	EXPECT_EQ(0, recv->status);
}

/* Pages that are pinned stay the parent's, though it writes to them while a child shares them */
TEST_F(data, fork)
{
	struct desc d = segment(&self->b, 0, 9000), *recv;
	pid_t child;
	int err;

	memset(self->a.mem, 1, SIDE_BYTES);
	memset(self->b.mem, 2, SIDE_BYTES);
	child = fork();
	if (!child) {
		pause();
		_exit(0);
	}
	ASSERT_LT(0, child);
	fill(self->a.mem, 9000, 4);
	memset(self->b.mem, 3, SIDE_BYTES);
	recv = post(&self->b, self->vi_b, FCVI_DEV_RECV, 0, &d, &err);
	ASSERT_EQ(0, err);
	d = segment(&self->a, 0, 9000);
	post(&self->a, self->vi_a, FCVI_DEV_SEND, 0, &d, &err);
	ASSERT_EQ(0, err);
	EXPECT_EQ(0, wait_done(&self->b, self->vi_b, FCVI_DEV_RECV, 0, MS));
	EXPECT_EQ(DONE | OP_RECEIVED, recv->status);
	EXPECT_EQ(0, memcmp(self->a.mem, self->b.mem, 9000));
	EXPECT_EQ(3, self->b.mem[9000]);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* What the process may not write nobody writes through the region, VI-DG 3.4.3 */
TEST_F(data, read_only)
{
	uint32_t vi = new_vi(&self->b, variant->level), handle;
	void *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct desc d = segment(&self->b, 0, 100), *recv;
	int err;

	ASSERT_NE(MAP_FAILED, p);
	ASSERT_EQ(0, pin(self->b.fd, self->b.tag, p, 4096, FCVI_DEV_RDMA_WRITE, &handle));
	d.seg[0].addr = (uintptr_t)p;
	d.seg[0].handle = handle;
	recv = post(&self->b, vi, FCVI_DEV_RECV, 0, &d, &err);
	ASSERT_EQ(0, err);
	EXPECT_EQ(0, wait_done(&self->b, vi, FCVI_DEV_RECV, 0, MS));
	EXPECT_EQ(DONE | PROT_ERROR | OP_RECEIVED, recv->status);
	munmap(p, 4096);
}

/* Entries come in order, none is lost when the ring changes, and one too many is told, once */
TEST_F(data, completion_queue)
{
	struct side *b = &self->b;
	struct fcvi_dev_cq cq = { .entries = 4, .user = 55 };
	struct fcvi_dev_vi vi = { .user = 66 };
	struct fcvi_dev_wait w = { .timeout = MS };
	struct fcvi_dev_ring *ring;
	struct fcvi_dev_event event;
	struct desc d = segment(b, 0, 100);
	unsigned int i;
	int err;

	ASSERT_EQ(0, call(b->fd, FCVI_IOC_CQ_CREATE, &cq));
	vi.recv_cq = cq.cq;
	ASSERT_EQ(0, make_vi(b, &vi, variant->level));
	for (i = 0; i < 3; i++) {
		post(b, vi.vi, FCVI_DEV_RECV, i, &d, &err);
		ASSERT_EQ(0, err);
	}
	ASSERT_EQ(0, disconnect(b, vi.vi));
	w.cq = cq.cq;
	EXPECT_EQ(0, call(b->fd, FCVI_IOC_WAIT, &w));
	EXPECT_EQ(3, w.seen);
	cq.entries = 2;
	EXPECT_EQ(-ENOSPC, call(b->fd, FCVI_IOC_CQ_RESIZE, &cq));
	ring = mmap(NULL, cq.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, b->fd, cq.offset);
	ASSERT_NE(MAP_FAILED, ring);
	EXPECT_EQ(3, ring->put);
	ring->taken = 1;
	EXPECT_EQ(0, call(b->fd, FCVI_IOC_CQ_RESIZE, &cq));
	munmap(ring, cq.bytes);
	ring = mmap(NULL, cq.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, b->fd, cq.offset);
	ASSERT_NE(MAP_FAILED, ring);
	EXPECT_EQ(1, ring->taken);
	EXPECT_EQ(3, ring->put);
	EXPECT_EQ(1, ring->generation);
	EXPECT_EQ(66, ring->entry[2 & ring->mask].user);
	EXPECT_EQ(vi.vi, ring->entry[2 & ring->mask].vi);
	EXPECT_EQ(FCVI_DEV_RECV, ring->entry[2 & ring->mask].queue);
	EXPECT_FALSE(next_event(b, &event, 0));
	/* It is full */
	for (i = 0; i < 2; i++) {
		post(b, vi.vi, FCVI_DEV_RECV, i, &d, &err);
		ASSERT_EQ(0, err);
	}
	ASSERT_EQ(0, disconnect(b, vi.vi));
	EXPECT_EQ(2, ring->lost);
	EXPECT_EQ(3, ring->put);
	ASSERT_TRUE(next_event(b, &event, MS));
	EXPECT_EQ(FCVI_DEV_ERR_CATASTROPHIC, event.code);
	EXPECT_EQ(FCVI_DEV_RES_CQ, event.resource);
	EXPECT_EQ(55, event.cq_user);
	EXPECT_FALSE(next_event(b, &event, 0));
}

TEST_HARNESS_MAIN
