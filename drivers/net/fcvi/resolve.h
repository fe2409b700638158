/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The remote port behind a Host Address.
 */
#ifndef _FCVI_RESOLVE_H
#define _FCVI_RESOLVE_H

#include "vi.h"

void fcvi_resolved(struct fcvi_port *port, const struct in6_addr *host, int err);
void fcvi_resolve_login(struct fcvi_port *port);

#endif
