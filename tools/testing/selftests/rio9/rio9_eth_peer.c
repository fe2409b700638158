// SPDX-License-Identifier: GPL-2.0
/*
 * usage: rio9_eth_peer echo DEVICE ID OTHER PDUS
 *        rio9_eth_peer forge DEVICE ID OTHER
 *
 * An endpoint of RapidIO over Ethernet, written from Documentation/networking/rio9-eth.rst.
 * It checks every byte of what the endpoint OTHER sends.
 *
 * echo: sends back so many PDUs as they came.  forge: sends frames that have to be dropped.
 */
#include <arpa/inet.h>
#include <err.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define TUNNEL		0x88b5
#define FRAME_MAX	1500
#define SEGMENT		256
#define PDU_MAX		65536
#define CHANNELS	16
#define SESSION		0x5e551042

/**
 * struct channel - a physical channel
 * @number: of the next frame
 * @rx_number: of the next frame that comes
 * @rx_begun: one has come
 * @frame: that is being filled, without the header of Ethernet
 * @len: bytes of it, 0 if there is none
 * @packets: in it
 * @open: a PDU is being received
 * @stream: its streamID
 * @pdu: its bytes
 * @pdu_len: how many there are
 */
struct channel {
	uint32_t number;
	uint32_t rx_number;
	bool rx_begun;
	uint8_t frame[FRAME_MAX];
	unsigned int len;
	unsigned int packets;
	bool open;
	uint16_t stream;
	uint8_t pdu[PDU_MAX];
	unsigned int pdu_len;
};

static struct channel channels[CHANNELS];
static struct sockaddr_ll other_addr, all;
static uint16_t id, other;
static uint32_t other_session;
static bool found;
static int fd, pdus;

static void put16(uint8_t *p, uint16_t v)
{
	p[0] = v >> 8;
	p[1] = v;
}

static void put32(uint8_t *p, uint32_t v)
{
	put16(p, v >> 16);
	put16(p + 2, v);
}

static uint16_t get16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

static uint32_t get32(const uint8_t *p)
{
	return (uint32_t)get16(p) << 16 | get16(p + 2);
}

static void expect(const char *what, unsigned long found_, unsigned long expected)
{
	if (found_ != expected)
		errx(1, "%s: found %lu, expected %lu", what, found_, expected);
}

static void header(uint8_t *frame, uint8_t type, uint16_t to, uint16_t len)
{
	frame[0] = 1;
	frame[1] = type;
	put16(frame + 2, id);
	put16(frame + 4, to);
	put16(frame + 6, len);
	put32(frame + 8, SESSION);
}

static void transmit(const uint8_t *frame, size_t len, const struct sockaddr_ll *to)
{
	if (sendto(fd, frame, len, 0, (const struct sockaddr *)to, sizeof(*to)) < 0)
		err(1, "send");
}

static void say_hello(void)
{
	uint8_t frame[28] = {};

	header(frame, 1, 0xffff, 16);
	frame[12] = found ? 1 : 3;
	put16(frame + 14, SEGMENT);
	put32(frame + 16, PDU_MAX);
	put32(frame + 20, 64);
	put16(frame + 24, 2000);
	transmit(frame, sizeof(frame), &all);
}

static void send_frame(unsigned int channel)
{
	struct channel *c = &channels[channel];

	if (!c->len)
		return;
	header(c->frame, 0, other, c->len - 12);
	put32(c->frame + 12, c->number++);
	c->frame[16] = channel;
	c->frame[17] = c->packets;
	put16(c->frame + 18, 0);
	transmit(c->frame, c->len, &other_addr);
	c->len = 0;
}

/* A segment: what is in front of its payload, and its payload */
static void send_segment(unsigned int channel, const uint8_t *hdr, unsigned int hdr_len,
			 const uint8_t *data, unsigned int len)
{
	struct channel *c = &channels[channel];
	unsigned int packet = (6 + hdr_len + len + 3) / 4 * 4;
	uint8_t *p;

	if (c->len && c->len + 2 + packet > FRAME_MAX)
		send_frame(channel);
	if (!c->len) {
		c->len = 20;
		c->packets = 0;
	}
	p = c->frame + c->len;
	memset(p, 0, 2 + packet);
	put16(p, packet);
	p[2] = (channel >> 3) << 1 | (channel & 1);
	p[3] = (channel >> 1 & 3) << 6 | 1 << 4 | 9;
	put16(p + 4, other);
	put16(p + 6, id);
	memcpy(p + 8, hdr, hdr_len);
	memcpy(p + 8 + hdr_len, data, len);
	c->len += 2 + packet;
	c->packets++;
}

static void send_pdu(unsigned int channel, uint8_t cos, uint16_t stream, const uint8_t *pdu,
		     unsigned int len)
{
	unsigned int pos, n;

	for (pos = 0; pos < len; pos += n) {
		uint8_t hdr[4] = { cos };
		bool first = !pos, last;

		n = len - pos < SEGMENT ? len - pos : SEGMENT;
		last = pos + n == len;
		hdr[1] = (first ? 0x80 : 0) | (last ? 0x40 : 0);
		if (last)
			hdr[1] |= ((n + 1) / 2 & 1) << 1 | (n & 1);
		if (first)
			put16(hdr + 2, stream);
		else if (last)
			put16(hdr + 2, len);
		send_segment(channel, hdr, first || last ? 4 : 2, pdu + pos, n);
	}
	send_frame(channel);
}

static void take(struct channel *c, const uint8_t *data, unsigned int len)
{
	if (c->pdu_len + len > PDU_MAX)
		errx(1, "a PDU is too long");
	memcpy(c->pdu + c->pdu_len, data, len);
	c->pdu_len += len;
}

/* Bytes of a last segment: O tells the half-words, P whether the last is half full */
static unsigned int last_len(uint8_t flags, unsigned int room)
{
	unsigned int words = room / 2;

	if ((words & 1) != (flags >> 1 & 1))
		words--;
	return words * 2 - (flags & 1);
}

static void packet_came(unsigned int channel, const uint8_t *p, unsigned int len)
{
	struct channel *c = &channels[channel];
	bool start, end;

	expect("length of a packet", len % 4 || len < 8, 0);
	expect("VC and CRF", p[0], (channel >> 3) << 1 | (channel & 1));
	expect("priority, IDs and ftype", p[1], (channel >> 1 & 3) << 6 | 1 << 4 | 9);
	expect("destination", get16(p + 2), id);
	expect("source", get16(p + 4), other);
	start = p[7] & 0x80;
	end = p[7] & 0x40;
	expect("a PDU is open", c->open, !start);
	if (start) {
		c->stream = get16(p + 8);
		c->pdu_len = 0;
		c->open = true;
	}
	if (!end) {
		take(c, p + (start ? 10 : 8), SEGMENT);
		return;
	}
	take(c, p + 10, last_len(p[7], len - 10));
	if (!start)
		expect("length of a PDU", get16(p + 8), c->pdu_len & 0xffff);
	c->open = false;
	send_pdu(channel, p[6], c->stream, c->pdu, c->pdu_len);
	pdus++;
}

static void data_came(const uint8_t *frame, unsigned int len)
{
	struct channel *c;
	unsigned int packets = 0, pos;

	expect("destination of a frame", get16(frame + 4), id);
	expect("session", get32(frame + 8), other_session);
	expect("channel", frame[16] < CHANNELS, 1);
	expect("reserved", get16(frame + 18), 0);
	c = &channels[frame[16]];
	if (c->rx_begun)
		expect("number of a frame", get32(frame + 12), c->rx_number);
	c->rx_begun = true;
	c->rx_number = get32(frame + 12) + 1;
	for (pos = 20; pos < len; pos += 2 + get16(frame + pos)) {
		expect("room for a packet", pos + 2 + get16(frame + pos) <= len, 1);
		packet_came(frame[16], frame + pos + 2, get16(frame + pos));
		packets++;
	}
	expect("packets", packets, frame[17]);
}

static void hello_came(const uint8_t *frame, unsigned int len, const struct sockaddr_ll *from)
{
	expect("length of a hello", len, 28);
	expect("destination of a hello", get16(frame + 4), 0xffff);
	expect("flags", frame[12] & ~2, 1);
	expect("MTU", get16(frame + 14), SEGMENT);
	expect("MaxPDU", get32(frame + 16), PDU_MAX);
	expect("contexts", get32(frame + 20) && get32(frame + 20) <= 65536, 1);
	expect("hold time", get16(frame + 24), 3500);
	expect("reserved", frame[13] | get16(frame + 26), 0);
	other_session = get32(frame + 8);
	other_addr = *from;
	if (!found)
		puts("listening");
	fflush(stdout);
	found = true;
}

static void receive(void)
{
	static uint8_t frame[FRAME_MAX + 1];
	struct sockaddr_ll from;
	socklen_t size = sizeof(from);
	ssize_t len;

	len = recvfrom(fd, frame, sizeof(frame), MSG_TRUNC, (struct sockaddr *)&from, &size);
	if (len < 0)
		err(1, "receive");
	if (from.sll_pkttype == PACKET_OUTGOING || len < 12 || get16(frame + 2) != other)
		return;
	expect("frame at most the MTU", len <= FRAME_MAX, 1);
	expect("version", frame[0], 1);
	expect("length of a frame", 12 + get16(frame + 6) <= len, 1);
	len = 12 + get16(frame + 6);
	if (frame[1])
		hello_came(frame, len, &from);
	else
		data_came(frame, len);
}

/* receive_for MILLISECONDS, or until so many PDUs have come */
static void receive_for(unsigned int time, int count)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct timespec now;
	uint64_t end, t, hello = 0;

	clock_gettime(CLOCK_MONOTONIC, &now);
	end = now.tv_sec * 1000ULL + now.tv_nsec / 1000000 + time;
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
		t = now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
		if (t >= hello) {
			say_hello();
			hello = t + 500;
		}
		if (poll(&p, 1, 100) == 1)
			receive();
	} while (t < end && pdus != count);
}

/* A good frame of one PDU, with the changed byte, cut or longer: length 0 leaves it */
static void forge(unsigned int where, uint8_t value, unsigned int len)
{
	static const uint8_t single[] = { 0x00, 0xc2, 0x12, 0x34 };
	uint8_t frame[FRAME_MAX] = {};
	struct channel *c = &channels[0];

	send_segment(0, single, sizeof(single), (const uint8_t *)"ab", 2);
	header(c->frame, 0, other, c->len - 12);
	put32(c->frame + 12, c->number);
	c->frame[16] = 0;
	c->frame[17] = 1;
	memcpy(frame, c->frame, c->len);
	frame[where] = value;
	transmit(frame, len ? len : c->len, &other_addr);
	c->len = 0;
}

static void forge_all(void)
{
	forge(0, 2, 0);			/* version */
	forge(1, 9, 0);			/* type */
	forge(3, id + 1, 0);		/* a source that nobody knows: its packet says another */
	forge(5, other + 1, 0);		/* the same of the destination */
	forge(11, 0, 0);		/* another session */
	forge(16, 4, 0);		/* another channel */
	forge(16, 16, 0);		/* no channel */
	forge(17, 2, 0);		/* packets */
	forge(21, 6, 0);		/* length of the packet */
	forge(7, 0xff, 0);		/* length of the frame */
	forge(0, 1, 13);		/* cut */
}

static void open_device(const char *device)
{
	int size = 8 << 20;

	all = (struct sockaddr_ll) {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(TUNNEL),
		.sll_ifindex = if_nametoindex(device),
		.sll_halen = ETH_ALEN,
		.sll_addr = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
	};
	fd = socket(AF_PACKET, SOCK_DGRAM, 0);
	if (fd < 0 || !all.sll_ifindex || bind(fd, (struct sockaddr *)&all, sizeof(all)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)))
		err(1, "%s", device);
}

int main(int argc, char **argv)
{
	bool echo = argc == 6 && !strcmp(argv[1], "echo");

	if (!echo && (argc != 5 || strcmp(argv[1], "forge"))) {
		fputs("usage: rio9_eth_peer echo DEVICE ID OTHER PDUS\n"
		      "       rio9_eth_peer forge DEVICE ID OTHER\n", stderr);
		return 2;
	}
	open_device(argv[2]);
	id = atoi(argv[3]);
	other = atoi(argv[4]);
	receive_for(echo ? 30000 : 2000, echo ? atoi(argv[5]) : -1);
	if (!found)
		errx(1, "no hello");
	if (echo)
		expect("PDUs", pdus, atoi(argv[5]));
	else
		forge_all();
	return 0;
}
