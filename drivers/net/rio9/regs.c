// SPDX-License-Identifier: GPL-2.0
/*
 * Registers of an endpoint, chapter 5, and those of other Parts that a host needs to
 * enumerate it.
 *
 * A host may read and write with interrupts disabled, as Linux's rapidio core does.  What
 * has to take other locks is done by work items.
 */
#include <kunit/visibility.h>
#include <linux/bitfield.h>
#include <linux/bitrev.h>
#include <linux/export.h>
#include <linux/rio_regs.h>

#include "port.h"
#include "regs.h"
#include "tm_engine.h"

/* No vendor has given a number to this */
#define RIO9_DEVICE_ID		0x00090000

#define RIO9_DID8		GENMASK(23, 16)
#define RIO9_DID16		GENMASK(15, 0)
#define RIO9_NO_HOST		0xffff
#define RIO9_TIMEOUT_VALUE	GENMASK(31, 8)
#define RIO9_GENERAL		(RIO_PORT_GEN_HOST | RIO_PORT_GEN_MASTER | RIO_PORT_GEN_DISCOVERED)
#define RIO9_ENABLED		(RIO_PORT_N_CTL_EN_RX | RIO_PORT_N_CTL_EN_TX)
#define RIO9_CONTROL		(RIO9_ENABLED | RIO_PORT_N_CTL_LOCKOUT)

/* Registers of the LP-Serial block, whose map is that of one port */
#define RIO9_LP_LINK_TIMEOUT	(RIO9_LP_SERIAL + RIO_PORT_LINKTO_CTL_CSR)
#define RIO9_LP_REPLY_TIMEOUT	(RIO9_LP_SERIAL + RIO_PORT_RSPTO_CTL_CSR)
#define RIO9_LP_GENERAL		(RIO9_LP_SERIAL + RIO_PORT_GEN_CTL_CSR)
#define RIO9_LP_STATUS		(RIO9_LP_SERIAL + RIO_PORT_N_ERR_STS_CSR(0, 1))
#define RIO9_LP_CONTROL		(RIO9_LP_SERIAL + RIO_PORT_N_CTL_CSR(0, 1))

/**
 * rio9_id_unknown - all ones, which is the ID of no endpoint
 * @port: the port
 *
 * Context: any.
 * Return: it, in the size of the IDs of the port.
 */
u16 rio9_id_unknown(const struct rio9_port *port)
{
	return port->caps.large ? U16_MAX : U8_MAX;
}

/**
 * rio9_regs_has_id - whether somebody has told a port its ID
 * @port: the port
 *
 * Context: any.
 * Return: true if so.
 */
bool rio9_regs_has_id(const struct rio9_port *port)
{
	return READ_ONCE(port->id) != rio9_id_unknown(port);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_regs_has_id);

/* The hook that has claimed a mode may have gone meanwhile */
static void rio9_regs_apply_mode(struct rio9_port *port)
{
	struct rio9_regs *regs = &port->regs;
	u8 mode = READ_ONCE(regs->mode);
	unsigned long flags;

	if (!rio9_tm_set_mode(&port->tm, mode))
		return;
	spin_lock_irqsave(&regs->lock, flags);
	if (regs->mode == mode)
		WRITE_ONCE(regs->mode, READ_ONCE(port->tm.mode));
	spin_unlock_irqrestore(&regs->lock, flags);
}

static void rio9_regs_work(struct work_struct *work)
{
	struct rio9_port *port = container_of(work, struct rio9_port, regs.work);
	struct rio9_reassembly *r = &port->reassembly;

	spin_lock_bh(&r->lock);
	if (r->mtu != READ_ONCE(port->mtu))
		rio9_reassembly_set_mtu(r, READ_ONCE(port->mtu));
	spin_unlock_bh(&r->lock);
	rio9_regs_apply_mode(port);
}

/**
 * rio9_regs_init - registers as they are after a reset
 * @port: their port, which has its caps
 */
void rio9_regs_init(struct rio9_port *port)
{
	struct rio9_regs *regs = &port->regs;

	spin_lock_init(&regs->lock);
	INIT_WORK(&regs->work, rio9_regs_work);
	port->id = rio9_id_unknown(port);
	regs->id8 = U8_MAX;
	regs->mode = RIO9_TM_DISABLED;
	regs->host = RIO9_NO_HOST;
	regs->link_timeout = RIO9_TIMEOUT_VALUE;
	regs->reply_timeout = RIO9_TIMEOUT_VALUE;
	regs->control = RIO9_ENABLED;
}

static void rio9_regs_id(struct rio9_port *port, u16 id)
{
	lockdep_assert_held(&port->regs.lock);
	WRITE_ONCE(port->id, id);
	if (port->regs.update)
		schedule_delayed_work(port->regs.update, 0);
}

/**
 * rio9_regs_set_id - the ID of the port is another
 * @port: the port
 * @id: the ID, which fits its size
 *
 * Context: any.
 */
void rio9_regs_set_id(struct rio9_port *port, u16 id)
{
	unsigned long flags;

	spin_lock_irqsave(&port->regs.lock, flags);
	rio9_regs_id(port, id);
	spin_unlock_irqrestore(&port->regs.lock, flags);
}

/**
 * rio9_regs_set_ok - the link of the port is up, or down
 * @port: the port
 * @ok: whether it is up
 *
 * Context: any.
 */
void rio9_regs_set_ok(struct rio9_port *port, bool ok)
{
	unsigned long flags;

	spin_lock_irqsave(&port->regs.lock, flags);
	port->regs.ok = ok;
	spin_unlock_irqrestore(&port->regs.lock, flags);
}

/**
 * rio9_regs_set_update - a device follows the ID of the port
 * @port: the port
 * @update: is queued after each write; NULL: nothing any more
 *
 * Context: any.
 */
void rio9_regs_set_update(struct rio9_port *port, struct delayed_work *update)
{
	unsigned long flags;

	spin_lock_irqsave(&port->regs.lock, flags);
	port->regs.update = update;
	spin_unlock_irqrestore(&port->regs.lock, flags);
}

/**
 * rio9_regs_stats - what the registers of a port have counted
 * @port: the port
 * @stats: get it
 *
 * Context: any.
 */
void rio9_regs_stats(struct rio9_port *port, u64 stats[RIO9_STATS])
{
	unsigned long flags;

	spin_lock_irqsave(&port->regs.lock, flags);
	stats[RIO9_STAT_BAD_MODE] += port->regs.bad_mode;
	stats[RIO9_STAT_BAD_MTU] += port->regs.bad_mtu;
	spin_unlock_irqrestore(&port->regs.lock, flags);
}

/**
 * rio9_port_set_tm_mode - the TM mode is another
 * @port: the port
 * @mode: the mode of register 48, 5.5.1
 *
 * Context: process.
 * Return: 0, -EINVAL for a mode that is reserved, or -EOPNOTSUPP for one that the port does
 * not have.
 */
int rio9_port_set_tm_mode(struct rio9_port *port, u8 mode)
{
	struct rio9_regs *regs = &port->regs;
	unsigned long flags;

	if (mode >= RIO9_TM_MODES || (mode > RIO9_TM_CREDIT_RATE && mode < RIO9_TM_HOOK))
		return -EINVAL;
	if (!rio9_tm_has_mode(&port->tm, mode))
		return -EOPNOTSUPP;
	spin_lock_irqsave(&regs->lock, flags);
	WRITE_ONCE(regs->mode, mode);
	spin_unlock_irqrestore(&regs->lock, flags);
	schedule_work(&regs->work);
	flush_work(&regs->work);
	return 0;
}
EXPORT_SYMBOL_GPL(rio9_port_set_tm_mode);

/* A field that has a wrong value stays as it is, the other one counts */
static void rio9_regs_write_ctl(struct rio9_port *port, u32 value)
{
	struct rio9_regs *regs = &port->regs;
	unsigned int mtu = FIELD_GET(RIO9_CTL_MTU, value) * RIO9_MTU_STEP;
	u8 mode = FIELD_GET(RIO9_CTL_MODE, value);

	lockdep_assert_held(&regs->lock);
	if (rio9_tm_has_mode(&port->tm, mode))
		WRITE_ONCE(regs->mode, mode);
	else
		regs->bad_mode++;
	if (rio9_mtu_valid(mtu))
		WRITE_ONCE(port->mtu, mtu);
	else
		regs->bad_mtu++;
	schedule_work(&regs->work);
}

/**
 * rio9_regs_disabled - the TM mode is 0, as the hook that had claimed it has gone
 * @port: the port
 *
 * Context: any.
 */
void rio9_regs_disabled(struct rio9_port *port)
{
	struct rio9_regs *regs = &port->regs;
	unsigned long flags;

	spin_lock_irqsave(&regs->lock, flags);
	if (regs->mode >= RIO9_TM_HOOK)
		WRITE_ONCE(regs->mode, RIO9_TM_DISABLED);
	spin_unlock_irqrestore(&regs->lock, flags);
}

static void rio9_regs_write_id(struct rio9_port *port, u32 value)
{
	if (!port->caps.large) {
		rio9_regs_id(port, FIELD_GET(RIO9_DID8, value));
		return;
	}
	port->regs.id8 = FIELD_GET(RIO9_DID8, value);
	rio9_regs_id(port, FIELD_GET(RIO9_DID16, value));
}

/* The first who writes has the lock, and gives it back by writing the same again */
static void rio9_regs_write_host(struct rio9_regs *regs, u16 host)
{
	lockdep_assert_held(&regs->lock);
	if (regs->host == RIO9_NO_HOST)
		regs->host = host;
	else if (regs->host == host)
		regs->host = RIO9_NO_HOST;
}

/* The types by TM OP, the first of them in the most significant bit */
static u32 rio9_regs_types(const struct rio9_port *port)
{
	return bitrev8(port->tm.types) >> 4;
}

static u32 rio9_regs_value(const struct rio9_port *port, u32 offset)
{
	const struct rio9_regs *regs = &port->regs;
	u32 ops = RIO9_OPS_STREAMING | (port->tm.types ? RIO9_OPS_TM : 0);
	bool large = port->caps.large;

	lockdep_assert_held(&regs->lock);
	switch (offset) {
	case RIO_DEV_ID_CAR:
		return RIO9_DEVICE_ID;
	case RIO_ASM_INFO_CAR:
		return RIO9_LP_SERIAL;
	case RIO_PEF_CAR:
		return RIO_PEF_EXT_FEATURES | RIO_PEF_ADDR_34 | (large ? RIO_PEF_CTLS : 0);
	case RIO_SRC_OPS_CAR:
		return ops;
	case RIO_DST_OPS_CAR:
		/* Linux's rapidio core gives no ID to an endpoint that has data streaming only */
		return ops | RIO_DST_OPS_READ;
	case RIO_SWITCH_RT_LIMIT:
		return large ? RIO_RT_MAX_DESTID : 0;
	case RIO9_INFO_CAR:
		return FIELD_PREP(RIO9_INFO_MAX_PDU, port->caps.max_pdu & U16_MAX) |
		       FIELD_PREP(RIO9_INFO_CONTEXTS, port->caps.contexts & U16_MAX);
	case RIO9_CTL_CSR:
		return FIELD_PREP(RIO9_CTL_TYPES, rio9_regs_types(port)) |
		       FIELD_PREP(RIO9_CTL_MODE, regs->mode) |
		       FIELD_PREP(RIO9_CTL_MTU, READ_ONCE(port->mtu) / RIO9_MTU_STEP);
	case RIO_PELL_CTRL_CSR:
		return RIO_PELL_ADDR_34;
	case RIO_DID_CSR:
		return large ? FIELD_PREP(RIO9_DID8, regs->id8) | port->id :
			       FIELD_PREP(RIO9_DID8, port->id);
	case RIO_HOST_DID_LOCK_CSR:
		return regs->host;
	case RIO_COMPONENT_TAG_CSR:
		return regs->tag;
	case RIO9_LP_SERIAL:
		return RIO_EFB_SER_EP_M1_ID;
	case RIO9_LP_LINK_TIMEOUT:
		return regs->link_timeout;
	case RIO9_LP_REPLY_TIMEOUT:
		return regs->reply_timeout;
	case RIO9_LP_GENERAL:
		return regs->general;
	case RIO9_LP_STATUS:
		return regs->ok ? RIO_PORT_N_ERR_STS_PORT_OK : RIO_PORT_N_ERR_STS_PORT_UNINIT;
	case RIO9_LP_CONTROL:
		return regs->control | RIO_PORT_N_CTL_P_TYP_SER;
	default:
		return 0;
	}
}

static void rio9_regs_write(struct rio9_port *port, u32 offset, u32 value)
{
	struct rio9_regs *regs = &port->regs;

	lockdep_assert_held(&regs->lock);
	switch (offset) {
	case RIO9_CTL_CSR:
		rio9_regs_write_ctl(port, value);
		break;
	case RIO_DID_CSR:
		rio9_regs_write_id(port, value);
		break;
	case RIO_HOST_DID_LOCK_CSR:
		rio9_regs_write_host(regs, value);
		break;
	case RIO_COMPONENT_TAG_CSR:
		regs->tag = value;
		break;
	case RIO9_LP_LINK_TIMEOUT:
		regs->link_timeout = value & RIO9_TIMEOUT_VALUE;
		break;
	case RIO9_LP_REPLY_TIMEOUT:
		regs->reply_timeout = value & RIO9_TIMEOUT_VALUE;
		break;
	case RIO9_LP_GENERAL:
		regs->general = value & RIO9_GENERAL;
		break;
	case RIO9_LP_CONTROL:
		regs->control = value & RIO9_CONTROL;
		break;
	}
}

/**
 * rio9_reg_read - a maintenance request reads a register
 * @port: the port
 * @offset: of the register, in bytes
 * @value: gets what is in it
 *
 * Context: any.
 * Return: 0, also for a reserved register, which reads as 0; -EINVAL for what is no register.
 */
int rio9_reg_read(struct rio9_port *port, u32 offset, u32 *value)
{
	unsigned long flags;

	if (!rio9_reg_is_one(offset))
		return -EINVAL;
	spin_lock_irqsave(&port->regs.lock, flags);
	*value = rio9_regs_value(port, offset);
	spin_unlock_irqrestore(&port->regs.lock, flags);
	return 0;
}
EXPORT_SYMBOL_GPL(rio9_reg_read);

/**
 * rio9_reg_write - a maintenance request writes a register
 * @port: the port
 * @offset: of the register, in bytes
 * @value: for it
 *
 * Another MTU, and another address of the network device, come a moment later.
 *
 * Context: any.
 * Return: 0, also for a register that is reserved or read only, which nothing happens to;
 *	-EINVAL for what is no register.
 */
int rio9_reg_write(struct rio9_port *port, u32 offset, u32 value)
{
	unsigned long flags;

	if (!rio9_reg_is_one(offset))
		return -EINVAL;
	spin_lock_irqsave(&port->regs.lock, flags);
	rio9_regs_write(port, offset, value);
	spin_unlock_irqrestore(&port->regs.lock, flags);
	return 0;
}
EXPORT_SYMBOL_GPL(rio9_reg_write);
