// SPDX-License-Identifier: GPL-2.0
/*
 * What tests of /dev/fcvi have in common.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dev_side.h"

uint64_t fcvi_life;

/* Return: 0 or a negative errno. */
int call(int fd, unsigned long cmd, void *arg)
{
	return ioctl(fd, cmd, arg) ? -errno : 0;
}

/* Return: a file with the port of a device, or a negative errno. */
int fcvi_file(const char *netns, const char *dev)
{
	struct fcvi_dev_open o = { };
	char path[64];
	int ns, fd, err;

	snprintf(path, sizeof(path), "/run/netns/%s", netns);
	ns = open(path, O_RDONLY | O_CLOEXEC);
	if (ns < 0 || setns(ns, CLONE_NEWNET))
		return -errno;
	close(ns);
	fd = open("/dev/fcvi", O_RDWR);
	if (fd < 0)
		return -errno;
	snprintf(o.name, sizeof(o.name), "%s", dev);
	err = call(fd, FCVI_IOC_OPEN, &o);
	fcvi_life = o.life;
	if (err)
		close(fd);
	return err ?: fd;
}

uint32_t make_tag(int fd)
{
	struct fcvi_dev_tag t = { };

	return call(fd, FCVI_IOC_TAG_CREATE, &t) ? 0 : t.tag;
}

int pin(int fd, uint32_t tag, void *addr, uint64_t len, uint32_t flags, uint32_t *handle)
{
	struct fcvi_dev_mem m = {
		.addr = (uintptr_t)addr, .len = len, .tag = tag, .flags = flags,
	};
	int err = call(fd, FCVI_IOC_MEM_REGISTER, &m);

	if (handle)
		*handle = m.handle;
	return err;
}

bool side_open(struct side *s, const char *netns, const char *dev)
{
	s->fd = fcvi_file(netns, dev);
	if (s->fd < 0)
		return false;
	s->tag = make_tag(s->fd);
	s->mem = mmap(NULL, SIDE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return s->tag && s->mem != MAP_FAILED &&
	       !pin(s->fd, s->tag, s->mem, SIDE_BYTES, FCVI_DEV_RDMA_WRITE | FCVI_DEV_RDMA_READ,
		    &s->handle);
}

void side_close(struct side *s)
{
	close(s->fd);
	munmap(s->mem, SIDE_BYTES);
}

int make_vi(struct side *s, struct fcvi_dev_vi *vi, uint8_t level)
{
	vi->attrs.level = level;
	vi->attrs.flags = FCVI_DEV_RDMA_WRITE | (level == FCVI_DEV_UD ? 0 : FCVI_DEV_RDMA_READ);
	vi->attrs.max_trans_size = SIDE_BYTES;
	vi->attrs.pipeline_depth = 31;
	vi->attrs.tag = s->tag;
	return call(s->fd, FCVI_IOC_VI_CREATE, vi);
}

/* Return: an endpoint, or 0. */
uint32_t new_vi(struct side *s, uint8_t level)
{
	struct fcvi_dev_vi vi = { .user = SIDE_USER | s->fd };

	return make_vi(s, &vi, level) ? 0 : vi.vi;
}

struct fcvi_dev_addr make_addr(const char *host, const char *name)
{
	struct fcvi_dev_addr a = { .discrim_len = FCVI_DEV_DISCRIM_MIN };

	inet_pton(AF_INET6, host, a.host);
	snprintf((char *)a.discrim, FCVI_DEV_DISCRIM_MIN, "%s", name);
	return a;
}

int begin_connect(struct side *s, uint32_t vi, const char *from, const char *to, const char *name,
		  uint32_t flags, uint32_t ms)
{
	struct fcvi_dev_connect c = {
		.vi = vi, .flags = flags, .timeout = ms,
		.loc = make_addr(from, "local"), .rem = make_addr(to, name),
	};

	return call(s->fd, FCVI_IOC_CONNECT, &c);
}

int outcome(struct side *s, uint32_t vi)
{
	struct fcvi_dev_outcome o = { .vi = vi };

	return call(s->fd, FCVI_IOC_CONNECT_WAIT, &o);
}

int disconnect(struct side *s, uint32_t vi)
{
	struct fcvi_dev_outcome o = { .vi = vi };

	return call(s->fd, FCVI_IOC_DISCONNECT, &o);
}

int wait_request(struct side *s, const char *host, const char *name, uint32_t ms,
		 uint32_t *request)
{
	struct fcvi_dev_request r = { .timeout = ms, .loc = make_addr(host, name) };
	int err = call(s->fd, FCVI_IOC_REQUEST_WAIT, &r);

	*request = r.request;
	return err;
}

int answer(struct side *s, unsigned long cmd, uint32_t request, uint32_t vi)
{
	struct fcvi_dev_answer a = { .request = request, .vi = vi };

	return call(s->fd, cmd, &a);
}

/* A look first, so that the client finds the connection point */
bool join_vis(struct side *a, uint32_t vi_a, struct side *b, uint32_t vi_b, const char *name)
{
	uint32_t request;

	return wait_request(b, "fd09::2", name, 0, &request) == -ETIMEDOUT &&
	       !begin_connect(a, vi_a, "fd09::1", "fd09::2", name, 0, 10000) &&
	       !wait_request(b, "fd09::2", name, 10000, &request) &&
	       !answer(b, FCVI_IOC_ACCEPT, request, vi_b) &&
	       !outcome(a, vi_a) && !outcome(b, vi_b);
}

/* Return: the Descriptor, a copy of @d, in a place of its own. */
struct desc *post(struct side *s, uint32_t vi, uint32_t queue, unsigned int slot,
		  const struct desc *d, int *err)
{
	struct desc *at = (struct desc *)(s->mem + SIDE_DESCS + slot * sizeof(*d));
	struct fcvi_dev_post p = {
		.vi = vi, .queue = queue, .addr = (uintptr_t)at, .handle = s->handle,
	};

	*at = *d;
	*err = call(s->fd, FCVI_IOC_POST, &p);
	return at;
}

int wait_done(struct side *s, uint32_t vi, uint32_t queue, uint32_t seen, uint32_t ms)
{
	struct fcvi_dev_wait w = { .vi = vi, .queue = queue, .seen = seen, .timeout = ms };

	return call(s->fd, FCVI_IOC_WAIT, &w);
}

bool next_event(struct side *s, struct fcvi_dev_event *event, int ms)
{
	struct pollfd p = { .fd = s->fd, .events = POLLIN };

	return poll(&p, 1, ms) == 1 && p.revents & POLLIN &&
	       read(s->fd, event, sizeof(*event)) == sizeof(*event);
}
