// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "../fc/conn.h"
#include "frame_fcvi.h"

#define HOSTS		0x0a4d0000
/* The name of the port 0, whose low bits are its N_Port ID */
#define FIRST_NAME	0x50000c0000000000
/* Of ST over FC-VI, st-llp.rst */
#define LONGEST		65576
#define QOS_DEPTH	63

/**
 * struct channel - a VI
 * @c: its connection
 * @msg_id: of the next Message
 * @their_msg_id: of the next one of the other side
 * @ox_id: Exchange of the Message that comes
 * @frames: those that have come
 * @len: their bytes
 * @bytes: what they are
 */
struct channel {
	struct conn c;
	uint32_t msg_id;
	uint32_t their_msg_id;
	uint16_t ox_id;
	unsigned int frames;
	unsigned int len;
	uint8_t bytes[LONGEST];
};

static const char *const discriminators[] = { "\x81\x81ST\x01", "\x81\x81ST\x01\x01" };

static struct channel channels[2];
static struct peer port;

int fcvi_open(const char *device, unsigned int n, __u8 *mac)
{
	struct channel *v;
	unsigned int i;

	ip_ours = HOSTS + n;
	peer_open(&port, device, FIRST_NAME + n);
	meet(&port);
	log_in(&port);
	for (i = 0; i < 2; i++) {
		v = &channels[i];
		v->c = conn_new(discriminators[i]);
		put(v->c.payload + AT_MAX_SIZE, 4, LONGEST);
		put(v->c.payload + AT_DEPTH, 4, QOS_DEPTH);
		v->c.payload[AT_RIGHTS] = 0;
		v->msg_id = 1;
		v->their_msg_id = 1;
		send_rqst(&port, &v->c, MODE_CLIENT);
		conn_finish(&port, &v->c, ACCEPT);
	}
	memcpy(mac, port.mac, MAC);
	return port.wire.fd;
}

void fcvi_send(bool data, const __u8 *bytes, size_t len)
{
	struct channel *v = &channels[data];
	struct xchg x = xchg_open(&port);
	const struct iu iu = {
		.op = SEND_RQST, .handle = v->c.theirs, .msg_id = v->msg_id++, .last = len,
		.end = F_LAST, .data = bytes, .len = len,
	};

	send_iu(&port, &x, &iu);
}

/* FC-VI 6.2.2, of each frame of a Send on Unreliable Delivery */
static const char *wrong(const struct channel *v, const struct fc *fc, unsigned int len)
{
	const uint32_t ends = F_END | F_LAST;
	const uint8_t *dh = fc->data;
	bool end = fc->f_ctl & F_END;

	if (fc->r_ctl != op_r_ctl(SEND_RQST) || fc->d_id != port.id || fc->s_id != port.their_id ||
	    fc->cs_ctl)
		return "not its R_CTL, D_ID or S_ID, or a CS_CTL";
	if ((fc->f_ctl & ends) != (end ? ends : 0) ||
	    (fc->f_ctl & ~ends) != (F_FIRST | (len ? F_OFFSET : 0)) || fc->df_ctl != 2)
		return "not its F_CTL or DF_CTL";
	if (fc->seq_cnt != v->frames || fc->param != (len ? v->len : 0) || fc->rx_id != 0xffff)
		return "not its SEQ_CNT, Parameter or RX_ID";
	if (v->frames && fc->ox_id != v->ox_id)
		return "not its OX_ID";
	if (get(dh + 4, 4) != (SEND_RQST << 24) || get(dh + 8, 4) != v->their_msg_id)
		return "not its OPCODE, FLAGS or MSG_ID";
	if (get(dh + 12, 8) || get(dh + 20, 8))
		return "a PARAMETER, RMT_VA or RMT_VA_HANDLE";
	if (v->len + len > get(dh + 28, 4) || (end && v->len + len != get(dh + 28, 4)))
		return "not its TOT_LEN";
	return v->len + len > LONGEST ? "too long" : NULL;
}

/* Adds a frame.  Returns the VI whose Message is complete, or with which something is wrong. */
static struct channel *add(const struct fc *fc, const char **what)
{
	unsigned int len = fc->len - DH, i;
	static char text[48];
	struct channel *v;

	if (fc->len < DH || fc->data[4] != SEND_RQST) {
		snprintf(text, sizeof(text), "OPCODE 0x%02x, PARAMETER 0x%08x",
			 fc->len < DH ? 0xff : fc->data[4],
			 fc->len < DH ? 0 : (unsigned int)get(fc->data + 12, 4));
		*what = text;
		return &channels[0];
	}
	*what = "not for a VI of the peer";
	for (i = 0; i < 2 && get(fc->data, 4) != channels[i].c.ours; i++)
		;
	if (i == 2)
		return &channels[0];
	v = &channels[i];
	*what = wrong(v, fc, len);
	if (*what)
		return v;
	v->ox_id = fc->ox_id;
	memcpy(v->bytes + v->len, fc->data + DH, len);
	v->len += len;
	v->frames++;
	return fc->f_ctl & F_END ? v : NULL;
}

ssize_t fcvi_take(__u8 *bytes, size_t room, int ms, bool *data, const char **what)
{
	uint64_t end = now_ms() + ms, now = now_ms();
	struct channel *v = NULL;
	static struct frame f;
	struct fc fc;
	ssize_t len;

	while (!v) {
		if (!wire_take(&port.wire, &f, now < end ? end - now : 0))
			return -1;
		now = now_ms();
		if (memcmp(f.data, port.mac, MAC) || frame_type(&f) != TYPE_FCOE)
			continue;
		fcoe_read(&f, &fc);
		if (fc.type == TYPE_FCVI)
			v = add(&fc, what);
	}
	len = v->len < room ? v->len : room;
	memcpy(bytes, v->bytes, len);
	*data = v == &channels[1];
	v->their_msg_id++;
	v->len = 0;
	v->frames = 0;
	return len;
}
