// SPDX-License-Identifier: GPL-2.0
/*
 * ststat - show Scheduled Transfer links, sockets, transfers and counters
 *
 * Uses the generic netlink family "st" (Documentation/netlink/specs/st.yaml).
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "addr.h"
#include "args.h"
#include "device.h"
#include "ststat.h"

#define STSTAT_VERSION	"1.0"
#define TESTED_KERNELS	"Linux 6.12, Linux 7.3"

static struct options {
	bool		json;
	bool		verbose;
	bool		selects[NR_FILTERS];
	__u64		cookie;
	__u16		port;
	__u16		remote_port;
	__u32		ifindex;
	const char	*remote;
	__u32		uid;
	unsigned long	count;		/* events; 0: no limit */
} opt;

static const char *const filter_names[NR_FILTERS] = {
	[FILTER_COOKIE]		= "cookie",
	[FILTER_PORT]		= "Port",
	[FILTER_REMOTE_PORT]	= "Port of the other end",
	[FILTER_DEVICE]		= "device",
	[FILTER_REMOTE]		= "address of the other end",
	[FILTER_UID]		= "user",
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

/* Shows the answer of the kernel.  Returns the exit status. */
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
		warnx("the kernel's table was resized repeatedly: some may be shown twice");
		status = EXIT_TWICE;
	}
	nl_free(&msgs);
	return status;
}

/* Ends the program if an option filters by something that @kind (NULL: nothing) lacks. */
static void check_filters(const char *word, const struct kind *kind)
{
	unsigned int i;

	for (i = 0; i < NR_FILTERS; i++)
		if (opt.selects[i] && (!kind || !kind->filters[i]))
			misused("%s has no filter by %s", word, filter_names[i]);
}

/* The other end is the one that connect() would take. */
static void put_remote(struct nlmsghdr *nlh, __u16 attr)
{
	const struct search where = { .ifindex = opt.ifindex };
	struct sockaddr_st remote;

	find_address(opt.remote, &where, &remote);
	mnl_attr_put(nlh, attr, remote.sst_alen, remote.sst_addr);
}

static void put_filter(struct nlmsghdr *nlh, enum filter filter, __u16 attr)
{
	switch (filter) {
	case FILTER_COOKIE:
		put_uint(nlh, attr, opt.cookie);
		break;
	case FILTER_PORT:
		mnl_attr_put_u16(nlh, attr, opt.port);
		break;
	case FILTER_REMOTE_PORT:
		mnl_attr_put_u16(nlh, attr, opt.remote_port);
		break;
	case FILTER_DEVICE:
		mnl_attr_put_u32(nlh, attr, opt.ifindex);
		break;
	case FILTER_REMOTE:
		put_remote(nlh, attr);
		break;
	case FILTER_UID:
		mnl_attr_put_u32(nlh, attr, opt.uid);
		break;
	case NR_FILTERS:
		break;
	}
}

static int show_kind(const struct kind *kind, char **args)
{
	struct request req;
	unsigned int i;

	if (args[0])
		misused("%s takes no argument '%s'", kind->word, args[0]);
	check_filters(kind->word, kind);
	open_st();
	nl_request(&req, kind->cmd, true);
	for (i = 0; i < NR_FILTERS; i++)
		if (opt.selects[i])
			put_filter(req.nlh, i, kind->filters[i]);
	return show(kind, &req);
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
	check_filters("counters", NULL);
	open_st();
	nl_request(&req, ST_CMD_COUNTERS_GET, false);
	nl_ask(&req, &msgs);
	if (msgs.n != 1)
		errx(EXIT_KERNEL, "%zu messages, but expected one with counters", msgs.n);
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

/* Parses a decimal number up to a limit. */
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

/* Shows the addresses of each host, or adds or removes a host. */
static int do_stripe(char **args)
{
	bool add = args[0] && !strcmp(args[0], "add");
	unsigned int n = 0;

	if (!add && (!args[0] || strcmp(args[0], "del")))
		return show_kind(&stripe_kind, args);
	while (args[1 + n])
		n++;
	if (!n || n % 3)
		misused("stripe %s takes addresses, each as DEV LLP ADDRESS", args[0]);
	check_filters(args[0], NULL);
	return set_stripe(add, args + 1, n);
}

/* Shows Virtual Connections, or ends one. */
static int do_vc(char **args)
{
	if (!args[0] || strcmp(args[0], "del"))
		return show_kind(&vc_kind, args);
	if (!args[1] || args[2])
		misused("vc del takes a cookie, which ststat -v vc shows");
	check_filters(args[0], NULL);
	return set_vc_del(number_from("cookie", args[1], UINT64_MAX));
}

static __u32 reliability_from(const char *text)
{
	__u32 i;

	for (i = 1; reliabilities[i]; i++)
		if (!strcmp(text, reliabilities[i]))
			return i;
	misused("%s: the reliability is ud, rd or rr", text);
}

/* The settings of a link, each a name and a value */
static void link_settings_from(char **args, struct link_settings *settings)
{
	for (; args[0] && args[1]; args += 2) {
		if (!strcmp(args[0], "stu"))
			settings->stu = number_from("STU", args[1], UINT64_MAX);
		else if (!strcmp(args[0], "reliability"))
			settings->reliability = reliability_from(args[1]);
		else
			break;
	}
	if (args[0])
		misused("a link has the settings stu BYTES and reliability ud|rd|rr");
}

/* Shows links, or adds or removes one. */
static int do_link(char **args)
{
	bool add = args[0] && !strcmp(args[0], "add");
	struct link_settings settings = { 0 };

	if (!add && (!args[0] || strcmp(args[0], "del")))
		return show_kind(&link_kind, args);
	if (!args[1] || !args[2] || (args[3] && !add))
		misused("link %s takes a device and an LLP", args[0]);
	if (args[3])
		link_settings_from(args + 3, &settings);
	check_filters(args[0], NULL);
	return set_link(add, args[1], args[2], &settings);
}

/**
 * struct event - a notification of the kernel
 * @name: in JSON and in text
 * @kind: object that it is about
 */
struct event {
	const char		*name;
	const struct kind	*kind;
};

static const struct event events[] = {
	[ST_CMD_LINK_ADD_NTF]		= { "link-add", &link_kind },
	[ST_CMD_LINK_DEL_NTF]		= { "link-del", &link_kind },
	[ST_CMD_LINK_CHANGE_NTF]	= { "link-change", &link_kind },
	[ST_CMD_VC_ESTABLISHED_NTF]	= { "vc-established", &vc_kind },
	[ST_CMD_VC_END_NTF]		= { "vc-end", &vc_kind },
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

static void flush(void)
{
	if (fflush(stdout) || ferror(stdout))
		err(EXIT_KERNEL, "standard output");
}

static int do_monitor(char **args)
{
	const struct nlmsghdr *nlh;
	unsigned long i;

	if (args[0])
		misused("monitor takes no argument '%s'", args[0]);
	check_filters("monitor", NULL);
	open_st();
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
		flush();
	}
	return 0;
}

static void print_help(void)
{
	puts("usage: ststat [OPTIONS] link | port | vc | transfer | region | stripe |\n"
	     "              counters | monitor\n"
	     "       ststat link add DEV LLP [stu BYTES] [reliability ud|rd|rr]\n"
	     "       ststat link del DEV LLP\n"
	     "       ststat vc del COOKIE\n"
	     "       ststat stripe add | del DEV LLP ADDRESS...\n"
	     "Show the Scheduled Transfer sockets and links of this network namespace.\n"
	     "\n"
	     "  link      lower-layer protocols (hippi6400, ethernet, rio9, fcle, fcvi, hippi_fp)\n"
	     "            on devices\n"
	     "  port      Ports in use, listeners and error logs\n"
	     "  vc        Virtual Connections\n"
	     "  transfer  Transfers in progress\n"
	     "  region    memory that is lent or borrowed\n"
	     "  stripe    addresses that belong to one host\n"
	     "  counters  drops and errors that belong to no Port\n"
	     "  monitor   events as they occur\n"
	     "\n"
	     "  -j, --json            JSON\n"
	     "  -v, --verbose         more details; port: the error log\n"
	     "  -p, --port=PORT       only this Port of this end (port, vc, transfer, region)\n"
	     "  -i, --interface=DEV   only this device (link, port, vc, transfer, region)\n"
	     "  -u, --uid=UID         only this user's (port, vc, transfer, region)\n"
	     "  -P, --peer-port=PORT  only this Port of the other end (vc, transfer, region)\n"
	     "  -a, --address=ADDR    only this other end: its address, IP address or name (vc,\n"
	     "                        transfer, region)\n"
	     "  -k, --cookie=COOKIE   only this Virtual Connection (vc, transfer, region)\n"
	     "  -c, --count=N         end after N events (monitor)\n"
	     "  -h, --help            show this help\n"
	     "  -V, --version         show the version\n"
	     "\n"
	     "Exit status: 0 success, 1 refused by the kernel or no AF_ST in it, 2 wrong\n"
	     "usage, 3 some may be shown twice.");
}

static const struct option long_options[] = {
	{ "json",	no_argument,		NULL, 'j' },
	{ "verbose",	no_argument,		NULL, 'v' },
	{ "port",	required_argument,	NULL, 'p' },
	{ "interface",	required_argument,	NULL, 'i' },
	{ "uid",	required_argument,	NULL, 'u' },
	{ "peer-port",	required_argument,	NULL, 'P' },
	{ "address",	required_argument,	NULL, 'a' },
	{ "cookie",	required_argument,	NULL, 'k' },
	{ "count",	required_argument,	NULL, 'c' },
	{ "help",	no_argument,		NULL, 'h' },
	{ "version",	no_argument,		NULL, 'V' },
	{ 0 }
};

/* Sets a filter.  Returns which, or NR_FILTERS for another option. */
static enum filter set_filter(int letter)
{
	switch (letter) {
	case 'k':
		opt.cookie = number_from("cookie", optarg, UINT64_MAX);
		return FILTER_COOKIE;
	case 'p':
		opt.port = number_from("Port", optarg, UINT16_MAX);
		return FILTER_PORT;
	case 'P':
		opt.remote_port = number_from("Port", optarg, UINT16_MAX);
		return FILTER_REMOTE_PORT;
	case 'i':
		opt.ifindex = device_index(optarg);
		if (!opt.ifindex)
			misused("%s: %s", optarg, strerror(errno));
		return FILTER_DEVICE;
	case 'a':
		opt.remote = optarg;
		return FILTER_REMOTE;
	case 'u':
		opt.uid = number_from("user", optarg, UINT32_MAX);
		return FILTER_UID;
	}
	return NR_FILTERS;
}

static void set_option(int letter)
{
	enum filter filter = set_filter(letter);

	if (filter != NR_FILTERS) {
		opt.selects[filter] = true;
		return;
	}
	switch (letter) {
	case 'j':
		opt.json = true;
		break;
	case 'v':
		opt.verbose = true;
		break;
	case 'c':
		opt.count = number_from("count", optarg, ULONG_MAX);
		if (!opt.count)
			misused("'%s' is no count", optarg);
		break;
	case 'h':
		print_help();
		flush();
		exit(0);
	case 'V':
		puts("ststat " STSTAT_VERSION "\nmodules tested with " TESTED_KERNELS);
		flush();
		exit(0);
	default:
		errx(EXIT_USAGE, USAGE_HINT);
	}
}

static int run(char **args)
{
	static const struct kind *const kinds[] = {
		&port_kind, &transfer_kind, &region_kind,
	};
	size_t i;

	if (!args[0])
		misused("missing argument: what to show");
	for (i = 0; i < MNL_ARRAY_SIZE(kinds); i++)
		if (!strcmp(args[0], kinds[i]->word))
			return show_kind(kinds[i], args + 1);
	if (!strcmp(args[0], "link"))
		return do_link(args + 1);
	if (!strcmp(args[0], "vc"))
		return do_vc(args + 1);
	if (!strcmp(args[0], "stripe"))
		return do_stripe(args + 1);
	if (!strcmp(args[0], "counters"))
		return show_counters(args + 1);
	if (!strcmp(args[0], "monitor"))
		return do_monitor(args + 1);
	misused("cannot show '%s'", args[0]);
}

int main(int argc, char **argv)
{
	int letter, status;

	while ((letter = getopt_long(argc, argv, "jvp:i:u:P:a:k:c:hV", long_options, NULL)) != -1)
		set_option(letter);
	status = run(argv + optind);
	flush();
	return status;
}
