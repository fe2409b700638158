/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two connected endpoints, and a network between their ports that may lose, double and reorder
 * frames: send and receive queues work together.
 */
#ifndef _FCVI_TESTS_FLOW_H
#define _FCVI_TESTS_FLOW_H

#include <linux/bitmap.h>
#include <linux/prandom.h>

#include "msg.h"
#include "state.h"

/* Descriptors of each queue, Exchanges and frames under way of both sides */
#define FLOW_DESCS	100
#define FLOW_MXS	1024
#define FLOW_FLIGHTS	256
/* Frames of a Message, and its bytes */
#define FLOW_ROOM	32
#define FLOW_FRAMES	5
#define FLOW_MAX	(FLOW_ROOM * FLOW_FRAMES)
/* Memory that the other side writes, in slots of its Messages, and that it reads */
#define FLOW_VA		0x10000
#define FLOW_SLOTS	12

struct flow;
struct flow_end;

/**
 * struct flow_mx - one side of an Exchange
 * @mx: what the endpoint sees
 * @far: the other side, or NULL
 * @end: whose it is
 * @open: it is not over
 * @own: it has begun it
 * @tx: frames that were sent
 * @rx: frames that have come
 * @seen: which
 * @last: flags of the last one
 * @total: how many there are, when that one has come
 */
struct flow_mx {
	struct fcvi_mx	mx;
	struct flow_mx	*far;
	struct flow_end	*end;
	bool		open;
	bool		own;
	unsigned int	tx;
	unsigned int	rx;
	u32		seen;
	u8		last;
	unsigned int	total;
};

/* A frame that is under way; without @skb it is an ABTS */
struct flow_flight {
	struct flow_end	*to;
	struct flow_mx	*from;		/* NULL: a frame alone */
	struct sk_buff	*skb;
	struct fcvi_iu	iu;
	u32		offset;
	unsigned int	cnt;
	u8		flags;
};

struct flow_desc {
	struct fcvi_desc	desc;
	unsigned int		nr;
	u32			len;	/* as it was posted */
	bool			posted;
	u8			buf[FLOW_MAX];
};

/**
 * struct flow_end - an endpoint
 * @flow: both
 * @p: its port
 * @far: the other one
 * @sends: send Descriptors, in their order
 * @recvs: receive Descriptors
 * @nr_sends: how many are posted
 * @nr_recvs: the same
 * @sent: how many have completed
 * @received: the same
 * @good: how many of @sent have done so well
 * @next: Message that is to be received next
 * @seen: Messages that were received, on Unreliable Delivery
 * @tag: of @region
 * @region: @page
 * @page: memory
 */
struct flow_end {
	struct flow		*flow;
	struct test_port	*p;
	struct flow_end		*far;
	struct flow_desc	sends[FLOW_DESCS];
	struct flow_desc	recvs[FLOW_DESCS];
	unsigned int		nr_sends, nr_recvs;
	unsigned int		sent, received, good;
	unsigned int		next;
	DECLARE_BITMAP(seen, FLOW_DESCS);
	struct fcvi_tag		*tag;
	struct fcvi_region	region;
	struct page		*page;
};

/**
 * struct flow - both endpoints
 * @test: the test
 * @level: enum fcvi_level
 * @ordered: whether frames keep their order
 * @rnd: randomness
 * @ends: the endpoints
 * @mxs: Exchanges
 * @nr_mxs: how many
 * @flights: frames, in the order in which they were sent
 * @nr_flights: how many
 * @lost: how many frames were lost
 * @reads: how many Reads have completed well
 */
struct flow {
	struct kunit		*test;
	u8			level;
	bool			ordered;
	struct rnd_state	rnd;
	struct flow_end		ends[2];
	struct flow_mx		mxs[FLOW_MXS];
	unsigned int		nr_mxs;
	struct flow_flight	flights[FLOW_FLIGHTS];
	unsigned int		nr_flights;
	unsigned int		lost;
	unsigned int		reads;
};

u32 flow_below(struct flow *f, u32 n);
u8 flow_byte(const struct flow_end *end, unsigned int nr, u32 offset);
void flow_connect(struct flow *f, const struct fcvi_user_ops *user);
void flow_deliver(struct flow *f, unsigned int i);
void flow_lose(struct flow *f, unsigned int i);
void flow_double(struct flow *f, unsigned int i);
unsigned int flow_pick(struct flow *f);
void flow_starve(struct flow *f);
void flow_end(struct flow *f);

#endif
