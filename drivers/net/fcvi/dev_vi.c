// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/fcvi: endpoints, VI-DG 3.2, 3.7.2 and 3.7.3.
 */
#include <linux/slab.h>

#include "dev_connect.h"
#include "dev_cq.h"
#include "dev_event.h"
#include "dev_mem.h"
#include "dev_post.h"
#include "dev_vi.h"
#include "vi.h"

#define FCVI_VI_FLAGS	(FCVI_DEV_RDMA_WRITE | FCVI_DEV_RDMA_READ | FCVI_DEV_PREF)

static void fcvi_uvi_async(struct fcvi_vi *vi, enum fcvi_async what)
{
	static const u8 codes[] = {
		[FCVI_ASYNC_POST_DESC]		= FCVI_DEV_ERR_POST_DESC,
		[FCVI_ASYNC_CONN_LOST]		= FCVI_DEV_ERR_CONN_LOST,
		[FCVI_ASYNC_RECVQ_EMPTY]	= FCVI_DEV_ERR_RECVQ_EMPTY,
		[FCVI_ASYNC_VI_OVERRUN]		= FCVI_DEV_ERR_VI_OVERRUN,
		[FCVI_ASYNC_RDMAW_PROT]		= FCVI_DEV_ERR_RDMAW_PROT,
		[FCVI_ASYNC_RDMAW_DATA]		= FCVI_DEV_ERR_RDMAW_DATA,
		[FCVI_ASYNC_RDMAW_ABORT]	= FCVI_DEV_ERR_RDMAW_ABORT,
		[FCVI_ASYNC_RDMAR_PROT]		= FCVI_DEV_ERR_RDMAR_PROT,
		[FCVI_ASYNC_COMP_PROT]		= FCVI_DEV_ERR_COMP_PROT,
		[FCVI_ASYNC_RDMA_TRANSPORT]	= FCVI_DEV_ERR_RDMA_TRANSPORT,
		[FCVI_ASYNC_CATASTROPHIC]	= FCVI_DEV_ERR_CATASTROPHIC,
	};

	fcvi_event_vi(vi->priv, codes[what], NULL);
}

static const struct fcvi_user_ops fcvi_uvi_ops = {
	.tell		= fcvi_uvi_tell,
	.async		= fcvi_uvi_async,
	.fill		= fcvi_uvi_fill,
	.data		= fcvi_uvi_data,
	.complete	= fcvi_uvi_complete,
};

static int fcvi_attrs_from(struct fcvi_file *f, struct fcvi_attrs *to,
			   const struct fcvi_dev_attrs *from)
{
	if (from->reserved || from->flags & ~FCVI_VI_FLAGS)
		return -EINVAL;
	if (from->level < FCVI_UD || from->level > FCVI_RR)
		return -EPROTOTYPE;
	if (!from->max_trans_size)
		return -EMSGSIZE;
	if (from->pipeline_depth > FCVI_DEV_MAX_DEPTH)
		return -EPROTONOSUPPORT;
	if (!fcvi_utag(f, from->tag))
		return -EACCES;
	if (from->flags & FCVI_DEV_RDMA_READ && from->level == FCVI_UD)
		return -EOPNOTSUPP;
	*to = (struct fcvi_attrs) {
		.level		= from->level,
		.rdma_write	= from->flags & FCVI_DEV_RDMA_WRITE,
		.rdma_read	= from->flags & FCVI_DEV_RDMA_READ,
		.pref		= from->flags & FCVI_DEV_PREF,
		.max_trans_size	= from->max_trans_size,
		.pipeline_depth	= from->pipeline_depth,
	};
	return 0;
}

/* An endpoint has a tag, or another one. */
static void fcvi_uvi_tag(struct fcvi_uvi *u, struct fcvi_tag *tag, u32 id)
{
	struct fcvi_mem *mem = &u->file->port->mem;

	lockdep_assert_held(&u->file->port->lock);
	spin_lock(&mem->lock);
	if (u->tag)
		u->vi->tag->users--;
	if (tag)
		tag->users++;
	u->vi->tag = tag;
	u->tag = id;
	spin_unlock(&mem->lock);
}

static int fcvi_uvi_begin(struct fcvi_uvi *u, const struct fcvi_attrs *attrs, u32 tag)
{
	struct fcvi_file *f = u->file;
	int err;

	err = xa_alloc(&f->vis, &u->id, u, XA_LIMIT(1, FCVI_DEV_MAX_VIS), GFP_KERNEL_ACCOUNT);
	if (err)
		return err == -EBUSY ? -ENOSPC : err;
	fcvi_lock(f->port);
	u->vi = fcvi_vi_new(f->port, &fcvi_uvi_ops, attrs, NULL, u);
	if (u->vi)
		fcvi_uvi_tag(u, fcvi_utag(f, tag), tag);
	fcvi_unlock(f->port);
	if (u->vi)
		return 0;
	xa_erase(&f->vis, u->id);
	return -ENOMEM;
}

/**
 * fcvi_dev_vi_create - FCVI_IOC_VI_CREATE
 * @f: the file, under its lock
 * @arg: struct fcvi_dev_vi
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_vi_create(struct fcvi_file *f, void *arg)
{
	struct fcvi_dev_vi *a = arg;
	struct fcvi_attrs attrs;
	struct fcvi_uvi *u;
	unsigned int i;
	int err;

	err = fcvi_attrs_from(f, &attrs, &a->attrs);
	if (err)
		return err;
	u = kzalloc(sizeof(*u), GFP_KERNEL_ACCOUNT);
	if (!u)
		return -ENOMEM;
	kref_init(&u->refs);
	init_waitqueue_head(&u->wait);
	u->file = f;
	u->user = a->user;
	u->cq[FCVI_DEV_SEND] = fcvi_ucq(f, a->send_cq);
	u->cq[FCVI_DEV_RECV] = fcvi_ucq(f, a->recv_cq);
	err = -EINVAL;
	if (!u->cq[FCVI_DEV_SEND] == !a->send_cq && !u->cq[FCVI_DEV_RECV] == !a->recv_cq)
		err = fcvi_uvi_begin(u, &attrs, a->attrs.tag);
	if (err) {
		kfree(u);
		return err;
	}
	for (i = 0; i < ARRAY_SIZE(u->cq); i++)
		if (u->cq[i])
			u->cq[i]->users++;
	a->vi = u->id;
	return 0;
}

static void fcvi_uvi_free(struct fcvi_uvi *u)
{
	struct fcvi_file *f = u->file;
	struct fcvi_vi *vi = u->vi;
	struct fcvi_tag *tag = vi->tag;
	unsigned int i;

	fcvi_lock(f->port);
	/* Its Descriptors complete, which wants the tag */
	fcvi_vi_free(vi);
	spin_lock(&f->port->mem.lock);
	tag->users--;
	spin_unlock(&f->port->mem.lock);
	WRITE_ONCE(u->vi, NULL);
	fcvi_unlock(f->port);
	for (i = 0; i < ARRAY_SIZE(u->cq); i++)
		if (u->cq[i])
			u->cq[i]->users--;
	xa_erase(&f->vis, u->id);
	wake_up_all(&u->wait);
	kref_put(&u->refs, fcvi_uvi_release);
}

/**
 * fcvi_dev_vi_destroy - FCVI_IOC_VI_DESTROY
 * @f: the file, under its lock
 * @arg: struct fcvi_dev_vi
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_vi_destroy(struct fcvi_file *f, void *arg)
{
	const struct fcvi_dev_vi *a = arg;
	struct fcvi_uvi *u = fcvi_uvi(f, a->vi);
	int err = 0;

	if (!u)
		return -EINVAL;
	fcvi_lock(f->port);
	if (u->vi->state != FCVI_IDLE)
		err = -EISCONN;
	else if (u->posted[FCVI_DEV_SEND] || u->posted[FCVI_DEV_RECV])
		err = -EBUSY;
	fcvi_unlock(f->port);
	/* An Idle endpoint leaves that state by a call only, which wants the lock of the file */
	if (!err)
		fcvi_uvi_free(u);
	return err;
}

static u32 fcvi_uvi_state(const struct fcvi_vi *vi)
{
	switch (vi->state) {
	case FCVI_IDLE:
		return FCVI_DEV_IDLE;
	case FCVI_CONNECTED:
		return FCVI_DEV_CONNECTED;
	case FCVI_ERROR:
		return FCVI_DEV_ERROR;
	default:
		return FCVI_DEV_PENDING;
	}
}

/**
 * fcvi_dev_vi_query - FCVI_IOC_VI_QUERY
 * @f: the file, under its lock
 * @arg: struct fcvi_dev_vi
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_vi_query(struct fcvi_file *f, void *arg)
{
	struct fcvi_dev_vi *a = arg;
	struct fcvi_uvi *u = fcvi_uvi(f, a->vi);

	if (!u)
		return -EINVAL;
	memset(a, 0, sizeof(*a));
	a->vi = u->id;
	a->user = u->user;
	a->send_cq = u->cq[FCVI_DEV_SEND] ? u->cq[FCVI_DEV_SEND]->id : 0;
	a->recv_cq = u->cq[FCVI_DEV_RECV] ? u->cq[FCVI_DEV_RECV]->id : 0;
	fcvi_lock(f->port);
	a->state = fcvi_uvi_state(u->vi);
	fcvi_attrs_tell(&a->attrs, &u->vi->attrs, u->tag);
	memcpy(a->posted, u->posted, sizeof(a->posted));
	if (a->state == FCVI_DEV_CONNECTED)
		fcvi_attrs_tell(&a->rmt_attrs, &u->vi->rmt_attrs, 0);
	if (a->state != FCVI_DEV_IDLE) {
		fcvi_addr_tell(&a->loc, &u->vi->loc);
		fcvi_addr_tell(&a->rem, &u->vi->rem);
	}
	fcvi_unlock(f->port);
	return 0;
}

/**
 * fcvi_dev_vi_change - FCVI_IOC_VI_CHANGE
 * @f: the file, under its lock
 * @arg: struct fcvi_dev_vi
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_vi_change(struct fcvi_file *f, void *arg)
{
	const struct fcvi_dev_vi *a = arg;
	struct fcvi_uvi *u = fcvi_uvi(f, a->vi);
	struct fcvi_attrs attrs;
	int err;

	if (!u)
		return -EINVAL;
	err = fcvi_attrs_from(f, &attrs, &a->attrs);
	if (err)
		return err;
	fcvi_lock(f->port);
	if (u->vi->state == FCVI_IDLE) {
		u->vi->attrs = attrs;
		fcvi_uvi_tag(u, fcvi_utag(f, a->attrs.tag), a->attrs.tag);
	} else {
		err = -EISCONN;
	}
	fcvi_unlock(f->port);
	return err;
}

/**
 * fcvi_dev_vi_end - end all endpoints, in any state
 * @f: the file, under its lock
 */
void fcvi_dev_vi_end(struct fcvi_file *f)
{
	struct fcvi_uvi *u;
	unsigned long id;

	lockdep_assert_held(&f->lock);
	xa_for_each(&f->vis, id, u)
		fcvi_uvi_free(u);
	xa_destroy(&f->vis);
}
