/* SPDX-License-Identifier: GPL-2.0 */
/*
 * FC-4s, by TYPE, and what they are told.
 */
#ifndef _FC2_PROV_H
#define _FC2_PROV_H

#include <linux/types.h>

struct fc2_port;
struct fc2_prov;
struct fc2_rport;
struct in6_addr;

const struct fc2_prov *fc2_prov_by_type(u8 type);
int fc2_prov_set(struct fc2_prov *prov);
void fc2_prov_clear(const struct fc2_prov *prov);
void fc2_prov_meet(const struct fc2_prov *prov, struct fc2_port *port);
void fc2_prov_part(const struct fc2_prov *prov, struct fc2_port *port);
void fc2_prov_port_add(struct fc2_port *port);
void fc2_prov_port_del(struct fc2_port *port);
void fc2_prov_port_change(struct fc2_port *port);
void fc2_prov_login(struct fc2_rport *rport);
void fc2_prov_logout(struct fc2_rport *rport);
void fc2_prov_resolved(struct fc2_port *port, const struct in6_addr *ip, int err);

#endif
