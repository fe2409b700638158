/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An FC-4 that writes down what it is told.
 */
#ifndef _FC2_TEST_USER_H
#define _FC2_TEST_USER_H

#include <kunit/test.h>
#include <linux/fc2.h>

#include "exch.h"

#define USER_TYPE	0xe2	/* whose frames all belong to Exchanges */
#define USER_SINGLE	0xe4	/* that has fc2_prov.single() */
#define USER_LOG	64

/**
 * struct user_told - what the FC-4 was told
 * @frames: how many frames have come
 * @cnt: their SEQ_CNT
 * @flags: what was complete with them
 * @opened: how many Exchanges remote ports have opened
 * @exch: the last of them
 * @singles: how many frames have come to single()
 * @ends: how many Exchanges have ended
 * @err: of the last of them
 * @refuse: what open() and single() return
 * @close: frame() closes the Exchange; or, if it is negative, aborts it
 */
struct user_told {
	unsigned int	frames;
	u16		cnt[USER_LOG];
	u8		flags[USER_LOG];
	unsigned int	opened;
	struct fc2_exch	*exch;
	unsigned int	singles;
	unsigned int	ends;
	int		err;
	int		refuse;
	int		close;
};

extern struct user_told user_told;
extern struct fc2_prov user_prov;

struct fc2_rport *user_peer(struct kunit *test);
struct fc2_exch *user_open(struct kunit *test, struct fc2_rport *rport);
int user_send(struct kunit *test, struct fc2_exch *exch, u8 flags);
void user_expire(struct kunit *test, struct fc2_exch *exch, unsigned int ms);
unsigned int user_own(struct fc2_port *port);

#endif
