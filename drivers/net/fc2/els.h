/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Extended Link Services, FC-LS: frames of requests and replies, one frame each.
 */
#ifndef _FC2_ELS_H
#define _FC2_ELS_H

#include <linux/types.h>
#include <scsi/fc/fc_els.h>

struct fc2_port;
struct sk_buff;

/* Explanations of LS_RJT that fc_els.h does not have, FC-LS */
#define FC2_EXPL_RDFS	0x07	/* receive data field size */
#define FC2_EXPL_NAME	0x0d	/* invalid N_Port_Name */

/**
 * struct fc2_els_to - where a request goes
 * @id: N_Port ID
 * @mac: MAC address: of the VN_Port, or with @fip of the ENode
 * @fip: type of the FIP descriptor that takes the request, or 0
 * @login: it is a login, as anybody can bring it about who says that he is a port
 */
struct fc2_els_to {
	u32		id;
	const u8	*mac;
	u8		fip;
	bool		login;
};

/**
 * typedef fc2_els_done - a request is over
 * @port: the port, its lock held
 * @priv: of fc2_els_request()
 * @answer: payload of the LS_ACC or LS_RJT, or NULL
 * @len: length of it
 * @err: 0 after LS_ACC; -EBUSY after an LS_RJT that asks to try again, -EINPROGRESS after one that
 *	says that the other side has asked as well, -ECONNREFUSED after another LS_RJT, -ETIMEDOUT,
 *	or -ENETDOWN when the port has gone down
 */
typedef void (*fc2_els_done)(struct fc2_port *port, void *priv, const u8 *answer,
			     unsigned int len, int err);

struct sk_buff *fc2_els_alloc(unsigned int len, u8 cmd);
int fc2_els_request(struct fc2_port *port, const struct fc2_els_to *to, struct sk_buff *skb,
		    fc2_els_done done, void *priv);
int fc2_els_tell(struct fc2_port *port, const struct fc2_els_to *to, struct sk_buff *skb);
unsigned int fc2_els_waiting(struct fc2_port *port, const void *priv);
void fc2_els_cancel(struct fc2_port *port, const void *priv);
void fc2_els_cancel_all(struct fc2_port *port, int err);
void fc2_els_answered(struct fc2_port *port, const struct sk_buff *skb);
int fc2_els_reply(struct fc2_port *port, const struct sk_buff *request, struct sk_buff *skb);
void fc2_els_accept(struct fc2_port *port, const struct sk_buff *request);
void fc2_els_reject(struct fc2_port *port, const struct sk_buff *request,
		    enum fc_els_rjt_reason reason, u8 explan);
bool fc2_els_has(struct fc2_port *port, const struct sk_buff *request, unsigned int len);
void fc2_els_requests_begin(struct fc2_port *port);
void fc2_els_requests_end(struct fc2_port *port);

#endif
