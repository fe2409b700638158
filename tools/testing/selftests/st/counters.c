// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of a side.
 */
#include <stdio.h>
#include <unistd.h>

#include "common.h"
#include "counters.h"
#include "nl.h"

static long long counter(int side, int nest, int attr)
{
	struct nl_answer answer = {};
	long long value = -1;
	struct nl_req req;
	struct nl nl;

	if (!enter(side) || !nl_open(&nl))
		return -1;
	nl_begin(&nl, &req, ST_CMD_COUNTERS_GET, false);
	if (!nl_ask(&nl, &req, &answer) && answer.n == 1)
		value = nl_member(answer.msg[0].tb[nest], attr);
	nl_free(&answer);
	nl_close(&nl);
	return value;
}

long long dropped(int side, int attr)
{
	return counter(side, ST_A_COUNTERS_DROPS, attr);
}

long long errors_without_port(int side, int attr)
{
	return counter(side, ST_A_COUNTERS_ERRORS, attr);
}

bool counter_reaches(long long (*counter)(int, int), int side, int attr, long long value)
{
	long long end = now_ms() + 4 * SOON_MS, found;

	do {
		found = counter(side, attr);
		if (found == value)
			return true;
		usleep(1000);
	} while (now_ms() < end);
	fprintf(stderr, "# counter %d is %lld, expected %lld\n", attr, found, value);
	return false;
}

bool port_errors(int side, unsigned int port, __u64 counts[__ST_ERR_MAX])
{
	struct nl_answer answer = {};
	struct nl nl;
	bool found;
	int i;

	if (!enter(side) || !nl_open(&nl))
		return false;
	found = !nl_filter(&nl, ST_CMD_PORT_GET, ST_A_PORT_PORT, port, sizeof(__u16), &answer) &&
		answer.n == 1;
	for (i = 0; found && i < __ST_ERR_MAX; i++)
		counts[i] = nl_member(answer.msg[0].tb[ST_A_PORT_ERRORS], ST_A_ERRORS_CKSUM + i);
	nl_free(&answer);
	nl_close(&nl);
	return found;
}
