/* SPDX-License-Identifier: GPL-2.0 */
/*
 * FC-VI on the Exchanges of FC-2.
 */
#ifndef _FCVI_FC_H
#define _FCVI_FC_H

int fcvi_fc_begin(void);
void fcvi_fc_end(void);

#endif
