// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/fcvi without a connection: ports, tags, memory and whom it is charged to, completion queues,
 * and the life of processes.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "dev_side.h"

#define PAGE		4096
#define NOBODY		65534
/* What RLIMIT_MEMLOCK allows of it: one region of 40 pages, not two */
#define LIMIT_PAGES	64
#define REGION_PAGES	40

FIXTURE(dev)
{
	struct side s;
};

FIXTURE_SETUP(dev)
{
	ASSERT_TRUE(side_open(&self->s, "a", "veth0"));
}

FIXTURE_TEARDOWN(dev)
{
	side_close(&self->s);
}

TEST(ports)
{
	struct fcvi_dev_open o = { }, wrong = { .name = "veth1" };
	struct fcvi_dev_tag tag = { };
	struct fcvi_dev_list l = { };
	struct fcvi_dev_port port;
	struct fcvi_dev_event event;
	int32_t index[2] = { };
	struct stat st;
	int fd = fcvi_file("a", "veth0"), none = open("/dev/fcvi", O_RDWR);

	ASSERT_LE(0, fd);
	ASSERT_LE(0, none);
	ASSERT_EQ(0, fstat(none, &st));
	EXPECT_EQ(0666, st.st_mode & 0777);
	EXPECT_EQ(-ENXIO, call(none, FCVI_IOC_TAG_CREATE, &tag));
	EXPECT_EQ(-1, read(none, &event, sizeof(event)));
	EXPECT_EQ(ENXIO, errno);
	EXPECT_EQ(-ENOTTY, call(none, _IOWR(0xfc, 0x10, char[64]), &tag));
	EXPECT_EQ(-ENOTTY, call(none, _IO(0xfc, 0xff), NULL));
	EXPECT_EQ(-ENOTTY, call(none, 0, NULL));
	EXPECT_EQ(-EINVAL, call(none, FCVI_IOC_OPEN, &o));
	EXPECT_EQ(-ENODEV, call(none, FCVI_IOC_OPEN, &wrong));
	wrong = (struct fcvi_dev_open) { .name = "lo" };
	EXPECT_EQ(-ENODEV, call(none, FCVI_IOC_OPEN, &wrong));
	EXPECT_EQ(-EFAULT, call(none, FCVI_IOC_OPEN, NULL));
	EXPECT_EQ(-ENOSPC, call(none, FCVI_IOC_PORTS, &l));
	EXPECT_EQ(1, l.nr);
	l.list = (uintptr_t)index;
	EXPECT_EQ(0, call(none, FCVI_IOC_PORTS, &l));
	EXPECT_EQ(0, call(fd, FCVI_IOC_QUERY_PORT, &port));
	EXPECT_EQ(port.ifindex, index[0]);
	EXPECT_STREQ("veth0", port.name);
	EXPECT_EQ(FCVI_DEV_VERSION, port.version);
	l.list = 1;
	EXPECT_EQ(-EFAULT, call(none, FCVI_IOC_PORTS, &l));
	l.reserved = 1;
	EXPECT_EQ(-EINVAL, call(none, FCVI_IOC_PORTS, &l));
	o.ifindex = index[0];
	EXPECT_EQ(-EBUSY, call(fd, FCVI_IOC_OPEN, &o));
	EXPECT_EQ(0, call(fd, FCVI_IOC_SHUTDOWN, NULL));
	EXPECT_EQ(-ESHUTDOWN, call(fd, FCVI_IOC_TAG_CREATE, &tag));
	EXPECT_EQ(0, read(fd, &event, sizeof(event)));
	close(fd);
	close(none);
}

TEST_F(dev, tags)
{
	struct side *s = &self->s;
	struct fcvi_dev_tag tag = { };
	struct fcvi_dev_vi vi = { };

	EXPECT_EQ(0, call(s->fd, FCVI_IOC_TAG_CREATE, &tag));
	EXPECT_NE(s->tag, tag.tag);
	EXPECT_EQ(0, call(s->fd, FCVI_IOC_TAG_DESTROY, &tag));
	EXPECT_EQ(-EINVAL, call(s->fd, FCVI_IOC_TAG_DESTROY, &tag));
	tag = (struct fcvi_dev_tag) { .tag = s->tag };
	EXPECT_EQ(-EBUSY, call(s->fd, FCVI_IOC_TAG_DESTROY, &tag));
	tag.reserved = 1;
	EXPECT_EQ(-EINVAL, call(s->fd, FCVI_IOC_TAG_DESTROY, &tag));
	s->tag = 77;
	EXPECT_EQ(-EACCES, make_vi(s, &vi, FCVI_DEV_RD));
	EXPECT_EQ(-EACCES, pin(s->fd, 77, s->mem, PAGE, 0, NULL));
}

TEST_F(dev, memory)
{
	struct side *s = &self->s;
	struct fcvi_dev_mem m = { .addr = (uintptr_t)s->mem + 100, .len = PAGE, .tag = s->tag };
	struct fcvi_dev_tag tag = { };

	ASSERT_EQ(0, call(s->fd, FCVI_IOC_TAG_CREATE, &tag));
	ASSERT_EQ(0, call(s->fd, FCVI_IOC_MEM_REGISTER, &m));
	m.len = 0;
	EXPECT_EQ(0, call(s->fd, FCVI_IOC_MEM_QUERY, &m));
	EXPECT_EQ(PAGE, m.len);
	EXPECT_EQ(s->tag, m.tag);
	m.len = 0;
	m.tag = tag.tag;
	m.flags = FCVI_DEV_RDMA_READ;
	EXPECT_EQ(0, call(s->fd, FCVI_IOC_MEM_CHANGE, &m));
	EXPECT_EQ(-EBUSY, call(s->fd, FCVI_IOC_TAG_DESTROY, &tag));
	m.tag = 99;
	m.flags = 0;
	EXPECT_EQ(-EACCES, call(s->fd, FCVI_IOC_MEM_CHANGE, &m));
	EXPECT_EQ(0, call(s->fd, FCVI_IOC_MEM_QUERY, &m));
	EXPECT_EQ(tag.tag, m.tag);
	EXPECT_EQ(FCVI_DEV_RDMA_READ, m.flags);
	m.flags = FCVI_DEV_PREF;
	EXPECT_EQ(-EINVAL, call(s->fd, FCVI_IOC_MEM_CHANGE, &m));
	m.len = 0;
	m.tag = 0;
	m.flags = 0;
	m.addr++;
	EXPECT_EQ(-EINVAL, call(s->fd, FCVI_IOC_MEM_DEREGISTER, &m));
	m.addr--;
	EXPECT_EQ(0, call(s->fd, FCVI_IOC_MEM_DEREGISTER, &m));
	EXPECT_EQ(-EINVAL, call(s->fd, FCVI_IOC_MEM_DEREGISTER, &m));
	EXPECT_EQ(-EINVAL, call(s->fd, FCVI_IOC_MEM_QUERY, &m));
	EXPECT_EQ(0, call(s->fd, FCVI_IOC_TAG_DESTROY, &tag));
}

/* A handle is for the process that has it, VI-ARCH 3.2.1 */
TEST_F(dev, foreign_handle)
{
	struct side *s = &self->s, other;
	struct fcvi_dev_mem m;

	ASSERT_TRUE(side_open(&other, "a", "veth0"));
	m = (struct fcvi_dev_mem) { .addr = (uintptr_t)s->mem, .handle = s->handle };
	EXPECT_EQ(-EINVAL, call(other.fd, FCVI_IOC_MEM_QUERY, &m));
	EXPECT_EQ(-EINVAL, call(other.fd, FCVI_IOC_MEM_DEREGISTER, &m));
	EXPECT_EQ(0, call(s->fd, FCVI_IOC_MEM_QUERY, &m));
	side_close(&other);
}

TEST_F(dev, bad_memory)
{
	struct side *s = &self->s;
	uint8_t *p = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			  0);

	ASSERT_NE(MAP_FAILED, p);
	munmap(p + PAGE, PAGE);
	EXPECT_EQ(-EINVAL, pin(s->fd, s->tag, p, 0, 0, NULL));
	EXPECT_EQ(-EFAULT, pin(s->fd, s->tag, p, 3 * PAGE, 0, NULL));
	EXPECT_EQ(-EFAULT, pin(s->fd, s->tag, NULL, PAGE, 0, NULL));
	EXPECT_EQ(-EFAULT, pin(s->fd, s->tag, p + PAGE, 1, 0, NULL));
	EXPECT_EQ(-EFAULT, pin(s->fd, s->tag, (void *)-PAGE, PAGE, 0, NULL));
	EXPECT_EQ(-EFAULT, pin(s->fd, s->tag, (void *)-16, 17, 0, NULL));
	EXPECT_EQ(-ENOBUFS, pin(s->fd, s->tag, p, UINT64_MAX, 0, NULL));
	EXPECT_EQ(-EINVAL, pin(s->fd, s->tag, p, PAGE, FCVI_DEV_PREF, NULL));
	mprotect(p, PAGE, PROT_NONE);
	EXPECT_EQ(-EFAULT, pin(s->fd, s->tag, p, PAGE, 0, NULL));
	mprotect(p, PAGE, PROT_READ);
	EXPECT_EQ(0, pin(s->fd, s->tag, p, PAGE, 0, NULL));
	EXPECT_EQ(0, pin(s->fd, s->tag, p + 3 * PAGE - 1, 1, 0, NULL));
	munmap(p, 3 * PAGE);
}

TEST_F(dev, completion_queues)
{
	struct side *s = &self->s;
	struct fcvi_dev_cq cq = { .entries = 1000, .user = 5 }, other;
	struct fcvi_dev_vi vi = { };
	struct fcvi_dev_wait w;
	struct fcvi_dev_ring *ring, *next;

	ASSERT_EQ(0, call(s->fd, FCVI_IOC_CQ_CREATE, &cq));
	EXPECT_EQ(1024, cq.entries);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, cq.bytes + PAGE, PROT_READ, MAP_SHARED, s->fd, cq.offset));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, cq.bytes, PROT_READ, MAP_SHARED, s->fd,
				   cq.offset + PAGE));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, cq.bytes, PROT_READ, MAP_SHARED, s->fd, 2 * cq.offset));
	ring = mmap(NULL, cq.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, cq.offset);
	ASSERT_NE(MAP_FAILED, ring);
	EXPECT_EQ(1023, ring->mask);
	w = (struct fcvi_dev_wait) { .cq = cq.cq };
	EXPECT_EQ(-ETIMEDOUT, call(s->fd, FCVI_IOC_WAIT, &w));
	/* Nonsense from the program harms nobody */
	memset(ring, 0xff, cq.bytes);
	cq.entries = 1;
	EXPECT_EQ(0, call(s->fd, FCVI_IOC_CQ_RESIZE, &cq));
	EXPECT_EQ(1, cq.entries);
	EXPECT_EQ(0, ring->generation);
	next = mmap(NULL, cq.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, cq.offset);
	ASSERT_NE(MAP_FAILED, next);
	EXPECT_EQ(0, next->mask);
	munmap(ring, 1024 * 16 + PAGE);
	vi.send_cq = cq.cq;
	vi.recv_cq = 9;
	EXPECT_EQ(-EINVAL, make_vi(s, &vi, FCVI_DEV_RD));
	vi.recv_cq = cq.cq;
	ASSERT_EQ(0, make_vi(s, &vi, FCVI_DEV_RD));
	EXPECT_EQ(-EBUSY, call(s->fd, FCVI_IOC_CQ_DESTROY, &cq));
	EXPECT_EQ(-EBUSY, wait_done(s, vi.vi, FCVI_DEV_RECV, 0, 0));
	EXPECT_EQ(0, call(s->fd, FCVI_IOC_VI_DESTROY, &vi));
	EXPECT_EQ(0, call(s->fd, FCVI_IOC_CQ_DESTROY, &cq));
	EXPECT_EQ(-EINVAL, call(s->fd, FCVI_IOC_CQ_DESTROY, &cq));
	other = (struct fcvi_dev_cq) { .entries = 65537 };
	EXPECT_EQ(-EINVAL, call(s->fd, FCVI_IOC_CQ_CREATE, &other));
	other.entries = 65536;
	EXPECT_EQ(0, call(s->fd, FCVI_IOC_CQ_CREATE, &other));
}

TEST_F(dev, endpoints)
{
	struct side *s = &self->s;
	struct fcvi_dev_vi vi = { .user = 1234567890123ULL }, q;

	EXPECT_EQ(-EPROTOTYPE, make_vi(s, &vi, 4));
	ASSERT_EQ(0, make_vi(s, &vi, FCVI_DEV_UD));
	q = (struct fcvi_dev_vi) { .vi = vi.vi };
	EXPECT_EQ(0, call(s->fd, FCVI_IOC_VI_QUERY, &q));
	EXPECT_EQ(FCVI_DEV_IDLE, q.state);
	EXPECT_EQ(vi.user, q.user);
	EXPECT_EQ(0, memcmp(&vi.attrs, &q.attrs, sizeof(q.attrs)));
	vi.attrs.flags |= FCVI_DEV_RDMA_READ;
	EXPECT_EQ(-EOPNOTSUPP, call(s->fd, FCVI_IOC_VI_CHANGE, &vi));
	vi.attrs.level = FCVI_DEV_RR;
	EXPECT_EQ(0, call(s->fd, FCVI_IOC_VI_CHANGE, &vi));
	vi.attrs.max_trans_size = 0;
	EXPECT_EQ(-EMSGSIZE, call(s->fd, FCVI_IOC_VI_CHANGE, &vi));
	vi.attrs.max_trans_size = 1;
	vi.attrs.pipeline_depth = UINT32_MAX;
	EXPECT_EQ(-EPROTONOSUPPORT, call(s->fd, FCVI_IOC_VI_CHANGE, &vi));
	EXPECT_EQ(0, call(s->fd, FCVI_IOC_VI_QUERY, &q));
	EXPECT_EQ(FCVI_DEV_RR, q.attrs.level);
	EXPECT_EQ(-ENOTCONN, outcome(s, vi.vi));
	EXPECT_EQ(0, disconnect(s, vi.vi));
	EXPECT_EQ(0, call(s->fd, FCVI_IOC_VI_DESTROY, &vi));
	EXPECT_EQ(-EINVAL, call(s->fd, FCVI_IOC_VI_DESTROY, &vi));
	EXPECT_EQ(-EINVAL, call(s->fd, FCVI_IOC_VI_QUERY, &q));
}

/* A file with a region, of a user without rights.  Return: its fd, or a negative errno. */
static int pin_as_nobody(unsigned int pages)
{
	struct rlimit limit = { LIMIT_PAGES * PAGE, LIMIT_PAGES * PAGE };
	int fd = fcvi_file("a", "veth0"), err;
	void *p = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);

	if (fd < 0 || p == MAP_FAILED || setrlimit(RLIMIT_MEMLOCK, &limit) || setgid(NOBODY) ||
	    setuid(NOBODY))
		return -ENOENT;
	err = pin(fd, make_tag(fd), p, pages * PAGE, 0, NULL);
	return err ?: fd;
}

/* Whether the user may pin a region now, which another process of that user does */
static int may_pin(void)
{
	int status, fd;
	pid_t child = fork();

	if (!child) {
		fd = pin_as_nobody(REGION_PAGES);
		_exit(fd < 0 ? -fd : 0);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

/*
 * A process that pins memory and then does @what.  It says so, waits for a byte, and the process is
 * to be waited for.
 */
static pid_t pinned(void (*what)(int fd, int wait), int pipes[2])
{
	int tell[2], wait[2], fd;
	pid_t child;
	char c = 0;

	if (pipe2(tell, O_CLOEXEC) || pipe2(wait, O_CLOEXEC))
		return -1;
	child = fork();
	if (!child) {
		fd = pin_as_nobody(REGION_PAGES);
		if (fd < 0)
			_exit(1);
		close(tell[0]);
		close(wait[1]);
		if (write(tell[1], &c, 1) != 1 || read(wait[0], &c, 1) != 1)
			_exit(2);
		what(fd, wait[0]);
		_exit(0);
	}
	close(tell[1]);
	close(wait[0]);
	pipes[0] = tell[0];
	pipes[1] = wait[1];
	return read(tell[0], &c, 1) == 1 ? child : -1;
}

/* The end of a process, or of its memory, is not the end of the call that has caused it */
static int wait_may_pin(void)
{
	int i, err = -ENOBUFS;

	for (i = 0; i < 500 && err == -ENOBUFS; i++) {
		err = may_pin();
		if (err)
			usleep(10000);
	}
	return err;
}

/* What a process does gives back the memory that it has pinned, though the process may live on. */
static void gives_back(struct __test_metadata *_metadata, void (*what)(int fd, int wait))
{
	int pipes[2], status;
	pid_t child = pinned(what, pipes);
	char c;

	ASSERT_LT(0, child);
	EXPECT_EQ(-ENOBUFS, may_pin());
	ASSERT_EQ(1, write(pipes[1], "", 1));
	/* It has done so when it has closed its end */
	ASSERT_EQ(0, read(pipes[0], &c, 1));
	EXPECT_EQ(0, wait_may_pin());
	close(pipes[0]);
	close(pipes[1]);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status) || !WEXITSTATUS(status));
}

/* Close all but the file, and wait until the test closes its end. */
static void linger(int fd, int wait)
{
	char c;
	int i;

	dup2(wait, 0);
	for (i = 3; i < 64; i++)
		if (i != fd)
			close(i);
	(void)!read(0, &c, 1);
}

static void ends(int fd, int wait)
{
	(void)fd;
	(void)wait;
}

static void is_killed(int fd, int wait)
{
	struct fcvi_dev_event event;

	(void)wait;
	ualarm(50000, 0);
	(void)!read(fd, &event, sizeof(event));
}

static void leaves_a_child(int fd, int wait)
{
	if (!fork())
		linger(fd, wait);
}

static void execs(int fd, int wait)
{
	(void)fd;
	dup2(wait, 0);
	execl("/bin/sh", "sh", "-c", "read x; exit 0", NULL);
}

static void closes(int fd, int wait)
{
	int copy = dup(fd);

	close(fd);
	linger(copy, wait);
}

static void unmaps(int fd, int wait)
{
	struct fcvi_dev_event event;

	munmap((void *)fcvi_life, PAGE);
	/* No event, but the end */
	if (read(fd, &event, sizeof(event)))
		_exit(3);
	linger(fd, wait);
}

static void shuts_down(int fd, int wait)
{
	if (call(fd, FCVI_IOC_SHUTDOWN, NULL))
		_exit(4);
	linger(fd, wait);
}

TEST(memlock)
{
	EXPECT_EQ(0, may_pin());
	gives_back(_metadata, ends);
	gives_back(_metadata, is_killed);
	gives_back(_metadata, closes);
	gives_back(_metadata, unmaps);
	gives_back(_metadata, shuts_down);
	gives_back(_metadata, leaves_a_child);
	gives_back(_metadata, execs);
}

/* The page of a file goes with it: a process may open the device again and again */
TEST(again)
{
	uint64_t at;
	int fd = fcvi_file("a", "veth0");

	ASSERT_LE(0, fd);
	at = fcvi_life;
	EXPECT_EQ(-1, mprotect((void *)at, PAGE, PROT_READ));
	close(fd);
	EXPECT_EQ(-1, msync((void *)at, PAGE, MS_ASYNC));
	EXPECT_EQ(ENOMEM, errno);
}

TEST_F(dev, fork)
{
	struct side *s = &self->s;
	struct fcvi_dev_cq cq = { .entries = 16 };
	struct fcvi_dev_tag tag = { };
	struct fcvi_dev_event event;
	bool refused;
	int status;
	pid_t child;

	ASSERT_EQ(0, call(s->fd, FCVI_IOC_CQ_CREATE, &cq));
	child = fork();
	if (!child) {
		refused = call(s->fd, FCVI_IOC_TAG_CREATE, &tag) == -EPERM &&
			  read(s->fd, &event, sizeof(event)) == -1 && errno == EPERM &&
			  mmap(NULL, cq.bytes, PROT_READ, MAP_SHARED, s->fd,
			       cq.offset) == MAP_FAILED && errno == EPERM;
		close(s->fd);
		_exit(!refused);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_TRUE(WIFEXITED(status) && !WEXITSTATUS(status));
	/* The parent has lost nothing by it, and its pages are its own still */
	memset(s->mem, 1, SIDE_BYTES);
	EXPECT_EQ(0, call(s->fd, FCVI_IOC_TAG_CREATE, &tag));
}

TEST_HARNESS_MAIN
