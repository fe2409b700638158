/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The far end of a port's link: an independent implementation of the link
 * protocol, over the line file of an emulated port, that checks what it
 * receives.
 */
#ifndef SELFTESTS_HIPPI6400_PEER_H
#define SELFTESTS_HIPPI6400_PEER_H

#include "port.h"
#include "upkt.h"

#define POOL		504	/* credits that the port grants on each VC, 8 times 63 */
#define POOL_GRANTS	(VCS * POOL / CR_MAX)	/* micropackets that carry them */

/**
 * struct assembly - a Message that the port is sending on a VC
 * @busy: its Header has arrived, its TAIL has not
 * @ecrc: ECRC so far
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
 * @in_count: their number
 * @in_next: index of the first unhandled one
 * @open: sequenced micropackets are legal
 * @accept: accept micropackets that are next in order; else treat them as lost
 * @ack: acknowledge them automatically
 * @next: TSEQ of the next micropacket to send
 * @una: oldest TSEQ that the port has not acknowledged
 * @any_acked: it acknowledged one
 * @credit: unused credit from the port on each VC
 * @granted: total credit from the port on each VC
 * @port_credit: credit granted to the port that it has not used
 * @expect: next TSEQ in order
 * @rseq: last accepted TSEQ
 * @told: last RSEQ sent
 * @repeats: repeated micropackets received
 * @nulls: Nulls received
 * @last_rseq: RSEQ of the newest micropacket of the port
 * @msg: Messages that are arriving
 * @done: VC of the Message that the last micropacket completed, or -1
 * @may_cut: the port may give up a partly sent Message and end it with ERROR
 * @cut: number of Messages given up in this way
 * @wrong: the first violation of the protocol, or an empty text
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
 * Unless noted otherwise, all of these print the reason and return false when
 * the event that they wait for does not occur.
 */

/* Plugs into the port; the link is down. */
bool peer_open(struct peer *peer, unsigned int port);
void peer_close(struct peer *peer);
/* Forgets sequence and credit, as after Initialize. */
void peer_start_over(struct peer *peer);
/* Sends a Reset to the port; the link is down. */
bool peer_reset(struct peer *peer);
/* From the port's Reset to its Initialize_ACK */
bool peer_connect(struct peer *peer);
/*
 * The same; then the first grants of the port have arrived and are
 * acknowledged, and the port knows its neighbour's identity.
 */
bool peer_bring_up(struct peer *peer);
/* Grants the credit for the port's identity request, and answers it. */
bool peer_identify(struct peer *peer);

/*
 * Returns the next micropacket within @ms, already checked; false without a
 * message if there is none.
 */
bool peer_read(struct peer *peer, struct upkt *upkt, int ms);
/* Reads until one of this type has arrived. */
bool peer_wait(struct peer *peer, enum type type, struct upkt *upkt);
/* Reads until a Message is complete; returns its length, or -1. */
ssize_t peer_frame(struct peer *peer, unsigned int *vc, __u8 **frame);
/* Reads for this time; returns the number of sequenced micropackets received. */
unsigned int peer_listen(struct peer *peer, int ms);
/* Reads until the port has the carrier, or has lost it. */
bool peer_carrier(struct peer *peer, struct port *port, bool carrier);

/* Sends micropackets unchanged */
bool peer_write(struct peer *peer, const struct upkt *upkts, unsigned int count);
/* Sends a micropacket outside any Message, not sequenced, with the newest RSEQ */
bool peer_say(struct peer *peer, enum type type);
/* Sends the next in sequence, with the newest RSEQ; waits for window and credit. */
bool peer_send(struct peer *peer, struct upkt *upkt);
/* The same, but waits for no credit and uses none. */
bool peer_send_uncredited(struct peer *peer, struct upkt *upkt);
bool peer_send_all(struct peer *peer, struct upkt *upkts, unsigned int count);
bool peer_send_frame(struct peer *peer, unsigned int vc, const void *frame, size_t len);
bool peer_grant(struct peer *peer, unsigned int vc, unsigned int credits);
/* Waits until the port has handled everything sent; costs a credit on VC3. */
bool peer_settle(struct peer *peer);

#endif
