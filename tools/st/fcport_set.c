// SPDX-License-Identifier: GPL-2.0
/*
 * fcport: names, and commands that change something.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "fcport.h"

void open_fc2(void)
{
	nl_open(FC2_FAMILY_NAME, "fc2");
}

/* Parses a name such as 20:00:00:11:22:33:44:55. */
static __u64 wwn_from(const char *what, const char *text)
{
	const char *at = text;
	__u64 name = 0;
	char *end;
	int i;

	for (i = 0; i < 8; i++) {
		name = name << 8 | strtoul(at, &end, 16);
		if (end != at + 2 || strchr("+-x ", at[0]) || strchr("+-xX", at[1]) ||
		    *end != (i < 7 ? ':' : '\0'))
			misused("%s is '%s', but must be as 20:00:00:11:22:33:44:55", what, text);
		at = end + 1;
	}
	return name;
}

/* Names a port: DEV or DEV/WWPN. */
void put_port(struct nlmsghdr *nlh, const char *name)
{
	const char *slash = strchr(name, '/');
	char *dev = slash ? strndup(name, slash - name) : strdup(name);

	if (!dev)
		err(EXIT_KERNEL, NULL);
	mnl_attr_put_u32(nlh, FC2_A_PORT_IFINDEX, device_named(dev));
	if (slash)
		mnl_attr_put_u64(nlh, FC2_A_PORT_WWPN, wwn_from("wwpn", slash + 1));
	free(dev);
}

static void put_wwpn(struct nlmsghdr *nlh, const char *value)
{
	mnl_attr_put_u64(nlh, FC2_A_PORT_WWPN, wwn_from("wwpn", value));
}

static void put_wwnn(struct nlmsghdr *nlh, const char *value)
{
	mnl_attr_put_u64(nlh, FC2_A_PORT_WWNN, wwn_from("wwnn", value));
}

static void put_mode(struct nlmsghdr *nlh, const char *value)
{
	int mode = find_word(mode_names, value);

	if (mode < 0)
		misused("mode is '%s', but must be vn2vn or fabric", value);
	mnl_attr_put_u32(nlh, FC2_A_PORT_MODE, mode);
}

static void put_r_a_tov(struct nlmsghdr *nlh, const char *value)
{
	mnl_attr_put_u32(nlh, FC2_A_PORT_R_A_TOV, number_from("r-a-tov", value));
}

static void put_e_d_tov(struct nlmsghdr *nlh, const char *value)
{
	mnl_attr_put_u32(nlh, FC2_A_PORT_E_D_TOV, number_from("e-d-tov", value));
}

static void put_order(struct nlmsghdr *nlh, const char *value)
{
	static const char *const words[] = { "out", "in", NULL };
	int ordered = find_word(words, value);

	if (ordered < 0)
		misused("order is '%s', but must be in or out", value);
	mnl_attr_put_u8(nlh, FC2_A_PORT_ORDERED, ordered);
}

static const struct setting port_settings[] = {
	{ "wwpn", put_wwpn, true },
	{ "wwnn", put_wwnn, true },
	{ "mode", put_mode, true },
	{ "r-a-tov", put_r_a_tov, false },
	{ "e-d-tov", put_e_d_tov, false },
	{ "order", put_order, false },
	{ 0 }
};

/* Puts settings, each a word and a value; none that are fixed if the port is @running. */
void put_settings(struct nlmsghdr *nlh, char **args, const struct setting *settings, bool running)
{
	unsigned int given = 0, i;

	for (; args[0]; args += 2) {
		for (i = 0; settings[i].name; i++)
			if (!strcmp(settings[i].name, args[0]))
				break;
		if (!settings[i].name)
			misused("'%s' is no setting; fcport --help lists them", args[0]);
		if (running && settings[i].fixed)
			misused("%s cannot change: delete the port and create it anew", args[0]);
		only_once(&given, i, args[0]);
		if (!args[1])
			misused("%s has no value", args[0]);
		settings[i].put(nlh, args[1]);
	}
}

/* The N_Port ID of a remote port that a port knows by its Port_Name. */
static __u32 find_remote(char **args)
{
	__u64 name = wwn_from("the remote port", args[1]);
	struct request req;
	struct msgs msgs;
	struct attrs a;
	__u32 id = 0;
	size_t i;

	nl_request(&req, FC2_CMD_REMOTE_GET, true);
	put_port(req.nlh, args[0]);
	nl_ask(&req, &msgs);
	for (i = 0; i < msgs.n; i++) {
		parse(&a, msgs.msg[i]);
		if (number_of(a.tb[FC2_A_REMOTE_REMOTE_WWPN]) == name)
			id = number_of(a.tb[FC2_A_REMOTE_ID]);
	}
	nl_free(&msgs);
	if (!id)
		errx(EXIT_KERNEL, "%s knows no remote port %s: fcport remote lists them", args[0],
		     args[1]);
	return id;
}

/* Starts a request about a remote port: PORT REMOTE, which is an N_Port ID or a Port_Name. */
void ask_remote(struct request *req, __u8 cmd, char **args)
{
	__u32 id;

	open_fc2();
	id = strchr(args[1], ':') ? find_remote(args) : number_from("N_Port ID", args[1]);
	nl_request(req, cmd, false);
	put_port(req->nlh, args[0]);
	mnl_attr_put_u32(req->nlh, FC2_A_REMOTE_ID, id);
}

/* Makes a port: DEV [SETTING VALUE]...  Returns the exit status. */
int create_port(char **args)
{
	struct request req;

	if (!args[0])
		misused("create takes a device and settings");
	if (strchr(args[0], '/'))
		misused("create takes a device, '%s' is a port: give its name with wwpn", args[0]);
	open_fc2();
	nl_request(&req, FC2_CMD_PORT_ADD, false);
	put_port(req.nlh, args[0]);
	put_settings(req.nlh, args + 1, port_settings, false);
	return nl_change(&req);
}

/* Deletes a port: PORT.  Returns the exit status. */
int delete_port(char **args)
{
	struct request req;

	if (!args[0] || args[1])
		misused("delete takes a port");
	open_fc2();
	nl_request(&req, FC2_CMD_PORT_DEL, false);
	put_port(req.nlh, args[0]);
	return nl_change(&req);
}

/* Changes settings of a port: PORT SETTING VALUE...  Returns the exit status. */
int set_port(char **args)
{
	struct request req;

	if (!args[0] || !args[1])
		misused("set takes a port and settings");
	open_fc2();
	nl_request(&req, FC2_CMD_PORT_SET, false);
	put_port(req.nlh, args[0]);
	put_settings(req.nlh, args + 1, port_settings, true);
	return nl_change(&req);
}

static int log_remote(const char *word, __u8 cmd, char **args)
{
	struct request req;

	if (!args[0] || !args[1] || args[2])
		misused("%s takes a port, and the N_Port ID or Port_Name of a remote port", word);
	ask_remote(&req, cmd, args);
	return nl_change(&req);
}

/* Logs in with a remote port: PORT REMOTE.  Returns the exit status. */
int log_in(char **args)
{
	return log_remote("login", FC2_CMD_LOGIN, args);
}

/* Logs out: PORT REMOTE.  Returns the exit status. */
int log_out(char **args)
{
	return log_remote("logout", FC2_CMD_LOGOUT, args);
}
