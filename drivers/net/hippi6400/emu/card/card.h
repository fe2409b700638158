/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One emulated card, without its PCI function.
 */
#ifndef _HIPPI6400_EMU_CARD_CARD_H
#define _HIPPI6400_EMU_CARD_CARD_H

#include "emu/emu.h"

/* card/mem.c */
int emu_mem_claim(struct emu *emu, const char *start, const char *size);
void emu_mem_release(struct emu *emu);
void *emu_host_mem(struct emu_card *card, u64 addr, size_t size);

/* card/card.c */
void emu_card_init(struct emu_card *card);
void emu_card_identity(struct emu_card *card);
void emu_card_power_on(struct emu_card *card);
void emu_card_power_off(struct emu_card *card);
void emu_card_publish(struct emu_card *card);
void emu_card_fault(struct emu_card *card, u32 code);
void emu_card_line_errors(struct emu_card *card, u64 n);
bool emu_card_set_status(struct emu_card *card, u32 status);
void emu_card_reset(struct emu_card *card, u32 generation);
void emu_card_sample_sb(struct emu_card *card);
bool emu_card_port_on(const struct emu_card *card);

/* card/poll.c */
bool emu_poll_card(struct emu_card *card, bool signal);
ktime_t emu_poll_interrupts(struct emu_card *card);

/* card/power.c */
void emu_power_init(struct emu_card *card);
bool emu_power_answers(const struct emu_card *card);
bool emu_power_dma(const struct emu_card *card);
void emu_power_ask(struct emu_card *card);
void emu_power_reset(struct emu_card *card);
void emu_power_wait(struct emu_card *card);

/* card/wild.c */
void emu_wild_begin(struct emu_card *card);
void emu_wild_run(struct emu_card *card);

/* card/slot.c */
void emu_slot_init(struct emu_card *card);
void emu_slot_flush(struct emu_card *card);
void emu_slot_set_present(struct emu_card *card, bool present);
void emu_slot_set_silent(struct emu_card *card, bool silent);
int emu_slot_error(struct emu_card *card, pci_channel_state_t state);
int emu_slot_set_next(struct emu_card *card, u32 *what, u32 val);

/* card/inject.c */
void emu_inject_register(struct emu_card *card, struct dentry *dir);

/* card/ring.c */
void emu_ring_control(struct emu_card *card);
unsigned int emu_ring_take(struct emu_card *card, struct h64_upkt *to,
			   unsigned int max);
unsigned int emu_ring_put(struct emu_card *card, const struct h64_upkt *from,
			  unsigned int n);

#endif
