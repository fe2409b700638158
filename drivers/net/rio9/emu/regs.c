// SPDX-License-Identifier: GPL-2.0
/*
 * Registers of a switch: those of Parts 1, 3 and 6 that a host needs, as
 * include/linux/rio_regs.h of the kernel describes them.
 *
 * A register that is not there reads as 0, and a write to it is ignored, Part 10, table 5-2.
 */
#include <linux/rio_regs.h>

#include "fabric.h"
#include "regs.h"

/* No vendor has a number for it */
#define EMU_DEVICE_ID		0x00010000
#define EMU_EXT_FEATURES	0x100
#define EMU_GEN_CTL_BITS \
	(RIO_PORT_GEN_HOST | RIO_PORT_GEN_MASTER | RIO_PORT_GEN_DISCOVERED)

/* Nobody has locked the device, Part 3 */
#define EMU_UNLOCKED		0xffff

/**
 * emu_route - where a switch sends a packet
 * @node: the switch
 * @id: destination
 *
 * Context: any.
 * Return: the port, or EMU_NO_PORT.
 */
u8 emu_route(const struct emu_node *node, u16 id)
{
	u8 port = id < node->routes ? READ_ONCE(node->route[id]) : EMU_NO_PORT;

	return port == EMU_NO_PORT ? READ_ONCE(node->default_route) : port;
}

/**
 * emu_regs_init - registers after a reset
 * @node: the switch
 */
void emu_regs_init(struct emu_node *node)
{
	spin_lock_init(&node->regs.guard);
	node->regs.lock = EMU_UNLOCKED;
}

static u32 emu_port_status(const struct emu_node *node, unsigned int port)
{
	return READ_ONCE(node->out[port]->up) ? RIO_PORT_N_ERR_STS_PORT_OK :
						RIO_PORT_N_ERR_STS_PORT_UNINIT;
}

/* The LP-Serial block; @offset is from its begin */
static u32 emu_serial_read(const struct emu_node *node, u32 offset)
{
	unsigned int port;

	switch (offset) {
	case RIO_PORT_MNT_HEADER:
		return RIO_EFB_SER_EPF_M1_ID;
	case RIO_PORT_GEN_CTL_CSR:
		return node->regs.gen_ctl;
	}
	for (port = 0; port < node->ports; port++) {
		if (offset == RIO_PORT_N_ERR_STS_CSR(port, 1))
			return emu_port_status(node, port);
		if (offset == RIO_PORT_N_CTL_CSR(port, 1))
			return RIO_PORT_N_CTL_P_TYP_SER | RIO_PORT_N_CTL_EN_RX |
			       RIO_PORT_N_CTL_EN_TX;
	}
	return 0;
}

static u32 emu_car_read(const struct emu_node *node, unsigned int in_port, u32 offset)
{
	switch (offset) {
	case RIO_DEV_ID_CAR:
		return EMU_DEVICE_ID;
	case RIO_ASM_INFO_CAR:
		return EMU_EXT_FEATURES;
	case RIO_PEF_CAR:
		return RIO_PEF_SWITCH | RIO_PEF_STD_RT | RIO_PEF_EXT_FEATURES |
		       (node->routes > U8_MAX + 1 ? RIO_PEF_CTLS : 0);
	case RIO_SWP_INFO_CAR:
		return node->ports << 8 | in_port;
	case RIO_SWITCH_RT_LIMIT:
		return node->routes - 1;
	case RIO_HOST_DID_LOCK_CSR:
		return node->regs.lock;
	case RIO_COMPONENT_TAG_CSR:
		return node->regs.tag;
	case RIO_STD_RTE_CONF_DESTID_SEL_CSR:
		return node->regs.select;
	case RIO_STD_RTE_CONF_PORT_SEL_CSR:
		return READ_ONCE(node->route[node->regs.select]);
	case RIO_STD_RTE_DEFAULT_PORT:
		return READ_ONCE(node->default_route);
	}
	return 0;
}

/**
 * emu_regs_read - read a register of a switch
 * @node: the switch
 * @in_port: port that the request came in by
 * @offset: the register, a multiple of four
 *
 * Context: any.
 * Return: its value.
 */
u32 emu_regs_read(struct emu_node *node, unsigned int in_port, u32 offset)
{
	unsigned long flags;
	u32 value;

	spin_lock_irqsave(&node->regs.guard, flags);
	value = offset < EMU_EXT_FEATURES ? emu_car_read(node, in_port, offset) :
					    emu_serial_read(node, offset - EMU_EXT_FEATURES);
	spin_unlock_irqrestore(&node->regs.guard, flags);
	return value;
}

/* A port that is not there is ignored */
static void emu_route_write(const struct emu_node *node, u8 *route, u32 value)
{
	if (value < node->ports || value == EMU_NO_PORT)
		WRITE_ONCE(*route, value);
}

/* The first ID that is written has the lock until it is written again, Part 3 */
static void emu_lock_write(struct emu_node *node, u16 value)
{
	if (node->regs.lock == EMU_UNLOCKED)
		node->regs.lock = value;
	else if (node->regs.lock == value)
		node->regs.lock = EMU_UNLOCKED;
}

/**
 * emu_regs_write - write a register of a switch
 * @node: the switch
 * @offset: the register, a multiple of four
 * @value: its new value
 *
 * Context: any.
 */
void emu_regs_write(struct emu_node *node, u32 offset, u32 value)
{
	unsigned long flags;

	spin_lock_irqsave(&node->regs.guard, flags);
	switch (offset) {
	case RIO_HOST_DID_LOCK_CSR:
		emu_lock_write(node, value);
		break;
	case RIO_COMPONENT_TAG_CSR:
		node->regs.tag = value;
		break;
	case RIO_STD_RTE_CONF_DESTID_SEL_CSR:
		node->regs.select = value & (node->routes - 1);
		break;
	case RIO_STD_RTE_CONF_PORT_SEL_CSR:
		emu_route_write(node, &node->route[node->regs.select], value);
		break;
	case RIO_STD_RTE_DEFAULT_PORT:
		emu_route_write(node, &node->default_route, value);
		break;
	case EMU_EXT_FEATURES + RIO_PORT_GEN_CTL_CSR:
		node->regs.gen_ctl = value & EMU_GEN_CTL_BITS;
		break;
	}
	spin_unlock_irqrestore(&node->regs.guard, flags);
}
