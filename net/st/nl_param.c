// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: the parameters of sysctl.c.
 */
#include "genl.h"
#include "netlink.h"

static int st_nl_put_param(struct sk_buff *skb, const struct st_param *param)
{
	return nla_put_string(skb, ST_A_PARAM_NAME, param->name) ||
	       nla_put_uint(skb, ST_A_PARAM_VALUE, param->value) ||
	       nla_put_uint(skb, ST_A_PARAM_MIN_VALUE, param->min) ||
	       nla_put_uint(skb, ST_A_PARAM_MAX_VALUE, param->max) ? -EMSGSIZE : 0;
}

/* The parameter that a request names.  Return: its number or a negative errno. */
static int st_nl_param_find(struct genl_info *info, struct st_param *param)
{
	const struct nlattr *name = info->attrs[ST_A_PARAM_NAME];
	struct st_net *sn = st_pernet(genl_info_net(info));
	unsigned int i;

	if (GENL_REQ_ATTR_CHECK(info, ST_A_PARAM_NAME))
		return -EINVAL;
	for (i = 0; st_param_get(sn, i, param); i++)
		if (!nla_strcmp(name, param->name))
			return i;
	NL_SET_ERR_MSG_ATTR(info->extack, name, "there is no such parameter");
	return -ENOENT;
}

/**
 * st_nl_param_get_doit - ST_CMD_PARAM_GET of one parameter
 * @skb: the request
 * @info: what is in it
 *
 * Return: 0 or a negative errno.
 */
int st_nl_param_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct st_param param;
	struct sk_buff *answer;
	void *hdr;
	int i;

	i = st_nl_param_find(info, &param);
	if (i < 0)
		return i;
	answer = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!answer)
		return -ENOMEM;
	hdr = genlmsg_iput(answer, info);
	if (!hdr || st_nl_put_param(answer, &param)) {
		nlmsg_free(answer);
		return -EMSGSIZE;
	}
	genlmsg_end(answer, hdr);
	return genlmsg_reply(answer, info);
}

/**
 * st_nl_param_get_dumpit - ST_CMD_PARAM_GET of all parameters
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int st_nl_param_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct genl_info *info = genl_info_dump(cb);
	struct st_net *sn = st_pernet(genl_info_net(info));
	struct st_nl_pos *pos = st_nl_pos(cb);
	struct st_param param;
	void *hdr;

	for (; st_param_get(sn, pos->after, &param); pos->after++) {
		hdr = __genlmsg_iput(skb, info, NLM_F_MULTI);
		if (!hdr || st_nl_put_param(skb, &param)) {
			genlmsg_cancel(skb, hdr);
			return -EMSGSIZE;
		}
		genlmsg_end(skb, hdr);
	}
	return 0;
}

/**
 * st_nl_param_set_doit - ST_CMD_PARAM_SET
 * @skb: the request
 * @info: what is in it
 *
 * Who may write the sysctl may do this: the administrator of the namespace, not
 * only that of the machine, hence no GENL_ADMIN_PERM.
 *
 * Return: 0 or a negative errno.
 */
int st_nl_param_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct net *net = genl_info_net(info);
	const struct nlattr *attr;
	struct st_param param;
	u64 value;
	int i;

	if (!netlink_net_capable(skb, CAP_NET_ADMIN))
		return -EPERM;
	i = st_nl_param_find(info, &param);
	if (i < 0)
		return i;
	if (GENL_REQ_ATTR_CHECK(info, ST_A_PARAM_VALUE))
		return -EINVAL;
	attr = info->attrs[ST_A_PARAM_VALUE];
	value = nla_get_uint(attr);
	if (value < param.min || value > param.max) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr, "%s is %llu to %llu, not %llu",
					param.name, param.min, param.max, value);
		return -ERANGE;
	}
	st_param_set(net, i, value);
	return 0;
}

/**
 * st_nl_param_event - tell that a parameter has another value
 * @net: the namespace
 * @param: the parameter
 *
 * Context: may sleep.
 */
void st_nl_param_event(struct net *net, const struct st_param *param)
{
	struct sk_buff *skb;
	void *hdr;

	skb = st_nl_event_new(net, ST_CMD_PARAM_CHANGE_NTF, GFP_KERNEL, &hdr);
	if (skb)
		st_nl_event_send(net, skb, hdr, st_nl_put_param(skb, param), GFP_KERNEL);
}
