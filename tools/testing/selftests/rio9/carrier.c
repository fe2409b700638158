// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "carrier.h"

#define TUNNEL		0x88b5
#define HDR		ETH_HLEN
#define FRAME_MAX	(ETH_HLEN + 1500)
#define SESSION		0x0bad0bad

/* The first packet, whose IDs are the other way round */
#define PACKET_AT	22

/**
 * struct frame - a frame of the tunnel
 * @data: its bytes
 * @len: how many there are
 */
struct frame {
	uint8_t data[FRAME_MAX];
	unsigned int len;
};

static void put16(uint8_t *to, uint16_t value)
{
	to[0] = value >> 8;
	to[1] = value;
}

static void put32(uint8_t *to, uint32_t value)
{
	put16(to, value >> 16);
	put16(to + 2, value);
}

/* To all; each ID has a MAC address of its own */
static void begin(struct frame *f, uint8_t type, uint16_t src, uint16_t dst)
{
	static const uint8_t mac[] = { 2, 0, 0, 0x0b };

	memset(f, 0, sizeof(*f));
	memset(f->data, 0xff, ETH_ALEN);
	memcpy(f->data + ETH_ALEN, mac, sizeof(mac));
	put16(f->data + ETH_ALEN + sizeof(mac), src);
	put16(f->data + 2 * ETH_ALEN, TUNNEL);
	f->data[HDR] = 1;
	f->data[HDR + 1] = type;
	put16(f->data + HDR + 2, src);
	put16(f->data + HDR + 4, dst);
	put32(f->data + HDR + 8, SESSION);
	f->len = HDR + 12;
}

static void transmit(struct carrier *c, const struct frame *f)
{
	struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_ifindex = c->device };

	while (sendto(c->fd, f->data, f->len, 0, (struct sockaddr *)&to, sizeof(to)) < 0) {
		if (errno != ENOBUFS)
			err(1, "send");
		usleep(100);
	}
}

static unsigned int channel_of(const struct packet *p)
{
	return (p->data[0] & 2) << 2 | p->data[1] >> 6 << 1 | (p->data[0] & 1);
}

/* Of the channel of the first, if the others are not of another */
static void make_frame(struct carrier *c, struct frame *f, const struct packet *p,
		       unsigned int count)
{
	unsigned int channel = channel_of(p), i;

	begin(f, 0, c->id, c->other);
	put32(f->data + f->len, c->number[channel]++);
	f->data[f->len + 4] = channel;
	f->data[f->len + 5] = count;
	f->len += 8;
	for (i = 0; i < count; i++) {
		put16(f->data + f->len, p[i].len);
		memcpy(f->data + f->len + 2, p[i].data, p[i].len);
		f->len += 2 + p[i].len;
	}
	put16(f->data + HDR + 6, f->len - HDR - 12);
}

/* A link of the emulated fabric may be full */
static void write_packet(struct carrier *c, const struct packet *p)
{
	unsigned int len = p->len < 4 ? 4 : p->len;

	while (write(c->fd, p->data, len) < 0) {
		if (errno != EBUSY)
			err(1, "write");
		usleep(100);
	}
}

void carrier_open(struct carrier *c, const char *place, uint16_t id, uint16_t other)
{
	*c = (struct carrier) { .id = id, .other = other };
	if (*place == '/') {
		c->fd = open(place, O_WRONLY);
	} else {
		c->fd = socket(AF_PACKET, SOCK_RAW, 0);
		c->device = if_nametoindex(place);
	}
	if (c->fd < 0 || (*place != '/' && !c->device))
		err(1, "%s", place);
}

/* Up to five of them in a frame */
void carrier_send(struct carrier *c, const struct packet *p, unsigned int count)
{
	struct frame f;
	unsigned int n;

	c->sent += count;
	for (; count; count -= n, p += n) {
		if (c->device) {
			n = 1 + random_below(count < 5 ? count : 5);
			make_frame(c, &f, p, n);
			transmit(c, &f);
		} else {
			n = 1;
			write_packet(c, p);
		}
	}
}

/*
 * A frame that is wrong itself: its number, its length, all of it, the same ID in it and
 * its packet, or another bit
 */
void carrier_bad_frame(struct carrier *c, const struct packet *p)
{
	unsigned int where = 2 + 2 * random_below(2);
	struct frame f;

	make_frame(c, &f, p, 1);
	switch (random_below(6)) {
	case 0:
		put32(f.data + HDR + 12, random_below(1U << 31) * 2);
		break;
	case 1:
		put32(f.data + HDR + 12, --c->number[channel_of(p)] - random_below(4));
		break;
	case 2:
		f.len = HDR + random_below(f.len - HDR + 1);
		break;
	case 3:
		f.len = HDR + random_below(FRAME_MAX - HDR);
		random_bytes(f.data + HDR, f.len - HDR);
		break;
	case 4:
		put16(f.data + HDR + where, random_below(65536));
		memcpy(f.data + HDR + PACKET_AT + 6 - where, f.data + HDR + where, 2);
		break;
	default:
		f.data[HDR + random_below(24)] ^= 1 << random_below(8);
		break;
	}
	c->sent++;
	transmit(c, &f);
}

static void make_hello(struct frame *f, uint16_t id)
{
	begin(f, 1, id, 0xffff);
	put16(f->data + HDR + 6, 16);
	f->data[HDR + 12] = 1;
	put16(f->data + HDR + 14, SEGMENT);
	put32(f->data + HDR + 16, 65536);
	put32(f->data + HDR + 20, 64);
	put16(f->data + HDR + 24, HELLO_HOLD);
	f->len = HDR + 28;
}

void carrier_hello(struct carrier *c, uint16_t id)
{
	struct frame f;

	make_hello(&f, id);
	transmit(c, &f);
}

/* The next hello is that of another, who begins with frame 0 */
void carrier_bye(struct carrier *c)
{
	struct frame f;

	make_hello(&f, c->id);
	f.data[HDR + 12] |= 4;
	transmit(c, &f);
}

/* Of anybody, with anything in it; in the name of a live peer, too, but with another address */
void carrier_any_hello(struct carrier *c)
{
	struct frame f;
	unsigned int n;

	make_hello(&f, one_in(2) ? random_below(16) : random_below(65536));
	f.data[HDR + 12] = random_below(8);
	if (one_in(2))
		put32(f.data + HDR + 8, random_below(1U << 31));
	for (n = random_below(3); n; n--)
		f.data[HDR + random_below(28)] = random_below(256);
	if (one_in(8))
		f.len = HDR + random_below(29);
	c->sent++;
	transmit(c, &f);
}
