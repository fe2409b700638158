/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of a side, from netlink; -1 on an error.
 */
#ifndef SELFTESTS_ST_COUNTERS_H
#define SELFTESTS_ST_COUNTERS_H

#include <stdbool.h>

#include <linux/st.h>
#include <linux/st_netlink.h>

/* One of ST_A_DROPS_* */
long long dropped(int side, int attr);

/* One of ST_A_ERRORS_*, of operations without a Port */
long long errors_without_port(int side, int attr);

/* Waits until such a counter has this value. */
bool counter_reaches(long long (*counter)(int, int), int side, int attr, long long value);

/* The error log of a Port, by enum st_error; false without such a Port */
bool port_errors(int side, unsigned int port, __u64 counts[__ST_ERR_MAX]);

#endif
