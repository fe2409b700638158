/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ELS requests of an administrator, who waits for the answer.
 */
#ifndef _FC2_ELS_ASK_H
#define _FC2_ELS_ASK_H

#include <linux/types.h>

struct fc2_port;
struct fcoe_fc_els_lesb;

int fc2_els_echo(struct fc2_port *port, u32 id, unsigned int len, unsigned int timeout_ms,
		 u32 *usec);
int fc2_els_rls(struct fc2_port *port, u32 id, unsigned int timeout_ms,
		struct fcoe_fc_els_lesb *lesb);

#endif
