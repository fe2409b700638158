// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: questions to remote ports, whose answers are waited for.
 */
#include <linux/netdevice.h>
#include <scsi/fc/fc_fcoe.h>

#include "els_ask.h"
#include "genl.h"
#include "netlink.h"
#include "port.h"

#define FC2_NL_TIMEOUT		2000
#define FC2_NL_TIMEOUT_MAX	10000

/**
 * struct fc2_nl_ask - a question and its answer
 * @id: N_Port ID of the remote port
 * @timeout: milliseconds to wait
 * @size: bytes of ECHO
 * @usec: how long it took
 * @lesb: what RLS says
 */
struct fc2_nl_ask {
	u32			id;
	u32			timeout;
	u32			size;
	u32			usec;
	struct fcoe_fc_els_lesb	lesb;
};

static int fc2_nl_read_ask(struct genl_info *info, struct fc2_nl_ask *ask)
{
	struct nlattr **attrs = info->attrs;

	*ask = (struct fc2_nl_ask){ .timeout = FC2_NL_TIMEOUT };
	if (GENL_REQ_ATTR_CHECK(info, FC2_A_ASK_ID))
		return -EINVAL;
	ask->id = nla_get_u32(attrs[FC2_A_ASK_ID]);
	if (attrs[FC2_A_ASK_TIMEOUT])
		ask->timeout = nla_get_u32(attrs[FC2_A_ASK_TIMEOUT]);
	if (ask->timeout && ask->timeout <= FC2_NL_TIMEOUT_MAX)
		return 0;
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, attrs[FC2_A_ASK_TIMEOUT],
				"timeout: found %u, expected 1 to %u", ask->timeout,
				FC2_NL_TIMEOUT_MAX);
	return -EINVAL;
}

/* Why there is no answer */
static int fc2_nl_ask_error(struct genl_info *info, const struct fc2_port *port,
			    const struct fc2_nl_ask *ask, int err)
{
	switch (err) {
	case -EMSGSIZE:
		NL_SET_ERR_MSG_FMT(info->extack, "size: found %u, with 4 more a frame has %u",
				   ask->size, fc2_port_mfs(port));
		break;
	case -ETIMEDOUT:
		NL_SET_ERR_MSG_FMT(info->extack, "no answer in %u ms", ask->timeout);
		break;
	case -ENETDOWN:
		NL_SET_ERR_MSG(info->extack, "the port has gone down");
		break;
	case -ECONNREFUSED:
		NL_SET_ERR_MSG(info->extack, "the remote port has rejected it");
		break;
	case -EBADMSG:
		NL_SET_ERR_MSG(info->extack, "the answer is not what it should be");
		break;
	}
	return fc2_nl_remote_error(info, err);
}

static int fc2_nl_reply(struct genl_info *info, const struct fc2_port *port,
			const struct fc2_nl_ask *ask,
			int (*put)(struct sk_buff *skb, const struct fc2_nl_ask *ask))
{
	struct sk_buff *skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	void *hdr;

	if (!skb)
		return -ENOMEM;
	hdr = genlmsg_iput(skb, info);
	/* The port may have been deleted meanwhile: it has no device then */
	if (!hdr || nla_put_u32(skb, FC2_A_ASK_IFINDEX,
				nla_get_u32(info->attrs[FC2_A_ASK_IFINDEX])) ||
	    nla_put_uint(skb, FC2_A_ASK_WWPN, port->params.wwpn) ||
	    nla_put_u32(skb, FC2_A_ASK_ID, ask->id) || put(skb, ask)) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return genlmsg_reply(skb, info);
}

/* Ask, and answer the request; without RTNL, as it takes time */
static int fc2_nl_ask(struct sk_buff *request, struct genl_info *info,
		      int (*send)(struct genl_info *info, struct fc2_port *port,
				  struct fc2_nl_ask *ask),
		      int (*put)(struct sk_buff *skb, const struct fc2_nl_ask *ask))
{
	struct fc2_nl_ask ask;
	struct fc2_port *port;
	int err;

	if (!fc2_nl_admin(request, info))
		return -EPERM;
	err = fc2_nl_read_ask(info, &ask);
	if (err)
		return err;
	port = fc2_nl_hold(info);
	if (IS_ERR(port))
		return PTR_ERR(port);
	err = send(info, port, &ask);
	if (err)
		err = fc2_nl_ask_error(info, port, &ask, err);
	else
		err = fc2_nl_reply(info, port, &ask, put);
	fc2_port_put(port);
	return err;
}

static int fc2_nl_send_echo(struct genl_info *info, struct fc2_port *port, struct fc2_nl_ask *ask)
{
	if (info->attrs[FC2_A_ASK_SIZE])
		ask->size = nla_get_u32(info->attrs[FC2_A_ASK_SIZE]);
	return fc2_els_echo(port, ask->id, ask->size, ask->timeout, &ask->usec);
}

static int fc2_nl_put_echo(struct sk_buff *skb, const struct fc2_nl_ask *ask)
{
	return nla_put_u32(skb, FC2_A_ASK_SIZE, ask->size) ||
	       nla_put_u32(skb, FC2_A_ASK_TIME, ask->usec);
}

/**
 * fc2_nl_echo_doit - FC2_CMD_ECHO
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int fc2_nl_echo_doit(struct sk_buff *skb, struct genl_info *info)
{
	return fc2_nl_ask(skb, info, fc2_nl_send_echo, fc2_nl_put_echo);
}

static int fc2_nl_send_rls(struct genl_info *info, struct fc2_port *port, struct fc2_nl_ask *ask)
{
	return fc2_els_rls(port, ask->id, ask->timeout, &ask->lesb);
}

static int fc2_nl_put_rls(struct sk_buff *skb, const struct fc2_nl_ask *ask)
{
	const struct fcoe_fc_els_lesb *lesb = &ask->lesb;

	return nla_put_u32(skb, FC2_A_ASK_LINK_FAILURES, ntohl(lesb->lesb_link_fail)) ||
	       nla_put_u32(skb, FC2_A_ASK_VLINK_FAILURES, ntohl(lesb->lesb_vlink_fail)) ||
	       nla_put_u32(skb, FC2_A_ASK_MISSED_KEEP_ALIVES, ntohl(lesb->lesb_miss_fka)) ||
	       nla_put_u32(skb, FC2_A_ASK_SYMBOL_ERRORS, ntohl(lesb->lesb_symb_err)) ||
	       nla_put_u32(skb, FC2_A_ASK_BLOCK_ERRORS, ntohl(lesb->lesb_err_block)) ||
	       nla_put_u32(skb, FC2_A_ASK_FCS_ERRORS, ntohl(lesb->lesb_fcs_error));
}

/**
 * fc2_nl_link_errors_get_doit - FC2_CMD_LINK_ERRORS_GET
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int fc2_nl_link_errors_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return fc2_nl_ask(skb, info, fc2_nl_send_rls, fc2_nl_put_rls);
}
