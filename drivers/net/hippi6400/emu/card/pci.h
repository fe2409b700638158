/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Emulated cards as PCI functions.
 */
#ifndef _HIPPI6400_EMU_CARD_PCI_H
#define _HIPPI6400_EMU_CARD_PCI_H

#include "emu/emu.h"

/* Capabilities in configuration space */
#define EMU_CFG_PCIE		0x40
#define EMU_CFG_MSIX		0x80
#define EMU_CFG_PM		0x90

/* card/cfg.c */
void emu_cfg_power_on(struct emu_card *card);
bool emu_cfg_in_d0(const struct emu_card *card);
bool emu_cfg_bus_master(const struct emu_card *card);
u16 emu_cfg_msix(const struct emu_card *card);
bool emu_cfg_intx(struct emu_card *card, bool asserted);

/* card/pci.c */
void emu_pci_card_init(struct emu_card *card);
int emu_pci_register(struct emu *emu);
void emu_pci_unregister(struct emu *emu);

/* card/irq.c */
void emu_irq_card_init(struct emu_card *card);
void emu_irq_power_on(struct emu_card *card);
int emu_irq_register(struct emu *emu);
void emu_irq_unregister(struct emu *emu);
bool emu_irq_enabled(const struct emu_card *card);
void emu_irq_raise(struct emu_card *card, unsigned int vec);
void emu_irq_pending(struct emu_card *card);
void emu_irq_forget(struct emu_card *card);
void emu_irq_line(struct emu_card *card, bool asserted);

#endif
