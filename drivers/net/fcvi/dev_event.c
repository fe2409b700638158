// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/fcvi: asynchronous errors, VI-DG 3.8.1, by read() and poll().
 */
#include <linux/poll.h>
#include <linux/uaccess.h>

#include "dev_desc.h"
#include "dev_event.h"

/**
 * fcvi_events_init - begin without errors
 * @e: those of a file
 */
void fcvi_events_init(struct fcvi_events *e)
{
	spin_lock_init(&e->lock);
	init_waitqueue_head(&e->wait);
}

/**
 * fcvi_event - tell the program of an error
 * @f: the file
 * @event: the error; it is counted when there is no room
 *
 * Context: any but hard interrupts.
 */
void fcvi_event(struct fcvi_file *f, const struct fcvi_dev_event *event)
{
	struct fcvi_events *e = &f->events;
	struct fcvi_dev_event *to;

	spin_lock_bh(&e->lock);
	if (e->head - e->tail == FCVI_DEV_EVENTS) {
		e->lost++;
	} else {
		to = &e->ring[e->head++ % FCVI_DEV_EVENTS];
		*to = *event;
		to->lost = e->lost;
		e->lost = 0;
	}
	spin_unlock_bh(&e->lock);
	wake_up_interruptible(&e->wait);
}

/**
 * fcvi_event_vi - tell the program of an error of an endpoint
 * @u: the endpoint
 * @code: the error
 * @d: the Descriptor that it is about, or NULL
 */
void fcvi_event_vi(struct fcvi_uvi *u, enum fcvi_dev_error code, const struct fcvi_udesc *d)
{
	const struct fcvi_dev_event event = {
		.code		= code,
		.resource	= d ? FCVI_DEV_RES_DESC : FCVI_DEV_RES_VI,
		.vi		= u->id,
		.vi_user	= u->user,
		.desc		= d ? d->addr : 0,
		.queue		= d ? d->queue : 0,
		.op		= d ? fcvi_desc_status(&d->desc) >> 16 & 7 : 0,
	};

	fcvi_event(u->file, &event);
}

static bool fcvi_event_next(struct fcvi_events *e, struct fcvi_dev_event *event)
{
	bool got;

	spin_lock_bh(&e->lock);
	got = e->head != e->tail;
	if (got)
		*event = e->ring[e->tail++ % FCVI_DEV_EVENTS];
	spin_unlock_bh(&e->lock);
	return got;
}

/**
 * fcvi_event_read - read errors
 * @f: the file
 * @buf: where to
 * @len: room there
 * @wait: until there is one
 *
 * Return: bytes of whole errors; 0: there will be no more; or a negative errno.
 */
ssize_t fcvi_event_read(struct fcvi_file *f, char __user *buf, size_t len, bool wait)
{
	struct fcvi_events *e = &f->events;
	struct fcvi_dev_event event;
	size_t done = 0;
	int err;

	if (len < sizeof(event))
		return -EINVAL;
	if (wait) {
		err = wait_event_interruptible(e->wait, READ_ONCE(e->head) != READ_ONCE(e->tail) ||
					       READ_ONCE(f->over));
		if (err)
			return err;
	}
	while (len - done >= sizeof(event) && fcvi_event_next(e, &event)) {
		if (copy_to_user(buf + done, &event, sizeof(event)))
			return done ?: -EFAULT;
		done += sizeof(event);
	}
	return done || READ_ONCE(f->over) ? done : -EAGAIN;
}

/**
 * fcvi_event_poll - whether there are errors to read
 * @f: the file
 * @file: as VFS knows it
 * @table: of poll()
 *
 * Return: EPOLLIN, EPOLLHUP or nothing.
 */
__poll_t fcvi_event_poll(struct fcvi_file *f, struct file *file, struct poll_table_struct *table)
{
	struct fcvi_events *e = &f->events;
	__poll_t mask = 0;

	poll_wait(file, &e->wait, table);
	if (READ_ONCE(e->head) != READ_ONCE(e->tail))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (READ_ONCE(f->over))
		mask |= EPOLLHUP;
	return mask;
}
