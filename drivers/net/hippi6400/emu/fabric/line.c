// SPDX-License-Identifier: GPL-2.0
/*
 * The file portN/line, which makes a program the far end of an uncabled port:
 * read() returns what leaves the port, write() sends to it.
 *
 * An open file holds a reference to the module, so a blocked reader cannot
 * outlive the port.
 */
#include <linux/fs.h>
#include <linux/kfifo.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/wait.h>

#include "emu/fabric/fabric.h"

/* Queue size in either direction: 16 windows, HIPPI-6400-PH 4.8 */
#define EMU_LINE_QUEUE		4096

/**
 * struct emu_line - a program at the far end of a port
 * @emu: all cards
 * @port: number of the port
 * @driven: the port drives its line; written by the thread
 * @wait: woken on any change
 * @read_lock: serializes readers
 * @out: micropackets that left the port; written by the thread
 * @write_lock: serializes writers
 * @in: micropackets for the port; read by the thread
 */
struct emu_line {
	struct emu *emu;
	unsigned int port;
	bool driven;
	wait_queue_head_t wait;
	struct mutex read_lock; /* protects the reading side of @out */
	DECLARE_KFIFO(out, struct h64_upkt, EMU_LINE_QUEUE);
	struct mutex write_lock; /* protects the writing side of @in */
	DECLARE_KFIFO(in, struct h64_upkt, EMU_LINE_QUEUE);
};

/**
 * emu_line_put - queue micropackets that left the port
 * @line: the program at its far end
 * @upkts: the micropackets
 * @n: their number
 *
 * Context: the thread, emu->lock held.
 *
 * Return: the number queued.
 */
unsigned int emu_line_put(struct emu_line *line, const struct h64_upkt *upkts, unsigned int n)
{
	n = kfifo_in(&line->out, upkts, n);
	wake_up_interruptible(&line->wait);
	return n;
}

/**
 * emu_line_take - take micropackets that the program wrote
 * @line: the program
 * @upkts: destination
 * @max: maximum number
 *
 * Context: the thread, emu->lock held.
 *
 * Return: the number taken.
 */
unsigned int emu_line_take(struct emu_line *line, struct h64_upkt *upkts, unsigned int max)
{
	unsigned int n = kfifo_out(&line->in, upkts, max);

	if (n)
		wake_up_interruptible(&line->wait);
	return n;
}

/**
 * emu_line_driven - tell the program whether the port drives its line
 * @line: the program
 * @driven: true if it does
 *
 * Context: the thread, emu->lock held.
 */
void emu_line_driven(struct emu_line *line, bool driven)
{
	if (line->driven == driven)
		return;
	WRITE_ONCE(line->driven, driven);
	wake_up_interruptible(&line->wait);
}

static ssize_t emu_line_read(struct file *file, char __user *user, size_t count, loff_t *pos)
{
	struct emu_line *line = file->private_data;
	unsigned int copied;
	int err;

	if (count < H64_UPKT_SIZE)
		return -EINVAL;

	for (;;) {
		if (mutex_lock_interruptible(&line->read_lock))
			return -ERESTARTSYS;
		err = kfifo_to_user(&line->out, user, count, &copied);
		mutex_unlock(&line->read_lock);
		if (copied)
			return copied;
		if (err)
			return err;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(line->wait, !kfifo_is_empty(&line->out)))
			return -ERESTARTSYS;
	}
}

static ssize_t emu_line_write(struct file *file, const char __user *user, size_t count,
			      loff_t *pos)
{
	struct emu_line *line = file->private_data;
	unsigned int copied;
	size_t done = 0;
	int err = 0;

	if (count % H64_UPKT_SIZE)
		return -EINVAL;

	while (done < count) {
		if (mutex_lock_interruptible(&line->write_lock)) {
			err = -ERESTARTSYS;
			break;
		}
		err = kfifo_from_user(&line->in, user + done, count - done, &copied);
		mutex_unlock(&line->write_lock);
		done += copied;
		if (err || done == count)
			break;
		if (file->f_flags & O_NONBLOCK) {
			err = -EAGAIN;
			break;
		}
		/* wait_event_interruptible() ignores signals while there is room */
		if (signal_pending(current)) {
			err = -ERESTARTSYS;
			break;
		}
		err = wait_event_interruptible(line->wait, !kfifo_is_full(&line->in));
		if (err)
			break;
	}
	return done ?: err;
}

static __poll_t emu_line_poll(struct file *file, poll_table *table)
{
	struct emu_line *line = file->private_data;
	__poll_t events = 0;

	poll_wait(file, &line->wait, table);
	if (!kfifo_is_empty(&line->out))
		events |= EPOLLIN | EPOLLRDNORM;
	if (!kfifo_is_full(&line->in))
		events |= EPOLLOUT | EPOLLWRNORM;
	if (!READ_ONCE(line->driven))
		events |= EPOLLHUP;
	return events;
}

static int emu_line_open(struct inode *inode, struct file *file)
{
	struct emu_port *port = inode->i_private;
	struct emu_line *line;
	int err;

	if ((file->f_flags & O_ACCMODE) != O_RDWR)
		return -EINVAL;

	line = kvzalloc(sizeof(*line), GFP_KERNEL);
	if (!line)
		return -ENOMEM;
	line->emu = port->emu;
	line->port = port - port->emu->port;
	init_waitqueue_head(&line->wait);
	mutex_init(&line->read_lock);
	mutex_init(&line->write_lock);
	INIT_KFIFO(line->out);
	INIT_KFIFO(line->in);

	err = emu_connect_line(line->emu, line->port, line);
	if (err) {
		kvfree(line);
		return err;
	}
	file->private_data = line;
	/* Reads and writes need not serialise with each other */
	return stream_open(inode, file);
}

static int emu_line_release(struct inode *inode, struct file *file)
{
	struct emu_line *line = file->private_data;

	emu_disconnect_line(line->emu, line->port);
	kvfree(line);
	return 0;
}

const struct file_operations emu_line_fops = {
	.owner = THIS_MODULE,
	.open = emu_line_open,
	.read = emu_line_read,
	.write = emu_line_write,
	.poll = emu_line_poll,
	.release = emu_line_release,
};
