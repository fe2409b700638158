/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Service parameters of FLOGI and PLOGI, FC-LS.
 */
#ifndef _FC2_PARAMS_H
#define _FC2_PARAMS_H

#include <linux/types.h>

struct fc2_port;
struct sk_buff;

/**
 * struct fc2_params - what FLOGI or PLOGI of a remote port, or its LS_ACC, says
 * @wwpn: Port_Name
 * @wwnn: Node_Name
 * @mfs: receive data field size of class 3
 * @seq_cnt: S bit: continuously increasing SEQ_CNT
 * @rel_off: C bit: continuously increasing Relative Offset
 * @fabric: it is from an F_Port
 * @r_a_tov: R_A_TOV in milliseconds, in an LS_ACC of an F_Port
 * @e_d_tov: E_D_TOV in milliseconds, likewise
 */
struct fc2_params {
	u64	wwpn;
	u64	wwnn;
	u16	mfs;
	bool	seq_cnt;
	bool	rel_off;
	bool	fabric;
	u32	r_a_tov;
	u32	e_d_tov;
};

struct sk_buff *fc2_params_flogi(struct fc2_port *port, u8 cmd);
struct sk_buff *fc2_params_plogi(struct fc2_port *port, u8 cmd);
int fc2_params_read(struct fc2_params *params, const u8 *payload, unsigned int len,
		    bool plogi);

#endif
