/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Generic netlink: registration of the family, and its events.
 */
#ifndef _FC2_FAMILY_H
#define _FC2_FAMILY_H

int fc2_family_register(void);
void fc2_family_unregister(void);

#endif
