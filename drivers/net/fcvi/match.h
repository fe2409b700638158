/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which endpoint or connection point a request is for, and whether two endpoints go together.
 */
#ifndef _FCVI_MATCH_H
#define _FCVI_MATCH_H

#include "vi.h"

bool fcvi_addr_equal(const struct fcvi_addr *a, const struct fcvi_addr *b);
enum fcvi_difference fcvi_attrs_differ(const struct fcvi_attrs *a, const struct fcvi_attrs *b);
bool fcvi_attrs_offered(const struct fcvi_attrs *a);
struct fcvi_point *fcvi_match_point(struct fcvi_port *port, const struct fcvi_connect *rqst,
				    enum fcvi_reason *refuse);
struct fcvi_vi *fcvi_match_peer(struct fcvi_port *port, const struct fcvi_connect *rqst,
				enum fcvi_reason *refuse);

#endif
