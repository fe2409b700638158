// SPDX-License-Identifier: GPL-2.0
/*
 * Service parameters of FLOGI and PLOGI, FC-LS.
 */
#include <linux/fc2.h>
#include <linux/skbuff.h>
#include <linux/time64.h>
#include <linux/unaligned.h>

#include "els.h"
#include "params.h"
#include "port.h"

#define FC2_CLASS_3	(3 - 1)		/* in fc_els_flogi.fl_cssp */
#define FC2_VERSION	0x20		/* FC-PH-3 and later */
#define FC2_SEQUENCES	255		/* of a port at a time, FC-VI 4.1 */
#define FC2_CATEGORIES	0x1f		/* Relative Offset, by information category */

static struct fc_els_flogi *fc2_params_begin(struct fc2_port *port, struct sk_buff *skb)
{
	struct fc_els_flogi *login = (struct fc_els_flogi *)skb->data;
	struct fc_els_csp *csp = &login->fl_csp;

	put_unaligned_be64(port->params.wwpn, &login->fl_wwpn);
	put_unaligned_be64(port->params.wwnn, &login->fl_wwnn);
	csp->sp_hi_ver = FC2_VERSION;
	csp->sp_lo_ver = FC2_VERSION;
	csp->sp_bb_cred = htons(10);	/* FCoE has none: any number will do */
	csp->sp_bb_data = htons(fc2_port_mfs(port));
	login->fl_cssp[FC2_CLASS_3].cp_class = htons(FC_CPC_VALID | FC_CPC_SEQ);
	return login;
}

/**
 * fc2_params_flogi - payload of FLOGI or its LS_ACC
 * @port: the port
 * @cmd: which
 *
 * Return: the payload, from fc2_els_alloc(), or NULL.
 */
struct sk_buff *fc2_params_flogi(struct fc2_port *port, u8 cmd)
{
	struct sk_buff *skb = fc2_els_alloc(sizeof(struct fc_els_flogi), cmd);
	struct fc_els_csp *csp;

	if (!skb)
		return NULL;
	csp = &fc2_params_begin(port, skb)->fl_csp;
	if (cmd == ELS_LS_ACC) {
		csp->sp_r_a_tov = htonl(port->params.r_a_tov);
		csp->sp_e_d_tov = htonl(port->params.e_d_tov);
	}
	return skb;
}

/**
 * fc2_params_plogi - payload of PLOGI or its LS_ACC
 * @port: the port
 * @cmd: which
 *
 * FC-VI 5.6 wants S and C.  It has C where FC-FS has Random Relative Offset: both bits are sent.
 *
 * Return: the payload, from fc2_els_alloc(), or NULL.
 */
struct sk_buff *fc2_params_plogi(struct fc2_port *port, u8 cmd)
{
	struct sk_buff *skb = fc2_els_alloc(sizeof(struct fc_els_flogi), cmd);
	struct fc_els_flogi *login;
	struct fc_els_cssp *class;
	struct fc_els_csp *csp;

	if (!skb)
		return NULL;
	login = fc2_params_begin(port, skb);
	csp = &login->fl_csp;
	csp->sp_features = htons(FC_SP_FT_CIRO | FC_SP_FT_RAND | FC_SP_FT_SEQC);
	csp->sp_tot_seq = htons(FC2_SEQUENCES);
	csp->sp_rel_off = htons(FC2_CATEGORIES);
	csp->sp_e_d_tov = htonl(port->params.e_d_tov);
	class = &login->fl_cssp[FC2_CLASS_3];
	class->cp_rdfs = htons(fc2_port_mfs(port));
	class->cp_con_seq = htons(FC2_SEQUENCES);
	class->cp_open_seq = 2;		/* FC-VI 5.5: streaming */
	return skb;
}

/**
 * fc2_params_read - read FLOGI or PLOGI, or an LS_ACC to it
 * @params: for what it says
 * @payload: its payload
 * @len: length of it
 * @plogi: it is PLOGI: FLOGI tells no receive data field size of class 3
 *
 * Return: 0, or the explanation of an LS_RJT.
 */
int fc2_params_read(struct fc2_params *params, const u8 *payload, unsigned int len,
		    bool plogi)
{
	const struct fc_els_flogi *login = (const struct fc_els_flogi *)payload;
	const struct fc_els_cssp *class;
	u16 features, size;

	if (len < sizeof(*login))
		return ELS_EXPL_INV_LEN;
	class = &login->fl_cssp[FC2_CLASS_3];
	features = ntohs(login->fl_csp.sp_features);
	size = ntohs(login->fl_csp.sp_bb_data) & FC_SP_BB_DATA_MASK;
	*params = (struct fc2_params) {
		.wwpn = get_unaligned_be64(&login->fl_wwpn),
		.wwnn = get_unaligned_be64(&login->fl_wwnn),
		.mfs = min(size, ntohs(class->cp_rdfs)) & ~3,
		.seq_cnt = features & FC_SP_FT_SEQC,
		.rel_off = features & (FC_SP_FT_CIRO | FC_SP_FT_RAND),
		.fabric = features & FC_SP_FT_FPORT,
	};
	if (params->fabric) {
		params->r_a_tov = ntohl(login->fl_csp.sp_r_a_tov);
		params->e_d_tov = ntohl(login->fl_csp.sp_e_d_tov);
		if (features & FC_SP_FT_EDTR)
			params->e_d_tov /= NSEC_PER_MSEC;
	}
	if (!(class->cp_class & htons(FC_CPC_VALID)))
		return ELS_EXPL_SPP_OPT_ERR;
	if (!params->wwpn || !params->wwnn)
		return FC2_EXPL_NAME;
	if (plogi && params->mfs < FC_SP_MIN_MAX_PAYLOAD)
		return FC2_EXPL_RDFS;
	return 0;
}
