// SPDX-License-Identifier: GPL-2.0
/*
 * Codec of the Device_Header, FC-VI 5.9, with the rules of table 1 for each IU.
 *
 * A frame that does not keep them is told by its verdict.  Whether the IU fits into its Exchange,
 * and is for an endpoint that is there, is for others.
 */
#include <kunit/visibility.h>
#include <linux/fc2.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "wire.h"

/* Tables 3 and 4 */
struct fcvi_device_header {
	__be32	handle;
	u8	opcode;
	u8	flags;
	__be16	reserved;
	__be32	msg_id;
	__be32	param;
	/* The form of 16 bytes ends here */
	__be64	rmt_va;
	__be32	rmt_va_handle;
	__be32	last;
} __packed;

#define FCVI_DH_16	offsetof(struct fcvi_device_header, rmt_va)
#define FCVI_DH_32	sizeof(struct fcvi_device_header)

static_assert(FCVI_DH_16 == 16);
static_assert(FCVI_DH_32 == 32);
static_assert(offsetof(struct fcvi_device_header, rmt_va_handle) == 24);

/* What an IU is, besides its R_CTL */
#define FCVI_IU_SHORT		BIT(0)	/* Device_Header of 16 bytes */
#define FCVI_IU_RESPONDER	BIT(1)	/* sent by the responder of the Exchange */
#define FCVI_IU_EMPTY		BIT(2)	/* one frame, no payload */
#define FCVI_IU_FIRST		BIT(3)	/* in the first Sequence of the Exchange, and only there */
#define FCVI_IU_LATER		BIT(4)	/* never in the first one */
#define FCVI_IU_SI		BIT(5)	/* its last frame may pass Sequence Initiative */
#define FCVI_IU_LS		BIT(6)	/* its last frame may be that of the Exchange */
#define FCVI_IU_PARTS		BIT(7)	/* may be one of several IUs, of which it is not the last */

static const struct fcvi_iu_rule {
	u8	known;
	u8	r_ctl;
	u8	kind;
	u8	flags;		/* those of FCVI_FLAGS that are not reserved, tables 5 to 10 */
} fcvi_iu_rules[] = {
	[FCVI_SEND_RQST] = { true, FC_RCTL_DD_SOL_DATA,
			     FCVI_IU_SI | FCVI_IU_LS | FCVI_IU_PARTS, FCVI_IMM_DATA },
	[FCVI_WRITE_RQST] = { true, FC_RCTL_DD_SOL_DATA,
			      FCVI_IU_SI | FCVI_IU_LS | FCVI_IU_PARTS, FCVI_IMM_DATA },
	[FCVI_READ_RQST] = { true, FC_RCTL_DD_UNSOL_CMD,
			     FCVI_IU_EMPTY | FCVI_IU_FIRST | FCVI_IU_SI, 0 },
	[FCVI_SEND_RESP] = { true, FC_RCTL_DD_CMD_STATUS,
			     FCVI_IU_SHORT | FCVI_IU_RESPONDER | FCVI_IU_EMPTY | FCVI_IU_LATER |
			     FCVI_IU_LS,
			     FCVI_RESP_ERR | FCVI_DESC_ERR | FCVI_PROT_ERR | FCVI_TRANS_ERR },
	[FCVI_WRITE_RESP] = { true, FC_RCTL_DD_CMD_STATUS,
			      FCVI_IU_SHORT | FCVI_IU_RESPONDER | FCVI_IU_EMPTY | FCVI_IU_LATER |
			      FCVI_IU_LS,
			      FCVI_RESP_ERR | FCVI_DESC_ERR | FCVI_PROT_ERR | FCVI_TRANS_ERR },
	[FCVI_READ_RESP] = { true, FC_RCTL_DD_SOL_DATA,
			     FCVI_IU_RESPONDER | FCVI_IU_LATER | FCVI_IU_LS | FCVI_IU_PARTS,
			     FCVI_RESP_ERR | FCVI_DESC_ERR | FCVI_PROT_ERR | FCVI_TRANS_ERR },
	[FCVI_CONNECT_RQST] = { true, FC_RCTL_DD_UNSOL_CTL, FCVI_IU_FIRST | FCVI_IU_SI,
				FCVI_RQST_MODE | FCVI_RQST_CONN_INFO | FCVI_RQST_RETRY },
	[FCVI_DISCONNECT_RQST] = { true, FC_RCTL_DD_UNSOL_CTL,
				   FCVI_IU_EMPTY | FCVI_IU_FIRST | FCVI_IU_SI,
				   FCVI_DISC_CONN_STS | FCVI_DISC_VI_APP | FCVI_DISC_SETUP_ABORT },
	[FCVI_CONNECT_RESP1] = { true, FC_RCTL_DD_SOL_CTL,
				 FCVI_IU_RESPONDER | FCVI_IU_LATER | FCVI_IU_SI,
				 FCVI_RESP_CONN_STS | FCVI_RESP_CONN_INFO | FCVI_RESP_RETRY },
	[FCVI_CONNECT_RESP2] = { true, FC_RCTL_DD_SOL_CTL,
				 FCVI_IU_EMPTY | FCVI_IU_LATER | FCVI_IU_SI,
				 FCVI_RESP_CONN_STS | FCVI_RESP_RETRY },
	[FCVI_CONNECT_RESP3] = { true, FC_RCTL_DD_SOL_CTL,
				 FCVI_IU_RESPONDER | FCVI_IU_EMPTY | FCVI_IU_LATER | FCVI_IU_LS,
				 FCVI_RESP_CONN_STS | FCVI_RESP_RETRY },
	[FCVI_DISCONNECT_RESP] = { true, FC_RCTL_DD_SOL_CTL,
				   FCVI_IU_RESPONDER | FCVI_IU_EMPTY | FCVI_IU_LATER | FCVI_IU_LS,
				   FCVI_DISC_CONN_STS | FCVI_DISC_VI_APP | FCVI_DISC_SETUP_ABORT },
};

/**
 * fcvi_iu_size - bytes of the Device_Header of an IU, FC-VI 5.9.1
 * @opcode: enum fcvi_opcode
 *
 * Return: 16 or 32.
 */
unsigned int fcvi_iu_size(u8 opcode)
{
	return fcvi_iu_rules[opcode].kind & FCVI_IU_SHORT ? FCVI_DH_16 : FCVI_DH_32;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_iu_size);

/**
 * fcvi_iu_r_ctl - R_CTL of an IU, table 1
 * @opcode: enum fcvi_opcode
 *
 * Return: R_CTL.
 */
u8 fcvi_iu_r_ctl(u8 opcode)
{
	return fcvi_iu_rules[opcode].r_ctl;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_iu_r_ctl);

/**
 * fcvi_iu_df_ctl - DF_CTL of an IU, FC-VI 5.8.5
 * @opcode: enum fcvi_opcode
 *
 * Return: DF_CTL.
 */
u8 fcvi_iu_df_ctl(u8 opcode)
{
	return fcvi_iu_rules[opcode].kind & FCVI_IU_SHORT ? FCVI_DF_16 : FCVI_DF_32;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_iu_df_ctl);

/**
 * fcvi_iu_end - what the last frame of an IU is for its Exchange, FC-VI 5.8.4
 * @opcode: enum fcvi_opcode; not FCVI_SEND_RQST or FCVI_WRITE_RQST, where the reliability level
 *	decides
 *
 * Return: mask of enum fc2_send_flags.
 */
u8 fcvi_iu_end(u8 opcode)
{
	return FC2_SEND_END_SEQ |
	       (fcvi_iu_rules[opcode].kind & FCVI_IU_LS ? FC2_SEND_LAST_SEQ : FC2_SEND_INITIATIVE);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_iu_end);

/**
 * fcvi_encode - write the Device_Header of an IU
 * @buf: gets it
 * @iu: the IU; reserved fields are zero in it, FC-VI 5.9.5
 *
 * Return: bytes.
 */
unsigned int fcvi_encode(void *buf, const struct fcvi_iu *iu)
{
	const struct fcvi_device_header dh = {
		.handle		= cpu_to_be32(iu->handle),
		.opcode		= iu->opcode,
		.flags		= iu->flags,
		.msg_id		= cpu_to_be32(iu->msg_id),
		.param		= cpu_to_be32(iu->param),
		.rmt_va		= cpu_to_be64(iu->rmt_va),
		.rmt_va_handle	= cpu_to_be32(iu->rmt_va_handle),
		.last		= cpu_to_be32(iu->tot_len),
	};
	unsigned int size = fcvi_iu_size(iu->opcode);

	memcpy(buf, &dh, size);
	return size;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_encode);

/* F_CTL against FC-VI 5.8.4 and the F/M/L column of table 1 */
static enum fcvi_verdict fcvi_decode_f_ctl(u8 kind, u32 f_ctl)
{
	u32 ends = f_ctl & (FC_FC_LAST_SEQ | FC_FC_SEQ_INIT);
	u32 may = (kind & FCVI_IU_LS ? FC_FC_LAST_SEQ : 0) |
		  (kind & FCVI_IU_SI ? FC_FC_SEQ_INIT : 0);
	bool first = f_ctl & FC_FC_FIRST_SEQ;

	if (!(f_ctl & FC_FC_EX_CTX) != !(kind & FCVI_IU_RESPONDER) || f_ctl & FC_FC_SEQ_CTX)
		return FCVI_BAD_CONTEXT;
	if ((kind & FCVI_IU_FIRST && !first) || (kind & FCVI_IU_LATER && first))
		return FCVI_BAD_CONTEXT;
	if (!(f_ctl & FC_FC_END_SEQ))
		return kind & FCVI_IU_EMPTY ? FCVI_BAD_PAYLOAD : FCVI_GOOD;
	if (ends & ~may || ends == (FC_FC_LAST_SEQ | FC_FC_SEQ_INIT))
		return FCVI_BAD_END;
	return ends || kind & FCVI_IU_PARTS ? FCVI_GOOD : FCVI_BAD_END;
}

/**
 * fcvi_decode - read the Device_Header of a frame
 * @iu: gets it, with zero for what the form of 16 bytes lacks
 * @fh: header of the frame
 * @data: its data field, of which the Device_Header lies in one piece
 * @len: bytes of the data field, without fill bytes
 *
 * Reserved bits and fields are ignored, FC-VI 5.9.5.
 *
 * Return: the verdict.
 */
enum fcvi_verdict fcvi_decode(struct fcvi_iu *iu, const struct fc_frame_header *fh,
			      const void *data, unsigned int len)
{
	struct fcvi_device_header dh = {};
	const struct fcvi_iu_rule *rule;
	unsigned int size;

	if (fh->fh_type != FC2_TYPE_FCVI)
		return FCVI_BAD_R_CTL;
	if (fh->fh_df_ctl != FCVI_DF_16 && fh->fh_df_ctl != FCVI_DF_32)
		return FCVI_BAD_DF_CTL;
	size = fh->fh_df_ctl == FCVI_DF_16 ? FCVI_DH_16 : FCVI_DH_32;
	if (len < size)
		return FCVI_SHORT;
	memcpy(&dh, data, size);
	if (dh.opcode >= ARRAY_SIZE(fcvi_iu_rules) || !fcvi_iu_rules[dh.opcode].known)
		return FCVI_BAD_OPCODE;
	rule = fcvi_iu_rules + dh.opcode;
	if (fh->fh_r_ctl != rule->r_ctl)
		return FCVI_BAD_R_CTL;
	if (fh->fh_df_ctl != fcvi_iu_df_ctl(dh.opcode))
		return FCVI_BAD_DF_CTL;
	if (rule->kind & FCVI_IU_EMPTY && len != size)
		return FCVI_BAD_PAYLOAD;
	*iu = (struct fcvi_iu) {
		.opcode		= dh.opcode,
		.flags		= dh.flags & rule->flags,
		.handle		= be32_to_cpu(dh.handle),
		.msg_id		= be32_to_cpu(dh.msg_id),
		.param		= be32_to_cpu(dh.param),
		.rmt_va		= be64_to_cpu(dh.rmt_va),
		.rmt_va_handle	= be32_to_cpu(dh.rmt_va_handle),
		.tot_len	= be32_to_cpu(dh.last),
	};
	return fcvi_decode_f_ctl(rule->kind, fc2_ntoh24(fh->fh_f_ctl));
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_decode);
