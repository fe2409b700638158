/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What VIPL leaves to the provider, for VI over Fibre Channel.
 */
#ifndef VIPL_FCVI_H
#define VIPL_FCVI_H

#include <stdint.h>

#define FCVI_QOS_DEFAULT_DEPTH	31

/**
 * typedef FCVI_QOS - what the QoS of VI attributes points to; NULL stands for { size, 0, 31 }
 * @Size: sizeof(FCVI_QOS); any other is an invalid quality of service
 * @Preference: not 0 to set PREF in the frames of the Messages of this VI, FC-VI 5.8.2
 * @PipelineDepth: this and one more Messages may be open at a time, FC-VI 7.3
 */
typedef struct {
	uint32_t	Size;
	uint32_t	Preference;
	uint32_t	PipelineDepth;
} FCVI_QOS;

#endif
