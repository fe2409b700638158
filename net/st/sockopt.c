// SPDX-License-Identifier: GPL-2.0
/*
 * Socket options at level SOL_ST, described in include/uapi/linux/st.h.
 */
#include "st.h"

static int st_set_checksum(struct st_sock *st, int val)
{
	struct sock *sk = &st->sk;
	int err = 0;

	if (val != 0 && val != 1)
		return -EINVAL;
	lock_sock(sk);
	if (sk->sk_state == ST_CLOSED && !sk->sk_shutdown)
		st->checksum = val;
	else
		err = -EISCONN;
	release_sock(sk);
	return err;
}

/**
 * st_setsockopt - set an option
 * @sock: the socket
 * @level: SOL_ST, else -ENOPROTOOPT
 * @optname: ST_CHECKSUM, else -ENOPROTOOPT
 * @optval: an int
 * @optlen: at least that of an int, else -EINVAL
 *
 * Return: 0 or a negative errno.
 */
int st_setsockopt(struct socket *sock, int level, int optname, sockptr_t optval,
		  unsigned int optlen)
{
	int val, err;

	if (level != SOL_ST || optname != ST_CHECKSUM)
		return -ENOPROTOOPT;
	err = copy_safe_from_sockptr(&val, sizeof(val), optval, optlen);
	if (err)
		return err;
	return st_set_checksum(st_sk(sock->sk), val);
}

static int st_get_errors(struct st_sock *st, struct st_errors *errors)
{
	const struct st_port *port = st->port;
	unsigned int i;

	if (!port)
		return -ENOTCONN;
	for (i = 0; i < __ST_ERR_MAX; i++)
		errors->count[i] = atomic64_read(&port->errors[i]);
	errors->undefined_opcode_value = READ_ONCE(port->undefined_op);
	errors->unexpected_opcode_value = READ_ONCE(port->unexpected_op);
	return 0;
}

static int st_get_info(struct st_sock *st, struct st_info *info)
{
	if (!st->link)
		return -ENOTCONN;
	spin_lock_bh(&st->lock);
	*info = st->info;
	info->local_key = st->local_key;
	info->remote_key = st->peer.key;
	info->local_slots = st_rx_slots(st);
	info->remote_slots = st->remote_slots;
	info->local_bufsize = ST_BUFSIZE;
	info->remote_bufsize = st->remote_bufsize;
	info->local_max_stu = st->local_max_stu;
	info->remote_max_stu = st->remote_max_stu;
	info->checksum = st->checksum;
	info->out_of_order = st->out_of_order;
	spin_unlock_bh(&st->lock);
	return 0;
}

/**
 * st_getsockopt - get an option
 * @sock: the socket
 * @level: SOL_ST, else -ENOPROTOOPT
 * @optname: ST_CHECKSUM, ST_ERRORS or ST_INFO, else -ENOPROTOOPT
 * @optval: where to
 * @optlen: room there; becomes the bytes written, at most the room
 *
 * Return: 0 or a negative errno.
 */
int st_getsockopt(struct socket *sock, int level, int optname, char __user *optval,
		  int __user *optlen)
{
	struct sock *sk = sock->sk;
	struct st_sock *st = st_sk(sk);
	union {
		int val;
		struct st_errors errors;
		struct st_info info;
	} u = {};
	int len, size, err = 0;

	if (level != SOL_ST)
		return -ENOPROTOOPT;
	if (get_user(len, optlen))
		return -EFAULT;
	if (len < 0)
		return -EINVAL;

	lock_sock(sk);
	switch (optname) {
	case ST_CHECKSUM:
		u.val = st->checksum;
		size = sizeof(u.val);
		break;
	case ST_ERRORS:
		err = st_get_errors(st, &u.errors);
		size = sizeof(u.errors);
		break;
	case ST_INFO:
		err = st_get_info(st, &u.info);
		size = sizeof(u.info);
		break;
	default:
		err = -ENOPROTOOPT;
	}
	release_sock(sk);
	if (err)
		return err;
	len = min(len, size);
	if (copy_to_user(optval, &u, len) || put_user(len, optlen))
		return -EFAULT;
	return 0;
}
