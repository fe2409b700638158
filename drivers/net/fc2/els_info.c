// SPDX-License-Identifier: GPL-2.0
/*
 * Answers to ELS requests for information, and to PRLI and PRLO, which change nothing.
 */
#include <linux/fc2.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/unaligned.h>
#include <scsi/fc/fc_fcoe.h>

#include "els.h"
#include "els_info.h"
#include "port.h"
#include "remote.h"
#include "rport.h"

/* Nothing is answered without memory: the other side asks again */

/**
 * fc2_els_rx_adisc - ADISC has come, of a port that is logged in
 * @port: the port, its lock held
 * @request: the frame, linear
 *
 * A port that is not the one that has logged in is logged out, FC-VI 7.7.
 */
void fc2_els_rx_adisc(struct fc2_port *port, const struct sk_buff *request)
{
	const struct fc_els_adisc *asked = (const struct fc_els_adisc *)request->data;
	u32 s_id = fc2_ntoh24(fc2_frame_hdr(request)->fh_s_id);
	const struct fc2_remote *remote = fc2_remote_find(port, s_id);
	struct fc_els_adisc *adisc;
	struct sk_buff *skb;

	if (!fc2_els_has(port, request, sizeof(*asked)))
		return;
	if (get_unaligned_be64(&asked->adisc_wwpn) != remote->wwpn ||
	    get_unaligned_be64(&asked->adisc_wwnn) != remote->wwnn ||
	    fc2_ntoh24(asked->adisc_port_id) != s_id) {
		fc2_els_reject(port, request, ELS_RJT_LOGIC, FC2_EXPL_NAME);
		fc2_rport_end_session(port, s_id);
		return;
	}
	skb = fc2_els_alloc(sizeof(*adisc), ELS_LS_ACC);
	if (!skb)
		return;
	adisc = (struct fc_els_adisc *)skb->data;
	put_unaligned_be64(port->params.wwpn, &adisc->adisc_wwpn);
	put_unaligned_be64(port->params.wwnn, &adisc->adisc_wwnn);
	fc2_hton24(adisc->adisc_port_id, port->id);
	fc2_els_reply(port, request, skb);
}

/**
 * fc2_els_rx_echo - ECHO has come
 * @port: the port, its lock held
 * @request: the frame, linear
 */
void fc2_els_rx_echo(struct fc2_port *port, const struct sk_buff *request)
{
	const unsigned int hdr = sizeof(struct fc_els_ls_acc);
	struct sk_buff *skb = fc2_els_alloc(request->len, ELS_LS_ACC);

	if (!skb)
		return;
	memcpy(skb->data + hdr, request->data + hdr, request->len - hdr);
	fc2_els_reply(port, request, skb);
}

/* Whether the service parameter pages of PRLI or PRLO fit into the payload. */
static bool fc2_els_pages_fit(const struct sk_buff *request)
{
	const struct fc_els_prli *prli = (const struct fc_els_prli *)request->data;
	unsigned int len = ntohs(prli->prli_len), page = prli->prli_spp_len;

	return page >= sizeof(struct fc_els_spp) && page % 4 == 0 &&
	       len >= sizeof(*prli) + page && len <= request->len &&
	       (len - sizeof(*prli)) % page == 0;
}

/**
 * fc2_els_rx_pages - PRLI or PRLO has come, of a port that is logged in
 * @port: the port, its lock held
 * @request: the frame, linear
 *
 * There are no processes here.  Linux's libfc logs in again and again unless PRLI is executed, so
 * it is, but no image pair is established and no function is told.
 */
void fc2_els_rx_pages(struct fc2_port *port, const struct sk_buff *request)
{
	const struct fc_els_prli *asked = (const struct fc_els_prli *)request->data;
	const struct fc_els_spp *page;
	struct fc_els_prli *prli;
	struct fc_els_spp *spp;
	unsigned int len, pos;
	struct sk_buff *skb;

	if (!fc2_els_has(port, request, sizeof(*asked) + sizeof(*page)))
		return;
	if (!fc2_els_pages_fit(request)) {
		fc2_stat_inc(port, FC2_STAT_ELS_BAD);
		fc2_els_reject(port, request, ELS_RJT_PROT, ELS_EXPL_INV_LEN);
		return;
	}
	len = ntohs(asked->prli_len);
	skb = fc2_els_alloc(len, ELS_LS_ACC);
	if (!skb)
		return;
	prli = (struct fc_els_prli *)skb->data;
	prli->prli_spp_len = asked->prli_spp_len;
	prli->prli_len = asked->prli_len;
	for (pos = sizeof(*prli); pos < len; pos += asked->prli_spp_len) {
		page = (const struct fc_els_spp *)(request->data + pos);
		spp = (struct fc_els_spp *)(skb->data + pos);
		spp->spp_type = page->spp_type;
		spp->spp_type_ext = page->spp_type_ext;
		spp->spp_flags = FC_SPP_RESP_ACK;
	}
	fc2_els_reply(port, request, skb);
}

/**
 * fc2_els_rx_rls - RLS has come, of a port that is logged in
 * @port: the port, its lock held
 * @request: the frame, linear
 *
 * The counters are those of FCoE, FC-BB-5.
 */
void fc2_els_rx_rls(struct fc2_port *port, const struct sk_buff *request)
{
	struct fcoe_fc_els_lesb *lesb;
	struct fc_els_rls_resp *rls;
	struct sk_buff *skb;

	if (!fc2_els_has(port, request, sizeof(struct fc_els_rls)))
		return;
	skb = fc2_els_alloc(sizeof(*rls), ELS_LS_ACC);
	if (!skb)
		return;
	rls = (struct fc_els_rls_resp *)skb->data;
	lesb = (struct fcoe_fc_els_lesb *)&rls->rls_lesb;
	lesb->lesb_link_fail = htonl(atomic_read(&port->iface->dev->carrier_down_count) -
				     port->link_failures);
	lesb->lesb_vlink_fail = htonl(fc2_stat_read(port, FC2_STAT_LOGOUT));
	lesb->lesb_miss_fka = htonl(fc2_stat_read(port, FC2_STAT_NEIGHBOUR_GONE));
	lesb->lesb_fcs_error = htonl(fc2_stat_read(port, FC2_STAT_RX_CRC));
	fc2_els_reply(port, request, skb);
}

/**
 * fc2_els_rx_rrq - RRQ has come, of a port that is logged in
 * @port: the port, its lock held
 * @request: the frame, linear
 *
 * Exchange IDs are kept away for R_A_TOV whatever the other side says.
 */
void fc2_els_rx_rrq(struct fc2_port *port, const struct sk_buff *request)
{
	if (fc2_els_has(port, request, sizeof(struct fc_els_rrq)))
		fc2_els_accept(port, request);
}

/**
 * fc2_els_rx_rtv - RTV has come, of a port that is logged in
 * @port: the port, its lock held
 * @request: the frame, linear
 */
void fc2_els_rx_rtv(struct fc2_port *port, const struct sk_buff *request)
{
	struct fc_els_rtv_acc *rtv;
	struct sk_buff *skb = fc2_els_alloc(sizeof(*rtv), ELS_LS_ACC);

	if (!skb)
		return;
	rtv = (struct fc_els_rtv_acc *)skb->data;
	rtv->rtv_r_a_tov = htonl(port->params.r_a_tov);
	rtv->rtv_e_d_tov = htonl(port->params.e_d_tov);
	fc2_els_reply(port, request, skb);
}
