/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Emulated HIPPI-6400 cards: what the files of this folder share.
 *
 * A card is seen through its PCI configuration space (emu_pci.c) and BAR 0,
 * which is memory kept from the kernel (emu_mem.c).  One thread (emu_main.c)
 * polls what drivers wrote there (emu_card.c), moves micropackets between the
 * cards and their rings (emu_ring.c) along the cables (emu_cable.c), and
 * raises interrupts (emu_irq.c).  Only that thread runs emu_card_*(),
 * emu_ring_*() and emu_cable_move(), so most of a card's state needs no lock.
 */
#ifndef _HIPPI6400_EMU_H
#define _HIPPI6400_EMU_H

#include <linux/atomic.h>
#include <linux/if_ether.h>
#include <linux/io.h>
#include <linux/irq_work.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/pci.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "../hippi6400_csr.h"

#define EMU_PORTS_MIN		2
#define EMU_PORTS_MAX		16

/* What the emulated cards claim to be: register specification version 1.0 */
#define EMU_VERSION_MINOR	0
#define EMU_BUILD		1
#define EMU_RING_MIN_LOG2	6
#define EMU_RING_MAX_LOG2	16

/* Micropackets moved from one card in one go, so that no port waits long */
#define EMU_BATCH		64

/* Configuration space up to here is stored; what is above reads as zero */
#define EMU_CFG_DWORDS		64

#define EMU_BITS_PER_UPKT	(H64_UPKT_SIZE * 8)

/* Bit error rates are kept as errors in this many bits */
#define EMU_BER_DIGITS		12
#define EMU_BER_UNIT		1000000000000ULL

#define EMU_NO_DEADLINE		KTIME_MAX

struct emu;

/**
 * struct emu_upkt - a micropacket on its way, HIPPI-6400-PH 4.4
 * @bytes: as in a ring entry: DB00 to DB31, then the control bits
 */
struct emu_upkt {
	u8 bytes[H64_UPKT_SIZE];
};

/**
 * struct emu_vec - where the interrupts of one MSI-X vector go
 * @work: calls the handler in hard interrupt context
 * @virq: Linux interrupt, 0 when the vector is not allocated
 */
struct emu_vec {
	struct irq_work work;
	unsigned int virq;
};

/**
 * struct emu_source - arming of one interrupt source
 * @arm: the value of ARM that @used is about
 * @used: the interrupt for @arm was raised
 * @holding: moderation holds an interrupt back, since @since
 * @since: when the index first was past @arm
 */
struct emu_source {
	u32 arm;
	bool used;
	bool holding;
	ktime_t since;
};

/**
 * struct emu_ring - a ring as it was when it began to run
 * @running: between the card finding EN set and finding it clear
 * @entries: kernel address of entry 0
 * @size: number of entries, a power of two
 */
struct emu_ring {
	bool running;
	struct emu_upkt *entries;
	u32 size;
};

/**
 * struct emu_card - one card
 * @emu: all cards
 * @port: number of the card, its slot on the bus and its place in the cabling
 * @regs: BAR 0 as the card reaches it
 * @bar: its bus address
 * @ula: its address
 * @lock: configuration space, and every access to host memory, so that none
 *	is under way any more when a cleared Bus Master Enable reads back
 * @cfg: configuration space
 * @cfg_rw: which of its bits can be written
 * @ready: STATUS.READY
 * @ctrl: CTRL as last acted upon, 0 after a reset
 * @reset_done: RESET_DONE
 * @status: STATUS
 * @status_seq: STATUS_SEQ
 * @fault: FAULT
 * @tx_cons: TX_CONS
 * @rx_prod: RX_PROD
 * @sb: kernel address of the status block, NULL when there is none
 * @sb_sampled: @sb was taken from the registers since the last reset
 * @sb_shadow: what @sb holds
 * @tx: TX ring
 * @rx: RX ring
 * @src_status: arming of the status interrupt
 * @src_tx: arming of the TX interrupt
 * @src_rx: arming of the RX interrupt
 * @vec: MSI-X vectors
 * @pending: bits of the MSI-X pending bit array
 * @cnt_tx: CNT_TX_UPKTS
 * @cnt_rx: CNT_RX_UPKTS
 * @cnt_no_room: CNT_RX_NO_ROOM
 */
struct emu_card {
	struct emu *emu;
	unsigned int port;
	void __iomem *regs;
	resource_size_t bar;
	u8 ula[ETH_ALEN];

	raw_spinlock_t lock;
	u32 cfg[EMU_CFG_DWORDS];
	u32 cfg_rw[EMU_CFG_DWORDS];

	bool ready;
	u32 ctrl;
	u32 reset_done;
	u32 status;
	u32 status_seq;
	u32 fault;
	u32 tx_cons;
	u32 rx_prod;

	struct h64_status_block *sb;
	bool sb_sampled;
	struct h64_status_block sb_shadow;

	struct emu_ring tx;
	struct emu_ring rx;

	struct emu_source src_status;
	struct emu_source src_tx;
	struct emu_source src_rx;
	struct emu_vec vec[H64_MSIX_VECTORS];
	u32 pending;

	u64 cnt_tx;
	u64 cnt_rx;
	u64 cnt_no_room;
};

/**
 * struct emu_line_stats - what happened to the micropackets leaving one port
 * @moved: handed to the far card, duplicates included
 * @lost: went into a line that leads nowhere
 * @bits_flipped: bit errors
 * @hit: micropackets with at least one bit error
 * @dropped: by drop_next
 * @duplicated: by dup_next
 * @truncated: by truncate_next
 * @no_room: the far card had no place for them, or its receiver was off
 */
struct emu_line_stats {
	u64 moved;
	u64 lost;
	u64 bits_flipped;
	u64 hit;
	u64 dropped;
	u64 duplicated;
	u64 truncated;
	u64 no_room;
};

/**
 * struct emu_line - one direction of a cable: from its port to the peer
 * @rnd: state of the random choices of this direction
 * @seed_gen: the &emu.seed_gen that @rnd comes from
 * @ber: bit error rate asked for, in errors per EMU_BER_UNIT bits
 * @ber_now: the rate that @until was drawn for
 * @until: good bits left before the next bit error
 * @unplugged: the cable is out of this port
 * @drop_next: this many micropackets are still to be dropped
 * @dup_next: this many are still to be duplicated
 * @truncate_next: this many are still to be truncated
 * @stats: counters, written by the thread only
 * @taken: micropackets as they left the card
 * @staged: what the faults made of them
 */
struct emu_line {
	u64 rnd;
	int seed_gen;
	u64 ber;
	u64 ber_now;
	u64 until;
	bool unplugged;
	atomic_t drop_next;
	atomic_t dup_next;
	atomic_t truncate_next;
	struct emu_line_stats stats;
	struct emu_upkt taken[EMU_BATCH];
	struct emu_upkt staged[2 * EMU_BATCH];
};

/**
 * struct emu - all cards, the bus they sit on and the cables between them
 * @ports: number of cards
 * @cards: the cards
 * @lines: the cable direction that leaves each card
 * @mem_start: bus address of the first card's BAR
 * @mem_size: size of all BARs
 * @mem_res: the claim on that memory, and the memory window of the bus
 * @mem: the mapping of that memory
 * @sysdata: PCI domain of the bus, in the form that the architecture wants
 * @bus: the root bus
 * @msi_domain: MSI-X interrupts of the cards
 * @thread: what polls the cards and moves micropackets
 * @seed: where all random choices come from
 * @seed_gen: counts the values that @seed had
 * @debugfs: our folder
 */
struct emu {
	unsigned int ports;
	struct emu_card cards[EMU_PORTS_MAX];
	struct emu_line lines[EMU_PORTS_MAX];

	resource_size_t mem_start;
	resource_size_t mem_size;
	struct resource *mem_res;
	void __iomem *mem;

	struct pci_sysdata sysdata;
	struct pci_bus *bus;
	struct irq_domain *msi_domain;

	struct task_struct *thread;

	u64 seed;
	atomic_t seed_gen;
	struct dentry *debugfs;
};

static inline u32 emu_read(const struct emu_card *card, unsigned int reg)
{
	return readl(card->regs + reg);
}

static inline void emu_write(struct emu_card *card, unsigned int reg, u32 val)
{
	writel(val, card->regs + reg);
}

/* emu_mem.c */
int emu_mem_claim(struct emu *emu, const char *start, const char *size);
void emu_mem_release(struct emu *emu);
void *emu_host_mem(struct emu_card *card, u64 addr, size_t size);

/* emu_pci.c */
void emu_pci_card_init(struct emu_card *card);
int emu_pci_register(struct emu *emu);
void emu_pci_unregister(struct emu *emu);
bool emu_pci_bus_master(const struct emu_card *card);
u16 emu_pci_msix(const struct emu_card *card);

/* emu_irq.c */
void emu_irq_card_init(struct emu_card *card);
int emu_irq_register(struct emu *emu);
void emu_irq_unregister(struct emu *emu);
bool emu_irq_enabled(const struct emu_card *card);
void emu_irq_raise(struct emu_card *card, unsigned int vec);
void emu_irq_pending(struct emu_card *card);
void emu_irq_forget(struct emu_card *card);

/* emu_card.c */
void emu_card_init(struct emu_card *card);
bool emu_card_poll(struct emu_card *card, bool signal);
void emu_card_fault(struct emu_card *card, u32 code);
void emu_card_publish(struct emu_card *card);
ktime_t emu_card_interrupts(struct emu_card *card);
bool emu_card_port_on(const struct emu_card *card);

/* emu_ring.c */
void emu_ring_control(struct emu_card *card);
unsigned int emu_ring_take(struct emu_card *card, struct emu_upkt *to,
			   unsigned int max);
unsigned int emu_ring_put(struct emu_card *card, const struct emu_upkt *from,
			  unsigned int n);

/* emu_cable.c */
bool emu_cable_signal(const struct emu *emu, unsigned int port);
bool emu_cable_move(struct emu *emu, unsigned int port);
void emu_cable_set_seed(struct emu *emu, u64 seed);

/* emu_debugfs.c */
void emu_debugfs_register(struct emu *emu);
void emu_debugfs_unregister(struct emu *emu);

#endif
