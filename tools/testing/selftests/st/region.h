/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operations on persistent memory in one call each.  Functions named region_*
 * return -1 with errno.
 */
#ifndef SELFTESTS_ST_REGION_H
#define SELFTESTS_ST_REGION_H

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <linux/st.h>

static inline int region_offer(int fd, unsigned long call, struct st_region_offer *offer)
{
	offer->size = sizeof(*offer);
	offer->region = 0;
	return ioctl(fd, call, offer);
}

static inline long region_expose(int fd, void *addr, size_t len, unsigned int access)
{
	struct st_region_offer offer = {
		.addr	= (unsigned long)addr,
		.len	= len,
		.token	= 42,
		.access	= access,
	};

	return region_offer(fd, SIOCSTEXPOSE, &offer) ? -1 : (long)offer.region;
}

static inline long region_request(int fd, size_t size, unsigned int flags)
{
	struct st_region_request request = {
		.size	= sizeof(request),
		.flags	= flags,
		.len	= size,
		.token	= 43,
	};

	return ioctl(fd, SIOCSTREQUEST, &request) ? -1 : (long)request.region;
}

static inline int region_option(int fd, int option, __u32 value)
{
	return setsockopt(fd, SOL_ST, option, &value, sizeof(value));
}

static inline int region_info(int fd, __u32 region, struct st_region_info *info)
{
	socklen_t len = sizeof(*info);

	memset(info, 0, len);
	info->region = region;
	return getsockopt(fd, SOL_ST, ST_REGION_INFO, info, &len);
}

union region_control {
	char room[CMSG_SPACE(64)];
	struct cmsghdr align;
};

/* One control message for a sendmsg(), in @control, which has to stay as long as @msg. */
static inline void region_control(struct msghdr *msg, union region_control *control, int type,
				  const void *args, size_t size)
{
	struct cmsghdr *cmsg;

	memset(control, 0, sizeof(*control));
	msg->msg_control = control->room;
	msg->msg_controllen = CMSG_SPACE(size);
	cmsg = CMSG_FIRSTHDR(msg);
	cmsg->cmsg_level = SOL_ST;
	cmsg->cmsg_type = type;
	cmsg->cmsg_len = CMSG_LEN(size);
	memcpy(CMSG_DATA(cmsg), args, size);
}

/* A sendmsg() with one control message. */
static inline ssize_t region_op(int fd, int type, const void *args, size_t size,
				const struct iovec *iov, size_t iovlen, int flags)
{
	struct msghdr msg = { .msg_iov = (struct iovec *)iov, .msg_iovlen = iovlen };
	union region_control control;

	region_control(&msg, &control, type, args, size);
	return sendmsg(fd, &msg, flags | MSG_NOSIGNAL);
}

/* The same for an operation on a region of the peer that is not waited for. */
static inline ssize_t region_post(int fd, int type, const void *args, size_t size,
				  const struct iovec *iov, size_t iovlen)
{
	struct st_put put;	/* all three have the flags there */

	memcpy(&put, args, size);
	put.flags |= ST_POST;
	return region_op(fd, type, &put, size, iov, iovlen, MSG_DONTWAIT);
}

static inline ssize_t region_put(int fd, __u32 region, __u64 offset, const void *buf,
				 size_t len, unsigned int flags)
{
	const struct st_put put = {
		.region	= region,
		.flags	= flags,
		.offset	= offset,
		.opaque	= 0x0a0b0c0d,
	};
	const struct iovec iov = { .iov_base = (void *)buf, .iov_len = len };

	return region_op(fd, ST_PUT, &put, sizeof(put), &iov, 1, 0);
}

static inline ssize_t region_get(int fd, __u32 region, __u64 offset, void *buf, size_t len)
{
	const struct st_get get = {
		.region	= region,
		.len	= len,
		.offset	= offset,
		.addr	= (unsigned long)buf,
	};

	return region_op(fd, ST_GET, &get, sizeof(get), NULL, 0, 0);
}

static inline ssize_t region_fetch(int fd, __u32 region, __u64 offset, unsigned int op,
				   __u64 *result)
{
	const struct st_fetchop fetchop = {
		.region	= region,
		.op	= op,
		.offset	= offset,
		.addr	= (unsigned long)result,
	};

	return region_op(fd, ST_FETCHOP, &fetchop, sizeof(fetchop), NULL, 0, 0);
}

/* The oldest event, if there is one. */
static inline int region_event(int fd, struct st_event *event)
{
	union {
		char room[CMSG_SPACE(sizeof(struct st_event))];
		struct cmsghdr align;
	} control;
	struct msghdr msg = { .msg_control = control.room, .msg_controllen = sizeof(control) };
	struct cmsghdr *cmsg;

	if (recvmsg(fd, &msg, MSG_ERRQUEUE) < 0)
		return -1;
	cmsg = CMSG_FIRSTHDR(&msg);
	if (!cmsg || cmsg->cmsg_level != SOL_ST || cmsg->cmsg_type != ST_EVENT ||
	    cmsg->cmsg_len != CMSG_LEN(sizeof(*event))) {
		errno = EPROTO;
		return -1;
	}
	memcpy(event, CMSG_DATA(cmsg), sizeof(*event));
	return 0;
}

/*
 * The next event, which must be of this type.  An ended connection is always ready for
 * poll(), so only an edge indicates an event.
 */
bool region_next_event(int fd, unsigned int type, struct st_event *event);

/* A region of @len bytes at @at of B's memory, granted to A: handles of both. */
bool grant(int fds[2], char *at, size_t len, unsigned int access, long handles[2]);

/* A counter of the Port of a socket */
__u64 port_error(int fd, enum st_error error);

#endif
