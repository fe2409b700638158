/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A switch.  Pure: it runs the link protocol on rings in memory, the time comes
 * as an argument in nanoseconds, and what carries micropackets to and from it
 * is somebody else's business.
 *
 *   fabric/switch.c	ports and their links
 *   fabric/input.c	micropackets that arrive: their buffers, Messages that
 *			are not whole
 *   fabric/forward.c	Messages on their way from a port to others
 *   fabric/table.c	addresses
 *
 * Each port has, for each Virtual Channel, one input and one output.  An input
 * has room for the credit that its port grants, so nothing is dropped for want
 * of room; an output is the way of one Message at a time, HIPPI-6400-PH 4.5.
 */
#ifndef _HIPPI6400_EMU_SWITCH_H
#define _HIPPI6400_EMU_SWITCH_H

#include <linux/bitmap.h>
#include <linux/bits.h>
#include <linux/types.h>

#include "link/link.h"
#include "emu/fabric/table.h"
#include "emu/fabric/topology.h"

/*
 * An output that takes nothing of its Message for long is given up, and so is an
 * input that brings nothing of its.  That is no business of the switch while the
 * link may still deliver: credit may be lost on the way to the sender, and then
 * the data on their way from it, each for as long as the link recovers at most.
 * The rest is for machines that are slow, and at least the silence that takes a
 * link down.
 */
#define EMU_STALL_RECOVERIES	2
#define EMU_STALL_MARGIN_MS	2000

/* Credit of one VC, and the micropacket that ends a Message whose rest is lost */
#define EMU_CELLS		(H64_CREDIT_POOL + 1)
/* Room for a window, its retransmission, and as much again */
#define EMU_RING_SIZE		1024

#define EMU_INPUTS		(EMU_PORTS_MAX * HIPPI6400_NUM_VCS)

/**
 * struct emu_cell - a micropacket of a Message in an input
 * @data: DB00-DB31
 * @ctrl: VC, TYPE, TAIL, ERROR and ECRC
 */
struct emu_cell {
	u8 data[H64_UPKT_DATA] __aligned(8);
	u64 ctrl;
};

/**
 * enum emu_input_state - what becomes of the first Message of an input
 * @EMU_IDLE: there is none, or nobody has looked at it
 * @EMU_WAITING: it needs outputs that are not all free
 * @EMU_GOING: it has its outputs
 * @EMU_SKIPPING: the rest of it is thrown away
 */
enum emu_input_state {
	EMU_IDLE,
	EMU_WAITING,
	EMU_GOING,
	EMU_SKIPPING,
};

/**
 * struct emu_input - one Virtual Channel of what arrives at a port
 * @open: the newest Message has not ended yet
 * @skip: the rest of the newest Message gets no place
 * @bad_ecrc: the newest Message was found to have a wrong ECRC
 * @newest: how many cells the newest Message has, if it is open
 * @seen: micropackets of the newest Message so far
 * @ecrc: ECRC of the newest Message so far
 * @head: the first cell
 * @count: number of cells
 * @closing: the first cell was made here, and has no credit
 * @state: what becomes of the first Message
 * @outs: the ports that it goes to
 * @begun: some of it has left
 * @sent_ecrc: ECRC of what has left of it
 * @starving: since when nothing of it comes, while it could go on; 0 for no
 * @cell: ring of micropackets
 */
struct emu_input {
	bool open;
	bool skip;
	bool bad_ecrc;
	u32 newest;
	u32 seen;
	u16 ecrc;
	u32 head;
	u32 count;
	bool closing;
	enum emu_input_state state;
	unsigned long outs;
	bool begun;
	u16 sent_ecrc;
	u64 starving;
	struct emu_cell cell[EMU_CELLS];
};

/**
 * struct emu_output - one Virtual Channel of what leaves a port
 * @owner: the port that the Message comes from
 * @blocked: since when it does not take what it could have; 0 for no
 * @ecrc: ECRC so far of a Message that has to be ended here
 */
struct emu_output {
	unsigned int owner;
	u64 blocked;
	u16 ecrc;
};

/**
 * struct emu_sport_stats - Messages of a port
 * @rx_messages: began to arrive
 * @rx_flooded: went to all other ports
 * @rx_filtered: thrown away, as they were for somebody behind the same port
 * @rx_no_output: thrown away, as no port was up that they could have gone to
 * @rx_ecrc_errors: had a wrong ECRC, and were passed on with it
 * @rx_header_without_tail: followed by another without an end
 * @rx_data_without_header: micropackets outside any Message
 * @rx_over_limit: longer than their Virtual Channel allows
 * @rx_no_room: sent without credit
 * @rx_starved: nothing of them came any more
 * @rx_truncated: some of them had left and they were ended with ERROR
 * @rx_lost: thrown away, for the same reasons, before any of them had left
 * @tx_messages: left to their end
 * @tx_stalls: ended with ERROR, as the port took nothing any more
 * @tx_stall_drops: not sent, as the port took nothing any more
 * @tx_cut: on their way as the link went down
 * @tx_lost: had left to their end, but were not acknowledged as the link went down
 */
struct emu_sport_stats {
	u64 rx_messages;
	u64 rx_flooded;
	u64 rx_filtered;
	u64 rx_no_output;
	u64 rx_ecrc_errors;
	u64 rx_header_without_tail;
	u64 rx_data_without_header;
	u64 rx_over_limit;
	u64 rx_no_room;
	u64 rx_starved;
	u64 rx_truncated;
	u64 rx_lost;
	u64 tx_messages;
	u64 tx_stalls;
	u64 tx_stall_drops;
	u64 tx_cut;
	u64 tx_lost;
};

struct emu_switch;

/**
 * struct emu_sport - a port of a switch
 * @sw: the switch
 * @port: number of the port, in the switch and in all the emulator
 * @link: the link on it
 * @patience: how long the switch waits for what the link does not bring or take
 * @more: there is more to be received, so it is early to judge the time
 * @ticked: when the link's timers were looked at last
 * @in: what arrives, by Virtual Channel
 * @out: what leaves
 * @stats: counters
 * @ring: TX ring of @link
 */
struct emu_sport {
	struct emu_switch *sw;
	unsigned int port;
	struct h64_link link;
	u64 patience;
	bool more;
	u64 ticked;
	struct emu_input in[HIPPI6400_NUM_VCS];
	struct emu_output out[HIPPI6400_NUM_VCS];
	struct emu_sport_stats stats;
	struct h64_upkt ring[EMU_RING_SIZE];
};

/**
 * struct emu_lane - one Virtual Channel of a switch, which no other can block
 * @busy: outputs that have a Message
 * @closing: those of them whose Message has to be ended here, with ERROR
 * @stalled: outputs that took nothing for too long
 * @changed: an output became free, or an input began to wait
 * @waiting: ports whose inputs wait for outputs, the longest first
 * @waiters: how many those are
 */
struct emu_lane {
	unsigned long busy;
	unsigned long closing;
	unsigned long stalled;
	bool changed;
	u8 waiting[EMU_PORTS_MAX];
	unsigned int waiters;
};

/**
 * struct emu_switch - a switch
 * @port: its ports, NULL for those that are not its
 * @up: ports whose link is up
 * @ready: inputs that have cells, by emu_input_bit()
 * @turn: the input that comes first next time
 * @lane: by Virtual Channel
 * @clock: time in nanoseconds while the switch runs; it does not count for what
 *	happens when nobody lets the switch run.  Never 0.
 * @ran: when it ran last
 * @aged: when the table was looked through last
 * @table: addresses
 */
struct emu_switch {
	struct emu_sport *port[EMU_PORTS_MAX];
	unsigned long up;
	DECLARE_BITMAP(ready, EMU_INPUTS);
	unsigned int turn;
	struct emu_lane lane[HIPPI6400_NUM_VCS];
	u64 clock;
	u64 ran;
	u64 aged;
	struct emu_table table;
};

static inline unsigned int emu_input_bit(unsigned int port, unsigned int vc)
{
	return port * HIPPI6400_NUM_VCS + vc;
}

/* fabric/switch.c */
struct emu_switch *emu_switch_alloc(u32 key);
void emu_switch_attach(struct emu_switch *sw, struct emu_sport *sport, unsigned int port,
		       const struct h64_link_times *times, u64 now);
void emu_switch_detach(struct emu_sport *sport);
void emu_switch_signal(struct emu_sport *sport, bool signal, u64 now);
void emu_switch_receive(struct emu_sport *sport, const struct h64_upkt *upkts, unsigned int n,
			bool more, u64 now);
bool emu_switch_run(struct emu_switch *sw, u64 now);
unsigned int emu_switch_sent(const struct emu_sport *sport, const struct h64_upkt **upkts);
void emu_switch_taken(struct emu_sport *sport, unsigned int n);

/* fabric/input.c */
void emu_input_receive(struct emu_sport *sport, const struct h64_upkt *upkt, u64 now);
void emu_input_reset(struct emu_sport *sport);
void emu_input_starve(struct emu_sport *sport);
const struct emu_cell *emu_input_first(const struct emu_input *in);
void emu_input_pop(struct emu_sport *sport, unsigned int vc);
void emu_cell_close(struct emu_cell *cell, unsigned int vc, u16 ecrc);

/* fabric/forward.c */
bool emu_forward(struct emu_switch *sw, u64 now);
void emu_forward_give_up(struct emu_sport *sport, unsigned int vc);
void emu_forward_port_down(struct emu_sport *sport);
void emu_forward_abandon(struct emu_sport *sport);

#endif
