/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Protection tags and memory regions: who may touch which memory.
 */
#ifndef _FCVI_MR_H
#define _FCVI_MR_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/xarray.h>

struct page;
struct sk_buff;

/**
 * enum fcvi_access - what memory is used for
 * @FCVI_LOCAL: to be read, by the owner
 * @FCVI_LOCAL_WRITE: to be written, by the owner: Descriptors, too, which get their status
 * @FCVI_RDMA_WRITE: RDMA Write from the other side
 * @FCVI_RDMA_READ: RDMA Read from the other side
 */
enum fcvi_access {
	FCVI_LOCAL,
	FCVI_LOCAL_WRITE,
	FCVI_RDMA_WRITE,
	FCVI_RDMA_READ,
};

/**
 * struct fcvi_mem - the memory that a port may touch
 * @lock: for all of it; in softirq too
 * @regions: struct fcvi_region by handle
 * @next: where the search for a handle begins
 */
struct fcvi_mem {
	spinlock_t	lock;	/* for all of it */
	struct xarray	regions;
	u32		next;
};

/**
 * struct fcvi_tag - a protection tag, VI-ARCH 3.2.2.1
 * @owner: who may use it; never dereferenced
 * @users: regions and endpoints that have it
 */
struct fcvi_tag {
	const void	*owner;
	unsigned int	users;
};

/**
 * struct fcvi_region - a memory region, VI-ARCH 3.2.1
 * @tag: its protection tag
 * @handle: memory handle
 * @va: virtual address of its first byte
 * @len: bytes, at least 1
 * @rdma_write: others may write to it
 * @rdma_read: others may read it
 * @writable: all of its pages may be written
 * @read_only: else, those of its pages that may not; NULL: all
 * @pages: its pages, which are pinned
 */
struct fcvi_region {
	struct fcvi_tag	*tag;
	u32		handle;
	u64		va;
	u64		len;
	bool		rdma_write;
	bool		rdma_read;
	bool		writable;
	unsigned long	*read_only;
	struct page	**pages;
};

void fcvi_mem_init(struct fcvi_mem *mem);
void fcvi_mem_free(struct fcvi_mem *mem);
struct fcvi_tag *fcvi_tag_new(const void *owner);
int fcvi_tag_free(struct fcvi_mem *mem, struct fcvi_tag *tag);
int fcvi_region_add(struct fcvi_mem *mem, struct fcvi_region *r);
void fcvi_region_remove(struct fcvi_mem *mem, struct fcvi_region *r);
int fcvi_region_change(struct fcvi_mem *mem, struct fcvi_region *r, const struct fcvi_region *to,
		       const void *owner);
struct fcvi_region *fcvi_region_find(struct fcvi_mem *mem, u32 handle, const struct fcvi_tag *tag,
				     u64 va, u64 len, enum fcvi_access access);
struct page *fcvi_region_page(const struct fcvi_region *r, u64 va);
int fcvi_region_put(struct fcvi_region *r, u64 va, const struct sk_buff *skb, int offset, u32 len);
void fcvi_region_get(const struct fcvi_region *r, u64 va, void *buf, u32 len);

#endif
