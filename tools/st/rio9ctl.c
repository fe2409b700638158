// SPDX-License-Identifier: GPL-2.0
/*
 * rio9ctl - show and set up ports of RapidIO Type 9
 *
 * Uses the generic netlink family "rio9" (Documentation/netlink/specs/rio9.yaml).
 */
#include <string.h>

#include "args.h"
#include "command.h"
#include "rio9ctl.h"

/* Shows what is on a device, or on all: [show] [DEV].  Returns the exit status. */
static int show_kind(const struct kind *kind, char **args)
{
	struct request req;
	struct msgs msgs;

	if (args[0] && !strcmp(args[0], "show"))
		args++;
	if (args[0] && args[1])
		misused("%s show takes no argument '%s'", kind->word, args[1]);
	open_rio9();
	nl_request(&req, kind->cmd, true);
	/* All sets have it first */
	if (args[0])
		mnl_attr_put_u32(req.nlh, RIO9_A_PORT_IFINDEX, device_named(args[0]));
	nl_ask(&req, &msgs);
	show_msgs(kind, &msgs);
	return 0;
}

static int do_port(char **args)
{
	if (args[0] && !strcmp(args[0], "set"))
		return set_port(args + 1);
	return show_kind(&port_kind, args);
}

static int do_peer(char **args)
{
	if (args[0] && (!strcmp(args[0], "add") || !strcmp(args[0], "del")))
		return set_peer(args[0], args + 1);
	return show_kind(&peer_kind, args);
}

static int do_context(char **args)
{
	return show_kind(&context_kind, args);
}

static int do_queue(char **args)
{
	return show_kind(&queue_kind, args);
}

static int do_tm(char **args)
{
	return show_kind(&state_kind, args);
}

static int do_stats(char **args)
{
	return show_kind(&stats_kind, args);
}

static int do_message(char **args)
{
	if (!args[0] || strcmp(args[0], "send"))
		misused("message takes the word send");
	return send_message(args + 1);
}

static void show_event(const struct nlmsghdr *nlh)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);

	/* A later kernel has more */
	if (genl->cmd == RIO9_CMD_MESSAGE_NTF)
		show_object(&message_kind, message_kind.word, nlh);
}

static int do_monitor(char **args)
{
	return show_events(args, open_rio9, show_event);
}

static void print_help(void)
{
	puts("usage: rio9ctl [OPTIONS] port | peer | context | queue | tm | stats [show] [DEV]\n"
	     "       rio9ctl port set DEV [mtu N] [tm-mode MODE] [obey-any on | off]\n"
	     "               [map FLOW FLOW FLOW FLOW] [queue-max N] [queues-max N]\n"
	     "       rio9ctl peer add | del DEV ID\n"
	     "       rio9ctl message send DEV PEER [stream N] [cos N] [op N] [wildcard N]\n"
	     "               [mask N] [param1 N] [param2 N]\n"
	     "       rio9ctl monitor\n"
	     "Show and set up the ports of RapidIO Type 9 of this network namespace.\n"
	     "\n"
	     "  port      ports and their settings\n"
	     "  peer      endpoints that a port knows\n"
	     "  context   PDUs that are being received\n"
	     "  queue     PDUs that wait, to be sent or for the stack\n"
	     "  tm        what traffic management remembers of queues\n"
	     "  stats     counters\n"
	     "  message   traffic management messages that users have defined\n"
	     "  monitor   such messages as they come\n"
	     "\n"
	     "  -j, --json      JSON\n"
	     "  -v, --verbose   more details\n"
	     "  -c, --count=N   end after N events (monitor)\n"
	     "  -h, --help      show this help\n"
	     "  -V, --version   show the version\n"
	     "\n"
	     "Numbers are decimal, or hexadecimal with 0x in front.\n"
	     "Exit status: 0 success, 1 refused by the kernel or no rio9 in it, 2 wrong usage.");
}

static int nothing(char **args)
{
	(void)args;
	misused("missing argument: what to show");
}

static const struct command commands[] = {
	{ "port", do_port },
	{ "peer", do_peer },
	{ "context", do_context },
	{ "queue", do_queue },
	{ "tm", do_tm },
	{ "stats", do_stats },
	{ "message", do_message },
	{ "monitor", do_monitor },
	{ 0 }
};

int main(int argc, char **argv)
{
	static const struct tool rio9ctl = {
		.version	= "rio9ctl 1.0",
		.help		= print_help,
		.commands	= commands,
		.none		= nothing,
	};

	return run_tool(&rio9ctl, argc, argv);
}
