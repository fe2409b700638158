// SPDX-License-Identifier: GPL-2.0
/*
 * hippictl - show ports of HIPPI-FP
 *
 * Uses the generic netlink family "hippi" (Documentation/netlink/specs/hippi.yaml).
 */
#include <string.h>

#include "args.h"
#include "command.h"
#include "hippictl.h"

static void open_hippi(void)
{
	nl_open(HIPPI_FAMILY_NAME, "hippi_fp");
}

/* Shows a port, or all: [PORT].  Returns the exit status. */
static int show_kind(const struct kind *kind, char **args)
{
	struct request req;
	struct msgs msgs;

	if (args[0] && args[1])
		misused("%s takes no argument '%s'", kind->word, args[1]);
	open_hippi();
	nl_request(&req, kind->cmd, true);
	if (args[0])
		mnl_attr_put_u32(req.nlh, HIPPI_A_PORT_IFINDEX, device_named(args[0]));
	nl_ask(&req, &msgs);
	show_msgs(kind, &msgs);
	return 0;
}

static int show_ports(char **args)
{
	return show_kind(&port_kind, args);
}

static int show_counters(char **args)
{
	return show_kind(&counters_kind, args);
}

static void show_event(const struct nlmsghdr *nlh)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);
	const char *word;

	switch (genl->cmd) {
	case HIPPI_CMD_PORT_ADD_NTF:
		word = "port-new";
		break;
	case HIPPI_CMD_PORT_DEL_NTF:
		word = "port-gone";
		break;
	case HIPPI_CMD_PORT_CHANGE_NTF:
		word = "port-change";
		break;
	default:
		/* A later kernel has more */
		return;
	}
	show_object(&port_kind, word, nlh);
}

static int do_monitor(char **args)
{
	return show_events(args, open_hippi, show_event);
}

static void print_help(void)
{
	puts("usage: hippictl [OPTIONS] show | counters [PORT]\n"
	     "       hippictl [OPTIONS] monitor\n"
	     "Show the ports of HIPPI-FP of this network namespace.\n"
	     "\n"
	     "  show       ports\n"
	     "  counters   counters of ports\n"
	     "  monitor    ports that come, go or change\n"
	     "\n"
	     "  -j, --json      JSON\n"
	     "  -v, --verbose   say when events are received (monitor)\n"
	     "  -c, --count=N   end after N events (monitor)\n"
	     "  -h, --help      show this help\n"
	     "  -V, --version   show the version\n"
	     "\n"
	     "Ports are made with ip link add PORT link DEV type hippi_fp.\n"
	     "Exit status: 0 success, 1 refused by the kernel or no hippi_fp in it, 2 wrong usage.");
}

static int nothing(char **args)
{
	(void)args;
	misused("missing argument: what to show");
}

static const struct command commands[] = {
	{ "show", show_ports },
	{ "counters", show_counters },
	{ "monitor", do_monitor },
	{ 0 }
};

int main(int argc, char **argv)
{
	static const struct tool hippictl = {
		.version	= "hippictl 1.0",
		.help		= print_help,
		.commands	= commands,
		.none		= nothing,
	};

	return run_tool(&hippictl, argc, argv);
}
