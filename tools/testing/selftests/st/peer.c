// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>

#include "counters.h"
#include "frame.h"
#include "frame_fc.h"
#include "frame_fcvi.h"
#include "frame_fp.h"
#include "peer.h"

#define PRIO_OF_VC(vc)	(8 + (vc))	/* as of hippi6400_skb_set_vc() */
/* Of a RapidIO fabric, in the namespace of B: rio2 and on */
#define FIRST_ENDPOINT	2
#define ENDPOINTS	14
/* Of Fibre Channel, at the device of B: ports whose ULAs begin so, and end with 1 and on */
#define FIRST_PORT	1
#define PORTS		14
/* By FC-VI: the numbers of ports */
#define FIRST_HOST	0x4000
#define HOSTS		0x8000
/* Below the port of HIPPI-FP of B */
#define CARRIER		"veth1"
#define SOCKET_MEMORY	(16 << 20)
#define PAIR_LEN	3000

/* Time that is left, and 0 when there is none */
static int left(long long end)
{
	long long ms = end - now_ms();

	return ms > 0 ? ms : 0;
}

/*
 * B has its own address, whose traffic would keep the peer busy.  A destination ID of RapidIO is
 * an endpoint's, so the peer has one of its own there.
 */
static bool only_own_frames(int fd, const __u8 *ula)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
			 (__u32)ula[0] << 24 | ula[1] << 16 | ula[2] << 8 | ula[3], 0, 3),
		BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 4),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ula[4] << 8 | ula[5], 0, 1),
		BPF_STMT(BPF_RET | BPF_K, UINT_MAX),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	struct sock_fprog filter = { .len = ARRAY_SIZE(code), .filter = code };

	return medium() == RIO9 ||
	       !setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter));
}

/* Sets the address of the peer, and @addr for its socket.  The namespace is B's. */
static bool take_place(struct peer *peer, struct sockaddr_ll *addr)
{
	struct ifreq req = {};
	int pid = getpid(), fd;
	bool ok;

	if (medium() == FCLE) {
		memcpy(peer->ula, (__u8[]){ 0x02, 0x53, 0x54, 0, 0x5a, FIRST_PORT + pid % PORTS },
		       ULA_LEN);
		addr->sll_ifindex = sides[B].ifindex;
		return true;
	}
	/* One for each test, unknown to leftovers of other tests */
	if (medium() != RIO9) {
		memcpy(peer->ula, (__u8[]){ 0x02, 0x53, 0x54, pid >> 16, pid >> 8, pid }, ULA_LEN);
		addr->sll_ifindex = sides[B].ifindex;
		if (medium() == HIPPI_FP)
			addr->sll_ifindex = if_nametoindex(CARRIER);
		return true;
	}
	snprintf(req.ifr_name, IF_NAMESIZE, "rio%d", FIRST_ENDPOINT + pid % ENDPOINTS);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	ok = !ioctl(fd, SIOCGIFHWADDR, &req);
	close(fd);
	memcpy(peer->ula, req.ifr_hwaddr.sa_data, frame_addr_len(RIO9));
	addr->sll_ifindex = if_nametoindex(req.ifr_name);
	return ok || fail(req.ifr_name);
}

static __u16 packet_type(void)
{
	switch (medium()) {
	case ETHERNET:
		/* A frame with a length has no EtherType to filter by */
		return ETH_P_ALL;
	case RIO9:
		return STREAM_ST;
	case FCLE:
		return ETHERTYPE_FCOE;
	case HIPPI_FP:
		return ETHERTYPE_HIPPI_FP;
	default:
		return ETHERTYPE_ST;
	}
}

/* A port of its own for each test: what another one has left is for that one.  It sets up VIs. */
static bool open_fcvi(struct peer *peer)
{
	unsigned int n = FIRST_HOST + getpid() % HOSTS;
	__u8 mac[ULA_LEN];

	frame_host(peer->ula, n);
	peer->fd = fcvi_open(sides[B].dev, n, mac);
	return only_own_frames(peer->fd, mac) || fail("packet socket");
}

bool peer_open(struct peer *peer)
{
	struct sockaddr_ll addr = {
		.sll_family	= AF_PACKET,
		.sll_protocol	= htons(packet_type()),
	};
	int memory = SOCKET_MEMORY;
	__u8 mac[ULA_LEN];

	memset(peer, 0, sizeof(*peer));
	if (medium() == FCVI)
		return enter(B) && open_fcvi(peer);
	if (!enter(B) || !take_place(peer, &addr))
		return false;
	memcpy(mac, peer->ula, ULA_LEN);
	if (medium() == FCLE)
		fc_mac(mac, peer->ula);
	peer->fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (peer->fd < 0 || !only_own_frames(peer->fd, mac) ||
	    setsockopt(peer->fd, SOL_SOCKET, SO_RCVBUFFORCE, &memory, sizeof(memory)) ||
	    setsockopt(peer->fd, SOL_SOCKET, SO_SNDBUFFORCE, &memory, sizeof(memory)) ||
	    bind(peer->fd, (struct sockaddr *)&addr, sizeof(addr)))
		return fail("packet socket");
	return true;
}

void peer_close(struct peer *peer)
{
	struct msg *msg;
	int i;

	for (i = 0; i < 2; i++) {
		while ((msg = peer->first[i])) {
			peer->first[i] = msg->next;
			free(msg);
		}
	}
	close(peer->fd);
}

bool peer_send_frame(struct peer *peer, const void *head, size_t head_len, const void *bytes,
		     size_t len)
{
	struct iovec iov[] = {
		{ .iov_base = (void *)head, .iov_len = head_len },
		{ .iov_base = (void *)bytes, .iov_len = len },
	};
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = ARRAY_SIZE(iov) };

	return sendmsg(peer->fd, &msg, 0) == (ssize_t)(head_len + len) ||
	       fail("packet socket: send");
}

/* With Fill */
static bool send_packet(struct peer *peer, const void *head, const void *bytes, size_t len)
{
	__u8 packet[HDR_LEN + PAYLOAD_MAX + FP_FILL_MAX] = {};

	memcpy(packet, bytes, len);
	return peer_send_frame(peer, head, FP_HEAD_LEN, packet, len + fp_fill(len));
}

bool peer_send_raw(struct peer *peer, unsigned int channel, const void *bytes, size_t len)
{
	int priority = PRIO_OF_VC(channel);
	__u8 head[FRAME_HEAD_MAX];

	if (medium() == FCVI) {
		fcvi_send(channel, bytes, len);
		return true;
	}
	if (medium() == FCLE)
		return fc_send(peer->fd, sides[A].ula, peer->ula, bytes, len) ||
		       fail("packet socket: send");
	frame_head(medium(), head, sides[A].ula, peer->ula, channel, len);
	if (setsockopt(peer->fd, SOL_SOCKET, SO_PRIORITY, &priority, sizeof(priority)))
		return fail("packet socket: SO_PRIORITY");
	if (medium() == HIPPI_FP)
		return send_packet(peer, head, bytes, len);
	return peer_send_frame(peer, head, frame_head_len(medium()), bytes, len);
}

bool peer_send(struct peer *peer, const struct op *op, const void *payload, size_t len)
{
	unsigned int channel = op->op == DATA ? op->flags & F_CHANNEL ?: 1 : 0;
	__u8 bytes[HDR_LEN + PAYLOAD_MAX];

	op_to_wire(op, bytes);
	memcpy(bytes + HDR_LEN, payload, len);
	if (!op->cksum && !peer->plain)
		cksum_set(bytes, HDR_LEN + len);
	return peer_send_raw(peer, channel, bytes, HDR_LEN + len);
}

/* The other end violated the protocol.  The first violation is reported. */
static void breach(struct peer *peer, const struct msg *msg, const char *what)
{
	if (peer->wrong[0])
		return;
	snprintf(peer->wrong, sizeof(peer->wrong), "%s: %s", op_name(msg->op.op) ?: "undefined",
		 what);
	print_op("wrong", &msg->op);
}

/* Checks the rules for every operation that is sent */
static void look_at(struct peer *peer, const struct msg *msg)
{
	const char *what = op_breach(&msg->op);

	if (what)
		breach(peer, msg, what);
	if (msg->op.op != DATA && msg->len && msg->len != OPTIONAL_LEN)
		breach(peer, msg, "not a legal length");
	if (msg->op.op == DATA && !(msg->op.flags & F_CHANNEL))
		breach(peer, msg, "no Data Channel");
	if (peer->no_cksum && msg->op.cksum)
		breach(peer, msg, "a Cksum");
	if (!peer->no_cksum && !msg->op.cksum)
		breach(peer, msg, "no Cksum");
	if (!peer->no_cksum && !cksum_right(msg->bytes, HDR_LEN + msg->len))
		breach(peer, msg, "wrong Cksum");
}

/* Adds a received operation to its queue. */
static void take(struct peer *peer, struct msg *msg, bool data)
{
	look_at(peer, msg);
	if (peer->first[data])
		peer->last[data]->next = msg;
	else
		peer->first[data] = msg;
	peer->last[data] = msg;
}

static bool is_there(const struct peer *peer, int ms)
{
	struct pollfd p = { .fd = peer->fd, .events = POLLIN };

	return poll(&p, 1, ms) == 1;
}

/*
 * Receives the bytes of an operation from the socket, and gives what is wrong with its headers.
 * Returns their number; -1: none in time, or an error.
 */
static ssize_t take_bytes(struct peer *peer, struct msg *msg, int ms, const char **what)
{
	ssize_t len, head_len = frame_head_len(medium());
	__u8 head[FRAME_HEAD_MAX] = {};
	struct iovec iov[] = {
		{ .iov_base = head, .iov_len = head_len },
		{ .iov_base = msg->bytes, .iov_len = sizeof(msg->bytes) },
	};
	struct msghdr hdr = { .msg_iov = iov, .msg_iovlen = ARRAY_SIZE(iov) };
	size_t packet_len;
	bool data;

	if (!is_there(peer, ms))
		return -1;
	len = recvmsg(peer->fd, &hdr, MSG_TRUNC);
	if (len < 0) {
		fail("packet socket: receive");
		return -1;
	}
	len -= head_len;
	if (memcmp(frame_from(medium(), head), sides[A].ula, frame_addr_len(medium())))
		return 0;
	msg->op = op_from_wire(msg->bytes);
	data = msg->op.op == DATA;
	if (medium() == HIPPI_FP) {
		*what = fp_breach(head, msg->bytes, len, &packet_len);
		return packet_len;
	}
	*what = frame_breach(medium(), head, data ? msg->op.flags & F_CHANNEL : 0, len);
	return len;
}

/* The same, of a Sequence of Fibre Channel */
static ssize_t take_sequence(struct peer *peer, struct msg *msg, int ms, const char **what)
{
	long long until = now_ms() + ms;
	__u8 frame[FC_FRAME_MAX];
	bool end = false;
	size_t len = 0;
	ssize_t n;

	while (!end && !*what) {
		if (!is_there(peer, left(until)))
			return -1;
		n = recv(peer->fd, frame, sizeof(frame), 0);
		if (n < 0) {
			fail("packet socket: receive");
			return -1;
		}
		if (fc_is_le(frame, n))
			*what = fc_add(frame, n, peer->ula, sides[A].ula, msg->bytes,
				       sizeof(msg->bytes), &len, &end);
	}
	msg->op = op_from_wire(msg->bytes);
	return len;
}

/* The same, a Message of FC-VI, on the VI that is for it */
static ssize_t take_message(struct msg *msg, int ms, const char **what)
{
	bool data, is_data;
	ssize_t len;

	len = fcvi_take(msg->bytes, sizeof(msg->bytes), ms, &data, what);
	if (len < 0)
		return -1;
	msg->op = op_from_wire(msg->bytes);
	is_data = msg->op.op == DATA;
	if (!*what && data != is_data)
		*what = "not the VI of its Channel";
	return len;
}

/* Receives an operation from the socket.  Returns false if there is none in time. */
static bool take_frame(struct peer *peer, int ms)
{
	struct msg *msg = calloc(1, sizeof(*msg));
	const char *what = NULL;
	ssize_t len;

	if (medium() == FCVI)
		len = take_message(msg, ms, &what);
	else if (medium() == FCLE)
		len = take_sequence(peer, msg, ms, &what);
	else
		len = take_bytes(peer, msg, ms, &what);
	if (len < 0) {
		free(msg);
		return false;
	}
	if (what)
		breach(peer, msg, what);
	if (len < HDR_LEN || (size_t)len > sizeof(msg->bytes)) {
		if (!what)
			snprintf(peer->wrong, sizeof(peer->wrong), "a frame with %zd bytes", len);
		free(msg);
		return true;
	}
	msg->len = len - HDR_LEN;
	take(peer, msg, msg->op.op == DATA);
	return true;
}

struct msg *peer_next(struct peer *peer, bool data, int ms)
{
	long long end = now_ms() + ms;
	struct msg *msg;

	while (!peer->first[data])
		if (!take_frame(peer, left(end)))
			return NULL;
	msg = peer->first[data];
	peer->first[data] = msg->next;
	return msg;
}

struct sockaddr_st peer_address(const struct peer *peer, unsigned int port)
{
	struct sockaddr_st addr = address(B, port);

	memcpy(addr.sst_addr, peer->ula, addr.sst_alen);
	return addr;
}

struct st_errors errors_of(int fd)
{
	struct st_errors errors = {};
	socklen_t len = sizeof(errors);

	if (getsockopt(fd, SOL_ST, ST_ERRORS, &errors, &len))
		fail("ST_ERRORS");
	return errors;
}

bool logged(int fd, const struct st_errors *before, const struct logged *list)
{
	long long end = now_ms() + LONG_MS;
	__u64 counts[__ST_ERR_MAX], expected;
	const struct logged *l;
	struct st_errors now;
	bool ok = true;
	int i;

	for (l = list; l->error >= 0; l++) {
		do {
			now = errors_of(fd);
			if (now.count[l->error] - before->count[l->error] >= l->count)
				break;
			usleep(1000);
		} while (now_ms() < end);
	}
	now = errors_of(fd);
	if (!port_errors(A, port_of(fd), counts))
		return fail("netlink: no such Port");
	for (i = 0; i < __ST_ERR_MAX; i++) {
		expected = before->count[i];
		for (l = list; l->error >= 0; l++)
			if (l->error == i)
				expected += l->count;
		if (now.count[i] == expected && counts[i] == expected)
			continue;
		fprintf(stderr, "# error %d: %lld, by netlink %lld, expected %lld\n", i,
			(long long)now.count[i], (long long)counts[i],
			(long long)expected);
		ok = false;
	}
	return ok;
}

bool pair_works(const int pair[2])
{
	char out[PAIR_LEN], in[PAIR_LEN];
	static unsigned int record;
	int from;

	for (from = 0; from < 2; from++) {
		fill(out, PAIR_LEN, ++record, 0);
		if (send(pair[from], out, PAIR_LEN, MSG_NOSIGNAL) != PAIR_LEN)
			return fail("another connection: send");
		if (recv_record(pair[!from], in, PAIR_LEN) != PAIR_LEN)
			return fail("another connection: receive");
		if (!is_filled(in, PAIR_LEN, record, 0))
			return false;
	}
	return true;
}

/* A queue does not order frames from several CPUs; the tests depend on the order. */
static bool stay_on_this_cpu(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	return !sched_setaffinity(0, sizeof(set), &set) || fail("affinity");
}

bool bench_open(struct bench *bench)
{
	int i;

	bench->vc.fd = -1;
	if (medium() != HIPPI6400 && !stay_on_this_cpu())
		return false;
	if (!set_up() || !sysctl_set(A, "op_timeout_ms", NEVER_MS) ||
	    !sysctl_set(A, "op_timeout_min_ms", NEVER_MS) || !peer_open(&bench->peer) ||
	    !new_pair(bench->pair))
		return false;
	for (i = 0; i < 2; i++)
		if (!set_timeout(bench->pair[i], SO_RCVTIMEO, LONG_MS) ||
		    !set_timeout(bench->pair[i], SO_SNDTIMEO, LONG_MS))
			return fail("timeout");
	bench->listener = new_listener(A, 8);
	bench->vc = vc_new(&bench->peer);
	return bench->listener >= 0 && vc_call(&bench->vc, bench->listener);
}

bool bench_close(struct bench *bench)
{
	bool ok = pair_works(bench->pair);

	if (bench->peer.wrong[0]) {
		fprintf(stderr, "# %s\n", bench->peer.wrong);
		ok = false;
	}
	/* Leftover connections end soon, without an answer */
	if (!sysctl_set(A, "op_timeout_ms", 10))
		ok = false;
	if (bench->vc.fd >= 0) {
		if (!vc_hang_up(&bench->vc))
			ok = false;
		close(bench->vc.fd);
	}
	close(bench->listener);
	close(bench->pair[A]);
	close(bench->pair[B]);
	peer_close(&bench->peer);
	return ok;
}
