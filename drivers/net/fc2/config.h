/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Making and deleting ports.
 */
#ifndef _FC2_CONFIG_H
#define _FC2_CONFIG_H

#include <linux/types.h>

struct fc2_port;
struct fc2_port_params;
struct net_device;
struct netlink_ext_ack;

void fc2_params_default(struct fc2_port_params *params, const struct net_device *dev);
struct fc2_port *fc2_config_create(struct net_device *dev, const struct fc2_port_params *params,
				   struct netlink_ext_ack *extack);
void fc2_config_delete(struct fc2_port *port);
void fc2_config_delete_all(struct net_device *dev);
void fc2_config_link(struct net_device *dev, bool down);
void fc2_config_resize(struct net_device *dev);

#endif
