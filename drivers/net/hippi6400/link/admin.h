/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Admin micropackets, HIPPI-6400-PH 3.1.5 and 5.5: how neighbours ask each
 * other who they are, and whether what they send comes through.
 *
 * The preview fixes that there are such micropackets, that an element receives,
 * processes and sends them, and that they share a Virtual Channel with Messages
 * (5.3).  What is in them was decided by this project.
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
 * @hops: hop count; 0 for the neighbour, who does not pass it on
 * @len: bytes of @body that count; the others are sent as zeros and ignored
 * @txn: transaction number; an answer has that of its request
 * @body: by opcode
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
 * @port: its number on the element, from 0
 * @element: H64_ELEMENT_...
 * @software: name and version in ASCII, with zeros behind
 */
struct h64_admin_identity {
	u8 ula[ETH_ALEN];
	u8 port;
	u8 element;
	u8 software[H64_ADMIN_SOFTWARE];
};

static_assert(sizeof(struct h64_admin_identity) == H64_ADMIN_BODY);

/**
 * struct h64_identity - who an element is
 * @ula: Universal LAN Address of the port
 * @port: its number on the element, from 0
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
 * enum h64_admin_kind - what neighbours ask each other
 * @H64_KIND_IDENTITY: who are you
 * @H64_KIND_LOOPBACK: send this back
 * @H64_ADMIN_KINDS: how many there are
 */
enum h64_admin_kind {
	H64_KIND_IDENTITY,
	H64_KIND_LOOPBACK,
	H64_ADMIN_KINDS,
};

/**
 * struct h64_admin_slot - a request under way, or an answer that is due
 * @busy: there is one
 * @tries: times the request was made
 * @len: bytes of @body
 * @txn: transaction number
 * @deadline: when to ask again, or until when the answer is held back
 * @next: of answers: not before this may another leave
 * @body: to be sent, of a request: and to be compared
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
 * struct h64_admin - Admin at one end of a link
 * @self: who this end is; outlasts the link
 * @neighbour: who the other end said it is, if @known
 * @known: it said so
 * @ready: bits of slots to be sent: answers by kind, then requests by kind
 * @last_txn: transaction number of the last request
 * @answer: answers that are due
 * @request: requests under way
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
