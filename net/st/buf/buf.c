// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that Transfers are sent from and placed into: pinned pages of an application, or
 * kernel pages.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/uio.h>
#include <linux/wait_bit.h>

#include "buf/buf.h"

#define ST_PIN_BATCH	32	/* pages pinned at a time */
#define ST_PUT_NOW	1024	/* most pages released with bottom halves off */

/* Releases memory on behalf of contexts that may not sleep */
struct workqueue_struct *st_mem_wq;
EXPORT_SYMBOL_IF_KUNIT(st_mem_wq);

/**
 * st_buf_init - set up the work queue that releases memory
 *
 * Return: 0 or -ENOMEM.
 */
int st_buf_init(void)
{
	/* Memory reclaim may depend on the memory that it releases */
	st_mem_wq = alloc_workqueue("st_mem", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	return st_mem_wq ? 0 : -ENOMEM;
}

/**
 * st_buf_exit - undo st_buf_init()
 *
 * No socket is left.
 */
void st_buf_exit(void)
{
	destroy_workqueue(st_mem_wq);
}

static void st_buf_put_last(struct st_buf *buf)
{
	struct page *page = buf->seg[--buf->nr].page;

	if (buf->pinned)
		unpin_user_page(page);
	else
		put_page(page);
}

/*
 * An skb holds pinned pages, and so the buffer, even after it has lost its socket: as a clone, or
 * in a queue that orphans its skbs.  Only this reference keeps the module loaded then.
 */
static void st_buf_set_pinned(struct st_buf *buf)
{
	__module_get(THIS_MODULE);
	buf->pinned = true;
}

static void st_buf_release(struct st_buf *buf)
{
	bool pinned = buf->pinned;

	while (buf->nr)
		st_buf_put_last(buf);
	mm_unaccount_pinned_pages(&buf->mmp);
	if (buf->uncharge)
		buf->uncharge(buf);
	st_buf_free(buf->of, false);
	net_zcopy_put(buf->zc);
	if (buf->then)
		queue_work(st_mem_wq, buf->then);
	kvfree(buf);
	/* st_exit() waits for callers that are still in here */
	if (pinned)
		module_put(THIS_MODULE);
}

static void st_buf_work(struct work_struct *work)
{
	struct st_buf *buf = container_of(work, struct st_buf, work);

	while (buf->nr) {
		st_buf_put_last(buf);
		cond_resched();
	}
	st_buf_release(buf);
}

/*
 * The last reference is gone.  Softirqs do not release many pages of an application or of a region
 * themselves.  Other kernel pages are no longer charged here, so they are released at once.
 */
static void st_buf_last(struct st_buf *buf)
{
	if (buf->nr <= ST_PUT_NOW || !(buf->pinned || buf->uncharge) || !softirq_count()) {
		st_buf_release(buf);
		return;
	}
	INIT_WORK(&buf->work, st_buf_work);
	queue_work(st_mem_wq, &buf->work);
}

/* An skb no longer holds pages of the buffer: it was freed, or the stack has made a copy. */
static void st_buf_skb_freed(struct sk_buff *skb, struct ubuf_info *uarg, bool zerocopy)
{
	struct st_buf *buf = container_of(uarg, struct st_buf, uarg);

	if (!zerocopy && buf->zc)
		uarg_to_msgzc(buf->zc)->zerocopy = false;
	if (refcount_dec_and_test(&uarg->refcnt)) {
		st_buf_last(buf);
	} else {
		smp_mb__after_atomic();	/* orders the decrement before the check for waiters */
		wake_up_var(&uarg->refcnt);
	}
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
	memset(&buf->mmp, 0, sizeof(buf->mmp));
	buf->zc = NULL;
	buf->then = NULL;
	buf->net = NULL;
	buf->uncharge = NULL;
	buf->of = NULL;
	buf->from = 0;
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

/*
 * Pin pages of an application for as long as the peer likes.  FOLL_LONGTERM first moves pages that
 * must stay movable elsewhere.  Return: bytes, or a negative errno.
 */
static ssize_t st_buf_pin_user(struct iov_iter *from, struct page **pages, size_t len,
			       unsigned int max, size_t *off)
{
	unsigned int gup = FOLL_LONGTERM | (iov_iter_rw(from) == READ ? FOLL_WRITE : 0);
	unsigned long addr;
	int got;

	iov_iter_advance(from, 0);	/* to a segment that has bytes */
	addr = (unsigned long)iter_iov_addr(from);
	*off = offset_in_page(addr);
	len = min(len, iov_iter_single_seg_count(from));
	got = pin_user_pages_fast(addr - *off,
				  min_t(size_t, max, DIV_ROUND_UP(*off + len, PAGE_SIZE)),
				  gup, pages);
	if (got <= 0)
		return got;
	len = min(len, got * PAGE_SIZE - *off);
	iov_iter_advance(from, len);
	return len;
}

/* Append the next pages of an iterator.  Return: 0 or a negative errno. */
static int st_buf_pin_some(struct st_buf *buf, struct iov_iter *from, size_t len)
{
	unsigned int max = min_t(unsigned int, ST_PIN_BATCH, buf->max - buf->nr), i;
	struct page *batch[ST_PIN_BATCH], **pages = batch;
	ssize_t got;
	size_t off;

	if (buf->pinned)
		got = st_buf_pin_user(from, batch, len, max, &off);
	else
		got = iov_iter_extract_pages(from, &pages, len, max, 0, &off);
	if (got <= 0)
		return got ?: -EFAULT;
	for (i = 0; got; i++) {
		u32 part = min_t(size_t, got, PAGE_SIZE - off);

		if (!buf->pinned) {
			if (WARN_ON_ONCE(!sendpage_ok(pages[i])))
				return -EIO;
			get_page(pages[i]);
		}
		st_buf_add(buf, pages[i], off, part);
		got -= part;
		off = 0;
	}
	return 0;
}

/**
 * st_buf_pin - pin the pages of an iterator
 * @from: user memory, to be read (ITER_SOURCE) or written (ITER_DEST), or pages
 *	of MSG_SPLICE_PAGES, which are referenced instead; advanced over the pinned
 *	bytes, unchanged on failure
 * @len: bytes, not more than the iterator has
 *
 * The peer decides how long they stay pinned.
 *
 * Context: process, may sleep.
 * Return: the buffer, for st_buf_free(), or an ERR_PTR: -ENOMEM, -ENOBUFS above RLIMIT_MEMLOCK,
 * -EFAULT for memory that the application may not access, or that belongs to a file with
 * writeback, -EOPNOTSUPP for memory of a file without page cache, -EIO for a page that can't be
 * referenced.
 */
struct st_buf *st_buf_pin(struct iov_iter *from, size_t len)
{
	struct iov_iter before = *from;
	struct st_buf *buf;
	int err = 0;

	buf = st_buf_new(iov_iter_npages(from, INT_MAX), GFP_KERNEL_ACCOUNT);
	if (!buf)
		return ERR_PTR(-ENOMEM);
	if (iov_iter_extract_will_pin(from))
		st_buf_set_pinned(buf);
	if (buf->pinned && mm_account_pinned_pages(&buf->mmp, len))
		err = -ENOBUFS;
	while (!err && buf->len < len)
		err = st_buf_pin_some(buf, from, len - buf->len);
	if (!err)
		return buf;
	*from = before;
	st_buf_free(buf, false);
	return ERR_PTR(err);
}

/**
 * st_buf_alloc - allocate a buffer of kernel pages
 * @len: bytes, not 0
 * @gfp: allocation flags
 *
 * Context: as @gfp allows.
 * Return: the buffer, or NULL without memory.
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
EXPORT_SYMBOL_IF_KUNIT(st_buf_alloc);

/**
 * st_buf_part - make a part of a buffer, to send from
 * @of: the buffer; the part holds a reference
 * @from: first byte
 * @len: bytes, inside @of
 *
 * The skbs of a part are counted apart from other uses of @of: st_buf_wait_sent() and
 * st_buf_notify() refer to the part alone.
 *
 * Context: process, may sleep.
 * Return: the part, for st_buf_segment(), st_buf_fit(), st_buf_attach() and
 * st_buf_clone(), or NULL without memory.
 */
struct st_buf *st_buf_part(struct st_buf *of, u64 from, u64 len)
{
	struct st_buf *buf = st_buf_new(0, GFP_KERNEL_ACCOUNT);

	if (!buf)
		return NULL;
	st_buf_hold(of);
	buf->of = of;
	buf->from = from;
	buf->len = len;
	st_buf_set_pinned(buf);
	return buf;
}
EXPORT_SYMBOL_IF_KUNIT(st_buf_part);

/**
 * st_buf_wait_sent - wait until no skb holds the pages of a buffer
 * @buf: the buffer, or NULL
 * @state: %TASK_INTERRUPTIBLE, or %TASK_KILLABLE to ignore all but fatal signals
 * @timeo: limit, jiffies
 *
 * After this the application may change its memory: the changes are not sent.
 *
 * Context: process, may sleep.
 * Return: jiffies left, at least 1; 0 at the timeout; -ERESTARTSYS at a signal.
 */
long st_buf_wait_sent(struct st_buf *buf, unsigned int state, long timeo)
{
	if (!buf || refcount_read(&buf->uarg.refcnt) == 1)
		return timeo ?: 1;
	might_sleep();
	return ___wait_var_event(&buf->uarg.refcnt,
				 ___wait_cond_timeout(refcount_read(&buf->uarg.refcnt) == 1),
				 (state | TASK_FREEZABLE), 0, timeo,
				 __ret = schedule_timeout(__ret));
}

/**
 * st_buf_move_charge - move the memlock charge of a buffer to its copy
 * @to: the copy
 * @from: the buffer
 *
 * Context: any.
 */
void st_buf_move_charge(struct st_buf *to, struct st_buf *from)
{
	to->mmp = from->mmp;
	memset(&from->mmp, 0, sizeof(from->mmp));
}

/* Mark pages dirty.  Not left to the last reference, which an skb may drop in softirq. */
static void st_buf_dirty(struct st_buf *buf)
{
	struct bio_vec seg;
	unsigned int i;
	u64 pos;

	for (pos = 0; buf->of && buf->of->pinned && pos < buf->len; pos += seg.bv_len) {
		st_buf_segment(buf, pos, min_t(u64, buf->len - pos, PAGE_SIZE), &seg);
		if (!PageDirty(seg.bv_page))
			set_page_dirty_lock(seg.bv_page);
	}
	for (i = 0; i < buf->nr; i++)
		if (!PageDirty(buf->seg[i].page))
			set_page_dirty_lock(buf->seg[i].page);
}

/**
 * st_buf_free - release a buffer
 * @buf: the buffer, or NULL; pages held by skbs are released with the last skb
 * @dirty: pinned pages have been written to, and are not written to any more
 *
 * Context: any; process context that may sleep when @dirty and pinned.
 */
void st_buf_free(struct st_buf *buf, bool dirty)
{
	if (!buf)
		return;
	if (dirty && buf->pinned)
		st_buf_dirty(buf);
	if (refcount_dec_and_test(&buf->uarg.refcnt))
		st_buf_last(buf);
}
EXPORT_SYMBOL_IF_KUNIT(st_buf_free);

/**
 * st_buf_free_slowly - release a buffer that may have many pages
 * @buf: kernel pages
 *
 * Context: process, may sleep.
 */
void st_buf_free_slowly(struct st_buf *buf)
{
	if (refcount_dec_and_test(&buf->uarg.refcnt))
		st_buf_work(&buf->work);
}

/**
 * st_buf_notify - notify an application when a buffer is released
 * @buf: the buffer of a MSG_ZEROCOPY
 * @uarg: of msg_zerocopy_realloc(); completed with the last reference to the buffer; says
 *	whether the pages were the application's own
 *
 * Context: any.
 */
void st_buf_notify(struct st_buf *buf, struct ubuf_info *uarg)
{
	uarg_to_msgzc(uarg)->zerocopy = buf->pinned;
	buf->zc = uarg;
}

/**
 * st_buf_hold - take a reference
 * @buf: the buffer, for st_buf_free()
 *
 * Context: any.
 */
void st_buf_hold(struct st_buf *buf)
{
	refcount_inc(&buf->uarg.refcnt);
}

/* The buffer with the segments, and the place of byte @pos in it. */
static const struct st_buf *st_buf_whole(const struct st_buf *buf, u64 *pos)
{
	if (!buf->of)
		return buf;
	*pos += buf->from;
	return buf->of;
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
 * @from: source with at least as many bytes
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
 * st_buf_copy_to_iter - copy bytes of a buffer to a reader
 * @buf: kernel pages
 * @pos: first byte
 * @len: bytes, inside the buffer
 * @to: destination
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
EXPORT_SYMBOL_IF_KUNIT(st_buf_copy_to_iter);

/**
 * st_buf_clone - copy a part of a buffer to kernel pages
 * @from: the buffer
 * @pos: first byte
 * @len: bytes, inside @from, not 0
 * @gfp: allocation flags
 *
 * Context: as @gfp allows.
 * Return: a buffer, or NULL without memory.
 */
struct st_buf *st_buf_clone(const struct st_buf *from, u64 pos, u32 len, gfp_t gfp)
{
	struct st_buf *buf = st_buf_alloc(len, gfp);
	struct bio_vec seg;
	u32 done = 0;

	if (!buf)
		return NULL;
	while (done < len) {
		const struct st_seg *to = &buf->seg[done >> PAGE_SHIFT];
		u32 skip = offset_in_page(done);

		st_buf_segment(from, pos + done, min_t(u32, len - done, PAGE_SIZE - skip), &seg);
		memcpy_page(to->page, skip, seg.bv_page, seg.bv_offset, seg.bv_len);
		done += seg.bv_len;
		if (gfpflags_allow_blocking(gfp))
			cond_resched();
	}
	return buf;
}
EXPORT_SYMBOL_IF_KUNIT(st_buf_clone);

/* Write bytes at @pos, unless they are there.  @page, @off: where they are, if in a page. */
static void st_buf_put(const struct st_buf *buf, u64 pos, const void *from,
		       const struct page *page, u32 off, u32 len, struct st_csum *csum, u32 *there)
{
	buf = st_buf_whole(buf, &pos);
	while (len) {
		const struct st_seg *seg = st_buf_seg(buf, pos);
		u32 skip = pos - seg->start;
		u32 part = min(len, seg->len - skip);

		if (page == seg->page && off == seg->off + skip) {
			if (csum)
				st_csum_add(csum, csum_partial(from, part, 0), part);
			*there += part;
		} else {
			void *to = kmap_local_page(seg->page) + seg->off + skip;

			if (csum)
				st_csum_add(csum, csum_partial_copy_nocheck(from, to, part), part);
			else
				memcpy(to, from, part);
			kunmap_local(to);
			flush_dcache_page(seg->page);
		}
		pos += part;
		from += part;
		off += part;
		len -= part;
	}
}

/**
 * st_buf_write - write at the beginning of a buffer
 * @buf: the buffer
 * @from: bytes
 * @len: how many, inside the buffer
 *
 * Context: any.
 */
void st_buf_write(struct st_buf *buf, const void *from, u32 len)
{
	st_buf_put(buf, 0, from, NULL, 0, len, NULL, NULL);
}

static void st_buf_put_frag(struct st_buf *buf, u64 pos, const skb_frag_t *frag, u32 offset,
			    u32 len, struct st_csum *csum, u32 *there)
{
	u32 off, part, done;
	struct page *page;

	skb_frag_foreach_page(frag, skb_frag_off(frag) + offset, len, page, off, part, done) {
		const void *from = kmap_local_page(page);

		st_buf_put(buf, pos + done, from + off, page, off, part, csum, there);
		kunmap_local(from);
	}
}

/**
 * st_buf_place - put received bytes into place, ST 6.1.2
 * @buf: the buffer
 * @pos: first byte in the buffer
 * @skb: the operation; its fragments may be pages of the buffer, and bytes that are already
 *	in place are not copied
 * @offset: first byte in @skb
 * @len: bytes, inside both
 * @csum: checksum to add them to in the same pass, or NULL
 * @there: increased by the bytes that were in place
 *
 * Context: any; the caller holds a reference to @buf.
 * Return: 0, or -EFAULT when @skb is shorter than it says.
 */
int st_buf_place(struct st_buf *buf, u64 pos, const struct sk_buff *skb, int offset, int len,
		 struct st_csum *csum, u32 *there)
{
	int start = skb_headlen(skb), part, err, i;
	const struct sk_buff *more;

	if (offset > (int)skb->len - len)
		return -EFAULT;
	if (offset < start && len) {
		part = min(start - offset, len);
		st_buf_put(buf, pos, skb->data + offset, NULL, 0, part, csum, there);
		pos += part;
		offset += part;
		len -= part;
	}
	for (i = 0; len && i < skb_shinfo(skb)->nr_frags; i++) {
		const skb_frag_t *frag = &skb_shinfo(skb)->frags[i];
		int end = start + skb_frag_size(frag);

		if (offset < end) {
			part = min(end - offset, len);
			st_buf_put_frag(buf, pos, frag, offset - start, part, csum, there);
			pos += part;
			offset += part;
			len -= part;
		}
		start = end;
	}
	skb_walk_frags(skb, more) {
		int end = start + more->len;

		if (!len)
			break;
		if (offset < end) {
			part = min(end - offset, len);
			err = st_buf_place(buf, pos, more, offset - start, part, csum, there);
			if (err)
				return err;
			pos += part;
			offset += part;
			len -= part;
		}
		start = end;
	}
	return len ? -EFAULT : 0;
}
EXPORT_SYMBOL_IF_KUNIT(st_buf_place);

/**
 * st_buf_segment - get the memory of a byte of a buffer
 * @buf: the buffer
 * @pos: the byte, inside the buffer
 * @len: wanted bytes, not 0
 * @seg: set to memory inside one page, at most @len bytes
 *
 * Context: any.
 */
void st_buf_segment(const struct st_buf *buf, u64 pos, u32 len, struct bio_vec *seg)
{
	const struct st_seg *s;
	u32 skip;

	buf = st_buf_whole(buf, &pos);
	s = st_buf_seg(buf, pos);
	skip = pos - s->start;
	bvec_set_page(seg, s->page, min(len, s->len - skip), s->off + skip);
}

/**
 * st_buf_fit - how many bytes fit into the page fragments of one skb
 * @buf: the buffer
 * @pos: first byte
 * @len: wanted bytes, inside the buffer
 *
 * Context: any.
 * Return: 1 to @len.
 */
u32 st_buf_fit(const struct st_buf *buf, u64 pos, u32 len)
{
	const struct st_seg *seg;
	unsigned int last;

	buf = st_buf_whole(buf, &pos);
	seg = st_buf_seg(buf, pos);
	last = seg - buf->seg + MAX_SKB_FRAGS - 1;
	if (last >= buf->nr)
		return len;
	seg = &buf->seg[last];
	return min_t(u64, len, seg->start + seg->len - pos);
}
EXPORT_SYMBOL_IF_KUNIT(st_buf_fit);

static void st_buf_attach_page(struct st_buf *buf, struct sk_buff *skb, const struct bio_vec *seg,
			       struct st_csum *csum)
{
	if (csum) {
		void *from = kmap_local_page(seg->bv_page);

		st_csum_add(csum, csum_partial(from + seg->bv_offset, seg->bv_len, 0),
			    seg->bv_len);
		kunmap_local(from);
	}
	get_page(seg->bv_page);
	skb_add_rx_frag(skb, skb_shinfo(skb)->nr_frags, seg->bv_page, seg->bv_offset,
			seg->bv_len, seg->bv_len);
	/* Every skb in the frag_list holds the buffer itself: it may outlive the others */
	if (buf->pinned && !skb_zcopy(skb))
		skb_zcopy_set(skb, &buf->uarg, NULL);
}

/**
 * st_buf_attach - append bytes of a buffer to an operation without a copy
 * @buf: the buffer
 * @pos: first byte
 * @len: bytes, inside the buffer
 * @skb: the operation, without fragments; it and the skbs in its frag_list get references
 *	to the pages
 * @csum: checksum to add the bytes to, or NULL
 *
 * Context: any.
 * Return: 0, or -ENOMEM with some of the bytes in @skb.
 */
int st_buf_attach(struct st_buf *buf, u64 pos, u32 len, struct sk_buff *skb,
		  struct st_csum *csum)
{
	struct sk_buff *last = skb, *more;
	struct bio_vec seg;

	while (len) {
		if (skb_shinfo(last)->nr_frags == MAX_SKB_FRAGS) {
			more = alloc_skb(0, GFP_ATOMIC | __GFP_NOWARN);
			if (!more)
				return -ENOMEM;
			if (last == skb)
				skb_shinfo(skb)->frag_list = more;
			else
				last->next = more;
			last = more;
			skb->truesize += more->truesize;
		}
		st_buf_segment(buf, pos, len, &seg);
		st_buf_attach_page(buf, last, &seg, csum);
		if (last != skb) {
			skb->len += seg.bv_len;
			skb->data_len += seg.bv_len;
			skb->truesize += seg.bv_len;
		}
		pos += seg.bv_len;
		len -= seg.bv_len;
	}
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(st_buf_attach);
