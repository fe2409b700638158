/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The system calls.
 */
#ifndef _NET_ST_SOCK_H
#define _NET_ST_SOCK_H

#include <linux/st_compat.h>

#include "st_sock.h"

/* sock/af_st.c */
int st_addr_check(const struct sockaddr_st *addr, int len);

/* sock/cmsg.c */
bool st_send_valid(const struct st_send *send);
int st_ctl_parse(struct sock *sk, struct msghdr *msg, struct st_ctl *ctl);

/* sock/connect.c */
int st_connect(struct socket *sock, struct sockaddr_unsized *uaddr, int addr_len, int flags);
int st_listen(struct socket *sock, int backlog);
int st_accept(struct socket *sock, struct socket *newsock, struct proto_accept_arg *arg);
void st_close_listener(struct st_sock *st);

/* sock/end.c */
int st_end(struct st_sock *st, const struct st_end *end);

/* sock/ioctl.c */
int st_queued(struct sock *sk, int cmd, int *karg);
int st_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg);
int st_compat_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg);

/* sock/onesided.c */
bool st_onesided_is(struct msghdr *msg);
int st_onesided_sendmsg(struct sock *sk, struct msghdr *msg, size_t len);

/* sock/recvmsg.c */
int st_recvmsg(struct socket *sock, struct msghdr *msg, size_t len, int flags);

/* sock/region.c */
bool st_mem_option(int optname);
int st_mem_end(struct st_sock *st, u32 id);
int st_mem_setsockopt(struct st_sock *st, int optname, sockptr_t optval, unsigned int optlen);
int st_mem_getsockopt(struct st_sock *st, int optname, char __user *optval,
		      int __user *optlen);
int st_mem_mmap(struct file *file, struct socket *sock, struct vm_area_struct *vma);

/* sock/send_stream.c */
ssize_t st_stream_send(struct st_sock *st, struct msghdr *msg, size_t len,
		       const struct st_ctl *ctl);

/* sock/sendmsg.c */
void st_tx_shutdown(struct st_sock *st);
int st_sendmsg(struct socket *sock, struct msghdr *msg, size_t len);

/* sock/sockopt.c */
int st_setsockopt(struct socket *sock, int level, int optname, sockptr_t optval,
		  unsigned int optlen);
int st_getsockopt(struct socket *sock, int level, int optname, char __user *optval,
		  int __user *optlen);
int st_stripe_set(struct st_sock *st, int val);
int st_stripe_set_addrs(struct st_sock *st, sockptr_t optval, unsigned int optlen);
int st_stripe_get_addrs(struct st_sock *st, struct sockaddr_st *asked);
bool st_not_yet_used(const struct sock *sk);

/* sock/wait.c */
int st_wait_connected(struct sock *sk, long *timeo);
int st_wait_setup(struct sock *sk, long *timeo);
int st_send_ready(struct sock *sk, struct msghdr *msg, bool nonblock);
int st_send_wait(struct st_sock *st, long *timeo, bool (*room)(struct st_sock *st));

#endif
