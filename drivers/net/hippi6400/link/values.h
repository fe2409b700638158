/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values that the HIPPI-6400-PH preview leaves to clauses that are not
 * available, and that this project therefore chose.  To adopt those of the full
 * standard, change this file only.
 */
#ifndef _HIPPI6400_LINK_VALUES_H
#define _HIPPI6400_LINK_VALUES_H

#include <linux/bits.h>

/* TYPE, c02-c05; other values are reserved */
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

/* Maximum credits of one VC at a source; more is a credit overflow */
#define H64_CREDIT_MAX		4095
/* Room that this destination grants for each VC: eight full updates */
#define H64_CREDIT_POOL		504

/*
 * Timers, in milliseconds.  They suit an emulated card in a virtual machine
 * that is itself emulated.  The value in each comment suits a card and a link
 * of 1 km (a round trip of 254 micropackets takes some 20 microseconds).
 */
#define H64_RETRY_MS		100	/* Reset, Initialize again; 1 ms */
#define H64_ACK_TIMEOUT_MS	100	/* first go-back; 1 ms, a jiffy at the least */
#define H64_ACTIVITY_MS		2000	/* silence takes the link down; 10 ms */
#define H64_HOLDOFF_MS		500	/* from one bring-up to the next; 500 ms */

/* Interval of the Nulls on an idle line, so short that three may be lost in a row */
#define H64_KEEPALIVE_DIV	5
/* Each ACK timeout in a row is twice as long as the one before, up to this */
#define H64_ACK_BACKOFF_MAX	4
/* Minimum time from one go-back to one that an RSEQ requests, as a fraction of the ACK timeout */
#define H64_GO_BACK_GUARD_DIV	32
/*
 * Number of Nulls in a row with the same RSEQ that reports a gap.  Fewer report a
 * discard whose TSEQ lies so far ahead that it may be a repetition that lies
 * behind.  A single Null may be a keepalive that crossed newer micropackets.
 */
#define H64_NAK_NULLS		3
#define H64_NAK_NULLS_FAR	2
/* ACK timeouts in a row without progress; after the next the link is reset */
#define H64_RETRY_LIMIT		16

/*
 * Admin, whose layout is in admin.h.  It uses a VC with short Messages, as it
 * does not interrupt one.  A request is repeated after the timeout, this many
 * times.  Answers of each kind are limited to one per interval.
 */
#define H64_ADMIN_VC		0
#define H64_ADMIN_TIMEOUT_MS	1000
#define H64_ADMIN_TRIES		4
#define H64_ADMIN_PACE_MS	1

#endif
