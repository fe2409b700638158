// SPDX-License-Identifier: GPL-2.0
/*
 * ioctl(): queue lengths of a socket, and the calls SIOCST* of include/uapi/linux/st.h, which
 * have both an effect and a result.
 */
#include <linux/compat.h>
#include <linux/sockios.h>
#include <linux/uaccess.h>
#include <asm/ioctls.h>

#include "mem/region.h"
#include "mem/remote.h"
#include "sock/sock.h"
#include "xfer/read.h"

/**
 * st_queued - bytes in a queue of a socket
 * @sk: the socket
 * @cmd: SIOCINQ or SIOCOUTQ, else -ENOIOCTLCMD
 * @karg: set to the bytes
 *
 * Context: process; also called by io_uring.
 * Return: 0 or a negative errno.
 */
int st_queued(struct sock *sk, int cmd, int *karg)
{
	struct st_sock *st = st_sk(sk);
	const struct st_rx *rx;
	const struct st_tx *tx;
	u64 bytes = 0;

	if (cmd != SIOCINQ && cmd != SIOCOUTQ)
		return -ENOIOCTLCMD;
	if (READ_ONCE(sk->sk_state) == ST_LISTEN)
		return -EINVAL;
	spin_lock_bh(&st->lock);
	if (cmd == SIOCINQ) {
		rx = list_first_entry_or_null(&st->dest.list, struct st_rx, list);
		if (rx)
			bytes = rx->done_end - rx->consumed;
	} else {
		list_for_each_entry(tx, &st->source.list, list)
			bytes += tx->stream ? st_stream_unacked(tx) : tx->tiling.t_len;
	}
	spin_unlock_bh(&st->lock);
	*karg = min_t(u64, bytes, INT_MAX);
	return 0;
}

/*
 * Copy the structure of a call, which begins with its size.  What a shorter one lacks becomes zero.
 * @least: size of its first version.  Return: its size at @arg, -EINVAL when it is below @least,
 * -E2BIG when bytes after @size are not zero, -EFAULT.
 */
static int st_ioctl_take(void *to, size_t size, size_t least, const void __user *arg)
{
	u32 given;
	int err;

	if (get_user(given, (const u32 __user *)arg))
		return -EFAULT;
	if (given < least)
		return -EINVAL;
	if (given > PAGE_SIZE)
		return -E2BIG;
	err = copy_struct_from_user(to, size, arg, given);
	return err ?: given;
}

static int st_ioctl_state(struct st_sock *st, void __user *arg)
{
	struct st_peer_state state;
	int given, err;

	given = st_ioctl_take(&state, sizeof(state), ST_PEER_STATE_SIZE_VER0, arg);
	if (given < 0)
		return given;
	err = st_state_get(st, &state);
	if (err)
		return err;
	state.size = given;
	return copy_to_user(arg, &state, min_t(size_t, given, sizeof(state))) ? -EFAULT : 0;
}

/* Offer or request a region.  @nonblock: do not wait for the peer */
static int st_mem_ioctl(struct st_sock *st, unsigned int cmd, void __user *arg, bool nonblock)
{
	union {
		u32 size;
		struct st_region_offer offer;
		struct st_region_request request;
	} u;
	bool ask = cmd == SIOCSTREQUEST;
	size_t size = ask ? sizeof(u.request) : sizeof(u.offer);
	int given, err;
	u32 made;

	if (cmd != SIOCSTEXPOSE && cmd != SIOCSTALLOC && !ask)
		return -ENOIOCTLCMD;
	given = st_ioctl_take(&u, size, ask ? ST_REGION_REQUEST_SIZE_VER0 :
					      ST_REGION_OFFER_SIZE_VER0, arg);
	if (given < 0)
		return given;
	if (ask ? u.request.region || u.request.reserved : u.offer.region || u.offer.reserved)
		return -EINVAL;
	if (ask && nonblock && !u.request.flags)
		return -EAGAIN;
	if (ask) {
		err = st_remote_request(st, &u.request);
		made = u.request.region;
	} else {
		err = st_region_offer(st, cmd == SIOCSTALLOC, &u.offer);
		made = u.offer.region;
	}
	if (err)
		return err;
	u.size = given;
	if (!copy_to_user(arg, &u, min_t(size_t, given, size)))
		return 0;
	/* The caller does not get the handle */
	st_mem_end(st, made);
	return -EFAULT;
}

/**
 * st_ioctl - ioctl() on a socket
 * @sock: the socket
 * @cmd: SIOCINQ, SIOCOUTQ or SIOCST*, else -ENOIOCTLCMD
 * @arg: address of the argument and result
 *
 * Context: process, may sleep.
 * Return: 0 or a negative errno.
 */
int st_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg)
{
	struct st_sock *st = st_sk(sock->sk);
	int bytes, err;

	switch (cmd) {
	case SIOCINQ:
	case SIOCOUTQ:
		err = st_queued(sock->sk, cmd, &bytes);
		return err ?: put_user(bytes, (int __user *)arg);
	case SIOCSTSTATE:
		return st_ioctl_state(st, (void __user *)arg);
	default:
		return st_mem_ioctl(st, cmd, (void __user *)arg,
				    sock->file->f_flags & O_NONBLOCK);
	}
}

#ifdef CONFIG_COMPAT
/**
 * st_compat_ioctl - ioctl() of a 32-bit process, with structures of the same layout
 * @sock: the socket
 * @cmd: as in st_ioctl()
 * @arg: as in st_ioctl()
 *
 * Context: process, may sleep.
 * Return: 0 or a negative errno.
 */
int st_compat_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg)
{
	return st_ioctl(sock, cmd, (unsigned long)compat_ptr(arg));
}
#endif
