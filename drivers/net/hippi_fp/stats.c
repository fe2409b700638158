// SPDX-License-Identifier: GPL-2.0
/* What a port has counted, by name. */
#include <linux/array_size.h>
#include <linux/build_bug.h>

#include "stats.h"

/* hippi-fp.rst explains each */
static const char *const hfp_stat_names[] = {
	[HFP_STAT_SHORT]		= "rx_short",
	[HFP_STAT_D1_AREA]		= "rx_d1_area",
	[HFP_STAT_TRUNCATED]		= "rx_truncated",
	[HFP_STAT_ULP]			= "rx_ulp",
	[HFP_STAT_NOT_OURS]		= "rx_not_ours",
	[HFP_STAT_NO_MEMORY]		= "no_memory",
	[HFP_STAT_LE]			= "rx_le",
	[HFP_STAT_LE_TYPE]		= "rx_le_type",
	[HFP_STAT_TX_MALFORMED]		= "tx_malformed",
	[HFP_STAT_TX_TOO_LONG]		= "tx_too_long",
	[HFP_STAT_TX_NO_ADDRESS]	= "tx_no_address",
	[HFP_STAT_TX_CARRIER]		= "tx_carrier",
};

static_assert(ARRAY_SIZE(hfp_stat_names) == HFP_STATS);

/**
 * hfp_stat_name - the name of a counter
 * @i: &enum hfp_stat
 *
 * Return: the name.
 */
const char *hfp_stat_name(unsigned int i)
{
	return hfp_stat_names[i];
}
