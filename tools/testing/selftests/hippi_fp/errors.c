// SPDX-License-Identifier: GPL-2.0
/* Packets that look strange and are good, and those that a port drops and counts. */
#include <err.h>
#include <stdio.h>
#include <string.h>

#include "peer.h"

#define ECHO_DATA	56

/* Numbers echo requests, so that a late answer is told from the awaited */
static uint16_t seq;

/**
 * struct variant - how an echo request differs from what make_le() makes
 * @name: of the variant
 * @counter: that goes up by one; NULL: the packet is good and answered
 * @other: it is for another host
 * @ar_hrd: an ARP request with this hardware type, instead of an echo request
 * @ulp: instead of HIPPI-LE
 * @no_p: P is 0
 * @b: B is 1
 * @reserved: bits of the FP_Header
 * @area: more words of D1_Area
 * @short_area: words less of it
 * @d2_offset: D2_Offset
 * @d2_more: D2_Size is larger than what is there
 * @unknown: D2_Size is not known
 * @no_fill: the packet ends with the datagram
 * @fill: more bytes of Fill, with x'EE'
 * @area_size: D1_Area_Size that is said, instead of the right one
 * @cut: bytes of the packet; 0: all of it
 * @d1_byte: one byte of D1, from the first on, that is @d1_value
 * @d1_value: what is written there
 * @change_d1: so it is
 * @llc_byte: one byte of LLC/SNAP, from the first on, that is @llc_value
 * @llc_value: what is written there
 * @change_llc: so it is
 */
struct variant {
	const char *name;
	const char *counter;
	bool other;
	uint16_t ar_hrd;
	uint8_t ulp;
	bool no_p;
	bool b;
	uint16_t reserved;
	uint8_t area;
	uint8_t short_area;
	uint8_t d2_offset;
	uint32_t d2_more;
	bool unknown;
	bool no_fill;
	size_t fill;
	uint8_t area_size;
	size_t cut;
	uint8_t d1_byte;
	uint8_t d1_value;
	bool change_d1;
	uint8_t llc_byte;
	uint8_t llc_value;
	bool change_llc;
};

static size_t make_datagram(const struct line *line, uint8_t *at, const struct variant *v)
{
	size_t len;

	if (!v->ar_hrd)
		return make_echo4(at, our_ip, port_ip, false, ++seq, ECHO_DATA);
	len = make_arp(at, 1, line->to_us.dest, our_ip, line->to_us.source, port_ip);
	put16(at, v->ar_hrd);
	return len;
}

static void make(const struct line *line, struct frame *f, const struct variant *v)
{
	static uint8_t datagram[FRAME_MAX];
	size_t len = make_datagram(line, datagram, v);
	struct fp h = {
		.ulp = v->ulp ?: ULP_LE, .p = !v->no_p, .b = v->b, .reserved = v->reserved,
		.d1_area = v->area_size ?: LE_D1_LEN / WORD + v->area - v->short_area,
		.d2_offset = v->d2_offset,
		.d2_size = v->unknown ? D2_UNKNOWN : LLC_LEN + len + v->d2_more,
	};
	size_t d1, llc;

	begin(f, &line->to_port);
	append_fp(f, &h);
	d1 = f->len;
	append_d1(f, &line->to_port);
	f->len -= v->short_area * WORD;
	append_byte(f, 0, v->area * WORD);
	append_byte(f, 0xee, v->d2_offset);
	llc = f->len;
	append_llc(f, v->ar_hrd ? TYPE_ARP : TYPE_IP);
	append(f, datagram, len);
	if (!v->no_fill)
		append_fill(f);
	append_byte(f, 0xee, v->fill);
	if (v->change_d1)
		f->data[d1 + v->d1_byte] = v->d1_value;
	if (v->change_llc)
		f->data[llc + v->llc_byte] = v->llc_value;
	if (v->other)
		f->data[MAC_LEN - 1]++;
	if (v->cut)
		f->len = ETH_LEN + v->cut;
}

static const struct variant odd[] = {
	{ .name = "reserved bits", .reserved = 0x7ff },
	{ .name = "B", .b = true },
	{ .name = "D2_Offset 1", .d2_offset = 1 },
	{ .name = "D2_Offset 7", .d2_offset = 7 },
	{ .name = "D2_Size that is not known", .unknown = true, .no_fill = true },
	{ .name = "no Fill", .no_fill = true },
	{ .name = "Fill of 2047 bytes", .no_fill = true, .fill = 2047 },
};

/* The counter @name has gone up by one, and no other at all */
static void check_counters(const struct line *line, const struct counters *before,
			   const char *name)
{
	struct counters after;
	unsigned int i;

	read_counters(line, &after);
	for (i = 0; i < after.count; i++) {
		uint64_t more = after.values[i] - before->values[i];

		if (more != (name && !strcmp(after.names[i], name)))
			errx(1, "%s went up by %lld", after.names[i], (long long)more);
	}
}

void test_odd(struct line *line)
{
	struct counters before;
	static struct frame f;
	unsigned int i;

	for (i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		printf("%s\n", odd[i].name);
		read_counters(line, &before);
		make(line, &f, &odd[i]);
		line_send(line, &f);
		check_reply4(line, seq, ECHO_DATA);
		check_counters(line, &before, NULL);
	}
}

static const struct variant errors[] = {
	{ .name = "no packet", .counter = "rx_short", .cut = 1 },
	{ .name = "7 bytes", .counter = "rx_short", .cut = 7 },
	{ .name = "D1_Area of 128 words", .counter = "rx_d1_area", .area_size = 128,
	  .fill = 1100 },
	{ .name = "D1_Area of 255 words", .counter = "rx_d1_area", .area_size = 255 },
	{ .name = "D1_Area behind the end", .counter = "rx_truncated", .area_size = 127 },
	{ .name = "D2 one byte behind the end", .counter = "rx_truncated", .no_fill = true,
	  .d2_more = 1 },
	{ .name = "D2_Size FFFFFFFE", .counter = "rx_truncated",
	  .d2_more = 0xfffffffe - LLC_LEN - IP4_LEN - ICMP_LEN - ECHO_DATA },
	{ .name = "D2_Offset behind the end", .counter = "rx_truncated", .unknown = true,
	  .d2_offset = 7, .cut = FP_LEN + LE_D1_LEN + 6 },
	{ .name = "the header alone", .counter = "rx_truncated", .cut = FP_LEN },
	{ .name = "ULP-id 05", .counter = "rx_ulp", .ulp = 5 },
	{ .name = "ULP-id FF", .counter = "rx_ulp", .ulp = 255 },
	{ .name = "HIPPI-LE without P", .counter = "rx_le", .no_p = true },
	{ .name = "HIPPI-LE with a short D1_Area", .counter = "rx_le", .short_area = 1 },
	{ .name = "DSAP", .counter = "rx_le", .change_llc = true,
	  .llc_byte = 0, .llc_value = 0xab },
	{ .name = "SSAP", .counter = "rx_le", .change_llc = true,
	  .llc_byte = 1, .llc_value = 0xab },
	{ .name = "control", .counter = "rx_le", .change_llc = true,
	  .llc_byte = 2, .llc_value = 0 },
	{ .name = "organization", .counter = "rx_le", .change_llc = true, .llc_byte = 5,
	  .llc_value = 1 },
	{ .name = "Message_Type", .counter = "rx_le_type", .change_d1 = true, .d1_byte = 0,
	  .d1_value = 3 },
	{ .name = "ARP of Ethernet", .counter = "rx_le_type", .ar_hrd = 1 },
	{ .name = "HIPARP", .counter = "rx_le_type", .ar_hrd = 28 },
	{ .name = "for another host", .counter = "rx_not_ours", .other = true },
	{ .name = "EtherType", .counter = "rx_le_type", .change_llc = true, .llc_byte = 6,
	  .llc_value = 0x81 },
};

/* Nothing is answered but the echo request that follows */
static void check_error(struct line *line, const struct variant *v)
{
	struct counters before;
	static struct frame f;

	read_counters(line, &before);
	counter(&before, v->counter);
	make(line, &f, v);
	line_send(line, &f);
	check_echo4(line, ++seq, ECHO_DATA);
	check_counters(line, &before, v->counter);
}

void test_errors(struct line *line)
{
	unsigned int i;

	for (i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		printf("%s\n", errors[i].name);
		check_error(line, &errors[i]);
	}
}
