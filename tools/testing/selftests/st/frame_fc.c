// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include <sys/socket.h>

#include <linux/if_ether.h>

#include "frame_fc.h"

#define FCOE_LEN	14	/* version and SOF */
#define HDR_LEN		24
#define LE_LEN		24	/* Network_Header and LLC/SNAP */
#define DATA_AT		(ETH_HLEN + FCOE_LEN + HDR_LEN)
#define TAIL_LEN	8	/* CRC, EOF */
#define DATA_MAX	2112

enum { SOF_I3 = 0x2e, SOF_N3 = 0x36, EOF_N = 0x41, EOF_T = 0x42 };
enum { R_CTL = 0x04, TYPE_LE = 0x05, DF_NETWORK = 0x20 };
enum { F_FIRST = 0x200000, F_LAST = 0x100000, F_END = 0x080000, F_FILL = 0x000003 };

static void put(__u8 *p, __u32 v, unsigned int n)
{
	while (n--) {
		p[n] = v & 0xff;
		v >>= 8;
	}
}

static __u32 get(const __u8 *p, unsigned int n)
{
	__u32 v = 0;

	while (n--)
		v = v << 8 | *p++;
	return v;
}

static __u32 crc32(const __u8 *p, size_t len)
{
	__u32 crc = ~0U;
	int bit;

	while (len--) {
		crc ^= *p++;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static __u32 port_id(const __u8 *ula)
{
	return get(ula + 4, 2);
}

void fc_mac(__u8 *mac, const __u8 *ula)
{
	memcpy(mac, (__u8[]){ 0x0e, 0xfd, 0x00 }, 3);
	put(mac + 3, port_id(ula), 3);
}

static void le_header(__u8 *p, const __u8 *to, const __u8 *from)
{
	put(p, 0x1000, 2);
	memcpy(p + 2, to, ETH_ALEN);
	put(p + 8, 0x1000, 2);
	memcpy(p + 10, from, ETH_ALEN);
	memcpy(p + 16, (__u8[]){ 0xaa, 0xaa, 0x03, 0, 0, 0, 0x81, 0x81 }, 8);
}

/* Everything before the data field of the frame @cnt of a Sequence */
static void header(__u8 *frame, const __u8 *to, const __u8 *from, unsigned int cnt, __u32 f_ctl,
		   unsigned int ox_id)
{
	__u8 *fc = frame + ETH_HLEN + FCOE_LEN;

	memset(frame, 0, DATA_AT);
	fc_mac(frame, to);
	fc_mac(frame + ETH_ALEN, from);
	put(frame + 2 * ETH_ALEN, ETHERTYPE_FCOE, 2);
	fc[-1] = cnt ? SOF_N3 : SOF_I3;
	fc[0] = R_CTL;
	put(fc + 1, port_id(to), 3);
	put(fc + 5, port_id(from), 3);
	fc[8] = TYPE_LE;
	put(fc + 9, f_ctl, 3);
	fc[12] = ox_id & 0x7f;
	fc[13] = cnt ? 0 : DF_NETWORK;
	put(fc + 14, cnt, 2);
	put(fc + 16, ox_id, 2);
	put(fc + 18, 0xffff, 2);
}

/* Sends a frame with @len bytes of data. */
static bool send_frame(int fd, __u8 *frame, size_t len, bool end)
{
	size_t fill = -len & 3, all = DATA_AT + len + fill;
	__u32 crc;

	frame[ETH_HLEN + FCOE_LEN + 11] |= fill;
	memset(frame + DATA_AT + len, 0, fill);
	crc = crc32(frame + ETH_HLEN + FCOE_LEN, HDR_LEN + len + fill);
	memset(frame + all, 0, TAIL_LEN);
	/* The one field that is little-endian */
	put(frame + all, __builtin_bswap32(crc), 4);
	frame[all + 4] = end ? EOF_T : EOF_N;
	return send(fd, frame, all + TAIL_LEN, 0) == (ssize_t)(all + TAIL_LEN);
}

bool fc_send(int fd, const __u8 *to, const __u8 *from, const __u8 *bytes, size_t len)
{
	static unsigned int ox_id = 0x100;
	size_t head = LE_LEN, part;
	__u8 frame[FC_FRAME_MAX];
	unsigned int cnt = 0;
	bool end;

	ox_id = (ox_id + 1) & 0xfff;
	do {
		part = len < DATA_MAX - head ? len : DATA_MAX - head;
		end = part == len;
		header(frame, to, from, cnt, F_FIRST | (end ? F_END | F_LAST : 0), ox_id);
		if (!cnt)
			le_header(frame + DATA_AT, to, from);
		memcpy(frame + DATA_AT + head, bytes, part);
		if (!send_frame(fd, frame, head + part, end))
			return false;
		bytes += part;
		len -= part;
		head = 0;
		cnt++;
	} while (!end);
	return true;
}

bool fc_is_le(const __u8 *frame, size_t len)
{
	return len >= DATA_AT + TAIL_LEN && frame[ETH_HLEN + FCOE_LEN + 8] == TYPE_LE;
}

/* What is wrong with a frame, but for its data and its delimiters */
static const char *wrong(const __u8 *frame, size_t data, const __u8 *to, const __u8 *from)
{
	const __u8 *fc = frame + ETH_HLEN + FCOE_LEN;
	__u8 mac[ETH_ALEN];

	fc_mac(mac, from);
	if (memcmp(frame + ETH_ALEN, mac, ETH_ALEN))
		return "not the MAC address of its sender";
	if (fc[0] != R_CTL || get(fc + 1, 3) != port_id(to) || get(fc + 5, 3) != port_id(from))
		return "not its R_CTL, D_ID or S_ID";
	if (fc[4] || get(fc + 18, 2) != 0xffff || get(fc + 20, 4))
		return "a CS_CTL, RX_ID or Parameter";
	if (data % 4 || data > DATA_MAX)
		return "not a length of a data field";
	if (get(fc + HDR_LEN + data, 4) != __builtin_bswap32(crc32(fc, HDR_LEN + data)))
		return "not its CRC";
	return NULL;
}

const char *fc_add(const __u8 *frame, size_t frame_len, const __u8 *to, const __u8 *from,
		   __u8 *bytes, size_t room, size_t *len, bool *end)
{
	static unsigned int cnt, ox_id;
	const __u8 *fc = frame + ETH_HLEN + FCOE_LEN, *payload = fc + HDR_LEN;
	size_t data = frame_len - DATA_AT - TAIL_LEN, fill;
	__u32 f_ctl = get(fc + 9, 3);
	const char *what = wrong(frame, data, to, from);
	__u8 le[LE_LEN];

	*end = f_ctl & F_END;
	fill = *end ? f_ctl & F_FILL : 0;
	if (what)
		return what;
	if (!*len) {
		cnt = 0;
		ox_id = get(fc + 16, 2);
	}
	if ((f_ctl & ~F_FILL) != (*end ? F_FIRST | F_LAST | F_END : F_FIRST))
		return "not its F_CTL";
	if (fc[-1] != (cnt ? SOF_N3 : SOF_I3) || fc[HDR_LEN + data + 4] != (*end ? EOF_T : EOF_N))
		return "not its SOF or EOF";
	if (get(fc + 14, 2) != cnt || get(fc + 16, 2) != ox_id || fc[13] != (cnt ? 0 : DF_NETWORK))
		return "not its SEQ_CNT, OX_ID or DF_CTL";
	if (!cnt++) {
		le_header(le, to, from);
		if (data < LE_LEN || memcmp(payload, le, LE_LEN))
			return "not its Network_Header or LLC/SNAP header";
		payload += LE_LEN;
		data -= LE_LEN;
	}
	if (data < fill || *len + data - fill > room)
		return "too long, or shorter than its fill";
	memcpy(bytes + *len, payload, data - fill);
	*len += data - fill;
	return NULL;
}
