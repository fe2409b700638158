/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Emulated HIPPI-6400 cards: what the files of this folder share.
 *
 * A card is seen through its PCI configuration space (card/cfg.c, on the bus of
 * card/pci.c) and BAR 0, which is memory kept from the kernel (card/mem.c).
 * One thread (main.c) polls what drivers wrote there (card/poll.c, card/card.c),
 * moves micropackets between the cards and their rings (card/ring.c) along the
 * cables (fabric/cable.c), and raises interrupts (card/irq.c).  Only that thread
 * runs emu_poll_*(), emu_card_*(), emu_ring_*() and emu_way_*(), so most of a
 * card's state needs no lock.
 *
 * Whether a card is there, has power and answers (card/power.c) is decided
 * from outside: by configuration space, and by the slot that it sits in
 * (card/slot.c).  What a card does that is out of control is in card/wild.c.
 * card/inject.c lets people at all that through debugfs.
 */
#ifndef _HIPPI6400_EMU_H
#define _HIPPI6400_EMU_H

#include <linux/atomic.h>
#include <linux/if_ether.h>
#include <linux/io.h>
#include <linux/irq_work.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "hippi6400_csr.h"
#include "emu/fabric/switch.h"
#include "emu/fabric/topology.h"
#include "emu/fabric/way.h"

/* What the emulated cards claim to be: register specification version 1.2 */
#define EMU_VERSION_MINOR	2
#define EMU_BUILD		1
#define EMU_ULA			0x026400000000ULL	/* and the number of the port */
#define EMU_RING_MIN_LOG2	6
#define EMU_RING_MAX_LOG2	16

/* Configuration space up to here is stored; what is above reads as zero */
#define EMU_CFG_DWORDS		64

#define EMU_NO_DEADLINE		KTIME_MAX

struct emu;
struct emu_line;

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
	struct h64_upkt *entries;
	u32 size;
};

/**
 * struct emu_claim - what a card says it is
 * @id: ID
 * @version: VERSION
 * @caps: CAPS
 * @ula: ULA, 48 bits
 */
struct emu_claim {
	u64 id;
	u64 version;
	u64 caps;
	u64 ula;
};

/**
 * struct emu_power - whether a card is there, and runs
 * @present: it is in its slot
 * @frozen: nothing passes between card and host, as after a PCI error
 * @hung: its logic stands still; registers can be read
 * @wild: it heeds neither registers nor configuration space, and writes to host
 *	memory all the same
 * @mute: it takes no part in configuration space, and does all else
 * @reset: it was put in, powered up or reset by its host, and has not begun
 *	anew; till then it does not answer
 * @begun: counts the times it began anew
 * @asked: counts the changes of these and of the card's claim
 * @done: the @asked that the thread has acted on
 * @acted: woken when @done changes
 * @answers: as the thread knows it: @present and not @frozen
 * @on: as the thread knows it: the card runs
 * @dark_hits: registers of the driver that were found written while nothing passed
 */
struct emu_power {
	bool present;
	bool frozen;
	bool hung;
	bool wild;
	bool mute;
	bool reset;
	u32 begun;
	u32 asked;
	u32 done;
	wait_queue_head_t acted;
	bool answers;
	bool on;
	u32 dark_hits;
};

/**
 * struct emu_wild - what a card that is out of control writes
 * @area: the part of its memory that is next
 * @at: from which byte on
 * @laps: times it has written to all of its memory
 * @hits: times it found there what it had not written before
 */
struct emu_wild {
	unsigned int area;
	size_t at;
	u32 laps;
	u32 hits;
};

/**
 * struct emu_card - one card
 * @emu: all cards
 * @port: number of the card, its slot on the bus and its place in the cabling
 * @regs: BAR 0 as the card reaches it
 * @bar: its bus address
 * @lock: configuration space, @claim and @power, and every access to host
 *	memory, so that none is under way any more when a cleared Bus Master
 *	Enable reads back
 * @cfg: configuration space
 * @cfg_rw: which of its bits can be written
 * @vectors: entries of the MSI-X table, 0 for a card without MSI-X
 * @subsystem: subsystem ID and, in the low half, subsystem vendor ID
 * @claim: what the card says it is
 * @power: whether it is there, and runs
 * @wild: what it writes while it is out of control
 * @slot_work: tells the kernel that the card was pulled or put in
 * @slot_silent: the slot does not tell, for now
 * @pulled: the card was pulled since the kernel was told last
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
 * @cnt_line: CNT_LINE_ERRORS
 */
struct emu_card {
	struct emu *emu;
	unsigned int port;
	void __iomem *regs;
	resource_size_t bar;

	raw_spinlock_t lock;
	u32 cfg[EMU_CFG_DWORDS];
	u32 cfg_rw[EMU_CFG_DWORDS];
	u32 vectors;
	u32 subsystem;
	struct emu_claim claim;
	struct emu_power power;
	struct emu_wild wild;

	struct work_struct slot_work;
	bool slot_silent;
	bool pulled;

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
	u64 cnt_line;
};

/**
 * struct emu_port - what is outside a card: the cable at its port
 * @emu: all cards
 * @line: a program that is plugged in at the far end, or NULL
 * @sport: the port of a switch at the far end, or NULL
 * @tx: the direction that leaves the card
 * @rx: the direction that arrives at it
 * @unplugged: the cable is out of the port
 * @dark: a cable was just taken away: no signal until @dark_until
 * @dark_until: of the monotonic clock, in nanoseconds
 */
struct emu_port {
	struct emu *emu;
	struct emu_line *line;
	struct emu_sport *sport;
	struct emu_way tx;
	struct emu_way rx;
	bool unplugged;
	bool dark;
	u64 dark_until;
};

/**
 * struct emu_intx - the line that the INTA pins of all cards share
 * @domain: of this one interrupt
 * @work: calls the handlers in hard interrupt context
 * @virq: Linux interrupt
 * @masked: its handlers are not called for now
 */
struct emu_intx {
	struct irq_domain *domain;
	struct irq_work work;
	unsigned int virq;
	bool masked;
};

/**
 * struct emu_fabric - a place for a switch
 * @emu: all cards
 * @sw: the switch, or NULL
 * @dir: its folder, or NULL
 */
struct emu_fabric {
	struct emu *emu;
	struct emu_switch *sw;
	struct dentry *dir;
};

/**
 * struct emu - all cards, the bus they sit on and the cables between them
 * @ports: number of cards
 * @cards: the cards
 * @change: one change of @topology at a time; taken outside @lock
 * @lock: protects @topology and what hangs on it.  The thread holds it for
 *	each round, so that changes fall between two rounds.
 * @topology: what the ports are cabled to
 * @port: the cables
 * @fabric: the switches, by number
 * @now: when the round began, in nanoseconds of the monotonic clock
 * @taken: micropackets as they left a card
 * @left: what is left of them at the far end of the first direction
 * @arrived: and at the far end of the second
 * @mem_start: bus address of the first card's BAR
 * @mem_size: size of all BARs
 * @mem_res: the claim on that memory, and the memory window of the bus
 * @mem: the mapping of that memory
 * @sysdata: PCI domain of the bus, in the form that the architecture wants
 * @bus: the root bus
 * @msi_domain: MSI-X interrupts of the cards
 * @intx: INTx of the cards
 * @thread: what polls the cards and moves micropackets
 * @seed: where all random choices come from
 * @debugfs: our folder
 * @topology_file: the file there that changes what else is there
 */
struct emu {
	unsigned int ports;
	struct emu_card cards[EMU_PORTS_MAX];

	struct mutex change; /* protects @topology against other changes */
	struct mutex lock; /* protects what follows, to @arrived */
	struct emu_topology topology;
	struct emu_port port[EMU_PORTS_MAX];
	struct emu_fabric fabric[EMU_SWITCHES_MAX];
	u64 now;
	struct h64_upkt taken[EMU_BATCH];
	struct h64_upkt left[EMU_BATCH_OUT];
	struct h64_upkt arrived[EMU_BATCH_OUT];

	resource_size_t mem_start;
	resource_size_t mem_size;
	struct resource *mem_res;
	void __iomem *mem;

#ifdef CONFIG_X86
	struct pci_sysdata sysdata;
#endif
	struct pci_bus *bus;
	struct irq_domain *msi_domain;
	struct emu_intx intx;

	struct task_struct *thread;

	struct emu_seed seed;
	struct dentry *debugfs;
	struct dentry *topology_file;
};

static inline u32 emu_read(const struct emu_card *card, unsigned int reg)
{
	return readl(card->regs + reg);
}

static inline void emu_write(struct emu_card *card, unsigned int reg, u32 val)
{
	writel(val, card->regs + reg);
}

#endif
