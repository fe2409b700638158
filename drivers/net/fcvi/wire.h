/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Information Units of FC-VI, table 1 and FC-VI 6, and their Device_Header, FC-VI 5.9.
 */
#ifndef _FCVI_WIRE_H
#define _FCVI_WIRE_H

#include <linux/bits.h>
#include <linux/types.h>

struct fc_frame_header;

/* A handle that is not known yet, FC-VI 5.9.2 */
#define FCVI_HANDLE_NONE	0xffffffffU
/* Never a CONNECTION_ID, FC-VI 5.9.10 */
#define FCVI_ID_NONE		0xffffffffU

/* DF_CTL of the two sizes of the Device_Header, FC-FS; FC-VI 5.8.5 has the sizes only */
#define FCVI_DF_16		0x01
#define FCVI_DF_32		0x02

/* CS_CTL of Messages with the Preference function, FC-FS; FC-VI 5.8.2 */
#define FCVI_CS_PREF		0x80

/**
 * enum fcvi_opcode - FCVI_OPCODE, table 1
 * @FCVI_SEND_RQST: data of a Send
 * @FCVI_WRITE_RQST: data of an RDMA Write
 * @FCVI_READ_RQST: asks for the data of an RDMA Read
 * @FCVI_SEND_RESP: answer to a Send, Reliable Reception
 * @FCVI_WRITE_RESP: answer to an RDMA Write, Reliable Reception
 * @FCVI_READ_RESP: data of an RDMA Read
 * @FCVI_CONNECT_RQST: begins a Connection Setup
 * @FCVI_DISCONNECT_RQST: ends a connection, or a setup
 * @FCVI_CONNECT_RESP1: the responder accepts or refuses
 * @FCVI_CONNECT_RESP2: the originator has RESP1
 * @FCVI_CONNECT_RESP3: the responder has RESP2
 * @FCVI_DISCONNECT_RESP: answer to a FCVI_DISCONNECT_RQST
 */
enum fcvi_opcode {
	FCVI_SEND_RQST		= 0x00,
	FCVI_WRITE_RQST		= 0x01,
	FCVI_READ_RQST		= 0x02,
	FCVI_SEND_RESP		= 0x08,
	FCVI_WRITE_RESP		= 0x09,
	FCVI_READ_RESP		= 0x0a,
	FCVI_CONNECT_RQST	= 0x10,
	FCVI_DISCONNECT_RQST	= 0x12,
	FCVI_CONNECT_RESP1	= 0x18,
	FCVI_CONNECT_RESP2	= 0x19,
	FCVI_CONNECT_RESP3	= 0x1a,
	FCVI_DISCONNECT_RESP	= 0x1b,
};

/* FCVI_FLAGS of Message Requests, table 5 */
#define FCVI_IMM_DATA		BIT(0)

/* FCVI_FLAGS of Message Responses, table 6 */
#define FCVI_RESP_ERR		BIT(0)
#define FCVI_DESC_ERR		BIT(1)
#define FCVI_PROT_ERR		BIT(2)
#define FCVI_TRANS_ERR		BIT(3)

/* FCVI_FLAGS of Connect Requests, table 7; the modes of table 8 */
#define FCVI_RQST_MODE		GENMASK(2, 0)
#define FCVI_RQST_CONN_INFO	BIT(3)
#define FCVI_RQST_RETRY		BIT(4)
#define FCVI_MODE_CLIENT_SERVER	1
#define FCVI_MODE_PEER		2

/* FCVI_FLAGS of Connect Responses, table 9 */
#define FCVI_RESP_CONN_STS	BIT(0)
#define FCVI_RESP_CONN_INFO	BIT(1)
#define FCVI_RESP_RETRY		BIT(2)

/* FCVI_FLAGS of Disconnects, table 10 */
#define FCVI_DISC_CONN_STS	BIT(0)
#define FCVI_DISC_VI_APP	BIT(1)
#define FCVI_DISC_SETUP_ABORT	BIT(2)

/**
 * enum fcvi_reason - Reason Codes, table 12
 * @FCVI_OK: none: CONN_STS is zero
 * @FCVI_NO_MATCH: no Discriminator match
 * @FCVI_CONNECT_TIMEOUT: the application of the originator waits no longer
 * @FCVI_NOT_WAITING: nobody waits at the Host Address
 * @FCVI_REJECT: the application said no
 * @FCVI_REJECT_CONCURRENT: the setup of the other peer goes on, FC-VI 5.3.4
 * @FCVI_REJECT_LOGIN: service parameters do not allow it
 * @FCVI_REJECT_PROTOCOL: malformed, or against the protocol
 * @FCVI_REJECT_TRANSPORT: transport error; the setup is tried once more
 * @FCVI_TRANSPORT: lost, late or missing frames
 * @FCVI_RDMA_PROTECTION: not sent, @FCVI_WRITE_PROTECTION and @FCVI_READ_PROTECTION say more
 * @FCVI_DESCRIPTOR: no receive Descriptor, or one too short
 * @FCVI_WRITE_PROTECTION: protection error of an RDMA Write
 * @FCVI_WRITE_DATA: data of an RDMA Write were damaged
 * @FCVI_WRITE_ABORT: an RDMA Write ended short
 * @FCVI_RDMA_TRANSPORT: transport error of an RDMA
 * @FCVI_READ_PROTECTION: protection error of an RDMA Read
 * @FCVI_PROTOCOL: against the protocol
 * @FCVI_SETUP_TIMEOUT: a setup that never got its last answer
 * @FCVI_NO_CONNECTION: there is no such connection or setup; answers only
 * @FCVI_DISCONNECTED: answer to a Disconnect that was done
 */
enum fcvi_reason {
	FCVI_OK			= 0x00,
	FCVI_NO_MATCH		= 0x01,
	FCVI_CONNECT_TIMEOUT	= 0x02,
	FCVI_NOT_WAITING	= 0x03,
	FCVI_REJECT		= 0x04,
	FCVI_REJECT_CONCURRENT	= 0x05,
	FCVI_REJECT_LOGIN	= 0x20,
	FCVI_REJECT_PROTOCOL	= 0x21,
	FCVI_REJECT_TRANSPORT	= 0x22,
	FCVI_TRANSPORT		= 0x40,
	FCVI_RDMA_PROTECTION	= 0x41,
	FCVI_DESCRIPTOR		= 0x42,
	FCVI_WRITE_PROTECTION	= 0x43,
	FCVI_WRITE_DATA		= 0x44,
	FCVI_WRITE_ABORT	= 0x45,
	FCVI_RDMA_TRANSPORT	= 0x46,
	FCVI_READ_PROTECTION	= 0x47,
	FCVI_PROTOCOL		= 0x48,
	FCVI_SETUP_TIMEOUT	= 0x49,
	FCVI_NO_CONNECTION	= 0x4a,
	FCVI_DISCONNECTED	= 0x4b,
};

/* The last non-error code of Connect Responses, FC-VI 5.9.7.1 */
#define FCVI_REASON_SOFT_MAX	0x1f

/**
 * struct fcvi_iu - the fields of a Device_Header
 * @opcode: enum fcvi_opcode
 * @flags: FCVI_FLAGS; the bits that its opcode has
 * @handle: of the addressee
 * @msg_id: number of the Message
 * @param: Immediate Data, or a status word
 * @rmt_va: base address of an RDMA
 * @rmt_va_handle: its memory handle
 * @tot_len: bytes of the Message; of Message IUs
 * @connection_id: of the setup; of connection IUs, in the place of @tot_len
 */
struct fcvi_iu {
	u8	opcode;
	u8	flags;
	u32	handle;
	u32	msg_id;
	u32	param;
	u64	rmt_va;
	u32	rmt_va_handle;
	union {
		u32	tot_len;
		u32	connection_id;
	};
};

/**
 * enum fcvi_verdict - what the decoder found
 * @FCVI_GOOD: a frame of an IU
 * @FCVI_SHORT: shorter than its Device_Header
 * @FCVI_BAD_OPCODE: reserved opcode
 * @FCVI_BAD_R_CTL: R_CTL of another IU, or another TYPE
 * @FCVI_BAD_DF_CTL: a Device_Header of another size, or other optional headers
 * @FCVI_BAD_CONTEXT: sent by the wrong side of the Exchange, or in the wrong Sequence of it
 * @FCVI_BAD_END: Sequence Initiative or Last_Sequence against FC-VI 5.8.4
 * @FCVI_BAD_PAYLOAD: payload in an IU that has none, or several frames
 * @FCVI_VERDICTS: how many there are
 */
enum fcvi_verdict {
	FCVI_GOOD,
	FCVI_SHORT,
	FCVI_BAD_OPCODE,
	FCVI_BAD_R_CTL,
	FCVI_BAD_DF_CTL,
	FCVI_BAD_CONTEXT,
	FCVI_BAD_END,
	FCVI_BAD_PAYLOAD,
	FCVI_VERDICTS,
};

/* A status word, table 11 */
static inline u32 fcvi_status(enum fcvi_reason reason)
{
	return (u32)reason << 16;
}

static inline u8 fcvi_status_reason(u32 status)
{
	return status >> 16 & 0xff;
}

unsigned int fcvi_iu_size(u8 opcode);
u8 fcvi_iu_r_ctl(u8 opcode);
u8 fcvi_iu_df_ctl(u8 opcode);
u8 fcvi_iu_end(u8 opcode);
unsigned int fcvi_encode(void *buf, const struct fcvi_iu *iu);
enum fcvi_verdict fcvi_decode(struct fcvi_iu *iu, const struct fc_frame_header *fh,
			      const void *data, unsigned int len);

#endif
