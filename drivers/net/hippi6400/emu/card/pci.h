/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Emulated cards as PCI functions.
 */
#ifndef _HIPPI6400_EMU_CARD_PCI_H
#define _HIPPI6400_EMU_CARD_PCI_H

#include "emu/emu.h"

/* card/pci.c */
void emu_pci_card_init(struct emu_card *card);
void emu_pci_power_on(struct emu_card *card);
int emu_pci_register(struct emu *emu);
void emu_pci_unregister(struct emu *emu);
bool emu_pci_bus_master(const struct emu_card *card);
bool emu_pci_in_d0(const struct emu_card *card);
u16 emu_pci_msix(const struct emu_card *card);
bool emu_pci_intx(struct emu_card *card, bool asserted);

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
