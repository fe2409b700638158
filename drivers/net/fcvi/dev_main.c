// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/fcvi: VI Architecture for programs: open files, their calls, and their end.
 *
 * A file is for one process.  Its end has three ways: the process closes the file; its memory goes
 * away, at exec or exit, which a page that is mapped in it tells; or the port goes away.
 */
#include <linux/compat.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/poll.h>
#include <linux/st_compat.h>
#include <linux/uaccess.h>

#include "dev_connect.h"
#include "dev_cq.h"
#include "dev_event.h"
#include "dev_main.h"
#include "dev_mem.h"
#include "dev_port.h"
#include "dev_post.h"
#include "dev_request.h"
#include "dev_vi.h"

/* The largest structure of a call */
union fcvi_dev_arg {
	struct fcvi_dev_vi	vi;
	struct fcvi_dev_connect	connect;
	struct fcvi_dev_request	request;
	struct fcvi_dev_port	port;
};

/**
 * enum fcvi_dev_need - what a call needs
 * @FCVI_NOTHING: it may be called before FCVI_IOC_OPEN
 * @FCVI_PORT: the file has a port, and is the process's
 * @FCVI_LOCK: that, and the lock of the file
 */
enum fcvi_dev_need {
	FCVI_NOTHING,
	FCVI_PORT,
	FCVI_LOCK,
};

/**
 * struct fcvi_dev_call - a call
 * @cmd: its number; 0: there is none
 * @need: enum fcvi_dev_need
 * @fn: what it does
 */
struct fcvi_dev_call {
	unsigned int cmd;
	u8 need;
	int (*fn)(struct fcvi_file *f, void *arg);
};

static int fcvi_dev_shutdown(struct fcvi_file *f, void *arg)
{
	fcvi_file_end(f, -ESHUTDOWN);
	fcvi_dev_mem_unpin(f);
	return 0;
}

#define FCVI_CALL(name, need, fn)	\
	[_IOC_NR(FCVI_IOC_ ## name)] = { FCVI_IOC_ ## name, need, fn }

static const struct fcvi_dev_call fcvi_dev_calls[] = {
	FCVI_CALL(PORTS, FCVI_NOTHING, fcvi_dev_ports),
	FCVI_CALL(OPEN, FCVI_NOTHING, fcvi_dev_open),
	FCVI_CALL(QUERY_PORT, FCVI_LOCK, fcvi_dev_query_port),
	FCVI_CALL(HOSTS, FCVI_PORT, fcvi_dev_hosts),
	FCVI_CALL(SHUTDOWN, FCVI_LOCK, fcvi_dev_shutdown),
	FCVI_CALL(TAG_CREATE, FCVI_LOCK, fcvi_dev_tag_create),
	FCVI_CALL(TAG_DESTROY, FCVI_LOCK, fcvi_dev_tag_destroy),
	FCVI_CALL(MEM_REGISTER, FCVI_PORT, fcvi_dev_mem_register),
	FCVI_CALL(MEM_DEREGISTER, FCVI_LOCK, fcvi_dev_mem_deregister),
	FCVI_CALL(MEM_QUERY, FCVI_LOCK, fcvi_dev_mem_query),
	FCVI_CALL(MEM_CHANGE, FCVI_LOCK, fcvi_dev_mem_change),
	FCVI_CALL(CQ_CREATE, FCVI_LOCK, fcvi_dev_cq_create),
	FCVI_CALL(CQ_RESIZE, FCVI_LOCK, fcvi_dev_cq_resize),
	FCVI_CALL(CQ_DESTROY, FCVI_LOCK, fcvi_dev_cq_destroy),
	FCVI_CALL(VI_CREATE, FCVI_LOCK, fcvi_dev_vi_create),
	FCVI_CALL(VI_DESTROY, FCVI_LOCK, fcvi_dev_vi_destroy),
	FCVI_CALL(VI_QUERY, FCVI_LOCK, fcvi_dev_vi_query),
	FCVI_CALL(VI_CHANGE, FCVI_LOCK, fcvi_dev_vi_change),
	FCVI_CALL(CONNECT, FCVI_LOCK, fcvi_dev_connect),
	FCVI_CALL(CONNECT_WAIT, FCVI_PORT, fcvi_dev_connect_wait),
	FCVI_CALL(DISCONNECT, FCVI_PORT, fcvi_dev_disconnect),
	FCVI_CALL(REQUEST_WAIT, FCVI_PORT, fcvi_dev_request_wait),
	FCVI_CALL(ACCEPT, FCVI_LOCK, fcvi_dev_accept),
	FCVI_CALL(REJECT, FCVI_LOCK, fcvi_dev_reject),
	FCVI_CALL(POST, FCVI_LOCK, fcvi_dev_post),
	FCVI_CALL(WAIT, FCVI_PORT, fcvi_dev_wait),
};

/* Whether the caller may use the file: it has a port, and the process is that of the file. */
static int fcvi_file_allowed(const struct fcvi_file *f)
{
	/* Pairs with that of FCVI_IOC_OPEN */
	if (!smp_load_acquire(&f->port))
		return READ_ONCE(f->over) ?: -ENXIO;
	if (current->mm != f->mm)
		return -EPERM;
	return 0;
}

static int fcvi_dev_do(struct fcvi_file *f, const struct fcvi_dev_call *call, void *arg)
{
	int err = call->need == FCVI_NOTHING ? 0 : fcvi_file_allowed(f) ?: READ_ONCE(f->over);

	if (err || call->need != FCVI_LOCK)
		return err ?: call->fn(f, arg);
	mutex_lock(&f->lock);
	err = f->over ?: call->fn(f, arg);
	mutex_unlock(&f->lock);
	return err;
}

static long fcvi_dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct fcvi_file *f = file->private_data;
	const struct fcvi_dev_call *call = &fcvi_dev_calls[0];
	void __user *user = (void __user *)arg;
	union fcvi_dev_arg a;
	int err;

	if (_IOC_NR(cmd) < ARRAY_SIZE(fcvi_dev_calls))
		call = &fcvi_dev_calls[array_index_nospec(_IOC_NR(cmd),
							  ARRAY_SIZE(fcvi_dev_calls))];
	if (cmd != call->cmd || _IOC_SIZE(cmd) > sizeof(a))
		return -ENOTTY;
	memset(&a, 0, sizeof(a));
	if (_IOC_DIR(cmd) & _IOC_WRITE && copy_from_user(&a, user, _IOC_SIZE(cmd)))
		return -EFAULT;
	err = fcvi_dev_do(f, call, &a);
	/* After an error too: what is left of a timeout, or the room that a list needs */
	if (_IOC_DIR(cmd) & _IOC_READ && copy_to_user(user, &a, _IOC_SIZE(cmd)))
		return -EFAULT;
	return err;
}

static ssize_t fcvi_dev_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct fcvi_file *f = file->private_data;
	int err = fcvi_file_allowed(f);

	return err ?: fcvi_event_read(f, buf, len, !(file->f_flags & O_NONBLOCK));
}

static __poll_t fcvi_dev_poll(struct file *file, struct poll_table_struct *table)
{
	struct fcvi_file *f = file->private_data;

	if (fcvi_file_allowed(f) == -EPERM)
		return EPOLLERR;
	return fcvi_event_poll(f, file, table);
}

static void fcvi_life_open(struct vm_area_struct *vma)
{
	struct fcvi_file *f = vma->vm_private_data;

	WRITE_ONCE(f->life_at, vma->vm_start);
	atomic_inc(&f->life);
}

static void fcvi_life_close(struct vm_area_struct *vma)
{
	struct fcvi_file *f = vma->vm_private_data;

	/* This is under the lock of the process's memory: the rest is left to a work */
	if (atomic_dec_and_test(&f->life))
		queue_work(system_dfl_wq, &f->end);
}

static const struct vm_operations_struct fcvi_life_ops = {
	.open	= fcvi_life_open,
	.close	= fcvi_life_close,
};

static int fcvi_dev_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct fcvi_file *f = file->private_data;
	int err = fcvi_file_allowed(f) ?: READ_ONCE(f->over);

	if (err)
		return err;
	if (vma->vm_pgoff)
		return fcvi_dev_cq_map(f, vma);
	if (vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	/* Nothing is there, and nobody can get at it: not a child, and not by mprotect() */
	vm_flags_mod(vma, VM_IO | VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP,
		     VM_MAYREAD | VM_MAYWRITE | VM_MAYEXEC);
	vma->vm_private_data = f;
	vma->vm_ops = &fcvi_life_ops;
	fcvi_life_open(vma);
	return 0;
}

static void fcvi_dev_end_work(struct work_struct *work)
{
	struct fcvi_file *f = container_of(work, struct fcvi_file, end);

	mutex_lock(&f->lock);
	fcvi_file_end(f, -ESHUTDOWN);
	fcvi_dev_mem_unpin(f);
	mutex_unlock(&f->lock);
}

static int fcvi_dev_file_open(struct inode *inode, struct file *file)
{
	struct fcvi_file *f = kvzalloc(sizeof(*f), GFP_KERNEL_ACCOUNT);

	if (!f)
		return -ENOMEM;
	mutex_init(&f->lock);
	INIT_LIST_HEAD(&f->regions);
	INIT_LIST_HEAD(&f->points);
	xa_init_flags(&f->tags, XA_FLAGS_ALLOC1);
	xa_init_flags(&f->cqs, XA_FLAGS_ALLOC1);
	xa_init_flags(&f->vis, XA_FLAGS_ALLOC1);
	xa_init_flags(&f->requests, XA_FLAGS_ALLOC1);
	init_waitqueue_head(&f->asking);
	fcvi_events_init(&f->events);
	INIT_WORK(&f->end, fcvi_dev_end_work);
	INIT_WORK(&f->fail, fcvi_uvi_fail_work);
	INIT_DELAYED_WORK(&f->poll, fcvi_dev_poll_work);
	f->file = file;
	file->private_data = f;
	return stream_open(inode, file);
}

/* The process closes the file.  The page has a reference to it, which would stay until exit. */
static void fcvi_dev_close(struct fcvi_file *f)
{
	fcvi_dev_end_work(&f->end);
	if (current->mm == f->mm && atomic_read(&f->life) == 1)
		vm_munmap(READ_ONCE(f->life_at), PAGE_SIZE);
}

/* A process closes the file: ours with a call, or any when it ends. */
static int fcvi_dev_flush(struct file *file, fl_owner_t id)
{
	struct fcvi_file *f = file->private_data;

	/* Without a port nothing is there to end.  Pairs with that of FCVI_IOC_OPEN */
	if (smp_load_acquire(&f->port) && id == f->owner)
		fcvi_dev_close(f);
	/* When the process is over, so is what it had */
	flush_work(&f->end);
	return 0;
}

static int fcvi_dev_release(struct inode *inode, struct file *file)
{
	struct fcvi_file *f = file->private_data;

	fcvi_dev_end_work(&f->end);
	/* After this the end of the port queues no work */
	fcvi_file_forget(f);
	cancel_work_sync(&f->end);
	cancel_work_sync(&f->fail);
	cancel_delayed_work_sync(&f->poll);
	mutex_destroy(&f->lock);
	kvfree(f);
	return 0;
}

static const struct file_operations fcvi_dev_fops = {
	.owner		= THIS_MODULE,
	.open		= fcvi_dev_file_open,
	.flush		= fcvi_dev_flush,
	.release	= fcvi_dev_release,
	.unlocked_ioctl	= fcvi_dev_ioctl,
	.compat_ioctl	= compat_ptr_ioctl,
	.read		= fcvi_dev_read,
	.poll		= fcvi_dev_poll,
	.mmap		= fcvi_dev_mmap,
};

/* For all users: a file has no more than its user may pin, and no port without an administrator */
static struct miscdevice fcvi_dev_misc = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "fcvi",
	.fops	= &fcvi_dev_fops,
	.mode	= 0666,
};

static struct fcvi_client fcvi_dev_client = {
	.port_del	= fcvi_dev_port_del,
};

/**
 * fcvi_dev_begin - make the device
 *
 * Return: 0 or a negative errno.
 */
int fcvi_dev_begin(void)
{
	int err;

	fcvi_client_register(&fcvi_dev_client);
	err = misc_register(&fcvi_dev_misc);
	if (err)
		fcvi_client_unregister(&fcvi_dev_client);
	return err;
}

/**
 * fcvi_dev_exit - remove the device, which no process has open
 */
void fcvi_dev_exit(void)
{
	misc_deregister(&fcvi_dev_misc);
	fcvi_client_unregister(&fcvi_dev_client);
}
