/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the HIPPI-6400-PH preview leaves to clauses that are not at hand, and
 * this project therefore decided.  Whoever holds the full standard changes it
 * here and nowhere else.
 */
#ifndef _HIPPI6400_LINK_VALUES_H
#define _HIPPI6400_LINK_VALUES_H

#include <linux/bits.h>

/* TYPE, c02-c05; the values not named here are reserved */
#define H64_TYPE_NULL		0
#define H64_TYPE_CREDIT		1
#define H64_TYPE_HEADER		2
#define H64_TYPE_DATA		3
#define H64_TYPE_ADMIN		4
#define H64_TYPE_RESET		8
#define H64_TYPE_RESET_ACK	9
#define H64_TYPE_INIT		10
#define H64_TYPE_INIT_ACK	11

/*
 * Both CRCs are preset to this, take the most significant bit first and are
 * not inverted.  The LCRC takes DB00-DB31, then c07-c00, c15-c08, ... c47-c40.
 */
#define H64_CRC_PRESET		0xffff

/* Sequence numbers count 0 to 254; x'FF' stands for none */
#define H64_SEQ_MOD		255
#define H64_SEQ_NONE		0xff
#define H64_WINDOW		254

/* Largest Message of each VC, in micropackets, Header included */
#define H64_VC0_LIMIT		68
#define H64_VC1_LIMIT		4100
#define H64_VC2_LIMIT		4100
#define H64_VC3_LIMIT		BIT(27)

/* Credits of one VC that a source can hold; more is a credit overflow */
#define H64_CREDIT_MAX		4095
/* Room that this destination grants for each VC: eight full updates */
#define H64_CREDIT_POOL		504

/*
 * Timers, in milliseconds.  They suit an emulated card in a virtual machine
 * that is itself emulated; beside each, what a link of 1 km with a card needs
 * (a round trip of 254 micropackets takes some 20 microseconds).
 */
#define H64_RETRY_MS		100	/* Reset, Initialize again; 1 ms */
#define H64_ACK_TIMEOUT_MS	100	/* first go-back; 1 ms, a jiffy at the least */
#define H64_ACTIVITY_MS		2000	/* silence takes the link down; 10 ms */
#define H64_HOLDOFF_MS		500	/* from one bring-up to the next; 500 ms */

/* Nulls keep the line busy, so often that three of them may be lost in a row */
#define H64_KEEPALIVE_DIV	5
/* Each ACK timeout in a row waits twice as long as the one before, to this */
#define H64_ACK_BACKOFF_MAX	4
/* A go-back that an RSEQ asks for waits this part of the ACK timeout after another */
#define H64_GO_BACK_GUARD_DIV	32
/*
 * Nulls in a row that repeat an RSEQ tell of a gap.  Fewer tell of a discard whose
 * TSEQ lies so far ahead that it may as well lie behind, as of something that came
 * again.  One alone may be a Null that keeps the line busy and crossed what it does
 * not know of yet.
 */
#define H64_NAK_NULLS		3
#define H64_NAK_NULLS_FAR	2
/* ACK timeouts in a row without progress; after the next the link is reset */
#define H64_RETRY_LIMIT		16

/*
 * Admin, whose layout is in admin.h.  It goes where Messages are short, as it
 * does not interrupt one.  An answer is expected within the timeout, and asked
 * for so many times; of each kind one answer leaves in a while, however many
 * are asked for.
 */
#define H64_ADMIN_VC		0
#define H64_ADMIN_TIMEOUT_MS	1000
#define H64_ADMIN_TRIES		4
#define H64_ADMIN_PACE_MS	1

#endif
