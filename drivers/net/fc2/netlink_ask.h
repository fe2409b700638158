/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Generic netlink: questions to remote ports, whose answers are waited for.
 */
#ifndef _FC2_NETLINK_ASK_H
#define _FC2_NETLINK_ASK_H

int fc2_nl_ask_begin(void);
void fc2_nl_ask_end(void);

#endif
