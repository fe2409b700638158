/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages over one connection between this side and an endpoint of the user.
 */
#ifndef LINK_H
#define LINK_H

#include "conn.h"
#include "user.h"

/**
 * struct link - a connection, and what is sent over it
 * @p: this side
 * @u: the user of the other one
 * @c: the connection
 * @vi: the endpoint of the user
 * @level: its reliability level
 * @msg_id: of the next Message of this side
 * @their_msg_id: of the next Message of the other side
 */
struct link {
	struct peer *p;
	struct user *u;
	struct conn c;
	uint32_t vi;
	uint8_t level;
	uint32_t msg_id;
	uint32_t their_msg_id;
};

#define IMM		0x1234abcd
/* Room of a receive Descriptor */
#define CAP		16384
/* Where RDMA goes */
#define TARGET		0x100000

/* Bytes that tell where in a Message they are */
#define PATTERN_LEN	0x200000
const uint8_t *pattern(void);

void link_open_with(struct link *l, struct peer *p, struct user *u, uint8_t level, uint8_t flags,
		    uint32_t depth);
/* With all rights that the level allows */
void link_open(struct link *l, struct peer *p, struct user *u, uint8_t level);
/* This side ends it; @done: the last Message that the other one has completed well */
void link_close(struct link *l, uint32_t done);
/* The user's endpoint has failed: the other side says why, and the endpoint goes away */
void link_failed(struct link *l, uint8_t reason, uint32_t done);

/* A Message of this side, as one IU; of RDMA the address is to be added */
struct iu message(struct link *l, uint8_t op, unsigned int len);
struct xchg send_message(struct link *l, const struct iu *iu);
/* One frame of it: the bytes from @pos on, @last or not */
void send_part(struct link *l, struct xchg *x, const struct iu *iu, unsigned int pos,
	       unsigned int len);
/* SEND_RESP or WRITE_RESP to it */
void await_response(struct link *l, struct xchg *x, const struct iu *rqst, uint8_t flags);

/* The next Message of the other side; its fields are those of @expected but for the data */
void await_message(struct link *l, struct xchg *x, struct iu *iu, const struct iu *expected);
/* The buffers of the user have this; they are zero after it */
void got_data(struct user *u, unsigned int at, unsigned int len);
/* One Send of @len bytes in @parts IUs, which arrives */
void one_send(struct link *l, unsigned int len, bool imm, unsigned int parts);
/* A Message with the address of the user's buffer at @at */
struct iu rdma(struct link *l, uint8_t op, unsigned int at, unsigned int len);
/*
 * A Message has failed at the other side: what is answered, with @flags, told as @event, or -1, and
 * becomes of the connection; @reason is that of its Disconnect
 */
void message_fails(struct link *l, struct xchg *x, const struct iu *iu, uint8_t flags,
		   uint8_t reason, int event);
struct iu response_to(const struct link *l, const struct iu *rqst, uint8_t flags);

#endif
