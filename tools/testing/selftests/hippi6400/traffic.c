// SPDX-License-Identifier: GPL-2.0
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>

#include "traffic.h"

#define MAGIC		0x48363430	/* "H640" */
#define FRAME_MIN	60
#define VC0_FRAME_MAX	(ETH_HEADER + HEADER_PAYLOAD + 67 * UPKT_DATA)
#define IN_FLIGHT	4	/* frames of a flow */
#define BATCH		16	/* frames that are received or sent in one batch */
#define STALL_MS	1000	/* frames in flight for this time may be lost */
#define SETTLE_MS	120000

/* Label after the Ethernet header */
struct label {
	__be32	magic;
	__u8	from;
	__u8	to;
	__u8	vc;
	__u8	reserved;
	__be64	number;
	__be32	length;		/* length of the frame */
	__be32	crc;		/* over everything after the EtherType, with this field as 0 */
};

static __u32 crc_table[8][256];
static __u64 frame_memory[(FRAME_MAX + 16) / 8];
static __u8 *frame = (__u8 *)frame_memory;

__u64 random_next(__u64 *state)
{
	__u64 x = *state += 0x9e3779b97f4a7c15ULL;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

unsigned int random_below(__u64 *state, unsigned int limit)
{
	return (random_next(state) >> 32) * limit >> 32;
}

/* CRC-32 of IEEE 802.3, eight bytes at a time: the machine may be an emulated one */
static void crc32_init(void)
{
	unsigned int b, n, bit;

	for (b = 0; b < 256; b++) {
		__u32 crc = b;

		for (bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
		crc_table[0][b] = crc;
	}
	for (b = 0; b < 256; b++)
		for (n = 1; n < 8; n++)
			crc_table[n][b] = crc_table[n - 1][b] >> 8 ^
					  crc_table[0][crc_table[n - 1][b] & 0xff];
}

static __u32 crc32(const __u8 *p, size_t len)
{
	__u32 crc = ~0U;
	unsigned int n;

	for (; len >= 8; len -= 8, p += 8) {
		__u8 b[8];

		memcpy(b, p, 8);
		for (n = 0; n < 4; n++)
			b[n] ^= crc >> 8 * n;
		for (crc = 0, n = 0; n < 8; n++)
			crc ^= crc_table[7 - n][b[n]];
	}
	for (; len; len--, p++)
		crc = crc >> 8 ^ crc_table[0][(crc ^ *p) & 0xff];
	return ~crc;
}

/* CRC of the current frame with the given label */
static __u32 crc_with(const struct label *label, size_t len)
{
	memcpy(frame + ETH_HEADER, label, sizeof(*label));
	return crc32(frame + ETH_HEADER, len - ETH_HEADER);
}

static size_t random_size(struct traffic *t, unsigned int vc)
{
	unsigned int kind = random_below(&t->rnd, 10);
	size_t max = ETH_HEADER + MTU_MAX;

	if (vc == 0)
		max = VC0_FRAME_MAX;
	else if (kind < 5)
		max = 300;
	else if (kind < 9)
		max = 9000;
	return FRAME_MIN + random_below(&t->rnd, max - FRAME_MIN + 1);
}

static size_t make_labelled(struct traffic *t, const struct flow *f)
{
	size_t len = random_size(t, f->vc), i;
	struct label label = {
		.magic	= htobe32(MAGIC),
		.from	= f->from,
		.to	= f->to,
		.vc	= f->vc,
		.number	= htobe64(f->sent),
		.length	= htobe32(len),
	};
	__u64 *fill = frame_memory + 2;	/* the label covers what is before it */

	make_frame(frame, t->node[f->to].port.ula, 0, 0);
	memcpy(frame + 6, t->node[f->from].port.ula, 6);
	for (i = 0; i < (len - ETH_HEADER) / sizeof(*fill) + 1; i++)
		fill[i] = random_next(&t->rnd);
	label.crc = htobe32(crc_with(&label, len));
	memcpy(frame + ETH_HEADER, &label, sizeof(label));
	return len;
}

/* Extracts the label of a frame, if the frame is intact */
static struct flow *flow_of(struct traffic *t, unsigned int node, size_t len, __u64 *number)
{
	struct flow *f = t->flow;
	struct label label;
	__be32 crc;

	if (len < ETH_HEADER + sizeof(label))
		return NULL;
	memcpy(&label, frame + ETH_HEADER, sizeof(label));
	if (be32toh(label.magic) != MAGIC || be32toh(label.length) != len || label.to != node)
		return NULL;
	crc = label.crc;
	label.crc = 0;
	if (crc_with(&label, len) != be32toh(crc))
		return NULL;
	while (f < t->flow + t->flows &&
	       (f->from != label.from || f->to != label.to || f->vc != label.vc))
		f++;
	*number = be64toh(label.number);
	return f < t->flow + t->flows && *number < f->sent ? f : NULL;
}

static bool was_seen(const struct flow *f, __u64 number)
{
	return f->seen[number % RECALL / 64] >> number % 64 & 1;
}

/* Up to this number there were no duplicates. */
static void see(struct flow *f, __u64 number, bool seen)
{
	__u64 *word = &f->seen[number % RECALL / 64];

	*word &= ~(1ULL << number % 64);
	*word |= (__u64)seen << number % 64;
}

static void arrived(struct traffic *t, struct flow *f, __u64 number, size_t len)
{
	struct tally *tally = &t->tally;

	f->progress = now_ms();
	if (number < f->expect) {
		if (number + RECALL < f->expect || was_seen(f, number)) {
			tally->doubled++;
			return;
		}
		tally->reordered++;
		tally->lost--;
		see(f, number, true);
	} else {
		tally->lost += number - f->expect;
		for (; f->expect < number; f->expect++)
			see(f, f->expect, false);
		see(f, f->expect++, true);
	}
	tally->received++;
	tally->bytes += len;
}

static bool receive(struct traffic *t, unsigned int node)
{
	struct node *n = &t->node[node];
	unsigned int i;

	for (i = 0; i < BATCH; i++) {
		ssize_t len = recv(n->rx, frame, FRAME_MAX, MSG_DONTWAIT | MSG_TRUNC);
		struct flow *f;
		__u64 number;

		if (len < 0)
			break;
		/*
		 * A switch may not know an address yet and flood, and the kernel sends discovery
		 * frames.
		 */
		if (memcmp(frame, n->port.ula, sizeof(n->port.ula)) || !frame_is_test(frame, len))
			continue;
		f = len <= FRAME_MAX ? flow_of(t, node, len, &number) : NULL;
		if (f)
			arrived(t, f, number, len);
		else
			t->tally.damaged++;
	}
	return i;
}

/* A frame for which the port has no room or no carrier is built again later. */
static bool send_one(struct traffic *t, struct flow *f)
{
	size_t len = make_labelled(t, f);

	if (send(t->node[f->from].tx[f->vc], frame, len, MSG_DONTWAIT) != (ssize_t)len)
		return false;
	f->sent++;
	f->progress = now_ms();
	t->tally.sent++;
	return true;
}

/* The next frame may be sent if few are in flight, or if those are likely lost. */
static bool may_send(const struct flow *f)
{
	return f->sent - f->expect < IN_FLIGHT || now_ms() - f->progress > STALL_MS;
}

static bool receive_all(struct traffic *t)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < t->nodes; i++)
		any |= receive(t, i);
	return any;
}

static void wait_a_little(struct traffic *t)
{
	struct pollfd p[PORTS_MAX];
	unsigned int i;

	for (i = 0; i < t->nodes; i++)
		p[i] = (struct pollfd){ .fd = t->node[i].rx, .events = POLLIN };
	poll(p, t->nodes, 1);
}

bool traffic_run(struct traffic *t)
{
	bool any = receive_all(t);
	unsigned int i;

	for (i = 0; i < BATCH; i++) {
		struct flow *f = &t->flow[random_below(&t->rnd, t->flows)];

		any |= may_send(f) && send_one(t, f);
	}
	if (!any)
		wait_a_little(t);
	return true;
}

/* The last frame of each flow has arrived; earlier ones that are missing count as lost. */
static bool settled(const struct traffic *t)
{
	unsigned int i;

	for (i = 0; i < t->flows; i++)
		if (t->flow[i].expect != t->flow[i].sent)
			return false;
	return true;
}

bool traffic_settle(struct traffic *t)
{
	long long end = now_ms() + SETTLE_MS;
	unsigned int i;

	while (!settled(t)) {
		if (now_ms() > end)
			break;
		for (i = 0; i < t->flows; i++) {
			struct flow *f = &t->flow[i];

			if (f->expect != f->sent && now_ms() - f->progress > STALL_MS)
				send_one(t, f);
		}
		if (!receive_all(t))
			wait_a_little(t);
	}
	for (i = 0; i < t->flows; i++) {
		const struct flow *f = &t->flow[i];

		if (f->expect != f->sent)
			fprintf(stderr, "# %s to %s on VC%u: the last %llu of %llu missing\n",
				t->node[f->from].port.dev, t->node[f->to].port.dev, f->vc,
				f->sent - f->expect, f->sent);
	}
	return settled(t);
}

__u64 traffic_drops(struct traffic *t)
{
	__u64 drops = 0;
	unsigned int i;

	for (i = 0; i < t->nodes; i++) {
		struct tpacket_stats stats = {};
		socklen_t len = sizeof(stats);

		/* Reading them sets them to zero. */
		if (getsockopt(t->node[i].rx, SOL_PACKET, PACKET_STATISTICS, &stats, &len))
			perror("# PACKET_STATISTICS");
		t->node[i].drops += stats.tp_drops;
		drops += t->node[i].drops;
	}
	return drops;
}

static bool enter_netns(const char *name)
{
	char path[96];
	int fd, err;

	snprintf(path, sizeof(path), "/run/netns/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	err = fd < 0 ? fd : setns(fd, CLONE_NEWNET);
	if (err)
		fprintf(stderr, "# %s: %s\n", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return !err;
}

/*
 * Frames go to the driver without a queueing discipline, which would drop its
 * frames without counting them when the carrier goes off.
 */
static int open_tx(const struct port *port, unsigned int vc)
{
	struct sockaddr_ll addr = { .sll_family = AF_PACKET, .sll_ifindex = port->ifindex };
	int priority = PRIO_OF_VC(vc), memory = 16 << 20, one = 1;
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);

	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_PRIORITY, &priority, sizeof(priority)) ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &memory, sizeof(memory)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &one, sizeof(one)) ||
	    bind(fd, (struct sockaddr *)&addr, sizeof(addr))) {
		perror("# packet socket to send");
		return -1;
	}
	return fd;
}

/*
 * Receives from all devices of the network namespace: a socket of one device receives
 * nothing from when the device goes down until some time after it comes up, when the
 * first frames may already have passed.
 */
static int open_rx(void)
{
	int memory = SOCKET_MEMORY, one = 1;
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETH_P_ALL));

	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &memory, sizeof(memory)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof(one))) {
		perror("# packet socket to receive");
		return -1;
	}
	return fd;
}

static bool open_node(struct node *n, char *name)
{
	char *dev = strchr(name, ':');
	unsigned int vc;

	if (!dev) {
		fprintf(stderr, "# %s: expected NETNS:DEVICE\n", name);
		return false;
	}
	*dev++ = 0;
	if (!enter_netns(name) || !port_open(&n->port, dev))
		return false;
	for (vc = 0; vc < VCS; vc++) {
		n->tx[vc] = open_tx(&n->port, vc);
		if (n->tx[vc] < 0)
			return false;
	}
	n->rx = open_rx();
	n->drops = 0;
	return n->rx >= 0;
}

bool traffic_open(struct traffic *t, char **names, unsigned int count, __u64 seed)
{
	unsigned int from, to, vc, i;

	memset(t, 0, sizeof(*t));
	crc32_init();
	t->rnd = seed;
	for (i = 0; i < count; i++)
		if (!open_node(&t->node[t->nodes++], names[i]))
			return false;
	for (from = 0; from < count; from++)
		for (to = 0; to < count; to++)
			for (vc = 0; vc < VCS && from != to; vc++)
				t->flow[t->flows++] = (struct flow){
					.from = from, .to = to, .vc = vc,
				};
	return true;
}

void traffic_close(struct traffic *t)
{
	unsigned int i, vc;

	for (i = 0; i < t->nodes; i++) {
		for (vc = 0; vc < VCS; vc++)
			close(t->node[i].tx[vc]);
		close(t->node[i].rx);
		port_close(&t->node[i].port);
	}
}
