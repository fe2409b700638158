// SPDX-License-Identifier: GPL-2.0
/*
 * fcport - make, show and use ports of Fibre Channel
 *
 * Uses the generic netlink family "fc2" (Documentation/netlink/specs/fc2.yaml), for endpoints of
 * FC-VI "fcvi".
 */
#include <string.h>

#include "args.h"
#include "command.h"
#include "fcport.h"

/* Asks, and shows the answer.  Returns the exit status. */
static int show_answer(const struct kind *kind, struct request *req)
{
	struct msgs msgs;

	nl_ask(req, &msgs);
	show_msgs(kind, &msgs);
	return 0;
}

/* Shows what is on a port, or on all: [PORT].  Returns the exit status. */
static int show_of(const struct kind *kind, void (*open_family)(void), char **args)
{
	struct request req;

	if (args[0] && args[1])
		misused("one port, or none for all; what is '%s'?", args[1]);
	open_family();
	nl_request(&req, kind->cmd, true);
	if (args[0])
		put_port(req.nlh, args[0]);
	return show_answer(kind, &req);
}

static int show_kind(const struct kind *kind, char **args)
{
	return show_of(kind, open_fc2, args);
}

static int show_vis(char **args)
{
	return show_of(&vi_kind, open_fcvi, args);
}

static int show_vi_counters(char **args)
{
	return show_of(&vi_counters_kind, open_fcvi, args);
}

static int show_ports(char **args)
{
	return show_kind(&port_kind, args);
}

static int show_counters(char **args)
{
	return show_kind(&counters_kind, args);
}

static int show_neighbours(char **args)
{
	return show_kind(&neighbour_kind, args);
}

static int show_remote(char **args)
{
	return show_kind(&remote_kind, args);
}

/* Shows the Link Error Status Block of a remote port: PORT REMOTE. */
static int show_errors(char **args)
{
	struct request req;

	if (!args[0] || !args[1] || args[2])
		misused("errors takes a port, and the N_Port ID or Port_Name of a remote port");
	ask_remote(&req, errors_kind.cmd, args);
	return show_answer(&errors_kind, &req);
}

static int show_farp(char **args)
{
	return show_kind(&farp_kind, args);
}

static int show_switches(char **args)
{
	return show_kind(&fcf_kind, args);
}

static int show_ip(char **args)
{
	struct msgs msgs;

	find_ip(args, &msgs);
	show_msgs(&farp_kind, &msgs);
	return 0;
}

static int do_ping(char **args)
{
	return send_echo(args, opt.count, opt.json);
}

static void show_event(const struct nlmsghdr *nlh)
{
	static const struct {
		__u8 cmd;
		const char *word;
		const struct kind *kind;
	} events[] = {
		{ FC2_CMD_PORT_ADD_NTF, "port-new", &port_kind },
		{ FC2_CMD_PORT_DEL_NTF, "port-gone", &port_kind },
		{ FC2_CMD_PORT_CHANGE_NTF, "port-change", &port_kind },
		{ FC2_CMD_NEIGHBOUR_NEW_NTF, "neighbour-new", &neighbour_kind },
		{ FC2_CMD_NEIGHBOUR_GONE_NTF, "neighbour-gone", &neighbour_kind },
		{ FC2_CMD_LOGIN_NTF, "login", &remote_kind },
		{ FC2_CMD_LOGOUT_NTF, "logout", &remote_kind },
	};
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);
	size_t i;

	/* A later kernel has more */
	for (i = 0; i < MNL_ARRAY_SIZE(events); i++)
		if (events[i].cmd == genl->cmd)
			show_object(events[i].kind, events[i].word, nlh);
}

static int do_monitor(char **args)
{
	return show_events(args, open_fc2, show_event);
}

static void print_help(void)
{
	puts("usage: fcport create DEV [wwpn NAME] [wwnn NAME] [mode MODE] [SETTING...]\n"
	     "       fcport set PORT SETTING...\n"
	     "       fcport delete PORT\n"
	     "       fcport [OPTIONS] show | counters | neighbours | remote | switches |\n"
	     "              farp | vis | vi-counters [PORT]\n"
	     "       fcport login | logout PORT REMOTE\n"
	     "       fcport [OPTIONS] ping PORT REMOTE [size N] [interval MS] [timeout MS]\n"
	     "       fcport [OPTIONS] errors PORT REMOTE\n"
	     "       fcport [OPTIONS] resolve PORT IP\n"
	     "       fcport [OPTIONS] monitor\n"
	     "Make, show and use the ports of Fibre Channel of this network namespace.\n"
	     "\n"
	     "  create      make a port on an Ethernet device\n"
	     "  set         change settings\n"
	     "  delete      delete a port\n"
	     "  show        ports\n"
	     "  counters    their counters\n"
	     "  neighbours  other ports on the Ethernet\n"
	     "  remote      those that ports log in with, and how far that is\n"
	     "  switches    switches for Fibre Channel, of ports in fabric mode\n"
	     "  login       log in, anew if need be\n"
	     "  logout      log out, until login\n"
	     "  ping        send ECHO until stopped, and measure the time to the answer\n"
	     "  errors      errors of the link that a remote port has counted, by RLS\n"
	     "  farp        IP addresses that FARP has asked for\n"
	     "  vis         endpoints (VIs) of FC-VI\n"
	     "  vi-counters counters of FC-VI\n"
	     "  resolve     find the port that has an IP address, by FARP\n"
	     "  monitor     what happens to ports, as it comes\n"
	     "\n"
	     "PORT is DEV, or DEV/NAME for one of several ports of a device.  SETTING is one of\n"
	     "  r-a-tov MS, e-d-tov MS   R_A_TOV and E_D_TOV in milliseconds\n"
	     "  order in | out           whether the path keeps the order of frames\n"
	     "MODE is vn2vn, without a switch for Fibre Channel, or fabric.\n"
	     "NAME is as 20:00:00:11:22:33:44:55, REMOTE an N_Port ID as 0x00abcd, or a NAME.\n"
	     "\n"
	     "  -j, --json      JSON\n"
	     "  -v, --verbose   more details\n"
	     "  -c, --count=N   end after N events (monitor) or ECHOs (ping)\n"
	     "  -h, --help      show this help\n"
	     "  -V, --version   show the version\n"
	     "\n"
	     "Exit status: 0 success, 1 refused by the kernel or no fc2 in it, 2 wrong usage.");
}

static const struct command commands[] = {
	{ "create", create_port },
	{ "set", set_port },
	{ "delete", delete_port },
	{ "show", show_ports },
	{ "counters", show_counters },
	{ "neighbours", show_neighbours },
	{ "remote", show_remote },
	{ "switches", show_switches },
	{ "login", log_in },
	{ "logout", log_out },
	{ "ping", do_ping },
	{ "errors", show_errors },
	{ "farp", show_farp },
	{ "vis", show_vis },
	{ "vi-counters", show_vi_counters },
	{ "resolve", show_ip },
	{ "monitor", do_monitor },
	{ 0 }
};

int main(int argc, char **argv)
{
	static const struct tool fcport = {
		.version	= "fcport 1.0",
		.help		= print_help,
		.commands	= commands,
		.none		= show_ports,
	};

	return run_tool(&fcport, argc, argv);
}
