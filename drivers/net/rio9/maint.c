// SPDX-License-Identifier: GPL-2.0
/*
 * Maintenance requests of a port for registers of other devices.
 */
#include <linux/export.h>

#include "port.h"
#include "regs.h"

/**
 * rio9_has_maint - whether the card of a port sends maintenance requests
 * @port: the port
 *
 * Context: any.
 * Return: true if so.
 */
bool rio9_has_maint(const struct rio9_port *port)
{
	return port->ops->maint_read && port->ops->maint_write;
}
EXPORT_SYMBOL_GPL(rio9_has_maint);

/**
 * rio9_maint_read - read a register of another device
 * @port: the port
 * @id: destination ID
 * @hops: switches that the request passes; the next device answers
 * @offset: the register
 * @value: gets its value
 *
 * Context: any.
 * Return: 0; -EOPNOTSUPP if the card sends no such requests; -EINVAL for what is no register;
 *	-ETIMEDOUT if nobody answers; -EREMOTEIO for an error response.
 */
int rio9_maint_read(struct rio9_port *port, u16 id, u8 hops, u32 offset, u32 *value)
{
	if (!rio9_has_maint(port))
		return -EOPNOTSUPP;
	if (!rio9_reg_is_one(offset))
		return -EINVAL;
	return port->ops->maint_read(port, id, hops, offset, value);
}
EXPORT_SYMBOL_GPL(rio9_maint_read);

/**
 * rio9_maint_write - write a register of another device
 * @port: the port
 * @id: destination ID
 * @hops: switches that the request passes; the next device answers
 * @offset: the register
 * @value: for it
 *
 * Context: any.
 * Return: as rio9_maint_read() does.
 */
int rio9_maint_write(struct rio9_port *port, u16 id, u8 hops, u32 offset, u32 value)
{
	if (!rio9_has_maint(port))
		return -EOPNOTSUPP;
	if (!rio9_reg_is_one(offset))
		return -EINVAL;
	return port->ops->maint_write(port, id, hops, offset, value);
}
EXPORT_SYMBOL_GPL(rio9_maint_write);
