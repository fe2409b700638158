/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A switch.  Pure logic: it runs the link protocol on rings in memory, time is
 * an argument in nanoseconds, and the caller carries micropackets to and from
 * it.
 *
 *   fabric/switch.c	ports and their links
 *   fabric/input.c	arriving micropackets: their buffers, incomplete
 *			Messages
 *   fabric/forward.c	forwarding of Messages from port to port
 *   fabric/table.c	addresses
 *
 * Each port has one input and one output for each Virtual Channel.  An input
 * has room for the credit that its port grants, so nothing is dropped for want
 * of room.  An output carries one Message at a time, HIPPI-6400-PH 4.5.
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
 * The switch gives up an output that accepts nothing of its Message for this
 * time, and an input that receives nothing of its Message.  The time must exceed
 * two link recoveries: one for lost credit, then one for lost data.  The margin
 * is for slow machines, and is at least the silence that takes a link down.
 */
#define EMU_STALL_RECOVERIES	2
#define EMU_STALL_MARGIN_MS	2000

/* Credit of one VC, and the micropacket that ends a truncated Message */
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
 * enum emu_input_state - state of the first Message of an input
 * @EMU_IDLE: there is none, or its outputs are not selected yet
 * @EMU_WAITING: it needs outputs that are not all free
 * @EMU_GOING: it has its outputs
 * @EMU_SKIPPING: the rest of it is discarded
 */
enum emu_input_state {
	EMU_IDLE,
	EMU_WAITING,
	EMU_GOING,
	EMU_SKIPPING,
};

/**
 * struct emu_input - one Virtual Channel of a port's input
 * @open: the newest Message has not ended yet
 * @skip: the rest of the newest Message is discarded
 * @bad_ecrc: the newest Message was found to have a wrong ECRC
 * @newest: number of cells of the newest Message, if it is open
 * @seen: micropackets of the newest Message so far
 * @ecrc: ECRC of the newest Message so far
 * @head: the first cell
 * @count: number of cells
 * @closing: the first cell was built here, and holds no credit
 * @state: state of the first Message
 * @outs: its output ports
 * @begun: part of it has left
 * @sent_ecrc: ECRC of that part
 * @starving: time since when none of it arrived while it could be forwarded, or
 *	0
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
 * struct emu_output - one Virtual Channel of a port's output
 * @owner: the port from which the Message comes
 * @blocked: time since when it refuses micropackets, or 0
 * @ecrc: ECRC so far of a Message that has to be ended here
 */
struct emu_output {
	unsigned int owner;
	u64 blocked;
	u16 ecrc;
};

/**
 * struct emu_sport_stats - Messages of a port
 * @rx_messages: started to arrive
 * @rx_flooded: sent to all other ports
 * @rx_filtered: discarded, as the destination is behind the same port
 * @rx_no_output: discarded, as no output port was up
 * @rx_ecrc_errors: forwarded with a wrong ECRC
 * @rx_header_without_tail: cut short by another Header
 * @rx_data_without_header: micropackets outside any Message
 * @rx_over_limit: longer than their Virtual Channel allows
 * @rx_no_room: sent without credit
 * @rx_starved: stopped arriving
 * @rx_truncated: partly forwarded and ended with ERROR
 * @rx_lost: discarded for the same reasons before any part had left
 * @tx_messages: sent to their end
 * @tx_stalls: ended with ERROR, as the port was stalled
 * @tx_stall_drops: not sent, as the port was stalled
 * @tx_cut: partly sent when the link went down
 * @tx_lost: sent to their end, but not acknowledged when the link went down
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
 * @port: number of the port, in the switch and in the whole emulator
 * @link: the link on it
 * @patience: how long the switch waits for a stalled input or output
 * @more: more is waiting on the line, so timers are not checked yet
 * @ticked: time when the link's timers were last checked
 * @in: inputs, by Virtual Channel
 * @out: outputs, by Virtual Channel
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
 * struct emu_lane - one Virtual Channel of a switch, which no other one can
 * block
 * @busy: outputs with a Message
 * @closing: those of @busy whose Message has to be ended here, with ERROR
 * @stalled: outputs that accepted nothing for too long
 * @changed: an output became free, or an input started to wait
 * @waiting: ports whose inputs wait for outputs, the longest-waiting first
 * @waiters: number of entries in @waiting
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
 * @port: its ports by number, NULL for ports of others
 * @up: ports whose link is up
 * @ready: inputs that have cells, by emu_input_bit()
 * @turn: the input that is served first in the next run
 * @lane: lanes, by Virtual Channel
 * @clock: running time in nanoseconds, without the time when the switch did not
 *	run.  Never 0.
 * @ran: time of the last run
 * @aged: time when the table was last checked for old addresses
 * @table: learned addresses
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
