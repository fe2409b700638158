/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers in the arguments of the programs.
 */
#ifndef FIGURE_H
#define FIGURE_H

/* From 0 to @max, decimal or with 0x; anything else ends the program with status 2 */
unsigned long figure(const char *text, unsigned long max);

#endif
