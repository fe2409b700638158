// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: questions to remote ports, whose answers are waited for.
 *
 * Requests of generic netlink are served under a lock, for which all others wait while a family
 * comes or goes.  So a work item asks, and sends the answer, and the message that acknowledges the
 * request or says why not.
 */
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/netlink.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <net/sock.h>
#include <scsi/fc/fc_fcoe.h>

#include "els_ask.h"
#include "genl.h"
#include "netlink.h"
#include "netlink_ask.h"
#include "port.h"

#include <uapi/linux/fc2_netlink.h>

#define FC2_NL_TIMEOUT		2000
#define FC2_NL_TIMEOUT_MAX	10000

/* Most questions that wait, of all ports */
#define FC2_NL_ASKS_MAX		256

static struct workqueue_struct *fc2_nl_wq;
static atomic_t fc2_nl_asks;

struct fc2_nl_ask;

/**
 * struct fc2_nl_question - a kind of question
 * @attrs: how many attributes its request can have, and one more
 * @send: asks, and waits for the answer
 * @put: writes the attributes of the answer
 */
struct fc2_nl_question {
	unsigned int attrs;
	int (*send)(struct genl_info *info, struct fc2_port *port, struct fc2_nl_ask *ask);
	int (*put)(struct sk_buff *skb, const struct fc2_nl_ask *ask);
};

/**
 * struct fc2_nl_ask - a question and its answer
 * @work: asks
 * @port: the port, with a reference
 * @request: the request, with a reference
 * @sk: the socket that has sent it, with a reference
 * @info: its contents
 * @attrs: of @info
 * @extack: of @info
 * @question: its kind
 * @id: N_Port ID of the remote port
 * @timeout: milliseconds to wait
 * @size: bytes of ECHO
 * @usec: how long it took
 * @lesb: what RLS says
 */
struct fc2_nl_ask {
	struct work_struct	work;
	struct fc2_port		*port;
	struct sk_buff		*request;
	struct sock		*sk;
	struct genl_info	info;
	struct nlattr		*attrs[FC2_A_ASK_MAX + 1];
	struct netlink_ext_ack	extack;
	const struct fc2_nl_question *question;
	u32			id;
	u32			timeout;
	u32			size;
	u32			usec;
	struct fcoe_fc_els_lesb	lesb;
};

static int fc2_nl_read_ask(struct genl_info *info, struct fc2_nl_ask *ask)
{
	struct nlattr **attrs = info->attrs;

	ask->timeout = FC2_NL_TIMEOUT;
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
			const struct fc2_nl_ask *ask)
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
	    nla_put_u32(skb, FC2_A_ASK_ID, ask->id) || ask->question->put(skb, ask)) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return genlmsg_reply(skb, info);
}

static void fc2_nl_ask_free(struct fc2_nl_ask *ask)
{
	atomic_dec(&fc2_nl_asks);
	fc2_port_put(ask->port);
	sock_put(ask->sk);
	kfree_skb(ask->request);
	kfree(ask);
}

static void fc2_nl_ask_work(struct work_struct *work)
{
	struct fc2_nl_ask *ask = container_of(work, struct fc2_nl_ask, work);
	struct nlmsghdr *nlh = (struct nlmsghdr *)ask->info.nlhdr;
	int err = ask->question->send(&ask->info, ask->port, ask);

	if (err)
		err = fc2_nl_ask_error(&ask->info, ask->port, ask, err);
	else
		err = fc2_nl_reply(&ask->info, ask->port, ask);
	/* The skb may have gone on to the next request, where an attribute is looked for */
	ask->extack.bad_attr = NULL;
	if (err || nlh->nlmsg_flags & NLM_F_ACK)
		netlink_ack(ask->request, nlh, err, &ask->extack);
	fc2_nl_ask_free(ask);
}

/* What the work item needs of a request.  Return: 0, or -EBUSY or -ENOMEM. */
static int fc2_nl_ask_keep(struct fc2_nl_ask *ask, struct sk_buff *request,
			   const struct genl_info *info)
{
	if (atomic_inc_return(&fc2_nl_asks) > FC2_NL_ASKS_MAX) {
		atomic_dec(&fc2_nl_asks);
		NL_SET_ERR_MSG(info->extack, "too many questions wait for their answers");
		return -EBUSY;
	}
	ask->request = skb_get(request);
	ask->sk = NETLINK_CB(request).sk;
	sock_hold(ask->sk);
	memcpy(ask->attrs, info->attrs, ask->question->attrs * sizeof(ask->attrs[0]));
	ask->info = *info;
	ask->info.attrs = ask->attrs;
	ask->info.extack = &ask->extack;
	INIT_WORK(&ask->work, fc2_nl_ask_work);
	return 0;
}

/* Begin to ask.  Return: -EINTR: the work item acknowledges the request; or an error. */
static int fc2_nl_ask(struct sk_buff *request, struct genl_info *info,
		      const struct fc2_nl_question *question)
{
	struct fc2_nl_ask *ask;
	int err;

	if (!fc2_nl_admin(request, info))
		return -EPERM;
	ask = kzalloc(sizeof(*ask), GFP_KERNEL_ACCOUNT);
	if (!ask)
		return -ENOMEM;
	ask->question = question;
	err = fc2_nl_read_ask(info, ask);
	if (err)
		goto free;
	ask->port = fc2_nl_hold(info);
	err = PTR_ERR_OR_ZERO(ask->port);
	if (err)
		goto free;
	err = fc2_nl_ask_keep(ask, request, info);
	if (err) {
		fc2_port_put(ask->port);
		goto free;
	}
	queue_work(fc2_nl_wq, &ask->work);
	return -EINTR;
free:
	kfree(ask);
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
 * Return: -EINTR when the answer follows later, or another negative errno.
 */
int fc2_nl_echo_doit(struct sk_buff *skb, struct genl_info *info)
{
	static const struct fc2_nl_question question = {
		.attrs = FC2_A_ASK_SIZE + 1, .send = fc2_nl_send_echo, .put = fc2_nl_put_echo,
	};

	return fc2_nl_ask(skb, info, &question);
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
 * Return: -EINTR when the answer follows later, or another negative errno.
 */
int fc2_nl_link_errors_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	static const struct fc2_nl_question question = {
		.attrs = FC2_A_ASK_TIMEOUT + 1, .send = fc2_nl_send_rls, .put = fc2_nl_put_rls,
	};

	return fc2_nl_ask(skb, info, &question);
}

/**
 * fc2_nl_ask_begin - begin to be able to ask
 *
 * Return: 0 or -ENOMEM.
 */
int fc2_nl_ask_begin(void)
{
	fc2_nl_wq = alloc_workqueue("fc2_ask", WQ_UNBOUND, FC2_NL_ASKS_MAX);
	return fc2_nl_wq ? 0 : -ENOMEM;
}

/**
 * fc2_nl_ask_end - wait for all questions; no ports are left, and no requests come
 */
void fc2_nl_ask_end(void)
{
	destroy_workqueue(fc2_nl_wq);
}
