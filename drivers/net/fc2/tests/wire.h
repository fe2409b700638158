/* SPDX-License-Identifier: GPL-2.0 */
/*
 * FC frames on the wire, read and written without the code that is tested, and remote ports that
 * are logged in.
 */
#ifndef _FC2_TEST_WIRE_H
#define _FC2_TEST_WIRE_H

#include <kunit/test.h>
#include <linux/fc2.h>
#include <linux/prandom.h>
#include <linux/types.h>

#include "port.h"

#define WIRE_ID		0x000123	/* of the port */
#define WIRE_PEER	0x000456
#define WIRE_DATA_MAX	2200
/* Ethernet and FCoE header, FC header; data and fill bytes; CRC and EOF */
#define WIRE_HEAD	(14 + 14 + 24)
#define WIRE_MAX	(WIRE_HEAD + WIRE_DATA_MAX + 3 + 8)

/**
 * struct wire_frame - a frame
 * @sof: SOF
 * @eof: EOF
 * @r_ctl: R_CTL
 * @d_id: D_ID
 * @cs_ctl: CS_CTL
 * @s_id: S_ID
 * @type: TYPE
 * @f_ctl: F_CTL, with the fill bytes
 * @seq_id: SEQ_ID
 * @df_ctl: DF_CTL
 * @cnt: SEQ_CNT
 * @ox_id: OX_ID
 * @rx_id: RX_ID
 * @param: Parameter
 * @len: bytes of @data
 * @data: data field, without the fill bytes
 */
struct wire_frame {
	u8		sof;
	u8		eof;
	u8		r_ctl;
	u32		d_id;
	u8		cs_ctl;
	u32		s_id;
	u8		type;
	u32		f_ctl;
	u8		seq_id;
	u8		df_ctl;
	u16		cnt;
	u16		ox_id;
	u16		rx_id;
	u32		param;
	unsigned int	len;
	u8		data[WIRE_DATA_MAX];
};

struct wire_frame *wire_frame(struct kunit *test, u8 type, u32 f_ctl);
unsigned int wire_put(u8 *p, const struct wire_frame *frame);
void wire_seal(u8 *p, unsigned int len);
void wire_rx_raw(struct kunit *test, struct fc2_port *port, const u8 *p, unsigned int len);
void wire_rx(struct kunit *test, struct fc2_port *port, const struct wire_frame *frame);
bool wire_sent(struct kunit *test, struct fc2_port *port, struct wire_frame *frame);
unsigned int wire_count(struct fc2_port *port);
struct fc2_rport *wire_rport(struct kunit *test, struct fc2_port *port, u32 id);
void wire_logout(struct fc2_rport *rport);
struct sk_buff *wire_skb(struct kunit *test, unsigned int len);
void wire_pattern(u8 *p, unsigned int len);
void wire_seed(struct kunit *test, struct rnd_state *rnd);

#endif
