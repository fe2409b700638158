/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registers of an endpoint, chapter 5.
 *
 * Those of other Parts have their names in linux/rio_regs.h.
 */
#ifndef _RIO9_REGS_H
#define _RIO9_REGS_H

#include <linux/align.h>
#include <linux/bits.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "wire.h"

struct rio9_port;

/* In the Source and Destination Operations CARs, 5.4.1-2 */
#define RIO9_OPS_TM		BIT(19)
#define RIO9_OPS_STREAMING	BIT(18)

/* Data Streaming Information CAR, 5.4.3; 0 stands for 65536 in both fields */
#define RIO9_INFO_CAR		0x3c
#define RIO9_INFO_MAX_PDU	GENMASK(31, 16)
#define RIO9_INFO_CONTEXTS	GENMASK(15, 0)

/* Data Streaming Logical Layer Control CSR, 5.5.1 */
#define RIO9_CTL_CSR		0x48
#define RIO9_CTL_TYPES		GENMASK(31, 28)
#define RIO9_CTL_MODE		GENMASK(27, 24)
#define RIO9_CTL_MTU		GENMASK(7, 0)

/* Where the LP-Serial block is, as the first of the extended features */
#define RIO9_LP_SERIAL		0x100

/* Of maintenance, 24 bits of address */
#define RIO9_REGS_SIZE		0x1000000

/**
 * rio9_reg_is_one - whether there can be a register
 * @offset: where
 *
 * Return: true if so.
 */
static inline bool rio9_reg_is_one(u32 offset)
{
	return offset < RIO9_REGS_SIZE && IS_ALIGNED(offset, sizeof(u32));
}

/**
 * struct rio9_regs - what registers hold
 * @lock: of all here, and of writes to the port's ID; taken where interrupts are disabled
 * @mode: TM mode, &enum rio9_tm_mode
 * @id8: field of 8 bits of the Base Device ID of a port whose IDs have 16; nothing uses it
 * @host: who holds the Host Base Device ID Lock, 0xffff nobody
 * @tag: component tag
 * @link_timeout: of the LP-Serial block
 * @reply_timeout: of the LP-Serial block
 * @general: of the LP-Serial block: host, master enable, discovered
 * @control: of the LP-Serial block: what may be written of the port's control
 * @ok: Port OK: the link is up
 * @bad_mode: writes of a TM mode that is reserved or not supported
 * @bad_mtu: writes of an MTU that is reserved
 * @work: tells reassembly of another MTU, and traffic management of another mode
 * @update: of the device, to be queued when the ID is another; NULL without a device
 */
struct rio9_regs {
	spinlock_t lock;	/* everything in here */
	u8 mode;
	u8 id8;
	u16 host;
	u32 tag;
	u32 link_timeout;
	u32 reply_timeout;
	u32 general;
	u32 control;
	bool ok;
	u64 bad_mode;
	u64 bad_mtu;
	struct work_struct work;
	struct delayed_work *update;
};

void rio9_regs_init(struct rio9_port *port);
u16 rio9_id_unknown(const struct rio9_port *port);
bool rio9_regs_has_id(const struct rio9_port *port);
void rio9_regs_set_id(struct rio9_port *port, u16 id);
void rio9_regs_set_ok(struct rio9_port *port, bool ok);
void rio9_regs_set_update(struct rio9_port *port, struct delayed_work *update);
void rio9_regs_disabled(struct rio9_port *port);
void rio9_regs_stats(struct rio9_port *port, u64 stats[RIO9_STATS]);

#endif
