// SPDX-License-Identifier: GPL-2.0
/*
 * Regions for applications: the options ST_REGION_*, the ioctl() calls of
 * include/uapi/linux/st.h, and mmap().
 */
#include <linux/mm.h>
#include <linux/nospec.h>

#include "mem/region.h"
#include "mem/remote.h"
#include "proto/proto.h"
#include "sock/sock.h"

#define ST_REGION_EV	(ST_REGION_EV_REQUEST | ST_REGION_EV_STATE | ST_REGION_EV_PUT)

/**
 * st_mem_option - whether an option belongs to persistent memory
 * @optname: at level SOL_ST
 *
 * Context: any.
 * Return: true for ST_REGION_*.
 */
bool st_mem_option(int optname)
{
	return optname >= ST_REGION_REFUSE && optname <= ST_REGION_INFO;
}

/**
 * st_mem_end - end a region of either end
 * @st: the socket
 * @id: its handle
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOENT.
 */
int st_mem_end(struct st_sock *st, u32 id)
{
	int err = st_region_end(st, id);

	if (err == -ENOENT)
		err = st_remote_end(st, id);
	/* The last operations may have ended with the region */
	spin_lock_bh(&st->lock);
	st_vc_maybe_disconnect(st);
	st_unlock(st);
	return err;
}

/**
 * st_mem_setsockopt - set an option of persistent memory
 * @st: the socket
 * @optname: ST_REGION_REFUSE, ST_REGION_END or ST_REGION_EVENTS, else -ENOPROTOOPT
 * @optval: an int
 * @optlen: at least the size of an int, else -EINVAL
 *
 * Context: process, may sleep.
 * Return: 0 or a negative errno.
 */
int st_mem_setsockopt(struct st_sock *st, int optname, sockptr_t optval, unsigned int optlen)
{
	u32 val;
	int err;

	err = copy_safe_from_sockptr(&val, sizeof(val), optval, optlen);
	if (err)
		return err;
	switch (optname) {
	case ST_REGION_REFUSE:
		spin_lock_bh(&st->lock);
		err = st_region_refuse(st, val);
		st_unlock(st);
		return err;
	case ST_REGION_END:
		return st_mem_end(st, val);
	case ST_REGION_EVENTS:
		if (val & ~ST_REGION_EV)
			return -EINVAL;
		WRITE_ONCE(st->opts.region_events, val);
		return 0;
	default:
		return -ENOPROTOOPT;
	}
}

static int st_mem_info(struct st_sock *st, struct st_region_info *info)
{
	const struct st_remote *rm;
	const struct st_region *r;
	int err = 0;

	spin_lock_bh(&st->lock);
	rm = st->mem ? st_remote_find(st->mem, info->region) : NULL;
	r = st->mem ? st_region_find(st->mem, info->region) : NULL;
	if (rm && !rm->ending) {
		*info = rm->info;
		info->granted = rm->ready;
	} else if (r && !r->ending) {
		*info = r->info;
		info->granted = r->granted;
		info->access = r->access;
		info->len = r->granted ? r->size : r->len;
	} else {
		err = -ENOENT;
	}
	spin_unlock_bh(&st->lock);
	return err;
}

/**
 * st_mem_getsockopt - get an option of persistent memory
 * @st: the socket
 * @optname: ST_REGION_INFO or ST_REGION_EVENTS, else -ENOPROTOOPT
 * @optval: destination; for ST_REGION_INFO it names the region
 * @optlen: room there, at least four bytes, else -EINVAL; set to the bytes written
 *
 * Context: process, may sleep.
 * Return: 0 or a negative errno.
 */
int st_mem_getsockopt(struct st_sock *st, int optname, char __user *optval,
		      int __user *optlen)
{
	struct st_region_info info = {};
	u32 value;
	int len, err;

	if (optname != ST_REGION_INFO && optname != ST_REGION_EVENTS)
		return -ENOPROTOOPT;
	if (get_user(len, optlen))
		return -EFAULT;
	if (len < (int)sizeof(value))
		return -EINVAL;
	if (optname == ST_REGION_EVENTS) {
		value = READ_ONCE(st->opts.region_events);
		len = sizeof(value);
		if (copy_to_user(optval, &value, len))
			return -EFAULT;
	} else {
		if (get_user(value, (u32 __user *)optval))
			return -EFAULT;
		info.region = value;
		err = st_mem_info(st, &info);
		if (err)
			return err;
		len = min_t(int, len, sizeof(info));
		if (copy_to_user(optval, &info, len))
			return -EFAULT;
	}
	return put_user(len, optlen);
}

/* The memory at an mmap() offset, with a reference, or NULL. */
static struct st_buf *st_region_mapping(struct st_sock *st, unsigned long pgoff)
{
	unsigned long place = pgoff >> (ST_REGION_MAP_SHIFT - PAGE_SHIFT);
	struct st_buf *buf = NULL;
	struct st_region *r;

	if (place >= ST_REGIONS)
		return NULL;
	place = array_index_nospec(place, ST_REGIONS);
	spin_lock_bh(&st->lock);
	r = st->mem ? st->mem->by_mx[place] : NULL;
	if (r && r->mapped) {
		buf = r->buf;
		st_buf_hold(buf);
	}
	spin_unlock_bh(&st->lock);
	return buf;
}

static void st_mem_vma_open(struct vm_area_struct *vma)
{
	st_buf_hold(vma->vm_private_data);
}

static void st_mem_vma_close(struct vm_area_struct *vma)
{
	st_buf_free_slowly(vma->vm_private_data);
}

/* The page within its region that an mmap() offset names */
static unsigned long st_region_page(unsigned long pgoff)
{
	return pgoff & (BIT(ST_REGION_MAP_SHIFT - PAGE_SHIFT) - 1);
}

static vm_fault_t st_mem_vma_fault(struct vm_fault *vmf)
{
	const struct st_buf *buf = vmf->vma->vm_private_data;
	unsigned long at = st_region_page(vmf->pgoff);

	if (at >= buf->nr)
		return VM_FAULT_SIGBUS;
	vmf->page = buf->seg[at].page;
	get_page(vmf->page);
	return 0;
}

static const struct vm_operations_struct st_mem_vm_ops = {
	.open	= st_mem_vma_open,
	.close	= st_mem_vma_close,
	.fault	= st_mem_vma_fault,
};

/**
 * st_mem_mmap - mmap() of a region of kernel memory
 * @file: the file of the socket
 * @sock: the socket
 * @vma: the mapping; its offset is that of SIOCSTALLOC, plus whole pages
 *
 * A mapping may outlive its region.  The peer can't use the memory any more then, but it counts
 * against RLIMIT_MEMLOCK, net.st.max_regions and net.st.max_region_bytes until it is unmapped.
 *
 * Context: process, under mmap_lock.
 * Return: 0, or -EINVAL for a range outside such a region.
 */
int st_mem_mmap(struct file *file, struct socket *sock, struct vm_area_struct *vma)
{
	unsigned long first = st_region_page(vma->vm_pgoff);
	struct st_buf *buf;

	if (!(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	buf = st_region_mapping(st_sk(sock->sk), vma->vm_pgoff);
	if (!buf)
		return -EINVAL;
	if (first > buf->nr || vma_pages(vma) > buf->nr - first) {
		st_buf_free(buf, false);
		return -EINVAL;
	}
	vm_flags_set(vma, VM_DONTEXPAND | VM_DONTDUMP);
	vma->vm_private_data = buf;
	vma->vm_ops = &st_mem_vm_ops;
	return 0;
}
