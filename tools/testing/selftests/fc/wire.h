/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames of FIP and FCoE on a packet socket, byte by byte as FC-BB-6, FC-FS and FC-LS have them.
 * No header of the kernel is used, so that a wrong one shows.
 */
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stdint.h>

#define FRAME_MAX	4096
#define MAC		6
#define ETH_HDR		14
#define FIP_HDR		10
#define FCOE_HDR	14
#define FCOE_END	8
#define FC_HDR		24

#define TYPE_FIP	0x8914
#define TYPE_FCOE	0x8906

enum { SOF_I2 = 0x2d, SOF_I3 = 0x2e, SOF_N2 = 0x35, SOF_N3 = 0x36 };
enum { EOF_N = 0x41, EOF_T = 0x42, EOF_NI = 0x49, EOF_A = 0x50 };

enum { FIP_LS = 2, FIP_VN2VN = 5 };
enum { VN_PROBE = 1, VN_PROBE_REPLY, VN_CLAIM, VN_CLAIM_RESPONSE, VN_BEACON };
enum {
	DESC_MAC = 2, DESC_NAME = 4, DESC_SIZE = 6, DESC_FLOGI = 7, DESC_VN_ID = 11,
	DESC_FC4S = 15,
};

enum {
	R_DATA = 0x04, R_REQUEST = 0x22, R_REPLY = 0x23, R_ABTS = 0x81, R_BA_ACC = 0x84,
	R_BA_RJT = 0x85, R_ACK = 0xc0,
};

enum { TYPE_BLS = 0x00, TYPE_ELS = 0x01, TYPE_FCLE = 0x05 };

/* SEQ_ID of ELS, FC-VI 4.1: one of 256 is kept free for them */
#define SEQ_ID_ELS	0xff

/* F_CTL of an ELS request and its reply, of an ABTS and its answer */
#define F_REQUEST	0x290000
#define F_REPLY		0x980000
#define F_ABTS		0x090000
#define F_BA		0xd80000

enum {
	RJT = 0x01, ACC = 0x02, PLOGI = 0x03, FLOGI = 0x04, LOGO = 0x05, RTV = 0x0e, RLS = 0x0f,
	ECHO = 0x10, TEST = 0x11, RRQ = 0x12, PRLI = 0x20, PRLO = 0x21, ADISC = 0x52,
	FARP_REQ = 0x54, FARP_REPLY = 0x55, RNID = 0x78,
};

#define LOGIN_LEN	116
#define FARP_LEN	76

/**
 * struct frame - an Ethernet frame
 * @data: its bytes
 * @len: how many there are
 * @ms: when it came
 */
struct frame {
	uint8_t data[FRAME_MAX];
	unsigned int len;
	uint64_t ms;
};

/**
 * struct fc - the FC frame in a frame
 * @r_ctl: R_CTL
 * @d_id: D_ID
 * @s_id: S_ID
 * @cs_ctl: CS_CTL
 * @type: TYPE
 * @f_ctl: F_CTL
 * @seq_id: SEQ_ID
 * @df_ctl: DF_CTL
 * @seq_cnt: SEQ_CNT
 * @ox_id: OX_ID
 * @rx_id: RX_ID
 * @param: Parameter field
 * @data: data field
 * @len: bytes of that, without the fill bytes
 * @sof: SOF; 0: it came in FIP
 * @eof: EOF
 */
struct fc {
	uint8_t r_ctl;
	uint32_t d_id;
	uint32_t s_id;
	uint8_t cs_ctl;
	uint8_t type;
	uint32_t f_ctl;
	uint8_t seq_id;
	uint8_t df_ctl;
	uint16_t seq_cnt;
	uint16_t ox_id;
	uint16_t rx_id;
	uint32_t param;
	const uint8_t *data;
	unsigned int len;
	uint8_t sof;
	uint8_t eof;
};

/**
 * struct wire - a packet socket
 * @fd: the socket
 * @device: number of the device
 */
struct wire {
	int fd;
	int device;
};

/* Fields of @bytes bytes */
void put(uint8_t *to, unsigned int bytes, uint64_t value);
uint64_t get(const uint8_t *from, unsigned int bytes);

uint64_t now_ms(void);

/* Ends the program with status 1 unless the field has the expected value, which is told */
void same(const char *what, uint64_t found, uint64_t expected);
void same_bytes(const char *what, const void *found, const void *expected, unsigned int len);
void zero(const char *what, const uint8_t *found, unsigned int len);

void wire_open(struct wire *w, const char *device);
void wire_send(struct wire *w, const struct frame *f);
/* The next frame of the two protocols that has come, or false after so many milliseconds */
bool wire_take(struct wire *w, struct frame *f, unsigned int ms);

void frame_begin(struct frame *f, const uint8_t *dst, const uint8_t *src, uint16_t type);
uint16_t frame_type(const struct frame *f);

void fip_begin(struct frame *f, const uint8_t *dst, const uint8_t *src, uint16_t op,
	       uint8_t subcode);
uint8_t *fip_add(struct frame *f, uint8_t type, unsigned int len);
void fip_end(struct frame *f, unsigned int size);
/* The descriptor at *@pos, which moves on, or NULL; *@len: bytes with its header */
const uint8_t *fip_next(const struct frame *f, unsigned int *pos, unsigned int *len);

/* A frame with these contents, and a right CRC */
void fcoe_make(struct frame *f, const uint8_t *dst, const uint8_t *src, const struct fc *fc);
void fcoe_crc(struct frame *f);
void fc_put(uint8_t *to, const struct fc *fc);
/* Checks the encapsulation, and reads the FC frame */
void fcoe_read(const struct frame *f, struct fc *fc);
void fc_read(const uint8_t *from, unsigned int len, struct fc *fc);

#endif
