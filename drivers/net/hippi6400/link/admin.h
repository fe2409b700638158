/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Admin micropackets, HIPPI-6400-PH 3.1.5 and 5.5: neighbours exchange
 * identities and test the link by loop-back.
 *
 * The preview specifies that such micropackets exist, that an element receives,
 * processes and sends them, and that they share a Virtual Channel with Messages
 * (5.3).  This project defines their contents.
 */
#ifndef _HIPPI6400_LINK_ADMIN_H
#define _HIPPI6400_LINK_ADMIN_H

#include <linux/build_bug.h>
#include <linux/if_ether.h>
#include <linux/types.h>

#include "../hippi6400_csr.h"

#define H64_ADMIN_VERSION	1

/* Opcodes; an answer is one more than its request */
#define H64_ADMIN_IDENTITY	1	/* length 0 */
#define H64_ADMIN_IDENTITY_IS	2	/* struct h64_admin_identity */
#define H64_ADMIN_LOOPBACK	3	/* any bytes */
#define H64_ADMIN_LOOPBACK_IS	4	/* the same bytes */

/* Elements */
#define H64_ELEMENT_NONE	0	/* takes no part in Admin */
#define H64_ELEMENT_END_DEVICE	1
#define H64_ELEMENT_SWITCH	2

#define H64_ADMIN_BODY		24
#define H64_ADMIN_SOFTWARE	16

/**
 * struct h64_admin_upkt - data bytes of an Admin micropacket
 * @version: H64_ADMIN_VERSION
 * @opcode: H64_ADMIN_...
 * @hops: hop count; 0 for the neighbour, which does not forward it
 * @len: number of valid bytes in @body; the others are sent as zeros and
 *	ignored
 * @txn: transaction number; an answer has that of its request
 * @body: contents by opcode
 */
struct h64_admin_upkt {
	u8 version;
	u8 opcode;
	u8 hops;
	u8 len;
	__be32 txn;
	u8 body[H64_ADMIN_BODY];
};

static_assert(sizeof(struct h64_admin_upkt) == H64_UPKT_DATA);

/**
 * struct h64_admin_identity - body of an identity answer
 * @ula: Universal LAN Address of the port
 * @port: number of the port on the element, from 0
 * @element: H64_ELEMENT_...
 * @software: name and version in ASCII, padded with zeros
 */
struct h64_admin_identity {
	u8 ula[ETH_ALEN];
	u8 port;
	u8 element;
	u8 software[H64_ADMIN_SOFTWARE];
};

static_assert(sizeof(struct h64_admin_identity) == H64_ADMIN_BODY);

/**
 * struct h64_identity - identity of an element
 * @ula: Universal LAN Address of the port
 * @port: number of the port on the element, from 0
 * @element: H64_ELEMENT_...
 * @software: name and version, a string of printable ASCII
 */
struct h64_identity {
	u8 ula[ETH_ALEN];
	u8 port;
	u8 element;
	char software[H64_ADMIN_SOFTWARE + 1];
};

/**
 * enum h64_admin_kind - kinds of requests between neighbours
 * @H64_KIND_IDENTITY: request the identity
 * @H64_KIND_LOOPBACK: request the return of a pattern
 * @H64_ADMIN_KINDS: number of kinds
 */
enum h64_admin_kind {
	H64_KIND_IDENTITY,
	H64_KIND_LOOPBACK,
	H64_ADMIN_KINDS,
};

/**
 * struct h64_admin_slot - a pending request, or an answer that is due
 * @busy: the slot is in use
 * @tries: number of times the request was sent
 * @len: number of bytes in @body
 * @txn: transaction number
 * @deadline: time to repeat the request, or to release the answer
 * @next: for answers: earliest time of the next one
 * @body: bytes to send; for a request, also to compare with the answer
 */
struct h64_admin_slot {
	bool busy;
	u8 tries;
	u8 len;
	u32 txn;
	u64 deadline;
	u64 next;
	u8 body[H64_ADMIN_BODY];
};

/**
 * struct h64_admin - Admin state of one end of a link
 * @self: identity of this end; survives a drop of the link's state
 * @neighbour: identity of the other end, valid if @known
 * @known: the other end sent its identity
 * @ready: bit mask of slots to be sent: answers by kind, then requests by kind
 * @last_txn: transaction number of the last request
 * @answer: answers that are due
 * @request: pending requests
 */
struct h64_admin {
	struct h64_identity self;
	struct h64_identity neighbour;
	bool known;
	u8 ready;
	u32 last_txn;
	struct h64_admin_slot answer[H64_ADMIN_KINDS];
	struct h64_admin_slot request[H64_ADMIN_KINDS];
};

#endif
