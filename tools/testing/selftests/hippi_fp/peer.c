// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <string.h>
#include <time.h>

#include "peer.h"

const uint8_t port_ip[4] = { 10, 80, 0, 1 };
const uint8_t our_ip[4] = { 10, 80, 0, 2 };
const uint8_t port_ip6[16] = { 0xfd, 0x80, [15] = 1 };
const uint8_t our_ip6[16] = { 0xfd, 0x80, [15] = 2 };

static const uint8_t all[MAC_LEN] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

void expect(const char *what, unsigned long found, unsigned long expected)
{
	if (found != expected)
		errx(1, "%s: found %#lx, expected %#lx", what, found, expected);
}

void expect_bytes(const char *what, const uint8_t *found, const uint8_t *expected, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (found[i] != expected[i])
			errx(1, "%s: byte %zu of %zu: found %02x, expected %02x", what, i, len,
			     found[i], expected[i]);
}

/* RFC 2067: no addresses of switches, which there are none of on Ethernet */
static void check_d1(const uint8_t *d1, const struct frame *f)
{
	static const uint8_t zeros[3];

	expect("FC", d1[0] >> 5, 0);
	expect("Double_Wide", d1[0] >> 4 & 1, 0);
	expect("Message_Type", d1[0] & 15, 0);
	expect_bytes("Destination_Switch_Address", d1 + 1, zeros, 3);
	expect("Destination_Address_Type", d1[4] >> 4, 2);
	expect("Source_Address_Type", d1[4] & 15, 2);
	expect_bytes("Source_Switch_Address", d1 + 5, zeros, 3);
	expect("reserved bytes of D1", get16(d1 + 8), 0);
	expect_bytes("Destination ULA", d1 + 10, f->data, MAC_LEN);
	expect("locally administered bytes of D1", get16(d1 + 16), 0);
	expect_bytes("Source ULA", d1 + 18, f->data + MAC_LEN, MAC_LEN);
}

/* Each frame that the port sends is one of HIPPI-LE, and exact to the last bit */
struct datagram check_frame(const struct line *line, const struct frame *f)
{
	static const uint8_t snap[] = { 0xaa, 0xaa, 3, 0, 0, 0 };
	const uint8_t *packet = f->data + ETH_LEN, *d2 = packet + FP_LEN + LE_D1_LEN;
	size_t len = f->len - ETH_LEN, end, i;
	struct datagram d = {};
	struct fp h;

	if (f->len < ETH_LEN + FP_LEN + LE_D1_LEN + LLC_LEN)
		errx(1, "a frame of %zu bytes", f->len);
	d.group = !memcmp(f->data, all, MAC_LEN);
	if (!d.group)
		expect_bytes("destination", f->data, line->to_us.dest, MAC_LEN);
	expect_bytes("source", f->data + MAC_LEN, line->to_us.source, MAC_LEN);
	expect("EtherType", get16(f->data + 2 * MAC_LEN), ETHERTYPE);
	h = get_fp(packet);
	expect("ULP-id", h.ulp, ULP_LE);
	expect("P", h.p, 1);
	expect("B", h.b, 0);
	expect("reserved", h.reserved, 0);
	expect("D1_Area_Size", h.d1_area, LE_D1_LEN / WORD);
	expect("D2_Offset", h.d2_offset, 0);
	end = FP_LEN + LE_D1_LEN + h.d2_size;
	expect("bytes of the packet", len, (end + WORD - 1) / WORD * WORD);
	for (i = end; i < len; i++)
		expect("Fill", packet[i], 0);
	check_d1(packet + FP_LEN, f);
	expect_bytes("LLC/SNAP", d2, snap, sizeof(snap));
	d.type = get16(d2 + sizeof(snap));
	d.at = d2 + LLC_LEN;
	d.len = h.d2_size - LLC_LEN;
	if (d.type == TYPE_ARP)
		expect("bytes of ARP", d.len, ARP_LEN);
	else if (d.type == TYPE_IP)
		expect("bytes of IPv4", d.len, get16(d.at + 2));
	else if (d.type == TYPE_IP6)
		expect("bytes of IPv6", d.len, IP6_LEN + get16(d.at + 4));
	else
		errx(1, "EtherType %04x in LLC/SNAP", d.type);
	return d;
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

void await(struct line *line, bool (*wanted)(const struct datagram *d), struct frame *f,
	   struct datagram *d)
{
	int64_t end = now_ms() + TIMEOUT_MS, left;

	while ((left = end - now_ms()) > 0 && line_receive(line, f, left)) {
		*d = check_frame(line, f);
		if (wanted(d))
			return;
	}
	errx(1, "no answer");
}

bool is_reply4(const struct datagram *d)
{
	return d->type == TYPE_IP && d->len >= IP4_LEN + ICMP_LEN && d->at[9] == 1 &&
	       d->at[IP4_LEN] == 0;
}

bool is_reply6(const struct datagram *d)
{
	return d->type == TYPE_IP6 && d->len >= IP6_LEN + ICMP_LEN && d->at[6] == 58 &&
	       d->at[IP6_LEN] == 129;
}

/* But for the identification, flags and time to live, which the host chooses */
void check_reply4(struct line *line, uint16_t seq, size_t len)
{
	static uint8_t expected[FRAME_MAX];
	static struct frame f;
	struct datagram d;
	size_t total;

	total = make_echo4(expected, port_ip, our_ip, true, seq, len);
	await(line, is_reply4, &f, &d);
	expect("bytes of the reply", d.len, total);
	expect("sent to all", d.group, 0);
	expect("checksum of IPv4", checksum(d.at, IP4_LEN, 0), 0);
	expect("version", d.at[0], 0x45);
	expect_bytes("addresses", d.at + 12, expected + 12, 8);
	expect_bytes("ICMP", d.at + IP4_LEN, expected + IP4_LEN, total - IP4_LEN);
}

void check_reply6(struct line *line, uint16_t seq, size_t len)
{
	static uint8_t expected[FRAME_MAX];
	static struct frame f;
	struct datagram d;
	size_t total;

	total = make_echo6(expected, port_ip6, our_ip6, true, seq, len);
	await(line, is_reply6, &f, &d);
	expect("bytes of the reply", d.len, total);
	expect("sent to all", d.group, 0);
	expect("version", d.at[0] >> 4, 6);
	expect("checksum of ICMPv6", checksum6(d.at, d.len), 0);
	expect_bytes("addresses", d.at + 8, expected + 8, 32);
	expect_bytes("ICMPv6", d.at + IP6_LEN, expected + IP6_LEN, total - IP6_LEN);
}

void check_echo4(struct line *line, uint16_t seq, size_t len)
{
	static uint8_t echo[FRAME_MAX];
	static struct frame f;

	make_le(&f, &line->to_port, TYPE_IP, echo,
		make_echo4(echo, our_ip, port_ip, false, seq, len));
	line_send(line, &f);
	check_reply4(line, seq, len);
}
