/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The responder's side of a Connection Setup.
 */
#ifndef _FCVI_RESPOND_H
#define _FCVI_RESPOND_H

#include "vi.h"

void fcvi_respond_expired(struct fcvi_timer *timer);
void fcvi_respond_accept(struct fcvi_setup *s, struct fcvi_vi *vi);
void fcvi_respond_resp2(struct fcvi_setup *s, enum fcvi_reason reason);
void fcvi_respond_again(struct fcvi_setup *s, struct fcvi_xchg *x, u32 id);
void fcvi_respond_end(struct fcvi_setup *s, int err);
int fcvi_accept(struct fcvi_setup *s, struct fcvi_vi *vi);
void fcvi_reject(struct fcvi_setup *s);

#endif
