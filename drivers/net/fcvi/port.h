/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port of FC-VI: where what the transport has goes.
 */
#ifndef _FCVI_PORT_H
#define _FCVI_PORT_H

#include "vi.h"

void fcvi_port_init(struct fcvi_port *port, const struct fcvi_transport *transport, u64 wwpn,
		    unsigned int r_a_tov);
void fcvi_port_free(struct fcvi_port *port);
void fcvi_port_iu(struct fcvi_xchg *x, const struct fcvi_iu *iu, const struct fcvi_connect *c);
void fcvi_port_end(struct fcvi_xchg *x, int err);
void fcvi_port_logout(struct fcvi_port *port, struct fc2_rport *rport);

#endif
