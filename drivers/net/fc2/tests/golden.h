/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames of Debian's fcoe, in hexadecimal.
 */
#ifndef _FC2_TESTS_GOLDEN_H
#define _FC2_TESTS_GOLDEN_H

#include <kunit/test.h>

#define GOLDEN_MAX	256

extern const char golden_probe[], golden_claim[], golden_beacon[];
extern const char golden_flogi[], golden_flogi_acc[];
extern const char golden_plogi[], golden_prli[], golden_rtv[];

unsigned int golden_frame(struct kunit *test, u8 *frame, const char *text);

#endif
