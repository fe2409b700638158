/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BENCH_SERVE_H
#define BENCH_SERVE_H

#include "sock.h"

/* Serves the requests of clients; never returns.  @host is our own address, for RDS, else NULL. */
void serve(const struct protocol *p, const char *port, const char *host);

#endif
