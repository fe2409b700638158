/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Payload of FCVI_CONNECT_RQST and FCVI_CONNECT_RESP1, FC-VI 6.8.3, 6.9.3 and 7.
 */
#ifndef _FCVI_PAYLOAD_H
#define _FCVI_PAYLOAD_H

#include <linux/fcvi.h>
#include <linux/types.h>

#include "wire.h"

/* Without FCVI_CONNECT_INFO, and with it, FC-VI 6.8.1 */
#define FCVI_CONNECT_LEN	340
#define FCVI_CONNECT_LEN_INFO	596

void fcvi_encode_connect(void *buf, const struct fcvi_connect *c);
bool fcvi_decode_rqst(struct fcvi_connect *c, const struct fcvi_iu *iu, const void *data,
		      unsigned int len);
bool fcvi_decode_resp1(struct fcvi_connect *c, const struct fcvi_iu *iu, const void *data,
		       unsigned int len);

#endif
