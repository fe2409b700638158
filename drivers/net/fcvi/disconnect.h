/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Disconnects.
 */
#ifndef _FCVI_DISCONNECT_H
#define _FCVI_DISCONNECT_H

#include "vi.h"

int fcvi_disconnect(struct fcvi_vi *vi);
void fcvi_disconnect_lost(struct fcvi_vi *vi, enum fcvi_reason cause);
void fcvi_disconnect_destroy(struct fcvi_vi *vi);
void fcvi_disconnect_rqst(struct fcvi_xchg *x, const struct fcvi_iu *iu);
void fcvi_disconnect_resp(struct fcvi_disc *d);
void fcvi_disconnect_end(struct fcvi_disc *d, bool again);
void fcvi_disconnect_free(struct fcvi_port *port);
void fcvi_disconnect_logout(struct fcvi_port *port, const struct fc2_rport *rport);

#endif
