// SPDX-License-Identifier: GPL-2.0
#include <endian.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conn.h"
#include "user.h"

static void same_error(const char *what, int found, int expected)
{
	if (found != expected)
		errx(1, "%s: found '%s', expected '%s'", what, strerror(found),
		     strerror(expected));
}

static int try(struct user *u, unsigned long request, void *arg)
{
	return ioctl(u->fd, request, arg) ? errno : 0;
}

static void call(struct user *u, unsigned long request, void *arg, int expected, const char *what)
{
	same_error(what, try(u, request, arg), expected);
}

static void enter(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd < 0 || setns(fd, CLONE_NEWNET))
		err(1, "%s", path);
	close(fd);
}

void user_open(struct user *u, const char *netns, const char *device)
{
	struct fcvi_dev_open port = { 0 };
	struct fcvi_dev_tag tag = { 0 };
	struct fcvi_dev_mem mem = { .len = REGION };
	int own = open("/proc/self/ns/net", O_RDONLY);
	char path[64];

	snprintf(path, sizeof(path), "/run/netns/%s", netns);
	enter(path);
	u->fd = open("/dev/fcvi", O_RDWR | O_CLOEXEC);
	if (u->fd < 0)
		err(1, "/dev/fcvi");
	snprintf(port.name, sizeof(port.name), "%s", device);
	call(u, FCVI_IOC_OPEN, &port, 0, "FCVI_IOC_OPEN");
	if (own < 0 || setns(own, CLONE_NEWNET))
		err(1, "setns");
	close(own);

	u->mem = mmap(NULL, REGION, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (u->mem == MAP_FAILED)
		err(1, "mmap");
	call(u, FCVI_IOC_TAG_CREATE, &tag, 0, "FCVI_IOC_TAG_CREATE");
	mem.addr = (uintptr_t)u->mem;
	mem.tag = tag.tag;
	mem.flags = FCVI_DEV_RDMA_WRITE | FCVI_DEV_RDMA_READ;
	call(u, FCVI_IOC_MEM_REGISTER, &mem, 0, "FCVI_IOC_MEM_REGISTER");
	u->tag = tag.tag;
	u->handle = mem.handle;
	u->next = 0;
}

uint8_t *buffer(struct user *u, unsigned int at)
{
	return u->mem + BUFFERS + at;
}

uint64_t va_of(struct user *u, unsigned int at)
{
	return (uintptr_t)buffer(u, at);
}

uint32_t user_vi(struct user *u, uint8_t level, uint8_t flags)
{
	struct fcvi_dev_vi vi = {
		.attrs = {
			.level = level, .flags = flags, .max_trans_size = MAX_SIZE,
			.pipeline_depth = DEPTH, .tag = u->tag,
		},
	};

	call(u, FCVI_IOC_VI_CREATE, &vi, 0, "FCVI_IOC_VI_CREATE");
	return vi.vi;
}

void user_destroy(struct user *u, uint32_t vi)
{
	struct fcvi_dev_vi arg = { .vi = vi };

	call(u, FCVI_IOC_VI_DESTROY, &arg, 0, "FCVI_IOC_VI_DESTROY");
}

void user_state(struct user *u, uint32_t vi, uint32_t state)
{
	struct fcvi_dev_vi arg = { .vi = vi };

	call(u, FCVI_IOC_VI_QUERY, &arg, 0, "FCVI_IOC_VI_QUERY");
	same("state of the endpoint", arg.state, state);
}

static struct fcvi_dev_addr address(uint32_t ip, const char *discrim)
{
	struct fcvi_dev_addr a = { .discrim_len = strlen(discrim) };

	put(a.host + 10, 2, 0xffff);
	put(a.host + 12, 4, ip);
	memcpy(a.discrim, discrim, a.discrim_len);
	if (a.discrim_len < FCVI_DEV_DISCRIM_MIN)
		a.discrim_len = FCVI_DEV_DISCRIM_MIN;
	return a;
}

void user_listen(struct user *u, const char *discrim)
{
	struct fcvi_dev_request r = { .loc = address(IP_THEIRS, discrim) };

	call(u, FCVI_IOC_REQUEST_WAIT, &r, ETIMEDOUT, "FCVI_IOC_REQUEST_WAIT");
}

uint32_t user_request(struct user *u, const char *discrim, struct fcvi_dev_request *r)
{
	struct fcvi_dev_request local;

	r = r ?: &local;
	*r = (struct fcvi_dev_request) {
		.timeout = PATIENCE_MS, .loc = address(IP_THEIRS, discrim),
	};
	call(u, FCVI_IOC_REQUEST_WAIT, r, 0, "FCVI_IOC_REQUEST_WAIT");
	return r->request;
}

void user_accept(struct user *u, uint32_t request, uint32_t vi, int expected)
{
	struct fcvi_dev_answer a = { .request = request, .vi = vi };

	call(u, FCVI_IOC_ACCEPT, &a, expected, "FCVI_IOC_ACCEPT");
}

void user_reject(struct user *u, uint32_t request)
{
	struct fcvi_dev_answer a = { .request = request };

	call(u, FCVI_IOC_REJECT, &a, 0, "FCVI_IOC_REJECT");
}

void user_connect(struct user *u, uint32_t vi, uint32_t flags, uint32_t timeout)
{
	struct fcvi_dev_connect c = {
		.vi = vi, .flags = flags, .timeout = timeout,
		.loc = address(IP_THEIRS, "user"), .rem = address(ip_ours, "peer"),
	};

	call(u, FCVI_IOC_CONNECT, &c, 0, "FCVI_IOC_CONNECT");
}

void user_outcome(struct user *u, uint32_t vi, int expected)
{
	struct fcvi_dev_outcome o = { .vi = vi };

	call(u, FCVI_IOC_CONNECT_WAIT, &o, expected, "FCVI_IOC_CONNECT_WAIT");
}

void user_undecided(struct user *u, uint32_t vi)
{
	struct fcvi_dev_outcome o = { .vi = vi, .flags = FCVI_DEV_NOWAIT };

	call(u, FCVI_IOC_CONNECT_WAIT, &o, EAGAIN, "FCVI_IOC_CONNECT_WAIT, undecided");
}

/* The call waits in a thread of its own: who asks too late what came of one begins another */
static void *disconnect_thread(void *arg)
{
	struct user *u = arg;
	struct fcvi_dev_outcome o = { .vi = u->ending };

	u->error = try(u, FCVI_IOC_DISCONNECT, &o);
	return NULL;
}

bool user_disconnect(struct user *u, uint32_t vi)
{
	struct fcvi_dev_outcome o = { .vi = vi, .flags = FCVI_DEV_NOWAIT };
	int error = try(u, FCVI_IOC_DISCONNECT, &o);

	if (!error)
		return false;
	same_error("FCVI_IOC_DISCONNECT that does not wait", error, EAGAIN);
	u->ending = vi;
	if (pthread_create(&u->thread, NULL, disconnect_thread, u))
		errx(1, "no thread");
	return true;
}

void user_disconnected(struct user *u, int expected)
{
	pthread_join(u->thread, NULL);
	same_error("FCVI_IOC_DISCONNECT", u->error, expected);
}

static struct desc *new_desc(struct user *u)
{
	struct desc *d = (struct desc *)(u->mem + u->next);

	u->next = (u->next + sizeof(*d)) % BUFFERS;
	memset(d, 0, sizeof(*d));
	return d;
}

static void post(struct user *u, uint32_t vi, uint32_t queue, struct desc *d)
{
	struct fcvi_dev_post arg = {
		.vi = vi, .queue = queue, .addr = (uintptr_t)d, .handle = u->handle,
	};

	call(u, FCVI_IOC_POST, &arg, 0, "FCVI_IOC_POST");
}

static void add_segment(struct user *u, struct desc *d, unsigned int at, uint32_t len)
{
	unsigned int n = d->segments++;

	d->segment[n].addr = htole64((uintptr_t)u->mem + BUFFERS + at);
	d->segment[n].handle = htole32(u->handle);
	d->segment[n].len = htole32(len);
	d->len = htole32(len);
}

struct desc *user_post(struct user *u, uint32_t vi, uint16_t control, unsigned int at,
		       uint32_t len, uint64_t va, uint32_t va_handle, uint32_t imm)
{
	struct desc *d = new_desc(u);

	d->control = htole16(control);
	d->imm = htole32(imm);
	if (control & 3) {
		d->segment[0].addr = htole64(va);
		d->segment[0].handle = htole32(va_handle);
		d->segments++;
	}
	add_segment(u, d, at, len);
	d->segments = htole16(d->segments);
	post(u, vi, FCVI_DEV_SEND, d);
	return d;
}

struct desc *user_post_recv(struct user *u, uint32_t vi, unsigned int at, uint32_t len)
{
	struct desc *d = new_desc(u);

	add_segment(u, d, at, len);
	d->segments = htole16(d->segments);
	post(u, vi, FCVI_DEV_RECV, d);
	return d;
}

static uint32_t status_of(const struct desc *d)
{
	return le32toh(__atomic_load_n(&d->status, __ATOMIC_ACQUIRE));
}

/* Memory tells it, as it does to who polls */
void user_done(struct user *u, const struct desc *d, uint32_t status, uint32_t len)
{
	uint64_t end = now_ms() + PATIENCE_MS;
	uint32_t found;

	(void)u;
	while (!(status_of(d) & DONE)) {
		if (now_ms() > end)
			errx(1, "Descriptor: not complete in %u ms, expected status 0x%x",
			     PATIENCE_MS, status | DONE);
		usleep(500);
	}
	found = status_of(d);
	same("status of the Descriptor", found, status | DONE);
	if (len != ANY_LEN)
		same("length of the Descriptor", le32toh(d->len), len);
}

void user_not_done(const struct desc *d)
{
	same("status of a Descriptor that is not complete", status_of(d), 0);
}

uint32_t user_any_event(struct user *u, uint32_t vi)
{
	struct pollfd poll_fd = { .fd = u->fd, .events = POLLIN };
	struct fcvi_dev_event e;

	if (poll(&poll_fd, 1, PATIENCE_MS) <= 0 || read(u->fd, &e, sizeof(e)) != sizeof(e))
		errx(1, "asynchronous error: none in %u ms", PATIENCE_MS);
	same("endpoint of the asynchronous error", e.vi, vi);
	return e.code;
}

void user_event(struct user *u, uint32_t code, uint32_t vi)
{
	same("code of the asynchronous error", user_any_event(u, vi), code);
}

void user_no_event(struct user *u)
{
	struct pollfd poll_fd = { .fd = u->fd, .events = POLLIN };
	struct fcvi_dev_event e;

	if (poll(&poll_fd, 1, 0) <= 0)
		return;
	if (read(u->fd, &e, sizeof(e)) == sizeof(e))
		errx(1, "found asynchronous error %u, expected none", e.code);
}
