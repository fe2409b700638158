// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/fcvi: completion queues, VI-DG 3.6.  The entries are in a ring in memory that the program
 * has mapped, so that it takes them without a system call.  What the program writes there is
 * believed only as far as it harms nobody but itself.
 */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "dev_cq.h"
#include "dev_event.h"
#include "vi.h"

/* Distance of the mmap() offsets of two queues; exceeds the size of a ring */
#define FCVI_CQ_MAP_SHIFT	21

static u64 fcvi_ring_bytes(u32 entries)
{
	return PAGE_ALIGN(offsetof(struct fcvi_dev_ring, entry) +
			  (u64)entries * sizeof(struct fcvi_dev_entry));
}

/**
 * fcvi_ucq - find a completion queue
 * @f: the file, under its lock
 * @id: its number
 *
 * Return: the completion queue, or NULL.
 */
struct fcvi_ucq *fcvi_ucq(struct fcvi_file *f, u32 id)
{
	lockdep_assert_held(&f->lock);
	return xa_load(&f->cqs, id);
}

static void fcvi_ucq_release(struct kref *refs)
{
	kfree(container_of(refs, struct fcvi_ucq, refs));
}

static struct fcvi_dev_ring *fcvi_ring_new(u32 entries, struct mmpin *mmp)
{
	u64 bytes = fcvi_ring_bytes(entries);
	struct fcvi_dev_ring *ring;

	BUILD_BUG_ON(FCVI_DEV_MAX_CQ_ENTRIES * sizeof(struct fcvi_dev_entry) + PAGE_SIZE >
		     1 << FCVI_CQ_MAP_SHIFT);
	memset(mmp, 0, sizeof(*mmp));
	if (mm_account_pinned_pages(mmp, bytes))
		return ERR_PTR(-ENOBUFS);
	ring = vmalloc_user(bytes);
	if (!ring) {
		mm_unaccount_pinned_pages(mmp);
		return ERR_PTR(-ENOMEM);
	}
	ring->mask = entries - 1;
	return ring;
}

/* Pages that the program has mapped stay until it unmaps them */
static void fcvi_ring_free(struct fcvi_dev_ring *ring, struct mmpin *mmp)
{
	vfree(ring);
	mm_unaccount_pinned_pages(mmp);
}

static void fcvi_ucq_tell(const struct fcvi_ucq *c, struct fcvi_dev_cq *a)
{
	a->cq = c->id;
	a->entries = c->mask + 1;
	a->offset = (u64)c->id << FCVI_CQ_MAP_SHIFT;
	a->bytes = fcvi_ring_bytes(a->entries);
}

/**
 * fcvi_dev_cq_create - FCVI_IOC_CQ_CREATE
 * @f: the file, under its lock
 * @arg: struct fcvi_dev_cq
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_cq_create(struct fcvi_file *f, void *arg)
{
	struct fcvi_dev_cq *a = arg;
	struct fcvi_ucq *c;
	int err;

	lockdep_assert_held(&f->lock);
	if (!a->entries || a->entries > FCVI_DEV_MAX_CQ_ENTRIES)
		return -EINVAL;
	c = kzalloc(sizeof(*c), GFP_KERNEL_ACCOUNT);
	if (!c)
		return -ENOMEM;
	kref_init(&c->refs);
	init_waitqueue_head(&c->wait);
	c->user = a->user;
	c->mask = roundup_pow_of_two(a->entries) - 1;
	c->ring = fcvi_ring_new(c->mask + 1, &c->mmp);
	if (IS_ERR(c->ring)) {
		err = PTR_ERR(c->ring);
		goto free;
	}
	err = xa_alloc(&f->cqs, &c->id, c, XA_LIMIT(1, FCVI_DEV_MAX_CQS), GFP_KERNEL_ACCOUNT);
	if (!err) {
		fcvi_ucq_tell(c, a);
		return 0;
	}
	fcvi_ring_free(c->ring, &c->mmp);
free:
	kfree(c);
	return err == -EBUSY ? -ENOSPC : err;
}

/* Entries that the program has not taken; it may say anything */
static u32 fcvi_ucq_left(const struct fcvi_ucq *c)
{
	return min(c->put - READ_ONCE(c->ring->taken), c->mask + 1);
}

/* Return: false: not all that is left fits. */
static bool fcvi_ucq_move(struct fcvi_ucq *c, struct fcvi_dev_ring *to, u32 mask)
{
	u32 left = fcvi_ucq_left(c), n;

	if (left > mask + 1)
		return false;
	for (n = c->put - left; n != c->put; n++)
		to->entry[n & mask] = c->ring->entry[n & c->mask];
	to->taken = c->put - left;
	to->put = c->put;
	to->lost = c->ring->lost;
	to->generation = c->ring->generation + 1;
	WRITE_ONCE(c->ring->generation, to->generation);
	c->ring = to;
	c->mask = mask;
	return true;
}

/**
 * fcvi_dev_cq_resize - FCVI_IOC_CQ_RESIZE
 * @f: the file, under its lock
 * @arg: struct fcvi_dev_cq
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_cq_resize(struct fcvi_file *f, void *arg)
{
	struct fcvi_dev_cq *a = arg;
	struct fcvi_ucq *c = fcvi_ucq(f, a->cq);
	struct fcvi_dev_ring *ring, *old;
	struct mmpin mmp;
	bool moved;
	u32 mask;

	if (!c || !a->entries || a->entries > FCVI_DEV_MAX_CQ_ENTRIES)
		return -EINVAL;
	mask = roundup_pow_of_two(a->entries) - 1;
	ring = fcvi_ring_new(mask + 1, &mmp);
	if (IS_ERR(ring))
		return PTR_ERR(ring);
	fcvi_lock(f->port);
	old = c->ring;
	moved = fcvi_ucq_move(c, ring, mask);
	fcvi_unlock(f->port);
	if (!moved) {
		fcvi_ring_free(ring, &mmp);
		return -ENOSPC;
	}
	fcvi_ring_free(old, &c->mmp);
	c->mmp = mmp;
	fcvi_ucq_tell(c, a);
	return 0;
}

static void fcvi_ucq_free(struct fcvi_file *f, struct fcvi_ucq *c)
{
	xa_erase(&f->cqs, c->id);
	fcvi_lock(f->port);
	c->gone = true;
	fcvi_unlock(f->port);
	wake_up_all(&c->wait);
	fcvi_ring_free(c->ring, &c->mmp);
	kref_put(&c->refs, fcvi_ucq_release);
}

/**
 * fcvi_dev_cq_destroy - FCVI_IOC_CQ_DESTROY
 * @f: the file, under its lock
 * @arg: struct fcvi_dev_cq
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_cq_destroy(struct fcvi_file *f, void *arg)
{
	struct fcvi_dev_cq *a = arg;
	struct fcvi_ucq *c = fcvi_ucq(f, a->cq);

	if (!c)
		return -EINVAL;
	if (c->users)
		return -EBUSY;
	fcvi_ucq_free(f, c);
	return 0;
}

/**
 * fcvi_dev_cq_map - mmap() of a ring
 * @f: the file
 * @vma: where to
 *
 * Context: process, under the lock of its memory.
 * Return: 0 or a negative errno.
 */
int fcvi_dev_cq_map(struct fcvi_file *f, struct vm_area_struct *vma)
{
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	struct fcvi_ucq *c;
	int err = -EINVAL;

	mutex_lock(&f->lock);
	c = offset & ((1 << FCVI_CQ_MAP_SHIFT) - 1) ? NULL :
						      fcvi_ucq(f, offset >> FCVI_CQ_MAP_SHIFT);
	if (c && vma->vm_end - vma->vm_start == fcvi_ring_bytes(c->mask + 1)) {
		/* The ring of a process is of no use to its children */
		vm_flags_set(vma, VM_DONTCOPY);
		err = remap_vmalloc_range(vma, c->ring, 0);
	}
	mutex_unlock(&f->lock);
	return err;
}

/* The ring was full.  The endpoints that use it fail, VI-DG 6.3.2. */
static void fcvi_ucq_overrun(struct fcvi_ucq *c, struct fcvi_file *f)
{
	const struct fcvi_dev_event event = {
		.code		= FCVI_DEV_ERR_CATASTROPHIC,
		.resource	= FCVI_DEV_RES_CQ,
		.cq		= c->id,
		.cq_user	= c->user,
	};

	WRITE_ONCE(c->ring->lost, c->ring->lost + 1);
	if (c->overrun)
		return;
	c->overrun = true;
	fcvi_event(f, &event);
	schedule_work(&f->fail);
}

/**
 * fcvi_ucq_add - a Descriptor is complete
 * @c: the completion queue
 * @u: the endpoint
 * @queue: enum fcvi_dev_queue
 *
 * Context: under the lock of the port.
 */
void fcvi_ucq_add(struct fcvi_ucq *c, struct fcvi_uvi *u, u32 queue)
{
	if (fcvi_ucq_left(c) > c->mask) {
		fcvi_ucq_overrun(c, u->file);
		return;
	}
	c->ring->entry[c->put & c->mask] = (struct fcvi_dev_entry) {
		.user	= u->user,
		.vi	= u->id,
		.queue	= queue,
	};
	/* The program reads it with acquire semantics before the entry */
	smp_store_release(&c->ring->put, ++c->put);
	wake_up_interruptible(&c->wait);
}

static bool fcvi_ucq_more(const struct fcvi_file *f, const struct fcvi_ucq *c, u32 seen)
{
	return (s32)(READ_ONCE(c->put) - seen) > 0 || READ_ONCE(c->gone) || READ_ONCE(f->over);
}

/**
 * fcvi_ucq_wait - wait for an entry
 * @f: the file, not under its lock
 * @w: what for, and how long
 *
 * Return: 0 or a negative errno; what is left of the time is in @w.
 */
int fcvi_ucq_wait(struct fcvi_file *f, struct fcvi_dev_wait *w)
{
	struct fcvi_ucq *c;
	int err;

	mutex_lock(&f->lock);
	c = fcvi_ucq(f, w->cq);
	if (c)
		kref_get(&c->refs);
	mutex_unlock(&f->lock);
	if (!c)
		return -EINVAL;
	err = fcvi_dev_wait_for(c->wait, fcvi_ucq_more(f, c, w->seen), &w->timeout);
	if (READ_ONCE(f->over))
		err = f->over;
	else if (READ_ONCE(c->gone))
		err = -ECANCELED;
	w->seen = READ_ONCE(c->put);
	kref_put(&c->refs, fcvi_ucq_release);
	return err;
}

/**
 * fcvi_dev_cq_end - destroy all completion queues
 * @f: the file, under its lock, which has no endpoints any more
 */
void fcvi_dev_cq_end(struct fcvi_file *f)
{
	struct fcvi_ucq *c;
	unsigned long id;

	xa_for_each(&f->cqs, id, c)
		fcvi_ucq_free(f, c);
	xa_destroy(&f->cqs);
}
