/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Users of a port, by streamID.
 */
#ifndef _RIO9_USER_H
#define _RIO9_USER_H

#include <linux/rio9.h>

struct rio9_port;

void rio9_users_init(struct rio9_port *port);
void rio9_users_destroy(struct rio9_port *port);

#endif
