// SPDX-License-Identifier: GPL-2.0
/*
 * A small fabric: an FCF with a Name Server and a Fabric Controller, on a network device, for ports
 * in fabric mode.
 *
 * Usage: fc_fcf DEVICE
 *
 * SIGUSR1 makes it clear all virtual links, SIGUSR2 end.  It prints what
 * happens.  It shares no code with the kernel.
 */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define ETH_FCOE	0x8906
#define ETH_FIP		0x8914
#define PORTS		16
#define NAME		0x1000000000fcf001ULL
#define FABRIC		0x1000000000fab001ULL
#define FIRST_ID	0x010100
#define R_A_TOV		5000
#define E_D_TOV		1500

struct port {
	uint8_t enode[6];
	uint64_t wwpn;
	uint32_t id;
	uint8_t types[32];
	uint8_t ip[16];
	int scr;
};

static struct port ports[PORTS];
static uint8_t own[6];
static int sock;

static uint8_t *put(uint8_t *p, uint64_t v, int bytes)
{
	while (bytes--)
		*p++ = v >> (8 * bytes);
	return p;
}

static uint64_t get(const uint8_t *p, int bytes)
{
	uint64_t v = 0;

	while (bytes--)
		v = v << 8 | *p++;
	return v;
}

static uint32_t crc32(const uint8_t *p, int len)
{
	uint32_t crc = ~0U;
	int i;

	while (len--) {
		crc ^= *p++;
		for (i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static void transmit(const uint8_t *frame, int len)
{
	if (send(sock, frame, len < 60 ? 60 : len, 0) < 0)
		perror("send");
}

static uint8_t *ethernet(uint8_t *p, const uint8_t *dst, uint16_t type)
{
	memcpy(p, dst, 6);
	memcpy(p + 6, own, 6);
	return put(p + 12, type, 2);
}

static uint8_t *fip_head(uint8_t *p, int op, int sub, int words, int flags)
{
	p = put(p, 0x1000, 2);
	p = put(p, op, 2);
	p = put(p, sub, 2);
	p = put(p, words, 2);
	return put(p, flags, 2);
}

static uint8_t *desc_mac(uint8_t *p, const uint8_t *mac)
{
	p = put(p, 0x0202, 2);
	memcpy(p, mac, 6);
	return p + 6;
}

static uint8_t *desc_name(uint8_t *p)
{
	return put(put(p, 0x04030000, 4), NAME, 8);
}

/* Advertise to all, or to one with @size bytes of FCoE */
static void advertise(const uint8_t *dst, int size)
{
	static const uint8_t enodes[] = { 0x01, 0x10, 0x18, 0x01, 0x00, 0x01 };
	uint8_t frame[3000] = { 0 }, *p;

	p = ethernet(frame, dst ? dst : enodes, ETH_FIP);
	p = fip_head(p, 1, 2, 1 + 2 + 3 + 4 + 2, dst ? 0x8007 : 0x8005);
	p = put(p, 0x01010080, 4);
	p = desc_name(desc_mac(p, own));
	p = put(put(p, 0x05040000, 4), 0x000efc00, 4);
	p = put(p, FABRIC, 8);
	p = put(put(p, 0x0c020000, 4), 8000, 4);
	transmit(frame, size ? 14 + size : p - frame);
}

static struct port *by_id(uint32_t id)
{
	int i;

	for (i = 0; i < PORTS; i++)
		if (id && ports[i].id == id)
			return &ports[i];
	return NULL;
}

static struct port *by_wwpn(uint64_t wwpn)
{
	struct port *unused = NULL;
	int i;

	for (i = 0; i < PORTS; i++) {
		if (ports[i].id && ports[i].wwpn == wwpn)
			return &ports[i];
		if (!ports[i].id && !unused)
			unused = &ports[i];
	}
	return unused;
}

static void vn_mac(uint8_t *mac, uint32_t id)
{
	put(put(mac, 0x0efc00, 3), id, 3);
}

static void state_change(uint32_t id);

static void clear_all(void)
{
	uint8_t frame[100], *p;
	int i;

	for (i = 0; i < PORTS; i++) {
		if (!ports[i].id)
			continue;
		p = ethernet(frame, ports[i].enode, ETH_FIP);
		p = fip_head(p, 3, 2, 2 + 3 + 5, 0);
		p = desc_name(desc_mac(p, own));
		p = put(p, 0x0b05, 2);
		vn_mac(p, ports[i].id);
		p = put(p + 6, ports[i].id, 4);
		p = put(p, ports[i].wwpn, 8);
		transmit(frame, p - frame);
		memset(&ports[i], 0, sizeof(ports[i]));
	}
	printf("cleared\n");
}

/* The FC header of the answer to @fh */
static uint8_t *fc_answer(uint8_t *p, const uint8_t *fh, int r_ctl, uint32_t d_id)
{
	p = put(p, r_ctl, 1);
	p = put(p, d_id, 3);
	p = put(p, 0, 1);
	memcpy(p, fh + 1, 3);
	p = put(p + 3, fh[8], 1);
	p = put(p, 0x980000, 3);
	p = put(p, 0, 4);
	memcpy(p, fh + 16, 2);
	return put(put(p + 2, 0x0001, 2), 0, 4);
}

/* Service parameters of an F_Port, or of a service */
static uint8_t *params(uint8_t *p, int f_port)
{
	memset(p, 0, 116);
	p[0] = 2;
	put(p + 4, 0x2020, 2);
	put(p + 8, f_port ? 0x1000 : 0x8800, 2);
	put(p + 10, 2112, 2);
	if (f_port) {
		put(p + 12, R_A_TOV, 4);
		put(p + 16, E_D_TOV, 4);
	}
	put(p + 20, NAME, 8);
	put(p + 28, NAME, 8);
	p[68] = 0x80;
	put(p + 68 + 6, 2112, 2);
	put(p + 68 + 8, 255, 2);
	put(p + 68 + 12, 1, 2);
	return p + 116;
}

static void fip_els(const uint8_t *eth, const uint8_t *fip, int len)
{
	const uint8_t *fh = fip + 14, *els = fh + 24;
	uint8_t frame[300], *p, mac[6];
	struct port *port;

	if (len < 14 + 24 + 16 || fip[5] != 1)
		return;
	if (els[0] == 5) {			/* LOGO */
		port = by_id(get(els + 5, 3));
		if (port) {
			memset(port, 0, sizeof(*port));
			state_change(get(els + 5, 3));
		}
		printf("logo\n");
		return;
	}
	port = els[0] == 4 && len >= 14 + 24 + 28 ? by_wwpn(get(els + 20, 8)) : NULL;
	if (!port)
		return;
	memcpy(port->enode, eth + 6, 6);
	port->wwpn = get(els + 20, 8);
	port->id = FIRST_ID + (port - ports) + 1;
	p = ethernet(frame, eth + 6, ETH_FIP);
	p = fip_head(p, 2, 2, (4 + 24 + 116 + 8) / 4, 0x8000);
	p = put(p, 0x07000000 | (4 + 24 + 116) / 4 << 16, 4);
	p = params(fc_answer(p, fh, 0x23, port->id), 1);
	vn_mac(mac, port->id);
	p = desc_mac(p, mac);
	transmit(frame, p - frame);
	printf("flogi %06x\n", port->id);
}

static void on_fip(const uint8_t *eth, int len)
{
	const uint8_t *fip = eth + 14;

	if (len < 14 + 10 + 8)
		return;
	switch (get(fip + 2, 2) << 8 | fip[5]) {
	case 0x0101:
		if (len < 14 + 10 + 24)
			return;
		advertise(eth + 6, get(fip + 10 + 8 + 12 + 2, 2));
		break;
	case 0x0201:
		fip_els(eth, fip, len - 14);
		break;
	case 0x0301:
		printf("keep-alive\n");
		break;
	}
}

/* Send an FC frame of our own, its header at @fc, to a port */
static void fcoe(const struct port *port, const uint8_t *fc, int len)
{
	uint8_t frame[2300] = { 0 };
	uint32_t crc = crc32(fc, len);

	ethernet(frame, port->enode, ETH_FCOE);
	vn_mac(frame, port->id);
	frame[14 + 13] = 0x2e;			/* SOFi3 */
	memcpy(frame + 28, fc, len);
	frame[28 + len] = crc;
	frame[28 + len + 1] = crc >> 8;
	frame[28 + len + 2] = crc >> 16;
	frame[28 + len + 3] = crc >> 24;
	frame[28 + len + 4] = 0x42;		/* EOFt */
	transmit(frame, 28 + len + 8);
}

/* RSCN: the port with the ID has come or gone */
static void state_change(uint32_t id)
{
	uint8_t frame[32] = { 0x22 };
	int i;

	put(frame + 5, 0xfffffd, 3);
	put(frame + 8, 0x01290000, 4);
	put(frame + 16, 0x7777ffff, 4);
	put(frame + 24, 0x61040008, 4);
	put(frame + 28, id, 4);
	for (i = 0; i < PORTS; i++) {
		if (!ports[i].id || !ports[i].scr || ports[i].id == id)
			continue;
		put(frame + 1, ports[i].id, 3);
		fcoe(&ports[i], frame, sizeof(frame));
	}
}

/* The port with an IP address */
static uint8_t *gid_ipp(uint8_t *p, const uint8_t *ip)
{
	int i;

	for (i = 0; i < PORTS; i++)
		if (ports[i].id && !memcmp(ports[i].ip, ip, 16))
			return put(p, 0x80000000 | ports[i].id, 4);
	return p;
}

/* Ports with the TYPE */
static uint8_t *gpn_ft(uint8_t *p, int type)
{
	uint8_t *last = NULL;
	int i;

	for (i = 0; i < PORTS; i++) {
		if (!ports[i].id || !(get(ports[i].types + type / 32 * 4, 4) >> type % 32 & 1))
			continue;
		last = p;
		p = put(put(put(p, ports[i].id, 4), 0, 4), ports[i].wwpn, 8);
	}
	if (last)
		*last = 0x80;
	return p;
}

static void name_server(struct port *port, const uint8_t *fh)
{
	const uint8_t *ct = fh + 24;
	uint8_t frame[1000] = { 0 }, *p, *answer;
	int cmd = get(ct + 8, 2);

	answer = fc_answer(frame, fh, 0x03, port->id);
	memcpy(answer, ct, 16);
	put(answer + 8, 0x8002, 2);
	p = answer + 16;
	if (cmd == 0x217) {
		memcpy(port->types, ct + 20, 32);
		printf("rft_id %06x\n", port->id);
		state_change(port->id);
	} else if (cmd == 0x21b) {
		memcpy(port->ip, ct + 20, 16);
		printf("ripp_id %08x\n", (unsigned int)get(port->ip + 12, 4));
	} else if (cmd == 0x1b1) {
		p = gid_ipp(p, ct + 16);
		printf("gid_ipp %d\n", p > answer + 16);
		if (p == answer + 16)
			cmd = 0;
	} else if (cmd == 0x172) {
		p = gpn_ft(p, ct[19]);
		if (p == answer + 16)
			cmd = 0;
	} else {
		cmd = 0;
	}
	if (!cmd) {
		put(answer + 8, 0x8001, 2);
		answer[13] = 9;
		answer[14] = 7;
	}
	fcoe(port, frame, p - frame);
}

/* A frame to one of our addresses */
static void to_fabric(struct port *port, const uint8_t *fh, int len)
{
	uint8_t frame[200];

	if (get(fh + 1, 3) == 0xfffffd && fh[0] == 0x22 && fh[24] == 0x62 && len >= 24 + 8) {
		port->scr = fh[24 + 7] == 3;
		memset(fc_answer(frame, fh, 0x23, port->id), 0, 4);
		frame[24] = 2;
		fcoe(port, frame, 24 + 4);
		printf("scr %06x\n", port->id);
		return;
	}
	if (get(fh + 1, 3) != 0xfffffc || len < 24 + 16)
		return;
	if (fh[0] == 0x22 && fh[24] == 3 && len >= 24 + 116)
		fcoe(port, frame, params(fc_answer(frame, fh, 0x23, port->id), 0) - frame);
	else if (fh[0] == 0x02 && fh[8] == 0x20 && len >= 24 + 20)
		name_server(port, fh);
}

static void forward(uint8_t *eth, int len, const struct port *to)
{
	vn_mac(eth, to->id);
	memcpy(eth + 6, own, 6);
	transmit(eth, len);
}

static void on_fcoe(uint8_t *eth, int len)
{
	const uint8_t *fh = eth + 28;
	struct port *from, *to;
	uint32_t d_id;
	int i;

	if (len < 28 + 24 + 8)
		return;
	from = by_id(get(fh + 5, 3));
	d_id = get(fh + 1, 3);
	to = by_id(d_id);
	if (!from)
		return;
	if (to) {
		forward(eth, len, to);
	} else if (d_id == 0xffffff) {
		for (i = 0; i < PORTS; i++)
			if (ports[i].id && &ports[i] != from)
				forward(eth, len, &ports[i]);
	} else {
		to_fabric(from, fh, len - 28 - 8);
	}
}

static void join(int index)
{
	static const uint8_t fcfs[] = { 0x01, 0x10, 0x18, 0x01, 0x00, 0x02 };
	struct packet_mreq mreq = {
		.mr_ifindex = index, .mr_type = PACKET_MR_MULTICAST, .mr_alen = 6,
	};

	memcpy(mreq.mr_address, fcfs, 6);
	if (setsockopt(sock, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &mreq, sizeof(mreq)))
		perror("membership");
}

/* Signals as something to read */
static int signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, 0);
}

static int open_device(const char *name)
{
	struct sockaddr_ll addr = { .sll_family = AF_PACKET, .sll_protocol = htons(3) };
	struct ifreq ifr = { 0 };

	sock = socket(AF_PACKET, SOCK_RAW, htons(3));
	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", name);
	if (sock < 0 || ioctl(sock, SIOCGIFHWADDR, &ifr))
		return -1;
	memcpy(own, ifr.ifr_hwaddr.sa_data, 6);
	addr.sll_ifindex = if_nametoindex(name);
	if (bind(sock, (struct sockaddr *)&addr, sizeof(addr)))
		return -1;
	join(addr.sll_ifindex);
	return 0;
}

static void on_frame(void)
{
	uint8_t frame[3000];
	int len = recv(sock, frame, sizeof(frame), 0);

	if (len < 14 || !memcmp(frame + 6, own, 6))
		return;
	if (get(frame + 12, 2) == ETH_FIP)
		on_fip(frame, len);
	else if (get(frame + 12, 2) == ETH_FCOE && !memcmp(frame, own, 6))
		on_fcoe(frame, len);
}

int main(int argc, char **argv)
{
	struct signalfd_siginfo info;
	struct pollfd in[2];
	int n;

	if (argc != 2)
		return 2;
	if (open_device(argv[1])) {
		perror(argv[1]);
		return 1;
	}
	in[0] = (struct pollfd) { .fd = signals(), .events = POLLIN };
	in[1] = (struct pollfd) { .fd = sock, .events = POLLIN };
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("ready\n");
	for (;;) {
		n = poll(in, 2, 2000);
		if (!n)
			advertise(NULL, 0);
		if (n > 0 && in[0].revents && read(in[0].fd, &info, sizeof(info)) > 0) {
			if (info.ssi_signo == SIGUSR2)
				return 0;
			clear_all();
		}
		if (n > 0 && in[1].revents)
			on_frame();
	}
}
