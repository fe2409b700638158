/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Emulated HIPPI-6400 cards: declarations shared by the files of this
 * directory.
 *
 * The host sees a card's PCI configuration space (card/cfg.c, on the bus of
 * card/pci.c) and BAR 0, which is reserved memory (card/mem.c).  One thread
 * (main.c) polls the registers that drivers write there (card/poll.c,
 * card/card.c), moves micropackets between the cards' rings (card/ring.c) along
 * the cables (fabric/cable.c), and raises interrupts (card/irq.c).  Only that
 * thread runs emu_poll_*(), emu_card_*(), emu_ring_*() and emu_way_*(), so most
 * of a card's state needs no lock.
 *
 * Configuration space and the card's slot (card/slot.c) control its presence
 * and power, and whether it answers (card/power.c). card/wild.c is a card out
 * of control. card/inject.c offers all these faults in debugfs.
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

/* Identity of the emulated cards: register specification version 1.2 */
#define EMU_VERSION_MINOR	2
#define EMU_BUILD		1
#define EMU_ULA			0x026400000000ULL	/* plus the number of the port */
#define EMU_RING_MIN_LOG2	6
#define EMU_RING_MAX_LOG2	16

/* Size of the stored part of configuration space; the rest reads as zero */
#define EMU_CFG_DWORDS		64

#define EMU_NO_DEADLINE		KTIME_MAX

struct emu;
struct emu_line;

/**
 * struct emu_vec - where the interrupts of one MSI-X vector go
 * @work: calls the handler in hard interrupt context
 * @virq: Linux interrupt, 0 if the vector is not allocated
 */
struct emu_vec {
	struct irq_work work;
	unsigned int virq;
};

/**
 * struct emu_source - arming of one interrupt source
 * @arm: the value of ARM that @used refers to
 * @used: the interrupt for @arm was raised
 * @holding: moderation delays an interrupt, since @since
 * @since: time when the index first passed @arm
 */
struct emu_source {
	u32 arm;
	bool used;
	bool holding;
	ktime_t since;
};

/**
 * struct emu_ring - a ring as configured when it started
 * @running: the card has seen EN set, and not yet clear
 * @entries: kernel address of entry 0
 * @size: number of entries, a power of two
 */
struct emu_ring {
	bool running;
	struct h64_upkt *entries;
	u32 size;
};

/**
 * struct emu_claim - identity of a card
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
 * struct emu_power - presence and power of a card
 * @present: the card is in its slot
 * @frozen: nothing passes between card and host, as after a PCI error
 * @hung: its logic has stopped; registers can be read
 * @wild: it ignores registers and configuration space, and keeps writing to
 *	host memory
 * @mute: it does not answer in configuration space, but works otherwise
 * @reset: a power-up or reset is pending; until it is done the card does not
 *	answer
 * @begun: number of power-ups and resets done
 * @asked: number of changes of the above and of the card's claim
 * @done: the @asked that the thread has acted on
 * @acted: woken when @done changes
 * @answers: as last seen by the thread: @present and not @frozen
 * @on: as last seen by the thread: the card runs
 * @dark_hits: driver registers found written while the card was pulled or @frozen
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
 * struct emu_wild - writes of a card that is out of control
 * @area: the area that is written next
 * @at: offset of the next byte in it
 * @laps: number of complete passes over its memory
 * @hits: number of times it found data that it had not written
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
 * @regs: BAR 0, mapped for the card
 * @bar: bus address of BAR 0
 * @lock: protects configuration space, @claim and @power, and is held for every
 *	access to host memory, so that none is in progress once a cleared Bus
 *	Master Enable reads back
 * @cfg: configuration space
 * @cfg_rw: its writable bits
 * @vectors: entries of the MSI-X table, 0 for a card without MSI-X
 * @subsystem: subsystem ID and, in the low half, subsystem vendor ID
 * @claim: identity of the card
 * @power: presence and power
 * @wild: its writes while it is out of control
 * @slot_work: reports to the kernel that the card was pulled or inserted
 * @slot_silent: the slot suppresses its reports
 * @pulled: the card was pulled since the last report
 * @ready: STATUS.READY
 * @ctrl: CTRL as last acted upon, 0 after a reset
 * @reset_done: RESET_DONE
 * @status: STATUS
 * @status_seq: STATUS_SEQ
 * @fault: FAULT
 * @tx_cons: TX_CONS
 * @rx_prod: RX_PROD
 * @sb: kernel address of the status block, NULL if there is none
 * @sb_sampled: @sb was taken from the registers since the last reset
 * @sb_shadow: copy of @sb
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
 * struct emu_port - the cable at a card's port
 * @emu: all cards
 * @line: the program at the far end, or NULL
 * @sport: the switch port at the far end, or NULL
 * @tx: the direction that leaves the card
 * @rx: the direction that arrives at it
 * @unplugged: the cable is unplugged from the port
 * @dark: the cable was just moved: no signal until @dark_until
 * @dark_until: monotonic time, in nanoseconds
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
 * @domain: interrupt domain
 * @work: calls the handlers in hard interrupt context
 * @virq: Linux interrupt
 * @masked: the handlers are not called
 */
struct emu_intx {
	struct irq_domain *domain;
	struct irq_work work;
	unsigned int virq;
	bool masked;
};

/**
 * struct emu_fabric - slot for a switch
 * @emu: all cards
 * @sw: the switch, or NULL
 * @dir: its debugfs directory, or NULL
 */
struct emu_fabric {
	struct emu *emu;
	struct emu_switch *sw;
	struct dentry *dir;
};

/**
 * struct emu - all cards, their bus and the cables between them
 * @ports: number of cards
 * @cards: the cards
 * @change: serialises changes of @topology; taken outside @lock
 * @lock: protects the members from @topology to @arrived.  The thread holds it
 *	for each round, so that changes fall between two rounds.
 * @topology: cabling of the ports
 * @port: the cables, by port
 * @fabric: the switches, by number
 * @now: start of the round, monotonic time in nanoseconds
 * @taken: micropackets taken from a card
 * @left: the micropackets that came out at the far end of the first direction
 * @arrived: the micropackets that came out at the far end of the second
 *	direction
 * @mem_start: bus address of the first card's BAR
 * @mem_size: size of all BARs
 * @mem_res: resource of that memory, also the memory window of the bus
 * @mem: mapping of that memory
 * @sysdata: PCI domain of the bus, in the architecture's form
 * @bus: the root bus
 * @msi_domain: MSI-X interrupts of the cards
 * @intx: INTx of the cards
 * @thread: polls the cards and moves micropackets
 * @seed: seed of all random choices
 * @debugfs: the debugfs directory
 * @topology_file: the file in it whose writers add and remove directories
 */
struct emu {
	unsigned int ports;
	struct emu_card cards[EMU_PORTS_MAX];

	struct mutex change; /* serialises changes of @topology */
	struct mutex lock; /* protects the members up to @arrived */
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
