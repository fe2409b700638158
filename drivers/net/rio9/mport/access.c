// SPDX-License-Identifier: GPL-2.0
/*
 * Registers, as the core reads and writes them: under spinlocks, too.
 */
#include <linux/rcupdate.h>
#include <linux/rio_drv.h>

#include "mport.h"

/**
 * struct rio9_mport_access - an access to a register
 * @local: of the port; otherwise of another device
 * @write: writes it
 * @id: destination ID of the other device
 * @hops: switches on the way to it
 * @offset: the register
 * @len: bytes
 */
struct rio9_mport_access {
	bool local;
	bool write;
	u16 id;
	u8 hops;
	u32 offset;
	int len;
};

static int rio9_mport_do(struct rio9_port *port, const struct rio9_mport_access *a, u32 *data)
{
	if (a->local)
		return a->write ? rio9_reg_write(port, a->offset, *data) :
				  rio9_reg_read(port, a->offset, data);
	return a->write ? rio9_maint_write(port, a->id, a->hops, a->offset, *data) :
			  rio9_maint_read(port, a->id, a->hops, a->offset, data);
}

static int rio9_mport_access(struct rio_mport *mport, const struct rio9_mport_access *a, u32 *data)
{
	struct rio9_mport *m = container_of(mport, struct rio9_mport, mport);
	struct rio9_port *port;
	int err = -ENODEV;

	if (a->len != sizeof(u32)) {
		dev_warn_ratelimited(&mport->dev, "%s register 0x%x: found %d bytes, expected 4\n",
				     a->write ? "write to" : "read of", a->offset, a->len);
		return -EINVAL;
	}
	rcu_read_lock();
	port = rcu_dereference(m->port);
	if (port)
		err = rio9_mport_do(port, a, data);
	rcu_read_unlock();
	return err;
}

static int rio9_mport_lcread(struct rio_mport *mport, int index, u32 offset, int len, u32 *data)
{
	const struct rio9_mport_access a = { .local = true, .offset = offset, .len = len };

	return rio9_mport_access(mport, &a, data);
}

static int rio9_mport_lcwrite(struct rio_mport *mport, int index, u32 offset, int len, u32 data)
{
	const struct rio9_mport_access a = {
		.local = true, .write = true, .offset = offset, .len = len,
	};

	return rio9_mport_access(mport, &a, &data);
}

static int rio9_mport_cread(struct rio_mport *mport, int index, u16 destid, u8 hopcount,
			    u32 offset, int len, u32 *data)
{
	const struct rio9_mport_access a = {
		.id = destid, .hops = hopcount, .offset = offset, .len = len,
	};

	return rio9_mport_access(mport, &a, data);
}

static int rio9_mport_cwrite(struct rio_mport *mport, int index, u16 destid, u8 hopcount,
			     u32 offset, int len, u32 data)
{
	const struct rio9_mport_access a = {
		.write = true, .id = destid, .hops = hopcount, .offset = offset, .len = len,
	};

	return rio9_mport_access(mport, &a, &data);
}

static int rio9_mport_dsend(struct rio_mport *mport, int index, u16 destid, u16 data)
{
	dev_warn_ratelimited(&mport->dev,
			     "found a doorbell for 0x%x, expected none: ports have data streaming only\n",
			     destid);
	return -EOPNOTSUPP;
}

struct rio_ops rio9_mport_ops = {
	.lcread = rio9_mport_lcread,
	.lcwrite = rio9_mport_lcwrite,
	.cread = rio9_mport_cread,
	.cwrite = rio9_mport_cwrite,
	.dsend = rio9_mport_dsend,
};
