/* SPDX-License-Identifier: GPL-2.0 */
/*
 * /dev/fcvi: the port of a file.
 */
#ifndef _FCVI_DEV_PORT_H
#define _FCVI_DEV_PORT_H

#include "dev.h"

void fcvi_file_end(struct fcvi_file *f, int why);
void fcvi_file_forget(struct fcvi_file *f);
int fcvi_dev_ports(struct fcvi_file *f, void *arg);
int fcvi_dev_open(struct fcvi_file *f, void *arg);
int fcvi_dev_query_port(struct fcvi_file *f, void *arg);
int fcvi_dev_hosts(struct fcvi_file *f, void *arg);
void fcvi_dev_port_del(struct fcvi_port *port);

#endif
