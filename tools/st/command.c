// SPDX-License-Identifier: GPL-2.0
/*
 * The command line of a tool whose commands show and change kinds of objects.
 */
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "command.h"

#define TESTED_KERNELS	"Linux 6.12, Linux 7.3"

struct options opt;

static const struct option long_options[] = {
	{ "json",	no_argument,		NULL, 'j' },
	{ "verbose",	no_argument,		NULL, 'v' },
	{ "count",	required_argument,	NULL, 'c' },
	{ "help",	no_argument,		NULL, 'h' },
	{ "version",	no_argument,		NULL, 'V' },
	{ 0 }
};

static void set_option(const struct tool *tool, int letter)
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
		tool->help();
		flush_output();
		exit(0);
	case 'V':
		printf("%s\nmodules tested with " TESTED_KERNELS "\n", tool->version);
		flush_output();
		exit(0);
	default:
		errx(EXIT_USAGE, USAGE_HINT);
	}
}

static int run_command(const struct tool *tool, char **args)
{
	const struct command *command;

	if (!args[0])
		return tool->none(args);
	for (command = tool->commands; command->word; command++)
		if (!strcmp(args[0], command->word))
			return command->run(args + 1);
	misused("'%s' is no command", args[0]);
}

/* Runs a tool: what main() does.  Returns the exit status. */
int run_tool(const struct tool *tool, int argc, char **argv)
{
	int letter, status;

	while ((letter = getopt_long(argc, argv, "jvc:hV", long_options, NULL)) != -1)
		set_option(tool, letter);
	status = run_command(tool, argv + optind);
	flush_output();
	return status;
}

/* Shows objects, and frees them. */
void show_msgs(const struct kind *kind, struct msgs *msgs)
{
	if (opt.json)
		json_array(kind->fields, msgs);
	else
		kind_table(kind, msgs, opt.verbose);
	nl_free(msgs);
}

/* Shows the object that the event @word is about. */
void show_object(const struct kind *kind, const char *word, const struct nlmsghdr *nlh)
{
	struct attrs a;

	parse(&a, nlh);
	if (opt.json) {
		json_object(kind->fields, &a, word);
		putchar('\n');
	} else {
		kind_event(kind, word, &a);
	}
}

/* Shows events of a family as they come.  Returns the exit status. */
int show_events(char **args, void (*open_family)(void), void (*show)(const struct nlmsghdr *nlh))
{
	const struct nlmsghdr *nlh;
	unsigned long i;

	if (args[0])
		misused("monitor takes no argument '%s'", args[0]);
	open_family();
	nl_join();
	if (opt.verbose)
		warnx("events are shown from now on");
	for (i = 0; !opt.count || i < opt.count; i++) {
		if (nl_event(&nlh))
			show(nlh);
		else
			puts(opt.json ? "{\"event\":\"lost\"}" : "lost");
		flush_output();
	}
	return 0;
}
