/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Host Addresses, FC-VI 4.2: the IP addresses of the device that carries a port.
 */
#ifndef _FC2_HOST_H
#define _FC2_HOST_H

#include <linux/types.h>

struct fc2_port;
struct in6_addr;

bool fc2_host_possible(const struct in6_addr *ip);
void fc2_host_first(const struct fc2_port *port, struct in6_addr *ip);

#endif
