/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Peers, which both ask.
 */
#ifndef _FCVI_PEER_H
#define _FCVI_PEER_H

#include "vi.h"

bool fcvi_peer_accepted(const struct fcvi_vi *vi);
void fcvi_peer_rqst(struct fcvi_vi *vi, struct fcvi_setup *s);
void fcvi_peer_resp1(struct fcvi_vi *vi, enum fcvi_reason reason);

#endif
