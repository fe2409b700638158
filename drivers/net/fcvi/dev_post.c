// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/fcvi: Descriptors from FCVI_IOC_POST until their completion, VI-DG 3.5 and 5.5.
 *
 * A region may be de-registered at any time.  So what a Descriptor refers to is looked up again for
 * each frame, and for its status, VI-ARCH 3.2.1.
 */
#include <linux/highmem.h>

#include "dev_cq.h"
#include "dev_desc.h"
#include "dev_event.h"
#include "dev_post.h"
#include "disconnect.h"
#include "vi.h"

/* What is written of a control segment at completion, VI-DG 5.2 */
#define FCVI_CS_IMM		20
#define FCVI_CS_LENGTH		24
#define FCVI_CS_STATUS		28
#define FCVI_CS_SIZE		32

#define FCVI_SEG_SIZE		16

/* VI-DG 4.1 */
#define FCVI_DESC_ALIGN		64

static enum fcvi_access fcvi_udesc_access(const struct fcvi_udesc *d)
{
	return d->desc.op == FCVI_OP_RECV || d->desc.op == FCVI_OP_READ ? FCVI_LOCAL_WRITE :
									  FCVI_LOCAL;
}

/*
 * Call @fn for each piece of memory of @len bytes at @offset of a Descriptor, which has them.
 * Return: 0, -EFAULT: the memory is gone, or what @fn returned.
 */
static int fcvi_udesc_walk(struct fcvi_vi *vi, const struct fcvi_udesc *d, u32 offset, u32 len,
			   struct sk_buff *skb,
			   int (*fn)(struct fcvi_region *r, u64 va, struct sk_buff *skb, u32 done,
				     u32 len))
{
	struct fcvi_mem *mem = &vi->port->mem;
	const struct fcvi_useg *seg = d->segs;
	enum fcvi_access access = fcvi_udesc_access(d);
	struct fcvi_region *r;
	u32 done = 0, n;
	int err = 0;

	spin_lock(&mem->lock);
	for (; done < len && seg < d->segs + d->nr && !err; seg++) {
		if (offset >= seg->len) {
			offset -= seg->len;
			continue;
		}
		n = min(len - done, seg->len - offset);
		r = fcvi_region_find(mem, seg->handle, vi->tag, seg->va + offset, n, access);
		err = r ? fn(r, seg->va + offset, skb, done, n) : -EFAULT;
		done += n;
		offset = 0;
	}
	spin_unlock(&mem->lock);
	return err ?: done < len ? -EFAULT : 0;
}

static int fcvi_udesc_get(struct fcvi_region *r, u64 va, struct sk_buff *skb, u32 done, u32 len)
{
	fcvi_region_get(r, va, skb_put(skb, len), len);
	return 0;
}

static int fcvi_udesc_put(struct fcvi_region *r, u64 va, struct sk_buff *skb, u32 done, u32 len)
{
	return fcvi_region_put(r, va, skb, done, len);
}

/**
 * fcvi_uvi_fill - struct fcvi_user_ops' fill: make a frame of a Message
 * @vi: the endpoint
 * @desc: the Descriptor
 * @offset: first byte
 * @len: bytes
 *
 * The bytes are copied: the program may change them while a frame is on its way.
 *
 * Return: an skb or an error pointer.
 */
struct sk_buff *fcvi_uvi_fill(struct fcvi_vi *vi, struct fcvi_desc *desc, u32 offset, u32 len)
{
	struct fcvi_udesc *d = container_of(desc, struct fcvi_udesc, desc);
	struct sk_buff *skb = alloc_skb(FCVI_HEADROOM + len + FCVI_TAILROOM, GFP_ATOMIC);
	int err;

	if (!skb)
		return ERR_PTR(-ENOMEM);
	skb_reserve(skb, FCVI_HEADROOM);
	err = fcvi_udesc_walk(vi, d, offset, len, skb, fcvi_udesc_get);
	if (!err)
		return skb;
	kfree_skb(skb);
	return ERR_PTR(err);
}

/**
 * fcvi_uvi_data - struct fcvi_user_ops' data: take a frame of a Message
 * @vi: the endpoint
 * @desc: the Descriptor
 * @offset: where in it
 * @skb: the bytes; consumed
 *
 * Return: 0 or -EFAULT.
 */
int fcvi_uvi_data(struct fcvi_vi *vi, struct fcvi_desc *desc, u32 offset, struct sk_buff *skb)
{
	struct fcvi_udesc *d = container_of(desc, struct fcvi_udesc, desc);
	int err = fcvi_udesc_walk(vi, d, offset, skb->len, skb, fcvi_udesc_put);

	consume_skb(skb);
	return err;
}

/* Write what the program learns of a Descriptor, its status last.  Return: false: it is gone. */
static bool fcvi_udesc_write(struct fcvi_vi *vi, const struct fcvi_udesc *d)
{
	struct fcvi_mem *mem = &vi->port->mem;
	struct fcvi_region *r;
	u8 *cs;

	spin_lock(&mem->lock);
	r = fcvi_region_find(mem, d->handle, vi->tag, d->addr, FCVI_CS_SIZE, FCVI_LOCAL_WRITE);
	if (r) {
		cs = kmap_local_page(fcvi_region_page(r, d->addr)) + offset_in_page(d->addr);
		if (d->desc.op == FCVI_OP_RECV && d->desc.flags & FCVI_DESC_IMM)
			*(__le32 *)(cs + FCVI_CS_IMM) = cpu_to_le32(d->desc.imm);
		*(__le32 *)(cs + FCVI_CS_LENGTH) = cpu_to_le32(d->desc.error ? 0 : d->desc.len);
		/* VI-DG 5.5: the Descriptor is the program's with this */
		smp_store_release((__le32 *)(cs + FCVI_CS_STATUS),
				  cpu_to_le32(fcvi_desc_status(&d->desc)));
		kunmap_local(cs);
		flush_dcache_page(fcvi_region_page(r, d->addr));
	}
	spin_unlock(&mem->lock);
	return r;
}

/**
 * fcvi_uvi_complete - struct fcvi_user_ops' complete: hand a Descriptor back to the program
 * @vi: the endpoint
 * @desc: the Descriptor, which is freed
 */
void fcvi_uvi_complete(struct fcvi_vi *vi, struct fcvi_desc *desc)
{
	struct fcvi_udesc *d = container_of(desc, struct fcvi_udesc, desc);
	struct fcvi_uvi *u = vi->priv;

	lockdep_assert_held(&vi->port->lock);
	if (!fcvi_udesc_write(vi, d)) {
		fcvi_event_vi(u, FCVI_DEV_ERR_COMP_PROT, d);
		u->broken = true;
		schedule_work(&u->file->fail);
	}
	u->posted[d->queue]--;
	WRITE_ONCE(u->done[d->queue], u->done[d->queue] + 1);
	if (u->cq[d->queue])
		fcvi_ucq_add(u->cq[d->queue], u, d->queue);
	else
		wake_up_interruptible(&u->wait);
	kfree(d);
}

/* To Error, VI-DG 6.3.1 */
static void fcvi_uvi_break(struct fcvi_uvi *u)
{
	lockdep_assert_held(&u->file->port->lock);
	u->broken = false;
	if (u->vi->state == FCVI_CONNECTED)
		fcvi_disconnect_lost(u->vi, FCVI_TRANSPORT);
}

/**
 * fcvi_uvi_fail_work - let endpoints fail whose Descriptors, or completion queues, are lost
 * @work: fcvi_file.fail
 *
 * This is no part of the completion that has found it: that may be a part of a failure itself.
 */
void fcvi_uvi_fail_work(struct work_struct *work)
{
	struct fcvi_file *f = container_of(work, struct fcvi_file, fail);
	struct fcvi_uvi *u;
	unsigned long id;

	mutex_lock(&f->lock);
	if (!f->over) {
		fcvi_lock(f->port);
		xa_for_each(&f->vis, id, u)
			if (u->broken || (u->cq[0] && u->cq[0]->overrun) ||
			    (u->cq[1] && u->cq[1]->overrun))
				fcvi_uvi_break(u);
		fcvi_unlock(f->port);
	}
	mutex_unlock(&f->lock);
}

/* Tell of a Descriptor that could not be posted. */
static int fcvi_post_failed(struct fcvi_uvi *u, const struct fcvi_dev_post *a,
			    enum fcvi_dev_error code, int err)
{
	const struct fcvi_dev_event event = {
		.code		= code,
		.resource	= FCVI_DEV_RES_DESC,
		.vi		= u->id,
		.vi_user	= u->user,
		.desc		= a->addr,
		.queue		= a->queue,
		.op		= a->queue,
	};

	fcvi_event(u->file, &event);
	fcvi_lock(u->file->port);
	fcvi_uvi_break(u);
	fcvi_unlock(u->file->port);
	return err;
}

/* Copy a Descriptor, so that the program can't change it any more.  Return: bytes; 0: no access */
static unsigned int fcvi_post_copy(struct fcvi_uvi *u, const struct fcvi_dev_post *a, void *to)
{
	struct fcvi_mem *mem = &u->file->port->mem;
	const struct fcvi_tag *tag = u->vi->tag;
	unsigned int size = 0;
	struct fcvi_region *r;

	if (a->addr % FCVI_DESC_ALIGN)
		return 0;
	spin_lock_bh(&mem->lock);
	r = fcvi_region_find(mem, a->handle, tag, a->addr, FCVI_CS_SIZE, FCVI_LOCAL_WRITE);
	if (r) {
		fcvi_region_get(r, a->addr, to, FCVI_CS_SIZE);
		size = fcvi_desc_size(to);
		if (!fcvi_region_find(mem, a->handle, tag, a->addr, size, FCVI_LOCAL))
			size = 0;
		else
			fcvi_region_get(r, a->addr + FCVI_CS_SIZE, to + FCVI_CS_SIZE,
					size - FCVI_CS_SIZE);
	}
	spin_unlock_bh(&mem->lock);
	return size;
}

/* Whether the segments are in memory that the endpoint may use; it is looked up again later */
static bool fcvi_post_allowed(struct fcvi_uvi *u, const struct fcvi_udesc *d)
{
	struct fcvi_mem *mem = &u->file->port->mem;
	enum fcvi_access access = fcvi_udesc_access(d);
	bool allowed = true;
	unsigned int i;

	spin_lock_bh(&mem->lock);
	for (i = 0; i < d->nr && allowed; i++)
		allowed = !d->segs[i].len ||
			  fcvi_region_find(mem, d->segs[i].handle, u->vi->tag, d->segs[i].va,
					   d->segs[i].len, access);
	spin_unlock_bh(&mem->lock);
	return allowed;
}

static int fcvi_post(struct fcvi_uvi *u, struct fcvi_udesc *d)
{
	int err = -ENOBUFS;

	fcvi_lock(u->file->port);
	if (u->posted[d->queue] < FCVI_DEV_MAX_DESCS) {
		u->posted[d->queue]++;
		err = d->queue == FCVI_DEV_SEND ? fcvi_post_send(u->vi, &d->desc) :
						  fcvi_post_recv(u->vi, &d->desc);
		if (err)
			u->posted[d->queue]--;
	}
	fcvi_unlock(u->file->port);
	return err;
}

/**
 * fcvi_dev_post - FCVI_IOC_POST
 * @f: the file, under its lock
 * @arg: struct fcvi_dev_post
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_post(struct fcvi_file *f, void *arg)
{
	const struct fcvi_dev_post *a = arg;
	struct fcvi_uvi *u = fcvi_uvi(f, a->vi);
	struct fcvi_udesc *d;
	unsigned int size;
	int err;

	if (a->reserved || !u || a->queue > FCVI_DEV_RECV)
		return -EINVAL;
	size = fcvi_post_copy(u, a, f->raw);
	if (!size)
		return fcvi_post_failed(u, a, FCVI_DEV_ERR_POST_DESC, -EBADMSG);
	d = kzalloc(struct_size(d, segs, (size - FCVI_CS_SIZE) / FCVI_SEG_SIZE),
		    GFP_KERNEL_ACCOUNT);
	if (!d)
		return -ENOMEM;
	d->addr = a->addr;
	d->handle = a->handle;
	d->queue = a->queue;
	fcvi_desc_parse(d, f->raw, u->vi->attrs.level, u->vi->attrs.max_trans_size);
	if (!fcvi_post_allowed(u, d))
		d->desc.error |= FCVI_ERR_PROTECTION;
	err = fcvi_post(u, d);
	if (!err)
		return 0;
	kfree(d);
	return err == -ENOBUFS ? fcvi_post_failed(u, a, FCVI_DEV_ERR_VI_OVERRUN, err) : err;
}

static bool fcvi_uvi_more(const struct fcvi_uvi *u, u32 queue, u32 seen)
{
	return (s32)(READ_ONCE(u->done[queue]) - seen) > 0 || !READ_ONCE(u->vi);
}

/* Wait for a completion of a work queue; as fcvi_ucq_wait(). */
static int fcvi_uvi_wait(struct fcvi_file *f, struct fcvi_dev_wait *w)
{
	struct fcvi_uvi *u;
	int err;

	if (w->queue > FCVI_DEV_RECV)
		return -EINVAL;
	mutex_lock(&f->lock);
	u = fcvi_uvi(f, w->vi);
	if (u)
		kref_get(&u->refs);
	mutex_unlock(&f->lock);
	if (!u)
		return -EINVAL;
	err = -EBUSY;
	if (!u->cq[w->queue])
		err = fcvi_dev_wait_for(u->wait, fcvi_uvi_more(u, w->queue, w->seen), &w->timeout);
	if (!READ_ONCE(u->vi))
		err = READ_ONCE(f->over) ?: -ECANCELED;
	w->seen = READ_ONCE(u->done[w->queue]);
	kref_put(&u->refs, fcvi_uvi_release);
	return err;
}

/**
 * fcvi_dev_wait - FCVI_IOC_WAIT
 * @f: the file, not under its lock
 * @arg: struct fcvi_dev_wait
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_wait(struct fcvi_file *f, void *arg)
{
	struct fcvi_dev_wait *w = arg;

	if (w->reserved || !w->vi == !w->cq || (w->cq && w->queue))
		return -EINVAL;
	return w->cq ? fcvi_ucq_wait(f, w) : fcvi_uvi_wait(f, w);
}
