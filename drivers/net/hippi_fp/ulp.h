/* SPDX-License-Identifier: GPL-2.0 */
/* The registry of upper-layer protocols. */
#ifndef _HFP_ULP_H
#define _HFP_ULP_H

#include <linux/hippi_fp.h>

struct hfp_ulp *hfp_ulp_find(u8 id);

#endif
