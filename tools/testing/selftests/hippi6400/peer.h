/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The far end of a port's link: a program that speaks the link protocol by
 * itself, over the line file of an emulated port, and judges what it hears.
 */
#ifndef SELFTESTS_HIPPI6400_PEER_H
#define SELFTESTS_HIPPI6400_PEER_H

#include "port.h"
#include "upkt.h"

#define POOL		504	/* credits that the port grants on each VC, 8 times 63 */
#define POOL_GRANTS	(VCS * POOL / CR_MAX)	/* micropackets that carry them */

/**
 * struct assembly - a Message that the port is sending on a VC
 * @busy: its Header was there, its TAIL not yet
 * @ecrc: so far
 * @size: bytes of the frame, once it is complete
 * @have: bytes of it so far
 * @frame: the bytes
 */
struct assembly {
	bool		busy;
	__u16		ecrc;
	size_t		size;
	size_t		have;
	__u8		frame[FRAME_MAX];
};

/**
 * struct peer - the far end
 * @line: the file
 * @in: micropackets read from it
 * @in_count: how many
 * @in_next: the first that was not looked at
 * @open: sequenced micropackets may come
 * @accept: take those that are next in order; else they count as never arrived
 * @ack: tell the port so, without being asked
 * @next: TSEQ of the next micropacket to send
 * @una: the oldest that the port did not acknowledge
 * @any_acked: it acknowledged one
 * @credit: what the port granted on each VC and was not used
 * @granted: what it granted on each VC, ever
 * @port_credit: what this end granted to the port and it did not use
 * @expect: next TSEQ in order
 * @rseq: TSEQ accepted last
 * @told: RSEQ sent last
 * @repeats: micropackets that came again
 * @nulls: Nulls that came
 * @last_rseq: in the newest micropacket of the port
 * @msg: Messages that are arriving
 * @done: VC of the Message that the last micropacket completed, or -1
 * @may_cut: the port may give up a Message that it has begun, and end it with ERROR
 * @cut: Messages that it did so with
 * @wrong: the first breach of the protocol, or an empty text
 */
struct peer {
	int		line;
	struct upkt	in[64];
	unsigned int	in_count;
	unsigned int	in_next;
	bool		open;
	bool		accept;
	bool		ack;
	__u8		next;
	__u8		una;
	bool		any_acked;
	unsigned int	credit[VCS];
	unsigned int	granted[VCS];
	unsigned int	port_credit[VCS];
	__u8		expect;
	__u8		rseq;
	__u8		told;
	unsigned int	repeats;
	unsigned int	nulls;
	__u8		last_rseq;
	struct assembly	msg[VCS];
	int		done;
	bool		may_cut;
	unsigned int	cut;
	char		wrong[160];
};

/*
 * All of these return false, and say why, when what they wait for does not
 * come, unless something else is said.
 */

/* Plugs into the port; the link is down. */
bool peer_open(struct peer *peer, unsigned int port);
void peer_close(struct peer *peer);
/* Forgets sequence and credit, as after Initialize. */
void peer_start_over(struct peer *peer);
/* Tells the port to start over; the link is down. */
bool peer_reset(struct peer *peer);
/* From the port's Reset to its Initialize_ACK */
bool peer_connect(struct peer *peer);
/*
 * The same, then the first grants of the port are there and acknowledged, and
 * the port knows who its neighbour is.
 */
bool peer_bring_up(struct peer *peer);
/* Grants the credit for the port's question who it is, and answers. */
bool peer_identify(struct peer *peer);

/*
 * The next micropacket that comes within @ms, looked at already; false, and
 * nothing said, if none does.
 */
bool peer_read(struct peer *peer, struct upkt *upkt, int ms);
/* Reads on until one of this type has come. */
bool peer_wait(struct peer *peer, enum type type, struct upkt *upkt);
/* Reads on until a Message is complete; its length, or -1. */
ssize_t peer_frame(struct peer *peer, unsigned int *vc, __u8 **frame);
/* Reads for so long; returns how many sequenced micropackets came. */
unsigned int peer_listen(struct peer *peer, int ms);
/* Reads on until the port has the carrier, or has lost it. */
bool peer_carrier(struct peer *peer, struct port *port, bool carrier);

/* As they are */
bool peer_write(struct peer *peer, const struct upkt *upkts, unsigned int count);
/* Outside any Message, not sequenced, with the newest RSEQ */
bool peer_say(struct peer *peer, enum type type);
/* The next in sequence, with the newest RSEQ; waits for window and credit. */
bool peer_send(struct peer *peer, struct upkt *upkt);
/* The same, but waits for no credit and uses none. */
bool peer_send_uncredited(struct peer *peer, struct upkt *upkt);
bool peer_send_all(struct peer *peer, struct upkt *upkts, unsigned int count);
bool peer_send_frame(struct peer *peer, unsigned int vc, const void *frame, size_t len);
bool peer_grant(struct peer *peer, unsigned int vc, unsigned int credits);
/* Until the port has looked at all that was sent; costs a credit on VC3. */
bool peer_settle(struct peer *peer);

#endif
