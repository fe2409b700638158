// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of all kinds with VIPL: of files, huge pages, several mappings, and what a program does to
 * it while it is registered.  One side writes to and reads from regions of the other with Reliable
 * Reception, where the status says how that went at the other side.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "vipl_side.h"

#define PAGE	4096
#define HUGE	(2 << 20)

FIXTURE(memory)
{
	struct side a;		/* writes and reads */
	struct side b;		/* has the regions */
	VIP_VI_HANDLE tx;
	VIP_VI_HANDLE rx;
};

FIXTURE_SETUP(memory)
{
	ASSERT_TRUE(open_side(&self->a, "a"));
	ASSERT_TRUE(open_side(&self->b, "b"));
	self->tx = new_vi(&self->a, VIP_SERVICE_RELIABLE_RECEPTION, NULL, NULL);
	self->rx = new_vi(&self->b, VIP_SERVICE_RELIABLE_RECEPTION, NULL, NULL);
	ASSERT_TRUE(connect_sides(&self->a, self->tx, &self->b, self->rx));
}

FIXTURE_TEARDOWN(memory)
{
	EXPECT_TRUE(end_vi(self->tx));
	EXPECT_TRUE(end_vi(self->rx));
	EXPECT_EQ(VIP_SUCCESS, VipCloseNic(self->a.nic));
	EXPECT_EQ(VIP_SUCCESS, VipCloseNic(self->b.nic));
}

static VIP_RETURN lend(struct side *s, void *at, size_t len, VIP_MEM_HANDLE *mem)
{
	VIP_MEM_ATTRIBUTES rights = {
		.Ptag = s->ptag,
		.EnableRdmaWrite = VIP_TRUE,
		.EnableRdmaRead = VIP_TRUE,
	};

	return VipRegisterMem(s->nic, at, len, &rights, mem);
}

static VIP_DESCRIPTOR *transfer(struct side *s, int desc, VIP_UINT16 op, void *at, uint32_t len,
				VIP_MEM_HANDLE mem)
{
	VIP_DESCRIPTOR *d = describe_rdma(s, desc, op, 0, len, s, 0);

	d->DS[0].Remote.Data.Address = at;
	d->DS[0].Remote.Handle = mem;
	return d;
}

/* Status of a transfer between the data of a and a region of b; 0 if there is none */
static uint32_t done(struct _test_data_memory *self, VIP_UINT16 op, void *at, uint32_t len,
		     VIP_MEM_HANDLE mem)
{
	VIP_DESCRIPTOR *d = transfer(&self->a, 0, op, at, len, mem), *found;

	if (!post_send(&self->a, self->tx, d))
		return 0;
	VipSendWait(self->tx, SOON, &found);
	return found == d ? d->CS.Status & ~VIP_STATUS_OP_MASK : 0;
}

/* Others write these bytes to a region */
static uint32_t others_write(struct _test_data_memory *self, void *at, int c, uint32_t len,
			     VIP_MEM_HANDLE mem)
{
	memset(self->a.mem->data, c, len);
	return done(self, VIP_CONTROL_OP_RDMAWRITE, at, len, mem);
}

static bool all(const uint8_t *at, int c, size_t len)
{
	size_t i = 0;

	while (i < len && at[i] == (c & 0xff))
		i++;
	return i == len;
}

/* Others read these bytes from a region */
static bool others_read(struct _test_data_memory *self, void *at, int c, uint32_t len,
			VIP_MEM_HANDLE mem)
{
	memset(self->a.mem->data, ~c, len);
	return done(self, VIP_CONTROL_OP_RDMAREAD, at, len, mem) == VIP_STATUS_DONE &&
	       all(self->a.mem->data, c, len);
}

/* A file of that many bytes */
static int file_of(int c, size_t len)
{
	uint8_t *data = malloc(len);
	int fd = memfd_create("memory", MFD_CLOEXEC);

	memset(data, c, len);
	if (fd >= 0 && write(fd, data, len) != (ssize_t)len) {
		close(fd);
		fd = -1;
	}
	free(data);
	return fd;
}

static bool file_has(int fd, int c, off_t at, size_t len)
{
	uint8_t *data = malloc(len);
	bool has = pread(fd, data, len, at) == (ssize_t)len && all(data, c, len);

	free(data);
	return has;
}

/* What others write is in the file, and what is written to the file can be read by others */
TEST_F(memory, shared_mapping)
{
	int fd = file_of(1, 3 * PAGE);
	VIP_MEM_HANDLE mem;
	uint8_t *at;

	ASSERT_LE(0, fd);
	at = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, at);
	ASSERT_EQ(VIP_SUCCESS, lend(&self->b, at, 3 * PAGE, &mem));
	EXPECT_EQ(VIP_STATUS_DONE, others_write(self, at + 100, 2, 2 * PAGE, mem));
	EXPECT_TRUE(file_has(fd, 1, 0, 100));
	EXPECT_TRUE(file_has(fd, 2, 100, 2 * PAGE));
	ASSERT_EQ(5, pwrite(fd, "\3\3\3\3\3", 5, PAGE));
	EXPECT_TRUE(others_read(self, at + PAGE, 3, 5, mem));
	/* The pages stay, though the file has them no more */
	ASSERT_EQ(0, ftruncate(fd, 0));
	EXPECT_TRUE(others_read(self, at + PAGE, 3, 5, mem));
	EXPECT_EQ(VIP_STATUS_DONE, others_write(self, at, 4, 3 * PAGE, mem));
	ASSERT_EQ(0, ftruncate(fd, 3 * PAGE));
	EXPECT_TRUE(file_has(fd, 0, 0, 3 * PAGE));
	EXPECT_EQ(VIP_SUCCESS, VipDeregisterMem(self->b.nic, at, mem));
	munmap(at, 3 * PAGE);
	close(fd);
}

/* The program and others see the same copy, not the file */
TEST_F(memory, private_mapping)
{
	int fd = file_of(1, 2 * PAGE);
	VIP_MEM_HANDLE mem;
	uint8_t *at;

	ASSERT_LE(0, fd);
	at = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	ASSERT_NE(MAP_FAILED, at);
	ASSERT_EQ(VIP_SUCCESS, lend(&self->b, at, 2 * PAGE, &mem));
	EXPECT_TRUE(others_read(self, at, 1, 2 * PAGE, mem));
	EXPECT_EQ(VIP_STATUS_DONE, others_write(self, at + 7, 2, PAGE, mem));
	EXPECT_TRUE(all(at + 7, 2, PAGE));
	memset(at, 3, 9);
	EXPECT_TRUE(others_read(self, at, 3, 9, mem));
	EXPECT_TRUE(file_has(fd, 1, 0, 2 * PAGE));
	munmap(at, 2 * PAGE);
	close(fd);
}

static const int sharing[] = { MAP_SHARED, MAP_PRIVATE };

/* Read-only memory of a file can be lent, for reading, whatever the region allows */
TEST_F(memory, read_only_mapping)
{
	VIP_MEM_HANDLE mem[2];
	unsigned int i;
	uint8_t *at[2];
	int fd = file_of(1, PAGE);

	ASSERT_LE(0, fd);
	for (i = 0; i < 2; i++) {
		at[i] = mmap(NULL, PAGE, PROT_READ, sharing[i], fd, 0);
		ASSERT_NE(MAP_FAILED, at[i]);
		ASSERT_EQ(VIP_SUCCESS, lend(&self->b, at[i], PAGE, &mem[i]));
		EXPECT_TRUE(others_read(self, at[i], 1, PAGE, mem[i]));
	}
	/* What the program writes later to its own copy others see, too */
	ASSERT_EQ(0, mprotect(at[1], PAGE, PROT_READ | PROT_WRITE));
	memset(at[1], 2, PAGE);
	EXPECT_TRUE(others_read(self, at[1], 2, PAGE, mem[1]));
	EXPECT_TRUE(others_read(self, at[0], 1, PAGE, mem[0]));
	EXPECT_TRUE(others_write(self, at[0], 3, 1, mem[0]) & VIP_STATUS_RDMA_PROT_ERROR);
	EXPECT_TRUE(file_has(fd, 1, 0, PAGE));
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(VIP_SUCCESS, VipDeregisterMem(self->b.nic, at[i], mem[i]));
		munmap(at[i], PAGE);
	}
	close(fd);
}

/* Pages behind the end of a file are no memory */
TEST_F(memory, behind_the_end_of_a_file)
{
	int fd = file_of(1, 2 * PAGE);
	VIP_MEM_HANDLE mem;
	unsigned int i;
	uint8_t *at;

	ASSERT_LE(0, fd);
	for (i = 0; i < 2; i++) {
		at = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, sharing[i], fd, 0);
		ASSERT_NE(MAP_FAILED, at);
		EXPECT_EQ(VIP_INVALID_PARAMETER, lend(&self->b, at, 2 * PAGE + 1, &mem));
		EXPECT_EQ(0, mem);
		EXPECT_EQ(VIP_SUCCESS, lend(&self->b, at, 2 * PAGE, &mem));
		munmap(at, 4 * PAGE);
	}
	close(fd);
}

/* One region may be of several mappings, each with rights of its own, but has no hole */
TEST_F(memory, several_mappings)
{
	int fd = file_of(1, PAGE);
	VIP_MEM_HANDLE mem;
	uint8_t *at;

	ASSERT_LE(0, fd);
	at = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, at);
	memset(at, 5, 4 * PAGE);
	ASSERT_EQ(at + PAGE, mmap(at + PAGE, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
				  fd, 0));
	ASSERT_EQ(0, mprotect(at + 3 * PAGE, PAGE, PROT_READ));
	ASSERT_EQ(VIP_SUCCESS, lend(&self->b, at + 10, 4 * PAGE - 10, &mem));
	EXPECT_EQ(VIP_STATUS_DONE, others_write(self, at + 10, 6, 3 * PAGE - 10, mem));
	EXPECT_TRUE(all(at, 5, 10));
	EXPECT_TRUE(all(at + 10, 6, 3 * PAGE - 10));
	EXPECT_TRUE(file_has(fd, 6, 0, PAGE));
	EXPECT_TRUE(others_read(self, at + 3 * PAGE, 5, PAGE, mem));
	EXPECT_TRUE(others_write(self, at + 3 * PAGE - 1, 7, 2, mem) & VIP_STATUS_RDMA_PROT_ERROR);
	EXPECT_EQ(6, at[3 * PAGE - 1]);
	EXPECT_EQ(5, at[3 * PAGE]);
	munmap(at + PAGE, PAGE);
	EXPECT_EQ(VIP_INVALID_PARAMETER, lend(&self->b, at, 4 * PAGE, &mem));
	EXPECT_EQ(VIP_SUCCESS, lend(&self->b, at + 2 * PAGE, 2 * PAGE, &mem));
	munmap(at, 4 * PAGE);
	close(fd);
}

/* A region counts two pages more than it has, and a queue its ring of 16 bytes an entry */
TEST_F(memory, limit)
{
	const struct rlimit limit = { 64 * PAGE, 64 * PAGE };
	VIP_VI_HANDLE vi;
	VIP_MEM_HANDLE mem, more;
	VIP_CQ_HANDLE cq, other;
	uint8_t *at;
	int i;

	at = mmap(NULL, 100 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, at);
	munmap(at + 50 * PAGE, PAGE);
	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &limit));
	ASSERT_EQ(0, seteuid(65534));
	/* What fails has nothing, time and again: too much, and not all there */
	for (i = 0; i < 8; i++) {
		EXPECT_EQ(VIP_ERROR_RESOURCE, lend(&self->b, at + 51 * PAGE, 64 * PAGE, &mem));
		EXPECT_EQ(VIP_INVALID_PARAMETER, lend(&self->b, at + PAGE, 50 * PAGE, &mem));
	}
	ASSERT_EQ(VIP_SUCCESS, lend(&self->b, at, 40 * PAGE, &mem));
	EXPECT_EQ(VIP_ERROR_RESOURCE, lend(&self->b, at, 40 * PAGE, &more));
	EXPECT_EQ(VIP_ERROR_RESOURCE, VipCreateCQ(self->b.nic, 8192, &cq));
	ASSERT_EQ(VIP_SUCCESS, VipCreateCQ(self->b.nic, 2048, &cq));
	EXPECT_EQ(VIP_ERROR_RESOURCE, VipCreateCQ(self->b.nic, 4096, &other));
	EXPECT_EQ(VIP_ERROR_RESOURCE, VipResizeCQ(cq, 8192));
	/* The queue is as it was; an endpoint pins nothing */
	vi = new_vi(&self->b, VIP_SERVICE_UNRELIABLE, cq, cq);
	EXPECT_NE(NULL, vi);
	EXPECT_EQ(VIP_SUCCESS, VipDestroyVi(vi));
	EXPECT_EQ(VIP_SUCCESS, VipDestroyCQ(cq));
	EXPECT_EQ(VIP_SUCCESS, VipCreateCQ(self->b.nic, 2048, &cq));
	EXPECT_EQ(VIP_SUCCESS, VipDestroyCQ(cq));
	EXPECT_EQ(VIP_SUCCESS, VipDeregisterMem(self->b.nic, at, mem));
	EXPECT_EQ(VIP_SUCCESS, lend(&self->b, at, 40 * PAGE, &mem));
	ASSERT_EQ(0, seteuid(0));
}

/* More than the machine has, by one without a limit: an error, not the end of other programs */
TEST_F(memory, more_than_there_is)
{
	size_t len = self->b.port.MaxRegisterBytes;
	VIP_MEM_HANDLE mem;
	uint8_t *at;

	EXPECT_EQ(VIP_ERROR_RESOURCE, lend(&self->b, self->b.mem, len + 1, &mem));
	at = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		  -1, 0);
	ASSERT_NE(MAP_FAILED, at);
	EXPECT_EQ(VIP_ERROR_RESOURCE, lend(&self->b, at, len, &mem));
	EXPECT_EQ(0, mem);
	munmap(at, len);
}

/* A child of fork() gets copies, of whole pages, though the region begins in the middle of one */
TEST_F(memory, fork)
{
	int pipes[2], status;
	VIP_MEM_HANDLE mem;
	uint8_t *at;
	pid_t pid;
	char c;

	at = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, at);
	memset(at, 1, 3 * PAGE);
	ASSERT_EQ(VIP_SUCCESS, lend(&self->b, at + 1000, PAGE, &mem));
	ASSERT_EQ(0, pipe(pipes));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		close(pipes[0]);
		memset(at, 2, 2 * PAGE);
		/* The parent goes on when this is done */
		if (write(pipes[1], "", 1) != 1)
			_exit(1);
		_exit(all(at, 2, 2 * PAGE) ? 0 : 2);
	}
	close(pipes[1]);
	EXPECT_EQ(1, read(pipes[0], &c, 1));
	EXPECT_EQ(VIP_STATUS_DONE, others_write(self, at + 1000, 3, PAGE, mem));
	EXPECT_TRUE(all(at, 1, 1000));
	EXPECT_TRUE(all(at + 1000, 3, PAGE));
	memset(at, 4, 3 * PAGE);
	EXPECT_TRUE(others_read(self, at + 1000, 4, PAGE, mem));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_TRUE(others_read(self, at + 1000, 4, PAGE, mem));
	close(pipes[0]);
	munmap(at, 3 * PAGE);
}

/* Pinned pages stay until they are deregistered, whatever else is mapped there */
TEST_F(memory, unmapped_while_it_is_written)
{
	VIP_DESCRIPTOR *d;
	VIP_MEM_HANDLE mem;
	uint8_t *at;
	int i;

	at = mmap(NULL, MTU, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, at);
	ASSERT_EQ(VIP_SUCCESS, lend(&self->b, at, MTU, &mem));
	memset(self->a.mem->data, 1, MTU);
	for (i = 0; i < 8; i++) {
		d = transfer(&self->a, i, VIP_CONTROL_OP_RDMAWRITE, at, MTU, mem);
		ASSERT_TRUE(post_send(&self->a, self->tx, d));
	}
	ASSERT_EQ(at, mmap(at, MTU, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
	for (i = 0; i < 8; i++)
		EXPECT_EQ(VIP_SUCCESS, VipSendWait(self->tx, SOON, &d));
	EXPECT_TRUE(all(at, 0, MTU));
	EXPECT_TRUE(others_read(self, at, 1, MTU, mem));
	EXPECT_EQ(VIP_SUCCESS, VipDeregisterMem(self->b.nic, at, mem));
	munmap(at, MTU);
}

/* Memory goes while it is written: the rest is not written, and who writes is told */
TEST_F(memory, deregistered_while_it_is_written)
{
	VIP_DESCRIPTOR *d;
	VIP_MEM_HANDLE mem;
	uint32_t status;
	uint8_t *at;
	int i;

	at = mmap(NULL, MTU, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, at);
	ASSERT_EQ(VIP_SUCCESS, lend(&self->b, at, MTU, &mem));
	memset(self->a.mem->data, 1, MTU);
	for (i = 0; i < 8; i++) {
		d = transfer(&self->a, i, VIP_CONTROL_OP_RDMAWRITE, at, MTU, mem);
		ASSERT_TRUE(post_send(&self->a, self->tx, d));
	}
	ASSERT_EQ(VIP_SUCCESS, VipDeregisterMem(self->b.nic, at, mem));
	memset(at, 2, MTU);
	for (i = 0; i < 8; i++) {
		VipSendWait(self->tx, SOON, &d);
		ASSERT_NE(NULL, d);
		status = d->CS.Status & ~VIP_STATUS_OP_MASK;
		EXPECT_TRUE(status == VIP_STATUS_DONE ||
			    status & (VIP_STATUS_RDMA_PROT_ERROR | VIP_STATUS_TRANSPORT_ERROR |
				      VIP_STATUS_DESC_FLUSHED_ERROR));
	}
	EXPECT_TRUE(all(at, 2, MTU));
	munmap(at, MTU);
}

/* The Descriptor is there, but the memory for its data is not any more */
TEST_F(memory, deregistered_with_a_posted_descriptor)
{
	VIP_DESCRIPTOR *d;
	VIP_MEM_HANDLE mem;
	uint8_t *at = self->b.mem->data + PAGE;

	ASSERT_EQ(VIP_SUCCESS, lend(&self->b, at, 64, &mem));
	memset(at, 5, 64);
	d = describe(&self->b, 0, VIP_CONTROL_OP_SENDRECV, PAGE, 64);
	d->DS[0].Local.Handle = mem;
	ASSERT_EQ(VIP_SUCCESS, VipPostRecv(self->rx, d, self->b.handle));
	ASSERT_EQ(VIP_SUCCESS, VipDeregisterMem(self->b.nic, at, mem));
	ASSERT_TRUE(post_send(&self->a, self->tx,
			      describe(&self->a, 0, VIP_CONTROL_OP_SENDRECV, 0, 8)));
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipRecvWait(self->rx, SOON, &d));
	ASSERT_NE(NULL, d);
	EXPECT_TRUE(d->CS.Status & VIP_STATUS_PROTECTION_ERROR);
	EXPECT_TRUE(all(at, 5, 64));
	EXPECT_TRUE(await_state(self->tx, VIP_STATE_ERROR));
}

TEST_F(memory, huge_pages)
{
	int fd = open("/proc/sys/vm/nr_hugepages", O_WRONLY | O_CLOEXEC);
	uint8_t *at = MAP_FAILED;
	VIP_MEM_HANDLE mem;

	if (fd >= 0 && write(fd, "4", 1) == 1)
		at = mmap(NULL, HUGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | 21 << MAP_HUGE_SHIFT, -1, 0);
	if (at == MAP_FAILED)
		SKIP(return, "no huge pages");
	ASSERT_EQ(VIP_SUCCESS, lend(&self->b, at + 5, HUGE - 5, &mem));
	EXPECT_EQ(VIP_STATUS_DONE, others_write(self, at + HUGE - MTU, 1, MTU, mem));
	EXPECT_TRUE(all(at + HUGE - MTU, 1, MTU));
	memset(at, 2, HUGE);
	EXPECT_TRUE(others_read(self, at + 5, 2, MTU, mem));
	munmap(at, HUGE);
	EXPECT_TRUE(others_read(self, at + 5, 2, MTU, mem));
	EXPECT_EQ(VIP_SUCCESS, VipDeregisterMem(self->b.nic, at + 5, mem));
	(void)!write(fd, "0", 1);
	close(fd);
}

TEST_HARNESS_MAIN
