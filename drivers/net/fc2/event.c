// SPDX-License-Identifier: GPL-2.0
/*
 * What happens to ports, for whoever tells programs of it.
 */
#include "event.h"

const struct fc2_listener *fc2_listener;
