/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generic netlink family "hippi", Documentation/netlink/specs/hippi.yaml.
 */
#ifndef _HFP_FAMILY_H
#define _HFP_FAMILY_H

int hfp_family_register(void);
void hfp_family_unregister(void);

#endif
