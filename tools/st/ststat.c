// SPDX-License-Identifier: GPL-2.0
/*
 * ststat - show what Scheduled Transfer sockets do, and set their parameters
 *
 * Talks to the generic netlink family "st" (Documentation/netlink/specs/st.yaml).
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <net/if.h>

#include "args.h"
#include "ststat.h"

#define STSTAT_VERSION	"1.0"

static struct options {
	bool		json;
	bool		verbose;
	bool		has_port;
	__u16	port;
	__u32	ifindex;	/* 0: any */
	unsigned long	count;		/* events; 0: no limit */
} opt;

/**
 * struct kind - something that is shown as a table of one line each
 * @word: argument that selects it
 * @cmd: request
 * @port_attr: filter by Port, or 0
 * @ifindex_attr: filter by device, or 0
 * @fields: attributes
 * @titles: of the columns
 * @columns: how many
 * @row: adds the cells of one to the table
 * @more: adds what --verbose shows, or NULL
 */
struct kind {
	const char		*word;
	__u8			cmd;
	__u16		port_attr;
	__u16		ifindex_attr;
	const struct field	*fields;
	const char *const	*titles;
	unsigned int		columns;
	void (*row)(struct table *t, const struct attrs *a);
	void (*more)(struct table *t, const struct attrs *a);
};

#define TITLES(...)							\
	.titles = (const char *const[]){ __VA_ARGS__ },			\
	.columns = sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *)

static const char *text_of(const struct nlattr *attr)
{
	return attr ? mnl_attr_get_str(attr) : "-";
}

/* A number as text; "-" where it is not there. */
static const char *number_or_dash(const struct nlattr *attr, char *text, size_t size)
{
	if (!attr)
		return "-";
	snprintf(text, size, "%llu", number_of(attr));
	return text;
}

static const char *bytes_or_dash(const struct nlattr *attr, char *text, size_t size)
{
	return attr ? bytes_of(number_of(attr), text, size) : "-";
}

/* The name of a device, or its number when it is gone. */
static const char *device_of(const struct nlattr *attr, char name[IF_NAMESIZE])
{
	if (!attr)
		return "*";
	if (!if_indextoname(number_of(attr), name))
		snprintf(name, IF_NAMESIZE, "%llu", number_of(attr));
	return name;
}

/* Largest STUs by channel, such as 1:128K,3:1M. */
static void channels_of(const struct nlmsghdr *nlh, char *text, size_t size)
{
	const struct nlattr *attr;
	struct attrs nest;
	char stu[24];
	size_t at = 0;

	snprintf(text, size, "-");
	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != ST_A_LINK_CHANNEL || at >= size)
			continue;
		parse_nest(&nest, attr);
		bytes_of(number_of(nest.tb[ST_A_CHANNEL_MAX_STU]), stu, sizeof(stu));
		at += snprintf(text + at, size - at, "%s%llu:%s", at ? "," : "",
			       number_of(nest.tb[ST_A_CHANNEL_INDEX]), stu);
	}
}

static void link_row(struct table *t, const struct attrs *a)
{
	char text[128];

	table_cell(t, "%s", text_of(a->tb[ST_A_LINK_IFNAME]));
	table_cell(t, "%s", text_of(a->tb[ST_A_LINK_LLP]));
	table_cell(t, "%s", name_of(link_fields, ST_A_LINK_STATE, a));
	table_cell(t, "%s", address_of(a->tb[ST_A_LINK_ADDRESS], text, sizeof(text)));
	channels_of(a->nlh, text, sizeof(text));
	table_cell(t, "%s", text);
	table_cell(t, "%llu", number_of(a->tb[ST_A_LINK_VCS]));
}

static __u64 sum_of(const struct field *fields, const struct nlattr *nest)
{
	__u64 sum = 0;
	struct attrs a;

	parse_nest(&a, nest);
	for (; fields->name; fields++)
		sum += number_of(a.tb[fields->attr]);
	return sum;
}

static void port_row(struct table *t, const struct attrs *a)
{
	bool listening = a->tb[ST_A_PORT_LISTENING];
	char text[64];

	table_cell(t, "%llu", number_of(a->tb[ST_A_PORT_PORT]));
	table_cell(t, "%s", listening ? "listening" : "-");
	table_cell(t, "%s", listening ? device_of(a->tb[ST_A_PORT_IFINDEX], text) : "-");
	table_cell(t, "%s", listening ? address_of(a->tb[ST_A_PORT_ADDRESS], text,
						   sizeof(text)) : "-");
	if (listening)
		table_cell(t, "%llu/%llu", number_of(a->tb[ST_A_PORT_BACKLOG]),
			   number_of(a->tb[ST_A_PORT_MAX_BACKLOG]));
	else
		table_cell(t, "-");
	table_cell(t, "%llu", number_of(a->tb[ST_A_PORT_SOCKETS]));
	table_cell(t, "%s", number_or_dash(a->tb[ST_A_PORT_UID], text, sizeof(text)));
	table_cell(t, "%s", number_or_dash(a->tb[ST_A_PORT_INODE], text, sizeof(text)));
	table_cell(t, "%llu", sum_of(error_fields, a->tb[ST_A_PORT_ERRORS]));
}

/* Errors that were logged, and the Op of the last of some. */
static void port_more(struct table *t, const struct attrs *a)
{
	const struct field *f;
	struct attrs errors;

	parse_nest(&errors, a->tb[ST_A_PORT_ERRORS]);
	for (f = error_fields; f->name; f++) {
		if (!number_of(errors.tb[f->attr]))
			continue;
		if (f->attr == ST_A_ERRORS_UNDEFINED_OPCODE)
			table_note(t, "    %s %llu (last Op 0x%02llx)", f->name,
				   number_of(errors.tb[f->attr]),
				   number_of(a->tb[ST_A_PORT_UNDEFINED_OPCODE_VALUE]));
		else if (f->attr == ST_A_ERRORS_UNEXPECTED_OPCODE)
			table_note(t, "    %s %llu (last Op 0x%02llx)", f->name,
				   number_of(errors.tb[f->attr]),
				   number_of(a->tb[ST_A_PORT_UNEXPECTED_OPCODE_VALUE]));
		else
			table_note(t, "    %s %llu", f->name, number_of(errors.tb[f->attr]));
	}
}

static void vc_row(struct table *t, const struct attrs *a)
{
	char text[64];

	table_cell(t, "%s", name_of(vc_fields, ST_A_VC_STATE, a));
	table_cell(t, "%s", device_of(a->tb[ST_A_VC_IFINDEX], text));
	table_cell(t, "%llu", number_of(a->tb[ST_A_VC_RX_QUEUED]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_VC_TX_QUEUED]));
	table_cell(t, "%s %llu",
		   address_of(a->tb[ST_A_VC_LOCAL_ADDRESS], text, sizeof(text)),
		   number_of(a->tb[ST_A_VC_LOCAL_PORT]));
	table_cell(t, "%s %llu",
		   address_of(a->tb[ST_A_VC_REMOTE_ADDRESS], text, sizeof(text)),
		   number_of(a->tb[ST_A_VC_REMOTE_PORT]));
	table_cell(t, "%s", number_or_dash(a->tb[ST_A_VC_UID], text, sizeof(text)));
	table_cell(t, "%s", number_or_dash(a->tb[ST_A_VC_INODE], text, sizeof(text)));
	table_cell(t, "%s", text_of(a->tb[ST_A_VC_LLP]));
	table_cell(t, "%s", bytes_or_dash(a->tb[ST_A_VC_TX_STU], text, sizeof(text)));
	table_cell(t, "%s", bytes_or_dash(a->tb[ST_A_VC_LOCAL_MAX_STU], text, sizeof(text)));
}

/* What both ends offered: this end's, then the other's. */
static void vc_setup(struct table *t, const struct attrs *a)
{
	char slots[24], size[2][24], stu[2][24], keys[64] = "";

	if (a->tb[ST_A_VC_LOCAL_KEY])
		snprintf(keys, sizeof(keys), "  keys 0x%08llx/0x%08llx",
			 number_of(a->tb[ST_A_VC_LOCAL_KEY]), number_of(a->tb[ST_A_VC_REMOTE_KEY]));
	table_note(t, "    slots %llu/%s  bufsize %s/%s  max_stu %s/%s%s",
		   number_of(a->tb[ST_A_VC_LOCAL_SLOTS]),
		   number_or_dash(a->tb[ST_A_VC_REMOTE_SLOTS], slots, sizeof(slots)),
		   bytes_or_dash(a->tb[ST_A_VC_LOCAL_BUFSIZE], size[0], sizeof(size[0])),
		   bytes_or_dash(a->tb[ST_A_VC_REMOTE_BUFSIZE], size[1], sizeof(size[1])),
		   bytes_or_dash(a->tb[ST_A_VC_LOCAL_MAX_STU], stu[0], sizeof(stu[0])),
		   bytes_or_dash(a->tb[ST_A_VC_REMOTE_MAX_STU], stu[1], sizeof(stu[1])), keys);
}

static void vc_more(struct table *t, const struct attrs *a)
{
	struct attrs counters;
	const struct field *f;
	char line[512], idle[24];
	size_t at = 0;

	vc_setup(t, a);
	table_note(t, "    flags %s  idle %s ms  memory %llu",
		   flags_of(vc_fields, ST_A_VC_FLAGS, a, " ", line, sizeof(line)),
		   number_or_dash(a->tb[ST_A_VC_IDLE], idle, sizeof(idle)),
		   number_of(a->tb[ST_A_VC_RX_MEMORY]));

	parse_nest(&counters, a->tb[ST_A_VC_COUNTERS]);
	for (f = vc_counter_fields; f->name && at < sizeof(line); f++)
		at += snprintf(line + at, sizeof(line) - at, "  %s %llu", f->name,
			       number_of(counters.tb[f->attr]));
	table_note(t, "  %s", line);
}

static void transfer_row(struct table *t, const struct attrs *a)
{
	char text[64];

	table_cell(t, "%s", name_of(transfer_fields, ST_A_TRANSFER_DIRECTION, a));
	table_cell(t, "%s", name_of(transfer_fields, ST_A_TRANSFER_STATE, a));
	table_cell(t, "%s", device_of(a->tb[ST_A_TRANSFER_IFINDEX], text));
	table_cell(t, "%llu", number_of(a->tb[ST_A_TRANSFER_LOCAL_PORT]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_TRANSFER_REMOTE_PORT]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_TRANSFER_ID]));
	table_cell(t, "%s", number_or_dash(a->tb[ST_A_TRANSFER_REMOTE_ID], text, sizeof(text)));
	table_cell(t, "%s", number_or_dash(a->tb[ST_A_TRANSFER_LENGTH], text, sizeof(text)));
	table_cell(t, "%s", number_or_dash(a->tb[ST_A_TRANSFER_DONE], text, sizeof(text)));
	table_cell(t, "%s", bytes_or_dash(a->tb[ST_A_TRANSFER_BLOCKSIZE], text, sizeof(text)));
	table_cell(t, "%llu", number_of(a->tb[ST_A_TRANSFER_BLOCKS]));
}

static void region_row(struct table *t, const struct attrs *a)
{
	char text[64];

	table_cell(t, "%s", name_of(region_fields, ST_A_REGION_KIND, a));
	table_cell(t, "%s", name_of(region_fields, ST_A_REGION_STATE, a));
	table_cell(t, "%s", device_of(a->tb[ST_A_REGION_IFINDEX], text));
	table_cell(t, "%llu", number_of(a->tb[ST_A_REGION_LOCAL_PORT]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_REGION_REMOTE_PORT]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_REGION_ID]));
	table_cell(t, "%s", number_or_dash(a->tb[ST_A_REGION_REMOTE_ID], text, sizeof(text)));
	table_cell(t, "%s", flags_of(region_fields, ST_A_REGION_ACCESS, a, ",", text,
				     sizeof(text)));
	table_cell(t, "%llu", number_of(a->tb[ST_A_REGION_LENGTH]));
	table_cell(t, "%s", number_or_dash(a->tb[ST_A_REGION_SIZE], text, sizeof(text)));
	table_cell(t, "%llu", number_of(a->tb[ST_A_REGION_PUTS]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_REGION_GETS]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_REGION_FETCHOPS]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_REGION_OUTSTANDING]));
}

static void param_row(struct table *t, const struct attrs *a)
{
	table_cell(t, "%s", text_of(a->tb[ST_A_PARAM_NAME]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_PARAM_VALUE]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_PARAM_MIN_VALUE]));
	table_cell(t, "%llu", number_of(a->tb[ST_A_PARAM_MAX_VALUE]));
}

static const struct kind link_kind = {
	.word = "link", .cmd = ST_CMD_LINK_GET, .ifindex_attr = ST_A_LINK_IFINDEX,
	.fields = link_fields, .row = link_row,
	TITLES("DEVICE", "LLP", "STATE", "ADDRESS", "MAX_STU", "VCS"),
};

static const struct kind port_kind = {
	.word = "port", .cmd = ST_CMD_PORT_GET, .port_attr = ST_A_PORT_PORT,
	.fields = port_fields, .row = port_row, .more = port_more,
	TITLES("PORT", "STATE", "DEVICE", "ADDRESS", "BACKLOG", "SOCKETS", "UID",
	       "INODE", "ERRORS"),
};

static const struct kind vc_kind = {
	.word = "vc", .cmd = ST_CMD_VC_GET, .port_attr = ST_A_VC_LOCAL_PORT,
	.ifindex_attr = ST_A_VC_IFINDEX,
	.fields = vc_fields, .row = vc_row, .more = vc_more,
	TITLES("STATE", "DEVICE", "RX_QUEUED", "TX_QUEUED", "LOCAL", "REMOTE", "UID", "INODE",
	       "LLP", "TX_STU", "RX_STU"),
};

static const struct kind transfer_kind = {
	.word = "transfer", .cmd = ST_CMD_TRANSFER_GET, .port_attr = ST_A_TRANSFER_LOCAL_PORT,
	.ifindex_attr = ST_A_TRANSFER_IFINDEX, .fields = transfer_fields, .row = transfer_row,
	TITLES("DIRECTION", "STATE", "DEVICE", "LOCAL", "REMOTE", "ID", "REMOTE_ID", "LENGTH",
	       "DONE", "BLOCKSIZE", "BLOCKS"),
};

static const struct kind region_kind = {
	.word = "region", .cmd = ST_CMD_REGION_GET, .port_attr = ST_A_REGION_LOCAL_PORT,
	.ifindex_attr = ST_A_REGION_IFINDEX, .fields = region_fields, .row = region_row,
	TITLES("KIND", "STATE", "DEVICE", "LOCAL", "REMOTE", "ID", "REMOTE_ID", "ACCESS",
	       "LENGTH", "SIZE", "PUTS", "GETS", "FETCHOPS", "OUTSTANDING"),
};

static const struct kind param_kind = {
	.word = "param", .cmd = ST_CMD_PARAM_GET, .fields = param_fields, .row = param_row,
	TITLES("PARAMETER", "VALUE", "MIN", "MAX"),
};

static void show_table(const struct kind *kind, const struct msgs *msgs)
{
	struct table t;
	struct attrs a;
	size_t i;

	table_begin(&t, kind->columns, kind->titles);
	for (i = 0; i < msgs->n; i++) {
		parse(&a, msgs->msg[i]);
		kind->row(&t, &a);
		if (opt.verbose && kind->more)
			kind->more(&t, &a);
	}
	table_end(&t);
}

/* Shows what the kernel answers.  Returns the exit status. */
static int show(const struct kind *kind, struct request *req)
{
	struct msgs msgs;
	int status = 0;

	nl_ask(req, &msgs);
	if (opt.json)
		json_array(kind->fields, &msgs);
	else
		show_table(kind, &msgs);
	if (msgs.twice) {
		warnx("the kernel's table was resized again and again: some may be told twice");
		status = EXIT_TWICE;
	}
	nl_free(&msgs);
	return status;
}

static int show_kind(const struct kind *kind, char **args)
{
	struct request req;

	if (args[0])
		misused("%s takes no argument '%s'", kind->word, args[0]);
	if (opt.has_port && !kind->port_attr)
		misused("%s does not select by Port", kind->word);
	if (opt.ifindex && !kind->ifindex_attr)
		misused("%s does not select by device", kind->word);
	nl_open();
	nl_request(&req, kind->cmd, true);
	if (opt.has_port)
		mnl_attr_put_u16(req.nlh, kind->port_attr, opt.port);
	if (opt.ifindex)
		mnl_attr_put_u32(req.nlh, kind->ifindex_attr, opt.ifindex);
	return show(kind, &req);
}

static void no_filter(const char *word)
{
	if (opt.has_port || opt.ifindex)
		misused("%s does not select by Port or device", word);
}

static void print_counters(const struct field *fields, const struct nlattr *nest)
{
	struct attrs a;

	parse_nest(&a, nest);
	for (; fields->name; fields++)
		printf("%-24s %llu\n", fields->name, number_of(a.tb[fields->attr]));
}

static int show_counters(char **args)
{
	struct request req;
	struct msgs msgs;
	struct attrs a;

	if (args[0])
		misused("counters takes no argument '%s'", args[0]);
	no_filter("counters");
	nl_open();
	nl_request(&req, ST_CMD_COUNTERS_GET, false);
	nl_ask(&req, &msgs);
	if (msgs.n != 1)
		errx(EXIT_KERNEL, "%zu messages are no counters", msgs.n);
	parse(&a, msgs.msg[0]);
	if (opt.json) {
		json_object(counters_fields, &a, NULL);
		putchar('\n');
	} else {
		print_counters(drop_fields, a.tb[ST_A_COUNTERS_DROPS]);
		print_counters(error_fields, a.tb[ST_A_COUNTERS_ERRORS]);
	}
	nl_free(&msgs);
	return 0;
}

/* A decimal number that fits. */
static __u64 number_from(const char *what, const char *text, __u64 max)
{
	unsigned long long n;
	char *end;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || n > max)
		misused("'%s' is no %s", text, what);
	return n;
}

/* Shows links, or adds or removes one. */
static int do_link(char **args)
{
	bool add = args[0] && !strcmp(args[0], "add");

	if (!add && (!args[0] || strcmp(args[0], "del")))
		return show_kind(&link_kind, args);
	if (!args[1] || !args[2] || args[3])
		misused("link %s takes a device and an LLP", args[0]);
	no_filter(args[0]);
	return set_link(add, args[1], args[2]);
}

static int do_param(char **args)
{
	struct request req;

	no_filter("param");
	if (!args[0] || (!strcmp(args[0], "show") && !args[1]))
		return show_kind(&param_kind, (char *[]){ NULL });
	if (!strcmp(args[0], "show") && !args[2]) {
		nl_open();
		nl_request(&req, ST_CMD_PARAM_GET, false);
		mnl_attr_put_strz_check(req.nlh, sizeof(req.room), ST_A_PARAM_NAME, args[1]);
		return show(&param_kind, &req);
	}
	if (!strcmp(args[0], "set") && args[1] && args[2] && !args[3])
		return set_param(args[1], number_from("number", args[2], UINT64_MAX));
	misused("param takes 'show', 'show NAME' or 'set NAME VALUE'");
}

/**
 * struct event - what the kernel tells by itself
 * @name: as JSON and for people
 * @kind: what it is about
 */
struct event {
	const char		*name;
	const struct kind	*kind;
};

static const struct event events[] = {
	[ST_CMD_LINK_ADD_NTF]		= { "link-add", &link_kind },
	[ST_CMD_LINK_DEL_NTF]		= { "link-del", &link_kind },
	[ST_CMD_VC_ESTABLISHED_NTF]	= { "vc-established", &vc_kind },
	[ST_CMD_VC_END_NTF]		= { "vc-end", &vc_kind },
	[ST_CMD_PARAM_CHANGE_NTF]	= { "param-change", &param_kind },
};

static void print_event(const struct event *event, const struct attrs *a)
{
	const struct kind *kind = event->kind;
	struct table t = { .columns = kind->columns };
	unsigned int i;

	kind->row(&t, a);
	printf("%s", event->name);
	for (i = 0; i < t.n; i++) {
		printf(" %s=%s", kind->titles[i], t.cell[i]);
		free(t.cell[i]);
	}
	free(t.cell);
	if (kind == &vc_kind && a->tb[ST_A_VC_ERROR])
		printf(" ERROR=%s", strerror(number_of(a->tb[ST_A_VC_ERROR])));
	putchar('\n');
}

static void show_event(const struct nlmsghdr *nlh)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);
	const struct event *event = &events[genl->cmd];
	struct attrs a;

	if (genl->cmd >= MNL_ARRAY_SIZE(events) || !event->name)
		return;		/* of a later kernel */
	parse(&a, nlh);
	if (opt.json) {
		json_object(event->kind->fields, &a, event->name);
		putchar('\n');
	} else {
		print_event(event, &a);
	}
}

static int do_monitor(char **args)
{
	const struct nlmsghdr *nlh;
	unsigned long i;

	if (args[0])
		misused("monitor takes no argument '%s'", args[0]);
	no_filter("monitor");
	nl_open();
	nl_join();
	if (opt.verbose)
		warnx("events are shown from now on");
	for (i = 0; !opt.count || i < opt.count; i++) {
		if (nl_event(&nlh))
			show_event(nlh);
		else if (opt.json)
			puts("{\"event\":\"lost\"}");
		else
			puts("lost");
		if (fflush(stdout))
			err(EXIT_KERNEL, "standard output");
	}
	return 0;
}

static void print_help(void)
{
	puts("usage: ststat [OPTIONS] link | port | vc | transfer | region | counters |\n"
	     "              monitor\n"
	     "       ststat [OPTIONS] param [show [NAME] | set NAME VALUE]\n"
	     "       ststat link add | del DEV LLP\n"
	     "Show what Scheduled Transfer sockets of this network namespace do.\n"
	     "\n"
	     "  link      lower-layer protocols (hippi6400, ethernet) on network devices\n"
	     "  port      Ports in use, listeners and error logs\n"
	     "  vc        Virtual Connections\n"
	     "  transfer  Transfers in progress\n"
	     "  region    memory that is lent or borrowed\n"
	     "  counters  drops and errors that belong to no Port\n"
	     "  param     parameters, net.st.*\n"
	     "  monitor   events as they come\n"
	     "\n"
	     "  -j, --json            JSON\n"
	     "  -v, --verbose         more of each; port: the error log\n"
	     "  -p, --port=PORT       only this Port of this end (port, vc, transfer, region)\n"
	     "  -i, --interface=DEV   only this device (link, vc, transfer, region)\n"
	     "  -c, --count=N         end after N events (monitor)\n"
	     "  -h, --help            show this\n"
	     "  -V, --version         show the version\n"
	     "\n"
	     "Exit status: 0 all well, 1 wrong usage, 2 refused by the kernel or no AF_ST in\n"
	     "it, 3 some may be told twice.");
}

static const struct option long_options[] = {
	{ "json",	no_argument,		NULL, 'j' },
	{ "verbose",	no_argument,		NULL, 'v' },
	{ "port",	required_argument,	NULL, 'p' },
	{ "interface",	required_argument,	NULL, 'i' },
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
	case 'p':
		opt.port = number_from("Port", optarg, UINT16_MAX);
		opt.has_port = true;
		break;
	case 'i':
		opt.ifindex = if_nametoindex(optarg);
		if (!opt.ifindex)
			misused("%s: %s", optarg, strerror(errno));
		break;
	case 'c':
		opt.count = number_from("count", optarg, ULONG_MAX);
		break;
	case 'h':
		print_help();
		exit(0);
	case 'V':
		puts("ststat " STSTAT_VERSION);
		exit(0);
	default:
		errx(EXIT_USAGE, USAGE_HINT);
	}
}

static int run(char **args)
{
	static const struct kind *const kinds[] = {
		&port_kind, &vc_kind, &transfer_kind, &region_kind,
	};
	size_t i;

	if (!args[0])
		misused("what shall be shown?");
	for (i = 0; i < MNL_ARRAY_SIZE(kinds); i++)
		if (!strcmp(args[0], kinds[i]->word))
			return show_kind(kinds[i], args + 1);
	if (!strcmp(args[0], "link"))
		return do_link(args + 1);
	if (!strcmp(args[0], "counters"))
		return show_counters(args + 1);
	if (!strcmp(args[0], "param"))
		return do_param(args + 1);
	if (!strcmp(args[0], "monitor"))
		return do_monitor(args + 1);
	misused("'%s' is nothing to show", args[0]);
}

int main(int argc, char **argv)
{
	int letter, status;

	while ((letter = getopt_long(argc, argv, "jvp:i:c:hV", long_options, NULL)) != -1)
		set_option(letter);
	status = run(argv + optind);
	if (fflush(stdout) || ferror(stdout))
		err(EXIT_KERNEL, "standard output");
	return status;
}
