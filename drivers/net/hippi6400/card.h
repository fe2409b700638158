/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The card: registers, rings and status block.
 */
#ifndef _HIPPI6400_CARD_H
#define _HIPPI6400_CARD_H

#include <linux/if_ether.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "hippi6400_csr.h"
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
 * @pdev: PCI function
 * @bar: registers
 * @version: VERSION
 * @build: BUILD
 * @ula: Universal LAN Address
 * @vectors: MSI-X vectors in use, 0 for INTx
 * @ctrl: CTRL as last written
 * @beacon: the port's LED blinks
 * @min_order: log2 of the smallest ring size that card and driver support
 * @max_order: log2 of the largest ring size that the card supports
 * @tx_order: log2 of the number of TX ring entries
 * @rx_order: log2 of the number of RX ring entries
 * @tx: TX ring
 * @rx: RX ring
 * @sb: status block
 * @tx_dma: DMA address of @tx
 * @rx_dma: DMA address of @rx
 * @sb_dma: DMA address of @sb
 * @tx_prod: TX_PROD as last written
 * @tx_doorbells: number of writes to TX_PROD
 * @tx_arm: TX_ARM as last written
 * @rx_arm: RX_ARM as last written
 * @status_arm: STATUS_ARM as last written
 * @rx_cons: free-running index of the next RX entry to read
 * @rx_cons_told: RX_CONS as last written
 * @status_seq: STATUS_SEQ of the newest status that the driver has read
 * @kept: bytes of memory that a card which could not be stopped may still write
 *	to; not freed before h64_card_reset() succeeds
 * @gone: the card no longer answers on the bus, and the driver leaves its
 *	registers alone; written under the port's lock, or while the card is
 *	stopped
 * @unanswered: a reset timed out and is not complete
 * @vec_lock: protects @quiet and the VEC registers; taken in hard interrupts, and
 *	inside all other locks
 * @quiet: the card raises no interrupts
 * @counting: the card's counters count for this port
 * @count_from: the card's counters as last read
 * @counted: the port's counters at that time
 */
struct h64_card {
	struct pci_dev *pdev;
	void __iomem *bar;
	u32 version;
	u32 build;
	u8 ula[ETH_ALEN];
	unsigned int vectors;
	u32 ctrl;
	bool beacon;
	u32 min_order;
	u32 max_order;
	u32 tx_order;
	u32 rx_order;
	struct h64_upkt *tx;
	struct h64_upkt *rx;
	struct h64_status_block *sb;
	dma_addr_t tx_dma;
	dma_addr_t rx_dma;
	dma_addr_t sb_dma;
	u32 tx_prod;
	u64 tx_doorbells;
	u32 tx_arm;
	u32 rx_arm;
	u32 status_arm;
	u32 rx_cons;
	u32 rx_cons_told;
	u32 status_seq;
	u64 kept;
	bool gone;
	bool unanswered;
	spinlock_t vec_lock; /* VEC registers */
	bool quiet;
	bool counting;
	u64 count_from[H64_CNT_NUM];
	u64 counted[H64_CNT_NUM];
};

/* Buffer size for h64_card_fw_version(), that of struct ethtool_drvinfo */
#define H64_FW_VERSION_LEN	32

/* card.c */
int h64_card_identify(struct h64_card *card);
int h64_card_recognize(struct h64_card *card);
bool h64_card_gone(struct h64_card *card);
void h64_card_report_gone(const struct h64_card *card);
void h64_card_ula(const struct h64_card *card, u8 *addr);
void h64_card_fw_version(const struct h64_card *card, char *text);
int h64_card_reset(struct h64_card *card);
u32 h64_card_check_registers(const struct h64_card *card);
u32 h64_card_test_registers(struct h64_card *card);
void h64_card_start(struct h64_card *card, u32 tx_mod, u32 rx_mod);
void h64_card_halt(struct h64_card *card);
void h64_card_moderate(struct h64_card *card, u32 tx_mod, u32 rx_mod);
void h64_card_beacon(struct h64_card *card, bool on);
void h64_card_count(struct h64_card *card);
void h64_card_count_end(struct h64_card *card);
u64 h64_card_counter(struct h64_card *card, u32 reg);
u32 h64_card_read(const struct h64_card *card, u32 reg);
void h64_card_write(struct h64_card *card, u32 reg, u32 val);
const char *h64_card_fault_name(u32 fault);

/* ring.c */
int h64_card_alloc(struct h64_card *card);
void h64_card_free(struct h64_card *card);
void h64_card_cut_off(struct h64_card *card);
void h64_card_take_back(struct h64_card *card);
void h64_card_abandon(struct h64_card *card);
int h64_card_alloc_rings(struct h64_card *card);
void h64_card_free_rings(struct h64_card *card);
void h64_card_swap_rings(struct h64_card *card, struct h64_card *other);
void h64_card_start_rings(struct h64_card *card);
void h64_card_start_irqs(struct h64_card *card);
void h64_card_tell_tx(struct h64_card *card, u32 prod);
void h64_card_tell_rx(struct h64_card *card);
void h64_card_arm_tx(struct h64_card *card, u32 index);
bool h64_card_arm(struct h64_card *card);
void h64_card_quiet(struct h64_card *card);
bool h64_card_intx(struct h64_card *card);
bool h64_card_has_news(const struct h64_card *card);
bool h64_card_status(struct h64_card *card, u32 *status, u32 *fault);

#endif
