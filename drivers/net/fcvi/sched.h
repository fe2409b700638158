/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Turns of what is to be sent: a frame of one endpoint, then one of the next, so that long Messages
 * do not starve short ones, VI-ARCH 2.5.1; and no more than the device takes.
 */
#ifndef _FCVI_SCHED_H
#define _FCVI_SCHED_H

#include "msg.h"

/* Frames of a Sequence, FC-VI 5.6 */
#define FCVI_SEQ_FRAMES		65536

/* Messages of several frames that are sent at a time; fc2 has 255 Sequences for each remote port */
#define FCVI_SEQS_MAX		200

/* Frames that are sent before others get the CPU */
#define FCVI_SCHED_BURST	64

/* What could not be sent is tried again after that many ms */
#define FCVI_SCHED_PAUSE	10

void fcvi_sched_init(struct fcvi_port *port);
void fcvi_sched_end(struct fcvi_port *port);
void fcvi_sched_add(struct fcvi_out *out);
void fcvi_sched_remove(struct fcvi_out *out);
void fcvi_sched_run(struct fcvi_port *port);
struct sk_buff *fcvi_sched_skb(void);

#endif
