// SPDX-License-Identifier: GPL-2.0
/*
 * rio9ctl: commands that change or send something.
 */
#include <string.h>

#include "args.h"
#include "rio9ctl.h"

void open_rio9(void)
{
	nl_open(RIO9_FAMILY_NAME, "rio9");
}

static void put_mode(struct nlmsghdr *nlh, char **values)
{
	int mode = find_word(mode_names, values[0]);

	if (mode < 0 && (values[0][0] < '0' || values[0][0] > '9'))
		misused("tm-mode is '%s', not disabled, basic, rate, credit or credit-rate",
			values[0]);
	mnl_attr_put_u32(nlh, RIO9_A_PORT_TM_MODE,
			 mode < 0 ? number_from("tm-mode", values[0]) : (__u32)mode);
}

static void put_mtu(struct nlmsghdr *nlh, char **values)
{
	mnl_attr_put_u32(nlh, RIO9_A_PORT_MTU, number_from("mtu", values[0]));
}

static void put_queue(struct nlmsghdr *nlh, char **values)
{
	mnl_attr_put_u32(nlh, RIO9_A_PORT_QUEUE_MAX, number_from("queue-max", values[0]));
}

static void put_queues(struct nlmsghdr *nlh, char **values)
{
	mnl_attr_put_u32(nlh, RIO9_A_PORT_QUEUES_MAX, number_from("queues-max", values[0]));
}

static void put_obey(struct nlmsghdr *nlh, char **values)
{
	static const char *const words[] = { "off", "on", NULL };
	int value = find_word(words, values[0]);

	if (value < 0)
		misused("obey-any is '%s', but must be on or off", values[0]);
	mnl_attr_put_u8(nlh, RIO9_A_PORT_OBEY_ANY, value);
}

static void put_map(struct nlmsghdr *nlh, char **values)
{
	unsigned char map[4];
	unsigned int i;
	int channel;

	for (i = 0; i < sizeof(map); i++) {
		channel = find_word(channel_names, values[i]);
		if (channel < 0)
			misused("map has '%s', but a flow is A to F, another channel 6 to 15",
				values[i]);
		map[i] = channel;
	}
	mnl_attr_put(nlh, RIO9_A_PORT_MAP, sizeof(map), map);
}

/* Settings of a port, each a word and its values. */
static const struct {
	const char *name;
	unsigned int values;
	void (*put)(struct nlmsghdr *nlh, char **values);
} settings[] = {
	{ "mtu", 1, put_mtu },
	{ "tm-mode", 1, put_mode },
	{ "obey-any", 1, put_obey },
	{ "map", 4, put_map },
	{ "queue-max", 1, put_queue },
	{ "queues-max", 1, put_queues },
};

/* Puts a setting that is not among those given.  Returns the arguments behind it. */
static char **put_setting(struct nlmsghdr *nlh, char **args, unsigned int *given)
{
	unsigned int i, n;

	for (i = 0; i < MNL_ARRAY_SIZE(settings); i++)
		if (!strcmp(settings[i].name, args[0]))
			break;
	if (i == MNL_ARRAY_SIZE(settings))
		misused("'%s' is no setting; rio9ctl --help lists them", args[0]);
	only_once(given, i, args[0]);
	args++;
	for (n = 0; n < settings[i].values; n++)
		if (!args[n])
			misused("%s takes %u value%s, but has %u", settings[i].name,
				settings[i].values, settings[i].values == 1 ? "" : "s", n);
	settings[i].put(nlh, args);
	return args + n;
}

/* Changes settings of a port: DEV SETTING VALUE...  Returns the exit status. */
int set_port(char **args)
{
	unsigned int given = 0;
	struct request req;

	if (!args[0] || !args[1])
		misused("port set takes a device and settings");
	open_rio9();
	nl_request(&req, RIO9_CMD_PORT_SET, false);
	mnl_attr_put_u32(req.nlh, RIO9_A_PORT_IFINDEX, device_named(args[0]));
	args++;
	while (args[0])
		args = put_setting(req.nlh, args, &given);
	return nl_change(&req);
}

/* Adds or removes a peer: DEV ID.  Returns the exit status. */
int set_peer(const char *word, char **args)
{
	struct request req;

	if (!args[0] || !args[1] || args[2])
		misused("peer %s takes a device and an ID", word);
	open_rio9();
	nl_request(&req, strcmp(word, "add") ? RIO9_CMD_PEER_DEL : RIO9_CMD_PEER_ADD, false);
	mnl_attr_put_u32(req.nlh, RIO9_A_PEER_IFINDEX, device_named(args[0]));
	mnl_attr_put_u32(req.nlh, RIO9_A_PEER_ID, number_from("ID", args[1]));
	return nl_change(&req);
}

/* Sends a message of users: DEV PEER [FIELD VALUE]...  Returns the exit status. */
int send_message(char **args)
{
	static const char *const fields[] = {
		"stream", "cos", "op", "wildcard", "mask", "param1", "param2", NULL
	};
	unsigned int given = 0;
	struct request req;
	int field;

	if (!args[0] || !args[1])
		misused("message send takes a device and the ID of a peer");
	open_rio9();
	nl_request(&req, RIO9_CMD_MESSAGE_SEND, false);
	mnl_attr_put_u32(req.nlh, RIO9_A_MESSAGE_IFINDEX, device_named(args[0]));
	mnl_attr_put_u32(req.nlh, RIO9_A_MESSAGE_PEER, number_from("ID", args[1]));
	for (args += 2; args[0]; args += 2) {
		field = find_word(fields, args[0]);
		if (field < 0)
			misused("'%s' is no field of a message", args[0]);
		only_once(&given, field, args[0]);
		if (!args[1])
			misused("%s has no value", args[0]);
		mnl_attr_put_u32(req.nlh, RIO9_A_MESSAGE_STREAM + field,
				 number_from(args[0], args[1]));
	}
	return nl_change(&req);
}
