/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between Linux 6.12 and later kernels.
 *
 * The code is written for the newest kernel; this header adds the names that older
 * kernels lack.  A tree inside the kernel does not need it.
 */
#ifndef _LINUX_ST_COMPAT_H
#define _LINUX_ST_COMPAT_H

#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/netlink.h>
#include <linux/skbuff.h>
#include <linux/sockptr.h>
#include <linux/timer.h>
#include <linux/version.h>
#include <linux/workqueue.h>
#include <net/devlink.h>
#include <net/ip6_route.h>
#include <net/ipv6.h>
#include <net/ndisc.h>
#include <net/netlink.h>
#include <net/rtnetlink.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#error "Linux 6.12 or newer is needed"
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 3, 0)
/* Older kernels do not check the bytes behind the end */
static inline int st_copy_struct_from_sockptr(void *dst, size_t ksize, sockptr_t src,
					      size_t usize)
{
	if (!sockptr_is_kernel(src))
		return copy_struct_from_user(dst, ksize, src.user, usize);
	if (usize > ksize && memchr_inv(src.kernel + ksize, 0, usize - ksize))
		return -E2BIG;
	memset(dst, 0, ksize);
	memcpy(dst, src.kernel, min(ksize, usize));
	return 0;
}

#define copy_struct_from_sockptr	st_copy_struct_from_sockptr
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#define usleep_range_idle	usleep_idle_range
#undef MODULE_IMPORT_NS
#define MODULE_IMPORT_NS(ns)	MODULE_INFO(import_ns, ns)

static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock_id, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock_id, mode);
	timer->function = function;
}
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 14, 0)
/* No control message has one */
#define ST_SOCKCM_PRIORITY(sockc)	((void)(sockc), 0)
#else
#define ST_SOCKCM_PRIORITY(sockc)	((sockc)->priority)
#endif

#ifndef timer_container_of		/* before 6.16 */
#define timer_container_of	from_timer
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
/* What newlink() of struct rtnl_link_ops gets */
struct rtnl_newlink_params {
	struct net *src_net;
	struct nlattr **tb;
	struct nlattr **data;
};

static inline struct net *rtnl_newlink_link_net(struct rtnl_newlink_params *p)
{
	return p->src_net;
}

#define ST_NEWLINK(fn)									\
static int fn ## _form(struct net *net, struct net_device *dev, struct nlattr *tb[],	\
		       struct nlattr *data[], struct netlink_ext_ack *extack)		\
{											\
	struct rtnl_newlink_params p = { .src_net = net, .tb = tb, .data = data };	\
											\
	return fn(dev, &p, extack);							\
}

#define ST_NEWLINK_FORM(fn)	fn ## _form
#else
#define ST_NEWLINK(fn)
#define ST_NEWLINK_FORM(fn)	fn
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define msg_zerocopy_realloc(sk, size, uarg, devmem)	msg_zerocopy_realloc(sk, size, uarg)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define sk_uid(sk)		sock_i_uid(sk)
#define system_dfl_wq		system_unbound_wq
#define system_percpu_wq	system_wq
#endif

#ifdef _IPV6_STUBS_H			/* where it can be a module; later kernels do without */
/* While it is not there, the functions say so */
#define ipv6_mod_enabled()	true
#define ip6_dst_lookup_flow(net, sk, fl6, final)					\
	ipv6_stub->ipv6_dst_lookup_flow(net, sk, fl6, final)
#define st_nd_table()		(ipv6_stub->nd_tbl)
#else
#define st_nd_table()		(&nd_tbl)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 18, 0)
/* A grace period has no meaning for a reporter that recovers nothing */
#define devl_port_health_reporter_create(port, ops, priv)				\
	devl_port_health_reporter_create(port, ops, 0, priv)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 19, 0)
#define sockaddr_unsized	sockaddr
#endif

#ifndef NLA_POLICY_MAX_LEN
#define NLA_POLICY_MAX_LEN(len)	NLA_POLICY_MAX(NLA_BINARY, len)
#endif

#ifndef NL_ASSERT_CTX_FITS		/* before 7.2 */
#define NL_ASSERT_CTX_FITS	NL_ASSERT_DUMP_CTX_FITS
#endif

/**
 * ST_DEVLINK_PARAM_GET() - define a devlink parameter's get function in the form of older
 * kernels
 * @fn: the function; the other form has no extack
 *
 * ST_DEVLINK_PARAM_FORM() chooses, by its type, the form that the kernel calls: this
 * form and that of ST_DEVLINK_PARAM_VALIDATE() changed in different versions.
 */
#define ST_DEVLINK_PARAM_GET(fn)							\
static int __maybe_unused fn ## _form(struct devlink *devlink, u32 id,			\
				      struct devlink_param_gset_ctx *ctx)		\
{											\
	return fn(devlink, id, ctx, NULL);						\
}

/**
 * ST_DEVLINK_PARAM_VALIDATE() - define a devlink parameter's validate function
 * in the form of older kernels
 * @fn: the function; the other form takes a value instead of a pointer to it
 */
#define ST_DEVLINK_PARAM_VALIDATE(fn)							\
static int __maybe_unused fn ## _form(struct devlink *devlink, u32 id,			\
				      union devlink_param_value val,			\
				      struct netlink_ext_ack *extack)			\
{											\
	return fn(devlink, id, &val, extack);						\
}

/**
 * ST_DEVLINK_PARAM_FORM() - choose the form of a function that this kernel
 * calls
 * @member: the member of struct devlink_param that it is assigned to
 * @fn: a function given to one of the two above
 */
#define ST_DEVLINK_PARAM_FORM(member, fn)						\
	__builtin_choose_expr(__same_type(((struct devlink_param *)NULL)->member, &(fn)),	\
			      fn, fn ## _form)

/**
 * ST_HEADER_PARSE() - define header_ops.parse in the form of older kernels, without a device
 * @fn: the function
 *
 * ST_HEADER_PARSE_FORM() chooses, by its type, the form that the kernel calls.
 */
#define ST_HEADER_PARSE(fn)								\
static int __maybe_unused fn ## _form(const struct sk_buff *skb, unsigned char *addr)	\
{											\
	return fn(skb, skb->dev, addr);							\
}

/**
 * ST_HEADER_PARSE_FORM() - choose the form of header_ops.parse that this kernel calls
 * @fn: the function given to ST_HEADER_PARSE()
 */
#define ST_HEADER_PARSE_FORM(fn)							\
	__builtin_choose_expr(__same_type(((struct header_ops *)NULL)->parse, &(fn)),	\
			      fn, fn ## _form)

#endif /* _LINUX_ST_COMPAT_H */
