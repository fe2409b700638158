// SPDX-License-Identifier: GPL-2.0
/*
 * usage: hfp_peer TEST DEVICE PORT
 *
 * A host that speaks HIPPI-FP, HIPPI-LE, ARP and IP itself, on a device of Ethernet whose other
 * end is the carrier of this port.  The port has the addresses 10.80.0.1 and fd80::1, the peer
 * 10.80.0.2 and fd80::2.  TEST:
 *
 * arp_request, nd: the port does not know the peer, asks, and then answers an echo request.
 * arp_reply: the port is asked.
 * echo4, echo6: of every length up to two words, and of some more.
 * odd: packets that look strange and are good.
 * errors: each error is counted once, under its own name.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>

#include "peer.h"

#define ND_SOLICIT	135
#define LENGTH_MAX	1400

static void send_echo6(struct line *line, uint16_t seq, size_t len)
{
	static uint8_t echo[FRAME_MAX];
	static struct frame f;

	make_le(&f, &line->to_port, TYPE_IP6, echo,
		make_echo6(echo, our_ip6, port_ip6, false, seq, len));
	line_send(line, &f);
}

static bool is_arp(const struct datagram *d)
{
	return d->type == TYPE_ARP;
}

/* RFC 826, with the hardware type of HIPPI */
static void check_arp(const struct line *line, const struct datagram *d, uint16_t op)
{
	const uint8_t *arp = d->at;

	expect("ar$hrd", get16(arp), ARP_HIPPI);
	expect("ar$pro", get16(arp + 2), TYPE_IP);
	expect("ar$hln", arp[4], MAC_LEN);
	expect("ar$pln", arp[5], 4);
	expect("ar$op", get16(arp + 6), op);
	expect_bytes("ar$sha", arp + 8, line->to_us.source, MAC_LEN);
	expect_bytes("ar$spa", arp + 14, port_ip, 4);
	expect_bytes("ar$tpa", arp + 24, our_ip, 4);
}

static void send_arp(struct line *line, uint16_t op, const uint8_t *target, bool group)
{
	struct ends ends = line->to_port;
	uint8_t arp[ARP_LEN];
	static struct frame f;

	if (group)
		memset(ends.dest, 0xff, MAC_LEN);
	make_arp(arp, op, line->to_us.dest, our_ip, target, port_ip);
	make_le(&f, &ends, TYPE_ARP, arp, sizeof(arp));
	line_send(line, &f);
}

static void test_arp_request(struct line *line)
{
	static uint8_t echo[FRAME_MAX];
	static struct frame f;
	struct datagram d;

	make_le(&f, &line->to_port, TYPE_IP, echo,
		make_echo4(echo, our_ip, port_ip, false, 1, 20));
	line_send(line, &f);
	await(line, is_arp, &f, &d);
	expect("sent to all", d.group, 1);
	check_arp(line, &d, 1);
	send_arp(line, 2, line->to_us.source, false);
	check_reply4(line, 1, 20);
}

static void test_arp_reply(struct line *line)
{
	static const uint8_t unknown[MAC_LEN];
	static struct frame f;
	struct datagram d;

	send_arp(line, 1, unknown, true);
	await(line, is_arp, &f, &d);
	expect("sent to all", d.group, 0);
	check_arp(line, &d, 2);
	expect_bytes("target hardware address", d.at + 18, line->to_us.dest, MAC_LEN);
}

static bool is_solicitation(const struct datagram *d)
{
	return d->type == TYPE_IP6 && d->len == IP6_LEN + ND_LEN && d->at[6] == 58 &&
	       d->at[IP6_LEN] == ND_SOLICIT;
}

/* RFC 4861 4.3, to the solicited-node address of the peer */
static void test_nd(struct line *line)
{
	static const uint8_t to[16] = { 0xff, 2, [11] = 1, 0xff, [15] = 2 };
	static const uint8_t zeros[4];
	uint8_t advert[IP6_LEN + ND_LEN];
	static struct frame f;
	struct datagram d;

	send_echo6(line, 1, 20);
	await(line, is_solicitation, &f, &d);
	expect("sent to all", d.group, 1);
	expect("checksum of ICMPv6", checksum6(d.at, d.len), 0);
	expect("hop limit", d.at[7], 255);
	expect_bytes("source", d.at + 8, port_ip6, 16);
	expect_bytes("destination", d.at + 24, to, 16);
	expect("code", d.at[IP6_LEN + 1], 0);
	expect_bytes("reserved", d.at + IP6_LEN + 4, zeros, 4);
	expect_bytes("target", d.at + IP6_LEN + 8, our_ip6, 16);
	expect("Source Link-Layer Address, type and length", get16(d.at + IP6_LEN + 24), 0x0101);
	expect_bytes("Source Link-Layer Address", d.at + IP6_LEN + 26, line->to_us.source,
		     MAC_LEN);
	make_advert(advert, our_ip6, port_ip6, line->to_us.dest);
	make_le(&f, &line->to_port, TYPE_IP6, advert, sizeof(advert));
	line_send(line, &f);
	check_reply6(line, 1, 20);
}

/* Lengths of Fill from 0 to 7, twice, and from a byte to all that fits */
static size_t next_length(size_t len)
{
	return len < 2 * WORD ? len + 1 : len + 227;
}

static void test_echo4(struct line *line)
{
	uint16_t seq = 100;
	size_t len;

	for (len = 0; len <= LENGTH_MAX; len = next_length(len))
		check_echo4(line, seq++, len);
}

static void test_echo6(struct line *line)
{
	uint16_t seq = 100;
	size_t len;

	for (len = 0; len <= LENGTH_MAX; len = next_length(len)) {
		send_echo6(line, seq, len);
		check_reply6(line, seq++, len);
	}
}

static const struct {
	const char *name;
	void (*run)(struct line *line);
} tests[] = {
	{ "arp_request", test_arp_request },
	{ "arp_reply", test_arp_reply },
	{ "nd", test_nd },
	{ "echo4", test_echo4 },
	{ "echo6", test_echo6 },
	{ "odd", test_odd },
	{ "errors", test_errors },
};

int main(int argc, char **argv)
{
	struct line line;
	unsigned int i;

	for (i = 0; argc == 4 && i < sizeof(tests) / sizeof(*tests); i++) {
		if (strcmp(argv[1], tests[i].name))
			continue;
		setlinebuf(stdout);
		line_open(&line, argv[2], argv[3]);
		tests[i].run(&line);
		return 0;
	}
	errx(2, "usage: hfp_peer TEST DEVICE PORT, expected a TEST of hfp_peer.c");
}
