// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/fcvi: Connection Setups and Disconnects, VI-DG 3.3.  One call begins, another one waits, so
 * that a signal loses nothing.
 */
#include <linux/string.h>

#include "dev_connect.h"
#include "dev_event.h"
#include "vi.h"

/**
 * fcvi_addr_from - take an address from a program
 * @to: the address
 * @from: what the program gives
 *
 * Return: 0 or -EINVAL.
 */
int fcvi_addr_from(struct fcvi_addr *to, const struct fcvi_dev_addr *from)
{
	if (from->discrim_len < FCVI_DISCRIM_MIN || from->discrim_len > FCVI_DISCRIM_MAX ||
	    memchr_inv(from->reserved, 0, sizeof(from->reserved)) ||
	    memchr_inv(from->discrim + from->discrim_len, 0,
		       sizeof(from->discrim) - from->discrim_len))
		return -EINVAL;
	memcpy(&to->host, from->host, sizeof(to->host));
	to->len = from->discrim_len;
	memcpy(to->discrim, from->discrim, sizeof(to->discrim));
	return 0;
}

/**
 * fcvi_addr_tell - tell a program an address
 * @to: what the program gets
 * @from: the address
 */
void fcvi_addr_tell(struct fcvi_dev_addr *to, const struct fcvi_addr *from)
{
	memset(to, 0, sizeof(*to));
	memcpy(to->host, &from->host, sizeof(to->host));
	to->discrim_len = from->len;
	memcpy(to->discrim, from->discrim, sizeof(to->discrim));
}

/**
 * fcvi_attrs_tell - tell a program attributes
 * @to: what the program gets
 * @from: the attributes
 * @tag: number of the protection tag
 */
void fcvi_attrs_tell(struct fcvi_dev_attrs *to, const struct fcvi_attrs *from, u32 tag)
{
	*to = (struct fcvi_dev_attrs) {
		.level		= from->level,
		.flags		= (from->rdma_write ? FCVI_DEV_RDMA_WRITE : 0) |
				  (from->rdma_read ? FCVI_DEV_RDMA_READ : 0) |
				  (from->pref ? FCVI_DEV_PREF : 0),
		.max_trans_size	= from->max_trans_size,
		.pipeline_depth	= from->pipeline_depth,
		.tag		= tag,
	};
}

/**
 * fcvi_attrs_error - the error for attributes of two endpoints that differ
 * @differs: enum fcvi_difference
 *
 * Return: a negative errno.
 */
int fcvi_attrs_error(u8 differs)
{
	switch (differs) {
	case FCVI_DIFFERENT_LEVEL:
		return -EPROTOTYPE;
	case FCVI_DIFFERENT_SIZE:
		return -EMSGSIZE;
	default:
		return -EPROTONOSUPPORT;
	}
}

static void fcvi_uvi_outcome(struct fcvi_uvi *u, int outcome)
{
	lockdep_assert_held(&u->file->port->lock);
	if (u->asked != FCVI_ASKED)
		return;
	u->outcome = outcome;
	WRITE_ONCE(u->asked, FCVI_ASKED_DONE);
}

static void fcvi_uvi_ended(struct fcvi_uvi *u, int how)
{
	lockdep_assert_held(&u->file->port->lock);
	u->ended = how;
	WRITE_ONCE(u->ends, u->ends + 1);
}

/**
 * fcvi_uvi_tell - struct fcvi_user_ops' tell
 * @vi: the endpoint
 * @news: what has happened to it
 */
void fcvi_uvi_tell(struct fcvi_vi *vi, enum fcvi_news news)
{
	struct fcvi_uvi *u = vi->priv;

	switch (news) {
	case FCVI_NEWS_CONNECTED:
		fcvi_uvi_outcome(u, 0);
		break;
	case FCVI_NEWS_NO_MATCH:
		fcvi_uvi_outcome(u, -EADDRNOTAVAIL);
		break;
	case FCVI_NEWS_REJECT:
		fcvi_uvi_outcome(u, -ECONNREFUSED);
		break;
	case FCVI_NEWS_ATTRS:
		fcvi_uvi_outcome(u, fcvi_attrs_error(vi->differs));
		break;
	case FCVI_NEWS_TIMEOUT:
		fcvi_uvi_outcome(u, -ETIMEDOUT);
		break;
	case FCVI_NEWS_UNREACHABLE:
		fcvi_uvi_outcome(u, -ENETUNREACH);
		break;
	case FCVI_NEWS_LOST:
		fcvi_event_vi(u, FCVI_DEV_ERR_CONN_LOST, NULL);
		break;
	case FCVI_NEWS_DISCONNECTED:
		fcvi_uvi_ended(u, 0);
		break;
	case FCVI_NEWS_NOT_DISCONNECTED:
		fcvi_uvi_ended(u, -ENETUNREACH);
		break;
	case FCVI_NEWS_COMPLETE:
		return;
	}
	wake_up_interruptible(&u->wait);
}

/**
 * fcvi_dev_connect - FCVI_IOC_CONNECT
 * @f: the file, under its lock
 * @arg: struct fcvi_dev_connect
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_connect(struct fcvi_file *f, void *arg)
{
	const struct fcvi_dev_connect *a = arg;
	struct fcvi_uvi *u = fcvi_uvi(f, a->vi);
	struct fcvi_addr loc, rem;
	int err;

	if (a->reserved || a->flags & ~FCVI_DEV_PEER || !a->timeout || !u ||
	    fcvi_addr_from(&loc, &a->loc) || fcvi_addr_from(&rem, &a->rem))
		return -EINVAL;
	fcvi_lock(f->port);
	if (u->vi->state != FCVI_IDLE) {
		err = -EISCONN;
	} else {
		/* The outcome may be known at once */
		u->asked = FCVI_ASKED;
		err = fcvi_connect_to(u->vi, a->flags & FCVI_DEV_PEER ? FCVI_PEER : FCVI_CLIENT,
				      &loc, &rem, a->timeout);
		if (err)
			u->asked = FCVI_ASKED_NOTHING;
	}
	fcvi_unlock(f->port);
	return err;
}

static struct fcvi_uvi *fcvi_uvi_get(struct fcvi_file *f, const struct fcvi_dev_outcome *a)
{
	struct fcvi_uvi *u;

	if (a->flags & ~FCVI_DEV_NOWAIT)
		return NULL;
	mutex_lock(&f->lock);
	u = fcvi_uvi(f, a->vi);
	if (u)
		kref_get(&u->refs);
	mutex_unlock(&f->lock);
	return u;
}

/* What has come of a setup, which is told once */
static int fcvi_uvi_result(struct fcvi_uvi *u, struct fcvi_dev_outcome *a)
{
	struct fcvi_file *f = u->file;
	int err = -ECANCELED;

	mutex_lock(&f->lock);
	if (!u->vi) {
		err = f->over ?: err;
		goto out;
	}
	fcvi_lock(f->port);
	if (u->asked == FCVI_ASKED_DONE) {
		u->asked = FCVI_ASKED_NOTHING;
		err = u->outcome;
		fcvi_attrs_tell(&a->attrs, &u->vi->rmt_attrs, 0);
	} else {
		err = u->asked == FCVI_ASKED ? -EAGAIN : -ENOTCONN;
	}
	fcvi_unlock(f->port);
out:
	mutex_unlock(&f->lock);
	return err;
}

/**
 * fcvi_dev_connect_wait - FCVI_IOC_CONNECT_WAIT
 * @f: the file, not under its lock
 * @arg: struct fcvi_dev_outcome
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_connect_wait(struct fcvi_file *f, void *arg)
{
	struct fcvi_dev_outcome *a = arg;
	struct fcvi_uvi *u = fcvi_uvi_get(f, a);
	int err = 0;

	if (!u)
		return -EINVAL;
	if (!(a->flags & FCVI_DEV_NOWAIT))
		err = wait_event_interruptible(u->wait, READ_ONCE(u->asked) != FCVI_ASKED ||
					       !READ_ONCE(u->vi));
	if (!err)
		err = fcvi_uvi_result(u, a);
	kref_put(&u->refs, fcvi_uvi_release);
	return err;
}

/* Begin a Disconnect, or join one that is under way.  @ends: those that were over before */
static int fcvi_uvi_disconnect(struct fcvi_uvi *u, u32 *ends)
{
	struct fcvi_file *f = u->file;
	int err;

	mutex_lock(&f->lock);
	if (!u->vi) {
		err = f->over ?: -ECANCELED;
	} else {
		fcvi_lock(f->port);
		*ends = u->ends;
		fcvi_uvi_outcome(u, -ECANCELED);
		err = fcvi_disconnect(u->vi);
		fcvi_unlock(f->port);
		wake_up_interruptible(&u->wait);
	}
	mutex_unlock(&f->lock);
	return err == -EALREADY ? 0 : err;
}

/**
 * fcvi_dev_disconnect - FCVI_IOC_DISCONNECT
 * @f: the file, not under its lock
 * @arg: struct fcvi_dev_outcome
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_disconnect(struct fcvi_file *f, void *arg)
{
	struct fcvi_dev_outcome *a = arg;
	struct fcvi_uvi *u = fcvi_uvi_get(f, a);
	u32 ends;
	int err;

	if (!u)
		return -EINVAL;
	err = fcvi_uvi_disconnect(u, &ends);
	if (!err && a->flags & FCVI_DEV_NOWAIT)
		err = READ_ONCE(u->ends) == ends ? -EAGAIN : 0;
	else if (!err)
		err = wait_event_interruptible(u->wait, READ_ONCE(u->ends) != ends ||
					       !READ_ONCE(u->vi));
	if (!err && READ_ONCE(u->ends) == ends)
		err = READ_ONCE(f->over) ?: -ECANCELED;
	else if (!err)
		err = READ_ONCE(u->ended);
	kref_put(&u->refs, fcvi_uvi_release);
	return err;
}
