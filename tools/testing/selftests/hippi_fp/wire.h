/* SPDX-License-Identifier: GPL-2.0 */
/*
 * HIPPI-FP, HIPPI-LE, and what of ARP, IP and ICMP the peer in user space needs, written from the
 * documents and not from the driver.
 */
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAC_LEN		6
#define ETH_LEN		14
#define ETHERTYPE	0x8180
#define FP_LEN		8
#define WORD		8
#define LE_D1_LEN	24
#define LLC_LEN		8
#define ARP_LEN		28
#define ARP_HIPPI	780
#define IP4_LEN		20
#define IP6_LEN		40
#define ICMP_LEN	8
#define ND_LEN		32	/* solicitation or advertisement with one option */
#define ULP_LE		0x04
#define TYPE_IP		0x0800
#define TYPE_ARP	0x0806
#define TYPE_IP6	0x86dd
#define D2_UNKNOWN	0xffffffffU
#define FRAME_MAX	(ETH_LEN + 9000)

/**
 * struct frame - a frame of Ethernet
 * @data: its bytes
 * @len: how many there are
 */
struct frame {
	uint8_t data[FRAME_MAX];
	size_t len;
};

/**
 * struct fp - an FP_Header
 * @ulp: ULP-id
 * @p: there is a D1_Data_Set
 * @b: the D2_Area begins at the second burst
 * @reserved: 11 bits
 * @d1_area: words of D1_Area
 * @d2_offset: unused bytes
 * @d2_size: bytes of D2_Data_Set
 */
struct fp {
	uint8_t ulp;
	bool p;
	bool b;
	uint16_t reserved;
	uint8_t d1_area;
	uint8_t d2_offset;
	uint32_t d2_size;
};

/**
 * struct ends - the two ends of a line
 * @dest: address of Ethernet to send to
 * @source: and the sender's
 */
struct ends {
	uint8_t dest[MAC_LEN];
	uint8_t source[MAC_LEN];
};

uint16_t get16(const uint8_t *at);
uint32_t get32(const uint8_t *at);
void put16(uint8_t *at, uint16_t value);
void put32(uint8_t *at, uint32_t value);

void put_fp(uint8_t *at, const struct fp *h);
struct fp get_fp(const uint8_t *at);

/* With an empty packet: append adds to it */
void begin(struct frame *f, const struct ends *ends);
void *append(struct frame *f, const void *data, size_t len);
void append_byte(struct frame *f, uint8_t byte, size_t count);
void append_fill(struct frame *f);
void append_fp(struct frame *f, const struct fp *h);
void append_d1(struct frame *f, const struct ends *ends);
void append_llc(struct frame *f, uint16_t ethertype);

/* Datagrams, with their checksums.  An address of IPv4 is 4 bytes, of IPv6 16. */
size_t make_arp(uint8_t *at, uint16_t op, const uint8_t *sha, const uint8_t *spa,
		const uint8_t *target, const uint8_t *tpa);
size_t make_echo4(uint8_t *at, const uint8_t *src, const uint8_t *dst, bool reply, uint16_t seq,
		  size_t len);
size_t make_echo6(uint8_t *at, const uint8_t *src, const uint8_t *dst, bool reply, uint16_t seq,
		  size_t len);
size_t make_advert(uint8_t *at, const uint8_t *src, const uint8_t *dst, const uint8_t *mac);

/* Zero if the checksum of what is there is right */
uint16_t checksum(const uint8_t *data, size_t len, uint32_t sum);
uint16_t checksum6(const uint8_t *datagram, size_t len);

/* In HIPPI-LE, D2_Size and Fill as they have to be */
void make_le(struct frame *f, const struct ends *ends, uint16_t ethertype, const void *data,
	     size_t len);

#endif
