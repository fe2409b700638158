/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The command line of a tool whose commands show and change kinds of objects.
 */
#ifndef TOOLS_ST_COMMAND_H
#define TOOLS_ST_COMMAND_H

#include <stdbool.h>

#include "kind.h"

/**
 * struct options - what the options say
 * @json: JSON instead of a table
 * @verbose: show more
 * @count: end after as many events, or the like; 0: no limit
 */
struct options {
	bool		json;
	bool		verbose;
	unsigned long	count;
};

extern struct options opt;

/**
 * struct command - a command
 * @word: its name
 * @run: runs it with the arguments behind its name, and returns the exit status
 */
struct command {
	const char	*word;
	int (*run)(char **args);
};

/**
 * struct tool - a tool
 * @version: its name and version
 * @help: prints how it is used
 * @commands: its commands; ends with one without a name
 * @none: runs without a command
 */
struct tool {
	const char		*version;
	void (*help)(void);
	const struct command	*commands;
	int (*none)(char **args);
};

int run_tool(const struct tool *tool, int argc, char **argv);
void show_msgs(const struct kind *kind, struct msgs *msgs);
void show_object(const struct kind *kind, const char *word, const struct nlmsghdr *nlh);
int show_events(char **args, void (*open_family)(void), void (*show)(const struct nlmsghdr *nlh));

#endif
