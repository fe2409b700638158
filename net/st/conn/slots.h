/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Slots: operations that an end can hold until they are executed, ST 5.2.5.
 */
#ifndef _NET_ST_SLOTS_H
#define _NET_ST_SLOTS_H

#include <linux/types.h>

#include "conn/retrans.h"

struct st_sock;

/* Operations that the peer may hold until its application deals with them */
enum st_keep {
	ST_KEEP_REGION,		/* Request_Memory_Region */
	ST_KEEP_READ,		/* Request_To_Receive */
	ST_KEEP_RECORD,		/* Request_To_Send, or a short record */
};

/**
 * struct st_taken - operations that hold a Slot until an application deals with them, ST 5.2.5
 * @reads: Reads of ours, from sendmsg() until they are received; part of st_sock.dest.count
 * @served: Reads of the peer that wait for the application
 * @asked: requests of the peer for regions that wait for the application
 * @replies: Gets of the peer that are being answered
 * @asking_reads: Reads of ours that the peer has not answered yet
 * @asking_regions: requests of ours for regions that the peer has not answered yet
 *
 * The first four count for Slots of this end, the last two for Slots of the peer.
 */
struct st_taken {
	unsigned int	reads;
	unsigned int	served;
	unsigned int	asked;
	unsigned int	replies;
	unsigned int	asking_reads;
	unsigned int	asking_regions;
};

/**
 * struct st_slots - the Slots of both ends, ST 5.2.5
 * @local: offered at setup
 * @remote: free at the peer; %ST_SLOTS_NONE: not counted
 * @remote_max: the most it has ever reported
 * @ops: operations sent that took a Slot
 * @asked: Slots that were left when the last Request_State for Slots was sent
 * @few: the peer has reported few free Slots
 * @next: jiffies; no Request_State for Slots before that while @few
 * @retrans: of the Request_State for Slots
 * @taken: operations that hold Slots of either end for long
 *
 * All of it is protected by st_sock.lock.
 */
struct st_slots {
	u16			local;
	u16			remote;
	u16			remote_max;
	u32			ops;
	u16			asked;
	bool			few;
	unsigned long		next;
	struct st_retrans	retrans;
	struct st_taken		taken;
};

/* conn/slots.c */
u16 st_rx_slots(const struct st_sock *st);
bool st_slot_take(struct st_sock *st, bool reserve);
bool st_slots_left(const struct st_sock *st);
bool st_slots_to_keep(const struct st_sock *st, enum st_keep what);
bool st_slot_keep(struct st_sock *st, enum st_keep what);
void st_slots_update(struct st_sock *st, u16 slots, u32 sync);
void st_queue_request_state(struct st_sock *st);

#endif
