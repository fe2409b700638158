// SPDX-License-Identifier: GPL-2.0
/*
 * rio9ctl - show and set up ports of RapidIO Type 9
 *
 * Uses the generic netlink family "rio9" (Documentation/netlink/specs/rio9.yaml).
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "rio9ctl.h"

#define RIO9CTL_VERSION	"1.0"
#define TESTED_KERNELS	"Linux 6.12, Linux 7.3"

static struct options {
	bool		json;
	bool		verbose;
	unsigned long	count;		/* events; 0: no limit */
} opt;

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
	if (opt.json)
		json_array(kind->fields, &msgs);
	else
		kind_table(kind, &msgs, opt.verbose);
	nl_free(&msgs);
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
	struct attrs a;

	if (genl->cmd != RIO9_CMD_MESSAGE_NTF)
		return;		/* of a later kernel */
	parse(&a, nlh);
	if (opt.json) {
		json_object(message_kind.fields, &a, message_kind.word);
		putchar('\n');
	} else {
		kind_event(&message_kind, message_kind.word, &a);
	}
}

static int do_monitor(char **args)
{
	const struct nlmsghdr *nlh;
	unsigned long i;

	if (args[0])
		misused("monitor takes no argument '%s'", args[0]);
	open_rio9();
	nl_join();
	if (opt.verbose)
		warnx("events are shown from now on");
	for (i = 0; !opt.count || i < opt.count; i++) {
		if (nl_event(&nlh))
			show_event(nlh);
		else
			puts(opt.json ? "{\"event\":\"lost\"}" : "lost");
		flush_output();
	}
	return 0;
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

static const struct option long_options[] = {
	{ "json",	no_argument,		NULL, 'j' },
	{ "verbose",	no_argument,		NULL, 'v' },
	{ "count",	required_argument,	NULL, 'c' },
	{ "help",	no_argument,		NULL, 'h' },
	{ "version",	no_argument,		NULL, 'V' },
	{ 0 }
};

static void set_option(int letter)
{
	switch (letter) {
	case 'j':
		opt.json = true;
		break;
	case 'v':
		opt.verbose = true;
		break;
	case 'c':
		opt.count = parse_number("count", optarg, 1, UINT32_MAX);
		break;
	case 'h':
		print_help();
		flush_output();
		exit(0);
	case 'V':
		puts("rio9ctl " RIO9CTL_VERSION "\nmodules tested with " TESTED_KERNELS);
		flush_output();
		exit(0);
	default:
		errx(EXIT_USAGE, USAGE_HINT);
	}
}

static int run(char **args)
{
	static const struct {
		const char *word;
		int (*run)(char **args);
	} commands[] = {
		{ "port", do_port },
		{ "peer", do_peer },
		{ "context", do_context },
		{ "queue", do_queue },
		{ "tm", do_tm },
		{ "stats", do_stats },
		{ "message", do_message },
		{ "monitor", do_monitor },
	};
	size_t i;

	if (!args[0])
		misused("missing argument: what to show");
	for (i = 0; i < MNL_ARRAY_SIZE(commands); i++)
		if (!strcmp(args[0], commands[i].word))
			return commands[i].run(args + 1);
	misused("'%s' is no command", args[0]);
}

int main(int argc, char **argv)
{
	int letter, status;

	while ((letter = getopt_long(argc, argv, "jvc:hV", long_options, NULL)) != -1)
		set_option(letter);
	status = run(argv + optind);
	flush_output();
	return status;
}
