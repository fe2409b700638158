/* SPDX-License-Identifier: GPL-2.0 */
/*
 * FCVI_HANDLEs and CONNECTION_IDs.
 */
#ifndef _FCVI_HANDLE_H
#define _FCVI_HANDLE_H

#include <linux/types.h>

struct fc2_rport;
struct fcvi_handle;
struct fcvi_port;
struct fcvi_vi;

struct fcvi_handle *fcvi_handle_new(struct fcvi_vi *vi, struct fc2_rport *rport);
struct fcvi_handle *fcvi_handle_find(struct fcvi_port *port, u32 value,
				     const struct fc2_rport *rport);
void fcvi_handle_release(struct fcvi_handle *h);
void fcvi_handles_logout(struct fcvi_port *port, struct fc2_rport *rport);
void fcvi_handles_free(struct fcvi_port *port);
u32 fcvi_id_new(struct fcvi_port *port);

#endif
