// SPDX-License-Identifier: GPL-2.0
/*
 * Persistent memory regions, ST 6.1.4.1 and 6.2.12: memory that an application lends to the
 * peer of a Virtual Connection, and takes back.
 *
 * The bytes of a region lie in buffers of 2^ST_BUFSIZE bytes from Bufx 0 on.  R-Offset is the
 * offset in the first page, so that Offsets are aligned as the memory is.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/uio.h>

#include "conn/conn.h"
#include "conn/placement.h"
#include "mem/region.h"
#include "mem/remote.h"

#define ST_REGION_ACCESS	(ST_REGION_PUT | ST_REGION_GET | ST_REGION_FETCHOP)
#define ST_REGION_WRITTEN	(ST_REGION_PUT | ST_REGION_FETCHOP | ST_REGION_LOCAL_WRITE)

static void st_region_unref(struct st_region *r)
{
	if (!--r->refs)
		kfree(r);
}

/**
 * st_region_free - free a region
 * @r: the region, without memory
 */
void st_region_free(struct st_region *r)
{
	st_assert_locked(r->st);
	list_del(&r->list);
	r->st->mem->nr_regions--;
	st_region_unref(r);
}

/* Return: false above a limit; the region is counted in any case. */
static bool st_region_charge(struct st_net *sn, u64 len, bool admin)
{
	unsigned int regions = atomic_inc_return(&sn->regions);
	u64 bytes = atomic64_add_return(len, &sn->region_bytes);

	return regions <= st_share(READ_ONCE(sn->max_regions), admin) &&
	       bytes <= st_share(READ_ONCE(sn->max_region_bytes), admin);
}

static void st_region_uncharged(struct st_net *sn, u64 len)
{
	atomic_dec(&sn->regions);
	atomic64_sub(len, &sn->region_bytes);
}

/* Called when the memory of a region is freed. */
static void st_region_uncharge(struct st_buf *buf)
{
	st_region_uncharged(st_pernet(buf->net), buf->len);
	put_net_track(buf->net, &buf->tracker);
}

/* Data queued for sending may keep the memory longer than the region exists. */
static void st_region_charged(struct st_sock *st, struct st_buf *buf)
{
	buf->uncharge = st_region_uncharge;
	buf->net = get_net_track(sock_net(&st->sk), &buf->tracker, GFP_ATOMIC | __GFP_NOWARN);
}

/* Release the memory after its last use.  Process context; may sleep. */
static void st_region_give_back(struct st_region *r)
{
	struct st_sock *st = r->st;
	struct st_mem *mem = st->mem;

	st_buf_free(r->buf, r->writable);
	spin_lock_bh(&st->lock);
	list_del(&r->pin);
	spin_unlock_bh(&st->lock);
	atomic_dec(&mem->held);
	wake_up_all(&mem->held_wait);
}

/* Runs a grace period after the peer, or the end of the connection, ended the region */
static void st_region_release(struct work_struct *work)
{
	struct st_region *r = container_of(to_rcu_work(work), struct st_region, release);
	const struct st_event event = {
		.type = ST_EVENT_REGION_END,
		.error = r->err,
		.id = r->id,
		.len = r->len,
		.token = r->token,
	};
	struct st_sock *st = r->st;

	st_region_give_back(r);
	st_mem_tell(st, ST_REGION_EV_STATE, &event);
	spin_lock_bh(&st->lock);
	st_region_unref(r);
	spin_unlock_bh(&st->lock);
	sock_put(&st->sk);
}

/*
 * Stop new reads from and writes to the memory.  Operations that would write to it end with
 * @err.
 */
static void st_region_withdraw(struct st_sock *st, struct st_region *r, int err)
{
	struct st_mem *mem = st->mem;

	st_assert_locked(st);
	mem->by_mx[r->mx % ST_MX_PLACES] = NULL;
	xa_erase(&mem->by_id, r->id);
	mem->bytes -= r->len;
	st_serve_drop(mem, r);
	st_placement_take_back(st, r->buf);
	st_onesided_withdraw(st, r->buf, err);
	r->ending = true;
}

/**
 * st_region_lose - end a region that the application has not ended
 * @st: the Virtual Connection
 * @r: the region, not ending
 * @err: why, a positive errno; 0 when the peer has ended it
 *
 * The event for the application is queued when its memory has been released.
 */
void st_region_lose(struct st_sock *st, struct st_region *r, int err)
{
	st_assert_locked(st);
	st_region_withdraw(st, r, err ? -err : -EREMOTEIO);
	r->err = err;
	sock_hold(&st->sk);
	queue_rcu_work(st_mem_wq, &r->release);
	st_region_free(r);
}

/* Whether a region has memory, which it may still have for a while after its end. */
static bool st_region_pinned(struct st_sock *st, u32 id)
{
	const struct st_region *r;
	bool found = false;

	spin_lock_bh(&st->lock);
	if (st->mem)
		list_for_each_entry(r, &st->mem->pinned, pin)
			found |= r->id == id;
	spin_unlock_bh(&st->lock);
	return found;
}

/* Wait for the memory of a region that is over already. */
static int st_region_await(struct st_sock *st, u32 id)
{
	if (!st_region_pinned(st, id))
		return -ENOENT;
	wait_event(st->mem->held_wait, !st_region_pinned(st, id));
	return 0;
}

/**
 * st_region_end - end a region, or withdraw an offer, for the application
 * @st: the Virtual Connection
 * @id: the handle
 *
 * Context: process, may sleep.
 * Return: 0 when nothing writes to the memory any more, whichever end has ended the region;
 * -ENOENT when it has no memory.
 */
int st_region_end(struct st_sock *st, u32 id)
{
	struct st_region *r;

	spin_lock_bh(&st->lock);
	r = st->mem ? st_region_find(st->mem, id) : NULL;
	if (!r || r->ending) {
		spin_unlock_bh(&st->lock);
		return st_region_await(st, id);
	}
	st_region_withdraw(st, r, -ECANCELED);
	if (r->granted) {
		st_region_over(st->mem, r);
		st_queue_end(st, r->peer_id, r->id, &r->retrans);
	} else {
		st_region_free(r);	/* the memory still holds a reference */
	}
	/* Operations that would write to it may have blocked others */
	st_onesided_pump(st);
	st_unlock(st);

	/* An LLP with an older placement may still write */
	synchronize_rcu();
	st_region_give_back(r);
	spin_lock_bh(&st->lock);
	st_region_unref(r);
	spin_unlock_bh(&st->lock);
	return 0;
}

static int st_region_check(struct st_sock *st, bool alloc, const struct st_region_offer *offer)
{
	if ((offer->access & ~(ST_REGION_ACCESS | ST_REGION_LOCAL_WRITE)) ||
	    (offer->flags & ~ST_REGION_ANSWER) ||
	    (offer->flags && !(offer->access & ST_REGION_ACCESS)) ||
	    (!offer->flags && offer->request) || !offer->len)
		return -EINVAL;
	if (alloc && (offer->addr || !PAGE_ALIGNED(offer->len)))
		return -EINVAL;
	if ((offer->access & ST_REGION_FETCHOP) && IS_ENABLED(CONFIG_GENERIC_ATOMIC64))
		return -EOPNOTSUPP;
	if (offer->len > ST_REGION_LEN_MAX ||
	    offer->len > READ_ONCE(st_net_of(st)->conn_region_bytes))
		return -ENOBUFS;
	return READ_ONCE(st->sk.sk_state) == ST_ESTABLISHED ? 0 : -ENOTCONN;
}

/* Set up the memory of a region.  Return: 0 or a negative errno. */
static int st_region_load(struct st_region *r, bool alloc, const struct st_region_offer *offer)
{
	struct mmpin mmp = {};
	struct iov_iter iter;
	struct st_buf *buf;

	if (alloc) {
		/* Not swappable, so it counts as pinned memory does */
		if (mm_account_pinned_pages(&mmp, offer->len))
			return -ENOBUFS;
		buf = st_buf_alloc(offer->len, GFP_KERNEL_ACCOUNT | __GFP_ZERO);
		if (!buf) {
			mm_unaccount_pinned_pages(&mmp);
			return -ENOMEM;
		}
		buf->mmp = mmp;
		r->mapped = true;
	} else {
		if (!access_ok(u64_to_user_ptr(offer->addr), offer->len))
			return -EFAULT;
		/* A region that is only read may lie in memory that the caller can't write */
		iov_iter_ubuf(&iter, r->writable ? ITER_DEST : ITER_SOURCE,
			      u64_to_user_ptr(offer->addr), offer->len);
		buf = st_buf_pin(&iter, offer->len);
		if (IS_ERR(buf))
			return PTR_ERR(buf);
		r->at.offset = offset_in_page(offer->addr);
	}
	r->buf = buf;
	return 0;
}

/* Offer a region, or grant it. */
static int st_region_add(struct st_sock *st, struct st_region *r,
			 const struct st_region_offer *offer)
{
	struct st_net *sn = st_net_of(st);
	struct st_asked *asked = NULL;
	struct st_mem *mem;
	unsigned int i;

	st_assert_locked(st);
	if (st->sk.sk_state != ST_ESTABLISHED)
		return -ENOTCONN;
	if (st_mem_prepare(st))
		return -ENOMEM;
	mem = st->mem;
	if (offer->flags & ST_REGION_ANSWER) {
		asked = st_asked_find(mem, offer->request);
		if (!asked)
			return -ENOENT;
		if (asked->len > r->len)
			return -EINVAL;
	}
	if (mem->nr_regions >= min(READ_ONCE(sn->conn_regions), ST_REGIONS) ||
	    r->len > READ_ONCE(sn->conn_region_bytes) ||
	    mem->bytes > READ_ONCE(sn->conn_region_bytes) - r->len)
		return -ENOBUFS;
	for (i = 0; mem->by_mx[i]; i++)
		;
	r->id = st_new_id(st);
	if (xa_reserve(&mem->by_id, r->id, GFP_ATOMIC | __GFP_NOWARN))
		return -ENOMEM;
	r->mx = st_mem_new_mx(mem, ST_MX_MEM, i);
	r->info.region = r->id;
	st_region_charged(st, r->buf);
	mem->by_mx[i] = r;
	mem->nr_regions++;
	mem->bytes += r->len;
	atomic_inc(&mem->held);
	list_add_tail(&r->list, &mem->regions);
	list_add_tail(&r->pin, &mem->pinned);
	if (asked) {
		st_region_grant(st, r, asked->peer_id, asked->len);
		st_asked_free(mem, asked);
	}
	return 0;
}

/**
 * st_region_offer - offer a region, or grant it to a request
 * @st: the Virtual Connection
 * @alloc: SIOCSTALLOC, not SIOCSTEXPOSE
 * @offer: the parameters; its results are set
 *
 * Context: process, may sleep.
 * Return: 0 or a negative errno, see include/uapi/linux/st.h.
 */
int st_region_offer(struct st_sock *st, bool alloc, struct st_region_offer *offer)
{
	unsigned int why = ST_DROP_REGION_LIMIT;
	struct st_net *sn = st_net_of(st);
	struct st_region *r;
	int err;

	err = st_region_check(st, alloc, offer);
	if (err)
		goto refused;
	err = -ENOBUFS;
	if (!st_region_charge(sn, offer->len, st_is_admin(st)))
		goto uncharge;
	err = -ENOMEM;
	r = kzalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);
	if (!r)
		goto uncharge;
	r->st = st;
	r->refs = 2;
	r->access = offer->access & ST_REGION_ACCESS;
	r->writable = alloc || (offer->access & ST_REGION_WRITTEN);
	r->len = offer->len;
	r->token = offer->token;
	INIT_RCU_WORK(&r->release, st_region_release);
	err = st_region_load(r, alloc, offer);
	if (err) {
		why = ST_DROP_MEMLOCK;
		goto free;
	}
	spin_lock_bh(&st->lock);
	err = st_region_add(st, r, offer);
	if (!err) {
		/* Once unlocked, the region may be freed */
		offer->region = r->id;
		if (r->mapped)
			offer->addr = (u64)(r->mx % ST_MX_PLACES) << ST_REGION_MAP_SHIFT;
	}
	st_unlock(st);
	if (!err)
		return 0;
	st_buf_free(r->buf, false);
free:
	kfree(r);
uncharge:
	st_region_uncharged(sn, offer->len);
refused:
	if (err == -ENOBUFS)
		atomic64_inc(&sn->drops[why]);
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(st_region_offer);

/**
 * st_region_part - get memory of a region to send from or to receive into
 * @st: the Virtual Connection
 * @from: the range of bytes
 * @write: for writing
 *
 * The memory stays pinned until all of it is sent, even beyond the end of the region.
 *
 * Context: process, may sleep.
 * Return: the part, for st_buf_free(), or an ERR_PTR: -ENOENT, -ERANGE, -EACCES for a region
 * that is not writable, -ENOMEM.
 */
struct st_buf *st_region_part(struct st_sock *st, const struct st_send_from *from, bool write)
{
	struct st_buf *whole = NULL, *part;
	struct st_region *r;
	int err = -ENOENT;

	spin_lock_bh(&st->lock);
	r = st->mem ? st_region_find(st->mem, from->region) : NULL;
	if (r && !r->ending) {
		err = write && !r->writable ? -EACCES : -ERANGE;
		if (err == -ERANGE && from->offset <= r->len &&
		    from->len <= r->len - from->offset) {
			whole = r->buf;
			st_buf_hold(whole);
		}
	}
	spin_unlock_bh(&st->lock);
	if (!whole)
		return ERR_PTR(err);
	part = st_buf_part(whole, from->offset, from->len);
	st_buf_free(whole, false);
	return part ?: ERR_PTR(-ENOMEM);
}
