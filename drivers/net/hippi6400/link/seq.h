/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sequence numbers, ACKs and go-back-N.
 */
#ifndef _HIPPI6400_LINK_SEQ_H
#define _HIPPI6400_LINK_SEQ_H

#include "link.h"

/* seq.c: sequence, ACK, go-back-N */
static inline u8 h64_seq_add(u8 a, unsigned int n)
{
	return (a + n) % H64_SEQ_MOD;
}

static inline u8 h64_seq_sub(u8 a, u8 b)
{
	return (a + H64_SEQ_MOD - b) % H64_SEQ_MOD;
}

/**
 * h64_seq_is_sequenced - check whether a micropacket is sequenced
 * @ctrl: its control bits
 *
 * Return: true if it is acknowledged and, if lost, retransmitted.
 */
static inline bool h64_seq_is_sequenced(u64 ctrl)
{
	switch (FIELD_GET(H64_C_TYPE, ctrl)) {
	case H64_TYPE_HEADER:
	case H64_TYPE_DATA:
	case H64_TYPE_ADMIN:
		return true;
	case H64_TYPE_RESET:
	case H64_TYPE_RESET_ACK:
	case H64_TYPE_INIT:
	case H64_TYPE_INIT_ACK:
		return false;
	default:
		return FIELD_GET(H64_C_CR, ctrl);
	}
}

u64 h64_seq_keepalive(const struct h64_link *link);
void h64_seq_reset_source(struct h64_link *link);
void h64_seq_reset_sink(struct h64_link *link);
struct h64_upkt *h64_seq_slot(struct h64_link *link);
bool h64_seq_can_send(const struct h64_link *link);
bool h64_seq_wants_room(const struct h64_link *link);
u64 h64_seq_ctrl(struct h64_link *link);
void h64_seq_commit(struct h64_link *link, struct h64_upkt *upkt, u64 ctrl, u16 lcrc, u64 now);
bool h64_seq_send_zero(struct h64_link *link, u64 ctrl, u64 now);
bool h64_seq_accept(struct h64_link *link, u8 tseq);
u64 h64_seq_guard(const struct h64_link *link);
void h64_seq_wait_for_ack(struct h64_link *link, u64 now);
u64 h64_seq_deadline(const struct h64_link *link);
bool h64_seq_ack(struct h64_link *link, u8 rseq, bool null, u64 now);
bool h64_seq_timeout(struct h64_link *link, u64 now);
void h64_seq_retransmit(struct h64_link *link, u64 now);

#endif
