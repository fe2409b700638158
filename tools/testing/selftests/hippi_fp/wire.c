// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "wire.h"

#define ECHO_ID		0x4650
#define PROTO_ICMP	1
#define PROTO_ICMP6	58

uint16_t get16(const uint8_t *at)
{
	return at[0] << 8 | at[1];
}

uint32_t get32(const uint8_t *at)
{
	return (uint32_t)get16(at) << 16 | get16(at + 2);
}

void put16(uint8_t *at, uint16_t value)
{
	at[0] = value >> 8;
	at[1] = value;
}

void put32(uint8_t *at, uint32_t value)
{
	put16(at, value >> 16);
	put16(at + 2, value);
}

void put_fp(uint8_t *at, const struct fp *h)
{
	put32(at, (uint32_t)h->ulp << 24 | (uint32_t)h->p << 23 | (uint32_t)h->b << 22 |
	      (uint32_t)h->reserved << 11 | (uint32_t)h->d1_area << 3 | h->d2_offset);
	put32(at + 4, h->d2_size);
}

struct fp get_fp(const uint8_t *at)
{
	uint32_t word = get32(at);

	return (struct fp) {
		.ulp = word >> 24,
		.p = word >> 23 & 1,
		.b = word >> 22 & 1,
		.reserved = word >> 11 & 0x7ff,
		.d1_area = word >> 3 & 0xff,
		.d2_offset = word & 7,
		.d2_size = get32(at + 4),
	};
}

void begin(struct frame *f, const struct ends *ends)
{
	f->len = 0;
	append(f, ends->dest, MAC_LEN);
	append(f, ends->source, MAC_LEN);
	put16(f->data + f->len, ETHERTYPE);
	f->len += 2;
}

/* What is too long is cut off, as a fuzzer may ask for it */
static size_t room(const struct frame *f, size_t len)
{
	return len < FRAME_MAX - f->len ? len : FRAME_MAX - f->len;
}

void *append(struct frame *f, const void *data, size_t len)
{
	void *at = f->data + f->len;

	len = room(f, len);
	memcpy(at, data, len);
	f->len += len;
	return at;
}

void append_byte(struct frame *f, uint8_t byte, size_t count)
{
	count = room(f, count);
	memset(f->data + f->len, byte, count);
	f->len += count;
}

void append_fill(struct frame *f)
{
	append_byte(f, 0, -(f->len - ETH_LEN) % WORD);
}

void append_fp(struct frame *f, const struct fp *h)
{
	uint8_t header[FP_LEN];

	put_fp(header, h);
	append(f, header, sizeof(header));
}

/* RFC 2067, with the address types of IEEE addresses, and no addresses of switches */
void append_d1(struct frame *f, const struct ends *ends)
{
	uint8_t d1[LE_D1_LEN] = { [4] = 0x22 };

	memcpy(d1 + 10, ends->dest, MAC_LEN);
	memcpy(d1 + 18, ends->source, MAC_LEN);
	append(f, d1, sizeof(d1));
}

void append_llc(struct frame *f, uint16_t ethertype)
{
	uint8_t llc[LLC_LEN] = { 0xaa, 0xaa, 3 };

	put16(llc + 6, ethertype);
	append(f, llc, sizeof(llc));
}

uint16_t checksum(const uint8_t *data, size_t len, uint32_t sum)
{
	size_t i;

	for (i = 0; i < len; i++)
		sum += i % 2 ? data[i] : data[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

/* RFC 8200 8.1: both addresses, the length and the protocol are in it */
uint16_t checksum6(const uint8_t *datagram, size_t len)
{
	uint16_t addresses = ~checksum(datagram + 8, 32, 0);

	return checksum(datagram + IP6_LEN, len - IP6_LEN,
			addresses + len - IP6_LEN + PROTO_ICMP6);
}

size_t make_arp(uint8_t *at, uint16_t op, const uint8_t *sha, const uint8_t *spa,
		const uint8_t *target, const uint8_t *tpa)
{
	put16(at, ARP_HIPPI);
	put16(at + 2, TYPE_IP);
	at[4] = MAC_LEN;
	at[5] = 4;
	put16(at + 6, op);
	memcpy(at + 8, sha, MAC_LEN);
	memcpy(at + 14, spa, 4);
	memcpy(at + 18, target, MAC_LEN);
	memcpy(at + 24, tpa, 4);
	return ARP_LEN;
}

/* The ICMP header and its data, but for the checksum */
static void put_echo(uint8_t *at, uint8_t type, uint16_t seq, size_t len)
{
	size_t i;

	memset(at, 0, ICMP_LEN);
	at[0] = type;
	put16(at + 4, ECHO_ID);
	put16(at + 6, seq);
	for (i = 0; i < len; i++)
		at[ICMP_LEN + i] = 0x80 | (i + seq);
}

size_t make_echo4(uint8_t *at, const uint8_t *src, const uint8_t *dst, bool reply, uint16_t seq,
		  size_t len)
{
	size_t total = IP4_LEN + ICMP_LEN + len;

	memset(at, 0, IP4_LEN);
	at[0] = 0x45;
	put16(at + 2, total);
	at[8] = 64;
	at[9] = PROTO_ICMP;
	memcpy(at + 12, src, 4);
	memcpy(at + 16, dst, 4);
	put16(at + 10, checksum(at, IP4_LEN, 0));
	put_echo(at + IP4_LEN, reply ? 0 : 8, seq, len);
	put16(at + IP4_LEN + 2, checksum(at + IP4_LEN, ICMP_LEN + len, 0));
	return total;
}

static void put_ip6(uint8_t *at, const uint8_t *src, const uint8_t *dst, uint8_t hops, size_t len)
{
	memset(at, 0, IP6_LEN);
	at[0] = 0x60;
	put16(at + 4, len);
	at[6] = PROTO_ICMP6;
	at[7] = hops;
	memcpy(at + 8, src, 16);
	memcpy(at + 24, dst, 16);
}

size_t make_echo6(uint8_t *at, const uint8_t *src, const uint8_t *dst, bool reply, uint16_t seq,
		  size_t len)
{
	size_t total = IP6_LEN + ICMP_LEN + len;

	put_ip6(at, src, dst, 64, ICMP_LEN + len);
	put_echo(at + IP6_LEN, reply ? 129 : 128, seq, len);
	put16(at + IP6_LEN + 2, checksum6(at, total));
	return total;
}

/* RFC 4861 4.4: solicited, with the Target Link-Layer Address */
size_t make_advert(uint8_t *at, const uint8_t *src, const uint8_t *dst, const uint8_t *mac)
{
	uint8_t *icmp = at + IP6_LEN;

	put_ip6(at, src, dst, 255, ND_LEN);
	memset(icmp, 0, ND_LEN);
	icmp[0] = 136;
	icmp[4] = 0x60;
	memcpy(icmp + 8, src, 16);
	icmp[24] = 2;
	icmp[25] = 1;
	memcpy(icmp + 26, mac, MAC_LEN);
	put16(icmp + 2, checksum6(at, IP6_LEN + ND_LEN));
	return IP6_LEN + ND_LEN;
}

void make_le(struct frame *f, const struct ends *ends, uint16_t ethertype, const void *data,
	     size_t len)
{
	const struct fp h = {
		.ulp = ULP_LE, .p = true, .d1_area = LE_D1_LEN / WORD, .d2_size = LLC_LEN + len,
	};

	begin(f, ends);
	append_fp(f, &h);
	append_d1(f, ends);
	append_llc(f, ethertype);
	append(f, data, len);
	append_fill(f);
}
