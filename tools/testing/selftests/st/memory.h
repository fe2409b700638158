/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Persistent memory over a Virtual Connection of the peer, ST 6.1.4: memory that
 * the peer borrows from a socket, and memory that it lends to one.
 */
#ifndef SELFTESTS_ST_MEMORY_H
#define SELFTESTS_ST_MEMORY_H

#include "peer.h"
#include "region.h"

/* 8.2: Functions of a FetchOp, and of the answer to its Data */
#define INCREMENT		0x100
#define DECREMENT		0x200
#define CLEAR			0x300
#define COMPLETE		0x700

#define PEER_MX			0x9c00		/* where the peer requests Data */
#define LENT_MX		0x7e57		/* of memory that the peer lends */
#define LENT_ID		0x2b0d0000	/* R-id of the first */
#define BUFFER		1048576		/* bytes of one of a socket, 5.2.3 */
#define ACCESS		(ST_REGION_PUT | ST_REGION_GET | ST_REGION_FETCHOP)

/* Unless noted otherwise, all of these print the reason and return false on failure. */

/* A Request_Memory_Region */
struct op mem_request(const struct vc *vc, __u32 id, __u64 len);
/* The socket exposes memory, and the peer requests all of it. */
bool mem_borrow(struct vc *vc, __u32 id, void *at, size_t len, unsigned int access,
		struct op *available);
/* A Get, or a FetchOp with that Function, @at bytes behind its start */
struct op mem_get_op(const struct vc *vc, const struct op *available, __u16 function,
		     __u32 id, __u32 at);
/* The Request_Answer expected for it */
bool mem_answered(struct vc *vc, const struct op *to, __u16 flags);
/* An End from the peer, and every field of the End_Ack */
bool mem_end(struct vc *vc, __u32 d_id, __u32 s_id);

/* The socket requests memory of the peer; it does not wait. */
bool mem_ask(struct vc *vc, __u64 len, struct op *request);
/* The Memory_Region_Available for it, with buffers that begin there */
struct op mem_available(const struct vc *vc, const struct op *request, __u32 bufx,
			__u32 offset);
/* Both, until the socket knows; the handle is the D_id of the answer. */
bool mem_lend(struct vc *vc, __u64 len, __u32 bufx, __u32 offset, struct op *available);

/* Operations of the socket on such memory; they don't wait, and return -1 with errno. */
int mem_put(int fd, __u32 region, __u64 offset, const void *buf, size_t len,
	    unsigned int flags);
int mem_get(int fd, __u32 region, __u64 offset, void *buf, size_t len);
int mem_fetch(int fd, __u32 region, __u64 offset, unsigned int op);
/* Result of the oldest completed one; @value may be NULL. */
bool mem_done(int fd, int type, int error, __u64 *value);
/* The next event is of this type. */
bool mem_event(int fd, unsigned int type, struct st_event *event);
/* There is none. */
bool mem_no_event(int fd);

/* Changes that make an operation wrong; the last one changes nothing. */
void wrong_mx(struct op *op);
void mx_of_another_time(struct op *op);
void wrong_d_id(struct op *op);
void id_of_none(struct op *op);
void wrong_r_id(struct op *op);
void wrong_stu_num(struct op *op);
void no_channel(struct op *op);
/* A wrong place: another buffer, or one that does not exist */
void wrong_bufx(struct op *op);
void far_away(struct op *op);
/* Another Offset: one byte before, and beyond every buffer */
void wrong_offset(struct op *op);
void before_it(struct op *op);
void outside_buffer(struct op *op);
void largest_offset(struct op *op);
/* The answer is requested for an Offset beyond every buffer of the peer. */
void to_outside_a_buffer(struct op *op);
void no_change(struct op *op);

#endif
