/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Short records, sent by Put into memory that the two AF_STs have arranged.
 */
#ifndef _NET_ST_SHORT_H
#define _NET_ST_SHORT_H

#include "wire/block.h"
#include "wire/op.h"

struct sk_buff;
struct st_sock;
struct st_tx;

#define ST_SHORT_MAX	1024		/* bytes of a record; an STU at an MTU of 1500 */
#define ST_SHORT_ID	0xfffffffeU	/* R-id of this end's memory, never of a Transfer */
#define ST_SHORT_MX	0xc000		/* R-Mx; another user of the same Mx has another R-id */

/**
 * struct st_shorts - short records of a Virtual Connection
 * @wanted: net.st.short_records at the begin of the setup
 * @max: longest record that the peer takes, bytes; 0: none
 * @mx: R-Mx of the peer
 * @at: R-Bufx and R-Offset of the peer
 * @peer_id: R-id of the peer
 * @tx: the record under way or refused that is not in st_sock.ids.xa; or NULL
 * @tx_next: B_num of the next record to send
 * @tx_sync: Sync of the last record sent
 * @skip: how many records to send by Write, after a refusal, before the next try
 * @rx_next: B_num of the next record from the peer
 * @taken: the last record from the peer was taken
 */
struct st_shorts {
	bool		wanted;
	u16		max;
	u16		mx;
	struct st_place	at;
	u32		peer_id;
	struct st_tx	*tx;
	u32		tx_next;
	u32		tx_sync;
	u8		skip;
	u32		rx_next;
	bool		taken;
};

/**
 * struct st_short_opt - the optional payload that arranges short records, big-endian
 * @magic: %ST_SHORT_MAGIC; anything else is the payload of another ULP
 * @id: R-id
 * @mx: R-Mx
 * @max: longest record, bytes
 * @bufx: R-Bufx
 * @offset: R-Offset
 * @zero: zero, not checked
 */
struct st_short_opt {
	__be64	magic;
	__be32	id;
	__be16	mx;
	__be16	max;
	__be32	bufx;
	__be32	offset;
	__be64	zero;
};

#define ST_SHORT_MAGIC	0x73742d73686f7274ULL	/* "st-short" */

static_assert(sizeof(struct st_short_opt) == ST_OPT_LEN);

/* xfer/short.c */
void st_short_learn(struct st_sock *st, const void *opt);
bool st_short_send(struct st_sock *st, struct st_tx *tx);
bool st_short_told(struct st_sock *st, const struct st_op *op);
bool st_short_rcv(struct st_sock *st, const struct st_op *op, const struct sk_buff *skb);
bool st_short_state(struct st_sock *st, const struct st_op *op);

#endif
