// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/fcvi: servers: connection points that wait for clients, and their requests, VI-DG 3.3.1 to
 * 3.3.3.
 */
#include <linux/fc2.h>
#include <linux/slab.h>

#include "dev_connect.h"
#include "dev_request.h"
#include "match.h"
#include "vi.h"

/**
 * struct fcvi_ureq - a connection point, and the request that comes to it
 * @point: the connection point
 * @list: in fcvi_file.points
 * @file: the file
 * @setup: the request; @point waits no longer with it
 * @held: a call waits for it, and frees it
 * @expires: else, when it is forgotten, as it was but a look
 * @id: number of the request
 */
struct fcvi_ureq {
	struct fcvi_point	point;
	struct list_head	list;
	struct fcvi_file	*file;
	struct fcvi_setup	*setup;
	bool			held;
	unsigned long		expires;
	u32			id;
};

static void fcvi_ureq_request(struct fcvi_point *point, struct fcvi_setup *setup)
{
	struct fcvi_ureq *r = container_of(point, struct fcvi_ureq, point);

	fcvi_unlisten(r->file->port, point);
	WRITE_ONCE(r->setup, setup);
	wake_up_interruptible(&r->file->asking);
}

/* It waits no longer, and what has come is refused. */
static void fcvi_ureq_stop(struct fcvi_ureq *r)
{
	struct fcvi_file *f = r->file;

	lockdep_assert_held(&f->lock);
	fcvi_lock(f->port);
	if (r->setup)
		fcvi_reject(r->setup);
	else
		fcvi_unlisten(f->port, &r->point);
	r->setup = NULL;
	fcvi_unlock(f->port);
	f->nr_requests--;
}

static void fcvi_ureq_forget(struct fcvi_ureq *r)
{
	list_del(&r->list);
	fcvi_ureq_stop(r);
	kfree(r);
}

/**
 * fcvi_dev_poll_work - forget connection points some time after a look
 * @work: fcvi_file.poll
 */
void fcvi_dev_poll_work(struct work_struct *work)
{
	struct fcvi_file *f = container_of(to_delayed_work(work), struct fcvi_file, poll);
	struct fcvi_ureq *r, *next;
	bool more = false;

	mutex_lock(&f->lock);
	list_for_each_entry_safe(r, next, &f->points, list) {
		if (r->held)
			continue;
		if (time_after_eq(jiffies, r->expires))
			fcvi_ureq_forget(r);
		else
			more = true;
	}
	if (more && !f->over)
		schedule_delayed_work(&f->poll, msecs_to_jiffies(FCVI_DEV_POLL_MS) / 2);
	mutex_unlock(&f->lock);
}

/* A connection point that an earlier look has left */
static struct fcvi_ureq *fcvi_ureq_left(struct fcvi_file *f, const struct fcvi_addr *addr)
{
	struct fcvi_ureq *r;

	list_for_each_entry(r, &f->points, list)
		if (!r->held && fcvi_addr_equal(&r->point.addr, addr))
			return r;
	return NULL;
}

static struct fcvi_ureq *fcvi_ureq_new(struct fcvi_file *f, const struct fcvi_addr *addr)
{
	struct fcvi_ureq *r;

	if (f->nr_requests == FCVI_DEV_MAX_REQUESTS)
		return ERR_PTR(-ENOSPC);
	r = kzalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);
	if (!r)
		return ERR_PTR(-ENOMEM);
	r->file = f;
	r->point.addr = *addr;
	r->point.request = fcvi_ureq_request;
	f->nr_requests++;
	list_add_tail(&r->list, &f->points);
	fcvi_lock(f->port);
	fcvi_listen(f->port, &r->point);
	fcvi_unlock(f->port);
	return r;
}

/* Return: a connection point that the caller holds, or an ERR_PTR. */
static struct fcvi_ureq *fcvi_ureq_begin(struct fcvi_file *f, const struct fcvi_addr *addr)
{
	struct fcvi_ureq *r;

	mutex_lock(&f->lock);
	if (f->over) {
		r = ERR_PTR(f->over);
	} else if (!fc2_farp_own(fcvi_port_fc2(f->port), &addr->host)) {
		r = ERR_PTR(-EADDRNOTAVAIL);
	} else {
		r = fcvi_ureq_left(f, addr) ?: fcvi_ureq_new(f, addr);
		if (!IS_ERR(r))
			r->held = true;
	}
	mutex_unlock(&f->lock);
	return r;
}

/* Give the request a number, and tell the program what it is. */
static int fcvi_ureq_tell(struct fcvi_ureq *r, struct fcvi_dev_request *a)
{
	struct fcvi_file *f = r->file;
	const struct fcvi_connect *rqst;
	int err;

	err = xa_alloc(&f->requests, &r->id, r, XA_LIMIT(1, U32_MAX), GFP_KERNEL_ACCOUNT);
	if (err)
		return err;
	list_del(&r->list);
	a->request = r->id;
	fcvi_lock(f->port);
	rqst = fcvi_setup_rqst(r->setup);
	fcvi_addr_tell(&a->rem, &rqst->loc);
	fcvi_attrs_tell(&a->attrs, &rqst->attrs, 0);
	fcvi_unlock(f->port);
	return 0;
}

/* The wait is over, with @err. */
static int fcvi_ureq_finish(struct fcvi_ureq *r, struct fcvi_dev_request *a, bool look, int err)
{
	struct fcvi_file *f = r->file;

	mutex_lock(&f->lock);
	r->held = false;
	if (f->over) {
		/* fcvi_dev_request_end() has stopped it */
		err = f->over;
		kfree(r);
	} else if (r->setup) {
		err = fcvi_ureq_tell(r, a);
		if (err)
			fcvi_ureq_forget(r);
	} else if (look && err == -ETIMEDOUT) {
		r->expires = jiffies + msecs_to_jiffies(FCVI_DEV_POLL_MS);
		schedule_delayed_work(&f->poll, msecs_to_jiffies(FCVI_DEV_POLL_MS));
	} else {
		/* A request that comes now is refused, as it would be later */
		fcvi_ureq_forget(r);
	}
	mutex_unlock(&f->lock);
	return err;
}

/**
 * fcvi_dev_request_wait - FCVI_IOC_REQUEST_WAIT
 * @f: the file, not under its lock
 * @arg: struct fcvi_dev_request
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_request_wait(struct fcvi_file *f, void *arg)
{
	struct fcvi_dev_request *a = arg;
	bool look = !a->timeout;
	struct fcvi_addr addr;
	struct fcvi_ureq *r;
	int err;

	if (fcvi_addr_from(&addr, &a->loc))
		return -EINVAL;
	r = fcvi_ureq_begin(f, &addr);
	if (IS_ERR(r))
		return PTR_ERR(r);
	err = fcvi_dev_wait_for(f->asking, READ_ONCE(r->setup) || READ_ONCE(f->over), &a->timeout);
	return fcvi_ureq_finish(r, a, look, err);
}

static void fcvi_ureq_over(struct fcvi_ureq *r)
{
	struct fcvi_file *f = r->file;

	xa_erase(&f->requests, r->id);
	f->nr_requests--;
	kfree(r);
}

/**
 * fcvi_dev_accept - FCVI_IOC_ACCEPT
 * @f: the file, under its lock
 * @arg: struct fcvi_dev_answer
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_accept(struct fcvi_file *f, void *arg)
{
	const struct fcvi_dev_answer *a = arg;
	struct fcvi_ureq *r = xa_load(&f->requests, a->request);
	struct fcvi_uvi *u = fcvi_uvi(f, a->vi);
	int err = -EISCONN;

	if (!r || !u)
		return -EINVAL;
	fcvi_lock(f->port);
	if (u->vi->state == FCVI_IDLE) {
		u->asked = FCVI_ASKED;
		err = fcvi_accept(r->setup, u->vi);
		if (err)
			u->asked = FCVI_ASKED_NOTHING;
		if (err == -EINVAL)
			err = fcvi_attrs_error(u->vi->differs);
	}
	fcvi_unlock(f->port);
	if (!err || err == -ETIMEDOUT)
		fcvi_ureq_over(r);
	return err;
}

/**
 * fcvi_dev_reject - FCVI_IOC_REJECT
 * @f: the file, under its lock
 * @arg: struct fcvi_dev_answer
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_reject(struct fcvi_file *f, void *arg)
{
	const struct fcvi_dev_answer *a = arg;
	struct fcvi_ureq *r = xa_load(&f->requests, a->request);

	if (!r || a->vi)
		return -EINVAL;
	fcvi_lock(f->port);
	fcvi_reject(r->setup);
	fcvi_unlock(f->port);
	fcvi_ureq_over(r);
	return 0;
}

/**
 * fcvi_dev_request_end - refuse all requests, and wait for no others
 * @f: the file, under its lock, which is over
 */
void fcvi_dev_request_end(struct fcvi_file *f)
{
	struct fcvi_ureq *r, *next;
	unsigned long id;

	lockdep_assert_held(&f->lock);
	list_for_each_entry_safe(r, next, &f->points, list) {
		list_del_init(&r->list);
		fcvi_ureq_stop(r);
		if (!r->held)
			kfree(r);
	}
	xa_for_each(&f->requests, id, r) {
		fcvi_ureq_stop(r);
		kfree(r);
	}
	xa_destroy(&f->requests);
	wake_up_all(&f->asking);
}
