/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FUZZ_H
#define FUZZ_H

#include "peer.h"

/* For so long; the seed is printed, and 0 chooses one */
void fuzz(struct peer *p, unsigned int seconds, uint64_t seed);

#endif
