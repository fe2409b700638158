// SPDX-License-Identifier: GPL-2.0
/*
 * Control messages of sendmsg(), described in include/uapi/linux/st.h.
 */
#include <linux/st_compat.h>

#include "sock/sock.h"

/* Copy the contents of a control message.  Return: 0, or -EINVAL for another length. */
static int st_ctl_get(const struct cmsghdr *cmsg, void *to, size_t len)
{
	if (cmsg->cmsg_len != CMSG_LEN(len))
		return -EINVAL;
	memcpy(to, CMSG_DATA(cmsg), len);
	return 0;
}

/* A message that selects the call; there may be only one. */
static int st_ctl_what(struct st_ctl *ctl, const struct cmsghdr *cmsg, void *to, size_t len)
{
	if (ctl->what)
		return -EINVAL;
	ctl->what = cmsg->cmsg_type;
	return st_ctl_get(cmsg, to, len);
}

/**
 * st_send_valid - validate the parameters of a send
 * @send: the parameters, not validated
 *
 * Context: any.
 * Return: false for illegal ones.
 */
bool st_send_valid(const struct st_send *send)
{
	return !(send->flags & ~(ST_SEND_SILENT | ST_SEND_INTERRUPT | ST_SEND_STATE)) &&
	       send->channel < ST_NUM_CHANNELS && !send->reserved &&
	       (!send->max_block ||
		(send->max_block >= ST_BLOCK_MIN && send->max_block <= ST_BLOCK_MAX));
}

/* Parse a message of SOL_SOCKET.  Return: 0, or the error of __sock_cmsg_send(). */
static int st_ctl_socket(struct sock *sk, struct cmsghdr *cmsg, struct st_ctl *ctl)
{
	struct sockcm_cookie sockc;
	int err;

	/* Other messages that __sock_cmsg_send() knows would have no effect */
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
 * st_ctl_parse - parse the control messages of a sendmsg()
 * @sk: the socket
 * @msg: the message, not validated
 * @ctl: filled in; zero before, except for the defaults in st_ctl.send
 *
 * Messages of levels other than SOL_ST and SOL_SOCKET are ignored.
 *
 * Context: process.
 * Return: 0, -EINVAL for an unknown message, a wrong length or one message too many, or the
 * error of __sock_cmsg_send() for one of SOL_SOCKET.
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
