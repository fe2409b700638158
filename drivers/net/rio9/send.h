/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The transmitter of a port.
 */
#ifndef _RIO9_SEND_H
#define _RIO9_SEND_H

#include <linux/spinlock.h>

#include "segment.h"
#include "voq.h"

struct rio9_port;

/* PDUs that wait for the card, as memory, before the device takes no more */
#define RIO9_SEND_WAITING	(2 * RIO9_PDU_MAX)

/* Segments and messages that are sent at a time before others have their turn */
#define RIO9_SEND_BUDGET	1024

/* Streams that traffic management is asked about while the lock is held once */
#define RIO9_SEND_BATCH		32

/* Bits of the flags of a transmitter */
#define RIO9_SEND_AGAIN		0
#define RIO9_SEND_RELEASE	1

/**
 * struct rio9_sending - what a port is sending on a physical channel
 * @skb: the PDU; NULL if there is none
 * @pdu: its label
 * @voq: its queue
 * @bytes: its length
 * @managed: traffic management knows that it has begun
 * @segmenter: of a card that takes packets
 * @packet: a message, or the end of a PDU that was given up, which goes before a segment
 * @len: bytes of it; 0 if there is none
 */
struct rio9_sending {
	struct sk_buff *skb;
	struct rio9_pdu pdu;
	struct rio9_voq *voq;
	unsigned int bytes;
	bool managed;
	struct rio9_segmenter segmenter;
	u8 packet[RIO9_PACKET_MAX];
	unsigned int len;
};

/**
 * struct rio9_send - a transmitter
 * @running: who sends holds it, and has @sending to itself
 * @flags: RIO9_SEND_AGAIN: somebody has something to send while another is sending;
 *	RIO9_SEND_RELEASE: streams that are held may perhaps go
 * @sending: by physical channel, so that PDUs of several are interleaved, 3.2.5 segmentation
 *	rule 1
 * @lock: of @queues and @stats
 * @queues: what waits
 * @stats: what was counted
 */
struct rio9_send {
	spinlock_t running;	/* who sends */
	unsigned long flags;
	struct rio9_sending sending[RIO9_CHANNELS];
	spinlock_t lock;	/* @queues and @stats */
	struct rio9_voqs queues;
	u64 stats[RIO9_STATS];
};

void rio9_send_init(struct rio9_port *port);
void rio9_send_stop(struct rio9_port *port);
int rio9_send_queue(struct rio9_port *port, struct sk_buff *skb, const struct rio9_pdu *pdu);
bool rio9_send_run(struct rio9_port *port);
bool rio9_send_room(struct rio9_port *port);

#endif
