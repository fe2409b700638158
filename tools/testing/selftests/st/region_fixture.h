/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A connection and memory at both ends, for the tests of persistent memory.
 * Include it after kselftest_harness.h.
 */
#ifndef SELFTESTS_ST_REGION_FIXTURE_H
#define SELFTESTS_ST_REGION_FIXTURE_H

#include <sys/mman.h>
#include <unistd.h>

#include "common.h"
#include "region.h"

#define MIB		1048576UL
#define LEN		(4 * MIB)
#define ALL		(ST_REGION_PUT | ST_REGION_GET | ST_REGION_FETCHOP)

FIXTURE(region)
{
	int fds[2];
	char *mem;	/* lent by B */
	char *buf;	/* of A */
};

FIXTURE_SETUP(region)
{
	self->mem = new_pages(LEN);
	self->buf = new_pages(LEN);
	ASSERT_NE(NULL, self->mem);
	ASSERT_NE(NULL, self->buf);
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(region)
{
	fault_set(0, "tx_ber", "0");
	fault_set(1, "tx_ber", "0");
	fault_set(0, "unplug", "0");
	close(self->fds[A]);
	close(self->fds[B]);
	munmap(self->mem, LEN);
	munmap(self->buf, LEN);
}

#endif
