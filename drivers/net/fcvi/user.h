/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Users of endpoints.
 */
#ifndef _FCVI_USER_H
#define _FCVI_USER_H

struct fcvi_port;

void fcvi_clients_port_del(struct fcvi_port *port);
void fcvi_clients_port_change(struct fcvi_port *port);

#endif
