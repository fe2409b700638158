// SPDX-License-Identifier: GPL-2.0
/*
 * Control messages of sendmsg(), described in include/uapi/linux/st.h.
 */
#include <linux/st_compat.h>

#include "sock/sock.h"

/* A control message of this length, into @to.  Return: 0 or -EINVAL. */
static int st_ctl_get(const struct cmsghdr *cmsg, void *to, size_t len)
{
	if (cmsg->cmsg_len != CMSG_LEN(len))
		return -EINVAL;
	memcpy(to, CMSG_DATA(cmsg), len);
	return 0;
}

/* One that says what the call does: there is only one of that kind. */
static int st_ctl_what(struct st_ctl *ctl, const struct cmsghdr *cmsg, void *to, size_t len)
{
	if (ctl->what)
		return -EINVAL;
	ctl->what = cmsg->cmsg_type;
	return st_ctl_get(cmsg, to, len);
}

/**
 * st_send_valid - whether an application says sensible things
 * @send: how records are to be sent, with nothing in it trusted
 *
 * Context: any.
 * Return: false when not.
 */
bool st_send_valid(const struct st_send *send)
{
	return !(send->flags & ~(ST_SEND_SILENT | ST_SEND_INTERRUPT | ST_SEND_STATE)) &&
	       send->channel < ST_NUM_CHANNELS && !send->reserved &&
	       (!send->max_block ||
		(send->max_block >= ST_BLOCK_MIN && send->max_block <= ST_BLOCK_MAX));
}

/* One of SOL_SOCKET, into @ctl.  Return: 0, or what the kernel says of it. */
static int st_ctl_socket(struct sock *sk, struct cmsghdr *cmsg, struct st_ctl *ctl)
{
	struct sockcm_cookie sockc;
	int err;

	/* The others that the kernel knows would do nothing */
	if (cmsg->cmsg_type != SO_MARK && cmsg->cmsg_type != SO_PRIORITY)
		return -EINVAL;
	sockcm_init(&sockc, sk);
	err = __sock_cmsg_send(sk, cmsg, &sockc);
	if (err)
		return err;
	ctl->marked = true;
	if (cmsg->cmsg_type == SO_MARK)
		ctl->mark = sockc.mark;
	else
		ctl->priority = ST_SOCKCM_PRIORITY(&sockc);
	return 0;
}

/**
 * st_ctl_parse - read the control messages of a sendmsg()
 * @sk: the socket
 * @msg: the call, with nothing in it trusted
 * @ctl: filled in; zero before but for the defaults of st_ctl.send
 *
 * Those of levels but SOL_ST and SOL_SOCKET are not for us.
 *
 * Context: process.
 * Return: 0, -EINVAL for one that is unknown, of the wrong length, or one too many, or
 * what the kernel says of one of SOL_SOCKET.
 */
int st_ctl_parse(struct sock *sk, struct msghdr *msg, struct st_ctl *ctl)
{
	struct cmsghdr *cmsg;
	int err = 0;

	ctl->mark = READ_ONCE(sk->sk_mark);
	ctl->priority = READ_ONCE(sk->sk_priority);
	for_each_cmsghdr(cmsg, msg) {
		if (!CMSG_OK(msg, cmsg))
			return -EINVAL;
		if (cmsg->cmsg_level == SOL_SOCKET) {
			err = st_ctl_socket(sk, cmsg, ctl);
			if (err)
				return err;
			continue;
		}
		if (cmsg->cmsg_level != SOL_ST)
			continue;
		switch (cmsg->cmsg_type) {
		case ST_READ:
			err = st_ctl_what(ctl, cmsg, &ctl->read, sizeof(ctl->read));
			break;
		case ST_READ_ANSWER:
			err = st_ctl_what(ctl, cmsg, &ctl->answer, sizeof(ctl->answer));
			if (!err && (ctl->answer.flags & ~ST_READ_REFUSE))
				err = -EINVAL;
			break;
		case ST_SEND:
			err = st_ctl_get(cmsg, &ctl->send, sizeof(ctl->send));
			if (!err && (ctl->any || !st_send_valid(&ctl->send)))
				err = -EINVAL;
			ctl->any = true;
			break;
		case ST_SEND_FROM:
			err = st_ctl_get(cmsg, &ctl->from, sizeof(ctl->from));
			if (!err && (ctl->lent || ctl->from.reserved || !ctl->from.len))
				err = -EINVAL;
			ctl->lent = true;
			break;
		case ST_END:
			err = st_ctl_what(ctl, cmsg, &ctl->end, sizeof(ctl->end));
			break;
		case ST_WRITE_ANSWER:
			err = st_ctl_what(ctl, cmsg, &ctl->write, sizeof(ctl->write));
			if (!err && (ctl->write.flags & ~ST_WRITE_REFUSE))
				err = -EINVAL;
			break;
		default:
			err = -EINVAL;
		}
		if (err)
			return err;
	}
	return 0;
}
