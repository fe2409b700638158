// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that Transfers are sent from and placed into: pages of an
 * application, pinned, or pages of the kernel.
 */
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/uio.h>
#include <linux/wait_bit.h>

#include "st.h"

#define ST_PIN_BATCH	32	/* pages extracted at a time */

static void st_buf_release(struct st_buf *buf, bool dirty)
{
	unsigned int i;

	for (i = 0; i < buf->nr; i++) {
		if (!buf->pinned)
			__free_page(buf->seg[i].page);
		else if (dirty)
			unpin_user_pages_dirty_lock(&buf->seg[i].page, 1, true);
		else
			unpin_user_page(buf->seg[i].page);
	}
	kvfree(buf);
}

/* An skb with pages of the buffer is gone. */
static void st_buf_skb_freed(struct sk_buff *skb, struct ubuf_info *uarg, bool zerocopy)
{
	if (refcount_dec_and_test(&uarg->refcnt))
		st_buf_release(container_of(uarg, struct st_buf, uarg), false);
	else
		wake_up_var(&uarg->refcnt);
}

static const struct ubuf_info_ops st_buf_ops = {
	.complete = st_buf_skb_freed,
};

static struct st_buf *st_buf_new(unsigned int max, gfp_t gfp)
{
	struct st_buf *buf;

	buf = kvmalloc(struct_size(buf, seg, max), gfp);
	if (!buf)
		return NULL;
	buf->uarg.ops = &st_buf_ops;
	buf->uarg.flags = SKBFL_ZEROCOPY_FRAG | SKBFL_DONT_ORPHAN;
	refcount_set(&buf->uarg.refcnt, 1);
	buf->len = 0;
	buf->nr = 0;
	buf->max = max;
	buf->pinned = false;
	buf->uniform = true;
	return buf;
}

static void st_buf_add(struct st_buf *buf, struct page *page, u32 off, u32 len)
{
	struct st_seg *seg = &buf->seg[buf->nr];

	if (buf->nr && (off || offset_in_page(seg[-1].off + seg[-1].len)))
		buf->uniform = false;
	seg->page = page;
	seg->off = off;
	seg->len = len;
	seg->start = buf->len;
	buf->nr++;
	buf->len += len;
}

/**
 * st_buf_pin - pin the pages behind an iterator
 * @from: user memory, to be read (ITER_SOURCE) or written (ITER_DEST); is
 *	advanced over what was pinned
 * @len: bytes, not more than the iterator has
 *
 * Context: process, may sleep.
 * Return: the buffer, to be given back with st_buf_free(), or an ERR_PTR:
 * -ENOMEM, or -EFAULT where the application may not access the memory.
 */
struct st_buf *st_buf_pin(struct iov_iter *from, size_t len)
{
	struct page *batch[ST_PIN_BATCH], **pages = batch;
	struct st_buf *buf;
	int npages;

	npages = iov_iter_npages(from, INT_MAX);
	buf = st_buf_new(npages, GFP_KERNEL_ACCOUNT);
	if (!buf)
		return ERR_PTR(-ENOMEM);
	buf->pinned = iov_iter_extract_will_pin(from);

	while (buf->len < len) {
		size_t off;
		ssize_t got;
		unsigned int i;

		got = iov_iter_extract_pages(from, &pages, len - buf->len,
					     min_t(unsigned int, ST_PIN_BATCH,
						   buf->max - buf->nr), 0, &off);
		if (got <= 0) {
			st_buf_free(buf, false);
			return ERR_PTR(got ? got : -EFAULT);
		}
		for (i = 0; got; i++) {
			u32 part = min_t(size_t, got, PAGE_SIZE - off);

			st_buf_add(buf, pages[i], off, part);
			got -= part;
			off = 0;
		}
	}
	return buf;
}

/**
 * st_buf_alloc - a buffer of kernel pages
 * @len: bytes, not 0
 * @gfp: how to allocate
 *
 * Context: as @gfp allows.
 * Return: the buffer or NULL.
 */
struct st_buf *st_buf_alloc(size_t len, gfp_t gfp)
{
	struct st_buf *buf;

	buf = st_buf_new(DIV_ROUND_UP(len, PAGE_SIZE), gfp);
	if (!buf)
		return NULL;
	while (buf->len < len) {
		struct page *page = alloc_page(gfp);

		if (!page) {
			st_buf_free(buf, false);
			return NULL;
		}
		st_buf_add(buf, page, 0, min_t(u64, len - buf->len, PAGE_SIZE));
	}
	return buf;
}

/**
 * st_buf_wait_sent - wait until no skb holds the pages of a buffer
 * @buf: the buffer, or NULL
 *
 * What an application writes into its memory after this is not sent.
 *
 * Context: process, may sleep; a signal ends it.
 */
void st_buf_wait_sent(struct st_buf *buf)
{
	if (buf)
		wait_var_event_interruptible(&buf->uarg.refcnt,
					     refcount_read(&buf->uarg.refcnt) == 1);
}

/**
 * st_buf_free - give back a buffer
 * @buf: the buffer, or NULL; its pages go when the last skb that has some does
 * @dirty: pinned pages have been written to
 *
 * Context: any; process context that may sleep when @dirty and pinned.
 */
void st_buf_free(struct st_buf *buf, bool dirty)
{
	if (buf && refcount_dec_and_test(&buf->uarg.refcnt))
		st_buf_release(buf, dirty);
}

/* The segment that holds byte @pos, which is inside the buffer. */
static const struct st_seg *st_buf_seg(const struct st_buf *buf, u64 pos)
{
	unsigned int lo = 0, hi = buf->nr;

	if (buf->uniform)
		return &buf->seg[(pos + buf->seg[0].off) >> PAGE_SHIFT];
	while (hi - lo > 1) {
		unsigned int mid = lo + (hi - lo) / 2;

		if (buf->seg[mid].start <= pos)
			lo = mid;
		else
			hi = mid;
	}
	return &buf->seg[lo];
}

/**
 * st_buf_copy_from_iter - fill a buffer
 * @buf: kernel pages
 * @from: where from; has at least as many bytes
 *
 * Context: process, may sleep.
 * Return: 0 or -EFAULT.
 */
int st_buf_copy_from_iter(struct st_buf *buf, struct iov_iter *from)
{
	unsigned int i;

	for (i = 0; i < buf->nr; i++) {
		const struct st_seg *seg = &buf->seg[i];

		if (copy_page_from_iter(seg->page, seg->off, seg->len, from) != seg->len)
			return -EFAULT;
	}
	return 0;
}

/**
 * st_buf_copy_to_iter - hand bytes of a buffer to a reader
 * @buf: kernel pages
 * @pos: first byte
 * @len: bytes, inside the buffer
 * @to: where to
 *
 * Context: process, may sleep.
 * Return: bytes copied; less than @len at a fault.
 */
size_t st_buf_copy_to_iter(const struct st_buf *buf, u64 pos, size_t len, struct iov_iter *to)
{
	size_t done = 0;

	while (done < len) {
		const struct st_seg *seg = st_buf_seg(buf, pos + done);
		u32 skip = pos + done - seg->start;
		size_t part = min_t(size_t, len - done, seg->len - skip);
		size_t n = copy_page_to_iter(seg->page, seg->off + skip, part, to);

		done += n;
		if (n != part)
			break;
	}
	return done;
}

/**
 * st_buf_place - put received bytes where they belong, ST 6.1.2
 * @buf: the buffer
 * @pos: first byte in the buffer
 * @skb: the operation
 * @offset: first byte in @skb
 * @len: bytes, inside both
 * @csum: sums them in the same pass, or NULL
 *
 * Context: any; the caller keeps @buf from being freed.
 * Return: 0, or -EFAULT when @skb is shorter than it says.
 */
int st_buf_place(struct st_buf *buf, u64 pos, const struct sk_buff *skb, int offset, int len,
		 struct st_csum *csum)
{
	while (len) {
		const struct st_seg *seg = st_buf_seg(buf, pos);
		u32 skip = pos - seg->start;
		int part = min_t(u32, len, seg->len - skip);
		void *to = kmap_local_page(seg->page);
		int err = 0;

		if (csum)
			st_csum_add(csum, skb_copy_and_csum_bits(skb, offset,
								 to + seg->off + skip, part),
				    part);
		else
			err = skb_copy_bits(skb, offset, to + seg->off + skip, part);
		kunmap_local(to);
		flush_dcache_page(seg->page);
		if (err)
			return err;
		pos += part;
		offset += part;
		len -= part;
	}
	return 0;
}

/**
 * st_buf_fit - how many bytes one skb can take as page fragments
 * @buf: the buffer
 * @pos: first byte
 * @len: bytes wanted, inside the buffer
 *
 * Context: any.
 * Return: 1 to @len.
 */
u32 st_buf_fit(const struct st_buf *buf, u64 pos, u32 len)
{
	const struct st_seg *seg = st_buf_seg(buf, pos);
	unsigned int last = seg - buf->seg + MAX_SKB_FRAGS - 1;

	if (last >= buf->nr)
		return len;
	seg = &buf->seg[last];
	return min_t(u64, len, seg->start + seg->len - pos);
}

/**
 * st_buf_attach - append bytes of a buffer to an operation without a copy
 * @buf: the buffer
 * @pos: first byte
 * @len: bytes, as many as st_buf_fit() allows
 * @skb: the operation, without fragments; holds the pages from now on
 * @csum: sums the bytes, or NULL
 *
 * Context: any.
 */
void st_buf_attach(struct st_buf *buf, u64 pos, u32 len, struct sk_buff *skb,
		   struct st_csum *csum)
{
	int frag;

	for (frag = 0; len; frag++) {
		const struct st_seg *seg = st_buf_seg(buf, pos);
		u32 skip = pos - seg->start;
		u32 part = min(len, seg->len - skip);

		if (csum) {
			void *from = kmap_local_page(seg->page);

			st_csum_add(csum, csum_partial(from + seg->off + skip, part, 0), part);
			kunmap_local(from);
		}
		get_page(seg->page);
		skb_add_rx_frag(skb, frag, seg->page, seg->off + skip, part, part);
		pos += part;
		len -= part;
	}
	if (buf->pinned)
		skb_zcopy_set(skb, &buf->uarg, NULL);
}
