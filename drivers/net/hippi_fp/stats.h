/* SPDX-License-Identifier: GPL-2.0 */
/* What a port counts. */
#ifndef _HFP_STATS_H
#define _HFP_STATS_H

/**
 * enum hfp_stat - what a port counts beside its packets and bytes
 * @HFP_STAT_SHORT: received packets of less than 8 bytes (fp-short)
 * @HFP_STAT_D1_AREA: with a D1_Area of more than 127 words (fp-d1-area)
 * @HFP_STAT_TRUNCATED: whose D1_Area or D2_Data_Set ends behind the packet (fp-truncated)
 * @HFP_STAT_ULP: for a ULP-id that nobody uses (fp-ulp)
 * @HFP_STAT_NOT_OURS: for another address than the port's, which its carrier let through
 * @HFP_STAT_NO_MEMORY: dropped, as there was no memory
 * @HFP_STAT_LE: of HIPPI-LE with a wrong D1 or LLC/SNAP header, RFC 2067
 * @HFP_STAT_LE_TYPE: of HIPPI-LE with another Message_Type or EtherType than IP and ARP have
 * @HFP_STAT_TX_MALFORMED: sent ones that are no HIPPI-FP packets; dropped
 * @HFP_STAT_TX_TOO_LONG: sent ones that are longer than the carrier's MTU; dropped
 * @HFP_STAT_TX_NO_ADDRESS: sent ones to an address that the carrier cannot reach; dropped
 * @HFP_STAT_TX_CARRIER: sent ones that the carrier refused
 * @HFP_STATS: how many there are
 */
enum hfp_stat {
	HFP_STAT_SHORT,
	HFP_STAT_D1_AREA,
	HFP_STAT_TRUNCATED,
	HFP_STAT_ULP,
	HFP_STAT_NOT_OURS,
	HFP_STAT_NO_MEMORY,
	HFP_STAT_LE,
	HFP_STAT_LE_TYPE,
	HFP_STAT_TX_MALFORMED,
	HFP_STAT_TX_TOO_LONG,
	HFP_STAT_TX_NO_ADDRESS,
	HFP_STAT_TX_CARRIER,
	HFP_STATS,
};

const char *hfp_stat_name(unsigned int i);

#endif
