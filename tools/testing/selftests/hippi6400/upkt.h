/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Micropackets and Messages of the HIPPI-6400 tests.  Nothing here comes from
 * the driver: the two share only the specification.
 */
#ifndef SELFTESTS_HIPPI6400_UPKT_H
#define SELFTESTS_HIPPI6400_UPKT_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#define VCS		4
#define UPKT_DATA	32
#define UPKT_SIZE	40
#define ETH_HEADER	14
#define HEADER_PAYLOAD	8	/* in the Header micropacket */
#define SNAP_SIZE	8	/* DSAP to EtherType, included in M_len */
#define CR_MAX		63
#define SEQ_MOD		255
#define SEQ_NONE	0xff
#define WINDOW		254
#define MTU_MAX		65280
#define FRAME_MAX	(ETH_HEADER + 4 + MTU_MAX)	/* with a VLAN tag */
#define MESSAGE_MAX	2048	/* micropackets, more than FRAME_MAX needs */
#define ADMIN_VC	0
#define ADMIN_BODY	24

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#endif

enum type {
	TYPE_NULL	= 0,
	TYPE_CREDIT	= 1,
	TYPE_HEADER	= 2,
	TYPE_DATA	= 3,
	TYPE_ADMIN	= 4,
	TYPE_RESET	= 8,
	TYPE_RESET_ACK	= 9,
	TYPE_INIT	= 10,
	TYPE_INIT_ACK	= 11,
};

/* Opcodes of Admin micropackets */
enum admin {
	ADMIN_IDENTITY		= 1,
	ADMIN_IDENTITY_IS	= 2,
	ADMIN_LOOPBACK		= 3,
	ADMIN_LOOPBACK_IS	= 4,
};

/**
 * struct upkt - a micropacket: DB00-DB31, then c00-c63 little-endian
 * @byte: all of it
 */
struct upkt {
	__u8	byte[UPKT_SIZE];
};

/**
 * struct control - c00-c31 of a micropacket
 * @vc: Virtual Channel
 * @type: TYPE
 * @tail: last one of its Message
 * @error: the Message is damaged
 * @vcr: the VC that the credit is for
 * @cr: credits granted
 * @tseq: transmit sequence number
 * @rseq: last accepted TSEQ
 */
struct control {
	__u8	vc;
	__u8	type;
	bool	tail;
	bool	error;
	__u8	vcr;
	__u8	cr;
	__u8	tseq;
	__u8	rseq;
};

__u16 crc16(__u16 poly, __u16 crc, const void *buf, size_t len);
__u16 ecrc_of(__u16 crc, const struct upkt *upkt);

struct control control_of(const struct upkt *upkt);
void set_control(struct upkt *upkt, const struct control *control);
__u16 get_ecrc(const struct upkt *upkt);
void set_ecrc(struct upkt *upkt, __u16 ecrc);
__u16 get_lcrc(const struct upkt *upkt);
bool lcrc_right(const struct upkt *upkt);
void seal(struct upkt *upkt);
bool is_sequenced(const struct control *control);

/* Makes a micropacket outside any Message: no data, its own ECRC, not sealed. */
struct upkt outside(enum type type, unsigned int rseq);

/* An Admin micropacket with a body of zeros, not sealed; renew_ecrc() after a change */
struct upkt make_admin(unsigned int opcode, unsigned int length, __u32 txn);
__u32 admin_txn(const struct upkt *upkt);

unsigned int upkts_of(size_t payload);

/*
 * Makes a Message from a frame: TYPE, VC, TAIL and ECRC are set; sequence
 * numbers and LCRC are set when it is sent.  Returns the number of
 * micropackets.
 */
unsigned int make_message(struct upkt *to, unsigned int vc, const void *frame, size_t len);
void set_m_len(struct upkt *header, __u32 m_len);
/* Recomputes the ECRC of a whole Message after its data bytes were changed. */
void renew_ecrc(struct upkt *upkts, unsigned int count);

/* Fills a frame with this number of bytes after the Ethernet header; returns its length. */
size_t make_frame(__u8 *to, const __u8 *dest, size_t payload, unsigned int number);

void print_upkt(const char *what, const struct upkt *upkt);

#endif
