// SPDX-License-Identifier: GPL-2.0
/*
 * Socket options at level SOL_ST, described in include/uapi/linux/st.h.
 */
#include <linux/if_ether.h>
#include <linux/st_compat.h>

#include "conn/conn.h"
#include "link/link.h"
#include "proto/proto.h"
#include "sock/sock.h"
#include "xfer/rx_block.h"

/**
 * st_not_yet_used - whether parameters of the setup may still change
 * @sk: the socket
 *
 * Context: under lock_sock().
 * Return: true before connect() and listen().
 */
bool st_not_yet_used(const struct sock *sk)
{
	return sk->sk_state == ST_CLOSED && sk->sk_socket->state == SS_UNCONNECTED &&
	       !st_sk(sk)->vc.used;
}

/* Set an option that is part of the setup, or must be set before the first operation */
static int st_set_early(struct st_sock *st, bool *option, int val)
{
	struct sock *sk = &st->sk;
	int err = 0;

	if (val != 0 && val != 1)
		return -EINVAL;
	lock_sock(sk);
	if (st_not_yet_used(sk))
		*option = val;
	else
		err = -EISCONN;
	release_sock(sk);
	return err;
}

static int st_set_ethertype(struct st_sock *st, int val)
{
	struct sock *sk = &st->sk;
	int err = 0;

	/* A smaller value is a length, IEEE 802.3 */
	if (val && (val < ETH_P_802_3_MIN || val > U16_MAX))
		return -EINVAL;
	lock_sock(sk);
	if (st_not_yet_used(sk))
		st->bind.ethertype = val;
	else
		err = -EISCONN;
	release_sock(sk);
	return err;
}

static int st_set_recvinfo(struct st_sock *st, int val)
{
	if (val & ~(ST_RECVINFO_RECORD | ST_RECVINFO_READ))
		return -EINVAL;
	WRITE_ONCE(st->opts.recvinfo, val);
	return 0;
}

static int st_set_user_timeout(struct st_sock *st, int val)
{
	if (val < 0)
		return -EINVAL;
	/* Operations under way apply it at their next repeat */
	spin_lock_bh(&st->lock);
	WRITE_ONCE(st->opts.user_timeout, val);
	spin_unlock_bh(&st->lock);
	return 0;
}

static int st_set_serve(struct st_sock *st, int val)
{
	if (val & ~(ST_SERVE_READS | ST_SERVE_WRITES | ST_SERVE_INTERRUPTS))
		return -EINVAL;
	WRITE_ONCE(st->opts.serve, val);
	return 0;
}

/*
 * Somebody may wait for the new room.  sk_write_space() would not do: it is also called for every
 * skb that is sent, and wakes nobody.
 */
static void st_room_changed(struct st_sock *st, int optname)
{
	switch (optname) {
	case SO_SNDBUF:
	case SO_SNDBUFFORCE:
		if (st_tx_writable(st))
			st_tx_wake(&st->sk);
		break;
	case SO_RCVBUF:
	case SO_RCVBUFFORCE:
		spin_lock_bh(&st->lock);
		st_rx_clear_all(st);
		st_unlock(st);
		break;
	}
}

/* Options of SOL_SOCKET with an effect here; sock_setsockopt() would accept all it knows. */
static bool st_has_socket_option(int optname)
{
	switch (optname) {
	case SO_BINDTODEVICE:
	case SO_BINDTOIFINDEX:
	case SO_KEEPALIVE:
	case SO_LINGER:
	case SO_MARK:
	case SO_PRIORITY:
	case SO_RCVBUF:
	case SO_RCVBUFFORCE:
	case SO_RCVTIMEO_NEW:
	case SO_RCVTIMEO_OLD:
	case SO_REUSEADDR:
	case SO_SELECT_ERR_QUEUE:
	case SO_SNDBUF:
	case SO_SNDBUFFORCE:
	case SO_SNDTIMEO_NEW:
	case SO_SNDTIMEO_OLD:
		return true;
	default:
		return false;
	}
}

/* sock_setsockopt() accepts SO_ZEROCOPY only for families that it knows. */
static int st_set_socket_option(struct socket *sock, int optname, sockptr_t optval,
				unsigned int optlen)
{
	int val, err;

	if (st_has_socket_option(optname)) {
		err = sock_setsockopt(sock, SOL_SOCKET, optname, optval, optlen);
		if (!err)
			st_room_changed(st_sk(sock->sk), optname);
		return err;
	}
	if (optname != SO_ZEROCOPY)
		return -ENOPROTOOPT;
	err = copy_safe_from_sockptr(&val, sizeof(val), optval, optlen);
	if (err)
		return err;
	if (val != 0 && val != 1)
		return -EINVAL;
	lock_sock(sock->sk);
	sock_valbool_flag(sock->sk, SOCK_ZEROCOPY, val);
	release_sock(sock->sk);
	return 0;
}

static int st_set_block_max(struct st_sock *st, int val)
{
	if (val < ST_BLOCK_MIN || val > ST_BUFSIZE)
		return -EINVAL;
	WRITE_ONCE(st->opts.block_max, val);
	return 0;
}

static int st_set_send(struct st_sock *st, sockptr_t optval, unsigned int optlen)
{
	struct st_send send;
	int err;

	if (optlen < sizeof(send))
		return -EINVAL;
	if (optlen > PAGE_SIZE)
		return -E2BIG;
	err = copy_struct_from_sockptr(&send, sizeof(send), optval, optlen);
	if (err)
		return err;
	if (!st_send_valid(&send))
		return -EINVAL;
	spin_lock_bh(&st->lock);
	st->opts.send = send;
	spin_unlock_bh(&st->lock);
	return 0;
}

/**
 * st_setsockopt - set an option
 * @sock: the socket
 * @level: SOL_ST or SOL_SOCKET, else -ENOPROTOOPT
 * @optname: an option that can be set, see include/uapi/linux/st.h, else -ENOPROTOOPT
 * @optval: its value
 * @optlen: at least the size of the value, else -EINVAL
 *
 * Return: 0 or a negative errno.
 */
int st_setsockopt(struct socket *sock, int level, int optname, sockptr_t optval,
		  unsigned int optlen)
{
	struct st_sock *st = st_sk(sock->sk);
	int val, err;

	if (level == SOL_SOCKET)
		return st_set_socket_option(sock, optname, optval, optlen);
	if (level != SOL_ST)
		return -ENOPROTOOPT;
	if (st_mem_option(optname))
		return st_mem_setsockopt(st, optname, optval, optlen);
	if (optname == ST_SEND_DEFAULT)
		return st_set_send(st, optval, optlen);
	if (optname == ST_STRIPE_ADDRS)
		return st_stripe_set_addrs(st, optval, optlen);
	if (optname != ST_CHECKSUM && optname != ST_ETHERTYPE && optname != ST_SERVE &&
	    optname != ST_WRITES && optname != ST_BLOCK_MAX_SIZE &&
	    optname != ST_OUT_OF_ORDER && optname != ST_KEEP_IDLE && optname != ST_STRIPE &&
	    optname != ST_RECVINFO && optname != ST_USER_TIMEOUT)
		return -ENOPROTOOPT;
	err = copy_safe_from_sockptr(&val, sizeof(val), optval, optlen);
	if (err)
		return err;
	switch (optname) {
	case ST_ETHERTYPE:
		return st_set_ethertype(st, val);
	case ST_SERVE:
		return st_set_serve(st, val);
	case ST_RECVINFO:
		return st_set_recvinfo(st, val);
	case ST_USER_TIMEOUT:
		return st_set_user_timeout(st, val);
	case ST_STRIPE:
		return st_stripe_set(st, val);
	case ST_WRITES:
		return st_writes_set(st, val);
	case ST_BLOCK_MAX_SIZE:
		return st_set_block_max(st, val);
	case ST_KEEP_IDLE:
		return st_keep_set_idle(st, val);
	case ST_OUT_OF_ORDER:
		return st_set_early(st, &st->opts.any_order, val);
	default:
		return st_set_early(st, &st->vc.checksum, val);
	}
}

static int st_get_errors(struct st_sock *st, struct st_errors *errors)
{
	const struct st_port *port = st->bind.port;
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
	if (!st->paths.first.link)
		return -ENOTCONN;
	spin_lock_bh(&st->lock);
	*info = st->info;
	info->local_key = st->vc.local_key;
	info->remote_key = st->vc.peer.key;
	info->local_slots = st_rx_slots(st);
	info->remote_slots = st->slots.remote;
	info->local_bufsize = ST_BUFSIZE;
	info->remote_bufsize = st->vc.remote_bufsize;
	info->local_max_stu = st->vc.local_max_stu;
	info->remote_max_stu = st->vc.remote_max_stu;
	info->checksum = st->vc.checksum;
	info->out_of_order = st->vc.out_of_order;
	info->rtt = st->timers.rtt.srtt >> 3;
	info->rttvar = st->timers.rtt.rttvar >> 2;
	info->op_timeout = st_retrans_timeout(st);
	spin_unlock_bh(&st->lock);
	return 0;
}

/**
 * st_getsockopt - get an option
 * @sock: the socket
 * @level: SOL_ST, else -ENOPROTOOPT
 * @optname: ST_ERRORS, ST_INFO, ST_REGION_INFO, or one that can be set, else -ENOPROTOOPT
 * @optval: destination
 * @optlen: room there; set to the bytes written, at most the room
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
		struct st_send send;
		struct st_errors errors;
		struct st_info info;
		struct sockaddr_st asked[ST_PATHS_MAX - 1];
	} u = {};
	int len, size, err = 0;

	if (level != SOL_ST)
		return -ENOPROTOOPT;
	if (st_mem_option(optname))
		return st_mem_getsockopt(st, optname, optval, optlen);
	if (get_user(len, optlen))
		return -EFAULT;
	if (len < 0)
		return -EINVAL;

	lock_sock(sk);
	switch (optname) {
	case ST_CHECKSUM:
		u.val = st->vc.checksum;
		size = sizeof(u.val);
		break;
	case ST_ETHERTYPE:
		u.val = st->bind.ethertype;
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
	case ST_SERVE:
		u.val = st->opts.serve;
		size = sizeof(u.val);
		break;
	case ST_WRITES:
		u.val = st->opts.writes;
		size = sizeof(u.val);
		break;
	case ST_OUT_OF_ORDER:
		u.val = st->opts.any_order;
		size = sizeof(u.val);
		break;
	case ST_BLOCK_MAX_SIZE:
		u.val = st->opts.block_max;
		size = sizeof(u.val);
		break;
	case ST_KEEP_IDLE:
		u.val = st->opts.keep_idle;
		size = sizeof(u.val);
		break;
	case ST_USER_TIMEOUT:
		u.val = st->opts.user_timeout;
		size = sizeof(u.val);
		break;
	case ST_RECVINFO:
		u.val = st->opts.recvinfo;
		size = sizeof(u.val);
		break;
	case ST_STRIPE:
		u.val = !!st->paths.stripe;
		size = sizeof(u.val);
		break;
	case ST_STRIPE_ADDRS:
		size = st_stripe_get_addrs(st, u.asked);
		break;
	case ST_SEND_DEFAULT:
		u.send = st_send_default(st);
		size = sizeof(u.send);
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

/* Whether an address can be that of a path. */
static int st_stripe_check(struct st_sock *st, const struct sockaddr_st *to)
{
	int err = st_addr_check(to, sizeof(*to));
	const struct st_link *link;

	if (err)
		return err;
	if (!to->sst_ifindex || !to->sst_alen || to->sst_port)
		return -EINVAL;
	rcu_read_lock();
	link = st_stripe_link(st, to);
	if (!link)
		err = -ENODEV;
	else if (!st_link_addr_ok(link, to->sst_addr))
		err = -EINVAL;
	rcu_read_unlock();
	return err;
}

/**
 * st_stripe_set - set ST_STRIPE
 * @st: the socket
 * @val: 0 or 1, else -EINVAL
 *
 * Context: process, may sleep.
 * Return: 0, -EINVAL, -EISCONN when the connection is set up, -ENOMEM.
 */
int st_stripe_set(struct st_sock *st, int val)
{
	struct st_stripe *before = NULL;
	struct sock *sk = &st->sk;
	int err = 0;

	if (val != 0 && val != 1)
		return -EINVAL;
	lock_sock(sk);
	if (!st_not_yet_used(sk)) {
		err = -EISCONN;
	} else if (val) {
		err = st_stripe_alloc(st, GFP_KERNEL_ACCOUNT);
	} else {
		spin_lock_bh(&st->lock);
		swap(st->paths.stripe, before);
		spin_unlock_bh(&st->lock);
	}
	release_sock(sk);
	kfree(before);
	return err;
}

/**
 * st_stripe_set_addrs - set ST_STRIPE_ADDRS
 * @st: the socket
 * @optval: array of struct sockaddr_st
 * @optlen: its bytes
 *
 * Context: process, may sleep.
 * Return: 0, -EINVAL, also without ST_STRIPE, -EAFNOSUPPORT, -ENODEV for a device without
 * such a link, -EISCONN when the connection is set up.
 */
int st_stripe_set_addrs(struct st_sock *st, sockptr_t optval, unsigned int optlen)
{
	struct sockaddr_st asked[ST_PATHS_MAX - 1];
	struct sock *sk = &st->sk;
	unsigned int i;
	int err = 0;

	if (optlen > sizeof(asked) || optlen % sizeof(asked[0]))
		return -EINVAL;
	if (copy_from_sockptr(asked, optval, optlen))
		return -EFAULT;
	for (i = 0; i < optlen / sizeof(asked[0]) && !err; i++)
		err = st_stripe_check(st, &asked[i]);
	if (err)
		return err;
	lock_sock(sk);
	if (!st_not_yet_used(sk)) {
		err = -EISCONN;
	} else if (!st->paths.stripe) {
		err = -EINVAL;
	} else {
		memcpy(st->paths.stripe->asked, asked, optlen);
		st->paths.stripe->nr_asked = i;
	}
	release_sock(sk);
	return err;
}

/**
 * st_stripe_get_addrs - get ST_STRIPE_ADDRS
 * @st: the socket
 * @asked: room for %ST_PATHS_MAX - 1 addresses
 *
 * Context: under lock_sock().
 * Return: bytes written to @asked.
 */
int st_stripe_get_addrs(struct st_sock *st, struct sockaddr_st *asked)
{
	int size = st->paths.stripe ? st->paths.stripe->nr_asked * sizeof(*asked) : 0;

	if (size)
		memcpy(asked, st->paths.stripe->asked, size);
	return size;
}
