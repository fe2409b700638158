/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An end of viplbench: a port of FC-VI with one endpoint, its memory and its Messages.  The program
 * ends if a call fails.
 */
#ifndef BENCH_VIPL_END_H
#define BENCH_VIPL_END_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../vipl/vipl.h"

#define SLOTS_MAX	64	/* Messages under way */
#define NOTES		8	/* receive Descriptors for what the ends tell each other */

/* What the ends tell each other in a Send; @number counts Messages */
struct note {
	uint32_t	what;
	uint32_t	reserved;
	uint64_t	size;
	uint64_t	count;
	uint64_t	number;
	uint64_t	address;
	uint32_t	handle;
	uint32_t	slots;
};

/* What is registered as long as the endpoint is there */
struct desk {
	_Alignas(VIP_DESCRIPTOR_ALIGNMENT)
	VIP_DESCRIPTOR	sends[SLOTS_MAX];
	VIP_DESCRIPTOR	recvs[SLOTS_MAX];
	VIP_DESCRIPTOR	told;
	VIP_DESCRIPTOR	heard[NOTES];
	struct note	telling;
	struct note	notes[NOTES];
};

/* @data has @slots of @size bytes; @theirs tells where that of the other end is */
struct end {
	VIP_NIC_HANDLE		nic;
	VIP_NIC_ATTRIBUTES	port;
	VIP_PROTECTION_HANDLE	tag;
	VIP_VI_HANDLE		vi;
	struct desk		*desk;
	VIP_MEM_HANDLE		desk_handle;
	unsigned int		expected;
	unsigned int		slots;
	size_t			size;
	char			*data;
	VIP_MEM_HANDLE		data_handle;
	struct note		theirs;
};

/* The first port of the network namespace */
void end_open(struct end *e);

/* Waits for a client, and connects to it; notes can be heard. */
void end_serve(struct end *e);

/* Whether a client may have come, or that it can from now on */
void end_listen(struct end *e);

/* Connects to the server at an IPv4 address, with a reliability level. */
void end_connect(struct end *e, const char *host, VIP_RELIABILITY_LEVEL level);

/* Disconnects; nothing of the connection is left. */
void end_close(struct end *e);

/* Memory of both ends for Messages of @size bytes */
void end_memory(struct end *e, size_t size);

/* A receive Descriptor for a note; a new endpoint has one. */
void end_expect(struct end *e);

/* Tells @note with @number, and where our own memory is. */
void end_tell(struct end *e, const struct note *note, uint64_t number);

/* The note in the oldest receive Descriptor; an RDMA Write with Immediate Data leaves none there */
const struct note *end_hear(struct end *e);

/* Waits for the end of the connection, of which a receive Descriptor tells. */
bool end_is_over(struct end *e);

/* Posts a slot. An RDMA is to or from the slot @there of the other end. */
void end_post_recv(struct end *e, unsigned int slot);
void end_post(struct end *e, unsigned int slot, VIP_UINT16 control, unsigned int there);

/* Wait for the oldest that was posted. */
void end_sent(struct end *e);
void end_received(struct end *e, size_t size);

/* Bytes of a slot, which differ from those of others; stamps are its first and last words. */
void slot_fill(struct end *e, unsigned int slot);
void slot_stamp(struct end *e, unsigned int slot, uint64_t number);
uint64_t *slot_last(struct end *e, unsigned int slot);

/* Whether a slot has the stamps, and all bytes that slot_fill() has put into the slot @as */
bool slot_stamped(struct end *e, unsigned int slot, uint64_t number);
bool slot_is(struct end *e, unsigned int slot, unsigned int as, uint64_t number);

#endif
