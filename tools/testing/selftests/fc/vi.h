/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Information Units of FC-VI on the frames of a peer, byte by byte as the standard has them.
 * No header of the kernel is used, so that a wrong one shows.
 */
#ifndef VI_H
#define VI_H

#include "peer.h"

#define TYPE_FCVI	0x58
#define NO_HANDLE	0xffffffff
#define NO_ID		0xffffffff

/* FC-VI table 1 */
enum {
	SEND_RQST, WRITE_RQST, READ_RQST, SEND_RESP = 0x08, WRITE_RESP, READ_RESP,
	CONNECT_RQST = 0x10, DISCONNECT_RQST = 0x12, CONNECT_RESP1 = 0x18, CONNECT_RESP2,
	CONNECT_RESP3, DISCONNECT_RESP,
};

/* FLAGS, tables 5 to 10 */
enum { IMM_DATA = 0x01 };
enum { RESP_ERR = 0x01, DESC_ERR = 0x02, PROT_ERR = 0x04, TRANS_ERR = 0x08 };
enum { MODE_CLIENT = 0x01, MODE_PEER = 0x02, RQST_INFO = 0x08, RQST_RETRY = 0x10 };
enum { CONN_STS = 0x01, RESP_INFO = 0x02, RESP_RETRY = 0x04 };
enum { VI_APP = 0x02, SETUP_ABORT = 0x04 };

/* F_CTL, FC-FS */
enum {
	F_RESPONDER = 0x800000, F_FIRST = 0x200000, F_LAST = 0x100000, F_END = 0x080000,
	F_INITIATIVE = 0x010000, F_OFFSET = 0x000008,
};

#define PREF		0x80

/* Largest Device_Header, and the bytes of payload behind it in a frame of full size */
#define DH		32
#define ROOM		(MFS - DH)

#define SEQUENCES	255

/**
 * struct iu - an Information Unit
 * @op: OPCODE
 * @flags: FLAGS
 * @handle: FCVI_HANDLE
 * @msg_id: FCVI_MSG_ID
 * @param: PARAMETER
 * @va: RMT_VA
 * @va_handle: RMT_VA_HANDLE
 * @last: TOT_LEN or CONNECTION_ID
 * @end: F_LAST, F_INITIATIVE, or 0 when another IU of the Message follows
 * @data: payload
 * @len: bytes of that
 */
struct iu {
	uint8_t op;
	uint8_t flags;
	uint32_t handle;
	uint32_t msg_id;
	uint32_t param;
	uint64_t va;
	uint32_t va_handle;
	uint32_t last;
	uint32_t end;
	const uint8_t *data;
	unsigned int len;
};

/**
 * struct xchg - an Exchange
 * @ours: this side has begun it
 * @ox_id: OX_ID
 * @rx_id: RX_ID; 0xffff: not known yet
 * @cs_ctl: CS_CTL of the other's frames
 * @seq_id: of the Sequence that is sent next
 * @sequences: those that were sent
 * @sent: frames that were sent
 * @sent_bytes: their payload
 * @got: frames of the other side
 * @got_bytes: their payload
 */
struct xchg {
	bool ours;
	uint16_t ox_id;
	uint16_t rx_id;
	uint8_t cs_ctl;
	uint8_t seq_id;
	uint32_t sequences;
	uint32_t sent;
	uint32_t sent_bytes;
	uint32_t got;
	uint32_t got_bytes;
};

/* What an IU has by table 1 */
uint8_t op_r_ctl(uint8_t op);
unsigned int op_dh(uint8_t op);
uint32_t op_end(uint8_t op, bool response);

/* An Exchange of ours */
struct xchg xchg_open(struct peer *p);

/* Device_Header of an IU; its bytes */
unsigned int put_dh(uint8_t *to, const struct iu *iu);
/* The frame of @iu with @len bytes of its payload from @pos on; @buf has room for the data field */
struct fc frame_of(struct peer *p, struct xchg *x, const struct iu *iu, unsigned int pos,
		   unsigned int len, uint8_t *buf);
/* The IU in frames of the other's receive size */
void send_iu(struct peer *p, struct xchg *x, const struct iu *iu);

/* The next IU of the Exchange, each field of its frames checked; it has to be this one */
void await_iu(struct peer *p, struct xchg *x, uint8_t op, struct iu *iu);
/* The next IU with which the other side begins an Exchange */
void await_new(struct peer *p, struct xchg *x, uint8_t op, struct iu *iu);
/* ABTS of the Exchange, which is accepted */
void await_abort(struct peer *p, const struct xchg *x);
/* The same, if ABTS has come by now */
void allow_abort(struct peer *p, const struct xchg *x);
/* Ends the Exchange by ABTS, and awaits BA_ACC */
void abort_xchg(struct peer *p, const struct xchg *x);
/* No other frame of FC-VI, and no ABTS, has come; the program ends when one has */
void silent(struct peer *p, const char *what);
/* Whether a frame of the Exchange comes in that time; others are lost */
bool comes(struct peer *p, const struct xchg *x, unsigned int ms);
/* Whether the other side has begun an Exchange; of the IU only the first frame is taken */
bool comes_new(struct peer *p, struct xchg *x, struct iu *iu);
/* Takes what has come, whatever it is, and what comes until then */
void drain(struct peer *p, unsigned int ms);

#endif
