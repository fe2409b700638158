/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Login with remote ports: FLOGI, PLOGI, LOGO, FC-LS.
 */
#ifndef _FC2_RPORT_H
#define _FC2_RPORT_H

#include <linux/types.h>

struct fc2_port;
struct sk_buff;

void fc2_rport_self(struct fc2_port *port);
void fc2_rport_neighbour(struct fc2_port *port, u32 id, u64 wwpn, u64 wwnn, const u8 *vn_mac);
void fc2_rport_gone(struct fc2_port *port, u32 id);
void fc2_rport_logout_all(struct fc2_port *port);
int fc2_rport_login(struct fc2_port *port, u32 id);
int fc2_rport_logout(struct fc2_port *port, u32 id);
void fc2_rport_end_session(struct fc2_port *port, u32 id);
void fc2_rport_stray(struct fc2_port *port, u32 id);
void fc2_rport_rx_flogi(struct fc2_port *port, const struct sk_buff *request);
void fc2_rport_rx_plogi(struct fc2_port *port, const struct sk_buff *request);
void fc2_rport_rx_logo(struct fc2_port *port, const struct sk_buff *request);
void fc2_rport_port_begin(struct fc2_port *port);
void fc2_rport_port_end(struct fc2_port *port);

#endif
