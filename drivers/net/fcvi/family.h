/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generic netlink family "fcvi", Documentation/netlink/specs/fcvi.yaml.
 */
#ifndef _FCVI_FAMILY_H
#define _FCVI_FAMILY_H

int fcvi_family_register(void);
void fcvi_family_unregister(void);

#endif
