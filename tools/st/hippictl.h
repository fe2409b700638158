/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of hippictl share.
 */
#ifndef HIPPICTL_H
#define HIPPICTL_H

#include <linux/hippi_netlink.h>

#include "kind.h"

/* hippictl_kinds.c */
extern const struct kind port_kind, counters_kind;

#endif
