// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "wire.h"

void put(uint8_t *to, unsigned int bytes, uint64_t value)
{
	while (bytes--) {
		to[bytes] = value;
		value >>= 8;
	}
}

uint64_t get(const uint8_t *from, unsigned int bytes)
{
	uint64_t value = 0;

	while (bytes--)
		value = value << 8 | *from++;
	return value;
}

uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ULL + t.tv_nsec / 1000000;
}

void same(const char *what, uint64_t found, uint64_t expected)
{
	if (found != expected)
		errx(1, "%s: found 0x%llx, expected 0x%llx", what, (unsigned long long)found,
		     (unsigned long long)expected);
}

void same_bytes(const char *what, const void *found, const void *expected, unsigned int len)
{
	const uint8_t *a = found, *b = expected;
	unsigned int i;

	for (i = 0; i < len; i++)
		if (a[i] != b[i])
			errx(1, "%s: byte %u: found 0x%02x, expected 0x%02x", what, i, a[i], b[i]);
}

void zero(const char *what, const uint8_t *found, unsigned int len)
{
	unsigned int i;

	for (i = 0; i < len; i++)
		if (found[i])
			errx(1, "%s: byte %u: found 0x%02x, expected 0", what, i, found[i]);
}

/* All frames of the device, whatever address they are for */
void wire_open(struct wire *w, const char *device)
{
	struct sockaddr_ll ll = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL) };
	struct packet_mreq all = { .mr_type = PACKET_MR_PROMISC };
	int room = 4 << 20;

	w->device = if_nametoindex(device);
	w->fd = socket(AF_PACKET, SOCK_RAW, 0);
	ll.sll_ifindex = w->device;
	all.mr_ifindex = w->device;
	if (!w->device || w->fd < 0 || bind(w->fd, (struct sockaddr *)&ll, sizeof(ll)) ||
	    setsockopt(w->fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof(all)))
		err(1, "%s", device);
	setsockopt(w->fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
}

void wire_send(struct wire *w, const struct frame *f)
{
	struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_ifindex = w->device };

	while (sendto(w->fd, f->data, f->len, 0, (struct sockaddr *)&to, sizeof(to)) < 0) {
		if (errno != ENOBUFS)
			err(1, "send of %u bytes", f->len);
		usleep(100);
	}
}

bool wire_take(struct wire *w, struct frame *f, unsigned int ms)
{
	uint64_t end = now_ms() + ms, now;

	for (;;) {
		struct pollfd poll_fd = { .fd = w->fd, .events = POLLIN };
		struct sockaddr_ll from;
		socklen_t size = sizeof(from);
		ssize_t len;

		now = now_ms();
		if (poll(&poll_fd, 1, now < end ? end - now : 0) <= 0)
			return false;
		len = recvfrom(w->fd, f->data, sizeof(f->data), 0, (struct sockaddr *)&from, &size);
		if (len < ETH_HDR || from.sll_pkttype == PACKET_OUTGOING)
			continue;
		f->len = len;
		f->ms = now_ms();
		if (frame_type(f) == TYPE_FIP || frame_type(f) == TYPE_FCOE)
			return true;
	}
}

void frame_begin(struct frame *f, const uint8_t *dst, const uint8_t *src, uint16_t type)
{
	memset(f, 0, sizeof(*f));
	memcpy(f->data, dst, MAC);
	memcpy(f->data + MAC, src, MAC);
	put(f->data + 2 * MAC, 2, type);
	f->len = ETH_HDR;
}

uint16_t frame_type(const struct frame *f)
{
	return get(f->data + 2 * MAC, 2);
}

void fip_begin(struct frame *f, const uint8_t *dst, const uint8_t *src, uint16_t op,
	       uint8_t subcode)
{
	frame_begin(f, dst, src, TYPE_FIP);
	f->data[ETH_HDR] = 0x10;
	put(f->data + ETH_HDR + 2, 2, op);
	f->data[ETH_HDR + 5] = subcode;
	f->len += FIP_HDR;
}

uint8_t *fip_add(struct frame *f, uint8_t type, unsigned int len)
{
	uint8_t *desc = f->data + f->len;

	desc[0] = type;
	desc[1] = len / 4;
	f->len += len;
	return desc;
}

void fip_end(struct frame *f, unsigned int size)
{
	put(f->data + ETH_HDR + 6, 2, (f->len - ETH_HDR - FIP_HDR) / 4);
	if (f->len < ETH_HDR + size)
		f->len = ETH_HDR + size;
	if (f->len < ETH_ZLEN)
		f->len = ETH_ZLEN;
}

const uint8_t *fip_next(const struct frame *f, unsigned int *pos, unsigned int *len)
{
	unsigned int end = ETH_HDR + FIP_HDR + 4 * get(f->data + ETH_HDR + 6, 2);
	const uint8_t *desc;

	if (!*pos)
		*pos = ETH_HDR + FIP_HDR;
	if (end > f->len)
		errx(1, "FIP descriptors: found %u bytes of them in %u", end, f->len);
	if (*pos == end)
		return NULL;
	desc = f->data + *pos;
	*len = 4 * desc[1];
	if (!*len || *len > end - *pos)
		errx(1, "FIP descriptor %u: found %u bytes, %u are left", desc[0], *len,
		     end - *pos);
	*pos += *len;
	return desc;
}

static uint32_t crc_of(const uint8_t *data, unsigned int len)
{
	uint32_t crc = ~0;
	unsigned int bit;

	while (len--) {
		crc ^= *data++;
		for (bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	}
	return ~crc;
}

/* The lowest byte first */
static void put_crc(uint8_t *to, uint32_t crc)
{
	put(to, 4, __builtin_bswap32(crc));
}

void fc_put(uint8_t *to, const struct fc *fc)
{
	to[0] = fc->r_ctl;
	put(to + 1, 3, fc->d_id);
	to[4] = fc->cs_ctl;
	put(to + 5, 3, fc->s_id);
	to[8] = fc->type;
	put(to + 9, 3, fc->f_ctl | (-fc->len & 3));
	to[12] = fc->seq_id;
	to[13] = fc->df_ctl;
	put(to + 14, 2, fc->seq_cnt);
	put(to + 16, 2, fc->ox_id);
	put(to + 18, 2, fc->rx_id);
	put(to + 20, 4, fc->param);
	if (fc->len)
		memcpy(to + FC_HDR, fc->data, fc->len);
}

void fcoe_crc(struct frame *f)
{
	const uint8_t *fc = f->data + ETH_HDR + FCOE_HDR;
	uint8_t *end = f->data + f->len - FCOE_END;

	put_crc(end, crc_of(fc, end - fc));
}

void fcoe_make(struct frame *f, const uint8_t *dst, const uint8_t *src, const struct fc *fc)
{
	frame_begin(f, dst, src, TYPE_FCOE);
	f->data[ETH_HDR + FCOE_HDR - 1] = fc->sof;
	f->len += FCOE_HDR;
	fc_put(f->data + f->len, fc);
	f->len += FC_HDR + fc->len + (-fc->len & 3);
	f->data[f->len + 4] = fc->eof;
	f->len += FCOE_END;
	fcoe_crc(f);
}

void fc_read(const uint8_t *from, unsigned int len, struct fc *fc)
{
	*fc = (struct fc) {
		.r_ctl = from[0], .d_id = get(from + 1, 3), .cs_ctl = from[4],
		.s_id = get(from + 5, 3), .type = from[8], .f_ctl = get(from + 9, 3),
		.seq_id = from[12], .df_ctl = from[13], .seq_cnt = get(from + 14, 2),
		.ox_id = get(from + 16, 2), .rx_id = get(from + 18, 2),
		.param = get(from + 20, 4), .data = from + FC_HDR,
	};
	if (len < FC_HDR + (fc->f_ctl & 3))
		errx(1, "FC frame: found %u bytes with %u fill bytes", len, fc->f_ctl & 3);
	fc->len = len - FC_HDR - (fc->f_ctl & 3);
	zero("fill bytes", fc->data + fc->len, fc->f_ctl & 3);
	fc->f_ctl &= ~3;
}

void fcoe_read(const struct frame *f, struct fc *fc)
{
	const uint8_t *from = f->data + ETH_HDR, *end = f->data + f->len - FCOE_END;
	unsigned int len = f->len - ETH_HDR - FCOE_HDR - FCOE_END;
	uint8_t crc[4];

	if (f->len < ETH_HDR + FCOE_HDR + FC_HDR + FCOE_END || len > FC_HDR + 2112)
		errx(1, "FCoE frame: found %u bytes", f->len);
	same("length of the FC frame modulo 4", len % 4, 0);
	zero("FCoE version and reserved bytes", from, FCOE_HDR - 1);
	put_crc(crc, crc_of(from + FCOE_HDR, len));
	same_bytes("CRC", end, crc, 4);
	zero("bytes after EOF", end + 5, 3);
	fc_read(from + FCOE_HDR, len, fc);
	fc->sof = from[FCOE_HDR - 1];
	fc->eof = end[4];
}
