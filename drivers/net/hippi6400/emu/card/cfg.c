// SPDX-License-Identifier: GPL-2.0
/*
 * The configuration space of an emulated card: its power-on state and the
 * host's writes to it.
 */
#include <linux/lockdep.h>
#include <linux/string.h>

#include "emu/card/pci.h"

#define EMU_PCI_REVISION	1
#define EMU_PM_VERSION		3	/* PCI Power Management 1.2 */

/**
 * emu_cfg_power_on - bring configuration space to its power-on state
 * @card: the card, with @emu, @port and @bar set, and its lock held
 */
void emu_cfg_power_on(struct emu_card *card)
{
	u32 *cfg = card->cfg, *rw = card->cfg_rw;

	lockdep_assert_held(&card->lock);
	memset(cfg, 0, sizeof(card->cfg));
	memset(rw, 0, sizeof(card->cfg_rw));

	cfg[PCI_VENDOR_ID / 4] = H64_PCI_DEVICE_ID << 16 | H64_PCI_VENDOR_ID;
	cfg[PCI_COMMAND / 4] = PCI_STATUS_CAP_LIST << 16;
	rw[PCI_COMMAND / 4] = PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER |
			      PCI_COMMAND_PARITY | PCI_COMMAND_SERR |
			      PCI_COMMAND_INTX_DISABLE;
	cfg[PCI_CLASS_REVISION / 4] = PCI_CLASS_NETWORK_OTHER << 16 |
				      EMU_PCI_REVISION;
	rw[PCI_CACHE_LINE_SIZE / 4] = 0xff;
	cfg[PCI_BASE_ADDRESS_0 / 4] = lower_32_bits(card->bar) |
				      PCI_BASE_ADDRESS_MEM_TYPE_64;
	rw[PCI_BASE_ADDRESS_0 / 4] = ~(H64_BAR_SIZE - 1);
	cfg[PCI_BASE_ADDRESS_1 / 4] = upper_32_bits(card->bar);
	rw[PCI_BASE_ADDRESS_1 / 4] = ~0;
	cfg[PCI_SUBSYSTEM_VENDOR_ID / 4] = card->subsystem;
	cfg[PCI_CAPABILITY_LIST / 4] = EMU_CFG_PCIE;
	cfg[PCI_INTERRUPT_LINE / 4] = PCI_INTERRUPT_INTA << 8;
	rw[PCI_INTERRUPT_LINE / 4] = 0xff;

	/* No link: a device on a root bus is a root complex integrated endpoint */
	cfg[EMU_CFG_PCIE / 4] = (PCI_EXP_TYPE_RC_END << 4 | 2) << 16 |
				(card->vectors ? EMU_CFG_MSIX : EMU_CFG_PM) << 8 |
				PCI_CAP_ID_EXP;
	cfg[(EMU_CFG_PCIE + PCI_EXP_DEVCAP) / 4] = PCI_EXP_DEVCAP_RBER |
						   PCI_EXP_DEVCAP_FLR;
	rw[(EMU_CFG_PCIE + PCI_EXP_DEVCTL) / 4] =
		PCI_EXP_DEVCTL_CERE | PCI_EXP_DEVCTL_NFERE |
		PCI_EXP_DEVCTL_FERE | PCI_EXP_DEVCTL_URRE |
		PCI_EXP_DEVCTL_RELAX_EN | PCI_EXP_DEVCTL_PAYLOAD |
		PCI_EXP_DEVCTL_NOSNOOP_EN | PCI_EXP_DEVCTL_READRQ;

	if (card->vectors) {
		cfg[EMU_CFG_MSIX / 4] = (card->vectors - 1) << 16 |
					EMU_CFG_PM << 8 | PCI_CAP_ID_MSIX;
		rw[EMU_CFG_MSIX / 4] = (PCI_MSIX_FLAGS_ENABLE |
					PCI_MSIX_FLAGS_MASKALL) << 16;
		cfg[(EMU_CFG_MSIX + PCI_MSIX_TABLE) / 4] = H64_MSIX_TABLE | H64_BAR;
		cfg[(EMU_CFG_MSIX + PCI_MSIX_PBA) / 4] = H64_MSIX_PBA | H64_BAR;
	}

	/* D0 and D3hot, no PME */
	cfg[EMU_CFG_PM / 4] = EMU_PM_VERSION << 16 | PCI_CAP_ID_PM;
	rw[(EMU_CFG_PM + PCI_PM_CTRL) / 4] = PCI_PM_CTRL_STATE_MASK;
}

/**
 * emu_cfg_in_d0 - check the power state of the card
 * @card: the card
 *
 * Return: true for D0, false for D3hot.
 */
bool emu_cfg_in_d0(const struct emu_card *card)
{
	return !(READ_ONCE(card->cfg[(EMU_CFG_PM + PCI_PM_CTRL) / 4]) &
		 PCI_PM_CTRL_STATE_MASK);
}

/**
 * emu_cfg_bus_master - check whether the card may access host memory
 * @card: the card; its lock is held while the result is used
 *
 * Return: Bus Master Enable.
 */
bool emu_cfg_bus_master(const struct emu_card *card)
{
	return READ_ONCE(card->cfg[PCI_COMMAND / 4]) & PCI_COMMAND_MASTER;
}

/**
 * emu_cfg_msix - read the MSI-X message control register
 * @card: the card
 *
 * Return: PCI_MSIX_FLAGS_*, without PCI_MSIX_FLAGS_ENABLE if the card is no bus
 * master: an MSI-X message is a memory write.
 */
u16 emu_cfg_msix(const struct emu_card *card)
{
	u16 flags = READ_ONCE(card->cfg[EMU_CFG_MSIX / 4]) >> 16;

	if (!(READ_ONCE(card->cfg[PCI_COMMAND / 4]) & PCI_COMMAND_MASTER))
		flags &= ~PCI_MSIX_FLAGS_ENABLE;
	return flags;
}

/**
 * emu_cfg_intx - set Interrupt Status to the level of INTA
 * @card: the card
 * @asserted: an interrupt is due on INTA
 *
 * Return: true if the card asserts INTA; it does not while MSI-X is enabled or
 * Interrupt Disable is set.
 */
bool emu_cfg_intx(struct emu_card *card, bool asserted)
{
	u32 *command = &card->cfg[PCI_COMMAND / 4];
	const u32 status = PCI_STATUS_INTERRUPT << 16;
	unsigned long flags;
	bool enabled;

	raw_spin_lock_irqsave(&card->lock, flags);
	if (card->cfg[EMU_CFG_MSIX / 4] & PCI_MSIX_FLAGS_ENABLE << 16)
		asserted = false;
	WRITE_ONCE(*command, asserted ? *command | status : *command & ~status);
	enabled = !(*command & PCI_COMMAND_INTX_DISABLE);
	raw_spin_unlock_irqrestore(&card->lock, flags);
	return asserted && enabled;
}
