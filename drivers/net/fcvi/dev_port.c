// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/fcvi: the port of a file, from FCVI_IOC_OPEN until one of the two goes away.
 */
#include <linux/fc2.h>
#include <linux/inetdevice.h>
#include <linux/mman.h>
#include <linux/nsproxy.h>
#include <linux/rtnetlink.h>
#include <linux/sched/mm.h>
#include <linux/sort.h>
#include <linux/st_compat.h>
#include <linux/uaccess.h>
#include <net/addrconf.h>
#include <net/ipv6.h>
#include <net/net_namespace.h>

#include "dev_cq.h"
#include "dev_event.h"
#include "dev_mem.h"
#include "dev_port.h"
#include "dev_request.h"
#include "dev_vi.h"
#include "vi.h"

/* Ports and Host Addresses that are listed at most */
#define FCVI_DEV_LIST_MAX	65536

/* The files that have a port.  The lock is taken under RTNL, and before that of a file. */
static LIST_HEAD(fcvi_files);
static DEFINE_MUTEX(fcvi_files_lock);

/**
 * fcvi_file_end - end all that a file has, but for what is pinned
 * @f: the file, under its lock
 * @why: what calls return from now on, a negative errno
 */
void fcvi_file_end(struct fcvi_file *f, int why)
{
	const struct fcvi_dev_event event = {
		.code		= FCVI_DEV_ERR_CATASTROPHIC,
		.resource	= FCVI_DEV_RES_NIC,
	};

	lockdep_assert_held(&f->lock);
	if (f->over)
		return;
	WRITE_ONCE(f->over, why);
	if (f->port) {
		fcvi_dev_request_end(f);
		fcvi_dev_vi_end(f);
		fcvi_dev_cq_end(f);
		fcvi_dev_mem_end(f);
	}
	if (why == -ENODEV)
		fcvi_event(f, &event);
	wake_up_all(&f->events.wait);
}

/**
 * fcvi_file_forget - forget the port of a file
 * @f: the file, which is over and nobody's any more
 */
void fcvi_file_forget(struct fcvi_file *f)
{
	if (!f->port)
		return;
	mutex_lock(&fcvi_files_lock);
	list_del(&f->list);
	mutex_unlock(&fcvi_files_lock);
	fcvi_port_put(f->port);
	mmdrop(f->mm);
}

/**
 * fcvi_dev_port_del - struct fcvi_client's port_del
 * @port: the port
 */
void fcvi_dev_port_del(struct fcvi_port *port)
{
	struct fcvi_file *f;

	mutex_lock(&fcvi_files_lock);
	list_for_each_entry(f, &fcvi_files, list) {
		mutex_lock(&f->lock);
		if (f->port == port) {
			fcvi_file_end(f, -ENODEV);
			/* Not under RTNL: there may be much to unpin */
			queue_work(system_dfl_wq, &f->end);
		}
		mutex_unlock(&f->lock);
	}
	mutex_unlock(&fcvi_files_lock);
}

/* Tell a program a list.  @size: bytes of an element */
static int fcvi_list_tell(struct fcvi_dev_list *a, const void *list, u32 nr, size_t size)
{
	u32 room = a->nr;

	a->nr = nr;
	if (nr > room)
		return -ENOSPC;
	return copy_to_user(u64_to_user_ptr(a->list), list, nr * size) ? -EFAULT : 0;
}

static int fcvi_ifindex_cmp(const void *a, const void *b)
{
	return *(const s32 *)a - *(const s32 *)b;
}

/**
 * fcvi_dev_ports - FCVI_IOC_PORTS
 * @f: the file, not under its lock
 * @arg: struct fcvi_dev_list
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_ports(struct fcvi_file *f, void *arg)
{
	struct net *net = current->nsproxy->net_ns;
	struct fcvi_dev_list *a = arg;
	u32 room = min_t(u32, a->nr, FCVI_DEV_LIST_MAX), nr = 0;
	struct net_device *dev;
	s32 *list;
	int err;

	if (a->reserved)
		return -EINVAL;
	list = kvcalloc(room, sizeof(*list), GFP_KERNEL_ACCOUNT);
	if (!list)
		return -ENOMEM;
	rtnl_lock();
	for_each_netdev(net, dev)
		if (fcvi_port_find(dev)) {
			if (nr < room)
				list[nr] = dev->ifindex;
			nr++;
		}
	rtnl_unlock();
	sort(list, min(nr, room), sizeof(*list), fcvi_ifindex_cmp, NULL);
	err = fcvi_list_tell(a, list, nr, sizeof(*list));
	kvfree(list);
	return err;
}

static int fcvi_file_take_port(struct fcvi_file *f, const struct fcvi_dev_open *a)
{
	struct net *net = current->nsproxy->net_ns;
	struct net_device *dev;
	struct fcvi_port *port;
	int err = -EBUSY;

	ASSERT_RTNL();
	dev = a->ifindex ? __dev_get_by_index(net, a->ifindex) : __dev_get_by_name(net, a->name);
	port = dev ? fcvi_port_find(dev) : NULL;
	if (!port)
		return -ENODEV;
	mutex_lock(&fcvi_files_lock);
	mutex_lock(&f->lock);
	if (!f->port && !f->over) {
		fcvi_port_hold(port);
		mmgrab(current->mm);
		f->mm = current->mm;
		f->owner = current->files;
		/* Other threads may come from now on */
		smp_store_release(&f->port, port);
		list_add_tail(&f->list, &fcvi_files);
		err = 0;
	}
	mutex_unlock(&f->lock);
	mutex_unlock(&fcvi_files_lock);
	return err;
}

/**
 * fcvi_dev_open - FCVI_IOC_OPEN
 * @f: the file, not under its lock
 * @arg: struct fcvi_dev_open
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_open(struct fcvi_file *f, void *arg)
{
	struct fcvi_dev_open *a = arg;
	unsigned long life;
	int err;

	if (a->reserved || (!a->ifindex && (!a->name[0] || a->name[FCVI_DEV_NAMSIZ - 1])))
		return -EINVAL;
	rtnl_lock();
	err = fcvi_file_take_port(f, a);
	rtnl_unlock();
	if (err)
		return err;
	/* It goes away with the memory of the process, at exec and exit, whoever has the file */
	life = vm_mmap(f->file, 0, PAGE_SIZE, PROT_NONE, MAP_SHARED, 0);
	if (IS_ERR_VALUE(life)) {
		mutex_lock(&f->lock);
		fcvi_file_end(f, -ESHUTDOWN);
		mutex_unlock(&f->lock);
		return (long)life;
	}
	a->life = life;
	return 0;
}

static bool fcvi_host_v4(const struct net_device *dev, struct in6_addr *host)
{
	const struct in_device *in_dev = __in_dev_get_rcu(dev);
	const struct in_ifaddr *ifa = in_dev ? rcu_dereference(in_dev->ifa_list) : NULL;

	if (ifa)
		ipv6_addr_set_v4mapped(ifa->ifa_local, host);
	return ifa;
}

/* The first global address of a device, or a link-local one */
static void fcvi_host(const struct net_device *dev, struct in6_addr *host)
{
	const struct inet6_ifaddr *ifa;
	const struct inet6_dev *idev;

	rcu_read_lock();
	if (!fcvi_host_v4(dev, host) && IS_ENABLED(CONFIG_IPV6)) {
		idev = __in6_dev_get(dev);
		if (idev)
			list_for_each_entry_rcu(ifa, &idev->addr_list, if_list) {
				*host = ifa->addr;
				if (!(ipv6_addr_type(host) & IPV6_ADDR_LINKLOCAL))
					break;
			}
	}
	rcu_read_unlock();
}

/**
 * fcvi_dev_query_port - FCVI_IOC_QUERY_PORT
 * @f: the file, under its lock
 * @arg: struct fcvi_dev_port
 *
 * Return: 0.
 */
int fcvi_dev_query_port(struct fcvi_file *f, void *arg)
{
	struct fc2_port *fc2 = fcvi_port_fc2(f->port);
	const struct net_device *dev = fc2_port_dev(fc2);
	struct fcvi_dev_port *a = arg;
	struct in6_addr host = { };

	fcvi_host(dev, &host);
	*a = (struct fcvi_dev_port) {
		.version		= FCVI_DEV_VERSION,
		.ifindex		= dev->ifindex,
		.wwpn			= fc2_port_wwpn(fc2),
		.native_mtu		= round_down(fc2_port_mfs(fc2) - 32, 4),
		.max_discrim		= FCVI_DEV_DISCRIM_MAX,
		.max_trans_size		= U32_MAX,
		.max_pipeline_depth	= FCVI_DEV_MAX_DEPTH,
		.max_vis		= FCVI_DEV_MAX_VIS,
		.max_tags		= FCVI_DEV_MAX_TAGS,
		.max_regions		= FCVI_DEV_MAX_REGIONS,
		.max_cqs		= FCVI_DEV_MAX_CQS,
		.max_cq_entries		= FCVI_DEV_MAX_CQ_ENTRIES,
		.max_descs		= FCVI_DEV_MAX_DESCS,
		.max_segs		= FCVI_DEV_MAX_SEGS,
		.max_region_bytes	= FCVI_DEV_MAX_BYTES,
	};
	memcpy(a->host, &host, sizeof(a->host));
	strscpy(a->name, dev->name, sizeof(a->name));
	return 0;
}

/**
 * fcvi_dev_hosts - FCVI_IOC_HOSTS
 * @f: the file, not under its lock
 * @arg: struct fcvi_dev_list
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_hosts(struct fcvi_file *f, void *arg)
{
	struct fcvi_dev_list *a = arg;
	u32 room = min_t(u32, a->nr, FCVI_DEV_LIST_MAX), nr = 0;
	struct in6_addr *list;
	int err;

	if (a->reserved)
		return -EINVAL;
	list = kvcalloc(room, sizeof(*list), GFP_KERNEL_ACCOUNT);
	if (!list)
		return -ENOMEM;
	mutex_lock(&f->lock);
	err = f->over;
	if (!err)
		nr = fc2_farp_known(fcvi_port_fc2(f->port), list, room);
	mutex_unlock(&f->lock);
	if (!err)
		err = fcvi_list_tell(a, list, nr, sizeof(*list));
	kvfree(list);
	return err;
}
