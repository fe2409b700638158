// SPDX-License-Identifier: GPL-2.0
/*
 * Protection tags and memory regions, VI-ARCH 3.2: range and rights, checked before a byte moves,
 * VI-ARCH 6.3.2.
 *
 * Handles come from a counter, so that one that is no longer registered meets a protection error
 * for long, and not another region.
 */
#include <kunit/visibility.h>
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/highmem.h>
#include <linux/skbuff.h>
#include <linux/slab.h>

#include "mr.h"

/**
 * fcvi_mem_init - begin without regions
 * @mem: the memory
 */
void fcvi_mem_init(struct fcvi_mem *mem)
{
	spin_lock_init(&mem->lock);
	xa_init_flags(&mem->regions, XA_FLAGS_ALLOC);
	mem->next = 0;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_mem_init);

/**
 * fcvi_mem_free - end
 * @mem: the memory, without regions
 */
void fcvi_mem_free(struct fcvi_mem *mem)
{
	WARN_ON(!xa_empty(&mem->regions));
	xa_destroy(&mem->regions);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_mem_free);

/**
 * fcvi_tag_new - make a protection tag, VI-DG 3.4.1
 * @owner: who may use it
 *
 * Context: process.
 * Return: the tag, or NULL.
 */
struct fcvi_tag *fcvi_tag_new(const void *owner)
{
	struct fcvi_tag *tag = kzalloc(sizeof(*tag), GFP_KERNEL);

	if (tag)
		tag->owner = owner;
	return tag;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_tag_new);

/**
 * fcvi_tag_free - free a protection tag, VI-DG 3.4.2
 * @mem: the memory, its lock held
 * @tag: the tag
 *
 * Return: 0, or -EBUSY: an endpoint or a region has it.
 */
int fcvi_tag_free(struct fcvi_mem *mem, struct fcvi_tag *tag)
{
	lockdep_assert_held(&mem->lock);
	if (tag->users)
		return -EBUSY;
	kfree(tag);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_tag_free);

/**
 * fcvi_region_add - register a region, VI-DG 3.4.3
 * @mem: the memory, its lock held
 * @r: the region, without a handle; the same range may be in others, VI-ARCH 3.2.1
 *
 * Return: 0; -EINVAL: it is empty, or goes beyond the end of all addresses; another negative errno:
 *	there is no handle for it.
 */
int fcvi_region_add(struct fcvi_mem *mem, struct fcvi_region *r)
{
	int err;

	lockdep_assert_held(&mem->lock);
	if (!r->len || r->va + (r->len - 1) < r->va)
		return -EINVAL;
	err = xa_alloc_cyclic(&mem->regions, &r->handle, r, xa_limit_32b, &mem->next, GFP_ATOMIC);
	if (err < 0)
		return err;
	r->tag->users++;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_region_add);

/**
 * fcvi_region_remove - de-register a region, VI-DG 3.4.4
 * @mem: the memory, its lock held
 * @r: the region
 */
void fcvi_region_remove(struct fcvi_mem *mem, struct fcvi_region *r)
{
	lockdep_assert_held(&mem->lock);
	xa_erase(&mem->regions, r->handle);
	r->tag->users--;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_region_remove);

/**
 * fcvi_region_change - give a region another tag and other rights, VI-DG 3.7.4; all or nothing
 * @mem: the memory, its lock held
 * @r: the region
 * @to: the new tag and rights
 * @owner: who asks
 *
 * Return: 0, or -EACCES: one of the tags is another owner's.
 */
int fcvi_region_change(struct fcvi_mem *mem, struct fcvi_region *r, const struct fcvi_region *to,
		       const void *owner)
{
	lockdep_assert_held(&mem->lock);
	if (r->tag->owner != owner || to->tag->owner != owner)
		return -EACCES;
	r->tag->users--;
	r->tag = to->tag;
	r->tag->users++;
	r->rdma_write = to->rdma_write;
	r->rdma_read = to->rdma_read;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_region_change);

/* The page of a byte that is in the region, or at its end */
static unsigned long fcvi_region_index(const struct fcvi_region *r, u64 va)
{
	return (offset_in_page(r->va) + (va - r->va)) >> PAGE_SHIFT;
}

static bool fcvi_region_holds(const struct fcvi_region *r, u64 va, u64 len)
{
	return va >= r->va && va - r->va <= r->len && len <= r->len - (va - r->va);
}

static bool fcvi_region_writable(const struct fcvi_region *r, u64 va, u64 len)
{
	unsigned long end;

	if (r->writable || !len)
		return true;
	if (!r->read_only)
		return false;
	end = fcvi_region_index(r, va + (len - 1)) + 1;
	return find_next_bit(r->read_only, end, fcvi_region_index(r, va)) >= end;
}

static bool fcvi_region_allows(const struct fcvi_region *r, u64 va, u64 len,
			       enum fcvi_access access)
{
	switch (access) {
	case FCVI_LOCAL_WRITE:
		return fcvi_region_writable(r, va, len);
	case FCVI_RDMA_WRITE:
		return r->rdma_write && fcvi_region_writable(r, va, len);
	case FCVI_RDMA_READ:
		return r->rdma_read;
	default:
		return true;
	}
}

/**
 * fcvi_region_find - find the region that a transfer is to or from, and check its rights
 * @mem: the memory, its lock held
 * @handle: memory handle
 * @tag: protection tag of the endpoint, which has to be that of the region, VI-ARCH 3.2.2.1
 * @va: virtual address of the first byte
 * @len: bytes, all of which have to be in the region; none are anywhere in it, or at its end
 * @access: what for; the rights of the endpoint are checked by the caller, VI-ARCH 3.2.2.2
 *
 * Return: the region, or NULL: a protection error.
 */
struct fcvi_region *fcvi_region_find(struct fcvi_mem *mem, u32 handle, const struct fcvi_tag *tag,
				     u64 va, u64 len, enum fcvi_access access)
{
	struct fcvi_region *r = xa_load(&mem->regions, handle);

	lockdep_assert_held(&mem->lock);
	if (!r || r->tag != tag || !fcvi_region_holds(r, va, len) ||
	    !fcvi_region_allows(r, va, len, access))
		return NULL;
	return r;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_region_find);

/**
 * fcvi_region_page - the page of a byte
 * @r: the region
 * @va: address of the byte, in the region
 *
 * Return: the page, which may be gone with the region.
 */
struct page *fcvi_region_page(const struct fcvi_region *r, u64 va)
{
	return r->pages[fcvi_region_index(r, va)];
}

/**
 * fcvi_region_put - write bytes of an skb to memory
 * @r: the region, under the lock of its memory
 * @va: where to
 * @skb: the skb
 * @offset: first byte in it
 * @len: bytes
 *
 * Return: 0, or -EFAULT: it is not in the region, or not to be written, or not in @skb.
 */
int fcvi_region_put(struct fcvi_region *r, u64 va, const struct sk_buff *skb, int offset, u32 len)
{
	u32 off, n;
	u8 *to;
	int err;

	if (!fcvi_region_holds(r, va, len) || !fcvi_region_writable(r, va, len))
		return -EFAULT;
	for (err = 0; len && !err; len -= n) {
		off = offset_in_page(va);
		n = min_t(u32, len, PAGE_SIZE - off);
		to = kmap_local_page(fcvi_region_page(r, va));
		err = skb_copy_bits(skb, offset, to + off, n);
		kunmap_local(to);
		flush_dcache_page(fcvi_region_page(r, va));
		va += n;
		offset += n;
	}
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_region_put);

/**
 * fcvi_region_get - copy memory
 * @r: the region, under the lock of its memory
 * @va: where from; all of it is in the region
 * @buf: where to
 * @len: bytes
 */
void fcvi_region_get(const struct fcvi_region *r, u64 va, void *buf, u32 len)
{
	u32 n;

	for (; len; len -= n) {
		n = min_t(u32, len, PAGE_SIZE - offset_in_page(va));
		memcpy_from_page(buf, fcvi_region_page(r, va), offset_in_page(va), n);
		va += n;
		buf += n;
	}
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_region_get);
