/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages that fail.
 */
#ifndef _FCVI_RX_FAULT_H
#define _FCVI_RX_FAULT_H

#include "rx_msg.h"

/**
 * enum fcvi_rx_fault - why a Message fails
 * @FCVI_RX_GOOD: it does not
 * @FCVI_RX_NO_DESC: there is no receive Descriptor
 * @FCVI_RX_TOO_LONG: it does not fit the Descriptor, or the endpoint
 * @FCVI_RX_PROTECTION: an RDMA has no right to the memory
 * @FCVI_RX_SEGMENT: memory of the Descriptor is gone
 * @FCVI_RX_SHORT: it ended before its last byte
 * @FCVI_RX_DAMAGED: its frames contradict each other
 * @FCVI_RX_MISSING: frames are missing
 * @FCVI_RX_PROTOCOL: what the reliability level does not have
 * @FCVI_RX_NO_MEMORY: there is no memory for it
 */
enum fcvi_rx_fault {
	FCVI_RX_GOOD,
	FCVI_RX_NO_DESC,
	FCVI_RX_TOO_LONG,
	FCVI_RX_PROTECTION,
	FCVI_RX_SEGMENT,
	FCVI_RX_SHORT,
	FCVI_RX_DAMAGED,
	FCVI_RX_MISSING,
	FCVI_RX_PROTOCOL,
	FCVI_RX_NO_MEMORY,
};

void fcvi_rx_fail(struct fcvi_rx_msg *m, enum fcvi_rx_fault fault);

#endif
