// SPDX-License-Identifier: GPL-2.0
/*
 * Waits before a call moves bytes: for the setup of the connection, and for room.
 */
#include <linux/sched/signal.h>
#include <linux/wait.h>

#include "sock/sock.h"

/**
 * st_wait_connected - wait for the setup of a connection
 * @sk: the socket
 * @timeo: limit, jiffies; set to what is left
 *
 * Context: process, under lock_sock(), which is dropped while waiting.
 * Return: 0 when the setup is over, or after shutdown(), -EINPROGRESS at the timeout, -EINTR or
 * -ERESTARTSYS at a signal.
 */
int st_wait_connected(struct sock *sk, long *timeo)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	int err = 0;

	add_wait_queue(sk_sleep(sk), &wait);
	while (READ_ONCE(sk->sk_state) == ST_CONNECTING && !READ_ONCE(sk->sk_shutdown)) {
		if (!*timeo)
			err = -EINPROGRESS;
		else if (signal_pending(current))
			err = sock_intr_errno(*timeo);
		if (err)
			break;
		release_sock(sk);
		*timeo = wait_woken(&wait, TASK_INTERRUPTIBLE, *timeo);
		lock_sock(sk);
	}
	remove_wait_queue(sk_sleep(sk), &wait);
	return err;
}

/**
 * st_wait_setup - wait for a setup under way before bytes are moved
 * @sk: the socket
 * @timeo: limit, jiffies; set to what is left
 *
 * Context: process, not under lock_sock().
 * Return: 0 when no setup is under way, -EAGAIN at the timeout, -EINTR or -ERESTARTSYS at a
 * signal.
 */
int st_wait_setup(struct sock *sk, long *timeo)
{
	int err;

	if (READ_ONCE(sk->sk_state) != ST_CONNECTING)
		return 0;
	lock_sock(sk);
	err = st_wait_connected(sk, timeo);
	release_sock(sk);
	return err == -EINPROGRESS ? -EAGAIN : err;
}

/**
 * st_send_ready - whether a call may send
 * @sk: the socket
 * @msg: the message
 * @nonblock: do not wait for a setup under way
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int st_send_ready(struct sock *sk, struct msghdr *msg, bool nonblock)
{
	long timeo = sock_sndtimeo(sk, nonblock);
	int err;

	err = st_wait_setup(sk, &timeo);
	if (err)
		return err;
	err = sock_error(sk);
	if (err)
		return err;
	if (READ_ONCE(sk->sk_shutdown) & SEND_SHUTDOWN)
		return -EPIPE;
	return READ_ONCE(sk->sk_state) == ST_ESTABLISHED ? 0 : -ENOTCONN;
}

/**
 * st_send_wait - wait for room
 * @st: the Virtual Connection
 * @timeo: limit, jiffies; set to what is left
 * @room: whether there is room; st_tx_wake() is called when its result may change
 *
 * Context: process, may sleep.
 * Return: 0, -EPIPE after a teardown, -EAGAIN at the timeout, -EINTR or -ERESTARTSYS
 * at a signal.
 */
int st_send_wait(struct st_sock *st, long *timeo, bool (*room)(struct st_sock *st))
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	struct sock *sk = &st->sk;
	int err = 0;

	if (room(st))
		return 0;
	add_wait_queue(sk_sleep(sk), &wait);
	while (!room(st)) {
		if (READ_ONCE(sk->sk_state) != ST_ESTABLISHED ||
		    (READ_ONCE(sk->sk_shutdown) & SEND_SHUTDOWN))
			err = -EPIPE;
		else if (!*timeo)
			err = -EAGAIN;
		else if (signal_pending(current))
			err = sock_intr_errno(*timeo);
		if (err)
			break;
		*timeo = wait_woken(&wait, TASK_INTERRUPTIBLE, *timeo);
	}
	remove_wait_queue(sk_sleep(sk), &wait);
	return err;
}
