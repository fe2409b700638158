// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "common.h"
#include "ctl.h"

ssize_t send_ctl(int fd, const void *buf, size_t len, int flags, int type, const void *data,
		 size_t data_len)
{
	union {
		struct cmsghdr hdr;
		char room[256];
	} ctl = {};
	struct iovec iov = { .iov_base = (void *)buf, .iov_len = len };
	struct msghdr msg = {
		.msg_iov	= &iov,
		.msg_iovlen	= 1,
		.msg_control	= &ctl,
		.msg_controllen	= CMSG_SPACE(data_len),
	};

	ctl.hdr.cmsg_level = SOL_ST;
	ctl.hdr.cmsg_type = type;
	ctl.hdr.cmsg_len = CMSG_LEN(data_len);
	memcpy(CMSG_DATA(&ctl.hdr), data, data_len);
	return sendmsg(fd, &msg, flags | MSG_NOSIGNAL);
}

ssize_t recv_ctl(int fd, void *buf, size_t len, int flags, int *msg_flags, int type,
		 void *data, size_t data_len, bool *found)
{
	union {
		struct cmsghdr hdr;
		char room[512];
	} ctl = {};
	struct iovec iov = { .iov_base = buf, .iov_len = len };
	struct msghdr msg = {
		.msg_iov	= &iov,
		.msg_iovlen	= 1,
		.msg_control	= &ctl,
		.msg_controllen	= sizeof(ctl),
	};
	const int all = ST_RECVINFO_RECORD | ST_RECVINFO_READ;
	struct cmsghdr *cmsg;
	ssize_t n;

	*found = false;
	if (!(flags & MSG_ERRQUEUE) && setsockopt(fd, SOL_ST, ST_RECVINFO, &all, sizeof(all)))
		return -1;
	n = recvmsg(fd, &msg, flags);
	if (n < 0)
		return n;
	*msg_flags = msg.msg_flags;
	for (cmsg = CMSG_FIRSTHDR(&msg); cmsg; cmsg = CMSG_NXTHDR(&msg, cmsg)) {
		if (cmsg->cmsg_level != SOL_ST || cmsg->cmsg_type != type)
			continue;
		if (cmsg->cmsg_len != CMSG_LEN(data_len) || *found) {
			errno = EBADMSG;
			return -1;
		}
		memcpy(data, CMSG_DATA(cmsg), data_len);
		*found = true;
	}
	return n;
}

bool next_event(int fd, struct st_event *event, int timeout_ms)
{
	long long end = now_ms() + timeout_ms;
	long long left = timeout_ms;
	int msg_flags;
	bool found;

	for (;;) {
		if (!recv_ctl(fd, NULL, 0, MSG_ERRQUEUE, &msg_flags, ST_EVENT, event,
			      sizeof(*event), &found)) {
			if (found && (msg_flags & MSG_ERRQUEUE))
				return true;
			errno = EBADMSG;
			return false;
		}
		if (errno != EAGAIN)
			return false;
		left = end - now_ms();
		if (left <= 0) {
			errno = ETIMEDOUT;
			return false;
		}
		poll_for(fd, POLLPRI, left);
	}
}

int read_ask(int fd, __u64 len, __u64 token, unsigned int channel)
{
	const struct st_read read = { .len = len, .token = token, .channel = channel };

	return send_ctl(fd, NULL, 0, 0, ST_READ, &read, sizeof(read));
}

ssize_t read_answer(int fd, __u32 id, const void *buf, size_t len, int flags)
{
	const struct st_read_answer answer = { .id = id };

	return send_ctl(fd, buf, len, flags, ST_READ_ANSWER, &answer, sizeof(answer));
}

int read_refuse(int fd, __u32 id)
{
	const struct st_read_answer answer = { .id = id, .flags = ST_READ_REFUSE };

	return send_ctl(fd, NULL, 0, 0, ST_READ_ANSWER, &answer, sizeof(answer));
}
