// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/fcvi: protection tags and memory regions, VI-DG 3.4, 3.7.4 and 3.7.5.
 */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "dev_mem.h"
#include "vi.h"

/* Pages that are pinned at a time, with the lock of the process's memory held */
#define FCVI_PIN_BATCH	512

#define FCVI_MEM_FLAGS	(FCVI_DEV_RDMA_WRITE | FCVI_DEV_RDMA_READ)

/**
 * struct fcvi_umem - a memory region
 * @r: range, rights and pages
 * @list: in fcvi_file.regions
 * @tag: number of its protection tag
 * @nr: pages that are pinned
 * @mmp: whom they are charged to
 */
struct fcvi_umem {
	struct fcvi_region	r;
	struct list_head	list;
	u32			tag;
	unsigned long		nr;
	struct mmpin		mmp;
};

/**
 * fcvi_utag - find a protection tag
 * @f: the file, under its lock
 * @id: number of the tag
 *
 * Return: the tag, or NULL.
 */
struct fcvi_tag *fcvi_utag(struct fcvi_file *f, u32 id)
{
	lockdep_assert_held(&f->lock);
	return xa_load(&f->tags, id);
}

/**
 * fcvi_dev_tag_create - FCVI_IOC_TAG_CREATE
 * @f: the file, under its lock
 * @arg: struct fcvi_dev_tag
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_tag_create(struct fcvi_file *f, void *arg)
{
	struct fcvi_dev_tag *a = arg;
	struct fcvi_tag *tag;
	int err;

	lockdep_assert_held(&f->lock);
	if (a->reserved)
		return -EINVAL;
	tag = fcvi_tag_new(f);
	if (!tag)
		return -ENOMEM;
	err = xa_alloc(&f->tags, &a->tag, tag, XA_LIMIT(1, FCVI_DEV_MAX_TAGS), GFP_KERNEL_ACCOUNT);
	if (err) {
		kfree(tag);
		return err == -EBUSY ? -ENOSPC : err;
	}
	return 0;
}

/**
 * fcvi_dev_tag_destroy - FCVI_IOC_TAG_DESTROY
 * @f: the file, under its lock
 * @arg: struct fcvi_dev_tag
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_tag_destroy(struct fcvi_file *f, void *arg)
{
	struct fcvi_mem *mem = &f->port->mem;
	struct fcvi_dev_tag *a = arg;
	struct fcvi_tag *tag = fcvi_utag(f, a->tag);
	int err;

	lockdep_assert_held(&f->lock);
	if (a->reserved || !tag)
		return -EINVAL;
	spin_lock_bh(&mem->lock);
	err = fcvi_tag_free(mem, tag);
	spin_unlock_bh(&mem->lock);
	if (!err)
		xa_erase(&f->tags, a->tag);
	return err;
}

static void fcvi_umem_unpin(struct fcvi_umem *m)
{
	unsigned long i, n;

	for (i = 0; i < m->nr; i += n) {
		n = m->r.writable ? min_t(unsigned long, m->nr - i, FCVI_PIN_BATCH) : 1;
		unpin_user_pages_dirty_lock(m->r.pages + i, n,
					    m->r.writable || !test_bit(i, m->r.read_only));
		cond_resched();
	}
	mm_unaccount_pinned_pages(&m->mmp);
	kvfree(m->r.read_only);
	kvfree(m->r.pages);
	kfree(m);
}

/* Before a page is pinned that may not be written: whoever unpins it looks at this */
static int fcvi_umem_read_only(struct fcvi_umem *m, unsigned long pages)
{
	if (!m->r.read_only)
		m->r.read_only = kvcalloc(BITS_TO_LONGS(pages), sizeof(long), GFP_KERNEL_ACCOUNT);
	if (!m->r.read_only)
		return -ENOMEM;
	m->r.writable = false;
	return 0;
}

/*
 * Pin the next pages of one mapping.  Those that the process may not write are pinned to be read:
 * they never get a copy of their own, which the process would not see.
 */
static int fcvi_umem_pin_some(struct fcvi_umem *m, unsigned long start, unsigned long pages)
{
	unsigned long at = start + m->nr * PAGE_SIZE, n;
	unsigned int gup = FOLL_LONGTERM;
	struct vm_area_struct *vma;
	long got;
	int err;

	vma = vma_lookup(current->mm, at);
	if (!vma)
		return -EFAULT;
	n = min3(pages - m->nr, (vma->vm_end - at) >> PAGE_SHIFT, (unsigned long)FCVI_PIN_BATCH);
	if (vma->vm_flags & VM_WRITE) {
		gup |= FOLL_WRITE;
	} else {
		err = fcvi_umem_read_only(m, pages);
		if (err)
			return err;
	}
	got = pin_user_pages(at, n, gup, m->r.pages + m->nr);
	if (got <= 0)
		return got ?: -EFAULT;
	if (!(gup & FOLL_WRITE))
		bitmap_set(m->r.read_only, m->nr, got);
	m->nr += got;
	return 0;
}

static int fcvi_umem_pin(struct fcvi_umem *m, u64 addr, u64 len)
{
	unsigned long start = addr & PAGE_MASK;
	unsigned long pages = (offset_in_page(addr) + len + PAGE_SIZE - 1) >> PAGE_SHIFT;
	int err;

	/* Who may pin without a limit shall not have others killed to find that it is too much */
	if (pages > totalram_pages() || mm_account_pinned_pages(&m->mmp, len))
		return -ENOBUFS;
	m->r.writable = true;
	m->r.pages = kvcalloc(pages, sizeof(*m->r.pages), GFP_KERNEL_ACCOUNT);
	if (!m->r.pages)
		return -ENOMEM;
	while (m->nr < pages) {
		if (mmap_read_lock_killable(current->mm))
			return -EINTR;
		err = fcvi_umem_pin_some(m, start, pages);
		mmap_read_unlock(current->mm);
		if (err)
			return err;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

static int fcvi_umem_add(struct fcvi_file *f, struct fcvi_umem *m, struct fcvi_dev_mem *a)
{
	struct fcvi_mem *mem = &f->port->mem;
	int err;

	lockdep_assert_held(&f->lock);
	if (f->over)
		return f->over;
	if (f->nr_regions == FCVI_DEV_MAX_REGIONS)
		return -ENOSPC;
	m->tag = a->tag;
	m->r.tag = fcvi_utag(f, a->tag);
	if (!m->r.tag)
		return -EACCES;
	m->r.va = a->addr;
	m->r.len = a->len;
	m->r.rdma_write = a->flags & FCVI_DEV_RDMA_WRITE;
	m->r.rdma_read = a->flags & FCVI_DEV_RDMA_READ;
	spin_lock_bh(&mem->lock);
	err = fcvi_region_add(mem, &m->r);
	spin_unlock_bh(&mem->lock);
	if (err)
		return err;
	list_add(&m->list, &f->regions);
	f->nr_regions++;
	a->handle = m->r.handle;
	return 0;
}

/**
 * fcvi_dev_mem_register - FCVI_IOC_MEM_REGISTER
 * @f: the file, not under its lock
 * @arg: struct fcvi_dev_mem
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_mem_register(struct fcvi_file *f, void *arg)
{
	struct fcvi_dev_mem *a = arg;
	struct fcvi_umem *m;
	int err;

	if (a->reserved || a->handle || !a->len || a->flags & ~FCVI_MEM_FLAGS)
		return -EINVAL;
	if (a->len > FCVI_DEV_MAX_BYTES)
		return -ENOBUFS;
	if (a->addr + a->len < a->addr || !access_ok(u64_to_user_ptr(a->addr), a->len))
		return -EFAULT;
	m = kzalloc(sizeof(*m), GFP_KERNEL_ACCOUNT);
	if (!m)
		return -ENOMEM;
	err = fcvi_umem_pin(m, a->addr, a->len);
	if (!err) {
		mutex_lock(&f->lock);
		err = fcvi_umem_add(f, m, a);
		mutex_unlock(&f->lock);
	}
	if (err)
		fcvi_umem_unpin(m);
	return err;
}

static struct fcvi_umem *fcvi_umem(struct fcvi_file *f, const struct fcvi_dev_mem *a)
{
	struct fcvi_region *r = xa_load(&f->port->mem.regions, a->handle);

	lockdep_assert_held(&f->port->mem.lock);
	if (!r || r->tag->owner != f || r->va != a->addr)
		return NULL;
	return container_of(r, struct fcvi_umem, r);
}

/**
 * fcvi_dev_mem_deregister - FCVI_IOC_MEM_DEREGISTER
 * @f: the file, under its lock
 * @arg: struct fcvi_dev_mem
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_mem_deregister(struct fcvi_file *f, void *arg)
{
	struct fcvi_mem *mem = &f->port->mem;
	struct fcvi_dev_mem *a = arg;
	struct fcvi_umem *m;

	lockdep_assert_held(&f->lock);
	if (a->reserved || a->len || a->tag || a->flags)
		return -EINVAL;
	spin_lock_bh(&mem->lock);
	m = fcvi_umem(f, a);
	if (m)
		fcvi_region_remove(mem, &m->r);
	spin_unlock_bh(&mem->lock);
	if (!m)
		return -EINVAL;
	list_del(&m->list);
	f->nr_regions--;
	fcvi_umem_unpin(m);
	return 0;
}

/**
 * fcvi_dev_mem_query - FCVI_IOC_MEM_QUERY
 * @f: the file, under its lock
 * @arg: struct fcvi_dev_mem
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_mem_query(struct fcvi_file *f, void *arg)
{
	struct fcvi_mem *mem = &f->port->mem;
	struct fcvi_dev_mem *a = arg;
	struct fcvi_umem *m;

	lockdep_assert_held(&f->lock);
	if (a->reserved)
		return -EINVAL;
	spin_lock_bh(&mem->lock);
	m = fcvi_umem(f, a);
	if (m) {
		a->len = m->r.len;
		a->tag = m->tag;
		a->flags = (m->r.rdma_write ? FCVI_DEV_RDMA_WRITE : 0) |
			   (m->r.rdma_read ? FCVI_DEV_RDMA_READ : 0);
	}
	spin_unlock_bh(&mem->lock);
	return m ? 0 : -EINVAL;
}

/**
 * fcvi_dev_mem_change - FCVI_IOC_MEM_CHANGE
 * @f: the file, under its lock
 * @arg: struct fcvi_dev_mem
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_mem_change(struct fcvi_file *f, void *arg)
{
	struct fcvi_mem *mem = &f->port->mem;
	struct fcvi_dev_mem *a = arg;
	struct fcvi_region to = {
		.tag		= fcvi_utag(f, a->tag),
		.rdma_write	= a->flags & FCVI_DEV_RDMA_WRITE,
		.rdma_read	= a->flags & FCVI_DEV_RDMA_READ,
	};
	struct fcvi_umem *m;
	int err = -EINVAL;

	lockdep_assert_held(&f->lock);
	if (a->reserved || a->len || a->flags & ~FCVI_MEM_FLAGS)
		return -EINVAL;
	spin_lock_bh(&mem->lock);
	m = fcvi_umem(f, a);
	if (m)
		err = to.tag ? fcvi_region_change(mem, &m->r, &to, f) : -EACCES;
	if (!err)
		m->tag = a->tag;
	spin_unlock_bh(&mem->lock);
	return err;
}

/**
 * fcvi_dev_mem_end - de-register all memory, which stays pinned, and forget all tags
 * @f: the file, under its lock, which has no endpoints any more
 */
void fcvi_dev_mem_end(struct fcvi_file *f)
{
	struct fcvi_mem *mem = &f->port->mem;
	struct fcvi_umem *m;
	struct fcvi_tag *tag;
	unsigned long id;

	lockdep_assert_held(&f->lock);
	spin_lock_bh(&mem->lock);
	list_for_each_entry(m, &f->regions, list)
		fcvi_region_remove(mem, &m->r);
	xa_for_each(&f->tags, id, tag)
		WARN_ON(fcvi_tag_free(mem, tag));
	spin_unlock_bh(&mem->lock);
	xa_destroy(&f->tags);
}

/**
 * fcvi_dev_mem_unpin - unpin all memory, which is in no use any more
 * @f: the file, under its lock, which is over
 */
void fcvi_dev_mem_unpin(struct fcvi_file *f)
{
	struct fcvi_umem *m, *next;

	lockdep_assert_held(&f->lock);
	list_for_each_entry_safe(m, next, &f->regions, list) {
		list_del(&m->list);
		fcvi_umem_unpin(m);
	}
}
