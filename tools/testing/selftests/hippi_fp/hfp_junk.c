// SPDX-License-Identifier: GPL-2.0
/*
 * usage: hfp_junk PORT SEED
 *
 * Sends into a port, with a packet socket, what is no packet of HIPPI-FP: 100 each with a D1_Area
 * that is too large, with less D2 than D2_Size says, and without a destination, 100 good ones for
 * a ULP-id that nobody has, and then 1000 of random bytes.
 */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <net/if.h>
#include <netpacket/packet.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define ETH_TYPE_HIPPI_FP	0x8180
#define LINK_LEN		12	/* struct hfp_link_hdr */
#define HDR_LEN			8
#define PACKET_LEN		64	/* a socket refuses less than a device's longest header */
#define EACH			100
#define RANDOM			1000
#define RANDOM_MAX		256

/* FP_Headers; the ULP-id is for local use */
static const uint8_t large_d1[HDR_LEN] = { 0x85, 0x80, 0x07, 0xf8 };
static const uint8_t cut[HDR_LEN] = { 0x85, 0, 0, 0, 0, 0, 0x10, 0 };
static const uint8_t good[HDR_LEN] = { 0x85 };

static int open_port(const char *name)
{
	struct sockaddr_ll sll = {
		.sll_family	= AF_PACKET,
		.sll_protocol	= htons(ETH_TYPE_HIPPI_FP),
		.sll_ifindex	= if_nametoindex(name),
	};
	int fd = socket(AF_PACKET, SOCK_RAW, 0);

	if (!sll.sll_ifindex || fd < 0 || bind(fd, (struct sockaddr *)&sll, sizeof(sll)))
		err(1, "%s", name);
	return fd;
}

/* What the port drops is an error here, and counted there */
static void send_packet(int fd, const uint8_t *packet, size_t len)
{
	if (send(fd, packet, len, 0) < 0 && errno != ENOBUFS && errno != EINVAL)
		err(1, "send");
}

static void send_each(int fd, int dest, const uint8_t *hdr)
{
	uint8_t packet[PACKET_LEN] = { 0 };
	int i;

	memset(packet, dest, LINK_LEN / 2);
	memcpy(packet + LINK_LEN, hdr, HDR_LEN);
	for (i = 0; i < EACH; i++)
		send_packet(fd, packet, sizeof(packet));
}

int main(int argc, char *argv[])
{
	uint8_t packet[RANDOM_MAX];
	size_t i, j, len;
	int fd;

	if (argc != 3)
		errx(1, "usage: hfp_junk PORT SEED");
	fd = open_port(argv[1]);
	srandom(strtoul(argv[2], NULL, 10));
	send_each(fd, 0xff, large_d1);
	send_each(fd, 0xff, cut);
	send_each(fd, 0, good);
	send_each(fd, 0xff, good);
	for (i = 0; i < RANDOM; i++) {
		len = 1 + random() % RANDOM_MAX;
		for (j = 0; j < len; j++)
			packet[j] = random();
		send_packet(fd, packet, len);
	}
	return 0;
}
