/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The card: registers, rings and status block.
 */
#ifndef _HIPPI6400_CARD_H
#define _HIPPI6400_CARD_H

#include <linux/types.h>

#include "link/upkt.h"

struct pci_dev;

/* Vectors that the driver uses */
enum h64_vector {
	H64_VEC_TX,
	H64_VEC_RX,
	H64_VEC_STATUS,
	H64_NUM_VECTORS,
};

/**
 * struct h64_card - a card
 * @pdev: its PCI function
 * @bar: its registers
 * @ctrl: CTRL as last written
 * @tx_order: log2 of the TX ring's entries
 * @rx_order: log2 of the RX ring's entries
 * @tx: TX ring
 * @rx: RX ring
 * @sb: status block
 * @tx_dma: address of @tx for the card
 * @rx_dma: address of @rx for the card
 * @sb_dma: address of @sb for the card
 * @tx_prod: TX_PROD as last written
 * @tx_arm: TX_ARM as last written
 * @rx_cons: how far the driver has taken RX entries
 * @rx_cons_told: RX_CONS as last written
 * @status_seq: STATUS_SEQ of the newest status that was looked at
 */
struct h64_card {
	struct pci_dev *pdev;
	void __iomem *bar;
	u32 ctrl;
	u32 tx_order;
	u32 rx_order;
	struct h64_upkt *tx;
	struct h64_upkt *rx;
	struct h64_status_block *sb;
	dma_addr_t tx_dma;
	dma_addr_t rx_dma;
	dma_addr_t sb_dma;
	u32 tx_prod;
	u32 tx_arm;
	u32 rx_cons;
	u32 rx_cons_told;
	u32 status_seq;
};

int h64_card_identify(struct h64_card *card);
void h64_card_ula(const struct h64_card *card, u8 *addr);
int h64_card_reset(struct h64_card *card);
int h64_card_alloc(struct h64_card *card);
void h64_card_free(struct h64_card *card);
void h64_card_start(struct h64_card *card, u32 tx_mod, u32 rx_mod);
void h64_card_halt(struct h64_card *card);
void h64_card_moderate(struct h64_card *card, u32 tx_mod, u32 rx_mod);
void h64_card_beacon(struct h64_card *card, bool on);
void h64_card_tell_tx(struct h64_card *card, u32 prod);
void h64_card_tell_rx(struct h64_card *card);
void h64_card_arm_tx(struct h64_card *card, u32 index);
void h64_card_arm(struct h64_card *card);
bool h64_card_has_news(const struct h64_card *card);
bool h64_card_status(struct h64_card *card, u32 *status, u32 *fault);
u64 h64_card_counter(const struct h64_card *card, u32 reg);
u32 h64_card_read(const struct h64_card *card, u32 reg);
const char *h64_card_fault_name(u32 fault);

#endif
