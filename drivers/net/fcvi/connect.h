/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The originator's side of a Connection Setup.
 */
#ifndef _FCVI_CONNECT_H
#define _FCVI_CONNECT_H

#include "vi.h"

int fcvi_connect(struct fcvi_vi *vi, enum fcvi_role role, struct fc2_rport *rport,
		 const struct fcvi_addr *loc, const struct fcvi_addr *rem, unsigned int t1);
void fcvi_connect_found(struct fcvi_vi *vi, struct fc2_rport *rport);
void fcvi_connect_unreachable(struct fcvi_vi *vi);
void fcvi_connect_t1(struct fcvi_timer *timer);
void fcvi_connect_resp1(struct fcvi_setup *s, enum fcvi_reason reason,
			const struct fcvi_connect *c);
void fcvi_connect_resp3(struct fcvi_setup *s, enum fcvi_reason reason);
void fcvi_connect_end(struct fcvi_setup *s);

#endif
