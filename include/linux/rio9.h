/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RapidIO Type 9 data streaming: what a card offers, and what it is offered.
 *
 * Clauses are those of the RapidIO Interconnect Specification, Part 10, Rev. 2.0.
 */
#ifndef _LINUX_RIO9_H
#define _LINUX_RIO9_H

#include <linux/bits.h>
#include <linux/types.h>

/* Payload of a full segment, 5.5.1 */
#define RIO9_MTU_MIN		32
#define RIO9_MTU_MAX		256
#define RIO9_MTU_STEP		4

/* Bytes of a PDU, 5.4.3 */
#define RIO9_PDU_MAX		65536

/* Headers with 16-bit IDs, the longest segment, and zeros up to a multiple of four bytes */
#define RIO9_PACKET_MAX		268

/*
 * Physical channels, 2.4: the virtual channel, the priority and the critical request flow
 * bit, as one number.  On virtual channel 0 they are the flows A, B, C and so on.
 */
#define RIO9_CHANNEL_CRF	BIT(0)
#define RIO9_CHANNEL_PRIO	GENMASK(2, 1)
#define RIO9_CHANNEL_VC		BIT(3)
#define RIO9_CHANNELS		16

/**
 * enum rio9_flow - transaction request flows on virtual channel 0
 * @RIO9_FLOW_A: of the lowest priority
 * @RIO9_FLOW_B: the same, critical
 * @RIO9_FLOW_C: of priority 1
 * @RIO9_FLOW_D: the same, critical
 * @RIO9_FLOW_E: of priority 2
 * @RIO9_FLOW_F: the same, critical
 */
enum rio9_flow {
	RIO9_FLOW_A,
	RIO9_FLOW_B,
	RIO9_FLOW_C,
	RIO9_FLOW_D,
	RIO9_FLOW_E,
	RIO9_FLOW_F,
};

/**
 * struct rio9_pdu - what a PDU is labelled with
 * @peer: the other endpoint: where it came from, or where it goes
 * @stream: streamID
 * @cos: class of service
 * @channel: physical channel
 *
 * The first three are its virtual stream ID, 3.2.2.
 */
struct rio9_pdu {
	u16 peer;
	u16 stream;
	u8 cos;
	u8 channel;
};

#endif
