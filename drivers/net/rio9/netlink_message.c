// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: traffic management messages that users have defined.
 */
#include <linux/netdevice.h>

#include "genl.h"
#include "netlink.h"
#include "netlink_message.h"
#include "tm.h"
#include "tm_q.h"

/**
 * rio9_nl_put_message - add the attributes of a message of users
 * @skb: the netlink message
 * @dev: device of the port that it came to
 * @msg: the message of users
 *
 * Context: any.
 * Return: 0 or -EMSGSIZE.
 */
int rio9_nl_put_message(struct sk_buff *skb, const struct net_device *dev,
			const struct rio9_tm_user *msg)
{
	return nla_put_u32(skb, RIO9_A_MESSAGE_IFINDEX, dev->ifindex) ||
	       nla_put_u32(skb, RIO9_A_MESSAGE_PEER, msg->peer) ||
	       nla_put_u32(skb, RIO9_A_MESSAGE_STREAM, msg->stream) ||
	       nla_put_u32(skb, RIO9_A_MESSAGE_COS, msg->cos) ||
	       nla_put_u32(skb, RIO9_A_MESSAGE_OP, msg->op) ||
	       nla_put_u32(skb, RIO9_A_MESSAGE_WILDCARD, msg->wildcard) ||
	       nla_put_u32(skb, RIO9_A_MESSAGE_MASK, msg->mask) ||
	       nla_put_u32(skb, RIO9_A_MESSAGE_PARAM1, msg->param1) ||
	       nla_put_u32(skb, RIO9_A_MESSAGE_PARAM2, msg->param2) ? -EMSGSIZE : 0;
}

/* The value of a field, 0 if the request does not have it, or an error if it does not fit */
static int rio9_nl_field(struct genl_info *info, int attr, const char *name, u32 max)
{
	u32 value;

	if (!info->attrs[attr])
		return 0;
	value = nla_get_u32(info->attrs[attr]);
	if (value <= max)
		return value;
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[attr],
				"%s: found %u, expected 0 to %u", name, value, max);
	return -EINVAL;
}

static int rio9_nl_read_message(struct genl_info *info, struct rio9_tm_user *msg)
{
	static const struct {
		int attr;
		const char *name;
		u32 max;
	} fields[] = {
		{ RIO9_A_MESSAGE_PEER, "peer", U16_MAX },
		{ RIO9_A_MESSAGE_STREAM, "stream", U16_MAX },
		{ RIO9_A_MESSAGE_COS, "cos", U8_MAX },
		{ RIO9_A_MESSAGE_OP, "op", RIO9_TM_OP_APP },
		{ RIO9_A_MESSAGE_WILDCARD, "wildcard", 7 },
		{ RIO9_A_MESSAGE_MASK, "mask", U8_MAX },
		{ RIO9_A_MESSAGE_PARAM1, "param1", U8_MAX },
		{ RIO9_A_MESSAGE_PARAM2, "param2", U8_MAX },
	};
	int value[ARRAY_SIZE(fields)];
	unsigned int i;

	if (GENL_REQ_ATTR_CHECK(info, RIO9_A_MESSAGE_PEER))
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		value[i] = rio9_nl_field(info, fields[i].attr, fields[i].name, fields[i].max);
		if (value[i] < 0)
			return value[i];
	}
	*msg = (struct rio9_tm_user) {
		.peer = value[0], .stream = value[1], .cos = value[2], .op = value[3],
		.wildcard = value[4], .mask = value[5], .param1 = value[6], .param2 = value[7],
	};
	if (rio9_tm_operand_valid(msg->wildcard, msg->mask))
		return 0;
	NL_SET_ERR_MSG_FMT(info->extack,
			   "found wildcard %u and mask %u, expected an operand of table 4-3",
			   msg->wildcard, msg->mask);
	return -EINVAL;
}

static int rio9_nl_send_message(struct genl_info *info, struct net_device *dev)
{
	struct rio9_tm_user msg;
	int err = rio9_nl_read_message(info, &msg);

	if (err)
		return err;
	err = rio9_tm_send(rio9_netdev_port(dev), msg.peer, &msg);
	switch (err) {
	case -EINVAL:
		NL_SET_ERR_MSG_FMT(info->extack,
				   "op %u: found parameters %u, %u, expected 0, 1 to 254, or op 3",
				   msg.op, msg.param1, msg.param2);
		break;
	case -EOPNOTSUPP:
		NL_SET_ERR_MSG_FMT(info->extack, "the TM mode of the port has no TM OP %u", msg.op);
		break;
	case -ENETDOWN:
		NL_SET_ERR_MSG_FMT(info->extack, "%s is down", dev->name);
		break;
	case -EHOSTUNREACH:
		NL_SET_ERR_MSG_FMT(info->extack, "the port knows no peer %u", msg.peer);
		break;
	case -ENOBUFS:
		NL_SET_ERR_MSG_FMT(info->extack, "too many messages to %u wait", msg.peer);
		break;
	}
	return err;
}

/**
 * rio9_nl_message_send_doit - RIO9_CMD_MESSAGE_SEND
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int rio9_nl_message_send_doit(struct sk_buff *skb, struct genl_info *info)
{
	return rio9_nl_change(skb, info, rio9_nl_send_message);
}
