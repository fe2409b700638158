/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Connection Setups: their life, and the IUs that they send.
 */
#ifndef _FCVI_SETUP_H
#define _FCVI_SETUP_H

#include "vi.h"

struct fcvi_setup *fcvi_setup_new(struct fcvi_port *port, struct fc2_rport *rport, bool own,
				  void (*expired)(struct fcvi_timer *timer));
void fcvi_setup_take(struct fcvi_setup *s, struct fcvi_xchg *x);
void fcvi_setup_close(struct fcvi_setup *s);
void fcvi_setup_abort(struct fcvi_setup *s);
void fcvi_setup_done(struct fcvi_setup *s);
void fcvi_setup_free(struct fcvi_setup *s);
void fcvi_setup_send_rqst(struct fcvi_setup *s);
void fcvi_setup_send_resp1(struct fcvi_setup *s);
void fcvi_setup_send_resp2(struct fcvi_setup *s, enum fcvi_reason reason);
void fcvi_setup_send_resp3(struct fcvi_setup *s, enum fcvi_reason reason);
void fcvi_setup_refuse(struct fcvi_setup *s, enum fcvi_reason reason);

#endif
