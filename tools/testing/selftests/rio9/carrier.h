/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What takes packets to an endpoint: the emulated fabric, or frames of
 * Documentation/networking/rio9-eth.rst.
 */
#ifndef CARRIER_H
#define CARRIER_H

#include "packet.h"

#define HELLO_HOLD	60000	/* milliseconds */

/**
 * struct carrier - how packets go out
 * @fd: the file of an endpoint, or a packet socket
 * @device: number of the device of Ethernet; 0: @fd is a file
 * @id: ID of the sender
 * @other: ID of the endpoint that gets the packets
 * @number: of the next frame of each channel
 * @sent: packets
 */
struct carrier {
	int fd;
	int device;
	uint16_t id;
	uint16_t other;
	uint32_t number[CHANNELS];
	unsigned long sent;
};

void carrier_open(struct carrier *c, const char *place, uint16_t id, uint16_t other);
void carrier_send(struct carrier *c, const struct packet *p, unsigned int count);
void carrier_bad_frame(struct carrier *c, const struct packet *p);
void carrier_hello(struct carrier *c, uint16_t id);
void carrier_bye(struct carrier *c);
void carrier_any_hello(struct carrier *c);

#endif
